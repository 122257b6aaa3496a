// SPDX-License-Identifier: Apache-2.0
// What is behind xlashape_get_extension: asynchronous executions, and which bytes of the source decide others.
#include <condition_variable>
#include <cstdio>

#include "plans.h"
#include "xlashape_experimental.h"

namespace api_fuzz {
namespace {

const xlashape_extension_execution& execution() {
  static const auto* const table = static_cast<const xlashape_extension_execution*>(
      xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, sizeof XLASHAPE_EXTENSION_EXECUTION - 1));
  check(table != nullptr && table->struct_size == sizeof *table && table->reserved == 0, "no table of executions");
  return *table;
}

// Who hears of an execution's end. Lives until nobody can call it any more: a second call comes to a dead one.
struct Heard {
  std::mutex lock;
  std::condition_variable changed;
  int calls = 0;
  xlashape_status status = XLASHAPE_STATUS_OK;
  // Released by `done`.
  xlashape_plan* plan = nullptr;
  xlashape_runtime* runtime = nullptr;

  static void XLASHAPE_CALL done(void* opaque, xlashape_status status, const xlashape_error* err) {
    auto& heard = *static_cast<Heard*>(opaque);
    check((err != nullptr) == (status != XLASHAPE_STATUS_OK), "a record without a failure, or none with one");
    check(err == nullptr || (err->code == status && err->struct_size >= 32 && err->message[err->message_len] == '\0' &&
                             is_printable_line({err->message, err->message_len})),
          "the record of an asynchronous execution");
    if (heard.plan != nullptr || heard.runtime != nullptr) Elsewhere::let_go();
    xlashape_plan_release(heard.plan);
    xlashape_runtime_release(heard.runtime);
    const std::lock_guard guard(heard.lock);
    ++heard.calls;
    heard.status = status;
    heard.changed.notify_all();
  }
  void wait() {
    std::unique_lock guard(lock);
    changed.wait(guard, [&] { return calls > 0; });  // the fuzzer's own limit ends it if `done` is never called
  }
};

// What has to be refused at once, and nobody hears of.
void refuse_async(Input& input, const xlashape_plan* plan, const Scene& scene) {
  xlashape_execute_options exec = scene.exec;
  const xlashape_executor executor = {};
  Heard heard;
  xlashape_status want = XLASHAPE_STATUS_INVALID_ARGUMENT;
  xlashape_done_fn done = Heard::done;
  switch (input.below(5)) {
    case 0:
      plan = nullptr;
      break;
    case 1:
      done = nullptr;
      break;
    case 2:
      exec.struct_size = static_cast<uint32_t>(input.below(sizeof exec));
      break;
    case 3:
      exec.executor = &executor;
      want = XLASHAPE_STATUS_UNSUPPORTED;
      break;
    default:
      exec.queue.kind = input.one_in(2) ? 1 + static_cast<int32_t>(input.below(40)) : -1;
      want = XLASHAPE_STATUS_UNSUPPORTED;
  }
  const xlashape_status status = attempt(F_execution_1_execute_async, [&](xlashape_error* err) {
    return execution().execute_async(plan, &exec, done, &heard, err);
  });
  check(status == want || ended.was_refused_memory, "an asynchronous execution is not refused as it has to be");
  check(heard.calls == 0, "`done` is called although the call failed");
  scene.check_untouched("a call that is refused writes");
}

void execute_async(Input& input) {
  xlashape_plan* const plan = any<xlashape_plan>(input);
  const auto scene = set_scene(input, plan);
  if (scene == nullptr) return;
  if (input.one_in(6)) return refuse_async(input, plan, *scene);
  const PlanInfo& info = scene->info;
  const MayFail scope(info.runtime);
  const bool is_on_cpu = info.request.is_on_cpu();
  const bool may_give_up = gives_up(info.runtime), is_given_executor = has_executor(info.runtime);
  xlashape_execute_options exec = scene->exec;
  Watch watch(input);
  const bool is_watched = input.one_in(2);
  if (is_watched) watch.put(&exec);
  Heard heard;
  const Elsewhere elsewhere(info.runtime);
  // Who lets go of the plan and the runtime: nobody, this thread while it runs, or `done`.
  const int64_t who = is_on_cpu ? input.below(3) : 0;
  xlashape_plan* own_plan = nullptr;
  xlashape_runtime* own_runtime = nullptr;
  if (who > 0) {
    if (pool_of<xlashape_plan>().take(plan)) own_plan = plan;
    if (pool_of<xlashape_runtime>().take(info.runtime)) own_runtime = info.runtime;
    if (who == 2) heard.plan = std::exchange(own_plan, nullptr), heard.runtime = std::exchange(own_runtime, nullptr);
  }
  const xlashape_status status = attempt(F_execution_1_execute_async, [&](xlashape_error* err) {
    const xlashape_status answer = execution().execute_async(plan, &exec, Heard::done, &heard, err);
    exec = {};  // it was copied
    return answer;
  });
  if (who == 1 || status != XLASHAPE_STATUS_OK) Elsewhere::let_go();
  if (status == XLASHAPE_STATUS_OK) {
    xlashape_plan_release(own_plan), xlashape_runtime_release(own_runtime);
    heard.wait();
  } else {
    check(heard.calls == 0, "`done` is called although the call failed");
    check(ended.was_refused_memory || (status == XLASHAPE_STATUS_UNSUPPORTED && (!is_on_cpu || is_given_executor)),
          "an asynchronous execution is refused");
    for (xlashape_plan* it : {own_plan, heard.plan}) xlashape_plan_release(it);
    for (xlashape_runtime* it : {own_runtime, heard.runtime}) xlashape_runtime_release(it);
    return scene->check_untouched("a call that is refused writes");
  }
  check(is_on_cpu, "an asynchronous execution of a device's plan is taken");
  check(heard.calls == 1, "`done` is called more than once");
  if (is_watched) {
    watch.check_ended(heard.status);
    if (watch.is_set_before()) scene->check_untouched("what was cancelled before it began writes");
  }
  if (heard.status == XLASHAPE_STATUS_OK) return scene->judge(input.one_in(3));
  check(info.may_fail || (heard.status == XLASHAPE_STATUS_NO_MEMORY && ended.was_refused_memory) ||
            (heard.status == XLASHAPE_STATUS_CANCELLED && (is_watched || may_give_up)),
        "an honest asynchronous execution fails");
}

// A byte of the source that is not in the answer decides nothing in the range.
void source_range(Input& input) {
  xlashape_plan* const plan = pick<xlashape_plan>(input);
  const PlanInfo* const info = info_of(plan);
  const auto ask = [&](int64_t begin, int64_t end, int64_t* src_begin, int64_t* src_end) {
    return attempt(F_execution_1_source_range, [&](xlashape_error* err) {
      return execution().source_range(plan, begin, end, src_begin, src_end, err);
    });
  };
  int64_t src_begin = -77, src_end = -77;
  const auto scene = set_scene(input, plan);
  if (scene == nullptr) {
    const xlashape_status status = ask(input.wild(), input.wild(), &src_begin, &src_end);
    check(plan != nullptr || status == XLASHAPE_STATUS_INVALID_ARGUMENT, "a range of what has none");
    return check(status == XLASHAPE_STATUS_OK || (src_begin == -77 && src_end == -77), "a range is written on failure");
  }
  const Reach& reach = scene->reach;
  const int64_t size = reach.dst_high - reach.dst_low;
  int64_t begin = reach.dst_low + input.below(size + 1) - input.below(2);
  int64_t end = input.one_in(2) ? begin + input.below(9) : begin + input.below(size + 3);
  if (input.one_in(20)) begin = input.wild();
  if (input.one_in(20)) end = input.wild();
  if (input.one_in(30))
    check(ask(begin, end, &src_begin, nullptr) == XLASHAPE_STATUS_INVALID_ARGUMENT && src_begin == -77,
          "a range without an end");
  const xlashape_status status = ask(begin, end, &src_begin, &src_end);
  check(status == (begin > end ? XLASHAPE_STATUS_INVALID_ARGUMENT : XLASHAPE_STATUS_OK), "what is a range");
  if (status != XLASHAPE_STATUS_OK) return check(src_begin == -77 && src_end == -77, "a range is written on failure");
  check((src_begin == 0 && src_end == 0) ||
            (src_begin < src_end && src_begin >= reach.src_low && src_end <= reach.src_high),
        "a range is none, or not within what the plan reads");
  std::vector<uint8_t> other = scene->src;
  for (int64_t i = 0; i < size_of(other); ++i)
    if (reach.src_low + i < src_begin || reach.src_low + i >= src_end)
      other[static_cast<size_t>(i)] ^= static_cast<uint8_t>(1 + input.below(255));
  const MayFail scope(info->runtime);
  const Memory from(other, 8), to(scene->before, 8);
  xlashape_execute_options exec = scene->exec;
  if (xlashape_plan_execute_with(plan, &exec, nullptr) != XLASHAPE_STATUS_OK) return;
  exec.src = from.pointer(reach.src_low), exec.dst = to.pointer(reach.dst_low);
  if (xlashape_plan_execute_with(plan, &exec, nullptr) != XLASHAPE_STATUS_OK) return;
  const Request& request = info->request;
  const auto expected = expect(request, scene->src, reach.src_low, scene->before, reach.dst_low);
  if (!expected && !request.is_all_told()) return;
  const std::vector<uint8_t> a = scene->to.bytes(), b = to.bytes();
  for (int64_t i = std::max(begin, reach.dst_low); i < std::min(end, reach.dst_high); ++i) {
    const auto at = static_cast<size_t>(i - reach.dst_low);
    if (((a[at] ^ b[at]) & (expected ? expected->mask[at] : 0xFF)) == 0) continue;
    request.print();
    std::fprintf(stderr, "byte %lld of [%lld, %lld), from [%lld, %lld)\n", static_cast<long long>(i),
                 static_cast<long long>(begin), static_cast<long long>(end), static_cast<long long>(src_begin),
                 static_cast<long long>(src_end));
    fault("a byte of the source decides one of the destination, and is not in the range");
  }
}

constexpr Operation kOperations[] = {{execute_async, 5}, {source_range, 4}};

}  // namespace

Operations extension_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
