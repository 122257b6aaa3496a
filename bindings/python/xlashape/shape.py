"""Shapes: arrays, tuples, tokens, opaques and buffers."""

from __future__ import annotations

from ctypes import c_void_p, sizeof
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw as raw
from ._call import (
    LayoutHandle,
    ShapeHandle,
    call,
    head,
    int64,
    make,
    message_bytes,
    number,
    numbers,
    octets,
    pack,
    text,
    uint32,
    utf8,
)
from ._drawing import Drawing
from ._reshape import Reshaping
from ._tuples import Nesting
from .element_type import ElementType
from .enums import Category, Ignore, Part
from .layout import Layout, _layout

_MORE_THAN_ORDER = Part.TILES | Part.TAIL_PADDING_ALIGNMENT | Part.PADDING | Part.METADATA_PREFIX
UNBOUNDED = raw.DIMENSION_UNBOUNDED  # a dimension of unknown size, `?`


class Sizes(NamedTuple):
    """Exact sizes of an array, including all padding, all tile levels and the tail."""

    element_bits: int  # bits one element takes
    elements: int
    storage_elements: int  # positions: padding, tiles and tail counted
    logical_bytes: int  # of the elements alone, element_bits each
    bytes: int
    xla_bytes: int  # what ShapeUtil::ArraySize answers; -1 where it overflows
    data_bytes: int  # up to and with the furthest element
    dimension_padding: int
    tail_padding: int


class Shape(Reshaping, Nesting, Drawing):
    """An immutable value: `Shape("bf16[128,256]{1,0:T(8,128)(2,1)}")`. Every shape that exists is valid. Equality is
    XLA's; a text never equals a shape. Shapes can be hashed, pickled, and used by any thread. A tuple is a sequence of
    its elements.

    A `dimension` may count from the end: -1 is the last one. Entries of indices, permutations and lists of dimensions
    count from 0, and negative ones are refused."""

    __slots__ = ("_handle", "__weakref__")
    _handle: ShapeHandle

    def __init__(self, shape: Union[str, Shape], *, keep_missing_layout: bool = False) -> None:
        """From XLA's text; an array without a layout gets the row-major one, unless keep_missing_layout."""
        if isinstance(shape, Shape):
            self._handle = shape._handle
            return
        if not isinstance(shape, str) and hasattr(shape, "shape") and hasattr(shape, "dtype"):
            raise TypeError(f"a shape must be str, not {type(shape).__name__}: Shape.of takes arrays and their structs")
        encoded = utf8(shape, "a shape")
        self._handle = make(ShapeHandle, raw.shape_parse, encoded, len(encoded), 1 if keep_missing_layout else 0)

    @classmethod
    def _make(cls, function: Any, *arguments: Any) -> Shape:
        self = object.__new__(cls)
        self._handle = make(ShapeHandle, function, *arguments)
        return self

    @classmethod
    def _of(cls, handle: ShapeHandle) -> Shape:
        self = object.__new__(cls)
        self._handle = handle
        return self

    # Other ways to make one

    @classmethod
    def parse_head(cls, text: str, *, keep_missing_layout: bool = False) -> Tuple[Shape, str]:
        """Parses the shape at the start of the text; returns it and the rest of the text, for parsers of programs."""
        keep = raw.SHAPE_KEEP_MISSING_LAYOUT if keep_missing_layout else 0
        handle, rest = head(ShapeHandle, raw.shape_parse_head, text, "a shape", keep)
        return cls._of(handle), rest

    @classmethod
    def array(
        cls,
        element_type: Any,
        dimensions: Iterable[int],
        layout: Union[str, Layout, None] = None,
        *,
        dynamic: Optional[Sequence[bool]] = None,
        keep_missing_layout: bool = False,
    ) -> Shape:
        """An array; "row" and "col" are layouts, too. `dynamic`: for each dimension whether its size is only a bound. A
        size of UNBOUNDED is `?`."""
        sizes = pack(dimensions, "dimensions")
        rank = len(sizes) // 8
        if dynamic is not None and len(dynamic) != rank:
            raise ValueError(f"{len(dynamic)} dynamic flags for rank {rank}")
        flags = None if dynamic is None else bytes(bool(flag) for flag in dynamic)
        handle = None if layout is None else _layout(layout, rank)._handle
        keep = raw.SHAPE_KEEP_MISSING_LAYOUT if keep_missing_layout else 0
        return cls._make(raw.shape_create_array, ElementType.of(element_type), sizes, flags, rank, handle, keep)

    @classmethod
    def of(cls, array: Any) -> Shape:
        """The shape of an array of NumPy, PyTorch or JAX, of a jax.ShapeDtypeStruct, or of anything with the buffer
        protocol, __array_interface__ or __dlpack__. The layout is that of its strides; UnsupportedError if no layout
        has these strides (0, negative ones)."""
        from ._array_like import shape_of

        return shape_of(array)

    @classmethod
    def tuple(cls, elements: Iterable[Union[str, Shape]]) -> Shape:
        """A tuple of those shapes."""
        shapes = [_shape(element) for element in elements]
        handles = (c_void_p * len(shapes))(*(shape._handle.value for shape in shapes))
        return cls._make(raw.shape_create_tuple, handles, len(shapes))

    @classmethod
    def token(cls) -> Shape:
        """token[]: orders side effects and holds no data."""
        return cls._make(raw.shape_create_token)

    @classmethod
    def opaque(cls) -> Shape:
        """opaque[]: a pointer of the runtime."""
        return cls._make(raw.shape_create_opaque)

    @classmethod
    def buffer(cls, array: Union[str, Shape]) -> Shape:
        """b(...): a buffer that holds the array."""
        return cls._make(raw.shape_create_buffer, _shape(array)._handle)

    @classmethod
    def from_proto(cls, message: bytes, *, keep_missing_layout: bool = False) -> Shape:
        """From a serialised ShapeProto."""
        keep = raw.SHAPE_KEEP_MISSING_LAYOUT if keep_missing_layout else 0
        encoded = message_bytes(message, "a ShapeProto")
        return cls._make(raw.shape_from_proto, encoded, len(encoded), keep)

    @classmethod
    def from_mlir(cls, text: str) -> Shape:
        """From an MLIR type such as "tensor<128x256xbf16>"."""
        encoded = utf8(text, "a type")
        return cls._make(raw.shape_parse_mlir, encoded, len(encoded))

    @classmethod
    def from_cute(cls, text: str, element_type: Any, *, compact: bool = False) -> Shape:
        """From a CuTe layout: "(2,3):(3,1)"."""
        encoded = utf8(text, "a CuTe layout")
        kind = ElementType.of(element_type)
        return cls._make(raw.shape_parse_cute, encoded, len(encoded), kind, raw.STRIDES_COMPACT if compact else 0)

    @classmethod
    def from_numpy_text(cls, text: str, *, compact: bool = False) -> Shape:
        """From "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}", the header of an .npy file among others."""
        encoded = utf8(text, "a description")
        return cls._make(raw.shape_parse_numpy, encoded, len(encoded), raw.STRIDES_COMPACT if compact else 0)

    # As text and bytes

    def to_text(self, *, with_layout: bool = True, strict: bool = False) -> str:
        """XLA's text. `strict`: UnsupportedError where XLA could not read it (PD, PV)."""
        flags = (0 if with_layout else raw.PRINT_WITHOUT_LAYOUT) | (raw.PRINT_STRICT if strict else 0)
        return text(raw.shape_print, self._handle, flags)

    def to_proto(self) -> bytes:
        """A ShapeProto, byte for byte as XLA serialises it."""
        return octets(raw.shape_to_proto, self._handle)

    def to_mlir(self, *, with_layout: bool = True) -> str:
        """The MLIR type. UnsupportedError for layouts that are not row-major, unless layouts are left out."""
        return text(raw.shape_print_mlir, self._handle, 0 if with_layout else raw.PRINT_WITHOUT_LAYOUT)

    def to_cute(self) -> str:
        """A CuTe layout: "(2,3):(3,1)". UnsupportedError for layouts that CuTe cannot express."""
        return text(raw.shape_print_cute, self._handle)

    def to_numpy_text(self) -> str:
        """The keywords of numpy.ndarray, as the text of a dict."""
        return text(raw.shape_print_numpy, self._handle)

    def __str__(self) -> str:
        return text(raw.shape_print, self._handle, 0)

    def __repr__(self) -> str:
        return f"Shape({str(self)!r})"

    def __format__(self, format_spec: str) -> str:
        """The text, with the format of a str: f"{shape:>40}"."""
        return format(str(self), format_spec)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _unpickle, (self.to_proto(),)

    # Equality

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return bool(raw.shape_equal(self._handle, other._handle, 0))

    def __hash__(self) -> int:
        return int(raw.shape_hash(self._handle, 0))

    def hash_ignoring(self, ignore: Ignore) -> int:
        """A hash that is the same for shapes that are `equal` with the same `ignore`, within one process."""
        return int(raw.shape_hash(self._handle, uint32(ignore, "ignore")))

    def equal(self, other: Union[str, Shape], ignore: Ignore = Ignore.NOTHING) -> bool:
        """Equality without the parts in `ignore`."""
        return bool(raw.shape_equal(self._handle, _shape(other)._handle, uint32(ignore, "ignore")))

    def compatible(self, other: Union[str, Shape], ignore: Ignore = Ignore.NOTHING) -> bool:
        """Equality without layout, dynamism and the parts in `ignore`."""
        return bool(raw.shape_compatible(self._handle, _shape(other)._handle, uint32(ignore, "ignore")))

    # What it is

    @property
    def category(self) -> Category:
        """Array, tuple, token, opaque or buffer."""
        return Category(raw.shape_category(self._handle))

    @property
    def is_array(self) -> bool:
        """Also true for a buffer, which behaves as its array."""
        return self.category in (Category.ARRAY, Category.BUFFER)

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple; then len(shape), iter(shape) and shape[i] give its elements."""
        return self.category == Category.TUPLE

    @property
    def element_type(self) -> ElementType:
        """The element type of an array; for other shapes their own type, such as ElementType.TUPLE."""
        return ElementType(raw.shape_element_type(self._handle))

    @property
    def rank(self) -> int:
        """Number of dimensions; 0 if it is not an array."""
        return int(raw.shape_rank(self._handle))

    @property
    def ndim(self) -> int:
        """The rank, by NumPy's name."""
        return self.rank

    @property
    def true_rank(self) -> int:
        """Number of dimensions greater than 1."""
        return int(raw.shape_true_rank(self._handle))

    @property
    def dimensions(self) -> Tuple[int, ...]:
        """UNBOUNDED for `?`; a bound for a dynamic dimension."""
        return numbers(raw.shape_dimensions, self._handle)

    @property
    def dynamic_dimensions(self) -> Tuple[bool, ...]:
        """For each dimension whether its size is only a bound."""
        return tuple(bool(flag) for flag in octets(raw.shape_dynamic_dimensions, self._handle))

    @property
    def is_dynamic(self) -> bool:
        """Whether any dimension of any array inside is dynamic."""
        return bool(raw.shape_is_dynamic(self._handle))

    @property
    def is_unbounded(self) -> bool:
        """Whether any dimension of any array inside is `?`."""
        return bool(raw.shape_is_unbounded(self._handle))

    @property
    def is_effective_scalar(self) -> bool:
        """Whether it has exactly one element."""
        return bool(raw.shape_is_effective_scalar(self._handle))

    @property
    def is_untiled(self) -> bool:
        """Whether every element is where it would be without tiles."""
        return bool(raw.shape_is_untiled(self._handle))

    @property
    def has_layout(self) -> bool:
        """For an array: False only with keep_missing_layout, or after with_layout(None)."""
        return bool(raw.shape_has_layout(self._handle))

    @property
    def layout(self) -> Optional[Layout]:
        """The layout, or None."""
        if not raw.shape_has_layout(self._handle):
            return None
        return Layout._of(make(LayoutHandle, raw.shape_layout, self._handle))

    # Sizes

    @property
    def sizes(self) -> Sizes:
        """Sizes of an array or buffer. UnsupportedError for an unbounded one, SizeOverflowError beyond 64 bits."""
        out = raw.sizes(sizeof(raw.sizes))
        call(raw.shape_sizes, self._handle, out)
        return Sizes(*(getattr(out, name) for name in Sizes._fields))

    @property
    def element_count(self) -> int:
        """The product of the dimensions. UnsupportedError if one is `?`."""
        return number(raw.shape_element_count, self._handle)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements only, as NumPy's nbytes: each in its type's storage, or in E(n) if that is
        narrower."""
        sizes, own_bits = self.sizes, self.element_type.storage_bits
        return sizes.elements * own_bits // 8 if own_bits < sizes.element_bits else sizes.logical_bytes

    @property
    def padded_nbytes(self) -> int:
        """Bytes that the array takes in memory."""
        return self.sizes.bytes

    @property
    def waste(self) -> float:
        """padded_nbytes / nbytes: 1.0 means no waste, also for an array without elements."""
        nbytes = self.nbytes
        return self.padded_nbytes / nbytes if nbytes else 1.0

    def byte_size(self, pointer_size: int = 0, *, xla: bool = False) -> int:
        """Bytes of the top-level buffer; for a tuple, of its pointers. `xla`: XLA's number instead of the exact one."""
        flags = raw.SIZE_XLA if xla else 0
        return number(raw.shape_byte_size, self._handle, int64(pointer_size, "pointer_size"), flags)

    @property
    def strides(self) -> Tuple[int, ...]:
        """Bytes between neighbours along each dimension. UnsupportedError if tiles leave no single distance."""
        return numbers(raw.shape_strides, self._handle, raw.UNIT_BYTES)

    @property
    def element_strides(self) -> Tuple[int, ...]:
        """The same in elements."""
        return numbers(raw.shape_strides, self._handle, raw.UNIT_ELEMENTS)

    @property
    def bit_strides(self) -> Tuple[int, ...]:
        """The same in bits, also for elements of less than a byte."""
        return numbers(raw.shape_strides, self._handle, raw.UNIT_BITS)

    @property
    def piece_granularity(self) -> Tuple[int, ...]:
        """Pieces of the array that begin and end at multiples of these, dimension by dimension, share no byte."""
        return numbers(raw.shape_piece_granularity, self._handle)

    def max_split_size(self, dimension: int) -> int:
        """Elements in the largest piece into which the layout's splits divide the dimension."""
        return number(raw.shape_max_split_size, self._handle, int64(dimension, "dimension"))

    def _plain_strides(self) -> Optional[Tuple[int, ...]]:
        """Byte strides, if the layout is an order of the dimensions and nothing else, whatever their sizes are."""
        if raw.shape_has_parts(self._handle, _MORE_THAN_ORDER):
            return None
        return self.strides if self.sizes.element_bits == self.element_type.storage_bits else None

    # Indices

    def dimension_number(self, dimension: int) -> int:
        """-rank..rank-1 to 0..rank-1."""
        return number(raw.dimension_number, self.rank, int64(dimension, "dimension"))

    def contains(self, index: Iterable[int]) -> bool:
        """Whether every index is in [0, dimension)."""
        packed = pack(index, "index")
        return bool(raw.shape_index_in_bounds(self._handle, packed, len(packed) // 8))

    def next_index(self, index: Iterable[int]) -> Optional[Tuple[int, ...]]:
        """The next index, last dimension fastest; None at the end."""
        import ctypes

        start = tuple(index)
        block = (ctypes.c_int64 * len(start)).from_buffer_copy(pack(start, "index"))
        return tuple(block) if raw.shape_next_index(self._handle, block, len(start)) else None


def _unpickle(message: bytes) -> Shape:
    return Shape.from_proto(message, keep_missing_layout=True)


def _shape(value: Any) -> Shape:
    if isinstance(value, Shape):
        return value
    if isinstance(value, str):
        return Shape(value)
    raise TypeError(f"a shape or its text is wanted, not {type(value).__name__}")


def unmodified_dimensions(a: Iterable[int], b: Iterable[int]) -> List[Tuple[int, int]]:
    """Dimensions that a reshape from sizes `a` to `b` does not change, as pairs."""
    left, right = pack(a, "a"), pack(b, "b")
    flat = numbers(raw.dimensions_unmodified_by_reshape, left, len(left) // 8, right, len(right) // 8)
    return list(zip(flat[::2], flat[1::2]))
