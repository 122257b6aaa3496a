// SPDX-License-Identifier: Apache-2.0
//! Runtimes: the backends, and the hooks of the program that embeds the library.

use crate::error::{fail, ErrorKind};
use crate::ffi::call::{device, number};
use crate::ffi::calls;
use crate::ffi::handle::Handle;
use crate::ffi::runtime::{self, Options};
use crate::{Executor, Result};
use std::fmt;
use std::time::Duration;
use xlashape_sys as sys;

/// The backends and hooks of a program. Plans keep alive the runtime they were made with; cloning counts a reference.
/// Everything that takes no runtime uses the library's default one.
///
/// ```
/// use xlashape::Runtime;
///
/// let runtime = Runtime::builder().no_environment().build()?;
/// assert!(runtime.backends()?.iter().any(|backend| backend.name == "scalar"));
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct Runtime(pub(crate) Handle<sys::xlashape_runtime>);

impl Runtime {
    /// A runtime with everything at its default.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// A builder of runtimes.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder(Options::default())
    }

    /// Every place that was searched for backends, what was there, and why it is or is not in use: one line each.
    pub fn report(&self) -> Result<String> {
        calls::xlashape_runtime_report(Some(&self.0))
    }

    /// The backends found, ready or not, by ordinal.
    pub fn backends(&self) -> Result<Vec<BackendInfo>> {
        let count = calls::xlashape_runtime_backend_count(Some(&self.0));
        (0..count).map(|ordinal| BackendInfo::new(self, ordinal)).collect()
    }

    /// One line about a device of a backend: name, capability. `backend` is an ordinal, devices are numbered from 0.
    ///
    /// # Errors
    /// `OutOfRange` for a backend or a device that does not exist, `Unsupported` for a backend that is not in use.
    pub fn device_text(&self, backend: usize, device: u32) -> Result<String> {
        let ordinal = number(ErrorKind::OutOfRange, "backend", backend)?;
        calls::xlashape_runtime_device_text(Some(&self.0), ordinal, self::device(Some(device))?)
    }

    /// Measures the machine for about that long (10 s is a good time), on the runtime's executor, and gives a profile
    /// of its processor: a text for [`RuntimeBuilder::profile`], or for the file at
    /// [`profile_path`](Self::profile_path), which later runtimes read. This runtime does not change. Other work on the
    /// machine falsifies it. `progress` hears now and then how much is done, on this thread, and says whether to go on.
    ///
    /// # Errors
    /// `Unsupported` where no backend measures anything; `Cancelled` when `progress` said so, or when it or the
    /// executor panicked; `NoMemory`.
    pub fn calibrate(&self, budget: Duration, mut progress: impl FnMut(usize, usize) -> bool) -> Result<String> {
        runtime::calibrate(&self.0, budget, &mut progress)
    }

    /// The file where the runtime looked for its profile, or would have without one; empty where it looks for none.
    pub fn profile_path(&self) -> Result<String> {
        calls::xlashape_runtime_profile_path(Some(&self.0))
    }

    /// What [`Relayout::measured_plan`](crate::Relayout::measured_plan) found to be fastest, as a text that can be
    /// stored.
    ///
    /// ```
    /// use std::time::Duration;
    /// use xlashape::{Relayout, Runtime, Shape};
    ///
    /// let (rows, columns): (Shape, Shape) = ("f32[64,96]{1,0}".parse()?, "f32[64,96]{0,1}".parse()?);
    /// let runtime = Runtime::new()?;
    /// let plan = Relayout::new(&rows, &columns).runtime(&runtime).measured_plan(Duration::from_millis(1))?;
    /// let wisdom = runtime.wisdom()?;
    ///
    /// let later = Runtime::new()?; // of another process, on such a machine
    /// later.import_wisdom(&wisdom)?;
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    pub fn wisdom(&self) -> Result<String> {
        calls::xlashape_runtime_export_wisdom(Some(&self.0))
    }

    /// Adds what an earlier [`wisdom`](Self::wisdom) gave, and gives how many entries were taken: none of another
    /// processor.
    ///
    /// # Errors
    /// `Parse` for another text, `OutOfRange` for too many entries: nothing is taken. `NoMemory`.
    pub fn import_wisdom(&self, text: &str) -> Result<usize> {
        calls::xlashape_runtime_import_wisdom(Some(&self.0), text).map(|taken| taken as usize)
    }

    /// Removes all of it. Plans that were made stay as they are.
    pub fn forget_wisdom(&self) {
        calls::xlashape_runtime_forget_wisdom(Some(&self.0));
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Runtime ")?;
        match self.backends() {
            Ok(backends) => f.debug_list().entries(backends.iter().map(|one| (&one.name, one.state))).finish(),
            Err(error) => fmt::Debug::fmt(&error, f),
        }
    }
}

/// A builder of runtimes: [`Runtime::builder`]. Hooks never change afterwards; they are dropped after the runtime
/// and all plans made with it, on the thread that dropped the last of them.
pub struct RuntimeBuilder(Options);

impl RuntimeBuilder {
    setters! {
        /// A folder that is searched for backends before all other places; no `:` in its name. Their code runs in this
        /// process, so it must be as trusted as the library itself.
        backend_dir(this, folder: &str) => this.0.backend_dirs.push(folder.to_owned());

        /// Reads no environment variable.
        no_environment(this) => this.0.flags |= sys::XLASHAPE_RUNTIME_NO_ENVIRONMENT;

        /// Does not search for backends next to the library.
        no_library_dir(this) => this.0.flags |= sys::XLASHAPE_RUNTIME_NO_LIBRARY_DIR;

        /// Does not search for backends in the folder chosen when the library was built.
        no_install_dir(this) => this.0.flags |= sys::XLASHAPE_RUNTIME_NO_INSTALL_DIR;

        /// Loads all backends at once, for example before a sandbox closes, not when a plan needs them.
        load_now(this) => this.0.flags |= sys::XLASHAPE_RUNTIME_LOAD_NOW;

        /// Runs the tasks of relayouts and large batches.
        executor(this, executor: Executor) => this.0.executor = Some(executor);

        /// Runs them on a pool of the library with that many threads, or as many as the system allows
        /// ([`Runtime::report`] says so); 1: the calling thread; 0: as `XLASHAPE_THREADS` says, else 1.
        threads(this, threads: u32) => this.0.threads = threads.into();

        /// The same with as many threads as there are processors that this process may use, by its affinity and its
        /// quota.
        all_threads(this) => this.0.threads = sys::XLASHAPE_THREADS_ALL.into();

        /// Checks this many random positions of each execution against the index maps of both shapes; 0: as
        /// `XLASHAPE_VERIFY` says, else none. An error is [`ErrorKind::Internal`](crate::ErrorKind::Internal), and the
        /// message says where it is.
        /// Only executions of all tasks on memory of the CPU are checked.
        verify_count(this, positions: u64) => this.0.verify_count = positions;

        /// The backend of plans that name none, with the syntax of the environment variable `XLASHAPE_BACKEND`, over
        /// which it takes precedence: `simd` is required, `simd,*` is preferred.
        backend(this, name: &str) => this.0.backend = Some(name.to_owned());

        /// A backend that is never used, even if it is requested. May be called several times.
        deny_backend(this, name: &str) => this.0.denied_backends.push(name.to_owned());

        /// Processor features above this level are not used. The levels are those of `XLASHAPE_CPU`, over which this
        /// takes precedence.
        cpu(this, level: &str) => this.0.cpu = Some(level.to_owned());

        /// An option of a backend: `("cuda.kernels", "portable")` for the backend `cuda`. May be called several times.
        /// It takes precedence over the same option in `XLASHAPE_BACKEND_OPTIONS`.
        backend_option(this, name_and_key: &str, value: &str) => {
            this.0.backend_options.push((name_and_key.to_owned(), value.to_owned()));
        };

        /// What [`Runtime::calibrate`] gave on this processor; one of another is not used, and [`Runtime::report`] says
        /// so. Empty: none. Else it is the file that `XLASHAPE_PROFILE` names, or the user's, where there is one.
        profile(this, text: &str) => this.0.profile = Some(text.to_owned());

        /// Called with each log message of the library and its backends, as a printable line. A panic in it is caught.
        ///
        /// For a line that a backend logs while it is opened, the logger must not wait for another thread that plans on
        /// the same runtime, since planning waits for that backend. The library logs its own lines about a backend
        /// after that, when planning works.
        logger(this, log: impl Fn(LogLevel, Option<usize>, &str) + Send + Sync + 'static) => {
            let by_level = move |level, backend, text: &str| log(LogLevel::from_number(level), backend, text);
            this.0.logger = Some(Box::new(by_level));
        };
    }

    /// The runtime.
    ///
    /// # Errors
    /// `InvalidArgument` for folders, hooks, numbers of threads and positions, levels, profiles and options of backends
    /// that cannot be, and for an executor and threads at once; `NoMemory`.
    pub fn build(self) -> Result<Runtime> {
        runtime::create(self.0).map(Runtime)
    }
}

impl fmt::Debug for RuntimeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("RuntimeBuilder");
        out.field("backend_dirs", &self.0.backend_dirs).field("threads", &self.0.threads).finish_non_exhaustive()
    }
}

/// How much a line of the log matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// Something failed.
    Error,
    /// Something is not as it should be.
    Warning,
    /// Good to know.
    Info,
    /// For debugging.
    Debug,
}

impl LogLevel {
    fn from_number(level: i32) -> Self {
        match level {
            sys::XLASHAPE_LOG_ERROR => Self::Error,
            sys::XLASHAPE_LOG_WARNING => Self::Warning,
            sys::XLASHAPE_LOG_INFO => Self::Info,
            _ => Self::Debug,
        }
    }
}

/// A backend as the runtime sees it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BackendInfo {
    /// Its name.
    pub name: String,
    /// Whether it is in use.
    pub state: BackendState,
    /// Where it is; empty for one that is linked in.
    pub path: String,
    /// Build and targets when ready; stage and reason when failed.
    pub detail: String,
    /// Weight in selection.
    pub priority: i32,
    /// The memory spaces that it works in; none unless ready.
    pub memory_spaces: Vec<MemorySpace>,
    /// Devices it sees; 0 for what only works on the CPU; None: not known yet.
    pub device_count: Option<u32>,
    /// Of the plugin ABI it speaks; 0 unless ready.
    pub abi_version: u32,
}

impl BackendInfo {
    fn new(runtime: &Runtime, ordinal: i64) -> Result<Self> {
        let raw = calls::xlashape_runtime_backend_info(Some(&runtime.0), ordinal)?;
        let text = |which| calls::xlashape_runtime_backend_text(Some(&runtime.0), ordinal, which);
        Ok(Self {
            name: text(sys::XLASHAPE_BACKEND_TEXT_NAME)?,
            state: match raw.state {
                sys::XLASHAPE_BACKEND_STATE_READY => BackendState::Ready,
                sys::XLASHAPE_BACKEND_STATE_FAILED => BackendState::Failed,
                sys::XLASHAPE_BACKEND_STATE_LOADING => BackendState::Loading,
                _ => BackendState::NotLoaded,
            },
            path: text(sys::XLASHAPE_BACKEND_TEXT_PATH)?,
            detail: text(sys::XLASHAPE_BACKEND_TEXT_DETAIL)?,
            priority: raw.priority,
            memory_spaces: (0..64).filter(|space| raw.memory_spaces >> space & 1 != 0).map(MemorySpace).collect(),
            device_count: u32::try_from(raw.device_count).ok(),
            abi_version: raw.abi_version,
        })
    }

    /// An error for a backend that failed.
    ///
    /// # Errors
    /// `NotFound` with the known reason.
    pub fn expect_ready(&self) -> Result<()> {
        if self.state != BackendState::Failed {
            return Ok(());
        }
        fail(ErrorKind::NotFound, format!("the backend {} failed: {}", self.name, self.detail))
    }
}

/// Whether a backend is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackendState {
    /// Found; nothing has needed it yet.
    NotLoaded,
    /// Being loaded.
    Loading,
    /// In use.
    Ready,
    /// Cannot be used: see [`BackendInfo::detail`].
    Failed,
}

/// Where memory is: DLPack's device types, and from 32 to 63 whatever the backends of the program call their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemorySpace(sys::xlashape_memory_space);

impl MemorySpace {
    // members: SPACE_(\w+) as pub const {NAME}: Self = Self(sys::{C});
    /// The host's memory.
    pub const CPU: Self = Self(sys::XLASHAPE_SPACE_CPU);
    /// CUDA devices.
    pub const CUDA: Self = Self(sys::XLASHAPE_SPACE_CUDA);
    /// Host memory that is pinned for CUDA.
    pub const CUDA_HOST: Self = Self(sys::XLASHAPE_SPACE_CUDA_HOST);
    /// OpenCL devices.
    pub const OPENCL: Self = Self(sys::XLASHAPE_SPACE_OPENCL);
    /// CUDA's managed memory.
    pub const CUDA_MANAGED: Self = Self(sys::XLASHAPE_SPACE_CUDA_MANAGED);
    // end of members

    /// The space of that number.
    pub const fn new(number: i32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn number(self) -> i32 {
        self.0
    }
}
