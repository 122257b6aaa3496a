// SPDX-License-Identifier: Apache-2.0
//! A backend for xlashape written in Rust, correct and plain: it moves elements unchanged, and converts indices, on CPU
//! memory. Only this file and `memory.rs` have `unsafe` code: this one speaks C, the other one touches the caller's
//! memory. `map.rs` and `relayout.rs` are the meaning of the operations, and safe.
//!
//! ```text
//! cargo build --release -p xlashape-backend-example      # target/release/librustic.so
//! mkdir -p out && cp target/release/librustic.so out/rustic.so && cp backend-example/rustic.xlashape.toml out/
//! xlashape self-test --plugin out/rustic.so
//! XLASHAPE_BACKEND_PATH=$PWD/out XLASHAPE_BACKEND=rustic xlashape backends
//! ```
#![deny(missing_docs)]

mod map;
mod memory;
mod relayout;

use map::{Map, Scratch};
use memory::{Bytes, Words};
use relayout::Relayout;
use std::ffi::c_void;
use std::mem::{size_of, MaybeUninit};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{addr_of, addr_of_mut};
use xlashape_backend_sys::*;

/// A panic must not cross the C ABI: it becomes an error of the operation.
fn guarded(err: *mut xlashape_error, work: impl FnOnce() -> xlashape_status) -> xlashape_status {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        std::mem::forget(panic); // dropping it may panic in turn
                                 // SAFETY: the core's record, or NULL.
        unsafe { fail(err, XLASHAPE_STATUS_INTERNAL, "the backend panicked") }
    })
}

/// Fills the core's error record as far as there is room, and gives back `status`.
unsafe fn fail(err: *mut xlashape_error, status: xlashape_status, message: &str) -> xlashape_status {
    if err.is_null() || (*addr_of!((*err).struct_size) as usize) < size_of::<xlashape_error>() {
        return status;
    }
    addr_of_mut!((*err).code).write(status);
    addr_of_mut!((*err).index).write(-1);
    addr_of_mut!((*err).offset).write(-1);
    addr_of_mut!((*err).message_len).write(message.len() as u32);
    let room = addr_of_mut!((*err).message).cast::<u8>();
    std::ptr::copy_nonoverlapping(message.as_ptr(), room, message.len());
    room.add(message.len()).write(0);
    status
}

unsafe extern "C" fn supports(
    _self: *mut c_void,
    op: *const xlashape_op,
    support: *mut xlashape_support,
    err: *mut xlashape_error,
) -> xlashape_status {
    let (op, support) = (&*op, &mut *support);
    if op.src_space != XLASHAPE_SPACE_CPU || op.dst_space != XLASHAPE_SPACE_CPU {
        // No failure: the level stays at none, and the text says why.
        return fail(err, XLASHAPE_STATUS_OK, "it works in memory of the CPU only");
    }
    match op.kind {
        XLASHAPE_OP_RELAYOUT | XLASHAPE_OP_TO_LINEAR | XLASHAPE_OP_TO_MULTIDIMENSIONAL => {}
        _ => return fail(err, XLASHAPE_STATUS_OK, "it only moves elements unchanged, and converts indices"),
    }
    support.level = XLASHAPE_SUPPORT_WORKS;
    XLASHAPE_STATUS_OK
}

unsafe extern "C" fn plan_execute(
    _self: *mut c_void,
    _storage: *const c_void,
    op: *const xlashape_op,
    run: *const xlashape_run,
    err: *mut xlashape_error,
) -> xlashape_status {
    let (op, run) = (&*op, &*run);
    guarded(err, || execute(op, run, err))
}

/// `op` and `run` are the core's: all they point to is there during the call.
fn execute(op: &xlashape_op, run: &xlashape_run, err: *mut xlashape_error) -> xlashape_status {
    if run.task_begin > 0 || run.task_end == 0 {
        return XLASHAPE_STATUS_OK; // however many tasks there are, the first does it all
    }
    let src = run.src.wrapping_add(run.src_byte_offset as u64) as usize as *const u8;
    let dst = run.dst.wrapping_add(run.dst_byte_offset as u64) as usize as *mut u8;
    match op.kind {
        XLASHAPE_OP_RELAYOUT => {
            // SAFETY: the core's form, which says what bytes may be touched.
            unsafe {
                let ir = &*op.relayout;
                let src = Bytes::readable(src, ir.src_low, ir.src_high);
                Relayout::new(ir).run(src, Bytes::writable(dst, ir.dst_low, ir.dst_high));
            }
            XLASHAPE_STATUS_OK
        }
        XLASHAPE_OP_TO_LINEAR | XLASHAPE_OP_TO_MULTIDIMENSIONAL => {
            // SAFETY: as above; `count` indices lie by the steps of the operation. The last two may be NULL.
            let (map, words) = unsafe { (Map::new(&*op.map), Words::new(src.cast(), dst.cast())) };
            let (first_invalid, bad) = convert(op, &map, run.count, words);
            let (first_place, bad_place) = unsafe { (run.first_invalid.as_mut(), run.invalid_count.as_mut()) };
            if let (Some(place), Some(first)) = (first_place, first_invalid) {
                *place = first.min(*place);
            }
            if let Some(place) = bad_place {
                *place += bad;
            }
            XLASHAPE_STATUS_OK
        }
        // SAFETY: the core's record.
        _ => unsafe { fail(err, XLASHAPE_STATUS_UNSUPPORTED, "this backend does not know the operation") },
    }
}

/// A batch: (the first bad index that ended it, how many were bad and marked).
fn convert(op: &xlashape_op, map: &Map<'_>, count: i64, words: Words) -> (Option<i64>, i64) {
    let (mut scratch, rank, mut bad) = (Scratch::new(), map.rank(), 0);
    let place = |i: i64, d: usize| (i * op.index_step + d as i64 * op.dimension_step) as isize;
    for i in 0..count {
        let is_good = if op.kind == XLASHAPE_OP_TO_LINEAR {
            let index = scratch.index(rank);
            for (d, entry) in index.iter_mut().enumerate() {
                *entry = words.read(place(i, d));
            }
            let is_good = map.holds(index);
            words.write(i as isize, if is_good { map.position(&mut scratch) } else { -1 });
            is_good
        } else {
            let is_good = map.index_at(words.read(i as isize), &mut scratch);
            for d in 0..rank {
                words.write(place(i, d), if is_good { scratch.index(rank)[d] } else { -1 });
            }
            is_good
        };
        match is_good {
            true => {}
            false if op.flags & XLASHAPE_INDEX_MARK_INVALID != 0 => bad += 1,
            false => return (Some(i), 0),
        }
    }
    (None, bad)
}

/// The one symbol of a backend, named after it.
///
/// # Safety
/// Called by the core of xlashape, as `xlashape_backend.h` says.
#[no_mangle]
pub unsafe extern "C" fn xlashape_backend_open_rustic(
    host: *const xlashape_host,
    backend: *mut xlashape_backend,
    err: *mut xlashape_error,
) -> xlashape_status {
    let (least, most) = (*addr_of!((*host).abi_min), *addr_of!((*host).abi_max));
    if !(least..=most).contains(&XLASHAPE_BACKEND_ABI_VERSION) {
        return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "this backend speaks version 0.1 of the plugin ABI");
    }
    let room = (*addr_of!((*backend).struct_size) as usize).min(size_of::<xlashape_backend>());
    let table = xlashape_backend {
        struct_size: room as u32,
        abi_version: XLASHAPE_BACKEND_ABI_VERSION,
        name: "rustic\0".as_ptr().cast(),
        build_id: "rustic 0.1.0\0".as_ptr().cast(),
        sanitizer: "\0".as_ptr().cast(),
        memory_spaces: 1 << XLASHAPE_SPACE_CPU,
        supports: Some(supports),
        plan_execute: Some(plan_execute),
        ..xlashape_backend::new()
    };
    let table = MaybeUninit::new(table);
    // Fills no further than the core has room.
    std::ptr::copy_nonoverlapping(table.as_ptr().cast::<u8>(), backend.cast::<u8>(), room);
    XLASHAPE_STATUS_OK
}
