package xlashape

// #include "calls.h"
import "C"

// DrawFormat is what a picture is made of.
type DrawFormat int32

// The formats.
const (
	DrawText DrawFormat = C.XLASHAPE_DRAW_TEXT // for a terminal
	DrawSVG  DrawFormat = C.XLASHAPE_DRAW_SVG  // one <svg> element, readable on light and dark ground
	DrawHTML DrawFormat = C.XLASHAPE_DRAW_HTML // a page that needs nothing else, with a slider through the order in memory
)

// DrawShow is what stands in a cell.
type DrawShow int32

// What may stand in a cell.
const (
	DrawPosition DrawShow = C.XLASHAPE_DRAW_POSITION // in memory, counted in elements; of a tile, counted in such tiles
	DrawIndex    DrawShow = C.XLASHAPE_DRAW_INDEX
	DrawByte     DrawShow = C.XLASHAPE_DRAW_BYTE // the first byte; where elements are no whole bytes, byte.bit
	DrawTile     DrawShow = C.XLASHAPE_DRAW_TILE // the outermost tile, in the memory's order
	DrawLane     DrawShow = C.XLASHAPE_DRAW_LANE // sublane.lane of a TPU's register of 8 x 128 words of 32 bits
	DrawNothing  DrawShow = C.XLASHAPE_DRAW_NOTHING
)

// DrawColorBy is what colours mean.
type DrawColorBy int32

// The meanings of colours.
const (
	DrawByPosition  DrawColorBy = C.XLASHAPE_DRAW_BY_POSITION // the order in memory of what is shown, from dark to light
	DrawByTile      DrawColorBy = C.XLASHAPE_DRAW_BY_TILE
	DrawByDimension DrawColorBy = C.XLASHAPE_DRAW_BY_DIMENSION // the index of ColorDimension
)

// DrawOptions say how Shape.Draw draws. Zero and nil: the default.
type DrawOptions struct {
	Format         DrawFormat
	Show           DrawShow
	ColorBy        DrawColorBy
	ColorDimension int
	Zoom           int     // 0: a cell is an element; 1: a tile of the innermost level; 2: of the one around it, ...
	Columns        int     // text: characters per line, from 20 on, which a shape's text may exceed; 0: 80
	MaxCells       int     // to show at most; 0: 1024 in text, else up to 4096
	OverlayBytes   int64   // marks where blocks of so many bytes end, and counts those that a row touches; 0: none
	At             []int64 // per dimension an index to show alone, or -1; nil: -1 everywhere
	Color          bool    // text: with 24-bit colours, as escape sequences
	ASCII          bool    // text: nothing but ASCII
	Data           bool    // SVG: what is known of a cell as data- attributes, for programs, not as titles
}

// Draw shows where the elements of an array are in memory: its cells as one reads them, each with its place, the tiles'
// borders, and the padding. Of large arrays the first, the second and the last tile are shown, with exact counts of what
// is left out. With other, an array of the same dimensions: both, each element in the same colour, and what a relayout
// from one to the other does; nil: the array alone. ErrUnsupported for what is no array, for unbounded dimensions, and
// with Zoom where tiles do not nest.
func (s Shape) Draw(other *Shape, options *DrawOptions) (string, error) {
	if options == nil {
		options = &DrawOptions{}
	}
	c := begin(&s)
	if other != nil {
		c.shape(1, other)
	}
	int32Of := func(name string, value int) C.int32_t {
		if value != int(int32(value)) {
			c.refuse(ErrOutOfRange, "%s is %d, more than an int32 holds", name, value)
		}
		return C.int32_t(value)
	}
	raw := (*C.xlashape_draw_options)(c.room(C.sizeof_xlashape_draw_options))
	*raw = C.xlashape_draw_options{struct_size: C.sizeof_xlashape_draw_options,
		flags: when(options.Color, C.XLASHAPE_DRAW_COLOR) | when(options.ASCII, C.XLASHAPE_DRAW_ASCII) |
			when(options.Data, C.XLASHAPE_DRAW_DATA),
		format: C.int32_t(options.Format), show: C.int32_t(options.Show), color_by: C.int32_t(options.ColorBy),
		color_dimension: int32Of("ColorDimension", options.ColorDimension), zoom: int32Of("Zoom", options.Zoom),
		columns: int32Of("Columns", options.Columns), max_cells: int32Of("MaxCells", options.MaxCells),
		overlay_bytes: C.int64_t(options.OverlayBytes), at: c.list(options.At), at_count: C.int64_t(len(options.At))}
	return c.toText(C.xg_shape_draw(c.at, raw))
}
