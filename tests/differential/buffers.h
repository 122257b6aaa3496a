/* SPDX-License-Identifier: Apache-2.0 */
// Memory for arrays of any size that is used again from case to case, between pages that nobody may touch: what reads
// or writes one byte too many beside an array that ends there dies, without any sanitizer.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

namespace xlashape::core::testing {

class Mapping {
 public:
  explicit Mapping(int64_t bytes) {
    page_ = sysconf(_SC_PAGESIZE);
    size_ = (bytes + page_ - 1) / page_ * page_;
    const auto all = static_cast<size_t>(size_ + 2 * page_);
    void* start = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    begin_ = static_cast<char*>(start) + page_;
    if (mprotect(begin_, static_cast<size_t>(size_), PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  Mapping(const Mapping&) = delete;
  ~Mapping() { munmap(begin_ - page_, static_cast<size_t>(size_ + 2 * page_)); }

  char* begin() const { return begin_; }
  char* end() const { return begin_ + size_; }
  int64_t size() const { return size_; }
  void make_read_only() const { mprotect(begin_, static_cast<size_t>(size_), PROT_READ); }

 private:
  int64_t page_, size_;
  char* begin_;
};

// All that one case needs.
struct Buffers {
  static constexpr int64_t kRoom = 16384;  // for alignment, and for guard bytes on both sides
  int64_t most;                            // bytes of an array
  Mapping source{most + kRoom};            // random bytes that stay as they are
  Mapping got{most + kRoom}, want{most + kRoom}, last{most + kRoom};

  explicit Buffers(int64_t bytes) : most(bytes) {
    uint64_t x = 0x243F6A8885A308D3u;
    for (char* at = source.begin(); at < source.end(); at += sizeof x) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      *reinterpret_cast<uint64_t*>(at) = x;
    }
    source.make_read_only();
  }
};

}  // namespace xlashape::core::testing
