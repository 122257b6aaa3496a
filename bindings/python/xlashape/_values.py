# SPDX-License-Identifier: Apache-2.0
"""What a relayout does to values besides moving them: conversions, scales, the order of bits in a byte."""

from __future__ import annotations

from ctypes import addressof, c_float, c_int32
from math import isfinite
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

from . import _raw as raw
from ._call import int32, int64, number
from .errors import InvalidArgumentError
from .shape import Shape

# One for the whole array, or one for each index of a dimension.
Scale = Union[float, Iterable[float]]
ZeroPoint = Union[int, Iterable[int]]


def _float(value: Any, what: str) -> float:
    """A number that f32 does not turn into infinity or zero."""
    if isinstance(value, str) or not hasattr(value, "__float__") or getattr(value, "shape", ()) != ():
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    try:
        exact = float(value)
    except OverflowError:
        raise OverflowError(f"{what} is an integer that does not fit f32") from None
    rounded = c_float(exact).value
    if isfinite(exact) and (not isfinite(rounded) or (rounded == 0) != (exact == 0)):
        raise InvalidArgumentError(f"{what} is {exact}, which is beyond the numbers of f32")
    return exact


def _one_or_many(given: Any, checked: Callable[[Any, str], Any], what: str) -> Any:
    """checked(given, what), or a tuple of that for each entry; None for None."""
    if given is None:
        return None
    try:
        items = tuple(given)
    except TypeError:  # one number, or nothing of the kind
        return checked(given, what)
    return tuple(checked(item, f"{what}[{place}]") for place, item in enumerate(items))


def kept_scale(scale: Optional[Scale]) -> Union[None, float, Tuple[float, ...]]:
    """One that does not change, and can be pickled."""
    kept: Union[None, float, Tuple[float, ...]] = _one_or_many(scale, _float, "scale")
    return kept


def kept_zero_point(zero_point: Optional[ZeroPoint]) -> Union[None, int, Tuple[int, ...]]:
    """The same of a zero point."""
    kept: Union[None, int, Tuple[int, ...]] = _one_or_many(zero_point, int32, "zero_point")
    return kept


def put_values(
    options: raw.relayout_options,
    dimensions: Sequence[int],
    convert: bool,
    saturate: bool,
    scale: Optional[Scale],
    zero_point: Optional[ZeroPoint],
    scale_dimension: Optional[int],
    src_high_first: bool,
    dst_high_first: bool,
) -> None:
    """Into `options`, which keep the memory that they refer to. `dimensions`: the source's."""
    for name, given in (("saturate", saturate), ("scale", scale is not None)):
        if given and not convert:
            raise InvalidArgumentError(f"{name} is about values that are converted: pass convert=True")
    options.flags |= raw.PLAN_CONVERT if convert else 0
    options.flags |= raw.PLAN_SATURATE if saturate else 0
    options.flags |= raw.PLAN_SRC_HIGH_FIRST if src_high_first else 0
    options.flags |= raw.PLAN_DST_HIGH_FIRST if dst_high_first else 0
    if scale_dimension is not None:
        scale_dimension = int64(scale_dimension, "scale_dimension")
    if scale is None:
        for name, other in (("zero_point", zero_point), ("scale_dimension", scale_dimension)):
            if other is not None:
                raise InvalidArgumentError(f"{name} is given, and scale is not")
        return
    scales: Any = kept_scale(scale)
    zero_points: Any = kept_zero_point(zero_point)
    if scale_dimension is not None:
        scale_dimension = number(raw.dimension_number, len(dimensions), scale_dimension)
    count = 1
    for name, values in (("scale", scales), ("zero_point", zero_points)):
        if not isinstance(values, tuple):
            continue
        if scale_dimension is None:
            raise InvalidArgumentError(
                f"{name} has {len(values)} values: scale_dimension must say whose indices have one each"
            )
        count = dimensions[scale_dimension]
        if len(values) != count:
            raise InvalidArgumentError(
                f"{name} has {len(values)} values, the source has size {count} in dimension {scale_dimension}"
            )
    if count == 0:  # no elements
        return
    options.scale_count, options.scale_dimension = count, scale_dimension or 0
    arrays: List[Any] = [(c_float * count)(*(scales if isinstance(scales, tuple) else (scales,) * count))]
    options.scale = addressof(arrays[0])
    if zero_points is not None:
        arrays.append((c_int32 * count)(*(zero_points if isinstance(zero_points, tuple) else (zero_points,) * count)))
        options.zero_point = addressof(arrays[1])
    options._arrays = arrays


def only_moves(options: raw.relayout_options) -> bool:
    """Whether elements of one type keep their bits."""
    return not options.scale_count and not options.flags & (raw.PLAN_SRC_HIGH_FIRST | raw.PLAN_DST_HIGH_FIRST)


def types_wanted(source: Shape, destination: Shape, convert: bool) -> None:
    """That they are the same, or are to be converted. What is no array is left to C."""
    a, b = source.element_type, destination.element_type
    if a != b and not convert and a.is_array_type and b.is_array_type:
        raise InvalidArgumentError(
            f"the source has element type {a}, the destination {b}: pass convert=True to convert the values"
        )
