// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kMostDimensions = 64;

struct TypeCode {
  char kind;
  int64_t bytes;
  ElementType type;
  int64_t part;  // width of the units that have a byte order
};
constexpr TypeCode kTypes[] = {
    {'b', 1, ElementType::kPred, 1}, {'i', 1, ElementType::kS8, 1},    {'i', 2, ElementType::kS16, 2},
    {'i', 4, ElementType::kS32, 4},  {'i', 8, ElementType::kS64, 8},   {'u', 1, ElementType::kU8, 1},
    {'u', 2, ElementType::kU16, 2},  {'u', 4, ElementType::kU32, 4},   {'u', 8, ElementType::kU64, 8},
    {'f', 2, ElementType::kF16, 2},  {'f', 4, ElementType::kF32, 4},   {'f', 8, ElementType::kF64, 8},
    {'c', 8, ElementType::kC64, 4},  {'c', 16, ElementType::kC128, 8},
};

// Parses the Python dictionary of a header: only the literals that NumPy writes.
class Literal {
 public:
  Literal(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  // What `descr` says, without quotes where it is a string.
  std::string read(NpyHeader* header) {
    std::string dtype;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        has_descr = once(has_descr, key);
        dtype = peek() == '[' ? list() : string();
      } else if (key == "fortran_order") {
        has_order = once(has_order, key);
        header->fortran_order = truth();
      } else if (key == "shape") {
        has_shape = once(has_shape, key);
        tuple(&header->dimensions);
      } else {
        fail(fmt::format("unknown key \"{}\"", shortened(key)));
      }
      if (!accept(',') && peek() != '}') fail("expected a comma or a closing brace");
    }
    if (!has_descr || !has_order || !has_shape) fail("descr, fortran_order and shape must all be there");
    skip();
    if (at_ != text_.size()) fail("something follows the dictionary");
    return dtype;
  }

  [[noreturn]] void fail(const std::string& what) const { fail_data("{}: bad .npy header: {}", path_, what); }

  static std::string_view shortened(std::string_view text) { return text.substr(0, 60); }

 private:
  bool once(bool seen, const std::string& key) const {
    if (seen) fail(key + " is there twice");
    return true;
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}' at byte {}", c, at_));
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail(fmt::format("expected a string at byte {}", at_));
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }
  // The fields of records, as they are written.
  std::string list() {
    const size_t from = at_;
    for (int64_t depth = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        static_cast<void>(string());
        continue;
      }
      ++at_;
      depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
      if (depth == 0) return std::string(text_.substr(from, at_ - from));
    }
    fail("the list of fields does not end");
  }
  bool truth() {
    skip();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail("fortran_order must be True or False");
  }
  void tuple(Integers* out) {
    expect('(');
    while (!accept(')')) {
      skip();
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error == std::errc::result_out_of_range) fail("a dimension does not fit 64 bits");
      if (error != std::errc()) fail(fmt::format("expected a dimension at byte {}", at_));
      if (value < 0) fail(fmt::format("dimension {} is negative", value));
      at_ = static_cast<size_t>(end - text_.data());
      accept('L');  // Python 2 on some platforms
      if (out->size() == kMostDimensions) fail(fmt::format("more than {} dimensions", kMostDimensions));
      out->push_back(value);
      if (!accept(',') && peek() != ')') fail("expected a comma or a closing parenthesis");
    }
  }

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
};

constexpr bool kLittle = std::endian::native == std::endian::little;

// '<f4', 'M8[ns]', '|S4': a width of 0 where it is none that is known.
struct TypeText {
  char order = '=', kind = '\0';
  int64_t bytes = 0, part = 1;
  bool other_order() const { return part > 1 && order == (kLittle ? '>' : '<'); }
};

TypeText type_text(std::string_view text, const std::string& path) {
  TypeText type;
  if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
    type.order = text[0];
    text.remove_prefix(1);
  }
  type.kind = text.empty() ? '\0' : text[0];
  if (type.kind == 'O') fail_data("{}: holds Python objects (a pickle); only plain numbers are read", path);
  if (std::string_view("biufcmMSUV").find(type.kind) == std::string_view::npos) return {};
  text.remove_prefix(1);
  if (const size_t unit = text.find('['); (type.kind == 'M' || type.kind == 'm') && unit != text.npos) {
    if (text.find_first_not_of("[]/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", unit) != text.npos)
      return {};
    text = text.substr(0, unit);
  }
  const std::optional<int64_t> bytes = number(text);
  if (!bytes || *bytes <= 0 || *bytes > INT32_MAX) return {};
  const bool characters = type.kind == 'U';  // of four bytes
  type.bytes = characters ? *bytes * 4 : *bytes;
  type.part = characters ? 4 : type.kind == 'S' || type.kind == 'V' ? 1 : type.kind == 'c' ? *bytes / 2 : *bytes;
  return type;
}

// The fields of records: [('name', '<f4'), (('title', 'name'), [...], (2, 3)), ...].
class Fields {
 public:
  Fields(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  // How many bytes a record has.
  int64_t bytes() {
    const int64_t all = fields(0);
    if (at_ != text_.size() || all <= 0 || all > INT32_MAX) fail();
    return all;
  }
  bool other_order() const { return other_order_; }

 private:
  static constexpr int kDeepest = 16;

  [[noreturn]] void fail() const {
    fail_data("{}: bad .npy header: the fields of its records, at byte {} of {}", path_, at_,
              Literal::shortened(text_));
  }
  bool accept(char c) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  std::string_view string() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const size_t from = at_;
    at_ = std::min(text_.find(quote, from), text_.size());
    const std::string_view value = text_.substr(from, at_ - from);
    expect(quote);
    return value;
  }
  int64_t fields(int depth) {
    if (depth == kDeepest) fail();
    int64_t all = 0;
    expect('[');
    while (!accept(']')) {
      expect('(');
      if (accept('(')) {  // a title before the name
        string();
        expect(',');
        string();
        expect(')');
      } else {
        string();
      }
      expect(',');
      int64_t bytes = accept('[') ? (--at_, fields(depth + 1)) : one();
      if (accept(',')) bytes = product(bytes, count());
      expect(')');
      all = sum(all, bytes);
      if (!accept(',') && (at_ == text_.size() || text_[at_] != ']')) fail();
    }
    return all;
  }
  // Of the elements of an array within a record: (2, 3), or 2.
  int64_t count() {
    int64_t all = 1;
    const bool tuple = accept('(');
    while (!tuple || !accept(')')) {
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      const std::optional<int64_t> size = number(text_.substr(at_, end - at_));
      if (!size) fail();
      at_ = end;
      all = product(all, *size);
      if (!tuple) break;
      if (!accept(',') && (at_ == text_.size() || text_[at_] != ')')) fail();
    }
    return all;
  }
  int64_t one() {
    const TypeText type = type_text(string(), path_);
    if (type.bytes == 0) fail();
    other_order_ |= type.other_order();
    return type.bytes;
  }

  std::string_view text_;
  const std::string& path_;
  size_t at_ = 0;
  bool other_order_ = false;
};

void read_type(std::string_view text, NpyHeader* header, const std::string& path) {
  if (text.starts_with('[')) {
    Fields fields(text, path);
    header->item_bytes = fields.bytes();
    header->other_order = fields.other_order();
    header->descr = text;
    return;
  }
  const TypeText type = type_text(text, path);
  // Types without a letter in NumPy (ml_dtypes: bfloat16, float8, int4) are written as void bytes.
  if (type.bytes == 0)
    fail_data("{}: bad .npy header: dtype \"{}\" is none that is known", path, Literal::shortened(text));
  header->item_bytes = type.bytes;
  header->descr = fmt::format("'{}'", text);
  int64_t part = type.part;
  for (const TypeCode& code : kTypes)
    if (code.kind == type.kind && code.bytes == type.bytes) {
      header->type = code.type;
      part = code.part;
    }
  if (part > 1 && type.other_order()) {
    header->swap_bytes = part;
    header->descr[1] = kLittle ? '<' : '>';
  }
}

}  // namespace

bool is_npy(Bytes bytes) {
  return bytes.size() >= kMagic.size() && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

NpyHeader read_npy_header(const std::function<Buffer(int64_t)>& read, const std::string& path) {
  Buffer start = read(kUsualNpyHeader);
  // Version 1 has its length in two bytes, the others in four.
  const Bytes bytes = start.bytes();
  if (start.size() == kUsualNpyHeader && is_npy(bytes) &&
      (bytes[6] > 1 || (bytes[8] | bytes[9] << 8) + 10 > kUsualNpyHeader))
    start = read(kLongestNpyHeader);
  return parse_npy_header(start.bytes(), path);
}

NpyHeader read_npy_header(const FileParts& file) {
  return read_npy_header([&](int64_t most) { return file.read(0, std::min(file.size(), most)); }, file.path());
}

NpyHeader parse_npy_header(Bytes start, const std::string& path) {
  if (!is_npy(start) || start.size() < 10) fail_data("{}: bad .npy header: the file ends inside it", path);
  const int version = start[6];
  if (version < 1 || version > 3) fail_data("{}: .npy version {}.{} is unknown", path, version, start[7]);
  int64_t length = start[8] | start[9] << 8, at = 10;
  if (version > 1) {
    if (start.size() < 12) fail_data("{}: bad .npy header: the file ends inside it", path);
    length |= static_cast<int64_t>(start[10]) << 16 | static_cast<int64_t>(start[11]) << 24;
    at = 12;
  }
  if (length > kLongestNpyHeader - at)
    fail_data("{}: bad .npy header: {} bytes long, more than {} are not read", path, length, kLongestNpyHeader - at);
  if (at + length > static_cast<int64_t>(start.size()))
    fail_data("{}: bad .npy header: {} bytes long, the file ends after {}", path, length,
              static_cast<int64_t>(start.size()) - at);
  NpyHeader header;
  Literal literal(std::string_view(reinterpret_cast<const char*>(start.data()) + at, static_cast<size_t>(length)),
                  path);
  read_type(literal.read(&header), &header, path);
  header.utf8 = version == 3;
  header.data_offset = at + length;
  header.data_bytes = header.item_bytes;
  bool empty = false;
  for (const int64_t dimension : header.dimensions) empty |= dimension == 0;
  if (empty) header.data_bytes = 0;
  for (const int64_t dimension : header.dimensions)
    if (!empty && __builtin_mul_overflow(header.data_bytes, dimension, &header.data_bytes))
      literal.fail("its dimensions multiply to more than fit 64 bits");
  return header;
}

std::optional<std::string> npy_descr(ElementType type) {
  for (const TypeCode& code : kTypes)
    if (code.type == type)
      return fmt::format("'{}{}{}'", code.bytes == 1 ? '|' : kLittle ? '<' : '>', code.kind, code.bytes);
  return std::nullopt;
}

std::optional<std::string> make_npy_header(const std::string& descr, const Integers& dimensions, bool fortran_order,
                                           bool utf8) {
  if (dimensions.size() > 32) return std::nullopt;
  std::string text =
      fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': ({}{}), }}", descr, fortran_order ? "True" : "False",
                  joined(dimensions, ", "), dimensions.size() == 1 ? "," : "");
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 127; });
  const int version = utf8 && !ascii ? 3 : text.size() + 64 > 65535 ? 2 : 1;
  const size_t fixed = version == 1 ? 10 : 12;
  text.resize((text.size() + fixed + 1 + 63) / 64 * 64 - fixed - 1, ' ');  // the data starts at a multiple of 64
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(version);
  header += '\x00';
  for (size_t i = 0; i < fixed - 8; ++i) header += static_cast<char>(text.size() >> 8 * i & 255);
  return header + text;
}

void swap_bytes(std::span<uint8_t> bytes, int64_t width) {
  for (size_t at = 0; at + static_cast<size_t>(width) <= bytes.size(); at += static_cast<size_t>(width))
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                 bytes.begin() + static_cast<std::ptrdiff_t>(at) + width);
}

}  // namespace xlashape::cli
