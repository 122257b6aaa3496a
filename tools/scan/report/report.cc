// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "cli/output/wrap.h"
#include "oom.h"

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

std::string name_of(const SpaceRow& space) {
  return space.name.empty() ? fmt::format("S({})", space.space) : fmt::format("S({}) {}", space.space, space.name);
}

// Semaphores, a table of pointers.
bool is_little(const SpaceRow& space, const Summary& summary) {
  constexpr int64_t kLittle = 64 << 10;
  return space.allocated < kLittle && std::any_of(summary.spaces.begin(), summary.spaces.end(),
                                                  [](const SpaceRow& other) { return other.allocated >= kLittle; });
}

constexpr size_t kIndent = 16;

}  // namespace

Report::Report(const Common& common, bool whole)
    : paint_(common), width_(output_width()), narrow_(width_ && *width_ < 72), whole_(whole) {}

std::string Report::cut(std::string_view given, size_t used) const { return cut_to(given, width_, used); }

void Report::prose(std::string_view words, size_t indent, std::string_view first) {
  const std::optional<size_t> room = width_ ? std::optional(*width_ - std::min(*width_, indent)) : std::nullopt;
  for (const std::string& line : wrapped(width_ ? safe(words) : cut(words, 0), room, first.size())) {
    say("{:<{}}{}{}\n", "", indent, first, Text::made(line));
    first = "";
  }
}

void Report::title(std::string_view label, std::string_view words) {
  say("\n  {}{}\n", paint_.label(text("{}", label)), paint_.faint(Text::made(cut(words, label.size() + 2))));
}

void Report::entry(const Text& front, size_t front_width, std::string_view shape) {
  if (narrow_)
    say("  {}\n    {}\n", front, Text::made(cut(shape, 4)));
  else
    say("  {}  {}\n", front, Text::made(cut(shape, front_width + 4)));
}

void Report::detail(const InstructionOrigin& origin, std::string_view of,
                    std::initializer_list<std::string_view> notes) {
  const size_t indent = narrow_ ? 4 : kIndent + 2;
  const std::string words = joined_words({who(origin), of, end_of_path(origin.source), origin.op_name});
  say("{:<{}}{}\n", "", indent, paint_.faint(Text::made(cut(words, indent))));
  for (const std::string_view note : notes)
    if (!note.empty()) prose(note, indent);
}

void Report::module(const Summary& summary) {
  heads(summary);
  spaces(summary);
  if (const std::string first = look_first(summary); !first.empty()) prose(first, 2, "Look first: ");
  std::vector<Stake> little;
  for (const Stake& stake : stakes_of(summary)) {
    if (stake.little && !whole_)
      little.push_back(stake);
    else
      section(summary, stake);
  }
  arrays(summary);
  folded(little);
  say("\n");
}

void Report::section(const Summary& summary, const Stake& stake) {
  switch (stake.finding) {
    case Stake::Finding::kUndonated:
      return undonated(summary);
    case Stake::Finding::kRewritten:
      return rewritten(summary);
    case Stake::Finding::kRelayouts:
      return relayouts(summary);
    case Stake::Finding::kWaste:
      return waste(summary);
    case Stake::Finding::kPeak:
      break;
  }
  for (const SpaceRow& row : summary.spaces)
    if (row.space == stake.space) peak(row);
}

void Report::folded(const std::vector<Stake>& stakes) {
  if (stakes.empty()) return;
  std::string words, spaces;
  for (const Stake& stake : stakes) {
    constexpr std::string_view kWords[] = {"not donated", "written again by a loop", "relayouts", "waste"};
    if (stake.finding != Stake::Finding::kPeak)
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", kWords[static_cast<size_t>(stake.finding)],
                           human_size(stake.bytes));
    else
      spaces += fmt::format("{}S({})", spaces.empty() ? "" : ", ", stake.space);
  }
  if (!spaces.empty()) words += fmt::format("{}what is in {}", words.empty() ? "" : ", ", spaces);
  say("\n");
  prose(fmt::format("Less than 1 % each: {}; --all shows it", words), 2);
}

void Report::heads(const Summary& summary) {
  const std::string title = cut(summary.name.empty() ? "(no name)" : summary.name, 0);
  const bool beside = !width_ || title.size() + 2 + 24 < *width_;
  const Text path = paint_.faint(Text::made(cut(summary.path, beside ? title.size() + 2 : 2)));
  if (beside)
    say("{}  {}\n", paint_.title(Text::made(title)), path);
  else
    say("{}\n  {}\n", paint_.title(Text::made(title)), path);
  fits(summary);
  std::string layouts;
  if (summary.format == "stablehlo" && !summary.predicted) layouts += "; without layouts: --target predicts them";
  if (!summary.partitioned)
    layouts += fmt::format("; shapes of {} devices together, one has less", summary.partitions.value_or(1));
  if (summary.predicted) layouts += fmt::format("; layouts as {} chooses them", name(*summary.target));
  prose(fmt::format("{}, {}{}", counted(summary.computations, "computation"),
                    counted(summary.instructions, "instruction"), layouts),
        2);
  unparsed(summary);
  if (narrow_)
    say("  {}\n", paint_.faint(text("{:<10}{:>12}{:>10}", "", "in memory", "factor")));
  else
    say("  {}\n", paint_.faint(text("{:<10}{:>8}{:>14}{:>14}{:>10}", "", "arrays", "in memory", "of data", "factor")));
  total("arguments", summary.arguments);
  if (summary.outputs_known)
    total("results", summary.outputs);
  else
    say("  {:<10}{}\n", "results", paint_.bad("not known"));
  total("constants", summary.constants);
  total("values", summary.values);
  if (summary.unsized > 0) prose(counted(summary.unsized, "array") + " without a known size: not counted", 2);
}

// "52.12 GiB of 15.75 GiB hbm: 36.37 GiB over"
void Report::fits(const Summary& summary) {
  for (const Fit& fit : summary.fits) {
    // Arguments alone tell nothing but that they do not fit, and of small memories nobody wants to hear that they do.
    if ((!fit.exact || fit.capacity.number != 0) && fit.fits.value_or(true)) continue;
    const int64_t available = fit.needed > fit.capacity.least ? fit.capacity.most : fit.capacity.least;
    const Text rest = fit.needed > available ? paint_.bad(text("{} over", stated_text(fit.needed - available)))
                                             : paint_.good(text("{} left", stated_text(available - fit.needed)));
    const Text needed = text("{}{} of {} {}:", fit.exact ? "" : "arguments alone: ", stated_text(fit.needed),
                             stated_text(available), fit.capacity.space);
    if (narrow_)
      say("  {}\n    {}\n", needed, rest);
    else
      say("  {} {}\n", needed, rest);
    if (!fit.why.empty()) prose("but " + fit.why, narrow_ ? 4 : 2);
  }
}

void Report::unparsed(const Summary& summary) {
  if (summary.unparsed.count() == 0) return;
  say("  {}\n",
      paint_.bad(text("{} not understood:", counted(static_cast<int64_t>(summary.unparsed.count()), "line"))));
  constexpr size_t kShown = 3;
  for (size_t i = 0; i < std::min(kShown, summary.unparsed.first().size()); ++i) {
    const Unparsed::UnparsedLine& line = summary.unparsed.first()[i];
    const std::string front = fmt::format("line {}: {}:", line.number, line.why);
    const bool beside = !width_ || front.size() + 24 < *width_;
    if (!beside) prose(front, 4);
    const size_t indent = beside ? front.size() + 5 : 6;
    say("{:<{}}{}\n", beside ? "    " + front : "", indent, paint_.faint(Text::made(cut(line.text, indent))));
  }
}

void Report::total(std::string_view what, const Total& total) {
  if (total.arrays == 0) return;
  const double factor = ratio(total.bytes, total.logical_bytes);
  const Text waste = paint_.by_waste(factor, text("{:>10}", human_ratio(factor)));
  if (narrow_)
    say("  {:<10}{:>12}{}\n", what, human_size(total.bytes), waste);
  else
    say("  {:<10}{:>8}{:>14}{:>14}{}\n", what, grouped(total.arrays), human_size(total.bytes),
        human_size(total.logical_bytes), waste);
}

void Report::spaces(const Summary& summary) {
  // Without a buffer assignment only what is in each space, which is no occupation.
  if (summary.spaces.empty() && summary.by_space.size() > 1)
    for (const auto& [number, sums] : summary.by_space) total(space_text(number, summary.target), sums);
  std::string little;
  for (const SpaceRow& row : summary.spaces) {
    if (whole_ || !is_little(row, summary))
      space(row);
    else
      little += fmt::format("{}{} {}", little.empty() ? "" : ", ", name_of(row), human_size(row.allocated));
  }
  if (!little.empty()) prose(little, 2, "and        ");
}

void Report::space(const SpaceRow& space) {
  std::string peak;
  if (space.peak_step >= 0) {
    peak = fmt::format("at most {} in use, at step {} of {}", human_size(space.peak), space.peak_step, space.steps);
    if (!space.peak_instruction.empty()) peak += " (" + space.peak_instruction + ")";
  }
  const std::string name = name_of(space), allocated = human_size(space.allocated) + " allocated";
  if (narrow_) {
    say("  {:<10}{:>22}\n", name, allocated);
    if (!peak.empty()) prose(peak, 4);
  } else {
    say("  {:<10}{:>8}{:>24}{}{}\n", name, "", allocated, peak.empty() ? "" : ", ", Text::made(cut(peak, 46)));
  }
}

void Report::more(int64_t left_out) {
  if (left_out > 0) say("  {}\n", paint_.faint(text("{:>11}  and {} more", "", left_out)));
}

void Report::waste(const Summary& summary) {
  title("Waste", fmt::format(": {} of padding in arguments, constants and values", human_size(summary.wasted())));
  for (const ArrayRow& array : summary.waste) {
    const double factor = ratio(array.bytes, array.logical_bytes);
    entry(text("{:>11} of {:>11} {}", human_size(array.bytes - array.logical_bytes), human_size(array.bytes),
               paint_.by_waste(factor, text("{:>8}", human_ratio(factor)))),
          35, array.shape + (array.kind == "value" ? "" : "  " + std::string(array.kind)));
    std::string better, moved;
    if (array.better)
      better = fmt::format("with {} it would take {}", array.better->layout, human_size(array.better->bytes));
    if (array.better && array.better->moved > 0)
      moved = fmt::format("the program reads the layout that it has now: given the other, it may move {} in each run",
                          human_size(array.better->moved));
    detail(array.origin, array.origin.operand.empty() ? "" : "of " + array.origin.operand, {better, moved});
  }
}

void Report::undonated(const Summary& summary) {
  title("Not donated",
        fmt::format(": {} of arguments could share the memory of a result", human_size(summary.undonated_bytes)));
  for (const UndonatedRow& array : summary.undonated)
    if (array.donation == Donation::kSaves)
      entry(text("{:>11}", human_size(array.bytes)), 11,
            joined_words({array.shape, array.origin.name, array.origin.op_name}));
  more(summary.undonated_left_out);
  prose("where the caller does not need them afterwards: donate them (donate_argnums in jax)",
        narrow_ ? 4 : kIndent - 1);
}

void Report::rewritten(const Summary& summary) {
  title("Written again by a loop",
        fmt::format(": {} of results in memory of their own, while the loop reads an argument",
                    human_size(summary.rewritten_bytes)));
  for (const UndonatedRow& array : summary.rewritten) {
    entry(text("{:>11}", human_size(array.bytes)), 11,
          joined_words({array.shape, array.origin.name, array.origin.op_name}));
    if (array.blocked_by) detail(*array.blocked_by, "", {});
  }
  more(summary.rewritten_left_out);
  prose("donated as it is, nothing is saved: first carry it through the loop and write only what changes",
        narrow_ ? 4 : kIndent - 1);
}

void Report::arrays(const Summary& summary) {
  if (summary.largest.empty()) return;
  title("Largest arrays", "");
  groups(summary.largest, summary.largest_left_out);
}

// "6 x bf16[6,4,1024,2048]{3,2,1,0}  temporary", and below it a line for each line of code.
void Report::groups(const std::vector<ArrayGroup>& groups, int64_t left_out) {
  constexpr size_t kOrigins = 3, kNames = 3;
  const size_t indent = narrow_ ? 4 : kIndent - 1;
  for (const ArrayGroup& group : groups) {
    const std::string times = group.count > 1 ? grouped(group.count) + " x " : "";
    entry(text("{:>11}", human_size(group.bytes)), 11,
          joined_words({times + group.shape, group.use == "value" ? std::string_view() : group.use}));
    int64_t told = 0;
    for (size_t i = 0; i < std::min(kOrigins, group.origins.size()); ++i) {
      const WrittenArrays& written = group.origins[i];
      const InstructionOrigin& origin = written.origin;
      told += written.count;
      const size_t named = std::min(kNames, written.names.size());
      std::string names = joined(std::span(written.names).first(named), ", ");
      if (written.count > static_cast<int64_t>(named))
        names += fmt::format(" and {} more", grouped(written.count - static_cast<int64_t>(named)));
      // A value of a loop has another name than the instruction that writes it.
      const std::string& first = written.names.front();
      const bool own = origin.name.empty() || first.substr(0, first.find('{')) == origin.name;
      if (own && written.count == 1 && !origin.name.empty() && group.use != "parameter" && group.use != "argument")
        names = (origin.opcode == origin.name ? "" : origin.opcode + " ") + names;
      const std::string by = own ? "" : "by " + origin.name;
      const std::string of = origin.operand.empty() ? "" : "of " + origin.operand;
      say("{:<{}}{}\n", "", indent,
          paint_.faint(
              Text::made(cut(joined_words({names, by, of, end_of_path(origin.source), origin.op_name}), indent))));
    }
    if (told < group.count)
      say("{:<{}}{}\n", "", indent, paint_.faint(text("and {} from elsewhere", grouped(group.count - told))));
  }
  more(left_out);
}

void Report::relayouts(const Summary& summary) {
  std::string counts;
  for (const Verdict verdict : kVerdicts) {
    const VerdictTotal& total = summary.of(verdict);
    if (total.count == 0) continue;
    counts += fmt::format("{}{} {}", counts.empty() ? ": " : ", ", grouped(total.count), name(verdict));
    if (total.bytes > 0) counts += fmt::format(" ({})", human_size(total.bytes));
  }
  title("Relayouts", counts + "; bytes read and written");
  for (const RelayoutRow& relayout : summary.relayouts) {
    const Text verdict = painted(paint_, relayout.verdict, text("{:<9}", name(relayout.verdict)));
    entry(text("{:>11}  {}", relayout.interior ? "in a fusion" : human_size(relayout.bytes), verdict), 22,
          relayout.from + " -> " + after(relayout.from, relayout.to));
    std::string of = relayout.operand.empty() ? "" : "of " + relayout.operand;
    if (const std::string& words = relayout.origin.op_name; !words.empty() && of.ends_with(" " + words))
      of.resize(of.size() - words.size() - 1);
    detail(relayout.origin, of, {relayout.why, relayout.remedy});
  }
  more(summary.relayouts_left_out);
}

void Report::peak(const SpaceRow& space) {
  const std::string where = space.name.empty() ? fmt::format("S({})", space.space) : space.name;
  title("In " + where + " at the peak",
        space.peak_step >= 0 ? "" : ": all that is allocated, as the times are not known");
  groups(space.groups, space.groups_left_out);
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
    const Text front = text("--{} {}:", name(result.budget.kind), result.budget.given);
    const std::vector<std::string> lines = wrapped(safe(words(result)), width_, front.bytes().size() + 1);
    for (const std::string& line : lines)
      say("{}{}{}\n", &line == &lines.front() ? paint_.bad(front) : Text(), &line == &lines.front() ? " " : "",
          Text::made(line));
    for (const Contributor& contributor : result.worst)
      entry(text("{:>11}", human_size(contributor.bytes)), 11, joined_words({contributor.name, contributor.text}));
  }
}

}  // namespace xlashape::cli
