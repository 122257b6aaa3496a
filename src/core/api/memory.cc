// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Queues and memory of devices".
#include <cstddef>
#include <cstring>

#include "api/check.h"
#include "base/struct_io.h"
#include "exec/runtime.h"
#include "runtime/registry.h"
#include "xlashape_runtime.h"

using namespace xlashape::core;

namespace {

// The name and offset of a slot of a backend's table.
struct TableSlot {
  const char* name;
  size_t offset;
};
#define SLOT(name) \
  { #name, offsetof(xlashape_backend, name) }

Status check_bytes(int64_t bytes, Error* err) {
  if (bytes >= 0) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "bytes is %lld, it must not be negative", ll(bytes));
}

// The bytes at a place, of which only the CPU's have addresses that all backends understand alike.
Status check_place(uint64_t address, xlashape_memory_space space, const char* name, int64_t bytes, Error* err) {
  XLASHAPE_TRY(check_bytes(bytes, err));
  if (space != XLASHAPE_SPACE_CPU || (address <= UINTPTR_MAX && static_cast<uint64_t>(bytes) <= UINTPTR_MAX - address))
    return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%s is 0x%llx, %lld bytes from there are beyond the last address",
              name, static_cast<unsigned long long>(address), ll(bytes));
}

Status read_real_queue(const xlashape_queue* in, xlashape_queue* out, Error* err) {
  XLASHAPE_TRY(require(in, "queue", err));
  XLASHAPE_TRY(read_queue(in, out, err));
  if (out->kind != XLASHAPE_QUEUE_NONE) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "queue.kind is QUEUE_NONE: events are between queues");
}

// What calls the backend for `space`, where it has that device and that slot.
Status find_calls(Runtime* runtime, int32_t device, xlashape_memory_space space, const TableSlot& slot,
                  const BackendCalls** calls, Error* err) {
  XLASHAPE_TRY(check_space(space, "space", err));
  if (space == XLASHAPE_SPACE_CPU)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "space is the CPU's: its memory is the caller's");
  XLASHAPE_TRY(or_default(&runtime, err));
  const Backend* backend;
  XLASHAPE_TRY(find_space(*runtime, space, &backend, err));
  XLASHAPE_TRY(backend->calls.check_device(device, err));
  void (*entry)();
  std::memcpy(&entry, reinterpret_cast<const char*>(&backend->calls.table()) + slot.offset, sizeof entry);
  if (entry == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "backend %s has no %s", backend->name.c_str(), slot.name);
  *calls = &backend->calls;
  return XLASHAPE_STATUS_OK;
}

// Runs body(table, record) on that backend.
template <class Body>
Status on_device(Runtime* runtime, int32_t device, xlashape_memory_space space, const TableSlot& slot, Error* err,
                 const Body& body) {
  const BackendCalls* calls;
  XLASHAPE_TRY(guarded(err, [&] { return find_calls(runtime, device, space, slot, &calls, err); }));
  return calls->call_seldom(slot.name, err, body);
}

}  // namespace

extern "C" {

xlashape_status xlashape_memory_alloc(xlashape_runtime* runtime, int32_t device, xlashape_memory_space space,
                                      int64_t bytes, uint64_t* address, xlashape_error* err) {
  XLASHAPE_TRY(check_bytes(bytes, err));
  XLASHAPE_TRY(require(address, "address", err));
  uint64_t made = 0;
  XLASHAPE_TRY(on_device(runtime, device, space, SLOT(memory_alloc), err, [&](const xlashape_backend& t, Error* own) {
    return t.memory_alloc(t.self, device, space, bytes, &made, own);
  }));
  *address = made;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_memory_free(xlashape_runtime* runtime, int32_t device, uint64_t address,
                                     xlashape_memory_space space, xlashape_error* err) {
  return on_device(runtime, device, space, SLOT(memory_free), err, [&](const xlashape_backend& t, Error* own) {
    return address == 0 ? XLASHAPE_STATUS_OK : t.memory_free(t.self, device, address, space, own);
  });
}

xlashape_status xlashape_memory_copy(xlashape_runtime* runtime, int32_t device, uint64_t src,
                                     xlashape_memory_space src_space, uint64_t dst, xlashape_memory_space dst_space,
                                     int64_t bytes, const xlashape_queue* queue, xlashape_error* err) {
  XLASHAPE_TRY(check_space(src_space, "src_space", err));
  XLASHAPE_TRY(check_space(dst_space, "dst_space", err));
  XLASHAPE_TRY(check_place(src, src_space, "src", bytes, err));
  XLASHAPE_TRY(check_place(dst, dst_space, "dst", bytes, err));
  xlashape_queue on;
  XLASHAPE_TRY(read_queue(queue, &on, err));
  const xlashape_memory_space space = dst_space != XLASHAPE_SPACE_CPU ? dst_space : src_space;
  return on_device(runtime, device, space, SLOT(memory_copy), err, [&](const xlashape_backend& t, Error* own) {
    return t.memory_copy(t.self, device, src, src_space, dst, dst_space, bytes, &on, own);
  });
}

xlashape_status xlashape_memory_fill(xlashape_runtime* runtime, int32_t device, uint64_t dst,
                                     xlashape_memory_space space, int32_t byte, int64_t bytes,
                                     const xlashape_queue* queue, xlashape_error* err) {
  XLASHAPE_TRY(check_bytes(bytes, err));
  if (byte < 0 || byte > 255)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "byte is %d, it must be within 0 and 255", byte);
  xlashape_queue on;
  XLASHAPE_TRY(read_queue(queue, &on, err));
  return on_device(runtime, device, space, SLOT(memory_fill), err, [&](const xlashape_backend& t, Error* own) {
    return t.memory_fill(t.self, device, dst, space, byte, bytes, &on, own);
  });
}

xlashape_status xlashape_queue_wait_event(xlashape_runtime* runtime, int32_t device, xlashape_memory_space space,
                                          const xlashape_queue* queue, uint64_t event, xlashape_error* err) {
  xlashape_queue on;
  XLASHAPE_TRY(read_real_queue(queue, &on, err));
  return on_device(runtime, device, space, SLOT(queue_wait_event), err, [&](const xlashape_backend& t, Error* own) {
    return t.queue_wait_event(t.self, device, &on, event, own);
  });
}

xlashape_status xlashape_queue_signal_event(xlashape_runtime* runtime, int32_t device, xlashape_memory_space space,
                                            const xlashape_queue* queue, uint64_t* event, xlashape_error* err) {
  XLASHAPE_TRY(require(event, "event", err));
  xlashape_queue on;
  XLASHAPE_TRY(read_real_queue(queue, &on, err));
  uint64_t own_event = *event;
  XLASHAPE_TRY(
      on_device(runtime, device, space, SLOT(queue_signal_event), err, [&](const xlashape_backend& t, Error* own) {
        return t.queue_signal_event(t.self, device, &on, &own_event, own);
      }));
  *event = own_event;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_queue_sync(xlashape_runtime* runtime, int32_t device, xlashape_memory_space space,
                                    const xlashape_queue* queue, xlashape_error* err) {
  xlashape_queue on;
  XLASHAPE_TRY(read_queue(queue, &on, err));
  return on_device(runtime, device, space, SLOT(queue_sync), err,
                   [&](const xlashape_backend& t, Error* own) { return t.queue_sync(t.self, device, &on, own); });
}

}  // extern "C"
