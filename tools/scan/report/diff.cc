// SPDX-License-Identifier: Apache-2.0
#include "diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "budgets.h"
#include "cli/base/failure.h"

namespace xlashape::cli {
namespace {

constexpr std::string_view kBetween = "  ";

// "jit(decode)/while/body/add" without the function that was compiled, which one renames: "while/body/add".
std::string_view without_function(std::string_view op_name) {
  constexpr std::string_view kWays[] = {"jit(", "pjit(", "pmap("};
  const size_t end = op_name.find(")/");
  const bool compiled =
      std::any_of(std::begin(kWays), std::end(kWays), [&](std::string_view way) { return op_name.starts_with(way); });
  return compiled && end != std::string_view::npos ? op_name.substr(end + 2) : op_name;
}

std::string key_of(const Program& program, const Row& row) {
  const Instruction& instruction = program.at(row.instruction);
  std::string key(without_function(program.text(instruction.op_name)));
  key += kBetween;
  key += program.text(instruction.opcode_name);
  key += kBetween;
  key += program.shapes.facts(row.shape).shape.to_string(XLASHAPE_PRINT_WITHOUT_LAYOUT);
  return key;
}

// "jit(f)/add  fusion"
std::string op_of(const Program& program, const Instruction& instruction) {
  std::string op(program.text(instruction.op_name));
  if (!op.empty()) op += kBetween;
  op += program.text(instruction.opcode_name);
  return op;
}

// Pairs entries of one key: those with equal shapes first, then the rest in their order.
void match(const std::vector<DiffSide::DiffEntry>& before, const std::vector<DiffSide::DiffEntry>& after,
           ModuleDiff* diff) {
  std::map<std::string_view, std::vector<size_t>> places;
  for (size_t i = after.size(); i-- > 0;) places[after[i].shape].push_back(i);
  std::vector<bool> taken(after.size(), false);
  std::vector<size_t> left;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto found = places.find(before[i].shape);
    if (found == places.end() || found->second.empty()) {
      left.push_back(i);
      continue;
    }
    taken[found->second.back()] = true;
    found->second.pop_back();
    ++diff->matched;
  }
  size_t next = 0;
  for (const size_t i : left) {
    while (next < after.size() && taken[next]) ++next;
    if (next == after.size()) {
      diff->gone.push_back(before[i]);
      continue;
    }
    taken[next] = true;
    diff->changed.push_back({before[i], after[next]});
  }
  for (size_t i = 0; i < after.size(); ++i)
    if (!taken[i]) diff->added.push_back(after[i]);
}

std::string why_not_judged(const Summary& before, const Summary& after) {
  for (const Summary* side : {&before, &after})
    if (const std::string lines = not_understood(side->unparsed); !lines.empty())
      return fmt::format("{}: {}", side == &before ? "before" : "after", lines);
  if (before.spaces.empty() != after.spaces.empty())
    return "only one side has a buffer assignment, so memory cannot be compared";
  if (before.unsized + after.unsized > 0) return "arrays without a known size";
  return "";
}

void add_growths(const Summary& before, const Summary& after, ModuleDiff* diff) {
  const auto add = [&](std::string what, int64_t old_bytes, int64_t new_bytes) {
    diff->growths.push_back({std::move(what), old_bytes, new_bytes});
  };
  add("arguments", before.arguments.bytes, after.arguments.bytes);
  if (before.outputs_known && after.outputs_known) add("results", before.outputs.bytes, after.outputs.bytes);
  add("constants", before.constants.bytes, after.constants.bytes);
  add("values", before.values.bytes, after.values.bytes);
  add("moved", before.of(Verdict::kMoves).bytes, after.of(Verdict::kMoves).bytes);
  add("duplicated", before.of(Verdict::kDuplicate).bytes, after.of(Verdict::kDuplicate).bytes);
  if (before.spaces.empty() || after.spaces.empty()) return;
  std::map<int64_t, std::pair<const SpaceRow*, const SpaceRow*>> spaces;
  for (const SpaceRow& space : before.spaces) spaces[space.space].first = &space;
  for (const SpaceRow& space : after.spaces) spaces[space.space].second = &space;
  for (const auto& [space, rows] : spaces) {
    const auto of = [](const SpaceRow* row, int64_t SpaceRow::*member) { return row == nullptr ? 0 : row->*member; };
    add(fmt::format("S({}) allocated", space), of(rows.first, &SpaceRow::allocated),
        of(rows.second, &SpaceRow::allocated));
    add(fmt::format("S({}) at the peak", space), of(rows.first, &SpaceRow::peak), of(rows.second, &SpaceRow::peak));
  }
}

}  // namespace

DiffSide diff_side(Module* module, const Costs& costs, Summary summary) {
  DiffSide side;
  side.summary = std::move(summary);
  const Program& program = module->program;
  for (const Row& row : costs.rows) {
    if (row.kind == Row::RowKind::kInterior) continue;
    const Instruction& instruction = program.at(row.instruction);
    side.entries[key_of(program, row)].push_back(
        {op_of(program, instruction), std::string(program.name_of(instruction)),
         std::string(program.shapes.text(row.shape)), std::string(program.text(instruction.source)),
         program.shapes.facts(row.shape).bytes});
  }
  return side;
}

ModuleDiff diff_of(const DiffSide& before, const DiffSide& after) {
  ModuleDiff diff;
  diff.name = after.summary.name;
  diff.why = why_not_judged(before.summary, after.summary);
  add_growths(before.summary, after.summary, &diff);
  const std::vector<DiffSide::DiffEntry> none;
  for (const auto& [key, entries] : before.entries) {
    const auto other = after.entries.find(key);
    match(entries, other == after.entries.end() ? none : other->second, &diff);
  }
  for (const auto& [key, entries] : after.entries)
    if (!before.entries.contains(key)) match(none, entries, &diff);
  const auto weight = [](const LayoutChange& change) {
    return std::pair(std::abs(change.after.bytes - change.before.bytes), change.after.bytes);
  };
  std::stable_sort(diff.changed.begin(), diff.changed.end(),
                   [&](const LayoutChange& a, const LayoutChange& b) { return weight(a) > weight(b); });
  for (std::vector<DiffSide::DiffEntry>* list : {&diff.gone, &diff.added})
    std::stable_sort(list->begin(), list->end(),
                     [](const DiffSide::DiffEntry& a, const DiffSide::DiffEntry& b) { return a.bytes > b.bytes; });
  return diff;
}

std::vector<std::pair<const DiffSide*, const DiffSide*>> pairs_of(const std::vector<DiffSide>& before,
                                                                  const std::vector<DiffSide>& after) {
  std::vector<std::pair<const DiffSide*, const DiffSide*>> pairs;
  if (before.size() == 1 && after.size() == 1) return {{&before.front(), &after.front()}};
  std::map<std::string_view, std::vector<const DiffSide*>> by_name;
  for (const DiffSide& side : before) by_name[side.summary.name].push_back(&side);
  for (auto& [name, sides] : by_name) std::reverse(sides.begin(), sides.end());
  for (const DiffSide& side : after) {
    const auto found = by_name.find(side.summary.name);
    if (found == by_name.end() || found->second.empty()) continue;
    pairs.emplace_back(found->second.back(), &side);
    found->second.pop_back();
  }
  return pairs;
}

double growth_limit(const std::string& given) {
  double value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  const std::string_view unit(end, static_cast<size_t>(given.data() + given.size() - end));
  const bool shrinks = unit == "x" && value < 1;
  if (error != std::errc() || !std::isfinite(value) || value < 0 || shrinks || (unit != "%" && unit != "x"))
    fail_usage("--max-growth: \"{}\" is not like 5% or 1.05x", given);
  return unit == "%" ? value / 100 : value - 1;
}

bool exceeds(const Growth& growth, double limit) {
  if (growth.after - growth.before < kLittleGrowth) return false;
  // Half a byte for what 15 % of a number is rounded to.
  return static_cast<double>(growth.after - growth.before) > static_cast<double>(growth.before) * limit + 0.5;
}

}  // namespace xlashape::cli
