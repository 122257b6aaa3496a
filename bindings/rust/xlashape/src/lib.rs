// SPDX-License-Identifier: Apache-2.0
//! XLA's shapes and layouts without XLA.
//!
//! ```text
//! text -> Shape, Layout -> IndexMap: index <-> position
//!                       -> Plan:     bytes from one layout to another
//! ```
//!
//! * [`Shape`] and [`Layout`] read and write XLA's text byte for byte, know their sizes, and make new ones.
//!   [`Shape::read`] and [`Shape::with_words`] read how other projects write arrays and layouts.
//! * [`IndexMap`] converts between multidimensional and linear indices, exactly, for every layout.
//! * [`Target`] knows which layouts the compilers for TPUs, CPUs and GPUs choose.
//! * [`Plan`] moves arrays between any two layouts; [`relayout`] does it once.
//! * [`Shape::window`] and [`Slabs`] move arrays that do not fit into memory, part by part.
//! * [`Runtime`] holds the backends that do the moving, and takes a closure as [`Executor`].
//!
//! All of them are immutable, count references, and are `Send + Sync`. Bad input is an [`Error`] that names the place
//! and the value; nothing panics or aborts. `# Errors` says which there are; whatever allocates may also fail with
//! [`ErrorKind::NoMemory`].
//!
//! ```
//! use xlashape::{IndexMap, Plan, Shape};
//!
//! let image: Shape = "u8[3,4]".parse()?;
//! let tiled: Shape = "u8[3,4]{0,1:T(2,2)}".parse()?; // dimension 0 fastest, blocks of 2 x 2
//! let bytes = Plan::new(&image, &tiled)?.execute_to_vec(b"abcdefghijkl")?;
//! assert_eq!(bytes, b"aebfi\0j\0cgdhk\0l\0");
//! assert_eq!(IndexMap::new(&tiled)?.linear_index(&[2, 3])?, 14); // the position of the `l`
//! # Ok::<(), xlashape::Error>(())
//! ```
//!
//! Functions without a method here are available in [`sys`], the C ABI itself, with the handles of `as_raw`.
#![deny(missing_docs)]
#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]

#[macro_use]
mod macros;

mod element_type;
mod error;
#[allow(unsafe_code)] // the one place: see its own comment
mod ffi;
mod flags;
mod index_box;
mod index_map;
mod index_plan;
mod layout;
mod plan;
mod program_shape;
mod runtime;
mod scales;
mod shape;
mod target;
mod window;

pub use element_type::{ElementType, FloatFormat, PaddingValue};
pub use error::{Error, ErrorKind, Result};
pub use ffi::element::Element;
pub use ffi::executions::Executions;
pub use ffi::executor::{Executor, Tasks};
pub use ffi::foreign::{DlTensor, PjrtMemoryLayout};
pub use flags::{Bitcast, Classes, Ignore, LayoutFields};
pub use index_box::{IndexBox, Indices, Walk};
pub use index_map::{Batch, IndexMap, IndexOrder};
pub use index_plan::{Conversion, IndexPlan};
pub use layout::{
    byte_strides_are_row_major, Layout, LayoutBuilder, StridesPolicy, COMBINE_DIMENSION, MATCH_DIMENSION,
};
pub use plan::{relayout, FillPolicy, Plan, Relayout};
pub use program_shape::ProgramShape;
pub use runtime::{BackendInfo, BackendState, LogLevel, MemorySpace, Runtime, RuntimeBuilder};
pub use scales::Scales;
pub use shape::{
    common_factors, dimension_from_letter, dimension_letter, dimension_number, dimensions_unmodified_by_reshape,
    normalized_transpose, path_from_proto, path_to_proto, Arranged, BitcastKind, BitcastSteps, Category, Insert,
    MissingLayout, Notation, Permute, Shape, Sizes, Subshapes, Unit, UNBOUNDED,
};
pub use target::{Target, TargetOrder, TargetProperties};
pub use window::{Slab, SlabIter, Slabs, Window};
pub use xlashape_sys as sys;

values! { Layout, Shape, ProgramShape }

/// The version of the library in use, as "0.1.0".
pub fn version() -> &'static str {
    ffi::calls::xlashape_version().unwrap_or("")
}

/// What the library in use was built with, for reports of problems.
pub fn build_info() -> &'static str {
    ffi::calls::xlashape_build_info().unwrap_or("")
}

/// The XLA whose rules the library in use matches, as a date: yyyymmdd.
pub fn xla_version() -> u32 {
    ffi::calls::xlashape_xla_version()
}

/// The version of the library's C ABI: (major, minor).
pub fn abi_version() -> (u16, u16) {
    let version = ffi::calls::xlashape_abi_version();
    ((version >> 16) as u16, version as u16)
}
