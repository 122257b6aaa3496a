// SPDX-License-Identifier: Apache-2.0
#include "oom_reader.h"

#include <algorithm>
#include <utility>

#include "oom_sentence.h"
#include "oom_table.h"
#include "scan/program/shapes.h"
#include "scanner.h"
#include "stated.h"

namespace xlashape::cli {
namespace {

constexpr size_t kNotFound = std::string_view::npos;
constexpr size_t kLongest = 1 << 16;      // of a line, what is looked at
constexpr int64_t kMostBuffers = 100000;  // of all reports together: a hostile text has more

constexpr std::string_view kUsageTitle = "Memory Space: ";
constexpr std::string_view kStats[] = {"parameter allocation:",
                                       "constant allocation:",
                                       "maybe_live_out allocation:",
                                       "preallocated temp allocation:",
                                       "preallocated temp fragmentation:",
                                       "total allocation:",
                                       "total fragmentation:"};
constexpr std::string_view kAttributes[] = {"Operator: ",
                                            "Entry Parameter Subshape: ",
                                            "Shape: ",
                                            "Unpadded size: ",
                                            "Extra memory due to padding: ",
                                            "XLA label: ",
                                            "XLA Label: ",
                                            "Allocation type: "};

// Lines of HLO text begin so; a log's do not.
bool is_of_a_program(std::string_view line) {
  if (line.empty()) return true;
  return line[0] == ' ' || line[0] == '\t' || line[0] == '%' || line[0] == '}' || line.starts_with("ENTRY ") ||
         line.starts_with("ROOT ");
}

bool is_whole_shape(std::string_view text) {
  Shapes shapes;
  return shapes.of(text) != kNone;
}

}  // namespace

bool OomReader::is_in(std::string_view text) {
  return start_of_oom(text) != kNotFound || has(text, "Largest program allocations in ") || has(text, kCompiledStats) ||
         has(text, "Peak buffers:") || text.starts_with(kUsageTitle) || has(text, "\nMemory Space: ") ||
         has(text, "cumulative_size; ") || (has(text, "Program ") && has(text, " requirement ")) ||
         (has(text, "Size: ") && has(text, "Shape: "));
}

bool OomReader::take(std::string_view line, uint64_t number) {
  number_ = number;
  if (line.starts_with("HloModule ")) {
    end();
    in_program_ = true;
    return false;
  }
  if (in_program_ && !active_ && is_of_a_program(line)) return false;
  line = line.substr(0, kLongest);
  // What follows is the report once more, escaped and cut.
  line = line.substr(0, line.find("CompilationResultProto='"));
  // A report as Python's repr has it: one line.
  if (start_of_oom(line) != kNotFound && has(line, "\\n\\n")) {
    bool taken = false;
    for (size_t at = 0; at <= line.size();) {
      const size_t next = std::min(line.find("\\n", at), line.size());
      // A name has escaped line feeds, too; these are within quotes.
      std::string piece(line.substr(at, next - at));
      for (size_t mark = piece.find("\\\""); mark != kNotFound; mark = piece.find("\\\"", mark)) piece.erase(mark, 1);
      taken = take_piece(piece) || taken;
      at = next + 2;
    }
    return taken;
  }
  return take_piece(line);
}

bool OomReader::take_piece(std::string_view line) {
  if (sentence(line)) return true;
  if (title(line) || item(line) || attribute(line) || compiled(line) || usage(line)) {
    sentence_.clear();  // nothing goes on behind a list
    return true;
  }
  if (has(line, "openxla.org/xla/errors/")) return true;
  return more_of_sentence(line) || part(line);
}

bool OomReader::sentence(std::string_view line) {
  const size_t at = start_of_oom(line);
  if (at == kNotFound) return false;
  // A name that quotes an error is no error.
  if (in_program_ && line.substr(0, at).find('"') != kNotFound) return false;
  for (const std::string_view attribute : kAttributes)
    if (active_ && start_of_word(line, attribute) < at) return false;
  begin();
  sentence_ = line.substr(at, 4000);
  bool complete = false;
  const uint64_t begun = report_.line;
  report_ = read_oom(sentence_, &complete);
  report_.line = begun;
  buffers_ += static_cast<int64_t>(report_.buffers.size());
  lines_left_ = complete ? 0 : 4;
  return true;
}

bool OomReader::more_of_sentence(std::string_view line) {
  if (!active_) return false;
  if (!operator_.empty() && lines_left_ > 0 && item_open_) {
    --lines_left_;
    operator_ += "\n" + std::string(without_blanks(line).substr(0, 4000));
    StatedBuffer* buffer = open_buffer();
    if (quotes_are_closed(operator_)) {
      buffer->op_name = name_in_quotes(operator_, "op_name=");
      buffer->source = source_of(operator_);
      operator_.clear();
      lines_left_ = 0;
    }
    return true;
  }
  if (shape_open_ && lines_left_ > 0 && item_open_) {
    --lines_left_;
    StatedBuffer* buffer = open_buffer();
    buffer->shape += without_blanks(line).substr(0, 4000);
    shape_open_ = !is_whole_shape(buffer->shape);
    return true;
  }
  if (sentence_.empty() || lines_left_ == 0 || section_ != Section::kNone) return false;
  --lines_left_;
  if (without_blanks(line).empty()) {
    lines_left_ = 0;
    return false;
  }
  std::string joined = sentence_;
  if (!joined.ends_with(' ')) joined += ' ';
  joined += without_blanks(line).substr(0, 4000);
  bool complete = false;
  MemoryReport read = read_oom(joined, &complete);
  // A number that a line's end has cut.
  if (!complete) {
    bool whole = false;
    const std::string closed = sentence_ + std::string(without_blanks(line).substr(0, 4000));
    if (MemoryReport other = read_oom(closed, &whole); whole) {
      read = std::move(other);
      complete = true;
    }
  }
  const bool more =
      complete || read.needed != report_.needed || read.available != report_.available || read.space != report_.space;
  if (!more) return false;
  read.line = report_.line;
  report_ = std::move(read);
  sentence_ = std::move(joined);
  if (complete) lines_left_ = 0;
  return true;
}

// The titles of a report's sections.
bool OomReader::title(std::string_view line) {
  for (const auto& [word, kind] : {std::pair<std::string_view, std::string_view>{"Largest program allocations in ", ""},
                                   {"Largest program arguments and outputs in ", "argument or result"},
                                   {"Peak buffers:", ""}}) {
    if (start_of_word(line, word) == kNotFound) continue;
    if (!active_) begin();
    section_ = Section::kBuffers;
    item_open_ = false;
    kind_ = kind;
    if (word != "Peak buffers:" && report_.space.empty()) report_.space = between(line, word, ": ");
    return true;
  }
  const size_t total = start_of_word(line, "Total "), program = start_of_word(line, "Program ");
  const size_t usage = line.find(" usage >= "), requirement = line.find(" requirement ");
  if (total != kNotFound && usage != kNotFound && usage > total) {
    if (has_total_ || !active_) begin();
    has_total_ = true;
    section_ = Section::kTotal;
    const std::string_view space = line.substr(total + 6, usage - total - 6);
    if (report_.space.empty() && space.size() < 16) report_.space = space;
    report_.total.push_back({"total", size_behind(line, " usage >= "), {}, {}});
    return true;
  }
  if (program != kNotFound && requirement != kNotFound && requirement > program) {
    if (has_program_ || !active_) begin();
    has_program_ = true;
    section_ = Section::kProgram;
    const std::string_view space = line.substr(program + 8, requirement - program - 8);
    if (report_.space.empty() && space.size() < 16) report_.space = space;
    report_.program.push_back({"total", size_behind(line, " requirement "), {}, {}});
    return true;
  }
  if (active_ && start_of_word(line, "Output size ") != kNotFound) {
    const StatedSize size = size_behind(line, "Output size ");
    report_.total.push_back({"results", size, {}, {}});
    section_ = Section::kNone;
    return true;
  }
  for (const std::string_view word : kStats) {
    if (start_of_word(line, word) == kNotFound) continue;
    if (!active_) begin();
    report_.program.push_back({std::string(word.substr(0, word.size() - 1)), size_behind(line, word), {}, {}});
    return true;
  }
  return false;
}

// "  1. Size: 32.00G" or "Buffer 1:", "Size: 1.00GiB".
bool OomReader::item(std::string_view line) {
  const size_t buffer = start_of_word(line, "Buffer ");
  if (active_ && buffer != kNotFound && number_behind(line, "Buffer ", ":")) {
    add_buffer({});
    return true;
  }
  const size_t size = start_of_word(line, "Size: ");
  if (size == kNotFound) return false;
  std::string_view before = without_blanks(line.substr(0, size));
  const bool numbered = before.ends_with('.');
  if (numbered) {
    if (!active_) begin();
    add_buffer({});
  }
  if (!active_ || !item_open_) return false;
  StatedBuffer* const open = open_buffer();
  open->size = size_behind(line, "Size: ");
  if (!open->size.known()) ++report_.unread;
  return true;
}

bool OomReader::attribute(std::string_view line) {
  if (!active_ || !item_open_) return false;
  StatedBuffer* const buffer = open_buffer();
  size_t first = kNotFound;
  std::string_view name;
  for (const std::string_view word : kAttributes) {
    const size_t at = start_of_word(line, word);
    if (at < first) {
      first = at;
      name = word;
    }
  }
  if (first == kNotFound) {
    if (!has(line, "=====")) return false;
    close_shape();
    item_open_ = false;
    if (!buffer->size.known()) ++report_.unread;
    return true;
  }
  operator_.clear();
  close_shape();
  lines_left_ = 0;
  const std::string_view value = without_blanks(line.substr(first + name.size()));
  if (name == "Operator: ") {
    buffer->op_name = name_in_quotes(value, "op_name=");
    buffer->source = source_of(value);
    if (!quotes_are_closed(value)) {
      operator_ = value;
      lines_left_ = 60;
    }
  } else if (name == "Shape: " || name == "Entry Parameter Subshape: ") {
    buffer->shape = value.substr(0, 4000);
    if (name != "Shape: ") buffer->kind = "parameter";
    shape_open_ = !is_whole_shape(buffer->shape);
    shape_length_ = buffer->shape.size();
    if (shape_open_) lines_left_ = 3;
  } else if (name == "Unpadded size: ") {
    buffer->unpadded = size_at(value);
  } else if (name == "Extra memory due to padding: ") {
    buffer->padding = size_at(value);
  } else if (name == "Allocation type: ") {
    buffer->kind = value.substr(0, 40);
  } else {
    buffer->label = name_of_label(value);
    if (buffer->op_name.empty()) buffer->op_name = name_in_quotes(value, "op_name=");
  }
  return true;
}

bool OomReader::part(std::string_view line) {
  if (!active_ || (section_ != Section::kTotal && section_ != Section::kProgram)) return false;
  if (without_blanks(line).empty()) {
    section_ = Section::kNone;
    return false;
  }
  std::vector<StatedPart>& parts = section_ == Section::kTotal ? report_.total : report_.program;
  constexpr size_t kMostParts = 100;
  std::optional<StatedPart> part = part_of(line);
  if (!part || parts.size() > kMostParts) return false;
  parts.push_back(std::move(*part));
  return true;
}

// XLA's own table of what is where: "Memory Space: default (color=0)", "Total bytes: 268886528 (256.43MiB)", and rows.
bool OomReader::usage(std::string_view line) {
  if (const size_t at = start_of_word(line, kUsageTitle); at != kNotFound && has(line, "(color=")) {
    begin();
    report_.fails = false;
    section_ = Section::kUsage;
    report_.space = between(line, kUsageTitle, " ");
    if (report_.space == "default") report_.space = "hbm";
    report_.what = "XLA's memory usage report";
    return true;
  }
  if (section_ != Section::kUsage || !active_) return false;
  if (const std::optional<int64_t> total = number_behind(line, "Total bytes: ", " ")) {
    report_.needed = {*total, 0};
    return true;
  }
  if (has(line, "cumulative_size;") || has(line, "----------")) return true;
  if (has(line, "The rest ")) return true;
  bool cut = false;
  std::optional<StatedBuffer> row = usage_row(line, &cut);
  if (cut) ++report_.unread;
  if (!row) return cut;
  add_buffer(std::move(*row));
  item_open_ = false;
  return true;
}

bool OomReader::compiled(std::string_view line) {
  std::optional<MemoryReport> stats = compiled_stats(line);
  if (!stats) return false;
  stats->line = begin().line;
  report_ = std::move(*stats);
  end();
  return true;
}

MemoryReport& OomReader::begin() {
  end();
  report_ = MemoryReport();
  report_.line = number_;
  active_ = true;
  return report_;
}

void OomReader::add_buffer(StatedBuffer&& buffer) {
  close_shape();
  item_open_ = true;
  operator_.clear();
  if (buffers_ >= kMostBuffers) {
    ++report_.unread;
    if (report_.buffers.empty()) report_.buffers.emplace_back();
    report_.buffers.back() = StatedBuffer();
    return;
  }
  ++buffers_;
  buffer.line = number_;
  if (buffer.kind.empty()) buffer.kind = kind_;
  report_.buffers.push_back(std::move(buffer));
}

// A shape that the lines behind it did not complete stays as its own line has it.
void OomReader::close_shape() {
  if (shape_open_) {
    ++report_.unread;
    report_.buffers.back().shape.resize(shape_length_);
  }
  shape_open_ = false;
}

StatedBuffer* OomReader::open_buffer() { return &report_.buffers.back(); }

void OomReader::end() {
  if (active_) {
    close_shape();
    std::erase_if(report_.buffers, [&](const StatedBuffer& buffer) { return !buffer.size.known(); });
    reports_.add(std::move(report_));
  }
  report_ = MemoryReport();
  section_ = Section::kNone;
  kind_.clear();
  sentence_.clear();
  operator_.clear();
  lines_left_ = 0;
  active_ = item_open_ = shape_open_ = has_total_ = has_program_ = false;
}

std::vector<MemoryReport> OomReader::finish() {
  end();
  return reports_.take();
}

}  // namespace xlashape::cli
