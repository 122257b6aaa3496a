// SPDX-License-Identifier: Apache-2.0
//! Runtimes with hooks and backends written in Rust. The library owns what it is given in a box, and gives it back by
//! `release`; where a call fails, it has taken nothing.

use super::call::{check, nanoseconds, number};
use super::executor::{discard, Executor};
use super::handle::Handle;
use super::watch::{self, Watch};
use crate::error::{fail, Error, ErrorKind};
use crate::Result;
use std::cell::RefCell;
use std::ffi::{c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use xlashape_sys as sys;

/// A logger: level (`XLASHAPE_LOG_*`), backend, text.
pub(crate) type Log = Box<dyn Fn(i32, Option<usize>, &str) + Send + Sync>;

#[derive(Default)]
pub(crate) struct Options {
    pub flags: u32,
    pub backend_dirs: Vec<String>,
    pub executor: Option<Executor>,
    pub logger: Option<Log>,
    pub threads: i64,
    pub verify_count: u64,
    pub backend: Option<String>,
    pub denied_backends: Vec<String>,
    pub cpu: Option<String>,
    pub backend_options: Vec<(String, String)>,
    pub profile: Option<String>,
}

/// A text as C takes it.
fn text(name: &str, text: String, unfit: &[char]) -> Result<CString> {
    match text.chars().find(|c| unfit.contains(c)) {
        None => CString::new(text).map_err(|error| {
            let text = String::from_utf8_lossy(&error.into_vec()).into_owned();
            Error::new(ErrorKind::InvalidArgument, format!("{name} {text:?} has NUL in it"))
        }),
        Some(c) => fail(ErrorKind::InvalidArgument, format!("{name} {text:?} has {c:?} in it")),
    }
}

/// Texts as one, which C takes apart at the separator; none of them may have it in itself.
fn joined(parts: Vec<CString>, separator: u8) -> CString {
    let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
    CString::new(parts.join(&separator)).unwrap_or_default() // there is no NUL in any of them
}

fn optional_text(text: &Option<CString>) -> *const sys::c_char {
    text.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

pub(crate) fn create(options: Options) -> Result<Handle<sys::xlashape_runtime>> {
    let texts = |name, list: Vec<String>, unfit: &[char]| -> Result<Vec<CString>> {
        list.into_iter().map(|each| text(name, each, unfit)).collect()
    };
    let dirs = joined(texts("the folder of backends", options.backend_dirs, &[':'])?, b':');
    let denied = joined(texts("the denied backend", options.denied_backends, &[','])?, b',');
    let backend = options.backend.map(|name| text("the backend", name, &[])).transpose()?;
    let cpu = options.cpu.map(|level| text("the processor's level", level, &[])).transpose()?;
    let profile = options.profile.map(|profile| text("the profile", profile, &[])).transpose()?;
    let option = |(key, value): (String, String)| -> Result<CString> {
        let key = text("the backend's option", key, &['=', ';'])?;
        Ok(joined(vec![key, text("the value of a backend's option", value, &[';'])?], b'='))
    };
    let backend_options = joined(options.backend_options.into_iter().map(option).collect::<Result<_>>()?, b';');
    let executor = options.executor.map(|executor| {
        let raw = executor.raw();
        let lent = Lent::new(executor);
        let raw = sys::xlashape_executor { opaque: lent.0.cast(), release: Some(release::<Executor>), ..raw };
        (lent, raw)
    });
    let logger = options.logger.map(|logger| {
        let lent = Lent::new(logger);
        let raw = sys::xlashape_logger {
            opaque: lent.0.cast(),
            log: Some(log),
            release: Some(release::<Log>),
            ..sys::xlashape_logger::new()
        };
        (lent, raw)
    });
    let raw = sys::xlashape_runtime_options {
        flags: options.flags,
        backend_dirs: if dirs.as_bytes().is_empty() { std::ptr::null() } else { dirs.as_ptr() },
        executor: executor.as_ref().map_or(std::ptr::null(), |(_, raw)| raw),
        logger: logger.as_ref().map_or(std::ptr::null(), |(_, raw)| raw),
        threads: number(ErrorKind::InvalidArgument, "threads", options.threads)?,
        verify_count: number(ErrorKind::InvalidArgument, "verify_count", options.verify_count)?,
        backend: optional_text(&backend),
        denied_backends: denied.as_ptr(),
        cpu: optional_text(&cpu),
        backend_options: backend_options.as_ptr(),
        profile: optional_text(&profile),
        ..sys::xlashape_runtime_options::new()
    };
    let mut runtime = std::ptr::null_mut();
    check(|err| unsafe { sys::xlashape_runtime_create(&raw, &mut runtime, err) })?;
    std::mem::forget((executor, logger)); // the library's now
    Ok(unsafe { Handle::owned(runtime) })
}

/// A value in a box that the library is about to take. Where it has, this must be forgotten.
struct Lent<T>(*mut T);

impl<T> Lent<T> {
    fn new(value: T) -> Self {
        Self(Box::into_raw(Box::new(value)))
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        // SAFETY: made by `new`, and the library has not taken it.
        unsafe { release::<T>(self.0.cast()) };
    }
}

/// Drops what a `Lent` held. A panic in that must not cross the C ABI.
unsafe extern "C" fn release<T>(value: *mut c_void) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(value.cast::<T>())))) {
        discard(panic);
    }
}

unsafe extern "C" fn log(opaque: *mut c_void, level: i32, source: u32, text: *const sys::c_char, text_len: i64) {
    // SAFETY: `opaque` is what `create` put there, and lives until `release`.
    let logger = &*opaque.cast::<Log>();
    let bytes = if text.is_null() { &[][..] } else { std::slice::from_raw_parts(text.cast(), text_len as usize) };
    let backend = source.checked_sub(1).map(|ordinal| ordinal as usize);
    let line = String::from_utf8_lossy(bytes);
    // A panic must not cross the C ABI, and it cannot be returned: the panic hook has printed it.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| logger(level, backend, &line))) {
        discard(panic);
    }
}

/// What only the calling thread uses, although it goes through a type that all might.
struct OneThread<T>(T);

// SAFETY: the library calls the progress of a calibration on the thread that calibrates, and on no other.
unsafe impl<T> Send for OneThread<T> {}
unsafe impl<T> Sync for OneThread<T> {}

impl<T> OneThread<T> {
    fn get(&self) -> &T {
        &self.0
    }
}

pub(crate) fn calibrate(
    runtime: &Handle<sys::xlashape_runtime>,
    budget: Duration,
    hear: &mut dyn FnMut(usize, usize) -> bool,
) -> Result<String> {
    let (stop, hear) = (AtomicBool::new(false), OneThread(RefCell::new(hear)));
    let progress = |done, count| {
        // After a panic it is asked no more.
        if !stop.swap(true, Ordering::Relaxed) && (hear.get().borrow_mut())(done, count) {
            stop.store(false, Ordering::Relaxed);
        }
    };
    let watch = Watch::new(Some(&stop), Some(Box::new(progress)));
    let options = sys::xlashape_calibrate_options {
        budget_ns: nanoseconds("budget", budget)?.max(1), // C takes 0 for its default
        progress: Some(watch::progress),
        progress_opaque: watch.opaque(),
        cancel: watch.flag(),
        ..sys::xlashape_calibrate_options::new()
    };
    let (mut text, mut needed) = (vec![0u8; sys::XLASHAPE_PROFILE_BYTES as usize], 0);
    // SAFETY: the options and what they point to outlive the call.
    let result = check(|err| unsafe {
        let (out, capacity) = (text.as_mut_ptr().cast(), text.len() as i64);
        sys::xlashape_runtime_calibrate(runtime.get(), &options, out, capacity, &mut needed, err)
    });
    watch.end(result)?;
    text.truncate(needed.saturating_sub(1) as usize);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl crate::Runtime {
    /// Makes this the default runtime, for the rest of the process: the one that everything uses that is given none.
    ///
    /// ```
    /// xlashape::Runtime::builder().all_threads().build()?.set_default()?;
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Busy` where there is one, as it was set before, or something needed one.
    pub fn set_default(&self) -> Result<()> {
        check(|err| unsafe { sys::xlashape_runtime_set_default(self.0.get(), err) })
    }

    /// Loads the backend in the shared object (or manifest) at `path`. It is never unloaded.
    ///
    /// # Errors
    /// What the file lacks, or what its smoke test got wrong. A failed backend leaves the others as they are.
    ///
    /// # Safety
    /// Code of the shared object runs in this process: it must keep to `xlashape_backend.h`.
    pub unsafe fn load_backend(&self, path: &str) -> Result<()> {
        check(|err| sys::xlashape_runtime_load_backend(self.0.get(), path.as_ptr().cast(), path.len() as i64, err))
    }

    /// Adds a backend that is linked into the program. Of those that do an operation equally well, the one with the
    /// larger `priority` goes first; 0 for most. `user` is for the backend, which finds its address as `host.user`; it
    /// is dropped when the runtime is gone, or at once where this fails.
    ///
    /// # Errors
    /// What `open` gave back, or what the smoke test got wrong.
    ///
    /// # Safety
    /// `open` keeps to `xlashape_backend.h`, which the crate `xlashape-backend-sys` declares.
    pub unsafe fn add_backend<U: Send + Sync + 'static>(
        &self,
        name: &str,
        open: sys::xlashape_backend_open_fn,
        user: U,
        priority: i32,
    ) -> Result<()> {
        let user = Lent::new(user);
        check(|err| {
            let (name, len, lent) = (name.as_ptr().cast(), name.len() as i64, user.0.cast());
            sys::xlashape_runtime_add_backend(self.0.get(), name, len, open, lent, Some(release::<U>), priority, err)
        })?;
        std::mem::forget(user); // the library's now
        Ok(())
    }
}
