/* SPDX-License-Identifier: Apache-2.0 */
// Rules by which arrays that have names are moved, a text each:
//   *.weight rank 2 = bf16{1,0:T(8,128)(2,1)}
// a pattern of names; perhaps the number of dimensions; what --to takes, or `keep`. The first that fits an array holds.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace xlashape::cli {

struct Rule {
  std::string text;             // as it is given
  std::string pattern;          // of names, for fnmatch
  std::optional<int64_t> rank;  // arrays of another one are not meant
  std::string to;               // "" where it does not say
  bool keep = false;            // they stay as they are
  std::string where;            // begins messages about `to`
};

// `where` says where the text is, for messages.
Rule read_rule(const std::string& text, const std::string& where);

class Rules {
 public:
  // `to`: the layout of those that say none, or "".
  Rules(std::vector<Rule> rules, const std::string& to);

  // The one for an array of that name, or null. Its rank is asked for only where that matters.
  const Rule* rule_for(const std::string& name, const std::function<int64_t()>& rank);
  // Throws for a rule that was never the one. `names` are those that were asked about, in the file at `path`.
  void require_all_used(const std::string& path, const std::vector<std::string>& names) const;

 private:
  std::vector<Rule> rules_;
  std::vector<bool> used_;
};

}  // namespace xlashape::cli
