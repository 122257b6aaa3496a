// SPDX-License-Identifier: Apache-2.0
// Transposes planes tile by tile through shared memory. Included once per element width: XS_NAME, XS_E (bytes of an
// element), XS_T (its type), XS_ROWS (elements of a tile along a), XS_W and XS_WORD (the word that is read back: at
// least four bytes, and its type).
//
// A tile is 1024 chunks of 16 bytes: XS_ROWS rows along a, each with XS_CHUNKS chunks of contiguous source. A thread
// reads four chunks. To write, it reads the words of one column in the rows of a *patch*, as many as make 16 bytes of
// destination, and transposes their elements in registers. Chunk c of a row is at c ^ (patch mod 8), so the eight
// patches and four words that a warp reads at once are in different banks, and so are the chunks that it writes. With
// XS_COPY16 (nvidia.inl) chunks go from global to shared memory without registers.
#define XS_CHUNKS (1024 / XS_ROWS)
#define XS_COLUMNS (XS_CHUNKS * 16 / XS_E)
#define XS_PATCH (16 / XS_E)
#define XS_PATCHES (XS_ROWS / XS_PATCH)
#define XS_PER_CHUNK (16 / XS_W)
#define XS_WORDS (XS_CHUNKS * XS_PER_CHUNK)
// In one round all threads together read this many rows, and write this many words of each.
#define XS_STRIPE (XS_THREADS / XS_CHUNKS)
#define XS_SPAN (XS_THREADS / XS_PATCHES)
#define XS_TURN_SPOT(k) ((row + (k)*XS_STRIPE) * XS_CHUNKS + (swizzled ^ ((k)*XS_STRIPE / XS_PATCH & 7)))
#define XS_SPOT(row, chunk) ((row)*XS_CHUNKS + ((chunk) ^ (((row) / XS_PATCH) & 7)))

XS_KERNEL XS_NAME(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables, XS_PARAM XsTile args) {
  XS_SHARED xs_u128 tile[1024];
  const xs_u32 thread = XS_THREAD();
  // Finds which tile of which plane this block moves.
  xs_u32 rest = XS_BLOCK();
  const xs_u32 without_a = xs_divide32(rest, args.tiles_a.magic, args.tiles_a.shift);
  xs_i64 begin_a = (xs_i64)(rest - without_a * (xs_u32)args.tiles_a.extent) * XS_ROWS;
  rest = xs_divide32(without_a, args.tiles_b.magic, args.tiles_b.shift);
  xs_i64 begin_b = (xs_i64)(without_a - rest * (xs_u32)args.tiles_b.extent) * XS_COLUMNS;
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args.loop, args.loop_count, rest);
  src += args.src_offset + place.src + begin_a * args.src_step_a + begin_b * XS_E;
  dst += args.dst_offset + place.dst + begin_b * args.dst_step_b + begin_a * XS_E;

  // The part of the tile that exists: bounded by the extents and the guards of a or b. A guard of neither may exclude
  // all of it.
  xs_i64 low_a = 0, high_a = args.extent_a - begin_a, low_b = 0, high_b = args.extent_b - begin_b;
  for (xs_i32 g = 0; g < args.guard_count; ++g) {
    const xs_i64 along = xs_along(&place, g);
    if (g == args.guard_a) {
      // begin_a + i with low <= along + (begin_a + i) * step < high
      const xs_i64 at = along + begin_a * args.step_a;
      while (low_a < XS_ROWS && at + low_a * args.step_a < args.low[g]) ++low_a;
      if (high_a > XS_ROWS) high_a = XS_ROWS;
      while (high_a > 0 && at + (high_a - 1) * args.step_a >= args.high[g]) --high_a;
    } else if (g == args.guard_b) {
      const xs_i64 at = along + begin_b * args.step_b;
      while (low_b < XS_COLUMNS && at + low_b * args.step_b < args.low[g]) ++low_b;
      if (high_b > XS_COLUMNS) high_b = XS_COLUMNS;
      while (high_b > 0 && at + (high_b - 1) * args.step_b >= args.high[g]) --high_b;
    } else if (along < args.low[g] || along >= args.high[g]) {
      return;
    }
  }
  if (high_a > XS_ROWS) high_a = XS_ROWS;
  if (high_b > XS_COLUMNS) high_b = XS_COLUMNS;
  if (high_a <= low_a || high_b <= low_b) return;
  if (args.is_aligned && low_a == 0 && low_b == 0 && high_a == XS_ROWS && high_b == XS_COLUMNS) {
    // The whole tile: from one round to the next a constant is added, or flips bits that nothing else sets.
    const xs_u32 row = thread / XS_CHUNKS, swizzled = thread % XS_CHUNKS ^ (row / XS_PATCH & 7);
    const xs_i64 src_step = XS_STRIPE * args.src_step_a;
    XS_GLOBAL const xs_u8* from = src + row * args.src_step_a + thread % XS_CHUNKS * 16;
#ifdef XS_COPY16
    XS_UNROLL
    for (int k = 0; k < 4; ++k)
      XS_COPY16(&tile[XS_TURN_SPOT(k)], from + k * src_step);
    XS_COPIED();
#else
    xs_u128 chunk[4];
    XS_UNROLL
    for (int k = 0; k < 4; ++k) chunk[k] = *(XS_GLOBAL const xs_u128*)(from + k * src_step);
    XS_UNROLL
    for (int k = 0; k < 4; ++k) tile[XS_TURN_SPOT(k)] = chunk[k];
#endif
    XS_BARRIER();
    const xs_u32 patch = thread / 32 % (XS_PATCHES / 8) * 8 + thread % 8;
    const xs_u32 word = thread / 32 / (XS_PATCHES / 8) * 4 + thread / 8 % 4;
    const xs_u32 first = patch * XS_PATCH * XS_CHUNKS, at = word / XS_PER_CHUNK ^ (patch & 7);
    XS_GLOBAL xs_u8* to = dst + patch * 16 + (xs_i64)(word * (XS_W / XS_E)) * args.dst_step_b;
    const xs_i64 dst_step = XS_SPAN * (XS_W / XS_E) * args.dst_step_b;
    XS_UNROLL
    for (int k = 0; k < XS_WORDS / XS_SPAN; ++k) {
      const xs_u32 spot = first + (at ^ (k * XS_SPAN / XS_PER_CHUNK));
      XS_LOCAL const XS_WORD* read = (XS_LOCAL const XS_WORD*)tile + spot * XS_PER_CHUNK + word % XS_PER_CHUNK;
      XS_WORD w[XS_PATCH];
      XS_UNROLL
      for (int j = 0; j < XS_PATCH; ++j) w[j] = read[j * (XS_CHUNKS * XS_PER_CHUNK)];
      XS_TURN(to, args.dst_step_b, w);
      to += dst_step;
    }
    return;
  }
  // Not the whole tile, but whole chunks on both sides.
  if (args.is_aligned && low_a == 0 && low_b == 0 && high_a % XS_PATCH == 0 && high_b % XS_PATCH == 0) {
    const xs_u32 rows = (xs_u32)high_a, chunks = (xs_u32)high_b / XS_PATCH;
    xs_u128 chunk[4];
    XS_UNROLL
    for (int k = 0; k < 4; ++k) {
      const xs_u32 id = thread + k * XS_THREADS, row = id / XS_CHUNKS, c = id % XS_CHUNKS;
      // Chunks outside are read from their neighbours and never written, so that threads do not diverge.
      const xs_u32 from_row = row < rows ? row : rows - 1, from_c = c < chunks ? c : chunks - 1;
      chunk[k] = *(XS_GLOBAL const xs_u128*)(src + from_row * args.src_step_a + from_c * 16);
    }
    XS_UNROLL
    for (int k = 0; k < 4; ++k) {
      const xs_u32 id = thread + k * XS_THREADS, row = id / XS_CHUNKS, c = id % XS_CHUNKS;
      tile[XS_SPOT(row, c)] = chunk[k];
    }
    XS_BARRIER();
    XS_UNROLL
    for (int k = 0; k < XS_PATCHES * XS_WORDS / XS_THREADS; ++k) {
      const xs_u32 id = thread + k * XS_THREADS, warp = id / 32;
      const xs_u32 patch = warp % (XS_PATCHES / 8) * 8 + id % 8, word = warp / (XS_PATCHES / 8) * 4 + id / 8 % 4;
      if (patch * XS_PATCH >= rows || word / XS_PER_CHUNK >= chunks) continue;
      XS_WORD w[XS_PATCH];
      XS_UNROLL
      for (int j = 0; j < XS_PATCH; ++j)
        w[j] = ((XS_LOCAL const XS_WORD*)tile)[XS_SPOT(patch * XS_PATCH + j, word / XS_PER_CHUNK) * XS_PER_CHUNK +
                                               word % XS_PER_CHUNK];
      XS_GLOBAL xs_u8* to = dst + patch * 16 + (xs_i64)(word * (XS_W / XS_E)) * args.dst_step_b;
      XS_TURN(to, args.dst_step_b, w);
    }
  } else {
    XS_LOCAL XS_T* element = (XS_LOCAL XS_T*)tile;
    for (xs_u32 id = thread; id < XS_ROWS * XS_COLUMNS; id += XS_THREADS) {
      const xs_u32 row = id / XS_COLUMNS, column = id % XS_COLUMNS;
      if (row >= low_a && row < high_a && column >= low_b && column < high_b)
        element[XS_SPOT(row, column / XS_PATCH) * XS_PATCH + column % XS_PATCH] =
            *(XS_GLOBAL const XS_T*)(src + row * args.src_step_a + column * XS_E);
    }
    XS_BARRIER();
    for (xs_u32 id = thread; id < XS_ROWS * XS_COLUMNS; id += XS_THREADS) {
      const xs_u32 row = id % XS_ROWS, column = id / XS_ROWS;
      if (row >= low_a && row < high_a && column >= low_b && column < high_b)
        *(XS_GLOBAL XS_T*)(dst + column * args.dst_step_b + row * XS_E) =
            element[XS_SPOT(row, column / XS_PATCH) * XS_PATCH + column % XS_PATCH];
    }
  }
}

#undef XS_CHUNKS
#undef XS_COLUMNS
#undef XS_PATCH
#undef XS_PATCHES
#undef XS_PER_CHUNK
#undef XS_WORDS
#undef XS_STRIPE
#undef XS_SPAN
#undef XS_TURN_SPOT
#undef XS_SPOT
#undef XS_NAME
#undef XS_E
#undef XS_T
#undef XS_ROWS
#undef XS_W
#undef XS_WORD
#undef XS_TURN
