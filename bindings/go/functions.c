// What runtimes ask of shapes and layouts: heads of texts, boxes, bitcasts in parts, float formats, hashes.
#include "numbers.h"

static xlashape_status head_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  int64_t end = 0;
  if (op == XG_SHAPE_HEAD) {
    READ(uint32_t, flags);
    xlashape_shape* shape = NULL;
    TRY(xlashape_shape_parse_head(text, text_len, flags, &shape, &end, &f->err));
    const xlashape_status status = xg_write(f, end);
    if (status != XLASHAPE_STATUS_OK) {
      xlashape_shape_release(shape);
      return status;
    }
    return xg_write_shape(f, shape);
  }
  xlashape_layout* layout = NULL;
  TRY(xlashape_layout_parse_head(text, text_len, &layout, &end, &f->err));
  f->layouts[f->layout_count++] = layout;
  TRY(xg_write(f, end));
  return xg_write_layout(f, layout);
}

static xlashape_status box_call(int32_t op, xg_frame* f) {
  READ_LIST(base);
  READ_LIST(count);
  READ_LIST(step);
  READ_LIST(order);
  if (op == XG_BOX_COUNT) {
    int64_t indices = 0;
    TRY(xlashape_box_index_count(count.data, step.data, count.size, &indices, &f->err));
    return xg_write(f, indices);
  }
  if (op == XG_BOX_AT) {
    READ(int64_t, number);
    XG_WRITE_LIST(f, xlashape_box_index_at, base.data, count.data, step.data, order.data, base.size, number);
    return XLASHAPE_STATUS_OK;
  }
  READ_LIST(index);
  int64_t* at = xg_room(f, index.size + 2);
  if (at == NULL) return xg_no_memory(f);
  at[1] = index.size;
  if (index.size > 0) memcpy(at + 2, index.data, (size_t)index.size * sizeof *at);
  at[0] = xlashape_box_next_index(base.data, count.data, step.data, order.data, base.size, at + 2);
  f->size += index.size + 2;
  return XLASHAPE_STATUS_OK;
}

// Both lists are as long as the ranks say.
static xlashape_status decompose_call(xg_frame* f) {
  READ_SHAPE(a);
  READ_SHAPE(b);
  READ(uint32_t, flags);
  const int64_t a_rank = xlashape_shape_rank(a), b_rank = xlashape_shape_rank(b);
  int64_t needed1 = 0, needed2 = 0, *at = xg_room(f, a_rank + b_rank + 3);
  if (at == NULL) return xg_no_memory(f);
  xlashape_bitcast_kind kind = 0;
  xlashape_shape *from = NULL, *to = NULL;
  TRY(xlashape_shape_decompose_bitcast(a, b, flags, &kind, at + 2, a_rank, &needed1, &from, &to, at + a_rank + 3,
                                       b_rank, &needed2, &f->err));
  at[0] = kind;
  at[1] = a_rank;
  at[a_rank + 2] = b_rank;
  f->size += a_rank + b_rank + 3;
  const xlashape_status status = xg_write_shape(f, from);
  if (status != XLASHAPE_STATUS_OK) {
    xlashape_shape_release(to);
    return status;
  }
  return xg_write_shape(f, to);
}

xlashape_status xg_function_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  switch (op) {
    case XG_SHAPE_HEAD:
    case XG_LAYOUT_HEAD: return head_call(op, f, text, text_len);
    case XG_BOX_COUNT:
    case XG_BOX_AT:
    case XG_BOX_NEXT: return box_call(op, f);
    case XG_DECOMPOSE: return decompose_call(f);
    case XG_FLOAT_FORMAT: {
      READ(int32_t, type);
      xlashape_float_format format = {sizeof format};
      TRY(xlashape_element_type_float_format(type, &format, &f->err));
      const int32_t all[] = {format.significand_width, format.exponent_width,    format.exponent_bias,
                             format.underflow_exponent, format.overflow_exponent, format.has_infinity,
                             format.has_nan,            format.has_negative_zero, format.has_positive_zero};
      for (size_t i = 0; i < sizeof all / sizeof *all; ++i) TRY(xg_write(f, all[i]));
      return XLASHAPE_STATUS_OK;
    }
    case XG_DRAW: {
      READ_SHAPE(shape);
      xlashape_shape* other = NULL;
      if (xg_read(f) != 0) TRY(xg_read_shape(f, &other));
      xlashape_draw_options options = {sizeof options};
      options.format = (int32_t)xg_read(f);
      options.show = (int32_t)xg_read(f);
      options.color_by = (int32_t)xg_read(f);
      options.flags = (uint32_t)xg_read(f);
      options.color_dimension = (int32_t)xg_read(f);
      options.zoom = (int32_t)xg_read(f);
      options.columns = (int32_t)xg_read(f);
      options.max_cells = (int32_t)xg_read(f);
      options.overlay_bytes = xg_read(f);
      READ_LIST(at);
      options.at = at.data;
      options.at_count = at.size;
      XG_WRITE_BYTES(f, char, 1, xlashape_shape_draw, shape, other, &options);
      return XLASHAPE_STATUS_OK;
    }
    case XG_HASH: {
      READ_SHAPE(shape);
      READ(uint32_t, mask);
      return xg_write(f, (int64_t)xlashape_shape_hash(shape, mask));
    }
    case XG_LAYOUT_HASH: {
      READ_LAYOUT(layout);
      READ(uint32_t, mask);
      return xg_write(f, (int64_t)xlashape_layout_hash(layout, mask));
    }
  }
  return xg_refuse(f, XLASHAPE_STATUS_INTERNAL, "no such function");
}
