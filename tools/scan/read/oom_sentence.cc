// SPDX-License-Identifier: Apache-2.0
#include "oom_sentence.h"

#include <algorithm>

#include "cli/base/number.h"
#include "scanner.h"
#include "stated.h"

namespace xlashape::cli {
namespace {

// The first that stands in a line wins; "RESOURCE_EXHAUSTED" alone is the least.
constexpr std::string_view kMarks[] = {
    "Ran out of memory",        "Allocation (size=",
    "TensorCore Hbm usage: ",   "Attempting to reserve ",
    "Attempting to allocate ",  "ut of memory while trying to allocate ",
    "ut of memory allocating ", "ran out of memory trying to allocate ",
    "ailed to allocate ",       "The HBM capacity available per TPU core ",
};

std::string text_of(std::string_view text) {
  constexpr size_t kLongest = 300;
  return std::string(without_blanks(text.substr(0, kLongest)));
}

// A name ends at a blank, or at the point that ends the sentence.
std::string name_behind(std::string_view text, std::string_view mark) {
  std::string_view name = between(text, mark, " \n\\'\"");
  while (name.ends_with('.') || name.ends_with(',') || name.ends_with(':')) name.remove_suffix(1);
  return std::string(name);
}

StatedSize difference(const StatedSize& a, const StatedSize& b) {
  if (!a.known() || !b.known()) return {};
  return {a.bytes > b.bytes ? a.bytes - b.bytes : 0, sum(a.rounding, b.rounding)};
}

// "u8[8]{0}, space=hbm, size = 0x8, tag = 'output of x@{}'] :: name"
void read_allocation(std::string_view text, MemoryReport* report) {
  report->needed = {number_behind(text, "(size=", ")").value_or(-1), 0};
  report->available = {number_behind(text, "memory (size=", ")").value_or(-1), 0};
  report->space = name_behind(text, "space=");
  StatedBuffer buffer;
  buffer.size = report->needed;
  buffer.shape = between(text, "shape = '", "'");
  buffer.label = between(text, "tag = '", "'");
  buffer.kind = has(text, ", scoped,") ? "scoped" : "";
  if (!buffer.shape.empty()) report->buffers.push_back(std::move(buffer));
}

// "... while allocating on stack for %name = f32[8]{0} fusion(...). Scoped allocation with size 31.07M and limit 16.00M
// exceeded scoped vmem limit by 15.07M."
void read_stack(std::string_view text, MemoryReport* report, bool* complete) {
  report->needed = size_behind(text, "Scoped allocation with size ");
  report->available = size_behind(text, " and limit ");
  report->over = size_behind(text, " limit by ");
  *complete = report->over.known();
  StatedBuffer buffer;
  std::string_view instruction = text.substr(text.find("on stack for ") + 13);
  if (instruction.starts_with('%')) instruction.remove_prefix(1);
  const size_t equals = instruction.find(" = ");
  if (equals == std::string_view::npos || equals > 1000) return;
  buffer.label = instruction.substr(0, equals);
  buffer.size = report->needed;
  buffer.kind = "stack";
  buffer.op_name = name_in_quotes(instruction, "op_name=");
  report->buffers.push_back(std::move(buffer));
}

void read_space(std::string_view text, MemoryReport* report, bool* complete) {
  report->space = name_behind(text, "in memory space ");
  if (has(text, "on stack for ")) return read_stack(text, report, complete);
  const size_t used = text.find("Used ");
  if (used != std::string_view::npos) {
    report->needed = size_behind(text.substr(used), "Used ");
    report->available = size_behind(text.substr(used), " of ");
  }
  report->over = size_behind(text, " capacity by ");
  *complete = report->over.known();
}

}  // namespace

size_t start_of_oom(std::string_view line) {
  size_t first = std::string_view::npos;
  for (const std::string_view mark : kMarks) first = std::min(first, line.find(mark));
  // A word before the mark begins the sentence: "Out", "Failed".
  if (first != std::string_view::npos) return first > 0 && line[first] >= 'a' && line[first] != 'r' ? first - 1 : first;
  return line.find("RESOURCE_EXHAUSTED");
}

MemoryReport read_oom(std::string_view text, bool* complete) {
  MemoryReport report;
  report.what = text_of(text);
  report.module = name_behind(text, "HLO module: ");
  *complete = true;
  if (text.starts_with("Ran out of memory on HBM")) {
    report.space = "hbm";
    const size_t needed = text.find(" (");
    if (needed != std::string_view::npos) report.needed = size_behind(text.substr(needed), "(");
    report.available = size_behind(text, "available HBM (");
    *complete = !report.module.empty();
  } else if (text.starts_with("Ran out of memory")) {
    read_space(text, &report, complete);
  } else if (text.starts_with("Allocation (size=")) {
    read_allocation(text, &report);
  } else if (text.starts_with("TensorCore Hbm usage: ")) {
    report.space = "hbm";
    const StatedSize tensor_core = size_behind(text, "TensorCore Hbm usage: ");
    const StatedSize sparse_core = size_behind(text, "SparseCore Hbm usage ");
    report.available = size_behind(text, "available bytes: ");
    report.total = {{"TensorCore", tensor_core, {}, {}}, {"SparseCore", sparse_core, {}, {}}};
    if (tensor_core.known() && sparse_core.known())
      report.needed = {sum(tensor_core.bytes, sparse_core.bytes), sum(tensor_core.rounding, sparse_core.rounding)};
    *complete = report.available.known();
  } else if (text.starts_with("Attempting to ")) {
    report.space = "hbm";
    report.needed = size_behind(text, text.starts_with("Attempting to reserve ") ? "to reserve " : "to allocate ");
    report.available = size_behind(text, "free, 0B reserved, and ");
    if (!report.available.known()) report.available = size_behind(text, "There are ");
    *complete = report.available.known();
  } else if (text.starts_with("The HBM capacity")) {
    report.space = "hbm";
    report.available = size_behind(text, "per TPU core (");
    report.needed = size_behind(text, "after padding (");
    *complete = report.needed.known();
  } else {
    // A rounded number and the exact one: "154.06GiB (165425291480 bytes)", "27.93GiB (rounded to 29995136256)".
    for (const std::string_view mark : {"to allocate ", "memory allocating ", "allocate request for "}) {
      if (!report.needed.known()) report.needed = bytes_behind(text, mark);
    }
    const size_t bracket = text.find('(');
    if (bracket != std::string_view::npos && bracket < 200) {
      const StatedSize exact = bytes_behind(text, "(");
      if (exact.known() && exact.rounding == 0) report.needed = exact;
    }
  }
  if (!report.over.known()) report.over = difference(report.needed, report.available);
  return report;
}

}  // namespace xlashape::cli
