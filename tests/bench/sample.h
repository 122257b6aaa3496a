/* SPDX-License-Identifier: Apache-2.0 */
// Measuring: contenders take turns, one sample each a round, so that what the machine does meanwhile hits all alike;
// the answer is each one's median.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Contender {
  std::function<double()> sample;  // seconds of one run
  std::vector<double> seconds;     // one per round

  double median() const;
};

// A sample of `run`: repeated until it takes half a millisecond, after one run that is not timed if `warm`. On one
// thread it is that thread's processor time, so that what else the machine does costs no more than the caches it takes.
std::function<double()> timed(std::function<void()> run, bool warm, int threads = 1);

// Rounds until `budget` seconds are spent, but within [least, most].
void take_turns(std::vector<Contender>& contenders, double budget, int least, int most);

double median_of(std::vector<double> values);
double now();

}  // namespace bench
