// SPDX-License-Identifier: Apache-2.0
#include "index/part_factors.h"

#include <algorithm>

#include "base/checked.h"

namespace xlashape::core {
namespace {

// Where the merged factors are cut: factor `factor` of `dimension` becomes `upper` and `lower`.
struct Cut {
  size_t dimension;
  size_t factor;
  PartFactor upper, lower;
};

bool find_cut(std::span<const PartFactors> merged, int64_t tile, int64_t outer_bound, Cut* cut) {
  // From the least significant factor up: `below` is the product of the extents passed.
  int64_t below = 1;
  for (size_t dimension = merged.size(); dimension-- > 0;) {
    for (size_t factor = merged[dimension].size(); factor-- > 0;) {
      const PartFactor& d = merged[dimension][factor];
      const bool last = dimension == 0 && factor == 0;
      if (tile % below != 0) return false;
      const int64_t rest = tile / below;  // the part of the tile that this factor has to make up
      if (!last && rest != 0 && d.extent != 0 && rest % d.extent == 0) {  // the whole factor is below
        below *= d.extent;
        continue;
      }
      const bool divides = rest != 0 && d.extent % rest == 0;
      if (!divides && !(last && d.open)) return false;
      int64_t divisor;  // overflows only far beyond every index
      if (!checked_mul(d.divisor, rest, &divisor)) divisor = INT64_MAX;
      *cut = {dimension,
              factor,
              {d.dimension, divisor, last ? outer_bound : d.extent / rest, d.open},
              {d.dimension, d.divisor, rest, false}};
      return true;
    }
  }
  return false;
}

}  // namespace

bool split_factors(std::span<const PartFactors> merged, int64_t tile, int64_t outer_bound, Arena& arena,
                   PartFactors* outer, PartFactors* inner) {
  Cut cut;
  if (!find_cut(merged, tile, outer_bound, &cut)) return false;
  size_t count = 1;  // one is split in two
  for (const PartFactors factors : merged) count += factors.size();
  PartFactor* const begin = arena.make<PartFactor>(count);
  PartFactor* at = begin;
  const auto write = [&at](PartFactors factors) { at = std::copy(factors.begin(), factors.end(), at); };
  const PartFactors middle = merged[cut.dimension];
  for (const PartFactors factors : merged.first(cut.dimension)) write(factors);
  write(middle.first(cut.factor));
  *at++ = cut.upper;
  *outer = {begin, at};
  *at++ = cut.lower;
  write(middle.subspan(cut.factor + 1));
  for (const PartFactors factors : merged.subspan(cut.dimension + 1)) write(factors);
  *inner = {begin + outer->size(), at};
  return true;
}

}  // namespace xlashape::core
