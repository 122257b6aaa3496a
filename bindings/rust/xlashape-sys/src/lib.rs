//! The C ABI of xlashape as it is: every function, struct and constant of `xlashape.h`,
//! with their C names. The header documents them. For everyday use take the crate `xlashape`.
//!
//! The declarations are generated from the file that the C library's own tests hold against its headers. Sizes and
//! alignments of all structs are asserted when this crate is compiled, the offsets of their fields by its tests.
//!
//! How the library is found, in this order:
//!
//! 1. `XLASHAPE_LIB_DIR`: the folder that has it. With `XLASHAPE_STATIC=1` the static library is linked.
//! 2. `pkg-config` (or what `PKG_CONFIG` names), which knows `PKG_CONFIG_PATH`.
//! 3. Otherwise the build stops and says what to do.
//!
//! Crates that depend on this one find the folders in `DEP_XLASHAPE_LIB_DIR` and `DEP_XLASHAPE_INCLUDE`.
#![no_std]
#![allow(non_camel_case_types)]

/// C's `char`, as `std::os::raw::c_char`: `core` has one from Rust 1.64 on.
#[cfg(all(
    any(
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "hexagon",
        target_arch = "powerpc",
        target_arch = "powerpc64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "s390x"
    ),
    not(any(target_vendor = "apple", windows))
))]
pub type c_char = u8;
/// C's `char`, as `std::os::raw::c_char`: `core` has one from Rust 1.64 on.
#[cfg(not(all(
    any(
        target_arch = "aarch64",
        target_arch = "arm",
        target_arch = "hexagon",
        target_arch = "powerpc",
        target_arch = "powerpc64",
        target_arch = "riscv32",
        target_arch = "riscv64",
        target_arch = "s390x"
    ),
    not(any(target_vendor = "apple", windows))
)))]
pub type c_char = i8;

#[rustfmt::skip]
mod declarations;
pub use declarations::*;
