// SPDX-License-Identifier: Apache-2.0
// The cuda backend: the kernels on NVIDIA GPUs through the driver API. It uses the context of the caller's stream, the
// current context, or a device's primary one, and restores the context that was current.
#include "backends/gpu/common/backend.h"

#include <bit>
#include <cstring>

#include "backends/gpu/cuda/context.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu::cuda {
namespace {

class CudaGpu {
 public:
  // Tables are in the context in which the plan was made.
  class Tables {
   public:
    Tables() = default;
    Tables(const Tables&) = delete;
    ~Tables() {
      if (address_ == 0) return;
      Current current(*cu_);
      if (current.set(context_, nullptr) == XLASHAPE_STATUS_OK) cu_->cuMemFree(address_);
    }

   private:
    friend class CudaGpu;
    const Driver* cu_ = nullptr;
    CUcontext context_ = nullptr;
    CUdeviceptr address_ = 0;
  };

  class Session {
   public:
    explicit Session(CudaGpu& gpu) : gpu_(gpu), cu_(gpu.cu_), current_(gpu.cu_) {}

    xlashape_status start(const xlashape_queue& queue, uint64_t memory, xlashape_error* err) try {
      if (queue.kind != XLASHAPE_QUEUE_NONE && queue.kind != XLASHAPE_QUEUE_CUDA)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: cuda takes %d, a CUstream", queue.kind,
                    XLASHAPE_QUEUE_CUDA);
      waits_ = queue.kind == XLASHAPE_QUEUE_NONE;
      CUcontext context;
      XS_TRY(gpu_.contexts_.choose(!waits_, queue.handle, memory, &context, err));
      XS_TRY(current_.set(context, err));
      XS_TRY(gpu_.contexts_.find(context, waits_, &context_, err));
      stream_ = waits_ ? context_->stream : reinterpret_cast<CUstream>(queue.handle);
      return XLASHAPE_STATUS_OK;
    } catch (const std::bad_alloc&) {
      return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for a CUDA context");
    }

    xlashape_status reach(const char* side, xlashape_memory_space space, uint64_t memory, xlashape_error* err) {
      if (memory == 0 || space != XLASHAPE_SPACE_CUDA) return XLASHAPE_STATUS_OK;
      CUdevice device = -1;
      if (cu_.cuPointerGetAttribute(&device, kPointerDevice, memory) != kSuccess)
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is not an address that CUDA knows", side);
      if (device == context_->device) return XLASHAPE_STATUS_OK;
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is on CUDA device %d, the call runs on device %d", side,
                  device, context_->device);
    }

    int64_t alignment(uint64_t memory, int64_t offset) const {
      return int64_t{1} << std::min(4, std::countr_zero(memory + static_cast<uint64_t>(offset)));
    }
    xlashape_status alloc(int64_t bytes, uint64_t* memory, xlashape_error* err) {
      CUdeviceptr address = 0;
      XS_TRY(cu_.check(cu_.cuMemAlloc(&address, static_cast<size_t>(bytes)), "cuMemAlloc", err));
      *memory = address;
      return XLASHAPE_STATUS_OK;
    }
    void free(uint64_t memory) { cu_.cuMemFree(memory); }
    xlashape_status write(uint64_t memory, const void* from, int64_t bytes, xlashape_error* err) {
      return context_->pinned.write(cu_, memory, from, bytes, stream_, err);
    }
    xlashape_status read(void* to, uint64_t memory, int64_t bytes, xlashape_error* err) {
      return context_->pinned.read(cu_, to, memory, bytes, stream_, err);
    }
    xlashape_status copy(uint64_t to, uint64_t from, int64_t bytes, xlashape_error* err) {
      return cu_.check(cu_.cuMemcpyDtoDAsync(to, from, static_cast<size_t>(bytes), stream_), "cuMemcpyDtoDAsync", err);
    }
    xlashape_status fill(uint64_t to, int32_t byte, int64_t bytes, xlashape_error* err) {
      return cu_.check(cu_.cuMemsetD8Async(to, static_cast<unsigned char>(byte), static_cast<size_t>(bytes), stream_),
                       "cuMemsetD8Async", err);
    }

    xlashape_status tables(const Tables& tables, uint64_t* memory, xlashape_error* err) {
      if (tables.context_ != context_->id)
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                    "the plan keeps its tables in another CUDA context: make it while this one is current");
      *memory = tables.address_;
      return XLASHAPE_STATUS_OK;
    }

    xlashape_status launch(const Launch& launch, uint64_t src, uint64_t dst, uint64_t tables, xlashape_error* err) {
      void* parameters[] = {&src, &dst, &tables, const_cast<void*>(static_cast<const void*>(&launch.arguments))};
      return cu_.check(cu_.cuLaunchKernel(context_->kernels[static_cast<int>(launch.kernel)], launch.blocks, 1, 1,
                                          XS_THREADS, 1, 1, 0, stream_, parameters, nullptr),
                       name_of(launch.kernel), err);
    }
    xlashape_status finish(xlashape_error* err) { return waits_ ? wait(err) : XLASHAPE_STATUS_OK; }
    xlashape_status wait(xlashape_error* err) {
      return cu_.check(cu_.cuStreamSynchronize(stream_), "cuStreamSynchronize", err);
    }
    xlashape_status wait_for(uint64_t event, xlashape_error* err) {
      if (event == 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "event is NULL: cuda takes a CUevent");
      return cu_.check(cu_.cuStreamWaitEvent(stream_, reinterpret_cast<CUevent>(event), 0), "cuStreamWaitEvent", err);
    }
    xlashape_status signal(uint64_t* event, xlashape_error* err) {
      if (*event == 0)
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "event is NULL: cuda records a CUevent of the caller's");
      return cu_.check(cu_.cuEventRecord(reinterpret_cast<CUevent>(*event), stream_), "cuEventRecord", err);
    }
    CUcontext context() const { return context_->id; }

   private:
    CudaGpu& gpu_;
    const Driver& cu_;
    Current current_;
    CudaContext* context_ = nullptr;
    CUstream stream_ = nullptr;
    bool waits_ = true;
  };

  explicit CudaGpu(const xlashape_host& host) : host_(host) {}
  xlashape_status open(xlashape_error* err) {
    XS_TRY(choose_kernels(err));
    return cu_.load(err);
  }

  const char* name() const { return "cuda"; }
  static constexpr uint64_t kSpaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CUDA) |
                                      XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CUDA_HOST) |
                                      XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CUDA_MANAGED);
  static xlashape_memory_space memory_space() { return XLASHAPE_SPACE_CUDA; }
  Effort effort() const { return effort_; }
  const xlashape_host* host() const { return &host_; }

  // Loads the kernels into the context in which the plan is made, so that executions need not.
  xlashape_status check_device(xlashape_error* err) {
    Session session(*this);
    return session.start({}, 0, err);
  }

  xlashape_status make_tables(const int64_t* words, int64_t count, Tables* tables, xlashape_error* err) {
    Session session(*this);
    XS_TRY(session.start({}, 0, err));
    uint64_t memory;
    XS_TRY(session.alloc(8 * count, &memory, err));
    tables->cu_ = &cu_;
    tables->context_ = session.context();
    tables->address_ = memory;
    return session.write(memory, words, 8 * count, err);
  }

  static int32_t device_count(void* self) {
    int count = 0;
    return static_cast<CudaGpu*>(self)->cu_.cuDeviceGetCount(&count) == kSuccess ? count : 0;
  }

  static int64_t device_info(void* self, int32_t device, char* text, int64_t capacity) {
    const Driver& cu = static_cast<CudaGpu*>(self)->cu_;
    CUdevice id;
    char name[256] = "";
    int major = 0, minor = 0;
    if (cu.cuDeviceGet(&id, std::max(device - 1, 0)) != kSuccess ||
        cu.cuDeviceGetName(name, sizeof name, id) != kSuccess ||
        cu.cuDeviceGetAttribute(&major, kComputeMajor, id) != kSuccess ||
        cu.cuDeviceGetAttribute(&minor, kComputeMinor, id) != kSuccess)
      return 0;
    return std::snprintf(text, static_cast<size_t>(capacity), "%s, sm_%d%d", name, major, minor);
  }

 private:
  // Chooses between the portable kernels and those for NVIDIA; results are the same.
  xlashape_status choose_kernels(xlashape_error* err) {
    const char* const kernels = backends::option(host_, "kernels");
    if (kernels == nullptr || std::strcmp(kernels, "nvidia") == 0) return XLASHAPE_STATUS_OK;
    effort_ = Effort::kBest;
    if (std::strcmp(kernels, "portable") == 0) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "option cuda.kernels is '%.40s': it may be 'nvidia' or 'portable'", kernels);
  }

  const xlashape_host host_;
  Effort effort_ = Effort::kNvidia;
  Driver cu_{};
  CudaContexts contexts_{cu_};
};

}  // namespace
}  // namespace xlashape::gpu::cuda

XLASHAPE_BACKEND_ENTRY(cuda)(const xlashape_host* host, xlashape_backend* out, xlashape_error* err) {
  using namespace xlashape;
  using gpu::cuda::CudaGpu;
  return gpu::open_backend<CudaGpu>("cuda", "xlashape 0.1.0 cuda, " XS_CUDA_TARGETS, host, out, err);
}
