#include "index/part_digits.h"

#include <algorithm>

#include "base/checked.h"

namespace xlashape::core {
namespace {

// Where the merged digits are cut: digit `digit` of `dimension` becomes `upper` and `lower`.
struct Cut {
  size_t dimension;
  size_t digit;
  PartDigit upper, lower;
};

bool find_cut(std::span<const PartDigits> merged, int64_t tile, int64_t outer_bound, Cut* cut) {
  // From the least significant digit up: `below` is the product of the extents passed.
  int64_t below = 1;
  for (size_t dimension = merged.size(); dimension-- > 0;) {
    for (size_t digit = merged[dimension].size(); digit-- > 0;) {
      const PartDigit& d = merged[dimension][digit];
      const bool last = dimension == 0 && digit == 0;
      if (tile % below != 0) return false;
      const int64_t rest = tile / below;  // the part of the tile that this digit has to make up
      if (!last && rest != 0 && d.extent != 0 && rest % d.extent == 0) {  // the whole digit is below
        below *= d.extent;
        continue;
      }
      const bool divides = rest != 0 && d.extent % rest == 0;
      if (!divides && !(last && d.open)) return false;
      int64_t divisor;  // overflows only far beyond every index
      if (!checked_mul(d.divisor, rest, &divisor)) divisor = INT64_MAX;
      *cut = {dimension,
              digit,
              {d.dimension, divisor, last ? outer_bound : d.extent / rest, d.open},
              {d.dimension, d.divisor, rest, false}};
      return true;
    }
  }
  return false;
}

}  // namespace

bool split_digits(std::span<const PartDigits> merged, int64_t tile, int64_t outer_bound, Arena& arena,
                  PartDigits* outer, PartDigits* inner) {
  Cut cut;
  if (!find_cut(merged, tile, outer_bound, &cut)) return false;
  size_t count = 1;  // one is split in two
  for (const PartDigits digits : merged) count += digits.size();
  PartDigit* const begin = arena.make<PartDigit>(count);
  PartDigit* at = begin;
  const auto write = [&at](PartDigits digits) { at = std::copy(digits.begin(), digits.end(), at); };
  const PartDigits middle = merged[cut.dimension];
  for (const PartDigits digits : merged.first(cut.dimension)) write(digits);
  write(middle.first(cut.digit));
  *at++ = cut.upper;
  *outer = {begin, at};
  *at++ = cut.lower;
  write(middle.subspan(cut.digit + 1));
  for (const PartDigits digits : merged.subspan(cut.dimension + 1)) write(digits);
  *inner = {begin + outer->size(), at};
  return true;
}

}  // namespace xlashape::core
