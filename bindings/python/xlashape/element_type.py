"""Element types, by XLA's numbers and names, and by the names that NumPy and ml_dtypes have for them. Neither package
is imported here."""

from __future__ import annotations

import enum
import sys
from ctypes import c_int32, sizeof
from typing import Any, Dict, NamedTuple, Optional

from . import _raw as raw
from ._call import call, int32, octets, utf8
from .enums import PaddingValue
from .errors import UnsupportedError

# NumPy's names, and those of ml_dtypes.
_NUMPY_NAMES: Dict[str, int] = {
    "bool": raw.PRED, "int8": raw.S8, "int16": raw.S16, "int32": raw.S32, "int64": raw.S64,
    "uint8": raw.U8, "uint16": raw.U16, "uint32": raw.U32, "uint64": raw.U64,
    "float16": raw.F16, "float32": raw.F32, "float64": raw.F64, "complex64": raw.C64, "complex128": raw.C128,
    "bfloat16": raw.BF16,
    "float8_e5m2": raw.F8E5M2, "float8_e4m3fn": raw.F8E4M3FN, "float8_e4m3b11fnuz": raw.F8E4M3B11FNUZ,
    "float8_e5m2fnuz": raw.F8E5M2FNUZ, "float8_e4m3fnuz": raw.F8E4M3FNUZ, "float8_e4m3": raw.F8E4M3,
    "float8_e3m4": raw.F8E3M4, "float8_e8m0fnu": raw.F8E8M0FNU,
    "float6_e3m2fn": raw.F6E3M2FN, "float6_e2m3fn": raw.F6E2M3FN, "float4_e2m1fn": raw.F4E2M1FN,
    "int4": raw.S4, "uint4": raw.U4, "int2": raw.S2, "uint2": raw.U2, "int1": raw.S1, "uint1": raw.U1,
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


class ElementType(enum.IntEnum):
    """PrimitiveType of xla_data.proto."""

    PRED = raw.PRED
    S1 = raw.S1
    S2 = raw.S2
    S4 = raw.S4
    S8 = raw.S8
    S16 = raw.S16
    S32 = raw.S32
    S64 = raw.S64
    U1 = raw.U1
    U2 = raw.U2
    U4 = raw.U4
    U8 = raw.U8
    U16 = raw.U16
    U32 = raw.U32
    U64 = raw.U64
    F4E2M1FN = raw.F4E2M1FN
    F6E3M2FN = raw.F6E3M2FN
    F6E2M3FN = raw.F6E2M3FN
    F8E3M4 = raw.F8E3M4
    F8E4M3 = raw.F8E4M3
    F8E4M3FN = raw.F8E4M3FN
    F8E4M3B11FNUZ = raw.F8E4M3B11FNUZ
    F8E4M3FNUZ = raw.F8E4M3FNUZ
    F8E5M2 = raw.F8E5M2
    F8E5M2FNUZ = raw.F8E5M2FNUZ
    F8E8M0FNU = raw.F8E8M0FNU
    F16 = raw.F16
    BF16 = raw.BF16
    F32 = raw.F32
    F64 = raw.F64
    C64 = raw.C64
    C128 = raw.C128
    TUPLE = raw.TUPLE
    OPAQUE_TYPE = raw.OPAQUE_TYPE
    TOKEN = raw.TOKEN
    BUFFER = raw.BUFFER

    @classmethod
    def of(cls, value: Any) -> ElementType:
        """From itself, a number, a name ("bf16", "bfloat16", "<f4") or a dtype of NumPy, ml_dtypes or PyTorch."""
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
        if found is not None:
            return found
        number = c_int32()
        encoded = utf8(name, "an element type's name")
        call(raw.element_type_from_name, encoded, len(encoded), number)
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

    @property
    def text(self) -> str:
        """Lower-case name as in XLA's text: "bf16"."""
        return str(raw.element_type_name(self).decode())

    @property
    def bits(self) -> int:
        """Bits of a value (pred 1, s4 4); 0 for what is no array type."""
        return int(raw.element_type_bits(self))

    @property
    def storage_bits(self) -> int:
        """Bits one element takes in memory when the layout says nothing."""
        return int(raw.element_type_storage_bits(self))

    def _has(self, classes: int) -> bool:
        return bool(raw.element_type_classes(self) & classes)

    @property
    def is_array_type(self) -> bool:
        """Arrays can be of it: not TUPLE, TOKEN, OPAQUE_TYPE, BUFFER."""
        return self._has(raw.CLASS_ARRAY)

    @property
    def is_floating_point(self) -> bool:
        """Real ones, of any width; complex ones are not."""
        return self._has(raw.CLASS_FLOAT)

    @property
    def is_integral(self) -> bool:
        """pred is none."""
        return self._has(raw.CLASS_INTEGRAL)

    @property
    def is_signed(self) -> bool:
        """s1 to s64."""
        return self._has(raw.CLASS_SIGNED)

    @property
    def is_unsigned(self) -> bool:
        """u1 to u64; pred is none."""
        return self._has(raw.CLASS_UNSIGNED)

    @property
    def is_complex(self) -> bool:
        """c64 and c128."""
        return self._has(raw.CLASS_COMPLEX)

    @property
    def is_sub_byte(self) -> bool:
        """1, 2 or 4 bits; pred is none."""
        return self._has(raw.CLASS_SUB_BYTE)

    @property
    def numpy_name(self) -> Optional[str]:
        """NumPy's or ml_dtypes' name: "float32", "bfloat16". None for what is no array type."""
        return _NAMES.get(self)

    @property
    def typestring(self) -> str:
        """For an array interface: "<f4"; "|V1", "<V2" for types that NumPy itself does not have."""
        known = _TYPESTRING_OF.get(self)
        size = self.storage_bits // 8
        order = "|" if size == 1 else _ORDER
        return order + (known or f"V{size}")

    def numpy_dtype(self) -> Any:
        """The dtype. ml_dtypes' types need that package imported; without it, the unsigned integer of that width."""
        import numpy

        if self.numpy_name is None:
            raise UnsupportedError(f"{self} is no element type of an array")
        if self in _TYPESTRING_OF:
            return numpy.dtype(self.numpy_name)
        scalar = getattr(sys.modules.get("ml_dtypes"), self.numpy_name, None)
        return numpy.dtype(scalar if scalar is not None else f"u{self.storage_bits // 8}")

    def padding_element(self, value: PaddingValue) -> bytes:
        """One padding element in its natural storage, little-endian."""
        return octets(raw.padding_element, self, int32(value, "value"))

    @property
    def float_format(self) -> Optional[FloatFormat]:
        """What it can hold; None for what is no floating-point type."""
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
