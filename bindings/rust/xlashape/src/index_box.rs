// SPDX-License-Identifier: Apache-2.0
//! Boxes of indices, and walking them: last dimension fastest, or in the order of a layout.

use crate::error::{fail, Error, ErrorKind};
use crate::ffi::shape::{box_index_at, box_index_count, box_next_index};
use crate::{Category, Result, Shape};

/// In each dimension the indices base, base+step, ... below base+count; with a step of 0 only the base.
///
/// ```
/// use xlashape::IndexBox;
///
/// let corner = IndexBox::new([1, 2], [2, 4]).step([1, 2]);
/// let indices: Vec<[i64; 2]> = corner.iter()?.collect();
/// assert_eq!(indices, [[1, 2], [1, 4], [2, 2], [2, 4]]);
///
/// let mut walk = corner.walk()?; // of any rank, without allocating per index
/// let mut sum = 0;
/// while let Some(index) = walk.next() {
///     sum += index[1];
/// }
/// assert_eq!(sum, 12);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexBox {
    base: Vec<i64>,
    count: Vec<i64>,
    step: Vec<i64>,
    order: Option<Vec<i64>>,
}

impl IndexBox {
    /// A box with step 1.
    pub fn new(base: impl Into<Vec<i64>>, count: impl Into<Vec<i64>>) -> Self {
        let (base, count) = (base.into(), count.into());
        let step = vec![1; base.len()];
        Self { base, count, step, order: None }
    }

    /// All indices of an array.
    ///
    /// # Errors
    /// `Unsupported` if it is not an array, and for unbounded dimensions.
    pub fn of(shape: &Shape) -> Result<Self> {
        if !matches!(shape.category(), Category::Array | Category::Buffer) {
            return fail(ErrorKind::Unsupported, format!("{shape} is no array: it has no indices"));
        }
        if shape.is_unbounded() {
            return fail(
                ErrorKind::Unsupported,
                format!("{shape} has an unbounded dimension: its indices have no end"),
            );
        }
        Ok(Self::new(vec![0; shape.rank()], shape.dimensions()))
    }

    /// The same box with other steps.
    pub fn step(mut self, step: impl Into<Vec<i64>>) -> Self {
        self.step = step.into();
        self
    }

    /// The same box walked in another order, its first dimension fastest: `layout.minor_to_major()`.
    pub fn order(mut self, minor_to_major: impl Into<Vec<i64>>) -> Self {
        self.order = Some(minor_to_major.into());
        self
    }

    /// How many indices it holds.
    ///
    /// # Errors
    /// As [`IndexBox::walk`], except for the order; also `Overflow` for more than fit 64 bits.
    pub fn index_count(&self) -> Result<i64> {
        let too_many = || Error::new(ErrorKind::Overflow, "the box holds more indices than fit 64 bits".to_owned());
        self.checked_count()?.ok_or_else(too_many)
    }

    /// Walks the indices with these numbers, so that threads can share a box.
    ///
    /// # Errors
    /// As [`IndexBox::walk`] and [`IndexBox::index_count`]; `OutOfRange` for numbers that the box does not have.
    pub fn walk_part(&self, numbers: std::ops::Range<i64>) -> Result<Walk<'_>> {
        let indices = self.index_count()?;
        if numbers.start < 0 || numbers.end > indices {
            return fail(ErrorKind::OutOfRange, format!("numbers {numbers:?} of a box that holds {indices} indices"));
        }
        let left = numbers.end.saturating_sub(numbers.start).max(0);
        if left == 0 {
            return Ok(self.walk_all(left));
        }
        let index = self.index_at(numbers.start)?;
        Ok(Walk { over: self, index, is_first: true, left, is_more: false })
    }

    /// All indices of a box that is known to be right, and to have so many.
    pub(crate) fn walk_all(&self, left: i64) -> Walk<'_> {
        Walk { over: self, index: self.base.clone(), is_first: true, left, is_more: false }
    }

    /// The index of that number.
    pub(crate) fn index_at(&self, number: i64) -> Result<Vec<i64>> {
        box_index_at(&self.base, &self.count, &self.step, self.order.as_deref(), number)
    }

    /// How many indices it has; None for more than fit 64 bits, although each index fits.
    fn checked_count(&self) -> Result<Option<i64>> {
        let rank = self.base.len();
        for (name, list) in [("count", &self.count), ("step", &self.step)] {
            if list.len() != rank {
                return fail(ErrorKind::OutOfRange, format!("{name} has {} entries, base has {rank}", list.len()));
            }
        }
        let indices = match box_index_count(&self.count, &self.step) {
            Err(error) if error.kind() == ErrorKind::Overflow => None,
            count => Some(count?),
        };
        for d in 0..rank {
            let (base, count, step) = (self.base[d], self.count[d], self.step[d]);
            if indices != Some(0) && step > 0 && base.checked_add((count - 1) / step * step).is_none() {
                let message = format!("base[{d}] is {base}: the box's last index does not fit 64 bits");
                return fail(ErrorKind::Overflow, message);
            }
        }
        Ok(indices)
    }

    /// Walks the indices, of any rank; each is borrowed until the next.
    ///
    /// # Errors
    /// `OutOfRange` for lists of different lengths, `InvalidArgument` for negative counts and steps and for an order
    /// that is no permutation of the dimensions, `Overflow` for a box whose last index does not fit 64 bits.
    pub fn walk(&self) -> Result<Walk<'_>> {
        let indices = self.checked_count()?;
        if let Some(order) = &self.order {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..self.base.len() as i64) {
                let message = format!("order {order:?} is no permutation of {} dimensions", self.base.len());
                return fail(ErrorKind::InvalidArgument, message);
            }
        }
        let left = indices.unwrap_or(i64::MAX);
        Ok(Walk { over: self, index: self.base.clone(), is_first: true, left, is_more: indices.is_none() })
    }

    /// The indices as arrays.
    ///
    /// # Errors
    /// As [`IndexBox::walk`]; `OutOfRange` when the box is not of rank `N`.
    pub fn iter<const N: usize>(&self) -> Result<Indices<'_, N>> {
        if self.base.len() != N {
            let message = format!("indices of {N} numbers were asked for, the box has rank {}", self.base.len());
            return fail(ErrorKind::OutOfRange, message);
        }
        Ok(Indices(self.walk()?))
    }
}

/// A walk over a box: [`IndexBox::walk`]. It is not an `Iterator`, since each index is borrowed.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    over: &'a IndexBox,
    index: Vec<i64>,
    is_first: bool,
    left: i64,     // indices still to come; nobody gets to the end of i64::MAX
    is_more: bool, // than that
}

impl Walk<'_> {
    /// The next index.
    #[allow(clippy::should_implement_trait)] // it lends
    #[inline]
    pub fn next(&mut self) -> Option<&[i64]> {
        if self.left > 0 && !std::mem::take(&mut self.is_first) {
            let over = self.over;
            if !box_next_index(&over.base, &over.count, &over.step, over.order.as_deref(), &mut self.index) {
                self.left = 0;
            }
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(self.index.as_slice())
    }
}

/// The indices of a box as arrays: [`IndexBox::iter`].
#[derive(Clone, Debug)]
pub struct Indices<'a, const N: usize>(Walk<'a>);

impl<const N: usize> Iterator for Indices<'_, N> {
    type Item = [i64; N];

    #[inline]
    fn next(&mut self) -> Option<[i64; N]> {
        self.0.next()?.try_into().ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match usize::try_from(self.0.left) {
            Ok(left) => (left, (!self.0.is_more).then_some(left)),
            Err(_) => (usize::MAX, None),
        }
    }
}

impl<const N: usize> std::iter::FusedIterator for Indices<'_, N> {}
