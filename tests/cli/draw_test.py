# SPDX-License-Identifier: Apache-2.0
"""Pictures of layouts by the command. Usage: draw_test.py COMMAND [--write].

--write writes the pictures in tests/data/draw anew: look at them before they are committed. What a picture shows is
held by the tests in tests/view; here are what is written around it, the command's options and its files.
Ends with `N passed, M failed`."""

import html.parser
import itertools
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

import case
from case import Case

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
WRITE = False
SVG = "{http://www.w3.org/2000/svg}"
SHOWN = ("position", "index", "byte", "tile", "lane", "nothing")
FORMS = (["--as=svg"], ["--as=html"], ["--width=20"], ["--width=33", "--ascii"], ["--width=80", "--color=always"])
MORE = ([], ["--overlay=1"], ["--max-cells=9"], ["--overlay=page"], ["--color-by=tile"], ["--max-cells=200"],
        ["--overlay=9223372036854775807"])

# The pictures in tests/data/draw.
PICTURES = {
    "nested.txt": ["bf16[16,256]{1,0:T(8,128)(2,1)}", "--width=80"],
    "padded.svg": ["f32[5,6]{1,0:T(4,4)}", "--as=svg"],
    "packed.txt": ["s4[3,8]{1,0:E(4)}", "--show=byte", "--width=60"],
    "rank3.svg": ["u8[2,3,4]{0,2,1}", "--as=svg", "--show=index"],
    "two.svg": ["f32[3,4]", "f32[3,4]{0,1}", "--as=svg"],
    "two.txt": ["u8[4,6]", "u8[4,6]{1,0:T(2,2)}", "--width=80"],
    "folded.txt": ["f32[100]{0:T(16)}", "--width=60"],
    "split.svg": ["u8[6,4]{1,0:SC(0:3)}", "--as=svg"],
    "tail.txt": ["u8[3,3]{1,0:L(16)}", "--width=60"],
    "left_out.txt": ["f32[100,300]{1,0:T(8,128)}", "--ascii", "--width=60", "--overlay=line"],
    "home.svg": ["u8[3,4]{1,0:T(2,2)}", "--as=svg"],  # of the documentation's first page
    "colour.txt": ["u8[3,5]{1,0:T(2,2)}", "--color=always", "--color-by=tile", "--width=60"],
    "few.txt": ["f32[5]{0:T(1024)}", "--width=60"],
    "zoom.svg": ["bf16[20,300]{1,0:T(8,128)(2,1)}", "--zoom=2", "--as=svg"],
    "zoom.txt": ["bf16[20,300]{1,0:T(8,128)(2,1)}", "--zoom=2", "--width=60"],
}
# Large, deep, without elements, with more padding than can be drawn; some are refused.
ODD_SHAPES = [
    "f32[100,100,100,1000,100,10]{5,4,3,2,1,0:T(8,128)}", "f32[" + "1," * 900 + "64,64]", "f32[" + "2," * 50 + "2]",
    "f32[1000000007,1000000007]", "f32[64,64]{0,1:T(8,128)}", "s4[64,64]{1,0:T(2)E(4)}", "f32[<=5,<=300]", "f32[0]",
    "f32[5,0,3]{0,1,2:T(8,128)}", "f32[3,40]{1,0:T(*,8)}", "f32[6,9]{1,0:T(4,4)(3,5)}", "f32[3,4]{1,0:T(2,2,2)}",
    "f32[2,3]{1,0:PD(1000000000,5)}", "pred[40]{0:E(32)}", "s1[40]{0:E(1)}", "u8[9223372036854775807]", "f32[]",
    "f32[" + "1," * 1000 + "1]", "f32[9]{0:L(1000000000000)}", "f32[9,9]{1,0:SC(0:1,2,3,4,5,6,7,8)(1:4)}",
    "f32[4611686018427387,2]{0,1:T(4,128)}", "f32[1024,2,2]"]


class Markup(html.parser.HTMLParser):
    """Holds that elements are closed in order."""
    VOID = {"meta", "input"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(names) != len(set(names)):
            self.wrong.append(f"<{tag}> has an attribute twice")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes another element")


def golden_shapes():
    """Arrays of the golden data, with layouts of all kinds."""
    texts = (json.loads(line).get("shape") for line in (DATA / "golden/random.jsonl").read_text().splitlines())
    return list(dict.fromkeys(text for text in texts if text and not text.startswith("(")))


def visible(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


class Draw(Case):
    def draw(self, *args, **options):
        return self.run_command("draw", *args, **options)

    def cells(self, *args):
        """(index, position, position in the second shape) of each cell of a page's picture."""
        root = xml.fromstring(self.svg_of(self.draw(*args, "--as=html")))
        planes = [group for group in root.findall(SVG + "g") if "transform" in group.attrib]
        return [(rect.get("data-index"), rect.get("data-position"), rect.get("data-to"))
                for plane in planes for rect in plane.iter(SVG + "rect")]

    def svg_of(self, page):
        return page[page.index("<svg"):page.index("</svg>") + 6]

    def check(self, args, picture):
        """A picture is well-formed, nothing of it lies outside, and it never becomes too large."""
        self.assertLess(len(picture), 1_000_000)
        if "--as=html" in args:
            markup = Markup()
            markup.feed(picture)
            markup.close()
            self.assertEqual((markup.open, markup.wrong), ([], []))
            picture = self.svg_of(picture)
        if not picture.startswith("<svg"):
            (width,) = (int(word.removeprefix("--width=")) for word in args if word.startswith("--width="))
            self.assertLessEqual(max(len(visible(line)) for line in picture.splitlines()[1:]), width)
            self.assertLessEqual("--ascii" in args, picture.isascii())
            return
        root = xml.fromstring(picture)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        self.assertRegex(" ".join(ids), r"^xlashape-hatch-\d+$")
        self.assertLessEqual(set(re.findall(r"url\(#([^)]*)\)", picture)), set(ids))
        left, top, width, height = map(float, root.get("viewBox").split())
        for group in [root, *root.findall(SVG + "g")]:
            x, y = map(int, re.findall(r"\d+", group.get("transform", "0 0")))
            for rect in group.findall(SVG + "rect") if group is root else group.iter(SVG + "rect"):
                self.assertLessEqual(x + int(rect.get("x")) + int(rect.get("width")), left + width)
                self.assertLessEqual(y + int(rect.get("y", 0)) + int(rect.get("height")), top + height)

    def test_golden(self):
        for name, args in PICTURES.items():
            picture = self.draw(*args)
            if WRITE:
                (DATA / "draw" / name).write_text(picture, encoding="utf-8")
            self.assertEqual((DATA / "draw" / name).read_text(encoding="utf-8"), picture, name)
        self.assertEqual({path.name for path in (DATA / "draw").iterdir()}, set(PICTURES))

    def test_pictures_are_well_formed(self):
        asked = [(shape, [FORMS[number % len(FORMS)]]) for number, shape in enumerate(golden_shapes()[:150])]
        number = 0
        for shape, forms in asked + [(shape, FORMS) for shape in ODD_SHAPES]:
            for form in forms:
                args = [shape, *form, f"--show={SHOWN[number % len(SHOWN)]}", *MORE[number % len(MORE)]]
                number += 1
                with self.subTest(args=args):
                    picture = self.draw(*args, exit=None)
                    self.assertEqual(picture == "", self.err != "")
                    if picture:
                        self.check(args, picture)
        for shape in ODD_SHAPES[:6]:
            for form, shown in itertools.product(("svg", "html"), SHOWN):
                args = [shape, shape, f"--as={form}", f"--show={shown}", "--overlay=1"]
                self.check(args, self.draw(*args))
        self.draw("f32[" + "1," * 5000 + "1]", exit=3)
        for shape in ("(f32[2], f32[3])", "token[]", "()", "f32[?]", "f32[2,?]"):
            self.assertEqual(self.draw(shape, exit=3), "")

    def test_numbers_are_those_of_index(self):
        for shape in golden_shapes()[::25]:
            cells = self.cells(shape, "--max-cells=100")
            known = [(index, position) for index, position, _ in cells if index]
            positions = [position for _, position, _ in cells]
            self.assertEqual((len(positions), len(known)), (len(set(positions)), len(set(known))), shape)
            asked = [word for index, _ in known for word in ("--at", index)]
            answer = self.run_json("index", shape, *asked) if asked else []
            self.assertEqual([(",".join(map(str, one["index"])), str(one["linear"])) for one in answer], known, shape)

    def test_two_shapes(self):
        cells = self.cells("u8[3,4]", "u8[3,4]{0,1}")
        for index, position, to in cells:
            row, column = map(int, index.split(","))
            self.assertIn((position, to), ((str(4 * row + column), None), (None, str(3 * column + row))))
        self.assertEqual(len(cells), 24)
        # A layout alone is of the first shape.
        self.assertEqual(self.draw("u8[3,4]", "{0,1:T(2,2)}"), self.draw("u8[3,4]", "u8[3,4]{0,1:T(2,2)}"))
        # Each is drawn with its own padding.
        lines = self.draw("f32[2,2]", "f32[2,2]{1,0:T(8,128)}", "--ascii").split("\n")
        self.assertEqual([line.split() for line in lines[3:8]],
                         [["0", "1"], ["+---------+"], ["0", "|", "0", "1|"], ["1", "|", "2", "3|"], ["+---------+"]])
        self.assertIn("  of the second, rows are dimension 0, size 2 stored as 8", lines)
        for first, second, exit, why in (
                ("f32[?,3]", "f32[2,3]", 3, "dimension 0 of shape is unbounded"),
                ("f32[2,3]", "f32[2,?]", 3, "dimension 1 of other is unbounded"),
                ("f32[2,3]", "f32[2,4]", 1, "the sizes of dimension 1 differ, 3 and 4"),
                ("f32[2,3]", "f32[2]", 1, "the shapes' ranks differ, 2 and 1"),
                ("u8[3,4]", "{0,1,2}", 1, "3"), ("u8[3,4]", "{0,1", 1, "\n  {0,1\n      ^"),
                ("{0,1}", "u8[3,4]", 1, "{")):
            self.draw(first, second, exit=exit)
            self.assertIn(why, self.err)

    def test_at(self):
        for at, indices in ((("0=2", "x=3"), ["2,0,3", "2,1,3", "2,2,3", "2,3,3"]), (("0=2,-1=3,y=1",), ["2,1,3"])):
            cells = self.cells("f32[3,4,5]", *(word for one in at for word in ("--at", one)))
            self.assertEqual([index for index, _, _ in cells], indices)
        for wrong, code in (("", 2), ("0", 2), ("0=", 2), ("=1", 1), ("0=-1", 2), ("0=1,0=1", 2), ("0=1,", 2),
                            ("0=3", 1), ("9=0", 1), ("-4=0", 1), ("0=99999999999999999999", 2), ("q=1", 1),
                            ("0=1x", 2)):
            self.assertEqual(self.draw("f32[3,4,5]", "--at", wrong, exit=code), "", wrong)
            self.assertNotEqual(self.err, "")

    def test_options_at_their_limits(self):
        shape = "bf16[100,300]{1,0:T(8,128)(2,1)}"
        for good in ("--max-cells=9", "--max-cells=1048576", "--width=20", "--width=10000", "--zoom=2", "--overlay=1"):
            self.assertIn(shape, self.draw(shape, good))
        for words, code in ((["--max-cells=8"], 2), (["--max-cells=1048577"], 2), (["--width=19"], 2),
                            (["--width=10001"], 2), (["--zoom=-1"], 2), (["--zoom=1001"], 2), (["--overlay=0"], 2),
                            (["--overlay=-1"], 2), (["--overlay=word"], 2), (["--show=all"], 2), (["--as=png"], 2),
                            (["--target=tpu:v0"], 2), (["--out="], 2), (["--zoom=3"], 1), (["--color-by=7"], 1),
                            (["f32[3]", "f32[3]"], 2)):
            self.assertEqual(self.draw(shape, *words, exit=code), "", words)
        self.draw(exit=2)
        self.draw("f32[3", exit=1)
        self.assertIn("{0,1:T(4,128)}", self.draw("f32[1000,3]", "--target=tpu:v5e"))

    def test_colour(self):
        plain, coloured = self.draw("f32[2,3]"), self.draw("f32[2,3]", "--color=always")
        self.assertIn("\x1b[48;2;", coloured)
        for other in (visible(coloured), self.draw("f32[2,3]", "--color=never"),
                      self.draw("f32[2,3]", env={"NO_COLOR": "1"})):
            self.assertEqual(other, plain)

    def test_files(self):
        # A name that promises a format gets it.
        starts = {"svg": "<svg ", "html": "<!doctype html>", "text": "u8[2,2]{1,0}\n"}
        promised = {"svg": "svg", "html": "html", "htm": "html", "txt": "text", "md": "text"}
        for name, form in itertools.product(("a.SVG", "a.html", "a.HTM", "a.txt", "a.md", "a.png", "a.npy", "a.JSON"),
                                            (None, *starts)):
            kept = promised.get(name.lower()[2:])
            good = kept == (form or kept) and kept is not None
            said = self.draw("u8[2,2]", "-o", name, *([f"--as={form}"] if form else []), exit=0 if good else 2)
            self.assertEqual((self.folder / name).exists(), kept is not None)
            if good:
                self.assertTrue(said.startswith(f"{name}: u8[2,2]{{1,0}}, "), said)
                self.assertTrue(self.read(name).decode().startswith(starts[kept]), name)
        self.draw("u8[2,2]", "-o", "b", "--as=text", "--color=always")
        self.assertNotIn(b"\x1b", self.read("b"))
        plain = self.draw("u8[2,2]")
        self.assertEqual(self.draw("u8[2,2]", "-o", "-"), plain)
        self.assertTrue(self.draw("u8[2,2]", "-o", "-", "--as=svg").startswith("<svg "))
        # What is there already is kept.
        self.assertEqual(self.run_shell('(echo first; "$@" draw "u8[2,2]" -o -) >out; cat out').decode(),
                         "first\n" + plain)
        for words, code, why in ((["-o", "no/such.svg"], 1, "no/such.svg"), (["-o", "."], 1, ""),
                                 (["-o", "a.png"], 2, "a.png: a picture is .svg, .html or .txt"),
                                 (["-o", "-", "--json"], 2, "")):
            self.draw("u8[2,2]", *words, exit=code)
            self.assertIn(why, self.err)
        for words in ("", " -o -"):
            self.run_shell(f'"$@" draw "u8[2,2]"{words} >/dev/full', exit=1)
            self.assertIn("No space left", self.err)
        self.assertEqual(self.run_shell('mkfifo p.svg; cat p.svg >got & "$@" draw "u8[2,2]" -o p.svg >/dev/null; wait; '
                                        'head -c 5 got'), b"<svg ")

    def test_the_manual_shows_what_is_printed(self):
        text = (DATA.parents[1] / "docs/command.md").read_text(encoding="utf-8")
        (example,) = re.findall(r"^    \$ xlashape draw (.*\n(?:(?:    .*)?\n)*)", text, re.MULTILINE)
        command, *lines = example.rstrip().split("\n")
        self.assertEqual([line.removeprefix("    ") for line in lines], self.draw(command.strip("'")).splitlines())

    def test_json(self):
        answer = self.run_json("draw", "u8[2,2]", "u8[2,2]{0,1}")
        self.assertEqual(answer, {"shape": "u8[2,2]{1,0}", "other": "u8[2,2]{0,1}", "format": "text", "out": None,
                                  "picture": self.draw("u8[2,2]", "u8[2,2]{0,1}")})
        answer = self.run_json("draw", "u8[2,2]", "-o", "a.svg")
        self.assertEqual((answer["other"], answer["format"], answer["out"], answer["picture"]),
                         (None, "svg", "a.svg", None))
        self.assertEqual(self.run_json("draw", "f32[", exit=1)["error"]["offset"], 4)
        self.assertEqual(self.run_json("draw", "()", exit=3)["error"]["code"], "UNSUPPORTED")


if __name__ == "__main__":
    WRITE = "--write" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--write"]
    case.main()
