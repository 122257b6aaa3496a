// Properties of arrays that several subcommands need and the binding lacks.
#pragma once
#include <cstdint>
#include <vector>
#include <xlashape/shape.hpp>

namespace xlashape::cli {

// Dimensions, indices and strides in memory of their own; xlashape::Numbers is only a view.
using Integers = std::vector<int64_t>;

// The shape of a person's text; a Failure where it is none.
Shape parse_shape(std::string_view text, uint32_t flags = 0);
bool is_array(const Shape& shape);           // an array or a buffer of one
Layout layout_of(const Shape& shape);        // empty where there is none
Integers order_of(const Shape& shape);       // minor_to_major; row-major where nothing sets it
int64_t value_bits(ElementType type);        // bits of an element's value
int64_t container_bits(const Shape& shape);  // bits that an element takes in the shape's layout

}  // namespace xlashape::cli
