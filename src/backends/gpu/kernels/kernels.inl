// SPDX-License-Identifier: Apache-2.0
// All kernels; each file is included once per variant. kernels.cu, kernels.cl and host/kernels.cc include this. Some
// kernels read and write by macros, which nvidia.inl redefines.
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
  xs_u128 e16[1];
} XsChunk;

// == Any nest
#define XS_LOAD(from) (*(XS_GLOBAL const XS_T*)(from))
#define XS_STORE(to, value) (*(XS_GLOBAL XS_T*)(to) = (value))
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

// == Transposed planes
#define XS_STORE16(to, value) (*(XS_GLOBAL xs_u128*)(to) = (value))
#define XS_TILE(width) xs_tile_##width
#include "tiles.inl"
#undef XS_TILE
#include "half.inl"

// == Few contiguous elements
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

// == Several small dimensions
#include "slice.inl"
#define XS_NAME xs_pack_1
#define XS_E 1
#define XS_T xs_u8
#define XS_MEMBER e1
#define XS_WORD xs_u32
#define XS_WORDS e4
#define XS_SPOTS xs_u128
#define XS_SPOT_MEMBER e16
#define XS_FILL(low, high) ((xs_u8)(low))
#include "pack.inl"
#define XS_NAME xs_pack_2
#define XS_E 2
#define XS_T xs_u16
#define XS_MEMBER e2
#define XS_WORD xs_u32
#define XS_WORDS e4
#define XS_SPOTS xs_u128
#define XS_SPOT_MEMBER e16
#define XS_FILL(low, high) ((xs_u16)(low))
#include "pack.inl"
#define XS_NAME xs_pack_4
#define XS_E 4
#define XS_T xs_u32
#define XS_MEMBER e4
#define XS_WORD xs_u32
#define XS_WORDS e4
#define XS_SPOTS xs_u64
#define XS_SPOT_MEMBER e8
#define XS_FILL(low, high) ((xs_u32)(low))
#include "pack.inl"
#define XS_NAME xs_pack_8
#define XS_E 8
#define XS_T xs_u64
#define XS_MEMBER e8
#define XS_WORD xs_u64
#define XS_WORDS e8
#define XS_SPOTS xs_u32
#define XS_SPOT_MEMBER e4
#define XS_FILL(low, high) ((xs_u64)(low))
#include "pack.inl"
#define XS_NAME xs_pack_16
#define XS_E 16
#define XS_T xs_u128
#define XS_MEMBER e16
#define XS_WORD xs_u128
#define XS_WORDS e16
#define XS_SPOTS xs_u16
#define XS_SPOT_MEMBER e2
#define XS_FILL(low, high) xs_quad((xs_u32)(low), (xs_u32)((low) >> 32), (xs_u32)(high), (xs_u32)((high) >> 32))
#include "pack.inl"

// == Interleaved rows
#include "chunk.inl"
#define XS_ROWS 2
#define XS_T xs_u64
#define XS_MEMBER e8
#define XS_NAME xs_zip_2
#define XS_SEPARATES 0
#include "zip.inl"
#define XS_NAME xs_unzip_2
#define XS_SEPARATES 1
#include "zip.inl"
#undef XS_ROWS
#undef XS_T
#undef XS_MEMBER
#define XS_ROWS 4
#define XS_T xs_u32
#define XS_MEMBER e4
#define XS_NAME xs_zip_4
#define XS_SEPARATES 0
#include "zip.inl"
#define XS_NAME xs_unzip_4
#define XS_SEPARATES 1
#include "zip.inl"
#undef XS_ROWS
#undef XS_T
#undef XS_MEMBER

// == Everything else
#include "convert.inl"
#include "index.inl"

// Maps of ordinary size, and the largest that the library makes.
#define XS_VALUES 64
#define XS_FN(name) name##_64
#include "program.inl"
#define XS_VALUES 1024
#define XS_FN(name) name##_1024
#include "program.inl"

#ifndef XS_OPENCL
#include "nvidia.inl"
#endif
