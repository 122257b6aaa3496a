#include "shape/dimensions.h"

#include <algorithm>

#include "base/checked.h"
#include "layout/rearrange.h"
#include "shape/bitcast.h"
#include "shape/tuples.h"

namespace xlashape {
namespace {

using List = SmallVec<int64_t, 8>;

Status finish(const Shape& shape, const List& dimensions, const SmallVec<uint8_t, 8>& dynamic, Ref<Layout> layout,
              Ref<Shape>* result, Error* err) {
  Ref<Shape> array;
  XLASHAPE_TRY(make_array(shape.array()->element_type, dimensions, dynamic, std::move(layout), &array, err));
  return put_back(shape, std::move(array), result, err);
}

// A change of dimensions of size 1 under tiles, which is fine where it moves no element.
Status check_alike(const Shape& shape, const Shape& result, const char* what, Error* err) {
  if (lies_alike(*shape.array(), *result.array())) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
              "a tile covers %s, so that no layout of the result follows from the shape's", what);
}

Status delete_marked(const Shape& shape, std::span<const uint8_t> deleted, Ref<Shape>* result, Error* err) {
  const Shape& array = *shape.array();
  List dimensions;
  SmallVec<uint8_t, 8> dynamic;
  for (size_t d = 0; d < deleted.size(); ++d) {
    if (deleted[d]) continue;
    dimensions.push_back(array.dimensions[d]);
    dynamic.push_back(array.dynamic[d]);
  }
  Ref<Layout> layout;
  if (array.layout) layout = without_dimensions(*array.layout, deleted);
  return finish(shape, dimensions, dynamic, std::move(layout), result, err);
}

}  // namespace

Status require_array(const Shape& shape, const Shape** array, Error* err) {
  *array = shape.array();
  if (*array != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no dimensions", noun(shape));
}

Status mark_dimensions(std::span<const int64_t> dimensions, int64_t rank, SmallVec<uint8_t, 32>* marked, Error* err) {
  marked->clear();
  marked->resize(static_cast<size_t>(rank), 0);
  for (const int64_t d : dimensions) {
    if (d < 0 || d >= rank)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dimension %lld is not in [0, %lld)", static_cast<long long>(d),
                  static_cast<long long>(rank));
    if ((*marked)[static_cast<size_t>(d)])
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dimension %lld is listed twice", static_cast<long long>(d));
    (*marked)[static_cast<size_t>(d)] = 1;
  }
  return XLASHAPE_STATUS_OK;
}

Status check_permutation(std::span<const int64_t> permutation, int64_t rank, Error* err) {
  if (static_cast<int64_t>(permutation.size()) != rank)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the permutation has %zu entries, the shape has rank %lld",
                permutation.size(), static_cast<long long>(rank));
  SmallVec<uint8_t, 32> seen;
  return mark_dimensions(permutation, rank, &seen, err);
}

Status permute_dimensions(const Shape& shape, std::span<const int64_t> permutation, uint32_t flags, Ref<Shape>* result,
                          Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  XLASHAPE_TRY(check_permutation(permutation, array->rank(), err));
  List dimensions, new_of_old;
  SmallVec<uint8_t, 8> dynamic;
  new_of_old.resize(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    const auto old = static_cast<size_t>(permutation[i]);
    dimensions.push_back(array->dimensions[old]);
    dynamic.push_back(array->dynamic[old]);
    new_of_old[old] = static_cast<int64_t>(i);
  }
  Ref<Layout> layout;
  if (array->layout) {
    List order;
    for (const int64_t d : array->layout->minor_to_major)
      order.push_back((flags & XLASHAPE_PERMUTE_KEEP_LAYOUT) ? d : new_of_old[static_cast<size_t>(d)]);
    layout = renumber(*array->layout, order, new_of_old, array->layout->padded_dimensions);
  }
  return finish(shape, dimensions, dynamic, std::move(layout), result, err);
}

Status to_physical_order(const Shape& shape, Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  List permutation;
  for (int64_t i = 0; i < array->rank(); ++i) permutation.push_back(array->layout ? array->layout->major(i) : i);
  return permute_dimensions(shape, permutation, 0, result, err);
}

Status insert_dimensions(const Shape& shape, int64_t at, std::span<const int64_t> sizes, uint32_t flags,
                         Ref<Shape>* result, Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  const int64_t rank = array->rank(), added = static_cast<int64_t>(sizes.size());
  if (at < 0 || at > rank)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "at is %lld, it must be in [0, %lld]", static_cast<long long>(at),
                static_cast<long long>(rank));
  List dimensions, new_of_old;
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
  if (!array->layout || added == 0) return finish(shape, dimensions, dynamic, array->layout, result, err);

  if (array->layout->has_padding() &&
      std::find(sizes.begin(), sizes.end(), XLASHAPE_DIMENSION_UNBOUNDED) != sizes.end())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "an unbounded dimension has no width, and the layout has padded_dimensions");
  List order;
  int64_t place = 0;  // that the new dimensions take, counted from the most major one
  const auto add_new_order = [&] {
    for (int64_t i = added; i-- > 0;) order.push_back(at + i);
  };
  const bool most_major = (flags & XLASHAPE_INSERT_MOST_MAJOR) != 0;
  if (at == rank && !most_major) {
    add_new_order();
    place = rank;
  }
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t d = array->layout->minor_to_major[static_cast<size_t>(i)];
    order.push_back(new_of_old[static_cast<size_t>(d)]);
    if (d != at || most_major) continue;
    add_new_order();
    place = rank - 1 - i;
  }
  if (most_major) add_new_order();
  Ref<Shape> made;
  XLASHAPE_TRY(finish(shape, dimensions, dynamic, renumber(*array->layout, order, new_of_old, dimensions), &made, err));
  if (place > dimensions_above_tiles(*array->layout)) {
    if (!std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size == 1; }))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile would cover the new dimensions");
    XLASHAPE_TRY(check_alike(shape, *made, "the place of the new dimensions", err));
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
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile covers dimension %lld", static_cast<long long>(d));
    XLASHAPE_TRY(check_alike(shape, *made, "a dimension that is to go", err));
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
    XLASHAPE_TRY(check_alike(shape, *made, "a dimension of size 1", err));
  if (widened && !lies_alike(*array, *made->array()))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "a dimension of size 1 is padded, so that dropping it changes the storage");
  *result = std::move(made);
  return XLASHAPE_STATUS_OK;
}

Status with_dimension(const Shape& shape, int64_t dimension, int64_t size, bool is_dynamic, Ref<Shape>* result,
                      Error* err) {
  const Shape* array;
  XLASHAPE_TRY(require_array(shape, &array, err));
  XLASHAPE_TRY(dimension_number(array->rank(), dimension, &dimension, err));
  List dimensions(array->dimensions);
  SmallVec<uint8_t, 8> dynamic = array->dynamic;
  dimensions[static_cast<size_t>(dimension)] = size;
  dynamic[static_cast<size_t>(dimension)] = is_dynamic;
  return finish(shape, dimensions, dynamic, array->layout, result, err);
}

bool has_degenerate_dimensions(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  return array != nullptr &&
         std::find(array->dimensions.begin(), array->dimensions.end(), 1) != array->dimensions.end();
}

bool is_effectively_most_major(const Shape& shape, int64_t dimension) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr || dimension_number(array->rank(), dimension, &dimension, nullptr)) return false;
  for (int64_t i = 0;; ++i) {  // ends: `dimension` is among them
    const int64_t major = array->layout ? array->layout->major(i) : i;
    if (major == dimension) return true;
    if (array->dimensions[static_cast<size_t>(major)] != 1) return false;
  }
}

bool last_dimension_is_most_minor(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr) return false;
  return array->rank() == 0 || !array->layout || array->layout->minor_to_major[0] == array->rank() - 1;
}

bool byte_strides_are_row_major(int64_t element_bytes, std::span<const int64_t> dimensions,
                                std::span<const int64_t> byte_strides) noexcept {
  int64_t stride = element_bytes;
  bool fits = true;  // no stride equals one that does not fit
  for (size_t i = dimensions.size(); i-- > 0;) {
    if (dimensions[i] < 0) return false;
    if (dimensions[i] == 1) continue;
    if (!fits || byte_strides[i] != stride) return false;
    fits = checked_mul(stride, dimensions[i], &stride);
  }
  return true;
}

}  // namespace xlashape
