// SPDX-License-Identifier: Apache-2.0
// What a caller can say of an execution, and lists of them: scratch, cancel, progress, many plans in one call.
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>

#include "api.h"
#include "xlashape_backend.h"

namespace {

using api::Error;
using api::failure;
using api::message;
using api::ok;
using api::Plan;
using api::plan;
using api::Runtime;
using api::shape;
using testing::HasSubstr;

using Bytes = std::vector<unsigned char>;

xlashape_plan_requirements requirements(const xlashape_plan* p) {
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  EXPECT_EQ(xlashape_plan_get_requirements(p, &r, nullptr), XLASHAPE_STATUS_OK);
  return r;
}

Bytes numbered(int64_t bytes) {
  Bytes all(static_cast<size_t>(bytes));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<unsigned char>(i * 7 + i / 251);
  return all;
}

xlashape_execute_options exec_of(const Bytes& src, Bytes& dst) {
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(src.data());
  exec.src_bytes = byte_count(src);
  exec.dst = reinterpret_cast<uintptr_t>(dst.data());
  exec.dst_bytes = byte_count(dst);
  return exec;
}

// Bytes moved one by one, with 4096 bytes of scratch at 256 where the caller gives them.
struct Scratchy {
  static constexpr int32_t kSpace = 40;  // of a device whose memory is the host's

  inline static uint64_t scratch = 1;
  inline static int64_t scratch_bytes = 1;

  static xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
    support->level = op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->nest != nullptr && op->relayout->value_bits == 8
                         ? XLASHAPE_SUPPORT_NATIVE
                         : XLASHAPE_SUPPORT_NONE;
    support->scratch_bytes = 4096;
    support->scratch_alignment = 256;
    support->src_preferred_alignment = 64;
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status execute(void*, const void*, const xlashape_op* op, const xlashape_run* run, xlashape_error*) {
    scratch = run->scratch;
    scratch_bytes = run->scratch_bytes;
    const xlashape_loops& n = *op->relayout->nest;
    if (n.loop_count == 2 && run->task_begin == 0)
      for (int64_t i = 0; i < n.extent[0]; ++i)
        for (int64_t k = 0; k < n.extent[1]; ++k)
          reinterpret_cast<char*>(run->dst)[i * n.dst_stride[0] + k * n.dst_stride[1]] =
              reinterpret_cast<const char*>(run->src)[i * n.src_stride[0] + k * n.src_stride[1]];
    return XLASHAPE_STATUS_OK;
  }
  static xlashape_status open(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
    backend->abi_version = host->abi_max;
    backend->name = "scratchy";
    backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU) | XLASHAPE_SPACE_BIT(kSpace);
    backend->supports = supports;
    backend->plan_execute = execute;
    return XLASHAPE_STATUS_OK;
  }
};

TEST(Execution, ScratchReachesTheBackend) {
  const Runtime rt = api::runtime_of(0);
  api::add_backend(rt, "scratchy", Scratchy::open);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "scratchy";
  const Plan p = plan(rt.get(), "u8[6,5]{1,0}", "u8[6,5]{0,1}", &options);
  const xlashape_plan_requirements r = requirements(p.get());
  EXPECT_EQ(r.scratch_bytes, 4096);
  EXPECT_EQ(r.scratch_alignment, 256);
  EXPECT_EQ(r.src_preferred_alignment, 64);
  EXPECT_EQ(r.dst_preferred_alignment, 1);

  const Bytes src = numbered(30);
  Bytes dst(30);
  alignas(256) unsigned char memory[8192];
  xlashape_execute_options exec = exec_of(src, dst);
  const auto run = [&](auto* e) { return xlashape_plan_execute_with(p.get(), &exec, e); };
  ok(run);
  EXPECT_EQ(Scratchy::scratch, 0u);
  EXPECT_EQ(Scratchy::scratch_bytes, 0);
  exec.scratch = reinterpret_cast<uintptr_t>(memory);
  exec.scratch_bytes = 4096;
  ok(run);
  EXPECT_EQ(Scratchy::scratch, exec.scratch);
  EXPECT_EQ(Scratchy::scratch_bytes, 4096);
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = 0; k < 5; ++k) EXPECT_EQ(dst[k * 6 + i], src[i * 5 + k]);
  exec.scratch_bytes = 4095;
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, run), HasSubstr("4095 bytes, the plan takes 4096"));
  exec.scratch_bytes = -1;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, run), HasSubstr("scratch_bytes is -1"));
  exec.scratch_bytes = 5000;
  exec.scratch += 128;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, run), HasSubstr("not a multiple of 256"));
}

struct Watch {
  std::mutex lock;
  std::multiset<int64_t> done;
  int64_t count = 0;
  std::atomic<int32_t> cancel{0};
  int64_t cancel_at = -1;

  static void progress(void* opaque, int64_t done, int64_t count) {
    auto& w = *static_cast<Watch*>(opaque);
    const std::lock_guard guard(w.lock);
    w.done.insert(done);
    w.count = count;
    if (w.cancel_at >= 0 && done >= w.cancel_at) w.cancel = 1;
  }
};

TEST(Execution, ProgressOfEachTask) {
  const Bytes src = numbered(8 << 20);
  for (const int32_t threads : {1, 3}) {
    const Runtime rt = api::runtime_of(threads);
    const Plan p = plan(rt.get(), "u8[2048,4096]{1,0}", "u8[2048,4096]{0,1}");
    Bytes want(src.size()), dst(src.size());
    ASSERT_EQ(xlashape_plan_execute(p.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr),
              XLASHAPE_STATUS_OK);
    Watch watch;
    xlashape_execute_options exec = exec_of(src, dst);
    exec.progress = Watch::progress;
    exec.progress_opaque = &watch;
    ASSERT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(dst, want) << threads;
    EXPECT_GE(watch.count, 16) << "16 MiB are read and written";
    std::multiset<int64_t> all;
    for (int64_t i = 1; i <= watch.count; ++i) all.insert(i);
    EXPECT_EQ(watch.done, all);

    // Of the tasks that the caller names.
    Watch part;
    exec.progress_opaque = &part;
    exec.task_begin = 3;
    exec.task_end = 5;
    exec.task_count = 7;
    ASSERT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_EQ(part.done, (std::multiset<int64_t>{1, 2}));
    EXPECT_EQ(part.count, 2);
  }
}

// The number of tasks is the caller's: those without a byte must not be walked one by one.
TEST(Execution, AnyNumberOfTasksIsWatchedAtOnce) {
  const Bytes src = numbered(4);
  const Runtime rt = api::runtime_of(1);
  const Plan p = plan(rt.get(), "u8[4]", "u8[4]");
  for (const int64_t tasks : {int64_t{4096}, int64_t{4097}, int64_t{1} << 40, INT64_MAX}) {
    for (const int64_t begin : {int64_t{0}, tasks / 3, tasks - 1, tasks}) {
      Bytes want(4, 0xEE), dst(4, 0xEE);
      xlashape_execute_options exec = exec_of(src, want);
      exec.task_begin = begin;
      exec.task_end = exec.task_count = tasks;
      ASSERT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_OK);
      exec.dst = exec_of(src, dst).dst;
      Watch watch;
      exec.cancel = reinterpret_cast<const int32_t*>(&watch.cancel);
      exec.progress = Watch::progress;
      exec.progress_opaque = &watch;
      ASSERT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_OK);
      EXPECT_EQ(dst, want) << begin << " of " << tasks;
      ASSERT_LE(watch.done.size(), 4096u);
      if (begin == tasks) continue;
      EXPECT_EQ(watch.count, tasks - begin);
      EXPECT_EQ(*watch.done.rbegin(), tasks - begin) << "of all that were selected";
      EXPECT_EQ(std::set<int64_t>(watch.done.begin(), watch.done.end()).size(), watch.done.size());
      watch.cancel = 0;
      watch.cancel_at = *watch.done.begin();
      const size_t before = watch.done.size();
      EXPECT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr),
                before == 1 ? XLASHAPE_STATUS_OK : XLASHAPE_STATUS_CANCELLED);
      EXPECT_EQ(watch.done.size(), before + 1);
    }
  }
}

TEST(Execution, CancelEndsBetweenTasks) {
  const Bytes src = numbered(8 << 20);
  for (const int32_t threads : {1, 3}) {
    const Runtime rt = api::runtime_of(threads, 100);
    const Plan p = plan(rt.get(), "u8[2048,4096]{1,0}", "u8[2048,4096]{0,1}");
    Bytes dst(src.size(), 0xEE);
    Watch watch;
    watch.cancel = 7;
    xlashape_execute_options exec = exec_of(src, dst);
    exec.cancel = reinterpret_cast<const int32_t*>(&watch.cancel);
    const auto run = [&](auto* e) { return xlashape_plan_execute_with(p.get(), &exec, e); };
    EXPECT_THAT(message(XLASHAPE_STATUS_CANCELLED, run), HasSubstr("when 0 of "));
    EXPECT_EQ(dst, Bytes(src.size(), 0xEE)) << "it was cancelled before it began";

    watch.cancel = 0;
    watch.cancel_at = 4;
    exec.progress = Watch::progress;
    exec.progress_opaque = &watch;
    EXPECT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_CANCELLED);
    EXPECT_GE(watch.done.size(), 4u);
    EXPECT_LE(watch.done.size(), static_cast<size_t>(3 + threads)) << "tasks began after it was cancelled";

    // After the last task it is too late.
    watch.cancel = 0;
    watch.cancel_at = watch.count;
    EXPECT_EQ(xlashape_plan_execute_with(p.get(), &exec, nullptr), XLASHAPE_STATUS_OK);
  }
}

TEST(Execution, CancelOfIndexBatches) {
  const auto map = api::make<api::IndexMap>(xlashape_index_map_create, shape("f32[1024,1024]{0,1:T(8,128)}").get());
  auto options = XLASHAPE_INIT(xlashape_index_options);
  const auto p = api::make<api::IndexPlan>(xlashape_index_plan_create, nullptr, map.get(),
                                           XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options);
  const int64_t count = 1 << 18;
  std::vector<int64_t> in(static_cast<size_t>(count)), out(2 * in.size()), want(out.size());
  std::iota(in.begin(), in.end(), 0);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(in.data()), exec.src_bytes = byte_count(in);
  const auto convert = [&](std::vector<int64_t>& to, xlashape_error* err) {
    exec.dst = reinterpret_cast<uintptr_t>(to.data()), exec.dst_bytes = byte_count(to);
    return xlashape_index_plan_execute_with(p.get(), count, &exec, nullptr, err);
  };
  ASSERT_EQ(convert(want, nullptr), XLASHAPE_STATUS_OK);
  Watch watch;
  exec.cancel = reinterpret_cast<const int32_t*>(&watch.cancel);
  exec.progress = Watch::progress;
  exec.progress_opaque = &watch;
  ASSERT_EQ(convert(out, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(out, want);
  EXPECT_EQ(watch.count, 6) << "of 1 MiB each";
  watch.cancel_at = 2;
  watch.done.clear();
  EXPECT_EQ(convert(out, nullptr), XLASHAPE_STATUS_CANCELLED);
  EXPECT_EQ(watch.done.size(), 2u);
  // The smallest bad index, whatever ran first.
  watch.cancel_at = -1;
  watch.cancel = 0;
  in[100000] = -1;
  in[200000] = -1;
  Error err;
  EXPECT_EQ(convert(out, &err), XLASHAPE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(err.index, 100000);
}

struct Item {
  const char *src, *dst;
};
constexpr Item kItems[] = {
    {"f32[3,4]{1,0}", "f32[3,4]{0,1}"},
    {"bf16[256,384]{1,0}", "bf16[256,384]{1,0:T(8,128)(2,1)}"},
    {"u8[2048,1024]{1,0}", "u8[2048,1024]{0,1}"},
    {"s32[0,7]{1,0}", "s32[0,7]{0,1}"},
    {"f32[]", "f32[]"},
    {"s8[33,65,7]{2,1,0}", "s8[33,65,7]{0,1,2:T(4,8)}"},
    {"f64[1000,300]{0,1}", "f64[1000,300]{1,0}"},
};

int64_t stored(const xlashape_plan* p, bool dst) {
  const xlashape_plan_requirements r = requirements(p);
  return dst ? r.dst_high : r.src_high;
}

// Each as if it had run alone: every pattern of executors, threads and verification.
TEST(List, EachIsMovedAsAlone) {
  for (const int32_t threads : {0, 3})
    for (const int64_t verify_count : {0, 50})
      for (const bool watched : {false, true}) {
        const Runtime rt = api::runtime_of(threads, verify_count);
        std::vector<Plan> owned;
        std::vector<xlashape_plan*> plans;
        std::vector<Bytes> src, dst, want;
        for (int round = 0; round < 20; ++round)
          for (const Item& item : kItems) {
            if (round > 0 && std::string(item.src).find("1024") != std::string::npos) continue;
            owned.push_back(plan(rt.get(), item.src, item.dst));
            plans.push_back(owned.back().get());
            src.push_back(numbered(stored(plans.back(), false) + round));
            dst.emplace_back(static_cast<size_t>(stored(plans.back(), true) + 1), 0xEE);
            want.push_back(dst.back());
            ASSERT_EQ(xlashape_plan_execute(plans.back(), src.back().data(), byte_count(src.back()), want.back().data(),
                                            byte_count(want.back()), nullptr),
                      0);
          }
        std::vector<uint64_t> from, to;
        std::vector<int64_t> from_bytes, to_bytes;
        for (const Bytes& b : src)
          from.push_back(reinterpret_cast<uintptr_t>(b.data())), from_bytes.push_back(byte_count(b));
        for (Bytes& b : dst) to.push_back(reinterpret_cast<uintptr_t>(b.data())), to_bytes.push_back(byte_count(b));
        Watch watch;
        auto exec = XLASHAPE_INIT(xlashape_execute_options);
        exec.progress = Watch::progress;
        exec.progress_opaque = &watch;
        const auto count = static_cast<int64_t>(plans.size());
        ok(xlashape_plan_execute_list, count, plans.data(), from.data(), from_bytes.data(), to.data(), to_bytes.data(),
           watched ? &exec : nullptr);
        EXPECT_EQ(dst, want) << threads << " threads, " << verify_count << " verified";
        // Its 0 x 7 one moves nothing, and yet is a task.
        if (watched) {
          EXPECT_GE(watch.count, count);
        }
      }
}

TEST(List, WhatIsRefused) {
  const Runtime rt = api::runtime_of(3);
  const Plan good = plan(rt.get(), "u8[4,4]{1,0}", "u8[4,4]{0,1}");
  const Bytes src = numbered(16);
  Bytes dst(48, 0xEE);
  xlashape_plan* plans[3] = {good.get(), good.get(), good.get()};
  const uint64_t at = reinterpret_cast<uintptr_t>(src.data()), to = reinterpret_cast<uintptr_t>(dst.data());
  uint64_t from[3] = {at, at, at}, into[3] = {to, to + 16, to + 32};
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  int64_t count = 3;
  int64_t src_bytes[3] = {16, XLASHAPE_UNCHECKED, 16}, dst_bytes[3] = {48, 16, 16};
  const auto run = [&](auto* err) {
    return xlashape_plan_execute_list(count, plans, from, src_bytes, into, dst_bytes, &exec, err);
  };
  ok(run);
  dst.assign(48, 0xEE);
  const auto index = [&](xlashape_status status, const char* text) {
    const Error err = failure(status, run);
    EXPECT_THAT(err.message, HasSubstr(text));
    EXPECT_EQ(dst, Bytes(48, 0xEE)) << "something was written";
    return err.index;
  };
  exec.flags = 4;
  EXPECT_EQ(index(XLASHAPE_STATUS_INCOMPATIBLE, "flags 0x4"), -1);
  exec.flags = 0;
  plans[1] = nullptr;
  EXPECT_EQ(index(XLASHAPE_STATUS_INVALID_ARGUMENT, "the plan is NULL"), 1);
  plans[1] = good.get();
  into[2] = 0;
  EXPECT_EQ(index(XLASHAPE_STATUS_INVALID_ARGUMENT, "dst is NULL"), 2);
  into[2] = from[2] + 8;
  EXPECT_EQ(index(XLASHAPE_STATUS_INVALID_ARGUMENT, "overlap"), 2);
  into[2] = to + 32;
  exec.queue.kind = XLASHAPE_QUEUE_CUDA;
  EXPECT_EQ(index(XLASHAPE_STATUS_UNSUPPORTED, "has no queue"), 0);
  exec.queue.kind = 0;
  count = -1;
  EXPECT_EQ(index(XLASHAPE_STATUS_INVALID_ARGUMENT, "count is -1"), -1);
  count = 3;
  for (auto* const bytes : {src_bytes, dst_bytes})
    for (const int64_t wrong : {15, 0, -2}) {
      const int64_t right = std::exchange(bytes[1], wrong);
      EXPECT_EQ(index(wrong < 0 ? XLASHAPE_STATUS_INVALID_ARGUMENT : XLASHAPE_STATUS_OUT_OF_RANGE, "_bytes is"), 1);
      bytes[1] = right;
    }
  const auto refused = [&](auto field, auto value) {
    exec.*field = value;
    EXPECT_EQ(index(XLASHAPE_STATUS_INVALID_ARGUMENT, "for a list only"), -1);
    exec.*field = {};
  };
  refused(&xlashape_execute_options::src, uint64_t{1});
  refused(&xlashape_execute_options::dst, uint64_t{1});
  refused(&xlashape_execute_options::src_byte_offset, int64_t{1});
  refused(&xlashape_execute_options::dst_byte_offset, int64_t{1});
  refused(&xlashape_execute_options::src_bytes, int64_t{1});
  refused(&xlashape_execute_options::dst_bytes, int64_t{1});
  refused(&xlashape_execute_options::task_begin, int64_t{1});
  refused(&xlashape_execute_options::task_end, int64_t{1});
  refused(&xlashape_execute_options::task_count, int64_t{1});
  refused(&xlashape_execute_options::scratch, uint64_t{1});
  refused(&xlashape_execute_options::scratch_bytes, int64_t{1});
  ok(xlashape_plan_execute_list, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  ok(xlashape_plan_execute_list, 3, plans, from, nullptr, into, nullptr, nullptr);
  dst.assign(48, 0xEE);
  Watch watch;
  watch.cancel = 1;
  exec.cancel = reinterpret_cast<const int32_t*>(&watch.cancel);
  EXPECT_EQ(index(XLASHAPE_STATUS_CANCELLED, "options.cancel was set when 0 of 3"), -1);
}

// Where a device is among the plans they run one after the other, and no plan is said to have failed either.
TEST(List, CancelEndsBetweenPlansOfDevices) {
  const Runtime rt = api::runtime_of(0);
  api::add_backend(rt, "scratchy", Scratchy::open);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.src_space = options.dst_space = Scratchy::kSpace;
  const Plan on_device = plan(rt.get(), "u8[4,4]{1,0}", "u8[4,4]{0,1}", &options);
  const Plan on_host = plan(rt.get(), "u8[4,4]{1,0}", "u8[4,4]{0,1}");
  xlashape_plan* plans[3] = {on_host.get(), on_device.get(), on_host.get()};
  const Bytes src = numbered(16), untouched(16, 0xEE);
  std::array<Bytes, 3> dst;
  uint64_t from[3], into[3];
  Watch watch;
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.cancel = reinterpret_cast<const int32_t*>(&watch.cancel);
  exec.progress = Watch::progress;
  exec.progress_opaque = &watch;
  const auto ended_at = [&](xlashape_status status) {
    for (size_t i = 0; i < 3; ++i) {
      dst[i] = untouched;
      from[i] = reinterpret_cast<uintptr_t>(src.data());
      into[i] = reinterpret_cast<uintptr_t>(dst[i].data());
    }
    Error err;
    EXPECT_EQ(xlashape_plan_execute_list(3, plans, from, nullptr, into, nullptr, &exec, &err), status) << err.message;
    return err.index;
  };
  ended_at(XLASHAPE_STATUS_OK);
  for (const Bytes& bytes : dst) EXPECT_NE(bytes, untouched);
  watch.cancel_at = 1;
  EXPECT_EQ(ended_at(XLASHAPE_STATUS_CANCELLED), -1);
  EXPECT_NE(dst[0], untouched);
  EXPECT_EQ(dst[1], untouched);
  EXPECT_EQ(dst[2], untouched);
  EXPECT_EQ(ended_at(XLASHAPE_STATUS_CANCELLED), -1) << "cancelled before it begins";
  EXPECT_EQ(dst[0], untouched);
}

TEST(PlanShapes, AreThoseItWasMadeFrom) {
  const Plan p = plan(nullptr, "f32[3,4]{1,0}", "f32[3,4]{0,1:T(2,4)}");
  xlashape_shape *src = nullptr, *dst = nullptr;
  ASSERT_EQ(xlashape_plan_shapes(p.get(), &src, &dst, nullptr), XLASHAPE_STATUS_OK);
  const api::Shape own_src(src), own_dst(dst);
  EXPECT_EQ(api::text_of(src), "f32[3,4]{1,0}");
  EXPECT_EQ(api::text_of(dst), "f32[3,4]{0,1:T(2,4)}");
}

std::string key(const char* src, const char* dst, const xlashape_relayout_options* options = nullptr) {
  int64_t needed = 0;
  const api::Shape a = shape(src), b = shape(dst);
  EXPECT_EQ(xlashape_plan_key(a.get(), b.get(), options, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  std::string text(static_cast<size_t>(needed), '#');
  EXPECT_EQ(xlashape_plan_key(a.get(), b.get(), options, text.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
  text.pop_back();
  return text;
}

// The same in every process and on every machine: who stored one finds it again.
TEST(PlanKey, SaysTheQuestion) {
  EXPECT_EQ(key("f32[3,4]{1,0}", "f32[3,4]{0,1}"), "f32[3,4]{1,0} -> f32[3,4]{0,1}");
  auto o = XLASHAPE_INIT(xlashape_relayout_options);
  EXPECT_EQ(key("f32[3,4]{1,0}", "f32[3,4]{0,1}", &o), "f32[3,4]{1,0} -> f32[3,4]{0,1}");
  o.src_space = o.dst_space = XLASHAPE_SPACE_CPU;
  EXPECT_EQ(key("f32[3,4]{1,0}", "f32[3,4]{0,1}", &o), "f32[3,4]{1,0} -> f32[3,4]{0,1}");
  const int64_t strides[] = {-16, 4}, base[] = {1, 2}, zero[] = {0, 0}, extent[] = {2, 2};
  o.flags = XLASHAPE_PLAN_KEEP_IN_CACHE | XLASHAPE_PLAN_ALLOW_FALLBACK;
  o.fill_policy = XLASHAPE_FILL_PRESERVE;
  o.src_space = XLASHAPE_SPACE_CUDA;
  o.dst_space = XLASHAPE_SPACE_OPENCL;
  o.device = 2;
  o.backend = "blk";
  o.src_byte_strides = strides;
  o.dst_byte_strides = strides;
  o.src_base = base;
  o.dst_base = zero;
  o.extent = extent;
  EXPECT_EQ(key("f32[3,4]{1,0}", "f32[3,4]{0,1}", &o),
            "f32[3,4]{1,0} -> f32[3,4]{0,1} fill_policy=1 src_space=2 dst_space=4 device=2 keep_in_cache=1 "
            "src_byte_strides=-16,4 dst_byte_strides=-16,4 src_base=1,2 dst_base=0,0 extent=2,2 allow_fallback=1 "
            "backend=blk");
  o = {};
  o.struct_size = sizeof o;
  o.backend = "a\n";
  EXPECT_EQ(key("f32[]", "f32[]", &o), "f32[] -> f32[] backend=a\\x0a");
  o.backend = "a\\x0a";
  EXPECT_EQ(key("f32[]", "f32[]", &o), "f32[] -> f32[] backend=a\\\\x0a") << "another name";
  const api::Shape a = shape("f32[3,4]{1,0}"), b = shape("f32[3,4]{0,1}"), c = shape("f32[12]{0}");
  api::answers_text("f32[3,4]{1,0} -> f32[3,4]{0,1}", xlashape_plan_key, a.get(), b.get(), nullptr);
  int64_t needed;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_plan_key, a.get(), c.get(), &o, nullptr, 0, &needed),
              HasSubstr("rank"));
}

}  // namespace
