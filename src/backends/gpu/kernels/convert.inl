// SPDX-License-Identifier: Apache-2.0
// Single containers of any width at any address, byte by byte, for what has no faster way; and the kernels that need
// only this.

typedef struct XsWide {
  xs_u64 low;
  xs_u64 high;
} XsWide;

// The container at unit `at` of `unit_bits` each.
XS_DEVICE XsWide xs_load(XS_GLOBAL const xs_u8* base, xs_i64 at, xs_i32 unit_bits, xs_i32 bits) {
  XsWide value;
  value.low = value.high = 0;
  if (bits < 8) {
    const xs_i64 bit = at * unit_bits;
    value.low = ((xs_u32)base[bit >> 3] >> (bit & 7)) & ((1u << bits) - 1);
    return value;
  }
  base += at * (unit_bits >> 3);
  for (xs_i32 i = 0; i < bits; i += 8) {
    if (i < 64)
      value.low |= (xs_u64)base[i >> 3] << i;
    else
      value.high |= (xs_u64)base[i >> 3] << (i - 64);
  }
  return value;
}

XS_DEVICE void xs_store(XS_GLOBAL xs_u8* to, xs_i32 bits, XsWide value) {
  for (xs_i32 i = 0; i < bits; i += 8) to[i >> 3] = (xs_u8)(i < 64 ? value.low >> i : value.high >> (i - 64));
}

// Keeps the value bits where the source's container differs from the destination's.
XS_DEVICE XsWide xs_value(XsWide value, xs_i32 src_bits, xs_i32 dst_bits, xs_i32 value_bits) {
  if (src_bits == dst_bits || value_bits >= 128) return value;
  if (value_bits <= 64) value.high = 0;
  if (value_bits < 64) value.low &= ((xs_u64)1 << value_bits) - 1;
  return value;
}

XS_DEVICE XsWide xs_wide(xs_u64 low, xs_u64 high) {
  XsWide value;
  value.low = low;
  value.high = high;
  return value;
}

// A loop nest between different containers, from a packed source, or at unaligned addresses.
XS_KERNEL xs_convert(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables, XS_PARAM XsNest args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.total) return;
  XsPlace place;
  xs_start(&place);
  xs_locate64(&place, args.loop, args.loop_count, n);
  XS_GLOBAL xs_u8* to = dst + args.dst_offset + place.dst;
  if (xs_inside(&place, args.low, args.high, args.guard_count)) {
    const XsWide value =
        xs_load(src + args.src_offset, args.src_unit_offset + place.src, args.src_unit_bits, args.src_bits);
    xs_store(to, args.dst_bits, xs_value(value, args.src_bits, args.dst_bits, args.value_bits));
  } else if (args.fills) {
    xs_store(to, args.dst_bits, xs_wide(args.fill[0], args.fill[1]));
  }
}

// Fills a run of positions: the tail, or all of an array without elements.
XS_KERNEL xs_fill_run(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables, XS_PARAM XsRun args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n < args.count)
    xs_store(dst + args.dst_offset + n * args.bytes, args.bytes * 8, xs_wide(args.fill[0], args.fill[1]));
}
