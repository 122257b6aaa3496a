// SPDX-License-Identifier: Apache-2.0
// Shapes: arrays, tuples, tokens, opaques and buffers.
#ifndef XLASHAPE_SHAPE_HPP_
#define XLASHAPE_SHAPE_HPP_

#include <xlashape_xla.h>

#include "layout.hpp"

namespace xlashape {

inline constexpr std::int64_t kUnbounded = XLASHAPE_DIMENSION_UNBOUNDED;  // a dimension of unknown size, `?`

enum class Category : std::int32_t {
  kNone = 0,  // of an empty Shape
  // members: CATEGORY_(\w+) as k{Name} = {C},
  kArray = XLASHAPE_CATEGORY_ARRAY,
  kTuple = XLASHAPE_CATEGORY_TUPLE,
  kToken = XLASHAPE_CATEGORY_TOKEN,
  kOpaque = XLASHAPE_CATEGORY_OPAQUE,
  kBuffer = XLASHAPE_CATEGORY_BUFFER,  // all functions for arrays treat it as its array
  // end of members
};

enum class Unit : std::int32_t {
  // members: UNIT_(\w+) as k{Name} = {C},
  kElements = XLASHAPE_UNIT_ELEMENTS,
  kBytes = XLASHAPE_UNIT_BYTES,
  kBits = XLASHAPE_UNIT_BITS,
  // end of members
};

// Like xlashape_sizes, with the same fields.
using Sizes = xlashape_sizes;

class Shape : public detail::Handle<xlashape_shape, xlashape_shape_retain, xlashape_shape_release> {
 public:
  using Handle::Handle;

  // "bf16[128,256]{1,0:T(8,128)(2,1)}"; flags: XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT
  static Result<Shape> try_parse(std::string_view text, std::uint32_t flags = 0) {
    return make(xlashape_shape_parse, text.data(), detail::length(text), flags);
  }
  XLASHAPE_THROWS static Shape parse(std::string_view text, std::uint32_t flags = 0) {
    return try_parse(text, flags).value();
  }

  // An empty layout: row-major, or none with XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT. `dynamic`: empty, or 0 or 1 for each
  // dimension (1 for an unbounded one).
  static Result<Shape> try_array(ElementType type, Numbers dimensions, const Layout& layout = {},
                                 std::uint32_t flags = 0, Span<const std::uint8_t> dynamic = {}) {
    if (!dynamic.empty() && detail::length(dynamic) != dimensions.size())
      return Error(Status::kInvalidArgument, "the numbers of dimensions and of dynamic flags differ");
    return make(xlashape_shape_create_array, static_cast<std::int32_t>(type), dimensions.data(),
                dynamic.empty() ? nullptr : dynamic.data(), dimensions.size(), layout.get(), flags);
  }
  XLASHAPE_THROWS static Shape array(ElementType type, Numbers dimensions, const Layout& layout = {},
                                     std::uint32_t flags = 0, Span<const std::uint8_t> dynamic = {}) {
    return try_array(type, dimensions, layout, flags, dynamic).value();
  }
  static Result<Shape> try_tuple(Span<const Shape> elements) {
    std::vector<xlashape_shape*> handles;
    for (const Shape& element : elements) handles.push_back(element.get());
    return make(xlashape_shape_create_tuple, static_cast<xlashape_shape* const*>(handles.data()),
                detail::length(handles));
  }
  XLASHAPE_THROWS static Shape tuple(Span<const Shape> elements) { return try_tuple(elements).value(); }
  XLASHAPE_THROWS static Shape token() { return make(xlashape_shape_create_token).value(); }
  XLASHAPE_THROWS static Shape opaque() { return make(xlashape_shape_create_opaque).value(); }
  static Result<Shape> try_buffer(const Shape& array) { return make(xlashape_shape_create_buffer, array.get()); }
  XLASHAPE_THROWS static Shape buffer(const Shape& array) { return try_buffer(array).value(); }

  // A serialised ShapeProto; flags: XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT
  static Result<Shape> try_from_proto(Span<const std::uint8_t> message, std::uint32_t flags = 0) {
    return make(xlashape_shape_from_proto, message.data(), detail::length(message), flags);
  }
  XLASHAPE_THROWS static Shape from_proto(Span<const std::uint8_t> message, std::uint32_t flags = 0) {
    return try_from_proto(message, flags).value();
  }
  XLASHAPE_THROWS std::vector<std::uint8_t> to_proto() const {
    return detail::list<std::uint8_t>(xlashape_shape_to_proto, get(), 0u).value();
  }

  // flags: XLASHAPE_PRINT_*; with XLASHAPE_PRINT_STRICT it may fail.
  Result<std::string> try_to_string(std::uint32_t flags = 0) const {
    return detail::text(xlashape_shape_print, get(), flags);
  }
  XLASHAPE_THROWS std::string to_string(std::uint32_t flags = 0) const { return try_to_string(flags).value(); }

  // Kind and parts

  Category category() const noexcept { return static_cast<Category>(xlashape_shape_category(get())); }
  ElementType element_type() const noexcept { return static_cast<ElementType>(xlashape_shape_element_type(get())); }
  std::int64_t rank() const noexcept { return xlashape_shape_rank(get()); }
  std::int64_t true_rank() const noexcept { return xlashape_shape_true_rank(get()); }
  XLASHAPE_THROWS std::vector<std::int64_t> dimensions() const {
    return detail::list<std::int64_t>(xlashape_shape_dimensions, get()).value();
  }
  // One 0 or 1 per dimension.
  XLASHAPE_THROWS std::vector<std::uint8_t> dynamic_dimensions() const {
    return detail::list<std::uint8_t>(xlashape_shape_dynamic_dimensions, get()).value();
  }
  bool is_dynamic() const noexcept { return xlashape_shape_is_dynamic(get()) != 0; }
  bool is_unbounded() const noexcept { return xlashape_shape_is_unbounded(get()) != 0; }
  bool is_effective_scalar() const noexcept { return xlashape_shape_is_effective_scalar(get()) != 0; }
  bool is_untiled() const noexcept { return xlashape_shape_is_untiled(get()) != 0; }
  bool has_layout() const noexcept { return xlashape_shape_has_layout(get()) != 0; }
  Result<Layout> try_layout() const { return detail::make<Layout, xlashape_layout>(xlashape_shape_layout, get()); }
  // Throws where there is none.
  XLASHAPE_THROWS Layout layout() const { return try_layout().value(); }

  // mask: XLASHAPE_EQUAL_*, what is ignored; by default what XLA's == ignores, which is ==, too.
  bool equal(const Shape& other, std::uint32_t mask = XLASHAPE_EQUAL_XLA) const noexcept {
    return xlashape_shape_equal(get(), other.get(), mask) != 0;
  }
  bool compatible(const Shape& other, std::uint32_t mask = 0) const noexcept {
    return xlashape_shape_compatible(get(), other.get(), mask) != 0;
  }
  friend bool operator==(const Shape& a, const Shape& b) noexcept { return a.equal(b); }
  friend bool operator!=(const Shape& a, const Shape& b) noexcept { return !a.equal(b); }
  // The same for shapes that are equal under the same mask.
  std::uint64_t hash(std::uint32_t mask = XLASHAPE_EQUAL_XLA) const noexcept {
    return xlashape_shape_hash(get(), mask);
  }

  // Sizes

  Result<Sizes> try_sizes() const {
    Result<Sizes> result;
    auto sizes = XLASHAPE_INIT(Sizes);
    if (xlashape_shape_sizes(get(), &sizes, result.record()) == XLASHAPE_STATUS_OK) result.emplace(sizes);
    return result;
  }
  XLASHAPE_THROWS Sizes sizes() const { return try_sizes().value(); }
  Result<std::int64_t> try_element_count() const {
    return detail::number<std::int64_t>(xlashape_shape_element_count, get());
  }
  XLASHAPE_THROWS std::int64_t element_count() const { return try_element_count().value(); }
  // Of the top-level buffer; flags: XLASHAPE_SIZE_XLA
  Result<std::int64_t> try_byte_size(std::int64_t pointer_size = 0, std::uint32_t flags = 0) const {
    return detail::number<std::int64_t>(xlashape_shape_byte_size, get(), pointer_size, flags);
  }
  XLASHAPE_THROWS std::int64_t byte_size(std::int64_t pointer_size = 0, std::uint32_t flags = 0) const {
    return try_byte_size(pointer_size, flags).value();
  }
  // Fails if tiles leave no single distance.
  Result<std::vector<std::int64_t>> try_strides(Unit unit) const {
    return detail::list<std::int64_t>(xlashape_shape_strides, get(), static_cast<std::int32_t>(unit));
  }
  XLASHAPE_THROWS std::vector<std::int64_t> strides(Unit unit) const { return try_strides(unit).value(); }
  // Pieces of the array that begin and end at multiples of these, dimension by dimension, share no byte.
  Result<std::vector<std::int64_t>> try_piece_granularity() const {
    return detail::list<std::int64_t>(xlashape_shape_piece_granularity, get());
  }
  XLASHAPE_THROWS std::vector<std::int64_t> piece_granularity() const { return try_piece_granularity().value(); }
  Result<std::int64_t> try_max_split_size(std::int64_t dimension) const {
    return detail::number<std::int64_t>(xlashape_shape_max_split_size, get(), dimension);
  }
  XLASHAPE_THROWS std::int64_t max_split_size(std::int64_t dimension) const {
    return try_max_split_size(dimension).value();
  }

  // Indices

  bool contains(Numbers index) const noexcept {
    return xlashape_shape_index_in_bounds(get(), index.data(), index.size()) != 0;
  }
  // Advances `index`, last dimension fastest; returns false at the end and leaves it unchanged.
  bool next_index(Span<std::int64_t> index) const noexcept {
    return xlashape_shape_next_index(get(), index.data(), detail::length(index)) != 0;
  }

  // Tuples

  std::int64_t tuple_element_count() const noexcept { return xlashape_shape_tuple_element_count(get()); }
  Result<Shape> try_tuple_element(std::int64_t index) const { return make(xlashape_shape_tuple_element, get(), index); }
  XLASHAPE_THROWS Shape tuple_element(std::int64_t index) const { return try_tuple_element(index).value(); }
  Result<Shape> try_subshape(Numbers path) const {
    return make(xlashape_shape_subshape, get(), path.data(), path.size());
  }
  XLASHAPE_THROWS Shape subshape(Numbers path) const { return try_subshape(path).value(); }
  // Paths of the arrays, and buffers of arrays, inside that have no layout.
  std::vector<std::vector<std::int64_t>> missing_layouts() const {
    std::vector<std::vector<std::int64_t>> found;
    std::vector<std::int64_t> path(XLASHAPE_MAX_DEPTH);
    std::int64_t length = -1;
    while (xlashape_shape_next_subshape(get(), XLASHAPE_VISIT_MISSING_LAYOUTS, path.data(), XLASHAPE_MAX_DEPTH, &length,
                                        nullptr, nullptr) == XLASHAPE_STATUS_OK)
      found.emplace_back(path.begin(), path.begin() + length);
    return found;
  }
  std::int64_t leaf_count() const noexcept { return xlashape_shape_leaf_count(get()); }

  // New shapes from this one

  // An empty layout removes the layout.
  Result<Shape> try_with_layout(const Layout& layout) const {
    return make(xlashape_shape_with_layout, get(), layout.get());
  }
  XLASHAPE_THROWS Shape with_layout(const Layout& layout) const { return try_with_layout(layout).value(); }
  Result<Shape> try_with_element_type(ElementType type) const {
    return make(xlashape_shape_with_element_type, get(), static_cast<std::int32_t>(type));
  }
  XLASHAPE_THROWS Shape with_element_type(ElementType type) const { return try_with_element_type(type).value(); }
  // fields: XLASHAPE_LAYOUT_FIELD_*
  Result<Shape> try_without_layout_fields(std::uint32_t fields) const {
    return make(xlashape_shape_without_layout_fields, get(), fields);
  }
  XLASHAPE_THROWS Shape without_layout_fields(std::uint32_t fields) const {
    return try_without_layout_fields(fields).value();
  }
  Result<Shape> try_with_packed_elements() const { return make(xlashape_shape_with_packed_elements, get()); }
  XLASHAPE_THROWS Shape with_packed_elements() const { return try_with_packed_elements().value(); }
  Result<Shape> try_to_static() const { return make(xlashape_shape_to_static, get()); }
  XLASHAPE_THROWS Shape to_static() const { return try_to_static().value(); }
  // flags: XLASHAPE_PERMUTE_KEEP_LAYOUT
  Result<Shape> try_permute_dimensions(Numbers permutation, std::uint32_t flags = 0) const {
    return make(xlashape_shape_permute_dimensions, get(), permutation.data(), permutation.size(), flags);
  }
  XLASHAPE_THROWS Shape permute_dimensions(Numbers permutation, std::uint32_t flags = 0) const {
    return try_permute_dimensions(permutation, flags).value();
  }
  // flags: XLASHAPE_INSERT_MOST_MAJOR
  Result<Shape> try_insert_dimensions(std::int64_t at, Numbers sizes, std::uint32_t flags = 0) const {
    return make(xlashape_shape_insert_dimensions, get(), at, sizes.data(), sizes.size(), flags);
  }
  XLASHAPE_THROWS Shape insert_dimensions(std::int64_t at, Numbers sizes, std::uint32_t flags = 0) const {
    return try_insert_dimensions(at, sizes, flags).value();
  }
  Result<Shape> try_delete_dimensions(Numbers dimensions) const {
    return make(xlashape_shape_delete_dimensions, get(), dimensions.data(), dimensions.size());
  }
  XLASHAPE_THROWS Shape delete_dimensions(Numbers dimensions) const {
    return try_delete_dimensions(dimensions).value();
  }
  Result<Shape> try_drop_degenerate_dimensions() const {
    return make(xlashape_shape_drop_degenerate_dimensions, get());
  }
  XLASHAPE_THROWS Shape drop_degenerate_dimensions() const { return try_drop_degenerate_dimensions().value(); }
  // The same memory with dimensions permuted so that its layout is row-major.
  Result<Shape> try_to_physical_order() const { return make(xlashape_shape_to_physical_order, get()); }
  XLASHAPE_THROWS Shape to_physical_order() const { return try_to_physical_order().value(); }

  // Bitcasts; flags: XLASHAPE_BITCAST_*

  bool reshape_is_bitcast(const Shape& other, std::uint32_t flags = 0) const noexcept {
    return xlashape_shape_reshape_is_bitcast(get(), other.get(), flags) != 0;
  }
  bool transpose_is_bitcast(const Shape& other, Numbers permutation, std::uint32_t flags = 0) const noexcept {
    return xlashape_shape_transpose_is_bitcast(get(), other.get(), permutation.data(), permutation.size(), flags) != 0;
  }
  // kNotFound if there is none.
  Result<std::vector<std::int64_t>> try_deduce_transpose(const Shape& other, std::uint32_t flags = 0) const {
    return detail::list<std::int64_t>(xlashape_shape_deduce_transpose, get(), other.get(), flags);
  }
  Result<Layout> try_align_layouts(Numbers dimensions, std::uint32_t flags = 0) const {
    return detail::make<Layout, xlashape_layout>(xlashape_shape_align_layouts, get(), dimensions.data(),
                                                 dimensions.size(), flags);
  }

 private:
  template <class F, class... A>
  static Result<Shape> make(F function, A... arguments) {
    return detail::make<Shape, xlashape_shape>(function, arguments...);
  }
};

}  // namespace xlashape

template <>
struct std::hash<xlashape::Shape> {
  std::size_t operator()(const xlashape::Shape& shape) const noexcept { return static_cast<std::size_t>(shape.hash()); }
};

#endif  // XLASHAPE_SHAPE_HPP_
