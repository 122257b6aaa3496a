// SPDX-License-Identifier: Apache-2.0
// Layouts through the C API: creation, every rule of validation with its message, what can be asked of one, equality.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::Ints;
using api::Layout;
using api::layout;
using api::message;
using api::text_of;
using testing::HasSubstr;

// A layout of rank 3 that says everything a layout can say.
struct Full {
  int64_t minor_to_major[3] = {2, 0, 1};
  int64_t padded[3] = {5, 6, 130};
  int64_t tile_ranks[2] = {2, 2};
  int64_t tile_dimensions[4] = {8, 128, XLASHAPE_COMBINE_DIMENSION, 2};
  int64_t split_dimensions[2] = {0, 2};
  int64_t split_sizes[2] = {2, 1};
  int64_t split_indices[3] = {1, 3, 64};
  xlashape_layout_spec spec = {};
  Full() {
    spec.struct_size = sizeof spec;
    spec.padding_value = XLASHAPE_PAD_LOWEST;
    spec.rank = 3;
    spec.minor_to_major = minor_to_major;
    spec.padded_dimensions = padded;
    spec.tile_count = 2;
    spec.tile_ranks = tile_ranks;
    spec.tile_dimensions = tile_dimensions;
    spec.element_size_in_bits = 16;
    spec.tail_padding_alignment_in_elements = 4096;
    spec.memory_space = -3;
    spec.split_count = 2;
    spec.split_dimensions = split_dimensions;
    spec.split_sizes = split_sizes;
    spec.split_indices = split_indices;
    spec.dynamic_shape_metadata_prefix_bytes = 24;
  }
  Layout create() const { return api::make<Layout>(xlashape_layout_create, &spec); }
  std::string refused() const {
    return message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](xlashape_error* err) {
      xlashape_layout* made = nullptr;
      const xlashape_status status = xlashape_layout_create(&spec, &made, err);
      EXPECT_EQ(made, nullptr);
      return status;
    });
  }
};

TEST(Layout, SaysEverythingItWasTold) {
  const Full full;
  const Layout made = full.create();
  ASSERT_NE(made, nullptr);
  const auto* l = made.get();
  EXPECT_EQ(xlashape_layout_rank(l), 3);
  EXPECT_EQ(xlashape_layout_padding_value(l), XLASHAPE_PAD_LOWEST);
  EXPECT_EQ(xlashape_layout_tile_count(l), 2);
  EXPECT_EQ(xlashape_layout_element_size_in_bits(l), 16);
  EXPECT_EQ(xlashape_layout_tail_padding_alignment_in_elements(l), 4096);
  EXPECT_EQ(xlashape_layout_memory_space(l), -3);
  EXPECT_EQ(xlashape_layout_split_count(l), 2);
  EXPECT_EQ(xlashape_layout_dynamic_shape_metadata_prefix_bytes(l), 24);
  EXPECT_EQ(xlashape_layout_is_dim0_major(l), 0);
  EXPECT_EQ(xlashape_layout_is_dim0_minor(l), 0);
  answers<int64_t>({2, 0, 1}, xlashape_layout_minor_to_major, l);
  answers<int64_t>({1, 0, 2}, xlashape_layout_logical_to_physical, l);
  answers<int64_t>({5, 6, 130}, xlashape_layout_padded_dimensions, l);
  for (const int64_t level : {0, 1})
    answers<int64_t>(Ints(full.tile_dimensions + 2 * level, full.tile_dimensions + 2 * level + 2), xlashape_layout_tile,
                     l, level);
  int64_t dimension = -1;
  answers<int64_t>({1, 3}, xlashape_layout_split, l, 0, &dimension);
  EXPECT_EQ(dimension, 0);
  answers<int64_t>({64}, xlashape_layout_split, l, 1, &dimension);
  EXPECT_EQ(dimension, 2);
  EXPECT_EQ(api::text_of(l), "{2,0,1:T(8,128)(*,2)L(4096)E(16)S(-3)SC(0:1,3)(2:64)M(24)PD(5,6,130)PV(lowest)}");
}

TEST(Layout, WhatIsNotThereIsOutOfRange) {
  const Layout made = Full().create();
  int64_t out[8], needed, dimension;
  for (const int64_t which : {int64_t{-1}, int64_t{2}, INT64_MIN, INT64_MAX}) {
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_layout_tile, made.get(), which, out, 8, &needed),
                HasSubstr("level is " + std::to_string(which)));
    EXPECT_THAT(
        message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_layout_split, made.get(), which, &dimension, out, 8, &needed),
        HasSubstr("split is " + std::to_string(which)));
  }
}

TEST(Layout, ZeroSpecIsTheLayoutOfAScalar) {
  Full zero;
  zero.spec = {};
  zero.spec.struct_size = sizeof zero.spec;
  const Layout made = zero.create();
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(xlashape_layout_rank(made.get()), 0);
  EXPECT_EQ(xlashape_layout_tail_padding_alignment_in_elements(made.get()), 1);
  EXPECT_EQ(api::text_of(made.get()), "{}");
  answers<int64_t>({}, xlashape_layout_minor_to_major, made.get());
}

TEST(Layout, EveryRuleHasItsMessage) {
  const auto refused = [](auto&& change) {
    Full full;
    change(full);
    return full.refused();
  };
  EXPECT_THAT(refused([](Full& f) { f.spec.rank = -1; }), HasSubstr("rank is -1"));
  EXPECT_THAT(refused([](Full& f) { f.spec.rank = INT64_MAX; }), HasSubstr("rank"));
  EXPECT_THAT(refused([](Full& f) { f.minor_to_major[1] = 3; }), HasSubstr("minor_to_major holds dimension 3"));
  EXPECT_THAT(refused([](Full& f) { f.minor_to_major[1] = -1; }), HasSubstr("minor_to_major holds dimension -1"));
  EXPECT_THAT(refused([](Full& f) { f.minor_to_major[1] = 2; }), HasSubstr("dimension 2 twice"));
  EXPECT_THAT(refused([](Full& f) { f.padded[2] = -1; }), HasSubstr("padded_dimensions holds -1"));
  EXPECT_THAT(refused([](Full& f) { f.spec.padding_value = 6; }), HasSubstr("padding_value is 6"));
  EXPECT_THAT(refused([](Full& f) { f.spec.padding_value = -1; }), HasSubstr("padding_value is -1"));
  EXPECT_THAT(refused([](Full& f) { f.spec.tile_count = -1; }), HasSubstr("tile_count is -1"));
  EXPECT_THAT(refused([](Full& f) { f.tile_ranks[1] = -1; }), HasSubstr("tile_ranks[1] is -1"));
  EXPECT_THAT(refused([](Full& f) { f.tile_ranks[1] = INT64_MAX; }), HasSubstr("tile_ranks"));
  EXPECT_THAT(refused([](Full& f) { f.tile_ranks[0] = 4, f.tile_ranks[1] = 0; }),
              HasSubstr("tile level 1 has no sizes"));
  EXPECT_THAT(refused([](Full& f) { f.tile_dimensions[1] = 0; }), HasSubstr("tile level 0 has size 0"));
  EXPECT_THAT(refused([](Full& f) { f.tile_dimensions[3] = -2; }), HasSubstr("tile level 1 has size -2"));
  EXPECT_THAT(refused([](Full& f) { f.spec.element_size_in_bits = -8; }), HasSubstr("element_size_in_bits is -8"));
  EXPECT_THAT(refused([](Full& f) { f.spec.tail_padding_alignment_in_elements = -1; }),
              HasSubstr("tail_padding_alignment_in_elements is -1"));
  EXPECT_THAT(refused([](Full& f) { f.spec.memory_space = 128; }), HasSubstr("memory_space is 128"));
  EXPECT_THAT(refused([](Full& f) { f.spec.memory_space = -129; }), HasSubstr("memory_space is -129"));
  EXPECT_THAT(refused([](Full& f) { f.spec.dynamic_shape_metadata_prefix_bytes = -1; }),
              HasSubstr("dynamic_shape_metadata_prefix_bytes is -1"));
  EXPECT_THAT(refused([](Full& f) { f.spec.split_count = -1; }), HasSubstr("split_count is -1"));
  EXPECT_THAT(refused([](Full& f) { f.split_dimensions[1] = 3; }), HasSubstr("physical dimension 3"));
  EXPECT_THAT(refused([](Full& f) { f.split_dimensions[1] = 0; }), HasSubstr("physical dimension 0 is split twice"));
  EXPECT_THAT(refused([](Full& f) { f.split_sizes[0] = -1; }), HasSubstr("split_sizes[0] is -1"));
  EXPECT_THAT(refused([](Full& f) { f.split_indices[0] = 0; }), HasSubstr("index 0, it must be positive"));
  EXPECT_THAT(refused([](Full& f) { f.split_indices[1] = 1; }), HasSubstr("must rise: 1 after 1"));
}

TEST(Layout, NullListsAreNamed) {
  const auto refused = [](auto&& change) {
    Full full;
    change(full.spec);
    return full.refused();
  };
  EXPECT_EQ(refused([](auto& s) { s.minor_to_major = nullptr; }), "minor_to_major is NULL");
  EXPECT_EQ(refused([](auto& s) { s.tile_ranks = nullptr; }), "tile_ranks is NULL");
  EXPECT_EQ(refused([](auto& s) { s.tile_dimensions = nullptr; }), "tile_dimensions is NULL");
  EXPECT_EQ(refused([](auto& s) { s.split_dimensions = nullptr; }), "split_dimensions is NULL");
  EXPECT_EQ(refused([](auto& s) { s.split_sizes = nullptr; }), "split_sizes is NULL");
  EXPECT_EQ(refused([](auto& s) { s.split_indices = nullptr; }), "split_indices is NULL");
}

TEST(Layout, MonotonicOrders) {
  for (const int64_t rank : {0, 1, 2, 5, 40}) {
    const Layout row = api::make<Layout>(xlashape_layout_create_row_major, rank);
    const Layout column = api::make<Layout>(xlashape_layout_create_column_major, rank);
    EXPECT_EQ(xlashape_layout_rank(row.get()), rank);
    EXPECT_EQ(xlashape_layout_is_dim0_major(row.get()), 1);
    EXPECT_EQ(xlashape_layout_is_dim0_minor(column.get()), 1);
    EXPECT_EQ(xlashape_layout_is_dim0_minor(row.get()), rank < 2);
    EXPECT_EQ(xlashape_layout_is_dim0_major(column.get()), rank < 2);
    EXPECT_EQ(xlashape_layout_equal(row.get(), column.get(), 0), rank < 2);
  }
  for (const int64_t rank : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    const auto expected = HasSubstr("rank is " + std::to_string(rank));
    xlashape_layout* made = nullptr;
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_create_row_major, rank, &made), expected);
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_create_column_major, rank, &made), expected);
    EXPECT_EQ(made, nullptr);
  }
}

TEST(Layout, EqualityLeavesOutWhatTheMaskSays) {
  const Full base;
  const Layout a = base.create();
  const struct {
    const char* what;
    uint32_t mask;
    void (*change)(Full&);
  } cases[] = {
      {"tiles", XLASHAPE_EQUAL_IGNORE_TILES, [](Full& f) { f.tile_dimensions[0] = 16; }},
      {"element size", XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE, [](Full& f) { f.spec.element_size_in_bits = 32; }},
      {"memory space", XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE, [](Full& f) { f.spec.memory_space = 1; }},
      {"tail", XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT,
       [](Full& f) { f.spec.tail_padding_alignment_in_elements = 2; }},
      {"splits", XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS, [](Full& f) { f.split_indices[2] = 65; }},
      {"split dimensions", XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS, [](Full& f) { f.split_dimensions[1] = 1; }},
      {"tiles cut otherwise", XLASHAPE_EQUAL_IGNORE_TILES, [](Full& f) { f.tile_ranks[0] = 1, f.tile_ranks[1] = 3; }},
      {"padded dimensions", XLASHAPE_EQUAL_IGNORE_PADDING, [](Full& f) { f.padded[0] = 9; }},
      {"padding value", XLASHAPE_EQUAL_IGNORE_PADDING, [](Full& f) { f.spec.padding_value = XLASHAPE_PAD_ONE; }},
      {"prefix, as XLA does", XLASHAPE_EQUAL_XLA, [](Full& f) { f.spec.dynamic_shape_metadata_prefix_bytes = 0; }},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    Full other;
    c.change(other);
    const Layout b = other.create();
    EXPECT_EQ(xlashape_layout_equal(a.get(), b.get(), 0), 0);
    EXPECT_EQ(xlashape_layout_equal(a.get(), b.get(), c.mask), 1);
    EXPECT_EQ(xlashape_layout_equal(a.get(), b.get(), XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY), 1);
    EXPECT_NE(xlashape_layout_hash(a.get(), 0), xlashape_layout_hash(b.get(), 0));
    EXPECT_EQ(xlashape_layout_hash(a.get(), c.mask), xlashape_layout_hash(b.get(), c.mask));
    EXPECT_EQ(xlashape_layout_hash(a.get(), XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY),
              xlashape_layout_hash(b.get(), XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY));
  }
  Full order;
  std::swap(order.minor_to_major[0], order.minor_to_major[1]);
  const Layout ordered = order.create();
  EXPECT_EQ(xlashape_layout_equal(a.get(), ordered.get(), XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY), 0);
  const Layout again = base.create();
  EXPECT_EQ(xlashape_layout_equal(a.get(), again.get(), 0), 1);
  EXPECT_EQ(xlashape_layout_hash(a.get(), 0), xlashape_layout_hash(again.get(), 0));
  EXPECT_NE(xlashape_layout_hash(a.get(), 0), xlashape_layout_hash(ordered.get(), 0));
}

TEST(Layout, RetainCountsReferences) {
  xlashape_layout* made = Full().create().release();
  EXPECT_EQ(xlashape_layout_retain(made), made);
  xlashape_layout_release(made);
  EXPECT_EQ(xlashape_layout_rank(made), 3);
  xlashape_layout_release(made);
}

TEST(Layout, SpecIsReadBack) {
  const Full full;
  const Layout made = full.create();
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  api::ok(xlashape_layout_get_spec, made.get(), &spec);
  const Layout again = api::make<Layout>(xlashape_layout_create, &spec);
  EXPECT_EQ(text_of(again.get()), text_of(made.get()));
  EXPECT_EQ(xlashape_layout_equal(again.get(), made.get(), 0), 1);
}

// What runtimes do most: one field becomes another and all else stays.
TEST(Layout, OneFieldIsChangedThroughTheSpec) {
  const struct {
    const char *before, *after;
    void (*change)(xlashape_layout_spec&);
  } cases[] = {
      {"{1,0:T(8,128)(2,1)E(16)}", "{1,0:T(8,128)(2,1)E(16)S(5)}",
       [](xlashape_layout_spec& s) { s.memory_space = XLASHAPE_LAYOUT_SPACE_HOST; }},
      {"{1,0:T(8,128)S(6)}", "{1,0:T(8,128)}",
       [](xlashape_layout_spec& s) { s.memory_space = XLASHAPE_LAYOUT_SPACE_DEFAULT; }},
      {"{1,0:T(8,128)S(1)}", "{1,0:S(1)}", [](xlashape_layout_spec& s) { s.tile_count = 0; }},
      {"{0,1:E(4)SC(1:2,3)M(8)PD(4,8)PV(one)}", "{0,1:E(8)SC(1:2,3)M(8)PD(4,8)PV(one)}",
       [](xlashape_layout_spec& s) { s.element_size_in_bits = 8; }},
      {"{0,1:SC(1:2,3)}", "{0,1}", [](xlashape_layout_spec& s) { s.split_count = 0; }},
      {"{0,1:PD(4,8)}", "{0,1}", [](xlashape_layout_spec& s) { s.padded_dimensions = nullptr; }},
      {"{}", "{:S(1)}", [](xlashape_layout_spec& s) { s.memory_space = XLASHAPE_LAYOUT_SPACE_GENERIC_FAST; }},
      {"{}", "{:S(6)}", [](xlashape_layout_spec& s) { s.memory_space = XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST; }},
      {"{:S(1)}", "{:S(7)}", [](xlashape_layout_spec& s) { s.memory_space = XLASHAPE_LAYOUT_SPACE_COLLECTIVE; }},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.before);
    const Layout before = layout(c.before);
    auto spec = XLASHAPE_INIT(xlashape_layout_spec);
    ASSERT_EQ(xlashape_layout_get_spec(before.get(), &spec, nullptr), XLASHAPE_STATUS_OK);
    c.change(spec);
    const Layout after = api::make<Layout>(xlashape_layout_create, &spec);
    EXPECT_EQ(text_of(after.get()), c.after);
    EXPECT_EQ(text_of(before.get()), c.before);
  }
}

TEST(Layout, PrintsOneTileAndOneSplit) {
  const Layout l = layout("{1,0:T(8,128)(*,2)SC(1:4,8)(0:3)}");
  const auto tile = [&](int64_t level) {
    return [&l, level](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_layout_print_tile(l.get(), level, text, capacity, needed, err);
    };
  };
  const auto split = [&](int64_t which) {
    return [&l, which](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_layout_print_split(l.get(), which, text, capacity, needed, err);
    };
  };
  api::answers_text("(8,128)", tile(0));
  api::answers_text("(*,2)", tile(1));
  api::answers_text("(1:4,8)", split(0));
  api::answers_text("(0:3)", split(1));
  int64_t needed = 7;
  for (const int64_t none : {int64_t{-1}, int64_t{2}, INT64_MIN, INT64_MAX}) {
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return tile(none)(nullptr, 0, &needed, err); }),
                HasSubstr("level is " + std::to_string(none)));
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return split(none)(nullptr, 0, &needed, err); }),
                HasSubstr("split is " + std::to_string(none)));
  }
  EXPECT_EQ(needed, 7u);
}

}  // namespace
