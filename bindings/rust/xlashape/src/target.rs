// SPDX-License-Identifier: Apache-2.0
//! Targets: the machines that XLA compiles for, and the layouts that their compilers choose.

use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::{calls, shape};
use crate::{ElementType, Error, Layout, Result, Shape};
use std::fmt;
use std::str::FromStr;
use xlashape_sys as sys;

/// A machine that XLA compiles for, found by its name. The layouts are those of the arrays that a program takes or
/// returns; for TPUs they agree with libtpu, which is not needed. Compiler flags, and layouts that a program asks for,
/// are not covered.
///
/// ```
/// use xlashape::{ElementType, Target};
///
/// let v5e: Target = "tpu:v5e".parse()?;
/// assert_eq!(v5e.name(), "tpu:v5e");
/// assert_eq!(v5e.layout(ElementType::F32, &[1000, 3])?.to_string(), "{0,1:T(4,128)}");
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target(sys::xlashape_target);

/// What is known of a target: [`Target::properties`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TargetProperties {
    /// Columns of a vector register, which are the most minor side of tiles; 0 where there are no tiles.
    pub lanes: usize,
    /// Rows of a vector register: a tile of 32-bit elements has as many, or fewer; 0 where there are no tiles.
    pub sublanes: usize,
    /// Bytes of one entry in the table that stands for a tuple in memory.
    pub pointer_bytes: usize,
    /// Bytes to which the size of that table is rounded up.
    pub tuple_alignment: usize,
}

/// Whose order an array that has a layout gets: [`Shape::for_target`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum TargetOrder {
    /// That which the target's compiler chooses.
    #[default]
    Choose = 0,
    /// Its own: only the tiles are chosen. An array without a layout gets the compiler's.
    Keep = sys::XLASHAPE_TARGET_KEEP_ORDER,
}

impl Target {
    /// All that the library in use lists, in its order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..calls::xlashape_target_count() as sys::xlashape_target).map(Self)
    }

    /// Its name: "cpu", "tpu:v5e".
    pub fn name(self) -> &'static str {
        calls::xlashape_target_name(self.0).unwrap_or_default()
    }

    /// The size of its registers and of its tuples.
    ///
    /// # Errors
    /// None, for a target of the library in use.
    pub fn properties(self) -> Result<TargetProperties> {
        let info = calls::xlashape_target_properties(self.0)?;
        Ok(TargetProperties {
            lanes: info.lanes as usize,
            sublanes: info.sublanes as usize,
            pointer_bytes: info.pointer_bytes as usize,
            tuple_alignment: info.tuple_alignment as usize,
        })
    }

    /// Bytes of the table of pointers that stands for a tuple of that many elements.
    ///
    /// # Errors
    /// `Overflow`.
    pub fn tuple_bytes(self, elements: usize) -> Result<usize> {
        let elements = number(ErrorKind::Overflow, "elements", elements)?;
        number(ErrorKind::Overflow, "the table's size", calls::xlashape_target_tuple_bytes(self.0, elements)?)
    }

    /// What a layout's memory space S(n) is there: "hbm", "vmem", "smem" or "host".
    ///
    /// # Errors
    /// `Unsupported` where that is not known.
    pub fn memory_space_name(self, memory_space: i64) -> Result<String> {
        calls::xlashape_target_memory_space_name(self.0, memory_space)
    }

    /// The layout that the compiler chooses for an array; of a bounded dynamic dimension, its bound counts.
    ///
    /// # Errors
    /// `Unsupported` for types that the target lacks and for unbounded dimensions, `InvalidArgument` for negative ones,
    /// `Overflow` where the array in its layout takes more bytes than fit 64 bits.
    pub fn layout(self, element_type: ElementType, dimensions: &[i64]) -> Result<Layout> {
        shape::target_layout(self.0, element_type.number(), dimensions, None).map(Layout)
    }

    /// The same, where the order is given and only the tiles are chosen.
    ///
    /// # Errors
    /// As [`Target::layout`]; `OutOfRange` for an order of another length than the dimensions, `InvalidArgument` if it
    /// is not a permutation.
    pub fn layout_with_order(
        self,
        element_type: ElementType,
        dimensions: &[i64],
        minor_to_major: &[i64],
    ) -> Result<Layout> {
        shape::target_layout(self.0, element_type.number(), dimensions, Some(minor_to_major)).map(Layout)
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({:?})", self.name())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Target {
    type Err = Error;

    /// The target with that name, or as others call it: `v5e`, `v5e:2x2`, `TPU v5 lite`, `cuda`. `NotFound` for other
    /// names, with those that exist.
    fn from_str(name: &str) -> Result<Self> {
        calls::xlashape_target_from_name(name).map(Self)
    }
}

impl Shape {
    /// The same shape with the layout that the target's compiler chooses for every array inside. Tokens and opaques in
    /// tuples stay.
    ///
    /// ```
    /// use xlashape::{Shape, TargetOrder};
    ///
    /// let shape: Shape = "(f32[1000,3], token[])".parse()?;
    /// let chosen = shape.for_target("tpu:v5e".parse()?, TargetOrder::Choose)?;
    /// assert_eq!(chosen.to_string(), "(f32[1000,3]{0,1:T(4,128)}, token[])");
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Target::layout`], with [`Error::index`], the number of the array among those in a tuple; `Unsupported` if
    /// it is a token or an opaque.
    pub fn for_target(&self, target: Target, order: TargetOrder) -> Result<Self> {
        calls::xlashape_shape_for_target(&self.0, target.0, order as u32).map(Self)
    }
}
