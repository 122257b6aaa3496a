#include "consistency.h"

#include <algorithm>

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

void check_assignment(Module* module) {
  const Program& program = module->program;
  const Assignment& assignment = module->assignment;
  if (assignment.empty() || program.instructions.empty()) return;
  Pool names;
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
  check_references(module);
  check_assignment(module);
}

}  // namespace xlashape::cli
