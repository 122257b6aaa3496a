// SPDX-License-Identifier: Apache-2.0
#include "exec/measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/cat.h"
#include "exec/form_key.h"
#include "ir/address.h"
#include "runtime/select.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// The memory of one side, with all that the plan touches.
class MeasuredSide {
 public:
  explicit MeasuredSide(const Hooks& hooks) : hooks_(hooks) {}
  ~MeasuredSide() { hooks_.free(memory_, size_, kPage); }

  // Touches every page, as a page that nobody wrote costs time at its first use, or has no memory of its own.
  Status make(const char* name, int64_t low, int64_t high, int64_t alignment, Error* err) {
    const uint64_t bytes = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    if (bytes == 0) return XLASHAPE_STATUS_OK;
    const auto align = static_cast<uint64_t>(std::max<int64_t>(alignment, 1));
    if (bytes > SIZE_MAX - align) throw std::bad_alloc();
    size_ = static_cast<size_t>(bytes + align);
    memory_ = hooks_.alloc(size_, kPage);
    if (memory_ == nullptr) throw std::bad_alloc();
    std::memset(memory_, 1, size_);
    // Position 0 may be outside, where only a part of an array is moved.
    const uint64_t first = ir::address_of(memory_) - static_cast<uint64_t>(low);
    position_0_ = (first + align - 1) & ~(align - 1);
    if (low <= 0 || static_cast<uint64_t>(low) <= ir::address_of(memory_)) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "the %s begins %lld bytes after its position 0: to measure it, how.%s must be given", name, ll(low),
                name[0] == 's' ? "src" : "dst");
  }
  uint64_t position_0() const { return position_0_; }

 private:
  static constexpr size_t kPage = 4096;
  const Hooks& hooks_;
  void* memory_ = nullptr;
  size_t size_ = 0;
  uint64_t position_0_ = 0;
};

// A plan's candidates.
class Candidates final : public Tunable {
 public:
  explicit Candidates(const Planned& plan) : plan_(plan) {
    std::string text;
    while (calls().plan_candidate(plan.storage, plan.op, count(), &text)) texts_.push_back(std::move(text));
  }
  int64_t count() const { return static_cast<int64_t>(texts_.size()); }
  const std::string& text(int64_t candidate) const { return texts_[static_cast<size_t>(candidate)]; }
  void use(uint64_t src, uint64_t dst) { src_ = src, dst_ = dst; }

  Status choose(int64_t candidate, Error* err) override {
    return calls().plan_choose(plan_.storage, plan_.op, text(candidate).c_str(), err);
  }
  Status run(Error* err) override {
    xlashape_run run = run_at(src_, dst_);
    return execute_unverified({plan_.runtime.get(), plan_.backend, &plan_.op, plan_.storage}, run,
                              plan_.runtime->hooks.executor, {}, err);
  }
  int64_t now() override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

 private:
  const BackendCalls& calls() const { return plan_.backend->calls; }

  const Planned& plan_;
  std::vector<std::string> texts_;
  uint64_t src_ = 0, dst_ = 0;
};

FormKey key_of(const Runtime& runtime, const xlashape_op& op) {
  return form_key(op, runtime.hooks.executor.max_workers);
}

}  // namespace

bool use_wisdom(Runtime& runtime, const Backend& backend, const xlashape_op& op, void* storage) {
  if (!backend.calls.has_candidates()) return false;
  const std::string choice = runtime.wisdom.find(key_of(runtime, op), backend.name);
  if (choice.empty()) return false;
  xlashape_error own;
  own.struct_size = sizeof own;
  if (backend.calls.plan_choose(storage, op, choice.c_str(), &own) == XLASHAPE_STATUS_OK) return true;
  runtime.hooks.log(XLASHAPE_LOG_DEBUG, backend.calls.source(),
                    cat({"backend ", backend.name, ": wisdom that it does not take: ", choice, ": ", own.message}));
  return false;
}

Status check_measuring(const xlashape_op& op, const Measuring& measuring, Error* err) {
  if (!is_on_host(op))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "only plans in CPU memory are measured, not from space %d to %d",
                op.src_space, op.dst_space);
  bool nothing;
  return measuring.src == 0 ? XLASHAPE_STATUS_OK : check_buffers(op, measuring.src, measuring.dst, &nothing, err);
}

Status measure(const Planned& plan, const Measuring& measuring, Error* err) {
  const xlashape_relayout_ir& ir = *plan.op.relayout;
  if (ir.elements == 0 || !plan.backend->calls.has_candidates()) return XLASHAPE_STATUS_OK;
  Candidates candidates(plan);
  if (candidates.count() < 2) return XLASHAPE_STATUS_OK;
  Runtime& runtime = *plan.runtime;
  MeasuredSide src(runtime.hooks), dst(runtime.hooks);
  if (measuring.src != 0) {
    if (measuring.src == measuring.dst) return XLASHAPE_STATUS_OK;  // an identity onto itself has no ways
    candidates.use(measuring.src, measuring.dst);
  } else {
    const xlashape_support& s = plan.support;
    XLASHAPE_TRY(
        src.make("source", ir.src_low, ir.src_high, std::max(s.src_alignment, s.src_preferred_alignment), err));
    XLASHAPE_TRY(
        dst.make("destination", ir.dst_low, ir.dst_high, std::max(s.dst_alignment, s.dst_preferred_alignment), err));
    candidates.use(src.position_0(), dst.position_0());
  }
  // A backend that refuses its own choice is left as it is.
  xlashape_error own;
  own.struct_size = sizeof own;
  if (candidates.choose(0, &own) == XLASHAPE_STATUS_INVALID_ARGUMENT) {
    runtime.hooks.log(
        XLASHAPE_LOG_WARNING, plan.backend->calls.source(),
        cat({"backend ", plan.backend->name, " refuses its own choice, so this plan is not measured: ", own.message}));
    return XLASHAPE_STATUS_OK;
  }
  AutotuneResult result;
  XLASHAPE_TRY(autotune(candidates, candidates.count(), measuring.budget_ns, &result, err));
  XLASHAPE_TRY(candidates.choose(result.winner, err));
  if (!result.is_complete) return XLASHAPE_STATUS_OK;
  const auto rounded = [](double ns) { return static_cast<int64_t>(ns + 0.5); };
  if (!runtime.wisdom.add(key_of(runtime, plan.op), plan.backend->name,
                          {rounded(result.ns), rounded(result.default_ns), candidates.text(result.winner)}))
    runtime.hooks.log(XLASHAPE_LOG_DEBUG, plan.backend->calls.source(), "the wisdom is full");
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
