#include "runtime/backend.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace xlashape {
namespace {

// Stubs for the slots that a backend leaves empty, so that no call site checks for null.
Status stub_status(Error* err, const char* slot) {
  return fail(err, XLASHAPE_UNSUPPORTED, "this backend has no %s", slot);
}
void stub_close(void*) {}
int32_t stub_device_count(void*) { return 0; }
Status stub_device_info(void*, int32_t, char*, size_t, Error* err) { return stub_status(err, "device_info"); }
Status stub_plan_size(void*, const xlashape_op*, size_t* bytes, size_t* align) {
  *bytes = 0;
  *align = 1;
  return XLASHAPE_OK;
}
Status stub_plan_init(void*, const xlashape_op*, int32_t, void*, Error*) { return XLASHAPE_OK; }
int64_t stub_plan_tasks(void*, const void*, const xlashape_op*, int64_t) { return 1; }
void stub_plan_destroy(void*, void*) {}
size_t stub_describe(void*, const void*, const xlashape_op*, char* text, size_t capacity) {
  if (capacity > 0) text[0] = '\0';
  return 0;
}
Status stub_mem_alloc(void*, int32_t, int64_t, uint64_t*, Error* err) { return stub_status(err, "mem_alloc"); }
Status stub_mem_free(void*, int32_t, uint64_t, Error* err) { return stub_status(err, "mem_free"); }
Status stub_mem_copy(void*, int32_t, uint64_t, int32_t, uint64_t, int32_t, int64_t, int32_t, uint64_t, Error* err) {
  return stub_status(err, "mem_copy");
}
Status stub_mem_fill(void*, int32_t, uint64_t, int32_t, int64_t, int32_t, uint64_t, Error* err) {
  return stub_status(err, "mem_fill");
}
Status stub_stream_sync(void*, int32_t, int32_t, uint64_t, Error* err) { return stub_status(err, "stream_sync"); }

void fill_stubs(xlashape_backend& t) {
  const auto fill = [](auto& slot, auto stub) {
    if (slot == nullptr) slot = stub;
  };
  if (t.name == nullptr) t.name = "";
  if (t.build_id == nullptr) t.build_id = "";
  if (t.sanitizer == nullptr) t.sanitizer = "";
  fill(t.close, stub_close);
  fill(t.device_count, stub_device_count);
  fill(t.device_info, stub_device_info);
  fill(t.plan_size, stub_plan_size);
  fill(t.plan_init, stub_plan_init);
  fill(t.plan_tasks, stub_plan_tasks);
  fill(t.plan_destroy, stub_plan_destroy);
  fill(t.describe, stub_describe);
  fill(t.mem_alloc, stub_mem_alloc);
  fill(t.mem_free, stub_mem_free);
  fill(t.mem_copy, stub_mem_copy);
  fill(t.mem_fill, stub_mem_fill);
  fill(t.stream_sync, stub_stream_sync);
}

void* host_alloc(void* opaque, size_t size, size_t alignment) {
  return static_cast<const Hooks*>(opaque)->alloc(size, alignment);
}
void host_free(void* opaque, void* pointer, size_t size, size_t alignment) {
  static_cast<const Hooks*>(opaque)->free(pointer, size, alignment);
}
void host_log(void* opaque, int32_t level, uint32_t source, const char* text, size_t len) {
  static_cast<const Hooks*>(opaque)->log(level, source, text, len);
}

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }
constexpr int64_t kMaxAlignment = 4096;

}  // namespace

void fill_host(Backend& backend, const Hooks& hooks, const Cpu& cpu, int32_t ordinal) {
  xlashape_host& host = backend.host;
  host.struct_size = sizeof host;
  host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  host.source = static_cast<uint32_t>(ordinal) + 1;
  host.opaque = const_cast<Hooks*>(&hooks);
  host.alloc = host_alloc;
  host.free = host_free;
  host.log = host_log;
  host.cpu_features[0] = cpu.features;
  host.l1_bytes = cpu.l1_bytes;
  host.l2_bytes = cpu.l2_bytes;
  host.l3_bytes = cpu.l3_bytes;
  host.manifest_path = backend.found.manifest.c_str();
  host.process_id = getpid();
}

Status open_backend(const xlashape_host& host, xlashape_backend_open open, xlashape_backend* table, const char** stage,
                    Error* err) {
  *table = {};
  table->struct_size = sizeof *table;
  xlashape_error own{};
  own.struct_size = sizeof own;
  *stage = "open";
  if (const Status status = open(&host, table, &own)) {
    own.message[sizeof own.message - 1] = '\0';
    return fail(err, status, "%s", own.message[0] != '\0' ? own.message : xlashape_status_name(status));
  }
  *stage = "version";
  if (table->abi_version < host.abi_min || table->abi_version > host.abi_max)
    return fail(err, XLASHAPE_VERSION, "it speaks plugin ABI %u.%u, which was not offered: this library speaks %u.%u",
                table->abi_version >> 16, table->abi_version & 0xFFFF, host.abi_max >> 16, host.abi_max & 0xFFFF);
  *stage = "table";
  if (table->struct_size < offsetof(xlashape_backend, plan_tasks) || table->struct_size > sizeof *table)
    return fail(err, XLASHAPE_VERSION, "struct_size of its table is %u, it must be within %zu and %zu",
                table->struct_size, offsetof(xlashape_backend, plan_tasks), sizeof *table);
  // What lies beyond the size it tells was not meant.
  std::memset(reinterpret_cast<char*>(table) + table->struct_size, 0, sizeof *table - table->struct_size);
  if (table->supports == nullptr || table->plan_execute == nullptr)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "it has no %s",
                table->supports == nullptr ? "supports" : "plan_execute");
  if ((table->plan_size == nullptr) != (table->plan_init == nullptr))
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "it has only one of plan_size and plan_init");
  fill_stubs(*table);
  return XLASHAPE_OK;
}

bool is_sound(const xlashape_support& s) {
  const auto alignment = [](int64_t a) {
    return a >= 0 && a <= kMaxAlignment && (a == 0 || is_power_of_two(static_cast<uint64_t>(a)));
  };
  return s.level >= XLASHAPE_SUPPORT_NONE && s.level <= XLASHAPE_SUPPORT_NATIVE && alignment(s.src_alignment) &&
         alignment(s.dst_alignment) && s.scratch_bytes >= 0;
}

Status part_size(const xlashape_backend& table, const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err) {
  *bytes = 0;
  *alignment = 1;
  if (const Status status = table.plan_size(table.self, &op, bytes, alignment))
    return fail(err, status, "backend %s: plan_size failed: %s", table.name, xlashape_status_name(status));
  if (!is_power_of_two(*alignment) || *alignment > size_t{kMaxAlignment} || *bytes > (size_t{1} << 32))
    return fail(err, XLASHAPE_INTERNAL, "backend %s: plan_size asks for %zu bytes at alignment %zu", table.name, *bytes,
                *alignment);
  *alignment = std::max<size_t>(*alignment, alignof(max_align_t));
  return XLASHAPE_OK;
}

}  // namespace xlashape
