// SPDX-License-Identifier: Apache-2.0
#include "interop/dlpack.h"

#include <cstddef>
#include <cstring>

#include "base/limits.h"
#include "index/index_map.h"
#include "interop/strided.h"
#include "xlashape_interop.h"

namespace xlashape::core {
namespace {

static_assert(sizeof(void*) != 8 || (sizeof(DlTensor) == 48 && offsetof(DlTensor, shape) == 24));

}  // namespace

Status shape_from_dlpack(const DlTensor& tensor, uint32_t flags, Ref<Shape>* shape, Error* err) {
  const DlpackType given = {tensor.code, tensor.bits};
  const xlashape_element_type type =
      given.bits == 0 ? XLASHAPE_TYPE_INVALID
                      : find_element_type([&](const ElementTypeInfo& known) { return known.dlpack == given; });
  if (type == XLASHAPE_TYPE_INVALID)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "DLPack's type code %u with %u bits is not an element type of XLA",
                tensor.code, tensor.bits);
  if (tensor.lanes != 1)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the tensor has %u lanes, it must have 1", tensor.lanes);
  if (tensor.ndim < 0 || tensor.ndim > kMaxListed)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "ndim is %d, it must be 0 to %lld", tensor.ndim, ll(kMaxListed));
  if (tensor.ndim > 0 && tensor.shape == nullptr)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tensor.shape is NULL");
  const std::span<const int64_t> dimensions(tensor.shape, static_cast<size_t>(tensor.ndim));
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu has size %lld, it must not be negative", i,
                  ll(dimensions[i]));
  Ref<Layout> layout;
  if (tensor.strides == nullptr) {
    layout = make_row_major(tensor.ndim);
  } else {
    XLASHAPE_TRY(layout_from_strides(dimensions, {tensor.strides, dimensions.size()}, 1, flags, &layout, err));
  }
  if (given.bits < 8 && (flags & XLASHAPE_DLPACK_SUB_BYTE_PADDED) == 0) {
    if (given.bits == 6)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the 6-bit floats are packed: XLA stores them in 8 bits only");
    layout->element_size_in_bits = given.bits;
  }
  return make_array(type, dimensions, {}, std::move(layout), shape, err);
}

Status DlpackWriter::prepare(const Shape& shape, uint32_t flags, Error* err) {
  XLASHAPE_TRY(strides_of(shape, "DLPack", &array_, &strides_, err));
  type_ = element_type_info(array_->element_type).dlpack;
  if (type_.bits == 0) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "DLPack has no code for the element type");
  const int64_t held = container_bits(*array_);
  const bool padded = (flags & XLASHAPE_DLPACK_SUB_BYTE_PADDED) != 0 && type_.bits < 8;
  const int64_t wanted = padded ? 8 : type_.bits;
  if (held != wanted)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "each element takes %lld bits of memory, DLPack stores it in %lld",
                ll(held), ll(wanted));
  return XLASHAPE_STATUS_OK;
}

void DlpackWriter::write(DlTensor head, uint8_t* block) const {
  auto* items = reinterpret_cast<int64_t*>(block + sizeof head);
  const size_t rank = strides_.size();
  head.ndim = static_cast<int32_t>(rank);
  head.code = type_.code;
  head.bits = type_.bits;
  head.lanes = 1;
  head.shape = items;
  head.strides = items + rank;
  for (size_t i = 0; i < rank; ++i) {
    items[i] = array_->dimensions[i];
    items[rank + i] = strides_[i];
  }
  std::memcpy(block, &head, sizeof head);
}

}  // namespace xlashape::core
