#include "text/layout_text.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "outcome.h"

namespace xlashape::core {
namespace {

TEST(LayoutText, MinorToMajor) {
  expect_reads("f32[2,3,4]{0,2,1}", "f32[2,3,4]{0,2,1}");
  expect_reads("f32[2,3]{-0,01}", "f32[2,3]{0,1}");
  expect_fails("f32[2,3]{0,}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2,3]{0 1}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2,3]{0,1", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2,3]{0,1,T(2)}", XLASHAPE_STATUS_PARSE, 13);
  // The length belongs to the grammar as XLA's parser has it, the content to validation.
  expect_fails("f32[123,456,789]{1:T(2, * , 128)}", XLASHAPE_STATUS_PARSE, 16);
  expect_fails("f32[]{0}", XLASHAPE_STATUS_PARSE, 5);
  expect_fails("f32[2]{:T(2)}", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2]{1,1}", XLASHAPE_STATUS_PARSE, 6);
  expect_fails("f32[2,3]{1,1}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8);
  expect_fails("f32[2,3]{2,0}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8);
  expect_fails("f32[2,3]{-1,0}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8);
  EXPECT_EQ(parse("f32[1,2,3]{0}").text, "expected a layout with 3 dimensions in minor_to_major, found one with 1");
}

// Only a memory space lets an order be missing; all else is as in other layouts.
TEST(LayoutText, NoOrder) {
  for (const char* text : {"f32[2,3]{:S(5)}", "f32[2,3]{:T(8,128)L(4)E(32)S(-1)M(4)}", "f32[?,<=3]{:S(127)}",
                           "(f32[2,3]{:S(5)}, b(f32[2]{:S(7)}))"})
    expect_reads(text, text);
  expect_reads("f32[2,3] { : D(D,C) S(5) }", "f32[2,3]{:S(5)}");
  for (const char* text : {"f32[2,3]{:}", "f32[2,3]{:S(0)}", "f32[2,3]{:E(4)}", "f32[2,3]{:T(2,128)M(5)}"})
    expect_fails(text, XLASHAPE_STATUS_PARSE, 8);
  EXPECT_EQ(parse("f32[2,3]{:E(4)}").text, "expected a layout with 2 dimensions in minor_to_major, found one with 0");
  expect_fails("f32[2,3]{0:S(5)}", XLASHAPE_STATUS_PARSE, 8);
  expect_fails("f32[2,3]{:S(5)E(4)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[2,3]{:S(256)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 12);
  // XLA reads these.
  expect_fails("f32[2,3]{:T(0)S(5)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8);
  expect_fails("f32[2,3]{:T()S(5)}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2,3]{:S(5)SC(0:1)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 8);
  expect_fails("f32[2,3]{:#(u16)S(7)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 10);
}

TEST(LayoutText, Levels) {
  expect_reads("f32[2,3]{1,0:D(D,C)}", "f32[2,3]{1,0}");
  expect_reads("f32[2]{0:D(S+~)T(2)}", "f32[2]{0:T(2)}");
  expect_reads("f32[2]{0:D(H~,D+,D,D)}", "f32[2]{0}");
  expect_fails("f32[2]{0:D}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[2]{0:D()}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2]{0:D(X)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2]{0:D(D~+)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[2]{0:D(D,)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[2]{0:D(DC)}", XLASHAPE_STATUS_PARSE, 11);
}

TEST(LayoutText, Tiles) {
  expect_reads("f32[2,3]{1,0:T(2,128)(4,1)}", "f32[2,3]{1,0:T(2,128)(4,1)}");
  expect_fails("f32[2,3]{1,0:T()}", XLASHAPE_STATUS_PARSE,
               15);  // XLA prints it for a bare layout, and reads it nowhere
  expect_fails("f32[2,3]{1,0:T(*,2)()}", XLASHAPE_STATUS_PARSE, 20);
  expect_fails("f32[]{:T()}", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[2]{0:T(9223372036854775808,1)}", XLASHAPE_STATUS_PARSE, 11);  // no `*`
  expect_fails("f32[2]{0:T(-9223372036854775808,1)}", XLASHAPE_STATUS_PARSE, 11);
  expect_reads("f32[2]{0:T(*/**/,2)}", "f32[2]{0:T(*,2)}");
  expect_reads("f32[2,3]{1,0:T( d ,128)(d)}", "f32[2,3]{1,0:T(d,128)(d)}");
  for (const char* word : {"D", "dd", "d2", "d.x"})
    expect_fails("f32[4]{0:T(" + std::string(word) + ")}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:T(d 2)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[4]{0:T(2d)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:T(-9223372036854775807)}", XLASHAPE_STATUS_PARSE, 11);  // no `d`; XLA reads it
  expect_fails("f32[4]{0:T}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[4]{0:T(2}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[4]{0:T(2", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[4]{0:T(,2)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:T(2,)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[4]{0:T(2.5)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:T(2)T(2)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[4]{0:T[2]}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[4]{0:t(2)}", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[4]{0:T(-2)}", XLASHAPE_STATUS_PARSE, 11);  // XLA aborts
  expect_fails("f32[4]{0:T(2)(18446744073709551615)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[4]{0:T(0)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
}

TEST(LayoutText, OneIntegerProperties) {
  expect_reads("f32[4]{0:L(8)E(16)S(-128)M(1024)}", "f32[4]{0:L(8)E(16)S(-128)M(1024)}");
  expect_reads("f32[4]{0:L(1)E(0)S(0)M(0)}", "f32[4]{0}");
  expect_reads("f32[4]{0:E(32)}", "f32[4]{0:E(32)}");  // the natural width is kept
  expect_reads("f32[4]{0:S(127)}", "f32[4]{0:S(127)}");
  expect_fails("f32[4]{0:L(0)}", XLASHAPE_STATUS_PARSE, 11);  // XLA aborts
  expect_fails("f32[4]{0:L(-1)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:L(9223372036854775808)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:E(-1)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[4]{0:M(-1)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[4]{0:S(128)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 11);
  expect_fails("f32[4]{0:S(-129)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 11);
  expect_fails("f32[4]{0:S(200)", XLASHAPE_STATUS_PARSE, 15);  // the grammar comes first
  for (const char* name : {"L", "E", "S", "M"}) {
    const std::string head = std::string("f32[4]{0:") + name;
    expect_fails(head + "}", XLASHAPE_STATUS_PARSE, 10);  // XLA lets these pass
    expect_fails(head + "()}", XLASHAPE_STATUS_PARSE, 11);
    expect_fails(head + "(*)}", XLASHAPE_STATUS_PARSE, 11);
    expect_fails(head + "(1.5)}", XLASHAPE_STATUS_PARSE, 11);
    expect_fails(head + "(1}", XLASHAPE_STATUS_PARSE, 12);
    expect_fails(head + "(1,2)}", XLASHAPE_STATUS_PARSE, 12);
  }
}

TEST(LayoutText, Splits) {
  expect_reads("f32[123,456]{1,0:SC(1:200)}", "f32[123,456]{1,0:SC(1:200)}");
  expect_reads("f32[8,8]{1,0:SC(1:2,4)(0:)}", "f32[8,8]{1,0:SC(1:2,4)(0:)}");
  expect_fails("f32[8]{0:SC}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[8]{0:SC()}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[8]{0:SC(0)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[8]{0:SC(0:2,)}", XLASHAPE_STATUS_PARSE, 16);
  expect_fails("f32[8]{0:SC(0:2}", XLASHAPE_STATUS_PARSE, 15);
  expect_fails("f32[8]{0:SC(0:*)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[8]{0:SC(1:2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[8]{0:SC(0:2)(0:4)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[8]{0:SC(0:4,2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[8]{0:SC(0:0)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[8]{0:SC(0:0,4)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  EXPECT_EQ(parse_layout_text("{0:SC(0:0,4)}").status, XLASHAPE_STATUS_INVALID_ARGUMENT);  // a bare one passes in XLA
  EXPECT_EQ(parse_layout_text("{0:SC(0:1,4)}").text, "{0:SC(0:1,4)}");
  expect_fails("f32[?,8]{1,0:SC(0:2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 0);  // of an unbounded dimension
  expect_reads("f32[?,8]{1,0:SC(1:2)(0:)}", "f32[?,8]{1,0:SC(1:2)(0:)}");
  expect_reads("f32[<=8]{0:SC(0:7)}", "f32[<=8]{0:SC(0:7)}");
  expect_fails("(u8[],f32[8]{0:SC(0:8)})", XLASHAPE_STATUS_INVALID_ARGUMENT,
               6);  // needs the dimensions: the array's start
}

TEST(LayoutText, SparseLeftoversAreReadAndRefused) {
  expect_fails("f32[4]{0:#(u32)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 9);
  expect_fails("f32[4]{0:T(2)*(u8)E(4)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 13);
  expect_fails("f32[4]{0:#(u1)*(u64)P(s32[])}", XLASHAPE_STATUS_INVALID_ARGUMENT, 9);
  expect_fails("f32[4]{0:P((s32[2]{0},()))M(3)PD(4)PV(one)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 9);
  expect_fails("(f32[4]{0:P(b(s32[2]))},junk", XLASHAPE_STATUS_INVALID_ARGUMENT, 10);
  expect_fails("f32[4]{0:P(f32[1]{0:P(s32[])})}", XLASHAPE_STATUS_INVALID_ARGUMENT, 20);  // the inner one ends first
  expect_fails("f32[4]{0:P(f32[2,2]{1,1})}", XLASHAPE_STATUS_INVALID_ARGUMENT, 19);
  // Broken ones pass in XLA.
  expect_fails("f32[4]{0:#}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[4]{0:#(s32)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:#(pred)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:#(u32}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[4]{0:*}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[4]{0:*(32)}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:*(u8)#(u8)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[4]{0:P}", XLASHAPE_STATUS_PARSE, 10);
  expect_fails("f32[4]{0:P()}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[4]{0:P(s32[]}", XLASHAPE_STATUS_PARSE, 16);
  expect_fails("f32[4]{0:P(s32[])E(3)}", XLASHAPE_STATUS_PARSE, 17);
  expect_fails("f32[4]{0:P(s32[],s32[])}", XLASHAPE_STATUS_PARSE, 16);
  expect_fails("f32[4]{0:P(s32[])", XLASHAPE_STATUS_PARSE, 17);
}

TEST(LayoutText, Padding) {
  expect_reads("f32[2,3]{1,0:PD(3,5)PV(zero)}", "f32[2,3]{1,0:PD(3,5)PV(zero)}");
  expect_reads("f32[2]{0:M(8)PD(2)}", "f32[2]{0:M(8)PD(2)}");
  expect_reads("f32[]{:PV(unknown)}", "f32[]{:PV(unknown)}");
  for (const char* pad : {"zero", "one", "lowest", "highest", "unknown"})
    expect_reads(std::string("f32[2]{0:PV(") + pad + ")}", std::string("f32[2]{0:PV(") + pad + ")}");
  EXPECT_EQ(parse("f32[2]{0:PV(highest)}").shape->layout->padding_value, XLASHAPE_PAD_HIGHEST);
  expect_fails("f32[2]{0:PD}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2]{0:PD()}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0:PD(2,)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[2]{0:PD(2", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[2]{0:PD(*)}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0:PV}", XLASHAPE_STATUS_PARSE, 11);
  expect_fails("f32[2]{0:PV(none)}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0:PV(Zero)}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0:PV(0)}", XLASHAPE_STATUS_PARSE, 12);
  expect_fails("f32[2]{0:PV(zero}", XLASHAPE_STATUS_PARSE, 16);
  expect_fails("f32[2]{0:PV(zero)PD(2)}", XLASHAPE_STATUS_PARSE, 17);
  expect_fails("f32[2]{0:PD(2)M(3)}", XLASHAPE_STATUS_PARSE, 14);
  expect_fails("f32[2]{0:PD(2,2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("f32[2]{0:PD(-2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 6);
  expect_fails("(f32[2]{0:PD(1)})", XLASHAPE_STATUS_INVALID_ARGUMENT, 1);
  expect_fails("f32[]{:PD(1)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 5);
  expect_fails("f32[?]{0:PD(5)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 0);
  expect_fails("f32[2,?]{1,0:PD(3,0)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 0);
  expect_reads("f32[<=2]{0:PD(5)}", "f32[<=2]{0:PD(5)}");
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
  expect_fails("f32[4]{0:X(2)}", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[4]{0:,T(2)}", XLASHAPE_STATUS_PARSE, 9);
  expect_fails("f32[4]{0:T(2),S(1)}", XLASHAPE_STATUS_PARSE, 13);
  expect_fails("f32[4]{0::}", XLASHAPE_STATUS_PARSE, 9);
}

TEST(LayoutText, Alone) {
  EXPECT_EQ(parse_layout_text("{}").text, "{}");
  EXPECT_EQ(parse_layout_text("{:}").text, "{}");
  EXPECT_EQ(parse_layout_text(" { 1 , 0 : T(8,128)(2,1) } ").text, "{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(parse_layout_text("{2,0,1:D(D)L(4)E(4)S(1)SC(0:1)M(8)PD(1,2,3)PV(zero)}").text,
            "{2,0,1:L(4)E(4)S(1)SC(0:1)M(8)PD(1,2,3)PV(zero)}");
  const struct {
    std::string_view text;
    Status status;
    int64_t offset;
  } cases[] = {
      {"", XLASHAPE_STATUS_PARSE, 0},
      {"1,0", XLASHAPE_STATUS_PARSE, 0},
      {"{", XLASHAPE_STATUS_PARSE, 1},
      {"{1,0", XLASHAPE_STATUS_PARSE, 4},
      {"{foo}", XLASHAPE_STATUS_PARSE, 1},
      {"{,}", XLASHAPE_STATUS_PARSE, 1},
      {"{0}}", XLASHAPE_STATUS_PARSE, 3},
      {"{0} x", XLASHAPE_STATUS_PARSE, 4},
      {"{0:T}", XLASHAPE_STATUS_PARSE, 4},
      {"{0:P(s32[]", XLASHAPE_STATUS_PARSE, 10},
      {" {0,0}", XLASHAPE_STATUS_INVALID_ARGUMENT, 1},
      {"{1}", XLASHAPE_STATUS_INVALID_ARGUMENT, 0},
      {"{0:P((s32[],(token[])))}", XLASHAPE_STATUS_INVALID_ARGUMENT, 3},
      {"{0:*(u32)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 3},
      {"{0:S(300)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 5},
      {"{0:PD(1,2)}", XLASHAPE_STATUS_INVALID_ARGUMENT, 0},
  };
  for (const auto& c : cases) {
    const Outcome out = parse_layout_text(c.text);
    EXPECT_EQ(out.status, c.status) << c.text << ": " << out.text;
    EXPECT_EQ(out.offset, c.offset) << c.text << ": " << out.text;
  }
}

}  // namespace
}  // namespace xlashape::core
