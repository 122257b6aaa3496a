// The functions that calls.json names: an executor's, an allocator's, a logger's, and the entry of a backend.
#pragma once
#include <string>

#include "abi/arguments.h"

namespace foreign {

// Reads calls.json. `plugin`: the shared object of a backend, whose entry function is "$open".
Session make_session(const File& file, const Library& library, const std::string& calls, const std::string& plugin);

}  // namespace foreign
