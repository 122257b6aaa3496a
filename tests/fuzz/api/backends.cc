// SPDX-License-Identifier: Apache-2.0
// Backends of ours. Each does what the library tries it with before it is used, by the reference walker; then one goes
// on like that, one has devices besides, whose memory is the program's, and the others refuse plans or executions, with
// a message or without: as its Behaviour says.
#include <cstdio>
#include <iterator>

#include "ir/reference.h"
#include "runtimes.h"
#include "xlashape_runtime.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);
#ifdef XLASHAPE_WITH_SIMD
extern "C" xlashape_status xlashape_backend_open_simd(const xlashape_host*, xlashape_backend*, xlashape_error*);
const xlashape_backend_open_fn api_fuzz::open_simd = xlashape_backend_open_simd;
#else
const xlashape_backend_open_fn api_fuzz::open_simd = nullptr;
#endif

namespace api_fuzz {
namespace {

xlashape_status say(xlashape_error* err, xlashape_status status, const char* text) {
  if (err == nullptr || err->struct_size < sizeof *err) return status;
  err->code = status;
  std::strcpy(err->message, text);
  err->message_len = static_cast<uint32_t>(std::strlen(text));
  return status;
}

// The array of 3 x 5 that a backend is tried with.
bool is_smoke_test(const xlashape_op* op) { return op->relayout->elements == 15; }

// The backend whose slot is called.
Owned& backend_of(void* self) {
  auto& it = *static_cast<Owned*>(self);
  it.called();
  check(it.is_open, "a slot is called of a backend that is closed");
  return it;
}

xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  const Owned& it = backend_of(self);
  if (it.is(kDoesNothing)) return say(err, XLASHAPE_STATUS_UNSUPPORTED, "ours: it does nothing"), XLASHAPE_STATUS_OK;
  support->level = op->relayout != nullptr ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
  if (!it.is(kTakesScratch)) return XLASHAPE_STATUS_OK;
  support->scratch_bytes = kScratch;
  support->scratch_alignment = kScratchAlignment;
  support->dst_preferred_alignment = 2 * kScratchAlignment;
  return XLASHAPE_STATUS_OK;
}

constexpr size_t kPart = 3000;
xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
  *bytes = kPart;
  *align = 256;
  return XLASHAPE_STATUS_OK;
}
// Refuses, with a message or without.
xlashape_status refuse(const Owned& it, xlashape_error* err, xlashape_status status, const char* text) {
  return it.is(kIsSilent) ? status : say(err, status, text);
}
xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  Owned& it = backend_of(self);
  if (it.is(kRefusesPlans) && !is_smoke_test(op))
    return refuse(it, err, XLASHAPE_STATUS_DEVICE, "ours: there is no device");
  ++it.parts;
  check(reinterpret_cast<uintptr_t>(storage) % 256 == 0, "a backend's part is not aligned as it asked");
  std::memset(storage, 1, kPart);
  return XLASHAPE_STATUS_OK;
}
void plan_destroy(void* self, void* storage) {
  check(static_cast<const unsigned char*>(storage)[kPart - 1] == 1, "a backend's part changed");
  check(--backend_of(self).parts >= 0, "a part is destroyed that was not made, or twice");
}
// All of it belongs to the first task.
xlashape_status plan_execute(void* self, const void*, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  Owned& it = backend_of(self);
  if (it.is(kRefusesRuns) && !is_smoke_test(op))
    return refuse(it, err, it.is(kIsSilent) ? XLASHAPE_STATUS_BUSY : XLASHAPE_STATUS_INTERNAL, "ours: it does not run");
  check(run->struct_size >= sizeof *run && op->struct_size >= sizeof *op && run->task_begin >= 0 &&
            run->task_begin <= run->task_end && run->task_end <= run->task_count && run->task_count >= 1,
        "a backend is to run tasks that are none, or is given a struct of another ABI");
  it.scratch = run->scratch, it.scratch_bytes = run->scratch_bytes;
  if (it.is(kTakesScratch)) {
    check((run->scratch == 0) == (run->scratch_bytes == 0) && (run->scratch == 0 || run->scratch_bytes >= kScratch) &&
              run->scratch % kScratchAlignment == 0,
          "a backend is given other scratch than it asks for");
    if (run->scratch != 0 && run->task_begin == 0 && run->task_end > 0)
      std::memset(reinterpret_cast<void*>(run->scratch), 0x5C, static_cast<size_t>(run->scratch_bytes));
  }
  if (run->queue.kind != XLASHAPE_QUEUE_NONE) return say(err, XLASHAPE_STATUS_UNSUPPORTED, "ours: it has no queues");
  if (run->src == 0 || run->dst == 0) return say(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "ours: there is no memory");
  if (run->task_begin != 0 || run->task_end == 0) return XLASHAPE_STATUS_OK;
  const uint64_t src = run->src + static_cast<uint64_t>(run->src_byte_offset),
                 dst = run->dst + static_cast<uint64_t>(run->dst_byte_offset);
  xlashape::reference::relayout(*op->relayout, reinterpret_cast<const void*>(src), reinterpret_cast<void*>(dst));
  return XLASHAPE_STATUS_OK;
}

// More tasks than it has work for.
int64_t plan_tasks(void* self, const void*, const xlashape_op*, int64_t workers) {
  backend_of(self);
  check(workers >= 1, "tasks for no workers");
  return workers < 12 ? workers : 12;
}

void close(void* self) {
  Owned& it = backend_of(self);
  check(it.parts == 0, "a backend is closed that plans are left of");
  it.is_open = false;
}

// == Devices ==

int32_t device_count(void* self) { return backend_of(self).is(kHasDevices) ? kDevices : 0; }
int64_t device_info(void* self, int32_t device, char* text, int64_t capacity) {
  backend_of(self);
  check(device >= 0 && device <= kDevices, "a device is asked about that is not there");
  return std::snprintf(text, static_cast<size_t>(capacity), "device %d", device);
}
// Notes what it was told. Addresses of its own are checked; what a caller says of its memory is not looked at.
template <class... Numbers>
Owned& device_of(void* self, int32_t device, int32_t space, Numbers... told) {
  Owned& it = backend_of(self);
  const Uncounted scope;
  it.told = {static_cast<uint64_t>(told)...};
  check(device >= 0 && device <= kDevices, "memory of a device that is not there");
  check(space == kDeviceSpace, "memory of a space that a backend did not list");
  return it;
}
bool holds(const Owned& it, uint64_t address, int64_t bytes) {
  check(bytes >= 0, "less than no memory");
  const auto at = it.memory.upper_bound(address);
  if (at == it.memory.begin()) return false;
  const auto& [begin, size] = *std::prev(at);
  return address - begin <= size && static_cast<uint64_t>(bytes) <= size - (address - begin);
}
xlashape_status no_memory(xlashape_error* err) {
  return say(err, XLASHAPE_STATUS_DEVICE, "ours: so much memory is not there");
}
xlashape_status refuse_queue(const Owned& it, const xlashape_queue* queue, xlashape_error* err) {
  if (queue->kind == XLASHAPE_QUEUE_NONE || (it.is(kHasQueues) && queue->kind == kQueueKind)) return XLASHAPE_STATUS_OK;
  return say(err, XLASHAPE_STATUS_UNSUPPORTED, "ours: it has no such queues");
}
xlashape_status memory_alloc(void* self, int32_t device, int32_t space, int64_t bytes, uint64_t* address,
                             xlashape_error* err) {
  constexpr int64_t kMostBytes = 4096;
  Owned& it = device_of(self, device, space, device, space, bytes, 0);
  check(bytes >= 0, "a backend is asked for less than no memory");
  if (bytes > kMostBytes) return no_memory(err);
  const Uncounted scope;
  *address = (it.memory.size() + 1) << 20;  // there is none behind it
  it.memory[*address] = static_cast<size_t>(bytes);
  return XLASHAPE_STATUS_OK;
}
xlashape_status memory_free(void* self, int32_t device, uint64_t address, int32_t space, xlashape_error* err) {
  const Owned& it = device_of(self, device, space, device, address, space);
  return address == 0 || holds(it, address, 0) ? XLASHAPE_STATUS_OK : no_memory(err);
}
xlashape_status memory_copy(void* self, int32_t device, uint64_t src, int32_t src_space, uint64_t dst,
                            int32_t dst_space, int64_t bytes, const xlashape_queue* queue, xlashape_error* err) {
  const bool is_from_host = dst_space != XLASHAPE_SPACE_CPU;
  const Owned& it = device_of(self, device, is_from_host ? dst_space : src_space, device, src, src_space, dst,
                              dst_space, bytes, queue->kind, queue->handle);
  if (const xlashape_status status = refuse_queue(it, queue, err)) return status;
  return holds(it, is_from_host ? dst : src, bytes) ? XLASHAPE_STATUS_OK : no_memory(err);
}
xlashape_status memory_fill(void* self, int32_t device, uint64_t dst, int32_t space, int32_t byte, int64_t bytes,
                            const xlashape_queue* queue, xlashape_error* err) {
  const Owned& it = device_of(self, device, space, device, dst, space, byte, bytes, queue->kind, queue->handle);
  if (const xlashape_status status = refuse_queue(it, queue, err)) return status;
  check(byte >= 0 && byte <= 255, "a fill by what is no byte");
  return holds(it, dst, bytes) ? XLASHAPE_STATUS_OK : no_memory(err);
}
xlashape_status queue_sync(void* self, int32_t device, const xlashape_queue* queue, xlashape_error* err) {
  return refuse_queue(device_of(self, device, kDeviceSpace, device, kDeviceSpace, queue->kind, queue->handle), queue,
                      err);
}
xlashape_status queue_wait_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t event,
                                 xlashape_error* err) {
  const Owned& it = device_of(self, device, kDeviceSpace, device, kDeviceSpace, queue->kind, queue->handle, event);
  check(queue->kind != XLASHAPE_QUEUE_NONE, "a wait for an event without a queue");
  return refuse_queue(it, queue, err);
}
xlashape_status queue_signal_event(void* self, int32_t device, const xlashape_queue* queue, uint64_t* event,
                                   xlashape_error* err) {
  const Owned& it = device_of(self, device, kDeviceSpace, device, kDeviceSpace, queue->kind, queue->handle, 0);
  check(queue->kind != XLASHAPE_QUEUE_NONE, "a signal without a queue");
  *event = 0x5A5A;  // of a failure nobody hears it
  return refuse_queue(it, queue, err);
}

// == Measuring ==

xlashape_status plan_predict(void* self, const void*, const xlashape_op*, int64_t max_workers, int64_t* ns,
                             xlashape_error*) {
  backend_of(self);
  check(max_workers >= 1, "a prediction for no workers");
  *ns = 1000 / max_workers + 1;
  return XLASHAPE_STATUS_OK;
}

int64_t plan_stack(void* self, const void* storage, const xlashape_op*) {
  backend_of(self);
  constexpr int64_t kSaid[] = {0, -1, INT64_MIN, INT64_MAX, 1, 100'000};
  return kSaid[storage != nullptr ? *static_cast<const unsigned char*>(storage) % 6 : 0];
}

// The way of a plan is the first byte of its part.
int64_t plan_candidate(void* self, const void* storage, const xlashape_op*, int64_t index, char* text,
                       int64_t capacity) {
  backend_of(self);
  const int64_t now = *static_cast<const unsigned char*>(storage);
  check(capacity == XLASHAPE_CHOICE_BYTES && index >= 0 && index < XLASHAPE_MAX_CANDIDATES, "a candidate is asked for");
  if (index > 2) return 0;
  return std::snprintf(text, static_cast<size_t>(capacity), "way %d", static_cast<int>((now + index) % 3));
}
xlashape_status plan_choose(void* self, void* storage, const xlashape_op*, const char* choice, xlashape_error* err) {
  backend_of(self);
  const size_t length = std::strlen(choice);
  check(length > 0 && length < XLASHAPE_CHOICE_BYTES, "a choice that cannot be one");
  if (std::strncmp(choice, "way ", 4) != 0 || choice[4] < '0' || choice[4] > '2' || length != 5)
    return say(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "ours: it has no such way");
  *static_cast<unsigned char*>(storage) = static_cast<unsigned char>(choice[4] - '0');
  return XLASHAPE_STATUS_OK;
}
xlashape_status calibrate(void* self, const xlashape_calibration* how, char* text, int64_t capacity, int64_t* needed,
                          xlashape_error* err) {
  backend_of(self);
  check(how->budget_ns > 0 && how->executor != nullptr && how->executor->parallel_for != nullptr,
        "a backend is to measure without time or executor");
  if (how->progress != nullptr) how->progress(how->progress_opaque, 1, 2);
  if (how->cancel != nullptr && *how->cancel != 0) return say(err, XLASHAPE_STATUS_CANCELLED, "ours: it ends");
  *needed = 1 + std::snprintf(text, static_cast<size_t>(capacity), "copy.ns = 12\nways = -3\n");
  return XLASHAPE_STATUS_OK;
}

// == Entries ==

// It gets exactly what the options of its runtime give it.
void check_options(const Owned& it, const xlashape_host& host) {
  const Uncounted scope;
  check(host.option(host.opaque, nullptr) == nullptr, "a backend is given an option without a key");
  for (const char* key : {"kernel", "depth", "K-0_z", "missing", "", "ours.kernel", "kernel=", "=", ".", "Kernel"}) {
    const char* const value = host.option(host.opaque, key);
    const auto want = it.choices->option(it.name, key);
    check((value != nullptr) == want.has_value() && (value == nullptr || *want == value),
          "a backend is given another option than its runtime");
  }
}

xlashape_status open_any(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  const Uncounted scope;
  auto* const it = static_cast<Owned*>(host->user);
  check(it != nullptr && it->state == Owned::State::kGiven && !it->is_open, "a backend is opened with another's user");
  it->was_opened = true;
  check_options(*it, *host);
  if (it->is(kDoesNotOpen)) return say(err, XLASHAPE_STATUS_UNSUPPORTED, "ours: it does not open");
  // A table that is not believed is not closed either.
  it->is_open = !it->is(kIsOfOtherVersion);
  backend->self = it;
  backend->close = close;
  backend->abi_version = host->abi_max + (it->is(kIsOfOtherVersion) ? 1 : 0);
  backend->name = "ours";
  backend->build_id = "1";
  backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  backend->supports = supports;
  backend->plan_size = plan_size;
  backend->plan_init = plan_init;
  backend->plan_execute = plan_execute;
  backend->plan_destroy = plan_destroy;
  backend->plan_predict = plan_predict;
  backend->plan_stack = plan_stack;
  if (it->is(kTakesScratch)) backend->plan_tasks = plan_tasks;
  if (it->is(kHasDevices)) {
    it->memory[uint64_t{1} << 20] = 200;
    backend->memory_spaces |= XLASHAPE_SPACE_BIT(kDeviceSpace);
    backend->device_count = device_count;
    backend->device_info = device_info;
    backend->memory_alloc = memory_alloc;
    backend->memory_free = memory_free;
    backend->memory_copy = memory_copy;
    backend->memory_fill = memory_fill;
    backend->queue_sync = queue_sync;
  }
  if (it->is(kHasQueues))
    backend->queue_wait_event = queue_wait_event, backend->queue_signal_event = queue_signal_event;
  if (it->is(kHasWays)) {
    backend->plan_candidate = plan_candidate;
    backend->plan_choose = plan_choose;
    backend->calibrate = calibrate;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

const xlashape_backend_open_fn open_ours = open_any;
const xlashape_backend_open_fn open_scalar = xlashape_backend_open_scalar;

}  // namespace api_fuzz
