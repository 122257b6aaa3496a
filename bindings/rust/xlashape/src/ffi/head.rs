//! Texts that begin with a shape or a layout: the object, and the byte behind its text.

use super::call::check;
use super::handle::Handle;
use crate::Result;
use xlashape_sys as sys;

pub(crate) fn shape_parse_head(text: &str, flags: u32) -> Result<(Handle<sys::xlashape_shape>, usize)> {
    let (mut shape, mut end) = (std::ptr::null_mut(), 0);
    check(|err| unsafe {
        sys::xlashape_shape_parse_head(text.as_ptr().cast(), text.len(), flags, &mut shape, &mut end, err)
    })?;
    Ok((unsafe { Handle::owned(shape) }, end))
}

pub(crate) fn layout_parse_head(text: &str) -> Result<(Handle<sys::xlashape_layout>, usize)> {
    let (mut layout, mut end) = (std::ptr::null_mut(), 0);
    check(|err| unsafe {
        sys::xlashape_layout_parse_head(text.as_ptr().cast(), text.len(), &mut layout, &mut end, err)
    })?;
    Ok((unsafe { Handle::owned(layout) }, end))
}
