// SPDX-License-Identifier: Apache-2.0
// Runs index maps forwards and backwards from tables in device memory (common/tables.h lays them out), like
// src/ir/map.h on a host; and the kernels that use this: relayouts without a nest, packed destinations, batches of
// indices. Included for maps of up to XS_VALUES values.

#define XS_AT(field) ((xs_i32)map[field])

// Returns the position of the element whose indices are the first values.
XS_DEVICE xs_i64 XS_FN(xs_position)(XS_GLOBAL const xs_i64* map, xs_i64* value) {
  const xs_i32 rank = XS_AT(XS_MAP_RANK), sums = XS_AT(XS_MAP_SUMS), outputs = XS_AT(XS_MAP_OUTPUTS);
  XS_GLOBAL const xs_i64* sum = map + XS_AT(XS_MAP_SUM_TABLE);
  XS_GLOBAL const xs_i64* term = map + XS_AT(XS_MAP_TERM_TABLE);
  XS_GLOBAL const xs_i64* derived = map + XS_AT(XS_MAP_VALUE_TABLE);
  XS_GLOBAL const xs_i64* output = map + XS_AT(XS_MAP_OUTPUT_TABLE);
  for (xs_i32 s = 0; s < sums; ++s) {
    xs_i64 x = 0;
    for (xs_i64 t = sum[3 * s]; t < sum[3 * s + 3]; ++t) x += term[4 * t + 1] * value[term[4 * t]];
    for (xs_i64 v = sum[3 * s + 1]; v < sum[3 * s + 4]; ++v) {
      const xs_i64 q = xs_divide64(x, (xs_u64)derived[3 * v + 1], (xs_i32)derived[3 * v + 2]);
      value[rank + v] = q;
      x -= q * derived[3 * v];
    }
  }
  xs_i64 at = map[XS_MAP_FIRST_POSITION];
  for (xs_i32 o = 0; o < outputs; ++o) at += output[4 * o + 1] * value[output[4 * o]];
  return at;
}

// Stores the indices of position `at` as the first values. Returns 0 if the position is padding.
XS_DEVICE xs_i32 XS_FN(xs_index_at)(XS_GLOBAL const xs_i64* map, xs_i64 at, xs_i64* value) {
  if (at < 0 || at >= map[XS_MAP_DATA_POSITIONS]) return 0;
  const xs_i32 rank = XS_AT(XS_MAP_RANK), sums = XS_AT(XS_MAP_SUMS), outputs = XS_AT(XS_MAP_OUTPUTS);
  const xs_i32 values = rank + XS_AT(XS_MAP_VALUES);
  XS_GLOBAL const xs_i64* dimension = map + XS_AT(XS_MAP_DIMENSION_TABLE);
  XS_GLOBAL const xs_i64* sum = map + XS_AT(XS_MAP_SUM_TABLE);
  XS_GLOBAL const xs_i64* term = map + XS_AT(XS_MAP_TERM_TABLE);
  XS_GLOBAL const xs_i64* derived = map + XS_AT(XS_MAP_VALUE_TABLE);
  XS_GLOBAL const xs_i64* output = map + XS_AT(XS_MAP_OUTPUT_TABLE);
  for (xs_i32 i = 0; i < values; ++i) value[i] = 0;
  for (xs_i32 o = 0; o < outputs; ++o) {
    const xs_i64 q = xs_divide64(at, (xs_u64)output[4 * o + 2], (xs_i32)output[4 * o + 3]);
    value[output[4 * o]] = q;
    at -= q * output[4 * o + 1];
  }
  for (xs_i32 s = sums - 1; s >= 0; --s) {
    xs_i64 x = 0;
    for (xs_i64 v = sum[3 * s + 1]; v < sum[3 * s + 4]; ++v) x += derived[3 * v] * value[rank + v];
    if (x >= sum[3 * s + 2]) return 0;
    for (xs_i64 t = sum[3 * s]; t < sum[3 * s + 3]; ++t) {
      const xs_i64 q = xs_divide64(x, (xs_u64)term[4 * t + 2], (xs_i32)term[4 * t + 3]);
      value[term[4 * t]] = q;
      x -= q * term[4 * t + 1];
    }
  }
  for (xs_i32 i = 0; i < rank; ++i)
    if (value[i] >= dimension[i]) return 0;
  return 1;
}

// Finds the source element of destination position `at`. Returns 1, 0 for padding, or -1 outside of the box.
XS_DEVICE xs_i32 XS_FN(xs_fetch)(XS_GLOBAL const xs_u8* src, XS_GLOBAL const xs_i64* tables, const XsProgram* args,
                                 xs_i64 at, XsWide* element) {
  xs_i64 value[XS_VALUES];
  XS_GLOBAL const xs_i64* map = tables + args->dst_map;
  const xs_i32 rank = XS_AT(XS_MAP_RANK);
  XS_GLOBAL const xs_i64* box = tables + args->box;
  if (!XS_FN(xs_index_at)(map, at, value)) return args->has_box ? -1 : 0;
  for (xs_i32 i = 0; i < rank; ++i) {
    const xs_i64 within = value[i] - box[rank + i];
    if (args->has_box && (within < 0 || within >= box[2 * rank + i])) return -1;
    value[i] = box[i] + within;
  }
  map = tables + args->src_map;
  const xs_i64 from = XS_FN(xs_position)(map, value);
  *element = xs_value(xs_load(src, from, XS_AT(XS_MAP_UNIT_BITS), args->src_bits), args->src_bits, args->dst_bits,
                      args->value_bits);
  return 1;
}

// One thread for each destination position; for packed ones, for each byte.
XS_ROOMY_KERNEL XS_FN(xs_program_positions)(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                                      XS_PARAM XsProgram args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.count) return;
  const xs_i64 at = args.first + n;
  XsWide element;
  src += args.src_offset;
  dst += args.dst_offset;
  if (args.dst_bits >= 8) {
    XS_GLOBAL xs_u8* to = dst + at * (args.dst_bits >> 3);
    const xs_i32 found = XS_FN(xs_fetch)(src, tables, &args, at, &element);
    if (found == 1)
      xs_store(to, args.dst_bits, element);
    else if (found == 0 && args.fills)
      xs_store(to, args.dst_bits, xs_wide(args.fill[0], args.fill[1]));
    return;
  }
  const xs_i32 per_byte = 8 / args.dst_bits;
  const xs_u32 mask = (1u << args.dst_bits) - 1;
  xs_u32 byte = dst[at], own = 0;
  for (xs_i32 i = 0; i < per_byte; ++i) {
    const xs_i64 position = at * per_byte + i;
    const xs_i32 shift = i * args.dst_bits;
    xs_u32 bits;
    if (position >= args.positions) {  // spare bits after the last position
      if (!args.fills) continue;
      bits = 0;
    } else {
      const xs_i32 found = XS_FN(xs_fetch)(src, tables, &args, position, &element);
      if (found < 0 || (found == 0 && !args.fills)) continue;
      bits = (xs_u32)(found ? element.low : args.fill[0]) & mask;
    }
    byte = (byte & ~(mask << shift)) | (bits << shift);
    own |= mask << shift;
  }
  if (own != 0) dst[at] = (xs_u8)byte;  // another box's kernel may write the bytes in between
}

// One thread for each element of the box: for destinations whose positions cannot be mapped back to indices.
XS_ROOMY_KERNEL XS_FN(xs_program_elements)(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                                     XS_PARAM XsProgram args) {
  xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.count) return;
  xs_i64 value[XS_VALUES];
  XS_GLOBAL const xs_i64* map = tables + args.src_map;
  const xs_i32 rank = XS_AT(XS_MAP_RANK);
  XS_GLOBAL const xs_i64* box = tables + args.box;
  xs_i64 rest = n;
  for (xs_i32 i = rank - 1; i >= 0; --i) {
    const xs_i64 q = xs_divide64(rest, (xs_u64)box[3 * rank + i], (xs_i32)box[4 * rank + i]);
    value[i] = box[i] + (rest - q * box[2 * rank + i]);
    rest = q;
  }
  const XsWide element =
      xs_value(xs_load(src + args.src_offset, XS_FN(xs_position)(map, value), XS_AT(XS_MAP_UNIT_BITS), args.src_bits),
               args.src_bits, args.dst_bits, args.value_bits);
  map = tables + args.dst_map;
  rest = n;
  for (xs_i32 i = rank - 1; i >= 0; --i) {
    const xs_i64 q = xs_divide64(rest, (xs_u64)box[3 * rank + i], (xs_i32)box[4 * rank + i]);
    value[i] = box[rank + i] + (rest - q * box[2 * rank + i]);
    rest = q;
  }
  xs_store(dst + args.dst_offset + XS_FN(xs_position)(map, value) * (XS_AT(XS_MAP_UNIT_BITS) >> 3), args.dst_bits,
           element);
}

// Batches through any map, with sums or without.
XS_ROOMY_KERNEL XS_FN(xs_to_linear)(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                              XS_PARAM XsIndex args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.count) return;
  xs_i64 value[XS_VALUES];
  XS_GLOBAL const xs_i64* map = tables + args.map;
  XS_GLOBAL const xs_i64* dimension = map + XS_AT(XS_MAP_DIMENSION_TABLE);
  XS_GLOBAL const xs_i64* index = (XS_GLOBAL const xs_i64*)(src + args.src_offset) + n * args.index_step;
  const xs_i32 rank = XS_AT(XS_MAP_RANK);
  xs_i32 good = 1;
  for (xs_i32 d = 0; d < rank; ++d) {
    value[d] = index[d * args.dimension_step];
    good &= (xs_u64)value[d] < (xs_u64)dimension[d];
  }
  if (!good && args.counts) xs_report_bad(tables, n);
  if (good || args.mark_invalid)
    *((XS_GLOBAL xs_i64*)(dst + args.dst_offset) + n) = good ? XS_FN(xs_position)(map, value) : -1;
}

XS_ROOMY_KERNEL XS_FN(xs_to_multi)(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                             XS_PARAM XsIndex args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.count) return;
  xs_i64 value[XS_VALUES];
  XS_GLOBAL const xs_i64* map = tables + args.map;
  XS_GLOBAL xs_i64* index = (XS_GLOBAL xs_i64*)(dst + args.dst_offset) + n * args.index_step;
  const xs_i32 rank = XS_AT(XS_MAP_RANK);
  const xs_i32 good = XS_FN(xs_index_at)(map, *((XS_GLOBAL const xs_i64*)(src + args.src_offset) + n), value);
  if (!good && args.counts) xs_report_bad(tables, n);
  if (good || args.mark_invalid)
    for (xs_i32 d = 0; d < rank; ++d) index[d * args.dimension_step] = good ? value[d] : -1;
}

#undef XS_AT
#undef XS_FN
#undef XS_VALUES
