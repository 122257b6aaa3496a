/* SPDX-License-Identifier: Apache-2.0 */
// Options of backends, "NAME.KEY=VALUE" separated by ';', from the program and the environment. The runtime knows no
// keys: each backend asks for those that it has.
#pragma once
#include <atomic>
#include <list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

class BackendOptions {
 public:
  // Adds all options of a text. Fails, and adds none, where the text has another form or gives an option twice. An
  // option that exists already keeps its value. `name` names the text in messages.
  Status add(std::string_view text, const char* name, Error* err);

  // The value for a backend's key, null where there is none. Valid as long as this object is.
  const char* find(std::string_view backend, std::string_view key) const;

  // The options that no backend has asked for, as in "blk.kernel=fast, blk.depth=3"; "" where there are none.
  std::string unused() const;

 private:
  struct Option {
    std::string backend, key, value;
    mutable std::atomic<bool> used{false};
  };
  static const Option* look_up(const std::list<Option>& options, std::string_view backend, std::string_view key);

  std::list<Option> options_;  // a list, so that options keep their addresses
};

}  // namespace xlashape::core
