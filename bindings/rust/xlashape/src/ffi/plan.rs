// SPDX-License-Identifier: Apache-2.0
//! Plans over slices: before each execution the slices are checked against what the plan may touch.

use super::call::{backend_name, check, device, nanoseconds, new, number, same_len, static_text, text};
use super::calls;
use super::executor::{with_panic, Executor};
use super::handle::{optional, Handle};
use crate::error::{fail, Error, ErrorKind};
use crate::{Result, Scales};
use std::time::Duration;
use xlashape_sys as sys;

type Shape = Handle<sys::xlashape_shape>;
type Runtime = Handle<sys::xlashape_runtime>;

/// What may be said about a relayout, as `xlashape_relayout_options` has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub flags: u32,
    pub fill_policy: sys::xlashape_fill_policy,
    pub src_space: sys::xlashape_memory_space,
    pub dst_space: sys::xlashape_memory_space,
    pub device: Option<u32>,
    pub backend: String,
    pub src_strides: Option<Strides>,
    pub dst_strides: Option<Strides>,
    pub src_base: Option<Vec<i64>>,
    pub dst_base: Option<Vec<i64>>,
    pub extent: Option<Vec<i64>>,
    pub scales: Option<Scales>,
}

/// A side given by strides.
#[derive(Clone, Debug)]
pub(crate) enum Strides {
    /// Index 0...0 is at byte `offset` of the slice.
    Bytes { strides: Vec<i64>, offset: usize },
    /// The slice begins with element 0; index 0...0 is element `first`.
    Elements { strides: Vec<i64>, first: i64 },
}

impl Strides {
    fn offset(&self) -> usize {
        match self {
            Self::Bytes { offset, .. } => *offset,
            Self::Elements { .. } => 0,
        }
    }
}

impl Request {
    /// Makes the call with the C struct, for shapes of the rank of `src`. It points into this request.
    fn with<T>(&self, src: &Shape, call: impl FnOnce(&sys::xlashape_relayout_options) -> Result<T>) -> Result<T> {
        let backend = backend_name(&self.backend)?;
        let rank = calls::xlashape_shape_rank(src).max(0) as usize;
        let (src_bytes, src_elements, src_first_element) = strides(&self.src_strides);
        let (dst_bytes, dst_elements, dst_first_element) = strides(&self.dst_strides);
        call(&sys::xlashape_relayout_options {
            flags: self.flags,
            fill_policy: self.fill_policy,
            src_space: self.src_space,
            dst_space: self.dst_space,
            device: device(self.device)?,
            backend: if self.backend.is_empty() { std::ptr::null() } else { backend.as_ptr() },
            src_byte_strides: same_len("src_byte_strides", src_bytes, rank)?,
            dst_byte_strides: same_len("dst_byte_strides", dst_bytes, rank)?,
            src_element_strides: same_len("src_element_strides", src_elements, rank)?,
            dst_element_strides: same_len("dst_element_strides", dst_elements, rank)?,
            src_first_element,
            dst_first_element,
            src_base: same_len("src_base", self.src_base.as_deref(), rank)?,
            dst_base: same_len("dst_base", self.dst_base.as_deref(), rank)?,
            extent: same_len("extent", self.extent.as_deref(), rank)?,
            ..self.scales.as_ref().map_or(Ok(sys::xlashape_relayout_options::new()), with_scales)?
        })
    }
}

/// (byte strides, element strides, first element) of a side
fn strides(side: &Option<Strides>) -> (Option<&[i64]>, Option<&[i64]>, i64) {
    match side {
        None => (None, None, 0),
        Some(Strides::Bytes { strides, .. }) => (Some(strides), None, 0),
        Some(Strides::Elements { strides, first }) => (None, Some(strides), *first),
    }
}

/// Options that say only these scales, and point into them.
fn with_scales(scales: &Scales) -> Result<sys::xlashape_relayout_options> {
    let Scales { scale, zero_point, dimension } = scales;
    match zero_point {
        Some(points) if points.len() != scale.len() => {
            let message = format!("zero_point has {} entries, scale has {}", points.len(), scale.len());
            fail(ErrorKind::OutOfRange, message)
        }
        points => Ok(sys::xlashape_relayout_options {
            scale_count: scale.len() as i64,
            scale: scale.as_ptr(),
            zero_point: points.as_ref().map_or(std::ptr::null(), |points| points.as_ptr()),
            scale_dimension: number(ErrorKind::OutOfRange, "scale_dimension", *dimension)?,
            ..sys::xlashape_relayout_options::new()
        }),
    }
}

/// Which slices a side accepts: of `min` bytes, and up to `slack` more. A device's side accepts none: `min` is
/// usize::MAX.
#[derive(Clone, Copy, Debug)]
struct Room {
    name: &'static str,
    offset: usize,
    min: usize,
    slack: usize,
    alignment: usize,
}

impl Room {
    fn new(
        name: &'static str,
        strides: &Option<Strides>,
        shape: &Shape,
        (low, high): (i64, i64),
        alignment: i64,
    ) -> Result<Self> {
        let alignment = alignment.max(1) as usize;
        let offset = match strides {
            None => {
                let bytes = calls::xlashape_shape_sizes(shape)?.bytes as usize;
                debug_assert!(low >= 0 && high as usize <= bytes);
                return Ok(Self { name, offset: 0, min: bytes, slack: 0, alignment });
            }
            Some(strides) => strides.offset(),
        };
        if low < 0 && low.unsigned_abs() > offset as u64 {
            let message = format!("{name} reaches {} bytes before index 0...0, its offset is {offset}", -low);
            return fail(ErrorKind::OutOfRange, message);
        }
        match offset.checked_add(high.max(0) as usize) {
            Some(min) => Ok(Self { name, offset, min, slack: usize::MAX - min, alignment }),
            None => fail(ErrorKind::Overflow, format!("the offset of {name} is {offset}: too large")),
        }
    }

    fn is_device(&self) -> bool {
        self.min == usize::MAX
    }

    #[inline]
    fn fits(&self, slice: &[u8]) -> bool {
        slice.len().wrapping_sub(self.min) <= self.slack
    }

    /// The bytes of an admitted slice from index 0...0 on. Strides may also reach those before it,
    /// which C would refuse.
    #[inline]
    fn bytes(&self, len: usize) -> i64 {
        if self.offset == 0 {
            len as i64
        } else {
            sys::XLASHAPE_UNCHECKED.into()
        }
    }

    /// The slow way to say yes, and all ways to say no.
    #[cold]
    fn admit(&self, slice: &[u8]) -> Result<()> {
        if !self.fits(slice) {
            return Err(self.refuse(slice.len()));
        }
        let place = slice.as_ptr() as usize;
        if place.wrapping_add(self.offset) % self.alignment == 0 {
            return Ok(());
        }
        let message = format!("{} is at {place:#x}, the plan wants multiples of {}", self.name, self.alignment);
        fail(ErrorKind::InvalidArgument, message)
    }

    fn refuse(&self, len: usize) -> Error {
        if self.is_device() {
            let message = format!("{} lies on a device: use execute_raw with its address", self.name);
            return Error::new(ErrorKind::Unsupported, message);
        }
        let at_least = if self.slack == 0 { "" } else { "at least " };
        let message = format!("{} has {len} bytes, the plan needs {at_least}{}", self.name, self.min);
        Error::new(ErrorKind::OutOfRange, message)
    }
}

/// The address of position 0, or of index 0...0, and how many bytes from there on may be touched.
pub(crate) struct Place {
    pub address: u64,
    pub bytes: i64,
}

/// A plan with what must hold for its buffers.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub handle: Handle<sys::xlashape_plan>,
    src: Room,
    dst: Room,
}

impl Prepared {
    /// `budget`: for how long the plan is measured; None: not at all.
    pub(crate) fn new(
        runtime: Option<&Runtime>,
        src: &Shape,
        dst: &Shape,
        request: &Request,
        budget: Option<Duration>,
    ) -> Result<Self> {
        let how = match budget {
            None => None,
            Some(budget) => Some(sys::xlashape_measure_options {
                budget_ns: nanoseconds("budget", budget)?,
                ..sys::xlashape_measure_options::new()
            }),
        };
        let runtime = optional(runtime);
        // SAFETY: what the options point to outlives the call.
        let plan = request.with(src, |options| {
            new(|out, err| unsafe {
                match &how {
                    None => sys::xlashape_plan_create(runtime, src.get(), dst.get(), options, out, err),
                    Some(how) => {
                        sys::xlashape_plan_create_measured(runtime, src.get(), dst.get(), options, how, out, err)
                    }
                }
            })
        });
        let handle = with_panic(plan)?; // the executor runs where the plan is measured
        let needs = calls::xlashape_plan_get_requirements(&handle)?;
        let src_range = (needs.src_low, needs.src_high);
        let dst_range = (needs.dst_low, needs.dst_high);
        let mut from = Room::new("src", &request.src_strides, src, src_range, needs.src_alignment)?;
        let mut to = Room::new("dst", &request.dst_strides, dst, dst_range, needs.dst_alignment)?;
        for (room, space) in [(&mut from, request.src_space), (&mut to, request.dst_space)] {
            if space != 0 && space != sys::XLASHAPE_SPACE_CPU {
                (room.min, room.slack) = (usize::MAX, 0);
            }
        }
        Ok(Self { handle, src: from, dst: to })
    }

    /// Bytes that a slice of the source and of the destination must have; strided: at least; 0 for a device's.
    pub(crate) fn bytes(&self) -> (usize, usize) {
        let bytes = |room: &Room| if room.is_device() { 0 } else { room.min };
        (bytes(&self.src), bytes(&self.dst))
    }

    /// Zeros for the destination of that source. Its size may come from a few characters of a layout, so that it must
    /// neither be asked for too early, nor end the program.
    pub(crate) fn room_for_dst(&self, src: &[u8]) -> Result<Vec<u8>> {
        self.src.admit(src)?;
        if self.dst.is_device() {
            return Err(self.dst.refuse(0));
        }
        let bytes = self.dst.min;
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let layout = std::alloc::Layout::array::<u8>(bytes).ok();
        // SAFETY: the size is not 0; the vector gets what was allocated with the layout that it will free it with.
        unsafe {
            match layout.map_or(std::ptr::null_mut(), |layout| std::alloc::alloc_zeroed(layout)) {
                room if room.is_null() => {
                    fail(ErrorKind::NoMemory, format!("dst takes {bytes} bytes: there is no memory for them"))
                }
                room => Ok(Vec::from_raw_parts(room, bytes, bytes)),
            }
        }
    }

    /// What an execution between these slices takes.
    pub(crate) fn admit(&self, src: &[u8], dst: &mut [u8]) -> Result<(Place, Place)> {
        self.src.admit(src)?;
        self.dst.admit(dst)?;
        let place =
            |room: &Room, start: u64, len| Place { address: start + room.offset as u64, bytes: room.bytes(len) };
        Ok((place(&self.src, src.as_ptr() as u64, src.len()), place(&self.dst, dst.as_mut_ptr() as u64, dst.len())))
    }

    #[inline]
    pub(crate) fn execute(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        // One branch for everyday plans; backends for the CPU rarely want an alignment.
        if !(self.src.fits(src) & self.dst.fits(dst) & (self.src.alignment | self.dst.alignment == 1)) {
            self.src.admit(src)?;
            self.dst.admit(dst)?;
        }
        // SAFETY: the slices hold all that the plan touches; they do not overlap, one being &mut.
        let result = check(|err| unsafe {
            let (from, to) = (src.as_ptr().add(self.src.offset), dst.as_mut_ptr().add(self.dst.offset));
            let (src_bytes, dst_bytes) = (self.src.bytes(src.len()), self.dst.bytes(dst.len()));
            sys::xlashape_plan_execute(self.handle.get(), from.cast(), src_bytes, to.cast(), dst_bytes, err)
        });
        match result {
            Ok(()) => Ok(()),
            failed => with_panic(failed),
        }
    }

    pub(crate) fn execute_in_place(&self, array: &mut [u8]) -> Result<()> {
        self.src.admit(array)?;
        self.dst.admit(array)?;
        let (start, len) = (array.as_mut_ptr(), array.len());
        // SAFETY: the slice holds all that either side touches, and both pointers come from the one &mut. The library
        // refuses sides that overlap, unless the plan is one that may.
        with_panic(check(|err| unsafe {
            let (from, to) = (start.add(self.src.offset), start.add(self.dst.offset));
            let (src_bytes, dst_bytes) = (self.src.bytes(len), self.dst.bytes(len));
            sys::xlashape_plan_execute(self.handle.get(), from.cast(), src_bytes, to.cast(), dst_bytes, err)
        }))
    }

    pub(crate) fn execute_with(&self, executor: &Executor, src: &[u8], dst: &mut [u8]) -> Result<()> {
        let (src, dst) = self.admit(src, dst)?;
        let executor = executor.raw();
        let options = sys::xlashape_execute_options {
            src: src.address,
            src_bytes: src.bytes,
            dst: dst.address,
            dst_bytes: dst.bytes,
            executor: &executor,
            ..sys::xlashape_execute_options::new()
        };
        // SAFETY: as above; the executor outlives the call.
        with_panic(check(|err| unsafe { sys::xlashape_plan_execute_with(self.handle.get(), &options, err) }))
    }

    pub(crate) fn backend(&self) -> &str {
        backend(&self.handle)
    }
}

pub(crate) fn backend(plan: &Handle<sys::xlashape_plan>) -> &str {
    // SAFETY: the name lives as long as the plan, and so as what is borrowed here.
    unsafe { static_text(sys::xlashape_plan_backend(plan.get())) }.unwrap_or("")
}

/// (source, destination)
pub(crate) fn shapes(plan: &Handle<sys::xlashape_plan>) -> Result<(Shape, Shape)> {
    let mut dst = std::ptr::null_mut();
    let src = new(|src, err| unsafe { sys::xlashape_plan_shapes(plan.get(), src, &mut dst, err) })?;
    // SAFETY: the call has succeeded, and gives this reference away, too.
    Ok((src, unsafe { Handle::owned(dst) }))
}

/// The key of such a plan.
pub(crate) fn key(src: &Shape, dst: &Shape, request: &Request) -> Result<String> {
    // SAFETY: as above.
    let key = request.with(src, |options| {
        text(|out, capacity, needed, err| unsafe {
            sys::xlashape_plan_key(src.get(), dst.get(), options, out, capacity, needed, err)
        })
    })?;
    // What a plan has here beside the library's.
    let offset = |side: &Option<Strides>| side.as_ref().map_or(0, Strides::offset);
    Ok(match (offset(&request.src_strides), offset(&request.dst_strides)) {
        (0, 0) => key,
        (src, dst) => format!("src_offset={src} dst_offset={dst} {key}"),
    })
}

/// Plan and execution in one call.
pub(crate) fn relayout(
    runtime: Option<&Runtime>,
    (src_shape, src): (&Shape, &[u8]),
    (dst_shape, dst): (&Shape, &mut [u8]),
    request: &Request,
) -> Result<()> {
    for space in [request.src_space, request.dst_space] {
        if space != 0 && space != sys::XLASHAPE_SPACE_CPU {
            let message = format!("slices lie in memory of the CPU, memory space {space} does not");
            return fail(ErrorKind::Unsupported, message);
        }
    }
    // The C function gets the place of index 0...0 and the size after it; strides may also reach before it.
    if request.src_strides.is_some() || request.dst_strides.is_some() {
        return Prepared::new(runtime, src_shape, dst_shape, request, None)?.execute(src, dst);
    }
    expect_bytes("src", src_shape, src.len())?;
    expect_bytes("dst", dst_shape, dst.len())?;
    let runtime = optional(runtime);
    // SAFETY: the library gets the sizes of the slices in bytes, and stays within them.
    with_panic(request.with(src_shape, |options| {
        check(|err| unsafe {
            let (from, to) = ((src.as_ptr().cast(), src.len() as i64), (dst.as_mut_ptr().cast(), dst.len() as i64));
            sys::xlashape_relayout(runtime, src_shape.get(), from.0, from.1, dst_shape.get(), to.0, to.1, options, err)
        })
    }))
}

/// Refuses slices that have other than the array's bytes.
pub(crate) fn expect_bytes(name: &str, shape: &Shape, len: usize) -> Result<()> {
    match calls::xlashape_shape_sizes(shape)?.bytes {
        bytes if bytes == len as i64 => Ok(()),
        bytes => fail(ErrorKind::OutOfRange, format!("{name} has {len} bytes, the array has {bytes}")),
    }
}
