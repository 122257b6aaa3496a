// SPDX-License-Identifier: Apache-2.0
// Layouts that make a reshape free: XLA's own cases, and that none is missed.
#include "bitcast/align.h"

#include <gtest/gtest.h>

#include "bitcast/bitcast.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using testing::parsed;
using testing::printed;
using testing::Random;
using List = std::vector<int64_t>;

std::string aligned(const char* text, const List& dimensions, uint32_t flags) {
  const Ref<Shape> shape = parsed(text);
  Ref<Layout> layout;
  const Status status = align_layouts(*shape, dimensions, flags, &layout, nullptr);
  if (status) return xlashape_status_name(status);
  Ref<Shape> made;
  EXPECT_EQ(make_array(shape->element_type, dimensions, {}, layout, &made, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_TRUE(reshape_is_bitcast(*shape, *made, flags));
  return printed(*made);
}

TEST(Align, Layouts) {
  constexpr uint32_t kXla = XLASHAPE_BITCAST_XLA;
  EXPECT_EQ(aligned("f32[3,8,5,7,11]{3,2,1,0,4}", {4, 3, 2, 7, 5, 11}, kXla), "f32[4,3,2,7,5,11]{4,3,2,1,0,5}");
  EXPECT_EQ(aligned("f32[3,8,5,7,11]{3,2,1,0,4}", {3, 2, 4, 35, 11}, kXla), "f32[3,2,4,35,11]{3,2,1,0,4}");
  EXPECT_EQ(aligned("f32[1,3,8,1,5,7,1,11,1,1]{5,0,4,2,1,3,6,7,9,8}", {1, 4, 1, 3, 2, 7, 5, 11, 1}, kXla),
            "f32[1,4,1,3,2,7,5,11,1]{6,5,4,3,1,7,8,2,0}");
  EXPECT_EQ(aligned("f32[1,1,1,1]{0,1,3,2}", {1, 1, 1, 1, 1}, kXla), "f32[1,1,1,1,1]{4,3,2,1,0}");
  EXPECT_EQ(aligned("f32[3,8,5,7,11]{2,3,1,0,4}", {4, 3, 2, 7, 5, 11}, kXla), "NOT_FOUND");
  EXPECT_EQ(aligned("f32[3,8,5,7,11]{3,2,1,0,4}", {4, 3, 2, 5, 77}, kXla), "NOT_FOUND");
  EXPECT_EQ(aligned("f32[6]", {7}, kXla), "OUT_OF_RANGE");
  EXPECT_EQ(aligned("f32[6]{0:T(4)}", {2, 3}, kXla), "f32[2,3]{1,0}");
  // The exact question takes the rest of the layout along, where that is possible.
  EXPECT_EQ(aligned("f32[6]{0:T(4)}", {2, 3}, 0), "NOT_FOUND");
  EXPECT_EQ(aligned("f32[16,128]{1,0:T(8,128)L(4)S(1)}", {2, 8, 128}, 0), "f32[2,8,128]{2,1,0:T(8,128)L(4)S(1)}");
  EXPECT_EQ(aligned("s4[6]{0:E(4)}", {2, 3}, 0), "s4[2,3]{1,0:E(4)}");
  EXPECT_EQ(aligned("f32[4,6]{1,0:PD(5,6)PV(one)}", {4, 2, 3}, 0), "f32[4,2,3]{2,1,0:PD(5,2,3)PV(one)}");
  EXPECT_EQ(aligned("f32[4,6]{1,0:PD(5,8)}", {4, 2, 3}, 0), "NOT_FOUND");
  EXPECT_EQ(aligned("f32[4,6]{1,0:PD(5,8)}", {4, 1, 6}, 0), "f32[4,1,6]{2,0,1:PD(5,1,8)}");
  EXPECT_EQ(aligned("f32[4,6]{1,0:SC(0:2)}", {4, 1, 6}, 0), "NOT_FOUND");
  EXPECT_EQ(aligned("f32[4,6]{1,0:SC(0:2)}", {4, 6}, 0), "f32[4,6]{1,0:SC(0:2)}");
}

// What is not found is not there: no order at all makes the reshape a bitcast.
TEST(Align, MissesNothing) {
  Random random(13);
  int found = 0, missing = 0;
  for (int i = 0; i < 4000; ++i) {
    List a;
    for (int d = 0, n = static_cast<int>(random.in(1, 4)); d < n; ++d) a.push_back(random.in(1, 6));
    List b;
    for (const int64_t size : a) {
      if (!b.empty() && random.chance(40)) {
        b.back() *= size;
      } else {
        b.push_back(size);
      }
    }
    if (b.back() % 2 == 0 && b.size() < 4) {
      b.back() /= 2;
      b.push_back(2);
    }
    testing::LayoutLimits limits;
    limits.tiles = limits.padding = limits.tail = limits.element_size = false;
    const Ref<Shape> shape = testing::random_array(random, XLASHAPE_TYPE_F32, a, limits);
    Ref<Layout> layout;
    if (!align_layouts(*shape, b, 0, &layout, nullptr)) {
      ++found;
      continue;
    }
    ++missing;
    List order;
    for (size_t d = 0; d < b.size(); ++d) order.push_back(static_cast<int64_t>(d));
    do {
      Ref<Layout> candidate = Ref<Layout>::adopt(new Layout);
      candidate->minor_to_major.assign(order);
      Ref<Shape> made;
      ASSERT_EQ(make_array(XLASHAPE_TYPE_F32, b, {}, candidate, &made, nullptr), XLASHAPE_STATUS_OK);
      ASSERT_FALSE(reshape_is_bitcast(*shape, *made, 0)) << printed(*shape) << " " << printed(*made);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(missing, 500);
}

}  // namespace
}  // namespace xlashape::core
