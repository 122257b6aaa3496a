// SPDX-License-Identifier: Apache-2.0
// Transposes planes of 4-bit elements, two of which share a byte on either side. A tile has 256 rows along a, each with
// 128 elements along b, which are 64 bytes of contiguous source. To write, a thread transposes 32 rows of one 32-bit
// word, 8 x 8 elements at a time, into 16 bytes for each of its 8 columns. Extents along a are even, and no byte
// belongs to two threads.

// Swaps the upper `bits` bits of every 2 * bits in x with the lower ones in y.
#define XS_EXCHANGE(x, y, bits, mask)                      \
  {                                                        \
    const xs_u32 swapped = (((x) >> (bits)) ^ (y)) & mask; \
    y ^= swapped;                                          \
    x ^= swapped << (bits);                                \
  }

#define XS_HALF_SPOT(row, chunk) ((row)*4 + ((chunk) ^ (((row) / 32) & 3)))

XS_ROOMY_KERNEL xs_tile_half(XS_GLOBAL const xs_u8* src, XS_GLOBAL xs_u8* dst, XS_GLOBAL xs_i64* tables,
                             XS_PARAM XsTile args) {
  XS_SHARED xs_u128 tile[1024];
  const xs_u32 thread = XS_THREAD();
  xs_u32 rest = XS_BLOCK();
  const xs_u32 without_a = xs_divide32(rest, args.tiles_a.magic, args.tiles_a.shift);
  const xs_i64 begin_a = (xs_i64)(rest - without_a * (xs_u32)args.tiles_a.extent) * 256;
  rest = xs_divide32(without_a, args.tiles_b.magic, args.tiles_b.shift);
  const xs_i64 begin_b = (xs_i64)(without_a - rest * (xs_u32)args.tiles_b.extent) * 128;
  XsPlace place;
  xs_start(&place);
  xs_locate32(&place, args.loop, args.loop_count, rest);
  src += args.src_offset + place.src + begin_a * args.src_step_a + begin_b / 2;
  dst += args.dst_offset + place.dst + begin_b * args.dst_step_b + begin_a / 2;
  const xs_i64 rows = args.extent_a - begin_a, columns = args.extent_b - begin_b;
  if (args.is_aligned && rows >= 256 && columns >= 128) {
    XS_UNROLL
    for (int k = 0; k < 4; ++k) {
      const xs_u32 id = thread + k * XS_THREADS, row = id / 4, c = id % 4;
      tile[XS_HALF_SPOT(row, c)] = *(XS_GLOBAL const xs_u128*)(src + row * args.src_step_a + c * 16);
    }
    XS_BARRIER();
    if (thread < 128) {
      const xs_u32 patch = thread % 8, word = thread / 8;
      xs_u32 out[8][4];
      XS_UNROLL
      for (int g = 0; g < 4; ++g) {
        xs_u32 w[8];
        XS_UNROLL
        for (int j = 0; j < 8; ++j)
          w[j] = ((XS_LOCAL const xs_u32*)tile)[XS_HALF_SPOT(patch * 32 + g * 8 + j, word / 4) * 4 + word % 4];
        XS_UNROLL
        for (int j = 0; j < 4; ++j) XS_EXCHANGE(w[j], w[j + 4], 16, 0x0000FFFFu)
        XS_UNROLL
        for (int j = 0; j < 8; j += 4) {
          XS_EXCHANGE(w[j], w[j + 2], 8, 0x00FF00FFu)
          XS_EXCHANGE(w[j + 1], w[j + 3], 8, 0x00FF00FFu)
        }
        XS_UNROLL
        for (int j = 0; j < 8; j += 2) XS_EXCHANGE(w[j], w[j + 1], 4, 0x0F0F0F0Fu)
        XS_UNROLL
        for (int j = 0; j < 8; ++j) out[j][g] = w[j];
      }
      dst += patch * 16 + (xs_i64)(word * 8) * args.dst_step_b;
      XS_UNROLL
      for (int j = 0; j < 8; ++j)
        *(XS_GLOBAL xs_u128*)(dst + j * args.dst_step_b) = xs_quad(out[j][0], out[j][1], out[j][2], out[j][3]);
    }
    return;
  }
  for (xs_u32 id = thread; id < 128 * 128; id += XS_THREADS) {
    const xs_u32 pair = id % 128, column = id / 128, shift = column % 2 * 4;
    if (2 * pair >= rows || column >= columns) continue;
    XS_GLOBAL const xs_u8* from = src + 2 * pair * args.src_step_a + column / 2;
    const xs_u32 first = (from[0] >> shift) & 15, second = (from[args.src_step_a] >> shift) & 15;
    dst[column * args.dst_step_b + pair] = (xs_u8)(first | (second << 4));
  }
}

#undef XS_EXCHANGE
#undef XS_HALF_SPOT
