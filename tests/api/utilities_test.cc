// Shapes from shapes, and questions about whole trees of them, through the C API.
#include "api.h"

namespace {

using api::Ints;
using api::Layout;
using api::layout;
using api::message;
using api::null_refused;
using api::ok;
using api::Shape;
using api::shape;
using api::size_of;
using api::text_of;
using testing::HasSubstr;

// The text of the shape that make(shape, result, err) gives for the shape of that text; NULLs are refused on the way.
template <class F>
std::string made_from(std::string_view text, F&& make) {
  const Shape from = shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  const Shape result =
      api::make<Shape>([&](xlashape_shape** made, xlashape_error* err) { return make(from.get(), made, err); });
  null_refused("result", [&](xlashape_error* err) { return make(from.get(), nullptr, err); });
  return result != nullptr ? text_of(result.get()) : "";
}

// The message of a failure of make; nothing may have been made.
template <class F>
std::string refused(xlashape_status status, std::string_view text, F&& make) {
  const Shape from = shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  xlashape_shape* made = nullptr;
  const std::string why = message(status, [&](xlashape_error* err) { return make(from.get(), &made, err); });
  EXPECT_EQ(made, nullptr);
  return why;
}

TEST(ElementTypes, RelatedOnes) {
  EXPECT_EQ(xlashape_element_type_complex_component(XLASHAPE_TYPE_C64), XLASHAPE_TYPE_F32);
  EXPECT_EQ(xlashape_element_type_complex_component(XLASHAPE_TYPE_C128), XLASHAPE_TYPE_F64);
  EXPECT_EQ(xlashape_element_type_complex(XLASHAPE_TYPE_F32), XLASHAPE_TYPE_C64);
  EXPECT_EQ(xlashape_element_type_complex(XLASHAPE_TYPE_F64), XLASHAPE_TYPE_C128);
  EXPECT_EQ(xlashape_element_type_integral(8, 0), XLASHAPE_TYPE_U8);
  EXPECT_EQ(xlashape_element_type_integral(64, 1), XLASHAPE_TYPE_S64);
  EXPECT_EQ(xlashape_element_type_integral(4, 1), XLASHAPE_TYPE_S4);
  for (const int32_t none : {XLASHAPE_TYPE_S32, XLASHAPE_TYPE_TUPLE, 0, -1, 99, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(xlashape_element_type_complex_component(none), XLASHAPE_TYPE_INVALID);
    EXPECT_EQ(xlashape_element_type_complex(none), XLASHAPE_TYPE_INVALID);
  }
  for (const int32_t bits : {0, 3, -8, 128, INT32_MIN, INT32_MAX})
    EXPECT_EQ(xlashape_element_type_integral(bits, 1), XLASHAPE_TYPE_INVALID);
}

TEST(Layouts, FromMajorToMinor) {
  const Ints order = {2, 0, 1}, twice = {0, 0};
  const Layout made = api::make<Layout>(
      [&](auto** out, auto* err) { return xlashape_layout_create_major_to_minor(order.data(), 3, out, err); });
  EXPECT_EQ(text_of(made.get()), "{1,0,2}");
  xlashape_layout* none = nullptr;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT,
          [&](auto* err) { return xlashape_layout_create_major_to_minor(twice.data(), 2, &none, err); });
  message(XLASHAPE_STATUS_INVALID_ARGUMENT,
          [&](auto* err) { return xlashape_layout_create_major_to_minor(order.data(), -1, &none, err); });
  null_refused("major_to_minor",
               [&](auto* err) { return xlashape_layout_create_major_to_minor(nullptr, 2, &none, err); });
  null_refused("layout",
               [&](auto* err) { return xlashape_layout_create_major_to_minor(order.data(), 3, nullptr, err); });
  EXPECT_EQ(none, nullptr);
}

TEST(Layouts, MoveAndDeleteDimensions) {
  const Layout l = layout("{2,1,0:L(8)S(1)}"), tiled = layout("{2,1,0:T(8,128)}");
  const auto made = [](auto&& call) {
    const Layout result = api::make<Layout>(call);
    return text_of(result.get());
  };
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_layout_move_dimension_to_major(l.get(), 2, out, err); }),
            "{1,0,2:L(8)S(1)}");
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_layout_move_dimension_to_minor(l.get(), 0, out, err); }),
            "{0,2,1:L(8)S(1)}");
  const Ints gone = {1}, covered = {2}, bad = {3}, twice = {1, 1};
  EXPECT_EQ(
      made([&](auto** out, auto* err) { return xlashape_layout_delete_dimensions(l.get(), gone.data(), 1, out, err); }),
      "{1,0:L(8)S(1)}");
  xlashape_layout* none = nullptr;
  message(XLASHAPE_STATUS_UNSUPPORTED,
          [&](auto* err) { return xlashape_layout_delete_dimensions(tiled.get(), covered.data(), 1, &none, err); });
  const auto is_refused = [&](const Ints& dimensions) {
    const int32_t status =
        xlashape_layout_delete_dimensions(l.get(), dimensions.data(), size_of(dimensions), &none, nullptr);
    return status == XLASHAPE_STATUS_OUT_OF_RANGE || status == XLASHAPE_STATUS_INVALID_ARGUMENT;
  };
  EXPECT_TRUE(is_refused(bad));
  EXPECT_TRUE(is_refused(twice));
  for (const int64_t dimension : {int64_t{3}, int64_t{-4}, INT64_MIN, INT64_MAX}) {
    message(XLASHAPE_STATUS_OUT_OF_RANGE,
            [&](auto* err) { return xlashape_layout_move_dimension_to_major(l.get(), dimension, &none, err); });
    message(XLASHAPE_STATUS_OUT_OF_RANGE,
            [&](auto* err) { return xlashape_layout_move_dimension_to_minor(l.get(), dimension, &none, err); });
  }
  null_refused("layout", [&](auto* err) { return xlashape_layout_move_dimension_to_major(nullptr, 0, &none, err); });
  null_refused("layout", [&](auto* err) { return xlashape_layout_move_dimension_to_minor(nullptr, 0, &none, err); });
  null_refused("layout",
               [&](auto* err) { return xlashape_layout_delete_dimensions(nullptr, gone.data(), 1, &none, err); });
  null_refused("result", [&](auto* err) { return xlashape_layout_move_dimension_to_major(l.get(), 0, nullptr, err); });
  null_refused("result", [&](auto* err) { return xlashape_layout_move_dimension_to_minor(l.get(), 0, nullptr, err); });
  null_refused("result",
               [&](auto* err) { return xlashape_layout_delete_dimensions(l.get(), gone.data(), 1, nullptr, err); });
  null_refused("dimensions",
               [&](auto* err) { return xlashape_layout_delete_dimensions(l.get(), nullptr, 1, &none, err); });
  EXPECT_EQ(none, nullptr);
}

TEST(Layouts, ConsecutiveDimensions) {
  const Layout l = layout("{3,1,2,0}");
  const auto are = [&](const Ints& dimensions) {
    return xlashape_layout_are_dimensions_consecutive(l.get(), dimensions.data(), size_of(dimensions));
  };
  EXPECT_EQ(are({1, 2}), 1);
  EXPECT_EQ(are({2, 3, 1}), 1);
  EXPECT_EQ(are({3, 2}), 0);
  EXPECT_EQ(are({}), 1);
  EXPECT_EQ(are({2}), 1);
  EXPECT_EQ(are({1, 1}), 0);
  EXPECT_EQ(are({4}), 0);
  EXPECT_EQ(are({-1, 0}), 0);
  EXPECT_EQ(xlashape_layout_are_dimensions_consecutive(nullptr, nullptr, 0), 0);
  EXPECT_EQ(xlashape_layout_are_dimensions_consecutive(l.get(), nullptr, 2), 0);
  EXPECT_EQ(xlashape_layout_are_dimensions_consecutive(l.get(), nullptr, -1), 0);
}

TEST(Parts, AreFoundAndTakenAway) {
  const auto has = [](std::string_view text, uint32_t parts) {
    return xlashape_shape_has_parts(shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).get(), parts);
  };
  EXPECT_EQ(has("(f32[2], s4[3]{0:E(4)})", XLASHAPE_PART_ELEMENT_SIZE), 1);
  EXPECT_EQ(has("(f32[2], s4[3]{0})", XLASHAPE_PART_ELEMENT_SIZE), 0);
  EXPECT_EQ(has("(f32[2], f32[3])", XLASHAPE_PART_LAYOUT), 0);
  EXPECT_EQ(has("f32[2]{0:M(8)}", XLASHAPE_PART_OF_DEVICE), 1);
  EXPECT_EQ(xlashape_shape_has_parts(nullptr, ~0u), 0);
  const auto without = [](uint32_t parts) {
    return [parts](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_without_parts(from, parts, result, err);
    };
  };
  EXPECT_EQ(made_from("(f32[8]{0:T(4)S(1)})", without(XLASHAPE_PART_TILES)), "(f32[8]{0:S(1)})");
  EXPECT_EQ(made_from("(f32[8]{0:T(4)S(1)})", without(XLASHAPE_PART_OF_DEVICE)), "(f32[8]{0})");
  EXPECT_EQ(made_from("(f32[8]{0:T(4)S(1)})", without(XLASHAPE_PART_LAYOUT)), "(f32[8])");
  // Without its memory space a layout needs an order.
  for (const uint32_t parts : {XLASHAPE_PART_MEMORY_SPACE, XLASHAPE_PART_OF_DEVICE})
    EXPECT_EQ(made_from("(f32[2,3]{:S(1)}, f32[]{:S(1)})", without(parts)), "(f32[2,3]{1,0}, f32[])");
  EXPECT_EQ(made_from("f32[2,3]{:T(4)S(1)}", without(XLASHAPE_PART_TILES)), "f32[2,3]{:S(1)}");
  refused(XLASHAPE_STATUS_INCOMPATIBLE, "f32[8]{0}", without(1u << 30));
  null_refused("shape", [&](auto* err) {
    xlashape_shape* none = nullptr;
    return xlashape_shape_without_parts(nullptr, XLASHAPE_PART_TILES, &none, err);
  });
}

TEST(LayoutsOfTrees, DefaultsCopiesAndPacking) {
  EXPECT_EQ(xlashape_shape_has_all_layouts(shape("(f32[2], token[], ())").get()), 1);
  EXPECT_EQ(xlashape_shape_has_all_layouts(shape("(f32[2]{0}, f32[2])", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT).get()), 0);
  EXPECT_EQ(xlashape_shape_has_all_layouts(nullptr), 0);
  EXPECT_EQ(made_from("(f32[2,3]{0,1}, s8[4])", xlashape_shape_with_default_layouts), "(f32[2,3]{1,0}, s8[4]{0})");
  EXPECT_EQ(made_from("f32[2,3]{:T(2,d)S(5)}", xlashape_shape_with_default_layouts), "f32[2,3]{1,0:T(2,d)S(5)}");
  EXPECT_EQ(made_from("(s4[8]{0}, f32[2]{0:E(32)})", xlashape_shape_with_packed_elements),
            "(s4[8]{0:E(4)}, f32[2]{0})");
  const auto with_type = [](int32_t type) {
    return [type](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_with_element_type(from, type, result, err);
    };
  };
  EXPECT_EQ(made_from("(f32[2]{0}, token[])", with_type(XLASHAPE_TYPE_BF16)), "(bf16[2]{0}, token[])");
  for (const int32_t bad : {XLASHAPE_TYPE_TUPLE, 0, -1, 99})
    refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2]{0}", with_type(bad));

  const Shape from = shape("(f32[2,3]{0,1}, s8[4]{0:T(2)})"), to = shape("(u8[5,6], u8[7])"), other = shape("(u8[5])");
  const Shape copied = api::make<Shape>(
      [&](auto** out, auto* err) { return xlashape_shape_copy_layouts(from.get(), to.get(), out, err); });
  EXPECT_EQ(text_of(copied.get()), "(u8[5,6]{0,1}, u8[7]{0:T(2)})");
  xlashape_shape* none = nullptr;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT,
          [&](auto* err) { return xlashape_shape_copy_layouts(from.get(), other.get(), &none, err); });
  null_refused("from", [&](auto* err) { return xlashape_shape_copy_layouts(nullptr, to.get(), &none, err); });
  null_refused("to", [&](auto* err) { return xlashape_shape_copy_layouts(from.get(), nullptr, &none, err); });
  null_refused("result", [&](auto* err) { return xlashape_shape_copy_layouts(from.get(), to.get(), nullptr, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_with_default_layouts(nullptr, &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_with_packed_elements(nullptr, &none, err); });
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_with_element_type(nullptr, XLASHAPE_TYPE_F32, &none, err); });
}

TEST(Dimensions, PermuteInsertDelete) {
  const auto permute = [](Ints permutation, uint32_t flags = 0) {
    return [=](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_permute_dimensions(from, permutation.data(), size_of(permutation), flags, result, err);
    };
  };
  EXPECT_EQ(made_from("f32[2,3,4]{2,1,0}", permute({2, 0, 1})), "f32[4,2,3]{0,2,1}");
  EXPECT_EQ(made_from("f32[2,3,4]{2,1,0}", permute({2, 0, 1}, XLASHAPE_PERMUTE_KEEP_LAYOUT)), "f32[4,2,3]{2,1,0}");
  for (const Ints& bad : {Ints{0, 1}, Ints{0, 1, 1}, Ints{0, 1, 3}, Ints{0, 1, -1}, Ints{}})
    refused(XLASHAPE_STATUS_OUT_OF_RANGE, "f32[2,3,4]{2,1,0}", permute(bad));
  refused(XLASHAPE_STATUS_INCOMPATIBLE, "f32[2,3]{1,0}", permute({1, 0}, 1u << 30));
  EXPECT_EQ(made_from("f32[2,3,4]{1,0,2}", xlashape_shape_to_physical_order), "f32[4,2,3]{2,1,0}");

  const auto insert = [](int64_t at, Ints sizes, uint32_t flags = 0) {
    return [=](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_insert_dimensions(from, at, sizes.data(), size_of(sizes), flags, result, err);
    };
  };
  EXPECT_EQ(made_from("f32[2,3]{1,0}", insert(1, {5, 6})), "f32[2,5,6,3]{3,2,1,0}");
  EXPECT_EQ(made_from("f32[2,3]{0,1}", insert(2, {5}, XLASHAPE_INSERT_MOST_MAJOR)), "f32[2,3,5]{0,1,2}");
  for (const int64_t at : {int64_t{-1}, int64_t{3}, INT64_MIN, INT64_MAX})
    refused(XLASHAPE_STATUS_OUT_OF_RANGE, "f32[2,3]{1,0}", insert(at, {5}));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2,3]{1,0}", insert(0, {-5}));
  refused(XLASHAPE_STATUS_UNSUPPORTED, "f32[2,3]{1,0:T(2,2)}", insert(2, {5}));

  const auto drop = [](Ints dimensions) {
    return [=](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_delete_dimensions(from, dimensions.data(), size_of(dimensions), result, err);
    };
  };
  EXPECT_EQ(made_from("f32[2,3,4]{0,1,2}", drop({1})), "f32[2,4]{0,1}");
  EXPECT_EQ(made_from("f32[2,3,4]{0,1,2}", drop({})), "f32[2,3,4]{0,1,2}");
  refused(XLASHAPE_STATUS_UNSUPPORTED, "f32[2,3]{1,0:T(2,2)}", drop({1}));
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "f32[2,3]{1,0}", drop({2}));
  EXPECT_EQ(made_from("f32[1,3,1]{2,1,0}", xlashape_shape_drop_degenerate_dimensions), "f32[3]{0}");
  EXPECT_EQ(xlashape_shape_has_degenerate_dimensions(shape("f32[2,1]").get()), 1);
  EXPECT_EQ(xlashape_shape_has_degenerate_dimensions(shape("f32[2,3]").get()), 0);
  EXPECT_EQ(xlashape_shape_has_degenerate_dimensions(nullptr), 0);

  xlashape_shape* none = nullptr;
  const Shape s = shape("f32[2,3]");
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_permute_dimensions(nullptr, nullptr, 0, 0, &none, err); });
  null_refused("permutation",
               [&](auto* err) { return xlashape_shape_permute_dimensions(s.get(), nullptr, 2, 0, &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_to_physical_order(nullptr, &none, err); });
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_insert_dimensions(nullptr, 0, nullptr, 0, 0, &none, err); });
  null_refused("sizes",
               [&](auto* err) { return xlashape_shape_insert_dimensions(s.get(), 0, nullptr, 1, 0, &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_delete_dimensions(nullptr, nullptr, 0, &none, err); });
  null_refused("dimensions",
               [&](auto* err) { return xlashape_shape_delete_dimensions(s.get(), nullptr, 1, &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_drop_degenerate_dimensions(nullptr, &none, err); });
  message(XLASHAPE_STATUS_UNSUPPORTED, [&](auto* err) {
    return xlashape_shape_permute_dimensions(shape("token[]").get(), nullptr, 0, 0, &none, err);
  });
  EXPECT_EQ(none, nullptr);
}

TEST(Dimensions, OneChanged) {
  const auto with = [](int64_t dimension, int64_t size, int32_t is_dynamic) {
    return [=](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_with_dimension(from, dimension, size, is_dynamic, result, err);
    };
  };
  EXPECT_EQ(made_from("f32[2,3]{0,1}", with(1, 7, 1)), "f32[2,<=7]{0,1}");
  EXPECT_EQ(made_from("f32[2,3]{0,1}", with(0, XLASHAPE_DIMENSION_UNBOUNDED, 1)), "f32[?,3]{0,1}");
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "f32[2,3]{1,0}", with(2, 7, 0));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2,3]{1,0}", with(0, -7, 0));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2,3]{1,0}", with(0, XLASHAPE_DIMENSION_UNBOUNDED, 0));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2,3]{1,0:SC(0:1)}", with(0, XLASHAPE_DIMENSION_UNBOUNDED, 1));
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2,3]{1,0:PD(4,4)}", with(1, 7, 0));
  xlashape_shape* none = nullptr;
  null_refused("shape", [&](auto* err) { return xlashape_shape_with_dimension(nullptr, 0, 7, 0, &none, err); });
}

TEST(Dimensions, OrderPredicates) {
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(shape("f32[1,2,3]").get(), 1), 1);
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(shape("f32[2,2,3]").get(), 1), 0);
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(shape("f32[2]").get(), 5), 0);
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(nullptr, 0), 0);
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape("f32[2,3]").get()), 1);
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape("f32[2,3]{0,1}").get()), 0);
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape("f32[]").get()), 1);
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape("f32[2,3]{:S(5)}").get()), 1);
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(shape("f32[1,2,3]{:S(5)}").get(), 1), 1);
  EXPECT_EQ(xlashape_shape_is_effectively_most_major(shape("f32[1,2,3]{:S(5)}").get(), 2), 0);
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(nullptr), 0);
  EXPECT_EQ(xlashape_shape_is_untiled(shape("f32[4,8]{1,0:T(8)}").get()), 1);
  EXPECT_EQ(xlashape_shape_is_untiled(shape("f32[4,8]{1,0:T(2,2)}").get()), 0);
  EXPECT_EQ(xlashape_shape_is_untiled(nullptr), 0);
  const Ints dims = {2, 1, 3}, dense = {12, 99, 4}, gaps = {16, 4, 4};
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, dims.data(), dense.data(), 3), 1);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, dims.data(), gaps.data(), 3), 0);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, nullptr, nullptr, 0), 1);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, nullptr, dense.data(), 3), 0);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, dims.data(), nullptr, 3), 0);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, dims.data(), dense.data(), -1), 0);
}

TEST(Dynamism, ToStaticAndBack) {
  EXPECT_EQ(made_from("(f32[<=5,3]{1,0:M(8)}, s8[<=2]{0})", xlashape_shape_to_static), "(f32[5,3]{1,0}, s8[2]{0})");
  refused(XLASHAPE_STATUS_UNSUPPORTED, "f32[?]{0}", xlashape_shape_to_static);
  const uint8_t dynamic[] = {0, 1};
  const auto with = [&](int64_t rank) {
    return [&, rank](xlashape_shape* from, xlashape_shape** result, xlashape_error* err) {
      return xlashape_shape_with_dynamic_dimensions(from, dynamic, rank, result, err);
    };
  };
  EXPECT_EQ(made_from("f32[<=2,3]{1,0}", with(2)), "f32[2,<=3]{1,0}");
  const Shape s = shape("f32[2,3]");
  xlashape_shape* none = nullptr;
  EXPECT_NE(xlashape_shape_with_dynamic_dimensions(s.get(), dynamic, 1, &none, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_NE(xlashape_shape_with_dynamic_dimensions(s.get(), dynamic, -1, &none, nullptr), XLASHAPE_STATUS_OK);
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_with_dynamic_dimensions(nullptr, dynamic, 2, &none, err); });
  null_refused("dynamic",
               [&](auto* err) { return xlashape_shape_with_dynamic_dimensions(s.get(), nullptr, 2, &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_to_static(nullptr, &none, err); });
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(shape("(f32[<=5])").get()), 1);
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(shape("(f32[?])").get()), 0);
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(nullptr), 0);
  const Shape small = shape("(f32[<=3])"), large = shape("(f32[5])");
  EXPECT_EQ(xlashape_shape_fits_bounds(small.get(), large.get()), 1);
  EXPECT_EQ(xlashape_shape_fits_bounds(shape("(f32[<=7])").get(), large.get()), 0);
  EXPECT_EQ(xlashape_shape_fits_bounds(nullptr, large.get()), 0);
  EXPECT_EQ(xlashape_shape_fits_bounds(small.get(), nullptr), 0);
}

TEST(Trees, CountsAndSizes) {
  const Shape t = shape("(f32[2,3], (s8[5], token[]), ())");
  int64_t number = -1;
  ok([&](auto* err) { return xlashape_shape_element_count_recursive(t.get(), &number, err); });
  EXPECT_EQ(number, 11);
  ok([&](auto* err) { return xlashape_shape_byte_size_recursive(t.get(), &number, err); });
  EXPECT_EQ(number, 29);
  ok([&](auto* err) { return xlashape_shape_static_element_count(shape("f32[2,?,3]").get(), &number, err); });
  EXPECT_EQ(number, 6);
  ok([&](auto* err) {
    return xlashape_shape_max_elements_per_split(shape("f32[10,20]{1,0:SC(1:5,17)}").get(), &number, err);
  });
  EXPECT_EQ(number, 120);
  number = -1;
  const Shape opaque = shape("(opaque[])");
  message(XLASHAPE_STATUS_UNSUPPORTED,
          [&](auto* err) { return xlashape_shape_byte_size_recursive(opaque.get(), &number, err); });
  message(XLASHAPE_STATUS_UNSUPPORTED,
          [&](auto* err) { return xlashape_shape_static_element_count(t.get(), &number, err); });
  message(XLASHAPE_STATUS_UNSUPPORTED,
          [&](auto* err) { return xlashape_shape_max_elements_per_split(t.get(), &number, err); });
  for (const auto function : {xlashape_shape_element_count_recursive, xlashape_shape_byte_size_recursive,
                              xlashape_shape_static_element_count, xlashape_shape_max_elements_per_split}) {
    null_refused("shape", [&](auto* err) { return function(nullptr, &number, err); });
    EXPECT_EQ(function(t.get(), nullptr, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
  }
  EXPECT_EQ(number, -1);
  EXPECT_EQ(xlashape_shape_has_element_type(t.get(), XLASHAPE_TYPE_TOKEN), 1);
  EXPECT_EQ(xlashape_shape_has_element_type(t.get(), XLASHAPE_TYPE_BF16), 0);
  EXPECT_EQ(xlashape_shape_has_element_type(nullptr, XLASHAPE_TYPE_BF16), 0);
  EXPECT_EQ(xlashape_shape_leaves_have_classes(shape("(s8[2], u4[3])").get(), XLASHAPE_CLASS_INTEGRAL), 1);
  EXPECT_EQ(xlashape_shape_leaves_have_classes(t.get(), XLASHAPE_CLASS_INTEGRAL), 0);
  EXPECT_EQ(xlashape_shape_leaves_have_classes(nullptr, 0), 0);
  EXPECT_EQ(xlashape_shape_subshape_count(t.get()), 6);
  EXPECT_EQ(xlashape_shape_subshape_count(nullptr), 0);
}

TEST(Trees, AreVisitedInOrder) {
  const Shape t = shape("(f32[2], (s8[5], token[]), ())");
  const auto visit = [&](uint32_t flags) {
    std::vector<Ints> seen;
    Ints path(4, -9);
    int64_t len = -1;
    for (;;) {
      xlashape_shape* inside = nullptr;
      const int32_t status = xlashape_shape_next_subshape(t.get(), flags, path.data(), 4, &len, &inside, nullptr);
      if (status == XLASHAPE_STATUS_NOT_FOUND || seen.size() > 20) break;
      EXPECT_EQ(status, XLASHAPE_STATUS_OK);
      seen.emplace_back(path.begin(), path.begin() + len);
      const Shape same = api::make<Shape>(
          [&](auto** out, auto* err) { return xlashape_shape_subshape(t.get(), path.data(), len, out, err); });
      EXPECT_EQ(same.get(), inside);
      xlashape_shape_release(inside);
    }
    return seen;
  };
  EXPECT_EQ(visit(0), (std::vector<Ints>{{}, {0}, {1}, {1, 0}, {1, 1}, {2}}));
  EXPECT_EQ(visit(XLASHAPE_VISIT_POST_ORDER), (std::vector<Ints>{{0}, {1, 0}, {1, 1}, {1}, {2}, {}}));
  EXPECT_EQ(visit(XLASHAPE_VISIT_LEAVES), (std::vector<Ints>{{0}, {1, 0}, {1, 1}}));
  Ints path = {1, -9};
  int64_t len = 1;
  EXPECT_THAT(
      message(XLASHAPE_STATUS_OUT_OF_RANGE,
              [&](auto* err) { return xlashape_shape_next_subshape(t.get(), 0, path.data(), 1, &len, nullptr, err); }),
      HasSubstr("capacity"));
  EXPECT_EQ(len, 1);
  EXPECT_EQ(path, (Ints{1, -9}));
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_next_subshape(nullptr, 0, path.data(), 2, &len, nullptr, err); });
  null_refused("path_len", [&](auto* err) {
    return xlashape_shape_next_subshape(t.get(), 0, path.data(), 2, nullptr, nullptr, err);
  });
  message(XLASHAPE_STATUS_INCOMPATIBLE, [&](auto* err) {
    return xlashape_shape_next_subshape(t.get(), 1u << 30, path.data(), 2, &len, nullptr, err);
  });
  for (const int64_t bad : {int64_t{-2}, int64_t{3}, INT64_MAX}) {
    len = bad;
    EXPECT_NE(xlashape_shape_next_subshape(t.get(), 0, path.data(), 2, &len, nullptr, nullptr), XLASHAPE_STATUS_OK)
        << bad;
    EXPECT_EQ(len, bad);
  }
}

TEST(Tuples, AreCutAndGrown) {
  const Shape t = shape("(f32[2], (s8[5], token[]))"), leaf = shape("u8[7]");
  const auto made = [](auto&& call) { return text_of(api::make<Shape>(call).get()); };
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_shape_slice_tuple(t.get(), 1, 2, out, err); }),
            "((s8[5]{0}, token[]))");
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_shape_slice_tuple(t.get(), 1, 1, out, err); }), "()");
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_shape_append_to_tuple(t.get(), leaf.get(), out, err); }),
            "(f32[2]{0}, (s8[5]{0}, token[]), u8[7]{0})");
  const Ints path = {1, 0}, bad = {0, 0};
  EXPECT_EQ(made([&](auto** out, auto* err) {
              return xlashape_shape_replace_subshape(t.get(), path.data(), 2, leaf.get(), out, err);
            }),
            "(f32[2]{0}, (u8[7]{0}, token[]))");
  EXPECT_EQ(made([&](auto** out, auto* err) {
              return xlashape_shape_replace_subshape(t.get(), nullptr, 0, leaf.get(), out, err);
            }),
            "u8[7]{0}");
  EXPECT_EQ(made([&](auto** out, auto* err) { return xlashape_shape_flatten_tuple(t.get(), out, err); }),
            "(f32[2]{0}, s8[5]{0}, token[])");
  xlashape_shape* none = nullptr;
  for (const auto& [first, limit] :
       std::vector<std::pair<int64_t, int64_t>>{{-1, 1}, {0, 3}, {2, 1}, {INT64_MIN, INT64_MAX}})
    message(XLASHAPE_STATUS_OUT_OF_RANGE,
            [&, f = first, l = limit](auto* err) { return xlashape_shape_slice_tuple(t.get(), f, l, &none, err); });
  message(XLASHAPE_STATUS_OUT_OF_RANGE,
          [&](auto* err) { return xlashape_shape_replace_subshape(t.get(), bad.data(), 2, leaf.get(), &none, err); });
  EXPECT_NE(xlashape_shape_slice_tuple(leaf.get(), 0, 0, &none, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_NE(xlashape_shape_append_to_tuple(leaf.get(), leaf.get(), &none, nullptr), XLASHAPE_STATUS_OK);
  null_refused("tuple", [&](auto* err) { return xlashape_shape_slice_tuple(nullptr, 0, 0, &none, err); });
  null_refused("tuple", [&](auto* err) { return xlashape_shape_append_to_tuple(nullptr, leaf.get(), &none, err); });
  null_refused("element", [&](auto* err) { return xlashape_shape_append_to_tuple(t.get(), nullptr, &none, err); });
  null_refused("shape",
               [&](auto* err) { return xlashape_shape_replace_subshape(nullptr, nullptr, 0, leaf.get(), &none, err); });
  null_refused("subshape",
               [&](auto* err) { return xlashape_shape_replace_subshape(t.get(), nullptr, 0, nullptr, &none, err); });
  null_refused("path",
               [&](auto* err) { return xlashape_shape_replace_subshape(t.get(), nullptr, 1, leaf.get(), &none, err); });
  null_refused("shape", [&](auto* err) { return xlashape_shape_flatten_tuple(nullptr, &none, err); });
  null_refused("result", [&](auto* err) { return xlashape_shape_flatten_tuple(t.get(), nullptr, err); });
  null_refused("result", [&](auto* err) { return xlashape_shape_slice_tuple(t.get(), 0, 1, nullptr, err); });
  null_refused("result", [&](auto* err) { return xlashape_shape_append_to_tuple(t.get(), leaf.get(), nullptr, err); });
  null_refused("result", [&](auto* err) {
    return xlashape_shape_replace_subshape(t.get(), nullptr, 0, leaf.get(), nullptr, err);
  });
  EXPECT_EQ(none, nullptr);
}

TEST(Tuples, Prefix) {
  const Shape t = shape("(f32[2], s8[3], token[])");
  const auto prefix = [&](const char* text, uint32_t mask) {
    return xlashape_shape_is_prefix(shape(text).get(), t.get(), mask);
  };
  EXPECT_EQ(prefix("(f32[2], s8[3])", 0), 1);
  EXPECT_EQ(prefix("(f32[2], s8[4])", 0), 0);
  EXPECT_EQ(prefix("(f32[2], s8[4])", XLASHAPE_EQUAL_IGNORE_DIMENSIONS), 1);
  EXPECT_EQ(prefix("(opaque[], f64[])", XLASHAPE_EQUAL_STRUCTURE_ONLY), 1);
  EXPECT_EQ(xlashape_shape_is_prefix(t.get(), shape("(f32[2], s8[3])").get(), 0), 0);
  for (const uint32_t mask : {0u, XLASHAPE_EQUAL_STRUCTURE_ONLY}) {
    EXPECT_EQ(xlashape_shape_is_prefix(nullptr, t.get(), mask), 0);
    EXPECT_EQ(xlashape_shape_is_prefix(t.get(), nullptr, mask), 0);
  }
}

// Each shape inside that lacks a layout, as "path: text".
std::vector<std::string> missing_layouts(std::string_view text, uint32_t flags = 0) {
  const Shape root = shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  std::vector<std::string> found;
  int64_t path[8], path_len = -1;
  xlashape_shape* next = nullptr;
  while (!xlashape_shape_next_subshape(root.get(), flags | XLASHAPE_VISIT_MISSING_LAYOUTS, path, 8, &path_len, &next,
                                       nullptr)) {
    std::string where;
    for (int64_t i = 0; i < path_len; ++i) where += std::to_string(path[i]) + " ";
    found.push_back(where + text_of(next));
    xlashape_shape_release(next);
  }
  EXPECT_EQ(found.empty(), xlashape_shape_has_all_layouts(root.get()) != 0);
  return found;
}

TEST(Tuples, TellsWhichLayoutIsMissing) {
  using Found = std::vector<std::string>;
  EXPECT_EQ(missing_layouts("f32[2,3]{0,1}"), Found{});
  EXPECT_EQ(missing_layouts("f32[2,3]"), Found{"f32[2,3]"});
  EXPECT_EQ(missing_layouts("(f32[2]{0}, (s32[], token[], u8[4]), b(f32[5]), f32[6])"),
            (Found{"1 2 u8[4]", "2 b(f32[5])", "3 f32[6]"}));
  EXPECT_EQ(missing_layouts("((f32[2]), f32[3])", XLASHAPE_VISIT_POST_ORDER | XLASHAPE_VISIT_LEAVES),
            (Found{"0 0 f32[2]", "1 f32[3]"}));
  EXPECT_EQ(missing_layouts("(token[], opaque[], ())"), Found{});
  const Shape whole = shape("(f32[2]{0})");
  int64_t path[8], path_len = -1;
  EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND,
                      [&](auto* err) {
                        return xlashape_shape_next_subshape(whole.get(), XLASHAPE_VISIT_MISSING_LAYOUTS, path, 8,
                                                            &path_len, nullptr, err);
                      }),
              HasSubstr("lacks a layout"));
  EXPECT_EQ(path_len, -1);
}

// ShapeLayout::MatchesLayoutInShape, each option as docs/xla-parity.md puts it together.
TEST(Layouts, MatchAsAShapeLayoutDoes) {
  const auto matches = [](const char* a_text, const char* b_text, bool minor_to_major_only, bool ignore_empty_tiling) {
    const Shape a = shape(a_text), b = shape(b_text);
    uint32_t mask = XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
    if (minor_to_major_only || (ignore_empty_tiling && (!xlashape_shape_has_parts(a.get(), XLASHAPE_PART_TILES) ||
                                                        !xlashape_shape_has_parts(b.get(), XLASHAPE_PART_TILES))))
      mask |= XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY;
    return xlashape_shape_equal(a.get(), b.get(), mask) != 0;
  };
  const char *tiled = "(f32[4,8]{1,0:T(2,4)}, s8[2]{0})", *other = "(f32[4,8]{1,0:T(4,4)}, s8[2]{0})",
             *plain = "(f32[4,8]{1,0}, s8[2]{0})", *column = "(f32[4,8]{0,1}, s8[2]{0})",
             *dynamic = "(f32[<=4,8]{1,0:T(2,4)}, s8[2]{0})";
  EXPECT_TRUE(matches(tiled, tiled, false, false));
  EXPECT_TRUE(matches(tiled, dynamic, false, false));
  EXPECT_FALSE(matches(tiled, plain, false, false));
  EXPECT_TRUE(matches(tiled, plain, true, false));
  EXPECT_TRUE(matches(tiled, plain, false, true)) << "one has no tiles at all";
  EXPECT_TRUE(matches(plain, tiled, false, true));
  EXPECT_FALSE(matches(tiled, other, false, true)) << "both have tiles";
  EXPECT_TRUE(matches(tiled, other, true, true));
  EXPECT_FALSE(matches(plain, column, true, true));
}

}  // namespace
