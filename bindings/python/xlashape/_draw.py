# SPDX-License-Identifier: Apache-2.0
"""What the package uses of xlashape_draw.h. The library is loaded when the first picture is drawn."""

from ctypes import POINTER, Structure, c_int32, c_int64, c_uint32, c_void_p
from functools import lru_cache
from typing import Any, Callable

from . import _raw as raw
from ._library import load_draw

FORMATS = {"text": 0, "svg": 1, "html": 2}
SHOWN = {"position": 0, "index": 1, "byte": 2, "tile": 3, "lane": 4, "nothing": 5}
COLORS = {"position": 0, "tile": 1}
BY_DIMENSION = 2
COLOR, ASCII, DATA = 1, 2, 4


class Options(Structure):
    _fields_ = [
        ("struct_size", c_uint32), ("flags", c_uint32), ("format", c_int32), ("show", c_int32), ("color_by", c_int32),
        ("color_dimension", c_int32), ("zoom", c_int32), ("columns", c_int32), ("max_cells", c_int32),
        ("reserved", c_int32), ("overlay_bytes", c_int64), ("at", POINTER(c_int64)), ("at_count", c_int64),
    ]  # fmt: skip


@lru_cache(maxsize=None)
def function() -> Callable[..., Any]:
    """xlashape_draw. ImportError where the library is not installed."""
    draw = load_draw().xlashape_draw
    draw.restype = c_int32
    draw.argtypes = [c_void_p, c_void_p, POINTER(Options), c_void_p, c_int64, POINTER(c_int64), POINTER(raw.error)]
    return draw
