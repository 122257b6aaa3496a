// Arrays with dimensions added and taken away. What becomes of the layout is stated in xlashape.h.
#pragma once
#include <span>

#include "shape/shape.h"
#include "xlashape_util.h"

namespace xlashape::core {

// Each takes an array or a buffer (UNSUPPORTED for others) and gives the same kind back.
Status insert_dimensions(const Shape& shape, int64_t at, std::span<const int64_t> sizes, uint32_t flags,
                         Ref<Shape>* result, Error* err);
Status delete_dimensions(const Shape& shape, std::span<const int64_t> dimensions, Ref<Shape>* result, Error* err);
Status drop_degenerate_dimensions(const Shape& shape, Ref<Shape>* result, Error* err);

// Whether taking away those dimensions leaves the tiles to the dimensions they were made for.
bool are_above_tiles(const Layout& layout, std::span<const uint8_t> dimensions) noexcept;

}  // namespace xlashape::core
