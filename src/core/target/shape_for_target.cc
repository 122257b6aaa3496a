// SPDX-License-Identifier: Apache-2.0
#include "shape/tuples.h"
#include "target/choose_layout.h"
#include "xlashape_target.h"

namespace xlashape::core {

Status shape_for_target(const Shape& shape, const TargetInfo& target, uint32_t flags, Ref<Shape>* result, Error* err) {
  if (shape.array() == nullptr && !shape.is_tuple())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no layout", noun(shape));
  int64_t array_number = 0;
  const Status status = map_arrays(
      shape,
      [&](const Shape& array, Ref<Shape>* made, Error* error) {
        const bool keep = (flags & XLASHAPE_TARGET_KEEP_ORDER) != 0 && array.layout;
        Ref<Layout> layout;
        XLASHAPE_TRY(
            choose_layout(target, array.element_type, array.dimensions,
                          keep ? std::span<const int64_t>(array.layout->minor_to_major) : std::span<const int64_t>(),
                          &layout, error));
        ++array_number;
        return with_layout(array, std::move(layout), made, error);
      },
      result, err);
  if (status != XLASHAPE_STATUS_OK && shape.is_tuple()) set_index(err, array_number);
  return status;
}

}  // namespace xlashape::core
