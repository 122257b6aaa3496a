/* SPDX-License-Identifier: Apache-2.0 */
// Reads a manifest's text: the part of TOML that docs/manifest.md describes. Without recursion, so that no text needs
// more stack than another.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlashape::ir {

class ManifestText {
 public:
  static constexpr size_t kMostBytes = 64 << 10;
  static constexpr size_t kMostParts = 3;     // of a table's name: [role.NAME.KIND]
  static constexpr size_t kMostLetters = 64;  // of a key or a part; each entry has a copy of its table's name

  struct TextPlace {
    uint32_t line = 1, column = 1;
  };
  struct Name {
    std::string text;
    TextPlace at;
  };
  struct Value {
    enum ValueKind : uint8_t {
      kNumber,
      kText,
      kList,
      kOther
    } kind = kOther;  // other values of TOML, which no key takes
    TextPlace at;
    int64_t number = 0;
    std::string text;
  };
  // A key with its value, or without a key the beginning of a table.
  struct Entry {
    std::vector<Name> table;  // that it is in: [role.NAME] has two names
    Name key;
    Value value;
    std::vector<Value> list;  // of a kList: numbers, texts and others
  };

  // False where the text is not such a one: `wrong` then says why, and `at` where.
  bool read(std::string_view text) {
    rest_ = text;
    std::vector<Name> table;
    std::set<std::string> tables, keys;  // that there are; the keys are those of the table that is read
    while (skip_lines()) {
      Entry entry;
      entry.key.at = at;
      if (take('[')) {
        table.clear();
        do {
          if (table.size() == kMostParts) return fails("a table's name has more than three parts");
          skip_blanks();
          if (!read_name(&table.emplace_back())) return false;
          skip_blanks();
        } while (take('.'));
        if (!take(']')) return fails("expected ']' after the table's name");
      } else {
        if (!read_name(&entry.key)) return false;
        skip_blanks();
        if (!take('=')) return fails("expected '=' after the key");
        skip_blanks();
        if (!read_value(&entry)) return false;
      }
      entry.table = table;
      const TextPlace end = at;
      skip_blanks();
      if (!rest_.empty() && !is_end_of_line()) return fails("expected the end of the line");
      bool is_new;
      if (entry.key.text.empty()) {
        std::string whole;
        for (const Name& name : table) whole += name.text + '.';
        is_new = tables.insert(std::move(whole)).second;
        keys.clear();
      } else {
        is_new = keys.insert(entry.key.text).second;
      }
      if (!is_new) return at = entry.key.at, fails("it is there already, further up");
      at = end;
      entries.push_back(std::move(entry));
    }
    return wrong.empty();
  }

  std::vector<Entry> entries;
  std::string wrong;
  TextPlace at;  // of what is read next

 private:
  bool fails(const char* why) {
    wrong = why;
    return false;
  }
  bool is_next(char c) const { return !rest_.empty() && rest_[0] == c; }
  bool is_end_of_line() const { return is_next('\n') || rest_.substr(0, 2) == "\r\n"; }
  char next() {
    const char c = rest_[0];
    rest_.remove_prefix(1);
    ++at.column;
    if (c == '\n') at = {at.line + 1, 1};
    return c;
  }
  bool take(char c) {
    if (!is_next(c)) return false;
    next();
    return true;
  }
  // Blanks and a comment.
  void skip_blanks() {
    while (is_next(' ') || is_next('\t')) next();
    if (!is_next('#')) return;
    while (!rest_.empty() && !is_end_of_line()) next();
  }
  // Goes to the next thing that is there, maybe lines below. False where there is none.
  bool skip_lines() {
    for (skip_blanks(); is_end_of_line(); skip_blanks()) {
      take('\r');
      next();
    }
    return !rest_.empty();
  }

  bool read_name(Name* name) {
    name->at = at;
    while (!rest_.empty() && is_bare(rest_[0]) && name->text.size() <= kMostLetters) name->text += next();
    if (name->text.size() > kMostLetters) return at = name->at, fails("a name of more than 64 letters");
    return !name->text.empty() || fails("expected a key of letters, digits, _ and -");
  }
  static bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  }

  bool read_value(Entry* entry) {
    entry->value.at = at;
    if (!take('[')) return read_single(&entry->value);
    entry->value.kind = Value::kList;
    while (skip_lines() && !is_next(']')) {
      if (!read_single(&entry->list.emplace_back())) return false;
      if (!skip_lines() || !take(',')) break;
    }
    return take(']') || fails("expected ']' at the end of the list");
  }
  // A value that is no list.
  bool read_single(Value* value) {
    value->at = at;
    if (is_next('"') || is_next('\'')) {
      value->kind = Value::kText;
      return read_text(next(), &value->text);
    }
    std::string word;
    while (!rest_.empty() && (is_bare(rest_[0]) || is_next('.') || is_next('+') || is_next(':'))) word += next();
    if (word.empty()) return fails("expected a number, a text in quotes or a list of them");
    const char* const begin = word.data() + (word[0] == '+' && word[1] != '-');
    const char* const end = word.data() + word.size();
    const auto result = std::from_chars(begin, end, value->number);
    const size_t sign = word[0] == '+' || word[0] == '-';
    const bool is_padded = word[sign] == '0' && word.size() > sign + 1;  // 010, which some take for 8
    if (result.ec == std::errc() && result.ptr == end && !is_padded) value->kind = Value::kNumber;
    return true;
  }

  bool read_text(char quote, std::string* text) {
    while (!is_next(quote)) {
      const auto c = rest_.empty() ? 0u : static_cast<unsigned char>(rest_[0]);
      if (c == 0x7F || (c < 0x20 && c != '\t')) return fails("expected a quote at the end of the text");
      next();
      if (c != '\\' || quote == '\'')
        *text += static_cast<char>(c);
      else if (!read_escape(text))
        return false;
    }
    next();
    return true;
  }
  bool read_escape(std::string* text) {
    constexpr std::string_view kLetters = "btnfr\"\\", kMeanings = "\b\t\n\f\r\"\\";
    const size_t letter = rest_.empty() ? kLetters.npos : kLetters.find(rest_[0]);
    if (letter != kLetters.npos) {
      *text += kMeanings[letter];
      next();
      return true;
    }
    const size_t digits = take('u') ? 4 : take('U') ? 8 : 0;
    uint32_t c = 0;
    const auto result = std::from_chars(rest_.data(), rest_.data() + std::min(digits, rest_.size()), c, 16);
    if (digits == 0 || result.ptr != rest_.data() + digits || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
      return fails("no character is written like this after a \\");
    for (size_t i = 0; i < digits; ++i) next();
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes of UTF-8 after the first
    constexpr uint32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    *text += static_cast<char>(kFirst[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i) *text += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
    return true;
  }

  std::string_view rest_;
};

}  // namespace xlashape::ir
