//! Index plans, over slices that are checked to hold what a batch touches.

use super::call::{backend_name, check, device};
use super::executor::with_panic;
use super::handle::{optional, Handle};
use crate::error::{fail, ErrorKind};
use crate::Result;
use xlashape_sys as sys;

type IndexMap = Handle<sys::xlashape_index_map>;
type Plan = Handle<sys::xlashape_plan>;
type Runtime = Handle<sys::xlashape_runtime>;

/// What may be said about an index plan, as `xlashape_index_options` has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub flags: u32,
    pub src_space: sys::xlashape_memory_space,
    pub dst_space: sys::xlashape_memory_space,
    pub device: Option<u32>,
    pub backend: String,
    pub index_step: i64,
    pub dimension_step: i64,
}

impl Request {
    pub(crate) fn is_on_cpu(&self) -> bool {
        [self.src_space, self.dst_space].iter().all(|&space| space == 0 || space == sys::XLASHAPE_SPACE_CPU)
    }
}

pub(crate) fn create(
    runtime: Option<&Runtime>,
    map: &IndexMap,
    conversion: sys::xlashape_index_conversion,
    request: &Request,
) -> Result<Plan> {
    let backend = backend_name(&request.backend)?;
    let options = sys::xlashape_index_options {
        flags: request.flags,
        src_space: request.src_space,
        dst_space: request.dst_space,
        device: device(request.device)?,
        backend: if request.backend.is_empty() { std::ptr::null() } else { backend.as_ptr() },
        index_step: request.index_step,
        dimension_step: request.dimension_step,
        ..sys::xlashape_index_options::new()
    };
    let mut plan = std::ptr::null_mut();
    // SAFETY: what the options point to outlives the call.
    check(|err| unsafe {
        sys::xlashape_index_plan_create(optional(runtime), map.get(), conversion, &options, &mut plan, err)
    })?;
    Ok(unsafe { Handle::owned(plan) })
}

/// `count` conversions between slices in memory of the CPU; how many entries were bad. `rank`: of the map.
pub(crate) fn execute(plan: &Plan, rank: usize, count: usize, src: &[i64], dst: &mut [i64]) -> Result<i64> {
    // The library checks the sizes that it gets; 0 would mean no check.
    if rank > 0 && count > 0 && (src.is_empty() || dst.is_empty()) {
        return fail(ErrorKind::OutOfRange, format!("a slice is empty, there are {count} indices"));
    }
    let mut bad = 0;
    let exec = sys::xlashape_exec {
        src: src.as_ptr() as u64,
        dst: dst.as_mut_ptr() as u64,
        src_byte_size: std::mem::size_of_val(src) as i64,
        dst_byte_size: std::mem::size_of_val(dst) as i64,
        count: count as i64,
        bad: &mut bad,
        ..sys::xlashape_exec::new()
    };
    // SAFETY: the library touches no more than the slices; they do not overlap, one being &mut.
    with_panic(check(|err| unsafe { sys::xlashape_plan_execute_ex(plan.get(), &exec, err) }))?;
    Ok(bad)
}
