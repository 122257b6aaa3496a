// SPDX-License-Identifier: Apache-2.0
//! Relayouts: an array's bytes moved from one layout to another.

use crate::error::{Error, ErrorKind};
use crate::ffi::calls;
use crate::ffi::element::{bytes_of, bytes_of_mut, Element};
use crate::ffi::plan::{relayout as relayout_once, Prepared, Request, Strides};
use crate::{ElementType, Executor, MemorySpace, Result, Runtime, Scales, Shape};
use std::fmt;
use std::mem::size_of;
use std::time::Duration;
use xlashape_sys as sys;

/// What happens to positions of the destination that hold no element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum FillPolicy {
    /// They get the destination layout's padding value.
    #[default]
    Padding = sys::XLASHAPE_FILL_PADDING,
    // members: FILL_(?!PADDING)(\w+) as {Name} = sys::{C},
    /// They keep their old values.
    Preserve = sys::XLASHAPE_FILL_PRESERVE,
    /// Anything: fastest.
    Unspecified = sys::XLASHAPE_FILL_UNSPECIFIED,
    // end of members
}

/// A builder of a relayout: [`plan`](Relayout::plan) makes a plan for many executions, [`run`](Relayout::run)
/// executes it once.
///
/// ```
/// use xlashape::{FillPolicy, Relayout, Shape};
///
/// let image: Shape = "u8[3,4]".parse()?;
/// let tiled: Shape = "u8[3,4]{0,1:T(2,2)}".parse()?;
/// let mut dst = [b'.'; 16];
/// Relayout::new(&image, &tiled).fill(FillPolicy::Preserve).run(b"abcdefghijkl", &mut dst)?;
/// assert_eq!(&dst, b"aebfi.j.cgdhk.l.");
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Relayout<'a> {
    src: &'a Shape,
    dst: &'a Shape,
    runtime: Option<&'a Runtime>,
    request: Request,
}

impl<'a> Relayout<'a> {
    /// From the layout of `src` to that of `dst`: these have the same dimensions and any layouts, and the same element
    /// type unless the relayout is to [`convert`](Self::convert).
    pub fn new(src: &'a Shape, dst: &'a Shape) -> Self {
        Self { src, dst, runtime: None, request: Request::default() }
    }

    setters! {
        /// The runtime whose backends and executor are used instead of the default one's.
        runtime(this, runtime: &'a Runtime) => this.runtime = Some(runtime);

        /// What happens to positions that hold no element.
        fill(this, policy: FillPolicy) => this.request.fill_policy = policy as i32;

        /// The backend, by name.
        backend(this, name: &str) => this.request.backend = name.to_owned();

        /// Another backend may be used instead of the requested one.
        allow_fallback(this) => this.request.flags |= sys::XLASHAPE_PLAN_ALLOW_FALLBACK;

        /// The result is read at once: keep it in cache if it fits.
        keep_in_cache(this) => this.request.flags |= sys::XLASHAPE_PLAN_KEEP_IN_CACHE;

        /// Source and destination are one array: [`Plan::execute_in_place`]. Such plans are `Unsupported`, with the
        /// reason, where a side has padding, a box or strides, where tiles have no common factors, and on devices.
        in_place(this) => this.request.flags |= sys::XLASHAPE_PLAN_IN_PLACE;

        /// Values are converted: the destination's element type may be another one. Floats are rounded to the nearest,
        /// of two equally near ones to even; beyond the largest one they become infinity, or NaN in a type without
        /// infinity. A float becomes an integer by cutting off its fraction, beyond the range its nearest end, NaN 0.
        /// Integers keep their low bits; what is not 0 becomes a true `pred`. Complex types are `Unsupported`, except
        /// into themselves.
        ///
        /// ```
        /// use xlashape::{Relayout, Shape};
        ///
        /// let (reals, tiled): (Shape, Shape) = ("f32[2,3]".parse()?, "bf16[2,3]{1,0:T(2,2)}".parse()?);
        /// let mut bits = [0u16; 8]; // Rust has no bf16
        /// let plan = Relayout::new(&reals, &tiled).convert().plan()?;
        /// plan.execute_converting(&[1.0f32, -2.0, 0.5, 3.0, 0.0, 1.00390625], &mut bits)?;
        /// assert_eq!(bits, [0x3F80, 0xC000, 0x4040, 0, 0x3F00, 0, 0x3F80, 0]);
        /// # Ok::<(), xlashape::Error>(())
        /// ```
        convert(this) => this.request.flags |= sys::XLASHAPE_PLAN_CONVERT;

        /// With [`convert`](Self::convert): integers beyond the new range become its nearest end, and floats, infinity
        /// too, the largest finite number.
        saturate(this) => this.request.flags |= sys::XLASHAPE_PLAN_SATURATE;

        /// With [`convert`](Self::convert): the integers of one side stand for the reals of the other one, or the
        /// narrower floats for the wider ones.
        scales(this, scales: Scales) => this.request.scales = Some(scales);

        /// The source's elements, less than a byte wide, start in the highest bits of each byte, as those of
        /// `numpy.packbits` do; XLA starts in the lowest.
        src_high_first(this) => this.request.flags |= sys::XLASHAPE_PLAN_SRC_HIGH_FIRST;

        /// The same for the destination.
        dst_high_first(this) => this.request.flags |= sys::XLASHAPE_PLAN_DST_HIGH_FIRST;

        /// These strides in bytes, which may be negative or 0, replace the layout of the source; index 0...0 is at
        /// byte `offset` of the slice.
        src_byte_strides(this, byte_strides: impl Into<Vec<i64>>, offset: usize) => {
            this.request.src_strides = Some(Strides::Bytes { strides: byte_strides.into(), offset });
        };

        /// The same for the destination: its elements must provably not overlap.
        dst_byte_strides(this, byte_strides: impl Into<Vec<i64>>, offset: usize) => {
            this.request.dst_strides = Some(Strides::Bytes { strides: byte_strides.into(), offset });
        };

        /// These strides in elements, each as wide as the layout has it, also packed, replace the layout of the source:
        /// the slice begins with element 0, and index 0...0 is element `first`. None that is moved may be before 0,
        /// else `OutOfRange`. Of byte and element strides of one side the last ones given count.
        ///
        /// ```
        /// use xlashape::{Relayout, Shape};
        ///
        /// let packed: Shape = "s4[7]{0:E(4)}".parse()?; // two in a byte
        /// let mut dst = [0; 4];
        /// let backwards = Relayout::new(&packed, &packed).src_element_strides([-1], 6);
        /// backwards.run(&[0x21, 0x43, 0x65, 0x07], &mut dst)?;
        /// assert_eq!(dst, [0x67, 0x45, 0x23, 0x01]);
        /// # Ok::<(), xlashape::Error>(())
        /// ```
        src_element_strides(this, element_strides: impl Into<Vec<i64>>, first: i64) => {
            this.request.src_strides = Some(Strides::Elements { strides: element_strides.into(), first });
        };

        /// The same for the destination: its elements must provably not overlap.
        dst_element_strides(this, element_strides: impl Into<Vec<i64>>, first: i64) => {
            this.request.dst_strides = Some(Strides::Elements { strides: element_strides.into(), first });
        };

        /// A box: `extent` elements from `src_base` of the source to `dst_base` of the destination. The shapes'
        /// dimensions may then differ, and nothing outside of the box is written.
        index_box(this, src_base: impl Into<Vec<i64>>, dst_base: impl Into<Vec<i64>>, extent: impl Into<Vec<i64>>) => {
            this.request.src_base = Some(src_base.into());
            this.request.dst_base = Some(dst_base.into());
            this.request.extent = Some(extent.into());
        };

        /// Where the buffers are. A side that is not the CPU's takes no slices: [`Plan::execute_raw`].
        memory_spaces(this, src: MemorySpace, dst: MemorySpace) => {
            this.request.src_space = src.number();
            this.request.dst_space = dst.number();
        };

        /// The device of the backend, by number from 0; else the one that is current in the calling thread, or the
        /// first.
        device(this, number: u32) => this.request.device = Some(number);
    }

    /// A plan for many executions.
    ///
    /// # Errors
    /// `InvalidArgument` for shapes that do not belong together, or scales that do not fit; `Unsupported` for unbounded
    /// dimensions, or types that are not converted; `NotFound` for a backend and `OutOfRange` for a device that does
    /// not exist.
    pub fn plan(&self) -> Result<Plan> {
        self.prepare(None)
    }

    /// The same, which takes about that long (zero: 0.2 s): the backend's ways to run the plan are timed, on memory of
    /// the library, and the fastest is kept, also for later plans like it with the same runtime ([`Runtime::wisdom`]).
    ///
    /// # Errors
    /// As [`plan`](Self::plan); `Unsupported` for memory of devices, `Cancelled` when the executor gave up or panicked.
    pub fn measured_plan(&self, budget: Duration) -> Result<Plan> {
        self.prepare(Some(budget))
    }

    fn prepare(&self, budget: Option<Duration>) -> Result<Plan> {
        let handle = self.runtime.map(|runtime| &runtime.0);
        let prepared = Prepared::new(handle, &self.src.0, &self.dst.0, &self.request, budget)?;
        let src = Elements::new("src", self.src, &self.request.src_strides)?;
        let dst = Elements::new("dst", self.dst, &self.request.dst_strides)?;
        Ok(Plan { prepared, src, dst })
    }

    /// A text that is equal only for equal shapes and options: the key of a cache of plans. The runtime is not part of
    /// it. No plan is made, and one need not exist. The text is the same in every process and on every machine for
    /// one release of the library.
    ///
    /// ```
    /// use xlashape::{Relayout, Shape};
    ///
    /// let (from, to): (Shape, Shape) = ("u8[3,4]".parse()?, "u8[3,4]{0,1}".parse()?);
    /// assert_eq!(Relayout::new(&from, &to).key()?, Relayout::new(&from, &to).key()?);
    /// assert_ne!(Relayout::new(&from, &to).key()?, Relayout::new(&from, &to).keep_in_cache().key()?);
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `OutOfRange` for lists whose length is not the rank, `Unsupported` if a shape is not an array.
    pub fn key(&self) -> Result<String> {
        crate::ffi::plan::key(&self.src.0, &self.dst.0, &self.request)
    }

    /// Plans and executes at once; without strides small plans allocate no memory.
    ///
    /// # Errors
    /// As [`Relayout::plan`] and [`Plan::execute`].
    pub fn run(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        let runtime = self.runtime.map(|runtime| &runtime.0);
        relayout_once(runtime, (&self.src.0, src), (&self.dst.0, dst), &self.request)
    }
}

/// One relayout of bytes: [`Relayout::run`] with default options.
///
/// # Errors
/// As [`Relayout::run`].
pub fn relayout(src_shape: &Shape, src: &[u8], dst_shape: &Shape, dst: &mut [u8]) -> Result<()> {
    Relayout::new(src_shape, dst_shape).run(src, dst)
}

/// A relayout that is ready to run, on any number of threads at once. Immutable; cloning counts a reference.
///
/// ```
/// use xlashape::{Plan, Shape};
///
/// let plan = Plan::new(&"f32[2,3]{1,0}".parse()?, &"f32[2,3]{0,1}".parse()?)?;
/// let mut columns = [0.0f32; 6];
/// plan.execute_typed(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0], &mut columns)?;
/// assert_eq!(columns, [0.0, 10.0, 1.0, 11.0, 2.0, 12.0]);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone)]
pub struct Plan {
    pub(crate) prepared: Prepared,
    src: Elements,
    dst: Elements,
}

/// The elements of a side: their type, and how many bits each takes.
#[derive(Clone, Copy)]
struct Elements {
    side: &'static str,
    element_type: ElementType,
    bits: usize,
}

impl Elements {
    fn new(side: &'static str, shape: &Shape, strides: &Option<Strides>) -> Result<Self> {
        let element_type = shape.element_type();
        let whole_bytes = (element_type.bits() + 7) / 8 * 8;
        let bits = match strides {
            None => shape.sizes()?.element_bits,
            Some(Strides::Bytes { .. }) => whole_bytes,
            // Such a shape need not have sizes.
            Some(Strides::Elements { .. }) => {
                shape.layout().and_then(|layout| layout.element_size_in_bits()).unwrap_or(whole_bytes)
            }
        };
        Ok(Self { side, element_type, bits })
    }

    #[inline]
    fn are_held_by<T: Element>(&self) -> bool {
        T::holds(self.element_type) && self.bits == 8 * size_of::<T>()
    }

    #[cold]
    fn refuse<T: Element>(&self) -> Error {
        let (side, name, held) = (self.side, std::any::type_name::<T>(), 8 * size_of::<T>());
        let message = if T::holds(self.element_type) {
            format!("{side} has elements of {} bits, those of a slice of {name} have {held}", self.bits)
        } else {
            format!("{side} has elements of type {}, which a slice of {name} does not hold", self.element_type)
        };
        Error::new(ErrorKind::WrongType, message)
    }
}

impl Plan {
    /// A plan with default options: see [`Relayout::plan`].
    ///
    /// # Errors
    /// As [`Relayout::plan`].
    pub fn new(src: &Shape, dst: &Shape) -> Result<Self> {
        Relayout::new(src, dst).plan()
    }

    /// Moves the bytes. Both slices have exactly the bytes of their arrays ([`Shape::byte_size`]); those of strided
    /// sides have all bytes that the strides reach. Allocates nothing.
    ///
    /// # Errors
    /// `OutOfRange` for slices of other sizes: nothing is written. `Cancelled` when the executor gave up or panicked.
    #[inline]
    pub fn execute(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        self.prepared.execute(src, dst)
    }

    /// The same over slices of elements: see [`Element`] for the types.
    ///
    /// # Errors
    /// `WrongType` when `T` does not hold the array's elements, else as [`Plan::execute`].
    #[inline]
    pub fn execute_typed<T: Element>(&self, src: &[T], dst: &mut [T]) -> Result<()> {
        self.execute_converting(src, dst)
    }

    /// The same where the sides have elements of two types: for plans of [`Relayout::convert`].
    ///
    /// # Errors
    /// `WrongType` when `S` does not hold the source's elements or `D` the destination's, else as [`Plan::execute`].
    #[inline]
    pub fn execute_converting<S: Element, D: Element>(&self, src: &[S], dst: &mut [D]) -> Result<()> {
        self.expect_types::<S, D>()?;
        self.prepared.execute(bytes_of(src), bytes_of_mut(dst))
    }

    /// Moves the elements within one array, which has the bytes of both: for plans of [`Relayout::in_place`]. Takes
    /// working memory, the `scratch_bytes` of [`requirements`](Self::requirements), which is much less than the array.
    ///
    /// ```
    /// use xlashape::{Relayout, Shape};
    ///
    /// let (rows, columns): (Shape, Shape) = ("u8[2,3]".parse()?, "u8[2,3]{0,1}".parse()?);
    /// let mut array = *b"abcABC";
    /// Relayout::new(&rows, &columns).in_place().plan()?.execute_in_place(&mut array)?;
    /// assert_eq!(&array, b"aAbBcC");
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `OutOfRange` for a slice of another size, `InvalidArgument` for another plan that moves anything: nothing is
    /// written. `NoMemory`, and `Cancelled` when the executor gave up or panicked: the array is then neither what it
    /// was nor the result.
    pub fn execute_in_place(&self, array: &mut [u8]) -> Result<()> {
        self.prepared.execute_in_place(array)
    }

    /// The same over a slice of elements.
    ///
    /// # Errors
    /// `WrongType` when `T` does not hold the array's elements, else as [`Plan::execute_in_place`].
    pub fn execute_in_place_typed<T: Element>(&self, array: &mut [T]) -> Result<()> {
        self.expect_types::<T, T>()?;
        self.prepared.execute_in_place(bytes_of_mut(array))
    }

    /// Refuses types that do not hold the elements of their sides.
    #[inline]
    pub(crate) fn expect_types<S: Element, D: Element>(&self) -> Result<()> {
        match (self.src.are_held_by::<S>(), self.dst.are_held_by::<D>()) {
            (true, true) => Ok(()),
            (true, false) => Err(self.dst.refuse::<D>()),
            (false, _) => Err(self.src.refuse::<S>()),
        }
    }

    /// The same into a new vector.
    ///
    /// # Errors
    /// As [`Plan::execute`]; `NoMemory` where there is no room for the vector.
    pub fn execute_to_vec(&self, src: &[u8]) -> Result<Vec<u8>> {
        let mut dst = self.prepared.room_for_dst(src)?;
        self.prepared.execute(src, &mut dst)?;
        Ok(dst)
    }

    /// The same on another executor than the runtime's.
    ///
    /// # Errors
    /// As [`Plan::execute`].
    pub fn execute_with(&self, executor: &Executor, src: &[u8], dst: &mut [u8]) -> Result<()> {
        self.prepared.execute_with(executor, src, dst)
    }

    /// Bytes that the slices must have: (source, destination). For strided sides a minimum; for a device 0.
    pub fn byte_sizes(&self) -> (usize, usize) {
        self.prepared.bytes()
    }

    /// The recommended number of independent tasks for that many workers.
    pub fn task_count(&self, workers: usize) -> usize {
        calls::xlashape_plan_task_count(&self.prepared.handle, i64::try_from(workers).unwrap_or(i64::MAX)) as usize
    }

    /// The backend that runs it.
    pub fn backend(&self) -> &str {
        self.prepared.backend()
    }

    /// One line: backend, kernel, loops. For people and tests; not stable.
    pub fn describe(&self) -> Result<String> {
        calls::xlashape_plan_describe(&self.prepared.handle)
    }

    /// How long one execution takes on the runtime's workers, for arrays that were moved before: predicted from the
    /// profile of the runtime ([`Runtime::calibrate`]), so nothing is measured, and the same plan always has the same
    /// answer. `None` without a profile that has speeds, and for plans that their backend does not predict; with the
    /// backend `simd` the text of [`describe`](Self::describe) has the reason.
    ///
    /// ```
    /// use std::time::Duration;
    /// use xlashape::{Relayout, Runtime, Shape};
    ///
    /// let (rows, columns): (Shape, Shape) = ("f32[64,96]{1,0}".parse()?, "f32[64,96]{0,1}".parse()?);
    /// let plain = Runtime::builder().profile("").build()?;
    /// assert_eq!(Relayout::new(&rows, &columns).runtime(&plain).plan()?.predict()?, None);
    ///
    /// let profile = plain.calibrate(Duration::from_millis(1), |_, _| true)?; // 10 s give better numbers
    /// let runtime = Runtime::builder().profile(&profile).build()?;
    /// match Relayout::new(&rows, &columns).runtime(&runtime).plan()?.predict()? {
    ///     Some(time) => println!("some {time:?}"),
    ///     None => println!("this backend does not predict"),
    /// }
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Internal` for a backend that answers with no time; `NoMemory`.
    pub fn predict(&self) -> Result<Option<Duration>> {
        match calls::xlashape_plan_predict(&self.prepared.handle) {
            Ok(ns) => Ok(Some(Duration::from_nanos(ns.unsigned_abs()))), // 1 or more
            Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The shapes that it was made from: (source, destination).
    pub fn shapes(&self) -> Result<(Shape, Shape)> {
        crate::ffi::plan::shapes(&self.prepared.handle).map(|(src, dst)| (Shape(src), Shape(dst)))
    }

    /// What the plan requires and touches, and the alignment at which it is fastest.
    pub fn requirements(&self) -> Result<sys::xlashape_plan_requirements> {
        calls::xlashape_plan_get_requirements(&self.prepared.handle)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({})", self.describe().map_err(|_| fmt::Error)?)
    }
}
