#include "runtimes.h"

#include <mutex>
#include <thread>

namespace api_fuzz {
namespace {

// == Hooks ==

struct Block {
  size_t size, alignment;
};
std::map<void*, Block>& blocks() {
  static auto& made = *new std::map<void*, Block>;
  return made;
}
std::mutex blocks_lock;
const std::thread::id this_thread = std::this_thread::get_id();

Owned& owned(void* opaque) {
  check(opaque != nullptr, "a hook is called without its opaque");
  const auto& it = *static_cast<const Owned*>(opaque);
  it.called();
  return *static_cast<Owned*>(opaque);
}

std::vector<std::unique_ptr<Owned>>& all_owned() {
  static auto& made = *new std::vector<std::unique_ptr<Owned>>;
  return made;
}

void* hook_alloc(void* opaque, size_t size, size_t alignment) {
  owned(opaque);
  if (refuse_allocation()) return nullptr;
  const Uncounted scope;
  void* made = nullptr;
  if (posix_memalign(&made, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0) return nullptr;
  const std::lock_guard guard(blocks_lock);
  blocks()[made] = {size, alignment};
  return made;
}

void hook_free(void* opaque, void* pointer, size_t size, size_t alignment) {
  owned(opaque);
  if (pointer == nullptr) return;
  const Uncounted scope;
  const std::lock_guard guard(blocks_lock);
  const auto at = blocks().find(pointer);
  check(at != blocks().end(), "a block is freed that was not given, or twice");
  check(at->second.size == size && at->second.alignment == alignment,
        "a block is freed with another size or alignment");
  blocks().erase(at);
  std::free(pointer);
}

void hook_log(void* opaque, int32_t level, uint32_t source, const char* text, int64_t length) {
  owned(opaque);
  check(level >= XLASHAPE_LOG_ERROR && level <= XLASHAPE_LOG_DEBUG && source <= 64, "a line of the log");
  check(length >= 0 && is_printable_line({text, static_cast<size_t>(length)}), "what is no line of the log");
}

enum Kind : int32_t { kForward, kBackward, kOddsFirst, kThreads, kGivesUp, kKinds };

int32_t run_tasks(void* opaque, int64_t count, void* tasks, void (*task)(void*, int64_t, uint32_t)) {
  const int32_t kind = owned(opaque).kind;
  Failing* const before = failing;  // backends allocate nothing when they run; threads have none of it anyway
  if (kind == kThreads) {
    const Uncounted scope;
    std::thread other([&] {
      for (int64_t i = 1; i < count; i += 2) task(tasks, i, 1);
    });
    for (int64_t i = 0; i < count; i += 2) task(tasks, i, 0);
    other.join();
  } else {
    const int64_t most = kind == kGivesUp ? count / 2 : count;
    for (int64_t n = 0; n < most; ++n) {
      int64_t i = kind == kBackward ? count - 1 - n : n;
      if (kind == kOddsFirst) i = n < count / 2 ? 2 * n + 1 : 2 * (n - count / 2);
      task(tasks, i, static_cast<uint32_t>(i % 2));
    }
  }
  failing = before;
  return kind == kGivesUp ? 7 : 0;
}

std::map<const xlashape_runtime*, bool>& which_give_up() {
  static auto& made = *new std::map<const xlashape_runtime*, bool>;
  return made;
}

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
  xlashape_allocator allocator = {sizeof allocator, 0, memory, hook_alloc, hook_free, release_owned};
  xlashape_logger logger = {sizeof logger, 0, lines, hook_log, release_owned};
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
  if (options.threads > 4 && options.threads <= 4096) options.threads = 4;
  if (input.one_in(3)) options.verify_positions = input.mostly(input.within(1, 300));
  auto block = resized(options, input);
  // Without the flags, or with all of the defaults, places outside would be looked at.
  xlashape_runtime_options* given = reinterpret_cast<xlashape_runtime_options*>(block.data());
  xlashape_runtime* made = MAKE(runtimes, xlashape_runtime_create, given);
  if (made != nullptr)  // others had its address, and are gone
    for (const auto& it : all_owned())
      if (it->runtime == made) it->runtime = nullptr;
  const auto settle = [&](Owned* hook, const void* it, bool has_release) {
    hook->is_released = has_release;
    hook->settle(made != nullptr && it != nullptr, made);
  };
  settle(static_cast<Owned*>(drawn.executor.opaque), options.executor, drawn.executor.release != nullptr);
  settle(memory, options.allocator, allocator.release != nullptr);
  settle(lines, options.logger, logger.release != nullptr);
  if (made == nullptr) return nullptr;
  which_give_up()[made] = own_executor && drawn.gives_up;
  if (open_simd != nullptr && !input.one_in(4)) {
    Owned* const simd = own(0);
    simd->is_released = true;
    const xlashape_status status =
        CALL(xlashape_runtime_add_backend, made, "simd", 4, open_simd, simd, release_owned, 100);
    simd->settle(status == XLASHAPE_STATUS_OK, made);
  }
  return made;
}

void create(Input& input) { make_runtime(input); }

// Adds a backend of ours.
void add_ours(Input& input, xlashape_runtime* runtime, const std::string& given, int32_t priority,
              xlashape_backend_open open) {
  auto name = Exact<char>::of(given, input);
  Owned* const it = own(0);
  it->name = given, it->priority = priority;
  it->is_released = !input.one_in(4);
  const int64_t before = GET(xlashape_runtime_backend_count, runtime);
  const MayFail scope(runtime);  // it is tried before it is used
  const xlashape_status status =
      CALL(xlashape_runtime_add_backend, runtime, name.data(), size_of(name), open, it,
           it->is_released ? release_owned : static_cast<xlashape_release>(nullptr), priority);
  const bool is_taken = status == XLASHAPE_STATUS_OK;
  check(is_taken || !it->is_open, "a backend that is not taken stays open");
  check(!is_taken || GET(xlashape_runtime_backend_count, runtime) == before + 1, "a backend that does not count");
  it->settle(is_taken, runtime);
}

void add_backend(Input& input) {
  static constexpr const char* kNames[] = {
      "ours",   "ours",        "theirs", "simd",
      "scalar", "a\xFF\x1B\n", "",       "a name that is longer than any file of a backend should be called"};
  xlashape_runtime* runtime = world.runtimes.any(input);
  if (runtime == nullptr) return;
  add_ours(input, runtime, input.pick(kNames), static_cast<int32_t>(input.mostly(input.within(-2, 2), 20)),
           draw_open(input));
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
  xlashape_runtime* runtime = world.runtimes.any(input);
  if (runtime == nullptr) return;
  auto path = Exact<char>::of(std::string(input.pick(kPaths)), input);
  CALL(xlashape_runtime_load_backend, runtime, path.data(), size_of(path));
}

void ask(Input& input) {
  xlashape_runtime* runtime = draw_runtime(input);
  const int64_t count = GET(xlashape_runtime_backend_count, runtime);
  check(count >= 1 && count <= 64, "the number of backends");
  TEXT(xlashape_runtime_report, runtime);
  xlashape_backend_info empty = {};
  auto block = resized(empty, input);
  std::memset(block.data() + 4, 0xA5, block.size() - 4);
  const int64_t ordinal = input.mostly(input.below(count));
  const xlashape_status status =
      CALL(xlashape_runtime_backend_info, runtime, ordinal, reinterpret_cast<xlashape_backend_info*>(block.data()));
  if (status != XLASHAPE_STATUS_OK) {
    for (size_t i = 4; i < block.size(); ++i) check(block[i] == 0xA5, "an info is written on failure");
    return;
  }
  std::memcpy(&empty, block.data(), std::min(block.size(), sizeof empty));
  check(ordinal >= 0 && ordinal < count, "an info of a backend that is not there");
  const bool is_ready = empty.state == XLASHAPE_BACKEND_STATE_READY;
  check(is_ready == (empty.abi_version != 0) && is_ready == (empty.memory_spaces != 0),
        "what only ready backends have");
  check((empty.memory_spaces & 1) == 0 && empty.device_count >= (is_ready ? 0 : -1), "an info");
}

// What the texts about a backend and its devices say.
void ask_texts(Input& input) {
  xlashape_runtime* runtime = draw_runtime(input);
  const int64_t count = GET(xlashape_runtime_backend_count, runtime), ordinal = input.mostly(input.below(count), 10);
  const bool is_there = ordinal >= 0 && ordinal < count;
  const auto ask = [&](int32_t which) -> std::optional<std::string> {
    const auto text = TEXT(xlashape_runtime_backend_text, runtime, ordinal, which);
    check(!text || (is_there && which >= 1 && which <= 3), "a text that is not there");
    return text ? std::optional(std::string(text->begin(), text->end())) : std::nullopt;
  };
  ask(static_cast<int32_t>(input.wild()));
  const auto name = ask(XLASHAPE_BACKEND_TEXT_NAME), path = ask(XLASHAPE_BACKEND_TEXT_PATH),
             detail = ask(XLASHAPE_BACKEND_TEXT_DETAIL);
  check(!detail || is_printable_line(*detail), "a detail is no line");
  xlashape_backend_info info = {};
  info.struct_size = sizeof info;
  if (xlashape_runtime_backend_info(runtime, ordinal, &info, nullptr) != XLASHAPE_STATUS_OK) info.state = -1;
  const bool is_ready = info.state == XLASHAPE_BACKEND_STATE_READY;
  // A file that could not be loaded has one, and is remembered.
  check(!path || runtime == nullptr || !is_ready || path->empty(), "a backend of this program has a path");
  const Owned* const ours = name && is_ready ? added_backend(runtime, *name) : nullptr;
  if (ours != nullptr)
    check(info.priority == ours->priority && info.device_count == (ours->has_devices ? kDevices : 0),
          "an info is not what the backend was added with");
  static constexpr int32_t kNumbers[] = {0, 1, 2, 3, -1, INT32_MAX, INT32_MIN};
  const int32_t device = input.pick(kNumbers);
  const auto text = TEXT(xlashape_runtime_device_text, runtime, ordinal, device);
  int64_t needed = 0;
  const xlashape_status status = xlashape_runtime_device_text(runtime, ordinal, device, nullptr, 0, &needed, nullptr);
  if (!is_ready || runtime == nullptr) return check(!text || runtime == nullptr, "a device of what is not in use");
  check(status == (device < 0                    ? XLASHAPE_STATUS_INVALID_ARGUMENT
                   : device <= info.device_count ? XLASHAPE_STATUS_OK
                                                 : XLASHAPE_STATUS_OUT_OF_RANGE),
        "the text of a device");
  check(!text || is_printable_line({text->data(), text->size()}), "a device's text is no line");
  if (text && ours != nullptr && ours->has_devices && device > 0)
    check(std::string(text->begin(), text->end()) == "device " + std::to_string(device), "the text of another device");
}

// Memory of devices: in the space of ours all of it works, anywhere else nothing does.
void use_memory(Input& input) {
  xlashape_runtime* runtime = input.one_in(2) ? draw_runtime_with_ours(input, true) : draw_runtime(input);
  Owned* const ours = backend_with_devices(runtime);
  static constexpr int32_t kSpaces[] = {kDeviceSpace, 1, 2, 4, 13, 33, 63, 0, 64, -1, INT32_MIN};
  const int32_t space = ours != nullptr && !input.one_in(5) ? kDeviceSpace : input.pick(kSpaces);
  const int32_t device = input.one_in(2) ? 0 : static_cast<int32_t>(input.mostly(input.within(-1, kDevices + 1), 20));
  const int64_t bytes = input.mostly(input.below(200), 10);
  const int32_t byte = input.one_in(12) ? static_cast<int32_t>(input.wild()) : input.byte();
  const bool has_queue = input.one_in(12);
  const int32_t queue_kind = has_queue ? static_cast<int32_t>(input.wild()) : XLASHAPE_QUEUE_NONE;
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
    return wanted == XLASHAPE_STATUS_OK && queue_kind != XLASHAPE_QUEUE_NONE ? XLASHAPE_STATUS_UNSUPPORTED : wanted;
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

void churn(Input& input) { world.runtimes.churn(input); }

constexpr Operation kOperations[] = {{create, 2},    {add_backend, 1}, {load_backend, 1}, {ask, 2},
                                     {ask_texts, 2}, {use_memory, 2},  {churn, 1}};

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
  xlashape_runtime* drawn = input.one_in(2) ? world.runtimes.any(input) : nullptr;
  return drawn != nullptr ? drawn : steady();
}

xlashape_runtime* draw_runtime_with_ours(Input& input, bool has_devices) {
  xlashape_runtime* runtime = input.one_in(2) ? make_runtime(input) : world.runtimes.any(input);
  if (runtime == nullptr) return nullptr;
  add_ours(input, runtime, "ours", 1000, has_devices ? open_devices : draw_open(input));
  return runtime;
}

void Owned::settle(bool is_kept, const xlashape_runtime* by) {
  check(state == State::kGiven, "it is released by the call that it was given to");
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
  check(std::this_thread::get_id() == this_thread, "a hook or a backend is released on another thread");
  it.state = Owned::State::kReleased;
}

void check_releases() {
  for (const auto& it : all_owned())
    check(it->state != Owned::State::kKept || !it->is_released || is_kept(it->runtime),
          "a hook or a backend is not released although nothing needs it");
}

void forget_owned() { all_owned().clear(); }

const Owned* added_backend(const xlashape_runtime* runtime, const std::string& name) {
  for (const auto& it : all_owned())
    if (it->state == Owned::State::kKept && it->runtime == runtime && !it->name.empty() && it->name == name)
      return it.get();
  return nullptr;
}

Owned* backend_with_devices(const xlashape_runtime* runtime) {
  Owned* found = nullptr;
  for (const auto& it : all_owned())
    if (it->state == Owned::State::kKept && it->runtime == runtime && it->has_devices &&
        (found == nullptr || it->priority > found->priority ||
         (it->priority == found->priority && it->name < found->name)))
      found = it.get();
  return found;
}

int64_t live_blocks() { return static_cast<int64_t>(blocks().size()); }

DrawnExecutor draw_executor(Input& input) {
  const auto kind = static_cast<Kind>(input.one_in(8) ? static_cast<int64_t>(kGivesUp) : input.below(kGivesUp));
  xlashape_executor executor = {};
  executor.struct_size = sizeof executor;
  executor.max_workers = static_cast<uint32_t>(input.one_in(30) ? input.wild() : input.within(2, 9));
  executor.opaque = own(kind);
  executor.parallel_for = input.one_in(60) ? nullptr : run_tasks;
  executor.release = release_owned;  // where it is for one execution only, it may not be called
  return {executor, kind == kGivesUp};
}

bool is_ours(const xlashape_runtime* runtime, const char* backend) {
  return added_backend(runtime, backend) != nullptr;
}
bool gives_up(const xlashape_runtime* runtime) {
  const auto at = which_give_up().find(runtime);
  return at != which_give_up().end() && at->second;
}

MayFail::MayFail(const xlashape_runtime* runtime) : before_(allowed) {
  allowed.internal = runtime != nullptr && runtime != steady();
}

Operations runtime_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
