// SPDX-License-Identifier: Apache-2.0
//! The relayout, element by element: its meaning in `xlashape_backend.h`, and nothing cleverer.

use crate::map::{Map, Scratch};
use crate::memory::Bytes;
use std::slice::from_raw_parts;
use xlashape_backend_sys::{xlashape_map_ir, xlashape_relayout_ir, XLASHAPE_FILL_PADDING, XLASHAPE_IR_HAS_BOX};

/// One side: its map, and where its containers lie.
struct Side<'a> {
    map: Map<'a>,
    container_bits: u32,
}

impl<'a> Side<'a> {
    /// # Safety
    /// As `Map::new`.
    unsafe fn new(ir: *const xlashape_map_ir, container_bits: i32) -> Self {
        Self { map: Map::new(&*ir), container_bits: container_bits as u32 }
    }

    /// The container at a position, as a number.
    fn read(&self, memory: Bytes, position: i64) -> u128 {
        let at = |byte_step: u32| position * i64::from(byte_step);
        match self.container_bits {
            8 => u8::from_ne_bytes(memory.read(at(self.map.unit_bits / 8))).into(),
            16 => u16::from_ne_bytes(memory.read(at(self.map.unit_bits / 8))).into(),
            32 => u32::from_ne_bytes(memory.read(at(self.map.unit_bits / 8))).into(),
            64 => u64::from_ne_bytes(memory.read(at(self.map.unit_bits / 8))).into(),
            128 => u128::from_ne_bytes(memory.read(at(self.map.unit_bits / 8))),
            bits => {
                let first = at(self.map.unit_bits);
                let [byte] = memory.read(first.div_euclid(8));
                u128::from(byte >> first.rem_euclid(8)) & low_bits(bits)
            }
        }
    }

    /// Writes the low bits of `value`; neighbours in the same byte stay as they are.
    fn write(&self, memory: Bytes, position: i64, value: u128) {
        let at = |byte_step: u32| position * i64::from(byte_step);
        match self.container_bits {
            8 => memory.write(at(self.map.unit_bits / 8), (value as u8).to_ne_bytes()),
            16 => memory.write(at(self.map.unit_bits / 8), (value as u16).to_ne_bytes()),
            32 => memory.write(at(self.map.unit_bits / 8), (value as u32).to_ne_bytes()),
            64 => memory.write(at(self.map.unit_bits / 8), (value as u64).to_ne_bytes()),
            128 => memory.write(at(self.map.unit_bits / 8), value.to_ne_bytes()),
            bits => {
                let first = at(self.map.unit_bits);
                let (byte, place) = (first.div_euclid(8), first.rem_euclid(8));
                let ([old], mask) = (memory.read(byte), (low_bits(bits) as u8) << place);
                memory.write(byte, [old & !mask | (value as u8) << place & mask]);
            }
        }
    }
}

fn low_bits(bits: u32) -> u128 {
    if bits >= 128 {
        u128::MAX
    } else {
        (1 << bits) - 1
    }
}

/// A `relayout_ir` with its maps as slices.
pub struct Relayout<'a> {
    ir: &'a xlashape_relayout_ir,
    src: Side<'a>,
    dst: Side<'a>,
}

impl<'a> Relayout<'a> {
    /// # Safety
    /// `ir` comes from the core, and lives as long as this value.
    pub unsafe fn new(ir: &'a xlashape_relayout_ir) -> Self {
        let src = Side::new(ir.src, ir.src_container_bits);
        Self { ir, src, dst: Side::new(ir.dst, ir.dst_container_bits) }
    }

    /// Moves everything.
    pub fn run(&self, src: Bytes, dst: Bytes) {
        if self.ir.flags & XLASHAPE_IR_HAS_BOX != 0 {
            self.run_box(src, dst);
        } else {
            self.run_all(src, dst);
        }
    }

    /// The container that a source container becomes.
    fn converted(&self, container: u128) -> u128 {
        if self.ir.src_container_bits == self.ir.dst_container_bits {
            return container; // bits that are no value move along
        }
        container & low_bits(self.ir.value_bits as u32)
    }

    /// Index by index; nothing else is touched.
    fn run_box(&self, src: Bytes, dst: Bytes) {
        let rank = self.src.map.rank();
        // SAFETY: with a box the core gives all three, `rank` long.
        let list = |pointer| if rank == 0 { &[][..] } else { unsafe { from_raw_parts::<i64>(pointer, rank) } };
        let (src_base, dst_base, extent) = (list(self.ir.src_base), list(self.ir.dst_base), list(self.ir.extent));
        let (mut from, mut to, mut step) = (Scratch::new(), Scratch::new(), Scratch::new());
        for _ in 0..self.ir.elements {
            let at = step.index(rank);
            for d in 0..rank {
                from.index(rank)[d] = src_base[d] + at[d];
                to.index(rank)[d] = dst_base[d] + at[d];
            }
            for d in (0..rank).rev() {
                at[d] += 1;
                if at[d] < extent[d] {
                    break;
                }
                at[d] = 0;
            }
            let container = self.src.read(src, self.src.map.position(&mut from));
            self.dst.write(dst, self.dst.map.position(&mut to), self.converted(container));
        }
    }

    /// Position by position: an element, or the fill.
    fn run_all(&self, src: Bytes, dst: Bytes) {
        let fills = self.ir.fill_policy == XLASHAPE_FILL_PADDING;
        let filler = self.filler();
        let mut scratch = Scratch::new();
        for position in 0..self.dst.map.positions {
            if self.dst.map.index_at(position, &mut scratch) {
                let container = self.src.read(src, self.src.map.position(&mut scratch));
                self.dst.write(dst, position, self.converted(container));
            } else if fills {
                self.dst.write(dst, position, filler);
            }
        }
        let spare = self.dst.map.positions * i64::from(self.dst.container_bits);
        if fills && spare % 8 != 0 {
            let [last] = dst.read(spare / 8);
            dst.write(spare / 8, [last & low_bits(spare as u32 % 8) as u8]);
        }
    }

    /// The fill as a number: it is given as it lies in memory.
    fn filler(&self) -> u128 {
        let fill = &self.ir.fill;
        let bytes = (self.dst.container_bits as usize + 7) / 8;
        let mut number = [0; 16];
        let start = if cfg!(target_endian = "big") { 16 - bytes } else { 0 };
        number[start..start + bytes].copy_from_slice(&fill[..bytes]);
        u128::from_ne_bytes(number)
    }
}
