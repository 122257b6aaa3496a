/* SPDX-License-Identifier: Apache-2.0 */
// For the corpus runner: memory images. The cases write tokens; each becomes a bit pattern of the element type, and
// where a type has fewer patterns than there are tokens the relayout runs several times,
// once for each digit of a token's number.
#pragma once
#include <utility>

#include "corpus_shape.h"

namespace corpus {

using Image = std::vector<uint8_t>;
// Up to 128 bits, lowest first.
using Value = std::pair<uint64_t, uint64_t>;

// What an image is made of: positions of `container` bits, each holding a value of `value` bits.
struct Cells {
  explicit Cells(const xlashape::Shape& shape) {
    const auto sizes = shape.sizes();
    if (sizes.bytes > int64_t{1} << 30) throw std::runtime_error("the image is too large to be built");
    const auto type = shape.element_type();
    const bool sub_byte = (xlashape::classes(type) & XLASHAPE_CLASS_SUB_BYTE) != 0;
    count = sizes.storage_elements;
    bytes = static_cast<size_t>(sizes.bytes);
    container = sizes.element_bits;
    value = sub_byte ? xlashape::bits(type) : xlashape::storage_bits(type);
  }
  Value cut(Value v) const {
    const auto mask = [](int n) { return n <= 0 ? 0 : n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
    return {v.first & mask(value), v.second & mask(value - 64)};
  }
  void write(Image* image, int64_t position, Value v) const {
    for (int i = 0; i < container; ++i) {
      const int64_t bit = position * container + i;
      const uint64_t word = i < 64 ? v.first >> i : i < 128 ? v.second >> (i - 64) : 0;
      uint8_t& byte = (*image)[static_cast<size_t>(bit / 8)];
      byte = static_cast<uint8_t>((byte & ~(1 << (bit % 8))) | static_cast<int>((word & 1) << (bit % 8)));
    }
  }
  Value read(const Image& image, int64_t position) const {
    Value v = {0, 0};
    for (int i = 0; i < container && i < value && i < 128; ++i) {
      const int64_t bit = position * container + i;
      const uint64_t one = (image[static_cast<size_t>(bit / 8)] >> (bit % 8)) & 1;
      (i < 64 ? v.first : v.second) |= one << (i % 64);
    }
    return v;
  }

  int64_t count = 0;
  size_t bytes = 0;
  int container = 0;
  int value = 0;
};

inline std::string hex(const std::vector<uint8_t>& bytes) {
  std::string out;
  for (const uint8_t byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

inline Image unhex(const std::string& digits) {
  Image bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

// Patterns for tokens: distinct for distinct tokens over all passes.
class Tokens {
 public:
  explicit Tokens(const Cells& cells) : cells_(cells) {}
  void add(const Json& token) { numbers_.emplace(token.dump(), numbers_.size()); }
  int passes() const {
    int passes = 1;
    if (cells_.value < 32)
      for (size_t room = size_t{1} << cells_.value; room < numbers_.size(); room <<= cells_.value) ++passes;
    return passes;
  }
  Value pattern(const Json& token, int pass) const {
    uint64_t number = numbers_.at(token.dump());
    for (int i = 0; i < pass; ++i) number >>= cells_.value;
    // An odd factor keeps numbers apart in their lowest bits and fills the higher ones.
    const uint64_t word = (number + 1) * 0x9E3779B97F4A7C15u;
    return cells_.cut({word, word * 0xD6E8FEB86659FD93u});
  }

 private:
  Cells cells_;
  std::map<std::string, size_t> numbers_;
};

inline void relayout(const xlashape::Shape& src, const Image& from, const xlashape::Shape& dst, Image* to,
                     xlashape::FillPolicy policy) {
  xlashape::PlanOptions options;
  options.fill_policy = policy;
  xlashape::Plan::create(src, dst, options).execute(from, *to);
}

// The image of `src`, given as tokens, relaid to `dst`: empty when it is what the case wants, else what differs.
inline std::string compare_relayout(const xlashape::Shape& src, const xlashape::Shape& dst, const Json& item) {
  using xlashape::FillPolicy;
  const Cells from(src), to(dst);
  const Json data = field(item, "data"), fill = item.contains("fill") ? item["fill"] : Json("(no element)");
  Json want = field(item, "expect");
  if (!want.is_array()) want = std::vector<Json>(static_cast<size_t>(to.count), fill);  // an error is wanted
  if (static_cast<int64_t>(data.size()) != from.count) throw std::runtime_error("data has another number of positions");
  if (static_cast<int64_t>(want.size()) != to.count) return "got " + std::to_string(to.count) + " positions";
  Tokens tokens(to);
  tokens.add(fill);
  for (const Json& token : data) tokens.add(token);
  for (const Json& token : want) tokens.add(token);

  const auto map = xlashape::IndexMap::of(dst);
  const auto padding = dst.has_layout() ? dst.layout().padding_value() : xlashape::PaddingValue::kInvalid;
  const auto element = xlashape::padding_element(dst.element_type(), padding);
  Value filled = {0, 0};
  for (size_t i = 0; i < element.size(); ++i)
    (i < 8 ? filled.first : filled.second) |= static_cast<uint64_t>(element[i]) << (8 * (i % 8));

  for (int pass = 0; pass < tokens.passes(); ++pass) {
    Image source(from.bytes), preset(to.bytes);
    for (int64_t i = 0; i < from.count; ++i) from.write(&source, i, tokens.pattern(data[static_cast<size_t>(i)], pass));
    for (int64_t i = 0; i < to.count; ++i) to.write(&preset, i, tokens.pattern(fill, pass));
    for (const FillPolicy policy : {FillPolicy::kPreserve, FillPolicy::kPadding}) {
      if (policy == FillPolicy::kPadding && padding == xlashape::PaddingValue::kInvalid) continue;
      Image image = preset;
      relayout(src, source, dst, &image, policy);
      for (int64_t i = 0; i < to.count; ++i) {
        Value expected = tokens.pattern(want[static_cast<size_t>(i)], pass);
        Integers index(static_cast<size_t>(map.rank()));
        if (policy == FillPolicy::kPadding && !map.multidimensional_index(i, index)) expected = to.cut(filled);
        if (to.read(image, i) != expected)
          return "another value at position " + std::to_string(i) +
                 (policy == FillPolicy::kPadding ? " (padding filled)" : " (padding left alone)");
      }
    }
  }
  return "";
}

// The image of `shape` that holds `data`, numbers in row-major order, with zeros for padding.
inline std::string pack(const xlashape::Shape& plain, const xlashape::Shape& shape, const Json& data) {
  const Cells from(plain), to(shape);
  const Integers values = integers(data);
  if (static_cast<int64_t>(values.size()) != from.count)
    throw std::runtime_error("data has another number of positions");
  Image source(from.bytes), image(to.bytes);
  for (int64_t i = 0; i < from.count; ++i) {
    const int64_t value = values[static_cast<size_t>(i)];
    from.write(&source, i, {static_cast<uint64_t>(value), value < 0 ? ~uint64_t{0} : 0});
  }
  relayout(plain, source, shape, &image, xlashape::FillPolicy::kPadding);
  return hex(image);
}

}  // namespace corpus
