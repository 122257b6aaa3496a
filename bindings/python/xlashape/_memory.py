# SPDX-License-Identifier: Apache-2.0
"""What lies behind an argument: anything with __array_interface__, __dlpack__ or the buffer protocol, seen as an
address, an element type, dimensions and byte strides. Nothing is copied."""

from __future__ import annotations

import struct
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_ssize_t, c_void_p, py_object
from typing import Any, Optional, Sequence, Tuple

from . import _raw as raw
from ._call import ShapeHandle, api, int64, method, uint64
from .element_type import ElementType
from .errors import InvalidArgumentError, OutOfRangeError, UnsupportedError


class _PyBuffer(Structure):
    # Part of CPython's stable ABI.
    _fields_ = [
        ("buf", c_void_p),
        ("obj", py_object),
        ("len", c_ssize_t),
        ("itemsize", c_ssize_t),
        ("readonly", c_int),
        ("ndim", c_int),
        ("format", c_char_p),
        ("shape", POINTER(c_ssize_t)),
        ("strides", POINTER(c_ssize_t)),
        ("suboffsets", POINTER(c_ssize_t)),
        ("internal", c_void_p),
    ]


_get_buffer = api("PyObject_GetBuffer", c_int, py_object, POINTER(_PyBuffer), c_int)
_FULL_READ_ONLY = 0x011C


class _Held(_PyBuffer):
    __del__ = method(api("PyBuffer_Release", None, POINTER(_PyBuffer)))  # which does nothing to one without `obj`


class Export:
    """A buffer that is kept exported, and so does not move, until this goes. Its owner is asked once, and everything is
    taken from that answer: another one may be different."""

    def __init__(self, value: Any) -> None:
        self.view = memoryview(value)
        # The address of what the memoryview holds; ctypes gives it of writable buffers only.
        self._held = _Held()
        _get_buffer(self.view, self._held, _FULL_READ_ONLY)
        self.address = int(self._held.buf or 0)


class Memory:
    """`address` is that of index 0...0; the bytes [address + low, address + high) are the array's. `element_type` is
    None where there is none of that name (`dtype` is the name). `packed`: set instead of strides where elements are
    smaller than a byte, a handle of the shape. `owner` keeps it all alive."""

    __slots__ = (
        *("address", "low", "high", "readonly", "element_type", "dtype", "dimensions", "byte_strides", "itemsize"),
        *("packed", "owner"),
    )

    def __init__(
        self,
        address: int,
        itemsize: int,
        dimensions: Sequence[int],
        byte_strides: Optional[Sequence[int]],
        element_type: Optional[ElementType],
        dtype: str,
        readonly: bool,
        owner: Any,
    ) -> None:
        self.address = address
        self.itemsize = itemsize
        self.dimensions = tuple(dimensions)
        self.byte_strides = row_major(self.dimensions, itemsize) if byte_strides is None else tuple(byte_strides)
        self.element_type = element_type
        self.dtype = dtype
        self.readonly = readonly
        self.owner = owner
        self.packed: Optional[ShapeHandle] = None
        self.low = self.high = 0
        if 0 not in self.dimensions:
            reach = [(size - 1) * stride for size, stride in zip(self.dimensions, self.byte_strides)]
            self.low = sum(way for way in reach if way < 0)
            self.high = sum(way for way in reach if way > 0) + itemsize

    @property
    def size(self) -> int:
        """How many bytes from `address` on an execution may touch, for C.
        Plans check arrays that also have some before."""
        return int(self.high) if self.low == 0 else raw.UNCHECKED

    @property
    def contiguous(self) -> bool:
        """Row-major without gaps."""
        return self.has_strides(self.dimensions, row_major(self.dimensions, self.itemsize))

    def has_strides(self, dimensions: Sequence[int], byte_strides: Optional[Sequence[int]]) -> bool:
        """That it is an array with these, where they matter."""
        if byte_strides is None or self.dimensions != tuple(dimensions):
            return False
        return 0 in self.dimensions or all(
            size == 1 or stride == wanted for size, stride, wanted in zip(dimensions, self.byte_strides, byte_strides)
        )


def row_major(dimensions: Sequence[int], itemsize: int) -> Tuple[int, ...]:
    strides, step = [], itemsize
    for size in reversed(dimensions):
        strides.append(step)
        # As NumPy, so that the strides of an array without elements have an order, too; its sizes may be any.
        step = min(step * max(size, 1), (1 << 63) - 1)
    return tuple(reversed(strides))


def from_array_interface(value: Any) -> Memory:
    interface = value.__array_interface__
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray) and value.mask is not masked.nomask:
        raise UnsupportedError("the array has a mask: give its `data`, or `filled()`")
    if interface.get("mask") is not None:
        raise UnsupportedError("the array has a mask")
    typestring = interface["typestr"]
    if typestring[1:2] == "O" or not typestring[2:].isdigit():
        raise UnsupportedError(f"the array is of '{typestring}', which is no element type")
    itemsize = int(typestring[2:])
    # NumPy has no letters for ml_dtypes' types ("<V2"): they go by name.
    dtype = getattr(value, "dtype", None)
    name = str(getattr(dtype, "name", typestring))
    element_type = element_type_called(typestring) or element_type_called(name)
    if element_type is not None and element_type.storage_bits != 8 * itemsize:
        element_type = None
    data = interface.get("data")
    shape, strides = _numbers(interface["shape"], "shape"), interface.get("strides")
    if min(shape, default=0) < 0:
        raise InvalidArgumentError(f"shape in __array_interface__ is {shape}, sizes must not be negative")
    if strides is not None:
        strides = _numbers(strides, "strides")
        if len(strides) != len(shape):
            raise InvalidArgumentError(f"__array_interface__ has {len(strides)} strides for {len(shape)} dimensions")
    if isinstance(data, tuple):
        if len(data) != 2:
            raise InvalidArgumentError(
                f"data in __array_interface__ has {len(data)} entries, not an address and a flag"
            )
        address, readonly = data
        address = uint64(address, "the address in __array_interface__")
        return Memory(address, itemsize, shape, strides, element_type, name, bool(readonly), value)
    export = Export(value if data is None else data)
    offset = int64(interface.get("offset", 0), "offset in __array_interface__")
    readonly = export.view.readonly
    memory = Memory(export.address + offset, itemsize, shape, strides, element_type, name, readonly, (value, export))
    if not 0 <= offset + memory.low <= offset + memory.high <= export.view.nbytes:
        raise OutOfRangeError(
            f"the array takes the bytes [{offset + memory.low}, {offset + memory.high}) of a buffer of "
            f"{export.view.nbytes}"
        )
    return memory


def is_plain_ndarray(value: Any) -> bool:
    """Whether it is an array of NumPy itself, and not of a class that may be more."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray


def _numbers(values: Any, what: str) -> Tuple[int, ...]:
    return tuple(int64(value, f"entry {place} of {what} in __array_interface__") for place, value in enumerate(values))


def element_type_called(name: str) -> Optional[ElementType]:
    try:
        return ElementType.of(name)
    except LookupError:
        return None


_FORMATS = {
    "?": "pred", "b": "s8", "B": "u8", "c": "u8", "e": "f16", "f": "f32", "d": "f64", "Zf": "c64", "Zd": "c128",
}  # fmt: skip


def format_element_type(text: str) -> Optional[ElementType]:
    """Of a struct format, as the buffer protocol has them; None where there is none."""
    order, letter = (text[0], text[1:]) if text[:1] in tuple("@=<>!") else ("@", text)
    name = _FORMATS.get(letter)
    if name is None and len(letter) == 1 and letter in "hHiIlLqQnN":
        size = struct.calcsize(letter if order == "@" else "=" + letter)
        name = ("s" if letter in "hilqn" else "u") + str(8 * size)
    if name is None:
        return None
    swapped = order in (">", "!") if sys.byteorder == "little" else order == "<"
    if swapped and name not in ("pred", "s8", "u8"):
        raise UnsupportedError(f"format '{text}' is byte-swapped; convert it first")
    return ElementType.of(name)


def from_buffer(export: Export) -> Memory:
    view = export.view
    if view.suboffsets and any(offset >= 0 for offset in view.suboffsets):
        raise UnsupportedError("the buffer is made of pointers (suboffsets)")
    element_type = format_element_type(view.format)
    shape: Tuple[int, ...] = view.shape or ()
    return Memory(export.address, view.itemsize, shape, view.strides, element_type, view.format, view.readonly, export)


def image_wanted(memory: Memory, shape: Any, what: str, writable: bool) -> None:
    """That the memory can be the image of that shape: contiguous, or an array of the same dimensions and strides."""
    if writable and memory.readonly:
        raise InvalidArgumentError(f"{what} is read-only")
    nbytes, element_type = shape.padded_nbytes, shape.element_type
    if not memory.contiguous and not memory.has_strides(shape.dimensions, shape._plain_strides()):
        raise InvalidArgumentError(
            f"{what} has byte strides {memory.byte_strides}; the image of a shape must be contiguous"
        )
    if memory.high - memory.low != nbytes:
        raise OutOfRangeError(f"{what} has {memory.high - memory.low} bytes, {nbytes} are wanted")
    kind = memory.element_type
    if kind is None or kind in (element_type, ElementType.U8, ElementType.S8):
        return
    if not (kind.is_unsigned and kind.storage_bits == element_type.storage_bits):
        raise InvalidArgumentError(f"{what} is of {memory.dtype}; {element_type}, or bytes, are wanted")
