# SPDX-License-Identifier: Apache-2.0
"""What a call gives, without moving anything: for tensors that have no memory, and sizes that are symbols."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

import torch

from xlashape import ElementType, Layout, Shape, XlashapeError

# Every dtype that XLA has a type for, and its name there.
DTYPES = {
    torch.float32: "f32",
    torch.bfloat16: "bf16",
    torch.float16: "f16",
    torch.float64: "f64",
    torch.uint8: "u8",
    torch.int8: "s8",
    torch.int16: "s16",
    torch.int32: "s32",
    torch.int64: "s64",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
    torch.bool: "pred",
    torch.complex64: "c64",
    torch.complex128: "c128",
    torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fn: "f8e4m3fn",
    torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.float8_e4m3fnuz: "f8e4m3fnuz",
    torch.float8_e8m0fnu: "f8e8m0fnu",
}
_NAMES = {name: dtype for dtype, name in DTYPES.items()}
_UNSIGNED = {8: torch.uint8, 16: torch.uint16, 32: torch.uint32, 64: torch.uint64}

Sizes = Tuple[Any, ...]  # of numbers, or symbols


class Refused(RuntimeError):
    """A call that the kernels refuse, too."""


class Facts(NamedTuple):
    """What decides how an array is passed as a tensor."""

    element_type: ElementType
    dimensions: Tuple[int, ...]
    positions: int
    nbytes: int
    whole: bool
    row_major: bool


def is_layout(text: str) -> bool:
    """Whether it is a layout's text, not a shape's."""
    return text.lstrip().startswith("{")


def _is_row_major(layout: Layout) -> bool:
    rank = len(layout.minor_to_major)
    plain = not (layout.tiles or layout.padded_dimensions or layout.splits)
    in_order = layout.minor_to_major == tuple(reversed(range(rank)))
    return plain and in_order and layout.tail_padding_alignment_in_elements <= 1


def row_major_text(rank: int) -> str:
    """The layout of a contiguous tensor."""
    return "{" + ",".join(str(i) for i in reversed(range(rank))) + "}"


@lru_cache(1024)
def facts_of(shape: Shape) -> Facts:
    """The same that the kernels find out."""
    if not shape.is_array:
        raise Refused(f"{shape} is no array")
    sizes, element_type = shape.sizes, shape.element_type
    whole = sizes.element_bits == element_type.storage_bits
    row_major = whole and (shape.layout is None or _is_row_major(shape.layout))
    return Facts(element_type, shape.dimensions, sizes.storage_elements, sizes.bytes, whole, row_major)


@lru_cache(1024)
def both_shapes(dimensions: Tuple[int, ...], dtype: torch.dtype, to: str, of: Optional[str]) -> Tuple[Shape, Shape]:
    """The array that comes in and the one that comes out, of a call with such a tensor."""
    if of is not None:
        source = Shape(of)
        return source, source.with_layout(Layout(to)) if is_layout(to) else Shape(to)
    if is_layout(to):
        source = Shape.array(_element_type(dtype), dimensions)
        return source, source.with_layout(Layout(to))
    result = Shape(to)
    return Shape.array(result.element_type, dimensions), result


def _element_type(dtype: torch.dtype) -> ElementType:
    name = DTYPES.get(dtype)
    if name is None:
        raise Refused(f"XLA has no element type for {dtype}")
    return ElementType.of(name)


def _below_a_byte(element_type: ElementType) -> bool:
    return element_type.bits < 8 and str(element_type) != "pred"


def _dtype_of(element_type: ElementType) -> torch.dtype:
    if _below_a_byte(element_type):
        return torch.int8 if str(element_type).startswith("s") else torch.uint8
    return _NAMES.get(str(element_type)) or _UNSIGNED[element_type.storage_bits]


def _may_hold(dtype: torch.dtype, facts: Facts) -> bool:
    wanted = facts.element_type
    if not facts.whole:
        return bool(dtype == torch.uint8)
    if _element_type(dtype) == wanted:
        return True
    bits = wanted.storage_bits
    return bool(dtype == _UNSIGNED.get(bits) or (dtype == torch.int8 and _below_a_byte(wanted)))


@lru_cache(1024)
def _result(dimensions: Tuple[int, ...], dtype: torch.dtype, to: str, of: Optional[str]) -> Tuple[Sizes, torch.dtype]:
    source, result = both_shapes(dimensions, dtype, to, of)
    before, after = facts_of(source), facts_of(result)
    if before.element_type != after.element_type or before.dimensions != after.dimensions:
        raise Refused(f"{source} and {result} are not the same array")
    if not _may_hold(dtype, before):
        raise Refused(f"a tensor of {dtype} does not hold {source}")
    memory = (before.positions if before.whole else before.nbytes,)
    if of is not None and dimensions != memory and not (before.row_major and dimensions == before.dimensions):
        raise Refused(f"the memory of {source} has the dimensions {memory}, the tensor has {dimensions}")
    return _as_tensor(after, before.whole, dtype)


def _as_tensor(after: Facts, from_whole: bool, dtype: torch.dtype) -> Tuple[Sizes, torch.dtype]:
    if not after.whole:
        return (after.nbytes,), torch.uint8
    dtype = dtype if from_whole else _dtype_of(after.element_type)
    return after.dimensions if after.row_major else (after.positions,), dtype


def positions_of(layout: Layout, dimensions: Sequence[Any]) -> Any:
    """Elements in memory, padding counted, for sizes that may be symbols; None for layouts that need numbers."""
    if layout.padded_dimensions or layout.splits or any(size < 0 for tile in layout.tiles for size in tile):
        return None
    physical = [dimensions[i] for i in reversed(layout.minor_to_major)]
    for tile in layout.tiles:
        physical = [1] * (len(tile) - len(physical)) + physical
        first = len(physical) - len(tile)
        counts = [(size + width - 1) // width for size, width in zip(physical[first:], tile)]
        physical = physical[:first] + counts + list(tile)
    positions: Any = 1
    for size in physical:
        positions = positions * size
    tail = layout.tail_padding_alignment_in_elements
    return positions if tail <= 1 else (positions + tail - 1) // tail * tail


def _symbolic(dimensions: Sizes, dtype: torch.dtype, to: str) -> Optional[Tuple[Sizes, torch.dtype]]:
    """For a layout without sizes; None where numbers are needed."""
    layout, element_type = Layout(to), _element_type(dtype)
    if len(layout.minor_to_major) != len(dimensions):
        return None
    bits = layout.element_size_in_bits or element_type.storage_bits
    if bits != element_type.storage_bits:
        return None
    if _is_row_major(layout):
        return dimensions, dtype
    positions = positions_of(layout, dimensions)
    return None if positions is None else ((positions,), dtype)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:200] + "...")


def result_of(dimensions: Sequence[Union[int, torch.SymInt]], dtype: torch.dtype, to: str, of: Optional[str]) -> Any:
    """(dimensions, dtype) of what a call gives. Symbols become numbers, with guards, where a text has sizes."""
    sizes: Sizes = tuple(dimensions)
    try:
        if of is None and is_layout(to) and any(not isinstance(size, int) for size in sizes):
            found = _symbolic(sizes, dtype, to)
            if found is not None:
                return found
        return _result(tuple(int(size) for size in sizes), dtype, to, of)
    except (Refused, XlashapeError) as error:  # as the kernels say it
        tensor = f"{str(dtype)[len('torch.'):]}[{','.join(str(size) for size in sizes)}]"
        texts = f"to {_quoted(to)}" if of is None else f"of {_quoted(of)} to {_quoted(to)}"
        raise Refused(f"xlashape::relayout of a tensor {tensor} {texts}: {error}") from None
