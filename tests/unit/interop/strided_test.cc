// SPDX-License-Identifier: Apache-2.0
// Strides to layouts: the stated rule, and on random arrays that every element lies where the strides say.
#include "interop/strided.h"

#include <gmock/gmock.h>

#include "index/sizes.h"
#include "unit/random_shape.h"
#include "xlashape_interop.h"

namespace xlashape::core::testing {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using Ints = std::vector<int64_t>;

struct Got {
  Status status;
  Ints order, widths;
  std::string why;
};

Got layout_of(const Ints& dimensions, const Ints& strides, int64_t unit = 4, uint32_t flags = 0) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Layout> layout;
  Got got{};
  got.status = layout_from_strides(dimensions, strides, unit, flags, &layout, &err);
  got.why = err.message;
  if (layout) {
    got.order.assign(layout->minor_to_major.begin(), layout->minor_to_major.end());
    got.widths.assign(layout->padded_dimensions.begin(), layout->padded_dimensions.end());
  }
  return got;
}

void gives(const Ints& dimensions, const Ints& strides, const Ints& order, const Ints& widths = {}) {
  const Got got = layout_of(dimensions, strides);
  EXPECT_EQ(got.status, XLASHAPE_STATUS_OK) << got.why;
  EXPECT_EQ(got.order, order);
  EXPECT_EQ(got.widths, widths);
}

void refused(const Ints& dimensions, const Ints& strides, const char* why, uint32_t flags = 0) {
  const Got got = layout_of(dimensions, strides, 4, flags);
  EXPECT_EQ(got.status, XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_THAT(got.why, HasSubstr(why));
}

TEST(Strides, TheRule) {
  gives({}, {}, {});
  gives({2, 3}, {12, 4}, {1, 0});
  gives({2, 3}, {4, 8}, {0, 1});
  gives({2, 3}, {20, 4}, {1, 0}, {2, 5});
  gives({2, 3, 4}, {4, 40, 8}, {0, 2, 1}, {2, 3, 5});
  gives({2, 1, 3}, {12, 12, 4}, {2, 1, 0});  // of equal strides the higher number is more minor
  gives({2, 1, 3}, {12, 0, 4}, {1, 2, 0});   // a size of 1: whatever its stride, it only places the dimension
  gives({2, 1, 3}, {12, -7, 4}, {1, 2, 0});
  gives({1, 1}, {999, 999}, {1, 0});
  gives({0, 3}, {12, 4}, {1, 0});  // no elements: nothing to check
  gives({3, 0}, {0, 0}, {1, 0});
  gives({5, 1}, {8, 4}, {1, 0}, {5, 2});  // the first column of two
  gives({1, 3, 1}, {4, 12, 4}, {2, 0, 1}, {1, 3, 3});
}

TEST(Strides, WhatNoLayoutSays) {
  refused({2, 3}, {0, 4}, "dimension 0 repeats");
  refused({2, 3}, {12, -4}, "dimension 1 runs backwards");
  refused({2, 3}, {8, 4}, "dimensions 1 and 0 overlap");
  refused({2, 3}, {4, 4}, "overlap");
  refused({2, 3}, {24, 8}, "the most minor dimension 1 has stride 8");
  refused({1, 3}, {24, 8}, "the most minor dimension 1 has stride 8");
  refused({3, 1}, {6, 4}, "the most minor dimension 0 has stride 6");
  refused({3, 1}, {8, 4}, "the flags allow no padding", XLASHAPE_STRIDES_COMPACT);
  refused({2, 3}, {14, 4}, "not a multiple of the next smaller one, 4");
  refused({2, 3}, {20, 4}, "the flags allow no padding", XLASHAPE_STRIDES_COMPACT);
  EXPECT_EQ(layout_of({2, 3}, {12, 4}, 4, XLASHAPE_STRIDES_COMPACT).status, XLASHAPE_STATUS_OK);
  refused({2, 2}, {INT64_MAX, 4}, "not a multiple");
}

TEST(Strides, RandomArraysComeBack) {
  Random random(7);
  LayoutLimits limits;
  limits.tiles = limits.tail = limits.element_size = false;
  for (int i = 0; i < 5000; ++i) {
    const Ref<Shape> array = random_array(random, XLASHAPE_TYPE_F32, random_dimensions(random, 5, 4096), limits);
    const Shape* same;
    SmallVec<int64_t, 8> strides;
    ASSERT_EQ(strides_of(*array, "nobody", &same, &strides, nullptr), XLASHAPE_STATUS_OK);
    Ref<Layout> layout;
    auto err = XLASHAPE_INIT(Error);
    // Where all dimensions have one element the most minor one may be wider in memory, which no stride tells.
    ASSERT_EQ(layout_from_strides(array->dimensions, strides, 1, 0, &layout, &err), XLASHAPE_STATUS_OK) << err.message;
    Ref<Shape> back;
    ASSERT_EQ(make_array(XLASHAPE_TYPE_F32, array->dimensions, {}, std::move(layout), &back, &err), XLASHAPE_STATUS_OK)
        << err.message;
    SmallVec<int64_t, 8> again;
    ASSERT_EQ(strides_of(*back, "nobody", &same, &again, nullptr), XLASHAPE_STATUS_OK);
    int64_t elements = 1;
    for (const int64_t d : array->dimensions) elements *= d;
    for (size_t d = 0; elements > 0 && d < strides.size(); ++d)
      if (array->dimensions[d] > 1) {
        ASSERT_EQ(again[d], strides[d]) << "dimension " << d;
      }
  }
}

TEST(Strides, OfWhatHasNone) {
  auto err = XLASHAPE_INIT(Error);
  const Shape* array;
  SmallVec<int64_t, 8> strides;
  Ref<Shape> leaf;
  ASSERT_EQ(make_leaf(XLASHAPE_CATEGORY_TOKEN, &leaf, &err), XLASHAPE_STATUS_OK);
  EXPECT_EQ(strides_of(*leaf, "NumPy", &array, &strides, &err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_THAT(err.message, HasSubstr("NumPy cannot express that"));
}

}  // namespace
}  // namespace xlashape::core::testing
