// Races of ways to do the same, on a clock of the test's own: which one wins, how often each runs, and how long it takes.
#include <gtest/gtest.h>

#include <vector>

#include "exec/measure.h"

namespace xlashape::core {
namespace {

// Ways that take given times.
struct Ways final : Racers {
  explicit Ways(std::vector<int64_t> durations) : ns(std::move(durations)), runs(ns.size()) {}

  Status choose(int64_t way, Error* err) override {
    if (way == refused) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "way %lld is refused", ll(way));
    chosen = static_cast<size_t>(way);
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

  RaceResult race(int64_t budget_ns) {
    RaceResult result;
    EXPECT_EQ(core::race(*this, static_cast<int64_t>(ns.size()), budget_ns, &result, nullptr), XLASHAPE_STATUS_OK);
    return result;
  }

  std::vector<int64_t> ns, runs;
  size_t chosen = 0;
  int64_t refused = -1, failing = -1, time = 0, total = 0, first_extra = 0;
};

constexpr int64_t kSecond = 1'000'000'000;

TEST(Race, TheFastestWins) {
  for (const int64_t unit : {int64_t{1}, int64_t{100}, int64_t{100'000}, int64_t{10'000'000}}) {
    Ways ways({5 * unit, 3 * unit, 4 * unit});
    const RaceResult result = ways.race(10 * kSecond);
    EXPECT_EQ(result.winner, 1) << unit;
    EXPECT_TRUE(result.is_complete);
    EXPECT_EQ(result.ns, static_cast<double>(3 * unit));
    EXPECT_EQ(result.default_ns, static_cast<double>(5 * unit));
    EXPECT_LE(ways.time, 10 * kSecond);
  }
}

TEST(Race, TheDefaultWinsTies) {
  EXPECT_EQ(Ways({1000, 990, 985}).race(kSecond).winner, 0);
  EXPECT_EQ(Ways({1000, 970, 990}).race(kSecond).winner, 1);
  EXPECT_EQ(Ways({1000, 1000}).race(kSecond).winner, 0);
  EXPECT_EQ(Ways({1000, 2000}).race(kSecond).winner, 0);
}

// Shorter runs are repeated until the clock can tell them apart.
TEST(Race, ShortRunsAreRepeated) {
  Ways ways({10, 9});
  EXPECT_EQ(ways.race(kSecond).winner, 1);
  EXPECT_GT(ways.runs[1], 7 * 2000);
  Ways nothing({0, 0});  // a clock that stands still
  EXPECT_EQ(nothing.race(kSecond).winner, 0);
}

TEST(Race, WhatIsFarBehindRunsNoMore) {
  Ways ways({10'000'000, 11'000'000, 14'000'000});
  EXPECT_EQ(ways.race(kSecond).winner, 0);
  EXPECT_EQ(ways.runs[2], 1);
  EXPECT_EQ(ways.runs[1], 7);
  Ways two({10'000'000, 20'000'000});  // nothing is left to compare
  EXPECT_EQ(two.race(kSecond).winner, 0);
  EXPECT_EQ(two.total, 3);
}

// Memory that is touched for the first time costs the default nothing.
TEST(Race, TheFirstRunDoesNotCount) {
  Ways ways({10'000'000, 9'900'000});
  ways.first_extra = kSecond;
  const RaceResult result = ways.race(10 * kSecond);
  EXPECT_EQ(result.winner, 0);
  EXPECT_EQ(result.default_ns, 10'000'000);
}

TEST(Race, TheBudgetIsKept) {
  for (const int64_t budget : {int64_t{1}, kSecond / 100, 3 * kSecond / 20, kSecond}) {
    Ways ways({40'000'000, 30'000'000, 50'000'000, 35'000'000});
    const RaceResult result = ways.race(budget);
    EXPECT_LE(ways.time, std::max<int64_t>(budget + 50'000'000, 80'000'000)) << budget;
    EXPECT_EQ(result.is_complete, budget >= kSecond) << budget;
    EXPECT_EQ(result.winner, budget >= kSecond / 10 ? 1 : 0) << budget;
    EXPECT_GT(result.default_ns, 0);
  }
  // Many short ones keep it, too.
  Ways ways(std::vector<int64_t>(64, 100));
  ways.race(kSecond / 1000);
  EXPECT_LE(ways.time, kSecond / 1000 + 100'000);
}

TEST(Race, WaysThatAreRefused) {
  Ways ways({1000, 10, 500});
  ways.refused = 1;
  const RaceResult result = ways.race(kSecond);
  EXPECT_EQ(result.winner, 2);
  EXPECT_TRUE(result.is_complete);
  ways.refused = 0;
  RaceResult none;
  EXPECT_EQ(race(ways, 3, kSecond, &none, nullptr), XLASHAPE_STATUS_INVALID_ARGUMENT);
}

TEST(Race, ARunThatFailsEndsIt) {
  for (const int64_t failing : {0, 2}) {
    Ways ways({1000, 10, 500});
    ways.failing = failing;
    RaceResult result;
    EXPECT_EQ(race(ways, 3, kSecond, &result, nullptr), XLASHAPE_STATUS_DEVICE);
  }
}

}  // namespace
}  // namespace xlashape::core
