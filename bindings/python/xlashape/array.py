# SPDX-License-Identifier: Apache-2.0
"""relayout: an array in, the same array in another layout out; and what it returns if its input was not a NumPy
array: memory with a shape."""

from __future__ import annotations

import mmap
import sys
from ctypes import addressof, c_char, c_int64
from typing import Any, Dict, Optional, Tuple, Union

from . import _raw as raw
from ._arrays import memory_of
from ._call import call
from ._dlpack import capsule_of, sweep
from ._memory import Export, Memory, image_wanted, is_plain_ndarray
from ._values import Scale, ZeroPoint, only_moves, types_wanted
from .enums import FillPolicy, LayoutField
from .errors import InvalidArgumentError, OutOfRangeError, UnsupportedError
from .layout import Layout
from .plan import Plan, plan_options
from .runtime import Runtime, handle_of
from .shape import Arranged, Shape, _shape, said_by

Strides = Optional[Tuple[int, ...]]

# From this size on memory comes from the system, page by page as it is written, and is not zeroed first.
_LARGE = 1 << 20


def _allocate(nbytes: int) -> Any:
    """Writable memory of that many bytes."""
    return mmap.mmap(-1, nbytes) if nbytes >= _LARGE else bytearray(nbytes)


def _empty(nbytes: int) -> Any:
    """Bytes for NumPy, large ones at the beginning of a line of the caches. NumPy's own begin 16 bytes after one, which
    costs time."""
    numpy = sys.modules["numpy"]
    if nbytes < _LARGE:
        return numpy.empty(nbytes, "uint8")
    block = numpy.empty(nbytes + 63, "uint8")
    begin = -block.__array_interface__["data"][0] % 64
    return block[begin : begin + nbytes]


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
        result: Array = relayout(self, to, **options)
        return result

    def numpy(self) -> Any:
        """The same memory as a NumPy array."""
        import numpy

        return _ndarray_of(numpy.frombuffer(self.data, "uint8"), self.shape, self.shape.element_type.numpy_dtype())

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
        dimensions, strides, typestring = _described(self.shape)
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
    block = (c_char * (memory.high - memory.low)).from_address(memory.address or addressof(_NOTHING))
    block._owner = memory  # type: ignore[attr-defined]
    flat = memoryview(block).cast("B")
    return flat.toreadonly() if memory.readonly else flat


_NOTHING = c_int64()


def _described(shape: Shape) -> Tuple[Tuple[int, ...], Optional[Tuple[int, ...]], str]:
    """(dimensions, byte strides, typestring) of an array whose layout is an order of its dimensions; of any other, its
    memory: elements, or bytes where an element is none or several. Which it is depends on the layout, not on sizes."""
    element_type, sizes = shape.element_type, shape.sizes
    strides = shape._plain_strides()
    if strides is not None:
        return shape.dimensions, strides, element_type.typestring
    if sizes.element_bits != element_type.storage_bits or shape.has_layout_fields(LayoutField.METADATA_PREFIX):
        return (sizes.bytes,), None, "|u1"
    return (sizes.storage_elements,), None, element_type.typestring


def _ndarray_of(block: Any, shape: Shape, dtype: Any) -> Any:
    """A NumPy array over `block`, an array of uint8, as `_described` says."""
    numpy = sys.modules["numpy"]
    dimensions, strides, typestring = _described(shape)
    if typestring == "|u1" and not shape.element_type.numpy_name == "uint8":
        return block
    if strides is None or 0 in dimensions:
        return numpy.ndarray(dimensions, dtype, block)
    return numpy.ndarray(dimensions, dtype, block, 0, strides)


def relayout(
    array: Any,
    to: Union[str, Layout, Shape, None] = None,
    *,
    of: Union[str, Shape, None] = None,
    out: Any = None,
    copy: Optional[bool] = None,
    in_place: bool = False,
    convert: bool = False,
    saturate: bool = False,
    scale: Optional[Scale] = None,
    zero_point: Optional[ZeroPoint] = None,
    scale_dimension: Optional[int] = None,
    src_high_first: bool = False,
    dst_high_first: bool = False,
    fill: FillPolicy = FillPolicy.PADDING,
    runtime: Optional[Runtime] = None,
    backend: Optional[str] = None,
    device: Optional[int] = None,
) -> Any:
    """The array in the layout `to`: words as of Shape.with_words, such as "{0,1:T(2,2)}", "col", "nChw16c", "2,0,1",
    "HWC->CHW" or, with `convert`, "bf16 col"; a Layout; or a shape, or its text, of the same dimensions, and of the
    same element type unless `convert` is set.

    array: anything with __array_interface__, __dlpack__ or the buffer protocol, which describes its shape and strides.
    If `of` is given it is the shape, and the array is that shape's image: contiguous, of exactly padded_nbytes, or what
    relayout returned for that shape. A text is read as by Shape.read: of="float32[2,3]", of="tensor<2x3xf32>".
    out: memory for the result, an image of `to`; without `to` it describes its shape and strides.
    copy: None copies if elements have to move, else the result is another view of the array; True always copies;
    False is an error if elements have to move.
    in_place: the elements move within the array's own memory, which must be writable, and the result is another view of
    it: the array itself no longer has its elements where it says. An UnsupportedError where that cannot be.
    convert: the values are converted to the element type of `to` or `out`, each rounded once:
    relayout(a, "bf16[128,256]{1,0:T(8,128)(2,1)}", convert=True) of float32 numbers.
    scale, zero_point, scale_dimension: with convert, quantized values: relayout(a, "s8[128,256]", convert=True,
    scale=0.05), or scale=[...] with one for each index of the dimension scale_dimension; the same gives them back.
    src_high_first, dst_high_first: the bits of numpy.packbits, which begins with a byte's highest one:
    relayout(numpy.packbits(bits), "{0}", of="pred[100]{0:E(1)}", src_high_first=True).
    These, saturate, fill, runtime, backend, device: as for Plan.

    Returns `out` if it is given; for a NumPy array a NumPy array, of ml_dtypes' dtype for types that NumPy lacks, or
    without that package of the unsigned integer of that width; else an Array, which NumPy and DLPack read in place.
    A NumPy array has the same dimensions where the layout is only an order of them. Words that permute the dimensions
    give them in the new order: relayout(photo, "HWC->CHW") is photo.transpose(2, 0, 1), row-major in memory. With
    tiles, padding, packed elements and the like it is the memory, one-dimensional, whatever the sizes: padding
    included, and of packed elements bytes.
    """
    # How NumPy's array is moved is known where one like it was moved the same way.
    form = None
    plain = type(to) is str and of is None and out is None and copy is None and fill is FillPolicy.PADDING
    plain = plain and not in_place and runtime is None and backend is None and device is None
    unscaled = scale is None and zero_point is None and scale_dimension is None
    if plain and unscaled and not (src_high_first or dst_high_first) and is_plain_ndarray(array):
        form = (array.dtype, array.shape, array.strides, to, bool(convert), bool(saturate))
        known = _known.get(form)
        if known is not None:
            return known.move(array)
    memory = memory_of(array)
    if memory is None:
        raise TypeError(f"an array is wanted, or bytes, not {type(array).__name__}")
    if out is not None and copy is not None:
        raise InvalidArgumentError("copy is about a new array, and there is an out")
    if in_place and not (out is None and copy is None):
        raise InvalidArgumentError("in_place is about the array's own memory, and there is an out or copy")
    source, strides = _source(array, memory, of)
    arranged, out_memory, out_strides = _target(source, to, out)
    target = arranged.destination
    types_wanted(source, target, convert)
    given: Dict[str, Any] = {
        "fill": fill,
        "backend": backend,
        "device": device,
        "src_byte_strides": None if in_place else strides,
        "dst_byte_strides": out_strides,
        "convert": convert,
        "saturate": saturate,
        "scale": scale,
        "zero_point": zero_point,
        "scale_dimension": scale_dimension,
        "src_high_first": src_high_first,
        "dst_high_first": dst_high_first,
    }
    options = plan_options(source.dimensions, in_place=in_place, **given)
    if out is None and not copy and only_moves(options) and _lies_there(source, strides, target, fill):
        return _view(array, memory, arranged.result)
    if in_place:
        if memory.readonly:
            raise InvalidArgumentError("array is read-only")
        source = _laid_out(source, strides)
        at = (memory.address or None, memory.high)
        call(raw.relayout, handle_of(runtime), source._handle, *at, target._handle, *at, options)
        return _view(array, memory, arranged.result)
    if copy is False:
        raise InvalidArgumentError(f"{source} cannot be seen as {target} without moving elements")
    if out_memory is None:
        out_memory, result = _new(array, arranged.result)
    else:
        result = out
    if memory.low < 0 or out_memory.low < 0:  # only a plan reaches before index 0...0
        with Plan(source, target, runtime=runtime, **given) as plan:
            plan._run(memory, out_memory)
        return result
    from_side = (source._handle, memory.address or None, memory.high)
    to_side = (target._handle, out_memory.address or None, out_memory.high)
    call(raw.relayout, handle_of(runtime), *from_side, *to_side, options)
    if form is not None and out_memory.high > 0:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[form] = _Known(source, memory.high, target, options, result)
    return result


class _Known:
    """A relayout of arrays of NumPy that was made once: what does not depend on where they are."""

    __slots__ = ("source", "src_bytes", "target", "dst_bytes", "options", "described")

    def __init__(self, source: Shape, src_bytes: int, target: Shape, options: Any, result: Any) -> None:
        self.source, self.src_bytes = source, src_bytes
        self.target, self.dst_bytes = target, target.padded_nbytes
        self.options = options
        self.described = (result.shape, result.dtype, result.strides)

    def move(self, array: Any) -> Any:
        sweep()
        block = _empty(self.dst_bytes)
        src, dst = array.__array_interface__["data"][0], block.__array_interface__["data"][0]
        call(
            *(raw.relayout, None, self.source._handle, src or None, self.src_bytes),
            *(self.target._handle, dst or None, self.dst_bytes, self.options),
        )
        dimensions, dtype, strides = self.described
        return sys.modules["numpy"].ndarray(dimensions, dtype, block, 0, strides)


_known: Dict[Any, _Known] = {}
_MOST_KNOWN = 128


def _source(array: Any, memory: Memory, of: Union[str, Shape, None]) -> Tuple[Shape, Strides]:
    if of is not None:
        shape = _shape(of)
        image_wanted(memory, shape, "array", False)
        return shape, None
    if isinstance(array, Array):
        return array.shape, None
    return said_by(memory, "array")


def _target(source: Shape, to: Any, out: Any) -> Tuple[Arranged, Optional[Memory], Strides]:
    memory = None if out is None else memory_of(out)
    if out is not None and memory is None:
        raise TypeError(f"out must be an array, not {type(out).__name__}")
    if to is None:
        if memory is None:
            raise TypeError("relayout needs `to`, or `out`")
        shape, strides = (out.shape, None) if isinstance(out, Array) else said_by(memory, "out")
        if memory.readonly:
            raise InvalidArgumentError("out is read-only")
        return Arranged(shape, shape), memory, strides
    arranged = _wanted(source, to)
    if memory is not None:
        result = arranged.result
        image_wanted(memory, result, "out", True)
        # Flat memory may be anything. Other sizes than those asked for are a mistake.
        if len(memory.dimensions) > 1 and memory.dimensions != result.dimensions and result != arranged.destination:
            raise InvalidArgumentError(f"out has the dimensions {memory.dimensions}, {to!r} gives {result.dimensions}")
    return arranged, memory, None


def _wanted(source: Shape, to: Any) -> Arranged:
    if isinstance(to, str):
        return source.with_words(to)
    shape = to if isinstance(to, Shape) else source.with_layout(to)
    return Arranged(shape, shape)


def _laid_out(source: Shape, strides: Strides) -> Shape:
    """The shape whose layout has these strides."""
    if strides is None:
        return source
    return source.with_layout(Layout.from_byte_strides(source.element_type, source.dimensions, strides, compact=True))


def _lies_there(source: Shape, strides: Strides, target: Shape, fill: FillPolicy) -> bool:
    """Whether the elements are already where `target` has them, and nothing has to be filled."""
    try:
        source = _laid_out(source, strides)
    except UnsupportedError:
        return False
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
        block = _empty(nbytes)
        memory = memory_of(block)
        result = _ndarray_of(block, shape, _dtype(array, shape))
    else:
        result = Array(_allocate(nbytes), shape)
        memory = result._memory
    assert memory is not None
    return memory, result


def _view(array: Any, memory: Memory, shape: Shape) -> Any:
    """The same memory as another shape."""
    if not _is_ndarray(array):
        return Array(_Flat(memory, shape.padded_nbytes), shape)
    flat = sys.modules["numpy"].asarray(_Flat(memory, shape.padded_nbytes))
    return _ndarray_of(flat, shape, _dtype(array, shape))


class _Flat:
    """An array's memory as bytes."""

    def __init__(self, memory: Memory, nbytes: int) -> None:
        self.memory = memory
        data = (memory.address, memory.readonly)
        self.__array_interface__ = {"version": 3, "shape": (nbytes,), "typestr": "|u1", "data": data}
