/* SPDX-License-Identifier: Apache-2.0 */
// Reads reports of memory out of any text, line by line: whatever stands around them, before each line or between them
// is not looked at.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oom_reports.h"
#include "scan/program/memory_report.h"

namespace xlashape::cli {

class OomReader {
 public:
  // Whether the line belongs to a report. Lines of a program never do.
  bool take(std::string_view line, uint64_t number);
  // All that were read; equal ones are one.
  std::vector<MemoryReport> finish();

  // Whether a text may begin with a report, or with lines before one.
  static bool is_in(std::string_view text);

 private:
  enum class Section : uint8_t { kNone, kTotal, kProgram, kBuffers, kUsage };

  bool take_piece(std::string_view line);
  bool sentence(std::string_view line);
  bool more_of_sentence(std::string_view line);
  bool title(std::string_view line);
  bool item(std::string_view line);
  bool attribute(std::string_view line);
  bool part(std::string_view line);
  bool usage(std::string_view line);
  bool compiled(std::string_view line);

  MemoryReport& begin();
  void add_buffer(StatedBuffer&& buffer);
  StatedBuffer* open_buffer();
  void close_shape();
  void end();

  OomReports reports_;
  MemoryReport report_;
  Section section_ = Section::kNone;
  std::string kind_;      // of the list's buffers
  std::string sentence_;  // that may go on in the next line
  std::string operator_;  // likewise, of the open buffer: within quotes
  uint64_t number_ = 0;
  size_t shape_length_ = 0;
  int lines_left_ = 0;  // of what may go on
  bool active_ = false, in_program_ = false, item_open_ = false, shape_open_ = false, has_total_ = false,
       has_program_ = false;
  int64_t buffers_ = 0;  // of all reports
};

}  // namespace xlashape::cli
