package xlashape

// #include "bridge.h"
import "C"

// Forms of other projects. What such a form cannot express is ErrUnsupported.

func (s Shape) form(op C.int32_t, flags PrintFlags) (string, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	f.put(int64(flags))
	return f.textOf(op)
}

// Proto gives the bytes of the ShapeProto, as XLA serialises it.
func (s Shape) Proto() ([]byte, error) {
	f := newFrame()
	defer f.done()
	f.shape(&s)
	if err := f.call(C.XG_TO_PROTO); err != nil {
		return nil, err
	}
	return f.gotBytes(), nil
}

// ShapeFromProto reads the bytes of a ShapeProto.
func ShapeFromProto(bytes []byte, flags ParseFlags) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.text = append(f.text, bytes...)
	f.put(int64(flags))
	return f.shapeOf(C.XG_FROM_PROTO)
}

// MLIR is the type in MLIR, "tensor<128x256xbf16>". A layout other than row-major needs PrintWithoutLayout.
func (s Shape) MLIR(flags PrintFlags) (string, error) { return s.form(C.XG_PRINT_MLIR, flags) }

// ParseMLIR reads a type of MLIR: a ranked tensor, "tensor<?x4xf32, #stablehlo.bounds<8, ?>>", or "!stablehlo.token".
func ParseMLIR(text string) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	return f.shapeOf(C.XG_PARSE_MLIR)
}

// CuTe is CuTe's "(2,3):(3,1)", strides in elements; a tiled dimension is a mode of several.
func (s Shape) CuTe() (string, error) { return s.form(C.XG_PRINT_CUTE, 0) }

// ParseCuTe reads CuTe's text, without modes inside of modes; the element type is not part of it. Where strides leave gaps,
// these become padded widths; with compact they are ErrUnsupported.
func ParseCuTe(text string, t ElementType, compact bool) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	f.put(int64(t), number(compact)*int64(C.XLASHAPE_STRIDES_COMPACT))
	return f.shapeOf(C.XG_PARSE_CUTE)
}

// NumPy is the keywords of numpy.ndarray: "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}", strides in bytes.
func (s Shape) NumPy() (string, error) { return s.form(C.XG_PRINT_NUMPY, 0) }

// ParseNumPy reads what NumPy writes: a Python dict in any order, with 'typestr' or 'descr' ('<f4') in place of 'dtype', and
// without 'strides', or with None, for a row-major array. It does not know the 'fortran_order' of an .npy file. Where strides
// leave gaps, these become padded widths; with compact they are ErrUnsupported.
func ParseNumPy(text string, compact bool) (Shape, error) {
	f := newFrame()
	defer f.done()
	f.setText(text)
	f.put(number(compact) * int64(C.XLASHAPE_STRIDES_COMPACT))
	return f.shapeOf(C.XG_PARSE_NUMPY)
}
