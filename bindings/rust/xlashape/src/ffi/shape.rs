//! Calls on shapes whose arrays share a length, or that move a cursor.

use super::call::{check, expect_len, optional_slice, text};
use super::handle::{optional, Handle};
use crate::Result;
use xlashape_sys as sys;

type Shape = Handle<sys::xlashape_shape>;

pub(crate) fn shape_create_array(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    dynamic: Option<&[u8]>,
    layout: Option<&Handle<sys::xlashape_layout>>,
    flags: u32,
) -> Result<Shape> {
    expect_len("dynamic", dynamic.map_or(dimensions.len(), <[u8]>::len), dimensions.len())?;
    let (rank, mut shape) = (dimensions.len() as i64, std::ptr::null_mut());
    check(|err| unsafe {
        sys::xlashape_shape_create_array(
            element_type,
            dimensions.as_ptr(),
            optional_slice(dynamic),
            rank,
            optional(layout),
            flags,
            &mut shape,
            err,
        )
    })?;
    Ok(unsafe { Handle::owned(shape) })
}

/// False at the end, and for an index of another rank than the shape's.
pub(crate) fn shape_next_index(shape: &Shape, index: &mut [i64]) -> bool {
    unsafe { sys::xlashape_shape_next_index(shape.get(), index.as_mut_ptr(), index.len() as i64) != 0 }
}

/// All have one length, else there is no next index.
#[inline]
pub(crate) fn box_next_index(
    base: &[i64],
    count: &[i64],
    step: &[i64],
    order: Option<&[i64]>,
    index: &mut [i64],
) -> bool {
    let rank = index.len();
    if base.len() != rank || count.len() != rank || step.len() != rank || matches!(order, Some(o) if o.len() != rank) {
        return false;
    }
    unsafe {
        let (base, count, step, order) = (base.as_ptr(), count.as_ptr(), step.as_ptr(), optional_slice(order));
        sys::xlashape_box_next_index(base, count, step, order, rank as i64, index.as_mut_ptr()) != 0
    }
}

/// Moves `path` to the next shape inside and gives that shape. `path` is None before the first one.
pub(crate) fn shape_next_subshape(shape: &Shape, flags: u32, path: &mut Option<Vec<i64>>) -> Result<Shape> {
    let mut len = path.as_ref().map_or(-1, |path| path.len() as i64);
    let mut steps = path.take().unwrap_or_default();
    let mut next = std::ptr::null_mut();
    loop {
        // The next path is at most as deep as the shape: room grows until it has it.
        let (room, before) = (steps.len().max(8) * 2, len);
        steps.resize(room, 0);
        let answer = check(|err| unsafe {
            let path = steps.as_mut_ptr();
            sys::xlashape_shape_next_subshape(shape.get(), flags, path, room as i64, &mut len, &mut next, err)
        });
        match answer {
            Err(error) if error.kind() == crate::ErrorKind::OutOfRange && room <= sys::XLASHAPE_MAX_DEPTH as usize => {
                len = before;
            }
            answer => {
                answer?;
                break;
            }
        }
    }
    steps.truncate(len as usize);
    *path = Some(steps);
    Ok(unsafe { Handle::owned(next) })
}

/// (deleted dimensions of `a`, inserted dimensions of `b`)
pub(crate) fn shape_inserted_or_deleted_ones(a: &Shape, b: &Shape) -> Result<(Vec<i64>, Vec<i64>)> {
    let rank = |shape| super::calls::shape_rank(shape).max(0) as usize;
    let (mut deleted, mut inserted) = (vec![0; rank(a)], vec![0; rank(b)]);
    let (mut deleted_count, mut inserted_count) = (0, 0);
    check(|err| unsafe {
        sys::xlashape_shape_inserted_or_deleted_ones(
            a.get(),
            b.get(),
            deleted.as_mut_ptr(),
            deleted.len() as i64,
            &mut deleted_count,
            inserted.as_mut_ptr(),
            inserted.len() as i64,
            &mut inserted_count,
            err,
        )
    })?;
    deleted.truncate(deleted_count as usize);
    inserted.truncate(inserted_count as usize);
    Ok((deleted, inserted))
}

/// (dimensions, permutation)
pub(crate) fn normalized_transpose(dimensions: &[i64], permutation: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
    expect_len("permutation", permutation.len(), dimensions.len())?;
    let room = dimensions.len() + 1; // an answer has at least one entry
    let (mut sizes, mut order, mut needed) = (vec![0; room], vec![0; room], 0);
    check(|err| unsafe {
        sys::xlashape_normalized_transpose(
            dimensions.as_ptr(),
            permutation.as_ptr(),
            dimensions.len() as i64,
            sizes.as_mut_ptr(),
            order.as_mut_ptr(),
            room as i64,
            &mut needed,
            err,
        )
    })?;
    sizes.truncate(needed as usize);
    order.truncate(needed as usize);
    Ok((sizes, order))
}

pub(crate) fn program_shape_create(
    parameters: &[&Shape],
    names: &[&str],
    result: &Shape,
) -> Result<Handle<sys::xlashape_program_shape>> {
    expect_len("names", names.len(), parameters.len())?;
    let parameters: Vec<_> = parameters.iter().map(|shape| shape.get()).collect();
    let lens: Vec<i64> = names.iter().map(|name| name.len() as i64).collect();
    let (names, mut program) = (names.concat(), std::ptr::null_mut());
    check(|err| unsafe {
        sys::xlashape_program_shape_create(
            parameters.as_ptr(),
            parameters.len() as i64,
            names.as_ptr().cast(),
            lens.as_ptr(),
            result.get(),
            &mut program,
            err,
        )
    })?;
    Ok(unsafe { Handle::owned(program) })
}

pub(crate) fn layout_from_byte_strides(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    byte_strides: &[i64],
    flags: u32,
) -> Result<Handle<sys::xlashape_layout>> {
    expect_len("byte_strides", byte_strides.len(), dimensions.len())?;
    let (rank, mut layout) = (dimensions.len() as i64, std::ptr::null_mut());
    check(|err| unsafe {
        let (dimensions, strides) = (dimensions.as_ptr(), byte_strides.as_ptr());
        sys::xlashape_layout_from_byte_strides(element_type, dimensions, strides, rank, flags, &mut layout, err)
    })?;
    Ok(unsafe { Handle::owned(layout) })
}

/// False for lists of different lengths.
pub(crate) fn byte_strides_are_row_major(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    byte_strides: &[i64],
) -> bool {
    dimensions.len() == byte_strides.len()
        && unsafe {
            let (rank, dimensions, strides) = (dimensions.len() as i64, dimensions.as_ptr(), byte_strides.as_ptr());
            sys::xlashape_byte_strides_are_row_major(element_type, dimensions, strides, rank) != 0
        }
}

/// `at` is what the options have of that name.
pub(crate) fn shape_draw(
    shape: &Shape,
    other: Option<&Shape>,
    options: &sys::xlashape_draw_options,
    at: &[i64],
) -> Result<String> {
    let options = sys::xlashape_draw_options {
        struct_size: std::mem::size_of::<sys::xlashape_draw_options>() as u32,
        at: at.as_ptr(),
        at_count: at.len() as i64,
        ..*options
    };
    text(|out, capacity, needed, err| unsafe {
        sys::xlashape_shape_draw(shape.get(), optional(other), &options, out, capacity, needed, err)
    })
}
