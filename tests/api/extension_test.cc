// SPDX-License-Identifier: Apache-2.0
// What is behind xlashape_get_extension.
#include <algorithm>
#include <atomic>
#include <new>
#include <numeric>
#include <thread>

#include "api.h"
#include "xlashape_experimental.h"

namespace {

using api::Error;
using api::message;
using api::ok;
using api::Plan;
using api::plan;
using api::Runtime;
using api::shape;
using testing::HasSubstr;

using Bytes = std::vector<unsigned char>;

const xlashape_extension_execution& execution() {
  constexpr std::string_view kName = XLASHAPE_EXTENSION_EXECUTION;
  return *static_cast<const xlashape_extension_execution*>(
      xlashape_get_extension(kName.data(), static_cast<int64_t>(kName.size())));
}

TEST(Extension, OnlyThoseThereAre) {
  EXPECT_EQ(execution().struct_size, sizeof(xlashape_extension_execution));
  EXPECT_EQ(xlashape_get_extension("execution", 9), nullptr);
  EXPECT_EQ(xlashape_get_extension("execution.2", 11), nullptr);
  EXPECT_EQ(xlashape_get_extension("execution.1", -1), nullptr);
  EXPECT_EQ(xlashape_get_extension("", 0), nullptr);
}

// -- execute_async ------------------------------------------------------------------------------------------------

// std::atomic::wait misses what happens where GCC knows no futex.
void await(const std::atomic<int>& value) {
  while (value == 0) std::this_thread::yield();
}

struct Outcome {
  std::atomic<int> calls{0};
  xlashape_status status = -1;
  int64_t index = -1;
  std::string text;
  std::thread::id thread;

  static void done(void* opaque, xlashape_status status, const xlashape_error* err) {
    auto& o = *static_cast<Outcome*>(opaque);
    o.status = status;
    if (err != nullptr) o.text = err->message, o.index = err->index;
    o.thread = std::this_thread::get_id();
    ++o.calls;
  }
  void wait() const { await(calls); }
};

TEST(ExecuteAsync, ManyAtOnce) {
  for (const int32_t threads : {0, 1, 2, 4}) {
    const Runtime rt = api::runtime_of(threads);
    const Plan p = plan(rt.get(), "u8[1024,777]{1,0}", "u8[1024,777]{0,1:T(8,128)}");
    auto r = XLASHAPE_INIT(xlashape_plan_requirements);
    ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), 0);
    Bytes src(static_cast<size_t>(r.src_high)), want(static_cast<size_t>(r.dst_high));
    for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<unsigned char>(i * 13 + i / 255);
    ASSERT_EQ(xlashape_plan_execute(p.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr), 0);
    constexpr int kCount = 12;
    std::vector<Bytes> dst(kCount, Bytes(want.size(), 0xEE));
    std::vector<Outcome> outcomes(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      auto exec = XLASHAPE_INIT(xlashape_execute_options);
      exec.src = reinterpret_cast<uintptr_t>(src.data());
      exec.src_bytes = byte_count(src);
      exec.dst = reinterpret_cast<uintptr_t>(dst[i].data());
      exec.dst_bytes = byte_count(dst[i]);
      Error err;
      ASSERT_EQ(execution().execute_async(p.get(), &exec, Outcome::done, &outcomes[i], &err), 0);
      EXPECT_TRUE(err.untouched());
      exec.src = exec.dst = 1;  // it was copied
    }
    for (size_t i = 0; i < kCount; ++i) {
      outcomes[i].wait();
      EXPECT_EQ(outcomes[i].status, XLASHAPE_STATUS_OK) << outcomes[i].text;
      EXPECT_EQ(dst[i], want);
      EXPECT_EQ(outcomes[i].thread != std::this_thread::get_id(), threads > 1) << threads;
    }
    for (const Outcome& o : outcomes) EXPECT_EQ(o.calls, 1);
  }
}

TEST(ExecuteAsync, FailuresAreToldToWhoWaits) {
  for (const int32_t threads : {0, 2}) {
    const Runtime rt = api::runtime_of(threads);
    const Plan p = plan(rt.get(), "u8[4,4]{1,0}", "u8[4,4]{0,1}");
    Bytes bytes(32);
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.src = reinterpret_cast<uintptr_t>(bytes.data());
    exec.src_bytes = byte_count(bytes);
    exec.dst = exec.src + 8;
    exec.dst_bytes = 24;
    Outcome overlap;
    ok([&](auto* err) {
      overlap.calls = 0;
      const xlashape_status status = execution().execute_async(p.get(), &exec, Outcome::done, &overlap, err);
      if (status == XLASHAPE_STATUS_OK) overlap.wait();
      return status;
    });
    EXPECT_EQ(overlap.status, XLASHAPE_STATUS_INVALID_ARGUMENT);
    EXPECT_THAT(overlap.text, HasSubstr("overlap"));
    Outcome none;
    const auto refused = [&](const xlashape_plan* on, xlashape_done_fn done) {
      return [&, on, done](auto* err) { return execution().execute_async(on, &exec, done, &none, err); };
    };
    exec.queue.kind = XLASHAPE_QUEUE_CUDA;
    EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, refused(p.get(), Outcome::done)), HasSubstr("queue"));
    exec.queue.kind = 0;
    xlashape_executor executor = {};
    exec.executor = &executor;
    EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, refused(p.get(), Outcome::done)), HasSubstr("options.executor"));
    exec.executor = nullptr;
    exec.struct_size = 3;
    EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, refused(p.get(), Outcome::done)), HasSubstr("struct_size"));
    EXPECT_EQ(none.calls, 0);
  }
}

// It would do everything on the calling thread, which nobody expects of it.
TEST(ExecuteAsync, IsRefusedWhereTheRuntimeHasTheHostsExecutor) {
  for (const uint32_t workers : {1u, 4u}) {
    const xlashape_executor executor = api::in_order(workers);
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.executor = &executor;
    const Runtime rt = api::runtime_of(options);
    const Plan p = plan(rt.get(), "u8[4,4]{1,0}", "u8[4,4]{0,1}");
    const Bytes src(16, 7);
    Bytes dst(16);
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.src = reinterpret_cast<uintptr_t>(src.data());
    exec.src_bytes = byte_count(src);
    exec.dst = reinterpret_cast<uintptr_t>(dst.data());
    exec.dst_bytes = byte_count(dst);
    Outcome none;
    EXPECT_THAT(
        message(XLASHAPE_STATUS_UNSUPPORTED,
                [&](auto* err) { return execution().execute_async(p.get(), &exec, Outcome::done, &none, err); }),
        HasSubstr("an executor of the program"));
    EXPECT_EQ(none.calls, 0);
    EXPECT_EQ(dst, Bytes(16));
  }
}

// The runtime ends on a thread of its own pool.
TEST(ExecuteAsync, DoneMayReleasePlanAndRuntime) {
  struct Last {
    xlashape_runtime* runtime;
    xlashape_plan* plan;
    std::atomic<int> released{0};
    std::atomic<int> ended{0};

    static void release(void* opaque) { ++static_cast<Last*>(opaque)->released; }
    static void* alloc(void*, size_t size, size_t alignment) {
      return ::operator new(size, std::align_val_t(alignment), std::nothrow);
    }
    static void free(void*, void* memory, size_t, size_t alignment) {
      ::operator delete(memory, std::align_val_t(alignment));
    }
    static void done(void* opaque, xlashape_status status, const xlashape_error*) {
      auto& last = *static_cast<Last*>(opaque);
      EXPECT_EQ(status, XLASHAPE_STATUS_OK);
      xlashape_plan_release(last.plan);
      xlashape_runtime_release(last.runtime);
      EXPECT_EQ(last.released, 1) << "somebody still keeps the runtime";
      last.ended = 1;
    }
  };
  for (int round = 0; round < 50; ++round) {
    Last last{};
    const xlashape_allocator allocator = {sizeof allocator, 0, &last, Last::alloc, Last::free, Last::release};
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.threads = 2 + round % 3;
    options.allocator = &allocator;
    ASSERT_EQ(xlashape_runtime_create(&options, &last.runtime, nullptr), XLASHAPE_STATUS_OK);
    last.plan = plan(last.runtime, "u8[300,200]{1,0}", "u8[300,200]{0,1}").release();
    const Bytes src(60000, 3);
    Bytes dst(60000);
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.src = reinterpret_cast<uintptr_t>(src.data());
    exec.src_bytes = byte_count(src);
    exec.dst = reinterpret_cast<uintptr_t>(dst.data());
    exec.dst_bytes = byte_count(dst);
    ASSERT_EQ(execution().execute_async(last.plan, &exec, Last::done, &last, nullptr), XLASHAPE_STATUS_OK);
    await(last.ended);
    EXPECT_EQ(dst, src);
  }
}

// -- source_range -------------------------------------------------------------------------------------------------

struct Range {
  int64_t begin, end;
  bool operator==(const Range&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Range& r) { return out << '[' << r.begin << ',' << r.end << ')'; }

Range ask(const xlashape_plan* p, int64_t begin, int64_t end) {
  Range got{-1, -1};
  Error err;
  EXPECT_EQ(execution().source_range(p, begin, end, &got.begin, &got.end, &err), XLASHAPE_STATUS_OK);
  return got;
}

// The bits [at, at + width) that element number `index` takes, by the index map.
std::vector<int64_t> bits_of(const char* text, int64_t* width, int64_t count) {
  const api::IndexMap map = api::index_map(text);
  const api::Shape s = shape(text);
  auto sizes = XLASHAPE_INIT(xlashape_sizes);
  EXPECT_EQ(xlashape_shape_sizes(s.get(), &sizes, nullptr), XLASHAPE_STATUS_OK);
  *width = sizes.element_bits;
  std::vector<int64_t> dimensions(8), index, at;
  int64_t rank;
  EXPECT_EQ(xlashape_shape_dimensions(s.get(), dimensions.data(), 8, &rank, nullptr), XLASHAPE_STATUS_OK);
  index.assign(static_cast<size_t>(rank), 0);
  for (int64_t n = 0; n < count; ++n) {
    int64_t position;
    EXPECT_EQ(xlashape_index_map_linear_index(map.get(), index.data(), rank, &position, nullptr), 0);
    at.push_back(position * *width);
    for (int64_t d = rank; d-- > 0;) {
      if (++index[static_cast<size_t>(d)] < dimensions[static_cast<size_t>(d)]) break;
      index[static_cast<size_t>(d)] = 0;
    }
  }
  return at;
}

// Every range of destination bytes: what decides it lies within the answer, and is the answer where nothing is padded.
TEST(SourceRange, HoldsWhatDecides) {
  const struct {
    const char *src, *dst;
    int64_t elements;
    bool exact;
  } cases[] = {
      {"u8[6,5]{1,0}", "u8[6,5]{0,1}", 30, true},
      {"f32[4,6]{1,0}", "f32[4,6]{0,1}", 24, true},
      {"s16[8,12]{1,0}", "s16[8,12]{1,0:T(4,4)}", 96, true},
      {"s16[8,12]{1,0:T(4,4)}", "s16[8,12]{1,0}", 96, true},
      {"bf16[16,8]{1,0}", "bf16[16,8]{1,0:T(8,4)(2,1)}", 128, true},
      {"s4[6,10]{1,0:E(4)}", "s4[6,10]{0,1:E(4)}", 60, true},
      {"s4[6,10]{1,0}", "s4[6,10]{0,1:E(4)}", 60, true},
      {"u8[7,9]{1,0:T(4,4)}", "u8[7,9]{0,1:T(2,8)}", 63, false},
      {"s2[3,5,7]{2,1,0:E(2)}", "s2[3,5,7]{0,1,2:E(2)}", 105, true},
      {"f32[]", "f32[]", 1, true},
      {"f32[3,1]{1,0}", "f32[3,1]{0,1}", 3, true},
      // With padding, which no byte of the source decides.
      {"u8[3,5]{1,0}", "u8[3,5]{1,0:T(2,4)}", 15, false},
      {"c64[5,3]{0,1:T(4)}", "c64[5,3]{1,0:T(2,2)L(7)}", 15, false},
      {"f32[3,5]{1,0:PD(4,6)}", "f32[3,5]{0,1:PD(4,7)}", 15, false},
      {"s4[5,7]{1,0:T(2,2)E(4)}", "s4[5,7]{0,1:T(8)E(4)}", 35, false},
  };
  for (const auto& c : cases) {
    const Plan p = plan(nullptr, c.src, c.dst);
    int64_t src_width, dst_width;
    const std::vector<int64_t> src = bits_of(c.src, &src_width, c.elements),
                               dst = bits_of(c.dst, &dst_width, c.elements);
    auto r = XLASHAPE_INIT(xlashape_plan_requirements);
    ASSERT_EQ(xlashape_plan_get_requirements(p.get(), &r, nullptr), 0);
    for (int64_t begin = -1; begin <= r.dst_high; ++begin)
      for (int64_t end = begin; end <= r.dst_high + 1; ++end) {
        Range want{INT64_MAX, INT64_MIN};
        for (size_t i = 0; i < src.size(); ++i)
          if (begin < end && dst[i] < end * 8 && dst[i] + dst_width > begin * 8)
            want = {std::min(want.begin, src[i] / 8), std::max(want.end, (src[i] + src_width + 7) / 8)};
        const Range got = ask(p.get(), begin, end);
        if (want.begin > want.end) {
          ASSERT_EQ(got, (Range{0, 0})) << c.src << " -> " << c.dst << " bytes " << Range{begin, end};
          continue;
        }
        ASSERT_LE(got.begin, want.begin) << c.src << " -> " << c.dst << " bytes " << Range{begin, end};
        ASSERT_GE(got.end, want.end) << c.src << " -> " << c.dst << " bytes " << Range{begin, end};
        if (c.exact) {
          ASSERT_EQ(got, want) << c.src << " -> " << c.dst << " bytes " << Range{begin, end};
        }
        ASSERT_GE(got.begin, r.src_low);
        ASSERT_LE(got.end, r.src_high);
      }
  }
}

TEST(SourceRange, OfStridedSidesAndLargeOnes) {
  // Rows from the last one on: the first destination rows need the end of the source.
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  const int64_t strides[] = {-40, 4};
  options.src_byte_strides = strides;
  const Plan reversed = plan(nullptr, "f32[8,10]{1,0}", "f32[8,10]{1,0}", &options);
  EXPECT_EQ(ask(reversed.get(), 0, 40), (Range{0, 40}));
  EXPECT_EQ(ask(reversed.get(), 40, 120), (Range{-80, 0}));
  EXPECT_EQ(ask(reversed.get(), INT64_MIN, INT64_MAX), (Range{-280, 40}));
  const Plan large = plan(nullptr, "f32[100000,1000,300]{2,1,0}", "f32[100000,1000,300]{2,1,0:T(8,128)}");
  EXPECT_EQ(ask(large.get(), 0, 4), (Range{0, 4}));
  // A row of tiles, of 1000 / 8 such rows in each of the outermost. The columns that only padding has are not left out.
  const int64_t tiles = 8 * 384 * 4;
  EXPECT_EQ(ask(large.get(), tiles * 125, tiles * 126), (Range{1200000, 1200000 + 9600 + 84 * 4}));
}

TEST(SourceRange, WhatIsRefused) {
  const Plan p = plan(nullptr, "f32[8]{0}", "f32[8]{0}");
  int64_t begin, end;
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT,
                      [&](auto* err) { return execution().source_range(p.get(), 2, 1, &begin, &end, err); }),
              HasSubstr("[2, 1)"));
}

}  // namespace
