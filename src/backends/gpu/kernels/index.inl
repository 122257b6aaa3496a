// SPDX-License-Identifier: Apache-2.0
// Batches of index conversions. The kernels below are for maps without sums, whose few numbers fit the arguments.

// Reports that entry `n` is bad. OpenCL 1.2 has no 64-bit atomics, so a launch has less than 2^31 entries.
XS_DEVICE void xs_report_bad(XS_GLOBAL xs_i64* tables, xs_i64 n) {
  XS_GLOBAL xs_u32* word = (XS_GLOBAL xs_u32*)tables;
  XS_ATOMIC_MIN(word, (xs_u32)n);
  XS_ATOMIC_ADD(word + 1, 1u);
}

XS_KERNEL xs_to_linear_plain(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                             XS_PARAM XsIndex args) {
  const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();
  if (n >= args.count) return;
  XS_GLOBAL const xs_i64* index = (XS_GLOBAL const xs_i64*)(src + args.src_offset) + n * args.index_step;
  xs_u64 at = 0;
  xs_i32 good = 1;
  for (xs_i32 d = 0; d < args.rank; ++d) {
    const xs_i64 x = index[args.axis[d] * args.dimension_step];
    good &= (xs_u64)x < (xs_u64)args.dimension[d];
    at += (xs_u64)x * (xs_u64)args.stride[d];
  }
  if (!good && args.counts) xs_report_bad(tables, n);
  if (good || args.mark_invalid) *((XS_GLOBAL xs_i64*)(dst + args.dst_offset) + n) = good ? (xs_i64)at : -1;
}

// XS_TO_MULTI(name, a type that holds all positions, division)
#define XS_TO_MULTI(XS_NAME, XS_WORD, XS_DIVIDE)                                                \
  XS_KERNEL XS_NAME(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables, \
                    XS_PARAM XsIndex args) {                                                    \
    const xs_i64 n = (xs_i64)XS_BLOCK() * XS_THREADS + XS_THREAD();                             \
    if (n >= args.count) return;                                                                \
    const xs_i64 at = *((XS_GLOBAL const xs_i64*)(src + args.src_offset) + n);                  \
    XS_GLOBAL xs_i64* index = (XS_GLOBAL xs_i64*)(dst + args.dst_offset) + n * args.index_step; \
    xs_i32 good = (xs_u64)at < (xs_u64)args.positions;                                          \
    XS_WORD rest = good ? (XS_WORD)at : 0;                                                      \
    for (xs_i32 d = 0; d < args.rank; ++d) {                                                    \
      const XS_WORD q = (XS_WORD)XS_DIVIDE(rest, args.magic[d], args.shift[d]);                 \
      rest -= q * (XS_WORD)args.stride[d];                                                      \
      good &= (xs_i64)q < args.dimension[d];                                                    \
      if (good || args.mark_invalid) index[args.axis[d] * args.dimension_step] = (xs_i64)q;     \
    }                                                                                           \
    if (good) return;                                                                           \
    if (args.counts) xs_report_bad(tables, n);                                                  \
    if (args.mark_invalid)                                                                      \
      for (xs_i32 d = 0; d < args.rank; ++d) index[args.axis[d] * args.dimension_step] = -1;    \
  }

XS_TO_MULTI(xs_to_multi_plain_32, xs_u32, xs_divide32)
XS_TO_MULTI(xs_to_multi_plain_64, xs_i64, xs_divide64)
#undef XS_TO_MULTI
