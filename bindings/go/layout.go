// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import "unsafe"

// Layout says how the dimensions of an array are arranged in memory (xla::Layout). The zero value of a field means that
// it is not set. Any layout can be composed; whether it is valid is checked wherever it is used, and by Validate. A nil
// *Layout is invalid: methods that return an error say so.
type Layout struct {
	MinorToMajor                    []int64       // the dimensions, the fastest first; may be empty with a MemorySpace
	PaddedDimensions                []int64       // the widths in memory, each >= the dimension; nil: none
	PaddingValue                    PaddingValue  // what padding is filled with
	Tiles                           []Tile        // the level applied first comes first
	ElementSizeInBits               int64         // E(n): bits one element takes; 0: as its type does
	TailPaddingAlignmentInElements  int64         // L(n); 0 means 1
	MemorySpace                     int64         // S(n), -128..127
	SplitConfigs                    []SplitConfig // SC(...)
	DynamicShapeMetadataPrefixBytes int64         // M(n)
}

// Tile is one level of tiles: its sizes, the most major first. CombineDimension stands for `*`, MatchDimension for `d`.
type Tile []int64

// SplitConfig splits a physical dimension (0: the most major) at indices.
type SplitConfig struct {
	Dimension    int64
	SplitIndices []int64
}

// ParseLayout reads XLA's text of a layout, braces included. PD(...) and PV(...), widths and padding value, may follow
// XLA's own properties.
func ParseLayout(text string) (*Layout, error) {
	c := begin()
	at, size := c.text(text)
	return c.toLayout(C.xg_layout_parse(c.at, at, size))
}

// MustParseLayout is ParseLayout for texts that are known to be valid: it panics on others.
func MustParseLayout(text string) *Layout {
	layout, err := ParseLayout(text)
	if err != nil {
		panic(err)
	}
	return layout
}

// RowMajor is the layout {rank-1,...,0}: XLA's default. For a rank that the library refuses, negative or more than
// 1<<24, it returns an invalid layout with that rank as its only dimension, which Validate and all functions refuse.
func RowMajor(rank int) *Layout {
	l := ColumnMajor(rank)
	for i, j := 0, len(l.MinorToMajor)-1; i < j; i, j = i+1, j-1 {
		l.MinorToMajor[i], l.MinorToMajor[j] = l.MinorToMajor[j], l.MinorToMajor[i]
	}
	return l
}

// ColumnMajor is the layout {0,...,rank-1}; for invalid ranks see RowMajor.
func ColumnMajor(rank int) *Layout {
	if rank < 0 || rank > maxRank {
		return &Layout{MinorToMajor: []int64{int64(rank)}}
	}
	l := &Layout{MinorToMajor: make([]int64, rank)}
	for i := range l.MinorToMajor {
		l.MinorToMajor[i] = int64(i)
	}
	return l
}

// maxRank is the largest rank of the library, which refuses more before it checks anything else.
const maxRank = 1 << 24

// LayoutFromMajorToMinor is the layout with those dimensions, the slowest first.
func LayoutFromMajorToMinor(majorToMinor []int64) (*Layout, error) {
	c := begin()
	return c.toLayout(C.xg_layout_create_major_to_minor(c.at, c.list(majorToMinor), C.int64_t(len(majorToMinor))))
}

// LayoutFromByteStrides is the layout of an array with those strides, one per dimension. Gaps become padded widths, or,
// with compact, ErrUnsupported; so are strides of 0, negative ones, and those that do not divide each other.
func LayoutFromByteStrides(t ElementType, dimensions, byteStrides []int64, compact bool) (*Layout, error) {
	if len(dimensions) != len(byteStrides) {
		return nil, fail(ErrInvalidArgument, "there are %d dimensions and %d byte strides", len(dimensions),
			len(byteStrides))
	}
	c := begin()
	return c.toLayout(C.xg_layout_from_byte_strides(c.at, C.int32_t(t), c.list(dimensions), c.list(byteStrides),
		C.int64_t(len(dimensions)), when(compact, C.XLASHAPE_STRIDES_COMPACT)))
}

// LayoutFromPJRT reads a PJRT_Buffer_MemoryLayout at an address in C memory, Tiled or Strides, for an array of
// those dimensions. The element type and compact count where it has strides: see LayoutFromByteStrides.
func LayoutFromPJRT(memoryLayout unsafe.Pointer, t ElementType, dimensions []int64, compact bool) (*Layout, error) {
	c := begin()
	return c.toLayout(C.xg_layout_from_pjrt(c.at, C.uintptr_t(uintptr(memoryLayout)), C.int32_t(t), c.list(dimensions),
		C.int64_t(len(dimensions)), when(compact, C.XLASHAPE_STRIDES_COMPACT)))
}

// LayoutFromProto reads the bytes of a LayoutProto.
func LayoutFromProto(bytes []byte) (*Layout, error) {
	c := begin()
	at, size := c.text(string(bytes))
	return c.toLayout(C.xg_layout_from_proto(c.at, at, size))
}

// Rank is the number of dimensions.
func (l *Layout) Rank() int {
	if l == nil {
		return 0
	}
	return len(l.MinorToMajor)
}

// Validate returns what is wrong with a layout that was composed by hand, or nil.
func (l *Layout) Validate() error {
	c := beginLayouts(l)
	return c.toNothing(C.xg_layout_validate(c.at))
}

// Format is the layout's text; PrintStrict refuses what XLA could not read.
func (l *Layout) Format(flags PrintFlags) (string, error) {
	c := beginLayouts(l)
	return c.toText(C.xg_layout_print(c.at, C.uint32_t(flags)))
}

// String is the layout in XLA's text; for an invalid layout the reason as "!(...)".
func (l *Layout) String() string {
	if l == nil {
		return "<no layout>"
	}
	return orReason(l.Format(0))
}

// MarshalText returns the text, or what is wrong with the layout.
func (l *Layout) MarshalText() ([]byte, error) {
	text, err := l.Format(0)
	return []byte(text), err
}

// UnmarshalText is ParseLayout.
func (l *Layout) UnmarshalText(text []byte) error {
	if l == nil {
		return fail(ErrInvalidArgument, "there is no layout: it is nil")
	}
	parsed, err := ParseLayout(string(text))
	if err == nil {
		*l = *parsed
	}
	return err
}

// Proto gives the bytes of the LayoutProto.
func (l *Layout) Proto() ([]byte, error) {
	c := beginLayouts(l)
	return c.toBytes(C.xg_layout_to_proto(c.at))
}

// Clone is a copy that shares nothing.
func (l *Layout) Clone() *Layout {
	if l == nil {
		return nil
	}
	c := *l
	c.MinorToMajor = append([]int64(nil), l.MinorToMajor...)
	c.PaddedDimensions = append([]int64(nil), l.PaddedDimensions...)
	c.Tiles, c.SplitConfigs = nil, nil
	for _, tile := range l.Tiles {
		c.Tiles = append(c.Tiles, append(Tile(nil), tile...))
	}
	for _, split := range l.SplitConfigs {
		c.SplitConfigs = append(c.SplitConfigs, SplitConfig{split.Dimension, append([]int64(nil),
			split.SplitIndices...)})
	}
	return &c
}

// Equal is XLA's equality, or, where any are given, equality but for exactly the ignored parts. An invalid layout
// equals nothing.
func (l *Layout) Equal(other *Layout, ignored ...Ignore) bool {
	if l == nil || other == nil {
		return l == other
	}
	c := beginLayouts(l, other)
	return c.toBool(C.xg_layout_equal(c.at, ignoring(ignored)))
}

// LogicalToPhysical is, for each dimension, its place counted from the most major one.
func (l *Layout) LogicalToPhysical() ([]int64, error) {
	c := beginLayouts(l)
	return c.toList(C.xg_layout_logical_to_physical(c.at))
}

// MoveDimensionToMajor is the layout with a dimension moved to the slow end. Tiles stay where they are.
func (l *Layout) MoveDimensionToMajor(dimension int) (*Layout, error) {
	c := beginLayouts(l)
	return c.toLayout(C.xg_layout_move_dimension_to_major(c.at, C.int64_t(dimension)))
}

// MoveDimensionToMinor is the layout with a dimension moved to the fast end. Tiles stay where they are.
func (l *Layout) MoveDimensionToMinor(dimension int) (*Layout, error) {
	c := beginLayouts(l)
	return c.toLayout(C.xg_layout_move_dimension_to_minor(c.at, C.int64_t(dimension)))
}

// DeleteDimensions is the layout without those dimensions, the others renumbered. ErrUnsupported under a tile.
func (l *Layout) DeleteDimensions(dimensions ...int64) (*Layout, error) {
	c := beginLayouts(l)
	return c.toLayout(C.xg_layout_delete_dimensions(c.at, c.list(dimensions), C.int64_t(len(dimensions))))
}

// orReason is for String methods, which cannot fail.
func orReason(text string, err error) string {
	if err != nil {
		return "!(" + err.Error() + ")"
	}
	return text
}
