// SPDX-License-Identifier: Apache-2.0
// The scalar backend: it takes every operation on CPU memory. It is linked into the core, and also built as scalar.so.
#include <algorithm>
#include <cstdio>

#include "backends/common/entry.h"
#include "backends/scalar/index.h"
#include "backends/scalar/relayout.h"
#include "ir/address.h"
#include "ir/int128.h"

namespace xlashape::scalar {
namespace {

using backends::is_relayout;

xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  const bool cpu = op->src_space == XLASHAPE_SPACE_CPU && op->dst_space == XLASHAPE_SPACE_CPU;
  const bool known =
      is_relayout(*op) || op->kind == XLASHAPE_OP_TO_LINEAR || op->kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL;
  support->level = cpu && known ? XLASHAPE_SUPPORT_WORKS : XLASHAPE_SUPPORT_NONE;
  if (!cpu) backends::refuse_spaces(*op, err);
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_size(void*, const xlashape_op* op, int64_t* bytes, int64_t* align, xlashape_error*) {
  *bytes = is_relayout(*op) ? sizeof(ScalarRelayoutPlan) : 0;
  *align = alignof(ScalarRelayoutPlan);
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_init(void*, const xlashape_op* op, void* storage, xlashape_error*) {
  if (is_relayout(*op)) init(*op->relayout, static_cast<ScalarRelayoutPlan*>(storage));
  return XLASHAPE_STATUS_OK;
}

int64_t plan_tasks(void*, const void* storage, const xlashape_op* op, int64_t max_workers) {
  if (!is_relayout(*op)) return max_workers > 1 ? 4 * max_workers : 1;
  return tasks(*op->relayout, *static_cast<const ScalarRelayoutPlan*>(storage), max_workers);
}

xlashape_status run_indices(const xlashape_op* op, const xlashape_run* run, xlashape_error*) {
  const int64_t blocks = (run->count + 63) / 64;
  const auto at = [&](int64_t task) {
    return std::min(run->count, ir::part_begin(blocks, task, run->task_count) * 64);
  };
  const int64_t begin = at(run->task_begin), end = at(run->task_end);
  const auto* in = ir::pointer_at<const int64_t>(run->src + static_cast<uint64_t>(run->src_byte_offset));
  auto* out = ir::pointer_at<int64_t>(run->dst + static_cast<uint64_t>(run->dst_byte_offset));
  int64_t bad = 0;
  const int64_t stopped = op->kind == XLASHAPE_OP_TO_LINEAR ? to_linear(*op, in, out, begin, end, &bad)
                                                            : to_multi(*op, in, out, begin, end, &bad);
  if (stopped < end && run->first_invalid != nullptr) *run->first_invalid = std::min(*run->first_invalid, stopped);
  if (run->invalid_count != nullptr) *run->invalid_count += bad;
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_execute(void*, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error* err) {
  if (!is_relayout(*op)) return run_indices(op, run, err);
  const auto* src = ir::pointer_at<const char>(run->src + static_cast<uint64_t>(run->src_byte_offset));
  auto* dst = ir::pointer_at<char>(run->dst + static_cast<uint64_t>(run->dst_byte_offset));
  execute(*op->relayout, *static_cast<const ScalarRelayoutPlan*>(storage), src, dst, run->task_begin, run->task_end,
          run->task_count);
  return XLASHAPE_STATUS_OK;
}

int64_t describe_plan(void*, const void* storage, const xlashape_op* op, char* text, int64_t room) {
  const size_t capacity = static_cast<size_t>(room);
  if (is_relayout(*op))
    return static_cast<int64_t>(
        describe(*op->relayout, *static_cast<const ScalarRelayoutPlan*>(storage), text, capacity));
  const char* conversion =
      op->kind == XLASHAPE_OP_TO_LINEAR ? "multidimensional to linear" : "linear to multidimensional";
  const int n =
      std::snprintf(text, capacity, "scalar %s, rank %d, %d sums", conversion, op->map->rank, op->map->sum_count);
  return n;
}

// Without a nest, and for indices, values of a map are in arrays of the largest number.
int64_t plan_stack(void*, const void* storage, const xlashape_op* op) {
  const bool runs_maps = !is_relayout(*op) || static_cast<const ScalarRelayoutPlan*>(storage)->method == Method::kWalk;
  return runs_maps ? 48 << 10 : 12 << 10;
}

}  // namespace
}  // namespace xlashape::scalar

XLASHAPE_BACKEND_ENTRY(scalar)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  using namespace xlashape;
  xlashape_backend table{};
  table.abi_version = XLASHAPE_BACKEND_ABI_VERSION;
  table.name = "scalar";
  table.build_id = "xlashape 0.1.0 scalar";
  table.sanitizer = backends::kSanitizer;
  table.memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  table.supports = scalar::supports;
  table.plan_size = scalar::plan_size;
  table.plan_init = scalar::plan_init;
  table.plan_tasks = scalar::plan_tasks;
  table.plan_execute = scalar::plan_execute;
  table.describe = scalar::describe_plan;
  table.plan_stack = scalar::plan_stack;
  return backends::publish(host, table, backend, err);
}
