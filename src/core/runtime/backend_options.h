// Options of backends, "NAME.KEY=VALUE" with ';' between them, as the program and the environment give them. The runtime
// knows no key: a backend asks for its own.
#pragma once
#include <atomic>
#include <list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

class BackendOptions {
 public:
  // Adds the options of a text, all or, where it fails, none: it has another form, or gives one twice. What is there already
  // keeps its value. `name` is what the text is called in the message.
  Status add(std::string_view text, const char* name, Error* err);

  // The value for a backend's key, null where there is none. Valid as long as this object.
  const char* find(std::string_view backend, std::string_view key) const;

  // "blk.kernel=fast, blk.depth=3": those that nobody asked for, "" where all were.
  std::string unasked() const;

 private:
  struct Option {
    std::string backend, key, value;
    mutable std::atomic<bool> asked{false};
  };
  static const Option* look_up(const std::list<Option>& options, std::string_view backend, std::string_view key);

  std::list<Option> options_;  // which never moves what it holds
};

}  // namespace xlashape::core
