// SPDX-License-Identifier: Apache-2.0
//! Sizes and strides: exact, all padding and tile levels counted.

use super::Shape;
use crate::error::{Error, ErrorKind};
use crate::ffi::call::number;
use crate::ffi::calls;
use crate::Result;
use xlashape_sys as sys;

/// All sizes of an array: [`Shape::sizes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Sizes {
    /// Bits that one element takes.
    pub element_bits: usize,
    /// Product of the dimensions.
    pub elements: usize,
    /// Positions: padding, tiles and tail counted.
    pub storage_elements: usize,
    /// Bytes of the elements alone at [`element_bits`](Self::element_bits) each, which E(n) says where the layout has
    /// it.
    pub logical_bytes: usize,
    /// Bytes of the elements alone, each in its type's own storage, or in E(n) where that is narrower: what something
    /// that knows no layout would count. The command's *logical bytes*.
    pub plain_bytes: usize,
    /// Bytes of the storage.
    pub bytes: usize,
    /// What XLA's `ShapeUtil::ArraySize` answers, where that does not overflow.
    pub xla_bytes: Option<usize>,
    /// Bytes up to and with the furthest element.
    pub data_bytes: usize,
    /// Positions that padded widths and tiles add.
    pub dimension_padding: usize,
    /// Positions that the tail alignment adds.
    pub tail_padding: usize,
}

impl Sizes {
    /// [`bytes`](Self::bytes) by [`plain_bytes`](Self::plain_bytes): 1 is no waste, and 4 what `pred[8]{0:E(32)}` has.
    /// 1 for an array without elements, too.
    pub fn waste(&self) -> f64 {
        match self.plain_bytes {
            0 => 1.0,
            data => self.bytes as f64 / data as f64,
        }
    }
}

/// What strides count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Unit {
    // members: UNIT_(\w+) as {Name} = sys::{C},
    /// Elements.
    Elements = sys::XLASHAPE_UNIT_ELEMENTS,
    /// Bytes.
    Bytes = sys::XLASHAPE_UNIT_BYTES,
    /// Bits.
    Bits = sys::XLASHAPE_UNIT_BITS,
    // end of members
}

fn unsigned(value: i64) -> Result<usize> {
    usize::try_from(value)
        .map_err(|_| Error::new(ErrorKind::Overflow, format!("{value} does not fit this machine's sizes")))
}

impl Shape {
    /// All sizes of an array.
    ///
    /// # Errors
    /// `Unsupported` if it is not an array and for unbounded dimensions, `Overflow`.
    pub fn sizes(&self) -> Result<Sizes> {
        let raw = calls::xlashape_shape_sizes(&self.0)?;
        let own_bits = calls::xlashape_element_type_storage_bits(self.element_type().number());
        let plain_bytes = match own_bits < raw.element_bits {
            true => raw.elements * i64::from(own_bits / 8), // less than logical_bytes, so that it fits
            false => raw.logical_bytes,
        };
        Ok(Sizes {
            element_bits: raw.element_bits as usize,
            elements: unsigned(raw.elements)?,
            storage_elements: unsigned(raw.storage_elements)?,
            logical_bytes: unsigned(raw.logical_bytes)?,
            plain_bytes: unsigned(plain_bytes)?,
            bytes: unsigned(raw.bytes)?,
            xla_bytes: usize::try_from(raw.xla_bytes).ok(),
            data_bytes: unsigned(raw.data_bytes)?,
            dimension_padding: unsigned(raw.dimension_padding)?,
            tail_padding: unsigned(raw.tail_padding)?,
        })
    }

    /// Bytes of an array's storage: what a buffer of it must have.
    ///
    /// # Errors
    /// As [`Shape::sizes`].
    pub fn byte_size(&self) -> Result<usize> {
        unsigned(calls::xlashape_shape_sizes(&self.0)?.bytes)
    }

    /// Bytes of the top-level buffer: of a tuple one pointer of `pointer_size` bytes per element, of an opaque one.
    ///
    /// # Errors
    /// As [`Shape::sizes`]; `Unsupported` where a pointer size is needed and 0.
    pub fn top_level_byte_size(&self, pointer_size: usize) -> Result<usize> {
        unsigned(calls::xlashape_shape_byte_size(
            &self.0,
            number(ErrorKind::Overflow, "pointer_size", pointer_size)?,
            0,
        )?)
    }

    /// The same as XLA computes it (`ShapeUtil::ByteSizeOf`), which looks at the first tile level only.
    ///
    /// # Errors
    /// As [`Shape::top_level_byte_size`].
    pub fn xla_byte_size(&self, pointer_size: usize) -> Result<usize> {
        let pointer = number(ErrorKind::Overflow, "pointer_size", pointer_size)?;
        unsigned(calls::xlashape_shape_byte_size(&self.0, pointer, sys::XLASHAPE_SIZE_XLA)?)
    }

    /// Bytes of all arrays inside.
    ///
    /// # Errors
    /// As [`Shape::sizes`]; `Unsupported` with an opaque inside.
    pub fn byte_size_recursive(&self) -> Result<usize> {
        unsigned(calls::xlashape_shape_byte_size_recursive(&self.0)?)
    }

    /// Product of the dimensions.
    ///
    /// # Errors
    /// As [`Shape::sizes`].
    pub fn element_count(&self) -> Result<usize> {
        unsigned(calls::xlashape_shape_element_count(&self.0)?)
    }

    /// Product of the bounded dimensions.
    ///
    /// # Errors
    /// As [`Shape::sizes`].
    pub fn static_element_count(&self) -> Result<usize> {
        unsigned(calls::xlashape_shape_static_element_count(&self.0)?)
    }

    /// Elements of all arrays inside.
    ///
    /// # Errors
    /// As [`Shape::sizes`].
    pub fn element_count_recursive(&self) -> Result<usize> {
        unsigned(calls::xlashape_shape_element_count_recursive(&self.0)?)
    }

    /// Distance in memory between neighbours of each dimension.
    ///
    /// # Errors
    /// `Unsupported` if tiles leave no single distance, and in bytes for elements that are not whole bytes.
    pub fn strides(&self, unit: Unit) -> Result<Vec<i64>> {
        calls::xlashape_shape_strides(&self.0, unit as i32)
    }

    /// Pieces of the array that begin and end at multiples of these, dimension by dimension, share no byte.
    ///
    /// # Errors
    /// `Unsupported` for what has no storage.
    pub fn piece_granularity(&self) -> Result<Vec<i64>> {
        calls::xlashape_shape_piece_granularity(&self.0)
    }

    /// Elements in the largest piece of a dimension's physical split.
    ///
    /// # Errors
    /// `OutOfRange` for a dimension that does not exist.
    pub fn max_split_size(&self, dimension: i64) -> Result<i64> {
        calls::xlashape_shape_max_split_size(&self.0, dimension)
    }

    /// Product of the dimensions' largest split pieces.
    ///
    /// # Errors
    /// `Overflow`, `Unsupported` as [`Shape::sizes`].
    pub fn max_elements_per_split(&self) -> Result<i64> {
        calls::xlashape_shape_max_elements_per_split(&self.0)
    }
}
