/* SPDX-License-Identifier: Apache-2.0 */
// The slots for memory and queues of a GPU. Each call has a session.
#pragma once
#include "backends/gpu/common/api.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu {

template <class Api>
class GpuMemory {
  using Session = typename Api::Session;

 public:
  static void fill(xlashape_backend* table) {
    table->memory_alloc = memory_alloc;
    table->memory_free = memory_free;
    table->memory_copy = memory_copy;
    table->memory_fill = memory_fill;
    table->queue_sync = queue_sync;
    table->queue_wait_event = queue_wait_event;
    table->queue_signal_event = queue_signal_event;
  }

 private:
  static Api& api(void* self) { return *static_cast<Api*>(self); }

  static xlashape_status check_space(const Api& a, int32_t space, int32_t device, xlashape_error* err) {
    XS_TRY(check_number(device, err));
    if (space == a.memory_space()) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no memory of its own in space %d", a.name(), space);
  }

  static xlashape_status memory_alloc(void* self, int32_t device, int32_t space, int64_t bytes, uint64_t* address,
                                      xlashape_error* err) {
    XS_TRY(check_space(api(self), space, device, err));
    XS_TRY(check_process(api(self), err));
    XS_TRY(api(self).check_device(err));
    Session session(api(self));
    XS_TRY(session.start({}, 0, err));
    return session.alloc(bytes, address, err);
  }

  static xlashape_status memory_free(void* self, int32_t device, uint64_t address, int32_t space, xlashape_error* err) {
    XS_TRY(check_space(api(self), space, device, err));
    if (address == 0) return XLASHAPE_STATUS_OK;
    Session session(api(self));
    XS_TRY(session.start({}, address, err));
    session.free(address);
    return XLASHAPE_STATUS_OK;
  }

  static xlashape_status memory_copy(void* self, int32_t device, uint64_t src, int32_t src_space, uint64_t dst,
                                     int32_t dst_space, int64_t bytes, const xlashape_queue* queue,
                                     xlashape_error* err) {
    const Api& a = api(self);
    XS_TRY(check_number(device, err));
    const bool to_host = is_host(dst_space), from_host = is_host(src_space);
    if ((to_host && from_host) || !(to_host || owns<Api>(dst_space)) || !(from_host || owns<Api>(src_space)))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s does not copy from memory space %d to %d", a.name(), src_space,
                  dst_space);
    if (queue->kind != XLASHAPE_QUEUE_NONE && (to_host || from_host))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: a copy with host memory waits", queue->kind);
    if (bytes == 0) return XLASHAPE_STATUS_OK;
    Session session(api(self));
    XS_TRY(session.start(*queue, to_host ? src : dst, err));
    if (to_host) return session.read(reinterpret_cast<void*>(dst), src, bytes, err);
    if (from_host) return session.write(dst, reinterpret_cast<const void*>(src), bytes, err);
    XS_TRY(session.copy(dst, src, bytes, err));
    return session.finish(err);
  }

  static xlashape_status memory_fill(void* self, int32_t device, uint64_t dst, int32_t space, int32_t byte,
                                     int64_t bytes, const xlashape_queue* queue, xlashape_error* err) {
    XS_TRY(check_space(api(self), space, device, err));
    if (bytes == 0) return XLASHAPE_STATUS_OK;
    Session session(api(self));
    XS_TRY(session.start(*queue, dst, err));
    XS_TRY(session.fill(dst, byte, bytes, err));
    return session.finish(err);
  }

  static xlashape_status queue_sync(void* self, int32_t device, const xlashape_queue* queue, xlashape_error* err) {
    XS_TRY(check_number(device, err));
    Session session(api(self));
    XS_TRY(session.start(*queue, 0, err));
    return session.wait(err);
  }

  static xlashape_status queue_wait_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t event,
                                          xlashape_error* err) {
    XS_TRY(check_number(device, err));
    Session session(api(self));
    XS_TRY(session.start(*queue, 0, err));
    return session.wait_for(event, err);
  }

  static xlashape_status queue_signal_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t* event,
                                            xlashape_error* err) {
    XS_TRY(check_number(device, err));
    Session session(api(self));
    XS_TRY(session.start(*queue, 0, err));
    return session.signal(event, err);
  }
};

}  // namespace xlashape::gpu
