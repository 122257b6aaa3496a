/* SPDX-License-Identifier: Apache-2.0 */
// DLTensor of dlpack.h, mirrored here.
#pragma once
#include <cstdint>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

struct DlTensor {
  void* data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t* shape;
  int64_t* strides;  // in elements; null: row-major
  uint64_t byte_offset;
};

// `flags`: XLASHAPE_DLPACK_SUB_BYTE_PADDED, XLASHAPE_STRIDES_COMPACT.
Status shape_from_dlpack(const DlTensor& tensor, uint32_t flags, Ref<Shape>* shape, Error* err);

// Writes a DLTensor with its shape and strides into a block of the caller.
class DlpackWriter {
 public:
  Status prepare(const Shape& shape, uint32_t flags, Error* err);
  int64_t size() const { return static_cast<int64_t>(sizeof(DlTensor) + 16 * strides_.size()); }
  void write(DlTensor head, uint8_t* block) const;  // `head`: data, device and offset

 private:
  const Shape* array_ = nullptr;
  SmallVec<int64_t, 8> strides_;
  DlpackType type_ = {};
};

}  // namespace xlashape::core
