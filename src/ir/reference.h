/* SPDX-License-Identifier: Apache-2.0 */
// Defines what a relayout means: a walker over its form that shares no code with any fast path. Backends are tested
// against it.
#pragma once
#include <bit>
#include <cstring>

#include "ir/compiler.h"
#include "ir/int128.h"
#include "ir/reference_values.h"
#include "xlashape_backend.h"

namespace xlashape::reference {

inline int64_t position(const xlashape_map_ir& m, const int64_t* index) {
  int64_t value[1024], at = m.first_position;
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

// The lowest bit, within its byte, of a packed container at `position`.
inline int lowest_bit(int64_t position, int unit_bits, bool high_first) {
  const int below = static_cast<int>((position & 7) * unit_bits & 7);
  return high_first ? 8 - unit_bits - below : below;
}

inline Bits load(const void* base, int64_t position, int unit_bits, int container_bits, bool high_first = false) {
  const auto* bytes = static_cast<const unsigned char*>(base);
  const int bit = lowest_bit(position, unit_bits, high_first);
  bytes += ir::byte_of(position, unit_bits);
  if (container_bits < 8) return (ir::load_byte(bytes) >> bit) & ((1 << container_bits) - 1);
  Bits value = 0;
  const int count = container_bits / 8;
  for (int i = 0; i < count; ++i) value = value << 8 | bytes[kBigEndian ? i : count - 1 - i];
  return value;
}

inline void store(void* base, int64_t position, int unit_bits, int container_bits, Bits value,
                  bool high_first = false) {
  auto* bytes = static_cast<unsigned char*>(base);
  const int bit = lowest_bit(position, unit_bits, high_first);
  bytes += ir::byte_of(position, unit_bits);
  if (container_bits < 8) {
    const int mask = ((1 << container_bits) - 1) << bit;
    *bytes = static_cast<unsigned char>((*bytes & ~mask) | ((static_cast<int>(value) << bit) & mask));
    return;
  }
  const int count = container_bits / 8;
  for (int i = 0; i < count; ++i) bytes[kBigEndian ? count - 1 - i : i] = static_cast<unsigned char>(value >> (8 * i));
}

inline bool has_values(const xlashape_relayout_ir& ir, uint32_t flag) {
  return ir.values != nullptr && (ir.values->flags & flag) != 0;
}
inline bool src_high_first(const xlashape_relayout_ir& ir) { return has_values(ir, XLASHAPE_VALUES_SRC_HIGH_FIRST); }
inline bool dst_high_first(const xlashape_relayout_ir& ir) { return has_values(ir, XLASHAPE_VALUES_DST_HIGH_FIRST); }

// What the destination's container holds for the element at `index` of the source, whose container holds `value`.
inline Bits convert(const xlashape_relayout_ir& ir, Bits value, const int64_t* index) {
  if (has_values(ir, XLASHAPE_VALUES_CONVERT)) {
    const xlashape_value_ir& v = *ir.values;
    return convert_value(v, static_cast<uint64_t>(value), v.scale_count > 1 ? index[v.scale_dimension] : 0);
  }
  if (ir.src_container_bits == ir.dst_container_bits || ir.value_bits >= 128) return value;
  return value & ((static_cast<Bits>(1) << ir.value_bits) - 1);
}

inline Bits load_src(const xlashape_relayout_ir& ir, const void* src, int64_t position) {
  return load(src, position, ir.src->unit_bits, ir.src_container_bits, src_high_first(ir));
}
inline Bits load_dst(const xlashape_relayout_ir& ir, const void* dst, int64_t position) {
  return load(dst, position, ir.dst->unit_bits, ir.dst_container_bits, dst_high_first(ir));
}
inline void store_dst(const xlashape_relayout_ir& ir, void* dst, int64_t position, Bits value) {
  store(dst, position, ir.dst->unit_bits, ir.dst_container_bits, value, dst_high_first(ir));
}

// The bits of the destination's last byte that belong to no position.
inline int spare_bits(const xlashape_relayout_ir& ir) {
  const int used = static_cast<int>(ir.dst->positions % 8 * ir.dst_container_bits % 8);
  if (used == 0) return 0;
  return dst_high_first(ir) ? 0xFF >> used : 0xFF & ~((1 << used) - 1);
}

inline void relayout(const xlashape_relayout_ir& ir, const void* src, void* dst) {
  int64_t at[1024], index[1024];
  const auto move = [&](const int64_t* offset, const int64_t* from, const int64_t* to) {
    int64_t a[1024], b[1024];
    for (int i = 0; i < ir.src->rank; ++i) a[i] = from[i] + offset[i], b[i] = to[i] + offset[i];
    store_dst(ir, dst, position(*ir.dst, b), convert(ir, load_src(ir, src, position(*ir.src, a)), a));
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
      store_dst(ir, dst, p, fill);
    }
  }
  if (const int spare = spare_bits(ir); ir.fill_policy == XLASHAPE_FILL_PADDING && spare != 0)
    static_cast<unsigned char*>(dst)[ir::byte_of(ir.dst->positions, ir.dst_container_bits)] &=
        static_cast<unsigned char>(~spare);
}

}  // namespace xlashape::reference
