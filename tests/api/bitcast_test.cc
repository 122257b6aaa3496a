// Bitcasts and reshapes through the C API.
#include "api.h"

namespace {

using api::answers;
using api::Ints;
using api::Layout;
using api::message;
using api::null_refused;
using api::shape;

int64_t size_of(const Ints& list) { return static_cast<int64_t>(list.size()); }

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

  answers<int64_t>(swap, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_shape_deduce_transpose(a.get(), b.get(), 0, out, capacity, needed, err);
  });
  int64_t out[4], needed;
  message(XLASHAPE_NOT_FOUND, [&](auto* err) {
    return xlashape_shape_deduce_transpose(a.get(), shape("f32[4,2]").get(), 0, out, 4, &needed, err);
  });
  null_refused("a",
               [&](auto* err) { return xlashape_shape_deduce_transpose(nullptr, b.get(), 0, out, 4, &needed, err); });
  null_refused("b",
               [&](auto* err) { return xlashape_shape_deduce_transpose(a.get(), nullptr, 0, out, 4, &needed, err); });
  message(XLASHAPE_VERSION,
          [&](auto* err) { return xlashape_shape_deduce_transpose(a.get(), b.get(), 1u << 30, out, 4, &needed, err); });
}

TEST(Bitcast, AlignLayouts) {
  const auto a = shape("f32[6,4]{0,1}");
  const Ints dimensions = {2, 3, 4}, fewer = {2, 3}, none_fits = {4, 6};
  const Layout made = api::make<Layout>(
      [&](auto** out, auto* err) { return xlashape_shape_align_layouts(a.get(), dimensions.data(), 3, 0, out, err); });
  EXPECT_EQ(api::text_of(made.get()), "{1,0,2}");
  xlashape_layout* none = nullptr;
  message(XLASHAPE_OUT_OF_RANGE,
          [&](auto* err) { return xlashape_shape_align_layouts(a.get(), fewer.data(), 2, 0, &none, err); });
  message(XLASHAPE_NOT_FOUND,
          [&](auto* err) { return xlashape_shape_align_layouts(a.get(), none_fits.data(), 2, 0, &none, err); });
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_align_layouts(nullptr, fewer.data(), 2, 0, &none, err); });
  null_refused("dimensions",
               [&](auto* err) { return xlashape_shape_align_layouts(a.get(), nullptr, 2, 0, &none, err); });
  null_refused("layout",
               [&](auto* err) { return xlashape_shape_align_layouts(a.get(), dimensions.data(), 3, 0, nullptr, err); });
  EXPECT_NE(xlashape_shape_align_layouts(a.get(), dimensions.data(), -1, 0, &none, nullptr), XLASHAPE_OK);
  EXPECT_EQ(none, nullptr);
}

TEST(Reshape, Factors) {
  const Ints a = {2, 3, 4}, b = {6, 4}, c = {5};
  answers<int64_t>({0, 0, 2, 1, 3, 2}, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_common_factors(a.data(), 3, b.data(), 2, out, capacity, needed, err);
  });
  answers<int64_t>({2, 1}, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_dimensions_unmodified_by_reshape(a.data(), 3, b.data(), 2, out, capacity, needed, err);
  });
  int64_t out[16], needed;
  for (const auto function : {xlashape_common_factors, xlashape_dimensions_unmodified_by_reshape}) {
    message(XLASHAPE_OUT_OF_RANGE,
            [&](auto* err) { return function(a.data(), 3, c.data(), 1, out, 16, &needed, err); });
    null_refused("a", [&](auto* err) { return function(nullptr, 3, b.data(), 2, out, 16, &needed, err); });
    null_refused("b", [&](auto* err) { return function(a.data(), 3, nullptr, 2, out, 16, &needed, err); });
    message(XLASHAPE_INVALID_ARGUMENT,
            [&](auto* err) { return function(a.data(), -1, b.data(), 2, out, 16, &needed, err); });
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
  message(XLASHAPE_OUT_OF_RANGE, [&](auto* err) { return call(b, 1, err); });
  message(XLASHAPE_NOT_FOUND, [&](auto* err) { return call(c, 4, err); });
  null_refused("a", [&](auto* err) {
    return xlashape_shape_inserted_or_deleted_ones(nullptr, b.get(), nullptr, 0, &deleted_needed, nullptr, 0,
                                                   &inserted_needed, err);
  });
  null_refused("b", [&](auto* err) {
    return xlashape_shape_inserted_or_deleted_ones(a.get(), nullptr, nullptr, 0, &deleted_needed, nullptr, 0,
                                                   &inserted_needed, err);
  });
  null_refused("deleted_needed", [&](auto* err) {
    return xlashape_shape_inserted_or_deleted_ones(a.get(), b.get(), nullptr, 0, nullptr, nullptr, 0, &inserted_needed,
                                                   err);
  });
  null_refused("inserted_needed", [&](auto* err) {
    return xlashape_shape_inserted_or_deleted_ones(a.get(), b.get(), nullptr, 0, &deleted_needed, nullptr, 0, nullptr,
                                                   err);
  });
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
  message(XLASHAPE_OUT_OF_RANGE, call(dimensions.data(), permutation.data(), 4, 1, &needed));
  EXPECT_NE(call(dimensions.data(), bad.data(), 4, 4, &needed)(nullptr), XLASHAPE_OK);
  EXPECT_NE(call(dimensions.data(), permutation.data(), -1, 4, &needed)(nullptr), XLASHAPE_OK);
  null_refused("dimensions", call(nullptr, permutation.data(), 4, 4, &needed));
  null_refused("permutation", call(dimensions.data(), nullptr, 4, 4, &needed));
  null_refused("needed", call(dimensions.data(), permutation.data(), 4, 4, nullptr));
}

}  // namespace
