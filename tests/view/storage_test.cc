// SPDX-License-Identifier: Apache-2.0
// Storage against the index map and the tiling model, on random arrays.
#include "view/storage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "unit/index/tiling_model.h"
#include "view/random_array.h"

namespace xlashape::view {
namespace {

using testing::Random;

// Visits all indices below the bounds.
template <class F>
void for_each_index(const std::vector<int64_t>& bounds, F&& f) {
  std::vector<int64_t> index(bounds.size(), 0);
  for (const int64_t bound : bounds)
    if (bound == 0) return;
  while (true) {
    f(index);
    size_t i = index.size();
    while (i-- > 0) {
      if (++index[i] < bounds[i]) break;
      index[i] = 0;
    }
    if (i == static_cast<size_t>(-1)) return;
  }
}

std::vector<int64_t> extents_of(const Storage& storage) {
  std::vector<int64_t> extents;
  for (int64_t d = 0; d < storage.rank(); ++d) extents.push_back(storage.extent(d));
  return extents;
}

// Every place beside the array has a position of its own, elements that of the tiling model, and what has no place is
// counted.
void check_places(const Shape& array) {
  SCOPED_TRACE(array.to_string());
  const Storage storage(array);
  const int64_t count = core::testing::storage_elements(*array.get());
  ASSERT_EQ(storage.sizes().storage_elements, count);
  std::vector<int> owners(static_cast<size_t>(count), 0);  // 1: an element, 2: padding beside the array
  int64_t elements = 0, padding = 0, elsewhere = 0;
  for_each_index(extents_of(storage), [&](const std::vector<int64_t>& index) {
    const int64_t position = storage.position(index);
    ASSERT_GE(position, 0);
    ASSERT_LT(position, count);
    int& owner = owners[static_cast<size_t>(position)];
    EXPECT_EQ(owner, 0) << "position " << position << " has two places";
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) inside &= index[d] < storage.size(static_cast<int64_t>(d));
    EXPECT_EQ(storage.holds_element(index), inside);
    owner = inside ? 1 : 2;
    ++(inside ? elements : padding);
    if (inside) {
      EXPECT_EQ(position, core::testing::linear(core::testing::place(*array.get(), index)));
    }
    std::vector<int64_t> back;
    EXPECT_EQ(storage.index_at(position, &back), inside);
    if (inside) {
      EXPECT_EQ(back, index);
    }
  });
  std::vector<int64_t> index;
  for (int64_t position = 0; position < count; ++position)
    if (owners[static_cast<size_t>(position)] == 0) {
      ++elsewhere;
      EXPECT_FALSE(storage.index_at(position, &index)) << position;
    }
  EXPECT_EQ(elements, storage.sizes().elements);
  EXPECT_EQ(elsewhere, storage.padding_elsewhere());
  for (int64_t at = 0; at < count; at += 3) {
    const int64_t bit = at * storage.sizes().element_bits;
    EXPECT_EQ(storage.place(at).byte, bit / 8);
    EXPECT_EQ(storage.place(at).bit, bit % 8);
  }
}

TEST(Storage, EveryPositionOnce) {
  Random random(1);
  for (int64_t i = 0; i < testing::case_count(1500); ++i)
    check_places(
        testing::random_array(random, random.of(testing::all_types()), testing::random_dimensions(random, 5, 300)));
}

TEST(Storage, PaddingIsBesideTheArrayWhereItCanBe) {
  const Shape array = Shape::parse("u8[5,3]{1,0:T(4,2)}");
  const Storage storage(array);
  EXPECT_EQ(extents_of(storage), (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(storage.padding_elsewhere(), 0);
  const Shape wide = Shape::parse("u8[5,3]{1,0:T(4,2)L(1000)PD(7,9)}");
  const Storage other(wide);
  EXPECT_EQ(extents_of(other), (std::vector<int64_t>{8, 10}));
  EXPECT_EQ(other.padding_elsewhere(), 920);
}

// The final tile coordinates of a level, from the model's bounds: which block of that level holds an index. With
// nesting levels, positions share a tile of level k when the digits above it are equal.
TEST(Storage, BordersAreThoseOfTheTiles) {
  struct Case {
    const char* text;
    // Per level, the outermost first, the block of indices that a tile is.
    std::vector<std::vector<int64_t>> blocks;
  };
  for (const Case& one : {Case{"u8[9,10]{1,0:T(4,4)}", {{4, 4}}}, Case{"u8[9,10]{0,1:T(4,2)}", {{2, 4}}},
                          Case{"u8[20,18]{1,0:T(8,8)(2,1)}", {{8, 8}, {2, 1}}},
                          Case{"u8[20,18]{1,0:T(8,8)(4,4)(2,2)}", {{8, 8}, {4, 4}, {2, 2}}},
                          Case{"u8[3,9,7]{2,1,0:T(4,4)(2)}", {{1, 4, 4}, {1, 1, 2}}},
                          Case{"u8[50]{0:T(16)(4)}", {{16}, {4}}}, Case{"u8[9,10]{1,0}", {}}}) {
    SCOPED_TRACE(one.text);
    const Shape array = Shape::parse(one.text);
    const Storage storage(array);
    const auto levels = static_cast<int64_t>(one.blocks.size());
    ASSERT_EQ(storage.levels(), levels);
    for (int64_t level = 0; level < levels; ++level) {
      int64_t positions = 1;
      for (int64_t d = 0; d < storage.rank(); ++d) {
        const int64_t side = one.blocks[static_cast<size_t>(level)][static_cast<size_t>(d)];
        EXPECT_EQ(storage.along(level, d), side) << "level " << level << " dimension " << d;
        positions *= side;
      }
      EXPECT_EQ(storage.tile_positions(level), positions);
    }
    const auto block_of = [&](int64_t level, std::vector<int64_t> index) {
      for (size_t d = 0; d < index.size(); ++d) index[d] /= one.blocks[static_cast<size_t>(level)][d];
      return index;
    };
    for_each_index(extents_of(storage), [&](const std::vector<int64_t>& index) {
      for (size_t d = 0; d < index.size(); ++d) {
        std::vector<int64_t> next = index;
        if (++next[d] >= storage.extent(static_cast<int64_t>(d))) continue;
        int64_t want = -1;
        for (int64_t level = levels - 1; level >= 0; --level)
          if (block_of(level, index) != block_of(level, next)) want = level;
        EXPECT_EQ(storage.border(storage.position(index), storage.position(next)), want);
      }
    });
  }
}

// What a level of a random layout says: a tile is a run of positions, no more of them than one tile has, and `along` is
// how many indices lie in it.
TEST(Storage, TilesOfRandomLayouts) {
  Random random(2);
  int64_t tiled = 0;
  for (int64_t i = 0; i < testing::case_count(600); ++i) {
    const Shape array = testing::random_array(random, XLASHAPE_TYPE_U8, testing::random_dimensions(random, 4, 200));
    SCOPED_TRACE(array.to_string());
    const Storage storage(array);
    if (storage.sizes().elements == 0) continue;
    for (int64_t level = 0; level < storage.levels(); ++level) {
      if (level > 0) {
        ASSERT_LE(storage.tile_positions(level), storage.tile_positions(level - 1));
      }
      for (int64_t d = 0; d < storage.rank(); ++d) {
        const int64_t along = storage.along(level, d);
        if (along == 0) continue;
        ++tiled;
        // The border is where `along` says, and nowhere else.
        std::vector<int64_t> index(static_cast<size_t>(storage.rank()), 0);
        const auto at = static_cast<size_t>(d);
        for (int64_t k = 1; k < storage.extent(d); ++k) {
          index[at] = k - 1;
          const int64_t before = storage.position(index) / storage.tile_positions(level);
          index[at] = k;
          const int64_t here = storage.position(index) / storage.tile_positions(level);
          EXPECT_EQ(before != here, k % along == 0) << "level " << level << " dimension " << d << " index " << k;
        }
      }
    }
  }
  EXPECT_GT(tiled, testing::case_count(600) / 20);
}

TEST(Storage, TilesThatAreNoRunAreLeftOut) {
  const Shape array = Shape::parse("u8[8,8]{1,0:T(4)(2,2)}");
  const Storage storage(array);
  for (int64_t level = 0; level < storage.levels(); ++level) EXPECT_NE(storage.tile_positions(level), 0);
}

TEST(Storage, Splits) {
  const Shape array = Shape::parse("u8[8,6]{1,0:SC(0:3,5)}");
  const Storage storage(array);
  std::set<std::pair<int64_t, int64_t>> found;
  for (int64_t d = 0; d < 2; ++d)
    for (int64_t i = 1; i < storage.size(d); ++i)
      if (storage.is_split(d, i - 1, i)) found.emplace(d, i);
  EXPECT_EQ(found, (std::set<std::pair<int64_t, int64_t>>{{0, 3}, {0, 5}}));
  EXPECT_TRUE(storage.is_split(0, 1, 7));
  EXPECT_FALSE(storage.is_split(0, 5, 7));
}

}  // namespace
}  // namespace xlashape::view
