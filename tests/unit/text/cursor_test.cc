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

Error new_error() {
  Error err{};
  err.struct_size = sizeof err;
  return err;
}

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

TEST(Cursor, NullTextIsEmpty) {
  Cursor cursor({});
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.offset(), 0);
  EXPECT_FALSE(cursor.eat('x'));
  EXPECT_FALSE(cursor.eat_at_most());
  EXPECT_EQ(cursor.word(), "");
}

TEST(Cursor, EatsTokens) {
  const Exact text("( <= < = ,<=)");
  Cursor cursor(text);
  EXPECT_FALSE(cursor.eat(')'));
  EXPECT_TRUE(cursor.eat('('));
  EXPECT_EQ(cursor.offset(), 2);
  EXPECT_TRUE(cursor.eat_at_most());
  EXPECT_FALSE(cursor.eat_at_most()) << "blanks part tokens";
  EXPECT_TRUE(cursor.eat('<'));
  EXPECT_TRUE(cursor.eat('='));
  EXPECT_TRUE(cursor.eat(','));
  EXPECT_TRUE(cursor.eat_at_most());
  EXPECT_TRUE(cursor.eat(')'));
  EXPECT_TRUE(cursor.at_end());
}

TEST(Cursor, ReadsWords) {
  const struct {
    std::string_view text, word;
  } cases[] = {
      {"f32[", "f32"}, {"f32.x-y_z(", "f32.x-y_z"},
      {"_a", "_a"},    {"Z9 ", "Z9"},
      {"9a", ""},      {"-a", ""},
      {".a", ""},      {"", ""},
      {"a/**/b", "a"}, {"a\xc3\xa4", "a"},
  };
  for (const auto& c : cases) {
    const Exact text(c.text);
    EXPECT_EQ(Cursor(text).word(), c.word) << c.text;
  }
}

TEST(Cursor, ReadsIntegers) {
  const struct {
    std::string_view text;
    int64_t value;
  } cases[] = {
      {"0", 0},
      {"-0", 0},
      {"007", 7},
      {"-007]", -7},
      {"12/**/3", 12},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775807", -INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"00000000000000000000000000000000000000000009223372036854775807", INT64_MAX},
      {"-0000000000000000000000000000000000000000009223372036854775808", INT64_MIN},
      {"-00000000000000000000000000000000000000000000000000000000000001", -1},
  };
  for (const auto& c : cases) {
    const Exact text(c.text);
    Cursor cursor(text);
    EXPECT_TRUE(cursor.at_integer()) << c.text;
    int64_t value = 99;
    EXPECT_EQ(cursor.integer(&value, "an integer", nullptr), XLASHAPE_STATUS_OK) << c.text;
    EXPECT_EQ(value, c.value) << c.text;
    EXPECT_FALSE(cursor.at_integer() && cursor.offset() == 0);
  }
}

TEST(Cursor, RefusesOtherNumbers) {
  for (const std::string_view bad :
       {"1.5", "1.",  "1e3", "1e",  "2x3", "0x10", "1_2", "1_",  "5a",   "1-2",   "-",         "--1",
        "+1",  "- 1", "-x",  "-.5", ".5",  "",     "x",   "'1'", "-inf", "1.5e3", "01_01->01", "\xd9\xa1"}) {
    const Exact text(bad);
    Cursor cursor(text);
    EXPECT_FALSE(cursor.at_integer()) << bad;
    int64_t value = 99;
    Error err = new_error();
    EXPECT_EQ(cursor.integer(&value, "an integer", &err), XLASHAPE_STATUS_PARSE) << bad;
    EXPECT_EQ(value, 99);
    EXPECT_EQ(cursor.offset(), 0);
    EXPECT_EQ(err.offset, 0);
  }
}

// XLA reads those up to 2^64 as what their 64 bits say of a signed number.
TEST(Cursor, RefusesIntegersThatDoNotFit) {
  for (const std::string_view bad :
       {"9223372036854775808", "0009223372036854775808", "10000000000000000000", "18446744073709551614",
        "18446744073709551615", "18446744073709551616", "18446744073709551617", "-9223372036854775809",
        "-18446744073709551615", "99999999999999999999", "100000000000000000000000000000000000000000000000000"}) {
    const Exact text(bad);
    Cursor cursor(text);
    EXPECT_TRUE(cursor.at_integer()) << bad;
    int64_t value = 99;
    Error err = new_error();
    EXPECT_EQ(cursor.integer(&value, "a size", &err), XLASHAPE_STATUS_PARSE) << bad;
    EXPECT_EQ(value, 99);
    EXPECT_EQ(std::string(err.message).find("expected an integer that fits int64, found '"), 0u) << err.message;
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
    Error err = new_error();
    EXPECT_EQ(Cursor(text).expected("a thing", &err), XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(err.code, XLASHAPE_STATUS_PARSE);
    EXPECT_EQ(err.message, std::string("expected a thing, found ") + c.found);
  }
}

TEST(Cursor, CutsLongTokensInMessages) {
  const std::string text(100000, 'a');
  Error err = new_error();
  EXPECT_EQ(Cursor(text).expected("a thing", &err), XLASHAPE_STATUS_PARSE);
  EXPECT_LT(err.message_len, 120u);
  EXPECT_NE(std::string(err.message).find("..."), std::string::npos);
}

TEST(Cursor, TellsOffsetsOfEarlierTokens) {
  Cursor cursor("12  ,");
  int64_t value;
  ASSERT_EQ(cursor.integer(&value, "", nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(cursor.offset(), 4);
  Error err = new_error();
  EXPECT_EQ(cursor.expected_at(0, "less", &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(err.offset, 0);
  EXPECT_STREQ(err.message, "expected less, found '12'");
}

}  // namespace
}  // namespace xlashape::core
