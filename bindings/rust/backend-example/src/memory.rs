// SPDX-License-Identifier: Apache-2.0
//! The caller's memory: bytes within the bounds that the core gave, and the words of an index batch. Not slices: other
//! threads may at the same time work on other bytes of the same array.

/// The bytes [low, high) around a pointer.
#[derive(Clone, Copy)]
pub struct Bytes {
    pointer: *mut u8,
    low: i64,
    high: i64,
    is_writable: bool,
}

impl Bytes {
    /// # Safety
    /// The bytes may be read as long as this value is used.
    pub unsafe fn readable(pointer: *const u8, low: i64, high: i64) -> Self {
        Self { pointer: pointer as *mut u8, low, high, is_writable: false }
    }

    /// # Safety
    /// The bytes may be read and written as long as this value is used.
    pub unsafe fn writable(pointer: *mut u8, low: i64, high: i64) -> Self {
        Self { pointer, low, high, is_writable: true }
    }

    fn at(&self, byte: i64, count: usize) -> *mut u8 {
        let end = byte.checked_add(count as i64);
        assert!(byte >= self.low && end.map_or(false, |end| end <= self.high), "byte {byte} is out of bounds");
        self.pointer.wrapping_offset(byte as isize)
    }

    /// A number of `N` bytes in the machine's order.
    pub fn read<const N: usize>(&self, byte: i64) -> [u8; N] {
        // SAFETY: within the bounds.
        unsafe { self.at(byte, N).cast::<[u8; N]>().read_unaligned() }
    }

    pub fn write<const N: usize>(&self, byte: i64, value: [u8; N]) {
        assert!(self.is_writable, "the source is not written");
        // SAFETY: within the bounds.
        unsafe { self.at(byte, N).cast::<[u8; N]>().write_unaligned(value) }
    }
}

/// Input and output of an index batch.
#[derive(Clone, Copy)]
pub struct Words {
    src: *const i64,
    dst: *mut i64,
}

impl Words {
    /// # Safety
    /// All words that are read and written later are there.
    pub unsafe fn new(src: *const i64, dst: *mut i64) -> Self {
        Self { src, dst }
    }

    pub fn read(&self, at: isize) -> i64 {
        // SAFETY: as promised to `new`.
        unsafe { self.src.offset(at).read_unaligned() }
    }

    pub fn write(&self, at: isize, value: i64) {
        // SAFETY: as promised to `new`.
        unsafe { self.dst.offset(at).write_unaligned(value) }
    }
}
