#include "instruction_text.h"

#include <algorithm>

#include "cli/base/dimension.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

bool is_opcode(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

// The name in an operand: "%a", "a", "f32[2]{0} %a", "/*index=5*/%a".
std::string_view operand_name(std::string_view text) {
  text = without_comment(text);
  for (size_t end = end_of_piece(text, 0, ' '); end < text.size(); end = end_of_piece(text, 0, ' '))
    text = without_blanks(text.substr(end + 1));
  return without_percent(text);
}

}  // namespace

const char* InstructionReader::read(std::string_view line, uint64_t number) {
  bool root = false;
  if (line.starts_with("ROOT ")) {
    root = true;
    line.remove_prefix(5);
  }
  const size_t name_end = line.find(' ');
  if (name_end == std::string_view::npos || line.substr(name_end, 3) != " = ")
    return "neither an instruction nor the end of a computation";
  const std::string_view name = without_percent(line.substr(0, name_end));
  if (name.empty()) return "an instruction without a name";
  line.remove_prefix(name_end + 3);

  const size_t shape_end = Shapes::length_of_head(line);
  if (shape_end == 0 || shape_end >= line.size()) return "no shape, or nothing behind it";
  const uint32_t shape = program_.shapes.of(line.substr(0, shape_end));
  line.remove_prefix(shape_end);
  line = without_blanks(line);

  const size_t opcode_end = static_cast<size_t>(std::find_if_not(line.begin(), line.end(), is_opcode) - line.begin());
  if (opcode_end == 0 || opcode_end >= line.size() || line[opcode_end] != '(') return "no opcode behind the shape";
  const auto instruction = static_cast<uint32_t>(program_.instructions.size());
  const Opcode opcode = [&] {
    Instruction& added = builder_.add(name, line.substr(0, opcode_end), shape, root);
    added.line = static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX));
    return added.opcode;
  }();

  const size_t close = end_of_piece(line, opcode_end + 1, ')');
  operands(opcode, line.substr(opcode_end + 1, close - opcode_end - 1), shape);
  if (close < line.size()) attributes(instruction, line.substr(close + 1));
  if (close >= line.size()) return "the operands do not end";
  return shape == kNone ? "the text before the opcode is not a shape" : nullptr;
}

void InstructionReader::operands(Opcode opcode, std::string_view text, uint32_t shape) {
  if (opcode == Opcode::kParameter || opcode == Opcode::kConstant) {
    const bool scalar = shape != kNone && program_.shapes.facts(shape).shape.is_effective_scalar();
    if (!scalar && opcode == Opcode::kConstant) return;
    if (const std::optional<int64_t> value = number(without_blanks(text))) builder_.number(*value);
    return;
  }
  for_each_piece(text, [&](std::string_view piece) {
    const std::string_view name = operand_name(piece);
    if (!name.empty()) builder_.operand(name);
  });
}

// ", dimensions={1,0}, metadata={...}"
void InstructionReader::attributes(uint32_t instruction, std::string_view text) {
  body_ = {};
  for_each_piece(text, [&](std::string_view piece) {
    const size_t equals = piece.find('=');
    if (equals != std::string_view::npos) attribute(instruction, piece.substr(0, equals), piece.substr(equals + 1));
  });
  if (!body_.empty()) called(body_);
}

// Names of computations, maybe in braces.
void InstructionReader::called(std::string_view names) {
  if (names.starts_with('{') && names.ends_with('}')) names = names.substr(1, names.size() - 2);
  for_each_piece(names, [&](std::string_view piece) {
    const std::string_view name = without_percent(without_comment(piece));
    if (!name.empty()) builder_.called(name);
  });
}

void InstructionReader::attribute(uint32_t instruction, std::string_view key, std::string_view value) {
  const Opcode opcode = program_.at(instruction).opcode;
  if (key == "metadata") {
    metadata(instruction, value);
  } else if (key == "calls" || key == "to_apply" || key == "condition" || key == "branch_computations" ||
             key == "true_computation" || key == "false_computation" || key == "called_computations") {
    called(value);
  } else if (key == "body") {
    body_ = value;
  } else if (key == "backend_config" && opcode == Opcode::kWhile) {
    if (const std::optional<int64_t> count = known_trip_count(value)) builder_.number(*count);
  } else if (key == "custom_call_target") {
    if (value == "\"ConcatBitcast\"") program_.instructions[instruction].opcode = Opcode::kConcatBitcast;
  } else if (key == "index" && opcode == Opcode::kGetTupleElement) {
    if (const std::optional<int64_t> index = number(value)) builder_.number(*index);
  } else if (key == "dimensions" && opcode == Opcode::kTranspose) {
    if (value.starts_with('{') && value.ends_with('}'))
      for_each_piece(value.substr(1, value.size() - 2),
                     [&](std::string_view piece) { builder_.number(number(piece).value_or(-1)); });
  } else if (key == "direction" && opcode == Opcode::kCompare) {
    if (const auto direction = direction_named(value)) builder_.number(*direction);
  }
}

// {op_type="add" op_name="jit(f)/add" source_file="f.py" source_line=3 stack_frame_id=2}
void InstructionReader::metadata(uint32_t instruction, std::string_view text) {
  if (!text.starts_with('{') || !text.ends_with('}')) return;
  text = text.substr(1, text.size() - 2);
  std::string file;
  int64_t line = 0, frame = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = end_of_piece(text, at, ' ');
    const std::string_view piece = text.substr(at, end - at);
    at = end + 1;
    const size_t equals = piece.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = piece.substr(0, equals), value = piece.substr(equals + 1);
    if (key == "op_name") program_.instructions[instruction].op_name = program_.texts.of(unquoted(value));
    if (key == "source_file") file = unquoted(value);
    if (key == "source_line") line = number(value).value_or(0);
    if (key == "stack_frame_id") frame = number(value).value_or(0);
  }
  uint32_t source = frame != 0 ? source_of(frame) : kNone;
  if (source == kNone && !file.empty()) source = SourceTable::of_line(file, line, &program_.texts);
  program_.instructions[instruction].source = source;
}

uint32_t InstructionReader::source_of(int64_t frame) {
  const auto known = source_of_frame_.find(frame);
  if (known != source_of_frame_.end()) return known->second;
  const uint32_t source = sources_.of_frame(frame, &program_.texts);
  source_of_frame_.emplace(frame, source);
  return source;
}

}  // namespace xlashape::cli
