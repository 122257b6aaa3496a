// SPDX-License-Identifier: Apache-2.0
//! Tuples, and the shapes inside of shapes.

use super::Shape;
use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::{calls, shape};
use crate::{Ignore, Result};
use xlashape_sys as sys;

impl Shape {
    /// Elements of a tuple; 1 for a buffer, else 0.
    pub fn tuple_len(&self) -> usize {
        calls::xlashape_shape_tuple_element_count(&self.0) as usize
    }

    /// One element of a tuple.
    ///
    /// # Errors
    /// `OutOfRange` for an element that does not exist.
    pub fn tuple_element(&self, index: usize) -> Result<Self> {
        calls::xlashape_shape_tuple_element(&self.0, number(ErrorKind::OutOfRange, "index", index)?).map(Self)
    }

    /// The elements of a tuple, in order.
    pub fn tuple_elements(&self) -> impl Iterator<Item = Shape> + '_ {
        (0..self.tuple_len()).filter_map(move |index| self.tuple_element(index).ok())
    }

    /// The shape at a path into nested tuples; the empty path is the shape itself.
    ///
    /// # Errors
    /// `OutOfRange` for a path that leads nowhere.
    pub fn subshape(&self, path: &[i64]) -> Result<Self> {
        calls::xlashape_shape_subshape(&self.0, path).map(Self)
    }

    /// All shapes inside with their paths, itself first, tuples included, outer before inner.
    ///
    /// ```
    /// let shape: xlashape::Shape = "(f32[2], (s8[], token[]))".parse()?;
    /// let paths: Vec<_> = shape.leaves().map(|(path, _)| path).collect();
    /// assert_eq!(paths, [vec![0], vec![1, 0], vec![1, 1]]);
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    pub fn subshapes(&self) -> Subshapes<'_> {
        Subshapes { shape: self, flags: 0, path: None, left: self.subshape_count() }
    }

    /// The same, inner before outer.
    pub fn subshapes_post_order(&self) -> Subshapes<'_> {
        Subshapes { flags: sys::XLASHAPE_VISIT_POST_ORDER, ..self.subshapes() }
    }

    /// The shapes inside that are no tuples.
    pub fn leaves(&self) -> Subshapes<'_> {
        Subshapes { flags: sys::XLASHAPE_VISIT_LEAVES, left: self.leaf_count(), ..self.subshapes() }
    }

    /// Number of shapes inside that are no tuples.
    pub fn leaf_count(&self) -> usize {
        calls::xlashape_shape_leaf_count(&self.0) as usize
    }

    /// Number of shapes inside, itself and tuples included.
    pub fn subshape_count(&self) -> usize {
        calls::xlashape_shape_subshape_count(&self.0) as usize
    }

    /// Whether the tuples of this shape are prefixes of those of `other`, and all other parts equal those at the same
    /// place. The empty tuple is a prefix of everything.
    pub fn is_prefix_of(&self, other: &Shape, ignore: Ignore) -> bool {
        calls::xlashape_shape_is_prefix(&self.0, &other.0, ignore.bits())
    }

    /// Whether every path into this shape is one into `other`, whatever they lead to.
    pub fn structure_is_prefix_of(&self, other: &Shape) -> bool {
        calls::xlashape_shape_is_prefix(&self.0, &other.0, sys::XLASHAPE_EQUAL_STRUCTURE_ONLY)
    }

    /// The tuple of elements [first, limit).
    ///
    /// # Errors
    /// `OutOfRange` for elements that there are not.
    pub fn slice_tuple(&self, first: usize, limit: usize) -> Result<Self> {
        let place = |name, index| number(ErrorKind::OutOfRange, name, index);
        calls::xlashape_shape_slice_tuple(&self.0, place("first", first)?, place("limit", limit)?).map(Self)
    }

    /// The tuple with one more element.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not a tuple.
    pub fn append_to_tuple(&self, element: &Shape) -> Result<Self> {
        calls::xlashape_shape_append_to_tuple(&self.0, &element.0).map(Self)
    }

    /// The shape with another one at `path`.
    ///
    /// # Errors
    /// `OutOfRange` for a path that leads nowhere.
    pub fn replace_subshape(&self, path: &[i64], subshape: &Shape) -> Result<Self> {
        calls::xlashape_shape_replace_subshape(&self.0, path, &subshape.0).map(Self)
    }

    /// The arrays, and buffers of arrays, inside that have no layout, with their paths.
    pub fn missing_layouts(&self) -> Subshapes<'_> {
        let flags = sys::XLASHAPE_VISIT_MISSING_LAYOUTS;
        let mut all = Subshapes { shape: self, flags, path: None, left: usize::MAX };
        all.left = all.clone().count();
        all
    }

    /// One tuple of all leaves in order.
    pub fn flatten_tuple(&self) -> Result<Self> {
        calls::xlashape_shape_flatten_tuple(&self.0).map(Self)
    }
}

/// The shapes inside of one, with their paths: [`Shape::subshapes`].
#[derive(Clone, Debug)]
pub struct Subshapes<'a> {
    shape: &'a Shape,
    flags: u32,
    path: Option<Vec<i64>>,
    left: usize,
}

impl Iterator for Subshapes<'_> {
    type Item = (Vec<i64>, Shape);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        match shape::shape_next_subshape(&self.shape.0, self.flags, &mut self.path) {
            Ok(subshape) => Some((self.path.clone().unwrap_or_default(), Shape(subshape))),
            Err(_) => {
                self.left = 0;
                None
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Subshapes<'_> {}
impl std::iter::FusedIterator for Subshapes<'_> {}

/// A path into nested tuples as a ShapeIndexProto.
pub fn path_to_proto(path: &[i64]) -> Result<Vec<u8>> {
    calls::xlashape_path_to_proto(path)
}

/// The path in a ShapeIndexProto.
///
/// # Errors
/// `Parse` with [`Error::offset`](crate::Error::offset).
pub fn path_from_proto(bytes: &[u8]) -> Result<Vec<i64>> {
    calls::xlashape_path_from_proto(bytes)
}
