/* SPDX-License-Identifier: Apache-2.0 */
// Stands between the library and a plugin: calls every slot, counts the calls, and checks them against the rules of
// xlashape_backend.h. One plugin per process.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "guards.h"
#include "xlashape_backend.h"

namespace xlashape::cli {

enum Slot : int {
  kLoad,
  kOpen,
  kSupports,
  kPlanSize,
  kPlanInit,
  kPlanTasks,
  kPlanExecute,
  kIndices,
  kPlanDestroy,
  kDescribe,
  kCandidate,
  kChoose,
  kCalibrate,
  kProfile,
  kPredict,
  kStack,
  kDevices,
  kMemory,
  kClose,
  kOutput,
  kSlots
};
const char* slot_name(int slot);

// What the child is doing, in shared memory, so that its parent knows it if the child dies.
struct ChildProgress {
  std::atomic<int> slot{kLoad};
  char text[480] = "";
  char note[120] = "";            // why the process dies, if that is known
  std::atomic<int> permille{0};   // progress
  std::atomic<int64_t> steps{0};  // so far: a check begins or ends
};

class Watch {
 public:
  // `entry` is the plugin's own, `manifest` its manifest's path or ""; `doing` outlives this.
  Watch(xlashape_backend_open_fn entry, std::string manifest, ChildProgress* doing);
  Watch(const Watch&) = delete;

  // Reports what is wrong with the table that open has filled.
  void check_table();

  // The entry function for xlashape_runtime_add_backend, with the watch as `user`: it opens the plugin.
  static xlashape_status open(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err);
  // Opens and closes the plugin as cores of other versions would.
  void try_other_cores(const xlashape_host& host);

  void blame(int slot, const std::string& problem);  // the first problem of a slot is kept, the others counted
  int64_t calls(int slot) const { return calls_[slot]; }
  int64_t problems(int slot) const { return problems_[slot]; }
  std::string problem(int slot) const;
  bool any_problem() const;
  bool has_candidates() const { return real_.plan_candidate != nullptr && real_.plan_choose != nullptr; }
  bool calibrates() const { return real_.calibrate != nullptr; }
  bool takes_profiles() const { return real_.use_profile != nullptr; }
  bool is_for_cpu() const { return (real_.memory_spaces & XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU)) != 0; }

  // The host's memory: what the plugin holds, and whether it gets more.
  int64_t held() const { return held_; }
  void refuse_memory_after(int64_t allocations) { allowed_ = allocations; }
  void allow_memory() { allowed_ = INT64_MAX; }

 private:
  friend struct WatchedCalls;
  // While it lives, this slot is running.
  class In {
   public:
    In(Watch& watch, int slot);
    ~In();

   private:
    Watch& watch_;
    const int slot_, before_;
    const uint64_t floats_;
  };

  xlashape_backend_open_fn entry_;
  std::string manifest_;
  ChildProgress* doing_;
  xlashape_host host_{};
  const xlashape_host* given_ = nullptr;
  xlashape_backend real_{};
  std::atomic<int64_t> calls_[kSlots] = {}, problems_[kSlots] = {};
  OwnFile file_;
  std::atomic<uint64_t> plans_{0};  // so far: each runs as another of its candidates
  std::string other_choice_;        // a candidate of an earlier operation
  std::atomic<int64_t> held_{0}, taken_{0}, allowed_{INT64_MAX};
  mutable std::mutex lock_;
  std::string first_[kSlots];
};

}  // namespace xlashape::cli
