// SPDX-License-Identifier: Apache-2.0
#include "shape/extents.h"

#include <algorithm>

#include "base/checked.h"

namespace xlashape::core {
namespace {

constexpr char kLetters[] = "pzyx";  // of rank 4; ranks 3 and 2 use the last ones

// The dimension that is `place`-th, counted from the fastest.
size_t box_dimension(const Box& box, size_t place) {
  if (box.minor_to_major.empty()) return box.base.size() - 1 - place;
  return static_cast<size_t>(box.minor_to_major[place]);
}

Status check_order(const Box& box, Error* err) {
  if (box.minor_to_major.empty()) return XLASHAPE_STATUS_OK;
  SmallVec<uint8_t, 32> seen;
  seen.resize(box.minor_to_major.size(), 0);
  for (const int64_t dimension : box.minor_to_major) {
    const bool outside = dimension < 0 || dimension >= seen.ssize();
    if (outside || seen[static_cast<size_t>(dimension)])
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "minor_to_major holds dimension %lld, which is %s",
                  ll(dimension), outside ? "not one of the box's" : "there twice");
    seen[static_cast<size_t>(dimension)] = 1;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status element_count(const Shape& shape, int64_t* elements, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no elements to count", noun(shape));
  int64_t product = 1;
  for (size_t i = 0; i < array->dimensions.size(); ++i) {
    if (array->dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu is unbounded, so the elements cannot be counted", i);
    // Cannot overflow in a valid shape, which was checked in the same order.
    if (!checked_mul(product, array->dimensions[i], &product))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the number of elements does not fit 64 bits");
  }
  *elements = product;
  return XLASHAPE_STATUS_OK;
}

int64_t true_rank(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr) return 0;
  return std::count_if(array->dimensions.begin(), array->dimensions.end(),
                       [](int64_t size) { return size > 1 || size == XLASHAPE_DIMENSION_UNBOUNDED; });
}

bool is_effective_scalar(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  return array != nullptr &&
         std::all_of(array->dimensions.begin(), array->dimensions.end(), [](int64_t size) { return size == 1; });
}

Status max_split_size(const Shape& shape, int64_t dimension, int64_t* size, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no splits", noun(shape));
  XLASHAPE_TRY(dimension_number(array->rank(), dimension, &dimension, err));
  const int64_t bound = array->dimensions[static_cast<size_t>(dimension)];
  if (bound == XLASHAPE_DIMENSION_UNBOUNDED)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %lld is unbounded, so its pieces have no size",
                ll(dimension));
  int64_t largest = bound;
  if (array->layout) {
    for_each_split(*array->layout, [&](int64_t physical, std::span<const int64_t> indices) {
      if (array->layout->major(physical) != dimension) return;
      int64_t start = largest = 0;
      for (const int64_t index : indices) {
        largest = std::max(largest, index - start);
        start = index;
      }
      largest = std::max(largest, bound - start);
    });
  }
  *size = largest;
  return XLASHAPE_STATUS_OK;
}

Status max_elements_per_split(const Shape& shape, int64_t* elements, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no splits", noun(shape));
  int64_t product = 1;
  for (int64_t d = 0; d < array->rank(); ++d) {
    int64_t size;
    XLASHAPE_TRY(max_split_size(*array, d, &size, err));
    // Fits if the product of the dimensions does.
    if (!checked_mul(product, size, &product))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the number of elements does not fit 64 bits");
  }
  *elements = product;
  return XLASHAPE_STATUS_OK;
}

Status check_box(std::span<const int64_t> dimensions, const int64_t* base, const int64_t* extent, const char* box,
                 const char* array, Error* err) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const int64_t start = base != nullptr ? base[i] : 0, bound = dimensions[i];
    if (bound == XLASHAPE_DIMENSION_UNBOUNDED) continue;  // lowering refuses it
    if (start < 0 || start > bound || extent[i] < 0 || extent[i] > bound - start)
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE,
                  "dimension %zu of the %s: %lld elements from %lld on exceed the %s's %lld", i, box, ll(extent[i]),
                  ll(start), array, ll(bound));
  }
  return XLASHAPE_STATUS_OK;
}

bool index_in_bounds(std::span<const int64_t> dimensions, std::span<const int64_t> index) noexcept {
  if (index.size() != dimensions.size()) return false;
  for (size_t i = 0; i < index.size(); ++i)
    if (index[i] < 0 || index[i] >= dimensions[i]) return false;
  return true;
}

bool next_index(std::span<const int64_t> dimensions, std::span<int64_t> index) noexcept {
  // An index outside the bounds, such as any index of an array without elements, has no next one.
  if (!index_in_bounds(dimensions, index)) return false;
  for (size_t i = index.size(); i-- > 0;) {
    if (index[i] + 1 == dimensions[i]) continue;
    ++index[i];
    std::fill(index.begin() + static_cast<ptrdiff_t>(i) + 1, index.end(), 0);
    return true;
  }
  return false;
}

bool next_index_in_box(const Box& box, std::span<int64_t> index) noexcept {
  for (size_t place = 0; place < index.size(); ++place) {
    const size_t i = box_dimension(box, place);
    // A step below 1 never advances; an index that does not fit is in no box.
    int64_t next, offset;
    if (i >= index.size() || box.step[i] < 1 || !checked_add(index[i], box.step[i], &next) ||
        !checked_sub(next, box.base[i], &offset))
      continue;
    if (offset >= box.count[i]) continue;
    index[i] = next;
    while (place-- > 0)
      if (const size_t faster = box_dimension(box, place); faster < index.size()) index[faster] = box.base[faster];
    return true;
  }
  return false;
}

Status box_index_count(const Box& box, int64_t* indices, Error* err) {
  int64_t product = 1;
  bool fits = true, empty = false;
  for (size_t i = 0; i < box.count.size(); ++i) {
    const int64_t count = box.count[i], step = box.step[i];
    if (count < 0 || step < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s[%zu] is %lld, it must not be negative",
                  count < 0 ? "count" : "step", i, ll(count < 0 ? count : step));
    if (step == 0) continue;
    empty |= count == 0;
    fits = fits && checked_mul(product, ceil_div(count, step), &product);
  }
  if (!empty && !fits) return fail(err, XLASHAPE_STATUS_OVERFLOW, "the box holds more indices than fit 64 bits");
  *indices = empty ? 0 : product;
  return XLASHAPE_STATUS_OK;
}

Status box_index_at(const Box& box, int64_t number, std::span<int64_t> index, Error* err) {
  XLASHAPE_TRY(check_order(box, err));
  int64_t indices;
  XLASHAPE_TRY(box_index_count(box, &indices, err));
  if (number < 0 || number >= indices)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "number is %lld, the box holds %lld indices", ll(number),
                ll(indices));
  for (size_t i = 0; i < index.size(); ++i) {  // checked before anything is written
    int64_t last;
    if (box.step[i] > 0 && !checked_add(box.base[i], (box.count[i] - 1) / box.step[i] * box.step[i], &last))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "base[%zu] is %lld: the box's last index does not fit 64 bits", i,
                  ll(box.base[i]));
  }
  for (size_t place = 0; place < index.size(); ++place) {
    const size_t i = box_dimension(box, place);
    index[i] = box.base[i];
    if (box.step[i] == 0) continue;
    const int64_t size = ceil_div(box.count[i], box.step[i]);
    index[i] += number % size * box.step[i];
    number /= size;
  }
  return XLASHAPE_STATUS_OK;
}

char dimension_letter(int64_t rank, int64_t dimension) noexcept {
  if (rank < 2 || rank > 4 || dimension < -rank || dimension >= rank) return 0;
  return kLetters[4 - rank + (dimension < 0 ? dimension + rank : dimension)];
}

int64_t dimension_from_letter(int64_t rank, char letter) noexcept {
  for (int64_t i = 0; i < rank && rank <= 4; ++i)
    if (letter != 0 && dimension_letter(rank, i) == letter) return i;
  return -1;
}

}  // namespace xlashape::core
