/* SPDX-License-Identifier: Apache-2.0 */
// Random arrays, and where their elements must be: by index maps, an element at a time.
#pragma once
#include <algorithm>
#include <random>

#include "client.h"

// A dense array in the order of the host, with strides into it.
struct HostArray {
  xlashape::Shape shape;  // row-major, natural
  Numbers strides;
  Bytes memory;
  std::size_t first;  // the byte of index 0...0

  const void* data() const { return memory.data() + first; }
};

inline std::vector<xlashape::ElementType> all_types() {
  std::vector<xlashape::ElementType> types;
  for (std::int32_t number = 1; number < 64; ++number)
    if ((xlashape_element_type_classes(number) & XLASHAPE_CLASS_ARRAY) != 0 &&
        xlashape_element_type_to_pjrt(number) != 0)
      types.push_back(static_cast<xlashape::ElementType>(number));
  return types;
}

// Calls `function` for each index.
inline void each_index(const Numbers& dimensions, const std::function<void(const Numbers&)>& function) {
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return;
  Numbers index(dimensions.size());
  for (;;) {
    function(index);
    std::size_t d = dimensions.size();
    while (d-- > 0 && ++index[d] == dimensions[d]) index[d] = 0;
    if (d == static_cast<std::size_t>(-1)) return;
  }
}

// Random values that the type has: narrow ones in the low bits of their byte, below zeros,
// as XLA and ml_dtypes have them.
inline void fill(Bytes& memory, xlashape::ElementType type, std::mt19937_64& random) {
  const std::int32_t bits = xlashape_element_type_bits(static_cast<std::int32_t>(type));
  for (unsigned char& byte : memory) {
    byte = static_cast<unsigned char>(random());
    if (bits < 8 || type == xlashape::ElementType::kPred) byte &= static_cast<unsigned char>((1 << bits) - 1);
  }
}

inline HostArray random_array(xlashape::ElementType type, std::size_t rank, std::mt19937_64& random) {
  const auto below = [&random](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  Numbers dimensions(rank);
  for (std::int64_t& size : dimensions) size = below(20) == 0 ? 0 : 1 + below(rank > 3 ? 4 : rank > 1 ? 17 : 300);
  HostArray array;
  array.shape = xlashape::Shape::array(type, dimensions);
  const std::int64_t width = xlashape_element_type_storage_bits(static_cast<std::int32_t>(type)) / 8;
  Numbers order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = static_cast<std::int64_t>(rank - 1 - i);
  if (below(2) == 0) std::shuffle(order.begin(), order.end(), random);
  array.strides.assign(rank, 0);
  std::int64_t step = width, low = 0;
  for (const std::int64_t d : order) {
    const std::int64_t size = std::max<std::int64_t>(dimensions[static_cast<std::size_t>(d)], 1);
    std::int64_t stride = step;
    if (below(4) == 0) stride += width * below(3);  // a gap
    step = stride * size;
    if (below(8) == 0)
      low += stride * (size - 1), stride = -stride;  // reversed
    else if (below(16) == 0)
      stride = below(2) * width;  // repeated, or windows that overlap
    array.strides[static_cast<std::size_t>(d)] = stride;
  }
  array.memory.resize(static_cast<std::size_t>(step + low + width));
  array.first = static_cast<std::size_t>(low);
  fill(array.memory, type, random);
  return array;
}

// The array as row-major bytes.
inline Bytes dense(const HostArray& array) {
  const std::int64_t width =
      xlashape_element_type_storage_bits(static_cast<std::int32_t>(array.shape.element_type())) / 8;
  Bytes bytes;
  each_index(array.shape.dimensions(), [&](const Numbers& index) {
    std::int64_t at = static_cast<std::int64_t>(array.first);
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * array.strides[d];
    bytes.insert(bytes.end(), array.memory.begin() + at, array.memory.begin() + at + width);
  });
  return bytes;
}

// What a device that stores `shape` must hold: row-major `bytes` element by element at the positions of the index map,
// all else zero.
inline Bytes stored(const Bytes& bytes, const xlashape::Shape& shape) {
  const auto map = xlashape::IndexMap::of(shape);
  const std::int64_t bits = shape.layout().element_size_in_bits() != 0
                                ? shape.layout().element_size_in_bits()
                                : xlashape_element_type_storage_bits(static_cast<std::int32_t>(shape.element_type()));
  const std::size_t width =
      static_cast<std::size_t>(xlashape_element_type_storage_bits(static_cast<std::int32_t>(shape.element_type())) / 8);
  Bytes out(static_cast<std::size_t>(shape.byte_size()));
  std::size_t from = 0;
  each_index(shape.dimensions(), [&](const Numbers& index) {
    const std::int64_t position = map.linear_index(index);
    if (bits >= 8)
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), width,
                  out.begin() + position * static_cast<std::int64_t>(width));
    else
      out[static_cast<std::size_t>(position * bits / 8)] |=
          static_cast<unsigned char>((bytes[from] & ((1 << bits) - 1)) << (position * bits % 8));
    from += width;
  });
  return out;
}
