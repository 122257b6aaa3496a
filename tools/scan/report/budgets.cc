// SPDX-License-Identifier: Apache-2.0
#include "budgets.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "scan/cost/memory.h"

namespace xlashape::cli {
namespace {

constexpr size_t kWorst = 3;

std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

std::string op_text(const Program& program, const Instruction& instruction) {
  std::string text(program.text(instruction.op_name));
  if (instruction.source != kNone)
    text += fmt::format("{}{}", text.empty() ? "" : "  ", program.text(instruction.source));
  return text;
}

bool exceeded(const BudgetResult& result) {
  const Budget& budget = result.budget;
  return budget.kind == Budget::LimitKind::kWaste ? result.ratio > budget.ratio : result.bytes > budget.bytes;
}

class Check {
 public:
  Check(const Budget& budget, const Module& module, const Costs& costs)
      : module_(module), program_(module.program), costs_(costs) {
    result_.budget = budget;
    result_.module = program_.name;
  }

  BudgetResult run() {
    switch (result_.budget.kind) {
      case Budget::LimitKind::kBytes:
        module_.assignment.empty() ? arguments() : allocations();
        break;
      case Budget::LimitKind::kWaste:
        waste();
        break;
      case Budget::LimitKind::kMoved:
        moved();
        break;
    }
    result_.why = why_not_judged();
    result_.broken = exceeded(result_) || !result_.why.empty();
    std::stable_sort(result_.worst.begin(), result_.worst.end(),
                     [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
    result_.worst.resize(std::min(result_.worst.size(), kWorst));
    return std::move(result_);
  }

 private:
  // What was counted is too little then.
  std::string why_not_judged() const {
    const bool allocated = result_.budget.kind == Budget::LimitKind::kBytes && !module_.assignment.empty();
    if (std::string lines = not_understood(module_.unparsed); !lines.empty()) return lines;
    if (allocated) return "";
    // Of the other memory spaces arguments tell nothing.
    if (result_.budget.kind == Budget::LimitKind::kBytes && result_.budget.space.value_or(0) != 0)
      return "there is no buffer assignment";
    return costs_.unsized > 0 ? counted(costs_.unsized, "array") + " without a known size" : "";
  }

  bool here(int64_t space) const { return !result_.budget.space || *result_.budget.space == space; }

  // Keeps few: a program has many rows.
  void contributor(int64_t bytes, std::string name, std::string text) {
    if (bytes <= 0) return;
    result_.worst.push_back({std::move(name), std::move(text), bytes});
    if (result_.worst.size() < 4096) return;
    std::stable_sort(result_.worst.begin(), result_.worst.end(),
                     [](const Contributor& a, const Contributor& b) { return a.bytes > b.bytes; });
    result_.worst.resize(kWorst);
  }

  void contributor(const Row& row, int64_t bytes) {
    const Instruction& instruction = program_.at(row.instruction);
    contributor(bytes, std::string(program_.name_of(instruction)),
                fmt::format("{}  {}", program_.shapes.text(row.shape), op_text(program_, instruction)));
  }

  void allocations() {
    for (const SpaceUse& use : space_uses(module_.assignment)) {
      if (!here(use.space)) continue;
      result_.bytes = sum(result_.bytes, use.allocated);
      for (size_t i = 0; i < std::min(kWorst, use.members.size()); ++i) {
        const AssignedValue& value = module_.assignment.values[use.members[i]];
        contributor(value.size, std::string(module_.assignment.texts.text(value.name)),
                    value.shape == kNone ? "" : std::string(module_.assignment.shapes.text(value.shape)));
      }
    }
  }

  // Without a buffer assignment: what is needed at least.
  void arguments() {
    for (const Row& row : costs_.rows) {
      const ShapeFacts& facts = program_.shapes.facts(row.shape);
      if (row.kind != Row::RowKind::kArgument && row.kind != Row::RowKind::kConstant) continue;
      if (!here(facts.space)) continue;
      result_.bytes = sum(result_.bytes, facts.bytes);
      contributor(row, facts.bytes);
    }
    if (here(0)) result_.bytes = sum(result_.bytes, std::max<int64_t>(costs_.outputs.bytes - costs_.aliased_bytes, 0));
  }

  void waste() {
    Total total;
    for (const Row& row : costs_.rows) {
      const ShapeFacts& facts = program_.shapes.facts(row.shape);
      if (row.kind == Row::RowKind::kInterior || !here(facts.space)) continue;
      total.add(facts);
      contributor(row, wasted(facts));
    }
    result_.bytes = total.bytes;
    result_.ratio = ratio(total.bytes, total.logical_bytes);
  }

  void moved() {
    for (const Relayout& relayout : costs_.relayouts) {
      const ShapeFacts& from = program_.shapes.facts(relayout.judgement.from);
      const ShapeFacts& to = program_.shapes.facts(relayout.judgement.to);
      if (relayout.interior || relayout.judgement.verdict != Verdict::kMoves) continue;
      if (!here(from.space) && !here(to.space)) continue;
      result_.bytes = sum(result_.bytes, relayout.bytes);
      const Instruction& instruction = program_.at(relayout.instruction);
      contributor(relayout.bytes, std::string(program_.name_of(instruction)),
                  fmt::format("{} -> {}  {}", program_.shapes.text(relayout.judgement.from),
                              program_.shapes.text(relayout.judgement.to), op_text(program_, instruction)));
    }
  }

  const Module& module_;
  const Program& program_;
  const Costs& costs_;
  BudgetResult result_;
};

}  // namespace

std::string_view name(Budget::LimitKind kind) {
  constexpr std::string_view kNames[] = {"max-bytes", "max-waste", "max-moved"};
  return kNames[static_cast<size_t>(kind)];
}

Budget budget_of(Budget::LimitKind kind, const std::string& given) {
  Budget budget;
  budget.kind = kind;
  budget.given = given;
  std::string_view limit = given;
  const size_t colon = limit.find(':');
  if (colon != std::string_view::npos) {
    budget.space = number(limit.substr(0, colon));
    if (!budget.space || *budget.space < 0)
      fail_usage("--{}: \"{}\" before the colon is not the number of a memory space", name(kind),
                 limit.substr(0, colon));
    limit.remove_prefix(colon + 1);
  }
  if (kind == Budget::LimitKind::kWaste) {
    const std::optional<double> ratio = decimal(limit);
    if (!ratio) fail_usage("--{}: \"{}\" is not a factor like 1.5", name(kind), limit);
    budget.ratio = *ratio;
  } else {
    const std::optional<int64_t> bytes = size_from(limit);
    if (!bytes) fail_usage("--{}: \"{}\" is not a size like 4096, 100MiB or 12GiB", name(kind), limit);
    budget.bytes = *bytes;
  }
  return budget;
}

std::string not_understood(const Unparsed& unparsed) {
  if (unparsed.count() == 0) return "";
  constexpr size_t kNamed = 3;
  std::string text = counted(static_cast<int64_t>(unparsed.count()), "line") + " not understood";
  for (size_t i = 0; i < std::min(kNamed, unparsed.first().size()); ++i) {
    const Unparsed::UnparsedLine& line = unparsed.first()[i];
    const std::string where = line.number > 0 ? fmt::format("line {}, ", line.number) : "";
    text += fmt::format("{} {}{}", i == 0 ? ":" : ";", where, line.why);
  }
  return text + (unparsed.count() > kNamed ? "; ..." : "");
}

BudgetResult check(const Budget& budget, const Module& module, const Costs& costs) {
  return Check(budget, module, costs).run();
}

std::string words(const BudgetResult& result) {
  const Budget& budget = result.budget;
  const std::string where = budget.space ? fmt::format(" in S({})", *budget.space) : "";
  if (!exceeded(result)) return fmt::format("{}: cannot be judged{}: {}", result.module, where, result.why);
  switch (budget.kind) {
    case Budget::LimitKind::kBytes:
      return fmt::format("{}: {} of memory{}, {} allowed", result.module, human_size(result.bytes), where,
                         human_size(budget.bytes));
    case Budget::LimitKind::kWaste:
      return fmt::format("{}: arrays take {:.4g} times the bytes of their data{}, {:.4g} times allowed", result.module,
                         result.ratio, where, budget.ratio);
    default:
      return fmt::format("{}: {} moved by relayouts{}, {} allowed", result.module, human_size(result.bytes), where,
                         human_size(budget.bytes));
  }
}

}  // namespace xlashape::cli
