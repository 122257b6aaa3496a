/* SPDX-License-Identifier: Apache-2.0 */
// For the corpus runner: shapes as the cases describe them, and what the cases' JSON holds.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>
#include <xlashape.hpp>

namespace corpus {

using Json = nlohmann::json;
using Integers = std::vector<int64_t>;

inline const Json& field(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  if (found == object.end()) throw std::runtime_error("the case has no field '" + name + "'");
  return *found;
}

inline Integers integers(const Json& value) { return value.get<Integers>(); }
inline std::string text(const Json& value) { return value.get<std::string>(); }

inline xlashape::PaddingValue padding_value(const Json& name) {
  static const char* const names[] = {"INVALID_PAD", "ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD", "UNKNOWN_PAD"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i]) return static_cast<xlashape::PaddingValue>(i);
  throw std::runtime_error(name.dump() + " is no padding value");
}

// The shape in a case's field `name`; its padding, which XLA's text cannot say, is in the fields with `prefix`.
inline xlashape::Shape read_shape(const Json& item, const std::string& name = "shape", const std::string& prefix = "") {
  const bool keep = item.contains("fill_missing_layouts") && item["fill_missing_layouts"] == false;
  auto shape = xlashape::Shape::parse(text(field(item, name)), keep ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : 0);
  const auto given = [&](const char* what) -> std::optional<Json> {
    const auto found = item.find(prefix + what);
    return found == item.end() || found->is_null() ? std::nullopt : std::optional<Json>(*found);
  };
  const auto widths = given("padded_dimensions"), value = given("padding_value");
  if (!widths && !value) return shape;
  xlashape::LayoutSpec spec = shape.layout().spec();
  if (widths) spec.padded_dimensions = integers(*widths);
  if (value) spec.padding_value = padding_value(*value);
  return shape.with_layout(xlashape::Layout::create(spec));
}

inline Json describe_layout(const xlashape::Layout& layout) {
  const xlashape::LayoutSpec spec = layout.spec();
  Json out = {{"minor_to_major", spec.minor_to_major}};
  for (const auto& tile : spec.tiles) {
    Json sizes = Json::array();
    for (const int64_t size : tile)
      sizes.push_back(size == XLASHAPE_COMBINE_DIMENSION ? Json("*")
                      : size == XLASHAPE_MATCH_DIMENSION ? Json("d")
                                                         : Json(size));
    out["tiles"].push_back(sizes);
  }
  const auto set = [&out](const char* name, int64_t value, int64_t usual) {
    if (value != usual) out[name] = value;
  };
  set("element_size_in_bits", spec.element_size_in_bits, 0);
  set("tail_padding_alignment", spec.tail_padding_alignment_in_elements, 1);
  set("memory_space", spec.memory_space, 0);
  set("metadata_prefix_bytes", spec.dynamic_shape_metadata_prefix_bytes, 0);
  set("padding_value", static_cast<int64_t>(spec.padding_value), 0);
  for (const auto& split : spec.splits)
    out["split_configs"].push_back(Json::array({Json(split.dimension), Json(split.indices)}));
  if (!spec.padded_dimensions.empty()) out["padded_dimensions"] = spec.padded_dimensions;
  return out;
}

// A shape's structure as `parse` cases expect it: fields at their default left out.
inline Json describe(const xlashape::Shape& shape, int depth = 0) {
  using xlashape::Category;
  if (depth > 500) throw std::runtime_error("the shape is nested too deep to be compared");
  if (shape.category() == Category::kToken) return {{"kind", "token"}};
  if (shape.category() == Category::kOpaque) return {{"kind", "opaque"}};
  if (shape.category() != Category::kArray) {
    Json elements = Json::array();
    for (int64_t i = 0; i < shape.tuple_element_count(); ++i)
      elements.push_back(describe(shape.tuple_element(i), depth + 1));
    return {{"kind", shape.category() == Category::kTuple ? "tuple" : "buffer"}, {"elements", elements}};
  }
  Json sizes = Json::array(), dynamic = Json::array();
  for (const int64_t size : shape.dimensions()) sizes.push_back(size == xlashape::kUnbounded ? Json("?") : Json(size));
  for (const uint8_t flag : shape.dynamic_dimensions()) dynamic.push_back(flag != 0);
  Json out = {
      {"kind", "array"}, {"type", xlashape::name(shape.element_type())}, {"dimensions", sizes}, {"dynamic", dynamic}};
  if (shape.has_layout()) out["layout"] = describe_layout(shape.layout());
  return out;
}

// The cases' own names of layout fields, whatever length they are written out to.
inline Json with_short_names(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(with_short_names(item));
    return out;
  }
  if (!value.is_object()) return value;
  static const std::map<std::string, std::string> names = {
      {"tail_padding_alignment_in_elements", "tail_padding_alignment"},
      {"dynamic_shape_metadata_prefix_bytes", "metadata_prefix_bytes"}};
  Json out = Json::object();
  for (const auto& [name, item] : value.items()) {
    if (item.is_null()) continue;
    const auto found = names.find(name);
    const bool padding = name == "padding_value" && item.is_string();
    out[found == names.end() ? name : found->second] =
        padding ? Json(static_cast<int32_t>(padding_value(item))) : with_short_names(item);
  }
  return out;
}

}  // namespace corpus
