// Written by bindings/rust/generate.py from tests/abi/xlashape.abi.json: do not edit.

use crate::*;
use core::ffi::c_void;

pub const XLASHAPE_VERSION_MAJOR: i32 = 0;
pub const XLASHAPE_VERSION_MINOR: i32 = 1;
pub const XLASHAPE_VERSION_PATCH: i32 = 0;
pub const XLASHAPE_ABI_VERSION: u32 = 1;
pub const XLASHAPE_TYPE_INVALID: i32 = 0;
pub const XLASHAPE_TYPE_PRED: i32 = 1;
pub const XLASHAPE_TYPE_S8: i32 = 2;
pub const XLASHAPE_TYPE_S16: i32 = 3;
pub const XLASHAPE_TYPE_S32: i32 = 4;
pub const XLASHAPE_TYPE_S64: i32 = 5;
pub const XLASHAPE_TYPE_U8: i32 = 6;
pub const XLASHAPE_TYPE_U16: i32 = 7;
pub const XLASHAPE_TYPE_U32: i32 = 8;
pub const XLASHAPE_TYPE_U64: i32 = 9;
pub const XLASHAPE_TYPE_F16: i32 = 10;
pub const XLASHAPE_TYPE_F32: i32 = 11;
pub const XLASHAPE_TYPE_F64: i32 = 12;
pub const XLASHAPE_TYPE_TUPLE: i32 = 13;
pub const XLASHAPE_TYPE_OPAQUE: i32 = 14;
pub const XLASHAPE_TYPE_C64: i32 = 15;
pub const XLASHAPE_TYPE_BF16: i32 = 16;
pub const XLASHAPE_TYPE_TOKEN: i32 = 17;
pub const XLASHAPE_TYPE_C128: i32 = 18;
pub const XLASHAPE_TYPE_F8E5M2: i32 = 19;
pub const XLASHAPE_TYPE_F8E4M3FN: i32 = 20;
pub const XLASHAPE_TYPE_S4: i32 = 21;
pub const XLASHAPE_TYPE_U4: i32 = 22;
pub const XLASHAPE_TYPE_F8E4M3B11FNUZ: i32 = 23;
pub const XLASHAPE_TYPE_F8E5M2FNUZ: i32 = 24;
pub const XLASHAPE_TYPE_F8E4M3FNUZ: i32 = 25;
pub const XLASHAPE_TYPE_S2: i32 = 26;
pub const XLASHAPE_TYPE_U2: i32 = 27;
pub const XLASHAPE_TYPE_F8E4M3: i32 = 28;
pub const XLASHAPE_TYPE_F8E3M4: i32 = 29;
pub const XLASHAPE_TYPE_S1: i32 = 30;
pub const XLASHAPE_TYPE_U1: i32 = 31;
pub const XLASHAPE_TYPE_F4E2M1FN: i32 = 32;
pub const XLASHAPE_TYPE_F8E8M0FNU: i32 = 33;
pub const XLASHAPE_TYPE_BUFFER: i32 = 34;
pub const XLASHAPE_TYPE_F6E3M2FN: i32 = 35;
pub const XLASHAPE_TYPE_F6E2M3FN: i32 = 36;
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
pub const XLASHAPE_PAD_INVALID: i32 = 0;
pub const XLASHAPE_PAD_ZERO: i32 = 1;
pub const XLASHAPE_PAD_ONE: i32 = 2;
pub const XLASHAPE_PAD_LOWEST: i32 = 3;
pub const XLASHAPE_PAD_HIGHEST: i32 = 4;
pub const XLASHAPE_PAD_UNKNOWN: i32 = 5;
pub const XLASHAPE_COMBINE_DIMENSION: i64 = i64::MIN;
pub const XLASHAPE_MATCH_DIMENSION: i64 = -9223372036854775807;
pub const XLASHAPE_LAYOUT_SPACE_DEFAULT: i32 = 0;
pub const XLASHAPE_LAYOUT_SPACE_GENERIC_FAST: i32 = 1;
pub const XLASHAPE_LAYOUT_SPACE_HOST: i32 = 5;
pub const XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST: i32 = 6;
pub const XLASHAPE_LAYOUT_SPACE_COLLECTIVE: i32 = 7;
pub const XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR: i32 = 1;
pub const XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS: i32 = 2;
pub const XLASHAPE_LAYOUT_FIELD_PADDING_VALUE: i32 = 3;
pub const XLASHAPE_LAYOUT_FIELD_TILE: i32 = 6;
pub const XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS: i32 = 7;
pub const XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE: i32 = 8;
pub const XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES: i32 = 15;
pub const XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS: i32 = 16;
pub const XLASHAPE_LAYOUT_FIELD_SPLIT: i32 = 17;
pub const XLASHAPE_PRINT_WITHOUT_LAYOUT: u32 = 1;
pub const XLASHAPE_PRINT_STRICT: u32 = 2;
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
pub const XLASHAPE_EQUAL_METADATA_PREFIX: u32 = 0x10000;
pub const XLASHAPE_DIMENSION_UNBOUNDED: i64 = i64::MIN;
pub const XLASHAPE_MAX_DEPTH: i32 = 8192;
pub const XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT: u32 = 1;
pub const XLASHAPE_CATEGORY_ARRAY: i32 = 1;
pub const XLASHAPE_CATEGORY_TUPLE: i32 = 2;
pub const XLASHAPE_CATEGORY_TOKEN: i32 = 3;
pub const XLASHAPE_CATEGORY_OPAQUE: i32 = 4;
pub const XLASHAPE_CATEGORY_BUFFER: i32 = 5;
pub const XLASHAPE_SIZE_XLA: u32 = 1;
pub const XLASHAPE_UNIT_ELEMENTS: i32 = 0;
pub const XLASHAPE_UNIT_BYTES: i32 = 1;
pub const XLASHAPE_UNIT_BITS: i32 = 2;
pub const XLASHAPE_RUNTIME_NO_ENVIRONMENT: u32 = 1;
pub const XLASHAPE_RUNTIME_NO_LIBRARY_DIR: u32 = 2;
pub const XLASHAPE_RUNTIME_NO_INSTALL_DIR: u32 = 4;
pub const XLASHAPE_RUNTIME_LOAD_NOW: u32 = 8;
pub const XLASHAPE_BACKEND_STATE_ABSENT: i32 = 0;
pub const XLASHAPE_BACKEND_STATE_LOADING: i32 = 1;
pub const XLASHAPE_BACKEND_STATE_READY: i32 = 2;
pub const XLASHAPE_BACKEND_STATE_FAILED: i32 = 3;
pub const XLASHAPE_BACKEND_TEXT_NAME: i32 = 1;
pub const XLASHAPE_BACKEND_TEXT_PATH: i32 = 2;
pub const XLASHAPE_BACKEND_TEXT_DETAIL: i32 = 3;
pub const XLASHAPE_PLAN_ALLOW_FALLBACK: u32 = 1;
pub const XLASHAPE_PLAN_READ_SOON: u32 = 2;
pub const XLASHAPE_PLAN_FIELD_FLAGS: i32 = 1;
pub const XLASHAPE_PLAN_FIELD_FILL_POLICY: i32 = 2;
pub const XLASHAPE_PLAN_FIELD_SRC_SPACE: i32 = 3;
pub const XLASHAPE_PLAN_FIELD_DST_SPACE: i32 = 4;
pub const XLASHAPE_PLAN_FIELD_DEVICE: i32 = 5;
pub const XLASHAPE_PLAN_FIELD_BACKEND: i32 = 6;
pub const XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES: i32 = 7;
pub const XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES: i32 = 8;
pub const XLASHAPE_PLAN_FIELD_SRC_BASE: i32 = 9;
pub const XLASHAPE_PLAN_FIELD_DST_BASE: i32 = 10;
pub const XLASHAPE_PLAN_FIELD_EXTENT: i32 = 11;
pub const XLASHAPE_PLAN_FIELD_MEASURE_NS: i32 = 12;
pub const XLASHAPE_PLAN_FIELD_MEASURE_SRC: i32 = 13;
pub const XLASHAPE_PLAN_FIELD_MEASURE_DST: i32 = 14;
pub const XLASHAPE_CONVERSION_TO_LINEAR: i32 = 1;
pub const XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL: i32 = 2;
pub const XLASHAPE_PART_LAYOUT: u32 = 1;
pub const XLASHAPE_PART_TILES: u32 = 2;
pub const XLASHAPE_PART_ELEMENT_SIZE: u32 = 4;
pub const XLASHAPE_PART_MEMORY_SPACE: u32 = 8;
pub const XLASHAPE_PART_TAIL_PADDING_ALIGNMENT: u32 = 0x10;
pub const XLASHAPE_PART_SPLIT_CONFIGS: u32 = 0x20;
pub const XLASHAPE_PART_PADDING: u32 = 0x40;
pub const XLASHAPE_PART_METADATA_PREFIX: u32 = 0x80;
pub const XLASHAPE_PART_OF_DEVICE: u32 = 0x80000000;
pub const XLASHAPE_PERMUTE_KEEP_LAYOUT: u32 = 1;
pub const XLASHAPE_INSERT_MOST_MAJOR: u32 = 1;
pub const XLASHAPE_VISIT_LEAVES: u32 = 1;
pub const XLASHAPE_VISIT_POST_ORDER: u32 = 2;
pub const XLASHAPE_VISIT_MISSING_LAYOUTS: u32 = 4;
pub const XLASHAPE_EQUAL_STRUCTURE_ONLY: u32 = 0x20000;
pub const XLASHAPE_BITCAST_XLA: u32 = 1;
pub const XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE: u32 = 2;
pub const XLASHAPE_BITCAST_KIND_RESHAPE: i32 = 1;
pub const XLASHAPE_BITCAST_KIND_TRANSPOSE: i32 = 2;
pub const XLASHAPE_BITCAST_KIND_TRT: i32 = 3;
pub const XLASHAPE_TARGET_CPU: i32 = 1;
pub const XLASHAPE_TARGET_GPU: i32 = 2;
pub const XLASHAPE_TARGET_TPU_V2: i32 = 3;
pub const XLASHAPE_TARGET_TPU_V3: i32 = 4;
pub const XLASHAPE_TARGET_TPU_V4: i32 = 5;
pub const XLASHAPE_TARGET_TPU_V5E: i32 = 6;
pub const XLASHAPE_TARGET_TPU_V5P: i32 = 7;
pub const XLASHAPE_TARGET_TPU_V6E: i32 = 8;
pub const XLASHAPE_TARGET_TPU_V7X: i32 = 9;
pub const XLASHAPE_TARGET_KEEP_ORDER: u32 = 1;
pub const XLASHAPE_DRAW_TEXT: i32 = 0;
pub const XLASHAPE_DRAW_SVG: i32 = 1;
pub const XLASHAPE_DRAW_HTML: i32 = 2;
pub const XLASHAPE_DRAW_POSITION: i32 = 0;
pub const XLASHAPE_DRAW_INDEX: i32 = 1;
pub const XLASHAPE_DRAW_BYTE: i32 = 2;
pub const XLASHAPE_DRAW_TILE: i32 = 3;
pub const XLASHAPE_DRAW_LANE: i32 = 4;
pub const XLASHAPE_DRAW_NOTHING: i32 = 5;
pub const XLASHAPE_DRAW_BY_POSITION: i32 = 0;
pub const XLASHAPE_DRAW_BY_TILE: i32 = 1;
pub const XLASHAPE_DRAW_BY_DIMENSION: i32 = 2;
pub const XLASHAPE_DRAW_COLOR: u32 = 1;
pub const XLASHAPE_DRAW_ASCII: u32 = 2;
pub const XLASHAPE_DRAW_DATA: u32 = 4;
pub const XLASHAPE_PROFILE_BYTES: i32 = 65536;
pub const XLASHAPE_STRIDES_COMPACT: u32 = 1;
pub const XLASHAPE_PJRT_STRIDES: u32 = 1;
pub const XLASHAPE_PJRT_DROP: u32 = 2;
pub const XLASHAPE_DLPACK_SUB_BYTE_PADDED: u32 = 0x100;

pub type xlashape_element_type = i32;
pub type xlashape_padding_value = i32;
pub type xlashape_category = i32;
pub type xlashape_unit = i32;
pub type xlashape_index_conversion = i32;
pub type xlashape_bitcast_kind = i32;
pub type xlashape_target = i32;

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_layout {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_shape {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_index_map {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_runtime {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_plan {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

/// A handle's target. Threads: any thread, concurrently.
#[repr(C)]
pub struct xlashape_program_shape {
    _data: [u8; 0],
    _not_auto: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_float_format {
    pub struct_size: u32,
    pub significand_width: i32,
    pub exponent_width: i32,
    pub exponent_bias: i32,
    pub underflow_exponent: i32,
    pub overflow_exponent: i32,
    pub has_infinity: i32,
    pub has_nan: i32,
    pub has_negative_zero: i32,
    pub has_positive_zero: i32,
}

impl xlashape_float_format {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            significand_width: 0,
            exponent_width: 0,
            exponent_bias: 0,
            underflow_exponent: 0,
            overflow_exponent: 0,
            has_infinity: 0,
            has_nan: 0,
            has_negative_zero: 0,
            has_positive_zero: 0,
        }
    }
}

impl Default for xlashape_float_format {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_float_format>() == 40 && core::mem::align_of::<xlashape_float_format>() == 4);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_float_format>() == 40);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_layout_spec {
    pub struct_size: u32,
    pub padding_value: xlashape_padding_value,
    pub rank: i64,
    pub minor_to_major: *const i64,
    pub padded_dimensions: *const i64,
    pub tile_count: i64,
    pub tile_ranks: *const i64,
    pub tile_dimensions: *const i64,
    pub element_size_in_bits: i64,
    pub tail_padding_alignment_in_elements: i64,
    pub memory_space: i64,
    pub split_count: i64,
    pub split_dimensions: *const i64,
    pub split_sizes: *const i64,
    pub split_indices: *const i64,
    pub dynamic_shape_metadata_prefix_bytes: i64,
}

impl xlashape_layout_spec {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            padding_value: 0,
            rank: 0,
            minor_to_major: core::ptr::null(),
            padded_dimensions: core::ptr::null(),
            tile_count: 0,
            tile_ranks: core::ptr::null(),
            tile_dimensions: core::ptr::null(),
            element_size_in_bits: 0,
            tail_padding_alignment_in_elements: 0,
            memory_space: 0,
            split_count: 0,
            split_dimensions: core::ptr::null(),
            split_sizes: core::ptr::null(),
            split_indices: core::ptr::null(),
            dynamic_shape_metadata_prefix_bytes: 0,
        }
    }
}

impl Default for xlashape_layout_spec {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_layout_spec>() == 120 && core::mem::align_of::<xlashape_layout_spec>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_layout_spec>() == 92 || core::mem::size_of::<xlashape_layout_spec>() == 96);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_sizes {
    pub struct_size: u32,
    pub element_bits: i32,
    pub elements: i64,
    pub storage_elements: i64,
    pub logical_bytes: i64,
    pub bytes: i64,
    pub xla_bytes: i64,
    pub data_bytes: i64,
    pub dimension_padding: i64,
    pub tail_padding: i64,
}

impl xlashape_sizes {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            element_bits: 0,
            elements: 0,
            storage_elements: 0,
            logical_bytes: 0,
            bytes: 0,
            xla_bytes: 0,
            data_bytes: 0,
            dimension_padding: 0,
            tail_padding: 0,
        }
    }
}

impl Default for xlashape_sizes {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_sizes>() == 72 && core::mem::align_of::<xlashape_sizes>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_sizes>() == 72);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_allocator {
    pub struct_size: u32,
    pub reserved: u32,
    pub opaque: *mut c_void,
    pub alloc: Option<unsafe extern "C" fn(opaque: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(opaque: *mut c_void, pointer: *mut c_void, size: usize, alignment: usize)>,
    pub release: xlashape_release,
}

impl xlashape_allocator {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            reserved: 0,
            opaque: core::ptr::null_mut(),
            alloc: None,
            free: None,
            release: None,
        }
    }
}

impl Default for xlashape_allocator {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_allocator>() == 40 && core::mem::align_of::<xlashape_allocator>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_allocator>() == 24);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_logger {
    pub struct_size: u32,
    pub reserved: u32,
    pub opaque: *mut c_void,
    pub log: Option<unsafe extern "C" fn(opaque: *mut c_void, level: i32, source: u32, text: *const c_char, text_len: i64)>,
    pub release: xlashape_release,
}

impl xlashape_logger {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            reserved: 0,
            opaque: core::ptr::null_mut(),
            log: None,
            release: None,
        }
    }
}

impl Default for xlashape_logger {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_logger>() == 32 && core::mem::align_of::<xlashape_logger>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_logger>() == 20);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_runtime_options {
    pub struct_size: u32,
    pub flags: u32,
    pub backend_dirs: *const c_char,
    pub executor: *const xlashape_executor,
    pub allocator: *const xlashape_allocator,
    pub logger: *const xlashape_logger,
    pub threads: i32,
    pub reserved: i32,
    pub verify_positions: i64,
    pub backend: *const c_char,
    pub denied_backends: *const c_char,
    pub cpu: *const c_char,
    pub backend_options: *const c_char,
    pub profile: *const c_char,
}

impl xlashape_runtime_options {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            flags: 0,
            backend_dirs: core::ptr::null(),
            executor: core::ptr::null(),
            allocator: core::ptr::null(),
            logger: core::ptr::null(),
            threads: 0,
            reserved: 0,
            verify_positions: 0,
            backend: core::ptr::null(),
            denied_backends: core::ptr::null(),
            cpu: core::ptr::null(),
            backend_options: core::ptr::null(),
            profile: core::ptr::null(),
        }
    }
}

impl Default for xlashape_runtime_options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_runtime_options>() == 96 && core::mem::align_of::<xlashape_runtime_options>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_runtime_options>() == 60 || core::mem::size_of::<xlashape_runtime_options>() == 64);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_backend_info {
    pub struct_size: u32,
    pub state: i32,
    pub abi_version: u32,
    pub priority: i32,
    pub device_count: i32,
    pub reserved: i32,
    pub memory_spaces: u64,
}

impl xlashape_backend_info {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            state: 0,
            abi_version: 0,
            priority: 0,
            device_count: 0,
            reserved: 0,
            memory_spaces: 0,
        }
    }
}

impl Default for xlashape_backend_info {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_backend_info>() == 32 && core::mem::align_of::<xlashape_backend_info>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_backend_info>() == 32);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_relayout_options {
    pub struct_size: u32,
    pub flags: u32,
    pub fill_policy: xlashape_fill_policy,
    pub src_space: xlashape_memory_space,
    pub dst_space: xlashape_memory_space,
    pub device: i32,
    pub backend: *const c_char,
    pub src_byte_strides: *const i64,
    pub dst_byte_strides: *const i64,
    pub src_base: *const i64,
    pub dst_base: *const i64,
    pub extent: *const i64,
    pub measure_ns: i64,
    pub measure_src: u64,
    pub measure_dst: u64,
}

impl xlashape_relayout_options {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            flags: 0,
            fill_policy: 0,
            src_space: 0,
            dst_space: 0,
            device: 0,
            backend: core::ptr::null(),
            src_byte_strides: core::ptr::null(),
            dst_byte_strides: core::ptr::null(),
            src_base: core::ptr::null(),
            dst_base: core::ptr::null(),
            extent: core::ptr::null(),
            measure_ns: 0,
            measure_src: 0,
            measure_dst: 0,
        }
    }
}

impl Default for xlashape_relayout_options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_relayout_options>() == 96 && core::mem::align_of::<xlashape_relayout_options>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_relayout_options>() == 72);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_exec {
    pub struct_size: u32,
    pub queue_kind: i32,
    pub queue: u64,
    pub src: u64,
    pub dst: u64,
    pub src_byte_offset: i64,
    pub dst_byte_offset: i64,
    pub src_byte_size: i64,
    pub dst_byte_size: i64,
    pub task_begin: i64,
    pub task_end: i64,
    pub task_count: i64,
    pub executor: *const xlashape_executor,
    pub count: i64,
    pub bad: *mut i64,
    pub scratch: u64,
    pub scratch_bytes: i64,
    pub cancel: *const i32,
    pub progress: xlashape_progress,
    pub progress_opaque: *mut c_void,
}

impl xlashape_exec {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            queue_kind: 0,
            queue: 0,
            src: 0,
            dst: 0,
            src_byte_offset: 0,
            dst_byte_offset: 0,
            src_byte_size: 0,
            dst_byte_size: 0,
            task_begin: 0,
            task_end: 0,
            task_count: 0,
            executor: core::ptr::null(),
            count: 0,
            bad: core::ptr::null_mut(),
            scratch: 0,
            scratch_bytes: 0,
            cancel: core::ptr::null(),
            progress: None,
            progress_opaque: core::ptr::null_mut(),
        }
    }
}

impl Default for xlashape_exec {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_exec>() == 152 && core::mem::align_of::<xlashape_exec>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_exec>() == 132 || core::mem::size_of::<xlashape_exec>() == 144);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_plan_requirements {
    pub struct_size: u32,
    pub reserved: i32,
    pub src_alignment: i64,
    pub dst_alignment: i64,
    pub src_low: i64,
    pub src_high: i64,
    pub dst_low: i64,
    pub dst_high: i64,
    pub scratch_bytes: i64,
    pub plan_bytes: i64,
    pub scratch_alignment: i64,
    pub src_preferred_alignment: i64,
    pub dst_preferred_alignment: i64,
    pub estimated_ns: i64,
    pub stack_bytes: i64,
}

impl xlashape_plan_requirements {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            reserved: 0,
            src_alignment: 0,
            dst_alignment: 0,
            src_low: 0,
            src_high: 0,
            dst_low: 0,
            dst_high: 0,
            scratch_bytes: 0,
            plan_bytes: 0,
            scratch_alignment: 0,
            src_preferred_alignment: 0,
            dst_preferred_alignment: 0,
            estimated_ns: 0,
            stack_bytes: 0,
        }
    }
}

impl Default for xlashape_plan_requirements {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_plan_requirements>() == 112 && core::mem::align_of::<xlashape_plan_requirements>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_plan_requirements>() == 112);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_index_options {
    pub struct_size: u32,
    pub flags: u32,
    pub src_space: xlashape_memory_space,
    pub dst_space: xlashape_memory_space,
    pub device: i32,
    pub reserved: i32,
    pub backend: *const c_char,
    pub index_step: i64,
    pub dimension_step: i64,
}

impl xlashape_index_options {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            flags: 0,
            src_space: 0,
            dst_space: 0,
            device: 0,
            reserved: 0,
            backend: core::ptr::null(),
            index_step: 0,
            dimension_step: 0,
        }
    }
}

impl Default for xlashape_index_options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_index_options>() == 48 && core::mem::align_of::<xlashape_index_options>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_index_options>() == 44 || core::mem::size_of::<xlashape_index_options>() == 48);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_target_info {
    pub struct_size: u32,
    pub lanes: i32,
    pub sublanes: i32,
    pub pointer_bytes: i32,
    pub tuple_alignment: i32,
    pub reserved: i32,
}

impl xlashape_target_info {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            lanes: 0,
            sublanes: 0,
            pointer_bytes: 0,
            tuple_alignment: 0,
            reserved: 0,
        }
    }
}

impl Default for xlashape_target_info {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_target_info>() == 24 && core::mem::align_of::<xlashape_target_info>() == 4);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_target_info>() == 24);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_draw_options {
    pub struct_size: u32,
    pub flags: u32,
    pub format: i32,
    pub show: i32,
    pub color_by: i32,
    pub color_dimension: i32,
    pub zoom: i32,
    pub columns: i32,
    pub max_cells: i32,
    pub reserved: i32,
    pub overlay_bytes: i64,
    pub at: *const i64,
    pub at_count: i64,
}

impl xlashape_draw_options {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            flags: 0,
            format: 0,
            show: 0,
            color_by: 0,
            color_dimension: 0,
            zoom: 0,
            columns: 0,
            max_cells: 0,
            reserved: 0,
            overlay_bytes: 0,
            at: core::ptr::null(),
            at_count: 0,
        }
    }
}

impl Default for xlashape_draw_options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_draw_options>() == 64 && core::mem::align_of::<xlashape_draw_options>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_draw_options>() == 60 || core::mem::size_of::<xlashape_draw_options>() == 64);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_calibrate_options {
    pub struct_size: u32,
    pub reserved: i32,
    pub budget_ns: i64,
    pub progress: xlashape_progress,
    pub progress_opaque: *mut c_void,
    pub cancel: *const i32,
}

impl xlashape_calibrate_options {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            reserved: 0,
            budget_ns: 0,
            progress: None,
            progress_opaque: core::ptr::null_mut(),
            cancel: core::ptr::null(),
        }
    }
}

impl Default for xlashape_calibrate_options {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_calibrate_options>() == 40 && core::mem::align_of::<xlashape_calibrate_options>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_calibrate_options>() == 28 || core::mem::size_of::<xlashape_calibrate_options>() == 32);

extern "C" {
    pub fn xlashape_version() -> *const c_char;
    pub fn xlashape_abi_version() -> u32;
    pub fn xlashape_get_extension(name: *const c_char, name_len: i64) -> *const c_void;
    pub fn xlashape_status_name(status: xlashape_status) -> *const c_char;
    pub fn xlashape_element_type_name(r#type: xlashape_element_type) -> *const c_char;
    pub fn xlashape_element_type_from_name(name: *const c_char, name_len: i64, r#type: *mut xlashape_element_type, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_element_type_bits(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_storage_bits(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_classes(r#type: xlashape_element_type) -> u32;
    pub fn xlashape_element_type_float_format(r#type: xlashape_element_type, format: *mut xlashape_float_format, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_element_type_cast_preserves_values(from: xlashape_element_type, to: xlashape_element_type) -> i32;
    pub fn xlashape_padding_element(r#type: xlashape_element_type, value: xlashape_padding_value, bytes: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_create(spec: *const xlashape_layout_spec, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_create_from_fields(fields: *const i64, size: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_create_row_major(rank: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_create_column_major(rank: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_parse(text: *const c_char, text_len: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_parse_head(text: *const c_char, text_len: i64, layout: *mut *mut xlashape_layout, end: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_print(layout: *const xlashape_layout, flags: u32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_retain(layout: *const xlashape_layout) -> *mut xlashape_layout;
    pub fn xlashape_layout_release(layout: *mut xlashape_layout);
    pub fn xlashape_layout_rank(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_minor_to_major(layout: *const xlashape_layout, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_logical_to_physical(layout: *const xlashape_layout, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_padded_dimensions(layout: *const xlashape_layout, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_padding_value(layout: *const xlashape_layout) -> xlashape_padding_value;
    pub fn xlashape_layout_tile_count(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_tile(layout: *const xlashape_layout, level: i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_element_size_in_bits(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_tail_padding_alignment_in_elements(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_memory_space(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_dynamic_shape_metadata_prefix_bytes(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_split_count(layout: *const xlashape_layout) -> i64;
    pub fn xlashape_layout_split(layout: *const xlashape_layout, split: i64, dimension: *mut i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_get_spec(layout: *const xlashape_layout, spec: *mut xlashape_layout_spec, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_fields(layout: *const xlashape_layout, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_print_tile(layout: *const xlashape_layout, level: i64, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_print_split(layout: *const xlashape_layout, split: i64, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_is_dim0_major(layout: *const xlashape_layout) -> i32;
    pub fn xlashape_layout_is_dim0_minor(layout: *const xlashape_layout) -> i32;
    pub fn xlashape_layout_equal(a: *const xlashape_layout, b: *const xlashape_layout, mask: u32) -> i32;
    pub fn xlashape_layout_hash(layout: *const xlashape_layout, mask: u32) -> u64;
    pub fn xlashape_shape_parse(text: *const c_char, text_len: i64, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_parse_head(text: *const c_char, text_len: i64, flags: u32, shape: *mut *mut xlashape_shape, end: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_print(shape: *const xlashape_shape, flags: u32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_array(element_type: xlashape_element_type, dimensions: *const i64, dynamic: *const u8, rank: i64, layout: *const xlashape_layout, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_tuple(elements: *const *mut xlashape_shape, count: i64, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_token(shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_opaque(shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_create_buffer(array: *const xlashape_shape, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_with_layout(shape: *const xlashape_shape, layout: *const xlashape_layout, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_retain(shape: *const xlashape_shape) -> *mut xlashape_shape;
    pub fn xlashape_shape_release(shape: *mut xlashape_shape);
    pub fn xlashape_shape_category(shape: *const xlashape_shape) -> xlashape_category;
    pub fn xlashape_shape_element_type(shape: *const xlashape_shape) -> xlashape_element_type;
    pub fn xlashape_shape_rank(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_dimensions(shape: *const xlashape_shape, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_dynamic_dimensions(shape: *const xlashape_shape, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_is_dynamic(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_is_unbounded(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_has_layout(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_layout(shape: *const xlashape_shape, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_tuple_element_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_tuple_element(shape: *const xlashape_shape, index: i64, element: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_subshape(shape: *const xlashape_shape, path: *const i64, path_len: i64, subshape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_leaf_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_equal(a: *const xlashape_shape, b: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_compatible(a: *const xlashape_shape, b: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_hash(shape: *const xlashape_shape, mask: u32) -> u64;
    pub fn xlashape_dimension_number(rank: i64, dimension: i64, resolved: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_dimension_letter(rank: i64, dimension: i64) -> i32;
    pub fn xlashape_dimension_from_letter(rank: i64, letter: i32, dimension: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_sizes(shape: *const xlashape_shape, sizes: *mut xlashape_sizes, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_element_count(shape: *const xlashape_shape, elements: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_byte_size(shape: *const xlashape_shape, pointer_size: i64, flags: u32, bytes: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_true_rank(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_is_effective_scalar(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_strides(shape: *const xlashape_shape, unit: xlashape_unit, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_piece_granularity(shape: *const xlashape_shape, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_max_split_size(shape: *const xlashape_shape, dimension: i64, size: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_index_in_bounds(shape: *const xlashape_shape, index: *const i64, rank: i64) -> i32;
    pub fn xlashape_shape_next_index(shape: *const xlashape_shape, index: *mut i64, rank: i64) -> i32;
    pub fn xlashape_box_next_index(base: *const i64, count: *const i64, step: *const i64, minor_to_major: *const i64, rank: i64, index: *mut i64) -> i32;
    pub fn xlashape_box_index_count(count: *const i64, step: *const i64, rank: i64, indices: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_box_index_at(base: *const i64, count: *const i64, step: *const i64, minor_to_major: *const i64, rank: i64, number: i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_to_proto(shape: *const xlashape_shape, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_from_proto(bytes: *const u8, size: i64, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_to_proto(layout: *const xlashape_layout, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_from_proto(bytes: *const u8, size: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_map_create(shape: *const xlashape_shape, map: *mut *mut xlashape_index_map, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_map_retain(map: *const xlashape_index_map) -> *mut xlashape_index_map;
    pub fn xlashape_index_map_release(map: *mut xlashape_index_map);
    pub fn xlashape_index_map_rank(map: *const xlashape_index_map) -> i64;
    pub fn xlashape_index_map_storage_elements(map: *const xlashape_index_map) -> i64;
    pub fn xlashape_index_map_linear_index(map: *const xlashape_index_map, index: *const i64, rank: i64, linear: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_map_multidimensional_index(map: *const xlashape_index_map, linear: i64, index: *mut i64, rank: i64, is_padding: *mut i32, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_map_linear_indices(runtime: *mut xlashape_runtime, map: *const xlashape_index_map, count: i64, index: *const i64, index_step: i64, dimension_step: i64, linear: *mut i64, flags: u32, bad: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_map_multidimensional_indices(runtime: *mut xlashape_runtime, map: *const xlashape_index_map, count: i64, linear: *const i64, index: *mut i64, index_step: i64, dimension_step: i64, flags: u32, bad: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_create(options: *const xlashape_runtime_options, runtime: *mut *mut xlashape_runtime, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_retain(runtime: *mut xlashape_runtime) -> *mut xlashape_runtime;
    pub fn xlashape_runtime_release(runtime: *mut xlashape_runtime);
    pub fn xlashape_runtime_load_backend(runtime: *mut xlashape_runtime, path: *const c_char, path_len: i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_add_backend(runtime: *mut xlashape_runtime, name: *const c_char, name_len: i64, open: xlashape_backend_open, user: *mut c_void, release: xlashape_release, priority: i32, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_report(runtime: *mut xlashape_runtime, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_backend_count(runtime: *mut xlashape_runtime) -> i64;
    pub fn xlashape_runtime_backend_info(runtime: *mut xlashape_runtime, ordinal: i64, info: *mut xlashape_backend_info, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_backend_text(runtime: *mut xlashape_runtime, ordinal: i64, which: i32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_device_text(runtime: *mut xlashape_runtime, ordinal: i64, device: i32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_memory_alloc(runtime: *mut xlashape_runtime, device: i32, space: xlashape_memory_space, bytes: i64, address: *mut u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_memory_free(runtime: *mut xlashape_runtime, device: i32, address: u64, space: xlashape_memory_space, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_memory_copy(runtime: *mut xlashape_runtime, device: i32, dst: u64, dst_space: xlashape_memory_space, src: u64, src_space: xlashape_memory_space, bytes: i64, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_memory_fill(runtime: *mut xlashape_runtime, device: i32, dst: u64, space: xlashape_memory_space, byte: i32, bytes: i64, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_queue_wait(runtime: *mut xlashape_runtime, device: i32, space: xlashape_memory_space, queue_kind: i32, queue: u64, event: u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_queue_signal(runtime: *mut xlashape_runtime, device: i32, space: xlashape_memory_space, queue_kind: i32, queue: u64, event: *mut u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_queue_sync(runtime: *mut xlashape_runtime, device: i32, space: xlashape_memory_space, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_create(runtime: *mut xlashape_runtime, src_shape: *const xlashape_shape, dst_shape: *const xlashape_shape, options: *const xlashape_relayout_options, plan: *mut *mut xlashape_plan, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_create_from_fields(runtime: *mut xlashape_runtime, src_shape: *const xlashape_shape, dst_shape: *const xlashape_shape, fields: *const i64, size: i64, plan: *mut *mut xlashape_plan, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_retain(plan: *const xlashape_plan) -> *mut xlashape_plan;
    pub fn xlashape_plan_release(plan: *mut xlashape_plan);
    pub fn xlashape_plan_execute(plan: *const xlashape_plan, src: *const c_void, dst: *mut c_void, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_execute_batch(plan: *const xlashape_plan, count: i64, src: *const c_void, src_step: i64, dst: *mut c_void, dst_step: i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_execute_ex(plan: *const xlashape_plan, exec: *const xlashape_exec, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_execute_list(count: i64, plans: *const *mut xlashape_plan, src: *const u64, dst: *const u64, exec: *const xlashape_exec, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_task_count(plan: *const xlashape_plan, workers: i64) -> i64;
    pub fn xlashape_plan_get_requirements(plan: *const xlashape_plan, requirements: *mut xlashape_plan_requirements, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_describe(plan: *const xlashape_plan, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_predict(plan: *const xlashape_plan, ns: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_backend(plan: *const xlashape_plan) -> *const c_char;
    pub fn xlashape_plan_shapes(plan: *const xlashape_plan, src_shape: *mut *mut xlashape_shape, dst_shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_plan_key(src_shape: *const xlashape_shape, dst_shape: *const xlashape_shape, options: *const xlashape_relayout_options, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_relayout(runtime: *mut xlashape_runtime, src_shape: *const xlashape_shape, src: *const c_void, src_bytes: i64, dst_shape: *const xlashape_shape, dst: *mut c_void, dst_bytes: i64, options: *const xlashape_relayout_options, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_relayout_from_fields(runtime: *mut xlashape_runtime, src_shape: *const xlashape_shape, src: *const c_void, src_bytes: i64, dst_shape: *const xlashape_shape, dst: *mut c_void, dst_bytes: i64, fields: *const i64, size: i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_index_plan_create(runtime: *mut xlashape_runtime, map: *const xlashape_index_map, conversion: xlashape_index_conversion, options: *const xlashape_index_options, plan: *mut *mut xlashape_plan, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_element_type_complex_component(r#type: xlashape_element_type) -> xlashape_element_type;
    pub fn xlashape_element_type_complex(r#type: xlashape_element_type) -> xlashape_element_type;
    pub fn xlashape_element_type_integral(bits: i32, is_signed: i32) -> xlashape_element_type;
    pub fn xlashape_layout_create_major_to_minor(major_to_minor: *const i64, rank: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_move_dimension_to_major(layout: *const xlashape_layout, dimension: i64, result: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_move_dimension_to_minor(layout: *const xlashape_layout, dimension: i64, result: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_delete_dimensions(layout: *const xlashape_layout, dimensions: *const i64, count: i64, result: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_are_dimensions_consecutive(layout: *const xlashape_layout, dimensions: *const i64, count: i64) -> i32;
    pub fn xlashape_shape_has_parts(shape: *const xlashape_shape, parts: u32) -> i32;
    pub fn xlashape_shape_without_parts(shape: *const xlashape_shape, parts: u32, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_has_all_layouts(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_with_default_layouts(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_copy_layouts(from: *const xlashape_shape, to: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_with_packed_elements(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_with_element_type(shape: *const xlashape_shape, r#type: xlashape_element_type, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_permute_dimensions(shape: *const xlashape_shape, permutation: *const i64, rank: i64, flags: u32, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_to_physical_order(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_insert_dimensions(shape: *const xlashape_shape, at: i64, sizes: *const i64, count: i64, flags: u32, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_delete_dimensions(shape: *const xlashape_shape, dimensions: *const i64, count: i64, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_drop_degenerate_dimensions(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_has_degenerate_dimensions(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_with_dimension(shape: *const xlashape_shape, dimension: i64, size: i64, is_dynamic: i32, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_is_effectively_most_major(shape: *const xlashape_shape, dimension: i64) -> i32;
    pub fn xlashape_shape_last_dimension_is_most_minor(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_is_untiled(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_byte_strides_are_row_major(r#type: xlashape_element_type, dimensions: *const i64, byte_strides: *const i64, rank: i64) -> i32;
    pub fn xlashape_shape_to_static(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_with_dynamic_dimensions(shape: *const xlashape_shape, dynamic: *const u8, rank: i64, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_is_bounded_dynamic(shape: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_fits_bounds(dynamic: *const xlashape_shape, bounds: *const xlashape_shape) -> i32;
    pub fn xlashape_shape_static_element_count(shape: *const xlashape_shape, elements: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_element_count_recursive(shape: *const xlashape_shape, elements: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_byte_size_recursive(shape: *const xlashape_shape, bytes: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_max_elements_per_split(shape: *const xlashape_shape, elements: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_has_element_type(shape: *const xlashape_shape, r#type: xlashape_element_type) -> i32;
    pub fn xlashape_shape_leaves_have_classes(shape: *const xlashape_shape, classes: u32) -> i32;
    pub fn xlashape_shape_subshape_count(shape: *const xlashape_shape) -> i64;
    pub fn xlashape_shape_next_subshape(shape: *const xlashape_shape, flags: u32, path: *mut i64, capacity: i64, path_len: *mut i64, subshape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_is_prefix(prefix: *const xlashape_shape, shape: *const xlashape_shape, mask: u32) -> i32;
    pub fn xlashape_shape_slice_tuple(tuple: *const xlashape_shape, first: i64, limit: i64, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_append_to_tuple(tuple: *const xlashape_shape, element: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_replace_subshape(shape: *const xlashape_shape, path: *const i64, path_len: i64, subshape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_flatten_tuple(shape: *const xlashape_shape, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_create(parameters: *const *mut xlashape_shape, count: i64, names: *const c_char, name_lens: *const i64, result: *const xlashape_shape, program: *mut *mut xlashape_program_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_retain(program: *const xlashape_program_shape) -> *mut xlashape_program_shape;
    pub fn xlashape_program_shape_release(program: *mut xlashape_program_shape);
    pub fn xlashape_program_shape_parameter_count(program: *const xlashape_program_shape) -> i64;
    pub fn xlashape_program_shape_parameter(program: *const xlashape_program_shape, index: i64, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_parameter_name(program: *const xlashape_program_shape, index: i64, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_result(program: *const xlashape_program_shape, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_print(program: *const xlashape_program_shape, flags: u32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_has_all_layouts(program: *const xlashape_program_shape) -> i32;
    pub fn xlashape_program_shape_with_default_layouts(program: *const xlashape_program_shape, result: *mut *mut xlashape_program_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_without_parts(program: *const xlashape_program_shape, parts: u32, result: *mut *mut xlashape_program_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_equal(a: *const xlashape_program_shape, b: *const xlashape_program_shape, mask: u32) -> i32;
    pub fn xlashape_shape_reshape_is_bitcast(a: *const xlashape_shape, b: *const xlashape_shape, flags: u32) -> i32;
    pub fn xlashape_shape_transpose_is_bitcast(a: *const xlashape_shape, b: *const xlashape_shape, permutation: *const i64, rank: i64, flags: u32) -> i32;
    pub fn xlashape_shape_is_reshape_or_transpose_bitcast(a: *const xlashape_shape, b: *const xlashape_shape, flags: u32) -> i32;
    pub fn xlashape_shape_deduce_transpose(a: *const xlashape_shape, b: *const xlashape_shape, flags: u32, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_decompose_bitcast(a: *const xlashape_shape, b: *const xlashape_shape, flags: u32, kind: *mut xlashape_bitcast_kind, transpose1: *mut i64, transpose1_capacity: i64, transpose1_needed: *mut i64, reshape_from: *mut *mut xlashape_shape, reshape_to: *mut *mut xlashape_shape, transpose2: *mut i64, transpose2_capacity: i64, transpose2_needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_align_layouts(shape: *const xlashape_shape, dimensions: *const i64, rank: i64, flags: u32, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_common_factors(a: *const i64, a_rank: i64, b: *const i64, b_rank: i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_dimensions_unmodified_by_reshape(a: *const i64, a_rank: i64, b: *const i64, b_rank: i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_inserted_or_deleted_ones(a: *const xlashape_shape, b: *const xlashape_shape, deleted: *mut i64, deleted_capacity: i64, deleted_needed: *mut i64, inserted: *mut i64, inserted_capacity: i64, inserted_needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_normalized_transpose(dimensions: *const i64, permutation: *const i64, rank: i64, out_dimensions: *mut i64, out_permutation: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_target_name(target: xlashape_target) -> *const c_char;
    pub fn xlashape_target_from_name(name: *const c_char, name_len: i64, target: *mut xlashape_target, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_target_properties(target: xlashape_target, info: *mut xlashape_target_info, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_target_tuple_bytes(target: xlashape_target, elements: i64, bytes: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_target_memory_space_name(target: xlashape_target, memory_space: i64, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_target_layout(target: xlashape_target, r#type: xlashape_element_type, dimensions: *const i64, minor_to_major: *const i64, rank: i64, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_for_target(shape: *const xlashape_shape, target: xlashape_target, flags: u32, result: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_draw(shape: *const xlashape_shape, other: *const xlashape_shape, options: *const xlashape_draw_options, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_calibrate(runtime: *mut xlashape_runtime, options: *const xlashape_calibrate_options, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_profile_path(runtime: *mut xlashape_runtime, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_export_wisdom(runtime: *mut xlashape_runtime, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_import_wisdom(runtime: *mut xlashape_runtime, text: *const c_char, text_len: i64, taken: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_runtime_forget_wisdom(runtime: *mut xlashape_runtime);
    pub fn xlashape_program_shape_to_proto(program: *const xlashape_program_shape, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_program_shape_from_proto(bytes: *const u8, size: i64, flags: u32, program: *mut *mut xlashape_program_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_path_to_proto(path: *const i64, path_len: i64, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_path_from_proto(bytes: *const u8, size: i64, out: *mut i64, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_layout_from_byte_strides(r#type: xlashape_element_type, dimensions: *const i64, byte_strides: *const i64, rank: i64, flags: u32, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_element_type_to_pjrt(r#type: xlashape_element_type) -> i32;
    pub fn xlashape_element_type_from_pjrt(number: i32) -> xlashape_element_type;
    pub fn xlashape_layout_from_pjrt(memory_layout: *const c_void, r#type: xlashape_element_type, dimensions: *const i64, rank: i64, flags: u32, layout: *mut *mut xlashape_layout, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_to_pjrt(shape: *const xlashape_shape, flags: u32, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_from_dlpack(tensor: *const c_void, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_to_dlpack(shape: *const xlashape_shape, flags: u32, data: *mut c_void, device_type: xlashape_memory_space, device_id: i32, byte_offset: i64, out: *mut u8, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_print_mlir(shape: *const xlashape_shape, flags: u32, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_parse_mlir(text: *const c_char, text_len: i64, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_print_cute(shape: *const xlashape_shape, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_parse_cute(text: *const c_char, text_len: i64, r#type: xlashape_element_type, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_print_numpy(shape: *const xlashape_shape, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status;
    pub fn xlashape_shape_parse_numpy(text: *const c_char, text_len: i64, flags: u32, shape: *mut *mut xlashape_shape, err: *mut xlashape_error) -> xlashape_status;
}

#[cfg(all(test, target_pointer_width = "64"))]
mod offsets {
    use super::*;
    use core::mem::MaybeUninit;
    use core::ptr::addr_of;

    #[test]
    fn xlashape_float_format_offsets() {
        let place = MaybeUninit::<xlashape_float_format>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).significand_width) } as *const u8), 4, "significand_width");
        assert_eq!(at(unsafe { addr_of!((*start).exponent_width) } as *const u8), 8, "exponent_width");
        assert_eq!(at(unsafe { addr_of!((*start).exponent_bias) } as *const u8), 12, "exponent_bias");
        assert_eq!(at(unsafe { addr_of!((*start).underflow_exponent) } as *const u8), 16, "underflow_exponent");
        assert_eq!(at(unsafe { addr_of!((*start).overflow_exponent) } as *const u8), 20, "overflow_exponent");
        assert_eq!(at(unsafe { addr_of!((*start).has_infinity) } as *const u8), 24, "has_infinity");
        assert_eq!(at(unsafe { addr_of!((*start).has_nan) } as *const u8), 28, "has_nan");
        assert_eq!(at(unsafe { addr_of!((*start).has_negative_zero) } as *const u8), 32, "has_negative_zero");
        assert_eq!(at(unsafe { addr_of!((*start).has_positive_zero) } as *const u8), 36, "has_positive_zero");
    }

    #[test]
    fn xlashape_layout_spec_offsets() {
        let place = MaybeUninit::<xlashape_layout_spec>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).padding_value) } as *const u8), 4, "padding_value");
        assert_eq!(at(unsafe { addr_of!((*start).rank) } as *const u8), 8, "rank");
        assert_eq!(at(unsafe { addr_of!((*start).minor_to_major) } as *const u8), 16, "minor_to_major");
        assert_eq!(at(unsafe { addr_of!((*start).padded_dimensions) } as *const u8), 24, "padded_dimensions");
        assert_eq!(at(unsafe { addr_of!((*start).tile_count) } as *const u8), 32, "tile_count");
        assert_eq!(at(unsafe { addr_of!((*start).tile_ranks) } as *const u8), 40, "tile_ranks");
        assert_eq!(at(unsafe { addr_of!((*start).tile_dimensions) } as *const u8), 48, "tile_dimensions");
        assert_eq!(at(unsafe { addr_of!((*start).element_size_in_bits) } as *const u8), 56, "element_size_in_bits");
        assert_eq!(at(unsafe { addr_of!((*start).tail_padding_alignment_in_elements) } as *const u8), 64, "tail_padding_alignment_in_elements");
        assert_eq!(at(unsafe { addr_of!((*start).memory_space) } as *const u8), 72, "memory_space");
        assert_eq!(at(unsafe { addr_of!((*start).split_count) } as *const u8), 80, "split_count");
        assert_eq!(at(unsafe { addr_of!((*start).split_dimensions) } as *const u8), 88, "split_dimensions");
        assert_eq!(at(unsafe { addr_of!((*start).split_sizes) } as *const u8), 96, "split_sizes");
        assert_eq!(at(unsafe { addr_of!((*start).split_indices) } as *const u8), 104, "split_indices");
        assert_eq!(at(unsafe { addr_of!((*start).dynamic_shape_metadata_prefix_bytes) } as *const u8), 112, "dynamic_shape_metadata_prefix_bytes");
    }

    #[test]
    fn xlashape_sizes_offsets() {
        let place = MaybeUninit::<xlashape_sizes>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).element_bits) } as *const u8), 4, "element_bits");
        assert_eq!(at(unsafe { addr_of!((*start).elements) } as *const u8), 8, "elements");
        assert_eq!(at(unsafe { addr_of!((*start).storage_elements) } as *const u8), 16, "storage_elements");
        assert_eq!(at(unsafe { addr_of!((*start).logical_bytes) } as *const u8), 24, "logical_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).bytes) } as *const u8), 32, "bytes");
        assert_eq!(at(unsafe { addr_of!((*start).xla_bytes) } as *const u8), 40, "xla_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).data_bytes) } as *const u8), 48, "data_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).dimension_padding) } as *const u8), 56, "dimension_padding");
        assert_eq!(at(unsafe { addr_of!((*start).tail_padding) } as *const u8), 64, "tail_padding");
    }

    #[test]
    fn xlashape_allocator_offsets() {
        let place = MaybeUninit::<xlashape_allocator>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 4, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).opaque) } as *const u8), 8, "opaque");
        assert_eq!(at(unsafe { addr_of!((*start).alloc) } as *const u8), 16, "alloc");
        assert_eq!(at(unsafe { addr_of!((*start).free) } as *const u8), 24, "free");
        assert_eq!(at(unsafe { addr_of!((*start).release) } as *const u8), 32, "release");
    }

    #[test]
    fn xlashape_logger_offsets() {
        let place = MaybeUninit::<xlashape_logger>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 4, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).opaque) } as *const u8), 8, "opaque");
        assert_eq!(at(unsafe { addr_of!((*start).log) } as *const u8), 16, "log");
        assert_eq!(at(unsafe { addr_of!((*start).release) } as *const u8), 24, "release");
    }

    #[test]
    fn xlashape_runtime_options_offsets() {
        let place = MaybeUninit::<xlashape_runtime_options>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 4, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).backend_dirs) } as *const u8), 8, "backend_dirs");
        assert_eq!(at(unsafe { addr_of!((*start).executor) } as *const u8), 16, "executor");
        assert_eq!(at(unsafe { addr_of!((*start).allocator) } as *const u8), 24, "allocator");
        assert_eq!(at(unsafe { addr_of!((*start).logger) } as *const u8), 32, "logger");
        assert_eq!(at(unsafe { addr_of!((*start).threads) } as *const u8), 40, "threads");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 44, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).verify_positions) } as *const u8), 48, "verify_positions");
        assert_eq!(at(unsafe { addr_of!((*start).backend) } as *const u8), 56, "backend");
        assert_eq!(at(unsafe { addr_of!((*start).denied_backends) } as *const u8), 64, "denied_backends");
        assert_eq!(at(unsafe { addr_of!((*start).cpu) } as *const u8), 72, "cpu");
        assert_eq!(at(unsafe { addr_of!((*start).backend_options) } as *const u8), 80, "backend_options");
        assert_eq!(at(unsafe { addr_of!((*start).profile) } as *const u8), 88, "profile");
    }

    #[test]
    fn xlashape_backend_info_offsets() {
        let place = MaybeUninit::<xlashape_backend_info>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).state) } as *const u8), 4, "state");
        assert_eq!(at(unsafe { addr_of!((*start).abi_version) } as *const u8), 8, "abi_version");
        assert_eq!(at(unsafe { addr_of!((*start).priority) } as *const u8), 12, "priority");
        assert_eq!(at(unsafe { addr_of!((*start).device_count) } as *const u8), 16, "device_count");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 20, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).memory_spaces) } as *const u8), 24, "memory_spaces");
    }

    #[test]
    fn xlashape_relayout_options_offsets() {
        let place = MaybeUninit::<xlashape_relayout_options>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 4, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).fill_policy) } as *const u8), 8, "fill_policy");
        assert_eq!(at(unsafe { addr_of!((*start).src_space) } as *const u8), 12, "src_space");
        assert_eq!(at(unsafe { addr_of!((*start).dst_space) } as *const u8), 16, "dst_space");
        assert_eq!(at(unsafe { addr_of!((*start).device) } as *const u8), 20, "device");
        assert_eq!(at(unsafe { addr_of!((*start).backend) } as *const u8), 24, "backend");
        assert_eq!(at(unsafe { addr_of!((*start).src_byte_strides) } as *const u8), 32, "src_byte_strides");
        assert_eq!(at(unsafe { addr_of!((*start).dst_byte_strides) } as *const u8), 40, "dst_byte_strides");
        assert_eq!(at(unsafe { addr_of!((*start).src_base) } as *const u8), 48, "src_base");
        assert_eq!(at(unsafe { addr_of!((*start).dst_base) } as *const u8), 56, "dst_base");
        assert_eq!(at(unsafe { addr_of!((*start).extent) } as *const u8), 64, "extent");
        assert_eq!(at(unsafe { addr_of!((*start).measure_ns) } as *const u8), 72, "measure_ns");
        assert_eq!(at(unsafe { addr_of!((*start).measure_src) } as *const u8), 80, "measure_src");
        assert_eq!(at(unsafe { addr_of!((*start).measure_dst) } as *const u8), 88, "measure_dst");
    }

    #[test]
    fn xlashape_exec_offsets() {
        let place = MaybeUninit::<xlashape_exec>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).queue_kind) } as *const u8), 4, "queue_kind");
        assert_eq!(at(unsafe { addr_of!((*start).queue) } as *const u8), 8, "queue");
        assert_eq!(at(unsafe { addr_of!((*start).src) } as *const u8), 16, "src");
        assert_eq!(at(unsafe { addr_of!((*start).dst) } as *const u8), 24, "dst");
        assert_eq!(at(unsafe { addr_of!((*start).src_byte_offset) } as *const u8), 32, "src_byte_offset");
        assert_eq!(at(unsafe { addr_of!((*start).dst_byte_offset) } as *const u8), 40, "dst_byte_offset");
        assert_eq!(at(unsafe { addr_of!((*start).src_byte_size) } as *const u8), 48, "src_byte_size");
        assert_eq!(at(unsafe { addr_of!((*start).dst_byte_size) } as *const u8), 56, "dst_byte_size");
        assert_eq!(at(unsafe { addr_of!((*start).task_begin) } as *const u8), 64, "task_begin");
        assert_eq!(at(unsafe { addr_of!((*start).task_end) } as *const u8), 72, "task_end");
        assert_eq!(at(unsafe { addr_of!((*start).task_count) } as *const u8), 80, "task_count");
        assert_eq!(at(unsafe { addr_of!((*start).executor) } as *const u8), 88, "executor");
        assert_eq!(at(unsafe { addr_of!((*start).count) } as *const u8), 96, "count");
        assert_eq!(at(unsafe { addr_of!((*start).bad) } as *const u8), 104, "bad");
        assert_eq!(at(unsafe { addr_of!((*start).scratch) } as *const u8), 112, "scratch");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_bytes) } as *const u8), 120, "scratch_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).cancel) } as *const u8), 128, "cancel");
        assert_eq!(at(unsafe { addr_of!((*start).progress) } as *const u8), 136, "progress");
        assert_eq!(at(unsafe { addr_of!((*start).progress_opaque) } as *const u8), 144, "progress_opaque");
    }

    #[test]
    fn xlashape_plan_requirements_offsets() {
        let place = MaybeUninit::<xlashape_plan_requirements>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 4, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).src_alignment) } as *const u8), 8, "src_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).dst_alignment) } as *const u8), 16, "dst_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).src_low) } as *const u8), 24, "src_low");
        assert_eq!(at(unsafe { addr_of!((*start).src_high) } as *const u8), 32, "src_high");
        assert_eq!(at(unsafe { addr_of!((*start).dst_low) } as *const u8), 40, "dst_low");
        assert_eq!(at(unsafe { addr_of!((*start).dst_high) } as *const u8), 48, "dst_high");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_bytes) } as *const u8), 56, "scratch_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).plan_bytes) } as *const u8), 64, "plan_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_alignment) } as *const u8), 72, "scratch_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).src_preferred_alignment) } as *const u8), 80, "src_preferred_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).dst_preferred_alignment) } as *const u8), 88, "dst_preferred_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).estimated_ns) } as *const u8), 96, "estimated_ns");
        assert_eq!(at(unsafe { addr_of!((*start).stack_bytes) } as *const u8), 104, "stack_bytes");
    }

    #[test]
    fn xlashape_index_options_offsets() {
        let place = MaybeUninit::<xlashape_index_options>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 4, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).src_space) } as *const u8), 8, "src_space");
        assert_eq!(at(unsafe { addr_of!((*start).dst_space) } as *const u8), 12, "dst_space");
        assert_eq!(at(unsafe { addr_of!((*start).device) } as *const u8), 16, "device");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 20, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).backend) } as *const u8), 24, "backend");
        assert_eq!(at(unsafe { addr_of!((*start).index_step) } as *const u8), 32, "index_step");
        assert_eq!(at(unsafe { addr_of!((*start).dimension_step) } as *const u8), 40, "dimension_step");
    }

    #[test]
    fn xlashape_target_info_offsets() {
        let place = MaybeUninit::<xlashape_target_info>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).lanes) } as *const u8), 4, "lanes");
        assert_eq!(at(unsafe { addr_of!((*start).sublanes) } as *const u8), 8, "sublanes");
        assert_eq!(at(unsafe { addr_of!((*start).pointer_bytes) } as *const u8), 12, "pointer_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).tuple_alignment) } as *const u8), 16, "tuple_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 20, "reserved");
    }

    #[test]
    fn xlashape_draw_options_offsets() {
        let place = MaybeUninit::<xlashape_draw_options>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 4, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).format) } as *const u8), 8, "format");
        assert_eq!(at(unsafe { addr_of!((*start).show) } as *const u8), 12, "show");
        assert_eq!(at(unsafe { addr_of!((*start).color_by) } as *const u8), 16, "color_by");
        assert_eq!(at(unsafe { addr_of!((*start).color_dimension) } as *const u8), 20, "color_dimension");
        assert_eq!(at(unsafe { addr_of!((*start).zoom) } as *const u8), 24, "zoom");
        assert_eq!(at(unsafe { addr_of!((*start).columns) } as *const u8), 28, "columns");
        assert_eq!(at(unsafe { addr_of!((*start).max_cells) } as *const u8), 32, "max_cells");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 36, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).overlay_bytes) } as *const u8), 40, "overlay_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).at) } as *const u8), 48, "at");
        assert_eq!(at(unsafe { addr_of!((*start).at_count) } as *const u8), 56, "at_count");
    }

    #[test]
    fn xlashape_calibrate_options_offsets() {
        let place = MaybeUninit::<xlashape_calibrate_options>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 4, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).budget_ns) } as *const u8), 8, "budget_ns");
        assert_eq!(at(unsafe { addr_of!((*start).progress) } as *const u8), 16, "progress");
        assert_eq!(at(unsafe { addr_of!((*start).progress_opaque) } as *const u8), 24, "progress_opaque");
        assert_eq!(at(unsafe { addr_of!((*start).cancel) } as *const u8), 32, "cancel");
    }
}

#[cfg(test)]
#[test]
fn every_function_is_there() {
    let functions = [
        xlashape_version as *const c_void,
        xlashape_abi_version as *const c_void,
        xlashape_get_extension as *const c_void,
        xlashape_status_name as *const c_void,
        xlashape_element_type_name as *const c_void,
        xlashape_element_type_from_name as *const c_void,
        xlashape_element_type_bits as *const c_void,
        xlashape_element_type_storage_bits as *const c_void,
        xlashape_element_type_classes as *const c_void,
        xlashape_element_type_float_format as *const c_void,
        xlashape_element_type_cast_preserves_values as *const c_void,
        xlashape_padding_element as *const c_void,
        xlashape_layout_create as *const c_void,
        xlashape_layout_create_from_fields as *const c_void,
        xlashape_layout_create_row_major as *const c_void,
        xlashape_layout_create_column_major as *const c_void,
        xlashape_layout_parse as *const c_void,
        xlashape_layout_parse_head as *const c_void,
        xlashape_layout_print as *const c_void,
        xlashape_layout_retain as *const c_void,
        xlashape_layout_release as *const c_void,
        xlashape_layout_rank as *const c_void,
        xlashape_layout_minor_to_major as *const c_void,
        xlashape_layout_logical_to_physical as *const c_void,
        xlashape_layout_padded_dimensions as *const c_void,
        xlashape_layout_padding_value as *const c_void,
        xlashape_layout_tile_count as *const c_void,
        xlashape_layout_tile as *const c_void,
        xlashape_layout_element_size_in_bits as *const c_void,
        xlashape_layout_tail_padding_alignment_in_elements as *const c_void,
        xlashape_layout_memory_space as *const c_void,
        xlashape_layout_dynamic_shape_metadata_prefix_bytes as *const c_void,
        xlashape_layout_split_count as *const c_void,
        xlashape_layout_split as *const c_void,
        xlashape_layout_get_spec as *const c_void,
        xlashape_layout_fields as *const c_void,
        xlashape_layout_print_tile as *const c_void,
        xlashape_layout_print_split as *const c_void,
        xlashape_layout_is_dim0_major as *const c_void,
        xlashape_layout_is_dim0_minor as *const c_void,
        xlashape_layout_equal as *const c_void,
        xlashape_layout_hash as *const c_void,
        xlashape_shape_parse as *const c_void,
        xlashape_shape_parse_head as *const c_void,
        xlashape_shape_print as *const c_void,
        xlashape_shape_create_array as *const c_void,
        xlashape_shape_create_tuple as *const c_void,
        xlashape_shape_create_token as *const c_void,
        xlashape_shape_create_opaque as *const c_void,
        xlashape_shape_create_buffer as *const c_void,
        xlashape_shape_with_layout as *const c_void,
        xlashape_shape_retain as *const c_void,
        xlashape_shape_release as *const c_void,
        xlashape_shape_category as *const c_void,
        xlashape_shape_element_type as *const c_void,
        xlashape_shape_rank as *const c_void,
        xlashape_shape_dimensions as *const c_void,
        xlashape_shape_dynamic_dimensions as *const c_void,
        xlashape_shape_is_dynamic as *const c_void,
        xlashape_shape_is_unbounded as *const c_void,
        xlashape_shape_has_layout as *const c_void,
        xlashape_shape_layout as *const c_void,
        xlashape_shape_tuple_element_count as *const c_void,
        xlashape_shape_tuple_element as *const c_void,
        xlashape_shape_subshape as *const c_void,
        xlashape_shape_leaf_count as *const c_void,
        xlashape_shape_equal as *const c_void,
        xlashape_shape_compatible as *const c_void,
        xlashape_shape_hash as *const c_void,
        xlashape_dimension_number as *const c_void,
        xlashape_dimension_letter as *const c_void,
        xlashape_dimension_from_letter as *const c_void,
        xlashape_shape_sizes as *const c_void,
        xlashape_shape_element_count as *const c_void,
        xlashape_shape_byte_size as *const c_void,
        xlashape_shape_true_rank as *const c_void,
        xlashape_shape_is_effective_scalar as *const c_void,
        xlashape_shape_strides as *const c_void,
        xlashape_shape_piece_granularity as *const c_void,
        xlashape_shape_max_split_size as *const c_void,
        xlashape_shape_index_in_bounds as *const c_void,
        xlashape_shape_next_index as *const c_void,
        xlashape_box_next_index as *const c_void,
        xlashape_box_index_count as *const c_void,
        xlashape_box_index_at as *const c_void,
        xlashape_shape_to_proto as *const c_void,
        xlashape_shape_from_proto as *const c_void,
        xlashape_layout_to_proto as *const c_void,
        xlashape_layout_from_proto as *const c_void,
        xlashape_index_map_create as *const c_void,
        xlashape_index_map_retain as *const c_void,
        xlashape_index_map_release as *const c_void,
        xlashape_index_map_rank as *const c_void,
        xlashape_index_map_storage_elements as *const c_void,
        xlashape_index_map_linear_index as *const c_void,
        xlashape_index_map_multidimensional_index as *const c_void,
        xlashape_index_map_linear_indices as *const c_void,
        xlashape_index_map_multidimensional_indices as *const c_void,
        xlashape_runtime_create as *const c_void,
        xlashape_runtime_retain as *const c_void,
        xlashape_runtime_release as *const c_void,
        xlashape_runtime_load_backend as *const c_void,
        xlashape_runtime_add_backend as *const c_void,
        xlashape_runtime_report as *const c_void,
        xlashape_runtime_backend_count as *const c_void,
        xlashape_runtime_backend_info as *const c_void,
        xlashape_runtime_backend_text as *const c_void,
        xlashape_runtime_device_text as *const c_void,
        xlashape_memory_alloc as *const c_void,
        xlashape_memory_free as *const c_void,
        xlashape_memory_copy as *const c_void,
        xlashape_memory_fill as *const c_void,
        xlashape_queue_wait as *const c_void,
        xlashape_queue_signal as *const c_void,
        xlashape_queue_sync as *const c_void,
        xlashape_plan_create as *const c_void,
        xlashape_plan_create_from_fields as *const c_void,
        xlashape_plan_retain as *const c_void,
        xlashape_plan_release as *const c_void,
        xlashape_plan_execute as *const c_void,
        xlashape_plan_execute_batch as *const c_void,
        xlashape_plan_execute_ex as *const c_void,
        xlashape_plan_execute_list as *const c_void,
        xlashape_plan_task_count as *const c_void,
        xlashape_plan_get_requirements as *const c_void,
        xlashape_plan_describe as *const c_void,
        xlashape_plan_predict as *const c_void,
        xlashape_plan_backend as *const c_void,
        xlashape_plan_shapes as *const c_void,
        xlashape_plan_key as *const c_void,
        xlashape_relayout as *const c_void,
        xlashape_relayout_from_fields as *const c_void,
        xlashape_index_plan_create as *const c_void,
        xlashape_element_type_complex_component as *const c_void,
        xlashape_element_type_complex as *const c_void,
        xlashape_element_type_integral as *const c_void,
        xlashape_layout_create_major_to_minor as *const c_void,
        xlashape_layout_move_dimension_to_major as *const c_void,
        xlashape_layout_move_dimension_to_minor as *const c_void,
        xlashape_layout_delete_dimensions as *const c_void,
        xlashape_layout_are_dimensions_consecutive as *const c_void,
        xlashape_shape_has_parts as *const c_void,
        xlashape_shape_without_parts as *const c_void,
        xlashape_shape_has_all_layouts as *const c_void,
        xlashape_shape_with_default_layouts as *const c_void,
        xlashape_shape_copy_layouts as *const c_void,
        xlashape_shape_with_packed_elements as *const c_void,
        xlashape_shape_with_element_type as *const c_void,
        xlashape_shape_permute_dimensions as *const c_void,
        xlashape_shape_to_physical_order as *const c_void,
        xlashape_shape_insert_dimensions as *const c_void,
        xlashape_shape_delete_dimensions as *const c_void,
        xlashape_shape_drop_degenerate_dimensions as *const c_void,
        xlashape_shape_has_degenerate_dimensions as *const c_void,
        xlashape_shape_with_dimension as *const c_void,
        xlashape_shape_is_effectively_most_major as *const c_void,
        xlashape_shape_last_dimension_is_most_minor as *const c_void,
        xlashape_shape_is_untiled as *const c_void,
        xlashape_byte_strides_are_row_major as *const c_void,
        xlashape_shape_to_static as *const c_void,
        xlashape_shape_with_dynamic_dimensions as *const c_void,
        xlashape_shape_is_bounded_dynamic as *const c_void,
        xlashape_shape_fits_bounds as *const c_void,
        xlashape_shape_static_element_count as *const c_void,
        xlashape_shape_element_count_recursive as *const c_void,
        xlashape_shape_byte_size_recursive as *const c_void,
        xlashape_shape_max_elements_per_split as *const c_void,
        xlashape_shape_has_element_type as *const c_void,
        xlashape_shape_leaves_have_classes as *const c_void,
        xlashape_shape_subshape_count as *const c_void,
        xlashape_shape_next_subshape as *const c_void,
        xlashape_shape_is_prefix as *const c_void,
        xlashape_shape_slice_tuple as *const c_void,
        xlashape_shape_append_to_tuple as *const c_void,
        xlashape_shape_replace_subshape as *const c_void,
        xlashape_shape_flatten_tuple as *const c_void,
        xlashape_program_shape_create as *const c_void,
        xlashape_program_shape_retain as *const c_void,
        xlashape_program_shape_release as *const c_void,
        xlashape_program_shape_parameter_count as *const c_void,
        xlashape_program_shape_parameter as *const c_void,
        xlashape_program_shape_parameter_name as *const c_void,
        xlashape_program_shape_result as *const c_void,
        xlashape_program_shape_print as *const c_void,
        xlashape_program_shape_has_all_layouts as *const c_void,
        xlashape_program_shape_with_default_layouts as *const c_void,
        xlashape_program_shape_without_parts as *const c_void,
        xlashape_program_shape_equal as *const c_void,
        xlashape_shape_reshape_is_bitcast as *const c_void,
        xlashape_shape_transpose_is_bitcast as *const c_void,
        xlashape_shape_is_reshape_or_transpose_bitcast as *const c_void,
        xlashape_shape_deduce_transpose as *const c_void,
        xlashape_shape_decompose_bitcast as *const c_void,
        xlashape_shape_align_layouts as *const c_void,
        xlashape_common_factors as *const c_void,
        xlashape_dimensions_unmodified_by_reshape as *const c_void,
        xlashape_shape_inserted_or_deleted_ones as *const c_void,
        xlashape_normalized_transpose as *const c_void,
        xlashape_target_name as *const c_void,
        xlashape_target_from_name as *const c_void,
        xlashape_target_properties as *const c_void,
        xlashape_target_tuple_bytes as *const c_void,
        xlashape_target_memory_space_name as *const c_void,
        xlashape_target_layout as *const c_void,
        xlashape_shape_for_target as *const c_void,
        xlashape_shape_draw as *const c_void,
        xlashape_runtime_calibrate as *const c_void,
        xlashape_runtime_profile_path as *const c_void,
        xlashape_runtime_export_wisdom as *const c_void,
        xlashape_runtime_import_wisdom as *const c_void,
        xlashape_runtime_forget_wisdom as *const c_void,
        xlashape_program_shape_to_proto as *const c_void,
        xlashape_program_shape_from_proto as *const c_void,
        xlashape_path_to_proto as *const c_void,
        xlashape_path_from_proto as *const c_void,
        xlashape_layout_from_byte_strides as *const c_void,
        xlashape_element_type_to_pjrt as *const c_void,
        xlashape_element_type_from_pjrt as *const c_void,
        xlashape_layout_from_pjrt as *const c_void,
        xlashape_shape_to_pjrt as *const c_void,
        xlashape_shape_from_dlpack as *const c_void,
        xlashape_shape_to_dlpack as *const c_void,
        xlashape_shape_print_mlir as *const c_void,
        xlashape_shape_parse_mlir as *const c_void,
        xlashape_shape_print_cute as *const c_void,
        xlashape_shape_parse_cute as *const c_void,
        xlashape_shape_print_numpy as *const c_void,
        xlashape_shape_parse_numpy as *const c_void,
    ];
    assert!(functions.iter().all(|function| !function.is_null()));
}
