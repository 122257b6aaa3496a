// Runtimes with hooks and backends of ours, and batches of indices with what they have to give.
#pragma once
#include <atomic>
#include <map>

#include "choices.h"
#include "xlashape_backend.h"

namespace api_fuzz {

// What a hook or a backend is given as its own. It tells who is called without being kept, and who is released twice, too
// early or never.
struct Owned {
  enum class State { kGiven, kKept, kRefused, kReleased };
  explicit Owned(int32_t what) : kind(what) {}
  // At the head of each call of it.
  void called() const {
    check(state == State::kGiven || state == State::kKept, "what was released, or never taken, is called");
  }
  // Once the call that it was given to has ended.
  void settle(bool is_kept, const xlashape_runtime* by);

  int32_t kind;
  State state = State::kGiven;
  bool is_released = false;  // it was given with a `release`, and that is called in the end
  const xlashape_runtime* runtime = nullptr;
  // Of a backend.
  std::string name;
  int32_t priority = 0;
  const Choices* choices = nullptr;  // of the runtime that it is added to
  bool is_open = false, was_opened = false, has_devices = false, has_queues = false, takes_scratch = false;
  std::atomic<int64_t> parts = 0;     // of plans
  std::map<uint64_t, size_t> memory;  // of its devices
  uint64_t queue = 0, event = 0;      // of the last call for events
  int64_t events = 0;                 // made so far: 1, 2, ...
  std::atomic<uint64_t> scratch = 0;  // of the last execution
  std::atomic<int64_t> scratch_bytes = 0;
};
// Lives until the input ends.
Owned* own(int32_t kind);
// The `release` of hooks and backends.
void XLASHAPE_CALL release_owned(void* opaque);
// True while somebody here holds the runtime, or a plan of it.
bool is_kept(const xlashape_runtime* runtime);
// While one lives, an asynchronous execution holds that runtime, and others' threads may release what it was given.
class Elsewhere {
 public:
  explicit Elsewhere(const xlashape_runtime* runtime);
  ~Elsewhere();
  // From now on nobody but the library may hold it.
  static void let_go();
};
bool is_kept_elsewhere(const xlashape_runtime* runtime);
// After each operation: whom nobody holds is released. At the end of the input nothing is held.
void check_releases();
void forget_owned();
// The backend that was added to a runtime under that name, and is in use; or NULL.
const Owned* added_backend(const xlashape_runtime* runtime, const std::string& name);
// One of them that has devices, and so memory in kDeviceSpace; or NULL.
Owned* backend_with_devices(const xlashape_runtime* runtime);
constexpr xlashape_memory_space kDeviceSpace = 40;
constexpr int32_t kDevices = 2, kQueueKind = 33;
// What backends of ours ask for that take scratch.
constexpr int64_t kScratch = 1000, kScratchAlignment = 128;

// The fuzzer's own allocations are not the library's.
struct Uncounted {
  Failing* before = std::exchange(failing, nullptr);
  ~Uncounted() { failing = before; }
};

// A runtime with the library's own backends, made once and never released: what others are compared with.
xlashape_runtime* steady();
// Plans that are measured, wisdom and profiles: measuring.cc.
void measuring(Input& input);
// A backend of ours with three ways to run a plan, which makes profiles.
extern const xlashape_backend_open open_ways;
// One of the pool's, the steady one, or NULL for the default one.
xlashape_runtime* draw_runtime(Input& input);
// One that a backend of ours was just added to, whose plans it gets first; or NULL.
xlashape_runtime* draw_runtime_with_ours(Input& input, xlashape_backend_open open);
// What its options said; nothing for those that were not drawn.
const Choices& choices_of(const xlashape_runtime* runtime);
// A backend for a plan that asks for that one (or "") and may fall back or not: not one that is denied, nor another than
// the runtime's.
void check_chosen(const xlashape_runtime* runtime, const std::string& backend, uint32_t flags,
                  const std::string& chosen);
// Hooks whose opaque that is.
xlashape_allocator allocator_of(Owned* hook);
xlashape_logger logger_of(Owned* hook);
// Blocks that the allocator hooks gave and did not get back.
int64_t live_blocks();

// An executor of some kind: in other orders, on threads, one that gives up.
struct DrawnExecutor {
  xlashape_executor executor;
  bool gives_up;
};
DrawnExecutor draw_executor(Input& input);

// Opens the simd backend; NULL where that is not built.
extern const xlashape_backend_open open_simd;
// Opens a backend of ours that works and has devices, with queues or without.
xlashape_backend_open draw_open_devices(Input& input);
// Opens one that works and asks for scratch.
extern const xlashape_backend_open open_scratch;
// Opens a backend of ours: one that works, or refuses something, or everything; seldom NULL.
xlashape_backend_open draw_open(Input& input);
// True where a plan on that backend may fail although nothing is wrong with the call.
bool is_ours(const xlashape_runtime* runtime, const char* backend);
bool gives_up(const xlashape_runtime* runtime);
// Whether the program gave it an executor, if its options were read so far.
bool may_have_executor(const xlashape_runtime* runtime);

// While it lives calls may fail as our backends do.
class MayFail {
 public:
  explicit MayFail(const xlashape_runtime* runtime);
  ~MayFail() { allowed = before_; }

 private:
  Allowed before_;
};

struct IndexBatch {
  std::vector<std::vector<int64_t>> index;
  std::vector<int64_t> linear;
  std::vector<bool> good;
  int64_t bad = 0;
};
// How many: seldom so many that they are spread over an executor.
int64_t draw_count(Input& input);
// Indices and their positions, as single conversions say.
IndexBatch draw_batch(Input& input, const xlashape_index_map* map, int64_t count, bool to_linear, bool damaged);
bool single_index(const xlashape_index_map* map, const std::vector<int64_t>& index, int64_t* linear);
bool single_position(const xlashape_index_map* map, int64_t linear, std::vector<int64_t>* index);

}  // namespace api_fuzz
