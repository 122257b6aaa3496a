// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/number.h"
#include "formats.h"
#include "scan/program/program.h"
#include "scan/program/source.h"
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

// One instruction of HLO text:
//     ROOT %add.3 = f32[2]{0} add(%a, %b), metadata={op_name="jit(f)/add" stack_frame_id=2}
class InstructionReader {
 public:
  InstructionReader(Program* program, ProgramBuilder* builder) : program_(*program), builder_(*builder) {}

  SourceTable& sources() { return sources_; }
  // Reads a line without the blanks around it into the builder. Null, or why it is not understood; then nothing is
  // added, or only an instruction without a shape.
  const char* read(std::string_view line, uint64_t number);

 private:
  void operands(Opcode opcode, std::string_view text, uint32_t shape);
  void attributes(uint32_t instruction, std::string_view text);
  void attribute(uint32_t instruction, std::string_view key, std::string_view value);
  void metadata(uint32_t instruction, std::string_view text);
  void called(std::string_view names);
  uint32_t source_of(int64_t frame);

  Program& program_;
  ProgramBuilder& builder_;
  SourceTable sources_;
  std::unordered_map<int64_t, uint32_t> source_of_frame_;
  std::string_view body_;  // of a while, to be called after its condition
};

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

constexpr std::string_view kModule = "HloModule ";

// "{file_name_id=1 function_name_id=4 line=44}": the number behind `key`, 0 where it is missing, as a proto's field.
int64_t field(std::string_view text, std::string_view key) {
  for (size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const bool whole = at > 0 && (text[at - 1] == '{' || text[at - 1] == ' ');
    const size_t from = at + key.size();
    if (!whole || from >= text.size() || text[from] != '=') continue;
    const size_t end = std::min(text.find_first_of(" }", from), text.size());
    return number(text.substr(from + 1, end - from - 1)).value_or(0);
  }
  return 0;
}

class TextModuleReader {
 public:
  explicit TextModuleReader(const Input& input) : input_(input), instructions_(&module_.program, &builder_) {
    module_.path = input.path();
    module_.program.format = "hlo";
  }
  TextModuleReader(const TextModuleReader&) = delete;
  TextModuleReader& operator=(const TextModuleReader&) = delete;

  bool empty() const { return !named_ && module_.program.computations.empty(); }

  void line(std::string_view text) {
    const std::string_view whole = text;
    text = without_blanks(text);
    if (text.empty() || text.starts_with("//")) return;
    if (builder_.in_computation()) {
      if (text.front() == '}') {
        builder_.end_computation();
        return;
      }
      const char* why = instructions_.read(text, input_.line_number());
      if (input_.was_cut()) why = "a line of more than 64 MiB: what is behind them is not read";
      if (why != nullptr) note(whole, why);
      return;
    }
    if (text.starts_with(kModule)) {
      module_line(text.substr(kModule.size()));
    } else if (text.back() == '{') {
      computation(text.substr(0, text.size() - 1));
    } else if (!table_line(text)) {
      note(whole, "neither a computation nor part of a table");
    }
  }

  Module finish(uint64_t bytes) {
    if (builder_.in_computation()) note("", "the text ends within a computation");
    // The line that says ROOT may be among those that are not understood.
    builder_.finish(/*last_is_root=*/module_.unparsed.count() == 0);
    Program& program = module_.program;
    program.text_bytes = bytes;
    if (!program.partitions) program.partitions = 1;
    // The partitioner, which runs before the schedule is made, gives the entry a name that ends so.
    if (program.entry != kNone)
      program.partitioned = *program.partitions <= 1 || program.scheduled ||
                            program.text(program.computations[program.entry].name).ends_with("_spmd");
    return std::move(module_);
  }

 private:
  void note(std::string_view text, const char* why) { module_.unparsed.add(input_.line_number(), text, why); }

  void module_line(std::string_view text) {
    named_ = true;
    const size_t end = std::min(text.find_first_of(", "), text.size());
    module_.program.name = text.substr(0, end);
    for_each_piece(text.substr(end), [&](std::string_view piece) {
      constexpr std::string_view kLayout = "entry_computation_layout=", kAliases = "input_output_alias=",
                                 kDonors = "buffer_donor=", kPartitions = "num_partitions=";
      if (piece == "is_scheduled=true") module_.program.scheduled = true;
      if (piece.starts_with(kLayout)) entry_layout(piece.substr(kLayout.size()));
      Program& program = module_.program;
      if (piece.starts_with(kAliases)) parameters_in(piece.substr(kAliases.size()), &program.aliased_parameters);
      if (piece.starts_with(kDonors)) parameters_in(piece.substr(kDonors.size()), &program.donated_parameters);
      if (piece.starts_with(kPartitions)) program.partitions = number(piece.substr(kPartitions.size())).value_or(1);
    });
  }

  // "{ {0}: (3, {}, may-alias), {1}: (4, {}, must-alias) }", "{ (0, {}), (1, {}) }": the numbers of the parameters.
  static void parameters_in(std::string_view text, std::vector<int64_t>* numbers) {
    if (!text.starts_with('{') || !text.ends_with('}')) return;
    for_each_piece(text.substr(1, text.size() - 2), [&](std::string_view piece) {
      const size_t open = piece.find('(');
      if (open == std::string_view::npos) return;
      const size_t end = end_of_piece(piece, open + 1, ',');
      if (const auto parameter = number(without_blanks(piece.substr(open + 1, end - open - 1))))
        numbers->push_back(*parameter);
    });
  }

  // "{(f32[2]{0}, s32[])->(f32[2]{0})}"
  void entry_layout(std::string_view text) {
    if (!text.starts_with("{(")) return;
    const size_t close = end_of_piece(text, 2, ')');
    for_each_piece(text.substr(2, close - 2), [&](std::string_view piece) {
      module_.program.entry_parameters.push_back(module_.program.shapes.of(without_comment(piece)));
    });
    const std::string_view rest = text.substr(std::min(close + 1, text.size()));
    if (rest.starts_with("->") && rest.ends_with('}'))
      module_.program.entry_result = module_.program.shapes.of(rest.substr(2, rest.size() - 3));
  }

  // "ENTRY %main.4 (a: f32[2]) -> f32[2]"; the shapes here have no layouts, so they are not counted where the
  // instructions are known.
  void computation(std::string_view text) {
    constexpr std::string_view kEntry = "ENTRY ";
    const bool entry = text.starts_with(kEntry);
    if (entry) text = without_blanks(text.substr(kEntry.size()));
    const size_t end = std::min(text.find_first_of(" ("), text.size());
    const std::string_view name = without_percent(text.substr(0, end)), rest = without_blanks(text.substr(end));
    if (name.empty()) return note(text, "a computation without a name");
    // An instruction whose line ends with a brace, behind what looked like the computation's end.
    if (!rest.empty() && rest.front() != '(') return note(text, "neither a computation nor part of a table");
    builder_.begin_computation(name, entry);
    if (!entry) return;
    constexpr std::string_view kArrow = ") -> ";
    const size_t close = rest.empty() ? 0 : end_of_piece(rest, 1, ')');
    module_.program.entry_signature = rest.substr(close, kArrow.size()) == kArrow
                                          ? module_.program.shapes.of(rest.substr(close + kArrow.size()))
                                          : kNone;
  }

  // The tables of sources: a title, then a number and a text or fields in each line.
  bool table_line(std::string_view text) {
    enum { kFiles, kFunctions, kLocations, kFrames };
    constexpr std::string_view kTitles[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
    for (int title = 0; title < 4; ++title) {
      if (text != kTitles[title]) continue;
      table_ = title;
      return true;
    }
    const size_t blank = text.find(' ');
    const std::optional<int64_t> id = number(text.substr(0, std::min(blank, text.size())));
    if (!id || blank == std::string_view::npos || !table_) return false;
    const std::string_view rest = text.substr(blank + 1);
    if (table_ == kFiles) instructions_.sources().add_file(*id, unquoted(rest));
    if (table_ == kLocations)
      instructions_.sources().add_location(*id, field(rest, "file_name_id"), field(rest, "line"));
    if (table_ == kFrames) instructions_.sources().add_frame(*id, field(rest, "file_location_id"));
    return true;
  }

  const Input& input_;
  Module module_;
  ProgramBuilder builder_{&module_.program};
  InstructionReader instructions_;
  std::optional<int> table_;
  bool named_ = false;
};

}  // namespace

void read_hlo_text(Input& input, const OnModule& use) {
  std::optional<TextModuleReader> reader(std::in_place, input);
  uint64_t begin = 0, bytes = 0;
  std::string_view line;
  while (input.next_line(&line)) {
    if (line.starts_with(kModule) && !reader->empty()) {
      use(reader->finish(bytes - begin));
      reader.emplace(input);
      begin = bytes;
    }
    reader->line(line);
    bytes += line.size() + 1;
  }
  if (!reader->empty()) use(reader->finish(bytes - begin));
}

}  // namespace xlashape::cli
