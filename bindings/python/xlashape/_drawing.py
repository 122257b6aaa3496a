"""Pictures of a shape: the part of Shape that draws layouts, for terminals, pages and notebooks."""

from __future__ import annotations

from ctypes import c_int64, sizeof
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple, Union

from . import _raw as raw
from ._call import ShapeHandle, int32, int64, number, pack, text
from .errors import InvalidArgumentError, OutOfRangeError

if TYPE_CHECKING:
    from .shape import Shape

_FORMATS = {"text": raw.DRAW_TEXT, "svg": raw.DRAW_SVG, "html": raw.DRAW_HTML}
_SHOWN = {
    "position": raw.DRAW_POSITION,
    "index": raw.DRAW_INDEX,
    "byte": raw.DRAW_BYTE,
    "tile": raw.DRAW_TILE,
    "lane": raw.DRAW_LANE,
    "nothing": raw.DRAW_NOTHING,
}
_COLORS = {"position": raw.DRAW_BY_POSITION, "tile": raw.DRAW_BY_TILE}


class Drawing:
    __slots__ = ()
    _handle: ShapeHandle

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

        UnsupportedError for what is no array, for unbounded dimensions, and with zoom where tiles do not nest."""
        from .shape import _shape

        options = raw.draw_options(sizeof(raw.draw_options))
        options.format = _named(_FORMATS, format, "format")
        options.show = _named(_SHOWN, show, "show")
        if isinstance(color_by, str):
            options.color_by = _named(_COLORS, color_by, "color_by")
        else:
            options.color_by = raw.DRAW_BY_DIMENSION
            options.color_dimension = self._dimension(color_by, "color_by")
        chosen = ((color, raw.DRAW_COLOR), (ascii, raw.DRAW_ASCII), (data, raw.DRAW_DATA))
        options.flags = sum(flag for wanted, flag in chosen if wanted)
        options.zoom = int32(zoom, "zoom")
        options.columns = int32(columns, "columns")
        options.max_cells = int32(max_cells, "max_cells")
        options.overlay_bytes = int64(overlay_bytes, "overlay_bytes")
        if at:
            rank = raw.shape_rank(self._handle)
            options.at = (c_int64 * rank).from_buffer_copy(pack(self._fixed(at, rank), "at"))
            options.at_count = rank
        return text(raw.shape_draw, self._handle, None if other is None else _shape(other)._handle, options)

    def _dimension(self, dimension: Any, what: str) -> int:
        return number(raw.dimension_number, raw.shape_rank(self._handle), int64(dimension, what))

    def _fixed(self, at: Mapping[int, int], rank: int) -> Tuple[int, ...]:
        """Per dimension the index that alone is shown, or -1, which no index may be."""
        fixed: Dict[int, int] = {}
        for dimension, position in dict(at).items():
            which = self._dimension(dimension, "a dimension in at")
            if which in fixed:
                raise InvalidArgumentError(f"at has dimension {which} twice")
            fixed[which] = int64(position, f"at[{dimension}]")
            if fixed[which] < 0:
                raise OutOfRangeError(f"at[{dimension}] is {fixed[which]}: indices count from 0")
        return tuple(fixed.get(which, -1) for which in range(rank))

    def _repr_svg_(self) -> Optional[str]:
        from .picture import svg
        from .shape import _shape

        return svg(_shape(self))

    def _repr_html_(self) -> str:
        from .picture import html
        from .shape import _shape

        return html(_shape(self))


def _named(numbers: Mapping[str, int], name: str, what: str) -> int:
    if not isinstance(name, str):
        raise TypeError(f"{what} must be str, not {type(name).__name__}")
    if name not in numbers:
        raise InvalidArgumentError(f"{what} is {name!r}, it must be one of {', '.join(numbers)}")
    return numbers[name]
