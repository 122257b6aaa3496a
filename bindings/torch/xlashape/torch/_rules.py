"""What PyTorch must know of the operators besides their kernels: results without memory, gradients, vmap."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Optional, Tuple

import torch

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
    return str(source.with_layout(source.layout.replace(padding_value=PaddingValue.ZERO))), str(result)


def _copies_only(to: str, of: Optional[str]) -> bool:
    """Whether the result is the tensor itself, by the text alone."""
    if of is not None or not is_layout(to):
        return False
    layout = Layout(to)
    return str(layout) == row_major_text(len(layout.minor_to_major))


def _differentiable(name: str, batch: int) -> None:
    def setup_context(ctx: Any, inputs: Tuple[Any, ...], output: torch.Tensor) -> None:
        x, ctx.to, ctx.of = inputs
        ctx.sizes, ctx.dtype = x.shape, x.dtype

    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple[Any, ...]:
        if _copies_only(ctx.to, ctx.of):
            return gradient, None, None
        dimensions = tuple(int(size) for size in ctx.sizes[batch:])
        to, of = inverse(dimensions, ctx.dtype, ctx.to, ctx.of)
        operator = torch.ops.xlashape.relayout_batched if batch else torch.ops.xlashape.relayout
        return operator(gradient, to, of).reshape(ctx.sizes), None, None

    torch.library.register_autograd(name, backward, setup_context=setup_context)


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
    texts = to if of is None else f"{to}\0{of}"
    return torch.frombuffer(bytearray(texts.encode()), dtype=torch.uint8)


def _by_bytes(batch: int) -> Any:
    def kernel(x: torch.Tensor, to: str, of: Optional[str] = None) -> torch.Tensor:
        if "\0" in to:
            raise RuntimeError(f"there is a NUL in {to!r}")
        result: torch.Tensor = torch.ops.xlashape._relayout_bytes(x, _bytes(to, of), bool(batch))
        return result

    return kernel


def register() -> None:
    """Once, after the operators are there."""
    for name, batch in _OPERATORS:
        torch.library.register_fake(name, _fake(batch))
        _differentiable(name, batch)
        if not has_kernel(name.partition("::")[2]):
            _library.impl(name.partition("::")[2], _by_bytes(batch), "CPU")
    torch.library.register_vmap(_OPERATORS[0][0], _vmap)
    torch.library.register_vmap(_OPERATORS[1][0], _vmap_batched)
