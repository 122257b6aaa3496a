// SPDX-License-Identifier: Apache-2.0
#include "index/lower.h"

#include <algorithm>

#include "base/checked.h"
#include "index/part_factors.h"
#include "ir/compiler.h"
#include "ir/map.h"

namespace xlashape::core {
namespace {

constexpr int32_t kZero = -1;  // the value of a physical dimension that a longer tile added: always 0

// How a tile changes the number of physical dimensions: of the most minor ones it merges those with `*` into the next
// one, and splits each of the others in two.
struct TileCover {
  size_t added;  // in front, where the tile has more sizes than there are dimensions
  size_t start;  // physical dimensions more major than the tile
  size_t made;   // physical dimensions afterwards

  TileCover(size_t count, std::span<const int64_t> sizes)
      : added(sizes.size() > count ? sizes.size() - count : 0), start(count + added - sizes.size()), made(start) {
    for (const int64_t size : sizes) made += size == XLASHAPE_COMBINE_DIMENSION ? 0 : 2;
  }
};

// A physical dimension while tiles are applied: which value runs along it, and the factors it consists of.
struct Physical {
  int32_t value;
  int64_t bound;
  PartFactors factors;
};

// The arrays of a map_ir while it is written.
struct MapWriter {
  int32_t* sum_first_term;
  int32_t* sum_first_value;
  int64_t* sum_bound;
  int32_t* term_value;
  int64_t* term_coefficient;
  int64_t* value_divisor;
};

class Lowering {
 public:
  Lowering(std::span<const int64_t> dimensions, const Layout* layout, bool runnable, Arena& arena, Lowered* out,
           Error* err)
      : dimensions_(dimensions),
        layout_(layout),
        runnable_(runnable),
        arena_(arena),
        out_(out),
        map_(out->map),
        err_(err) {}

  Status run(int32_t unit_bits) {
    map_ = {};
    map_.struct_size = sizeof map_;
    map_.unit_bits = unit_bits;
    map_.rank = static_cast<int32_t>(dimensions_.size());
    map_.dimensions = dimensions_.data();
    separable_ = runnable_;  // a map to be read needs no factors
    out_->monotonic = true;
    XLASHAPE_TRY(check_size());
    start();
    if (layout_ != nullptr) {
      Status status = XLASHAPE_STATUS_OK;
      for_each_tile(*layout_, [&](size_t level, std::span<const int64_t> sizes) {
        if (!status) status = apply_tile(static_cast<int64_t>(level), sizes);
      });
      XLASHAPE_TRY(status);
    }
    separable_ = separable_ && out_->monotonic;  // planners rely on outer factors being more major
    XLASHAPE_TRY(finish());
    out_->separable = separable_;
    out_->extra_dimensions = extra_;
    return XLASHAPE_STATUS_OK;
  }

 private:
  // Sets upper bounds for every array, so that each is allocated once: a tile size makes at most one sum with two
  // values, and covers one physical dimension, which is a term of at most one sum.
  Status check_size() {
    size_t sizes = 0;
    if (layout_ != nullptr)
      for_each_tile(*layout_, [&](size_t, std::span<const int64_t> tile) { sizes += tile.size(); });
    const size_t rank = dimensions_.size();
    const int most = runnable_ ? ir::kMaxValues : INT32_MAX;
    if (rank + 2 * sizes > static_cast<size_t>(most))
      return fail(err_, XLASHAPE_STATUS_UNSUPPORTED,
                  "rank %zu with %zu tile sizes needs more than %d values in an index map", rank, sizes, most);
    max_physical_ = rank + 2 * sizes;  // one that is added in front may be split in two
    max_sums_ = sizes;
    tiled_ = sizes > 0;
    return XLASHAPE_STATUS_OK;
  }

  // Lists the padded dimensions in physical order.
  void start() {
    const size_t rank = dimensions_.size();
    physical_ = arena_.make<Physical>(max_physical_);
    auto* factors = arena_.make<PartFactor>(rank);
    if (tiled_) {
      writer_.sum_first_term = arena_.make<int32_t>(max_sums_ + 1);
      writer_.sum_first_value = arena_.make<int32_t>(max_sums_ + 1);
      writer_.sum_bound = arena_.make<int64_t>(max_sums_);
      writer_.term_value = arena_.make<int32_t>(max_sums_);
      writer_.term_coefficient = arena_.make<int64_t>(max_sums_);
      writer_.value_divisor = arena_.make<int64_t>(2 * max_sums_);
      writer_.sum_first_term[0] = writer_.sum_first_value[0] = 0;
    } else {
      static constexpr int32_t kNoSums[1] = {0};
      map_.sum_first_term = map_.sum_first_value = kNoSums;
    }
    for (size_t i = 0; i < rank; ++i) {
      const int64_t dimension = layout_ != nullptr ? layout_->major(static_cast<int64_t>(i)) : static_cast<int64_t>(i);
      const auto d = static_cast<size_t>(dimension);
      const bool padded = layout_ != nullptr && layout_->has_padding();
      const int64_t bound = padded ? layout_->padded_dimensions[d] : dimensions_[d];
      factors[i] = {static_cast<int32_t>(dimension), 1, bound, true};
      physical_[i] = {static_cast<int32_t>(dimension), bound, {&factors[i], 1}};
    }
    count_ = rank;
  }

  Status apply_tile(int64_t level, std::span<const int64_t> sizes) {
    const size_t k = sizes.size();
    const TileCover cover(count_, sizes);
    if (cover.added > 0) add_leading(cover.added);
    if (level > 0 && k > inner_before_) out_->monotonic = false;
    size_t made = cover.start, inner_count = 0;
    // Outer dimensions replace those that they are made of; inner ones are appended behind all outer ones.
    Physical* inner = arena_.make<Physical>(k);
    for (size_t i = 0; i < k;) {
      const size_t first = i;
      while (sizes[i] == XLASHAPE_COMBINE_DIMENSION)
        if (++i == k)
          return fail(err_, XLASHAPE_STATUS_UNSUPPORTED,
                      "tile level %lld ends in *, which has no more minor dimension to merge with", ll(level));
      Physical outer_part, inner_part;
      XLASHAPE_TRY(split(cover.start + first, i - first + 1, sizes[i], &outer_part, &inner_part));
      physical_[made++] = outer_part;
      inner[inner_count++] = inner_part;
      ++i;
    }
    for (size_t i = 0; i < inner_count; ++i) physical_[made++] = inner[i];
    inner_before_ = inner_count;
    count_ = made;
    return XLASHAPE_STATUS_OK;
  }

  void add_leading(size_t added) {
    std::copy_backward(physical_, physical_ + count_, physical_ + count_ + added);
    auto* factors = arena_.make<PartFactor>(added);
    for (size_t i = 0; i < added; ++i) {
      factors[i] = {map_.rank + extra_++, 1, 1, true};
      physical_[i] = {kZero, 1, {&factors[i], 1}};
    }
    count_ += added;
  }

  // Merges `merged` physical dimensions from `first` on and splits the result by `tile`.
  Status split(size_t first, size_t merged, int64_t tile, Physical* outer, Physical* inner) {
    // `d` is the size of the dimension it covers, without those merged with it. A tile of an empty one is not empty.
    if (tile == XLASHAPE_MATCH_DIMENSION) tile = std::max<int64_t>(physical_[first + merged - 1].bound, 1);
    int64_t bound = 1;
    int32_t value = kZero;
    int terms = 0;
    for (size_t i = first; i < first + merged; ++i) {
      if (!checked_mul(bound, physical_[i].bound, &bound))
        return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the dimensions merged by * have more elements than fit 64 bits");
      if (physical_[i].value != kZero && physical_[i].bound != 1) {
        value = physical_[i].value;
        ++terms;
      }
    }
    const int64_t outer_bound = ceil_div(bound, tile);
    outer->factors = inner->factors = {};
    if (separable_) {
      auto* parts = arena_.make<PartFactors>(merged);
      for (size_t i = 0; i < merged; ++i) parts[i] = physical_[first + i].factors;
      separable_ = split_factors({parts, merged}, tile, outer_bound, arena_, &outer->factors, &inner->factors);
    }
    outer->bound = outer_bound;
    inner->bound = tile;
    const bool logical = terms == 1 && value < map_.rank;  // the dimension's bound is checked at the end
    if (tile == 1 && terms <= 1) {
      outer->value = value;
      inner->value = kZero;
    } else if (terms == 1 && outer_bound == 1 && (logical || bound == tile)) {
      outer->value = kZero;
      inner->value = value;
    } else {
      const int32_t sum = map_.sum_count++;
      int64_t coefficient = 1;
      int32_t at = map_.term_count + terms;
      map_.term_count = at;
      for (size_t i = first + merged; i-- > first;) {
        if (physical_[i].value != kZero && physical_[i].bound != 1) {
          --at;
          writer_.term_value[at] = physical_[i].value;
          writer_.term_coefficient[at] = coefficient;
        }
        // Overflows only where a more major dimension has size 0, so that there is no element.
        if (!checked_mul(coefficient, physical_[i].bound, &coefficient)) coefficient = 0;
      }
      writer_.sum_bound[sum] = bound;
      writer_.value_divisor[map_.value_count] = tile;
      writer_.value_divisor[map_.value_count + 1] = 1;
      outer->value = map_.rank + map_.value_count;
      inner->value = outer->value + 1;
      map_.value_count += 2;
      writer_.sum_first_term[sum + 1] = map_.term_count;
      writer_.sum_first_value[sum + 1] = map_.value_count;
    }
    return XLASHAPE_STATUS_OK;
  }

  // Sets outputs, strides, sizes and reciprocals.
  Status finish() {
    int64_t total = 1;
    for (size_t i = 0; i < count_; ++i)
      if (!checked_mul(total, physical_[i].bound, &total))
        return fail(err_, XLASHAPE_STATUS_OVERFLOW,
                    "the storage has more elements than fit 64 bits (at physical dimension %zu of %zu)", i, count_);
    map_.data_positions = total;
    const int64_t tail = layout_ != nullptr ? layout_->tail_padding_alignment : 1;
    if (!checked_round_up(total, tail, &map_.positions))
      return fail(err_, XLASHAPE_STATUS_OVERFLOW, "the storage rounded up to %lld elements does not fit 64 bits",
                  ll(tail));

    auto* output_value = arena_.make<int32_t>(count_);
    auto* output_stride = arena_.make<int64_t>(count_);
    auto* output_extent = arena_.make<int64_t>(count_);
    auto* output_magic = runnable_ ? arena_.make<uint64_t>(count_) : nullptr;
    auto* output_shift = runnable_ ? arena_.make<int32_t>(count_) : nullptr;
    size_t factor_total = 0;
    for (size_t i = 0; i < count_; ++i) factor_total += separable_ ? physical_[i].factors.size() : 0;
    Factor* factors = arena_.make<Factor>(factor_total);
    size_t factor_at = factor_total;

    int64_t stride = 1;
    size_t at = count_;
    for (size_t i = count_; i-- > 0;) {
      const Physical& p = physical_[i];
      if (p.value != kZero && p.bound != 1) {
        --at;
        output_value[at] = p.value;
        output_stride[at] = stride;
        output_extent[at] = p.bound;
        if (runnable_) {
          const ir::Reciprocal r = ir::reciprocal(std::max<int64_t>(stride, 1));
          output_magic[at] = r.magic;
          output_shift[at] = r.shift;
        }
      }
      int64_t factor_stride = stride;
      for (size_t j = separable_ ? p.factors.size() : 0; j-- > 0;) {
        const PartFactor& d = p.factors[j];
        if (d.extent != 1) factors[--factor_at] = {d.dimension, d.divisor, d.extent, factor_stride};
        if (!checked_mul(factor_stride, d.extent, &factor_stride)) factor_stride = 0;
      }
      // Only storage without positions can overflow here, and its strides are never used.
      if (!checked_mul(stride, p.bound, &stride)) stride = 0;
    }
    map_.output_count = static_cast<int32_t>(count_ - at);
    map_.output_value = output_value + at;
    map_.output_stride = output_stride + at;
    map_.output_extent = output_extent + at;
    if (runnable_) {
      map_.output_magic = output_magic + at;
      map_.output_shift = output_shift + at;
    }
    out_->factors = {factors + factor_at, factor_total - factor_at};
    if (map_.sum_count > 0 && runnable_) add_sum_reciprocals();
    if (tiled_) {
      map_.sum_first_term = writer_.sum_first_term;
      map_.sum_first_value = writer_.sum_first_value;
      map_.sum_bound = writer_.sum_bound;
      map_.term_value = writer_.term_value;
      map_.term_coefficient = writer_.term_coefficient;
      map_.value_divisor = writer_.value_divisor;
    }
    return XLASHAPE_STATUS_OK;
  }

  void add_sum_reciprocals() {
    const auto fill = [this](const int64_t* divisors, int32_t count, const uint64_t** magics, const int32_t** shifts) {
      auto* magic = arena_.make<uint64_t>(static_cast<size_t>(count));
      auto* shift = arena_.make<int32_t>(static_cast<size_t>(count));
      for (int32_t i = 0; i < count; ++i) {
        const ir::Reciprocal r = ir::reciprocal(std::max<int64_t>(divisors[i], 1));
        magic[i] = r.magic;
        shift[i] = r.shift;
      }
      *magics = magic;
      *shifts = shift;
    };
    fill(writer_.term_coefficient, map_.term_count, &map_.term_magic, &map_.term_shift);
    fill(writer_.value_divisor, map_.value_count, &map_.value_magic, &map_.value_shift);
  }

  std::span<const int64_t> dimensions_;
  const Layout* layout_;
  bool runnable_;
  Arena& arena_;
  Lowered* out_;
  xlashape_map_ir& map_;
  Error* err_;
  MapWriter writer_{};
  Physical* physical_ = nullptr;
  size_t count_ = 0;
  size_t max_physical_ = 0;
  size_t max_sums_ = 0;      // and terms
  size_t inner_before_ = 0;  // inner dimensions that the last level made
  int32_t extra_ = 0;
  bool tiled_ = false;
  bool separable_ = true;
};

// Not inlined, so that there is only one copy of the code that is inlined into it.
XLASHAPE_NOINLINE Status lower(std::span<const int64_t> dimensions, const Layout* layout, bool runnable,
                               int32_t unit_bits, Arena& arena, Lowered* out, Error* err) {
  return Lowering(dimensions, layout, runnable, arena, out, err).run(unit_bits);
}

}  // namespace

Status lower_layout(std::span<const int64_t> dimensions, const Layout* layout, int32_t unit_bits, Arena& arena,
                    Lowered* out, Error* err) {
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "dimension %zu is unbounded: the shape has no size, no index and no relayout", i);
  return lower(dimensions, layout, true, unit_bits, arena, out, err);
}

Status lower_to_read(std::span<const int64_t> dimensions, const Layout* layout, Arena& arena, xlashape_map_ir* map,
                     Error* err) {
  Lowered lowered;
  XLASHAPE_TRY(lower(dimensions, layout, false, 0, arena, &lowered, err));
  *map = lowered.map;
  return XLASHAPE_STATUS_OK;
}

void lower_strides(std::span<const int64_t> dimensions, const int64_t* strides, int32_t unit_bits, int64_t first,
                   Arena& arena, Lowered* out) {
  static constexpr int32_t kNoSums[1] = {0};
  const size_t rank = dimensions.size();
  auto* value = arena.make<int32_t>(rank);
  auto* stride = arena.make<int64_t>(rank);
  auto* factors = arena.make<Factor>(rank);
  size_t count = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (dimensions[i] == 1) continue;  // its stride has no meaning
    value[count] = static_cast<int32_t>(i);
    stride[count] = strides[i];
    factors[count] = {static_cast<int32_t>(i), 1, dimensions[i], strides[i]};
    ++count;
  }
  out->map = {};
  out->map.struct_size = sizeof out->map;
  out->map.unit_bits = unit_bits;
  out->map.first_position = first;
  out->map.rank = static_cast<int32_t>(rank);
  out->map.output_count = static_cast<int32_t>(count);
  out->map.positions = -1;
  out->map.data_positions = -1;
  out->map.dimensions = dimensions.data();
  out->map.sum_first_term = out->map.sum_first_value = kNoSums;
  out->map.output_value = value;
  out->map.output_stride = stride;
  out->factors = {factors, count};
  out->extra_dimensions = 0;
  out->separable = true;
  out->monotonic = true;
}

int64_t dimensions_above_tiles(const Layout& layout, int64_t rank) noexcept {
  auto count = static_cast<size_t>(rank), above = count;
  bool longer = false;
  for_each_tile(layout, [&](size_t, std::span<const int64_t> sizes) {
    const TileCover cover(count, sizes);
    longer |= cover.added > 0;
    above = std::min(above, cover.start);
    count = cover.made;
  });
  return longer ? -1 : static_cast<int64_t>(above);
}

}  // namespace xlashape::core
