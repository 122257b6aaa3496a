// SPDX-License-Identifier: Apache-2.0
//! Many executions in one call.

use super::call::check;
use super::element::{bytes_of, bytes_of_mut, Element};
use super::executor::Executor;
use super::watch::{self, Progress, Watch};
use crate::{Plan, Result};
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;
use xlashape_sys as sys;

/// Many relayouts in one call, or one that is controlled while it runs.
///
/// The tasks of all of them are spread over the executor together, so that many small ones keep all threads busy. That
/// is the executor of the first plan's runtime, or the one that is given here.
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use xlashape::{ErrorKind, Executions, Plan};
///
/// let plan = Plan::new(&"u8[1024,2048]{1,0}".parse()?, &"u8[1024,2048]{0,1}".parse()?)?;
/// let (src, mut one, mut two) = (vec![7; 2 << 20], vec![0; 2 << 20], vec![0; 2 << 20]);
/// Executions::new().add(&plan, &src, &mut one)?.add(&plan, &src, &mut two)?.run()?;
/// assert!(one == src && two == src);
///
/// let stop = AtomicBool::new(false);
/// let halfway = |done, count| stop.store(2 * done >= count, Ordering::Relaxed);
/// let ended = Executions::new().add(&plan, &src, &mut one)?.cancel(&stop).progress(halfway).run();
/// assert_eq!(ended.unwrap_err().kind(), ErrorKind::Cancelled);
/// # Ok::<(), xlashape::Error>(())
/// ```
///
/// No two of them write to the same memory, nor does one to what another reads:
///
/// ```compile_fail,E0499
/// # let plan = xlashape::Plan::new(&"u8[4]".parse()?, &"u8[4]".parse()?)?;
/// let mut dst = [0; 4];
/// xlashape::Executions::new().add(&plan, &[1; 4], &mut dst)?.add(&plan, &[2; 4], &mut dst)?.run()?;
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Default)]
pub struct Executions<'a> {
    plans: Vec<*mut sys::xlashape_plan>,
    src: Vec<u64>,
    src_bytes: Vec<i64>,
    dst: Vec<u64>,
    dst_bytes: Vec<i64>,
    executor: Option<&'a Executor>,
    cancel: Option<&'a AtomicBool>,
    progress: Option<Progress<'a>>,
    lent: PhantomData<(&'a Plan, &'a [u8], &'a mut [u8])>, // what the addresses are of
}

// SAFETY: the pointers stand for references to plans, which may be used on any thread.
unsafe impl Send for Executions<'_> {}

impl<'a> Executions<'a> {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more: what [`Plan::execute`] does.
    ///
    /// # Errors
    /// `OutOfRange` for slices of other sizes, `Unsupported` for a plan on a device.
    pub fn add(mut self, plan: &'a Plan, src: &'a [u8], dst: &'a mut [u8]) -> Result<Self> {
        let (from, to) = plan.prepared.admit(src, dst)?;
        self.plans.push(plan.prepared.handle.get());
        self.src.push(from.address);
        self.src_bytes.push(from.bytes);
        self.dst.push(to.address);
        self.dst_bytes.push(to.bytes);
        Ok(self)
    }

    /// One more: what [`Plan::execute_typed`] does.
    ///
    /// # Errors
    /// `WrongType` when `T` does not hold the array's elements, else as [`add`](Self::add).
    pub fn add_typed<T: Element>(self, plan: &'a Plan, src: &'a [T], dst: &'a mut [T]) -> Result<Self> {
        self.add_converting(plan, src, dst)
    }

    /// One more: what [`Plan::execute_converting`] does.
    ///
    /// # Errors
    /// `WrongType` when `S` does not hold the source's elements or `D` the destination's, else as [`add`](Self::add).
    pub fn add_converting<S: Element, D: Element>(
        self,
        plan: &'a Plan,
        src: &'a [S],
        dst: &'a mut [D],
    ) -> Result<Self> {
        plan.expect_types::<S, D>()?;
        self.add(plan, bytes_of(src), bytes_of_mut(dst))
    }

    /// Another executor than the runtime's.
    pub fn executor(mut self, executor: &'a Executor) -> Self {
        self.executor = Some(executor);
        self
    }

    /// Ends all of them early: it is read after each task, and if it is true no more begin. Any thread may set it.
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Hears of the tasks: (ended, of so many). Called after each of them, which are of about 1 MiB or less, on the
    /// thread that ran it, maybe on several at once. If it panics no further task begins.
    pub fn progress(mut self, hear: impl Fn(usize, usize) + Send + Sync + 'a) -> Self {
        self.progress = Some(Box::new(hear));
        self
    }

    /// Runs all of them.
    ///
    /// # Errors
    /// [`Error::index`](crate::Error::index) tells which one failed; the others may have run or not. `Cancelled` when
    /// the flag was set, or when the executor or the closure of [`progress`](Self::progress) panicked, and destinations
    /// are partly written.
    pub fn run(self) -> Result<()> {
        let executor = self.executor.map(Executor::raw);
        let is_watched = self.cancel.is_some() || self.progress.is_some();
        let watch = Watch::new(self.cancel, self.progress);
        let options = sys::xlashape_execute_options {
            executor: executor.as_ref().map_or(std::ptr::null(), |executor| executor),
            cancel: if is_watched { watch.flag() } else { std::ptr::null() },
            progress: if is_watched { Some(watch::progress) } else { None },
            progress_opaque: watch.opaque(),
            ..sys::xlashape_execute_options::new()
        };
        // SAFETY: `add` has let in only slices that hold all that their plans touch, and they are still lent; no two
        // that are written to overlap, being &mut. The executor and the watch outlive the call.
        let result = check(|err| unsafe {
            let (count, plans) = (self.plans.len() as i64, self.plans.as_ptr());
            let (src, src_bytes) = (self.src.as_ptr(), self.src_bytes.as_ptr());
            let (dst, dst_bytes) = (self.dst.as_ptr(), self.dst_bytes.as_ptr());
            sys::xlashape_plan_execute_list(count, plans, src, src_bytes, dst, dst_bytes, &options, err)
        });
        watch.end(result)
    }
}

impl fmt::Debug for Executions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executions").field("len", &self.plans.len()).finish_non_exhaustive()
    }
}
