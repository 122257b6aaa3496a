# SPDX-License-Identifier: Apache-2.0
"""What PyTorch must know of the operators besides their kernels: results without memory, gradients, vmap."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Iterator, Optional, Tuple

import torch
from torch._functorch.autograd_function import enable_single_level_autograd_function
from torch._C import _are_functorch_transforms_active as transforms_active
from torch.autograd import forward_ad
from torch.autograd.function import _SingleLevelFunction

from xlashape import Layout, PaddingValue, Shape

from ._library import has_kernel
from ._results import both_shapes, facts_of, is_layout, result_of, row_major_text

_OPERATORS = (("xlashape::relayout", 0), ("xlashape::relayout_batched", 1))
_library = torch.library.Library("xlashape", "IMPL")  # noqa: TOR901 (for as long as the process)


# == Results without memory ==


def _fake(batch: int) -> Any:
    def fake(x: torch.Tensor, to: str, of: Optional[str] = None) -> torch.Tensor:
        if x.dim() < batch:
            raise RuntimeError("the tensor has no first dimension")
        dimensions, dtype = result_of(x.shape[batch:], x.dtype, to, of)
        return x.new_empty((*x.shape[:batch], *dimensions), dtype=dtype)

    return fake


# == Gradients: a relayout is linear, and its transpose is the relayout back, where nothing comes from padding ==


@lru_cache(1024)
def inverse(dimensions: Tuple[int, ...], dtype: torch.dtype, to: str, of: Optional[str]) -> Tuple[str, str]:
    """(to, of) of the way back, which fills padding with zeros whatever the layout says."""
    source, result = both_shapes(dimensions, dtype, to, of)
    if of is None or facts_of(source).row_major:
        return row_major_text(len(source.dimensions)), str(result)
    return str(_unpadded(source)), str(result)


@lru_cache(1024)
def _without_padding_value(to: str, of: Optional[str]) -> Tuple[str, Optional[str]]:
    """The same call, but for padding, which has no tangent."""
    if is_layout(to):
        return str(Layout(to).replace(padding_value=PaddingValue.ZERO)), of
    shape = Shape(to)
    return str(_unpadded(shape)), of


def _unpadded(shape: Shape) -> Shape:
    layout = shape.layout
    return shape if layout is None else shape.with_layout(layout.replace(padding_value=PaddingValue.ZERO))


def _copies_only(to: str, of: Optional[str]) -> bool:
    """Whether the result is the tensor itself, by the text alone."""
    if of is not None or not is_layout(to):
        return False
    layout = Layout(to)
    return str(layout) == row_major_text(len(layout.minor_to_major))


class _Relayout(_SingleLevelFunction):
    """torch.autograd.Function itself refuses torch.func.grad inside a kernel, where the level is decided already."""

    @staticmethod
    def forward(ctx: Any, operator: Any, batch: int, keyset: Any, x: torch.Tensor, to: str, of: Any) -> torch.Tensor:
        ctx.operator, ctx.batch, ctx.to, ctx.of = operator, batch, to, of
        ctx.sizes, ctx.dtype = x.shape, x.dtype
        with _outer_levels():
            result: torch.Tensor = _below_autograd(operator, keyset, x, to, of)
            return result

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple[Any, ...]:
        if not _copies_only(ctx.to, ctx.of):
            dimensions = tuple(int(size) for size in ctx.sizes[ctx.batch :])
            to, of = inverse(dimensions, ctx.dtype, ctx.to, ctx.of)
            gradient = ctx.operator(gradient, to, of).reshape(ctx.sizes)
        return None, None, None, gradient, None, None

    @staticmethod
    def jvp(ctx: Any, _operator: Any, _batch: Any, _keyset: Any, tangent: torch.Tensor, *_texts: Any) -> torch.Tensor:
        with _outer_levels():
            result: torch.Tensor = ctx.operator(tangent, *_without_padding_value(ctx.to, ctx.of))
            return result


@contextmanager
def _outer_levels() -> Iterator[None]:
    """PyTorch runs the kernel of one level of torch.func without gradients: here the outer levels have theirs."""
    if transforms_active():
        with torch.enable_grad(), forward_ad._set_fwd_grad_enabled(True):
            yield
    else:
        yield


def _below_autograd(operator: Any, keyset: Any, x: torch.Tensor, to: str, of: Optional[str]) -> Any:
    with torch._C._AutoDispatchBelowAutograd():
        return operator.redispatch(keyset & torch._C._after_autograd_keyset, x, to, of)


def needs_rule(x: torch.Tensor) -> bool:
    """Whether a call with this tensor must be remembered, or has a tangent."""
    return bool((x.requires_grad and torch.is_grad_enabled()) or forward_ad._current_level >= 0)


def _autograd(operator: Any, batch: int) -> Any:
    """The kernel for the dispatch key Autograd."""

    def kernel(keyset: Any, x: torch.Tensor, to: str, of: Optional[str] = None) -> torch.Tensor:
        if not needs_rule(x):
            result: torch.Tensor = _below_autograd(operator, keyset, x, to, of)
            return result
        with enable_single_level_autograd_function():
            result = _Relayout.apply(operator, batch, keyset, x, to, of)
            return result

    return kernel


# == vmap: the mapped dimension becomes the first, and each entry of it is an array ==


def _vmap(info: Any, in_dims: Tuple[Any, ...], x: torch.Tensor, to: str, of: Optional[str] = None) -> Any:
    return torch.ops.xlashape.relayout_batched(x.movedim(in_dims[0], 0), to, of), 0


def _vmap_batched(info: Any, in_dims: Tuple[Any, ...], x: torch.Tensor, to: str, of: Optional[str] = None) -> Any:
    both = x.movedim(in_dims[0], 0)
    result = torch.ops.xlashape.relayout_batched(both.flatten(0, 1), to, of)
    return result.unflatten(0, both.shape[:2]), 0


# == PyTorch 2.9, whose stable ABI cannot pass texts to kernels ==


@lru_cache(1024)
def _bytes(to: str, of: Optional[str]) -> torch.Tensor:
    texts = f"{to}\0" if of is None else f"{to}\0={of}"
    return torch.frombuffer(bytearray(texts.encode()), dtype=torch.uint8)


def _refuse_nul(x: torch.Tensor, to: str) -> None:
    if "\0" in to:
        tensor = f"{str(x.dtype)[6:]}[{','.join(str(size) for size in x.shape)}]"
        place = len(to.partition("\0")[0].encode())
        raise RuntimeError(f"xlashape::relayout of a tensor {tensor} to {to!r}: byte {place} of the text is 0")


def _by_bytes(batch: int) -> Any:
    def kernel(x: torch.Tensor, to: str, of: Optional[str] = None) -> torch.Tensor:
        _refuse_nul(x, to)
        result: torch.Tensor = torch.ops.xlashape._relayout_bytes(x, _bytes(to, of), bool(batch))
        return result

    return kernel


# == In place: the operator only changes its tensor, and PyTorch must know when ==


def _in_place(x: torch.Tensor, to: str, of: Optional[str] = None) -> None:
    _refuse_nul(x, to)
    torch.ops.xlashape._relayout_bytes_(x, _bytes(to, of))


def _in_place_fake(x: torch.Tensor, to: str, of: Optional[str] = None) -> None:
    result_of(x.shape, x.dtype, to, of)


def _in_place_autograd(keyset: Any, x: torch.Tensor, to: str, of: Optional[str] = None) -> None:
    if needs_rule(x):
        raise RuntimeError("xlashape::relayout_ has no gradient: relayout has one; or call it with torch.no_grad()")
    _below_autograd(torch.ops.xlashape.relayout_.default, keyset, x, to, of)
    torch.autograd.graph.increment_version(x)


def register() -> None:
    """Once, after the operators are there."""
    torch.library.register_fake("xlashape::relayout_", _in_place_fake)
    _library.impl("relayout_", _in_place, "CPU")
    _library.impl("relayout_", _in_place_autograd, "Autograd", with_keyset=True)
    for name, batch in _OPERATORS:
        torch.library.register_fake(name, _fake(batch))
        short = name.partition("::")[2]
        operator = getattr(torch.ops.xlashape, short).default
        _library.impl(short, _autograd(operator, batch), "Autograd", with_keyset=True)
        if not has_kernel(short):
            _library.impl(short, _by_bytes(batch), "CPU")
    torch.library.register_vmap(_OPERATORS[0][0], _vmap)
    torch.library.register_vmap(_OPERATORS[1][0], _vmap_batched)
