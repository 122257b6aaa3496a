/* SPDX-License-Identifier: Apache-2.0 */
// Separately mapped memory for the self-tests: reserved without being used, so that an array may be far larger than the
// machine's memory, with inaccessible pages around it.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cli/files/file.h"
#include "random_case.h"

namespace xlashape::cli {

inline constexpr int64_t kGuardBytes = 4096;  // behind every region, at least

class Region {
 public:
  Region() = default;
  explicit Region(int64_t size);  // empty where the system refuses
  Region(Region&& other) noexcept;
  Region& operator=(Region&& other) noexcept;
  ~Region();

  explicit operator bool() const { return data_ != nullptr; }
  uint8_t* data() const { return data_; }
  int64_t size() const { return size_; }
  void forbid_writes();
  void allow_writes();
  // Gives the pages back: they read as zeros again.
  void clear();
  // The runs of pages, [first, second), that were touched.
  std::vector<std::pair<int64_t, int64_t>> touched() const;

 private:
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
};

// One side of a relayout in memory: noise, with margins of noise around it that must stay as they are.
class RegionPlace {
 public:
  // Holds bytes [low, high) relative to the pointer, which is a multiple of `alignment`: in two of five cases of a
  // larger one, too, else not. `at_end`: inaccessible pages follow the last byte as closely as the alignment allows.
  RegionPlace(Random& random, int64_t low, int64_t high, int64_t alignment, bool at_end);

  uint8_t* pointer() const { return pointer_; }
  std::span<uint8_t> all() const { return {first_, static_cast<size_t>(last_ - first_)}; }
  std::span<uint8_t> inside() const { return {pointer_ + low_, static_cast<size_t>(high_ - low_)}; }
  int64_t before() const { return pointer_ + low_ - first_; }
  Region& region() { return region_; }

 private:
  Region region_;
  int64_t low_, high_;
  uint8_t *pointer_ = nullptr, *first_ = nullptr, *last_ = nullptr;
};

void fill_with_noise(Random& random, std::span<uint8_t> bytes);

}  // namespace xlashape::cli
