/* SPDX-License-Identifier: Apache-2.0 */
// XLA's own thread pool as an executor of xlashape's.
#pragma once

#include <xlashape_runtime.h>

#include <cstdint>

#include "xla/ffi/api/c_api.h"

namespace xlashape_jax {

// For the duration of one call of the handler: `frame` must outlive it.
class Pool {
 public:
  explicit Pool(const XLA_FFI_CallFrame& frame);

  // How many threads may work at once, the calling one included; 1 where XLA has no pool, or one of one thread.
  uint32_t workers() const { return workers_; }

  // Runs task(opaque, i, worker) once for each i below count, worker < workers(), and returns when all of them have
  // ended. The calling thread takes part, and does everything where the pool is busy: it waits only for tasks that
  // another thread has begun. So it ends even if the pool never runs anything that it was given.
  void parallel_for(int64_t count, void* opaque, xlashape_task_fn task) const;

  // The same as xlashape wants it. The result refers to this pool.
  xlashape_executor executor();

 private:
  bool schedule(XLA_FFI_Task* task, void* data) const;

  const XLA_FFI_Api* api_;
  XLA_FFI_ExecutionContext* context_;
  uint32_t workers_ = 1;
};

}  // namespace xlashape_jax
