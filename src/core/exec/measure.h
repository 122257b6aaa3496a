// Which of several ways to run a plan is the fastest here: timed, or known from earlier.
#pragma once
#include "exec/plan.h"

namespace xlashape::core {

// What a race is about: ways to do the same, numbered from 0, which is the default.
class Racers {
 public:
  virtual ~Racers() = default;
  // Makes the next runs go that way. A way other than the default that fails does not take part.
  virtual Status choose(int64_t way, Error* err) = 0;
  virtual Status run(Error* err) = 0;
  virtual int64_t now() = 0;  // nanoseconds from any time on
};

struct RaceResult {
  int64_t winner = 0;
  double ns = 0, default_ns = 0;  // one run of the winner, and of the default
  bool is_complete = false;       // every way has run
};

// Times `count` ways, at least 2, in rounds, for about `budget_ns`; the least time of each counts, and the default wins
// ties. Ends with the way chosen last, which need not be the winner. A run that fails ends the race.
Status race(Racers& racers, int64_t count, int64_t budget_ns, RaceResult* result, Error* err);

// Has the plan run in the way that the runtime's wisdom names. False where it names none that the backend takes. The
// caller has seen that there is any wisdom.
bool use_wisdom(Runtime& runtime, const Backend& backend, const xlashape_op& op, void* storage);

// Checks what the caller asks for, whether or not it will be needed.
Status check_measuring(const xlashape_op& op, const Measuring& measuring, Error* err);

// Has a new plan run in its fastest way, and keeps that as wisdom.
Status measure(const Planned& plan, const Measuring& measuring, Error* err);

}  // namespace xlashape::core
