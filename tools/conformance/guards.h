/* SPDX-License-Identifier: Apache-2.0 */
// What a plugin must leave alone.
#pragma once
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <mutex>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "cli/base/memory_file.h"

namespace xlashape::cli {

// Known bytes behind what a plugin may write, and hashes of what it may not.
inline constexpr size_t kGuard = 64;
inline constexpr unsigned char kCanary = 0xC7;

// A plugin's part of a plan.
struct Part {
  int64_t bytes = 0, alignment = 1;
  size_t size() const { return static_cast<size_t>(bytes); }
};

inline bool is_canary(const unsigned char* at, size_t size) {
  return std::all_of(at, at + size, [](unsigned char byte) { return byte == kCanary; });
}

inline uint64_t hash_of(const void* at, size_t size) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const unsigned char*>(at)[i]) * 0x100000001B3u;
  return hash;
}

// This thread's rounding mode and handling of denormals, which a slot must not change.
inline uint64_t float_state() {
#if defined(__x86_64__)
  uint16_t x87 = 0;
  asm volatile("fnstcw %0" : "=m"(x87));
  return (_mm_getcsr() & ~0x3Fu) | static_cast<uint64_t>(x87) << 32;  // without the exception flags
#elif defined(__aarch64__)
  uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
#else
  return static_cast<uint64_t>(std::fegetround());
#endif
}

inline void set_float_state(uint64_t state) {
#if defined(__x86_64__)
  const auto x87 = static_cast<uint16_t>(state >> 32);
  asm volatile("fldcw %0" : : "m"(x87));
  _mm_setcsr(static_cast<uint32_t>(state));
#elif defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(state));
#else
  std::fesetround(static_cast<int>(state));
#endif
}

// A file that the program opened and that a plugin must not close.
class OwnFile {
 public:
  OwnFile() { open(); }
  ~OwnFile() {
    if (is_there()) ::close(number_);
  }
  OwnFile(const OwnFile&) = delete;

  // Whether it was closed since the last call; another file may have its number now. Callable on any thread.
  bool was_closed() {
    const std::lock_guard guard(lock_);
    if (is_there()) return false;
    open();
    return true;
  }

 private:
  void open() {
    number_ = open_memory_file("xlashape-self-test");
    fstat(number_, &info_);
  }
  bool is_there() const {
    struct stat now = {};
    return number_ < 0 ||  // the system gave none
           (fstat(number_, &now) == 0 && now.st_dev == info_.st_dev && now.st_ino == info_.st_ino);
  }

  std::mutex lock_;
  int number_ = -1;
  struct stat info_ = {};
};

}  // namespace xlashape::cli
