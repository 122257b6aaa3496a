// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/output/wrap.h"
#include "oom.h"

namespace xlashape::cli {

OomText::OomText(const Common& common) : paint_(common), width_(output_width()) {}

std::string OomText::cut(std::string_view given, size_t used) const {
  std::string plain = safe(given);
  constexpr size_t kLeast = 16, kMost = 2000;
  const size_t room = width_ ? std::max(kLeast, *width_ > used ? *width_ - used : 0) : kMost;
  if (plain.size() <= room) return plain;
  size_t keep = room - 3;
  while (keep > 0 && (static_cast<uint8_t>(plain[keep]) & 0xc0) == 0x80) --keep;
  return plain.substr(0, keep) + "...";
}

void OomText::print(const OomSummary& summary) const {
  const MemoryReport& report = summary.report;
  const std::string title = report.fails ? "Out of memory" : "Memory";
  const std::string where =
      fmt::format("{}{}, line {}", report.module.empty() ? "" : report.module + "  ", summary.path, report.line);
  say("{}  {}\n", paint_.title(title), paint_.faint(Text::made(cut(where, title.size() + 2))));
  numbers(report);
  parts("all", report.total);
  parts("program", report.program);
  if (report.times > 1) say("  the text says so {} times\n", report.times);
  if (!summary.rows.empty()) {
    const std::string sizes = fmt::format(": {} that the text lists", stated_text(summary.listed));
    say("\n  {}{}\n", paint_.label("Largest"), paint_.faint(text("{}", sizes)));
    for (const StatedRow& row : summary.rows) this->row(row);
    if (summary.rows_left_out > 0) say("  {}\n", paint_.faint(text("{:>11}  and {} more", "", summary.rows_left_out)));
  }
  if (report.unread > 0)
    say("  {}\n", paint_.fair(text("{} of its lists cut or not understood", counted(report.unread, "line"))));
  next(next_step(summary));
  say("\n");
}

void OomText::numbers(const MemoryReport& report) const {
  const std::string space = report.space.empty() ? "" : " of " + report.space;
  if (!report.needed.known()) {
    say("  {}\n", Text::made(cut("the text does not say how much is needed: " + report.what, 2)));
    return;
  }
  const std::string needed = stated_text(report.needed.bytes);
  if (!report.available.known()) {
    say("  {} needed{}{}\n", needed, space, report.fails ? "; how much there is, the text does not say" : "");
    return;
  }
  const std::string over = report.over.known() ? stated_text(report.over.bytes) + " over" : "";
  say("  {} of {}{}: {}\n", needed, stated_text(report.available.bytes), report.space.empty() ? "" : " " + report.space,
      paint_.bad(text("{}", over)));
}

void OomText::parts(std::string_view title, const std::vector<StatedPart>& parts) const {
  if (parts.empty()) return;
  std::string line;
  for (const StatedPart& part : parts) {
    line += line.empty() ? "" : ", ";
    line += part.name + " " + (part.size.known() ? stated_text(part.size.bytes) : "not known");
    if (part.unpadded.known()) line += fmt::format(" ({} of data)", stated_text(part.unpadded.bytes));
  }
  say("  {:<8} {}\n", title, Text::made(cut(line, 11)));
}

void OomText::row(const StatedRow& row) const {
  const StatedBuffer& buffer = row.buffer;
  const std::string sizes = stated_text(product(buffer.size.bytes, row.count));
  std::string what = row.count > 1 ? fmt::format("{} x {}  ", row.count, stated_text(buffer.size.bytes)) : "";
  what += buffer.shape.empty() ? (buffer.label.empty() ? "(no name)" : buffer.label) : buffer.shape;
  if (!buffer.kind.empty()) what += "  " + buffer.kind;
  say("  {:>11}  {}\n", sizes, Text::made(cut(what, 15)));
  const auto line = [&](const Text& text) { say("  {:<16}{}\n", "", text); };
  std::string who = buffer.shape.empty() ? "" : buffer.label;
  for (const std::string& word : {buffer.source, buffer.op_name})
    if (!word.empty()) who += (who.empty() ? "" : "  ") + word;
  if (row.other_names > 0) who += fmt::format(", and {} with other names", row.other_names);
  if (!who.empty()) line(paint_.faint(Text::made(cut(who, 18))));
  if (!buffer.shape.empty() && !row.understood) line(paint_.fair("this shape was cut, or is none"));
  if (!row.differs.empty())
    line(Text::made(cut(fmt::format("the shape takes {}, stated are {}: {}", stated_text(row.bytes.value_or(0)),
                                    stated_text(buffer.size.bytes), row.differs),
                        18)));
  if (const std::optional<StatedWaste> waste = waste_of(row)) {
    std::string note = fmt::format("{} of data, {} of padding", stated_text(waste->data), stated_text(waste->padding));
    if (row.better)
      note += fmt::format("; with {} it would take {}", row.better->layout, stated_text(row.better->bytes));
    const double factor = static_cast<double>(waste->data + waste->padding) / static_cast<double>(waste->data);
    line(text("{} {}", paint_.by_waste(factor, text("{}", human_ratio(factor))), Text::made(cut(note, 26))));
  }
}

void OomText::next(const NextStep& step) const {
  if (step.commands.empty()) return;
  constexpr size_t kLeast = 16, kMost = 84;  // of a line of prose
  say("\n");
  for (const std::string& line : wrapped(step.why, std::clamp(width_.value_or(kMost), kLeast, kMost) - 2))
    say("  {}\n", Text::made(line));
  for (const std::string& command : step.commands) say("    {}\n", command);
}

}  // namespace xlashape::cli
