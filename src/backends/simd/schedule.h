// How a space of indices is cut into tiles, as a plain value. Each axis is split into chunks, of which a tile has one; the last
// may be smaller. The tiles are then a partition, whatever the chunks are. Which parts of a tile are contiguous in memory is
// said by two chains, and only `join_source` and `join_destination` make those longer: they refuse what would not be
// contiguous. So whoever chooses numbers here chooses a speed, and no byte can go wrong. Where things are is derived from this
// (tiling.h) and never kept beside it.
#pragma once
#include <cstdint>

#include "backends/simd/limits.h"

namespace xlashape::simd {

struct Axis {
  int64_t count, src, dst;  // strides in bytes; elements where a side is packed
};

inline constexpr int kMaxAxes = kMaxSimdLoops + 1;  // one more where a run is taken apart into elements

// Parts of axes that lie together, innermost first: together they are one piece of memory.
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

struct Schedule {
  int64_t element = 1;  // bytes that are never taken apart; 1 where positions count elements
  int axes = 0;
  Axis axis[kMaxAxes];
  int64_t chunk[kMaxAxes];  // of each axis a tile has so many indices; 1 for those that only loops run over
  Chain source, destination;
  Chain apart;  // contiguous with nothing: planes
  int loops = 0;
  int8_t loop[kMaxAxes];  // the axes of more than one chunk, outermost first

  // The whole of each axis is a loop until something is taken.
  void clear();
  bool is_taken(int a) const { return source.has(a) || destination.has(a) || apart.has(a); }
  int64_t parts(int a) const {
    if (chunk[a] == 1 || is_whole(a)) return chunk[a] == 1 ? axis[a].count : 1;
    return axis[a].count / chunk[a] + (axis[a].count % chunk[a] != 0);  // a count may be near 2^63
  }
  int64_t last_chunk(int a) const { return is_whole(a) ? chunk[a] : axis[a].count - (parts(a) - 1) * chunk[a]; }
  bool is_whole(int a) const { return chunk[a] == axis[a].count; }

  // The operations. Each takes a chunk of an axis into the tiles, or answers false and changes nothing: a chain goes on
  // only where its memory does, behind what is there whole; and an axis that is in both chains has one chunk.
  bool join_source(int a, int64_t indices) { return join(source, &Axis::src, a, indices); }
  bool join_destination(int a, int64_t indices) { return join(destination, &Axis::dst, a, indices); }
  bool take_unit(int a, int64_t indices);    // contiguous on both sides
  bool take_column(int a, int64_t indices);  // in the source only
  bool take_row(int a, int64_t indices);     // in the destination only
  bool take_plane(int a, int64_t indices);   // in neither
  // Another chunk of an axis that is taken: nothing may go on behind it, unless all of it is there.
  bool rechunk(int a, int64_t indices);

  // Puts the loops in order: those of small steps innermost, and those over the chunks of `inner` before all others (-1: none).
  void order_loops(int inner);
  // The same in the order of the axes.
  void order_loops_as_given();

  int64_t tiles() const;
  // What the chains have in common comes first in both: then a tile is rows and columns of units. Else its elements change their
  // order, in passes.
  bool permutes() const;

 private:
  bool join(Chain& chain, int64_t Axis::*stride, int a, int64_t indices);
  bool may_take(int a, int64_t indices) const;
  void add_loop(int a) {
    if (chunk[a] < axis[a].count) loop[loops++] = static_cast<int8_t>(a);
  }
};

// The axes of a rectangle without those of one index, with those that go on alike on both sides as one. `axes` are sorted by
// falling destination stride, `count` <= kMaxSimdLoops, `width`: bytes of an element. Runs that stay together are the last axis, if
// they are longer than the largest power of two, up to 16, that divides them: that is `element`.
void set_space(const Axis* axes, int count, int64_t width, Schedule* schedule);
// The same where positions count elements, which are never taken together.
void set_packed_space(const Axis* axes, int count, Schedule* schedule);

}  // namespace xlashape::simd
