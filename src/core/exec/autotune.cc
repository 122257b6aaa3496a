// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "exec/measure.h"

namespace xlashape::core {
namespace {

constexpr int kRounds = 7;
constexpr double kTie = 1.02;         // within that the default wins
constexpr double kHopeless = 1.3;     // beyond that a candidate is not run again
constexpr int64_t kSample = 20'000;   // ns: shorter runs are repeated until they take as long
constexpr int64_t kWarm = 1'000'000;  // ns: a run that takes longer needs no other one before it
constexpr int64_t kMostRuns = 1 << 16;

struct CandidateTimes {
  int64_t runs = 0;     // of a sample; 0: not warmed up
  int64_t cost_ns = 0;  // of the last sample
  double best_ns = 0;   // of one run; 0: never timed
  bool takes_part = true;
};

class Autotuner {
 public:
  Autotuner(Tunable& tunable, int64_t count, int64_t budget_ns)
      : tunable_(tunable), candidates_(static_cast<size_t>(count)), budget_ns_(budget_ns), start_(tunable.now()) {}

  Status run(AutotuneResult* result, Error* err) {
    // Memory that nobody has touched must not count against the default.
    XLASHAPE_TRY(tunable_.choose(0, err));
    XLASHAPE_TRY(tunable_.run(err));
    for (int round = 0; round < kRounds; ++round) {
      bool in_time = true;
      XLASHAPE_TRY(run_round(&in_time, err));
      if (!in_time) break;
      result->is_complete = true;
      if (drop_hopeless() < 2) break;
    }
    const double default_ns = candidates_[0].best_ns;
    size_t winner = 0;
    for (size_t i = 1; i < candidates_.size(); ++i)
      if (candidates_[i].best_ns > 0 && candidates_[i].best_ns < candidates_[winner].best_ns) winner = i;
    if (default_ns <= candidates_[winner].best_ns * kTie) winner = 0;
    result->winner = static_cast<int64_t>(winner);
    result->ns = candidates_[winner].best_ns;
    result->default_ns = default_ns;
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status run_round(bool* in_time, Error* err) {
    for (size_t i = 0; i < candidates_.size(); ++i) {
      CandidateTimes& candidate = candidates_[i];
      if (!candidate.takes_part) continue;
      // One that has never run is expected to take as long as the default.
      const int64_t cost = candidate.cost_ns != 0 ? candidate.cost_ns : candidates_[0].cost_ns;
      if (cost > budget_ns_ - (tunable_.now() - start_)) {
        *in_time = candidates_[0].best_ns == 0 && i == 0;  // the default is always timed
        if (!*in_time) return XLASHAPE_STATUS_OK;
      }
      const Status status = tunable_.choose(static_cast<int64_t>(i), i == 0 ? err : nullptr);
      if (status != XLASHAPE_STATUS_OK && i == 0) return status;
      candidate.takes_part = status == XLASHAPE_STATUS_OK;
      if (candidate.takes_part) XLASHAPE_TRY(sample(candidate, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  Status sample(CandidateTimes& candidate, Error* err) {
    const int64_t begin = tunable_.now();
    for (;;) {
      const bool is_warm = candidate.runs > 0;
      candidate.runs = std::max<int64_t>(candidate.runs, 1);
      const int64_t start = tunable_.now();
      for (int64_t i = 0; i < candidate.runs; ++i) XLASHAPE_TRY(tunable_.run(err));
      const int64_t took = std::max<int64_t>(tunable_.now() - start, 1);
      if (!is_warm && took < kWarm) continue;
      if (took < kSample && candidate.runs < kMostRuns) {
        candidate.runs *= std::clamp<int64_t>(kSample / took + 1, 2, 16);
        continue;
      }
      const double ns = static_cast<double>(took) / static_cast<double>(candidate.runs);
      if (candidate.best_ns == 0 || ns < candidate.best_ns) candidate.best_ns = ns;
      candidate.cost_ns = tunable_.now() - begin;
      return XLASHAPE_STATUS_OK;
    }
  }

  // Returns how many candidates go on.
  int64_t drop_hopeless() {
    double best = 0;
    for (const CandidateTimes& candidate : candidates_)
      if (candidate.best_ns > 0 && (best == 0 || candidate.best_ns < best)) best = candidate.best_ns;
    int64_t left = 0;
    for (CandidateTimes& candidate : candidates_) {
      candidate.takes_part &= candidate.best_ns <= best * kHopeless;
      left += candidate.takes_part;
    }
    return left;
  }

  Tunable& tunable_;
  std::vector<CandidateTimes> candidates_;
  const int64_t budget_ns_, start_;
};

}  // namespace

Status autotune(Tunable& tunable, int64_t count, int64_t budget_ns, AutotuneResult* result, Error* err) {
  return Autotuner(tunable, count, budget_ns).run(result, err);
}

}  // namespace xlashape::core
