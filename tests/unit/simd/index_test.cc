// SPDX-License-Identifier: Apache-2.0
// Index batches of every target of the simd backend against the reference: random layouts, entries that are bad, and
// sizes at the bound of what doubles hold.
#include "runtime/cpu.h"
#include "unit/random_relayout.h"
#include "unit/simd/targets.h"

extern "C" xlashape_status xlashape_backend_open_simd(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape::core {
namespace {

using testing::OpenedBackend;
using testing::Random;

class SimdIndex : public ::testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    const std::string why = testing::missing_target(GetParam());
    if (!why.empty()) GTEST_SKIP() << why;
  }
};

// Positions or coordinates near what makes factors turn over, and some that are nothing.
int64_t interesting(Random& random, int64_t bound, int64_t unit, bool bad) {
  if (bad && random.chance(2)) return random.chance(50) ? -random.in(1, 9) : bound + random.in(0, 1000);
  if (bad && random.chance(1)) return random.chance(50) ? INT64_MIN : INT64_MAX;
  if (bound <= 0) return 0;
  int64_t x = random.in(0, bound - 1);
  if (random.chance(60)) x = x / unit * unit + random.in(-1, 1);
  return std::clamp<int64_t>(x, 0, bound - 1);
}

void check(const OpenedBackend& backend, Random& random, const Shape& array, const int64_t* byte_strides, int* taken) {
  alignas(16) char space[16384];
  Arena arena(space, sizeof space);
  RelayoutRequest request;
  request.src.array = request.dst.array = &array;
  request.src.byte_strides = byte_strides;
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  if (build_relayout(request, arena, &ir, &err)) return;  // more bytes than there are
  const xlashape_map_ir& m = *ir.src;
  const bool bad = random.chance(50), marks = random.chance(50), soa = random.chance(50);
  const int64_t count = random.in(0, 700);
  const auto rank = static_cast<size_t>(m.rank);
  const auto n = static_cast<size_t>(count);

  const xlashape_backend& table = backend.table;
  auto op = XLASHAPE_INIT(xlashape_op);
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.map = &m;
  op.index_step = soa ? 1 : m.rank;
  op.dimension_step = soa ? count : 1;
  op.flags = marks ? XLASHAPE_INDEX_MARK_INVALID : 0;
  for (const int32_t kind : {XLASHAPE_OP_TO_LINEAR, XLASHAPE_OP_TO_MULTIDIMENSIONAL}) {
    op.kind = kind;
    const bool forwards = kind == XLASHAPE_OP_TO_LINEAR;
    if (!forwards && byte_strides != nullptr) continue;
    auto support = XLASHAPE_INIT(xlashape_support);
    ASSERT_EQ(table.supports(table.self, &op, &support, nullptr), XLASHAPE_STATUS_OK);
    if (support.level == XLASHAPE_SUPPORT_NONE) continue;
    ++*taken;
    std::vector<int64_t> in(forwards ? n * rank : n), out((forwards ? n : n * rank) + 2, -77), want(out);
    std::vector<int64_t> one(rank + 1);
    int64_t first_wanted = count, bad_wanted = 0;
    for (size_t i = 0; i < n; ++i) {
      const auto at = [&](size_t d) { return soa ? d * n + i : i * rank + d; };
      bool good = true;
      if (forwards) {
        for (size_t d = 0; d < rank; ++d) {
          in[at(d)] = interesting(random, m.dimensions[d], 8, bad);
          good &= in[at(d)] >= 0 && in[at(d)] < m.dimensions[d];
          one[d] = in[at(d)];
        }
        want[i + 1] = good ? reference::position(m, one.data()) : -1;
      } else {
        const int64_t unit = m.output_count > 0 ? m.output_stride[random.in(0, m.output_count - 1)] : 1;
        in[i] = interesting(random, m.positions, unit, bad);
        good = in[i] >= 0 && in[i] < m.positions && reference::index_at(m, in[i], one.data());
        for (size_t d = 0; d < rank; ++d) want[at(d) + 1] = good ? one[d] : -1;
      }
      if (!good) first_wanted = std::min(first_wanted, static_cast<int64_t>(i));
      bad_wanted += !good;
    }
    int64_t first = count, invalid_count = 0;
    auto run = XLASHAPE_INIT(xlashape_run);
    run.src = reinterpret_cast<uintptr_t>(in.data());
    run.dst = reinterpret_cast<uintptr_t>(out.data() + 1);
    run.count = count;
    run.task_count = random.in(1, 5);
    run.first_invalid = &first;
    run.invalid_count = marks ? &invalid_count : nullptr;
    for (int64_t task = run.task_count; task-- > 0;) {
      run.task_begin = task;
      run.task_end = task + 1;
      ASSERT_EQ(table.plan_execute(table.self, nullptr, &op, &run, &err), XLASHAPE_STATUS_OK);
    }
    const std::string name = testing::text(array) + (forwards ? " to linear" : " to multi");
    EXPECT_EQ(out.front(), -77) << name;
    EXPECT_EQ(out.back(), -77) << name;
    if (marks) {
      ASSERT_EQ(out, want) << name;
      ASSERT_EQ(invalid_count, bad_wanted) << name;
    } else {
      ASSERT_EQ(first, first_wanted) << name;
      for (int64_t i = 0; i < first; ++i)
        for (size_t d = 0; d < (forwards ? 1 : rank); ++d) {
          const size_t at = forwards ? static_cast<size_t>(i)
                            : soa    ? d * n + static_cast<size_t>(i)
                                     : static_cast<size_t>(i) * rank + d;
          ASSERT_EQ(out[at + 1], want[at + 1]) << name << " entry " << i;
        }
    }
  }
}

TEST_P(SimdIndex, RandomLayouts) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam(), 1 << 12);
  int taken = 0;
  const auto count = static_cast<uint64_t>(testing::case_count(1500));
  for (uint64_t seed = 1; seed <= count && !HasFatalFailure(); ++seed) {
    Random random(seed);
    const auto dimensions = testing::random_dimensions(random, random.chance(10) ? 9 : 5, 1 << 20);
    const auto array = testing::random_array(random, random.of(testing::all_types()), dimensions);
    std::vector<int64_t> strides;
    if (random.chance(10)) strides = testing::random_strides(random, dimensions, 16, true);
    check(backend, random, *array, strides.empty() ? nullptr : strides.data(), &taken);
  }
  EXPECT_GT(taken, static_cast<int>(count / 5 * 4));
}

TEST_P(SimdIndex, AtTheBound) {
  const OpenedBackend backend(xlashape_backend_open_simd, GetParam(), 1 << 12);
  int taken = 0;
  uint64_t seed = 0;
  for (const char* words :
       {"u8[2251799813685247]{0}", "u8[33554432,67108863]{1,0}", "u8[750599937895082,3]{1,0}",
        "u8[3,750599937895082]{0,1}", "u8[131071,131071,131071]{2,0,1}", "u8[67108859,33554393]{0,1}",
        "u8[1000003,2251793058]{1,0:T(8,128)}", "u8[7,11,13,17,19,23,29,31,37,41]{9,8,7,6,5,4,3,2,1,0}",
        "u8[2251799813685248]{0}", "u8[9007199254740992]{0}"})
    for (int i = 0; i < 40 && !HasFatalFailure(); ++i) {
      Random random(++seed);
      check(backend, random, *testing::parsed(words), nullptr, &taken);
    }
  EXPECT_GT(taken, 300);
}

constexpr uint64_t kSsse3 = XLASHAPE_CPU_SSE2 | XLASHAPE_CPU_SSSE3, kSse4 = kSsse3 | XLASHAPE_CPU_SSE4,
                   kAvx2 = kSse4 | XLASHAPE_CPU_AVX2, kAvx3 = kAvx2 | XLASHAPE_CPU_AVX3;
INSTANTIATE_TEST_SUITE_P(Targets, SimdIndex,
                         ::testing::Values(0, kSsse3, kSse4, kAvx2, kAvx3, kAvx3 | XLASHAPE_CPU_AVX3_DL,
                                           XLASHAPE_CPU_NEON, XLASHAPE_CPU_NEON | XLASHAPE_CPU_SVE));

}  // namespace
}  // namespace xlashape::core
