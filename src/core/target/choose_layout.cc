// SPDX-License-Identifier: Apache-2.0
#include "target/choose_layout.h"

#include <algorithm>
#include <bit>

#include "base/checked.h"
#include "layout/validate.h"

namespace xlashape::core {
namespace {

// Tiles put the most minor dimension across the lanes, and the second minor one down the sublanes, where elements of
// less than 32 bits share a sublane with their neighbours.
class TileRule {
 public:
  TileRule(const TargetInfo& target, const ElementTypeInfo& type)
      : target_(target),
        bits_(std::min<int64_t>((type.classes & XLASHAPE_CLASS_SUB_BYTE) != 0 ? type.bits : type.storage_bits, 32)),
        in_word_(32 / bits_),
        packed_(target.packs ? in_word_ : std::min(in_word_, int64_t{4})) {}

  // The elements that share 32 bits in memory.
  int64_t packed() const { return packed_; }

  // The rows of the tile where the second minor dimension has that size.
  int64_t rows(int64_t size) const {
    if (target_.large_tiles && bits_ <= 8 && size % (target_.sublanes * in_word_) == 0)
      return target_.sublanes * in_word_;
    if (bits_ < 8) return std::max<int64_t>(target_.sublanes, in_word_);
    return up_to_power_of_two(size, target_.least_words * in_word_, target_.sublanes);
  }

  // The tile of an array of one dimension; that of a scalar is as if it had size 1.
  int64_t line(int64_t size) const {
    return up_to_power_of_two(size, target_.lanes * target_.least_words * packed_,
                              std::max<int64_t>(target_.lanes * target_.sublanes, target_.lanes * in_word_));
  }

 private:
  static int64_t up_to_power_of_two(int64_t size, int64_t least, int64_t most) {
    if (size <= least) return least;
    return size >= most ? most : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(size)));
  }

  const TargetInfo& target_;
  int64_t bits_, in_word_, packed_;
};

// Two dimensions of an array under a tile, and the positions that it then has: INT64_MAX where they are more.
struct MinorPair {
  size_t minor, second;
  int64_t positions;
  bool padded;  // in the tile
};

int64_t times(int64_t a, int64_t b) {
  int64_t product;
  return checked_mul(a, b, &product) ? product : INT64_MAX;
}

int64_t round_up(int64_t size, int64_t unit) {
  int64_t rounded;
  return checked_round_up(size, unit, &rounded) ? rounded : INT64_MAX;
}

// `most_rows`: the rows of the largest tile to count with.
MinorPair pair_of(std::span<const int64_t> dimensions, size_t minor, size_t second, const TargetInfo& target,
                  const TileRule& tiling, int64_t most_rows) {
  const int64_t rows = tiling.rows(dimensions[second]);
  const int64_t wide = round_up(dimensions[minor], target.lanes);
  int64_t positions = times(wide, round_up(dimensions[second], std::min(rows, most_rows)));
  for (size_t d = 0; d < dimensions.size(); ++d)
    if (d != minor && d != second) positions = times(positions, dimensions[d]);
  return {minor, second, positions, wide != dimensions[minor] || dimensions[second] % rows != 0};
}

// The pair with the fewest positions; of several the one without padding, then the highest dimensions. The compiler
// counts as if no tile had more rows than there are sublanes, which matters for elements of one and two bits.
MinorPair best_pair(std::span<const int64_t> dimensions, const TargetInfo& target, const TileRule& tiling) {
  // Of the dimensions of size 1 only the two highest can win. Of the others there are fewer than 64, as the product
  // fits 64 bits; so a high rank takes no longer.
  size_t number[64];
  int64_t sizes[64];
  size_t count = 0, ones = 0;
  for (size_t d = dimensions.size(); d-- > 0;) {
    if (dimensions[d] == 1 && ones++ >= 2) continue;
    number[count] = d;
    sizes[count++] = dimensions[d];
  }
  const std::span<const int64_t> candidates(sizes, count);
  MinorPair best{};
  bool found = false;
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j) {
      if (i == j) continue;
      const MinorPair pair = pair_of(candidates, i, j, target, tiling, target.sublanes);
      if (found && pair.padded && pair.positions >= best.positions) continue;
      best = {number[i], number[j], pair.positions, pair.padded};
      if (!pair.padded) return best;
      found = true;
    }
  return best;
}

Status count_elements(std::span<const int64_t> dimensions, int64_t* elements, Error* err) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu is unbounded, so no layout can be chosen", i);
    if (dimensions[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu has size %lld, it must not be negative", i,
                  ll(dimensions[i]));
    if (!checked_mul(*elements, dimensions[i], elements))
      return fail(err, XLASHAPE_STATUS_OVERFLOW,
                  "the product of the dimensions up to dimension %zu (%lld) does not fit 64 bits", i,
                  ll(dimensions[i]));
  }
  return XLASHAPE_STATUS_OK;
}

// The order that the compiler chooses: the dimensions under the tile, then the others, the highest first.
void set_order(std::span<const int64_t> dimensions, const TargetInfo& target, const TileRule* tiling, Layout& layout) {
  const size_t rank = dimensions.size();
  layout.minor_to_major.resize(rank);
  int64_t* next = layout.minor_to_major.data();
  MinorPair pair = {rank, rank, 0, false};
  if (tiling != nullptr && rank > 1) {
    pair = best_pair(dimensions, target, *tiling);
    *next++ = static_cast<int64_t>(pair.minor);
    *next++ = static_cast<int64_t>(pair.second);
  }
  for (size_t d = rank; d-- > 0;)
    if (d != pair.minor && d != pair.second) *next++ = static_cast<int64_t>(d);
}

// The tiles for the order in `layout`. Returns the positions of the array.
int64_t set_tiles(std::span<const int64_t> dimensions, const TargetInfo& target, const TileRule& tiling,
                  Layout& layout) {
  if (dimensions.size() < 2) {
    const int64_t size = dimensions.empty() ? 1 : dimensions[0], line = tiling.line(size);
    const bool words = !dimensions.empty() && tiling.packed() > 1;
    const int64_t sizes[] = {line, target.lanes, tiling.packed(), 1}, ranks[] = {1, 1, 2};
    layout.tile_dimensions.assign({sizes, words ? size_t{4} : size_t{1}});
    layout.tile_ranks.assign({ranks, words ? size_t{3} : size_t{1}});
    return round_up(size, line);
  }
  const auto minor = static_cast<size_t>(layout.minor_to_major[0]);
  const auto second = static_cast<size_t>(layout.minor_to_major[1]);
  const bool words = tiling.packed() > 1;
  const int64_t sizes[] = {tiling.rows(dimensions[second]), target.lanes, tiling.packed(), 1}, ranks[] = {2, 2};
  layout.tile_dimensions.assign({sizes, words ? size_t{4} : size_t{2}});
  layout.tile_ranks.assign({ranks, words ? size_t{2} : size_t{1}});
  return pair_of(dimensions, minor, second, target, tiling, INT64_MAX).positions;
}

}  // namespace

Status choose_layout(const TargetInfo& target, xlashape_element_type type, std::span<const int64_t> dimensions,
                     std::span<const int64_t> minor_to_major, Ref<Layout>* result, Error* err) {
  const ElementTypeInfo& info = element_type_info(type);
  if (!is_array_type(type) || (target.lanes != 0 && (info.classes & XLASHAPE_CLASS_F6) != 0))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no arrays of element type %d (%s)", target.name, type,
                info.name() ? info.name() : "unknown");
  int64_t positions = 1, bytes;
  XLASHAPE_TRY(count_elements(dimensions, &positions, err));
  auto layout = Ref<Layout>::adopt(new Layout);
  const bool packed = target.packs && (info.classes & XLASHAPE_CLASS_SUB_BYTE) != 0;
  if (packed) layout->element_size_in_bits = info.bits;
  const TileRule tiling(target, info);
  const bool tiled = target.lanes != 0 && positions != 0;
  if (minor_to_major.empty()) {
    set_order(dimensions, target, tiled ? &tiling : nullptr, *layout);
  } else {
    layout->minor_to_major.assign(minor_to_major);
    XLASHAPE_TRY(validate_layout(*layout, err));
  }
  if (tiled) positions = set_tiles(dimensions, target, tiling, *layout);
  // With tiles that number is no multiple of theirs, but what stands for more.
  if ((tiled && positions == INT64_MAX) || !checked_bytes(positions, packed ? info.bits : info.storage_bits, &bytes))
    return fail(err, XLASHAPE_STATUS_OVERFLOW, "%s needs more bytes for the array than fit 64 bits", target.name);
  *result = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
