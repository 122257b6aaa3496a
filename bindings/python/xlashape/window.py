# SPDX-License-Identifier: Apache-2.0
"""Windows: parts of arrays that are arrays."""

from __future__ import annotations

from ctypes import c_int64, sizeof
from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional, Tuple

from . import _raw as raw
from ._call import ShapeHandle, call, int64, pack
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from .shape import Shape


class Window(NamedTuple):
    """What of an array's storage belongs to a box, as Shape.window gives it: an array of its own, with the same order
    and tiles, whose bytes lie there in runs.

    >>> window = Shape("f32[64,512]{1,0:T(8,128)}").window((0, 128), (64, 256))
    >>> str(window.shape), window.run_bytes, window.run_count, window.runs(count=2)
    ('f32[64,256]{1,0:T(8,128)}', 8192, 8, (4096, 20480))
    """

    array: Shape  # whose storage it is a part of
    base: Tuple[int, ...]
    extent: Tuple[int, ...]
    shape: Shape  # what lies there; static, without alignment of the tail
    byte_offset: int  # of its first byte in the array's storage
    bytes: int  # run_bytes * run_count, what its own storage takes
    run_bytes: int  # that lie together
    run_count: int

    @property
    def contiguous(self) -> bool:
        """Whether its bytes lie together in the array's storage, also where it has none."""
        return self.run_count <= 1

    def runs(self, first: int = 0, count: Optional[int] = None) -> Tuple[int, ...]:
        """Where its runs begin in the array's storage, in bytes, in the order in which its own storage has them: from
        number `first` on `count` of them, at most 2**24 at once, by default all that are left. OutOfRangeError where
        there are fewer."""
        first = int64(first, "first")
        count = max(self.run_count - first, 0) if count is None else int64(count, "count")
        # C refuses more than there are, and then writes none.
        out = (c_int64 * max(min(count, self.run_count), 0))()
        base, extent = pack(self.base, "base"), pack(self.extent, "extent")
        call(raw.shape_window_runs, self.array._handle, base, extent, len(base) // 8, first, count, out)
        return tuple(out)


def window_of(array: Shape, base: Iterable[int], extent: Iterable[int]) -> Window:
    """Shape.window."""
    begin, size = pack(base, "base"), pack(extent, "extent")
    if len(begin) != len(size):
        raise InvalidArgumentError(f"base has {len(begin) // 8} entries, extent {len(size) // 8}")
    found = raw.window(sizeof(raw.window))
    call(raw.shape_window, array._handle, begin, size, len(begin) // 8, found)
    shape = array._of(ShapeHandle(found.shape))
    sizes = (found.byte_offset, found.bytes, found.run_bytes, found.run_count)
    return Window(array, _unpacked(begin), _unpacked(size), shape, *sizes)


def _unpacked(packed: bytes) -> Tuple[int, ...]:
    return tuple((c_int64 * (len(packed) // 8)).from_buffer_copy(packed))
