// SPDX-License-Identifier: Apache-2.0
//! Layouts: how an array's dimensions are arranged in memory.

use crate::error::ErrorKind;
use crate::ffi::call::number;
use crate::ffi::calls;
use crate::ffi::handle::Handle;
use crate::ffi::shape::{self, LayoutSpec};
use crate::{ElementType, Error, Ignore, PaddingValue, Result};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use xlashape_sys as sys;

/// `*` in a tile: merge with the next more minor dimension.
pub const COMBINE_DIMENSION: i64 = sys::XLASHAPE_COMBINE_DIMENSION;
/// `d` in a tile: the size of the dimension that it covers.
pub const MATCH_DIMENSION: i64 = sys::XLASHAPE_MATCH_DIMENSION;

/// An immutable layout. Cloning counts a reference; equality is XLA's.
///
/// ```
/// use xlashape::Layout;
///
/// let layout: Layout = "{1,0:T(8,128)(2,1)}".parse()?;
/// assert_eq!(layout.minor_to_major(), [1, 0]);
/// assert_eq!(layout.tiles(), [vec![8, 128], vec![2, 1]]);
/// assert_eq!(layout, Layout::builder([1, 0]).tile([8, 128]).tile([2, 1]).build()?);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct Layout(pub(crate) Handle<sys::xlashape_layout>);

/// How strides with gaps are converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum StridesPolicy {
    /// A gap after a dimension becomes its padded width.
    #[default]
    Padded = 0,
    /// Gaps are `Unsupported`.
    Compact = sys::XLASHAPE_STRIDES_COMPACT,
}

/// The memory spaces, S(n), that XLA has names for.
impl Layout {
    // members: LAYOUT_(SPACE_\w+) as pub const {NAME}: i64 = sys::{C} as i64;
    /// The device's default memory.
    pub const SPACE_DEFAULT: i64 = sys::XLASHAPE_LAYOUT_SPACE_DEFAULT as i64;
    /// Fast memory of the device.
    pub const SPACE_GENERIC_FAST: i64 = sys::XLASHAPE_LAYOUT_SPACE_GENERIC_FAST as i64;
    /// Pinned memory of the host.
    pub const SPACE_HOST: i64 = sys::XLASHAPE_LAYOUT_SPACE_HOST as i64;
    /// Other memory of the host.
    pub const SPACE_UNPINNED_HOST: i64 = sys::XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST as i64;
    /// Memory for collectives.
    pub const SPACE_COLLECTIVE: i64 = sys::XLASHAPE_LAYOUT_SPACE_COLLECTIVE as i64;
    // end of members
}

impl Layout {
    /// A builder of a layout with this order, most minor dimension first.
    pub fn builder(minor_to_major: impl Into<Vec<i64>>) -> LayoutBuilder {
        LayoutBuilder(LayoutSpec { minor_to_major: minor_to_major.into(), ..LayoutSpec::default() })
    }

    /// `{rank-1,...,0}`: row-major, XLA's default.
    ///
    /// # Errors
    /// `NoMemory`, `InvalidArgument` for a rank above the limit of lists (2^24).
    pub fn row_major(rank: usize) -> Result<Self> {
        calls::xlashape_layout_create_row_major(number(ErrorKind::InvalidArgument, "rank", rank)?).map(Self)
    }

    /// `{0,...,rank-1}`: column-major.
    ///
    /// # Errors
    /// As [`Layout::row_major`].
    pub fn column_major(rank: usize) -> Result<Self> {
        calls::xlashape_layout_create_column_major(number(ErrorKind::InvalidArgument, "rank", rank)?).map(Self)
    }

    /// The order of dimensions most major first.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not a permutation.
    pub fn from_major_to_minor(major_to_minor: &[i64]) -> Result<Self> {
        calls::xlashape_layout_create_major_to_minor(major_to_minor).map(Self)
    }

    /// The layout with these strides in bytes: ordered by stride; of equal strides the higher dimension is more minor.
    ///
    /// # Errors
    /// `Unsupported` for strides that are 0, negative, overlap, or do not divide each other.
    pub fn from_byte_strides(
        element_type: ElementType,
        dimensions: &[i64],
        byte_strides: &[i64],
        policy: StridesPolicy,
    ) -> Result<Self> {
        shape::layout_from_byte_strides(element_type.number(), dimensions, byte_strides, policy as u32).map(Self)
    }

    /// Parses the layout at the start of the text; returns it and the rest of the text.
    ///
    /// # Errors
    /// As for parsing a whole text, except that more may follow.
    pub fn parse_head(text: &str) -> Result<(Self, &str)> {
        let (layout, rest) = shape::layout_parse_head(text)?;
        Ok((Self(layout), rest))
    }

    /// A LayoutProto.
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`], or the rule that the message breaks.
    pub fn from_proto(bytes: &[u8]) -> Result<Self> {
        calls::xlashape_layout_from_proto(bytes, 0).map(Self)
    }

    /// This layout as a LayoutProto, as XLA serialises it.
    pub fn to_proto(&self) -> Result<Vec<u8>> {
        calls::xlashape_layout_to_proto(&self.0, 0)
    }

    /// The text of [`ToString`] in memory of the caller, which must have room for one more byte.
    ///
    /// # Errors
    /// `OutOfRange` for too little room.
    #[inline]
    pub fn print<'a>(&self, room: &'a mut [u8]) -> Result<&'a str> {
        shape::layout_print_in(&self.0, room)
    }

    /// Text that XLA itself can read.
    ///
    /// # Errors
    /// `Unsupported` for padded widths and padding values, which XLA's text cannot express.
    pub fn to_xla_string(&self) -> Result<String> {
        calls::xlashape_layout_print(&self.0, sys::XLASHAPE_PRINT_STRICT)
    }

    /// A builder that starts with this layout.
    pub fn to_builder(&self) -> LayoutBuilder {
        LayoutBuilder(LayoutSpec {
            minor_to_major: self.minor_to_major(),
            padded_dimensions: self.padded_dimensions().unwrap_or_default(),
            padding_value: calls::xlashape_layout_padding_value(&self.0),
            tiles: self.tiles(),
            element_size_in_bits: calls::xlashape_layout_element_size_in_bits(&self.0),
            tail_padding_alignment_in_elements: self.tail_padding_alignment_in_elements(),
            memory_space: self.memory_space(),
            splits: self.splits(),
            dynamic_shape_metadata_prefix_bytes: self.dynamic_shape_metadata_prefix_bytes(),
        })
    }

    /// A hash that is the same for layouts that are equal without these parts, within one process.
    pub fn hash_ignoring(&self, ignore: Ignore) -> u64 {
        calls::xlashape_layout_hash(&self.0, ignore.bits())
    }

    /// A tile level as in the text: "(8,128)".
    ///
    /// # Errors
    /// `OutOfRange` for a level that does not exist.
    pub fn tile_text(&self, level: usize) -> Result<String> {
        calls::xlashape_layout_print_tile(&self.0, number(ErrorKind::OutOfRange, "level", level)?)
    }

    /// A split as in the text: "(1:4,8)".
    ///
    /// # Errors
    /// `OutOfRange` for a split that does not exist.
    pub fn split_text(&self, split: usize) -> Result<String> {
        calls::xlashape_layout_print_split(&self.0, number(ErrorKind::OutOfRange, "split", split)?)
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        calls::xlashape_layout_rank(&self.0) as usize
    }

    /// Dimensions, the fastest first.
    pub fn minor_to_major(&self) -> Vec<i64> {
        calls::xlashape_layout_minor_to_major(&self.0).unwrap_or_default()
    }

    /// Dimensions, the slowest first.
    pub fn major_to_minor(&self) -> Vec<i64> {
        let mut order = self.minor_to_major();
        order.reverse();
        order
    }

    /// For each dimension, its place counted from the most major one.
    pub fn logical_to_physical(&self) -> Vec<i64> {
        calls::xlashape_layout_logical_to_physical(&self.0).unwrap_or_default()
    }

    /// Padded widths, if they are set.
    pub fn padded_dimensions(&self) -> Option<Vec<i64>> {
        calls::xlashape_layout_padded_dimensions(&self.0).ok().filter(|widths| !widths.is_empty())
    }

    /// The value that fills padding.
    pub fn padding_value(&self) -> PaddingValue {
        PaddingValue::from_number(calls::xlashape_layout_padding_value(&self.0))
    }

    /// The tile levels, the first applied first; sizes most major first, [`COMBINE_DIMENSION`] for `*`,
    /// [`MATCH_DIMENSION`] for `d`.
    pub fn tiles(&self) -> Vec<Vec<i64>> {
        let levels = calls::xlashape_layout_tile_count(&self.0);
        (0..levels).map(|level| calls::xlashape_layout_tile(&self.0, level).unwrap_or_default()).collect()
    }

    /// E(n): bits of an element, if it is set.
    pub fn element_size_in_bits(&self) -> Option<usize> {
        Some(calls::xlashape_layout_element_size_in_bits(&self.0) as usize).filter(|&bits| bits != 0)
    }

    /// L(n): the storage's size is a multiple of this many elements.
    pub fn tail_padding_alignment_in_elements(&self) -> i64 {
        calls::xlashape_layout_tail_padding_alignment_in_elements(&self.0)
    }

    /// S(n).
    pub fn memory_space(&self) -> i64 {
        calls::xlashape_layout_memory_space(&self.0)
    }

    /// M(n).
    pub fn dynamic_shape_metadata_prefix_bytes(&self) -> i64 {
        calls::xlashape_layout_dynamic_shape_metadata_prefix_bytes(&self.0)
    }

    /// SC(...): physical dimension (0 is the most major one) and the indices at which it is split.
    pub fn splits(&self) -> Vec<(i64, Vec<i64>)> {
        let count = calls::xlashape_layout_split_count(&self.0);
        (0..count).map(|split| shape::layout_split(&self.0, split).unwrap_or_default()).collect()
    }

    /// Whether dimensions are in order, dimension 0 the most major one.
    pub fn is_dim0_major(&self) -> bool {
        calls::xlashape_layout_is_dim0_major(&self.0)
    }

    /// Whether dimensions are in order, dimension 0 the most minor one.
    pub fn is_dim0_minor(&self) -> bool {
        calls::xlashape_layout_is_dim0_minor(&self.0)
    }

    /// Whether those dimensions, in any order, are neighbours in memory.
    pub fn are_dimensions_consecutive(&self, dimensions: &[i64]) -> bool {
        calls::xlashape_layout_are_dimensions_consecutive(&self.0, dimensions)
    }

    /// Equality that leaves out what `ignore` names, and nothing else: `==` is that of [`Ignore::XLA`].
    pub fn equals(&self, other: &Self, ignore: Ignore) -> bool {
        calls::xlashape_layout_equal(&self.0, &other.0, ignore.bits())
    }

    /// The same layout with `dimension` as the most major one.
    ///
    /// # Errors
    /// `OutOfRange` for a dimension that it does not have.
    pub fn move_dimension_to_major(&self, dimension: i64) -> Result<Self> {
        calls::xlashape_layout_move_dimension_to_major(&self.0, dimension).map(Self)
    }

    /// The same layout with `dimension` as the most minor one.
    ///
    /// # Errors
    /// `OutOfRange` for a dimension that it does not have.
    pub fn move_dimension_to_minor(&self, dimension: i64) -> Result<Self> {
        calls::xlashape_layout_move_dimension_to_minor(&self.0, dimension).map(Self)
    }

    /// The layout without those dimensions, the others renumbered.
    ///
    /// # Errors
    /// `Unsupported` when a tile covers one of them.
    pub fn delete_dimensions(&self, dimensions: &[i64]) -> Result<Self> {
        calls::xlashape_layout_delete_dimensions(&self.0, dimensions).map(Self)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        shape::layout_print_to(&self.0, |text| f.pad(text)).map_err(|_| fmt::Error)?
    }
}

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        calls::xlashape_layout_parse(text, 0).map(Self)
    }
}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(calls::xlashape_layout_hash(&self.0, sys::XLASHAPE_EQUAL_XLA));
    }
}

/// Whether those strides in bytes are those of a dense row-major array; strides of dimensions of size 1 do not count.
pub fn byte_strides_are_row_major(element_type: ElementType, dimensions: &[i64], byte_strides: &[i64]) -> bool {
    shape::byte_strides_are_row_major(element_type.number(), dimensions, byte_strides)
}

/// A builder of layouts: [`Layout::builder`].
#[derive(Clone, Debug)]
pub struct LayoutBuilder(LayoutSpec);

impl LayoutBuilder {
    setters! {
        /// One more tile level, sizes most major first; [`COMBINE_DIMENSION`] for `*`, [`MATCH_DIMENSION`] for `d`.
        tile(this, sizes: impl Into<Vec<i64>>) => this.0.tiles.push(sizes.into());

        /// Widths of the dimensions in memory, each at least the dimension; or none.
        padded_dimensions(this, widths: impl Into<Option<Vec<i64>>>) => {
            this.0.padded_dimensions = widths.into().unwrap_or_default();
        };

        /// The value that fills padding.
        padding_value(this, value: PaddingValue) => this.0.padding_value = value as i32;

        /// E(n): bits of an element; 0 for those of the type.
        element_size_in_bits(this, bits: i64) => this.0.element_size_in_bits = bits;

        /// L(n).
        tail_padding_alignment_in_elements(this, elements: i64) => this.0.tail_padding_alignment_in_elements = elements;

        /// S(n).
        memory_space(this, space: i64) => this.0.memory_space = space;

        /// One more SC(...): a physical dimension (0 is the most major one), and the indices at which it is split.
        split(this, dimension: i64, indices: impl Into<Vec<i64>>) => this.0.splits.push((dimension, indices.into()));

        /// M(n).
        dynamic_shape_metadata_prefix_bytes(this, bytes: i64) => this.0.dynamic_shape_metadata_prefix_bytes = bytes;
    }

    /// The layout, with all checks that need no shape.
    ///
    /// # Errors
    /// `InvalidArgument` with the rule that it breaks.
    pub fn build(&self) -> Result<Layout> {
        shape::layout_create(&self.0).map(Layout)
    }
}
