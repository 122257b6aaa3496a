//! The plugin ABI of xlashape as it is: every struct and constant of `xlashape_backend.h`, and those of `xlashape.h` that a
//! backend sees; `xlashape-sys` gives all of them out again. That header and `docs/backends.md` of the library document them.
//!
//! Declarations alone: a backend calls none of the library's functions and never links it. `backend-example` beside
//! this crate is a whole backend.
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
