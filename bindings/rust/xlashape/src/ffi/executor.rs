// SPDX-License-Identifier: Apache-2.0
//! A closure as the library's executor. The closure cannot break the executor's contract: tasks are handed out once
//! each, workers are numbered here, what is left over is run by the calling thread, and a panic stops at this boundary.

use crate::error::{Error, ErrorKind};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use xlashape_sys as sys;

/// Runs the tasks of a relayout on threads of yours.
///
/// The closure is called on the thread that executes, and calls [`Tasks::work`] from as many threads as it likes. If it
/// panics, the relayout ends with [`ErrorKind::Cancelled`] and the panic's text, and the destination is partly written.
///
/// ```
/// use xlashape::{Executor, Plan};
///
/// let threads = 2;
/// let executor = Executor::new(threads, |tasks| {
///     std::thread::scope(|scope| {
///         for _ in 0..tasks.workers() {
///             scope.spawn(|| tasks.work());
///         }
///     });
/// });
/// let plan = Plan::new(&"u8[64,64]{1,0}".parse()?, &"u8[64,64]{0,1}".parse()?)?;
/// let (src, mut dst) = (vec![7; 4096], vec![0; 4096]);
/// plan.execute_with(&executor, &src, &mut dst)?;
/// assert_eq!(src, dst);
/// # Ok::<(), xlashape::Error>(())
/// ```
///
/// The tasks cannot leave the closure:
///
/// ```compile_fail,E0521
/// xlashape::Executor::new(2, |tasks| drop(std::thread::spawn(move || tasks.work())));
/// ```
pub struct Executor {
    max_workers: u32,
    run: Box<dyn Fn(&Tasks<'_>) + Send + Sync>,
}

impl Executor {
    /// An executor with up to `max_workers` workers at once; 0 counts as 1.
    pub fn new(max_workers: u32, run: impl Fn(&Tasks<'_>) + Send + Sync + 'static) -> Self {
        Self { max_workers: max_workers.max(1), run: Box::new(run) }
    }

    /// The C struct. It points at this executor, which must stay where it is as long as that is used.
    pub(crate) fn raw(&self) -> sys::xlashape_executor {
        sys::xlashape_executor {
            max_workers: self.max_workers,
            opaque: (self as *const Self as *mut Self).cast(),
            parallel_for: Some(parallel_for),
            ..sys::xlashape_executor::new()
        }
    }
}

impl fmt::Debug for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executor").field("max_workers", &self.max_workers).finish_non_exhaustive()
    }
}

/// The tasks of one relayout, while its executor runs.
pub struct Tasks<'a> {
    count: i64,
    next: AtomicI64,
    workers: u32,
    next_worker: AtomicU32,
    opaque: *mut c_void,
    task: unsafe extern "C" fn(*mut c_void, i64, u32),
    during: PhantomData<&'a ()>,
}

// SAFETY: the library's tasks may run on any threads at once; each is handed out once.
unsafe impl Sync for Tasks<'_> {}

impl Tasks<'_> {
    /// How many tasks there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many threads may usefully call [`work`](Self::work).
    pub fn workers(&self) -> usize {
        i64::from(self.workers).min(self.count) as usize
    }

    /// Runs tasks until none is left. Calls beyond the executor's `max_workers` return at once.
    pub fn work(&self) {
        let worker =
            self.next_worker.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < self.workers).then(|| n + 1));
        if let Ok(worker) = worker {
            self.run(worker);
        }
    }

    fn run(&self, worker: u32) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                return;
            }
            // SAFETY: the library waits in parallel_for; this index is run nowhere else, and this worker is one thread.
            unsafe { (self.task)(self.opaque, index, worker) };
        }
    }
}

impl fmt::Debug for Tasks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").field("len", &self.len()).field("workers", &self.workers()).finish_non_exhaustive()
    }
}

thread_local! {
    // parallel_for runs on the thread that called the library: there its panic waits for the call to return.
    static PANIC: RefCell<Option<Box<dyn Any + Send>>> = RefCell::new(None);
}

unsafe extern "C" fn parallel_for(
    opaque: *mut c_void,
    count: i64,
    task_opaque: *mut c_void,
    task: Option<unsafe extern "C" fn(*mut c_void, i64, u32)>,
) -> i32 {
    let task = match task {
        Some(task) => task,
        None => return 1,
    };
    // SAFETY: `opaque` is what `Executor::raw` put there, and that executor outlives the runtime or the call.
    let executor = &*opaque.cast::<Executor>();
    let tasks = Tasks {
        count: count.max(0),
        next: AtomicI64::new(0),
        workers: executor.max_workers,
        next_worker: AtomicU32::new(0),
        opaque: task_opaque,
        task,
        during: PhantomData,
    };
    match catch_unwind(AssertUnwindSafe(|| (executor.run)(&tasks))) {
        Ok(()) => {
            tasks.run(0); // every borrow of `tasks` has ended: no other thread is worker 0
            0
        }
        Err(panic) => {
            if let Ok(Some(older)) = PANIC.try_with(|place| place.replace(Some(panic))) {
                discard(older);
            }
            1
        }
    }
}

/// Drops what a panic carried, which may panic in turn: not even that gets through.
pub(crate) fn discard(panic: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(second);
    }
}

/// What an execution gave back; a panic of the executor in place of the library's word for it.
pub(crate) fn with_panic<T>(result: crate::Result<T>) -> crate::Result<T> {
    let error = match result {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    let panic = match PANIC.with(|place| place.borrow_mut().take()) {
        Some(panic) => panic,
        None => return Err(error),
    };
    let panicked = panicked("the executor", panic);
    Err(if error.kind() == ErrorKind::Cancelled { panicked } else { error })
}

/// The result of an execution in which a closure panicked.
pub(crate) fn panicked(who: &str, panic: Box<dyn Any + Send>) -> Error {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text");
    let error = Error::new(ErrorKind::Cancelled, format!("{who} panicked: {}", line(text)));
    discard(panic);
    error
}

/// One line that may be printed as it is: what controls a terminal, ends a line or changes the direction of text is
/// written as \xNN, as the library does with texts from elsewhere.
fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let is_hidden = match c {
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                true
            }
            c => c.is_control(),
        };
        if is_hidden {
            line.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\x{byte:02x}")));
        } else {
            line.push(c);
        }
    }
    line
}
