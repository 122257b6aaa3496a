#include "numbers.h"

#include <stdio.h>

// Go takes memory in pieces of 64 MiB, and a thirtysecond more for its own bookkeeping.
int32_t xg_has_memory(int64_t bytes) {
  const int64_t more = bytes / 16 + (INT64_C(128) << 20);
  if (bytes < 0 || bytes > (INT64_C(1) << 62) - more) return 0;
  void* volatile memory = malloc((size_t)(bytes + more));  // volatile: else compilers think that it never fails
  free(memory);
  return memory != NULL;
}

xlashape_status xg_refuse(xg_frame* f, xlashape_status status, const char* message) {
  f->err.code = status;
  f->err.index = f->err.offset = -1;
  f->err.source = 0;
  f->err.message_len = (uint32_t)snprintf(f->err.message, sizeof f->err.message, "%s", message);
  return status;
}

xlashape_status xg_no_memory(xg_frame* f) { return xg_refuse(f, XLASHAPE_STATUS_NO_MEMORY, "out of memory"); }

int64_t* xg_room(xg_frame* f, int64_t count) {
  if (count > f->capacity - f->size) {
    if (count > INT64_MAX / 32 - f->size) return NULL;
    const int64_t capacity = 2 * (f->size + count);
    int64_t* more = malloc((size_t)capacity * sizeof *more);
    if (more == NULL) return NULL;
    memcpy(more, f->out, (size_t)f->size * sizeof *more);
    if (f->out != f->own) free(f->out);
    f->out = more;
    f->capacity = capacity;
  }
  return f->out + f->size;
}

xlashape_status xg_write(xg_frame* f, int64_t number) {
  int64_t* at = xg_room(f, 1);
  if (at == NULL) return xg_no_memory(f);
  *at = number;
  ++f->size;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xg_write_text(xg_frame* f, const char* text) {
  const int64_t size = text == NULL ? 0 : (int64_t)strlen(text), numbers = 1 + (size + 7) / 8;
  int64_t* at = xg_room(f, numbers);
  if (at == NULL) return xg_no_memory(f);
  *at = size;
  if (size > 0) memcpy(at + 1, text, (size_t)size);
  f->size += numbers;
  return XLASHAPE_STATUS_OK;
}

static xlashape_status read_array(xg_frame* f, int64_t type, xlashape_shape** shape) {
  const xg_list sizes = xg_read_list(f), dynamic = xg_read_list(f), fields = xg_read_list(f);
  uint8_t few[64], *flags = NULL;
  xlashape_layout* layout = NULL;
  if (dynamic.data != NULL) {
    flags = dynamic.size <= 64 ? few : malloc((size_t)dynamic.size);
    if (flags == NULL) return xg_no_memory(f);
    for (int64_t i = 0; i < dynamic.size; ++i) flags[i] = dynamic.data[i] != 0;
  }
  xlashape_status status = XLASHAPE_STATUS_OK;
  if (fields.data != NULL) status = xlashape_layout_create_from_fields(fields.data, fields.size, &layout, &f->err);
  if (status == XLASHAPE_STATUS_OK)
    status = xlashape_shape_create_array((xlashape_element_type)type, sizes.data, flags, sizes.size, layout,
                                         XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, shape, &f->err);
  xlashape_layout_release(layout);
  if (flags != few) free(flags);
  return status;
}

// A tuple or a buffer takes its elements off the top of the stack and leaves itself there.
static xlashape_status read_record(xg_frame* f, xlashape_shape** stack, int64_t* top) {
  xlashape_shape* made = NULL;
  const int64_t type = xg_read(f);
  int64_t taken = 0;
  xlashape_status status;
  if (type == XLASHAPE_TYPE_TUPLE) {
    taken = xg_read(f);
    status = xlashape_shape_create_tuple(stack + *top - taken, taken, &made, &f->err);
  } else if (type == XLASHAPE_TYPE_BUFFER) {
    taken = 1;
    status = xlashape_shape_create_buffer(stack[*top - 1], &made, &f->err);
  } else if (type == XLASHAPE_TYPE_TOKEN) {
    status = xlashape_shape_create_token(&made, &f->err);
  } else if (type == XLASHAPE_TYPE_OPAQUE) {
    status = xlashape_shape_create_opaque(&made, &f->err);
  } else {
    status = read_array(f, type, &made);
  }
  if (status != XLASHAPE_STATUS_OK) return status;
  for (; taken > 0; --taken) xlashape_shape_release(stack[--*top]);
  stack[(*top)++] = made;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xg_read_layout(xg_frame* f, xlashape_layout** layout) {
  const xg_list fields = xg_read_list(f);
  TRY(xlashape_layout_create_from_fields(fields.data, fields.size, layout, &f->err));
  f->layouts[f->layout_count++] = *layout;
  return XLASHAPE_STATUS_OK;
}

xlashape_status xg_read_shape(xg_frame* f, xlashape_shape** shape) {
  const int64_t records = xg_read(f);
  xlashape_shape *few[8], **stack = records <= 8 ? few : malloc((size_t)records * sizeof *stack);
  if (stack == NULL) return xg_no_memory(f);
  xlashape_status status = XLASHAPE_STATUS_OK;
  int64_t top = 0;
  for (int64_t i = 0; i < records && status == XLASHAPE_STATUS_OK; ++i) status = read_record(f, stack, &top);
  if (status == XLASHAPE_STATUS_OK) {
    *shape = stack[0];
    f->shapes[f->shape_count++] = *shape;
  } else {
    while (top > 0) xlashape_shape_release(stack[--top]);
  }
  if (stack != few) free(stack);
  return status;
}

xlashape_status xg_write_layout(xg_frame* f, const xlashape_layout* layout) {
  XG_WRITE_LIST(f, xlashape_layout_fields, layout);
  return XLASHAPE_STATUS_OK;
}

static xlashape_status write_array(xg_frame* f, const xlashape_shape* shape) {
  xlashape_status status = xg_write(f, xlashape_shape_element_type(shape));
  if (status != XLASHAPE_STATUS_OK) return status;
  XG_WRITE_LIST(f, xlashape_shape_dimensions, shape);
  if (!xlashape_shape_is_dynamic(shape)) {
    status = xg_write(f, -1);
  } else {
    const int64_t rank = xlashape_shape_rank(shape);
    int64_t needed = 0, *at = xg_room(f, rank + 1);
    uint8_t few[64], *flags = rank <= 64 ? few : malloc((size_t)rank);
    if (at == NULL || flags == NULL) {
      if (flags != few) free(flags);
      return xg_no_memory(f);
    }
    status = xlashape_shape_dynamic_dimensions(shape, flags, rank, &needed, &f->err);
    at[0] = rank;
    for (int64_t i = 0; i < rank && status == XLASHAPE_STATUS_OK; ++i) at[1 + i] = flags[i];
    f->size += rank + 1;
    if (flags != few) free(flags);
  }
  if (status != XLASHAPE_STATUS_OK) return status;
  if (!xlashape_shape_has_layout(shape)) return xg_write(f, -1);
  xlashape_layout* layout = NULL;
  TRY(xlashape_shape_layout(shape, &layout, &f->err));
  status = xg_write_layout(f, layout);
  xlashape_layout_release(layout);
  return status;
}

static int is_array(const xlashape_shape* shape) { return xlashape_shape_category(shape) == XLASHAPE_CATEGORY_ARRAY; }

static xlashape_status write_leaf(xg_frame* f, const xlashape_shape* shape) {
  return is_array(shape) ? write_array(f, shape) : xg_write(f, xlashape_shape_element_type(shape));
}

// Tuples may nest deep: an explicit stack, the shape itself at its bottom.
typedef struct {
  xlashape_shape* shape;
  int64_t next, count;
} Level;

xlashape_status xg_write_shape(xg_frame* f, xlashape_shape* shape) {
  f->shapes[f->shape_count++] = shape;
  xlashape_status status = xg_write(f, 1);
  const int64_t count_at = f->size - 1;
  if (status != XLASHAPE_STATUS_OK || xlashape_shape_tuple_element_count(shape) == 0) {
    if (status == XLASHAPE_STATUS_OK) status = write_leaf(f, shape);
    if (status == XLASHAPE_STATUS_OK && xlashape_shape_category(shape) == XLASHAPE_CATEGORY_TUPLE) status = xg_write(f, 0);
    return status;
  }
  int64_t records = 0, depth = 0, room = 0;
  Level* stack = NULL;
  xlashape_shape* inner = xlashape_shape_retain(shape);
  while (status == XLASHAPE_STATUS_OK && (inner != NULL || depth > 0)) {
    if (inner != NULL) {  // down
      if (depth == room) {
        Level* more = realloc(stack, (size_t)(room = 2 * room + 8) * sizeof *stack);
        if (more == NULL) {
          status = xg_no_memory(f);
          break;
        }
        stack = more;
      }
      stack[depth++] = (Level){inner, 0, xlashape_shape_tuple_element_count(inner)};
      inner = NULL;
    }
    Level* level = &stack[depth - 1];
    if (level->next < level->count) {
      status = xlashape_shape_tuple_element(level->shape, level->next++, &inner, &f->err);
      continue;
    }
    const xlashape_category category = xlashape_shape_category(level->shape);
    if (category == XLASHAPE_CATEGORY_BUFFER) {
      status = xg_write(f, XLASHAPE_TYPE_BUFFER);
    } else {
      status = write_leaf(f, level->shape);
      if (status == XLASHAPE_STATUS_OK && category == XLASHAPE_CATEGORY_TUPLE) status = xg_write(f, level->count);
    }
    ++records;
    xlashape_shape_release(level->shape);
    --depth;
  }
  xlashape_shape_release(inner);
  while (depth > 0) xlashape_shape_release(stack[--depth].shape);
  free(stack);
  if (status == XLASHAPE_STATUS_OK) f->out[count_at] = records;
  return status;
}

void xg_close(xg_frame* f) {
  while (f->shape_count > 0) xlashape_shape_release(f->shapes[--f->shape_count]);
  while (f->layout_count > 0) xlashape_layout_release(f->layouts[--f->layout_count]);
}
