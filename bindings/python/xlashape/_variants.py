"""The same array with something changed: the part of Shape that gives a shape with another part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import _raw as raw
from ._call import ShapeHandle, int64, uint32
from .element_type import ElementType
from .enums import Part
from .layout import Layout, _layout
from .target import Target, _target

if TYPE_CHECKING:
    from .shape import Shape


class Variants:
    __slots__ = ()
    _handle: ShapeHandle

    def _result(self, function: Any, *arguments: Any) -> Shape:
        from .shape import Shape

        return Shape._make(function, self._handle, *arguments)

    def with_layout(self, layout: Union[str, Layout, None]) -> Shape:
        """None takes it away; "row" and "col" are the row- and the column-major one."""
        handle = None if layout is None else _layout(layout, raw.shape_rank(self._handle))._handle
        return self._result(raw.shape_with_layout, handle)

    def with_element_type(self, element_type: Any) -> Shape:
        """Every array inside with that element type."""
        return self._result(raw.shape_with_element_type, ElementType.of(element_type))

    def with_dimension(self, dimension: int, size: int, *, dynamic: Optional[bool] = None) -> Shape:
        """With another size of one dimension. `dynamic`: whether the size is only a bound; by default where it is UNBOUNDED,
        which cannot be static.
        """
        numbers = (int64(dimension, "dimension"), int64(size, "size"))
        is_dynamic = numbers[1] == raw.DIMENSION_UNBOUNDED if dynamic is None else bool(dynamic)
        return self._result(raw.shape_with_dimension, *numbers, is_dynamic)

    def with_packed_elements(self) -> Shape:
        """E(n) set for types of less than a byte."""
        return self._result(raw.shape_with_packed_elements)

    def with_default_layouts(self) -> Shape:
        """Row-major order for every array inside, all else of its layout as it was."""
        return self._result(raw.shape_with_default_layouts)

    def for_target(self, target: Union[str, Target], *, keep_order: bool = False) -> Shape:
        """Every array inside with the layout that the target's compiler chooses for it, whatever layout it had; with
        keep_order an array that has a layout keeps its order, and only the tiles are chosen. Tokens and opaques in a
        tuple stay; alone they are UnsupportedError. If an array of a tuple has no such layout, the error's `index` is
        its number among the arrays."""
        flags = raw.TARGET_KEEP_ORDER if keep_order else 0
        return self._result(raw.shape_for_target, _target(target)._number, flags)

    def without_parts(self, parts: Part) -> Shape:
        """Those parts of the layout unset in every array inside."""
        return self._result(raw.shape_without_parts, uint32(parts, "parts"))

    def has_parts(self, parts: Part) -> bool:
        """Any array inside sets any of them."""
        return bool(raw.shape_has_parts(self._handle, uint32(parts, "parts")))

    def to_static(self) -> Shape:
        """Bounds as static sizes everywhere inside."""
        return self._result(raw.shape_to_static)
