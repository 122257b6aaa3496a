/* SPDX-License-Identifier: Apache-2.0 */
// Whether a file that was found may be run. Code that was not named explicitly must come from a place where nobody else
// could have put it: docs/backends.md has the rules.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "platform/location.h"

namespace xlashape::core {

struct Trust {
  std::vector<UserId> owners;   // of files and folders
  std::vector<GroupId> groups;  // that may write to them
  std::string library;          // its path; the folders that contain it are not checked; "" where it is not known
};

// Trusts root, the user and group of this process, and everybody who can change the library anyway.
Trust own_trust(const Location& location);

// The real path of `path`, which is absolute or relative to `folder` (a real path, already trusted), if each step of
// the way, links included, may be trusted; else "", with *reason set. As nobody else can change any step, the path
// names the same file later.
std::string trusted_path(const Trust& trust, const std::string& folder, std::string_view path, std::string* reason);

}  // namespace xlashape::core
