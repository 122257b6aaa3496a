// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/cuda/driver.h"

#include "backends/common/entry.h"
#include "backends/common/system.h"

#ifndef XS_CUDA_VERSION
#error "XS_CUDA_VERSION: the version of CUDA that the kernels need, as in 13000"
#endif

namespace xlashape::gpu::cuda {

using backends::fail;

xlashape_status Driver::load(xlashape_error* err) {
  const char* reason;
  void* library = backends::open_library("libcuda.so.1", &reason);
  if (library == nullptr) return fail(err, XLASHAPE_STATUS_DEVICE, "no CUDA driver: %s", reason);
#define XS_FIND(name, symbol, parameters)                                          \
  name = reinterpret_cast<decltype(name)>(backends::find_symbol(library, symbol)); \
  if (name == nullptr)                                                             \
    return fail(err, XLASHAPE_STATUS_DEVICE, "the CUDA driver is too old: libcuda.so.1 has no %s", symbol);
  XS_DRIVER_FUNCTIONS(XS_FIND)
#undef XS_FIND
  const CUresult started = cuInit(0);
  int count = 0;
  if (started == kErrorNoDevice || (started == kSuccess && cuDeviceGetCount(&count) == kSuccess && count == 0))
    return fail(err, XLASHAPE_STATUS_DEVICE, "no CUDA device");
  if (const xlashape_status status = check(started, "cuInit", err)) return status;
  int version = 0;
  if (const xlashape_status status = check(cuDriverGetVersion(&version), "cuDriverGetVersion", err)) return status;
  // Within a major version older drivers run newer binaries.
  if (version / 1000 < XS_CUDA_VERSION / 1000)
    return fail(err, XLASHAPE_STATUS_DEVICE,
                "the CUDA driver is too old: it supports CUDA %d.%d, the kernels need %d.0", version / 1000,
                version % 1000 / 10, XS_CUDA_VERSION / 1000);
  return XLASHAPE_STATUS_OK;
}

xlashape_status Driver::check(CUresult result, const char* what, xlashape_error* err) const {
  if (result == kSuccess) return XLASHAPE_STATUS_OK;
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &text);
  return fail(err, result == kErrorOutOfMemory ? XLASHAPE_STATUS_NO_MEMORY : XLASHAPE_STATUS_DEVICE,
              "%s: CUDA error %d, %s (%s)", what, result, name != nullptr ? name : "unknown",
              text != nullptr ? text : "no text");
}

}  // namespace xlashape::gpu::cuda
