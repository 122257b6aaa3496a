// SPDX-License-Identifier: Apache-2.0
// Checked arithmetic: right wherever the exact result fits, and refused wherever it does not, most of all at the ends.
#include "base/checked.h"

#include <gtest/gtest.h>

#include <vector>

namespace xlashape::core {
namespace {

// Numbers around which int64 ends, and where a product or a rounding passes the end.
const std::vector<int64_t>& corners() {
  static const std::vector<int64_t> all = [] {
    std::vector<int64_t> values;
    for (int64_t middle : {int64_t{0}, int64_t{8}, int64_t{1} << 31, int64_t{1} << 32, int64_t{3037000499},
                           INT64_MAX / 9, INT64_MAX / 8, INT64_MAX / 3, INT64_MAX / 2, INT64_MAX - 3})
      for (int64_t near = -3; near <= 3; ++near) {
        values.push_back(middle + near);
        values.push_back(-middle - near);
      }
    values.push_back(INT64_MIN);
    return values;
  }();
  return all;
}

// The results where they wrap, and whether they are exact, by other means than those tested.
int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t sub(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }
int64_t mul(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }
bool adds(int64_t a, int64_t b) { return b > 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b; }
bool subtracts(int64_t a, int64_t b) { return b > 0 ? a >= INT64_MIN + b : a <= INT64_MAX + b; }
bool multiplies(int64_t a, int64_t b) {
  if (b == 0) return true;
  return b == -1 ? a != INT64_MIN : mul(a, b) / b == a;
}

TEST(Checked, Corners) {
  int refused = 0;
  for (const int64_t a : corners())
    for (const int64_t b : corners()) {
      int64_t out = 0;
      const auto agrees = [&](bool ok, bool fits, int64_t exact) {
        EXPECT_EQ(ok, fits) << a << ' ' << b;
        if (ok) {
          EXPECT_EQ(out, exact) << a << ' ' << b;
        }
        refused += !ok;
      };
      agrees(checked_add(a, b, &out), adds(a, b), add(a, b));
      agrees(checked_sub(a, b, &out), subtracts(a, b), sub(a, b));
      agrees(checked_mul(a, b, &out), multiplies(a, b), mul(a, b));
      if (a < 0 || b <= 0) continue;
      const int64_t up = a / b + (a % b != 0);
      EXPECT_EQ(ceil_div(a, b), up) << a << ' ' << b;
      agrees(checked_round_up(a, b, &out), multiplies(up, b), mul(up, b));
      // a * b / 8 in three parts: the whole eights of a, the rest of a in whole eights of b, and the rest of both.
      const int64_t rests = a % 8 * (b / 8) + (a % 8 * (b % 8) + 7) / 8;
      agrees(checked_bytes(a, b, &out), multiplies(a / 8, b) && adds(mul(a / 8, b), rests), add(mul(a / 8, b), rests));
    }
  EXPECT_GT(refused, 1000);
}

TEST(Checked, Small) {
  for (int64_t a = 0; a < 70; ++a)
    for (int64_t b = 1; b < 70; ++b) {
      int64_t up, bytes;
      ASSERT_EQ(ceil_div(a, b), (a + b - 1) / b);
      ASSERT_TRUE(checked_round_up(a, b, &up));
      ASSERT_EQ(up, (a + b - 1) / b * b);
      ASSERT_TRUE(checked_bytes(a, b, &bytes));
      ASSERT_EQ(bytes, (a * b + 7) / 8);
    }
}

TEST(Checked, Magnitude) {
  EXPECT_EQ(magnitude(0), 0u);
  EXPECT_EQ(magnitude(-1), 1u);
  EXPECT_EQ(magnitude(INT64_MAX), uint64_t{INT64_MAX});
  EXPECT_EQ(magnitude(INT64_MIN), uint64_t{1} << 63);
}

}  // namespace
}  // namespace xlashape::core
