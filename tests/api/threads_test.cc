// SPDX-License-Identifier: Apache-2.0
// Handles shared by sixteen threads: reference counts, queries, conversions and executions. The sanitizers and valgrind
// see what goes wrong here; on its own the test sees lost references and wrong answers.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <thread>

#include "api.h"
#include "xlashape_runtime.h"

namespace {

using api::shape;

constexpr int kThreads = 16;

// Runs body(thread) on all threads at once.
void on_all_threads(const std::function<void(int)>& body) {
  std::atomic<int> waiting{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      body(t);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, ReferencesAreCounted) {
  xlashape_shape* s = shape("(f32[2,3]{0,1:T(8,128)}, (bf16[4], token[]))").release();
  xlashape_layout* l = api::layout("{1,0:T(8,128)(2,1)}").release();
  xlashape_index_map* m = api::index_map("f32[2,3]{0,1:T(8,128)}").release();
  on_all_threads([&](int) {
    for (int i = 0; i < 2000; ++i) {
      xlashape_shape_retain(s);
      xlashape_layout_retain(l);
      xlashape_index_map_retain(m);
      xlashape_shape* element = nullptr;
      if (xlashape_shape_tuple_element(s, i % 2, &element, nullptr) != XLASHAPE_STATUS_OK) std::abort();
      xlashape_shape_release(element);
      xlashape_index_map_release(m);
      xlashape_layout_release(l);
      xlashape_shape_release(s);
    }
  });
  EXPECT_EQ(xlashape_shape_tuple_element_count(s), 2);
  EXPECT_EQ(xlashape_layout_tile_count(l), 2);
  EXPECT_EQ(xlashape_index_map_storage_elements(m), 1024);
  // Each thread takes a last reference with it: the object goes when the last of them goes.
  for (int t = 0; t < kThreads; ++t) {
    xlashape_shape_retain(s);
    xlashape_layout_retain(l);
    xlashape_index_map_retain(m);
  }
  xlashape_shape_release(s);
  xlashape_layout_release(l);
  xlashape_index_map_release(m);
  on_all_threads([&](int) {
    xlashape_shape_release(s);
    xlashape_layout_release(l);
    xlashape_index_map_release(m);
  });
}

TEST(Threads, PlansGoWithTheirLastReference) {
  struct Live {
    std::atomic<int> blocks{0};
    static void* alloc(void* opaque, size_t size, size_t alignment) {
      ++static_cast<Live*>(opaque)->blocks;
      return api::aligned_memory(size, alignment);
    }
    static void free(void* opaque, void* pointer, size_t, size_t alignment) {
      --static_cast<Live*>(opaque)->blocks;
      api::free_aligned(pointer, alignment);
    }
  } live;
  auto allocator = XLASHAPE_INIT(xlashape_allocator);
  allocator.opaque = &live;
  allocator.alloc = Live::alloc;
  allocator.free = Live::free;
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.allocator = &allocator;
  api::Runtime rt = api::make<api::Runtime>(xlashape_runtime_create, &options);
  const auto a = shape("u8[33,65]"), b = shape("u8[33,65]{0,1:T(16,16)}");
  xlashape_plan* plan = nullptr;
  ASSERT_EQ(xlashape_plan_create(rt.get(), a.get(), b.get(), nullptr, &plan, nullptr), XLASHAPE_STATUS_OK);
  const int with_plan = live.blocks;
  for (int t = 0; t < kThreads; ++t) xlashape_plan_retain(plan);
  xlashape_plan_release(plan);
  on_all_threads([&](int) {
    for (int i = 0; i < 500; ++i) {
      xlashape_plan_retain(plan);
      xlashape_plan_release(plan);
    }
    xlashape_plan_release(plan);
  });
  EXPECT_EQ(live.blocks, with_plan - 1);
  rt.reset();
  EXPECT_EQ(live.blocks, 0);
}

TEST(Threads, OnePlanRunsOnAllOfThem) {
  const auto a = shape("u8[33,65]"), b = shape("u8[33,65]{0,1:T(16,16)}");
  const api::Plan plan = api::make<api::Plan>(xlashape_plan_create, nullptr, a.get(), b.get(), nullptr);
  std::vector<uint8_t> src(33 * 65), want(48 * 80);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i * 31 + 7);
  ASSERT_EQ(xlashape_plan_execute(plan.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr),
            XLASHAPE_STATUS_OK);
  std::atomic<int> wrong{0};
  on_all_threads([&](int t) {
    std::vector<uint8_t> dst(want.size());
    for (int i = 0; i < 30; ++i) {
      dst.assign(dst.size(), static_cast<uint8_t>(t));
      if (xlashape_plan_execute(plan.get(), src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr) !=
              XLASHAPE_STATUS_OK ||
          dst != want)
        ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

// The first use of the default runtime, made once although all threads ask for it; everything else beside it.
TEST(Threads, EverythingAtOnce) {
  const auto map = api::index_map("f32[5,7]{0,1:T(4,4)}");
  std::atomic<int> wrong{0};
  on_all_threads([&](int) {
    for (int i = 0; i < 50; ++i) {
      const auto s = shape("f32[5,7]{0,1:T(4,4)}");
      if (api::text_of(s.get()) != "f32[5,7]{0,1:T(4,4)}") ++wrong;
      if (xlashape_runtime_backend_count(nullptr) < 1) ++wrong;
      const int64_t index[] = {4, 6, 0, 0};
      int64_t linear[2] = {-1, -1};
      const auto plan = api::make<api::IndexPlan>(xlashape_index_plan_create, nullptr, map.get(),
                                                  XLASHAPE_CONVERSION_TO_LINEAR, nullptr);
      if (xlashape_index_plan_execute(plan.get(), 2, index, sizeof index, linear, sizeof linear, nullptr, nullptr) !=
              0 ||
          linear[1] != 0)
        ++wrong;
      auto err = XLASHAPE_INIT(xlashape_error);
      xlashape_shape* none = nullptr;
      if (xlashape_shape_parse("f32[", 4, 0, &none, &err) != XLASHAPE_STATUS_PARSE || err.offset != 4) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

// Pools of two sizes side by side, each used by several threads at once, on arrays that are worth spreading.
TEST(Threads, PoolsOfTwoRuntimes) {
  const auto a = shape("u8[700,1000]"), b = shape("u8[700,1000]{0,1:T(16,16)}");
  std::vector<uint8_t> src(700 * 1000), want(704 * 1008);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i % 251);
  ASSERT_EQ(
      xlashape_relayout(nullptr, a.get(), src.data(), src.size(), b.get(), want.data(), want.size(), nullptr, nullptr),
      XLASHAPE_STATUS_OK);
  std::vector<api::Runtime> runtimes;
  std::vector<api::Plan> plans;
  for (const int32_t threads : {2, 7}) {
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.threads = threads;
    runtimes.push_back(api::make<api::Runtime>(xlashape_runtime_create, &options));
    const auto create = [&](auto** made, auto* err) {
      return xlashape_plan_create(runtimes.back().get(), a.get(), b.get(), nullptr, made, err);
    };
    plans.push_back(api::make<api::Plan>(create));
    EXPECT_GT(xlashape_plan_task_count(plans.back().get(), threads), 1) << "worth spreading";
  }
  std::atomic<int> wrong{0};
  const auto execute = [&](size_t plan, int times) {
    std::vector<uint8_t> dst(want.size());
    for (int i = 0; i < times; ++i) {
      std::fill(dst.begin(), dst.end(), uint8_t{0xA5});
      if (xlashape_plan_execute(plans[plan].get(), src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr) !=
              XLASHAPE_STATUS_OK ||
          dst != want)
        ++wrong;
    }
  };
  // Each verified element takes as long as hundreds that are moved.
  const bool verified = std::getenv("XLASHAPE_VERIFY") != nullptr;
  for (size_t plan : {0, 1}) execute(plan, verified ? 2 : 20);
  std::vector<std::thread> callers;
  for (size_t t = 0; t < 4; ++t) callers.emplace_back(execute, t % 2, verified ? 1 : 5);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// As many tasks as a plan asks for write everything once, and none of them more than twice what it would be if all
// wrote as much: whoever waits for the last one waits for no more than that.
TEST(Threads, TasksWriteAboutAsMuch) {
  struct Form {
    const char *from, *to;
  };
  constexpr Form kForms[] = {
      {"f32[600000]", "f32[600000]"},
      {"f32[1000,700]", "f32[1000,700]{0,1}"},
      {"f32[724,724]", "f32[724,724]{1,0:T(8,128)}"},
      {"bf16[3000,300]", "bf16[3000,300]{1,0:T(8,128)(2,1)}"},
      // Padding in chunks of a MiB, which are more than tasks have to share.
      {"u8[7,555,683]", "u8[7,555,683]{1,0,2:PD(7,589,683)}"},
      {"u8[32,224,224,3]", "u8[32,224,224,3]{2,1,3,0:T(8,128)(4,1)}"},
      {"bf16[12,232,12,3,16]", "bf16[12,232,12,3,16]{2,1,4,3,0:PD(12,247,13,3,16)}"},
  };
  constexpr int64_t kSampled = 509;  // one byte in so many is looked at
  for (const Form& form : kForms) {
    const auto a = shape(form.from), b = shape(form.to);
    const auto plan = api::make<api::Plan>(xlashape_plan_create, nullptr, a.get(), b.get(), nullptr);
    auto needs = XLASHAPE_INIT(xlashape_plan_requirements);
    ASSERT_EQ(xlashape_plan_get_requirements(plan.get(), &needs, nullptr), XLASHAPE_STATUS_OK);
    const std::vector<uint8_t> src(static_cast<size_t>(needs.src_high), 0x11);
    std::vector<uint8_t> dst(static_cast<size_t>(needs.dst_high));
    auto how = XLASHAPE_INIT(xlashape_execute_options);
    how.src = reinterpret_cast<uintptr_t>(src.data());
    how.dst = reinterpret_cast<uintptr_t>(dst.data());
    how.src_bytes = needs.src_high;
    how.dst_bytes = needs.dst_high;
    for (const int64_t workers : {2, 3, 16}) {
      how.task_count = xlashape_plan_task_count(plan.get(), workers);
      SCOPED_TRACE(std::string(form.to) + ", " + std::to_string(how.task_count) + " tasks");
      EXPECT_GE(how.task_count, 2);
      int64_t all = 0, most = 0;
      const auto written = [&] {
        int64_t count = 0;
        for (size_t i = 0; i < dst.size(); i += kSampled) count += dst[i] != 0xA5;
        return count;
      };
      std::fill(dst.begin(), dst.end(), uint8_t{0xA5});
      for (how.task_begin = 0; how.task_begin < how.task_count; ++how.task_begin) {
        how.task_end = how.task_begin + 1;
        ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, nullptr), XLASHAPE_STATUS_OK);
        const int64_t by_now = written();
        most = std::max(most, by_now - all);
        all = by_now;
      }
      EXPECT_EQ(all, (needs.dst_high - 1) / kSampled + 1);
      EXPECT_LE(most, 2 * all / how.task_count);
    }
  }
}

}  // namespace
