// SPDX-License-Identifier: Apache-2.0
//! Runtimes: what they are told and tell, backends that are linked in, and when hooks are dropped.

use crate::{kind, numbers, shape, told};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use xlashape::{
    sys, BackendInfo, BackendState, Conversion, ErrorKind, Executor, IndexMap, LogLevel, MemorySpace, Plan, Relayout,
    Result, Runtime, RuntimeBuilder,
};

fn builder() -> RuntimeBuilder {
    Runtime::builder().no_environment()
}

fn backend(runtime: &Runtime, name: &str) -> (usize, BackendInfo) {
    runtime.backends().unwrap().into_iter().enumerate().find(|(_, info)| info.name == name).unwrap()
}

#[test]
fn runtimes_tell_about_backends() -> Result<()> {
    let runtime = builder().no_library_dir().no_install_dir().load_now().build()?;
    let inside = if cfg!(feature = "vendored") { r#", ("simd", Ready)"# } else { "" };
    assert_eq!(format!("{runtime:?}"), format!(r#"Runtime [("scalar", Ready){inside}]"#));
    let missing = Runtime::builder().backend_dir("/no/such/folder").backend_dir("/nor/this").build()?;
    assert!(missing.report()?.contains("/no/such/folder"));
    // SAFETY: there is nothing to load.
    assert!(unsafe { missing.load_backend("/no/such/backend.so") }.is_err());

    let runtime = builder().verify_count(64).build()?;
    let (from, to) = (shape("u8[2,3]"), shape("u8[2,3]{0,1}"));
    let plan = Relayout::new(&from, &to).runtime(&runtime).plan()?;
    assert_eq!(plan.execute_to_vec(&[1, 2, 3, 4, 5, 6])?, [1, 4, 2, 5, 3, 6]);
    let report = runtime.report()?;
    assert!(report.contains("verification: 64 positions of each execution; 1 executions verified"), "{report}");
    Ok(())
}

#[test]
fn runtimes_choose() -> Result<()> {
    let runtime = builder().backend("scalar").deny_backend("simd").deny_backend("opencl").cpu("scalar");
    let runtime = runtime.backend_option("one.key", "a=b").backend_option("one.another", "").build()?;
    let report = runtime.report()?;
    for part in ["no features used", "denied backends: simd,opencl", "one.key=a=b, one.another="] {
        assert!(report.contains(part), "no {part} in {report}");
    }
    let line = shape("u8[6]");
    assert_eq!(Relayout::new(&line, &line).runtime(&runtime).plan()?.backend(), "scalar");
    assert_eq!(kind(Relayout::new(&line, &line).runtime(&runtime).backend("simd").plan()), ErrorKind::NotFound);
    let instead = builder().backend("nobody,*").build()?;
    Relayout::new(&line, &line).runtime(&instead).plan()?;
    let nobody = builder().backend("nobody").build()?;
    assert!(Relayout::new(&line, &line).runtime(&nobody).plan().is_err());
    let executor = || builder().executor(Executor::new(2, |tasks| tasks.work()));
    for (builder, part) in [
        (builder().backend("a\0b"), "the backend \"a\\0b\" has NUL in it"),
        (builder().cpu("a\0b"), "level \"a\\0b\" has NUL"),
        (builder().cpu("fast"), "cpu is fast"),
        (builder().profile("a\0b"), "the profile \"a\\0b\" has NUL in it"),
        (builder().profile("hello\n"), "profile: line 1: "),
        (builder().backend_dir("/").backend_dir("/a\0b"), "\"/a\\0b\" has NUL"),
        (builder().backend_dir("/").backend_dir("/a:/b"), "\"/a:/b\" has ':' in it"),
        (builder().deny_backend("a").deny_backend("b,c"), "the denied backend \"b,c\" has ',' in it"),
        (builder().deny_backend("b\0c"), "\"b\\0c\" has NUL"),
        (builder().backend_option("a.b=c;d.e", "f"), "option \"a.b=c;d.e\" has '=' in it"),
        (builder().backend_option("a.b", "c;d.e=f"), "value of a backend's option \"c;d.e=f\" has ';' in it"),
        (builder().backend_option("a\0.b", ""), "has NUL"),
        (builder().backend_option("ab", "c"), "does not have the form NAME.KEY=VALUE"),
        (builder().backend_option("a.b", "c").backend_option("a.b", "d"), "given twice"),
        (builder().threads(u32::MAX), "threads is 4294967295: too large"),
        (executor().threads(2), "threads"),
    ] {
        let (kind, message) = told(builder.build());
        assert!(kind == ErrorKind::InvalidArgument && message.contains(part), "{message}");
    }
    Ok(())
}

#[test]
fn runtimes_have_threads() -> Result<()> {
    let report = |builder: RuntimeBuilder| builder.build().unwrap().report().unwrap();
    assert!(report(builder()).contains("\nthreads: 1, as neither "));
    assert!(report(builder().threads(2)).contains("\nthreads: 2, as options.threads says\n"));
    let all = report(builder().all_threads());
    assert!(all.contains(", all that this process may use ("), "{all}");
    // The example of `set_default` has a process of its own, and succeeds.
    let line = shape("u8[6]");
    Relayout::new(&line, &line).plan()?; // makes the default runtime
    let (kind, message) = told(builder().build()?.set_default());
    assert!(kind == ErrorKind::Busy && message.contains("there is a default runtime already"), "{message}");
    Ok(())
}

#[test]
fn devices_are_asked_for_by_number() -> Result<()> {
    let (from, to) = (shape("u8[3,4]"), shape("u8[3,4]{0,1}"));
    let (map, runtime) = (IndexMap::new(&to)?, builder().build()?);
    let (scalar, _) = backend(&runtime, "scalar");
    for (device, part) in [(7, "there is no device number 7: backend scalar has 0"), (u32::MAX, "device")] {
        let request = Relayout::new(&from, &to).backend("scalar").device(device);
        for (kind, message) in [
            told(request.plan()),
            told(request.run(&[0; 12], &mut [0; 12])),
            told(Conversion::to_linear(&map).backend("scalar").device(device).plan()),
            told(runtime.device_text(scalar, device)),
        ] {
            assert!(kind == ErrorKind::OutOfRange && message.contains(part), "{message}");
        }
    }
    assert_eq!(kind(runtime.device_text(99, 0)), ErrorKind::OutOfRange);
    Ok(())
}

/// Counts how often it is dropped.
struct Counter(Arc<AtomicUsize>);

impl Counter {
    fn new() -> (Self, Arc<AtomicUsize>) {
        let drops = Arc::new(AtomicUsize::new(0));
        (Self(Arc::clone(&drops)), drops)
    }

    /// A closure that calls it holds this value.
    fn keep(&self) {}
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn hooks_are_dropped_once() -> Result<()> {
    let image = shape("u8[3,4]");
    // Of no runtime: at once. Of one: with its last plan, on whichever thread.
    for threads in [0, 2, 1_000_000, u32::MAX] {
        let ((executor, executor_drops), (logger, logger_drops)) = (Counter::new(), Counter::new());
        let drops = || (executor_drops.load(Relaxed), logger_drops.load(Relaxed));
        let executor = Executor::new(2, move |tasks| {
            executor.keep();
            tasks.work();
        });
        let log = move |_, _, _: &str| logger.keep();
        let made = Runtime::builder().executor(executor).threads(threads).logger(log).build();
        if threads > 0 {
            assert_eq!((kind(made), drops()), (ErrorKind::InvalidArgument, (1, 1)));
            continue;
        }
        let runtime = made?;
        let plan = Relayout::new(&image, &image).runtime(&runtime).plan()?;
        let index_plan = Conversion::to_linear(&IndexMap::new(&image)?).runtime(&runtime).plan()?;
        let (again, copy) = (runtime.clone(), plan.clone());
        drop((runtime, again, plan));
        assert_eq!(copy.execute_to_vec(b"abcdefghijkl")?, b"abcdefghijkl");
        drop(copy);
        assert_eq!(drops(), (0, 0));
        std::thread::spawn(move || drop(index_plan)).join().unwrap();
        assert_eq!(drops(), (1, 1));
    }
    // The executor of one execution stays the caller's.
    let (counter, drops) = Counter::new();
    let executor = Executor::new(2, move |_| counter.keep());
    Plan::new(&image, &image)?.execute_with(&executor, &[1; 12], &mut [0; 12])?;
    assert_eq!(drops.load(Relaxed), 0);
    drop(executor);
    assert_eq!(drops.load(Relaxed), 1);
    Ok(())
}

#[test]
fn a_backend_that_is_linked_in_does_the_work() -> Result<()> {
    let (open, runtime): (sys::xlashape_backend_open_fn, _) =
        (Some(rustic::xlashape_backend_open_rustic), builder().build()?);
    let ((user, drops), (refused, refused_drops)) = (Counter::new(), Counter::new());
    // SAFETY: it keeps to the header.
    unsafe { runtime.add_backend("rustic", open, user, -3)? };
    // SAFETY: as above.
    let failed = unsafe { runtime.add_backend("rustic", open, refused, 0) }; // the name is taken
    assert_eq!(kind(failed), ErrorKind::InvalidArgument);
    assert_eq!((drops.load(Relaxed), refused_drops.load(Relaxed)), (0, 1));
    let (_, info) = backend(&runtime, "rustic");
    assert_eq!((info.memory_spaces.as_slice(), info.path.as_str(), info.priority), (&[MemorySpace::CPU][..], "", -3));
    assert_eq!((info.device_count, info.abi_version), (Some(0), sys::XLASHAPE_BACKEND_ABI_VERSION));
    info.expect_ready()?;

    let (from, to) = (shape("bf16[9,130]"), shape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
    let plan = Relayout::new(&from, &to).runtime(&runtime).backend("rustic").plan()?;
    // A kind of operation that it does not know.
    let reals = shape("f32[9,130]");
    let converts = Relayout::new(&from, &reals).runtime(&runtime).backend("rustic").convert();
    let (refused, message) = told(converts.plan());
    assert_eq!(refused, ErrorKind::NotFound);
    assert!(
        message.contains("rustic") && message.ends_with("it only moves elements unchanged, and converts indices"),
        "{message}"
    );
    assert_ne!(converts.allow_fallback().plan()?.backend(), "rustic");
    drop(runtime);
    assert_eq!((plan.backend(), drops.load(Relaxed)), ("rustic", 0));
    let src = numbers(from.byte_size()?);
    assert_eq!(plan.execute_to_vec(&src)?, Plan::new(&from, &to)?.execute_to_vec(&src)?);
    drop(plan);
    assert_eq!(drops.load(Relaxed), 1);
    Ok(())
}

/// Calls itself what it is given.
unsafe extern "C" fn open_wordy(
    host: *const sys::xlashape_host,
    backend: *mut sys::xlashape_backend,
    err: *mut sys::xlashape_error,
) -> sys::xlashape_status {
    let status = rustic::xlashape_backend_open_rustic(host, backend, err);
    (*backend).build_id = (*host).user.cast();
    status
}

#[test]
fn long_texts_about_backends_are_whole() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("xlashape-{}", std::process::id())).join("x".repeat(250));
    let (folder, name) = (folder.join("y".repeat(250)), "z".repeat(60));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.so"));
    std::fs::write(&path, "no library").unwrap();
    let path = path.to_str().unwrap();
    let runtime = builder().build()?;
    // SAFETY: there is nothing to load.
    assert!(unsafe { runtime.load_backend(path) }.is_err());
    let (_, info) = backend(&runtime, &name);
    assert_eq!((info.path.as_str(), info.state, info.memory_spaces.len()), (path, BackendState::Failed, 0));
    assert!(info.expect_ready().unwrap_err().message().ends_with(&info.detail), "{info:?}");

    let mut build_id = [b'b'; 901];
    build_id[900] = 0;
    // SAFETY: it keeps to the header.
    unsafe { runtime.add_backend("rustic", Some(open_wordy), build_id, 0)? };
    let (_, info) = backend(&runtime, "rustic");
    assert!(info.detail.contains(&"b".repeat(900)), "{info:?}");
    std::fs::remove_dir_all(folder.parent().and_then(|x| x.parent()).unwrap()).unwrap();
    Ok(())
}

const WORDS: &str = "one of two\u{2026}";

/// Talks, and refuses to open.
unsafe extern "C" fn open_talker(
    host: *const sys::xlashape_host,
    _backend: *mut sys::xlashape_backend,
    _err: *mut sys::xlashape_error,
) -> sys::xlashape_status {
    let host = &*host;
    if let Some(log) = host.log {
        log(host.opaque, sys::XLASHAPE_LOG_WARNING, host.source, WORDS.as_ptr().cast(), WORDS.len() as i64);
        log(host.opaque, 77, 0, std::ptr::null(), 0);
    }
    sys::XLASHAPE_STATUS_UNSUPPORTED
}

#[test]
fn lines_arrive_at_the_logger_and_a_panic_ends_there() -> Result<()> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&heard);
    let log = move |level, backend, text: &str| lines.lock().unwrap().push((level, backend, text.to_owned()));
    for (runtime, hears) in [(builder().logger(log), true), (builder().logger(|_, _, _| panic!("no words")), false)] {
        let runtime = runtime.build()?;
        // SAFETY: it keeps to the header: it may refuse.
        unsafe { runtime.add_backend("talker", Some(open_talker), (), 0) }.unwrap_err();
        let (ordinal, _) = backend(&runtime, "talker");
        if hears {
            let heard = heard.lock().unwrap();
            assert!(heard.contains(&(LogLevel::Warning, Some(ordinal), WORDS.to_owned())), "{heard:?}");
            assert!(heard.contains(&(LogLevel::Debug, Some(ordinal), String::new())), "{heard:?}");
        }
        let shape = shape("f32[8,8]");
        assert!(Relayout::new(&shape, &shape).runtime(&runtime).plan()?.execute_to_vec(&[3; 256]).is_ok());
    }
    Ok(())
}
