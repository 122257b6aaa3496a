// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/reversed.h"

#include <algorithm>

#include "backends/common/guarded_loops.h"
#include "backends/simd/packed_mover.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

class RowReverser {
 public:
  // `in`, `out`: room for the bytes, or the elements, of a piece.
  RowReverser(const Packed& packed, const char* src, char* dst, char* in, char* out)
      : packed_(packed),
        from_(packed.src_bits),
        to_(packed.dst_bits),
        src_(src),
        dst_(dst),
        in_(in),
        out_(out),
        ends_(dst, packed.dst_bits, 0, packed.shared) {}

  // Elements first .. first + kReversedPiece of those that fill bytes of the destination, of the row of `count`
  // elements whose first one goes from `from` to `to`.
  void piece(int64_t from, int64_t to, int64_t count, int64_t first) {
    const int64_t head = to_.head(to, count), whole = count - head - to_.tail(count, head);
    if (first < whole) move(from - head - first, to + head + first, std::min(kReversedPiece, whole - first));
  }

  // The elements of a row that share a byte of the destination with others.
  void ends(int64_t from, int64_t to, int64_t count) {
    const int64_t head = to_.head(to, count), tail = to_.tail(count, head);
    for (int64_t i = 0; i < head; ++i) move_one(packed_, src_, from - i, ends_, to + i);
    for (int64_t i = count - tail; i < count; ++i) move_one(packed_, src_, from - i, ends_, to + i);
  }

 private:
  // Whole bytes of the destination, from source element `from` on downwards.
  void move(int64_t from, int64_t to, int64_t count) {
    const FixedKernels& fixed = packed_.kernels.fixed;
    const int64_t lowest = from_.byte(from - count + 1), bytes = to_.byte(count);
    char* const into = dst_ + to_.byte(to);
    fixed.reverse(in_, src_ + lowest, from_.byte(from) + 1 - lowest, packed_.src_bits);
    const int bit = 8 - packed_.src_bits - from_.bit(from);  // where the first element is in its byte now
    const char* moved = in_;
    if (packed_.src_bits == packed_.dst_bits) {
      if (bit != 0 && packed_.store == Store::kOrdinary) return fixed.shift(into, in_, bytes, bit);
      if (bit != 0) fixed.shift(out_, in_, bytes, bit), moved = out_;
      return packed_.kernels.copy(into, moved, bytes, packed_.store);
    }
    char* other = out_;
    const auto use = [&](char* made) {
      moved = made;
      other = made == in_ ? out_ : in_;
    };
    if (bit != 0) fixed.shift(other, moved, from_.bytes(count), bit), use(other);
    if (packed_.src_bits < 8) fixed.unpack[3 - from_.log_per_byte](other, moved, count, packed_.value), use(other);
    if (packed_.dst_bits < 8) fixed.pack[3 - to_.log_per_byte](other, moved, count, 0, packed_.value), use(other);
    packed_.kernels.copy(into, moved, bytes, packed_.store);
  }

  const Packed& packed_;
  const Containers from_, to_;
  const char* const src_;
  char* const dst_;
  char *const in_, *const out_;
  backends::PackedWriter ends_;
};

}  // namespace

void turn_axes(StridedAxis* axes, int count, int64_t width, int64_t* src_at, int64_t* dst_at) {
  for (int a = 0; a < count; ++a) {
    StridedAxis& axis = axes[a];
    const bool downwards = axis.src < 0 && axis.dst < 0;
    if (!downwards && axis.dst != -width && (axis.src != -width || axis.dst == width)) continue;
    *src_at += (axis.count - 1) * axis.src;
    *dst_at += (axis.count - 1) * axis.dst;
    axis.src = -axis.src;
    axis.dst = -axis.dst;
  }
}

int reversed_axis(const StridedAxis* axes, int count) {
  for (int a = 0; a < count; ++a)
    if (axes[a].src == -1 && axes[a].dst == 1 && axes[a].count > 1) return a;
  return -1;
}

// Not inlined: its frame is as large as its pieces.
XLASHAPE_NOINLINE void move_reversed(const Packed& packed, const StridedAxis* axes, int count, int row, const char* src,
                                     int64_t src_at, char* dst, int64_t dst_at, const TaskRange& part) {
  const int64_t elements = axes[row].count, room = std::min(elements, kReversedPiece) + kSlack;
  char* const in = XLASHAPE_ON_STACK(room);
  char* const out = XLASHAPE_ON_STACK(room);
  RowReverser reverser(packed, src, dst, in, out);
  int64_t rows = 1;
  for (int a = 0; a < count; ++a) rows *= a == row ? 1 : axes[a].count;
  const auto at = [&](int64_t number, int64_t StridedAxis::*side) {
    int64_t place = 0;
    for (int a = count; a-- > 0;) {
      if (a == row) continue;
      place += number % axes[a].count * (axes[a].*side);
      number /= axes[a].count;
    }
    return place;
  };
  const int64_t pieces = (elements - 1) / kReversedPiece + 1;
  const backends::LoopRange own = backends::share(rows * pieces, part.begin, part.end, part.count);
  for (int64_t i = own.begin; i < own.end; ++i)
    reverser.piece(src_at + at(i / pieces, &StridedAxis::src), dst_at + at(i / pieces, &StridedAxis::dst), elements,
                   i % pieces * kReversedPiece);
  if (!part.first()) return;
  for (int64_t i = 0; i < rows; ++i)
    reverser.ends(src_at + at(i, &StridedAxis::src), dst_at + at(i, &StridedAxis::dst), elements);
}

}  // namespace xlashape::simd
