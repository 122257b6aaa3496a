// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// Arrays and layouts as people, and other projects, write them.

// ReadShape reads an array in the notation of any project: XLA's text with element types of any name and a layout's
// words in its braces, "float32[2,3]{col}"; MLIR's "tensor<2x3xf32>" and "memref<2x3xf32, strided<[1, 2]>>"; NumPy's
// "{'shape': (2, 3), 'dtype': '<f4'}"; "ShapeDtypeStruct(shape=(2, 3), dtype=float32)"; "(2, 3) float32"; CuTe's layout
// behind a type, "f32 (2,3):(3,1)"; a line of HLO. ParseShape takes XLA's text alone.
//
// Gaps that strides leave become padded widths. A memref that does not begin at element 0 is ErrUnsupported.
func ReadShape(text string) (Shape, error) {
	c := begin()
	at, size := c.text(text)
	return c.toShape(C.xg_shape_read(c.at, at, size, 0, 0))
}

// ReadShapeWithOffset is ReadShape with flags, and also returns how many elements lie before the first one, which is 0
// but for a memref. With compact, strides that leave gaps are ErrUnsupported.
func ReadShapeWithOffset(text string, flags ParseFlags, compact bool) (shape Shape, offset int64, err error) {
	c := begin()
	defer c.end()
	at, size := c.text(text)
	all := C.uint32_t(flags) | when(compact, C.XLASHAPE_STRIDES_COMPACT)
	if err := c.failed(C.xg_shape_read(c.at, at, size, all, 1)); err != nil {
		return Shape{}, 0, err
	}
	return c.shapeAt(0), c.gotNumber(), nil
}

// WithWords is the array in the layout that a text asks for: XLA's, "{0,1:T(8,128)}" or "T(8,128)"; "row", "col",
// "channels_last"; a permutation, "2,0,1"; letters, "NHWC->NCHW" or "h w c -> c h w"; a tag of oneDNN, "nChw16c"; the
// attributes of linalg.pack; jax's Layout(...); CuTe's and a memref's layout. Sizes that blocks do not divide are
// padded. What no layout says, such as a swizzle, is ErrUnsupported.
//
// The destination has the dimensions of s, and is what its elements are moved to. The result is the same memory as an
// array whose dimensions are in the order that the words ask for: the destination itself unless they permute.
func (s Shape) WithWords(words string) (destination, result Shape, err error) {
	return s.withWords(words, 0)
}

// WithWordsCompact is WithWords, but strides that leave gaps are ErrUnsupported.
func (s Shape) WithWordsCompact(words string) (destination, result Shape, err error) {
	return s.withWords(words, C.XLASHAPE_STRIDES_COMPACT)
}

func (s Shape) withWords(words string, flags C.uint32_t) (destination, result Shape, err error) {
	c := begin(&s)
	defer c.end()
	at, size := c.text(words)
	if err := c.failed(C.xg_shape_with_words(c.at, at, size, flags)); err != nil {
		return Shape{}, Shape{}, err
	}
	return c.shapeAt(0), c.shapeAt(1), nil
}

// Notation is how another project writes an array or its layout.
type Notation int32

// The notations. The last three are of the layout alone.
const (
	// members: NOTATION_(\w+) as Notation{Name} Notation = C.{C}
	NotationMLIR   Notation = C.XLASHAPE_NOTATION_MLIR   // tensor<2x3xf32>: row-major, or with PrintWithoutLayout
	NotationMemRef Notation = C.XLASHAPE_NOTATION_MEMREF // memref<2x3xf32, strided<[1, 2]>>; tiles as an affine_map
	NotationCuTe   Notation = C.XLASHAPE_NOTATION_CUTE   // (2,3):(3,1); a tiled dimension is a mode of several
	NotationNumPy  Notation = C.XLASHAPE_NOTATION_NUMPY  // {'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}
	NotationOneDNN Notation = C.XLASHAPE_NOTATION_ONEDNN // aBcd16b
	NotationPack   Notation = C.XLASHAPE_NOTATION_PACK   // the attributes of linalg.pack
	NotationJAX    Notation = C.XLASHAPE_NOTATION_JAX    // Layout(major_to_minor=(0, 1), ...)
	// end of members
)

// FormatAs is the text of another project, which ReadShape and WithWords read. What that notation cannot say is
// ErrUnsupported, with the reason. The only flag is PrintWithoutLayout, for NotationMLIR.
func (s Shape) FormatAs(notation Notation, flags ...PrintFlags) (string, error) {
	c := begin(&s)
	return c.toText(C.xg_shape_print_as(c.at, C.int32_t(notation), mask(flags)))
}

// ReadElementType returns the type of a name in any project: "float32", "torch.bfloat16", "i32", "f8E4M3FN", "<f4".
// Names that no project has are ErrNotFound with the nearest one, and so are those that projects use for different
// types, such as "float". ParseElementType takes XLA's names alone.
func ReadElementType(name string) (ElementType, error) {
	c := begin()
	defer c.end()
	at, size := c.text(name)
	named := (*C.xlashape_element_type)(c.room(4))
	if err := c.failed(C.xlashape_element_type_read(at, size, named, c.err())); err != nil {
		return 0, err
	}
	return ElementType(*named), nil
}
