// SPDX-License-Identifier: Apache-2.0
//! What a call costs from Rust, and the same calls of the C ABI made bare. JSON lines: language, name, ns. Batches: per
//! index. Both take turns, so that what disturbs one disturbs the other; medians.

use std::ptr::{null, null_mut};
use std::time::Instant;
use xlashape::{sys, IndexMap, Plan, Shape};

const TURNS: usize = 15;
const TEXT: &str = "bf16[2,3,128,256]{3,2,1,0:T(8,128)(2,1)}";

/// A value that the compiler knows nothing about. `std::hint` has one from Rust 1.66 on.
fn black_box<T: Copy>(value: T) -> T {
    // SAFETY: a reference to a value that may be copied.
    unsafe { std::ptr::read_volatile(&value) }
}

/// Nanoseconds of one call, in turns of some milliseconds.
fn report(name: &str, per_call: usize, c: &mut dyn FnMut(), rust: &mut dyn FnMut()) {
    let time = |call: &mut dyn FnMut(), count: u32| {
        let start = Instant::now();
        (0..count).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(count)
    };
    let count = (4e6 / time(c, 1).max(1.0)).clamp(1.0, 1e6) as u32;
    time(c, count);
    time(rust, count);
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        samples[0].push(time(c, count) / per_call as f64);
        samples[1].push(time(rust, count) / per_call as f64);
    }
    for (language, mut samples) in ["c", "rust"].into_iter().zip(samples) {
        samples.sort_by(f64::total_cmp);
        println!("{{\"language\": \"{language}\", \"name\": \"{name}\", \"ns\": {:.2}}}", samples[TURNS / 2]);
    }
}

fn ok(status: sys::xlashape_status) {
    assert_eq!(status, sys::XLASHAPE_STATUS_OK);
}

fn text_and_indices() {
    let shape: Shape = TEXT.parse().unwrap();
    let map = IndexMap::new(&shape).unwrap();
    let (raw_shape, raw_map) = (shape.as_raw(), map.as_raw());
    let mut err = sys::xlashape_error::new();
    report(
        "parse a shape",
        1,
        &mut || unsafe {
            let mut shape = null_mut();
            ok(sys::xlashape_shape_parse(black_box(TEXT).as_ptr().cast(), TEXT.len() as i64, 0, &mut shape, &mut err));
            sys::xlashape_shape_release(black_box(shape));
        },
        &mut || {
            black_box(black_box(TEXT).parse::<Shape>().unwrap().as_raw());
        },
    );
    let (mut buffer, mut needed) = ([0; 256], 0);
    let mut room = [0; 256];
    report(
        "shape to text",
        1,
        &mut || unsafe {
            ok(sys::xlashape_shape_print(raw_shape, 0, buffer.as_mut_ptr(), 256, &mut needed, &mut err));
            black_box(buffer.as_ptr());
        },
        &mut || {
            black_box(shape.print(&mut room).unwrap().as_ptr());
        },
    );
    let index = [1, 2, 77, 200];
    let mut linear = 0;
    report(
        "linear index, rank 4",
        1,
        &mut || unsafe {
            ok(sys::xlashape_index_map_linear_index(raw_map, black_box(&index).as_ptr(), 4, &mut linear, &mut err));
            black_box(linear);
        },
        &mut || {
            black_box(map.linear_index(black_box(&index)).unwrap());
        },
    );
    for count in [1024, 1_000_000] {
        let linear: Vec<i64> = (0..count as i64).map(|i| i * 7 % map.storage_elements()).collect();
        let (mut by_c, mut by_rust) = (vec![0; count * 4], vec![0; count * 4]);
        report(
            &format!("unravel, per index of {count}"),
            count,
            &mut || unsafe {
                let (mut plan, conversion) = (null_mut(), sys::XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL);
                ok(sys::xlashape_index_plan_create(null_mut(), raw_map, conversion, null(), &mut plan, &mut err));
                let (from, from_bytes) = (linear.as_ptr().cast(), 8 * linear.len() as i64);
                let (to, to_bytes) = (by_c.as_mut_ptr().cast(), 8 * by_c.len() as i64);
                let (count, bad) = (count as i64, null_mut());
                ok(sys::xlashape_index_plan_execute(plan, count, from, from_bytes, to, to_bytes, bad, &mut err));
                sys::xlashape_index_plan_release(plan);
            },
            &mut || map.indices(&linear, &mut by_rust).unwrap(),
        );
        assert_eq!(by_c, by_rust);
    }
}

fn relayout(name: &str, from: &str, to: &str) {
    let (from, to): (Shape, Shape) = (from.parse().unwrap(), to.parse().unwrap());
    let plan = Plan::new(&from, &to).unwrap();
    let raw = plan.as_raw();
    let mut err = sys::xlashape_error::new();
    let src: Vec<u8> = (0..from.byte_size().unwrap()).map(|i| i as u8).collect();
    // One destination for both, touched before it is timed.
    let dst = std::cell::RefCell::new(vec![1u8; to.byte_size().unwrap()]);
    report(
        name,
        1,
        &mut || unsafe {
            let mut dst = dst.borrow_mut();
            let (from, from_bytes) = (src.as_ptr().cast(), src.len() as i64);
            let (to, to_bytes) = (dst.as_mut_ptr().cast(), dst.len() as i64);
            ok(sys::xlashape_plan_execute(raw, from, from_bytes, to, to_bytes, &mut err));
            black_box(dst.as_ptr());
        },
        &mut || {
            let mut dst = dst.borrow_mut();
            plan.execute(&src, &mut dst).unwrap();
            black_box(dst.as_ptr());
        },
    );
}

fn main() {
    if !std::env::args().any(|arg| arg == "--bench") {
        return; // `cargo test` asks for no measurement
    }
    text_and_indices();
    relayout("relayout of f32[3,4], kept plan", "f32[3,4]{1,0}", "f32[3,4]{0,1}");
    relayout("relayout of 64 MB, kept plan", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}");
}
