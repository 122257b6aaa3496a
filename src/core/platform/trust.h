// Whether what was found may be run. Code that nobody named must come from where nobody else could have put it:
// docs/backends.md has the rules.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "platform/location.h"

namespace xlashape::core {

struct Trust {
  std::vector<UserId> owners;   // of files and folders
  std::vector<GroupId> groups;  // that may write to them
  std::string library;          // the folders that hold it are not looked at; "" where it is not known
};

// Root, the user and group of this process, and whoever can change the library anyway.
Trust own_trust(const Location& location);

// The real path of `path`, which is absolute or begins in `folder` (real, and trusted already), when each step of the
// way, links included, may be trusted; else "" and the reason. As nobody else can change any step, it is the same file
// later.
std::string trusted_path(const Trust& trust, const std::string& folder, std::string_view path, std::string* reason);

}  // namespace xlashape::core
