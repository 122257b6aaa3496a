/* SPDX-License-Identifier: Apache-2.0 */
// How an index space is cut into tiles, as a plain value. Each axis is split into chunks; a tile has one chunk of each
// axis, and the last chunk may be smaller. The tiles are then a partition, whatever the chunks are. Two chains say
// which parts of a tile are contiguous in memory. Only `join_source` and `join_destination` make them longer, and these
// refuse what would not be contiguous. So the numbers chosen here decide the speed only and never which byte goes
// where. Addresses are derived from the schedule (tiling.h) and never stored next to it.
#pragma once
#include <cstdint>

#include "backends/simd/limits.h"

namespace xlashape::simd {

struct StridedAxis {
  int64_t count, src, dst;  // strides in bytes; elements where a side is packed
};

inline constexpr int kMaxAxes = kMaxSimdLoops + 1;  // one more where a run is split into elements

// Parts of axes that together are one contiguous piece of memory, innermost first.
struct Chain {
  int count = 0;
  int8_t axis[kMaxAxes];
  int64_t elements = 1;

  int last() const { return count > 0 ? axis[count - 1] : -1; }
  bool has(int a) const {
    for (int i = 0; i < count; ++i)
      if (axis[i] == a) return true;
    return false;
  }
};

// Which steps count when loops are ordered.
enum class LoopOrder : uint8_t { kNearest, kSource, kDestination };

struct Schedule {
  int64_t element = 1;  // bytes that are never split; 1 where positions count elements
  int axes = 0;
  StridedAxis axis[kMaxAxes];
  int64_t chunk[kMaxAxes];  // how many indices of each axis a tile has; 1 for axes that only loops run over
  Chain source, destination;
  Chain strided;  // not contiguous with anything: planes
  int loops = 0;
  int8_t loop[kMaxAxes];  // the axes of more than one chunk, outermost first

  // Until a chunk is taken, each whole axis is a loop.
  void clear();
  // Whether the last axis is a contiguous run of more than one element.
  bool has_run() const { return axes > 0 && axis[axes - 1].src == element && axis[axes - 1].dst == element; }
  bool is_taken(int a) const { return source.has(a) || destination.has(a) || strided.has(a); }
  int64_t parts(int a) const {
    if (chunk[a] == 1 || is_whole(a)) return chunk[a] == 1 ? axis[a].count : 1;
    return axis[a].count / chunk[a] + (axis[a].count % chunk[a] != 0);  // a count may be near 2^63
  }
  int64_t last_chunk(int a) const { return is_whole(a) ? chunk[a] : axis[a].count - (parts(a) - 1) * chunk[a]; }
  bool is_whole(int a) const { return chunk[a] == axis[a].count; }
  // The axis with this stride in the source (&StridedAxis::src) or in the destination, or -1.
  int axis_with(int64_t StridedAxis::*stride, int64_t value) const {
    for (int a = axes; a-- > 0;)
      if (axis[a].*stride == value) return a;
    return -1;
  }

  // The operations. Each takes a chunk of an axis into the tiles, or returns false and changes nothing. A chain is
  // extended only where the memory continues it and only after whole axes, and an axis in both chains has one chunk.
  bool join_source(int a, int64_t indices) { return join(source, &StridedAxis::src, a, indices); }
  bool join_destination(int a, int64_t indices) { return join(destination, &StridedAxis::dst, a, indices); }
  bool take_unit(int a, int64_t indices);    // contiguous on both sides
  bool take_column(int a, int64_t indices);  // in the source only
  bool take_row(int a, int64_t indices);     // in the destination only
  bool take_plane(int a, int64_t indices);   // in neither
  // Changes the chunk of a taken axis. Nothing may follow it in a chain, unless the chunk is the whole axis.
  bool rechunk(int a, int64_t indices);

  // Orders the loops: small steps innermost, and the loop over the chunks of `inner` innermost of all (-1: none).
  void order_loops(int inner, LoopOrder order);
  // The same in the order of the axes.
  void order_loops_as_given();

  int64_t tiles() const;
  // Returns false if the axes common to both chains come first in both: then a tile is rows and columns of units.
  // Otherwise the elements of a tile change their order, in passes.
  bool permutes() const;

 private:
  bool join(Chain& chain, int64_t StridedAxis::*stride, int a, int64_t indices);
  bool may_take(int a, int64_t indices) const;
  void add_loop(int a) {
    if (chunk[a] < axis[a].count) loop[loops++] = static_cast<int8_t>(a);
  }
};

// Sets the axes of a rectangle: axes of one index are left out, and axes that continue each other on both sides are
// fused. `axes` are sorted by falling destination stride, `count` <= kMaxSimdLoops, `width`: bytes of an element.
// `element` is the largest power of two, up to 16, that divides the contiguous runs; longer runs become the last axis.
void set_space(const StridedAxis* axes, int count, int64_t width, Schedule* schedule);
// The same where positions count elements; these are never joined into larger ones.
void set_packed_space(const StridedAxis* axes, int count, Schedule* schedule);

}  // namespace xlashape::simd
