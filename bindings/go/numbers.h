// Shapes and layouts as numbers, both ways: what bridge.c and Go's frame.go agree on.
//
//     list    n, then n numbers; n = -1: not given
//     text    n bytes, then the bytes, filled up to whole numbers
//     layout  list of the library's fields: xlashape_layout_create_from_fields
//     shape   number of records, then the records, elements before their tuple:
//             array   element type, list dimensions, list dynamic, layout
//             tuple   XLASHAPE_TYPE_TUPLE, n: of the last n shapes
//             buffer  XLASHAPE_TYPE_BUFFER: of the last shape
//             others  XLASHAPE_TYPE_TOKEN | XLASHAPE_TYPE_OPAQUE
#ifndef XLASHAPE_GO_NUMBERS_H_
#define XLASHAPE_GO_NUMBERS_H_

#include <stdlib.h>
#include <string.h>

#include "bridge.h"

#define XG_HANDLES 4

// One call: what is still to be read, what is written, and what has to be released at its end.
typedef struct {
  const int64_t* in;
  int64_t* own;  // Go's buffer
  int64_t* out;  // `own`, or memory of malloc
  int64_t size, capacity;
  xlashape_layout* layouts[XG_HANDLES];
  xlashape_shape* shapes[XG_HANDLES];
  int layout_count, shape_count;
  xlashape_error err;
} xg_frame;

typedef struct {
  const int64_t* data;  // NULL where not given
  int64_t size;
} xg_list;

static inline int64_t xg_read(xg_frame* f) { return *f->in++; }

static inline xg_list xg_read_list(xg_frame* f) {
  xg_list list = {NULL, xg_read(f)};
  if (list.size < 0) {
    list.size = 0;
    return list;
  }
  list.data = f->in;
  f->in += list.size;
  return list;
}

// Fill the frame's error.
xlashape_status xg_refuse(xg_frame* f, xlashape_status status, const char* message);
xlashape_status xg_no_memory(xg_frame* f);
// A copy of the error on the heap, for Go to read and free.
xg_failure* xg_failed(const xlashape_error* err);
// Operations from XG_RUNTIME to XG_PLAN_TASKS.
xlashape_status xg_handle_call(int32_t op, xg_frame* f, const char* text, int64_t text_len);

// Operations from XG_SHAPE_HEAD to XG_LAYOUT_HASH.
xlashape_status xg_function_call(int32_t op, xg_frame* f, const char* text, int64_t text_len);

// Operations from XG_TARGET_FROM_NAME on.
xlashape_status xg_target_call(int32_t op, xg_frame* f, const char* text, int64_t text_len);

// Room for `count` more numbers, or NULL.
int64_t* xg_room(xg_frame* f, int64_t count);
xlashape_status xg_write(xg_frame* f, int64_t number);
xlashape_status xg_write_text(xg_frame* f, const char* text);

// Handles that live until xg_close.
xlashape_status xg_read_layout(xg_frame* f, xlashape_layout** layout);
xlashape_status xg_read_shape(xg_frame* f, xlashape_shape** shape);
xlashape_status xg_write_layout(xg_frame* f, const xlashape_layout* layout);
xlashape_status xg_write_shape(xg_frame* f, xlashape_shape* shape);
void xg_close(xg_frame* f);

// Answers of variable length: a function and its arguments up to (out, capacity, needed, err).
#define XG_WRITE_LIST(f, function, ...)                                                                       \
  do {                                                                                                        \
    int64_t xg_needed = 32;                                                                                   \
    for (;;) { /* nearly always there is room at once */                                                      \
      int64_t* xg_at = xg_room(f, xg_needed + 1);                                                             \
      if (xg_at == NULL) return xg_no_memory(f);                                                              \
      const int64_t xg_capacity = (f)->capacity - (f)->size - 1;                                              \
      const xlashape_status xg_status = function(__VA_ARGS__, xg_at + 1, xg_capacity, &xg_needed, &(f)->err); \
      if (xg_status == XLASHAPE_STATUS_OUT_OF_RANGE && xg_needed > xg_capacity) continue;                     \
      if (xg_status != XLASHAPE_STATUS_OK) return xg_status;                                                  \
      *xg_at = xg_needed;                                                                                     \
      (f)->size += xg_needed + 1;                                                                             \
      break;                                                                                                  \
    }                                                                                                         \
  } while (0)

// `tail` is 1 where the function counts a final NUL.
#define XG_WRITE_BYTES(f, Byte, tail, function, ...)                                                                   \
  do {                                                                                                                 \
    int64_t xg_needed = 512;                                                                                           \
    for (;;) {                                                                                                         \
      const int64_t xg_numbers = 1 + (xg_needed + 7) / 8;                                                              \
      int64_t* xg_at = xg_room(f, xg_numbers);                                                                         \
      if (xg_at == NULL) return xg_no_memory(f);                                                                       \
      const int64_t xg_capacity = (xg_numbers - 1) * 8;                                                                \
      const xlashape_status xg_status = function(__VA_ARGS__, (Byte*)(xg_at + 1), xg_capacity, &xg_needed, &(f)->err); \
      if (xg_status == XLASHAPE_STATUS_OUT_OF_RANGE && xg_needed > xg_capacity) continue;                              \
      if (xg_status != XLASHAPE_STATUS_OK) return xg_status;                                                           \
      *xg_at = xg_needed - tail;                                                                                       \
      (f)->size += 1 + (xg_needed - tail + 7) / 8;                                                                     \
      break;                                                                                                           \
    }                                                                                                                  \
  } while (0)

#define TRY(...)                                       \
  do {                                                 \
    const xlashape_status status_ = (__VA_ARGS__);     \
    if (status_ != XLASHAPE_STATUS_OK) return status_; \
  } while (0)
#define READ_SHAPE(name)       \
  xlashape_shape* name = NULL; \
  TRY(xg_read_shape(f, &name))
#define READ_LAYOUT(name)       \
  xlashape_layout* name = NULL; \
  TRY(xg_read_layout(f, &name))
#define READ_LIST(name) const xg_list name = xg_read_list(f)
#define READ(type, name) const type name = (type)xg_read(f)

#endif
