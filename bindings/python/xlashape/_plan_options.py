"""What may be said of a relayout besides its shapes, as C takes it."""

from __future__ import annotations

from ctypes import c_int64, sizeof
from typing import Iterable, List, Optional, Tuple

from . import _raw as raw
from ._call import device_number, field, int32, nanoseconds, pack, utf8
from .enums import FillPolicy, MemorySpace
from .errors import InvalidArgumentError

Option = Tuple[int, Optional[Iterable[int]]]


def plan_options(
    fill: FillPolicy = FillPolicy.PADDING,
    backend: Optional[str] = None,
    device: Optional[int] = None,
    allow_fallback: bool = False,
    read_soon: bool = False,
    src_space: MemorySpace = MemorySpace.DEFAULT,
    dst_space: MemorySpace = MemorySpace.DEFAULT,
    src_byte_strides: Optional[Iterable[int]] = None,
    dst_byte_strides: Optional[Iterable[int]] = None,
    src_base: Optional[Iterable[int]] = None,
    dst_base: Optional[Iterable[int]] = None,
    extent: Optional[Iterable[int]] = None,
    measure: float = 0,
) -> List[Option]:
    """The options of a relayout as C has them; None is not said."""
    flags = (raw.PLAN_ALLOW_FALLBACK if allow_fallback else 0) | (raw.PLAN_READ_SOON if read_soon else 0)
    numbers = (
        (raw.PLAN_FIELD_FILL_POLICY, int32(fill, "fill")),
        (raw.PLAN_FIELD_DEVICE, device_number(device)),
        (raw.PLAN_FIELD_FLAGS, flags),
        (raw.PLAN_FIELD_SRC_SPACE, int32(src_space, "src_space")),
        (raw.PLAN_FIELD_DST_SPACE, int32(dst_space, "dst_space")),
        (raw.PLAN_FIELD_MEASURE_NS, nanoseconds(measure, "measure")),
    )
    return [
        *((field, (number,)) for field, number in numbers if number),
        (raw.PLAN_FIELD_BACKEND, None if backend is None else utf8(backend, "a backend's name")),
        (raw.PLAN_FIELD_SRC_BYTE_STRIDES, src_byte_strides),
        (raw.PLAN_FIELD_DST_BYTE_STRIDES, dst_byte_strides),
        (raw.PLAN_FIELD_SRC_BASE, src_base),
        (raw.PLAN_FIELD_DST_BASE, dst_base),
        (raw.PLAN_FIELD_EXTENT, extent),
    ]


def plan_fields(options: Iterable[Option]) -> bytes:
    """The options as the list of fields that C takes."""
    return b"".join(field(number, values, _NAMES[number]) for number, values in options if values is not None)


# What the struct calls the fields.
_NAMES = {
    getattr(raw, f"PLAN_FIELD_{name.upper()}"): name for name, _ in raw.relayout_options._fields_ if name != "struct_size"
}


def plan_struct(options: Iterable[Option], rank: int) -> raw.relayout_options:
    """The options as the struct, which cannot tell how long its lists are."""
    struct = raw.relayout_options(sizeof(raw.relayout_options))
    for number, values in options:
        name = _NAMES[number]
        if values is None:
            continue
        if number == raw.PLAN_FIELD_BACKEND:
            encoded = bytes(values)
            if 0 in encoded:
                raise InvalidArgumentError(f"{name} holds a NUL: {encoded!r}")
            struct.backend = encoded
        elif number < raw.PLAN_FIELD_BACKEND or number == raw.PLAN_FIELD_MEASURE_NS:
            (value,) = values
            setattr(struct, name, value)
        else:
            packed = pack(values, name)
            if len(packed) != 8 * rank:
                raise InvalidArgumentError(f"{name} has {len(packed) // 8} values, it takes {rank}")
            setattr(struct, name, (c_int64 * rank).from_buffer_copy(packed))
    return struct
