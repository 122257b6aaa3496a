// SPDX-License-Identifier: Apache-2.0
// Bitcasts and reshapes through the C API.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::answers;
using api::Ints;
using api::Layout;
using api::message;
using api::shape;
using api::size_of;

TEST(Bitcast, Reshape) {
  const auto is = [](const char* a, const char* b, uint32_t flags = 0) {
    return xlashape_shape_reshape_is_bitcast(shape(a).get(), shape(b).get(), flags);
  };
  EXPECT_EQ(is("f32[2,3]", "f32[6]"), 1);
  EXPECT_EQ(is("f32[2,3]{0,1}", "f32[6]"), 0);
  EXPECT_EQ(is("f32[2,3]", "f32[7]"), 0);
  EXPECT_EQ(is("f32[2,3]", "s32[6]"), 0);
  EXPECT_EQ(is("f32[2,3]", "s32[6]", XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE), 1);
  EXPECT_EQ(is("f32[4,3]{1,0:T(2,2)}", "f32[12]"), 0);
  EXPECT_EQ(is("f32[4,3]{1,0:T(2,2)}", "f32[12]", XLASHAPE_BITCAST_XLA), 1);
  EXPECT_EQ(is("f32[?]", "f32[?]"), 0);
  EXPECT_EQ(is("token[]", "token[]"), 0);
  const auto s = shape("f32[2]");
  EXPECT_EQ(xlashape_shape_reshape_is_bitcast(nullptr, s.get(), 0), 0);
  EXPECT_EQ(xlashape_shape_reshape_is_bitcast(s.get(), nullptr, 0), 0);
}

TEST(Bitcast, Transpose) {
  const auto a = shape("f32[2,3]"), b = shape("f32[3,2]{0,1}"), c = shape("f32[3,2]");
  const Ints swap = {1, 0}, bad = {1, 1};
  const auto is = [&](const api::Shape& x, const api::Shape& y, const Ints& permutation) {
    return xlashape_shape_transpose_is_bitcast(x.get(), y.get(), permutation.data(), size_of(permutation), 0);
  };
  EXPECT_EQ(is(a, b, swap), 1);
  EXPECT_EQ(is(a, c, swap), 0);
  EXPECT_EQ(is(a, b, bad), 0);
  EXPECT_EQ(is(a, b, {0}), 0);
  EXPECT_EQ(xlashape_shape_transpose_is_bitcast(a.get(), b.get(), nullptr, 2, 0), 0);
  EXPECT_EQ(xlashape_shape_transpose_is_bitcast(nullptr, b.get(), swap.data(), 2, 0), 0);
  EXPECT_EQ(xlashape_shape_transpose_is_bitcast(a.get(), nullptr, swap.data(), 2, 0), 0);
  EXPECT_EQ(xlashape_shape_is_reshape_or_transpose_bitcast(a.get(), b.get(), 0), 1);
  EXPECT_EQ(xlashape_shape_is_reshape_or_transpose_bitcast(a.get(), shape("f32[2,3]{0,1}").get(), 0), 0);
  EXPECT_EQ(xlashape_shape_is_reshape_or_transpose_bitcast(nullptr, b.get(), 0), 0);
  EXPECT_EQ(xlashape_shape_is_reshape_or_transpose_bitcast(a.get(), nullptr, 0), 0);

  answers<int64_t>(swap, xlashape_shape_deduce_transpose, a.get(), b.get(), 0);
  int64_t out[4], needed;
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_shape_deduce_transpose, a.get(), shape("f32[4,2]").get(), 0, out, 4,
          &needed);
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_deduce_transpose, a.get(), b.get(), 1u << 30, out, 4, &needed);
}

TEST(Bitcast, AlignLayouts) {
  const auto a = shape("f32[6,4]{0,1}");
  const Ints dimensions = {2, 3, 4}, fewer = {2, 3}, none_fits = {4, 6};
  const Layout made = api::make<Layout>(xlashape_shape_align_layouts, a.get(), dimensions.data(), 3, 0);
  EXPECT_EQ(api::text_of(made.get()), "{1,0,2}");
  xlashape_layout* none = nullptr;
  message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_align_layouts, a.get(), fewer.data(), 2, 0, &none);
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_shape_align_layouts, a.get(), none_fits.data(), 2, 0, &none);
  EXPECT_NE(xlashape_shape_align_layouts(a.get(), dimensions.data(), -1, 0, &none, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(none, nullptr);
}

// Pairs of first dimensions of the shortest runs of both with the same product, the ends last:
// XLA's own cases, and others.
TEST(Reshape, Factors) {
  const struct {
    Ints a, b, want;
  } cases[] = {
      {{0}, {0}, {0, 0, 1, 1}},
      {{1}, {}, {0, 0, 1, 0}},
      {{}, {1}, {0, 0, 0, 1}},
      {{}, {}, {0, 0}},
      {{0, 10}, {0, 10, 3}, {0, 0, 2, 3}},
      {{1, 0}, {1, 0, 1}, {0, 0, 1, 1, 2, 2, 2, 3}},
      {{0, 1}, {0, 1}, {0, 0, 1, 1, 2, 2}},
      {{2, 5, 1, 3}, {1, 10, 3, 1}, {0, 0, 0, 1, 2, 2, 3, 2, 4, 3, 4, 4}},
      {{1, 1, 3}, {1, 1, 3}, {0, 0, 1, 1, 2, 2, 3, 3}},
      {{2, 6}, {4, 3}, {0, 0, 2, 2}},
      {{1, 2, 6}, {4, 1, 3, 1}, {0, 0, 1, 0, 3, 3, 3, 4}},
      {{1, 2, 1}, {1, 1, 1, 2}, {0, 0, 1, 1, 1, 2, 1, 3, 2, 4, 3, 4}},
      {{2, 3, 1}, {6, 1}, {0, 0, 2, 1, 3, 2}},
      {{3, 0}, {0}, {0, 0, 2, 1}},
      {{0, 1099511627776, 1099511627776}, {0, 1}, {0, 0, 3, 2}},
  };
  for (const auto& c : cases)
    answers<int64_t>(c.want, xlashape_common_factors, c.a.data(), size_of(c.a), c.b.data(), size_of(c.b));
  const Ints a = {2, 3, 4}, b = {6, 4};
  answers<int64_t>({2, 1}, xlashape_dimensions_unmodified_by_reshape, a.data(), 3, b.data(), 2);
  int64_t out[16], needed;
  const struct {
    Ints a, b;
    xlashape_status status;
  } refused[] = {
      {{2, 3, 4}, {5}, XLASHAPE_STATUS_OUT_OF_RANGE},
      {{-2}, {-2}, XLASHAPE_STATUS_INVALID_ARGUMENT},
      {{XLASHAPE_DIMENSION_UNBOUNDED}, {2}, XLASHAPE_STATUS_UNSUPPORTED},
      {{1099511627776, 1099511627776}, {2}, XLASHAPE_STATUS_OVERFLOW},
  };
  for (const auto function : {xlashape_common_factors, xlashape_dimensions_unmodified_by_reshape}) {
    for (const auto& c : refused)
      message(c.status, function, c.a.data(), size_of(c.a), c.b.data(), size_of(c.b), out, 16, &needed);
    message(XLASHAPE_STATUS_INVALID_ARGUMENT, function, a.data(), -1, b.data(), 2, out, 16, &needed);
  }
}

TEST(Reshape, Ones) {
  const auto a = shape("f32[1,2,3]"), b = shape("f32[2,1,3,1]"), c = shape("f32[6]");
  int64_t deleted[4] = {-9, -9, -9, -9}, inserted[4] = {-9, -9, -9, -9}, deleted_needed = -9, inserted_needed = -9;
  const auto call = [&](const api::Shape& to, int64_t capacity, xlashape_error* err) {
    return xlashape_shape_inserted_or_deleted_ones(a.get(), to.get(), deleted, capacity, &deleted_needed, inserted,
                                                   capacity, &inserted_needed, err);
  };
  api::ok([&](auto* err) { return call(b, 4, err); });
  EXPECT_EQ(deleted_needed, 1);
  EXPECT_EQ(inserted_needed, 2);
  EXPECT_EQ(deleted[0], 0);
  EXPECT_EQ(inserted[0], 1);
  EXPECT_EQ(inserted[1], 3);
  EXPECT_EQ(inserted[2], -9);
  message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return call(b, 1, err); });
  message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return call(c, 4, err); });
  message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return call(shape("f32[7]"), 4, err); });
}

TEST(Transpose, Normalized) {
  const Ints dimensions = {32, 1, 10, 11}, permutation = {3, 1, 0, 2}, bad = {0, 0, 1, 2};
  int64_t out_dimensions[4] = {-9, -9, -9, -9}, out_permutation[4] = {-9, -9, -9, -9}, needed = -9;
  const auto call = [&](const int64_t* sizes, const int64_t* order, int64_t rank, int64_t capacity, int64_t* count) {
    return [=, &out_dimensions, &out_permutation](xlashape_error* err) {
      return xlashape_normalized_transpose(sizes, order, rank, out_dimensions, out_permutation, capacity, count, err);
    };
  };
  api::ok(call(dimensions.data(), permutation.data(), 4, 4, &needed));
  EXPECT_EQ(needed, 2);
  EXPECT_EQ(out_dimensions[0], 32);
  EXPECT_EQ(out_dimensions[1], 110);
  EXPECT_EQ(out_permutation[0], 1);
  EXPECT_EQ(out_permutation[1], 0);
  EXPECT_EQ(out_dimensions[2], -9);
  message(XLASHAPE_STATUS_OUT_OF_RANGE, call(dimensions.data(), permutation.data(), 4, 1, &needed));
  EXPECT_NE(call(dimensions.data(), bad.data(), 4, 4, &needed)(nullptr), XLASHAPE_STATUS_OK);
  EXPECT_NE(call(dimensions.data(), permutation.data(), -1, 4, &needed)(nullptr), XLASHAPE_STATUS_OK);
}

struct Decomposed {
  xlashape_status status;
  int32_t kind = 0;
  Ints transpose1, transpose2;
  std::string reshape_from, reshape_to;
};

Decomposed decompose(const char* a_text, const char* b_text, uint32_t flags = 0) {
  const auto a = shape(a_text), b = shape(b_text);
  Decomposed out;
  out.transpose1.resize(static_cast<size_t>(xlashape_shape_rank(a.get())));
  out.transpose2.resize(static_cast<size_t>(xlashape_shape_rank(b.get())));
  const auto rank1 = static_cast<int64_t>(out.transpose1.size()), rank2 = static_cast<int64_t>(out.transpose2.size());
  auto steps = XLASHAPE_INIT(xlashape_bitcast_steps);
  steps.transpose1 = out.transpose1.data(), steps.transpose1_capacity = rank1;
  steps.transpose2 = out.transpose2.data(), steps.transpose2_capacity = rank2;
  out.status = xlashape_shape_decompose_bitcast(a.get(), b.get(), flags, &steps, nullptr);
  out.kind = steps.kind;
  xlashape_shape *const from = steps.reshape_from, *const to = steps.reshape_to;
  if (out.status) {
    EXPECT_EQ(from, nullptr);
    EXPECT_EQ(to, nullptr);
    return out;
  }
  EXPECT_EQ(xlashape_shape_transpose_is_bitcast(a.get(), from, out.transpose1.data(), rank1, flags), 1);
  EXPECT_EQ(xlashape_shape_reshape_is_bitcast(from, to, flags), 1);
  EXPECT_EQ(xlashape_shape_transpose_is_bitcast(to, b.get(), out.transpose2.data(), rank2, flags), 1);
  out.reshape_from = api::text_of(from);
  out.reshape_to = api::text_of(to);
  xlashape_shape_release(from);
  xlashape_shape_release(to);
  return out;
}

TEST(Bitcast, Decomposed) {
  constexpr uint32_t xla = XLASHAPE_BITCAST_XLA | XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;
  for (const uint32_t flags : {uint32_t{0}, xla}) {
    Decomposed d = decompose("f32[4,6]{1,0}", "f32[24]{0}", flags);
    EXPECT_EQ(d.kind, XLASHAPE_BITCAST_KIND_RESHAPE);
    EXPECT_EQ(d.transpose1, (Ints{0, 1}));
    EXPECT_EQ(d.transpose2, (Ints{0}));
    EXPECT_EQ(d.reshape_from, "f32[4,6]{1,0}");
    EXPECT_EQ(d.reshape_to, "f32[24]{0}");
    d = decompose("f32[4,6]{1,0}", "f32[6,4]{0,1}", flags);
    EXPECT_EQ(d.kind, XLASHAPE_BITCAST_KIND_TRANSPOSE);
    EXPECT_EQ(d.transpose1, (Ints{1, 0}));
    EXPECT_EQ(d.transpose2, (Ints{0, 1}));
    EXPECT_EQ(d.reshape_from, "f32[6,4]{0,1}");
    EXPECT_EQ(d.reshape_to, "f32[6,4]{0,1}");
    // In memory 6 by 4 each: the reshape cuts that as 8 by 3.
    d = decompose("f32[4,6]{0,1}", "f32[3,8]{0,1}", flags);
    EXPECT_EQ(d.kind, XLASHAPE_BITCAST_KIND_TRT);
    EXPECT_EQ(d.transpose1, (Ints{1, 0}));
    EXPECT_EQ(d.reshape_from, "f32[6,4]{1,0}");
    EXPECT_EQ(d.reshape_to, "f32[8,3]{1,0}");
    EXPECT_EQ(d.transpose2, (Ints{1, 0}));
    d = decompose("f32[2,3,4]{0,2,1}", "f32[4,6]{1,0}", flags);
    EXPECT_EQ(d.kind, XLASHAPE_BITCAST_KIND_TRT);
    EXPECT_EQ(d.transpose1, (Ints{1, 2, 0}));
    EXPECT_EQ(d.transpose2, (Ints{0, 1})) << "the second transpose keeps the order";
    EXPECT_EQ(decompose("f32[4,6]", "f32[5,5]", flags).status, XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_EQ(decompose("f32[4,6]", "s32[24]", flags).status,
              flags == xla ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_EQ(decompose("f32[0,3]", "f32[5,0]{0,1}", flags).status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(decompose("f32[]", "f32[1,1]", flags).kind, XLASHAPE_BITCAST_KIND_RESHAPE);
  }
  // Tiles and padding move elements; XLA does not look.
  EXPECT_EQ(decompose("f32[4,6]{1,0:T(2,4)}", "f32[24]").status, XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_EQ(decompose("f32[4,6]{1,0:T(2,4)}", "f32[24]", xla).kind, XLASHAPE_BITCAST_KIND_RESHAPE);
  EXPECT_EQ(decompose("f32[4,6]{0,1:T(2,4)}", "f32[6,4]{1,0:T(2,4)}").kind, XLASHAPE_BITCAST_KIND_TRANSPOSE);
  EXPECT_EQ(decompose("f32[4,?]", "f32[4,?]").status, XLASHAPE_STATUS_NOT_FOUND);
  const Decomposed typed = decompose("f32[4,6]{1,0}", "s32[6,4]{0,1}", XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE);
  EXPECT_EQ(typed.kind, XLASHAPE_BITCAST_KIND_TRANSPOSE);
  EXPECT_EQ(typed.reshape_from, "f32[6,4]{0,1}");
  EXPECT_EQ(typed.reshape_to, "s32[6,4]{0,1}");
}

TEST(Bitcast, DecompositionGivesWhatIsAskedFor) {
  const auto a = shape("f32[2,3,4]{0,2,1}"), b = shape("f32[4,6]{1,0}"), token = shape("token[]"),
             five = shape("f32[5]");
  int64_t first[4] = {77, 77, 77, 77}, second[2] = {77, 77};
  const auto asking = [&](int64_t first_capacity, int64_t second_capacity) {
    auto steps = XLASHAPE_INIT(xlashape_bitcast_steps);
    steps.transpose1 = first, steps.transpose1_capacity = first_capacity;
    steps.transpose2 = second, steps.transpose2_capacity = second_capacity;
    return steps;
  };
  const auto refused = [&](xlashape_status want, const char* what, xlashape_bitcast_steps steps) {
    EXPECT_THAT(message(want, xlashape_shape_decompose_bitcast, a.get(), b.get(), 0, &steps), testing::HasSubstr(what));
    EXPECT_EQ(steps.kind, 0);
    EXPECT_EQ(steps.reshape_from, nullptr);
    EXPECT_EQ(steps.reshape_to, nullptr);
    EXPECT_EQ(first[0], 77) << "wrote although a capacity was wrong";
    EXPECT_EQ(second[0], 77);
  };
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "steps.transpose1_capacity is 2, the rank is 3", asking(2, 2));
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "steps.transpose2_capacity is 1, the rank is 2", asking(3, 1));
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "steps.transpose2_capacity is 1", asking(0, 1));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "steps.transpose1_capacity is -1", asking(-1, 2));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "steps.transpose2_capacity is -1", asking(3, -1));
  auto steps = asking(3, 2);
  steps.transpose2 = nullptr;
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "steps.transpose2 is NULL", steps);
  for (const auto& [one, two] : {std::pair<int64_t, int64_t>{0, 0}, {0, 2}, {4, 0}}) {
    std::fill(std::begin(first), std::end(first), 77), std::fill(std::begin(second), std::end(second), 77);
    steps = asking(one, two);
    ASSERT_EQ(xlashape_shape_decompose_bitcast(a.get(), b.get(), 0, &steps, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(steps.kind, XLASHAPE_BITCAST_KIND_TRT);
    EXPECT_EQ(Ints(first, first + 4), (one > 0 ? Ints{1, 2, 0, 77} : Ints{77, 77, 77, 77}));
    EXPECT_EQ(Ints(second, second + 2), (two > 0 ? Ints{0, 1} : Ints{77, 77}));
    EXPECT_TRUE(steps.transpose1 == first && steps.transpose1_capacity == one);
    EXPECT_TRUE(steps.transpose2 == second && steps.transpose2_capacity == two);
    xlashape_shape_release(steps.reshape_from), xlashape_shape_release(steps.reshape_to);
  }
  steps = asking(0, 0);
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_decompose_bitcast, a.get(), b.get(), 1u << 31, &steps);
  message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_decompose_bitcast, a.get(), token.get(), 0, &steps);
  message(XLASHAPE_STATUS_NOT_FOUND, xlashape_shape_decompose_bitcast, a.get(), five.get(), 0, &steps);
}

// So many levels that a function which goes over all of them for each would not come to an end here.
TEST(Bitcast, VeryManyTileLevels) {
  const auto tiled = [](const char* tile) {
    std::string words = "f32[8,8]{1,0:T";
    for (int level = 0; level < 200000; ++level) words += tile;
    return shape(words + "}");
  };
  const auto pairs = tiled("(2,2)"), ones = tiled("(2)");
  EXPECT_EQ(xlashape_shape_is_untiled(pairs.get()), 0);
  EXPECT_EQ(xlashape_shape_is_untiled(ones.get()), 1);
  EXPECT_EQ(xlashape_shape_reshape_is_bitcast(pairs.get(), pairs.get(), 0), 1);
  EXPECT_EQ(xlashape_shape_reshape_is_bitcast(pairs.get(), ones.get(), 0), 0);
}

}  // namespace
