// SPDX-License-Identifier: Apache-2.0
// Index maps through the C API: padding told from out of range.
#include "api.h"

namespace {

using api::Error;
using api::index_map;
using api::IndexMap;
using api::Ints;
using api::message;
using api::ok;
using api::shape;
using testing::HasSubstr;

int64_t linear_of(const IndexMap& map, const Ints& index) {
  int64_t linear = -1;
  ok(xlashape_index_map_linear_index, map.get(), index.data(), static_cast<int64_t>(index.size()), &linear);
  return linear;
}

TEST(IndexMap, BothWaysOverTilesAndPadding) {
  const IndexMap map = index_map("f32[3,5]{1,0:T(2,4)L(100)}");
  EXPECT_EQ(xlashape_index_map_rank(map.get()), 2);
  EXPECT_EQ(xlashape_index_map_storage_elements(map.get()), 100);
  EXPECT_EQ(linear_of(map, {0, 0}), 0);
  EXPECT_EQ(linear_of(map, {1, 0}), 4);
  EXPECT_EQ(linear_of(map, {0, 4}), 8);
  EXPECT_EQ(linear_of(map, {2, 4}), 24);
  int64_t elements = 0;
  for (int64_t linear = 0; linear < 100; ++linear) {
    Ints index = {-5, -5};
    int32_t is_padding = -5;
    ok(xlashape_index_map_multidimensional_index, map.get(), linear, index.data(), 2, &is_padding);
    if (is_padding == 1) {
      EXPECT_EQ(index, (Ints{-1, -1}));
    } else {
      EXPECT_EQ(is_padding, 0);
      EXPECT_EQ(linear_of(map, index), linear);
      ++elements;
    }
  }
  EXPECT_EQ(elements, 15);
}

// Layouts without tiles of few dimensions and of many, permuted and padded: each index by hand.
TEST(IndexMap, EveryRank) {
  for (int rank = 1; rank <= 9; ++rank) {
    for (int turn = 0; turn < rank; ++turn) {
      for (const bool padded : {false, true}) {
        // Sizes 1, 2, 3, 1, ... and minor_to_major turned by some places.
        std::string dimensions, order, room;
        Ints size, most, stride(static_cast<size_t>(rank));
        for (int d = 0; d < rank; ++d) {
          size.push_back(d % 3 + 1);
          most.push_back(size.back() + (padded && d % 2 == 1 ? 2 : 0));
          const char* const comma = d > 0 ? "," : "";
          dimensions += comma + std::to_string(size.back());
          room += comma + std::to_string(most.back());
          order += comma + std::to_string((d + turn) % rank);
        }
        int64_t step = 1;
        for (int i = 0; i < rank; ++i) {
          const auto d = static_cast<size_t>((i + turn) % rank);
          stride[d] = step;
          step *= most[d];
        }
        const std::string text =
            "u8[" + dimensions + "]{" + order + (padded && rank > 1 ? ":PD(" + room + ")" : "") + "}";
        const IndexMap map = index_map(text.c_str());
        Ints index(static_cast<size_t>(rank));
        for (bool more = true; more;) {
          int64_t wanted = 0;
          for (size_t d = 0; d < index.size(); ++d) wanted += index[d] * stride[d];
          ASSERT_EQ(linear_of(map, index), wanted) << text;
          more = false;
          for (size_t d = index.size(); d-- > 0 && !more;) more = ++index[d] < size[d] || (index[d] = 0);
        }
        for (size_t d = 0; d < index.size(); ++d) {
          index[d] = size[d];
          int64_t linear = -9;
          EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_index_map_linear_index, map.get(), index.data(),
                              static_cast<int64_t>(rank), &linear),
                      HasSubstr("index[" + std::to_string(d) + "] is " + std::to_string(size[d]) + ", not in [0, " +
                                std::to_string(size[d]) + ")"));
          EXPECT_EQ(linear, -9);
          index[d] = 0;
        }
      }
    }
  }
}

// A later tile may have more sizes than there are dimensions to cut by then: [12] is [6,2] after the first one, and
// [1,6,2] for the second. XLA's DelinearizeIndexForNestedTiling goes wrong on these.
TEST(IndexMap, ALaterTileMayHaveMoreSizesThanDimensions) {
  const IndexMap map = index_map("f32[12]{0:T(2)(2,2,2)}");
  EXPECT_EQ(xlashape_index_map_storage_elements(map.get()), 24);
  for (int64_t linear = 0; linear < 24; ++linear) {
    Ints index = {-5};
    int32_t is_padding = -5;
    ok(xlashape_index_map_multidimensional_index, map.get(), linear, index.data(), 1, &is_padding);
    EXPECT_EQ(is_padding, linear % 8 < 4 ? 0 : 1) << linear;
    if (is_padding == 1) continue;
    EXPECT_EQ(index, (Ints{linear / 8 * 4 + linear % 8})) << linear;
    EXPECT_EQ(linear_of(map, index), linear);
  }
}

TEST(IndexMap, ScalarsAndEmptyArrays) {
  const IndexMap scalar = index_map("f32[]"), empty = index_map("f32[2,0]");
  int64_t linear = -1;
  ok(xlashape_index_map_linear_index, scalar.get(), nullptr, 0, &linear);
  EXPECT_EQ(linear, 0);
  int32_t is_padding = -5;
  ok(xlashape_index_map_multidimensional_index, scalar.get(), 0, nullptr, 0, &is_padding);
  EXPECT_EQ(is_padding, 0);
  EXPECT_EQ(xlashape_index_map_storage_elements(empty.get()), 0);
  const int64_t index[2] = {0, 0};
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_index_map_linear_index, empty.get(), index, 2, &linear);
}

TEST(IndexMap, OutOfRangeIsSaidWithThePlace) {
  const IndexMap map = index_map("f32[3,5]{1,0:T(2,4)}");
  int64_t linear = -9;
  const auto refused = [&](const Ints& index) {
    return message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_index_map_linear_index, map.get(), index.data(),
                   static_cast<int64_t>(index.size()), &linear);
  };
  EXPECT_THAT(refused({3, 0}), HasSubstr("index[0] is 3, not in [0, 3)"));
  EXPECT_THAT(refused({0, -1}), HasSubstr("index[1] is -1, not in [0, 5)"));
  EXPECT_THAT(refused({INT64_MIN, 0}), HasSubstr("index[0]"));
  EXPECT_THAT(refused({0, INT64_MAX}), HasSubstr("index[1]"));
  EXPECT_THAT(refused({0}), HasSubstr("rank 2"));
  EXPECT_THAT(refused({0, 0, 0}), HasSubstr("rank 2"));
  EXPECT_EQ(linear, -9);
  int64_t out[2] = {-9, -9};
  int32_t is_padding = -9;
  for (const int64_t bad : {int64_t{-1}, int64_t{32}, INT64_MIN, INT64_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_index_map_multidimensional_index, map.get(), bad, out, 2,
                        &is_padding),
                HasSubstr(std::to_string(bad)));
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_index_map_multidimensional_index, map.get(), 0, out, 3, &is_padding);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_index_map_multidimensional_index, map.get(), 0, out, 2,
                      nullptr),
              HasSubstr("is_padding"));
  EXPECT_EQ(out[0], -9);
  EXPECT_EQ(is_padding, -9);
}

TEST(IndexMap, WhatHasNone) {
  xlashape_index_map* made = nullptr;
  for (const char* text : {"(f32[2])", "token[]", "opaque[]", "f32[?]"}) {
    const auto s = shape(text);
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_index_map_create, s.get(), &made);
  }
  EXPECT_EQ(made, nullptr);
}

TEST(IndexMap, Retain) {
  const IndexMap map = index_map("f32[3,5]");
  EXPECT_EQ(xlashape_index_map_retain(map.get()), map.get());
  xlashape_index_map_release(map.get());
  EXPECT_EQ(xlashape_index_map_rank(map.get()), 2);
}

}  // namespace
