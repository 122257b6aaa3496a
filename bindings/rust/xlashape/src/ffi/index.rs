// SPDX-License-Identifier: Apache-2.0
//! Indices and positions: one at a time, and plans for batches over slices that are checked to hold what a batch
//! touches.

use super::call::{backend_name, check, device, new, static_text, value};
use super::calls::{self, IndexMap, IndexPlan, Runtime};
use super::executor::with_panic;
use super::handle::optional;
use crate::error::{fail, ErrorKind};
use crate::Result;
use std::mem::size_of_val;
use xlashape_sys as sys;

#[inline]
pub(crate) fn linear_index(map: &IndexMap, index: &[i64]) -> Result<i64> {
    value(|out, err| unsafe {
        sys::xlashape_index_map_linear_index(map.get(), index.as_ptr(), index.len() as i64, out, err)
    })
}

/// False where the position holds padding; `index` is then -1 throughout.
#[inline]
pub(crate) fn multidimensional_index(map: &IndexMap, linear: i64, index: &mut [i64]) -> Result<bool> {
    let (index, rank) = (index.as_mut_ptr(), index.len() as i64);
    let is_padding = value(|out, err| unsafe {
        sys::xlashape_index_map_multidimensional_index(map.get(), linear, index, rank, out, err)
    })?;
    Ok(is_padding == 0)
}

/// What may be said about an index plan, as `xlashape_index_options` has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub flags: u32,
    pub src_space: sys::xlashape_memory_space,
    pub dst_space: sys::xlashape_memory_space,
    pub device: Option<u32>,
    pub backend: String,
    pub steps: (i64, i64), // of an index, of a dimension
}

/// A plan with what its slices must hold.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub handle: IndexPlan,
    rank: usize,
    steps: (i64, i64),
    to_linear: bool,
    is_on_cpu: bool,
}

impl Prepared {
    pub(crate) fn new(
        runtime: Option<&Runtime>,
        map: &IndexMap,
        conversion: sys::xlashape_index_conversion,
        request: &Request,
    ) -> Result<Self> {
        let backend = backend_name(&request.backend)?;
        let options = sys::xlashape_index_options {
            flags: request.flags,
            src_space: request.src_space,
            dst_space: request.dst_space,
            device: device(request.device)?,
            backend: if request.backend.is_empty() { std::ptr::null() } else { backend.as_ptr() },
            index_step: request.steps.0,
            dimension_step: request.steps.1,
            ..sys::xlashape_index_options::new()
        };
        // SAFETY: what the options point to outlives the call.
        let handle = new(|out, err| unsafe {
            sys::xlashape_index_plan_create(optional(runtime), map.get(), conversion, &options, out, err)
        })?;
        let rank = calls::xlashape_index_map_rank(map);
        Ok(Self {
            handle,
            rank: rank as usize,
            steps: if request.steps == (0, 0) { (rank, 1) } else { request.steps },
            to_linear: conversion == sys::XLASHAPE_CONVERSION_TO_LINEAR,
            is_on_cpu: [request.src_space, request.dst_space]
                .iter()
                .all(|&space| space == 0 || space == sys::XLASHAPE_SPACE_CPU),
        })
    }

    /// Entries up to the last one that so many indices have; None for more than a slice can have.
    fn reach(&self, count: usize) -> Option<usize> {
        if count == 0 || self.rank == 0 {
            return Some(0);
        }
        let last = |step: i64, of: usize| usize::try_from(step).ok()?.checked_mul(of - 1);
        last(self.steps.0, count)?.checked_add(last(self.steps.1, self.rank)?)?.checked_add(1)
    }

    /// As many conversions as there are positions; how many entries were invalid.
    pub(crate) fn execute(&self, src: &[i64], dst: &mut [i64]) -> Result<usize> {
        if !self.is_on_cpu {
            let message = "slices lie in memory of the CPU, the plan is for a device: use execute_raw";
            return fail(ErrorKind::Unsupported, message);
        }
        let (entries, count) = if self.to_linear { (src.len(), dst.len()) } else { (dst.len(), src.len()) };
        if self.reach(count).map_or(true, |reach| reach > entries) {
            let message = format!("the indices have {entries} entries, {count} indices reach further");
            return fail(ErrorKind::OutOfRange, message);
        }
        let (mut invalid, src_bytes, dst_bytes) = (0, size_of_val(src) as i64, size_of_val(dst) as i64);
        let (src, dst) = (src.as_ptr().cast(), dst.as_mut_ptr().cast());
        // SAFETY: the slices hold all that the plan touches; they do not overlap, one being &mut.
        with_panic(check(|err| unsafe {
            let (plan, count) = (self.handle.get(), count as i64);
            sys::xlashape_index_plan_execute(plan, count, src, src_bytes, dst, dst_bytes, &mut invalid, err)
        }))?;
        Ok(invalid as usize)
    }
}

pub(crate) fn backend(plan: &IndexPlan) -> &str {
    // SAFETY: the name lives as long as the plan, and so as what is borrowed here.
    unsafe { static_text(sys::xlashape_index_plan_backend(plan.get())) }.unwrap_or("")
}
