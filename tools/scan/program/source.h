/* SPDX-License-Identifier: Apache-2.0 */
// Where in the author's source an instruction comes from: "decode.py:44". Modules have tables for it; older ones say it
// in each instruction.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pool.h"

namespace xlashape::cli {

class SourceTable {
 public:
  void add_file(int64_t id, std::string_view name) { files_[id] = name; }
  void add_location(int64_t id, int64_t file, int64_t line) { locations_[id] = {file, line}; }
  void add_frame(int64_t id, int64_t location) { frames_[id] = location; }
  // The number in `texts` of a frame's source; kNone where the tables do not have it.
  uint32_t of_frame(int64_t frame, TextPool* texts) const {
    const auto location = frames_.find(frame);
    if (location == frames_.end()) return kNone;
    const auto at = locations_.find(location->second);
    if (at == locations_.end()) return kNone;
    const auto file = files_.find(at->second.file);
    return file == files_.end() ? kNone : of_line(file->second, at->second.line, texts);
  }
  // The same for a file's name and a line.
  static uint32_t of_line(std::string_view file, int64_t line, TextPool* texts) {
    std::string text(file);
    if (line > 0) text += ':' + std::to_string(line);
    return texts->of(text);
  }

 private:
  struct SourceLocation {
    int64_t file = 0, line = 0;
  };
  std::unordered_map<int64_t, std::string> files_;
  std::unordered_map<int64_t, SourceLocation> locations_;
  std::unordered_map<int64_t, int64_t> frames_;
};

}  // namespace xlashape::cli
