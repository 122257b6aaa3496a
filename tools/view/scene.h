/* SPDX-License-Identifier: Apache-2.0 */
// What a picture shows, before it is text or SVG: one array or two, and the cells that are shown of them.
#pragma once
#include <optional>

#include "grid.h"
#include "options.h"

namespace xlashape::view {

// Both arrays show the same indices, and an index has the same colour in both.
struct Scene {
  // `other` may be null, and has the same dimensions.
  Scene(const Shape& array, const Shape* other, const Options& options);
  Scene(const Scene&) = delete;  // the grids refer to what is stored here
  Scene& operator=(const Scene&) = delete;

  Storage storage;
  std::optional<Storage> other_storage;
  Grid grid, other;
  int64_t text_width = 2;  // in text: the characters of a cell

  bool shows(Kind kind) const;
};

}  // namespace xlashape::view
