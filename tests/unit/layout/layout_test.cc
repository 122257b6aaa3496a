// Layouts: every field takes part in copying, equality and hashing as it should.
#include "layout/layout.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <vector>

#include "layout/rearrange.h"

namespace xlashape::core {
namespace {

// Everything that a layout can say, said.
Ref<Layout> full() {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major = {0, 2, 1};
  layout->padded_dimensions = {4, 5, 6};
  layout->padding_value = XLASHAPE_PAD_ONE;
  layout->memory_space = 3;
  layout->tile_ranks = {2, 1};
  layout->tile_dimensions = {8, 128, 2};
  layout->element_size_in_bits = 4;
  layout->tail_padding_alignment = 16;
  layout->metadata_prefix_bytes = 64;
  layout->split_dimensions = {1};
  layout->split_sizes = {2};
  layout->split_indices = {1, 2};
  return layout;
}

struct Change {
  uint32_t ignored_by;
  std::function<void(Layout&)> apply;
};
const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      {XLASHAPE_EQUAL_IGNORE_PADDING, [](Layout& l) { l.padded_dimensions[1] = 7; }},
      {XLASHAPE_EQUAL_IGNORE_PADDING, [](Layout& l) { l.padded_dimensions.clear(); }},
      {XLASHAPE_EQUAL_IGNORE_PADDING, [](Layout& l) { l.padding_value = XLASHAPE_PAD_ZERO; }},
      {XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE, [](Layout& l) { l.memory_space = -3; }},
      {XLASHAPE_EQUAL_IGNORE_TILES, [](Layout& l) { l.tile_dimensions[0] = 4; }},
      {XLASHAPE_EQUAL_IGNORE_TILES,
       [](Layout& l) {
         l.tile_ranks = {1, 2};
       }},  // the same sizes, cut otherwise
      {XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE, [](Layout& l) { l.element_size_in_bits = 8; }},
      {XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT, [](Layout& l) { l.tail_padding_alignment = 1; }},
      {XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS, [](Layout& l) { l.split_dimensions[0] = 0; }},
      {XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS, [](Layout& l) { l.split_indices[1] = 3; }},
  };
  return all;
}

TEST(Layout, EqualityLooksAtEachField) {
  const Ref<Layout> a = full();
  EXPECT_TRUE(equal(*a, *full(), 0));
  EXPECT_EQ(hash(*a, 0), hash(*full(), 0));
  std::set<uint64_t> hashes = {hash(*a, 0)};
  for (const Change& change : changes()) {
    const Ref<Layout> b = full();
    change.apply(*b);
    EXPECT_FALSE(equal(*a, *b, 0));
    EXPECT_FALSE(equal(*b, *a, 0));
    EXPECT_TRUE(equal(*a, *b, change.ignored_by));
    EXPECT_TRUE(equal(*a, *b, XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY));
    EXPECT_FALSE(equal(*a, *b, 0x7F & ~change.ignored_by));
    hashes.insert(hash(*b, 0));
  }
  EXPECT_EQ(hashes.size(), changes().size() + 1);
  const Ref<Layout> order = full();
  order->minor_to_major = {1, 2, 0};
  EXPECT_FALSE(equal(*a, *order, 0x7F | XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY));
}

TEST(Layout, TheMetadataPrefixTakesPartOnlyWhenAsked) {
  const Ref<Layout> a = full(), b = full();
  b->metadata_prefix_bytes = 0;
  EXPECT_TRUE(equal(*a, *b, 0));
  EXPECT_EQ(hash(*a, 0), hash(*b, 0));
  EXPECT_FALSE(equal(*a, *b, XLASHAPE_EQUAL_METADATA_PREFIX));
}

TEST(Layout, CopyHasEverything) { EXPECT_TRUE(equal(*copy_layout(*full()), *full(), XLASHAPE_EQUAL_METADATA_PREFIX)); }

TEST(Layout, Orders) {
  EXPECT_EQ(make_row_major(3)->minor_to_major, (SmallVec<int64_t, 6>{2, 1, 0}));
  EXPECT_EQ(make_column_major(3)->minor_to_major, (SmallVec<int64_t, 6>{0, 1, 2}));
  EXPECT_EQ(make_row_major(0)->rank(), 0);
  EXPECT_EQ(full()->major(0), 1);
  EXPECT_EQ(full()->major(2), 0);
}

TEST(Layout, WalksTilesAndSplits) {
  std::vector<std::vector<int64_t>> tiles;
  for_each_tile(*full(), [&](size_t level, std::span<const int64_t> sizes) {
    EXPECT_EQ(level, tiles.size());
    tiles.emplace_back(sizes.begin(), sizes.end());
  });
  EXPECT_EQ(tiles, (std::vector<std::vector<int64_t>>{{8, 128}, {2}}));
  int splits = 0;
  for_each_split(*full(), [&](int64_t dimension, std::span<const int64_t> indices) {
    EXPECT_EQ(dimension, 1);
    EXPECT_EQ(indices.size(), 2u);
    ++splits;
  });
  EXPECT_EQ(splits, 1);
}

}  // namespace
}  // namespace xlashape::core
