// SPDX-License-Identifier: Apache-2.0
// Entry points: Shape utilities, for layouts, element types, dimensions and dynamism. Tuples and programs: tuples.cc.
#include "api/answer.h"
#include "bitcast/bitcast.h"
#include "bitcast/rank.h"
#include "layout/rearrange.h"
#include "layout/validate.h"
#include "shape/dimensions.h"
#include "shape/dynamism.h"
#include "shape/layouts.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

// Makes a new shape from one: checks both pointers, runs `make`, and returns the result.
template <class Make>
Status derive(const Shape* shape, Shape** result, Error* err, Make&& make) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require(result, "result", err));
    Ref<Shape> made;
    XLASHAPE_TRY(make(&made));
    *result = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

Status move(const Layout* layout, int64_t dimension, bool to_major, Layout** result, Error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(require(result, "result", err));
    XLASHAPE_TRY(dimension_number(layout->rank(), dimension, &dimension, err));
    *result = move_dimension(*layout, dimension, to_major).leak();
    return XLASHAPE_STATUS_OK;
  });
}

// Asks a question that may need memory. The answer is no where there is not enough.
template <class Ask>
int32_t ask(Ask&& question) {
  int32_t answer = 0;
  (void)guarded(nullptr, [&]() -> Status {
    answer = question();
    return XLASHAPE_STATUS_OK;
  });
  return answer;
}

}  // namespace

extern "C" {

xlashape_element_type xlashape_element_type_complex_component(xlashape_element_type type) {
  return complex_component(type);
}

xlashape_element_type xlashape_element_type_complex(xlashape_element_type type) { return complex_of(type); }

xlashape_element_type xlashape_element_type_integral(int32_t bits, int32_t is_signed) {
  return integral_of(bits, is_signed != 0);
}

xlashape_status xlashape_layout_create_major_to_minor(const int64_t* major_to_minor, int64_t rank,
                                                      xlashape_layout** layout, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_list(major_to_minor, rank, "major_to_minor", "rank", err));
    auto made = Ref<Layout>::adopt(new Layout);
    for (int64_t i = rank; i-- > 0;) made->minor_to_major.push_back(major_to_minor[i]);
    XLASHAPE_TRY(validate_layout(*made, err));
    *layout = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_layout_move_dimension_to_major(const xlashape_layout* layout, int64_t dimension,
                                                        xlashape_layout** result, xlashape_error* err) {
  return move(layout, dimension, true, result, err);
}

xlashape_status xlashape_layout_move_dimension_to_minor(const xlashape_layout* layout, int64_t dimension,
                                                        xlashape_layout** result, xlashape_error* err) {
  return move(layout, dimension, false, result, err);
}

xlashape_status xlashape_layout_delete_dimensions(const xlashape_layout* layout, const int64_t* dimensions,
                                                  int64_t count, xlashape_layout** result, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(require(result, "result", err));
    XLASHAPE_TRY(check_list(dimensions, count, "dimensions", "count", err));
    SmallVec<uint8_t, 32> deleted;
    XLASHAPE_TRY(mark_dimensions(list(dimensions, count), layout->rank(), &deleted, err));
    if (!are_above_tiles(*layout, deleted))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "a tile covers a dimension that is to be deleted");
    *result = without_dimensions(*layout, deleted).leak();
    return XLASHAPE_STATUS_OK;
  });
}

int32_t xlashape_layout_are_dimensions_consecutive(const xlashape_layout* layout, const int64_t* dimensions,
                                                   int64_t count) {
  if (layout == nullptr || check_list(dimensions, count, "", "", nullptr)) return 0;
  return ask([&] { return are_consecutive(*layout, list(dimensions, count)); });
}

int32_t xlashape_shape_has_layout_fields(const xlashape_shape* shape, uint32_t fields) {
  return shape != nullptr && ask([&] { return has_layout_fields(*shape, fields); });
}

xlashape_status xlashape_shape_without_layout_fields(const xlashape_shape* shape, uint32_t fields,
                                                     xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) -> Status {
    XLASHAPE_TRY(check_flags(fields, kFieldFlags, err));
    return without_layout_fields(*shape, fields, made, err);
  });
}

int32_t xlashape_shape_has_all_layouts(const xlashape_shape* shape) {
  return shape != nullptr && ask([&] { return has_all_layouts(*shape); });
}

xlashape_status xlashape_shape_with_default_layouts(const xlashape_shape* shape, xlashape_shape** result,
                                                    xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return with_default_layouts(*shape, made, err); });
}

xlashape_status xlashape_shape_copy_layouts(const xlashape_shape* from, const xlashape_shape* to,
                                            xlashape_shape** result, xlashape_error* err) {
  XLASHAPE_TRY(require(from, "from", err));
  XLASHAPE_TRY(require(to, "to", err));
  return derive(to, result, err, [&](Ref<Shape>* made) { return copy_layouts(*from, *to, made, err); });
}

xlashape_status xlashape_shape_with_packed_elements(const xlashape_shape* shape, xlashape_shape** result,
                                                    xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return with_packed_elements(*shape, made, err); });
}

xlashape_status xlashape_shape_with_element_type(const xlashape_shape* shape, xlashape_element_type type,
                                                 xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return with_element_type(*shape, type, made, err); });
}

xlashape_status xlashape_shape_permute_dimensions(const xlashape_shape* shape, const int64_t* permutation, int64_t rank,
                                                  uint32_t flags, xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) -> Status {
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_PERMUTE_KEEP_LAYOUT, err));
    XLASHAPE_TRY(check_list(permutation, rank, "permutation", "rank", err));
    return permute_dimensions(*shape, list(permutation, rank), flags, made, err);
  });
}

xlashape_status xlashape_shape_to_physical_order(const xlashape_shape* shape, xlashape_shape** result,
                                                 xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return to_physical_order(*shape, made, err); });
}

xlashape_status xlashape_shape_insert_dimensions(const xlashape_shape* shape, int64_t at, const int64_t* sizes,
                                                 int64_t count, uint32_t flags, xlashape_shape** result,
                                                 xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) -> Status {
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_INSERT_MOST_MAJOR, err));
    XLASHAPE_TRY(check_list(sizes, count, "sizes", "count", err));
    return insert_dimensions(*shape, at, list(sizes, count), flags, made, err);
  });
}

xlashape_status xlashape_shape_delete_dimensions(const xlashape_shape* shape, const int64_t* dimensions, int64_t count,
                                                 xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) -> Status {
    XLASHAPE_TRY(check_list(dimensions, count, "dimensions", "count", err));
    return delete_dimensions(*shape, list(dimensions, count), made, err);
  });
}

xlashape_status xlashape_shape_drop_degenerate_dimensions(const xlashape_shape* shape, xlashape_shape** result,
                                                          xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return drop_degenerate_dimensions(*shape, made, err); });
}

int32_t xlashape_shape_has_degenerate_dimensions(const xlashape_shape* shape) {
  return shape != nullptr && has_degenerate_dimensions(*shape);
}

xlashape_status xlashape_shape_with_dimension(const xlashape_shape* shape, int64_t dimension, int64_t size,
                                              int32_t is_dynamic, xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err,
                [&](Ref<Shape>* made) { return with_dimension(*shape, dimension, size, is_dynamic != 0, made, err); });
}

int32_t xlashape_shape_is_effectively_most_major(const xlashape_shape* shape, int64_t dimension) {
  return shape != nullptr && is_effectively_most_major(*shape, dimension);
}

int32_t xlashape_shape_last_dimension_is_most_minor(const xlashape_shape* shape) {
  return shape != nullptr && last_dimension_is_most_minor(*shape);
}

int32_t xlashape_shape_is_untiled(const xlashape_shape* shape) {
  const Shape* array = shape == nullptr ? nullptr : shape->array();
  return array != nullptr && ask([&] { return is_untiled(*array); });
}

int32_t xlashape_byte_strides_are_row_major(xlashape_element_type type, const int64_t* dimensions,
                                            const int64_t* byte_strides, int64_t rank) {
  if (!is_array_type(type) || check_list(dimensions, rank, "", "", nullptr) ||
      check_list(byte_strides, rank, "", "", nullptr))
    return 0;
  return byte_strides_are_row_major(element_type_info(type).storage_bits / 8, list(dimensions, rank),
                                    list(byte_strides, rank));
}

xlashape_status xlashape_shape_to_static(const xlashape_shape* shape, xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) { return to_static(*shape, made, err); });
}

xlashape_status xlashape_shape_with_dynamic_dimensions(const xlashape_shape* shape, const uint8_t* dynamic,
                                                       int64_t rank, xlashape_shape** result, xlashape_error* err) {
  return derive(shape, result, err, [&](Ref<Shape>* made) -> Status {
    XLASHAPE_TRY(check_list(dynamic, rank, "dynamic", "rank", err));
    return with_dynamic_dimensions(*shape, list(dynamic, rank), made, err);
  });
}

int32_t xlashape_shape_is_bounded_dynamic(const xlashape_shape* shape) {
  return shape != nullptr && ask([&] { return is_bounded_dynamic(*shape); });
}

int32_t xlashape_shape_fits_bounds(const xlashape_shape* dynamic, const xlashape_shape* bounds) {
  return dynamic != nullptr && bounds != nullptr && ask([&] { return fits_bounds(*dynamic, *bounds); });
}

}  // extern "C"
