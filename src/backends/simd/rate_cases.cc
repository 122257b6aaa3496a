// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/rate_cases.h"

namespace xlashape::simd {
namespace {

// Rows of the source into tiles of `tall` rows, `run` bytes each.
int runs(int64_t run, int64_t tall, int64_t bytes, StridedAxis* axes) {
  const int64_t most = bytes >= 1 << 18 ? 16384 : 2048, pitch = most / run * run, rows = bytes / most;
  if (pitch < 2 * run || rows < tall) return 0;
  axes[0] = {rows / tall, tall * pitch, tall * pitch};
  axes[1] = {pitch / run, run, tall * run};
  axes[2] = {tall, pitch, run};
  axes[3] = {run, 1, 1};
  return 4;
}

// Elements of so many bytes transposed; `odd`: neither side's rows begin at a line.
int squares(int64_t width, int64_t bytes, bool odd, StridedAxis* axes) {
  int64_t rows = 1;
  while (rows * rows * width < bytes) rows *= 2;
  int64_t columns = bytes / width / rows;
  if (odd) --rows, --columns;
  axes[0] = {columns, width, rows * width};
  axes[1] = {rows, columns * width, width};
  return 2;
}

// The outermost and the innermost of three dimensions change places, each a line long.
int short_squares(int64_t width, int64_t bytes, StridedAxis* axes) {
  const int64_t side = kLineBytes / width, middle = bytes / (side * side * width);
  axes[0] = {side, width, middle * side * width};
  axes[1] = {middle, side * width, side * width};
  axes[2] = {side, middle * side * width, width};
  return 3;
}

// Three small dimensions in the reverse order.
int permuted(int64_t width, int64_t bytes, StridedAxis* axes) {
  const int64_t block = 6 * 10 * 12 * width;
  axes[0] = {bytes / block, block, block};
  axes[1] = {12, width, 60 * width};
  axes[2] = {10, 12 * width, 6 * width};
  axes[3] = {6, 120 * width, width};
  return 4;
}

// So many streams of elements into one.
int zipped(int64_t streams, int64_t width, int64_t bytes, StridedAxis* axes) {
  const int64_t count = bytes / (streams * width);
  axes[0] = {count, width, streams * width};
  axes[1] = {streams, count * width, width};
  return 2;
}
int unzipped(int64_t streams, int64_t width, int64_t bytes, StridedAxis* axes) {
  const int64_t count = bytes / (streams * width);
  axes[0] = {streams, width, count * width};
  axes[1] = {count, streams * width, width};
  return 2;
}

// Every second element of two streams into two of four places.
int strided(int64_t width, int64_t bytes, StridedAxis* axes) {
  const int64_t count = bytes / (4 * width);
  axes[0] = {count, 2 * width, 4 * width};
  axes[1] = {2, count * 2 * width, width};
  return 2;
}

}  // namespace

int rate_axes(Rate rate, int64_t bytes, StridedAxis* axes, int64_t* width) {
  const auto of = [width](int64_t element) { return *width = element; };
  switch (rate) {
    case Rate::kRuns24:
      return runs(24, 8, bytes, axes);
    case Rate::kPanel24:
      return runs(24, 32, bytes, axes);
    case Rate::kRuns64:
      return runs(64, 8, bytes, axes);
    case Rate::kRuns512:
    case Rate::kSharedRuns512:
      return runs(512, 8, bytes, axes);
    case Rate::kRuns4096:
      return runs(4096, 8, bytes, axes);
    case Rate::kSquares1:
      return squares(of(1), bytes, false, axes);
    case Rate::kSquares2:
      return squares(of(2), bytes, false, axes);
    case Rate::kSquares4:
    case Rate::kSharedSquares4:
      return squares(of(4), bytes, false, axes);
    case Rate::kSquares8:
      return squares(of(8), bytes, false, axes);
    case Rate::kSquares16:
      return squares(of(16), bytes, false, axes);
    case Rate::kShortSquares4:
      return short_squares(of(4), bytes, axes);
    case Rate::kPanel1:
      return squares(of(1), bytes, true, axes);
    case Rate::kPanel4:
      return squares(of(4), bytes, true, axes);
    case Rate::kPermute1:
      return permuted(of(1), bytes, axes);
    case Rate::kPermute4:
      return permuted(of(4), bytes, axes);
    case Rate::kZip1:
      return zipped(3, of(1), bytes, axes);
    case Rate::kZip4:
      return zipped(4, of(4), bytes, axes);
    case Rate::kZip7:
      return zipped(7, of(2), bytes, axes);
    case Rate::kUnzip7:
      return unzipped(7, of(2), bytes, axes);
    case Rate::kUnzip1:
      return unzipped(3, of(1), bytes, axes);
    case Rate::kUnzip4:
      return unzipped(4, of(4), bytes, axes);
    case Rate::kStrided1:
      return strided(of(1), bytes, axes);
    case Rate::kStrided4:
      return strided(of(4), bytes, axes);
    case Rate::kStrided16:
      return strided(of(16), bytes, axes);
    case Rate::kCopy:
    case Rate::kCopyVectors:
    case Rate::kCopyString:
    case Rate::kCopyPages:
    case Rate::kFill:
      break;
  }
  return 0;
}

}  // namespace xlashape::simd
