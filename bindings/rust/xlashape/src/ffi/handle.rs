// SPDX-License-Identifier: Apache-2.0
//! A reference to an object of the library: cloning adds one, dropping gives it back.

use std::ptr::NonNull;

/// What handles point to: counted objects.
///
/// # Safety
/// Both functions must do for this type what their names say, from any thread.
pub(crate) unsafe trait Counted {
    unsafe fn retain(handle: *mut Self);
    unsafe fn release(handle: *mut Self);
}

/// One reference. Objects never change, so `&Handle` is all that any call needs.
pub(crate) struct Handle<T: Counted>(NonNull<T>);

impl<T: Counted> Handle<T> {
    /// Takes over the caller's reference.
    ///
    /// # Safety
    /// `pointer` comes from a call of the library that succeeded, with a reference that nothing else releases.
    pub(crate) unsafe fn owned(pointer: *mut T) -> Self {
        debug_assert!(!pointer.is_null());
        Self(NonNull::new_unchecked(pointer))
    }

    #[inline]
    pub(crate) fn get(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Counted> Clone for Handle<T> {
    fn clone(&self) -> Self {
        unsafe { T::retain(self.get()) };
        Self(self.0)
    }
}

impl<T: Counted> Drop for Handle<T> {
    fn drop(&mut self) {
        unsafe { T::release(self.get()) };
    }
}

/// NULL for none.
pub(crate) fn optional<T: Counted>(handle: Option<&Handle<T>>) -> *mut T {
    handle.map_or(std::ptr::null_mut(), Handle::get)
}

/// The list as C takes it.
pub(crate) fn pointers<T: Counted>(handles: &[&Handle<T>]) -> Vec<*mut T> {
    handles.iter().map(|handle| handle.get()).collect()
}
