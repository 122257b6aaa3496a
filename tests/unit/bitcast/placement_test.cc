// SPDX-License-Identifier: Apache-2.0
// Placements read from index maps against the model, which applies the tiles itself.
#include "bitcast/placement.h"

#include <gtest/gtest.h>

#include "unit/bitcast/placement_model.h"
#include "unit/random_shape.h"
#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::parsed;
using testing::printed;
using testing::Random;
using List = std::vector<int64_t>;

// Tiles of any length, with many `*`, over few dimensions: more levels and more merging than random_layout makes.
void add_tiles(Random& random, Layout* layout) {
  for (int64_t level = random.in(0, 4); level > 0; --level) {
    const int64_t sizes = random.in(1, 5);
    layout->tile_ranks.push_back(sizes);
    for (int64_t i = 0; i < sizes; ++i)
      layout->tile_dimensions.push_back(i + 1 < sizes && random.chance(35) ? XLASHAPE_COMBINE_DIMENSION
                                        : random.chance(10)                ? XLASHAPE_MATCH_DIMENSION
                                                                           : random.in(1, 7));
  }
}

struct Counts {
  int known = 0, unknown = 0, merged = 0, factors = 0;
};

void compare(const Shape& array, const List& unit, Counts* counts) {
  Placement want, got;
  const Status wanted = testing::place_by_tiles(array.dimensions, array.layout.get(), unit, &want, nullptr);
  ASSERT_EQ(place_elements(array.dimensions, array.layout.get(), unit, &got, nullptr), wanted) << printed(array);
  if (wanted) return;
  ASSERT_EQ(got.known, want.known) << printed(array);
  ASSERT_EQ(got.elements, want.elements) << printed(array);
  ASSERT_EQ(got.positions, want.positions) << printed(array);
  if (!got.known) {
    ++counts->unknown;
    return;
  }
  ASSERT_EQ(got.factors, want.factors) << printed(array);
  ++counts->known;
  const auto& tiles = array.layout->tile_dimensions;
  counts->merged += std::find(tiles.begin(), tiles.end(), XLASHAPE_COMBINE_DIMENSION) != tiles.end();
  counts->factors += static_cast<int>(got.factors.size());
}

TEST(Placement, IsTheModels) {
  Random random(20260701);
  Counts counts;
  for (int i = 0; i < 100000; ++i) {
    const List dimensions = testing::random_dimensions(random, 5, 4000);
    testing::LayoutLimits limits;
    limits.tiles = random.chance(50);
    Ref<Layout> layout = testing::random_layout(random, dimensions, XLASHAPE_TYPE_F32, limits);
    if (!limits.tiles) add_tiles(random, layout.get());
    Ref<Shape> array;
    ASSERT_EQ(validate_layout(*layout, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(make_array(XLASHAPE_TYPE_F32, dimensions, {}, layout, &array, nullptr), XLASHAPE_STATUS_OK);
    // Numbered in the order of its own indices, or as another array of which it is a transpose.
    List unit;
    if (random.chance(50)) {
      List order(dimensions.size());
      for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
      std::shuffle(order.begin(), order.end(), random.engine());
      unit.resize(order.size());
      int64_t next = 1;
      for (const int64_t d : order) {
        unit[static_cast<size_t>(d)] = next;
        next *= std::max<int64_t>(dimensions[static_cast<size_t>(d)], 1);
      }
    }
    ASSERT_NO_FATAL_FAILURE(compare(*array, unit, &counts));
  }
  EXPECT_GT(counts.known, 50000);
  EXPECT_GT(counts.unknown, 5000);
  EXPECT_GT(counts.merged, 5000);
  EXPECT_GT(counts.factors, 100000);
}

TEST(Placement, IsTheModelsForLargeArrays) {
  Random random(20260702);
  Counts counts;
  for (int i = 0; i < 20000; ++i) {
    List dimensions;
    for (int64_t rank = random.in(1, 4); rank > 0; --rank)
      dimensions.push_back(random.chance(50) ? int64_t{1} << random.in(0, 15) : random.in(1, 40000));
    Ref<Layout> layout = make_row_major(static_cast<int64_t>(dimensions.size()));
    for (int64_t level = random.in(0, 3); level > 0; --level) {
      layout->tile_ranks.push_back(2);
      for (int j = 0; j < 2; ++j)
        layout->tile_dimensions.push_back(random.chance(50) ? int64_t{1} << random.in(0, 40)
                                                            : random.in(1, 3000000000));
    }
    Ref<Shape> array;
    ASSERT_EQ(make_array(XLASHAPE_TYPE_S8, dimensions, {}, layout, &array, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_NO_FATAL_FAILURE(compare(*array, {}, &counts));  // overflow among them
  }
  EXPECT_GT(counts.known, 5000);
  EXPECT_LT(counts.known, 19000);
}

TEST(Placement, WithoutStorageOrOrder) {
  const auto placed = [](const char* text) {
    const Ref<Shape> array = parsed(text);
    Placement placement;
    EXPECT_EQ(place_elements(array->dimensions, array->layout.get(), {}, &placement, nullptr), XLASHAPE_STATUS_OK);
    return placement;
  };
  // What the other dimensions would be does not matter.
  const Placement none = placed("f32[0,1099511627776,1099511627776]{0,1,2}");
  EXPECT_TRUE(none.known && none.positions == 0 && none.elements == 0);
  const Placement widened = placed("f32[0,3]{1,0:PD(2,3)}");
  EXPECT_TRUE(widened.known && widened.positions == 6 && widened.elements == 0 && widened.factors.empty());
  const Placement unordered = placed("f32[4,6]{1,0:T(2,*)}");
  EXPECT_FALSE(unordered.known);
  EXPECT_EQ(unordered.positions, -1);
}

}  // namespace
}  // namespace xlashape::core
