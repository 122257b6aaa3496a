// SPDX-License-Identifier: Apache-2.0
#include "runtimes.h"

#include <thread>

#include "xlashape_runtime.h"

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
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
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
  if (input.one_in(3)) options.verify_count = input.mostly(input.within(1, 300));
  const Choices choices = draw_choices(input);
  choices.put(&options);
  auto block = resized(options, input);
  // Without the flags, or with all of the defaults, places outside would be looked at.
  xlashape_runtime_options* given = reinterpret_cast<xlashape_runtime_options*>(block.data());
  xlashape_runtime* made = MAKE(runtime, xlashape_runtime_create, given);
  const bool is_plain = options.flags == 7 && block.size() == sizeof options && !options.executor &&
                        !options.allocator && !options.logger && options.verify_count >= 0 && options.threads >= 0 &&
                        options.threads <= 4096;
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
              xlashape_backend_open_fn open, uint32_t behaviour) {
  auto name = Exact<char>::of(given, input);
  Owned* const it = own(0);
  it->name = given, it->priority = priority, it->choices = &choices_of(runtime);
  if (open == open_ours) it->behaviour = behaviour;  // another one knows nothing of it
  const bool has_release = !input.one_in(4);
  it->is_released = has_release;
  const int64_t before = GET(xlashape_runtime_backend_count, runtime);
  const MayFail scope(runtime);  // it is tried before it is used
  const xlashape_status status =
      CALL(xlashape_runtime_add_backend, runtime, name.data(), size_of(name), open, it,
           has_release ? release_owned : static_cast<xlashape_release_fn>(nullptr), priority);
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
  const xlashape_backend_open_fn open = input.one_in(30) ? nullptr : input.one_in(13) ? open_scalar : open_ours;
  add_ours(input, runtime, input.pick(kNames), static_cast<int32_t>(input.mostly(input.within(-2, 2), 20)), open,
           draw_behaviour(input));
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
  auto info = XLASHAPE_INIT(xlashape_backend_info);
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

constexpr Operation kOperations[] = {{create, 2}, {add_backend, 2}, {judge_backend, 4}};

}  // namespace

void judge_device_call(Input&, const Called& c) {
  const auto* const runtime = c.get<const xlashape_runtime*>("runtime");
  if (runtime == nullptr || ended.was_refused_memory || c.lacks()) return;
  const bool is_copy = c.function == F_xlashape_memory_copy;
  auto space = c.get<int32_t>(is_copy ? "dst_space" : "space");
  if (is_copy && space == XLASHAPE_SPACE_CPU) space = c.get<int32_t>("src_space");
  const auto device = c.get<int32_t>("device");
  const Owned* const ours = backend_with_devices(runtime);
  if (c.status == XLASHAPE_STATUS_OK) {
    check(ours != nullptr && space == kDeviceSpace && device >= 0 && device <= kDevices,
          "memory of a device that nobody has");
    // What the backend was told, in the order in which the function has it, without what was answered.
    std::vector<uint64_t> told;
    for (size_t i = 1; i + 1 < c.words.size(); ++i) {
      const Parameter& p = c.signature.parameters[i];
      if (p.base == "xlashape_queue") {
        const auto* const given = c.get<const xlashape_queue*>("queue");
        const xlashape_queue queue = given != nullptr ? *given : xlashape_queue{};
        told.insert(told.end(), {static_cast<uint64_t>(queue.kind), queue.handle});
        continue;
      }
      const uint64_t narrow = static_cast<uint64_t>(static_cast<int32_t>(c.words[i]));
      told.push_back(p.is_pointer() ? 0 : p.size == 4 ? narrow : c.words[i]);
    }
    check(ours->told == told, "a call does not come to the backend as it was made");
  } else if (!is_copy && c.status != XLASHAPE_STATUS_DEVICE) {  // of two spaces either may be told
    const bool is_there = ours != nullptr && space == kDeviceSpace;
    check(c.status == XLASHAPE_STATUS_INVALID_ARGUMENT || c.status == XLASHAPE_STATUS_UNSUPPORTED ||
              (c.status == XLASHAPE_STATUS_NOT_FOUND && !is_there) ||
              (c.status == XLASHAPE_STATUS_OUT_OF_RANGE && is_there && device > kDevices),
          "a call for a device fails for another reason");
    if (!is_there && space >= 1 && space <= 63 && space != XLASHAPE_SPACE_CPU)
      check(c.status == XLASHAPE_STATUS_NOT_FOUND || c.status == XLASHAPE_STATUS_INVALID_ARGUMENT,
            "a space that nobody has");
  }
}

xlashape_runtime* steady() {
  static xlashape_runtime* const made = [] {
    const Uncounted scope;
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
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

bool is_of_devices(const Signature& signature) {
  return signature.name.starts_with("xlashape_memory_") || signature.name.starts_with("xlashape_queue_");
}

xlashape_runtime* draw_runtime_for(Input& input, const Signature& signature) {
  return is_of_devices(signature) && !input.one_in(4) ? draw_runtime_with_ours(input, kHasDevices | kHasQueues)
                                                      : draw_runtime(input);
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
