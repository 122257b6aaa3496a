// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/number.h"
#include "formats.h"
#include "hlo_instruction.h"
#include "hlo_source.h"
#include "hlo_statement.h"
#include "scan/program/program.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

using Kind = HloStatement::Kind;

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

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

class TextModuleReader {
 public:
  explicit TextModuleReader(const std::string& path) : instructions_(&module_.program, &builder_) {
    module_.path = path;
    module_.program.format = "hlo";
  }
  TextModuleReader(const TextModuleReader&) = delete;
  TextModuleReader& operator=(const TextModuleReader&) = delete;

  bool empty() const { return !named_ && module_.program.computations.empty(); }
  bool in_computation() const { return builder_.in_computation(); }

  // `text`: of the statement, from its begin.
  void read(const HloStatement& statement, std::string_view text, uint64_t line) {
    line_ = line;
    if (statement.kind != Kind::kInstruction && statement.why != nullptr) note(text, statement.why);
    switch (statement.kind) {
      case Kind::kModule:
        return module_head(statement);
      case Kind::kComputation:
        if (in_computation()) note(text, "a computation within another, which does not end");
        return computation(statement);
      case Kind::kEnd:
        return end_computation();
      case Kind::kInstruction:
        return instruction(statement, text);
      case Kind::kTitle:
        table_ = statement.name;
        return;
      case Kind::kRow:
        return row(statement, text);
      default:
        return;
    }
  }

  void note(std::string_view text, const char* why) { module_.unparsed.add(line_, first_line(text), why); }

  Module finish(uint64_t bytes) {
    Program& program = module_.program;
    if (in_computation()) {
      if (!program.fragment) note("", "the text ends within a computation");
      end_computation();
    }
    if (program.entry == kNone && module_.unparsed.count() == 0 && last_ != kNone && may_be_entry())
      builder_.entry(last_);
    // The line that says ROOT may be among those that are not understood.
    builder_.finish(/*last_is_root=*/module_.unparsed.count() == 0 && !program.fragment);
    program.text_bytes = bytes;
    if (!program.partitions) program.partitions = 1;
    // The partitioner, which runs before the schedule is made, gives the entry a name that ends so.
    if (program.entry != kNone)
      program.partitioned = *program.partitions <= 1 || program.scheduled ||
                            program.text(program.computations[program.entry].name).ends_with("_spmd");
    return std::move(module_);
  }

 private:
  void module_head(const HloStatement& statement) {
    named_ = true;
    Program& program = module_.program;
    program.name = statement.name;
    for (const auto& [key, value] : statement.attributes) {
      if (key == "is_scheduled") program.scheduled = value == "true";
      if (key == "entry_computation_layout") entry_layout(value);
      if (key == "input_output_alias") parameters_in(value, &program.aliased_parameters);
      if (key == "buffer_donor") parameters_in(value, &program.donated_parameters);
      if (key == "num_partitions") program.partitions = number(value).value_or(1);
    }
  }

  // "{ {0}: (3, {}, may-alias), {1}: (4, {}, must-alias) }", "{ (0, {}), (1, {}) }": the numbers of the parameters.
  static void parameters_in(std::string_view text, std::vector<int64_t>* numbers) {
    if (!text.starts_with('{') || !text.ends_with('}')) return;
    for_each_item(text.substr(1, text.size() - 2), [&](std::string_view piece) {
      const size_t open = piece.find('(');
      if (open == std::string_view::npos) return;
      const size_t end = end_of_piece(piece, open + 1, ',');
      if (const auto parameter = number(without_blanks(piece.substr(open + 1, end - open - 1))))
        numbers->push_back(*parameter);
    });
  }

  // "{(f32[2]{0}, s32[])->(f32[2]{0})}"
  void entry_layout(std::string_view text) {
    HloCursor cursor(text, /*ended=*/true);
    cursor.eat('{');
    cursor.skip();
    if (cursor.peek() != '(') return;
    const std::string_view parameters = cursor.bracketed();
    if (!cursor.whole()) return;
    for (HloCursor inside(parameters.substr(1, parameters.size() - 2), /*ended=*/true); inside.whole();) {
      inside.skip();
      if (inside.at() >= inside.text().size()) break;
      const std::string_view shape = inside.shape();
      module_.program.entry_parameters.push_back(instructions_.shape_of(shape));
      inside.skip();
      if (!inside.eat(',')) break;
    }
    cursor.skip();
    if (!cursor.rest().starts_with("->")) return;
    cursor.move_to(cursor.at() + 2);
    cursor.skip();
    const std::string_view result = cursor.shape();
    if (!result.empty()) module_.program.entry_result = instructions_.shape_of(result);
  }

  // "ENTRY %main.4 (a: f32[2]) -> f32[2] {"; the shapes here have no layouts, so they are not counted where the
  // instructions are known.
  void computation(const HloStatement& statement) {
    end_computation();
    if (module_.program.fragment) {
      note(statement.name, "instructions before this computation, in none");
      module_.program.fragment = false;
    }
    last_ = static_cast<uint32_t>(module_.program.computations.size());
    builder_.begin_computation(statement.name, statement.flag);
    if (!statement.flag) return;
    module_.program.entry_signature = statement.shape.empty() ? kNone : instructions_.shape_of(statement.shape);
  }

  void end_computation() {
    if (in_computation()) builder_.end_computation();
    // Computations within instructions, and those within theirs.
    for (auto waiting = instructions_.take_inline(); !waiting.empty();) {
      const InstructionReader::InlineComputation one = std::move(waiting.back());
      waiting.pop_back();
      builder_.begin_computation(one.name, /*entry=*/false);
      inline_computation(one.text, one.line);
      builder_.end_computation();
      for (auto& inner : instructions_.take_inline()) waiting.push_back(std::move(inner));
    }
  }

  void inline_computation(std::string_view text, uint64_t line) {
    HloStatement inside;
    while (!text.empty()) {
      read_statement(text, /*ended=*/true, /*in_computation=*/true, &inside);
      const std::string_view own = text.substr(inside.begin, inside.end - inside.begin);
      line += static_cast<uint64_t>(std::count(text.begin(), text.begin() + static_cast<int64_t>(inside.begin), '\n'));
      line_ = line;
      if (inside.kind == Kind::kInstruction)
        instruction(inside, own);
      else if (inside.kind != Kind::kNothing)
        note(own, "neither an instruction nor the end of a computation");
      line += static_cast<uint64_t>(std::count(own.begin(), own.end(), '\n'));
      text.remove_prefix(std::min(std::max<size_t>(inside.end, 1), text.size()));
    }
  }

  void instruction(const HloStatement& statement, std::string_view text) {
    if (!in_computation()) {
      if (named_ || last_ != kNone || module_.program.fragment) return note(text, "an instruction in no computation");
      // Lines that somebody took out of a program.
      module_.program.fragment = true;
      builder_.begin_computation("", /*entry=*/true);
    }
    if (const char* why = instructions_.read(statement, line_)) note(text, why);
  }

  // The last computation is the entry where none is said to be it, as for XLA; but the entry of a text whose end is
  // missing is missing, too, and then the module's head speaks of other parameters.
  bool may_be_entry() const {
    const Program& program = module_.program;
    if (program.entry_parameters.empty() && program.entry_result == kNone) return true;
    std::vector<uint32_t> parameters(program.entry_parameters.size(), kNone);
    for (const Instruction& instruction : program.instructions_of(program.computations[last_])) {
      if (instruction.opcode != Opcode::kParameter) continue;
      const auto number = program.first_number_of(instruction);
      if (!number || *number < 0 || *number >= static_cast<int64_t>(parameters.size())) return false;
      parameters[static_cast<size_t>(*number)] = instruction.shape;
    }
    for (size_t i = 0; i < parameters.size(); ++i) {
      const uint32_t wanted = program.entry_parameters[i];
      if (wanted == kNone || parameters[i] == kNone) return false;
      if (!program.shapes.facts(wanted).shape.compatible(program.shapes.facts(parameters[i]).shape)) return false;
    }
    return true;
  }

  // The tables of sources: a title, then a number and a text or fields in each row.
  void row(const HloStatement& statement, std::string_view text) {
    const std::optional<int64_t> id = number(statement.name);
    const std::string_view rest = statement.inside;
    if (!id || table_.empty()) return note(text, "neither a computation nor part of a table");
    SourceTable& sources = instructions_.sources();
    if (table_ == "FileNames") sources.add_file(*id, unquoted(rest));
    if (table_ == "FileLocations") sources.add_location(*id, field(rest, "file_name_id"), field(rest, "line"));
    if (table_ == "StackFrames") sources.add_frame(*id, field(rest, "file_location_id"));
  }

  Module module_;
  ProgramBuilder builder_{&module_.program};
  InstructionReader instructions_;
  std::string table_;
  uint64_t line_ = 0;
  uint32_t last_ = kNone;  // the last computation that is not within an instruction
  bool named_ = false;
};

}  // namespace

void read_hlo_text(Input& input, const OnModule& use) {
  constexpr size_t kWindow = 1 << 16;
  HloSource source(input);
  std::optional<TextModuleReader> reader(std::in_place, source.path());
  HloStatement statement;
  uint64_t begin = 0;
  for (size_t size = kWindow;;) {
    const std::string_view window = source.window(size);
    const bool ended = window.size() < size, longest = size >= Input::kLongestLine;
    if (window.empty()) break;
    read_statement(window, ended || longest, reader->in_computation(), &statement);
    if (statement.more) {
      size *= 2;
      continue;
    }
    if (longest && !ended && window.size() - statement.end < kWindow)
      statement.why = "a statement of more than 64 MiB: what is behind them is not read";
    size = kWindow;
    const std::string_view text = window.substr(statement.begin, statement.end - statement.begin);
    source.advance(statement.begin);
    if (statement.kind == Kind::kModule && !reader->empty()) {
      use(reader->finish(source.place() - begin));
      reader.emplace(source.path());
      begin = source.place();
    }
    reader->read(statement, text, source.line_number());
    source.advance(statement.end == statement.begin ? std::min<size_t>(1, window.size() - statement.begin)
                                                    : text.size());
  }
  if (!reader->empty()) use(reader->finish(source.place() - begin));
}

}  // namespace xlashape::cli
