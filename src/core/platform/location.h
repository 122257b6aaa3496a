// Where the code of this library was loaded from: backends lie beside it, and who can change it has no need of them.
#pragma once
#include <cstdint>
#include <string>

namespace xlashape::core {

// Who owns files: a number, on Windows the text of a SID. There is no mode there.
#if defined(_WIN32)
using UserId = std::string;
#else
using UserId = uint32_t;
#endif
using GroupId = UserId;

struct Location {
  std::string file;         // real path; "" where it is not known
  std::string unknown;      // why it is not
  bool in_program = false;  // linked into the program itself: `file` is the program
  bool verified = false;    // `file` was seen to be what is mapped, and the next three are its
  UserId owner{};
  GroupId group{};
  uint32_t mode = 0;
};

Location own_location();

}  // namespace xlashape::core
