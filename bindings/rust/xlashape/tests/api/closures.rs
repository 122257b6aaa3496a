// SPDX-License-Identifier: Apache-2.0
//! Executors, and executions that are watched between their tasks: what closures are given, and how they end.

use crate::{kind, plan, said, shape, threads, told};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use xlashape::{Error, ErrorKind, Executions, Executor, IndexMap, MemorySpace, Plan, Relayout, Result, Runtime, Shape};

const SIDE: usize = 2048;

fn sides() -> (Shape, Shape) {
    (shape(&format!("u8[{SIDE},{SIDE}]")), shape(&format!("u8[{SIDE},{SIDE}]{{0,1}}")))
}

/// A plan of several tasks, a source, and what comes of it.
fn large(runtime: Option<&Runtime>) -> (Plan, Vec<u8>, Vec<u8>) {
    let (from, to) = sides();
    let request = Relayout::new(&from, &to);
    let plan = runtime.map_or(request.clone(), |runtime| request.runtime(runtime)).plan().unwrap();
    let src: Vec<u8> = (0..SIDE * SIDE).map(|i| (i % 251) as u8).collect();
    let want = (0..SIDE * SIDE).map(|i| src[i % SIDE * SIDE + i / SIDE]).collect();
    (plan, src, want)
}

fn pool() -> Runtime {
    Runtime::builder().threads(4).build().unwrap()
}

#[test]
fn executors_run_each_task_once() -> Result<()> {
    let (plan, src, want) = large(None);
    let mut dst = vec![0; want.len()];
    let idle = Executor::new(4, |_| ()); // the calling thread does it
    let greedy = Executor::new(0, |tasks| (0..1000).for_each(|_| tasks.work()));
    for executor in [threads(4), idle, greedy] {
        dst.fill(0);
        plan.execute_with(&executor, &src, &mut dst)?;
        assert!(dst == want);
    }
    // More threads than there may be workers: the others return at once.
    let (seen, crowd) = (Mutex::new(HashSet::new()), threads(2));
    let hear = |_, _| {
        seen.lock().unwrap().insert(std::thread::current().id());
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    Executions::new().add(&plan, &src, &mut dst)?.executor(&crowd).progress(hear).run()?;
    assert!(seen.lock().unwrap().len() <= 2);
    // The library's own pool, and one of ours that is the runtime's: that outlives the builder, and the plan keeps it
    // alive.
    assert!(large(Some(&pool())).0.execute_to_vec(&src)? == want);
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let executor = Executor::new(3, move |tasks| {
        counter.fetch_add(tasks.len(), Relaxed);
        tasks.work();
    });
    let (plan, ..) = large(Some(&Runtime::builder().executor(executor).build()?));
    assert!(plan.clone().execute_to_vec(&src)? == want);
    let ran = calls.swap(0, Relaxed);
    assert!(ran >= plan.task_count(3) && ran > 1);
    let mut two = dst.clone();
    dst.fill(0);
    Executions::new().add(&plan, &src, &mut dst)?.add(&plan, &src, &mut two)?.run()?;
    assert!(dst == want && two == want);
    assert_eq!((calls.load(Relaxed), Arc::strong_count(&calls)), (2 * ran, 2)); // the tasks of both together
    drop(plan);
    assert_eq!(Arc::strong_count(&calls), 1); // and with the last plan the closure goes
    Ok(())
}

#[test]
fn each_of_a_list_does_what_an_execution_does() -> Result<()> {
    let (letters, floats) = (plan("u8[3,4]", "u8[3,4]{0,1:T(2,2)}"), plan("f32[2,2]", "f32[2,2]{0,1}"));
    let (line, empty) = (shape("u8[6]"), plan("u8[0]", "u8[0]"));
    let backwards = Relayout::new(&line, &line).src_byte_strides([-1], 5).plan()?;
    let onto = Relayout::new(&line, &line).dst_byte_strides([-1], 5).plan()?;
    let (mut tiled, mut columns, mut turned, mut back) = ([b'.'; 16], [0.0f32; 4], [b'.'; 6], [b'.'; 8]);
    Executions::new()
        .add(&letters, b"abcdefghijkl", &mut tiled)?
        .add_typed(&floats, &[1.0f32, 2.0, 3.0, 4.0], &mut columns)?
        .add(&backwards, b"abcdef", &mut turned)?
        .add(&onto, b"abcdef", &mut back)?
        .add(&empty, &[], &mut [])?
        .run()?;
    assert_eq!((&tiled, columns), (b"aebfi\0j\0cgdhk\0l\0", [1.0, 3.0, 2.0, 4.0]));
    assert_eq!((&turned, &back), (b"fedcba", b"fedcba.."));
    Executions::new().run()?;

    let mut dst = [b'.'; 17];
    for (src, len) in [(&b"abc"[..], 16), (b"abcdefghijkl", 15), (b"abcdefghijkl", 17), (b"abcdefghijklm", 16)] {
        assert_eq!(kind(Executions::new().add(&letters, src, &mut dst[..len])), ErrorKind::OutOfRange);
    }
    assert_eq!(kind(Executions::new().add_typed(&letters, &[0u32; 3], &mut [0; 4])), ErrorKind::WrongType);
    let strided = Relayout::new(&line, &line).dst_byte_strides([2], 0).plan()?;
    assert!(Executions::new().add(&strided, b"abcdef", &mut dst[..10]).is_err());
    assert!(Executions::new().add(&strided, b"abcdef", &mut dst[..11]).is_ok());
    if let Ok(device) = Relayout::new(&line, &line).memory_spaces(MemorySpace::CPU, MemorySpace::CUDA).plan() {
        assert_eq!(kind(Executions::new().add(&device, b"abcdef", &mut dst[..6])), ErrorKind::Unsupported);
    }
    assert_eq!(dst, [b'.'; 17]);
    Ok(())
}

#[test]
fn progress_hears_of_each_task() -> Result<()> {
    let (pool, executor) = (pool(), threads(4));
    for (runtime, executor) in [(None, None), (Some(&pool), None), (None, Some(&executor))] {
        let (plan, src, want) = large(runtime);
        let (mut one, mut two, heard) = (vec![0; want.len()], vec![0; want.len()], Mutex::new(Vec::new()));
        let hear = |done, count| heard.lock().unwrap().push((done, count));
        let list = Executions::new().add(&plan, &src, &mut one)?.add(&plan, &src, &mut two)?.progress(hear);
        match executor {
            Some(executor) => list.executor(executor).run()?,
            None => list.run()?,
        }
        assert!(one == want && two == want);
        let mut heard = heard.into_inner().unwrap();
        heard.sort_unstable();
        let count = heard.len();
        assert!(count >= 16);
        assert_eq!(heard, (1..=count).map(|done| (done, count)).collect::<Vec<_>>());
    }
    Ok(())
}

#[test]
fn a_flag_cancels() -> Result<()> {
    let pool = pool();
    for runtime in [None, Some(&pool)] {
        let ((plan, src, want), stop, ran) = (large(runtime), AtomicBool::new(false), AtomicUsize::new(0));
        let mut dst = vec![0; want.len()];
        let hear = |done, _| {
            ran.fetch_add(1, Relaxed);
            stop.store(done >= 2, Relaxed);
        };
        let list = Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).progress(hear);
        assert_eq!(kind(list.run()), ErrorKind::Cancelled);
        assert!((2..=6).contains(&ran.load(Relaxed)));
        // One that is set from the start: nothing is written. Without a progress closure, too.
        stop.store(true, Relaxed);
        dst.fill(7);
        assert_eq!(kind(Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).run()), ErrorKind::Cancelled);
        assert!(dst.iter().all(|&byte| byte == 7));
        stop.store(false, Relaxed);
        Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).run()?;
        assert!(dst == want);
    }
    // Set after the call's begin and before its first task, with nobody who hears.
    static STOP: AtomicBool = AtomicBool::new(false);
    let executor = Executor::new(2, |tasks| {
        STOP.store(true, Relaxed);
        tasks.work();
    });
    let (plan, src, mut dst) = large(None);
    let list = Executions::new().add(&plan, &src, &mut dst)?.executor(&executor).cancel(&STOP);
    assert_eq!(kind(list.run()), ErrorKind::Cancelled);
    Ok(())
}

/// What a panic may carry: it panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn a_panic_in_the_executor_is_an_error() -> Result<()> {
    let ((plan, src, want), (from, to)) = (large(None), sides());
    let mut dst = vec![0; src.len()];
    let inside = |tasks: &xlashape::Tasks<'_>| {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                tasks.work();
                std::panic::panic_any(7);
            });
        })
    };
    for (executor, text) in [
        (Executor::new(4, |_| panic!("no {} today", "threads")), "no threads today"),
        (Executor::new(2, inside), "a scoped thread panicked"), // a panic inside of a scope is one of the closure
        (Executor::new(4, |_| std::panic::panic_any(Bomb)), "no text"),
        (
            Executor::new(4, |_| panic!("a\n\x1b[31m\0\u{85}\u{2028}\u{202e}\u{fc}")),
            r"a\x0a\x1b[31m\x00\xc2\x85\xe2\x80\xa8\xe2\x80\xaeü",
        ),
    ] {
        let message = said(ErrorKind::Cancelled, format!("the executor panicked: {text}"));
        assert_eq!(told(plan.execute_with(&executor, &src, &mut dst)), message);
        assert_eq!(told(Executions::new().add(&plan, &src, &mut dst)?.executor(&executor).run()), message);
        // The runtime's executor, by plan, at once, and in a large batch; afterwards all is as before.
        let runtime = Runtime::builder().executor(executor).build()?;
        let request = Relayout::new(&from, &to).runtime(&runtime);
        assert_eq!(told(request.plan()?.execute(&src, &mut dst)), message);
        assert_eq!(told(request.run(&src, &mut dst)), message);
        let (map, linear) = (IndexMap::new(&from)?, vec![5; 1 << 18]);
        assert_eq!(told(map.batch().runtime(&runtime).indices(&linear, &mut vec![0; 2 << 18])), message);
        plan.execute(&src, &mut dst)?;
        assert!(dst == want);
    }
    Ok(())
}

#[test]
fn a_panic_in_the_progress_is_an_error() -> Result<()> {
    let pool = pool();
    for runtime in [None, Some(&pool)] {
        let ((plan, src, want), heard) = (large(runtime), AtomicUsize::new(0));
        let mut dst = vec![0; want.len()];
        let error = |dst: &mut [u8], hear: &(dyn Fn(usize, usize) + Send + Sync)| -> Error {
            Executions::new().add(&plan, &src, dst).unwrap().progress(hear).run().unwrap_err()
        };
        let told = error(&mut dst, &|done, _| {
            heard.fetch_add(1, Relaxed);
            panic!("no {done}\n")
        });
        assert_eq!(told.kind(), ErrorKind::Cancelled);
        assert!(told.message().starts_with("the progress closure panicked: no ") && told.message().ends_with("\\x0a"));
        assert!(heard.load(Relaxed) <= 4);
        let told = error(&mut dst, &|done, count| assert!(done < count, "the last"));
        assert_eq!((told.kind(), told.message()), (ErrorKind::Cancelled, "the progress closure panicked: the last"));
        let told = error(&mut dst, &|_, _| std::panic::panic_any(Bomb));
        assert_eq!(told.message(), "the progress closure panicked: no text");
        plan.execute(&src, &mut dst)?;
        assert!(dst == want);
    }
    Ok(())
}
