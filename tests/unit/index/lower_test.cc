// SPDX-License-Identifier: Apache-2.0
// Index maps against the tiling model: positions, the inverse, padding told apart, factors, and storage sizes.
#include "index/lower.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "index/index_map.h"
#include "index/sizes.h"
#include "ir/map.h"
#include "ir/reference.h"
#include "text/shape_text.h"
#include "unit/index/tiling_model.h"
#include "unit/random_shape.h"

namespace xlashape::core {
namespace {

using testing::Random;

Ref<Shape> parsed(std::string_view text) {
  Ref<Shape> shape;
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(parse_shape(text, 0, &shape, &err), XLASHAPE_STATUS_OK) << err.message;
  return shape;
}

// Visits every index of the array.
template <class F>
void for_each_index(const Shape& array, F&& f) {
  std::vector<int64_t> index(static_cast<size_t>(array.rank()), 0);
  for (const int64_t d : array.dimensions)
    if (d == 0) return;
  while (true) {
    f(index);
    size_t i = index.size();
    while (i-- > 0) {
      if (++index[i] < array.dimensions[i]) break;
      index[i] = 0;
    }
    if (i == static_cast<size_t>(-1)) return;
  }
}

void check_against_model(const Shape& array) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  Lowered lowered;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, &err), XLASHAPE_STATUS_OK)
      << err.message;
  const xlashape_map_ir& map = lowered.map;
  ASSERT_EQ(map.positions, testing::storage_elements(array));
  std::vector<int> owner(static_cast<size_t>(map.positions), 0);
  int64_t furthest = -1;
  for_each_index(array, [&](const std::vector<int64_t>& index) {
    const int64_t want = testing::linear(testing::place(array, index));
    EXPECT_EQ(ir::position(map, index.data()), want);
    EXPECT_EQ(reference::position(map, index.data()), want);
    ++owner[static_cast<size_t>(want)];
    furthest = std::max(furthest, want);
    std::vector<int64_t> back(index.size(), -7), again(index.size(), -7);
    EXPECT_TRUE(ir::index_at(map, want, back.data()));
    EXPECT_EQ(back, index);
    EXPECT_TRUE(reference::index_at(map, want, again.data()));
    EXPECT_EQ(again, index);
    if (lowered.separable) {
      int64_t sum = 0;
      for (const Factor& factor : lowered.factors) {
        const int64_t x = factor.dimension < map.rank ? index[static_cast<size_t>(factor.dimension)] : 0;
        sum += x / factor.divisor % factor.extent * factor.stride;
      }
      EXPECT_EQ(sum, want);
    }
  });
  int64_t index[1024];
  for (int64_t p = 0; p < map.positions; ++p) {
    EXPECT_EQ(ir::index_at(map, p, index), owner[static_cast<size_t>(p)] == 1) << "position " << p;
    EXPECT_LE(owner[static_cast<size_t>(p)], 1) << "position " << p << " holds two elements";
  }
  xlashape_sizes sizes;
  ASSERT_EQ(array_sizes(array, &sizes, &err), XLASHAPE_STATUS_OK) << err.message;
  const int64_t bits = container_bits(array);
  EXPECT_EQ(sizes.storage_elements, map.positions);
  EXPECT_EQ(sizes.bytes, (map.positions * bits + 7) / 8);
  const int64_t data_bytes = ((furthest + 1) * bits + 7) / 8;
  if (lowered.monotonic) {
    EXPECT_EQ(sizes.data_bytes, data_bytes);
  } else {  // only so much padding at the end is looked through
    EXPECT_GE(sizes.data_bytes, data_bytes);
    EXPECT_LE(sizes.data_bytes, sizes.bytes);
  }
  EXPECT_EQ(sizes.elements + sizes.dimension_padding + sizes.tail_padding, sizes.storage_elements);
}

TEST(Lower, MatchesTheModelOnRandomLayouts) {
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    const auto array = testing::random_array(random, XLASHAPE_TYPE_F32, testing::random_dimensions(random, 5, 300));
    check_against_model(*array);
    if (HasFailure()) {
      xlashape_error err{};
      char text[512];
      int64_t needed;
      xlashape_shape_print(array.get(), 0, text, sizeof text, &needed, &err);
      FAIL() << "seed " << seed << ": " << text;
    }
  }
}

TEST(Lower, MatchesTheModelOnKnownLayouts) {
  for (const char* text :
       {"f32[3,5]{1,0:T(2,2)}", "f32[8]{0:T(2,2)}", "bf16[2048]{0:T(1024)(128)(2,1)}",
        "bf16[2,8,128]{2,1,0:T(8,128)(2,1)}", "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[3,5]{1,0:T(3,5)(2,1)}",
        "u32[]{:T(128)}", "f32[6,5]{1,0:T(3,5)(2,1)}", "f32[4,6]{1,0:T(*,4)}", "f32[4,8]{1,0:T(*,4)}",
        "f32[2,3]{1,0:T(2,2)PD(3,5)}", "f32[0,3]{1,0:T(2,2)}", "f32[5]{0:L(8)}", "f32[3,4]{1,0:T(2,2)(3,3)(2,1)L(7)}",
        "f32[]{:T(1)(1,1)}", "f32[]{:T(2)(1,1)L(5)}", "f32[3]{0:T(1)(1,1)(1,1,1)}", "f32[0,1]{1,0:T(1)(*,1)}"})
    check_against_model(*parsed(text));
}

TEST(Lower, MatchesTheModelOnWhatXlaHasSinceOctober) {
  for (const char* text : {"f32[0,8]{1,0:T(d,4)}", "f32[8,0]{1,0:T(4,d)}", "f32[0,0]{1,0:T(d)(d,d,d)}",
                           "f32[5,4,10]{2,1,0:T(*,d)}", "f32[5,4,10]{2,1,0:T(d,*,d)(d)}", "f32[4,300]{1,0:T(8,d)(2,d)}",
                           "f32[10]{0:T(d,4)(d)}", "f32[4,8]{0,1:T(d,128)PD(5,9)}", "f32[2,3]{:S(5)}",
                           "f32[2,3]{:T(2,4)S(5)}", "f32[2,3,4]{:T(d,3)(3,1)L(7)S(1)}"})
    check_against_model(*parsed(text));
}

TEST(Lower, TellsPaddingFromAnAlias) {
  const auto shape = parsed("f32[6,5]{1,0:T(3,5)(2,1)}");
  Ref<IndexMap> map;
  ASSERT_EQ(make_index_map(*shape, &map, nullptr), XLASHAPE_STATUS_OK);
  int64_t index[2];
  EXPECT_FALSE(ir::index_at(map->map, 11, index));
  ASSERT_TRUE(ir::index_at(map->map, 20, index));
  EXPECT_EQ(index[0], 3);
  EXPECT_EQ(index[1], 0);
}

TEST(Lower, RefusesWhatHasNoStorage) {
  auto err = XLASHAPE_INIT(xlashape_error);
  Ref<IndexMap> map;
  EXPECT_EQ(make_index_map(*parsed("f32[?,4]"), &map, &err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_NE(std::string(err.message).find("dimension 0 is unbounded"), std::string::npos) << err.message;
  EXPECT_EQ(make_index_map(*parsed("f32[2,3]{1,0:T(2,*)}"), &map, &err), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(make_index_map(*parsed("f32[2,3]{1,0:T(4611686018427387904,4)}"), &map, &err), XLASHAPE_STATUS_OVERFLOW);
  EXPECT_EQ(make_index_map(*parsed("f32[3]{0:L(9223372036854775807)}"), &map, &err), XLASHAPE_STATUS_OK);
  EXPECT_EQ(make_index_map(*parsed("f32[9,9]{1,0:T(8,8)L(9223372036854775807)}"), &map, &err), XLASHAPE_STATUS_OK);
  // Judged in physical order: a size of 0 that comes later does not help, one that comes first does.
  EXPECT_EQ(make_index_map(*parsed("f32[0,4294967296,4294967296]"), &map, &err), XLASHAPE_STATUS_OK);
}

TEST(Lower, DividesExactlyAtTheBounds) {
  const int64_t numbers[] = {0,
                             1,
                             2,
                             3,
                             6,
                             7,
                             126,
                             127,
                             128,
                             1000003,
                             (int64_t{1} << 31) - 1,
                             int64_t{1} << 52,
                             (int64_t{1} << 62) + 1,
                             INT64_MAX - 1,
                             INT64_MAX};
  for (const int64_t d : numbers) {
    if (d == 0) continue;
    const ir::Reciprocal r = ir::reciprocal(d);
    for (const int64_t base : numbers)
      for (const int64_t x : {base, base / d * d, base / d * d - 1}) {
        if (x < 0) continue;
        ASSERT_EQ(ir::divide(x, r.magic, r.shift), x / d) << x << " / " << d;
      }
  }
  Random random(7);
  for (int i = 0; i < 200000; ++i) {
    const int64_t d = (random.in(0, INT64_MAX) >> random.in(0, 62)) | 1,
                  x = random.in(0, INT64_MAX) >> random.in(0, 62);
    const ir::Reciprocal r = ir::reciprocal(d);
    ASSERT_EQ(ir::divide(x, r.magic, r.shift), x / d) << x << " / " << d;
  }
}

Ref<Layout> with_tiles(int64_t rank, const std::vector<std::vector<int64_t>>& tiles) {
  Ref<Layout> layout = make_row_major(rank);
  for (const std::vector<int64_t>& sizes : tiles) {
    layout->tile_ranks.push_back(static_cast<int64_t>(sizes.size()));
    for (const int64_t size : sizes) layout->tile_dimensions.push_back(size);
  }
  return layout;
}

TEST(Lower, DimensionsAboveTiles) {
  constexpr int64_t kMerge = XLASHAPE_COMBINE_DIMENSION;
  const auto above = [](int64_t rank, const std::vector<std::vector<int64_t>>& tiles) {
    return dimensions_above_tiles(*with_tiles(rank, tiles), rank);
  };
  EXPECT_EQ(above(3, {}), 3);
  EXPECT_EQ(above(3, {{}}), 3);
  EXPECT_EQ(above(3, {{8, 128}}), 1);
  EXPECT_EQ(above(2, {{8, 128}}), 0);
  EXPECT_EQ(above(1, {{8, 128}}), -1);
  EXPECT_EQ(above(3, {{8, 128}, {2, 1}}), 1);
  EXPECT_EQ(above(3, {{8, 128}, {2, 1, 1, 1}}), 1);     // all four that the first level made
  EXPECT_EQ(above(3, {{8, 128}, {2, 2, 1, 1, 1}}), 0);  // and one more
  EXPECT_EQ(above(3, {{8, 128}, {2, 2, 2, 1, 1, 1}}), -1);
  EXPECT_EQ(above(4, {{kMerge, 8, 128}}), 1);
  EXPECT_EQ(above(4, {{kMerge, 8, 128}, {1, 1, 1, 1, 1}}), 0);  // merging leaves four
  EXPECT_EQ(above(4, {{4, 4}, {kMerge, 2}, {1, 1, 1, 1, 1}}), 1);
  EXPECT_EQ(above(2, {{4}, {2}, {2, 2, 2}}), 1);  // two, then three
  EXPECT_EQ(above(2, {{4}, {2}, {2, 2, 2, 2}}), 0);
}

TEST(Sizes, ReproducesWhatTheTpuCompilerPrinted) {
  struct Row {
    const char* shape;
    int64_t unpadded, padded;
  };
  constexpr int64_t M = int64_t{1} << 20;
  for (const Row& row : {Row{"s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", 512 * M, 16384 * M},
                         {"u32[12582912,1]{1,0:T(8,128)}", 48 * M, 6144 * M},
                         {"s32[8388608,8,4]{2,1,0:T(8,128)}", 1024 * M, 32768 * M},
                         {"s32[8388608,8,4]{0,2,1:T(4,128)}", 1024 * M, 1024 * M},
                         {"bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", 1024 * M, 4096 * M},
                         {"f32[4,128,128,9,18]{4,3,0,2,1:T(8,128)}", 81 * M / 2, 512 * M},
                         {"bf16[4,512,512,64]{3,0,2,1:T(4,128)(2,1)}", 128 * M, 256 * M}}) {
    xlashape_sizes sizes;
    ASSERT_EQ(array_sizes(*parsed(row.shape), &sizes, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(sizes.logical_bytes, row.unpadded) << row.shape;
    EXPECT_EQ(sizes.bytes, row.padded) << row.shape;
  }
}

TEST(Sizes, KnowsXlasOwnNumber) {
  const auto xla = [](const char* text) { return xla_array_size(*parsed(text)); };
  EXPECT_EQ(xla("f32[5]{0:L(8)}"), 20);                 // forgets the tail without tiles
  EXPECT_EQ(xla("f32[3,5]{1,0:T(3,5)(2,1)}"), 15 * 4);  // and every level but the first
  EXPECT_EQ(xla("f32[3,5]{1,0:T(2,2)L(7)}"), 28 * 4);
  EXPECT_EQ(xla("s4[9216,6144]{1,0:T(64,128)(8,1)E(4)}"), 28311552);
  EXPECT_EQ(xla("f32[10,20]{1,0:T(8,128)SC(0:6)}"), 8 * 128 * 4);  // the largest piece, 6 rows, rounded up
}

TEST(Sizes, HasStridesWhereTilesLeaveOne) {
  const auto strides = [](const char* text, std::vector<int64_t> want) {
    std::vector<int64_t> got(want.size());
    EXPECT_EQ(array_strides(*parsed(text), got.data(), nullptr), XLASHAPE_STATUS_OK) << text;
    EXPECT_EQ(got, want) << text;
  };
  strides("f32[10,20]{1,0:PD(15,21)}", {21, 1});
  strides("f32[10,20]{0,1}", {1, 10});
  strides("f32[8,128]{1,0:T(8,128)}", {128, 1});
  strides("f32[16,100]{1,0:T(8,128)}", {128, 1});
  strides("f32[7,3,1]{2,1,0}", {3, 1, 1});
  int64_t none[2];
  EXPECT_EQ(array_strides(*parsed("f32[16,200]{1,0:T(8,128)}"), none, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(array_strides(*parsed("f32[6,5]{1,0:T(3,5)(2,1)}"), none, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

}  // namespace
}  // namespace xlashape::core
