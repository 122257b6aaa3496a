//! Arrays of random bits, and what they must be on a device.

use pjrt::{Buffer, HostArray, HostLayout, PjrtError};
use xlashape::{relayout, Category, ElementType, Layout, Shape};

/// Fills with elements of a type: any bits, but only those that such an element has.
fn fill(data: &mut [u8], element_type: ElementType, seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
    let bits = element_type.bits();
    for byte in data {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let value = (state >> 32) as u8;
        *byte = match () {
            () if element_type == ElementType::PRED => value & 1,
            () if bits >= 8 => value,
            () => value & ((1 << bits) - 1),
        };
    }
}

/// Ways to lay an array out on the host.
#[derive(Clone, Copy, Debug)]
pub enum Striding {
    None,
    RowMajor,
    ColumnMajor,
    RotatedWithGaps,
    Reversed,
    Broadcast,
    Overlapping,
}

pub const STRIDINGS: [Striding; 7] = [
    Striding::None,
    Striding::RowMajor,
    Striding::ColumnMajor,
    Striding::RotatedWithGaps,
    Striding::Reversed,
    Striding::Broadcast,
    Striding::Overlapping,
];

/// The strides of an order, the fastest dimension first, with gaps of so many elements after each.
pub fn compact(dimensions: &[i64], order: &[i64], size: usize, gap: i64) -> Vec<i64> {
    let (mut strides, mut step) = (vec![0; dimensions.len()], size as i64);
    for &d in order {
        strides[d as usize] = step;
        step *= dimensions[d as usize] + gap;
    }
    strides
}

fn row_major(rank: usize) -> Vec<i64> {
    (0..rank as i64).rev().collect()
}

pub fn rotated(rank: usize) -> Vec<i64> {
    (0..rank as i64).map(|i| (i + 1) % rank as i64).collect()
}

impl Striding {
    fn strides(self, dimensions: &[i64], size: usize) -> Option<Vec<i64>> {
        let rank = dimensions.len();
        Some(match self {
            Self::None => return None,
            Self::RowMajor => compact(dimensions, &row_major(rank), size, 0),
            Self::ColumnMajor => compact(dimensions, &(0..rank as i64).collect::<Vec<_>>(), size, 0),
            Self::RotatedWithGaps => compact(dimensions, &rotated(rank), size, 3),
            Self::Reversed => {
                let strides = compact(dimensions, &row_major(rank), size, 1);
                strides.iter().enumerate().map(|(i, stride)| if i % 2 == 0 { -stride } else { *stride }).collect()
            }
            Self::Broadcast => {
                let mut strides = compact(dimensions, &rotated(rank), size, 0);
                strides.iter_mut().take(1).for_each(|stride| *stride = 0);
                strides
            }
            Self::Overlapping => vec![size as i64; rank], // as windows of a signal
        })
    }
}

/// An array on the host, and the same in row-major order.
pub struct Sample {
    pub element_type: ElementType,
    pub dimensions: Vec<i64>,
    pub data: Vec<u8>,
    pub strides: Option<Vec<i64>>,
    pub offset: usize,
    pub plain: Vec<u8>,
}

impl Sample {
    pub fn new(element_type: ElementType, dimensions: &[i64], striding: Striding, seed: u64) -> Self {
        let size = element_type.storage_bits() / 8;
        let strides = striding.strides(dimensions, size);
        let plainly = compact(dimensions, &row_major(dimensions.len()), size, 0);
        let steps = strides.as_ref().unwrap_or(&plainly);
        let (mut low, mut high) = (0, size as i64);
        for (&dimension, &step) in dimensions.iter().zip(steps) {
            let last = (dimension - 1) * step;
            low += last.min(0);
            high += last.max(0);
        }
        if dimensions.contains(&0) {
            (low, high) = (0, 0);
        }
        let mut data = vec![0; (high - low) as usize];
        fill(&mut data, element_type, seed);
        let natural = Shape::array(element_type, dimensions).unwrap();
        let (mut plain, mut index) = (Vec::new(), vec![0; dimensions.len()]);
        for _ in 0..natural.element_count().unwrap() {
            let at = index.iter().zip(steps).map(|(x, step)| x * step).sum::<i64>() - low;
            plain.extend_from_slice(&data[at as usize..][..size]);
            natural.next_index(&mut index);
        }
        Self { element_type, dimensions: dimensions.into(), data, strides, offset: -low as usize, plain }
    }

    pub fn array(&self) -> HostArray<'_> {
        let array = HostArray::new(self.element_type, &self.dimensions, &self.data);
        match &self.strides {
            Some(strides) => array.strided(strides, self.offset),
            None => array,
        }
    }

    /// Its shape on the host, read back: row-major.
    pub fn natural(&self) -> Shape {
        Shape::array(self.element_type, &self.dimensions).unwrap()
    }
}

/// The same elements in another layout.
fn moved(from: &Shape, plain: &[u8], to: &Shape) -> Vec<u8> {
    let mut out = vec![0; to.byte_size().unwrap()];
    relayout(from, plain, to, &mut out).unwrap();
    out
}

/// Where two lists of bytes differ.
fn same(what: &str, got: &[u8], wanted: &[u8]) -> Result<(), String> {
    if got == wanted {
        return Ok(());
    }
    match got.iter().zip(wanted).position(|(a, b)| a != b) {
        Some(i) => Err(format!("{what}: byte {i} of {} is {:#x}, and not {:#x}", wanted.len(), got[i], wanted[i])),
        None => Err(format!("{what}: {} bytes, and not {}", got.len(), wanted.len())),
    }
}

/// Compares a buffer with what it must be: its shape, the bytes on the device, and the array read back in several ways.
pub fn check(buffer: &Buffer, wanted: &Shape, sample: &Sample) -> Result<(), String> {
    let said = |error: PjrtError| error.to_string();
    let shape = buffer.shape().map_err(said)?;
    if shape.to_string() != wanted.to_string() {
        return Err(format!("the plugin has it as {shape}, and not as {wanted}"));
    }
    let natural = sample.natural();
    let on_device = moved(&natural, &sample.plain, wanted);
    let mut raw = vec![0xAA; buffer.device_size().map_err(said)?];
    buffer.raw_to_host(&mut raw, 0).map_err(said)?;
    same(&format!("{wanted} on the device"), &raw, &on_device)?;
    if raw.len() > 2 {
        let mut part = vec![0xAA; raw.len() / 2];
        buffer.raw_to_host(&mut part, 1).map_err(said)?;
        same(&format!("{wanted} on the device from byte 1 on"), &part, &on_device[1..=part.len()])?;
    }
    let mut back = vec![0xAA; sample.plain.len()];
    buffer.to_host(&mut back, &HostLayout::RowMajor).map_err(said)?;
    same(&format!("{wanted} read back"), &back, &sample.plain)?;
    if wanted.category() != Category::Array || sample.dimensions.is_empty() {
        return Ok(());
    }
    let layout = Layout::builder(rotated(sample.dimensions.len())).build().unwrap();
    let size = sample.element_type.storage_bits() / 8;
    let strides = compact(&sample.dimensions, &rotated(sample.dimensions.len()), size, 0);
    let devices = Layout::builder(wanted.layout().unwrap().minor_to_major()).build().unwrap();
    for (host, order) in [
        (HostLayout::Layout(&layout), &layout),
        (HostLayout::ByteStrides(&strides), &layout),
        (HostLayout::AsDevice, &devices),
    ] {
        let expected = moved(&natural, &sample.plain, &natural.with_layout(order).unwrap());
        let needed = buffer.host_size(&host).map_err(said)?;
        if needed != expected.len() {
            return Err(format!("{wanted} as {host:?} needs {needed} bytes, and not {}", expected.len()));
        }
        let mut got = vec![0xAA; needed];
        buffer.to_host(&mut got, &host).map_err(said)?;
        same(&format!("{wanted} as {host:?}"), &got, &expected)?;
    }
    Ok(())
}
