"""Pictures for notebooks: the order in memory of a small array as SVG, the facts of any shape as HTML."""

from __future__ import annotations

import html as escape
from itertools import product
from typing import List, Optional, Tuple

from .enums import Category
from .errors import XlashapeError
from .index_map import IndexMap
from .shape import Shape

# A picture has at most so many positions and cells, and planes beside each other.
MOST_POSITIONS = 512
CELL = 34
GAP = 22
PER_ROW = 32  # positions in one line of the memory's picture

# From the first position to the last: dark blue over teal to yellow.
_COLOURS = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))


def _colour(position: int, count: int) -> Tuple[str, str]:
    """Of a cell, and of text on it."""
    at = position / max(1, count - 1) * (len(_COLOURS) - 1)
    left = min(int(at), len(_COLOURS) - 2)
    mix = [round(a + (b - a) * (at - left)) for a, b in zip(_COLOURS[left], _COLOURS[left + 1])]
    light = 0.3 * mix[0] + 0.59 * mix[1] + 0.11 * mix[2] > 130
    return "#%02x%02x%02x" % (mix[0], mix[1], mix[2]), "#000" if light else "#fff"


def _text(
    x: float, y: float, text: str, size: float, fill: str = "#444", anchor: str = "middle", more: str = ""
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{more}>'
        f"{escape.escape(text)}</text>"
    )


def _fit(text: str, width: float, most: float) -> float:
    """A font size with which the text is no wider."""
    return min(most, width / (0.62 * max(1, len(text))))


def _cell(x: float, y: float, width: float, height: float, fill: str, title: str, stroke: str = "#fff") -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" stroke="{stroke}">'
        f"<title>{escape.escape(title)}</title></rect>"
    )


class _Drawing:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.dimensions = shape.dimensions
        self.count = shape.sizes.storage_elements
        self.map = IndexMap(shape)
        self.parts: List[str] = []
        self.width = 0.0
        self.height = 0.0

    def reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def plane(self, outer: Tuple[int, ...], left: float, top: float) -> Tuple[float, float]:
        """The last two dimensions, rows down and columns across; gives its lower right corner."""
        rows = self.dimensions[-2] if len(self.dimensions) > 1 else 1
        columns = self.dimensions[-1] if self.dimensions else 1
        if outer:
            caption = "[" + ",".join(str(i) for i in outer) + ",:,:]"
            self.parts.append(_text(left, top - 6, caption, 11, anchor="start"))
        points = []
        for row, column in product(range(rows), range(columns)):
            index = (*outer, row, column)[-len(self.dimensions) :] if self.dimensions else ()
            position = self.map.linear_index(index)
            x, y = left + column * CELL, top + row * CELL
            fill, ink = _colour(position, self.count)
            title = f"[{','.join(map(str, index))}] at position {position}"
            self.parts.append(_cell(x, y, CELL, CELL, fill, title))
            points.append((position, x + CELL / 2, y + CELL / 2, fill, ink))
        points.sort()
        path = " ".join(f"{x:g},{y:g}" for _, x, y, _, _ in points)
        if len(points) > 1:
            self.parts.append(
                f'<polyline points="{path}" fill="none" stroke="#fff" stroke-opacity="0.55" stroke-width="2"/>'
            )
        for position, x, y, fill, ink in points:
            # The way passes behind the number.
            halo = f' paint-order="stroke" stroke="{fill}" stroke-width="4" stroke-linejoin="round"'
            self.parts.append(_text(x, y + 4, str(position), _fit(str(position), CELL - 6, 12), ink, more=halo))
        return left + columns * CELL, top + rows * CELL

    def planes(self, top: float) -> float:
        outer = [range(size) for size in self.dimensions[:-2]]
        left, bottom = 0.0, top
        if outer:
            top += 12
        for index in product(*outer):
            right, low = self.plane(tuple(index), left, top)
            bottom = max(bottom, low)
            self.reach(right, bottom)
            left = right + GAP
            if left + (right - (left - GAP)) > 1400 or right > 1100:
                left, top = 0.0, bottom + GAP + 4
        return bottom

    def memory(self, top: float) -> float:
        """All positions in order, padding grey, with the index of the element there."""
        size = 40.0 if len(self.dimensions) > 2 else CELL
        for position in range(self.count):
            index = self.map.multidimensional_index(position)
            x = position % PER_ROW * size
            y = top + position // PER_ROW * (CELL - 6)
            if index is None:
                self.parts.append(_cell(x, y, size, CELL - 10, "#d9d9d9", f"position {position}: padding"))
            else:
                fill, ink = _colour(position, self.count)
                text = ",".join(map(str, index))
                self.parts.append(_cell(x, y, size, CELL - 10, fill, f"position {position}: [{text}]"))
                self.parts.append(_text(x + size / 2, y + 16, text, _fit(text, size - 4, 11), ink))
            self.reach(x + size, y + CELL - 10)
        return self.height

    def draw(self) -> str:
        title = str(self.shape)
        self.parts.append(_text(0, 14, title, 14, "#000", "start", ' font-family="monospace"'))
        self.reach(len(title) * 8.6, 20)
        bottom = self.planes(30)
        padding = self.count - self.shape.element_count
        note = f"memory, {self.count} positions" + (f", {padding} of padding (grey)" if padding else "")
        self.parts.append(_text(0, bottom + 24, note, 11, anchor="start"))
        self.reach(len(note) * 6.4, bottom + 30)
        self.memory(bottom + 32)
        width, height = self.width + 2, self.height + 2
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
            f'viewBox="-1 -1 {width:g} {height:g}" font-family="sans-serif">'
            # Its own ground: text and cells are chosen for it, and a notebook's may be dark.
            f'<rect x="-1" y="-1" width="{width:g}" height="{height:g}" fill="#fff"/>' + "".join(self.parts) + "</svg>"
        )


def svg(shape: Shape) -> Optional[str]:
    """The array's cells as one reads them, with the position in memory of each and the way that memory takes through
    them; below it the memory in order. None if it is not an array, or too large for a picture."""
    if not shape.is_array or shape.is_unbounded:
        return None
    try:
        sizes = shape.sizes
        columns = shape.dimensions[-1] if shape.rank else 1
        if sizes.elements == 0 or sizes.storage_elements > MOST_POSITIONS or columns > 64:
            return None
        return _Drawing(shape).draw()
    except XlashapeError:
        return None


def facts(shape: Shape) -> List[Tuple[str, str]]:
    """What there is to say about a shape, as (name, value)."""
    out = [("shape", str(shape))]
    if not shape.is_array:
        out.append(("category", shape.category.name.lower()))
        if shape.category == Category.TUPLE:
            out.append(("elements", ", ".join(str(element) for element in shape.elements) or "none"))
        return out
    kind = shape.element_type
    out.append(("element type", f"{kind}, {kind.bits} bits"))
    out.append(("dimensions", " x ".join(_size(size) for size in shape.dimensions) or "none: a scalar"))
    layout = shape.layout
    if layout is not None:
        order = ", ".join(map(str, layout.minor_to_major))
        out.append(("minor to major", order or "none"))
        if layout.tiles:
            levels = ("(" + ",".join("*" if size < 0 else str(size) for size in tile) + ")" for tile in layout.tiles)
            out.append(("tiles", " of ".join(reversed(list(levels))) if len(layout.tiles) > 1 else next(iter(levels))))
        if layout.memory_space:
            out.append(("memory space", str(layout.memory_space)))
    try:
        sizes = shape.sizes
        out.append(("elements", f"{sizes.elements:,}"))
        out.append(("logical bytes", f"{sizes.logical_bytes:,}"))
        out.append(("bytes in memory", f"{sizes.bytes:,}"))
        out.append(("waste", f"{shape.waste:.2f}x"))
        out.append(("byte strides", ", ".join(map(str, shape.strides)) or "none"))
    except XlashapeError as error:
        out.append(("note", str(error)))
    return out


def _size(size: int) -> str:
    return "?" if size < 0 else str(size)


def html(shape: Shape) -> str:
    """A table of the facts, and the picture of a small array."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape.escape(name)}</th>'
        f'<td style="text-align:left"><code>{escape.escape(value)}</code></td></tr>'
        for name, value in facts(shape)
    )
    return f"<table>{rows}</table>{svg(shape) or ''}"
