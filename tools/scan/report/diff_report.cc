// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/human.h"
#include "diff.h"

namespace xlashape::cli {
namespace {

std::string difference(int64_t before, int64_t after) {
  if (before == after) return "the same";
  std::string bytes = fmt::format("{}{}", after > before ? "+" : "-", human_size(std::abs(after - before)));
  if (before == 0) return bytes;
  return fmt::format("{} ({:+.1f} %)", bytes, (static_cast<double>(after) / static_cast<double>(before) - 1) * 100);
}

// "jit(f)/add  fusion  f32[8]" without the shape.
std::string key_words(const std::string& key) {
  const size_t first = std::min(key.find_first_not_of(' '), key.size());
  return key.substr(first, key.rfind("  ") - first);
}

void print_one_sided(const char* what, const std::vector<OneSided>& rows, size_t count, const Paint& paint) {
  if (rows.empty()) return;
  int64_t bytes = 0;
  for (const OneSided& row : rows) bytes = sum(bytes, row.entry.bytes);
  say("\n  {}{}\n", paint.label(what),
      paint.faint(text(": {}, {}", counted(static_cast<int64_t>(rows.size()), "array"), human_size(bytes))));
  for (size_t i = 0; i < std::min(count, rows.size()); ++i)
    say("  {:>11}  {}  {}  {}\n", human_size(rows[i].entry.bytes), rows[i].entry.shape, rows[i].entry.name,
        paint.faint(key_words(rows[i].key)));
}

Json entry_json(const DiffSide::DiffEntry& entry) {
  return {{"name", entry.name}, {"shape", entry.shape}, {"bytes", entry.bytes}, {"source", entry.source}};
}

Json one_sided_json(const std::vector<OneSided>& rows, size_t count) {
  Json json = Json::array();
  for (size_t i = 0; i < std::min(count, rows.size()); ++i) {
    Json row = {{"op", key_words(rows[i].key)}};
    row.add_members_of(entry_json(rows[i].entry));
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
    say("  {:>11}  {} -> {}\n", difference(change.before.bytes, change.after.bytes), change.before.shape,
        change.after.shape);
    say("  {:>11}  {}\n", "",
        paint.faint(text("{}  {}  {}", change.after.name, key_words(change.key), change.after.source)));
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
    changed.add({{"op", key_words(diff.changed[i].key)},
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
