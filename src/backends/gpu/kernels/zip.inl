// SPDX-License-Identifier: Apache-2.0
// Interleaves rows, two or four of them, or separates them: a chunk of 16 bytes on the one side is as long a piece of
// each row on the other. Neighbouring threads have neighbouring pieces, so both sides are accessed in whole sectors
// without shared memory. Included once per number of rows (XS_ROWS; XS_T and XS_MEMBER: a piece) and direction
// (XS_NAME, XS_SEPARATES). Each thread moves four chunks, as in gather.inl.

XS_ROOMY_KERNEL XS_NAME(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                        XS_PARAM XsZip args) {
  XsChunk chunk[4];
  xs_i64 to[4];
  xs_u32 whole = 0, ragged = 0;  // a bit for each chunk
  const xs_i64 first = (xs_i64)XS_BLOCK() * (4 * XS_THREADS) + XS_THREAD();
  src += args.src_offset;
  dst += args.dst_offset;
  XS_UNROLL
  for (int k = 0; k < 4; ++k) {
    const xs_i64 n = first + k * XS_THREADS;
    to[k] = 0;
    if (n < args.total) {
      XsPlace place;
      xs_start(&place);
      xs_locate32(&place, args.loop, args.loop_count, (xs_u32)n);
      to[k] = place.dst;
      if (xs_inside(&place, args.low, args.last, args.guard_count)) {
        whole |= 1u << k;
#if XS_SEPARATES
        chunk[k].whole = *(XS_GLOBAL const xs_u128*)(src + place.src);
#else
        XS_UNROLL
        for (int row = 0; row < XS_ROWS; ++row)
          chunk[k].XS_MEMBER[row] = *(XS_GLOBAL const XS_T*)(src + place.src + row * args.row.src_stride);
#endif
      } else if (args.fills && !xs_inside(&place, args.low, args.high, args.guard_count)) {
        // Its first element is beyond the end of a guard, and so are the others. Guards that begin later are of boxes,
        // which fill nothing.
        whole |= 1u << k;
        chunk[k].e8[0] = args.fill[0];
        chunk[k].e8[1] = args.fill[1];
      } else {
        ragged |= 1u << k;
      }
    }
  }
  XS_UNROLL
  for (int k = 0; k < 4; ++k)
    if ((whole >> k) & 1) {
#if XS_SEPARATES
      xs_separate(&chunk[k], XS_ROWS, args.element);
      XS_UNROLL
      for (int row = 0; row < XS_ROWS; ++row)
        *(XS_GLOBAL XS_T*)(dst + to[k] + row * args.row.dst_stride) = chunk[k].XS_MEMBER[row];
#else
      xs_interleave(&chunk[k], XS_ROWS, args.element);
      *(XS_GLOBAL xs_u128*)(dst + to[k]) = chunk[k].whole;
#endif
    }
  for (xs_i64 n = first; ragged != 0; n += XS_THREADS, ragged >>= 1)
    if (ragged & 1) xs_zip_ragged(src, dst, &args, (xs_u32)n);
}

#undef XS_NAME
#undef XS_SEPARATES
