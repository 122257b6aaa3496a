#include "numbers.h"

// function(arguments..., &handle, &err), and the handle's numbers.
#define MAKE_SHAPE(function, ...)                  \
  do {                                             \
    xlashape_shape* made = NULL;                   \
    TRY(function(__VA_ARGS__, &made, &f->err));    \
    return xg_write_shape(f, made);                \
  } while (0)
#define MAKE_LAYOUT(function, ...)                 \
  do {                                             \
    xlashape_layout* made = NULL;                  \
    TRY(function(__VA_ARGS__, &made, &f->err));    \
    f->layouts[f->layout_count++] = made;          \
    return xg_write_layout(f, made);               \
  } while (0)
#define WRITE_NUMBER(function, ...)                \
  do {                                             \
    int64_t number = 0;                            \
    TRY(function(__VA_ARGS__, &number, &f->err));  \
    return xg_write(f, number);                    \
  } while (0)
#define WRITE_LIST(...)            \
  do {                             \
    XG_WRITE_LIST(f, __VA_ARGS__); \
    return XLASHAPE_STATUS_OK;     \
  } while (0)
#define WRITE_TEXT(...)                      \
  do {                                       \
    XG_WRITE_BYTES(f, char, 1, __VA_ARGS__); \
    return XLASHAPE_STATUS_OK;               \
  } while (0)
#define WRITE_BYTES(...)                        \
  do {                                          \
    XG_WRITE_BYTES(f, uint8_t, 0, __VA_ARGS__); \
    return XLASHAPE_STATUS_OK;                  \
  } while (0)

static xlashape_status refuse(xg_frame* f, const char* message) {
  return xg_refuse(f, XLASHAPE_STATUS_INTERNAL, message);
}

static xlashape_status layout_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  switch (op) {
    case XG_LAYOUT_PARSE: MAKE_LAYOUT(xlashape_layout_parse, text, text_len);
    case XG_LAYOUT_FROM_PROTO: MAKE_LAYOUT(xlashape_layout_from_proto, (const uint8_t*)text, text_len);
    case XG_LAYOUT_MAJOR: {
      READ_LIST(order);
      MAKE_LAYOUT(xlashape_layout_create_major_to_minor, order.data, order.size);
    }
    case XG_LAYOUT_STRIDES: {
      READ(int32_t, type);
      READ_LIST(dimensions);
      READ_LIST(strides);
      READ(uint32_t, flags);
      MAKE_LAYOUT(xlashape_layout_from_byte_strides, type, dimensions.data, strides.data, dimensions.size, flags);
    }
    case XG_LAYOUT_PJRT: {
      READ(uintptr_t, address);
      READ(int32_t, type);
      READ_LIST(dimensions);
      READ(uint32_t, flags);
      MAKE_LAYOUT(xlashape_layout_from_pjrt, (const void*)address, type, dimensions.data, dimensions.size, flags);
    }
  }
  READ_LAYOUT(layout);
  switch (op) {
    case XG_LAYOUT_VALIDATE: return xg_write_layout(f, layout);
    case XG_LAYOUT_PRINT: {
      READ(uint32_t, flags);
      WRITE_TEXT(xlashape_layout_print, layout, flags);
    }
    case XG_LAYOUT_EQUAL: {
      READ_LAYOUT(other);
      READ(uint32_t, mask);
      return xg_write(f, xlashape_layout_equal(layout, other, mask));
    }
    case XG_LAYOUT_TO_PHYSICAL: WRITE_LIST(xlashape_layout_logical_to_physical, layout);
    case XG_LAYOUT_MOVE: {
      READ(int64_t, dimension);
      if (xg_read(f)) MAKE_LAYOUT(xlashape_layout_move_dimension_to_major, layout, dimension);
      MAKE_LAYOUT(xlashape_layout_move_dimension_to_minor, layout, dimension);
    }
    case XG_LAYOUT_DELETE: {
      READ_LIST(dimensions);
      MAKE_LAYOUT(xlashape_layout_delete_dimensions, layout, dimensions.data, dimensions.size);
    }
    case XG_LAYOUT_TO_PROTO: WRITE_BYTES(xlashape_layout_to_proto, layout);
  }
  return refuse(f, "no such operation on layouts");
}

// What needs no shape: texts and bytes that become one, lists, element types.
static xlashape_status plain_call(int32_t op, xg_frame* f, const char* text, int64_t text_len) {
  switch (op) {
    case XG_SHAPE_PARSE: {
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_parse, text, text_len, flags);
    }
    case XG_FROM_PROTO: {
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_from_proto, (const uint8_t*)text, text_len, flags);
    }
    case XG_PARSE_MLIR: MAKE_SHAPE(xlashape_shape_parse_mlir, text, text_len);
    case XG_PARSE_CUTE: {
      READ(int32_t, type);
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_parse_cute, text, text_len, type, flags);
    }
    case XG_PARSE_NUMPY: {
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_parse_numpy, text, text_len, flags);
    }
    case XG_DIMENSION_NUMBER: {
      READ(int64_t, rank);
      READ(int64_t, dimension);
      WRITE_NUMBER(xlashape_dimension_number, rank, dimension);
    }
    case XG_UNMODIFIED: {
      READ_LIST(a);
      READ_LIST(b);
      WRITE_LIST(xlashape_dimensions_unmodified_by_reshape, a.data, a.size, b.data, b.size);
    }
    case XG_NORMALIZED: {
      READ_LIST(sizes);
      READ_LIST(permutation);
      int64_t needed = 0, *at = xg_room(f, 2 * (sizes.size + 2));
      if (at == NULL) return xg_no_memory(f);
      TRY(xlashape_normalized_transpose(sizes.data, permutation.data, sizes.size, at + 1, at + sizes.size + 3,
                                        sizes.size + 1, &needed, &f->err));
      at[0] = at[needed + 1] = needed;
      memmove(at + needed + 2, at + sizes.size + 3, (size_t)needed * sizeof *at);
      f->size += 2 * (needed + 1);
      return XLASHAPE_STATUS_OK;
    }
    case XG_TYPE_FROM_NAME: {
      xlashape_element_type type = 0;
      TRY(xlashape_element_type_from_name(text, text_len, &type, &f->err));
      return xg_write(f, type);
    }
    case XG_PADDING_ELEMENT: {
      READ(int32_t, type);
      READ(int32_t, value);
      WRITE_BYTES(xlashape_padding_element, type, value);
    }
  }
  return refuse(f, "no such operation");
}

static xlashape_status count_call(xg_frame* f, const xlashape_shape* shape) {
  switch (xg_read(f)) {
    case XG_ELEMENTS: WRITE_NUMBER(xlashape_shape_element_count, shape);
    case XG_STATIC_ELEMENTS: WRITE_NUMBER(xlashape_shape_static_element_count, shape);
    case XG_ALL_ELEMENTS: WRITE_NUMBER(xlashape_shape_element_count_recursive, shape);
    case XG_ALL_BYTES: WRITE_NUMBER(xlashape_shape_byte_size_recursive, shape);
    case XG_SPLIT_ELEMENTS: WRITE_NUMBER(xlashape_shape_max_elements_per_split, shape);
  }
  return refuse(f, "no such count");
}

static xlashape_status test_call(xg_frame* f, const xlashape_shape* shape) {
  switch (xg_read(f)) {
    case XG_DYNAMIC: return xg_write(f, xlashape_shape_is_dynamic(shape));
    case XG_UNBOUNDED: return xg_write(f, xlashape_shape_is_unbounded(shape));
    case XG_TRUE_RANK: return xg_write(f, xlashape_shape_true_rank(shape));
    case XG_SCALAR: return xg_write(f, xlashape_shape_is_effective_scalar(shape));
    case XG_LEAVES: return xg_write(f, xlashape_shape_leaf_count(shape));
    case XG_UNTILED: return xg_write(f, xlashape_shape_is_untiled(shape));
    case XG_MINOR_LAST: return xg_write(f, xlashape_shape_last_dimension_is_most_minor(shape));
    case XG_HAS_ONES: return xg_write(f, xlashape_shape_has_degenerate_dimensions(shape));
  }
  return refuse(f, "no such test");
}

static xlashape_status change_call(xg_frame* f, const xlashape_shape* shape) {
  switch (xg_read(f)) {
    case XG_PHYSICAL_ORDER: MAKE_SHAPE(xlashape_shape_to_physical_order, shape);
    case XG_DROP_ONES: MAKE_SHAPE(xlashape_shape_drop_degenerate_dimensions, shape);
    case XG_STATIC: MAKE_SHAPE(xlashape_shape_to_static, shape);
    case XG_DEFAULT_LAYOUTS: MAKE_SHAPE(xlashape_shape_with_default_layouts, shape);
    case XG_PACKED: MAKE_SHAPE(xlashape_shape_with_packed_elements, shape);
    case XG_FLATTEN: MAKE_SHAPE(xlashape_shape_flatten_tuple, shape);
  }
  return refuse(f, "no such change");
}

// What takes two shapes.
static xlashape_status pair_call(int32_t op, xg_frame* f, const xlashape_shape* a) {
  READ_SHAPE(b);
  switch (op) {
    case XG_EQUAL: return xg_write(f, xlashape_shape_equal(a, b, (uint32_t)xg_read(f)));
    case XG_COMPATIBLE: return xg_write(f, xlashape_shape_compatible(a, b, (uint32_t)xg_read(f)));
    case XG_RESHAPE_BITCAST: return xg_write(f, xlashape_shape_reshape_is_bitcast(a, b, (uint32_t)xg_read(f)));
    case XG_TRANSPOSE_BITCAST: {
      READ_LIST(order);
      READ(uint32_t, flags);
      return xg_write(f, xlashape_shape_transpose_is_bitcast(a, b, order.data, order.size, flags));
    }
    case XG_DEDUCE_TRANSPOSE: {
      READ(uint32_t, flags);
      WRITE_LIST(xlashape_shape_deduce_transpose, a, b, flags);
    }
    case XG_ONES: {
      const int64_t a_rank = xlashape_shape_rank(a), b_rank = xlashape_shape_rank(b);
      int64_t deleted = 0, inserted = 0, *at = xg_room(f, a_rank + b_rank + 2);
      if (at == NULL) return xg_no_memory(f);
      TRY(xlashape_shape_inserted_or_deleted_ones(a, b, at + 1, a_rank, &deleted, at + a_rank + 2, b_rank, &inserted,
                                                  &f->err));
      at[0] = deleted;
      at[deleted + 1] = inserted;
      memmove(at + deleted + 2, at + a_rank + 2, (size_t)inserted * sizeof *at);
      f->size += deleted + inserted + 2;
      return XLASHAPE_STATUS_OK;
    }
  }
  return refuse(f, "no such operation on two shapes");
}

static xlashape_status shape_call(int32_t op, xg_frame* f) {
  READ_SHAPE(shape);
  switch (op) {
    case XG_SHAPE_VALIDATE: return xg_write_shape(f, xlashape_shape_retain(shape));
    case XG_SHAPE_PRINT: {
      READ(uint32_t, flags);
      WRITE_TEXT(xlashape_shape_print, shape, flags);
    }
    case XG_TO_PROTO: WRITE_BYTES(xlashape_shape_to_proto, shape);
    case XG_PRINT_MLIR: {
      READ(uint32_t, flags);
      WRITE_TEXT(xlashape_shape_print_mlir, shape, flags);
    }
    case XG_PRINT_CUTE: WRITE_TEXT(xlashape_shape_print_cute, shape);
    case XG_PRINT_NUMPY: WRITE_TEXT(xlashape_shape_print_numpy, shape);
    case XG_SIZES: {
      xlashape_sizes sizes = {sizeof sizes};
      TRY(xlashape_shape_sizes(shape, &sizes, &f->err));
      const int64_t all[] = {sizes.element_bits,  sizes.elements,   sizes.storage_elements,
                             sizes.logical_bytes, sizes.bytes,      sizes.xla_bytes,
                             sizes.data_bytes,    sizes.dimension_padding, sizes.tail_padding};
      for (size_t i = 0; i < sizeof all / sizeof *all; ++i) TRY(xg_write(f, all[i]));
      return XLASHAPE_STATUS_OK;
    }
    case XG_BYTE_SIZE: {
      READ(int64_t, pointer_size);
      READ(uint32_t, flags);
      WRITE_NUMBER(xlashape_shape_byte_size, shape, pointer_size, flags);
    }
    case XG_COUNT: return count_call(f, shape);
    case XG_TEST: return test_call(f, shape);
    case XG_CHANGE: return change_call(f, shape);
    case XG_STRIDES: {
      READ(int32_t, unit);
      WRITE_LIST(xlashape_shape_strides, shape, unit);
    }
    case XG_PIECE_GRANULARITY: WRITE_LIST(xlashape_shape_piece_granularity, shape);
    case XG_MAX_SPLIT_SIZE: WRITE_NUMBER(xlashape_shape_max_split_size, shape, xg_read(f));
    case XG_NEXT_INDEX: {
      READ_LIST(index);
      int64_t* at = xg_room(f, index.size + 2);
      if (at == NULL) return xg_no_memory(f);
      at[1] = index.size;
      if (index.size > 0) memcpy(at + 2, index.data, (size_t)index.size * sizeof *at);
      at[0] = xlashape_shape_next_index(shape, at + 2, index.size);
      f->size += index.size + 2;
      return XLASHAPE_STATUS_OK;
    }
    case XG_SUBSHAPE: {
      READ_LIST(path);
      MAKE_SHAPE(xlashape_shape_subshape, shape, path.data, path.size);
    }
    case XG_WITHOUT_PARTS: MAKE_SHAPE(xlashape_shape_without_parts, shape, (uint32_t)xg_read(f));
    case XG_WITH_ELEMENT_TYPE: MAKE_SHAPE(xlashape_shape_with_element_type, shape, (int32_t)xg_read(f));
    case XG_PERMUTE: {
      READ_LIST(permutation);
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_permute_dimensions, shape, permutation.data, permutation.size, flags);
    }
    case XG_INSERT: {
      READ(int64_t, at);
      READ_LIST(sizes);
      READ(uint32_t, flags);
      MAKE_SHAPE(xlashape_shape_insert_dimensions, shape, at, sizes.data, sizes.size, flags);
    }
    case XG_DELETE: {
      READ_LIST(dimensions);
      MAKE_SHAPE(xlashape_shape_delete_dimensions, shape, dimensions.data, dimensions.size);
    }
    case XG_ALIGN_LAYOUTS: {
      READ_LIST(dimensions);
      READ(uint32_t, flags);
      MAKE_LAYOUT(xlashape_shape_align_layouts, shape, dimensions.data, dimensions.size, flags);
    }
    case XG_INDEX_MAP: {
      xlashape_index_map* map = NULL;
      TRY(xlashape_index_map_create(shape, &map, &f->err));
      TRY(xg_write(f, (int64_t)(uintptr_t)map));
      TRY(xg_write(f, xlashape_index_map_rank(map)));
      return xg_write(f, xlashape_index_map_storage_elements(map));
    }
  }
  return pair_call(op, f, shape);
}

xg_answer xg_call(int32_t op, int64_t* in, int64_t* out, int64_t capacity, char* text, int64_t text_len) {
  xg_frame f;
  f.in = in;
  f.own = f.out = out;
  f.size = 0;
  f.capacity = capacity;
  f.layout_count = f.shape_count = 0;
  f.err.struct_size = sizeof f.err;
  xlashape_status status;
  if (op <= XG_LAYOUT_FROM_PROTO) {
    status = layout_call(op, &f, text, text_len);
  } else if (op <= XG_PADDING_ELEMENT) {
    status = plain_call(op, &f, text, text_len);
  } else if (op <= XG_PLAN_TASKS) {
    status = xg_handle_call(op, &f, text, text_len);
  } else if (op <= XG_INDEX_MAP) {
    status = shape_call(op, &f);
  } else if (op <= XG_LAYOUT_HASH) {
    status = xg_function_call(op, &f, text, text_len);
  } else {
    status = xg_target_call(op, &f, text, text_len);
  }
  xg_close(&f);
  xg_answer answer = {f.size, f.out == f.own ? NULL : f.out, NULL};
  if (status != XLASHAPE_STATUS_OK) {
    free(answer.more);
    answer = (xg_answer){0, NULL, xg_failed(&f.err)};
  }
  return answer;
}
