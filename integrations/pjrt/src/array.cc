// SPDX-License-Identifier: Apache-2.0
#include "array.h"

namespace pjrt_plugin {

using xlashape::Layout;
using xlashape::Shape;

std::string named(xlashape::ElementType type, const Numbers& dimensions) {
  std::string text = xlashape_element_type_name(static_cast<std::int32_t>(type));
  text += '[';
  for (std::size_t i = 0; i < dimensions.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(dimensions[i]);
  return text + ']';
}

xlashape::ElementType type_of(PJRT_Buffer_Type type) {
  const std::int32_t number = xlashape_element_type_from_pjrt(type);
  if ((xlashape_element_type_classes(number) & XLASHAPE_CLASS_ARRAY) == 0)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                  "PJRT_Buffer_Type " + std::to_string(static_cast<int>(type)) + " is no element type of arrays");
  return static_cast<xlashape::ElementType>(number);
}

Numbers numbers(const char* what, const std::int64_t* data, std::size_t count) {
  check_list(what, data, count);
  if (count > 1024) throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, std::string(what) + ": more than 1024 dimensions");
  return Numbers(data, data + count);
}

std::shared_ptr<const Array> array_of(const Shape& shape) {
  auto array = std::make_shared<Array>();
  array->text = shape.to_string();
  array->shape = shape;
  array->type = shape.element_type();
  array->pjrt_type =
      static_cast<PJRT_Buffer_Type>(xlashape_element_type_to_pjrt(static_cast<std::int32_t>(array->type)));
  array->dimensions = shape.dimensions();
  array->bytes = value_at(array->text, shape.try_byte_size());
  array->layout = shape.layout().to_string();
  const Shape natural = value_at(array->text, Shape::try_array(array->type, array->dimensions));
  array->is_plain = shape.is_untiled() && shape.layout().element_size_in_bits() == 0 &&
                    array->bytes == value_at(array->text, natural.try_byte_size());
  if (auto block = xlashape::try_to_pjrt(shape, XLASHAPE_PJRT_DROP)) array->pjrt_layout = *std::move(block);
  return array;
}

bool is_order(const Layout& layout) { return layout.tile_count() == 0 && layout.padded_dimensions().empty(); }

std::shared_ptr<const Array> array_on(xlashape::Target target, xlashape::ElementType type, const Numbers& dimensions,
                                      const Layout& wanted) {
  const std::string name = named(type, dimensions);
  const Shape shape = value_at(name, Shape::try_array(type, dimensions, wanted));
  if (wanted && !is_order(wanted)) return array_of(shape);
  return array_of(value_at(name, xlashape::try_for_target(shape, target, wanted ? XLASHAPE_TARGET_KEEP_ORDER : 0)));
}

HostArray host_array(const Array& array, const PJRT_Buffer_MemoryLayout* layout) {
  HostArray host;
  if (layout == nullptr) return host;
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    host.byte_strides =
        numbers("host_layout.strides.byte_strides", layout->strides.byte_strides, layout->strides.num_byte_strides);
    if (host.byte_strides.size() != array.dimensions.size())
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                    array.text + ": host_layout has " + std::to_string(host.byte_strides.size()) + " byte strides");
    return host;
  }
  host.layout =
      value_at(array.text + ": host_layout", xlashape::try_layout_from_pjrt(layout, array.type, array.dimensions));
  return host;
}

}  // namespace pjrt_plugin
