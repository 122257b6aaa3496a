// SPDX-License-Identifier: Apache-2.0
// Relayouts within one array, against the reference walker: all kinds of steps with panels, blocks and boxes of few
// bytes, and what lies beside the array and beside the working memory.
#include "exec/in_place.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <thread>

#include "exec/runtime.h"
#include "unit/random_relayout.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace in_place_test {

using testing::Case;
using testing::kGuard;
using testing::Random;
using Bytes = std::vector<unsigned char>;

int32_t on_three_threads(void*, int64_t count, void* opaque, void (*task)(void*, int64_t, uint32_t)) {
  std::vector<std::thread> threads;
  std::atomic<int64_t> next{0};
  for (uint32_t worker = 0; worker < 3; ++worker)
    threads.emplace_back([&, worker] {
      for (int64_t i; (i = next++) < count;) task(opaque, i, worker);
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

Ref<Runtime> scalar_runtime(bool many_threads) {
  xlashape_runtime_options options{};
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  const xlashape_executor executor{sizeof executor, 3, nullptr, on_three_threads, nullptr};
  if (many_threads) options.executor = &executor;
  Ref<Runtime> runtime;
  auto err = XLASHAPE_INIT(xlashape_error);
  if (create_runtime(options, &runtime, &err) != XLASHAPE_STATUS_OK) throw std::runtime_error(err.message);
  return runtime;
}

// An array without padding: its minor dimensions are multiples of a tile's.
std::string random_dense(Random& random, const std::string& type, const std::vector<int64_t>& dimensions) {
  std::vector<size_t> order(dimensions.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random.engine());
  std::string bounds, minor, tile;
  for (size_t i = 0; i < order.size(); ++i) {
    bounds += (i > 0 ? "," : "") + std::to_string(dimensions[i]);
    minor += (i > 0 ? "," : "") + std::to_string(order[i]);
  }
  const auto rank = static_cast<int64_t>(order.size());
  const int64_t tiled = random.chance(50) ? random.in(0, std::min<int64_t>(rank, 3)) : 0;
  for (int64_t i = tiled; i-- > 0;) {
    const int64_t bound = dimensions[order[static_cast<size_t>(i)]];
    int64_t part = random.in(1, bound);
    while (bound % part != 0) --part;
    tile += (tile.empty() ? "" : ",") + std::to_string(part);
  }
  if (rank == 0) return type + "[]";
  return type + "[" + bounds + "]{" + minor + (tile.empty() ? "" : ":T(" + tile + ")") + "}";
}

struct Seen {
  int64_t done = 0, refused = 0;
  std::map<std::string, int64_t> kinds;
};

void run_case(Random& random, Runtime& runtime, const Case& c, const InPlaceSizes& sizes, Seen* seen) {
  SCOPED_TRACE(c.name());
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
  PlanOptions options;
  options.in_place = sizes;
  Ref<Plan> plan;
  if (make_plan(runtime, c.request, options, &plan, &err) != XLASHAPE_STATUS_OK) {
    EXPECT_STREQ(err.message, "in place: the tiles have no common factors: give the destination memory of its own");
    ++seen->refused;
    return;
  }
  const std::string text = plan->in_place->describe();
  for (const char* kind : {"panels", "blocks", "pairs", "nothing"}) seen->kinds[kind] += text.find(kind) != text.npos;
  seen->kinds["three"] += text.find("; then") != text.rfind("; then");

  const Bytes before = testing::random_bytes(random, ir.src_high + 2 * kGuard);
  Bytes want = before, got = before;
  reference::relayout(ir, before.data() + kGuard, want.data() + kGuard);
  auto how = XLASHAPE_INIT(xlashape_execute_options);
  how.src = how.dst = reinterpret_cast<uintptr_t>(got.data() + kGuard);
  how.src_bytes = how.dst_bytes = ir.src_high;
  auto needs = XLASHAPE_INIT(xlashape_plan_requirements);
  ASSERT_EQ(xlashape_plan_get_requirements(plan.get(), &needs, &err), XLASHAPE_STATUS_OK) << err.message;
  Bytes memory = testing::random_bytes(random, needs.scratch_bytes + 2 * kGuard + 64);
  const Bytes memory_before = memory;
  const uint64_t scratch = (reinterpret_cast<uintptr_t>(memory.data()) + kGuard + 63) / 64 * 64;
  if (random.chance(50)) how.scratch = scratch, how.scratch_bytes = needs.scratch_bytes;
  ASSERT_EQ(xlashape_plan_execute_with(plan.get(), &how, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_EQ(got, want) << text;
  const auto begin = static_cast<size_t>(scratch - reinterpret_cast<uintptr_t>(memory.data()));
  const size_t end = begin + static_cast<size_t>(needs.scratch_bytes);
  EXPECT_TRUE(std::equal(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(begin), memory_before.begin()) &&
              std::equal(memory.begin() + static_cast<std::ptrdiff_t>(end), memory.end(),
                         memory_before.begin() + static_cast<std::ptrdiff_t>(end)))
      << "wrote beside its working memory: " << text;
  ++seen->done;
}

TEST(InPlace, RandomArraysWithSmallSteps) {
  Random random(39);
  const std::array<Ref<Runtime>, 2> runtimes = {scalar_runtime(false), scalar_runtime(true)};
  const std::vector<std::string> types = {"u8", "u16", "f32", "f64", "c128", "pred"};
  const std::vector<std::vector<int64_t>> bounds = {{1, 2, 3, 4, 6, 8}, {5, 7, 11, 13, 17, 31}, {12, 16, 24, 30, 32}};
  Seen seen;
  const int64_t cases = testing::case_count(1500);
  for (int64_t i = 0; i < cases; ++i) {
    std::vector<int64_t> dimensions(static_cast<size_t>(random.in(0, 5)));
    for (int64_t& d : dimensions) d = random.of(random.of(bounds));
    if (dimensions.size() > 1 && random.chance(30)) dimensions.back() = dimensions.front();
    int64_t elements = 1;
    for (const int64_t d : dimensions) elements *= d;
    if (elements > 100000) continue;
    const std::string& type = random.of(types);
    const Case c = testing::case_of(testing::parsed(random_dense(random, type, dimensions)),
                                    testing::parsed(random_dense(random, type, dimensions)));
    const InPlaceSizes sizes = {random.of<int64_t>({16, 64, 256, 1024}), random.of<int64_t>({1, 16, 48, 128}),
                                random.of<int64_t>({16, 64, 256, 1024}), 0};
    run_case(random, *runtimes[static_cast<size_t>(random.in(0, 1))], c, sizes, &seen);
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(seen.done, cases / 2);
  if (cases < 300) return;
  for (const char* kind : {"panels", "blocks", "pairs", "nothing", "three"})
    EXPECT_GT(seen.kinds[kind], cases / 100) << kind;
}

// As a square transpose of a real array is cut: the last boxes are smaller in both dimensions.
TEST(InPlace, BoxesThatDoNotDivideTheArray) {
  Random random(40);
  const Ref<Runtime> runtime = scalar_runtime(false);
  Seen seen;
  for (const int64_t n : {255, 256, 257, 300, 383, 384, 385})
    run_case(random, *runtime,
             testing::case_of(testing::parsed(testing::permuted(random, 0, "f32", {n, n}) + "}"),
                              testing::parsed("f32[" + std::to_string(n) + "," + std::to_string(n) + "]{0,1}")),
             {}, &seen);
  EXPECT_EQ(seen.kinds["pairs"], 5) << "up to 256 rows are one panel";
}

// Panels are as large as they may be, and blocks as short: one byte less or more on each side of the limits.
TEST(InPlace, AroundTheLimits) {
  Random random(41);
  const Ref<Runtime> runtime = scalar_runtime(true);
  Seen seen;
  for (const int64_t bytes : {1023, 1024, 1025})
    for (const int64_t rows : {3, 255, 256, 257}) {
      const std::string array = "u8[" + std::to_string(rows) + ",4," + std::to_string(bytes) + "]";
      run_case(random, *runtime,
               testing::case_of(testing::parsed(array + "{2,1,0}"), testing::parsed(array + "{2,0,1}")), {}, &seen);
    }
  for (const int64_t columns : {262143, 262144, 262145})
    run_case(random, *runtime,
             testing::case_of(testing::parsed("u8[2,1," + std::to_string(columns) + "]{2,1,0}"),
                              testing::parsed("u8[2,1," + std::to_string(columns) + "]{0,2,1}")),
             {}, &seen);
  EXPECT_EQ(seen.done, 15);
  EXPECT_GT(seen.kinds["panels"], 3);
  EXPECT_GT(seen.kinds["blocks"], 6);
}

}  // namespace in_place_test
}  // namespace xlashape::core
