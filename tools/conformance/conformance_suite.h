/* SPDX-License-Identifier: Apache-2.0 */
// The checks of a loaded plugin: relayouts of every element size, random ones, index batches, tasks, threads, lack of
// memory. Runs in the child.
#pragma once
#include <fmt/core.h>

#include <cstdio>
#include <new>

#include "cli/base/failure.h"
#include "cli/random_cases/random_case.h"
#include "cli/random_cases/run_case.h"
#include "watch.h"

namespace xlashape::cli {

struct Tally {
  int64_t passed = 0, failed = 0, refused = 0;
  int64_t large = 0, sparse = 0, huge = 0;  // of those passed or failed
  int64_t bytes = 0;                        // the most that one of them took
  double seconds = 0;
};

struct Refused {};  // the plugin refuses this operation, as it may

class Suite {
 public:
  // `runtime` holds the watched plugin under `name`.
  Suite(Runtime runtime, std::string name, Watch& watch, ChildProgress& doing)
      : runtime_(std::move(runtime)), name_(std::move(name)), watch_(watch), doing_(doing) {}

  void every_element_type();
  void random_relayouts(int64_t count, uint64_t seed);
  void index_batches(int64_t count, uint64_t seed);
  void many_threads();
  void no_memory();
  void no_leaks();
  // Plans that are measured, and what the runtime remembers of them.
  void measured_plans();
  // The profile that the plugin makes; "" where it makes none.
  std::string calibrate();
  // Each takes at most about `seconds`, and notes what it did not reach.
  void real_sizes(int64_t count, uint64_t seed, double seconds);
  void sparse_boxes(int64_t count, uint64_t seed, double seconds);
  void huge_ones(uint64_t seed, double seconds);
  const std::vector<std::string>& notes() const { return notes_; }
  const Tally& tally() const { return tally_; }
  void add(const Tally& other);

 private:
  void relayout(Random& random, Request request, bool nans);
  void batch(Random& random, const Shape& shape);
  void index_plan(Random& random, const Shape& shape);
  void copies(Random& random, const Plan& plan, const Request& request);
  // Makes the plan; throws where the plugin refuses the operation.
  Plan plan_of(const Request& request);
  // Calls each(i) for i up to `count`, and notes how many of that kind were not reached within the time.
  template <class Each>
  void in_time(double seconds, int64_t count, const char* kind, const Each& each);
  // Runs one check; an exception is recorded as the slot's problem.
  template <class Body>
  void run(int slot, const std::string& what, const Body& body);

  Runtime runtime_;
  std::string name_;
  Watch& watch_;
  ChildProgress& doing_;
  Tally tally_;
  std::vector<std::string> notes_;
};

template <class Body>
void Suite::run(int slot, const std::string& what, const Body& body) {
  ++doing_.steps;
  std::snprintf(doing_.text, sizeof doing_.text, "%s", what.c_str());
  try {
    as_failures(body);
    ++tally_.passed;
  } catch (const Refused&) {
    ++tally_.refused;
  } catch (const NotRun& reason) {
    notes_.push_back(fmt::format("not run: {}: {}", what, reason.why));
  } catch (const std::bad_alloc&) {  // the command's: the library turns the plugin's into a status
    notes_.push_back(fmt::format("not run: {}: there is not enough memory", what));
  } catch (const Failure& failure) {
    ++tally_.failed;
    watch_.blame(slot, what + ": " + failure.message);
  }
  ++doing_.steps;
  doing_.text[0] = '\0';
}

// Profiles that a plugin must bear: the one that it made (or ""), and that with other keys and numbers.
std::vector<std::string> profiles_to_try(const std::string& own);

// A runtime alone with a profile.
Runtime runtime_with(const std::string& profile);

}  // namespace xlashape::cli
