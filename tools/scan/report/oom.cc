// SPDX-License-Identifier: Apache-2.0
#include "oom.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "cli/base/number.h"
#include "cli/explain/best_layout.h"
#include "scan/cost/capacity.h"
#include "scan/program/shapes.h"

namespace xlashape::cli {
namespace {

constexpr std::string_view kUsage = "XLA's memory usage report";

// What the shape's text says about one array.
void measure(Shapes* shapes, LayoutSearch* search, bool has_layouts, StatedRow* row) {
  const uint32_t shape = row->buffer.shape.empty() ? kNone : shapes->of(row->buffer.shape);
  if (shape == kNone) return;
  row->understood = true;
  const ShapeFacts& facts = shapes->facts(shape);
  if (!facts.sized) return;
  row->bytes = facts.bytes;
  row->logical_bytes = facts.logical_bytes;
  const StatedSize& stated = row->buffer.size;
  const int64_t apart = std::max(stated.bytes, facts.bytes) - std::min(stated.bytes, facts.bytes);
  const bool tiled = facts.array && facts.shape.has_layout() && facts.shape.layout().tile_count() > 0;
  if (facts.tuple) {
    // Its arrays have memory of their own; what is stated is its table of pointers.
    row->bytes = row->logical_bytes = std::nullopt;
    return;
  }
  if (apart > stated.rounding) {
    if (!has_layouts)
      row->differs = "this report has no layouts, so no padding";
    else if (!tiled && stated.bytes > facts.bytes)
      row->differs = "the text has no tiles, so their padding is not in the shape";
    else
      row->differs = "the text does not say why";
  }
  if (!tiled) return;
  const std::optional<BestLayout> best = best_layout(facts_of(facts.shape), search);
  if (best && !best->same && best->sizes.exact.bytes < facts.bytes)
    row->better = Better{best->layout.to_string(), best->sizes.exact.bytes};
}

Json size_json(const StatedSize& size) { return size.known() ? Json(size.bytes) : Json(); }

Json parts_json(const std::vector<StatedPart>& parts) {
  Json json = Json::array();
  for (const StatedPart& part : parts)
    json.add(Json{{"name", part.name},
                  {"bytes", size_json(part.size)},
                  {"unpadded", size_json(part.unpadded)},
                  {"fragmented", size_json(part.fragmented)}});
  return json;
}

Json row_json(const StatedRow& row) {
  const StatedBuffer& buffer = row.buffer;
  const std::optional<StatedWaste> waste = waste_of(row);
  const auto number = [](const std::optional<int64_t>& value) { return value ? Json(*value) : Json(); };
  return {{"count", row.count},
          {"stated", buffer.size.bytes},
          {"rounding", buffer.size.rounding},
          {"stated_unpadded", size_json(buffer.unpadded)},
          {"stated_padding", size_json(buffer.padding)},
          {"shape", text_or_null(buffer.shape)},
          {"understood", row.understood},
          {"bytes", number(row.bytes)},
          {"logical_bytes", number(row.logical_bytes)},
          {"waste", waste ? Json{{"data", waste->data}, {"padding", waste->padding}} : Json()},
          {"differs", text_or_null(row.differs)},
          {"better", row.better ? Json{{"layout", row.better->layout}, {"bytes", row.better->bytes}} : Json()},
          {"kind", buffer.kind},
          {"label", buffer.label},
          {"op_name", buffer.op_name},
          {"source", buffer.source},
          {"other_names", row.other_names},
          {"line", static_cast<int64_t>(buffer.line)}};
}

Json next_json(const NextStep& step) {
  if (step.commands.empty()) return {};
  return {{"why", step.why}, {"commands", step.commands}};
}

}  // namespace

std::optional<StatedWaste> waste_of(const StatedRow& row) {
  const int64_t data = row.logical_bytes.value_or(row.buffer.unpadded.bytes);
  const int64_t all = row.differs.empty() && row.bytes ? *row.bytes : row.buffer.size.bytes;
  const bool known = row.buffer.padding.known() || row.differs.empty();
  if (!known || data <= 0 || all <= data) return std::nullopt;
  return StatedWaste{data, all - data};
}

NextStep next_step(const OomSummary& summary) {
  if (!summary.report.fails || !summary.rows.empty()) return {};
  const std::string target = summary.targets.size() == 1 ? " --target " + summary.targets.front() : "";
  return {"The text names no arrays. Jax and torch_xla dump the program when they compile it, also where that fails:",
          {"XLA_FLAGS=\"--xla_dump_to=dump --xla_dump_hlo_as_text\" python3 ...", "xlashape scan dump" + target}};
}

OomSummary oom_summary(MemoryReport&& report, const std::string& path, size_t rows) {
  OomSummary summary;
  summary.path = path;
  std::map<std::tuple<std::string, int64_t, std::string>, size_t> known;
  std::vector<StatedRow> all;
  const bool shapes_alone = report.what == kUsage;
  for (StatedBuffer& buffer : report.buffers) {
    summary.listed = sum(summary.listed, buffer.size.bytes);
    // Memory without a shape is told one by one.
    const std::string key = buffer.shape.empty() ? "\n" + buffer.label : buffer.shape;
    const auto [at, is_new] = known.try_emplace({key, buffer.size.bytes, buffer.kind}, all.size());
    if (is_new) {
      all.emplace_back();
      all.back().buffer = std::move(buffer);
      continue;
    }
    StatedRow& row = all[at->second];
    ++row.count;
    row.other_names += buffer.op_name != row.buffer.op_name ? 1 : 0;
  }
  std::stable_sort(all.begin(), all.end(), [](const StatedRow& a, const StatedRow& b) {
    return product(a.buffer.size.bytes, a.count) > product(b.buffer.size.bytes, b.count);
  });
  summary.rows_left_out = static_cast<int64_t>(all.size() - std::min(all.size(), rows));
  all.resize(std::min(all.size(), rows));
  Shapes shapes;
  LayoutSearch search;
  for (StatedRow& row : all) measure(&shapes, &search, !shapes_alone, &row);
  summary.rows = std::move(all);
  report.buffers.clear();
  if (report.available.known() && report.space == "hbm")
    for (const std::string_view target : targets_with(report.available.bytes, report.available.rounding))
      summary.targets.emplace_back(target);
  summary.report = std::move(report);
  return summary;
}

Json oom_json(const OomSummary& summary) {
  const MemoryReport& report = summary.report;
  Json rows = Json::array(), targets = Json::array();
  for (const StatedRow& row : summary.rows) rows.add(row_json(row));
  for (const std::string& target : summary.targets) targets.add(Json(target));
  return {{"file", summary.path},
          {"line", static_cast<int64_t>(report.line)},
          {"failed", report.fails},
          {"what", report.what},
          {"space", text_or_null(report.space)},
          {"module", text_or_null(report.module)},
          {"needed", size_json(report.needed)},
          {"available", size_json(report.available)},
          {"over", size_json(report.over)},
          {"rounding", std::max(report.needed.rounding, report.available.rounding)},
          {"targets", targets},
          {"total", parts_json(report.total)},
          {"program", parts_json(report.program)},
          {"buffers", rows},
          {"buffers_left_out", summary.rows_left_out},
          {"listed", summary.listed},
          {"unread", report.unread},
          {"times", report.times},
          {"next", next_json(next_step(summary))}};
}

}  // namespace xlashape::cli
