/* SPDX-License-Identifier: Apache-2.0 */
// Where the code of this library was loaded from. Backends are beside it, and whoever can change it is trusted anyway.
#pragma once
#include <cstdint>
#include <string>

namespace xlashape::core {

// The owner of a file: a number, or on Windows, where files have no mode, the text of a SID.
#if defined(_WIN32)
using UserId = std::string;
#else
using UserId = uint32_t;
#endif
using GroupId = UserId;

struct Location {
  std::string file;         // real path; "" where it is not known
  std::string unknown;      // why `file` is not known
  bool in_program = false;  // linked into the program itself: `file` is the program
  bool verified = false;    // `file` is known to be what is mapped; the next three are its
  UserId owner{};
  GroupId group{};
  uint32_t mode = 0;
};

Location own_location();

}  // namespace xlashape::core
