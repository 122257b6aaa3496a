// Memory and queues of devices.
#include "runtimes.h"

namespace api_fuzz {
namespace {

// Memory of devices: in the space of ours all of it works, anywhere else nothing does.
void use_memory(Input& input) {
  xlashape_runtime* runtime =
      input.one_in(2) ? draw_runtime_with_ours(input, draw_open_devices(input)) : draw_runtime(input);
  Owned* const ours = backend_with_devices(runtime);
  static constexpr int32_t kSpaces[] = {kDeviceSpace, 1, 2, 4, 13, 33, 63, 0, 64, -1, INT32_MIN};
  const int32_t space = ours != nullptr && !input.one_in(5) ? kDeviceSpace : input.pick(kSpaces);
  const int32_t device = input.one_in(2) ? 0 : static_cast<int32_t>(input.mostly(input.within(-1, kDevices + 1), 20));
  const int64_t bytes = input.mostly(input.below(200), 10);
  const int32_t byte = input.one_in(12) ? static_cast<int32_t>(input.wild()) : input.byte();
  const bool has_queue = input.one_in(12);
  const int32_t queue_kind = !has_queue        ? XLASHAPE_QUEUE_NONE
                             : input.one_in(2) ? kQueueKind
                                               : static_cast<int32_t>(input.wild());
  // What the call has to say before the backend is asked.
  const xlashape_status want = space < 1 || space > 63                    ? XLASHAPE_STATUS_INVALID_ARGUMENT
                               : space == XLASHAPE_SPACE_CPU              ? XLASHAPE_STATUS_UNSUPPORTED
                               : ours == nullptr || space != kDeviceSpace ? XLASHAPE_STATUS_NOT_FOUND
                               : device < 0                               ? XLASHAPE_STATUS_INVALID_ARGUMENT
                               : device > kDevices                        ? XLASHAPE_STATUS_OUT_OF_RANGE
                                                                          : XLASHAPE_STATUS_OK;
  const auto expect = [&](xlashape_status status, xlashape_status wanted, const char* what) {
    check(status == wanted || ended.was_refused_memory || runtime == nullptr, what);
    return status == XLASHAPE_STATUS_OK;
  };
  const auto unless = [&](bool is_wrong) { return is_wrong ? XLASHAPE_STATUS_INVALID_ARGUMENT : want; };
  const auto with_queue = [&](xlashape_status wanted) {
    const bool has_it = queue_kind == XLASHAPE_QUEUE_NONE || (queue_kind == kQueueKind && ours && ours->has_queues);
    return wanted == XLASHAPE_STATUS_OK && !has_it ? XLASHAPE_STATUS_UNSUPPORTED : wanted;
  };
  constexpr uint64_t kNowhere = 0x5A5A5A5A5A5A0;
  uint64_t address = kNowhere;
  const bool is_large = bytes > 4096;
  const xlashape_status allocated = CALL(xlashape_memory_alloc, runtime, device, space, bytes, &address);
  if (is_large && want == XLASHAPE_STATUS_OK)
    check(allocated == XLASHAPE_STATUS_DEVICE || ended.was_refused_memory, "a backend's answer is lost");
  else
    expect(allocated, unless(bytes < 0), "memory of a device");
  check((address == kNowhere) == (allocated != XLASHAPE_STATUS_OK), "an address is written on failure");
  const bool made = allocated == XLASHAPE_STATUS_OK;
  // Without memory only calls that do not come to the backend can be made.
  if (made || want != XLASHAPE_STATUS_OK) {
    const int64_t size = made ? bytes : input.mostly(input.below(200), 4);
    Exact<uint8_t> host(static_cast<size_t>(made ? bytes : 8), input);
    const auto at = reinterpret_cast<uint64_t>(host.data());
    const bool filled =
        expect(CALL(xlashape_memory_fill, runtime, device, address, space, byte, size, queue_kind, uint64_t{0}),
               with_queue(unless(byte < 0 || byte > 255 || size < 0)), "a fill");
    if (expect(CALL(xlashape_memory_copy, runtime, device, at, XLASHAPE_SPACE_CPU, address, space, size, queue_kind,
                    uint64_t{0}),
               with_queue(unless(size < 0)), "a copy") &&
        filled && made)
      for (size_t i = 0; i < host.size(); ++i) check(host[i] == byte, "memory that was filled and copied");
    expect(CALL(xlashape_memory_copy, runtime, device, address, space, at, XLASHAPE_SPACE_CPU, int64_t{-1}, 0,
                uint64_t{0}),
           XLASHAPE_STATUS_INVALID_ARGUMENT, "a copy of less than nothing");
    expect(CALL(xlashape_queue_sync, runtime, device, space, queue_kind, uint64_t{0}), with_queue(want), "a wait");
    expect(CALL(xlashape_memory_free, runtime, device, uint64_t{0}, space), want, "nothing is freed");
  }
  while (made && CALL(xlashape_memory_free, runtime, device, address, space) != XLASHAPE_STATUS_OK)
    check(ended.was_refused_memory, "memory that was given is not freed");
  check(ours == nullptr || ours->memory.empty(), "memory that was freed is there");
}

// Events between queues: each call comes to the backend as it was made, or is refused as the header says.
void use_events(Input& input) {
  xlashape_runtime* runtime =
      !input.one_in(4) ? draw_runtime_with_ours(input, draw_open_devices(input)) : draw_runtime(input);
  Owned* const ours = backend_with_devices(runtime);
  static constexpr int32_t kSpaces[] = {kDeviceSpace, 1, 2, 4, 63, 0, 64, -1, INT32_MIN};
  static constexpr int32_t kQueueKinds[] = {XLASHAPE_QUEUE_NONE, XLASHAPE_QUEUE_CUDA, kQueueKind + 1, -1, INT32_MAX};
  const bool is_honest = ours != nullptr && !input.one_in(3);
  const int32_t space = is_honest ? kDeviceSpace : input.pick(kSpaces);
  const int32_t device = static_cast<int32_t>(is_honest ? input.below(kDevices + 1) : input.within(-1, kDevices + 1));
  const int32_t kind = is_honest ? kQueueKind : input.pick(kQueueKinds);
  const auto queue = static_cast<uint64_t>(input.wild());
  const xlashape_status want = kind == XLASHAPE_QUEUE_NONE || space < 1 || space > 63 ? XLASHAPE_STATUS_INVALID_ARGUMENT
                               : space == XLASHAPE_SPACE_CPU                          ? XLASHAPE_STATUS_UNSUPPORTED
                               : ours == nullptr || space != kDeviceSpace             ? XLASHAPE_STATUS_NOT_FOUND
                               : device < 0                                           ? XLASHAPE_STATUS_INVALID_ARGUMENT
                               : device > kDevices                                    ? XLASHAPE_STATUS_OUT_OF_RANGE
                               : !ours->has_queues || kind != kQueueKind              ? XLASHAPE_STATUS_UNSUPPORTED
                                                                                      : XLASHAPE_STATUS_OK;
  const auto expect = [&](xlashape_status status, xlashape_status wanted, const char* what) {
    check(status == wanted || ended.was_refused_memory || runtime == nullptr, what);
    return status == XLASHAPE_STATUS_OK;
  };
  const auto given = static_cast<uint64_t>(input.wild());
  uint64_t event = given;
  if (input.one_in(20))
    check(CALL(xlashape_queue_signal, runtime, device, space, kind, queue, nullptr) == XLASHAPE_STATUS_INVALID_ARGUMENT,
          "a signal without an event");
  const int64_t before = ours != nullptr ? ours->events : 0;
  const bool made = expect(CALL(xlashape_queue_signal, runtime, device, space, kind, queue, &event), want, "a signal");
  if (made)
    check(ours->events == before + 1 && ours->queue == queue && ours->event == given &&
              event == static_cast<uint64_t>(ours->events),
          "a signal does not come to the backend as it was made, or its answer not back");
  else
    check(event == given, "an event is written on failure");
  if (!made || input.one_in(4)) event = static_cast<uint64_t>(input.wild());
  const bool is_known = ours != nullptr && event >= 1 && event <= static_cast<uint64_t>(ours->events);
  if (expect(CALL(xlashape_queue_wait, runtime, device, space, kind, ~queue, event),
             want == XLASHAPE_STATUS_OK && !is_known ? XLASHAPE_STATUS_DEVICE : want, "a wait for an event"))
    check(ours->queue == ~queue && ours->event == event, "a wait does not come to the backend as it was made");
}

constexpr Operation kOperations[] = {{use_memory, 2}, {use_events, 1}};

}  // namespace

Operations device_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
