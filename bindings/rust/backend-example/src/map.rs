// SPDX-License-Identifier: Apache-2.0
//! The index map, forwards and backwards, as `xlashape_backend.h` defines it.

use std::ops::Range;
use std::slice::from_raw_parts;
use xlashape_backend_sys::{xlashape_map_ir, XLASHAPE_MAX_MAP_VALUES};

/// The values of one run of the program; the first ones are the index.
pub struct Scratch([i64; XLASHAPE_MAX_MAP_VALUES as usize]);

impl Scratch {
    pub fn new() -> Self {
        Self([0; XLASHAPE_MAX_MAP_VALUES as usize])
    }

    pub fn index(&mut self, rank: usize) -> &mut [i64] {
        &mut self.0[..rank]
    }
}

/// A `map_ir` as slices.
pub struct Map<'a> {
    pub unit_bits: u32,
    pub positions: i64,
    data_positions: i64,
    dimensions: &'a [i64],
    first_term: &'a [i32],
    first_value: &'a [i32],
    bound: &'a [i64],
    term_value: &'a [i32],
    coefficient: &'a [i64],
    divisor: &'a [i64],
    output_value: &'a [i32],
    stride: &'a [i64],
    first: i64,
}

/// The core may give NULL for what is empty.
unsafe fn list<'a, T>(pointer: *const T, count: i32) -> &'a [T] {
    match usize::try_from(count) {
        Ok(count) if count > 0 && !pointer.is_null() => from_raw_parts(pointer, count),
        _ => &[],
    }
}

fn range(starts: &[i32], at: usize) -> Range<usize> {
    starts[at] as usize..starts[at + 1] as usize
}

impl<'a> Map<'a> {
    /// # Safety
    /// `ir` comes from the core, and lives as long as the map.
    pub unsafe fn new(ir: &'a xlashape_map_ir) -> Self {
        Self {
            unit_bits: ir.unit_bits as u32,
            positions: ir.positions,
            data_positions: ir.data_positions,
            dimensions: list(ir.dimensions, ir.rank),
            first_term: list(ir.sum_first_term, ir.sum_count + 1),
            first_value: list(ir.sum_first_value, ir.sum_count + 1),
            bound: list(ir.sum_bound, ir.sum_count),
            term_value: list(ir.term_value, ir.term_count),
            coefficient: list(ir.term_coefficient, ir.term_count),
            divisor: list(ir.value_divisor, ir.value_count),
            output_value: list(ir.output_value, ir.output_count),
            stride: list(ir.output_stride, ir.output_count),
            first: ir.first_position,
        }
    }

    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    /// Whether the index lies within the bounds.
    pub fn holds(&self, index: &[i64]) -> bool {
        index.iter().zip(self.dimensions).all(|(&i, &dimension)| (0..dimension).contains(&i))
    }

    /// The position of the index in `scratch`.
    pub fn position(&self, scratch: &mut Scratch) -> i64 {
        let (values, rank) = (&mut scratch.0, self.rank());
        for sum in 0..self.bound.len() {
            let terms = range(self.first_term, sum);
            let mut x: i64 = terms.map(|t| self.coefficient[t] * values[self.term_value[t] as usize]).sum();
            for v in range(self.first_value, sum) {
                values[rank + v] = x / self.divisor[v];
                x %= self.divisor[v];
            }
        }
        let steps = self.stride.iter().zip(self.output_value);
        self.first + steps.map(|(stride, &value)| stride * values[value as usize]).sum::<i64>()
    }

    /// Puts the index of the element at `position` into `scratch`; false where that holds padding.
    pub fn index_at(&self, mut position: i64, scratch: &mut Scratch) -> bool {
        if !(0..self.data_positions).contains(&position) {
            return false;
        }
        let (values, rank) = (&mut scratch.0, self.rank());
        values[..rank + self.divisor.len()].fill(0);
        for (&stride, &value) in self.stride.iter().zip(self.output_value) {
            values[value as usize] = position / stride;
            position %= stride;
        }
        for sum in (0..self.bound.len()).rev() {
            let mut x: i64 = range(self.first_value, sum).map(|v| self.divisor[v] * values[rank + v]).sum();
            if x >= self.bound[sum] {
                return false;
            }
            for t in range(self.first_term, sum) {
                values[self.term_value[t] as usize] = x / self.coefficient[t];
                x %= self.coefficient[t];
            }
        }
        self.holds(&values[..rank])
    }
}
