package xlashape

// #include "bridge.h"
import "C"

import (
	"math"
	"strconv"
	"strings"
)

// Memory spaces of a layout, S(n), that XLA has names for. They are unrelated to the MemorySpace of a plan's buffers.
const (
	LayoutSpaceDefault      int64 = 0
	LayoutSpaceGenericFast  int64 = 1
	LayoutSpaceHost         int64 = 5
	LayoutSpaceUnpinnedHost int64 = 6
	LayoutSpaceCollective   int64 = 7
)

// ParseShapeHead parses the shape at the start of the text, and returns it and the rest, for parsers of programs.
func ParseShapeHead(text string) (shape Shape, rest string, err error) {
	return ParseShapeHeadWith(text, 0)
}

// ParseShapeHeadWith is ParseShapeHead with flags.
func ParseShapeHeadWith(text string, flags ParseFlags) (shape Shape, rest string, err error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	f.put(int64(flags))
	if err := f.call(C.XG_SHAPE_HEAD); err != nil {
		return Shape{}, "", err
	}
	end := f.get()
	shape = f.gotShape()
	return shape, text[end:], f.err
}

// ParseLayoutHead parses the layout at the start of the text, and returns it and the rest of the text.
func ParseLayoutHead(text string) (layout *Layout, rest string, err error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	if err := f.call(C.XG_LAYOUT_HEAD); err != nil {
		return nil, "", err
	}
	end := f.get()
	layout = f.gotLayout()
	return layout, text[end:], f.err
}

// Hash is the same for shapes that are Equal with the same ignored parts, within one process. An invalid shape is refused.
func (s Shape) Hash(ignored ...Ignore) (uint64, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(mask(ignored))
	if err := f.call(C.XG_HASH); err != nil {
		return 0, err
	}
	return uint64(f.get()), nil
}

// Hash is the same for layouts that are Equal with the same ignored parts, within one process. An invalid layout is refused.
func (l *Layout) Hash(ignored ...Ignore) (uint64, error) {
	f := newFrame()
	defer f.done()
	f.layout(l)
	f.put(mask(ignored))
	if err := f.call(C.XG_LAYOUT_HASH); err != nil {
		return 0, err
	}
	return uint64(f.get()), nil
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

// Box is a box of indices: in each dimension Base, Base+Step, ... below Base+Count. With a Step of 0 the dimension has only
// its Base. Order is the fastest dimension first, such as a layout's MinorToMajor; nil: the last dimension is fastest.
// A box is invalid if the lists differ in length, a Count or Step is negative, Order is not a permutation, or the last index
// does not fit an int64: IndexCount and IndexAt then return the reason, and NextIndex returns false.
type Box struct {
	Base, Count, Step, Order []int64
}

func (b Box) send(f *frame) {
	if f.err = b.check(); f.err == nil {
		f.list(b.Base)
		f.list(b.Count)
		f.list(b.Step)
		f.optional(b.Order)
	}
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
	f := newFrame()
	defer f.done()
	b.send(f)
	if err := f.call(C.XG_BOX_COUNT); err != nil {
		return 0, err
	}
	return f.get(), nil
}

// IndexAt is the index of that number in the walk, so that goroutines can share a box.
func (b Box) IndexAt(number int64) ([]int64, error) {
	f := newFrame()
	defer f.done()
	b.send(f)
	f.put(number)
	if err := f.call(C.XG_BOX_AT); err != nil {
		return nil, err
	}
	return f.gotList(), nil
}

// NextIndex advances an index to the next one of the walk, and reports whether there was one. At the end, or if the index
// is not in the walk or the box is invalid, the index is unchanged.
func (b Box) NextIndex(index []int64) bool {
	f := newFrame()
	defer f.done()
	if b.send(f); f.err != nil || !b.holds(index) {
		return false
	}
	f.list(index)
	if f.call(C.XG_BOX_NEXT) != nil || f.get() == 0 {
		return false
	}
	copy(index, f.view())
	return true
}

// BitcastKind says which of a bitcast's parts change something.
type BitcastKind int32

// Kinds of bitcasts.
const (
	BitcastReshape   BitcastKind = 1
	BitcastTranspose BitcastKind = 2
	BitcastTRT       BitcastKind = 3 // transpose, reshape, transpose
)

// BitcastParts are the parts of a bitcast: an array transposed by Transpose1 is ReshapeFrom, that reshaped is ReshapeTo,
// and that transposed by Transpose2 is the other array. No part moves anything; all parts are set whatever the Kind is.
type BitcastParts struct {
	Kind                   BitcastKind
	Transpose1             []int64
	ReshapeFrom, ReshapeTo Shape
	Transpose2             []int64
}

// DecomposeBitcast decomposes the bitcast from s to other. ErrNotFound: there is no decomposition.
// XLA's own answer: BitcastXLA | BitcastIgnoreElementType.
func (s Shape) DecomposeBitcast(other Shape, flags BitcastFlags) (BitcastParts, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.shape(&other)
	f.put(int64(flags))
	if err := f.call(C.XG_DECOMPOSE); err != nil {
		return BitcastParts{}, err
	}
	parts := BitcastParts{Kind: BitcastKind(f.get()), Transpose1: f.gotList()}
	parts.Transpose2 = f.gotList()
	parts.ReshapeFrom = f.gotShape()
	parts.ReshapeTo = f.gotShape()
	return parts, f.err
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
	f := newFrame()
	defer f.done()
	f.put(int64(t))
	if err := f.call(C.XG_FLOAT_FORMAT); err != nil {
		return FloatFormat{}, err
	}
	return FloatFormat{int(f.get()), int(f.get()), int(f.get()), int(f.get()), int(f.get()),
		f.get() != 0, f.get() != 0, f.get() != 0, f.get() != 0}, nil
}

// CastPreservesValues reports whether each value of t is a value of to.
func (t ElementType) CastPreservesValues(to ElementType) bool {
	return C.xlashape_element_type_cast_preserves_values(C.int32_t(t), C.int32_t(to)) != 0
}
