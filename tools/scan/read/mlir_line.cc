// SPDX-License-Identifier: Apache-2.0
#include "mlir_line.h"

#include <array>
#include <cstdint>

namespace xlashape::cli {
namespace {

constexpr size_t kEnd = std::string_view::npos;

constexpr auto kNameBytes = [] {
  std::array<bool, 256> table = {};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-"))
    table[static_cast<uint8_t>(c)] = true;
  return table;
}();

bool is_name(char c) { return kNameBytes[static_cast<uint8_t>(c)]; }

size_t skip_blanks(std::string_view text, size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

// Where the bracket at `at` closes: the position behind it, kEnd where it does not.
size_t closing(std::string_view text, size_t at) {
  int64_t depth = 0;
  while (at < text.size()) {
    switch (text[at]) {
      case '"':
        quoted(text, at, &at);
        if (at == kEnd) return kEnd;
        continue;
      case '(':
      case '[':
      case '{':
      case '<':
        ++depth;
        break;
      case '>':
        if (at > 0 && text[at - 1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        if (--depth == 0) return at + 1;
        break;
      default:
        break;
    }
    ++at;
  }
  return kEnd;
}

// Reads the types that `text` begins with, separated by commas; the position behind them.
size_t read_list(std::string_view text, size_t at, std::vector<std::string_view>* types) {
  for (;;) {
    at = skip_blanks(text, at);
    const size_t length = type_length(text.substr(at));
    if (length == 0) return at;
    types->push_back(text.substr(at, length));
    at = skip_blanks(text, at + length);
    if (at == text.size() || text[at] != ',') return at;
    ++at;
  }
}

}  // namespace

std::string_view quoted(std::string_view text, size_t at, size_t* end) {
  const size_t first = at + 1;
  for (at = first;;) {
    const size_t quote = text.find('"', at);
    if (quote == kEnd) break;
    // Only what is just before the quote can escape it.
    size_t slashes = 0;
    while (quote - slashes > first && text[quote - slashes - 1] == '\\') ++slashes;
    at = quote + 1;
    if (slashes % 2 != 0) continue;
    *end = at;
    return text.substr(first, quote - first);
  }
  *end = kEnd;
  return text.substr(first);
}

size_t name_length(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_name(text[length])) {
    if (text[length] == '-' && length + 1 < text.size() && text[length + 1] == '>') break;
    ++length;
  }
  return length;
}

size_t type_length(std::string_view text) {
  const size_t start = !text.empty() && text[0] == '!' ? 1 : 0;
  const size_t name = name_length(text.substr(start));
  if (name == 0) return 0;
  const size_t end = start + name;
  if (end == text.size() || text[end] != '<') return end;
  const size_t behind = closing(text, end);
  return behind == kEnd ? text.size() : behind;  // what has no end is wrong, and not looked at twice
}

std::string_view symbol(std::string_view text) {
  if (text.size() < 2) return {};
  size_t end = 0;
  if (text[1] == '"') return quoted(text, 1, &end);
  return text.substr(1, name_length(text.substr(1)));
}

void MlirLine::read(std::string_view text) {
  operands.clear();
  definitions.clear();
  iterations.clear();
  parameter_types.clear();
  types.clear();
  symbol = location = {};
  typed = opens = whole = false;
  int64_t depth = 0;
  size_t types_at = kEnd, operands_before_types = 0;
  char last = ' ';
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c != ' ') last = c;
    switch (c) {
      case '"':
        quoted(text, at, &at);
        if (at == kEnd) return;
        continue;
      case '%':
        at = read_value(text, at);
        continue;
      case '@':
        if (symbol.empty()) symbol = cli::symbol(text.substr(at));
        ++at;
        if (at < text.size() && text[at] == '"') continue;
        break;
      case 'l':
        if (text.substr(at, 4) == "loc(" && (at == 0 || text[at - 1] == ' ')) {
          const size_t end = closing(text, at + 3);
          if (end == kEnd) return;
          const std::string_view inside = text.substr(at + 4, end - at - 5);
          if (depth > 0 && !definitions.empty())
            definitions.back().location = inside;
          else
            location = inside;
          at = end;
          continue;
        }
        break;
      case '(':
      case '[':
      case '{':
      case '<':
        ++depth;
        ++at;
        continue;
      case '>':
        if (at > 0 && text[at - 1] == '-') break;
        [[fallthrough]];
      case ')':
      case ']':
      case '}':
        --depth;
        break;
      case ':':
        if (depth == 0 && text.substr(at, 2) == ": " && (at == 0 || text[at - 1] == ' ')) {
          types_at = at + 2;
          operands_before_types = operands.size();
        }
        break;
      default:
        // A name is passed as a whole, so that `loc(` at its end is no location.
        if (const size_t length = name_length(text.substr(at)); length > 0) {
          at += length;
          last = 'a';
          continue;
        }
        break;
    }
    ++at;
  }
  whole = true;
  opens = last == '{';
  if (types_at == kEnd) return;
  operands.resize(operands_before_types);
  read_types(text.substr(types_at));
}

// Reads the value whose % is at `at`; the position behind it.
size_t MlirLine::read_value(std::string_view text, size_t at) {
  const size_t length = name_length(text.substr(at + 1));
  const std::string_view name = text.substr(at + 1, length);
  at += 1 + length;
  if (at < text.size() && text[at] == '#')
    for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9';) ++at;
  const size_t next = skip_blanks(text, at);
  if (next < text.size() && text[next] == ':' && next == at) {
    const size_t type = skip_blanks(text, next + 1);
    const size_t type_size = type_length(text.substr(type));
    definitions.push_back({name, text.substr(type, type_size), {}});
    return type + type_size;
  }
  if (next > at && text.substr(next, 2) == "= ")
    iterations.push_back(name);
  else
    operands.push_back(name);
  return at;
}

void MlirLine::read_types(std::string_view text) {
  typed = true;
  size_t at = skip_blanks(text, 0);
  if (at == text.size() || text[at] != '(') {
    at = read_list(text, at, &types);
    if (text.substr(at, 3) != "-> ") return;
    parameter_types.swap(types);
  } else {
    at = read_list(text, at + 1, &parameter_types);
    at = skip_blanks(text, at < text.size() && text[at] == ')' ? at + 1 : at);
    if (text.substr(at, 3) != "-> ") return;
  }
  at = skip_blanks(text, at + 3);
  read_list(text, at < text.size() && text[at] == '(' ? at + 1 : at, &types);
}

}  // namespace xlashape::cli
