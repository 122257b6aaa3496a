// SPDX-License-Identifier: Apache-2.0
//! What looks at a call between its tasks: a flag that ends it, and a closure that hears of them, whose panic stops
//! here.

use super::executor::{discard, panicked, with_panic};
use crate::Result;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::Mutex;

pub(crate) type Progress<'a> = Box<dyn Fn(usize, usize) + Send + Sync + 'a>;

/// One call, as its tasks see it.
pub(crate) struct Watch<'a> {
    cancel: Option<&'a AtomicBool>,
    progress: Option<Progress<'a>>,
    stop: AtomicI32, // what the library looks at
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Watch<'a> {
    /// `progress` is called on the threads that run the call's tasks, maybe on several at once.
    pub(crate) fn new(cancel: Option<&'a AtomicBool>, progress: Option<Progress<'a>>) -> Self {
        let watch = Self { cancel, progress, stop: AtomicI32::new(0), panic: Mutex::new(None) };
        watch.look();
        watch
    }

    pub(crate) fn flag(&self) -> *const i32 {
        (&self.stop as *const AtomicI32).cast()
    }

    /// For `progress`, as long as this watch stays where it is.
    pub(crate) fn opaque(&self) -> *mut c_void {
        (self as *const Self as *mut Self).cast()
    }

    /// What the call gave back, or the panic that ended it.
    pub(crate) fn end<T>(self, result: Result<T>) -> Result<T> {
        let result = with_panic(result);
        match self.panic.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            None => result,
            Some(panic) => Err(panicked("the progress closure", panic)),
        }
    }

    /// Hands the caller's wish on.
    fn look(&self) {
        if self.cancel.map_or(false, |flag| flag.load(Ordering::Relaxed)) {
            self.stop.store(1, Ordering::Relaxed);
        }
    }

    fn keep(&self, panic: Box<dyn Any + Send>) {
        self.stop.store(1, Ordering::Relaxed);
        let mut place = self.panic.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match *place {
            None => *place = Some(panic),
            Some(_) => discard(panic),
        }
    }
}

/// A callback of the library's, for tasks.
pub(crate) unsafe extern "C" fn progress(opaque: *mut c_void, done: i64, count: i64) {
    // SAFETY: `opaque` is of a watch that is still in the call; all in it may be used by many threads at once.
    let watch = &*opaque.cast::<Watch<'_>>();
    if let Some(hear) = &watch.progress {
        // A panic must not cross the C ABI.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| hear(done as usize, count as usize))) {
            watch.keep(panic);
        }
    }
    watch.look();
}
