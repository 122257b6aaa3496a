// SPDX-License-Identifier: Apache-2.0
// Layouts: how an array's dimensions are arranged in memory.
#ifndef XLASHAPE_LAYOUT_HPP_
#define XLASHAPE_LAYOUT_HPP_

#include <xlashape_interop.h>
#include <xlashape_xla.h>

#include "element_type.hpp"
#include "view.hpp"

namespace xlashape {

struct Split {
  std::int64_t dimension;  // physical, 0 = most major
  std::vector<std::int64_t> indices;
};

// All properties of a layout.
struct LayoutParts {
  std::vector<std::int64_t> minor_to_major;
  // Outermost level first; XLASHAPE_COMBINE_DIMENSION for `*`, XLASHAPE_MATCH_DIMENSION for `d`.
  std::vector<std::vector<std::int64_t>> tiles = {};
  std::vector<std::int64_t> padded_dimensions = {};  // empty: none
  PaddingValue padding_value = PaddingValue::kInvalid;
  std::int64_t element_size_in_bits = 0;
  std::int64_t tail_padding_alignment_in_elements = 1;
  std::int64_t memory_space = 0;
  std::vector<Split> splits = {};
  std::int64_t dynamic_shape_metadata_prefix_bytes = 0;
};

class Layout : public detail::Handle<xlashape_layout, xlashape_layout_retain, xlashape_layout_release> {
 public:
  using Handle::Handle;

  // "{1,0:T(8,128)(2,1)}"
  static Result<Layout> try_parse(std::string_view text) {
    return make(xlashape_layout_parse, text.data(), detail::length(text), 0u);
  }
  XLASHAPE_THROWS static Layout parse(std::string_view text) { return try_parse(text).value(); }

  static Result<Layout> try_row_major(std::int64_t rank) { return make(xlashape_layout_create_row_major, rank); }
  XLASHAPE_THROWS static Layout row_major(std::int64_t rank) { return try_row_major(rank).value(); }
  static Result<Layout> try_column_major(std::int64_t rank) { return make(xlashape_layout_create_column_major, rank); }
  XLASHAPE_THROWS static Layout column_major(std::int64_t rank) { return try_column_major(rank).value(); }

  static Result<Layout> try_of_parts(const LayoutParts& parts);
  XLASHAPE_THROWS static Layout of_parts(const LayoutParts& parts) { return try_of_parts(parts).value(); }

  // flags: XLASHAPE_STRIDES_COMPACT
  static Result<Layout> try_from_byte_strides(ElementType type, Numbers dimensions, Numbers byte_strides,
                                              std::uint32_t flags = 0) {
    if (dimensions.size() != byte_strides.size())
      return Error(Status::kInvalidArgument, "the numbers of dimensions and of byte strides differ");
    return make(xlashape_layout_from_byte_strides, static_cast<std::int32_t>(type), dimensions.data(),
                byte_strides.data(), dimensions.size(), flags);
  }
  XLASHAPE_THROWS static Layout from_byte_strides(ElementType type, Numbers dimensions, Numbers byte_strides,
                                                  std::uint32_t flags = 0) {
    return try_from_byte_strides(type, dimensions, byte_strides, flags).value();
  }

  static Result<Layout> try_from_proto(Span<const std::uint8_t> message) {
    return make(xlashape_layout_from_proto, message.data(), detail::length(message), 0u);
  }
  XLASHAPE_THROWS static Layout from_proto(Span<const std::uint8_t> message) { return try_from_proto(message).value(); }
  XLASHAPE_THROWS std::vector<std::uint8_t> to_proto() const {
    return detail::list<std::uint8_t>(xlashape_layout_to_proto, get(), 0u).value();
  }

  // flags: XLASHAPE_PRINT_STRICT, with which it may fail.
  Result<std::string> try_to_string(std::uint32_t flags = 0) const {
    return detail::text(xlashape_layout_print, get(), flags);
  }
  XLASHAPE_THROWS std::string to_string(std::uint32_t flags = 0) const { return try_to_string(flags).value(); }

  std::int64_t rank() const noexcept { return xlashape_layout_rank(get()); }
  XLASHAPE_THROWS std::vector<std::int64_t> minor_to_major() const { return numbers(xlashape_layout_minor_to_major); }
  XLASHAPE_THROWS std::vector<std::int64_t> logical_to_physical() const {
    return numbers(xlashape_layout_logical_to_physical);
  }
  // Empty if none are set.
  XLASHAPE_THROWS std::vector<std::int64_t> padded_dimensions() const {
    return numbers(xlashape_layout_padded_dimensions);
  }
  PaddingValue padding_value() const noexcept {
    return static_cast<PaddingValue>(xlashape_layout_padding_value(get()));
  }
  std::int64_t tile_count() const noexcept { return xlashape_layout_tile_count(get()); }
  Result<std::vector<std::int64_t>> try_tile(std::int64_t level) const {
    return detail::list<std::int64_t>(xlashape_layout_tile, get(), level);
  }
  XLASHAPE_THROWS std::vector<std::int64_t> tile(std::int64_t level) const { return try_tile(level).value(); }
  std::int64_t element_size_in_bits() const noexcept { return xlashape_layout_element_size_in_bits(get()); }
  std::int64_t tail_padding_alignment_in_elements() const noexcept {
    return xlashape_layout_tail_padding_alignment_in_elements(get());
  }
  std::int64_t memory_space() const noexcept { return xlashape_layout_memory_space(get()); }
  std::int64_t dynamic_shape_metadata_prefix_bytes() const noexcept {
    return xlashape_layout_dynamic_shape_metadata_prefix_bytes(get());
  }
  std::int64_t split_count() const noexcept { return xlashape_layout_split_count(get()); }
  Result<Split> try_split(std::int64_t number) const {
    std::int64_t dimension = 0;
    auto indices = detail::list<std::int64_t>(xlashape_layout_split, get(), number, &dimension);
    if (!indices) return indices.error();
    return Split{dimension, *std::move(indices)};
  }
  XLASHAPE_THROWS Split split(std::int64_t number) const { return try_split(number).value(); }
  // Row-major and column-major; ranks 0 and 1 are both.
  bool is_dim0_major() const noexcept { return xlashape_layout_is_dim0_major(get()) != 0; }
  bool is_dim0_minor() const noexcept { return xlashape_layout_is_dim0_minor(get()) != 0; }
  // As in the layout's text: "(8,128)", "(1:4,8)".
  Result<std::string> try_tile_text(std::int64_t level) const {
    return detail::text(xlashape_layout_print_tile, get(), level);
  }
  Result<std::string> try_split_text(std::int64_t number) const {
    return detail::text(xlashape_layout_print_split, get(), number);
  }
  // All parts, to change a field and make another layout by of_parts.
  XLASHAPE_THROWS LayoutParts parts() const;

  // mask: XLASHAPE_EQUAL_*, what is ignored; by default what XLA's == ignores, which is ==, too.
  bool equal(const Layout& other, std::uint32_t mask = XLASHAPE_EQUAL_XLA) const noexcept {
    return xlashape_layout_equal(get(), other.get(), mask) != 0;
  }
  friend bool operator==(const Layout& a, const Layout& b) noexcept { return a.equal(b); }
  friend bool operator!=(const Layout& a, const Layout& b) noexcept { return !a.equal(b); }
  // The same for layouts that are equal under the same mask.
  std::uint64_t hash(std::uint32_t mask = XLASHAPE_EQUAL_XLA) const noexcept {
    return xlashape_layout_hash(get(), mask);
  }

 private:
  template <class F, class... A>
  static Result<Layout> make(F function, A... arguments) {
    return detail::make<Layout, xlashape_layout>(function, arguments...);
  }
  template <class F>
  XLASHAPE_THROWS std::vector<std::int64_t> numbers(F function) const {
    return detail::list<std::int64_t>(function, get()).value();
  }
};

inline LayoutParts Layout::parts() const {
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  Error error{detail::ForCall()};
  if (xlashape_layout_get_spec(get(), &spec, error.record()) != XLASHAPE_STATUS_OK) detail::raise(error);
  LayoutParts parts;
  const auto list = [](const std::int64_t* first, std::int64_t count) {
    return first == nullptr ? std::vector<std::int64_t>() : std::vector<std::int64_t>(first, first + count);
  };
  parts.minor_to_major = list(spec.minor_to_major, spec.rank);
  const std::int64_t* sizes = spec.tile_dimensions;
  for (std::int64_t i = 0; i < spec.tile_count; sizes += spec.tile_ranks[i++])
    parts.tiles.push_back(list(sizes, spec.tile_ranks[i]));
  parts.padded_dimensions = list(spec.padded_dimensions, spec.rank);
  parts.padding_value = static_cast<PaddingValue>(spec.padding_value);
  parts.element_size_in_bits = spec.element_size_in_bits;
  parts.tail_padding_alignment_in_elements = spec.tail_padding_alignment_in_elements;
  parts.memory_space = spec.memory_space;
  const std::int64_t* indices = spec.split_indices;
  for (std::int64_t i = 0; i < spec.split_count; indices += spec.split_sizes[i++])
    parts.splits.push_back({spec.split_dimensions[i], list(indices, spec.split_sizes[i])});
  parts.dynamic_shape_metadata_prefix_bytes = spec.dynamic_shape_metadata_prefix_bytes;
  return parts;
}

inline Result<Layout> Layout::try_of_parts(const LayoutParts& parts) {
  if (!parts.padded_dimensions.empty() && parts.padded_dimensions.size() != parts.minor_to_major.size())
    return Error(Status::kInvalidArgument, "padded_dimensions must have as many entries as minor_to_major");
  std::vector<std::int64_t> tile_ranks, tile_dimensions, split_dimensions, split_sizes, split_indices;
  for (const auto& tile : parts.tiles) {
    tile_ranks.push_back(detail::length(tile));
    tile_dimensions.insert(tile_dimensions.end(), tile.begin(), tile.end());
  }
  for (const Split& split : parts.splits) {
    split_dimensions.push_back(split.dimension);
    split_sizes.push_back(detail::length(split.indices));
    split_indices.insert(split_indices.end(), split.indices.begin(), split.indices.end());
  }
  auto spec = XLASHAPE_INIT(xlashape_layout_spec);
  spec.rank = detail::length(parts.minor_to_major);
  spec.minor_to_major = parts.minor_to_major.data();
  spec.padded_dimensions = parts.padded_dimensions.empty() ? nullptr : parts.padded_dimensions.data();
  spec.padding_value = static_cast<std::int32_t>(parts.padding_value);
  spec.tile_count = detail::length(tile_ranks);
  spec.tile_ranks = tile_ranks.data();
  spec.tile_dimensions = tile_dimensions.data();
  spec.element_size_in_bits = parts.element_size_in_bits;
  spec.tail_padding_alignment_in_elements = parts.tail_padding_alignment_in_elements;
  spec.memory_space = parts.memory_space;
  spec.split_count = detail::length(split_dimensions);
  spec.split_dimensions = split_dimensions.data();
  spec.split_sizes = split_sizes.data();
  spec.split_indices = split_indices.data();
  spec.dynamic_shape_metadata_prefix_bytes = parts.dynamic_shape_metadata_prefix_bytes;
  return make(xlashape_layout_create, &spec);
}

}  // namespace xlashape

template <>
struct std::hash<xlashape::Layout> {
  std::size_t operator()(const xlashape::Layout& layout) const noexcept {
    return static_cast<std::size_t>(layout.hash());
  }
};

#endif  // XLASHAPE_LAYOUT_HPP_
