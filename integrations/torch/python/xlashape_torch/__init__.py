# SPDX-License-Identifier: Apache-2.0
"""xlashape's relayouts as operators of PyTorch: torch.ops.xlashape.relayout, for tensors in the CPU's memory.

    from xlashape_torch import relayout

    tiled = relayout(x, "{1,0:T(8,128)}")  # its memory, one-dimensional
    back = relayout(tiled, "{1,0}", of="f32[1000,3]{1,0:T(8,128)}")

They have gradients, work under torch.compile, torch.export and torch.vmap, and take tensors with any strides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Optional, Union

import torch
from torch._C import _are_functorch_transforms_active as transforms_active

from xlashape import Layout, Shape

from . import _library

_library.load()

from . import _rules  # noqa: E402
from ._results import row_major_text  # noqa: E402
from ._rules import needs_rule  # noqa: E402

_rules.register()

__all__ = ["pack", "relayout", "relayout_", "unpack"]

_relayout = torch.ops.xlashape.relayout.default


def relayout(
    x: torch.Tensor, to: Union[str, Layout, Shape], *, of: Optional[Union[str, Shape]] = None
) -> torch.Tensor:
    """The array in the layout `to`: "{0,1:T(2,2)}", a Layout, or a shape of the same dimensions and element type.

    x: a tensor with any strides, whose dtype is the element type, or, if `to` or `of` is a shape, an unsigned integer
    of its width; int8 or uint8 for types of less than a byte. If `of` is given, x is the memory of that shape:
    one-dimensional, an element for each position, padding counted.

    A result that is row-major without padding or tiles has its dimensions; any other is its memory, one-dimensional.
    Both are new tensors with x's dtype. Where a layout's E(n) is not the size of the type, that memory is bytes
    (uint8), on both sides. RuntimeError, which names tensor and texts, for what is not possible.
    """
    return _call(x, _text(to), None if of is None else _text(of))


def relayout_(
    x: torch.Tensor, to: Union[str, Layout, Shape], *, of: Optional[Union[str, Shape]] = None
) -> torch.Tensor:
    """The same within the memory of x, with little memory beside it. Returns x: its memory is then that of `to`, its
    dimensions are what they were. There are no gradients and no vmap. RuntimeError, with the reason, where it is not
    possible: where a layout has padding, or x is not contiguous.
    """
    torch.ops.xlashape.relayout_(x, _text(to), None if of is None else _text(of))
    return x


def pack(values: torch.Tensor, to: Union[str, Shape]) -> torch.Tensor:
    """Numbers of less than a byte, given in a byte each, as bytes (uint8) in the layout of the shape `to`:
    "s4[64,256]{1,0:T(64,128)(8,1)E(4)}". Of each byte only the lowest bits are taken."""
    text = _text(to)
    _packed(text)
    return _call(values, text, None)


def unpack(memory: torch.Tensor, of: Union[str, Shape]) -> torch.Tensor:
    """The way back from such bytes: a tensor with the shape's dimensions, of int8 for signed types, else of uint8."""
    text = _text(of)
    return _call(memory, row_major_text(_packed(text)), text)


def _call(x: torch.Tensor, to: str, of: Optional[str]) -> torch.Tensor:
    if torch.compiler.is_compiling() or not isinstance(x, torch.Tensor) or needs_rule(x) or transforms_active():
        return _relayout(x, to, of)
    # The rule for gradients is Python's: not asking it where there is none saves more time than a small relayout takes.
    with torch._C._AutoDispatchBelowAutograd():
        return _relayout(x, to, of)


def _text(value: Union[str, Layout, Shape]) -> str:
    if isinstance(value, str):
        return value
    text: str = _text_of(value)
    return text


@torch._dynamo.assume_constant_result
def _text_of(value: Union[Layout, Shape]) -> str:
    if not isinstance(value, (Layout, Shape)):
        raise TypeError(f"a text, a Layout or a Shape is wanted, not {type(value).__name__}")
    return str(value)


@torch._dynamo.assume_constant_result
def _packed(text: str) -> int:
    """The rank of a shape that packs its elements."""
    return _rank_if_packed(text)


@lru_cache(1024)
def _rank_if_packed(text: str) -> int:
    shape = Shape(text)
    if not shape.is_array or shape.sizes.element_bits >= shape.element_type.storage_bits:
        raise ValueError(f"the elements of {text} are not packed; a layout with E(4) packs those of s4")
    return len(shape.dimensions)
