// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "cli/base/human.h"
#include "cli/explain/facts.h"
#include "cli/files/new_file.h"
#include "scan/report/report.h"

namespace xlashape::cli {
namespace {

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

// Within a page `</script>` would end the data, wherever it stands.
std::string for_a_page(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

Json shape_json(const std::string& given) {
  const Result<Shape> shape = Shape::try_parse(given, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  if (!shape || !is_array(*shape)) return {};
  const Facts facts = facts_of(*shape);
  // With the padding that makes tiles whole.
  Integers padded = facts.padded;
  for (const TileSide& side : facts.first_tile) {
    if (side.dimension < 0 || side.size == XLASHAPE_COMBINE_DIMENSION) continue;
    int64_t& size = padded[static_cast<size_t>(side.dimension)];
    int64_t whole = 0;
    if (!__builtin_mul_overflow(side.size, side.pieces, &whole)) size = std::max(size, whole);
  }
  Json tiles = Json::array();
  for (size_t level = 0; level < facts.tiles.size(); ++level) {
    Json tile = Json::array();
    for (size_t i = 0; i < facts.tiles[level].size(); ++i) {
      const int64_t size = facts.tiles[level][i];
      if (size != XLASHAPE_MATCH_DIMENSION)
        tile.add(size);
      else if (level == 0 && !facts.first_tile.empty())
        tile.add(facts.first_tile[i].size);
      else
        tile.add("d");
    }
    tiles.add(tile);
  }
  Json json = {{"element_type", given.substr(0, given.find('['))},
               {"dimensions", facts.dimensions},
               {"minor_to_major", facts.minor_to_major},
               {"tiles", std::move(tiles)},
               {"padded", padded}};
  if (facts.sizes) {
    json.add("bytes", facts.sizes->exact.bytes);
    json.add("logical_bytes", facts.sizes->logical_bytes);
  }
  json.add("space", facts.layout ? facts.layout.memory_space() : 0);
  return json;
}

Json shapes_json(const std::vector<Summary>& modules, const std::vector<OomSummary>& reports) {
  std::set<std::string> texts;
  const auto add_better = [&](const std::string& shape, const std::optional<Better>& better) {
    if (better) texts.insert(shape.substr(0, shape.find('{')) + better->layout);
  };
  for (const OomSummary& report : reports)
    for (const StatedRow& row : report.rows) {
      texts.insert(row.buffer.shape);
      add_better(row.buffer.shape, row.better);
    }
  for (const Summary& module : modules) {
    for (const auto* rows : {&module.waste, &module.by_bytes})
      for (const ArrayRow& row : *rows) {
        texts.insert(row.shape);
        add_better(row.shape, row.better);
      }
    for (const auto* rows : {&module.undonated, &module.rewritten})
      for (const UndonatedRow& row : *rows) texts.insert(row.shape);
    for (const ArrayGroup& group : module.largest) texts.insert(group.shape);
    for (const RelayoutRow& row : module.relayouts) {
      texts.insert(row.from);
      texts.insert(row.to);
    }
    for (const SpaceRow& space : module.spaces) {
      for (const ArrayGroup& group : space.groups) texts.insert(group.shape);
      for (const auto* rows : {&space.members, &space.blocks})
        for (const MemberRow& row : *rows) texts.insert(row.shape);
    }
  }
  Json shapes = Json::object();
  for (const std::string& given : texts) {
    const Json json = shape_json(given);
    if (json.text() != "null") shapes.add(given, json);
  }
  return shapes;
}

}  // namespace

void write_page(const std::string& path, const std::vector<Summary>& modules, const std::vector<OomSummary>& reports,
                const std::vector<BudgetResult>& budgets, const std::string& target) {
  Json list = Json::array(), stated = Json::array();
  for (const Summary& module : modules) list.add(module_json(module));
  for (const OomSummary& report : reports) stated.add(oom_json(report));
  Json all = scan_json(std::move(list), std::move(stated), budgets, target);
  all.add("shapes", shapes_json(modules, reports));
  const std::string data = for_a_page(all.text());
  const Bytes parts[] = {bytes_of(page_before_data()), bytes_of(data), bytes_of(page_after_data())};
  write_whole(path, parts);
}

}  // namespace xlashape::cli
