// SPDX-License-Identifier: Apache-2.0
// Index plans through the C API: both ways, every arrangement, bad entries, tasks, and what is refused; and what a
// backend for a device is asked to do, seen by one that only remembers it.
#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <random>
#include <thread>

#include "api.h"
#include "xlashape_backend.h"

namespace {

using api::Error;
using api::index_map;
using api::IndexMap;
using api::IndexPlan;
using api::Ints;
using api::message;
using api::ok;
using testing::AllOf;
using testing::HasSubstr;

constexpr int64_t kOld = -77;

xlashape_index_options options_of(uint32_t flags = 0, int64_t index_step = 0, int64_t dimension_step = 0) {
  auto options = XLASHAPE_INIT(xlashape_index_options);
  options.flags = flags;
  options.index_step = index_step;
  options.dimension_step = dimension_step;
  return options;
}

IndexPlan plan_of(const IndexMap& map, int32_t conversion, const xlashape_index_options* options = nullptr,
                  xlashape_runtime* runtime = nullptr) {
  return api::make<IndexPlan>(xlashape_index_plan_create, runtime, map.get(), conversion, options);
}

// The arguments of an execution.
struct Batch {
  int64_t count;
  int64_t* bad = nullptr;
  xlashape_execute_options exec = XLASHAPE_INIT(xlashape_execute_options);

  Batch(const void* from, void* to, int64_t indices) : count(indices) {
    exec.src = reinterpret_cast<uintptr_t>(from), exec.dst = reinterpret_cast<uintptr_t>(to);
    exec.src_bytes = exec.dst_bytes = XLASHAPE_UNCHECKED;
  }
  xlashape_status operator()(const IndexPlan& plan, xlashape_error* err) const {
    return xlashape_index_plan_execute_with(plan.get(), count, &exec, bad, err);
  }
};

void run(const IndexPlan& plan, const Batch& batch) {
  ok([&](auto* err) { return batch(plan, err); });
}
Error failed(xlashape_status status, const IndexPlan& plan, const Batch& batch) {
  return api::failure(status, [&](auto* err) { return batch(plan, err); });
}
std::string refused(xlashape_status status, const IndexPlan& plan, const Batch& batch) {
  return message(status, [&](auto* err) { return batch(plan, err); });
}

// What single conversions say; empty for padding and what is out of range.
Ints index_at(const IndexMap& map, int64_t linear) {
  Ints index(static_cast<size_t>(xlashape_index_map_rank(map.get())));
  int32_t is_padding = 0;
  return xlashape_index_map_multidimensional_index(map.get(), linear, index.data(), static_cast<int64_t>(index.size()),
                                                   &is_padding, nullptr) == XLASHAPE_STATUS_OK &&
                 is_padding == 0
             ? index
             : Ints();
}

// Every arrangement of `count` indices of `rank` numbers: compact ones, with gaps, one inside of the other.
struct Arrangement {
  int64_t index_step, dimension_step;
};
std::vector<Arrangement> arrangements(int64_t count, int64_t rank) {
  return {{0, 0}, {rank, 1}, {1, count}, {1, count + 5}, {3 * rank, 3}, {2, 2 * count}};
}

TEST(IndexPlan, BothWaysInEveryArrangement) {
  std::mt19937_64 random(7);
  for (const char* text : {"u8[3,4,5]{0,2,1:T(2,4)(2,1)}", "f32[3,5]", "f32[6,5]{1,0:T(3,5)(2,1)L(64)}", "s4[7]",
                           "f32[128,3,9000000]{2,1,0}", "bf16[300,1,40]{0,1,2:T(8,128)}"}) {
    SCOPED_TRACE(text);
    const IndexMap map = index_map(text);
    const int64_t rank = xlashape_index_map_rank(map.get()), positions = xlashape_index_map_storage_elements(map.get());
    for (const int64_t count : {int64_t{1}, int64_t{67}, int64_t{20000}}) {
      // Positions, some of them none: what single conversions make of them is what a batch must.
      Ints linear(static_cast<size_t>(count));
      std::vector<Ints> want(linear.size());
      int64_t bad_wanted = 0;
      for (size_t i = 0; i < linear.size(); ++i) {
        linear[i] = static_cast<int64_t>(random() % static_cast<uint64_t>(positions + 2)) - 1;
        want[i] = index_at(map, linear[i]);
        bad_wanted += want[i].empty();
      }
      for (const Arrangement& a : arrangements(count, rank)) {
        const auto options = options_of(XLASHAPE_INDEX_MARK_INVALID, a.index_step, a.dimension_step);
        const int64_t step = a.index_step != 0 ? a.index_step : rank, across = a.dimension_step + (a.index_step == 0);
        const IndexPlan to_multi = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options);
        const IndexPlan to_linear = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options);
        Ints index(static_cast<size_t>((count - 1) * step + (rank - 1) * across + 1), kOld), expected = index;
        for (size_t i = 0; i < linear.size(); ++i)
          for (int64_t d = 0; d < rank; ++d)
            expected[static_cast<size_t>(static_cast<int64_t>(i) * step + d * across)] =
                want[i].empty() ? -1 : want[i][static_cast<size_t>(d)];
        int64_t bad = kOld;
        Batch batch(linear.data(), index.data(), count);
        batch.bad = &bad;
        run(to_multi, batch);
        ASSERT_EQ(index, expected);
        EXPECT_EQ(bad, bad_wanted);
        Ints back(linear.size() + 1, kOld);
        batch = Batch(index.data(), back.data(), count);
        batch.bad = &bad;
        bad = kOld;
        run(to_linear, batch);
        EXPECT_EQ(bad, bad_wanted) << "indices of padding are -1, which are no indices";
        for (size_t i = 0; i < linear.size(); ++i) ASSERT_EQ(back[i], want[i].empty() ? -1 : linear[i]) << i;
        EXPECT_EQ(back.back(), kOld);
      }
    }
  }
}

TEST(IndexPlan, FirstInvalidEntryEndsIt) {
  const IndexMap map = index_map("f32[3,5]{1,0:T(2,4)}");
  const Ints index = {0, 0, 1, 1, 2, 5, 3, 0}, linear = {0, 24, 31, 32};
  Ints out(8, kOld);
  int64_t bad = kOld;
  Batch batch(index.data(), out.data(), 4);
  batch.bad = &bad;
  const IndexPlan to_linear = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR);
  Error err = failed(XLASHAPE_STATUS_OUT_OF_RANGE, to_linear, batch);
  EXPECT_EQ(err.index, 2);
  EXPECT_STREQ(err.message, "index 2 of the batch: entry 1 is 5, not in [0, 5)");
  EXPECT_EQ((Ints{out[0], out[1], bad}), (Ints{0, 5, kOld}));
  batch.count = 2;
  run(to_linear, batch);
  EXPECT_EQ(bad, 0);

  const IndexPlan to_multi = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL);
  batch = Batch(linear.data(), out.data(), 4);
  err = failed(XLASHAPE_STATUS_OUT_OF_RANGE, to_multi, batch);
  EXPECT_EQ(err.index, 2);
  EXPECT_STREQ(err.message, "index 2 of the batch, 31, holds padding, not an element");
  EXPECT_EQ(Ints(out.begin(), out.begin() + 4), (Ints{0, 0, 2, 4}));
  batch.exec.src += 24;
  batch.count = 1;
  EXPECT_STREQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE, to_multi, batch).message,
               "index 0 of the batch is 32, not in [0, 32)");
}

// A dimension of size 0 that is padded to 1 leaves no factor in a position, and yet no position is an element.
TEST(IndexPlan, NoElementsInPadding) {
  for (const char* backend : {"scalar", ""}) {
    for (const char* text : {"u32[0]{0:PD(1)}", "u32[0,4]{1,0:PD(1,8)}", "s32[1,0,5]{2,1,0:PD(1,1,5)}"}) {
      SCOPED_TRACE(text);
      const IndexMap map = index_map(text);
      const int64_t rank = xlashape_index_map_rank(map.get());
      const Ints linear = {0, 0};
      Ints index(static_cast<size_t>(2 * rank), kOld);
      int64_t bad = kOld;
      auto options = options_of(XLASHAPE_INDEX_MARK_INVALID);
      options.backend = *backend != '\0' ? backend : nullptr;
      Batch batch(linear.data(), index.data(), 2);
      batch.bad = &bad;
      run(plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options), batch);
      EXPECT_EQ(bad, 2);
      EXPECT_EQ(index, Ints(index.size(), -1));
      options.flags = 0;
      const IndexPlan strict = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options);
      EXPECT_EQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE, strict, batch).index, 0);
    }
  }
}

TEST(IndexPlan, Offsets) {
  const Ints linear = {kOld, 13, 7};
  Ints index(5, kOld);
  Batch batch(linear.data(), index.data(), 2);
  batch.exec.src_byte_offset = batch.exec.dst_byte_offset = 8;
  batch.exec.src_bytes = 24;
  batch.exec.dst_bytes = 40;
  run(plan_of(index_map("f32[3,5]"), XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL), batch);
  EXPECT_EQ(index, (Ints{kOld, 2, 3, 1, 2}));
}

TEST(IndexPlan, ScalarsAndEmptyArrays) {
  const IndexMap scalar = index_map("f32[]"), empty = index_map("f32[0,5]");
  Ints index = {kOld, kOld, kOld, 1, 2};
  // A scalar's indices have no entries: no buffer for them is needed.
  run(plan_of(scalar, XLASHAPE_CONVERSION_TO_LINEAR), Batch(nullptr, index.data(), 3));
  EXPECT_EQ(index, (Ints{0, 0, 0, 1, 2}));
  run(plan_of(scalar, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL), Batch(index.data(), nullptr, 3));
  EXPECT_EQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE, plan_of(scalar, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL),
                   Batch(index.data(), nullptr, 4))
                .index,
            3);
  EXPECT_EQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE, plan_of(empty, XLASHAPE_CONVERSION_TO_LINEAR),
                   Batch(index.data(), index.data() + 4, 1))
                .index,
            0);
  // Nothing to do: no buffers.
  int64_t bad = kOld;
  Batch batch(nullptr, nullptr, 0);
  batch.bad = &bad;
  for (const int32_t way : {XLASHAPE_CONVERSION_TO_LINEAR, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL})
    run(plan_of(empty, way), batch);
  EXPECT_EQ(bad, 0);
}

TEST(IndexPlan, OutlivesItsMapAndRunsOnManyThreads) {
  IndexPlan plan;
  {
    const IndexMap map = index_map("f32[300,500]{0,1:T(8,128)}");
    const auto options = options_of(XLASHAPE_INDEX_MARK_INVALID);
    plan = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options);
  }
  const IndexMap map = index_map("f32[300,500]{0,1:T(8,128)}");
  constexpr int64_t kCount = 3000;
  Ints index(2 * kCount), want(kCount);
  for (int64_t i = 0; i < kCount; ++i) {
    index[static_cast<size_t>(2 * i)] = i % 301;
    index[static_cast<size_t>(2 * i + 1)] = i * 7 % 500;
    int64_t& linear = want[static_cast<size_t>(i)] = -1;
    (void)xlashape_index_map_linear_index(map.get(), &index[static_cast<size_t>(2 * i)], 2, &linear, nullptr);
  }
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      Ints got(kCount, kOld);
      int64_t bad = kOld;
      Batch batch(index.data(), got.data(), kCount);
      batch.bad = &bad;
      if (batch(plan, nullptr) == XLASHAPE_STATUS_OK) right += got == want && bad == 9;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

TEST(IndexPlan, TasksAndExecutor) {
  const IndexMap map = index_map("f32[100,1000]{0,1:T(8,128)}");
  const auto options = options_of(XLASHAPE_INDEX_MARK_INVALID);
  const IndexPlan plan = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options),
                  strict = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL);
  constexpr int64_t kCount = 50000;
  Ints linear(kCount), want(2 * kCount), got(2 * kCount, kOld);
  std::iota(linear.begin(), linear.end(), 0);
  int64_t bad_wanted = kOld, bad = kOld, sum = 0;
  Batch batch(linear.data(), want.data(), kCount);
  batch.bad = &bad_wanted;
  run(plan, batch);
  EXPECT_GT(bad_wanted, 0);
  EXPECT_GE(xlashape_index_plan_task_count(plan.get(), 4), 1);
  EXPECT_EQ(xlashape_index_plan_task_count(plan.get(), 0), 1);
  batch = Batch(linear.data(), got.data(), kCount);
  batch.bad = &bad;
  batch.exec.task_count = 7;
  for (batch.exec.task_begin = 6; batch.exec.task_begin >= 0; --batch.exec.task_begin) {
    batch.exec.task_end = batch.exec.task_begin + 1;
    run(plan, batch);
    sum += bad;
  }
  EXPECT_EQ(got, want);
  EXPECT_EQ(sum, bad_wanted);
  // On an executor that begins with the last: the smallest bad one is told all the same.
  int64_t ran = 0;
  auto backwards = XLASHAPE_INIT(xlashape_executor);
  backwards.max_workers = 3;
  backwards.opaque = &ran;
  backwards.parallel_for = [](void* opaque, int64_t count, void* task_opaque, void (*task)(void*, int64_t, uint32_t)) {
    for (int64_t i = count; i-- > 0;) task(task_opaque, i, 0);
    *static_cast<int64_t*>(opaque) += count;
    return int32_t{0};
  };
  batch = Batch(linear.data(), got.data(), kCount);
  batch.bad = &bad;
  batch.exec.executor = &backwards;
  got.assign(got.size(), kOld);
  run(plan, batch);
  EXPECT_EQ(got, want);
  EXPECT_EQ(bad, bad_wanted);
  EXPECT_GT(ran, 2);
  linear[33333] = linear[44444] = -5;
  linear[100] = 40;
  const auto first_invalid = static_cast<size_t>(
      std::find_if(linear.begin(), linear.end(), [&](int64_t at) { return index_at(map, at).empty(); }) -
      linear.begin());
  const Error err = failed(XLASHAPE_STATUS_OUT_OF_RANGE, strict, batch);
  EXPECT_EQ(err.index, static_cast<int64_t>(first_invalid));
}

TEST(IndexPlan, TellsOfItself) {
  const IndexMap map = index_map("f32[3,5]");
  auto options = options_of();
  options.backend = "scalar";
  const IndexPlan plan = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options);
  EXPECT_STREQ(xlashape_index_plan_backend(plan.get()), "scalar");
  char text[256];
  int64_t needed;
  ok(xlashape_index_plan_describe, plan.get(), text, sizeof text, &needed);
  EXPECT_THAT(text, HasSubstr("scalar"));
  auto r = XLASHAPE_INIT(xlashape_plan_requirements);
  ok(xlashape_index_plan_get_requirements, plan.get(), &r);
  EXPECT_EQ((Ints{r.src_alignment, r.dst_alignment}), (Ints{8, 8}));
  EXPECT_EQ((Ints{r.src_low, r.src_high, r.dst_low, r.dst_high}), (Ints{0, 0, 0, 0}));
  EXPECT_GT(r.plan_bytes, 0);
  EXPECT_GT(r.stack_bytes, 0);
  EXPECT_EQ(xlashape_index_plan_retain(plan.get()), plan.get());
  xlashape_index_plan_release(plan.get());
}

TEST(IndexPlan, RefusesBadPlans) {
  const IndexMap map = index_map("f32[3,5]");
  const auto why = [&](xlashape_status status, int32_t conversion, const xlashape_index_options& options) {
    return message(status, [&](auto* err) {
      xlashape_index_plan* made = nullptr;
      const auto got = xlashape_index_plan_create(nullptr, map.get(), conversion, &options, &made, err);
      EXPECT_EQ(made, nullptr);
      return got;
    });
  };
  for (const int32_t conversion : {0, 3, -1, INT32_MAX})
    EXPECT_THAT(why(XLASHAPE_STATUS_INVALID_ARGUMENT, conversion, options_of()),
                HasSubstr("conversion is " + std::to_string(conversion)));
  const std::pair<int64_t, int64_t> steps[] = {{0, 1}, {1, 0}, {-1, 1}, {2, -1}, {INT64_MIN, INT64_MIN}};
  for (const auto& [i, d] : steps)
    EXPECT_THAT(why(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_CONVERSION_TO_LINEAR, options_of(0, i, d)),
                HasSubstr("index_step is " + std::to_string(i) + ", dimension_step " + std::to_string(d)));
  EXPECT_THAT(why(XLASHAPE_STATUS_INCOMPATIBLE, XLASHAPE_CONVERSION_TO_LINEAR, options_of(1u << 7)),
              HasSubstr("flags 0x80"));
  auto options = options_of();
  options.src_space = options.dst_space = 63;
  EXPECT_THAT(why(XLASHAPE_STATUS_NOT_FOUND, XLASHAPE_CONVERSION_TO_LINEAR, options),
              HasSubstr("memory spaces 63 to 63"));
  for (const int32_t space : {64, -1, INT32_MIN}) {
    options = options_of();
    options.dst_space = space;
    EXPECT_THAT(why(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_CONVERSION_TO_LINEAR, options),
                HasSubstr("dst_space is " + std::to_string(space) + ", it must be within 1 and 63"));
  }
  options = options_of();
  options.device = 8;
  EXPECT_THAT(why(XLASHAPE_STATUS_OUT_OF_RANGE, XLASHAPE_CONVERSION_TO_LINEAR, options),
              HasSubstr("there is no device number 7"));
  options = options_of();
  options.backend = "no such";
  EXPECT_THAT(why(XLASHAPE_STATUS_NOT_FOUND, XLASHAPE_CONVERSION_TO_LINEAR, options), HasSubstr("no such"));
  options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
  EXPECT_NE(plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options), nullptr);
}

TEST(IndexPlan, RefusesBadExecutions) {
  const IndexMap map = index_map("f32[3,5]");
  const IndexPlan to_linear = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR),
                  to_multi = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL);
  Ints a(10, 0), b(10, kOld);
  const Batch good(a.data(), b.data(), 4);
  const auto why = [&](xlashape_status status, const IndexPlan& plan, const std::function<void(Batch*)>& change) {
    Batch batch = good;
    change(&batch);
    return refused(status, plan, batch);
  };
  const auto kInvalid = XLASHAPE_STATUS_INVALID_ARGUMENT;
  EXPECT_EQ(why(kInvalid, to_linear, [](auto* e) { e->exec.src = 0; }), "src is NULL");
  EXPECT_EQ(why(kInvalid, to_linear, [](auto* e) { e->exec.dst = 0; }), "dst is NULL");
  EXPECT_EQ(why(kInvalid, to_linear, [](auto* e) { e->count = -1; }), "count is -1, it must not be negative");
  EXPECT_EQ(why(kInvalid, to_linear, [](auto* e) { e->exec.src += 4; }),
            "src plus its offset is not a multiple of 8 bytes");
  EXPECT_EQ(why(kInvalid, to_linear, [](auto* e) { e->exec.dst += 1; }),
            "dst plus its offset is not a multiple of 8 bytes");
  why(kInvalid, to_linear, [](auto* e) { e->exec.task_begin = 2, e->exec.task_end = 1, e->exec.task_count = 3; });
  for (const int64_t count : {INT64_MAX, INT64_MAX / 8, INT64_MAX / 16 + 1})
    EXPECT_THAT(why(XLASHAPE_STATUS_OVERFLOW, to_linear, [&](auto* e) { e->count = count; }),
                HasSubstr(std::to_string(count)));
  EXPECT_THAT(why(XLASHAPE_STATUS_UNSUPPORTED, to_linear, [](auto* e) { e->exec.queue.kind = XLASHAPE_QUEUE_CUDA; }),
              HasSubstr("on the CPU has no queue"));
  EXPECT_THAT(why(XLASHAPE_STATUS_INCOMPATIBLE, to_linear, [](auto* e) { e->exec.flags = 1; }), HasSubstr("flags 0x1"));
  message(kInvalid,
          [&](auto* err) { return xlashape_index_plan_execute_with(to_linear.get(), 4, nullptr, nullptr, err); });
  // 4 indices have 64 bytes, their positions 32.
  const auto kRange = XLASHAPE_STATUS_OUT_OF_RANGE;
  EXPECT_THAT(why(kRange, to_linear, [](auto* e) { e->exec.src_bytes = 63; }),
              AllOf(HasSubstr("[0, 64)"), HasSubstr("src")));
  EXPECT_THAT(why(kRange, to_linear, [](auto* e) { e->exec.dst_bytes = 31; }),
              AllOf(HasSubstr("[0, 32)"), HasSubstr("dst")));
  EXPECT_THAT(why(kRange, to_multi, [](auto* e) { e->exec.dst_bytes = 63; }),
              AllOf(HasSubstr("[0, 64)"), HasSubstr("dst")));
  why(kRange, to_linear, [](auto* e) { e->exec.src_bytes = 64, e->exec.src_byte_offset = 8; });
  why(kRange, to_linear, [](auto* e) { e->exec.src_bytes = 0; });
  EXPECT_THAT(why(kInvalid, to_linear, [](auto* e) { e->exec.src_bytes = -2; }), HasSubstr("src_bytes is -2"));
  EXPECT_THAT(why(kInvalid, to_linear, [](auto* e) { e->exec.dst_bytes = INT64_MIN; }), HasSubstr("dst_bytes is -92"));
  why(kRange, to_linear, [](auto* e) { e->exec.src_byte_offset = INT64_MAX - 7; });
  why(kRange, to_linear, [](auto* e) { e->exec.src_byte_offset = -8; });
  EXPECT_THAT(why(kInvalid, to_linear, [](auto* e) { e->exec.src_byte_offset = 4; }), HasSubstr("multiple of 8"));
  EXPECT_THAT(why(kInvalid, to_multi, [](auto* e) { e->exec.src = e->exec.dst, e->exec.src_byte_offset = 40; }),
              HasSubstr("overlap"));
  EXPECT_EQ(b, Ints(10, kOld));
  // Steps that overflow.
  auto options = options_of(0, 1, INT64_MAX);
  refused(XLASHAPE_STATUS_OVERFLOW, plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options), good);
  options = options_of(0, INT64_MAX, 1);
  refused(XLASHAPE_STATUS_OVERFLOW, plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options), good);
  // The short form.
  const auto convert = [&](int64_t src_bytes) {
    return [&, src_bytes](auto* err) {
      return xlashape_index_plan_execute(to_multi.get(), 4, a.data(), src_bytes, b.data(), 64, nullptr, err);
    };
  };
  EXPECT_THAT(message(kRange, convert(31)), AllOf(HasSubstr("[0, 32)"), HasSubstr("src")));
  EXPECT_EQ(b, Ints(10, kOld));
  ok(convert(32));
  EXPECT_EQ(b, (Ints{0, 0, 0, 0, 0, 0, 0, 0, kOld, kOld}));
}

TEST(IndexPlan, MemoryIsNotShared) {
  const IndexMap map = index_map("u8[5,7]");
  int64_t memory[64] = {};
  // Three indices of two entries and three positions, at each distance of each other.
  for (const auto& [index_step, dimension_step] : {std::pair<int64_t, int64_t>{2, 1}, {1, 3}}) {
    const auto options = options_of(0, index_step, dimension_step);
    const IndexPlan to_linear = plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options),
                    to_multi = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options);
    for (int64_t apart = -9; apart <= 9; ++apart) {
      int64_t *index = memory + 20, *linear = index + apart;
      const xlashape_status want = apart < 6 && apart + 3 > 0 ? XLASHAPE_STATUS_INVALID_ARGUMENT : XLASHAPE_STATUS_OK;
      std::fill(std::begin(memory), std::end(memory), 0);
      EXPECT_EQ(Batch(index, linear, 3)(to_linear, nullptr), want) << apart;
      EXPECT_EQ(Batch(linear, index, 3)(to_multi, nullptr), want) << apart;
    }
  }
}

TEST(IndexPlan, EntriesThatAreWrittenDoNotOverlap) {
  const IndexMap map = index_map("u8[5,7]"), list = index_map("u8[7]");
  const int64_t linear[] = {0, 1, 2};
  int64_t index[32] = {};
  const struct {
    int64_t index_step, dimension_step;
    bool good;
  } cases[] = {{2, 1, true}, {1, 3, true}, {5, 2, true}, {1, 1, false}, {1, 2, false}};
  for (const auto& c : cases) {
    const auto options = options_of(0, c.index_step, c.dimension_step);
    const IndexPlan plan = plan_of(map, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options);
    if (c.good) {
      run(plan, Batch(linear, index, 3));
    } else {
      EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, plan, Batch(linear, index, 3)), HasSubstr("may overlap"));
    }
    // Of one index, or of rank 1, no two entries can meet; those that are read may.
    run(plan, Batch(linear, index, 1));
    run(plan_of(list, XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, &options), Batch(linear, index, 3));
    std::fill(std::begin(index), std::end(index), 0);
    run(plan_of(map, XLASHAPE_CONVERSION_TO_LINEAR, &options), Batch(index, index + 16, 3));
  }
}

// A backend for a memory space of its own, which remembers what it was asked and finds number 3 bad.
constexpr int32_t kSpace = XLASHAPE_SPACE_CUDA;
struct Asked {
  xlashape_op op;
  xlashape_run run;
  int executions;
} asked;

xlashape_status open_mock(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  backend->abi_version = host->abi_max;
  backend->name = "mock";
  backend->build_id = backend->sanitizer = "";
  backend->memory_spaces = XLASHAPE_SPACE_BIT(kSpace);
  backend->supports = [](void*, const xlashape_op* op, xlashape_support* support, xlashape_error*) {
    if (op->src_space == kSpace || op->dst_space == kSpace) support->level = XLASHAPE_SUPPORT_NATIVE;
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  backend->plan_size = [](void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
    *bytes = 0;
    *align = 1;
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  backend->plan_init = [](void*, const xlashape_op*, void*, xlashape_error*) {
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  backend->plan_execute = [](void*, const void*, const xlashape_op* op, const xlashape_run* run, xlashape_error*) {
    asked = {*op, *run, asked.executions + 1};
    if (run->first_invalid != nullptr && (op->flags & XLASHAPE_INDEX_MARK_INVALID) == 0) *run->first_invalid = 3;
    if (run->invalid_count != nullptr) *run->invalid_count += 5;
    return xlashape_status{XLASHAPE_STATUS_OK};
  };
  return XLASHAPE_STATUS_OK;
}

class IndexPlanOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    asked = {};
    runtime_ = api::runtime_of(api::alone());
    api::add_backend(runtime_, "mock", open_mock);
  }
  IndexPlan plan(int32_t conversion, xlashape_index_options options, int32_t src_space = kSpace,
                 int32_t dst_space = kSpace) {
    options.src_space = src_space;
    options.dst_space = dst_space;
    return plan_of(map_, conversion, &options, runtime_.get());
  }
  static Batch batch(int64_t count) {
    return {reinterpret_cast<void*>(0x10000), reinterpret_cast<void*>(0x20000), count};
  }
  api::Runtime runtime_;
  const IndexMap map_ = index_map("f32[3,5]");
};

TEST_F(IndexPlanOnDevice, AQueueTellsNothing) {
  const IndexPlan p = plan(XLASHAPE_CONVERSION_TO_LINEAR, options_of(XLASHAPE_INDEX_MARK_INVALID, 1, 100));
  EXPECT_STREQ(xlashape_index_plan_backend(p.get()), "mock");
  auto e = batch(9);
  e.exec.queue.kind = XLASHAPE_QUEUE_CUDA;
  e.exec.queue.handle = 0x77;
  ok([&](auto* err) { return e(p, err); });
  EXPECT_EQ(asked.op.kind, XLASHAPE_OP_TO_LINEAR);
  EXPECT_EQ((Ints{asked.op.index_step, asked.op.dimension_step, asked.op.flags}),
            (Ints{1, 100, XLASHAPE_INDEX_MARK_INVALID}));
  EXPECT_EQ((Ints{asked.op.src_space, asked.op.dst_space, asked.op.map->rank}), (Ints{kSpace, kSpace, 2}));
  EXPECT_EQ(asked.run.queue.kind, XLASHAPE_QUEUE_CUDA);
  EXPECT_EQ(asked.run.queue.handle, 0x77u);
  EXPECT_EQ(asked.run.src, 0x10000u);
  EXPECT_EQ(asked.run.dst, 0x20000u);
  EXPECT_EQ((Ints{asked.run.src_byte_offset, asked.run.dst_byte_offset, asked.run.count}), (Ints{0, 0, 9}));
  EXPECT_EQ(asked.run.first_invalid, nullptr);
  EXPECT_EQ(asked.run.invalid_count, nullptr);
  const int before = asked.executions;
  int64_t bad = kOld;
  e.bad = &bad;
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, p, e), HasSubstr("invalid_count must be NULL"));
  e.bad = nullptr;
  EXPECT_THAT(refused(XLASHAPE_STATUS_UNSUPPORTED, plan(XLASHAPE_CONVERSION_TO_LINEAR, options_of()), e),
              HasSubstr("the plan must mark them"));
  e.count = 0;
  ok([&](auto* err) { return e(p, err); });
  EXPECT_EQ(asked.executions, before);
  EXPECT_EQ(bad, kOld);
}

TEST_F(IndexPlanOnDevice, WithoutAQueueAllIsTold) {
  auto e = batch(9);
  int64_t bad = kOld;
  e.bad = &bad;
  ok([&](auto* err) {
    return e(plan(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, options_of(XLASHAPE_INDEX_MARK_INVALID)), err);
  });
  EXPECT_EQ(bad, 5);
  // Memory of a device is not read to say what was bad.
  const Error err =
      failed(XLASHAPE_STATUS_OUT_OF_RANGE, plan(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, options_of()), e);
  EXPECT_EQ(err.index, 3);
  EXPECT_STREQ(err.message, "index 3 of the batch is out of range, or holds padding");
  EXPECT_STREQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE, plan(XLASHAPE_CONVERSION_TO_LINEAR, options_of()), e).message,
               "index 3 of the batch is out of range");
  // That of the CPU is.
  const Ints linear = {0, 0, 0, 15, 0, 0, 0, 0, 0};
  e.exec.src = reinterpret_cast<uintptr_t>(linear.data());
  e.exec.src_bytes = byte_count(linear);
  EXPECT_STREQ(failed(XLASHAPE_STATUS_OUT_OF_RANGE,
                      plan(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, options_of(), XLASHAPE_SPACE_CPU, kSpace), e)
                   .message,
               "index 3 of the batch is 15, not in [0, 15)");
}

TEST_F(IndexPlanOnDevice, AddressesAreChecked) {
  const IndexPlan p = plan(XLASHAPE_CONVERSION_TO_LINEAR, options_of());
  auto e = batch(4);
  e.exec.dst = e.exec.src + 56;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, p, e), HasSubstr("overlap"));
  e = batch(4);
  e.exec.dst = 0;
  EXPECT_EQ(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, p, e), "dst is NULL");
  e = batch(4);
  e.exec.src = 0x10004;
  EXPECT_THAT(refused(XLASHAPE_STATUS_INVALID_ARGUMENT, p, e), HasSubstr("multiple of 8"));
  EXPECT_EQ(asked.executions, 0);
}

}  // namespace
