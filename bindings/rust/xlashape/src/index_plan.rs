// SPDX-License-Identifier: Apache-2.0
//! Batches of index conversions, planned once, in memory of any space.

use crate::ffi::calls;
use crate::ffi::index::{backend, Prepared, Request};
use crate::{IndexMap, MemorySpace, Result, Runtime};
use std::fmt;
use xlashape_sys as sys;

/// A builder of an [`IndexPlan`]; [`plan`](Conversion::plan) makes the plan.
///
/// ```
/// use xlashape::{Conversion, IndexMap, Shape};
///
/// let map = IndexMap::new(&"u8[3,4]{0,1:T(2,2)}".parse::<Shape>()?)?;
/// let plan = Conversion::to_indices(&map).mark_invalid(true).plan()?;
/// let mut indices = [0; 6];
/// let invalid = plan.execute(&[0, 14, 5], &mut indices)?;
/// assert_eq!((invalid, indices), (1, [0, 0, 2, 3, -1, -1]));
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversion<'a> {
    map: &'a IndexMap,
    runtime: Option<&'a Runtime>,
    conversion: sys::xlashape_index_conversion,
    request: Request,
}

impl<'a> Conversion<'a> {
    fn new(map: &'a IndexMap, conversion: sys::xlashape_index_conversion) -> Self {
        Self { map, runtime: None, conversion, request: Request::default() }
    }

    /// Positions of elements.
    pub fn to_linear(map: &'a IndexMap) -> Self {
        Self::new(map, sys::XLASHAPE_CONVERSION_TO_LINEAR)
    }

    /// Indices of the elements at positions.
    pub fn to_indices(map: &'a IndexMap) -> Self {
        Self::new(map, sys::XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL)
    }

    setters! {
        /// The runtime whose backends and executor are used instead of the default one's.
        runtime(this, runtime: &'a Runtime) => this.runtime = Some(runtime);

        /// Whether invalid entries become -1 and are counted, instead of an error for the first one.
        /// Required on a queue.
        mark_invalid(this, mark: bool) => {
            this.request.flags &= !sys::XLASHAPE_INDEX_MARK_INVALID;
            this.request.flags |= if mark { sys::XLASHAPE_INDEX_MARK_INVALID } else { 0 };
        };

        /// Entry `d` of index `i` is number `i * index_step + d * dimension_step`; by default one index follows the
        /// other.
        steps(this, index_step: i64, dimension_step: i64) => {
            this.request.steps = (index_step, dimension_step);
        };

        /// The backend, by name.
        backend(this, name: &str) => this.request.backend = name.to_owned();

        /// Another backend may stand in for the one asked for.
        allow_fallback(this) => this.request.flags |= sys::XLASHAPE_PLAN_ALLOW_FALLBACK;

        /// Where the numbers are. Where a side is not the CPU's, there is only [`IndexPlan::execute_raw`].
        memory_spaces(this, src: MemorySpace, dst: MemorySpace) => {
            this.request.src_space = src.number();
            this.request.dst_space = dst.number();
        };

        /// The device of the backend, by number from 0; else the one that is current in the calling thread, or the
        /// first.
        device(this, number: u32) => this.request.device = Some(number);
    }

    /// A plan for many executions.
    ///
    /// # Errors
    /// `InvalidArgument` for steps below 1, `NotFound` for a backend and `OutOfRange` for a device that does not exist.
    pub fn plan(&self) -> Result<IndexPlan> {
        let runtime = self.runtime.map(|runtime| &runtime.0);
        Prepared::new(runtime, &self.map.0, self.conversion, &self.request).map(IndexPlan)
    }
}

/// A batch conversion that is ready to run, on any number of threads at once. Immutable; cloning counts a reference.
#[derive(Clone)]
pub struct IndexPlan(pub(crate) Prepared);

impl IndexPlan {
    /// Converts as many indices as the slice of positions has. Returns how many were invalid, 0 unless they are marked.
    ///
    /// # Errors
    /// `OutOfRange` with [`Error::index`](crate::Error::index) for the first invalid one, and for slices that are too
    /// short: then nothing is written. `Unsupported` for a plan on a device.
    pub fn execute(&self, src: &[i64], dst: &mut [i64]) -> Result<usize> {
        self.0.execute(src, dst)
    }

    /// The backend that runs it.
    pub fn backend(&self) -> &str {
        backend(&self.0.handle)
    }

    /// One line: backend, kernel. For people and tests; not stable.
    pub fn describe(&self) -> Result<String> {
        calls::xlashape_index_plan_describe(&self.0.handle)
    }
}

impl fmt::Debug for IndexPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexPlan({})", self.describe().map_err(|_| fmt::Error)?)
    }
}
