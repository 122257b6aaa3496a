/* SPDX-License-Identifier: Apache-2.0 */
// Integers of fixed width, the same in CUDA C++, OpenCL C and host C++.
#ifndef XLASHAPE_GPU_TYPES_H_
#define XLASHAPE_GPU_TYPES_H_

// Threads per block; grids have one dimension.
#define XS_THREADS 256

#if defined(XS_OPENCL)
typedef uchar xs_u8;
typedef ushort xs_u16;
typedef int xs_i32;
typedef uint xs_u32;
typedef long xs_i64;
typedef ulong xs_u64;
typedef uint4 xs_u128;
#else
typedef unsigned char xs_u8;
typedef unsigned short xs_u16;
typedef int xs_i32;
typedef unsigned int xs_u32;
typedef long long xs_i64;
typedef unsigned long long xs_u64;
#if defined(__CUDACC__) || defined(XS_CUDA)
typedef uint4 xs_u128;
#else
struct alignas(16) xs_u128 {
  xs_u32 x, y, z, w;
};
#endif
#endif

#endif  // XLASHAPE_GPU_TYPES_H_
