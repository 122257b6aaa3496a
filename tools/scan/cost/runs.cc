// SPDX-License-Identifier: Apache-2.0
#include "runs.h"

#include <algorithm>
#include <limits>

#include "cli/base/number.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// One loop: its counter is an element of the tuple that goes from each iteration to the next.
class HloLoop {
 public:
  HloLoop(const Program& program, const Instruction& loop) : program_(program) {
    const auto called = program.called_by(loop);
    const auto operands = program.operands_of(loop);
    if (called.size() != 2 || operands.empty()) return;
    condition_ = called[0];
    body_ = called[1];
    // In HLO one tuple goes around; in StableHLO each of the loop's operands does.
    const uint32_t shape = operands[0] == kNone ? kNone : program.at(operands[0]).shape;
    separate_ = operands.size() != 1 || (shape != kNone && !program.shapes.facts(shape).tuple);
    start_ = separate_ ? &loop : tuple(operands[0]);
  }

  std::optional<int64_t> count() const {
    const Instruction* start = start_;
    const Instruction* next = body_ == kNone ? nullptr : tuple(program_.computations[body_].root);
    if (start == nullptr || next == nullptr || condition_ == kNone) return std::nullopt;
    uint32_t result = program_.computations[condition_].root;
    // StableHLO's regions give back a tuple, here of one.
    if (const Instruction* one = tuple(result)) result = member(one, 0);
    const std::optional<Comparison> compared = pair(result, Opcode::kCompare);
    if (!compared || compared->numbers.empty()) return std::nullopt;
    if (const auto known = count_from(start, next, compared->a, compared->b, compared->numbers[0])) return known;
    // The end may be the first of the two.
    return count_from(start, next, compared->b, compared->a, swapped(compared->numbers[0]));
  }

 private:
  struct Comparison {
    uint32_t a = kNone, b = kNone;
    std::span<const int64_t> numbers;
  };

  std::optional<int64_t> count_from(const Instruction* start, const Instruction* next, uint32_t counted, uint32_t limit,
                                    int64_t direction) const {
    const std::optional<int64_t> counter = element(counted);
    if (!counter) return std::nullopt;
    const std::optional<int64_t> end = constant(limit, start, next);
    const std::optional<int64_t> first = initial(start, *counter);
    const std::optional<int64_t> step = step_of(start, next, *counter);
    if (!end || !first || !step) return std::nullopt;
    return iterations(*first, *step, *end, direction);
  }

  // What b is to a where a is `direction` to b.
  static int64_t swapped(int64_t direction) {
    using B = ProgramBuilder;
    switch (direction) {
      case B::kLess:
        return B::kGreater;
      case B::kLessEqual:
        return B::kGreaterEqual;
      case B::kGreater:
        return B::kLess;
      case B::kGreaterEqual:
        return B::kLessEqual;
      default:
        return direction;
    }
  }

  const Instruction* tuple(uint32_t at) const {
    if (at == kNone) return nullptr;
    const Instruction& instruction = program_.at(at);
    return instruction.opcode == Opcode::kTuple ? &instruction : nullptr;
  }

  // Through copies and bitcasts to what makes the value.
  uint32_t origin(uint32_t at) const {
    for (int steps = 0; at != kNone && steps < 8; ++steps) {
      const Instruction& instruction = program_.at(at);
      const bool same = instruction.opcode == Opcode::kCopy || instruction.opcode == Opcode::kBitcast;
      const auto operands = program_.operands_of(instruction);
      if (!same || operands.size() != 1) return at;
      at = operands[0];
    }
    return at;
  }

  // The two operands of an instruction with this opcode, which may be all that a fusion does.
  std::optional<Comparison> pair(uint32_t at, Opcode opcode) const {
    at = origin(at);
    if (at == kNone) return std::nullopt;
    const Instruction& outer = program_.at(at);
    const auto operands = program_.operands_of(outer);
    if (outer.opcode == opcode && operands.size() == 2)
      return Comparison{operands[0], operands[1], program_.numbers_of(outer)};
    const auto called = program_.called_by(outer);
    if (outer.opcode != Opcode::kFusion || called.size() != 1 || called[0] == kNone) return std::nullopt;
    const uint32_t root = program_.computations[called[0]].root;
    if (root == kNone || program_.at(root).opcode != opcode) return std::nullopt;
    const Instruction& inner = program_.at(root);
    const auto inside = program_.operands_of(inner);
    if (inside.size() != 2) return std::nullopt;
    const auto outside = [&](uint32_t operand) -> uint32_t {
      if (operand == kNone || program_.at(operand).opcode != Opcode::kParameter) return operand;
      const auto numbers = program_.numbers_of(program_.at(operand));
      const bool valid = !numbers.empty() && numbers[0] >= 0 && numbers[0] < static_cast<int64_t>(operands.size());
      return valid ? operands[static_cast<size_t>(numbers[0])] : kNone;
    };
    return Comparison{outside(inside[0]), outside(inside[1]), program_.numbers_of(inner)};
  }

  // Which element of the loop's tuple this is.
  std::optional<int64_t> element(uint32_t at) const {
    at = origin(at);
    if (at == kNone) return std::nullopt;
    uint32_t parameter = at;
    if (!separate_) {
      const auto operands = program_.operands_of(program_.at(at));
      if (program_.at(at).opcode != Opcode::kGetTupleElement || operands.size() != 1) return std::nullopt;
      parameter = operands[0];
    }
    // Not one of a fusion inside.
    if (parameter == kNone || program_.at(parameter).opcode != Opcode::kParameter ||
        (program_.at(parameter).computation != condition_ && program_.at(parameter).computation != body_))
      return std::nullopt;
    return program_.first_number_of(program_.at(at));
  }

  uint32_t member(const Instruction* of, int64_t index) const {
    const auto operands = program_.operands_of(*of);
    return index >= 0 && index < static_cast<int64_t>(operands.size()) ? operands[static_cast<size_t>(index)] : kNone;
  }

  std::optional<int64_t> initial(const Instruction* start, int64_t index) const {
    const uint32_t at = origin(member(start, index));
    if (at == kNone || program_.at(at).opcode != Opcode::kConstant) return std::nullopt;
    return program_.first_number_of(program_.at(at));
  }

  // A constant, or an element of the tuple that begins as one and that no iteration changes.
  std::optional<int64_t> constant(uint32_t at, const Instruction* start, const Instruction* next) const {
    at = origin(at);
    if (at == kNone) return std::nullopt;
    if (program_.at(at).opcode == Opcode::kConstant) return program_.first_number_of(program_.at(at));
    const std::optional<int64_t> index = element(at);
    if (!index || element(member(next, *index)) != index) return std::nullopt;
    return initial(start, *index);
  }

  std::optional<int64_t> step_of(const Instruction* start, const Instruction* next, int64_t counter) const {
    const uint32_t made = member(next, counter);
    if (const std::optional<Comparison> difference = pair(made, Opcode::kSubtract)) {
      const std::optional<int64_t> less = constant(difference->b, start, next);
      if (element(difference->a) != counter || !less || *less == std::numeric_limits<int64_t>::min())
        return std::nullopt;
      return -*less;
    }
    const std::optional<Comparison> sum = pair(made, Opcode::kAdd);
    if (!sum) return std::nullopt;
    if (element(sum->a) == counter) return constant(sum->b, start, next);
    if (element(sum->b) == counter) return constant(sum->a, start, next);
    return std::nullopt;
  }

  static std::optional<int64_t> iterations(int64_t first, int64_t step, int64_t end, int64_t direction) {
    using B = ProgramBuilder;
    // Until the counter is the end, which it must meet.
    if (direction == B::kNotEqual) {
      constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
      int64_t way = 0;
      if (__builtin_sub_overflow(end, first, &way) || way == kLeast || step == 0 || step == kLeast) return std::nullopt;
      if (way == 0) return 0;
      return (way < 0) == (step < 0) && way % step == 0 ? std::optional(way / step) : std::nullopt;
    }
    const bool up = direction == B::kLess || direction == B::kLessEqual;
    const bool down = direction == B::kGreater || direction == B::kGreaterEqual;
    if ((!up && !down) || step == std::numeric_limits<int64_t>::min() || (up ? step <= 0 : step >= 0))
      return std::nullopt;
    int64_t distance = 0;
    if (up ? __builtin_sub_overflow(end, first, &distance) : __builtin_sub_overflow(first, end, &distance))
      return std::nullopt;
    if (direction == B::kLessEqual || direction == B::kGreaterEqual) {
      if (distance == kMost) return std::nullopt;
      ++distance;
    }
    if (distance <= 0) return 0;
    const int64_t stride = up ? step : -step;
    return (distance - 1) / stride + 1;
  }

  const Program& program_;
  uint32_t condition_ = kNone, body_ = kNone;
  const Instruction* start_ = nullptr;  // whose operands the elements begin as
  bool separate_ = false;               // the elements are parameters, not those of a tuple
};

}  // namespace

std::optional<int64_t> trip_count(const Program& program, const Instruction& loop) {
  const auto numbers = program.numbers_of(loop);
  if (!numbers.empty() && numbers[0] >= 0) return numbers[0];
  return HloLoop(program, loop).count();
}

// A computation's number is final when all its callers' are: the order is that of a topological sort. Computations that
// call each other in a circle, which only a hostile dump has, stay without one.
std::vector<Runs> runs_of(const Program& program) {
  std::vector<Runs> runs(program.computations.size());
  std::vector<uint32_t> callers(runs.size(), 0);
  const auto for_each_call = [&](const auto& use) {
    for (const Instruction& instruction : program.instructions)
      if (runs_what_it_calls(instruction))
        for (const uint32_t called : program.called_by(instruction))
          if (called != kNone) use(instruction, called);
  };
  for_each_call([&](const Instruction&, uint32_t called) { ++callers[called]; });
  std::vector<uint32_t> ready;
  for (uint32_t computation = 0; computation < runs.size(); ++computation)
    if (callers[computation] == 0) ready.push_back(computation);
  if (program.entry != kNone) {
    runs[program.entry].live = true;
    runs[program.entry].times = 1;
  }
  while (!ready.empty()) {
    const uint32_t computation = ready.back();
    ready.pop_back();
    const Runs caller = runs[computation];
    for (const Instruction& instruction : program.instructions_of(program.computations[computation])) {
      if (!runs_what_it_calls(instruction)) continue;
      std::optional<int64_t> times = 1;
      if (instruction.opcode == Opcode::kWhile && caller.live) times = trip_count(program, instruction);
      for (const uint32_t called : program.called_by(instruction)) {
        if (called == kNone) continue;
        Runs& callee = runs[called];
        if (caller.live) {
          callee.live = true;
          callee.async = callee.async || instruction.opcode == Opcode::kAsyncStart ||
                         (instruction.opcode == Opcode::kCall && instruction.starts);
          callee.known = callee.known && caller.known && times.has_value();
          callee.times = sum(callee.times, product(caller.times, times.value_or(1)));
        }
        if (--callers[called] == 0) ready.push_back(called);
      }
    }
  }
  return runs;
}

}  // namespace xlashape::cli
