"""Arrays that a relayout returns if its input was not a NumPy array: memory with a shape."""

from __future__ import annotations

import mmap
import sys
from typing import Any, Dict, Optional, Tuple, Union

from ._dlpack import capsule_of, sweep
from ._memory import Export, Memory, memory_of
from .enums import Part
from .errors import InvalidArgumentError, OutOfRangeError, UnsupportedError
from .shape import Shape, _shape

# From this size on memory comes from the system, page by page as it is written, and is not zeroed first.
_LARGE = 1 << 20


def allocate(nbytes: int) -> Any:
    """Writable memory of that many bytes."""
    return mmap.mmap(-1, nbytes) if nbytes >= _LARGE else bytearray(nbytes)


class Array:
    """Memory, and the shape of its image. Other packages read it in place: numpy.asarray (an array with tiles
    or padding as one-dimensional memory) and from_dlpack of any package. Copies and pickles have separate memory."""

    __slots__ = ("shape", "data", "_memory", "__weakref__")

    def __init__(self, data: Any, shape: Union[str, Shape]) -> None:
        """`data`: contiguous, of exactly shape.padded_nbytes. It is referred to, not copied."""
        sweep()
        self.shape: Shape = _shape(shape)
        memory = memory_of(data)
        if memory is None:
            raise TypeError(f"data must be an array, or bytes, not {type(data).__name__}")
        wanted = self.shape.padded_nbytes
        if not memory.contiguous:
            raise InvalidArgumentError(f"data has byte strides {memory.byte_strides}; it must be contiguous")
        if memory.high - memory.low != wanted:
            raise OutOfRangeError(f"data has {memory.high - memory.low} bytes, {self.shape} has {wanted}")
        self._memory: Memory = memory
        self.data: memoryview = _bytes_of(memory)

    def __reduce__(self) -> Tuple[Any, ...]:
        return Array, (self.tobytes() if self._memory.readonly else bytearray(self.data), self.shape)

    def __repr__(self) -> str:
        return f"<xlashape.Array {self.shape}>"

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self._memory.high - self._memory.low

    def tobytes(self) -> bytes:
        """A copy of the memory."""
        return self.data.tobytes()

    def relayout(self, to: Any, **options: Any) -> Array:
        """xlashape.relayout of this."""
        from .relayout import relayout

        result: Array = relayout(self, to, **options)
        return result

    def numpy(self) -> Any:
        """The same memory as a NumPy array."""
        import numpy

        return ndarray_of(numpy.frombuffer(self.data, "uint8"), self.shape, self.shape.element_type.numpy_dtype())

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        """For numpy.asarray, of element types that NumPy knows by ml_dtypes only."""
        seen = self.numpy()
        if dtype is None or dtype == seen.dtype:
            return seen.copy() if copy else seen
        if copy is False:
            raise ValueError(f"{seen.dtype} cannot become {dtype} without a copy")
        return seen.astype(dtype)

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        dimensions, strides, typestring = described(self.shape)
        if typestring[1] == "V":  # the interface has no name for the type: __array__ gives it
            raise AttributeError(f"the array interface has no name for {self.shape.element_type}")
        interface = {"version": 3, "shape": dimensions, "typestr": typestring}
        interface["data"] = (self._memory.address, self._memory.readonly)
        if strides is not None:
            interface["strides"] = strides
        return interface

    def __dlpack_device__(self) -> Tuple[int, int]:
        return 1, 0

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Optional[Tuple[int, int]] = None,
        dl_device: Optional[Tuple[int, int]] = None,
        copy: Optional[bool] = None,
    ) -> Any:
        """A DLPack capsule. BufferError for a layout that DLPack cannot express, and for a read-only array if the
        consumer does not ask for a version that can express it."""
        if dl_device is not None and tuple(dl_device) != (1, 0):
            raise BufferError(f"the array is in memory of the CPU, not on device {tuple(dl_device)}")
        if stream is not None:
            raise BufferError("the array is in memory of the CPU, which has no streams")
        if copy:
            return Array(bytearray(self.data), self.shape).__dlpack__(max_version=max_version)
        try:
            return capsule_of(self.shape, self._memory.address, self._memory.readonly, self._memory, max_version)
        except UnsupportedError as error:
            raise BufferError(str(error)) from None

    @property
    def dtype(self) -> Any:
        """The element type as NumPy's or ml_dtypes' dtype; where NumPy is not imported, as the name of that. Other
        packages look at it to learn what they are given."""
        kind = self.shape.element_type
        return kind.numpy_name if sys.modules.get("numpy") is None else kind.numpy_dtype()


def _bytes_of(memory: Memory) -> memoryview:
    """The memory as flat bytes."""
    if isinstance(memory.owner, Export) and memory.owner.view.nbytes:
        try:
            return memory.owner.view.cast("B")
        except TypeError:  # memoryviews cannot cast formats that have a byte order
            pass
    import ctypes

    block = (ctypes.c_char * (memory.high - memory.low)).from_address(memory.address or ctypes.addressof(_NOTHING))
    block._owner = memory  # type: ignore[attr-defined]
    flat = memoryview(block).cast("B")
    return flat.toreadonly() if memory.readonly else flat


def _nothing() -> Any:
    import ctypes

    return ctypes.c_int64()


_NOTHING = _nothing()


def described(shape: Shape) -> Tuple[Tuple[int, ...], Optional[Tuple[int, ...]], str]:
    """(dimensions, byte strides, typestring) of an array whose layout is an order of its dimensions; of any other, its
    memory: elements, or bytes where an element is none or several. Which it is depends on the layout, not on sizes."""
    element_type, sizes = shape.element_type, shape.sizes
    strides = shape._plain_strides()
    if strides is not None:
        return shape.dimensions, strides, element_type.typestring
    if sizes.element_bits != element_type.storage_bits or shape.has_parts(Part.METADATA_PREFIX):
        return (sizes.bytes,), None, "|u1"
    return (sizes.storage_elements,), None, element_type.typestring


def ndarray_of(block: Any, shape: Shape, dtype: Any) -> Any:
    """A NumPy array over `block`, an array of uint8, as `described` says."""
    numpy = sys.modules["numpy"]
    dimensions, strides, typestring = described(shape)
    if typestring == "|u1" and not shape.element_type.numpy_name == "uint8":
        return block
    if strides is None or 0 in dimensions:
        return numpy.ndarray(dimensions, dtype, block)
    return numpy.ndarray(dimensions, dtype, block, 0, strides)
