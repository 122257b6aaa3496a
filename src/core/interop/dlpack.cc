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

struct Code {
  int32_t type;
  uint8_t code, bits;
};
// DLDataTypeCode: int 0, uint 1, float 2, bfloat 4, complex 5, bool 6, then one code for each small float.
constexpr Code kCodes[] = {
    {XLASHAPE_TYPE_PRED, 6, 8},        {XLASHAPE_TYPE_S8, 0, 8},          {XLASHAPE_TYPE_S16, 0, 16},
    {XLASHAPE_TYPE_S32, 0, 32},        {XLASHAPE_TYPE_S64, 0, 64},        {XLASHAPE_TYPE_U8, 1, 8},
    {XLASHAPE_TYPE_U16, 1, 16},        {XLASHAPE_TYPE_U32, 1, 32},        {XLASHAPE_TYPE_U64, 1, 64},
    {XLASHAPE_TYPE_F16, 2, 16},        {XLASHAPE_TYPE_F32, 2, 32},        {XLASHAPE_TYPE_F64, 2, 64},
    {XLASHAPE_TYPE_BF16, 4, 16},       {XLASHAPE_TYPE_C64, 5, 64},        {XLASHAPE_TYPE_C128, 5, 128},
    {XLASHAPE_TYPE_S1, 0, 1},          {XLASHAPE_TYPE_S2, 0, 2},          {XLASHAPE_TYPE_S4, 0, 4},
    {XLASHAPE_TYPE_U1, 1, 1},          {XLASHAPE_TYPE_U2, 1, 2},          {XLASHAPE_TYPE_U4, 1, 4},
    {XLASHAPE_TYPE_F8E3M4, 7, 8},      {XLASHAPE_TYPE_F8E4M3, 8, 8},      {XLASHAPE_TYPE_F8E4M3B11FNUZ, 9, 8},
    {XLASHAPE_TYPE_F8E4M3FN, 10, 8},   {XLASHAPE_TYPE_F8E4M3FNUZ, 11, 8}, {XLASHAPE_TYPE_F8E5M2, 12, 8},
    {XLASHAPE_TYPE_F8E5M2FNUZ, 13, 8}, {XLASHAPE_TYPE_F8E8M0FNU, 14, 8},  {XLASHAPE_TYPE_F6E2M3FN, 15, 6},
    {XLASHAPE_TYPE_F6E3M2FN, 16, 6},   {XLASHAPE_TYPE_F4E2M1FN, 17, 4},
};

}  // namespace

Status shape_from_dlpack(const DlTensor& tensor, uint32_t flags, Ref<Shape>* shape, Error* err) {
  const Code* found = nullptr;
  for (const Code& code : kCodes)
    if (code.code == tensor.code && code.bits == tensor.bits) found = &code;
  if (found == nullptr)
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
  if (found->bits < 8 && (flags & XLASHAPE_DLPACK_SUB_BYTE_PADDED) == 0) {
    if (found->bits == 6)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the 6-bit floats are packed: XLA stores them in 8 bits only");
    layout->element_size_in_bits = found->bits;
  }
  return make_array(found->type, dimensions, {}, std::move(layout), shape, err);
}

Status DlpackWriter::prepare(const Shape& shape, uint32_t flags, Error* err) {
  XLASHAPE_TRY(strides_of(shape, "DLPack", &array_, &strides_, err));
  const Code* found = nullptr;
  for (const Code& code : kCodes)
    if (code.type == array_->element_type) found = &code;
  if (found == nullptr) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "DLPack has no code for the element type");
  const int64_t held = container_bits(*array_);
  const bool padded = (flags & XLASHAPE_DLPACK_SUB_BYTE_PADDED) != 0 && found->bits < 8;
  const int64_t wanted = padded ? 8 : found->bits;
  if (held != wanted)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "each element takes %lld bits of memory, DLPack stores it in %lld",
                ll(held), ll(wanted));
  code_ = found->code;
  bits_ = found->bits;
  return XLASHAPE_STATUS_OK;
}

void DlpackWriter::write(DlTensor head, uint8_t* block) const {
  auto* items = reinterpret_cast<int64_t*>(block + sizeof head);
  const size_t rank = strides_.size();
  head.ndim = static_cast<int32_t>(rank);
  head.code = code_;
  head.bits = bits_;
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
