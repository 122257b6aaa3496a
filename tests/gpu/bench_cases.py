"""What is measured on a GPU: the classes, with the fraction of a copy's bandwidth that each must reach (floor) and
should reach (goal), and their cases. Sides take a fifth of a gigabyte and more; `shrunk` ones say the same where
nothing is large.
"""

import pathlib
import re
from typing import NamedTuple, Tuple

BITS = {"u4": 4, "s4": 4, "u8": 8, "bf16": 16, "f32": 32, "f64": 64, "s64": 64}
# Tiles, by the notes of the layout: rows, columns, and the elements of a column that lie side by side.
TILES = {"T(8,128)": (8, 128, 1), "T(8,128)(2,1)": (8, 128, 2)}


class Case(NamedTuple):
    """A row-major source of `type` and `dimensions`, and what becomes of it. kind: permute (by `order`, as in numpy),
    tile and untile (by `notes`), pad (to `order`, each dimension's new extent; with notes also tiled), to_multi and
    to_linear (`order` indices; notes: soa or aos). `calls`: so many in a row are one sample."""

    kind: str
    type: str
    dimensions: Tuple[int, ...]
    order: Tuple[int, ...] = ()
    notes: str = ""
    calls: int = 1

    def is_batch(self):
        return self.kind in ("to_multi", "to_linear")

    def name(self):
        numbers = ",".join(map(str, self.dimensions))
        if self.is_batch():
            return f"{self.order[0]} of [{numbers}] {self.notes}"
        order = "(" + ",".join(map(str, self.order)) + ")" if self.order else ""
        return f"{self.type}[{numbers}] {'' if self.kind == 'permute' else self.kind + ' '}{self.notes}{order}"

    def shapes(self):
        """Source and destination in XLA's words. Logical dimensions are those of the source."""
        words = f"{self.type}[{','.join(map(str, self.dimensions))}]"
        straight = list(range(len(self.dimensions)))[::-1]
        turned = list(self.order)[::-1] if self.kind == "permute" else straight

        def side(minor_to_major, notes):
            notes += f"E({BITS[self.type]})" if BITS[self.type] < 8 else ""
            return words + "{" + ",".join(map(str, minor_to_major)) + (":" + notes if notes else "") + "}"

        here, there = "", self.notes
        if self.kind == "untile":
            here, there = there, here
        if self.kind == "pad" and not self.notes:
            there = f"PD({','.join(map(str, self.order))})"
        return side(straight, here), side(turned, there)

    def view(self):
        """As a permutation of more dimensions, for those who know no tiles: extents and order."""
        if self.kind == "permute":
            return self.dimensions, self.order
        rows, columns, pair = TILES[self.notes]
        r, c = self.dimensions[0] // rows, self.dimensions[1] // columns
        if self.kind == "tile":
            return (r, rows // pair, pair, c, columns), (0, 3, 1, 4, 2)
        return (r, c, rows // pair, columns, pair), (0, 2, 4, 1, 3)

    def shrunk(self):
        if self.is_batch():
            return self._replace(dimensions=tuple(d % 13 + 2 for d in self.dimensions), order=(1000,))
        if self.kind == "pad":
            return self._replace(dimensions=(19, 301), order=self.order and (24, 384))
        if self.kind in ("tile", "untile"):
            return self._replace(dimensions=(24, 384))
        cap = max(6, int(8192 ** (1 / len(self.dimensions))))
        small = [min(d, cap - i % 3 - d % 2) for i, d in enumerate(self.dimensions)]
        # A plane of elements of half a byte is whole bytes.
        return self._replace(dimensions=tuple(d // 4 * 4 if BITS[self.type] < 8 else d for d in small))


class Class(NamedTuple):
    name: str
    floor: float  # of each case
    goal: float
    cases: Tuple[Case, ...]
    median: Tuple[float, float] = (0.0, 0.0)  # floor and goal of the class's median, where it has ones


def permute(type, dimensions, order, **more):
    return Case("permute", type, dimensions, order, **more)


def batch(kind, notes):
    return Case(kind, "s64", (1000, 64, 37, 256), (1 << 25,), notes)


# The set of 57 permutations of rank 5 and 6. The first 30 are those of TTC's benchmark (Springer, Su, Bientinesi 2016:
# 57 cases of rank 2 to 6, as HPTT's benchmark.sh lists them) that have these ranks: five permutations of each rank,
# each with even extents and with two that are skewed, all near 220 MB of f32. TTC counts the fastest dimension first;
# row-major turns extents and order round. The other 27 are made in the same manner for elements of 1, 2 and 8 bytes,
# 270 MB each, with what TTC leaves out: innermost dimensions of 2, 3 and 4, kept or moved out, and inner dimensions
# that stay.
_TTC = (
    ((0, 4, 2, 1, 3), (32, 48, 28, 28, 48), (176, 8, 28, 28, 48), (32, 8, 28, 28, 298)),
    ((3, 2, 1, 4, 0), (48, 28, 28, 48, 28), (352, 4, 28, 48, 28), (48, 4, 28, 352, 28)),
    ((2, 0, 4, 1, 3), (48, 28, 48, 28, 28), (352, 4, 48, 28, 28), (48, 4, 352, 28, 28)),
    ((1, 3, 0, 4, 2), (48, 48, 28, 28, 28), (352, 48, 4, 28, 28), (48, 352, 4, 28, 28)),
    ((4, 3, 2, 1, 0), (48, 28, 28, 28, 48), (352, 4, 28, 28, 48), (48, 4, 28, 28, 352)),
    ((0, 3, 2, 5, 4, 1), (16, 32, 15, 32, 15, 15), (48, 10, 15, 32, 15, 15), (16, 10, 15, 103, 15, 15)),
    ((3, 2, 0, 5, 1, 4), (32, 15, 15, 32, 15, 15), (112, 5, 15, 32, 15, 15), (32, 5, 15, 112, 15, 15)),
    ((2, 0, 4, 1, 5, 3), (32, 15, 32, 15, 15, 15), (112, 5, 32, 15, 15, 15), (32, 5, 112, 15, 15, 15)),
    ((3, 2, 5, 1, 0, 4), (32, 15, 15, 32, 15, 15), (112, 5, 15, 32, 15, 15), (32, 5, 15, 112, 15, 15)),
    ((5, 4, 3, 2, 1, 0), (32, 15, 15, 15, 15, 32), (112, 5, 15, 15, 15, 32), (32, 5, 15, 15, 15, 112)),
)
# Row-major, for 2-byte elements.
_OURS = (
    ((2, 4, 0, 3, 1), (64, 36, 40, 36, 40)),
    ((4, 2, 0, 3, 1), (16, 12, 700, 8, 128)),
    ((4, 1, 0, 3, 2), (256, 96, 64, 28, 3)),
    ((2, 0, 3, 1, 4), (128, 48, 80, 68, 4)),
    ((1, 4, 3, 2, 0), (512, 2, 512, 64, 4)),
    ((5, 3, 1, 4, 2, 0), (24, 22, 20, 24, 24, 22)),
    ((4, 0, 5, 2, 1, 3), (8, 5, 3, 16, 1100, 64)),
    ((2, 0, 4, 1, 3, 5), (4, 64, 3, 128, 11, 128)),
    ((3, 5, 1, 0, 4, 2), (1024, 2, 2, 256, 64, 2)),
)


def rank_5_6():
    cases = []
    for order, *extents in _TTC:
        last = len(order) - 1
        turned = tuple(last - order[last - i] for i in range(last + 1))
        cases += [permute("f32", dimensions[::-1], turned) for dimensions in extents]
    for order, dimensions in _OURS:
        for type, first in (("u8", 2 * dimensions[0]), ("bf16", dimensions[0]), ("f64", dimensions[0] // 4)):
            cases.append(permute(type, (first, *dimensions[1:]), order))
    return tuple(cases)


_MATRIX = (1, 0)
CLASSES = (
    Class("copy", 0.97, 0.99, (
        permute("f32", (16384, 16384), (0, 1)),
        permute("f32", (4096, 1, 64, 1024), (1, 0, 2, 3)))),
    Class("2-D f32, f64", 0.90, 0.95, (
        permute("f32", (16384, 16384), _MATRIX),
        permute("f32", (16384, 8256), _MATRIX),
        permute("f64", (8192, 16384), _MATRIX))),
    Class("2-D bf16", 0.87, 0.93, (
        permute("bf16", (16384, 32768), _MATRIX),
        permute("bf16", (16448, 16416), _MATRIX))),
    Class("2-D u8", 0.82, 0.90, (
        permute("u8", (32768, 32768), _MATRIX),
        permute("u8", (16448, 32800), _MATRIX))),
    Class("2-D u4, s4", 0.55, 0.75, (
        permute("u4", (32768, 32768), _MATRIX),
        permute("s4", (32768, 32768), _MATRIX))),
    Class("NHWC, C >= 32", 0.88, 0.93, (
        permute("f32", (64, 224, 224, 64), (0, 3, 1, 2)),
        permute("f32", (64, 64, 224, 224), (0, 2, 3, 1)),
        permute("bf16", (128, 224, 224, 32), (0, 3, 1, 2)),
        permute("bf16", (128, 32, 224, 224), (0, 2, 3, 1)))),
    Class("NHWC, C = 3, 4", 0.70, 0.85, (
        permute("u8", (1024, 512, 512, 3), (0, 3, 1, 2)),
        permute("u8", (1024, 3, 512, 512), (0, 2, 3, 1)),
        permute("f32", (256, 512, 512, 3), (0, 3, 1, 2)),
        permute("f32", (256, 3, 512, 512), (0, 2, 3, 1)),
        permute("bf16", (512, 512, 512, 4), (0, 3, 1, 2)),
        permute("bf16", (512, 4, 512, 512), (0, 2, 3, 1)))),
    Class("inner kept, 64 bytes on", 0.90, 0.95, (
        permute("f32", (1024, 2048, 64), (1, 0, 2)),
        permute("f32", (4096, 2048, 16), (1, 0, 2)),
        permute("bf16", (8, 8192, 32, 128), (0, 2, 1, 3)))),
    Class("inner kept, 16 to 63 bytes", 0.75, 0.85, (
        permute("f32", (4096, 4096, 8), (1, 0, 2)),
        permute("bf16", (8192, 4096, 8), (1, 0, 2)))),
    Class("pad", 0.88, 0.94, (
        Case("pad", "f32", (16000, 16100), (16384, 16384)),
        Case("pad", "bf16", (16100, 16001), (16384, 16384)),
        Case("pad", "f32", (16000, 16100), (), "T(8,128)"))),
    Class("T(8,128) f32", 0.90, 0.95, (
        Case("tile", "f32", (16384, 16384), (), "T(8,128)"),
        Case("untile", "f32", (16384, 16384), (), "T(8,128)"))),
    Class("T(8,128)(2,1) bf16", 0.85, 0.90, (
        Case("tile", "bf16", (16384, 32768), (), "T(8,128)(2,1)"),
        Case("untile", "bf16", (16384, 32768), (), "T(8,128)(2,1)"))),
    Class("linear to index, SoA", 0.85, 0.92, (batch("to_multi", "soa"),)),
    Class("linear to index, AoS", 0.75, 0.85, (batch("to_multi", "aos"),)),
    Class("index to linear", 0.85, 0.92, (batch("to_linear", "soa"), batch("to_linear", "aos"))),
    # At most 2 times, and should be at most 1.2 times, what a copy takes.
    Class("1 MB, on a stream", 1 / 2.0, 1 / 1.2, (
        permute("f32", (512, 512), _MATRIX, calls=100),
        permute("bf16", (8, 512, 128), (0, 2, 1), calls=100))),
    Class("rank 5 and 6", 0.65, 0.75, rank_5_6(), (0.85, 0.92)),
)


def small_table():
    """The case table for `gpu_bench verify`: cases.h, whose own program needs GoogleTest, and the small ones of the
    above."""
    text = pathlib.Path(__file__).with_name("cases.h").read_text(encoding="utf-8")
    table = re.findall(r'\{"([^"]+)",\s*"([^"]+)",\s*"xs_\w+"\}', text)
    assert len(table) > 30, "cases.h is not as it was"
    return table + [case.shrunk().shapes() for one in CLASSES for case in one.cases if not case.is_batch()]
