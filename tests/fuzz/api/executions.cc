// SPDX-License-Identifier: Apache-2.0
// Executions of relayouts, in every way there is: by one call, by tasks in any order and on threads, by lists, by
// executors, watched, with scratch of the caller's, in one call with the plan. Bytes are compared with the reference
// where the array is small, and always with the scalar and simd backends.
#include <sanitizer/asan_interface.h>

#include <cstdio>
#include <stdexcept>
#include <thread>

#include "plans.h"
#include "xlashape_runtime.h"

namespace api_fuzz {
namespace {

constexpr int64_t kMostBytes = 1 << 18;

void compare(const Request& request, const std::vector<uint8_t>& got, const std::vector<uint8_t>& want,
             const std::vector<uint8_t>* mask, const char* what) {
  check(got.size() == want.size(), what);
  for (size_t i = 0; i < got.size(); ++i) {
    if (((got[i] ^ want[i]) & (mask != nullptr ? (*mask)[i] : 0xFF)) == 0) continue;
    std::fprintf(stderr, "byte %zu of %zu is %#x, not %#x\n", i, got.size(), got[i], want[i]);
    request.print();
    fault(what);
  }
}

// What the steady runtime's backend `name` makes of it; nullopt where it does not do it.
std::optional<std::vector<uint8_t>> by_backend(const Scene& scene, const char* name) {
  Request same = scene.info.request;
  same.backend = name, same.flags &= XLASHAPE_PLAN_KEEP_IN_CACHE | kValueFlags;
  same.src.space = same.dst.space = same.device = 0;
  const xlashape_relayout_options options = same.options();
  const auto plan = held<HeldPlan>(xlashape_plan_create, steady(), same.src.shape, same.dst.shape, &options);
  if (plan == nullptr) return std::nullopt;
  const Memory from(scene.src, 8), to(scene.before, 16);
  check(xlashape_plan_execute(plan, reinterpret_cast<const void*>(from.pointer(scene.reach.src_low)),
                              XLASHAPE_UNCHECKED, reinterpret_cast<void*>(to.pointer(scene.reach.dst_low)),
                              XLASHAPE_UNCHECKED, nullptr) == XLASHAPE_STATUS_OK,
        "a backend's own plan does not run");
  return to.bytes();
}

// Working memory for one execution, and how the call has to end for it.
class Scratch {
 public:
  Scratch(Input& input, const xlashape_plan* plan, xlashape_execute_options* exec) {
    auto r = XLASHAPE_INIT(xlashape_plan_requirements);
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

// Some calls of xlashape_plan_execute_with that run all tasks once.
xlashape_status in_tasks(Input& input, const xlashape_plan* plan, const xlashape_execute_options& all) {
  const int64_t count = input.one_in(3) ? xlashape_plan_task_count(plan, input.within(1, 8)) : input.within(1, 12);
  if (count > 64) return XLASHAPE_STATUS_CANCELLED;
  std::vector<std::pair<int64_t, int64_t>> parts;
  for (int64_t i = 0; i < count; i = parts.back().second)
    parts.emplace_back(i, std::min(count, i + input.within(1, 3)));
  const std::vector<int64_t> order = input.permutation(static_cast<int64_t>(parts.size()));
  std::vector<xlashape_status> results(parts.size());
  const auto run = [&](size_t part) {
    xlashape_execute_options exec = all;
    exec.task_begin = parts[part].first, exec.task_end = parts[part].second, exec.task_count = count;
    return xlashape_plan_execute_with(plan, &exec, nullptr);
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
void refused(Input& input, const xlashape_plan* plan, const Scene& scene) {
  const Reach& reach = scene.reach;
  if (reach.src_high == reach.src_low || reach.dst_high == reach.dst_low) return;
  xlashape_execute_options exec = scene.exec;
  switch (input.below(7)) {
    case 0:
      exec.src = 0;
      break;
    case 1:
      exec.dst = 0;
      break;
    case 2:
      exec.src_bytes = reach.src_high > 1 ? reach.src_high - 1 : input.one_in(2) ? 0 : -2;
      break;
    case 3:
      exec.dst_bytes = reach.dst_high > 1 ? reach.dst_high - 1 : input.one_in(2) ? 0 : -2;
      break;
    case 4:
      exec.queue.kind = 1 + static_cast<int32_t>(input.below(3));
      break;
    case 5:
      exec.task_begin = 1, exec.task_end = input.below(2), exec.task_count = input.below(2);
      break;
    default:  // the first byte that is read lies before the buffer
      if (reach.src_low >= reach.src_high)
        exec.src_bytes = -2;
      else
        exec.src_byte_offset = -std::max<int64_t>(reach.src_low, 0) - 1 - input.below(3);
  }
  // Tasks [1, 1) of 1 are none.
  const bool none = exec.task_begin == 1 && exec.task_end == 1 && exec.task_count == 1;
  check(CALL(xlashape_plan_execute_with, plan, &exec) != XLASHAPE_STATUS_OK || none,
        "a call that has to be refused is not");
  scene.check_untouched("a call that is refused writes");
}

// == Lists: each moves what it moves alone, and what is wrong with one is told by its number ==

struct Item {
  xlashape_plan* plan;
  std::unique_ptr<Scene> scene;  // of a relayout
  uint64_t src = 0, dst = 0;
  int64_t src_bytes = XLASHAPE_UNCHECKED, dst_bytes = XLASHAPE_UNCHECKED;
};

// Plans that the pool has, with memory each; those that reach too far are left out.
std::vector<Item> draw_items(Input& input) {
  std::vector<Item> items;
  const bool is_honest = !input.one_in(4);
  for (int64_t n = input.one_in(20) ? 0 : input.within(1, 6); n > 0; --n) {
    xlashape_plan* const plan = is_honest ? any<xlashape_plan>(input) : pick<xlashape_plan>(input);
    Item item = {plan, set_scene(input, plan)};
    if (item.scene != nullptr)
      item.src = item.scene->exec.src, item.dst = item.scene->exec.dst;
    else if (is_honest || plan != nullptr)
      continue;
    if (item.scene != nullptr && item.scene->reach.src_low >= 0 && input.one_in(2))
      item.src_bytes = item.scene->reach.src_high;
    if (item.scene != nullptr && item.scene->reach.dst_low >= 0 && input.one_in(2))
      item.dst_bytes = item.scene->reach.dst_high;
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
      item.plan = nullptr, item.scene = nullptr;
      break;
    default:
      item.dst_bytes = -2 - input.below(3);
  }
  return items;
}

// The first one that has to be refused before anything runs; -1: none.
int64_t first_wrong(const std::vector<Item>& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (item.scene == nullptr) return static_cast<int64_t>(i);
    const Reach& reach = item.scene->reach;
    if (item.dst_bytes < XLASHAPE_UNCHECKED || (item.src == 0 && reach.src_high > reach.src_low) ||
        (item.dst == 0 && reach.dst_high > reach.dst_low))
      return static_cast<int64_t>(i);
  }
  return -1;
}

// A field that is one plan's and not the list's.
void spoil(Input& input, xlashape_execute_options* exec) {
  static constexpr int64_t xlashape_execute_options::*const kNumbers[] = {
      &xlashape_execute_options::src_byte_offset, &xlashape_execute_options::dst_byte_offset,
      &xlashape_execute_options::src_bytes,       &xlashape_execute_options::dst_bytes,
      &xlashape_execute_options::task_begin,      &xlashape_execute_options::task_end,
      &xlashape_execute_options::task_count,      &xlashape_execute_options::scratch_bytes};
  static constexpr uint64_t xlashape_execute_options::*const kPlaces[] = {
      &xlashape_execute_options::src, &xlashape_execute_options::dst, &xlashape_execute_options::scratch};
  const int64_t kind = input.below(11);
  if (kind < 8)
    exec->*kNumbers[kind] = 1 + input.below(3);
  else
    exec->*kPlaces[kind - 8] = 64;
}

void check_untouched(const std::vector<Item>& items) {
  for (const Item& item : items)
    if (item.scene != nullptr) item.scene->check_untouched("a list that is refused writes");
}

}  // namespace

Memory::Memory(const std::vector<uint8_t>& bytes, size_t head)
    : head_(head), size_(bytes.size()), block_(new uint8_t[head + bytes.size()]) {
  std::memset(block_.get(), 0x3C, head_);
  if (size_ > 0) std::memcpy(block_.get() + head_, bytes.data(), size_);
  ASAN_POISON_MEMORY_REGION(block_.get(), head_ / 8 * 8);
}

Memory::~Memory() {
  ASAN_UNPOISON_MEMORY_REGION(block_.get(), head_);
  for (size_t i = 0; i < head_; ++i) check(block_[i] == 0x3C, "bytes before the memory are written");
}

std::vector<uint8_t> random_bytes(Input& input, int64_t size) {
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  uint64_t x = input.bits(8) | 1;
  for (uint8_t& byte : bytes) x ^= x << 13, x ^= x >> 7, x ^= x << 17, byte = static_cast<uint8_t>(x >> 11);
  return bytes;
}

bool reach_of(const xlashape_plan* plan, Reach* reach) {
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  if (xlashape_plan_get_requirements(plan, &r, nullptr) != XLASHAPE_STATUS_OK) return false;
  *reach = {r.src_low, r.src_high, r.dst_low, r.dst_high};
  const auto far = [](int64_t low) { return low < -(int64_t{1} << 40) || low > int64_t{1} << 40; };
  return !far(r.src_low) && !far(r.dst_low) && r.src_high - r.src_low <= kMostBytes &&
         r.dst_high - r.dst_low <= kMostBytes;
}

Scene::Scene(Input& input, const PlanInfo& plan, const Reach& where)
    : info(plan),
      reach(where),
      src(random_bytes(input, where.src_high - where.src_low)),
      before(random_bytes(input, where.dst_high - where.dst_low)),
      from(src, static_cast<size_t>(input.below(17))),
      to(before, static_cast<size_t>(input.below(65))) {
  exec.struct_size = sizeof exec;
  exec.src = from.pointer(reach.src_low), exec.dst = to.pointer(reach.dst_low);
  exec.src_bytes = exec.dst_bytes = XLASHAPE_UNCHECKED;
}

std::unique_ptr<Scene> set_scene(Input& input, const xlashape_plan* plan) {
  const PlanInfo* const info = info_of(plan);
  Reach reach;
  if (info == nullptr || !reach_of(plan, &reach)) return nullptr;
  return std::make_unique<Scene>(input, *info, reach);
}

void Scene::judge(bool once) const {
  const Request& request = info.request;
  const std::vector<uint8_t> got = to.bytes();
  std::optional<Expected> expected;
  try {
    expected = expect(request, src, reach.src_low, before, reach.dst_low);
  } catch (const std::out_of_range&) {
    request.print();
    fault("the plan does not reach all that is asked for");
  }
  if (expected) compare(request, got, expected->bytes, &expected->mask, "bytes differ from the reference");
  if (!once) return;
  for (const char* name : {"scalar", "simd"}) {
    const auto made = by_backend(*this, name);
    if (made && expected)
      compare(request, *made, expected->bytes, &expected->mask, "a backend's bytes differ from the reference");
    if (made && request.is_all_told()) compare(request, got, *made, nullptr, "bytes differ from a backend's");
  }
}

Watch::Watch(Input& input, bool is_one)
    : cancel_at_(input.one_in(3)   ? INT64_MAX
                 : input.one_in(2) ? 0
                                   : input.within(1, 6)),
      is_one_(is_one),
      hears_((cancel_at_ > 0 && cancel_at_ < INT64_MAX) || !input.one_in(3)) {
  if (cancel_at_ == 0) cancel_ = input.one_in(2) ? -1 : 1 << input.below(31);
}

void Watch::put(xlashape_execute_options* exec) {
  exec->cancel = &cancel_;
  if (!hears_) return;
  exec->progress = hear;
  exec->progress_opaque = this;
}

void Watch::hear(void* opaque, int64_t done, int64_t count) {
  auto& watch = *static_cast<Watch*>(opaque);
  const std::lock_guard guard(watch.lock_);
  const Uncounted scope;
  check(done >= 1 && done <= count && (watch.count_ == 0 || watch.count_ == count || !watch.is_one_),
        "progress of a task that is none, or of another number of them");
  watch.count_ = count;
  watch.done_.push_back(done);
  if (done == watch.cancel_at_) __atomic_store_n(&watch.cancel_, 1, __ATOMIC_RELAXED);
}

void Watch::check_ended(xlashape_status status) const {
  if (is_set_before()) check(done_.empty(), "a task runs of an execution that was cancelled before it began");
  if (is_set_before()) check(status != XLASHAPE_STATUS_OK, "an execution that was cancelled before it began succeeds");
  if (!hears_ || !is_one_) return;
  std::vector<int64_t> sorted = done_;
  std::sort(sorted.begin(), sorted.end());
  check(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "progress tells the same twice");
  constexpr int64_t kMostThreads = 4;
  check(cancel_at_ > count_ || size_of(done_) < cancel_at_ + kMostThreads, "tasks begin after it was cancelled");
  if (status == XLASHAPE_STATUS_OK)
    check(count_ >= 1 && size_of(done_) == count_, "progress does not tell each task");
  else if (status == XLASHAPE_STATUS_CANCELLED && count_ > 0)
    check(size_of(done_) < count_, "it is cancelled when all tasks have ended");
}

void execute(Input& input) {
  const auto* const plan = pick<xlashape_plan>(input);
  if (plan == nullptr) {
    char byte = 0;
    return check(CALL(xlashape_plan_execute, plan, &byte, 1, &byte, 1) == XLASHAPE_STATUS_INVALID_ARGUMENT,
                 "NULL is executed");
  }
  const auto scene = set_scene(input, plan);
  if (scene == nullptr) return;
  const PlanInfo& info = scene->info;
  const Reach& reach = scene->reach;
  const MayFail scope(info.runtime);
  if (input.one_in(6)) return refused(input, plan, *scene);
  xlashape_execute_options& exec = scene->exec;
  exec.src_byte_offset = input.one_in(2) ? 0 : input.below(100),
  exec.dst_byte_offset = input.one_in(2) ? 0 : input.below(100);
  exec.src -= static_cast<uint64_t>(exec.src_byte_offset), exec.dst -= static_cast<uint64_t>(exec.dst_byte_offset);
  if (reach.src_low >= 0 && reach.dst_low >= 0 && input.one_in(2))
    exec.src_bytes = exec.src_byte_offset + reach.src_high, exec.dst_bytes = exec.dst_byte_offset + reach.dst_high;
  Watch watch(input);
  bool is_watched = false, is_damaged = false, in_part = false, may_be_cancelled = gives_up(info.runtime);
  std::optional<Scratch> scratch;
  Owned* const ours = added_backend(info.runtime, xlashape_plan_backend(plan));
  if (ours != nullptr) ours->scratch = 1, ours->scratch_bytes = -1;
  xlashape_status status;
  const int64_t way = input.below(6);
  if (way == 0) {
    exec.src += static_cast<uint64_t>(exec.src_byte_offset), exec.dst += static_cast<uint64_t>(exec.dst_byte_offset);
    if (exec.src_bytes != XLASHAPE_UNCHECKED) exec.src_bytes = reach.src_high, exec.dst_bytes = reach.dst_high;
    exec.src_byte_offset = exec.dst_byte_offset = 0;
    status = CALL(xlashape_plan_execute, plan, reinterpret_cast<const void*>(exec.src), exec.src_bytes,
                  reinterpret_cast<void*>(exec.dst), exec.dst_bytes);
  } else if (way == 1) {
    auto block = resized(exec, input);
    is_damaged = block.size() != sizeof exec;
    status = CALL(xlashape_plan_execute_with, plan, reinterpret_cast<const xlashape_execute_options*>(block.data()));
  } else if (way == 2) {
    status = in_tasks(input, plan, exec);
    may_be_cancelled = true;
  } else {
    const DrawnExecutor drawn = draw_executor(input);
    auto block = resized(drawn.executor, input);
    if (input.one_in(2)) {
      exec.executor = reinterpret_cast<const xlashape_executor*>(block.data());
      may_be_cancelled = drawn.gives_up;
      is_damaged = block.size() != sizeof drawn.executor || !drawn.is_whole();
    }
    is_watched = input.one_in(2);
    if (is_watched) watch.put(&exec);
    if (input.one_in(2)) scratch.emplace(input, plan, &exec);
    in_part = input.one_in(6);
    if (in_part) {
      exec.task_count = input.within(1, 12);
      exec.task_begin = input.below(exec.task_count);
      exec.task_end = exec.task_begin + 1 + input.below(exec.task_count - exec.task_begin);
    }
    status = CALL(xlashape_plan_execute_with, plan, &exec);
  }
  if (is_damaged && (status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_INCOMPATIBLE))
    return scene->check_untouched("a call that is refused writes");
  if (scratch && scratch->want() != XLASHAPE_STATUS_OK) {
    check(status == scratch->want() || ended.was_refused_memory, "scratch that does not do is taken");
    return scene->check_untouched("a call that is refused writes");
  }
  if (is_watched) {
    watch.check_ended(status);
    if (watch.is_set_before()) return scene->check_untouched("what was cancelled before it began writes");
    if (in_part && status == XLASHAPE_STATUS_OK && watch.count() > 0)
      check(watch.count() == exec.task_end - exec.task_begin, "progress counts other tasks than the caller's");
  }
  if (status != XLASHAPE_STATUS_OK)
    return check(info.may_fail || status == XLASHAPE_STATUS_NO_MEMORY || is_damaged ||
                     (status == XLASHAPE_STATUS_CANCELLED && (is_watched || may_be_cancelled)),
                 "an honest execution fails");
  if (ours != nullptr && ours->is(kTakesScratch) && scratch)
    check(ours->scratch == exec.scratch && ours->scratch_bytes == (exec.scratch != 0 ? exec.scratch_bytes : 0),
          "scratch does not come to the backend as it was given");
  if (!in_part) scene->judge(input.one_in(2));
}

void relayout_once(Input& input) {
  Request request = draw_request(input);
  // What memory it takes says a plan without what this machine may not have.
  Request plain = request;
  plain.backend.clear(), plain.flags &= kValueFlags, plain.src.space = plain.dst.space = plain.device = 0;
  xlashape_runtime* runtime =
      input.one_in(8) ? draw_runtime_with_ours(input, draw_behaviour(input)) : draw_runtime(input);
  const MayFail scope(runtime);
  const xlashape_relayout_options options = request.options(), usual = plain.options();
  const auto plan = held<HeldPlan>(xlashape_plan_create, steady(), request.src.shape, request.dst.shape, &usual);
  Reach reach = {0, 64, 0, 64};
  if (plan != nullptr && !reach_of(plan, &reach)) return;
  const Scene scene(input, {request, runtime, false}, reach);
  const int64_t missing = input.one_in(5) ? 1 + input.below(3) : 0;
  const xlashape_status status =
      CALL(xlashape_relayout, runtime, request.src.shape, reinterpret_cast<const void*>(scene.exec.src),
           std::max<int64_t>(reach.src_high, 0), request.dst.shape, reinterpret_cast<void*>(scene.exec.dst),
           std::max<int64_t>(reach.dst_high - missing, 0), &options);
  if (status == XLASHAPE_STATUS_OK) {
    check(plan != nullptr, "a relayout is done that cannot be planned");
    check(runtime != steady() || !request.is_beyond_cpu(),
          "a relayout is done on a device or in a space that nobody has");
    check(missing == 0 || reach.dst_high == 0 || reach.dst_low < 0, "a relayout is done in too little room");
    return scene.judge(input.one_in(2));
  }
  const bool may_fail = runtime != steady() || !request.backend.empty() || request.is_beyond_cpu();
  check(plan == nullptr || may_fail || missing > 0 || reach.src_low < 0 || reach.dst_low < 0 ||
            status == XLASHAPE_STATUS_NO_MEMORY || (request.flags & ~kPlanFlags) != 0 ||
            (request.flags & XLASHAPE_PLAN_IN_PLACE) != 0,
        "an honest relayout fails");
  if (runtime == steady()) scene.check_untouched("a relayout that is refused writes");
}

void execute_list(Input& input) {
  const std::vector<Item> items = draw_items(input);
  std::vector<xlashape_plan*> all_plans;
  std::vector<uint64_t> all_src, all_dst;
  std::vector<int64_t> all_src_bytes, all_dst_bytes;
  bool has_bytes = input.one_in(2);
  MayFail scope(nullptr);
  bool may_give_up = false, may_fail = false, is_one = true;
  for (const Item& item : items) {
    all_plans.push_back(item.plan), all_src.push_back(item.src), all_dst.push_back(item.dst);
    all_src_bytes.push_back(item.src_bytes), all_dst_bytes.push_back(item.dst_bytes);
    has_bytes |= item.dst_bytes < XLASHAPE_UNCHECKED;
    if (item.scene == nullptr) continue;
    const PlanInfo& info = item.scene->info;
    allowed.internal |= info.runtime != nullptr && info.runtime != steady();
    may_give_up |= gives_up(info.runtime);
    may_fail |= info.may_fail;
    is_one &= info.request.is_on_cpu();
  }
  auto plans = Exact<xlashape_plan*>::of(all_plans, input);
  auto src = Exact<uint64_t>::of(all_src, input), dst = Exact<uint64_t>::of(all_dst, input);
  auto src_bytes = Exact<int64_t>::of(all_src_bytes, input), dst_bytes = Exact<int64_t>::of(all_dst_bytes, input);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  const int64_t wrong = first_wrong(items);
  const bool has_exec = input.one_in(2), is_watched = has_exec && input.one_in(2);
  Watch watch(input, is_one);
  if (is_watched) watch.put(&exec);
  const DrawnExecutor drawn = draw_executor(input);
  if (has_exec && input.one_in(3) && drawn.is_whole()) exec.executor = &drawn.executor, may_give_up = drawn.gives_up;
  const bool is_spoiled = has_exec && input.one_in(12);
  const bool has_queue = has_exec && !is_watched && is_one && input.one_in(12);
  if (is_spoiled) spoil(input, &exec);
  if (has_queue) exec.queue.kind = 1 + static_cast<int32_t>(input.below(3));
  const int64_t count = input.one_in(40) ? -1 - input.below(2) * INT64_MAX : size_of(items);
  int64_t index = -1;
  bool is_told = false;
  const xlashape_status status = attempt(F_xlashape_plan_execute_list, [&](xlashape_error* err) {
    const xlashape_status answer =
        xlashape_plan_execute_list(count, plans.data(), src.data(), has_bytes ? src_bytes.data() : nullptr, dst.data(),
                                   has_bytes ? dst_bytes.data() : nullptr, has_exec ? &exec : nullptr, err);
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
  for (const Item& item : items) item.scene->judge(input.one_in(4));
}

}  // namespace api_fuzz
