//! Decomposes a bitcast: one memory that is viewed as two arrays.

use crate::error::ErrorKind;
use crate::ffi::shape;
use crate::{Bitcast, Result, Shape};

/// What a bitcast is made of: see [`BitcastParts`].
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
/// `transpose2` is the other array; no part moves anything. All parts are set whatever the kind is.
#[derive(Clone, Debug)]
pub struct BitcastParts {
    /// Which parts change something.
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

impl Shape {
    /// Views this array's memory as `other`, in parts that are bitcasts, if there is such a decomposition
    /// (`ShapeUtil::DecomposeBitcast`). XLA's own answer: `Bitcast::XLA | Bitcast::IGNORE_ELEMENT_TYPE`.
    ///
    /// # Errors
    /// `Unsupported` for shapes that are not arrays.
    pub fn decompose_bitcast(&self, other: &Shape, flags: Bitcast) -> Result<Option<BitcastParts>> {
        match shape::shape_decompose_bitcast(&self.0, &other.0, flags.bits()) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            answer => answer.map(Some),
        }
    }
}
