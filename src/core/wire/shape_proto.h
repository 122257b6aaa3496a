/* SPDX-License-Identifier: Apache-2.0 */
// Converts shapes to ShapeProto of xla_data.proto and back. Nothing recurses: nested tuples cost memory, not stack.
#pragma once
#include "shape/shape.h"
#include "wire/reader.h"
#include "wire/writer.h"

namespace xlashape::core {

// Computes the sizes of all nested messages first, so that the bytes can be written front to back.
class ShapeEncoder {
 public:
  explicit ShapeEncoder(const Shape& shape);  // throws bad_alloc
  int64_t size() const { return sizes_[0]; }
  void write(ProtoWriter& out) const;

 private:
  const Shape& shape_;
  SmallVec<int64_t, 8> sizes_;  // of the shapes inside, buffers' arrays included, in pre-order
};

// Reads one message up to the reader's end. Errors carry an offset: PARSE where the bytes are not a protocol buffer,
// else the start of the message that breaks a rule. Unknown fields are skipped. `flags`:
// XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT. Throws bad_alloc.
Status read_shape(const ProtoReader& in, uint32_t flags, Ref<Shape>* shape, Error* err);

}  // namespace xlashape::core
