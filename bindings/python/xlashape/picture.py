# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of a shape: its facts as a table, and an array's picture."""

from __future__ import annotations

import html as escape
from typing import TYPE_CHECKING, List, Optional, Tuple

from .enums import Category
from .errors import SizeOverflowError, UnsupportedError, XlashapeError
from .layout import COMBINE_DIMENSION, MATCH_DIMENSION

if TYPE_CHECKING:
    from .shape import Shape

# Few, because a notebook keeps every picture that it showed, and has no more room than for some 30 cells in a row.
MOST_CELLS = 256


_TILE_WORDS = {COMBINE_DIMENSION: "*", MATCH_DIMENSION: "d"}


def svg(shape: Shape) -> Optional[str]:
    """A small picture of an array; None of what has none, and where the library that draws is not installed."""
    try:
        return shape.draw(format="svg", max_cells=MOST_CELLS)
    except (UnsupportedError, SizeOverflowError, ImportError):
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
            levels = ("(" + ",".join(_TILE_WORDS.get(size, str(size)) for size in tile) + ")" for tile in layout.tiles)
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
    """A table of the facts, and the picture of an array."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape.escape(name)}</th>'
        f'<td style="text-align:left"><code>{escape.escape(value)}</code></td></tr>'
        for name, value in facts(shape)
    )
    return f"<table>{rows}</table>{svg(shape) or ''}"
