// SPDX-License-Identifier: Apache-2.0
#include "bitcast/rank.h"

#include <algorithm>

#include "bitcast/placement.h"
#include "index/lower.h"
#include "layout/rearrange.h"
#include "shape/dimensions.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

using Dimensions = SmallVec<int64_t, 8>;

// Checks a change of dimensions of size 1 under tiles, which is allowed where it moves no element.
Status check_moves_nothing(const Shape& shape, const Shape& result, const char* what, Error* err) {
  if (reshape_moves_nothing(*shape.array(), *result.array())) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile covers %s, so that the result's layout cannot be derived",
              what);
}

Status delete_marked(const Shape& shape, std::span<const uint8_t> deleted, Ref<Shape>* result, Error* err) {
  const Shape& array = *shape.array();
  Dimensions dimensions;
  SmallVec<uint8_t, 8> dynamic;
  for (size_t d = 0; d < deleted.size(); ++d) {
    if (deleted[d]) continue;
    dimensions.push_back(array.dimensions[d]);
    dynamic.push_back(array.dynamic[d]);
  }
  Ref<Layout> layout;
  if (array.layout) layout = without_dimensions(*array.layout, deleted);
  return rebuild(shape, dimensions, dynamic, std::move(layout), result, err);
}

}  // namespace

Status insert_dimensions(const Shape& shape, int64_t at, std::span<const int64_t> sizes, uint32_t flags,
                         Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  const int64_t rank = array->rank(), added = static_cast<int64_t>(sizes.size());
  if (at < 0 || at > rank)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "at is %lld, it must be in [0, %lld]", ll(at), ll(rank));
  Dimensions dimensions, new_of_old;
  SmallVec<uint8_t, 8> dynamic;
  const auto add_new = [&] {
    for (const int64_t size : sizes) {
      dimensions.push_back(size);
      dynamic.push_back(size == XLASHAPE_DIMENSION_UNBOUNDED);
    }
  };
  for (int64_t d = 0; d < rank; ++d) {
    if (d == at) add_new();
    dimensions.push_back(array->dimensions[static_cast<size_t>(d)]);
    dynamic.push_back(array->dynamic[static_cast<size_t>(d)]);
    new_of_old.push_back(d < at ? d : d + added);
  }
  if (at == rank) add_new();
  if (!array->layout || added == 0) return rebuild(shape, dimensions, dynamic, array->layout, result, err);

  if (array->layout->has_padding() &&
      std::find(sizes.begin(), sizes.end(), XLASHAPE_DIMENSION_UNBOUNDED) != sizes.end())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "an unbounded dimension has no width, and the layout has padded_dimensions");
  Dimensions order;
  int64_t place = 0;  // of the new dimensions, counted from the most major one
  const auto add_new_order = [&] {
    for (int64_t i = added; i-- > 0;) order.push_back(at + i);
  };
  const bool most_major = (flags & XLASHAPE_INSERT_MOST_MAJOR) != 0;
  if (at == rank && !most_major) {
    add_new_order();
    place = rank;
  }
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = array->layout->major(rank - 1 - i);
    order.push_back(new_of_old[static_cast<size_t>(d)]);
    if (d != at || most_major) continue;
    add_new_order();
    place = rank - 1 - i;
  }
  if (most_major) add_new_order();
  Ref<Shape> made;
  XLASHAPE_TRY(
      rebuild(shape, dimensions, dynamic, renumber(*array->layout, order, new_of_old, dimensions), &made, err));
  if (place > dimensions_above_tiles(*array->layout, rank)) {
    if (!std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size == 1; }))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile would cover the new dimensions");
    XLASHAPE_TRY(check_moves_nothing(shape, *made, "the place of the new dimensions", err));
  }
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

Status delete_dimensions(const Shape& shape, std::span<const int64_t> dimensions, Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  SmallVec<uint8_t, 32> deleted;
  XLASHAPE_TRY(mark_dimensions(dimensions, array->rank(), &deleted, err));
  Ref<Shape> made;
  XLASHAPE_TRY(delete_marked(shape, deleted, &made, err));
  if (array->layout && !are_above_tiles(*array->layout, deleted)) {
    for (const int64_t d : dimensions)
      if (array->dimensions[static_cast<size_t>(d)] != 1)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile covers dimension %lld", ll(d));
    XLASHAPE_TRY(check_moves_nothing(shape, *made, "a dimension to be deleted", err));
  }
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

Status drop_degenerate_dimensions(const Shape& shape, Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  SmallVec<uint8_t, 32> deleted;
  bool widened = false;
  for (size_t d = 0; d < array->dimensions.size(); ++d) {
    deleted.push_back(array->dimensions[d] == 1);
    widened |=
        deleted.back() && array->layout && array->layout->has_padding() && array->layout->padded_dimensions[d] != 1;
  }
  Ref<Shape> made;
  XLASHAPE_TRY(delete_marked(shape, deleted, &made, err));
  if (array->layout && !are_above_tiles(*array->layout, deleted))
    XLASHAPE_TRY(check_moves_nothing(shape, *made, "a dimension of size 1", err));
  if (widened && !reshape_moves_nothing(*array, *made->array()))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "a dimension of size 1 is padded, so that dropping it changes the storage");
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

bool are_above_tiles(const Layout& layout, std::span<const uint8_t> dimensions) noexcept {
  const auto rank = static_cast<int64_t>(dimensions.size());
  const int64_t above = dimensions_above_tiles(layout, rank);
  for (int64_t place = 0; place < rank; ++place)
    if (place >= above && dimensions[static_cast<size_t>(layout.major(place))]) return false;
  return true;
}

}  // namespace xlashape::core
