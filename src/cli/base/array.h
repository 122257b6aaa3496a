// What rooms ask of arrays that the binding has no word for.
#pragma once
#include <cstdint>
#include <vector>
#include <xlashape/shape.hpp>

namespace xlashape::cli {

// Dimensions, indices, strides that are kept; xlashape::Numbers only looks at them.
using Integers = std::vector<int64_t>;

bool is_array(const Shape& shape);           // an array or a buffer of one
Layout layout_of(const Shape& shape);        // empty where there is none
int64_t value_bits(ElementType type);        // of an element's value
int64_t container_bits(const Shape& shape);  // that it lies in under the shape's layout

}  // namespace xlashape::cli
