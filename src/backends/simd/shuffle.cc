// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/shuffle.h"

#include <algorithm>
#include <cstdlib>

#include "backends/common/guarded_loops.h"
#include "backends/simd/rectangle.h"

namespace xlashape::simd {
namespace {

constexpr int64_t kMostGroup = 16;  // bytes, of a vector

// Takes a nest apart, from its innermost loops in the destination on. Places count bytes, or elements of less.
class ShuffleFinder {
 public:
  ShuffleFinder(const xlashape_relayout_ir& ir, Shuffle& shuffle) : shuffle_(shuffle) {
    const xlashape_loops& nest = *ir.nest;
    bits_ = std::min(ir.dst_container_bits, 8);
    piece_ = is_packed(ir) ? 1 : ir.dst_container_bits / 8;
    for (int32_t l = 0; l < nest.loop_count; ++l)
      if (nest.extent[l] > 1) axes_[count_++] = {nest.extent[l], nest.src_stride[l], nest.dst_stride[l]};
    src_at_ = nest.src_offset;
    dst_at_ = nest.dst_offset;
  }

  bool find() {
    int64_t group = piece_;
    for (;;) {
      if (!take_step(group)) return false;
      const StridedAxis& axis = taken_[inner_];
      const bool fits = axis.count <= kMostGroup * 8 / bits_ / group;
      // Groups in a row; but few of them are better one group where others follow.
      if (std::abs(axis.src) == group && covers(group) && !(fits && step(group * axis.count) >= 0)) break;
      if (!fits) return false;
      group *= axis.count;
      ++inner_;
    }
    const StridedAxis run = taken_[inner_];
    shuffle_.backwards = run.src < 0;
    if (group * bits_ % 8 != 0) return false;
    if (!set_order(group) && !shuffle_.backwards) return false;  // a copy
    int64_t groups = run.count;
    for (int a = next(group * groups, run.src * groups); a >= 0; a = next(group * groups, run.src * groups))
      groups *= take(a).count;
    return set_rows(group, groups);
  }

 private:
  // The loop whose steps are `distance` in the destination; -1: there is none.
  int step(int64_t distance) const {
    for (int a = count_; a-- > 0;)
      if (axes_[a].dst == distance) return a;
    return -1;
  }
  bool take_step(int64_t distance) {
    const int a = step(distance);
    if (a >= 0) taken_[inner_] = take(a);
    return a >= 0;
  }
  int next(int64_t dst, int64_t src) const {
    for (int a = 0; a < count_; ++a)
      if (axes_[a].dst == dst && axes_[a].src == src) return a;
    return -1;
  }
  StridedAxis take(int a) {
    const StridedAxis axis = axes_[a];
    std::copy(axes_ + a + 1, axes_ + count_, axes_ + a);
    --count_;
    return axis;
  }

  // Whether the loops within a group read all that is in one.
  bool covers(int64_t group) const {
    int64_t reach = piece_;
    for (int round = 0; round < inner_; ++round)
      for (int i = 0; i < inner_; ++i)
        if (std::abs(taken_[i].src) == reach) {
          reach *= taken_[i].count;
          break;
        }
    return reach == group;
  }

  // Where each piece of a group comes from. Returns false if all stay where they are.
  bool set_order(int64_t group) {
    bool moves = false;
    int64_t lowest = 0;
    for (int i = 0; i < inner_; ++i) lowest += std::min<int64_t>(taken_[i].src * (taken_[i].count - 1), 0);
    for (int64_t to = 0; to < group; ++to) {
      int64_t left = to / piece_, from = to % piece_ - lowest;
      for (int i = 0; i < inner_; ++i) {
        from += left % taken_[i].count * taken_[i].src;
        left /= taken_[i].count;
      }
      shuffle_.from[to] = static_cast<uint8_t>(from);
      moves |= from != to;
    }
    src_at_ += lowest;
    return moves;
  }

  bool set_rows(int64_t group, int64_t groups) {
    const int64_t per_byte = 8 / bits_;
    int64_t odd = src_at_ | dst_at_;
    if (count_ > kMaxShuffleLoops || group * groups / per_byte < kLineBytes) return false;
    shuffle_.loops = count_;
    for (int a = 0; a < count_; ++a) {
      odd |= axes_[a].src | axes_[a].dst;
      shuffle_.loop[a] = {axes_[a].count, axes_[a].src / per_byte, axes_[a].dst / per_byte};
    }
    if (odd % per_byte != 0) return false;
    shuffle_.bits = bits_;
    shuffle_.group = group / per_byte;
    shuffle_.groups = groups;
    shuffle_.src_at = src_at_ / per_byte;
    shuffle_.dst_at = dst_at_ / per_byte;
    return true;
  }

  Shuffle& shuffle_;
  int bits_;
  int64_t piece_;
  int64_t src_at_, dst_at_;
  int count_ = 0, inner_ = 0;
  StridedAxis axes_[kMaxSimdLoops], taken_[kMaxSimdLoops];
};

// The lookups of the kernel, for as many whole groups as a vector holds.
ShuffleTable table_of(const Shuffle& shuffle) {
  ShuffleTable table;
  const int64_t per_byte = 8 / shuffle.bits, pieces = shuffle.group * per_byte, together = 16 / shuffle.group;
  table.bits = shuffle.bits;
  table.group = shuffle.group;
  table.block = together * shuffle.group;
  table.backwards = shuffle.backwards;
  std::fill_n(&table.from[0][0][0], sizeof table.from, uint8_t{0x80});
  for (int64_t i = 0; i < together; ++i)
    for (int64_t to = 0; to < pieces; ++to) {
      const int64_t base = shuffle.backwards ? 16 - (i + 1) * shuffle.group : i * shuffle.group;
      const int64_t from = shuffle.from[to], byte = i * shuffle.group + to / per_byte;
      table.from[to % per_byte][from % per_byte][byte] = static_cast<uint8_t>(base + from / per_byte);
    }
  return table;
}

}  // namespace

bool find_shuffle(const xlashape_relayout_ir& ir, Shuffle* shuffle) {
  if (ir.nest->guard_count > 0 || ir.src_container_bits != ir.dst_container_bits) return false;
  return ir.nest->loop_count <= kMaxSimdLoops && ShuffleFinder(ir, *shuffle).find();
}

void run_shuffle(const Shuffle& shuffle, const Kernels& kernels, Store store, const char* src, char* dst,
                 const TaskRange& part) {
  const ShuffleTable table = table_of(shuffle);
  const int64_t together = kShuffledBytes / table.block * (table.block / shuffle.group);  // groups of a piece of a row
  const int64_t pieces = (shuffle.groups - 1) / together + 1;
  int64_t rows = 1;
  for (int l = 0; l < shuffle.loops; ++l) rows *= shuffle.loop[l].count;
  alignas(64) char stage[kShuffledBytes];
  const auto range = backends::share(rows * pieces, part.begin, part.end, part.count);
  for (int64_t i = range.begin; i < range.end; ++i) {
    const int64_t first = i % pieces * together, groups = std::min(together, shuffle.groups - first);
    int64_t row = i / pieces;
    int64_t from = shuffle.src_at, to = shuffle.dst_at + first * shuffle.group;
    for (int l = shuffle.loops; l-- > 0; row /= shuffle.loop[l].count) {
      from += row % shuffle.loop[l].count * shuffle.loop[l].src;
      to += row % shuffle.loop[l].count * shuffle.loop[l].dst;
    }
    const int64_t bytes = groups * shuffle.group;
    from += shuffle.backwards ? shuffle.group - first * shuffle.group - bytes : first * shuffle.group;
    if (store == Store::kStream) {
      kernels.fixed.shuffle(stage, src + from, bytes, table);
      kernels.copy(dst + to, stage, bytes, store);
    } else {
      kernels.fixed.shuffle(dst + to, src + from, bytes, table);
    }
  }
}

}  // namespace xlashape::simd
