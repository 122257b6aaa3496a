// SPDX-License-Identifier: Apache-2.0
#include "groups.h"

#include <algorithm>
#include <tuple>

#include "cli/base/number.h"

namespace xlashape::cli {

InstructionOrigin origin_of(const Program& program, const Costs& costs, const Writers::Writer& writer) {
  InstructionOrigin origin;
  if (writer.instruction == kNone) return origin;
  const Instruction& instruction = program.at(writer.instruction);
  origin.name = program.name_of(instruction);
  origin.computation = program.text(program.computations[instruction.computation].name);
  origin.opcode = program.text(instruction.opcode_name);
  origin.line = instruction.line;
  const Runs& runs = costs.runs[instruction.computation];
  origin.times = runs.live ? runs.times : 1;
  origin.times_known = !runs.live || runs.known;
  if (writer.told_by != kNone) {
    const Instruction& told_by = program.at(writer.told_by);
    origin.op_name = program.text(told_by.op_name);
    origin.source = program.text(told_by.source);
  }
  if (writer.taken != kNone) origin.operand = program.name_of(program.at(writer.taken));
  return origin;
}

void Groups::add(std::string_view shape, std::string_view use, int64_t bytes, uint32_t number) {
  constexpr size_t kLookedAt = 256;
  Group& group = groups_[{shape, use}];
  ++group.count;
  group.bytes = sum(group.bytes, bytes);
  if (group.first.size() < kLookedAt) group.first.push_back(number);
}

std::vector<std::pair<Groups::Key, Groups::Group>> Groups::largest(size_t rows, int64_t* left_out) const {
  std::vector<std::pair<Key, Group>> sorted(groups_.begin(), groups_.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.bytes, -a.second.count) > std::pair(b.second.bytes, -b.second.count);
  });
  const size_t count = std::min(rows, sorted.size());
  *left_out = static_cast<int64_t>(sorted.size() - count);
  sorted.resize(count);
  return sorted;
}

std::vector<ArrayGroup> Groups::rows(size_t rows, int64_t* left_out,
                                     const std::function<void(uint32_t, ArrayGroup*)>& written) const {
  std::vector<ArrayGroup> list;
  for (const auto& [key, group] : largest(rows, left_out)) {
    ArrayGroup row{std::string(key.first), key.second, group.count, group.bytes, {}, 0};
    for (const uint32_t number : group.first) written(number, &row);
    sort_written(&row);
    row.origins_left_out = group.count - static_cast<int64_t>(group.first.size());
    list.push_back(std::move(row));
  }
  return list;
}

std::string_view end_of_path(std::string_view source) {
  const size_t last = source.rfind('/');
  const size_t before = last == std::string_view::npos || last == 0 ? last : source.rfind('/', last - 1);
  return before == std::string_view::npos ? source : source.substr(before + 1);
}

namespace {

// In the order of people: fusion.9 before fusion.10.
auto order_of(const std::string& name) { return std::pair(name.size(), std::string_view(name)); }

}  // namespace

// Dumps have their instructions in different orders: what is told does not depend on it.
void add_written(const std::string& name, InstructionOrigin origin, ArrayGroup* group) {
  auto same = std::find_if(group->origins.begin(), group->origins.end(), [&](const WrittenArrays& written) {
    return written.origin.op_name == origin.op_name && written.origin.source == origin.source &&
           written.origin.opcode == origin.opcode;
  });
  if (same == group->origins.end())
    same = group->origins.insert(same, {std::move(origin), {}, 0});
  else if (std::all_of(same->names.begin(), same->names.end(),
                       [&](const std::string& other) { return order_of(name) < order_of(other); }))
    same->origin = std::move(origin);
  ++same->count;
  same->names.push_back(name);
}

void sort_written(ArrayGroup* group) {
  constexpr size_t kNames = 8;
  for (WrittenArrays& written : group->origins) {
    std::sort(written.names.begin(), written.names.end(),
              [](const std::string& a, const std::string& b) { return order_of(a) < order_of(b); });
    written.names.resize(std::min(written.names.size(), kNames));
  }
  std::sort(group->origins.begin(), group->origins.end(), [](const WrittenArrays& a, const WrittenArrays& b) {
    return std::pair(-a.count, order_of(a.names.front())) < std::pair(-b.count, order_of(b.names.front()));
  });
}

}  // namespace xlashape::cli
