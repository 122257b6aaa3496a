/* SPDX-License-Identifier: Apache-2.0 */
// A shape: an array (element type, dimensions, layout), a tuple of shapes, a token, an opaque, or a buffer of an array.
#pragma once
#include <span>

#include "layout/layout.h"
#include "shape/element_type.h"

// The C handle is the C++ type. The functions below make all shapes, and only valid ones.
struct xlashape_shape final : xlashape::core::RefCounted {
  int32_t category = XLASHAPE_CATEGORY_ARRAY;
  int32_t element_type = XLASHAPE_TYPE_INVALID;  // of an array or a buffer's array; TUPLE, TOKEN, OPAQUE_TYPE
  int32_t depth = 0;                             // of tuples and buffers above the deepest leaf
  bool any_dynamic = false;                      // anywhere inside
  bool any_unbounded = false;
  int64_t node_count = 1;  // shapes inside, itself included (a shared element counts as often as it occurs)
  int64_t leaf_count = 1;  // those that are not tuples
  xlashape::core::SmallVec<int64_t, 6> dimensions;  // XLASHAPE_DIMENSION_UNBOUNDED for `?`
  xlashape::core::SmallVec<uint8_t, 8> dynamic;     // one 0 or 1 per dimension
  xlashape::core::Ref<xlashape_layout> layout;      // of an array; null where it has none
  // Elements of a tuple; a buffer has its array as the only one. Each holds a reference.
  xlashape::core::SmallVec<xlashape_shape*, 2> elements;
  xlashape_shape* next_dead = nullptr;  // links shapes to be deleted, so that releasing needs no stack and no memory

  bool is_array() const { return category == XLASHAPE_CATEGORY_ARRAY; }
  bool is_tuple() const { return category == XLASHAPE_CATEGORY_TUPLE; }
  bool is_buffer() const { return category == XLASHAPE_CATEGORY_BUFFER; }
  // The shape itself if it is an array, a buffer's array, else null.
  const xlashape_shape* array() const { return is_array() ? this : is_buffer() ? elements[0] : nullptr; }
  int64_t rank() const { return dimensions.ssize(); }

  static void destroy(xlashape_shape* shape) noexcept;
};

namespace xlashape::core {

using Shape = ::xlashape_shape;

inline constexpr int64_t kMaxNodes = int64_t{1} << 24;  // shapes inside one shape

// Each checks everything (ShapeUtil::ValidateShape) and makes a new shape. `dynamic` may be empty. A null layout stays
// null. Layouts must have passed validate_layout, and are checked against the dimensions.
Status make_array(xlashape_element_type type, std::span<const int64_t> dimensions, std::span<const uint8_t> dynamic,
                  Ref<Layout> layout, Ref<Shape>* shape, Error* err);
Status make_tuple(std::span<Shape* const> elements, Ref<Shape>* shape, Error* err);
Status make_leaf(int32_t category, Ref<Shape>* shape, Error* err);  // token or opaque
Status make_buffer(Ref<Shape> array, Ref<Shape>* shape, Error* err);
// The same array, or buffer of an array, with another layout (null: none).
Status with_layout(const Shape& shape, Ref<Layout> layout, Ref<Shape>* result, Error* err);

// Visits every shape inside in pre-order, itself first, without recursion: f(const Shape&, span<const int64_t> path).
// As in XLA a buffer is a leaf. If f returns false, the walk stops and returns false. Throws bad_alloc for deep tuples
// only.
template <class F>
bool walk(const Shape& root, F&& f) {
  SmallVec<const Shape*, 16> parents;
  SmallVec<int64_t, 16> path;
  if (!f(root, std::span<const int64_t>())) return false;
  const Shape* at = &root;
  for (int64_t next = 0;;) {
    if (at->is_tuple() && next < at->elements.ssize()) {
      parents.push_back(at);
      path.push_back(next);
      at = at->elements[static_cast<size_t>(next)];
      if (!f(*at, std::span<const int64_t>(path))) return false;
      next = 0;
    } else if (parents.empty()) {
      return true;
    } else {
      at = parents.back();
      next = path.back() + 1;
      parents.pop_back();
      path.pop_back();
    }
  }
}

// xla::Shape's ==, without the parts that `mask` ignores. Never fails, never recurses.
bool equal(const Shape& a, const Shape& b, uint32_t mask) noexcept;
bool compatible(const Shape& a, const Shape& b, uint32_t mask) noexcept;
// Equal shapes hash alike under the same mask.
uint64_t hash(const Shape& shape, uint32_t mask) noexcept;

// The bits that an element takes in the array's storage: E(n), or else the type's storage bits.
int64_t container_bits(const Shape& array) noexcept;

// The shape at a path into tuples, or null.
Shape* subshape(const Shape& shape, std::span<const int64_t> path) noexcept;

// "an array", "a tuple", "a token", "an opaque", "a buffer": for messages.
const char* noun(const Shape& shape) noexcept;

// Converts a dimension in [-rank, rank) to one in [0, rank).
Status dimension_number(int64_t rank, int64_t dimension, int64_t* resolved, Error* err);

}  // namespace xlashape::core
