#include "library.h"

#include <algorithm>
#include <charconv>

namespace xlashape::cli {
namespace {

// Asks for the size, then for the answer.
template <class T, class Ask>
std::vector<T> listed(Ask ask) {
  xlashape_error err = new_error();
  int64_t needed = 0;
  check(ask(nullptr, 0, &needed, &err), err);
  std::vector<T> answer(static_cast<size_t>(needed));
  if (needed > 0) check(ask(answer.data(), needed, &needed, &err), err);
  return answer;
}

template <class Ask>
std::string printed(Ask ask) {
  xlashape_error err = new_error();
  int64_t needed = 0;
  check(ask(nullptr, 0, &needed, &err), err);
  std::string text(static_cast<size_t>(std::max<int64_t>(needed, 1)), '\0');
  check(ask(text.data(), static_cast<int64_t>(text.size()), &needed, &err), err);
  text.resize(text.size() - 1);  // the final NUL
  return text;
}

}  // namespace

Shape parse_shape(std::string_view text) {
  Shape shape;
  xlashape_error err = new_error();
  check(xlashape_shape_parse(text.data(), static_cast<int64_t>(text.size()), 0, shape.out(), &err), err);
  return shape;
}

Layout parse_layout(std::string_view text) {
  Layout layout;
  xlashape_error err = new_error();
  check(xlashape_layout_parse(text.data(), static_cast<int64_t>(text.size()), layout.out(), &err), err);
  return layout;
}

std::string text_of(const Shape& shape) {
  return printed([&](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_shape_print(shape.get(), 0, text, capacity, needed, err);
  });
}

std::string text_of(const Layout& layout) {
  return printed([&](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_layout_print(layout.get(), 0, text, capacity, needed, err);
  });
}

std::string describe(const Plan& plan) {
  return printed([&](char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_plan_describe(plan.get(), text, capacity, needed, err);
  });
}

std::vector<BackendFacts> backends_of(const Runtime& runtime) {
  std::vector<BackendFacts> all;
  for (int64_t ordinal = 0; ordinal < xlashape_runtime_backend_count(runtime.get()); ++ordinal) {
    const auto text = [&](int32_t which) {
      return printed([&](char* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
        return xlashape_runtime_backend_text(runtime.get(), ordinal, which, out, capacity, needed, err);
      });
    };
    BackendFacts facts;
    facts.info.struct_size = sizeof facts.info;
    xlashape_error err = new_error();
    check(xlashape_runtime_backend_info(runtime.get(), ordinal, &facts.info, &err), err);
    facts.name = text(XLASHAPE_BACKEND_TEXT_NAME);
    facts.path = text(XLASHAPE_BACKEND_TEXT_PATH);
    facts.detail = text(XLASHAPE_BACKEND_TEXT_DETAIL);
    all.push_back(std::move(facts));
  }
  return all;
}

Shape array_shape(xlashape_element_type type, const Numbers& dimensions, const Layout& layout) {
  Shape shape;
  xlashape_error err = new_error();
  check(xlashape_shape_create_array(type, dimensions.data(), nullptr, static_cast<int64_t>(dimensions.size()),
                                    layout.get(), 0, shape.out(), &err),
        err);
  return shape;
}

Shape with_layout(const Shape& shape, const Layout& layout) {
  Shape result;
  xlashape_error err = new_error();
  check(xlashape_shape_with_layout(shape.get(), layout.get(), result.out(), &err), err);
  return result;
}

Layout row_major(int64_t rank) {
  Layout layout;
  xlashape_error err = new_error();
  check(xlashape_layout_create_row_major(rank, layout.out(), &err), err);
  return layout;
}

Layout column_major(int64_t rank) {
  Layout layout;
  xlashape_error err = new_error();
  check(xlashape_layout_create_column_major(rank, layout.out(), &err), err);
  return layout;
}

bool is_array(const Shape& shape) {
  const xlashape_category category = xlashape_shape_category(shape.get());
  return category == XLASHAPE_CATEGORY_ARRAY || category == XLASHAPE_CATEGORY_BUFFER;
}

Numbers dimensions_of(const Shape& shape) {
  return listed<int64_t>([&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_shape_dimensions(shape.get(), out, capacity, needed, err);
  });
}

std::vector<uint8_t> dynamic_dimensions_of(const Shape& shape) {
  return listed<uint8_t>([&](uint8_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_shape_dynamic_dimensions(shape.get(), out, capacity, needed, err);
  });
}

Layout layout_of(const Shape& shape) {
  Layout layout;
  if (!xlashape_shape_has_layout(shape.get())) return layout;
  xlashape_error err = new_error();
  check(xlashape_shape_layout(shape.get(), layout.out(), &err), err);
  return layout;
}

Numbers minor_to_major_of(const Layout& layout) {
  return listed<int64_t>([&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_layout_minor_to_major(layout.get(), out, capacity, needed, err);
  });
}

Numbers padded_dimensions_of(const Layout& layout) {
  return listed<int64_t>([&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_layout_padded_dimensions(layout.get(), out, capacity, needed, err);
  });
}

std::vector<Numbers> tiles_of(const Layout& layout) {
  std::vector<Numbers> tiles;
  // Each level is looked up from the first on, so that many take as many steps as their square. Layouts have three.
  constexpr int64_t kMostLevels = 10000;
  if (xlashape_layout_tile_count(layout.get()) > kMostLevels)
    fail_unsupported("more than {} levels of tiles", kMostLevels);
  for (int64_t level = 0; level < xlashape_layout_tile_count(layout.get()); ++level)
    tiles.push_back(listed<int64_t>([&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_layout_tile(layout.get(), level, out, capacity, needed, err);
    }));
  return tiles;
}

Shape element_of(const Shape& tuple, int64_t index) {
  Shape element;
  xlashape_error err = new_error();
  check(xlashape_shape_tuple_element(tuple.get(), index, element.out(), &err), err);
  return element;
}

LayoutParts::LayoutParts(const Layout& layout)
    : minor_to_major(minor_to_major_of(layout)),
      padded_dimensions(padded_dimensions_of(layout)),
      padding_value(xlashape_layout_padding_value(layout.get())),
      tiles(tiles_of(layout)),
      element_size_in_bits(xlashape_layout_element_size_in_bits(layout.get())),
      tail_alignment(xlashape_layout_tail_padding_alignment_in_elements(layout.get())),
      memory_space(xlashape_layout_memory_space(layout.get())),
      metadata_prefix(xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout.get())) {
  for (int64_t split = 0; split < xlashape_layout_split_count(layout.get()); ++split) {
    int64_t dimension = 0;
    Numbers indices = listed<int64_t>([&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
      return xlashape_layout_split(layout.get(), split, &dimension, out, capacity, needed, err);
    });
    splits.emplace_back(dimension, std::move(indices));
  }
}

Layout LayoutParts::make() const {
  Numbers tile_ranks, tile_dimensions, split_dimensions, split_sizes, split_indices;
  for (const Numbers& tile : tiles) {
    tile_ranks.push_back(static_cast<int64_t>(tile.size()));
    tile_dimensions.insert(tile_dimensions.end(), tile.begin(), tile.end());
  }
  for (const auto& [dimension, indices] : splits) {
    split_dimensions.push_back(dimension);
    split_sizes.push_back(static_cast<int64_t>(indices.size()));
    split_indices.insert(split_indices.end(), indices.begin(), indices.end());
  }
  xlashape_layout_spec spec = {};
  spec.struct_size = sizeof spec;
  spec.padding_value = padding_value;
  spec.rank = static_cast<int64_t>(minor_to_major.size());
  spec.minor_to_major = minor_to_major.data();
  spec.padded_dimensions = padded_dimensions.empty() ? nullptr : padded_dimensions.data();
  spec.tile_count = static_cast<int64_t>(tile_ranks.size());
  spec.tile_ranks = tile_ranks.data();
  spec.tile_dimensions = tile_dimensions.data();
  spec.element_size_in_bits = element_size_in_bits;
  spec.tail_padding_alignment_in_elements = tail_alignment;
  spec.memory_space = memory_space;
  spec.split_count = static_cast<int64_t>(split_sizes.size());
  spec.split_dimensions = split_dimensions.data();
  spec.split_sizes = split_sizes.data();
  spec.split_indices = split_indices.data();
  spec.dynamic_shape_metadata_prefix_bytes = metadata_prefix;
  Layout layout;
  xlashape_error err = new_error();
  check(xlashape_layout_create(&spec, layout.out(), &err), err);
  return layout;
}

xlashape_sizes sizes_of(const Shape& shape) {
  xlashape_sizes sizes = {};
  sizes.struct_size = sizeof sizes;
  xlashape_error err = new_error();
  check(xlashape_shape_sizes(shape.get(), &sizes, &err), err);
  return sizes;
}

IndexMap index_map_of(const Shape& shape) {
  IndexMap map;
  xlashape_error err = new_error();
  check(xlashape_index_map_create(shape.get(), map.out(), &err), err);
  return map;
}

int64_t value_bits(xlashape_element_type type) {
  const bool sub_byte = (xlashape_element_type_classes(type) & XLASHAPE_CLASS_SUB_BYTE) != 0;
  return sub_byte ? xlashape_element_type_bits(type) : xlashape_element_type_storage_bits(type);
}

int64_t container_bits(const Shape& shape) {
  const Layout layout = layout_of(shape);
  const int64_t bits = layout ? xlashape_layout_element_size_in_bits(layout.get()) : 0;
  return bits != 0 ? bits : xlashape_element_type_storage_bits(xlashape_shape_element_type(shape.get()));
}

int64_t dimension_named(int64_t rank, std::string_view text) {
  xlashape_error err = new_error();
  int64_t dimension = 0;
  if (const std::optional<int64_t> given = number(text)) {
    check(xlashape_dimension_number(rank, *given, &dimension, &err), err);
    return dimension;
  }
  if (text.size() != 1) fail_data("\"{}\" names no dimension: give a number or a letter", text);
  check(xlashape_dimension_from_letter(rank, text[0], &dimension, &err), err);
  return dimension;
}

std::string dimension_name(int64_t rank, int64_t dimension) {
  const int32_t letter = xlashape_dimension_letter(rank, dimension);
  return letter != 0 ? std::string(1, static_cast<char>(letter)) : std::to_string(dimension);
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace xlashape::cli
