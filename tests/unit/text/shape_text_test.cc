// SPDX-License-Identifier: Apache-2.0
// Texts of shapes and layouts: what each says, printed again; what is refused, and where in it;
// random shapes there and back.
#include "text/shape_text.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "text/print.h"
#include "unit/shape/parsed.h"

namespace xlashape::core {
namespace {

using namespace std::string_view_literals;
using testing::parsed;

// What parsing a text gave.
struct Outcome {
  Status status;
  int64_t offset;
  std::string text;  // printed, or the error's message
  Ref<Shape> shape;
};

Outcome parse(std::string_view text, uint32_t flags = 0) {
  auto err = XLASHAPE_INIT(Error);
  err.offset = 77;  // what a caller's record holds from before must not matter
  Outcome out{};
  out.status = parse_shape(text, flags, &out.shape, &err);
  out.offset = out.status ? err.offset : -1;
  if (out.status) {
    EXPECT_FALSE(out.shape);
    EXPECT_EQ(err.code, out.status);
    out.text = err.message;
    return out;
  }
  int64_t needed;
  EXPECT_EQ(print_shape(*out.shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  out.text.resize(needed);
  EXPECT_EQ(print_shape(*out.shape, 0, out.text.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
  out.text.pop_back();
  return out;
}

Outcome parse_layout_text(std::string_view text) {
  auto err = XLASHAPE_INIT(Error);
  Outcome out{};
  Ref<Layout> layout;
  out.status = parse_layout(text, &layout, &err);
  out.offset = out.status ? err.offset : -1;
  out.text = err.message;
  if (!out.status) {
    char printed[300];
    int64_t needed;
    EXPECT_EQ(print_layout(*layout, 0, printed, sizeof printed, &needed, nullptr), XLASHAPE_STATUS_OK);
    out.text = printed;
  }
  return out;
}

void expect_reads(std::string_view text, std::string_view canonical) {
  const Outcome out = parse(text);
  EXPECT_EQ(out.status, XLASHAPE_STATUS_OK) << text << ": " << out.text;
  EXPECT_EQ(out.text, canonical);
}

void expect_fails(std::string_view text, Status status, int64_t offset, uint32_t flags = 0) {
  const Outcome out = parse(text, flags);
  EXPECT_EQ(out.status, status) << text << ": " << out.text;
  EXPECT_EQ(out.offset, offset) << text << ": " << out.text;
  if (status == XLASHAPE_STATUS_PARSE) {
    EXPECT_EQ(out.text.find("expected "), 0u) << out.text;
    EXPECT_NE(out.text.find(", found "), std::string::npos) << out.text;
  }
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

// The texts of a line, which ` | ` parts.
std::vector<std::string> each_of(std::string_view line) {
  std::vector<std::string> texts;
  for (size_t end; (end = line.find(" | ")) != line.npos; line.remove_prefix(end + 3))
    texts.emplace_back(line.substr(0, end));
  texts.emplace_back(line);
  return texts;
}

TEST(ShapeText, PrintsWhatItReads) {
  for (const char* line : {
           // clang-format off
       "() | opaque[] | f32[2,3,4]{0,2,1} | f32[2,3]{1,0:T(2,128)(4,1)} | f32[4]{0:L(8)E(16)S(-128)M(1024)}",
       "f32[4]{0:E(32)} | f32[4]{0:S(127)} | f32[123,456]{1,0:SC(1:200)} | f32[8,8]{1,0:SC(1:2,4)(0:)}",
       "f32[?,8]{1,0:SC(1:2)(0:)} | f32[<=8]{0:SC(0:7)} | f32[2,3]{1,0:PD(3,5)PV(zero)} | f32[2]{0:M(8)PD(2)}",
       "f32[]{:PV(unknown)} | f32[<=2]{0:PD(5)} | f32[] | f32[0,10,9223372036854775807]{0,2,1} | token[]",
       "b(s32[]) | (()) | f32[2,3]{:S(5)} | f32[2,3]{:T(8,128)L(4)E(32)S(-1)M(4)} | f32[?,<=3]{:S(127)}",
       "(f32[2,3]{:S(5)}, b(f32[2]{:S(7)})) | f32[]{:T(128)} | f32[]{:L(2)} | f32[]{:E(16)} | f32[]{:S(1)}",
       "f32[]{:M(1)} | f32[]{:PV(zero)} | f32[]{:PV(one)} | f32[]{:PV(highest)} | f32[]{:PV(lowest)}",
           // clang-format on
       })
    for (const std::string& text : each_of(line)) expect_reads(text, text);
  const struct {
    const char *text, *printed;
  } cases[] = {
      {"f32[007,-0,0]", "f32[7,0,0]{2,1,0}"},
      {"f32[<=5,?,<=0]", "f32[<=5,?,<=0]{2,1,0}"},
      {"f32[<=9223372036854775807]", "f32[<=9223372036854775807]{0}"},
      {"f32[9223372036854775807]", "f32[9223372036854775807]{0}"},
      {"f32[0,4294967296,4294967296]", "f32[0,4294967296,4294967296]{2,1,0}"},
      {"f32[04]{-0:T(007,00002)L(0003)E(-0)S(-00)SC(-0:003)M(-0)PD(0005)}", "f32[4]{0:T(7,2)L(3)SC(0:3)PD(5)}"},
      {" f32 [ 2 , <= 3 ] { 1 , 0 : T ( 2 , * ) ( 4 ) E ( 4 ) S ( 1 ) SC ( 1 : 2 ) PD ( 2 , 3 ) } ",
       "f32[2,<=3]{1,0:T(2,*)(4)E(4)S(1)SC(1:2)PD(2,3)}"},
      {"/*a*/f32/*b*/[//c\n2//d\r]/**/{/**/0/**/}/**///", "f32[2]{0}"},
      {"b /**/ ( f32[] )", "b(f32[])"},
      {"(\tf32[]\r\n,\n/*index=1*/token[])", "(f32[], token[])"},
      {"f32[2] {0}", "f32[2]{0}"},
      {"( )", "()"},
      {"(f32[2])", "(f32[2]{0})"},
      {"((),((f32[])),b(s8[1]))", "((), ((f32[])), b(s8[1]{0}))"},
      {"token[ ]", "token[]"},
      {"f32[]{:}", "f32[]"},
      {"f32[]{ /**/ : }", "f32[]"},
      {"f32[2]{0:}", "f32[2]{0}"},
      {"f32[2,3]{-0,01}", "f32[2,3]{0,1}"},
      {"f32[2,3] { : D(D,C) S(5) }", "f32[2,3]{:S(5)}"},
      {"f32[2,3]{1,0:D(D,C)}", "f32[2,3]{1,0}"},
      {"f32[2]{0:D(S+~)T(2)}", "f32[2]{0:T(2)}"},
      {"f32[2]{0:D(H~,D+,D,D)}", "f32[2]{0}"},
      {"f32[2]{0:T(*/**/,2)}", "f32[2]{0:T(*,2)}"},
      {"f32[2,3]{1,0:T( d ,128)(d)}", "f32[2,3]{1,0:T(d,128)(d)}"},
      {"f32[4]{0:L(1)E(0)S(0)M(0)}", "f32[4]{0}"},
      {"f32[7]", "f32[7]{0}"},
      {"pred[<=23,44,<=0,?]", "pred[<=23,44,<=0,?]{3,2,1,0}"},
      {"f8e4m3b11fnuz[1]", "f8e4m3b11fnuz[1]{0}"},
      {"b(s32[3,4])", "b(s32[3,4]{1,0})"},
      {"((),(()),token[])", "((), (()), token[])"},
      {"(f32[2],b(s4[2]{0:E(4)}))", "(f32[2]{0}, b(s4[2]{0:E(4)}))"},
      {"(u8[],u8[],u8[],u8[],u8[])", "(u8[], u8[], u8[], u8[], u8[])"},
      {"(u8[],u8[],u8[],u8[],u8[],(u8[],u8[],u8[],u8[],u8[],()),u8[],u8[],u8[],u8[],token[])",
       "(u8[], u8[], u8[], u8[], u8[], /*index=5*/(u8[], u8[], u8[], u8[], u8[], /*index=5*/()), u8[], u8[], u8[], "
       "u8[], /*index=10*/token[])"},
  };
  for (const auto& c : cases) expect_reads(c.text, c.printed);
  const std::string most = "9223372036854775807";
  const std::string largest = "f32[4]{0:T(" + most + ")L(" + most + ")E(" + most + ")M(" + most + ")PD(" + most + ")}";
  expect_reads(largest, largest);
}

// `^` is not of the text: what is wrong begins behind it.
void expect_refused(std::string_view marked, Status status) {
  const size_t at = marked.find('^');
  expect_fails(std::string(marked.substr(0, at)).append(marked.substr(at + 1)), status, static_cast<int64_t>(at));
}

TEST(ShapeText, SaysWhereTheGrammarIsBroken) {
  for (const char* line : {
           // clang-format off
       "f32^ | f32[^ | f32[2^ | f32[2,^] | f32[^,2] | f32[2 ^3] | f32[^-1] | f32[2,^-9223372036854775808]",
       "f32[^9223372036854775808] | f32[^18446744073709551615] | f32[^18446744073709551616] | f32[<=^-1]",
       "f32[<=^9223372036854775808] | f32[<=^-9223372036854775808] | f32[<=^?] | f32[<= ^] | f32[^< =2]",
       "f32[^>=2] | f32[2]^] | f32^(2) | f32[2]^/* | f32[2]{0}^/ | ^f 32[2] | f32[1 ^2] | f32[^- 1] | (^ | ^)",
       "(f32[]^ | (f32[],^ | (f32[],^) | (^,) | (f32[] ^f32[]) | ()^) | ()^() | (f32[]^} | ()^{0} | (f32[2]^{})",
       "b(^) | b(s32[]^, f32[]) | b(^b(s32[])) | b(^(s32[])) | b(^token[]) | b(^opaque[]) | b^ | b^[2]",
       "^B(s32[]) | b(s32[]^ | token[^2] | opaque[^3] | token[]^{0} | token^ | f32[]^{}",
       "f32[123,456]^dense{foo} | f32[2]{0}^{0} | f32[2]{^99999999999999999999} | (^junk, f32[2,2]{1,1})",
       "// f32[2]^ | f32[]^{0} | f32[2]^{1,1} | f32[8,^1.5] | f32[8,^1e3] | f32[8,^2x3] | f32[8,^0x10]",
       "f32[8,^1_2] | f32[8,^1.] | f32[8,^.5] | f32[8,^+1] | f32[8,^1-] | f32[8,^--1] | f32[8,^a] | f32[2]^{}",
       "f32[2]^{foo} | f32[2]^{1.5} | f32[2]^{0x1} | f32[2]^{ | f32[2]^{(0)} | ^F32[] | ^f31[] | ^f[]",
       "^opaque_type[] | ^invalid[] | ^primitive_type_invalid[] | ^f32x[] | ^f32.[]",
       "b(s32[])^{:} | token[]^{:} | (opaque[]^{:T(2)}) | f32[123,456]^foobar{0,1} | f32[2,3]{0,^}",
       "f32[2,3]{0 ^1} | f32[2,3]{0,1^ | f32[2,3]{0,1,^T(2)} | f32[123,456,789]^{1:T(2, * , 128)}",
       "f32[2]^{:T(2)} | f32[2,3]^{0:S(5)} | f32[2,3]{:S(5)^E(4)} | f32[2,3]{:T(^)S(5)} | f32[2]{0:D^}",
       "f32[2]{0:D(^)} | f32[2]{0:D(^X)} | f32[2]{0:D(D~^+)} | f32[2]{0:D(D,^)} | f32[2]{0:D(^DC)}",
       "f32[2,3]{1,0:T(^)} | f32[2,3]{1,0:T(*,2)(^)} | f32[]{:T(^)} | f32[2]{0:T(^9223372036854775808,1)}",
       "f32[2]{0:T(^-9223372036854775808,1)} | f32[4]{0:T(d ^2)} | f32[4]{0:T(^2d)}",
       "f32[4]{0:T(^-9223372036854775807)} | f32[4]{0:T^} | f32[4]{0:T(2^} | f32[4]{0:T(2^ | f32[4]{0:T(^,2)}",
       "f32[4]{0:T(2,^)} | f32[4]{0:T(^2.5)} | f32[4]{0:T(2)^T(2)} | f32[4]{0:T^[2]} | f32[4]{0:^t(2)}",
       "f32[4]{0:T(^-2)} | f32[4]{0:T(2)(^18446744073709551615)} | f32[4]{0:L(^0)} | f32[4]{0:L(^-1)}",
       "f32[4]{0:L(^9223372036854775808)} | f32[4]{0:S(200)^ | f32[8]{0:SC^} | f32[8]{0:SC(^)}",
       "f32[8]{0:SC(0^)} | f32[8]{0:SC(0:2,^)} | f32[8]{0:SC(0:2^} | f32[8]{0:SC(0:^*)} | f32[4]{0:#^}",
       "f32[4]{0:#(^s32)} | f32[4]{0:#(^pred)} | f32[4]{0:#(u32^} | f32[4]{0:*^} | f32[4]{0:*(^32)}",
       "f32[4]{0:*(u8)^#(u8)} | f32[4]{0:P^} | f32[4]{0:P(^)} | f32[4]{0:P(s32[]^} | f32[4]{0:P(s32[])^E(3)}",
       "f32[4]{0:P(s32[]^,s32[])} | f32[4]{0:P(s32[])^ | f32[2]{0:PD^} | f32[2]{0:PD(^)} | f32[2]{0:PD(2,^)}",
       "f32[2]{0:PD(2^ | f32[2]{0:PD(^*)} | f32[2]{0:PV^} | f32[2]{0:PV(^none)} | f32[2]{0:PV(^Zero)}",
       "f32[2]{0:PV(^0)} | f32[2]{0:PV(zero^} | f32[2]{0:PV(zero)^PD(2)} | f32[2]{0:PD(2)^M(3)}",
       "f32[4]{0:^X(2)} | f32[4]{0:^,T(2)} | f32[4]{0:T(2)^,S(1)} | f32[4]{0:^:} | f32[4]{0:T(^D)}",
       "f32[4]{0:T(^dd)} | f32[4]{0:T(^d2)} | f32[4]{0:T(^d.x)} | f32[2,3]^{:} | f32[2,3]^{:S(0)}",
       "f32[2,3]^{:E(4)} | f32[2,3]^{:T(2,128)M(5)}",
           // clang-format on
       })
    for (const std::string& text : each_of(line)) expect_refused(text, XLASHAPE_STATUS_PARSE);
  for (const std::string_view text : {"^"sv, "   ^"sv, "f32[2]^/*\0*/"sv, "f32[2]^//\0"sv, "f32[2]^\0"sv})
    expect_refused(text, XLASHAPE_STATUS_PARSE);
  expect_fails({}, XLASHAPE_STATUS_PARSE, 0);
}

// The first failure in the text is the one told. A layout's own rules need no dimensions,
// so they are told where it begins.
TEST(ShapeText, SaysWhichShapeBreaksARule) {
  for (const char* line : {
           // clang-format off
       "(f32[2,2]^{1,1}, junk) | f32[2,3]^{1,1} | f32[2,3]^{2,0} | f32[2,3]^{-1,0} | f32[2,3]{:S(^256)}",
       "f32[2,3]^{:T(0)S(5)} | f32[2,3]^{:S(5)SC(0:1)} | f32[2,3]{:^#(u16)S(7)} | f32[4]^{0:T(0)}",
       "f32[4]^{0:E(-1)} | f32[4]^{0:M(-1)} | f32[4]{0:S(^128)} | f32[4]{0:S(^-129)} | f32[8]^{0:SC(1:2)}",
       "f32[8]^{0:SC(0:2)(0:4)} | f32[8]^{0:SC(0:4,2)} | f32[8]^{0:SC(0:0)} | f32[8]^{0:SC(0:0,4)}",
       "^f32[?,8]{1,0:SC(0:2)} | (u8[],^f32[8]{0:SC(0:8)}) | f32[4]{0:^#(u32)} | f32[4]{0:T(2)^*(u8)E(4)}",
       "f32[4]{0:^#(u1)*(u64)P(s32[])} | f32[4]{0:^P((s32[2]{0},()))M(3)PD(4)PV(one)}",
       "(f32[4]{0:^P(b(s32[2]))},junk | f32[4]{0:P(f32[1]{0:^P(s32[])})} | f32[4]{0:P(f32[2,2]^{1,1})}",
       "f32[2]^{0:PD(2,2)} | f32[2]^{0:PD(-2)} | (^f32[2]{0:PD(1)}) | f32[]^{:PD(1)} | ^f32[?]{0:PD(5)}",
       "^f32[2,?]{1,0:PD(3,0)}",
           // clang-format on
       })
    for (const std::string& text : each_of(line)) expect_refused(text, XLASHAPE_STATUS_INVALID_ARGUMENT);
  for (const char* text :
       {"^f32[4294967296,4294967296]", "(u8[], ^f32[4294967296,4294967296,0]{2,1,0})", "b(^u8[4294967296,4294967296])"})
    expect_refused(text, XLASHAPE_STATUS_OVERFLOW);
}

TEST(ShapeText, SaysWhatIsWrong) {
  EXPECT_EQ(parse("f32[1,2,3]{0}").text, "expected a layout with 3 dimensions in minor_to_major, found one with 1");
  EXPECT_EQ(parse("f32[2,3]{:E(4)}").text, "expected a layout with 2 dimensions in minor_to_major, found one with 0");
  EXPECT_EQ(parse("\xff").text, "expected an element type, '(' or b(, found '\\xff'");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(parse(text).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse("f32" + text).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse("f32[2]{0:S(" + text).status, XLASHAPE_STATUS_PARSE);
  }
}

TEST(ShapeText, EveryElementType) {
  for (int32_t type = 1; type <= 36; ++type) {
    const char* name = element_type_info(type).name();
    if (type == XLASHAPE_TYPE_TUPLE || type == XLASHAPE_TYPE_BUFFER) {
      expect_fails(std::string(name) + "[]", XLASHAPE_STATUS_PARSE, 0);
      continue;
    }
    const Outcome out = parse(std::string(name) + "[]");
    EXPECT_EQ(out.status, XLASHAPE_STATUS_OK) << name;
    EXPECT_EQ(out.shape->element_type, type);
    if (is_array_type(type)) expect_reads(std::string(name) + "[1]", std::string(name) + "[1]{0}");
  }
}

TEST(ShapeText, IsReadIntoItsParts) {
  const Outcome out = parse("(f32[1],(f32[<=5,?,3], token[]), opaque[], f32[3]{0:PV(highest)})");
  ASSERT_EQ(out.shape->elements.size(), 4u);
  EXPECT_EQ(out.shape->leaf_count, 5);
  const Shape& dynamic = *out.shape->elements[1]->elements[0];
  EXPECT_EQ(dynamic.dynamic, (SmallVec<uint8_t, 8>{1, 1, 0}));
  EXPECT_EQ(dynamic.dimensions, (SmallVec<int64_t, 6>{5, XLASHAPE_DIMENSION_UNBOUNDED, 3}));
  EXPECT_EQ(out.shape->elements[3]->layout->padding_value, XLASHAPE_PAD_HIGHEST);
}

// Wherever a text holds an integer: what does not fit int64 is refused in its place, and no other number is read.
TEST(ShapeText, NumbersThatDoNotFit) {
  const struct {
    std::string_view before, after;
  } places[] = {
      {"f32[", "]{0}"},        {"f32[<=", "]{0}"},       {"f32[4]{", "}"},         {"f32[4]{0:T(", ")}"},
      {"f32[4]{0:T(*,", ")}"}, {"f32[4]{0:T(2)(", ")}"}, {"f32[4]{0:L(", ")}"},    {"f32[4]{0:E(", ")}"},
      {"f32[4]{0:S(", ")}"},   {"f32[4]{0:SC(", ":2)}"}, {"f32[4]{0:SC(0:", ")}"}, {"f32[4]{0:SC(0:1,", ")}"},
      {"f32[4]{0:M(", ")}"},   {"f32[4]{0:PD(", ")}"},
  };
  for (const auto& place : places) {
    for (const std::string_view number :
         {"9223372036854775808", "9223372036854775809", "18446744073709551614", "18446744073709551615",
          "18446744073709551616", "18446744073709551617", "36893488147419103236", "-9223372036854775809",
          "-18446744073709551612", "100000000000000000000000000004", "+1", "1.0", "4e0", "0x4"}) {
      const std::string text = std::string(place.before) + std::string(number) + std::string(place.after);
      // Behind `{` such a word opens no layout, so that the brace is what is wrong.
      const bool word = number.find_first_of("+.ex") != std::string_view::npos && place.before == "f32[4]{";
      expect_fails(text, XLASHAPE_STATUS_PARSE, static_cast<int64_t>(place.before.size()) - (word ? 1 : 0));
    }
    // The smallest int64 fits, and is none of `?`, `*` and 0.
    const Outcome least = parse(std::string(place.before) + "-9223372036854775808" + std::string(place.after));
    EXPECT_TRUE(least.status == XLASHAPE_STATUS_PARSE || least.status == XLASHAPE_STATUS_INVALID_ARGUMENT)
        << place.before;
  }
}

TEST(ShapeText, MissingLayouts) {
  const uint32_t keep = XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT;
  EXPECT_EQ(parse("f32[2,3]").text, "f32[2,3]{1,0}");
  EXPECT_EQ(parse("(f32[2,3],b(f32[2]),f32[2]{0})", keep).text, "(f32[2,3], b(f32[2]), f32[2]{0})");
  EXPECT_FALSE(parse("f32[2,3]", keep).shape->layout);
  EXPECT_TRUE(parse("f32[]", keep).shape->layout) << "scalars get the empty one";
  EXPECT_TRUE(parse("b(f32[])", keep).shape->elements[0]->layout);
}

// Any two properties: in their order they are read, the other way round refused at the second.
TEST(LayoutText, PropertyOrder) {
  const char* const all[] = {"D(D)", "T(2)", "L(2)", "E(4)", "S(1)", "SC(0:1)", "M(8)", "PD(9)", "PV(one)"};
  for (size_t i = 0; i < std::size(all); ++i) {
    for (size_t j = 0; j < std::size(all); ++j) {
      const std::string text = std::string("f32[4]{0:") + all[i] + all[j] + "}";
      if (i < j) {
        EXPECT_EQ(parse(text).status, XLASHAPE_STATUS_OK) << text;
      } else {
        expect_fails(text, XLASHAPE_STATUS_PARSE, static_cast<int64_t>(9 + std::strlen(all[i])));
      }
    }
  }
}

TEST(LayoutText, Alone) {
  for (const auto& [text, printed] :
       std::vector<std::pair<const char*, const char*>>{{"{}", "{}"},
                                                        {"{:}", "{}"},
                                                        {" { 1 , 0 : T(8,128)(2,1) } ", "{1,0:T(8,128)(2,1)}"},
                                                        {"{0:SC(0:1,4)}", "{0:SC(0:1,4)}"},
                                                        {"{2,0,1:D(D)L(4)E(4)S(1)SC(0:1)M(8)PD(1,2,3)PV(zero)}",
                                                         "{2,0,1:L(4)E(4)S(1)SC(0:1)M(8)PD(1,2,3)PV(zero)}"}})
    EXPECT_EQ(parse_layout_text(text).text, printed);
  const auto refused = [](std::string marked, Status status) {
    const size_t at = marked.find('^');
    const Outcome out = parse_layout_text(marked.erase(at, 1));
    EXPECT_EQ(out.status, status) << marked << ": " << out.text;
    EXPECT_EQ(out.offset, static_cast<int64_t>(at)) << marked << ": " << out.text;
  };
  for (const char* text : {"^", "^1,0", "{^", "{1,0^", "{^foo}", "{^,}", "{0}^}", "{0} ^x", "{0:T^}", "{0:P(s32[]^"})
    refused(text, XLASHAPE_STATUS_PARSE);
  for (const char* text :
       {" ^{0,0}", "^{1}", "{0:^P((s32[],(token[])))}", "{0:^*(u32)}", "{0:S(^300)}", "^{0:PD(1,2)}", "^{0:SC(0:0,4)}"})
    refused(text, XLASHAPE_STATUS_INVALID_ARGUMENT);
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

TEST(Print, WithoutLayout) {
  EXPECT_EQ(print(*parsed("(f32[2]{0:T(2)},b(s32[<=3,?]{0,1}),u8[]{:S(1)})"), XLASHAPE_PRINT_WITHOUT_LAYOUT),
            "(f32[2], b(s32[<=3,?]), u8[])");
}

TEST(Print, StrictRefusesWhatXlaCannotRead) {
  for (const char* text :
       {"f32[2]{0:PD(2)}", "f32[2]{0:PV(zero)}", "(u8[],(u8[]{:PV(one)}))", "b(f32[2]{0:PD(3)PV(one)})"}) {
    const Ref<Shape> shape = parsed(text);
    auto err = XLASHAPE_INIT(Error);
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
  EXPECT_EQ(print(*parsed("(f32[2]{0:T(2)M(3)},token[],b(u8[]))"), XLASHAPE_PRINT_STRICT),
            "(f32[2]{0:T(2)M(3)}, token[], b(u8[]))");
  Ref<Layout> layout;
  ASSERT_EQ(parse_layout("{0:PV(one)}", &layout, nullptr), XLASHAPE_STATUS_OK);
  int64_t needed;
  EXPECT_EQ(print_layout(*layout, XLASHAPE_PRINT_STRICT, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_UNSUPPORTED);
}

TEST(Print, SharedElementsPrintAsOftenAsTheyOccur) {
  Ref<Shape> shape = parsed("u8[]");
  for (int i = 0; i < 10; ++i) {
    Shape* const twice[] = {shape.get(), shape.get()};
    Ref<Shape> tuple;
    ASSERT_EQ(xlashape::core::make_tuple(twice, &tuple, nullptr), XLASHAPE_STATUS_OK);
    shape = std::move(tuple);
  }
  const std::string text = print(*shape);
  EXPECT_EQ(text.size(), 1024 * 4 + 1023 * 4u);
  EXPECT_TRUE(equal(*parsed(text), *shape, 0));
}

// Runs on a stack of 128 KiB, so that recursion would show.
template <class Body>
void on_small_stack(Body body) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
  pthread_t thread;
  const auto start = [](void* opaque) -> void* {
    (*static_cast<Body*>(opaque))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string repeat(std::string_view part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(ShapeText, DeepTuplesNeedNoStack) {
  on_small_stack([] {
    const std::string text = repeat("(", 5000) + "f32[2]{0}" + repeat(")", 5000);
    const Outcome out = parse(text);
    EXPECT_EQ(out.status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(out.text, text);
    EXPECT_TRUE(equal(*out.shape, *parse(out.text).shape, 0));
    const Outcome buffers = parse(repeat("(b(u8[]),", 5000) + "()" + repeat(")", 5000));
    EXPECT_EQ(buffers.status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(parse(repeat("(f32[1]{0:P(", 4000)).status, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(parse(repeat("f32[1]{0:P(", 5000) + "u8[]" + repeat(")}", 5000)).status,
              XLASHAPE_STATUS_INVALID_ARGUMENT);
  });
}

TEST(ShapeText, DepthIsCapped) {
  const size_t most = XLASHAPE_MAX_DEPTH;
  EXPECT_EQ(parse(repeat("(", most) + repeat(")", most)).status, XLASHAPE_STATUS_OK);
  EXPECT_EQ(parse(repeat("(", most) + "f32[]" + repeat(")", most)).shape->depth, XLASHAPE_MAX_DEPTH);
  EXPECT_EQ(parse(repeat("(", most - 1) + "b(f32[])" + repeat(")", most - 1)).status, XLASHAPE_STATUS_OK);
  expect_fails(repeat("(", most + 1) + repeat(")", most + 1), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  expect_fails(repeat("(", most) + "b(f32[])" + repeat(")", most), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  expect_fails(repeat("(", 100000), XLASHAPE_STATUS_PARSE, XLASHAPE_MAX_DEPTH);
  EXPECT_EQ(parse(repeat("f32[1]{0:P(", most + 1)).status, XLASHAPE_STATUS_PARSE);
}

// Long hostile texts: linear, each takes milliseconds; a byte looked at once per other byte would take minutes.
TEST(ShapeText, TimeIsLinear) {
  const size_t many = 200000;
  std::string order, splits;
  for (size_t i = 0; i < many; ++i) {
    order.append(i > 0 ? "," : "").append(std::to_string(i));
    splits.append("(").append(std::to_string(i)).append(":1)");
  }
  const std::string dimensions = "u8[2" + repeat(",0", many - 1) + "]{" + order;
  const std::string texts[] = {
      repeat("(", many),
      repeat("()", many),
      "(" + repeat("u8[],", many) + "u8[])",
      "(" + repeat("(),", many) + "())",
      repeat("(u8[],", 8000) + repeat("u8[],", many) + "u8[]",
      dimensions + "}",
      dimensions + ":SC" + splits + "}",
      dimensions + ":PD(" + order + ")}",
      "u8[" + repeat("<=1,?,", many) + "?]",
      "u8[" + std::string(many, '9') + "]",
      "u8[" + std::string(many, '0') + "]",
      "u8[4]{" + std::string(many, '0') + "}",
      "u8[4]{0:T" + repeat("(1)", many) + "}",
      "u8[4]{0:D(D" + repeat(",D+~", many) + ")}",
      "u8[4]{0:" + std::string(many, 'S') + "}",
      std::string(many, 'b'),
      std::string(many, ' ') + "u8[]",
      repeat("/**/", many) + "u8[]",
      repeat("/*", many),
      repeat("//\n", many) + "u8[]",
      "u8[2]" + repeat("{", many),
      repeat("u8[1]{0:P(", many),
      "(" + repeat("u8[2]{/**/", many),
  };
  for (const std::string& text : texts) {
    const std::clock_t start = std::clock();  // of this process: other work on the machine does not count
    const Outcome out = parse(text);
    if (out.status == XLASHAPE_STATUS_OK) {
      EXPECT_EQ(parse(out.text).text, out.text);
    }
    EXPECT_LT((std::clock() - start) / CLOCKS_PER_SEC, 10) << text.substr(0, 40);
  }
}

class RandomShapes {
 public:
  explicit RandomShapes(uint32_t seed) : random_(seed) {}

  Ref<Shape> shape(int depth) {
    Ref<Shape> made;
    const int64_t kind = up_to(9);
    if (kind == 0) {
      EXPECT_EQ(make_leaf(up_to(1) ? XLASHAPE_CATEGORY_TOKEN : XLASHAPE_CATEGORY_OPAQUE, &made, nullptr),
                XLASHAPE_STATUS_OK);
    } else if (kind == 1) {
      EXPECT_EQ(make_buffer(array(), &made, nullptr), XLASHAPE_STATUS_OK);
    } else if (kind <= 4 && depth > 0) {
      std::vector<Ref<Shape>> elements(static_cast<size_t>(up_to(12)));
      std::vector<Shape*> pointers;
      for (auto& element : elements) pointers.push_back((element = shape(depth - 1)).get());
      EXPECT_EQ(xlashape::core::make_tuple(std::span<Shape* const>(pointers), &made, nullptr), XLASHAPE_STATUS_OK);
    } else {
      made = array();
    }
    return made;
  }
  int64_t up_to(int64_t most) { return std::uniform_int_distribution<int64_t>(0, most)(random_); }

 private:
  Ref<Shape> array() {
    int32_t type;
    do type = static_cast<int32_t>(1 + up_to(35));
    while (!is_array_type(type));
    SmallVec<int64_t, 8> dimensions;
    SmallVec<uint8_t, 8> dynamic;
    for (int64_t rank = up_to(7); rank > 0; --rank) {
      dimensions.push_back(up_to(9) == 0 ? XLASHAPE_DIMENSION_UNBOUNDED : up_to(100));
      dynamic.push_back(dimensions.back() == XLASHAPE_DIMENSION_UNBOUNDED || up_to(3) == 0);
    }
    Ref<Shape> made;
    auto err = XLASHAPE_INIT(Error);
    EXPECT_EQ(make_array(type, std::span<const int64_t>(dimensions), std::span<const uint8_t>(dynamic),
                         up_to(5) == 0 && !dimensions.empty() ? Ref<Layout>() : layout(dimensions), &made, &err),
              XLASHAPE_STATUS_OK)
        << err.message;
    return made;
  }

  Ref<Layout> layout(const SmallVec<int64_t, 8>& dimensions) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    Ref<Layout> made = make_row_major(rank);
    std::shuffle(made->minor_to_major.begin(), made->minor_to_major.end(), random_);
    if (up_to(1)) {
      for (int64_t levels = up_to(3); levels > 0; --levels) {
        made->tile_ranks.push_back(1 + up_to(3));
        for (int64_t i = made->tile_ranks.back(); i > 0; --i)
          made->tile_dimensions.push_back(up_to(4) == 0 ? XLASHAPE_COMBINE_DIMENSION : 1 + up_to(300));
      }
    }
    if (up_to(3) == 0) made->tail_padding_alignment = 1 + up_to(300);
    if (up_to(3) == 0) made->element_size_in_bits = up_to(64);
    if (up_to(3) == 0) made->memory_space = static_cast<int8_t>(up_to(255) - 128);
    if (up_to(3) == 0) made->metadata_prefix_bytes = up_to(INT64_MAX);
    if (up_to(3) == 0) made->padding_value = static_cast<int32_t>(up_to(5));
    if (up_to(3) == 0 &&
        std::find(dimensions.begin(), dimensions.end(), XLASHAPE_DIMENSION_UNBOUNDED) == dimensions.end())
      for (const int64_t size : dimensions) made->padded_dimensions.push_back(size + up_to(9));
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t size = dimensions[static_cast<size_t>(made->major(i))];
      if (up_to(5) > 0 || size < 3) continue;
      made->split_dimensions.push_back(i);
      made->split_sizes.push_back(up_to(2));
      for (int64_t index = 1; index <= made->split_sizes.back(); ++index) made->split_indices.push_back(index);
    }
    return made;
  }

  std::mt19937 random_;
};

// The text with blanks and comments wherever two tokens meet and one of them is a single character.
std::string spread(const std::string& text, RandomShapes& random) {
  static constexpr const char* kBlanks[] = {"", " ", "\t", "\r\n", "/* { */", "//(\n", " /**/ "};
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool comment = text.compare(i, 2, "/*") == 0;
    if (comment) i = text.find("*/", i) + 2;
    const bool single = std::strchr("()[]{},:", text[i]) != nullptr;
    if (single) out += kBlanks[random.up_to(6)];
    out += text[i];
    if (single) out += kBlanks[random.up_to(6)];
  }
  return out;
}

TEST(ShapeText, RandomShapesSurviveTheirText) {
  RandomShapes random(20240611);
  for (int round = 0; round < 3000; ++round) {
    const Ref<Shape> shape = random.shape(3);
    int64_t needed;
    ASSERT_EQ(print_shape(*shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
    std::string text(needed, '#');
    ASSERT_EQ(print_shape(*shape, 0, text.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
    text.pop_back();
    for (const std::string& variant : {text, spread(text, random)}) {
      const Outcome out = parse(variant, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
      ASSERT_EQ(out.status, XLASHAPE_STATUS_OK) << variant << ": " << out.text;
      EXPECT_TRUE(equal(*shape, *out.shape, 0)) << variant;
      EXPECT_EQ(out.text, text);
    }
    // Cut or changed anywhere it is another shape or an error, and reads nothing beyond its end.
    std::string broken = text.substr(0, static_cast<size_t>(random.up_to(static_cast<int64_t>(text.size()))));
    if (!broken.empty() && random.up_to(1))
      broken[static_cast<size_t>(random.up_to(static_cast<int64_t>(broken.size()) - 1))] =
          static_cast<char>(random.up_to(255));
    const Outcome out = parse(broken);
    if (out.status != XLASHAPE_STATUS_OK) {
      EXPECT_GE(out.offset, 0);
      EXPECT_LE(out.offset, static_cast<int64_t>(broken.size()));
    }
  }
}

}  // namespace
}  // namespace xlashape::core
