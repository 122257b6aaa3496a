// SPDX-License-Identifier: Apache-2.0
//! Rust types whose slices hold an array's elements.

use crate::ElementType;
use std::mem::size_of_val;

/// A Rust type that a typed relayout moves: [`Plan::execute_typed`](crate::Plan::execute_typed). Implement it for types
/// of your own (a `bf16`, say) when the contract below holds.
///
/// # Safety
/// Every bit pattern is a valid value, there are no padding bytes, and a reference to it is a reference to plain bytes.
pub unsafe trait Element: Copy + 'static {
    /// Whether an array of `element_type` may be held in a slice of this type, one element in one entry.
    fn holds(element_type: ElementType) -> bool;
}

macro_rules! element {
    ($($rust:ty: $($name:ident)|+;)+) => {$(
        // SAFETY: a number, or an array of two, without padding: all bit patterns are values.
        unsafe impl Element for $rust {
            fn holds(element_type: ElementType) -> bool {
                matches!(element_type, $(ElementType::$name)|+)
            }
        }
    )+};
}

// Types that Rust does not have are held as their bits.
element! {
    u8: U8 | PRED | U1 | U2 | U4 | F8E5M2 | F8E4M3FN | F8E4M3B11FNUZ | F8E5M2FNUZ | F8E4M3FNUZ | F8E4M3 | F8E3M4
        | F8E8M0FNU | F4E2M1FN | F6E3M2FN | F6E2M3FN;
    i8: S8 | S1 | S2 | S4;
    u16: U16 | F16 | BF16;
    i16: S16;
    u32: U32;
    i32: S32;
    u64: U64;
    i64: S64;
    f32: F32;
    f64: F64;
    [f32; 2]: C64;
    [f64; 2]: C128;
}

pub(crate) fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

pub(crate) fn bytes_of_mut<T: Element>(elements: &mut [T]) -> &mut [u8] {
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}
