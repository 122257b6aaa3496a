# SPDX-License-Identifier: Apache-2.0
"""Shapes: arrays, tuples, tokens, opaques and buffers."""

from __future__ import annotations

from ctypes import c_int64, c_void_p, sizeof
from typing import Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload

from . import _draw, picture
from . import _raw as raw
from ._arrays import described
from ._call import (
    Fact,
    LayoutHandle,
    ShapeHandle,
    c_array,
    call,
    fact,
    head,
    int32,
    int64,
    list_fact,
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
from ._memory import Memory
from .element_type import ElementType
from .enums import Bitcast, BitcastKind, Category, Ignore, LayoutField, Notation
from .errors import InvalidArgumentError, NotFoundError, OutOfRangeError, UnsupportedError, XlashapeError
from .layout import Layout, _layout
from .target import Target, _target
from .window import Window, window_of

_MORE_THAN_ORDER = (
    LayoutField.TILES | LayoutField.TAIL_PADDING_ALIGNMENT | LayoutField.PADDING | LayoutField.METADATA_PREFIX
)
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


class BitcastSteps(NamedTuple):
    """An array transposed by `transpose1` is `reshape_from`, that reshaped is `reshape_to`, that transposed by
    `transpose2` is the other array; no step moves anything. All are set whatever the kind is."""

    kind: BitcastKind
    transpose1: Tuple[int, ...]
    reshape_from: Shape
    reshape_to: Shape
    transpose2: Tuple[int, ...]


class Arranged(NamedTuple):
    """An array in the layout that words ask for, as Shape.with_words gives it. Both shapes are the same memory."""

    destination: Shape  # what the elements are moved to: the dimensions are the array's
    result: Shape  # the dimensions in the order that the words ask for; equal to `destination` unless they permute


class Shape:
    """An immutable value: `Shape("bf16[128,256]{1,0:T(8,128)(2,1)}")`. Every shape that exists is valid. Equality is
    XLA's; a text never equals a shape. Shapes can be hashed, pickled, and used by any thread. A tuple is a sequence of
    its elements. Other notations than XLA's: Shape.read.

    A `dimension` may count from the end: -1 is the last one. Entries of indices, permutations and lists of dimensions
    count from 0, and negative ones are refused."""

    __slots__ = ("_handle", "_sizes", "__weakref__")
    _handle: ShapeHandle
    _sizes: Sizes  # once somebody asked

    def __init__(self, shape: Union[str, Shape], *, keep_missing_layout: bool = False) -> None:
        """From XLA's text, as strict as XLA; an array without a layout gets the row-major one, unless
        keep_missing_layout."""
        if isinstance(shape, Shape):
            self._handle = shape._handle
            return
        if not isinstance(shape, str) and hasattr(shape, "shape") and hasattr(shape, "dtype"):
            raise TypeError(f"a shape must be str, not {type(shape).__name__}: Shape.of takes arrays and their structs")
        encoded = utf8(shape, "a shape")
        self._handle = make(ShapeHandle, raw.shape_parse, encoded, len(encoded), _keep(keep_missing_layout))

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
        handle, rest = head(ShapeHandle, raw.shape_parse_head, text, "a shape", _keep(keep_missing_layout))
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
        """An array. layout: a Layout, or words as of with_layout; by default row-major. `dynamic`: for each dimension
        whether its size is only a bound. A size of UNBOUNDED is `?`."""
        sizes = pack(dimensions, "dimensions")
        rank = len(sizes) // 8
        if dynamic is not None and len(dynamic) != rank:
            raise ValueError(f"{len(dynamic)} dynamic flags for rank {rank}")
        flags = None if dynamic is None else bytes(bool(flag) for flag in dynamic)
        keep = 0 if isinstance(layout, str) else _keep(keep_missing_layout)
        handle = None if layout is None or isinstance(layout, str) else _layout(layout)._handle
        shape = cls._make(raw.shape_create_array, ElementType.of(element_type), sizes, flags, rank, handle, keep)
        return shape._in_words(layout) if isinstance(layout, str) else shape

    @classmethod
    def of(cls, array: Any) -> Shape:
        """The shape of an array of NumPy, PyTorch or JAX, of a jax.ShapeDtypeStruct, or of anything with the buffer
        protocol, __array_interface__ or __dlpack__. The layout is that of its strides; UnsupportedError if no layout
        has these strides (0, negative ones)."""
        shape = getattr(array, "shape", None)
        if isinstance(shape, Shape):  # an Array
            return shape
        memory = described(array)
        shape, _ = said_by(memory, "the array")
        if memory.packed is not None:
            return shape
        # By the library's rules also where the strides move nothing: those of dimensions of size 1 order these
        # dimensions.
        return shape.with_layout(Layout.from_byte_strides(shape.element_type, shape.dimensions, memory.byte_strides))

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
        encoded = message_bytes(message, "a ShapeProto")
        return cls._make(raw.shape_from_proto, encoded, len(encoded), _keep(keep_missing_layout))

    @classmethod
    def read(cls, text: str, *, compact: bool = False) -> Shape:
        """From the text of an array in any project's notation: "float32[2,3]", "i32[64,3,7,7]{OIhw16o}",
        "tensor<2x3xf32>", "memref<2x3xf32, strided<[1, 2]>>", "{'shape': (2, 3), 'dtype': '<f4'}", "(2, 3) float32",
        a ShapeDtypeStruct as jax prints it, CuTe's layout behind a type ("f32 (2,3):(3,1)"), a line of HLO; XLA's text
        as well. ParseError with what was probably meant. UnsupportedError for a memref that does not begin at its first
        element. Strides that leave gaps become padded widths, or are refused with `compact`.

        All functions read a shape's text in this way, but for Shape(text), which takes XLA's alone."""
        encoded = utf8(text, "a shape")
        return cls._make(raw.shape_read, encoded, len(encoded), raw.STRIDES_COMPACT if compact else 0, None)

    # As text and bytes

    def to_text(self, *, with_layout: bool = True, strict: bool = False) -> str:
        """XLA's text. `strict`: UnsupportedError where XLA could not read it (PD, PV)."""
        flags = (0 if with_layout else raw.PRINT_WITHOUT_LAYOUT) | (raw.PRINT_STRICT if strict else 0)
        return text(raw.shape_print, self._handle, flags)

    def to_proto(self) -> bytes:
        """A ShapeProto, byte for byte as XLA serialises it."""
        return octets(raw.shape_to_proto, self._handle, 0)

    def to_notation(self, notation: Union[str, Notation], *, with_layout: bool = True) -> str:
        """The text in another project's notation, by its name in small letters: "mlir", "memref", "cute", "numpy";
        "onednn", "pack", "jax" for the layout alone. UnsupportedError where that cannot say what the shape is. Without
        the layout "mlir" takes any array."""
        if isinstance(notation, str):
            notation = Notation(_named(_NOTATIONS, notation, "notation"))
        if not with_layout and notation != Notation.MLIR:
            raise InvalidArgumentError('with_layout=False is of the notation "mlir"')
        flags = 0 if with_layout else raw.PRINT_WITHOUT_LAYOUT
        return text(raw.shape_print_as, self._handle, int32(notation, "notation"), flags)

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
        return bool(raw.shape_equal(self._handle, other._handle, raw.EQUAL_XLA))

    def __hash__(self) -> int:
        return int(raw.shape_hash(self._handle, raw.EQUAL_XLA))

    def hash_ignoring(self, ignore: Ignore) -> int:
        """A hash that is the same for shapes that are `equal` with the same `ignore`, within one process."""
        return int(raw.shape_hash(self._handle, uint32(ignore, "ignore")))

    def equal(self, other: Union[str, Shape], ignore: Ignore = Ignore.XLA) -> bool:
        """Equality that leaves out what `ignore` names, and nothing else; by default ==."""
        return bool(raw.shape_equal(self._handle, _shape(other)._handle, uint32(ignore, "ignore")))

    def compatible(self, other: Union[str, Shape], ignore: Ignore = Ignore.NOTHING) -> bool:
        """Equality without layout, dynamism and the parts in `ignore`."""
        return bool(raw.shape_compatible(self._handle, _shape(other)._handle, uint32(ignore, "ignore")))

    # What it is

    category = fact(Category, raw.shape_category, "Array, tuple, token, opaque or buffer.")
    element_type = fact(
        ElementType,
        raw.shape_element_type,
        "The element type of an array; for other shapes their own type, such as ElementType.TUPLE.",
    )
    rank = fact(int, raw.shape_rank, "Number of dimensions; 0 if it is not an array.")
    ndim = fact(int, raw.shape_rank, "The rank, by NumPy's name.")
    true_rank = fact(int, raw.shape_true_rank, "Number of dimensions greater than 1.")
    dimensions = list_fact(raw.shape_dimensions, "UNBOUNDED for `?`; a bound for a dynamic dimension.")
    is_dynamic = fact(bool, raw.shape_is_dynamic, "Whether any dimension of any array inside is dynamic.")
    is_unbounded = fact(bool, raw.shape_is_unbounded, "Whether any dimension of any array inside is `?`.")
    is_effective_scalar = fact(bool, raw.shape_is_effective_scalar, "Whether it has exactly one element.")
    is_untiled = fact(bool, raw.shape_is_untiled, "Whether every element is where it would be without tiles.")
    has_layout = fact(
        bool, raw.shape_has_layout, "For an array: False only with keep_missing_layout, or after with_layout(None)."
    )
    leaf_count = fact(int, raw.shape_leaf_count, "How many shapes inside are no tuples.")

    @property
    def is_array(self) -> bool:
        """Also true for a buffer, which behaves as its array."""
        return self.category in (Category.ARRAY, Category.BUFFER)

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple; then len(shape), iter(shape) and shape[i] give its elements."""
        return self.category == Category.TUPLE

    @property
    def dynamic_dimensions(self) -> Tuple[bool, ...]:
        """For each dimension whether its size is only a bound."""
        return tuple(bool(flag) for flag in octets(raw.shape_dynamic_dimensions, self._handle))

    @property
    def layout(self) -> Optional[Layout]:
        """The layout, or None."""
        if not raw.shape_has_layout(self._handle):
            return None
        return Layout._of(make(LayoutHandle, raw.shape_layout, self._handle))

    # Sizes

    element_count = Fact(
        lambda self: number(raw.shape_element_count, self._handle),
        "The product of the dimensions. UnsupportedError if one is `?`.",
    )
    padded_nbytes = Fact(lambda self: int(self.sizes.bytes), "Bytes that the array takes in memory.")
    strides = list_fact(
        raw.shape_strides,
        "Bytes between neighbours along each dimension. UnsupportedError if tiles leave no single distance.",
        raw.UNIT_BYTES,
    )
    element_strides = list_fact(raw.shape_strides, "The same in elements.", raw.UNIT_ELEMENTS)
    bit_strides = list_fact(
        raw.shape_strides, "The same in bits, also for elements of less than a byte.", raw.UNIT_BITS
    )
    piece_granularity = list_fact(
        raw.shape_piece_granularity,
        "Pieces of the array that begin and end at multiples of these, dimension by dimension, share no byte.",
    )

    @property
    def sizes(self) -> Sizes:
        """Sizes of an array or buffer. UnsupportedError for an unbounded one, SizeOverflowError beyond 64 bits."""
        try:
            return self._sizes
        except AttributeError:
            out = raw.sizes(sizeof(raw.sizes))
            call(raw.shape_sizes, self._handle, out)
            self._sizes = Sizes(*(getattr(out, name) for name in Sizes._fields))
            return self._sizes

    window_granularity = list_fact(
        raw.shape_window_granularity,
        "Windows begin and end at multiples of these, dimension by dimension, or at a dimension's end: tiles and bytes "
        "stay whole. The whole dimension where there is no such place.",
    )

    def window(self, base: Iterable[int], extent: Iterable[int]) -> Window:
        """What of the array's storage belongs to the box of `extent` elements from `base` on, for arrays larger than
        memory: an array of its own, and where its bytes are. UnsupportedError where that would cut a tile or a byte:
        window_granularity says where it may be cut. OutOfRangeError where the array has fewer elements. `slabs` chooses
        the boxes for a relayout."""
        return window_of(self, base, extent)

    @property
    def nbytes(self) -> int:
        """Bytes of the elements only, as NumPy's nbytes: each in its type's storage, or in E(n) if that is
        narrower."""
        sizes, own_bits = self.sizes, self.element_type.storage_bits
        return sizes.elements * own_bits // 8 if own_bits < sizes.element_bits else sizes.logical_bytes

    @property
    def waste(self) -> float:
        """padded_nbytes / nbytes: 1.0 means no waste, also for an array without elements."""
        nbytes = self.nbytes
        return self.padded_nbytes / nbytes if nbytes else 1.0

    def byte_size(self, pointer_size: int = 0, *, xla: bool = False) -> int:
        """Bytes of the top-level buffer; for a tuple, of its pointers. `xla`: XLA's number instead of the exact one."""
        flags = raw.SIZE_XLA if xla else 0
        return number(raw.shape_byte_size, self._handle, int64(pointer_size, "pointer_size"), flags)

    def max_split_size(self, dimension: int) -> int:
        """Elements in the largest piece into which the layout's splits divide the dimension."""
        return number(raw.shape_max_split_size, self._handle, int64(dimension, "dimension"))

    def _plain_strides(self) -> Optional[Tuple[int, ...]]:
        """Byte strides, if the layout is an order of the dimensions and nothing else, whatever their sizes are."""
        if raw.shape_has_layout_fields(self._handle, _MORE_THAN_ORDER):
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
        block = c_array(pack(index, "index"))
        return tuple(block) if raw.shape_next_index(self._handle, block, len(block)) else None

    # Tuples

    @property
    def elements(self) -> Tuple[Shape, ...]:
        """Of a tuple; of a buffer its array; of others none."""
        count = raw.shape_tuple_element_count(self._handle)
        return tuple(Shape._make(raw.shape_tuple_element, self._handle, index) for index in range(count))

    # A tuple is a sequence of its elements. An array is none: its dimensions are, and not everybody means those.

    def _of_tuple(self) -> Tuple[Shape, ...]:
        if raw.shape_category(self._handle) != Category.TUPLE:
            raise TypeError(f"{self} is no tuple, and so has no elements; an array has .dimensions")
        return self.elements

    def __len__(self) -> int:
        """Of a tuple: the number of its elements."""
        return len(self._of_tuple())

    def __bool__(self) -> bool:
        """True: an empty tuple is a shape as any other."""
        return True

    def __iter__(self) -> Iterator[Shape]:
        """Of a tuple: its elements."""
        return iter(self._of_tuple())

    @overload
    def __getitem__(self, index: int) -> Shape: ...

    @overload
    def __getitem__(self, index: slice) -> Tuple[Shape, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Shape, Tuple[Shape, ...]]:
        """Of a tuple: an element, -1 the last one, or several."""
        return self._of_tuple()[index]

    def subshape(self, path: Iterable[int]) -> Shape:
        """The shape at a path into nested tuples; the empty path is the shape itself."""
        steps = pack(path, "path")
        return Shape._make(raw.shape_subshape, self._handle, steps, len(steps) // 8)

    def subshapes(self, *, leaves: bool = False) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        """(path, shape) of all shapes inside, outer before inner; `leaves`: only those that are no tuples."""
        return self._visit(raw.VISIT_LEAVES if leaves else 0)

    def missing_layouts(self) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        """(path, shape) of the arrays, and buffers of arrays, inside that have no layout."""
        return self._visit(raw.VISIT_MISSING_LAYOUTS)

    def _visit(self, flags: int) -> Iterator[Tuple[Tuple[int, ...], Shape]]:
        path, length = (c_int64 * raw.MAX_DEPTH)(), c_int64(-1)
        while True:
            try:
                shape = Shape._make(
                    lambda found, err: raw.shape_next_subshape(
                        self._handle, flags, path, raw.MAX_DEPTH, length, found, err
                    )
                )
            except NotFoundError:
                return
            yield tuple(path[: length.value]), shape

    def flatten(self) -> Shape:
        """One tuple of all leaves in order."""
        return Shape._make(raw.shape_flatten_tuple, self._handle)

    # The same with something changed

    def _result(self, function: Any, *arguments: Any) -> Shape:
        return Shape._make(function, self._handle, *arguments)

    def with_layout(self, layout: Union[str, Layout, None]) -> Shape:
        """With a Layout, or with the one that words ask for: "{0,1:T(8,128)}", "row", "col", "nChw16c" and all others
        of with_words that leave the dimensions as they are. None takes the layout away."""
        if isinstance(layout, str):
            return self._in_words(layout)
        return self._result(raw.shape_with_layout, None if layout is None else _layout(layout)._handle)

    def with_words(self, words: str, *, compact: bool = False) -> Arranged:
        """The array in the layout that words ask for, as people write them: XLA's, "{0,1:T(8,128)}" or "T(8,128)";
        "row", "col", "C", "F", "channels_last"; a permutation as in NumPy, "2,0,1", ".T" or "permute(0, 3, 1, 2)";
        "NHWC->NCHW", "h w c -> c h w"; a tag of oneDNN, TVM or ONNX Runtime, "nChw16c"; the attributes of linalg.pack;
        jax's "Layout(...)"; CuTe's and a memref's layout; tt-metal's "Tile([32, 32])". Sizes that blocks do not divide
        are padded. An element type in front, "bf16{1,0}" or "int8 col", or alone, is that of what a relayout with
        convert=True moves to. ParseError with the word that was probably meant; UnsupportedError for what no layout
        says, such as a swizzle. compact: as of `read`."""
        encoded = utf8(words, "words for a layout")
        destination, result = ShapeHandle(), ShapeHandle()
        flags = raw.STRIDES_COMPACT if compact else 0
        call(raw.shape_with_words, self._handle, encoded, len(encoded), flags, destination, result)
        return Arranged(Shape._of(destination), Shape._of(result))

    def _in_words(self, words: str, of_any_type: bool = False) -> Shape:
        """The array in another layout, where the words ask for nothing more, except maybe another element type."""
        arranged = self.with_words(words)
        if not of_any_type and arranged.result.element_type != self.element_type:
            raise InvalidArgumentError(
                f"{words!r} asks for another element type, which a layout does not: use relayout, or Shape.with_words"
            )
        if arranged.result != arranged.destination:
            raise InvalidArgumentError(
                f"{words!r} permutes the dimensions, which a layout does not: use relayout, or Shape.with_words"
            )
        return arranged.destination

    def with_element_type(self, element_type: Any) -> Shape:
        """Every array inside with that element type."""
        return self._result(raw.shape_with_element_type, ElementType.of(element_type))

    def with_dimension(self, dimension: int, size: int, *, dynamic: Optional[bool] = None) -> Shape:
        """With another size of one dimension. `dynamic`: whether the size is only a bound; by default where it is
        UNBOUNDED, which cannot be static.
        """
        numbers = (int64(dimension, "dimension"), int64(size, "size"))
        is_dynamic = numbers[1] == raw.DIMENSION_UNBOUNDED if dynamic is None else bool(dynamic)
        return self._result(raw.shape_with_dimension, *numbers, is_dynamic)

    def with_packed_elements(self) -> Shape:
        """E(n) set for types of less than a byte."""
        return self._result(raw.shape_with_packed_elements)

    def with_default_layouts(self) -> Shape:
        """Row-major order for every array inside, all else of its layout as it was."""
        return self._result(raw.shape_with_default_layouts)

    def for_target(self, target: Union[str, Target], *, keep_order: bool = False) -> Shape:
        """Every array inside with the layout that the target's compiler chooses for it, whatever layout it had; with
        keep_order an array that has a layout keeps its order, and only the tiles are chosen. Tokens and opaques in a
        tuple stay; alone they are UnsupportedError. If an array of a tuple has no such layout, the error's `index` is
        its number among the arrays."""
        flags = raw.TARGET_KEEP_ORDER if keep_order else 0
        return self._result(raw.shape_for_target, _target(target)._number, flags)

    def without_layout_fields(self, fields: LayoutField) -> Shape:
        """Those fields of the layout unset in every array inside."""
        return self._result(raw.shape_without_layout_fields, uint32(fields, "fields"))

    def has_layout_fields(self, fields: LayoutField) -> bool:
        """Any array inside sets any of them."""
        return bool(raw.shape_has_layout_fields(self._handle, uint32(fields, "fields")))

    def to_static(self) -> Shape:
        """Bounds as static sizes everywhere inside."""
        return self._result(raw.shape_to_static)

    # Transposed, reshaped

    def permute_dimensions(self, permutation: Iterable[int], *, keep_layout: bool = False) -> Shape:
        """new.dimensions[i] = dimensions[permutation[i]], in the same memory; with keep_layout the order in memory
        stays, so that the memory changes."""
        order = pack(permutation, "permutation")
        flags = raw.PERMUTE_KEEP_LAYOUT if keep_layout else 0
        return self._result(raw.shape_permute_dimensions, order, len(order) // 8, flags)

    def insert_dimensions(self, at: int, sizes: Iterable[int], *, most_major: bool = False) -> Shape:
        """New dimensions before dimension `at`."""
        new = pack(sizes, "sizes")
        flags = raw.INSERT_MOST_MAJOR if most_major else 0
        return self._result(raw.shape_insert_dimensions, int64(at, "at"), new, len(new) // 8, flags)

    def delete_dimensions(self, dimensions: Iterable[int]) -> Shape:
        """Without those dimensions; the others keep their order in memory. UnsupportedError where a tile covers one of
        them, except sizes of 1 whose removal moves no element."""
        gone = pack(dimensions, "dimensions")
        return self._result(raw.shape_delete_dimensions, gone, len(gone) // 8)

    def drop_degenerate_dimensions(self) -> Shape:
        """Without the dimensions of size 1, in the same memory."""
        return self._result(raw.shape_drop_degenerate_dimensions)

    def to_physical_order(self) -> Shape:
        """The same memory with dimensions permuted so that its layout is row-major."""
        return self._result(raw.shape_to_physical_order)

    def reshape_is_bitcast(self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT) -> bool:
        """Reshaping to `other` (elements in row-major order) moves nothing."""
        return bool(raw.shape_reshape_is_bitcast(self._handle, _shape(other)._handle, uint32(flags, "flags")))

    def transpose_is_bitcast(
        self, other: Union[str, Shape], permutation: Iterable[int], flags: Bitcast = Bitcast.EXACT
    ) -> bool:
        """Transposing to `other`, other.dimensions[i] = dimensions[permutation[i]], moves nothing."""
        order = pack(permutation, "permutation")
        mask = uint32(flags, "flags")
        return bool(raw.shape_transpose_is_bitcast(self._handle, _shape(other)._handle, order, len(order) // 8, mask))

    def deduce_transpose(self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT) -> Optional[Tuple[int, ...]]:
        """The permutation that makes the transpose to `other` a bitcast; None where there is none."""
        mask = uint32(flags, "flags")
        try:
            return numbers(raw.shape_deduce_transpose, self._handle, _shape(other)._handle, mask)
        except NotFoundError:
            return None

    def decompose_bitcast(self, other: Union[str, Shape], flags: Bitcast = Bitcast.EXACT) -> Optional[BitcastSteps]:
        """This array's memory seen as `other`, in steps that are bitcasts each; None where there is no such way. XLA's
        own answer, which asks for equal numbers of elements only: Bitcast.XLA | Bitcast.IGNORE_ELEMENT_TYPE."""
        other_handle = _shape(other)._handle
        first = (c_int64 * self.rank)()
        last = (c_int64 * raw.shape_rank(other_handle))()
        steps = raw.bitcast_steps(
            sizeof(raw.bitcast_steps), 0, first, len(first), last, len(last), None, None
        )
        try:
            call(raw.shape_decompose_bitcast, self._handle, other_handle, uint32(flags, "flags"), steps)
        except NotFoundError:
            return None
        source, target = ShapeHandle(steps.reshape_from), ShapeHandle(steps.reshape_to)
        return BitcastSteps(BitcastKind(steps.kind), tuple(first), Shape._of(source), Shape._of(target), tuple(last))

    def align_layouts(self, dimensions: Iterable[int], flags: Bitcast = Bitcast.EXACT) -> Optional[Layout]:
        """A layout for `dimensions` that makes the reshape to them a bitcast; None where there is none."""
        sizes, mask = pack(dimensions, "dimensions"), uint32(flags, "flags")
        try:
            handle = make(LayoutHandle, raw.shape_align_layouts, self._handle, sizes, len(sizes) // 8, mask)
        except NotFoundError:
            return None
        return Layout._of(handle)

    def inserted_or_deleted_ones(self, other: Union[str, Shape]) -> Optional[Tuple[Tuple[int, ...], Tuple[int, ...]]]:
        """(dimensions of size 1 that go, those of `other` that come) when the reshape does nothing else, or None."""
        other_handle = _shape(other)._handle
        gone = (c_int64 * max(1, self.rank))()
        new = (c_int64 * max(1, raw.shape_rank(other_handle)))()
        gone_count, new_count = c_int64(), c_int64()
        parts = (gone, len(gone), gone_count, new, len(new), new_count)
        try:
            call(raw.shape_inserted_or_deleted_ones, self._handle, other_handle, *parts)
        except NotFoundError:
            return None
        return tuple(gone[: gone_count.value]), tuple(new[: new_count.value])

    # Pictures

    def draw(
        self,
        other: Union[str, Shape, None] = None,
        *,
        format: str = "text",
        show: str = "position",
        color_by: Union[str, int] = "position",
        zoom: int = 0,
        columns: int = 0,
        max_cells: int = 0,
        overlay_bytes: int = 0,
        at: Optional[Mapping[int, int]] = None,
        color: bool = False,
        ascii: bool = False,
        data: bool = False,
    ) -> str:
        """The array's cells as one reads them, each with its place in memory, the tiles' borders, and the padding. Of
        large arrays the first, the second and the last tile are shown, with exact counts of what is left out. With
        `other`, an array of the same dimensions: both, each element in the same colour, and what a relayout from one
        to the other does.

        format: "text" for a terminal; "svg", readable on light and dark ground; "html", a page that needs nothing else.
        show: what stands in a cell: "position" in memory, "index", "byte", "tile", "lane" (sublane.lane of a TPU's
        register), "nothing". color_by: the order in memory ("position"), "tile", or the dimension whose index counts.
        zoom: a cell is an element (0), a tile of the innermost level (1), of the one around it (2), and so on.
        columns: characters per line of a text; 0: 80. max_cells: to show at most; 0: 1024 in a text, else up to 4096.
        overlay_bytes: marks where blocks of so many bytes end. at: {dimension: index}, which alone is shown of it.
        color: a text with 24-bit colours; ascii: a text of nothing but ASCII. data: SVG with what is known of a cell as
        data- attributes, for programs, not as titles.

        UnsupportedError for what is no array, for unbounded dimensions, and with zoom where tiles do not nest.
        ImportError where libxlashape_draw is not installed beside the library; wheels have it."""
        options = _draw.Options(sizeof(_draw.Options))
        options.format = _named(_draw.FORMATS, format, "format")
        options.show = _named(_draw.SHOWN, show, "show")
        if isinstance(color_by, str):
            options.color_by = _named(_draw.COLORS, color_by, "color_by")
        else:
            options.color_by = _draw.BY_DIMENSION
            options.color_dimension = self._dimension(color_by, "color_by")
        chosen = ((color, _draw.COLOR), (ascii, _draw.ASCII), (data, _draw.DATA))
        options.flags = sum(flag for wanted, flag in chosen if wanted)
        options.zoom = int32(zoom, "zoom")
        options.columns = int32(columns, "columns")
        options.max_cells = int32(max_cells, "max_cells")
        options.overlay_bytes = int64(overlay_bytes, "overlay_bytes")
        if at:
            options.at = c_array(pack(self._fixed(at), "at"))
            options.at_count = self.rank
        return text(_draw.function(), self._handle, None if other is None else _shape(other)._handle, options)

    def _dimension(self, dimension: Any, what: str) -> int:
        return number(raw.dimension_number, self.rank, int64(dimension, what))

    def _fixed(self, at: Mapping[int, int]) -> Tuple[int, ...]:
        """Per dimension the index that alone is shown, or -1, which no index may be."""
        fixed: Dict[int, int] = {}
        for dimension, position in dict(at).items():
            which = self._dimension(dimension, "a dimension in at")
            if which in fixed:
                raise InvalidArgumentError(f"at has dimension {which} twice")
            fixed[which] = int64(position, f"at[{dimension}]")
            if fixed[which] < 0:
                raise OutOfRangeError(f"at[{dimension}] is {fixed[which]}: indices count from 0")
        return tuple(fixed.get(which, -1) for which in range(self.rank))

    def _repr_svg_(self) -> Optional[str]:
        return picture.svg(self)

    def _repr_html_(self) -> str:
        return picture.html(self)


def said_by(memory: Memory, what: str) -> Tuple[Shape, Optional[Tuple[int, ...]]]:
    """What memory says of itself: a shape, and the byte strides where the shape's row-major layout is not theirs."""
    if memory.packed is not None:
        return Shape._of(memory.packed), None
    if memory.element_type is None:
        raise UnsupportedError(f"{what} is of {memory.dtype}, which is no element type; say its shape instead")
    shape = Shape.array(memory.element_type, memory.dimensions)
    return shape, None if memory.contiguous else memory.byte_strides


def _keep(keep_missing_layout: bool) -> int:
    return raw.SHAPE_KEEP_MISSING_LAYOUT if keep_missing_layout else 0


def _unpickle(message: bytes) -> Shape:
    return Shape.from_proto(message, keep_missing_layout=True)


def _shape(value: Any) -> Shape:
    if isinstance(value, Shape):
        return value
    if isinstance(value, str):
        return Shape.read(value)
    raise TypeError(f"a shape or its text is wanted, not {type(value).__name__}")


def _destination(source: Shape, value: Any) -> Shape:
    """A shape or its text, or words for a layout of `source`."""
    if isinstance(value, str):
        try:
            return Shape.read(value)
        except XlashapeError:
            if not source.is_array:
                raise
        return source._in_words(value, of_any_type=True)
    return _shape(value)


_NOTATIONS = {notation.name.lower(): int(notation) for notation in Notation}


def unmodified_dimensions(a: Iterable[int], b: Iterable[int]) -> List[Tuple[int, int]]:
    """Dimensions that a reshape from sizes `a` to `b` does not change, as pairs."""
    left, right = pack(a, "a"), pack(b, "b")
    flat = numbers(raw.dimensions_unmodified_by_reshape, left, len(left) // 8, right, len(right) // 8)
    return list(zip(flat[::2], flat[1::2]))


def _named(numbers: Mapping[str, int], name: str, what: str) -> int:
    if not isinstance(name, str):
        raise TypeError(f"{what} must be str, not {type(name).__name__}")
    if name not in numbers:
        raise InvalidArgumentError(f"{what} is {name!r}, it must be one of {', '.join(numbers)}")
    return numbers[name]


def normalized_transpose(
    dimensions: Iterable[int], permutation: Iterable[int]
) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
    """A transpose with dimensions of size 1 dropped and those that stay together merged: (sizes of the result, its
    permutation)."""
    sizes, order = pack(dimensions, "dimensions"), pack(permutation, "permutation")
    if len(sizes) != len(order):
        raise InvalidArgumentError(f"a permutation of {len(order) // 8} for {len(sizes) // 8} dimensions")
    capacity = len(sizes) // 8 + 1
    out_sizes, out_order, needed = (c_int64 * capacity)(), (c_int64 * capacity)(), c_int64()
    call(raw.normalized_transpose, sizes, order, capacity - 1, out_sizes, out_order, capacity, needed)
    return tuple(out_sizes[: needed.value]), tuple(out_order[: needed.value])
