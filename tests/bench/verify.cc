// SPDX-License-Identifier: Apache-2.0
#include "verify.h"

#include <cstring>
#include <random>
#include <vector>

namespace bench {
namespace {

// The element at a position, in the low bits; up to 16 bytes.
struct Bits {
  unsigned char bytes[16] = {};
  bool operator==(const Bits&) const = default;
};

Bits load(const char* data, int64_t position, int bits, int value_bits) {
  Bits value;
  if (bits < 8) {
    const int64_t at = position * bits;
    value.bytes[0] = static_cast<unsigned char>(static_cast<unsigned char>(data[at / 8]) >> (at % 8));
  } else {
    std::memcpy(value.bytes, data + position * (bits / 8), static_cast<size_t>(bits / 8));
  }
  for (int i = 0; i < 16; ++i) {
    const int left = value_bits - 8 * i;
    if (left < 8) value.bytes[i] = static_cast<unsigned char>(value.bytes[i] & (left <= 0 ? 0 : (1 << left) - 1));
  }
  return value;
}

}  // namespace

std::string mismatch(const Case& c, const char* src, const char* dst, bool padding) {
  constexpr int64_t kAll = 1 << 16, kSample = 1 << 15;
  const Map from = make_map(c.src.get()), to = make_map(c.dst.get());
  const xlashape_element_type type = xlashape_shape_element_type(c.dst.get());
  // Containers of different width are compared by the value they hold; where they are alike all bits count.
  const int value_bits = c.src_bits == c.dst_bits ? c.dst_bits : xlashape_element_type_bits(type);
  Bits fill;
  {
    xlashape_layout* handle = nullptr;
    check([&](xlashape_error* err) { return xlashape_shape_layout(c.dst.get(), &handle, err); });
    const Layout layout(handle);
    int64_t needed;
    check([&](xlashape_error* err) {
      return xlashape_padding_element(type, xlashape_layout_padding_value(layout.get()), fill.bytes, 16, &needed, err);
    });
  }
  const int64_t positions = xlashape_index_map_storage_elements(to.get()), rank = xlashape_index_map_rank(to.get());
  std::vector<int64_t> index(static_cast<size_t>(rank));
  std::mt19937_64 random(1);
  const int64_t count = positions <= kAll ? positions : kSample;
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = i;
    if (positions > kAll && i >= 1024)
      at = i < 2048 ? positions - 1 - (i - 1024) : static_cast<int64_t>(random() % static_cast<uint64_t>(positions));
    int32_t is_padding = 0;
    check([&](xlashape_error* err) {
      return xlashape_index_map_multidimensional_index(to.get(), at, index.data(), rank, &is_padding, err);
    });
    if (is_padding && !padding) continue;
    Bits want = fill;
    if (!is_padding) {
      int64_t position = 0;
      check([&](xlashape_error* err) {
        return xlashape_index_map_linear_index(from.get(), index.data(), rank, &position, err);
      });
      want = load(src, position, c.src_bits, value_bits);
    }
    if (load(dst, at, c.dst_bits, value_bits) == want) continue;
    return (is_padding ? "padding at position " : "the element at position ") + std::to_string(at) + " is wrong";
  }
  return "";
}

}  // namespace bench
