// Known bytes behind what a plugin may write, and hashes of what it may not.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xlashape::cli {

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

}  // namespace xlashape::cli
