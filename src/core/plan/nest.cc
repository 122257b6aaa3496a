// SPDX-License-Identifier: Apache-2.0
#include "plan/nest.h"

#include <algorithm>
#include <cstdlib>

#include "base/checked.h"

namespace xlashape::core {
namespace {

struct NestLoop {
  int64_t extent, src_stride, dst_stride, step;
  int32_t guard;
  int64_t channel_step;  // how far a step moves along the channels' dimension
};

using FactorPointers = std::span<const Factor* const>;

// A side's factors grouped by dimension, outermost first within each (as lowering lists them).
struct FactorsByDimension {
  const Factor** factors;
  int32_t* first;  // [dimensions + 1]
  FactorPointers of(size_t dimension) const {
    return {factors + first[dimension], static_cast<size_t>(first[dimension + 1] - first[dimension])};
  }
};

FactorsByDimension group_by_dimension(std::span<const Factor> factors, size_t dimensions, Arena& arena) {
  const FactorsByDimension groups{arena.make<const Factor*>(factors.size()), arena.make<int32_t>(dimensions + 1)};
  int32_t at = 0;
  for (size_t d = 0; d < dimensions; ++d) {
    groups.first[d] = at;
    for (const Factor& factor : factors)
      if (static_cast<size_t>(factor.dimension) == d) groups.factors[at++] = &factor;
  }
  groups.first[dimensions] = at;
  return groups;
}

// One side's factors of one dimension of the box: those whose digits change within the box, and the offset of
// the others.
struct Walk {
  FactorPointers factors;
  int64_t base;        // of the box, in the digits that change
  int64_t offset = 0;  // of the digits that do not change

  Walk(FactorPointers all, int64_t start, int64_t extent) : factors(all), base(start) {
    while (!factors.empty() && factors.front()->divisor > 1) {
      const Factor& top = *factors.front();
      const int64_t low = base % top.divisor;
      if (low > top.divisor - extent) break;
      offset += base / top.divisor * top.stride;
      base = low;
      factors = factors.subspan(1);
    }
  }
  int64_t period() const { return factors.empty() ? 1 : factors.front()->divisor; }
  // The offset of `x`, which is a multiple of the period. False where it does not fit.
  bool at(int64_t x, int64_t* offset) const {
    *offset = 0;
    return factors.empty() || checked_mul(period() == 1 ? x : x / period(), factors.front()->stride, offset);
  }
  // How far a step of `step` indices moves where no digit carries into the next. False where it does not fit.
  bool stride(int64_t step, int64_t* distance) const {
    *distance = 0;
    for (const Factor* factor : factors)
      if (factor->divisor <= step)
        return checked_mul(factor->stride, step == factor->divisor ? 1 : step / factor->divisor, distance);
    return true;
  }
};

class NestBuilder {
 public:
  NestBuilder(const NestSide& src, const NestSide& dst, std::span<const int64_t> extent, Channels* channels,
              Arena& arena)
      : src_(src),
        dst_(dst),
        extent_(extent),
        channels_(channels),
        arena_(arena),
        src_offset_(src.map->map.first_position),
        dst_offset_(dst.map->map.first_position) {}

  const xlashape_loops* build() {
    if (!src_.map->separable || !dst_.map->separable) return nullptr;
    const size_t rank = extent_.size();
    const size_t max_loops = src_.map->factors.size() + dst_.map->factors.size() + rank;
    loops_ = arena_.make<NestLoop>(max_loops);
    low_ = arena_.make<int64_t>(rank);
    high_ = arena_.make<int64_t>(rank);
    const FactorsByDimension src =
        group_by_dimension(src_.map->factors, rank + static_cast<size_t>(src_.map->extra_dimensions), arena_);
    const FactorsByDimension dst =
        group_by_dimension(dst_.map->factors, rank + static_cast<size_t>(dst_.map->extra_dimensions), arena_);
    for (size_t d = 0; d < rank; ++d) {
      has_channels_ = channels_ != nullptr && channels_->dimension == static_cast<int32_t>(d);
      if (has_channels_) channels_->offset = src_.base[d];
      if (!add_dimension(Walk(src.of(d), src_.base[d], extent_[d]), Walk(dst.of(d), dst_.base[d], extent_[d]),
                         extent_[d]))
        return nullptr;
    }
    std::sort(loops_, loops_ + count_, [](const NestLoop& a, const NestLoop& b) {
      const uint64_t x = magnitude(a.dst_stride), y = magnitude(b.dst_stride);
      return x != y ? x > y : magnitude(a.src_stride) > magnitude(b.src_stride);
    });
    fuse();
    return finish();
  }

 private:
  bool add_offsets(int64_t src, int64_t dst) {
    return checked_add(src_offset_, src, &src_offset_) && checked_add(dst_offset_, dst, &dst_offset_);
  }

  bool add_dimension(const Walk& src, const Walk& dst, int64_t extent) {
    if (!add_offsets(src.offset, dst.offset)) return false;
    if (extent == 1) return add_offsets(position(src), position(dst));
    // Let v count from shift to shift + extent - 1, so that the digits of v are digits of both indices.
    const int64_t larger = std::max(src.period(), dst.period()), smaller = std::min(src.period(), dst.period());
    const Walk& leading = src.period() == larger ? src : dst;
    const Walk& other = src.period() == larger ? dst : src;
    const int64_t shift = larger == 1 ? 0 : leading.base % larger;
    if (smaller != 1 && (larger % smaller != 0 || (other.base - shift) % smaller != 0)) return false;
    int64_t src_at, dst_at;
    if (!src.at(src.base - shift, &src_at) || !dst.at(dst.base - shift, &dst_at) || !add_offsets(src_at, dst_at))
      return false;

    const size_t first = count_;
    int64_t end;
    if (!checked_add(shift, extent, &end)) return false;
    if (!add_loops(src, dst, end)) return false;
    if (count_ - first == 1) {  // no digit carries, so the count may start at 0
      loops_[first].extent = extent;
      loops_[first].step = 0;
      return checked_mul(shift, loops_[first].src_stride, &src_at) &&
             checked_mul(shift, loops_[first].dst_stride, &dst_at) && add_offsets(src_at, dst_at);
    }
    if (has_channels_) channels_->offset -= shift;
    const bool ragged = shift != 0 || end % loops_[first].step != 0;
    if (ragged) {
      low_[guards_] = shift;
      high_[guards_] = end;
    }
    for (size_t i = first; i < count_; ++i) {
      loops_[i].guard = ragged ? guards_ : -1;
      if (!ragged) loops_[i].step = 0;
    }
    guards_ += ragged;
    return true;
  }

  // The offset of an index that does not change.
  static int64_t position(const Walk& walk) {
    int64_t x = walk.base, at = 0;
    for (const Factor* factor : walk.factors) {
      at += x / factor->divisor * factor->stride;
      x %= factor->divisor;
    }
    return at;
  }

  // Adds loops over 0 .. end-1 in the common factors, outermost first. False where the sides' divisors do not nest, or
  // a loop does not fit.
  bool add_loops(const Walk& src, const Walk& dst, int64_t end) {
    size_t s = 0, t = 0;
    int64_t above = 0;  // step of the enclosing loop; 0: none
    const size_t first = count_;
    while (s < src.factors.size() || t < dst.factors.size()) {
      const int64_t a = s < src.factors.size() ? src.factors[s]->divisor : 0;
      const int64_t b = t < dst.factors.size() ? dst.factors[t]->divisor : 0;
      const int64_t step = std::max(a, b);
      s += a == step;
      t += b == step;
      if (above != 0 && above % step != 0) return false;
      const int64_t extent = above == 0 ? ceil_div(end, step) : above / step;
      above = step;
      NestLoop& loop = loops_[count_];
      loop = {extent, 0, 0, step, -1, has_channels_ ? step : 0};
      if (!src.stride(step, &loop.src_stride) || !dst.stride(step, &loop.dst_stride)) return false;
      // A loop that continues the enclosing one on both sides is fused with it.
      if (count_ > first) {
        NestLoop& outer = loops_[count_ - 1];
        if (continues(outer, loop)) {
          outer = {count_ - 1 == first ? ceil_div(end, step) : outer.extent * extent,
                   loop.src_stride,
                   loop.dst_stride,
                   step,
                   -1,
                   loop.channel_step};
          continue;
        }
      }
      ++count_;
    }
    if (count_ == first) loops_[count_++] = {end, 0, 0, 1, -1, has_channels_};  // both sides of size 1, or an empty box
    return true;
  }

  // Whether a step of `outer` moves as far as all of `inner`, on both sides and along the channels.
  static bool continues(const NestLoop& outer, const NestLoop& inner) {
    int64_t src, dst;
    return inner.extent > 0 && checked_mul(inner.src_stride, inner.extent, &src) && outer.src_stride == src &&
           checked_mul(inner.dst_stride, inner.extent, &dst) && outer.dst_stride == dst &&
           (outer.channel_step == 0
                ? inner.channel_step == 0
                : outer.channel_step / inner.extent == inner.channel_step && outer.channel_step % inner.extent == 0);
  }

  // Fuses loops of different dimensions that continue each other on both sides.
  void fuse() {
    size_t made = 0;
    for (size_t i = 0; i < count_; ++i) {
      const NestLoop& inner = loops_[i];
      if (inner.extent == 1) continue;
      if (made > 0 && inner.guard < 0) {
        NestLoop& outer = loops_[made - 1];
        if (continues(outer, inner) && (outer.guard < 0 || scale_guard(outer, made, inner.extent))) {
          const int64_t step = outer.guard >= 0 ? 1 : 0;
          outer = {outer.extent * inner.extent, inner.src_stride, inner.dst_stride, step, outer.guard,
                   inner.channel_step};
          continue;
        }
      }
      loops_[made++] = inner;
    }
    count_ = made;
  }

  // Makes the guard of `outer`, the innermost loop of its dimension, count in steps `factor` times finer.
  bool scale_guard(const NestLoop& outer, size_t made, int64_t factor) {
    const int32_t guard = outer.guard;
    if (outer.step != 1) return false;
    int64_t low, high;
    if (!checked_mul(low_[guard], factor, &low) || !checked_mul(high_[guard], factor, &high)) return false;
    low_[guard] = low;
    high_[guard] = high;
    for (size_t i = 0; i < made; ++i)
      if (loops_[i].guard == guard) loops_[i].step *= factor;
    return true;
  }

  const xlashape_loops* finish() {
    auto* extent = arena_.make<int64_t>(count_);
    auto* src_stride = arena_.make<int64_t>(count_);
    auto* dst_stride = arena_.make<int64_t>(count_);
    auto* step = arena_.make<int64_t>(count_);
    auto* guard = arena_.make<int32_t>(count_);
    if (channels_ != nullptr) {
      auto* channel_step = arena_.make<int64_t>(count_);
      for (size_t i = 0; i < count_; ++i) channel_step[i] = loops_[i].channel_step;
      channels_->step = channel_step;
    }
    // Scales a loop's stride, and adds the absolute value of extent times stride to `reach`.
    const auto scaled = [](int64_t stride, int64_t scale, int64_t extent, int64_t* out, int64_t* reach) {
      int64_t whole;
      return checked_mul(stride, scale, out) && checked_mul(*out, extent, &whole) && whole != INT64_MIN &&
             checked_add(*reach, std::abs(whole), reach);
    };
    int64_t src_reach = 0, dst_reach = 0;
    for (size_t i = 0; i < count_; ++i) {
      extent[i] = loops_[i].extent;
      if (!scaled(loops_[i].src_stride, src_.scale, extent[i], &src_stride[i], &src_reach) ||
          !scaled(loops_[i].dst_stride, dst_.scale, extent[i], &dst_stride[i], &dst_reach))
        return nullptr;
      step[i] = loops_[i].step;
      guard[i] = loops_[i].guard;
    }
    auto* loops = arena_.zeroed<xlashape_loops>(1);
    loops->struct_size = sizeof *loops;
    loops->loop_count = static_cast<int32_t>(count_);
    loops->guard_count = guards_;
    loops->extent = extent;
    loops->src_stride = src_stride;
    loops->dst_stride = dst_stride;
    loops->step = step;
    loops->guard = guard;
    loops->low = low_;
    loops->high = high_;
    const auto fits = [](int64_t offset, int64_t reach) {
      return magnitude(offset) <= static_cast<uint64_t>(INT64_MAX - reach);
    };
    if (!checked_mul(src_offset_, src_.scale, &loops->src_offset) ||
        !checked_mul(dst_offset_, dst_.scale, &loops->dst_offset) || !fits(loops->src_offset, src_reach) ||
        !fits(loops->dst_offset, dst_reach))
      return nullptr;
    return loops;
  }

  const NestSide& src_;
  const NestSide& dst_;
  std::span<const int64_t> extent_;
  Channels* const channels_;
  Arena& arena_;
  bool has_channels_ = false;  // the dimension that is added
  NestLoop* loops_ = nullptr;
  size_t count_ = 0;
  int64_t* low_ = nullptr;
  int64_t* high_ = nullptr;
  int32_t guards_ = 0;
  int64_t src_offset_, dst_offset_;
};

}  // namespace

const xlashape_loops* build_nest(const NestSide& src, const NestSide& dst, std::span<const int64_t> extent,
                                 Channels* channels, Arena& arena) {
  return NestBuilder(src, dst, extent, channels, arena).build();
}

const xlashape_loops* build_fill_loops(const Lowered& dst, int64_t scale, Arena& arena) {
  const std::span<const Factor> factors = dst.factors;
  const auto rank = static_cast<size_t>(dst.map.rank);
  const size_t dimensions = rank + static_cast<size_t>(dst.extra_dimensions);
  auto* capacity = arena.make<int64_t>(dimensions);  // how many indices the factors of each dimension count
  for (size_t d = 0; d < dimensions; ++d) capacity[d] = 1;
  for (const Factor& factor : factors) capacity[factor.dimension] *= factor.extent;
  auto* guard_of = arena.make<int32_t>(dimensions);
  auto* low = arena.make<int64_t>(dimensions);
  auto* high = arena.make<int64_t>(dimensions);
  int32_t guards = 0;
  for (size_t d = 0; d < dimensions; ++d) {
    const int64_t bound = d < rank ? dst.map.dimensions[d] : 1;
    guard_of[d] = capacity[d] == bound ? -1 : guards;
    if (capacity[d] == bound) continue;
    low[guards] = 0;
    high[guards++] = bound;
  }
  auto* extent = arena.make<int64_t>(factors.size());
  auto* stride = arena.make<int64_t>(factors.size());
  auto* step = arena.make<int64_t>(factors.size());
  auto* guard = arena.make<int32_t>(factors.size());
  for (size_t i = 0; i < factors.size(); ++i) {
    extent[i] = factors[i].extent;
    stride[i] = factors[i].stride * scale;
    guard[i] = guard_of[factors[i].dimension];
    step[i] = guard[i] >= 0 ? factors[i].divisor : 0;
  }
  auto* loops = arena.zeroed<xlashape_loops>(1);
  loops->struct_size = sizeof *loops;
  loops->loop_count = static_cast<int32_t>(factors.size());
  loops->guard_count = guards;
  loops->extent = extent;
  loops->dst_stride = stride;
  loops->step = step;
  loops->guard = guard;
  loops->low = low;
  loops->high = high;
  return loops;
}

}  // namespace xlashape::core
