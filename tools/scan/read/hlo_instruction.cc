// SPDX-License-Identifier: Apache-2.0
#include "hlo_instruction.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "cli/base/number.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

constexpr uint32_t kDeepest = 32;  // instructions within operands of others

// A shape's text as XLA prints it has no line ends, and blanks only behind commas and comments.
bool is_plain(std::string_view shape) {
  for (size_t at = 0; at < shape.size(); ++at) {
    const char c = shape[at];
    if (c == '\n' || c == '\t' || c == '\r') return false;
    if (c == ' ' && at > 0 && shape[at - 1] != ',') return false;
    if (c == '/' && shape.substr(at, 2) == "//") return false;
    if (c == 'T' && shape.substr(at, 3) == "T()") return false;
  }
  return true;
}

std::string_view inside_braces(std::string_view text) {
  return text.size() > 1 && text.front() == '{' && text.back() == '}' ? text.substr(1, text.size() - 2)
                                                                      : std::string_view();
}

// "{ a = f32[] ...": a computation, and not a list of names.
bool is_computation(std::string_view braced) {
  HloCursor cursor(braced, /*ended=*/true);
  cursor.eat('{');
  cursor.skip();
  cursor.eat("ROOT");
  cursor.skip();
  const bool named = !cursor.name().empty();
  cursor.skip();
  return named && cursor.peek() == '=';
}

}  // namespace

uint32_t InstructionReader::shape_of(std::string_view text) {
  if (const uint32_t known = program_.shapes.find(text); known != kNone) return known;
  if (is_plain(text)) return program_.shapes.of(text);
  std::string plain = squeezed(text);
  // XLA takes an empty tile for none.
  for (size_t at = plain.find("T()"); at != std::string::npos; at = plain.find("T()", at)) {
    plain.erase(at, 3);
    if (at > 0 && plain[at - 1] == ':' && at < plain.size() && plain[at] == '}') plain.erase(at - 1, 1);
  }
  const Result<Shape> shape = Shape::try_parse(plain, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  return shape ? program_.shapes.of(*shape) : kNone;
}

const char* InstructionReader::read(const HloStatement& statement, uint64_t line) {
  why_ = statement.why;
  line_ = line;
  body_ = {};
  operands_.clear();
  const uint32_t instruction =
      add({statement.name, statement.shape, statement.opcode, statement.inside, statement.flag});
  for (const auto& [key, value] : statement.attributes) attribute(instruction, key, value);
  if (!body_.empty()) called(instruction, body_);
  if (statement.shape.empty()) {
    const uint32_t shape = inferred_shape(&program_, builder_, program_.at(instruction));
    if (shape == kNone) fail("no shape, and it cannot be told from the operands");
    program_.instructions[instruction].shape = shape;
  }
  return why_;
}

// The instruction's number. What stands within it is added before it, with numbers of its own.
uint32_t InstructionReader::add(const InstructionParts& parts) {
  const size_t first = operands_.size();
  const bool literal_inside = parts.opcode == "parameter" || parts.opcode == "constant";
  if (!literal_inside) {
    HloCursor cursor(parts.inside, /*ended=*/true);
    for (cursor.skip(); cursor.whole() && cursor.at() < parts.inside.size(); cursor.skip()) {
      const uint32_t local = operand(&cursor);
      if (local == kNone) {
        fail("an operand is not understood");
        const size_t before = cursor.at();
        cursor.value(HloCursor::Inside::kInstructions);
        if (cursor.at() == before && cursor.peek() != ',') cursor.move_to(before + 1);
      } else {
        operands_.push_back(local);
      }
      cursor.skip();
      cursor.eat(',');
    }
  }
  uint32_t shape = kNone;
  if (!parts.shape.empty()) {
    shape = shape_of(parts.shape);
    if (shape == kNone) fail("the text before the opcode is not a shape");
  }
  const auto number = static_cast<uint32_t>(program_.instructions.size());
  builder_.add(parts.name, parts.opcode, shape, parts.root).line =
      static_cast<uint32_t>(std::min<uint64_t>(line_, UINT32_MAX));
  if (literal_inside) literal(number, parts.inside);
  for (size_t at = first; at < operands_.size(); ++at) builder_.operand(operands_[at]);
  operands_.resize(first);
  return number;
}

// "%a", "a", "f32[2]{0} %a", "x#0", "f32[] constant(1)": its number among the computation's names, or kNone.
uint32_t InstructionReader::operand(HloCursor* cursor) {
  const auto ends = [&] { return cursor->at() >= cursor->text().size() || cursor->peek() == ','; };
  const size_t begin = cursor->at();
  std::string_view name = cursor->name();
  cursor->skip();
  if (!name.empty() && ends()) return builder_.local(name);
  std::string_view shape;
  if (cursor->peek() != '#') {
    cursor->move_to(begin);
    shape = cursor->shape();
    cursor->skip();
    const size_t behind = cursor->at();
    name = cursor->name();
    cursor->skip();
    if (ends() && (!name.empty() || !shape.empty())) return typed_operand(shape, name);
    if (cursor->peek() != '#' || name.empty()) {
      cursor->move_to(behind);
      return nested(cursor, shape);
    }
  }
  return element_of(builder_.local(name), name, cursor);
}

// In instructions without their computation an operand's text is all that tells its shape.
uint32_t InstructionReader::typed_operand(std::string_view shape, std::string_view name) {
  if (!program_.fragment) return name.empty() ? kNone : builder_.local(name);
  const std::string made = name.empty() ? fmt::format("operand.{}", ++unnamed_) : std::string(name);
  const uint32_t local = builder_.local(made);
  if (builder_.found(local) != kNone) return local;
  builder_.add(made, "parameter", shape_of(shape), /*root=*/false).line =
      static_cast<uint32_t>(std::min<uint64_t>(line_, UINT32_MAX));
  return local;
}

uint32_t InstructionReader::nested(HloCursor* cursor, std::string_view shape) {
  InstructionParts parts;
  parts.shape = shape;
  parts.opcode = cursor->opcode();
  cursor->skip();
  if (parts.opcode.empty() || cursor->peek() != '(' || depth_ == kDeepest) return kNone;
  const std::string_view bracketed = cursor->bracketed();
  cursor->skip();
  if (!cursor->whole()) return kNone;
  parts.inside = bracketed.substr(1, bracketed.size() - 2);
  const std::string name = fmt::format("{}.anon.{}", parts.opcode, ++unnamed_);
  parts.name = name;
  ++depth_;
  const uint32_t made = add(parts);
  --depth_;
  if (shape.empty()) {
    program_.instructions[made].shape = inferred_shape(&program_, builder_, program_.at(made));
    if (program_.at(made).shape == kNone) fail("no shape, and it cannot be told from the operands");
  }
  return builder_.local(name);
}

// "#0#1" behind a tuple's name: elements that XLA makes once in each computation.
uint32_t InstructionReader::element_of(uint32_t tuple, std::string_view name, HloCursor* cursor) {
  std::string whole(name);
  while (cursor->eat('#')) {
    cursor->skip();
    const std::string_view digits = cursor->name();
    cursor->skip();
    const std::optional<int64_t> index = number(digits);
    const uint32_t from = builder_.found(tuple);
    if (!index || from == kNone) return kNone;
    whole += fmt::format("#{}", *index);
    const uint32_t local = builder_.local(whole);
    if (builder_.found(local) == kNone) {
      const uint32_t all = program_.at(from).shape;
      const Result<Shape> shape = all == kNone ? Result<Shape>(Error(Status::kInvalidArgument, ""))
                                               : program_.shapes.facts(all).shape.try_tuple_element(*index);
      if (!shape) return kNone;
      const uint32_t made = program_.shapes.of(*shape);
      builder_.add(whole, "get-tuple-element", made, /*root=*/false).line =
          static_cast<uint32_t>(std::min<uint64_t>(line_, UINT32_MAX));
      builder_.operand(tuple);
      builder_.number(*index);
    }
    tuple = local;
  }
  return tuple;
}

// Of a parameter its number, of a constant its value where that is one integer.
void InstructionReader::literal(uint32_t instruction, std::string_view text) {
  const Instruction& made = program_.at(instruction);
  const bool scalar = made.shape != kNone && program_.shapes.facts(made.shape).shape.is_effective_scalar();
  if (!scalar && made.opcode == Opcode::kConstant) return;
  if (const std::optional<int64_t> value = number(without_blanks(text))) builder_.number(*value);
}

// Names of computations, maybe in braces, or computations.
void InstructionReader::called(uint32_t instruction, std::string_view names) {
  const auto one = [&](std::string_view text) {
    if (text.starts_with('{')) {
      const Instruction& caller = program_.at(instruction);
      inline_.push_back({fmt::format("{}{{{}}}", program_.name_of(caller), caller.called.first + caller.called.count),
                         std::string(inside_braces(text)), line_});
      return builder_.called(inline_.back().name);
    }
    HloCursor cursor(text, /*ended=*/true);
    cursor.skip();
    if (const std::string_view name = cursor.name(); !name.empty()) builder_.called(name);
  };
  if (names.starts_with('{') && !is_computation(names))
    for_each_item(inside_braces(names), one);
  else
    one(names);
}

void InstructionReader::attribute(uint32_t instruction, std::string_view key, std::string_view value) {
  const Opcode opcode = program_.at(instruction).opcode;
  if (key == "metadata") {
    metadata(instruction, value);
  } else if (key == "calls" || key == "to_apply" || key == "condition" || key == "branch_computations" ||
             key == "true_computation" || key == "false_computation" || key == "called_computations") {
    called(instruction, value);
  } else if (key == "body") {
    body_ = value;
  } else if (key == "backend_config" && opcode == Opcode::kWhile) {
    // It may be a text with another text's quotes in it.
    if (const auto count = known_trip_count(value.starts_with('"') ? unquoted(value) : value)) builder_.number(*count);
  } else if (key == "custom_call_target") {
    if (value == "\"ConcatBitcast\"") program_.instructions[instruction].opcode = Opcode::kConcatBitcast;
  } else if (key == "index" && opcode == Opcode::kGetTupleElement) {
    if (const std::optional<int64_t> index = number(value)) builder_.number(*index);
  } else if (key == "dimensions" && opcode == Opcode::kTranspose) {
    for_each_item(inside_braces(value), [&](std::string_view item) { builder_.number(number(item).value_or(-1)); });
  } else if (key == "direction" && opcode == Opcode::kCompare) {
    if (const auto direction = direction_named(value)) builder_.number(*direction);
  }
}

// {op_type="add" op_name="jit(f)/add" source_file="f.py" source_line=3 stack_frame_id=2}
void InstructionReader::metadata(uint32_t instruction, std::string_view text) {
  text = inside_braces(text);
  std::string file;
  int64_t line = 0, frame = 0;
  HloCursor cursor(text, /*ended=*/true);
  for (cursor.skip(); cursor.whole() && cursor.at() < text.size(); cursor.skip()) {
    const size_t before = cursor.at();
    const std::string_view key = cursor.name();
    if (!cursor.eat('=')) {
      cursor.move_to(before);
      cursor.value();
      if (cursor.at() == before) cursor.move_to(before + 1);
      continue;
    }
    const std::string_view value = cursor.value();
    if (key == "op_name")
      program_.instructions[instruction].op_name = program_.texts.of(unquoted(value));
    else if (key == "source_file")
      file = unquoted(value);
    else if (key == "source_line")
      line = number(value).value_or(0);
    else if (key == "stack_frame_id")
      frame = number(value).value_or(0);
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
