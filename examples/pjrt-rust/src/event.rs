//! The end of something that a plugin does.

use crate::error::Result;
use crate::pjrt_sys as sys;
use crate::plugin::{call, Table};
use crate::Client;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The end of something that the plugin does. Dropping it does not end that.
#[derive(Debug)]
pub struct Event {
    pointer: *mut sys::PJRT_Event,
    client: Client,
}

// SAFETY: events of PJRT may be used by any thread, and by several at once.
unsafe impl Send for Event {}
unsafe impl Sync for Event {}

impl Drop for Event {
    fn drop(&mut self) {
        let _ = call!(self.client.table(), PJRT_Event_Destroy, PJRT_Event_Destroy_Args { event: self.pointer });
    }
}

/// What a callback of C finds at its address. The function is called once.
struct Waiting {
    table: &'static Table,
    function: Box<dyn FnOnce(Result<()>) + Send>,
}

impl Event {
    pub(crate) fn new(client: Client, pointer: *mut sys::PJRT_Event) -> Self {
        Self { pointer, client }
    }

    /// Whether it has ended, well or not.
    ///
    /// # Errors
    /// The plugin's.
    pub fn is_ready(&self) -> Result<bool> {
        let args = call!(self.client.table(), PJRT_Event_IsReady, PJRT_Event_IsReady_Args { event: self.pointer })?;
        Ok(args.is_ready)
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// What went wrong.
    pub fn wait(&self) -> Result<()> {
        call!(self.client.table(), PJRT_Event_Await, PJRT_Event_Await_Args { event: self.pointer }).map(|_| ())
    }

    /// Has a function called with the outcome, once and on a thread of the plugin, or before `on_ready` returns if it is known
    /// already. The function must neither wait for the plugin nor drop the last reference to the client. A panic in it is
    /// reported by the panic hook and goes no further.
    ///
    /// # Errors
    /// The plugin's. The function is not called then.
    pub fn on_ready(&self, function: impl FnOnce(Result<()>) + Send + 'static) -> Result<()> {
        let waiting = Box::into_raw(Box::new(Waiting { table: self.client.table(), function: Box::new(function) }));
        let begun = call!(
            self.client.table(),
            PJRT_Event_OnReady,
            PJRT_Event_OnReady_Args { event: self.pointer, callback: Some(ready), user_arg: waiting.cast() }
        );
        if begun.is_err() {
            // SAFETY: the plugin has not taken it.
            drop(unsafe { Box::from_raw(waiting) });
        }
        begun.map(|_| ())
    }
}

unsafe extern "C" fn ready(error: *mut sys::PJRT_Error, waiting: *mut c_void) {
    let waiting = Box::from_raw(waiting.cast::<Waiting>());
    let outcome = waiting.table.take("PJRT_Event_OnReady", error);
    let _ = catch_unwind(AssertUnwindSafe(|| (waiting.function)(outcome)));
}
