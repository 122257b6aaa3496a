// SPDX-License-Identifier: Apache-2.0
#include "exec/in_place.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

#include "ir/address.h"
#include "runtime/gate.h"

namespace xlashape::core {
namespace {

constexpr int64_t kTasksOfWorker = 8;    // of a step, as they do not take equally long
constexpr int64_t kTaskBytes = 1 << 20;  // where the caller waits for progress
constexpr int64_t kMostTasks = 4096;     // of a step

int64_t round_up(int64_t bytes) {
  constexpr int64_t kTo = InPlace::kScratchAlignment;
  return (bytes + kTo - 1) / kTo * kTo;
}

// Working memory for as many tasks as run at a time. A free piece begins with the address of the next one.
class Scratch {
 public:
  Scratch(char* memory, int64_t piece_bytes, int64_t pieces) {
    for (int64_t i = pieces; i-- > 0;) give(memory + i * piece_bytes);
  }
  char* take() {
    for (;; std::this_thread::yield()) {  // where more tasks run at a time than there is memory for
      const std::lock_guard lock(guard_);
      char* const piece = free_;
      if (piece == nullptr) continue;
      std::memcpy(&free_, piece, sizeof free_);
      return piece;
    }
  }
  void give(char* piece) {
    const std::lock_guard lock(guard_);
    std::memcpy(piece, &free_, sizeof free_);
    free_ = piece;
  }

 private:
  std::mutex guard_;
  char* free_ = nullptr;
};

// One step of an execution, as tasks. It keeps the first failure.
struct StepTasks {
  const InPlaceWork& work;
  const uint64_t array;
  const int64_t count;           // of tasks
  const int64_t before, in_all;  // tasks of the steps before, and of all
  Scratch& scratch;
  char* const kept;
  const Control& control;
  Error* err;
  std::mutex guard{};
  Status status = XLASHAPE_STATUS_OK;
  std::atomic<bool> cancelled{false};
  std::atomic<intptr_t> ended{0};

  static void task(void* opaque, int64_t index, uint32_t) { static_cast<StepTasks*>(opaque)->run(index); }

  void run(int64_t index) {
    if (control.is_cancelled()) {
      cancelled.store(true, std::memory_order_relaxed);
      return;
    }
    const auto first = [&](int64_t i) { return work.units / count * i + std::min(i, work.units % count); };
    xlashape_error own;
    own.struct_size = sizeof own;
    Status result;
    {
      const struct Piece {  // given back also where a thread is ended within a backend
        Scratch& scratch;
        char* memory = scratch.take();
        ~Piece() { scratch.give(memory); }
      } piece{scratch};
      result = work.run(array, first(index), first(index + 1), piece.memory, kept, &own);
    }
    const int64_t done = std::min<int64_t>(ended.fetch_add(1, std::memory_order_relaxed) + 1, count);
    if (control.progress != nullptr) control.progress(control.opaque, before + done, in_all);
    if (result == XLASHAPE_STATUS_OK) return;
    const std::lock_guard lock(guard);
    if (status != XLASHAPE_STATUS_OK) return;
    status = result;
    if (err != nullptr) fail_again(err, own, own.source);
  }

  Status run_all(const xlashape_executor& executor) {
    Spread how = Spread::kWhole;
    if (executor.max_workers > 1 && count > 1)
      how = spread(executor, count, this, task);
    else
      for (int64_t i = 0; i < count && status == XLASHAPE_STATUS_OK && !cancelled; ++i) run(i);
    return status != XLASHAPE_STATUS_OK ? status : answer_spread(how, cancelled, before + ended, in_all, err);
  }
};

}  // namespace

Status InPlace::make(const xlashape_relayout_ir& ir, const InPlaceSizes& sizes, const MakePart& make_part,
                     std::unique_ptr<InPlace>* result, Error* err) {
  std::vector<InPlaceStep> steps;
  XLASHAPE_TRY(plan_in_place(ir, sizes, &steps, err));
  auto made = std::make_unique<InPlace>();
  for (InPlaceStep& step : steps) {
    std::unique_ptr<InPlaceWork>& work = made->steps_.emplace_back();
    XLASHAPE_TRY(make_work(std::move(step), sizes, make_part, &work, err));
    made->piece_bytes_ = std::max(made->piece_bytes_, round_up(std::max<int64_t>(work->scratch_bytes, sizeof(char*))));
    made->kept_bytes_ = std::max(made->kept_bytes_, round_up(work->kept_bytes));
  }
  made->bytes_ = ir.src_high;
  made->shares_ = ir.src_high >= sizes.share;
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

int64_t InPlace::pieces(int64_t workers) const {
  return steps_.empty() ? 0 : std::clamp<int64_t>(bytes_ / 4 / piece_bytes_, 1, workers);
}

int64_t InPlace::scratch_bytes(int64_t workers) const { return kept_bytes_ + piece_bytes_ * pieces(workers); }

Status InPlace::execute(const Hooks& hooks, const xlashape_run& run, const xlashape_executor& executor,
                        const Control& control, Error* err) const {
  const int64_t workers = std::max<int64_t>(executor.max_workers, 1);
  std::vector<int64_t> tasks;
  int64_t in_all = 0;
  for (const auto& step : steps_) {
    int64_t count = workers > 1 && shares_ ? workers * kTasksOfWorker : 1;
    if (control.wants_tasks()) count = std::max(count, bytes_ / kTaskBytes);
    if (pieces(workers) < workers) count = pieces(workers);  // none is to wait for memory
    tasks.push_back(std::clamp<int64_t>(step->units / step->least_units, 1, std::min(count, kMostTasks)));
    in_all += tasks.back();
  }
  if (steps_.empty()) return XLASHAPE_STATUS_OK;
  if (scratch_bytes(workers) > PTRDIFF_MAX) throw std::bad_alloc();
  const auto bytes = static_cast<size_t>(scratch_bytes(workers));
  const struct Owned {
    const Hooks& hooks;
    const size_t bytes;
    void* const own;  // null: the caller's is taken
    ~Owned() { hooks.free(own, bytes, kScratchAlignment); }
  } owned{hooks, bytes, run.scratch != 0 ? nullptr : hooks.alloc(bytes, kScratchAlignment)};
  if (run.scratch == 0 && owned.own == nullptr) throw std::bad_alloc();
  // What the caller gave is for the runtime's workers, and may be less than this executor has.
  char* const kept = run.scratch != 0 ? ir::pointer_at<char>(run.scratch) : static_cast<char*>(owned.own);
  Scratch scratch(kept + kept_bytes_, piece_bytes_,
                  run.scratch != 0 ? (run.scratch_bytes - kept_bytes_) / piece_bytes_ : pieces(workers));
  const uint64_t array = run.src + static_cast<uint64_t>(run.src_byte_offset);
  int64_t before = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    StepTasks step{*steps_[i], array, tasks[i], before, in_all, scratch, kept, control, err};
    XLASHAPE_TRY(step.run_all(executor));
    before += tasks[i];
  }
  return XLASHAPE_STATUS_OK;
}

std::string InPlace::describe() const {
  std::string text = steps_.empty() ? "in place: nothing to move" : "in place: ";
  for (const auto& step : steps_) {
    if (step != steps_.front()) text += "; then ";
    step->describe(&text);
  }
  return text;
}

}  // namespace xlashape::core
