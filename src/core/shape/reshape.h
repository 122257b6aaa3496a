// What a reshape or a transpose does to dimensions: common runs, ones that come and go, the shortest transpose.
#pragma once
#include <span>

#include "base/small_vec.h"
#include "base/status.h"

namespace xlashape::core {

using Numbers = SmallVec<int64_t, 16>;

// Both lists cut into the smallest runs of equal product, as pairs (start in a, start in b); the last is (|a|, |b|).
Status common_factors(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err);
// Pairs (dimension of a, dimension of b) of runs of one dimension each.
Status unmodified_by_reshape(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err);
// NOT_FOUND where more than dimensions of size 1 come and go.
Status inserted_or_deleted_ones(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* deleted,
                                Numbers* inserted, Error* err);
// `permutation` must be one.
Status normalized_transpose(std::span<const int64_t> dimensions, std::span<const int64_t> permutation,
                            Numbers* out_dimensions, Numbers* out_permutation, Error* err);

}  // namespace xlashape::core
