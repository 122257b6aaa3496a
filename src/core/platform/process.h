/* SPDX-License-Identifier: Apache-2.0 */
// What a process needs from its system, besides files and threads.
#pragma once
#include <cstddef>
#include <cstdint>

namespace xlashape::core {

// Changes in a forked process.
int64_t process_id();

// `alignment` is a power of 2. Pass the same alignment to `deallocate`.
void* allocate(size_t size, size_t alignment);
void deallocate(void* pointer, size_t alignment);

// The value of an environment variable in UTF-8, valid until the next call on this thread; null where it is not set. In
// a process with more rights than its caller, `trusted_variable` returns nothing that the caller may have set.
const char* variable(const char* name);
const char* trusted_variable(const char* name);

}  // namespace xlashape::core
