/* SPDX-License-Identifier: Apache-2.0 */
// Which places along one side of a picture are shown: all of them, or some at each end, and the edges of what matters.
#pragma once
#include <cstdint>
#include <vector>

namespace xlashape::view {

struct Span {
  int64_t begin, end;
};

// A side of the picture. Its units are indices, or tiles where the picture shows tiles:
// unit u begins at index u * step.
struct Axis {
  int64_t dimension = -1;  // -1: the picture has one place in this direction
  int64_t step = 1;
  int64_t size = 1;         // units that hold elements
  int64_t extent = 1;       // with padding
  int64_t tile = 1;         // units in an outermost tile
  std::vector<Span> spans;  // what is shown, ascending, with gaps between

  // Chooses what to show, at most `most` units (at least 3): everything, or the first, the second and the last tile, or
  // of those only their ends.
  void choose(int64_t most);
  int64_t shown() const;
  // The shown units in order.
  std::vector<int64_t> units() const;
};

}  // namespace xlashape::view
