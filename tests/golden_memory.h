// For the golden runner: memory images. The cases write tokens; each becomes a bit pattern of the element type, and where a
// type has fewer patterns than there are tokens the relayout runs several times, once for each digit of a token's number.
#pragma once
#include <map>
#include <utility>

#include "golden_shape.h"

namespace golden {

constexpr int64_t kMaxImageBytes = int64_t{1} << 30;

// What an image is made of: positions of `container` bits, each holding a value of `value` bits.
struct Cells {
  int64_t count;
  int64_t bytes;
  int container;
  int value;
};

inline Cells cells_of(const xlashape_shape* shape) {
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  call(xlashape_shape_sizes, shape, &sizes);
  if (sizes.bytes > kMaxImageBytes) throw std::runtime_error("the image is too large to be built");
  const xlashape_element_type type = xlashape_shape_element_type(shape);
  const bool sub_byte = (xlashape_element_type_classes(type) & XLASHAPE_CLASS_SUB_BYTE) != 0;
  return {sizes.storage_elements, sizes.bytes, sizes.element_bits,
          sub_byte ? xlashape_element_type_bits(type) : xlashape_element_type_storage_bits(type)};
}

using Image = std::vector<uint8_t>;
// Up to 128 bits, lowest first.
using Value = std::pair<uint64_t, uint64_t>;

inline Value cut(Value value, int bits) {
  const auto mask = [](int n) { return n <= 0 ? 0 : n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
  return {value.first & mask(bits), value.second & mask(bits - 64)};
}

inline void write(Image* image, const Cells& cells, int64_t position, Value value) {
  for (int i = 0; i < cells.container; ++i) {
    const int64_t bit = position * cells.container + i;
    const uint64_t word = i < 64 ? value.first >> i : i < 128 ? value.second >> (i - 64) : 0;
    uint8_t& byte = (*image)[static_cast<size_t>(bit / 8)];
    byte = static_cast<uint8_t>((byte & ~(1 << (bit % 8))) | ((word & 1) << (bit % 8)));
  }
}

inline Value read(const Image& image, const Cells& cells, int64_t position) {
  Value value = {0, 0};
  for (int i = 0; i < cells.container && i < cells.value && i < 128; ++i) {
    const int64_t bit = position * cells.container + i;
    const uint64_t one = (image[static_cast<size_t>(bit / 8)] >> (bit % 8)) & 1;
    (i < 64 ? value.first : value.second) |= one << (i % 64);
  }
  return value;
}

inline std::string hex(const uint8_t* bytes, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
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
  explicit Tokens(int bits) : bits_(bits) {}
  void add(const Json& token) { numbers_.emplace(token.dump(), numbers_.size()); }
  int passes() const {
    if (bits_ >= 32) return 1;
    int passes = 1;
    for (size_t room = size_t{1} << bits_; room < numbers_.size(); room <<= bits_) ++passes;
    return passes;
  }
  Value pattern(const Json& token, int pass) const {
    uint64_t number = numbers_.at(token.dump());
    for (int i = 0; i < pass; ++i) number >>= bits_;
    // An odd factor keeps numbers apart in their lowest bits and fills the higher ones.
    const uint64_t word = (number + 1) * 0x9E3779B97F4A7C15u;
    return cut({word, word * 0xD6E8FEB86659FD93u}, bits_);
  }

 private:
  int bits_;
  std::map<std::string, size_t> numbers_;
};

inline void relayout(const xlashape_shape* src, const Image& from, const xlashape_shape* dst, Image* to,
                     xlashape_fill_policy policy) {
  xlashape_relayout_options options = {};
  options.struct_size = sizeof options;
  options.fill_policy = policy;
  call(xlashape_relayout, static_cast<xlashape_runtime*>(nullptr), src, static_cast<const void*>(from.data()),
       static_cast<int64_t>(from.size()), dst, static_cast<void*>(to->data()), static_cast<int64_t>(to->size()),
       static_cast<const xlashape_relayout_options*>(&options));
}

// The image of `src`, given as tokens, relaid to `dst`: empty when it is what the case wants, else what differs.
inline std::string compare_relayout(const xlashape_shape* src, const Json& data, const xlashape_shape* dst,
                                    const Json& want, const Json& fill) {
  const Cells from = cells_of(src), to = cells_of(dst);
  if (!data.is_array() || !want.is_array()) throw std::runtime_error("data and expect must be lists");
  if (static_cast<int64_t>(data.size()) != from.count)
    throw std::runtime_error("data has " + std::to_string(data.size()) + " entries, the source has " +
                             std::to_string(from.count) + " positions");
  if (static_cast<int64_t>(want.size()) != to.count)
    return "got " + std::to_string(to.count) + " positions want " + std::to_string(want.size());
  Tokens tokens(to.value);
  tokens.add(fill);
  for (const Json& token : data) tokens.add(token);
  for (const Json& token : want) tokens.add(token);

  const IndexMap map = make<xlashape_index_map>(xlashape_index_map_create, dst);
  xlashape_padding_value padding = XLASHAPE_PAD_INVALID;
  if (xlashape_shape_has_layout(dst))
    padding = xlashape_layout_padding_value(make<xlashape_layout>(xlashape_shape_layout, dst).get());
  const auto element = list_of<uint8_t>(xlashape_padding_element, xlashape_shape_element_type(dst), padding);
  Value filled = {0, 0};
  for (size_t i = 0; i < element.size(); ++i)
    (i < 8 ? filled.first : filled.second) |= static_cast<uint64_t>(element[i]) << (8 * (i % 8));

  for (int pass = 0; pass < tokens.passes(); ++pass) {
    Image source(static_cast<size_t>(from.bytes)), preset(static_cast<size_t>(to.bytes));
    for (int64_t i = 0; i < from.count; ++i)
      write(&source, from, i, tokens.pattern(data[static_cast<size_t>(i)], pass));
    for (int64_t i = 0; i < to.count; ++i) write(&preset, to, i, tokens.pattern(fill, pass));
    for (const xlashape_fill_policy policy : {XLASHAPE_FILL_PRESERVE, XLASHAPE_FILL_PADDING}) {
      if (policy == XLASHAPE_FILL_PADDING && padding == XLASHAPE_PAD_INVALID) continue;
      Image image = preset;
      relayout(src, source, dst, &image, policy);
      for (int64_t i = 0; i < to.count; ++i) {
        Value expected = tokens.pattern(want[static_cast<size_t>(i)], pass);
        if (policy == XLASHAPE_FILL_PADDING) {
          std::vector<int64_t> index(static_cast<size_t>(xlashape_index_map_rank(map.get())));
          int32_t is_padding = 0;
          call(xlashape_index_map_multidimensional_index, map.get(), i, index.data(),
               static_cast<int64_t>(index.size()), &is_padding);
          if (is_padding) expected = cut(filled, to.value);
        }
        const Value got = read(image, to, i);
        if (got == expected) continue;
        const auto bits = [](Value v) { return std::to_string(v.second) + ":" + std::to_string(v.first); };
        return "got bits " + bits(got) + " want " + bits(expected) + " at position " + std::to_string(i) +
               (policy == XLASHAPE_FILL_PADDING ? " (padding filled)" : " (padding left alone)");
      }
    }
  }
  return "";
}

// The image of `shape` that holds `data`, numbers in row-major order, with zeros for padding.
inline std::string pack(const xlashape_shape* shape, const xlashape_shape* plain, const Json& data) {
  const Cells from = cells_of(plain), to = cells_of(shape);
  const std::vector<int64_t> values = integers(data);
  if (static_cast<int64_t>(values.size()) != from.count)
    throw std::runtime_error("data has " + std::to_string(values.size()) + " entries, the array has " +
                             std::to_string(from.count));
  Image source(static_cast<size_t>(from.bytes)), image(static_cast<size_t>(to.bytes));
  for (int64_t i = 0; i < from.count; ++i) {
    const int64_t value = values[static_cast<size_t>(i)];
    write(&source, from, i, {static_cast<uint64_t>(value), value < 0 ? ~uint64_t{0} : 0});
  }
  relayout(plain, source, shape, &image, XLASHAPE_FILL_PADDING);
  return hex(image.data(), image.size());
}

}  // namespace golden
