// SPDX-License-Identifier: Apache-2.0
#include "hlo_cursor.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace xlashape::cli {
namespace {

enum CharKind : uint8_t { kPlain, kOpen, kClose, kQuote, kSlash, kLineEnd };

constexpr std::array<uint8_t, 256> kinds() {
  std::array<uint8_t, 256> table = {};
  for (const char c : {'(', '[', '{'}) table[static_cast<uint8_t>(c)] = kOpen;
  for (const char c : {')', ']', '}'}) table[static_cast<uint8_t>(c)] = kClose;
  table[static_cast<uint8_t>('"')] = kQuote;
  table[static_cast<uint8_t>('/')] = kSlash;
  table[static_cast<uint8_t>('\n')] = kLineEnd;
  return table;
}
constexpr std::array<uint8_t, 256> kKinds = kinds();

constexpr std::array<bool, 256> name_chars() {
  std::array<bool, 256> table = {};
  for (int c = 0; c < 256; ++c)
    table[static_cast<size_t>(c)] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                    c == '_' || c == '.' || c == '-' || c == '/' || c >= 0x80;
  return table;
}
constexpr std::array<bool, 256> kNameChars = name_chars();

bool is_name(char c) { return kNameChars[static_cast<uint8_t>(c)]; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_opcode(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Past the blanks of one line.
size_t behind_blanks(std::string_view text, size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  return at;
}

}  // namespace

bool begins_instruction(std::string_view line) {
  size_t at = behind_blanks(line, 0);
  bool sure = false;
  if (line.substr(at, 5) == "ROOT ") {
    at = behind_blanks(line, at + 5);
    sure = true;
  }
  if (at < line.size() && line[at] == '%') {
    ++at;
    sure = true;
  }
  const size_t name = at;
  while (at < line.size() && is_name(line[at])) ++at;
  const size_t name_end = at;
  at = behind_blanks(line, at);
  if (name_end == name || at >= line.size() || line[at] != '=') return false;
  if (sure) return true;
  // "key=value" is an attribute.
  const size_t behind = behind_blanks(line, at + 1);
  return at > name_end && behind > at + 1 && behind < line.size() && (line[behind] == '(' || is_opcode(line[behind]));
}

bool begins_computation(std::string_view line) {
  const size_t at = behind_blanks(line, 0);
  const std::string_view text = line.substr(at);
  if (text.starts_with("HloModule ") || text.starts_with("ENTRY ")) return true;
  if (!text.starts_with('%')) return false;
  size_t end = 1;
  while (end < text.size() && is_name(text[end])) ++end;
  return text.substr(end, 2) == " (" || text.substr(end, 2) == " {";
}

bool HloCursor::at_end() {
  if (at_ < text_.size()) return false;
  if (state_ == State::kWhole) state_ = ended_ ? State::kBroken : State::kShort;
  return true;
}

bool HloCursor::breaks_at(size_t line_end, Inside inside) {
  if (inside == Inside::kModules) return false;
  const std::string_view line = text_.substr(line_end + 1);
  if (!begins_computation(line) && (inside == Inside::kInstructions || !begins_instruction(line))) return false;
  at_ = line_end;
  state_ = State::kBroken;
  return true;
}

bool HloCursor::eat(char c) {
  if (peek() != c) return false;
  ++at_;
  return true;
}

bool HloCursor::eat(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return false;
  const size_t end = at_ + word.size();
  if (end < text_.size() && is_name(text_[end]) && is_name(word.back())) return false;
  at_ = end;
  return true;
}

void HloCursor::comment(Inside inside) {
  const size_t end = text_.find("*/", at_ + 2);
  const size_t stop = std::min(end, text_.size());
  if (inside != Inside::kModules)
    for (size_t line = text_.find('\n', at_); line < stop; line = text_.find('\n', line + 1))
      if (breaks_at(line, inside)) return;
  at_ = stop;
  if (!at_end()) at_ += 2;
}

void HloCursor::skip_blanks(Inside inside) {
  while (whole() && at_ < text_.size()) {
    const char c = text_[at_];
    if (is_blank(c)) {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      comment(inside);
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      skip_line();
    } else {
      return;
    }
  }
  // Nothing behind the last token is no damage, but more of the text may come.
  if (at_ >= text_.size() && !ended_ && state_ == State::kWhole) state_ = State::kShort;
}

void HloCursor::skip_line() {
  const size_t end = text_.find('\n', at_);
  at_ = std::min(end, text_.size());
  if (end == std::string_view::npos && !ended_ && state_ == State::kWhole) state_ = State::kShort;
}

void HloCursor::skip_line_and_brackets() {
  while (whole() && at_ < text_.size() && text_[at_] != '\n') {
    const uint8_t kind = kKinds[static_cast<uint8_t>(text_[at_])];
    if (kind == kOpen)
      bracketed(Inside::kInstructions);
    else if (kind == kQuote)
      quoted(Inside::kNothing);
    else
      ++at_;
  }
  if (at_ >= text_.size() && !ended_ && state_ == State::kWhole) state_ = State::kShort;
}

std::string_view HloCursor::name() {
  const size_t before = at_;
  if (peek() == '%') ++at_;
  const size_t begin = at_;
  size_t at = begin;
  for (; at < text_.size() && is_name(text_[at]); ++at)
    if (text_[at] == '/' && at + 1 < text_.size() && (text_[at + 1] == '*' || text_[at + 1] == '/')) break;
  at_ = at == begin ? before : at;
  return text_.substr(begin, at - begin);
}

std::string_view HloCursor::opcode() {
  const size_t begin = at_;
  while (at_ < text_.size() && is_opcode(text_[at_])) ++at_;
  return from(begin);
}

std::string_view HloCursor::shape() {
  const size_t begin = at_;
  if (peek() == '(' || rest().starts_with("b(")) {
    if (peek() == 'b') ++at_;
    bracketed();
    return whole() ? from(begin) : std::string_view();
  }
  while (at_ < text_.size() && ((text_[at_] >= 'a' && text_[at_] <= 'z') || is_digit(text_[at_]))) ++at_;
  const size_t type_end = at_;
  skip();
  if (type_end == begin || peek() != '[') {
    at_ = begin;
    return {};
  }
  bracketed();
  if (!whole()) return {};
  size_t end = at_;
  if (peek() != '{') skip();
  // A layout, or the brace that a computation begins with.
  if (peek() == '{') {
    const size_t brace = at_++;
    const bool empty = end == brace && peek() == '}';
    if (!empty) skip();
    const bool layout = empty || is_digit(peek()) || peek() == ':';
    at_ = brace;
    if (layout) {
      bracketed();
      end = at_;
    }
  }
  at_ = end;
  return whole() ? from(begin) : std::string_view();
}

void HloCursor::quoted(Inside inside) {
  const char quote = text_[at_];
  // Most texts are short, and protect no character.
  const size_t end = text_.find(quote, at_ + 1);
  if (end != std::string_view::npos) {
    const std::string_view all = text_.substr(at_, end - at_);
    if (all.find('\\') == std::string_view::npos && all.find('\n') == std::string_view::npos) {
      at_ = end + 1;
      return;
    }
  }
  for (size_t at = at_ + 1; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c != quote && c != '\\' && c != '\n') continue;
    if (c == quote) {
      at_ = at + 1;
      return;
    }
    if (c == '\\')
      ++at;
    else if (breaks_at(at, inside))
      return;
  }
  at_ = text_.size();
  at_end();
}

std::string_view HloCursor::bracketed(Inside inside) {
  constexpr size_t kKnown = 64;
  char open[kKnown];
  size_t depth = 0;
  const size_t begin = at_, size = text_.size();
  const char* const data = text_.data();
  size_t line_begin = std::string_view::npos;  // behind the last line end
  for (size_t at = begin; at < size;) {
    const char c = data[at];
    switch (kKinds[static_cast<uint8_t>(c)]) {
      case kOpen:
        if (depth < kKnown) open[depth] = c;
        ++depth;
        ++at;
        break;
      case kClose:
        // A computation's end within an instruction that is not closed.
        if (c == '}' && depth <= kKnown && open[depth - 1] != '{' && line_begin < at &&
            behind_blanks(text_, line_begin) == at) {
          at_ = line_begin - 1;
          state_ = State::kBroken;
          return from(begin);
        }
        ++at;
        if (--depth > 0) break;
        at_ = at;
        return from(begin);
      case kQuote:
        // No text has instructions in it, even where they may be around it.
        at_ = at;
        quoted(inside == Inside::kModules ? inside : Inside::kNothing);
        if (!whole()) return from(begin);
        at = at_;
        break;
      case kSlash:
        if (at + 1 < size && data[at + 1] == '*') {
          at_ = at;
          comment(inside);
          if (!whole()) return from(begin);
          at = at_;
        } else if (at + 1 < size && data[at + 1] == '/') {
          at = std::min(text_.find('\n', at), size);
        } else {
          ++at;
        }
        break;
      case kLineEnd:
        if (breaks_at(at, inside)) return from(begin);
        line_begin = ++at;
        break;
      default:
        do ++at;
        while (at < size && kKinds[static_cast<uint8_t>(data[at])] == kPlain);
        break;
    }
  }
  at_ = size;
  at_end();
  return from(begin);
}

std::string_view HloCursor::value(Inside inside) {
  skip();
  const size_t begin = at_;
  while (whole() && at_ < text_.size()) {
    const char c = text_[at_];
    if (kNameChars[static_cast<uint8_t>(c)] && c != '/') {
      ++at_;
    } else if (c == '"' || (c == '\'' && at_ == begin)) {
      quoted(inside);
    } else if (kKinds[static_cast<uint8_t>(c)] == kOpen) {
      bracketed(inside);
    } else if (is_blank(c)) {
      // "[2,2] <= [4] T(1,0)" goes on, and so does "mesh['x'=2] {'x'}".
      const size_t end = at_;
      at_ = behind_blanks(text_, at_);
      if (text_.substr(at_, 2) == "<=") {
        at_ = behind_blanks(text_, at_ + 2);
        continue;
      }
      if (text_.substr(at_, 2) == "T(" || peek() == '{' || peek() == '[') continue;
      at_ = end;
      break;
    } else if (c == ',' || kKinds[static_cast<uint8_t>(c)] == kClose ||
               (c == '/' && at_ + 1 < text_.size() && (text_[at_ + 1] == '*' || text_[at_ + 1] == '/'))) {
      break;
    } else {
      ++at_;
    }
  }
  if (at_ >= text_.size() && !ended_ && state_ == State::kWhole) state_ = State::kShort;
  return from(begin);
}

std::string squeezed(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at])) continue;
    if (text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 1) + 1;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      out += text[at];
    }
  }
  return out;
}

}  // namespace xlashape::cli
