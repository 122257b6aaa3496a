// What a process asks its system for, besides files and threads.
#pragma once
#include <cstddef>
#include <cstdint>

namespace xlashape::core {

// Another one after a fork.
int64_t process_id();

// `alignment` is a power of 2. The same alignment gives the memory back.
void* allocate(size_t size, size_t alignment);
void deallocate(void* pointer, size_t alignment);

// The value of an environment variable, UTF-8, until the next call on this thread; null where it is not set. Whose process
// has rights that others do not have may not trust what those put into it: to `trusted_variable` nothing is set then.
const char* variable(const char* name);
const char* trusted_variable(const char* name);

}  // namespace xlashape::core
