// Executions of relayouts, in every way there is: by one call, by tasks in any order and on threads, by batches, by
// executors, in one call with the plan. Bytes are compared with the reference where the array is small, and always with
// the scalar and simd backends.
#include <algorithm>
#include <thread>

#include "executions.h"

namespace api_fuzz {
namespace {

// Some calls of xlashape_plan_execute_ex that run all tasks once.
xlashape_status in_tasks(Input& input, const xlashape_plan* plan, const xlashape_exec& all) {
  const int64_t count = input.one_in(3) ? xlashape_plan_task_count(plan, input.within(1, 8)) : input.within(1, 12);
  if (count > 64) return XLASHAPE_STATUS_CANCELLED;
  std::vector<std::pair<int64_t, int64_t>> parts;
  for (int64_t i = 0; i < count; i = parts.back().second)
    parts.emplace_back(i, std::min(count, i + input.within(1, 3)));
  const std::vector<int64_t> order = input.permutation(static_cast<int64_t>(parts.size()));
  std::vector<xlashape_status> results(parts.size());
  const auto run = [&](size_t part) {
    xlashape_exec exec = all;
    exec.task_begin = parts[part].first, exec.task_end = parts[part].second, exec.task_count = count;
    return xlashape_plan_execute_ex(plan, &exec, nullptr);
  };
  if (input.one_in(4)) {
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        for (size_t i = t; i < order.size(); i += 3) results[i] = run(static_cast<size_t>(order[i]));
      });
    for (std::thread& thread : threads) thread.join();
  } else {
    for (size_t i = 0; i < order.size(); ++i) results[i] = run(static_cast<size_t>(order[i]));
  }
  for (const xlashape_status result : results)
    if (result != XLASHAPE_STATUS_OK) return result;
  return XLASHAPE_STATUS_OK;
}

// Calls that have to be refused, with the destination left alone.
void refused(Input& input, const xlashape_plan* plan, const Reach& reach, const std::vector<uint8_t>& src,
             const std::vector<uint8_t>& before) {
  if (reach.src_high == reach.src_low || reach.dst_high == reach.dst_low) return;
  const Memory from(src, 0), to(before, 0);
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  exec.src = from.pointer(reach.src_low), exec.dst = to.pointer(reach.dst_low);
  switch (input.below(8)) {
    case 0:
      exec.src = 0;
      break;
    case 1:
      exec.dst = 0;
      break;
    case 2:
      exec.src_byte_size = reach.src_high > 1 ? reach.src_high - 1 : -1;
      break;
    case 3:
      exec.dst_byte_size = reach.dst_high > 1 ? reach.dst_high - 1 : -1;
      break;
    case 4:
      exec.queue_kind = 1 + static_cast<int32_t>(input.below(3));
      break;
    case 5:
      exec.task_begin = 1, exec.task_end = input.below(2), exec.task_count = input.below(2);
      break;
    case 6:
      exec.count = 1 + input.below(3);
      break;
    default:
      exec.src_byte_offset = -1 - input.below(3);
  }
  // Tasks [1, 1) of 1 are none.
  const bool none = exec.task_begin == 1 && exec.task_end == 1 && exec.task_count == 1;
  const xlashape_status status = CALL(xlashape_plan_execute_ex, plan, &exec);
  check(none || status != XLASHAPE_STATUS_OK, "a call that has to be refused is not");
  check(to.bytes() == before, "a call that is refused writes");
}

}  // namespace

void execute(Input& input) {
  xlashape_plan* plan = world.plans.pick(input);
  const PlanInfo* info = info_of(plan);
  Reach reach;
  if (info == nullptr) {
    char byte = 0;
    check(CALL(xlashape_plan_execute, plan, &byte, &byte) != XLASHAPE_STATUS_OK || plan != nullptr, "NULL is executed");
    return;
  }
  if (info->converts) {
    check(CALL(xlashape_plan_execute, plan, nullptr, nullptr) == XLASHAPE_STATUS_INVALID_ARGUMENT,
          "an index plan is executed without a count");
    return;
  }
  if (!reach_of(plan, &reach)) return;
  const std::vector<uint8_t> src = random_bytes(input, reach.src_high - reach.src_low),
                             before = random_bytes(input, reach.dst_high - reach.dst_low);
  const MayFail scope(info->runtime);
  if (input.one_in(6)) return refused(input, plan, reach, src, before);
  const int64_t copies = input.one_in(4) ? input.within(1, 3) : 1;
  const auto span = static_cast<int64_t>(before.size()), step = span + input.below(20);
  std::vector<uint8_t> all(static_cast<size_t>(copies > 1 ? (copies - 1) * step + span : span), 0x77);
  for (int64_t i = 0; i < copies; ++i) std::copy(before.begin(), before.end(), all.begin() + i * step);
  const Memory from(src, static_cast<size_t>(input.below(17))), to(all, static_cast<size_t>(input.below(65)));
  const uint64_t src_pointer = from.pointer(reach.src_low), dst_pointer = to.pointer(reach.dst_low);
  xlashape_exec exec = {};
  exec.struct_size = sizeof exec;
  exec.src_byte_offset = input.one_in(2) ? 0 : input.below(100),
  exec.dst_byte_offset = input.one_in(2) ? 0 : input.below(100);
  exec.src = src_pointer - static_cast<uint64_t>(exec.src_byte_offset),
  exec.dst = dst_pointer - static_cast<uint64_t>(exec.dst_byte_offset);
  if (reach.src_low >= 0 && reach.dst_low >= 0 && input.one_in(2))
    exec.src_byte_size = exec.src_byte_offset + reach.src_high,
    exec.dst_byte_size = exec.dst_byte_offset + reach.dst_high;
  const DrawnExecutor drawn = draw_executor(input);
  bool cancelled = gives_up(info->runtime), damaged = false;
  xlashape_status status;
  const int64_t way = copies > 1 ? 5 : input.below(5);
  if (way == 0) {
    status = CALL(xlashape_plan_execute, plan, reinterpret_cast<const void*>(src_pointer),
                  reinterpret_cast<void*>(dst_pointer));
  } else if (way == 1) {
    auto block = resized(exec, input);
    damaged = block.size() != sizeof exec;
    status = CALL(xlashape_plan_execute_ex, plan, reinterpret_cast<const xlashape_exec*>(block.data()));
    if (status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_INCOMPATIBLE)
      return check(damaged && to.bytes() == all, "a call that is refused writes, or nothing was wrong with it");
  } else if (way == 2) {
    auto block = resized(drawn.executor, input);
    exec.executor = reinterpret_cast<const xlashape_executor*>(block.data());
    cancelled = drawn.gives_up;
    damaged = block.size() != sizeof drawn.executor || drawn.executor.parallel_for == nullptr ||
              drawn.executor.max_workers == 0;
    status = CALL(xlashape_plan_execute_ex, plan, &exec);
  } else if (way == 5) {
    const bool backwards = input.one_in(2);
    const uint64_t first = backwards ? dst_pointer + static_cast<uint64_t>((copies - 1) * step) : dst_pointer;
    status = CALL(xlashape_plan_execute_batch, plan, copies, reinterpret_cast<const void*>(src_pointer), 0,
                  reinterpret_cast<void*>(first), backwards ? -step : step);
    check(status != XLASHAPE_STATUS_OUT_OF_RANGE, "a batch is out of range");
  } else {
    status = in_tasks(input, plan, exec);
    cancelled = true;
  }
  if (status != XLASHAPE_STATUS_OK) {
    check(info->may_fail || status == XLASHAPE_STATUS_NO_MEMORY || damaged ||
              (cancelled && status == XLASHAPE_STATUS_CANCELLED),
          "an honest execution fails");
    return;
  }
  const std::vector<uint8_t> got = to.bytes();
  std::vector<bool> mine(got.size());
  for (int64_t i = 0; i < copies; ++i) {
    const auto at = got.begin() + i * step;
    judge(info->request, reach, src, before, {at, at + span}, i == 0);
    std::fill(mine.begin() + i * step, mine.begin() + i * step + span, true);
  }
  for (size_t i = 0; i < got.size(); ++i) check(mine[i] || got[i] == 0x77, "a batch writes between its arrays");
}

void relayout_once(Input& input) {
  const Request request = draw_request(input);
  const xlashape_relayout_options options = request.options();
  // The plan's requirements say what memory it takes.
  xlashape_plan* plan = nullptr;
  Request plain = request;
  plain.backend.clear(), plain.flags = 0, plain.src_space = plain.dst_space = plain.device = 0;
  const xlashape_relayout_options usual = plain.options();
  xlashape_runtime* runtime = input.one_in(8) ? draw_runtime_with_ours(input, draw_open(input)) : draw_runtime(input);
  const MayFail scope(runtime);
  Reach reach = {0, 64, 0, 64};
  const bool can =
      xlashape_plan_create(steady(), request.src, request.dst, &usual, &plan, nullptr) == XLASHAPE_STATUS_OK;
  const bool near = can && reach_of(plan, &reach);
  xlashape_plan_release(plan);
  if (can && !near) return;
  const std::vector<uint8_t> src = random_bytes(input, reach.src_high - reach.src_low),
                             before = random_bytes(input, reach.dst_high - reach.dst_low);
  const Memory from(src, static_cast<size_t>(input.below(17))), to(before, static_cast<size_t>(input.below(65)));
  const int64_t missing = input.one_in(5) ? 1 + input.below(3) : 0;
  const auto* const src_at = reinterpret_cast<const void*>(from.pointer(reach.src_low));
  void* const dst_at = reinterpret_cast<void*>(to.pointer(reach.dst_low));
  const int64_t room = reach.dst_high - missing;
  const bool by_fields = input.one_in(3), given = by_fields || !usual.backend || input.one_in(3);
  xlashape_status status;
  if (by_fields) {
    auto fields = Numbers::of(listed(request.fields(input)), input);
    status = CALL(xlashape_relayout_from_fields, runtime, request.src, src_at, reach.src_high, request.dst, dst_at,
                  room, fields.data(), size_of(fields));
    const Memory other(before, 8);
    const xlashape_status same =
        xlashape_relayout(runtime, request.src, src_at, reach.src_high, request.dst,
                          reinterpret_cast<void*>(other.pointer(reach.dst_low)), room, &options, nullptr);
    check(status == same || ended.was_refused_memory, "a relayout by fields and one by options end differently");
    if (status == XLASHAPE_STATUS_OK && same == status && request.fill_policy != XLASHAPE_FILL_UNSPECIFIED)
      compare(request, to.bytes(), other.bytes(), nullptr,
              "a relayout by fields moves other bytes than one by options");
  } else {
    status = CALL(xlashape_relayout, runtime, request.src, src_at, reach.src_high, request.dst, dst_at, room,
                  given ? &options : nullptr);
  }
  if (status == XLASHAPE_STATUS_OK) {
    const bool as_asked = given;
    check(!as_asked || can, "a relayout is done that cannot be planned");
    check(!as_asked || runtime != steady() || !request.is_beyond_cpu(),
          "a relayout is done on a device or in a space that nobody has");
    check(!as_asked || missing == 0 || reach.dst_high == 0 || reach.dst_low < 0,
          "a relayout is done in too little room");
    if (as_asked) judge(request, reach, src, before, to.bytes(), input.one_in(2));
    return;
  }
  const bool may_fail = runtime != steady() || !request.backend.empty() || request.is_beyond_cpu();
  check(!can || may_fail || missing > 0 || reach.src_low < 0 || reach.dst_low < 0 ||
            status == XLASHAPE_STATUS_NO_MEMORY || (request.flags & ~3u) != 0,
        "an honest relayout fails");
  if (status == XLASHAPE_STATUS_OUT_OF_RANGE || status == XLASHAPE_STATUS_INVALID_ARGUMENT ||
      status == XLASHAPE_STATUS_UNSUPPORTED)
    if (runtime == steady()) check(to.bytes() == before, "a relayout that is refused writes");
}

// An array without bytes, as often as one likes; and onto itself.
void execute_nothing(Input& input) {
  static constexpr const char* kShapes[] = {"f32[0]", "u8[3,0,2]{0,1,2}", "s4[0]{0:E(4)}", "u8[5]",
                                            "f32[4,4]{1,0:T(2,2)}"};
  const std::string text = input.pick(kShapes);
  xlashape_shape* shape = MAKE(shapes, xlashape_shape_parse, text.data(), size_of(text), 0);
  if (shape == nullptr) return;
  xlashape_runtime* const runtime = steady();
  xlashape_plan* plan = MAKE(plans, xlashape_plan_create, runtime, shape, shape, nullptr);
  Reach reach;
  if (plan != nullptr) forget_plan(plan);  // of one that had its address
  if (plan == nullptr || !reach_of(plan, &reach)) return;
  if (reach.dst_high == reach.dst_low) {
    CALL(xlashape_plan_execute, plan, nullptr, nullptr);
    CALL(xlashape_plan_execute_batch, plan, input.one_in(2) ? INT64_MAX : input.wild(), nullptr, input.wild(), nullptr,
         input.wild());
    return;
  }
  const std::vector<uint8_t> before = random_bytes(input, reach.dst_high);
  const Memory memory(before, 0);
  void* const at = reinterpret_cast<void*>(memory.pointer(0));
  const xlashape_status status = CALL(xlashape_plan_execute, plan, at, at);
  check(status == XLASHAPE_STATUS_OK && memory.bytes() == before, "an identity does not run onto itself");
}

}  // namespace api_fuzz
