#![doc = include_str!("../README.md")]
// SPDX-License-Identifier: Apache-2.0
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
