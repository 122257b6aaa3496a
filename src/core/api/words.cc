// SPDX-License-Identifier: Apache-2.0
// Entry points: arrays and layouts as people write them.
#include "interop/words.h"

#include <string>

#include "api/answer.h"
#include "xlashape_interop.h"

using namespace xlashape::core;

extern "C" {

xlashape_status xlashape_element_type_read(const char* name, int64_t name_len, xlashape_element_type* type,
                                           xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(name, "name", name_len, err));
    XLASHAPE_TRY(require(type, "type", err));
    xlashape_element_type result;
    XLASHAPE_TRY(read_element_type(view(name, name_len), &result, err));
    *type = result;
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_read(const char* text, int64_t text_len, uint32_t flags, int64_t* offset,
                                    xlashape_shape** shape, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_text(text, "text", text_len, err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_STRIDES_COMPACT | XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, err));
    XLASHAPE_TRY(require(shape, "shape", err));
    Ref<Shape> result;
    XLASHAPE_TRY(read_shape(view(text, text_len), flags, offset, &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_with_words(const xlashape_shape* shape, const char* text, int64_t text_len,
                                          uint32_t flags, xlashape_shape** destination, xlashape_shape** result,
                                          xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_text(text, "text", text_len, err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_STRIDES_COMPACT, err));
    XLASHAPE_TRY(require(destination, "destination", err));
    Ref<Shape> to, same;
    XLASHAPE_TRY(with_words(*shape, view(text, text_len), flags, &to, result != nullptr ? &same : nullptr, err));
    *destination = to.leak();
    if (result != nullptr) *result = same.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_print_as(const xlashape_shape* shape, xlashape_notation notation, uint32_t flags,
                                        char* text, int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, notation == XLASHAPE_NOTATION_MLIR ? XLASHAPE_PRINT_WITHOUT_LAYOUT : 0, err));
    std::string result;
    XLASHAPE_TRY(print_as(*shape, notation, flags, &result, err));
    return answer_text(result, text, capacity, needed, err);
  });
}

}  // extern "C"
