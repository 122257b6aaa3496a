"""Layouts: how an array's dimensions are arranged in memory."""

from __future__ import annotations

from itertools import islice
from typing import Any, Dict, Iterable, Iterator, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw as raw
from ._call import (
    LayoutHandle,
    field,
    head,
    int32,
    int64,
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
from .target import Target, _target

COMBINE_DIMENSION = raw.COMBINE_DIMENSION  # `*` in a tile: merge with the next more minor dimension
MATCH_DIMENSION = raw.MATCH_DIMENSION  # `d` in a tile: the size of the dimension that it covers


class Split(NamedTuple):
    """A split of a physical dimension (0 = most major) at those indices."""

    dimension: int
    indices: Tuple[int, ...]


class Layout:
    """An immutable value. `Layout("{1,0:T(8,128)(2,1)}")`, or `Layout((1, 0), tiles=[(8, 128), (2, 1)])`; the parts
    are properties. Equality is XLA's; a text never equals a layout. Any thread may use it."""

    __slots__ = ("_handle", "__weakref__")
    _handle: LayoutHandle

    def __init__(self, layout: Union[str, Layout, Iterable[int]], **parts: Any) -> None:
        """From XLA's text, braces included (ParseError has the place of an error), or from numbers: minor_to_major, and
        the other parts by the names of of_parts."""
        if not isinstance(layout, (str, Layout)):
            if not hasattr(layout, "__iter__"):
                raise TypeError(f"a layout's text, or its minor_to_major, is wanted, not {type(layout).__name__}")
            self._handle = Layout.of_parts(layout, **parts)._handle
            return
        if parts:
            raise TypeError(f"a layout and {', '.join(parts)}: parts go with minor_to_major")
        if isinstance(layout, Layout):
            self._handle = layout._handle
            return
        encoded = utf8(layout, "a layout")
        self._handle = make(LayoutHandle, raw.layout_parse, encoded, len(encoded))

    @classmethod
    def _of(cls, handle: LayoutHandle) -> Layout:
        self = object.__new__(cls)
        self._handle = handle
        return self

    @classmethod
    def of_parts(
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
        """From its parts. minor_to_major: the dimensions, the one whose neighbours are closest in memory first. Tiles:
        outermost level first, sizes most major first, "*" (COMBINE_DIMENSION) and "d" (MATCH_DIMENSION) allowed.
        padded_dimensions: the width of each dimension in memory. element_size_in_bits 0: the type's storage bits.
        splits: pairs of a physical dimension and indices."""
        parts = {
            "minor_to_major": minor_to_major,
            "tiles": tiles,
            "padded_dimensions": padded_dimensions,
            "padding_value": padding_value,
            "element_size_in_bits": element_size_in_bits,
            "tail_padding_alignment_in_elements": tail_padding_alignment_in_elements,
            "memory_space": memory_space,
            "splits": splits,
            "dynamic_shape_metadata_prefix_bytes": dynamic_shape_metadata_prefix_bytes,
        }
        return cls._of_fields(_as_fields(name, value) for name, value in parts.items())

    @classmethod
    def _of_fields(cls, fields: Iterable[bytes]) -> Layout:
        joined = b"".join(fields)
        return cls._of(make(LayoutHandle, raw.layout_create_from_fields, joined, len(joined) // 8))

    def _fields(self) -> Iterator[Tuple[int, Tuple[int, ...]]]:
        """(number, values) of all fields of the layout."""
        values = iter(numbers(raw.layout_fields, self._handle))
        for number in values:
            yield number, tuple(islice(values, next(values)))

    @classmethod
    def parse_head(cls, text: str) -> Tuple[Layout, str]:
        """Parses the layout at the start of the text; returns it and the rest of the text."""
        handle, rest = head(LayoutHandle, raw.layout_parse_head, text, "a layout")
        return cls._of(handle), rest

    def replace(self, **parts: Any) -> Layout:
        """This layout with some parts changed: any of those of `of_parts`."""
        unknown = [name for name in parts if name not in _NUMBERS]
        if unknown:
            raise TypeError(f"a layout has no {', '.join(unknown)}")
        changed = [_NUMBERS[name] for name in parts]
        kept = [field(number, values, "a layout") for number, values in self._fields() if number not in changed]
        return Layout._of_fields([*kept, *(_as_fields(name, value) for name, value in parts.items())])

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
        return cls._of(make(LayoutHandle, raw.layout_from_proto, encoded, len(encoded)))

    def to_proto(self) -> bytes:
        """A LayoutProto, byte for byte as XLA serialises it."""
        return octets(raw.layout_to_proto, self._handle)

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
        return bool(raw.layout_equal(self._handle, other._handle, 0))

    def equal(self, other: Union[str, Layout], ignore: Ignore = Ignore.NOTHING) -> bool:
        """Equality without the parts in `ignore`."""
        return bool(raw.layout_equal(self._handle, _layout(other, self.rank)._handle, uint32(ignore, "ignore")))

    def __hash__(self) -> int:
        return int(raw.layout_hash(self._handle, 0))

    def hash_ignoring(self, ignore: Ignore) -> int:
        """A hash that is the same for layouts that are `equal` with the same `ignore`, within one process."""
        return int(raw.layout_hash(self._handle, uint32(ignore, "ignore")))

    def __reduce__(self) -> Tuple[Any, ...]:
        return Layout.from_proto, (self.to_proto(),)

    @property
    def rank(self) -> int:
        """Number of dimensions."""
        return int(raw.layout_rank(self._handle))

    @property
    def minor_to_major(self) -> Tuple[int, ...]:
        """The dimensions, the one whose neighbours are closest in memory first."""
        return numbers(raw.layout_minor_to_major, self._handle)

    @property
    def logical_to_physical(self) -> Tuple[int, ...]:
        """For each dimension, its place counted from the most major one."""
        return numbers(raw.layout_logical_to_physical, self._handle)

    @property
    def padded_dimensions(self) -> Optional[Tuple[int, ...]]:
        """The padded widths, or None if none are set."""
        return numbers(raw.layout_padded_dimensions, self._handle) or None

    @property
    def padding_value(self) -> PaddingValue:
        """The value that fills positions without an element."""
        return PaddingValue(raw.layout_padding_value(self._handle))

    @property
    def tiles(self) -> Tuple[Tuple[int, ...], ...]:
        """Sizes of each level, outermost first; COMBINE_DIMENSION for `*`, MATCH_DIMENSION for `d`."""
        return tuple(sizes for number, sizes in self._fields() if number == raw.LAYOUT_FIELD_TILE)

    @property
    def element_size_in_bits(self) -> int:
        """0: the type's storage bits."""
        return int(raw.layout_element_size_in_bits(self._handle))

    @property
    def tail_padding_alignment_in_elements(self) -> int:
        """The storage is a multiple of this many elements; 1: no tail."""
        return int(raw.layout_tail_padding_alignment_in_elements(self._handle))

    @property
    def memory_space(self) -> int:
        """XLA's number of a device's memory, S(n) in text; 0: the default. It does not change where elements are."""
        return int(raw.layout_memory_space(self._handle))

    @property
    def splits(self) -> Tuple[Split, ...]:
        """How physical dimensions are split over memories, SC(...) in text."""
        splits = (values for number, values in self._fields() if number == raw.LAYOUT_FIELD_SPLIT)
        return tuple(Split(values[0], values[1:]) for values in splits)

    @property
    def dynamic_shape_metadata_prefix_bytes(self) -> int:
        """Bytes before the data that hold the sizes of dynamic dimensions, M(n) in text."""
        return int(raw.layout_dynamic_shape_metadata_prefix_bytes(self._handle))

    @property
    def is_dim0_major(self) -> bool:
        """Row-major: the dimensions in order, dimension 0 the most major one."""
        return bool(raw.layout_is_dim0_major(self._handle))

    @property
    def is_dim0_minor(self) -> bool:
        """Column-major: the dimensions in order, dimension 0 the most minor one."""
        return bool(raw.layout_is_dim0_minor(self._handle))

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


# Each part in a list of fields.
_NUMBERS = {
    "minor_to_major": raw.LAYOUT_FIELD_MINOR_TO_MAJOR,
    "tiles": raw.LAYOUT_FIELD_TILE,
    "padded_dimensions": raw.LAYOUT_FIELD_PADDED_DIMENSIONS,
    "padding_value": raw.LAYOUT_FIELD_PADDING_VALUE,
    "element_size_in_bits": raw.LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS,
    "tail_padding_alignment_in_elements": raw.LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS,
    "memory_space": raw.LAYOUT_FIELD_MEMORY_SPACE,
    "splits": raw.LAYOUT_FIELD_SPLIT,
    "dynamic_shape_metadata_prefix_bytes": raw.LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES,
}


_SIZES: Dict[Any, int] = {"*": COMBINE_DIMENSION, "d": MATCH_DIMENSION}  # in tiles


def _as_fields(name: str, value: Any) -> bytes:
    """The fields of this part of a layout."""
    number = _NUMBERS[name]
    if name == "tiles":
        return b"".join(field(number, [_SIZES.get(size, size) for size in tile], "a tile") for tile in value)
    if name == "splits":
        return b"".join(field(number, (dimension, *indices), "a split") for dimension, indices in value)
    if name == "padded_dimensions" and value is None:
        return b""
    if name in ("minor_to_major", "padded_dimensions"):
        return field(number, value, name)
    return field(number, [(int32 if name == "padding_value" else int64)(value, name)], name)


def _layout(value: Any, rank: Optional[int] = None) -> Layout:
    """For an array of that rank, "row" and "col" are layouts, too."""
    if isinstance(value, Layout):
        return value
    if isinstance(value, str):
        return Layout(value) if rank is None or value not in _BY_NAME else _BY_NAME[value](rank)
    raise TypeError(f"a layout or its text is wanted, not {type(value).__name__}")


_BY_NAME = {"row": Layout.row_major, "col": Layout.column_major}
