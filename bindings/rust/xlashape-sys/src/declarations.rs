// SPDX-License-Identifier: Apache-2.0
// Written by bindings/rust/generate.py from bindings/abi/xlashape.abi.json: do not edit.

use crate::*;
use core::ffi::c_void;

pub const XLASHAPE_VERSION_MAJOR: i32 = 0;
pub const XLASHAPE_VERSION_MINOR: i32 = 1;
pub const XLASHAPE_VERSION_PATCH: i32 = 0;
pub const XLASHAPE_ABI_VERSION: u32 = 1;
pub const XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT: u32 = 1;
pub const XLASHAPE_PRINT_WITHOUT_LAYOUT: u32 = 1;
pub const XLASHAPE_PRINT_STRICT: u32 = 2;
pub const XLASHAPE_SIZE_XLA: u32 = 1;
pub const XLASHAPE_UNCHECKED: i32 = -1;
pub const XLASHAPE_CLASS_ARRAY: u32 = 1;
pub const XLASHAPE_CLASS_FLOAT: u32 = 2;
pub const XLASHAPE_CLASS_INTEGRAL: u32 = 4;
pub const XLASHAPE_CLASS_SIGNED: u32 = 8;
pub const XLASHAPE_CLASS_UNSIGNED: u32 = 0x10;
pub const XLASHAPE_CLASS_COMPLEX: u32 = 0x20;
pub const XLASHAPE_CLASS_SUB_BYTE: u32 = 0x40;
pub const XLASHAPE_CLASS_F8: u32 = 0x80;
pub const XLASHAPE_CLASS_F6: u32 = 0x100;
pub const XLASHAPE_CLASS_MX: u32 = 0x200;
pub const XLASHAPE_COMBINE_DIMENSION: i64 = i64::MIN;
pub const XLASHAPE_MATCH_DIMENSION: i64 = -9223372036854775807;
pub const XLASHAPE_LAYOUT_SPACE_DEFAULT: i32 = 0;
pub const XLASHAPE_LAYOUT_SPACE_GENERIC_FAST: i32 = 1;
pub const XLASHAPE_LAYOUT_SPACE_HOST: i32 = 5;
pub const XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST: i32 = 6;
pub const XLASHAPE_LAYOUT_SPACE_COLLECTIVE: i32 = 7;
pub const XLASHAPE_PAD_INVALID: i32 = 0;
pub const XLASHAPE_PAD_ZERO: i32 = 1;
pub const XLASHAPE_PAD_ONE: i32 = 2;
pub const XLASHAPE_PAD_LOWEST: i32 = 3;
pub const XLASHAPE_PAD_HIGHEST: i32 = 4;
pub const XLASHAPE_PAD_UNKNOWN: i32 = 5;
pub const XLASHAPE_EQUAL_IGNORE_LAYOUT: u32 = 1;
pub const XLASHAPE_EQUAL_IGNORE_TILES: u32 = 2;
pub const XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE: u32 = 4;
pub const XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE: u32 = 8;
pub const XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT: u32 = 0x10;
pub const XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS: u32 = 0x20;
pub const XLASHAPE_EQUAL_IGNORE_PADDING: u32 = 0x40;
pub const XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY: u32 = 0x80;
pub const XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE: u32 = 0x100;
pub const XLASHAPE_EQUAL_IGNORE_FP_PRECISION: u32 = 0x200;
pub const XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION: u32 = 0x400;
pub const XLASHAPE_EQUAL_IGNORE_DIMENSIONS: u32 = 0x800;
pub const XLASHAPE_EQUAL_IGNORE_BUFFER: u32 = 0x1000;
pub const XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX: u32 = 0x2000;
pub const XLASHAPE_EQUAL_XLA: u32 = 0x2000;
pub const XLASHAPE_DIMENSION_UNBOUNDED: i64 = i64::MIN;
pub const XLASHAPE_MAX_DEPTH: i32 = 8192;
pub const XLASHAPE_CATEGORY_ARRAY: i32 = 1;
pub const XLASHAPE_CATEGORY_TUPLE: i32 = 2;
pub const XLASHAPE_CATEGORY_TOKEN: i32 = 3;
pub const XLASHAPE_CATEGORY_OPAQUE: i32 = 4;
pub const XLASHAPE_CATEGORY_BUFFER: i32 = 5;
pub const XLASHAPE_UNIT_ELEMENTS: i32 = 0;
pub const XLASHAPE_UNIT_BYTES: i32 = 1;
pub const XLASHAPE_UNIT_BITS: i32 = 2;
pub const XLASHAPE_PLAN_ALLOW_FALLBACK: u32 = 1;
pub const XLASHAPE_PLAN_KEEP_IN_CACHE: u32 = 2;
pub const XLASHAPE_PLAN_IN_PLACE: u32 = 4;
pub const XLASHAPE_PLAN_CONVERT: u32 = 8;
pub const XLASHAPE_PLAN_SATURATE: u32 = 0x10;
pub const XLASHAPE_PLAN_SRC_HIGH_FIRST: u32 = 0x20;
pub const XLASHAPE_PLAN_DST_HIGH_FIRST: u32 = 0x40;
pub const XLASHAPE_CONVERSION_TO_LINEAR: i32 = 1;
pub const XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL: i32 = 2;
pub const XLASHAPE_RUNTIME_NO_ENVIRONMENT: u32 = 1;
pub const XLASHAPE_RUNTIME_NO_LIBRARY_DIR: u32 = 2;
pub const XLASHAPE_RUNTIME_NO_INSTALL_DIR: u32 = 4;
pub const XLASHAPE_RUNTIME_LOAD_NOW: u32 = 8;
pub const XLASHAPE_THREADS_ALL: i32 = -1;
pub const XLASHAPE_BACKEND_STATE_NOT_LOADED: i32 = 0;
pub const XLASHAPE_BACKEND_STATE_LOADING: i32 = 1;
pub const XLASHAPE_BACKEND_STATE_READY: i32 = 2;
pub const XLASHAPE_BACKEND_STATE_FAILED: i32 = 3;
pub const XLASHAPE_BACKEND_TEXT_NAME: i32 = 1;
pub const XLASHAPE_BACKEND_TEXT_PATH: i32 = 2;
pub const XLASHAPE_BACKEND_TEXT_DETAIL: i32 = 3;
pub const XLASHAPE_PROFILE_BYTES: i32 = 65536;
pub const XLASHAPE_LAYOUT_FIELD_ALL: u32 = 1;
pub const XLASHAPE_LAYOUT_FIELD_TILES: u32 = 2;
pub const XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE: u32 = 4;
pub const XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE: u32 = 8;
pub const XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT: u32 = 0x10;
pub const XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS: u32 = 0x20;
pub const XLASHAPE_LAYOUT_FIELD_PADDING: u32 = 0x40;
pub const XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX: u32 = 0x80;
pub const XLASHAPE_LAYOUT_FIELD_OF_DEVICE: u32 = 0x80000000;
pub const XLASHAPE_PERMUTE_KEEP_LAYOUT: u32 = 1;
pub const XLASHAPE_INSERT_MOST_MAJOR: u32 = 1;
pub const XLASHAPE_VISIT_LEAVES: u32 = 1;
pub const XLASHAPE_VISIT_POST_ORDER: u32 = 2;
pub const XLASHAPE_VISIT_MISSING_LAYOUTS: u32 = 4;
pub const XLASHAPE_EQUAL_STRUCTURE_ONLY: u32 = 0x4000;
pub const XLASHAPE_BITCAST_XLA: u32 = 1;
pub const XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE: u32 = 2;
pub const XLASHAPE_BITCAST_KIND_RESHAPE: i32 = 1;
pub const XLASHAPE_BITCAST_KIND_TRANSPOSE: i32 = 2;
pub const XLASHAPE_BITCAST_KIND_TRT: i32 = 3;
pub const XLASHAPE_STRIDES_COMPACT: u32 = 2;
pub const XLASHAPE_PJRT_STRIDES: u32 = 1;
pub const XLASHAPE_PJRT_DROP: u32 = 2;
pub const XLASHAPE_DLPACK_SUB_BYTE_PADDED: u32 = 0x100;
pub const XLASHAPE_NOTATION_MLIR: i32 = 1;
pub const XLASHAPE_NOTATION_MEMREF: i32 = 2;
pub const XLASHAPE_NOTATION_CUTE: i32 = 3;
pub const XLASHAPE_NOTATION_NUMPY: i32 = 4;
pub const XLASHAPE_NOTATION_ONEDNN: i32 = 5;
pub const XLASHAPE_NOTATION_PACK: i32 = 6;
pub const XLASHAPE_NOTATION_JAX: i32 = 7;
pub const XLASHAPE_TARGET_KEEP_ORDER: u32 = 1;

pub type xlashape_padding_value = i32;
pub type xlashape_category = i32;
pub type xlashape_unit = i32;
pub type xlashape_index_conversion = i32;
pub type xlashape_bitcast_kind = i32;
pub type xlashape_notation = i32;
pub type xlashape_target = i32;

handles! {
    xlashape_shape,
    xlashape_index_map,
    xlashape_runtime,
    xlashape_layout,
    xlashape_plan,
    xlashape_index_plan,
    xlashape_program_shape
}

structs! {
    xlashape_float_format of 40, 40 {
        struct_size: u32,
        significand_width: i32,
        exponent_width: i32,
        exponent_bias: i32,
        underflow_exponent: i32,
        overflow_exponent: i32,
        has_infinity: i32,
        has_nan: i32,
        has_negative_zero: i32,
        has_positive_zero: i32,
    }

    xlashape_layout_spec of 120, 92 | 96 {
        struct_size: u32,
        padding_value: xlashape_padding_value,
        rank: i64,
        minor_to_major: *const i64,
        padded_dimensions: *const i64,
        tile_count: i64,
        tile_ranks: *const i64,
        tile_dimensions: *const i64,
        element_size_in_bits: i64,
        tail_padding_alignment_in_elements: i64,
        memory_space: i64,
        split_count: i64,
        split_dimensions: *const i64,
        split_sizes: *const i64,
        split_indices: *const i64,
        dynamic_shape_metadata_prefix_bytes: i64,
    }

    xlashape_sizes of 72, 72 {
        struct_size: u32,
        element_bits: i32,
        elements: i64,
        storage_elements: i64,
        logical_bytes: i64,
        bytes: i64,
        xla_bytes: i64,
        data_bytes: i64,
        dimension_padding: i64,
        tail_padding: i64,
    }

    xlashape_relayout_options of 136, 96 {
        struct_size: u32,
        flags: u32,
        fill_policy: xlashape_fill_policy,
        src_space: xlashape_memory_space,
        dst_space: xlashape_memory_space,
        device: i32,
        backend: *const c_char,
        src_byte_strides: *const i64,
        dst_byte_strides: *const i64,
        src_base: *const i64,
        dst_base: *const i64,
        extent: *const i64,
        scale_count: i64,
        scale: *const f32,
        zero_point: *const i32,
        scale_dimension: i64,
        src_element_strides: *const i64,
        dst_element_strides: *const i64,
        src_first_element: i64,
        dst_first_element: i64,
    }

    xlashape_plan_requirements of 104, 104 {
        struct_size: u32,
        reserved: i32,
        src_low: i64,
        src_high: i64,
        dst_low: i64,
        dst_high: i64,
        src_alignment: i64,
        dst_alignment: i64,
        src_preferred_alignment: i64,
        dst_preferred_alignment: i64,
        scratch_bytes: i64,
        scratch_alignment: i64,
        stack_bytes: i64,
        plan_bytes: i64,
    }

    xlashape_index_options of 48, 44 | 48 {
        struct_size: u32,
        flags: u32,
        src_space: xlashape_memory_space,
        dst_space: xlashape_memory_space,
        device: i32,
        reserved: i32,
        backend: *const c_char,
        index_step: i64,
        dimension_step: i64,
    }

    xlashape_allocator of 40, 24 {
        struct_size: u32,
        reserved: u32,
        opaque: *mut c_void,
        alloc: Option<unsafe extern "C" fn(opaque: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
        free: Option<unsafe extern "C" fn(opaque: *mut c_void, pointer: *mut c_void, size: usize, alignment: usize)>,
        release: xlashape_release_fn,
    }

    xlashape_logger of 32, 20 {
        struct_size: u32,
        reserved: u32,
        opaque: *mut c_void,
        log: Option<
            unsafe extern "C" fn(opaque: *mut c_void, level: i32, source: u32, text: *const c_char, text_len: i64),
        >,
        release: xlashape_release_fn,
    }

    xlashape_runtime_options of 96, 60 | 64 {
        struct_size: u32,
        flags: u32,
        backend_dirs: *const c_char,
        executor: *const xlashape_executor,
        allocator: *const xlashape_allocator,
        logger: *const xlashape_logger,
        threads: i32,
        reserved: i32,
        verify_count: i64,
        backend: *const c_char,
        denied_backends: *const c_char,
        cpu: *const c_char,
        backend_options: *const c_char,
        profile: *const c_char,
    }

    xlashape_backend_info of 32, 32 {
        struct_size: u32,
        state: i32,
        abi_version: u32,
        priority: i32,
        device_count: i32,
        reserved: i32,
        memory_spaces: u64,
    }

    xlashape_execute_options of 144, 128 | 136 {
        struct_size: u32,
        flags: u32,
        queue: xlashape_queue,
        src: u64,
        dst: u64,
        src_byte_offset: i64,
        dst_byte_offset: i64,
        src_bytes: i64,
        dst_bytes: i64,
        task_begin: i64,
        task_end: i64,
        task_count: i64,
        executor: *const xlashape_executor,
        scratch: u64,
        scratch_bytes: i64,
        cancel: *const i32,
        progress: xlashape_progress_fn,
        progress_opaque: *mut c_void,
    }

    xlashape_window of 48, 44 | 48 {
        struct_size: u32,
        reserved: u32,
        shape: *mut xlashape_shape,
        byte_offset: i64,
        bytes: i64,
        run_bytes: i64,
        run_count: i64,
    }

    xlashape_slabs of 48, 48 {
        struct_size: u32,
        reserved: u32,
        count: i64,
        src_bytes: i64,
        dst_bytes: i64,
        src_runs: i64,
        dst_runs: i64,
    }

    xlashape_calibrate_options of 40, 28 | 32 {
        struct_size: u32,
        flags: u32,
        budget_ns: i64,
        progress: xlashape_progress_fn,
        progress_opaque: *mut c_void,
        cancel: *const i32,
    }

    xlashape_measure_options of 32, 32 {
        struct_size: u32,
        flags: u32,
        budget_ns: i64,
        src: u64,
        dst: u64,
    }

    xlashape_bitcast_steps of 56, 40 | 48 {
        struct_size: u32,
        kind: xlashape_bitcast_kind,
        transpose1: *mut i64,
        transpose1_capacity: i64,
        transpose2: *mut i64,
        transpose2_capacity: i64,
        reshape_from: *mut xlashape_shape,
        reshape_to: *mut xlashape_shape,
    }

    xlashape_target_info of 24, 24 {
        struct_size: u32,
        lanes: i32,
        sublanes: i32,
        pointer_bytes: i32,
        tuple_alignment: i32,
        reserved: i32,
    }
}

extern "C" {
    pub fn xlashape_version() -> *const c_char;
    pub fn xlashape_abi_version() -> u32;
    pub fn xlashape_xla_version() -> u32;
    pub fn xlashape_build_info() -> *const c_char;
    pub fn xlashape_get_extension(name: *const c_char, name_len: i64) -> *const c_void;
    pub fn xlashape_status_name(status: xlashape_status) -> *const c_char;
    pub fn xlashape_shape_parse(
        text: *const c_char,
        text_len: i64,
        flags: u32,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_print(
        shape: *const xlashape_shape,
        flags: u32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_release(shape: *mut xlashape_shape);
    pub fn xlashape_shape_byte_size(
        shape: *const xlashape_shape,
        pointer_size: i64,
        flags: u32,
        bytes: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_map_create(
        shape: *const xlashape_shape,
        map: *mut *mut xlashape_index_map,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_map_linear_index(
        map: *const xlashape_index_map,
        index: *const i64,
        rank: i64,
        linear: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_map_release(map: *mut xlashape_index_map);
    pub fn xlashape_relayout(
        runtime: *mut xlashape_runtime,
        src_shape: *const xlashape_shape,
        src: *const c_void,
        src_bytes: i64,
        dst_shape: *const xlashape_shape,
        dst: *mut c_void,
        dst_bytes: i64,
        options: *const xlashape_relayout_options,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_name(r#type: xlashape_element_type) -> *const c_char;
    pub fn xlashape_element_type_from_name(
        name: *const c_char,
        name_len: i64,
        r#type: *mut xlashape_element_type,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_bits(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_storage_bits(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_classes(r#type: xlashape_element_type) -> u32;
    pub fn xlashape_element_type_float_format(
        r#type: xlashape_element_type,
        format: *mut xlashape_float_format,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_cast_preserves_values(from: xlashape_element_type, to: xlashape_element_type) -> i32;
    pub fn xlashape_padding_element(
        r#type: xlashape_element_type,
        value: xlashape_padding_value,
        bytes: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_create(
        spec: *const xlashape_layout_spec,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_create_row_major(
        rank: i64,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_create_column_major(
        rank: i64,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_retain(layout: *const xlashape_layout) -> *mut xlashape_layout;
    pub fn xlashape_layout_release(layout: *mut xlashape_layout);
    pub fn xlashape_layout_rank(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_minor_to_major(
        layout: *const xlashape_layout,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_logical_to_physical(
        layout: *const xlashape_layout,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_padded_dimensions(
        layout: *const xlashape_layout,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_padding_value(layout: *const xlashape_layout) -> xlashape_padding_value;
    pub fn xlashape_layout_tile_count(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_tile(
        layout: *const xlashape_layout,
        level: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_element_size_in_bits(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_tail_padding_alignment_in_elements(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_memory_space(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_split_count(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_split(
        layout: *const xlashape_layout,
        split: i64,
        dimension: *mut i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_get_spec(
        layout: *const xlashape_layout,
        spec: *mut xlashape_layout_spec,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_equal(a: *const xlashape_layout, b: *const xlashape_layout, mask: u32) -> i32;
    pub fn xlashape_layout_hash(layout: *const xlashape_layout, mask: u32) -> u64;
    pub fn xlashape_shape_create_array(
        element_type: xlashape_element_type,
        dimensions: *const i64,
        dynamic: *const u8,
        rank: i64,
        layout: *const xlashape_layout,
        flags: u32,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_create_tuple(
        elements: *const *mut xlashape_shape,
        count: i64,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_create_token(shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_opaque(shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_buffer(
        array: *const xlashape_shape,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_with_layout(
        shape: *const xlashape_shape,
        layout: *const xlashape_layout,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_retain(shape: *const xlashape_shape) -> *mut xlashape_shape;
    pub fn xlashape_shape_category(shape: *const xlashape_shape) -> xlashape_category;
    pub fn xlashape_shape_element_type(shape: *const xlashape_shape) -> xlashape_element_type;
    pub fn xlashape_shape_rank(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_dimensions(
        shape: *const xlashape_shape,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_dynamic_dimensions(
        shape: *const xlashape_shape,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_is_dynamic(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_is_unbounded(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_has_layout(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_layout(
        shape: *const xlashape_shape,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_tuple_element_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_tuple_element(
        shape: *const xlashape_shape,
        index: i64,
        element: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_subshape(
        shape: *const xlashape_shape,
        path: *const i64,
        path_len: i64,
        subshape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_leaf_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_equal(a: *const xlashape_shape, b: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_compatible(a: *const xlashape_shape, b: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_hash(shape: *const xlashape_shape, mask: u32) -> u64;
    pub fn xlashape_layout_parse(
        text: *const c_char,
        text_len: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_parse_head(
        text: *const c_char,
        text_len: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        end: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_print(
        layout: *const xlashape_layout,
        flags: u32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_print_tile(
        layout: *const xlashape_layout,
        level: i64,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_print_split(
        layout: *const xlashape_layout,
        split: i64,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_parse_head(
        text: *const c_char,
        text_len: i64,
        flags: u32,
        shape: *mut *mut xlashape_shape,
        end: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_to_proto(
        shape: *const xlashape_shape,
        flags: u32,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_from_proto(
        bytes: *const u8,
        size: i64,
        flags: u32,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_to_proto(
        layout: *const xlashape_layout,
        flags: u32,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_from_proto(
        bytes: *const u8,
        size: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_sizes(
        shape: *const xlashape_shape,
        sizes: *mut xlashape_sizes,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_element_count(
        shape: *const xlashape_shape,
        elements: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_strides(
        shape: *const xlashape_shape,
        unit: xlashape_unit,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_map_retain(map: *const xlashape_index_map) -> *mut xlashape_index_map;
    pub fn xlashape_index_map_rank(map: *const xlashape_index_map) -> i64;
    pub fn xlashape_index_map_storage_elements(map: *const xlashape_index_map) -> i64;
    pub fn xlashape_index_map_multidimensional_index(
        map: *const xlashape_index_map,
        linear: i64,
        index: *mut i64,
        rank: i64,
        is_padding: *mut i32,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_create(
        runtime: *mut xlashape_runtime,
        src_shape: *const xlashape_shape,
        dst_shape: *const xlashape_shape,
        options: *const xlashape_relayout_options,
        plan: *mut *mut xlashape_plan,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_retain(plan: *const xlashape_plan) -> *mut xlashape_plan;
    pub fn xlashape_plan_release(plan: *mut xlashape_plan);
    pub fn xlashape_plan_execute(
        plan: *const xlashape_plan,
        src: *const c_void,
        src_bytes: i64,
        dst: *mut c_void,
        dst_bytes: i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_get_requirements(
        plan: *const xlashape_plan,
        requirements: *mut xlashape_plan_requirements,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_describe(
        plan: *const xlashape_plan,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_backend(plan: *const xlashape_plan) -> *const c_char;
    pub fn xlashape_plan_shapes(
        plan: *const xlashape_plan,
        src_shape: *mut *mut xlashape_shape,
        dst_shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_key(
        src_shape: *const xlashape_shape,
        dst_shape: *const xlashape_shape,
        options: *const xlashape_relayout_options,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_piece_granularity(
        shape: *const xlashape_shape,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_create(
        runtime: *mut xlashape_runtime,
        map: *const xlashape_index_map,
        conversion: xlashape_index_conversion,
        options: *const xlashape_index_options,
        plan: *mut *mut xlashape_index_plan,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_retain(plan: *const xlashape_index_plan) -> *mut xlashape_index_plan;
    pub fn xlashape_index_plan_release(plan: *mut xlashape_index_plan);
    pub fn xlashape_index_plan_execute(
        plan: *const xlashape_index_plan,
        count: i64,
        src: *const c_void,
        src_bytes: i64,
        dst: *mut c_void,
        dst_bytes: i64,
        invalid_count: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_task_count(plan: *const xlashape_index_plan, workers: i64) -> i64;
    pub fn xlashape_index_plan_get_requirements(
        plan: *const xlashape_index_plan,
        requirements: *mut xlashape_plan_requirements,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_describe(
        plan: *const xlashape_index_plan,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_backend(plan: *const xlashape_index_plan) -> *const c_char;
    pub fn xlashape_runtime_create(
        options: *const xlashape_runtime_options,
        runtime: *mut *mut xlashape_runtime,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_set_default(runtime: *mut xlashape_runtime, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_retain(runtime: *mut xlashape_runtime) -> *mut xlashape_runtime;
    pub fn xlashape_runtime_release(runtime: *mut xlashape_runtime);
    pub fn xlashape_runtime_load_backend(
        runtime: *mut xlashape_runtime,
        path: *const c_char,
        path_len: i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_add_backend(
        runtime: *mut xlashape_runtime,
        name: *const c_char,
        name_len: i64,
        open: xlashape_backend_open_fn,
        user: *mut c_void,
        release: xlashape_release_fn,
        priority: i32,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_report(
        runtime: *mut xlashape_runtime,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_backend_count(runtime: *mut xlashape_runtime) -> i64;
    pub fn xlashape_runtime_backend_info(
        runtime: *mut xlashape_runtime,
        ordinal: i64,
        info: *mut xlashape_backend_info,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_backend_text(
        runtime: *mut xlashape_runtime,
        ordinal: i64,
        which: i32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_device_text(
        runtime: *mut xlashape_runtime,
        ordinal: i64,
        device: i32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_memory_alloc(
        runtime: *mut xlashape_runtime,
        device: i32,
        space: xlashape_memory_space,
        bytes: i64,
        address: *mut u64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_memory_free(
        runtime: *mut xlashape_runtime,
        device: i32,
        address: u64,
        space: xlashape_memory_space,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_memory_copy(
        runtime: *mut xlashape_runtime,
        device: i32,
        src: u64,
        src_space: xlashape_memory_space,
        dst: u64,
        dst_space: xlashape_memory_space,
        bytes: i64,
        queue: *const xlashape_queue,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_memory_fill(
        runtime: *mut xlashape_runtime,
        device: i32,
        dst: u64,
        space: xlashape_memory_space,
        byte: i32,
        bytes: i64,
        queue: *const xlashape_queue,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_queue_wait_event(
        runtime: *mut xlashape_runtime,
        device: i32,
        space: xlashape_memory_space,
        queue: *const xlashape_queue,
        event: u64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_queue_signal_event(
        runtime: *mut xlashape_runtime,
        device: i32,
        space: xlashape_memory_space,
        queue: *const xlashape_queue,
        event: *mut u64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_queue_sync(
        runtime: *mut xlashape_runtime,
        device: i32,
        space: xlashape_memory_space,
        queue: *const xlashape_queue,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_execute_with(
        plan: *const xlashape_plan,
        options: *const xlashape_execute_options,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_index_plan_execute_with(
        plan: *const xlashape_index_plan,
        count: i64,
        options: *const xlashape_execute_options,
        invalid_count: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_execute_list(
        count: i64,
        plans: *const *mut xlashape_plan,
        src: *const u64,
        src_bytes: *const i64,
        dst: *const u64,
        dst_bytes: *const i64,
        options: *const xlashape_execute_options,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_plan_task_count(plan: *const xlashape_plan, workers: i64) -> i64;
    pub fn xlashape_shape_window(
        shape: *const xlashape_shape,
        base: *const i64,
        extent: *const i64,
        rank: i64,
        window: *mut xlashape_window,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_window_runs(
        shape: *const xlashape_shape,
        base: *const i64,
        extent: *const i64,
        rank: i64,
        first: i64,
        count: i64,
        byte_offsets: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_window_granularity(
        shape: *const xlashape_shape,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_relayout_slabs(
        src_shape: *const xlashape_shape,
        dst_shape: *const xlashape_shape,
        max_bytes: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        slabs: *mut xlashape_slabs,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_calibrate(
        runtime: *mut xlashape_runtime,
        options: *const xlashape_calibrate_options,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_profile_path(
        runtime: *mut xlashape_runtime,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_export_wisdom(
        runtime: *mut xlashape_runtime,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_import_wisdom(
        runtime: *mut xlashape_runtime,
        text: *const c_char,
        text_len: i64,
        taken: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_runtime_forget_wisdom(runtime: *mut xlashape_runtime);
    pub fn xlashape_plan_predict(plan: *const xlashape_plan, ns: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_create_measured(
        runtime: *mut xlashape_runtime,
        src_shape: *const xlashape_shape,
        dst_shape: *const xlashape_shape,
        options: *const xlashape_relayout_options,
        how: *const xlashape_measure_options,
        plan: *mut *mut xlashape_plan,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_complex_component(r#type: xlashape_element_type) -> xlashape_element_type;
    pub fn xlashape_element_type_complex(r#type: xlashape_element_type) -> xlashape_element_type;
    pub fn xlashape_element_type_integral(bits: i32, is_signed: i32) -> xlashape_element_type;
    pub fn xlashape_layout_create_major_to_minor(
        major_to_minor: *const i64,
        rank: i64,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_move_dimension_to_major(
        layout: *const xlashape_layout,
        dimension: i64,
        result: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_move_dimension_to_minor(
        layout: *const xlashape_layout,
        dimension: i64,
        result: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_delete_dimensions(
        layout: *const xlashape_layout,
        dimensions: *const i64,
        count: i64,
        result: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_are_dimensions_consecutive(
        layout: *const xlashape_layout,
        dimensions: *const i64,
        count: i64,
    ) -> i32;
    pub fn xlashape_shape_has_layout_fields(shape: *const xlashape_shape, fields: u32) -> i32;
    pub fn xlashape_shape_without_layout_fields(
        shape: *const xlashape_shape,
        fields: u32,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_has_all_layouts(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_with_default_layouts(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_copy_layouts(
        from: *const xlashape_shape,
        to: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_with_packed_elements(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_with_element_type(
        shape: *const xlashape_shape,
        r#type: xlashape_element_type,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_permute_dimensions(
        shape: *const xlashape_shape,
        permutation: *const i64,
        rank: i64,
        flags: u32,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_to_physical_order(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_insert_dimensions(
        shape: *const xlashape_shape,
        at: i64,
        sizes: *const i64,
        count: i64,
        flags: u32,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_delete_dimensions(
        shape: *const xlashape_shape,
        dimensions: *const i64,
        count: i64,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_drop_degenerate_dimensions(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_has_degenerate_dimensions(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_with_dimension(
        shape: *const xlashape_shape,
        dimension: i64,
        size: i64,
        is_dynamic: i32,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_is_effectively_most_major(shape: *const xlashape_shape, dimension: i64) -> i32;
    pub fn xlashape_shape_last_dimension_is_most_minor(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_is_untiled(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_byte_strides_are_row_major(
        r#type: xlashape_element_type,
        dimensions: *const i64,
        byte_strides: *const i64,
        rank: i64,
    ) -> i32;
    pub fn xlashape_shape_to_static(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_with_dynamic_dimensions(
        shape: *const xlashape_shape,
        dynamic: *const u8,
        rank: i64,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_is_bounded_dynamic(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_fits_bounds(dynamic: *const xlashape_shape, bounds: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_static_element_count(
        shape: *const xlashape_shape,
        elements: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_element_count_recursive(
        shape: *const xlashape_shape,
        elements: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_byte_size_recursive(
        shape: *const xlashape_shape,
        bytes: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_max_elements_per_split(
        shape: *const xlashape_shape,
        elements: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_has_element_type(shape: *const xlashape_shape, r#type: xlashape_element_type) -> i32;
    pub fn xlashape_shape_leaves_have_classes(shape: *const xlashape_shape, classes: u32) -> i32;
    pub fn xlashape_shape_subshape_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_next_subshape(
        shape: *const xlashape_shape,
        flags: u32,
        path: *mut i64,
        capacity: i64,
        path_len: *mut i64,
        subshape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_is_prefix(prefix: *const xlashape_shape, shape: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_slice_tuple(
        tuple: *const xlashape_shape,
        first: i64,
        limit: i64,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_append_to_tuple(
        tuple: *const xlashape_shape,
        element: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_replace_subshape(
        shape: *const xlashape_shape,
        path: *const i64,
        path_len: i64,
        subshape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_flatten_tuple(
        shape: *const xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_create(
        parameters: *const *mut xlashape_shape,
        count: i64,
        names: *const c_char,
        name_lens: *const i64,
        result: *const xlashape_shape,
        program: *mut *mut xlashape_program_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_retain(program: *const xlashape_program_shape) -> *mut xlashape_program_shape;
    pub fn xlashape_program_shape_release(program: *mut xlashape_program_shape);
    pub fn xlashape_program_shape_parameter_count(program: *const xlashape_program_shape) -> i64;
    pub fn xlashape_program_shape_parameter(
        program: *const xlashape_program_shape,
        index: i64,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_parameter_name(
        program: *const xlashape_program_shape,
        index: i64,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_result(
        program: *const xlashape_program_shape,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_print(
        program: *const xlashape_program_shape,
        flags: u32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_has_all_layouts(program: *const xlashape_program_shape) -> i32;
    pub fn xlashape_program_shape_with_default_layouts(
        program: *const xlashape_program_shape,
        result: *mut *mut xlashape_program_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_without_layout_fields(
        program: *const xlashape_program_shape,
        fields: u32,
        result: *mut *mut xlashape_program_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_equal(
        a: *const xlashape_program_shape,
        b: *const xlashape_program_shape,
        mask: u32,
    ) -> i32;
    pub fn xlashape_layout_is_dim0_major(layout: *const xlashape_layout) -> i32;
    pub fn xlashape_layout_is_dim0_minor(layout: *const xlashape_layout) -> i32;
    pub fn xlashape_shape_true_rank(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_is_effective_scalar(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_max_split_size(
        shape: *const xlashape_shape,
        dimension: i64,
        size: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_dimension_number(
        rank: i64,
        dimension: i64,
        resolved: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_dimension_letter(rank: i64, dimension: i64) -> i32;
    pub fn xlashape_dimension_from_letter(
        rank: i64,
        letter: i32,
        dimension: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_index_in_bounds(shape: *const xlashape_shape, index: *const i64, rank: i64) -> i32;
    pub fn xlashape_shape_next_index(shape: *const xlashape_shape, index: *mut i64, rank: i64) -> i32;
    pub fn xlashape_box_next_index(
        base: *const i64,
        count: *const i64,
        step: *const i64,
        minor_to_major: *const i64,
        rank: i64,
        index: *mut i64,
    ) -> i32;
    pub fn xlashape_box_index_count(
        count: *const i64,
        step: *const i64,
        rank: i64,
        indices: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_box_index_at(
        base: *const i64,
        count: *const i64,
        step: *const i64,
        minor_to_major: *const i64,
        rank: i64,
        number: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_reshape_is_bitcast(a: *const xlashape_shape, b: *const xlashape_shape, flags: u32) -> i32;
    pub fn xlashape_shape_transpose_is_bitcast(
        a: *const xlashape_shape,
        b: *const xlashape_shape,
        permutation: *const i64,
        rank: i64,
        flags: u32,
    ) -> i32;
    pub fn xlashape_shape_is_reshape_or_transpose_bitcast(
        a: *const xlashape_shape,
        b: *const xlashape_shape,
        flags: u32,
    ) -> i32;
    pub fn xlashape_shape_deduce_transpose(
        a: *const xlashape_shape,
        b: *const xlashape_shape,
        flags: u32,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_decompose_bitcast(
        a: *const xlashape_shape,
        b: *const xlashape_shape,
        flags: u32,
        steps: *mut xlashape_bitcast_steps,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_align_layouts(
        shape: *const xlashape_shape,
        dimensions: *const i64,
        rank: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_common_factors(
        a: *const i64,
        a_rank: i64,
        b: *const i64,
        b_rank: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_dimensions_unmodified_by_reshape(
        a: *const i64,
        a_rank: i64,
        b: *const i64,
        b_rank: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_inserted_or_deleted_ones(
        a: *const xlashape_shape,
        b: *const xlashape_shape,
        deleted: *mut i64,
        deleted_capacity: i64,
        deleted_needed: *mut i64,
        inserted: *mut i64,
        inserted_capacity: i64,
        inserted_needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_normalized_transpose(
        dimensions: *const i64,
        permutation: *const i64,
        rank: i64,
        out_dimensions: *mut i64,
        out_permutation: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_to_proto(
        program: *const xlashape_program_shape,
        flags: u32,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_program_shape_from_proto(
        bytes: *const u8,
        size: i64,
        flags: u32,
        program: *mut *mut xlashape_program_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_path_to_proto(
        path: *const i64,
        path_len: i64,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_path_from_proto(
        bytes: *const u8,
        size: i64,
        out: *mut i64,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_layout_from_byte_strides(
        r#type: xlashape_element_type,
        dimensions: *const i64,
        byte_strides: *const i64,
        rank: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_to_pjrt(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_from_pjrt(number: i32) -> xlashape_element_type;
    pub fn xlashape_layout_from_pjrt(
        memory_layout: *const c_void,
        r#type: xlashape_element_type,
        dimensions: *const i64,
        rank: i64,
        flags: u32,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_to_pjrt(
        shape: *const xlashape_shape,
        flags: u32,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_from_dlpack(
        tensor: *const c_void,
        flags: u32,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_to_dlpack(
        shape: *const xlashape_shape,
        flags: u32,
        data: *mut c_void,
        device_type: xlashape_memory_space,
        device_id: i32,
        byte_offset: i64,
        out: *mut u8,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_element_type_read(
        name: *const c_char,
        name_len: i64,
        r#type: *mut xlashape_element_type,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_read(
        text: *const c_char,
        text_len: i64,
        flags: u32,
        offset: *mut i64,
        shape: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_with_words(
        shape: *const xlashape_shape,
        text: *const c_char,
        text_len: i64,
        flags: u32,
        destination: *mut *mut xlashape_shape,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_print_as(
        shape: *const xlashape_shape,
        notation: xlashape_notation,
        flags: u32,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_target_count() -> i64;
    pub fn xlashape_target_name(target: xlashape_target) -> *const c_char;
    pub fn xlashape_target_from_name(
        name: *const c_char,
        name_len: i64,
        target: *mut xlashape_target,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_target_properties(
        target: xlashape_target,
        info: *mut xlashape_target_info,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_target_tuple_bytes(
        target: xlashape_target,
        elements: i64,
        bytes: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_target_memory_space_name(
        target: xlashape_target,
        memory_space: i64,
        text: *mut c_char,
        capacity: i64,
        needed: *mut i64,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_target_layout(
        target: xlashape_target,
        r#type: xlashape_element_type,
        dimensions: *const i64,
        minor_to_major: *const i64,
        rank: i64,
        layout: *mut *mut xlashape_layout,
        err: *mut xlashape_error,
    ) -> xlashape_status;
    pub fn xlashape_shape_for_target(
        shape: *const xlashape_shape,
        target: xlashape_target,
        flags: u32,
        result: *mut *mut xlashape_shape,
        err: *mut xlashape_error,
    ) -> xlashape_status;
}
