// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "cli/base/array.h"

namespace xlashape::cli {
namespace {

constexpr std::pair<std::string_view, Opcode> kOpcodes[] = {
    {"parameter", Opcode::kParameter},
    {"constant", Opcode::kConstant},
    {"tuple", Opcode::kTuple},
    {"get-tuple-element", Opcode::kGetTupleElement},
    {"bitcast", Opcode::kBitcast},
    {"copy", Opcode::kCopy},
    {"copy-start", Opcode::kCopyStart},
    {"transpose", Opcode::kTranspose},
    {"reshape", Opcode::kReshape},
    {"fusion", Opcode::kFusion},
    {"while", Opcode::kWhile},
    {"call", Opcode::kCall},
    {"conditional", Opcode::kConditional},
    {"async-start", Opcode::kAsyncStart},
    {"add", Opcode::kAdd},
    {"subtract", Opcode::kSubtract},
    {"compare", Opcode::kCompare},
    {"after-all", Opcode::kAfterAll},
    {"opt-barrier", Opcode::kOptimizationBarrier},
    {"add-dependency", Opcode::kAddDependency},
    {"domain", Opcode::kDomain},
    {"dynamic-update-slice", Opcode::kDynamicUpdateSlice},
};

template <class T>
std::span<const T> part(const Block<T>& all, ListRange range) {
  return {all.data() + range.first, range.count};
}

constexpr uint8_t kLongName = 255;  // then the length follows as four bytes
constexpr std::string_view kStartSuffix = "-start";

Opcode spelled(std::string_view name) {
  for (const auto& [known, opcode] : kOpcodes)
    if (known == name) return opcode;
  return Opcode::kOther;
}

// What XLA writes with -start behind it where something is done asynchronously. Other opcodes of that form, as
// copy-start and all-reduce-start, are instructions of their own.
bool has_start(Opcode opcode) {
  switch (opcode) {
    case Opcode::kTranspose:
    case Opcode::kReshape:
    case Opcode::kFusion:
    case Opcode::kWhile:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kDynamicUpdateSlice:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_elementwise(std::string_view opcode) {
  constexpr std::string_view kNames =
      " abs acos acosh add and asin asinh atan2 atanh bitcast-convert cbrt ceil clamp compare complex convert cosh "
      "cosine count-leading-zeros divide erf exponential exponential-minus-one floor imag is-finite log "
      "log-plus-one logistic maximum minimum multiply multiply-high negate not or popcnt power real "
      "reduce-precision remainder round-nearest-afz round-nearest-even rsqrt select shift-left "
      "shift-right-arithmetic shift-right-logical sign sine sinh sqrt subtract tan tanh xor ";
  return kNames.find(" " + std::string(opcode) + " ") != std::string_view::npos;
}

Opcode opcode_named(std::string_view name) {
  if (const Opcode known = spelled(name); known != Opcode::kOther) return known;
  if (name.ends_with("-update")) return Opcode::kAsyncUpdate;
  if (name.ends_with("-done")) return Opcode::kAsyncDone;
  if (!name.ends_with(kStartSuffix)) return Opcode::kOther;
  const Opcode begun = spelled(name.substr(0, name.size() - kStartSuffix.size()));
  return has_start(begun) ? begun : Opcode::kStart;
}

std::span<const uint32_t> Program::operands_of(const Instruction& i) const { return part(operands, i.operands); }
std::span<const uint32_t> Program::called_by(const Instruction& i) const { return part(called, i.called); }
std::span<const int64_t> Program::numbers_of(const Instruction& i) const {
  return part(numbers, {i.first_number, i.number_count});
}
std::optional<int64_t> Program::first_number_of(const Instruction& i) const {
  return i.number_count == 0 ? std::nullopt : std::optional(numbers[i.first_number]);
}
std::span<const Instruction> Program::instructions_of(const Computation& c) const {
  return part(instructions, c.instructions);
}

uint32_t Program::made_by(const Instruction& i) const {
  if (i.shape == kNone || (i.opcode != Opcode::kCopyStart && !i.starts)) return i.shape;
  const ShapeFacts& all = shapes.facts(i.shape);
  if (i.opcode == Opcode::kCopyStart) return all.leaves.empty() ? kNone : all.leaves[0];  // (result, operand, context)
  // ((operand), result, context)
  if (!all.tuple || all.shape.tuple_element_count() < 2 || !is_array(all.shape.tuple_element(1))) return kNone;
  const Shape given = all.shape.tuple_element(0);
  const bool one =
      given.category() == Category::kTuple && given.tuple_element_count() == 1 && is_array(given.tuple_element(0));
  return one ? all.leaves[1] : kNone;
}

std::string_view Program::name_of(const Instruction& i) const {
  const char* at = names.data() + i.name;
  uint32_t length = static_cast<uint8_t>(*at++);
  if (length == kLongName) {
    std::memcpy(&length, at, sizeof length);
    at += sizeof length;
  }
  return {at, length};
}

void ProgramBuilder::begin_computation(std::string_view name, bool entry) {
  if (in_computation_) end_computation();
  Computation computation;
  computation.name = program_.texts.of(name);
  computation.instructions.first = static_cast<uint32_t>(program_.instructions.size());
  const auto number = static_cast<uint32_t>(program_.computations.size());
  if (computation_of_.size() <= computation.name) computation_of_.resize(computation.name + 1, kNone);
  computation_of_[computation.name] = number;
  if (entry) program_.entry = number;
  program_.computations.push_back(computation);
  names_.clear();
  instruction_of_.clear();
  first_operand_ = program_.operands.size();
  in_computation_ = true;
}

Instruction& ProgramBuilder::add(std::string_view name, std::string_view opcode, uint32_t shape, bool root) {
  Computation& computation = program_.computations.back();
  const auto number = static_cast<uint32_t>(program_.instructions.size());
  const uint32_t local = names_.of(name);
  if (instruction_of_.size() <= local) instruction_of_.resize(local + 1, kNone);
  if (instruction_of_[local] != kNone) program_.repeated.push_back(number);
  instruction_of_[local] = number;
  Instruction instruction;
  instruction.name = program_.names.size();
  const auto length = static_cast<uint32_t>(name.size());
  program_.names.push_back(static_cast<char>(length < kLongName ? length : kLongName));
  if (length >= kLongName) program_.names.append(reinterpret_cast<const char*>(&length), sizeof length);
  program_.names.append(name.data(), name.size());
  instruction.opcode_name = program_.texts.of(opcode);
  // Comparing an opcode with all that are known is only needed when its name is new.
  if (instruction.opcode_name >= opcodes_.size()) opcodes_.resize(size_t{program_.texts.size()}, Opcode::kUnread);
  Opcode& known = opcodes_[instruction.opcode_name];
  if (known == Opcode::kUnread) known = opcode_named(opcode);
  instruction.opcode = known;
  instruction.starts = has_start(known) && opcode.ends_with(kStartSuffix);
  instruction.shape = shape;
  instruction.computation = static_cast<uint32_t>(program_.computations.size() - 1);
  instruction.root = root;
  instruction.operands.first = static_cast<uint32_t>(program_.operands.size());
  instruction.called.first = static_cast<uint32_t>(program_.called.size());
  instruction.first_number = static_cast<uint32_t>(program_.numbers.size());
  program_.instructions.push_back(instruction);
  ++computation.instructions.count;
  if (root) computation.root = number;
  return program_.instructions.back();
}

void ProgramBuilder::operand(uint32_t local) {
  program_.operands.push_back(local);
  ++program_.instructions.back().operands.count;
}

void ProgramBuilder::called(std::string_view computation) {
  program_.called.push_back(program_.texts.of(computation));
  ++program_.instructions.back().called.count;
}

void ProgramBuilder::number(int64_t value) {
  Instruction& instruction = program_.instructions.back();
  if (instruction.number_count == UINT16_MAX) return;
  program_.numbers.push_back(value);
  ++instruction.number_count;
}

void ProgramBuilder::end_computation() {
  instruction_of_.resize(names_.size(), kNone);
  for (size_t at = first_operand_; at < program_.operands.size(); ++at)
    program_.operands[at] = instruction_of_[program_.operands[at]];
  in_computation_ = false;
}

void ProgramBuilder::finish(bool last_is_root) {
  if (in_computation_) end_computation();
  for (Computation& computation : program_.computations)
    if (last_is_root && computation.root == kNone && computation.instructions.count > 0)
      computation.root = computation.instructions.first + computation.instructions.count - 1;
  computation_of_.resize(program_.texts.size(), kNone);
  for (uint32_t& name : program_.called) name = computation_of_[name];
}

bool can_be(Opcode relayout, const Shape& from, const Shape& to) {
  if (relayout == Opcode::kReshape) {
    const Result<int64_t> before = from.try_element_count(), after = to.try_element_count();
    return !before || !after || *before == *after;
  }
  Integers before = from.dimensions(), after = to.dimensions();
  if (relayout == Opcode::kTranspose) {
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
  }
  return relayout == Opcode::kBitcast || before == after;
}

bool runs_what_it_calls(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kWhile:
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kAsyncStart:
      return true;
    default:
      return false;
  }
}

std::optional<ProgramBuilder::Direction> direction_named(std::string_view word) {
  constexpr std::pair<std::string_view, ProgramBuilder::Direction> kDirections[] = {
      {"EQ", ProgramBuilder::kEqual},   {"NE", ProgramBuilder::kNotEqual},  {"GE", ProgramBuilder::kGreaterEqual},
      {"GT", ProgramBuilder::kGreater}, {"LE", ProgramBuilder::kLessEqual}, {"LT", ProgramBuilder::kLess},
  };
  for (const auto& [spelled, direction] : kDirections)
    if (spelled == word) return direction;
  return std::nullopt;
}

std::optional<int64_t> known_trip_count(std::string_view config) {
  constexpr std::string_view kKey = "\"known_trip_count\"", kCount = "\"n\"", kDigits = "0123456789";
  size_t at = config.find(kKey);
  if (at != std::string_view::npos) at = config.find(kCount, at + kKey.size());
  if (at == std::string_view::npos) return std::nullopt;
  at = config.find_first_not_of(" :\"", at + kCount.size());
  if (at == std::string_view::npos || kDigits.find(config[at]) == std::string_view::npos) return std::nullopt;
  int64_t count = 0;
  const auto [end, error] = std::from_chars(config.data() + at, config.data() + config.size(), count);
  return error == std::errc() ? std::optional<int64_t>(count) : std::nullopt;
}

}  // namespace xlashape::cli
