/* SPDX-License-Identifier: Apache-2.0 */
// Reads other text forms piece by piece. Unlike text/cursor.h it does not know XLA's comments and words.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/small_vec.h"
#include "base/status.h"

namespace xlashape::core {

// Blanks before a piece are skipped.
class Scanner {
 public:
  Scanner(std::string_view text, Error* err) : text_(text), err_(err) {}

  int64_t offset() const { return static_cast<int64_t>(at_); }
  // Goes on at `offset` of the text.
  void pass(size_t offset) { at_ = offset; }
  void skip_blanks();
  bool at_end();
  bool at(std::string_view piece);
  bool at_digit();
  // Passes the piece if it is here.
  bool eat(std::string_view piece);
  // Passes one character; false at the end.
  bool skip();
  // Letters, digits and '_' from here on.
  std::string_view word();

  // These fail with "expected <what>, found <the text here>".
  Status need(std::string_view piece, const char* what);
  // A decimal number that fits int64; with a sign where `sign` is set.
  Status integer(int64_t* value, bool sign, const char* what);
  // A list of numbers, "(0, 1)", "[0, 1]" or "array<i64: 0, 1>", also with a comma at its end; `None` and `?` are
  // sizes that are not known where `unknown` is set.
  Status list(SmallVec<int64_t, 8>* numbers, bool sign, const char* what, bool unknown = false);
  // Reads what is between quotes of either kind.
  Status quoted(std::string_view* inside, const char* what);
  Status end();
  Status expected(const char* what);
  Status expected_at(int64_t offset, const char* what) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
  Error* err_;
};

// The text without blanks around it; a part of it also where nothing is left.
std::string_view trimmed(std::string_view text);

// Prints the numbers with commas and blanks between them; and as a tuple of Python, "(2,)".
void add_list(std::string* text, std::span<const int64_t> numbers);
void add_tuple(std::string* text, std::span<const int64_t> numbers);

}  // namespace xlashape::core
