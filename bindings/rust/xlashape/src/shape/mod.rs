// SPDX-License-Identifier: Apache-2.0
//! Shapes: an array with its layout, a tuple of shapes, a token, an opaque, or a buffer of an array.

mod bitcast;
mod change;
mod properties;
mod sizes;
mod text;
mod tuple;
mod words;

pub use bitcast::{common_factors, dimensions_unmodified_by_reshape, normalized_transpose, BitcastKind, BitcastSteps};
pub use change::{Insert, Permute};
pub use properties::{dimension_from_letter, dimension_letter, dimension_number, Category};
pub use sizes::{Sizes, Unit};
pub use tuple::{path_from_proto, path_to_proto, Subshapes};
pub use words::{Arranged, Notation};

use crate::ffi::handle::Handle;
use crate::ffi::{calls, shape};
use crate::{ElementType, Error, Ignore, Layout, Result};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use xlashape_sys as sys;

/// A dimension of unknown size, `?`.
pub const UNBOUNDED: i64 = sys::XLASHAPE_DIMENSION_UNBOUNDED;

/// An immutable, valid shape. Cloning counts a reference; equality is XLA's.
///
/// ```
/// use xlashape::{ElementType, Layout, Shape};
///
/// let shape: Shape = "bf16[128,256]{1,0:T(8,128)(2,1)}".parse()?;
/// assert_eq!(shape.element_type(), ElementType::BF16);
/// assert_eq!(shape.dimensions(), [128, 256]);
/// assert_eq!(shape.byte_size()?, 65536);
///
/// let layout: Layout = "{1,0:T(8,128)(2,1)}".parse()?;
/// assert_eq!(shape, Shape::array(ElementType::BF16, &[128, 256])?.with_layout(&layout)?);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct Shape(pub(crate) Handle<sys::xlashape_shape>);

/// What an array without `{...}` in its text gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum MissingLayout {
    /// The row-major layout.
    #[default]
    RowMajor = 0,
    /// None: it stays without a layout.
    Keep = sys::XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT,
}

impl Shape {
    /// XLA's text, as [`str::parse`] reads it, with a say in what becomes of arrays without a layout.
    /// [`Shape::read`] takes the texts of other projects, too.
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`], or the rule that the shape breaks.
    pub fn parse(text: &str, missing: MissingLayout) -> Result<Self> {
        calls::xlashape_shape_parse(text, missing as u32).map(Self)
    }

    /// A row-major array; [`UNBOUNDED`] for dimensions of unknown size.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not an array type or dimension, `Overflow` for too many elements.
    pub fn array(element_type: ElementType, dimensions: &[i64]) -> Result<Self> {
        shape::shape_create_array(element_type.number(), dimensions, None, None).map(Self)
    }

    /// An array of which some dimensions are bounds of dynamic ones.
    ///
    /// # Errors
    /// As [`Shape::array`]; `OutOfRange` for a list of another length than the dimensions, `InvalidArgument` for an
    /// unbounded dimension that is not dynamic.
    pub fn dynamic_array(element_type: ElementType, dimensions: &[i64], dynamic: &[bool]) -> Result<Self> {
        let dynamic: Vec<u8> = dynamic.iter().map(|&flag| flag.into()).collect();
        shape::shape_create_array(element_type.number(), dimensions, Some(&dynamic), None).map(Self)
    }

    /// An array with that layout.
    ///
    /// # Errors
    /// As [`Shape::array`]; `InvalidArgument` for a layout that does not fit.
    pub fn array_with_layout(element_type: ElementType, dimensions: &[i64], layout: &Layout) -> Result<Self> {
        shape::shape_create_array(element_type.number(), dimensions, None, Some(&layout.0)).map(Self)
    }

    /// A tuple.
    ///
    /// # Errors
    /// `InvalidArgument` when it would nest too deep.
    pub fn tuple<'a>(elements: impl IntoIterator<Item = &'a Shape>) -> Result<Self> {
        let elements: Vec<_> = elements.into_iter().map(|shape| &shape.0).collect();
        calls::xlashape_shape_create_tuple(&elements).map(Self)
    }

    /// A token.
    pub fn token() -> Result<Self> {
        calls::xlashape_shape_create_token().map(Self)
    }

    /// An opaque.
    pub fn opaque() -> Result<Self> {
        calls::xlashape_shape_create_opaque().map(Self)
    }

    /// A buffer of an array.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not an array.
    pub fn buffer(array: &Shape) -> Result<Self> {
        calls::xlashape_shape_create_buffer(&array.0).map(Self)
    }

    /// Equality that leaves out what `ignore` names, and nothing else: `==` is that of [`Ignore::XLA`].
    pub fn equals(&self, other: &Self, ignore: Ignore) -> bool {
        calls::xlashape_shape_equal(&self.0, &other.0, ignore.bits())
    }

    /// Equality less layouts and dynamism, and what `ignore` also leaves out (`ShapeUtil::Compatible`).
    pub fn compatible(&self, other: &Self, ignore: Ignore) -> bool {
        calls::xlashape_shape_compatible(&self.0, &other.0, ignore.bits())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shape::shape_print_to(&self.0, |text| f.pad(text)).map_err(|_| fmt::Error)?
    }
}

impl FromStr for Shape {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, MissingLayout::RowMajor)
    }
}

impl Hash for Shape {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(calls::xlashape_shape_hash(&self.0, sys::XLASHAPE_EQUAL_XLA));
    }
}
