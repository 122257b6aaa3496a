// SPDX-License-Identifier: Apache-2.0
// Shapes from shapes, and questions about whole trees of them, through the C API.
#include "api.h"
#include "xlashape_xla.h"

namespace {

using api::Ints;
using api::Layout;
using api::layout;
using api::message;
using api::ok;
using api::Shape;
using api::shape;
using api::size_of;
using api::text_of;
using testing::HasSubstr;

Shape without_defaults(std::string_view text) { return shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT); }

// The text of what function(arguments..., result, err) makes,
// or the name of the status by which it refuses and makes nothing.
template <class F, class... A>
std::string made(F function, A... arguments) {
  xlashape_shape* result = nullptr;
  const xlashape_status status = function(arguments..., &result, nullptr);
  const Shape owned(result);
  EXPECT_EQ(owned != nullptr, status == XLASHAPE_STATUS_OK);
  if (status == XLASHAPE_STATUS_OK) return text_of(result);
  message(status, function, arguments..., &result);
  return xlashape_status_name(status);
}

TEST(ElementTypes, RelatedOnes) {
  EXPECT_EQ(xlashape_element_type_complex_component(XLASHAPE_TYPE_C64), XLASHAPE_TYPE_F32);
  EXPECT_EQ(xlashape_element_type_complex_component(XLASHAPE_TYPE_C128), XLASHAPE_TYPE_F64);
  EXPECT_EQ(xlashape_element_type_complex(XLASHAPE_TYPE_F32), XLASHAPE_TYPE_C64);
  EXPECT_EQ(xlashape_element_type_complex(XLASHAPE_TYPE_F64), XLASHAPE_TYPE_C128);
  for (const int bits : {1, 2, 4, 8, 16, 32, 64})
    for (const int is_signed : {0, 1}) {
      const xlashape_element_type type = xlashape_element_type_integral(bits, is_signed);
      EXPECT_EQ(xlashape_element_type_bits(type), bits);
      EXPECT_EQ((xlashape_element_type_classes(type) & XLASHAPE_CLASS_SIGNED) != 0, is_signed != 0);
    }
  for (const int32_t none :
       {XLASHAPE_TYPE_F16, XLASHAPE_TYPE_S32, XLASHAPE_TYPE_TUPLE, 0, -1, 99, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(xlashape_element_type_complex_component(none), XLASHAPE_TYPE_INVALID);
    EXPECT_EQ(xlashape_element_type_complex(none), XLASHAPE_TYPE_INVALID);
  }
  for (const int32_t bits : {0, 3, -8, 128, INT32_MIN, INT32_MAX})
    EXPECT_EQ(xlashape_element_type_integral(bits, 1), XLASHAPE_TYPE_INVALID);
}

TEST(Layouts, FromMajorToMinor) {
  const Ints order = {2, 0, 1}, twice = {0, 0};
  const Layout made = api::make<Layout>(xlashape_layout_create_major_to_minor, order.data(), 3);
  EXPECT_EQ(text_of(made.get()), "{1,0,2}");
  xlashape_layout* none = nullptr;
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_create_major_to_minor, twice.data(), 2, &none);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_create_major_to_minor, order.data(), -1, &none);
  EXPECT_EQ(none, nullptr);
}

TEST(Layouts, MoveAndDeleteDimensions) {
  const auto changed = [](auto function, const char* text, auto... arguments) {
    const Layout from = layout(text);
    xlashape_layout* result = nullptr;
    const xlashape_status status = function(from.get(), arguments..., &result, nullptr);
    const Layout owned(result);
    if (status == XLASHAPE_STATUS_OK) return text_of(result);
    message(status, function, from.get(), arguments..., &result);
    EXPECT_EQ(result, nullptr);
    return std::string(xlashape_status_name(status));
  };
  const auto to_major = xlashape_layout_move_dimension_to_major, to_minor = xlashape_layout_move_dimension_to_minor;
  EXPECT_EQ(changed(to_major, "{2,1,0:L(8)S(1)}", 2), "{1,0,2:L(8)S(1)}");
  EXPECT_EQ(changed(to_minor, "{2,1,0:L(8)S(1)}", 0), "{0,2,1:L(8)S(1)}");
  // Splits are of the same dimensions as before.
  EXPECT_EQ(changed(to_major, "{2,1,0:SC(0:1)(2:2,3)PD(4,5,6)}", 0), "{2,1,0:SC(0:1)(2:2,3)PD(4,5,6)}");
  EXPECT_EQ(changed(to_major, "{2,1,0:SC(0:1)(2:2,3)PD(4,5,6)}", 1), "{2,0,1:SC(1:1)(2:2,3)PD(4,5,6)}");
  EXPECT_EQ(changed(to_minor, "{2,1,0:SC(0:1)(2:2,3)PD(4,5,6)}", 0), "{0,2,1:SC(2:1)(1:2,3)PD(4,5,6)}");
  const auto without = [&](const char* text, Ints dimensions) {
    return changed(xlashape_layout_delete_dimensions, text, dimensions.data(), size_of(dimensions));
  };
  EXPECT_EQ(without("{2,1,0:L(8)S(1)}", {1}), "{1,0:L(8)S(1)}");
  EXPECT_EQ(without("{0,1,2,3:SC(0:1)(2:2)PD(4,5,6,7)}", {1}), "{0,1,2:SC(0:1)PD(4,6,7)}");
  EXPECT_EQ(without("{0,1,2,3}", {0, 1, 2, 3}), "{}");
  EXPECT_EQ(without("{2,1,0:T(8,128)}", {2}), "UNSUPPORTED");
  EXPECT_EQ(without("{2,1,0}", {3}), "OUT_OF_RANGE");
  EXPECT_EQ(without("{2,1,0}", {1, 1}), "OUT_OF_RANGE");
  for (const int64_t dimension : {int64_t{3}, int64_t{-4}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(changed(to_major, "{2,1,0}", dimension), "OUT_OF_RANGE");
    EXPECT_EQ(changed(to_minor, "{2,1,0}", dimension), "OUT_OF_RANGE");
  }
}

TEST(Layouts, ConsecutiveDimensions) {
  const Layout l = layout("{3,1,2,0}");
  const auto are = [&](const Ints& dimensions) {
    return xlashape_layout_are_dimensions_consecutive(l.get(), dimensions.data(), size_of(dimensions));
  };
  for (const Ints& consecutive : {Ints{}, Ints{2}, Ints{1, 2}, Ints{2, 3, 1}, Ints{0, 1, 2, 3}})
    EXPECT_EQ(are(consecutive), 1);
  for (const Ints& others : {Ints{3, 2}, Ints{1, 1}, Ints{4}, Ints{-1, 0}, Ints{0, 1, 2, 3, 0}})
    EXPECT_EQ(are(others), 0);
  EXPECT_EQ(xlashape_layout_are_dimensions_consecutive(l.get(), nullptr, 2), 0);
  EXPECT_EQ(xlashape_layout_are_dimensions_consecutive(l.get(), nullptr, -1), 0);
}

TEST(Parts, AreFoundAndTakenAway) {
  const auto has = [](std::string_view text, uint32_t fields) {
    return xlashape_shape_has_layout_fields(without_defaults(text).get(), fields);
  };
  const auto without = [](std::string_view text, uint32_t fields) {
    return made(xlashape_shape_without_layout_fields, without_defaults(text).get(), fields);
  };
  const std::string all = "(token[], f32[4,6]{0,1:T(2,2)L(8)E(64)S(5)SC(0:3)M(16)PD(5,7)PV(one)})";
  const struct {
    uint32_t field;
    const char* text;
  } fields[] = {
      {XLASHAPE_LAYOUT_FIELD_TILES, "T(2,2)"},           {XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT, "L(8)"},
      {XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE, "E(64)"},     {XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE, "S(5)"},
      {XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS, "SC(0:3)"},  {XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX, "M(16)"},
      {XLASHAPE_LAYOUT_FIELD_PADDING, "PD(5,7)PV(one)"},
  };
  for (const auto& p : fields) {
    std::string less = all;
    less.erase(less.find(p.text), std::strlen(p.text));
    EXPECT_EQ(has(all, p.field), 1);
    EXPECT_EQ(has(less, p.field), 0);
    EXPECT_EQ(has(less, XLASHAPE_LAYOUT_FIELD_OF_DEVICE), 1);
    EXPECT_EQ(without(all, p.field), less);
  }
  EXPECT_EQ(without(all, XLASHAPE_LAYOUT_FIELD_OF_DEVICE), "(token[], f32[4,6]{0,1})");
  EXPECT_EQ(has("(f32[2], f32[3])", XLASHAPE_LAYOUT_FIELD_ALL | XLASHAPE_LAYOUT_FIELD_OF_DEVICE), 0);
  EXPECT_EQ(has("(token[], (f32[2]{0}))", XLASHAPE_LAYOUT_FIELD_ALL), 1);
  EXPECT_EQ(has("(token[], (f32[2]{0}))", XLASHAPE_LAYOUT_FIELD_OF_DEVICE), 0);
  EXPECT_EQ(without("(f32[4]{0:T(2)}, (b(s8[3]{0:S(1)}), opaque[]))", XLASHAPE_LAYOUT_FIELD_OF_DEVICE),
            "(f32[4]{0}, (b(s8[3]{0}), opaque[]))");
  EXPECT_EQ(without("(f32[8]{0:T(4)S(1)}, f32[]{:T(2)})", XLASHAPE_LAYOUT_FIELD_ALL), "(f32[8], f32[])");
  // Without its memory space a layout needs an order.
  for (const uint32_t space : {XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE, XLASHAPE_LAYOUT_FIELD_OF_DEVICE})
    EXPECT_EQ(without("(f32[2,3]{:S(1)}, f32[]{:S(1)})", space), "(f32[2,3]{1,0}, f32[])");
  EXPECT_EQ(without("f32[2,3]{:T(4)S(1)}", XLASHAPE_LAYOUT_FIELD_TILES), "f32[2,3]{:S(1)}");
  EXPECT_EQ(without("f32[8]{0}", 1u << 30), "INCOMPATIBLE");
}

TEST(LayoutsOfTrees, DefaultsCopiesAndPacking) {
  const auto has_all = [](std::string_view text) {
    return xlashape_shape_has_all_layouts(without_defaults(text).get());
  };
  EXPECT_EQ(has_all("(f32[2]{0}, token[], opaque[], (), f32[])"), 1);
  EXPECT_EQ(has_all("(f32[2]{0}, (f32[3]))"), 0);
  const auto with_defaults = [](std::string_view text) {
    return made(xlashape_shape_with_default_layouts, without_defaults(text).get());
  };
  EXPECT_EQ(with_defaults("(f32[2,3]{0,1}, s8[4], token[])"), "(f32[2,3]{1,0}, s8[4]{0}, token[])");
  EXPECT_EQ(with_defaults("f32[4,6]{0,1:T(2,2)SC(0:3)M(16)PD(5,7)}"), "f32[4,6]{1,0:T(2,2)SC(1:3)M(16)PD(5,7)}");
  EXPECT_EQ(with_defaults("f32[2,3]{:T(2,d)S(5)}"), "f32[2,3]{1,0:T(2,d)S(5)}");
  EXPECT_EQ(made(xlashape_shape_with_packed_elements,
                 shape("(s4[8], u2[4]{0:E(4)}, pred[3]{0:E(1)}, f32[2]{0:E(64)}, f4e2m1fn[2])").get()),
            "(s4[8]{0:E(4)}, u2[4]{0:E(2)}, pred[3]{0}, f32[2]{0}, f4e2m1fn[2]{0:E(4)})");
  const auto with_type = [](std::string_view text, int32_t type) {
    return made(xlashape_shape_with_element_type, shape(text).get(), type);
  };
  EXPECT_EQ(with_type("(f32[2]{0:T(2)S(1)}, (token[], b(s8[3])))", XLASHAPE_TYPE_BF16),
            "(bf16[2]{0:T(2)S(1)}, (token[], b(bf16[3]{0})))");
  EXPECT_EQ(with_type("s4[8]{0:E(4)}", XLASHAPE_TYPE_F32), "f32[8]{0}");
  EXPECT_EQ(with_type("s4[8]{0:E(4)}", XLASHAPE_TYPE_U2), "u2[8]{0:E(4)}");
  EXPECT_EQ(with_type("u2[8]{0:E(2)}", XLASHAPE_TYPE_S4), "s4[8]{0:E(4)}");  // XLA keeps E(2), which holds no s4
  EXPECT_EQ(with_type("s8[8]", XLASHAPE_TYPE_S4), "s4[8]{0}");
  for (const int32_t bad : {XLASHAPE_TYPE_TUPLE, 0, -1, 99}) EXPECT_EQ(with_type("f32[2]{0}", bad), "INVALID_ARGUMENT");

  const struct {
    const char *from, *to, *want;
  } copies[] = {
      {"(f32[2,3]{0,1:T(2)}, (s8[4]))", "(s8[5,6], (f32[7]))", "(s8[5,6]{0,1:T(2)}, (f32[7]))"},
      {"f32[3]{0:S(1)}", "b(f32[4])", "b(f32[4]{0:S(1)})"},
      {"token[]", "f32[10]", "f32[10]"},
      {"f32[10]{0}", "token[]", "token[]"},
      {"f32[2]{0}", "f32[2,3]", "INVALID_ARGUMENT"},
      {"(f32[2])", "f32[2]", "INVALID_ARGUMENT"},
      {"f32[2]", "(f32[2])", "INVALID_ARGUMENT"},
      {"(f32[2], f32[3])", "(f32[2])", "INVALID_ARGUMENT"},
      {"f32[9]{0:PD(9)}", "f32[10]", "INVALID_ARGUMENT"},
  };
  for (const auto& c : copies)
    EXPECT_EQ(made(xlashape_shape_copy_layouts, without_defaults(c.from).get(), without_defaults(c.to).get()), c.want)
        << c.from << " to " << c.to;
}

TEST(Dimensions, PermuteInsertDelete) {
  const auto permuted = [](std::string_view text, Ints permutation, uint32_t flags = 0) {
    return made(xlashape_shape_permute_dimensions, without_defaults(text).get(), permutation.data(),
                size_of(permutation), flags);
  };
  EXPECT_EQ(permuted("f32[10,<=20,30]{2,1,0:T(8,128)L(4)E(32)S(1)SC(0:5)M(8)PD(11,22,33)PV(one)}", {1, 2, 0}),
            "f32[<=20,30,10]{1,0,2:T(8,128)L(4)E(32)S(1)SC(0:5)M(8)PD(22,33,11)PV(one)}");
  EXPECT_EQ(permuted("f32[10,20,30]{2,1,0:T(8,128)SC(0:5)PD(11,22,33)}", {1, 2, 0}, XLASHAPE_PERMUTE_KEEP_LAYOUT),
            "f32[20,30,10]{2,1,0:T(8,128)SC(2:5)PD(22,33,11)}");
  EXPECT_EQ(permuted("b(f32[2,3]{1,0})", {1, 0}), "b(f32[3,2]{0,1})");
  EXPECT_EQ(permuted("f32[2,1,3]", {2, 0, 1}), "f32[3,2,1]");
  EXPECT_EQ(permuted("f32[]", {}), "f32[]");
  for (const Ints& bad : {Ints{0, 1}, Ints{0, 1, 1}, Ints{0, 1, 3}, Ints{0, 1, -1}, Ints{}})
    EXPECT_EQ(permuted("f32[2,3,4]{2,1,0}", bad), "OUT_OF_RANGE");
  EXPECT_EQ(permuted("f32[2,3]{1,0}", {1, 0}, 1u << 30), "INCOMPATIBLE");
  EXPECT_EQ(permuted("(f32[2])", {0}), "UNSUPPORTED");
  EXPECT_EQ(permuted("token[]", {}), "UNSUPPORTED");
  EXPECT_EQ(made(xlashape_shape_to_physical_order, shape("f32[2,3,4]{1,0,2}").get()), "f32[4,2,3]{2,1,0}");
  EXPECT_EQ(made(xlashape_shape_to_physical_order, without_defaults("f32[2,1,3]").get()), "f32[2,1,3]");

  const auto with_more = [](std::string_view text, int64_t at, Ints sizes, uint32_t flags = 0) {
    return made(xlashape_shape_insert_dimensions, shape(text).get(), at, sizes.data(), size_of(sizes), flags);
  };
  EXPECT_EQ(with_more("f32[2,3]{1,0}", 1, {5, 6}), "f32[2,5,6,3]{3,2,1,0}");
  EXPECT_EQ(with_more("f32[2,3]{0,1}", 2, {5}, XLASHAPE_INSERT_MOST_MAJOR), "f32[2,3,5]{0,1,2}");
  for (const int64_t at : {int64_t{-1}, int64_t{3}, INT64_MIN, INT64_MAX})
    EXPECT_EQ(with_more("f32[2,3]{1,0}", at, {5}), "OUT_OF_RANGE");
  EXPECT_EQ(with_more("f32[2,3]{1,0}", 0, {-5}), "INVALID_ARGUMENT");
  EXPECT_EQ(with_more("f32[2,3]{1,0:T(2,2)}", 2, {5}), "UNSUPPORTED");

  const auto without = [](std::string_view text, Ints dimensions) {
    return made(xlashape_shape_delete_dimensions, shape(text).get(), dimensions.data(), size_of(dimensions));
  };
  EXPECT_EQ(without("f32[2,3,4]{0,1,2}", {1}), "f32[2,4]{0,1}");
  EXPECT_EQ(without("f32[2,3,4]{0,1,2}", {}), "f32[2,3,4]{0,1,2}");
  EXPECT_EQ(without("f32[2,3]{1,0:T(2,2)}", {1}), "UNSUPPORTED");
  EXPECT_EQ(without("f32[2,3]{1,0}", {2}), "OUT_OF_RANGE");
  EXPECT_EQ(made(xlashape_shape_drop_degenerate_dimensions, shape("f32[1,3,1]{2,1,0}").get()), "f32[3]{0}");
  EXPECT_EQ(xlashape_shape_has_degenerate_dimensions(shape("f32[3,1,2]").get()), 1);
  EXPECT_EQ(xlashape_shape_has_degenerate_dimensions(shape("f32[3,0,5]").get()), 0);
}

TEST(Dimensions, OneChanged) {
  const auto with = [](std::string_view text, int64_t dimension, int64_t size, int32_t is_dynamic) {
    return made(xlashape_shape_with_dimension, shape(text).get(), dimension, size, is_dynamic);
  };
  EXPECT_EQ(with("f32[2,3]{0,1}", 1, 7, 0), "f32[2,7]{0,1}");
  EXPECT_EQ(with("f32[2,3]{0,1}", -1, 7, 1), "f32[2,<=7]{0,1}");
  EXPECT_EQ(with("f32[2,?]", 1, 7, 0), "f32[2,7]{1,0}");
  EXPECT_EQ(with("f32[2,3]{0,1}", 0, XLASHAPE_DIMENSION_UNBOUNDED, 1), "f32[?,3]{0,1}");
  EXPECT_EQ(with("f32[2,3]{1,0}", 2, 7, 0), "OUT_OF_RANGE");
  EXPECT_EQ(with("f32[2,3]{1,0}", 0, -7, 0), "INVALID_ARGUMENT");
  EXPECT_EQ(with("f32[2,3]{1,0}", 0, XLASHAPE_DIMENSION_UNBOUNDED, 0), "INVALID_ARGUMENT");
  EXPECT_EQ(with("f32[2,3]{1,0:SC(0:1)}", 0, XLASHAPE_DIMENSION_UNBOUNDED, 1), "INVALID_ARGUMENT");
  EXPECT_EQ(with("f32[2,3]{1,0:PD(2,4)}", 0, XLASHAPE_DIMENSION_UNBOUNDED, 1), "INVALID_ARGUMENT");
  EXPECT_EQ(with("f32[2,3]{1,0:PD(4,4)}", 1, 7, 0), "INVALID_ARGUMENT");
}

TEST(Dimensions, OrderPredicates) {
  const auto is_major = [](std::string_view text, int64_t dimension) {
    return xlashape_shape_is_effectively_most_major(shape(text).get(), dimension);
  };
  for (const int64_t dimension : {0, 1}) EXPECT_EQ(is_major("f32[1,2,3]{2,1,0}", dimension), 1);
  for (const int64_t dimension : {2, 3, 5, -1}) EXPECT_EQ(is_major("f32[1,2,3]{2,1,0}", dimension), 0);
  EXPECT_EQ(is_major("f32[2,2,3]", 1), 0);
  EXPECT_EQ(is_major("token[]", 0), 0);
  EXPECT_EQ(is_major("f32[1,2,3]{:S(5)}", 1), 1);
  EXPECT_EQ(is_major("f32[1,2,3]{:S(5)}", 2), 0);
  for (const char* text : {"f32[2,3]", "f32[]", "f32[2,3]{:S(5)}"})
    EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape(text).get()), 1) << text;
  EXPECT_EQ(xlashape_shape_last_dimension_is_most_minor(shape("f32[2,3]{0,1}").get()), 0);
  EXPECT_EQ(xlashape_shape_is_untiled(shape("f32[4,8]{1,0:T(8)}").get()), 1);
  EXPECT_EQ(xlashape_shape_is_untiled(shape("f32[4,8]{1,0:T(2,2)}").get()), 0);
  const auto row_major = [](int32_t type, Ints dimensions, Ints strides) {
    return xlashape_byte_strides_are_row_major(type, dimensions.data(), strides.data(), size_of(dimensions));
  };
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F32, {8, 9, 10, 11}, {3960, 440, 44, 4}), 1);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F32, {8, 9, 10, 11}, {1880, 440, 44, 4}), 0);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F16, {8, 9, 10, 11}, {3960, 440, 44, 4}), 0);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F32, {2, 1, 3}, {12, 99, 4}), 1);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F32, {2, 1, 3}, {16, 4, 4}), 0);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_U8, {3, int64_t{1} << 40, int64_t{1} << 40}, {0, int64_t{1} << 40, 1}), 0);
  EXPECT_EQ(row_major(XLASHAPE_TYPE_F32, {}, {}), 1);
  const Ints some = {4};
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, nullptr, some.data(), 1), 0);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, some.data(), nullptr, 1), 0);
  EXPECT_EQ(xlashape_byte_strides_are_row_major(XLASHAPE_TYPE_F32, some.data(), some.data(), -1), 0);
}

TEST(Dynamism, ToStaticAndBack) {
  EXPECT_EQ(made(xlashape_shape_to_static, shape("(f32[<=2,3]{0,1:T(2)M(8)}, (b(s8[<=4]), token[]))").get()),
            "(f32[2,3]{0,1:T(2)}, (b(s8[4]{0}), token[]))");
  EXPECT_EQ(made(xlashape_shape_to_static, shape("f32[?]").get()), "UNSUPPORTED");
  EXPECT_EQ(made(xlashape_shape_to_static, shape("f32[2]").get()), "f32[2]{0}");
  const auto with = [](std::string_view text, std::vector<uint8_t> dynamic) {
    return made(xlashape_shape_with_dynamic_dimensions, shape(text).get(), dynamic.data(), size_of(dynamic));
  };
  EXPECT_EQ(with("f32[<=2,3]{0,1}", {0, 7}), "f32[2,<=3]{0,1}");
  EXPECT_EQ(with("b(f32[2,3])", {0, 7}), "b(f32[2,<=3]{1,0})");
  EXPECT_EQ(with("f32[3,?]", {0, 7}), "f32[3,?]{1,0}");
  EXPECT_EQ(with("f32[?,3]", {0, 0}), "INVALID_ARGUMENT");  // an unbounded dimension cannot be static
  EXPECT_EQ(with("f32[2,3]", {1}), "OUT_OF_RANGE");
  EXPECT_EQ(with("()", {}), "UNSUPPORTED");
  const uint8_t dynamic[] = {0, 1};
  EXPECT_NE(made(xlashape_shape_with_dynamic_dimensions, shape("f32[2,3]").get(), dynamic, -1), "f32[2,<=3]{1,0}");
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(shape("(f32[2], (f32[<=3]))").get()), 1);
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(shape("(f32[2], f32[?])").get()), 0);
  EXPECT_EQ(xlashape_shape_is_bounded_dynamic(shape("f32[?,<=2]").get()), 1);
  const auto fits = [](const char* dynamic, const char* bounds) {
    return xlashape_shape_fits_bounds(shape(dynamic).get(), shape(bounds).get());
  };
  EXPECT_EQ(fits("(f32[<=2,3], s8[9])", "(f32[2,4], s8[1])"), 1);  // static arrays are not looked at
  EXPECT_EQ(fits("f32[<=5]", "f32[?]"), 1);
  EXPECT_EQ(fits("f32[?]", "f32[5]"), 1);
  EXPECT_EQ(fits("(f32[<=5,3])", "(f32[4,3])"), 0);
  for (const char* bounds : {"f32[5,1]", "(f32[5])", "token[]", "f32[4]"}) EXPECT_EQ(fits("f32[<=5]", bounds), 0);
  EXPECT_EQ(fits("(f32[<=5])", "(f32[5], f32[5])"), 0);
}

TEST(Trees, CountsAndSizes) {
  const Shape t = shape("(f32[2,3], (s8[5], token[]), ())");
  // The number that a function gives, or the negated status by which it refuses and gives none.
  const auto number = [](auto function, std::string_view text) {
    const Shape of = shape(text);
    int64_t count = -77;
    const xlashape_status status = function(of.get(), &count, nullptr);
    if (status == XLASHAPE_STATUS_OK) return count;
    message(status, function, of.get(), &count);
    EXPECT_EQ(count, -77);
    return int64_t{-status};
  };
  EXPECT_EQ(number(xlashape_shape_element_count_recursive, "(f32[2,3], (s8[5], b(s4[7]), token[]), ())"), 18);
  EXPECT_EQ(number(xlashape_shape_element_count_recursive, "(f32[?])"), -XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(number(xlashape_shape_element_count_recursive, "(s8[9223372036854775807], s8[1])"),
            -XLASHAPE_STATUS_OVERFLOW);
  EXPECT_EQ(number(xlashape_shape_byte_size_recursive, "(f32[2,3], (s8[5], token[]), ())"), 29);
  EXPECT_EQ(number(xlashape_shape_byte_size_recursive, "(opaque[])"), -XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(number(xlashape_shape_static_element_count, "f32[2,?,3]"), 6);
  EXPECT_EQ(number(xlashape_shape_static_element_count, "()"), -XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(number(xlashape_shape_max_elements_per_split, "f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}"), 150 * 90 * 70);
  EXPECT_EQ(number(xlashape_shape_max_elements_per_split, "()"), -XLASHAPE_STATUS_UNSUPPORTED);
  EXPECT_EQ(xlashape_shape_has_element_type(t.get(), XLASHAPE_TYPE_TOKEN), 1);
  EXPECT_EQ(xlashape_shape_has_element_type(t.get(), XLASHAPE_TYPE_TUPLE), 1);
  EXPECT_EQ(xlashape_shape_has_element_type(t.get(), XLASHAPE_TYPE_BF16), 0);
  const auto leaves_are = [](std::string_view text, uint32_t classes) {
    return xlashape_shape_leaves_have_classes(shape(text).get(), classes);
  };
  EXPECT_EQ(leaves_are("(s32[3], (u8[2,2], b(s4[5])))", XLASHAPE_CLASS_INTEGRAL), 1);
  EXPECT_EQ(leaves_are("(s32[3], (u8[2,2], b(s4[5])))", XLASHAPE_CLASS_SIGNED), 0);
  EXPECT_EQ(leaves_are("(s32[], token[])", XLASHAPE_CLASS_INTEGRAL), 0);
  EXPECT_EQ(leaves_are("()", XLASHAPE_CLASS_INTEGRAL), 1);
  EXPECT_EQ(xlashape_shape_subshape_count(t.get()), 6);
}

TEST(Trees, AreVisitedInOrder) {
  const auto visit = [&](std::string_view text, uint32_t flags) {
    const Shape t = shape(text);
    std::vector<Ints> seen;
    Ints path(4, -9);
    int64_t len = -1;
    for (;;) {
      xlashape_shape* inside = nullptr;
      const int32_t status = xlashape_shape_next_subshape(t.get(), flags, path.data(), 4, &len, &inside, nullptr);
      if (status == XLASHAPE_STATUS_NOT_FOUND || seen.size() > 20) break;
      EXPECT_EQ(status, XLASHAPE_STATUS_OK);
      seen.emplace_back(path.begin(), path.begin() + len);
      const Shape same = api::make<Shape>(xlashape_shape_subshape, t.get(), path.data(), len);
      EXPECT_EQ(same.get(), inside);
      xlashape_shape_release(inside);
    }
    return seen;
  };
  using Paths = std::vector<Ints>;
  const char* tree = "(f32[2], (s8[5], token[], ()), b(f32[3]))";
  const uint32_t leaves_upwards = XLASHAPE_VISIT_POST_ORDER | XLASHAPE_VISIT_LEAVES;
  EXPECT_EQ(visit(tree, 0), (Paths{{}, {0}, {1}, {1, 0}, {1, 1}, {1, 2}, {2}}));
  EXPECT_EQ(visit(tree, XLASHAPE_VISIT_POST_ORDER), (Paths{{0}, {1, 0}, {1, 1}, {1, 2}, {1}, {2}, {}}));
  EXPECT_EQ(visit(tree, XLASHAPE_VISIT_LEAVES), (Paths{{0}, {1, 0}, {1, 1}, {2}}));
  EXPECT_EQ(visit(tree, leaves_upwards), (Paths{{0}, {1, 0}, {1, 1}, {2}}));
  for (const uint32_t flags : {0u, XLASHAPE_VISIT_POST_ORDER}) EXPECT_EQ(visit("f32[]", flags), Paths{{}});
  EXPECT_EQ(visit("()", XLASHAPE_VISIT_LEAVES), Paths{});
  EXPECT_EQ(visit("((), ())", leaves_upwards), Paths{});
  const Shape t = shape("(f32[2], (s8[5], token[]), ())");
  Ints path = {1, -9};
  int64_t len = 1;
  EXPECT_THAT(
      message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_next_subshape, t.get(), 0, path.data(), 1, &len, nullptr),
      HasSubstr("capacity"));
  EXPECT_EQ(len, 1);
  EXPECT_EQ(path, (Ints{1, -9}));
  message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_next_subshape, t.get(), 1u << 30, path.data(), 2, &len, nullptr);
  for (const int64_t bad : {int64_t{-2}, int64_t{3}, INT64_MAX}) {
    len = bad;
    EXPECT_NE(xlashape_shape_next_subshape(t.get(), 0, path.data(), 2, &len, nullptr, nullptr), XLASHAPE_STATUS_OK)
        << bad;
    EXPECT_EQ(len, bad);
  }
}

TEST(Tuples, AreCutAndGrown) {
  const Shape t = shape("(f32[1], (f32[2], token[]), s8[3])"), leaf = shape("u8[7]"), none = shape("()");
  const auto slice = [](const Shape& of, int64_t first, int64_t limit) {
    return made(xlashape_shape_slice_tuple, of.get(), first, limit);
  };
  EXPECT_EQ(slice(t, 1, 3), "((f32[2]{0}, token[]), s8[3]{0})");
  EXPECT_EQ(slice(t, 3, 3), "()");
  for (const auto& [first, limit] :
       std::vector<std::pair<int64_t, int64_t>>{{-1, 1}, {0, 4}, {2, 1}, {INT64_MIN, INT64_MAX}})
    EXPECT_EQ(slice(t, first, limit), "OUT_OF_RANGE");
  EXPECT_EQ(slice(leaf, 0, 0), "INVALID_ARGUMENT");
  EXPECT_EQ(made(xlashape_shape_append_to_tuple, none.get(), leaf.get()), "(u8[7]{0})");
  EXPECT_EQ(made(xlashape_shape_append_to_tuple, leaf.get(), leaf.get()), "INVALID_ARGUMENT");
  EXPECT_EQ(made(xlashape_shape_flatten_tuple, t.get()), "(f32[1]{0}, f32[2]{0}, token[], s8[3]{0})");
  EXPECT_EQ(made(xlashape_shape_flatten_tuple, leaf.get()), "(u8[7]{0})");
  const auto replaced = [&](Ints path) {
    return made(xlashape_shape_replace_subshape, t.get(), path.data(), size_of(path), leaf.get());
  };
  EXPECT_EQ(replaced({1, 0}), "(f32[1]{0}, (u8[7]{0}, token[]), s8[3]{0})");
  EXPECT_EQ(replaced({}), "u8[7]{0}");
  EXPECT_EQ(replaced({0, 0}), "OUT_OF_RANGE");
  EXPECT_EQ(text_of(t.get()), "(f32[1]{0}, (f32[2]{0}, token[]), s8[3]{0})") << "a shape never changes";
}

// Whether the first is a prefix of the second: leaves compared, dimensions and types ignored, tuples only.
TEST(Tuples, Prefix) {
  const struct {
    const char *prefix, *shape;
    bool equal, alike, structure;
  } cases[] = {
      {"f32[]", "f32[]", true, true, true},
      {"f32[]", "s32[]", false, true, true},
      {"f32[]", "f32[4]", false, false, true},
      {"f32[3]", "f32[4]", false, true, true},
      {"f32[4]", "f32[<=4]", false, true, true},
      {"f32[2,3]{1,0}", "f32[2,3]{0,1}", false, true, true},
      {"f32[]", "()", false, false, true},  // the empty path is one into any shape
      {"f32[]", "(f32[])", false, false, true},
      {"(f32[])", "f32[]", false, false, false},
      {"()", "f32[]", true, true, true},  // the empty tuple starts everything
      {"()", "token[]", true, true, true},
      {"()", "()", true, true, true},
      {"()", "(f32[])", true, true, true},
      {"()", "(f32[], f32[4])", true, true, true},
      {"(f32[])", "(f32[], f32[4])", true, true, true},
      {"(f32[], f32[4])", "(f32[])", false, false, false},
      {"(s32[])", "(f32[], f32[4])", false, true, true},
      {"((f32[]))", "((f32[], f32[4]))", true, true, true},
      {"((f32[]), f32[])", "((f32[], f32[4]), f32[], token[])", true, true, true},
      {"((s32[]), f32[])", "((f32[], f32[4]), f32[], token[])", false, true, true},
      {"((), f32[])", "((f32[], f32[4]), f32[])", true, true, true},
      {"((), f32[])", "(f32[], f32[])", true, true, true},
      {"(token[])", "(token[])", true, true, true},
      {"(token[])", "(opaque[])", false, false, true},
      {"(b(f32[4]))", "(b(f32[4]), f32[4])", true, true, true},
      {"(b(f32[4]))", "(f32[4])", false, false, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.prefix) + " of " + c.shape);
    const Shape prefix = shape(c.prefix), whole = shape(c.shape);
    const uint32_t loose = XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE | XLASHAPE_EQUAL_IGNORE_DIMENSIONS |
                           XLASHAPE_EQUAL_IGNORE_LAYOUT | XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
    EXPECT_EQ(xlashape_shape_is_prefix(prefix.get(), whole.get(), 0) != 0, c.equal);
    EXPECT_EQ(xlashape_shape_is_prefix(prefix.get(), whole.get(), loose) != 0, c.alike);
    EXPECT_EQ(xlashape_shape_is_prefix(prefix.get(), whole.get(), XLASHAPE_EQUAL_STRUCTURE_ONLY) != 0, c.structure);
  }
  EXPECT_EQ(xlashape_shape_is_prefix(shape("(b(f32[4]))").get(), shape("(f32[4], token[])").get(),
                                     XLASHAPE_EQUAL_IGNORE_BUFFER),
            1);
  // Both ways round it is EqualStructure.
  const auto same = [](const char* a, const char* b) {
    return xlashape_shape_is_prefix(shape(a).get(), shape(b).get(), XLASHAPE_EQUAL_STRUCTURE_ONLY) &&
           xlashape_shape_is_prefix(shape(b).get(), shape(a).get(), XLASHAPE_EQUAL_STRUCTURE_ONLY);
  };
  EXPECT_TRUE(same("(f32[2], (s8[3], token[]))", "(u8[], (opaque[], f64[7]))"));
  EXPECT_FALSE(same("(f32[2], (s8[3]))", "(u8[], (opaque[], f64[7]))"));
  EXPECT_FALSE(same("f32[2]", "(f32[2])"));
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
  EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND, xlashape_shape_next_subshape, whole.get(),
                      XLASHAPE_VISIT_MISSING_LAYOUTS, path, 8, &path_len, nullptr),
              HasSubstr("lacks a layout"));
  EXPECT_EQ(path_len, -1);
}

// ShapeLayout::MatchesLayoutInShape, each option as docs/xla-parity.md puts it together.
TEST(Layouts, MatchAsAShapeLayoutDoes) {
  const auto matches = [](const char* a_text, const char* b_text, bool minor_to_major_only, bool ignore_empty_tiling) {
    const Shape a = shape(a_text), b = shape(b_text);
    uint32_t mask = XLASHAPE_EQUAL_XLA | XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
    if (minor_to_major_only ||
        (ignore_empty_tiling && (!xlashape_shape_has_layout_fields(a.get(), XLASHAPE_LAYOUT_FIELD_TILES) ||
                                 !xlashape_shape_has_layout_fields(b.get(), XLASHAPE_LAYOUT_FIELD_TILES))))
      mask |= XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY;
    return xlashape_shape_equal(a.get(), b.get(), mask) != 0;
  };
  const char *tiled = "(f32[4,8]{1,0:T(2,4)}, s8[2]{0})", *other = "(f32[4,8]{1,0:T(4,4)}, s8[2]{0})",
             *plain = "(f32[4,8]{1,0}, s8[2]{0})", *column = "(f32[4,8]{0,1}, s8[2]{0})",
             *dynamic = "(f32[<=4,8]{1,0:T(2,4)M(16)}, s8[2]{0})";
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
