# SPDX-License-Identifier: Apache-2.0
"""Pictures of layouts: that each option reaches the library, what is refused, and what notebooks show. What a picture
looks like is the library's (tests/view)."""

import subprocess
import sys
import unittest
import xml.etree.ElementTree

import xlashape
from cases import Case
from xlashape import Shape

TILED = Shape("u8[3,4]{0,1:T(2,2)}")
LARGE = Shape("bf16[16,256]{1,0:T(8,128)(2,1)}")
SVG = "{http://www.w3.org/2000/svg}"


class Options(Case):
    def test_each(self):
        for shape, options, has, lacks in (
            (TILED, {}, "3 ┃·· ··┃·· ··┃", "\x1b"),
            (TILED, {"show": "position"}, "0 ┃ 0  2┃ 8 10┃", "\x1b"),
            (LARGE, {"show": "index"}, "2,0 ", "1.0 "),
            (LARGE, {"show": "byte"}, " 512 ", "1.0 "),
            (LARGE, {"show": "lane"}, " 1.0 ", "2,0 "),
            (LARGE, {"show": "tile"}, "3   3", " 512 "),
            (TILED, {"show": "nothing"}, "##", "10"),
            (TILED, {"color": True}, "\x1b[48;2;", "##"),
            (TILED, {"ascii": True}, "0 | 0  2| 8 10|", "┃"),
            (LARGE, {"zoom": 1}, "each cell is a tile of 2 positions", "1,024 positions"),
            (LARGE, {"zoom": 2}, "each cell is a tile of 1,024 positions", "cell is a tile of 2 positions"),
            (LARGE, {"overlay_bytes": 2048}, "blocks of 2,048 bytes", "\x1b"),
            (Shape("f32[5,2,2]"), {"at": {0: 3}}, "[3,:,:]", "[4,:,:]"),
            (Shape("f32[5,2,2]"), {"at": {-3: 3}}, "[3,:,:]", "[4,:,:]"),
            (TILED, {"other": "u8[3,4]"}, "a relayout reads 16 bytes and writes 12", "\x1b"),
            (TILED, {"other": Shape("u8[3,4]")}, "u8[3,4]{1,0}", "\x1b"),
            (Shape("b(f32[2])"), {"at": {0: 1}}, "f32[2]", "\x1b"),
            (Shape("f32[0,3]"), {}, "no elements", "┃"),
            (TILED, {"format": "svg"}, "[2,3]: position 14,", 'data-position="14"'),
            (TILED, {"format": "svg", "data": True}, 'data-position="14"', "<title>"),
            (TILED, {"format": "html"}, "<!doctype html>", "\x1b"),
        ):
            with self.subTest(**options):
                picture = shape.draw(**options)
                self.assertIn(has, picture)
                self.assertNotIn(lacks, picture)

    def test_sizes(self):
        def widest(**options):
            return max(map(len, LARGE.draw(**options).splitlines()))

        self.assertLessEqual(widest(), 80)
        self.assertLessEqual(widest(columns=40), 40)
        self.assertGreater(widest(columns=200), 150)
        self.assertGreater(len(LARGE.draw().splitlines()), len(LARGE.draw(max_cells=9).splitlines()))

    def test_what_colours_mean(self):
        """In the grid, whose cells come before those of the memory."""
        for by, count in (("position", 12), ("tile", 4), (0, 3), (1, 4), (-2, 3)):
            picture = xml.etree.ElementTree.fromstring(TILED.draw(format="svg", data=True, color_by=by))
            cells = [rect.get("fill") for rect in picture.iter(f"{SVG}rect") if rect.get("data-index")]
            self.assertEqual(len(set(cells[:12])), count, by)

    def test_refused(self):
        invalid, range_error = xlashape.InvalidArgumentError, xlashape.OutOfRangeError
        for options, kind, pattern in (
            ({"format": "png"}, invalid, "format is 'png', it must be one of text, svg, html"),
            ({"format": 1}, TypeError, "format must be str, not int"),
            ({"show": "nothin"}, invalid, "show is 'nothin'"),
            ({"color_by": "dimension"}, invalid, "color_by is 'dimension'"),
            ({"color_by": 2}, range_error, r"dimension 2 is not in \[-2, 2\)"),
            ({"color_by": None}, TypeError, "color_by must be an integer"),
            ({"at": {2: 0}}, range_error, "dimension 2"),
            ({"at": {1: 4}}, range_error, r"at\[1\] is 4"),
            ({"at": {1: -1}}, range_error, r"at\[1\] is -1"),
            ({"at": {0: 1, -2: 1}}, invalid, "at has dimension 0 twice"),
            ({"at": {0: 1 << 64}}, OverflowError, r"at\[0\] is 18446744073709551616"),
            ({"at": [1]}, TypeError, ""),
            ({"zoom": 2}, range_error, "zoom is 2"),
            ({"columns": 19}, range_error, "columns is 19"),
            ({"max_cells": 8}, range_error, "max_cells is 8"),
            ({"overlay_bytes": -1}, range_error, "overlay_bytes is -1"),
            ({"other": "u8[3,5]"}, invalid, "the sizes of dimension 1 differ, 4 and 5"),
            ({"other": 3}, TypeError, "not int"),
        ):
            self.refused((kind, pattern, lambda: TILED.draw(**options)))  # noqa: B023
        for text in ("token[]", "(f32[2])", "f32[?,2]"):
            self.refused((xlashape.UnsupportedError, "", Shape(text).draw))


class Missing(Case):
    def test_without_the_library_that_draws(self):
        program = (
            "import ctypes; from xlashape import Shape; whole = ctypes.CDLL\n"
            "def lacks(name, *rest):\n"
            "    if 'xlashape_draw' in name: raise OSError(name + ': not there')\n"
            "    return whole(name, *rest)\n"
            "ctypes.CDLL = lacks\n"
            "assert Shape('f32[2]')._repr_html_().endswith('</table>') and Shape('f32[2]')._repr_svg_() is None\n"
            "Shape('f32[2]').draw()"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertIn("ImportError: pictures are drawn by a library of their own, which was not loaded", ran.stderr)
        self.assertIn("Install libxlashape_draw", ran.stderr)


class Notebooks(Case):
    def test_any_array_has_a_small_picture(self):
        large = ("f32[1024,1024]", "bf16[8,16,2048,512]{3,2,1,0:T(8,128)(2,1)}")
        for text in ("u8[3,4]{0,1:T(2,2)}", "f32[]", "f32[0]", *large):
            picture = Shape(text)._repr_svg_()
            root = xml.etree.ElementTree.fromstring(picture)
            self.assertEqual(root.tag, f"{SVG}svg")
            self.assertLess(len(picture), 100_000)
            self.assertLess(int(root.get("width")), 1500)
            html = Shape(text)._repr_html_()
            self.assertTrue(html.startswith("<table>") and html.endswith("</table>" + picture))

    def test_others_have_the_facts_alone(self):
        for text in ("token[]", "f32[?]", "(f32[2])", "f32[9223372036854775807]"):
            self.assertIsNone(Shape(text)._repr_svg_())
            html = Shape(text)._repr_html_()
            self.assertTrue(html.startswith("<table>") and html.endswith("</table>"))
        self.assertIn("f32[&lt;=4]", Shape("f32[<=4]")._repr_html_())


if __name__ == "__main__":
    unittest.main()
