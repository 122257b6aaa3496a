// SPDX-License-Identifier: Apache-2.0
// Parsing and printing through the C API: flags, buffers of every size, and the ends of texts in texts. What is read
// and refused: the golden cases and tests/unit/text.
#include "api.h"
#include "xlashape_interop.h"

namespace {

using api::answers_text;
using api::Error;
using api::layout;
using api::shape;
using api::text_of;
using testing::HasSubstr;

TEST(ShapeText, IsCutToTheRoomThereIs) {
  const auto made = shape("(bf16[16,16]{1,0:T(8,128)}, token[])");
  answers_text("(bf16[16,16]{1,0:T(8,128)}, token[])", xlashape_shape_print, made.get(), 0);
  answers_text("(bf16[16,16], token[])", xlashape_shape_print, made.get(), XLASHAPE_PRINT_WITHOUT_LAYOUT);
  const auto order = layout("{0,1:T(4,128)(2,1)}");
  answers_text("{0,1:T(4,128)(2,1)}", xlashape_layout_print, order.get(), 0);
}

TEST(ShapeText, StrictPrintsOnlyWhatXlaReads) {
  const auto plain = shape("f32[2]{0:T(2)}"), padded = shape("(s8[], f32[2]{0:PD(4)})");
  EXPECT_EQ(text_of(plain.get(), XLASHAPE_PRINT_STRICT), "f32[2]{0:T(2)}");
  char text[64];
  int64_t needed;
  EXPECT_THAT(api::message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_print, padded.get(), XLASHAPE_PRINT_STRICT, text,
                           sizeof text, &needed),
              HasSubstr("PD"));
  api::message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_layout_print, layout("{0:PV(one)}").get(), XLASHAPE_PRINT_STRICT,
               text, sizeof text, &needed);
}

TEST(Text, UnknownFlagsAreRefused) {
  const auto s = shape("f32[2]");
  const auto l = layout("{0}");
  char text[32];
  int64_t needed;
  xlashape_shape* made = nullptr;
  api::failure(XLASHAPE_STATUS_PARSE, xlashape_shape_parse, nullptr, 0, 0, &made);
  const uint32_t unknown = 1u << 31;
  api::message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_parse, "f32[]", 5, unknown, &made);
  api::message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_print, s.get(), unknown, text, 32, &needed);
  api::message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_layout_print, l.get(), unknown, text, 32, &needed);
  EXPECT_EQ(made, nullptr);
}

// parse_head of all of `text`, which must begin with `head` and no more.
void expect_head(const std::string& text, const std::string& head, const std::string& canonical) {
  SCOPED_TRACE(text);
  int64_t end = 99999;
  const auto made = api::make<api::Shape>(
      [&](auto** out, auto* err) { return xlashape_shape_parse_head(text.data(), text.size(), 0, out, &end, err); });
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(text_of(made.get()), canonical);
  EXPECT_EQ(text.substr(0, end), head);
  // What was passed is a whole shape, the same one.
  EXPECT_EQ(xlashape_shape_equal(made.get(), shape(head).get(), 0), 1);
}

TEST(ShapeHead, EndsWhereTheShapeDoes) {
  expect_head("f32[2,3]{1,0}", "f32[2,3]{1,0}", "f32[2,3]{1,0}");
  expect_head("f32[2,3]{1,0} parameter(0), metadata={op_name=\"x\"}", "f32[2,3]{1,0}", "f32[2,3]{1,0}");
  expect_head("f32[2,3] parameter(0)", "f32[2,3]", "f32[2,3]{1,0}");
  expect_head("f32[2,3]{0,1:T(2,2)}, s32[]", "f32[2,3]{0,1:T(2,2)}", "f32[2,3]{0,1:T(2,2)}");
  expect_head("(f32[2], (), token[]) -> pred[]", "(f32[2], (), token[])", "(f32[2]{0}, (), token[])");
  expect_head("b(u8[4]{0}))", "b(u8[4]{0})", "b(u8[4]{0})");
  expect_head("  /* a */ f32[] // the rest\n", "  /* a */ f32[]", "f32[]");
  expect_head("f32[2]}", "f32[2]", "f32[2]{0}");
  expect_head("f32[2]f32[3]", "f32[2]", "f32[2]{0}");
  expect_head("f32[2] /* no end", "f32[2]", "f32[2]{0}");
  expect_head("pred[] {\n  %a = pred[] parameter(0)\n}", "pred[]", "pred[]");
  expect_head("f32[2] {\n  ROOT %a", "f32[2]", "f32[2]{0}");
  expect_head("f32[2] {0} copy", "f32[2] {0}", "f32[2]{0}");
  expect_head(std::string("f32[2]\0]]]", 10), "f32[2]", "f32[2]{0}");
  expect_head("token[]{", "token[]", "token[]");
}

TEST(ShapeHead, KeepsMissingLayouts) {
  int64_t end = 0;
  const std::string text = "(f32[2], f32[3]{0}) rest";
  const auto made = api::make<api::Shape>([&](auto** out, auto* err) {
    return xlashape_shape_parse_head(text.data(), text.size(), XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, out, &end, err);
  });
  EXPECT_EQ(text_of(made.get()), "(f32[2], f32[3]{0})");
  EXPECT_EQ(end, text.size() - 5);
}

TEST(ShapeHead, FailsAsParsingDoes) {
  for (const std::string& text :
       {std::string(), std::string("   "), std::string("parameter(0)"), std::string("f32"), std::string("f32[2"),
        std::string("(f32[2], "), std::string("f32[2]{0,1} x"), std::string("f32[2]{0:Q(1)} x"),
        std::string("f32[9223372036854775807,3] x"), std::string("f32[2]{0:P(f32[2])} x"), std::string(1 << 20, '('),
        "f32[" + std::string(1 << 20, '1'), std::string(1 << 20, ' '), std::string(1 << 20, '\xff')}) {
    SCOPED_TRACE(text.substr(0, 40));
    xlashape_shape *made = nullptr, *whole = nullptr;
    int64_t end = 77;
    Error err, other;
    const xlashape_status status = xlashape_shape_parse_head(text.data(), text.size(), 0, &made, &end, &err);
    EXPECT_NE(status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(made, nullptr);
    EXPECT_EQ(end, 77u);
    EXPECT_EQ(status, xlashape_shape_parse(text.data(), text.size(), 0, &whole, &other));
    EXPECT_EQ(err.offset, other.offset);
    EXPECT_STREQ(err.message, other.message);
  }
}

// Every text that begins with one that parses, cut anywhere and with anything behind it.
TEST(ShapeHead, AgreesWithParsingOfEachPrefix) {
  const std::string whole =
      "(f32[<=5,?]{0,1:T(2)S(1)}, b(s4[3]{0:E(4)}), (token[], pred[]{:S(1)}), u8[2]{0:SC(0:1)M(8)})";
  for (const std::string& tail : {std::string(), std::string(" x"), std::string("{0}"), std::string("\0", 1),
                                  std::string("//"), std::string("/*"), std::string("1"), std::string("]")}) {
    for (size_t cut = 0; cut <= whole.size(); ++cut) {
      const std::string text = whole.substr(0, cut) + tail;
      xlashape_shape *made = nullptr, *again = nullptr;
      int64_t end = 0;
      const xlashape_status status = xlashape_shape_parse_head(text.data(), text.size(), 0, &made, &end, nullptr);
      EXPECT_EQ(status == XLASHAPE_STATUS_OK, cut == whole.size()) << text;
      if (status == XLASHAPE_STATUS_OK) {
        EXPECT_EQ(end, whole.size());
        EXPECT_EQ(xlashape_shape_parse(text.data(), end, 0, &again, nullptr), XLASHAPE_STATUS_OK);
        EXPECT_EQ(xlashape_shape_equal(made, again, 0), 1);
      }
      xlashape_shape_release(made);
      xlashape_shape_release(again);
    }
  }
}

TEST(LayoutHead, EndsWhereTheLayoutDoes) {
  for (const std::string head : {"{}", "{1,0}", "{1,0:T(8,128)(2,1)S(5)}", " {0:E(4) } "}) {
    for (const std::string tail : {"", "}", ", x", "{0}", " // end"}) {
      const std::string text = head + tail;
      SCOPED_TRACE(text);
      int64_t end = 0;
      const auto made = api::make<api::Layout>([&](auto** out, auto* err) {
        return xlashape_layout_parse_head(text.data(), text.size(), 0, out, &end, err);
      });
      EXPECT_EQ(end, head.rfind('}') + 1);
      EXPECT_EQ(text_of(made.get()), text_of(layout(head).get()));
    }
  }
  for (const std::string text : {"", "1,0", "{1,0", "{1,0:Q(3)}", "{a}", "{0:P(f32[2])}", "{0:P(f32[2]"}) {
    xlashape_layout *made = nullptr, *whole = nullptr;
    int64_t end = 77;
    Error err, other;
    const xlashape_status status = xlashape_layout_parse_head(text.data(), text.size(), 0, &made, &end, &err);
    EXPECT_NE(status, XLASHAPE_STATUS_OK);
    EXPECT_EQ(status, xlashape_layout_parse(text.data(), text.size(), 0, &whole, &other));
    EXPECT_STREQ(err.message, other.message);
    EXPECT_EQ(end, 77u);
  }
  int64_t end;
  xlashape_shape* made = nullptr;
  api::message(XLASHAPE_STATUS_INCOMPATIBLE, xlashape_shape_parse_head, "f32[]", 5, 1u << 31, &made, &end);
}

// Functions that have no flags yet, but may get some.
TEST(Text, FlagsThatThereAreNotAreRefused) {
  const api::Shape of = shape("f32[2]");
  const api::Layout plain = layout("{0}");
  xlashape_layout* read = nullptr;
  xlashape_shape* made = nullptr;
  int64_t end = 0, needed = 0;
  const auto refused = [](auto... call) { api::message(XLASHAPE_STATUS_INCOMPATIBLE, call...); };
  for (const uint32_t flags : {1u, 1u << 31}) {
    refused(xlashape_layout_parse, "{0}", 3, flags, &read);
    refused(xlashape_layout_parse_head, "{0}", 3, flags, &read, &end);
    refused(xlashape_layout_from_proto, nullptr, 0, flags, &read);
    refused(xlashape_layout_to_proto, plain.get(), flags, nullptr, 0, &needed);
    refused(xlashape_shape_to_proto, of.get(), flags, nullptr, 0, &needed);
    refused(xlashape_shape_print_as, of.get(), XLASHAPE_NOTATION_CUTE, flags, nullptr, 0, &needed);
  }
  refused(xlashape_shape_read, "tensor<f32>", 11, 4u, nullptr, &made);
  refused(xlashape_shape_with_words, of.get(), "row", 3, 1u << 31, &made, &made);
}

}  // namespace
