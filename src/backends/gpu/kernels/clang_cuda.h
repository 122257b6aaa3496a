/* SPDX-License-Identifier: Apache-2.0 */
// The declarations of nvcc, for clang -x cuda -nocudainc: builds without CUDA's toolkit carry PTX that clang makes.
#ifndef XLASHAPE_GPU_CLANG_CUDA_H_
#define XLASHAPE_GPU_CLANG_CUDA_H_

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

#define __syncthreads() __nvvm_bar_sync(0)
#define XS_THREAD() ((xs_u32)__nvvm_read_ptx_sreg_tid_x())
#define XS_BLOCK() ((xs_u32)__nvvm_read_ptx_sreg_ctaid_x())

static __device__ __forceinline__ unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
static __device__ __forceinline__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static __device__ __forceinline__ unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  unsigned result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector));
  return result;
}
static __device__ __forceinline__ void atomicMin(unsigned* address, unsigned value) {
  __nvvm_atom_min_gen_ui(address, value);
}
static __device__ __forceinline__ void atomicAdd(unsigned* address, unsigned value) {
  __nvvm_atom_add_gen_i((int*)address, (int)value);
}

#endif  // XLASHAPE_GPU_CLANG_CUDA_H_
