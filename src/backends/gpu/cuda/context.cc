// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/cuda/context.h"

#include <memory>

#include "backends/common/entry.h"

namespace xlashape::gpu {
extern const unsigned char cuda_kernels[];  // the fat binary, or PTX
}  // namespace xlashape::gpu

namespace xlashape::gpu::cuda {
namespace {

using backends::fail;

#define XS_CU(...)                                                       \
  do {                                                                   \
    if (const xlashape_status s = cu_.check(__VA_ARGS__, err)) return s; \
  } while (false)

}  // namespace

xlashape_status Current::set(CUcontext context, xlashape_error* err) {
  CUcontext current = nullptr;
  XS_CU(cu_.cuCtxGetCurrent(&current), "cuCtxGetCurrent");
  if (current == context) return XLASHAPE_STATUS_OK;
  XS_CU(cu_.cuCtxPushCurrent(context), "cuCtxPushCurrent");
  pushed_ = true;
  return XLASHAPE_STATUS_OK;
}

CudaContexts::~CudaContexts() {
  // The driver may be shutting down too, so failures here are ignored.
  for (CudaContext* context : all_) {
    Current current(cu_);
    if (current.set(context->id, nullptr) == XLASHAPE_STATUS_OK) {
      context->pinned.release(cu_);
      cu_.cuModuleUnload(context->module);
      cu_.cuStreamDestroy(context->stream);
    }
    delete context;
  }
  for (const Primary& primary : primaries_) cu_.cuDevicePrimaryCtxRelease(primary.device);
}

xlashape_status CudaContexts::primary(CUdevice device, CUcontext* context, xlashape_error* err) {
  const std::lock_guard lock(lock_);
  for (const Primary& known : primaries_)
    if (known.device == device) {
      *context = known.context;
      return XLASHAPE_STATUS_OK;
    }
  primaries_.reserve(primaries_.size() + 1);
  XS_CU(cu_.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain");
  primaries_.push_back({device, *context});
  return XLASHAPE_STATUS_OK;
}

xlashape_status CudaContexts::choose(bool has_stream, uint64_t stream, uint64_t memory, CUcontext* context,
                                     xlashape_error* err) {
  *context = nullptr;
  if (has_stream && stream > kPerThreadStream) {
    XS_CU(cu_.cuStreamGetCtx(reinterpret_cast<CUstream>(stream), context), "the stream");
    return XLASHAPE_STATUS_OK;
  }
  XS_CU(cu_.cuCtxGetCurrent(context), "cuCtxGetCurrent");
  if (*context != nullptr) return XLASHAPE_STATUS_OK;
  if (memory != 0) {
    if (cu_.cuPointerGetAttribute(context, kPointerContext, memory) == kSuccess && *context != nullptr)
      return XLASHAPE_STATUS_OK;
    // Memory from a pool belongs to a device, not to a context.
    CUdevice device = 0;
    if (cu_.cuPointerGetAttribute(&device, kPointerDevice, memory) == kSuccess && device >= 0)
      return primary(device, context, err);
  }
  CUdevice device = 0;
  XS_CU(cu_.cuDeviceGet(&device, 0), "cuDeviceGet");
  return primary(device, context, err);
}

xlashape_status CudaContexts::find(CUcontext context, bool may_load, CudaContext** found, xlashape_error* err) {
  const std::lock_guard lock(lock_);
  for (CudaContext* known : all_)
    if (known->id == context) {
      *found = known;
      return XLASHAPE_STATUS_OK;
    }
  if (!may_load)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "the stream belongs to a context in which no plan was made: make the plan while it is current");
  auto made = std::make_unique<CudaContext>();
  all_.reserve(all_.size() + 1);
  made->id = context;
  XS_CU(cu_.cuCtxGetDevice(&made->device), "cuCtxGetDevice");
  XS_CU(cu_.cuModuleLoadData(&made->module, cuda_kernels), "cuModuleLoadData");
  xlashape_status status = XLASHAPE_STATUS_OK;
  for (int i = 0; i < kKernels && status == XLASHAPE_STATUS_OK; ++i)
    status = cu_.check(cu_.cuModuleGetFunction(&made->kernels[i], made->module, kKernelNames[i]), kKernelNames[i], err);
  if (status == XLASHAPE_STATUS_OK)
    status = cu_.check(cu_.cuStreamCreate(&made->stream, kStreamDefault), "cuStreamCreate", err);
  if (status != XLASHAPE_STATUS_OK) {
    cu_.cuModuleUnload(made->module);
    return status;
  }
  *found = made.get();
  all_.push_back(made.release());
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::gpu::cuda
