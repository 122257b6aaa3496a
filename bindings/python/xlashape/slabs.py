# SPDX-License-Identifier: Apache-2.0
"""Slabs: the parts in which an array is moved that is larger than memory."""

from __future__ import annotations

from ctypes import c_int64, sizeof
from operator import index
from typing import Any, Iterator, NamedTuple, Tuple, Union

from . import _raw as raw
from ._call import call, int64
from .box import Box
from .shape import Shape, _shape


class Slab(NamedTuple):
    """One box of Slabs: the arguments of Shape.window."""

    base: Tuple[int, ...]
    extent: Tuple[int, ...]


class Slabs:
    """Boxes of one extent in which an array is moved that does not fit into memory, as `slabs` chooses them; those at
    the end of a dimension may be smaller. Each element is in one. A sequence of Slab, in the order of the destination's
    storage.

    >>> chosen = slabs("f32[64,512]", "f32[64,512]{1,0:T(8,128)}", 65536)
    >>> len(chosen), chosen.extent, chosen[1]
    (4, (16, 512), Slab(base=(16, 0), extent=(16, 512)))
    """

    __slots__ = ("src", "dst", "max_bytes", "extent", "count", "src_bytes", "dst_bytes", "src_runs", "dst_runs", "_box")
    src: Shape
    dst: Shape
    max_bytes: int
    extent: Tuple[int, ...]
    count: int  # of slabs
    src_bytes: int  # of the largest one's window of the source
    dst_bytes: int  # of that of the destination
    src_runs: int  # to be read for all slabs, at most
    dst_runs: int  # to be written for all slabs, at most

    def __init__(self, src: Union[str, Shape], dst: Union[str, Shape], max_bytes: int) -> None:
        """As `slabs`."""
        self.src, self.dst, self.max_bytes = _shape(src), _shape(dst), int64(max_bytes, "max_bytes")
        cost = raw.slabs(sizeof(raw.slabs))
        sides = (self.src._handle, self.dst._handle)
        extent = (c_int64 * self.src.rank)()
        call(raw.relayout_slabs, *sides, self.max_bytes, extent, len(extent), c_int64(), cost)
        self.extent = tuple(extent)
        self.count = cost.count
        self.src_bytes, self.dst_bytes = cost.src_bytes, cost.dst_bytes
        self.src_runs, self.dst_runs = cost.src_runs, cost.dst_runs
        dimensions, layout = self.src.dimensions, self.dst.layout
        order = None if layout is None else layout.minor_to_major
        self._box = Box((0,) * len(dimensions), dimensions, self.extent, minor_to_major=order)

    def __repr__(self) -> str:
        return f"Slabs({str(self.src)!r}, {str(self.dst)!r}, {self.max_bytes})"

    def __reduce__(self) -> Tuple[Any, ...]:
        return Slabs, (self.src, self.dst, self.max_bytes)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, which: int) -> Slab:
        """The slab of that number, -1 the last one."""
        number = index(which)
        if not -self.count <= number < self.count:
            raise IndexError(f"slab {number} of {self.count}")
        return self._slab(self._box[number])

    def __iter__(self) -> Iterator[Slab]:
        return map(self._slab, self._box)

    def _slab(self, base: Tuple[int, ...]) -> Slab:
        left = (size - begin for size, begin in zip(self.src.dimensions, base))
        return Slab(base, tuple(map(min, self.extent, left)))


def slabs(src: Union[str, Shape], dst: Union[str, Shape], max_bytes: int) -> Slabs:
    """Boxes in which a relayout between two arrays of the same dimensions is done part by part, chosen so that all of
    them are read and written in few runs: each is a window of both sides, and both windows together take at most
    `max_bytes` bytes. Element types may differ, for a relayout that converts.

    For each box (base, extent): put the runs of src.window(base, extent) one after the other, relayout(...) that, of
    its `shape`, to the `shape` of dst.window(base, extent), and write the result where the runs of that are. What
    aligns the tail of the destination belongs to no box, if there are several.

    OutOfRangeError where the smallest boxes take more: the message says how much. InvalidArgumentError for other
    dimensions, UnsupportedError for what is no static array."""
    return Slabs(src, dst, max_bytes)
