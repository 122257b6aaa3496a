// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/host/backend.h"

#include <atomic>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "backends/gpu/common/backend.h"
#include "backends/gpu/host/kernels.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu::host {
namespace {

std::atomic<int64_t> live{0};
std::atomic<int64_t> launched[kKernels];

void* at(uint64_t memory) { return reinterpret_cast<void*>(memory); }

struct HostGpu {
  // The tables have exactly the size that they need, so that a sanitizer detects accesses beyond them.
  struct Tables {
    std::unique_ptr<int64_t[]> words;
  };

  class Session {
   public:
    explicit Session(const HostGpu& gpu) : gpu_(gpu) {}
    xlashape_status start(const xlashape_queue& queue, uint64_t, xlashape_error* err) {
      if (queue.kind == XLASHAPE_QUEUE_NONE) return XLASHAPE_STATUS_OK;
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: the host dialect has no queue", queue.kind);
    }
    xlashape_status reach(const char*, xlashape_memory_space, uint64_t, xlashape_error*) { return XLASHAPE_STATUS_OK; }
    int64_t alignment(uint64_t memory, int64_t offset) const {
      return std::min(gpu_.settings_.alignment,
                      int64_t{1} << std::min(4, std::countr_zero(memory + static_cast<uint64_t>(offset))));
    }
    xlashape_status alloc(int64_t bytes, uint64_t* memory, xlashape_error* err) {
      void* p = std::malloc(static_cast<size_t>(bytes));
      if (p == nullptr)
        return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for %lld bytes", static_cast<long long>(bytes));
      ++live;
      *memory = reinterpret_cast<uint64_t>(p);
      return XLASHAPE_STATUS_OK;
    }
    void free(uint64_t memory) {
      --live;
      std::free(at(memory));
    }
    xlashape_status write(uint64_t memory, const void* from, int64_t bytes, xlashape_error*) {
      std::memcpy(at(memory), from, static_cast<size_t>(bytes));
      return XLASHAPE_STATUS_OK;
    }
    xlashape_status read(void* to, uint64_t memory, int64_t bytes, xlashape_error*) {
      std::memcpy(to, at(memory), static_cast<size_t>(bytes));
      return XLASHAPE_STATUS_OK;
    }
    xlashape_status copy(uint64_t to, uint64_t from, int64_t bytes, xlashape_error*) {
      std::memcpy(at(to), at(from), static_cast<size_t>(bytes));
      return XLASHAPE_STATUS_OK;
    }
    xlashape_status fill(uint64_t to, int32_t byte, int64_t bytes, xlashape_error*) {
      std::memset(at(to), byte, static_cast<size_t>(bytes));
      return XLASHAPE_STATUS_OK;
    }
    xlashape_status tables(const Tables& tables, uint64_t* memory, xlashape_error*) {
      *memory = reinterpret_cast<uint64_t>(tables.words.get());
      return XLASHAPE_STATUS_OK;
    }
    xlashape_status launch(const Launch& launch, uint64_t src, uint64_t dst, uint64_t tables, xlashape_error* err) {
      const KernelEntry* kernel = find_kernel(name_of(launch.kernel));
      if (kernel->argument_bytes != launch.argument_bytes)
        return fail(err, XLASHAPE_STATUS_INTERNAL, "%s takes %zu bytes of arguments, not %u", kernel->name,
                    kernel->argument_bytes, launch.argument_bytes);
      ++launched[static_cast<int>(launch.kernel)];
      const char* wrong = kernel->run(launch.blocks, at(src), at(dst), at(tables), &launch.arguments);
      return wrong == nullptr ? XLASHAPE_STATUS_OK : fail(err, XLASHAPE_STATUS_DEVICE, "%s: %s", kernel->name, wrong);
    }
    xlashape_status finish(xlashape_error*) { return XLASHAPE_STATUS_OK; }
    xlashape_status wait(xlashape_error*) { return XLASHAPE_STATUS_OK; }
    xlashape_status wait_for(uint64_t, xlashape_error*) { return XLASHAPE_STATUS_OK; }
    xlashape_status signal(uint64_t*, xlashape_error*) { return XLASHAPE_STATUS_OK; }

   private:
    const HostGpu& gpu_;
  };

  const char* name() const { return "host"; }
  static constexpr uint64_t kSpaces = 0;  // besides the CPU's, which all backends stage
  static xlashape_memory_space memory_space() { return 0; }
  Effort effort() const { return settings_.effort; }
  const xlashape_host* host() const { return &host_; }
  xlashape_status check_device(xlashape_error*) { return XLASHAPE_STATUS_OK; }
  xlashape_status make_tables(const int64_t* words, int64_t count, Tables* tables, xlashape_error*) {
    tables->words = std::make_unique<int64_t[]>(static_cast<size_t>(count));
    std::memcpy(tables->words.get(), words, static_cast<size_t>(count) * 8);
    return XLASHAPE_STATUS_OK;
  }

  xlashape_host host_;
  Settings settings_;
};

}  // namespace

int64_t launches(Kernel kernel) { return launched[static_cast<int>(kernel)]; }
int64_t live_buffers() { return live; }

xlashape_status open(const xlashape_host* host, const Settings& settings, xlashape_backend* out, xlashape_error* err) {
  xlashape_backend table{};
  table.abi_version = XLASHAPE_BACKEND_ABI_VERSION;
  table.name = "host";
  table.build_id = "the kernels as host C++";
  table.sanitizer = backends::kSanitizer;
  table.memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  GpuBackend<HostGpu>::fill(&table);
  table.close = [](void* self) { delete static_cast<HostGpu*>(self); };
  XS_TRY(backends::publish(host, table, out, err));
  HostGpu* gpu = new (std::nothrow) HostGpu{*host, settings};
  if (gpu == nullptr) return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the backend");
  out->self = gpu;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::gpu::host
