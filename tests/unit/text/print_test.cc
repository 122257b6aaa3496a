#include "text/print.h"

#include <gtest/gtest.h>

#include <string>

#include "text/shape_text.h"

namespace xlashape::core {
namespace {

Ref<Shape> shape_of(std::string_view text, uint32_t flags = 0) {
  Error err{};
  err.struct_size = sizeof err;
  Ref<Shape> shape;
  EXPECT_EQ(parse_shape(text, flags, &shape, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
  return shape;
}

std::string print(const Shape& shape, uint32_t flags = 0) {
  int64_t needed = 0;
  EXPECT_EQ(print_shape(shape, flags, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  std::string text(needed, '#');
  EXPECT_EQ(print_shape(shape, flags, text.data(), text.size(), &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(text.back(), '\0');
  text.pop_back();
  return text;
}

std::string print(const Layout& layout) {
  char text[500];
  int64_t needed;
  EXPECT_EQ(print_layout(layout, 0, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
  return text;
}

TEST(Print, Arrays) {
  EXPECT_EQ(print(*shape_of("f32[]")), "f32[]");
  EXPECT_EQ(print(*shape_of("f32[]{:}")), "f32[]");
  EXPECT_EQ(print(*shape_of("f32[7]")), "f32[7]{0}");
  EXPECT_EQ(print(*shape_of("f32[0,10,9223372036854775807]{0,2,1}")), "f32[0,10,9223372036854775807]{0,2,1}");
  EXPECT_EQ(print(*shape_of("pred[<=23,44,<=0,?]")), "pred[<=23,44,<=0,?]{3,2,1,0}");
  EXPECT_EQ(print(*shape_of("f8e4m3b11fnuz[1]")), "f8e4m3b11fnuz[1]{0}");
  EXPECT_EQ(print(*shape_of("f32[2,3]", XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT)), "f32[2,3]");
}

TEST(Print, OtherShapes) {
  EXPECT_EQ(print(*shape_of("token[]")), "token[]");
  EXPECT_EQ(print(*shape_of("opaque[]")), "opaque[]");
  EXPECT_EQ(print(*shape_of("b(s32[3,4])")), "b(s32[3,4]{1,0})");
  EXPECT_EQ(print(*shape_of("b(s32[])")), "b(s32[])");
  EXPECT_EQ(print(*shape_of("()")), "()");
  EXPECT_EQ(print(*shape_of("(())")), "(())");
  EXPECT_EQ(print(*shape_of("((),(()),token[])")), "((), (()), token[])");
  EXPECT_EQ(print(*shape_of("(f32[2],b(s4[2]{0:E(4)}))")), "(f32[2]{0}, b(s4[2]{0:E(4)}))");
}

TEST(Print, NumbersEveryFifthElementOfEachTuple) {
  EXPECT_EQ(print(*shape_of("(u8[],u8[],u8[],u8[],u8[])")), "(u8[], u8[], u8[], u8[], u8[])");
  EXPECT_EQ(print(*shape_of("(u8[],u8[],u8[],u8[],u8[],(u8[],u8[],u8[],u8[],u8[],()),u8[],u8[],u8[],u8[],token[])")),
            "(u8[], u8[], u8[], u8[], u8[], /*index=5*/(u8[], u8[], u8[], u8[], u8[], /*index=5*/()), u8[], u8[], "
            "u8[], u8[], /*index=10*/token[])");
}

TEST(Print, PropertiesInTheirOrderAndOnlyWhereSet) {
  Layout layout;
  layout.minor_to_major = {1, 0};
  EXPECT_EQ(print(layout), "{1,0}");
  layout.padding_value = XLASHAPE_PAD_LOWEST;
  EXPECT_EQ(print(layout), "{1,0:PV(lowest)}");
  layout.padded_dimensions = {30, 50};
  EXPECT_EQ(print(layout), "{1,0:PD(30,50)PV(lowest)}");
  layout.metadata_prefix_bytes = 64;
  EXPECT_EQ(print(layout), "{1,0:M(64)PD(30,50)PV(lowest)}");
  layout.split_dimensions = {0, 1};
  layout.split_sizes = {2, 0};
  layout.split_indices = {3, 4};
  EXPECT_EQ(print(layout), "{1,0:SC(0:3,4)(1:)M(64)PD(30,50)PV(lowest)}");
  layout.memory_space = -128;
  EXPECT_EQ(print(layout), "{1,0:S(-128)SC(0:3,4)(1:)M(64)PD(30,50)PV(lowest)}");
  layout.element_size_in_bits = 4;
  layout.tail_padding_alignment = 100;
  EXPECT_EQ(print(layout), "{1,0:L(100)E(4)S(-128)SC(0:3,4)(1:)M(64)PD(30,50)PV(lowest)}");
  layout.tile_ranks = {2, 0, 3};
  layout.tile_dimensions = {XLASHAPE_COMBINE_DIMENSION, 128, 8, 0, 1};
  EXPECT_EQ(print(layout), "{1,0:T(*,128)()(8,0,1)L(100)E(4)S(-128)SC(0:3,4)(1:)M(64)PD(30,50)PV(lowest)}");
}

TEST(Print, EachPropertyAloneGetsAColon) {
  for (const char* text : {"{:T(128)}", "{:L(2)}", "{:E(16)}", "{:S(1)}", "{:M(1)}", "{:PV(zero)}", "{:PV(one)}",
                           "{:PV(highest)}", "{:PV(unknown)}"}) {
    Ref<Layout> layout;
    ASSERT_EQ(parse_layout(text, &layout, nullptr), XLASHAPE_STATUS_OK) << text;
    EXPECT_EQ(print(*layout), text);
    EXPECT_EQ(print(*shape_of(std::string("f32[]") + text)), std::string("f32[]") + text);
  }
  Ref<Layout> layout;
  ASSERT_EQ(parse_layout("{}", &layout, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(print(*layout), "{}");
}

TEST(Print, WithoutLayout) {
  EXPECT_EQ(print(*shape_of("(f32[2]{0:T(2)},b(s32[<=3,?]{0,1}),u8[]{:S(1)})"), XLASHAPE_PRINT_WITHOUT_LAYOUT),
            "(f32[2], b(s32[<=3,?]), u8[])");
}

TEST(Print, StrictRefusesWhatXlaCannotRead) {
  for (const char* text :
       {"f32[2]{0:PD(2)}", "f32[2]{0:PV(zero)}", "(u8[],(u8[]{:PV(one)}))", "b(f32[2]{0:PD(3)PV(one)})"}) {
    const Ref<Shape> shape = shape_of(text);
    Error err{};
    err.struct_size = sizeof err;
    char out[8] = "keep";
    int64_t needed = 99;
    EXPECT_EQ(print_shape(*shape, XLASHAPE_PRINT_STRICT, out, sizeof out, &needed, &err), XLASHAPE_STATUS_UNSUPPORTED)
        << text;
    EXPECT_STREQ(out, "keep");
    EXPECT_EQ(needed, 0u);
    const bool has_widths = std::string(text).find("PD") != std::string::npos;
    EXPECT_STREQ(err.message,
                 has_widths ? "XLA's text has no padded_dimensions (PD)" : "XLA's text has no padding_value (PV)");
    print(*shape, XLASHAPE_PRINT_STRICT | XLASHAPE_PRINT_WITHOUT_LAYOUT);
  }
  EXPECT_EQ(print(*shape_of("(f32[2]{0:T(2)M(3)},token[],b(u8[]))"), XLASHAPE_PRINT_STRICT),
            "(f32[2]{0:T(2)M(3)}, token[], b(u8[]))");
  Ref<Layout> layout;
  ASSERT_EQ(parse_layout("{0:PV(one)}", &layout, nullptr), XLASHAPE_STATUS_OK);
  int64_t needed;
  EXPECT_EQ(print_layout(*layout, XLASHAPE_PRINT_STRICT, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

TEST(Print, CutsAtTheCapacity) {
  const Ref<Shape> shape = shape_of("(f32[123]{0:T(128)},u8[])");
  const std::string whole = print(*shape);
  for (size_t capacity = 1; capacity <= whole.size() + 3; ++capacity) {
    std::string out(capacity + 4, '#');
    int64_t needed = 0;
    Error err{};
    err.struct_size = sizeof err;
    const Status status = print_shape(*shape, 0, out.data(), capacity, &needed, &err);
    EXPECT_EQ(needed, whole.size() + 1);
    EXPECT_EQ(status, capacity > whole.size() ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_OUT_OF_RANGE);
    EXPECT_EQ(out.c_str(), whole.substr(0, capacity - 1));
    EXPECT_EQ(out.substr(capacity), "####");
    EXPECT_EQ(err.code, status);
  }
  int64_t needed = 0;
  EXPECT_EQ(print_shape(*shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(needed, whole.size() + 1);
  char any[64];
  EXPECT_EQ(print_shape(*shape, 0, any, SIZE_MAX, &needed, nullptr), XLASHAPE_STATUS_OK) << "no sum with the capacity";
  EXPECT_EQ(any, whole);
}

TEST(Print, SharedElementsPrintAsOftenAsTheyOccur) {
  Ref<Shape> shape = shape_of("u8[]");
  for (int i = 0; i < 10; ++i) {
    Shape* const twice[] = {shape.get(), shape.get()};
    Ref<Shape> tuple;
    ASSERT_EQ(xlashape::core::make_tuple(twice, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  const std::string text = print(*shape);
  EXPECT_EQ(text.size(), 1024 * 4 + 1023 * 4u);
  EXPECT_TRUE(equal(*shape_of(text), *shape, 0));
}

}  // namespace
}  // namespace xlashape::core
