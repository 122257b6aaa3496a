// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "cli/output/wrap.h"
#include "diff.h"

namespace xlashape::cli {
namespace {

std::string difference(int64_t before, int64_t after) {
  if (before == after) return "the same";
  std::string bytes = fmt::format("{}{}", after > before ? "+" : "-", human_size(std::abs(after - before)));
  if (before < kLittleGrowth && after > before) return bytes;
  const double times = static_cast<double>(after) / static_cast<double>(before);
  return times < 10 ? fmt::format("{} ({:+.1f} %)", bytes, (times - 1) * 100)
                    : fmt::format("{} ({:.0f} times as much)", bytes, times);
}

void print_origin(const DiffSide::DiffEntry& row, const Paint& paint) {
  std::string words = row.name;
  for (const std::string_view more : {std::string_view(row.source), std::string_view(row.op)})
    if (!more.empty() && more != row.name) words += fmt::format("  {}", more);
  say("  {:>11}  {}\n", "", paint.faint(Text::made(cut_to(words, output_width(), 15))));
}

void print_one_sided(const char* what, const std::vector<DiffSide::DiffEntry>& rows, size_t count, const Paint& paint) {
  if (rows.empty()) return;
  int64_t bytes = 0;
  for (const DiffSide::DiffEntry& row : rows) bytes = sum(bytes, row.bytes);
  say("\n  {}{}\n", paint.label(what),
      paint.faint(text(": {}, {}", counted(static_cast<int64_t>(rows.size()), "array"), human_size(bytes))));
  for (size_t i = 0; i < std::min(count, rows.size()); ++i) {
    say("  {:>11}  {}\n", human_size(rows[i].bytes), Text::made(cut_to(rows[i].shape, output_width(), 15)));
    print_origin(rows[i], paint);
  }
}

Json entry_json(const DiffSide::DiffEntry& entry) {
  return {{"name", entry.name}, {"shape", entry.shape}, {"bytes", entry.bytes}, {"source", entry.source}};
}

Json one_sided_json(const std::vector<DiffSide::DiffEntry>& rows, size_t count) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(count, rows.size()); ++i) {
    Json row = {{"op", rows[i].op}};
    row.add_members_of(entry_json(rows[i]));
    json.add(row);
  }
  return json;
}

}  // namespace

void print_diff(const ModuleDiff& diff, size_t rows, std::optional<double> limit, const Common& common) {
  const Paint paint(common);
  say("{}\n", paint.title(diff.name.empty() ? "(no name)" : diff.name));
  for (const Growth& growth : diff.growths) {
    if (growth.before == 0 && growth.after == 0) continue;
    const Text change = text("{}", difference(growth.before, growth.after));
    const bool broken = limit && exceeds(growth, *limit);
    say("  {:<16}{:>12} -> {:>12}  {}\n", growth.what, human_size(growth.before), human_size(growth.after),
        broken                         ? paint.bad(change)
        : growth.after > growth.before ? paint.fair(change)
        : growth.after < growth.before ? paint.good(change)
                                       : paint.faint(change));
  }
  if (diff.changed.empty() && diff.gone.empty() && diff.added.empty()) {
    say("  {} matched, and no layout changed\n\n", counted(diff.matched, "array"));
    return;
  }
  if (!diff.changed.empty())
    say("\n  {}{}\n", paint.label("Layouts that changed"),
        paint.faint(text(": {}", counted(static_cast<int64_t>(diff.changed.size()), "array"))));
  for (size_t i = 0; i < std::min(rows, diff.changed.size()); ++i) {
    const LayoutChange& change = diff.changed[i];
    const std::string bytes = difference(change.before.bytes, change.after.bytes);
    say("  {:>11}  {}\n", bytes,
        Text::made(cut_to(change.before.shape + " -> " + change.after.shape, output_width(),
                          std::max<size_t>(bytes.size(), 11) + 4)));
    print_origin(change.after, paint);
  }
  if (diff.changed.size() > rows)
    say("  {}\n", paint.faint(text("{:>11}  and {} more", "", diff.changed.size() - rows)));
  print_one_sided("Only before", diff.gone, rows, paint);
  print_one_sided("Only after", diff.added, rows, paint);
  say("\n");
}

Json diff_json(const ModuleDiff& diff, size_t rows, std::optional<double> limit) {
  Json growths = Json::array();
  for (const Growth& growth : diff.growths) {
    Json json = {{"what", growth.what}, {"before", growth.before}, {"after", growth.after}};
    if (limit) json.add("broken", exceeds(growth, *limit));
    growths.add(json);
  }
  Json changed = Json::array();
  for (size_t i = 0; i < std::min(rows, diff.changed.size()); ++i)
    changed.add({{"op", diff.changed[i].after.op},
                 {"before", entry_json(diff.changed[i].before)},
                 {"after", entry_json(diff.changed[i].after)}});
  Json json = {{"name", diff.name},
               {"totals", growths},
               {"matched", diff.matched},
               {"changed", diff.changed.size()},
               {"gone", diff.gone.size()},
               {"added", diff.added.size()},
               {"layouts_changed", changed},
               {"only_before", one_sided_json(diff.gone, rows)},
               {"only_after", one_sided_json(diff.added, rows)}};
  if (limit) json.add("why", diff.why.empty() ? Json() : Json(diff.why));
  return json;
}

}  // namespace xlashape::cli
