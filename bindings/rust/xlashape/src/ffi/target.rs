//! The layout for a target: dimensions and order share a length, and no order means that the compiler chooses.

use super::call::{check, expect_len, optional_slice};
use super::handle::Handle;
use crate::Result;
use xlashape_sys as sys;

pub(crate) fn target_layout(
    target: sys::xlashape_target,
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    minor_to_major: Option<&[i64]>,
) -> Result<Handle<sys::xlashape_layout>> {
    expect_len("minor_to_major", minor_to_major.map_or(dimensions.len(), <[i64]>::len), dimensions.len())?;
    let (rank, mut layout) = (dimensions.len() as i64, std::ptr::null_mut());
    check(|err| unsafe {
        let (dimensions, order) = (dimensions.as_ptr(), optional_slice(minor_to_major));
        sys::xlashape_target_layout(target, element_type, dimensions, order, rank, &mut layout, err)
    })?;
    Ok(unsafe { Handle::owned(layout) })
}
