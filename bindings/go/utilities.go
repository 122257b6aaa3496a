// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// New shapes from old ones (ShapeUtil, LayoutUtil). Where a layout cannot follow, the error is ErrUnsupported.

// ToPhysicalOrder is the same memory with dimensions permuted so that its layout is row-major.
func (s Shape) ToPhysicalOrder() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_to_physical_order(c.at))
}

// DropDegenerateDimensions is the same memory without the dimensions of size 1.
func (s Shape) DropDegenerateDimensions() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_drop_degenerate_dimensions(c.at))
}

// ToStatic has bounds as static sizes everywhere inside.
func (s Shape) ToStatic() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_to_static(c.at))
}

// WithDefaultLayouts has row-major order for every array inside, all else of its layout as it was.
func (s Shape) WithDefaultLayouts() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_with_default_layouts(c.at))
}

// WithPackedElements has E(n) set for arrays of elements smaller than a byte.
func (s Shape) WithPackedElements() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_with_packed_elements(c.at))
}

// FlattenTuple is one tuple of all leaves in order.
func (s Shape) FlattenTuple() (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_flatten_tuple(c.at))
}

// LayoutField is a field of a layout. The bits may be joined with |.
type LayoutField uint32

// What WithoutLayoutFields may be told.
const (
	// members: LAYOUT_FIELD_(\w+) as LayoutField{Name} LayoutField = C.{C}
	LayoutFieldAll                  LayoutField = C.XLASHAPE_LAYOUT_FIELD_ALL // the whole layout
	LayoutFieldTiles                LayoutField = C.XLASHAPE_LAYOUT_FIELD_TILES
	LayoutFieldElementSize          LayoutField = C.XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE
	LayoutFieldMemorySpace          LayoutField = C.XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE
	LayoutFieldTailPaddingAlignment LayoutField = C.XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT
	LayoutFieldSplitConfigs         LayoutField = C.XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS
	LayoutFieldPadding              LayoutField = C.XLASHAPE_LAYOUT_FIELD_PADDING // PaddedDimensions and PaddingValue
	LayoutFieldMetadataPrefix       LayoutField = C.XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX
	// Whatever the library in use knows that a host's layout does not have.
	LayoutFieldOfDevice LayoutField = C.XLASHAPE_LAYOUT_FIELD_OF_DEVICE
	// end of members
)

// WithoutLayoutFields has those fields of the layouts unset in every array inside.
func (s Shape) WithoutLayoutFields(fields ...LayoutField) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_without_layout_fields(c.at, mask(fields)))
}

// WithElementType has another element type in every array inside.
func (s Shape) WithElementType(t ElementType) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_with_element_type(c.at, C.int32_t(t)))
}

// PermuteDimensions makes dimension permutation[i] dimension i, in the same memory.
func (s Shape) PermuteDimensions(permutation []int64) (Shape, error) {
	return s.permute(permutation, 0)
}

// PermuteDimensionsKeepLayout leaves order and tiles as they are, so the memory changes.
func (s Shape) PermuteDimensionsKeepLayout(permutation []int64) (Shape, error) {
	return s.permute(permutation, C.XLASHAPE_PERMUTE_KEEP_LAYOUT)
}

func (s Shape) permute(permutation []int64, flags C.uint32_t) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_permute_dimensions(c.at, c.list(permutation), C.int64_t(len(permutation)), flags))
}

// InsertDimensions puts dimensions of those sizes before dimension at (0 to rank). In memory they come next to it, more
// major; with mostMajor they become the most major ones.
func (s Shape) InsertDimensions(at int, sizes []int64, mostMajor bool) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_insert_dimensions(c.at, C.int64_t(at), c.list(sizes), C.int64_t(len(sizes)),
		when(mostMajor, C.XLASHAPE_INSERT_MOST_MAJOR)))
}

// DeleteDimensions is the shape without those dimensions.
func (s Shape) DeleteDimensions(dimensions ...int64) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_delete_dimensions(c.at, c.list(dimensions), C.int64_t(len(dimensions))))
}

// BitcastFlags are how a bitcast is asked for.
type BitcastFlags uint32

const (
	// members: BITCAST_(?!KIND)(\w+) as Bitcast{Name} BitcastFlags = C.{C}
	// XLA's narrower question: order and dimensions are all that counts.
	BitcastXLA               BitcastFlags = C.XLASHAPE_BITCAST_XLA
	BitcastIgnoreElementType BitcastFlags = C.XLASHAPE_BITCAST_IGNORE_ELEMENT_TYPE
	// end of members
)

// ReshapeIsBitcast reports whether reshaping s to the dimensions of other moves nothing.
func (s Shape) ReshapeIsBitcast(other Shape, flags BitcastFlags) bool {
	c := begin(&s, &other)
	return c.toBool(C.xg_shape_reshape_is_bitcast(c.at, C.uint32_t(flags)))
}

// TransposeIsBitcast reports the same for a transpose: other.Dimensions[i] is s.Dimensions[permutation[i]].
func (s Shape) TransposeIsBitcast(other Shape, permutation []int64, flags BitcastFlags) bool {
	c := begin(&s, &other)
	return c.toBool(C.xg_shape_transpose_is_bitcast(c.at, c.list(permutation), C.int64_t(len(permutation)),
		C.uint32_t(flags)))
}

// DeduceTranspose is the permutation that makes s transposed to other a bitcast; ErrNotFound where there is none.
func (s Shape) DeduceTranspose(other Shape, flags BitcastFlags) ([]int64, error) {
	c := begin(&s, &other)
	return c.toList(C.xg_shape_deduce_transpose(c.at, C.uint32_t(flags)))
}

// AlignLayouts is a layout for dimensions that makes the reshape of s to them a bitcast;
// ErrNotFound where there is none.
func (s Shape) AlignLayouts(dimensions []int64, flags BitcastFlags) (*Layout, error) {
	c := begin(&s)
	return c.toLayout(C.xg_shape_align_layouts(c.at, c.list(dimensions), C.int64_t(len(dimensions)), C.uint32_t(flags)))
}

// InsertedOrDeletedOnes tells, where reshaping s to other only takes away and adds dimensions of size 1, which of them;
// else ErrNotFound.
func (s Shape) InsertedOrDeletedOnes(other Shape) (deleted, inserted []int64, err error) {
	c := begin(&s, &other)
	defer c.end()
	c.lists(s.rank(), other.rank())
	if err := c.failed(C.xg_shape_inserted_or_deleted_ones(c.at)); err != nil {
		return nil, nil, err
	}
	return c.listAt(0), c.listAt(1), nil
}

// DimensionsUnmodifiedByReshape are pairs (dimension of a, dimension of b) that a reshape leaves alone.
func DimensionsUnmodifiedByReshape(a, b []int64) ([][2]int64, error) {
	c := begin()
	flat, err := c.toList(C.xg_dimensions_unmodified_by_reshape(c.at, c.list(a), C.int64_t(len(a)), c.list(b),
		C.int64_t(len(b))))
	var pairs [][2]int64
	for i := 0; i+1 < len(flat); i += 2 {
		pairs = append(pairs, [2]int64{flat[i], flat[i+1]})
	}
	return pairs, err
}

// NormalizedTranspose drops dimensions of size 1 from a transpose to dimensions and merges those that stay together,
// both sides row-major.
func NormalizedTranspose(dimensions, permutation []int64) (sizes, order []int64, err error) {
	if len(dimensions) != len(permutation) {
		return nil, nil, fail(ErrOutOfRange, "there are %d dimensions, the permutation has %d", len(dimensions),
			len(permutation))
	}
	c := begin()
	defer c.end()
	c.lists(len(dimensions)+1, len(dimensions)+1)
	both := &c.raw.lists
	if err := c.failed(C.xlashape_normalized_transpose(c.list(dimensions), c.list(permutation),
		C.int64_t(len(dimensions)),
		(*C.int64_t)(both[0].data), (*C.int64_t)(both[1].data), both[0].size, &both[0].size, c.err())); err != nil {
		return nil, nil, err
	}
	both[1].size = both[0].size
	return c.listAt(0), c.listAt(1), nil
}
