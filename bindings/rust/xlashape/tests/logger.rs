//! What a backend says arrives at the logger, and a logger's panic stays there. The backend here talks and refuses to open.

use std::sync::{Arc, Mutex};
use xlashape::sys::{
    xlashape_backend, xlashape_error, xlashape_host, xlashape_status, XLASHAPE_LOG_WARNING, XLASHAPE_STATUS_UNSUPPORTED,
};
use xlashape::{LogLevel, Plan, Relayout, Runtime, Shape};

const WORDS: &str = "one of two\u{2026}";

unsafe extern "C" fn open_talker(
    host: *const xlashape_host,
    _backend: *mut xlashape_backend,
    _err: *mut xlashape_error,
) -> xlashape_status {
    let host = &*host;
    if let Some(log) = host.log {
        log(host.opaque, XLASHAPE_LOG_WARNING, host.source, WORDS.as_ptr().cast(), WORDS.len() as i64);
        log(host.opaque, 77, 0, std::ptr::null(), 0);
    }
    XLASHAPE_STATUS_UNSUPPORTED
}

fn add_talker(runtime: &Runtime) {
    // SAFETY: it keeps to the header: it may refuse.
    unsafe { runtime.add_backend("talker", Some(open_talker), (), 0) }.unwrap_err();
}

#[test]
fn lines_arrive() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&heard);
    let log = move |level, backend, text: &str| lines.lock().unwrap().push((level, backend, text.to_owned()));
    let runtime = Runtime::builder().no_environment().logger(log).build().unwrap();
    add_talker(&runtime);
    let ordinal = runtime.backends().unwrap().iter().position(|backend| backend.name == "talker");
    let heard = heard.lock().unwrap();
    assert!(heard.contains(&(LogLevel::Warning, ordinal, WORDS.to_owned())), "{heard:?}");
    assert!(heard.contains(&(LogLevel::Debug, ordinal, String::new())), "{heard:?}");
}

#[test]
fn a_panic_ends_in_the_logger() {
    let runtime = Runtime::builder().no_environment().logger(|_, _, _| panic!("no words")).build().unwrap();
    add_talker(&runtime);
    let shape: Shape = "f32[8,8]".parse().unwrap();
    assert!(Plan::new(&shape, &shape).unwrap().execute_to_vec(&[3; 256]).is_ok());
    assert!(runtime.report().unwrap().contains("talker"));
}

#[test]
fn executions_are_verified() {
    let runtime = Runtime::builder().no_environment().verify_positions(64).build().unwrap();
    let (from, to) = ("u8[2,3]".parse::<Shape>().unwrap(), "u8[2,3]{0,1}".parse::<Shape>().unwrap());
    let plan = Relayout::new(&from, &to).runtime(&runtime).plan().unwrap();
    let mut out = [0; 6];
    plan.execute(&[1, 2, 3, 4, 5, 6], &mut out).unwrap();
    assert_eq!(out, [1, 4, 2, 5, 3, 6]);
    let report = runtime.report().unwrap();
    assert!(report.contains("verification: 64 positions of each execution; 1 executions verified"), "{report}");
}
