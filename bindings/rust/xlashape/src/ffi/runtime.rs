//! Runtimes with hooks and backends written in Rust. The library owns what it is given in a box, and gives it back by
//! `release`; where a call fails, it has taken nothing.

use super::call::{check, number};
use super::executor::{discard, Executor};
use super::handle::Handle;
use crate::error::{Error, ErrorKind};
use crate::Result;
use std::ffi::{c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use xlashape_sys as sys;

/// A logger: level (`XLASHAPE_LOG_*`), backend, text.
pub(crate) type Log = Box<dyn Fn(i32, Option<usize>, &str) + Send + Sync>;

#[derive(Default)]
pub(crate) struct Options {
    pub flags: u32,
    pub backend_dirs: Vec<String>,
    pub executor: Option<Executor>,
    pub logger: Option<Log>,
    pub threads: u32,
    pub verify_positions: u64,
}

pub(crate) fn create(options: Options) -> Result<Handle<sys::xlashape_runtime>> {
    // The library gets all of them as one text, so that it would cut these in two.
    if let Some(folder) = options.backend_dirs.iter().find(|folder| folder.contains(&[':', '\0'][..])) {
        let message = format!("the folder of backends {folder:?} has ':' or NUL in its name");
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    let dirs = CString::new(options.backend_dirs.join(":")).unwrap_or_default();
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
        verify_positions: number(ErrorKind::InvalidArgument, "verify_positions", options.verify_positions)?,
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
    // A panic must not cross the C ABI, and there is nobody to tell: the panic hook has spoken.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| logger(level, backend, &line))) {
        discard(panic);
    }
}

impl crate::Runtime {
    /// Loads the backend in the shared object (or manifest) at `path`. It is never unloaded.
    ///
    /// # Errors
    /// What the file lacks, or what its smoke test got wrong. A failed backend leaves the others as they are.
    ///
    /// # Safety
    /// Code of the shared object runs in this process: it must keep to `xlashape_backend.h`.
    pub unsafe fn load_backend(&self, path: &str) -> Result<()> {
        check(|err| sys::xlashape_runtime_load_backend(self.raw(), path.as_ptr().cast(), path.len() as i64, err))
    }

    /// Adds a backend that is linked into the program. Of those that do an operation equally well, the one with the larger
    /// `priority` goes first; 0 for most. `user` is for the backend, which finds its address as `host.user`; it is dropped
    /// when the runtime is gone, or at once where this fails.
    ///
    /// # Errors
    /// What `open` gave back, or what the smoke test got wrong.
    ///
    /// # Safety
    /// `open` keeps to `xlashape_backend.h`, which the crate `xlashape-backend-sys` declares.
    pub unsafe fn add_backend<U: Send + Sync + 'static>(
        &self,
        name: &str,
        open: sys::xlashape_backend_open,
        user: U,
        priority: i32,
    ) -> Result<()> {
        let user = Lent::new(user);
        check(|err| {
            let (name, len, lent) = (name.as_ptr().cast(), name.len() as i64, user.0.cast());
            sys::xlashape_runtime_add_backend(self.raw(), name, len, open, lent, Some(release::<U>), priority, err)
        })?;
        std::mem::forget(user); // the library's now
        Ok(())
    }
}
