package xlashape

// #include "bridge.h"
import "C"

// DrawFormat is what a picture is made of.
type DrawFormat int32

// The formats.
const (
	DrawText DrawFormat = 0 // for a terminal
	DrawSVG  DrawFormat = 1 // one <svg> element, readable on light and dark ground
	DrawHTML DrawFormat = 2 // a page that needs nothing else, with a slider through the order in memory
)

// DrawShow is what stands in a cell.
type DrawShow int32

// What may stand in a cell.
const (
	DrawPosition DrawShow = 0 // in memory, counted in elements; of a tile, counted in such tiles
	DrawIndex    DrawShow = 1
	DrawByte     DrawShow = 2 // the first byte; where elements are no whole bytes, byte.bit
	DrawTile     DrawShow = 3 // the outermost tile, in the memory's order
	DrawLane     DrawShow = 4 // sublane.lane of a TPU's register of 8 x 128 words of 32 bits
	DrawNothing  DrawShow = 5
)

// DrawColorBy is what colours mean.
type DrawColorBy int32

// The meanings of colours.
const (
	DrawByPosition  DrawColorBy = 0 // the order in memory of what is shown, from dark to light
	DrawByTile      DrawColorBy = 1
	DrawByDimension DrawColorBy = 2 // the index of ColorDimension
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
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(number(other != nil))
	if other != nil {
		f.shape(other)
	}
	flags := number(options.Color)*C.XLASHAPE_DRAW_COLOR | number(options.ASCII)*C.XLASHAPE_DRAW_ASCII |
		number(options.Data)*C.XLASHAPE_DRAW_DATA
	f.put(int64(options.Format), int64(options.Show), int64(options.ColorBy), flags)
	for _, field := range []struct {
		name  string
		value int
	}{
		{"ColorDimension", options.ColorDimension}, {"Zoom", options.Zoom}, {"Columns", options.Columns},
		{"MaxCells", options.MaxCells},
	} {
		if field.value != int(int32(field.value)) {
			f.refuse(ErrOutOfRange, "%s is %d, more than an int32 holds", field.name, field.value)
		}
		f.put(int64(field.value))
	}
	f.put(options.OverlayBytes)
	f.list(options.At)
	return f.textOf(C.XG_DRAW)
}
