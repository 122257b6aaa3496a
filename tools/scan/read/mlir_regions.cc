// SPDX-License-Identifier: Apache-2.0
#include "mlir_regions.h"

#include <algorithm>

namespace xlashape::cli {
namespace {

// The regions of these compute one element from others.
constexpr std::string_view kScalarCode[] = {
    "all_reduce", "map", "reduce", "reduce_scatter", "reduce_window", "scatter", "select_and_scatter", "sort",
};

// HLO's opcode, where StableHLO's name is another one.
Opcode opcode_of(std::string_view name) {
  if (name == "case" || name == "if") return Opcode::kConditional;
  if (name == "optimization_barrier") return Opcode::kOptimizationBarrier;
  std::string dashed(name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  return opcode_named(dashed);
}

std::string role(std::string_view opcode, uint32_t region) {
  if (opcode == "while") return region == 0 ? "condition" : "body";
  if (opcode == "if") return region == 0 ? "true" : "false";
  return (opcode == "case" ? "branch_" : "region_") + std::to_string(region);
}

uint32_t size_of(const auto& list) { return static_cast<uint32_t>(list.size()); }

}  // namespace

void MlirRegions::begin(RegionKind kind, std::string_view name, bool entry) {
  Frame frame;
  frame.kind = kind;
  frame.entry = entry;
  if (!name.empty()) frame.name = program_.texts.of(name);
  frame.operations = size_of(operations_);
  frame.operands = size_of(operands_);
  frame.called = size_of(called_);
  frame.numbers = size_of(numbers_);
  frame.iterations = size_of(iterations_);
  frame.aliases = size_of(aliases_);
  open_.push_back(frame);
}

void MlirRegions::begin_region() {
  Operation* owner = last();
  const std::string_view opcode = owner != nullptr ? program_.text(owner->opcode) : std::string_view();
  const bool scalar = std::find(std::begin(kScalarCode), std::end(kScalarCode), opcode) != std::end(kScalarCode);
  if (owner == nullptr || scalar) return begin(RegionKind::kSkipped, {}, false);
  const uint32_t name = name_of_region(*owner);
  const uint32_t region = owner->regions++;
  called_.push_back(name);
  ++owner->called.count;
  const uint64_t line = owner->line;
  const uint32_t first = open_.back().iterations;
  const uint32_t count = region < 2 ? size_of(iterations_) - first : 0;  // a while has two regions
  begin(RegionKind::kRegion, {}, false);
  open_.back().name = name;
  for (uint32_t i = 0; i < count; ++i) {
    const Named value = iterations_[first + i];
    parameter(program_.texts.text(value.name), value.other, kNone, line);
  }
}

// Values have the same names in different functions and regions. A name is cut, since one operation may have any number
// of regions.
uint32_t MlirRegions::name_of_region(const Operation& owner) {
  constexpr size_t kLongest = 100;
  const std::string name = std::string(program_.text(owner.opcode).substr(0, kLongest)) + '.' +
                           std::string(program_.text(owner.name).substr(0, kLongest)) + '.' +
                           role(program_.text(owner.opcode), owner.regions);
  const uint32_t number = program_.texts.of(name);
  if (used_.size() <= number) used_.resize(number + 1);
  const uint32_t times = used_[number]++;
  return times == 0 ? number : program_.texts.of(name + '.' + std::to_string(times));
}

void MlirRegions::end() {
  const Frame frame = open_.back();
  open_.pop_back();
  if (frame.kind == RegionKind::kFunction || frame.kind == RegionKind::kRegion) emit(frame);
  operations_.resize(frame.operations);
  operands_.resize(frame.operands);
  called_.resize(frame.called);
  numbers_.resize(frame.numbers);
  iterations_.resize(frame.iterations);
  aliases_.resize(frame.aliases);
}

void MlirRegions::emit(const Frame& frame) {
  operation_of_.resize(program_.texts.size(), kNone);
  for (uint32_t i = frame.aliases; i < aliases_.size(); ++i) operation_of_[aliases_[i].name] = aliases_[i].other;
  builder_.begin_computation(program_.text(frame.name), frame.entry);
  for (uint32_t i = frame.operations; i < operations_.size(); ++i) {
    const Operation& operation = operations_[i];
    if (!operation.memory) continue;
    if (!operation.typed) unparsed_.add(operation.line, program_.text(operation.name), "an operation without types");
    Instruction& instruction =
        builder_.add(program_.text(operation.name), program_.text(operation.opcode), operation.shape, operation.root);
    instruction.line = operation.line;
    if (opcodes_.size() <= operation.opcode) opcodes_.resize(operation.opcode + 1, Opcode::kUnread);
    Opcode& opcode = opcodes_[operation.opcode];
    if (opcode == Opcode::kUnread) opcode = opcode_of(program_.text(operation.opcode));
    instruction.opcode = opcode;
    location_of_.resize(program_.instructions.size() - 1, kNone);
    location_of_.push_back(operation.location);
    for (uint32_t j = 0; j < operation.operands.count; ++j) {
      const uint32_t name = operands_[operation.operands.first + j];
      builder_.operand(program_.text(operation_of_[name] == kNone ? name : operation_of_[name]));
    }
    for (uint32_t j = 0; j < operation.called.count; ++j)
      builder_.called(program_.text(called_[operation.called.first + j]));
    for (uint32_t j = 0; j < operation.numbers.count; ++j) builder_.number(numbers_[operation.numbers.first + j]);
  }
  builder_.end_computation();
  for (uint32_t i = frame.aliases; i < aliases_.size(); ++i) operation_of_[aliases_[i].name] = kNone;
}

void MlirRegions::finish() {
  builder_.finish(/*last_is_root=*/false);
  for (size_t i = 0; i < location_of_.size(); ++i) {
    program_.instructions[i].op_name = locations_.op_name(location_of_[i], &program_.texts);
    program_.instructions[i].source = locations_.source(location_of_[i], &program_.texts);
  }
}

MlirRegions::Operation& MlirRegions::add(std::string_view name, std::string_view opcode, uint64_t line) {
  iterations_.resize(open_.back().iterations);
  Operation operation;
  operation.line = line;
  operation.name = program_.texts.of(name);
  operation.opcode = program_.texts.of(opcode);
  operation.operands.first = size_of(operands_);
  operation.called.first = size_of(called_);
  operation.numbers.first = size_of(numbers_);
  operations_.push_back(operation);
  return operations_.back();
}

MlirRegions::Operation* MlirRegions::last() {
  if (open_.empty() || operations_.size() == open_.back().operations) return nullptr;
  return &operations_.back();
}

void MlirRegions::operand(std::string_view name) {
  operands_.push_back(program_.texts.of(name));
  ++operations_.back().operands.count;
}

void MlirRegions::called(std::string_view function) {
  called_.push_back(program_.texts.of(function));
  ++operations_.back().called.count;
}

void MlirRegions::number(int64_t value) {
  numbers_.push_back(value);
  ++operations_.back().numbers.count;
}

void MlirRegions::iteration(std::string_view name, uint32_t shape) {
  iterations_.push_back({program_.texts.of(name), shape});
}

void MlirRegions::parameter(std::string_view name, uint32_t shape, uint32_t location, uint64_t line) {
  // `name` may be one of program_.texts, which `add` may move.
  const std::string kept(name);
  Operation& operation = add(kept, "parameter", line);
  operation.shape = shape;
  operation.typed = true;
  operation.location = location;
  number(open_.back().parameters++);
}

void MlirRegions::alias(std::string_view name, std::string_view operation) {
  const uint32_t number = program_.texts.of(name);
  aliases_.push_back({number, program_.texts.of(operation)});
}

}  // namespace xlashape::cli
