#include "shape/extents.h"

#include <algorithm>

#include "base/checked.h"

namespace xlashape {
namespace {

constexpr char kLetters[] = "pzyx";  // of rank 4; ranks 3 and 2 use the last ones

}  // namespace

Status element_count(const Shape& shape, int64_t* elements, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_UNSUPPORTED, "%s has no elements to count", noun(shape));
  int64_t product = 1;
  for (size_t i = 0; i < array->dimensions.size(); ++i) {
    if (array->dimensions[i] == XLASHAPE_UNBOUNDED)
      return fail(err, XLASHAPE_UNSUPPORTED, "dimension %zu is unbounded, so the elements cannot be counted", i);
    // Cannot overflow in a valid shape, which was judged in the same order.
    if (!checked_mul(product, array->dimensions[i], &product))
      return fail(err, XLASHAPE_OVERFLOW, "the number of elements does not fit 64 bits");
  }
  *elements = product;
  return XLASHAPE_OK;
}

int64_t true_rank(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  if (array == nullptr) return 0;
  return std::count_if(array->dimensions.begin(), array->dimensions.end(),
                       [](int64_t size) { return size > 1 || size == XLASHAPE_UNBOUNDED; });
}

bool is_effective_scalar(const Shape& shape) noexcept {
  const Shape* array = shape.array();
  return array != nullptr &&
         std::all_of(array->dimensions.begin(), array->dimensions.end(), [](int64_t size) { return size == 1; });
}

Status max_split_size(const Shape& shape, int64_t dimension, int64_t* size, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_UNSUPPORTED, "%s has no splits", noun(shape));
  XLASHAPE_TRY(dimension_number(array->rank(), dimension, &dimension, err));
  const int64_t bound = array->dimensions[static_cast<size_t>(dimension)];
  if (bound == XLASHAPE_UNBOUNDED)
    return fail(err, XLASHAPE_UNSUPPORTED, "dimension %lld is unbounded, so its pieces have no size",
                static_cast<long long>(dimension));
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
  return XLASHAPE_OK;
}

Status max_elements_per_split(const Shape& shape, int64_t* elements, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_UNSUPPORTED, "%s has no splits", noun(shape));
  int64_t product = 1;
  for (int64_t d = 0; d < array->rank(); ++d) {
    int64_t size;
    XLASHAPE_TRY(max_split_size(*array, d, &size, err));
    // Fits where the dimensions' own product does.
    if (!checked_mul(product, size, &product))
      return fail(err, XLASHAPE_OVERFLOW, "the number of elements does not fit 64 bits");
  }
  *elements = product;
  return XLASHAPE_OK;
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

bool next_index_in_box(std::span<const int64_t> base, std::span<const int64_t> count, std::span<const int64_t> step,
                       std::span<int64_t> index) noexcept {
  for (size_t i = index.size(); i-- > 0;) {
    // A step below 1 never gets on; an index that does not fit is in no box.
    int64_t next, offset;
    if (step[i] < 1 || !checked_add(index[i], step[i], &next) || !checked_sub(next, base[i], &offset)) continue;
    if (offset >= count[i]) continue;
    index[i] = next;
    std::copy(base.begin() + static_cast<ptrdiff_t>(i) + 1, base.end(), index.begin() + static_cast<ptrdiff_t>(i) + 1);
    return true;
  }
  return false;
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

}  // namespace xlashape
