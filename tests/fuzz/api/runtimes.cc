#include "runtimes.h"

#include <thread>

namespace api_fuzz {
namespace {

const std::thread::id this_thread = std::this_thread::get_id();

std::vector<std::unique_ptr<Owned>>& all_owned() {
  static auto& made = *new std::vector<std::unique_ptr<Owned>>;
  return made;
}

struct Drawn {
  bool gives_up = false, has_executor = false;
  Choices choices;
};
std::map<const xlashape_runtime*, Drawn>& all_drawn() {
  static auto& made = *new std::map<const xlashape_runtime*, Drawn>;
  return made;
}
const Drawn& drawn_of(const xlashape_runtime* runtime) {
  static const Drawn none;
  const auto at = all_drawn().find(runtime);
  return at == all_drawn().end() ? none : at->second;
}

const xlashape_runtime* kept_elsewhere = nullptr;
std::atomic<bool> is_elsewhere = false;

xlashape_runtime* make_runtime(Input& input) {
  xlashape_runtime_options options = {};
  options.struct_size = sizeof options;
  options.flags =
      input.one_in(40) ? static_cast<uint32_t>(input.bits(4)) | 7 : 7;  // no place outside this program is looked at
  static constexpr const char* kFolders[] = {
      nullptr, nullptr, "", "/nonexistent", "relative:/nonexistent::", "/nonexistent/\xFF\x1B[0m"};
  options.backend_dirs = input.pick(kFolders);
  DrawnExecutor drawn = draw_executor(input);
  Owned *const memory = own(0), *const lines = own(0);
  xlashape_allocator allocator = allocator_of(memory);
  xlashape_logger logger = logger_of(lines);
  if (input.one_in(4)) allocator.release = nullptr;
  if (input.one_in(4)) logger.release = nullptr;
  drawn.executor.release = input.one_in(4) ? nullptr : release_owned;
  if (input.one_in(60)) allocator.free = nullptr;
  auto executor_block = resized(drawn.executor, input), allocator_block = resized(allocator, input),
       logger_block = resized(logger, input);
  const bool own_executor = input.one_in(2);
  if (own_executor) options.executor = reinterpret_cast<const xlashape_executor*>(executor_block.data());
  if (!input.one_in(4)) options.allocator = reinterpret_cast<const xlashape_allocator*>(allocator_block.data());
  if (input.one_in(2)) options.logger = reinterpret_cast<const xlashape_logger*>(logger_block.data());
  options.threads = static_cast<int32_t>(input.mostly(input.below(2), 60));
  if (!own_executor && input.one_in(4)) options.threads = static_cast<int32_t>(input.within(2, 4));
  if (options.threads > 4 && options.threads <= 4096) options.threads = 4;
  if (input.one_in(3)) options.verify_positions = input.mostly(input.within(1, 300));
  const Choices choices = draw_choices(input);
  choices.put(&options);
  auto block = resized(options, input);
  // Without the flags, or with all of the defaults, places outside would be looked at.
  xlashape_runtime_options* given = reinterpret_cast<xlashape_runtime_options*>(block.data());
  xlashape_runtime* made = MAKE(runtime, xlashape_runtime_create, given);
  const bool is_plain = options.flags == 7 && block.size() == sizeof options && !options.executor &&
                        !options.allocator && !options.logger && options.verify_positions >= 0 &&
                        options.threads >= 0 && options.threads <= 4096;
  check(made == nullptr || choices.are_good(), "a runtime is made whose choices are malformed");
  check(made != nullptr || ended.was_refused_memory || !is_plain ||
            (ended.status == XLASHAPE_STATUS_INVALID_ARGUMENT && !choices.are_good()),
        "no runtime is made although nothing is wrong, or for another reason than its choices");
  if (made != nullptr)  // others had its address, and are gone
    for (const auto& it : all_owned())
      if (it->runtime == made) it->runtime = nullptr;
  const auto settle = [&](void* hook, const void* it, bool has_release) {
    static_cast<Owned*>(hook)->settle(made != nullptr && it != nullptr, has_release, made);
  };
  settle(drawn.executor.opaque, options.executor, drawn.executor.release != nullptr);
  settle(memory, options.allocator, allocator.release != nullptr);
  settle(lines, options.logger, logger.release != nullptr);
  if (made == nullptr) return nullptr;
  all_drawn()[made] = {own_executor && drawn.gives_up, own_executor, choices};
  if (open_simd != nullptr && !input.one_in(4)) {
    Owned* const simd = own(0);
    const xlashape_status status =
        CALL(xlashape_runtime_add_backend, made, "simd", 4, open_simd, simd, release_owned, 100);
    check(status != XLASHAPE_STATUS_OK || !choices.denies("simd"), "a backend is added that is denied");
    simd->settle(status == XLASHAPE_STATUS_OK, true, made);
  }
  return made;
}

void create(Input& input) { make_runtime(input); }

// Adds a backend of ours.
void add_ours(Input& input, xlashape_runtime* runtime, const std::string& given, int32_t priority,
              xlashape_backend_open open, uint32_t behaviour) {
  auto name = Exact<char>::of(given, input);
  Owned* const it = own(0);
  it->name = given, it->priority = priority, it->choices = &choices_of(runtime), it->behaviour = behaviour;
  const bool has_release = !input.one_in(4);
  it->is_released = has_release;
  const int64_t before = GET(xlashape_runtime_backend_count, runtime);
  const MayFail scope(runtime);  // it is tried before it is used
  const xlashape_status status = CALL(xlashape_runtime_add_backend, runtime, name.data(), size_of(name), open, it,
                                      has_release ? release_owned : static_cast<xlashape_release>(nullptr), priority);
  const bool is_taken = status == XLASHAPE_STATUS_OK;
  check(is_taken || !it->is_open, "a backend that is not taken stays open");
  if (it->choices->denies(given)) {
    check(!it->was_opened, "a backend is opened that is denied");
    check(status == XLASHAPE_STATUS_UNSUPPORTED || open == nullptr || ended.was_refused_memory,
          "a backend is added that is denied");
  }
  check(!is_taken || GET(xlashape_runtime_backend_count, runtime) == before + 1, "a backend that does not count");
  it->settle(is_taken, has_release, runtime);
}

void add_backend(Input& input) {
  static constexpr const char* kNames[] = {
      "ours",   "ours",        "theirs", "simd",
      "scalar", "a\xFF\x1B\n", "",       "a name that is longer than any file of a backend should be called"};
  xlashape_runtime* runtime = any<xlashape_runtime>(input);
  if (runtime == nullptr) return;
  const xlashape_backend_open open = input.one_in(30) ? nullptr : input.one_in(13) ? open_scalar : open_ours;
  add_ours(input, runtime, input.pick(kNames), static_cast<int32_t>(input.mostly(input.within(-2, 2), 20)), open,
           draw_behaviour(input));
}

void load_backend(Input& input) {
  static constexpr const char* kPaths[] = {"/nonexistent/simd.so",
                                           "simd.so",
                                           "/",
                                           "/dev/null",
                                           "/nonexistent/a\x1B]0;x\x07\n.so",
                                           "/nonexistent/\xFF\xC3.so",
                                           "",
                                           "/nonexistent/x.xlashape.toml"};
  xlashape_runtime* runtime = any<xlashape_runtime>(input);
  if (runtime == nullptr) return;
  auto path = Exact<char>::of(std::string(input.pick(kPaths)), input);
  CALL(xlashape_runtime_load_backend, runtime, path.data(), input.one_in(20) ? -1 : size_of(path));
}

void check_report(xlashape_runtime* runtime) {
  const std::string report = text_of(xlashape_runtime_report, runtime);
  for (size_t at = 0; at < report.size(); at = report.find('\n', at) + 1) {
    check(report.find('\n', at) != std::string::npos, "the report does not end with a line");
    check(is_printable_line(std::string_view(report).substr(at, report.find('\n', at) - at)),
          "a line of the report is none");
  }
  if (choices_of(runtime).cpu == "scalar")
    check(report.find("processor: no features used") != std::string::npos,
          "features of the processor are used above the level that the options give");
}

// What is told of a backend and of its devices.
void judge_backend(Input& input) {
  xlashape_runtime* runtime = draw_runtime(input);
  if (runtime == nullptr) return;
  const Uncounted scope;
  check_report(runtime);
  const int64_t count = xlashape_runtime_backend_count(runtime), ordinal = input.below(count);
  check(count >= 1 && count <= 64, "the number of backends");
  xlashape_backend_info info = {};
  info.struct_size = sizeof info;
  check(xlashape_runtime_backend_info(runtime, ordinal, &info, nullptr) == XLASHAPE_STATUS_OK,
        "a backend without an info");
  const bool is_ready = info.state == XLASHAPE_BACKEND_STATE_READY;
  check(is_ready == (info.abi_version != 0) && is_ready == (info.memory_spaces != 0), "what only ready backends have");
  check((info.memory_spaces & 1) == 0 && info.device_count >= (is_ready ? 0 : -1), "an info");
  const auto text = [&](int32_t which) { return text_of(xlashape_runtime_backend_text, runtime, ordinal, which); };
  const std::string name = text(XLASHAPE_BACKEND_TEXT_NAME);
  check(is_printable_line(text(XLASHAPE_BACKEND_TEXT_DETAIL)), "a detail is no line");
  if (!is_ready) return;  // a file that could not be loaded has a path, and is remembered
  check(text(XLASHAPE_BACKEND_TEXT_PATH).empty(), "a backend of this program has a path");
  check(!choices_of(runtime).denies(name), "a backend is ready that is denied");
  const Owned* const ours = added_backend(runtime, name);
  check(ours == nullptr ||
            (info.priority == ours->priority && info.device_count == (ours->is(kHasDevices) ? kDevices : 0)),
        "an info is not what the backend was added with");
  static constexpr int32_t kNumbers[] = {0, 1, 2, 3, -1, INT32_MAX, INT32_MIN};
  const int32_t device = input.pick(kNumbers);
  int64_t needed = 0;
  const xlashape_status status = xlashape_runtime_device_text(runtime, ordinal, device, nullptr, 0, &needed, nullptr);
  check(status == (device < 0                    ? XLASHAPE_STATUS_INVALID_ARGUMENT
                   : device <= info.device_count ? XLASHAPE_STATUS_OK
                                                 : XLASHAPE_STATUS_OUT_OF_RANGE),
        "the text of a device");
  if (status != XLASHAPE_STATUS_OK) return;
  const std::string told = text_of(xlashape_runtime_device_text, runtime, ordinal, device);
  check(is_printable_line(told), "a device's text is no line");
  if (ours != nullptr && ours->is(kHasDevices) && device > 0)
    check(told == "device " + std::to_string(device), "the text of another device");
}

// == Devices ==

// Memory of devices: in the space of ours all of it works, anywhere else nothing does.
void use_memory(Input& input) {
  xlashape_runtime* runtime = input.one_in(2)
                                  ? draw_runtime_with_ours(input, kHasDevices | (input.one_in(2) ? kHasQueues : 0u))
                                  : draw_runtime(input);
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
    const bool has_it = queue_kind == XLASHAPE_QUEUE_NONE || (queue_kind == kQueueKind && ours && ours->is(kHasQueues));
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
  xlashape_runtime* runtime = !input.one_in(4)
                                  ? draw_runtime_with_ours(input, kHasDevices | (input.one_in(2) ? kHasQueues : 0u))
                                  : draw_runtime(input);
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
                               : !ours->is(kHasQueues) || kind != kQueueKind          ? XLASHAPE_STATUS_UNSUPPORTED
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

constexpr Operation kOperations[] = {{create, 2},        {add_backend, 1}, {load_backend, 1},
                                     {judge_backend, 4}, {use_memory, 3},  {use_events, 2}};

}  // namespace

xlashape_runtime* steady() {
  static xlashape_runtime* const made = [] {
    const Uncounted scope;
    xlashape_runtime_options options = {};
    options.struct_size = sizeof options;
    options.flags = 7;
    xlashape_runtime* runtime = nullptr;
    check(xlashape_runtime_create(&options, &runtime, nullptr) == XLASHAPE_STATUS_OK, "no steady runtime");
    check(open_simd == nullptr || xlashape_runtime_add_backend(runtime, "simd", 4, open_simd, nullptr, nullptr, 100,
                                                               nullptr) == XLASHAPE_STATUS_OK,
          "no simd");
    return runtime;
  }();
  return made;
}

xlashape_runtime* draw_runtime(Input& input) {
  if (input.one_in(8)) return nullptr;
  xlashape_runtime* drawn = input.one_in(2) ? any<xlashape_runtime>(input) : nullptr;
  return drawn != nullptr ? drawn : steady();
}

xlashape_runtime* draw_runtime_with_ours(Input& input, uint32_t behaviour) {
  xlashape_runtime* runtime = input.one_in(2) ? any<xlashape_runtime>(input) : nullptr;
  if (runtime == nullptr) runtime = make_runtime(input);
  if (runtime != nullptr) add_ours(input, runtime, "ours", 1000, open_ours, behaviour);
  return runtime;
}

uint32_t draw_behaviour(Input& input) {
  static constexpr uint32_t kAll[] = {kWorks,
                                      kHasDevices,
                                      kHasDevices | kHasQueues,
                                      kDoesNothing,
                                      kRefusesPlans,
                                      kRefusesPlans | kIsSilent,
                                      kRefusesRuns,
                                      kRefusesRuns | kIsSilent,
                                      kDoesNotOpen,
                                      kIsOfOtherVersion,
                                      kTakesScratch,
                                      kTakesScratch,
                                      kHasWays};
  return input.pick(kAll);
}

void Owned::settle(bool is_kept, bool has_release, const xlashape_runtime* by) {
  check(state == State::kGiven, "it is released by the call that it was given to");
  is_released = has_release;
  state = is_kept ? State::kKept : State::kRefused;
  runtime = by;
}

Owned* own(int32_t kind) {
  all_owned().push_back(std::make_unique<Owned>(kind));
  return all_owned().back().get();
}

void XLASHAPE_CALL release_owned(void* opaque) {
  auto& it = *static_cast<Owned*>(opaque);
  check(it.state != Owned::State::kReleased, "a hook or a backend is released twice");
  check(it.state == Owned::State::kKept, "a hook or a backend is released that was not taken");
  check(it.is_released, "a release is called that was not given");
  check(!is_kept(it.runtime), "a hook or a backend is released before the last that needs it");
  check(!it.is_open, "a backend is released before it is closed");
  check(is_elsewhere || std::this_thread::get_id() == this_thread, "a hook or a backend is released on another thread");
  it.state = Owned::State::kReleased;
}

void check_releases() {
  for (const auto& it : all_owned())
    check(it->state != Owned::State::kKept || !it->is_released || is_kept(it->runtime),
          "a hook or a backend is not released although nothing needs it");
}

void forget_owned() {
  all_owned().clear();
  all_drawn().clear();
}

Owned* added_backend(const xlashape_runtime* runtime, const std::string& name) {
  for (const auto& it : all_owned())
    if (it->state == Owned::State::kKept && it->runtime == runtime && !it->name.empty() && it->name == name)
      return it.get();
  return nullptr;
}

Owned* backend_with_devices(const xlashape_runtime* runtime) {
  Owned* found = nullptr;
  for (const auto& it : all_owned())
    if (it->state == Owned::State::kKept && it->runtime == runtime && it->is(kHasDevices) &&
        (found == nullptr || it->priority > found->priority ||
         (it->priority == found->priority && it->name < found->name)))
      found = it.get();
  return found;
}

bool gives_up(const xlashape_runtime* runtime) { return drawn_of(runtime).gives_up; }
bool has_executor(const xlashape_runtime* runtime) { return drawn_of(runtime).has_executor; }
const Choices& choices_of(const xlashape_runtime* runtime) { return drawn_of(runtime).choices; }

void check_chosen(const xlashape_runtime* runtime, const std::string& backend, uint32_t flags,
                  const std::string& chosen) {
  const Choices& choices = choices_of(runtime);
  check(!choices.denies(chosen), "a plan runs on a backend that is denied");
  if ((flags & XLASHAPE_PLAN_ALLOW_FALLBACK) != 0) return;
  const auto demand = backend.empty() ? choices.demand() : backend;
  check(!demand || *demand == chosen, "a plan runs on another backend than the one that is demanded");
}

Elsewhere::Elsewhere(const xlashape_runtime* runtime) {
  kept_elsewhere = runtime;
  is_elsewhere = true;
}
Elsewhere::~Elsewhere() {
  let_go();
  is_elsewhere = false;
}
void Elsewhere::let_go() { kept_elsewhere = nullptr; }
bool is_kept_elsewhere(const xlashape_runtime* runtime) { return runtime != nullptr && runtime == kept_elsewhere; }

Operations runtime_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
