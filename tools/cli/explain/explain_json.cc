// SPDX-License-Identifier: Apache-2.0
#include "best_layout.h"
#include "facts.h"
#include "lines.h"

namespace xlashape::cli {
namespace {

// The bytes that an array or the leaves of a tuple take; none where unknown.
struct Amounts {
  std::optional<int64_t> elements, storage_elements, logical_bytes, bytes, xla_bytes;
  std::optional<double> waste_ratio;
};
constexpr std::optional<int64_t> Amounts::*kAmounts[] = {&Amounts::elements, &Amounts::storage_elements,
                                                         &Amounts::logical_bytes, &Amounts::bytes, &Amounts::xla_bytes};

// A leaf, as JSON and for the totals of its tuple.
struct LeafJson {
  Json json;
  Amounts amounts;
  bool counts = true;  // in the totals
};

Json tile_json(const Integers& tile) {
  Json sizes = Json::array();
  for (const int64_t size : tile) sizes.add(size < 0 ? Json(tile_size_text(size)) : Json(size));
  return sizes;
}

Json amounts_json(const Amounts& amounts) {
  return {{"elements", amounts.elements},           {"storage_elements", amounts.storage_elements},
          {"logical_bytes", amounts.logical_bytes}, {"bytes", amounts.bytes},
          {"xla_bytes", amounts.xla_bytes},         {"waste_ratio", amounts.waste_ratio}};
}

Amounts amounts_of(const Facts& facts) {
  if (!facts.sizes) return {};
  const Sizes& exact = facts.sizes->exact;
  Amounts amounts = {exact.elements, exact.storage_elements, facts.sizes->logical_bytes,
                     exact.bytes,    std::nullopt,           facts.sizes->waste_ratio};
  if (exact.xla_bytes >= 0) amounts.xla_bytes = exact.xla_bytes;
  return amounts;
}

// Only arrays have dimensions.
Json no_array(const Shape& shape, const char* element_type) {
  return {
      {"shape", shape.to_string()}, {"element_type", element_type}, {"dimensions", {}}, {"rank", {}}, {"true_rank", {}},
      {"minor_to_major", {}}};
}

Json least_waste_json(const BestLayout& best) {
  Json json = {
      {"layout", best.layout.to_string()}, {"bytes", best.sizes.exact.bytes}, {"waste_ratio", best.sizes.waste_ratio}};
  if (!best.all_tried) json.add("all_tried", false);
  return json;
}

LeafJson tell_array(const Facts& facts, std::optional<Target> target, LayoutSearch* search) {
  const Shape& array = facts.shape;
  const Difference difference = xla_difference(facts);
  Json dimensions = Json::array(), dynamic = Json::array(), tiles = Json::array();
  for (const int64_t size : facts.dimensions)
    dimensions.add(size == XLASHAPE_DIMENSION_UNBOUNDED ? Json("?") : Json(size));
  for (const uint8_t flag : facts.dynamic) dynamic.add(flag != 0);
  for (const Integers& tile : facts.tiles) tiles.add(tile_json(tile));
  const std::optional<BestLayout> best = best_layout(facts, search);
  const Amounts amounts = amounts_of(facts);
  Json json = {
      {"shape", array.to_string()},   {"element_type", name(facts.type)},
      {"dimensions", dimensions},     {"rank", facts.rank},
      {"true_rank", facts.true_rank}, {"minor_to_major", facts.layout ? Json(facts.layout.minor_to_major()) : Json()}};
  json.add_members_of(amounts_json(amounts));
  json.add_members_of({{"byte_strides", facts.byte_strides},
                       {"dynamic_dimensions", dynamic},
                       {"element_bits", container_bits(array)},
                       {"tiles", tiles},
                       {"tile_count", facts.first_tile.empty() ? Json() : Json(facts.tile_count)},
                       {"memory_space", facts.layout.memory_space()},
                       {"least_waste", best ? least_waste_json(*best) : Json()},
                       {"xla_bytes_why", difference.why.empty() ? Json() : Json(difference.why)},
                       {"warnings", difference.warnings}});
  if (target)
    json.add_members_of(
        {{"target", name(*target)},
         {"layout_chosen", facts.chosen},
         {"memory_space_name", facts.memory_space_name.empty() ? Json() : Json(facts.memory_space_name)}});
  return {json, amounts};
}

LeafJson tell_token_or_opaque(const Shape& shape) {
  const bool token = shape.category() == Category::kToken;
  Amounts amounts;
  if (token) amounts.logical_bytes = amounts.bytes = amounts.xla_bytes = 0;
  Json json = no_array(shape, token ? "token" : "opaque");
  json.add_members_of(amounts_json(amounts));
  json.add("byte_strides", {});
  return {json, amounts, !token};
}

// Totals over the leaves; null as soon as one leaf has none.
Json tuple_json(const Shape& tuple, std::optional<Target> target) {
  Json leaves = Json::array();
  LayoutSearch search;
  Amounts totals = {0, 0, 0, 0, 0, std::nullopt};
  for (const Leaf& leaf : leaves_of(tuple)) {
    const LeafJson answer =
        is_array(leaf.shape) ? tell_array(facts_of(leaf, target), target, &search) : tell_token_or_opaque(leaf.shape);
    Json json = {{"path", leaf.path}};
    json.add_members_of(answer.json);
    leaves.add(json);
    if (!answer.counts) continue;
    for (const auto amount : kAmounts) {
      std::optional<int64_t>& total = totals.*amount;
      const std::optional<int64_t>& more = answer.amounts.*amount;
      if (total && (!more || __builtin_add_overflow(*total, *more, &*total))) total.reset();
    }
  }
  if (totals.bytes && totals.logical_bytes.value_or(0) > 0)
    totals.waste_ratio = static_cast<double>(*totals.bytes) / static_cast<double>(*totals.logical_bytes);
  Json json = no_array(tuple, "tuple");
  json.add_members_of(amounts_json(totals));
  json.add("byte_strides", {});
  if (target)
    json.add_members_of(
        {{"target", name(*target)}, {"tuple_table_bytes", tuple_bytes(*target, tuple.tuple_element_count())}});
  json.add("leaves", leaves);
  return json;
}

}  // namespace

Json explain_json(const Shape& shape, std::optional<Target> target) {
  if (LayoutSearch search; is_array(shape)) return tell_array(facts_of(shape, target), target, &search).json;
  return shape.category() == Category::kTuple ? tuple_json(shape, target) : tell_token_or_opaque(shape).json;
}

}  // namespace xlashape::cli
