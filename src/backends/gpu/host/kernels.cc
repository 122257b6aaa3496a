// SPDX-License-Identifier: Apache-2.0
// The kernels as host C++, found and run by name.
#include "backends/gpu/host/kernels.h"

#include <cstring>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "backends/gpu/kernels/dialect.h"
namespace {
#include "backends/gpu/kernels/kernels.inl"
}  // namespace
#pragma GCC diagnostic pop
#include "backends/gpu/kernels/list.h"

namespace xlashape::gpu::host {
namespace {

template <class Args>
struct KernelCall {
  void (*kernel)(const xs_u8*, xs_u8*, xs_i64*, const Args);
  const xs_u8* src;
  xs_u8* dst;
  xs_i64* tables;
  Args args;
};

template <class Args>
const char* call(void (*kernel)(const xs_u8*, xs_u8*, xs_i64*, const Args), uint32_t blocks, const void* src, void* dst,
                 void* tables, const void* args) {
  KernelCall<Args> c{
      kernel, static_cast<const xs_u8*>(src), static_cast<xs_u8*>(dst), static_cast<xs_i64*>(tables), {}};
  std::memcpy(&c.args, args, sizeof c.args);
  return run(
      blocks, XS_THREADS,
      [](void* opaque) {
        const auto& o = *static_cast<const KernelCall<Args>*>(opaque);
        o.kernel(o.src, o.dst, o.tables, o.args);
      },
      &c);
}

}  // namespace

const KernelEntry* find_kernel(std::string_view name) {
#define XS_ENTRY(kernel, Args)                                                                              \
  {#kernel, sizeof(Args), [](uint32_t blocks, const void* src, void* dst, void* tables, const void* args) { \
     return call<Args>(kernel, blocks, src, dst, tables, args);                                             \
   }},
  static constexpr KernelEntry kEntries[] = {XS_KERNEL_LIST(XS_ENTRY) XS_NVIDIA_KERNEL_LIST(XS_ENTRY)};
#undef XS_ENTRY
  for (const KernelEntry& entry : kEntries)
    if (name == entry.name) return &entry;
  return nullptr;
}

}  // namespace xlashape::gpu::host
