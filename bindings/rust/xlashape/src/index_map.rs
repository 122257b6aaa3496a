// SPDX-License-Identifier: Apache-2.0
//! Multidimensional index <-> linear index, exact for every layout.

use crate::error::{fail, ErrorKind};
use crate::ffi::calls;
use crate::ffi::handle::Handle;
use crate::ffi::index::{linear_index, multidimensional_index, Prepared, Request};
use crate::{Result, Runtime, Shape};
use std::fmt;
use xlashape_sys as sys;

/// Converts indices of one shape. Immutable; cloning counts a reference.
///
/// ```
/// use xlashape::{IndexMap, Shape};
///
/// let map = IndexMap::new(&"bf16[128,256]{1,0:T(8,128)(2,1)}".parse::<Shape>()?)?;
/// assert_eq!(map.linear_index(&[9, 130])?, 3077);
/// assert_eq!(map.index(3077)?, Some(vec![9, 130]));
///
/// let mut positions = [0; 2];
/// map.linear_indices(&[9, 130, 0, 1], &mut positions)?;
/// assert_eq!(positions, [3077, 2]);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct IndexMap(pub(crate) Handle<sys::xlashape_index_map>);

impl IndexMap {
    /// The map of an array or a buffer.
    ///
    /// # Errors
    /// `Unsupported` if it is not an array and for unbounded dimensions, `Overflow`.
    pub fn new(shape: &Shape) -> Result<Self> {
        calls::xlashape_index_map_create(&shape.0).map(Self)
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        calls::xlashape_index_map_rank(&self.0) as usize
    }

    /// Positions of the storage: linear indices run from 0 to this, exclusive.
    pub fn storage_elements(&self) -> i64 {
        calls::xlashape_index_map_storage_elements(&self.0)
    }

    /// The position of the element at `index`, counted in elements.
    ///
    /// # Errors
    /// `OutOfRange` for an index outside of the bounds or of another rank.
    #[inline]
    pub fn linear_index(&self, index: &[i64]) -> Result<i64> {
        linear_index(&self.0, index)
    }

    /// The index of the element at a position; None if that is padding.
    ///
    /// # Errors
    /// `OutOfRange` for a position outside of the storage.
    pub fn index(&self, linear: i64) -> Result<Option<Vec<i64>>> {
        let mut index = vec![0; self.rank()];
        Ok(self.index_into(linear, &mut index)?.then_some(index))
    }

    /// The same into a slice of the shape's rank. Returns false for padding: all of `index` is then -1.
    ///
    /// # Errors
    /// As [`IndexMap::index`]; `OutOfRange` for a slice of another length.
    #[inline]
    pub fn index_into(&self, linear: i64, index: &mut [i64]) -> Result<bool> {
        multidimensional_index(&self.0, linear, index)
    }

    /// The positions of many elements: `indices` has all numbers of the first, then of the second, and so on.
    ///
    /// # Errors
    /// `OutOfRange` with [`Error::index`](crate::Error::index) for the first invalid one; answers before it are valid.
    /// And for slices whose lengths do not belong together.
    pub fn linear_indices(&self, indices: &[i64], linear: &mut [i64]) -> Result<()> {
        self.batch().linear_indices(indices, linear).map(drop)
    }

    /// The indices of the elements at many positions.
    ///
    /// # Errors
    /// As [`IndexMap::linear_indices`]; padding is invalid here.
    pub fn indices(&self, linear: &[i64], indices: &mut [i64]) -> Result<()> {
        self.batch().indices(linear, indices).map(drop)
    }

    /// Batches with options: the order of the numbers, the handling of invalid entries, the runtime.
    pub fn batch(&self) -> Batch<'_> {
        Batch { map: self, runtime: None, order: IndexOrder::Interleaved, flags: 0 }
    }
}

impl fmt::Debug for IndexMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("IndexMap");
        out.field("rank", &self.rank()).field("storage_elements", &self.storage_elements()).finish()
    }
}

/// The order of the numbers of a batch of indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexOrder {
    /// All numbers of the first index, then of the second: array of structures.
    #[default]
    Interleaved,
    /// All indices' numbers for dimension 0, then for dimension 1: structure of arrays.
    Planar,
}

/// A batch conversion: [`IndexMap::batch`]. Each call makes a plan, which takes about as long as some hundred
/// conversions: for many small batches keep an [`IndexPlan`](crate::IndexPlan).
///
/// ```
/// use xlashape::{IndexMap, IndexOrder, Shape};
///
/// let map = IndexMap::new(&"u8[3,4]{0,1:T(2,2)}".parse::<Shape>()?)?;
/// let (linear, mut indices) = ([0, 6, 14], [0; 6]);
/// let invalid = map.batch().order(IndexOrder::Planar).mark_invalid(true).indices(&linear, &mut indices)?;
/// assert_eq!((invalid, indices), (0, [0, 2, 2, 0, 1, 3]));
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<'a> {
    map: &'a IndexMap,
    runtime: Option<&'a Runtime>,
    order: IndexOrder,
    flags: u32,
}

impl<'a> Batch<'a> {
    setters! {
        /// The order of the numbers.
        order(this, order: IndexOrder) => this.order = order;

        /// Whether invalid entries become -1 and are counted, instead of an error for the first one.
        mark_invalid(this, mark: bool) => this.flags = if mark { sys::XLASHAPE_INDEX_MARK_INVALID } else { 0 };

        /// The runtime whose backends and executor are used instead of the default one's.
        runtime(this, runtime: &'a Runtime) => this.runtime = Some(runtime);
    }

    /// Positions of the elements at `indices`. Returns how many were invalid, 0 unless they are marked.
    ///
    /// # Errors
    /// As [`IndexMap::linear_indices`].
    pub fn linear_indices(&self, indices: &[i64], linear: &mut [i64]) -> Result<usize> {
        self.plan(sys::XLASHAPE_CONVERSION_TO_LINEAR, indices.len(), linear.len())?.execute(indices, linear)
    }

    /// Indices of the elements at the positions `linear`. Returns how many were invalid, 0 unless they are marked.
    ///
    /// # Errors
    /// As [`IndexMap::indices`].
    pub fn indices(&self, linear: &[i64], indices: &mut [i64]) -> Result<usize> {
        self.plan(sys::XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, indices.len(), linear.len())?.execute(linear, indices)
    }

    /// A plan for this batch alone: it takes about as long as some hundred conversions.
    fn plan(&self, conversion: sys::xlashape_index_conversion, entries: usize, count: usize) -> Result<Prepared> {
        let rank = self.map.rank();
        if count.checked_mul(rank) != Some(entries) {
            let wanted = count as u128 * rank as u128;
            let message = format!("the indices have {entries} entries, {count} of rank {rank} have {wanted}");
            return fail(ErrorKind::OutOfRange, message);
        }
        let (index_step, dimension_step) = match self.order {
            IndexOrder::Interleaved => (rank as i64, 1),
            IndexOrder::Planar => (1, count as i64),
        };
        let request =
            Request { flags: self.flags, steps: (index_step.max(1), dimension_step.max(1)), ..Request::default() };
        Prepared::new(self.runtime.map(|runtime| &runtime.0), &self.map.0, conversion, &request)
    }
}
