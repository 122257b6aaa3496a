// SPDX-License-Identifier: Apache-2.0
//! Memory images. The cases write tokens; each becomes a bit pattern of the element type, and where a type has fewer
//! patterns than there are tokens the relayout runs several times, once for each digit of a token's number.

use crate::Failure;
use std::collections::BTreeMap;
use xlashape::{Classes, FillPolicy, IndexMap, PaddingValue, Relayout, Shape};

/// What an image is made of: positions of `container` bits, each holding a value of `value` bits.
#[derive(Clone, Copy)]
struct Cells {
    count: usize,
    bytes: usize,
    container: usize,
    value: usize,
}

const MAX_IMAGE_BYTES: usize = 1 << 30;

impl Cells {
    fn of(shape: &Shape) -> Result<Self, Failure> {
        let (sizes, element_type) = (shape.sizes()?, shape.element_type());
        if sizes.bytes > MAX_IMAGE_BYTES {
            return Err("the image is too large to be built".to_owned().into());
        }
        let sub_byte = element_type.classes().contains(Classes::SUB_BYTE);
        Ok(Self {
            count: sizes.storage_elements,
            bytes: sizes.bytes,
            container: sizes.element_bits,
            value: if sub_byte { element_type.bits() } else { element_type.storage_bits() },
        })
    }

    fn write(&self, image: &mut [u8], position: usize, value: u128) {
        for i in 0..self.container {
            let (bit, one) = (position * self.container + i, if i < 128 { value >> i & 1 } else { 0 });
            image[bit / 8] = image[bit / 8] & !(1 << (bit % 8)) | (one as u8) << (bit % 8);
        }
    }

    fn read(&self, image: &[u8], position: usize) -> u128 {
        let bits = self.container.min(self.value).min(128);
        (0..bits).fold(0, |value, i| {
            let bit = position * self.container + i;
            value | u128::from(image[bit / 8] >> (bit % 8) & 1) << i
        })
    }
}

fn cut(value: u128, bits: usize) -> u128 {
    if bits >= 128 {
        value
    } else {
        value & ((1 << bits) - 1)
    }
}

/// Patterns for tokens: distinct for distinct tokens over all passes.
struct Tokens<'a> {
    bits: usize,
    numbers: BTreeMap<&'a str, usize>,
}

impl<'a> Tokens<'a> {
    fn add(&mut self, token: &'a str) {
        let next = self.numbers.len();
        self.numbers.entry(token).or_insert(next);
    }

    fn passes(&self) -> usize {
        if self.bits >= 32 {
            return 1;
        }
        let (mut passes, mut room) = (1, 1usize << self.bits);
        while room < self.numbers.len() {
            passes += 1;
            room <<= self.bits;
        }
        passes
    }

    fn pattern(&self, token: &str, pass: usize) -> u128 {
        let number = if pass == 0 { self.numbers[token] } else { self.numbers[token] >> (self.bits * pass) };
        // An odd factor keeps numbers apart in their lowest bits and fills the higher ones.
        let word = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let high = word.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        cut(u128::from(high) << 64 | u128::from(word), self.bits)
    }
}

fn expect_count(what: &str, got: usize, want: usize) -> Result<(), Failure> {
    if got == want {
        return Ok(());
    }
    Err(format!("{what} has {got} entries, the array has {want} positions").into())
}

/// The image of `src`, given as tokens, relaid to `dst`: None when it is what the case wants, else what differs.
pub fn compare(src: &Shape, data: &[&str], dst: &Shape, want: &[&str], fill: &str) -> Result<Option<String>, Failure> {
    let (from, to) = (Cells::of(src)?, Cells::of(dst)?);
    expect_count("data", data.len(), from.count)?;
    if want.len() != to.count {
        return Ok(Some(format!("got {} positions want {}", to.count, want.len())));
    }
    let mut tokens = Tokens { bits: to.value, numbers: BTreeMap::new() };
    [&fill].into_iter().chain(data).chain(want).for_each(|token| tokens.add(token));

    let map = IndexMap::new(dst)?;
    let padding = dst.layout().map_or(PaddingValue::Invalid, |layout| layout.padding_value());
    let element = dst.element_type().padding_element(padding)?;
    let filled = element.iter().rev().fold(0u128, |value, &byte| value << 8 | u128::from(byte));

    for pass in 0..tokens.passes() {
        let (mut source, mut preset) = (vec![0; from.bytes], vec![0; to.bytes]);
        for (i, token) in data.iter().enumerate() {
            from.write(&mut source, i, tokens.pattern(token, pass));
        }
        (0..to.count).for_each(|i| to.write(&mut preset, i, tokens.pattern(fill, pass)));
        for policy in [FillPolicy::Preserve, FillPolicy::Padding] {
            if policy == FillPolicy::Padding && padding == PaddingValue::Invalid {
                continue;
            }
            // Both ways to run it: at once, and by a plan.
            let relayout = Relayout::new(src, dst).fill(policy);
            let (mut image, mut again) = (preset.clone(), preset.clone());
            relayout.run(&source, &mut image)?;
            relayout.plan()?.execute(&source, &mut again)?;
            if image != again {
                return Ok(Some("the plan and the relayout at once differ".into()));
            }
            for (i, token) in want.iter().enumerate() {
                let is_padding = policy == FillPolicy::Padding && map.index(i as i64)?.is_none();
                let expected = if is_padding { cut(filled, to.value) } else { tokens.pattern(token, pass) };
                let got = to.read(&image, i);
                if got != expected {
                    return Ok(Some(format!("got bits {got:#x} want {expected:#x} at position {i} ({policy:?})")));
                }
            }
        }
    }
    Ok(None)
}

/// The image of `shape` that holds `data`, numbers in row-major order, with zeros for padding.
pub fn pack(shape: &Shape, plain: &Shape, values: &[i64]) -> Result<String, Failure> {
    let from = Cells::of(plain)?;
    expect_count("data", values.len(), from.count)?;
    let mut source = vec![0; from.bytes];
    for (i, &value) in values.iter().enumerate() {
        from.write(&mut source, i, i128::from(value) as u128);
    }
    let mut image = vec![0; Cells::of(shape)?.bytes];
    Relayout::new(plain, shape).run(&source, &mut image)?;
    Ok(hex(&image))
}

/// The memory of `dst`, in hex, made from that of `src`.
pub fn bytes(src: &Shape, data: &str, dst: &Shape) -> Result<String, Failure> {
    let byte = |i| u8::from_str_radix(&data[i..i + 2], 16).map_err(|error| error.to_string());
    let source = (0..data.len()).step_by(2).map(byte).collect::<Result<Vec<_>, _>>()?;
    let mut image = vec![0; dst.sizes()?.bytes];
    Relayout::new(src, dst).run(&source, &mut image)?;
    Ok(hex(&image))
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
