/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xlashape::cli {

// A file of no folder, as memfd_create opens it, which the C library has from glibc 2.27 on; -1 where there is none.
inline int open_memory_file(const char* name) { return static_cast<int>(syscall(SYS_memfd_create, name, MFD_CLOEXEC)); }

}  // namespace xlashape::cli
