// SPDX-License-Identifier: Apache-2.0
// The two words beside the compiler's own 128 bits, where it has them, and the portable overflow checks beside its
// builtins; what holds of products and quotients everywhere.
#include "ir/int128.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ir/compiler.h"
#include "unit/random_shape.h"

namespace xlashape::ir {
namespace {

using core::testing::case_count;
using core::testing::Random;

// Numbers of any length, and those where carries and signs begin.
uint64_t any(Random& random) {
  static const std::vector<uint64_t> edges = {0,          1,          2,          7,          8,
                                              0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1ull << 32, (1ull << 63) - 1,
                                              1ull << 63, ~0ull,      ~0ull - 1,  ~0ull << 32};
  return random.chance(30) ? random.of(edges) : random.engine()() >> random.in(0, 63);
}

bool same(TwoWords a, UInt128 b) { return a.high() == high_word(b) && a.low() == low_word(b); }

TEST(TwoWords, AreWhatTheCompilerSays) {
  Random random(1);
  for (int64_t i = case_count(400000); i-- > 0;) {
    const uint64_t a = any(random), b = any(random), c = any(random), d = any(random) | 1;
    const TwoWords x(a, b), y(c, d);
    const UInt128 p = static_cast<UInt128>(a) << 64 | b, q = static_cast<UInt128>(c) << 64 | d;
    const auto shift = static_cast<int>(random.in(0, 127));
    ASSERT_TRUE(same(x, p));
    ASSERT_TRUE(same(x + y, p + q)) << a << " " << b << " + " << c << " " << d;
    ASSERT_TRUE(same(x - y, p - q)) << a << " " << b << " - " << c << " " << d;
    ASSERT_TRUE(same(x & y, p & q) && same(x | y, p | q) && same(~x, ~p));
    ASSERT_TRUE(same(x << shift, p << shift)) << a << " " << b << " << " << shift;
    ASSERT_TRUE(same(x >> shift, p >> shift)) << a << " " << b << " >> " << shift;
    ASSERT_EQ(x < y, p < q) << a << " " << b << " < " << c << " " << d;
    ASSERT_EQ(x == y, p == q);
    ASSERT_EQ(static_cast<bool>(x), static_cast<bool>(p));
    ASSERT_TRUE(same(static_cast<int64_t>(a), static_cast<UInt128>(static_cast<int64_t>(a)))) << a << " as signed";
    ASSERT_EQ(static_cast<uint8_t>(x), static_cast<uint8_t>(p));
    ASSERT_EQ(static_cast<int64_t>(x), static_cast<int64_t>(p));
    ASSERT_EQ(std::memcmp(&x, &p, sizeof x), 0) << "in memory";
    ASSERT_TRUE(same(TwoWords::product(a, b), product(a, b))) << a << " * " << b;
    if (a >= d) continue;
    ASSERT_EQ(x.over(d), quotient(p, d)) << a << " " << b << " / " << d;
    // (d - 1) * (2^64 - 1) is less than d words: whatever is a quotient times d plus a rest is the quotient again.
    ASSERT_EQ((TwoWords::product(c, d) + (b % d)).over(d), c) << c << " * " << d << " + " << b % d;
  }
}

TEST(TwoWords, KnownProducts) {
  EXPECT_EQ(mul_high(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(TwoWords::product(~0ull, ~0ull), TwoWords(~0ull - 1, 1));
  EXPECT_EQ(TwoWords::product(1ull << 32, 1ull << 32), TwoWords(1, 0));
  EXPECT_EQ(TwoWords::product(0x123456789ABCDEF0, 0xFEDCBA9876543210),
            TwoWords(0x121FA00AD77D7422, 0x236D88FE5618CF00));
}

TEST(PartBegin, CutsWithoutRemainder) {
  Random random(2);
  for (int64_t i = case_count(100000); i-- > 0;) {
    const auto number = [&] { return static_cast<int64_t>(any(random) >> 1); };
    const int64_t size = number(), count = number() | 1, part = number() % count;
    const int64_t begin = part_begin(size, part, count);
    // begin <= size * part / count < begin + 1
    const TwoWords whole = TwoWords::product(static_cast<uint64_t>(size), static_cast<uint64_t>(part));
    const TwoWords low = TwoWords::product(static_cast<uint64_t>(begin), static_cast<uint64_t>(count));
    ASSERT_TRUE(low <= whole && whole < low + count) << size << " * " << part << " / " << count << " = " << begin;
    ASSERT_EQ(part_begin(size, 0, count), 0);
    ASSERT_EQ(part_begin(size, count, count), size);
  }
}

TEST(ByteOf, RoundsDownOnBothSidesOfZero) {
  EXPECT_EQ(byte_of(INT64_MAX, 8), INT64_MAX);
  EXPECT_EQ(byte_of(INT64_MAX, 1), INT64_MAX >> 3);
  EXPECT_EQ(byte_of(INT64_MIN, 8), INT64_MIN);
  EXPECT_EQ(byte_of(INT64_MAX / 16, 128), INT64_MAX / 16 * 16);
  EXPECT_EQ(byte_of(-1, 2), -1);
  EXPECT_EQ(byte_of(-8, 1), -1);
  EXPECT_EQ(byte_of(-9, 1), -2);
  EXPECT_EQ(byte_of(7, 4), 3);
}

TEST(Overflows, ArePortable) {
  Random random(3);
  int64_t overflown = 0;
  const auto check = [&](const char* name, auto* ours, auto* theirs, int64_t a, int64_t b) {
    int64_t mine, other;
    const bool says = theirs(a, b, &other);
    overflown += says;
    ASSERT_EQ(ours(a, b, &mine), says) << name << " of " << a << " and " << b;
    ASSERT_TRUE(says || mine == other) << name << " of " << a << " and " << b;
  };
  const int64_t cases = case_count(400000);
  for (int64_t i = 0; i < cases; ++i) {
    const auto a = static_cast<int64_t>(any(random) * (random.chance(50) ? 1 : ~0ull));
    const auto b = static_cast<int64_t>(any(random) * (random.chance(50) ? 1 : ~0ull));
    check("the sum", portable::add_overflows, add_overflows, a, b);
    check("the difference", portable::sub_overflows, sub_overflows, a, b);
    check("the product", portable::mul_overflows, mul_overflows, a, b);
  }
  EXPECT_GT(overflown, cases / 4);
}

}  // namespace
}  // namespace xlashape::ir
