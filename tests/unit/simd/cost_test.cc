// SPDX-License-Identifier: Apache-2.0
// What is predicted from rates, which come from a text that anybody may have written.
#include "backends/simd/cost.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>

#include "backends/simd/choose_tiles.h"
#include "backends/simd/profile.h"
#include "backends/simd/rate_cases.h"

namespace xlashape::simd {
namespace {

// The same speed for all movements of all sizes.
Rates rates_of(int32_t ns_per_mib) {
  Rates rates;
  for (auto& by_store : rates.ns_per_mib)
    for (auto& by_size : by_store)
      for (int32_t& ns : by_size) ns = ns_per_mib;
  rates.call_ns = 1;
  rates.workers = 1;
  return rates;
}
int32_t* ordinary(Rates& rates, Rate rate) { return rates.ns_per_mib[static_cast<int>(rate)][0]; }

int64_t copy_ns(const Rates& rates, int64_t bytes) {
  return predict_copy(rates, CopyKind::kPlain, Store::kOrdinary, {bytes, bytes});
}

void choose_squares(int64_t side, TilePlan* plan) {
  const StridedAxis axes[] = {{side, 4, 4 * side}, {side, 4 * side, 4}};
  choose(axes, 2, 4, {.store = Store::kOrdinary}, plan);
}

TEST(Costs, BetweenBelowAndAboveTheSizes) {
  Rates rates;
  rates.call_ns = 10;
  int32_t* const copy = ordinary(rates, Rate::kCopy);
  copy[2] = 1000;  // 1 MiB: 1000 ns
  copy[3] = 4000;  // 4 MiB: 16000 ns
  EXPECT_EQ(copy_ns(rates, 1 << 20), 1010);
  EXPECT_EQ(copy_ns(rates, 1 << 22), 16010);
  EXPECT_NEAR(static_cast<double>(copy_ns(rates, 1 << 21)), 4010, 1);  // the geometric mean of both
  EXPECT_NEAR(static_cast<double>(copy_ns(rates, 1 << 19)), 510, 1);
  EXPECT_NEAR(static_cast<double>(copy_ns(rates, 1 << 24)), 64010, 1);
  EXPECT_EQ(predict_copy(rates, CopyKind::kPlain, Store::kStream, {1 << 20, 1 << 20}), 0)
      << "such stores were not measured";
  EXPECT_EQ(predict_copy(rates, CopyKind::kPlain, Store::kOrdinary, {1 << 19, 1 << 20}), 510)
      << "half of what lies there";
  rates.call_ns = 0;
  EXPECT_EQ(copy_ns(rates, 1 << 20), 0) << "a profile without speeds";
}

TEST(Costs, BetweenRunsOfTwoLengths) {
  Rates rates = rates_of(1000);
  for (int i = 0; i < kRateSizes; ++i) ordinary(rates, Rate::kRuns64)[i] = 4000;
  Tiling tiling;
  tiling.unit = tiling.last_unit = 181;  // 64 * sqrt(8): in the middle of 64 and 512
  const Amount amount{1 << 20, 1 << 20};
  EXPECT_NEAR(static_cast<double>(predict_tiles(rates, tiling, KernelKind::kMove, Store::kOrdinary, amount)), 2001, 5);
  tiling.unit = tiling.last_unit = 48;
  EXPECT_GT(predict_tiles(rates, tiling, KernelKind::kMove, Store::kOrdinary, amount), 2001);
}

// Whatever the rates are: more bytes never take less time, and nothing leaves the range.
TEST(Costs, HostileRates) {
  std::mt19937_64 engine(1);
  TilePlan plan;
  choose_squares(1024, &plan);
  ASSERT_EQ(plan.kind, KernelKind::kTranspose);
  for (int i = 0; i < 200; ++i) {
    Rates rates = rates_of(1);
    for (auto& by_store : rates.ns_per_mib)
      for (auto& by_size : by_store)
        for (int32_t& ns : by_size) {
          const int32_t values[] = {0, 1, 7, static_cast<int32_t>(kMostNsPerMib), INT32_MAX, -1, INT32_MIN};
          ns = values[engine() % 7];
        }
    rates.call_ns = engine() % 2 == 0 ? 1 : INT32_MAX;
    rates.workers = engine() % 2 == 0 ? INT32_MAX : -5;
    int64_t last_copy = 0, last_squares = 0;
    for (int64_t bytes = 1; bytes > 0 && bytes < INT64_MAX / 2; bytes += bytes / 3 + 1) {
      const int64_t copy = copy_ns(rates, bytes);
      const int64_t squares = predict_tiles(rates, plan.tiling, plan.kind, Store::kOrdinary, {bytes, bytes});
      ASSERT_GE(copy, last_copy - last_copy / 1'000'000'000) << bytes;
      ASSERT_GE(squares, last_squares - last_squares / 1'000'000'000) << bytes;  // but for rounding
      ASSERT_LE(std::max(copy, squares), int64_t{1} << 62);
      last_copy = copy;
      last_squares = squares;
    }
    for (const int64_t odd : {int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX})
      for (const Store store : {Store::kOrdinary, Store::kStream}) {
        EXPECT_GE(predict_tiles(rates, plan.tiling, plan.kind, store, {odd, odd, odd}), 0);
        EXPECT_GE(predict_copy(rates, CopyKind::kPlain, store, {INT64_MAX, odd, INT64_MAX}), 0);
      }
  }
}

TEST(Costs, TilesTakeTime) {
  Rates rates = rates_of(1000);
  Tiling tiling;
  tiling.unit = tiling.last_unit = 64;
  tiling.tiles = 100;
  const Amount half{1 << 19, 1 << 20};
  EXPECT_EQ(predict_tiles(rates, tiling, KernelKind::kMove, Store::kOrdinary, half), 501);
  rates.tile_ns = 7;
  EXPECT_EQ(predict_tiles(rates, tiling, KernelKind::kMove, Store::kOrdinary, half), 1201);
  tiling.tiles = INT64_MAX;
  EXPECT_LE(predict_tiles(rates, tiling, KernelKind::kMove, Store::kOrdinary, half), int64_t{1} << 62);
}

TEST(Costs, WorkersShare) {
  Rates rates = rates_of(8000);
  rates.workers = 4;
  for (int i = 0; i < kRateSizes; ++i) ordinary(rates, Rate::kSharedRuns512)[i] = 2000;
  const auto ns = [&](int64_t workers) {
    return predict_copy(rates, CopyKind::kPlain, Store::kOrdinary, {1 << 20, 1 << 20, workers});
  };
  EXPECT_EQ(ns(1), 8001);
  EXPECT_EQ(ns(2), 4001);
  EXPECT_EQ(ns(4), 2001);
  EXPECT_EQ(ns(64), 2001) << "more than were measured";
}

// Each case is a movement of at most so many bytes, whose strides are sorted.
TEST(Costs, CasesThatAreMeasured) {
  for (int rate = 0; rate < kRates; ++rate)
    for (const int64_t bytes : kRateBytes) {
      StridedAxis axes[4];
      int64_t width = 1;
      const int count = rate_axes(static_cast<Rate>(rate), bytes, axes, &width);
      int64_t moved = count > 0 ? width : 0, src = width, dst = width;
      for (int a = 0; a < count; ++a) {
        ASSERT_GT(axes[a].count, 0) << kRateNames[rate] << " " << bytes;
        moved *= axes[a].count;
        src += (axes[a].count - 1) * axes[a].src;
        dst += (axes[a].count - 1) * axes[a].dst;
        EXPECT_TRUE(a == 0 || axes[a - 1].dst >= axes[a].dst) << kRateNames[rate];
      }
      EXPECT_LE(moved, bytes) << kRateNames[rate];
      EXPECT_LE(std::max(src, dst), bytes) << kRateNames[rate];
      // Single units have gaps.
      const int64_t least = std::string_view(kRateNames[rate]).starts_with("strided") ? bytes / 2 : bytes / 10 * 9;
      EXPECT_TRUE(bytes != kRateBytes[3] || count == 0 || moved >= least) << kRateNames[rate];
    }
}

TEST(Costs, ProfileTextAndBack) {
  SpeedProfile profile{1, 2, 3, 4, 5};
  int32_t next = 100;
  for (auto& by_store : profile.rates.ns_per_mib)
    for (auto& by_size : by_store)
      for (int32_t& ns : by_size) ns = next++;
  profile.rates.call_ns = 33;
  profile.rates.tile_ns = 34;
  profile.rates.workers = 16;
  std::string text(size_t{XLASHAPE_CALIBRATION_BYTES}, '\0');
  const int64_t length = write_profile(profile, text.data(), XLASHAPE_CALIBRATION_BYTES);
  ASSERT_LT(length, int64_t{XLASHAPE_CALIBRATION_BYTES});
  SpeedProfile read{};
  EXPECT_EQ(read_profile(text.c_str(), &read), "");
  EXPECT_TRUE(read == profile);
  for (const char* value : {"0", "-1", "1000000001", "x", ""}) {
    const std::string key = "ns_per_mib.squares_16.stream.4096k";
    EXPECT_EQ(read_profile((key + " = " + value + "\n").c_str(), &read), key) << value;
  }
  EXPECT_EQ(read_profile("workers = 1048577\n", &read), "workers");
  for (const char* key :
       {"ns_per_mib.", "ns_per_mib.squares_1", "ns_per_mib.squares_1.stream.4095k", "ns_per_mib.copy.stream.k",
        "ns_per_mib.copy.stream.9223372036854775807k", "ns_per_mib.copy.stream.-32k", "ns_per_mib.copy.stream.32"})
    EXPECT_EQ(read_profile((std::string(key) + " = 5\n").c_str(), &read), "") << key;
  EXPECT_TRUE(read == profile) << "unknown keys change nothing";
}

}  // namespace
}  // namespace xlashape::simd
