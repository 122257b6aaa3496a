/* SPDX-License-Identifier: Apache-2.0 */
// ProgramShapeProto of xla_data.proto and ShapeIndexProto of shape_util.proto.
#pragma once
#include <vector>

#include "shape/program.h"
#include "wire/shape_proto.h"

namespace xlashape::core {

class ProgramEncoder {
 public:
  explicit ProgramEncoder(const ProgramShape& program);  // throws bad_alloc
  int64_t size() const { return size_; }
  void write(ProtoWriter& out) const;

 private:
  const ProgramShape& program_;
  std::vector<ShapeEncoder> shapes_;  // parameters, then the result
  int64_t size_ = 0;
};

// Like read_shape. The message must name all parameters or none.
Status read_program(ProtoReader in, uint32_t flags, Ref<ProgramShape>* program, Error* err);

// A path into tuples.
inline void write_index(ProtoWriter& out, std::span<const int64_t> path) { out.packed(1, path); }
Status read_index(ProtoReader in, SmallVec<int64_t, 16>* path);

}  // namespace xlashape::core
