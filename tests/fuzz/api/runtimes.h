/* SPDX-License-Identifier: Apache-2.0 */
// Runtimes with hooks and backends of ours.
#pragma once
#include <atomic>
#include <map>
#include <optional>

#include "dispatch.h"
#include "xlashape_backend.h"

namespace api_fuzz {

// What a runtime's options say of its backends, read by a reader of our own.
struct Choices {
  std::optional<std::string> backend, denied, cpu, backend_options;

  // The texts stay this object's.
  void put(xlashape_runtime_options* options) const;
  // Whether a runtime can be made of them.
  bool are_good() const;
  bool denies(const std::string& name) const;
  // The backend that plans get which name none and may not fall back; nullopt where any will do.
  std::optional<std::string> demand() const;
  // What backend_options gives that backend for that key; nullopt where it gives nothing, or is malformed.
  std::optional<std::string> option(const std::string& name, const std::string& key) const;
};
Choices draw_choices(Input& input);

// How a backend of ours differs from one that works.
enum Behaviour : uint32_t {
  kWorks = 0,
  kHasDevices = 1,
  kHasQueues = 2,  // of its devices
  kTakesScratch = 4,
  kHasWays = 8,  // to run a plan, and profiles
  kDoesNothing = 16,
  kRefusesPlans = 32,
  kRefusesRuns = 64,
  kIsSilent = 128,  // it refuses without a message
  kDoesNotOpen = 256,
  kIsOfOtherVersion = 512,
};

// What a hook or a backend is given as its own. It tells who is called without being kept, and who is released twice,
// too early or never.
struct Owned {
  enum class State { kGiven, kKept, kRefused, kReleased };
  explicit Owned(int32_t what) : kind(what) {}
  // At the head of each call of it.
  void called() const {
    check(state == State::kGiven || state == State::kKept, "what was released, or never taken, is called");
  }
  // Once the call that it was given to has ended.
  void settle(bool is_kept, bool has_release, const xlashape_runtime* by);
  bool is(uint32_t what) const { return (behaviour & what) != 0; }

  int32_t kind;
  State state = State::kGiven;
  bool is_released = false;  // it was given with a `release`, and that is called in the end
  const xlashape_runtime* runtime = nullptr;
  // Of a backend.
  std::string name;
  int32_t priority = 0;
  uint32_t behaviour = kWorks;
  const Choices* choices = nullptr;  // of the runtime that it is added to
  bool is_open = false, was_opened = false;
  std::atomic<int64_t> parts = 0;     // of plans
  std::map<uint64_t, size_t> memory;  // of its devices
  std::vector<uint64_t> told;         // by the last call for its devices
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
Owned* added_backend(const xlashape_runtime* runtime, const std::string& name);
// One of them that has devices, and so memory in kDeviceSpace; or NULL.
Owned* backend_with_devices(const xlashape_runtime* runtime);
constexpr xlashape_memory_space kDeviceSpace = 40;
constexpr int32_t kDevices = 2, kQueueKind = 33;
// What backends of ours ask for that take scratch.
constexpr int64_t kScratch = 1000, kScratchAlignment = 128;

// Of a call for a device's memory or queue: it comes to the backend as it was made, or is refused as the header says.
void judge_device_call(Input& input, const Called& called);
bool is_of_devices(const Signature& signature);

// The fuzzer's own allocations are not the library's.
struct Uncounted {
  Failing* before = std::exchange(failing, nullptr);
  ~Uncounted() { failing = before; }
};

// A runtime with the library's own backends, made once and never released: what others are compared with.
xlashape_runtime* steady();
// One of the pool's, the steady one, or NULL for the default one.
xlashape_runtime* draw_runtime(Input& input);
// One that a backend of ours was just added to, whose plans it gets first; or NULL.
xlashape_runtime* draw_runtime_with_ours(Input& input, uint32_t behaviour);
uint32_t draw_behaviour(Input& input);
// What its options said; nothing for those that were not drawn.
const Choices& choices_of(const xlashape_runtime* runtime);
// A backend for a plan that asks for that one (or "") and may fall back or not: not one that is denied, nor another
// than the runtime's.
void check_chosen(const xlashape_runtime* runtime, const std::string& backend, uint32_t flags,
                  const std::string& chosen);
bool gives_up(const xlashape_runtime* runtime);
// Whether the program gave it an executor.
bool has_executor(const xlashape_runtime* runtime);
// Hooks whose opaque that is.
xlashape_allocator allocator_of(Owned* hook);
xlashape_logger logger_of(Owned* hook);
// Blocks that the allocator hooks gave and did not get back.
int64_t live_blocks();

// An executor of some kind: in other orders, on threads, one that gives up.
struct DrawnExecutor {
  xlashape_executor executor;
  bool gives_up;
  bool is_whole() const { return executor.parallel_for != nullptr && executor.max_workers > 0; }
};
DrawnExecutor draw_executor(Input& input);

// Opens the simd backend; NULL where that is not built.
extern const xlashape_backend_open_fn open_simd, open_scalar;
// Opens a backend of ours, as its Owned says.
extern const xlashape_backend_open_fn open_ours;

// While it lives calls may fail as our backends do.
class MayFail {
 public:
  explicit MayFail(const xlashape_runtime* runtime) : before_(allowed) {
    allowed.internal |= runtime != nullptr && runtime != steady();
  }
  ~MayFail() { allowed = before_; }

 private:
  Allowed before_;
};

}  // namespace api_fuzz
