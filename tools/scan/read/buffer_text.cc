// SPDX-License-Identifier: Apache-2.0
#include "buffer_text.h"

#include <algorithm>
#include <optional>

#include "cli/base/number.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

// Takes `start` from the text, if it begins so.
bool take(std::string_view* text, std::string_view start) {
  if (!text->starts_with(start)) return false;
  text->remove_prefix(start.size());
  return true;
}

// Takes a number from 0 on.
std::optional<int64_t> take_number(std::string_view* text) {
  const size_t end = std::min(text->find_first_not_of("0123456789"), text->size());
  const std::optional<int64_t> value = number(text->substr(0, end));
  if (value) text->remove_prefix(end);
  return value;
}

}  // namespace

BufferReader::BufferReader(Assignment* assignment, Unparsed* unparsed)
    : assignment_(*assignment), unparsed_(*unparsed) {
  for (uint32_t value = 0; value < assignment_.values.size(); ++value)
    value_of_.emplace(assignment_.values[value].name, value);
}

void BufferReader::read(Input& input) {
  section_ = BufferSection::kNone;
  std::string_view text;
  while (input.next_line(&text)) {
    if (without_blanks(text).empty()) continue;
    if (const char* why = line(text)) unparsed_.add(input.line_number(), text, why);
  }
}

// A title begins a section; whether the lines below it belong to it is told by their blanks.
bool BufferReader::section(std::string_view text) {
  if (text == "BufferAssignment:")
    section_ = BufferSection::kAllocations;
  else if (text.starts_with("Total bytes used:") || text == "Used values:" || text.starts_with("HloValues"))
    section_ = BufferSection::kUses;
  else if (text.starts_with("HloLiveRange"))
    section_ = BufferSection::kLiveRange;
  else if (text == "  InstructionSequence:")
    begin_sequence();
  else if (text == "  BufferLiveRange:")
    section_ = BufferSection::kRanges;
  else if (text.starts_with("  Live ranges at "))
    section_ = BufferSection::kPeak;
  else
    return false;
  return true;
}

// The schedule of an HloProto may be there already; the text's has the steps that its times are about.
void BufferReader::begin_sequence() {
  section_ = BufferSection::kSequence;
  assignment_.steps.clear();
}

const char* BufferReader::line(std::string_view text) {
  if (section(text)) return nullptr;
  switch (section_) {
    case BufferSection::kAllocations:
      if (take(&text, "allocation ")) return allocation(text);
      if (take(&text, " value: ")) return value(text);
      // Which of the values above have another memory space.
      if (text.starts_with(" reused by buffers of a different color") || text.starts_with("  value: <")) return nullptr;
      return "neither an allocation nor a value";
    case BufferSection::kUses:  // for whom each value is; not needed here
    case BufferSection::kPeak:  // XLA's own sum, of sizes without padding
      return nullptr;
    case BufferSection::kSequence:
      return step(without_blanks(text));
    case BufferSection::kRanges:
      return range(without_blanks(text));
    default:
      return "no title before it";
  }
}

// "24: size 180736, color 1, page 0, preallocated-temp:"
const char* BufferReader::allocation(std::string_view text) {
  Allocation allocation;
  const std::optional<int64_t> id = take_number(&text);
  if (!id || !take(&text, ": size ")) return "an allocation without a number or size";
  const std::optional<int64_t> size = take_number(&text);
  if (!size) return "an allocation whose size is not a number";
  allocation.number = *id;
  allocation.size = *size;
  allocation.first = static_cast<uint32_t>(assignment_.values.size());
  bool output = false;
  for_each_piece(text, [&](std::string_view piece) {
    std::string_view rest = piece;
    if (rest.ends_with(':')) rest.remove_suffix(1);
    if (rest == "thread-local") allocation.use = Allocation::Use::kThreadLocal;
    if (rest == "constant") allocation.use = Allocation::Use::kConstant;
    if (rest == "maybe-live-out") output = true;
    if (take(&rest, "parameter ")) allocation.use = Allocation::Use::kParameter;
    if (take(&rest, "color ")) allocation.space = number(rest).value_or(0);
  });
  if (output && allocation.use == Allocation::Use::kTemporary) allocation.use = Allocation::Use::kOutput;
  assignment_.allocations.push_back(allocation);
  return nullptr;
}

// "<95 copy-start{0} @0> (size=67108864,offset=0): bf16[4,8]{1,0}"; "(phi)" may follow the name
const char* BufferReader::value(std::string_view text) {
  if (assignment_.allocations.empty()) return "a value before the first allocation";
  const size_t close = text.find("> (size=");
  if (!take(&text, "<") || close == std::string_view::npos) return "a value without a name or size";
  std::string_view name = text.substr(0, close - 1);
  text.remove_prefix(close);
  AssignedValue value;
  const std::optional<int64_t> size = take(&text, " (size=") ? take_number(&text) : std::nullopt;
  const std::optional<int64_t> offset = take(&text, ",offset=") ? take_number(&text) : std::nullopt;
  if (!size || !offset || !take(&text, "):")) return "a value whose size or offset is not a number";
  Allocation& allocation = assignment_.allocations.back();
  if (*size > allocation.size || *offset > allocation.size - *size) return "a value that is not within its allocation";
  const size_t blank = name.find(' '), color = name.rfind(" @");
  if (blank == std::string_view::npos || color == std::string_view::npos || color <= blank)
    return "a value without a name";
  name = name.substr(blank + 1, color - blank - 1);
  if (name.ends_with(" (phi)")) name.remove_suffix(6);
  value.size = *size;
  value.offset = *offset;
  value.name = assignment_.texts.of(name);
  value.shape = assignment_.shapes.of(without_blanks(text));
  value_of_.emplace(value.name, static_cast<uint32_t>(assignment_.values.size()));
  assignment_.values.push_back(value);
  ++allocation.count;
  return value.shape == kNone ? "a value whose shape could not be read" : nullptr;
}

// "12:fusion.3"
const char* BufferReader::step(std::string_view text) {
  const std::optional<int64_t> number = take_number(&text);
  if (!number || !take(&text, ":")) return "not a step of the schedule";
  if (*number != static_cast<int64_t>(assignment_.steps.size())) return "a step of the schedule out of order";
  assignment_.steps.push_back(assignment_.texts.of(text));
  return nullptr;
}

// "copy-start.1{0}:15-26"
const char* BufferReader::range(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return "not the time of a value";
  std::string_view name = text.substr(0, colon), times = text.substr(colon + 1);
  const std::optional<int64_t> begin = take_number(&times);
  const std::optional<int64_t> end = take(&times, "-") ? take_number(&times) : std::nullopt;
  if (!begin || !end || !times.empty() || *begin > *end) return "a time that is not two steps";
  // An array's name has no index where its allocation is listed, and {} here.
  uint32_t number = assignment_.texts.find(name);
  if ((number == kNone || !value_of_.contains(number)) && name.ends_with("{}"))
    number = assignment_.texts.find(name.substr(0, name.size() - 2));
  const auto known = number == kNone ? value_of_.end() : value_of_.find(number);
  if (known == value_of_.end()) return "the time of a value that has no memory";
  assignment_.values[known->second].begin = *begin;
  assignment_.values[known->second].end = *end;
  return nullptr;
}

}  // namespace xlashape::cli
