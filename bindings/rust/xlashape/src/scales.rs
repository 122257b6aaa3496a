// SPDX-License-Identifier: Apache-2.0
//! The scales of quantized values.

/// Scales of quantized values, and their zero points, for [`Relayout::scales`](crate::Relayout::scales):
/// `real = (quantized - zero_point) * scale`, and back `quantized = nearest_even(real / scale) + zero_point`, which
/// saturates. The quantized values are the integers of the two sides, or the narrower floats.
///
/// ```
/// use xlashape::{Relayout, Scales, Shape};
///
/// let (quantized, reals): (Shape, Shape) = ("s8[2,3]".parse()?, "f32[2,3]".parse()?);
/// let scales = Scales::along(0, [0.5, 0.25]).zero_points([0, 10]); // of row 0 and of row 1
/// let there = Relayout::new(&quantized, &reals).convert().scales(scales.clone()).plan()?;
/// let back = Relayout::new(&reals, &quantized).convert().scales(scales).plan()?;
///
/// let (mut values, mut bytes) = ([0.0f32; 6], [0i8; 6]);
/// there.execute_converting(&[1i8, 2, 3, 10, 11, 14], &mut values)?;
/// assert_eq!(values, [0.5, 1.0, 1.5, 0.0, 0.25, 1.0]);
/// back.execute_converting(&values, &mut bytes)?;
/// assert_eq!(bytes, [1, 2, 3, 10, 11, 14]);
/// # Ok::<(), xlashape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scales {
    pub(crate) scale: Vec<f32>,
    pub(crate) zero_point: Option<Vec<i32>>,
    pub(crate) dimension: usize,
}

impl Scales {
    /// One scale for the whole array: finite, and not 0 where reals are divided by it.
    pub fn all(scale: f32) -> Self {
        Self::along(0, [scale])
    }

    /// A scale for each index of that dimension of the source. A single one is for the whole array.
    pub fn along(dimension: usize, scales: impl Into<Vec<f32>>) -> Self {
        Self { scale: scales.into(), zero_point: None, dimension }
    }

    setters! {
        /// As many zero points as there are scales; else all are 0, as they must be between two floats.
        zero_points(this, zero_points: impl Into<Vec<i32>>) => this.zero_point = Some(zero_points.into());
    }
}
