"""The shape of an array of any package: by what it says of itself, without its memory where that is enough."""

from __future__ import annotations

from typing import Any, Optional, Tuple

from ._call import int64
from ._memory import Memory, memory_of
from .element_type import ElementType
from .errors import UnsupportedError
from .layout import Layout
from .shape import Shape

Strides = Optional[Tuple[int, ...]]


def said_by(memory: Memory, what: str) -> Tuple[Shape, Strides]:
    """What memory says of itself: a shape, and the byte strides where the shape's row-major layout is not theirs."""
    if memory.packed_shape is not None:
        return memory.packed_shape, None
    if memory.element_type is None:
        raise UnsupportedError(f"{what} is of {memory.dtype}, which is no element type; say its shape instead")
    shape = Shape.array(memory.element_type, memory.dimensions)
    return shape, None if memory.contiguous else memory.byte_strides


def shape_of(array: Any) -> Shape:
    """Shape.of"""
    sizes, dtype = getattr(array, "shape", None), getattr(array, "dtype", None)
    if isinstance(sizes, Shape):  # an Array
        return sizes
    if sizes is not None and dtype is not None:
        memory: Optional[Memory] = _described(array, _dimensions(sizes), ElementType.of(dtype))
    else:
        memory = memory_of(array)
    if memory is None:
        raise TypeError(f"an array is wanted, not {type(array).__name__}")
    shape, _ = said_by(memory, "the array")
    if memory.packed_shape is not None:
        return shape
    # By the library's rules also where the strides move nothing: those of dimensions of size 1 order these dimensions.
    return shape.with_layout(Layout.from_byte_strides(shape.element_type, shape.dimensions, memory.byte_strides))


def _dimensions(sizes: Any) -> Tuple[int, ...]:
    try:
        items = tuple(sizes)
    except TypeError:
        raise TypeError(f"the array's shape must be a sequence of integers, not {type(sizes).__name__}") from None
    return tuple(int64(size, f"dimension {place} of the array's shape") for place, size in enumerate(items))


def _described(array: Any, dimensions: Tuple[int, ...], kind: ElementType) -> Memory:
    """As if it lay at address 0. Strides are NumPy's, in bytes, or PyTorch's, in elements; without any: row-major."""
    itemsize = kind.storage_bits // 8
    strides = getattr(array, "strides", None)
    if strides is None and callable(getattr(array, "stride", None)):
        strides = [step * itemsize for step in array.stride()]
    return Memory(0, itemsize, dimensions, strides, kind, kind.text, True, None)
