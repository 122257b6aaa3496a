// SPDX-License-Identifier: Apache-2.0
//! Bitcasts and reshapes: when an array needs no moving.

use super::Shape;
use crate::error::ErrorKind;
use crate::ffi::{calls, shape};
use crate::{Bitcast, Layout, Result};

/// What a bitcast is made of: see [`BitcastSteps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitcastKind {
    /// A reshape is enough.
    Reshape,
    /// A transpose is enough, the first.
    Transpose,
    /// Transpose, reshape, transpose.
    Trt,
}

/// An array transposed by `transpose1` is `reshape_from`, that reshaped is `reshape_to`, and that transposed by
/// `transpose2` is the other array; no step moves anything. All are set whatever the kind is.
#[derive(Clone, Debug)]
pub struct BitcastSteps {
    /// Which steps change something.
    pub kind: BitcastKind,
    /// The first transpose, in the form of [`Shape::permute_dimensions`].
    pub transpose1: Vec<i64>,
    /// The first transpose's result.
    pub reshape_from: Shape,
    /// The reshape's result.
    pub reshape_to: Shape,
    /// The second transpose.
    pub transpose2: Vec<i64>,
}

/// None where the library answers that there is none.
fn found<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        answer => answer.map(Some),
    }
}

fn pairs(flat: Vec<i64>) -> Vec<(i64, i64)> {
    flat.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

impl Shape {
    /// Whether reshaping this array to the dimensions of `other` moves nothing.
    pub fn reshape_is_bitcast(&self, other: &Shape, flags: Bitcast) -> bool {
        calls::xlashape_shape_reshape_is_bitcast(&self.0, &other.0, flags.bits())
    }

    /// Whether that transpose moves nothing: `other.dimensions()[i] == self.dimensions()[permutation[i]]`.
    pub fn transpose_is_bitcast(&self, other: &Shape, permutation: &[i64], flags: Bitcast) -> bool {
        calls::xlashape_shape_transpose_is_bitcast(&self.0, &other.0, permutation, flags.bits())
    }

    /// Either of them, for some permutation.
    pub fn is_reshape_or_transpose_bitcast(&self, other: &Shape, flags: Bitcast) -> bool {
        calls::xlashape_shape_is_reshape_or_transpose_bitcast(&self.0, &other.0, flags.bits())
    }

    /// The permutation that makes this array transposed to `other` a bitcast, if there is one.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that are not arrays.
    pub fn deduce_transpose(&self, other: &Shape, flags: Bitcast) -> Result<Option<Vec<i64>>> {
        found(calls::xlashape_shape_deduce_transpose(&self.0, &other.0, flags.bits()))
    }

    /// A layout for `dimensions` that makes the reshape to them a bitcast, if there is one.
    ///
    /// # Errors
    /// `OutOfRange` where the numbers of elements differ.
    pub fn align_layouts(&self, dimensions: &[i64], flags: Bitcast) -> Result<Option<Layout>> {
        Ok(found(calls::xlashape_shape_align_layouts(&self.0, dimensions, flags.bits()))?.map(Layout))
    }

    /// When the reshape to `other` only takes away and adds dimensions of size 1: which went and which are new.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that are not arrays.
    pub fn inserted_or_deleted_ones(&self, other: &Shape) -> Result<Option<(Vec<i64>, Vec<i64>)>> {
        found(shape::shape_inserted_or_deleted_ones(&self.0, &other.0))
    }

    /// Views this array's memory as `other`, in steps that are bitcasts, if there is such a decomposition
    /// (`ShapeUtil::DecomposeBitcast`). XLA's own answer: `Bitcast::XLA | Bitcast::IGNORE_ELEMENT_TYPE`.
    ///
    /// # Errors
    /// `Unsupported` for shapes that are not arrays.
    pub fn decompose_bitcast(&self, other: &Shape, flags: Bitcast) -> Result<Option<BitcastSteps>> {
        found(shape::shape_decompose_bitcast(&self.0, &other.0, flags.bits()))
    }
}

/// Both lists cut into the smallest runs of equal product: pairs of starts, the last being the two ranks.
///
/// # Errors
/// `OutOfRange` where the products differ.
pub fn common_factors(a: &[i64], b: &[i64]) -> Result<Vec<(i64, i64)>> {
    calls::xlashape_common_factors(a, b).map(pairs)
}

/// The dimensions that a reshape of `a` to `b` leaves alone, as pairs.
///
/// # Errors
/// `OutOfRange` where the products differ.
pub fn dimensions_unmodified_by_reshape(a: &[i64], b: &[i64]) -> Result<Vec<(i64, i64)>> {
    calls::xlashape_dimensions_unmodified_by_reshape(a, b).map(pairs)
}

/// A transpose with dimensions of size 1 dropped and those that stay together merged: (dimensions of the result,
/// permutation).
///
/// # Errors
/// `OutOfRange` if it is not a permutation of the dimensions.
pub fn normalized_transpose(dimensions: &[i64], permutation: &[i64]) -> Result<(Vec<i64>, Vec<i64>)> {
    shape::normalized_transpose(dimensions, permutation)
}
