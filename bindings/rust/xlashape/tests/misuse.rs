//! What must not be done: an error that says what was wrong, and nothing is written.

use std::sync::atomic::{AtomicBool, Ordering};
use xlashape::{
    dimension_from_letter, dimension_letter, dimension_number, relayout, sys, Conversion, Error, ErrorKind, Executor,
    IndexBox, IndexMap, Insert, Layout, MemorySpace, Plan, ProgramShape, Relayout, Runtime, Shape,
};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn transpose() -> Plan {
    Plan::new(&shape("f32[3,4]"), &shape("f32[3,4]{0,1}")).unwrap()
}

fn kind<T: std::fmt::Debug>(result: Result<T, Error>) -> ErrorKind {
    let error = result.unwrap_err();
    assert!(!error.message().is_empty() && !error.message().contains('\n'), "{error:?}");
    error.kind()
}

#[test]
fn slices_of_wrong_sizes() {
    let plan = transpose();
    let mut dst = [7; 48];
    for len in [0, 47, 49, 1000] {
        assert_eq!(kind(plan.execute(&vec![1; len], &mut dst)), ErrorKind::OutOfRange);
        assert_eq!(kind(plan.execute(&[1; 48], &mut vec![1; len])), ErrorKind::OutOfRange);
        assert_eq!(kind(plan.execute_to_vec(&vec![1; len])), ErrorKind::OutOfRange);
        let once = relayout(&shape("f32[3,4]"), &vec![1; len], &shape("f32[3,4]{0,1}"), &mut dst);
        assert_eq!(kind(once), ErrorKind::OutOfRange);
    }
    let message = plan.execute(&[1; 47], &mut dst).unwrap_err().to_string();
    assert_eq!(message, "src has 47 bytes, the plan needs 48");
    assert_eq!(kind(plan.execute_typed(&[1.0f32; 11], &mut [0.0; 12])), ErrorKind::OutOfRange);
    for (count, src_step, dst_step) in
        [(3, 48, 48), (2, 49, 48), (2, 48, 49), (usize::MAX, 48, 48), (2, usize::MAX, 48)]
    {
        let batch = plan.execute_batch(count, &[1; 96], src_step, &mut [1; 96], dst_step);
        assert_eq!(kind(batch), ErrorKind::OutOfRange, "{count} {src_step} {dst_step}");
    }
    assert_eq!(kind(plan.execute_batch(2, &[1; 96], 48, &mut [1; 96], 40)), ErrorKind::InvalidArgument);
    assert_eq!(dst, [7; 48]);
}

#[test]
fn arrays_larger_than_memory() {
    for elements in [1i64 << 47, 1 << 62, i64::MAX] {
        let huge = shape(&format!("u8[{elements}]"));
        let plan = Plan::new(&huge, &huge).unwrap();
        assert_eq!(kind(plan.execute_to_vec(&[1])), ErrorKind::OutOfRange); // the source is looked at first
        let (one, tail) = (shape("u8[1]"), shape(&format!("u8[1]{{0:L({elements})}}")));
        let error = Plan::new(&one, &tail).unwrap().execute_to_vec(&[1]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoMemory);
        assert_eq!(error.message(), format!("dst takes {elements} bytes: there is no memory for them"));
    }
    let empty = shape("u8[0]");
    assert_eq!(Plan::new(&empty, &empty).unwrap().execute_to_vec(&[]).unwrap(), []);
}

#[test]
fn strides_that_leave_the_slice() {
    let image = shape("u8[3,4]");
    let upside_down = |offset| Relayout::new(&image, &image).src_byte_strides([-4, 1], offset);
    assert_eq!(kind(upside_down(7).plan()), ErrorKind::OutOfRange); // 8 bytes before index 0, 0
    assert_eq!(kind(upside_down(usize::MAX).plan()), ErrorKind::Overflow);
    let plan = upside_down(8).plan().unwrap();
    assert_eq!(kind(plan.execute(&[0; 11], &mut [0; 12])), ErrorKind::OutOfRange);
    assert!(plan.execute(&[0; 12], &mut [0; 12]).is_ok());
    let spread = Relayout::new(&image, &image).dst_byte_strides([10, 2], 1);
    assert_eq!(kind(spread.run(&[0; 12], &mut [0; 27])), ErrorKind::OutOfRange);
    assert_eq!(kind(spread.run(&[0; 12], &mut [])), ErrorKind::OutOfRange);
    assert!(spread.run(&[0; 12], &mut [0; 28]).is_ok());
    let overlapping = Relayout::new(&image, &image).dst_byte_strides([1, 1], 0);
    assert!(overlapping.plan().is_err() && overlapping.run(&[0; 12], &mut [0; 12]).is_err());
}

#[test]
fn lists_of_wrong_lengths() {
    let image = shape("u8[3,4]");
    for request in [
        Relayout::new(&image, &image).src_byte_strides([4], 0),
        Relayout::new(&image, &image).dst_byte_strides([4, 1, 1], 0),
        Relayout::new(&image, &image).index_box([0], [0, 0], [1, 1]),
        Relayout::new(&image, &image).index_box([0, 0], [0, 0], [1, 1, 1]),
    ] {
        assert_eq!(kind(request.plan()), ErrorKind::OutOfRange);
        assert_eq!(kind(request.run(&[0; 12], &mut [0; 12])), ErrorKind::OutOfRange);
    }
    let map = IndexMap::new(&image).unwrap();
    assert_eq!(kind(map.linear_index(&[1])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.linear_index(&[3, 0])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.index(12)), ErrorKind::OutOfRange);
    assert_eq!(kind(map.index_into(0, &mut [0; 3])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.linear_indices(&[0; 5], &mut [0; 2])), ErrorKind::OutOfRange);
    assert_eq!(kind(map.indices(&[0; 2], &mut [0; 6])), ErrorKind::OutOfRange);
    assert_eq!(map.linear_indices(&[0, 0, 9, 9], &mut [0; 2]).unwrap_err().index(), Some(1));
    assert_eq!(kind(IndexBox::new([0, 0], [1]).walk().map(drop)), ErrorKind::OutOfRange);
    assert_eq!(kind(IndexBox::new([0], [1]).iter::<2>().map(drop)), ErrorKind::OutOfRange);
    assert_eq!(kind(IndexBox::new([0], [1]).step([1, 1]).walk().map(drop)), ErrorKind::OutOfRange);
    assert_eq!(kind(IndexBox::new([0], [1]).step([-1]).walk().map(drop)), ErrorKind::InvalidArgument);
    assert_eq!(kind(IndexBox::new([0], [-1]).walk().map(drop)), ErrorKind::InvalidArgument);
    let beyond = IndexBox::new([3, i64::MAX - 1], [1, 3]);
    assert_eq!([kind(beyond.walk().map(drop)), kind(beyond.index_count())], [ErrorKind::Overflow; 2]);
    let none: [(&str, &Shape); 0] = [];
    assert!(ProgramShape::new(none, &image).is_ok());
    assert!(!image.next_index(&mut [0, 0, 0]));
    assert_eq!(kind(Shape::dynamic_array(image.element_type(), &[2, 3], &[true])), ErrorKind::OutOfRange);
}

#[test]
fn types_that_do_not_hold_the_elements() {
    let plan = transpose();
    assert_eq!(kind(plan.execute_typed(&[1i32; 12], &mut [0; 12])), ErrorKind::WrongType);
    assert_eq!(kind(plan.execute_typed(&[1.0f64; 6], &mut [0.0; 6])), ErrorKind::WrongType);
    assert_eq!(kind(plan.execute_typed(&[1u8; 48], &mut [0; 48])), ErrorKind::WrongType);
    let packed = Plan::new(&shape("s4[8]"), &shape("s4[8]{0:E(4)}")).unwrap();
    assert_eq!(kind(packed.execute_typed(&[1i8; 8], &mut [0; 4])), ErrorKind::WrongType);
    let wide = Plan::new(&shape("pred[8]"), &shape("pred[8]{0:E(32)}")).unwrap();
    let error = wide.execute_typed(&[1u8; 8], &mut [0; 32]).unwrap_err();
    assert_eq!(error.message(), "dst has elements of 32 bits, those of a slice of u8 have 8");
    let error = plan.execute_typed(&[1u32; 12], &mut [0; 12]).unwrap_err();
    assert_eq!(error.message(), "src has elements of type f32, which a slice of u32 does not hold");
}

#[test]
fn shapes_that_do_not_belong_together() {
    assert!(Plan::new(&shape("f32[2,3]"), &shape("f32[3,2]")).is_err());
    assert!(Plan::new(&shape("f32[2,3]"), &shape("s32[2,3]")).is_err());
    assert_eq!(kind(Plan::new(&shape("f32[?]"), &shape("f32[?]"))), ErrorKind::Unsupported);
    assert_eq!(kind(Plan::new(&shape("(f32[2])"), &shape("f32[2]"))), ErrorKind::Unsupported);
    assert_eq!(kind(IndexMap::new(&shape("token[]"))), ErrorKind::Unsupported);
    assert_eq!(kind(IndexBox::of(&shape("f32[?]"))), ErrorKind::Unsupported);
    assert_eq!(kind(IndexBox::of(&shape("(f32[2])"))), ErrorKind::Unsupported);
    let image = shape("u8[3,4]");
    assert_eq!(kind(Relayout::new(&image, &image).backend("no such backend").plan()), ErrorKind::NotFound);
    // A NUL ends a name in C: what stands before it is not what was asked for.
    for name in ["a\0b", "scalar\0 nonsense", "\0"] {
        let (request, map) = (Relayout::new(&image, &image).backend(name), IndexMap::new(&image).unwrap());
        for error in [
            request.plan().unwrap_err(),
            request.run(&[0; 12], &mut [0; 12]).unwrap_err(),
            Conversion::to_linear(&map).backend(name).plan().unwrap_err(),
        ] {
            assert_eq!(
                (error.kind(), error.to_string()),
                (ErrorKind::NotFound, format!("no backend is called {name:?}"))
            );
        }
    }
    for folder in ["/a\0b", "/a:/b"] {
        let error = Runtime::builder().backend_dir("/").backend_dir(folder).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains(&format!("{folder:?}")), "{error}");
    }
    assert_eq!(kind(Runtime::builder().threads(u32::MAX).build()), ErrorKind::InvalidArgument);
    let both = Runtime::builder().executor(Executor::new(2, |tasks| tasks.work())).threads(2);
    assert_eq!(kind(both.build()), ErrorKind::InvalidArgument);
}

#[test]
fn messages_name_nothing_of_c() {
    let image = shape("u8[3,4]{0,1}");
    for error in [
        image.to_mlir().unwrap_err(),
        Relayout::new(&image, &image).backend("nobody").plan().unwrap_err(),
        transpose().execute_typed(&[1u32; 12], &mut [0; 12]).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(!text.contains('_'), "{text}");
    }
}

#[test]
fn numbers_that_c_does_not_hold_are_named() {
    const MAX: usize = usize::MAX;
    let (image, pair) = (shape("u8[3,4]{1,0:T(2)}"), shape("(u8[2], u8[3])"));
    let (layout, plan) = (image.layout().unwrap(), Plan::new(&shape("u8[0]"), &shape("u8[0]")).unwrap());
    let program = ProgramShape::new([("x", &image)], &image).unwrap();
    for (error, kind) in [
        (pair.tuple_element(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (pair.slice_tuple(0, MAX).unwrap_err(), ErrorKind::OutOfRange),
        (pair.slice_tuple(MAX, MAX).unwrap_err(), ErrorKind::OutOfRange),
        (program.parameter(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (image.insert_dimensions(MAX, &[1], Insert::Beside).unwrap_err(), ErrorKind::OutOfRange),
        (layout.tile_text(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (layout.split_text(MAX).unwrap_err(), ErrorKind::OutOfRange),
        (dimension_number(MAX, -1).unwrap_err(), ErrorKind::OutOfRange),
        (plan.execute_batch(MAX, &[], 0, &mut [], 0).unwrap_err(), ErrorKind::OutOfRange),
        (pair.top_level_byte_size(MAX).unwrap_err(), ErrorKind::Overflow),
        (pair.xla_byte_size(MAX).unwrap_err(), ErrorKind::Overflow),
        (Layout::row_major(MAX).unwrap_err(), ErrorKind::InvalidArgument),
        (Layout::column_major(MAX).unwrap_err(), ErrorKind::InvalidArgument),
        (Runtime::builder().verify_positions(u64::MAX).build().unwrap_err(), ErrorKind::InvalidArgument),
        (dimension_from_letter(MAX, 'x').unwrap_err(), ErrorKind::NotFound),
    ] {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(&MAX.to_string()) && !error.message().contains("-1"), "{error}");
    }
    assert_eq!(pair.tuple_element(MAX).unwrap_err().message(), format!("index is {MAX}: too large"));
    let error = Runtime::builder().threads(u32::MAX).build().unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::InvalidArgument, "threads is 4294967295: too large"));
    let error = dimension_from_letter(2, 'é').unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::NotFound, "no dimension of rank 2 has the letter with code 233")
    );
    assert_eq!(dimension_letter(MAX, 0), None);
    let large = Plan::new(&shape("f32[1024,1024]"), &shape("f32[1024,1024]{0,1}")).unwrap();
    assert_eq!(large.task_count(MAX), large.task_count(i64::MAX as usize));
}

#[test]
fn slices_for_a_device() {
    let image = shape("u8[3,4]");
    let request = Relayout::new(&image, &image).memory_spaces(MemorySpace::CPU, MemorySpace::CUDA);
    assert_eq!(kind(request.run(&[0; 12], &mut [0; 12])), ErrorKind::Unsupported);
    let nobodys = Relayout::new(&image, &image).memory_spaces(MemorySpace::CPU, MemorySpace::new(40));
    assert!(nobodys.plan().unwrap_err().message().contains("40"));
    if let Ok(plan) = request.plan() {
        // A machine with such a backend: the plan is there, and takes addresses only.
        assert_eq!(kind(plan.execute(&[0; 12], &mut [0; 12])), ErrorKind::Unsupported);
        assert_eq!(kind(plan.execute_to_vec(&[0; 12])), ErrorKind::Unsupported);
    }
}

fn large() -> (Shape, Shape, Vec<u8>) {
    let (from, to) = (shape("f32[512,512]"), shape("f32[512,512]{0,1}"));
    (from, to, vec![1; 1 << 20])
}

#[test]
fn a_panic_in_the_executor_is_an_error() {
    let (from, to, src) = large();
    let ran = std::sync::Arc::new(AtomicBool::new(false));
    let seen = std::sync::Arc::clone(&ran);
    let panics = Executor::new(4, move |_| {
        seen.store(true, Ordering::Relaxed);
        panic!("no {} today", "threads");
    });
    let plan = Plan::new(&from, &to).unwrap();
    let mut dst = vec![0; src.len()];
    let error = plan.execute_with(&panics, &src, &mut dst).unwrap_err();
    assert!(ran.load(Ordering::Relaxed));
    assert_eq!((error.kind(), error.message()), (ErrorKind::Cancelled, "the executor panicked: no threads today"));

    // On a thread of its own, too: a panic inside of a scope is one of the closure.
    let inside = Executor::new(2, |tasks| {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                tasks.work();
                std::panic::panic_any(7);
            });
        })
    });
    assert_eq!(kind(plan.execute_with(&inside, &src, &mut dst)), ErrorKind::Cancelled);

    // The runtime's executor, by plan, at once, and in a large batch; afterwards all is as before.
    let runtime = Runtime::builder().executor(panics).build().unwrap();
    let request = Relayout::new(&from, &to).runtime(&runtime);
    assert_eq!(request.plan().unwrap().execute(&src, &mut dst).unwrap_err().message(), error.message());
    assert_eq!(request.run(&src, &mut dst).unwrap_err().message(), error.message());
    let (map, linear) = (IndexMap::new(&from).unwrap(), vec![5; 1 << 18]);
    let batch = map.batch().runtime(&runtime).indices(&linear, &mut vec![0; 2 << 18]);
    assert_eq!(batch.unwrap_err().message(), error.message());
    plan.execute(&src, &mut dst).unwrap();
    assert_eq!(dst, src);
}

/// What a panic may carry: it panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn whatever_a_panic_carries_is_one_line() {
    let (from, to, src) = large();
    let (plan, mut dst) = (Plan::new(&from, &to).unwrap(), vec![0; src.len()]);
    let bomb = Executor::new(4, |_| std::panic::panic_any(Bomb));
    let error = plan.execute_with(&bomb, &src, &mut dst).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Cancelled, "the executor panicked: no text"));

    let shouts = Executor::new(4, |_| panic!("a\n\x1b[31m\0\u{85}\u{2028}\u{202e}\u{fc}"));
    let error = plan.execute_with(&shouts, &src, &mut dst).unwrap_err();
    let line = r"the executor panicked: a\x0a\x1b[31m\x00\xc2\x85\xe2\x80\xa8\xe2\x80\xaeü";
    assert_eq!((error.kind(), error.message()), (ErrorKind::Cancelled, line));
}

#[test]
fn an_executor_that_does_nothing_does_no_harm() {
    let (from, to, src) = large();
    let idle = Executor::new(4, |_| ());
    let mut dst = vec![0; src.len()];
    Plan::new(&from, &to).unwrap().execute_with(&idle, &src, &mut dst).unwrap();
    assert_eq!(dst, src); // the calling thread did it
    let greedy = Executor::new(0, |tasks| (0..1000).for_each(|_| tasks.work()));
    Plan::new(&from, &to).unwrap().execute_with(&greedy, &src, &mut dst).unwrap();
}

#[test]
fn handles_live_on_other_threads() {
    let plan = std::thread::spawn(transpose).join().unwrap(); // made on a thread that has ended
    let src: Vec<u8> = (0..48).collect();
    let want = plan.execute_to_vec(&src).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (plan, src) = (plan.clone(), src.clone());
            std::thread::spawn(move || plan.execute_to_vec(&src).unwrap())
        })
        .collect();
    drop(plan);
    threads.into_iter().for_each(|thread| assert_eq!(thread.join().unwrap(), want));
}

#[test]
fn raw_executions_are_checked_by_the_library() {
    let exec = sys::xlashape_exec { task_begin: 2, task_end: 1, ..sys::xlashape_exec::new() };
    // SAFETY: refused before anything is touched.
    assert_eq!(kind(unsafe { transpose().execute_raw(&exec) }), ErrorKind::InvalidArgument);
}

fn tiled_map() -> IndexMap {
    IndexMap::new(&"u8[3,4]{0,1:T(2,2)}".parse().unwrap()).unwrap()
}

#[test]
fn index_plans_keep_to_their_slices() {
    let map = tiled_map();
    let plan = Conversion::to_indices(&map).steps(1, 3).backend("scalar").plan().unwrap();
    drop(map);
    let mut planar = [-7; 6];
    assert_eq!(plan.execute(&[0, 14, 6], &mut planar).unwrap(), 0);
    assert_eq!(planar, [0, 2, 2, 0, 3, 1]);
    assert_eq!(plan.backend(), "scalar");
    assert!(format!("{plan:?}").contains("scalar"));
    let failed = plan.execute(&[0, 14, 5], &mut planar).unwrap_err();
    assert_eq!((failed.kind(), failed.index()), (ErrorKind::OutOfRange, Some(2)));
    let mut kept = [-7; 5];
    for short in [5, 0] {
        assert_eq!(kind(plan.execute(&[0, 14, 6], &mut kept[..short])), ErrorKind::OutOfRange);
    }
    assert_eq!(kept, [-7; 5]);
    let back = Conversion::to_linear(&tiled_map()).plan().unwrap();
    let mut linear = [-7; 2];
    assert_eq!(kind(back.execute(&[2, 3, 0], &mut linear)), ErrorKind::OutOfRange);
    assert_eq!(kind(back.execute(&[], &mut linear)), ErrorKind::OutOfRange);
    assert_eq!(linear, [-7; 2]);
    back.clone().execute(&[2, 3, 0, 2], &mut linear).unwrap();
    assert_eq!(linear, [14, 8]);
    back.execute(&[], &mut []).unwrap();
}

#[test]
fn index_plans_that_cannot_be() {
    let map = tiled_map();
    assert_eq!(kind(Conversion::to_linear(&map).steps(0, 1).plan()), ErrorKind::InvalidArgument);
    assert_eq!(kind(Conversion::to_linear(&map).backend("no\0thing").plan()), ErrorKind::NotFound);
    assert_eq!(kind(Conversion::to_linear(&map).backend("nothing").plan()), ErrorKind::NotFound);
    assert!(Conversion::to_linear(&map).backend("nothing").allow_fallback().plan().is_ok());
    let exec = sys::xlashape_exec { count: -1, ..sys::xlashape_exec::new() };
    let plan = Conversion::to_linear(&map).plan().unwrap();
    // SAFETY: refused before anything is touched.
    assert_eq!(kind(unsafe { plan.execute_raw(&exec) }), ErrorKind::InvalidArgument);
    let (src, mut dst, mut bad) = ([2i64, 3, 9, 9], [-7i64; 2], -7);
    let exec = sys::xlashape_exec {
        src: src.as_ptr() as u64,
        dst: dst.as_mut_ptr() as u64,
        count: 2,
        bad: &mut bad,
        ..sys::xlashape_exec::new()
    };
    let marks = Conversion::to_linear(&map).mark_bad(true).plan().unwrap();
    // SAFETY: both arrays hold two indices.
    unsafe { marks.execute_raw(&exec) }.unwrap();
    assert_eq!((dst, bad), ([14, -1], 1));
}
