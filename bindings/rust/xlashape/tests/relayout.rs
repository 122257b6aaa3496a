//! Relayouts and index maps against plain Rust, and everything that may be said about them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use xlashape::{
    relayout, sys, BackendState, Conversion, ErrorKind, Executor, FillPolicy, IndexBox, IndexMap, IndexOrder,
    MemorySpace, Plan, Relayout, Result, Runtime, Shape,
};

fn shape(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Bytes that tell where they were.
fn numbers(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
}

/// What a relayout means: every element to where its index map says.
fn by_index_maps(src_shape: &Shape, src: &[u8], dst_shape: &Shape) -> Result<Vec<u8>> {
    let (from, to) = (IndexMap::new(src_shape)?, IndexMap::new(dst_shape)?);
    let width = src_shape.sizes()?.element_bits / 8;
    let mut dst = vec![0; dst_shape.byte_size()?];
    let all = IndexBox::of(src_shape)?;
    let mut walk = all.walk()?;
    while let Some(index) = walk.next() {
        let (a, b) = (from.linear_index(index)? as usize * width, to.linear_index(index)? as usize * width);
        dst[b..b + width].copy_from_slice(&src[a..a + width]);
    }
    Ok(dst)
}

#[test]
fn relayouts_go_where_index_maps_say() -> Result<()> {
    for (from, to) in [
        ("u8[3,4]", "u8[3,4]{0,1:T(2,2)}"),
        ("bf16[37,300]{1,0}", "bf16[37,300]{1,0:T(8,128)(2,1)}"),
        ("f32[5,7,11]{0,2,1:T(4,128)}", "f32[5,7,11]{2,1,0}"),
        ("c128[6,5]{0,1}", "c128[6,5]{1,0:T(2,2)(2,1)}"),
        ("u8[30,45,3]{2,1,0}", "u8[30,45,3]{1,0,2:T(8,128)(4,1)}"),
        ("s64[]", "s64[]"),
        ("f32[0,4]", "f32[0,4]{0,1:T(2,2)}"),
    ] {
        let (from, to) = (shape(from), shape(to));
        let src = numbers(from.byte_size()?);
        let want = by_index_maps(&from, &src, &to)?;
        let plan = Plan::new(&from, &to)?;
        assert_eq!(plan.execute_to_vec(&src)?, want, "{from} -> {to}");
        let mut once = vec![0xEE; want.len()];
        relayout(&from, &src, &to, &mut once)?;
        assert_eq!(once, want, "{from} -> {to}");
        assert_eq!(plan.byte_sizes(), (src.len(), want.len()));
        let back = Plan::new(&to, &from)?.execute_to_vec(&want)?;
        assert_eq!(by_index_maps(&to, &want, &from)?, back, "{to} -> {from}");
    }
    Ok(())
}

#[test]
fn typed_slices_move() -> Result<()> {
    let (rows, columns) = (shape("c64[2,2]"), shape("c64[2,2]{0,1}"));
    let mut dst = [[0.0f32; 2]; 4];
    Plan::new(&rows, &columns)?.execute_typed(&[[0., 1.], [2., 3.], [4., 5.], [6., 7.]], &mut dst)?;
    assert_eq!(dst, [[0., 1.], [4., 5.], [2., 3.], [6., 7.]]);
    let mut bits = [0u16; 4];
    Plan::new(&shape("bf16[2,2]"), &shape("bf16[2,2]{0,1}"))?.execute_typed(&[1, 2, 3, 4], &mut bits)?;
    assert_eq!(bits, [1, 3, 2, 4]);
    let mut small = [0i8; 4];
    Plan::new(&shape("s4[2,2]"), &shape("s4[2,2]{0,1}"))?.execute_typed(&[-1, 2, -3, 4], &mut small)?;
    assert_eq!(small, [-1, -3, 2, 4]);
    Ok(())
}

#[test]
fn strides_replace_layouts() -> Result<()> {
    let image = shape("u8[3,4]");
    let plan = Relayout::new(&image, &image).src_byte_strides([-4, 1], 8).plan()?; // rows upside down
    let mut dst = [0; 12];
    plan.execute(b"abcdefghijkl", &mut dst)?;
    assert_eq!(&dst, b"ijklefghabcd");
    // Strides reach further than needed: slices may be longer, and what lies between is left alone.
    let spread = Relayout::new(&image, &image).dst_byte_strides([10, 2], 1);
    let (mut once, mut planned) = ([b'.'; 30], [b'.'; 30]);
    spread.run(b"abcdefghijkl", &mut once)?;
    spread.plan()?.execute(b"abcdefghijkl", &mut planned)?;
    assert_eq!(&once, b".a.b.c.d...e.f.g.h...i.j.k.l..");
    assert_eq!(once, planned);
    let repeated = Relayout::new(&shape("u8[2,3]"), &shape("u8[2,3]")).src_byte_strides([0, 1], 0).plan()?;
    assert_eq!(repeated.execute_to_vec(b"abc")?, b"abcabc");
    Ok(())
}

#[test]
fn runs_at_once_reach_as_far_as_plans() -> Result<()> {
    let (image, tiled) = (shape("u8[3,4]"), shape("u8[3,4]{0,1:T(2,2)}"));
    let backwards = Relayout::new(&image, &tiled).src_byte_strides([-4, -1], 11); // index 0, 0 is the last byte
    let (mut once, mut planned) = ([b'#'; 16], [b'#'; 16]);
    backwards.run(b"abcdefghijkl", &mut once)?;
    backwards.plan()?.execute(b"abcdefghijkl", &mut planned)?;
    assert_eq!((&once, once), (b"lhkgd\0c\0jfieb\0a\0", planned));

    let onto = Relayout::new(&tiled, &image).dst_byte_strides([-4, -1], 11);
    let mut back = [b'#'; 12];
    onto.run(&once, &mut back)?;
    assert_eq!(&back, b"abcdefghijkl");

    let mut short = [b'#'; 11];
    let error = onto.run(&once, &mut short).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::OutOfRange, "dst has 11 bytes, the plan needs at least 12")
    );
    assert_eq!(short, [b'#'; 11]);
    let error = backwards.run(&back[..11], &mut once).unwrap_err();
    assert_eq!(error, backwards.plan()?.execute(&back[..11], &mut once).unwrap_err());
    let error = Relayout::new(&image, &tiled).src_byte_strides([-4, -1], 10).run(&back, &mut once).unwrap_err();
    assert_eq!(error.message(), "src reaches 11 bytes before index 0...0, its offset is 10");
    Ok(())
}

#[test]
fn boxes_batches_and_fills() -> Result<()> {
    let (large, small) = (shape("u8[4,4]"), shape("u8[2,2]{0,1}"));
    let mut dst = [b'.'; 4];
    Relayout::new(&large, &small).index_box([1, 2], [0, 0], [2, 2]).run(b"abcdefghijklmnop", &mut dst)?;
    assert_eq!(&dst, b"gkhl");

    let (pair, turned) = (shape("u8[2,2]"), shape("u8[2,2]{0,1}"));
    let mut all = [b'.'; 10];
    Plan::new(&pair, &turned)?.execute_batch(2, b"abcd--efgh", 6, &mut all, 5)?;
    assert_eq!(&all, b"acbd.egfh.");
    Plan::new(&pair, &turned)?.execute_batch(0, &[], 0, &mut [], 0)?;

    let padded = shape("u8[3]{0:T(4)}");
    for (policy, want) in [(FillPolicy::Padding, b"abc\0"), (FillPolicy::Preserve, b"abc.")] {
        let mut dst = [b'.'; 4];
        Relayout::new(&shape("u8[3]"), &padded).fill(policy).run(b"abc", &mut dst)?;
        assert_eq!(&dst, want);
    }
    Ok(())
}

#[test]
fn plans_tell_about_themselves() -> Result<()> {
    let (from, to) = (shape("f32[64,64]"), shape("f32[64,64]{0,1}"));
    let plan = Relayout::new(&from, &to).backend("scalar").read_soon().plan()?;
    assert_eq!(plan.backend(), "scalar");
    assert!(plan.describe()?.contains("scalar") && format!("{plan:?}").starts_with("Plan("));
    let needs = plan.requirements()?;
    assert_eq!((needs.src_low, needs.src_high, needs.dst_high), (0, 16384, 16384));
    assert!(plan.task_count(8) >= 1);
    let fallback = Relayout::new(&from, &to).backend("no such backend");
    assert_eq!(fallback.plan().unwrap_err().kind(), ErrorKind::NotFound);
    assert_ne!(fallback.allow_fallback().plan()?.backend(), "no such backend");
    Ok(())
}

#[test]
fn an_executor_runs_each_task_once() -> Result<()> {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let executor = Executor::new(3, move |tasks| {
        counter.fetch_add(1, Ordering::Relaxed);
        std::thread::scope(|scope| {
            for _ in 0..tasks.workers() + 5 {
                scope.spawn(|| tasks.work()); // more than there are workers: those return at once
            }
        });
    });
    let (from, to) = (shape("f32[1024,1024]"), shape("f32[1024,1024]{0,1:T(8,128)}"));
    let src = numbers(from.byte_size()?);
    let want = Plan::new(&from, &to)?.execute_to_vec(&src)?;
    let mut dst = vec![0; want.len()];
    Plan::new(&from, &to)?.execute_with(&executor, &src, &mut dst)?;
    assert!(dst == want && calls.load(Ordering::Relaxed) > 0);

    // The runtime's: it outlives the builder, and the plan keeps it alive.
    let runtime = Runtime::builder().executor(executor).build()?;
    let plan = Relayout::new(&from, &to).runtime(&runtime).plan()?;
    drop(runtime);
    let before = calls.load(Ordering::Relaxed);
    assert!(plan.clone().execute_to_vec(&src)? == want && calls.load(Ordering::Relaxed) > before);
    assert_eq!(Arc::strong_count(&calls), 2);
    drop(plan);
    assert_eq!(Arc::strong_count(&calls), 1); // and with the last plan the closure goes
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
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn hooks_are_dropped_once_with_the_last_plan() -> Result<()> {
    let ((executor, executor_drops), (logger, logger_drops)) = (Counter::new(), Counter::new());
    let drops = || (executor_drops.load(Ordering::Relaxed), logger_drops.load(Ordering::Relaxed));
    let executor = Executor::new(2, move |tasks| {
        executor.keep();
        tasks.work();
    });
    let log = move |_, _, _: &str| logger.keep();
    let runtime = Runtime::builder().executor(executor).logger(log).build()?;
    let image = shape("u8[3,4]");
    let plan = Relayout::new(&image, &image).runtime(&runtime).plan()?;
    let index_plan = Conversion::to_linear(&IndexMap::new(&image)?).runtime(&runtime).plan()?;
    let (again, copy) = (runtime.clone(), plan.clone());
    drop((runtime, again, plan));
    assert_eq!(copy.execute_to_vec(b"abcdefghijkl")?, b"abcdefghijkl");
    drop(copy);
    assert_eq!(drops(), (0, 0));
    std::thread::spawn(move || drop(index_plan)).join().unwrap(); // on whichever thread
    assert_eq!(drops(), (1, 1));
    Ok(())
}

#[test]
fn hooks_are_dropped_once_where_no_runtime_comes_of_it() {
    for threads in [2, 1_000_000, u32::MAX] {
        let ((executor, executor_drops), (logger, logger_drops)) = (Counter::new(), Counter::new());
        let executor = Executor::new(2, move |_| executor.keep());
        let log = move |_, _, _: &str| logger.keep();
        let failed = Runtime::builder().executor(executor).threads(threads).logger(log).build();
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::InvalidArgument);
        assert_eq!((executor_drops.load(Ordering::Relaxed), logger_drops.load(Ordering::Relaxed)), (1, 1));
    }
}

#[test]
fn an_executor_of_one_execution_stays_the_callers() -> Result<()> {
    let (counter, drops) = Counter::new();
    let executor = Executor::new(2, move |_| counter.keep());
    let image = shape("u8[3,4]");
    let plan = Plan::new(&image, &image)?;
    plan.execute_with(&executor, &[1; 12], &mut [0; 12])?;
    drop(plan);
    assert_eq!(drops.load(Ordering::Relaxed), 0);
    drop(executor);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    Ok(())
}

#[test]
fn what_a_backend_is_given_is_dropped_once() -> Result<()> {
    let open: sys::xlashape_backend_open = Some(rustic::xlashape_backend_open_rustic);
    let runtime = Runtime::builder().no_environment().build()?;
    let ((user, drops), (refused, refused_drops)) = (Counter::new(), Counter::new());
    // SAFETY: it keeps to the header.
    unsafe { runtime.add_backend("rustic", open, user, 0)? };
    // SAFETY: as above.
    let failed = unsafe { runtime.add_backend("rustic", open, refused, 0) }; // the name is taken
    assert_eq!(failed.unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!((drops.load(Ordering::Relaxed), refused_drops.load(Ordering::Relaxed)), (0, 1));
    let image = shape("u8[3,4]");
    let plan = Relayout::new(&image, &image).runtime(&runtime).backend("rustic").plan()?;
    drop(runtime);
    assert_eq!((plan.backend(), drops.load(Ordering::Relaxed)), ("rustic", 0));
    drop(plan);
    assert_eq!(drops.load(Ordering::Relaxed), 1);
    Ok(())
}

#[test]
fn devices_are_asked_for_by_number() -> Result<()> {
    let (from, to) = (shape("u8[3,4]"), shape("u8[3,4]{0,1}"));
    let map = IndexMap::new(&to)?;
    let runtime = Runtime::builder().no_environment().build()?;
    let scalar = runtime.backends()?.iter().position(|backend| backend.name == "scalar").unwrap();
    for error in [
        Relayout::new(&from, &to).backend("scalar").device(7).plan().unwrap_err(),
        Relayout::new(&from, &to).backend("scalar").device(7).run(&[0; 12], &mut [0; 12]).unwrap_err(),
        Conversion::to_linear(&map).backend("scalar").device(7).plan().unwrap_err(),
        runtime.device_text(scalar, 7).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
        assert!(error.message().contains("there is no device number 7: backend scalar has 0"), "{error}");
    }
    for error in [
        Relayout::new(&from, &to).device(u32::MAX).plan().unwrap_err(),
        Conversion::to_linear(&map).device(u32::MAX).plan().unwrap_err(),
        runtime.device_text(scalar, u32::MAX).unwrap_err(),
        runtime.device_text(99, 0).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::OutOfRange, "{error}");
    }
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
    let runtime = Runtime::builder().no_environment().build()?;
    // SAFETY: there is nothing to load.
    assert!(unsafe { runtime.load_backend(path) }.is_err());
    let info = runtime.backends()?.into_iter().find(|backend| backend.name == name).unwrap();
    assert_eq!((info.path.as_str(), info.state, info.memory_spaces.len()), (path, BackendState::Failed, 0));
    assert!(info.expect_ready().unwrap_err().message().ends_with(&info.detail), "{info:?}");

    let mut build_id = [b'b'; 901];
    build_id[900] = 0;
    // SAFETY: it keeps to the header.
    unsafe { runtime.add_backend("rustic", Some(open_wordy), build_id, 0)? };
    let info = runtime.backends()?.into_iter().find(|backend| backend.name == "rustic").unwrap();
    assert!(info.detail.contains(&"b".repeat(900)), "{info:?}");
    std::fs::remove_dir_all(folder.parent().and_then(|x| x.parent()).unwrap()).unwrap();
    Ok(())
}

#[test]
fn the_librarys_own_pool_does_the_same() -> Result<()> {
    let (from, to) = (shape("u8[1500,1000]"), shape("u8[1500,1000]{0,1}"));
    let src = numbers(from.byte_size()?);
    let runtime = Runtime::builder().threads(2).build()?;
    let plan = Relayout::new(&from, &to).runtime(&runtime).plan()?;
    assert!(plan.execute_to_vec(&src)? == Plan::new(&from, &to)?.execute_to_vec(&src)?);
    Ok(())
}

#[test]
fn one_plan_runs_on_many_threads() -> Result<()> {
    let (from, to) = (shape("f32[65,130]"), shape("f32[65,130]{0,1:T(8,128)}"));
    let (plan, src) = (Plan::new(&from, &to)?, numbers(from.byte_size()?));
    let want = plan.execute_to_vec(&src)?;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| assert!(plan.execute_to_vec(&src).unwrap() == want)));
        }
    });
    Ok(())
}

#[test]
fn batches_agree_with_single_calls() -> Result<()> {
    let map = IndexMap::new(&shape("f32[5,7]{0,1:T(2,4)}"))?;
    let linear: Vec<i64> = (0..map.storage_elements()).collect();
    let mut planar = vec![0; linear.len() * 2];
    let runtime = Runtime::new()?;
    let batch = map.batch().order(IndexOrder::Planar).runtime(&runtime).mark_bad(true);
    let bad = batch.indices(&linear, &mut planar)?;
    let mut padding = 0;
    for (i, &position) in linear.iter().enumerate() {
        let index = [planar[i], planar[linear.len() + i]];
        match map.index(position)? {
            Some(known) => assert_eq!((known.as_slice(), map.linear_index(&index)?), (&index[..], position)),
            None => {
                padding += 1;
                assert_eq!(index, [-1, -1]);
            }
        }
    }
    assert_eq!((bad, bad > 0), (padding, true));
    let mut back = vec![0; linear.len()];
    assert_eq!(batch.linear_indices(&planar, &mut back)?, bad);
    let error = map.indices(&linear, &mut planar).unwrap_err();
    assert_eq!(error.index(), linear.iter().position(|&position| map.index(position) == Ok(None)));
    Ok(())
}

#[test]
fn boxes_are_walked() -> Result<()> {
    let box_ = IndexBox::new([2, -1, 0], [3, 0, 5]);
    assert_eq!(box_.walk()?.next(), None); // a count of 0: empty
    assert_eq!(IndexBox::new([], []).iter::<0>()?.collect::<Vec<_>>(), [[]]); // one index of no numbers
    let all: Vec<[i64; 2]> = IndexBox::of(&shape("s8[2,3]{0,1}"))?.iter()?.collect();
    assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
    let stepped: Vec<[i64; 1]> = IndexBox::new([-3], [7]).step([3]).iter()?.collect();
    assert_eq!(stepped, [[-3], [0], [3]]);
    let mut index = [1, 2];
    assert!(!shape("s8[2,3]").next_index(&mut index) && index == [1, 2]);
    Ok(())
}

#[test]
fn runtimes_tell_about_backends() -> Result<()> {
    let runtime = Runtime::builder().no_environment().no_library_dir().no_install_dir().build()?;
    let names: Vec<_> = runtime.backends()?.into_iter().map(|backend| backend.name).collect();
    assert_eq!(names, ["scalar"]);
    assert!(runtime.report()?.contains("scalar"));
    let missing = Runtime::builder().backend_dir("/no/such/folder").backend_dir("/nor/this").build()?;
    assert!(missing.report()?.contains("/no/such/folder"));
    // SAFETY: there is nothing to load.
    assert!(unsafe { missing.load_backend("/no/such/backend.so") }.is_err());
    Ok(())
}

#[test]
fn a_backend_that_is_linked_in_does_the_work() -> Result<()> {
    let runtime = Runtime::builder().no_environment().build()?;
    // SAFETY: it keeps to the header.
    unsafe { runtime.add_backend("rustic", Some(rustic::xlashape_backend_open_rustic), (), -3)? };
    let (from, to) = (shape("bf16[9,130]"), shape("bf16[9,130]{1,0:T(8,128)(2,1)}"));
    let plan = Relayout::new(&from, &to).runtime(&runtime).backend("rustic").plan()?;
    assert_eq!(plan.backend(), "rustic");
    let src = numbers(from.byte_size()?);
    assert_eq!(plan.execute_to_vec(&src)?, by_index_maps(&from, &src, &to)?);
    let info = runtime.backends()?.into_iter().find(|backend| backend.name == "rustic").unwrap();
    assert_eq!((info.memory_spaces.as_slice(), info.path.as_str(), info.priority), (&[MemorySpace::CPU][..], "", -3));
    info.expect_ready()
}
