// SPDX-License-Identifier: Apache-2.0
#include "summary.h"

#include <algorithm>
#include <tuple>

#include "cli/explain/best_layout.h"
#include "space_rows.h"

namespace xlashape::cli {
namespace {

constexpr std::string_view kKinds[] = {"argument", "constant", "value", "interior"};
class Summarizer {
 public:
  Summarizer(Module* module, const Costs& costs, const SummaryOptions& wanted, std::optional<Target> target)
      : module_(*module),
        program_(module->program),
        costs_(costs),
        wanted_(wanted),
        target_(target),
        writers_(module->program) {}

  Summary summarize() {
    heads();
    arrays();
    relayouts();
    std::vector<SpaceUse> uses = space_uses(module_.assignment);
    summary_.fits = fits_of(module_, costs_, uses, target_);
    if (wanted_.space) std::erase_if(uses, [&](const SpaceUse& use) { return use.space != *wanted_.space; });
    summary_.spaces = space_rows(module_, costs_, wanted_, target_, uses, &writers_);
    return std::move(summary_);
  }

 private:
  const ShapeFacts& facts(uint32_t shape) const { return program_.shapes.facts(shape); }
  const ShapeFacts& facts(const Row& row) const { return facts(row.shape); }

  void heads() {
    static_cast<ProgramHead&>(summary_) = program_;
    static_cast<Totals&>(summary_) = costs_;
    summary_.path = module_.path;
    summary_.target = target_;
    summary_.computations = static_cast<int64_t>(program_.computations.size());
    summary_.instructions = static_cast<int64_t>(program_.instructions.size());
    summary_.text_bytes = static_cast<int64_t>(program_.text_bytes);
    summary_.unparsed = module_.unparsed;
    if (module_.assignment.empty()) return;
    summary_.temporary_bytes = 0;
    for (const Allocation& allocation : module_.assignment.allocations)
      if (allocation.use == Allocation::Use::kTemporary)
        summary_.temporary_bytes = sum(summary_.temporary_bytes, allocation.size);
  }

  // The numbers of the `rows` first rows by `before`, of those that `use` takes.
  template <class T, class Use, class Before>
  std::vector<size_t> first(const std::vector<T>& all, const Use& use, const Before& before, int64_t* left_out) const {
    std::vector<size_t> numbers;
    for (size_t i = 0; i < all.size(); ++i)
      if (use(all[i])) numbers.push_back(i);
    const size_t count = std::min(wanted_.rows, numbers.size());
    const auto ordered = [&](size_t a, size_t b) {
      if (before(all[a], all[b])) return true;
      return !before(all[b], all[a]) && a < b;
    };
    std::partial_sort(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), numbers.end(), ordered);
    *left_out = static_cast<int64_t>(numbers.size() - count);
    numbers.resize(count);
    return numbers;
  }

  void arrays() {
    const auto here = [&](const Row& row) { return !wanted_.space || facts(row).space == *wanted_.space; };
    int64_t unused = 0;
    LayoutSearch search;
    for (const size_t i : first(
             costs_.rows, [&](const Row&row) { return here(row) && wasted(facts(row)) > 0; },
             [&](const Row&a, const Row&b) { return wasted(facts(a)) > wasted(facts(b)); }, &unused)) {
      summary_.waste.push_back(array_row(costs_.rows[i]));
      summary_.waste.back().better = better(costs_.rows[i], &search);
    }
    for (const size_t i : first(
             costs_.rows, here, [&](const Row&a, const Row&b) { return facts(a).bytes > facts(b).bytes; },
             &summary_.arrays_left_out))
      summary_.by_bytes.push_back(array_row(costs_.rows[i]));
    largest(here);
    undonated();
  }

  void undonated() {
    for (const Donatable& found : costs_.undonated) {
      int64_t& bytes = found.donation == Donation::kLoop ? summary_.rewritten_bytes : summary_.undonated_bytes;
      if (found.donation != Donation::kRead) bytes = sum(bytes, facts(found.row).bytes);
    }
    summary_.undonated = undonated(false, &summary_.undonated_left_out);
    summary_.rewritten = undonated(true, &summary_.rewritten_left_out);
  }

  std::vector<UndonatedRow> undonated(bool by_loop, int64_t* left_out) const {
    const auto use = [&](const Donatable& a) {
      return (a.donation == Donation::kLoop) == by_loop && (!wanted_.space || facts(a.row).space == *wanted_.space);
    };
    const auto rank = [&](const Donatable& a) { return std::pair(a.donation, -facts(a.row).bytes); };
    const auto before = [&](const Donatable& a, const Donatable& b) { return rank(a) < rank(b); };
    std::vector<UndonatedRow> rows;
    for (const size_t i : first(costs_.undonated, use, before, left_out)) {
      const Donatable& found = costs_.undonated[i];
      rows.push_back({array_row(found.row), found.donation, std::nullopt});
      if (found.blocked_by != kNone)
        rows.back().blocked_by = origin_of(program_, costs_, {found.blocked_by, found.blocked_by});
    }
    return rows;
  }

  template <class Here>
  void largest(const Here& here) {
    Groups groups;
    for (uint32_t i = 0; i < costs_.rows.size(); ++i) {
      const Row& row = costs_.rows[i];
      if (here(row))
        groups.add(program_.shapes.text(row.shape), kKinds[static_cast<size_t>(row.kind)], facts(row).bytes, i);
    }
    summary_.largest = groups.rows(wanted_.rows, &summary_.largest_left_out, [&](uint32_t number, ArrayGroup* group) {
      const uint32_t instruction = costs_.rows[number].instruction;
      add_written(std::string(program_.name_of(program_.at(instruction))),
                  origin_of(program_, costs_, writers_.filler_of(instruction)), group);
    });
  }

  ArrayRow array_row(const Row& row) const {
    ArrayRow out;
    out.origin = origin_of(program_, costs_, writers_.of(row.instruction));
    out.kind = kKinds[static_cast<size_t>(row.kind)];
    out.shape = program_.shapes.text(row.shape);
    out.bytes = facts(row).bytes;
    out.logical_bytes = facts(row).logical_bytes;
    out.space = facts(row).space;
    return out;
  }

  std::optional<Better> better(const Row& row, LayoutSearch* search) {
    const auto [known, is_new] = better_.try_emplace(row.shape);
    if (is_new) {
      const std::optional<BestLayout> best = best_layout(facts_of(facts(row).shape), search);
      if (best && !best->same && best->sizes.exact.bytes < facts(row).bytes)
        known->second = Better{best->layout.to_string(), best->sizes.exact.bytes};
    }
    std::optional<Better> better = known->second;
    if (better && row.kind == Row::RowKind::kArgument && program_.scheduled && !moves_to(row, better->layout))
      better->moved = sum(better->bytes, facts(row).bytes);
    return better;
  }

  // Whether the program itself brings the argument into that layout.
  bool moves_to(const Row& row, std::string_view layout) const {
    return std::any_of(costs_.relayouts.begin(), costs_.relayouts.end(), [&](const Relayout& relayout) {
      if (relayout.judgement.verdict != Verdict::kMoves || !moves_argument(relayout.instruction, row.instruction))
        return false;
      const Shape& to = facts(relayout.judgement.to).shape;
      return to.has_layout() && to.layout().to_string() == layout;
    });
  }

  bool moves_argument(uint32_t relayout, uint32_t argument) const {
    const auto operands = program_.operands_of(program_.at(relayout));
    return !operands.empty() && operands[0] == argument;
  }

  // Those that cost bytes; with --all the others too. A move between memory spaces is mostly meant, so it comes last.
  void relayouts() {
    const auto use = [&](const Relayout& relayout) {
      if (!wanted_.interiors && relayout.bytes == 0) return false;
      return !wanted_.space || facts(relayout.judgement.from).space == *wanted_.space ||
             facts(relayout.judgement.to).space == *wanted_.space;
    };
    const auto weight = [](const Relayout& relayout) {
      const Verdict verdict = relayout.judgement.verdict;
      const bool avoidable = verdict == Verdict::kMoves || verdict == Verdict::kDuplicate;
      return std::tuple(!relayout.interior, avoidable, relayout.bytes);
    };
    const auto before = [&](const Relayout& a, const Relayout& b) { return weight(a) > weight(b); };
    for (const size_t i : first(costs_.relayouts, use, before, &summary_.relayouts_left_out)) {
      const Relayout& relayout = costs_.relayouts[i];
      const ShapeFacts &from = facts(relayout.judgement.from), &to = facts(relayout.judgement.to);
      RelayoutRow row;
      row.origin = origin_of(program_, costs_, {relayout.instruction, relayout.instruction});
      row.verdict = relayout.judgement.verdict;
      row.from = program_.shapes.text(relayout.judgement.from);
      row.to = program_.shapes.text(relayout.judgement.to);
      row.why = why(relayout);
      row.remedy = remedy(relayout);
      row.operand = operand(relayout.instruction);
      row.bytes_read = from.bytes;
      row.bytes_written = to.bytes;
      row.bytes = relayout.bytes;
      row.interior = relayout.interior;
      summary_.relayouts.push_back(std::move(row));
    }
  }

  const Instruction* operand_of(uint32_t number) const {
    const auto operands = program_.operands_of(program_.at(number));
    return operands.empty() || operands[0] == kNone ? nullptr : &program_.at(operands[0]);
  }

  bool is_argument(const Instruction* of) const {
    return of != nullptr && of->opcode == Opcode::kParameter && of->computation == program_.entry;
  }

  bool is_result(uint32_t number) const {
    const uint32_t root = program_.entry == kNone ? kNone : program_.computations[program_.entry].root;
    if (root == kNone || root == number) return root == number;
    const auto operands = program_.operands_of(program_.at(root));
    return program_.at(root).opcode == Opcode::kTuple &&
           std::find(operands.begin(), operands.end(), number) != operands.end();
  }

  bool is_donated(const Instruction& parameter) const {
    const auto numbers = program_.numbers_of(parameter);
    const auto in = [&](const std::vector<int64_t>& list) {
      return !numbers.empty() && std::find(list.begin(), list.end(), numbers[0]) != list.end();
    };
    return in(program_.aliased_parameters) || in(program_.donated_parameters);
  }

  // "x_0_.1 x[0]"
  std::string operand(uint32_t number) const {
    const Instruction* of = operand_of(number);
    if (of == nullptr) return "";
    const std::string_view op_name = program_.text(of->op_name);
    return std::string(program_.name_of(*of)) + (op_name.empty() ? "" : " ") + std::string(op_name);
  }

  std::string why(const Relayout& relayout) const {
    const ShapeFacts &from = facts(relayout.judgement.from), &to = facts(relayout.judgement.to);
    const Instruction* of = operand_of(relayout.instruction);
    switch (relayout.judgement.verdict) {
      case Verdict::kMoves:
        return why_it_moves(program_, relayout.instruction, relayout.judgement);
      case Verdict::kDuplicate:
        return is_argument(of) && !is_donated(*of) ? "an argument is copied to be changed"
                                                   : "no element changes its place";
      case Verdict::kSpace:
        return from.space == to.space
                   ? "the same layout, shared among the cores in another way"
                   : "from " + space_text(from.space, target_) + " to " + space_text(to.space, target_);
      default:
        return "";
    }
  }

  std::string_view remedy(const Relayout& relayout) const {
    const Instruction* of = operand_of(relayout.instruction);
    if (relayout.judgement.verdict == Verdict::kDuplicate)
      return is_argument(of) && !is_donated(*of) ? "donate it (donate_argnums in jax), and the copy is not needed"
                                                 : "where the old array is not needed any more, the copy is not either";
    if (relayout.judgement.verdict != Verdict::kMoves || relayout.interior || !program_.scheduled) return "";
    if (is_argument(of)) return "let the compiler choose how the argument is stored: Format(Layout.AUTO) in jax";
    if (is_result(relayout.instruction))
      return "let the compiler choose how the result is stored: Format(Layout.AUTO) in jax";
    return "";
  }

  Module& module_;
  const Program& program_;
  const Costs& costs_;
  const SummaryOptions& wanted_;
  std::optional<Target> target_;
  Writers writers_;
  Summary summary_;
  std::map<uint32_t, std::optional<Better>> better_;  // by shape: programs repeat them
};

}  // namespace

std::string space_text(int64_t space, std::optional<Target> target) {
  std::string text = "S(" + std::to_string(space) + ")";
  if (target)
    if (const Result<std::string> name = try_memory_space_name(*target, space)) text += " " + *name;
  return text;
}

int64_t Summary::wasted() const {
  int64_t bytes = 0;
  for (const Total* total : {&arguments, &constants, &values}) bytes = sum(bytes, total->bytes - total->logical_bytes);
  return bytes;
}

std::optional<int64_t> Summary::allocated() const {
  if (spaces.empty()) return std::nullopt;
  int64_t bytes = 0;
  for (const SpaceRow& space : spaces) bytes = sum(bytes, space.allocated);
  return bytes;
}

std::optional<int64_t> Summary::temporary() const {
  return temporary_bytes < 0 ? std::nullopt : std::optional<int64_t>(temporary_bytes);
}

Summary summary_of(Module* module, const Costs& costs, const SummaryOptions& wanted, std::optional<Target> target) {
  return Summarizer(module, costs, wanted, target).summarize();
}

}  // namespace xlashape::cli
