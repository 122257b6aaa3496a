// SPDX-License-Identifier: Apache-2.0
#include "text/cursor.h"

#include "base/checked.h"

namespace xlashape::core {

// Stops in front of a comment that has no end or holds a NUL, which no rule of the grammar accepts.
void Cursor::skip_blanks() {
  while (at_ != end_ && has(*at_, kBlank)) {
    if (*at_ != '/') {
      ++at_;
      continue;
    }
    if (end_ - at_ < 2) return;
    const char* p = at_ + 2;
    if (at_[1] == '/') {
      while (p != end_ && *p != '\n' && *p != '\r' && *p != '\0') ++p;
      if (p != end_ && *p == '\0') return;
    } else if (at_[1] == '*') {
      while (end_ - p >= 2 && !(p[0] == '*' && p[1] == '/') && *p != '\0') ++p;
      if (end_ - p < 2 || *p == '\0') return;
      p += 2;
    } else {
      return;
    }
    at_ = p;
  }
}

const char* Cursor::integer_end() const {
  const char* p = at_;
  if (p != end_ && *p == '-') ++p;
  const char* digits = p;
  while (p != end_ && has(*p, kDigit)) ++p;
  return p == digits || (p != end_ && has(*p, kWordPart)) ? nullptr : p;
}

Status Cursor::integer(int64_t* value, const char* what, Error* err) {
  const char* p = at_;
  const bool negative = p != end_ && *p == '-';
  if (negative) ++p;
  const char* digits = p;
  int64_t number = 0;
  bool fits = true;
  for (; p != end_ && has(*p, kDigit); ++p) {
    const int64_t digit = negative ? '0' - *p : *p - '0';
    if (p - digits < 18) {
      number = 10 * number + digit;  // 18 digits always fit
    } else {
      fits = fits && checked_mul(number, int64_t{10}, &number) && checked_add(number, digit, &number);
    }
  }
  if (p == digits || (p != end_ && has(*p, kWordPart))) return expected(what, err);
  if (!fits) return expected("an integer that fits int64", err);
  *value = number;
  skip(static_cast<size_t>(p - at_));
  return XLASHAPE_STATUS_OK;
}

Status Cursor::expected_at(int64_t offset, const char* what, Error* err) const {
  const char* start = begin_ + offset;
  if (start == end_) return fail_at(err, XLASHAPE_STATUS_PARSE, offset, "expected %s, found the end of the text", what);
  if (*start == '/' && end_ - start >= 2 && (start[1] == '*' || start[1] == '/'))
    return fail_at(err, XLASHAPE_STATUS_PARSE, offset, "expected %s, found a comment that %s", what,
                   start[1] == '*' ? "does not end, or holds a NUL" : "holds a NUL");
  // Quote a word or a number with everything attached to it, else one byte.
  const char* p = start;
  while (p != end_ && has(*p, kWordPart)) ++p;
  if (p == start) ++p;
  return fail_at(err, XLASHAPE_STATUS_PARSE, offset, "expected %s, found '%s'", what,
                 Quoted(std::string_view(start, static_cast<size_t>(p - start))).c_str());
}

}  // namespace xlashape::core
