//! Texts that continue after a shape or a layout, as in programs.

use crate::ffi::calls;
use crate::{Layout, MissingLayout, Result, Shape};

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
        let (shape, end) = calls::shape_parse_head(text, missing.flags())?;
        Ok((Self(shape), text.get(end as usize..).unwrap_or("")))
    }
}

impl Layout {
    /// Parses the layout at the start of the text; returns it and the rest of the text.
    ///
    /// # Errors
    /// As for parsing a whole text, except that more may follow.
    pub fn parse_head(text: &str) -> Result<(Self, &str)> {
        let (layout, end) = calls::layout_parse_head(text)?;
        Ok((Self(layout), text.get(end as usize..).unwrap_or("")))
    }
}
