/* SPDX-License-Identifier: Apache-2.0 */
// An OpenCL context that the backend has used: its program, its kernels and a private queue, made once.
#pragma once
#include <mutex>
#include <vector>

#include "backends/gpu/common/launch.h"
#include "backends/gpu/opencl/functions.h"

namespace xlashape::gpu::opencl {

class OpenclContext {
 public:
  // Retains `context`, so that no other context gets its address while this object exists.
  OpenclContext(const Functions& functions, cl_context context) : cl_(functions), context_(context) {
    cl_.clRetainContext(context);
  }
  OpenclContext(const OpenclContext&) = delete;
  ~OpenclContext();

  // Builds the program, which takes some seconds if nothing is cached.
  xlashape_status build(xlashape_error* err);
  // A null cl_mem is passed as a null pointer. Thread-safe by a lock, since a kernel has only one set of arguments.
  xlashape_status launch(cl_command_queue queue, const Launch& launch, cl_mem src, cl_mem dst, cl_mem tables,
                         xlashape_error* err);

  cl_context id() const { return context_; }
  cl_command_queue queue() const { return queue_; }

 private:
  const Functions& cl_;
  cl_context context_;
  cl_device_id device_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernels_[kPortableKernels] = {};
  std::mutex arguments_;
};

// All contexts that the backend has used, and a private one for callers that give none.
class OpenclContexts {
 public:
  explicit OpenclContexts(const Functions& functions) : cl_(functions) {}
  OpenclContexts(const OpenclContexts&) = delete;
  ~OpenclContexts();
  xlashape_status find(cl_context context, OpenclContext** found, xlashape_error* err);
  // The private context: on the first GPU of any platform, or without a GPU on the first device of any kind.
  xlashape_status own(OpenclContext** found, xlashape_error* err);
  // All devices of all platforms, GPUs first.
  xlashape_status devices(std::vector<cl_device_id>* found, xlashape_error* err) const;

 private:
  xlashape_status find_locked(cl_context context, OpenclContext** found, xlashape_error* err);

  const Functions& cl_;
  std::mutex lock_;
  OpenclContext* own_ = nullptr;
  std::vector<OpenclContext*> all_;
};

}  // namespace xlashape::gpu::opencl
