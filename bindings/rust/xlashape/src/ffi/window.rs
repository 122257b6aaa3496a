// SPDX-License-Identifier: Apache-2.0
//! Calls about windows and slabs: lists that share a length, and several answers.

use super::call::{check, same_len, value};
use super::calls::{self, Shape};
use super::handle::Handle;
use crate::Result;
use xlashape_sys as sys;

/// What the struct says, and its shape.
pub(crate) fn shape_window(shape: &Shape, base: &[i64], extent: &[i64]) -> Result<(sys::xlashape_window, Shape)> {
    let base_at = same_len("base", Some(base), extent.len())?;
    let window: sys::xlashape_window = value(|out, err| unsafe {
        sys::xlashape_shape_window(shape.get(), base_at, extent.as_ptr(), extent.len() as i64, out, err)
    })?;
    // SAFETY: the call has succeeded, and gives the reference away.
    let inside = unsafe { Handle::owned(window.shape) };
    Ok((window, inside))
}

/// Fills `byte_offsets`. These are not negative, so that either type holds them.
pub(crate) fn shape_window_runs(
    shape: &Shape,
    base: &[i64],
    extent: &[i64],
    first: i64,
    byte_offsets: &mut [u64],
) -> Result<()> {
    let base = same_len("base", Some(base), extent.len())?;
    check(|err| unsafe {
        let (extent, rank) = (extent.as_ptr(), extent.len() as i64);
        let (out, count) = (byte_offsets.as_mut_ptr().cast(), byte_offsets.len() as i64);
        sys::xlashape_shape_window_runs(shape.get(), base, extent, rank, first, count, out, err)
    })
}

/// (extent, what they cost)
pub(crate) fn relayout_slabs(src: &Shape, dst: &Shape, max_bytes: i64) -> Result<(Vec<i64>, sys::xlashape_slabs)> {
    let (mut extent, mut needed) = (vec![0; calls::xlashape_shape_rank(src).max(0) as usize], 0);
    let slabs = value(|slabs, err| unsafe {
        let (src, dst, room) = (src.get(), dst.get(), extent.len() as i64);
        sys::xlashape_relayout_slabs(src, dst, max_bytes, extent.as_mut_ptr(), room, &mut needed, slabs, err)
    })?;
    Ok((extent, slabs))
}
