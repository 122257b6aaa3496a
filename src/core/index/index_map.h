/* SPDX-License-Identifier: Apache-2.0 */
// The index map handle: a layout's map_ir that owns its arrays.
#pragma once
#include "base/fixed_arena.h"
#include "base/ref.h"
#include "index/lower.h"
#include "shape/shape.h"

struct alignas(xlashape::core::FixedArena::kAlignment) xlashape_index_map final : xlashape::core::RefCounted {
  // A dimension of a layout without tiles: what one linear index needs, side by side.
  struct Step {
    int64_t size, stride;
  };
  static constexpr int kSteps = 6;

  xlashape_map_ir map;  // its arrays follow in the same block
  bool dense = false;   // every position holds an element
  bool steps = false;   // whether there is a step of each dimension
  Step step[kSteps];

  static void destroy(xlashape_index_map* map) noexcept;
};

namespace xlashape::core {

using IndexMap = ::xlashape_index_map;

// Makes one allocation. `array` must be an array.
Status make_index_map(const Shape& array, Ref<IndexMap>* map, Error* err);

}  // namespace xlashape::core
