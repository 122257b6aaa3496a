// SPDX-License-Identifier: Apache-2.0
//! XLA's text of a shape in its variants, and protocol buffers.

use super::{MissingLayout, Shape};
use crate::ffi::{calls, shape};
use crate::{Ignore, Result};
use xlashape_sys as sys;

impl Shape {
    /// Parses the shape at the start of the text; returns it and the rest of the text.
    ///
    /// ```
    /// use xlashape::{MissingLayout, Shape};
    ///
    /// let (shape, rest) = Shape::parse_head("f32[2,3]{1,0} parameter(0)", MissingLayout::RowMajor)?;
    /// assert_eq!((shape.to_string().as_str(), rest), ("f32[2,3]{1,0}", " parameter(0)"));
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for parsing a whole text, except that more may follow.
    pub fn parse_head(text: &str, missing: MissingLayout) -> Result<(Self, &str)> {
        let (shape, rest) = shape::shape_parse_head(text, missing as u32)?;
        Ok((Self(shape), rest))
    }

    /// A hash that is the same for shapes that are equal with that left out, within one process.
    pub fn hash_ignoring(&self, ignore: Ignore) -> u64 {
        calls::xlashape_shape_hash(&self.0, ignore.bits())
    }

    /// The text without layouts.
    pub fn to_string_without_layout(&self) -> Result<String> {
        calls::xlashape_shape_print(&self.0, sys::XLASHAPE_PRINT_WITHOUT_LAYOUT)
    }

    /// The text, as [`ToString`] gives it, in memory of the caller's, which needs room for one byte more.
    ///
    /// # Errors
    /// `OutOfRange` for too little room.
    #[inline]
    pub fn print<'a>(&self, room: &'a mut [u8]) -> Result<&'a str> {
        shape::shape_print_in(&self.0, room)
    }

    /// Text that XLA itself can read.
    ///
    /// # Errors
    /// `Unsupported` for padded widths and padding values, which XLA's text cannot say.
    pub fn to_xla_string(&self) -> Result<String> {
        calls::xlashape_shape_print(&self.0, sys::XLASHAPE_PRINT_STRICT)
    }

    /// A ShapeProto, as XLA serialises it.
    pub fn to_proto(&self) -> Result<Vec<u8>> {
        calls::xlashape_shape_to_proto(&self.0, 0)
    }

    /// The shape in a ShapeProto.
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`](crate::Error::offset), or the rule that the message breaks.
    pub fn from_proto(bytes: &[u8], missing: MissingLayout) -> Result<Self> {
        calls::xlashape_shape_from_proto(bytes, missing as u32).map(Self)
    }
}
