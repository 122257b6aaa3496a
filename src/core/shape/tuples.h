/* SPDX-License-Identifier: Apache-2.0 */
// Makes shapes from the shapes inside tuples, and tests all the shapes inside one. Nothing here recurses.
#pragma once
#include <functional>
#include <span>

#include "shape/shape.h"
#include "xlashape.h"

namespace xlashape::core {

// Makes a shape of the same tuples in which `change` replaces each leaf (buffers included). It also gets the leaf at
// the same place of `beside`, or null if `beside` is null. INVALID_ARGUMENT where the tuples of the two shapes differ.
using ChangeLeaf = std::function<Status(const Shape& leaf, const Shape* beside, Ref<Shape>* result, Error* err)>;
Status map_leaves(const Shape& root, const Shape* beside, const ChangeLeaf& change, Ref<Shape>* result, Error* err);

// The same for arrays, including those in buffers; tokens and opaques stay.
using ChangeArray = std::function<Status(const Shape& array, Ref<Shape>* result, Error* err)>;
Status map_arrays(const Shape& root, const ChangeArray& change, Ref<Shape>* result, Error* err);

// Makes the replacement of `leaf` from its new array: a buffer of the array if the leaf is a buffer, else the array.
Status put_back(const Shape& leaf, Ref<Shape> array, Ref<Shape>* result, Error* err);

// Moves `path` to the next shape inside, as xlashape_shape_next_subshape does. `started`: `path` already leads to one.
// NOT_FOUND at the end.
Status next_subshape(const Shape& root, uint32_t flags, bool started, SmallVec<int64_t, 16>* path, const Shape** found,
                     Error* err);

int64_t subshape_count(const Shape& shape);
// Whether the tuples of `shape` begin with those of `prefix`; other shapes are compared by `equal` with that mask, or
// not at all with XLASHAPE_EQUAL_STRUCTURE_ONLY. The empty tuple is a prefix of everything.
bool is_prefix(const Shape& prefix, const Shape& shape, uint32_t mask);
bool has_element_type(const Shape& shape, xlashape_element_type type);
bool leaves_have_classes(const Shape& shape, uint32_t classes);
Status element_count_recursive(const Shape& shape, int64_t* elements, Error* err);

Status slice_tuple(const Shape& tuple, int64_t first, int64_t limit, Ref<Shape>* result, Error* err);
Status append_to_tuple(const Shape& tuple, const Shape& element, Ref<Shape>* result, Error* err);
Status replace_subshape(const Shape& shape, std::span<const int64_t> path, const Shape& subshape, Ref<Shape>* result,
                        Error* err);
Status flatten_tuple(const Shape& shape, Ref<Shape>* result, Error* err);

}  // namespace xlashape::core
