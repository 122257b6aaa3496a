// SPDX-License-Identifier: Apache-2.0
#include "axis.h"

#include <algorithm>

namespace xlashape::view {
namespace {

// Both ends of [begin, end), together at most `most` units, more of the first.
void add_ends(int64_t begin, int64_t end, int64_t most, std::vector<Span>* spans) {
  if (end - begin <= most) {
    spans->push_back({begin, end});
    return;
  }
  const int64_t last = std::max<int64_t>(1, most / 3), first = std::max<int64_t>(1, most - last);
  spans->push_back({begin, begin + first});
  spans->push_back({end - last, end});
}

}  // namespace

void Axis::choose(int64_t most) {
  spans.clear();
  most = std::max<int64_t>(most, 3);
  if (extent <= most) {
    spans.push_back({0, extent});
    return;
  }
  // The padding may be much wider than the array: then the array's own last tile is of interest, and the end is not.
  const int64_t tiles = size == 0 ? 0 : (size - 1) / tile + 1;
  const int64_t end =
      tile > 1 ? std::min(extent, std::max<int64_t>(tiles, 1) * tile) : size + std::min<int64_t>(extent - size, 2);
  // Where the array fills its last tile the padding behind that begins with a place of its own.
  const bool is_padded_behind = size > 0 && end == size && end < extent && most > 3;
  if (is_padded_behind) --most;
  int64_t wanted[3] = {0, 1, tiles - 1}, count = 3;
  if (tile <= 1 || most < 6) {
    add_ends(0, end, most, &spans);
  } else if (tiles > 1 && most / tile >= 3) {
    spans.push_back({0, (most / tile - 1) * tile});
    spans.push_back({(tiles - 1) * tile, end});
  } else {
    if (tiles <= 2 || most < 3 * std::min<int64_t>(tile, 4)) wanted[1] = tiles - 1, count = 2;
    if (tiles <= 1) count = 1;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t begin = wanted[i] * tile, tile_end = std::min(begin + tile, end), share = most / count;
      if (begin < size && size < tile_end && tile_end - begin > share && share >= 3) {
        // The array ends inside: show that place, and the end of the padding.
        if (share == 3) {
          spans.push_back({size - 1, size});
        } else {
          add_ends(begin, size, share - 2, &spans);
        }
        spans.push_back({size, size + 1});
        spans.push_back({tile_end - 1, tile_end});
      } else {
        add_ends(begin, tile_end, share, &spans);
      }
    }
  }
  if (is_padded_behind) spans.push_back({end, end + 1});
  // Spans that touch are one.
  std::vector<Span> joined;
  for (const Span& span : spans) {
    if (!joined.empty() && joined.back().end >= span.begin) {
      joined.back().end = std::max(joined.back().end, span.end);
    } else {
      joined.push_back(span);
    }
  }
  spans = std::move(joined);
}

int64_t Axis::shown() const {
  int64_t count = 0;
  for (const Span& span : spans) count += span.end - span.begin;
  return count;
}

std::vector<int64_t> Axis::units() const {
  std::vector<int64_t> all;
  for (const Span& span : spans)
    for (int64_t unit = span.begin; unit < span.end; ++unit) all.push_back(unit);
  return all;
}

}  // namespace xlashape::view
