// SPDX-License-Identifier: Apache-2.0
// Several small dimensions at a time. A slice is a piece of the nest with runs of many bytes on both sides; a run is
// made of several loops, and a loop may be in runs of both sides. A slice is written to shared memory in the source's
// order and read in the destination's. Tables that the block makes first say where rows begin and where an element is
// in shared memory; a slice at a ragged edge does not use them. Included once per element width (XS_NAME, XS_E, XS_T,
// XS_MEMBER, XS_FILL; XS_WORD and XS_WORDS: at least four bytes; XS_SPOTS and XS_SPOT_MEMBER: as many spots as a chunk
// has elements).
#define XS_PATCH (16 / XS_E)

XS_BUSY_KERNEL XS_NAME(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                       XS_PARAM XsPack args) {
  XS_SHARED xs_u128 chunk[XS_PACK_CHUNKS];
  XS_SHARED xs_i64 src_row[XS_PACK_ROWS];
  XS_SHARED xs_i64 dst_row[XS_PACK_ROWS];
  XS_SHARED xs_u16 row_spot[XS_PACK_ROWS];  // both of the destination
  XS_SHARED xs_u128 run_spots[XS_PACK_RUN / 8];
  XS_LOCAL xs_u8* bytes = (XS_LOCAL xs_u8*)chunk;
  XS_LOCAL xs_u16* run_spot = (XS_LOCAL xs_u16*)run_spots;
  const xs_u32 thread = XS_THREAD(), src_run = (xs_u32)args.src_run, dst_run = (xs_u32)args.dst_run;
  const xs_u32 elements = src_run * (xs_u32)args.src_rows;
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args.loop, args.loop_count, XS_BLOCK());
  src += args.src_offset + place.src;
  dst += args.dst_offset + place.dst;
  xs_i32 whole = 1, none = 0;
  for (xs_i32 g = 0; g < args.guard_count; ++g) {
    const xs_i64 first = xs_along(&place, g), last = first + args.most[g];
    whole &= first >= args.low[g] && last < args.high[g];
    none |= first >= args.high[g] || last < args.low[g];
  }
  if (none && !args.fills) return;
  place.src = 0;

  if (!whole) {
    for (xs_u32 i = thread; i < elements; i += XS_THREADS) {
      const xs_u32 row = xs_divide32(i, args.src_magic, args.src_shift), at = i - row * src_run;
      XsPlace here = place;
      xs_locate_factors(&here, &args, XS_SRC_ROWS, row);
      xs_locate_factors(&here, &args, XS_SRC_RUN, at);
      if (xs_what_is(&here, &args) == 0)
        *(XS_LOCAL XS_T*)(bytes + row * (xs_u32)args.pitch + at * XS_E) =
            *(XS_GLOBAL const XS_T*)(src + here.src + at * XS_E);
    }
    XS_BARRIER();
    for (xs_u32 i = thread; i < elements; i += XS_THREADS) {
      const xs_u32 row = xs_divide32(i, args.dst_magic, args.dst_shift), at = i - row * dst_run;
      XsPlace here = place;
      xs_u32 spot = xs_locate_factors(&here, &args, XS_DST_ROWS, row);
      spot += xs_locate_factors(&here, &args, XS_DST_RUN, at);
      const xs_i32 what = xs_what_is(&here, &args);
      if (what == 0)
        *(XS_GLOBAL XS_T*)(dst + here.src + at * XS_E) = *(XS_LOCAL const XS_T*)(bytes + spot);
      else if (what == 1 && args.fills)
        *(XS_GLOBAL XS_T*)(dst + here.src + at * XS_E) = XS_FILL(args.fill[0], args.fill[1]);
    }
    return;
  }

  const xs_u32 entries = (xs_u32)(args.src_rows + args.dst_rows + args.dst_run);
  for (xs_u32 id = thread; id < entries; id += XS_THREADS) {
    xs_u32 n = id;
    xs_i32 list = XS_SRC_ROWS;
    if (n >= (xs_u32)args.src_rows) n -= (xs_u32)args.src_rows, list = XS_DST_ROWS;
    if (list == XS_DST_ROWS && n >= (xs_u32)args.dst_rows) n -= (xs_u32)args.dst_rows, list = XS_DST_RUN;
    XsPlace here = place;
    const xs_u32 spot = xs_locate_factors(&here, &args, list, n);
    if (list == XS_SRC_ROWS) {
      src_row[n] = here.src;
    } else if (list == XS_DST_ROWS) {
      dst_row[n] = here.src;
      row_spot[n] = (xs_u16)spot;
    } else {
      run_spot[n] = (xs_u16)spot;
    }
  }
  XS_BARRIER();

  if (args.src_aligned) {
    XsChunk value[3];
    xs_u32 spot[3];
    XS_UNROLL
    for (int k = 0; k < 3; ++k) {
      const xs_u32 i = (thread + k * XS_THREADS) * XS_PATCH;
      if (i < elements) {
        const xs_u32 row = xs_divide32(i, args.src_magic, args.src_shift), at = (i - row * src_run) * XS_E;
        value[k].whole = *(XS_GLOBAL const xs_u128*)(src + src_row[row] + at);
        spot[k] = row * (xs_u32)args.pitch + at;
      }
    }
    XS_UNROLL
    for (int k = 0; k < 3; ++k)
      if ((thread + k * XS_THREADS) * XS_PATCH < elements) {
        XS_UNROLL
        for (int j = 0; j < (int)(16 / sizeof(XS_WORD)); ++j)
          ((XS_LOCAL XS_WORD*)(bytes + spot[k]))[j] = value[k].XS_WORDS[j];
      }
  } else {
    for (xs_u32 begin = thread; begin < elements; begin += 4 * XS_THREADS) {
      XS_T value[4];
      xs_u32 spot[4];
      XS_UNROLL
      for (int k = 0; k < 4; ++k) {
        const xs_u32 i = begin + k * XS_THREADS;
        if (i < elements) {
          const xs_u32 row = xs_divide32(i, args.src_magic, args.src_shift), at = (i - row * src_run) * XS_E;
          value[k] = *(XS_GLOBAL const XS_T*)(src + src_row[row] + at);
          spot[k] = row * (xs_u32)args.pitch + at;
        }
      }
      XS_UNROLL
      for (int k = 0; k < 4; ++k)
        if (begin + k * XS_THREADS < elements) *(XS_LOCAL XS_T*)(bytes + spot[k]) = value[k];
    }
  }
  XS_BARRIER();
  if (args.dst_aligned) {
    for (xs_u32 i = thread * XS_PATCH; i < elements; i += XS_THREADS * XS_PATCH) {
      const xs_u32 row = xs_divide32(i, args.dst_magic, args.dst_shift), at = i - row * dst_run;
      XS_LOCAL const xs_u8* from = bytes + row_spot[row];
      XsChunk spots[(XS_PATCH + 7) / 8], out;
      XS_UNROLL
      for (int h = 0; h < (XS_PATCH + 7) / 8; ++h)
        spots[h].XS_SPOT_MEMBER[0] = ((XS_LOCAL const XS_SPOTS*)(run_spot + at))[h];
      XS_UNROLL
      for (int j = 0; j < XS_PATCH; ++j) out.XS_MEMBER[j] = *(XS_LOCAL const XS_T*)(from + spots[j / 8].e2[j % 8]);
      *(XS_GLOBAL xs_u128*)(dst + dst_row[row] + at * XS_E) = out.whole;
    }
  } else {
    for (xs_u32 i = thread; i < elements; i += XS_THREADS) {
      const xs_u32 row = xs_divide32(i, args.dst_magic, args.dst_shift), at = i - row * dst_run;
      *(XS_GLOBAL XS_T*)(dst + dst_row[row] + at * XS_E) =
          *(XS_LOCAL const XS_T*)(bytes + row_spot[row] + run_spot[at]);
    }
  }
}

#undef XS_PATCH
#undef XS_NAME
#undef XS_E
#undef XS_T
#undef XS_MEMBER
#undef XS_WORD
#undef XS_WORDS
#undef XS_SPOTS
#undef XS_SPOT_MEMBER
#undef XS_FILL
