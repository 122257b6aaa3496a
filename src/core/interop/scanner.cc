// SPDX-License-Identifier: Apache-2.0
#include "interop/scanner.h"

#include "ir/compiler.h"

namespace xlashape::core {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr bool is_part_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

}  // namespace

void Scanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

bool Scanner::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

bool Scanner::at(std::string_view piece) {
  skip_blanks();
  return text_.substr(at_).starts_with(piece);
}

bool Scanner::at_digit() { return !at_end() && is_digit(text_[at_]); }

bool Scanner::eat(std::string_view piece) {
  if (!at(piece)) return false;
  at_ += piece.size();
  return true;
}

bool Scanner::skip() {
  if (at_end()) return false;
  ++at_;
  return true;
}

std::string_view Scanner::word() {
  skip_blanks();
  const size_t start = at_;
  while (at_ < text_.size() && is_part_of_word(text_[at_])) ++at_;
  return text_.substr(start, at_ - start);
}

Status Scanner::need(std::string_view piece, const char* what) {
  return eat(piece) ? XLASHAPE_STATUS_OK : expected(what);
}

Status Scanner::integer(int64_t* value, bool sign, const char* what) {
  skip_blanks();
  const size_t start = at_;
  const bool negative = sign && eat("-");
  if (!at_digit()) {
    at_ = start;
    return expected(what);
  }
  int64_t number = 0;
  for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
    if (ir::mul_overflows(number, 10, &number) || ir::add_overflows(number, text_[at_] - '0', &number)) {
      at_ = start;
      return expected("a number that fits 63 bits");
    }
  *value = negative ? -number : number;
  return XLASHAPE_STATUS_OK;
}

Status Scanner::list(SmallVec<int64_t, 8>* numbers, bool sign, const char* what, bool unknown) {
  const bool attribute = eat("array<i64");
  if (attribute) eat(":");
  const std::string_view close = attribute ? ">" : eat("(") ? ")" : "]";
  if (close == "]") XLASHAPE_TRY(need("[", "a list in brackets"));
  numbers->clear();
  while (!at(close)) {
    int64_t value = XLASHAPE_DIMENSION_UNBOUNDED;
    if (!unknown || !(eat("None") || eat("?"))) XLASHAPE_TRY(integer(&value, sign, what));
    numbers->push_back(value);
    if (!eat(",")) break;
  }
  return need(close, close == ")" ? "',' or ')'" : close == "]" ? "',' or ']'" : "',' or '>'");
}

Status Scanner::quoted(std::string_view* inside, const char* what) {
  const char quote = at_end() ? '\0' : text_[at_];
  const size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
  if (end == std::string_view::npos) return expected(what);
  *inside = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return XLASHAPE_STATUS_OK;
}

Status Scanner::end() { return at_end() ? XLASHAPE_STATUS_OK : expected("the end of the text"); }

Status Scanner::expected(const char* what) {
  skip_blanks();
  return expected_at(offset(), what);
}

Status Scanner::expected_at(int64_t offset, const char* what) const {
  const std::string_view rest = text_.substr(static_cast<size_t>(offset));
  if (rest.empty()) return fail_at(err_, XLASHAPE_STATUS_PARSE, offset, "expected %s, found the end of the text", what);
  return fail_at(err_, XLASHAPE_STATUS_PARSE, offset, "expected %s, found '%s'", what, Quoted(rest, 20).c_str());
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void add_list(std::string* text, std::span<const int64_t> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) *text += ", ";
    *text += std::to_string(numbers[i]);
  }
}

void add_tuple(std::string* text, std::span<const int64_t> numbers) {
  *text += '(';
  add_list(text, numbers);
  *text += numbers.size() == 1 ? ",)" : ")";
}

}  // namespace xlashape::core
