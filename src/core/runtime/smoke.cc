// SPDX-License-Identifier: Apache-2.0
#include "runtime/smoke.h"

#include <algorithm>
#include <cstring>

#include "ir/address.h"
#include "ir/reference.h"

namespace xlashape::core {
namespace {

constexpr int kElements = kSmokeRows * kSmokeColumns;

// The backend's part of one operation; destroys and frees it at the end.
class BackendPlan {
 public:
  BackendPlan(const BackendCalls& calls, const Hooks& hooks, const xlashape_op& op)
      : calls_(calls), hooks_(hooks), op_(op) {}
  ~BackendPlan() {
    if (ready_) calls_.plan_destroy(storage_);
    hooks_.free(storage_, bytes_, alignment_);
  }
  Status make(Error* err) {
    XLASHAPE_TRY(calls_.plan_size(op_, &bytes_, &alignment_, err));
    bytes_ = std::max<size_t>(bytes_, 1);
    storage_ = hooks_.alloc(bytes_, alignment_);
    if (storage_ == nullptr) throw std::bad_alloc();
    XLASHAPE_TRY(calls_.plan_init(op_, storage_, err));
    ready_ = true;
    return XLASHAPE_STATUS_OK;
  }
  Status run(const xlashape_run& run, Error* err) const { return calls_.plan_execute(storage_, op_, run, err); }

 private:
  const BackendCalls& calls_;
  const Hooks& hooks_;
  const xlashape_op& op_;
  void* storage_ = nullptr;
  size_t bytes_ = 0, alignment_ = 1;
  bool ready_ = false;
};

xlashape_op op_on_cpu(int32_t kind) {
  xlashape_op op{};
  op.struct_size = sizeof op;
  op.kind = kind;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  return op;
}

// Whether the backend supports the operation.
bool is_supported(const BackendCalls& calls, const xlashape_op& op) {
  xlashape_support support;
  return calls.supports(op, &support);
}

Status test_relayout(const BackendCalls& calls, const Hooks& hooks, const xlashape_relayout_ir& form, int64_t tasks,
                     Error* err) {
  xlashape_op op = op_on_cpu(XLASHAPE_OP_RELAYOUT);
  op.relayout = &form;
  if (!is_supported(calls, op)) return XLASHAPE_STATUS_OK;
  constexpr int kGuard = 64, kBytes = 4 * kElements;
  alignas(64) unsigned char src[kBytes], dst[kGuard + kBytes + kGuard], want[sizeof dst];
  for (int i = 0; i < kBytes; ++i) src[i] = static_cast<unsigned char>(i * 37 + 11);
  const uint32_t signalling = 0x7F800001, quiet = 0xFFC12345;  // NaNs must arrive bit for bit
  std::memcpy(src, &signalling, 4);
  std::memcpy(src + 40, &quiet, 4);
  std::memset(dst, 0xA5, sizeof dst);
  std::memset(want, 0xA5, sizeof want);
  reference::relayout(*op.relayout, src, want + kGuard);
  BackendPlan part(calls, hooks, op);
  XLASHAPE_TRY(part.make(err));
  for (int64_t task = 0; task < tasks; ++task) {
    xlashape_run run{};
    run.struct_size = sizeof run;
    run.src = ir::address_of(src);
    run.dst = ir::address_of(dst + kGuard);
    run.task_begin = task;
    run.task_end = task + 1;
    run.task_count = tasks;
    XLASHAPE_TRY(part.run(run, err));
  }
  for (int i = 0; i < static_cast<int>(sizeof dst); ++i)
    if (dst[i] != want[i])
      return fail(err, XLASHAPE_STATUS_INTERNAL,
                  "relayout of f32[%d,%d] to column-major%s: byte %d is 0x%02x, it must be 0x%02x", kSmokeRows,
                  kSmokeColumns, tasks > 1 ? " in two tasks" : "", i - kGuard, dst[i], want[i]);
  return XLASHAPE_STATUS_OK;
}

Status test_indices(const BackendCalls& calls, const Hooks& hooks, const xlashape_map_ir& map, int32_t kind,
                    Error* err) {
  xlashape_op op = op_on_cpu(kind);
  op.map = &map;
  op.index_step = 2;
  op.dimension_step = 1;
  if (!is_supported(calls, op)) return XLASHAPE_STATUS_OK;
  constexpr int kCount = 8;
  int64_t index[2 * kCount], linear[kCount];
  for (int i = 0; i < kCount; ++i) {
    linear[i] = (i * 7 + 2) % kElements;
    reference::index_at(*op.map, linear[i], index + 2 * i);
  }
  const bool to_linear = kind == XLASHAPE_OP_TO_LINEAR;
  const int64_t* const want = to_linear ? linear : index;
  const int results = to_linear ? kCount : 2 * kCount;
  int64_t out[2 * kCount];
  std::fill(std::begin(out), std::end(out), -77);
  BackendPlan part(calls, hooks, op);
  XLASHAPE_TRY(part.make(err));
  int64_t first_invalid = kCount;
  xlashape_run run{};
  run.struct_size = sizeof run;
  run.src = ir::address_of(to_linear ? index : linear);
  run.dst = ir::address_of(out);
  run.task_end = run.task_count = 1;
  run.count = kCount;
  run.first_invalid = &first_invalid;
  XLASHAPE_TRY(part.run(run, err));
  const char* what = to_linear ? "multidimensional to linear" : "linear to multidimensional";
  if (first_invalid != kCount)
    return fail(err, XLASHAPE_STATUS_INTERNAL, "indices, %s: number %lld is called invalid, but it is valid", what,
                ll(first_invalid));
  for (int i = 0; i < results; ++i)
    if (out[i] != want[i])
      return fail(err, XLASHAPE_STATUS_INTERNAL, "indices, %s: result %d is %lld, it must be %lld", what, i, ll(out[i]),
                  ll(want[i]));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status smoke_test(const BackendCalls& calls, const Hooks& hooks, Error* err) {
  alignas(16) char buffer[2048];
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir form;
  XLASHAPE_TRY(hooks.plan_smoke_form(arena, &form, err));
  XLASHAPE_TRY(test_relayout(calls, hooks, form, 1, err));
  XLASHAPE_TRY(test_relayout(calls, hooks, form, 2, err));
  XLASHAPE_TRY(test_indices(calls, hooks, *form.dst, XLASHAPE_OP_TO_LINEAR, err));
  return test_indices(calls, hooks, *form.dst, XLASHAPE_OP_TO_MULTIDIMENSIONAL, err);
}

}  // namespace xlashape::core
