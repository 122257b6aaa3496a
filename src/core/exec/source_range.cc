// SPDX-License-Identifier: Apache-2.0
#include "exec/source_range.h"

#include <algorithm>
#include <cstdlib>

#include "base/checked.h"

namespace xlashape::core {
namespace {

// With more loops the answer is the whole source; a subtree is no longer divided after this many visits.
constexpr int kMostLoops = 64;
constexpr int kMostVisits = 4096;
constexpr int64_t kMostOverlaps = 8;  // of a loop's ranges that are partly inside, at each end

struct OffsetSpan {
  int64_t low, high;  // both included
};

// The loops of a nest, ordered by decreasing stride in the destination, and for each loop the range of offsets that it
// and the following loops cover, elements that guards exclude among them.
class RangeSearch {
 public:
  RangeSearch(const xlashape_loops& nest, OffsetSpan wanted) : nest_(nest), wanted_(wanted) {
    const int count = nest.loop_count;
    for (int i = 0; i < count; ++i) order_[i] = i;
    std::sort(order_, order_ + count, [&](int a, int b) {
      return std::abs(nest.dst_stride[a]) != std::abs(nest.dst_stride[b])
                 ? std::abs(nest.dst_stride[a]) > std::abs(nest.dst_stride[b])
                 : a < b;
    });
    src_[count] = dst_[count] = {0, 0};
    for (int i = count; i-- > 0;) {
      const int loop = order_[i];
      src_[i] = plus(src_[i + 1], nest.src_stride[loop], {0, nest.extent[loop] - 1});
      dst_[i] = plus(dst_[i + 1], nest.dst_stride[loop], {0, nest.extent[loop] - 1});
    }
  }

  // False where no element was found.
  bool run(OffsetSpan* found) {
    visit(0, nest_.dst_offset, nest_.src_offset);
    *found = found_;
    return found_.low <= found_.high;
  }

 private:
  static OffsetSpan plus(OffsetSpan inner, int64_t stride, OffsetSpan index) {
    const int64_t a = stride * index.low, b = stride * index.high;
    return {inner.low + std::min(a, b), inner.high + std::max(a, b)};
  }
  // The range of a guard's index over the loops from `at` on; INT64_MAX stands for more.
  OffsetSpan guarded(int at, int32_t guard) const {
    int64_t high = index_[guard];
    for (int i = at; i < nest_.loop_count; ++i)
      if (const int loop = order_[i]; nest_.guard[loop] == guard)
        if (!checked_add(high, nest_.step[loop] * (nest_.extent[loop] - 1), &high)) high = INT64_MAX;
    return {index_[guard], high};
  }
  bool is_outside(OffsetSpan s) const { return s.high < wanted_.low || s.low > wanted_.high; }
  bool is_inside(OffsetSpan s) const { return s.low >= wanted_.low && s.high <= wanted_.high; }
  static OffsetSpan moved(OffsetSpan s, int64_t by) { return {s.low + by, s.high + by}; }
  void add(OffsetSpan src) { found_ = {std::min(found_.low, src.low), std::max(found_.high, src.high)}; }

  // The first index of [0, extent) where `holds` is true; it changes from false to true at most once.
  template <class Holds>
  static int64_t first_of(int64_t extent, const Holds& holds) {
    int64_t low = 0, high = extent;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (holds(middle))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the nest
  void visit(int at, int64_t dst_offset, int64_t src_offset) {
    if (is_outside(moved(dst_[at], dst_offset))) return;
    if (is_inside(moved(dst_[at], dst_offset)) || ++visits_ > kMostVisits) return add(moved(src_[at], src_offset));
    const int loop = order_[at];
    const int64_t extent = nest_.extent[loop], dst = nest_.dst_stride[loop], src = nest_.src_stride[loop];
    const auto reach = [&](int64_t i) { return moved(dst_[at + 1], dst_offset + i * dst); };
    // Along the loop the ranges move in one direction: outside, partly inside, inside, partly inside, outside.
    const bool up = dst >= 0;
    const auto has_reached = [&](int64_t i) {
      return up ? reach(i).high >= wanted_.low : reach(i).low <= wanted_.high;
    };
    const auto is_past = [&](int64_t i) { return up ? reach(i).low > wanted_.high : reach(i).high < wanted_.low; };
    const auto starts_inside = [&](int64_t i) {
      return up ? reach(i).low >= wanted_.low : reach(i).high <= wanted_.high;
    };
    const auto extends_beyond = [&](int64_t i) {
      return up ? reach(i).high > wanted_.high : reach(i).low < wanted_.low;
    };
    int64_t begin = first_of(extent, has_reached), end = first_of(extent, is_past);
    const int32_t guard = nest_.guard[loop];
    const int64_t step = nest_.step[loop];
    if (guard >= 0) {  // only where it can still hold
      const OffsetSpan inner = guarded(at + 1, guard);
      begin = std::max(begin, first_of(extent, [&](int64_t i) { return inner.high >= nest_.low[guard] - i * step; }));
      end = std::min(end, first_of(extent, [&](int64_t i) { return inner.low >= nest_.high[guard] - i * step; }));
      if (begin >= end) return;
    }
    const int64_t whole_begin = std::clamp(first_of(extent, starts_inside), begin, end);
    const int64_t whole_end = std::clamp(first_of(extent, extends_beyond), whole_begin, end);
    if (whole_begin < whole_end) add(moved(plus(src_[at + 1], src, {whole_begin, whole_end - 1}), src_offset));
    // Several ranges that are partly inside overlap each other: many of them are taken as a whole.
    if (whole_begin - begin > kMostOverlaps || end - whole_end > kMostOverlaps) {
      add(moved(plus(src_[at + 1], src, {begin, end - 1}), src_offset));
      return;
    }
    for (int64_t i = begin; i < end; ++i) {
      if (i == whole_begin && whole_begin < whole_end) i = whole_end;
      if (i >= end) break;
      if (guard >= 0) index_[guard] += i * step;
      visit(at + 1, dst_offset + i * dst, src_offset + i * src);
      if (guard >= 0) index_[guard] -= i * step;
    }
  }

  const xlashape_loops& nest_;
  const OffsetSpan wanted_;
  OffsetSpan found_{INT64_MAX, INT64_MIN};
  int visits_ = 0;
  int order_[kMostLoops];
  int64_t index_[kMostLoops] = {};  // of each guard, in the loops around
  OffsetSpan src_[kMostLoops + 1], dst_[kMostLoops + 1];
};

}  // namespace

ByteRange source_range(const xlashape_relayout_ir& ir, ByteRange dst) {
  dst = {std::max(dst.begin, ir.dst_low), std::min(dst.end, ir.dst_high)};
  if (dst.begin >= dst.end || ir.elements == 0) return {0, 0};
  const ByteRange all{ir.src_low, ir.src_high};
  if (ir.nest == nullptr || ir.nest->loop_count > kMostLoops || ir.nest->guard_count > kMostLoops) return all;
  // Offsets of elements are in bytes, those of packed elements in elements.
  const int64_t dst_packed = ir.dst_container_bits < 8 ? 8 / ir.dst_container_bits : 0;
  const OffsetSpan wanted = dst_packed > 0 ? OffsetSpan{dst.begin * dst_packed, dst.end * dst_packed - 1}
                                           : OffsetSpan{dst.begin - ir.dst_container_bits / 8 + 1, dst.end - 1};
  OffsetSpan found;
  if (!RangeSearch(*ir.nest, wanted).run(&found)) return {0, 0};
  const int64_t src_packed = ir.src_container_bits < 8 ? 8 / ir.src_container_bits : 0;
  const ByteRange bytes = src_packed > 0 ? ByteRange{found.low / src_packed, found.high / src_packed + 1}
                                         : ByteRange{found.low, found.high + ir.src_container_bits / 8};
  // With elements that guards exclude the loops reach beyond the source; where only these were found it needs nothing.
  const ByteRange within{std::max(bytes.begin, all.begin), std::min(bytes.end, all.end)};
  return within.begin < within.end ? within : ByteRange{0, 0};
}

}  // namespace xlashape::core
