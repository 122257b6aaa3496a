/* SPDX-License-Identifier: Apache-2.0 */
// Defines what a relayout means: a walker over its form that shares no code with any fast path. Backends are tested
// against it.
#pragma once
#include <bit>
#include <cstring>

#include "ir/compiler.h"
#include "ir/int128.h"
#include "xlashape_backend.h"

namespace xlashape::reference {

inline int64_t position(const xlashape_map_ir& m, const int64_t* index) {
  int64_t value[1024], at = 0;
  for (int i = 0; i < m.rank; ++i) value[i] = index[i];
  for (int s = 0; s < m.sum_count; ++s) {
    int64_t x = 0;
    for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t)
      x += m.term_coefficient[t] * value[m.term_value[t]];
    for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v) {
      value[m.rank + v] = x / m.value_divisor[v];
      x %= m.value_divisor[v];
    }
  }
  for (int o = 0; o < m.output_count; ++o) at += m.output_stride[o] * value[m.output_value[o]];
  return at;
}

// False where position `at` is padding.
inline bool index_at(const xlashape_map_ir& m, int64_t at, int64_t* index) {
  int64_t value[1024];
  for (int i = 0; i < m.rank + m.value_count; ++i) value[i] = 0;
  if (at >= m.data_positions) return false;
  for (int o = 0; o < m.output_count; ++o) {
    value[m.output_value[o]] = at / m.output_stride[o];
    at %= m.output_stride[o];
  }
  for (int s = m.sum_count; s-- > 0;) {
    int64_t x = 0;
    for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v) x += m.value_divisor[v] * value[m.rank + v];
    if (x >= m.sum_bound[s]) return false;
    for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t) {
      value[m.term_value[t]] = x / m.term_coefficient[t];
      x %= m.term_coefficient[t];
    }
  }
  for (int i = 0; i < m.rank; ++i) {
    if (value[i] >= m.dimensions[i]) return false;
    index[i] = value[i];
  }
  return true;
}

using Bits = ir::UInt128;
inline constexpr bool kBigEndian = std::endian::native == std::endian::big;

inline Bits load(const void* base, int64_t position, int unit_bits, int container_bits) {
  const auto* bytes = static_cast<const unsigned char*>(base);
  const int bit = static_cast<int>((position & 7) * unit_bits & 7);
  bytes += ir::byte_of(position, unit_bits);
  if (container_bits < 8) return (ir::load_byte(bytes) >> bit) & ((1 << container_bits) - 1);
  Bits value = 0;
  const int count = container_bits / 8;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[kBigEndian ? i : count - 1 - i];
  return value;
}

inline void store(void* base, int64_t position, int unit_bits, int container_bits, Bits value) {
  auto* bytes = static_cast<unsigned char*>(base);
  const int bit = static_cast<int>((position & 7) * unit_bits & 7);
  bytes += ir::byte_of(position, unit_bits);
  if (container_bits < 8) {
    const int mask = ((1 << container_bits) - 1) << bit;
    *bytes = static_cast<unsigned char>((*bytes & ~mask) | ((static_cast<int>(value) << bit) & mask));
    return;
  }
  const int count = container_bits / 8;
  for (int i = 0; i < count; ++i) bytes[kBigEndian ? count - 1 - i : i] = static_cast<unsigned char>(value >> (8 * i));
}

inline Bits convert(const xlashape_relayout_ir& ir, Bits value) {
  if (ir.src_container_bits == ir.dst_container_bits || ir.value_bits >= 128) return value;
  return value & ((static_cast<Bits>(1) << ir.value_bits) - 1);
}

inline void relayout(const xlashape_relayout_ir& ir, const void* src, void* dst) {
  int64_t at[1024], index[1024];
  const auto move = [&](const int64_t* offset, const int64_t* from, const int64_t* to) {
    int64_t a[1024], b[1024];
    for (int i = 0; i < ir.src->rank; ++i) a[i] = from[i] + offset[i], b[i] = to[i] + offset[i];
    const Bits value = load(src, position(*ir.src, a), ir.src->unit_bits, ir.src_container_bits);
    store(dst, position(*ir.dst, b), ir.dst->unit_bits, ir.dst_container_bits, convert(ir, value));
  };
  if (ir.flags & XLASHAPE_IR_HAS_BOX) {
    std::memset(at, 0, sizeof at);
    for (int64_t n = 0; n < ir.elements; ++n) {
      move(at, ir.src_base, ir.dst_base);
      for (int i = ir.src->rank; i-- > 0;) {
        if (++at[i] < ir.extent[i]) break;
        at[i] = 0;
      }
    }
    return;
  }
  const Bits fill = load(ir.fill, 0, 8, ir.dst_container_bits < 8 ? 8 : ir.dst_container_bits);
  for (int64_t p = 0; p < ir.dst->positions; ++p) {
    if (index_at(*ir.dst, p, index)) {
      move(index, ir.src_base, ir.dst_base);
    } else if (ir.fill_policy == XLASHAPE_FILL_PADDING) {
      store(dst, p, ir.dst->unit_bits, ir.dst_container_bits, fill);
    }
  }
  const int64_t end = ir.dst->positions * ir.dst_container_bits;
  if (ir.fill_policy == XLASHAPE_FILL_PADDING && end % 8 != 0)
    static_cast<unsigned char*>(dst)[end / 8] &= static_cast<unsigned char>((1 << (end % 8)) - 1);
}

}  // namespace xlashape::reference
