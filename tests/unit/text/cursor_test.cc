// SPDX-License-Identifier: Apache-2.0
#include "text/cursor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

namespace xlashape::core {
namespace {

using namespace std::string_view_literals;

// The text in memory of its very size, so that the sanitizer sees a read past its end.
class Exact {
 public:
  explicit Exact(std::string_view text) : bytes_(new char[text.size()]), size_(text.size()) {
    if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
  }
  operator std::string_view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  size_t size_;
};

TEST(Cursor, SkipsBlanksAndComments) {
  const struct {
    std::string_view text;
    int64_t offset;
  } cases[] = {
      {"", 0},
      {"x", 0},
      {" \t\r\nx", 4},
      {"/**/x", 4},
      {"/* a // b */x", 12},
      {"/* * / **/x", 10},
      {"/*/ */x", 6},
      {"//x\nx", 4},
      {"//x\rx", 4},
      {"// /*\n x", 7},
      {"/*1*//*2*/ /*3*/x", 16},
      {"// only", 7},
      {"   ", 3},
      {"\vx", 0},  // other blanks of C are none here
      {"\fx", 0},
      {"\xc2\xa0x", 0},
  };
  for (const auto& c : cases) {
    const Exact text(c.text);
    EXPECT_EQ(Cursor(text).offset(), c.offset) << c.text;
  }
}

TEST(Cursor, StopsBeforeBrokenComments) {
  for (const auto broken : {"/"sv, "/x"sv, "/*"sv, "/*/"sv, "/* *"sv, "/* \0 */x"sv, "// \0\nx"sv, "//\0"sv}) {
    const Exact text(std::string("  ") + std::string(broken));
    const Cursor cursor(text);
    EXPECT_EQ(cursor.offset(), 2) << broken;
    EXPECT_FALSE(cursor.at_end());
    EXPECT_EQ(cursor.word(), "");
    EXPECT_FALSE(cursor.at_integer());
  }
}

TEST(Cursor, SaysWhatItFound) {
  const struct {
    std::string_view text;
    const char* found;
  } cases[] = {
      {"", "the end of the text"},
      {"]", "']'"},
      {"foo.bar]", "'foo.bar'"},
      {"1.5e3,", "'1.5e3'"},
      {"\n\x01", "'\\x01'"},
      {"\0"sv, "'\\x00'"},
      {"\xff\xfe", "'\\xff'"},
      {"/x", "'/'"},
      {"/* x", "a comment that does not end, or holds a NUL"},
      {"//\0"sv, "a comment that holds a NUL"},
  };
  for (const auto& c : cases) {
    const Exact text(c.text);
    auto err = XLASHAPE_INIT(Error);
    EXPECT_EQ(Cursor(text).expected("a thing", &err), XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(err.code, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(err.message, std::string("expected a thing, found ") + c.found);
  }
}

TEST(Cursor, CutsLongTokensInMessages) {
  const std::string text(100000, 'a');
  auto err = XLASHAPE_INIT(Error);
  EXPECT_EQ(Cursor(text).expected("a thing", &err), XLASHAPE_STATUS_PARSE);
  EXPECT_LT(err.message_len, 120u);
  EXPECT_NE(std::string(err.message).find("..."), std::string::npos);
}

TEST(Cursor, TellsOffsetsOfEarlierTokens) {
  Cursor cursor("12  ,");
  int64_t value;
  ASSERT_EQ(cursor.integer(&value, "", nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(cursor.offset(), 4);
  auto err = XLASHAPE_INIT(Error);
  EXPECT_EQ(cursor.expected_at(0, "less", &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(err.offset, 0);
  EXPECT_STREQ(err.message, "expected less, found '12'");
}

}  // namespace
}  // namespace xlashape::core
