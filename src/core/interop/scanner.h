/* SPDX-License-Identifier: Apache-2.0 */
// Reads other text forms piece by piece. Unlike text/cursor.h it does not know XLA's comments and words.
#pragma once
#include <string_view>

#include "base/status.h"
#include "ir/compiler.h"

namespace xlashape::core {

class Scanner {
 public:
  Scanner(std::string_view text, Error* err) : text_(text), err_(err) {}

  int64_t offset() const { return static_cast<int64_t>(at_); }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  // Blanks before a piece are skipped.
  bool at(std::string_view piece) {
    skip_blanks();
    return text_.substr(at_).starts_with(piece);
  }
  bool eat(std::string_view piece) {
    if (!at(piece)) return false;
    at_ += piece.size();
    return true;
  }
  Status need(std::string_view piece, const char* what) { return eat(piece) ? XLASHAPE_STATUS_OK : expected(what); }
  bool at_digit() {
    skip_blanks();
    return at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9';
  }
  // A decimal number that fits int64; with a sign where `sign` is set.
  Status integer(int64_t* value, bool sign, const char* what) {
    skip_blanks();
    const size_t start = at_;
    const bool negative = sign && eat("-");
    if (!at_digit()) {
      at_ = start;
      return expected(what);
    }
    int64_t number = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (ir::mul_overflows(number, 10, &number) || ir::add_overflows(number, text_[at_] - '0', &number)) {
        at_ = start;
        return expected("a number that fits 63 bits");
      }
    *value = negative ? -number : number;
    return XLASHAPE_STATUS_OK;
  }
  // Letters, digits and '_' from here on.
  std::string_view word() {
    skip_blanks();
    const size_t start = at_;
    const auto part = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && part(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  // Reads what is between quotes of either kind.
  Status quoted(std::string_view* inside, const char* what) {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) return expected(what);
    *inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return XLASHAPE_STATUS_OK;
  }
  Status end() { return at_end() ? XLASHAPE_STATUS_OK : expected("the end of the text"); }

  Status expected(const char* what) {
    skip_blanks();
    return expected_at(offset(), what);
  }
  Status expected_at(int64_t offset, const char* what) const {
    const std::string_view rest = text_.substr(static_cast<size_t>(offset));
    if (rest.empty())
      return fail_at(err_, XLASHAPE_STATUS_PARSE, offset, "expected %s, found the end of the text", what);
    return fail_at(err_, XLASHAPE_STATUS_PARSE, offset, "expected %s, found '%s'", what, Quoted(rest, 20).c_str());
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  Error* err_;
};

}  // namespace xlashape::core
