// SPDX-License-Identifier: Apache-2.0
#include "donation.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace xlashape::cli {
namespace {

// The array number `leaf` of what an instruction makes.
struct Element {
  uint32_t instruction = kNone;
  size_t leaf = 0;
};

class Entry {
 public:
  Entry(const Program& program, const std::vector<Argument>& arguments) : program_(program) {
    for (size_t i = 0; i < arguments.size(); ++i) argument_of_[{arguments[i].instruction, arguments[i].leaf}] = i;
    last_read_.resize(arguments.size());
    find_reads();
  }

  // What an array of the result is made by: through tuples and what passes on its operand.
  Element maker_of(Element element) {
    for (int steps = 0; steps < kMostSteps && element.instruction != kNone; ++steps) {
      const Element from = passed_on(element);
      if (from.instruction == element.instruction) return element;
      element = from;
    }
    return {};
  }

  Undonated judge(size_t argument, Element result) {
    Undonated out{argument, Donation::kSaves, kNone};
    const Read& read = last_read_[argument];
    if (read.by == kNone || result.instruction == kNone || read.by < result.instruction) return out;
    // The argument itself is the result: it is copied, or shares its memory.
    if (program_.at(result.instruction).opcode == Opcode::kParameter) return out;
    const Instruction& maker = program_.at(result.instruction);
    out.blocked_by = read.by;
    out.donation = Donation::kRead;
    if (maker.opcode == Opcode::kWhile && read.by == result.instruction) {
      const bool carried = read.leaves.size() == 1 && read.leaves[0] == result.leaf;
      out.donation = carried ? Donation::kSaves : Donation::kLoop;
    } else if (read.by == result.instruction && is_in_place(maker, result.leaf, read)) {
      out.donation = Donation::kSaves;
    }
    if (out.donation == Donation::kSaves) out.blocked_by = kNone;
    return out;
  }

 private:
  static constexpr int kMostSteps = 10000;

  struct Read {
    uint32_t by = kNone;           // the last instruction of the schedule that reads it
    std::vector<size_t> operands;  // which of its operands are the argument
    std::vector<size_t> leaves;    // of a while: which elements of its state the argument is at first
  };

  size_t leaves_of(uint32_t instruction) const {
    const uint32_t shape = instruction == kNone ? kNone : program_.at(instruction).shape;
    if (shape == kNone) return 0;
    const ShapeFacts& facts = program_.shapes.facts(shape);
    return facts.tuple ? facts.leaves.size() : 1;
  }

  // How many leaves of a tuple lie before each operand, and at last all of them.
  const std::vector<size_t>& leaves_before_operands(uint32_t tuple) {
    std::vector<size_t>& before = before_operands_[tuple];
    if (before.empty()) {
      before.push_back(0);
      for (const uint32_t operand : program_.operands_of(program_.at(tuple)))
        before.push_back(before.back() + leaves_of(operand));
    }
    return before;
  }

  // How many leaves lie before element `index` of the tuple that an instruction makes.
  std::optional<size_t> leaves_before(uint32_t instruction, int64_t index) {
    const uint32_t shape = program_.at(instruction).shape;
    if (shape == kNone || !program_.shapes.facts(shape).tuple) return std::nullopt;
    std::vector<size_t>& before = before_[shape];
    const Shape& tuple = program_.shapes.facts(shape).shape;
    if (before.empty()) {
      before.push_back(0);
      for (int64_t i = 0; i < tuple.tuple_element_count(); ++i)
        before.push_back(before.back() + static_cast<size_t>(tuple.tuple_element(i).leaf_count()));
    }
    if (index < 0 || index >= tuple.tuple_element_count()) return std::nullopt;
    return before[static_cast<size_t>(index)];
  }

  // The element itself where its instruction makes it; an element of kNone where that cannot be told.
  Element passed_on(Element element) {
    const Instruction& instruction = program_.at(element.instruction);
    const auto operands = program_.operands_of(instruction);
    switch (instruction.opcode) {
      case Opcode::kTuple: {
        const std::vector<size_t>& before = leaves_before_operands(element.instruction);
        const auto behind = std::upper_bound(before.begin(), before.end(), element.leaf);
        const auto at = static_cast<size_t>(behind - before.begin()) - 1;
        if (behind == before.end()) return {};
        return {operands[at], element.leaf - before[at]};
      }
      case Opcode::kGetTupleElement: {
        const std::optional<int64_t> index = program_.first_number_of(instruction);
        if (operands.empty() || operands[0] == kNone || !index) return {};
        const std::optional<size_t> before = leaves_before(operands[0], *index);
        return before ? Element{operands[0], *before + element.leaf} : Element{};
      }
      case Opcode::kBitcast:
      case Opcode::kOptimizationBarrier:
      case Opcode::kAddDependency:
      case Opcode::kDomain:
        return {operands.empty() ? kNone : operands[0], element.leaf};
      default:
        return element;
    }
  }

  // In the order of the schedule: which arrays are arguments still, and who reads them.
  void find_reads() {
    const Computation& entry = program_.computations[program_.entry];
    for (uint32_t i = entry.instructions.first; i < entry.instructions.first + entry.instructions.count; ++i) {
      const Instruction& instruction = program_.at(i);
      const auto operands = program_.operands_of(instruction);
      const bool passes = passed_on({i, 0}).instruction != i;
      if (instruction.opcode == Opcode::kParameter) {
        for (auto at = argument_of_.lower_bound({i, 0}); at != argument_of_.end() && at->first.first == i; ++at)
          held_[i].emplace_back(at->first.second, at->second);
      } else if (passes) {
        pass_on(i);
      } else {
        size_t leaf = 0;
        for (size_t o = 0; o < operands.size(); ++o) {
          const auto held = held_.find(operands[o]);
          if (held != held_.end())
            for (const auto& [part, argument] : held->second) read(argument, i, o, leaf + part);
          leaf += leaves_of(operands[o]);
        }
      }
    }
  }

  void read(size_t argument, uint32_t by, size_t operand, size_t leaf) {
    Read& read = last_read_[argument];
    if (read.by != by) read = {by, {}, {}};
    read.operands.push_back(operand);
    read.leaves.push_back(leaf);
  }

  void pass_on(uint32_t number) {
    const size_t count = leaves_of(number);
    for (size_t leaf = 0; leaf < count; ++leaf) {
      const Element from = passed_on({number, leaf});
      const auto held = held_.find(from.instruction);
      if (held == held_.end()) continue;
      const auto& parts = held->second;
      const auto part = std::lower_bound(parts.begin(), parts.end(), std::pair(from.leaf, size_t{0}));
      if (part != parts.end() && part->first == from.leaf) held_[number].emplace_back(leaf, part->second);
    }
  }

  bool is_elementwise(const Instruction& instruction) const {
    return cli::is_elementwise(program_.text(instruction.opcode_name));
  }

  // Whether each element of the result is made of the argument's element at the same place, so that it may take its
  // memory.
  bool is_in_place(const Instruction& maker, size_t leaf, const Read& read) {
    if (maker.opcode == Opcode::kDynamicUpdateSlice) return read.operands.size() == 1 && read.operands[0] == 0;
    if (maker.opcode != Opcode::kFusion) return is_elementwise(maker);
    const auto called = program_.called_by(maker);
    if (called.size() != 1 || called[0] == kNone) return false;
    const Computation& body = program_.computations[called[0]];
    if (body.root == kNone || budget_ < body.instructions.count) return false;
    budget_ -= body.instructions.count;
    std::unordered_map<uint32_t, bool> same_place;  // of what depends on the argument
    for (uint32_t i = body.instructions.first; i < body.instructions.first + body.instructions.count; ++i) {
      const Instruction& inside = program_.at(i);
      if (inside.opcode == Opcode::kParameter) {
        const std::optional<int64_t> number = program_.first_number_of(inside);
        if (number &&
            std::find(read.operands.begin(), read.operands.end(), static_cast<size_t>(*number)) != read.operands.end())
          same_place[i] = true;
        continue;
      }
      bool depends = false, same = inside.opcode == Opcode::kBitcast || inside.opcode == Opcode::kTuple ||
                                   inside.opcode == Opcode::kDynamicUpdateSlice || is_elementwise(inside);
      const auto operands = program_.operands_of(inside);
      for (size_t o = 0; o < operands.size(); ++o) {
        const auto known = same_place.find(operands[o]);
        if (known == same_place.end()) continue;
        depends = true;
        same = same && known->second && (o == 0 || inside.opcode != Opcode::kDynamicUpdateSlice);
      }
      if (depends) same_place[i] = same;
    }
    // Where a fusion makes several arrays, it makes them together: all must be in place, and this one of the argument.
    const auto root = same_place.find(body.root);
    if (root == same_place.end() || !root->second) return false;
    const auto parts = program_.operands_of(program_.at(body.root));
    return program_.at(body.root).opcode != Opcode::kTuple ||
           (leaf < parts.size() && same_place.find(parts[leaf]) != same_place.end());
  }

  const Program& program_;
  std::map<std::pair<uint32_t, size_t>, size_t> argument_of_;                  // by parameter and array
  std::unordered_map<uint32_t, std::vector<std::pair<size_t, size_t>>> held_;  // by instruction: (array, argument)
  std::unordered_map<uint32_t, std::vector<size_t>> before_operands_;          // by tuple
  std::unordered_map<uint32_t, std::vector<size_t>> before_;                   // by shape: see leaves_before
  int64_t budget_ = 50'000'000;  // how many instructions are looked at: a hostile dump has no end of them
  std::vector<Read> last_read_;  // by argument
};

}  // namespace

std::string_view name(Donation donation) {
  constexpr std::string_view kNames[] = {"saves", "loop", "read"};
  return kNames[static_cast<size_t>(donation)];
}

std::vector<Undonated> undonated(const Program& program, const std::vector<Argument>& arguments,
                                 const std::vector<uint32_t>& results) {
  std::vector<Undonated> found;
  const uint32_t root = program.entry == kNone ? kNone : program.computations[program.entry].root;
  if (root == kNone) return found;
  struct Results {
    std::vector<size_t> leaves;  // the last first
    size_t free = 0;             // of these, those that no argument shares memory with
  };
  std::unordered_map<uint32_t, Results> results_of;  // by shape
  for (size_t leaf = results.size(); leaf-- > 0;) {
    results_of[results[leaf]].leaves.push_back(leaf);
    ++results_of[results[leaf]].free;
  }
  for (const Argument& argument : arguments)
    if (size_t& free = results_of[argument.shape].free; argument.aliased && free > 0) --free;
  Entry entry(program, arguments);
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto& [leaves, free] = results_of[arguments[i].shape];
    if (leaves.empty() || (!arguments[i].aliased && free == 0)) continue;
    if (!arguments[i].aliased) {
      --free;
      found.push_back(entry.judge(i, entry.maker_of({root, leaves.back()})));
    }
    leaves.pop_back();
  }
  return found;
}

}  // namespace xlashape::cli
