// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

// Forms of other projects. What such a form cannot express is ErrUnsupported.

// Proto gives the bytes of the ShapeProto, as XLA serialises it.
func (s Shape) Proto() ([]byte, error) {
	c := begin(&s)
	return c.toBytes(C.xg_shape_to_proto(c.at))
}

// ShapeFromProto reads the bytes of a ShapeProto.
func ShapeFromProto(bytes []byte, flags ParseFlags) (Shape, error) {
	c := begin()
	at, size := c.text(string(bytes))
	return c.toShape(C.xg_shape_from_proto(c.at, at, size, C.uint32_t(flags)))
}

// MLIR is the type in MLIR, "tensor<128x256xbf16>". A layout other than row-major needs PrintWithoutLayout.
func (s Shape) MLIR(flags PrintFlags) (string, error) {
	c := begin(&s)
	return c.toText(C.xg_shape_print_mlir(c.at, C.uint32_t(flags)))
}

// ParseMLIR reads a type of MLIR: a ranked tensor, "tensor<?x4xf32, #stablehlo.bounds<8, ?>>", or "!stablehlo.token".
func ParseMLIR(text string) (Shape, error) {
	c := begin()
	at, size := c.text(text)
	return c.toShape(C.xg_shape_parse_mlir(c.at, at, size))
}

// CuTe is CuTe's "(2,3):(3,1)", strides in elements; a tiled dimension is a mode of several.
func (s Shape) CuTe() (string, error) {
	c := begin(&s)
	return c.toText(C.xg_shape_print_cute(c.at))
}

// ParseCuTe reads CuTe's text, without modes inside of modes; the element type is not part of it. Where strides leave
// gaps, these become padded widths; with compact they are ErrUnsupported.
func ParseCuTe(text string, t ElementType, compact bool) (Shape, error) {
	c := begin()
	at, size := c.text(text)
	return c.toShape(C.xg_shape_parse_cute(c.at, at, size, C.int32_t(t), when(compact, C.XLASHAPE_STRIDES_COMPACT)))
}

// NumPy is the keywords of numpy.ndarray, strides in bytes:
// "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}".
func (s Shape) NumPy() (string, error) {
	c := begin(&s)
	return c.toText(C.xg_shape_print_numpy(c.at))
}

// ParseNumPy reads what NumPy writes: a Python dict in any order, with 'typestr' or 'descr' ('<f4') in place of
// 'dtype', and without 'strides', or with None, for a row-major array. It does not know the 'fortran_order' of an .npy
// file. Where strides leave gaps, these become padded widths; with compact they are ErrUnsupported.
func ParseNumPy(text string, compact bool) (Shape, error) {
	c := begin()
	at, size := c.text(text)
	return c.toShape(C.xg_shape_parse_numpy(c.at, at, size, when(compact, C.XLASHAPE_STRIDES_COMPACT)))
}
