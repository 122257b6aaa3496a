// SPDX-License-Identifier: Apache-2.0
//! A program's signature.

use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::handle::Handle;
use crate::ffi::{calls, shape};
use crate::{Ignore, LayoutFields, MissingLayout, Result, Shape};
use std::fmt;
use xlashape_sys as sys;

/// Parameters with names, and a result (`xla::ProgramShape`).
///
/// ```
/// use xlashape::{ProgramShape, Shape};
///
/// let x: Shape = "f32[2]".parse()?;
/// let program = ProgramShape::new([("x", &x)], &x)?;
/// assert_eq!(program.to_string(), "(x: f32[2]{0}) -> f32[2]{0}");
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct ProgramShape(Handle<sys::xlashape_program_shape>);

impl ProgramShape {
    /// A signature; names may be empty.
    pub fn new<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a Shape)>, result: &Shape) -> Result<Self> {
        let (names, shapes): (Vec<_>, Vec<_>) = parameters.into_iter().map(|(name, shape)| (name, &shape.0)).unzip();
        shape::program_shape_create(&shapes, &names, &result.0).map(Self)
    }

    /// The signature in a ProgramShapeProto.
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`](crate::Error::offset), or the rule that the message breaks.
    pub fn from_proto(bytes: &[u8], missing: MissingLayout) -> Result<Self> {
        calls::xlashape_program_shape_from_proto(bytes, missing as u32).map(Self)
    }

    /// A ProgramShapeProto.
    pub fn to_proto(&self) -> Result<Vec<u8>> {
        calls::xlashape_program_shape_to_proto(&self.0, 0)
    }

    /// Number of parameters.
    pub fn parameter_count(&self) -> usize {
        calls::xlashape_program_shape_parameter_count(&self.0) as usize
    }

    /// A parameter's name and shape.
    ///
    /// # Errors
    /// `OutOfRange` for a parameter that does not exist.
    pub fn parameter(&self, index: usize) -> Result<(String, Shape)> {
        let index = number(ErrorKind::OutOfRange, "index", index)?;
        let shape = calls::xlashape_program_shape_parameter(&self.0, index)?;
        Ok((calls::xlashape_program_shape_parameter_name(&self.0, index)?, Shape(shape)))
    }

    /// The result.
    pub fn result(&self) -> Result<Shape> {
        calls::xlashape_program_shape_result(&self.0).map(Shape)
    }

    /// Whether every array of the parameters and the result has a layout.
    pub fn has_all_layouts(&self) -> bool {
        calls::xlashape_program_shape_has_all_layouts(&self.0)
    }

    /// Row-major order for every array; those without a layout get one.
    pub fn with_default_layouts(&self) -> Result<Self> {
        calls::xlashape_program_shape_with_default_layouts(&self.0).map(Self)
    }

    /// The same without those fields of all layouts.
    pub fn without_layout_fields(&self, fields: LayoutFields) -> Result<Self> {
        calls::xlashape_program_shape_without_layout_fields(&self.0, fields.bits()).map(Self)
    }

    /// Equality of the shapes, which leaves out what `ignore` names: `==` is that of [`Ignore::XLA`].
    pub fn equals(&self, other: &Self, ignore: Ignore) -> bool {
        calls::xlashape_program_shape_equal(&self.0, &other.0, ignore.bits())
    }
}

impl fmt::Display for ProgramShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&calls::xlashape_program_shape_print(&self.0, 0).map_err(|_| fmt::Error)?)
    }
}
