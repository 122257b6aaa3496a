# SPDX-License-Identifier: Apache-2.0
"""Files of NumPy's .npy format, without NumPy: read in place, and written."""

from __future__ import annotations

import ast
import mmap
import os
import struct
from typing import Any, Dict, Optional, Tuple, Union

from .array import Array
from .element_type import ElementType
from .enums import LayoutField
from .errors import InvalidArgumentError, ParseError, UnsupportedError
from .layout import Layout
from .shape import Shape

Path = Union[str, "os.PathLike[str]"]
_MAGIC = b"\x93NUMPY"


def read(path: Path, element_type: Any = None) -> Array:
    """The array in the file, mapped and read-only, row- or column-major as it is. element_type: for types that the
    format has no name for ("<V2": bf16 and so on)."""
    with open(path, "rb") as file:
        header, start = _header(file.read(10), file, path)
        size = os.fstat(file.fileno()).st_size
        shape = _shape(header, element_type, path)
        nbytes = shape.padded_nbytes
        if size - start < nbytes:
            raise InvalidArgumentError(f"{path}: {size - start} bytes of data, {shape} has {nbytes}")
        if nbytes == 0:
            return Array(b"", shape)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return Array(memoryview(data)[start : start + nbytes], shape)


def _header(first: bytes, file: Any, path: Path) -> Tuple[Dict[str, Any], int]:
    if len(first) < 10 or first[:6] != _MAGIC:
        raise ParseError(f"{path} is no .npy file", offset=0)
    if first[6] not in (1, 2, 3):
        raise UnsupportedError(f"{path} has version {first[6]} of the .npy format; 1 to 3 are known")
    size, start = first[8:10], 10
    if first[6] > 1:  # four bytes tell the header's length
        size, start = size + file.read(2), 12
    length = int.from_bytes(size, "little")
    if length > 1 << 20:
        raise ParseError(f"{path} has a header of {length} bytes", offset=8)
    text = file.read(length)
    try:
        header = ast.literal_eval(text.decode("utf-8" if first[6] == 3 else "latin-1").strip())
        wanted = {"descr", "fortran_order", "shape"}
        sizes = header["shape"]
        if len(text) != length or set(header) != wanted or not all(isinstance(size, int) for size in sizes):
            raise ValueError("keys")
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
        raise ParseError(f"{path} has no header that says what the array is", offset=start) from None
    return header, start + length


def _shape(header: Dict[str, Any], element_type: Any, path: Path) -> Shape:
    descr = header["descr"]
    if not isinstance(descr, str) or "O" in descr:
        raise UnsupportedError(f"{path} holds {descr!r}, which is no element type")
    if element_type is None:
        try:
            kind = ElementType.of(descr)
        except LookupError:
            raise UnsupportedError(f"{path} is of '{descr}', which has no name: say the element type") from None
    else:
        kind = ElementType.of(element_type)
        if not descr[2:].isdigit() or 8 * int(descr[2:]) != kind.storage_bits:
            raise InvalidArgumentError(f"{path} is of '{descr}'; {kind} has {kind.storage_bits // 8} bytes")
    rank = len(header["shape"])
    layout = Layout.column_major(rank) if header["fortran_order"] else Layout.row_major(rank)
    return Shape.array(kind, header["shape"], layout)


def write(path: Path, array: Array) -> None:
    """As a row- or column-major array where its layout is such an order and nothing else; any other as its memory,
    one-dimensional."""
    shape = array.shape
    dimensions, fortran = shape.dimensions, False
    kind: Optional[ElementType] = shape.element_type
    sizes = shape.sizes
    plain = shape.without_layout_fields(LayoutField.MEMORY_SPACE)
    same = [Shape.array(shape.element_type, dimensions, layout) for layout in _orders(shape.rank)]
    is_order = shape._plain_strides() is not None
    if is_order and plain.reshape_is_bitcast(same[0]):
        pass
    elif is_order and plain.reshape_is_bitcast(same[1]):
        fortran = True
    elif sizes.element_bits == shape.element_type.storage_bits:
        dimensions = (sizes.storage_elements,)
    else:
        dimensions, kind = (sizes.bytes,), None
    descr = "|u1" if kind is None else kind.typestring
    text = str({"descr": descr, "fortran_order": fortran, "shape": dimensions})
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(_MAGIC + b"\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin-1"))
        file.write(array.data)


def _orders(rank: int) -> Tuple[Layout, Layout]:
    return Layout.row_major(rank), Layout.column_major(rank)
