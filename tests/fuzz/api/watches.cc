// Executions of relayouts that are watched: cancelled, telling their progress, with scratch of the caller's.
#include <algorithm>

#include "executions.h"

namespace api_fuzz {
namespace {

// Working memory for one execution, and how the call has to end for it.
class Scratch {
 public:
  Scratch(Input& input, const xlashape_plan* plan, xlashape_exec* exec) {
    xlashape_plan_requirements r = {};
    r.struct_size = sizeof r;
    check(xlashape_plan_get_requirements(plan, &r, nullptr) == XLASHAPE_STATUS_OK, "a plan without requirements");
    const int64_t bytes = r.scratch_bytes + (input.one_in(2) ? 0 : input.below(100));
    const auto alignment = static_cast<size_t>(r.scratch_alignment);
    void* memory = nullptr;
    check(posix_memalign(&memory, std::max(alignment, sizeof(void*)), static_cast<size_t>(bytes + 1)) == 0, "memory");
    block_.reset(memory);
    exec->scratch = reinterpret_cast<uint64_t>(memory);
    exec->scratch_bytes = bytes;
    const int64_t kind = input.below(10);
    if (kind == 0 && r.scratch_bytes > 0) {
      exec->scratch_bytes = r.scratch_bytes - 1 - (input.one_in(2) ? 0 : input.below(r.scratch_bytes));
      want_ = XLASHAPE_STATUS_OUT_OF_RANGE;
    } else if (kind == 1 && alignment > 1) {
      exec->scratch += input.one_in(2) ? alignment / 2 : 1;
      want_ = XLASHAPE_STATUS_INVALID_ARGUMENT;
    } else if (kind == 2) {
      exec->scratch_bytes = -1 - input.below(2) * INT64_MAX;
      want_ = XLASHAPE_STATUS_INVALID_ARGUMENT;
      if (input.one_in(2)) exec->scratch = 0;
    } else if (kind == 3) {
      exec->scratch = 0;  // then how much there is says nothing
    }
  }
  xlashape_status want() const { return want_; }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> block_;
  xlashape_status want_ = XLASHAPE_STATUS_OK;
};

}  // namespace

void execute_watched(Input& input) {
  xlashape_plan* const plan = input.one_in(3) ? make_scratch_plan(input) : world.plans.any(input);
  const auto scene = set_scene(input, plan);
  if (scene == nullptr) return;
  const PlanInfo& info = scene->info;
  const MayFail scope(info.runtime);
  xlashape_exec& exec = scene->exec;
  Watch watch(input);
  const bool is_watched = !input.one_in(4);
  if (is_watched) watch.put(&exec);
  std::optional<Scratch> scratch;
  if (input.one_in(2)) scratch.emplace(input, plan, &exec);
  const DrawnExecutor drawn = draw_executor(input);
  bool may_give_up = gives_up(info.runtime);
  if (input.one_in(3) && drawn.executor.parallel_for != nullptr && drawn.executor.max_workers > 0)
    exec.executor = &drawn.executor, may_give_up = drawn.gives_up;
  const bool in_part = input.one_in(6);
  if (in_part) {
    exec.task_count = input.within(1, 12);
    exec.task_begin = input.below(exec.task_count);
    exec.task_end = exec.task_begin + 1 + input.below(exec.task_count - exec.task_begin);
  }
  Owned* const ours = const_cast<Owned*>(added_backend(info.runtime, xlashape_plan_backend(plan)));
  if (ours != nullptr) ours->scratch = 1, ours->scratch_bytes = -1;
  const xlashape_status status = CALL(xlashape_plan_execute_ex, plan, &exec);
  if (scratch && scratch->want() != XLASHAPE_STATUS_OK) {
    check(status == scratch->want() || ended.was_refused_memory, "scratch that does not do is taken");
    return check(scene->to.bytes() == scene->before, "a call that is refused writes");
  }
  if (is_watched) {
    watch.check_ended(status);
    if (watch.is_set_before())
      return check(scene->to.bytes() == scene->before, "what was cancelled before it began writes");
    if (in_part && status == XLASHAPE_STATUS_OK && watch.count() > 0)
      check(watch.count() == exec.task_end - exec.task_begin, "progress counts other tasks than the caller's");
  }
  if (status != XLASHAPE_STATUS_OK)
    return check(info.may_fail || status == XLASHAPE_STATUS_NO_MEMORY ||
                     (status == XLASHAPE_STATUS_CANCELLED && (is_watched || may_give_up)),
                 "an honest execution fails");
  if (ours != nullptr && ours->takes_scratch)
    check(ours->scratch == exec.scratch && ours->scratch_bytes == (exec.scratch != 0 ? exec.scratch_bytes : 0),
          "scratch does not come to the backend as it was given");
  if (!in_part) scene->judge_bytes(input.one_in(2));
}

// An array that is more than one task also where one thread runs them all.
void execute_large(Input& input) {
  xlashape_runtime* const runtime = draw_runtime(input);
  const int64_t rows = input.within(1024, 1300), columns = input.within(1024, 1300);
  const std::string dimensions = "u8[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
  const auto parse = [](const std::string& text) {
    xlashape_shape* made = nullptr;
    check(xlashape_shape_parse(text.data(), size_of(text), 0, &made, nullptr) == XLASHAPE_STATUS_OK, "a shape");
    return made;
  };
  xlashape_shape *const from = parse(dimensions + "{1,0}"), *const to = parse(dimensions + "{0,1}");
  const MayFail scope(runtime);
  xlashape_plan* plan = nullptr;
  const xlashape_status made = xlashape_plan_create(runtime, from, to, nullptr, &plan, nullptr);
  xlashape_shape_release(from), xlashape_shape_release(to);
  if (made != XLASHAPE_STATUS_OK) return check(runtime != steady(), "no plan is made");
  const std::string backend = GET(xlashape_plan_backend, plan);
  check_chosen(runtime, "", 0, backend);
  if (is_ours(runtime, backend.c_str())) return xlashape_plan_release(plan);  // that would take seconds
  const std::vector<uint8_t> src = random_bytes(input, rows * columns);
  std::vector<uint8_t> dst(src.size(), 0x77);
  Watch watch(input);
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  exec.src = reinterpret_cast<uint64_t>(src.data()), exec.dst = reinterpret_cast<uint64_t>(dst.data());
  watch.put(&exec);
  const xlashape_status status = CALL(xlashape_plan_execute_ex, plan, &exec);
  watch.check_ended(status);
  if (watch.count() > 0) check(watch.count() >= 2 * rows * columns >> 20, "fewer tasks than one for each MiB");
  check(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_CANCELLED || status == XLASHAPE_STATUS_NO_MEMORY,
        "an honest execution fails");
  if (status == XLASHAPE_STATUS_OK)
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < columns; ++k)
        if (dst[static_cast<size_t>(k * rows + i)] != src[static_cast<size_t>(i * columns + k)])
          fault("a byte of a large array is elsewhere");
  if (watch.is_set_before())
    check(dst == std::vector<uint8_t>(dst.size(), 0x77), "what was cancelled before it began writes");
  xlashape_plan_release(plan);
}

}  // namespace api_fuzz
