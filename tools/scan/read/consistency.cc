// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "formats.h"

namespace xlashape::cli {
namespace {

// "copy-start.1{0}" without the place in its tuple.
std::string_view instruction_of(std::string_view value) {
  const size_t brace = value.ends_with('}') ? value.rfind('{') : std::string_view::npos;
  return value.substr(0, brace);
}

void check_references(Module* module) {
  const Program& program = module->program;
  // In MLIR the values of an outer region are known in inner ones, which are computations of their own here.
  const bool checks_operands = program.format != "stablehlo";
  for (const Instruction& instruction : program.instructions) {
    const auto operands = program.operands_of(instruction);
    if (checks_operands && std::find(operands.begin(), operands.end(), kNone) != operands.end())
      module->unparsed.add(instruction.line, program.name_of(instruction), "an operand is not in its computation");
    const auto called = program.called_by(instruction);
    if (std::find(called.begin(), called.end(), kNone) != called.end())
      module->unparsed.add(instruction.line, program.name_of(instruction), "it calls a computation that is not there");
  }
  for (const uint32_t number : program.repeated)
    module->unparsed.add(program.at(number).line, program.name_of(program.at(number)),
                         "its computation has this name already");
}

void check_relayouts(Module* module) {
  const Program& program = module->program;
  for (const Instruction& instruction : program.instructions) {
    switch (instruction.opcode) {
      case Opcode::kCopy:
      case Opcode::kCopyStart:
      case Opcode::kTranspose:
      case Opcode::kReshape:
        break;
      default:
        continue;
    }
    const auto operands = program.operands_of(instruction);
    const uint32_t from = operands.empty() || operands[0] == kNone ? kNone : program.at(operands[0]).shape;
    const uint32_t to = program.made_by(instruction);
    if (to == kNone && instruction.shape != kNone)
      module->unparsed.add(instruction.line, program.name_of(instruction), "its shape is not that of a -start");
    if (from == kNone || to == kNone || from == to) continue;
    const ShapeFacts &a = program.shapes.facts(from), &b = program.shapes.facts(to);
    if (!a.array || !b.array || !a.sized || !b.sized || can_be(instruction.opcode, a.shape, b.shape)) continue;
    const auto elements = [](const Shape& shape) { return shape.try_element_count().value_or(-1); };
    const int64_t before = elements(a.shape), after = elements(b.shape);
    module->unparsed.add(instruction.line, program.name_of(instruction),
                         before != after
                             ? fmt::format("the element counts differ: no {} makes {} elements of {}",
                                           program.text(instruction.opcode_name), after, before)
                             : fmt::format("no {} makes dimensions [{}] of [{}]", program.text(instruction.opcode_name),
                                           joined(b.shape.dimensions(), ","), joined(a.shape.dimensions(), ",")));
  }
}

void check_assignment(Module* module) {
  const Program& program = module->program;
  const Assignment& assignment = module->assignment;
  if (assignment.empty() || program.instructions.empty()) return;
  TextPool names;
  for (const Instruction& instruction : program.instructions) names.of(program.name_of(instruction));
  for (const AssignedValue& value : assignment.values) {
    const std::string_view name = assignment.texts.text(value.name);
    if (names.find(instruction_of(name)) == kNone)
      module->unparsed.add(0, name, "the buffer assignment names an instruction that the program has not");
  }
}

}  // namespace

void check_consistency(Module* module) {
  const Program& program = module->program;
  if (program.entry == kNone && !program.instructions.empty())
    module->unparsed.add(0, program.name, "no computation is the entry, so nothing is counted");
  if (program.entry != kNone && program.computations[program.entry].root == kNone && module->unparsed.count() == 0 &&
      !program.fragment)
    module->unparsed.add(0, program.text(program.computations[program.entry].name), "the entry has no result");
  check_references(module);
  check_relayouts(module);
  check_assignment(module);
}

}  // namespace xlashape::cli
