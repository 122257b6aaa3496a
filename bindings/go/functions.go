// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"math"
	"strconv"
	"strings"
)

// Memory spaces of a layout, S(n), that XLA has names for. They are unrelated to the MemorySpace of a plan's buffers.
const (
	// members: LAYOUT_SPACE_(\w+) as LayoutSpace{Name} int64 = C.{C}
	LayoutSpaceDefault      int64 = C.XLASHAPE_LAYOUT_SPACE_DEFAULT
	LayoutSpaceGenericFast  int64 = C.XLASHAPE_LAYOUT_SPACE_GENERIC_FAST
	LayoutSpaceHost         int64 = C.XLASHAPE_LAYOUT_SPACE_HOST
	LayoutSpaceUnpinnedHost int64 = C.XLASHAPE_LAYOUT_SPACE_UNPINNED_HOST
	LayoutSpaceCollective   int64 = C.XLASHAPE_LAYOUT_SPACE_COLLECTIVE
	// end of members
)

// ParseShapeHead parses the shape at the start of the text, and returns it and the rest, for parsers of programs.
func ParseShapeHead(text string) (shape Shape, rest string, err error) {
	return ParseShapeHeadWith(text, 0)
}

// ParseShapeHeadWith is ParseShapeHead with flags.
func ParseShapeHeadWith(text string, flags ParseFlags) (shape Shape, rest string, err error) {
	c := begin()
	defer c.end()
	at, size := c.text(text)
	if err := c.failed(C.xg_shape_parse_head(c.at, at, size, C.uint32_t(flags))); err != nil {
		return Shape{}, "", err
	}
	return c.shapeAt(0), text[c.raw.number:], nil
}

// ParseLayoutHead parses the layout at the start of the text, and returns it and the rest of the text.
func ParseLayoutHead(text string) (layout *Layout, rest string, err error) {
	c := begin()
	defer c.end()
	at, size := c.text(text)
	if err := c.failed(C.xg_layout_parse_head(c.at, at, size)); err != nil {
		return nil, "", err
	}
	return c.gotLayout(), text[c.raw.number:], nil
}

// Hash is the same for shapes that are Equal with the same ignored parts, within one process.
// An invalid shape is refused.
func (s Shape) Hash(ignored ...Ignore) (uint64, error) {
	c := begin(&s)
	hash, err := c.toNumber(C.xg_shape_hash(c.at, ignoring(ignored)))
	return uint64(hash), err
}

// Hash is the same for layouts that are Equal with the same ignored parts, within one process.
// An invalid layout is refused.
func (l *Layout) Hash(ignored ...Ignore) (uint64, error) {
	c := beginLayouts(l)
	hash, err := c.toNumber(C.xg_layout_hash(c.at, ignoring(ignored)))
	return uint64(hash), err
}

// Text is the tile as in a layout's text: "(8,128)".
func (t Tile) Text() string { return "(" + joined(t, true) + ")" }

// Text is the split as in a layout's text: "(1:4,8)".
func (s SplitConfig) Text() string {
	return "(" + strconv.FormatInt(s.Dimension, 10) + ":" + joined(s.SplitIndices, false) + ")"
}

func joined(numbers []int64, isTile bool) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
		if isTile && n == CombineDimension {
			texts[i] = "*"
		}
		if isTile && n == MatchDimension {
			texts[i] = "d"
		}
	}
	return strings.Join(texts, ",")
}

// Box is a box of indices: in each dimension Base, Base+Step, ... below Base+Count. With a Step of 0 the dimension has
// only its Base. Order is the fastest dimension first, such as a layout's MinorToMajor; nil: the last dimension is
// fastest. A box is invalid if the lists differ in length, a Count or Step is negative, Order is not a permutation, or
// the last index does not fit an int64: IndexCount and IndexAt then return the reason, and NextIndex returns false.
type Box struct {
	Base, Count, Step, Order []int64
}

// check is the check of all three methods.
func (b Box) check() error {
	rank := len(b.Base)
	if len(b.Count) != rank || len(b.Step) != rank || (b.Order != nil && len(b.Order) != rank) {
		return fail(ErrInvalidArgument, "Base has %d numbers, Count %d, Step %d, Order %d",
			rank, len(b.Count), len(b.Step), len(b.Order))
	}
	empty := false
	for d, count := range b.Count {
		if count < 0 {
			return fail(ErrInvalidArgument, "Count[%d] is %d, it must not be negative", d, count)
		}
		if b.Step[d] < 0 {
			return fail(ErrInvalidArgument, "Step[%d] is %d, it must not be negative", d, b.Step[d])
		}
		empty = empty || (count == 0 && b.Step[d] > 0)
	}
	for d, base := range b.Base {
		if count, step := b.Count[d], b.Step[d]; !empty && step > 0 && base > math.MaxInt64-(count-1)/step*step {
			return fail(ErrOverflow, "Base[%d] is %d: the box's last index does not fit 64 bits", d, base)
		}
	}
	seen := make([]bool, len(b.Order))
	for _, d := range b.Order {
		if d < 0 || d >= int64(rank) {
			return fail(ErrInvalidArgument, "Order has dimension %d, which is not in [0, %d)", d, rank)
		}
		if seen[d] {
			return fail(ErrInvalidArgument, "Order has dimension %d twice", d)
		}
		seen[d] = true
	}
	return nil
}

// holds reports whether index is in the walk of a box that passed check.
func (b Box) holds(index []int64) bool {
	if len(index) != len(b.Base) {
		return false
	}
	for d, at := range index {
		from := uint64(at) - uint64(b.Base[d]) // exact where it is not negative
		if step := b.Step[d]; at < b.Base[d] || (step == 0 && from != 0) ||
			(step > 0 && (from >= uint64(b.Count[d]) || from%uint64(step) != 0)) {
			return false
		}
	}
	return true
}

// IndexCount is the number of indices in the box.
func (b Box) IndexCount() (int64, error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	c := begin()
	return c.toNumber(C.xlashape_box_index_count(c.list(b.Count), c.list(b.Step), C.int64_t(len(b.Count)),
		&c.raw.number, c.err()))
}

// IndexAt is the index of that number in the walk, so that goroutines can share a box.
func (b Box) IndexAt(number int64) ([]int64, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	c := begin()
	return c.toList(C.xg_box_index_at(c.at, c.list(b.Base), c.list(b.Count), c.list(b.Step), c.list(b.Order),
		C.int64_t(len(b.Base)), C.int64_t(number)))
}

// NextIndex advances an index to the next one of the walk, and reports whether there was one. At the end, or if the
// index is not in the walk or the box is invalid, the index is unchanged.
func (b Box) NextIndex(index []int64) bool {
	if b.check() != nil || !b.holds(index) {
		return false
	}
	c := begin()
	next := c.list(index)
	c.raw.number = C.int64_t(C.xlashape_box_next_index(c.list(b.Base), c.list(b.Count), c.list(b.Step),
		c.list(b.Order), C.int64_t(len(b.Base)), next))
	return c.toNext(C.XLASHAPE_STATUS_OK, next, index)
}

// BitcastKind says which of a bitcast's parts change something.
type BitcastKind int32

// Kinds of bitcasts.
const (
	// members: BITCAST_KIND_(\w+) as Bitcast{Name} BitcastKind = C.{C}
	BitcastReshape   BitcastKind = C.XLASHAPE_BITCAST_KIND_RESHAPE
	BitcastTranspose BitcastKind = C.XLASHAPE_BITCAST_KIND_TRANSPOSE
	BitcastTRT       BitcastKind = C.XLASHAPE_BITCAST_KIND_TRT // transpose, reshape, transpose
	// end of members
)

// BitcastSteps are the steps of a bitcast: an array transposed by Transpose1 is ReshapeFrom, that reshaped is
// ReshapeTo, and that transposed by Transpose2 is the other array.
// No step moves anything; all are set whatever the Kind is.
type BitcastSteps struct {
	Kind                   BitcastKind
	Transpose1             []int64
	ReshapeFrom, ReshapeTo Shape
	Transpose2             []int64
}

// DecomposeBitcast decomposes the bitcast from s to other. ErrNotFound: there is no decomposition.
// XLA's own answer: BitcastXLA | BitcastIgnoreElementType.
func (s Shape) DecomposeBitcast(other Shape, flags BitcastFlags) (BitcastSteps, error) {
	c := begin(&s, &other)
	defer c.end()
	c.lists(s.rank(), other.rank())
	if err := c.failed(C.xg_shape_decompose_bitcast(c.at, C.uint32_t(flags))); err != nil {
		return BitcastSteps{}, err
	}
	return BitcastSteps{BitcastKind(c.raw.number), c.listAt(0), c.shapeAt(0), c.shapeAt(1), c.listAt(1)}, nil
}

// MissingLayouts are the paths of the arrays, and buffers of arrays, inside that have no layout; nil if there are none,
// or if tuples are nested more than 8192 deep, which is invalid.
func (s Shape) MissingLayouts() [][]int64 {
	var found [][]int64
	if !s.walk(func(inner *Shape, path []int64) bool {
		if array := inner.array(); array.ElementType.Is(ClassArray) && array.Layout == nil {
			found = append(found, append([]int64(nil), path...))
		}
		return inner.ElementType == Tuple
	}) {
		return nil
	}
	return found
}

// FloatFormat says what a floating-point type can hold, as XLA's primitive_util does.
type FloatFormat struct {
	SignificandWidth  int // bits, the leading one, which is not stored, counted: 24 for f32
	ExponentWidth     int
	ExponentBias      int
	UnderflowExponent int // the smallest n for which 2^(n-1) is a normal number
	OverflowExponent  int // the smallest n > 0 for which 2^n is too large
	HasInfinity       bool
	HasNaN            bool
	HasNegativeZero   bool
	HasPositiveZero   bool
}

// FloatFormat is what the type can hold; ErrUnsupported if it is not a floating-point type.
func (t ElementType) FloatFormat() (FloatFormat, error) {
	c := begin()
	defer c.end()
	raw := (*C.xlashape_float_format)(c.room(C.sizeof_xlashape_float_format))
	raw.struct_size = C.sizeof_xlashape_float_format
	if err := c.failed(C.xlashape_element_type_float_format(C.int32_t(t), raw, c.err())); err != nil {
		return FloatFormat{}, err
	}
	return FloatFormat{int(raw.significand_width), int(raw.exponent_width), int(raw.exponent_bias),
		int(raw.underflow_exponent), int(raw.overflow_exponent),
		raw.has_infinity != 0, raw.has_nan != 0, raw.has_negative_zero != 0, raw.has_positive_zero != 0}, nil
}

// CastPreservesValues reports whether each value of t is a value of to.
func (t ElementType) CastPreservesValues(to ElementType) bool {
	return C.xlashape_element_type_cast_preserves_values(C.int32_t(t), C.int32_t(to)) != 0
}
