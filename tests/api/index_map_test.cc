// Index maps through the C API: single conversions and batches, padding told from out of range.
#include "api.h"

namespace {

using api::Error;
using api::index_map;
using api::IndexMap;
using api::Ints;
using api::message;
using api::null_refused;
using api::ok;
using api::shape;
using testing::HasSubstr;

int64_t linear_of(const IndexMap& map, const Ints& index) {
  int64_t linear = -1;
  ok([&](auto* err) {
    return xlashape_index_map_linear_index(map.get(), index.data(), static_cast<int64_t>(index.size()), &linear, err);
  });
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
    ok([&](auto* err) {
      return xlashape_index_map_multidimensional_index(map.get(), linear, index.data(), 2, &is_padding, err);
    });
    if (is_padding == 1) {
      EXPECT_EQ(index, (Ints{-1, -1}));
      EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE,
                          [&](auto* err) {
                            return xlashape_index_map_multidimensional_index(map.get(), linear, index.data(), 2,
                                                                             nullptr, err);
                          }),
                  HasSubstr("padding"));
    } else {
      EXPECT_EQ(is_padding, 0);
      EXPECT_EQ(linear_of(map, index), linear);
      ++elements;
    }
  }
  EXPECT_EQ(elements, 15);
}

// A later tile may have more sizes than there are dimensions to cut by then: [12] is [6,2] after the first one, and
// [1,6,2] for the second. XLA's DelinearizeIndexForNestedTiling goes wrong on these.
TEST(IndexMap, ALaterTileMayHaveMoreSizesThanDimensions) {
  const IndexMap map = index_map("f32[12]{0:T(2)(2,2,2)}");
  EXPECT_EQ(xlashape_index_map_storage_elements(map.get()), 24);
  for (int64_t linear = 0; linear < 24; ++linear) {
    Ints index = {-5};
    int32_t is_padding = -5;
    ok([&](auto* err) {
      return xlashape_index_map_multidimensional_index(map.get(), linear, index.data(), 1, &is_padding, err);
    });
    EXPECT_EQ(is_padding, linear % 8 < 4 ? 0 : 1) << linear;
    if (is_padding == 1) continue;
    EXPECT_EQ(index, (Ints{linear / 8 * 4 + linear % 8})) << linear;
    EXPECT_EQ(linear_of(map, index), linear);
  }
}

TEST(IndexMap, ScalarsAndEmptyArrays) {
  const IndexMap scalar = index_map("f32[]"), empty = index_map("f32[2,0]");
  int64_t linear = -1;
  ok([&](auto* err) { return xlashape_index_map_linear_index(scalar.get(), nullptr, 0, &linear, err); });
  EXPECT_EQ(linear, 0);
  ok([&](auto* err) { return xlashape_index_map_multidimensional_index(scalar.get(), 0, nullptr, 0, nullptr, err); });
  EXPECT_EQ(xlashape_index_map_storage_elements(empty.get()), 0);
  const int64_t index[2] = {0, 0};
  message(XLASHAPE_STATUS_OUT_OF_RANGE,
          [&](auto* err) { return xlashape_index_map_linear_index(empty.get(), index, 2, &linear, err); });
}

TEST(IndexMap, OutOfRangeIsSaidWithThePlace) {
  const IndexMap map = index_map("f32[3,5]{1,0:T(2,4)}");
  int64_t linear = -9;
  const auto refused = [&](const Ints& index) {
    return message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) {
      return xlashape_index_map_linear_index(map.get(), index.data(), static_cast<int64_t>(index.size()), &linear, err);
    });
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
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE,
                        [&](auto* err) {
                          return xlashape_index_map_multidimensional_index(map.get(), bad, out, 2, &is_padding, err);
                        }),
                HasSubstr(std::to_string(bad)));
  message(XLASHAPE_STATUS_OUT_OF_RANGE,
          [&](auto* err) { return xlashape_index_map_multidimensional_index(map.get(), 0, out, 3, &is_padding, err); });
  EXPECT_EQ(out[0], -9);
  EXPECT_EQ(is_padding, -9);
}

TEST(IndexMap, WhatHasNone) {
  xlashape_index_map* made = nullptr;
  for (const char* text : {"(f32[2])", "token[]", "opaque[]", "f32[?]"}) {
    const auto s = shape(text);
    message(XLASHAPE_STATUS_UNSUPPORTED, [&](auto* err) { return xlashape_index_map_create(s.get(), &made, err); });
  }
  EXPECT_EQ(made, nullptr);
}

// Every position of a shape, as a batch, in both arrangements of the answer.
TEST(IndexMapBatch, AgreesWithSingleConversions) {
  const IndexMap map = index_map("u8[3,4,5]{0,2,1:T(2,4)(2,1)}");
  const int64_t positions = xlashape_index_map_storage_elements(map.get()), rank = 3;
  Ints linear(static_cast<size_t>(positions));
  for (size_t i = 0; i < linear.size(); ++i) linear[i] = static_cast<int64_t>(i);
  const struct { int64_t index_step, dimension_step; } arrangements[] = {{1, positions}, {rank, 1}, {2 * rank, 2}};
  for (const auto& a : arrangements) {
    Ints index(static_cast<size_t>(2 * positions * rank), -7);
    int64_t bad = -7;
    ok([&](auto* err) {
      return xlashape_index_map_multidimensional_indices(nullptr, map.get(), positions, linear.data(), index.data(),
                                                         a.index_step, a.dimension_step, XLASHAPE_INDEX_MARK_BAD, &bad,
                                                         err);
    });
    EXPECT_EQ(bad, positions - 60);
    for (int64_t i = 0; i < positions; ++i) {
      Ints want(3);
      int32_t is_padding;
      ASSERT_EQ(xlashape_index_map_multidimensional_index(map.get(), i, want.data(), 3, &is_padding, nullptr), 0);
      for (int64_t d = 0; d < rank; ++d)
        EXPECT_EQ(index[static_cast<size_t>(i * a.index_step + d * a.dimension_step)], want[static_cast<size_t>(d)]);
    }
    Ints back(static_cast<size_t>(positions), -7);
    bad = -7;
    ok([&](auto* err) {
      return xlashape_index_map_linear_indices(nullptr, map.get(), positions, index.data(), a.index_step,
                                               a.dimension_step, back.data(), XLASHAPE_INDEX_MARK_BAD, &bad, err);
    });
    EXPECT_EQ(bad, positions - 60) << "indices of padding are -1, which are no indices";
    for (int64_t i = 0; i < positions; ++i) {
      const bool padding = index[static_cast<size_t>(i * a.index_step)] < 0;
      EXPECT_EQ(back[static_cast<size_t>(i)], padding ? -1 : i);
    }
  }
}

TEST(IndexMapBatch, MemoryIsNotShared) {
  const IndexMap map = index_map("u8[5,7]");
  int64_t memory[64] = {};
  // Three indices of two entries and three positions, at each distance of each other.
  for (int64_t apart = -9; apart <= 9; ++apart) {
    int64_t *index = memory + 20, *linear = index + apart;
    for (const auto& [index_step, dimension_step] : {std::pair<int64_t, int64_t>{2, 1}, {1, 3}, {-2, -1}}) {
      const int64_t low = index_step < 0 ? -5 : 0;
      const bool shared = apart < low + 6 && apart + 3 > low;
      const xlashape_status want = shared ? XLASHAPE_STATUS_INVALID_ARGUMENT : XLASHAPE_STATUS_OK;
      std::fill(std::begin(memory), std::end(memory), 0);
      EXPECT_EQ(xlashape_index_map_linear_indices(nullptr, map.get(), 3, index, index_step, dimension_step, linear, 0,
                                                  nullptr, nullptr),
                want)
          << apart;
      EXPECT_EQ(xlashape_index_map_multidimensional_indices(nullptr, map.get(), 3, linear, index, index_step,
                                                            dimension_step, 0, nullptr, nullptr),
                want)
          << apart;
    }
  }
}

TEST(IndexMapBatch, EntriesThatAreWrittenDoNotOverlap) {
  const IndexMap map = index_map("u8[5,7]");
  const int64_t linear[] = {0, 1, 2};
  int64_t index[64] = {};
  const struct {
    int64_t index_step, dimension_step;
    bool good;
  } cases[] = {{2, 1, true},  {1, 3, true},  {-2, 1, true}, {3, -1, true}, {5, 2, true},   {0, 1, false},
               {1, 0, false}, {0, 0, false}, {1, 1, false}, {1, 2, false}, {1, -2, false}, {-1, 1, false}};
  for (const auto& c : cases) {
    const auto call = [&](auto* err) {
      return xlashape_index_map_multidimensional_indices(nullptr, map.get(), 3, linear, index + 32, c.index_step,
                                                         c.dimension_step, 0, nullptr, err);
    };
    if (c.good) {
      ok(call);
    } else {
      EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, call), HasSubstr("may overlap"));
    }
  }
}

TEST(IndexMapBatch, FirstBadEntryEndsIt) {
  const IndexMap map = index_map("f32[3,5]");
  const int64_t index[] = {0, 0, 1, 1, 2, 5, 3, 0};
  int64_t linear[4] = {-7, -7, -7, -7}, bad = -7;
  Error err = api::failure(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* e) {
    return xlashape_index_map_linear_indices(nullptr, map.get(), 4, index, 2, 1, linear, 0, &bad, e);
  });
  EXPECT_EQ(err.index, 2);
  EXPECT_EQ(linear[0], 0);
  EXPECT_EQ(linear[1], 6);
  const int64_t positions[] = {14, 0, 15, -1};
  int64_t out[8];
  err = api::failure(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* e) {
    return xlashape_index_map_multidimensional_indices(nullptr, map.get(), 4, positions, out, 2, 1, 0, nullptr, e);
  });
  EXPECT_EQ(err.index, 2);
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 4);
}

TEST(IndexMapBatch, RefusesBadCalls) {
  const IndexMap map = index_map("f32[3,5]");
  int64_t a[2] = {0, 0}, b[2] = {0, 0};
  null_refused("map", [&](auto* err) {
    return xlashape_index_map_linear_indices(nullptr, nullptr, 1, a, 2, 1, b, 0, nullptr, err);
  });
  null_refused("index", [&](auto* err) {
    return xlashape_index_map_linear_indices(nullptr, map.get(), 1, nullptr, 2, 1, b, 0, nullptr, err);
  });
  null_refused("linear", [&](auto* err) {
    return xlashape_index_map_linear_indices(nullptr, map.get(), 1, a, 2, 1, nullptr, 0, nullptr, err);
  });
  null_refused("map", [&](auto* err) {
    return xlashape_index_map_multidimensional_indices(nullptr, nullptr, 1, a, b, 2, 1, 0, nullptr, err);
  });
  null_refused("linear", [&](auto* err) {
    return xlashape_index_map_multidimensional_indices(nullptr, map.get(), 1, nullptr, b, 2, 1, 0, nullptr, err);
  });
  null_refused("index", [&](auto* err) {
    return xlashape_index_map_multidimensional_indices(nullptr, map.get(), 1, a, nullptr, 2, 1, 0, nullptr, err);
  });
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT,
                      [&](auto* err) {
                        return xlashape_index_map_linear_indices(nullptr, map.get(), -1, a, 2, 1, b, 0, nullptr, err);
                      }),
              HasSubstr("count is -1"));
  message(XLASHAPE_STATUS_INCOMPATIBLE, [&](auto* err) {
    return xlashape_index_map_linear_indices(nullptr, map.get(), 1, a, 2, 1, b, 1u << 20, nullptr, err);
  });
  ok([&](auto* err) {
    return xlashape_index_map_linear_indices(nullptr, map.get(), 0, nullptr, 2, 1, nullptr, 0, nullptr, err);
  });
  ok([&](auto* err) {
    return xlashape_index_map_multidimensional_indices(nullptr, map.get(), 0, nullptr, nullptr, 2, 1, 0, nullptr, err);
  });
}

TEST(IndexMap, NullIsRefusedOrAnsweredWithNothing) {
  const auto s = shape("f32[3,5]");
  const IndexMap map = index_map("f32[3,5]");
  int64_t index[2] = {0, 0}, linear;
  xlashape_index_map* made = nullptr;
  null_refused("shape", [&](auto* err) { return xlashape_index_map_create(nullptr, &made, err); });
  null_refused("map", [&](auto* err) { return xlashape_index_map_create(s.get(), nullptr, err); });
  null_refused("map", [&](auto* err) { return xlashape_index_map_linear_index(nullptr, index, 2, &linear, err); });
  null_refused("index",
               [&](auto* err) { return xlashape_index_map_linear_index(map.get(), nullptr, 2, &linear, err); });
  null_refused("linear", [&](auto* err) { return xlashape_index_map_linear_index(map.get(), index, 2, nullptr, err); });
  null_refused(
      "map", [&](auto* err) { return xlashape_index_map_multidimensional_index(nullptr, 0, index, 2, nullptr, err); });
  null_refused("index", [&](auto* err) {
    return xlashape_index_map_multidimensional_index(map.get(), 0, nullptr, 2, nullptr, err);
  });
  EXPECT_EQ(xlashape_index_map_rank(nullptr), 0);
  EXPECT_EQ(xlashape_index_map_storage_elements(nullptr), 0);
  EXPECT_EQ(xlashape_index_map_retain(nullptr), nullptr);
  xlashape_index_map_release(nullptr);
  EXPECT_EQ(xlashape_index_map_retain(map.get()), map.get());
  xlashape_index_map_release(map.get());
}

}  // namespace
