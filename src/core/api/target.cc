// SPDX-License-Identifier: Apache-2.0
// Entry points: Targets.
#include "api/answer.h"
#include "base/struct_io.h"
#include "target/choose_layout.h"
#include "xlashape_target.h"

using namespace xlashape::core;

extern "C" {

int64_t xlashape_target_count(void) { return static_cast<int64_t>(targets().size()); }

const char* xlashape_target_name(xlashape_target target) {
  const TargetInfo* found;
  return find_target(target, &found, nullptr) == XLASHAPE_STATUS_OK ? found->name : nullptr;
}

xlashape_status xlashape_target_from_name(const char* name, int64_t name_len, xlashape_target* target,
                                          xlashape_error* err) {
  XLASHAPE_TRY(check_text(name, "name", name_len, err));
  XLASHAPE_TRY(require(target, "target", err));
  return target_from_name(view(name, name_len), target, err);
}

xlashape_status xlashape_target_properties(xlashape_target target, xlashape_target_info* info, xlashape_error* err) {
  XLASHAPE_TRY(check_out_struct(info, "info", err));
  const TargetInfo* found;
  XLASHAPE_TRY(find_target(target, &found, err));
  write_struct(info, xlashape_target_info{sizeof(xlashape_target_info), found->lanes, found->sublanes,
                                          found->pointer_bytes, found->tuple_alignment, 0});
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_target_tuple_bytes(xlashape_target target, int64_t elements, int64_t* bytes,
                                            xlashape_error* err) {
  XLASHAPE_TRY(require(bytes, "bytes", err));
  const TargetInfo* found;
  XLASHAPE_TRY(find_target(target, &found, err));
  return tuple_bytes(*found, elements, bytes, err);
}

xlashape_status xlashape_target_memory_space_name(xlashape_target target, int64_t memory_space, char* text,
                                                  int64_t capacity, int64_t* needed, xlashape_error* err) {
  XLASHAPE_TRY(check_text_out(text, capacity, needed, err));
  const TargetInfo* found;
  XLASHAPE_TRY(find_target(target, &found, err));
  std::string_view name;
  XLASHAPE_TRY(memory_space_name(*found, memory_space, &name, err));
  return answer_text(name, text, capacity, needed, err);
}

xlashape_status xlashape_target_layout(xlashape_target target, xlashape_element_type type, const int64_t* dimensions,
                                       const int64_t* minor_to_major, int64_t rank, xlashape_layout** layout,
                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_list(dimensions, rank, "dimensions", "rank", err));
    const TargetInfo* found;
    XLASHAPE_TRY(find_target(target, &found, err));
    Ref<Layout> chosen;
    XLASHAPE_TRY(choose_layout(*found, type, list(dimensions, rank), list(minor_to_major, rank), &chosen, err));
    *layout = chosen.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_for_target(const xlashape_shape* shape, xlashape_target target, uint32_t flags,
                                          xlashape_shape** result, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(result, "result", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_TARGET_KEEP_ORDER, err));
    const TargetInfo* found;
    XLASHAPE_TRY(find_target(target, &found, err));
    Ref<Shape> made;
    XLASHAPE_TRY(shape_for_target(*shape, *found, flags, &made, err));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

}  // extern "C"
