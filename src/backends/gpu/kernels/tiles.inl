// SPDX-License-Identifier: Apache-2.0
// The kernels of tile.inl, by XS_TILE(width). XS_TURN(to, step, w) writes 16 bytes for each element of the words w,
// `step` apart.
#define XS_NAME XS_TILE(1)
#define XS_E 1
#define XS_T xs_u8
#define XS_ROWS 128
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w)                                                                               \
  xs_u32 out[4][4];                                                                                        \
  XS_UNROLL                                                                                                \
  for (int j = 0; j < 4; ++j) {                                                                            \
    const xs_u32 even0 = XS_EVEN8(w[4 * j], w[4 * j + 1]), odd0 = XS_ODD8(w[4 * j], w[4 * j + 1]);         \
    const xs_u32 even1 = XS_EVEN8(w[4 * j + 2], w[4 * j + 3]), odd1 = XS_ODD8(w[4 * j + 2], w[4 * j + 3]); \
    out[0][j] = XS_LOW16(even0, even1);                                                                    \
    out[1][j] = XS_LOW16(odd0, odd1);                                                                      \
    out[2][j] = XS_HIGH16(even0, even1);                                                                   \
    out[3][j] = XS_HIGH16(odd0, odd1);                                                                     \
  }                                                                                                        \
  XS_UNROLL                                                                                                \
  for (int i = 0; i < 4; ++i) XS_STORE16(to + i * step, xs_quad(out[i][0], out[i][1], out[i][2], out[i][3]))
#include "tile.inl"

#define XS_NAME XS_TILE(2)
#define XS_E 2
#define XS_T xs_u16
#define XS_ROWS 128
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w)                                                                                       \
  XS_STORE16(to, xs_quad(XS_LOW16(w[0], w[1]), XS_LOW16(w[2], w[3]), XS_LOW16(w[4], w[5]), XS_LOW16(w[6], w[7]))); \
  XS_STORE16(to + step,                                                                                            \
             xs_quad(XS_HIGH16(w[0], w[1]), XS_HIGH16(w[2], w[3]), XS_HIGH16(w[4], w[5]), XS_HIGH16(w[6], w[7])))
#include "tile.inl"

#define XS_NAME XS_TILE(4)
#define XS_E 4
#define XS_T xs_u32
#define XS_ROWS 64
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w) XS_STORE16(to, xs_quad(w[0], w[1], w[2], w[3]))
#include "tile.inl"

#define XS_NAME XS_TILE(8)
#define XS_E 8
#define XS_T xs_u64
#define XS_ROWS 64
#define XS_W 8
#define XS_WORD xs_u64
#define XS_TURN(to, step, w) \
  XS_STORE16(to, xs_quad((xs_u32)w[0], (xs_u32)(w[0] >> 32), (xs_u32)w[1], (xs_u32)(w[1] >> 32)))
#include "tile.inl"

#define XS_NAME XS_TILE(16)
#define XS_E 16
#define XS_T xs_u128
#define XS_ROWS 32
#define XS_W 16
#define XS_WORD xs_u128
#define XS_TURN(to, step, w) XS_STORE16(to, w[0])
#include "tile.inl"
