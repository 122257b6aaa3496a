// SPDX-License-Identifier: Apache-2.0
// Hash: what differs in one bit, in order or in how lists are cut differs in the hash, and every bit of it changes.
#include "base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <set>
#include <vector>

namespace xlashape::core {
namespace {

uint64_t of(std::initializer_list<std::vector<int64_t>> lists) {
  Hash h;
  for (const std::vector<int64_t>& list : lists) h.add(list);
  return h.value();
}

TEST(Hash, ListsAreNotJustTheirNumbers) {
  const std::set<uint64_t> all = {of({}),
                                  of({{}}),
                                  of({{}, {}}),
                                  of({{0}}),
                                  of({{0, 0}}),
                                  of({{0}, {0}}),
                                  of({{1, 2, 3}}),
                                  of({{3, 2, 1}}),
                                  of({{1, 2}, {3}}),
                                  of({{1}, {2, 3}}),
                                  of({{}, {1, 2, 3}}),
                                  of({{1, 2, 3}, {}}),
                                  of({{-1}}),
                                  of({{INT64_MIN}}),
                                  of({{INT64_MAX}})};
  EXPECT_EQ(all.size(), 15u);
  EXPECT_EQ(of({{1, 2}, {3}}), of({{1, 2}, {3}}));
}

// One number of small dimensions: no two alike, and each bit that is flipped flips about half of the hash.
TEST(Hash, EveryBitCounts) {
  std::set<uint64_t> seen;
  for (int64_t a = -100; a < 100; ++a)
    for (int64_t b = -100; b < 100; ++b) {
      Hash h;
      h.add(a);
      h.add(b);
      seen.insert(h.value());
    }
  EXPECT_EQ(seen.size(), 40000u);
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (int64_t value = 0; value < 64; ++value) {
      Hash one, other;
      for (Hash* h : {&one, &other}) {
        h->add(value);
        h->add(h == &one ? value : static_cast<int64_t>(static_cast<uint64_t>(value) ^ uint64_t{1} << bit));
        h->add(7);
      }
      EXPECT_NE(one.value(), other.value());
      flipped += std::popcount(one.value() ^ other.value());
    }
    EXPECT_GT(flipped, 64 * 16) << bit;
    EXPECT_LT(flipped, 64 * 48) << bit;
  }
}

}  // namespace
}  // namespace xlashape::core
