package xlashape

// #include "bridge.h"
import "C"

// Sizes are the exact sizes of an array, including all padding, all tile levels and the tail. Dynamic dimensions count with
// their bound.
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
	f := newFrame()
	defer f.done()
	f.shape(&s)
	if err := f.call(C.XG_SIZES); err != nil {
		return Sizes{}, err
	}
	return Sizes{f.get(), f.get(), f.get(), f.get(), f.get(), f.get(), f.get(), f.get(), f.get()}, nil
}

// ByteSize is the size of the top-level buffer: of an array its storage, of a tuple one pointer of pointerSize bytes per
// element. With xla, XLA's number (ShapeUtil::ByteSizeOf) instead of the exact one.
func (s Shape) ByteSize(pointerSize int64, xla bool) (int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(pointerSize, number(xla)*int64(C.XLASHAPE_SIZE_XLA))
	return f.numberOf(C.XG_BYTE_SIZE)
}

func (s Shape) count(which int64) (int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(which)
	return f.numberOf(C.XG_COUNT)
}

// ElementCount is the product of the dimensions.
func (s Shape) ElementCount() (int64, error) { return s.count(C.XG_ELEMENTS) }

// StaticElementCount leaves out unbounded dimensions.
func (s Shape) StaticElementCount() (int64, error) { return s.count(C.XG_STATIC_ELEMENTS) }

// ElementCountRecursive is that of all arrays inside.
func (s Shape) ElementCountRecursive() (int64, error) { return s.count(C.XG_ALL_ELEMENTS) }

// ByteSizeRecursive is the storage of all arrays inside, without the tuples' pointers.
func (s Shape) ByteSizeRecursive() (int64, error) { return s.count(C.XG_ALL_BYTES) }

// MaxElementsPerSplit is the product of the dimensions' largest split pieces.
func (s Shape) MaxElementsPerSplit() (int64, error) { return s.count(C.XG_SPLIT_ELEMENTS) }

// MaxSplitSize is the number of elements in the largest piece of the dimension's physical split.
func (s Shape) MaxSplitSize(dimension int) (int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(int64(dimension))
	return f.numberOf(C.XG_MAX_SPLIT_SIZE)
}

// Unit is what distances are counted in.
type Unit int32

const (
	UnitElements Unit = 0
	UnitBytes    Unit = 1 // ErrUnsupported where an element is no whole number of bytes
	UnitBits     Unit = 2
)

// Strides are the distances in memory between neighbours of each dimension. ErrUnsupported where tiles leave no single
// distance.
func (s Shape) Strides(unit Unit) ([]int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(int64(unit))
	return f.listOf(C.XG_STRIDES)
}

// PieceGranularity returns for each dimension at which multiples it may be cut so that pieces of the array share no byte.
func (s Shape) PieceGranularity() ([]int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	return f.listOf(C.XG_PIECE_GRANULARITY)
}

// test asks what has 0 for an answer where the shape is none.
func (s Shape) test(which int64) int64 {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(which)
	n, _ := f.numberOf(C.XG_TEST)
	return n
}

// TrueRank is the number of dimensions greater than 1.
func (s Shape) TrueRank() int { return int(s.test(C.XG_TRUE_RANK)) }

// LeafCount is the number of shapes inside that are no tuples.
func (s Shape) LeafCount() int { return int(s.test(C.XG_LEAVES)) }

// IsDynamic reports whether any dimension, of any array inside, is dynamic.
func (s Shape) IsDynamic() bool { return s.test(C.XG_DYNAMIC) != 0 }

// IsUnbounded reports whether any dimension, of any array inside, is unbounded.
func (s Shape) IsUnbounded() bool { return s.test(C.XG_UNBOUNDED) != 0 }

// IsEffectiveScalar reports whether the shape holds exactly one element.
func (s Shape) IsEffectiveScalar() bool { return s.test(C.XG_SCALAR) != 0 }

// IsUntiled reports whether the tiles, if any, leave every element where it would be without them.
func (s Shape) IsUntiled() bool { return s.test(C.XG_UNTILED) != 0 }

// LastDimensionIsMostMinor reports whether the last dimension is the fastest.
func (s Shape) LastDimensionIsMostMinor() bool { return s.test(C.XG_MINOR_LAST) != 0 }

// HasDegenerateDimensions reports whether a dimension has size 1.
func (s Shape) HasDegenerateDimensions() bool { return s.test(C.XG_HAS_ONES) != 0 }

// DimensionNumber resolves a dimension as Python counts, -rank..rank-1, to 0..rank-1.
func DimensionNumber(rank, dimension int) (int, error) {
	f := newFrame()
	defer f.done()
	f.put(int64(rank), int64(dimension))
	n, err := f.numberOf(C.XG_DIMENSION_NUMBER)
	return int(n), err
}

// NextIndex moves an index to the next one, the last dimension fastest, and reports whether there was one; at the end,
// or where index is none of the shape, it stays as it is.
func (s Shape) NextIndex(index []int64) bool {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.list(index)
	if f.call(C.XG_NEXT_INDEX) != nil || f.get() == 0 {
		return false
	}
	copy(index, f.view())
	return true
}
