//! A client of PJRT plugins: it loads one, moves arrays between the host and its devices, and copies them between devices.
//! Shapes and layouts are those of the crate xlashape.
//!
//! ```no_run
//! use pjrt::{HostArray, HostLayout, Plugin};
//! use xlashape::ElementType;
//!
//! let client = Plugin::load("plugin.so")?.client(&[("devices", "tpu:v5e,cpu".into())])?;
//! let devices = client.addressable_devices()?;
//! let buffer = devices[0].put(&HostArray::new(ElementType::F32, &[2, 3], &[0; 24]))?;
//! let mut back = [0; 24];
//! buffer.to_host(&mut back, &HostLayout::RowMajor)?;
//! # Ok::<(), pjrt::PjrtError>(())
//! ```
//!
//! Everything is dropped when nothing refers to it: a client lives as long as its devices, buffers and events. All of it may
//! be shared by threads.

mod buffer;
mod client;
mod device;
mod error;
mod event;
mod host;
#[rustfmt::skip]
pub mod pjrt_sys;
mod plugin;

pub use buffer::{Buffer, Transfer};
pub use client::Client;
pub use device::{Device, Memory, MemoryStats};
pub use error::{Code, PjrtError, Result};
pub use event::Event;
pub use host::{bytes_of, HostArray, HostLayout, Placement, Semantics};
pub use plugin::{NamedValue, Plugin};
