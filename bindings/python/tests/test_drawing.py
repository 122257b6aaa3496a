"""Pictures of layouts: what the options change, what is refused, and what notebooks show."""

import unittest
import xml.etree.ElementTree

import xlashape
from xlashape import Shape

TILED = Shape("u8[3,4]{0,1:T(2,2)}")
LARGE = Shape("bf16[16,256]{1,0:T(8,128)(2,1)}")
SVG = "{http://www.w3.org/2000/svg}"


def rows(picture):
    """The lines of the grid, by their labels; the lines of frames and captions left out."""
    return [line for line in picture.splitlines() if line.lstrip()[:1].isdigit() and "\u2503" in line]


def fills(picture):
    """The colour of each cell, padding left out, in the order of the array's rows."""
    cells = [rect for rect in xml.etree.ElementTree.fromstring(picture).iter(f"{SVG}rect") if rect.get("data-index")]
    return [cell.get("fill") for cell in cells]


class Texts(unittest.TestCase):
    def test_the_default(self):
        picture = TILED.draw()
        self.assertEqual(
            rows(picture),
            ["0 \u2503 0  2\u2503 8 10\u2503", "1 \u2503 1  3\u2503 9 11\u2503", "2 \u2503 4  6\u250312 14\u2503"]
            + ["3 \u2503\u00b7\u00b7 \u00b7\u00b7\u2503\u00b7\u00b7 \u00b7\u00b7\u2503"],
        )
        self.assertTrue(picture.startswith("u8[3,4]{0,1:T(2,2)}\n"))
        self.assertIn("4 positions of padding", picture)
        self.assertTrue(all(len(line) <= 80 for line in LARGE.draw().splitlines()))

    def test_what_stands_in_a_cell(self):
        self.assertEqual(TILED.draw(show="position"), TILED.draw())
        # Row 2 is the second pair of rows of the tile: 256 positions of 2 bytes on, in the register's second sublane.
        cells = {show: rows(LARGE.draw(show=show))[2] for show in ("index", "byte", "tile", "lane")}
        self.assertIn("2,0 ", cells["index"])
        self.assertIn(" 512 ", cells["byte"])
        self.assertIn(" 1.0 ", cells["lane"])
        self.assertEqual(set(cells["tile"].replace("\u2503", " ").replace("\u2026", "").split()[1:]), {"0", "1"})

    def test_colours(self):
        self.assertNotIn("\x1b", TILED.draw())
        self.assertIn("\x1b[48;2;", TILED.draw(color=True))
        self.assertIn("##", TILED.draw(show="nothing"))

    def test_ascii(self):
        self.assertTrue(TILED.draw(ascii=True).isascii())
        self.assertIn("0 | 0  2| 8 10|", TILED.draw(ascii=True))

    def test_sizes(self):
        self.assertGreater(max(map(len, LARGE.draw(columns=200).splitlines())), 150)
        self.assertLessEqual(max(map(len, LARGE.draw(columns=40).splitlines())), 40)
        self.assertGreater(len(rows(LARGE.draw())), len(rows(LARGE.draw(max_cells=9))))

    def test_zoom(self):
        self.assertIn("each cell is a tile of 2 positions", LARGE.draw(zoom=1))
        self.assertIn("each cell is a tile of 1,024 positions", LARGE.draw(zoom=2))

    def test_blocks(self):
        self.assertNotIn("blocks of", LARGE.draw())
        words = " ".join(LARGE.draw(overlay_bytes=2048).split())
        self.assertIn("blocks of 2,048 bytes: the first row touches 2 blocks", words)

    def test_one_index_of_a_dimension(self):
        cube = Shape("f32[5,2,2]")
        self.assertIn("[4,:,:]", cube.draw())
        alone = cube.draw(at={0: 3})
        self.assertIn("[3,:,:]", alone)
        self.assertNotIn("[4,:,:]", alone)
        self.assertEqual(cube.draw(at={-3: 3}), alone)
        self.assertEqual(cube.draw(at={}), cube.draw())
        self.assertNotEqual(cube.draw(at={0: 3, 2: 1}), alone)

    def test_two_layouts(self):
        both = TILED.draw("u8[3,4]")
        self.assertIn("u8[3,4]{1,0}", both)
        self.assertIn("a relayout reads 16 bytes and writes 12", both)
        self.assertEqual(TILED.draw(Shape("u8[3,4]")), both)

    def test_arrays_without_rows(self):
        self.assertIn("no elements", Shape("f32[0,3]").draw())
        self.assertIn("f32[]", Shape("f32[]").draw())
        self.assertIn("f32[2]", Shape("b(f32[2])").draw(at={0: 1}))


class Markup(unittest.TestCase):
    def test_svg(self):
        root = xml.etree.ElementTree.fromstring(TILED.draw(format="svg"))
        titles = [title.text for title in root.iter(f"{SVG}title")]
        self.assertTrue(any(title.startswith("[2,3]: position 14,") for title in titles))
        self.assertTrue(any(title.startswith("padding") for title in titles))
        # A ground of its own, for what is drawn is not to be read on just any page.
        ground = root.find(f"{SVG}rect")
        left, _, width, height = root.get("viewBox").split()
        self.assertEqual([ground.get(key) for key in ("x", "width", "height")], [left, width, height])

    def test_for_programs(self):
        root = xml.etree.ElementTree.fromstring(TILED.draw(format="svg", data=True))
        where = {cell.get("data-index"): cell.get("data-position") for cell in root.iter() if cell.get("data-index")}
        self.assertEqual((len(where), where["2,3"]), (12, "14"))
        self.assertEqual(list(root.iter(f"{SVG}title")), [])

    def test_what_colours_mean(self):
        # In the grid, whose cells come before those of the memory.
        def colours(by):
            return fills(TILED.draw(format="svg", data=True, color_by=by))[:12]

        self.assertEqual(len(set(colours("position"))), 12)
        tiles = colours("tile")
        self.assertEqual((len(set(tiles)), tiles[0], tiles[2]), (4, tiles[5], tiles[7]))
        for dimension, count in ((0, 3), (1, 4)):
            by = colours(dimension)
            self.assertEqual(len(set(by)), count)
            self.assertEqual(colours(dimension - 2), by)
        self.assertEqual(len(set(colours(0)[:4])), 1)

    def test_html(self):
        page = TILED.draw(format="html")
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertIn("data-position", page)


class Refusals(unittest.TestCase):
    def test_options(self):
        for options, kind, part in (
            ({"format": "png"}, xlashape.InvalidArgumentError, "format is 'png', it must be one of text, svg, html"),
            ({"format": 1}, TypeError, "format must be str, not int"),
            ({"show": "nothin"}, xlashape.InvalidArgumentError, "show is 'nothin'"),
            ({"color_by": "dimension"}, xlashape.InvalidArgumentError, "color_by is 'dimension'"),
            ({"color_by": 2}, xlashape.OutOfRangeError, "dimension 2 is not in [-2, 2)"),
            ({"color_by": None}, TypeError, "color_by must be an integer"),
            ({"at": {2: 0}}, xlashape.OutOfRangeError, "dimension 2"),
            ({"at": {1: 4}}, xlashape.OutOfRangeError, "at[1] is 4"),
            ({"at": {1: -1}}, xlashape.OutOfRangeError, "at[1] is -1"),
            ({"at": {0: 1, -2: 1}}, xlashape.InvalidArgumentError, "at has dimension 0 twice"),
            ({"at": {0: 1 << 64}}, OverflowError, "at[0] is 18446744073709551616"),
            ({"at": [1]}, TypeError, ""),
            ({"zoom": 2}, xlashape.OutOfRangeError, "zoom is 2"),
            ({"zoom": 1 << 31}, OverflowError, "zoom is 2147483648"),
            ({"columns": 19}, xlashape.OutOfRangeError, "columns is 19"),
            ({"max_cells": 8}, xlashape.OutOfRangeError, "max_cells is 8"),
            ({"overlay_bytes": -1}, xlashape.OutOfRangeError, "overlay_bytes is -1"),
            ({"other": "u8[3,5]"}, xlashape.InvalidArgumentError, "the sizes of dimension 1 differ, 4 and 5"),
            ({"other": "token[]"}, xlashape.UnsupportedError, "other is a token"),
            ({"other": 3}, TypeError, "not int"),
            ({"other": "u8[3,4]", "zoom": 1}, xlashape.InvalidArgumentError, "zoom is 1"),
        ):
            with self.subTest(**options), self.assertRaises(kind) as caught:
                TILED.draw(**options)
            self.assertIn(part, str(caught.exception))

    def test_what_is_no_array(self):
        for shape in ("token[]", "opaque[]", "(f32[2])", "f32[?,2]"):
            with self.subTest(shape), self.assertRaises(xlashape.UnsupportedError):
                Shape(shape).draw()


class Notebooks(unittest.TestCase):
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

    def test_text_is_quoted(self):
        html = Shape("f32[<=4]")._repr_html_()
        self.assertIn("f32[&lt;=4]", html)
        self.assertNotIn("f32[<=4]", html)


if __name__ == "__main__":
    unittest.main()
