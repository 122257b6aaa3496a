// Written by bindings/rust/generate.py from tests/abi/xlashape.abi.json: do not edit.

use crate::*;
use core::ffi::c_void;

pub const XLASHAPE_STATUS_OK: i32 = 0;
pub const XLASHAPE_STATUS_INVALID_ARGUMENT: i32 = 1;
pub const XLASHAPE_STATUS_OUT_OF_RANGE: i32 = 2;
pub const XLASHAPE_STATUS_OVERFLOW: i32 = 3;
pub const XLASHAPE_STATUS_PARSE: i32 = 4;
pub const XLASHAPE_STATUS_UNSUPPORTED: i32 = 5;
pub const XLASHAPE_STATUS_NOT_FOUND: i32 = 6;
pub const XLASHAPE_STATUS_INCOMPATIBLE: i32 = 7;
pub const XLASHAPE_STATUS_NO_MEMORY: i32 = 8;
pub const XLASHAPE_STATUS_DEVICE: i32 = 9;
pub const XLASHAPE_STATUS_BUSY: i32 = 10;
pub const XLASHAPE_STATUS_CANCELLED: i32 = 11;
pub const XLASHAPE_STATUS_INTERNAL: i32 = 12;
pub const XLASHAPE_INDEX_MARK_BAD: u32 = 0x100;
pub const XLASHAPE_SPACE_CPU: i32 = 1;
pub const XLASHAPE_SPACE_CUDA: i32 = 2;
pub const XLASHAPE_SPACE_CUDA_HOST: i32 = 3;
pub const XLASHAPE_SPACE_OPENCL: i32 = 4;
pub const XLASHAPE_SPACE_CUDA_MANAGED: i32 = 13;
pub const XLASHAPE_LOG_ERROR: i32 = 1;
pub const XLASHAPE_LOG_WARNING: i32 = 2;
pub const XLASHAPE_LOG_INFO: i32 = 3;
pub const XLASHAPE_LOG_DEBUG: i32 = 4;
pub const XLASHAPE_QUEUE_NONE: i32 = 0;
pub const XLASHAPE_QUEUE_CUDA: i32 = 1;
pub const XLASHAPE_QUEUE_OPENCL: i32 = 2;
pub const XLASHAPE_FILL_PADDING: i32 = 0;
pub const XLASHAPE_FILL_PRESERVE: i32 = 1;
pub const XLASHAPE_FILL_UNSPECIFIED: i32 = 2;
pub const XLASHAPE_BACKEND_ABI_VERSION: u32 = 1;
pub const XLASHAPE_MAX_MAP_VALUES: i32 = 1024;
pub const XLASHAPE_MAX_LOOPS: i32 = 2048;
pub const XLASHAPE_IR_HAS_BOX: u32 = 0x10000;
pub const XLASHAPE_IR_IS_IDENTITY: u32 = 0x20000;
pub const XLASHAPE_IR_READ_SOON: u32 = 2;
pub const XLASHAPE_OP_TO_LINEAR: i32 = 1;
pub const XLASHAPE_OP_TO_MULTIDIMENSIONAL: i32 = 2;
pub const XLASHAPE_OP_RELAYOUT: i32 = 3;
pub const XLASHAPE_SUPPORT_NONE: i32 = 0;
pub const XLASHAPE_SUPPORT_WORKS: i32 = 1;
pub const XLASHAPE_SUPPORT_NATIVE: i32 = 2;
pub const XLASHAPE_MAX_CANDIDATES: i32 = 64;
pub const XLASHAPE_CHOICE_BYTES: i32 = 256;
pub const XLASHAPE_CALIBRATION_BYTES: i32 = 16384;
pub const XLASHAPE_CPU_SSE2: u64 = 1;
pub const XLASHAPE_CPU_SSSE3: u64 = 2;
pub const XLASHAPE_CPU_SSE4: u64 = 4;
pub const XLASHAPE_CPU_AVX2: u64 = 8;
pub const XLASHAPE_CPU_AVX3: u64 = 0x10;
pub const XLASHAPE_CPU_AVX3_DL: u64 = 0x20;
pub const XLASHAPE_CPU_NEON: u64 = 0x100000000;
pub const XLASHAPE_CPU_SVE: u64 = 0x200000000;

pub type xlashape_status = i32;
pub type xlashape_memory_space = i32;
pub type xlashape_fill_policy = i32;

pub type xlashape_release = Option<unsafe extern "C" fn(opaque: *mut c_void)>;

pub type xlashape_task = Option<unsafe extern "C" fn(task_opaque: *mut c_void, index: i64, worker: u32)>;

pub type xlashape_backend_open = Option<unsafe extern "C" fn(host: *const xlashape_host, backend: *mut xlashape_backend, err: *mut xlashape_error) -> xlashape_status>;

pub type xlashape_progress = Option<unsafe extern "C" fn(opaque: *mut c_void, done: i64, count: i64)>;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_error {
    pub struct_size: u32,
    pub code: i32,
    pub index: i64,
    pub offset: i64,
    pub source: u32,
    pub message_len: u32,
    pub message: [c_char; 480],
}

impl xlashape_error {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            code: 0,
            index: 0,
            offset: 0,
            source: 0,
            message_len: 0,
            message: [0; 480],
        }
    }
}

impl Default for xlashape_error {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_error>() == 512 && core::mem::align_of::<xlashape_error>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_error>() == 512);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_executor {
    pub struct_size: u32,
    pub max_workers: u32,
    pub opaque: *mut c_void,
    pub parallel_for: Option<unsafe extern "C" fn(opaque: *mut c_void, count: i64, task_opaque: *mut c_void, task: xlashape_task) -> i32>,
    pub release: xlashape_release,
}

impl xlashape_executor {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            max_workers: 0,
            opaque: core::ptr::null_mut(),
            parallel_for: None,
            release: None,
        }
    }
}

impl Default for xlashape_executor {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_executor>() == 32 && core::mem::align_of::<xlashape_executor>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_executor>() == 20);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_map_ir {
    pub struct_size: u32,
    pub unit_bits: i32,
    pub rank: i32,
    pub sum_count: i32,
    pub value_count: i32,
    pub term_count: i32,
    pub output_count: i32,
    pub reserved: i32,
    pub positions: i64,
    pub data_positions: i64,
    pub dimensions: *const i64,
    pub sum_first_term: *const i32,
    pub sum_first_value: *const i32,
    pub sum_bound: *const i64,
    pub term_value: *const i32,
    pub term_coefficient: *const i64,
    pub term_magic: *const u64,
    pub term_shift: *const i32,
    pub value_divisor: *const i64,
    pub value_magic: *const u64,
    pub value_shift: *const i32,
    pub output_value: *const i32,
    pub output_stride: *const i64,
    pub output_extent: *const i64,
    pub output_magic: *const u64,
    pub output_shift: *const i32,
}

impl xlashape_map_ir {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            unit_bits: 0,
            rank: 0,
            sum_count: 0,
            value_count: 0,
            term_count: 0,
            output_count: 0,
            reserved: 0,
            positions: 0,
            data_positions: 0,
            dimensions: core::ptr::null(),
            sum_first_term: core::ptr::null(),
            sum_first_value: core::ptr::null(),
            sum_bound: core::ptr::null(),
            term_value: core::ptr::null(),
            term_coefficient: core::ptr::null(),
            term_magic: core::ptr::null(),
            term_shift: core::ptr::null(),
            value_divisor: core::ptr::null(),
            value_magic: core::ptr::null(),
            value_shift: core::ptr::null(),
            output_value: core::ptr::null(),
            output_stride: core::ptr::null(),
            output_extent: core::ptr::null(),
            output_magic: core::ptr::null(),
            output_shift: core::ptr::null(),
        }
    }
}

impl Default for xlashape_map_ir {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_map_ir>() == 176 && core::mem::align_of::<xlashape_map_ir>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_map_ir>() == 112);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_loops {
    pub struct_size: u32,
    pub loop_count: i32,
    pub guard_count: i32,
    pub reserved: i32,
    pub extent: *const i64,
    pub src_stride: *const i64,
    pub dst_stride: *const i64,
    pub step: *const i64,
    pub guard: *const i32,
    pub low: *const i64,
    pub high: *const i64,
    pub src_offset: i64,
    pub dst_offset: i64,
}

impl xlashape_loops {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            loop_count: 0,
            guard_count: 0,
            reserved: 0,
            extent: core::ptr::null(),
            src_stride: core::ptr::null(),
            dst_stride: core::ptr::null(),
            step: core::ptr::null(),
            guard: core::ptr::null(),
            low: core::ptr::null(),
            high: core::ptr::null(),
            src_offset: 0,
            dst_offset: 0,
        }
    }
}

impl Default for xlashape_loops {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_loops>() == 88 && core::mem::align_of::<xlashape_loops>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_loops>() == 60 || core::mem::size_of::<xlashape_loops>() == 64);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_relayout_ir {
    pub struct_size: u32,
    pub flags: u32,
    pub value_bits: i32,
    pub reserved: i32,
    pub src_container_bits: i32,
    pub dst_container_bits: i32,
    pub fill_policy: xlashape_fill_policy,
    pub has_padding: i32,
    pub fill: [u8; 16],
    pub src: *const xlashape_map_ir,
    pub dst: *const xlashape_map_ir,
    pub src_base: *const i64,
    pub dst_base: *const i64,
    pub extent: *const i64,
    pub elements: i64,
    pub src_low: i64,
    pub src_high: i64,
    pub dst_low: i64,
    pub dst_high: i64,
    pub src_unit_bits: i32,
    pub dst_unit_bits: i32,
    pub nest: *const xlashape_loops,
    pub fill_loops: *const xlashape_loops,
}

impl xlashape_relayout_ir {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            flags: 0,
            value_bits: 0,
            reserved: 0,
            src_container_bits: 0,
            dst_container_bits: 0,
            fill_policy: 0,
            has_padding: 0,
            fill: [0; 16],
            src: core::ptr::null(),
            dst: core::ptr::null(),
            src_base: core::ptr::null(),
            dst_base: core::ptr::null(),
            extent: core::ptr::null(),
            elements: 0,
            src_low: 0,
            src_high: 0,
            dst_low: 0,
            dst_high: 0,
            src_unit_bits: 0,
            dst_unit_bits: 0,
            nest: core::ptr::null(),
            fill_loops: core::ptr::null(),
        }
    }
}

impl Default for xlashape_relayout_ir {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_relayout_ir>() == 152 && core::mem::align_of::<xlashape_relayout_ir>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_relayout_ir>() == 124 || core::mem::size_of::<xlashape_relayout_ir>() == 128);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_op {
    pub struct_size: u32,
    pub kind: i32,
    pub src_space: xlashape_memory_space,
    pub dst_space: xlashape_memory_space,
    pub relayout: *const xlashape_relayout_ir,
    pub map: *const xlashape_map_ir,
    pub index_step: i64,
    pub dimension_step: i64,
    pub flags: u32,
    pub device: i32,
}

impl xlashape_op {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            kind: 0,
            src_space: 0,
            dst_space: 0,
            relayout: core::ptr::null(),
            map: core::ptr::null(),
            index_step: 0,
            dimension_step: 0,
            flags: 0,
            device: 0,
        }
    }
}

impl Default for xlashape_op {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_op>() == 56 && core::mem::align_of::<xlashape_op>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_op>() == 48);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_support {
    pub struct_size: u32,
    pub level: i32,
    pub fixed_ns: u64,
    pub ps_per_kib: u64,
    pub src_alignment: i64,
    pub dst_alignment: i64,
    pub scratch_bytes: i64,
    pub scratch_alignment: i64,
    pub src_preferred_alignment: i64,
    pub dst_preferred_alignment: i64,
}

impl xlashape_support {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            level: 0,
            fixed_ns: 0,
            ps_per_kib: 0,
            src_alignment: 0,
            dst_alignment: 0,
            scratch_bytes: 0,
            scratch_alignment: 0,
            src_preferred_alignment: 0,
            dst_preferred_alignment: 0,
        }
    }
}

impl Default for xlashape_support {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_support>() == 72 && core::mem::align_of::<xlashape_support>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_support>() == 72);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_run {
    pub struct_size: u32,
    pub queue_kind: i32,
    pub queue: u64,
    pub src: u64,
    pub dst: u64,
    pub src_byte_offset: i64,
    pub dst_byte_offset: i64,
    pub task_begin: i64,
    pub task_end: i64,
    pub task_count: i64,
    pub count: i64,
    pub first_bad: *mut i64,
    pub bad_count: *mut i64,
    pub scratch: u64,
    pub scratch_bytes: i64,
}

impl xlashape_run {
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
            task_begin: 0,
            task_end: 0,
            task_count: 0,
            count: 0,
            first_bad: core::ptr::null_mut(),
            bad_count: core::ptr::null_mut(),
            scratch: 0,
            scratch_bytes: 0,
        }
    }
}

impl Default for xlashape_run {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_run>() == 112 && core::mem::align_of::<xlashape_run>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_run>() == 104);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_calibration {
    pub struct_size: u32,
    pub reserved: i32,
    pub budget_ns: i64,
    pub executor: *const xlashape_executor,
    pub progress: xlashape_progress,
    pub progress_opaque: *mut c_void,
    pub cancel: *const i32,
}

impl xlashape_calibration {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            reserved: 0,
            budget_ns: 0,
            executor: core::ptr::null(),
            progress: None,
            progress_opaque: core::ptr::null_mut(),
            cancel: core::ptr::null(),
        }
    }
}

impl Default for xlashape_calibration {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_calibration>() == 48 && core::mem::align_of::<xlashape_calibration>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_calibration>() == 32);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_host {
    pub struct_size: u32,
    pub abi_min: u32,
    pub abi_max: u32,
    pub source: u32,
    pub opaque: *mut c_void,
    pub alloc: Option<unsafe extern "C" fn(opaque: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(opaque: *mut c_void, pointer: *mut c_void, size: usize, alignment: usize)>,
    pub log: Option<unsafe extern "C" fn(opaque: *mut c_void, level: i32, source: u32, text: *const c_char, text_len: i64)>,
    pub cpu_features: [u64; 4],
    pub l1_bytes: i64,
    pub l2_bytes: i64,
    pub l3_bytes: i64,
    pub manifest_path: *const c_char,
    pub process_id: i64,
    pub user: *mut c_void,
    pub option: Option<unsafe extern "C" fn(opaque: *mut c_void, key: *const c_char) -> *const c_char>,
}

impl xlashape_host {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            abi_min: 0,
            abi_max: 0,
            source: 0,
            opaque: core::ptr::null_mut(),
            alloc: None,
            free: None,
            log: None,
            cpu_features: [0; 4],
            l1_bytes: 0,
            l2_bytes: 0,
            l3_bytes: 0,
            manifest_path: core::ptr::null(),
            process_id: 0,
            user: core::ptr::null_mut(),
            option: None,
        }
    }
}

impl Default for xlashape_host {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_host>() == 136 && core::mem::align_of::<xlashape_host>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_host>() == 108 || core::mem::size_of::<xlashape_host>() == 112);

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct xlashape_backend {
    pub struct_size: u32,
    pub abi_version: u32,
    pub self_: *mut c_void,
    pub name: *const c_char,
    pub build_id: *const c_char,
    pub sanitizer: *const c_char,
    pub memory_spaces: u64,
    pub close: Option<unsafe extern "C" fn(self_: *mut c_void)>,
    pub device_count: Option<unsafe extern "C" fn(self_: *mut c_void) -> i32>,
    pub device_info: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, text: *mut c_char, capacity: i64) -> i64>,
    pub supports: Option<unsafe extern "C" fn(self_: *mut c_void, op: *const xlashape_op, support: *mut xlashape_support, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_size: Option<unsafe extern "C" fn(self_: *mut c_void, op: *const xlashape_op, bytes: *mut i64, alignment: *mut i64, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_init: Option<unsafe extern "C" fn(self_: *mut c_void, op: *const xlashape_op, storage: *mut c_void, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_tasks: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op, max_workers: i64) -> i64>,
    pub plan_execute: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op, run: *const xlashape_run, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_destroy: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *mut c_void)>,
    pub describe: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op, text: *mut c_char, capacity: i64) -> i64>,
    pub memory_alloc: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, space: i32, bytes: i64, address: *mut u64, err: *mut xlashape_error) -> xlashape_status>,
    pub memory_free: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, address: u64, space: i32, err: *mut xlashape_error) -> xlashape_status>,
    pub memory_copy: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, dst: u64, dst_space: i32, src: u64, src_space: i32, bytes: i64, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status>,
    pub memory_fill: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, dst: u64, space: i32, byte: i32, bytes: i64, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status>,
    pub queue_sync: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, queue_kind: i32, queue: u64, err: *mut xlashape_error) -> xlashape_status>,
    pub queue_wait: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, queue_kind: i32, queue: u64, event: u64, err: *mut xlashape_error) -> xlashape_status>,
    pub queue_signal: Option<unsafe extern "C" fn(self_: *mut c_void, device: i32, queue_kind: i32, queue: u64, event: *mut u64, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_candidate: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op, index: i64, text: *mut c_char, capacity: i64) -> i64>,
    pub plan_choose: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *mut c_void, op: *const xlashape_op, choice: *const c_char, err: *mut xlashape_error) -> xlashape_status>,
    pub calibrate: Option<unsafe extern "C" fn(self_: *mut c_void, how: *const xlashape_calibration, text: *mut c_char, capacity: i64, needed: *mut i64, err: *mut xlashape_error) -> xlashape_status>,
    pub use_profile: Option<unsafe extern "C" fn(self_: *mut c_void, text: *const c_char, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_predict: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op, max_workers: i64, ns: *mut i64, err: *mut xlashape_error) -> xlashape_status>,
    pub plan_stack: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op) -> i64>,
}

impl xlashape_backend {
    /// Everything at its default, `struct_size` set.
    pub const fn new() -> Self {
        Self {
            struct_size: core::mem::size_of::<Self>() as u32,
            abi_version: 0,
            self_: core::ptr::null_mut(),
            name: core::ptr::null(),
            build_id: core::ptr::null(),
            sanitizer: core::ptr::null(),
            memory_spaces: 0,
            close: None,
            device_count: None,
            device_info: None,
            supports: None,
            plan_size: None,
            plan_init: None,
            plan_tasks: None,
            plan_execute: None,
            plan_destroy: None,
            describe: None,
            memory_alloc: None,
            memory_free: None,
            memory_copy: None,
            memory_fill: None,
            queue_sync: None,
            queue_wait: None,
            queue_signal: None,
            plan_candidate: None,
            plan_choose: None,
            calibrate: None,
            use_profile: None,
            plan_predict: None,
            plan_stack: None,
        }
    }
}

impl Default for xlashape_backend {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(core::mem::size_of::<xlashape_backend>() == 232 && core::mem::align_of::<xlashape_backend>() == 8);
#[cfg(target_pointer_width = "32")]
const _: () = assert!(core::mem::size_of::<xlashape_backend>() == 124 || core::mem::size_of::<xlashape_backend>() == 128);

#[cfg(all(test, target_pointer_width = "64"))]
mod offsets {
    use super::*;
    use core::mem::MaybeUninit;
    use core::ptr::addr_of;

    #[test]
    fn xlashape_error_offsets() {
        let place = MaybeUninit::<xlashape_error>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).code) } as *const u8), 4, "code");
        assert_eq!(at(unsafe { addr_of!((*start).index) } as *const u8), 8, "index");
        assert_eq!(at(unsafe { addr_of!((*start).offset) } as *const u8), 16, "offset");
        assert_eq!(at(unsafe { addr_of!((*start).source) } as *const u8), 24, "source");
        assert_eq!(at(unsafe { addr_of!((*start).message_len) } as *const u8), 28, "message_len");
        assert_eq!(at(unsafe { addr_of!((*start).message) } as *const u8), 32, "message");
    }

    #[test]
    fn xlashape_executor_offsets() {
        let place = MaybeUninit::<xlashape_executor>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).max_workers) } as *const u8), 4, "max_workers");
        assert_eq!(at(unsafe { addr_of!((*start).opaque) } as *const u8), 8, "opaque");
        assert_eq!(at(unsafe { addr_of!((*start).parallel_for) } as *const u8), 16, "parallel_for");
        assert_eq!(at(unsafe { addr_of!((*start).release) } as *const u8), 24, "release");
    }

    #[test]
    fn xlashape_map_ir_offsets() {
        let place = MaybeUninit::<xlashape_map_ir>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).unit_bits) } as *const u8), 4, "unit_bits");
        assert_eq!(at(unsafe { addr_of!((*start).rank) } as *const u8), 8, "rank");
        assert_eq!(at(unsafe { addr_of!((*start).sum_count) } as *const u8), 12, "sum_count");
        assert_eq!(at(unsafe { addr_of!((*start).value_count) } as *const u8), 16, "value_count");
        assert_eq!(at(unsafe { addr_of!((*start).term_count) } as *const u8), 20, "term_count");
        assert_eq!(at(unsafe { addr_of!((*start).output_count) } as *const u8), 24, "output_count");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 28, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).positions) } as *const u8), 32, "positions");
        assert_eq!(at(unsafe { addr_of!((*start).data_positions) } as *const u8), 40, "data_positions");
        assert_eq!(at(unsafe { addr_of!((*start).dimensions) } as *const u8), 48, "dimensions");
        assert_eq!(at(unsafe { addr_of!((*start).sum_first_term) } as *const u8), 56, "sum_first_term");
        assert_eq!(at(unsafe { addr_of!((*start).sum_first_value) } as *const u8), 64, "sum_first_value");
        assert_eq!(at(unsafe { addr_of!((*start).sum_bound) } as *const u8), 72, "sum_bound");
        assert_eq!(at(unsafe { addr_of!((*start).term_value) } as *const u8), 80, "term_value");
        assert_eq!(at(unsafe { addr_of!((*start).term_coefficient) } as *const u8), 88, "term_coefficient");
        assert_eq!(at(unsafe { addr_of!((*start).term_magic) } as *const u8), 96, "term_magic");
        assert_eq!(at(unsafe { addr_of!((*start).term_shift) } as *const u8), 104, "term_shift");
        assert_eq!(at(unsafe { addr_of!((*start).value_divisor) } as *const u8), 112, "value_divisor");
        assert_eq!(at(unsafe { addr_of!((*start).value_magic) } as *const u8), 120, "value_magic");
        assert_eq!(at(unsafe { addr_of!((*start).value_shift) } as *const u8), 128, "value_shift");
        assert_eq!(at(unsafe { addr_of!((*start).output_value) } as *const u8), 136, "output_value");
        assert_eq!(at(unsafe { addr_of!((*start).output_stride) } as *const u8), 144, "output_stride");
        assert_eq!(at(unsafe { addr_of!((*start).output_extent) } as *const u8), 152, "output_extent");
        assert_eq!(at(unsafe { addr_of!((*start).output_magic) } as *const u8), 160, "output_magic");
        assert_eq!(at(unsafe { addr_of!((*start).output_shift) } as *const u8), 168, "output_shift");
    }

    #[test]
    fn xlashape_loops_offsets() {
        let place = MaybeUninit::<xlashape_loops>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).loop_count) } as *const u8), 4, "loop_count");
        assert_eq!(at(unsafe { addr_of!((*start).guard_count) } as *const u8), 8, "guard_count");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 12, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).extent) } as *const u8), 16, "extent");
        assert_eq!(at(unsafe { addr_of!((*start).src_stride) } as *const u8), 24, "src_stride");
        assert_eq!(at(unsafe { addr_of!((*start).dst_stride) } as *const u8), 32, "dst_stride");
        assert_eq!(at(unsafe { addr_of!((*start).step) } as *const u8), 40, "step");
        assert_eq!(at(unsafe { addr_of!((*start).guard) } as *const u8), 48, "guard");
        assert_eq!(at(unsafe { addr_of!((*start).low) } as *const u8), 56, "low");
        assert_eq!(at(unsafe { addr_of!((*start).high) } as *const u8), 64, "high");
        assert_eq!(at(unsafe { addr_of!((*start).src_offset) } as *const u8), 72, "src_offset");
        assert_eq!(at(unsafe { addr_of!((*start).dst_offset) } as *const u8), 80, "dst_offset");
    }

    #[test]
    fn xlashape_relayout_ir_offsets() {
        let place = MaybeUninit::<xlashape_relayout_ir>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 4, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).value_bits) } as *const u8), 8, "value_bits");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 12, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).src_container_bits) } as *const u8), 16, "src_container_bits");
        assert_eq!(at(unsafe { addr_of!((*start).dst_container_bits) } as *const u8), 20, "dst_container_bits");
        assert_eq!(at(unsafe { addr_of!((*start).fill_policy) } as *const u8), 24, "fill_policy");
        assert_eq!(at(unsafe { addr_of!((*start).has_padding) } as *const u8), 28, "has_padding");
        assert_eq!(at(unsafe { addr_of!((*start).fill) } as *const u8), 32, "fill");
        assert_eq!(at(unsafe { addr_of!((*start).src) } as *const u8), 48, "src");
        assert_eq!(at(unsafe { addr_of!((*start).dst) } as *const u8), 56, "dst");
        assert_eq!(at(unsafe { addr_of!((*start).src_base) } as *const u8), 64, "src_base");
        assert_eq!(at(unsafe { addr_of!((*start).dst_base) } as *const u8), 72, "dst_base");
        assert_eq!(at(unsafe { addr_of!((*start).extent) } as *const u8), 80, "extent");
        assert_eq!(at(unsafe { addr_of!((*start).elements) } as *const u8), 88, "elements");
        assert_eq!(at(unsafe { addr_of!((*start).src_low) } as *const u8), 96, "src_low");
        assert_eq!(at(unsafe { addr_of!((*start).src_high) } as *const u8), 104, "src_high");
        assert_eq!(at(unsafe { addr_of!((*start).dst_low) } as *const u8), 112, "dst_low");
        assert_eq!(at(unsafe { addr_of!((*start).dst_high) } as *const u8), 120, "dst_high");
        assert_eq!(at(unsafe { addr_of!((*start).src_unit_bits) } as *const u8), 128, "src_unit_bits");
        assert_eq!(at(unsafe { addr_of!((*start).dst_unit_bits) } as *const u8), 132, "dst_unit_bits");
        assert_eq!(at(unsafe { addr_of!((*start).nest) } as *const u8), 136, "nest");
        assert_eq!(at(unsafe { addr_of!((*start).fill_loops) } as *const u8), 144, "fill_loops");
    }

    #[test]
    fn xlashape_op_offsets() {
        let place = MaybeUninit::<xlashape_op>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).kind) } as *const u8), 4, "kind");
        assert_eq!(at(unsafe { addr_of!((*start).src_space) } as *const u8), 8, "src_space");
        assert_eq!(at(unsafe { addr_of!((*start).dst_space) } as *const u8), 12, "dst_space");
        assert_eq!(at(unsafe { addr_of!((*start).relayout) } as *const u8), 16, "relayout");
        assert_eq!(at(unsafe { addr_of!((*start).map) } as *const u8), 24, "map");
        assert_eq!(at(unsafe { addr_of!((*start).index_step) } as *const u8), 32, "index_step");
        assert_eq!(at(unsafe { addr_of!((*start).dimension_step) } as *const u8), 40, "dimension_step");
        assert_eq!(at(unsafe { addr_of!((*start).flags) } as *const u8), 48, "flags");
        assert_eq!(at(unsafe { addr_of!((*start).device) } as *const u8), 52, "device");
    }

    #[test]
    fn xlashape_support_offsets() {
        let place = MaybeUninit::<xlashape_support>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).level) } as *const u8), 4, "level");
        assert_eq!(at(unsafe { addr_of!((*start).fixed_ns) } as *const u8), 8, "fixed_ns");
        assert_eq!(at(unsafe { addr_of!((*start).ps_per_kib) } as *const u8), 16, "ps_per_kib");
        assert_eq!(at(unsafe { addr_of!((*start).src_alignment) } as *const u8), 24, "src_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).dst_alignment) } as *const u8), 32, "dst_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_bytes) } as *const u8), 40, "scratch_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_alignment) } as *const u8), 48, "scratch_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).src_preferred_alignment) } as *const u8), 56, "src_preferred_alignment");
        assert_eq!(at(unsafe { addr_of!((*start).dst_preferred_alignment) } as *const u8), 64, "dst_preferred_alignment");
    }

    #[test]
    fn xlashape_run_offsets() {
        let place = MaybeUninit::<xlashape_run>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).queue_kind) } as *const u8), 4, "queue_kind");
        assert_eq!(at(unsafe { addr_of!((*start).queue) } as *const u8), 8, "queue");
        assert_eq!(at(unsafe { addr_of!((*start).src) } as *const u8), 16, "src");
        assert_eq!(at(unsafe { addr_of!((*start).dst) } as *const u8), 24, "dst");
        assert_eq!(at(unsafe { addr_of!((*start).src_byte_offset) } as *const u8), 32, "src_byte_offset");
        assert_eq!(at(unsafe { addr_of!((*start).dst_byte_offset) } as *const u8), 40, "dst_byte_offset");
        assert_eq!(at(unsafe { addr_of!((*start).task_begin) } as *const u8), 48, "task_begin");
        assert_eq!(at(unsafe { addr_of!((*start).task_end) } as *const u8), 56, "task_end");
        assert_eq!(at(unsafe { addr_of!((*start).task_count) } as *const u8), 64, "task_count");
        assert_eq!(at(unsafe { addr_of!((*start).count) } as *const u8), 72, "count");
        assert_eq!(at(unsafe { addr_of!((*start).first_bad) } as *const u8), 80, "first_bad");
        assert_eq!(at(unsafe { addr_of!((*start).bad_count) } as *const u8), 88, "bad_count");
        assert_eq!(at(unsafe { addr_of!((*start).scratch) } as *const u8), 96, "scratch");
        assert_eq!(at(unsafe { addr_of!((*start).scratch_bytes) } as *const u8), 104, "scratch_bytes");
    }

    #[test]
    fn xlashape_calibration_offsets() {
        let place = MaybeUninit::<xlashape_calibration>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).reserved) } as *const u8), 4, "reserved");
        assert_eq!(at(unsafe { addr_of!((*start).budget_ns) } as *const u8), 8, "budget_ns");
        assert_eq!(at(unsafe { addr_of!((*start).executor) } as *const u8), 16, "executor");
        assert_eq!(at(unsafe { addr_of!((*start).progress) } as *const u8), 24, "progress");
        assert_eq!(at(unsafe { addr_of!((*start).progress_opaque) } as *const u8), 32, "progress_opaque");
        assert_eq!(at(unsafe { addr_of!((*start).cancel) } as *const u8), 40, "cancel");
    }

    #[test]
    fn xlashape_host_offsets() {
        let place = MaybeUninit::<xlashape_host>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).abi_min) } as *const u8), 4, "abi_min");
        assert_eq!(at(unsafe { addr_of!((*start).abi_max) } as *const u8), 8, "abi_max");
        assert_eq!(at(unsafe { addr_of!((*start).source) } as *const u8), 12, "source");
        assert_eq!(at(unsafe { addr_of!((*start).opaque) } as *const u8), 16, "opaque");
        assert_eq!(at(unsafe { addr_of!((*start).alloc) } as *const u8), 24, "alloc");
        assert_eq!(at(unsafe { addr_of!((*start).free) } as *const u8), 32, "free");
        assert_eq!(at(unsafe { addr_of!((*start).log) } as *const u8), 40, "log");
        assert_eq!(at(unsafe { addr_of!((*start).cpu_features) } as *const u8), 48, "cpu_features");
        assert_eq!(at(unsafe { addr_of!((*start).l1_bytes) } as *const u8), 80, "l1_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).l2_bytes) } as *const u8), 88, "l2_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).l3_bytes) } as *const u8), 96, "l3_bytes");
        assert_eq!(at(unsafe { addr_of!((*start).manifest_path) } as *const u8), 104, "manifest_path");
        assert_eq!(at(unsafe { addr_of!((*start).process_id) } as *const u8), 112, "process_id");
        assert_eq!(at(unsafe { addr_of!((*start).user) } as *const u8), 120, "user");
        assert_eq!(at(unsafe { addr_of!((*start).option) } as *const u8), 128, "option");
    }

    #[test]
    fn xlashape_backend_offsets() {
        let place = MaybeUninit::<xlashape_backend>::uninit();
        let start = place.as_ptr();
        let at = |field: *const u8| field as usize - start as usize;
        assert_eq!(at(unsafe { addr_of!((*start).struct_size) } as *const u8), 0, "struct_size");
        assert_eq!(at(unsafe { addr_of!((*start).abi_version) } as *const u8), 4, "abi_version");
        assert_eq!(at(unsafe { addr_of!((*start).self_) } as *const u8), 8, "self");
        assert_eq!(at(unsafe { addr_of!((*start).name) } as *const u8), 16, "name");
        assert_eq!(at(unsafe { addr_of!((*start).build_id) } as *const u8), 24, "build_id");
        assert_eq!(at(unsafe { addr_of!((*start).sanitizer) } as *const u8), 32, "sanitizer");
        assert_eq!(at(unsafe { addr_of!((*start).memory_spaces) } as *const u8), 40, "memory_spaces");
        assert_eq!(at(unsafe { addr_of!((*start).close) } as *const u8), 48, "close");
        assert_eq!(at(unsafe { addr_of!((*start).device_count) } as *const u8), 56, "device_count");
        assert_eq!(at(unsafe { addr_of!((*start).device_info) } as *const u8), 64, "device_info");
        assert_eq!(at(unsafe { addr_of!((*start).supports) } as *const u8), 72, "supports");
        assert_eq!(at(unsafe { addr_of!((*start).plan_size) } as *const u8), 80, "plan_size");
        assert_eq!(at(unsafe { addr_of!((*start).plan_init) } as *const u8), 88, "plan_init");
        assert_eq!(at(unsafe { addr_of!((*start).plan_tasks) } as *const u8), 96, "plan_tasks");
        assert_eq!(at(unsafe { addr_of!((*start).plan_execute) } as *const u8), 104, "plan_execute");
        assert_eq!(at(unsafe { addr_of!((*start).plan_destroy) } as *const u8), 112, "plan_destroy");
        assert_eq!(at(unsafe { addr_of!((*start).describe) } as *const u8), 120, "describe");
        assert_eq!(at(unsafe { addr_of!((*start).memory_alloc) } as *const u8), 128, "memory_alloc");
        assert_eq!(at(unsafe { addr_of!((*start).memory_free) } as *const u8), 136, "memory_free");
        assert_eq!(at(unsafe { addr_of!((*start).memory_copy) } as *const u8), 144, "memory_copy");
        assert_eq!(at(unsafe { addr_of!((*start).memory_fill) } as *const u8), 152, "memory_fill");
        assert_eq!(at(unsafe { addr_of!((*start).queue_sync) } as *const u8), 160, "queue_sync");
        assert_eq!(at(unsafe { addr_of!((*start).queue_wait) } as *const u8), 168, "queue_wait");
        assert_eq!(at(unsafe { addr_of!((*start).queue_signal) } as *const u8), 176, "queue_signal");
        assert_eq!(at(unsafe { addr_of!((*start).plan_candidate) } as *const u8), 184, "plan_candidate");
        assert_eq!(at(unsafe { addr_of!((*start).plan_choose) } as *const u8), 192, "plan_choose");
        assert_eq!(at(unsafe { addr_of!((*start).calibrate) } as *const u8), 200, "calibrate");
        assert_eq!(at(unsafe { addr_of!((*start).use_profile) } as *const u8), 208, "use_profile");
        assert_eq!(at(unsafe { addr_of!((*start).plan_predict) } as *const u8), 216, "plan_predict");
        assert_eq!(at(unsafe { addr_of!((*start).plan_stack) } as *const u8), 224, "plan_stack");
    }
}
