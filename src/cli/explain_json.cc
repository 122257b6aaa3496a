#include "explain_json.h"

#include "best_layout.h"

namespace xlashape::cli {
namespace {

Json tile_json(const Numbers& tile) {
  Json sizes = Json::array();
  for (const int64_t size : tile) sizes.push_back(size == XLASHAPE_COMBINE_DIMENSION ? Json("*") : Json(size));
  return sizes;
}

Json sizes_of_nothing() {
  return {{"elements", nullptr}, {"storage_elements", nullptr}, {"logical_bytes", nullptr},
          {"bytes", nullptr},    {"xla_bytes", nullptr},        {"waste_ratio", nullptr}};
}

Json no_array() {
  return {{"dimensions", nullptr}, {"rank", nullptr}, {"true_rank", nullptr}, {"minor_to_major", nullptr}};
}

Json array_json(const Shape& array, LayoutSearch* search) {
  const Facts facts = facts_of(array);
  Json json;
  json["shape"] = text_of(array);
  json["element_type"] = xlashape_element_type_name(facts.type);
  Json& dimensions = json["dimensions"] = Json::array();
  for (const int64_t size : facts.dimensions)
    dimensions.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED ? Json("?") : Json(size));
  json["rank"] = facts.rank;
  json["true_rank"] = facts.true_rank;
  json["minor_to_major"] = facts.layout ? Json(facts.minor_to_major) : Json();
  if (facts.sizes) {
    const xlashape_sizes& exact = facts.sizes->exact;
    json["elements"] = exact.elements;
    json["storage_elements"] = exact.storage_elements;
    json["logical_bytes"] = facts.sizes->logical_bytes;
    json["bytes"] = exact.bytes;
    json["xla_bytes"] = exact.xla_bytes >= 0 ? Json(exact.xla_bytes) : Json();
    json["waste_ratio"] = facts.sizes->waste_ratio ? Json(*facts.sizes->waste_ratio) : Json();
  } else {
    json.update(sizes_of_nothing());
  }
  json["byte_strides"] = facts.byte_strides ? Json(*facts.byte_strides) : Json();
  Json& dynamic = json["dynamic_dimensions"] = Json::array();
  for (const uint8_t flag : facts.dynamic) dynamic.push_back(flag != 0);
  json["element_bits"] = container_bits(array);
  Json& tiles = json["tiles"] = Json::array();
  for (const Numbers& tile : facts.tiles) tiles.push_back(tile_json(tile));
  json["tile_count"] = facts.first_tile.empty() ? Json() : Json(facts.tile_count);
  json["memory_space"] = facts.layout ? xlashape_layout_memory_space(facts.layout.get()) : 0;
  if (const std::optional<BestLayout> best = best_layout(facts, search)) {
    json["least_waste"] = {{"layout", text_of(best->layout)},
                           {"bytes", best->sizes.exact.bytes},
                           {"waste_ratio", best->sizes.waste_ratio ? Json(*best->sizes.waste_ratio) : Json()}};
    if (!best->all_tried) json["least_waste"]["all_tried"] = false;
  } else {
    json["least_waste"] = nullptr;
  }
  return json;
}

Json token_or_opaque_json(const Shape& shape) {
  const bool token = xlashape_shape_category(shape.get()) == XLASHAPE_CATEGORY_TOKEN;
  Json json;
  json["shape"] = text_of(shape);
  json["element_type"] = token ? "token" : "opaque";
  json.update(no_array());
  json.update(sizes_of_nothing());
  if (token) json["logical_bytes"] = json["bytes"] = json["xla_bytes"] = 0;
  json["byte_strides"] = nullptr;
  return json;
}

// Totals over the leaves; null as soon as one leaf has none.
Json tuple_json(const Shape& tuple) {
  Json leaves = Json::array();
  LayoutSearch search;
  for (const Leaf& leaf : leaves_of(tuple)) {
    Json json = {{"path", leaf.path}};
    json.update(is_array(leaf.shape) ? array_json(leaf.shape, &search) : token_or_opaque_json(leaf.shape));
    leaves.push_back(std::move(json));
  }
  Json json;
  json["shape"] = text_of(tuple);
  json["element_type"] = "tuple";
  json.update(no_array());
  for (const char* key : {"elements", "storage_elements", "logical_bytes", "bytes", "xla_bytes"}) {
    int64_t total = 0;
    bool known = true;
    for (const Json& leaf : leaves) {
      if (leaf["element_type"] == "token") continue;
      known =
          known && leaf[key].is_number_integer() && !__builtin_add_overflow(total, leaf[key].get<int64_t>(), &total);
    }
    json[key] = known ? Json(total) : Json();
  }
  json["waste_ratio"] = nullptr;
  if (json["bytes"].is_number() && json["logical_bytes"].is_number() && json["logical_bytes"] > 0)
    json["waste_ratio"] = json["bytes"].get<double>() / json["logical_bytes"].get<double>();
  json["byte_strides"] = nullptr;
  json["leaves"] = std::move(leaves);
  return json;
}

}  // namespace

Json explain_json(const Shape& shape) {
  if (LayoutSearch search; is_array(shape)) return array_json(shape, &search);
  return xlashape_shape_category(shape.get()) == XLASHAPE_CATEGORY_TUPLE ? tuple_json(shape)
                                                                         : token_or_opaque_json(shape);
}

Json error_json(const Failure& failure) {
  return {{"code", failure.code},
          {"message", failure.message},
          {"offset", failure.offset >= 0 ? Json(failure.offset) : Json()}};
}

}  // namespace xlashape::cli
