#![doc = include_str!("../README.md")]
// SPDX-License-Identifier: Apache-2.0
#![no_std]
#![allow(non_camel_case_types)]

macro_rules! c_char {
    (unsigned: $($arch:literal)*) => {
        c_char!(u8 where all(any($(target_arch = $arch),*), not(any(target_vendor = "apple", windows))));
        c_char!(i8 where not(all(any($(target_arch = $arch),*), not(any(target_vendor = "apple", windows)))));
    };
    ($type:ident where $($condition:tt)*) => {
        /// C's `char`, as `std::os::raw::c_char`: `core` has one from Rust 1.64 on.
        #[cfg($($condition)*)]
        pub type c_char = $type;
    };
}

c_char! { unsigned: "aarch64" "arm" "hexagon" "powerpc" "powerpc64" "riscv32" "riscv64" "s390x" }

/// Zeros of a struct of C, whose first field is given, with its size where it is to hold that.
#[doc(hidden)]
#[macro_export]
macro_rules! sized {
    (struct_size, $zeros:ident) => {
        Self { struct_size: core::mem::size_of::<Self>() as u32, ..$zeros }
    };
    ($first:ident, $zeros:ident) => {
        $zeros
    };
}

/// Structs of C: `NAME of SIZE, SIZES { fields }`, with C's sizes where pointers have 64 bits and where they have 32. A
/// type here that is not C's shows in the size.
#[doc(hidden)]
#[macro_export]
macro_rules! structs {
    ($(
        $name:ident of $wide:literal, $($narrow:literal)|+ { $first:ident: $kind:ty, $($field:ident: $type:ty,)+ }
    )+) => {$(
        #[repr(C)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            pub $first: $kind,
            $(pub $field: $type,)+
        }

        impl $name {
            /// Everything at its default, `struct_size` set where there is one.
            pub const fn new() -> Self {
                // SAFETY: numbers, arrays of them, pointers and optional functions: zeros are a value of each.
                let zeros: Self = unsafe { core::mem::transmute([0u8; core::mem::size_of::<Self>()]) };
                $crate::sized!($first, zeros)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }

        const _: () = assert!(if cfg!(target_pointer_width = "64") {
            core::mem::size_of::<$name>() == $wide
        } else {
            matches!(core::mem::size_of::<$name>(), $($narrow)|+)
        });
    )+};
}

#[rustfmt::skip]
mod declarations;
pub use declarations::*;
