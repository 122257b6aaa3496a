/* SPDX-License-Identifier: Apache-2.0 */
// What a GPU's API provides: the slots of all GPU backends are written once over it. `Api` is the backend's `self`:
//
//   struct Api {
//     using Tables;   // a plan's tables in device memory; default-constructed, released by its destructor
//     using Session;  // one execution: a context and a queue. Not thread-safe, on the stack.
//     const char* name() const;
//     static constexpr uint64_t kSpaces;               // bits of the spaces besides the CPU's that its kernels reach
//     static xlashape_memory_space memory_space();     // of its allocations
//     Effort effort() const;
//     const xlashape_host* host() const;
//     xlashape_status make_tables(const int64_t* words, int64_t count, Tables*, xlashape_error*);
//     xlashape_status check_device(xlashape_error*);  // OK if there is a device and its kernels are loaded
//   };
//   struct Session {
//     explicit Session(Api&);
//     // `memory`: a device allocation of the caller, 0 for none.
//     // Without a queue a private one is used, and finish() waits.
//     xlashape_status start(const xlashape_queue&, uint64_t memory, xlashape_error*);
//     // INVALID_ARGUMENT for a caller's allocation that this context or device does not reach.
//     xlashape_status reach(const char* side, xlashape_memory_space, uint64_t memory, xlashape_error*);
//     int64_t alignment(uint64_t memory, int64_t offset) const;
//     xlashape_status alloc(int64_t bytes, uint64_t* memory, xlashape_error*);
//     void free(uint64_t memory);
//     xlashape_status write(uint64_t memory, const void* from, int64_t bytes, xlashape_error*);  // waits
//     xlashape_status read(void* to, uint64_t memory, int64_t bytes, xlashape_error*);           // waits
//     xlashape_status copy(uint64_t to, uint64_t from, int64_t bytes, xlashape_error*);
//     xlashape_status fill(uint64_t to, int32_t byte, int64_t bytes, xlashape_error*);
//     xlashape_status tables(const Tables&, uint64_t* memory, xlashape_error*);
//     // The execution's offsets are added to those of the arguments already.
//     xlashape_status launch(const Launch&, uint64_t src, uint64_t dst, uint64_t tables, xlashape_error*);
//     xlashape_status finish(xlashape_error*);  // waits on a private queue only
//     xlashape_status wait(xlashape_error*);    // on any queue
//     // Events between queues: both only enqueue. `event`: a handle of the API's.
//     xlashape_status wait_for(uint64_t event, xlashape_error*);
//     xlashape_status signal(uint64_t* event, xlashape_error*);
//   };
#pragma once
#include "backends/common/entry.h"
#include "backends/common/system.h"

namespace xlashape::gpu {

#define XS_TRY(...)                                                        \
  do {                                                                     \
    if (const xlashape_status xs_status = (__VA_ARGS__)) return xs_status; \
  } while (false)

using backends::fail;

inline bool is_host(xlashape_memory_space space) { return space == XLASHAPE_SPACE_CPU; }
template <class Api>
bool owns(xlashape_memory_space space) {
  return space > 0 && space < 64 && (Api::kSpaces >> space & 1) != 0;
}

template <class Api>
xlashape_status check_process(const Api& a, xlashape_error* err) {
  if (a.host()->process_id == 0 || a.host()->process_id == backends::process_id()) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_DEVICE, "%s is unavailable in a forked child", a.name());
}

// A caller chooses the device by its queue, or by the context that it has made current.
inline xlashape_status check_number(int32_t device, xlashape_error* err) {
  if (device == 0) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "device is %d: the context says which device it is", device);
}

}  // namespace xlashape::gpu
