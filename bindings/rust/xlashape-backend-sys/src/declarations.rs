// SPDX-License-Identifier: Apache-2.0
// Written by bindings/rust/generate.py from bindings/abi/xlashape.abi.json: do not edit.

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
pub const XLASHAPE_SPACE_CPU: i32 = 1;
pub const XLASHAPE_SPACE_CUDA: i32 = 2;
pub const XLASHAPE_SPACE_CUDA_HOST: i32 = 3;
pub const XLASHAPE_SPACE_OPENCL: i32 = 4;
pub const XLASHAPE_SPACE_CUDA_MANAGED: i32 = 13;
pub const XLASHAPE_FILL_PADDING: i32 = 0;
pub const XLASHAPE_FILL_PRESERVE: i32 = 1;
pub const XLASHAPE_FILL_UNSPECIFIED: i32 = 2;
pub const XLASHAPE_INDEX_MARK_INVALID: u32 = 0x100;
pub const XLASHAPE_LOG_ERROR: i32 = 1;
pub const XLASHAPE_LOG_WARNING: i32 = 2;
pub const XLASHAPE_LOG_INFO: i32 = 3;
pub const XLASHAPE_LOG_DEBUG: i32 = 4;
pub const XLASHAPE_QUEUE_NONE: i32 = 0;
pub const XLASHAPE_QUEUE_CUDA: i32 = 1;
pub const XLASHAPE_QUEUE_OPENCL: i32 = 2;
pub const XLASHAPE_BACKEND_ABI_VERSION: u32 = 1;
pub const XLASHAPE_MAX_MAP_VALUES: i32 = 1024;
pub const XLASHAPE_MAX_LOOPS: i32 = 2048;
pub const XLASHAPE_NUMBER_BOOL: i32 = 1;
pub const XLASHAPE_NUMBER_UNSIGNED: i32 = 2;
pub const XLASHAPE_NUMBER_SIGNED: i32 = 3;
pub const XLASHAPE_NUMBER_FLOAT: i32 = 4;
pub const XLASHAPE_FLOAT_INFINITY: u32 = 1;
pub const XLASHAPE_FLOAT_NAN: u32 = 2;
pub const XLASHAPE_FLOAT_NEGATIVE_ZERO: u32 = 4;
pub const XLASHAPE_FLOAT_ZERO: u32 = 8;
pub const XLASHAPE_VALUES_CONVERT: u32 = 1;
pub const XLASHAPE_VALUES_SATURATE: u32 = 2;
pub const XLASHAPE_VALUES_QUANTIZE: u32 = 4;
pub const XLASHAPE_VALUES_DEQUANTIZE: u32 = 8;
pub const XLASHAPE_VALUES_SRC_HIGH_FIRST: u32 = 0x10;
pub const XLASHAPE_VALUES_DST_HIGH_FIRST: u32 = 0x20;
pub const XLASHAPE_IR_HAS_BOX: u32 = 0x10000;
pub const XLASHAPE_IR_IS_IDENTITY: u32 = 0x20000;
pub const XLASHAPE_IR_KEEP_IN_CACHE: u32 = 2;
pub const XLASHAPE_OP_TO_LINEAR: i32 = 1;
pub const XLASHAPE_OP_TO_MULTIDIMENSIONAL: i32 = 2;
pub const XLASHAPE_OP_RELAYOUT: i32 = 3;
pub const XLASHAPE_OP_RELAYOUT_VALUES: i32 = 4;
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
pub type xlashape_element_type = i32;
pub type xlashape_memory_space = i32;
pub type xlashape_fill_policy = i32;
pub type xlashape_release_fn = Option<unsafe extern "C" fn(opaque: *mut c_void)>;
pub type xlashape_task_fn = Option<unsafe extern "C" fn(task_opaque: *mut c_void, index: i64, worker: u32)>;
pub type xlashape_backend_open_fn = Option<
    unsafe extern "C" fn(
        host: *const xlashape_host,
        backend: *mut xlashape_backend,
        err: *mut xlashape_error,
    ) -> xlashape_status,
>;
pub type xlashape_progress_fn = Option<unsafe extern "C" fn(opaque: *mut c_void, done: i64, count: i64)>;

structs! {
    xlashape_error of 512, 512 {
        struct_size: u32,
        code: i32,
        index: i64,
        offset: i64,
        source: u32,
        message_len: u32,
        message: [c_char; 480],
    }

    xlashape_executor of 32, 20 {
        struct_size: u32,
        max_workers: u32,
        opaque: *mut c_void,
        parallel_for: Option<
            unsafe extern "C" fn(
                opaque: *mut c_void,
                count: i64,
                task_opaque: *mut c_void,
                task: xlashape_task_fn,
            ) -> i32,
        >,
        release: xlashape_release_fn,
    }

    xlashape_queue of 16, 16 {
        kind: i32,
        reserved: i32,
        handle: u64,
    }

    xlashape_map_ir of 184, 120 {
        struct_size: u32,
        unit_bits: i32,
        rank: i32,
        sum_count: i32,
        value_count: i32,
        term_count: i32,
        output_count: i32,
        reserved: i32,
        positions: i64,
        data_positions: i64,
        dimensions: *const i64,
        sum_first_term: *const i32,
        sum_first_value: *const i32,
        sum_bound: *const i64,
        term_value: *const i32,
        term_coefficient: *const i64,
        term_magic: *const u64,
        term_shift: *const i32,
        value_divisor: *const i64,
        value_magic: *const u64,
        value_shift: *const i32,
        output_value: *const i32,
        output_stride: *const i64,
        output_extent: *const i64,
        output_magic: *const u64,
        output_shift: *const i32,
        first_position: i64,
    }

    xlashape_loops of 88, 60 | 64 {
        struct_size: u32,
        loop_count: i32,
        guard_count: i32,
        reserved: i32,
        extent: *const i64,
        src_stride: *const i64,
        dst_stride: *const i64,
        step: *const i64,
        guard: *const i32,
        low: *const i64,
        high: *const i64,
        src_offset: i64,
        dst_offset: i64,
    }

    xlashape_number of 24, 24 {
        r#type: xlashape_element_type,
        kind: i32,
        bits: i32,
        fraction_bits: i32,
        exponent_bias: i32,
        specials: u32,
    }

    xlashape_value_ir of 104, 92 | 96 {
        struct_size: u32,
        flags: u32,
        src: xlashape_number,
        dst: xlashape_number,
        scale_count: i32,
        scale_dimension: i32,
        loop_count: i32,
        reserved: i32,
        scale: *const f32,
        zero_point: *const i32,
        scale_step: *const i64,
        scale_offset: i64,
    }

    xlashape_relayout_ir of 160, 128 | 136 {
        struct_size: u32,
        flags: u32,
        value_bits: i32,
        reserved: i32,
        src_container_bits: i32,
        dst_container_bits: i32,
        fill_policy: xlashape_fill_policy,
        has_padding: i32,
        fill: [u8; 16],
        src: *const xlashape_map_ir,
        dst: *const xlashape_map_ir,
        src_base: *const i64,
        dst_base: *const i64,
        extent: *const i64,
        elements: i64,
        src_low: i64,
        src_high: i64,
        dst_low: i64,
        dst_high: i64,
        src_unit_bits: i32,
        dst_unit_bits: i32,
        nest: *const xlashape_loops,
        fill_loops: *const xlashape_loops,
        values: *const xlashape_value_ir,
    }

    xlashape_op of 56, 48 {
        struct_size: u32,
        kind: i32,
        src_space: xlashape_memory_space,
        dst_space: xlashape_memory_space,
        relayout: *const xlashape_relayout_ir,
        map: *const xlashape_map_ir,
        index_step: i64,
        dimension_step: i64,
        flags: u32,
        device: i32,
    }

    xlashape_support of 56, 56 {
        struct_size: u32,
        level: i32,
        src_alignment: i64,
        dst_alignment: i64,
        scratch_bytes: i64,
        scratch_alignment: i64,
        src_preferred_alignment: i64,
        dst_preferred_alignment: i64,
    }

    xlashape_run of 120, 112 {
        struct_size: u32,
        reserved: i32,
        queue: xlashape_queue,
        src: u64,
        dst: u64,
        src_byte_offset: i64,
        dst_byte_offset: i64,
        task_begin: i64,
        task_end: i64,
        task_count: i64,
        count: i64,
        first_invalid: *mut i64,
        invalid_count: *mut i64,
        scratch: u64,
        scratch_bytes: i64,
    }

    xlashape_calibration of 48, 32 {
        struct_size: u32,
        reserved: i32,
        budget_ns: i64,
        executor: *const xlashape_executor,
        progress: xlashape_progress_fn,
        progress_opaque: *mut c_void,
        cancel: *const i32,
    }

    xlashape_host of 136, 108 | 112 {
        struct_size: u32,
        abi_min: u32,
        abi_max: u32,
        source: u32,
        opaque: *mut c_void,
        alloc: Option<unsafe extern "C" fn(opaque: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
        free: Option<unsafe extern "C" fn(opaque: *mut c_void, pointer: *mut c_void, size: usize, alignment: usize)>,
        log: Option<
            unsafe extern "C" fn(opaque: *mut c_void, level: i32, source: u32, text: *const c_char, text_len: i64),
        >,
        cpu_features: [u64; 4],
        l1_bytes: i64,
        l2_bytes: i64,
        l3_bytes: i64,
        manifest_path: *const c_char,
        process_id: i64,
        user: *mut c_void,
        option: Option<unsafe extern "C" fn(opaque: *mut c_void, key: *const c_char) -> *const c_char>,
    }

    xlashape_backend of 232, 124 | 128 {
        struct_size: u32,
        abi_version: u32,
        self_: *mut c_void,
        name: *const c_char,
        build_id: *const c_char,
        sanitizer: *const c_char,
        memory_spaces: u64,
        close: Option<unsafe extern "C" fn(self_: *mut c_void)>,
        device_count: Option<unsafe extern "C" fn(self_: *mut c_void) -> i32>,
        device_info: Option<
            unsafe extern "C" fn(self_: *mut c_void, device: i32, text: *mut c_char, capacity: i64) -> i64,
        >,
        supports: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                op: *const xlashape_op,
                support: *mut xlashape_support,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_size: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                op: *const xlashape_op,
                bytes: *mut i64,
                alignment: *mut i64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_init: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                op: *const xlashape_op,
                storage: *mut c_void,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_tasks: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *const c_void,
                op: *const xlashape_op,
                max_workers: i64,
            ) -> i64,
        >,
        plan_execute: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *const c_void,
                op: *const xlashape_op,
                run: *const xlashape_run,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_destroy: Option<unsafe extern "C" fn(self_: *mut c_void, storage: *mut c_void)>,
        describe: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *const c_void,
                op: *const xlashape_op,
                text: *mut c_char,
                capacity: i64,
            ) -> i64,
        >,
        memory_alloc: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                space: i32,
                bytes: i64,
                address: *mut u64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        memory_free: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                address: u64,
                space: i32,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        memory_copy: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                src: u64,
                src_space: i32,
                dst: u64,
                dst_space: i32,
                bytes: i64,
                queue: *const xlashape_queue,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        memory_fill: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                dst: u64,
                space: i32,
                byte: i32,
                bytes: i64,
                queue: *const xlashape_queue,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        queue_sync: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                queue: *const xlashape_queue,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        queue_wait_event: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                queue: *const xlashape_queue,
                event: u64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        queue_signal_event: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                device: i32,
                queue: *const xlashape_queue,
                event: *mut u64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_candidate: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *const c_void,
                op: *const xlashape_op,
                index: i64,
                text: *mut c_char,
                capacity: i64,
            ) -> i64,
        >,
        plan_choose: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *mut c_void,
                op: *const xlashape_op,
                choice: *const c_char,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        calibrate: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                how: *const xlashape_calibration,
                text: *mut c_char,
                capacity: i64,
                needed: *mut i64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        use_profile: Option<
            unsafe extern "C" fn(self_: *mut c_void, text: *const c_char, err: *mut xlashape_error) -> xlashape_status,
        >,
        plan_predict: Option<
            unsafe extern "C" fn(
                self_: *mut c_void,
                storage: *const c_void,
                op: *const xlashape_op,
                max_workers: i64,
                ns: *mut i64,
                err: *mut xlashape_error,
            ) -> xlashape_status,
        >,
        plan_stack: Option<
            unsafe extern "C" fn(self_: *mut c_void, storage: *const c_void, op: *const xlashape_op) -> i64,
        >,
    }
}
