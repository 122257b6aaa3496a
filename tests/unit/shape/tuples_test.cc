// SPDX-License-Identifier: Apache-2.0
// Depth and sharing of tuples that would break a recursion, and what stays the same shape.
#include "shape/tuples.h"

#include <gtest/gtest.h>

#include "shape/layouts.h"
#include "unit/shape/parsed.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using testing::parsed;
using testing::printed;
using List = std::vector<int64_t>;

int64_t visited(const Shape& shape, uint32_t flags) {
  int64_t count = 0;
  SmallVec<int64_t, 16> path;
  const Shape* found;
  for (; !next_subshape(shape, flags, count > 0, &path, &found, nullptr); ++count)
    EXPECT_EQ(found, subshape(shape, path));
  return count;
}

// Nested so often: ((...(f32[]))).
Ref<Shape> nested(int depth) {
  Ref<Shape> shape = parsed("f32[]");
  for (int i = 0; i < depth; ++i) {
    Shape* element = shape.get();
    Ref<Shape> tuple;
    EXPECT_EQ(make_tuple({&element, 1}, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  return shape;
}

// (x, x) of (y, y) of ...: few shapes that stand for 2^levels.
Ref<Shape> doubled(int levels) {
  Ref<Shape> shape = parsed("f32[2,3]{0,1:T(2)}");
  for (int i = 0; i < levels; ++i) {
    Shape* elements[2] = {shape.get(), shape.get()};
    Ref<Shape> tuple;
    EXPECT_EQ(make_tuple(elements, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  return shape;
}

TEST(Tuples, MapSharesWhatStays) {
  const Ref<Shape> shape = parsed("(f32[2], (s8[3], token[]))");
  Ref<Shape> same;
  ASSERT_EQ(with_element_type(*parsed("()"), XLASHAPE_TYPE_F32, &same, nullptr), XLASHAPE_STATUS_OK);
  ASSERT_EQ(without_layout_fields(*shape, XLASHAPE_LAYOUT_FIELD_TILES, &same, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(same.get(), shape.get());
}

TEST(Tuples, DepthNeedsNoStack) {
  const Ref<Shape> deep = nested(XLASHAPE_MAX_DEPTH), leaf = parsed("s8[1]");
  EXPECT_TRUE(is_prefix(*deep, *nested(XLASHAPE_MAX_DEPTH), 0));
  EXPECT_EQ(visited(*deep, XLASHAPE_VISIT_LEAVES | XLASHAPE_VISIT_POST_ORDER), 1);
  Ref<Shape> changed, flat, replaced;
  ASSERT_EQ(with_element_type(*deep, XLASHAPE_TYPE_S8, &changed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_TRUE(has_element_type(*changed, XLASHAPE_TYPE_S8));
  ASSERT_EQ(flatten_tuple(*deep, &flat, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(printed(*flat), "(f32[])");
  const List path(XLASHAPE_MAX_DEPTH, 0);
  ASSERT_EQ(replace_subshape(*deep, path, *leaf, &replaced, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(subshape(*replaced, path), leaf.get());
  Shape* element = deep.get();
  EXPECT_EQ(make_tuple({&element, 1}, &changed, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(replace_subshape(*deep, path, *deep, &changed, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

TEST(Tuples, SharingCostsNothing) {
  const Ref<Shape> wide = doubled(23);  // eight million leaves, two dozen shapes
  Ref<Shape> changed, back;
  ASSERT_EQ(with_element_type(*wide, XLASHAPE_TYPE_S8, &changed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(changed->elements[0], changed->elements[1]);
  EXPECT_EQ(changed->leaf_count, int64_t{1} << 23);
  ASSERT_EQ(copy_layouts(*changed, *wide, &back, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(back->elements[0], back->elements[1]);
}

}  // namespace
}  // namespace xlashape::core
