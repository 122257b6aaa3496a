/* SPDX-License-Identifier: Apache-2.0 */
// A CUDA context that the backend has used: its kernels and a private stream, made once.
#pragma once
#include <mutex>
#include <vector>

#include "backends/gpu/common/launch.h"
#include "backends/gpu/cuda/driver.h"
#include "backends/gpu/cuda/pinned.h"

namespace xlashape::gpu::cuda {

struct CudaContext {
  CUcontext id = nullptr;
  CUdevice device = 0;
  CUstream stream = nullptr;
  CUmodule module = nullptr;
  CUfunction kernels[kKernels] = {};
  Pinned pinned;
};

// Makes a context current, and restores the previous one at the end.
class Current {
 public:
  explicit Current(const Driver& driver) : cu_(driver) {}
  Current(const Current&) = delete;
  ~Current() {
    CUcontext popped;
    if (pushed_) cu_.cuCtxPopCurrent(&popped);
  }
  xlashape_status set(CUcontext context, xlashape_error* err);

 private:
  const Driver& cu_;
  bool pushed_ = false;
};

// All contexts that the backend has used.
class CudaContexts {
 public:
  explicit CudaContexts(const Driver& driver) : cu_(driver) {}
  CudaContexts(const CudaContexts&) = delete;
  ~CudaContexts();

  // Chooses the context of the stream, else the current one, else that of the allocation `memory`, else the primary one
  // of device 0. The special streams (legacy, per thread) belong to the current context.
  xlashape_status choose(bool has_stream, uint64_t stream, uint64_t memory, CUcontext* context, xlashape_error* err);
  // Finds a context, which must be current, and loads the kernels if it is new; NOT_FOUND if it may not load them.
  xlashape_status find(CUcontext context, bool may_load, CudaContext** found, xlashape_error* err);

 private:
  xlashape_status primary(CUdevice device, CUcontext* context, xlashape_error* err);

  const Driver& cu_;
  std::mutex lock_;
  std::vector<CudaContext*> all_;
  struct Primary {
    CUdevice device;
    CUcontext context;
  };
  std::vector<Primary> primaries_;
};

}  // namespace xlashape::gpu::cuda
