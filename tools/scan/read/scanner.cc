// SPDX-License-Identifier: Apache-2.0
#include "scanner.h"

#include <array>

namespace xlashape::cli {
namespace {

enum CharKind : uint8_t { kPlain, kOpen, kClose, kQuote, kStop };

constexpr std::array<uint8_t, 256> kinds() {
  std::array<uint8_t, 256> table = {};
  for (const char c : {'(', '[', '{'}) table[static_cast<uint8_t>(c)] = kOpen;
  for (const char c : {')', ']', '}'}) table[static_cast<uint8_t>(c)] = kClose;
  table[static_cast<uint8_t>('"')] = kQuote;
  for (const char c : {',', ' '}) table[static_cast<uint8_t>(c)] = kStop;
  return table;
}
constexpr std::array<uint8_t, 256> kKinds = kinds();

// Behind the quote that closes the one at `at`.
size_t behind_quotes(std::string_view text, size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == '"')
      return at + 1;
  }
  return text.size();
}

}  // namespace

size_t end_of_piece(std::string_view text, size_t at, char stop) {
  int64_t depth = 0;
  while (at < text.size()) {
    switch (kKinds[static_cast<uint8_t>(text[at])]) {
      case kOpen:
        ++depth;
        break;
      case kClose:
        if (--depth < 0) return at;
        break;
      case kQuote:
        at = behind_quotes(text, at);
        continue;
      case kStop:
        if (depth == 0 && text[at] == stop) return at;
        break;
      default:
        break;
    }
    ++at;
  }
  return text.size();
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view without_comment(std::string_view text) {
  while (text.starts_with("/*")) {
    const size_t end = text.find("*/");
    if (end == std::string_view::npos) return {};
    text = without_blanks(text.substr(end + 2));
  }
  return text;
}

std::string_view without_percent(std::string_view text) {
  if (text.starts_with('%')) text.remove_prefix(1);
  return text;
}

std::string unquoted(std::string_view text) {
  std::string out;
  if (!text.starts_with('"')) return out;
  const size_t end = text.find_first_of("\"\\", 1);
  if (end == text.size() - 1 && text[end] == '"') return std::string(text.substr(1, end - 1));
  for (size_t at = 1; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  return out;
}

}  // namespace xlashape::cli
