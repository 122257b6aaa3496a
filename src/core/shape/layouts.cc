// SPDX-License-Identifier: Apache-2.0
#include "shape/layouts.h"

#include "layout/layout_fields.h"
#include "layout/rearrange.h"
#include "shape/tuples.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

// Adds the fields that LAYOUT_FIELD_OF_DEVICE stands for.
uint32_t expand(uint32_t fields) {
  return (fields & XLASHAPE_LAYOUT_FIELD_OF_DEVICE) != 0 ? fields | kSingleFields : fields;
}

bool has_any(const Layout& layout, uint32_t fields) {
  bool any = (fields & XLASHAPE_LAYOUT_FIELD_ALL) != 0;
  for_each_field([&, asked = expand(fields)](auto member, const FieldBits& bits) {
    any = any || ((asked & bits.field) != 0 && is_set(layout, member));
  });
  return any;
}

Ref<Layout> copy_without(const Shape& array, uint32_t fields) {
  Ref<Layout> layout = copy_layout(*array.layout);
  for_each_field([&, asked = expand(fields)](auto member, const FieldBits& bits) {
    if ((asked & bits.field) != 0) unset(*layout, member);
  });
  return layout->memory_space == 0 ? with_order(layout, array.rank()) : layout;
}

Ref<Layout> with_element_size(const Layout& from, int64_t bits) {
  Ref<Layout> layout = copy_layout(from);
  layout->element_size_in_bits = bits;
  return layout;
}

Status share_unchanged(const Shape& array, Ref<Shape>* made) {
  *made = Ref<Shape>::share(const_cast<Shape*>(&array));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

bool has_layout_fields(const Shape& shape, uint32_t fields) {
  return !walk(shape, [fields](const Shape& node, std::span<const int64_t>) {
    const Shape* array = node.array();
    return array == nullptr || !array->layout || !has_any(*array->layout, fields);
  });
}

bool has_all_layouts(const Shape& shape) {
  return walk(shape, [](const Shape& node, std::span<const int64_t>) {
    const Shape* array = node.array();
    return array == nullptr || array->layout;
  });
}

Status without_layout_fields(const Shape& shape, uint32_t fields, Ref<Shape>* result, Error* err) {
  return map_arrays(
      shape,
      [fields](const Shape& array, Ref<Shape>* made, Error* error) {
        if (!array.layout || !has_any(*array.layout, fields)) return share_unchanged(array, made);
        if (fields & XLASHAPE_LAYOUT_FIELD_ALL) return with_layout(array, nullptr, made, error);
        return with_layout(array, copy_without(array, fields), made, error);
      },
      result, err);
}

Status with_default_layouts(const Shape& shape, Ref<Shape>* result, Error* err) {
  return map_arrays(
      shape,
      [](const Shape& array, Ref<Shape>* made, Error* error) {
        Ref<Layout> layout = make_row_major(array.rank());
        if (!array.layout) return with_layout(array, std::move(layout), made, error);
        if (array.layout->minor_to_major == layout->minor_to_major) return share_unchanged(array, made);
        return with_layout(array, reorder(*array.layout, layout->minor_to_major), made, error);
      },
      result, err);
}

Status copy_layouts(const Shape& from, const Shape& to, Ref<Shape>* result, Error* err) {
  return map_leaves(
      to, &from,
      [](const Shape& leaf, const Shape* beside, Ref<Shape>* made, Error* error) -> Status {
        const Shape *array = leaf.array(), *source = beside->array();
        if (array == nullptr || source == nullptr) {
          // A token or opaque has no layout, so that an array beside it gets none either.
          if (array != nullptr && array->layout) return with_layout(leaf, nullptr, made, error);
          return share_unchanged(leaf, made);
        }
        return with_layout(leaf, source->layout, made, error);
      },
      result, err);
}

Status with_packed_elements(const Shape& shape, Ref<Shape>* result, Error* err) {
  return map_arrays(
      shape,
      [](const Shape& array, Ref<Shape>* made, Error* error) {
        const ElementTypeInfo& type = element_type_info(array.element_type);
        const int64_t bits = (type.classes & XLASHAPE_CLASS_SUB_BYTE) ? type.bits : 0;
        if (!array.layout || array.layout->element_size_in_bits == bits) return share_unchanged(array, made);
        return with_layout(array, with_element_size(*array.layout, bits), made, error);
      },
      result, err);
}

Status with_element_type(const Shape& shape, xlashape_element_type type, Ref<Shape>* result, Error* err) {
  if (!is_array_type(type))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "element type %d (%s) is not one of an array", type,
                element_type_info(type).name() ? element_type_info(type).name() : "unknown");
  return map_arrays(
      shape,
      [type](const Shape& array, Ref<Shape>* made, Error* error) {
        if (array.element_type == type) return share_unchanged(array, made);
        Ref<Layout> layout = array.layout;
        const ElementTypeInfo& info = element_type_info(type);
        const int64_t set = layout ? layout->element_size_in_bits : 0;
        const bool sub_byte = (info.classes & XLASHAPE_CLASS_SUB_BYTE) != 0;
        const int64_t bits = set == 0 || !sub_byte ? 0 : std::max<int64_t>(set, info.bits);
        if (bits != set) layout = with_element_size(*layout, bits);
        return make_array(type, array.dimensions, array.dynamic, std::move(layout), made, error);
      },
      result, err);
}

}  // namespace xlashape::core
