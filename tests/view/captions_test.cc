// SPDX-License-Identifier: Apache-2.0
// What is said around a picture, against plain counts.
#include "view/captions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "view/random_array.h"

namespace xlashape::view {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Random;

TEST(Captions, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-1000), "-1,000");
  EXPECT_EQ(grouped(-100), "-100");
  EXPECT_EQ(grouped(INT64_MIN), "-9,223,372,036,854,775,808");
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(1'048'576, "row"), "1,048,576 rows");
}

TEST(Captions, Sizes) {
  const auto sizes = [](std::string_view text) {
    const Shape array = Shape::parse(text);
    return size_captions(Storage(array));
  };
  EXPECT_THAT(sizes("u8[2,3]"), ElementsAre("6 elements of 8 bits in 6 bytes, no padding"));
  EXPECT_THAT(sizes("s4[3]{0:E(4)}"), ElementsAre("3 elements of 4 bits in 2 bytes, no padding"));
  EXPECT_THAT(sizes("u8[5,3]{1,0:T(4,2)(2)}"),
              ElementsAre("15 elements of 8 bits in 32 bytes, 17 positions of padding (53.1 %)",
                          "tiles of 8, in them tiles of 2 positions"));
  EXPECT_THAT(sizes("u8[1]{0:PD(100000)}"),
              ElementsAre("1 element of 8 bits in 100,000 bytes, 99,999 positions of padding (more than 99.9 %)"));
  EXPECT_THAT(sizes("u8[3]{0:L(8)}"), ElementsAre("3 elements of 8 bits in 8 bytes, 5 positions of padding (62.5 %)",
                                                  "not drawn: 5 positions of padding at the end of the memory"));
  EXPECT_THAT(sizes("u8[5,8]{1,0:T(4,8)(3,1)}")[1], HasSubstr("not drawn: 32 positions of padding inside tiles"));
}

TEST(Captions, WhatIsLeftOut) {
  Axis axis;
  axis.step = 8;
  EXPECT_EQ(gap_text(axis, {0, 1, 200}, 2, "rows ", 26), "rows 16-1,599 not shown");
  EXPECT_EQ(gap_text(axis, {0, 1, 200}, 2, "rows ", 22), "16-1,599 not shown");
  EXPECT_EQ(gap_text(axis, {0, 1, 200}, 2, "rows ", 17), "16-1,599");
  EXPECT_EQ(gap_text(axis, {0, 1, 200}, 2, "rows ", 7), "\u22EF");
  axis.step = 1;
  EXPECT_EQ(gap_text(axis, {3, 5}, 1, "columns ", 30), "columns 4 not shown");
}

// Neighbours in both and same bytes, element by element.
TEST(Captions, RunsAndSameBytes) {
  Random random(3);
  for (int64_t i = 0; i < testing::case_count(400); ++i) {
    const std::vector<int64_t> dimensions = testing::random_dimensions(random, 4, 200);
    const xlashape_element_type type = random.of(testing::all_types());
    const Shape from = testing::random_array(random, type, dimensions);
    const Shape to = testing::random_array(random, type, dimensions);
    const Scene scene(from, &to, {});
    if (scene.storage.sizes().storage_elements > 1 << 17) continue;  // then the captions are about a part
    std::vector<std::pair<int64_t, int64_t>> moves;
    std::vector<int64_t> index;
    int64_t same = 0;
    for (int64_t at = 0; at < scene.storage.sizes().storage_elements; ++at) {
      if (!scene.storage.index_at(at, &index)) continue;
      moves.emplace_back(at, scene.other_storage->position(index));
      same += at * scene.storage.bits() == moves.back().second * scene.other_storage->bits();
    }
    const std::vector<std::string> lines = relayout_captions(scene);
    if (moves.empty()) {
      EXPECT_TRUE(lines.empty());
      continue;
    }
    SCOPED_TRACE(shape_text(scene.storage) + " -> " + shape_text(*scene.other_storage));
    const auto count = static_cast<int64_t>(moves.size());
    EXPECT_EQ(lines.back(), "a relayout reads " + counted(scene.storage.sizes().bytes, "byte") + " and writes " +
                                grouped(scene.other_storage->sizes().bytes));
    if (same == count) {
      EXPECT_EQ(lines[0], "no element moves: each is at the same byte in both");
      continue;
    }
    int64_t runs = 1, longest = 1, run = 1;
    for (size_t m = 1; m < moves.size(); ++m) {
      const bool goes_on = moves[m].first == moves[m - 1].first + 1 && moves[m].second == moves[m - 1].second + 1;
      run = goes_on ? run + 1 : 1;
      runs += !goes_on;
      longest = std::max(longest, run);
    }
    EXPECT_EQ(lines[0], grouped(same) + " of " + counted(count, "element") + (same == 1 ? " is" : " are") +
                            " at the same byte in both");
    EXPECT_EQ(lines[1], longest == 1 ? "no two elements are neighbours in both"
                                     : "elements that are neighbours in both: " + counted(runs, "run") +
                                           ", the longest of " + counted(longest, "element"));
  }
}

// What is shown of one dimension alone ends where the dimension ends, at the largest size, too.
TEST(Captions, ShownIndices) {
  const auto shown = [](std::string_view text) {
    const Shape array = Shape::parse(text);
    Options options;
    options.format = XLASHAPE_DRAW_SVG;
    const Scene scene(array, nullptr, options);
    return shown_captions(scene, options)[0];
  };
  EXPECT_EQ(shown("u8[100003]"), "the cells are dimension 0, size 100,003; shown: 0-1,023, 99,520-100,002");
  EXPECT_THAT(shown("u8[9223372036854775807]"), HasSubstr("-9,223,372,036,854,775,806"));
}

TEST(Captions, BlocksOfTwoShapes) {
  Options options;
  options.overlay_bytes = 4;
  const Shape from = Shape::parse("u8[4,4]"), to = Shape::parse("u8[4,4]{0,1}");
  const Scene scene(from, &to, options);
  EXPECT_THAT(
      overlay_captions(scene, options),
      ElementsAre("blocks of 4 bytes of the first: the first row touches 1 block, the first column touches 4 blocks",
                  "blocks of 4 bytes of the second: the first row touches 4 blocks, the first column touches 1 "
                  "block"));
}

TEST(Captions, NoRelayoutChangesTypes) {
  const Shape from = Shape::parse("f32[4]"), to = Shape::parse("bf16[4]");
  const Scene scene(from, &to, {});
  EXPECT_THAT(relayout_captions(scene),
              ElementsAre("1 of 4 elements is at the same byte in both",
                          "elements that are neighbours in both: 1 run, the longest of 4 elements",
                          "the element types differ: no relayout"));
}

// Where the padding differs, each shape has its own lines.
TEST(Captions, ShownOfTwoShapes) {
  const Shape from = Shape::parse("f32[2,2]"), to = Shape::parse("f32[2,2]{1,0:T(4,2)}");
  const Scene scene(from, &to, {});
  EXPECT_THAT(shown_captions(scene, {}),
              ElementsAre("of the first, rows are dimension 0, size 2", "of the first, columns are dimension 1, size 2",
                          "of the second, rows are dimension 0, size 2 stored as 4",
                          "of the second, columns are dimension 1, size 2", "numbers: position in memory"));
}

TEST(Captions, DynamicSizesAndMetadata) {
  const Shape array = Shape::parse("f32[<=4,3]{1,0:M(16)}");
  const Scene scene(array, nullptr, {});
  EXPECT_THAT(shown_captions(scene, {})[0], HasSubstr("size <=4"));
  EXPECT_THAT(size_captions(scene.storage)[1], HasSubstr("16 bytes in front"));
}

// Blocks that the elements along a dimension touch: different ones.
TEST(Captions, Blocks) {
  Random random(4);
  int64_t seen = 0;
  for (int64_t i = 0; i < testing::case_count(400); ++i) {
    const Shape array =
        testing::random_array(random, random.of(testing::all_types()), testing::random_dimensions(random, 3, 300));
    Options options;
    options.overlay_bytes = int64_t{1} << random.in(0, 7);
    const Scene scene(array, nullptr, options);
    SCOPED_TRACE(shape_text(scene.storage) + " in blocks of " + std::to_string(options.overlay_bytes));
    const std::vector<std::string> lines = overlay_captions(scene, options);
    if (scene.grid.planes.empty()) {
      EXPECT_TRUE(lines.empty());
      continue;
    }
    const auto blocks = [&](int64_t dimension) {
      std::set<int64_t> touched;
      std::vector<int64_t> index(array.dimensions().size(), 0);
      for (int64_t k = 0; k < scene.storage.size(dimension); ++k) {
        index[static_cast<size_t>(dimension)] = k;
        touched.insert(scene.storage.position(index) * scene.storage.bits() / 8 / options.overlay_bytes);
      }
      return " touches " + counted(static_cast<int64_t>(touched.size()), "block");
    };
    ASSERT_EQ(lines.size(), 1u);
    if (scene.grid.is_folded() || scene.grid.columns.dimension < 0) continue;
    ++seen;
    EXPECT_THAT(lines[0], HasSubstr(blocks(scene.grid.columns.dimension)));
    if (scene.grid.rows.dimension >= 0) {
      EXPECT_THAT(lines[0], HasSubstr("the first column" + blocks(scene.grid.rows.dimension)));
    }
  }
  EXPECT_GT(seen, testing::case_count(400) / 20);
}

}  // namespace
}  // namespace xlashape::view
