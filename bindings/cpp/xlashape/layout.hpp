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
struct LayoutSpec {
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

  static Result<Layout> try_create(const LayoutSpec& spec);
  XLASHAPE_THROWS static Layout create(const LayoutSpec& spec) { return try_create(spec).value(); }

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
  // All of it, to change a field and make another layout by create.
  XLASHAPE_THROWS LayoutSpec spec() const;

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

inline LayoutSpec Layout::spec() const {
  auto raw = XLASHAPE_INIT(xlashape_layout_spec);
  Error error{detail::ForCall()};
  if (xlashape_layout_get_spec(get(), &raw, error.record()) != XLASHAPE_STATUS_OK) detail::raise(error);
  LayoutSpec spec;
  const auto list = [](const std::int64_t* first, std::int64_t count) {
    return first == nullptr ? std::vector<std::int64_t>() : std::vector<std::int64_t>(first, first + count);
  };
  spec.minor_to_major = list(raw.minor_to_major, raw.rank);
  const std::int64_t* sizes = raw.tile_dimensions;
  for (std::int64_t i = 0; i < raw.tile_count; sizes += raw.tile_ranks[i++])
    spec.tiles.push_back(list(sizes, raw.tile_ranks[i]));
  spec.padded_dimensions = list(raw.padded_dimensions, raw.rank);
  spec.padding_value = static_cast<PaddingValue>(raw.padding_value);
  spec.element_size_in_bits = raw.element_size_in_bits;
  spec.tail_padding_alignment_in_elements = raw.tail_padding_alignment_in_elements;
  spec.memory_space = raw.memory_space;
  const std::int64_t* indices = raw.split_indices;
  for (std::int64_t i = 0; i < raw.split_count; indices += raw.split_sizes[i++])
    spec.splits.push_back({raw.split_dimensions[i], list(indices, raw.split_sizes[i])});
  spec.dynamic_shape_metadata_prefix_bytes = raw.dynamic_shape_metadata_prefix_bytes;
  return spec;
}

inline Result<Layout> Layout::try_create(const LayoutSpec& spec) {
  if (!spec.padded_dimensions.empty() && spec.padded_dimensions.size() != spec.minor_to_major.size())
    return Error(Status::kInvalidArgument, "padded_dimensions must have as many entries as minor_to_major");
  std::vector<std::int64_t> tile_ranks, tile_dimensions, split_dimensions, split_sizes, split_indices;
  for (const auto& tile : spec.tiles) {
    tile_ranks.push_back(detail::length(tile));
    tile_dimensions.insert(tile_dimensions.end(), tile.begin(), tile.end());
  }
  for (const Split& split : spec.splits) {
    split_dimensions.push_back(split.dimension);
    split_sizes.push_back(detail::length(split.indices));
    split_indices.insert(split_indices.end(), split.indices.begin(), split.indices.end());
  }
  auto raw = XLASHAPE_INIT(xlashape_layout_spec);
  raw.rank = detail::length(spec.minor_to_major);
  raw.minor_to_major = spec.minor_to_major.data();
  raw.padded_dimensions = spec.padded_dimensions.empty() ? nullptr : spec.padded_dimensions.data();
  raw.padding_value = static_cast<std::int32_t>(spec.padding_value);
  raw.tile_count = detail::length(tile_ranks);
  raw.tile_ranks = tile_ranks.data();
  raw.tile_dimensions = tile_dimensions.data();
  raw.element_size_in_bits = spec.element_size_in_bits;
  raw.tail_padding_alignment_in_elements = spec.tail_padding_alignment_in_elements;
  raw.memory_space = spec.memory_space;
  raw.split_count = detail::length(split_dimensions);
  raw.split_dimensions = split_dimensions.data();
  raw.split_sizes = split_sizes.data();
  raw.split_indices = split_indices.data();
  raw.dynamic_shape_metadata_prefix_bytes = spec.dynamic_shape_metadata_prefix_bytes;
  return make(xlashape_layout_create, &raw);
}

}  // namespace xlashape

template <>
struct std::hash<xlashape::Layout> {
  std::size_t operator()(const xlashape::Layout& layout) const noexcept {
    return static_cast<std::size_t>(layout.hash());
  }
};

#endif  // XLASHAPE_LAYOUT_HPP_
