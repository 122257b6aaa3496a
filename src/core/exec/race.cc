#include <algorithm>
#include <vector>

#include "exec/measure.h"

namespace xlashape::core {
namespace {

constexpr int kRounds = 7;
constexpr double kTie = 1.02;         // within that the default wins
constexpr double kHopeless = 1.3;     // beyond that a way is not run again
constexpr int64_t kSample = 20'000;   // ns: shorter runs are repeated until they take as long
constexpr int64_t kWarm = 1'000'000;  // ns: a run that takes longer needs no other one before it
constexpr int64_t kMostRuns = 1 << 16;

struct Way {
  int64_t runs = 0;     // of a sample; 0: not warmed up
  int64_t cost_ns = 0;  // of the last sample
  double best_ns = 0;   // of one run; 0: never timed
  bool takes_part = true;
};

class Race {
 public:
  Race(Racers& racers, int64_t count, int64_t budget_ns)
      : racers_(racers), ways_(static_cast<size_t>(count)), budget_ns_(budget_ns), start_(racers.now()) {}

  Status run(RaceResult* result, Error* err) {
    // Memory that nobody has touched must not count against the default.
    XLASHAPE_TRY(racers_.choose(0, err));
    XLASHAPE_TRY(racers_.run(err));
    for (int round = 0; round < kRounds; ++round) {
      bool in_time = true;
      XLASHAPE_TRY(run_round(&in_time, err));
      if (!in_time) break;
      result->is_complete = true;
      if (drop_hopeless() < 2) break;
    }
    const double default_ns = ways_[0].best_ns;
    size_t winner = 0;
    for (size_t i = 1; i < ways_.size(); ++i)
      if (ways_[i].best_ns > 0 && ways_[i].best_ns < ways_[winner].best_ns) winner = i;
    if (default_ns <= ways_[winner].best_ns * kTie) winner = 0;
    result->winner = static_cast<int64_t>(winner);
    result->ns = ways_[winner].best_ns;
    result->default_ns = default_ns;
    return XLASHAPE_STATUS_OK;
  }

 private:
  Status run_round(bool* in_time, Error* err) {
    for (size_t i = 0; i < ways_.size(); ++i) {
      Way& way = ways_[i];
      if (!way.takes_part) continue;
      // A way that has never run is expected to take as long as the default.
      const int64_t cost = way.cost_ns != 0 ? way.cost_ns : ways_[0].cost_ns;
      if (cost > budget_ns_ - (racers_.now() - start_)) {
        *in_time = ways_[0].best_ns == 0 && i == 0;  // the default is always timed
        if (!*in_time) return XLASHAPE_STATUS_OK;
      }
      const Status status = racers_.choose(static_cast<int64_t>(i), i == 0 ? err : nullptr);
      if (status != XLASHAPE_STATUS_OK && i == 0) return status;
      way.takes_part = status == XLASHAPE_STATUS_OK;
      if (way.takes_part) XLASHAPE_TRY(sample(way, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  Status sample(Way& way, Error* err) {
    const int64_t begin = racers_.now();
    for (;;) {
      const bool is_warm = way.runs > 0;
      way.runs = std::max<int64_t>(way.runs, 1);
      const int64_t start = racers_.now();
      for (int64_t i = 0; i < way.runs; ++i) XLASHAPE_TRY(racers_.run(err));
      const int64_t took = std::max<int64_t>(racers_.now() - start, 1);
      if (!is_warm && took < kWarm) continue;
      if (took < kSample && way.runs < kMostRuns) {
        way.runs *= std::clamp<int64_t>(kSample / took + 1, 2, 16);
        continue;
      }
      const double ns = static_cast<double>(took) / static_cast<double>(way.runs);
      if (way.best_ns == 0 || ns < way.best_ns) way.best_ns = ns;
      way.cost_ns = racers_.now() - begin;
      return XLASHAPE_STATUS_OK;
    }
  }

  // Returns how many ways go on.
  int64_t drop_hopeless() {
    double best = 0;
    for (const Way& way : ways_)
      if (way.best_ns > 0 && (best == 0 || way.best_ns < best)) best = way.best_ns;
    int64_t left = 0;
    for (Way& way : ways_) {
      way.takes_part &= way.best_ns <= best * kHopeless;
      left += way.takes_part;
    }
    return left;
  }

  Racers& racers_;
  std::vector<Way> ways_;
  const int64_t budget_ns_, start_;
};

}  // namespace

Status race(Racers& racers, int64_t count, int64_t budget_ns, RaceResult* result, Error* err) {
  return Race(racers, count, budget_ns).run(result, err);
}

}  // namespace xlashape::core
