// What a picture shows, before it is text or SVG: one array or two, and the cells that are shown of them.
#pragma once
#include "draw/grid.h"
#include "draw/options.h"

namespace xlashape::core::draw {

// Both arrays show the same indices, and an index has the same colour in both.
struct Scene {
  Storage storage, other_storage;
  bool has_other = false;
  Grid grid, other;
  int64_t text_width = 2;  // in text: the characters of a cell

  bool shows(Kind kind) const;
};

Status make_scene(const Shape& array, const Shape* other, const Options& options, Scene* scene, Error* err);

}  // namespace xlashape::core::draw
