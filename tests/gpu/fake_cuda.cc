// SPDX-License-Identifier: Apache-2.0
// A stand-in for libcuda.so.1, for tests only: device memory is host memory, to the byte as large as was asked for, and
// kernels are those of the host dialect. It refuses what a driver refuses (no current context, limits of a launch, a
// module that is no fat binary) and fails where XLASHAPE_FAKE_CUDA says so, with words between commas:
//   no_device, old_driver, cuInit, cuMemAlloc, cuModuleLoadData, cuLaunchKernel,
//   cuMemcpyHtoDAsync, cuStreamSynchronize, ...
// Compiled with XS_FAKE_LACKS_LAUNCH it has no cuLaunchKernel.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "backends/common/sanitizer.h"
#include "backends/gpu/host/kernels.h"
#include "backends/gpu/kernels/types.h"

namespace {

using xlashape::gpu::host::find_kernel;
using xlashape::gpu::host::KernelEntry;

enum : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kNoDevice = 100,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kInvalidHandle = 400,
  kNotFound = 500,
  kLaunchFailed = 719,
};

// Whether `word` is among the words of XLASHAPE_FAKE_CUDA.
bool is_told(const std::string& word) {
  const char* given = std::getenv("XLASHAPE_FAKE_CUDA");
  return given != nullptr && ("," + std::string(given) + ",").find("," + word + ",") != std::string::npos;
}

struct Context {
  int device;
};
Context contexts[2] = {{0}, {1}};

struct State {
  std::mutex lock;
  std::map<uint64_t, uint64_t> allocations;  // address -> bytes
  std::map<uint64_t, int> device_of;
  bool started = false;
  int retained = 0, modules = 0, streams = 0;
  int synchronised = 0, allocated = 0;  // how often
  int launched = 0;
  int pinned = 0, events = 0;
};
State& state() {
  static State made;
  return made;
}
thread_local Context* stack[16];
thread_local int depth = 0;

Context* current() { return depth > 0 ? stack[depth - 1] : nullptr; }

struct Stream {
  Context* context;
};

// Where it was recorded last, and waited for last.
struct Event {
  Context* context;
  Stream* recorded;
  Stream* awaited;
};

// A stream's own context; of a special one (null, 1, 2) the current one.
Context* context_of(Stream* stream) { return reinterpret_cast<uint64_t>(stream) > 2 ? stream->context : current(); }

bool is_module(const void* image) {
  uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  return magic == 0xBA55ED50u || std::memcmp(image, "//", 2) == 0;  // a fat binary, or PTX
}

}  // namespace

#define XS_EXPORT extern "C" __attribute__((visibility("default"))) int
#define XS_NEEDS_CONTEXT(name)                      \
  if (!state().started) return kNotInitialized;     \
  if (current() == nullptr) return kInvalidContext; \
  if (is_told(name)) return kLaunchFailed

XS_EXPORT cuInit(unsigned) {
  if (is_told("no_device")) return kNoDevice;
  if (is_told("cuInit")) return 999;
  state().started = true;
  return kSuccess;
}
XS_EXPORT cuDriverGetVersion(int* version) {
  *version = is_told("old_driver") ? 8000 : 99000;
  return kSuccess;
}
XS_EXPORT cuDeviceGetCount(int* count) {
  *count = 2;
  return kSuccess;
}
XS_EXPORT cuDeviceGet(int* device, int ordinal) {
  if (ordinal < 0 || ordinal > 1) return 101;
  *device = ordinal;
  return kSuccess;
}
XS_EXPORT cuDeviceGetName(char* name, int capacity, int) {
  std::strncpy(name, "fake device", static_cast<size_t>(capacity));
  return kSuccess;
}
XS_EXPORT cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return kSuccess;
}
XS_EXPORT cuDevicePrimaryCtxRetain(Context** context, int device) {
  if (!state().started) return kNotInitialized;
  ++state().retained;
  *context = &contexts[device];
  return kSuccess;
}
XS_EXPORT cuDevicePrimaryCtxRelease_v2(int) {
  --state().retained;
  return kSuccess;
}
XS_EXPORT cuCtxGetCurrent(Context** context) {
  *context = current();
  return kSuccess;
}
XS_EXPORT cuCtxPushCurrent_v2(Context* context) {
  if (depth == 16) return kInvalidValue;
  stack[depth++] = context;
  return kSuccess;
}
XS_EXPORT cuCtxPopCurrent_v2(Context** context) {
  if (depth == 0) return kInvalidContext;
  *context = stack[--depth];
  return kSuccess;
}
XS_EXPORT cuCtxGetDevice(int* device) {
  XS_NEEDS_CONTEXT("cuCtxGetDevice");
  *device = current()->device;
  return kSuccess;
}
XS_EXPORT cuStreamGetCtx(Stream* stream, Context** context) {
  if (reinterpret_cast<uint64_t>(stream) <= 2) return kInvalidHandle;
  *context = stream->context;
  return kSuccess;
}
XS_EXPORT cuStreamCreate(Stream** stream, unsigned) {
  XS_NEEDS_CONTEXT("cuStreamCreate");
  ++state().streams;
  *stream = new Stream{current()};
  return kSuccess;
}
XS_EXPORT cuStreamDestroy_v2(Stream* stream) {
  --state().streams;
  delete stream;
  return kSuccess;
}
XS_EXPORT cuStreamSynchronize(Stream*) {
  XS_NEEDS_CONTEXT("cuStreamSynchronize");
  ++state().synchronised;
  return kSuccess;
}
XS_EXPORT cuModuleLoadData(void** module, const void* image) {
  XS_NEEDS_CONTEXT("cuModuleLoadData");
  if (!is_module(image)) return kInvalidImage;
  ++state().modules;
  *module = current();
  return kSuccess;
}
XS_EXPORT cuModuleUnload(void*) {
  --state().modules;
  return kSuccess;
}
XS_EXPORT cuModuleGetFunction(const KernelEntry** function, void*, const char* name) {
  XS_NEEDS_CONTEXT("cuModuleGetFunction");
  *function = find_kernel(name);
  return *function != nullptr ? kSuccess : kNotFound;
}
XS_EXPORT cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  XS_NEEDS_CONTEXT("");
  if (bytes == 0) return kInvalidValue;
  if (is_told("cuMemAlloc")) return kOutOfMemory;
  void* made = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  // A sanitizer sees the end of what was asked for: it is not rounded up for it.
#if XLASHAPE_ADDRESS_SANITIZER
  std::free(made);
  made = std::malloc(bytes);
#endif
  if (made == nullptr) return kOutOfMemory;
  *address = reinterpret_cast<uint64_t>(made);
  const std::lock_guard guard(state().lock);
  ++state().allocated;
  state().allocations[*address] = bytes;
  state().device_of[*address] = current()->device;
  return kSuccess;
}
XS_EXPORT cuMemFree_v2(uint64_t address) {
  XS_NEEDS_CONTEXT("cuMemFree");
  const std::lock_guard guard(state().lock);
  if (state().allocations.erase(address) == 0) return kInvalidValue;
  std::free(reinterpret_cast<void*>(address));
  return kSuccess;
}

// Everything has happened when a call returns: events only know who used them. Memory of the host is counted like the
// device's.
XS_EXPORT cuMemAllocHost_v2(void** memory, size_t bytes) {
  XS_NEEDS_CONTEXT("cuMemAllocHost");
  *memory = std::malloc(bytes);
  ++state().pinned;
  return *memory != nullptr ? kSuccess : kOutOfMemory;
}
XS_EXPORT cuMemFreeHost(void* memory) {
  std::free(memory);
  --state().pinned;
  return kSuccess;
}
XS_EXPORT cuEventCreate(Event** event, unsigned) {
  XS_NEEDS_CONTEXT("cuEventCreate");
  *event = new Event{current(), nullptr, nullptr};
  ++state().events;
  return kSuccess;
}
XS_EXPORT cuEventDestroy_v2(Event* event) {
  --state().events;
  delete event;
  return kSuccess;
}
XS_EXPORT cuEventRecord(Event* event, Stream* stream) {
  XS_NEEDS_CONTEXT("cuEventRecord");
  if (event == nullptr || event->context != context_of(stream)) return kInvalidHandle;
  event->recorded = stream;
  return kSuccess;
}
XS_EXPORT cuStreamWaitEvent(Stream* stream, Event* event, unsigned flags) {
  XS_NEEDS_CONTEXT("cuStreamWaitEvent");
  if (event == nullptr) return kInvalidHandle;
  if (flags != 0) return kInvalidValue;
  event->awaited = stream;
  return kSuccess;
}
XS_EXPORT cuEventSynchronize(Event*) {
  XS_NEEDS_CONTEXT("cuEventSynchronize");
  return kSuccess;
}

namespace {
// Whether [address, address + bytes) lies in one allocation.
bool is_inside(uint64_t address, uint64_t bytes) {
  const std::lock_guard guard(state().lock);
  auto after = state().allocations.upper_bound(address);
  if (after == state().allocations.begin()) return false;
  --after;
  return address + bytes <= after->first + after->second;
}
}  // namespace

XS_EXPORT cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, Stream*) {
  XS_NEEDS_CONTEXT("cuMemcpyHtoDAsync");
  if (!is_inside(to, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return kSuccess;
}
XS_EXPORT cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, Stream*) {
  XS_NEEDS_CONTEXT("cuMemcpyDtoHAsync");
  if (!is_inside(from, bytes)) return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return kSuccess;
}
XS_EXPORT cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, Stream*) {
  XS_NEEDS_CONTEXT("cuMemcpyDtoDAsync");
  if (!is_inside(to, bytes) || !is_inside(from, bytes)) return kInvalidValue;
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return kSuccess;
}
XS_EXPORT cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, Stream*) {
  XS_NEEDS_CONTEXT("cuMemsetD8Async");
  if (!is_inside(to, bytes)) return kInvalidValue;
  std::memset(reinterpret_cast<void*>(to), byte, bytes);
  return kSuccess;
}
XS_EXPORT cuPointerGetAttribute(void* value, int attribute, uint64_t address) {
  if (!is_inside(address, 1)) return kInvalidValue;
  int device;
  {
    const std::lock_guard guard(state().lock);
    device = (--state().device_of.upper_bound(address))->second;
  }
  Context* context = &contexts[device];
  if (attribute == 1) {
    std::memcpy(value, &context, sizeof context);
  } else {
    std::memcpy(value, &device, sizeof device);
  }
  return kSuccess;
}
XS_EXPORT cuGetErrorName(int result, const char** name) {
  *name = result == kOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
  return kSuccess;
}
XS_EXPORT cuGetErrorString(int, const char** text) {
  *text = "as the test wished";
  return kSuccess;
}
#ifndef XS_FAKE_LACKS_LAUNCH
XS_EXPORT cuLaunchKernel(const KernelEntry* kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream* stream, void** parameters,
                         void** extra) {
  XS_NEEDS_CONTEXT("cuLaunchKernel");
  if (kernel == nullptr || parameters == nullptr || extra != nullptr) return kInvalidValue;
  if (reinterpret_cast<uint64_t>(stream) > 2 && stream->context != current()) return kInvalidHandle;
  const uint64_t threads = uint64_t{block_x} * block_y * block_z;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_x > 0x7FFFFFFF || grid_y > 65535 || grid_z > 65535 ||
      threads == 0 || threads > 1024 || block_z > 64 || shared_bytes > 48 << 10)
    return kInvalidValue;
  // The kernels' own launch bounds.
  if (threads != XS_THREADS || grid_y != 1 || grid_z != 1) return 701;
  uint64_t pointer[3];
  for (int i = 0; i < 3; ++i) std::memcpy(&pointer[i], parameters[i], 8);
  ++state().launched;
  const char* wrong =
      kernel->run(grid_x, reinterpret_cast<const void*>(pointer[0]), reinterpret_cast<void*>(pointer[1]),
                  reinterpret_cast<void*>(pointer[2]), parameters[3]);
  return wrong == nullptr ? kSuccess : kLaunchFailed;
}
#endif

// For tests: what was not given back (0: allocations, 1: primary contexts, 2: modules, 3: streams), how often it
// synchronised (4), allocated (5) and launched (6); pinned buffers (7) and events (8) not given back.
XS_EXPORT fake_cuda_count(int what) {
  const std::lock_guard guard(state().lock);
  const State& s = state();
  const int counts[] = {static_cast<int>(s.allocations.size()),
                        s.retained,
                        s.modules,
                        s.streams,
                        s.synchronised,
                        s.allocated,
                        s.launched,
                        s.pinned,
                        s.events};
  return counts[what];
}
// For tests: the stream that an event was recorded on last (0), or that waits for it (1).
extern "C" __attribute__((visibility("default"))) Stream* fake_cuda_stream(const Event* event, int what) {
  return what == 0 ? event->recorded : event->awaited;
}
