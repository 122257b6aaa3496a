// SPDX-License-Identifier: Apache-2.0
// Numbers and letters of dimensions; reshapes and transposes of lists of them.
#ifndef XLASHAPE_RESHAPE_HPP_
#define XLASHAPE_RESHAPE_HPP_

#include <xlashape_xla.h>

#include "shape.hpp"

namespace xlashape {

// -rank..rank-1 to 0..rank-1
inline Result<std::int64_t> try_dimension_number(std::int64_t rank, std::int64_t dimension) {
  return detail::number<std::int64_t>(xlashape_dimension_number, rank, dimension);
}
XLASHAPE_THROWS inline std::int64_t dimension_number(std::int64_t rank, std::int64_t dimension) {
  return try_dimension_number(rank, dimension).value();
}

// The letter of a dimension in XLA's documentation, for ranks 2 to 4; 0 if there is none.
inline char dimension_letter(std::int64_t rank, std::int64_t dimension) noexcept {
  return static_cast<char>(xlashape_dimension_letter(rank, dimension));
}
// The reverse; kNotFound for a letter that names nothing.
inline Result<std::int64_t> try_dimension_from_letter(std::int64_t rank, char letter) {
  return detail::number<std::int64_t>(xlashape_dimension_from_letter, rank, std::int32_t{letter});
}
XLASHAPE_THROWS inline std::int64_t dimension_from_letter(std::int64_t rank, char letter) {
  return try_dimension_from_letter(rank, letter).value();
}

// Dimensions that a reshape from sizes `a` to `b` does not change, as consecutive pairs.
inline Result<std::vector<std::int64_t>> try_unmodified_dimensions(Numbers a, Numbers b) {
  return detail::list<std::int64_t>(xlashape_dimensions_unmodified_by_reshape, a.data(), a.size(), b.data(), b.size());
}
XLASHAPE_THROWS inline std::vector<std::int64_t> unmodified_dimensions(Numbers a, Numbers b) {
  return try_unmodified_dimensions(a, b).value();
}

struct Ones {
  std::vector<std::int64_t> deleted;   // dimensions of the first shape
  std::vector<std::int64_t> inserted;  // of the second
};
// The dimensions of size 1 that a reshape removes and adds; kNotFound if it does anything else.
inline Result<Ones> try_inserted_or_deleted_ones(const Shape& a, const Shape& b) {
  Result<Ones> result;
  Ones ones{std::vector<std::int64_t>(static_cast<std::size_t>(a.rank()) + 1),
            std::vector<std::int64_t>(static_cast<std::size_t>(b.rank()) + 1)};
  std::int64_t deleted = 0, inserted = 0;
  if (xlashape_shape_inserted_or_deleted_ones(a.get(), b.get(), ones.deleted.data(), a.rank() + 1, &deleted,
                                              ones.inserted.data(), b.rank() + 1, &inserted,
                                              result.record()) == XLASHAPE_STATUS_OK) {
    ones.deleted.resize(static_cast<std::size_t>(deleted));
    ones.inserted.resize(static_cast<std::size_t>(inserted));
    result.emplace(std::move(ones));
  }
  return result;
}

struct Transpose {
  std::vector<std::int64_t> dimensions;   // of the result
  std::vector<std::int64_t> permutation;  // dimension i of the result is dimension permutation[i] of the input
};
// Without dimensions of size 1, and with dimensions that stay together merged.
inline Result<Transpose> try_normalized_transpose(Numbers dimensions, Numbers permutation) {
  if (dimensions.size() != permutation.size())
    return Error(Status::kOutOfRange, "the numbers of dimensions and of the permutation differ");
  Result<Transpose> result;
  const std::int64_t capacity = dimensions.size() + 1;
  Transpose out{std::vector<std::int64_t>(static_cast<std::size_t>(capacity)),
                std::vector<std::int64_t>(static_cast<std::size_t>(capacity))};
  std::int64_t needed = 0;
  if (xlashape_normalized_transpose(dimensions.data(), permutation.data(), dimensions.size(), out.dimensions.data(),
                                    out.permutation.data(), capacity, &needed, result.record()) == XLASHAPE_STATUS_OK) {
    out.dimensions.resize(static_cast<std::size_t>(needed));
    out.permutation.resize(static_cast<std::size_t>(needed));
    result.emplace(std::move(out));
  }
  return result;
}
XLASHAPE_THROWS inline Transpose normalized_transpose(Numbers dimensions, Numbers permutation) {
  return try_normalized_transpose(dimensions, permutation).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_RESHAPE_HPP_
