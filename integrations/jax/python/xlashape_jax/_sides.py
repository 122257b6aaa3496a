# SPDX-License-Identifier: Apache-2.0
"""What the arrays on both sides of a relayout look like to JAX.

An array of JAX has no layout that a program could see. So a side whose layout is row-major, without tiles and padding,
is an array of its dimensions, and any other is its memory: a one-dimensional array with an element for each position.

In the memory of XLA's CPU elements of 4 and 2 bits are packed, the first one in the low bits of a byte; everything
else, bool among it, takes whole bytes. Shapes that go to XLA say so by E(4) and E(2). JAX's arrays do not show it. """

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Optional, Tuple, Union

from xlashape import Category, ElementType, InvalidArgumentError, Layout, PaddingValue, Plan, Shape, UnsupportedError

Dimensions = Tuple[int, ...]

# What jaxlib's CPU packs. int1 and uint1 would be bool there, and six bits are nothing that it knows.
_PACKED = {
    ElementType.S4: 4,
    ElementType.U4: 4,
    ElementType.F4E2M1FN: 4,
    ElementType.S2: 2,
    ElementType.U2: 2,
}
_REFUSED = (ElementType.S1, ElementType.U1, ElementType.F6E3M2FN, ElementType.F6E2M3FN)


class Side(NamedTuple):
    """One side of a relayout, made from the text of its shape."""

    dimensions: Dimensions  # of the array that JAX sees
    storage: int  # positions in memory
    bits: int  # of each of them


@lru_cache(maxsize=4096)
def side_of(text: str) -> Side:
    """For a text that `request` returned, or `without_fill`."""
    shape = Shape(text)
    sizes = shape.sizes
    dimensions = shape.dimensions if is_plain(shape) else (sizes.storage_elements,)
    return Side(dimensions, sizes.storage_elements, sizes.element_bits)


def is_plain(shape: Shape) -> bool:
    """Whether JAX sees the array itself, by what the layout says; not whether its tiles or its order matter."""
    layout = shape.layout
    if layout is None:
        return True
    return (
        layout.minor_to_major in ((), tuple(range(shape.rank - 1, -1, -1)))  # without an order it is row-major
        and not layout.tiles
        and layout.padded_dimensions is None
        and layout.tail_padding_alignment_in_elements <= 1
    )


def element_type_of(dtype: Any) -> ElementType:
    """TypeError for a dtype that arrays of JAX's CPU have not, or that are no numbers: keys, float0."""
    try:
        element_type = ElementType.of(dtype)
    except (LookupError, TypeError, ValueError):
        raise TypeError(f"x has the dtype {dtype}, which is no element type of XLA's") from None
    if element_type in _REFUSED:
        raise TypeError(f"x has the dtype {dtype}, of which jaxlib's CPU has no arrays")
    return element_type


def _in_memory(shape: Shape, what: str) -> Shape:
    """The shape with the width that its elements have in XLA's memory."""
    if shape.category != Category.ARRAY:
        raise InvalidArgumentError(f"{what} is {shape}; it must be an array")
    if shape.is_dynamic:
        raise UnsupportedError(f"{what} is {shape}; arrays of JAX have no dynamic dimensions")
    bits = _PACKED.get(shape.element_type, shape.element_type.storage_bits)
    layout = shape.layout or Layout.row_major(shape.rank)
    if layout.element_size_in_bits not in (0, bits):
        raise UnsupportedError(
            f"{what} is {shape}: elements of {layout.element_size_in_bits} bits; they have {bits} in the memory of "
            "XLA's CPU"
        )
    wanted = bits if shape.element_type in _PACKED else 0
    return shape.with_layout(layout.replace(element_size_in_bits=wanted))


def _target(source: Shape, to: Union[str, Layout, Shape]) -> Shape:
    if isinstance(to, Layout) or (isinstance(to, str) and to.lstrip().startswith("{")):
        return source.with_layout(to)
    target = Shape(to)
    if target.category == Category.ARRAY and target.element_type != source.element_type:
        raise InvalidArgumentError(f"to is {target}; the elements of x are {source.element_type}")
    if target.category == Category.ARRAY and target.dimensions != source.dimensions:
        raise InvalidArgumentError(f"to is {target}; the dimensions of x are {list(source.dimensions)}")
    return target


@lru_cache(maxsize=4096)
def request(
    dtype: Any,
    dimensions: Dimensions,
    to: Union[str, Layout, Shape],
    of: Union[str, Shape, None],
    in_place: bool,
) -> Tuple[str, str]:
    """The texts of both shapes for an array of that dtype and those dimensions. Everything that is wrong is an
    exception."""
    element_type = element_type_of(dtype)
    if of is None:
        source = Shape.array(element_type, dimensions)
    else:
        source = Shape(of)
        if source.category == Category.ARRAY and source.element_type != element_type:
            raise InvalidArgumentError(f"of is {source}; the elements of x are {element_type}")
    source = _in_memory(source, "x" if of is None else "of")
    target = _in_memory(_target(source, to), "to")
    side, memory = side_of(str(source)), (source.sizes.storage_elements,)
    if dimensions not in (side.dimensions, memory):
        either = "" if side.dimensions == memory else f" or {list(side.dimensions)}"
        raise InvalidArgumentError(
            f"x has the dimensions {list(dimensions)}; of is {source}, whose memory has {list(memory)}{either}"
        )
    side_of(str(target))
    Plan(source, target, in_place=in_place).close()  # what the library refuses is refused here, not later
    return str(source), str(target)


@lru_cache(maxsize=4096)
def without_fill(text: str) -> str:
    """The same shape with padding of zeros: that of tangents and cotangents, which do not depend on any value."""
    shape = Shape(text)
    layout: Optional[Layout] = shape.layout
    if layout is None or layout.padding_value == PaddingValue.INVALID:
        return text
    return str(shape.with_layout(layout.replace(padding_value=PaddingValue.INVALID)))


def fills_with_zeros(text: str) -> bool:
    """Whether the padding of that shape is zeros, so that a relayout to it is linear."""
    layout = Shape(text).layout
    return layout is None or layout.padding_value in (PaddingValue.INVALID, PaddingValue.ZERO, PaddingValue.UNKNOWN)
