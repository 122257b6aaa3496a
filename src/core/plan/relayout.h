/* SPDX-License-Identifier: Apache-2.0 */
// Builds the form of a relayout that backends see (relayout_ir), from the caller's request and both sides' index maps.
#pragma once
#include "base/fixed_arena.h"
#include "index/lower.h"
#include "shape/shape.h"

namespace xlashape::core {

struct RelayoutSide {
  const Shape* array = nullptr;              // an array, with its layout
  const int64_t* byte_strides = nullptr;     // instead of the layout
  const int64_t* element_strides = nullptr;  // the same, in containers as wide as the layout has them
  int64_t first_element = 0;                 // of index 0...0, with element strides
  const int64_t* base = nullptr;             // of the box; null: 0...0

  bool is_strided() const { return byte_strides != nullptr || element_strides != nullptr; }
};

// What becomes of the elements' values.
struct ValueRequest {
  bool convert = false;  // else both sides have one element type
  bool saturate = false;
  bool src_high_first = false, dst_high_first = false;
  int64_t scale_count = 0;
  const float* scale = nullptr;
  const int32_t* zero_point = nullptr;  // null: all 0
  int64_t scale_dimension = 0;
};

struct RelayoutRequest {
  RelayoutSide src, dst;
  ValueRequest values;
  const int64_t* extent = nullptr;  // of the box; null: everything
  xlashape_fill_policy fill_policy = XLASHAPE_FILL_PADDING;
  bool keep_in_cache = false;
};

// Checks the request and builds its form in the arena. The form refers to nothing outside the arena.
Status build_relayout(const RelayoutRequest& request, Arena& arena, xlashape_relayout_ir* ir, Error* err);

// The bytes that a deep copy takes, and making that copy.
size_t relayout_bytes(const xlashape_relayout_ir& ir);
const xlashape_relayout_ir* keep_relayout(const xlashape_relayout_ir& ir, FixedArena& arena);

}  // namespace xlashape::core
