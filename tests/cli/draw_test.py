"""Pictures of layouts by the command. Usage: draw_test.py COMMAND [--write] [--all].

--write writes the pictures in tests/data/draw anew: look at them before they are committed. --all draws more random shapes.
Ends with `N passed, M failed`."""

import html.parser
import itertools
import pathlib
import random
import re
import sys
import xml.etree.ElementTree as xml

import case
from case import Case

GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "data/draw"
WRITE = False
SVG = "{http://www.w3.org/2000/svg}"

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
    "colour.txt": ["u8[3,5]{1,0:T(2,2)}", "--color=always", "--color-by=tile", "--width=60"],
    "few.txt": ["f32[5]{0:T(1024)}", "--width=60"],
    "zoom.svg": ["bf16[20,300]{1,0:T(8,128)(2,1)}", "--zoom=2", "--as=svg"],
    "zoom.txt": ["bf16[20,300]{1,0:T(8,128)(2,1)}", "--zoom=2", "--width=60"],
}


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


def random_shape(rng):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6])
    sizes = [rng.choice([1, 2, 3, rng.randint(0, 9), rng.randint(1, 40), rng.randint(1, 400)]) for _ in range(rank)]
    if rng.random() < 0.05 and rank < 4:
        sizes = [size * 1000 for size in sizes]
    bounds = ",".join(("<=" if rng.random() < 0.05 else "") + str(size) for size in sizes)
    order = list(range(rank))
    rng.shuffle(order)
    tiles = elements = ""
    if rng.random() < 0.6:
        tiles = "T" + "".join(
            "(" + ",".join(rng.choice(["*"] if i + 1 < count and rng.random() < 0.1 else ["1", "2", "4", "8", "128", "3"])
                           for i in range(count)) + ")"
            for count in (rng.randint(1, max(rank, 1)) for _ in range(rng.randint(1, 3))))
    if rng.random() < 0.1:
        elements += f"L({rng.choice([8, 100, 1024])})"
    kind = rng.choice(["f32", "bf16", "u8", "s4", "pred", "c128"])
    if kind == "s4" and rng.random() < 0.7:
        elements += "E(4)"
    physical = rng.randrange(max(rank, 1))
    if rank and sizes[order[-1 - physical]] > 1 and rng.random() < 0.1:
        elements += f"SC({physical}:{rng.randrange(1, sizes[order[-1 - physical]])})"
    padded = ""
    if rng.random() < 0.1 and rank:
        padded = "PD(" + ",".join(str(size + rng.choice([0, 1, 5, 1000])) for size in sizes) + ")"
    if not rank:
        return f"{kind}[]"
    tail = tiles + elements + padded
    return f"{kind}[{bounds}]{{{','.join(map(str, order))}{':' + tail if tail else ''}}}"


def visible(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


class Draw(Case):
    def draw(self, *args, **options):
        return self.run_command("draw", *args, **options)

    def cells(self, picture):
        """(index, position) of each rectangle of the planes of an SVG with data, without the memory in order."""
        root = xml.fromstring(picture)
        planes = [group for group in root.findall(SVG + "g") if "transform" in group.attrib]
        return [(rect.get("data-index"), rect.get("data-position"), rect.get("data-to"))
                      for plane in planes for rect in plane.iter(SVG + "rect")]

    def svg_of(self, page):
        return page[page.index("<svg"):page.index("</svg>") + 6]

    def check_svg(self, picture):
        self.assertLess(len(picture), 1_000_000)
        root = xml.fromstring(picture)
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        self.assertEqual(len(ids), 1)
        self.assertRegex(ids[0], r"^xlashape-hatch-\d+$")
        used = set(re.findall(r"url\(#([^)]*)\)", picture))
        self.assertLessEqual(used, set(ids))
        left, top, width, height = map(float, root.get("viewBox").split())
        # Nothing lies outside.
        for group in root.findall(SVG + "g"):
            x, y = map(int, re.findall(r"\d+", group.get("transform", "0 0")))
            for rect in group.iter(SVG + "rect"):
                self.assertLessEqual(x + int(rect.get("x")) + int(rect.get("width")), left + width)
                self.assertLessEqual(y + int(rect.get("y")) + int(rect.get("height")), top + height)
        for rect in root.findall(SVG + "rect"):
            self.assertLessEqual(int(rect.get("x")) + int(rect.get("width")), left + width)
            self.assertLessEqual(int(rect.get("y", 0)) + int(rect.get("height")), top + height)

    def test_golden(self):
        names = {path.name for path in GOLDEN.iterdir()} if GOLDEN.is_dir() else set()
        for name, args in PICTURES.items():
            picture = self.draw(*args)
            if WRITE:
                GOLDEN.mkdir(exist_ok=True)
                (GOLDEN / name).write_text(picture, encoding="utf-8")
                continue
            self.assertEqual((GOLDEN / name).read_text(encoding="utf-8"), picture, name)
        if not WRITE:
            self.assertEqual(names, set(PICTURES))

    def test_random_shapes_are_well_formed(self):
        rng = random.Random(1)
        for number in range(COUNT):
            shape = random_shape(rng)
            args = [shape, f"--show={rng.choice(['position', 'index', 'byte', 'tile', 'lane', 'nothing'])}"]
            if rng.random() < 0.2:
                args.append(f"--overlay={rng.choice(['line', 'page', '1', '7'])}")
            form = ["svg", "html", "text"][number % 3]
            if form == "text":
                width = rng.choice([20, 21, 33, 80, 200])
                args += [f"--width={width}"] + rng.choice([[], ["--ascii"], ["--color=always"]])
                picture = self.draw(*args)
                title, *lines = picture.splitlines()
                for line in lines:
                    self.assertLessEqual(len(visible(line)), width, (args, line))
                self.assertEqual("--ascii" in args and not picture.isascii(), False, args)
                continue
            picture = self.draw(*args, f"--as={form}", *(["--max-cells=200"] if rng.random() < 0.5 else []))
            with self.subTest(args=args):
                if form == "html":
                    self.assertLess(len(picture), 1_000_000)
                    markup = Markup()
                    markup.feed(picture)
                    markup.close()
                    self.assertEqual((markup.open, markup.wrong), ([], []))
                    picture = self.svg_of(picture)
                self.check_svg(picture)

    def test_numbers_are_those_of_index(self):
        rng = random.Random(2)
        for _ in range(COUNT // 25):
            shape = random_shape(rng)
            cells = self.cells(self.svg_of(self.draw(shape, "--as=html", "--max-cells=100")))
            known = [(index, position) for index, position, _ in cells if index]
            positions = [position for _, position, _ in cells]
            self.assertEqual(len(positions), len(set(positions)), shape)
            self.assertEqual(len(known), len(set(known)), shape)
            if not known:
                continue
            asked = [word for index, _ in known for word in ("--at", index)]
            answer = self.run_json("index", shape, *asked)
            self.assertEqual([(",".join(map(str, one["index"])), str(one["linear"])) for one in answer],
                             known, shape)

    def test_the_second_shape_has_its_own_positions(self):
        cells = self.cells(self.svg_of(self.draw("u8[3,4]", "u8[3,4]{0,1}", "--as=html")))
        for index, position, to in cells:
            row, column = map(int, index.split(","))
            self.assertIn((position, to), ((str(4 * row + column), None), (None, str(3 * column + row))))
        self.assertEqual(len(cells), 24)

    def test_a_layout_alone_is_of_the_first_shape(self):
        self.assertEqual(self.draw("u8[3,4]", "{0,1:T(2,2)}"), self.draw("u8[3,4]", "u8[3,4]{0,1:T(2,2)}"))
        self.draw("u8[3,4]", "{0,1,2}", exit=1)
        self.draw("u8[3,4]", "{0,1", exit=1)
        self.assertIn("\n  {0,1\n      ^", self.err)
        self.draw("{0,1}", "u8[3,4]", exit=1)

    def test_two_shapes_of_different_padding_are_drawn_as_each_is(self):
        first, second = "f32[2,2]", "f32[2,2]{1,0:T(8,128)}"
        lines = self.draw(first, second, "--ascii").split("\n")
        self.assertEqual([line.split() for line in lines[3:8]],
                         [["0", "1"], ["+---------+"], ["0", "|", "0", "1|"], ["1", "|", "2", "3|"], ["+---------+"]])
        self.assertIn("  of the second, rows are dimension 0, size 2 stored as 8", lines)

    def test_pairs_that_are_refused(self):
        for first, second, why in (("f32[?,3]", "f32[2,3]", "dimension 0 of shape is unbounded"),
                                   ("f32[2,3]", "f32[2,?]", "dimension 1 of other is unbounded"),
                                   ("f32[2,3]", "f32[2,4]", "the sizes of dimension 1 differ, 3 and 4"),
                                   ("f32[2,3]", "f32[2]", "the shapes' ranks differ, 2 and 1")):
            self.draw(first, second, exit=3 if "unbounded" in why else 1)
            self.assertIn(why, self.err)

    def test_large(self):
        shape, other = "f32[100,100,100,1000,100,10]{5,4,3,2,1,0:T(8,128)}", "f32[100,100,100,1000,100,10]{0,1,2,3,4,5}"
        deep = "f32[" + "1," * 900 + "64,64]"
        for show in ("position", "index", "byte", "tile", "lane", "nothing"):
            for shapes in ([shape], [shape, other], ["f32[1024,2,2]"] * 2, [deep.replace("64,64", "2,2,2,2,2,2,2,2,2")],
                           ["f32[64,64]", "f32[64,64]{0,1:T(8,128)}"],
                           ["f32[1000000007,1000000007]"] * 2, [deep], [deep, deep], ["s4[64,64]{1,0:T(2)E(4)}"] * 2):
                for form in ("svg", "html"):
                    self.assertLess(len(self.draw(*shapes, f"--as={form}", f"--show={show}", "--overlay=1")), 1_000_000,
                                    (shapes, show, form))

    def test_hostile(self):
        for shape in ("f32[<=5,<=300]", "f32[0]", "f32[5,0,3]{0,1,2:T(8,128)}", "f32[3,40]{1,0:T(*,8)}",
                      "f32[6,9]{1,0:T(4,4)(3,5)}", "f32[3,4]{1,0:T(2,2,2)}", "f32[2,3]{1,0:PD(1000000000,5)}",
                      "pred[40]{0:E(32)}", "s1[40]{0:E(1)}", "u8[9223372036854775807]", "f32[]",
                      "f32[" + "1," * 1000 + "1]", "f32[" + "2," * 50 + "2]", "f32[9]{0:L(1000000000000)}",
                      "f32[9,9]{1,0:SC(0:1,2,3,4,5,6,7,8)(1:4)}", "f32[4611686018427387,2]{0,1:T(4,128)}"):
            for args in ([], ["--as=svg"], ["--as=html"], ["--width=20", "--show=index"], ["--max-cells=9"],
                         ["--max-cells=9", "--as=svg"], ["--overlay=9223372036854775807"], ["--color-by=tile"]):
                with self.subTest(shape=shape, args=args):
                    picture = self.draw(shape, *args, exit=None)
                    self.assertEqual(picture == "", self.err != "")
                    self.assertLess(len(picture), 1_000_000)
                    if "--as=svg" in args and picture:
                        self.check_svg(picture)
        self.draw("f32[" + "1," * 5000 + "1]", exit=3)
        for shape in ("(f32[2], f32[3])", "token[]", "()", "f32[?]", "f32[2,?]"):
            self.assertEqual(self.draw(shape, exit=3), "")

    def test_at(self):
        shape = "f32[3,4,5]"
        cells = self.cells(self.svg_of(self.draw(shape, "--as=html", "--at", "0=2", "--at", "x=3")))
        self.assertEqual([index for index, _, _ in cells], ["2,0,3", "2,1,3", "2,2,3", "2,3,3"])
        cells = self.cells(self.svg_of(self.draw(shape, "--as=html", "--at", "0=2,-1=3,y=1")))
        self.assertEqual([index for index, _, _ in cells], ["2,1,3"])
        for wrong, code in (("", 2), ("0", 2), ("0=", 2), ("=1", 1), ("0=-1", 2), ("0=1,0=1", 2), ("0=1,", 2), ("0=3", 1),
                            ("9=0", 1), ("-4=0", 1), ("0=99999999999999999999", 2), ("q=1", 1), ("0=1x", 2)):
            self.assertEqual(self.draw(shape, "--at", wrong, exit=code), "", wrong)
            self.assertNotEqual(self.err, "")

    def test_options_at_their_limits(self):
        shape = "bf16[100,300]{1,0:T(8,128)(2,1)}"
        for good in ("--max-cells=9", "--max-cells=1048576", "--width=20", "--width=10000", "--zoom=2", "--overlay=1"):
            self.assertIn(shape, self.draw(shape, good))
        for bad in ("--max-cells=8", "--max-cells=1048577", "--width=19", "--width=10001", "--zoom=-1", "--zoom=1001",
                    "--overlay=0", "--overlay=-1", "--overlay=word", "--show=all", "--as=png", "--target=tpu:v0", "--out="):
            self.assertEqual(self.draw(shape, bad, exit=2), "", bad)
        self.draw(shape, "--zoom=3", exit=1)
        self.draw(shape, "--color-by=7", exit=1)
        self.draw("f32[3]", "f32[3]", "f32[3]", exit=2)
        self.draw(exit=2)
        self.draw("f32[3", exit=1)
        self.draw("f32[3]", "f32[4]", exit=1)
        self.assertIn("{0,1:T(4,128)}", self.draw("f32[1000,3]", "--target=tpu:v5e"))

    def test_colour(self):
        self.assertIn("\x1b[48;2;", self.draw("f32[2,3]", "--color=always"))
        self.assertNotIn("\x1b", self.draw("f32[2,3]"))
        self.assertNotIn("\x1b", self.draw("f32[2,3]", "--color=never"))
        self.assertNotIn("\x1b", self.draw("f32[2,3]", env={"NO_COLOR": "1"}))
        plain = self.draw("f32[2,3]")
        self.assertEqual(visible(self.draw("f32[2,3]", "--color=always")), plain)

    def test_files(self):
        for name, start in (("a.svg", "<svg "), ("a.html", "<!doctype html>"), ("a.htm", "<!doctype html>"),
                            ("a.txt", "u8[2,2]{1,0}\n")):
            said = self.draw("u8[2,2]", "-o", name)
            self.assertTrue(said.startswith(f"{name}: u8[2,2]{{1,0}}, "), said)
            self.assertTrue(self.read(name).decode().startswith(start), name)
        self.draw("u8[2,2]", "-o", "b", "--as=text", "--color=always")
        self.assertNotIn(b"\x1b", self.read("b"))
        self.draw("u8[2,2]", "-o", "B.SVG")
        self.assertTrue(self.read("B.SVG").startswith(b"<svg "))
        # A name that promises a format gets it.
        for name, form in itertools.product(("a.svg", "a.html", "a.HTM", "a.txt", "a.md", "a.png", "a.npy", "a.json"),
                                            ("text", "svg", "html")):
            kept = {"svg": "svg", "html": "html", "htm": "html", "txt": "text", "md": "text"}.get(name.lower()[2:])
            self.draw("u8[2,2]", "-o", name, f"--as={form}", exit=0 if kept == form else 2)
        for name in ("a.png", "a.npy", "a.JSON"):
            self.assertFalse((self.folder / name).exists())
        plain = self.draw("u8[2,2]")
        self.assertEqual(self.draw("u8[2,2]", "-o", "-"), plain)
        self.assertTrue(self.draw("u8[2,2]", "-o", "-", "--as=svg").startswith("<svg "))
        # What is there already is kept.
        self.assertEqual(self.run_shell('(echo first; "$@" draw "u8[2,2]" -o -) >out; cat out').decode(), "first\n" + plain)
        self.draw("u8[2,2]", "-o", "no/such.svg", exit=1)
        self.assertIn("no/such.svg", self.err)
        self.draw("u8[2,2]", "-o", ".", exit=1)
        self.draw("u8[2,2]", "-o", "a.png", exit=2)
        self.assertIn("a.png: a picture is .svg, .html or .txt", self.err)
        self.draw("u8[2,2]", "-o", "-", "--json", exit=2)
        self.run_shell('"$@" draw "u8[2,2]" >/dev/full', exit=1)
        self.assertIn("No space left", self.err)
        self.run_shell('"$@" draw "u8[2,2]" -o - >/dev/full', exit=1)
        self.assertEqual(self.run_shell('mkfifo p.svg; cat p.svg >got & "$@" draw "u8[2,2]" -o p.svg >/dev/null; wait; '
                                        'head -c 5 got'), b"<svg ")

    def test_the_manual_shows_what_is_printed(self):
        text = (GOLDEN.parents[2] / "docs/command.md").read_text(encoding="utf-8")
        (example,) = re.findall(r"^    \$ xlashape draw (.*\n(?:(?:    .*)?\n)*)", text, re.MULTILINE)
        command, *lines = example.rstrip().split("\n")
        self.assertEqual([line.removeprefix("    ") for line in lines], self.draw(command.strip("'")).splitlines())

    def test_json(self):
        answer = self.run_json("draw", "u8[2,2]", "u8[2,2]{0,1}")
        self.assertEqual((answer["shape"], answer["other"], answer["format"], answer["out"]),
                         ("u8[2,2]{1,0}", "u8[2,2]{0,1}", "text", None))
        self.assertEqual(answer["picture"], self.draw("u8[2,2]", "u8[2,2]{0,1}"))
        answer = self.run_json("draw", "u8[2,2]", "-o", "a.svg")
        self.assertEqual((answer["other"], answer["format"], answer["out"], answer["picture"]), (None, "svg", "a.svg", None))
        self.assertEqual(self.run_json("draw", "f32[", exit=1)["error"]["offset"], 4)
        self.assertEqual(self.run_json("draw", "()", exit=3)["error"]["code"], "UNSUPPORTED")


if __name__ == "__main__":
    WRITE, ALL = "--write" in sys.argv, "--all" in sys.argv
    COUNT = 1000 if ALL else 250
    sys.argv = [word for word in sys.argv if word not in ("--write", "--all")]
    case.main()
