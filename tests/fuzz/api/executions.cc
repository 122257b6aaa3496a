#include "executions.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace api_fuzz {
namespace {

// What the steady runtime's backend `name` makes of it; nullopt where it does not do it.
std::optional<std::vector<uint8_t>> by_backend(const Request& request, const char* name, const Reach& reach,
                                               const std::vector<uint8_t>& src, const std::vector<uint8_t>& before) {
  Request same = request;
  same.backend = name, same.flags &= XLASHAPE_PLAN_READ_SOON;
  same.src_space = same.dst_space = same.device = 0;
  const xlashape_relayout_options options = same.options();
  xlashape_plan* plan = nullptr;
  if (xlashape_plan_create(steady(), same.src, same.dst, &options, &plan, nullptr) != XLASHAPE_STATUS_OK)
    return std::nullopt;
  const Memory from(src, 8), to(before, 16);
  const xlashape_status status = xlashape_plan_execute(plan, reinterpret_cast<const void*>(from.pointer(reach.src_low)),
                                                       reinterpret_cast<void*>(to.pointer(reach.dst_low)), nullptr);
  xlashape_plan_release(plan);
  check(status == XLASHAPE_STATUS_OK, "a backend's own plan does not run");
  return to.bytes();
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
  xlashape_plan_requirements r = {};
  r.struct_size = sizeof r;
  if (xlashape_plan_get_requirements(plan, &r, nullptr) != XLASHAPE_STATUS_OK) return false;
  *reach = {r.src_low, r.src_high, r.dst_low, r.dst_high};
  const auto far = [](int64_t low) { return low < -(int64_t{1} << 40) || low > int64_t{1} << 40; };
  return !far(r.src_low) && !far(r.dst_low) && r.src_high - r.src_low <= kMostBytes &&
         r.dst_high - r.dst_low <= kMostBytes;
}

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

void judge(const Request& request, const Reach& reach, const std::vector<uint8_t>& src,
           const std::vector<uint8_t>& before, const std::vector<uint8_t>& got, bool once) {
  std::optional<Expected> expected;
  try {
    expected = expect(request, src, reach.src_low, before, reach.dst_low);
  } catch (const std::out_of_range&) {
    std::fprintf(stderr, "source [%lld, %lld), destination [%lld, %lld)\n", static_cast<long long>(reach.src_low),
                 static_cast<long long>(reach.src_high), static_cast<long long>(reach.dst_low),
                 static_cast<long long>(reach.dst_high));
    request.print();
    fault("the plan does not reach all that is asked for");
  }
  if (expected) compare(request, got, expected->bytes, &expected->mask, "bytes differ from the reference");
  if (!once) return;
  for (const char* name : {"scalar", "simd"}) {
    const auto made = by_backend(request, name, reach, src, before);
    if (!made) continue;
    if (expected)
      compare(request, *made, expected->bytes, &expected->mask, "a backend's bytes differ from the reference");
    if (request.fill_policy != XLASHAPE_FILL_UNSPECIFIED || request.is_box() || request.has_dst_strides)
      compare(request, got, *made, nullptr, "bytes differ from a backend's");
  }
}

Scene::Scene(Input& input, const PlanInfo& plan, const Reach& where, std::vector<uint8_t> source)
    : info(plan),
      reach(where),
      src(std::move(source)),
      before(random_bytes(input, where.dst_high - where.dst_low)),
      from(src, static_cast<size_t>(input.below(17))),
      to(before, static_cast<size_t>(input.below(65))) {
  exec.struct_size = sizeof exec;
  exec.src = from.pointer(reach.src_low), exec.dst = to.pointer(reach.dst_low);
}

std::unique_ptr<Scene> set_scene(Input& input, const xlashape_plan* plan) {
  const PlanInfo* const info = info_of(plan);
  Reach reach;
  if (info == nullptr || info->converts || !reach_of(plan, &reach)) return nullptr;
  return std::make_unique<Scene>(input, *info, reach, random_bytes(input, reach.src_high - reach.src_low));
}

Watch::Watch(Input& input, bool is_one)
    : cancel_at_(input.one_in(3)   ? INT64_MAX
                 : input.one_in(2) ? 0
                                   : input.within(1, 6)),
      is_one_(is_one),
      hears_((cancel_at_ > 0 && cancel_at_ < INT64_MAX) || !input.one_in(3)) {
  if (cancel_at_ == 0) cancel_ = input.one_in(2) ? -1 : 1 << input.below(31);
}

void Watch::put(xlashape_exec* exec) {
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

}  // namespace api_fuzz
