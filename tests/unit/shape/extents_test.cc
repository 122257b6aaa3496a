// Bounds: counting, splits, and going from index to index.
#include "shape/extents.h"

#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using testing::parsed;
using List = std::vector<int64_t>;

TEST(Extents, Count) {
  int64_t count;
  ASSERT_EQ(element_count(*parsed("s32[13,17]"), &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 221);
  ASSERT_EQ(element_count(*parsed("b(s32[<=3,0])"), &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 0);
  ASSERT_EQ(element_count(*parsed("f32[0,4294967296,4294967296]"), &count, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(element_count(*parsed("f32[?]"), &count, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(element_count(*parsed("()"), &count, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(true_rank(*parsed("f32[3,0,1]")), 1);
  EXPECT_EQ(true_rank(*parsed("f32[?,1]")), 1);
  EXPECT_EQ(true_rank(*parsed("token[]")), 0);
  EXPECT_TRUE(is_effective_scalar(*parsed("f32[1,1]")));
  EXPECT_TRUE(is_effective_scalar(*parsed("f32[]")));
  EXPECT_FALSE(is_effective_scalar(*parsed("f32[1,0]")));
  EXPECT_FALSE(is_effective_scalar(*parsed("()")));
}

// XLA also refuses a shape whose bytes do not fit; here its size does not, and everything else is answered.
TEST(Extents, ElementsAreJudgedNotBytes) {
  Ref<Shape> shape;
  const List many = {int64_t{1} << 62}, too_many = {int64_t{1} << 62, 2}, none = {int64_t{1} << 62, 0, 4};
  EXPECT_EQ(make_array(XLASHAPE_TYPE_F32, many, {}, nullptr, &shape, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(make_array(XLASHAPE_TYPE_S8, too_many, {}, nullptr, &shape, nullptr), XLASHAPE_STATUS_OVERFLOW);
  EXPECT_EQ(make_array(XLASHAPE_TYPE_S8, none, {}, nullptr, &shape, nullptr), XLASHAPE_STATUS_OK);
}

TEST(Extents, Splits) {
  const Ref<Shape> shape = parsed("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
  int64_t size;
  for (const auto& [dimension, want] : std::vector<std::pair<int64_t, int64_t>>{{0, 150}, {1, 90}, {2, 70}, {-1, 70}}) {
    ASSERT_EQ(max_split_size(*shape, dimension, &size, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(size, want);
  }
  EXPECT_EQ(max_split_size(*shape, 3, &size, nullptr), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(max_split_size(*parsed("f32[?]"), 0, &size, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
  ASSERT_EQ(max_elements_per_split(*shape, &size, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(size, 150 * 90 * 70);
  EXPECT_EQ(max_elements_per_split(*parsed("()"), &size, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

TEST(Extents, NextIndex) {
  const List dimensions = {2, 1, 3};
  List index = {0, 0, 0};
  int visited = 1;
  while (next_index(dimensions, index)) ++visited;
  EXPECT_EQ(visited, 6);
  EXPECT_EQ(index, (List{1, 0, 2}));  // untouched at the end
  List outside = {0, 1, 0}, negative = {0, 0, -1}, shorter = {0, 0}, none = {};
  EXPECT_FALSE(next_index(dimensions, outside));
  EXPECT_FALSE(next_index(dimensions, negative));
  EXPECT_FALSE(next_index(dimensions, shorter));
  EXPECT_FALSE(next_index({}, none));
  List empty = {0, 0};
  EXPECT_FALSE(next_index(List{2, 0}, empty));
  EXPECT_TRUE(index_in_bounds(List{2, 3}, List{1, 2}));
  EXPECT_FALSE(index_in_bounds(List{2, 3}, List{1, 3}));
  EXPECT_FALSE(index_in_bounds(List{XLASHAPE_DIMENSION_UNBOUNDED}, List{0}));
}

TEST(Extents, NextIndexInBox) {
  const List base = {5, -3}, count = {2, 5}, step = {1, 2};
  List index = base;
  std::vector<List> visited = {index};
  while (next_index_in_box({base, count, step, {}}, index)) visited.push_back(index);
  EXPECT_EQ(visited, (std::vector<List>{{5, -3}, {5, -1}, {5, 1}, {6, -3}, {6, -1}, {6, 1}}));
  List end = {INT64_MAX - 1};
  EXPECT_TRUE(next_index_in_box({List{INT64_MAX - 1}, List{9}, List{1}, {}}, end));
  EXPECT_FALSE(next_index_in_box({List{INT64_MAX - 1}, List{9}, List{1}, {}}, end));
  List wide = {INT64_MIN};
  EXPECT_TRUE(next_index_in_box({List{INT64_MIN}, List{INT64_MAX}, List{INT64_MAX - 1}, {}}, wide));
  EXPECT_FALSE(next_index_in_box({List{INT64_MIN}, List{INT64_MAX}, List{INT64_MAX - 1}, {}}, wide));
  List stuck = {0};
  EXPECT_FALSE(next_index_in_box({List{0}, List{5}, List{0}, {}}, stuck));
}

TEST(Extents, Letters) {
  EXPECT_EQ(dimension_letter(2, 0), 'y');
  EXPECT_EQ(dimension_letter(2, 1), 'x');
  EXPECT_EQ(dimension_letter(3, 0), 'z');
  EXPECT_EQ(dimension_letter(4, 0), 'p');
  EXPECT_EQ(dimension_letter(4, -1), 'x');
  EXPECT_EQ(dimension_letter(1, 0), 0);
  EXPECT_EQ(dimension_letter(5, 0), 0);
  EXPECT_EQ(dimension_letter(3, 3), 0);
  for (int64_t rank = 2; rank <= 4; ++rank)
    for (int64_t d = 0; d < rank; ++d) EXPECT_EQ(dimension_from_letter(rank, dimension_letter(rank, d)), d);
  EXPECT_EQ(dimension_from_letter(2, 'z'), -1);
  EXPECT_EQ(dimension_from_letter(3, 0), -1);
  EXPECT_EQ(dimension_from_letter(INT64_MAX, 'x'), -1);
}

}  // namespace
}  // namespace xlashape::core
