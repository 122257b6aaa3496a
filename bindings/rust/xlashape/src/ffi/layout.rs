//! Creating a layout from its parts.

use super::call::{check, optional_slice};
use super::handle::Handle;
use crate::error::{Error, ErrorKind};
use crate::Result;
use xlashape_sys as sys;

/// Everything a layout may say, as `xlashape_layout_spec` has it; lists of lists in place of flat ones with counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub minor_to_major: Vec<i64>,
    pub padded_dimensions: Option<Vec<i64>>,
    pub padding_value: sys::xlashape_padding_value,
    pub tiles: Vec<Vec<i64>>,
    pub element_size_in_bits: i64,
    pub tail_padding_alignment_in_elements: i64,
    pub memory_space: i64,
    pub splits: Vec<(i64, Vec<i64>)>,
    pub dynamic_shape_metadata_prefix_bytes: i64,
}

pub(crate) fn layout_create(parts: &Parts) -> Result<Handle<sys::xlashape_layout>> {
    let rank = parts.minor_to_major.len();
    let padded = parts.padded_dimensions.as_deref();
    if let Some(widths) = padded.filter(|widths| widths.len() != rank) {
        let message = format!("padded_dimensions has {} entries, the rank is {rank}", widths.len());
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    let tile_ranks: Vec<i64> = parts.tiles.iter().map(|tile| tile.len() as i64).collect();
    let tile_dimensions = parts.tiles.concat();
    let split_dimensions: Vec<i64> = parts.splits.iter().map(|split| split.0).collect();
    let split_sizes: Vec<i64> = parts.splits.iter().map(|split| split.1.len() as i64).collect();
    let split_indices: Vec<i64> = parts.splits.iter().flat_map(|split| split.1.iter().copied()).collect();
    let mut layout = std::ptr::null_mut();
    check(|err| unsafe {
        sys::xlashape_layout_create_flat(
            parts.minor_to_major.as_ptr(),
            rank as i64,
            optional_slice(padded),
            parts.padding_value,
            tile_ranks.as_ptr(),
            tile_ranks.len() as i64,
            tile_dimensions.as_ptr(),
            parts.element_size_in_bits,
            parts.tail_padding_alignment_in_elements,
            parts.memory_space,
            split_dimensions.as_ptr(),
            split_sizes.as_ptr(),
            split_sizes.len() as i64,
            split_indices.as_ptr(),
            parts.dynamic_shape_metadata_prefix_bytes,
            &mut layout,
            err,
        )
    })?;
    Ok(unsafe { Handle::owned(layout) })
}
