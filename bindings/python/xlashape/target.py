# SPDX-License-Identifier: Apache-2.0
"""Targets: the machines that XLA compiles for. Their compilers choose the layouts of the arrays that a program takes
and returns: Layout.for_target, Shape.for_target."""

from __future__ import annotations

from ctypes import c_int32, sizeof
from typing import Any, Tuple, Union

from . import _raw as raw
from ._call import Fact, call, int64, number, text, utf8


def _fact(name: str, doc: str) -> Fact[int]:
    def get(self: Target) -> int:
        info = raw.target_info(sizeof(raw.target_info))
        call(raw.target_properties, self._number, info)
        return int(getattr(info, name))

    return Fact(get, doc)


class Target:
    """An immutable value: `Target("tpu:v5e")`. `targets()` lists those that exist. Whatever takes a target takes its
    name too; a text never equals a target. Targets can be hashed, pickled, and used by any thread."""

    __slots__ = ("_number", "__weakref__")
    _number: int

    def __init__(self, target: Union[str, Target]) -> None:
        """By its name, in which case matters. NotFoundError, with the names that exist, for others."""
        if isinstance(target, Target):
            self._number = target._number
            return
        if not isinstance(target, str):
            raise TypeError(f"a target or its name is wanted, not {type(target).__name__}")
        encoded, found = utf8(target, "a target"), c_int32()
        call(raw.target_from_name, encoded, len(encoded), found)
        self._number = found.value

    @classmethod
    def _of(cls, number: int) -> Target:
        self = object.__new__(cls)
        self._number = number
        return self

    name = Fact(lambda self: str(raw.target_name(self._number).decode()), 'As in Target("tpu:v5e").')
    lanes = _fact("lanes", "Lanes of a vector register: the most minor side of tiles. 0 where there are no tiles.")
    sublanes = _fact(
        "sublanes", "Sublanes of a vector register: the rows of a tile of 32-bit elements, or fewer. 0 without tiles."
    )
    pointer_bytes = _fact(
        "pointer_bytes", "Bytes of one entry in the table of pointers that stands for a tuple in memory."
    )
    tuple_alignment = _fact("tuple_alignment", "Bytes to which the size of that table is rounded up.")

    def tuple_bytes(self, elements: int) -> int:
        """Bytes of the table of pointers that stands for a tuple of that many elements."""
        return number(raw.target_tuple_bytes, self._number, int64(elements, "elements"))

    def memory_space_name(self, memory_space: int) -> str:
        """What a layout's memory space S(n) is there: "hbm", "vmem", "smem" or "host". UnsupportedError where that is
        not known."""
        return text(raw.target_memory_space_name, self._number, int64(memory_space, "memory_space"))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Target({self.name!r})"

    def __format__(self, format_spec: str) -> str:
        """The name, with the format of a str: f"{target:>10}"."""
        return format(self.name, format_spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Target):
            return NotImplemented
        return self._number == other._number

    def __hash__(self) -> int:
        return hash((Target, self._number))

    def __reduce__(self) -> Tuple[Any, ...]:
        # By the name: a library that lacks the target then says so.
        return type(self), (self.name,)


def targets() -> Tuple[Target, ...]:
    """All that the library in use knows."""
    return tuple(map(Target._of, range(raw.target_count())))


def _target(value: Any) -> Target:
    return value if isinstance(value, Target) else Target(value)
