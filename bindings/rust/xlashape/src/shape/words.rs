// SPDX-License-Identifier: Apache-2.0
//! Arrays and layouts as people, and other projects, write them.

use super::{MissingLayout, Shape};
use crate::ffi::{calls, shape};
use crate::layout::StridesPolicy;
use crate::Result;
use xlashape_sys as sys;

/// How another project writes an array or its layout: what [`Shape::to_notation`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Notation {
    // members: NOTATION_(\w+) as {Name} = sys::{C},
    /// `tensor<2x3xf32>`: row-major arrays only.
    Mlir = sys::XLASHAPE_NOTATION_MLIR,
    /// `memref<2x3xf32, strided<[1, 2]>>`; tiles as an `affine_map`.
    Memref = sys::XLASHAPE_NOTATION_MEMREF,
    /// `(2,3):(3,1)`, strides in elements; a tiled dimension is a mode of several, the fastest first.
    Cute = sys::XLASHAPE_NOTATION_CUTE,
    /// `{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}`, strides in bytes, types by ml_dtypes' names.
    Numpy = sys::XLASHAPE_NOTATION_NUMPY,
    /// `aBcd16b`, oneDNN's tag: the layout alone.
    Onednn = sys::XLASHAPE_NOTATION_ONEDNN,
    /// `outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]`, of `linalg.pack`: the layout alone.
    Pack = sys::XLASHAPE_NOTATION_PACK,
    /// `Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0)`: the layout alone.
    Jax = sys::XLASHAPE_NOTATION_JAX,
    // end of members
}

/// What [`Shape::with_words`] makes of an array and a layout's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arranged {
    /// The array in that layout, its dimensions as they were: what its elements are moved to.
    pub destination: Shape,
    /// The same memory as an array whose dimensions are in the order that the words ask for: the destination itself
    /// unless they permute.
    pub result: Shape,
}

impl Shape {
    /// The shape that a text describes, in the notation of whatever project: XLA's text with element types of any name
    /// and a layout's words in its braces, MLIR's `tensor` and `memref`, NumPy's dict, jax's `ShapeDtypeStruct`, sizes
    /// and a type, CuTe's layout behind a type, a line of HLO. [`str::parse`] takes XLA's text alone.
    ///
    /// ```
    /// use xlashape::Shape;
    ///
    /// for text in ["float32[2,3]{col}", "{'shape': (2, 3), 'strides': (4, 8), 'dtype': '<f4'}", "f32 (2,3):(1,2)",
    ///     "memref<2x3xf32, strided<[1, 2]>>"] {
    ///     assert_eq!(Shape::read(text)?.to_string(), "f32[2,3]{0,1}");
    /// }
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`](crate::Error::offset); `Unsupported` for what no shape says, with the reason, and
    /// for a memref that does not begin at element 0. Where the text has strides, as
    /// [`Layout::from_byte_strides`](crate::Layout::from_byte_strides); gaps become padded widths.
    pub fn read(text: &str) -> Result<Self> {
        shape::shape_read(text, 0).map(Self)
    }

    /// As [`Shape::read`], with a say in what becomes of texts without a layout and of strides with gaps; returns also
    /// how many elements lie before the first one, which is 0 but for a memref.
    ///
    /// ```
    /// use xlashape::{MissingLayout, Shape, StridesPolicy};
    ///
    /// let text = "memref<2x3xf32, strided<[3, 1], offset: 6>>";
    /// let (shape, offset) = Shape::read_with_offset(text, MissingLayout::RowMajor, StridesPolicy::Compact)?;
    /// assert_eq!((shape.to_string().as_str(), offset), ("f32[2,3]{1,0}", 6));
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Shape::read`], save for the offset.
    pub fn read_with_offset(text: &str, missing: MissingLayout, policy: StridesPolicy) -> Result<(Self, i64)> {
        let (shape, offset) = shape::shape_read_with_offset(text, missing as u32 | policy as u32)?;
        Ok((Self(shape), offset))
    }

    /// The array in the layout that a text asks for: XLA's, `{0,1:T(8,128)}` or `T(8,128)`; `row`, `col`,
    /// `channels_last`; a permutation, `2,0,1`; letters, `NHWC->NCHW` or `h w c -> c h w`; a tag of oneDNN, `nChw16c`;
    /// the attributes of `linalg.pack`; jax's `Layout(...)`; CuTe's and a memref's layout.
    ///
    /// ```
    /// use xlashape::{relayout, Shape};
    ///
    /// let photo: Shape = "u8[2,2,3]".parse()?; // height, width, channels
    /// let planes = photo.with_words("HWC->CHW")?;
    /// assert_eq!(planes.destination.to_string(), "u8[2,2,3]{1,0,2}");
    /// assert_eq!(planes.result.to_string(), "u8[3,2,2]{2,1,0}");
    ///
    /// let mut bytes = [0; 12];
    /// relayout(&photo, b"rgbRGBrgbRGB", &planes.destination, &mut bytes)?;
    /// assert_eq!(&bytes, b"rRrRgGgGbBbB");
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// Sizes that blocks do not divide are padded:
    ///
    /// ```
    /// let image = xlashape::Shape::read("float32[1,60,56,56]")?.with_words("nChw16c")?.destination;
    /// assert_eq!(image.to_string(), "f32[1,60,56,56]{3,2,1,0:T(16,1,1)}");
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Parse` with [`Error::offset`](crate::Error::offset), `InvalidArgument` where the words do not fit the array,
    /// `Unsupported` for what is no array, and for what no layout says, such as a swizzle.
    pub fn with_words(&self, words: &str) -> Result<Arranged> {
        self.with_words_policy(words, StridesPolicy::Padded)
    }

    /// As [`Shape::with_words`], with a say in what becomes of strides with gaps, in CuTe's and a memref's layout.
    ///
    /// # Errors
    /// As [`Shape::with_words`].
    pub fn with_words_policy(&self, words: &str, policy: StridesPolicy) -> Result<Arranged> {
        let (destination, result) = shape::shape_with_words(&self.0, words, policy as u32)?;
        Ok(Arranged { destination: Self(destination), result: Self(result) })
    }

    /// The text of another project, which [`Shape::read`] and [`Shape::with_words`] read.
    ///
    /// ```
    /// use xlashape::{Notation, Shape};
    ///
    /// let tiled: Shape = "bf16[128,256]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(tiled.to_notation(Notation::Onednn)?, "AB4a128b2a");
    /// assert_eq!(tiled.to_notation(Notation::Cute)?, "((2,4,16),(128,2)):((1,256,2048),(2,1024))");
    /// assert_eq!(tiled.without_layout()?.to_notation(Notation::Mlir)?, "tensor<128x256xbf16>");
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` where that notation cannot say what the shape is, with the reason. MLIR's tensors have no layout:
    /// for one other than row-major see [`Shape::without_layout`].
    pub fn to_notation(&self, notation: Notation) -> Result<String> {
        calls::xlashape_shape_print_as(&self.0, notation as i32, 0)
    }
}
