#include "hlo_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/base/dimension.h"
#include "cli/scan/program/source.h"
#include "instruction_text.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

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

class ModuleReader {
 public:
  explicit ModuleReader(const Input& input) : input_(input), instructions_(&module_.program, &builder_) {
    module_.path = input.path();
    module_.program.format = "hlo";
  }
  ModuleReader(const ModuleReader&) = delete;
  ModuleReader& operator=(const ModuleReader&) = delete;

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
  std::optional<ModuleReader> reader(std::in_place, input);
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
