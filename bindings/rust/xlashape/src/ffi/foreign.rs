// SPDX-License-Identifier: Apache-2.0
//! Structs of others that hold pointers (PJRT, DLPack), and the way to the C API itself.

use super::call::check;
use super::executor::with_panic;
use super::handle::Handle;
use crate::layout::StridesPolicy;
use crate::{ElementType, IndexMap, IndexPlan, Layout, MemorySpace, Plan, Result, Runtime, Shape};
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use xlashape_sys as sys;

/// A `PJRT_Buffer_MemoryLayout` and the arrays it points to: [`Shape::to_pjrt`].
#[derive(Debug)]
pub struct PjrtMemoryLayout(Block);

/// A `DLTensor` with its shape and strides: [`Shape::to_dlpack`]. It does not own the data it points to.
#[derive(Debug)]
pub struct DlTensor<'a>(Block, PhantomData<&'a ()>);

/// Memory that holds a struct and what that points to, aligned for both; it stays where it is when it is moved.
struct Block(Box<[i64]>);

// SAFETY: plain memory. Nothing here follows the pointers in it.
unsafe impl Send for Block {}
unsafe impl Sync for Block {}

impl Block {
    fn fill(
        mut call: impl FnMut(*mut u8, i64, *mut i64, *mut sys::xlashape_error) -> sys::xlashape_status,
    ) -> Result<Self> {
        let mut needed = 0;
        check(|err| call(std::ptr::null_mut(), 0, &mut needed, err))?;
        let mut block = vec![0i64; (needed as usize + 7) / 8].into_boxed_slice();
        check(|err| call(block.as_mut_ptr().cast(), block.len() as i64 * 8, &mut needed, err))?;
        Ok(Self(block))
    }
}

impl PjrtMemoryLayout {
    /// Where the struct is. Valid as long as this value lives, also when it is moved.
    pub fn as_ptr(&self) -> *const c_void {
        self.0 .0.as_ptr().cast()
    }
}

impl DlTensor<'_> {
    /// Where the struct is. Valid as long as this value lives, also when it is moved.
    pub fn as_ptr(&self) -> *const c_void {
        self.0 .0.as_ptr().cast()
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ptr().fmt(f)
    }
}

impl Layout {
    /// The layout that a `PJRT_Buffer_MemoryLayout` describes, `Tiled` or `Strides`; the latter says nothing without
    /// the array's type and dimensions.
    ///
    /// # Errors
    /// As [`Layout::from_byte_strides`]; `Incompatible` for a struct that is too short.
    ///
    /// # Safety
    /// `memory_layout` points to that struct, and its pointers to what its counts say.
    pub unsafe fn from_pjrt(
        memory_layout: *const c_void,
        element_type: ElementType,
        dimensions: &[i64],
        policy: StridesPolicy,
    ) -> Result<Self> {
        let (rank, mut layout) = (dimensions.len() as i64, std::ptr::null_mut());
        check(|err| {
            let (kind, flags) = (element_type.number(), policy as u32);
            sys::xlashape_layout_from_pjrt(memory_layout, kind, dimensions.as_ptr(), rank, flags, &mut layout, err)
        })?;
        Ok(Self(Handle::owned(layout)))
    }
}

impl Shape {
    /// A `PJRT_Buffer_MemoryLayout` for this array's layout. `flags`: `sys::XLASHAPE_PJRT_*`.
    ///
    /// # Errors
    /// `Unsupported` for what that struct has no word for.
    pub fn to_pjrt(&self, flags: u32) -> Result<PjrtMemoryLayout> {
        let fill = |out, capacity, needed: *mut i64, err| unsafe {
            sys::xlashape_shape_to_pjrt(self.0.get(), flags, out, capacity, needed, err)
        };
        Ok(PjrtMemoryLayout(Block::fill(fill)?))
    }

    /// The shape of a `DLTensor`. `flags`: `sys::XLASHAPE_DLPACK_SUB_BYTE_PADDED` or 0.
    ///
    /// # Errors
    /// As [`Layout::from_byte_strides`]; `Unsupported` for element types that XLA does not have.
    ///
    /// # Safety
    /// `tensor` points to a `DLTensor`, and its `shape` and `strides` (which may be NULL) to `ndim` numbers each.
    pub unsafe fn from_dlpack(tensor: *const c_void, policy: StridesPolicy, flags: u32) -> Result<Self> {
        let mut shape = std::ptr::null_mut();
        check(|err| sys::xlashape_shape_from_dlpack(tensor, policy as u32 | flags, &mut shape, err))?;
        Ok(Self(Handle::owned(shape)))
    }

    /// A `DLTensor` of this shape over `data`, memory of the CPU with exactly the array's bytes.
    ///
    /// # Errors
    /// `Unsupported` for tiled layouts and others that strides cannot say, `OutOfRange` for another number of bytes.
    pub fn to_dlpack<'a>(&self, data: &'a [u8]) -> Result<DlTensor<'a>> {
        super::plan::expect_bytes("data", &self.0, data.len())?;
        let data = data.as_ptr() as *mut c_void;
        let block = Block::fill(|out, capacity, needed, err| unsafe {
            let (shape, space) = (self.0.get(), sys::XLASHAPE_SPACE_CPU);
            sys::xlashape_shape_to_dlpack(shape, 0, data, space, 0, 0, out, capacity, needed, err)
        })?;
        Ok(DlTensor(block, PhantomData))
    }

    /// The same over memory at an address of a device, which nothing here looks at. `flags` as in
    /// [`Shape::from_dlpack`].
    ///
    /// # Errors
    /// As [`Shape::to_dlpack`].
    pub fn to_dlpack_on(
        &self,
        flags: u32,
        address: usize,
        device: MemorySpace,
        device_id: i32,
        byte_offset: i64,
    ) -> Result<DlTensor<'static>> {
        let data = address as *mut c_void;
        let block = Block::fill(|out, capacity, needed, err| unsafe {
            let (shape, space) = (self.0.get(), device.number());
            let (id, offset) = (device_id, byte_offset);
            sys::xlashape_shape_to_dlpack(shape, flags, data, space, id, offset, out, capacity, needed, err)
        })?;
        Ok(DlTensor(block, PhantomData))
    }
}

impl Plan {
    /// One execution with everything that can be said about it: addresses on a device, a queue, some of the tasks.
    ///
    /// # Errors
    /// As the C function `xlashape_plan_execute_with`.
    ///
    /// # Safety
    /// The contract of that function: all that `options` refer to is there and stays until the queue has passed the
    /// work.
    pub unsafe fn execute_raw(&self, options: &sys::xlashape_execute_options) -> Result<()> {
        with_panic(check(|err| sys::xlashape_plan_execute_with(self.prepared.handle.get(), options, err)))
    }
}

impl IndexPlan {
    /// One execution with everything that can be said about it: addresses on a device, a queue, some of the tasks.
    /// `invalid`, if any, gets how many entries were invalid.
    ///
    /// # Errors
    /// As the C function `xlashape_index_plan_execute_with`.
    ///
    /// # Safety
    /// The contract of that function: all that is referred to is there and stays until the queue has passed the work.
    pub unsafe fn execute_raw(
        &self,
        count: i64,
        options: &sys::xlashape_execute_options,
        invalid: Option<&mut i64>,
    ) -> Result<()> {
        let invalid = invalid.map_or(std::ptr::null_mut(), |invalid| invalid);
        let plan = self.0.handle.get();
        with_panic(check(|err| sys::xlashape_index_plan_execute_with(plan, count, options, invalid, err)))
    }
}

macro_rules! raw {
    ($($name:ident, $handle:ident, $($field:tt).+;)+) => {$(
        impl $name {
            /// The C handle, for functions of [`sys`](crate::sys) that have no method here. It stays this value's:
            /// retain it to keep it longer.
            pub fn as_raw(&self) -> *mut sys::$handle {
                self.$($field).+.get()
            }
        }
    )+};
}

raw! {
    Layout, xlashape_layout, 0;
    Shape, xlashape_shape, 0;
    IndexMap, xlashape_index_map, 0;
    IndexPlan, xlashape_index_plan, 0.handle;
    Plan, xlashape_plan, prepared.handle;
    Runtime, xlashape_runtime, 0;
}

impl Layout {
    /// Takes over one reference to a C handle.
    ///
    /// # Safety
    /// `layout` is a layout of the library, and the caller gives its reference away.
    pub unsafe fn from_raw(layout: *mut sys::xlashape_layout) -> Self {
        Self(Handle::owned(layout))
    }
}

impl Shape {
    /// Takes over one reference to a C handle.
    ///
    /// # Safety
    /// `shape` is a shape of the library, and the caller gives its reference away.
    pub unsafe fn from_raw(shape: *mut sys::xlashape_shape) -> Self {
        Self(Handle::owned(shape))
    }
}
