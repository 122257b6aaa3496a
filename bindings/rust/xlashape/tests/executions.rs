//! Many executions in one call, and executions that are looked at between their tasks.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;
use xlashape::{
    Error, ErrorKind, Executions, Executor, FillPolicy, MemorySpace, Plan, Relayout, Result, Runtime, Shape,
};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn letters() -> Plan {
    Plan::new(&shape("u8[3,4]"), &shape("u8[3,4]{0,1:T(2,2)}")).unwrap()
}

const SIDE: usize = 2048;

fn large(runtime: Option<&Runtime>) -> (Plan, Vec<u8>, Vec<u8>) {
    let (from, to) = (shape(&format!("u8[{SIDE},{SIDE}]")), shape(&format!("u8[{SIDE},{SIDE}]{{0,1}}")));
    let request = Relayout::new(&from, &to);
    let plan = runtime.map_or(request.clone(), |runtime| request.runtime(runtime)).plan().unwrap();
    let src: Vec<u8> = (0..SIDE * SIDE).map(|i| (i % 251) as u8).collect();
    let want = (0..SIDE * SIDE).map(|i| src[i % SIDE * SIDE + i / SIDE]).collect();
    (plan, src, want)
}

/// Hands the tasks to threads.
fn threads() -> Executor {
    Executor::new(4, |tasks| {
        std::thread::scope(|scope| {
            for _ in 0..tasks.workers() {
                scope.spawn(|| tasks.work());
            }
        });
    })
}

#[test]
fn each_does_what_an_execution_does() -> Result<()> {
    let (letters, floats) = (letters(), Plan::new(&shape("f32[2,2]"), &shape("f32[2,2]{0,1}"))?);
    let line = shape("u8[6]");
    let backwards = Relayout::new(&line, &line).src_byte_strides([-1], 5).plan()?;
    let onto = Relayout::new(&line, &line).dst_byte_strides([-1], 5).plan()?;
    let (mut tiled, mut columns, mut turned, mut back) = ([b'.'; 16], [0.0f32; 4], [b'.'; 6], [b'.'; 8]);
    Executions::new()
        .add(&letters, b"abcdefghijkl", &mut tiled)?
        .add_typed(&floats, &[1.0f32, 2.0, 3.0, 4.0], &mut columns)?
        .add(&backwards, b"abcdef", &mut turned)?
        .add(&onto, b"abcdef", &mut back)?
        .run()?;
    assert_eq!((&tiled, columns), (b"aebfi\0j\0cgdhk\0l\0", [1.0, 3.0, 2.0, 4.0]));
    assert_eq!((&turned, &back), (b"fedcba", b"fedcba.."));
    Executions::new().run()?;
    let empty = Plan::new(&shape("u8[0]"), &shape("u8[0]"))?;
    Executions::new().add(&empty, &[], &mut [])?.run()?;
    Ok(())
}

#[test]
fn tasks_are_spread_together() -> Result<()> {
    let (calls, all) = (AtomicUsize::new(0), std::sync::Arc::new(AtomicUsize::new(0)));
    let seen = std::sync::Arc::clone(&all);
    let executor = Executor::new(4, move |tasks| {
        seen.fetch_add(tasks.len(), Ordering::Relaxed);
        tasks.work();
    });
    let runtime = Runtime::builder().executor(executor).build()?;
    let (plan, src, want) = large(Some(&runtime));
    let (mut one, mut two) = (vec![0; want.len()], vec![0; want.len()]);
    Executions::new().add(&plan, &src, &mut one)?.add(&plan, &src, &mut two)?.run()?;
    assert!(one == want && two == want);
    assert_eq!(all.load(Ordering::Relaxed), 2 * plan.task_count(4));
    // On another one, which stays the caller's.
    let executor = threads();
    let (plan, ..) = large(None);
    one.fill(0);
    let hear = |_, _| {
        calls.fetch_add(1, Ordering::Relaxed);
    };
    Executions::new().add(&plan, &src, &mut one)?.executor(&executor).progress(hear).run()?;
    assert!(one == want && calls.load(Ordering::Relaxed) >= 8);
    Ok(())
}

#[test]
fn slices_are_looked_at_as_they_are_added() {
    let (plan, mut dst) = (letters(), [b'.'; 17]);
    for (src, len) in [(&b"abc"[..], 16), (b"abcdefghijkl", 15), (b"abcdefghijkl", 17), (b"abcdefghijklm", 16)] {
        let error = Executions::new().add(&plan, src, &mut dst[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
    }
    let error = Executions::new().add_typed(&plan, &[0u32; 3], &mut [0; 4]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
    let line = shape("u8[6]");
    let strided = Relayout::new(&line, &line).dst_byte_strides([2], 0).plan().unwrap();
    assert!(Executions::new().add(&strided, b"abcdef", &mut dst[..10]).is_err());
    assert!(Executions::new().add(&strided, b"abcdef", &mut dst[..11]).is_ok());
    if let Ok(device) = Relayout::new(&line, &line).memory_spaces(MemorySpace::CPU, MemorySpace::CUDA).plan() {
        let error = Executions::new().add(&device, b"abcdef", &mut dst[..6]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    assert_eq!(dst, [b'.'; 17]);
}

#[test]
fn progress_hears_of_each_task() -> Result<()> {
    let pool = Runtime::builder().threads(4).build()?;
    for runtime in [None, Some(&pool)] {
        let (plan, src, want) = large(runtime);
        let (mut one, mut two, heard) = (vec![0; want.len()], vec![0; want.len()], Mutex::new(Vec::new()));
        let hear = |done, count| heard.lock().unwrap().push((done, count));
        Executions::new().add(&plan, &src, &mut one)?.add(&plan, &src, &mut two)?.progress(hear).run()?;
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
    let pool = Runtime::builder().threads(4).build()?;
    for runtime in [None, Some(&pool)] {
        let ((plan, src, want), stop, ran) = (large(runtime), AtomicBool::new(false), AtomicUsize::new(0));
        let mut dst = vec![0; want.len()];
        let hear = |done, _| {
            ran.fetch_add(1, Ordering::Relaxed);
            stop.store(done >= 2, Ordering::Relaxed);
        };
        let error = Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).progress(hear).run().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled, "{error}");
        assert!((2..=6).contains(&ran.load(Ordering::Relaxed)));
        // One that is set from the start: nothing is written. Without a progress closure, too.
        stop.store(true, Ordering::Relaxed);
        dst.fill(7);
        let error = Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).run().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Cancelled);
        assert!(dst.iter().all(|&byte| byte == 7));
        stop.store(false, Ordering::Relaxed);
        Executions::new().add(&plan, &src, &mut dst)?.cancel(&stop).run()?;
        assert!(dst == want);
    }
    Ok(())
}

#[test]
fn a_flag_cancels_without_anybody_hearing() -> Result<()> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let executor = Executor::new(2, |tasks| {
        STOP.store(true, Ordering::Relaxed); // after the call's begin, before its first task
        tasks.work();
    });
    let (plan, src, _) = large(None);
    let mut dst = vec![0; src.len()];
    let list = Executions::new().add(&plan, &src, &mut dst)?.executor(&executor).cancel(&STOP);
    assert_eq!(list.run().unwrap_err().kind(), ErrorKind::Cancelled);
    Ok(())
}

#[test]
fn another_thread_cancels() {
    let ((plan, src, _), stop) = (large(None), AtomicBool::new(false));
    let mut dst = vec![0; src.len()];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while std::time::Instant::now() < deadline {
            let list = Executions::new().add(&plan, &src, &mut dst).unwrap().cancel(&stop);
            if let Err(error) = list.run() {
                assert_eq!(error.kind(), ErrorKind::Cancelled);
                return;
            }
        }
        panic!("nobody heard of the flag");
    });
}

/// What a panic may carry: it panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[test]
fn a_panic_in_the_progress_is_an_error() -> Result<()> {
    let pool = Runtime::builder().threads(4).build()?;
    for runtime in [None, Some(&pool)] {
        let ((plan, src, want), heard) = (large(runtime), AtomicUsize::new(0));
        let mut dst = vec![0; want.len()];
        let error = |dst: &mut [u8], hear: &(dyn Fn(usize, usize) + Send + Sync)| -> Error {
            Executions::new().add(&plan, &src, dst).unwrap().progress(hear).run().unwrap_err()
        };
        let told = error(&mut dst, &|done, _| {
            heard.fetch_add(1, Ordering::Relaxed);
            panic!("no {done}\n")
        });
        assert_eq!(told.kind(), ErrorKind::Cancelled);
        assert!(told.message().starts_with("the progress closure panicked: no ") && told.message().ends_with("\\x0a"));
        assert!(heard.load(Ordering::Relaxed) <= 4);
        let told = error(&mut dst, &|done, count| assert!(done < count, "the last"));
        assert_eq!((told.kind(), told.message()), (ErrorKind::Cancelled, "the progress closure panicked: the last"));
        let told = error(&mut dst, &|_, _| std::panic::panic_any(Bomb));
        assert_eq!(told.message(), "the progress closure panicked: no text");
        plan.execute(&src, &mut dst)?;
        assert!(dst == want);
    }
    Ok(())
}

#[test]
fn a_panic_in_the_executor_is_told_as_ever() {
    let ((plan, src, _), executor) = (large(None), Executor::new(4, |_| panic!("no threads")));
    let mut dst = vec![0; src.len()];
    let list = Executions::new().add(&plan, &src, &mut dst).unwrap().executor(&executor);
    let error = list.run().unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Cancelled, "the executor panicked: no threads"));
}

#[test]
fn keys_are_equal_for_equal_questions() -> Result<()> {
    let (from, to) = (shape("u8[3,4]"), shape("u8[3,4]{0,1:T(2,2)}"));
    let request = || Relayout::new(&from, &to);
    let key = request().key()?;
    assert!(key.starts_with("u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)}"), "{key}");
    assert_eq!(key, request().fill(FillPolicy::Padding).runtime(&Runtime::new()?).key()?);
    let different = [
        request(),
        Relayout::new(&to, &from),
        request().fill(FillPolicy::Preserve),
        request().fill(FillPolicy::Unspecified),
        request().allow_fallback(),
        request().read_soon(),
        request().backend("simd"),
        request().backend("nobody"),
        request().device(1),
        request().memory_spaces(MemorySpace::CUDA, MemorySpace::CPU),
        request().memory_spaces(MemorySpace::CPU, MemorySpace::CUDA),
        request().src_byte_strides([1, 2], 0),
        request().src_byte_strides([1, 2], 1),
        request().src_byte_strides([1, 2], 2),
        request().dst_byte_strides([1, 2], 0),
        request().dst_byte_strides([1, 2], 1),
        request().index_box([0, 1], [0, 0], [1, 1]),
        request().index_box([0, 0], [0, 1], [1, 1]),
        request().index_box([0, 0], [0, 0], [1, 2]),
    ];
    let keys = different.iter().map(Relayout::key).collect::<Result<HashSet<_>>>()?;
    assert_eq!(keys.len(), different.len(), "{keys:#?}");
    assert_eq!(request().src_byte_strides([1], 0).key().unwrap_err().kind(), ErrorKind::OutOfRange);
    assert_eq!(request().backend("a\0b").key().unwrap_err().kind(), ErrorKind::NotFound);
    let tuple = shape("(u8[2])");
    assert_eq!(Relayout::new(&tuple, &to).key().unwrap_err().kind(), ErrorKind::Unsupported);
    Ok(())
}

#[test]
fn plans_tell_their_shapes() -> Result<()> {
    let (from, to) = (shape("bf16[9,130]"), shape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
    let plan = Plan::new(&from, &to)?;
    let (src, dst) = plan.shapes()?;
    drop(plan);
    assert_eq!((src, dst), (from, to));
    Ok(())
}

#[test]
fn runtimes_choose() -> Result<()> {
    let builder = || Runtime::builder().no_environment();
    let runtime = builder().backend("scalar").deny_backend("simd").deny_backend("opencl").cpu("scalar");
    let runtime = runtime.backend_option("one.key", "a=b").backend_option("one.another", "").build()?;
    let report = runtime.report()?;
    for part in ["no features used", "denied backends: simd,opencl", "one.key=a=b, one.another="] {
        assert!(report.contains(part), "no {part} in {report}");
    }
    let line = shape("u8[6]");
    assert_eq!(Relayout::new(&line, &line).runtime(&runtime).plan()?.backend(), "scalar");
    let denied = Relayout::new(&line, &line).runtime(&runtime).backend("simd").plan().unwrap_err();
    assert_eq!(denied.kind(), ErrorKind::NotFound, "{denied}");
    let instead = builder().backend("nobody,*").build()?;
    Relayout::new(&line, &line).runtime(&instead).plan()?;
    let nobody = builder().backend("nobody").build()?;
    assert!(Relayout::new(&line, &line).runtime(&nobody).plan().is_err());
    for (builder, part) in [
        (builder().backend("a\0b"), "the backend \"a\\0b\" has NUL in it"),
        (builder().cpu("a\0b"), "level \"a\\0b\" has NUL"),
        (builder().cpu("fast"), "cpu is fast"),
        (builder().deny_backend("a").deny_backend("b,c"), "the denied backend \"b,c\" has ',' in it"),
        (builder().deny_backend("b\0c"), "\"b\\0c\" has NUL"),
        (builder().backend_option("a.b=c;d.e", "f"), "option \"a.b=c;d.e\" has '=' in it"),
        (builder().backend_option("a.b", "c;d.e=f"), "value of a backend's option \"c;d.e=f\" has ';' in it"),
        (builder().backend_option("a\0.b", ""), "has NUL"),
        (builder().backend_option("ab", "c"), "does not have the form NAME.KEY=VALUE"),
        (builder().backend_option("a.b", "c").backend_option("a.b", "d"), "given twice"),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.message().contains(part), "{error}");
    }
    Ok(())
}
