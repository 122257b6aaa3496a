package xlashape

// #include "bridge.h"
import "C"

import (
	"reflect"
	"unsafe"
)

// Element is what a slice may hold. A slice of uint8 holds bytes, of any element type; the others hold elements: bool
// pred, int8 to int64 s8 to s64, uint16 to uint64 u16 to u64, uint16 also the bits of f16 and bf16, float32 f32,
// float64 f64, complex64 c64, complex128 c128. Elements that are packed, or padded to more bits by E(n), are bytes.
type Element interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// Relayout moves an array to another layout, in a slice of its own: same dimensions, same element type, everything else
// free. It makes a plan, runs it once and drops it; see NewPlan for more than once.
func Relayout[T Element](src Shape, data []T, dst Shape, options *PlanOptions) ([]T, error) {
	p, err := NewPlan(src, dst, options)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if p.dst.bytes < 0 {
		return nil, fail(ErrUnsupported, "the destination is given by strides: its slice must be given, too")
	}
	if err := carries[T](&p.dst); err != nil {
		return nil, err
	}
	out := make([]T, p.dst.bytes/int64(sizeOf[T]()))
	if err := Execute(p, data, out); err != nil {
		return nil, err
	}
	return out, nil
}

// RelayoutInto moves an array into a slice that is there. Without strides among the options it plans on the stack.
func RelayoutInto[T Element](src Shape, from []T, dst Shape, to []T, options *PlanOptions) error {
	if options == nil {
		options = &PlanOptions{}
	}
	if options.SrcByteStrides != nil || options.DstByteStrides != nil {
		p, err := NewPlan(src, dst, options)
		if err != nil {
			return err
		}
		defer p.Close()
		return Execute(p, from, to)
	}
	sides := [2]side{{"source", -1, 0, src.ElementType, src.elementBits(), options.SrcSpace},
		{"destination", -1, 0, dst.ElementType, dst.elementBits(), options.DstSpace}}
	for i := range sides {
		if err := sides[i].check(0); err != nil {
			return err
		}
		if err := carries[T](&sides[i]); err != nil {
			return err
		}
	}
	f := newFrame()
	defer f.done()
	in, out := bytesOf(from), bytesOf(to)
	err := options.Runtime.with(func(runtime, execution C.uintptr_t) *C.xlashape_error {
		if f.relayout(runtime, &src, &dst, options); f.err != nil {
			return nil
		}
		return C.xg_relayout(f.numbers(), f.bytes(), C.size_t(len(f.text)), address(in), C.int64_t(len(in)), address(out),
			C.int64_t(len(out)), execution)
	})
	if err == nil {
		err = f.err
	}
	return err
}

// Execute is Plan.Execute for slices of elements. A slice of another type than the shape's is ErrInvalidArgument.
func Execute[T Element](p *Plan, src, dst []T) error {
	if err := carries[T](&p.src); err != nil {
		return err
	}
	if err := carries[T](&p.dst); err != nil {
		return err
	}
	return p.Execute(bytesOf(src), bytesOf(dst))
}

func sizeOf[T Element]() uintptr {
	var zero T
	return unsafe.Sizeof(zero)
}

func bytesOf[T Element](data []T) []byte {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&data[0])), len(data)*int(sizeOf[T]()))
}

func pointerTo(bytes []byte) unsafe.Pointer { return unsafe.Pointer(&bytes[0]) }

// elementBits are those of an array as its layout says.
func (s *Shape) elementBits() int64 {
	if s.ElementType == Buffer && len(s.TupleShapes) == 1 {
		s = &s.TupleShapes[0]
	}
	if s.Layout != nil && s.Layout.ElementSizeInBits != 0 {
		return s.Layout.ElementSizeInBits
	}
	return int64(s.ElementType.StorageBits())
}

// carriers are the element types whose elements a Go type holds.
var carriers = map[reflect.Kind][]ElementType{
	reflect.Bool: {Pred}, reflect.Int8: {S8, S4, S2, S1}, reflect.Int16: {S16}, reflect.Int32: {S32}, reflect.Int64: {S64},
	reflect.Uint16: {U16, F16, BF16}, reflect.Uint32: {U32}, reflect.Uint64: {U64}, reflect.Float32: {F32},
	reflect.Float64: {F64}, reflect.Complex64: {C64}, reflect.Complex128: {C128},
}

func carries[T Element](s *side) error {
	var zero T
	kind := reflect.TypeOf(zero).Kind()
	if kind == reflect.Uint8 {
		return nil
	}
	for _, t := range carriers[kind] {
		if t != s.types {
			continue
		}
		if s.bits >= 0 && s.bits != 8*int64(sizeOf[T]()) {
			return fail(ErrInvalidArgument, "the %s has %d bits per element, a %s %d: use []uint8", s.name, s.bits, kind, 8*sizeOf[T]())
		}
		return nil
	}
	return fail(ErrInvalidArgument, "the %s has elements of type %s, which a []%s does not hold", s.name, s.types, kind)
}
