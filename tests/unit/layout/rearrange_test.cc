// Dimensions of layouts moved, renumbered and taken away.
#include "layout/rearrange.h"

#include <gtest/gtest.h>

#include <vector>

#include "layout/validate.h"

namespace xlashape::core {
namespace {

using List = std::vector<int64_t>;

TEST(Rearrange, Move) {
  Ref<Layout> layout = make_row_major(3);
  layout->padded_dimensions = {4, 5, 6};
  layout->split_dimensions = {0, 2};
  layout->split_sizes = {1, 2};
  layout->split_indices = {1, 2, 3};
  const Ref<Layout> same = move_dimension(*layout, 0, true);
  EXPECT_TRUE(equal(*layout, *same, 0));
  const Ref<Layout> major = move_dimension(*layout, 1, true);
  EXPECT_EQ(major->minor_to_major, (SmallVec<int64_t, 6>{2, 0, 1}));
  EXPECT_EQ(major->padded_dimensions, layout->padded_dimensions);
  EXPECT_EQ(major->split_dimensions, (SmallVec<int64_t, 1>{1, 2}));  // of dimensions 0 and 2, as before
  EXPECT_EQ(major->split_indices, layout->split_indices);
  const Ref<Layout> minor = move_dimension(*layout, 0, false);
  EXPECT_EQ(minor->minor_to_major, (SmallVec<int64_t, 6>{0, 2, 1}));
  EXPECT_EQ(minor->split_dimensions, (SmallVec<int64_t, 1>{2, 1}));
  EXPECT_EQ(validate_layout(*minor, nullptr), XLASHAPE_STATUS_OK);
}

TEST(Rearrange, Delete) {
  Ref<Layout> layout = make_column_major(4);
  layout->padded_dimensions = {4, 5, 6, 7};
  layout->split_dimensions = {0, 2};  // of dimensions 3 and 1
  layout->split_sizes = {1, 1};
  layout->split_indices = {1, 2};
  const std::vector<uint8_t> gone = {0, 1, 0, 0};
  const Ref<Layout> less = without_dimensions(*layout, gone);
  EXPECT_EQ(less->minor_to_major, (SmallVec<int64_t, 6>{0, 1, 2}));
  EXPECT_EQ(less->padded_dimensions, (SmallVec<int64_t, 2>{4, 6, 7}));
  EXPECT_EQ(less->split_dimensions, (SmallVec<int64_t, 1>{0}));
  EXPECT_EQ(less->split_indices, (SmallVec<int64_t, 1>{1}));
  EXPECT_EQ(validate_layout(*less, nullptr), XLASHAPE_STATUS_OK);
  const std::vector<uint8_t> all = {1, 1, 1, 1};
  EXPECT_EQ(without_dimensions(*layout, all)->rank(), 0);
}

TEST(Rearrange, Consecutive) {
  Ref<Layout> layout = make_row_major(4);
  layout->minor_to_major = {2, 0, 3, 1};
  const auto are = [&](const List& dimensions) { return are_consecutive(*layout, dimensions); };
  EXPECT_TRUE(are({}));
  EXPECT_TRUE(are({3}));
  EXPECT_TRUE(are({0, 2}));
  EXPECT_TRUE(are({3, 2, 0}));
  EXPECT_FALSE(are({2, 3}));
  EXPECT_FALSE(are({2, 2}));
  EXPECT_FALSE(are({4}));
  EXPECT_FALSE(are({-1}));
  EXPECT_FALSE(are({0, 1, 2, 3, 0}));
}

}  // namespace
}  // namespace xlashape::core
