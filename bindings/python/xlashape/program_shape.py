# SPDX-License-Identifier: Apache-2.0
"""A program's signature: parameters with names, and a result (xla::ProgramShape)."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any, Iterable, List, Sequence, Tuple, Union

from . import _raw as raw
from ._call import ProgramShapeHandle, fact, make, message_bytes, octets, pack, text, uint32, utf8
from .enums import Ignore, LayoutField
from .shape import Shape, _shape


class ProgramShape:
    """An immutable value. Any thread may use it."""

    __slots__ = ("_handle", "__weakref__")
    _handle: ProgramShapeHandle

    def __init__(
        self, parameters: Iterable[Union[str, Shape]], result: Union[str, Shape], *, names: Sequence[str] = ()
    ) -> None:
        """`names`: none, or one for each parameter, any of them ""."""
        shapes = [_shape(parameter) for parameter in parameters]
        if names and len(names) != len(shapes):
            raise ValueError(f"{len(names)} names for {len(shapes)} parameters")
        handles = (c_void_p * len(shapes))(*(shape._handle.value for shape in shapes))
        encoded = [utf8(name, "a parameter's name") for name in names]
        lengths = pack([len(name) for name in encoded], "names") if names else None
        self._handle = make(
            *(ProgramShapeHandle, raw.program_shape_create, handles, len(shapes)),
            *(b"".join(encoded), lengths, _shape(result)._handle),
        )

    @classmethod
    def from_proto(cls, message: bytes, *, keep_missing_layout: bool = False) -> ProgramShape:
        """From a serialised ProgramShapeProto."""
        self = object.__new__(cls)
        keep = raw.SHAPE_KEEP_MISSING_LAYOUT if keep_missing_layout else 0
        encoded = message_bytes(message, "a ProgramShapeProto")
        self._handle = make(ProgramShapeHandle, raw.program_shape_from_proto, encoded, len(encoded), keep)
        return self

    def to_proto(self) -> bytes:
        """A ProgramShapeProto, byte for byte as XLA serialises it."""
        return octets(raw.program_shape_to_proto, self._handle, 0)

    @property
    def parameters(self) -> List[Shape]:
        """Their shapes, in order."""
        count = raw.program_shape_parameter_count(self._handle)
        return [Shape._make(raw.program_shape_parameter, self._handle, index) for index in range(count)]

    @property
    def names(self) -> List[str]:
        """Empty for a parameter without one."""
        count = raw.program_shape_parameter_count(self._handle)
        return [text(raw.program_shape_parameter_name, self._handle, index) for index in range(count)]

    @property
    def result(self) -> Shape:
        """Its shape; a tuple where there are several results."""
        return Shape._make(raw.program_shape_result, self._handle)

    has_all_layouts = fact(
        bool, raw.program_shape_has_all_layouts, "Every array of the parameters and the result has a layout."
    )

    def with_default_layouts(self) -> ProgramShape:
        """Row-major order for every array, as Shape.with_default_layouts."""
        return self._made(raw.program_shape_with_default_layouts)

    def without_layout_fields(self, fields: LayoutField) -> ProgramShape:
        """Those fields of the layout unset in every array."""
        return self._made(raw.program_shape_without_layout_fields, uint32(fields, "fields"))

    def _made(self, function: Any, *arguments: Any) -> ProgramShape:
        made = object.__new__(ProgramShape)
        made._handle = make(ProgramShapeHandle, function, self._handle, *arguments)
        return made

    def __str__(self) -> str:
        """As in `(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}`."""
        return text(raw.program_shape_print, self._handle, 0)

    def __repr__(self) -> str:
        return f"<xlashape.ProgramShape {self}>"

    def __format__(self, format_spec: str) -> str:
        """The text, with the format of a str."""
        return format(str(self), format_spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProgramShape):
            return NotImplemented
        return self.equal(other)

    def equal(self, other: ProgramShape, ignore: Ignore = Ignore.XLA) -> bool:
        """Equality of the shapes, which leaves out what `ignore` names; by default ==."""
        if not isinstance(other, ProgramShape):
            raise TypeError(f"a ProgramShape is wanted, not {type(other).__name__}")
        return bool(raw.program_shape_equal(self._handle, other._handle, uint32(ignore, "ignore")))

    def __hash__(self) -> int:
        return hash((tuple(self.parameters), self.result))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _unpickle, (self.to_proto(),)


def _unpickle(message: bytes) -> ProgramShape:
    return ProgramShape.from_proto(message, keep_missing_layout=True)
