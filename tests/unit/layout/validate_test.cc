// The rules of layouts: each broken once, each kept at its edge.
#include "layout/validate.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace xlashape::core {
namespace {

Ref<Layout> two() {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major = {0, 1};
  return layout;
}

// The message of the broken rule, or "" where all are kept.
std::string broken(const std::function<void(Layout&)>& change, std::vector<int64_t> dimensions = {}) {
  const Ref<Layout> layout = two();
  change(*layout);
  xlashape_error err{};
  err.struct_size = sizeof err;
  Status status = validate_layout(*layout, &err);
  if (!status && !dimensions.empty()) status = validate_layout_for(*layout, dimensions, &err);
  EXPECT_TRUE(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_INVALID_ARGUMENT);
  return status ? err.message : "";
}

TEST(Validate, Order) {
  EXPECT_EQ(broken([](Layout&) {}), "");
  EXPECT_NE(broken([](Layout& l) { l.minor_to_major = {0, 0}; }).find("twice"), std::string::npos);
  EXPECT_NE(broken([](Layout& l) { l.minor_to_major = {0, 2}; }).find("2"), std::string::npos);
  EXPECT_NE(broken([](Layout& l) { l.minor_to_major = {0, -1}; }), "");
  EXPECT_NE(broken([](Layout&) {}, {1, 2, 3}).find("rank 3"), std::string::npos);
  const auto without = [](int64_t space) {
    return [space](Layout& l) {
      l.minor_to_major.clear();
      l.memory_space = space;
    };
  };
  EXPECT_EQ(broken(without(5), {1, 2, 3}), "");
  EXPECT_EQ(broken(without(-1), {1}), "");
  EXPECT_NE(broken(without(0), {1, 2, 3}).find("0 entries"), std::string::npos);
  EXPECT_NE(broken([](Layout& l) { l.memory_space = 5; }, {1, 2, 3}).find("rank 3"), std::string::npos);
}

TEST(Validate, Tiles) {
  const auto tile = [](SmallVec<int64_t, 5> sizes) {
    return [sizes](Layout& l) {
      l.tile_ranks = {sizes.ssize()};
      l.tile_dimensions = sizes;
    };
  };
  EXPECT_EQ(broken(tile({1, 8})), "");
  EXPECT_EQ(broken(tile({XLASHAPE_COMBINE_DIMENSION, 8})), "");
  EXPECT_EQ(broken(tile({XLASHAPE_MATCH_DIMENSION, XLASHAPE_MATCH_DIMENSION})), "");
  EXPECT_NE(broken(tile({XLASHAPE_MATCH_DIMENSION + 1})), "");
  EXPECT_EQ(broken(tile({INT64_MAX, 8, 8})), "");
  EXPECT_EQ(broken(tile({})), "tile level 0 has no sizes");
  EXPECT_EQ(broken([](Layout& l) {
              l.tile_ranks = {1, 0};
              l.tile_dimensions = {8};
            }),
            "tile level 1 has no sizes");
  EXPECT_NE(broken(tile({0})), "");
  EXPECT_NE(broken(tile({8, -1})).find("-1"), std::string::npos);
}

TEST(Validate, Padding) {
  EXPECT_EQ(broken([](Layout& l) { l.padded_dimensions = {3, 4}; }, {3, 4}), "");
  EXPECT_EQ(broken([](Layout& l) { l.padding_value = XLASHAPE_PAD_UNKNOWN; }, {3, 4}), "");
  EXPECT_NE(broken([](Layout& l) { l.padded_dimensions = {3}; }), "");
  EXPECT_NE(broken([](Layout& l) { l.padded_dimensions = {3, -1}; }), "");
  EXPECT_NE(broken([](Layout& l) { l.padded_dimensions = {3, 3}; }, {3, 4}), "");
  EXPECT_NE(broken(
                [](Layout& l) {
                  l.padded_dimensions = {3, 9};
                },
                {3, XLASHAPE_DIMENSION_UNBOUNDED})
                .find("unbounded"),
            std::string::npos);
  EXPECT_NE(broken([](Layout& l) { l.padding_value = 6; }), "");
  EXPECT_NE(broken([](Layout& l) { l.padding_value = -1; }), "");
}

TEST(Validate, Numbers) {
  EXPECT_EQ(broken([](Layout& l) { l.element_size_in_bits = 3; }), "");
  EXPECT_NE(broken([](Layout& l) { l.element_size_in_bits = -1; }), "");
  EXPECT_NE(broken([](Layout& l) { l.tail_padding_alignment = 0; }), "");
  EXPECT_NE(broken([](Layout& l) { l.metadata_prefix_bytes = -1; }), "");
}

TEST(Validate, Splits) {
  const auto split = [](SmallVec<int64_t, 1> dimensions, SmallVec<int64_t, 1> sizes, SmallVec<int64_t, 1> indices) {
    return [=](Layout& l) {
      l.split_dimensions = dimensions;
      l.split_sizes = sizes;
      l.split_indices = indices;
    };
  };
  const std::vector<int64_t> bounds = {10, 20};  // physical dimension 0 is dimension 1, of size 20
  EXPECT_EQ(broken(split({0, 1}, {2, 1}, {5, 19, 9}), bounds), "");
  EXPECT_EQ(broken(split({0}, {0}, {}), bounds), "");
  EXPECT_NE(broken(split({0}, {1}, {20}), bounds), "");
  EXPECT_NE(broken(split({1}, {1}, {10}), bounds), "");
  EXPECT_NE(broken(split({0}, {2}, {5, 5})), "");
  EXPECT_NE(broken(split({0}, {1}, {0})), "");
  EXPECT_NE(broken(split({2}, {1}, {1})), "");
  EXPECT_NE(broken(split({-1}, {1}, {1})), "");
  EXPECT_NE(broken(split({0, 0}, {1, 1}, {1, 2})), "");
  EXPECT_EQ(broken(split({0}, {1}, {1000}), {10, XLASHAPE_DIMENSION_UNBOUNDED}),
            "physical dimension 0 is unbounded and cannot be split");
  EXPECT_EQ(broken(split({0, 1}, {0, 1}, {9}), {10, XLASHAPE_DIMENSION_UNBOUNDED}), "");
}

TEST(Validate, MillionsOfDimensionsAreJudgedAtOnce) {
  const Ref<Layout> layout = make_row_major(1 << 20);
  for (int64_t d = 0; d < 1 << 20; ++d) {
    layout->split_dimensions.push_back(d);
    layout->split_sizes.push_back(0);
  }
  EXPECT_EQ(validate_layout(*layout, nullptr), XLASHAPE_STATUS_OK);
}

}  // namespace
}  // namespace xlashape::core
