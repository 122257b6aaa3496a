/* SPDX-License-Identifier: Apache-2.0 */
// Builds the loop nest of a relayout: refines the factors of both sides to common ones, then orders and fuses the
// loops.
#pragma once
#include <span>

#include "index/lower.h"

namespace xlashape::core {

struct NestSide {
  const Lowered* map;
  const int64_t* base;  // of the box, one per dimension
  int64_t scale;        // stride units per position
};

// How the source's index along one dimension follows from a nest: offset + sum of i[l] * step[l].
struct Channels {
  int32_t dimension;
  const int64_t* step = nullptr;
  int64_t offset = 0;
};

// The nest of the elements, or null where the sides have no common factors or a loop's extent times its stride does not
// fit. Strides are scaled to the sides' units. Fills `channels` unless that is null.
const xlashape_loops* build_nest(const NestSide& src, const NestSide& dst, std::span<const int64_t> extent,
                                 Channels* channels, Arena& arena);

// Loops over all factors of a destination, guarded by the logical bounds.
const xlashape_loops* build_fill_loops(const Lowered& dst, int64_t scale, Arena& arena);

}  // namespace xlashape::core
