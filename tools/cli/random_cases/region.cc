// SPDX-License-Identifier: Apache-2.0
#include "region.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace xlashape::cli {
namespace {

constexpr int64_t kMargin = 256, kGoodAlignment = 128;

int64_t page_size() {
  static const int64_t size = sysconf(_SC_PAGESIZE);
  return size;
}

int64_t pages_up(int64_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

}  // namespace

Region::Region(int64_t size) : size_(std::max<int64_t>(pages_up(size), page_size())) {
  const int64_t guard = page_size();
  void* const memory = mmap(nullptr, static_cast<size_t>(size_ + 2 * guard), PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    size_ = 0;
    return;
  }
  data_ = static_cast<uint8_t*>(memory) + guard;
  // Huge pages would make a touched byte cost two megabytes.
  madvise(data_, static_cast<size_t>(size_), MADV_NOHUGEPAGE);
  if (mprotect(data_, static_cast<size_t>(size_), PROT_READ | PROT_WRITE) != 0) {
    munmap(memory, static_cast<size_t>(size_ + 2 * guard));
    data_ = nullptr;
    size_ = 0;
  }
}

Region::Region(Region&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Region& Region::operator=(Region&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Region::~Region() {
  if (data_ != nullptr) munmap(data_ - page_size(), static_cast<size_t>(size_ + 2 * page_size()));
}

void Region::forbid_writes() { mprotect(data_, static_cast<size_t>(size_), PROT_READ); }
void Region::allow_writes() { mprotect(data_, static_cast<size_t>(size_), PROT_READ | PROT_WRITE); }
void Region::clear() { madvise(data_, static_cast<size_t>(size_), MADV_DONTNEED); }

std::vector<std::pair<int64_t, int64_t>> Region::touched() const {
  constexpr int64_t kChunk = 1 << 16;  // pages
  const int64_t page = page_size(), pages = size_ / page;
  std::vector<std::pair<int64_t, int64_t>> runs;
  std::vector<unsigned char> present(static_cast<size_t>(std::min(kChunk, pages)));
  for (int64_t first = 0; first < pages; first += kChunk) {
    const int64_t count = std::min<int64_t>(kChunk, pages - first);
    // Where the system does not report it, every page counts.
    if (mincore(data_ + first * page, static_cast<size_t>(count * page), present.data()) != 0)
      std::memset(present.data(), 1, static_cast<size_t>(count));
    for (int64_t p = 0; p < count; ++p) {
      if ((present[static_cast<size_t>(p)] & 1) == 0) continue;
      const int64_t at = (first + p) * page;
      if (runs.empty() || runs.back().second != at) runs.emplace_back(at, at);
      runs.back().second = at + page;
    }
  }
  return runs;
}

void fill_with_noise(Random& random, std::span<uint8_t> bytes) {
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    const uint64_t value = random.next();
    std::memcpy(bytes.data() + at, &value, 8);
  }
  for (; at < bytes.size(); ++at) bytes[at] = static_cast<uint8_t>(random.next());
}

RegionPlace::RegionPlace(Random& random, int64_t low, int64_t high, int64_t alignment, bool at_end)
    : region_(high - low + 2 * kMargin + 4 * std::max(alignment, kGoodAlignment)), low_(low), high_(high) {
  if (!region_) throw std::bad_alloc();
  const auto begin = reinterpret_cast<uintptr_t>(region_.data());
  // As aligned as possible, or as misaligned as the plan allows: a multiple of its alignment and of no larger power of
  // two.
  const bool aligned = random.chance(40);
  const auto step = static_cast<uint64_t>(aligned ? std::max(alignment, kGoodAlignment) : alignment);
  uint64_t at = 0;
  if (at_end) {
    at = (begin + static_cast<uint64_t>(region_.size() - high)) / step * step;
    if (!aligned && at % (2 * step) == 0) at -= step;
  } else {
    at = (begin + static_cast<uint64_t>(kMargin - low) + step - 1) / step * step;
    if (!aligned && at % (2 * step) == 0) at += step;
  }
  pointer_ = region_.data() + (at - begin);
  first_ = std::max(region_.data(), pointer_ + low_ - kMargin);
  last_ = std::min(region_.data() + region_.size(), pointer_ + high_ + kMargin);
  fill_with_noise(random, all());
}

}  // namespace xlashape::cli
