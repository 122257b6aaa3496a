// SPDX-License-Identifier: Apache-2.0
// Tuning on a clock of the test's own: which candidate wins, how often each runs, and how long it takes.
#include <gtest/gtest.h>

#include <vector>

#include "exec/measure.h"

namespace xlashape::core {
namespace {

// Candidates that take given times.
struct FakeCandidates final : Tunable {
  explicit FakeCandidates(std::vector<int64_t> durations) : ns(std::move(durations)), runs(ns.size()) {}

  Status choose(int64_t candidate, Error* err) override {
    if (candidate == refused)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "candidate %lld is refused", ll(candidate));
    chosen = static_cast<size_t>(candidate);
    return XLASHAPE_STATUS_OK;
  }
  Status run(Error* err) override {
    if (static_cast<int64_t>(chosen) == failing) return fail(err, XLASHAPE_STATUS_DEVICE, "it burns");
    time += ns[chosen] + (total == 0 ? first_extra : 0);
    ++runs[chosen];
    ++total;
    return XLASHAPE_STATUS_OK;
  }
  int64_t now() override { return time; }

  AutotuneResult autotune(int64_t budget_ns) {
    AutotuneResult result;
    EXPECT_EQ(core::autotune(*this, static_cast<int64_t>(ns.size()), budget_ns, &result, nullptr), XLASHAPE_STATUS_OK);
    return result;
  }

  std::vector<int64_t> ns, runs;
  size_t chosen = 0;
  int64_t refused = -1, failing = -1, time = 0, total = 0, first_extra = 0;
};

constexpr int64_t kSecond = 1'000'000'000;

TEST(Autotune, TheFastestWins) {
  for (const int64_t unit : {int64_t{1}, int64_t{100}, int64_t{100'000}, int64_t{10'000'000}}) {
    FakeCandidates candidates({5 * unit, 3 * unit, 4 * unit});
    const AutotuneResult result = candidates.autotune(10 * kSecond);
    EXPECT_EQ(result.winner, 1) << unit;
    EXPECT_TRUE(result.is_complete);
    EXPECT_EQ(result.ns, static_cast<double>(3 * unit));
    EXPECT_EQ(result.default_ns, static_cast<double>(5 * unit));
    EXPECT_LE(candidates.time, 10 * kSecond);
  }
}

TEST(Autotune, TheDefaultWinsTies) {
  EXPECT_EQ(FakeCandidates({1000, 990, 985}).autotune(kSecond).winner, 0);
  EXPECT_EQ(FakeCandidates({1000, 970, 990}).autotune(kSecond).winner, 1);
  EXPECT_EQ(FakeCandidates({1000, 1000}).autotune(kSecond).winner, 0);
  EXPECT_EQ(FakeCandidates({1000, 2000}).autotune(kSecond).winner, 0);
}

// Shorter runs are repeated until the clock can tell them apart.
TEST(Autotune, ShortRunsAreRepeated) {
  FakeCandidates candidates({10, 9});
  EXPECT_EQ(candidates.autotune(kSecond).winner, 1);
  EXPECT_GT(candidates.runs[1], 7 * 2000);
  FakeCandidates nothing({0, 0});  // a clock that stands still
  EXPECT_EQ(nothing.autotune(kSecond).winner, 0);
}

TEST(Autotune, WhatIsFarBehindRunsNoMore) {
  FakeCandidates candidates({10'000'000, 11'000'000, 14'000'000});
  EXPECT_EQ(candidates.autotune(kSecond).winner, 0);
  EXPECT_EQ(candidates.runs[2], 1);
  EXPECT_EQ(candidates.runs[1], 7);
  FakeCandidates two({10'000'000, 20'000'000});  // nothing is left to compare
  EXPECT_EQ(two.autotune(kSecond).winner, 0);
  EXPECT_EQ(two.total, 3);
}

// Memory that is touched for the first time costs the default nothing.
TEST(Autotune, TheFirstRunDoesNotCount) {
  FakeCandidates candidates({10'000'000, 9'900'000});
  candidates.first_extra = kSecond;
  const AutotuneResult result = candidates.autotune(10 * kSecond);
  EXPECT_EQ(result.winner, 0);
  EXPECT_EQ(result.default_ns, 10'000'000);
}

TEST(Autotune, TheBudgetIsKept) {
  for (const int64_t budget : {int64_t{1}, kSecond / 100, 3 * kSecond / 20, kSecond}) {
    FakeCandidates candidates({40'000'000, 30'000'000, 50'000'000, 35'000'000});
    const AutotuneResult result = candidates.autotune(budget);
    EXPECT_LE(candidates.time, std::max<int64_t>(budget + 50'000'000, 80'000'000)) << budget;
    EXPECT_EQ(result.is_complete, budget >= kSecond) << budget;
    EXPECT_EQ(result.winner, budget >= kSecond / 10 ? 1 : 0) << budget;
    EXPECT_GT(result.default_ns, 0);
  }
  // Many short ones keep it, too.
  FakeCandidates candidates(std::vector<int64_t>(64, 100));
  candidates.autotune(kSecond / 1000);
  EXPECT_LE(candidates.time, kSecond / 1000 + 100'000);
}

TEST(Autotune, CandidatesThatAreRefused) {
  FakeCandidates candidates({1000, 10, 500});
  candidates.refused = 1;
  const AutotuneResult result = candidates.autotune(kSecond);
  EXPECT_EQ(result.winner, 2);
  EXPECT_TRUE(result.is_complete);
  candidates.refused = 0;
  AutotuneResult none;
  EXPECT_EQ(autotune(candidates, 3, kSecond, &none, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

TEST(Autotune, ARunThatFailsEndsIt) {
  for (const int64_t failing : {0, 2}) {
    FakeCandidates candidates({1000, 10, 500});
    candidates.failing = failing;
    AutotuneResult result;
    EXPECT_EQ(autotune(candidates, 3, kSecond, &result, nullptr), XLASHAPE_STATUS_DEVICE);
  }
}

}  // namespace
}  // namespace xlashape::core
