/* SPDX-License-Identifier: Apache-2.0 */
// Reads a layout's text, `{` to `}`. A layout may hold a whole shape, P(shape), which may hold layouts again. To avoid
// recursion, reading stops there and the caller (shape_text.cc) reads the shape.
#pragma once
#include "layout/layout.h"
#include "text/cursor.h"

namespace xlashape::core {

// The reason to refuse a layout that parses, as XLA's validation does once the layout's `}` is read.
struct Refusal {
  const char* why;  // null: nothing
  int64_t offset;
};

// Reads and validates a layout at `{`. With `rank` >= 0 minor_to_major must have that many entries. If it sets
// *physical, it stopped behind "P(": there is no layout, and the caller must read the shape and call refuse_layout.
Status read_layout(Cursor& text, int64_t rank, Ref<Layout>* layout, bool* physical, Refusal* refusal, Error* err);

// Reads the rest of a layout that will be refused, from the `)` of P(...) to its `}`. Never returns OK.
Status refuse_layout(Cursor& text, const Refusal& refusal, Error* err);

// The words of PV(...), in the order of XLASHAPE_PAD_ZERO to XLASHAPE_PAD_UNKNOWN.
inline constexpr const char* kPadNames[] = {"zero", "one", "lowest", "highest", "unknown"};

}  // namespace xlashape::core
