# SPDX-License-Identifier: Apache-2.0
"""Batches of int64: arrays, or sequences of Python's integers, as an address and steps."""

from __future__ import annotations

import sys
from ctypes import addressof, c_char, sizeof
from itertools import chain
from typing import Any, NamedTuple, Optional, Tuple

from ._arrays import memory_of
from ._call import c_array, pack
from ._memory import Memory
from .element_type import ElementType
from .errors import InvalidArgumentError, OutOfRangeError


class Block(NamedTuple):
    """Steps count int64, and are at least 1; `size` counts bytes; `owner` keeps the memory alive."""

    address: int
    rows: int
    row_step: int
    column_step: int
    size: int
    owner: Any


def _plain(value: Any, rank: Optional[int]) -> Optional[Block]:
    """The everyday memory, quickly: int64, writable, each entry behind the one before. The owner locks it."""
    try:
        view = memoryview(value)
    except TypeError:
        return None
    shape = view.shape or ()
    if view.readonly or view.format not in ("q", "l") or view.itemsize != 8 or not view.c_contiguous or not view.nbytes:
        return None
    if len(shape) != (1 if rank is None else 2) or (rank is not None and shape[1] != rank):
        return None
    owner = c_char.from_buffer(view)
    return Block(addressof(owner), shape[0], rank or 1, 1, view.nbytes, owner)


def read_block(value: Any, rank: Optional[int], what: str, writable: bool = False) -> Block:
    """A block of one dimension (rank None), or of two with `rank` columns."""
    plain = _plain(value, rank)
    if plain is not None:
        return plain
    memory = memory_of(value)
    if memory is None:
        if writable:
            raise TypeError(f"{what} must be an int64 array, not {type(value).__name__}")
        return _sequence(value, rank, what)
    if writable and memory.readonly:
        raise InvalidArgumentError(f"{what} is read-only")
    wanted = 1 if rank is None else 2
    if len(memory.dimensions) != wanted or (rank is not None and memory.dimensions[1] != rank):
        columns = "" if rank is None else f", {rank}"
        raise OutOfRangeError(f"{what} has dimensions {memory.dimensions}, (count{columns}) are wanted")
    strides = memory.byte_strides
    if memory.element_type in (ElementType.S64, ElementType.U64):
        if any(stride % 8 for stride in strides):
            raise InvalidArgumentError(f"{what} has byte strides {strides}, which are no multiples of 8")
        # Of one entry, or none, it does not matter where the next one is.
        rows, entries = memory.dimensions[0], 1 if rank is None else rank
        column_step = 1 if entries <= 1 else strides[1] // 8
        row_step = max(1, entries * column_step) if rows <= 1 or not entries else strides[0] // 8
        if row_step > 0 and column_step > 0:
            return Block(memory.address, rows, row_step, column_step, memory.size, memory)
        if writable:
            raise InvalidArgumentError(f"{what} has byte strides {strides}, which are not positive")
    converted = None if writable else _converted(value, memory)
    if converted is None:
        raise InvalidArgumentError(f"{what} is of {memory.dtype}, int64 is wanted")
    return read_block(converted, rank, what)


def _converted(value: Any, memory: Memory) -> Any:
    """An array of other integers, or in another order, as a contiguous one of int64; None of other elements."""
    kind = memory.element_type
    if kind is None or not kind.is_integral:
        return None
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        return numpy.ascontiguousarray(value, "int64")
    try:
        return memoryview(value).tolist()
    except TypeError:
        return None


def _sequence(value: Any, rank: Optional[int], what: str) -> Block:
    items = list(value)
    if rank is not None:
        rows = [tuple(item) for item in items]
        for number, row in enumerate(rows):
            if len(row) != rank:
                raise OutOfRangeError(f"{what}[{number}] has {len(row)} entries, the rank is {rank}", index=number)
        items = list(chain.from_iterable(rows))
    owner = c_array(pack(items, what))
    return Block(addressof(owner), len(owner) if rank is None else len(rows), rank or 1, 1, sizeof(owner), owner)


def answer(out: Any, dimensions: Tuple[int, ...], like: Any, what: str) -> Tuple[Any, Block]:
    """`out`, or a new array, NumPy's if `like` is; and its memory."""
    if out is None:
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(like, numpy.ndarray):
            out = numpy.empty(dimensions, "int64")
        else:
            count = 1
            for size in dimensions:
                count *= size
            flat = memoryview(bytearray(8 * count))
            # A memoryview cannot be cast to dimensions of size 0.
            out = flat.cast("q", dimensions) if count else flat.cast("q")
            if not count:
                return out, Block(0, dimensions[0], 1, 1, 0, out)
    block = read_block(out, dimensions[1] if len(dimensions) == 2 else None, what, writable=True)
    if block.rows != dimensions[0]:
        raise OutOfRangeError(f"{what} has room for {block.rows}, {dimensions[0]} are wanted")
    if len(dimensions) == 1 and block.row_step != 1 and block.rows > 1:
        raise OutOfRangeError(f"{what} must be contiguous")
    return out, block
