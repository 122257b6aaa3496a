//! Indices and positions: one at a time, and batches over slices that are checked to be as long as the call says.

use super::call::check;
use super::executor::with_panic;
use super::handle::{optional, Handle};
use crate::error::{fail, ErrorKind};
use crate::Result;
use xlashape_sys as sys;

type IndexMap = Handle<sys::xlashape_index_map>;
type Runtime = Handle<sys::xlashape_runtime>;

#[inline]
pub(crate) fn linear_index(map: &IndexMap, index: &[i64]) -> Result<i64> {
    let mut linear = 0;
    check(|err| unsafe {
        sys::xlashape_index_map_linear_index(map.get(), index.as_ptr(), index.len() as i64, &mut linear, err)
    })?;
    Ok(linear)
}

/// False where the position holds padding; `index` is then -1 throughout.
#[inline]
pub(crate) fn multidimensional_index(map: &IndexMap, linear: i64, index: &mut [i64]) -> Result<bool> {
    let (rank, mut is_padding) = (index.len() as i64, 0);
    check(|err| unsafe {
        let index = index.as_mut_ptr();
        sys::xlashape_index_map_multidimensional_index(map.get(), linear, index, rank, &mut is_padding, err)
    })?;
    Ok(is_padding == 0)
}

/// How the indices of a batch lie: (index_step, dimension_step) of the C function.
fn steps(map: &IndexMap, indices: usize, count: usize, planar: bool) -> Result<(i64, i64)> {
    let rank = super::calls::xlashape_index_map_rank(map);
    if count.checked_mul(rank as usize) != Some(indices) {
        let message =
            format!("the indices have {indices} entries, {count} of rank {rank} have {}", count as i128 * rank as i128);
        return fail(ErrorKind::OutOfRange, message);
    }
    Ok(if planar { (1, count as i64) } else { (rank, 1) })
}

/// How many entries were bad.
#[inline]
pub(crate) fn linear_indices(
    runtime: Option<&Runtime>,
    map: &IndexMap,
    index: &[i64],
    linear: &mut [i64],
    planar: bool,
    flags: u32,
) -> Result<i64> {
    let (index_step, dimension_step) = steps(map, index.len(), linear.len(), planar)?;
    let (count, mut bad) = (linear.len() as i64, 0);
    with_panic(check(|err| unsafe {
        sys::xlashape_index_map_linear_indices(
            optional(runtime),
            map.get(),
            count,
            index.as_ptr(),
            index_step,
            dimension_step,
            linear.as_mut_ptr(),
            flags,
            &mut bad,
            err,
        )
    }))?;
    Ok(bad)
}

/// How many entries were bad.
#[inline]
pub(crate) fn multidimensional_indices(
    runtime: Option<&Runtime>,
    map: &IndexMap,
    linear: &[i64],
    index: &mut [i64],
    planar: bool,
    flags: u32,
) -> Result<i64> {
    let (index_step, dimension_step) = steps(map, index.len(), linear.len(), planar)?;
    let (count, mut bad) = (linear.len() as i64, 0);
    with_panic(check(|err| unsafe {
        sys::xlashape_index_map_multidimensional_indices(
            optional(runtime),
            map.get(),
            count,
            linear.as_ptr(),
            index.as_mut_ptr(),
            index_step,
            dimension_step,
            flags,
            &mut bad,
            err,
        )
    }))?;
    Ok(bad)
}
