// SPDX-License-Identifier: Apache-2.0
// What answers have to do with each other: of single calls, by the function's name; and of handles, whichever way they
// came to be. Each is what the headers promise in words.
#include <map>
#include <optional>

#include "plans.h"
#include "xlashape_interop.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"

namespace api_fuzz {
namespace {

constexpr uint32_t kWhole = 0;

bool is_same(const xlashape_shape* a, const xlashape_shape* b, uint32_t mask = kWhole) {
  return xlashape_shape_equal(a, b, mask) == 1;
}
bool is_same(const xlashape_layout* a, const xlashape_layout* b) { return xlashape_layout_equal(a, b, kWhole) == 1; }
HeldLayout layout_of(const xlashape_shape* shape) { return held<HeldLayout>(xlashape_shape_layout, shape); }
HeldShape shape_of(const std::string& text, uint32_t flags = XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) {
  return held<HeldShape>(xlashape_shape_parse, text.data(), size_of(text), flags);
}
template <class Callee, class... Arguments>
int64_t number_of(Callee callee, Arguments... arguments) {
  int64_t number = -1;
  return callee(arguments..., &number, nullptr) == XLASHAPE_STATUS_OK ? number : -1;
}

// == Of single calls ==

using Judge = void (*)(Input& input, const Called& called);

const xlashape_shape* result_of(const Called& c, const char* name = "result") {
  return c.told<const xlashape_shape*>(name);
}

void elements_of_type(Input&, const Called& c) {
  const auto type = c.get<xlashape_element_type>("type");
  const int32_t bits = xlashape_element_type_bits(type), storage = xlashape_element_type_storage_bits(type);
  const uint32_t classes = xlashape_element_type_classes(type);
  const bool is_array_type = (classes & XLASHAPE_CLASS_ARRAY) != 0;
  check((bits > 0) == is_array_type && (storage > 0) == is_array_type && bits <= storage, "bits of an element type");
  const char* const name = xlashape_element_type_name(type);
  check(name != nullptr || classes == 0, "classes of no type");
  xlashape_element_type found = -7;
  if (name != nullptr)
    check(xlashape_element_type_from_name(name, static_cast<int64_t>(std::strlen(name)), &found, nullptr) ==
                  XLASHAPE_STATUS_OK &&
              found == type,
          "the type of a name");
  const int32_t number = xlashape_element_type_to_pjrt(type);
  check(number == 0 || xlashape_element_type_from_pjrt(number) == type, "PJRT's number and back");
  const xlashape_element_type whole = xlashape_element_type_complex(type);
  check(whole == 0 || xlashape_element_type_complex_component(whole) == type, "a complex type's component");
}

void casts(Input& input, const Called& c) {
  const auto a = c.get<xlashape_element_type>("from"), b = c.get<xlashape_element_type>("to"), d = draw_type(input);
  const auto holds = [](xlashape_element_type from, xlashape_element_type to) {
    return xlashape_element_type_cast_preserves_values(from, to) == 1;
  };
  check(holds(a, a) == ((xlashape_element_type_classes(a) & XLASHAPE_CLASS_ARRAY) != 0), "a type and its own values");
  check(!holds(a, b) || !holds(b, d) || holds(a, d), "values kept on the way are not kept at its end");
}

void float_format(Input&, const Called& c) {
  const auto type = c.get<xlashape_element_type>("type");
  const auto f = c.told<xlashape_float_format>("format");
  if (f.struct_size != sizeof f) return;
  check((xlashape_element_type_classes(type) & XLASHAPE_CLASS_FLOAT) != 0, "the format of no floating-point type");
  check(f.significand_width + f.exponent_width <= xlashape_element_type_bits(type) + 1 - f.has_positive_zero &&
            f.underflow_exponent < f.overflow_exponent,
        "the bits or the exponents of a format");
}

void dimension_letter(Input&, const Called& c) {
  int64_t found = -77, dimension = c.get<int64_t>("dimension");
  const auto rank = c.get<int64_t>("rank");
  if (c.result == 0 ||
      xlashape_dimension_from_letter(rank, static_cast<int32_t>(c.result), &found, nullptr) != XLASHAPE_STATUS_OK)
    return;
  check(found == (dimension < 0 ? dimension + rank : dimension), "a dimension's letter");
}

void created_layout(Input&, const Called& c) {
  const auto* const layout = c.told<const xlashape_layout*>("layout");
  const auto* const spec = c.get<const xlashape_layout_spec*>("spec");
  if (spec->struct_size != sizeof *spec) return;
  const auto same = [&](int64_t count, const int64_t* items, const List& told, const char* what) {
    check(count == size_of(told) && std::equal(told.begin(), told.end(), items), what);
  };
  same(spec->rank, spec->minor_to_major, list_of(xlashape_layout_minor_to_major, layout), "minor_to_major");
  if (spec->padded_dimensions != nullptr)
    same(spec->rank, spec->padded_dimensions, list_of(xlashape_layout_padded_dimensions, layout), "padded_dimensions");
  check(spec->tile_count == xlashape_layout_tile_count(layout), "the number of tiles");
  const int64_t* tile = spec->tile_dimensions;
  for (int64_t i = 0; i < spec->tile_count; tile += spec->tile_ranks[i++])
    same(spec->tile_ranks[i], tile, list_of(xlashape_layout_tile, layout, i), "a tile");
  check(spec->split_count == xlashape_layout_split_count(layout), "the number of splits");
  const int64_t* cut = spec->split_indices;
  for (int64_t i = 0; i < spec->split_count; cut += spec->split_sizes[i++]) {
    int64_t dimension = -77;
    same(spec->split_sizes[i], cut, list_of(xlashape_layout_split, layout, i, &dimension), "a split");
    check(dimension == spec->split_dimensions[i], "a split's dimension");
  }
  check(xlashape_layout_padding_value(layout) == spec->padding_value &&
            xlashape_layout_element_size_in_bits(layout) == spec->element_size_in_bits &&
            xlashape_layout_memory_space(layout) == spec->memory_space &&
            xlashape_layout_tail_padding_alignment_in_elements(layout) ==
                std::max<int64_t>(spec->tail_padding_alignment_in_elements, 1) &&
            xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout) == spec->dynamic_shape_metadata_prefix_bytes,
        "a layout has another number than its spec");
}

void created_order(Input&, const Called& c) {
  const List told = list_of(xlashape_layout_minor_to_major, c.told<const xlashape_layout*>("layout"));
  const List given = c.list<int64_t>("major_to_minor");
  check(std::equal(told.rbegin(), told.rend(), given.begin()), "major_to_minor is not the reverse");
}

void created_array(Input&, const Called& c) {
  const List given = c.list<int64_t>("dimensions"), told = dimensions_of(result_of(c, "shape"));
  check(told.size() <= given.size() && std::equal(told.begin(), told.end(), given.begin()), "the dimensions differ");
}

void given_layout(Input&, const Called& c) {
  const auto* const layout = c.get<const xlashape_layout*>("layout");
  if (layout != nullptr) check(is_same(layout_of(result_of(c)), layout), "the layout given is not the one there");
}

void split_of(Input&, const Called& c) {
  const List cuts = c.list<int64_t>("out");
  if (size_of(cuts) < c.needed) return;
  const auto dimension = c.told<int64_t>("dimension");
  check(dimension >= 0 && dimension < xlashape_layout_rank(c.get<const xlashape_layout*>("layout")) &&
            std::is_sorted(cuts.begin(), cuts.begin() + c.needed),
        "a split");
}

void deleted_dimensions(Input&, const Called& c) {
  check(xlashape_layout_rank(c.told<const xlashape_layout*>("result")) ==
            xlashape_layout_rank(c.get<const xlashape_layout*>("layout")) - c.get<int64_t>("count"),
        "dimensions that were not deleted");
}

void next_index(Input&, const Called& c) {
  const auto* const shape = c.get<const xlashape_shape*>("shape");
  const auto rank = c.get<int64_t>("rank");
  if (c.result == 1 && rank == xlashape_shape_rank(shape))
    check(xlashape_shape_index_in_bounds(shape, c.get<const int64_t*>("index"), rank) == 1,
          "the next index is out of bounds");
}

void factors(Input&, const Called& c) {
  const List pairs = c.list<int64_t>("out");
  if (size_of(pairs) < c.needed || c.needed < 2) return check(c.needed >= 2, "no common factors");
  const auto last = static_cast<size_t>(c.needed);
  check(last % 2 == 0 && pairs[last - 2] == c.get<int64_t>("a_rank") && pairs[last - 1] == c.get<int64_t>("b_rank"),
        "common factors are no pairs, or the last one is not the ranks");
}

void unmodified(Input&, const Called& c) {
  const List pairs = c.list<int64_t>("out"), a = c.list<int64_t>("a"), b = c.list<int64_t>("b");
  if (size_of(pairs) < c.needed) return;
  for (size_t i = 0; i + 1 < static_cast<size_t>(c.needed); i += 2)
    check(a.at(static_cast<size_t>(pairs[i])) == b.at(static_cast<size_t>(pairs[i + 1])),
          "an unmodified dimension differs");
}

void normalized(Input&, const Called& c) {
  check(c.needed >= 1 && c.needed <= std::max<int64_t>(c.get<int64_t>("rank"), 1), "needed of a normalized transpose");
}

void path_bytes(Input&, const Called& c) {
  if (size_of(c.list<uint8_t>("out")) < c.needed) return;
  const List told = list_of(xlashape_path_from_proto, c.get<const uint8_t*>("out"), c.needed),
             given = c.list<int64_t>("path");
  check(told.size() <= given.size() && std::equal(told.begin(), told.end(), given.begin()),
        "a path's bytes are another path");
}

void parsed_head(Input&, const Called& c) {
  const auto end = c.told<int64_t>("end");
  const auto* const text = c.get<const char*>("text");
  check(end > 0 && end <= c.get<int64_t>("text_len"), "the end of a head");
  if (c.function == F_xlashape_layout_parse_head) {
    check(text[end - 1] == '}', "a layout's head ends elsewhere");
    return check(
        is_same(held<HeldLayout>(xlashape_layout_parse, text, end, 0u), c.told<const xlashape_layout*>("layout")),
        "a head is another layout alone");
  }
  const auto flags = c.get<uint32_t>("flags");
  const auto* const head = result_of(c, "shape");
  check(is_same(shape_of({text, static_cast<size_t>(end)}, flags), head), "a head is another shape alone");
  const HeldShape whole = shape_of({text, static_cast<size_t>(c.get<int64_t>("text_len"))}, flags);
  check(whole == nullptr || is_same(whole, head), "a whole text's head is another shape");
}

void byte_strides(Input&, const Called& c) {
  const List dimensions = c.list<int64_t>("dimensions"), strides = c.list<int64_t>("byte_strides");
  const auto rank = c.get<int64_t>("rank");
  const auto made = held<HeldShape>(xlashape_shape_create_array, c.get<xlashape_element_type>("type"),
                                    dimensions.data(), nullptr, rank, c.told<const xlashape_layout*>("layout"), 0u);
  const List again = list_of(xlashape_shape_strides, made.get(), XLASHAPE_UNIT_BYTES);
  if (number_of(xlashape_shape_element_count, made.get()) <= 0 || size_of(again) != rank) return;
  for (size_t i = 0; i < again.size(); ++i)
    check(dimensions[i] == 1 || again[i] == strides[i], "a layout from strides has other strides");
}

void chosen_layout(Input&, const Called& c) {
  const auto* const chosen = c.told<const xlashape_layout*>("layout");
  const auto* const order = c.get<const int64_t*>("minor_to_major");
  const List dimensions = c.list<int64_t>("dimensions"), told = list_of(xlashape_layout_minor_to_major, chosen);
  check(order == nullptr || std::equal(told.begin(), told.end(), order), "an order that was given is not kept");
  const auto array = held<HeldShape>(xlashape_shape_create_array, c.get<xlashape_element_type>("type"),
                                     dimensions.data(), nullptr, c.get<int64_t>("rank"), chosen, 0u);
  check(number_of(xlashape_shape_byte_size, array.get(), 8, 0u) >= 0, "an array of a chosen layout has no size");
}

void for_target(Input&, const Called& c) {
  const auto* const made = result_of(c);
  check(xlashape_shape_compatible(c.get<const xlashape_shape*>("shape"), made, 0) == 1, "another shape for a target");
  const auto again =
      held<HeldShape>(xlashape_shape_for_target, made, c.get<xlashape_target>("target"), XLASHAPE_TARGET_KEEP_ORDER);
  check(is_same(again, made, 0), "the same order gets other tiles");
}

void target_name(Input&, const Called& c) {
  const auto* const name = reinterpret_cast<const char*>(c.result);
  xlashape_target found = -7;
  if (name != nullptr)
    check(xlashape_target_from_name(name, static_cast<int64_t>(std::strlen(name)), &found, nullptr) ==
                  XLASHAPE_STATUS_OK &&
              found == c.get<xlashape_target>("target"),
          "the target of a name");
}

void without_layout_fields(Input&, const Called& c) {
  check(xlashape_shape_has_layout_fields(result_of(c), c.get<uint32_t>("fields")) == 0,
        "fields that were taken away are there");
}
void with_layouts(Input&, const Called& c) {
  check(xlashape_shape_has_all_layouts(result_of(c)) == 1, "a default layout is missing");
}
void copied_layouts(Input&, const Called& c) {
  check(xlashape_shape_compatible(result_of(c), c.get<const xlashape_shape*>("to"), 0) == 1,
        "a copied layout changed the shape");
}
void inserted(Input&, const Called& c) {
  check(xlashape_shape_rank(result_of(c)) ==
            xlashape_shape_rank(c.get<const xlashape_shape*>("shape")) + c.get<int64_t>("count"),
        "dimensions that were not inserted");
}
void made_static(Input&, const Called& c) {
  check(xlashape_shape_is_dynamic(result_of(c)) == 0, "a static shape is dynamic");
}
void sliced(Input&, const Called& c) {
  const auto* const tuple = c.get<const xlashape_shape*>("tuple");
  check(xlashape_shape_category(result_of(c)) == XLASHAPE_CATEGORY_TUPLE, "a slice is no tuple");
  check(c.get<int64_t>("first") != 0 || xlashape_shape_is_prefix(result_of(c), tuple, kWhole) == 1,
        "a tuple's begin is no prefix of it");
}
void appended(Input&, const Called& c) {
  check(xlashape_shape_tuple_element_count(result_of(c)) ==
            xlashape_shape_tuple_element_count(c.get<const xlashape_shape*>("tuple")) + 1,
        "nothing was appended");
}
void flattened(Input&, const Called& c) {
  check(xlashape_shape_tuple_element_count(result_of(c)) ==
            xlashape_shape_leaf_count(c.get<const xlashape_shape*>("shape")),
        "leaves were lost");
}
void replaced(Input&, const Called& c) {
  const List path = c.list<int64_t>("path");
  const auto length = c.get<int64_t>("path_len");
  const auto *const shape = c.get<const xlashape_shape*>("shape"), *const made = result_of(c);
  const auto was = held<HeldShape>(xlashape_shape_subshape, shape, path.data(), length),
             is = held<HeldShape>(xlashape_shape_subshape, made, path.data(), length);
  check(is_same(is, c.get<const xlashape_shape*>("subshape"), 0), "what was put at a path is not there");
  const auto back = held<HeldShape>(xlashape_shape_replace_subshape, made, path.data(), length, was.get());
  check(is_same(back, shape, 0), "putting back gives another shape");
}
void tuple_made(Input&, const Called& c) {
  check(xlashape_shape_tuple_element_count(result_of(c, "shape")) == c.get<int64_t>("count"), "a tuple's elements");
}
void program_made(Input&, const Called& c) {
  check(xlashape_program_shape_parameter_count(c.told<const xlashape_program_shape*>("program")) ==
            c.get<int64_t>("count"),
        "parameters were lost");
}
void is_prefix(Input&, const Called& c) {
  const auto *const a = c.get<const xlashape_shape*>("prefix"), *const b = c.get<const xlashape_shape*>("shape");
  check(c.result == 0 || xlashape_shape_is_prefix(a, b, c.get<uint32_t>("mask") | XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1,
        "a prefix has other tuples");
  if (xlashape_shape_is_prefix(a, b, XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1 &&
      xlashape_shape_is_prefix(b, a, XLASHAPE_EQUAL_STRUCTURE_ONLY) == 1)
    check(xlashape_shape_subshape_count(a) == xlashape_shape_subshape_count(b), "shapes of one structure differ in it");
}
void sizes(Input&, const Called& c) {
  const auto s = c.told<xlashape_sizes>("sizes");
  if (s.struct_size != sizeof s) return;
  check(s.storage_elements >= s.elements && s.bytes >= s.logical_bytes && s.data_bytes <= s.bytes,
        "sizes are in no order");
  check(s.storage_elements - s.elements == s.dimension_padding + s.tail_padding || s.dimension_padding < 0 ||
            s.storage_elements - s.elements >= s.tail_padding,
        "padding and storage disagree");
}
void tuple_bytes(Input&, const Called& c) {
  const auto elements = c.get<int64_t>("elements"), bytes = c.told<int64_t>("bytes");
  check(bytes / 4 >= elements && bytes / 8 <= elements + 256, "the bytes of a table of pointers");
}
void position(Input&, const Called& c) {
  const auto* const map = c.get<const xlashape_index_map*>("map");
  const List index = c.list<int64_t>("index");
  int64_t linear = -77;
  if (c.told<int32_t>("is_padding") == 1)
    return check(std::count(index.begin(), index.end(), -1) == size_of(index), "an index of padding");
  check(xlashape_index_map_linear_index(map, index.data(), size_of(index), &linear, nullptr) == XLASHAPE_STATUS_OK &&
            linear == c.get<int64_t>("linear"),
        "an index and back");
}
const std::map<int, Judge>& judges() {
  static const auto& all = *new std::map<int, Judge>{{F_xlashape_element_type_bits, elements_of_type},
                                                     {F_xlashape_element_type_cast_preserves_values, casts},
                                                     {F_xlashape_element_type_float_format, float_format},
                                                     {F_xlashape_dimension_letter, dimension_letter},
                                                     {F_xlashape_layout_create, created_layout},
                                                     {F_xlashape_layout_create_major_to_minor, created_order},
                                                     {F_xlashape_shape_create_array, created_array},
                                                     {F_xlashape_shape_with_layout, given_layout},
                                                     {F_xlashape_layout_split, split_of},
                                                     {F_xlashape_layout_delete_dimensions, deleted_dimensions},
                                                     {F_xlashape_shape_next_index, next_index},
                                                     {F_xlashape_common_factors, factors},
                                                     {F_xlashape_dimensions_unmodified_by_reshape, unmodified},
                                                     {F_xlashape_normalized_transpose, normalized},
                                                     {F_xlashape_path_to_proto, path_bytes},
                                                     {F_xlashape_shape_parse_head, parsed_head},
                                                     {F_xlashape_layout_parse_head, parsed_head},
                                                     {F_xlashape_layout_from_byte_strides, byte_strides},
                                                     {F_xlashape_target_layout, chosen_layout},
                                                     {F_xlashape_shape_for_target, for_target},
                                                     {F_xlashape_target_name, target_name},
                                                     {F_xlashape_shape_without_layout_fields, without_layout_fields},
                                                     {F_xlashape_shape_with_default_layouts, with_layouts},
                                                     {F_xlashape_shape_copy_layouts, copied_layouts},
                                                     {F_xlashape_shape_insert_dimensions, inserted},
                                                     {F_xlashape_shape_to_static, made_static},
                                                     {F_xlashape_shape_slice_tuple, sliced},
                                                     {F_xlashape_shape_append_to_tuple, appended},
                                                     {F_xlashape_shape_flatten_tuple, flattened},
                                                     {F_xlashape_shape_replace_subshape, replaced},
                                                     {F_xlashape_shape_create_tuple, tuple_made},
                                                     {F_xlashape_program_shape_create, program_made},
                                                     {F_xlashape_shape_is_prefix, is_prefix},
                                                     {F_xlashape_shape_sizes, sizes},
                                                     {F_xlashape_target_tuple_bytes, tuple_bytes},
                                                     {F_xlashape_index_map_multidimensional_index, position}};
  return all;
}

// == Of handles ==

void judge_layout(Input& input) {
  const auto* const layout = any<xlashape_layout>(input);
  const auto* const other = any<xlashape_layout>(input);
  if (layout == nullptr) return;
  const uint32_t mask = input.flags(kEqualBits);
  const bool equal = xlashape_layout_equal(layout, other, mask) == 1;
  check(equal == (xlashape_layout_equal(other, layout, mask) == 1), "equality has a direction");
  check(xlashape_layout_equal(layout, layout, mask) == 1, "a layout is not equal to itself");
  check(!equal || xlashape_layout_hash(layout, mask) == xlashape_layout_hash(other, mask),
        "equal layouts hash differently");
  const int64_t rank = xlashape_layout_rank(layout);
  const List order = list_of(xlashape_layout_minor_to_major, layout),
             places = list_of(xlashape_layout_logical_to_physical, layout);
  for (int64_t i = 0; i < size_of(order); ++i)
    check(places[static_cast<size_t>(order[static_cast<size_t>(i)])] == rank - 1 - i,
          "logical_to_physical is no inverse");
  const std::string text = text_of(xlashape_layout_print, layout, 0u);
  const auto read = held<HeldLayout>(xlashape_layout_parse, text.data(), size_of(text), 0u);
  check(read == nullptr || is_same(read, layout), "a layout's text is another layout");
  std::string tiles = "T", splits = "SC";
  for (int64_t i = 0; i < xlashape_layout_tile_count(layout); ++i)
    tiles += text_of(xlashape_layout_print_tile, layout, i);
  for (int64_t i = 0; i < xlashape_layout_split_count(layout); ++i)
    splits += text_of(xlashape_layout_print_split, layout, i);
  check((tiles.size() == 1 || text.find(tiles) != std::string::npos) &&
            (splits.size() == 2 || text.find(splits) != std::string::npos),
        "a part's text is not in the layout's");
  const auto bytes = list_of<uint8_t>(xlashape_layout_to_proto, layout, 0u);
  check(is_same(held<HeldLayout>(xlashape_layout_from_proto, bytes.data(), size_of(bytes), 0u), layout),
        "a layout's bytes are another one");
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  check(xlashape_layout_get_spec(layout, &spec, nullptr) == XLASHAPE_STATUS_OK && spec.struct_size == sizeof spec,
        "a layout has no spec");
  const auto copy = held<HeldLayout>(xlashape_layout_create, &spec);
  check(is_same(copy, layout) && xlashape_layout_hash(copy, kWhole) == xlashape_layout_hash(layout, kWhole),
        "a layout's spec makes another layout, or one that hashes differently");
}

// Foreign texts say less: the type and the dimensions. Of layouts alone: words that are read for the same array.
void judge_foreign(const xlashape_shape* shape) {
  const auto same = [&](const xlashape_shape* read) {
    check(read == nullptr || (xlashape_shape_rank(read) == xlashape_shape_rank(shape) &&
                              xlashape_shape_element_type(read) == xlashape_shape_element_type(shape)),
          "a foreign text is read as another rank or type");
  };
  for (const xlashape_notation notation : {XLASHAPE_NOTATION_MLIR, XLASHAPE_NOTATION_MEMREF, XLASHAPE_NOTATION_NUMPY}) {
    const std::string text = text_of(xlashape_shape_print_as, shape, notation, 0u);
    same(held<HeldShape>(xlashape_shape_read, text.data(), size_of(text), 0u, nullptr));
  }
  for (xlashape_notation notation = XLASHAPE_NOTATION_ONEDNN; notation <= XLASHAPE_NOTATION_JAX; ++notation) {
    const std::string text = text_of(xlashape_shape_print_as, shape, notation, 0u);
    xlashape_shape *destination = nullptr, *result = nullptr;
    if (text.empty()) continue;
    const xlashape_status status =
        xlashape_shape_with_words(shape, text.data(), size_of(text), 0, &destination, &result, nullptr);
    check(status == XLASHAPE_STATUS_OK || status == XLASHAPE_STATUS_OVERFLOW || status == XLASHAPE_STATUS_NO_MEMORY,
          "what is printed as a layout is not read as one");
    same(HeldShape(destination));
    same(HeldShape(result));
  }
}

void judge_shape(Input& input) {
  const auto *const shape = any<xlashape_shape>(input), *const other = any<xlashape_shape>(input);
  if (shape == nullptr) return;
  const uint32_t mask = input.flags(kEqualBits);
  const bool equal = is_same(shape, other, mask);
  check(equal == is_same(other, shape, mask), "equality has a direction");
  check(is_same(shape, shape, mask) && xlashape_shape_compatible(shape, shape, mask) == 1 &&
            xlashape_shape_is_prefix(shape, shape, mask) == 1 && xlashape_shape_fits_bounds(shape, shape) == 1,
        "a shape is not equal to itself, no prefix of itself, or does not fit itself");
  check(!equal || xlashape_shape_hash(shape, mask) == xlashape_shape_hash(other, mask),
        "equal shapes hash differently");
  const xlashape_category category = xlashape_shape_category(shape);
  check(category >= 1 && category <= 5, "a shape's category");
  check(xlashape_shape_leaf_count(shape) <= xlashape_shape_subshape_count(shape), "more leaves than shapes");
  const auto dynamic = list_of<uint8_t>(xlashape_shape_dynamic_dimensions, shape);
  for (const uint8_t d : dynamic)
    check(d <= 1 && xlashape_shape_is_dynamic(shape) >= d, "dynamic is neither 0 nor 1, or not the shape's");
  if (is_array(shape))
    check(size_of(dimensions_of(shape)) == xlashape_shape_rank(shape), "as many dimensions as the rank");
  const HeldLayout layout = layout_of(shape);
  check(layout == nullptr || xlashape_shape_has_layout(shape) == 1, "a layout that is not there");
  const std::string text = text_of(xlashape_shape_print, shape, 0u);
  const HeldShape read = shape_of(text);
  if (read != nullptr) {
    check(xlashape_shape_compatible(read, shape, 0) == 1, "a shape's text is another shape");
    check(text_of(xlashape_shape_print, read.get(), 0u) == text, "a shape that was read prints another text");
    const std::string more = text + (input.one_in(2) ? ", f32[3]{0}" : ") -> f32[]");
    int64_t end = -1;
    xlashape_shape* head = nullptr;
    check(xlashape_shape_parse_head(more.data(), size_of(more), XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, &head, &end,
                                    nullptr) == XLASHAPE_STATUS_OK &&
              end == size_of(text) && is_same(HeldShape(head), read),
          "what follows a shape changes it, or a text is no head before another");
  }
  const auto bytes = list_of<uint8_t>(xlashape_shape_to_proto, shape, 0u);
  if (!bytes.empty())
    check(is_same(held<HeldShape>(xlashape_shape_from_proto, bytes.data(), size_of(bytes),
                                  XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT),
                  shape, 0),
          "a shape's bytes are another shape");
  judge_foreign(shape);
}

// What holds of a program's layouts holds of its shapes'.
void judge_program(Input& input) {
  const auto* const program = any<xlashape_program_shape>(input);
  if (program == nullptr) return;
  check(xlashape_program_shape_equal(program, program, input.flags(kEqualBits)) == 1,
        "a program is not equal to itself");
  const uint32_t fields =
      input.one_in(2) ? XLASHAPE_LAYOUT_FIELD_ALL : kLayoutFieldBits & static_cast<uint32_t>(input.bits(4));
  const auto row = held<HeldProgram>(xlashape_program_shape_with_default_layouts, program),
             less = held<HeldProgram>(xlashape_program_shape_without_layout_fields, program, fields);
  check(row == nullptr || xlashape_program_shape_has_all_layouts(row) == 1, "a default layout is missing");
  const auto parameter = [&](const xlashape_program_shape* of, int64_t i) {
    return held<HeldShape>(xlashape_program_shape_parameter, of, i);
  };
  for (const auto* made : {row.get(), less.get()})
    check(made == nullptr || xlashape_program_shape_equal(made, program, XLASHAPE_EQUAL_IGNORE_LAYOUT) == 1,
          "another layout made another program");
  for (int64_t i = 0; i < xlashape_program_shape_parameter_count(program); ++i) {
    const HeldShape was = parameter(program, i);
    if (row != nullptr)
      check(is_same(parameter(row, i), held<HeldShape>(xlashape_shape_with_default_layouts, was.get())),
            "a program's default layout is not its shape's");
    if (less != nullptr)
      check(is_same(parameter(less, i), held<HeldShape>(xlashape_shape_without_layout_fields, was.get(), fields)),
            "a program's shape lost other parts");
  }
  const auto bytes = list_of<uint8_t>(xlashape_program_shape_to_proto, program, 0u);
  const auto read = held<HeldProgram>(xlashape_program_shape_from_proto, bytes.data(), size_of(bytes),
                                      XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  if (!bytes.empty())
    check(xlashape_program_shape_equal(read, program, 0) == 1, "a program's bytes are another program");
}

// All parts of a shape, one after the other.
void visit(Input& input) {
  const auto* const shape = any<xlashape_shape>(input);
  const uint32_t flags = input.flags(7);
  const int64_t capacity = input.below(12);
  List path(static_cast<size_t>(capacity + 1));
  int64_t length = -1, visited = 0;
  const bool missing = (flags & XLASHAPE_VISIT_MISSING_LAYOUTS) != 0;
  for (int i = 0; i < 60; ++i) {
    const int64_t before = length;
    xlashape_shape* const nothing = reinterpret_cast<xlashape_shape*>(uintptr_t{0x5A50});
    xlashape_shape* part = nothing;
    const bool wanted = input.one_in(2);
    const xlashape_status status =
        CALL(xlashape_shape_next_subshape, shape, flags, path.data(), capacity, &length, wanted ? &part : nullptr);
    if (status != XLASHAPE_STATUS_OK) {
      check(length == before && part == nothing, "a visit that failed moved");
      if (status != XLASHAPE_STATUS_NOT_FOUND || (flags & ~7u) != 0) return;
      const int64_t all =
          (flags & XLASHAPE_VISIT_LEAVES) ? xlashape_shape_leaf_count(shape) : xlashape_shape_subshape_count(shape);
      return check(
          missing ? (visited == 0) == (xlashape_shape_has_all_layouts(shape) == 1) && visited <= all : visited == all,
          "a visit ended early or late");
    }
    ++visited;
    check(length >= 0 && length <= capacity, "a path longer than its room");
    if (!wanted) continue;
    pool_of<xlashape_shape>().add(part, input);
    check(!missing || xlashape_shape_has_all_layouts(part) == 0, "a visit to a shape that has its layout");
  }
}

// The structs of others, written and read again; damaged ones are tests/fuzz/pjrt_fuzz.cc's.
void judge_foreign_structs(Input& input) {
  const auto* const shape = pick<xlashape_shape>(input);
  const uint32_t flags = input.flags(3);
  const List dimensions = dimensions_of(shape);
  const auto write = [&](const auto& call) {
    int64_t needed = -7;
    std::optional<Exact<unsigned char>> block;
    if (call(nullptr, 0, &needed) != XLASHAPE_STATUS_OK) return block;
    const int64_t room = needed + input.within(-1, 3);
    Exact<unsigned char> made(static_cast<size_t>(room), input);
    const bool is_written = call(made.data(), room, &needed) == XLASHAPE_STATUS_OK;
    check(is_written || made.is_untouched(), "a foreign struct is written on failure");
    check(!is_written || room >= needed, "a foreign struct in too little room");
    if (is_written) block = std::move(made);
    return block;
  };
  if (const auto pjrt = write([&](unsigned char* out, int64_t room, int64_t* needed) {
        return CALL(xlashape_shape_to_pjrt, shape, flags, out, room, needed);
      })) {
    const auto* const layout = MAKE(layout, xlashape_layout_from_pjrt, pjrt->data(), xlashape_shape_element_type(shape),
                                    dimensions.data(), size_of(dimensions), input.flags(1));
    if (layout != nullptr && flags == 0 && xlashape_shape_has_layout(shape) == 1)
      check(xlashape_layout_equal(layout_of(shape), layout, XLASHAPE_EQUAL_XLA) == 1,
            "a layout comes back from PJRT as another");
  }
  const uint32_t padded = input.flags(XLASHAPE_DLPACK_SUB_BYTE_PADDED);
  char data = 0;
  const auto device = static_cast<int32_t>(input.mostly(1)), id = static_cast<int32_t>(input.mostly(0));
  const int64_t offset = input.mostly(input.below(64));
  if (const auto tensor = write([&](unsigned char* out, int64_t room, int64_t* needed) {
        return CALL(xlashape_shape_to_dlpack, shape, padded, &data, device, id, offset, out, room, needed);
      })) {
    const auto* const read = MAKE(shape, xlashape_shape_from_dlpack, tensor->data(), padded);
    check(read == nullptr || (dimensions_of(read) == dimensions &&
                              xlashape_shape_element_type(read) == xlashape_shape_element_type(shape)),
          "dimensions or the type come back from DLPack as others");
  }
}

constexpr Operation kOperations[] = {{call_any, 100},    {judge_layout, 3}, {judge_shape, 4},
                                     {judge_program, 2}, {visit, 2},        {judge_foreign_structs, 2}};

}  // namespace

void judge(Input& input, const Called& called) {
  if (is_of_devices(called.signature)) return judge_device_call(input, called);
  const auto judge_it = judges().find(called.function);
  if (called.status == XLASHAPE_STATUS_OK && !called.lacks() && judge_it != judges().end())
    judge_it->second(input, called);
}

Operations property_operations() { return {kOperations, std::size(kOperations)}; }

}  // namespace api_fuzz
