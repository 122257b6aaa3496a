// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"strconv"
	"sync"
)

// ElementType is XLA's PrimitiveType, with its numbers.
type ElementType int32

// The element types. Tuple, Opaque, Token and Buffer are those of shapes that are not arrays.
const (
	// members: TYPE_(?!INVALID)(\w+) as {Name} ElementType = C.{C}
	Pred          ElementType = C.XLASHAPE_TYPE_PRED
	S8            ElementType = C.XLASHAPE_TYPE_S8
	S16           ElementType = C.XLASHAPE_TYPE_S16
	S32           ElementType = C.XLASHAPE_TYPE_S32
	S64           ElementType = C.XLASHAPE_TYPE_S64
	U8            ElementType = C.XLASHAPE_TYPE_U8
	U16           ElementType = C.XLASHAPE_TYPE_U16
	U32           ElementType = C.XLASHAPE_TYPE_U32
	U64           ElementType = C.XLASHAPE_TYPE_U64
	F16           ElementType = C.XLASHAPE_TYPE_F16
	F32           ElementType = C.XLASHAPE_TYPE_F32
	F64           ElementType = C.XLASHAPE_TYPE_F64
	Tuple         ElementType = C.XLASHAPE_TYPE_TUPLE
	Opaque        ElementType = C.XLASHAPE_TYPE_OPAQUE
	C64           ElementType = C.XLASHAPE_TYPE_C64
	BF16          ElementType = C.XLASHAPE_TYPE_BF16
	Token         ElementType = C.XLASHAPE_TYPE_TOKEN
	C128          ElementType = C.XLASHAPE_TYPE_C128
	F8E5M2        ElementType = C.XLASHAPE_TYPE_F8E5M2
	F8E4M3FN      ElementType = C.XLASHAPE_TYPE_F8E4M3FN
	S4            ElementType = C.XLASHAPE_TYPE_S4
	U4            ElementType = C.XLASHAPE_TYPE_U4
	F8E4M3B11FNUZ ElementType = C.XLASHAPE_TYPE_F8E4M3B11FNUZ
	F8E5M2FNUZ    ElementType = C.XLASHAPE_TYPE_F8E5M2FNUZ
	F8E4M3FNUZ    ElementType = C.XLASHAPE_TYPE_F8E4M3FNUZ
	S2            ElementType = C.XLASHAPE_TYPE_S2
	U2            ElementType = C.XLASHAPE_TYPE_U2
	F8E4M3        ElementType = C.XLASHAPE_TYPE_F8E4M3
	F8E3M4        ElementType = C.XLASHAPE_TYPE_F8E3M4
	S1            ElementType = C.XLASHAPE_TYPE_S1
	U1            ElementType = C.XLASHAPE_TYPE_U1
	F4E2M1FN      ElementType = C.XLASHAPE_TYPE_F4E2M1FN
	F8E8M0FNU     ElementType = C.XLASHAPE_TYPE_F8E8M0FNU
	Buffer        ElementType = C.XLASHAPE_TYPE_BUFFER
	F6E3M2FN      ElementType = C.XLASHAPE_TYPE_F6E3M2FN
	F6E2M3FN      ElementType = C.XLASHAPE_TYPE_F6E2M3FN
	// end of members
)

// Class is a set of properties of element types.
type Class uint32

// The classes (xla/primitive_util.h).
const (
	// members: CLASS_(\w+) as Class{Name} Class = C.{C}
	ClassArray    Class = C.XLASHAPE_CLASS_ARRAY // may be the element type of an array
	ClassFloat    Class = C.XLASHAPE_CLASS_FLOAT
	ClassIntegral Class = C.XLASHAPE_CLASS_INTEGRAL // pred is none
	ClassSigned   Class = C.XLASHAPE_CLASS_SIGNED   // signed integral
	ClassUnsigned Class = C.XLASHAPE_CLASS_UNSIGNED // unsigned integral
	ClassComplex  Class = C.XLASHAPE_CLASS_COMPLEX
	ClassSubByte  Class = C.XLASHAPE_CLASS_SUB_BYTE // 1, 2 or 4 bits; pred is none
	ClassF8       Class = C.XLASHAPE_CLASS_F8
	ClassF6       Class = C.XLASHAPE_CLASS_F6
	ClassMX       Class = C.XLASHAPE_CLASS_MX // f4e2m1fn, f8e8m0fnu
	// end of members
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

// ParseElementType returns the type with this name in XLA, any that String returns. Case matters. ReadElementType takes
// the names of other projects, too.
func ParseElementType(name string) (ElementType, error) {
	c := begin()
	defer c.end()
	at, size := c.text(name)
	named := (*C.xlashape_element_type)(c.room(4))
	if err := c.failed(C.xlashape_element_type_from_name(at, size, named, c.err())); err != nil {
		return 0, err
	}
	return ElementType(*named), nil
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
	// members: PAD_(\w+) as Pad{Name} PaddingValue = C.{C}
	PadInvalid PaddingValue = C.XLASHAPE_PAD_INVALID // none set: zeros
	PadZero    PaddingValue = C.XLASHAPE_PAD_ZERO
	PadOne     PaddingValue = C.XLASHAPE_PAD_ONE
	PadLowest  PaddingValue = C.XLASHAPE_PAD_LOWEST  // -inf where the type has it, else its most negative value
	PadHighest PaddingValue = C.XLASHAPE_PAD_HIGHEST // +inf where the type has it, else its largest value
	PadUnknown PaddingValue = C.XLASHAPE_PAD_UNKNOWN // anything
	// end of members
)

// Bytes are those of one padding element of the type in its natural storage, little-endian.
func (v PaddingValue) Bytes(t ElementType) ([]byte, error) {
	c := begin()
	return c.toBytes(C.xg_padding_element(c.at, C.int32_t(t), C.int32_t(v)))
}
