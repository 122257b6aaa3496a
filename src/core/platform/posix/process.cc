// SPDX-License-Identifier: Apache-2.0
#include "platform/process.h"

#include <unistd.h>

#include <cstdlib>

namespace xlashape::core {

int64_t process_id() { return getpid(); }

void* allocate(size_t size, size_t alignment) {
  if (alignment <= alignof(max_align_t)) return std::malloc(size);
  void* pointer = nullptr;
  return posix_memalign(&pointer, alignment, size) == 0 ? pointer : nullptr;
}

void deallocate(void* pointer, size_t) { std::free(pointer); }

const char* variable(const char* name) { return std::getenv(name); }

const char* trusted_variable(const char* name) {
#if defined(__linux__)
  return secure_getenv(name);
#elif defined(__EMSCRIPTEN__)  // has no users, so nobody else's variables
  return std::getenv(name);
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__) || \
    defined(__DragonFly__)
  return issetugid() ? nullptr : std::getenv(name);
#else
  return getuid() != geteuid() || getgid() != getegid() ? nullptr : std::getenv(name);
#endif
}

}  // namespace xlashape::core
