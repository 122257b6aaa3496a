/* SPDX-License-Identifier: Apache-2.0 */
// Who writes what is in memory: through tuples, loops, calls and what only passes a value on, to the instruction that
// makes it and to the line of code behind that.
#pragma once
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scan/program/program.h"

namespace xlashape::cli {

class Writers {
 public:
  explicit Writers(const Program& program);

  struct Writer {
    uint32_t instruction = kNone;  // kNone: not known
    // Whose op_name and source tell what the value is: the writer's own, or those of what it stores or takes.
    uint32_t told_by = kNone;
    uint32_t taken = kNone;  // of a writer without words of its own: what it takes
  };
  // Prepares of_value for these values, in one pass over the program.
  void look_for(const std::vector<std::string_view>& values);
  // Of a value as a buffer assignment names it, "while.9{11}"; nothing where the program has no such name. An element
  // of a loop's tuple is written in its body, or before it where the body hands it on.
  Writer of_value(std::string_view value) const;
  // Of an instruction's own result: its own words, or those of what it takes.
  Writer of(uint32_t instruction) const;
  // The same, but of memory without contents the words of who fills it.
  Writer filler_of(uint32_t instruction) const;

 private:
  using Path = std::vector<int64_t>;  // into nested tuples

  bool has_words(uint32_t instruction) const;
  uint32_t walk(uint32_t at, Path* path) const;
  uint32_t user_of(uint32_t buffer, Path* path) const;
  uint32_t within_fusion(const Instruction& fusion, const Path& path) const;
  uint32_t told(uint32_t at, Path path) const;
  Writer writer(uint32_t at, Path path) const;

  const Program& program_;
  std::vector<uint32_t> caller_of_;                   // by computation; kNone
  std::unordered_map<uint32_t, uint32_t> update_of_;  // of an async-start without operands, which its -update has
  std::unordered_map<uint32_t, uint32_t> used_by_;  // the first that uses a buffer without contents, or a tuple of some
  std::unordered_map<std::string_view, uint32_t> named_;  // instructions of the values that were looked for
};

}  // namespace xlashape::cli
