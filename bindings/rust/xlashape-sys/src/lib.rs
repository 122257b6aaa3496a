//! The C ABI of xlashape as it is: every function, struct and constant of `xlashape.h` and `xlashape_util.h`, with their C
//! names. The headers document them. For everyday use take the crate `xlashape`.
//!
//! What backends see, too, is declared by `xlashape-backend-sys` and given out again here, with the rest of that crate: so a
//! backend that is linked into the program fits `xlashape_runtime_add_backend`.
//!
//! The declarations are generated from the file that the C library's own tests hold against its headers. The sizes of
//! all structs are asserted when this crate is compiled.
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

use core::marker::{PhantomData, PhantomPinned};
pub use xlashape_backend_sys::*;

macro_rules! handles {
    ($($name:ident),+) => {$(
        /// A handle's target. Threads: any thread, concurrently.
        #[repr(C)]
        pub struct $name {
            _data: [u8; 0],
            _not_auto: PhantomData<(*mut u8, PhantomPinned)>,
        }
    )+};
}

#[rustfmt::skip]
mod declarations;
pub use declarations::*;
