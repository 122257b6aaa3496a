// SPDX-License-Identifier: Apache-2.0
// The opencl backend: the kernels on any OpenCL 1.2 device. Buffers are cl_mem with a byte offset. The context is that
// of the caller's queue, or else that of its buffers.
#include "backends/gpu/common/backend.h"

#include <bit>
#include <cstring>
#include <memory>

#include "backends/gpu/opencl/context.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu::opencl {
namespace {

cl_mem mem(uint64_t handle) { return reinterpret_cast<cl_mem>(handle); }

class OpenclGpu {
 public:
  // One copy for each context that the plan runs in. The copies are outside the plan, since a plan never changes.
  class Tables {
   public:
    Tables() = default;
    Tables(const Tables&) = delete;
    ~Tables() {
      if (shared_ == nullptr) return;
      for (const TableCopy& copy : shared_->copies) shared_->cl.clReleaseMemObject(copy.memory);
    }

   private:
    friend class OpenclGpu;
    struct TableCopy {
      OpenclContext* context;
      cl_mem memory;
    };
    struct SharedTables {
      const Functions& cl;
      std::vector<int64_t> words;
      std::mutex lock;
      std::vector<TableCopy> copies;
    };
    std::unique_ptr<SharedTables> shared_;
  };

  class Session {
   public:
    explicit Session(OpenclGpu& gpu) : gpu_(gpu), cl_(gpu.cl_) {}

    xlashape_status start(const xlashape_queue& queue, uint64_t memory, xlashape_error* err) try {
      cl_context context = nullptr;
      if (queue.kind == XLASHAPE_QUEUE_OPENCL) {
        queue_ = reinterpret_cast<cl_command_queue>(queue.handle);
        if (queue_ == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "queue.handle is NULL");
        XS_TRY(check(cl_.clGetCommandQueueInfo(queue_, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
                     "the queue", err));
      } else if (queue.kind != XLASHAPE_QUEUE_NONE) {
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: opencl takes %d, a cl_command_queue",
                    queue.kind, XLASHAPE_QUEUE_OPENCL);
      } else if (memory != 0) {
        XS_TRY(context_of(memory, &context, err));
      }
      XS_TRY(context != nullptr ? gpu_.contexts_.find(context, &context_, err) : gpu_.contexts_.own(&context_, err));
      waits_ = queue_ == nullptr;
      if (waits_) queue_ = context_->queue();
      return XLASHAPE_STATUS_OK;
    } catch (const std::bad_alloc&) {
      return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for an OpenCL context");
    }

    xlashape_status reach(const char* side, xlashape_memory_space, uint64_t memory, xlashape_error* err) {
      if (memory == 0) return XLASHAPE_STATUS_OK;
      cl_context context = nullptr;
      XS_TRY(context_of(memory, &context, err));
      if (context == context_->id()) return XLASHAPE_STATUS_OK;
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "%s is in another OpenCL context than the queue or the other side", side);
    }

    // Buffers begin at addresses aligned to at least 128 bytes.
    int64_t alignment(uint64_t, int64_t offset) const {
      return int64_t{1} << std::min(4, std::countr_zero(static_cast<uint64_t>(offset)));
    }
    xlashape_status alloc(int64_t bytes, uint64_t* memory, xlashape_error* err) {
      cl_int code;
      cl_mem made = cl_.clCreateBuffer(context_->id(), CL_MEM_READ_WRITE, static_cast<size_t>(bytes), nullptr, &code);
      XS_TRY(check(code, "clCreateBuffer", err));
      *memory = reinterpret_cast<uint64_t>(made);
      return XLASHAPE_STATUS_OK;
    }
    void free(uint64_t memory) { cl_.clReleaseMemObject(mem(memory)); }
    xlashape_status write(uint64_t memory, const void* from, int64_t bytes, xlashape_error* err) {
      return check(cl_.clEnqueueWriteBuffer(queue_, mem(memory), CL_TRUE, 0, static_cast<size_t>(bytes), from, 0,
                                            nullptr, nullptr),
                   "clEnqueueWriteBuffer", err);
    }
    xlashape_status read(void* to, uint64_t memory, int64_t bytes, xlashape_error* err) {
      return check(
          cl_.clEnqueueReadBuffer(queue_, mem(memory), CL_TRUE, 0, static_cast<size_t>(bytes), to, 0, nullptr, nullptr),
          "clEnqueueReadBuffer", err);
    }
    xlashape_status copy(uint64_t to, uint64_t from, int64_t bytes, xlashape_error* err) {
      return check(
          cl_.clEnqueueCopyBuffer(queue_, mem(from), mem(to), 0, 0, static_cast<size_t>(bytes), 0, nullptr, nullptr),
          "clEnqueueCopyBuffer", err);
    }
    xlashape_status fill(uint64_t to, int32_t byte, int64_t bytes, xlashape_error* err) {
      const auto pattern = static_cast<unsigned char>(byte);
      return check(
          cl_.clEnqueueFillBuffer(queue_, mem(to), &pattern, 1, 0, static_cast<size_t>(bytes), 0, nullptr, nullptr),
          "clEnqueueFillBuffer", err);
    }

    xlashape_status tables(const Tables& tables, uint64_t* memory, xlashape_error* err) try {
      Tables::SharedTables& shared = *tables.shared_;
      const std::lock_guard lock(shared.lock);
      for (const Tables::TableCopy& copy : shared.copies)
        if (copy.context == context_) {
          *memory = reinterpret_cast<uint64_t>(copy.memory);
          return XLASHAPE_STATUS_OK;
        }
      shared.copies.reserve(shared.copies.size() + 1);
      cl_int code;
      cl_mem made =
          cl_.clCreateBuffer(context_->id(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             shared.words.size() * sizeof(int64_t), const_cast<int64_t*>(shared.words.data()), &code);
      XS_TRY(check(code, "clCreateBuffer", err));
      shared.copies.push_back({context_, made});
      *memory = reinterpret_cast<uint64_t>(made);
      return XLASHAPE_STATUS_OK;
    } catch (const std::bad_alloc&) {
      return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the tables of a plan");
    }

    xlashape_status launch(const Launch& launch, uint64_t src, uint64_t dst, uint64_t tables, xlashape_error* err) {
      return context_->launch(queue_, launch, mem(src), mem(dst), mem(tables), err);
    }
    xlashape_status finish(xlashape_error* err) {
      return waits_ ? wait(err) : check(cl_.clFlush(queue_), "clFlush", err);
    }
    xlashape_status wait(xlashape_error* err) { return check(cl_.clFinish(queue_), "clFinish", err); }
    xlashape_status wait_for(uint64_t event, xlashape_error* err) {
      if (event == 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "event is NULL: opencl takes a cl_event");
      const auto awaited = reinterpret_cast<cl_event>(event);
      XS_TRY(
          check(cl_.clEnqueueBarrierWithWaitList(queue_, 1, &awaited, nullptr), "clEnqueueBarrierWithWaitList", err));
      return finish(err);
    }
    // Flushed at once, since another queue could otherwise wait for commands that are never begun.
    xlashape_status signal(uint64_t* event, xlashape_error* err) {
      cl_event made = nullptr;
      XS_TRY(check(cl_.clEnqueueMarkerWithWaitList(queue_, 0, nullptr, &made), "clEnqueueMarkerWithWaitList", err));
      const xlashape_status status = finish(err);
      if (status != XLASHAPE_STATUS_OK) return cl_.clReleaseEvent(made), status;
      *event = reinterpret_cast<uint64_t>(made);
      return XLASHAPE_STATUS_OK;
    }

   private:
    xlashape_status context_of(uint64_t memory, cl_context* context, xlashape_error* err) {
      return check(cl_.clGetMemObjectInfo(mem(memory), CL_MEM_CONTEXT, sizeof *context, context, nullptr),
                   "the buffer is not a cl_mem", err);
    }

    OpenclGpu& gpu_;
    const Functions& cl_;
    OpenclContext* context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    bool waits_ = true;
  };

  explicit OpenclGpu(const xlashape_host& host) : host_(host) {}

  // Checks what can be known without using a device: the library, and that it has a platform.
  xlashape_status open(xlashape_error* err) {
    XS_TRY(load(&cl_, err));
    cl_uint count = 0;
    const cl_int code = cl_.clGetPlatformIDs(0, nullptr, &count);
    if (code == CL_SUCCESS && count > 0) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_DEVICE, "no OpenCL platform is installed: libOpenCL.so.1 found no driver");
  }

  const char* name() const { return "opencl"; }
  static constexpr uint64_t kSpaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_OPENCL);
  static xlashape_memory_space memory_space() { return XLASHAPE_SPACE_OPENCL; }
  Effort effort() const { return Effort::kBest; }
  const xlashape_host* host() const { return &host_; }

  // The context of a plan is known only when the plan runs; its program is then built once.
  xlashape_status check_device(xlashape_error* err) {
    std::vector<cl_device_id> devices;
    return contexts_.devices(&devices, err);
  }

  xlashape_status make_tables(const int64_t* words, int64_t count, Tables* tables, xlashape_error*) {
    tables->shared_.reset(new Tables::SharedTables{cl_, {words, words + count}, {}, {}});
    return XLASHAPE_STATUS_OK;
  }

  static int32_t device_count(void* self) try {
    std::vector<cl_device_id> devices;
    static_cast<OpenclGpu*>(self)->contexts_.devices(&devices, nullptr);
    return static_cast<int32_t>(devices.size());
  } catch (const std::bad_alloc&) {
    return 0;
  }

  static int64_t device_info(void* self, int32_t device, char* text, int64_t capacity) try {
    const OpenclGpu& gpu = *static_cast<OpenclGpu*>(self);
    std::vector<cl_device_id> devices;
    const auto number = static_cast<size_t>(std::max(device - 1, 0));
    if (gpu.contexts_.devices(&devices, nullptr) != XLASHAPE_STATUS_OK || number >= devices.size()) return 0;
    char name[256] = "", version[256] = "";
    if (gpu.cl_.clGetDeviceInfo(devices[number], CL_DEVICE_NAME, sizeof name, name, nullptr) != CL_SUCCESS ||
        gpu.cl_.clGetDeviceInfo(devices[number], CL_DEVICE_VERSION, sizeof version, version, nullptr) != CL_SUCCESS)
      return 0;
    return std::snprintf(text, static_cast<size_t>(capacity), "%s, %s", name, version);
  } catch (const std::bad_alloc&) {
    return 0;
  }

 private:
  const xlashape_host host_;
  Functions cl_{};
  OpenclContexts contexts_{cl_};
};

}  // namespace
}  // namespace xlashape::gpu::opencl

XLASHAPE_BACKEND_ENTRY(opencl)(const xlashape_host* host, xlashape_backend* out, xlashape_error* err) {
  using namespace xlashape;
  using gpu::opencl::OpenclGpu;
  return gpu::open_backend<OpenclGpu>("opencl", "xlashape 0.1.0 opencl, OpenCL C 1.2", host, out, err);
}
