//! A bitcast taken apart: two lists and two shapes from one call.

use super::call::check;
use super::calls::shape_rank;
use super::handle::Handle;
use crate::Result;
use xlashape_sys as sys;

type Shape = Handle<sys::xlashape_shape>;

pub(crate) struct Parts {
    pub kind: i32,
    pub transpose1: Vec<i64>,
    pub reshape_from: Shape,
    pub reshape_to: Shape,
    pub transpose2: Vec<i64>,
}

pub(crate) fn shape_decompose_bitcast(a: &Shape, b: &Shape, flags: u32) -> Result<Parts> {
    let room = |shape| vec![0; shape_rank(shape).max(0) as usize];
    let (mut transpose1, mut transpose2) = (room(a), room(b));
    let (mut needed1, mut needed2, mut kind) = (0, 0, 0);
    let (mut from, mut to) = (std::ptr::null_mut(), std::ptr::null_mut());
    check(|err| unsafe {
        sys::xlashape_shape_decompose_bitcast(
            a.get(),
            b.get(),
            flags,
            &mut kind,
            transpose1.as_mut_ptr(),
            transpose1.len() as i64,
            &mut needed1,
            &mut from,
            &mut to,
            transpose2.as_mut_ptr(),
            transpose2.len() as i64,
            &mut needed2,
            err,
        )
    })?;
    let (reshape_from, reshape_to) = unsafe { (Handle::owned(from), Handle::owned(to)) };
    Ok(Parts { kind, transpose1, reshape_from, reshape_to, transpose2 })
}
