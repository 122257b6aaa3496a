// For the golden runner: handles of the C API, answers or errors, and shapes as the cases describe them.
#pragma once
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "xlashape.h"
#include "xlashape_util.h"

namespace golden {

using Json = nlohmann::json;

// The library said no. Everything else that goes wrong with a case is a std::runtime_error.
struct Refused {
  xlashape_status status;
  std::string message;
};

inline void check(xlashape_status status, const xlashape_error& err) {
  if (status != XLASHAPE_STATUS_OK) throw Refused{status, err.message};
}

struct Error : xlashape_error {
  Error() : xlashape_error{} { struct_size = sizeof(xlashape_error); }
};

// Calls function(arguments..., &err) and throws what it refuses.
template <class F, class... Arguments>
void call(F function, Arguments... arguments) {
  Error err;
  check(function(arguments..., &err), err);
}

// The same for variable answers: function(arguments..., out, capacity, needed, &err).
template <class T, class F, class... Arguments>
std::vector<T> list_of(F function, Arguments... arguments) {
  Error err;
  int64_t needed = 0;
  check(function(arguments..., static_cast<T*>(nullptr), int64_t{0}, &needed, &err), err);
  std::vector<T> out(static_cast<size_t>(needed));
  check(function(arguments..., out.data(), needed, &needed, &err), err);
  return out;
}

template <class F, class... Arguments>
std::string text_of(F function, Arguments... arguments) {
  Error err;
  int64_t needed = 0;
  check(function(arguments..., static_cast<char*>(nullptr), size_t{0}, &needed, &err), err);
  std::string text(needed, '\0');
  check(function(arguments..., text.data(), needed, &needed, &err), err);
  text.resize(needed - 1);
  return text;
}

struct Release {
  void operator()(xlashape_shape* shape) const { xlashape_shape_release(shape); }
  void operator()(xlashape_layout* layout) const { xlashape_layout_release(layout); }
  void operator()(xlashape_index_map* map) const { xlashape_index_map_release(map); }
};
using Shape = std::unique_ptr<xlashape_shape, Release>;
using Layout = std::unique_ptr<xlashape_layout, Release>;
using IndexMap = std::unique_ptr<xlashape_index_map, Release>;

// Calls function(arguments..., &handle, &err).
template <class T, class F, class... Arguments>
std::unique_ptr<T, Release> make(F function, Arguments... arguments) {
  T* handle = nullptr;
  call(function, arguments..., &handle);
  return std::unique_ptr<T, Release>(handle);
}

inline const Json& field(const Json& object, const std::string& name) {
  const auto found = object.find(name);
  if (found == object.end()) throw std::runtime_error("the case has no field '" + name + "'");
  return *found;
}

inline int64_t integer(const Json& value) {
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX))
    throw std::runtime_error(value.dump() + " is no 64-bit integer");
  return value.get<int64_t>();
}

inline std::vector<int64_t> integers(const Json& value) {
  if (!value.is_array()) throw std::runtime_error(value.dump() + " is no list of integers");
  std::vector<int64_t> out;
  for (const Json& item : value) out.push_back(integer(item));
  return out;
}

inline std::string text(const Json& value) {
  if (!value.is_string()) throw std::runtime_error(value.dump() + " is no text");
  return value.get<std::string>();
}

inline xlashape_padding_value padding_value(const Json& name) {
  static const char* const names[] = {"INVALID_PAD", "ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD", "UNKNOWN_PAD"};
  for (int i = 0; i < 6; ++i)
    if (name == names[i]) return i;
  throw std::runtime_error(name.dump() + " is no padding value");
}

inline std::string print(const xlashape_shape* shape, uint32_t flags = 0) {
  return text_of(xlashape_shape_print, shape, flags);
}

inline std::vector<int64_t> dimensions_of(const xlashape_shape* shape) {
  return list_of<int64_t>(xlashape_shape_dimensions, shape);
}

inline Shape parse(const std::string& text, uint32_t flags = 0) {
  return make<xlashape_shape>(xlashape_shape_parse, text.data(), text.size(), flags);
}

// `shape` with padding that its text could not say: everything else of its layout is read and given back.
inline Shape with_padding(const Shape& shape, const std::optional<std::vector<int64_t>>& widths,
                          xlashape_padding_value value) {
  const Layout layout = make<xlashape_layout>(xlashape_shape_layout, shape.get());
  const xlashape_layout* from = layout.get();
  if (widths && static_cast<int64_t>(widths->size()) != xlashape_layout_rank(from)) {
    // No struct can hold widths of another number than the rank; our own text can.
    std::string text = print(shape.get());
    if (text.back() != '}') text += "{:}";
    std::string list;
    for (const int64_t width : *widths) list.append(list.empty() ? "" : ",").append(std::to_string(width));
    const std::string colon = text.find(':') == std::string::npos ? ":" : "";
    return parse(text.substr(0, text.size() - 1) + colon + "PD(" + list + ")}");
  }
  const auto minor_to_major = list_of<int64_t>(xlashape_layout_minor_to_major, from);
  std::vector<int64_t> tile_ranks, tile_sizes, split_dimensions, split_sizes, split_indices;
  for (int64_t level = 0; level < xlashape_layout_tile_count(from); ++level) {
    const auto sizes = list_of<int64_t>(xlashape_layout_tile, from, level);
    tile_ranks.push_back(static_cast<int64_t>(sizes.size()));
    tile_sizes.insert(tile_sizes.end(), sizes.begin(), sizes.end());
  }
  for (int64_t i = 0; i < xlashape_layout_split_count(from); ++i) {
    int64_t dimension;
    const auto indices = list_of<int64_t>(xlashape_layout_split, from, i, &dimension);
    split_dimensions.push_back(dimension);
    split_sizes.push_back(static_cast<int64_t>(indices.size()));
    split_indices.insert(split_indices.end(), indices.begin(), indices.end());
  }
  xlashape_layout_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.padding_value = value;
  spec.rank = xlashape_layout_rank(from);
  spec.minor_to_major = minor_to_major.data();
  spec.padded_dimensions = widths ? widths->data() : nullptr;
  spec.tile_count = static_cast<int64_t>(tile_ranks.size());
  spec.tile_ranks = tile_ranks.data();
  spec.tile_dimensions = tile_sizes.data();
  spec.element_size_in_bits = xlashape_layout_element_size_in_bits(from);
  spec.tail_padding_alignment_in_elements = xlashape_layout_tail_padding_alignment_in_elements(from);
  spec.memory_space = xlashape_layout_memory_space(from);
  spec.split_count = static_cast<int64_t>(split_sizes.size());
  spec.split_dimensions = split_dimensions.data();
  spec.split_sizes = split_sizes.data();
  spec.split_indices = split_indices.data();
  spec.dynamic_shape_metadata_prefix_bytes = xlashape_layout_dynamic_shape_metadata_prefix_bytes(from);
  const Layout padded = make<xlashape_layout>(xlashape_layout_create, &spec);
  return make<xlashape_shape>(xlashape_shape_with_layout, shape.get(), padded.get());
}

// The shape in a case's field `name`; its padding is in the fields with `prefix`.
inline Shape read_shape(const Json& item, const std::string& name, const std::string& prefix) {
  const bool keep = item.contains("fill_missing_layouts") && item["fill_missing_layouts"] == false;
  Shape shape = parse(text(field(item, name)), keep ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : 0);
  const auto widths = item.find(prefix + "padded_dimensions"), value = item.find(prefix + "padding_value");
  const bool has_widths = widths != item.end() && !widths->is_null();
  const bool has_value = value != item.end() && !value->is_null();
  if (!has_widths && !has_value) return shape;
  return with_padding(shape, has_widths ? std::optional(integers(*widths)) : std::nullopt,
                      has_value ? padding_value(*value) : XLASHAPE_PAD_INVALID);
}

// A shape's structure as `parse` cases expect it: fields at their default left out.
inline Json describe_layout(const xlashape_layout* layout) {
  Json out = {{"minor_to_major", list_of<int64_t>(xlashape_layout_minor_to_major, layout)}};
  for (int64_t level = 0; level < xlashape_layout_tile_count(layout); ++level) {
    Json sizes = Json::array();
    for (const int64_t size : list_of<int64_t>(xlashape_layout_tile, layout, level))
      sizes.push_back(size == XLASHAPE_COMBINE_DIMENSION ? Json("*")
                      : size == XLASHAPE_MATCH_DIMENSION ? Json("d")
                                                         : Json(size));
    out["tiles"].push_back(sizes);
  }
  const auto set = [&out](const char* name, int64_t value, int64_t usual) {
    if (value != usual) out[name] = value;
  };
  set("element_size_in_bits", xlashape_layout_element_size_in_bits(layout), 0);
  set("tail_padding_alignment", xlashape_layout_tail_padding_alignment_in_elements(layout), 1);
  set("memory_space", xlashape_layout_memory_space(layout), 0);
  set("metadata_prefix_bytes", xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout), 0);
  for (int64_t i = 0; i < xlashape_layout_split_count(layout); ++i) {
    int64_t dimension;
    const auto indices = list_of<int64_t>(xlashape_layout_split, layout, i, &dimension);
    out["split_configs"].push_back(Json::array({dimension, indices}));
  }
  const auto widths = list_of<int64_t>(xlashape_layout_padded_dimensions, layout);
  if (!widths.empty()) out["padded_dimensions"] = widths;
  set("padding_value", xlashape_layout_padding_value(layout), XLASHAPE_PAD_INVALID);
  return out;
}

inline Json describe(const xlashape_shape* shape, int depth = 0) {
  if (depth > 500) throw std::runtime_error("the shape is nested too deep to be compared");
  const xlashape_category category = xlashape_shape_category(shape);
  if (category == XLASHAPE_CATEGORY_TOKEN) return {{"kind", "token"}};
  if (category == XLASHAPE_CATEGORY_OPAQUE) return {{"kind", "opaque"}};
  if (category != XLASHAPE_CATEGORY_ARRAY) {
    Json elements = Json::array();
    for (int64_t i = 0; i < xlashape_shape_tuple_element_count(shape); ++i)
      elements.push_back(describe(make<xlashape_shape>(xlashape_shape_tuple_element, shape, i).get(), depth + 1));
    return {{"kind", category == XLASHAPE_CATEGORY_TUPLE ? "tuple" : "buffer"}, {"elements", elements}};
  }
  Json sizes = Json::array(), dynamic = Json::array();
  for (const int64_t size : dimensions_of(shape))
    sizes.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED ? Json("?") : Json(size));
  for (const uint8_t flag : list_of<uint8_t>(xlashape_shape_dynamic_dimensions, shape)) dynamic.push_back(flag != 0);
  Json out = {{"kind", "array"},
              {"type", xlashape_element_type_name(xlashape_shape_element_type(shape))},
              {"dimensions", sizes},
              {"dynamic", dynamic}};
  if (xlashape_shape_has_layout(shape))
    out["layout"] = describe_layout(make<xlashape_layout>(xlashape_shape_layout, shape).get());
  return out;
}

// The cases' own names of layout fields, whatever length they are written out to.
inline Json with_short_names(const Json& value, int depth = 0) {
  if (depth > 2000) throw std::runtime_error("the expected shape is nested too deep to be compared");
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(with_short_names(item, depth + 1));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, item] : value.items()) {
    if (item.is_null()) continue;
    const bool padding = name == "padding_value" && item.is_string();
    const std::string key = name == "tail_padding_alignment_in_elements"    ? "tail_padding_alignment"
                            : name == "dynamic_shape_metadata_prefix_bytes" ? "metadata_prefix_bytes"
                                                                            : name;
    out[key] = padding ? Json(padding_value(item)) : with_short_names(item, depth + 1);
  }
  return out;
}

}  // namespace golden
