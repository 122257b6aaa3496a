/* SPDX-License-Identifier: Apache-2.0 */
// Programs of this project that are installed beside this one.
#pragma once

namespace xlashape::cli {

// Becomes the program of that name in this program's folder, with those words behind its name, the last of which is
// NULL. Comes back only as a Failure: the program is not there, or cannot be run.
[[noreturn]] void become(const char* name, char** words);

}  // namespace xlashape::cli
