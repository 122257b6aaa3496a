// Decomposes a bitcast: one memory that is viewed as two arrays.
#ifndef XLASHAPE_BITCAST_HPP_
#define XLASHAPE_BITCAST_HPP_

#include "shape.hpp"

namespace xlashape {

enum class BitcastKind : std::int32_t {
  kReshape = XLASHAPE_BITCAST_KIND_RESHAPE,
  kTranspose = XLASHAPE_BITCAST_KIND_TRANSPOSE,
  kTrt = XLASHAPE_BITCAST_KIND_TRT,  // transpose, reshape, transpose
};

// The first array transposed by transpose1 is reshape_from, that reshaped is reshape_to, and that transposed by
// transpose2 is the second array. No part moves anything; all parts are set whatever the kind is.
struct BitcastParts {
  BitcastKind kind = BitcastKind::kReshape;
  std::vector<std::int64_t> transpose1;
  Shape reshape_from, reshape_to;
  std::vector<std::int64_t> transpose2;
};

// kNotFound if there is no decomposition; flags: XLASHAPE_BITCAST_*, both of them for XLA's own answer.
inline Result<BitcastParts> try_decompose_bitcast(const Shape& a, const Shape& b, std::uint32_t flags = 0) {
  Result<BitcastParts> result;
  BitcastParts parts;
  parts.transpose1.resize(static_cast<std::size_t>(a.rank()));
  parts.transpose2.resize(static_cast<std::size_t>(b.rank()));
  std::int32_t kind = 0;
  std::int64_t needed1 = 0, needed2 = 0;
  xlashape_shape *from = nullptr, *to = nullptr;
  if (xlashape_shape_decompose_bitcast(a.get(), b.get(), flags, &kind, parts.transpose1.data(), a.rank(), &needed1,
                                       &from, &to, parts.transpose2.data(), b.rank(), &needed2,
                                       result.record()) == XLASHAPE_STATUS_OK) {
    parts.kind = static_cast<BitcastKind>(kind);
    parts.reshape_from = Shape(from);
    parts.reshape_to = Shape(to);
    result.emplace(std::move(parts));
  }
  return result;
}
XLASHAPE_THROWS inline BitcastParts decompose_bitcast(const Shape& a, const Shape& b, std::uint32_t flags = 0) {
  return try_decompose_bitcast(a, b, flags).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_BITCAST_HPP_
