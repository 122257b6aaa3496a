// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "cli/base/failure.h"
#include "formats.h"
#include "proto_assignment.h"
#include "scan/program/source.h"
#include "wire.h"

namespace xlashape::cli {
namespace {

// An id counts within its computation; since 2025 the computation's id is in its upper half.
uint32_t local(int64_t id) { return static_cast<uint32_t>(id); }

std::string unknown(int64_t id) { return '#' + std::to_string(id); }

// The value of a LiteralProto whose shape has one element, of a type that takes whole bytes.
bool integer_in(const WireFile& file, std::string_view literal, int64_t* value) {
  int64_t count = 0;
  const auto take = [&](int64_t found) {
    *value = found;
    ++count;
  };
  const auto byte = [](std::string_view bytes, size_t at) { return static_cast<uint8_t>(bytes[at]); };
  for (WireFields field(file, literal); field.next();) {
    const std::string_view bytes = field.bytes();
    field.values(4, take);                                                               // s32s
    field.values(5, take);                                                               // s64s
    field.values(6, [&](int64_t found) { take(static_cast<uint32_t>(found)); });         // u32s
    field.values(7, [&](int64_t found) { found < 0 ? void(count = 2) : take(found); });  // u64s, too large for us
    if (field.is_bytes(3) && bytes.size() == 1) take(byte(bytes, 0));                    // u8s
    if (field.is_bytes(15) && bytes.size() == 1) take(static_cast<int8_t>(bytes[0]));    // s8s
    if (bytes.size() == 2) {
      const auto both =
          static_cast<uint16_t>(field.is_bytes(16) || field.is_bytes(17) ? byte(bytes, 0) | byte(bytes, 1) << 8 : 0);
      if (field.is_bytes(16)) take(both);
      if (field.is_bytes(17)) take(static_cast<int16_t>(both));
    }
  }
  return count == 1;
}

class ProtoModuleReader {
 public:
  ProtoModuleReader(std::string_view bytes, const std::string& path) : file_{path, bytes}, builder_(&module_.program) {
    module_.path = path;
    module_.program.format = "hlo_proto";
    module_.program.text_bytes = bytes.size();
  }

  Module read();

 private:
  struct ProtoComputation {
    std::string_view message, name;
    int64_t id = 0, root = -1;
  };

  void read_head(std::string_view message);
  void read_computation_head(std::string_view message);
  void read_schedule(std::string_view message);
  void read_frames(std::string_view message);
  void read_parameters(std::string_view message, uint32_t number, std::vector<int64_t>* parameters);
  void read_entry_layout(std::string_view message);
  void read_computation(const ProtoComputation& computation);
  void read_instruction(std::string_view message, const ProtoComputation& computation);
  uint32_t read_metadata(std::string_view message, std::string_view* op_name);
  void add_numbers(std::string_view opcode, std::string_view message);
  uint32_t shape_of(std::string_view message, std::string* why_not);

  WireFile file_;
  Module module_;
  ProgramBuilder builder_;
  SourceTable sources_;
  std::vector<ProtoComputation> computations_;
  std::unordered_map<int64_t, std::string_view> computation_names_;
  std::unordered_map<int64_t, std::string_view> sequences_;  // messages, by the computation's id
  std::string_view entry_name_;
  int64_t entry_id_ = -1;
  bool wants_ids_ = false;
  InstructionIds ids_;
  // Of the computation:
  std::vector<std::pair<std::string_view, std::string_view>> instructions_;  // messages and names
  std::unordered_map<uint32_t, uint32_t> by_id_;                             // entries of instructions_
  // Shapes repeat: by their bytes.
  TextPool shape_messages_;
  std::vector<uint32_t> shapes_;
  std::unordered_map<uint32_t, std::string> why_no_shape_;  // by the number in shape_messages_
};

Module ProtoModuleReader::read() {
  // An HloProto has fields 1 and 3, each a message. An HloModuleProto has others too: the entry's name and its shape.
  std::string_view module, assignment;
  bool bare = false;
  for (WireFields field(file_, file_.bytes); field.next();) {
    if (field.is_bytes(1)) module = field.bytes();
    if (field.is_bytes(3)) assignment = field.bytes();
    bare |= field.number() > 3;
  }
  if (bare) {
    module = file_.bytes;
    assignment = {};
  }
  wants_ids_ = !assignment.empty();
  read_head(module);
  if (computations_.empty())
    fail_unsupported("{}: no program found: this protocol buffer has no computations", file_.path);
  std::vector<bool> scheduled;
  for (const ProtoComputation& computation : computations_) {
    scheduled.push_back(sequences_.contains(computation.id));
    read_computation(computation);
  }
  builder_.finish(/*last_is_root=*/false);
  std::sort(ids_.begin(), ids_.end());
  if (!assignment.empty())
    read_proto_assignment(file_, assignment, module_.program, ids_, scheduled, &module_.assignment);
  return std::move(module_);
}

void ProtoModuleReader::read_head(std::string_view message) {
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(1)) module_.program.name = field.bytes();
    if (field.is_bytes(2)) entry_name_ = field.bytes();
    if (field.is_bytes(3)) read_computation_head(field.bytes());
    if (field.is_bytes(4)) read_entry_layout(field.bytes());
    if (field.is_value(6)) entry_id_ = field.value();
    if (field.is_bytes(7)) read_schedule(field.bytes());
    if (field.is_bytes(8)) read_parameters(field.bytes(), 2, &module_.program.aliased_parameters);
    if (field.is_bytes(17)) read_frames(field.bytes());
    if (field.is_bytes(18)) read_parameters(field.bytes(), 1, &module_.program.donated_parameters);
  }
}

void ProtoModuleReader::read_computation_head(std::string_view message) {
  ProtoComputation computation;
  computation.message = message;
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(1)) computation.name = field.bytes();
    if (field.is_value(5)) computation.id = field.value();
    if (field.is_value(6)) computation.root = field.value();
  }
  computation_names_[computation.id] = computation.name;
  computations_.push_back(computation);
}

void ProtoModuleReader::read_schedule(std::string_view message) {
  module_.program.scheduled = true;
  for (WireFields field(file_, message); field.next();) {
    if (!field.is_bytes(1)) continue;
    int64_t id = 0;
    std::string_view sequence;
    for (WireFields entry(file_, field.bytes()); entry.next();) {
      if (entry.is_value(1)) id = entry.value();
      if (entry.is_bytes(2)) sequence = entry.bytes();
    }
    sequences_[id] = sequence;
  }
}

// Files, locations and frames have no ids in the message: the first of each is 1.
void ProtoModuleReader::read_frames(std::string_view message) {
  int64_t files = 0, locations = 0, frames = 0;
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(1)) sources_.add_file(++files, field.bytes());
    if (!field.is_bytes(3) && !field.is_bytes(4)) continue;
    int64_t first = 0, line = 0;
    for (WireFields inside(file_, field.bytes()); inside.next();) {
      if (inside.is_value(1)) first = inside.value();
      if (inside.is_value(3)) line = inside.value();
    }
    if (field.is_bytes(3))
      sources_.add_location(++locations, first, line);
    else
      sources_.add_frame(++frames, first);
  }
}

// Of each entry of an HloInputOutputAliasProto or HloBufferDonorProto the parameter, which is field `number` there.
void ProtoModuleReader::read_parameters(std::string_view message, uint32_t number, std::vector<int64_t>* parameters) {
  for (WireFields field(file_, message); field.next();) {
    if (!field.is_bytes(1)) continue;
    int64_t parameter = 0;
    for (WireFields entry(file_, field.bytes()); entry.next();)
      if (entry.is_value(number)) parameter = entry.value();
    parameters->push_back(parameter);
  }
}

void ProtoModuleReader::read_entry_layout(std::string_view message) {
  std::string why_not;
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(1)) module_.program.entry_parameters.push_back(shape_of(field.bytes(), &why_not));
    if (field.is_bytes(2)) module_.program.entry_result = shape_of(field.bytes(), &why_not);
  }
}

void ProtoModuleReader::read_computation(const ProtoComputation& computation) {
  instructions_.clear();
  by_id_.clear();
  for (WireFields field(file_, computation.message); field.next();) {
    if (!field.is_bytes(2)) continue;
    std::string_view name;
    int64_t id = 0;
    for (WireFields inside(file_, field.bytes()); inside.next();) {
      if (inside.is_bytes(1)) name = inside.bytes();
      if (inside.is_value(35)) id = inside.value();
    }
    by_id_.emplace(local(id), static_cast<uint32_t>(instructions_.size()));
    instructions_.emplace_back(field.bytes(), name);
  }
  const bool entry = entry_id_ >= 0 ? computation.id == entry_id_ : computation.name == entry_name_;
  builder_.begin_computation(computation.name, entry);
  std::vector<bool> done(instructions_.size());
  const auto sequence = sequences_.find(computation.id);
  if (sequence != sequences_.end()) {
    for (WireFields field(file_, sequence->second); field.next();)
      field.values(1, [&](int64_t id) {
        const auto found = by_id_.find(local(id));
        if (found == by_id_.end() || done[found->second]) return;
        done[found->second] = true;
        read_instruction(instructions_[found->second].first, computation);
      });
  }
  for (size_t i = 0; i < instructions_.size(); ++i)
    if (!done[i]) read_instruction(instructions_[i].first, computation);
  builder_.end_computation();
}

void ProtoModuleReader::read_instruction(std::string_view message, const ProtoComputation& computation) {
  std::string_view name, opcode, shape_message, metadata;
  int64_t id = 0;
  std::vector<int64_t> operands, called;
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(1)) name = field.bytes();
    if (field.is_bytes(2)) opcode = field.bytes();
    if (field.is_bytes(3)) shape_message = field.bytes();
    if (field.is_bytes(7)) metadata = field.bytes();
    if (field.is_value(35)) id = field.value();
    field.values(36, [&](int64_t operand) { operands.push_back(operand); });
    field.values(38, [&](int64_t callee) { called.push_back(callee); });
  }
  const auto place = static_cast<uint64_t>(file_.offset_of(message));
  if (opcode.empty()) return module_.unparsed.add(place, name, "an instruction without opcode");
  std::string why_not;
  const uint32_t shape = shape_of(shape_message, &why_not);
  if (shape == kNone) module_.unparsed.add(place, name, why_not);
  std::string_view op_name;
  const uint32_t source = read_metadata(metadata, &op_name);
  if (wants_ids_) ids_.emplace_back(id, static_cast<uint32_t>(module_.program.instructions.size()));
  Instruction& instruction = builder_.add(name, opcode, shape, local(id) == local(computation.root));
  instruction.source = source;
  if (!op_name.empty()) instruction.op_name = module_.program.texts.of(op_name);
  for (const int64_t operand : operands) {
    const auto found = by_id_.find(local(operand));
    builder_.operand(found != by_id_.end() ? instructions_[found->second].second : unknown(operand));
  }
  // XLA has a while's body before its condition.
  if (opcode == "while" && called.size() == 2) std::swap(called[0], called[1]);
  for (const int64_t callee : called) {
    const auto found = computation_names_.find(callee);
    builder_.called(found != computation_names_.end() ? found->second : unknown(callee));
  }
  add_numbers(opcode, message);
}

// The instruction's source; the author's name of it in *op_name.
uint32_t ProtoModuleReader::read_metadata(std::string_view message, std::string_view* op_name) {
  std::string_view source_file;
  int64_t line = 0, frame = 0;
  for (WireFields field(file_, message); field.next();) {
    if (field.is_bytes(2)) *op_name = field.bytes();
    if (field.is_bytes(3)) source_file = field.bytes();
    if (field.is_value(4)) line = field.value();
    if (field.is_value(15)) frame = field.value();
  }
  TextPool* texts = &module_.program.texts;
  const uint32_t source = frame != 0 ? sources_.of_frame(frame, texts) : kNone;
  return source == kNone && !source_file.empty() ? SourceTable::of_line(source_file, line, texts) : source;
}

void ProtoModuleReader::add_numbers(std::string_view opcode, std::string_view message) {
  const Instruction& instruction = module_.program.instructions.back();
  int64_t number = 0;
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kGetTupleElement: {
      const uint32_t wanted = opcode == "parameter" ? 9 : 13;
      for (WireFields field(file_, message); field.next();)
        if (field.is_value(wanted)) number = field.value();
      builder_.number(number);
      break;
    }
    case Opcode::kTranspose:
      for (WireFields field(file_, message); field.next();)
        field.values(14, [&](int64_t dimension) { builder_.number(dimension); });
      break;
    case Opcode::kCompare:
      for (WireFields field(file_, message); field.next();)
        if (field.is_bytes(63))
          if (const auto direction = direction_named(field.bytes())) builder_.number(*direction);
      break;
    case Opcode::kConstant: {
      if (instruction.shape == kNone) break;
      const ShapeFacts& facts = module_.program.shapes.facts(instruction.shape);
      if (!facts.array || facts.shape.rank() != 0) break;
      for (WireFields field(file_, message); field.next();)
        if (field.is_bytes(8) && integer_in(file_, field.bytes(), &number)) builder_.number(number);
      break;
    }
    case Opcode::kWhile:
      for (WireFields field(file_, message); field.next();)
        if (field.is_bytes(43))
          if (const auto count = known_trip_count(field.bytes())) builder_.number(*count);
      break;
    default:
      for (WireFields field(file_, message); opcode == "custom-call" && field.next();)
        if (field.is_bytes(28) && field.bytes() == "ConcatBitcast")
          module_.program.instructions.back().opcode = Opcode::kConcatBitcast;
      break;
  }
}

uint32_t ProtoModuleReader::shape_of(std::string_view message, std::string* why_not) {
  uint32_t number = shape_messages_.find(message);
  if (number == kNone) {
    number = shape_messages_.of(message);
    const Result<Shape> shape =
        Shape::try_from_proto(Span<const uint8_t>(reinterpret_cast<const uint8_t*>(message.data()), message.size()),
                              XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
    shapes_.push_back(shape ? module_.program.shapes.of(*shape) : kNone);
    if (!shape) why_no_shape_[number] = shape.error().message();
  }
  if (shapes_[number] == kNone) *why_not = why_no_shape_[number];
  return shapes_[number];
}

}  // namespace

void read_hlo_proto(std::string_view bytes, const std::string& path, const OnModule& use) {
  use(ProtoModuleReader(bytes, path).read());
}

}  // namespace xlashape::cli
