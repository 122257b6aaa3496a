// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// Sizes are the exact sizes of an array, including all padding, all tile levels and the tail. Dynamic dimensions count
// with their bound.
type Sizes struct {
	ElementBits      int64 // bits one element takes: E(n), or the type's storage bits
	Elements         int64 // product of the dimensions
	StorageElements  int64 // positions in memory
	LogicalBytes     int64 // Elements x ElementBits
	Bytes            int64 // StorageElements x ElementBits: what a buffer of this shape takes
	XLABytes         int64 // what ShapeUtil::ArraySize answers; -1 where that overflows
	DataBytes        int64 // up to and with the furthest element
	DimensionPadding int64 // positions beyond an element's place because of widths and tiles
	TailPadding      int64 // positions added by the tail alignment
}

// Sizes of an array or a buffer. ErrUnsupported for unbounded dimensions.
func (s Shape) Sizes() (Sizes, error) {
	c := begin(&s)
	defer c.end()
	raw := (*C.xlashape_sizes)(c.room(C.sizeof_xlashape_sizes))
	raw.struct_size = C.sizeof_xlashape_sizes
	if err := c.failed(C.xg_shape_sizes(c.at, raw)); err != nil {
		return Sizes{}, err
	}
	return Sizes{int64(raw.element_bits), int64(raw.elements), int64(raw.storage_elements), int64(raw.logical_bytes),
		int64(raw.bytes), int64(raw.xla_bytes), int64(raw.data_bytes),
		int64(raw.dimension_padding), int64(raw.tail_padding)}, nil
}

// ByteSize is the size of the top-level buffer: of an array its storage, of a tuple one pointer of pointerSize bytes
// per element. With xla, XLA's number (ShapeUtil::ByteSizeOf) instead of the exact one.
func (s Shape) ByteSize(pointerSize int64, xla bool) (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_byte_size(c.at, C.int64_t(pointerSize), when(xla, C.XLASHAPE_SIZE_XLA)))
}

// ElementCount is the product of the dimensions.
func (s Shape) ElementCount() (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_element_count(c.at))
}

// StaticElementCount leaves out unbounded dimensions.
func (s Shape) StaticElementCount() (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_static_element_count(c.at))
}

// ElementCountRecursive is that of all arrays inside.
func (s Shape) ElementCountRecursive() (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_element_count_recursive(c.at))
}

// ByteSizeRecursive is the storage of all arrays inside, without the tuples' pointers.
func (s Shape) ByteSizeRecursive() (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_byte_size_recursive(c.at))
}

// MaxElementsPerSplit is the product of the dimensions' largest split pieces.
func (s Shape) MaxElementsPerSplit() (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_max_elements_per_split(c.at))
}

// MaxSplitSize is the number of elements in the largest piece of the dimension's physical split.
func (s Shape) MaxSplitSize(dimension int) (int64, error) {
	c := begin(&s)
	return c.toNumber(C.xg_shape_max_split_size(c.at, C.int64_t(dimension)))
}

// Unit is what distances are counted in.
type Unit int32

const (
	UnitElements Unit = C.XLASHAPE_UNIT_ELEMENTS
	UnitBytes    Unit = C.XLASHAPE_UNIT_BYTES // ErrUnsupported where an element is no whole number of bytes
	UnitBits     Unit = C.XLASHAPE_UNIT_BITS
)

// Strides are the distances in memory between neighbours of each dimension. ErrUnsupported where tiles leave no single
// distance.
func (s Shape) Strides(unit Unit) ([]int64, error) {
	c := begin(&s)
	return c.toList(C.xg_shape_strides(c.at, C.xlashape_unit(unit)))
}

// PieceGranularity returns for each dimension at which multiples it may be cut so that pieces of the array share no
// byte.
func (s Shape) PieceGranularity() ([]int64, error) {
	c := begin(&s)
	return c.toList(C.xg_shape_piece_granularity(c.at))
}

// TrueRank is the number of dimensions greater than 1.
func (s Shape) TrueRank() int {
	c := begin(&s)
	n, _ := c.toNumber(C.xg_shape_true_rank(c.at)) // 0 where the shape is none
	return int(n)
}

// LeafCount is the number of shapes inside that are no tuples.
func (s Shape) LeafCount() int {
	c := begin(&s)
	n, _ := c.toNumber(C.xg_shape_leaf_count(c.at)) // 0 where the shape is none
	return int(n)
}

// IsDynamic reports whether any dimension, of any array inside, is dynamic.
func (s Shape) IsDynamic() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_is_dynamic(c.at))
}

// IsUnbounded reports whether any dimension, of any array inside, is unbounded.
func (s Shape) IsUnbounded() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_is_unbounded(c.at))
}

// IsEffectiveScalar reports whether the shape holds exactly one element.
func (s Shape) IsEffectiveScalar() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_is_effective_scalar(c.at))
}

// IsUntiled reports whether the tiles, if any, leave every element where it would be without them.
func (s Shape) IsUntiled() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_is_untiled(c.at))
}

// LastDimensionIsMostMinor reports whether the last dimension is the fastest.
func (s Shape) LastDimensionIsMostMinor() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_last_dimension_is_most_minor(c.at))
}

// HasDegenerateDimensions reports whether a dimension has size 1.
func (s Shape) HasDegenerateDimensions() bool {
	c := begin(&s)
	return c.toBool(C.xg_shape_has_degenerate_dimensions(c.at))
}

// DimensionNumber resolves a dimension as Python counts, -rank..rank-1, to 0..rank-1.
func DimensionNumber(rank, dimension int) (int, error) {
	c := begin()
	n, err := c.toNumber(C.xlashape_dimension_number(C.int64_t(rank), C.int64_t(dimension), &c.raw.number, c.err()))
	return int(n), err
}

// NextIndex moves an index to the next one, the last dimension fastest, and reports whether there was one; at the end,
// or where index is none of the shape, it stays as it is.
func (s Shape) NextIndex(index []int64) bool {
	c := begin(&s)
	next := c.list(index)
	return c.toNext(C.xg_shape_next_index(c.at, next, C.int64_t(len(index))), next, index)
}
