// SPDX-License-Identifier: Apache-2.0
#include "stakes.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "cli/base/human.h"
#include "cli/base/number.h"
#include "summary.h"

namespace xlashape::cli {
namespace {

// Of little arguments, like the counters of a loop, nobody wants to hear.
constexpr int64_t kLittleArguments = 1 << 20;

bool is_little(int64_t bytes, int64_t memory) { return bytes < (memory + 99) / 100; }

// "copy.3 decode.py:5"
std::string row_words(std::string_view name, std::string_view source, std::string_view op_name) {
  const std::string_view more = source.empty() ? op_name : end_of_path(source);
  return fmt::format("{}{}{}", name, more.empty() ? "" : "  ", more);
}

std::string row_words(const InstructionOrigin& origin) { return row_words(origin.name, origin.source, origin.op_name); }

std::string row_words(const RelayoutRow& row) {
  const bool told = !row.origin.source.empty() || !row.origin.op_name.empty() || row.operand.empty();
  return told ? row_words(row.origin) : row_words(row.origin.name, "", "of " + row.operand);
}

std::string group_words(const ArrayGroup& group) {
  if (group.origins.empty()) return group.shape;
  const WrittenArrays& first = group.origins.front();
  return row_words(first.names.front(), first.origin.source, first.origin.op_name);
}

}  // namespace

std::string_view name(Stake::Finding finding) {
  constexpr std::string_view kNames[] = {"undonated", "rewritten", "relayouts", "waste", "peak"};
  return kNames[static_cast<size_t>(finding)];
}

int64_t memory_of(const Summary& summary) {
  return std::max(sum(summary.arguments.bytes, sum(summary.values.bytes, summary.constants.bytes)),
                  summary.allocated().value_or(0));
}

std::vector<Stake> stakes_of(const Summary& summary) {
  const int64_t memory = summary.allocated().value_or(memory_of(summary));
  std::vector<Stake> stakes;
  const auto add = [&](Stake::Finding finding, int64_t bytes, int64_t space, bool little) {
    stakes.push_back({finding, space, bytes, little});
  };
  if (!summary.undonated.empty() && summary.undonated_bytes >= kLittleArguments)
    add(Stake::Finding::kUndonated, summary.undonated_bytes, 0, is_little(summary.undonated_bytes, memory));
  if (!summary.rewritten.empty() && summary.rewritten_bytes >= kLittleArguments)
    add(Stake::Finding::kRewritten, summary.rewritten_bytes, 0, is_little(summary.rewritten_bytes, memory));
  const int64_t moved = sum(summary.of(Verdict::kMoves).bytes, summary.of(Verdict::kDuplicate).bytes);
  const bool relayouts = std::any_of(summary.verdicts.begin(), summary.verdicts.end(),
                                     [](const VerdictTotal& total) { return total.count > 0; });
  if (relayouts) add(Stake::Finding::kRelayouts, moved, 0, is_little(moved, memory));
  if (!summary.waste.empty()) add(Stake::Finding::kWaste, summary.wasted(), 0, is_little(summary.wasted(), memory));
  // What is in vmem and the like is the compiler's plan.
  std::vector<SpaceRow const*> spaces;
  for (const SpaceRow& space : summary.spaces)
    if (!space.groups.empty()) spaces.push_back(&space);
  std::stable_sort(spaces.begin(), spaces.end(),
                   [](const SpaceRow* a, const SpaceRow* b) { return a->allocated > b->allocated; });
  for (const SpaceRow* space : spaces)
    add(Stake::Finding::kPeak, space->space == 0 ? space->temporary_at_peak : 0, space->space,
        is_little(space->allocated, memory));
  std::stable_sort(stakes.begin(), stakes.end(), [](const Stake& a, const Stake& b) {
    return std::tuple(!a.little, a.bytes, a.space == 0) > std::tuple(!b.little, b.bytes, b.space == 0);
  });
  return stakes;
}

std::string look_first(const Summary& summary) {
  const std::vector<Stake> stakes = stakes_of(summary);
  if (stakes.empty() || stakes.front().little || stakes.front().bytes == 0) return "";
  const Stake& first = stakes.front();
  const std::string bytes = human_size(first.bytes);
  switch (first.finding) {
    case Stake::Finding::kUndonated:
      return fmt::format("{} of arguments that are not donated: {}", bytes,
                         row_words(summary.undonated.front().origin));
    case Stake::Finding::kRewritten:
      return fmt::format("{} that a loop writes again: {}", bytes, row_words(summary.rewritten.front().origin));
    case Stake::Finding::kRelayouts:
      return fmt::format("{} that relayouts read and write: {}", bytes,
                         summary.relayouts.empty() ? "" : row_words(summary.relayouts.front()));
    case Stake::Finding::kWaste:
      return fmt::format("{} of padding: {}", bytes, row_words(summary.waste.front().origin));
    case Stake::Finding::kPeak:
      break;
  }
  for (const SpaceRow& space : summary.spaces)
    if (space.space == first.space)
      return fmt::format("{} of temporary values at the peak of {}: {}", bytes,
                         space.name.empty() ? fmt::format("S({})", space.space) : space.name,
                         group_words(*std::max_element(space.groups.begin(), space.groups.end(),
                                                       [](const ArrayGroup& a, const ArrayGroup& b) {
                                                         return std::pair(a.use == "temporary", a.bytes) <
                                                                std::pair(b.use == "temporary", b.bytes);
                                                       })));
  return "";
}

}  // namespace xlashape::cli
