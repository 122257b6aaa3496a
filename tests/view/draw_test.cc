// SPDX-License-Identifier: Apache-2.0
// Pictures by the C function: every option, and what is refused.
#include "api/api.h"
#include "xlashape_draw.h"

namespace {

using api::Ints;
using api::message;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

xlashape_draw_options defaults() {
  auto options = XLASHAPE_INIT(xlashape_draw_options);
  return options;
}

std::string drawn(const xlashape_shape* shape, const xlashape_draw_options& options,
                  const xlashape_shape* other = nullptr) {
  int64_t needed = 0;
  api::Error err;
  xlashape_status status = xlashape_draw(shape, other, &options, nullptr, 0, &needed, &err);
  EXPECT_EQ(status, XLASHAPE_STATUS_OK) << (status != XLASHAPE_STATUS_OK ? err.message : "");
  if (status != XLASHAPE_STATUS_OK) return "";
  std::string text(static_cast<size_t>(needed), '\0');
  status = xlashape_draw(shape, other, &options, text.data(), needed, &needed, nullptr);
  EXPECT_EQ(status, XLASHAPE_STATUS_OK);
  text.pop_back();
  EXPECT_EQ(text.find('\0'), std::string::npos);
  return text;
}
std::string drawn(std::string_view text, const xlashape_draw_options& options = defaults()) {
  return drawn(api::shape(text).get(), options);
}

std::string refused(xlashape_status want, std::string_view text, const xlashape_draw_options& options = defaults(),
                    std::string_view other = "") {
  const api::Shape shape = api::shape(text);
  const api::Shape second = other.empty() ? nullptr : api::shape(other);
  int64_t needed = -7;
  std::string why = message(want, xlashape_draw, shape.get(), second.get(), &options, nullptr, 0, &needed);
  EXPECT_EQ(needed, -7);
  return why;
}

template <class Value, class Set>
std::string refused_value(Set xlashape_draw_options::*member, Value value, std::string_view text = "f32[4,6]") {
  xlashape_draw_options options = defaults();
  options.*member = static_cast<Set>(value);
  return refused(XLASHAPE_STATUS_OUT_OF_RANGE, text, options);
}

TEST(Draw, TilesOfNothing) {
  xlashape_draw_options options = defaults();
  options.zoom = 1;
  EXPECT_THAT(drawn("f32[0,4]{1,0:T(2,2)}", options), HasSubstr("there is nothing to draw"));
}

TEST(Draw, AnswersAndArguments) {
  const api::Shape shape = api::shape("u8[2,3]{0,1}");
  const std::string want =
      "u8[2,3]{0,1}\n"
      "  6 elements of 8 bits in 6 bytes, no padding\n"
      "\n"
      "    0  1  2\n"
      "  \u250C\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2510\n"
      "0 \u2502 0  2  4\u2502\n"
      "1 \u2502 1  3  5\u2502\n"
      "  \u2514\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2518\n"
      "\n"
      "  rows are dimension 0, size 2\n"
      "  columns are dimension 1, size 3\n"
      "  numbers: position in memory\n";
  int64_t needed;
  std::string text(want.size() + 1, '#');
  ASSERT_EQ(
      xlashape_draw(shape.get(), nullptr, nullptr, text.data(), static_cast<int64_t>(text.size()), &needed, nullptr),
      XLASHAPE_STATUS_OK);
  EXPECT_EQ(text, want + '\0');
  xlashape_draw_options options = defaults();
  EXPECT_EQ(drawn(shape.get(), options), want);
  // No character is cut in half.
  for (int64_t capacity = 80; capacity < 100; ++capacity) {
    ASSERT_EQ(xlashape_draw(shape.get(), nullptr, nullptr, text.data(), capacity, &needed, nullptr),
              XLASHAPE_STATUS_OUT_OF_RANGE);
    const size_t length = std::strlen(text.c_str());
    EXPECT_LT(length, static_cast<size_t>(capacity));
    EXPECT_EQ(text.substr(0, length), want.substr(0, length));
    EXPECT_NE(want[length] & 0xC0, 0x80) << capacity;
  }
  options.flags = XLASHAPE_DRAW_ASCII;
  api::answers_text(drawn(shape.get(), options), xlashape_draw, shape.get(), nullptr, &options);
}

TEST(Draw, Formats) {
  xlashape_draw_options options = defaults();
  EXPECT_THAT(drawn("f32[4,6]", options), StartsWith("f32[4,6]{1,0}\n"));
  options.format = XLASHAPE_DRAW_SVG;
  EXPECT_THAT(drawn("f32[4,6]", options), StartsWith("<svg "));
  EXPECT_THAT(drawn("f32[4,6]", options), Not(HasSubstr("data-position")));
  EXPECT_THAT(drawn("f32[4,6]", options), HasSubstr("<title>[1,2]: position 8, byte 32</title>"));
  options.flags = XLASHAPE_DRAW_DATA;
  EXPECT_THAT(drawn("f32[4,6]", options), HasSubstr("data-index=\"1,2\" data-position=\"8\""));
  EXPECT_THAT(drawn("f32[4,6]", options), Not(HasSubstr("<title>")));
  options.flags = 0;
  options.format = XLASHAPE_DRAW_HTML;
  EXPECT_THAT(drawn("f32[4,6]", options), StartsWith("<!doctype html>"));
  EXPECT_THAT(drawn("f32[4,6]", options), HasSubstr("data-index=\"1,2\" data-position=\"8\""));
  EXPECT_EQ(refused_value(&xlashape_draw_options::format, 3), "format is 3, it must be within 0 and 2");
  EXPECT_EQ(refused_value(&xlashape_draw_options::format, -1), "format is -1, it must be within 0 and 2");
}

// The line of a picture that begins with a row's label, without the frame.
std::string row(const std::string& picture, const std::string& label) {
  const size_t at = picture.find("\n" + label + " |");
  if (at == std::string::npos) return "no row " + label + " in\n" + picture;
  const size_t begin = at + label.size() + 3, end = picture.find('\n', begin);
  return picture.substr(begin, end - begin - 1);
}

TEST(Draw, WhatStandsInACell) {
  const auto show = [](int32_t what, std::string_view shape) {
    xlashape_draw_options options = defaults();
    options.flags = XLASHAPE_DRAW_ASCII;
    options.show = what;
    return row(drawn(shape, options), "2");
  };
  constexpr const char* kTiled = "s16[3,3]{1,0:T(2,2)}";
  EXPECT_EQ(show(XLASHAPE_DRAW_POSITION, kTiled), " 8  9|12 ..");
  EXPECT_EQ(show(XLASHAPE_DRAW_INDEX, kTiled), "2,0 2,1|2,2  ..");
  EXPECT_EQ(show(XLASHAPE_DRAW_BYTE, kTiled), "16 18|24 ..");
  EXPECT_EQ(show(XLASHAPE_DRAW_BYTE, "s4[3,3]{1,0:E(4)}"), "3.0 3.4 4.0");
  EXPECT_EQ(show(XLASHAPE_DRAW_TILE, kTiled), " 2  2| 3 ..");
  EXPECT_EQ(show(XLASHAPE_DRAW_LANE, "f32[3,2]{1,0:T(8,128)}").substr(0, 11), "  2.0   2.1");
  EXPECT_EQ(show(XLASHAPE_DRAW_NOTHING, kTiled), "## ##|## ..");
  EXPECT_EQ(refused_value(&xlashape_draw_options::show, 6), "show is 6, it must be within 0 and 5");
}

TEST(Draw, Colors) {
  xlashape_draw_options options = defaults();
  EXPECT_THAT(drawn("u8[2,3]", options), Not(HasSubstr("\x1b")));
  options.flags = XLASHAPE_DRAW_COLOR;
  EXPECT_THAT(drawn("u8[2,3]", options), HasSubstr("\x1b[48;2;68;1;84m\x1b[38;2;255;255;255m 0\x1b[0m"));
  EXPECT_THAT(drawn("u8[2,3]", options), HasSubstr("\x1b[48;2;253;231;37m\x1b[38;2;0;0;0m 5\x1b[0m"));
  options.color_by = XLASHAPE_DRAW_BY_TILE;
  EXPECT_THAT(drawn("u8[2,3]{1,0:T(2,2)}", options), HasSubstr("\x1b[48;2;230;159;0m\x1b[38;2;0;0;0m 4\x1b[0m"));
  options.color_by = XLASHAPE_DRAW_BY_DIMENSION;
  options.color_dimension = 1;
  EXPECT_THAT(drawn("u8[2,3]", options), HasSubstr("\x1b[48;2;253;231;37m\x1b[38;2;0;0;0m 2\x1b[0m"));
  EXPECT_EQ(refused_value(&xlashape_draw_options::color_by, 3), "color_by is 3, it must be within 0 and 2");
  for (const int32_t dimension : {2, -1, INT32_MAX, INT32_MIN}) {
    options.color_dimension = dimension;
    EXPECT_EQ(refused(XLASHAPE_STATUS_OUT_OF_RANGE, "u8[2,3]", options),
              "color_dimension is " + std::to_string(dimension) + ", it must be within 0 and 1");
  }
  EXPECT_EQ(refused(XLASHAPE_STATUS_OUT_OF_RANGE, "u8[]", options),
            "color_dimension is -2147483648: the array has no dimensions");
}

TEST(Draw, Flags) {
  xlashape_draw_options options = defaults();
  options.flags = 1u << 3;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INCOMPATIBLE, "u8[2,3]", options), HasSubstr("flags 8 holds bits"));
  options.flags = XLASHAPE_DRAW_ASCII;
  options.max_cells = 9;
  const std::string text = drawn("bf16[100,300]{1,0:T(8,128)(2,1)}", options);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;
}

// The rules of xlashape.h for every function: structs that grow, error records of any size, what may not be NULL.
TEST(Draw, StructsAndPointers) {
  const api::Shape shape = api::shape("u8[2,3]");
  struct {
    xlashape_draw_options known;
    unsigned char more[8];
  } later = {defaults(), {}};
  later.known.struct_size = sizeof later;
  EXPECT_EQ(drawn(shape.get(), later.known), drawn(shape.get(), defaults()));
  later.more[1] = 1;
  EXPECT_EQ(refused(XLASHAPE_STATUS_INCOMPATIBLE, "u8[2,3]", later.known),
            "options uses a field at byte " + std::to_string(sizeof later.known + 1) + " that this library (" +
                xlashape_version() + ") does not know");
  xlashape_draw_options options = defaults();
  options.struct_size = sizeof options - 1;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3]", options), HasSubstr("set it to sizeof"));
  options = defaults();
  options.reserved = 1;
  EXPECT_EQ(refused(XLASHAPE_STATUS_INCOMPATIBLE, "u8[2,3]", options), "options.reserved is 1, it must be 0");
  options = defaults();
  int64_t needed;
  char text[8];
  const auto why = [&](const xlashape_shape* drawn, char* out, int64_t capacity, int64_t* count) {
    return message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_draw, drawn, nullptr, &options, out, capacity, count);
  };
  EXPECT_EQ(why(nullptr, text, 8, &needed), "shape is NULL");
  EXPECT_EQ(why(shape.get(), nullptr, 8, &needed), "text is NULL");
  EXPECT_EQ(why(shape.get(), text, -1, &needed), "capacity is -1, it must not be negative");
  EXPECT_EQ(why(shape.get(), text, 8, nullptr), "needed is NULL");
  options.show = 6;
  const std::string whole = refused(XLASHAPE_STATUS_OUT_OF_RANGE, "u8[2,3]", options);
  for (uint32_t size = 0; size <= sizeof(xlashape_error); ++size) {
    api::Error err;
    err.struct_size = size;
    EXPECT_EQ(xlashape_draw(shape.get(), nullptr, &options, nullptr, 0, &needed, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
    const size_t room = size <= 32 ? 0 : size - 33;
    EXPECT_EQ(err.code == XLASHAPE_STATUS_OUT_OF_RANGE, size >= 32);
    if (size > 32) {
      EXPECT_EQ(std::string(err.message), whole.substr(0, room));
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(&err);
    for (size_t i = std::max<size_t>(size, 4); i < sizeof err; ++i) ASSERT_EQ(bytes[i], 0x5A) << size << " byte " << i;
  }
}

TEST(Draw, NumbersOfOptions) {
  EXPECT_EQ(refused_value(&xlashape_draw_options::columns, 19), "columns is 19, it must be within 20 and 10000");
  EXPECT_EQ(refused_value(&xlashape_draw_options::columns, 10001), "columns is 10001, it must be within 20 and 10000");
  EXPECT_EQ(refused_value(&xlashape_draw_options::columns, -1), "columns is -1, it must be within 20 and 10000");
  EXPECT_EQ(refused_value(&xlashape_draw_options::max_cells, 8), "max_cells is 8, it must be within 9 and 1048576");
  EXPECT_EQ(refused_value(&xlashape_draw_options::max_cells, (1 << 20) + 1),
            "max_cells is 1048577, it must be within 9 and 1048576");
  EXPECT_EQ(refused_value(&xlashape_draw_options::max_cells, INT32_MIN),
            "max_cells is -2147483648, it must be within 9 and 1048576");
  EXPECT_EQ(refused_value(&xlashape_draw_options::overlay_bytes, -1), "overlay_bytes is -1, it must not be negative");
  EXPECT_EQ(refused_value(&xlashape_draw_options::zoom, 3, "f32[32]{0:T(8)(4)}"),
            "zoom is 3, it must be within 0 and 2, the layout's levels of tiles");
  EXPECT_EQ(refused_value(&xlashape_draw_options::zoom, -1),
            "zoom is -1, it must be within 0 and 0, the layout's levels of tiles");
  EXPECT_EQ(refused_value(&xlashape_draw_options::zoom, 1, "f32[4,6]"),
            "zoom is 1, it must be within 0 and 0, the layout's levels of tiles");
  for (const int32_t columns : {20, 10000})
    for (const int32_t cells : {9, 1 << 20}) {
      xlashape_draw_options options = defaults();
      options.columns = columns;
      options.max_cells = cells;
      options.overlay_bytes = INT64_MAX;
      EXPECT_THAT(drawn("f32[7,1000]", options), StartsWith("f32[7,1000]{1,0}\n"));
    }
}

TEST(Draw, OneIndexOfSomeDimensions) {
  xlashape_draw_options options = defaults();
  options.flags = XLASHAPE_DRAW_ASCII;
  const auto at = [&](Ints index, xlashape_status want) {
    options.at = index.data();
    options.at_count = static_cast<int64_t>(index.size());
    return want == XLASHAPE_STATUS_OK ? drawn("u8[2,3,4]", options) : refused(want, "u8[2,3,4]", options);
  };
  EXPECT_EQ(row(at({1, -1, -1}, XLASHAPE_STATUS_OK), "2"), "20 21 22 23");
  EXPECT_EQ(row(at({-1, -1, 3}, XLASHAPE_STATUS_OK), "1"), "15 19 23");
  EXPECT_THAT(at({1, 2, 3}, XLASHAPE_STATUS_OK), HasSubstr("|23|"));
  EXPECT_THAT(at({-1, -1, -1}, XLASHAPE_STATUS_OK), HasSubstr("[1,:,:]"));
  EXPECT_EQ(at({0, 0}, XLASHAPE_STATUS_INVALID_ARGUMENT), "at_count is 2, the rank is 3");
  EXPECT_EQ(at({0, 0, 0, 0}, XLASHAPE_STATUS_INVALID_ARGUMENT), "at_count is 4, the rank is 3");
  EXPECT_EQ(at({0, 3, 0}, XLASHAPE_STATUS_OUT_OF_RANGE), "at[1] is 3, it must be -1 or an index below 3");
  EXPECT_EQ(at({-2, 0, 0}, XLASHAPE_STATUS_OUT_OF_RANGE), "at[0] is -2, it must be -1 or an index below 2");
  EXPECT_EQ(at({0, 0, INT64_MAX}, XLASHAPE_STATUS_OUT_OF_RANGE),
            "at[2] is 9223372036854775807, it must be -1 or an index below 4");
  options.at = nullptr;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3,4]", options), HasSubstr("options.at is NULL"));
  const int64_t index[3] = {0, 0, 0};
  options.at = index;
  options.at_count = -1;
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[2,3,4]", options), "at_count is -1, the rank is 3");
}

TEST(Draw, WhatIsNoArray) {
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "(f32[2], f32[3])"),
            "shape is a tuple: only arrays can be drawn, one by one");
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "token[]"), "shape is a token: only arrays can be drawn");
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "opaque[]"), "shape is an opaque: only arrays can be drawn");
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "f32[2]", defaults(), "()"),
            "other is a tuple: only arrays can be drawn, one by one");
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "f32[?,3]"), HasSubstr("unbounded"));
}

TEST(Draw, TwoShapes) {
  const api::Shape from = api::shape("u8[4,6]"), to = api::shape("u8[4,6]{0,1}");
  const std::string text = drawn(from.get(), defaults(), to.get());
  EXPECT_THAT(text, HasSubstr("\nu8[4,6]{0,1}\n"));
  EXPECT_THAT(text, HasSubstr("\n  2 of 24 elements are at the same byte in both\n"));
  EXPECT_THAT(text, HasSubstr("\n  a relayout reads 24 bytes and writes 24\n"));
  xlashape_draw_options options = defaults();
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[4,6]", options, "u8[4]"),
            "the shapes' ranks differ, 2 and 1");
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[4,6]", options, "u8[4,5]"),
            "the sizes of dimension 1 differ, 6 and 5");
  options.zoom = 1;
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "u8[4,6]{1,0:T(2,2)}", options, "u8[4,6]"),
            "zoom is 1: two shapes have different tiles, so only their elements are drawn");
}

TEST(Draw, Zoom) {
  xlashape_draw_options options = defaults();
  options.flags = XLASHAPE_DRAW_ASCII;
  options.zoom = 1;
  EXPECT_EQ(row(drawn("u8[6,8]{1,0:T(2,4)}", options), "4"), " 4  5");
  EXPECT_EQ(row(drawn("u8[5,7]{1,0:T(2,4)}", options), "2"), " 2 .3");
  // An index inside a tile chooses the tile.
  const Ints at = {3, -1};
  options.at = at.data();
  options.at_count = 2;
  EXPECT_THAT(drawn("u8[6,8]{1,0:T(2,4)}", options), HasSubstr("| 2  3|"));
  options.at_count = 0;
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, "u8[6,8]{1,0:T(2,4)(3,3)}", options), HasSubstr("use zoom 0"));
}

TEST(Draw, EveryArray) {
  for (const char* text :
       {"f32[]", "pred[1]", "f32[0]", "f32[3,0,2]", "f32[0,5]{0,1:T(8,128)}", "f32[<=5,3]", "s4[7]{0:E(4)}",
        "f32[5]{0:T(1024)}", "f32[3,40]{1,0:T(*,8)}", "f32[3,4]{1,0:T(2,2,2)}", "bf16[33,3]{0,1:T(8,128)(2,1)L(4096)}",
        "f32[4,6]{1,0:SC(0:2)}", "pred[3]{0:E(32)}", "f32[1,1,1]", "f32[4611686018427387,2]", "s8[9223372036854775807]",
        "f32[2,3]{1,0:PD(1000000000,5)}", "c128[7,5,3,2,4,6]{0,5,1,4,2,3}"})
    for (const int32_t format : {XLASHAPE_DRAW_TEXT, XLASHAPE_DRAW_SVG, XLASHAPE_DRAW_HTML}) {
      SCOPED_TRACE(text);
      xlashape_draw_options options = defaults();
      options.format = format;
      const api::Shape shape = api::shape(text);
      if (shape == nullptr) continue;
      const std::string picture = drawn(shape.get(), options);
      EXPECT_THAT(picture, HasSubstr("element"));
      EXPECT_LT(picture.size(), 1'000'000u);
    }
}

}  // namespace
