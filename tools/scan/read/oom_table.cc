// SPDX-License-Identifier: Apache-2.0
#include "oom_table.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/base/number.h"
#include "log_prefix.h"
#include "scan/program/shapes.h"
#include "scanner.h"
#include "stated.h"

namespace xlashape::cli {
namespace {

// The fields between two and more blanks, or tabs; of a line like "name value" with one blank the two.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && line[end] != '\t' && line.substr(end, 2) != "  ") ++end;
    if (const std::string_view field = without_blanks(line.substr(at, end - at)); !field.empty())
      fields.push_back(field);
    at = end;
    while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  }
  return fields;
}

}  // namespace

std::optional<StatedPart> part_of(std::string_view line) {
  constexpr size_t kNotFound = std::string_view::npos, kLongestName = 60;
  std::vector<std::string_view> fields = fields_of(without_prefix(line));
  if (fields.size() == 1) {
    // One blank: "reserved(Infeed) 529.00M", "arguments unknown size".
    const std::string_view field = fields[0];
    size_t blank = field.ends_with(" unknown size") ? field.size() - 13 : field.find(" (");
    if (blank == kNotFound) blank = field.size();
    if (!field.ends_with(" unknown size")) blank = field.substr(0, blank).rfind(' ');
    if (blank == kNotFound) return std::nullopt;
    fields = {field.substr(0, blank), field.substr(blank + 1)};
  }
  if (fields.size() < 2) return std::nullopt;
  // A last field without a size tells more of the one before.
  const std::string_view value = fields.back();
  std::string_view name = fields[fields.size() - 2];
  const StatedSize size = size_at(value);
  if (!size.known() && value != "unknown size") return std::nullopt;
  if (name.size() > kLongestName) return std::nullopt;
  return StatedPart{std::string(name), size, size_behind(value, "Unpadded ("), size_behind(value, "fragmentation (")};
}

std::optional<StatedBuffer> usage_row(std::string_view line, bool* cut) {
  std::vector<std::string_view> cells;
  for (size_t at = 0; at <= line.size() && cells.size() < 5;) {
    const size_t end = cells.size() == 4 ? line.size() : std::min(line.find(';', at), line.size());
    cells.push_back(without_blanks(line.substr(at, end - at)));
    at = end + 1;
  }
  *cut = cells.size() < 5 && has(line, "%);");
  if (cells.size() < 5) return std::nullopt;
  StatedBuffer buffer;
  buffer.size = size_at(cells[1]);
  if (!buffer.size.known()) return std::nullopt;
  // Values may share the memory one after the other: the largest stands for all.
  Shapes shapes;
  int64_t most = -1, count = 0;
  for_each_piece(cells[4], [&](std::string_view piece) {
    if (const size_t times = piece.find("\xc3\x97"); times != std::string_view::npos && times < 12)
      piece = piece.substr(times + 2);
    const uint32_t shape = ++count <= 100 ? shapes.of(piece) : kNone;
    const int64_t bytes = shape != kNone && shapes.facts(shape).sized ? shapes.facts(shape).bytes : 0;
    if (bytes <= most) return;
    most = bytes;
    buffer.shape = piece;
  });
  if (count > 1) buffer.kind = "shared by " + std::string(cells[3].substr(0, 12)) + " values";
  return buffer;
}

std::optional<MemoryReport> compiled_stats(std::string_view line) {
  const size_t at = line.find(kCompiledStats);
  if (at == std::string_view::npos) return std::nullopt;
  MemoryReport report;
  report.fails = false;
  report.of_program = true;
  report.what = "jax's memory_analysis()";
  report.space = "hbm";
  int64_t needed = 0;
  bool all = true;
  for (const auto& [field, name, sign] :
       {std::tuple<std::string_view, std::string_view, int64_t>{"(generated_code_size_in_bytes=", "code", 1},
        {" argument_size_in_bytes=", "arguments", 1},
        {" output_size_in_bytes=", "results", 1},
        {" alias_size_in_bytes=", "shared by arguments and results", -1},
        {" temp_size_in_bytes=", "temporary", 1}}) {
    const std::optional<int64_t> bytes = number_behind(line.substr(at), field, ",)");
    report.total.push_back({std::string(name), {bytes.value_or(-1), 0}, {}, {}});
    all = all && bytes;
    if (bytes) needed = sum(needed, sign * *bytes);
  }
  if (all && needed >= 0) report.needed = {needed, 0};
  return report;
}

}  // namespace xlashape::cli
