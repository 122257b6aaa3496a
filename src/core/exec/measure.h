/* SPDX-License-Identifier: Apache-2.0 */
// Which of a backend's candidates for a plan is the fastest here: timed, or known from earlier.
#pragma once
#include "exec/plan.h"

namespace xlashape::core {

// What is tuned: candidates that do the same, numbered from 0, which is the default.
class Tunable {
 public:
  virtual ~Tunable() = default;
  // Makes the next runs those of that candidate. One other than the default that fails does not take part.
  virtual Status choose(int64_t candidate, Error* err) = 0;
  virtual Status run(Error* err) = 0;
  virtual int64_t now() = 0;  // nanoseconds from any time on
};

struct AutotuneResult {
  int64_t winner = 0;
  double ns = 0, default_ns = 0;  // one run of the winner, and of the default
  bool is_complete = false;       // every candidate has run
};

// Times `count` candidates, at least 2, in rounds, for about `budget_ns`; the least time of each counts, and the
// default wins ties. Ends with the one chosen last, which need not be the winner. A run that fails ends it.
Status autotune(Tunable& tunable, int64_t count, int64_t budget_ns, AutotuneResult* result, Error* err);

// Has the plan run as the candidate that the runtime's wisdom names. False where it names none that the backend takes.
// The caller has seen that there is any wisdom.
bool use_wisdom(Runtime& runtime, const Backend& backend, const xlashape_op& op, void* storage);

// Checks what the caller asks for, whether or not it will be needed.
Status check_measuring(const xlashape_op& op, const Measuring& measuring, Error* err);

// Has a new plan run as its fastest candidate, and keeps that as wisdom.
Status measure(const Planned& plan, const Measuring& measuring, Error* err);

}  // namespace xlashape::core
