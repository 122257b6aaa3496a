// SPDX-License-Identifier: Apache-2.0
// Dimensions added and taken away: the results as text, and what must hold for all of them over random layouts.
#include "bitcast/rank.h"

#include "index/index_map.h"
#include "ir/map.h"
#include "layout/rearrange.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using testing::made_by;
using testing::parsed;
using testing::printed;
using testing::Random;
using List = std::vector<int64_t>;

std::string inserted(const char* text, int64_t at, const List& sizes, uint32_t flags = 0) {
  const Ref<Shape> shape = parsed(text);
  return made_by([&](Ref<Shape>* out) { return insert_dimensions(*shape, at, sizes, flags, out, nullptr); });
}

std::string deleted(const char* text, const List& dimensions) {
  const Ref<Shape> shape = parsed(text);
  return made_by([&](Ref<Shape>* out) { return delete_dimensions(*shape, dimensions, out, nullptr); });
}

std::string dropped(const char* text) {
  const Ref<Shape> shape = parsed(text);
  return made_by([&](Ref<Shape>* out) { return drop_degenerate_dimensions(*shape, out, nullptr); });
}

TEST(Rank, Insert) {
  EXPECT_EQ(inserted("f32[10,20,30]{0,2,1}", 1, {40}), "f32[10,40,20,30]{0,3,2,1}");
  EXPECT_EQ(inserted("f32[10,20]{0,1}", 1, {XLASHAPE_DIMENSION_UNBOUNDED}), "f32[10,?,20]{0,2,1}");
  EXPECT_EQ(inserted("f32[10,20]{0,1}", 2, {3, 4}), "f32[10,20,3,4]{3,2,0,1}");
  EXPECT_EQ(inserted("f32[10,20]{0,1}", 0, {3, 4}), "f32[3,4,10,20]{2,1,0,3}");
  EXPECT_EQ(inserted("f32[10,20]{0,1}", 2, {3}, XLASHAPE_INSERT_MOST_MAJOR), "f32[10,20,3]{0,1,2}");
  EXPECT_EQ(inserted("f32[10,20]{0,1}", 0, {3}, XLASHAPE_INSERT_MOST_MAJOR), "f32[3,10,20]{1,2,0}");
  EXPECT_EQ(inserted("f32[]", 0, {3}), "f32[3]{0}");
  EXPECT_EQ(inserted("f32[5]{0}", 1, {}), "f32[5]{0}");
  EXPECT_EQ(inserted("f32[5]{0}", 0, {XLASHAPE_DIMENSION_UNBOUNDED}), "f32[?,5]{1,0}");
  // What else the layout says comes along: XLA loses it.
  EXPECT_EQ(inserted("f32[<=16,256]{1,0:T(8,128)L(2)S(1)SC(1:128)}", 0, {4}),
            "f32[4,<=16,256]{2,1,0:T(8,128)L(2)S(1)SC(2:128)}");
  EXPECT_EQ(inserted("f32[2,3]{0,1:PD(4,5)PV(zero)}", 1, {7}), "f32[2,7,3]{0,2,1:PD(4,7,5)PV(zero)}");
  // Under a tile only what moves nothing.
  EXPECT_EQ(inserted("f32[16,256]{1,0:T(8,128)}", 1, {4}), "UNSUPPORTED");
  EXPECT_EQ(inserted("f32[16,256]{1,0:T(8,128)}", 2, {1}), "UNSUPPORTED");
  EXPECT_EQ(inserted("f32[256]{0:T(8,128)}", 0, {1}), "f32[1,256]{1,0:T(8,128)}");
  EXPECT_EQ(inserted("f32[256]{0:T(8,128)}", 0, {2}), "UNSUPPORTED");
  EXPECT_EQ(inserted("f32[16,256]{1,0:T(8,128)}", 0, {2}, XLASHAPE_INSERT_MOST_MAJOR), "f32[2,16,256]{2,1,0:T(8,128)}");
  EXPECT_EQ(inserted("f32[2]{0:PD(3)}", 0, {XLASHAPE_DIMENSION_UNBOUNDED}), "UNSUPPORTED");
  EXPECT_EQ(inserted("f32[2]", 2, {1}), "OUT_OF_RANGE");
  EXPECT_EQ(inserted("f32[2]", -1, {1}), "OUT_OF_RANGE");
  EXPECT_EQ(inserted("f32[2]", 0, {-1}), "INVALID_ARGUMENT");
  EXPECT_EQ(inserted("f32[4294967296]", 0, {4294967296}), "OVERFLOW");
  EXPECT_EQ(inserted("token[]", 0, {1}), "UNSUPPORTED");
}

TEST(Rank, Delete) {
  EXPECT_EQ(deleted("f32[5,3,2]{2,0,1}", {1}), "f32[5,2]{1,0}");
  EXPECT_EQ(deleted("f32[5,3,2,7,9]{2,0,1,4,3}", {1, 2, 3}), "f32[5,9]{0,1}");
  EXPECT_EQ(deleted("f32[5,3,2,7,9]{2,0,1,4,3}", {3, 2, 1}), "f32[5,9]{0,1}");
  EXPECT_EQ(deleted("f32[5,3]", {0, 1}), "f32[]");
  EXPECT_EQ(deleted("f32[5,<=3]{0,1:SC(0:1)(1:2)PD(6,7)}", {0}), "f32[<=3]{0:SC(0:1)PD(7)}");
  EXPECT_EQ(deleted("f32[4,16,256]{2,1,0:T(8,128)}", {0}), "f32[16,256]{1,0:T(8,128)}");
  EXPECT_EQ(deleted("f32[4,16,256]{2,1,0:T(8,128)}", {1}),
            "UNSUPPORTED");  // XLA keeps the tile, over another dimension
  EXPECT_EQ(deleted("f32[4,16,256]{2,1,0:T(8,128)(2,1)}", {0}), "f32[16,256]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(deleted("f32[4,16,256]{2,1,0:T(8,128)(2,2,1,1,1)}", {0}), "UNSUPPORTED");  // the second level reaches it
  EXPECT_EQ(deleted("f32[1,256]{1,0:T(8,128)}", {0}), "f32[256]{0:T(8,128)}");
  EXPECT_EQ(deleted("f32[256,1]{1,0:T(8,128)}", {1}), "UNSUPPORTED");
  EXPECT_EQ(deleted("f32[5,3]", {2}), "OUT_OF_RANGE");
  EXPECT_EQ(deleted("f32[5,3]", {0, 0}), "OUT_OF_RANGE");
}

TEST(Rank, DropDegenerate) {
  EXPECT_EQ(dropped("f32[1,5,1,3]{0,3,2,1}"), "f32[5,3]{1,0}");
  EXPECT_EQ(dropped("f32[1,1]{0,1}"), "f32[]");
  EXPECT_EQ(dropped("f32[5]{0:T(2)}"), "f32[5]{0:T(2)}");
  EXPECT_EQ(dropped("f32[1,3]{1,0:PD(1,4)}"), "f32[3]{0:PD(4)}");
  EXPECT_EQ(dropped("f32[1,3]{1,0:PD(2,4)}"), "UNSUPPORTED");
  EXPECT_EQ(dropped("f32[1,256]{0,1:T(8,128)}"), "UNSUPPORTED");
  EXPECT_EQ(dropped("f32[?,1]"), "f32[?]{0}");
}

TEST(Rank, MissingLayoutsStayMissing) {
  const Ref<Shape> shape = parsed("f32[2,1,3]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  const List sizes = {4}, first = {0};
  EXPECT_EQ(made_by([&](auto* out) { return insert_dimensions(*shape, 1, sizes, 0, out, nullptr); }), "f32[2,4,1,3]");
  EXPECT_EQ(made_by([&](auto* out) { return delete_dimensions(*shape, first, out, nullptr); }), "f32[1,3]");
  EXPECT_EQ(made_by([&](auto* out) { return drop_degenerate_dimensions(*shape, out, nullptr); }), "f32[2,3]");
}

List positions(const Shape& array, std::span<const int64_t> dimensions, const List& own_of, size_t rank) {
  Ref<IndexMap> map;
  if (make_index_map(array, &map, nullptr)) return {};
  List out, index(dimensions.size(), 0), own(rank, 0);
  int64_t count = 1;
  for (const int64_t size : dimensions) count *= size;
  for (int64_t n = 0; n < count; ++n) {
    for (size_t d = 0; d < index.size(); ++d) own[static_cast<size_t>(own_of[d])] = index[d];
    out.push_back(ir::position(map->map, own.data()));
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < dimensions[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

// Whichever dimensions go, the elements that are left keep their order in memory; and adding them again undoes it.
TEST(Rank, DeletingKeepsTheOrderInMemory) {
  Random random(7);
  int done = 0, tiled = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 4, 200);
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    List gone, kept, left;
    for (int64_t d = 0; d < a->rank(); ++d) {
      if (random.chance(30)) {
        gone.push_back(d);
      } else {
        kept.push_back(d);
        left.push_back(dimensions[static_cast<size_t>(d)]);
      }
    }
    if (gone.empty() || std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) continue;
    Ref<Shape> b;
    const Status status = delete_dimensions(*a, gone, &b, nullptr);
    ASSERT_TRUE(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_UNSUPPORTED);
    if (status) continue;
    const List before = positions(*a, left, kept, dimensions.size());
    List own(left.size());
    for (size_t d = 0; d < own.size(); ++d) own[d] = static_cast<int64_t>(d);
    const List after = positions(*b, left, own, left.size());
    if (before.empty() || after.empty()) continue;
    ++done;
    tiled += a->layout->has_tiles();
    List order(before.size());
    for (size_t n = 0; n < order.size(); ++n) order[n] = static_cast<int64_t>(n);
    std::sort(order.begin(), order.end(),
              [&](int64_t x, int64_t y) { return before[static_cast<size_t>(x)] < before[static_cast<size_t>(y)]; });
    for (size_t n = 1; n < order.size(); ++n)
      ASSERT_LT(after[static_cast<size_t>(order[n - 1])], after[static_cast<size_t>(order[n])])
          << printed(*a) << " " << printed(*b);
  }
  EXPECT_GT(done, 3000);
  EXPECT_GT(tiled, 500);
}

TEST(Rank, WhatIsInsertedCanBeDeleted) {
  Random random(8);
  int done = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto dimensions = testing::random_dimensions(random, 3, 100);
    const Ref<Shape> a = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    const int64_t at = random.in(0, a->rank());
    const List sizes = {random.chance(40) ? 1 : random.in(0, 4)};
    Ref<Shape> b, c;
    const uint32_t flags = random.chance(50) ? XLASHAPE_INSERT_MOST_MAJOR : 0;
    const Status status = insert_dimensions(*a, at, sizes, flags, &b, nullptr);
    ASSERT_TRUE(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_UNSUPPORTED);
    if (status) continue;
    ++done;
    const List place = {at};
    ASSERT_EQ(delete_dimensions(*b, place, &c, nullptr), XLASHAPE_STATUS_OK) << printed(*b);
    Ref<Shape> same;  // a layout without an order got one
    ASSERT_EQ(with_layout(*a, with_order(a->layout, a->rank()), &same, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_TRUE(equal(*same, *c, 0)) << printed(*a) << " " << printed(*b);
    if (sizes[0] != 1) continue;
    List own_of_a(dimensions.size()), own_of_b(dimensions.size());
    for (size_t d = 0; d < dimensions.size(); ++d) {
      own_of_a[d] = static_cast<int64_t>(d);
      own_of_b[d] = static_cast<int64_t>(d) + (static_cast<int64_t>(d) >= at);
    }
    ASSERT_EQ(positions(*a, dimensions, own_of_a, dimensions.size()),
              positions(*b, dimensions, own_of_b, dimensions.size() + 1))
        << printed(*a) << " " << printed(*b);
  }
  EXPECT_GT(done, 8000);
}

}  // namespace
}  // namespace xlashape::core
