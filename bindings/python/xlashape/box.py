# SPDX-License-Identifier: Apache-2.0
"""Boxes of indices, walked in any order of the dimensions, and in parts."""

from __future__ import annotations

from ctypes import c_int64
from functools import partial
from operator import index
from typing import Any, Iterable, Iterator, Optional, Tuple

from . import _raw as raw
from ._call import number, numbers, pack


class Box:
    """In each dimension the indices base, base+step, ... below base+count; a step of 0 pins it at its base.

    >>> list(Box((1, 5), (4, 3), (2, 2), minor_to_major=(0, 1)))
    [(1, 5), (3, 5), (1, 7), (3, 7)]
    """

    __slots__ = ("_rank", "_base", "_count", "_step", "_order")

    def __init__(
        self,
        base: Iterable[int],
        count: Iterable[int],
        step: Optional[Iterable[int]] = None,
        *,
        minor_to_major: Optional[Iterable[int]] = None,
    ) -> None:
        """`step`: 1 in each dimension where it is left out. `minor_to_major`: the order, its first dimension fastest,
        such as a layout's; without it the last dimension is fastest."""
        self._base, self._count = pack(base, "base"), pack(count, "count")
        self._rank = len(self._base) // 8
        self._step = pack((1,) * self._rank if step is None else step, "step")
        self._order = None if minor_to_major is None else pack(minor_to_major, "minor_to_major")
        for name, given in (("count", self._count), ("step", self._step), ("minor_to_major", self._order)):
            if given is not None and len(given) != len(self._base):
                raise ValueError(f"{name} has {len(given) // 8} entries, base has {self._rank}")
        number(raw.box_index_count, self._count, self._step, self._rank)
        if self._order is not None and sorted(self.minor_to_major) != list(range(self._rank)):
            raise ValueError(f"minor_to_major {self.minor_to_major} is no permutation of {self._rank} dimensions")

    def _parts(self) -> Tuple[Tuple[int, ...], ...]:
        packed = (self._base, self._count, self._step)
        return tuple(tuple((c_int64 * self._rank).from_buffer_copy(part)) for part in packed)

    def __repr__(self) -> str:
        base, count, step = self._parts()
        order = "" if self._order is None else f", minor_to_major={self.minor_to_major}"
        return f"Box({base}, {count}, {step}{order})"

    def __reduce__(self) -> Tuple[Any, ...]:
        order = None if self._order is None else self.minor_to_major
        return partial(Box, minor_to_major=order), self._parts()

    @property
    def minor_to_major(self) -> Tuple[int, ...]:
        """The order in which it is walked, the fastest dimension first."""
        if self._order is None:
            return tuple(range(self._rank - 1, -1, -1))
        return tuple((c_int64 * self._rank).from_buffer_copy(self._order))

    @property
    def index_count(self) -> int:
        """How many indices it holds."""
        return number(raw.box_index_count, self._count, self._step, self._rank)

    def __getitem__(self, which: int) -> Tuple[int, ...]:
        """The index of that number in the walk."""
        which = index(which)
        if which < 0:
            which += self.index_count
        if not 0 <= which < self.index_count:
            raise IndexError(f"index {which} of a box that holds {self.index_count}")
        return numbers(raw.box_index_at, self._base, self._count, self._step, self._order, self._rank, which)

    def part(self, first: int, limit: int) -> Iterator[Tuple[int, ...]]:
        """The indices with numbers first <= number < limit, so that threads can share a box."""
        if not 0 <= first <= limit <= self.index_count:
            raise IndexError(f"part [{first}, {limit}) of a box that holds {self.index_count}")
        return self._walk(first, limit)

    def _walk(self, first: int, limit: int) -> Iterator[Tuple[int, ...]]:
        if first == limit:
            return
        at = (c_int64 * self._rank)(*self[first])
        for _ in range(first, limit - 1):
            yield tuple(at)
            raw.box_next_index(self._base, self._count, self._step, self._order, self._rank, at)
        yield tuple(at)

    def __iter__(self) -> Iterator[Tuple[int, ...]]:
        return self._walk(0, self.index_count)
