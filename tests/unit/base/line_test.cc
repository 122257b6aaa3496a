// SPDX-License-Identifier: Apache-2.0
// Lines that may be printed: what is kept, what is escaped, what is cut.
#include "base/line.h"

#include <gtest/gtest.h>

#include <cstring>

namespace xlashape::core {
namespace {

TEST(Line, KeepsTextOfAnyLanguage) {
  for (const char* text :
       {"", "index[1] is 5, not in [0, 5)", "C:\\x41 \"quoted\"", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 \xE6\xBC\xA2"})
    EXPECT_EQ(clean_line(text), text);
}

TEST(Line, EscapesWhatWouldNotPrint) {
  const struct {
    std::string text, line;
  } cases[] = {
      {"a\nb\r\tc", "a\\x0ab\\x0d\\x09c"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\x1B[2J\a\x7F", "\\x1b[2J\\x07\\x7f"},
      {"\xC2\x9B"
       "2J \xC2\x85",
       "\\xc2\\x9b2J \\xc2\\x85"},  // C1 as UTF-8
      {"\x9B", "\\x9b"},            // C1 as a byte
      {"\xE2\x80\xAE"
       "evil",
       "\\xe2\\x80\\xaeevil"},  // right-to-left override
      {"\xE2\x80\xA8|\xE2\x80\xA9", "\\xe2\\x80\\xa8|\\xe2\\x80\\xa9"},
      {"\xE2\x80\x8B\xEF\xBB\xBF", "\\xe2\\x80\\x8b\\xef\\xbb\\xbf"},  // no width
      {"\xC0\xAF \xE0\x80\xAF \xF0\x80\x80\xAF",
       "\\xc0\\xaf \\xe0\\x80\\xaf \\xf0\\x80\\x80\\xaf"},  // longer than they may be
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},                  // half of a pair
      {"\xF4\x90\x80\x80\xF5\xFF", "\\xf4\\x90\\x80\\x80\\xf5\\xff"},
      {"\x80 \xC3", "\\x80 \\xc3"},
      {"\xE2\x82 a", "\\xe2\\x82 a"},
  };
  for (const auto& c : cases) EXPECT_EQ(clean_line(c.text), c.line);
}

// Every size of the room, and every place where the text may have been cut.
TEST(Line, LeavesOutWhatHasNoRoom) {
  const std::string text = "\xC3\xA9\xE2\x82\xAC\n\xF0\x9F\x98\x80z", whole = clean_line(text);
  for (size_t capacity = 0; capacity <= whole.size() + 2; ++capacity) {
    char out[64];
    std::memset(out, '#', sizeof out);
    const size_t length = clean_line(text, false, out, capacity);
    for (size_t i = capacity; i < sizeof out; ++i) EXPECT_EQ(out[i], '#') << "beyond " << capacity;
    if (capacity == 0) continue;
    ASSERT_LT(length, capacity);
    EXPECT_EQ(out[length], '\0');
    const std::string line(out, length);
    EXPECT_EQ(whole.substr(0, length), line);
    EXPECT_EQ(clean_line(line), line) << "ends within a character";
    if (capacity > whole.size()) {
      EXPECT_EQ(line, whole);
    }
  }
  for (size_t size = 0; size <= text.size(); ++size) {
    char out[64];
    const size_t length = clean_line({text.data(), size}, true, out, sizeof out);
    EXPECT_EQ(whole.compare(0, length, out), 0) << "the first " << size << " bytes became " << out;
  }
}

}  // namespace
}  // namespace xlashape::core
