"""What is inside of a shape: the part of Shape that deals with tuples."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Iterable, Iterator, Tuple, Union, overload

from . import _raw as raw
from ._call import ShapeHandle, pack
from .enums import Category
from .errors import NotFoundError

if TYPE_CHECKING:
    from .shape import Shape


class Nesting:
    __slots__ = ()
    _handle: ShapeHandle

    @property
    def elements(self) -> Tuple[Shape, ...]:
        """Of a tuple; of a buffer its array; of others none."""
        return tuple(self._element(index) for index in range(raw.shape_tuple_element_count(self._handle)))

    def _element(self, index: int) -> Shape:
        from .shape import Shape

        return Shape._make(raw.shape_tuple_element, self._handle, index)

    # A tuple is a sequence of its elements. An array is none: its dimensions are, and not everybody means those.

    def _of_tuple(self) -> Tuple[Shape, ...]:
        if raw.shape_category(self._handle) != Category.TUPLE:
            raise TypeError(f"{self} is no tuple, and so has no elements; an array has .dimensions")
        return self.elements

    def __len__(self) -> int:
        """Of a tuple: the number of its elements."""
        return len(self._of_tuple())

    def __bool__(self) -> bool:
        """True: an empty tuple is a shape as any other."""
        return True

    def __iter__(self) -> Iterator[Shape]:
        """Of a tuple: its elements."""
        return iter(self._of_tuple())

    @overload
    def __getitem__(self, index: int) -> Shape: ...

    @overload
    def __getitem__(self, index: slice) -> Tuple[Shape, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Shape, Tuple[Shape, ...]]:
        """Of a tuple: an element, -1 the last one, or several."""
        return self._of_tuple()[index]

    @property
    def leaf_count(self) -> int:
        """How many shapes inside are no tuples."""
        return int(raw.shape_leaf_count(self._handle))

    def subshape(self, path: Iterable[int]) -> Shape:
        """The shape at a path into nested tuples; the empty path is the shape itself."""
        from .shape import Shape

        steps = pack(path, "path")
        return Shape._make(raw.shape_subshape, self._handle, steps, len(steps) // 8)

    def subshapes(self, *, leaves: bool = False) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        """(path, shape) of all shapes inside, outer before inner; `leaves`: only those that are no tuples."""
        return self._visit(raw.VISIT_LEAVES if leaves else 0)

    def missing_layouts(self) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        """(path, shape) of the arrays, and buffers of arrays, inside that have no layout."""
        return self._visit(raw.VISIT_MISSING_LAYOUTS)

    def _visit(self, flags: int) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        from .shape import Shape

        path, length = (ctypes.c_int64 * raw.MAX_DEPTH)(), ctypes.c_int64(-1)
        while True:
            try:
                shape = Shape._make(
                    lambda found, err: raw.shape_next_subshape(
                        self._handle, flags, path, raw.MAX_DEPTH, length, found, err
                    )
                )
            except NotFoundError:
                return
            yield tuple(path[: length.value]), shape

    def flatten(self) -> Shape:
        """One tuple of all leaves in order."""
        from .shape import Shape

        return Shape._make(raw.shape_flatten_tuple, self._handle)
