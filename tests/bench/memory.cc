// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace bench {

Buffer::Buffer(int64_t bytes, bool shared) : size_(bytes) {
  constexpr size_t kAlignment = size_t{2} << 20;
  map_size_ = static_cast<size_t>(bytes) + 2 * kAlignment;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (shared) {
    file_ = memfd_create("bench", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, static_cast<off_t>(map_size_)) != 0) throw std::bad_alloc();
    flags = MAP_SHARED;
  }
  map_ = mmap(nullptr, map_size_, PROT_READ | PROT_WRITE, flags, file_, 0);
  if (map_ == MAP_FAILED) throw std::bad_alloc();
  madvise(map_, map_size_, MADV_NOHUGEPAGE);
  const auto at = reinterpret_cast<uintptr_t>(map_);
  data_ = reinterpret_cast<char*>((at + kAlignment - 1) & ~(kAlignment - 1));
  // The other process aligns where it maps the file, and says which byte of it comes first.
  if (shared) data_ = static_cast<char*>(map_);
  if (!shared) std::memset(data_, 1, static_cast<size_t>(bytes));
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(map_, other.map_);
  std::swap(map_size_, other.map_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(file_, other.file_);
  return *this;
}

Buffer::~Buffer() {
  if (map_ != nullptr) munmap(map_, map_size_);
  if (file_ >= 0) close(file_);
}

void fill_normal(char* data, int64_t bytes, uint64_t seed) {
  uint64_t x = seed * 2 + 1;
  int64_t i = 0;
  for (; i < bytes; i += 8) {
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    // 01 below the sign: the exponent is neither all ones nor all zeros, whatever float the byte is the highest one of.
    const uint64_t normal = (x & 0x9f9f9f9f9f9f9f9f) | 0x2020202020202020;
    std::memcpy(data + i, &normal, static_cast<size_t>(bytes - i < 8 ? bytes - i : 8));
  }
}

}  // namespace bench
