// SPDX-License-Identifier: Apache-2.0
#include "writers.h"

#include <algorithm>
#include <charconv>

namespace xlashape::cli {
namespace {

constexpr int kMostSteps = 256;  // of one walk: only a hostile dump has more, or circles

// The element that the path begins with.
std::optional<size_t> first_of(std::vector<int64_t>* path) {
  if (path->empty() || path->front() < 0) return std::nullopt;
  const auto element = static_cast<size_t>(path->front());
  path->erase(path->begin());
  return element;
}

uint32_t element_of(std::span<const uint32_t> list, size_t at) { return at < list.size() ? list[at] : kNone; }

// Where a value's place in its tuple begins: the brace of "copy-start.1{0}".
size_t place_of(std::string_view value) { return value.ends_with('}') ? value.rfind('{') : std::string_view::npos; }

// Memory without contents, which others write: TPUs' custom call of AllocateBuffer.
bool is_empty_buffer(const Program& program, const Instruction& instruction) {
  return instruction.opcode == Opcode::kOther && instruction.operands.count == 0 &&
         program.text(instruction.opcode_name) == "custom-call";
}

size_t number_of(const Program& program, const Instruction& parameter) {
  return static_cast<size_t>(std::max<int64_t>(program.first_number_of(parameter).value_or(0), 0));
}

}  // namespace

Writers::Writers(const Program& program) : program_(program), caller_of_(program.computations.size(), kNone) {
  for (uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.at(i);
    for (const uint32_t called : program.called_by(instruction))
      if (called != kNone && caller_of_[called] == kNone) caller_of_[called] = i;
    const auto operands = program.operands_of(instruction);
    if (instruction.opcode == Opcode::kAsyncUpdate && operands.size() > 1 && operands[0] != kNone)
      update_of_.emplace(operands[0], i);
    for (const uint32_t operand : operands) {
      if (operand == kNone) continue;
      const bool tuple = instruction.opcode == Opcode::kWhile && program.at(operand).opcode == Opcode::kTuple;
      if (tuple || is_empty_buffer(program, program.at(operand))) used_by_.emplace(operand, i);
    }
  }
}

bool Writers::has_words(uint32_t instruction) const {
  return instruction != kNone &&
         (program_.at(instruction).op_name != kNone || program_.at(instruction).source != kNone);
}

// To the instruction that writes; what is left of the path is the element of its own tuple.
uint32_t Writers::walk(uint32_t at, Path* path) const {
  std::vector<uint32_t> inside;  // loops whose bodies the walk is in
  for (int step = 0; step < kMostSteps && at != kNone; ++step) {
    const Instruction& here = program_.at(at);
    const auto operands = program_.operands_of(here);
    const auto called = program_.called_by(here);
    const auto root_of = [&](size_t n) {
      const uint32_t computation = element_of(called, n);
      return computation == kNone ? kNone : program_.computations[computation].root;
    };
    Path rest = *path;
    uint32_t next = kNone;
    switch (here.opcode) {
      case Opcode::kTuple:
        if (const auto element = first_of(&rest)) next = element_of(operands, *element);
        break;
      case Opcode::kGetTupleElement:
        rest.insert(rest.begin(), program_.first_number_of(here).value_or(-1));
        next = element_of(operands, 0);
        break;
      case Opcode::kBitcast:
      case Opcode::kOptimizationBarrier:
      case Opcode::kAddDependency:
      case Opcode::kDomain:
      case Opcode::kAsyncUpdate:
        next = element_of(operands, 0);
        break;
      case Opcode::kWhile:
        if (path->empty() || std::find(inside.begin(), inside.end(), at) != inside.end()) return at;
        inside.push_back(at);
        next = root_of(1);
        break;
      case Opcode::kCall:
        if (!here.starts) next = root_of(0);
        break;
      case Opcode::kConditional:  // each branch writes it; the first is as good as another
        next = root_of(0);
        break;
      case Opcode::kAsyncStart: {
        const std::optional<size_t> side = first_of(&rest);  // 0: what it is given, 1: what it makes
        if (side && *side == 0 && !rest.empty())
          next = element_of(operands, *first_of(&rest));
        else if (side && *side == 1)
          next = root_of(0);
        break;
      }
      case Opcode::kAsyncDone: {
        next = element_of(operands, 0);
        const uint32_t start = next;
        if (start == kNone || program_.at(start).opcode == Opcode::kAsyncDone) return at;
        rest.insert(rest.begin(), program_.at(start).opcode == Opcode::kCopyStart ? 0 : 1);
        break;
      }
      case Opcode::kCopyStart:
        if (!path->empty() && path->front() == 1) next = element_of(operands, 0);
        break;
      case Opcode::kParameter: {
        const uint32_t caller = caller_of_[here.computation];
        if (here.computation == program_.entry || caller == kNone) return at;
        const Instruction& by = program_.at(caller);
        const auto given = program_.operands_of(by);
        if (by.opcode == Opcode::kWhile) {
          // In HLO one tuple goes around. What the body hands on comes from before the loop.
          const bool handed_on = std::find(inside.begin(), inside.end(), caller) != inside.end();
          next = handed_on ? element_of(given, 0) : caller;
        } else if (by.opcode == Opcode::kConditional) {
          const auto branches = program_.called_by(by);
          const auto branch = std::find(branches.begin(), branches.end(), here.computation) - branches.begin();
          next = element_of(given, static_cast<size_t>(branch) + 1);
        } else if (by.opcode == Opcode::kCall || by.opcode == Opcode::kAsyncStart) {
          next = element_of(given, number_of(program_, here));
          const auto update = update_of_.find(caller);
          if (next == kNone && update != update_of_.end())
            next = element_of(program_.operands_of(program_.at(update->second)), number_of(program_, here) + 1);
        }
        break;
      }
      default:
        break;
    }
    if (next == kNone) return at;
    at = next;
    *path = std::move(rest);
  }
  return at;
}

// The instruction inside that makes the fusion's result, or one element of it.
uint32_t Writers::within_fusion(const Instruction& fusion, const Path& path) const {
  const auto called = program_.called_by(fusion);
  uint32_t made = called.size() == 1 && called[0] != kNone ? program_.computations[called[0]].root : kNone;
  if (made != kNone && !path.empty() && path[0] >= 0 && program_.at(made).opcode == Opcode::kTuple)
    made = element_of(program_.operands_of(program_.at(made)), static_cast<size_t>(path[0]));
  for (int step = 0; step < kMostSteps && made != kNone && program_.at(made).opcode == Opcode::kBitcast; ++step)
    made = element_of(program_.operands_of(program_.at(made)), 0);
  return made;
}

// Who fills a buffer: the first that uses it, or of a loop's tuple the element in the body.
uint32_t Writers::user_of(uint32_t buffer, Path* path) const {
  const auto user = used_by_.find(buffer);
  if (user == used_by_.end()) return kNone;
  path->clear();
  if (program_.at(user->second).opcode != Opcode::kTuple) return user->second;
  const auto loop = used_by_.find(user->second);
  if (loop == used_by_.end()) return kNone;
  const auto elements = program_.operands_of(program_.at(user->second));
  path->push_back(std::find(elements.begin(), elements.end(), buffer) - elements.begin());
  const uint32_t writes = walk(loop->second, path);
  return writes == buffer ? kNone : writes;
}

// What a slice is written into tells of a loop; what is written tells the line of code. What has no words has those of
// what it takes.
uint32_t Writers::told(uint32_t at, Path path) const {
  uint32_t best = kNone;    // the last one with words
  uint32_t fusion = kNone;  // the one whose inside the walk is in
  uint32_t slice = kNone;   // the dynamic-update-slice whose stored value the walk is at
  for (int step = 0; step < kMostSteps && at != kNone; ++step) {
    if (has_words(at)) best = at;
    const Instruction& here = program_.at(at);
    const auto operands = program_.operands_of(here);
    uint32_t next = kNone;
    if (here.opcode == Opcode::kFusion && fusion == kNone) {
      const uint32_t made = within_fusion(here, path);
      const bool stores = made != kNone && program_.at(made).opcode == Opcode::kDynamicUpdateSlice;
      // Of several results each has words of its own.
      if (!stores && has_words(at) && (path.empty() || !has_words(made))) return at;
      if (stores || has_words(made)) {
        fusion = at;
        next = made;
      }
    } else if (here.opcode == Opcode::kDynamicUpdateSlice && slice == kNone) {
      slice = at;
      next = element_of(operands, 1);
    } else if (here.opcode == Opcode::kParameter && fusion != kNone) {
      next = element_of(program_.operands_of(program_.at(fusion)), number_of(program_, here));
      fusion = kNone;
    } else if (has_words(at) && (slice == kNone || (here.opcode != Opcode::kBitcast && here.opcode != Opcode::kCopy &&
                                                    here.opcode != Opcode::kReshape))) {
      break;
    }
    if (next == kNone && !operands.empty()) next = operands[0];
    path.clear();
    if (next == kNone && fusion == kNone) next = user_of(at, &path);
    if (next == kNone) break;
    at = fusion == kNone ? walk(next, &path) : next;
  }
  // An argument that is stored does not tell where that is done.
  return slice != kNone && has_words(slice) && program_.at(best).source == kNone ? slice : best;
}

Writers::Writer Writers::writer(uint32_t at, Path path) const {
  Writer writer;
  writer.instruction = walk(at, &path);
  if (writer.instruction == kNone) return writer;
  writer.told_by = told(writer.instruction, path);
  const Instruction& made = program_.at(writer.instruction);
  const auto operands = program_.operands_of(made);
  if (has_words(writer.instruction) || made.opcode == Opcode::kFusion || operands.empty()) return writer;
  path.clear();
  writer.taken = walk(operands[0], &path);
  return writer;
}

Writers::Writer Writers::of(uint32_t instruction) const {
  if (has_words(instruction)) return {instruction, instruction, kNone};
  Writer writer = this->writer(instruction, {});
  writer.instruction = instruction;
  return writer;
}

Writers::Writer Writers::filler_of(uint32_t buffer) const {
  Path path;
  const uint32_t user = is_empty_buffer(program_, program_.at(buffer)) ? user_of(buffer, &path) : kNone;
  const uint32_t teller = user == kNone ? kNone : told(user, path);
  return teller == kNone ? of(buffer) : Writer{buffer, teller, kNone};
}

void Writers::look_for(const std::vector<std::string_view>& values) {
  for (const std::string_view value : values) named_.emplace(value.substr(0, place_of(value)), kNone);
  if (named_.empty()) return;
  for (uint32_t i = 0; i < program_.instructions.size(); ++i) {
    const auto found = named_.find(program_.name_of(program_.at(i)));
    if (found != named_.end() && found->second == kNone) found->second = i;
  }
}

Writers::Writer Writers::of_value(std::string_view value) const {
  Path path;
  const size_t brace = place_of(value);
  const auto found = named_.find(value.substr(0, brace));
  if (found == named_.end() || found->second == kNone) return {};
  if (brace != std::string_view::npos) {
    std::string_view places = value.substr(brace + 1, value.size() - brace - 2);
    while (!places.empty()) {
      int64_t place = -1;
      const auto [end, error] = std::from_chars(places.data(), places.data() + places.size(), place);
      if (error != std::errc()) return {};
      path.push_back(place);
      places.remove_prefix(static_cast<size_t>(end - places.data()));
      if (places.starts_with(','))
        places.remove_prefix(1);
      else if (!places.empty())
        return {};
    }
  }
  return writer(found->second, std::move(path));
}

}  // namespace xlashape::cli
