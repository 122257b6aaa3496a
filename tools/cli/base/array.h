/* SPDX-License-Identifier: Apache-2.0 */
// What several subcommands need of arrays, of the names of their dimensions and of targets, and the binding lacks.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <xlashape/shape.hpp>
#include <xlashape/target.hpp>

namespace xlashape::cli {

// Dimensions, indices and strides in memory of their own; xlashape::Numbers is only a view.
using Integers = std::vector<int64_t>;

// The shape of a person's text, in any notation; a Failure where it is none. `flags`:
// XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT. `offset`, where it is not null: how many elements lie before a memref's first.
Shape parse_shape(std::string_view text, uint32_t flags = 0, int64_t* offset = nullptr);
bool is_array(const Shape& shape);           // an array or a buffer of one
Layout layout_of(const Shape& shape);        // empty where there is none
Integers order_of(const Shape& shape);       // minor_to_major; row-major where nothing sets it
int64_t value_bits(ElementType type);        // bits of an element's value
int64_t container_bits(const Shape& shape);  // bits that an element takes in the shape's layout

// Reads the name of a dimension: a number (-rank to rank-1) or one of the letters of XLA's documentation.
int64_t dimension_named(int64_t rank, std::string_view text);
// "x", or "2" where the rank has no letters.
std::string dimension_name(int64_t rank, int64_t dimension);

// Of the option --target: none where it is not given; a Failure where no target has that name.
std::optional<Target> target_option(const std::optional<std::string>& name);

}  // namespace xlashape::cli
