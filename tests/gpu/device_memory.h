/* SPDX-License-Identifier: Apache-2.0 */
// Device memory, streams and events through libcuda.so.1, for the programs of tests/gpu that have neither CUDA's
// headers nor GoogleTest. Every failure ends the program with a line that says what failed.
#pragma once
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "backends/gpu/cuda/driver.h"

namespace xlashape::gpu {

class Device {
 public:
  Device() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (library_ == nullptr) fail(dlerror());
    auto err = XLASHAPE_INIT(xlashape_error);
    if (cu.load(&err) != XLASHAPE_STATUS_OK) fail(err.message);
    int device;
    must(cu.cuDeviceGet(&device, 0), "cuDeviceGet");
    must(cu.cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain");
    must(cu.cuCtxPushCurrent(context_), "cuCtxPushCurrent");
    must(cu.cuStreamCreate(&stream, 0), "cuStreamCreate");
    cu.cuDeviceGetName(name, sizeof name, device);
    event_elapsed_ = reinterpret_cast<decltype(event_elapsed_)>(dlsym(library_, "cuEventElapsedTime"));
    must(cu.cuEventCreate(&begin_, 0), "cuEventCreate");
    must(cu.cuEventCreate(&end_, 0), "cuEventCreate");
  }
  Device(const Device&) = delete;

  // The tests' own driver has none: nothing can be measured on it.
  bool has_clock() const { return event_elapsed_ != nullptr; }

  uint64_t alloc(int64_t bytes) const {
    cuda::CUdeviceptr address = 0;
    must(cu.cuMemAlloc(&address, static_cast<size_t>(bytes)), "cuMemAlloc");
    return address;
  }
  void free(uint64_t address) const { must(cu.cuMemFree(address), "cuMemFree"); }
  void write(uint64_t to, const void* from, int64_t bytes) const {
    must(cu.cuMemcpyHtoDAsync(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyHtoDAsync");
    wait();
  }
  void read(void* to, uint64_t from, int64_t bytes) const {
    must(cu.cuMemcpyDtoHAsync(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyDtoHAsync");
    wait();
  }
  void copy(uint64_t to, uint64_t from, int64_t bytes) const {
    must(cu.cuMemcpyDtoDAsync(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyDtoDAsync");
  }
  void fill(uint64_t to, unsigned char byte, int64_t bytes) const {
    must(cu.cuMemsetD8Async(to, byte, static_cast<size_t>(bytes), stream), "cuMemsetD8Async");
  }
  // For another thread than the one that made it.
  void enter() const { must(cu.cuCtxPushCurrent(context_), "cuCtxPushCurrent"); }
  void wait() const { must(cu.cuStreamSynchronize(stream), "cuStreamSynchronize"); }

  // Microseconds that what `work` enqueues takes; 1 without a clock.
  template <class Work>
  double time(const Work& work) const {
    if (!has_clock()) return work(), wait(), 1;
    must(cu.cuEventRecord(begin_, stream), "cuEventRecord");
    work();
    must(cu.cuEventRecord(end_, stream), "cuEventRecord");
    must(cu.cuEventSynchronize(end_), "cuEventSynchronize");
    float milliseconds = 0;
    must(event_elapsed_(&milliseconds, begin_, end_), "cuEventElapsedTime");
    return milliseconds * 1e3;
  }

  cuda::Driver cu{};
  cuda::CUstream stream = nullptr;
  char name[128] = "";

 private:
  [[noreturn]] static void fail(const char* why) {
    std::printf("%s\n", why);
    std::exit(3);
  }
  void must(int result, const char* what) const {
    auto err = XLASHAPE_INIT(xlashape_error);
    if (cu.check(result, what, &err) != XLASHAPE_STATUS_OK) fail(err.message);
  }
  void* library_;
  cuda::CUcontext context_ = nullptr;
  cuda::CUevent begin_ = nullptr, end_ = nullptr;
  int (*event_elapsed_)(float*, cuda::CUevent, cuda::CUevent) = nullptr;
};

}  // namespace xlashape::gpu
