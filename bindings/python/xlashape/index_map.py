"""Multidimensional index <-> position in memory, one at a time and in batches."""

from __future__ import annotations

from ctypes import c_int32, c_int64
from typing import Any, Iterable, Optional, Tuple, Union

from . import _raw as raw
from ._call import Closable, IndexMapHandle, call, done, failure, int64, make, pack, record
from ._int64 import Block, answer, read_block
from .errors import OutOfRangeError
from .runtime import Runtime, handle_of
from .shape import Shape, _shape


class IndexMap(Closable[IndexMapHandle]):
    """Where the elements of a shape lie: exact for every layout. Positions count elements from the start of storage.
    An index counts from 0 in each dimension; a negative one is OutOfRangeError, and never counts from the end. Any
    thread may use it. It can be copied, and pickled: by its shape."""

    _noun = "index map"

    def __init__(self, shape: Union[str, Shape]) -> None:
        """Of an array's shape that has a layout and no `?`."""
        self._shape = _shape(shape)
        self._handle = make(IndexMapHandle, raw.index_map_create, self._shape._handle)
        self._index = c_int64 * self.rank

    def __reduce__(self) -> Tuple[Any, ...]:
        self._open()
        return type(self), (self._shape,)

    def __repr__(self) -> str:
        return f"<xlashape.IndexMap {'closed' if self._handle is None else self._shape}>"

    @property
    def shape(self) -> Shape:
        """What it is the map of."""
        return self._shape

    @property
    def rank(self) -> int:
        """Number of dimensions, and so of entries of an index."""
        return int(raw.index_map_rank(self._open()))

    @property
    def storage_elements(self) -> int:
        """Positions run from 0 to this, exclusive."""
        return int(raw.index_map_storage_elements(self._open()))

    def linear_index(self, index: Iterable[int]) -> int:
        """Position of the element at `index`."""
        packed = pack(index, "index")
        out = c_int64()
        err = record()
        if raw.index_map_linear_index(self._open(), packed, len(packed) // 8, out, err):
            raise failure(err)
        done(err)
        return out.value

    def multidimensional_index(self, linear: int) -> Optional[Tuple[int, ...]]:
        """The index of the element at position `linear`; None where the position holds padding."""
        out: Any = self._index()
        padding = c_int32()
        position = int64(linear, "linear")
        err = record()
        if raw.index_map_multidimensional_index(self._open(), position, out, len(out), padding, err):
            raise failure(err)
        done(err)
        return None if padding.value else tuple(out)

    def linear_indices(
        self, indices: Any, *, out: Any = None, mark_bad: bool = False, runtime: Optional[Runtime] = None
    ) -> Any:
        """Positions of many elements. `indices`: count x rank, an int64 array (strided ones too) or a sequence of
        indices. Gives an int64 NumPy array for one, else a memoryview of int64; or fills `out`. A bad index is
        OutOfRangeError with its number in `index`; with mark_bad its position is -1."""
        handle, rank = self._open(), self.rank
        given = read_block(indices, rank, "indices")
        result, memory = answer(out, (given.rows,), indices, "out")
        flags = raw.INDEX_MARK_BAD if mark_bad else 0
        call(
            *(raw.index_map_linear_indices, handle_of(runtime), handle),
            *(given.rows, given.address, given.row_step, given.column_step),
            *(memory.address, flags, None),
        )
        return result

    def multidimensional_indices(
        self, linear: Any, *, out: Any = None, mark_bad: bool = False, runtime: Optional[Runtime] = None
    ) -> Any:
        """Indices of many positions: count x rank. `linear`: an int64 array or a sequence; the answer as that of
        linear_indices. Padding is OutOfRangeError with the entry's number in `index`; with mark_bad it gives -1s."""
        handle, rank = self._open(), self.rank
        given: Block = read_block(linear, None, "linear")
        if given.row_step != 1 and given.rows > 1:
            raise OutOfRangeError("linear must be contiguous")
        result, memory = answer(out, (given.rows, rank), linear, "out")
        flags = raw.INDEX_MARK_BAD if mark_bad else 0
        call(
            *(raw.index_map_multidimensional_indices, handle_of(runtime), handle),
            *(given.rows, given.address),
            *(memory.address, memory.row_step, memory.column_step, flags, None),
        )
        return result
