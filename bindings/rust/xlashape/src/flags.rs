// SPDX-License-Identifier: Apache-2.0
//! Sets of options: bits of the C API with names, joined by `|`.

macro_rules! flags {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $value:expr;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u32);

        impl $name {
            /// None of them.
            pub const NONE: Self = Self(0);
            $($(#[$item_doc])* pub const $item: Self = Self($value);)+

            /// The bits, as the C API has them.
            pub const fn bits(self) -> u32 {
                self.0
            }

            /// Whether all of `other` are in this set.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }
    };
}

use xlashape_sys as sys;

flags! {
    /// What a comparison leaves out. It applies inside tuples, too.
    Ignore {
        // members: EQUAL_(?!STRUCTURE)(?:IGNORE_)?(\w+) as {NAME} = sys::{C};
        /// All of the layout.
        LAYOUT = sys::XLASHAPE_EQUAL_IGNORE_LAYOUT;
        /// Tiles.
        TILES = sys::XLASHAPE_EQUAL_IGNORE_TILES;
        /// E(n).
        ELEMENT_SIZE = sys::XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE;
        /// S(n).
        MEMORY_SPACE = sys::XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE;
        /// L(n).
        TAIL_PADDING_ALIGNMENT = sys::XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT;
        /// SC(...).
        SPLIT_CONFIGS = sys::XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS;
        /// `padded_dimensions` and `padding_value`.
        PADDING = sys::XLASHAPE_EQUAL_IGNORE_PADDING;
        /// All of the layout but `minor_to_major`.
        MINOR_TO_MAJOR_ONLY = sys::XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY;
        /// The element type.
        ELEMENT_TYPE = sys::XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE;
        /// Which floating point type it is.
        FP_PRECISION = sys::XLASHAPE_EQUAL_IGNORE_FP_PRECISION;
        /// Which dimensions are dynamic; `?` matches any size.
        DYNAMIC_DIMENSION = sys::XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION;
        /// Dimensions; ranks still compare.
        DIMENSIONS = sys::XLASHAPE_EQUAL_IGNORE_DIMENSIONS;
        /// `b(X)` equals `X`.
        BUFFER = sys::XLASHAPE_EQUAL_IGNORE_BUFFER;
        /// M(n).
        METADATA_PREFIX = sys::XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX;
        /// What XLA's own `==` leaves out, and that of shapes and layouts here.
        XLA = sys::XLASHAPE_EQUAL_XLA;
        // end of members
    }
}

flags! {
    /// Fields of a layout, all but `minor_to_major`.
    LayoutFields {
        // members: LAYOUT_FIELD_(\w+) as {NAME} = sys::{C};
        /// The layout itself.
        ALL = sys::XLASHAPE_LAYOUT_FIELD_ALL;
        /// Tiles.
        TILES = sys::XLASHAPE_LAYOUT_FIELD_TILES;
        /// E(n).
        ELEMENT_SIZE = sys::XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE;
        /// S(n).
        MEMORY_SPACE = sys::XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE;
        /// L(n).
        TAIL_PADDING_ALIGNMENT = sys::XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT;
        /// SC(...).
        SPLIT_CONFIGS = sys::XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS;
        /// `padded_dimensions` and `padding_value`.
        PADDING = sys::XLASHAPE_LAYOUT_FIELD_PADDING;
        /// M(n).
        METADATA_PREFIX = sys::XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX;
        /// Everything that a host layout does not have.
        OF_DEVICE = sys::XLASHAPE_LAYOUT_FIELD_OF_DEVICE;
        // end of members
    }
}

flags! {
    /// How a bitcast is judged.
    Bitcast {
        // members: BITCAST_(?!KIND)(\w+) as {NAME} = sys::{C};
        /// XLA's narrower question: only `minor_to_major` and dimensions count.
        XLA = sys::XLASHAPE_BITCAST_XLA;
        /// Element types may differ; bits per element still count, except with `XLA`.
        IGNORE_ELEMENT_TYPE = sys::XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE;
        // end of members
    }
}

flags! {
    /// Classes of an element type, as XLA's `primitive_util` has them.
    Classes {
        // members: CLASS_(\w+) as {NAME} = sys::{C};
        /// May be the element type of an array.
        ARRAY = sys::XLASHAPE_CLASS_ARRAY;
        /// Floating point.
        FLOAT = sys::XLASHAPE_CLASS_FLOAT;
        /// Integral; not `pred`.
        INTEGRAL = sys::XLASHAPE_CLASS_INTEGRAL;
        /// Signed integral.
        SIGNED = sys::XLASHAPE_CLASS_SIGNED;
        /// Unsigned integral.
        UNSIGNED = sys::XLASHAPE_CLASS_UNSIGNED;
        /// Complex.
        COMPLEX = sys::XLASHAPE_CLASS_COMPLEX;
        /// 1, 2 or 4 bits; not `pred`.
        SUB_BYTE = sys::XLASHAPE_CLASS_SUB_BYTE;
        /// Floating point of 8 bits.
        F8 = sys::XLASHAPE_CLASS_F8;
        /// Floating point of 6 bits.
        F6 = sys::XLASHAPE_CLASS_F6;
        /// `f4e2m1fn` and `f8e8m0fnu`.
        MX = sys::XLASHAPE_CLASS_MX;
        // end of members
    }
}

impl Classes {
    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}
