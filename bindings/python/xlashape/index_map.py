# SPDX-License-Identifier: Apache-2.0
"""Multidimensional index <-> position in memory: one at a time, in batches, and planned once for memory that Python
cannot see."""

from __future__ import annotations

from ctypes import c_int32, c_int64, sizeof
from functools import partial
from typing import Any, Dict, Iterable, Optional, Tuple, Union

from . import _raw as raw
from ._call import (
    Closable,
    IndexMapHandle,
    IndexPlanHandle,
    call,
    device_number,
    done,
    failure,
    int32,
    int64,
    make,
    name_for_c,
    pack,
    record,
    text,
    uint64,
)
from ._int64 import Block, answer, read_block
from .enums import MemorySpace, QueueKind
from .errors import OutOfRangeError
from .runtime import Runtime, handle_of, without_runtime
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
        self._last: Tuple[Any, Any] = (None, None)

    def close(self) -> None:
        super().close()
        self._last = (None, None)

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
        self, indices: Any, *, out: Any = None, mark_invalid: bool = False, runtime: Optional[Runtime] = None
    ) -> Any:
        """Positions of many elements. `indices`: count x rank, an int64 array (strided ones too) or a sequence of
        indices. Gives an int64 NumPy array for one, else a memoryview of int64; or fills `out`. An invalid index is
        OutOfRangeError with its number in `index`; with mark_invalid its position is -1."""
        given = read_block(indices, self.rank, "indices")
        result, memory = answer(out, (given.rows,), indices, "out")
        self._convert(raw.CONVERSION_TO_LINEAR, given, memory, given, mark_invalid, runtime)
        return result

    def multidimensional_indices(
        self, linear: Any, *, out: Any = None, mark_invalid: bool = False, runtime: Optional[Runtime] = None
    ) -> Any:
        """Indices of many positions: count x rank. `linear`: an int64 array or a sequence; the answer as that of
        linear_indices. Padding is OutOfRangeError with the entry's number in `index`;
        with mark_invalid it gives -1s."""
        given = read_block(linear, None, "linear")
        if given.row_step != 1 and given.rows > 1:
            raise OutOfRangeError("linear must be contiguous")
        result, memory = answer(out, (given.rows, self.rank), linear, "out")
        self._convert(raw.CONVERSION_TO_MULTIDIMENSIONAL, given, memory, memory, mark_invalid, runtime)
        return result

    def _convert(
        self, conversion: int, src: Block, dst: Block, indices: Block, mark_invalid: bool, runtime: Optional[Runtime]
    ) -> None:
        """A batch, by a plan that is made for it; `indices` is the side with the steps. The default runtime's is kept
        for the next batch: making it takes as long as a thousand conversions."""
        handle, steps = self._open(), (indices.row_step, indices.column_step)
        wanted = (conversion, steps, bool(mark_invalid))
        kept, plan = self._last  # at once, as other threads may change it
        if runtime is not None or kept != wanted:
            flags = raw.INDEX_MARK_INVALID if mark_invalid else 0
            options = raw.index_options(sizeof(raw.index_options), flags)
            options.index_step, options.dimension_step = steps
            plan = make(IndexPlanHandle, raw.index_plan_create, handle_of(runtime), handle, conversion, options)
            if runtime is None:
                self._last = wanted, plan
        call(raw.index_plan_execute, plan, src.rows, src.address, src.size, dst.address, dst.size, None)


class IndexPlan(Closable[IndexPlanHandle]):
    """Converts multidimensional indices to positions (to_linear), or positions to indices, in memory of any space:
    int64 numbers, index i's entry for dimension d at i * index_step + d * dimension_step (default: one index after the
    other).
    Arrays of Python's own are IndexMap's. Any thread may use it; executing gives up the GIL. Copies and pickles are as
    those of a Plan."""

    _noun = "plan"

    def __init__(
        self,
        map: IndexMap,
        *,
        to_linear: bool,
        mark_invalid: bool = False,
        index_step: int = 0,
        dimension_step: int = 0,
        src_space: MemorySpace = MemorySpace.DEFAULT,
        dst_space: MemorySpace = MemorySpace.DEFAULT,
        backend: Optional[str] = None,
        device: Optional[int] = None,
        allow_fallback: bool = False,
        runtime: Optional[Runtime] = None,
    ) -> None:
        """mark_invalid: invalid indices, and padding, give -1; without it the first one is an error. With a queue there
        is nothing else. The other options are a Plan's."""
        if not isinstance(map, IndexMap):
            raise TypeError(f"an IndexMap is wanted, not {type(map).__name__}")
        flags = (raw.INDEX_MARK_INVALID if mark_invalid else 0) | (raw.PLAN_ALLOW_FALLBACK if allow_fallback else 0)
        spaces = (int32(src_space, "src_space"), int32(dst_space, "dst_space"))
        options = raw.index_options(sizeof(raw.index_options), flags, *spaces, device_number(device))
        options.backend = None if backend is None else name_for_c(backend, "a backend's name")
        options.index_step = int64(index_step, "index_step")
        options.dimension_step = int64(dimension_step, "dimension_step")
        conversion = raw.CONVERSION_TO_LINEAR if to_linear else raw.CONVERSION_TO_MULTIDIMENSIONAL
        arguments = (handle_of(runtime), map._open(), conversion, options)
        self._handle = make(IndexPlanHandle, raw.index_plan_create, *arguments)
        self._of_a_runtime = runtime is not None
        self._shape = map.shape
        self._options: Dict[str, Any] = {
            "to_linear": bool(to_linear),
            "mark_invalid": bool(mark_invalid),
            "index_step": options.index_step,
            "dimension_step": options.dimension_step,
            "src_space": src_space,
            "dst_space": dst_space,
            "backend": backend,
            "device": device,
            "allow_fallback": bool(allow_fallback),
        }

    def __reduce__(self) -> Tuple[Any, ...]:
        self._open()
        without_runtime(self._of_a_runtime, self._noun)
        return partial(_again, type(self), **self._options), (self._shape,)

    @property
    def shape(self) -> Shape:
        """What its map is of."""
        return self._shape

    def execute_at(
        self,
        src: int,
        dst: int,
        count: int,
        *,
        src_bytes: int,
        dst_bytes: int,
        src_byte_offset: int = 0,
        dst_byte_offset: int = 0,
        queue_kind: QueueKind = QueueKind.NONE,
        queue: int = 0,
    ) -> int:
        """`count` indices from `src` to `dst`: addresses, or a cl_mem's number. The caller answers for them. src_bytes
        and dst_bytes: how many may be touched from there on, or UNCHECKED. Gives how many were invalid. With a queue
        the call only enqueues and gives 0, and the memory must outlast the work."""
        options = raw.execute_options(sizeof(raw.execute_options))
        options.queue = raw.queue(int32(queue_kind, "queue_kind"), 0, uint64(queue, "queue"))
        options.src_byte_offset = int64(src_byte_offset, "src_byte_offset")
        options.dst_byte_offset = int64(dst_byte_offset, "dst_byte_offset")
        invalid = c_int64()
        counted = invalid if queue_kind == QueueKind.NONE else None
        options.src, options.src_bytes = uint64(src, "src"), int64(src_bytes, "src_bytes")
        options.dst, options.dst_bytes = uint64(dst, "dst"), int64(dst_bytes, "dst_bytes")
        call(raw.index_plan_execute_with, self._open(), int64(count, "count"), options, counted)
        return invalid.value

    @property
    def backend(self) -> str:
        """Name of the backend that runs it."""
        return str(raw.index_plan_backend(self._open()).decode())

    def describe(self) -> str:
        """One line: backend, kernel. For people; not stable."""
        return text(raw.index_plan_describe, self._open())

    def __repr__(self) -> str:
        return "<xlashape.IndexPlan closed>" if self._handle is None else f"<xlashape.IndexPlan {self.describe()}>"


def _again(kind: Any, shape: Shape, **options: Any) -> Any:
    """From a pickle."""
    return kind(IndexMap(shape), **options)
