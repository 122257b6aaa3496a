// SPDX-License-Identifier: Apache-2.0
#include "shape/shape.h"

#include "base/checked.h"
#include "base/hash.h"
#include "layout/validate.h"

void xlashape_shape::destroy(xlashape_shape* shape) noexcept {
  // Elements that lose their last reference join a list, so that deep tuples need no stack.
  for (xlashape_shape* dead = shape; dead != nullptr;) {
    xlashape_shape* next = dead->next_dead;
    for (xlashape_shape* element : dead->elements) {
      if (!element->drop()) continue;
      element->next_dead = next;
      next = element;
    }
    delete dead;
    dead = next;
  }
}

namespace xlashape::core {
namespace {

// Checks the product of the bounds as XLA does: in dimension order, without unbounded ones.
Status check_extent(std::span<const int64_t> dimensions, Error* err) {
  int64_t product = 1;
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] != XLASHAPE_DIMENSION_UNBOUNDED && !checked_mul(product, dimensions[i], &product))
      return fail(err, XLASHAPE_STATUS_OVERFLOW,
                  "the product of the dimensions up to dimension %zu (%lld) does not fit 64 bits", i,
                  ll(dimensions[i]));
  return XLASHAPE_STATUS_OK;
}

Ref<Shape> new_shape(int32_t category, xlashape_element_type type) {
  auto shape = Ref<Shape>::adopt(new Shape);
  shape->category = category;
  shape->element_type = type;
  return shape;
}

void set_dynamism(Shape& shape) {
  for (size_t i = 0; i < shape.dimensions.size(); ++i) {
    shape.any_dynamic |= shape.dynamic[i] != 0;
    shape.any_unbounded |= shape.dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED;
  }
}

// Compares everything but the elements, which are left to the caller.
bool equal_node(const Shape& a, const Shape& b, uint32_t mask) noexcept {
  if (a.category != b.category) return false;
  if (!a.is_array()) return a.elements.size() == b.elements.size();
  if ((mask & XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE) == 0 && a.element_type != b.element_type) {
    const uint32_t both = element_type_info(a.element_type).classes & element_type_info(b.element_type).classes;
    if ((mask & XLASHAPE_EQUAL_IGNORE_FP_PRECISION) == 0 || (both & XLASHAPE_CLASS_FLOAT) == 0) return false;
  }
  if (a.rank() != b.rank()) return false;
  for (size_t i = 0; i < a.dimensions.size(); ++i) {
    if ((mask & XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION) == 0 && a.dynamic[i] != b.dynamic[i]) return false;
    if ((mask & XLASHAPE_EQUAL_IGNORE_DIMENSIONS) || a.dimensions[i] == b.dimensions[i]) continue;
    const bool unbounded =
        a.dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED || b.dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED;
    if (!unbounded || (mask & XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION) == 0) return false;
  }
  if (mask & XLASHAPE_EQUAL_IGNORE_LAYOUT) return true;
  if (!a.layout || !b.layout) return !a.layout && !b.layout;
  return equal(*a.layout, *b.layout, mask);
}

const Shape& without_buffer(const Shape& shape, uint32_t mask) {
  return shape.is_buffer() && (mask & XLASHAPE_EQUAL_IGNORE_BUFFER) ? *shape.elements[0] : shape;
}

struct ShapePair {
  const Shape *a, *b;
  size_t next;
};

}  // namespace

Status make_array(xlashape_element_type type, std::span<const int64_t> dimensions, std::span<const uint8_t> dynamic,
                  Ref<Layout> layout, Ref<Shape>* result, Error* err) {
  if (!is_array_type(type)) {
    const char* name = element_type_info(type).name();
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "element type %d (%s) is not one of an array", type,
                name ? name : "unknown");
  }
  for (size_t i = 0; i < dimensions.size(); ++i)
    if (dimensions[i] < 0 && dimensions[i] != XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu has size %lld, it must not be negative", i,
                  ll(dimensions[i]));
  for (size_t i = 0; i < dynamic.size(); ++i)
    if (dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED && dynamic[i] == 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu is unbounded, so it cannot be static", i);
  XLASHAPE_TRY(check_extent(dimensions, err));
  if (layout) XLASHAPE_TRY(validate_layout_for(*layout, dimensions, err));
  Ref<Shape> shape = new_shape(XLASHAPE_CATEGORY_ARRAY, type);
  shape->dimensions.assign(dimensions);
  shape->dynamic.resize(dimensions.size(), 0);
  for (size_t i = 0; i < dimensions.size(); ++i)
    shape->dynamic[i] = dimensions[i] == XLASHAPE_DIMENSION_UNBOUNDED || (!dynamic.empty() && dynamic[i] != 0);
  shape->layout = std::move(layout);
  set_dynamism(*shape);
  *result = std::move(shape);
  return XLASHAPE_STATUS_OK;
}

Status make_tuple(std::span<Shape* const> elements, Ref<Shape>* result, Error* err) {
  Ref<Shape> shape = new_shape(XLASHAPE_CATEGORY_TUPLE, XLASHAPE_TYPE_TUPLE);
  shape->leaf_count = 0;
  shape->elements.reserve(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    Shape* element = elements[i];
    if (element == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tuple element %zu is NULL", i);
    if (element->depth >= XLASHAPE_MAX_DEPTH)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "tuples are nested deeper than %d", XLASHAPE_MAX_DEPTH);
    shape->node_count += element->node_count;
    if (shape->node_count > kMaxNodes)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the tuple holds more than %lld shapes", ll(kMaxNodes));
    shape->leaf_count += element->leaf_count;
    shape->depth = std::max(shape->depth, element->depth + 1);
    shape->any_dynamic |= element->any_dynamic;
    shape->any_unbounded |= element->any_unbounded;
    element->retain();
    shape->elements.push_back(element);
  }
  shape->depth = std::max(shape->depth, 1);
  *result = std::move(shape);
  return XLASHAPE_STATUS_OK;
}

Status make_leaf(int32_t category, Ref<Shape>* result, Error*) {
  *result = new_shape(category, category == XLASHAPE_CATEGORY_TOKEN ? XLASHAPE_TYPE_TOKEN : XLASHAPE_TYPE_OPAQUE);
  return XLASHAPE_STATUS_OK;
}

Status make_buffer(Ref<Shape> array, Ref<Shape>* result, Error* err) {
  if (!array->is_array())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "a buffer holds an array, not %s", noun(*array));
  Ref<Shape> shape = new_shape(XLASHAPE_CATEGORY_BUFFER, array->element_type);
  shape->depth = 1;
  shape->node_count = 2;
  shape->any_dynamic = array->any_dynamic;
  shape->any_unbounded = array->any_unbounded;
  shape->elements.push_back(array.leak());
  *result = std::move(shape);
  return XLASHAPE_STATUS_OK;
}

Status with_layout(const Shape& shape, Ref<Layout> layout, Ref<Shape>* result, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s has no layout", noun(shape));
  Ref<Shape> changed;
  XLASHAPE_TRY(make_array(array->element_type, array->dimensions, array->dynamic, std::move(layout), &changed, err));
  if (shape.is_buffer()) return make_buffer(std::move(changed), result, err);
  *result = std::move(changed);
  return XLASHAPE_STATUS_OK;
}

bool equal(const Shape& a, const Shape& b, uint32_t mask) noexcept {
  try {
    SmallVec<ShapePair, 16> open;
    open.push_back({&without_buffer(a, mask), &without_buffer(b, mask), 0});
    while (!open.empty()) {
      ShapePair& pair = open.back();
      if (pair.next == 0 && (pair.a == pair.b || !equal_node(*pair.a, *pair.b, mask))) {
        if (pair.a != pair.b) return false;
        open.pop_back();
      } else if (pair.next < pair.a->elements.size()) {
        const size_t i = pair.next++;
        open.push_back({&without_buffer(*pair.a->elements[i], mask), &without_buffer(*pair.b->elements[i], mask), 0});
      } else {
        open.pop_back();
      }
    }
    return true;
  } catch (...) {
    return false;  // no memory to compare tuples nested deeper than 16
  }
}

bool compatible(const Shape& a, const Shape& b, uint32_t mask) noexcept {
  return equal(a, b, mask | XLASHAPE_EQUAL_IGNORE_LAYOUT | XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION);
}

uint64_t hash(const Shape& shape, uint32_t mask) noexcept {
  Hash h;
  const auto add_array = [&h, mask](const Shape& array) {
    if ((mask & XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE) == 0) {
      const bool any_float = (mask & XLASHAPE_EQUAL_IGNORE_FP_PRECISION) != 0 &&
                             (element_type_info(array.element_type).classes & XLASHAPE_CLASS_FLOAT) != 0;
      h.add(any_float ? -1 : array.element_type);
    }
    h.add(array.rank());
    if ((mask & XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION) ==
        0) {  // with it `?` equals any size, so that no size may be hashed
      if ((mask & XLASHAPE_EQUAL_IGNORE_DIMENSIONS) == 0)
        for (const int64_t size : array.dimensions) h.add(size);
      for (const uint8_t dynamic : array.dynamic) h.add(dynamic);
    }
    if ((mask & XLASHAPE_EQUAL_IGNORE_LAYOUT) == 0 && array.layout)
      h.add(static_cast<int64_t>(hash(*array.layout, mask)));
  };
  try {
    walk(shape, [&](const Shape& node, std::span<const int64_t> path) {
      h.add(static_cast<int64_t>(path.size()));
      h.add(without_buffer(node, mask).category);
      if (const Shape* array = node.array()) add_array(*array);
      return true;
    });
  } catch (...) {
    return static_cast<uint64_t>(
        shape.leaf_count);  // no memory for the path into deep tuples: a weak hash, but the same for equal shapes
  }
  return h.value();
}

int64_t container_bits(const Shape& array) noexcept {
  const int64_t set = array.layout ? array.layout->element_size_in_bits : 0;
  return set != 0 ? set : element_type_info(array.element_type).storage_bits;
}

Shape* subshape(const Shape& shape, std::span<const int64_t> path) noexcept {
  const Shape* at = &shape;
  for (const int64_t i : path) {
    if (!at->is_tuple() || i < 0 || i >= at->elements.ssize()) return nullptr;
    at = at->elements[static_cast<size_t>(i)];
  }
  return const_cast<Shape*>(at);
}

const char* noun(const Shape& shape) noexcept {
  switch (shape.category) {
    case XLASHAPE_CATEGORY_TUPLE:
      return "a tuple";
    case XLASHAPE_CATEGORY_TOKEN:
      return "a token";
    case XLASHAPE_CATEGORY_OPAQUE:
      return "an opaque";
    case XLASHAPE_CATEGORY_BUFFER:
      return "a buffer";
    default:
      return "an array";
  }
}

Status dimension_number(int64_t rank, int64_t dimension, int64_t* resolved, Error* err) {
  if (dimension < -rank || dimension >= rank)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "dimension %lld is not in [%lld, %lld)", ll(dimension), ll(-rank),
                ll(rank));
  *resolved = dimension < 0 ? dimension + rank : dimension;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
