/* SPDX-License-Identifier: Apache-2.0 */
// What is told about a report of memory: its numbers, and its arrays with what their shapes say.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/base/human.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "scan/program/memory_report.h"
#include "summary.h"

namespace xlashape::cli {

// Equal arrays of one list.
struct StatedRow {
  StatedBuffer buffer;  // the first one
  int64_t count = 1;
  int64_t other_names = 0;  // of those that the others have
  bool understood = false;  // the shape
  // Computed from the shape, of one array.
  std::optional<int64_t> bytes, logical_bytes;
  std::optional<Better> better;
  std::string differs;  // why the report's size is another one; empty where it is not
};

struct OomSummary {
  std::string path;
  MemoryReport report;          // without its buffers
  std::vector<StatedRow> rows;  // the largest first
  int64_t rows_left_out = 0;
  int64_t listed = 0;                // bytes of all buffers
  std::vector<std::string> targets;  // that have as much memory as is available
};

// Of one array what is data and what is padding; none where there is no padding, or nothing is known of it.
struct StatedWaste {
  int64_t data = 0, padding = 0;
};
std::optional<StatedWaste> waste_of(const StatedRow& row);

// How to get what the text has not; no commands where nothing lacks.
struct NextStep {
  std::string_view why;
  std::vector<std::string> commands;
};
NextStep next_step(const OomSummary& summary);

OomSummary oom_summary(MemoryReport&& report, const std::string& path, size_t rows);
Json oom_json(const OomSummary& summary);

class OomText {
 public:
  explicit OomText(const Common& common);
  void print(const OomSummary& summary) const;

 private:
  void numbers(const MemoryReport& report) const;
  void parts(std::string_view title, const std::vector<StatedPart>& parts) const;
  void row(const StatedRow& row) const;
  void next(const NextStep& step) const;
  std::string cut(std::string_view text, size_t used) const;

  Paint paint_;
  std::optional<size_t> width_;
};

// "41.74 GiB": two digits, as compilers write them.
inline std::string stated_text(int64_t bytes) { return human_size(bytes, 2); }

}  // namespace xlashape::cli
