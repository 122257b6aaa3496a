// SPDX-License-Identifier: Apache-2.0
// Written by bindings/rust/generate.py from bindings/abi/xlashape.abi.json: do not edit.

use super::call::{list, new, static_text, text, value};
use super::handle::{optional, pointers, Counted, Handle};
use crate::Result;
use xlashape_sys as sys;

handles! {
    Shape = xlashape_shape, xlashape_shape_retain, xlashape_shape_release;
    IndexMap = xlashape_index_map, xlashape_index_map_retain, xlashape_index_map_release;
    Runtime = xlashape_runtime, xlashape_runtime_retain, xlashape_runtime_release;
    Layout = xlashape_layout, xlashape_layout_retain, xlashape_layout_release;
    Plan = xlashape_plan, xlashape_plan_retain, xlashape_plan_release;
    IndexPlan = xlashape_index_plan, xlashape_index_plan_retain, xlashape_index_plan_release;
    ProgramShape = xlashape_program_shape, xlashape_program_shape_retain, xlashape_program_shape_release;
}

calls! {
    word xlashape_version() -> Option<&'static str> = ();
    plain xlashape_abi_version() -> u32 = ();
    plain xlashape_xla_version() -> u32 = ();
    word xlashape_build_info() -> Option<&'static str> = ();
    word xlashape_status_name(status: sys::xlashape_status) -> Option<&'static str> = (status);
    new xlashape_shape_parse(text: &str, flags: u32) -> Shape = (text.as_ptr().cast(), text.len() as _, flags);
    text xlashape_shape_print(shape: &Shape, flags: u32) -> String = (shape.get(), flags);
    value xlashape_shape_byte_size(shape: &Shape, pointer_size: i64, flags: u32) -> i64 =
        (shape.get(), pointer_size, flags);
    new xlashape_index_map_create(shape: &Shape) -> IndexMap = (shape.get());
    word xlashape_element_type_name(r#type: sys::xlashape_element_type) -> Option<&'static str> = (r#type);
    value xlashape_element_type_from_name(name: &str) -> sys::xlashape_element_type =
        (name.as_ptr().cast(), name.len() as _);
    plain xlashape_element_type_bits(r#type: sys::xlashape_element_type) -> i32 = (r#type);
    plain xlashape_element_type_storage_bits(r#type: sys::xlashape_element_type) -> i32 = (r#type);
    plain xlashape_element_type_classes(r#type: sys::xlashape_element_type) -> u32 = (r#type);
    value xlashape_element_type_float_format(r#type: sys::xlashape_element_type) -> sys::xlashape_float_format =
        (r#type);
    flag xlashape_element_type_cast_preserves_values(
        from: sys::xlashape_element_type,
        to: sys::xlashape_element_type,
    ) -> bool =
        (from, to);
    list xlashape_padding_element(r#type: sys::xlashape_element_type, value: sys::xlashape_padding_value) -> Vec<u8> =
        (r#type, value);
    new xlashape_layout_create_row_major(rank: i64) -> Layout = (rank);
    new xlashape_layout_create_column_major(rank: i64) -> Layout = (rank);
    plain xlashape_layout_rank(layout: &Layout) -> i64 = (layout.get());
    list xlashape_layout_minor_to_major(layout: &Layout) -> Vec<i64> = (layout.get());
    list xlashape_layout_logical_to_physical(layout: &Layout) -> Vec<i64> = (layout.get());
    list xlashape_layout_padded_dimensions(layout: &Layout) -> Vec<i64> = (layout.get());
    plain xlashape_layout_padding_value(layout: &Layout) -> sys::xlashape_padding_value = (layout.get());
    plain xlashape_layout_tile_count(layout: &Layout) -> i64 = (layout.get());
    list xlashape_layout_tile(layout: &Layout, level: i64) -> Vec<i64> = (layout.get(), level);
    plain xlashape_layout_element_size_in_bits(layout: &Layout) -> i64 = (layout.get());
    plain xlashape_layout_tail_padding_alignment_in_elements(layout: &Layout) -> i64 = (layout.get());
    plain xlashape_layout_memory_space(layout: &Layout) -> i64 = (layout.get());
    plain xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout: &Layout) -> i64 = (layout.get());
    plain xlashape_layout_split_count(layout: &Layout) -> i64 = (layout.get());
    flag xlashape_layout_equal(a: &Layout, b: &Layout, mask: u32) -> bool = (a.get(), b.get(), mask);
    plain xlashape_layout_hash(layout: &Layout, mask: u32) -> u64 = (layout.get(), mask);
    new xlashape_shape_create_tuple(elements: &[&Shape]) -> Shape = (pointers(elements).as_ptr(), elements.len() as _);
    new xlashape_shape_create_token() -> Shape = ();
    new xlashape_shape_create_opaque() -> Shape = ();
    new xlashape_shape_create_buffer(array: &Shape) -> Shape = (array.get());
    new xlashape_shape_with_layout(shape: &Shape, layout: Option<&Layout>) -> Shape = (shape.get(), optional(layout));
    plain xlashape_shape_category(shape: &Shape) -> sys::xlashape_category = (shape.get());
    plain xlashape_shape_element_type(shape: &Shape) -> sys::xlashape_element_type = (shape.get());
    plain xlashape_shape_rank(shape: &Shape) -> i64 = (shape.get());
    list xlashape_shape_dimensions(shape: &Shape) -> Vec<i64> = (shape.get());
    list xlashape_shape_dynamic_dimensions(shape: &Shape) -> Vec<u8> = (shape.get());
    flag xlashape_shape_is_dynamic(shape: &Shape) -> bool = (shape.get());
    flag xlashape_shape_is_unbounded(shape: &Shape) -> bool = (shape.get());
    flag xlashape_shape_has_layout(shape: &Shape) -> bool = (shape.get());
    new xlashape_shape_layout(shape: &Shape) -> Layout = (shape.get());
    plain xlashape_shape_tuple_element_count(shape: &Shape) -> i64 = (shape.get());
    new xlashape_shape_tuple_element(shape: &Shape, index: i64) -> Shape = (shape.get(), index);
    new xlashape_shape_subshape(shape: &Shape, path: &[i64]) -> Shape = (shape.get(), path.as_ptr(), path.len() as _);
    plain xlashape_shape_leaf_count(shape: &Shape) -> i64 = (shape.get());
    flag xlashape_shape_equal(a: &Shape, b: &Shape, mask: u32) -> bool = (a.get(), b.get(), mask);
    flag xlashape_shape_compatible(a: &Shape, b: &Shape, mask: u32) -> bool = (a.get(), b.get(), mask);
    plain xlashape_shape_hash(shape: &Shape, mask: u32) -> u64 = (shape.get(), mask);
    new xlashape_layout_parse(text: &str, flags: u32) -> Layout = (text.as_ptr().cast(), text.len() as _, flags);
    text xlashape_layout_print(layout: &Layout, flags: u32) -> String = (layout.get(), flags);
    text xlashape_layout_print_tile(layout: &Layout, level: i64) -> String = (layout.get(), level);
    text xlashape_layout_print_split(layout: &Layout, split: i64) -> String = (layout.get(), split);
    list xlashape_shape_to_proto(shape: &Shape, flags: u32) -> Vec<u8> = (shape.get(), flags);
    new xlashape_shape_from_proto(bytes: &[u8], flags: u32) -> Shape = (bytes.as_ptr(), bytes.len() as _, flags);
    list xlashape_layout_to_proto(layout: &Layout, flags: u32) -> Vec<u8> = (layout.get(), flags);
    new xlashape_layout_from_proto(bytes: &[u8], flags: u32) -> Layout = (bytes.as_ptr(), bytes.len() as _, flags);
    value xlashape_shape_sizes(shape: &Shape) -> sys::xlashape_sizes = (shape.get());
    value xlashape_shape_element_count(shape: &Shape) -> i64 = (shape.get());
    list xlashape_shape_strides(shape: &Shape, unit: sys::xlashape_unit) -> Vec<i64> = (shape.get(), unit);
    plain xlashape_index_map_rank(map: &IndexMap) -> i64 = (map.get());
    plain xlashape_index_map_storage_elements(map: &IndexMap) -> i64 = (map.get());
    value xlashape_plan_get_requirements(plan: &Plan) -> sys::xlashape_plan_requirements = (plan.get());
    text xlashape_plan_describe(plan: &Plan) -> String = (plan.get());
    list xlashape_shape_piece_granularity(shape: &Shape) -> Vec<i64> = (shape.get());
    text xlashape_index_plan_describe(plan: &IndexPlan) -> String = (plan.get());
    text xlashape_runtime_report(runtime: Option<&Runtime>) -> String = (optional(runtime));
    plain xlashape_runtime_backend_count(runtime: Option<&Runtime>) -> i64 = (optional(runtime));
    value xlashape_runtime_backend_info(runtime: Option<&Runtime>, ordinal: i64) -> sys::xlashape_backend_info =
        (optional(runtime), ordinal);
    text xlashape_runtime_backend_text(runtime: Option<&Runtime>, ordinal: i64, which: i32) -> String =
        (optional(runtime), ordinal, which);
    text xlashape_runtime_device_text(runtime: Option<&Runtime>, ordinal: i64, device: i32) -> String =
        (optional(runtime), ordinal, device);
    plain xlashape_plan_task_count(plan: &Plan, workers: i64) -> i64 = (plan.get(), workers);
    list xlashape_shape_window_granularity(shape: &Shape) -> Vec<i64> = (shape.get());
    text xlashape_runtime_profile_path(runtime: Option<&Runtime>) -> String = (optional(runtime));
    text xlashape_runtime_export_wisdom(runtime: Option<&Runtime>) -> String = (optional(runtime));
    value xlashape_runtime_import_wisdom(runtime: Option<&Runtime>, text: &str) -> i64 =
        (optional(runtime), text.as_ptr().cast(), text.len() as _);
    plain xlashape_runtime_forget_wisdom(runtime: Option<&Runtime>) -> () = (optional(runtime));
    value xlashape_plan_predict(plan: &Plan) -> i64 = (plan.get());
    plain xlashape_element_type_complex_component(r#type: sys::xlashape_element_type) -> sys::xlashape_element_type =
        (r#type);
    plain xlashape_element_type_complex(r#type: sys::xlashape_element_type) -> sys::xlashape_element_type = (r#type);
    plain xlashape_element_type_integral(bits: i32, is_signed: i32) -> sys::xlashape_element_type = (bits, is_signed);
    new xlashape_layout_create_major_to_minor(major_to_minor: &[i64]) -> Layout =
        (major_to_minor.as_ptr(), major_to_minor.len() as _);
    new xlashape_layout_move_dimension_to_major(layout: &Layout, dimension: i64) -> Layout = (layout.get(), dimension);
    new xlashape_layout_move_dimension_to_minor(layout: &Layout, dimension: i64) -> Layout = (layout.get(), dimension);
    new xlashape_layout_delete_dimensions(layout: &Layout, dimensions: &[i64]) -> Layout =
        (layout.get(), dimensions.as_ptr(), dimensions.len() as _);
    flag xlashape_layout_are_dimensions_consecutive(layout: &Layout, dimensions: &[i64]) -> bool =
        (layout.get(), dimensions.as_ptr(), dimensions.len() as _);
    flag xlashape_shape_has_layout_fields(shape: &Shape, fields: u32) -> bool = (shape.get(), fields);
    new xlashape_shape_without_layout_fields(shape: &Shape, fields: u32) -> Shape = (shape.get(), fields);
    flag xlashape_shape_has_all_layouts(shape: &Shape) -> bool = (shape.get());
    new xlashape_shape_with_default_layouts(shape: &Shape) -> Shape = (shape.get());
    new xlashape_shape_copy_layouts(from: &Shape, to: &Shape) -> Shape = (from.get(), to.get());
    new xlashape_shape_with_packed_elements(shape: &Shape) -> Shape = (shape.get());
    new xlashape_shape_with_element_type(shape: &Shape, r#type: sys::xlashape_element_type) -> Shape =
        (shape.get(), r#type);
    new xlashape_shape_permute_dimensions(shape: &Shape, permutation: &[i64], flags: u32) -> Shape =
        (shape.get(), permutation.as_ptr(), permutation.len() as _, flags);
    new xlashape_shape_to_physical_order(shape: &Shape) -> Shape = (shape.get());
    new xlashape_shape_insert_dimensions(shape: &Shape, at: i64, sizes: &[i64], flags: u32) -> Shape =
        (shape.get(), at, sizes.as_ptr(), sizes.len() as _, flags);
    new xlashape_shape_delete_dimensions(shape: &Shape, dimensions: &[i64]) -> Shape =
        (shape.get(), dimensions.as_ptr(), dimensions.len() as _);
    new xlashape_shape_drop_degenerate_dimensions(shape: &Shape) -> Shape = (shape.get());
    flag xlashape_shape_has_degenerate_dimensions(shape: &Shape) -> bool = (shape.get());
    new xlashape_shape_with_dimension(shape: &Shape, dimension: i64, size: i64, is_dynamic: i32) -> Shape =
        (shape.get(), dimension, size, is_dynamic);
    flag xlashape_shape_is_effectively_most_major(shape: &Shape, dimension: i64) -> bool = (shape.get(), dimension);
    flag xlashape_shape_last_dimension_is_most_minor(shape: &Shape) -> bool = (shape.get());
    flag xlashape_shape_is_untiled(shape: &Shape) -> bool = (shape.get());
    new xlashape_shape_to_static(shape: &Shape) -> Shape = (shape.get());
    new xlashape_shape_with_dynamic_dimensions(shape: &Shape, dynamic: &[u8]) -> Shape =
        (shape.get(), dynamic.as_ptr(), dynamic.len() as _);
    flag xlashape_shape_is_bounded_dynamic(shape: &Shape) -> bool = (shape.get());
    flag xlashape_shape_fits_bounds(dynamic: &Shape, bounds: &Shape) -> bool = (dynamic.get(), bounds.get());
    value xlashape_shape_static_element_count(shape: &Shape) -> i64 = (shape.get());
    value xlashape_shape_element_count_recursive(shape: &Shape) -> i64 = (shape.get());
    value xlashape_shape_byte_size_recursive(shape: &Shape) -> i64 = (shape.get());
    value xlashape_shape_max_elements_per_split(shape: &Shape) -> i64 = (shape.get());
    flag xlashape_shape_has_element_type(shape: &Shape, r#type: sys::xlashape_element_type) -> bool =
        (shape.get(), r#type);
    flag xlashape_shape_leaves_have_classes(shape: &Shape, classes: u32) -> bool = (shape.get(), classes);
    plain xlashape_shape_subshape_count(shape: &Shape) -> i64 = (shape.get());
    flag xlashape_shape_is_prefix(prefix: &Shape, shape: &Shape, mask: u32) -> bool = (prefix.get(), shape.get(), mask);
    new xlashape_shape_slice_tuple(tuple: &Shape, first: i64, limit: i64) -> Shape = (tuple.get(), first, limit);
    new xlashape_shape_append_to_tuple(tuple: &Shape, element: &Shape) -> Shape = (tuple.get(), element.get());
    new xlashape_shape_replace_subshape(shape: &Shape, path: &[i64], subshape: &Shape) -> Shape =
        (shape.get(), path.as_ptr(), path.len() as _, subshape.get());
    new xlashape_shape_flatten_tuple(shape: &Shape) -> Shape = (shape.get());
    plain xlashape_program_shape_parameter_count(program: &ProgramShape) -> i64 = (program.get());
    new xlashape_program_shape_parameter(program: &ProgramShape, index: i64) -> Shape = (program.get(), index);
    text xlashape_program_shape_parameter_name(program: &ProgramShape, index: i64) -> String = (program.get(), index);
    new xlashape_program_shape_result(program: &ProgramShape) -> Shape = (program.get());
    text xlashape_program_shape_print(program: &ProgramShape, flags: u32) -> String = (program.get(), flags);
    flag xlashape_program_shape_has_all_layouts(program: &ProgramShape) -> bool = (program.get());
    new xlashape_program_shape_with_default_layouts(program: &ProgramShape) -> ProgramShape = (program.get());
    new xlashape_program_shape_without_layout_fields(program: &ProgramShape, fields: u32) -> ProgramShape =
        (program.get(), fields);
    flag xlashape_program_shape_equal(a: &ProgramShape, b: &ProgramShape, mask: u32) -> bool = (a.get(), b.get(), mask);
    flag xlashape_layout_is_dim0_major(layout: &Layout) -> bool = (layout.get());
    flag xlashape_layout_is_dim0_minor(layout: &Layout) -> bool = (layout.get());
    plain xlashape_shape_true_rank(shape: &Shape) -> i64 = (shape.get());
    flag xlashape_shape_is_effective_scalar(shape: &Shape) -> bool = (shape.get());
    value xlashape_shape_max_split_size(shape: &Shape, dimension: i64) -> i64 = (shape.get(), dimension);
    value xlashape_dimension_number(rank: i64, dimension: i64) -> i64 = (rank, dimension);
    plain xlashape_dimension_letter(rank: i64, dimension: i64) -> i32 = (rank, dimension);
    value xlashape_dimension_from_letter(rank: i64, letter: i32) -> i64 = (rank, letter);
    flag xlashape_shape_index_in_bounds(shape: &Shape, index: &[i64]) -> bool =
        (shape.get(), index.as_ptr(), index.len() as _);
    flag xlashape_shape_reshape_is_bitcast(a: &Shape, b: &Shape, flags: u32) -> bool = (a.get(), b.get(), flags);
    flag xlashape_shape_transpose_is_bitcast(a: &Shape, b: &Shape, permutation: &[i64], flags: u32) -> bool =
        (a.get(), b.get(), permutation.as_ptr(), permutation.len() as _, flags);
    flag xlashape_shape_is_reshape_or_transpose_bitcast(a: &Shape, b: &Shape, flags: u32) -> bool =
        (a.get(), b.get(), flags);
    list xlashape_shape_deduce_transpose(a: &Shape, b: &Shape, flags: u32) -> Vec<i64> = (a.get(), b.get(), flags);
    new xlashape_shape_align_layouts(shape: &Shape, dimensions: &[i64], flags: u32) -> Layout =
        (shape.get(), dimensions.as_ptr(), dimensions.len() as _, flags);
    list xlashape_common_factors(a: &[i64], b: &[i64]) -> Vec<i64> =
        (a.as_ptr(), a.len() as _, b.as_ptr(), b.len() as _);
    list xlashape_dimensions_unmodified_by_reshape(a: &[i64], b: &[i64]) -> Vec<i64> =
        (a.as_ptr(), a.len() as _, b.as_ptr(), b.len() as _);
    list xlashape_program_shape_to_proto(program: &ProgramShape, flags: u32) -> Vec<u8> = (program.get(), flags);
    new xlashape_program_shape_from_proto(bytes: &[u8], flags: u32) -> ProgramShape =
        (bytes.as_ptr(), bytes.len() as _, flags);
    list xlashape_path_to_proto(path: &[i64]) -> Vec<u8> = (path.as_ptr(), path.len() as _);
    list xlashape_path_from_proto(bytes: &[u8]) -> Vec<i64> = (bytes.as_ptr(), bytes.len() as _);
    plain xlashape_element_type_to_pjrt(r#type: sys::xlashape_element_type) -> i32 = (r#type);
    plain xlashape_element_type_from_pjrt(number: i32) -> sys::xlashape_element_type = (number);
    value xlashape_element_type_read(name: &str) -> sys::xlashape_element_type =
        (name.as_ptr().cast(), name.len() as _);
    text xlashape_shape_print_as(shape: &Shape, notation: sys::xlashape_notation, flags: u32) -> String =
        (shape.get(), notation, flags);
    plain xlashape_target_count() -> i64 = ();
    word xlashape_target_name(target: sys::xlashape_target) -> Option<&'static str> = (target);
    value xlashape_target_from_name(name: &str) -> sys::xlashape_target = (name.as_ptr().cast(), name.len() as _);
    value xlashape_target_properties(target: sys::xlashape_target) -> sys::xlashape_target_info = (target);
    value xlashape_target_tuple_bytes(target: sys::xlashape_target, elements: i64) -> i64 = (target, elements);
    text xlashape_target_memory_space_name(target: sys::xlashape_target, memory_space: i64) -> String =
        (target, memory_space);
    new xlashape_shape_for_target(shape: &Shape, target: sys::xlashape_target, flags: u32) -> Shape =
        (shape.get(), target, flags);
}
