// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"reflect"
	"unsafe"
)

// Element is what a slice may hold. A slice of uint8 holds bytes, of any element type; the others hold elements: bool
// pred, int8 to int64 s8 to s64, uint16 to uint64 u16 to u64, uint16 also the bits of f16 and bf16, float32 f32,
// float64 f64, complex64 c64, complex128 c128. Elements that are packed, or padded to more bits by E(n), are bytes.
type Element interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Relayout moves an array to another layout, in a new slice. Both shapes have the same dimensions, and elements that a
// T holds: where a conversion makes others, RelayoutInto takes the slice for them. It makes a plan, runs it once and
// drops it; see NewPlan for more than once. ErrNoMemory if there is not enough memory for the destination.
func Relayout[T Element](src Shape, data []T, dst Shape, options *PlanOptions) ([]T, error) {
	p, err := NewPlan(src, dst, options)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if p.dst.bytes < 0 {
		return nil, fail(ErrUnsupported, "the destination is given by strides: its slice must be given, too")
	}
	c := carrierOf[T]()
	if err := p.src.check(len(data)*int(c.size), c); err != nil {
		return nil, err
	}
	if err := p.dst.check(int(p.dst.bytes), c); err != nil {
		return nil, err
	}
	if !hasMemory(p.dst.bytes) {
		return nil, fail(ErrNoMemory, "the destination takes %d bytes", p.dst.bytes)
	}
	out := make([]T, p.dst.bytes/int64(c.size))
	if err := Execute(p, data, out); err != nil {
		return nil, err
	}
	return out, nil
}

// RelayoutInto moves an array into an existing slice, whose elements may be of another Go type where the relayout
// converts them. Unless byte strides are negative it makes no plan that has to be closed, but plans on the stack.
func RelayoutInto[S, D Element](src Shape, from []S, dst Shape, to []D, options *PlanOptions) error {
	if options == nil {
		options = &PlanOptions{}
	}
	// These reach before index 0...0. Element strides do not reach before element 0.
	if anyNegative(options.SrcByteStrides) || anyNegative(options.DstByteStrides) {
		p, err := NewPlan(src, dst, options)
		if err != nil {
			return err
		}
		defer p.Close()
		return Execute(p, from, to)
	}
	return options.relayout(&src, bytesOf(from), carrierOf[S](), &dst, bytesOf(to), carrierOf[D]())
}

func (o *PlanOptions) relayout(src *Shape, from []byte, ofSrc carrier, dst *Shape, to []byte, ofDst carrier) error {
	c := begin()
	runtime := c.runtime(o.Runtime)
	source, destination := o.source(src), o.destination(dst)
	c.refuseWith(source.check(0, ofSrc))
	c.refuseWith(destination.check(0, ofDst))
	c.shape(0, src)
	c.shape(1, dst)
	raw := c.options(src, o)
	if c.refused != nil {
		return c.toNothing(C.XLASHAPE_STATUS_OK)
	}
	from, to = from0(from, o.SrcByteOffset), from0(to, o.DstByteOffset)
	return c.toNothing(C.xg_relayout(c.at, asNumber(unsafe.Pointer(runtime)), raw, address(from),
		C.int64_t(len(from)), address(to), C.int64_t(len(to))))
}

// Execute is Plan.Execute for slices of elements, of two types where the plan converts them. A slice of another type
// than the shape's is ErrInvalidArgument.
func Execute[S, D Element](p *Plan, src []S, dst []D) error {
	return p.execute(bytesOf(src), bytesOf(dst), carrierOf[S](), carrierOf[D]())
}

func anyNegative(list []int64) bool {
	for _, number := range list {
		if number < 0 {
			return true
		}
	}
	return false
}

// from0 is the part of the slice from index 0...0 on.
func from0(bytes []byte, offset int64) []byte {
	if offset > int64(len(bytes)) {
		return nil
	}
	return bytes[offset:]
}

// hasMemory reports whether there is memory for a slice of this size, which a few characters of a layout may determine.
// Go ends the program if there is not, so this asks C, which does not.
func hasMemory(bytes int64) bool {
	return int64(int(bytes)) == bytes && (bytes < 64<<20 || C.xg_has_memory(C.int64_t(bytes)) != 0)
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

// elementBits are those of an array, including the layout's.
func (s *Shape) elementBits() int64 {
	if s = s.array(); s.Layout != nil && s.Layout.ElementSizeInBits != 0 {
		return s.Layout.ElementSizeInBits
	}
	return int64(s.ElementType.StorageBits())
}

// carriers are the element types whose elements a Go type holds.
var carriers = map[reflect.Kind][]ElementType{
	reflect.Bool: {Pred}, reflect.Int8: {S8, S4, S2,
		S1}, reflect.Int16: {S16}, reflect.Int32: {S32}, reflect.Int64: {S64},
	reflect.Uint16: {U16, F16, BF16}, reflect.Uint32: {U32}, reflect.Uint64: {U64}, reflect.Float32: {F32},
	reflect.Float64: {F64}, reflect.Complex64: {C64}, reflect.Complex128: {C128},
}

// carrier is a Go type that holds elements.
type carrier struct {
	kind reflect.Kind
	size uintptr
}

func carrierOf[T Element]() carrier {
	var zero T
	return carrier{reflect.TypeOf(zero).Kind(), sizeOf[T]()}
}

func (s *side) heldBy(c carrier) error {
	if c.kind == reflect.Uint8 {
		return nil
	}
	for _, t := range carriers[c.kind] {
		if t != s.types {
			continue
		}
		if s.bits >= 0 && s.bits != 8*int64(c.size) {
			return fail(ErrInvalidArgument, "the %s has %d bits per element, a %s %d: use []uint8", s.name, s.bits,
				c.kind, 8*c.size)
		}
		return nil
	}
	return fail(ErrInvalidArgument, "the %s has elements of type %s, which a []%s does not hold", s.name, s.types,
		c.kind)
}
