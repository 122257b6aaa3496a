"""What becomes of a shape, and of its memory, when it is transposed or reshaped: the part of Shape that deals with two
shapes at once."""

from __future__ import annotations

from ctypes import c_int32, c_int64
from typing import TYPE_CHECKING, Iterable, NamedTuple, Optional, Tuple, Union

from . import _raw as raw
from ._call import LayoutHandle, ShapeHandle, call, done, failure, int64, make, numbers, pack, record, uint32
from ._variants import Variants
from .enums import Bitcast, BitcastKind
from .errors import InvalidArgumentError, NotFoundError
from .layout import Layout

if TYPE_CHECKING:
    from .shape import Shape


class BitcastParts(NamedTuple):
    """An array transposed by `transpose1` is `reshape_from`, that reshaped is `reshape_to`, that transposed by
    `transpose2` is the other array; no part moves anything. All parts are set whatever the kind is."""

    kind: BitcastKind
    transpose1: Tuple[int, ...]
    reshape_from: "Shape"
    reshape_to: "Shape"
    transpose2: Tuple[int, ...]


class Reshaping(Variants):
    __slots__ = ()

    def permute_dimensions(self, permutation: Iterable[int], *, keep_layout: bool = False) -> Shape:
        """new.dimensions[i] = dimensions[permutation[i]], in the same memory; with keep_layout the order in memory
        stays, so that the memory changes."""
        order = pack(permutation, "permutation")
        flags = raw.PERMUTE_KEEP_LAYOUT if keep_layout else 0
        return self._result(raw.shape_permute_dimensions, order, len(order) // 8, flags)

    def insert_dimensions(self, at: int, sizes: Iterable[int], *, most_major: bool = False) -> Shape:
        """New dimensions before dimension `at`."""
        new = pack(sizes, "sizes")
        flags = raw.INSERT_MOST_MAJOR if most_major else 0
        return self._result(raw.shape_insert_dimensions, int64(at, "at"), new, len(new) // 8, flags)

    def delete_dimensions(self, dimensions: Iterable[int]) -> Shape:
        """Without those dimensions; the others keep their order in memory. UnsupportedError where a tile covers one of
        them, except sizes of 1 whose removal moves no element."""
        gone = pack(dimensions, "dimensions")
        return self._result(raw.shape_delete_dimensions, gone, len(gone) // 8)

    def drop_degenerate_dimensions(self) -> Shape:
        """Without the dimensions of size 1, in the same memory."""
        return self._result(raw.shape_drop_degenerate_dimensions)

    def to_physical_order(self) -> Shape:
        """The same memory with dimensions permuted so that its layout is row-major."""
        return self._result(raw.shape_to_physical_order)

    def reshape_is_bitcast(self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT) -> bool:
        """Reshaping to `other` (elements in row-major order) moves nothing."""
        return bool(raw.shape_reshape_is_bitcast(self._handle, _handle(other), uint32(flags, "flags")))

    def transpose_is_bitcast(
        self, other: Union[str, Shape], permutation: Iterable[int], flags: Bitcast = Bitcast.EXACT
    ) -> bool:
        """Transposing to `other`, other.dimensions[i] = dimensions[permutation[i]], moves nothing."""
        order = pack(permutation, "permutation")
        mask = uint32(flags, "flags")
        return bool(raw.shape_transpose_is_bitcast(self._handle, _handle(other), order, len(order) // 8, mask))

    def deduce_transpose(self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT) -> Optional[Tuple[int, ...]]:
        """The permutation that makes the transpose to `other` a bitcast; None where there is none."""
        mask = uint32(flags, "flags")
        try:
            return numbers(raw.shape_deduce_transpose, self._handle, _handle(other), mask)
        except NotFoundError:
            return None

    def decompose_bitcast(
        self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT
    ) -> Optional[BitcastParts]:
        """This array's memory seen as `other`, in parts that are bitcasts each; None where there is no such way. XLA's
        own answer, which asks for equal numbers of elements only: Bitcast.XLA | Bitcast.IGNORE_ELEMENT_TYPE."""
        from .shape import Shape

        other_handle = _handle(other)
        first = (c_int64 * raw.shape_rank(self._handle))()
        last = (c_int64 * raw.shape_rank(other_handle))()
        kind, needed = c_int32(), (c_int64(), c_int64())
        source, target = ShapeHandle(), ShapeHandle()
        try:
            call(
                *(raw.shape_decompose_bitcast, self._handle, other_handle, uint32(flags, "flags"), kind, first, len(first), needed[0]),
                *(source, target, last, len(last), needed[1]),
            )
        except NotFoundError:
            return None
        return BitcastParts(
            BitcastKind(kind.value), tuple(first), Shape._of(source), Shape._of(target), tuple(last)
        )

    def align_layouts(self, dimensions: Iterable[int], flags: Bitcast = Bitcast.EXACT) -> Optional[Layout]:
        """A layout for `dimensions` that makes the reshape to them a bitcast; None where there is none."""
        sizes, mask = pack(dimensions, "dimensions"), uint32(flags, "flags")
        try:
            handle = make(LayoutHandle, raw.shape_align_layouts, self._handle, sizes, len(sizes) // 8, mask)
        except NotFoundError:
            return None
        return Layout._of(handle)

    def inserted_or_deleted_ones(self, other: Union[str, Shape]) -> Optional[Tuple[Tuple[int, ...], Tuple[int, ...]]]:
        """(dimensions of size 1 that go, those of `other` that come) when the reshape does nothing else, or None."""
        other_handle = _handle(other)
        gone = (c_int64 * max(1, raw.shape_rank(self._handle)))()
        new = (c_int64 * max(1, raw.shape_rank(other_handle)))()
        gone_count, new_count = c_int64(), c_int64()
        err = record()
        function = raw.shape_inserted_or_deleted_ones
        if function(self._handle, other_handle, gone, len(gone), gone_count, new, len(new), new_count, err):
            error = failure(err)
            if isinstance(error, NotFoundError):
                return None
            raise error
        done(err)
        return tuple(gone[: gone_count.value]), tuple(new[: new_count.value])


def normalized_transpose(
    dimensions: Iterable[int], permutation: Iterable[int]
) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
    """A transpose with dimensions of size 1 dropped and those that stay together merged: (sizes of the result, its
    permutation)."""
    sizes, order = pack(dimensions, "dimensions"), pack(permutation, "permutation")
    if len(sizes) != len(order):
        raise InvalidArgumentError(f"a permutation of {len(order) // 8} for {len(sizes) // 8} dimensions")
    capacity = len(sizes) // 8 + 1
    out_sizes, out_order, needed = (c_int64 * capacity)(), (c_int64 * capacity)(), c_int64()
    call(raw.normalized_transpose, sizes, order, capacity - 1, out_sizes, out_order, capacity, needed)
    return tuple(out_sizes[: needed.value]), tuple(out_order[: needed.value])


def _handle(other: Union[str, Shape]) -> ShapeHandle:
    from .shape import _shape

    return _shape(other)._handle
