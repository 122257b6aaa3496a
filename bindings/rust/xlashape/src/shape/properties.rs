// SPDX-License-Identifier: Apache-2.0
//! What a shape is made of.

use super::Shape;
use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::{calls, shape};
use crate::{Classes, ElementType, Layout, LayoutFields, Result};
use xlashape_sys as sys;

/// Which kind of shape it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// An array.
    Array,
    /// A tuple of shapes.
    Tuple,
    /// A token.
    Token,
    /// An opaque.
    Opaque,
    /// A buffer of an array: it answers as that does to everything asked of an array.
    Buffer,
}

impl Shape {
    /// Which kind of shape it is.
    pub fn category(&self) -> Category {
        match calls::xlashape_shape_category(&self.0) {
            sys::XLASHAPE_CATEGORY_TUPLE => Category::Tuple,
            sys::XLASHAPE_CATEGORY_TOKEN => Category::Token,
            sys::XLASHAPE_CATEGORY_BUFFER => Category::Buffer,
            sys::XLASHAPE_CATEGORY_ARRAY => Category::Array,
            _ => Category::Opaque,
        }
    }

    /// The array's type; `TUPLE`, `TOKEN` and `OPAQUE` for those.
    pub fn element_type(&self) -> ElementType {
        ElementType::known(calls::xlashape_shape_element_type(&self.0))
    }

    /// Number of dimensions; 0 if it is not an array.
    pub fn rank(&self) -> usize {
        calls::xlashape_shape_rank(&self.0) as usize
    }

    /// Sizes of the dimensions, bounds of dynamic ones, [`UNBOUNDED`](crate::UNBOUNDED); empty if it is not an array.
    pub fn dimensions(&self) -> Vec<i64> {
        calls::xlashape_shape_dimensions(&self.0).unwrap_or_default()
    }

    /// Which dimensions are dynamic.
    pub fn dynamic_dimensions(&self) -> Vec<bool> {
        let flags = calls::xlashape_shape_dynamic_dimensions(&self.0).unwrap_or_default();
        flags.into_iter().map(|flag| flag != 0).collect()
    }

    /// Whether any dimension inside is dynamic.
    pub fn is_dynamic(&self) -> bool {
        calls::xlashape_shape_is_dynamic(&self.0)
    }

    /// Whether any dimension inside is unbounded.
    pub fn is_unbounded(&self) -> bool {
        calls::xlashape_shape_is_unbounded(&self.0)
    }

    /// Whether any array inside has a dimension that is dynamic and bounded.
    pub fn is_bounded_dynamic(&self) -> bool {
        calls::xlashape_shape_is_bounded_dynamic(&self.0)
    }

    /// Whether both nest alike and every dynamic array of this shape fits its place in `bounds`.
    pub fn fits_bounds(&self, bounds: &Shape) -> bool {
        calls::xlashape_shape_fits_bounds(&self.0, &bounds.0)
    }

    /// The layout, where there is one.
    pub fn layout(&self) -> Option<Layout> {
        calls::xlashape_shape_layout(&self.0).ok().map(Layout)
    }

    /// Whether it is an array with a layout.
    pub fn has_layout(&self) -> bool {
        calls::xlashape_shape_has_layout(&self.0)
    }

    /// Whether every array inside has a layout.
    pub fn has_all_layouts(&self) -> bool {
        calls::xlashape_shape_has_all_layouts(&self.0)
    }

    /// Whether any array inside sets any of those fields of a layout.
    pub fn has_layout_fields(&self, fields: LayoutFields) -> bool {
        calls::xlashape_shape_has_layout_fields(&self.0, fields.bits())
    }

    /// Number of dimensions greater than 1.
    pub fn true_rank(&self) -> usize {
        calls::xlashape_shape_true_rank(&self.0) as usize
    }

    /// Whether it holds exactly one element.
    pub fn is_effective_scalar(&self) -> bool {
        calls::xlashape_shape_is_effective_scalar(&self.0)
    }

    /// Whether a dimension has size 1.
    pub fn has_degenerate_dimensions(&self) -> bool {
        calls::xlashape_shape_has_degenerate_dimensions(&self.0)
    }

    /// Whether only dimensions of size 1 are more major than `dimension`.
    pub fn is_effectively_most_major(&self, dimension: i64) -> bool {
        calls::xlashape_shape_is_effectively_most_major(&self.0, dimension)
    }

    /// Whether the last dimension is the most minor one.
    pub fn last_dimension_is_most_minor(&self) -> bool {
        calls::xlashape_shape_last_dimension_is_most_minor(&self.0)
    }

    /// Whether the tiles, if any, leave every element where it would be without them.
    pub fn is_untiled(&self) -> bool {
        calls::xlashape_shape_is_untiled(&self.0)
    }

    /// Whether the shape, or one inside, has that element type.
    pub fn has_element_type(&self, element_type: ElementType) -> bool {
        calls::xlashape_shape_has_element_type(&self.0, element_type.number())
    }

    /// Whether all leaves are arrays whose type is in all these classes.
    pub fn leaves_have_classes(&self, classes: Classes) -> bool {
        calls::xlashape_shape_leaves_have_classes(&self.0, classes.bits())
    }

    /// Whether every entry is within its dimension; false for an index of another rank.
    pub fn index_in_bounds(&self, index: &[i64]) -> bool {
        calls::xlashape_shape_index_in_bounds(&self.0, index)
    }

    /// Moves `index` to the next one, last dimension fastest. False at the end, and for another rank: it stays as it
    /// is.
    pub fn next_index(&self, index: &mut [i64]) -> bool {
        shape::shape_next_index(&self.0, index)
    }
}

/// A dimension counted from the end (-1 is the last one), as 0 to rank-1.
///
/// # Errors
/// `OutOfRange` for a dimension that does not exist.
pub fn dimension_number(rank: usize, dimension: i64) -> Result<i64> {
    calls::xlashape_dimension_number(number(ErrorKind::OutOfRange, "rank", rank)?, dimension)
}

/// The letter of a dimension in XLA's documentation (y x; z y x; p z y x), for ranks 2 to 4.
pub fn dimension_letter(rank: usize, dimension: i64) -> Option<char> {
    let letter = calls::xlashape_dimension_letter(i64::try_from(rank).ok()?, dimension) as u32;
    char::from_u32(letter).filter(|&letter| letter != '\0')
}

/// The dimension that has that letter.
///
/// # Errors
/// `NotFound` for a letter that names none.
pub fn dimension_from_letter(rank: usize, letter: char) -> Result<i64> {
    calls::xlashape_dimension_from_letter(number(ErrorKind::NotFound, "rank", rank)?, letter as i32)
}
