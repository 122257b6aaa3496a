/* SPDX-License-Identifier: Apache-2.0 */
// One operation's numbers, out of its bytes. When these are used up a generator that they seed goes on, so that an
// operation may draw as much as it likes and the next one still begins at its own bytes: a mutation of one leaves the
// others alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace api_fuzz {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {
    for (size_t i = 0; i < size; ++i) state_ = (state_ ^ data[i]) * 0x100000001B3u;
  }

  uint8_t byte() {
    if (at_ < size_) return data_[at_++];
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<uint8_t>(z >> 56);
  }
  uint64_t bits(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | byte();
    return value;
  }
  // In [0, bound).
  int64_t below(int64_t bound) {
    if (bound <= 1) return 0;
    return static_cast<int64_t>(bits(bound <= 256 ? 1 : bound <= 65536 ? 2 : 8) % static_cast<uint64_t>(bound));
  }
  int64_t within(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool one_in(int64_t n) { return below(n) == n - 1; }
  // Any number, those at the edges before all.
  int64_t wild() {
    switch (below(10)) {
      case 0:
        return INT64_MIN + below(3);
      case 1:
        return INT64_MAX - below(3);
      case 2:
        return -1 - below(5);
      case 3:
        return static_cast<int64_t>(uint64_t{1} << below(63)) - below(2);
      case 4:
        return -static_cast<int64_t>(uint64_t{1} << below(63));
      case 5:
        return static_cast<int64_t>(bits(8));
      default:
        return below(40);
    }
  }
  // `usual`, save now and then any number.
  int64_t mostly(int64_t usual, int64_t n = 40) { return one_in(n) ? wild() : usual; }
  uint32_t flags(uint32_t known) {
    if (one_in(40)) return static_cast<uint32_t>(bits(4));
    return static_cast<uint32_t>(bits(4)) & known;
  }
  template <class T, size_t kSize>
  T pick(const T (&items)[kSize]) {
    return items[below(kSize)];
  }
  std::vector<int64_t> permutation(int64_t rank) {
    std::vector<int64_t> order(static_cast<size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
    return order;
  }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
  uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace api_fuzz
