// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// Shape is an array (element type, dimensions, layout), a tuple of shapes, a token, an opaque, or a buffer of an array
// (xla::Shape). Any shape can be composed; whether it is valid is checked wherever it is used, and by Validate.
type Shape struct {
	ElementType       ElementType
	Dimensions        []int64 // sizes; Unbounded for `?`
	DynamicDimensions []bool  // true where the size is a bound or Unbounded; nil: at the unbounded ones
	Layout            *Layout // nil: none, which counts as row-major
	TupleShapes       []Shape // the elements of a Tuple, the array of a Buffer
}

// ParseFlags say how texts and messages are converted to shapes.
type ParseFlags uint32

// KeepMissingLayout keeps an array without a layout as it is; otherwise it gets the row-major one. Scalars of a text,
// which never has their layout, get the empty one.
const KeepMissingLayout ParseFlags = C.XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT

// PrintFlags say how texts are written.
type PrintFlags uint32

const (
	PrintWithoutLayout PrintFlags = C.XLASHAPE_PRINT_WITHOUT_LAYOUT
	// ErrUnsupported rather than text that XLA could not read (PD, PV).
	PrintStrict PrintFlags = C.XLASHAPE_PRINT_STRICT
)

// ParseShape reads XLA's text of a shape, such as "bf16[128,256]{1,0:T(8,128)(2,1)}". An array without a layout gets
// the row-major one. ReadShape takes the texts of other projects, too.
func ParseShape(text string) (Shape, error) { return ParseShapeWith(text, 0) }

// ParseShapeWith is ParseShape with flags.
func ParseShapeWith(text string, flags ParseFlags) (Shape, error) {
	c := begin()
	at, size := c.text(text)
	return c.toShape(C.xg_shape_parse(c.at, at, size, C.uint32_t(flags)))
}

// MustParseShape is ParseShape for texts that are known to be valid: it panics on others.
func MustParseShape(text string) Shape {
	shape, err := ParseShape(text)
	if err != nil {
		panic(err)
	}
	return shape
}

// ArrayShape is a row-major array.
func ArrayShape(t ElementType, dimensions ...int64) Shape {
	return Shape{ElementType: t, Dimensions: dimensions, Layout: RowMajor(len(dimensions))}
}

// TupleShape is a tuple.
func TupleShape(elements ...Shape) Shape { return Shape{ElementType: Tuple, TupleShapes: elements} }

// Rank is the number of dimensions.
func (s Shape) Rank() int { return len(s.Dimensions) }

// IsArray reports whether the shape is an array, not a tuple, a token, an opaque or a buffer.
func (s Shape) IsArray() bool { return s.ElementType.Is(ClassArray) }

// array is the array of a buffer, else the shape itself.
func (s *Shape) array() *Shape {
	if s.ElementType == Buffer && len(s.TupleShapes) == 1 {
		return &s.TupleShapes[0]
	}
	return s
}

// rank is that of an array, or of the array of a buffer.
func (s *Shape) rank() int { return len(s.array().Dimensions) }

// WithLayout is the same array with another layout; nil removes it.
func (s Shape) WithLayout(layout *Layout) Shape {
	s.Layout = layout
	return s
}

// Clone is a copy that shares nothing. A shape nested more than 8192 deep, such as one that contains itself, is invalid
// (Validate says so): its copy is Shape{}, which is invalid too.
func (s Shape) Clone() Shape {
	if !s.walk(func(*Shape, []int64) bool { return true }) { // before anything is copied
		return Shape{}
	}
	s.walk(func(inner *Shape, _ []int64) bool {
		inner.Dimensions = append([]int64(nil), inner.Dimensions...)
		inner.DynamicDimensions = append([]bool(nil), inner.DynamicDimensions...)
		inner.Layout = inner.Layout.Clone()
		inner.TupleShapes = append([]Shape(nil), inner.TupleShapes...)
		return true
	})
	return s
}

// walk visits a shape and those inside, outer before inner; visit returns whether to go inside, and may change its
// argument. The path is valid until visit returns. Stops and returns false if they are nested more than maxDepth deep.
func (s *Shape) walk(visit func(inner *Shape, path []int64) (inside bool)) bool {
	var levels [][]Shape // the TupleShapes that the walk is inside of, the outermost first
	var path []int64     // where it is in each
	for inner := s; inner != nil; {
		if visit(inner, path) {
			if len(levels) == maxDepth && len(inner.TupleShapes) > 0 {
				return false
			}
			levels, path = append(levels, inner.TupleShapes), append(path, -1)
		}
		for inner = nil; inner == nil && len(levels) > 0; {
			last := len(levels) - 1
			if path[last]++; path[last] < int64(len(levels[last])) {
				inner = &levels[last][path[last]]
			} else {
				levels, path = levels[:last], path[:last]
			}
		}
	}
	return true
}

// Validate returns what is wrong with a shape that was composed by hand, or nil.
func (s Shape) Validate() error {
	c := begin(&s)
	return c.toNothing(C.xg_shape_validate(c.at))
}

// Format is the shape's text.
func (s Shape) Format(flags PrintFlags) (string, error) {
	c := begin(&s)
	return c.toText(C.xg_shape_print(c.at, C.uint32_t(flags)))
}

// String is the shape in XLA's text, including the layout; for an invalid shape the reason as "!(...)".
func (s Shape) String() string { return orReason(s.Format(0)) }

// MarshalText returns the text, or what is wrong with the shape. An array without a layout is written without one.
func (s Shape) MarshalText() ([]byte, error) {
	text, err := s.Format(0)
	return []byte(text), err
}

// UnmarshalText reads the text of MarshalText: an array without a layout has none afterwards.
func (s *Shape) UnmarshalText(text []byte) error {
	if s == nil {
		return fail(ErrInvalidArgument, "there is no shape: it is nil")
	}
	parsed, err := ParseShapeWith(string(text), KeepMissingLayout)
	if err == nil {
		*s = parsed
	}
	return err
}

// Ignore is what an equality leaves out. The bits may be joined with |.
type Ignore uint32

// The bits for Equal and Compatible.
const (
	IgnoreNothing Ignore = 0
	// members: EQUAL_(IGNORE_\w+|MINOR_TO_MAJOR_ONLY) as {Name} Ignore = C.{C}
	IgnoreLayout               Ignore = C.XLASHAPE_EQUAL_IGNORE_LAYOUT
	IgnoreTiles                Ignore = C.XLASHAPE_EQUAL_IGNORE_TILES
	IgnoreElementSize          Ignore = C.XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE
	IgnoreMemorySpace          Ignore = C.XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE
	IgnoreTailPaddingAlignment Ignore = C.XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT
	IgnoreSplitConfigs         Ignore = C.XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS
	IgnorePadding              Ignore = C.XLASHAPE_EQUAL_IGNORE_PADDING // PaddedDimensions and PaddingValue
	MinorToMajorOnly           Ignore = C.XLASHAPE_EQUAL_MINOR_TO_MAJOR_ONLY
	IgnoreElementType          Ignore = C.XLASHAPE_EQUAL_IGNORE_ELEMENT_TYPE
	IgnoreFPPrecision          Ignore = C.XLASHAPE_EQUAL_IGNORE_FP_PRECISION
	IgnoreDynamicDimension     Ignore = C.XLASHAPE_EQUAL_IGNORE_DYNAMIC_DIMENSION // also lets `?` match any size
	IgnoreDimensions           Ignore = C.XLASHAPE_EQUAL_IGNORE_DIMENSIONS        // ranks still compare
	IgnoreBuffer               Ignore = C.XLASHAPE_EQUAL_IGNORE_BUFFER            // b(X) equals X
	IgnoreMetadataPrefix       Ignore = C.XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX
	// end of members
	IgnoreXLA Ignore = C.XLASHAPE_EQUAL_XLA // what XLA's own == leaves out
)

// ignoring is the mask of an equality: XLA's own where nothing is given.
func ignoring(ignored []Ignore) C.uint32_t {
	if len(ignored) == 0 {
		return C.XLASHAPE_EQUAL_XLA
	}
	return mask(ignored)
}

func mask[Bits ~uint32](bits []Bits) C.uint32_t {
	all := Bits(0)
	for _, b := range bits {
		all |= b
	}
	return C.uint32_t(all)
}

// Equal is xla::Shape's ==, or, where any are given, equality but for exactly the ignored parts. An invalid shape
// equals nothing.
func (s Shape) Equal(other Shape, ignored ...Ignore) bool {
	c := begin(&s, &other)
	return c.toBool(C.xg_shape_equal(c.at, ignoring(ignored)))
}

// Compatible is equality without layout, dynamism (ShapeUtil::Compatible) and the ignored parts.
func (s Shape) Compatible(other Shape, ignored ...Ignore) bool {
	c := begin(&s, &other)
	return c.toBool(C.xg_shape_compatible(c.at, mask(ignored)))
}

// Subshape is the shape at a path into nested tuples; the empty path is the shape itself.
func (s Shape) Subshape(path ...int64) (Shape, error) {
	c := begin(&s)
	return c.toShape(C.xg_shape_subshape(c.at, c.list(path), C.int64_t(len(path))))
}

// Leaf is a shape inside another that is no tuple.
type Leaf struct {
	Path  []int64 // where it is: the argument of Subshape; empty for a shape that is no tuple itself
	Shape Shape
}

// Leaves are the shapes inside that are no tuples, in order;
// nil if tuples are nested more than 8192 deep, which is invalid.
func (s Shape) Leaves() []Leaf {
	var leaves []Leaf
	if !s.walk(func(inner *Shape, path []int64) bool {
		if inner.ElementType != Tuple {
			leaves = append(leaves, Leaf{append([]int64(nil), path...), *inner})
		}
		return inner.ElementType == Tuple
	}) {
		return nil
	}
	return leaves
}
