/* SPDX-License-Identifier: Apache-2.0 */
// What scan prints: for eyes, and for machines as docs/scan.md describes it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "budgets.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "stakes.h"
#include "summary.h"

namespace xlashape::cli {

class Report {
 public:
  // `whole`: with what is too little to matter.
  Report(const Common& common, bool whole);

  void module(const Summary& summary);
  // Modules that cost too little to be told one by one, in one line.
  void small(const std::vector<Summary>& modules);
  void budgets(const std::vector<BudgetResult>& results);

 private:
  void heads(const Summary& summary);
  void fits(const Summary& summary);
  void total(std::string_view what, const Total& total);
  void spaces(const Summary& summary);
  void space(const SpaceRow& space);
  void section(const Summary& summary, const Stake& stake);
  void folded(const std::vector<Stake>& stakes);
  void waste(const Summary& summary);
  void arrays(const Summary& summary);
  void relayouts(const Summary& summary);
  void undonated(const Summary& summary);
  void rewritten(const Summary& summary);
  void peak(const SpaceRow& space);
  void groups(const std::vector<ArrayGroup>& groups, int64_t left_out);
  void unparsed(const Summary& summary);
  void title(std::string_view label, std::string_view words);
  // A row's first line: numbers in front of a shape, which has its own line where the terminal is narrow.
  void entry(const Text& front, size_t front_width, std::string_view shape);
  // Below it who made it, where, and what to do.
  void detail(const InstructionOrigin& origin, std::string_view of, std::initializer_list<std::string_view> notes);
  void prose(std::string_view words, size_t indent, std::string_view first = "");
  void more(int64_t left_out);
  // As much as fits behind `used` columns.
  std::string cut(std::string_view text, size_t used) const;

  Paint paint_;
  std::optional<size_t> width_;
  bool narrow_;
  bool whole_;
};

inline constexpr int kScanVersion = 1;  // of the JSON: changed when a field changes its meaning or goes

Json module_json(const Summary& summary);
Json budget_json(const BudgetResult& result);
Json scan_json(Json modules, Json reports, const std::vector<BudgetResult>& budgets, const std::string& target);

}  // namespace xlashape::cli
