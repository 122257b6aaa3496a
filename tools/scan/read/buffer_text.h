/* SPDX-License-Identifier: Apache-2.0 */
// XLA's text about buffers: "BufferAssignment:" with its allocations, and "HloLiveRange" with the schedule and the
// times at which values live, in one file or in several.
#pragma once
#include <unordered_map>

#include "input.h"
#include "scan/program/module.h"

namespace xlashape::cli {

// Adds what the text says to `assignment`. A second text about the same module may give the times of its values.
class BufferReader {
 public:
  BufferReader(Assignment* assignment, Unparsed* unparsed);
  void read(Input& input);

 private:
  enum class BufferSection : uint8_t { kNone, kAllocations, kUses, kLiveRange, kSequence, kRanges, kPeak };

  const char* line(std::string_view text);
  bool section(std::string_view text);
  void begin_sequence();
  const char* allocation(std::string_view text);
  const char* value(std::string_view text);
  const char* step(std::string_view text);
  const char* range(std::string_view text);

  Assignment& assignment_;
  Unparsed& unparsed_;
  BufferSection section_ = BufferSection::kNone;
  std::unordered_map<uint32_t, uint32_t> value_of_;  // by name
};

}  // namespace xlashape::cli
