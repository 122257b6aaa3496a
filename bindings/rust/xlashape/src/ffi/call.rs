// SPDX-License-Identifier: Apache-2.0
//! The ways in which the library answers: status and error record, variable answers, static text.

use super::calls;
use super::handle::{Counted, Handle};
use crate::error::{fail, Error, ErrorKind};
use crate::Result;
use std::ffi::{CStr, CString};
use std::fmt::Display;
use std::mem::{size_of, MaybeUninit};
use std::ptr::addr_of_mut;
use std::time::Duration;
use xlashape_sys as sys;

/// In a record's message_len: the library has not filled it, so nothing else of it may be read.
const UNTOUCHED: u32 = u32::MAX;

/// Runs a call that takes an error record. Success costs two stores: the rest of the record stays uninitialised.
#[inline]
pub(crate) fn check(call: impl FnOnce(*mut sys::xlashape_error) -> sys::xlashape_status) -> Result<()> {
    let mut record = MaybeUninit::uninit();
    match status(&mut record, call) {
        sys::XLASHAPE_STATUS_OK => Ok(()),
        status => Err(failure(status, &record)),
    }
}

#[inline]
fn status(
    record: &mut MaybeUninit<sys::xlashape_error>,
    call: impl FnOnce(*mut sys::xlashape_error) -> sys::xlashape_status,
) -> sys::xlashape_status {
    let err = record.as_mut_ptr();
    // SAFETY: writes to fields of a place that exists.
    unsafe {
        addr_of_mut!((*err).struct_size).write(size_of::<sys::xlashape_error>() as u32);
        addr_of_mut!((*err).message_len).write(UNTOUCHED);
    }
    call(err)
}

#[cold]
#[inline(never)]
fn failure(status: sys::xlashape_status, record: &MaybeUninit<sys::xlashape_error>) -> Error {
    let err = record.as_ptr();
    let kind = ErrorKind::from_status(status);
    let name = || calls::xlashape_status_name(status).unwrap_or("unknown").to_lowercase().replace('_', " ");
    // SAFETY: `status` has set this field, at least.
    if unsafe { std::ptr::addr_of!((*err).message_len).read() } == UNTOUCHED {
        return Error::new(kind, name());
    }
    // SAFETY: the library fills a record whole: all fields, and the first message_len bytes of the message.
    let (index, offset, source, message) = unsafe {
        let start = std::ptr::addr_of!((*err).message).cast::<u8>();
        let room = size_of::<sys::xlashape_error>() - (start as usize - err as usize);
        let len = ((*err).message_len as usize).min(room);
        ((*err).index, (*err).offset, (*err).source, std::slice::from_raw_parts(start, len))
    };
    let message = if message.is_empty() { name() } else { String::from_utf8_lossy(message).into_owned() };
    Error::from_library(kind, message, offset, index, source)
}

/// A new reference to an object.
pub(crate) fn new<T: Counted>(
    call: impl FnOnce(*mut *mut T, *mut sys::xlashape_error) -> sys::xlashape_status,
) -> Result<Handle<T>> {
    let mut handle = std::ptr::null_mut();
    check(|err| call(&mut handle, err))?;
    // SAFETY: the library gives away a reference where it succeeds.
    Ok(unsafe { Handle::owned(handle) })
}

/// A number, or a struct, whose default has its size.
pub(crate) fn value<T: Default>(
    call: impl FnOnce(*mut T, *mut sys::xlashape_error) -> sys::xlashape_status,
) -> Result<T> {
    let mut value = T::default();
    check(|err| call(&mut value, err))?;
    Ok(value)
}

/// A variable answer, lent: one of everyday length takes one call and is never copied.
fn answer<T: Copy + Default, R, const N: usize>(
    mut call: impl FnMut(*mut T, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
    take: impl FnOnce(&[T]) -> R,
) -> Result<R> {
    let (mut first, mut all, mut needed) = ([T::default(); N], Vec::new(), 0);
    let mut answer = check(|err| call(first.as_mut_ptr(), N as i64, &mut needed, err));
    // It may grow between two calls (a runtime's report, its wisdom).
    while needed > all.len().max(N) as i64 {
        all.resize(needed as usize + N, T::default());
        answer = check(|err| call(all.as_mut_ptr(), all.len() as i64, &mut needed, err));
    }
    answer?;
    let written = if all.is_empty() { &first[..] } else { &all };
    Ok(take(&written[..needed as usize]))
}

/// A variable answer of numbers.
pub(crate) fn list<T: Copy + Default>(
    call: impl FnMut(*mut T, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
) -> Result<Vec<T>> {
    answer::<T, _, 16>(call, <[T]>::to_vec)
}

/// A variable answer of text.
pub(crate) fn text(
    call: impl FnMut(*mut sys::c_char, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
) -> Result<String> {
    with_text(call, str::to_owned)
}

/// The same, lent.
pub(crate) fn with_text<R>(
    mut call: impl FnMut(*mut sys::c_char, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
    take: impl FnOnce(&str) -> R,
) -> Result<R> {
    answer::<u8, _, 256>(
        |out, capacity, needed, err| call(out.cast(), capacity, needed, err),
        // The last byte is a NUL. The library's text is UTF-8; what a backend adds to it might not be.
        |bytes| take(&String::from_utf8_lossy(&bytes[..bytes.len().saturating_sub(1)])),
    )
}

/// A text in the caller's memory. Only for XLA's notation, which is ASCII.
#[inline]
pub(crate) fn text_in(
    room: &mut [u8],
    call: impl FnOnce(*mut sys::c_char, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
) -> Result<&str> {
    if room.is_empty() {
        return fail(ErrorKind::OutOfRange, "the room for text has 0 bytes");
    }
    let mut needed = 0;
    check(|err| call(room.as_mut_ptr().cast(), room.len() as i64, &mut needed, err))?;
    let written = &room[..needed.saturating_sub(1) as usize];
    debug_assert!(written.is_ascii());
    // SAFETY: shapes and layouts are written in ASCII.
    Ok(unsafe { std::str::from_utf8_unchecked(written) })
}

/// Static text of the library.
///
/// # Safety
/// `text` is NULL or what a function returned whose text the header calls static.
pub(crate) unsafe fn static_text(text: *const sys::c_char) -> Option<&'static str> {
    if text.is_null() {
        return None;
    }
    CStr::from_ptr(text).to_str().ok()
}

/// A number as C takes it; one that its type does not hold is an error that names it.
pub(crate) fn number<T: TryFrom<N>, N: Copy + Display>(kind: ErrorKind, name: &str, value: N) -> Result<T> {
    T::try_from(value).map_err(|_| Error::new(kind, format!("{name} is {value}: too large")))
}

/// A time as C takes it.
pub(crate) fn nanoseconds(name: &str, time: Duration) -> Result<i64> {
    i64::try_from(time.as_nanos())
        .map_err(|_| Error::new(ErrorKind::InvalidArgument, format!("{name} is {time:?}: too long")))
}

/// The name of a backend as C takes it, which would end it at a NUL.
pub(crate) fn backend_name(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::new(ErrorKind::NotFound, format!("no backend is called {name:?}")))
}

/// A device as C takes it, which has 0 for the current one.
pub(crate) fn device(number: Option<u32>) -> Result<i32> {
    number.map_or(Ok(0), |number| self::number(ErrorKind::OutOfRange, "device", i64::from(number) + 1))
}

/// A pointer to the list, NULL for none. Refuses lists that should be as long as the shape's rank and are not.
pub(crate) fn same_len<T>(name: &str, list: Option<&[T]>, rank: usize) -> Result<*const T> {
    match list {
        Some(list) if list.len() != rank => {
            fail(ErrorKind::OutOfRange, format!("{name} has {} entries, the rank is {rank}", list.len()))
        }
        list => Ok(list.map_or(std::ptr::null(), <[T]>::as_ptr)),
    }
}
