// SPDX-License-Identifier: Apache-2.0
#include "sample.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {
namespace {

constexpr double kLeastSample = 0.5e-3;

double clock_seconds(clockid_t clock) {
  timespec at;
  clock_gettime(clock, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

int64_t calibrate(const std::function<void()>& run) {
  for (int64_t loops = 1;; loops *= 2) {
    const double start = now();
    for (int64_t i = 0; i < loops; ++i) run();
    const double taken = now() - start;
    if (taken >= kLeastSample) return loops;
    if (taken > kLeastSample / 8)
      return static_cast<int64_t>(std::ceil(kLeastSample / taken * 1.1 * static_cast<double>(loops)));
  }
}

}  // namespace

double now() { return clock_seconds(CLOCK_MONOTONIC); }

double median_of(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double Contender::median() const { return median_of(seconds); }

std::function<double()> timed(std::function<void()> run, bool warm, int threads) {
  const clockid_t clock = threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  return [run = std::move(run), warm, clock, loops = int64_t{0}]() mutable {
    if (loops == 0) loops = calibrate(run);
    if (warm) run();
    const double start = clock_seconds(clock);
    for (int64_t i = 0; i < loops; ++i) run();
    return (clock_seconds(clock) - start) / static_cast<double>(loops);
  };
}

void take_turns(std::vector<Contender>& contenders, double budget, int least, int most) {
  const double start = now();
  for (int round = 0; round < most; ++round) {
    if (round >= least && now() - start > budget) return;
    // Another one begins each round: who comes right after the streaming copy finds less in the caches.
    for (size_t i = 0; i < contenders.size(); ++i) {
      Contender& contender = contenders[(i + static_cast<size_t>(round)) % contenders.size()];
      contender.seconds.push_back(contender.sample());
    }
  }
}

}  // namespace bench
