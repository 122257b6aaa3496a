/* SPDX-License-Identifier: Apache-2.0 */
// Reads, writes and converts single containers of any width, for the paths where containers differ or are packed.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>

#include "xlashape_backend.h"

namespace xlashape::backends {

struct Wide {
  uint64_t low, high;
};

// Whether packed containers start in the highest bits of a byte.
inline bool src_high_first(const xlashape_relayout_ir& ir) {
  return ir.values != nullptr && (ir.values->flags & XLASHAPE_VALUES_SRC_HIGH_FIRST) != 0;
}
inline bool dst_high_first(const xlashape_relayout_ir& ir) {
  return ir.values != nullptr && (ir.values->flags & XLASHAPE_VALUES_DST_HIGH_FIRST) != 0;
}
// To be combined, by ^, with the lowest bit of a packed container that starts in the lowest bits of a byte.
inline int order_of(bool high_first, int bits) { return high_first ? 8 - bits : 0; }

// A container of `kBytes` bytes (0: packed, `bits` wide) at unit offset `at`: bytes, or elements when packed.
template <int kBytes>
inline Wide load(const char* base, int64_t at, int bits, int order = 0) {
  if constexpr (kBytes == 0) {
    const int64_t bit = (at * bits) ^ order;
    return {static_cast<uint64_t>((static_cast<unsigned char>(base[bit >> 3]) >> (bit & 7)) & ((1 << bits) - 1)), 0};
  } else if constexpr (kBytes == 16) {
    Wide w;
    std::memcpy(&w, base + at, 16);
    if constexpr (std::endian::native == std::endian::big) std::swap(w.low, w.high);
    return w;
  } else {
    if constexpr (kBytes == 1) return {static_cast<unsigned char>(base[at]), 0};
    if constexpr (kBytes == 2) {
      uint16_t v;
      std::memcpy(&v, base + at, 2);
      return {v, 0};
    }
    if constexpr (kBytes == 4) {
      uint32_t v;
      std::memcpy(&v, base + at, 4);
      return {v, 0};
    }
    if constexpr (kBytes == 8) {
      uint64_t v;
      std::memcpy(&v, base + at, 8);
      return {v, 0};
    }
  }
}

// `value` has no bits beyond the container. In a packed one the others of its byte are kept by `&` and `|` alone: where
// the mask is on both sides compilers make `^` of it, and then memcheck and MSan take a byte that nobody has written
// before for uninitialised even when all of its containers are written.
template <int kBytes>
inline void store(char* base, int64_t at, int bits, Wide value, int order = 0) {
  if constexpr (kBytes == 0) {
    const int64_t bit = (at * bits) ^ order;
    const int mask = ((1 << bits) - 1) << (bit & 7);
    auto* byte = reinterpret_cast<unsigned char*>(base) + (bit >> 3);
    *byte = static_cast<unsigned char>((*byte & ~mask) | (static_cast<int>(value.low) << (bit & 7)));
  } else if constexpr (kBytes == 16) {
    if constexpr (std::endian::native == std::endian::big) std::swap(value.low, value.high);
    std::memcpy(base + at, &value, 16);
  } else {
    if constexpr (kBytes == 1) base[at] = static_cast<char>(value.low);
    if constexpr (kBytes == 2) {
      const auto v = static_cast<uint16_t>(value.low);
      std::memcpy(base + at, &v, 2);
    }
    if constexpr (kBytes == 4) {
      const auto v = static_cast<uint32_t>(value.low);
      std::memcpy(base + at, &v, 4);
    }
    if constexpr (kBytes == 8) std::memcpy(base + at, &value.low, 8);
  }
}

// The same without template arguments, where the speed does not matter.
inline Wide load(const char* base, int64_t at, int bits, int order = 0) {
  switch (bits) {
    case 8:
      return load<1>(base, at, bits);
    case 16:
      return load<2>(base, at, bits);
    case 32:
      return load<4>(base, at, bits);
    case 64:
      return load<8>(base, at, bits);
    case 128:
      return load<16>(base, at, bits);
    default:
      return load<0>(base, at, bits, order);
  }
}
inline void store(char* base, int64_t at, int bits, Wide value) {
  switch (bits) {
    case 8:
      return store<1>(base, at, bits, value);
    case 16:
      return store<2>(base, at, bits, value);
    case 32:
      return store<4>(base, at, bits, value);
    case 64:
      return store<8>(base, at, bits, value);
    case 128:
      return store<16>(base, at, bits, value);
    default:
      return store<0>(base, at, bits, value);
  }
}

// The template argument for a container: its bytes, 0 if packed.
inline int bytes_of(int container_bits) { return container_bits < 8 ? 0 : container_bits / 8; }

// Keeps the value bits.
struct Conversion {
  uint64_t mask_low, mask_high;
  Wide operator()(const Wide& v) const { return {v.low & mask_low, v.high & mask_high}; }
};

inline Conversion conversion(const xlashape_relayout_ir& ir) {
  const uint64_t all = ~uint64_t{0};
  if (ir.src_container_bits == ir.dst_container_bits) return {all, all};
  const uint64_t low = ir.value_bits >= 64 ? all : (uint64_t{1} << ir.value_bits) - 1;
  const uint64_t high = ir.value_bits >= 128 ? all : 0;
  return {low, high};
}

// Calls f.template operator()<kSrcBytes, kDstBytes>() for the two containers.
template <class F>
inline void dispatch_containers(int src_bits, int dst_bits, F&& f) {
  const auto second = [&]<int kSrc>() {
    switch (bytes_of(dst_bits)) {
      case 0:
        return f.template operator()<kSrc, 0>();
      case 1:
        return f.template operator()<kSrc, 1>();
      case 2:
        return f.template operator()<kSrc, 2>();
      case 4:
        return f.template operator()<kSrc, 4>();
      case 8:
        return f.template operator()<kSrc, 8>();
      default:
        return f.template operator()<kSrc, 16>();
    }
  };
  switch (bytes_of(src_bits)) {
    case 0:
      return second.template operator()<0>();
    case 1:
      return second.template operator()<1>();
    case 2:
      return second.template operator()<2>();
    case 4:
      return second.template operator()<4>();
    case 8:
      return second.template operator()<8>();
    default:
      return second.template operator()<16>();
  }
}

}  // namespace xlashape::backends
