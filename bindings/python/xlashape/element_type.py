# SPDX-License-Identifier: Apache-2.0
"""Element types, by XLA's numbers and names, and by the names that NumPy and ml_dtypes have for them. Neither package
is imported before a dtype of it is asked for."""

from __future__ import annotations

import enum
import importlib
import sys
from ctypes import c_int32, sizeof
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _raw as raw
from ._call import Fact, call, int32, octets, utf8
from .enums import PaddingValue
from .errors import UnsupportedError

# NumPy's names, and those of ml_dtypes.
_NUMPY_NAMES: Dict[str, int] = {
    "bool": raw.TYPE_PRED, "int8": raw.TYPE_S8, "int16": raw.TYPE_S16, "int32": raw.TYPE_S32, "int64": raw.TYPE_S64,
    "uint8": raw.TYPE_U8, "uint16": raw.TYPE_U16, "uint32": raw.TYPE_U32, "uint64": raw.TYPE_U64,
    "float16": raw.TYPE_F16, "float32": raw.TYPE_F32, "float64": raw.TYPE_F64, "bfloat16": raw.TYPE_BF16,
    "complex64": raw.TYPE_C64, "complex128": raw.TYPE_C128,
    "float8_e5m2": raw.TYPE_F8E5M2, "float8_e4m3fn": raw.TYPE_F8E4M3FN, "float8_e4m3b11fnuz": raw.TYPE_F8E4M3B11FNUZ,
    "float8_e5m2fnuz": raw.TYPE_F8E5M2FNUZ, "float8_e4m3fnuz": raw.TYPE_F8E4M3FNUZ, "float8_e4m3": raw.TYPE_F8E4M3,
    "float8_e3m4": raw.TYPE_F8E3M4, "float8_e8m0fnu": raw.TYPE_F8E8M0FNU,
    "float6_e3m2fn": raw.TYPE_F6E3M2FN, "float6_e2m3fn": raw.TYPE_F6E2M3FN, "float4_e2m1fn": raw.TYPE_F4E2M1FN,
    "int4": raw.TYPE_S4, "uint4": raw.TYPE_U4, "int2": raw.TYPE_S2, "uint2": raw.TYPE_U2,
    "int1": raw.TYPE_S1, "uint1": raw.TYPE_U1,
}  # fmt: skip
_NAMES = {number: name for name, number in _NUMPY_NAMES.items()}

# Typestrings of NumPy's array interface, without byte order.
_TYPESTRINGS = {
    "b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "u1": "uint8", "u2": "uint16",
    "u4": "uint32", "u8": "uint64", "f2": "float16", "f4": "float32", "f8": "float64", "c8": "complex64",
    "c16": "complex128",
}  # fmt: skip
_TYPESTRING_OF = {_NUMPY_NAMES[name]: typestring for typestring, name in _TYPESTRINGS.items()}
_ORDER = "<" if sys.byteorder == "little" else ">"


class FloatFormat(NamedTuple):
    """What a floating-point type can hold, as XLA's primitive_util tells it."""

    significand_width: int  # bits, the leading one, which is not stored, counted: 24 for f32
    exponent_width: int
    exponent_bias: int
    underflow_exponent: int  # the smallest n for which 2**(n-1) is a normal number
    overflow_exponent: int  # the smallest n > 0 for which 2**n is too large
    has_infinity: bool
    has_nan: bool
    has_negative_zero: bool
    has_positive_zero: bool


def _class_fact(classes: int, doc: str) -> Fact[bool]:
    return Fact(lambda self: bool(raw.element_type_classes(self) & classes), doc)


class ElementType(enum.IntEnum):
    """PrimitiveType of xla_data.proto. A type of a newer library's, which this package does not know, is a member by
    its number: UNKNOWN_37."""

    # members: TYPE_(?!INVALID)(\w+) as {NAME} = raw.{SHORT}
    PRED = raw.TYPE_PRED
    S1 = raw.TYPE_S1
    S2 = raw.TYPE_S2
    S4 = raw.TYPE_S4
    S8 = raw.TYPE_S8
    S16 = raw.TYPE_S16
    S32 = raw.TYPE_S32
    S64 = raw.TYPE_S64
    U1 = raw.TYPE_U1
    U2 = raw.TYPE_U2
    U4 = raw.TYPE_U4
    U8 = raw.TYPE_U8
    U16 = raw.TYPE_U16
    U32 = raw.TYPE_U32
    U64 = raw.TYPE_U64
    F4E2M1FN = raw.TYPE_F4E2M1FN
    F6E3M2FN = raw.TYPE_F6E3M2FN
    F6E2M3FN = raw.TYPE_F6E2M3FN
    F8E3M4 = raw.TYPE_F8E3M4
    F8E4M3 = raw.TYPE_F8E4M3
    F8E4M3FN = raw.TYPE_F8E4M3FN
    F8E4M3B11FNUZ = raw.TYPE_F8E4M3B11FNUZ
    F8E4M3FNUZ = raw.TYPE_F8E4M3FNUZ
    F8E5M2 = raw.TYPE_F8E5M2
    F8E5M2FNUZ = raw.TYPE_F8E5M2FNUZ
    F8E8M0FNU = raw.TYPE_F8E8M0FNU
    F16 = raw.TYPE_F16
    BF16 = raw.TYPE_BF16
    F32 = raw.TYPE_F32
    F64 = raw.TYPE_F64
    C64 = raw.TYPE_C64
    C128 = raw.TYPE_C128
    TUPLE = raw.TYPE_TUPLE
    OPAQUE = raw.TYPE_OPAQUE
    TOKEN = raw.TYPE_TOKEN
    BUFFER = raw.TYPE_BUFFER
    # end of members

    @classmethod
    def _missing_(cls, value: object) -> Optional[ElementType]:
        if not isinstance(value, int) or not 0 < value < 1 << 31 or raw.element_type_name(value) is None:
            return None
        member = int.__new__(cls, value)
        member._name_, member._value_ = f"UNKNOWN_{value}", value
        # Of two threads one makes it.
        return cls._value2member_map_.setdefault(value, member)  # type: ignore[return-value]

    def __reduce_ex__(self, _: Any) -> Tuple[Any, ...]:
        # Some versions of Python pickle the name, which not every package knows.
        return type(self), (self.value,)

    @classmethod
    def of(cls, value: Any) -> ElementType:
        """From itself, a number, a dtype of any package, or a name in any project, as `read` takes it: "bf16",
        "torch.bfloat16", "i32", "<f4"."""
        if isinstance(value, cls):
            return value
        if isinstance(value, int):
            return cls(value)
        # A dtype, or a scalar type such as numpy.float32 and ml_dtypes.bfloat16.
        byte_order = getattr(value, "byteorder", "=")
        name = value if isinstance(value, str) else getattr(value, "name", None) or getattr(value, "__name__", None)
        if name is None and type(value).__module__ == "torch":  # "torch.bfloat16" is all that such a dtype says
            name = str(value)[len("torch.") :]
        if not isinstance(name, str):
            raise TypeError(f"{value!r} is no element type")
        if byte_order not in ("=", "|", _ORDER):
            raise UnsupportedError(f"dtype {value!r} is byte-swapped; convert it first")
        if name in _NUMPY_NAMES:
            return cls(_NUMPY_NAMES[name])
        found = cls._of_typestring(name)
        return cls.read(name) if found is None else found

    @classmethod
    def read(cls, name: str) -> ElementType:
        """From a name in any project: "f32", "float32", "torch.bfloat16", "i32", "f8E4M3FN", "uint8_t", "BF16".
        NotFoundError with the name that was probably meant, and for names that mean different types in different
        projects, such as "float"."""
        number = c_int32()
        encoded = utf8(name, "an element type's name")
        call(raw.element_type_read, encoded, len(encoded), number)
        return cls(number.value)

    @classmethod
    def _of_typestring(cls, text: str) -> Optional[ElementType]:
        if text[:1] not in ("<", ">", "|", "=") or text[1:] not in _TYPESTRINGS:
            return None
        if text[0] in "<>" and text[0] != _ORDER and not text.endswith("1"):
            raise UnsupportedError(f"type '{text}' is byte-swapped; convert it first")
        return cls(_NUMPY_NAMES[_TYPESTRINGS[text[1:]]])

    def __str__(self) -> str:
        return self.text

    def __format__(self, format_spec: str) -> str:
        return format(self.text, format_spec)

    text = Fact(lambda self: str(raw.element_type_name(self).decode()), 'Lower-case name as in XLA\'s text: "bf16".')
    bits = Fact(
        lambda self: int(raw.element_type_bits(self)), "Bits of a value (pred 1, s4 4); 0 if it is not an array type."
    )
    storage_bits = Fact(
        lambda self: int(raw.element_type_storage_bits(self)),
        "Bits one element takes in memory when the layout says nothing.",
    )
    is_array_type = _class_fact(raw.CLASS_ARRAY, "Arrays can be of it: not TUPLE, TOKEN, OPAQUE, BUFFER.")
    is_floating_point = _class_fact(raw.CLASS_FLOAT, "Real ones, of any width; complex ones are not.")
    is_integral = _class_fact(raw.CLASS_INTEGRAL, "pred is none.")
    is_signed = _class_fact(raw.CLASS_SIGNED, "s1 to s64.")
    is_unsigned = _class_fact(raw.CLASS_UNSIGNED, "u1 to u64; pred is none.")
    is_complex = _class_fact(raw.CLASS_COMPLEX, "c64 and c128.")
    is_sub_byte = _class_fact(raw.CLASS_SUB_BYTE, "1, 2 or 4 bits; pred is none.")

    @property
    def numpy_name(self) -> Optional[str]:
        """NumPy's or ml_dtypes' name: "float32", "bfloat16". None if it is not an array type, or not known here."""
        return _NAMES.get(self)

    @property
    def typestring(self) -> str:
        """For an array interface: "<f4"; "|V1", "<V2" for types that NumPy itself does not have."""
        known = _TYPESTRING_OF.get(self)
        size = self.storage_bits // 8
        order = "|" if size == 1 else _ORDER
        return order + (known or f"V{size}")

    def numpy_dtype(self) -> Any:
        """The dtype. Types that NumPy does not have are ml_dtypes'; without that package, the unsigned integer of that
        width."""
        import numpy

        if not self.is_array_type:
            raise UnsupportedError(f"{self} is no element type of an array")
        if self in _TYPESTRING_OF:
            return numpy.dtype(self.numpy_name)
        try:
            scalar = getattr(importlib.import_module("ml_dtypes"), self.numpy_name or "", None)
        except ImportError:
            scalar = None
        return numpy.dtype(scalar if scalar is not None else f"u{self.storage_bits // 8}")

    def padding_element(self, value: PaddingValue) -> bytes:
        """One padding element in its natural storage, little-endian."""
        return octets(raw.padding_element, self, int32(value, "value"))

    @property
    def float_format(self) -> Optional[FloatFormat]:
        """What it can hold; None if it is not a floating-point type."""
        found = raw.float_format(sizeof(raw.float_format))
        try:
            call(raw.element_type_float_format, self, found)
        except UnsupportedError:
            return None
        facts = [getattr(found, name) for name in FloatFormat._fields]
        return FloatFormat(*facts[:5], *map(bool, facts[5:]))

    def cast_preserves_values(self, to: Any) -> bool:
        """Each value of this type is one of `to`."""
        return bool(raw.element_type_cast_preserves_values(self, ElementType.of(to)))

    def complex_component(self) -> Optional[ElementType]:
        """f32 of c64, f64 of c128; None for others."""
        number = raw.element_type_complex_component(self)
        return ElementType(number) if number else None
