/* SPDX-License-Identifier: Apache-2.0 */
// What a reshape or transpose does to dimensions: common runs, added and removed sizes of 1, the shortest transpose.
#pragma once
#include <span>

#include "base/small_vec.h"
#include "base/status.h"

namespace xlashape::core {

using Numbers = SmallVec<int64_t, 16>;

// Splits both lists into the smallest runs of equal product, as pairs (start in a, start in b); the last is (|a|, |b|).
Status common_factors(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err);
// Pairs (dimension of a, dimension of b) of runs of one dimension each.
Status unmodified_by_reshape(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err);
// NOT_FOUND where the reshape changes more than dimensions of size 1.
Status inserted_or_deleted_ones(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* deleted,
                                Numbers* inserted, Error* err);
// `permutation` must be a permutation.
Status normalized_transpose(std::span<const int64_t> dimensions, std::span<const int64_t> permutation,
                            Numbers* out_dimensions, Numbers* out_permutation, Error* err);

}  // namespace xlashape::core
