// SPDX-License-Identifier: Apache-2.0
#include "means.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

namespace bench {
namespace {

constexpr int64_t kSmall = 20000;  // bytes: below, a sample is mostly the call
// So that the first mean is of the cases that every table has.
const std::string kYoung[] = {"packed", "small-digits", "padded"};

class Mean {
 public:
  void add(double value) {
    sum_ += std::log(value);
    ++count_;
    least_ = count_ == 1 ? value : std::min(least_, value);
  }
  int count() const { return count_; }
  double mean() const { return std::exp(sum_ / count_); }
  double least() const { return least_; }

 private:
  double sum_ = 0, least_ = 0;
  int count_ = 0;
};

struct Means {
  Mean b, odd, best, measured, loss, error;
  int near = 0;  // predictions within a quarter
  std::map<std::string, Mean> peers;

  void add(const Result& r) {
    b.add(r.b());
    odd.add(r.odd_b());
    for (const auto& [name, seconds] : r.peers) peers[name].add(seconds / r.seconds);
    if (r.measured > 0) measured.add(r.measured_b()), loss.add(r.loss());
    if (r.predicted > 0) {
      const double ratio = std::max(r.predicted / r.seconds, r.seconds / r.predicted);
      error.add(ratio);
      near += ratio <= 1.25;
    }
    if (const auto* peer = r.best_peer()) best.add(peer->second / r.seconds);
  }
  void print(const std::string& of, const std::string& where) const {
    if (b.count() == 0) return;
    std::printf("\nB over the %d %scases of 20 KB and more%s: %.3f in the geometric mean, at least %.2f\n", b.count(),
                of.c_str(), where.c_str(), b.mean(), b.least());
    std::printf("16 bytes after a line: %.3f, at least %.2f\n", odd.mean(), odd.least());
    const auto line = [](const char* name, const Mean& mean) {
      if (mean.count() > 0)
        std::printf("against %s: %.2f times as fast in the geometric mean of %d cases, at least %.2f\n", name,
                    mean.mean(), mean.count(), mean.least());
    };
    for (const auto& [name, mean] : peers) line(name.c_str(), mean);
    line("the best peer", best);
    if (error.count() > 0)
      std::printf("predictions of %d cases: wrong by %.2f in the geometric mean, %.0f %% within 25 %%\n", error.count(),
                  error.mean(), 100.0 * near / error.count());
    if (loss.count() > 0)
      std::printf("measured plans: B %.3f, at least %.2f; the default choice takes %.2f times as long\n",
                  measured.mean(), measured.least(), loss.mean());
  }
};

// Of the cases of one file.
void print_means_of(const std::vector<Result>& results, const std::string& source) {
  Means others;
  std::map<std::string, Means> young;
  for (const Result& r : results) {
    if (r.bytes < kSmall || r.source != source) continue;
    (std::count(std::begin(kYoung), std::end(kYoung), r.group) ? young[r.group] : others).add(r);
  }
  const std::string where = " of " + source;
  others.print("", where);
  for (const auto& [group, means] : young) means.print(group + " ", where);
}

}  // namespace

void print_means(const std::vector<Result>& results) {
  std::set<std::string> sources;
  for (const Result& r : results) sources.insert(r.source);
  for (const auto& source : sources) print_means_of(results, source);
}

}  // namespace bench
