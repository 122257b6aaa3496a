# SPDX-License-Identifier: Apache-2.0
"""Layouts: how an array's dimensions are arranged in memory."""

from __future__ import annotations

from ctypes import sizeof
from itertools import islice
from typing import Any, Dict, Iterable, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw as raw
from ._call import (
    LayoutHandle,
    c_array,
    call,
    fact,
    head,
    int32,
    int64,
    list_fact,
    make,
    message_bytes,
    numbers,
    octets,
    pack,
    text,
    uint32,
    utf8,
)
from .element_type import ElementType
from .enums import Ignore, PaddingValue
from .errors import InvalidArgumentError
from .target import Target, _target

COMBINE_DIMENSION = raw.COMBINE_DIMENSION  # `*` in a tile: merge with the next more minor dimension
MATCH_DIMENSION = raw.MATCH_DIMENSION  # `d` in a tile: the size of the dimension that it covers


class Split(NamedTuple):
    """A split of a physical dimension (0 = most major) at those indices."""

    dimension: int
    indices: Tuple[int, ...]


class Layout:
    """An immutable value. `Layout("{1,0:T(8,128)(2,1)}")`, or `Layout((1, 0), tiles=[(8, 128), (2, 1)])`; the fields
    are properties. Equality is XLA's; a text never equals a layout. Any thread may use it."""

    __slots__ = ("_handle", "__weakref__")
    _handle: LayoutHandle

    def __init__(self, layout: Union[str, Layout, Iterable[int]], **fields: Any) -> None:
        """From XLA's text, braces included (ParseError has the place of an error), or from numbers: minor_to_major, and
        the other fields by the names of create."""
        if not isinstance(layout, (str, Layout)):
            if not hasattr(layout, "__iter__"):
                raise TypeError(f"a layout's text, or its minor_to_major, is wanted, not {type(layout).__name__}")
            self._handle = Layout.create(layout, **fields)._handle
            return
        if fields:
            raise TypeError(f"a layout and {', '.join(fields)}: these go with minor_to_major")
        if isinstance(layout, Layout):
            self._handle = layout._handle
            return
        encoded = utf8(layout, "a layout")
        self._handle = make(LayoutHandle, raw.layout_parse, encoded, len(encoded), 0)

    @classmethod
    def _of(cls, handle: LayoutHandle) -> Layout:
        self = object.__new__(cls)
        self._handle = handle
        return self

    @classmethod
    def create(
        cls,
        minor_to_major: Iterable[int],
        *,
        tiles: Sequence[Sequence[Union[int, str]]] = (),
        padded_dimensions: Optional[Iterable[int]] = None,
        padding_value: PaddingValue = PaddingValue.INVALID,
        element_size_in_bits: int = 0,
        tail_padding_alignment_in_elements: int = 0,
        memory_space: int = 0,
        splits: Sequence[Tuple[int, Sequence[int]]] = (),
        dynamic_shape_metadata_prefix_bytes: int = 0,
    ) -> Layout:
        """From its fields. minor_to_major: the dimensions, the one whose neighbours are closest in memory first. Tiles:
        outermost level first, sizes most major first, "*" (COMBINE_DIMENSION) and "d" (MATCH_DIMENSION) allowed.
        padded_dimensions: the width of each dimension in memory. element_size_in_bits 0: the type's storage bits.
        splits: pairs of a physical dimension and indices."""
        return cls._create(
            raw.layout_spec(sizeof(raw.layout_spec)),
            minor_to_major=minor_to_major,
            tiles=tiles,
            padded_dimensions=padded_dimensions,
            padding_value=padding_value,
            element_size_in_bits=element_size_in_bits,
            tail_padding_alignment_in_elements=tail_padding_alignment_in_elements,
            memory_space=memory_space,
            splits=splits,
            dynamic_shape_metadata_prefix_bytes=dynamic_shape_metadata_prefix_bytes,
        )

    @classmethod
    def _create(cls, spec: raw.layout_spec, **fields: Any) -> Layout:
        """`spec` with these fields changed."""
        widths = spec.rank if spec.padded_dimensions else None
        for name, value in fields.items():
            if name == "minor_to_major":
                spec.rank, spec.minor_to_major = _list(value, name)
            elif name == "padded_dimensions":
                widths, spec.padded_dimensions = (None, None) if value is None else _list(value, name)
            elif name == "tiles":
                tiles = [[_SIZES.get(size, size) for size in tile] for tile in value]
                spec.tile_count, spec.tile_ranks = _list([len(tile) for tile in tiles], name)
                _, spec.tile_dimensions = _list([size for tile in tiles for size in tile], name)
            elif name == "splits":
                splits = [(dimension, tuple(indices)) for dimension, indices in value]
                spec.split_count, spec.split_dimensions = _list([dimension for dimension, _ in splits], name)
                _, spec.split_sizes = _list([len(indices) for _, indices in splits], name)
                _, spec.split_indices = _list([index for _, indices in splits for index in indices], name)
            elif name == "padding_value":
                spec.padding_value = int32(value, name)
            else:
                setattr(spec, name, int64(value, name))
        if widths not in (None, 0, spec.rank):
            raise InvalidArgumentError(f"padded_dimensions has {widths} entries, the rank is {spec.rank}")
        if widths == 0:
            spec.padded_dimensions = None
        return cls._of(make(LayoutHandle, raw.layout_create, spec))

    def _spec(self) -> raw.layout_spec:
        """All fields. Its arrays are the layout's own."""
        spec = raw.layout_spec(sizeof(raw.layout_spec))
        call(raw.layout_get_spec, self._handle, spec)
        return spec

    @classmethod
    def parse_head(cls, text: str) -> Tuple[Layout, str]:
        """Parses the layout at the start of the text; returns it and the rest of the text."""
        handle, rest = head(LayoutHandle, raw.layout_parse_head, text, "a layout", 0)
        return cls._of(handle), rest

    def replace(self, **fields: Any) -> Layout:
        """This layout with some fields changed: any of those of `create`."""
        unknown = [name for name in fields if name not in _FIELDS]
        if unknown:
            raise TypeError(f"a layout has no {', '.join(unknown)}")
        return Layout._create(self._spec(), **fields)

    @classmethod
    def row_major(cls, rank: int) -> Layout:
        """{rank-1,...,0}: XLA's default."""
        return cls._of(make(LayoutHandle, raw.layout_create_row_major, int64(rank, "rank")))

    @classmethod
    def column_major(cls, rank: int) -> Layout:
        """{0,...,rank-1}"""
        return cls._of(make(LayoutHandle, raw.layout_create_column_major, int64(rank, "rank")))

    @classmethod
    def from_byte_strides(
        cls, element_type: Any, dimensions: Iterable[int], byte_strides: Iterable[int], *, compact: bool = False
    ) -> Layout:
        """The layout with these strides; gaps become padded widths, or are refused with `compact`.
        UnsupportedError if no layout has these strides: 0, negative or overlapping ones."""
        sizes, strides = pack(dimensions, "dimensions"), pack(byte_strides, "byte_strides")
        if len(sizes) != len(strides):
            raise ValueError(f"{len(strides) // 8} strides for rank {len(sizes) // 8}")
        flags = raw.STRIDES_COMPACT if compact else 0
        function = raw.layout_from_byte_strides
        return cls._of(
            make(LayoutHandle, function, ElementType.of(element_type), sizes, strides, len(sizes) // 8, flags)
        )

    @classmethod
    def for_target(
        cls,
        target: Union[str, Target],
        element_type: Any,
        dimensions: Iterable[int],
        *,
        minor_to_major: Optional[Iterable[int]] = None,
    ) -> Layout:
        """The layout that the target's compiler chooses for an array; with minor_to_major that order is kept, and only
        the tiles are chosen. UnsupportedError for types that the target lacks and for UNBOUNDED dimensions,
        SizeOverflowError where the array takes more bytes in its layout than fit 64 bits."""
        machine, kind, sizes = _target(target)._number, ElementType.of(element_type), pack(dimensions, "dimensions")
        order = None if minor_to_major is None else pack(minor_to_major, "minor_to_major")
        if order is not None and len(order) != len(sizes):
            raise ValueError(f"minor_to_major has {len(order) // 8} entries, the rank is {len(sizes) // 8}")
        return cls._of(make(LayoutHandle, raw.target_layout, machine, kind, sizes, order, len(sizes) // 8))

    @classmethod
    def from_proto(cls, message: bytes) -> Layout:
        """From a serialised LayoutProto."""
        encoded = message_bytes(message, "a LayoutProto")
        return cls._of(make(LayoutHandle, raw.layout_from_proto, encoded, len(encoded), 0))

    def to_proto(self) -> bytes:
        """A LayoutProto, byte for byte as XLA serialises it."""
        return octets(raw.layout_to_proto, self._handle, 0)

    def to_text(self, *, strict: bool = False) -> str:
        """XLA's text. `strict`: UnsupportedError where XLA could not read it (PD, PV)."""
        return text(raw.layout_print, self._handle, raw.PRINT_STRICT if strict else 0)

    def __str__(self) -> str:
        return text(raw.layout_print, self._handle, 0)

    def __repr__(self) -> str:
        return f"Layout({str(self)!r})"

    def __format__(self, format_spec: str) -> str:
        """The text, with the format of a str: f"{layout:>20}"."""
        return format(str(self), format_spec)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return bool(raw.layout_equal(self._handle, other._handle, raw.EQUAL_XLA))

    def equal(self, other: Union[str, Layout], ignore: Ignore = Ignore.XLA) -> bool:
        """Equality that leaves out what `ignore` names, and nothing else; by default ==."""
        return bool(raw.layout_equal(self._handle, _layout(other, self.rank)._handle, uint32(ignore, "ignore")))

    def __hash__(self) -> int:
        return int(raw.layout_hash(self._handle, raw.EQUAL_XLA))

    def hash_ignoring(self, ignore: Ignore) -> int:
        """A hash that is the same for layouts that are `equal` with the same `ignore`, within one process."""
        return int(raw.layout_hash(self._handle, uint32(ignore, "ignore")))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Layout.from_proto, (self.to_proto(),)

    rank = fact(int, raw.layout_rank, "Number of dimensions.")
    minor_to_major = list_fact(
        raw.layout_minor_to_major, "The dimensions, the one whose neighbours are closest in memory first."
    )
    logical_to_physical = list_fact(
        raw.layout_logical_to_physical, "For each dimension, its place counted from the most major one."
    )
    padding_value = fact(
        PaddingValue, raw.layout_padding_value, "The value that fills positions without an element."
    )
    element_size_in_bits = fact(int, raw.layout_element_size_in_bits, "0: the type's storage bits.")
    tail_padding_alignment_in_elements = fact(
        int,
        raw.layout_tail_padding_alignment_in_elements,
        "The storage is a multiple of this many elements; 1: no tail.",
    )
    memory_space = fact(
        int,
        raw.layout_memory_space,
        "XLA's number of a device's memory, S(n) in text; 0: the default. It does not change where elements are.",
    )
    dynamic_shape_metadata_prefix_bytes = fact(
        int,
        raw.layout_dynamic_shape_metadata_prefix_bytes,
        "Bytes before the data that hold the sizes of dynamic dimensions, M(n) in text.",
    )
    is_dim0_major = fact(
        bool, raw.layout_is_dim0_major, "Row-major: the dimensions in order, dimension 0 the most major one."
    )
    is_dim0_minor = fact(
        bool, raw.layout_is_dim0_minor, "Column-major: the dimensions in order, dimension 0 the most minor one."
    )

    @property
    def padded_dimensions(self) -> Optional[Tuple[int, ...]]:
        """The padded widths, or None if none are set."""
        return numbers(raw.layout_padded_dimensions, self._handle) or None

    @property
    def tiles(self) -> Tuple[Tuple[int, ...], ...]:
        """Sizes of each level, outermost first; COMBINE_DIMENSION for `*`, MATCH_DIMENSION for `d`."""
        spec = self._spec()
        sizes = iter(spec.tile_dimensions[: sum(spec.tile_ranks[: spec.tile_count])])
        return tuple(tuple(islice(sizes, rank)) for rank in spec.tile_ranks[: spec.tile_count])

    @property
    def splits(self) -> Tuple[Split, ...]:
        """How physical dimensions are split over memories, SC(...) in text."""
        spec = self._spec()
        sizes = spec.split_sizes[: spec.split_count]
        indices = iter(spec.split_indices[: sum(sizes)])
        dimensions = spec.split_dimensions[: spec.split_count]
        return tuple(Split(dimension, tuple(islice(indices, size))) for dimension, size in zip(dimensions, sizes))

    def tile_text(self, level: int) -> str:
        """One tile level as in the text: "(8,128)"."""
        return text(raw.layout_print_tile, self._handle, int64(level, "level"))

    def split_text(self, split: int) -> str:
        """One split as in the text: "(1:4,8)"."""
        return text(raw.layout_print_split, self._handle, int64(split, "split"))

    def move_dimension_to_major(self, dimension: int) -> Layout:
        """The same with that dimension as the most major one. Tiles stay, and so apply to the new order."""
        return self._moved(raw.layout_move_dimension_to_major, dimension)

    def move_dimension_to_minor(self, dimension: int) -> Layout:
        """The same with that dimension as the most minor one. Tiles stay, and so apply to the new order."""
        return self._moved(raw.layout_move_dimension_to_minor, dimension)

    def _moved(self, function: Any, dimension: int) -> Layout:
        return Layout._of(make(LayoutHandle, function, self._handle, int64(dimension, "dimension")))

    def delete_dimensions(self, dimensions: Iterable[int]) -> Layout:
        """The layout without these dimensions, the others renumbered. UnsupportedError if a tile covers one of them."""
        gone = pack(dimensions, "dimensions")
        return Layout._of(make(LayoutHandle, raw.layout_delete_dimensions, self._handle, gone, len(gone) // 8))


_FIELDS = Layout.create.__kwdefaults__.keys() | {"minor_to_major"}
_SIZES: Dict[Any, int] = {"*": COMBINE_DIMENSION, "d": MATCH_DIMENSION}  # in tiles


def _list(values: Iterable[int], what: str) -> Tuple[int, Any]:
    """(its length, the list for C)"""
    packed = pack(values, what)
    return len(packed) // 8, c_array(packed)


def _layout(value: Any, rank: Optional[int] = None) -> Layout:
    """For an array of that rank, "row" and "col" are layouts, too."""
    if isinstance(value, Layout):
        return value
    if isinstance(value, str):
        return Layout(value) if rank is None or value not in _BY_NAME else _BY_NAME[value](rank)
    raise TypeError(f"a layout or its text is wanted, not {type(value).__name__}")


_BY_NAME = {"row": Layout.row_major, "col": Layout.column_major}
