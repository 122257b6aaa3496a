//! Arrays in memory of this program.

use crate::client::pjrt_type;
use crate::error::{PjrtError, Result};
use crate::pjrt_sys as sys;
use std::mem::{size_of, size_of_val};
use xlashape::{Element, ElementType, Layout, Shape};

/// An array in memory of this program. Elements of less than a byte have a byte each.
#[derive(Clone, Debug)]
pub struct HostArray<'a> {
    pub(crate) element_type: ElementType,
    pub(crate) dimensions: &'a [i64],
    pub(crate) data: &'a [u8],
    pub(crate) byte_strides: Option<&'a [i64]>,
    pub(crate) offset: usize,
}

/// The bytes of elements.
pub fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: a type that implements Element is plain bytes.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

impl<'a> HostArray<'a> {
    /// A row-major array.
    pub fn new(element_type: ElementType, dimensions: &'a [i64], data: &'a [u8]) -> Self {
        Self { element_type, dimensions, data, byte_strides: None, offset: 0 }
    }

    /// Where the elements are: one stride per dimension, which may be 0 or negative. The index 0...0 is at byte `offset`.
    pub fn strided(mut self, byte_strides: &'a [i64], offset: usize) -> Self {
        self.byte_strides = Some(byte_strides);
        self.offset = offset;
        self
    }

    /// Checks what the plugin cannot, which knows an address, and not how many bytes there are: that all elements are among
    /// `available` bytes. Gives PJRT's number of the type.
    pub(crate) fn check(&self, call: &str, available: usize) -> Result<sys::PJRT_Buffer_Type> {
        let number = pjrt_type(call, self.element_type)?;
        let shape = Shape::array(self.element_type, self.dimensions)?;
        let sizes = shape.sizes()?;
        let mut range = Some((0, sizes.bytes as i64));
        if let Some(strides) = self.byte_strides {
            if strides.len() != self.dimensions.len() {
                let (strides, rank) = (strides.len(), self.dimensions.len());
                return Err(PjrtError::invalid(call, format!("{strides} strides for {rank} dimensions")));
            }
            range = extent(self.dimensions, strides, sizes.element_bits as i64 / 8);
        }
        let strides = self.byte_strides.unwrap_or(&[]);
        let (low, high) = range.ok_or_else(|| {
            PjrtError::invalid(call, format!("strides {strides:?} of {shape} lead further than 2^63 bytes"))
        })?;
        let (offset, available) = (self.offset as i128, available as i128);
        if offset > available || offset + i128::from(low) < 0 || offset + i128::from(high) > available {
            return Err(PjrtError::invalid(
                call,
                format!("{shape} with strides {strides:?} takes the bytes [{low}, {high}) from byte {offset} on, of {available}"),
            ));
        }
        Ok(number)
    }
}

/// Which bytes around that of index 0...0 an array's elements take; `None` where they do not fit 64 bits.
pub(crate) fn extent(dimensions: &[i64], byte_strides: &[i64], element_bytes: i64) -> Option<(i64, i64)> {
    if dimensions.contains(&0) {
        return Some((0, 0));
    }
    let (mut low, mut high) = (0i64, element_bytes);
    for (&size, &stride) in dimensions.iter().zip(byte_strides) {
        let last = (size - 1).checked_mul(stride)?;
        if last < 0 {
            low = low.checked_add(last)?;
        } else {
            high = high.checked_add(last)?;
        }
    }
    Some((low, high))
}

/// In which layout an array is put on a device.
#[derive(Clone, Copy, Debug)]
pub enum Placement<'a> {
    /// In that which the device chooses.
    Default,
    /// In this order and these tiles; PJRT has no words for what else a layout may have.
    Layout(&'a Layout),
    /// With these strides on the device.
    ByteStrides(&'a [i64]),
}

/// How an array is written to the host.
#[derive(Clone, Copy, Debug)]
pub enum HostLayout<'a> {
    /// Row-major.
    RowMajor,
    /// In this order.
    Layout(&'a Layout),
    /// With these strides.
    ByteStrides(&'a [i64]),
    /// Whatever order the plugin gives when not asked: that of the device, without its tiles.
    AsDevice,
}

/// What the plugin may do with memory that it is given for longer than a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Semantics {
    /// It reads it until the transfer has ended.
    UntilTransferCompletes,
    /// It may use it in place of a copy, as long as the buffer lives.
    ZeroCopy,
}

impl Semantics {
    pub(crate) fn number(self) -> sys::PJRT_HostBufferSemantics {
        match self {
            Self::UntilTransferCompletes => sys::PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
            Self::ZeroCopy => sys::PJRT_HostBufferSemantics_kImmutableZeroCopy,
        }
    }
}

/// A `PJRT_Buffer_MemoryLayout` and what it points to.
pub(crate) enum MemoryLayout {
    None,
    Tiled(xlashape::PjrtMemoryLayout),
    Strides { layout: Box<sys::PJRT_Buffer_MemoryLayout>, _numbers: Vec<i64> },
}

impl MemoryLayout {
    pub(crate) fn tiled(element_type: ElementType, dimensions: &[i64], layout: &Layout) -> Result<Self> {
        Ok(Self::Tiled(Shape::array_with_layout(element_type, dimensions, layout)?.to_pjrt(0)?))
    }

    pub(crate) fn strides(byte_strides: &[i64]) -> Self {
        let numbers = byte_strides.to_vec();
        let mut strides = sys::PJRT_Buffer_MemoryLayout_Strides::new();
        strides.byte_strides = numbers.as_ptr();
        strides.num_byte_strides = numbers.len();
        let mut layout = Box::new(sys::PJRT_Buffer_MemoryLayout::new());
        layout.r#type = sys::PJRT_Buffer_MemoryLayout_Type_Strides;
        layout.layout.strides = strides;
        Self::Strides { layout, _numbers: numbers }
    }

    /// NULL for none. The plugin only reads it.
    pub(crate) fn as_ptr(&self) -> *mut sys::PJRT_Buffer_MemoryLayout {
        match self {
            Self::None => std::ptr::null_mut(),
            Self::Tiled(block) => block.as_ptr() as *mut _,
            Self::Strides { layout, .. } => &**layout as *const _ as *mut _,
        }
    }
}

const _: () = assert!(size_of::<sys::PJRT_Buffer_MemoryLayout>() == 80 || size_of::<usize>() != 8); // as xlashape writes it
