"""relayout: an array in, the same array in another layout out."""

from __future__ import annotations

import sys
from typing import Any, Optional, Tuple, Union

from . import _raw as raw
from ._array_like import Strides, said_by
from ._call import call
from ._dlpack import sweep
from ._memory import Memory, image_wanted, memory_of
from ._plan_options import plan_fields, plan_options
from .array import Array, allocate, ndarray_of
from .enums import FillPolicy
from .errors import InvalidArgumentError, UnsupportedError
from .layout import Layout
from .plan import Plan
from .runtime import Runtime, handle_of
from .shape import Shape, _shape


def relayout(
    array: Any,
    to: Union[str, Layout, Shape, None] = None,
    *,
    of: Union[str, Shape, None] = None,
    out: Any = None,
    copy: Optional[bool] = None,
    fill: FillPolicy = FillPolicy.PADDING,
    runtime: Optional[Runtime] = None,
    backend: Optional[str] = None,
    device: Optional[int] = None,
) -> Any:
    """The array in the layout `to`: "{0,1:T(2,2)}", "row", "col", a Layout, or a shape of the same dimensions and
    element type.

    array: anything with __array_interface__, __dlpack__ or the buffer protocol, which describes its shape and strides.
    If `of` is given it is the shape, and the array is that shape's image: contiguous, of exactly padded_nbytes, or what
    relayout returned for that shape.
    out: memory for the result, an image of `to`; without `to` it describes its shape and strides.
    copy: None copies if elements have to move, else the result is another view of the array; True always copies;
    False is an error if elements have to move.
    fill, runtime, backend, device: as for Plan.

    Returns `out` if it is given; for a NumPy array a NumPy array; else an Array, which NumPy and DLPack read in place.
    A NumPy array has the same dimensions where the layout is only an order of them. With tiles, padding, packed
    elements and the like it is the memory, one-dimensional, whatever the sizes: padding included, and of packed
    elements bytes.
    """
    memory = memory_of(array)
    if memory is None:
        raise TypeError(f"an array is wanted, or bytes, not {type(array).__name__}")
    if out is not None and copy is not None:
        raise InvalidArgumentError("copy is about a new array, and there is an out")
    source, strides = _source(array, memory, of)
    target, out_memory, out_strides = _target(source, to, out)
    if out is None and not copy and _lies_there(source, strides, target, fill):
        return _view(array, memory, target)
    if copy is False:
        raise InvalidArgumentError(f"{source} cannot be seen as {target} without moving elements")
    if out_memory is None:
        out_memory, result = _new(array, target)
    else:
        result = out
    if memory.low < 0 or out_memory.low < 0:  # only a plan reaches before index 0...0
        with Plan(
            source,
            target,
            fill=fill,
            runtime=runtime,
            backend=backend,
            device=device,
            src_byte_strides=strides,
            dst_byte_strides=out_strides,
        ) as plan:
            plan._run(memory, out_memory)
        return result
    fields = plan_fields(plan_options(fill, backend, device, src_byte_strides=strides, dst_byte_strides=out_strides))
    call(
        *(raw.relayout_from_fields, handle_of(runtime)),
        *(source._handle, memory.address or None, memory.high),
        *(target._handle, out_memory.address or None, out_memory.high),
        *(fields, len(fields) // 8),
    )
    return result


def _source(array: Any, memory: Memory, of: Union[str, Shape, None]) -> Tuple[Shape, Strides]:
    if of is not None:
        shape = _shape(of)
        image_wanted(memory, shape, "array", False)
        return shape, None
    if isinstance(array, Array):
        return array.shape, None
    return said_by(memory, "array")


def _target(source: Shape, to: Any, out: Any) -> Tuple[Shape, Optional[Memory], Strides]:
    memory = None if out is None else memory_of(out)
    if out is not None and memory is None:
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if to is None:
        if memory is None:
            raise TypeError("relayout needs `to`, or `out`")
        shape, strides = (out.shape, None) if isinstance(out, Array) else said_by(memory, "out")
        if memory.readonly:
            raise InvalidArgumentError("out is read-only")
        return shape, memory, strides
    shape = _wanted(source, to)
    if memory is not None:
        image_wanted(memory, shape, "out", True)
    return shape, memory, None


def _wanted(source: Shape, to: Any) -> Shape:
    if isinstance(to, Shape):
        return to
    if isinstance(to, str) and to not in ("row", "col") and not to.lstrip().startswith("{"):
        return Shape(to)
    return source.with_layout(to)


def _lies_there(source: Shape, strides: Strides, target: Shape, fill: FillPolicy) -> bool:
    """Whether the elements are already where `target` has them, and nothing has to be filled."""
    if strides is not None:
        try:
            layout = Layout.from_byte_strides(source.element_type, source.dimensions, strides, compact=True)
        except UnsupportedError:
            return False
        source = source.with_layout(layout)
    if source.dimensions != target.dimensions or source.element_type != target.element_type:
        return False
    sizes, wanted = source.sizes, target.sizes
    if sizes.bytes != wanted.bytes or sizes.element_bits != wanted.element_bits:
        return False
    if wanted.storage_elements != wanted.elements or wanted.element_bits % 8:
        return False
    return source.reshape_is_bitcast(target)


def _is_ndarray(array: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(array, numpy.ndarray)


def _dtype(array: Any, shape: Shape) -> Any:
    """The array's dtype if it is that of the element type, so that dtypes of ml_dtypes are kept."""
    element_type = memory_type = shape.element_type
    dtype = array.dtype
    try:
        memory_type = type(element_type).of(dtype)
    except LookupError:
        return element_type.numpy_dtype()
    return dtype if memory_type == element_type else element_type.numpy_dtype()


def _new(array: Any, shape: Shape) -> Tuple[Memory, Any]:
    sweep()
    nbytes = shape.padded_nbytes
    if _is_ndarray(array):
        block = sys.modules["numpy"].empty(nbytes, "uint8")
        memory = memory_of(block)
        result = ndarray_of(block, shape, _dtype(array, shape))
    else:
        result = Array(allocate(nbytes), shape)
        memory = result._memory
    assert memory is not None
    return memory, result


def _view(array: Any, memory: Memory, shape: Shape) -> Any:
    """The same memory as another shape."""
    if not _is_ndarray(array):
        return Array(_Flat(memory, shape.padded_nbytes), shape)
    flat = sys.modules["numpy"].asarray(_Flat(memory, shape.padded_nbytes))
    return ndarray_of(flat, shape, _dtype(array, shape))


class _Flat:
    """An array's memory as bytes."""

    def __init__(self, memory: Memory, nbytes: int) -> None:
        self.memory = memory
        data = (memory.address, memory.readonly)
        self.__array_interface__ = {"version": 3, "shape": (nbytes,), "typestr": "|u1", "data": data}
