/* SPDX-License-Identifier: Apache-2.0 */
// Copies between pageable host memory and a device, in pieces through two pinned buffers: while one is transferred, the
// host fills or empties the other.
#pragma once
#include <mutex>

#include "backends/gpu/cuda/driver.h"

namespace xlashape::gpu::cuda {

class Pinned {
 public:
  Pinned() = default;
  Pinned(const Pinned&) = delete;

  // Both wait until the copy is complete. The context is current; one copy at a time. Small copies use no buffer.
  xlashape_status write(const Driver& cu, CUdeviceptr to, const void* from, int64_t bytes, CUstream stream,
                        xlashape_error* err);
  xlashape_status read(const Driver& cu, void* to, CUdeviceptr from, int64_t bytes, CUstream stream,
                       xlashape_error* err);
  // Frees the buffers; the context is current.
  void release(const Driver& cu);

 private:
  // Allocates the buffers when they are first needed.
  xlashape_status prepare(const Driver& cu, xlashape_error* err);

  std::mutex lock_;
  void* buffer_[2] = {nullptr, nullptr};
  CUevent event_[2] = {nullptr, nullptr};
};

}  // namespace xlashape::gpu::cuda
