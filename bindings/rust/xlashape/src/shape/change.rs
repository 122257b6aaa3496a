// SPDX-License-Identifier: Apache-2.0
//! New shapes from old ones. Where a layout cannot follow, the answer is `Unsupported`, never one that means something
//! else.

use super::Shape;
use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::calls;
use crate::{ElementType, Layout, LayoutFields, Result};
use xlashape_sys as sys;

/// What a permutation of the dimensions keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Permute {
    /// The memory: the layout's dimensions are renumbered.
    #[default]
    KeepMemory = 0,
    /// The layout's order and tiles: the memory changes.
    KeepLayout = sys::XLASHAPE_PERMUTE_KEEP_LAYOUT,
}

/// Where inserted dimensions go in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Insert {
    /// Next to the dimension before which they come, more major.
    #[default]
    Beside = 0,
    /// They become the most major ones.
    MostMajor = sys::XLASHAPE_INSERT_MOST_MAJOR,
}

impl Shape {
    /// The same array with another layout.
    ///
    /// # Errors
    /// `InvalidArgument` for a layout that does not fit, and if it is not an array.
    pub fn with_layout(&self, layout: &Layout) -> Result<Self> {
        calls::xlashape_shape_with_layout(&self.0, Some(&layout.0)).map(Self)
    }

    /// The same array without a layout.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not an array.
    pub fn without_layout(&self) -> Result<Self> {
        calls::xlashape_shape_with_layout(&self.0, None).map(Self)
    }

    /// The same shape with those fields of the layout unset in every array inside.
    pub fn without_layout_fields(&self, fields: LayoutFields) -> Result<Self> {
        calls::xlashape_shape_without_layout_fields(&self.0, fields.bits()).map(Self)
    }

    /// Row-major order for every array inside, all else of its layout as it was.
    ///
    /// # Errors
    /// `InvalidArgument` for a layout that does not fit the new order.
    pub fn with_default_layouts(&self) -> Result<Self> {
        calls::xlashape_shape_with_default_layouts(&self.0).map(Self)
    }

    /// This shape with the layouts of `from`, array by array.
    ///
    /// # Errors
    /// `InvalidArgument` where tuples or ranks differ, or a layout does not fit.
    pub fn with_layouts_of(&self, from: &Shape) -> Result<Self> {
        calls::xlashape_shape_copy_layouts(&from.0, &self.0).map(Self)
    }

    /// E(n) set to the value's bits for arrays of less than 8 bits, unset for others.
    pub fn with_packed_elements(&self) -> Result<Self> {
        calls::xlashape_shape_with_packed_elements(&self.0).map(Self)
    }

    /// Every array inside with that element type.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not an array type.
    pub fn with_element_type(&self, element_type: ElementType) -> Result<Self> {
        calls::xlashape_shape_with_element_type(&self.0, element_type.number()).map(Self)
    }

    /// `new.dimensions()[i] == old.dimensions()[permutation[i]]`
    ///
    /// # Errors
    /// `OutOfRange` if it is not a permutation of the dimensions.
    pub fn permute_dimensions(&self, permutation: &[i64], keep: Permute) -> Result<Self> {
        calls::xlashape_shape_permute_dimensions(&self.0, permutation, keep as u32).map(Self)
    }

    /// The same memory with dimensions permuted so that its layout is row-major.
    ///
    /// # Errors
    /// `Unsupported` without a layout.
    pub fn to_physical_order(&self) -> Result<Self> {
        calls::xlashape_shape_to_physical_order(&self.0).map(Self)
    }

    /// New dimensions before dimension `at` (0 to rank).
    ///
    /// # Errors
    /// `Unsupported` where they would come under a tile, `OutOfRange` for `at`.
    pub fn insert_dimensions(&self, at: usize, sizes: &[i64], place: Insert) -> Result<Self> {
        let at = number(ErrorKind::OutOfRange, "at", at)?;
        calls::xlashape_shape_insert_dimensions(&self.0, at, sizes, place as u32).map(Self)
    }

    /// The shape without those dimensions, in any order, each once.
    ///
    /// # Errors
    /// `Unsupported` if a tile covers one of them, `OutOfRange` for one that does not exist.
    pub fn delete_dimensions(&self, dimensions: &[i64]) -> Result<Self> {
        calls::xlashape_shape_delete_dimensions(&self.0, dimensions).map(Self)
    }

    /// Without the dimensions of size 1, in the same memory.
    ///
    /// # Errors
    /// `Unsupported` where padding or tiles make that impossible.
    pub fn drop_degenerate_dimensions(&self) -> Result<Self> {
        calls::xlashape_shape_drop_degenerate_dimensions(&self.0).map(Self)
    }

    /// The shape with another size, and dynamism, of one dimension.
    ///
    /// # Errors
    /// `InvalidArgument` where the layout no longer fits, and for a size of [`UNBOUNDED`](crate::UNBOUNDED) that is not
    /// dynamic.
    pub fn with_dimension(&self, dimension: i64, size: i64, is_dynamic: bool) -> Result<Self> {
        calls::xlashape_shape_with_dimension(&self.0, dimension, size, is_dynamic.into()).map(Self)
    }

    /// Bounds as static sizes everywhere inside.
    ///
    /// # Errors
    /// `Unsupported` for an unbounded dimension.
    pub fn to_static(&self) -> Result<Self> {
        calls::xlashape_shape_to_static(&self.0).map(Self)
    }

    /// The array with other dynamic dimensions; unbounded ones must be dynamic.
    ///
    /// # Errors
    /// `InvalidArgument`, `OutOfRange` for a list of another length than the dimensions.
    pub fn with_dynamic_dimensions(&self, dynamic: &[bool]) -> Result<Self> {
        let dynamic: Vec<u8> = dynamic.iter().map(|&flag| flag.into()).collect();
        calls::xlashape_shape_with_dynamic_dimensions(&self.0, &dynamic).map(Self)
    }
}
