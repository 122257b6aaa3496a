// SPDX-License-Identifier: Apache-2.0
// What is shown: cells against the storage, the number of them, and the text in each.
#include "view/scene.h"

#include <gtest/gtest.h>

#include <set>

#include "view/captions.h"
#include "view/cell_text.h"
#include "view/random_array.h"

namespace xlashape::view {
namespace {

using testing::Random;

template <class F>
void for_each_cell(const Grid& grid, F&& f) {
  for (const Plane& plane : grid.planes)
    for (size_t row = 0; row < grid.row_units.size(); ++row)
      for (size_t column = 0; column < grid.column_units.size(); ++column)
        f(plane, row, column, grid.cell(plane, row, column));
}

std::string expected_text(const Storage& storage, const std::vector<int64_t>& index, uint32_t show) {
  const int64_t position = storage.position(index), bit = position * storage.bits();
  switch (show) {
    case XLASHAPE_DRAW_POSITION:
      return std::to_string(position);
    case XLASHAPE_DRAW_INDEX: {
      std::string text;
      for (size_t d = 0; d < index.size(); ++d) text += (d == 0 ? "" : ",") + std::to_string(index[d]);
      return text;
    }
    case XLASHAPE_DRAW_BYTE:
      return std::to_string(bit / 8) + (storage.bits() < 8 ? "." + std::to_string(bit % 8) : "");
    case XLASHAPE_DRAW_TILE:
      return storage.levels() == 0 ? "" : std::to_string(position / storage.tile_positions(0));
    case XLASHAPE_DRAW_LANE:
      return std::to_string(bit / 32 / 128 % 8) + "." + std::to_string(bit / 32 % 128);
    default:
      return "";
  }
}

TEST(Scene, RandomArrays) {
  Random random(5);
  for (int64_t i = 0; i < testing::case_count(1000); ++i) {
    const Shape array = testing::random_array(random, random.of(testing::all_types()),
                                              testing::random_dimensions(random, 5, random.chance(20) ? 20'000 : 400));
    Options options;
    options.format = static_cast<uint32_t>(random.in(XLASHAPE_DRAW_TEXT, XLASHAPE_DRAW_HTML));
    options.show = static_cast<uint32_t>(random.in(0, XLASHAPE_DRAW_NOTHING));
    options.max_cells = random.chance(30) ? random.in(9, 60) : 1024;
    options.columns = random.in(20, 120);
    if (random.chance(30))
      for (const int64_t size : array.dimensions())
        options.at.push_back(random.chance(50) && size > 0 ? random.in(0, size - 1) : -1);
    const Scene scene(array, nullptr, options);
    const Grid& grid = scene.grid;
    SCOPED_TRACE(shape_text(scene.storage) + " format " + std::to_string(options.format) + " max_cells " +
                 std::to_string(options.max_cells) + " columns " + std::to_string(options.columns));
    const int64_t widest = widest_text(scene.storage, grid.level, options);
    int64_t cells = 0, elements = 0;
    std::set<int64_t> positions;
    for_each_cell(grid, [&](const Plane& plane, size_t row, size_t column, const Cell& cell) {
      ++cells;
      if (cell.kind == Kind::kNothing) return;
      const std::vector<int64_t> index = grid.index_of(plane, row, column);
      EXPECT_EQ(cell.position, scene.storage.position(index));
      EXPECT_TRUE(positions.insert(cell.position).second) << "position " << cell.position << " is drawn twice";
      ASSERT_EQ(cell.kind, scene.storage.holds_element(index) ? Kind::kElement : Kind::kPadding);
      for (size_t d = 0; d < options.at.size(); ++d) EXPECT_TRUE(options.at[d] < 0 || index[d] == options.at[d]);
      if (cell.kind != Kind::kElement) return;
      ++elements;
      const std::string text = cell_text(grid, plane, row, column, options);
      EXPECT_EQ(text, expected_text(scene.storage, index, options.show));
      EXPECT_LE(static_cast<int64_t>(text.size()), widest);
    });
    EXPECT_LE(cells, options.max_cells);
    EXPECT_EQ(elements > 0, scene.storage.sizes().elements > 0);
    // Nothing is left out in silence.
    int64_t all = scene.storage.sizes().elements > 0 ? 1 : 0;
    for (size_t d = 0; d < array.dimensions().size(); ++d)
      if (options.at.empty() || options.at[d] < 0) all *= array.dimensions()[d];
    const bool told = grid.rows.shown() < grid.rows.extent || grid.columns.shown() < grid.columns.extent ||
                      static_cast<int64_t>(grid.planes.size()) < grid.plane_count;
    EXPECT_TRUE(told || elements == all);
  }
}

TEST(Scene, LongIndicesAndManyDimensionsKeepTheBudget) {
  for (const char* text :
       {"f32[10,100,10,100,1000,1000]", "f32[100000,2]", "f32[2,100000]", "f32[4,4,4,4,4,4,4,4,4,4]"})
    for (const uint32_t format : {XLASHAPE_DRAW_TEXT, XLASHAPE_DRAW_SVG})
      for (const int64_t most : {9, 10, 26, 27, 28, 100, 4096}) {
        SCOPED_TRACE(std::string(text) + " " + std::to_string(most));
        Options options;
        options.format = format;
        options.max_cells = most;
        const Scene scene(Shape::parse(text), nullptr, options);
        int64_t cells = 0;
        for (const Plane& plane : scene.grid.planes) cells += static_cast<int64_t>(plane.cells.size());
        EXPECT_LE(cells, most);
        EXPECT_GE(cells, 4);
      }
}

TEST(Scene, ManySmallPlanesAndMuchPaddingAreNotShownWhole) {
  for (const uint32_t format : {XLASHAPE_DRAW_TEXT, XLASHAPE_DRAW_SVG}) {
    Options options;
    options.format = format;
    const Shape many = Shape::parse("f32[200,2,2]"), few = Shape::parse("f32[5]{0:T(8192)}");
    const Scene planes(many, nullptr, options), padding(few, nullptr, options);
    EXPECT_EQ(planes.grid.planes.size(), 3u);
    EXPECT_EQ(planes.grid.planes[2].index[0], 199);
    EXPECT_LT(padding.grid.row_units.size(), 50u);
  }
}

// A cell of a picture of tiles is a whole tile, and says where the array ends inside it.
TEST(Scene, Tiles) {
  const Shape array = Shape::parse("u8[10,20]{1,0:T(4,8)(2,1)}");
  for (const int64_t zoom : {1, 2}) {
    Options options;
    options.zoom = zoom;
    const Scene scene(array, nullptr, options);
    const int64_t down = zoom == 2 ? 4 : 2, along = zoom == 2 ? 8 : 1;
    for_each_cell(scene.grid, [&](const Plane& plane, size_t row, size_t column, const Cell& cell) {
      const std::vector<int64_t> index = scene.grid.index_of(plane, row, column);
      EXPECT_EQ(index[0] % down, 0);
      EXPECT_EQ(index[1] % along, 0);
      const bool some = index[0] < 10 && index[1] < 20, all = index[0] + down <= 10 && index[1] + along <= 20;
      EXPECT_EQ(cell.kind, all ? Kind::kElement : some ? Kind::kPartial : Kind::kPadding);
      if (some) {
        EXPECT_EQ(cell_text(scene.grid, plane, row, column, options), std::to_string(cell.position / (down * along)));
      }
    });
  }
}

TEST(Scene, TwoShapesShowTheSameIndicesInTheSameColours) {
  Random random(6);
  for (int64_t i = 0; i < testing::case_count(200); ++i) {
    const std::vector<int64_t> dimensions = testing::random_dimensions(random, 4, 300);
    const Shape from = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    const Shape to = testing::random_array(random, XLASHAPE_TYPE_F32, dimensions);
    Options options;
    options.color_by = static_cast<int32_t>(random.in(0, dimensions.empty() ? 1 : 2));
    const Scene scene(from, &to, options);
    for_each_cell(scene.grid, [&](const Plane& plane, size_t row, size_t column, const Cell& cell) {
      const auto number = static_cast<size_t>(&plane - scene.grid.planes.data());
      if (cell.kind != Kind::kElement) return;  // each has its own padding
      ASSERT_LT(row, scene.other.row_units.size());
      ASSERT_LT(column, scene.other.column_units.size());
      const Cell& there = scene.other.cell(scene.other.planes[number], row, column);
      EXPECT_EQ(there.kind, Kind::kElement);
      EXPECT_EQ(there.position, scene.other_storage->position(scene.grid.index_of(plane, row, column)));
      EXPECT_EQ(std::tie(cell.color.red, cell.color.green, cell.color.blue),
                std::tie(there.color.red, there.color.green, there.color.blue));
    });
    // Each shows as many elements, and nothing that is beyond its own padding.
    int64_t elements[2] = {0, 0};
    for (const Grid* grid : {&scene.grid, &scene.other})
      for_each_cell(*grid, [&](const Plane&, size_t, size_t, const Cell& cell) {
        elements[grid == &scene.other] += cell.kind == Kind::kElement;
        if (!grid->is_folded()) {
          EXPECT_NE(cell.kind, Kind::kNothing);
        }
      });
    EXPECT_EQ(elements[0], elements[1]);
  }
}

}  // namespace
}  // namespace xlashape::view
