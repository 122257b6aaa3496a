//! Runtimes with hooks written in Rust. The library has no way to say that a hook is done with, so the hooks live beside the
//! handle, and everything that keeps the library's runtime alive (plans) keeps `Owned` alive.

use super::call::{check, number};
use super::executor::{discard, Executor};
use super::handle::Handle;
use crate::error::{Error, ErrorKind};
use crate::Result;
use std::ffi::{c_void, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use xlashape_sys as sys;

/// A logger: level (`XLASHAPE_LOG_*`), backend, text.
pub(crate) type Log = dyn Fn(i32, Option<usize>, &str) + Send + Sync;

#[derive(Default)]
pub(crate) struct Options {
    pub flags: u32,
    pub backend_dirs: Vec<String>,
    pub executor: Option<Executor>,
    pub logger: Option<Box<Log>>,
    pub threads: u32,
    pub verify_positions: u64,
}

pub(crate) struct Owned {
    pub handle: Handle<sys::xlashape_runtime>, // first: dropped before the hooks
    _executor: Option<Box<Executor>>,
    _logger: Option<Box<Box<Log>>>,
}

impl Owned {
    pub(crate) fn create(options: Options) -> Result<Self> {
        // The library gets all of them as one text, so that it would cut these in two.
        if let Some(folder) = options.backend_dirs.iter().find(|folder| folder.contains(&[':', '\0'][..])) {
            let message = format!("the folder of backends {folder:?} has ':' or NUL in its name");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let dirs = CString::new(options.backend_dirs.join(":")).unwrap_or_default();
        let executor = options.executor.map(Box::new); // boxed: the library keeps their addresses
        let logger = options.logger.map(Box::new);
        let raw_executor = executor.as_ref().map(|executor| executor.raw());
        let raw_logger = logger.as_ref().map(|logger| sys::xlashape_logger {
            opaque: (&**logger as *const Box<Log> as *mut Box<Log>).cast(),
            log: Some(log),
            ..sys::xlashape_logger::new()
        });
        let raw = sys::xlashape_runtime_options {
            flags: options.flags,
            backend_dirs: if dirs.as_bytes().is_empty() { std::ptr::null() } else { dirs.as_ptr() },
            executor: raw_executor.as_ref().map_or(std::ptr::null(), |hook| hook),
            logger: raw_logger.as_ref().map_or(std::ptr::null(), |hook| hook),
            threads: number(ErrorKind::InvalidArgument, "threads", options.threads)?,
            verify_positions: number(ErrorKind::InvalidArgument, "verify_positions", options.verify_positions)?,
            ..sys::xlashape_runtime_options::new()
        };
        let mut runtime = std::ptr::null_mut();
        check(|err| unsafe { sys::xlashape_runtime_create(&raw, &mut runtime, err) })?;
        Ok(Self { handle: unsafe { Handle::owned(runtime) }, _executor: executor, _logger: logger })
    }
}

unsafe extern "C" fn log(opaque: *mut c_void, level: i32, source: u32, text: *const sys::c_char, text_len: usize) {
    // SAFETY: `opaque` is what `create` put there, and lives as long as the runtime.
    let logger = &*opaque.cast::<Box<Log>>();
    let bytes = if text.is_null() { &[][..] } else { std::slice::from_raw_parts(text.cast::<u8>(), text_len) };
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
        check(|err| sys::xlashape_runtime_load_backend(self.raw(), path.as_ptr().cast(), path.len(), err))
    }

    /// Adds a backend that is linked into the program.
    ///
    /// # Errors
    /// What `open` gave back, or what the smoke test got wrong.
    ///
    /// # Safety
    /// `open` keeps to `xlashape_backend.h`, which the crate `xlashape-backend-sys` declares.
    pub unsafe fn add_backend(&self, name: &str, open: sys::xlashape_backend_open) -> Result<()> {
        check(|err| sys::xlashape_runtime_add_backend(self.raw(), name.as_ptr().cast(), name.len(), open, err))
    }
}
