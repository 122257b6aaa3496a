// SPDX-License-Identifier: Apache-2.0
#include "costs.h"

#include <algorithm>
#include <unordered_map>

#include "cli/base/array.h"
#include "xlashape_xla.h"

namespace xlashape::cli {
namespace {

// Whether the result has memory of its own. Others pass on what they are given, or write in place.
bool has_own_memory(Opcode opcode) {
  switch (opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
    case Opcode::kBitcast:
    case Opcode::kWhile:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kStart:  // what began with -start has its result at the matching -done
    case Opcode::kCopyStart:
    case Opcode::kAfterAll:
    case Opcode::kOptimizationBarrier:
    case Opcode::kAddDependency:
    case Opcode::kDomain:
    case Opcode::kDynamicUpdateSlice:
    case Opcode::kConcatBitcast:
      return false;
    default:
      return true;
  }
}

// What a -done is the end of.
class Starts {
 public:
  explicit Starts(const Program& program) : program_(program) {
    for (uint32_t i = 0; i < program.instructions.size(); ++i) {
      const Opcode opcode = program.at(i).opcode;
      if (opcode != Opcode::kAsyncUpdate && opcode != Opcode::kAsyncDone) continue;
      const auto operands = program.operands_of(program.at(i));
      if (operands.empty() || operands[0] == kNone) continue;
      const auto passed = start_of_.find(operands[0]);
      start_of_[i] = passed != start_of_.end() ? passed->second : operands[0];
    }
  }

  // Which instruction's result this one's is: of a -done what its -start begins, else its own.
  uint32_t maker_of(uint32_t number) const {
    const auto start = start_of_.find(number);
    if (program_.at(number).opcode != Opcode::kAsyncDone || start == start_of_.end()) return number;
    const Instruction& begins = program_.at(start->second);
    if (begins.opcode != Opcode::kAsyncStart && !begins.starts) return number;  // copy-start and its kind
    if (begins.opcode != Opcode::kAsyncStart && begins.opcode != Opcode::kCall) return start->second;
    const auto called = program_.called_by(begins);
    const uint32_t made = called.size() == 1 && called[0] != kNone ? program_.computations[called[0]].root : kNone;
    return made != kNone ? made : number;
  }

 private:
  const Program& program_;
  std::unordered_map<uint32_t, uint32_t> start_of_;  // of each -update and -done
};

// What makes a value, through bitcasts. Chains of them may be long, and many results may end the same one.
class Origins {
 public:
  explicit Origins(const Program& program) : program_(program) {}

  uint32_t of(uint32_t at) {
    chain_.clear();
    while (at != kNone && program_.at(at).opcode == Opcode::kBitcast) {
      const auto known = known_.find(at);
      if (known != known_.end()) {
        at = known->second;
        break;
      }
      chain_.push_back(at);
      const auto operands = program_.operands_of(program_.at(at));
      // Only a hostile dump has circles.
      at = operands.empty() || operands[0] >= at ? kNone : operands[0];
    }
    for (const uint32_t passed : chain_) known_[passed] = at;
    return at;
  }

 private:
  const Program& program_;
  std::unordered_map<uint32_t, uint32_t> known_;  // of bitcasts
  std::vector<uint32_t> chain_;
};

// Whether the element `leaf` of a fusion's result is its parameter with a slice written into it.
bool is_updated_in_place(const Program& program, const Instruction& fusion, size_t leaf, Origins* origins) {
  const auto called = program.called_by(fusion);
  if (fusion.opcode != Opcode::kFusion || called.size() != 1 || called[0] == kNone) return false;
  uint32_t made = program.computations[called[0]].root;
  if (made != kNone && program.at(made).opcode == Opcode::kTuple) {
    const auto elements = program.operands_of(program.at(made));
    made = leaf < elements.size() ? elements[leaf] : kNone;
  }
  made = origins->of(made);
  if (made == kNone || program.at(made).opcode != Opcode::kDynamicUpdateSlice) return false;
  const auto operands = program.operands_of(program.at(made));
  const uint32_t updated = operands.empty() ? kNone : origins->of(operands[0]);
  return updated != kNone && program.at(updated).opcode == Opcode::kParameter;
}

class Gatherer {
 public:
  Gatherer(Program* program, std::optional<Target> target, bool interiors)
      : program_(*program),
        target_(target),
        interiors_(interiors),
        judge_(*program),
        origins_(*program),
        starts_(*program) {}

  Costs gather() {
    costs_.runs = runs_of(program_);
    const std::vector<bool> fused = fused_computations();
    for (uint32_t c = 0; c < program_.computations.size(); ++c) {
      const bool live = costs_.runs[c].live;
      if (!live && !(interiors_ && fused[c])) continue;
      const ListRange range = program_.computations[c].instructions;
      for (uint32_t i = range.first; i < range.first + range.count; ++i) instruction(i, costs_.runs[c]);
    }
    outputs();
    find_undonated();
    return std::move(costs_);
  }

 private:
  std::vector<bool> fused_computations() const {
    std::vector<bool> fused(program_.computations.size(), false);
    for (const Instruction& instruction : program_.instructions)
      if (instruction.opcode == Opcode::kFusion)
        for (const uint32_t called : program_.called_by(instruction))
          if (called != kNone) fused[called] = true;
    return fused;
  }

  void instruction(uint32_t number, const Runs& runs) {
    // By value: predicting layouts adds shapes, not instructions.
    const Instruction instruction = program_.at(number);
    if (!runs.live) {
      add_rows(number, instruction.shape, Row::RowKind::kInterior, nullptr);
    } else if (instruction.opcode == Opcode::kParameter) {
      if (instruction.computation == program_.entry)
        add_rows(number, shape_of_argument(instruction), Row::RowKind::kArgument, &costs_.arguments);
    } else if (instruction.opcode == Opcode::kConstant) {
      add_rows(number, instruction.shape, Row::RowKind::kConstant, &costs_.constants);
    } else if (!instruction.starts && has_own_memory(program_.at(starts_.maker_of(number)).opcode) &&
               !(runs.async && number == program_.computations[instruction.computation].root)) {
      add_rows(number, instruction.shape, Row::RowKind::kValue, &costs_.values);
    }
    relayout(number, runs);
  }

  void add_rows(uint32_t number, uint32_t shape, Row::RowKind kind, Total* total) {
    size_t leaf = 0;
    program_.shapes.for_each_array(shape, [&](uint32_t array) {
      if (kind == Row::RowKind::kValue &&
          is_updated_in_place(program_, program_.at(starts_.maker_of(number)), leaf++, &origins_))
        return;
      const ShapeFacts& facts = program_.shapes.facts(array);
      if (!facts.sized) {
        ++costs_.unsized;
        return;
      }
      costs_.rows.push_back({number, array, kind});
      if (total == nullptr) return;
      total->add(facts);
      costs_.by_space[facts.space].add(facts);
    });
  }

  void relayout(uint32_t number, const Runs& runs) {
    Relayout relayout;
    if (program_.format == "stablehlo") return;  // its arrays have no layouts yet
    if (!judge_.judge(number, &relayout.judgement)) return;
    relayout.instruction = number;
    relayout.interior = !runs.live;
    // What is within a fusion is in no memory, whatever its memory space says.
    if (relayout.interior && relayout.judgement.verdict == Verdict::kSpace) relayout.judgement.verdict = Verdict::kFree;
    relayout.times = runs.live ? runs.times : 1;
    relayout.times_known = !runs.live || runs.known;
    const Verdict verdict = relayout.judgement.verdict;
    if (verdict != Verdict::kFree && verdict != Verdict::kUnproven)
      relayout.bytes = product(
          sum(program_.shapes.facts(relayout.judgement.from).bytes, program_.shapes.facts(relayout.judgement.to).bytes),
          relayout.times);
    costs_.relayouts.push_back(relayout);
    if (relayout.interior) return;
    VerdictTotal& total = costs_.verdicts[static_cast<size_t>(verdict)];
    ++total.count;
    total.bytes = sum(total.bytes, relayout.bytes);
  }

  // As the module's head says it, else as the instruction does, else as the target's compiler chooses it.
  uint32_t shape_of_argument(const Instruction& parameter) {
    const auto numbers = program_.numbers_of(parameter);
    const auto count = static_cast<int64_t>(program_.entry_parameters.size());
    uint32_t shape = parameter.shape;
    if (!numbers.empty() && numbers[0] >= 0 && numbers[0] < count)
      shape = of_the_head(program_.entry_parameters[static_cast<size_t>(numbers[0])], shape);
    return for_the_target(shape);
  }

  uint32_t of_the_head(uint32_t head, uint32_t own) const {
    if (head == kNone || own == kNone) return head == kNone ? own : head;
    return program_.shapes.facts(head).shape.compatible(program_.shapes.facts(own).shape) ? head : own;
  }

  uint32_t for_the_target(uint32_t shape) {
    if (!target_ || shape == kNone || !program_.shapes.facts(shape).shape) return shape;
    bool tiled = false;
    program_.shapes.for_each_array(shape, [&](uint32_t array) {
      const Shape& leaf = program_.shapes.facts(array).shape;
      tiled = tiled || (leaf.has_layout() && leaf.layout().tile_count() > 0);
    });
    if (tiled) return shape;
    const Result<Shape> predicted =
        try_for_target(program_.shapes.facts(shape).shape.without_layout_fields(XLASHAPE_LAYOUT_FIELD_ALL), *target_);
    if (!predicted) return shape;
    costs_.predicted = true;
    return program_.shapes.of(*predicted);
  }

  void outputs() {
    const uint32_t root = program_.entry == kNone ? kNone : program_.computations[program_.entry].root;
    uint32_t shape = of_the_head(program_.entry_result, root == kNone ? kNone : program_.at(root).shape);
    if (shape == kNone) shape = program_.entry_signature;
    costs_.outputs_known = shape != kNone || program_.format == "buffer_assignment";
    shape = for_the_target(shape);
    program_.shapes.for_each_array(shape, [&](uint32_t array) { costs_.outputs.add(program_.shapes.facts(array)); });
    if (shape == kNone) return;
    const ShapeFacts& facts = program_.shapes.facts(shape);
    results_ = facts.tuple ? facts.leaves : std::vector<uint32_t>{shape};
  }

  void find_undonated() {
    const std::vector<int64_t>&aliased = program_.aliased_parameters, &donated = program_.donated_parameters;
    const auto is_in = [&](const std::vector<int64_t>& list, const Row& row) {
      const std::optional<int64_t> number = program_.first_number_of(program_.at(row.instruction));
      return number && std::binary_search(list.begin(), list.end(), *number);
    };
    std::vector<int64_t> sharing = aliased, given = donated;
    std::sort(sharing.begin(), sharing.end());
    std::sort(given.begin(), given.end());
    std::vector<Argument> arguments;
    for (size_t i = 0, leaf = 0; i < costs_.rows.size(); ++i) {
      const Row& row = costs_.rows[i];
      leaf = i > 0 && costs_.rows[i - 1].instruction == row.instruction ? leaf + 1 : 0;
      if (row.kind != Row::RowKind::kArgument) continue;
      const bool shares = is_in(sharing, row);
      if (shares) costs_.aliased_bytes = sum(costs_.aliased_bytes, program_.shapes.facts(row.shape).bytes);
      if (!shares && is_in(given, row)) continue;
      arguments.push_back({row.instruction, row.shape, leaf, shares});
    }
    const auto number_of = [&](const Argument& argument) {
      return program_.first_number_of(program_.at(argument.instruction)).value_or(0);
    };
    std::stable_sort(arguments.begin(), arguments.end(),
                     [&](const Argument& a, const Argument& b) { return number_of(a) < number_of(b); });
    // Who shares memory is decided when the program is compiled.
    if (!program_.scheduled) return;
    for (const Undonated& found : undonated(program_, arguments, results_))
      costs_.undonated.push_back(
          {{arguments[found.argument].instruction, arguments[found.argument].shape, Row::RowKind::kArgument},
           found.donation,
           found.blocked_by});
  }

  Program& program_;
  std::optional<Target> target_;
  bool interiors_;
  Judge judge_;
  Origins origins_;
  Starts starts_;
  std::vector<uint32_t> results_;  // shapes
  Costs costs_;
};

}  // namespace

int64_t wasted(const ShapeFacts& facts) { return facts.bytes - facts.logical_bytes; }

double ratio(int64_t bytes, int64_t logical_bytes) {
  if (bytes == 0 && logical_bytes == 0) return 1;
  return static_cast<double>(bytes) / static_cast<double>(logical_bytes > 0 ? logical_bytes : 1);
}

void Total::add(const ShapeFacts& facts) {
  ++arrays;
  bytes = sum(bytes, facts.bytes);
  logical_bytes = sum(logical_bytes, facts.logical_bytes);
}

Costs costs_of(Program* program, std::optional<Target> target, bool interiors) {
  return Gatherer(program, target, interiors).gather();
}

}  // namespace xlashape::cli
