//! Boxes of indices by number. The lists of a box have one length, which the callers see to.

use super::call::{check, expect_len, list, optional_slice};
use crate::Result;
use xlashape_sys as sys;

pub(crate) fn box_index_count(count: &[i64], step: &[i64]) -> Result<i64> {
    expect_len("step", step.len(), count.len())?;
    let mut indices = 0;
    check(|err| unsafe {
        sys::xlashape_box_index_count(count.as_ptr(), step.as_ptr(), count.len() as i64, &mut indices, err)
    })?;
    Ok(indices)
}

pub(crate) fn box_index_at(
    base: &[i64],
    count: &[i64],
    step: &[i64],
    order: Option<&[i64]>,
    number: i64,
) -> Result<Vec<i64>> {
    let rank = base.len();
    expect_len("count", count.len(), rank)?;
    expect_len("step", step.len(), rank)?;
    expect_len("minor_to_major", order.map_or(rank, <[i64]>::len), rank)?;
    list(|out, capacity, needed, err| unsafe {
        sys::xlashape_box_index_at(
            base.as_ptr(),
            count.as_ptr(),
            step.as_ptr(),
            optional_slice(order),
            rank as i64,
            number,
            out,
            capacity,
            needed,
            err,
        )
    })
}
