// SPDX-License-Identifier: Apache-2.0
// Kernels for NVIDIA only. Portable kernels do the same, and the planner can be restricted to those. Data that is used
// once should not evict other data from the caches and need not go through registers: tiles go from global to shared
// memory by asynchronous copies (from sm_80 on), and loads and stores are marked as streaming.
#if defined(__CUDACC__) || defined(XS_CUDA)

// Loads 16 bytes that no kernel writes meanwhile.
XS_DEVICE xs_u128 xs_load_stream(const void* from) {
  xs_u128 v;
#if __CUDA_ARCH__ >= 750
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
#else
  asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(from));
#endif
  return v;
}

XS_DEVICE void xs_store_stream(void* to, xs_u128 v) {
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
               : "memory");
}

// A thread sees its own copies after xs_copied, and those of other threads after an additional barrier.
#if __CUDA_ARCH__ >= 800
XS_DEVICE void xs_copy_async(xs_u128* to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"((xs_u32)__cvta_generic_to_shared(to)),
               "l"(from)
               : "memory");
}
XS_DEVICE void xs_copied() { asm volatile("cp.async.wait_all;" ::: "memory"); }
#define XS_COPY16(to, from) xs_copy_async(to, from)
#define XS_COPIED() xs_copied()
#endif

#else  // host C++: a copy happens when it is waited for, at the earliest

XS_DEVICE xs_u128 xs_load_stream(const void* from) { return *(const xs_u128*)from; }
XS_DEVICE void xs_store_stream(void* to, xs_u128 v) { *(xs_u128*)to = v; }
#define XS_COPY16(to, from) xlashape::gpu::host::copy_later(to, from)
#define XS_COPIED() xlashape::gpu::host::finish_copies()

#endif

#undef XS_LOAD
#undef XS_STORE
#undef XS_STORE16
#define XS_LOAD(from) xs_load_stream(from)
#define XS_STORE(to, value) xs_store_stream(to, value)
#define XS_STORE16(to, value) xs_store_stream(to, value)

#define XS_TILE(width) xs_nvidia_tile_##width
#include "tiles.inl"
#undef XS_TILE

#define XS_T xs_u128
#define XS_NAME xs_nvidia_gather_16_32
#define XS_LOCATE xs_locate32
#define XS_INDEX xs_u32
#define XS_FILL(low, high) xs_quad((xs_u32)(low), (xs_u32)((low) >> 32), (xs_u32)(high), (xs_u32)((high) >> 32))
#include "gather.inl"
#undef XS_T
#undef XS_FILL
