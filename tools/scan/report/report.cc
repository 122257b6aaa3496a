// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

// "copy copy.3 in main.12, 63 times"
std::string who(const InstructionOrigin& origin) {
  std::string text = origin.opcode == origin.name ? origin.name : fmt::format("{} {}", origin.opcode, origin.name);
  if (!origin.times_known)
    text += ", in each iteration";
  else if (origin.times != 1)
    text += fmt::format(", {} times", grouped(origin.times));
  return text;
}

std::string joined_words(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += "  ";
    text += word;
  }
  return text;
}

// The last two parts of a path: "tools/progs.py:14".
std::string_view end_of_path(std::string_view source) {
  const size_t last = source.rfind('/');
  const size_t before = last == std::string_view::npos || last == 0 ? last : source.rfind('/', last - 1);
  return before == std::string_view::npos ? source : source.substr(before + 1);
}

// What is new in `to`: where only the layout is, the layout alone.
std::string after(const std::string& from, const std::string& to) {
  if (from == to) return "the same";
  const size_t layout = to.find('{');
  const bool same_array = layout != std::string::npos && from.substr(0, layout + 1) == to.substr(0, layout + 1);
  return same_array ? to.substr(layout) : to;
}

Text painted(const Paint& paint, Verdict verdict, const Text& text) {
  switch (verdict) {
    case Verdict::kMoves:
    case Verdict::kDuplicate:
      return paint.bad(text);
    case Verdict::kSpace:
    case Verdict::kUnproven:
      return paint.fair(text);
    default:
      return paint.good(text);
  }
}

}  // namespace

Report::Report(const Common& common) : paint_(common), width_(output_width()) {}

// Counts bytes: a name with other characters than ASCII is cut a little early.
std::string Report::cut(std::string_view given, size_t used) const {
  std::string plain = safe(given);
  constexpr size_t kLeast = 16, kMost = 2000;
  if (!width_ && plain.size() > kMost) {
    plain.resize(kMost);
    plain += "...";
  }
  if (!width_ || plain.size() <= std::max(kLeast, *width_ > used ? *width_ - used : 0)) return plain;
  size_t keep = std::max(kLeast, *width_ > used ? *width_ - used : 0) - 3;
  while (keep > 0 && (static_cast<uint8_t>(plain[keep]) & 0xc0) == 0x80) --keep;
  return plain.substr(0, keep) + "...";
}

void Report::module(const Summary& summary) {
  heads(summary);
  spaces(summary);
  waste(summary);
  undonated(summary);
  relayouts(summary);
  arrays(summary);
  peak(summary);
  say("\n");
}

void Report::heads(const Summary& summary) {
  say("{}  {}\n", paint_.title(summary.name.empty() ? "(no name)" : summary.name),
      paint_.faint(cut(summary.path, summary.name.size() + 2)));
  std::string layouts;
  if (summary.format == "stablehlo" && !summary.predicted) layouts += "; without layouts: --target predicts them";
  if (!summary.partitioned)
    layouts += fmt::format("; shapes of {} devices together, one has less", summary.partitions.value_or(1));
  if (summary.predicted) layouts += fmt::format("; layouts as {} chooses them", name(*summary.target));
  say("  {}, {}{}\n", counted(summary.computations, "computation"), counted(summary.instructions, "instruction"),
      layouts);
  unparsed(summary);
  say("  {}\n", paint_.faint(text("{:<10}{:>8}{:>14}{:>14}{:>10}", "", "arrays", "in memory", "of data", "factor")));
  total("arguments", summary.arguments);
  if (summary.outputs_known)
    total("results", summary.outputs);
  else
    say("  {:<10}{}\n", "results", paint_.bad("not known"));
  total("constants", summary.constants);
  total("values", summary.values);
  if (summary.unsized > 0) say("  {} without a known size: not counted\n", counted(summary.unsized, "array"));
}

void Report::unparsed(const Summary& summary) {
  if (summary.unparsed.count() == 0) return;
  say("  {}\n",
      paint_.bad(text("{} not understood:", counted(static_cast<int64_t>(summary.unparsed.count()), "line"))));
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < std::min(kShown, summary.unparsed.first().size()); ++i) {
    const Unparsed::UnparsedLine& line = summary.unparsed.first()[i];
    const std::string front = fmt::format("    line {}: {}: ", line.number, line.why);
    say("{}{}\n", front, paint_.faint(Text::made(cut(line.text, front.size()))));
  }
}

void Report::total(std::string_view what, const Total& total) {
  if (total.arrays == 0) return;
  const double factor = ratio(total.bytes, total.logical_bytes);
  say("  {:<10}{:>8}{:>14}{:>14}{}\n", what, grouped(total.arrays), human_size(total.bytes),
      human_size(total.logical_bytes), paint_.by_waste(factor, text("{:>10}", human_ratio(factor))));
}

void Report::spaces(const Summary& summary) {
  // Without a buffer assignment only what is in each space, which is no occupation.
  if (summary.spaces.empty() && summary.by_space.size() > 1)
    for (const auto& [space, sums] : summary.by_space) total(space_text(space, summary.target), sums);
  for (const SpaceRow& space : summary.spaces) {
    std::string name = fmt::format("S({})", space.space);
    if (!space.name.empty()) name += " " + space.name;
    std::string peak;
    if (space.peak_step >= 0) {
      peak = fmt::format(", at most {} in use, at step {} of {}", human_size(space.peak), space.peak_step, space.steps);
      if (!space.peak_instruction.empty()) peak += " (" + space.peak_instruction + ")";
    }
    say("  {:<10}{:>8}{:>14}{}\n", name, "", human_size(space.allocated), Text::made(cut(" allocated" + peak, 34)));
  }
}

void Report::more(int64_t left_out) {
  if (left_out > 0) say("  {}\n", paint_.faint(text("{:>11}  and {} more", "", left_out)));
}

void Report::row(const Text& front, size_t front_width, std::string_view shape, const InstructionOrigin& origin,
                 std::string_view of, std::string_view note) {
  constexpr size_t kIndent = 16;
  say("  {}  {}\n", front, Text::made(cut(shape, front_width + 4)));
  say("  {:<{}}{}\n", "", kIndent,
      paint_.faint(
          Text::made(cut(joined_words({who(origin), of, end_of_path(origin.source), origin.op_name}), kIndent + 2))));
  if (!note.empty()) say("  {:<{}}{}\n", "", kIndent, Text::made(cut(note, kIndent + 2)));
}

void Report::waste(const Summary& summary) {
  if (summary.waste.empty()) return;
  say("\n  {}{}\n", paint_.label("Waste"),
      paint_.faint(text(": {} of padding in arguments, constants and values", human_size(summary.wasted()))));
  for (const ArrayRow& array : summary.waste) {
    const double factor = ratio(array.bytes, array.logical_bytes);
    std::string note;
    if (array.better)
      note = fmt::format("with {} it would take {}", array.better->layout, human_size(array.better->bytes));
    row(text("{:>11} of {:>11} {}", human_size(array.bytes - array.logical_bytes), human_size(array.bytes),
             paint_.by_waste(factor, text("{:>8}", human_ratio(factor)))),
        35, array.shape + (array.kind == "value" ? "" : "  " + std::string(array.kind)), array.origin, "", note);
  }
}

void Report::undonated(const Summary& summary) {
  // Of little arrays, like the counters of a loop, nobody wants to hear.
  constexpr int64_t kLittle = 1 << 20;
  if (summary.undonated.empty() || summary.undonated_bytes < kLittle) return;
  say("\n  {}{}\n", paint_.label("Not donated"),
      paint_.faint(Text::made(cut(fmt::format(": {} of arguments have the shape of a result that gets other memory",
                                              human_size(summary.undonated_bytes)),
                                  13))));
  for (const ArrayRow& array : summary.undonated)
    say("  {:>11}  {}\n", human_size(array.bytes),
        Text::made(cut(joined_words({array.shape, array.origin.name, array.origin.op_name}), 15)));
  more(summary.undonated_left_out);
  say("  {:>11}  {}\n", "",
      Text::made(cut("where the caller does not need them afterwards: donate them (donate_argnums in jax)", 15)));
}

void Report::arrays(const Summary& summary) {
  if (summary.by_bytes.empty()) return;
  say("\n  {}\n", paint_.label("Largest arrays"));
  for (const ArrayRow& array : summary.by_bytes)
    say("  {:>11}  {}\n", human_size(array.bytes),
        Text::made(cut(joined_words({array.shape, array.kind == "value" ? std::string_view() : array.kind,
                                     who(array.origin), array.origin.op_name}),
                       15)));
  more(summary.arrays_left_out);
}

void Report::relayouts(const Summary& summary) {
  std::string counts;
  for (const Verdict verdict : kVerdicts) {
    const VerdictTotal& total = summary.of(verdict);
    if (total.count == 0) continue;
    counts += fmt::format("{}{} {}", counts.empty() ? ": " : ", ", grouped(total.count), name(verdict));
    if (total.bytes > 0) counts += fmt::format(" ({})", human_size(total.bytes));
  }
  if (counts.empty()) return;
  say("\n  {}{}\n", paint_.label("Relayouts"), paint_.faint(Text::made(cut(counts + "; bytes read and written", 11))));
  for (const RelayoutRow& relayout : summary.relayouts) {
    const Text verdict = painted(paint_, relayout.verdict, text("{:<9}", name(relayout.verdict)));
    const std::string shapes = relayout.from + " -> " + after(relayout.from, relayout.to);
    const std::string of = relayout.operand.empty() ? "" : "of " + relayout.operand;
    row(text("{:>11}  {}", relayout.interior ? "in a fusion" : human_size(relayout.bytes), verdict), 22, shapes,
        relayout.origin, of, relayout.why);
  }
  more(summary.relayouts_left_out);
}

void Report::peak(const Summary& summary) {
  for (const SpaceRow& space : summary.spaces) {
    constexpr int64_t kLittle = 64 << 10;
    if (space.members.size() < 2 || (space.allocated < kLittle && summary.spaces.size() > 1)) continue;
    const std::string where = space.name.empty() ? fmt::format("S({})", space.space) : space.name;
    say("\n  {}{}\n", paint_.label(text("In {} at the peak", where)),
        paint_.faint(space.peak_step >= 0 ? text("") : text(": all that is allocated, as the times are not known")));
    for (const MemberRow& member : space.members)
      say("  {:>11}  {}\n", human_size(member.bytes),
          Text::made(cut(joined_words({member.name, member.shape, member.use}), 15)));
    more(space.members_left_out);
  }
}

void Report::small(const std::vector<Summary>& modules) {
  if (modules.empty()) return;
  say("{}\n",
      paint_.faint(text("and {} with less to tell: {}{}", counted(static_cast<int64_t>(modules.size()), "module"),
                        modules.front().name, modules.size() > 1 ? ", ..." : "")));
}

void Report::budgets(const std::vector<BudgetResult>& results) {
  for (const BudgetResult& result : results) {
    if (!result.broken) continue;
    say("{} {}\n", paint_.bad(text("--{} {}:", name(result.budget.kind), result.budget.given)), words(result));
    for (const Contributor& contributor : result.worst)
      say("  {:>11}  {}\n", human_size(contributor.bytes),
          Text::made(cut(joined_words({contributor.name, contributor.text}), 15)));
  }
}

}  // namespace xlashape::cli
