//! Pictures of layouts.

use crate::error::{fail, ErrorKind};
use crate::ffi::call::number;
use crate::ffi::shape::shape_draw;
use crate::{Result, Shape};
use xlashape_sys as sys;

/// What a picture is made of: [`DrawOptions::format`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum DrawFormat {
    /// For a terminal.
    #[default]
    Text = sys::XLASHAPE_DRAW_TEXT,
    /// One `<svg>` element, readable on light and dark ground.
    Svg = sys::XLASHAPE_DRAW_SVG,
    /// A page that needs nothing else, with a slider through the order in memory.
    Html = sys::XLASHAPE_DRAW_HTML,
}

/// What stands in a cell: [`DrawOptions::show`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum DrawShow {
    /// The position in memory, counted in elements; of a tile, counted in such tiles.
    #[default]
    Position = sys::XLASHAPE_DRAW_POSITION,
    /// The index.
    Index = sys::XLASHAPE_DRAW_INDEX,
    /// The first byte; where elements are no whole bytes, byte.bit.
    Byte = sys::XLASHAPE_DRAW_BYTE,
    /// The outermost tile, in the memory's order.
    Tile = sys::XLASHAPE_DRAW_TILE,
    /// sublane.lane of a TPU's register of 8 x 128 words of 32 bits.
    Lane = sys::XLASHAPE_DRAW_LANE,
    /// Nothing.
    Nothing = sys::XLASHAPE_DRAW_NOTHING,
}

/// What colours mean: [`DrawOptions::color_by`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DrawColor {
    /// The order in memory of what is shown, from dark to light.
    #[default]
    Position,
    /// The tile.
    Tile,
    /// The index of this dimension.
    Dimension(usize),
}

/// How [`Shape::draw`] draws. What is not said, or 0, is the default.
#[derive(Clone, Debug, Default)]
pub struct DrawOptions {
    format: DrawFormat,
    show: DrawShow,
    color_by: DrawColor,
    flags: u32,
    zoom: usize,
    columns: usize,
    max_cells: usize,
    overlay_bytes: usize,
    at: Vec<Option<i64>>,
}

impl DrawOptions {
    /// All at their defaults.
    pub fn new() -> Self {
        Self::default()
    }

    setters! {
        /// Text, SVG or a page.
        format(this, format: DrawFormat) => this.format = format;

        /// What stands in a cell.
        show(this, show: DrawShow) => this.show = show;

        /// What colours mean.
        color_by(this, color_by: DrawColor) => this.color_by = color_by;

        /// Text with 24-bit colours, as escape sequences.
        color(this) => this.flags |= sys::XLASHAPE_DRAW_COLOR;

        /// Text of nothing but ASCII.
        ascii(this) => this.flags |= sys::XLASHAPE_DRAW_ASCII;

        /// SVG with what is known of a cell as `data-` attributes, for programs, not as titles.
        data(this) => this.flags |= sys::XLASHAPE_DRAW_DATA;

        /// What a cell is: 0 an element, 1 a tile of the innermost level, 2 of the one around it, and so on.
        zoom(this, zoom: usize) => this.zoom = zoom;

        /// Characters per line of a text, from 20 on, which a shape's text may exceed; 0: 80.
        columns(this, columns: usize) => this.columns = columns;

        /// Cells to show at most; 0: 1024 in a text, else up to 4096.
        max_cells(this, max_cells: usize) => this.max_cells = max_cells;

        /// Marks where blocks of so many bytes end, and counts those that a row touches.
        overlay_bytes(this, bytes: usize) => this.overlay_bytes = bytes;

        /// For each dimension the index that alone is shown, or None for all; an empty list is None for each.
        at(this, at: impl Into<Vec<Option<i64>>>) => this.at = at.into();
    }

    fn raw(&self) -> Result<sys::xlashape_draw_options> {
        let (color_by, color_dimension) = match self.color_by {
            DrawColor::Position => (sys::XLASHAPE_DRAW_BY_POSITION, 0),
            DrawColor::Tile => (sys::XLASHAPE_DRAW_BY_TILE, 0),
            DrawColor::Dimension(dimension) => (sys::XLASHAPE_DRAW_BY_DIMENSION, dimension),
        };
        Ok(sys::xlashape_draw_options {
            format: self.format as i32,
            show: self.show as i32,
            color_by,
            flags: self.flags,
            color_dimension: number(ErrorKind::OutOfRange, "the colours' dimension", color_dimension)?,
            zoom: number(ErrorKind::OutOfRange, "zoom", self.zoom)?,
            columns: number(ErrorKind::OutOfRange, "columns", self.columns)?,
            max_cells: number(ErrorKind::OutOfRange, "max_cells", self.max_cells)?,
            overlay_bytes: number(ErrorKind::OutOfRange, "overlay_bytes", self.overlay_bytes)?,
            ..sys::xlashape_draw_options::new()
        })
    }

    /// The indices as C has them, where -1, which no index may be, is None.
    fn indices(&self) -> Result<Vec<i64>> {
        let index = |(dimension, at): (usize, &Option<i64>)| match *at {
            Some(index) if index < 0 => {
                fail(ErrorKind::OutOfRange, format!("at[{dimension}] is {index}: indices count from 0"))
            }
            at => Ok(at.unwrap_or(-1)),
        };
        self.at.iter().enumerate().map(index).collect()
    }
}

impl Shape {
    /// The array's cells as one reads them, each with its place in memory, the tiles' borders, and the padding where it
    /// is. Of large arrays the first, the second and the last tile are shown, with exact counts of what is left out.
    /// With `other`, an array of the same dimensions: both, each element in the same colour, and what a relayout from
    /// one to the other does.
    ///
    /// ```
    /// use xlashape::{DrawOptions, DrawShow, Shape};
    ///
    /// let tiled: Shape = "u8[3,4]{0,1:T(2,2)}".parse()?;
    /// let picture = tiled.draw(None, &DrawOptions::new().ascii())?;
    /// assert!(picture.contains("1 | 1  3| 9 11|"));
    /// let both = tiled.draw(Some(&"u8[3,4]".parse()?), &DrawOptions::new().show(DrawShow::Index))?;
    /// assert!(both.contains("a relayout reads 16 bytes and writes 12"));
    /// # Ok::<(), xlashape::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Unsupported` for what is no array, for unbounded dimensions, and with `zoom` where tiles do not nest;
    /// `OutOfRange` for options beyond their range; `InvalidArgument` for another shape of other dimensions.
    pub fn draw(&self, other: Option<&Self>, options: &DrawOptions) -> Result<String> {
        shape_draw(&self.0, other.map(|shape| &shape.0), options.raw()?, &options.indices()?)
    }
}
