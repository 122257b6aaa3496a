// SPDX-License-Identifier: Apache-2.0
#include "bitcast/decompose.h"

#include "bitcast/bitcast.h"
#include "shape/dimensions.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

void append_identity(int64_t rank, SmallVec<int64_t, 8>* permutation) {
  for (int64_t d = 0; d < rank; ++d) permutation->push_back(d);
}

// The dimensions most major first.
void append_major_to_minor(const Shape& array, SmallVec<int64_t, 8>* order) {
  for (int64_t place = 0; place < array.rank(); ++place)
    order->push_back(array.layout ? array.layout->major(place) : place);
}

Ref<Shape> share(const Shape& shape) { return Ref<Shape>::share(const_cast<Shape*>(&shape)); }

}  // namespace

Status decompose_bitcast(const Shape& a, const Shape& b, uint32_t flags, BitcastSteps* steps, Error* err) {
  const bool same_types = (flags & XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE) != 0 || a.element_type == b.element_type;
  if (reshape_is_bitcast(a, b, flags)) {
    steps->kind = XLASHAPE_BITCAST_KIND_RESHAPE;
    append_identity(a.rank(), &steps->transpose1);
    append_identity(b.rank(), &steps->transpose2);
    steps->reshape_from = share(a);
    steps->reshape_to = share(b);
    return XLASHAPE_STATUS_OK;
  }
  if (same_types && deduce_transpose(a, b, flags, &steps->transpose1)) {
    steps->kind = XLASHAPE_BITCAST_KIND_TRANSPOSE;
    append_identity(b.rank(), &steps->transpose2);
    // A transpose keeps the element type.
    XLASHAPE_TRY(make_array(a.element_type, b.dimensions, b.dynamic, b.layout, &steps->reshape_from, err));
    steps->reshape_to = share(b);
    return XLASHAPE_STATUS_OK;
  }
  steps->kind = XLASHAPE_BITCAST_KIND_TRT;
  steps->transpose1.clear();
  XLASHAPE_TRY(to_physical_order(a, &steps->reshape_from, err));
  XLASHAPE_TRY(to_physical_order(b, &steps->reshape_to, err));
  if (!reshape_is_bitcast(*steps->reshape_from, *steps->reshape_to, flags))
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no transposes and reshape turn a into b without moving data");
  append_major_to_minor(a, &steps->transpose1);
  SmallVec<int64_t, 8> order;
  append_major_to_minor(b, &order);
  steps->transpose2.resize(order.size());
  for (size_t place = 0; place < order.size(); ++place)
    steps->transpose2[static_cast<size_t>(order[place])] = static_cast<int64_t>(place);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
