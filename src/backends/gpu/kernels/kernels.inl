// All kernels, each file as often as there are variants. kernels.cu, kernels.cl and host/kernels.cc include this.
#include "dialect.h"

#include "arguments.h"
#include "map.h"

#include "loops.inl"

XS_DEVICE xs_u128 xs_quad(xs_u32 x, xs_u32 y, xs_u32 z, xs_u32 w) {
  xs_u128 value;
  value.x = x;
  value.y = y;
  value.z = z;
  value.w = w;
  return value;
}

typedef union XsChunk {
  xs_u128 whole;
  xs_u8 e1[16];
  xs_u16 e2[8];
  xs_u32 e4[4];
  xs_u64 e8[2];
} XsChunk;

// == Any nest
#define XS_FILL(low, high) ((XS_T)(low))
#define XS_T xs_u8
#define XS_NAME xs_gather_1_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#include "gather.inl"
#define XS_NAME xs_gather_1_64
#define XS_LOCATE xs_locate64
#define XS_INDEX xs_i64
#include "gather.inl"
#undef XS_T
#define XS_T xs_u16
#define XS_NAME xs_gather_2_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#include "gather.inl"
#define XS_NAME xs_gather_2_64
#define XS_LOCATE xs_locate64
#define XS_INDEX xs_i64
#include "gather.inl"
#undef XS_T
#define XS_T xs_u32
#define XS_NAME xs_gather_4_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#include "gather.inl"
#define XS_NAME xs_gather_4_64
#define XS_LOCATE xs_locate64
#define XS_INDEX xs_i64
#include "gather.inl"
#undef XS_T
#define XS_T xs_u64
#define XS_NAME xs_gather_8_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#include "gather.inl"
#define XS_NAME xs_gather_8_64
#define XS_LOCATE xs_locate64
#define XS_INDEX xs_i64
#include "gather.inl"
#undef XS_T
#undef XS_FILL
#define XS_FILL(low, high) xs_quad((xs_u32)(low), (xs_u32)((low) >> 32), (xs_u32)(high), (xs_u32)((high) >> 32))
#define XS_T xs_u128
#define XS_NAME xs_gather_16_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#include "gather.inl"
#define XS_NAME xs_gather_16_64
#define XS_LOCATE xs_locate64
#define XS_INDEX xs_i64
#include "gather.inl"
#undef XS_T
#undef XS_FILL

// == Transposed planes. XS_TURN(to, step, w) writes 16 bytes for each element of the words w, `step` apart.
#define XS_NAME xs_tile_1
#define XS_E 1
#define XS_T xs_u8
#define XS_ROWS 128
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w)                                                             \
  xs_u32 out[4][4];                                                                      \
  XS_UNROLL                                                                              \
  for (int j = 0; j < 4; ++j) {                                                          \
    const xs_u32 even0 = XS_EVEN8(w[4 * j], w[4 * j + 1]), odd0 = XS_ODD8(w[4 * j], w[4 * j + 1]); \
    const xs_u32 even1 = XS_EVEN8(w[4 * j + 2], w[4 * j + 3]), odd1 = XS_ODD8(w[4 * j + 2], w[4 * j + 3]); \
    out[0][j] = XS_LOW16(even0, even1);                                                  \
    out[1][j] = XS_LOW16(odd0, odd1);                                                    \
    out[2][j] = XS_HIGH16(even0, even1);                                                 \
    out[3][j] = XS_HIGH16(odd0, odd1);                                                   \
  }                                                                                      \
  XS_UNROLL                                                                              \
  for (int i = 0; i < 4; ++i)                                                            \
    *(XS_GLOBAL xs_u128*)(to + i * step) = xs_quad(out[i][0], out[i][1], out[i][2], out[i][3])
#include "tile.inl"

#define XS_NAME xs_tile_2
#define XS_E 2
#define XS_T xs_u16
#define XS_ROWS 128
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w)                                                                                       \
  *(XS_GLOBAL xs_u128*)(to) =                                                                                      \
      xs_quad(XS_LOW16(w[0], w[1]), XS_LOW16(w[2], w[3]), XS_LOW16(w[4], w[5]), XS_LOW16(w[6], w[7]));             \
  *(XS_GLOBAL xs_u128*)(to + step) =                                                                               \
      xs_quad(XS_HIGH16(w[0], w[1]), XS_HIGH16(w[2], w[3]), XS_HIGH16(w[4], w[5]), XS_HIGH16(w[6], w[7]))
#include "tile.inl"

#define XS_NAME xs_tile_4
#define XS_E 4
#define XS_T xs_u32
#define XS_ROWS 64
#define XS_W 4
#define XS_WORD xs_u32
#define XS_TURN(to, step, w) *(XS_GLOBAL xs_u128*)(to) = xs_quad(w[0], w[1], w[2], w[3])
#include "tile.inl"

#define XS_NAME xs_tile_8
#define XS_E 8
#define XS_T xs_u64
#define XS_ROWS 64
#define XS_W 8
#define XS_WORD xs_u64
#define XS_TURN(to, step, w) \
  *(XS_GLOBAL xs_u128*)(to) = xs_quad((xs_u32)w[0], (xs_u32)(w[0] >> 32), (xs_u32)w[1], (xs_u32)(w[1] >> 32))
#include "tile.inl"

#define XS_NAME xs_tile_16
#define XS_E 16
#define XS_T xs_u128
#define XS_ROWS 32
#define XS_W 16
#define XS_WORD xs_u128
#define XS_TURN(to, step, w) *(XS_GLOBAL xs_u128*)(to) = w[0]
#include "tile.inl"

#include "half.inl"

// == Few elements side by side
#define XS_E 1
#define XS_T xs_u8
#define XS_MEMBER e1
#define XS_SPLIT xs_split_1
#define XS_MERGE xs_merge_1
#include "few.inl"
#define XS_E 2
#define XS_T xs_u16
#define XS_MEMBER e2
#define XS_SPLIT xs_split_2
#define XS_MERGE xs_merge_2
#include "few.inl"
#define XS_E 4
#define XS_T xs_u32
#define XS_MEMBER e4
#define XS_SPLIT xs_split_4
#define XS_MERGE xs_merge_4
#include "few.inl"
#define XS_E 8
#define XS_T xs_u64
#define XS_MEMBER e8
#define XS_SPLIT xs_split_8
#define XS_MERGE xs_merge_8
#include "few.inl"

// == Everything else
#include "convert.inl"
#include "index.inl"

// Maps of everyday size, and the largest that the library makes.
#define XS_VALUES 64
#define XS_FN(name) name##_64
#include "program.inl"
#define XS_VALUES 1024
#define XS_FN(name) name##_1024
#include "program.inl"
