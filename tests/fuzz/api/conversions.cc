// Executions of index plans: whole, by tasks, by executors; against single conversions.
#include "plans.h"

namespace api_fuzz {

void execute_conversion(Input& input) {
  xlashape_plan* plan = world.plans.pick(input);
  const PlanInfo* info = info_of(plan);
  if (info == nullptr || !info->converts) return;
  const int64_t rank = xlashape_index_map_rank(info->map), count = draw_count(input);
  const int64_t index_step = info->index_step, dimension_step = info->dimension_step;
  if (index_step > 400 || dimension_step > 400 || index_step < 0 || dimension_step < 0) return;
  const bool damaged = input.one_in(2);
  const IndexBatch given = draw_batch(input, info->map, count, info->to_linear, damaged);
  const int64_t room = count == 0 || rank == 0 ? 0 : (count - 1) * index_step + (rank - 1) * dimension_step + 1;
  Numbers index(static_cast<size_t>(room), input), linear(static_cast<size_t>(count), input);
  for (int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<size_t>(i);
    if (!info->to_linear) linear[n] = given.linear[n];
    for (int64_t d = 0; info->to_linear && d < rank; ++d)
      index[static_cast<size_t>(i * index_step + d * dimension_step)] = given.index[n][static_cast<size_t>(d)];
  }
  // Entries of several indices in one place were written over: what holds is then not known here.
  bool apart = true;
  for (int64_t i = 0; info->to_linear && i < count; ++i)
    for (int64_t d = 0; d < rank; ++d)
      apart &= index[static_cast<size_t>(i * index_step + d * dimension_step)] ==
               given.index[static_cast<size_t>(i)][static_cast<size_t>(d)];
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  const auto at = [](Numbers& list) { return reinterpret_cast<uint64_t>(list.data()); };
  exec.src = at(info->to_linear ? index : linear), exec.dst = at(info->to_linear ? linear : index);
  exec.count = input.one_in(40) ? -1 : count;
  int64_t bad = -77;
  if (input.one_in(2)) exec.bad = &bad;
  const DrawnExecutor drawn = draw_executor(input);
  if (input.one_in(3)) exec.executor = &drawn.executor;
  if (input.one_in(3)) {
    const int64_t short_by = input.one_in(4) ? 8 : 0;
    exec.src_byte_size = 8 * (info->to_linear ? room : count) - short_by;
    exec.dst_byte_size = 8 * (info->to_linear ? count : room);
  }
  const MayFail scope(info->runtime);
  const int64_t tasks = input.one_in(3) ? input.within(1, 5) : 0;
  xlashape_status status = XLASHAPE_STATUS_OK;
  if (tasks > 0) {
    exec.bad = nullptr;
    exec.task_count = tasks;
    for (exec.task_begin = 0; exec.task_begin < tasks && status == XLASHAPE_STATUS_OK; ++exec.task_begin) {
      exec.task_end = exec.task_begin + 1;
      status = CALL(xlashape_plan_execute_ex, plan, &exec);
    }
  } else {
    status = CALL(xlashape_plan_execute_ex, plan, &exec);
  }
  check(status == XLASHAPE_STATUS_OK || bad == -77, "the number of bad indices is written on failure");
  const bool marks = (info->flags & XLASHAPE_INDEX_MARK_BAD) != 0;
  if (status != XLASHAPE_STATUS_OK || !apart) return;
  check(given.bad == 0 || marks, "a bad index was let through");
  if (exec.bad != nullptr) check(bad == (marks ? given.bad : 0), "the number of bad indices");
  for (int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<size_t>(i);
    if (info->to_linear)
      check(linear[n] == (given.good[n] ? given.linear[n] : -1), "a plan's linear index differs from a single one's");
    for (int64_t d = 0; !info->to_linear && d < rank; ++d)
      check(index[static_cast<size_t>(i * index_step + d * dimension_step)] ==
                (given.good[n] ? given.index[n][static_cast<size_t>(d)] : -1),
            "a plan's index differs from a single one's");
  }
}

}  // namespace api_fuzz
