# SPDX-License-Identifier: Apache-2.0
"""The primitive, its rules, and the function that programs call."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple, Union

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir
from jax.sharding import NamedSharding, PartitionSpec

from xlashape import Layout, Shape, UnsupportedError

from ._library import TARGET
from ._sides import Dimensions, fills_with_zeros, request, side_of, without_fill


def relayout(
    x: Any, to: Union[str, Layout, Shape], *, of: Union[str, Shape, None] = None, in_place: bool = False
) -> jax.Array:
    """The array in the layout `to`: "{0,1:T(2,2)}", a Layout, or a shape of the same dimensions and element type.

    x: an array of JAX, or what jnp.asarray takes; in a program that JAX traces, a tracer. Without `of` it is the array
    itself. With `of`, a shape, it is the memory of such an array: one-dimensional, with an element for each position;
    where that shape is row-major without tiles and padding, its dimensions are good, too.

    Returns an array of x's dtype: with the dimensions of `to` where that is row-major without tiles and padding, else
    its memory, one-dimensional, with the padding value of `to` (else zeros) at positions without an element.

    in_place: the result gets the memory of x, and little is taken beside it. XLA copies x first where that is needed
    afterwards, or is an argument that was not donated. Gradients are not computed in place.

    Works in jit, vmap, grad, jvp, vjp, linear_transpose, scan, shard_map and what is made of them, on the CPU; on other
    platforms JAX says that there is no rule for them. The gradient is the inverse relayout: padding neither has nor
    gets any.

    Raises at the call, also while tracing: TypeError for a dtype that XLA has no arrays of; ParseError for a text that
    is no layout or shape; InvalidArgumentError (a ValueError) for dimensions or element types that do not fit;
    UnsupportedError (a NotImplementedError) for dynamic dimensions, elements of another width than XLA's memory has,
    layouts that have no index map, and what cannot be done in place. May be called from any thread. """
    array = jnp.asarray(x)
    if not all(isinstance(size, int) for size in array.shape):
        raise UnsupportedError(f"x has the dimensions {array.shape}; a relayout needs numbers")
    source, target = request(array.dtype, tuple(array.shape), to, of, bool(in_place))
    dimensions = side_of(source).dimensions
    if array.shape != dimensions:
        array = array.reshape(dimensions)
    result: jax.Array = relayout_p.bind(array, source=source, target=target, in_place=bool(in_place))
    return result


def memory_shape(shape: Union[str, Shape]) -> jax.ShapeDtypeStruct:
    """What JAX sees of an array of that shape: the result of a relayout to it, and what `of` it has to be. Errors are
    those of `relayout`."""
    wanted = Shape(shape)
    dtype = wanted.element_type.numpy_dtype()
    _, target = request(dtype, wanted.dimensions, wanted, None, False)
    return jax.ShapeDtypeStruct(side_of(target).dimensions, dtype)


relayout_p = Primitive("xlashape_relayout")


def _batch_of(dimensions: Dimensions, source: str) -> Dimensions:
    """The leading dimensions, that vmap added."""
    own = side_of(source).dimensions
    split = len(dimensions) - len(own)
    assert split >= 0 and tuple(dimensions[split:]) == own, (dimensions, source)
    return tuple(dimensions[:split])


def _abstract(x: Any, *, source: str, target: str, in_place: bool) -> Any:
    batch = _batch_of(x.shape, source)
    dimensions = batch + side_of(target).dimensions
    sharding = x.sharding
    spec = PartitionSpec(*tuple(sharding.spec)[: len(batch)], *(None,) * (len(dimensions) - len(batch)))
    return x.update(shape=dimensions, weak_type=False, sharding=NamedSharding(sharding.mesh, spec))


def _execute(x: jax.Array, *, source: str, target: str, in_place: bool) -> jax.Array:
    return _compiled(x, source, target, in_place)


def _bound(x: jax.Array, source: str, target: str, in_place: bool) -> jax.Array:
    result: jax.Array = relayout_p.bind(x, source=source, target=target, in_place=in_place)
    return result


_compiled = jax.jit(_bound, static_argnums=(1, 2, 3))


def _lower(context: mlir.LoweringRuleContext, x: Any, *, source: str, target: str, in_place: bool) -> Any:
    if in_place:
        return mlir.lower_fun(_called_in_place, multiple_results=False)(context, x, source=source, target=target)
    return jax.ffi.ffi_lowering(TARGET)(context, x, **{"from": source, "to": target})


def _called_in_place(x: jax.Array, *, source: str, target: str) -> jax.Array:
    # XLA takes only arrays of the same dimensions for aliases: memory, on both sides.
    batch = _batch_of(x.shape, source)
    memory = x.reshape(*batch, side_of(source).storage)
    call = jax.ffi.ffi_call(TARGET, jax.ShapeDtypeStruct(memory.shape, x.dtype), input_output_aliases={0: 0})
    result: jax.Array = call(memory, **{"from": source, "to": target})
    return result.reshape(batch + side_of(target).dimensions)


def _tangent(tangent: Any, _: Any, *, source: str, target: str, in_place: bool) -> Any:
    return relayout_p.bind(tangent, source=source, target=without_fill(target), in_place=False)


def _transpose(cotangent: Any, _: Any, *, source: str, target: str, in_place: bool) -> List[Any]:
    if not fills_with_zeros(target):
        raise UnsupportedError(f"a relayout to {target} is not linear: its padding is not 0")
    way_back = {"source": without_fill(target), "target": without_fill(source), "in_place": False}
    return [relayout_p.bind(cotangent, **way_back)]


def _batch(
    arrays: Sequence[Any], axes: Sequence[Optional[int]], **parameters: Any
) -> Tuple[Any, int]:
    (x,), (axis,) = arrays, axes
    assert axis is not None  # there is no other argument that could have one
    x = jnp.moveaxis(x, axis, 0)
    sides = side_of(parameters["source"]), side_of(parameters["target"])
    if all(side.storage * side.bits % 8 == 0 for side in sides):
        return relayout_p.bind(x, **parameters), 0
    # Arrays that end inside a byte: those of a batch begin there, which no plan can express. XLA takes them apart.
    return jax.lax.map(lambda one: relayout_p.bind(one, **parameters), x), 0


relayout_p.def_abstract_eval(_abstract)
relayout_p.def_impl(_execute)
mlir.register_lowering(relayout_p, _lower, platform="cpu")
ad.deflinear2(relayout_p, _transpose)
ad.defjvp(relayout_p, _tangent)  # the tangent of an array with padding that is not zero has zeros there
batching.primitive_batchers[relayout_p] = _batch
