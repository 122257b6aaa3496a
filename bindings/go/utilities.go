package xlashape

// #include "bridge.h"
import "C"

// New shapes from old ones (ShapeUtil, LayoutUtil). Where a layout cannot follow, the error is ErrUnsupported.

func (s Shape) change(which int64) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(which)
	return f.shapeOf(C.XG_CHANGE)
}

// ToPhysicalOrder is the same memory with dimensions permuted so that its layout is row-major.
func (s Shape) ToPhysicalOrder() (Shape, error) { return s.change(C.XG_PHYSICAL_ORDER) }

// DropDegenerateDimensions is the same memory without the dimensions of size 1.
func (s Shape) DropDegenerateDimensions() (Shape, error) { return s.change(C.XG_DROP_ONES) }

// ToStatic has bounds as static sizes everywhere inside.
func (s Shape) ToStatic() (Shape, error) { return s.change(C.XG_STATIC) }

// WithDefaultLayouts has row-major order for every array inside, all else of its layout as it was.
func (s Shape) WithDefaultLayouts() (Shape, error) { return s.change(C.XG_DEFAULT_LAYOUTS) }

// WithPackedElements has E(n) set for arrays of elements smaller than a byte.
func (s Shape) WithPackedElements() (Shape, error) { return s.change(C.XG_PACKED) }

// FlattenTuple is one tuple of all leaves in order.
func (s Shape) FlattenTuple() (Shape, error) { return s.change(C.XG_FLATTEN) }

// Part is a part of a layout. The bits may be joined with |.
type Part uint32

// What WithoutParts may be told.
const (
	PartLayout               Part = 1 << 0 // all of it
	PartTiles                Part = 1 << 1
	PartElementSize          Part = 1 << 2
	PartMemorySpace          Part = 1 << 3
	PartTailPaddingAlignment Part = 1 << 4
	PartSplitConfigs         Part = 1 << 5
	PartPadding              Part = 1 << 6 // PaddedDimensions and PaddingValue
	PartMetadataPrefix       Part = 1 << 7
	PartOfDevice             Part = 1 << 31 // whatever the library in use knows that a host's layout does not have
)

// WithoutParts has those parts of the layouts unset in every array inside.
func (s Shape) WithoutParts(parts ...Part) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(mask(parts))
	return f.shapeOf(C.XG_WITHOUT_PARTS)
}

// WithElementType has another element type in every array inside.
func (s Shape) WithElementType(t ElementType) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(int64(t))
	return f.shapeOf(C.XG_WITH_ELEMENT_TYPE)
}

// PermuteDimensions makes dimension permutation[i] dimension i, in the same memory.
func (s Shape) PermuteDimensions(permutation []int64) (Shape, error) {
	return s.permute(permutation, 0)
}

// PermuteDimensionsKeepLayout leaves order and tiles as they are, so the memory changes.
func (s Shape) PermuteDimensionsKeepLayout(permutation []int64) (Shape, error) {
	return s.permute(permutation, int64(C.XLASHAPE_PERMUTE_KEEP_LAYOUT))
}

func (s Shape) permute(permutation []int64, flags int64) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.list(permutation)
	f.put(flags)
	return f.shapeOf(C.XG_PERMUTE)
}

// InsertDimensions puts dimensions of those sizes before dimension at (0 to rank). In memory they come next to it, more
// major; with mostMajor they become the most major ones.
func (s Shape) InsertDimensions(at int, sizes []int64, mostMajor bool) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(int64(at))
	f.list(sizes)
	f.put(number(mostMajor) * int64(C.XLASHAPE_INSERT_MOST_MAJOR))
	return f.shapeOf(C.XG_INSERT)
}

// DeleteDimensions is the shape without those dimensions.
func (s Shape) DeleteDimensions(dimensions ...int64) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.list(dimensions)
	return f.shapeOf(C.XG_DELETE)
}

// BitcastFlags are how a bitcast is asked for.
type BitcastFlags uint32

const (
	BitcastXLA               BitcastFlags = 1 << 0 // XLA's narrower question: order and dimensions are all that counts
	BitcastIgnoreElementType BitcastFlags = 1 << 1
)

// ReshapeIsBitcast reports whether reshaping s to the dimensions of other moves nothing.
func (s Shape) ReshapeIsBitcast(other Shape, flags BitcastFlags) bool {
	return s.pair(C.XG_RESHAPE_BITCAST, other, int64(flags))
}

// TransposeIsBitcast reports the same for a transpose: other.Dimensions[i] is s.Dimensions[permutation[i]].
func (s Shape) TransposeIsBitcast(other Shape, permutation []int64, flags BitcastFlags) bool {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.shape(&other)
	f.list(permutation)
	f.put(int64(flags))
	n, _ := f.numberOf(C.XG_TRANSPOSE_BITCAST)
	return n != 0
}

// DeduceTranspose is the permutation that makes s transposed to other a bitcast; ErrNotFound where there is none.
func (s Shape) DeduceTranspose(other Shape, flags BitcastFlags) ([]int64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.shape(&other)
	f.put(int64(flags))
	return f.listOf(C.XG_DEDUCE_TRANSPOSE)
}

// AlignLayouts is a layout for dimensions that makes the reshape of s to them a bitcast; ErrNotFound where there is none.
func (s Shape) AlignLayouts(dimensions []int64, flags BitcastFlags) (*Layout, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.list(dimensions)
	f.put(int64(flags))
	return f.layoutOf(C.XG_ALIGN_LAYOUTS)
}

// InsertedOrDeletedOnes tells, where reshaping s to other only takes away and adds dimensions of size 1, which of them;
// else ErrNotFound.
func (s Shape) InsertedOrDeletedOnes(other Shape) (deleted, inserted []int64, err error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.shape(&other)
	if err := f.call(C.XG_ONES); err != nil {
		return nil, nil, err
	}
	return f.gotList(), f.gotList(), nil
}

// DimensionsUnmodifiedByReshape are pairs (dimension of a, dimension of b) that a reshape leaves alone.
func DimensionsUnmodifiedByReshape(a, b []int64) ([][2]int64, error) {
	f := newFrame()
	defer f.done()
	f.list(a)
	f.list(b)
	flat, err := f.listOf(C.XG_UNMODIFIED)
	var pairs [][2]int64
	for i := 0; i+1 < len(flat); i += 2 {
		pairs = append(pairs, [2]int64{flat[i], flat[i+1]})
	}
	return pairs, err
}

// NormalizedTranspose drops dimensions of size 1 from a transpose to dimensions and merges those that stay together, both
// sides row-major.
func NormalizedTranspose(dimensions, permutation []int64) (sizes, order []int64, err error) {
	if len(dimensions) != len(permutation) {
		return nil, nil, fail(ErrOutOfRange, "there are %d dimensions, the permutation has %d", len(dimensions), len(permutation))
	}
	f := newFrame()
	defer f.done()
	f.list(dimensions)
	f.list(permutation)
	if err := f.call(C.XG_NORMALIZED); err != nil {
		return nil, nil, err
	}
	return f.gotList(), f.gotList(), nil
}
