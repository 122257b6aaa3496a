// SPDX-License-Identifier: Apache-2.0
//! The one module with `unsafe` code: every call of the C library, and nothing else. What it gives to the rest of the
//! crate cannot be misused: handles that count references, slices in place of pointers, `Result` in place of a status.
//!
//! `calls` is generated from the ABI file, a row for each function, of which `rows` makes functions; what that file
//! cannot say is wrapped by hand. Each block rests on the contracts of the C headers: pointers are
//! valid for the counts given with them, nothing is kept after the call, handles are alive as long as a `Handle` is.

#[macro_use]
mod rows;

pub(crate) mod call;
#[rustfmt::skip]
pub(crate) mod calls;
pub(crate) mod element;
pub(crate) mod executions;
pub(crate) mod executor;
pub(crate) mod foreign;
pub(crate) mod handle;
pub(crate) mod index;
pub(crate) mod plan;
pub(crate) mod runtime;
pub(crate) mod shape;
pub(crate) mod watch;
pub(crate) mod window;
