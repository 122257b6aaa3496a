// SPDX-License-Identifier: Apache-2.0
// Sizes, strides, bounds and stepping through the C API.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::Ints;
using api::message;
using api::ok;
using api::shape;
using testing::HasSubstr;

xlashape_sizes sizes_of(std::string_view text) {
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  const auto of = shape(text);
  ok(xlashape_shape_sizes, of.get(), &sizes);
  return sizes;
}

TEST(Sizes, CountEverything) {
  const xlashape_sizes s = sizes_of("bf16[3,5]{1,0:T(2,4)L(100)}");
  EXPECT_EQ(s.element_bits, 16);
  EXPECT_EQ(s.elements, 15);
  EXPECT_EQ(s.storage_elements, 100);  // 4 x 8 of tiles, then the tail
  EXPECT_EQ(s.logical_bytes, 30);
  EXPECT_EQ(s.bytes, 200);
  EXPECT_EQ(s.dimension_padding, 32 - 15);
  EXPECT_EQ(s.tail_padding, 68);
  EXPECT_EQ(s.data_bytes, 2 * (24 + 0 + 1));  // the element at [2,4]: tile (1,1), its first position
  EXPECT_EQ(sizes_of("s4[3]{0:E(4)}").bytes, 2);
  EXPECT_EQ(sizes_of("s4[3]").bytes, 3);
  EXPECT_EQ(sizes_of("f32[2,0]").bytes, 0);
  EXPECT_EQ(sizes_of("f32[]").bytes, 4);
  EXPECT_EQ(sizes_of("f32[2,3]{1,0:PD(4,8)}").bytes, 4 * 32);
  EXPECT_EQ(sizes_of("b(f32[2,3])").bytes, 24);
  EXPECT_EQ(sizes_of("f32[<=5,3]").elements, 15);
}

// The least number at whose multiples a dimension can be cut without cutting a byte, found from all positions.
int64_t least_granularity(const xlashape_shape* of, int64_t dimension) {
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  EXPECT_EQ(xlashape_shape_sizes(of, &sizes, nullptr), XLASHAPE_STATUS_OK);
  const auto map = api::make<api::IndexMap>(xlashape_index_map_create, of);
  Ints extents(8);
  int64_t rank = 0;
  EXPECT_EQ(xlashape_shape_dimensions(of, extents.data(), 8, &rank, nullptr), XLASHAPE_STATUS_OK);
  const int64_t extent = extents[static_cast<size_t>(dimension)];
  std::vector<bool> cuts_a_byte(static_cast<size_t>(extent) + 1);
  Ints index(static_cast<size_t>(rank));
  int64_t last_byte = -1, low = 0, high = 0;
  for (int64_t p = 0; p < sizes.storage_elements; ++p) {
    int32_t padding = 0;
    EXPECT_EQ(xlashape_index_map_multidimensional_index(map.get(), p, index.data(), rank, &padding, nullptr), 0);
    if (padding != 0) continue;
    const int64_t i = index[static_cast<size_t>(dimension)];
    const int64_t first = p * sizes.element_bits / 8, last = ((p + 1) * sizes.element_bits - 1) / 8;
    low = first == last_byte ? std::min(low, i) : i;
    high = first == last_byte ? std::max(high, i) : i;
    last_byte = last;
    for (int64_t c = low + 1; c <= high; ++c) cuts_a_byte[static_cast<size_t>(c)] = true;
  }
  for (int64_t g = 1; g < extent; ++g) {
    bool good = true;
    for (int64_t c = g; c < extent; c += g) good &= !cuts_a_byte[static_cast<size_t>(c)];
    if (good) return g;
  }
  return std::max<int64_t>(extent, 1);
}

TEST(Sizes, SayWherePiecesMayBeCut) {
  const struct {
    const char* text;
    Ints want;
  } cases[] = {
      {"f32[3,5]{0,1:T(2,2)}", {1, 1}},
      {"s4[3,5]", {1, 1}},
      {"s4[]", {}},
      {"s4[7]{0:E(4)}", {2}},
      {"s4[0,4]{1,0:E(4)}", {1, 2}},
      {"s4[1,4]{1,0:E(4)}", {1, 2}},
      {"s4[8,6]{1,0:E(4)}", {1, 2}},
      {"s4[8,6]{0,1:E(4)}", {2, 1}},
      {"s4[6,5]{1,0:E(4)}", {2, 5}},
      {"u1[6,5]{1,0:E(1)}", {6, 5}},
      {"u1[16,5]{1,0:E(1)}", {8, 5}},
      {"s2[16,16]{1,0:T(8,16)E(2)}", {1, 4}},
      {"s4[64,128]{1,0:T(64,128)(8,1)E(4)}", {2, 1}},
      {"u1[64,128]{1,0:T(64,128)(8,1)E(1)}", {8, 1}},
      {"u1[64,128]{1,0:T(64,128)(4,1)E(1)}", {4, 2}},
      {"s4[9,9]{1,0:T(3,3)E(4)}", {6, 9}},
      {"s4[4,3,2]{2,1,0:T(*,3)E(4)}", {4, 3, 2}},
      {"u4[5,4]{1,0:E(4)PD(6,4)}", {1, 2}},
      {"b(s4[8,6]{0,1:E(4)})", {2, 1}},
  };
  for (const auto& c : cases) {
    const auto of = shape(c.text);
    SCOPED_TRACE(c.text);
    answers(c.want, xlashape_shape_piece_granularity, of.get());
    if (c.text[0] == 'b' || sizes_of(c.text).elements == 0) continue;
    for (size_t d = 0; d < c.want.size(); ++d) {
      // Multiples of what it says are safe, and it says the least that is, but where tiles do not nest.
      const int64_t least = least_granularity(of.get(), static_cast<int64_t>(d));
      if (std::string_view(c.text).find('*') == std::string_view::npos) {
        EXPECT_EQ(c.want[d], least) << "dimension " << d;
      } else {
        EXPECT_EQ(c.want[d] % least, 0) << "dimension " << d;
      }
    }
  }
  const auto call = [&](const xlashape_shape* of) {
    return [of](auto* err) {
      int64_t needed;
      return xlashape_shape_piece_granularity(of, nullptr, 0, &needed, err);
    };
  };
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, call(shape("(s4[2])").get())), HasSubstr("no storage"));
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, call(shape("s4[?]").get())), HasSubstr("unbounded"));
}

// What looks for the furthest element gives up after so many steps, and a position of a map with many values is many.
TEST(Sizes, LookForTheFurthestElementInBoundedSteps) {
  std::string text = "f32[1]{0:T(1000,1000)";
  for (int level = 0; level < 100; ++level) text += "(3,*,5)";
  const xlashape_sizes s = sizes_of(text + "}");
  EXPECT_LT(s.bytes - s.data_bytes, 4 * 20000) << "an upper bound";
  EXPECT_EQ(sizes_of("f32[1]{0:T(200,100)(3,*,5)}").data_bytes, 4) << "few values: it is found";
}

// Sizes that the TPU compiler printed, with the unpadded ones: README.md shows the same table.
TEST(Sizes, AreThoseThatTpusPrinted) {
  const double M = 1 << 20, G = 1 << 30;
  const struct {
    const char* text;
    double logical, bytes;
  } printed[] = {
      {"s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", 512 * M, 16 * G},
      {"u32[12582912,1]{1,0:T(8,128)}", 48 * M, 6 * G},
      {"s32[8388608,8,4]{2,1,0:T(8,128)}", 1 * G, 32 * G},
      {"s32[8388608,8,4]{0,2,1:T(4,128)}", 1 * G, 1 * G},
      {"bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", 1 * G, 4 * G},
      {"f32[4,128,128,9,18]{4,3,0,2,1:T(8,128)}", 40.5 * M, 512 * M},
      {"s32[29360128,10]{1,0:T(8,128)}", 1.09375 * G, 14 * G},
      {"f32[128,256,896,18]{0,3,2,1:T(8,128)}", 1.96875 * G, 2.625 * G},
      {"bf16[4,512,512,64]{3,0,2,1:T(4,128)(2,1)}", 128 * M, 256 * M},
      {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}", 256 * M, 256 * M},
  };
  for (const auto& p : printed) {
    SCOPED_TRACE(p.text);
    const xlashape_sizes s = sizes_of(p.text);
    EXPECT_EQ(static_cast<double>(s.logical_bytes), p.logical);
    EXPECT_EQ(static_cast<double>(s.bytes), p.bytes);
  }
}

TEST(Sizes, WhatHasNoneSaysSo) {
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  for (const char* text : {"()", "(f32[2])", "token[]", "opaque[]", "f32[?]"}) {
    const auto s = shape(text);
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_sizes, s.get(), &sizes);
  }
  const auto huge = shape("f64[4611686018427387904]");
  message(XLASHAPE_STATUS_OVERFLOW, xlashape_shape_sizes, huge.get(), &sizes);
  EXPECT_EQ(sizes.elements, 0);
}

TEST(Sizes, ByteSizeOfEveryKind) {
  const auto byte_size = [](std::string_view text, int64_t pointer_size, uint32_t flags = 0) {
    const auto s = shape(text);
    int64_t bytes = -1;
    ok(xlashape_shape_byte_size, s.get(), pointer_size, flags, &bytes);
    return bytes;
  };
  EXPECT_EQ(byte_size("f32[2,3]", 0), 24);
  EXPECT_EQ(byte_size("(f32[2,3], f32[7], ())", 8), 24);
  EXPECT_EQ(byte_size("()", 8), 0);
  EXPECT_EQ(byte_size("token[]", 0), 0);
  EXPECT_EQ(byte_size("opaque[]", 4), 4);
  EXPECT_EQ(byte_size("b(f32[2,3])", 0), 24);
  EXPECT_EQ(byte_size("bf16[16,16]{1,0:T(8,128)(2,1)}", 0, XLASHAPE_SIZE_XLA), 2 * 16 * 128);
  const auto tuple = shape("(f32[2])"), unbounded = shape("f32[?]");
  int64_t bytes = -1;
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_byte_size, tuple.get(), 0, 0, &bytes),
              HasSubstr("pointer_size"));
  message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_byte_size, unbounded.get(), 8, 0, &bytes);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_byte_size, tuple.get(), -8, 0, &bytes),
              HasSubstr("pointer_size is -8"));
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_byte_size, tuple.get(), 8, 1u << 9, &bytes);
  EXPECT_EQ(bytes, -1);
}

TEST(Sizes, ElementCountAndRanks) {
  const auto count = [](std::string_view text) {
    const auto s = shape(text);
    int64_t elements = -1;
    ok(xlashape_shape_element_count, s.get(), &elements);
    return elements;
  };
  EXPECT_EQ(count("f32[2,3]"), 6);
  EXPECT_EQ(count("f32[]"), 1);
  EXPECT_EQ(count("f32[2,0]"), 0);
  EXPECT_EQ(xlashape_shape_true_rank(shape("f32[2,1,3]").get()), 2);
  for (const char* text : {"f32[3,0,1]", "f32[?,1]"}) EXPECT_EQ(xlashape_shape_true_rank(shape(text).get()), 1);
  for (const char* text : {"(f32[2])", "token[]"}) EXPECT_EQ(xlashape_shape_true_rank(shape(text).get()), 0);
  for (const char* text : {"f32[1,1]", "f32[]"}) EXPECT_EQ(xlashape_shape_is_effective_scalar(shape(text).get()), 1);
  for (const char* text : {"f32[1,2]", "f32[1,0]", "()"})
    EXPECT_EQ(xlashape_shape_is_effective_scalar(shape(text).get()), 0);
  int64_t elements = -1;
  for (const char* text : {"(f32[2])", "token[]", "f32[2,?]"}) {
    const auto s = shape(text);
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_element_count, s.get(), &elements);
  }
  EXPECT_EQ(elements, -1);
}

TEST(Strides, InEveryUnit) {
  const auto s = shape("s4[3,5]{0,1:E(4)}"), f = shape("f32[3,5]"), t = shape("f32[16,256]{1,0:T(8,128)}");
  const auto strides = [](const api::Shape& of, int32_t unit) {
    return [&of, unit](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_shape_strides(of.get(), unit, out, capacity, needed, err);
    };
  };
  answers<int64_t>({1, 3}, strides(s, XLASHAPE_UNIT_ELEMENTS));
  answers<int64_t>({4, 12}, strides(s, XLASHAPE_UNIT_BITS));
  answers<int64_t>({5, 1}, strides(f, XLASHAPE_UNIT_ELEMENTS));
  answers<int64_t>({20, 4}, strides(f, XLASHAPE_UNIT_BYTES));
  int64_t out[4], needed;
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED,
                      [&](auto* err) { return strides(s, XLASHAPE_UNIT_BYTES)(out, 4, &needed, err); }),
              HasSubstr("4 bits"));
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED,
                      [&](auto* err) { return strides(t, XLASHAPE_UNIT_BYTES)(out, 4, &needed, err); }),
              HasSubstr("tiles"));
  for (const int32_t unit : {-1, 3})
    EXPECT_THAT(
        message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* err) { return strides(f, unit)(out, 4, &needed, err); }),
        HasSubstr("unit is " + std::to_string(unit)));
}

TEST(Splits, LargestPiece) {
  const auto s = shape("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
  int64_t size = -1;
  for (const auto& [dimension, want] : std::vector<std::pair<int64_t, int64_t>>{{0, 150}, {1, 90}, {2, 70}, {-1, 70}}) {
    ok(xlashape_shape_max_split_size, s.get(), dimension, &size);
    EXPECT_EQ(size, want);
  }
  size = -1;
  for (const int64_t bad : {int64_t{3}, int64_t{-4}, INT64_MIN, INT64_MAX})
    message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_max_split_size, s.get(), bad, &size);
  for (const char* text : {"token[]", "f32[?]"})
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_max_split_size, shape(text).get(), 0, &size);
  EXPECT_EQ(size, -1);
}

TEST(Index, InBounds) {
  const auto s = shape("f32[2,3]");
  const auto in = [&](const Ints& index) {
    return xlashape_shape_index_in_bounds(s.get(), index.data(), static_cast<int64_t>(index.size()));
  };
  EXPECT_EQ(in({0, 0}), 1);
  EXPECT_EQ(in({1, 2}), 1);
  for (const Ints& bad : {Ints{2, 0}, Ints{0, 3}, Ints{-1, 0}, Ints{0, INT64_MIN}, Ints{0}, Ints{0, 0, 0}, Ints{}})
    EXPECT_EQ(in(bad), 0);
  EXPECT_EQ(xlashape_shape_index_in_bounds(shape("f32[]").get(), nullptr, 0), 1);
  const int64_t first = 0;
  EXPECT_EQ(xlashape_shape_index_in_bounds(shape("f32[?]").get(), &first, 1), 0);
  EXPECT_EQ(xlashape_shape_index_in_bounds(s.get(), nullptr, 2), 0);
}

TEST(Index, StepsThroughTheShape) {
  const auto s = shape("f32[2,1,3]{0,1,2}");
  Ints index = {0, 0, 0};
  std::vector<Ints> seen = {index};
  while (xlashape_shape_next_index(s.get(), index.data(), 3)) seen.push_back(index);
  EXPECT_EQ(seen, (std::vector<Ints>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}}));
  EXPECT_EQ(index, (Ints{1, 0, 2})) << "untouched at the end";
  for (Ints outside : {Ints{0, 1, 0}, Ints{0, 0, -1}})
    EXPECT_EQ(xlashape_shape_next_index(s.get(), outside.data(), 3), 0);
  Ints of_nothing = {0, 0};
  EXPECT_EQ(xlashape_shape_next_index(shape("f32[2,0]").get(), of_nothing.data(), 2), 0);
  EXPECT_EQ(xlashape_shape_next_index(shape("f32[]").get(), nullptr, 0), 0);
  EXPECT_EQ(xlashape_shape_next_index(s.get(), index.data(), 2), 0);
  EXPECT_EQ(xlashape_shape_next_index(s.get(), nullptr, 3), 0);
  EXPECT_EQ(xlashape_shape_next_index(nullptr, index.data(), 3), 0);
  EXPECT_EQ(xlashape_shape_next_index(shape("(f32[2])").get(), nullptr, 0), 0);
}

TEST(Index, StepsThroughABox) {
  const Ints base = {1, 5}, count = {4, 3}, step = {2, 2};
  Ints index = base;
  std::vector<Ints> seen = {index};
  while (xlashape_box_next_index(base.data(), count.data(), step.data(), nullptr, 2, index.data()))
    seen.push_back(index);
  EXPECT_EQ(seen, (std::vector<Ints>{{1, 5}, {1, 7}, {3, 5}, {3, 7}}));
  EXPECT_EQ(index, (Ints{3, 7}));
  EXPECT_EQ(xlashape_box_next_index(nullptr, count.data(), step.data(), nullptr, 2, index.data()), 0);
  EXPECT_EQ(xlashape_box_next_index(base.data(), nullptr, step.data(), nullptr, 2, index.data()), 0);
  EXPECT_EQ(xlashape_box_next_index(base.data(), count.data(), nullptr, nullptr, 2, index.data()), 0);
  EXPECT_EQ(xlashape_box_next_index(base.data(), count.data(), step.data(), nullptr, 2, nullptr), 0);
  EXPECT_EQ(xlashape_box_next_index(base.data(), count.data(), step.data(), nullptr, -1, index.data()), 0);
  const Ints extreme = {INT64_MAX - 1}, all = {1}, far = {INT64_MAX};
  Ints at = extreme;
  EXPECT_EQ(xlashape_box_next_index(extreme.data(), all.data(), far.data(), nullptr, 1, at.data()), 0) << "no overflow";
  EXPECT_EQ(at, extreme);
  const Ints many = {9}, one = {1}, least = {INT64_MIN}, most = {INT64_MAX}, nearly = {INT64_MAX - 1}, none = {0};
  EXPECT_EQ(xlashape_box_next_index(extreme.data(), many.data(), one.data(), nullptr, 1, at.data()), 1);
  EXPECT_EQ(xlashape_box_next_index(extreme.data(), many.data(), one.data(), nullptr, 1, at.data()), 0);
  at = least;
  EXPECT_EQ(xlashape_box_next_index(least.data(), most.data(), nearly.data(), nullptr, 1, at.data()), 1);
  EXPECT_EQ(xlashape_box_next_index(least.data(), most.data(), nearly.data(), nullptr, 1, at.data()), 0);
  at = none;
  EXPECT_EQ(xlashape_box_next_index(none.data(), many.data(), none.data(), nullptr, 1, at.data()), 0) << "no step";
}

// All indices of a box in that order, by stepping; and the same by their numbers.
std::vector<Ints> walked(const Ints& base, const Ints& count, const Ints& step, const Ints& order) {
  const auto rank = static_cast<int64_t>(base.size());
  const int64_t* minor_to_major = order.empty() ? nullptr : order.data();
  int64_t indices = -1;
  ok(xlashape_box_index_count, count.data(), step.data(), rank, &indices);
  std::vector<Ints> seen;
  Ints index = base;
  for (bool more = indices > 0; more;
       more = xlashape_box_next_index(base.data(), count.data(), step.data(), minor_to_major, rank, index.data()) != 0)
    seen.push_back(index);
  EXPECT_EQ(static_cast<int64_t>(seen.size()), indices);
  Ints at(base.size(), 77);
  int64_t needed = -1;
  for (int64_t number = 0; number < indices; ++number) {
    ok(xlashape_box_index_at, base.data(), count.data(), step.data(), minor_to_major, rank, number, at.data(), rank,
       &needed);
    EXPECT_EQ(needed, rank);
    EXPECT_EQ(at, seen[static_cast<size_t>(number)]) << "number " << number;
  }
  at.assign(base.size(), 77);
  for (const int64_t none : {int64_t{-1}, indices, INT64_MIN, INT64_MAX})
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_box_index_at, base.data(), count.data(), step.data(),
                        minor_to_major, rank, none, at.data(), rank, &needed),
                testing::HasSubstr("number is " + std::to_string(none)));
  EXPECT_EQ(at, Ints(base.size(), 77));
  return seen;
}

TEST(Box, IsWalkedInTheOrderAskedFor) {
  EXPECT_EQ(walked({1, 5}, {4, 3}, {2, 2}, {}), (std::vector<Ints>{{1, 5}, {1, 7}, {3, 5}, {3, 7}}));
  EXPECT_EQ(walked({1, 5}, {4, 3}, {2, 2}, {1, 0}), (std::vector<Ints>{{1, 5}, {1, 7}, {3, 5}, {3, 7}}));
  EXPECT_EQ(walked({1, 5}, {4, 3}, {2, 2}, {0, 1}), (std::vector<Ints>{{1, 5}, {3, 5}, {1, 7}, {3, 7}}));
  EXPECT_EQ(walked({0, 0, 0}, {2, 1, 2}, {1, 1, 1}, {1, 0, 2}),
            (std::vector<Ints>{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}}));
  EXPECT_EQ(walked({}, {}, {}, {}), (std::vector<Ints>{{}}));
  EXPECT_EQ(walked({-3}, {5}, {2}, {0}), (std::vector<Ints>{{-3}, {-1}, {1}}));
}

// In the order of an array's layout positions follow each other, which is what the order is for.
TEST(Box, FollowsMemory) {
  const auto array = shape("f32[3,4,5]{1,2,0}");
  const auto map = api::index_map("f32[3,4,5]{1,2,0}");
  int64_t position = 0;
  for (const Ints& index : walked({0, 0, 0}, {3, 4, 5}, {1, 1, 1}, {1, 2, 0})) {
    int64_t found = -1;
    ok(xlashape_index_map_linear_index, map.get(), index.data(), 3, &found);
    EXPECT_EQ(found, position++);
  }
  EXPECT_EQ(position, 60);
}

TEST(Box, ZeroCountsAndSteps) {
  EXPECT_EQ(walked({1, 0}, {0, 2}, {1, 1}, {}), std::vector<Ints>()) << "a count of 0 with a step is an empty box";
  // XLA's way to pin a dimension: count 0, step 0.
  EXPECT_EQ(walked({1, 0}, {0, 2}, {0, 1}, {0, 1}), (std::vector<Ints>{{1, 0}, {1, 1}}));
  EXPECT_EQ(walked({1, 7}, {2, 9}, {1, 0}, {}), (std::vector<Ints>{{1, 7}, {2, 7}}));
  EXPECT_EQ(walked({4}, {0}, {0}, {}), (std::vector<Ints>{{4}}));
}

// Threads share a box: each starts at the index of its first number.
TEST(Box, IsSharedByNumbers) {
  const Ints base = {0, 2, 1}, count = {5, 6, 7}, step = {1, 4, 3}, order = {2, 0, 1};
  const std::vector<Ints> all = walked(base, count, step, order);
  const auto size = static_cast<int64_t>(all.size());
  for (int64_t parts = 1; parts <= size + 1; ++parts) {
    std::vector<Ints> joined;
    for (int64_t part = 0; part < parts; ++part) {
      const int64_t first = size * part / parts, limit = size * (part + 1) / parts;
      if (first == limit) continue;
      Ints index(3);
      int64_t needed;
      ASSERT_EQ(xlashape_box_index_at(base.data(), count.data(), step.data(), order.data(), 3, first, index.data(), 3,
                                      &needed, nullptr),
                XLASHAPE_STATUS_OK);
      for (int64_t number = first; number < limit; ++number) {
        joined.push_back(index);
        xlashape_box_next_index(base.data(), count.data(), step.data(), order.data(), 3, index.data());
      }
    }
    EXPECT_EQ(joined, all) << parts << " parts";
  }
}

TEST(Box, RefusesWhatIsNone) {
  const Ints base = {0, 0}, count = {2, 3}, step = {1, 1}, negative = {1, -1}, huge = {INT64_MAX, INT64_MAX},
             twice = {1, 1}, outside = {0, 2}, far = {INT64_MAX, 0};
  int64_t indices = 77, needed;
  Ints index = {77, 77};
  const auto at = [&](const Ints& b, const Ints& c, const Ints& s, const Ints& order, xlashape_error* err) {
    return xlashape_box_index_at(b.data(), c.data(), s.data(), order.data(), 2, 1, index.data(), 2, &needed, err);
  };
  EXPECT_THAT(
      message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_box_index_count, negative.data(), step.data(), 2, &indices),
      testing::HasSubstr("count[1] is -1"));
  EXPECT_THAT(
      message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_box_index_count, count.data(), negative.data(), 2, &indices),
      testing::HasSubstr("step[1] is -1"));
  message(XLASHAPE_STATUS_OVERFLOW, xlashape_box_index_count, huge.data(), step.data(), 2, &indices);
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return at(base, count, step, twice, e); }),
              testing::HasSubstr("dimension 1, which is there twice"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* e) { return at(base, count, step, outside, e); }),
              testing::HasSubstr("dimension 2, which is not one"));
  EXPECT_THAT(message(XLASHAPE_STATUS_OVERFLOW,
                      [&](auto* e) {
                        return at(far, count, step, {1, 0}, e);
                      }),
              testing::HasSubstr("base[0]"));
  EXPECT_EQ(index, (Ints{77, 77}));
  EXPECT_EQ(indices, 77);
  // Stepping has no error to tell: it ends, and touches nothing that is not the box's.
  index = base;
  for (int steps = 0;
       xlashape_box_next_index(base.data(), count.data(), step.data(), twice.data(), 2, index.data()) != 0; ++steps)
    ASSERT_LT(steps, 10);
  EXPECT_EQ(index, (Ints{0, 2}));
  index = base;
  for (int steps = 0;
       xlashape_box_next_index(base.data(), count.data(), step.data(), outside.data(), 2, index.data()) != 0; ++steps)
    ASSERT_LT(steps, 10);
  EXPECT_EQ(index, (Ints{1, 0}));
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_box_index_at, base.data(), count.data(), step.data(), nullptr, -1,
          0, index.data(), 2, &needed);
  answers<int64_t>({1, 2}, xlashape_box_index_at, base.data(), count.data(), step.data(), nullptr, 2, 5);
}

}  // namespace
