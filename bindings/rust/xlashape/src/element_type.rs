// SPDX-License-Identifier: Apache-2.0
//! Element types, and what padding is filled with.

use crate::ffi::calls;
use crate::{Classes, Error, Result};
use std::fmt;
use std::str::FromStr;
use xlashape_sys as sys;

/// An element type, by its number in `xla_data.proto`. Types that later releases of XLA add are values, too.
///
/// ```
/// use xlashape::ElementType;
///
/// let bf16: ElementType = "bf16".parse()?;
/// assert_eq!(bf16, ElementType::BF16);
/// assert_eq!((bf16.bits(), bf16.to_string().as_str()), (16, "bf16"));
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementType(sys::xlashape_element_type);

/// What a floating-point type can hold (`xla::primitive_util`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatFormat {
    /// Bits, including the leading one, which is not stored: 24 for f32.
    pub significand_width: i32,
    /// Bits.
    pub exponent_width: i32,
    /// 127 for f32.
    pub exponent_bias: i32,
    /// The smallest n for which 2^(n-1) is a normal number: -125 for f32.
    pub underflow_exponent: i32,
    /// The smallest n > 0 for which 2^n is too large: 128 for f32.
    pub overflow_exponent: i32,
    /// It has infinities.
    pub has_infinity: bool,
    /// It has NaN.
    pub has_nan: bool,
    /// It has -0.
    pub has_negative_zero: bool,
    /// It has 0.
    pub has_positive_zero: bool,
}

macro_rules! types {
    ($($name:ident = $constant:ident,)+) => {
        #[allow(missing_docs)] // the names are XLA's
        impl ElementType {
            $(pub const $name: Self = Self(sys::$constant);)+

            /// All element types that have a name, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
        }
    };
}

types! {
    // members: TYPE_(?!INVALID)(\w+) as {NAME} = {C},
    PRED = XLASHAPE_TYPE_PRED,
    S8 = XLASHAPE_TYPE_S8,
    S16 = XLASHAPE_TYPE_S16,
    S32 = XLASHAPE_TYPE_S32,
    S64 = XLASHAPE_TYPE_S64,
    U8 = XLASHAPE_TYPE_U8,
    U16 = XLASHAPE_TYPE_U16,
    U32 = XLASHAPE_TYPE_U32,
    U64 = XLASHAPE_TYPE_U64,
    F16 = XLASHAPE_TYPE_F16,
    F32 = XLASHAPE_TYPE_F32,
    F64 = XLASHAPE_TYPE_F64,
    TUPLE = XLASHAPE_TYPE_TUPLE,
    OPAQUE = XLASHAPE_TYPE_OPAQUE,
    C64 = XLASHAPE_TYPE_C64,
    BF16 = XLASHAPE_TYPE_BF16,
    TOKEN = XLASHAPE_TYPE_TOKEN,
    C128 = XLASHAPE_TYPE_C128,
    F8E5M2 = XLASHAPE_TYPE_F8E5M2,
    F8E4M3FN = XLASHAPE_TYPE_F8E4M3FN,
    S4 = XLASHAPE_TYPE_S4,
    U4 = XLASHAPE_TYPE_U4,
    F8E4M3B11FNUZ = XLASHAPE_TYPE_F8E4M3B11FNUZ,
    F8E5M2FNUZ = XLASHAPE_TYPE_F8E5M2FNUZ,
    F8E4M3FNUZ = XLASHAPE_TYPE_F8E4M3FNUZ,
    S2 = XLASHAPE_TYPE_S2,
    U2 = XLASHAPE_TYPE_U2,
    F8E4M3 = XLASHAPE_TYPE_F8E4M3,
    F8E3M4 = XLASHAPE_TYPE_F8E3M4,
    S1 = XLASHAPE_TYPE_S1,
    U1 = XLASHAPE_TYPE_U1,
    F4E2M1FN = XLASHAPE_TYPE_F4E2M1FN,
    F8E8M0FNU = XLASHAPE_TYPE_F8E8M0FNU,
    BUFFER = XLASHAPE_TYPE_BUFFER,
    F6E3M2FN = XLASHAPE_TYPE_F6E3M2FN,
    F6E2M3FN = XLASHAPE_TYPE_F6E2M3FN,
    // end of members
}

impl ElementType {
    /// The type with this number, if the library knows one.
    pub fn from_number(number: i32) -> Option<Self> {
        calls::xlashape_element_type_name(number).filter(|_| number != sys::XLASHAPE_TYPE_INVALID).map(|_| Self(number))
    }

    /// The type that any project calls `name`; [`str::parse`] takes XLA's names alone.
    ///
    /// ```
    /// use xlashape::ElementType;
    ///
    /// for name in ["bfloat16", "torch.bfloat16", "BF16"] {
    ///     assert_eq!(ElementType::read(name)?, ElementType::BF16);
    /// }
    /// assert!(ElementType::read("flaot32").unwrap_err().message().contains("did you mean f32?"));
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `NotFound` with the nearest name, and for names that projects use for different types (`float`).
    pub fn read(name: &str) -> Result<Self> {
        calls::xlashape_element_type_read(name).map(Self)
    }

    pub(crate) fn known(number: sys::xlashape_element_type) -> Self {
        Self(number)
    }

    fn valid(number: sys::xlashape_element_type) -> Option<Self> {
        (number != sys::XLASHAPE_TYPE_INVALID).then_some(Self(number))
    }

    /// Its number in `xla_data.proto`.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// Its name in XLA's text: "bf16", "opaque", "tuple".
    pub fn name(self) -> &'static str {
        calls::xlashape_element_type_name(self.0).unwrap_or("unknown")
    }

    /// Bits of a value: pred 1, s4 4, f6e3m2fn 8; 0 if it is not an array type.
    pub fn bits(self) -> usize {
        calls::xlashape_element_type_bits(self.0) as usize
    }

    /// Bits of an element in memory unless the layout sets them; 0 if it is not an array type.
    pub fn storage_bits(self) -> usize {
        calls::xlashape_element_type_storage_bits(self.0) as usize
    }

    /// What it can hold; None if it is not a floating-point type.
    pub fn float_format(self) -> Option<FloatFormat> {
        let format = calls::xlashape_element_type_float_format(self.0).ok()?;
        Some(FloatFormat {
            significand_width: format.significand_width,
            exponent_width: format.exponent_width,
            exponent_bias: format.exponent_bias,
            underflow_exponent: format.underflow_exponent,
            overflow_exponent: format.overflow_exponent,
            has_infinity: format.has_infinity != 0,
            has_nan: format.has_nan != 0,
            has_negative_zero: format.has_negative_zero != 0,
            has_positive_zero: format.has_positive_zero != 0,
        })
    }

    /// Whether each value of this type is a value of `to`.
    pub fn cast_preserves_values(self, to: Self) -> bool {
        calls::xlashape_element_type_cast_preserves_values(self.0, to.0)
    }

    /// The classes it is in.
    pub fn classes(self) -> Classes {
        Classes::from_bits(calls::xlashape_element_type_classes(self.0))
    }

    /// c64 gives f32, c128 f64.
    pub fn complex_component(self) -> Option<Self> {
        Self::valid(calls::xlashape_element_type_complex_component(self.0))
    }

    /// f32 gives c64, f64 c128.
    pub fn complex(self) -> Option<Self> {
        Self::valid(calls::xlashape_element_type_complex(self.0))
    }

    /// The integral type of 1, 2, 4, 8, 16, 32 or 64 bits.
    pub fn integral(bits: usize, is_signed: bool) -> Option<Self> {
        Self::valid(calls::xlashape_element_type_integral(i32::try_from(bits).ok()?, is_signed.into()))
    }

    /// `PJRT_Buffer_Type`'s number for it.
    pub fn to_pjrt(self) -> Option<i32> {
        Some(calls::xlashape_element_type_to_pjrt(self.0)).filter(|&number| number != 0)
    }

    /// The type that a `PJRT_Buffer_Type` stands for.
    pub fn from_pjrt(number: i32) -> Option<Self> {
        Self::valid(calls::xlashape_element_type_from_pjrt(number))
    }

    /// The bytes of one padding element in its natural storage, little-endian.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not an array type.
    pub fn padding_element(self, value: PaddingValue) -> Result<Vec<u8>> {
        calls::xlashape_padding_element(self.0, value as i32)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ElementType({})", self.name())
    }
}

impl FromStr for ElementType {
    type Err = Error;

    /// The type that XLA calls `name`.
    fn from_str(name: &str) -> Result<Self> {
        calls::xlashape_element_type_from_name(name).map(Self)
    }
}

/// What the padding of a layout is filled with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum PaddingValue {
    /// None set: zeros.
    #[default]
    Invalid = sys::XLASHAPE_PAD_INVALID,
    // members: PAD_(?!INVALID)(\w+) as {Name} = sys::{C},
    /// Zero.
    Zero = sys::XLASHAPE_PAD_ZERO,
    /// One.
    One = sys::XLASHAPE_PAD_ONE,
    /// -inf if the type has it, else its most negative finite value.
    Lowest = sys::XLASHAPE_PAD_LOWEST,
    /// +inf if the type has it, else its largest finite value.
    Highest = sys::XLASHAPE_PAD_HIGHEST,
    /// Anything: zeros; [`FillPolicy::Unspecified`](crate::FillPolicy::Unspecified) may leave it unchanged.
    Unknown = sys::XLASHAPE_PAD_UNKNOWN,
    // end of members
}

impl PaddingValue {
    pub(crate) fn from_number(number: sys::xlashape_padding_value) -> Self {
        let known = [Self::Zero, Self::One, Self::Lowest, Self::Highest, Self::Unknown];
        known.into_iter().find(|&value| value as i32 == number).unwrap_or_default()
    }
}
