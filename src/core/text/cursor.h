/* SPDX-License-Identifier: Apache-2.0 */
// Reads text token by token with XLA's lexical rules: blanks and comments, words, integers, single characters. It is
// always at the start of a token, so that `offset` is where an error is. It knows nothing of shapes.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace xlashape::core {

class Cursor {
 public:
  explicit Cursor(std::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), token_end_(begin_) {
    skip_blanks();
  }

  int64_t offset() const { return at_ - begin_; }
  bool at_end() const { return at_ == end_; }
  // The offset behind the last token that was passed.
  size_t token_end() const { return static_cast<size_t>(token_end_ - begin_); }
  bool at(char c) const { return at_ != end_ && *at_ == c; }
  bool eat(char c) {
    if (!at(c)) return false;
    skip(1);
    return true;
  }
  // Passes `<=`, which is one token.
  bool eat_at_most() {
    if (end_ - at_ < 2 || at_[0] != '<' || at_[1] != '=') return false;
    skip(2);
    return true;
  }

  // The identifier here, [a-zA-Z_][a-zA-Z0-9_.-]*, or nothing.
  std::string_view word() const {
    const char* p = at_;
    if (p != end_ && has(*p, kWordStart)) do
        ++p;
      while (p != end_ && has(*p, kWordPart));
    return {at_, static_cast<size_t>(p - at_)};
  }
  // Passes `bytes` of the token here, and the blanks behind it.
  void skip(size_t bytes) {
    token_end_ = at_ += bytes;
    if (at_ != end_ && has(*at_, kBlank)) skip_blanks();
  }

  // Whether the token here is an integer of any size. Digits that continue as a word or a fraction are not: XLA's lexer
  // reads 1.5, 1e3, 2x3, 0x10 and 1_2 as other tokens.
  bool at_integer() const { return integer_end() != nullptr; }
  // Reads the integer. Refuses what does not fit int64, whereas XLA reads 9223372036854775808 as INT64_MIN. `what`
  // describes the integer in the error message.
  Status integer(int64_t* value, const char* what, Error* err);

  // Fails with "expected <what>, found <the token here>".
  Status expected(const char* what, Error* err) const { return expected_at(offset(), what, err); }
  // The same for the token that starts at `offset`.
  Status expected_at(int64_t offset, const char* what, Error* err) const;

 private:
  enum : uint8_t { kWordStart = 1, kWordPart = 2, kDigit = 4, kBlank = 8 };
  static constexpr std::array<uint8_t, 256> kClass = [] {
    std::array<uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kWordStart | kWordPart;
    for (int c = '0'; c <= '9'; ++c) table[c] = kWordPart | kDigit;
    table['_'] = kWordStart | kWordPart;
    table['-'] = table['.'] = kWordPart;
    table[' '] = table['\t'] = table['\n'] = table['\r'] = kBlank;
    table['/'] = kBlank;  // may start a comment
    return table;
  }();
  static bool has(char c, uint8_t classes) { return (kClass[static_cast<unsigned char>(c)] & classes) != 0; }

  void skip_blanks();
  const char* integer_end() const;

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* token_end_;
};

}  // namespace xlashape::core
