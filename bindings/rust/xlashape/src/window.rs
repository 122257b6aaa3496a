// SPDX-License-Identifier: Apache-2.0
//! Arrays larger than memory: windows, which are parts of arrays that are arrays, and slabs, in which an array is
//! moved.

use crate::error::{fail, ErrorKind};
use crate::ffi::call::number;
use crate::ffi::{calls, window};
use crate::index_box::{IndexBox, Walk};
use crate::{Result, Shape};

/// What of an array's storage belongs to a box: an array of its own, with the same order and tiles, whose bytes lie
/// there in runs. Offsets and sizes are in bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Window {
    /// What lies there; static, without alignment of the tail.
    pub shape: Shape,
    /// Of its first byte in the array's storage.
    pub byte_offset: u64,
    /// `run_bytes * run_count`, what its own storage takes.
    pub bytes: u64,
    /// Bytes that lie together.
    pub run_bytes: u64,
    /// 1: it is contiguous; 0: it has no bytes.
    pub run_count: u64,
}

impl Shape {
    /// The window of `extent` elements from `base` on. A relayout between the windows of one box on both sides, each in
    /// a buffer that holds its runs one after the other, moves that part of the array.
    ///
    /// # Errors
    /// `Unsupported` where it would cut a tile or a byte, [`window_granularity`](Self::window_granularity) says where
    /// it may be cut, and for what is not a static array; `OutOfRange` where the array has fewer elements, and for
    /// lists of different lengths.
    pub fn window(&self, base: &[i64], extent: &[i64]) -> Result<Window> {
        let (raw, shape) = window::shape_window(&self.0, base, extent)?;
        Ok(Window {
            shape: Shape(shape),
            byte_offset: raw.byte_offset as u64,
            bytes: raw.bytes as u64,
            run_bytes: raw.run_bytes as u64,
            run_count: raw.run_count as u64,
        })
    }

    /// Fills `byte_offsets` with where the runs of that window begin in the array's storage, those from number `first`
    /// on, in the order in which the window's own storage has them, at most 2^24 at once.
    ///
    /// # Errors
    /// As [`window`](Self::window); `OutOfRange` where there are fewer.
    pub fn window_runs(&self, base: &[i64], extent: &[i64], first: u64, byte_offsets: &mut [u64]) -> Result<()> {
        let first = number(ErrorKind::OutOfRange, "first", first)?;
        window::shape_window_runs(&self.0, base, extent, first, byte_offsets)
    }

    /// For each dimension the number at whose multiples windows may begin and end, besides the dimension's end: tiles
    /// and bytes stay whole. The whole dimension where there is no such place.
    ///
    /// # Errors
    /// `Unsupported` for what has no storage.
    pub fn window_granularity(&self) -> Result<Vec<i64>> {
        calls::xlashape_shape_window_granularity(&self.0)
    }
}

/// One box of [`Slabs`]: the arguments of [`Shape::window`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slab {
    /// Its first index.
    pub base: Vec<i64>,
    /// Its sizes.
    pub extent: Vec<i64>,
}

/// Boxes of one extent in which an array is moved that does not fit into memory; those at the end of a dimension may be
/// smaller. Each element is in one, and they come in the order of the destination's storage.
///
/// ```
/// use xlashape::{relayout, Shape, Slabs};
///
/// let (src, dst): (Shape, Shape) = ("u8[6,8]".parse()?, "u8[6,8]{0,1:T(2,2)}".parse()?);
/// let from: Vec<u8> = (0..48).collect(); // these would be files
/// let mut to = vec![0; 48];
/// for slab in &Slabs::new(&src, &dst, 24)? {
///     let read = src.window(&slab.base, &slab.extent)?;
///     let write = dst.window(&slab.base, &slab.extent)?;
///     let mut offsets = vec![0; read.run_count as usize];
///     src.window_runs(&slab.base, &slab.extent, 0, &mut offsets)?;
///     let run = |at: u64| &from[at as usize..][..read.run_bytes as usize];
///     let part: Vec<u8> = offsets.iter().flat_map(|&at| run(at)).copied().collect();
///     let mut moved = vec![0; write.bytes as usize];
///     relayout(&read.shape, &part, &write.shape, &mut moved)?;
///     let mut offsets = vec![0; write.run_count as usize];
///     dst.window_runs(&slab.base, &slab.extent, 0, &mut offsets)?;
///     for (at, run) in offsets.iter().zip(moved.chunks(write.run_bytes as usize)) {
///         to[*at as usize..][..run.len()].copy_from_slice(run);
///     }
/// }
/// let mut whole = vec![0; 48];
/// relayout(&src, &from, &dst, &mut whole)?;
/// assert_eq!(to, whole);
/// # Ok::<(), xlashape::Error>(())
/// ```
///
/// What aligns the tail of the destination belongs to no slab, if there are several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slabs {
    dimensions: Vec<i64>,
    extent: Vec<i64>,
    bases: IndexBox,
    count: usize,
    src_bytes: u64,
    dst_bytes: u64,
    src_runs: u64,
    dst_runs: u64,
}

impl Slabs {
    /// Chooses boxes that are windows of both sides, which together take at most `max_bytes` bytes, so that all of them
    /// are read and written in few runs. Element types may differ, for a plan that converts.
    ///
    /// # Errors
    /// `OutOfRange` where the smallest ones take more: the message says how much; `InvalidArgument` for other
    /// dimensions, `Unsupported` for what is not a static array, `Overflow` for more slabs than this machine counts.
    pub fn new(src: &Shape, dst: &Shape, max_bytes: u64) -> Result<Self> {
        let max_bytes = number(ErrorKind::OutOfRange, "max_bytes", max_bytes)?;
        let (extent, cost) = window::relayout_slabs(&src.0, &dst.0, max_bytes)?;
        let dimensions = src.dimensions();
        let mut bases = IndexBox::new(vec![0; extent.len()], dimensions.clone()).step(extent.clone());
        if let Some(layout) = dst.layout() {
            bases = bases.order(layout.minor_to_major());
        }
        Ok(Self {
            dimensions,
            extent,
            bases,
            count: number(ErrorKind::Overflow, "the number of slabs", cost.count)?,
            src_bytes: cost.src_bytes as u64,
            dst_bytes: cost.dst_bytes as u64,
            src_runs: cost.src_runs as u64,
            dst_runs: cost.dst_runs as u64,
        })
    }

    /// The sizes of those that are not at an end.
    pub fn extent(&self) -> &[i64] {
        &self.extent
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // there is always one
    pub fn len(&self) -> usize {
        self.count
    }

    /// Bytes of the largest window of the source.
    pub fn src_bytes(&self) -> u64 {
        self.src_bytes
    }

    /// Bytes of the largest window of the destination.
    pub fn dst_bytes(&self) -> u64 {
        self.dst_bytes
    }

    /// Runs to be read for all of them, at most: those at an end may have fewer.
    pub fn src_runs(&self) -> u64 {
        self.src_runs
    }

    /// Runs to be written for all of them, at most.
    pub fn dst_runs(&self) -> u64 {
        self.dst_runs
    }

    /// The one of that number, so that threads can share them.
    ///
    /// # Errors
    /// `OutOfRange` for numbers that there are not.
    pub fn get(&self, number: usize) -> Result<Slab> {
        if number >= self.count {
            return fail(ErrorKind::OutOfRange, format!("slab {number} of {}", self.count));
        }
        Ok(self.slab(&self.bases.index_at(number as i64)?))
    }

    /// All of them.
    pub fn iter(&self) -> SlabIter<'_> {
        SlabIter { slabs: self, bases: self.bases.walk_all(self.count as i64), left: self.count }
    }

    fn slab(&self, base: &[i64]) -> Slab {
        let ends = self.dimensions.iter().zip(base).map(|(size, base)| size - base);
        Slab { base: base.to_vec(), extent: self.extent.iter().zip(ends).map(|(&size, end)| size.min(end)).collect() }
    }
}

impl<'a> IntoIterator for &'a Slabs {
    type Item = Slab;
    type IntoIter = SlabIter<'a>;

    fn into_iter(self) -> SlabIter<'a> {
        self.iter()
    }
}

/// The slabs one after the other: [`Slabs::iter`].
#[derive(Clone, Debug)]
pub struct SlabIter<'a> {
    slabs: &'a Slabs,
    bases: Walk<'a>,
    left: usize,
}

impl Iterator for SlabIter<'_> {
    type Item = Slab;

    fn next(&mut self) -> Option<Slab> {
        let base = self.bases.next()?;
        self.left -= 1;
        Some(self.slabs.slab(base))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for SlabIter<'_> {}
impl std::iter::FusedIterator for SlabIter<'_> {}
