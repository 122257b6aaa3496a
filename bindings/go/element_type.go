package xlashape

// #include "bridge.h"
import "C"

import (
	"strconv"
	"sync"
)

// ElementType is XLA's PrimitiveType, with its numbers.
type ElementType int32

// The element types. Tuple, Opaque, Token and Buffer are those of shapes that are not arrays.
const (
	Pred          ElementType = 1
	S8            ElementType = 2
	S16           ElementType = 3
	S32           ElementType = 4
	S64           ElementType = 5
	U8            ElementType = 6
	U16           ElementType = 7
	U32           ElementType = 8
	U64           ElementType = 9
	F16           ElementType = 10
	F32           ElementType = 11
	F64           ElementType = 12
	Tuple         ElementType = 13
	Opaque        ElementType = 14
	C64           ElementType = 15
	BF16          ElementType = 16
	Token         ElementType = 17
	C128          ElementType = 18
	F8E5M2        ElementType = 19
	F8E4M3FN      ElementType = 20
	S4            ElementType = 21
	U4            ElementType = 22
	F8E4M3B11FNUZ ElementType = 23
	F8E5M2FNUZ    ElementType = 24
	F8E4M3FNUZ    ElementType = 25
	S2            ElementType = 26
	U2            ElementType = 27
	F8E4M3        ElementType = 28
	F8E3M4        ElementType = 29
	S1            ElementType = 30
	U1            ElementType = 31
	F4E2M1FN      ElementType = 32
	F8E8M0FNU     ElementType = 33
	Buffer        ElementType = 34
	F6E3M2FN      ElementType = 35
	F6E2M3FN      ElementType = 36
)

// Class is a set of properties of element types.
type Class uint32

// The classes (xla/primitive_util.h).
const (
	ClassArray    Class = 1 << 0 // may be the element type of an array
	ClassFloat    Class = 1 << 1
	ClassIntegral Class = 1 << 2 // pred is none
	ClassSigned   Class = 1 << 3 // signed integral
	ClassUnsigned Class = 1 << 4 // unsigned integral
	ClassComplex  Class = 1 << 5
	ClassSubByte  Class = 1 << 6 // 1, 2 or 4 bits; pred is none
	ClassF8       Class = 1 << 7
	ClassF6       Class = 1 << 8
	ClassMX       Class = 1 << 9 // f4e2m1fn, f8e8m0fnu
)

type typeInfo struct {
	name              string
	bits, storageBits int
	classes           Class
}

var (
	typesOnce sync.Once
	types     [64]typeInfo
)

// info is what the library knows of a type; it is queried once for all types.
func (t ElementType) info() typeInfo {
	typesOnce.Do(func() {
		for i := range types {
			n := C.xlashape_element_type(i)
			types[i] = typeInfo{C.GoString(C.xlashape_element_type_name(n)), int(C.xlashape_element_type_bits(n)),
				int(C.xlashape_element_type_storage_bits(n)), Class(C.xlashape_element_type_classes(n))}
		}
	})
	if t < 0 || int(t) >= len(types) {
		return typeInfo{}
	}
	return types[t]
}

// ParseElementType returns the type with this name in XLA, any that String returns. Case matters.
func ParseElementType(name string) (ElementType, error) {
	f := newFrame()
	defer f.done()
	f.setText(name)
	if err := f.call(C.XG_TYPE_FROM_NAME); err != nil {
		return 0, err
	}
	return ElementType(f.get()), nil
}

// String is the type's name in XLA's text, such as "bf16".
func (t ElementType) String() string {
	if name := t.info().name; name != "" {
		return name
	}
	return "ElementType(" + strconv.Itoa(int(t)) + ")"
}

// MarshalText returns the name; a number without a type is ErrInvalidArgument.
func (t ElementType) MarshalText() ([]byte, error) {
	if name := t.info().name; name != "" {
		return []byte(name), nil
	}
	return nil, fail(ErrInvalidArgument, "%s is no element type", t)
}

// UnmarshalText reads a name, those of tuples and buffers too.
func (t *ElementType) UnmarshalText(text []byte) error {
	if t == nil {
		return fail(ErrInvalidArgument, "there is no element type: it is nil")
	}
	for i := range types {
		if name := ElementType(i).info().name; name != "" && name == string(text) {
			*t = ElementType(i)
			return nil
		}
	}
	parsed, err := ParseElementType(string(text))
	if err == nil {
		*t = parsed
	}
	return err
}

// Bits is the number of bits of a value (pred 1, s4 4, f6e3m2fn 8); 0 if it is not an array type.
func (t ElementType) Bits() int { return t.info().bits }

// StorageBits is the number of bits of an element in memory unless the layout sets it; 0 if it is not an array
// type.
func (t ElementType) StorageBits() int { return t.info().storageBits }

// Is reports whether the type has all those classes.
func (t ElementType) Is(classes Class) bool {
	return t.info().classes&classes == classes && t.info().name != ""
}

// PJRT is the number of PJRT_Buffer_Type for the type, 0 if there is none.
func (t ElementType) PJRT() int32 {
	return int32(C.xlashape_element_type_to_pjrt(C.xlashape_element_type(t)))
}

// ElementTypeFromPJRT is the type of a number of PJRT_Buffer_Type, 0 if there is none.
func ElementTypeFromPJRT(number int32) ElementType {
	return ElementType(C.xlashape_element_type_from_pjrt(C.int32_t(number)))
}

// PaddingValue is the value that a relayout writes to the padding of a layout.
type PaddingValue int32

// The padding values, as LayoutProto had them.
const (
	PadInvalid PaddingValue = 0 // none set: zeros
	PadZero    PaddingValue = 1
	PadOne     PaddingValue = 2
	PadLowest  PaddingValue = 3 // -inf where the type has it, else its most negative value
	PadHighest PaddingValue = 4 // +inf where the type has it, else its largest value
	PadUnknown PaddingValue = 5 // anything
)

// Bytes are those of one padding element of the type in its natural storage, little-endian.
func (v PaddingValue) Bytes(t ElementType) ([]byte, error) {
	f := newFrame()
	defer f.done()
	f.put(int64(t), int64(v))
	if err := f.call(C.XG_PADDING_ELEMENT); err != nil {
		return nil, err
	}
	return f.gotBytes(), nil
}
