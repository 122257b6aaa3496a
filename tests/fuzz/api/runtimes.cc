#include "runtimes.h"

#include <map>
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

// The fuzzer's own allocations are not the library's.
struct Own {
  Failing* before = std::exchange(failing, nullptr);
  ~Own() { failing = before; }
};

void* hook_alloc(void*, size_t size, size_t alignment) {
  if (refuse_allocation()) return nullptr;
  const Own own;
  void* made = nullptr;
  if (posix_memalign(&made, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0) return nullptr;
  const std::lock_guard guard(blocks_lock);
  blocks()[made] = {size, alignment};
  return made;
}

void hook_free(void*, void* pointer, size_t size, size_t alignment) {
  if (pointer == nullptr) return;
  const Own own;
  const std::lock_guard guard(blocks_lock);
  const auto at = blocks().find(pointer);
  check(at != blocks().end(), "a block is freed that was not given, or twice");
  check(at->second.size == size && at->second.alignment == alignment,
        "a block is freed with another size or alignment");
  blocks().erase(at);
  std::free(pointer);
}

void hook_log(void*, int32_t level, uint32_t source, const char* text, size_t length) {
  check(level >= XLASHAPE_LOG_ERROR && level <= XLASHAPE_LOG_DEBUG && source <= 64, "a line of the log");
  check(std::memchr(text, '\n', length) == nullptr, "two lines in one of the log");
}

enum Kind : intptr_t { kForward, kBackward, kOddsFirst, kThreads, kGivesUp, kKinds };

int32_t run_tasks(void* opaque, int64_t count, void* tasks, void (*task)(void*, int64_t, uint32_t)) {
  const auto kind = static_cast<Kind>(reinterpret_cast<intptr_t>(opaque));
  Failing* const before = failing;  // backends allocate nothing when they run; threads have none of it anyway
  if (kind == kThreads) {
    const Own own;
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
  xlashape_allocator allocator = {sizeof allocator, 0, nullptr, hook_alloc, hook_free};
  xlashape_logger logger = {sizeof logger, 0, nullptr, hook_log};
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
  if (made == nullptr) return nullptr;
  which_give_up()[made] = own_executor && drawn.gives_up;
  if (open_simd != nullptr && !input.one_in(4)) CALL(xlashape_runtime_add_backend, made, "simd", 4, open_simd);
  return made;
}

void create(Input& input) { make_runtime(input); }

void add_backend(Input& input) {
  static constexpr const char* kNames[] = {
      "ours",   "ours",        "theirs", "simd",
      "scalar", "a\xFF\x1B\n", "",       "a name that is longer than any file of a backend should be called"};
  xlashape_runtime* runtime = world.runtimes.any(input);
  if (runtime == nullptr) return;
  auto name = Exact<char>::of(std::string(input.pick(kNames)), input);
  const MayFail scope(runtime);  // it is tried before it is used
  CALL(xlashape_runtime_add_backend, runtime, name.data(), name.size(), draw_open(input));
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
  CALL(xlashape_runtime_load_backend, runtime, path.data(), path.size());
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
  if (status != XLASHAPE_OK) {
    for (size_t i = 4; i < block.size(); ++i) check(block[i] == 0xA5, "an info is written on failure");
    return;
  }
  const auto* info = reinterpret_cast<const xlashape_backend_info*>(block.data());
  check(ordinal >= 0 && ordinal < count && std::memchr(info->name, 0, sizeof info->name) != nullptr, "an info");
}

void churn(Input& input) { world.runtimes.churn(input); }

constexpr Operation kOperations[] = {{create, 2}, {add_backend, 1}, {load_backend, 1}, {ask, 2}, {churn, 1}};

}  // namespace

xlashape_runtime* steady() {
  static xlashape_runtime* const made = [] {
    const Own own;
    xlashape_runtime_options options = {};
    options.struct_size = sizeof options;
    options.flags = 7;
    xlashape_runtime* runtime = nullptr;
    check(xlashape_runtime_create(&options, &runtime, nullptr) == XLASHAPE_OK, "no steady runtime");
    check(open_simd == nullptr || xlashape_runtime_add_backend(runtime, "simd", 4, open_simd, nullptr) == XLASHAPE_OK,
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

xlashape_runtime* draw_runtime_with_ours(Input& input) {
  xlashape_runtime* runtime = input.one_in(2) ? make_runtime(input) : world.runtimes.any(input);
  if (runtime == nullptr) return nullptr;
  const MayFail scope(runtime);
  CALL(xlashape_runtime_add_backend, runtime, "ours", 4, draw_open(input));
  return runtime;
}

int64_t live_blocks() { return static_cast<int64_t>(blocks().size()); }

DrawnExecutor draw_executor(Input& input) {
  const auto kind = static_cast<Kind>(input.one_in(8) ? static_cast<int64_t>(kGivesUp) : input.below(kGivesUp));
  xlashape_executor executor = {};
  executor.struct_size = sizeof executor;
  executor.max_workers = static_cast<uint32_t>(input.one_in(30) ? input.wild() : input.within(2, 9));
  executor.opaque = reinterpret_cast<void*>(static_cast<intptr_t>(kind));
  executor.parallel_for = input.one_in(60) ? nullptr : run_tasks;
  return {executor, kind == kGivesUp};
}

bool is_ours(const char* backend) { return std::strcmp(backend, "scalar") != 0 && std::strcmp(backend, "simd") != 0; }
bool gives_up(const xlashape_runtime* runtime) {
  const auto at = which_give_up().find(runtime);
  return at != which_give_up().end() && at->second;
}

MayFail::MayFail(const xlashape_runtime* runtime) : before_(allowed) {
  allowed.internal = runtime != nullptr && runtime != steady();
}

Operations runtime_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
