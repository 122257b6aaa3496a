// SPDX-License-Identifier: Apache-2.0
// Moves the elements of any loop nest, XS_T each. Included once per width and per width of the index (XS_NAME, XS_T,
// XS_LOCATE, XS_INDEX, XS_FILL, XS_LOAD, XS_STORE). Each thread moves four elements, so that four loads are in flight.

XS_KERNEL XS_NAME(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables, XS_PARAM XsNest args) {
  XS_T value[4];
  xs_i64 to[4];
  xs_i32 state[4];  // not 0: `value` is stored at `to`
  const xs_i64 first = (xs_i64)XS_BLOCK() * (4 * XS_THREADS) + XS_THREAD();
  src += args.src_offset;
  dst += args.dst_offset;
  XS_UNROLL
  for (int k = 0; k < 4; ++k) {
    const xs_i64 n = first + k * XS_THREADS;
    state[k] = 0;
    to[k] = 0;
    if (n < args.total) {
      XsPlace place;
      xs_start(&place);
      XS_LOCATE(&place, args.loop, args.loop_count, (XS_INDEX)n);
      to[k] = place.dst;
      if (!xs_inside(&place, args.low, args.high, args.guard_count)) {
        value[k] = XS_FILL(args.fill[0], args.fill[1]);
        state[k] = args.fills;
      } else if (args.fills < 2) {
        value[k] = XS_LOAD(src + place.src);
        state[k] = 1;
      }
    }
  }
  XS_UNROLL
  for (int k = 0; k < 4; ++k)
    if (state[k]) XS_STORE(dst + to[k], value[k]);
}

#undef XS_NAME
#undef XS_LOCATE
#undef XS_INDEX
