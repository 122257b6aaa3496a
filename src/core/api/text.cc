// SPDX-License-Identifier: Apache-2.0
// Entry points: parsing and printing.
#include "api/answer.h"
#include "text/print.h"
#include "text/shape_text.h"

using namespace xlashape::core;

namespace {

Status read_shape(const char* text, int64_t text_len, uint32_t flags, int64_t* end, xlashape_shape** shape,
                  Error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(text, "text", text_len, err));
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, err));
    Ref<Shape> result;
    size_t read = 0;
    XLASHAPE_TRY(parse_shape_head(view(text, text_len), flags, end != nullptr ? &read : nullptr, &result, err));
    if (end != nullptr) *end = static_cast<int64_t>(read);
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

Status read_layout(const char* text, int64_t text_len, int64_t* end, xlashape_layout** layout, Error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(text, "text", text_len, err));
    XLASHAPE_TRY(require(layout, "layout", err));
    Ref<Layout> result;
    size_t read = 0;
    XLASHAPE_TRY(parse_layout_head(view(text, text_len), end != nullptr ? &read : nullptr, &result, err));
    if (end != nullptr) *end = static_cast<int64_t>(read);
    *layout = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

}  // namespace

extern "C" {

xlashape_status xlashape_shape_parse(const char* text, int64_t text_len, uint32_t flags, xlashape_shape** shape,
                                     xlashape_error* err) {
  return read_shape(text, text_len, flags, nullptr, shape, err);
}

xlashape_status xlashape_shape_parse_head(const char* text, int64_t text_len, uint32_t flags, xlashape_shape** shape,
                                          int64_t* end, xlashape_error* err) {
  XLASHAPE_TRY(require(end, "end", err));
  return read_shape(text, text_len, flags, end, shape, err);
}

xlashape_status xlashape_shape_print(const xlashape_shape* shape, uint32_t flags, char* text, int64_t capacity,
                                     int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_PRINT_WITHOUT_LAYOUT | XLASHAPE_PRINT_STRICT, err));
    XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
    return print_shape(*shape, flags, text, capacity, needed, err);
  });
}

xlashape_status xlashape_layout_parse(const char* text, int64_t text_len, uint32_t flags, xlashape_layout** layout,
                                      xlashape_error* err) {
  XLASHAPE_TRY(check_flags(flags, 0, err));
  return read_layout(text, text_len, nullptr, layout, err);
}

xlashape_status xlashape_layout_parse_head(const char* text, int64_t text_len, uint32_t flags, xlashape_layout** layout,
                                           int64_t* end, xlashape_error* err) {
  XLASHAPE_TRY(require(end, "end", err));
  XLASHAPE_TRY(check_flags(flags, 0, err));
  return read_layout(text, text_len, end, layout, err);
}

xlashape_status xlashape_layout_print(const xlashape_layout* layout, uint32_t flags, char* text, int64_t capacity,
                                      int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_PRINT_WITHOUT_LAYOUT | XLASHAPE_PRINT_STRICT, err));
    XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
    if (flags & XLASHAPE_PRINT_WITHOUT_LAYOUT)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "only shapes can be printed without their layout");
    return print_layout(*layout, flags, text, capacity, needed, err);
  });
}

}  // extern "C"
