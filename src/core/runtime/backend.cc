// SPDX-License-Identifier: Apache-2.0
// What a backend gets from its host: memory, a log, the processor's features, its options.
#include "runtime/backend.h"

#include <algorithm>
#include <bit>

#include "platform/process.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

const Hooks& hooks_of(void* opaque) { return *static_cast<const Backend*>(opaque)->hooks; }

void* host_alloc(void* opaque, size_t size, size_t alignment) {
  return std::has_single_bit(alignment) ? hooks_of(opaque).alloc(size, alignment) : nullptr;
}
void host_free(void* opaque, void* pointer, size_t size, size_t alignment) {
  hooks_of(opaque).free(pointer, size, alignment);
}

// Logs a line under the backend's number and a valid level, whatever number and level it gives.
void host_log(void* opaque, int32_t level, uint32_t, const char* text, int64_t len) {
  const auto& backend = *static_cast<const Backend*>(opaque);
  if (text == nullptr || len < 0) len = 0;
  level = std::clamp(level, int32_t{XLASHAPE_LOG_ERROR}, int32_t{XLASHAPE_LOG_DEBUG});
  // Exceptions of the program's logger must not reach the backend.
  guarded(nullptr, [&] {
    backend.hooks->log(level, backend.calls.source(), {text, static_cast<size_t>(len)});
    return XLASHAPE_STATUS_OK;
  });
}

const char* host_option(void* opaque, const char* key) {
  const auto& backend = *static_cast<const Backend*>(opaque);
  return key != nullptr ? backend.options->find(backend.name, key) : nullptr;
}

}  // namespace

void fill_host(Backend& backend, const Hooks& hooks, const BackendOptions& options, const Cpu& cpu, int32_t ordinal) {
  backend.hooks = &hooks;
  backend.options = &options;
  backend.calls.set_source(static_cast<uint32_t>(ordinal) + 1);
  xlashape_host& host = backend.host;
  host.struct_size = sizeof host;
  host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  host.source = backend.calls.source();
  host.opaque = &backend;
  host.alloc = host_alloc;
  host.free = host_free;
  host.log = host_log;
  host.cpu_features[0] = cpu.features;
  host.l1_bytes = cpu.l1_bytes;
  host.l2_bytes = cpu.l2_bytes;
  host.l3_bytes = cpu.l3_bytes;
  host.manifest_path = backend.found.manifest.c_str();
  host.process_id = process_id();
  host.user = backend.user;
  host.option = host_option;
}

}  // namespace xlashape::core
