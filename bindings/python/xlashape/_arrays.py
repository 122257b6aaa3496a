# SPDX-License-Identifier: Apache-2.0
"""What lies behind an argument of any package: its memory, seen in place, or what it says of itself without memory."""

from __future__ import annotations

from typing import Any, Optional

from ._call import int64
from ._dlpack import memory_from_dlpack
from ._memory import Export, Memory, element_type_called, from_array_interface, from_buffer
from .element_type import ElementType


def memory_of(value: Any) -> Optional[Memory]:
    """Returns None if it is not an array."""
    image = getattr(value, "_memory", None)
    if isinstance(image, Memory):  # an Array: the image that it is
        return image
    kind = type(value)
    # On the class: an instance is asked only for what its class has.
    if hasattr(kind, "__array_interface__"):
        return from_array_interface(value)
    if hasattr(kind, "__dlpack__"):
        if hasattr(kind, "is_deleted") and (value.is_deleted() or _is_sub_byte(value.dtype)):
            return _from_jax(value)
        return memory_from_dlpack(value)
    if isinstance(getattr(value, "__array_interface__", None), dict):
        return from_array_interface(value)
    try:
        export = Export(value)
    except TypeError:
        return None
    return from_buffer(export)


def _is_sub_byte(dtype: Any) -> bool:
    element_type = element_type_called(str(dtype))
    return element_type is not None and element_type.is_sub_byte


def _from_jax(value: Any) -> Memory:
    """An array that JAX gives to nobody by DLPack: of elements of less than a byte, or deleted, for which this raises
    JAX's own exception."""
    memory = from_array_interface(value.__array__())
    memory.readonly = True  # it may be a copy
    return memory


def described(array: Any) -> Memory:
    """What has a `shape` and a `dtype`, as if it lay at address 0; anything else as its memory. Strides are NumPy's, in
    bytes, or PyTorch's, in elements; without any: row-major."""
    sizes, dtype = getattr(array, "shape", None), getattr(array, "dtype", None)
    if sizes is None or dtype is None:
        memory = memory_of(array)
        if memory is None:
            raise TypeError(f"an array is wanted, not {type(array).__name__}")
        return memory
    try:
        items = tuple(sizes)
    except TypeError:
        raise TypeError(f"the array's shape must be a sequence of integers, not {type(sizes).__name__}") from None
    dimensions = [int64(size, f"dimension {place} of the array's shape") for place, size in enumerate(items)]
    kind = ElementType.of(dtype)
    itemsize = kind.storage_bits // 8
    strides = getattr(array, "strides", None)
    if strides is None and callable(getattr(array, "stride", None)):
        strides = [step * itemsize for step in array.stride()]
    return Memory(0, itemsize, dimensions, strides, kind, kind.text, True, None)
