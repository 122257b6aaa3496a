// SPDX-License-Identifier: Apache-2.0
//! Calls on shapes and layouts whose lists share a length, that answer with several things, or that move a cursor.

use super::call::{check, list, new, same_len, text_in, value, with_text};
use super::calls::{self, Layout, ProgramShape, Shape};
use super::handle::{optional, pointers, Handle};
use crate::error::{fail, ErrorKind};
use crate::{BitcastKind, BitcastSteps, Result};
use xlashape_sys as sys;

/// XLA's text of an object, which is ASCII, in forms that allocate nothing.
macro_rules! lent_texts {
    ($($object:ident, $print:ident: $in_place:ident, $lent:ident;)+) => {$(
        #[inline]
        pub(crate) fn $in_place<'a>(object: &$object, room: &'a mut [u8]) -> Result<&'a str> {
            text_in(room, |out, size, needed, err| unsafe { sys::$print(object.get(), 0, out, size, needed, err) })
        }

        pub(crate) fn $lent<R>(object: &$object, take: impl FnOnce(&str) -> R) -> Result<R> {
            with_text(|out, size, needed, err| unsafe { sys::$print(object.get(), 0, out, size, needed, err) }, take)
        }
    )+};
}

lent_texts! {
    Layout, xlashape_layout_print: layout_print_in, layout_print_to;
    Shape, xlashape_shape_print: shape_print_in, shape_print_to;
}

/// What a layout may have, as `xlashape_layout_spec` has it. No widths: none are set.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayoutSpec {
    pub minor_to_major: Vec<i64>,
    pub padded_dimensions: Vec<i64>,
    pub padding_value: sys::xlashape_padding_value,
    pub tiles: Vec<Vec<i64>>,
    pub element_size_in_bits: i64,
    pub tail_padding_alignment_in_elements: i64,
    pub memory_space: i64,
    pub splits: Vec<(i64, Vec<i64>)>,
    pub dynamic_shape_metadata_prefix_bytes: i64,
}

pub(crate) fn layout_create(spec: &LayoutSpec) -> Result<Layout> {
    let (rank, widths) = (spec.minor_to_major.len(), &spec.padded_dimensions);
    if !widths.is_empty() && widths.len() != rank {
        let message = format!("padded_dimensions has {} entries, the rank is {rank}", widths.len());
        return fail(ErrorKind::InvalidArgument, message);
    }
    let lens = |lists: &mut dyn Iterator<Item = &Vec<i64>>| lists.map(|list| list.len() as i64).collect::<Vec<_>>();
    let (tile_ranks, tiles) = (lens(&mut spec.tiles.iter()), spec.tiles.concat());
    let indices = || spec.splits.iter().map(|(_, indices)| indices);
    let (split_sizes, splits) = (lens(&mut indices()), indices().flatten().copied().collect::<Vec<_>>());
    let split_dimensions: Vec<i64> = spec.splits.iter().map(|(dimension, _)| *dimension).collect();
    let raw = sys::xlashape_layout_spec {
        padding_value: spec.padding_value,
        rank: rank as i64,
        minor_to_major: spec.minor_to_major.as_ptr(),
        padded_dimensions: if widths.is_empty() { std::ptr::null() } else { widths.as_ptr() },
        tile_count: spec.tiles.len() as i64,
        tile_ranks: tile_ranks.as_ptr(),
        tile_dimensions: tiles.as_ptr(),
        element_size_in_bits: spec.element_size_in_bits,
        tail_padding_alignment_in_elements: spec.tail_padding_alignment_in_elements,
        memory_space: spec.memory_space,
        split_count: spec.splits.len() as i64,
        split_dimensions: split_dimensions.as_ptr(),
        split_sizes: split_sizes.as_ptr(),
        split_indices: splits.as_ptr(),
        dynamic_shape_metadata_prefix_bytes: spec.dynamic_shape_metadata_prefix_bytes,
        ..sys::xlashape_layout_spec::new()
    };
    // SAFETY: what it points to outlives the call.
    new(|out, err| unsafe { sys::xlashape_layout_create(&raw, out, err) })
}

/// The shape at the start of the text, and the rest of the text.
pub(crate) fn shape_parse_head(text: &str, flags: u32) -> Result<(Shape, &str)> {
    let mut end = 0;
    let shape = new(|out, err| unsafe {
        sys::xlashape_shape_parse_head(text.as_ptr().cast(), text.len() as i64, flags, out, &mut end, err)
    })?;
    Ok((shape, text.get(end as usize..).unwrap_or("")))
}

/// The same for a layout.
pub(crate) fn layout_parse_head(text: &str) -> Result<(Layout, &str)> {
    let mut end = 0;
    let layout = new(|out, err| unsafe {
        sys::xlashape_layout_parse_head(text.as_ptr().cast(), text.len() as i64, 0, out, &mut end, err)
    })?;
    Ok((layout, text.get(end as usize..).unwrap_or("")))
}

/// The shape that a text describes, which must not have an offset.
pub(crate) fn shape_read(text: &str, flags: u32) -> Result<Shape> {
    let (start, len) = (text.as_ptr().cast(), text.len() as i64);
    new(|out, err| unsafe { sys::xlashape_shape_read(start, len, flags, std::ptr::null_mut(), out, err) })
}

/// (shape, offset)
pub(crate) fn shape_read_with_offset(text: &str, flags: u32) -> Result<(Shape, i64)> {
    let ((start, len), mut offset) = ((text.as_ptr().cast(), text.len() as i64), 0);
    let shape = new(|out, err| unsafe { sys::xlashape_shape_read(start, len, flags, &mut offset, out, err) })?;
    Ok((shape, offset))
}

/// (destination, result)
pub(crate) fn shape_with_words(shape: &Shape, text: &str, flags: u32) -> Result<(Shape, Shape)> {
    let (start, len, mut result) = (text.as_ptr().cast(), text.len() as i64, std::ptr::null_mut());
    let destination = new(|out, err| unsafe {
        sys::xlashape_shape_with_words(shape.get(), start, len, flags, out, &mut result, err)
    })?;
    // SAFETY: the call has succeeded, and gives both references away.
    Ok((destination, unsafe { Handle::owned(result) }))
}

/// (physical dimension, indices)
pub(crate) fn layout_split(layout: &Layout, split: i64) -> Result<(i64, Vec<i64>)> {
    let mut dimension = 0;
    let indices = list(|out, capacity, needed, err| unsafe {
        sys::xlashape_layout_split(layout.get(), split, &mut dimension, out, capacity, needed, err)
    })?;
    Ok((dimension, indices))
}

pub(crate) fn shape_create_array(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    dynamic: Option<&[u8]>,
    layout: Option<&Layout>,
) -> Result<Shape> {
    let dynamic = same_len("dynamic", dynamic, dimensions.len())?;
    new(|out, err| unsafe {
        let (rank, layout) = (dimensions.len() as i64, optional(layout));
        sys::xlashape_shape_create_array(element_type, dimensions.as_ptr(), dynamic, rank, layout, 0, out, err)
    })
}

pub(crate) fn target_layout(
    target: sys::xlashape_target,
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    minor_to_major: Option<&[i64]>,
) -> Result<Layout> {
    let order = same_len("minor_to_major", minor_to_major, dimensions.len())?;
    new(|out, err| unsafe {
        let rank = dimensions.len() as i64;
        sys::xlashape_target_layout(target, element_type, dimensions.as_ptr(), order, rank, out, err)
    })
}

pub(crate) fn layout_from_byte_strides(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    byte_strides: &[i64],
    flags: u32,
) -> Result<Layout> {
    let strides = same_len("byte_strides", Some(byte_strides), dimensions.len())?;
    new(|out, err| unsafe {
        let rank = dimensions.len() as i64;
        sys::xlashape_layout_from_byte_strides(element_type, dimensions.as_ptr(), strides, rank, flags, out, err)
    })
}

/// False for lists of different lengths.
pub(crate) fn byte_strides_are_row_major(
    element_type: sys::xlashape_element_type,
    dimensions: &[i64],
    byte_strides: &[i64],
) -> bool {
    let (rank, dimensions, strides) = (dimensions.len(), dimensions.as_ptr(), byte_strides.as_ptr());
    rank == byte_strides.len()
        && unsafe { sys::xlashape_byte_strides_are_row_major(element_type, dimensions, strides, rank as i64) != 0 }
}

pub(crate) fn program_shape_create(parameters: &[&Shape], names: &[&str], result: &Shape) -> Result<ProgramShape> {
    let (count, lens) = (parameters.len() as i64, names.iter().map(|name| name.len() as i64).collect::<Vec<_>>());
    let lens = same_len("names", Some(&lens), parameters.len())?;
    let (parameters, names) = (pointers(parameters), names.concat());
    new(|out, err| unsafe {
        let (parameters, names) = (parameters.as_ptr(), names.as_ptr().cast());
        sys::xlashape_program_shape_create(parameters, count, names, lens, result.get(), out, err)
    })
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
    let order = order.map_or(std::ptr::null(), <[i64]>::as_ptr);
    unsafe {
        let (base, count, step) = (base.as_ptr(), count.as_ptr(), step.as_ptr());
        sys::xlashape_box_next_index(base, count, step, order, rank as i64, index.as_mut_ptr()) != 0
    }
}

pub(crate) fn box_index_count(count: &[i64], step: &[i64]) -> Result<i64> {
    let step = same_len("step", Some(step), count.len())?;
    value(|out, err| unsafe { sys::xlashape_box_index_count(count.as_ptr(), step, count.len() as i64, out, err) })
}

pub(crate) fn box_index_at(
    base: &[i64],
    count: &[i64],
    step: &[i64],
    order: Option<&[i64]>,
    number: i64,
) -> Result<Vec<i64>> {
    let rank = base.len();
    let (count, step) = (same_len("count", Some(count), rank)?, same_len("step", Some(step), rank)?);
    let (base, order) = (base.as_ptr(), same_len("minor_to_major", order, rank)?);
    list(|out, capacity, needed, err| unsafe {
        sys::xlashape_box_index_at(base, count, step, order, rank as i64, number, out, capacity, needed, err)
    })
}

/// Moves `path` to the next shape inside and gives that shape. `path` is None before the first one.
pub(crate) fn shape_next_subshape(shape: &Shape, flags: u32, path: &mut Option<Vec<i64>>) -> Result<Shape> {
    let before = path.as_ref().map_or(-1, |path| path.len() as i64);
    let mut steps = path.take().unwrap_or_default();
    loop {
        // The next path is at most as deep as the shape: room grows until it has it.
        let (room, mut len) = (steps.len().max(8) * 2, before);
        steps.resize(room, 0);
        let answer = new(|out, err| unsafe {
            let steps = steps.as_mut_ptr();
            sys::xlashape_shape_next_subshape(shape.get(), flags, steps, room as i64, &mut len, out, err)
        });
        match answer {
            Err(error) if error.kind() == ErrorKind::OutOfRange && room <= sys::XLASHAPE_MAX_DEPTH as usize => {}
            answer => {
                let next = answer?;
                steps.truncate(len as usize);
                *path = Some(steps);
                return Ok(next);
            }
        }
    }
}

fn room_of_rank(shape: &Shape) -> Vec<i64> {
    vec![0; calls::xlashape_shape_rank(shape).max(0) as usize]
}

/// (deleted dimensions of `a`, inserted dimensions of `b`)
pub(crate) fn shape_inserted_or_deleted_ones(a: &Shape, b: &Shape) -> Result<(Vec<i64>, Vec<i64>)> {
    let (mut deleted, mut inserted) = (room_of_rank(a), room_of_rank(b));
    let (mut deleted_count, mut inserted_count) = (0, 0);
    check(|err| unsafe {
        let ((from, rank), count) = ((deleted.as_mut_ptr(), deleted.len() as i64), &mut deleted_count);
        let (to, to_rank, to_count) = (inserted.as_mut_ptr(), inserted.len() as i64, &mut inserted_count);
        sys::xlashape_shape_inserted_or_deleted_ones(a.get(), b.get(), from, rank, count, to, to_rank, to_count, err)
    })?;
    deleted.truncate(deleted_count as usize);
    inserted.truncate(inserted_count as usize);
    Ok((deleted, inserted))
}

pub(crate) fn shape_decompose_bitcast(a: &Shape, b: &Shape, flags: u32) -> Result<BitcastSteps> {
    let (mut transpose1, mut transpose2) = (room_of_rank(a), room_of_rank(b));
    let mut steps = sys::xlashape_bitcast_steps {
        transpose1: transpose1.as_mut_ptr(),
        transpose1_capacity: transpose1.len() as i64,
        transpose2: transpose2.as_mut_ptr(),
        transpose2_capacity: transpose2.len() as i64,
        ..sys::xlashape_bitcast_steps::new()
    };
    check(|err| unsafe { sys::xlashape_shape_decompose_bitcast(a.get(), b.get(), flags, &mut steps, err) })?;
    // SAFETY: the call has succeeded, and gives both references away.
    let (reshape_from, reshape_to) = unsafe { (Handle::owned(steps.reshape_from), Handle::owned(steps.reshape_to)) };
    Ok(BitcastSteps {
        kind: match steps.kind {
            sys::XLASHAPE_BITCAST_KIND_RESHAPE => BitcastKind::Reshape,
            sys::XLASHAPE_BITCAST_KIND_TRANSPOSE => BitcastKind::Transpose,
            _ => BitcastKind::Trt,
        },
        transpose1,
        reshape_from: crate::Shape(reshape_from),
        reshape_to: crate::Shape(reshape_to),
        transpose2,
    })
}

/// (dimensions, permutation)
pub(crate) fn normalized_transpose(dimensions: &[i64], permutation: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
    let (rank, room) = (dimensions.len(), dimensions.len() + 1); // an answer has at least one entry
    let permutation = same_len("permutation", Some(permutation), rank)?;
    let (mut sizes, mut order, mut needed) = (vec![0; room], vec![0; room], 0);
    check(|err| unsafe {
        let (dimensions, rank, room) = (dimensions.as_ptr(), rank as i64, room as i64);
        let (sizes, order) = (sizes.as_mut_ptr(), order.as_mut_ptr());
        sys::xlashape_normalized_transpose(dimensions, permutation, rank, sizes, order, room, &mut needed, err)
    })?;
    sizes.truncate(needed as usize);
    order.truncate(needed as usize);
    Ok((sizes, order))
}
