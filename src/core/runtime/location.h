// Where the code of this library was loaded from: backends lie beside it, and who can change it has no need of them.
#pragma once
#include <sys/types.h>

#include <string>

namespace xlashape {

struct Location {
  std::string file;         // real path; "" where it is not known
  std::string unknown;      // why it is not
  bool in_program = false;  // linked into the program itself: `file` is the program
  bool verified = false;    // `file` was seen to be what is mapped, and the next three are its
  uid_t owner = 0;
  gid_t group = 0;
  mode_t mode = 0;
};

Location own_location();

}  // namespace xlashape
