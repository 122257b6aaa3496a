// The machines that XLA compiles for, and the layouts that their compilers choose.
#include "numbers.h"

xlashape_status xg_target_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  if (op == XG_TARGET_FROM_NAME) {
    xlashape_target named = 0;
    TRY(xlashape_target_from_name(text, text_len, &named, &f->err));
    return xg_write(f, named);
  }
  if (op == XG_FOR_TARGET) {
    READ_SHAPE(shape);
    READ(xlashape_target, target);
    READ(uint32_t, flags);
    xlashape_shape* made = NULL;
    TRY(xlashape_shape_for_target(shape, target, flags, &made, &f->err));
    return xg_write_shape(f, made);
  }
  READ(xlashape_target, target);
  switch (op) {
    case XG_TARGET_PROPERTIES: {
      xlashape_target_info info = {sizeof info};
      TRY(xlashape_target_properties(target, &info, &f->err));
      const int32_t all[] = {info.lanes, info.sublanes, info.pointer_bytes, info.tuple_alignment};
      for (size_t i = 0; i < sizeof all / sizeof *all; ++i) TRY(xg_write(f, all[i]));
      return XLASHAPE_STATUS_OK;
    }
    case XG_TARGET_TUPLE_BYTES: {
      READ(int64_t, elements);
      int64_t bytes = 0;
      TRY(xlashape_target_tuple_bytes(target, elements, &bytes, &f->err));
      return xg_write(f, bytes);
    }
    case XG_TARGET_SPACE_NAME: {
      READ(int64_t, space);
      XG_WRITE_BYTES(f, char, 1, xlashape_target_memory_space_name, target, space);
      return XLASHAPE_STATUS_OK;
    }
    case XG_TARGET_LAYOUT: {
      READ(int32_t, type);
      READ_LIST(dimensions);
      READ_LIST(order);
      xlashape_layout* layout = NULL;
      TRY(xlashape_target_layout(target, type, dimensions.data, order.data, dimensions.size, &layout, &f->err));
      f->layouts[f->layout_count++] = layout;
      return xg_write_layout(f, layout);
    }
  }
  return xg_refuse(f, XLASHAPE_STATUS_INTERNAL, "no such operation on targets");
}
