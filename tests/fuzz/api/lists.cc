// Lists of executions: each moves what it moves alone, and what is wrong with one is told by its number.
#include "executions.h"

namespace api_fuzz {
namespace {

struct Item {
  xlashape_plan* plan;
  const PlanInfo* info;          // NULL where the plan is
  std::unique_ptr<Scene> scene;  // of a relayout
  uint64_t src = 0, dst = 0;
};

// Plans that the pool has, with memory each; those that reach too far are left out.
std::vector<Item> draw_items(Input& input) {
  std::vector<Item> items;
  const bool is_honest = !input.one_in(4);
  for (int64_t n = input.one_in(20) ? 0 : input.within(1, 6); n > 0; --n) {
    xlashape_plan* const plan = is_honest ? world.plans.any(input) : world.plans.pick(input);
    Item item = {plan, info_of(plan), set_scene(input, plan)};
    if (item.scene != nullptr)
      item.src = item.scene->exec.src, item.dst = item.scene->exec.dst;
    else if (is_honest || (plan != nullptr && (item.info == nullptr || !item.info->converts)))
      continue;
    items.push_back(std::move(item));
  }
  if (is_honest || items.empty()) return items;
  Item& item = items[static_cast<size_t>(input.below(size_of(items)))];
  if (item.scene == nullptr) return items;
  switch (input.below(4)) {
    case 0:
      item.src = 0;
      break;
    case 1:
      item.dst = 0;
      break;
    case 2:
      item.plan = nullptr, item.info = nullptr, item.scene = nullptr;
      break;
    default:
      break;
  }
  return items;
}

// The first one that has to be refused before anything runs; -1: none.
int64_t first_wrong(const std::vector<Item>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.scene == nullptr) return static_cast<int64_t>(i);
    const Reach& reach = item.scene->reach;
    if ((item.src == 0 && reach.src_high > reach.src_low) || (item.dst == 0 && reach.dst_high > reach.dst_low))
      return static_cast<int64_t>(i);
  }
  return -1;
}

// A field that is one plan's and not the list's.
void spoil(Input& input, xlashape_exec* exec) {
  static int64_t bad;
  static constexpr int64_t xlashape_exec::*const kNumbers[] = {
      &xlashape_exec::src_byte_offset, &xlashape_exec::dst_byte_offset, &xlashape_exec::src_byte_size,
      &xlashape_exec::dst_byte_size,   &xlashape_exec::task_begin,      &xlashape_exec::task_end,
      &xlashape_exec::task_count,      &xlashape_exec::count,           &xlashape_exec::scratch_bytes};
  static constexpr uint64_t xlashape_exec::*const kPlaces[] = {&xlashape_exec::src, &xlashape_exec::dst,
                                                               &xlashape_exec::scratch};
  const int64_t kind = input.below(13);
  if (kind < 9)
    exec->*kNumbers[kind] = 1 + input.below(3);
  else if (kind < 12)
    exec->*kPlaces[kind - 9] = 64;
  else
    exec->bad = &bad;
}

bool is_on_cpu(const Request& request) { return request.src_space <= 1 && request.dst_space <= 1; }

void check_untouched(const std::vector<Item>& items) {
  for (const Item& item : items)
    if (item.scene != nullptr) check(item.scene->to.bytes() == item.scene->before, "a list that is refused writes");
}

}  // namespace

void execute_list(Input& input) {
  const std::vector<Item> items = draw_items(input);
  std::vector<xlashape_plan*> all_plans;
  std::vector<uint64_t> all_src, all_dst;
  MayFail scope(nullptr);
  bool may_give_up = false, may_fail = false, is_one = true;
  for (const Item& item : items) {
    all_plans.push_back(item.plan), all_src.push_back(item.src), all_dst.push_back(item.dst);
    if (item.scene == nullptr) continue;
    const PlanInfo& info = item.scene->info;
    allowed.internal |= info.runtime != nullptr && info.runtime != steady();
    may_give_up |= gives_up(info.runtime);
    may_fail |= info.may_fail;
    is_one &= is_on_cpu(info.request);
  }
  auto plans = Exact<xlashape_plan*>::of(all_plans, input);
  auto src = Exact<uint64_t>::of(all_src, input), dst = Exact<uint64_t>::of(all_dst, input);
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  const int64_t wrong = first_wrong(items);
  const bool has_exec = input.one_in(2), is_watched = has_exec && input.one_in(2);
  Watch watch(input, is_one);
  if (is_watched) watch.put(&exec);
  const DrawnExecutor drawn = draw_executor(input);
  if (has_exec && input.one_in(3) && drawn.executor.parallel_for != nullptr && drawn.executor.max_workers > 0)
    exec.executor = &drawn.executor, may_give_up = drawn.gives_up;
  const bool is_spoiled = has_exec && input.one_in(12);
  const bool has_queue = has_exec && !is_watched && is_one && input.one_in(12);
  if (is_spoiled) spoil(input, &exec);
  if (has_queue) exec.queue_kind = 1 + static_cast<int32_t>(input.below(3));
  const int64_t count = input.one_in(40) ? -1 - input.below(2) * INT64_MAX : size_of(items);
  int64_t index = -1;
  bool is_told = false;
  const xlashape_status status = attempt(F_xlashape_plan_execute_list, [&](xlashape_error* err) {
    const xlashape_status answer =
        xlashape_plan_execute_list(count, plans.data(), src.data(), dst.data(), has_exec ? &exec : nullptr, err);
    is_told = err != nullptr && err->struct_size >= 32 && answer != XLASHAPE_STATUS_OK;
    if (is_told) index = err->index;
    return answer;
  });
  check(!is_told || (index >= -1 && index < size_of(items)), "a list fails at what it does not hold");
  if (ended.was_refused_memory && status == XLASHAPE_STATUS_NO_MEMORY) return;
  if (count < 0 || is_spoiled) {
    check(status == XLASHAPE_STATUS_INVALID_ARGUMENT && (!is_told || index == -1), "a list of that form is taken");
    return check_untouched(items);
  }
  const int64_t refused = has_queue && !items.empty() ? 0 : wrong;
  if (refused >= 0) {
    const bool by_queue = has_queue && items[static_cast<size_t>(refused)].scene != nullptr;
    check(status == (by_queue ? XLASHAPE_STATUS_UNSUPPORTED : XLASHAPE_STATUS_INVALID_ARGUMENT),
          "a list is not refused as its first wrong one has to be");
    check(!is_told || index == refused, "a list does not tell which one is wrong");
    return check_untouched(items);
  }
  if (is_watched && !items.empty()) {
    watch.check_ended(status);
    if (watch.is_set_before()) return check_untouched(items);
    if (is_one && status == XLASHAPE_STATUS_OK && watch.count() > 0)
      check(watch.count() >= size_of(items), "a list has fewer tasks than plans");
  }
  if (status != XLASHAPE_STATUS_OK) {
    check(may_fail || (status == XLASHAPE_STATUS_CANCELLED && (is_watched || may_give_up)), "an honest list fails");
    check(status != XLASHAPE_STATUS_CANCELLED || index == -1, "a list that is cancelled says that a plan failed");
    check(!is_told || index < 0 || items[static_cast<size_t>(index)].scene->info.may_fail,
          "a list fails at one that is honest");
    return;
  }
  for (const Item& item : items) item.scene->judge_bytes(input.one_in(4));
}

}  // namespace api_fuzz
