/* SPDX-License-Identifier: Apache-2.0 */
// One kernel source, three dialects: CUDA C++, OpenCL C 1.2, and host C++ (host/machine.h runs it). The kernels are
// written in the C that all three have: no templates, no recursion, shared memory only at kernel scope, one struct of
// arguments by value.
#ifndef XLASHAPE_GPU_DIALECT_H_
#define XLASHAPE_GPU_DIALECT_H_

#include "types.h"

#if defined(__CUDACC__) || defined(XS_CUDA)

#define XS_KERNEL extern "C" __global__ void __launch_bounds__(XS_THREADS)
// For kernels for which ptxas would spill registers rather than use more than 32.
#define XS_ROOMY_KERNEL extern "C" __global__ void __launch_bounds__(XS_THREADS, 4)
// For kernels whose threads wait for each other repeatedly: more blocks at a time, where that spills no registers.
#if __CUDA_ARCH__ >= 800
#define XS_BUSY_KERNEL extern "C" __global__ void __launch_bounds__(XS_THREADS, 5)
#endif
#define XS_DEVICE static __device__ __forceinline__
#define XS_PARAM const __grid_constant__
#define XS_GLOBAL
#define XS_LOCAL
#define XS_SHARED __shared__
#define XS_UNROLL _Pragma("unroll")
#define XS_BARRIER() __syncthreads()
#ifndef XS_THREAD
#define XS_THREAD() ((xs_u32)threadIdx.x)
#define XS_BLOCK() ((xs_u32)blockIdx.x)
#endif
#define XS_MULHI32(a, b) __umulhi(a, b)
#define XS_MULHI64(a, b) __umul64hi(a, b)
#define XS_ATOMIC_MIN(p, v) atomicMin(p, v)
#define XS_ATOMIC_ADD(p, v) atomicAdd(p, v)
#define XS_LOW16(a, b) __byte_perm(a, b, 0x5410)
#define XS_HIGH16(a, b) __byte_perm(a, b, 0x7632)
#define XS_EVEN8(a, b) __byte_perm(a, b, 0x6240)
#define XS_ODD8(a, b) __byte_perm(a, b, 0x7351)
#define XS_MIDDLE8(a) __byte_perm(a, a, 0x3120)

#elif defined(XS_OPENCL)

#define XS_KERNEL __kernel __attribute__((reqd_work_group_size(XS_THREADS, 1, 1))) void
#define XS_DEVICE static inline
#define XS_PARAM const
#define XS_GLOBAL __global
#define XS_LOCAL __local
#define XS_SHARED __local
#define XS_UNROLL
#define XS_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define XS_THREAD() ((xs_u32)get_local_id(0))
#define XS_BLOCK() ((xs_u32)get_group_id(0))
#define XS_MULHI32(a, b) mul_hi((xs_u32)(a), (xs_u32)(b))
#define XS_MULHI64(a, b) mul_hi((xs_u64)(a), (xs_u64)(b))
#define XS_ATOMIC_MIN(p, v) atomic_min(p, v)
#define XS_ATOMIC_ADD(p, v) atomic_add(p, v)

#else  // host C++

#include "backends/gpu/host/machine.h"

#define XS_KERNEL static void
#define XS_DEVICE static inline
#define XS_PARAM const
#define XS_GLOBAL
#define XS_LOCAL
#define XS_SHARED static thread_local
#define XS_UNROLL
#define XS_BARRIER() xlashape::gpu::host::barrier()
#define XS_THREAD() (xlashape::gpu::host::place().thread)
#define XS_BLOCK() (xlashape::gpu::host::place().block)
#define XS_MULHI32(a, b) ((xs_u32)(((xs_u64)(a) * (xs_u32)(b)) >> 32))
#define XS_MULHI64(a, b) xlashape::ir::mul_high(a, b)
// Fibers switch only at barriers, and a launch has one host thread.
#define XS_ATOMIC_MIN(p, v) (*(p) = (xs_u32)(v) < *(p) ? (xs_u32)(v) : *(p))
#define XS_ATOMIC_ADD(p, v) (*(p) += (v))

#endif

#ifndef XS_ROOMY_KERNEL
#define XS_ROOMY_KERNEL XS_KERNEL
#endif
#ifndef XS_BUSY_KERNEL
#define XS_BUSY_KERNEL XS_ROOMY_KERNEL
#endif

// Combines bytes of two words, or exchanges the middle ones of one. NVIDIA has an instruction for each.
#ifndef XS_LOW16
#define XS_LOW16(a, b) (((a)&0xFFFFu) | ((b) << 16))
#define XS_HIGH16(a, b) (((a) >> 16) | ((b)&0xFFFF0000u))
#define XS_EVEN8(a, b) (((a)&0x00FF00FFu) | (((b)&0x00FF00FFu) << 8))
#define XS_ODD8(a, b) ((((a) >> 8) & 0x00FF00FFu) | ((b)&0xFF00FF00u))
#define XS_MIDDLE8(a) (((a)&0xFF0000FFu) | (((a)&0x0000FF00u) << 8) | (((a) >> 8) & 0x0000FF00u))
#endif

#endif  // XLASHAPE_GPU_DIALECT_H_
