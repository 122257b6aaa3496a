// Pictures of layouts: xlashape_shape_draw, after its arguments were unwrapped.
#pragma once
#include "draw/options.h"
#include "shape/shape.h"

namespace xlashape::core {

// `other` may be null. Checks the options against the shapes.
Status draw_shape(const Shape& shape, const Shape* other, const draw::Options& options, std::string* picture,
                  Error* err);

}  // namespace xlashape::core
