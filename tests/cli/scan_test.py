"""`xlashape scan` from outside, with dumps that XLA wrote and programs whose costs are counted by hand.

Usage: scan_test.py COMMAND. Ends with `N passed, M failed`."""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess

import case
from case import Case

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "scan"
PROGRAMS = ["cpu_decode", "tpu7x_decode", "v4_sharded", "v5e_decode", "v5e_smalltypes", "v5e_transformer", "v5e_waste",
            "v5e_while_rnn", "v6e_zoo"]
VERDICTS = ["moves", "duplicate", "space", "free", "unproven"]
MODULE_KEYS = ["name", "file", "format", "target", "layouts_predicted", "scheduled", "computations", "instructions",
               "text_bytes", "unparsed", "unparsed_lines", "totals", "waste", "values", "values_left_out", "relayouts",
               "relayouts_left_out", "verdicts", "peak"]


def data(name):
    return gzip.decompress((DATA / (name + ".gz")).read_bytes())


def entry(lines, head="", before=""):
    """A module whose entry computation has these lines."""
    return f"HloModule jit_f{head}\n\n{before}\nENTRY %main () -> f32[] {{\n{lines}\n}}\n"


class ScanCase(Case):
    def scan(self, text, *args, **options):
        """The only module in the JSON about this text; every line of it is understood."""
        if isinstance(text, str):
            text = text.encode()
        modules = self.run_json("scan", "-", "--top", 100000, *args, stdin=text, **options)["modules"]
        self.assertEqual(len(modules), 1)
        self.assertEqual((modules[0]["unparsed"], modules[0]["unparsed_lines"]), (0, []))
        return modules[0]

    def totals(self, module):
        """(arrays, bytes, bytes of data) of arguments, outputs, constants and values."""
        return {what: tuple(module["totals"][what][key] for key in ("arrays", "bytes", "logical_bytes"))
                for what in ("arguments", "outputs", "constants", "values")}

    def verdicts(self, module):
        return {verdict: (about["count"], about["bytes"]) for verdict, about in module["verdicts"].items()
                if about["count"]}

    def judged(self, module):
        """Each relayout's verdict and bytes by its name."""
        return {row["name"]: (row["verdict"], row["bytes"]) for row in module["relayouts"]}

    def page_data(self, name="page.html"):
        """What the page has in its script element, which the first `</script` behind it must end."""
        page = self.read(name).decode()
        return json.JSONDecoder().raw_decode(page[page.index('{\n  "xlashape_scan": 1') :])


class Dumps(ScanCase):
    """What XLA wrote, of five machines."""

    def dump(self, name, *args):
        path = DATA / (name + ".gz")
        modules = self.run_json("scan", path, "--top", 100000, *args)["modules"]
        self.assertEqual(len(modules), 1, name)
        return modules[0]

    def test_every_line(self):
        for path in sorted(DATA.glob("*.gz")):
            if "-live-range" in path.name:  # only times, no program
                self.run_command("scan", path, exit=3)
                continue
            with self.subTest(path.name):
                module = self.dump(path.name[:-3])
                self.assertEqual(list(module), MODULE_KEYS)
                self.assertEqual((module["unparsed"], module["unparsed_lines"]), (0, []))
                self.assertEqual(module["totals"]["unsized"], 0)
                if path.name.endswith(".txt.gz") and "-buffer" not in path.name:
                    # Each line with " = " within a computation is an instruction, and nothing else is one.
                    lines = re.findall(r"(?m)^ +(?:ROOT )?%?[\w.-]+ = .*$", gzip.decompress(path.read_bytes()).decode())
                    self.assertEqual(module["instructions"], len(lines))
                    self.assertEqual(module["text_bytes"], len(gzip.decompress(path.read_bytes())))

    def test_shapes_print_back(self):
        shapes = set()
        for name in PROGRAMS:
            module = self.dump(name + ".txt", "--all")
            text = data(name + ".txt").decode()
            rows = module["values"]
            found = {row["shape"] for row in rows} | {row[key] for row in module["relayouts"] for key in ("from", "to")}
            for shape in found:
                self.assertIn(shape, text)  # as XLA wrote it
            self.assertGreater(len(found), 3, name)
            shapes |= found
        answers = self.run_json("explain", "-", stdin="\n".join(sorted(shapes)).encode())
        self.assertEqual([answer["shape"] for answer in answers], sorted(shapes))
        sizes = {answer["shape"]: (answer["bytes"], answer["logical_bytes"]) for answer in answers}
        for name in PROGRAMS:
            for row in self.dump(name + ".txt", "--all")["values"]:
                self.assertEqual((row["bytes"], row["logical_bytes"]), sizes[row["shape"]])

    def test_sizes_are_xlas(self):
        """A value's bytes are as many as XLA assigned to its shape. Two kinds are known to differ: a pair of integers in
        S(4), which the compiler gives more, and arrays that the cores split."""
        compared = 0
        for name in PROGRAMS:
            text = data(name + "-buffer-assignment.txt").decode()
            assigned = re.findall(r"(?m)^ value: <\d+ .*?> \(size=(\d+),offset=\d+\): (\S.*)$", text)
            arrays = {(int(size), shape) for size, shape in assigned
                      if not shape.startswith("(") and "SC(" not in shape and "S(4)" not in shape}
            shapes = sorted({shape for _, shape in arrays if not shape.startswith(("token", "opaque"))})
            sizes = {answer["shape"]: answer["bytes"] for answer in
                     self.run_json("explain", "-", stdin="\n".join(shapes).encode())}
            for size, shape in arrays:
                if shape in sizes:
                    self.assertEqual(sizes[shape], size, (name, shape))
                    compared += 1
        self.assertGreater(compared, 100)

    def test_assignment(self):
        """All allocations and values of XLA's text are in the page, with its numbers."""
        for name in PROGRAMS:
            with self.subTest(name):
                self.run_command("scan", DATA / (name + ".txt.gz"), "--html", "page.html")
                (module,) = self.page_data()[0]["modules"]
                text = data(name + "-buffer-assignment.txt").decode().split("\nTotal bytes used")[0]
                expected, blocks, thread_local = {}, set(), False
                for line in text.splitlines():
                    if head := re.match(r"allocation (\d+): size (\d+)(.*)", line):
                        number, rest = int(head[1]), head[3]
                        thread_local = "thread-local" in rest
                        color = re.search(r"color (\d+)", rest)
                        if not thread_local:
                            space = int(color[1]) if color else 0
                            expected.setdefault(space, {})[number] = int(head[2])
                    elif (value := re.match(r" value: <\d+ (.*?)(\{\S*\})?(?: \(phi\))? @\d+> \(size=(\d+),offset=(\d+)\)", line)):
                        if not thread_local:
                            place = value[2] if value[2] and value[2] != "{}" else ""
                            blocks.add((number, int(value[4]), int(value[3]), value[1] + place))
                spaces = {space["space"]: space for space in module["peak"]["spaces"]}
                self.assertEqual({space: {one["number"]: one["bytes"] for one in about["allocations"]}
                                  for space, about in spaces.items()}, expected)
                got = {(one["allocation"], one["offset"], one["bytes"], re.sub(r"\{\}$", "", one["name"]))
                       for about in spaces.values() for one in about["blocks"]}
                self.assertEqual(got, blocks)
                for space, about in spaces.items():
                    self.assertEqual(about["allocated"], sum(expected[space].values()))
                    self.assertLessEqual(about["peak_bytes"], about["allocated"])
                    if about["timeline"]:
                        self.assertEqual(about["peak_bytes"], max(used for _, used in about["timeline"]))
                        self.assertEqual(about["timeline"], sorted(about["timeline"]))
                    for member in about["members"]:
                        if about["peak_step"] is not None and member["use"] == "temporary" and member["begin"] is not None:
                            self.assertLessEqual(member["begin"], about["peak_step"])
                            self.assertGreaterEqual(member["end"], about["peak_step"])

    def test_bitcasts_are_free(self):
        seen = 0
        for name in PROGRAMS[1:]:  # those of TPUs, which are tiled
            for row in self.dump(name + ".txt", "--all")["relayouts"]:
                self.assertNotEqual(row["verdict"], "unproven", (name, row))
                if row["op"] == "bitcast":
                    self.assertEqual((row["verdict"], row["bytes"]), ("free", 0), (name, row))
                    seen += 1
        self.assertGreater(seen, 40)

    def test_text_and_proto(self):
        """The text, the message and both compressed tell the same; so does the text without the files beside it, but for
        what those tell."""
        for name in ("cpu_decode", "tpu7x_decode", "v4_sharded", "v5e_decode", "v5e_while_rnn",
                     "v4_sharded.before_optimizations"):
            with self.subTest(name):
                for end in (".txt", ".hlo.pb", "-buffer-assignment.txt", "-live-range.txt"):
                    if (DATA / f"{name}{end}.gz").exists():
                        self.write(name + end, data(name + end))
                def told(path):
                    (module,) = self.run_json("scan", path, "--top", 100000, "--all")["modules"]
                    for key in ("format", "file", "text_bytes"):
                        del module[key]
                    for key in ("waste", "values", "relayouts"):
                        for row in module[key]:
                            del row["line"]
                        # Of equal arrays the order is that of the program, which a message has in another one.
                        module[key].sort(key=lambda row: json.dumps(row))
                    for space in (module["peak"] or {"spaces": []})["spaces"]:
                        space["members"].sort(key=lambda row: json.dumps(row))
                    return module
                text = told(name + ".txt")
                self.assertEqual(told(DATA / (name + ".txt.gz")), text)
                proto = told(name + ".hlo.pb")
                self.assertEqual(told(DATA / (name + ".hlo.pb.gz")), proto)
                if not (DATA / f"{name}-live-range.txt.gz").exists():
                    for module in (text, proto):
                        del module["peak"]  # only the message tells the times
                self.assertEqual(proto, text)

    def test_lines(self):
        text = data("v5e_decode.txt").decode().splitlines()
        for row in self.dump("v5e_decode.txt")["relayouts"]:
            line = text[row["line"] - 1]
            self.assertIn(f'%{row["name"]} = ', line)
            self.assertIn(row["to"] + " ", line.replace(", ", " "))  # copy-start has it in a tuple
            self.assertIn(f'op_name="{row["op_name"]}"' if row["op_name"] else "", line)

    def test_decode(self):
        """What a reader of this program must find: the cache that is not donated, and two arrays of 128 times their size."""
        module = self.dump("v5e_decode.txt")
        self.assertEqual(self.verdicts(module), {"moves": (2, 8519680), "duplicate": (1, 2 << 26),
                                                 "space": (5, (2 << 26) + (3 << 17) + 1024), "free": (2, 0)})
        worst = module["waste"][0]
        self.assertEqual((worst["shape"], worst["bytes"], worst["logical_bytes"], worst["waste_ratio"], worst["space"]),
                         ("bf16[4,8,1,8,64]{2,4,3,1,0:T(8,128)(2,1)S(1)}", 1 << 22, 1 << 15, 128.0, 1))
        self.assertEqual((worst["op_name"], worst["source"]),
                         ("jit(decode)/broadcast_in_dim", "tests/data/scan/source/progs.py:42"))
        self.assertEqual(worst["better"], {"layout": "{4,3,2,1,0:T(8,128)(2,1)S(1)}", "bytes": 1 << 16})
        copy = next(row for row in module["relayouts"] if row["verdict"] == "duplicate")
        self.assertEqual((copy["name"], copy["operand"], copy["times"]), ("copy.10", "x_0_.1 x[0]", 1))
        self.assertIn("donate_argnums", copy["why"])
        self.assertEqual((self.totals(module)["arguments"][0], self.totals(module)["outputs"][0]), (6, 3))
        first = module["peak"]["spaces"][0]
        self.assertEqual((first["space"], first["steps"], first["peak_instruction"]), (0, 49, "copy-start.3"))

    def test_loops(self):
        """XLA's texts of TPUs have no trip counts; the program's loop runs 64 times."""
        module = self.dump("v5e_while_rnn.txt")
        times = {row["times"] for row in module["values"] if "region" in row["computation"]}
        self.assertEqual(times, {64})
        self.assertTrue(all(row["times_known"] for row in module["values"]))
        moved = [row for row in module["relayouts"] if row["times"] == 64]
        for row in moved:
            self.assertEqual(row["bytes"], 64 * (row["bytes_read"] + row["bytes_written"]))

    def test_for_eyes(self):
        for name in PROGRAMS:
            text = self.run_command("scan", DATA / (name + ".txt.gz"), "--color", "never")
            self.assertNotIn("\033", text)
            self.assertRegex(text, r"^jit_\w+  \S+\n  \d+ computations, \d+ instructions\n")
            self.assertNotIn("not understood", text)
        text = self.run_command("scan", DATA / "v5e_decode.txt.gz", "--color", "always", "--target", "tpu:v5e")
        self.assertIn("\033", text)
        self.assertIn("S(1) vmem", text)


class Predictions(ScanCase):
    """What the target's compiler chooses for arguments and results, before it has."""

    def layouts(self, target, shapes):
        answers = self.run_json("layout-for", target, "-", stdin="\n".join(shapes).encode())
        return {answer["given"]: (answer["shape"], answer["bytes"]) for answer in answers}

    def arguments(self, module):
        return sorted((row["shape"], row["bytes"]) for row in module["values"] if row["kind"] == "argument")

    def test_stablehlo(self):
        for name in ("waste", "while_rnn", "decode"):
            text = data(name + ".stablehlo.mlir").decode()
            head = re.search(r"func public @main\((.*)\) -> (.*) \{\n", text)
            types = [re.sub(r"^i1$", "pred", t) for t in re.findall(r"%arg\d+: tensor<([^>]*)>", head[1])]
            results = re.findall(r"tensor<([^>]*)>", head[2])
            def shape(tensor):
                *dims, kind = tensor.split("x")
                kind = {"i1": "pred", "i8": "s8", "i32": "s32", "ui32": "u32"}.get(kind, kind)
                return f"{kind}[{','.join(dims)}]"
            for target in ("tpu:v4", "tpu:v5e", "tpu:v7x", "cpu"):
                with self.subTest((name, target)):
                    module = self.scan(text, "--target", target)
                    layouts = self.layouts(target, list(map(shape, types + results)))
                    self.assertEqual(self.arguments(module), sorted(layouts[shape(t)] for t in types))
                    outputs = [layouts[shape(t)][1] for t in results]
                    self.assertEqual(self.totals(module)["outputs"][:2], (len(results), sum(outputs)))
                    self.assertEqual((module["target"], module["layouts_predicted"], module["format"]),
                                     (target, True, "stablehlo"))
            # Without a target a tensor takes the bytes of its elements.
            module = self.scan(text)
            self.assertFalse(module["layouts_predicted"])
            for total in self.totals(module).values():
                self.assertEqual(total[1], total[2])

    def test_what_the_compiler_chose(self):
        """StableHLO's prediction is what XLA's TPU compiler gave the same program's arguments."""
        for name in ("waste", "while_rnn", "decode"):
            module = self.scan(data(name + ".stablehlo.mlir"), "--target", "tpu:v5e")
            compiled = self.scan(data(f"v5e_{name}.txt"))
            self.assertEqual(self.arguments(module), self.arguments(compiled))
            self.assertEqual(module["totals"]["outputs"], compiled["totals"]["outputs"])

    def test_before_optimizations(self):
        text = data("v4_sharded.before_optimizations.txt").decode()
        shapes = ["bf16[4096,1000]", "bf16[1000,3000]", "bf16[3000,512]"]
        # The head has the layouts that jax asked for, tiles among them; the parameters have none. A target changes nothing.
        given = self.scan(text)
        self.assertEqual([row["shape"] for row in sorted(given["values"], key=lambda row: row["name"])
                          if row["kind"] == "argument"],
                         ["bf16[4096,1000]{1,0:T(8,128)(2,1)}", "bf16[1000,3000]{0,1:T(8,128)(2,1)}",
                          "bf16[3000,512]{1,0:T(8,128)(2,1)}"])
        self.assertEqual(self.arguments(self.scan(text, "--target", "tpu:v4")), self.arguments(given))
        plain = re.sub(r"entry_computation_layout=\{.*?\}\}, ", "", text, count=1)
        self.assertNotEqual(plain, text)
        for target in ("tpu:v4", "tpu:v5e", "cpu"):
            module = self.scan(plain, "--target", target)
            self.assertEqual(self.arguments(module), sorted(self.layouts(target, shapes).values()))
            self.assertTrue(module["layouts_predicted"])
        self.assertEqual(sum(size for _, size in self.arguments(self.scan(plain))),
                         2 * (4096 * 1000 + 1000 * 3000 + 3000 * 512))

    def test_targets(self):
        for target in ("tpu:v9", "TPU:V4", "\x1b[31m"):
            self.assertEqual(self.run_command("scan", "-", "--target", target, stdin=b"HloModule f\n", exit=2), "")
            self.assertNotIn("\033", self.err)
        self.assertIsNone(self.scan(entry("  ROOT %a = f32[2]{0} parameter(0)"))["target"])


class Counted(ScanCase):
    """Small programs whose costs are counted by hand."""

    # f32[16,256]{1,0:T(8,128)} fills its tiles: 16384 bytes; in {0,1:T(8,128)} the 16 become 128: 131072. f32[3]{0:T(128)}
    # takes 512 bytes, 12 of data. The head has b's tiles, which its parameter has not.
    #   moved   writes 131072 of 16384               moves      147456
    #   twice   the same layout again                duplicate  32768
    #   near    the same in S(1)                     space      32768
    #   slim    f32[1,256] has one row: no order of its dimensions moves anything, but it is written anew
    #                                                duplicate  2 * 1024
    # Values: moved, twice, near, slim = 131072 + 2 * 16384 + 1024, of which data 3 * 16384 + 1024.
    COPIES = """HloModule jit_copies, is_scheduled=true, entry_computation_layout={(f32[16,256]{1,0:T(8,128)}, \
f32[3]{0:T(128)}, f32[1,256]{1,0})->(f32[16,256]{0,1:T(8,128)}, f32[3]{0:T(128)})}

ENTRY %main (a: f32[16,256], b: f32[3], c: f32[1,256]) -> (f32[16,256], f32[3]) {
  %a = f32[16,256]{1,0:T(8,128)} parameter(0), metadata={op_name="x[\\'w\\']"}
  %b = f32[3]{0} parameter(1)
  %c = f32[1,256]{1,0} parameter(2)
  %moved = f32[16,256]{0,1:T(8,128)} copy(%a), metadata={op_name="jit(f)/t" source_file="f.py" source_line=7}
  %twice = f32[16,256]{1,0:T(8,128)} copy(%a)
  %near = f32[16,256]{1,0:T(8,128)S(1)} copy(%twice)
  %slim = f32[1,256]{0,1} copy(%c)
  ROOT %out = (f32[16,256]{0,1:T(8,128)}, f32[3]{0}) tuple(%moved, %b)
}
"""

    def test_copies(self):
        module = self.scan(self.COPIES)
        self.assertEqual((module["name"], module["scheduled"], module["computations"], module["instructions"]),
                         ("jit_copies", True, 1, 8))
        self.assertEqual(self.totals(module), {
            "arguments": (3, 16384 + 512 + 1024, 16384 + 12 + 1024), "outputs": (2, 131072 + 512, 16384 + 12),
            "constants": (0, 0, 0), "values": (4, 131072 + 2 * 16384 + 1024, 3 * 16384 + 1024)})
        self.assertEqual(self.judged(module), {"moved": ("moves", 147456), "twice": ("duplicate", 32768),
                                               "near": ("space", 32768), "slim": ("duplicate", 2048)})
        self.assertEqual(self.verdicts(module), {"moves": (1, 147456), "duplicate": (2, 34816), "space": (1, 32768)})
        self.assertEqual(module["totals"]["moved"], 147456)
        self.assertEqual({space["space"]: (space["arrays"], space["bytes"]) for space in module["totals"]["by_space"]},
                         {0: (6, 16384 + 512 + 1024 + 131072 + 16384 + 1024), 1: (1, 16384)})
        moved = module["relayouts"][0]
        self.assertEqual((moved["bytes_read"], moved["bytes_written"], moved["operand"], moved["source"], moved["op_name"],
                          moved["line"], moved["times"], moved["times_known"], moved["in_fusion"], moved["computation"]),
                         (16384, 131072, "a x['w']", "f.py:7", "jit(f)/t", 7, 1, True, False, "main"))
        self.assertRegex(moved["why"], r"^dimension [01] changes its place in memory: .*\{1,0\} becomes \{0,1\}$")
        self.assertEqual([(row["name"], row["bytes"], row["logical_bytes"], row["waste_ratio"]) for row in module["waste"]],
                         [("moved", 131072, 16384, 8.0), ("b", 512, 12, 512 / 12)])
        self.assertEqual(module["waste"][1]["shape"], "f32[3]{0:T(128)}")
        text = self.run_command("scan", "-", stdin=self.COPIES.encode())
        self.assertIn("1 moves (144.0 KiB), 2 duplicate (34.0 KiB), 1 space (32.0 KiB)", text)
        self.assertIn("Waste: 112.5 KiB of padding", text)

    def test_space_and_top(self):
        module = self.scan(self.COPIES, "--space", 1)
        self.assertEqual([row["name"] for row in module["values"]], ["near"])
        self.assertEqual([row["name"] for row in module["relayouts"]], ["near"])
        self.assertEqual(module["waste"], [])
        text = self.run_command("scan", "-", "--space", 1, stdin=self.COPIES.encode())
        self.assertNotIn("copy moved", text)
        self.assertIn("copy near", text)
        module = self.run_json("scan", "-", "--top", 0, stdin=self.COPIES.encode())["modules"][0]
        self.assertEqual((module["waste"], module["values"], module["relayouts"]), ([], [], []))
        self.assertEqual((module["values_left_out"], module["relayouts_left_out"]), (7, 4))
        self.assertEqual(module["totals"], self.scan(self.COPIES)["totals"])
        self.run_command("scan", "-", "--top", 0, stdin=self.COPIES.encode())
        module = self.run_json("scan", "-", "--top", 1, stdin=self.COPIES.encode())["modules"][0]
        self.assertEqual([row["name"] for row in module["relayouts"]], ["moved"])
        self.assertEqual((module["values_left_out"], module["relayouts_left_out"]), (6, 3))
        for wrong in (("--top", "-1"), ("--top", "x"), ("--space", "-1"), ("--space", "1x"), ("--where", "all")):
            self.run_command("scan", "-", *wrong, stdin=self.COPIES.encode(), exit=2)

    LOOP = """HloModule jit_loop
%cond (p: (s32[], s32[], s32[], f32[256])) -> pred[] {{
  %p = (s32[], s32[], s32[], f32[256]{{0}}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %end.1 = s32[] get-tuple-element(%p), index=1
  %c = s32[] constant({end})
  ROOT %less = pred[] compare(%i, {bound}), direction={direction}
}}
%body (p: (s32[], s32[], s32[], f32[256])) -> (s32[], s32[], s32[], f32[256]) {{
  %p = (s32[], s32[], s32[], f32[256]{{0}}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %end.1 = s32[] get-tuple-element(%p), index=1
  %by = s32[] get-tuple-element(%p), index=2
  %c = s32[] constant({step})
  %x = f32[256]{{0}} get-tuple-element(%p), index=3
  %next = s32[] add({sum})
  %y = f32[256]{{0}} copy(%x)
  ROOT %t = (s32[], s32[], s32[], f32[256]{{0}}) tuple(%next, {kept}, %by, %y)
}}
ENTRY %main (x: f32[256]) -> f32[256] {{
  %x = f32[256]{{0}} parameter(0)
  %start = s32[] {start}
  %end = s32[] constant({end})
  %step = s32[] constant({step})
  %init = (s32[], s32[], s32[], f32[256]{{0}}) tuple(%start, %end, %step, %x)
  %w = (s32[], s32[], s32[], f32[256]{{0}}) while(%init), condition=%cond, body=%body{config}
  ROOT %r = f32[256]{{0}} get-tuple-element(%w), index=3
}}
"""

    def loop(self, start="constant(0)", end=10, step=1, direction="LT", bound="%c", sum="%i, %c", kept="%end.1",
             config=""):
        (row,) = [row for row in self.scan(self.LOOP.format(**dict(locals())), "--all")["relayouts"] if row["name"] == "y"]
        # Each run reads and writes 1024 bytes.
        self.assertEqual((row["verdict"], row["bytes"]), ("duplicate", 2048 * row["times"]))
        return row["times"] if row["times_known"] else None

    def test_loop_counts(self):
        def n(first, **options):
            return self.loop(start=f"constant({first})", **options)
        # 0..9; 0..10; 0 2 4 6 8; 0 2 4 6 8; 1 3 5 7 9; -5..4
        self.assertEqual([n(0), n(0, direction="LE"), n(0, step=2), n(0, end=9, step=2),
                          n(1, end=9, step=2, direction="LE"), n(-5, end=5)], [10, 11, 5, 5, 5, 10])
        # 10..1; 10..0; 10 7 4 1; never
        self.assertEqual([n(10, end=0, step=-1, direction="GT"), n(10, end=0, step=-1, direction="GE"),
                          n(10, end=0, step=-3, direction="GE"), n(5, end=5), n(7, end=5)], [10, 11, 4, 0, 0])
        # The bound and the step as elements that no iteration changes; the counter on either side of the sum.
        self.assertEqual([n(0, bound="%end.1"), n(0, sum="%i, %by", step=2), n(0, sum="%by, %i"),
                          n(0, bound="%end.1", sum="%c, %i")], [10, 5, 10, 10])
        # What the dump says is taken; no count that is not one.
        known = ', backend_config={{"known_init_step":{{"init":"3","step":"9"}},"known_trip_count":{{"n":"12"}}}}'
        self.assertEqual(n(0, config=known.replace("{{", "{").replace("}}", "}")), 12)
        huge = ', backend_config={"known_trip_count":{"n":"99999999999999999999999"}}'
        self.assertEqual(n(0, config=huge), 10)

    def test_loops_of_unknown_count(self):
        """Better no number than a wrong one: counted once, and said so."""
        for about in (dict(start="parameter(1)"),                     # from outside
                      dict(step=-1), dict(step=0), dict(direction="NE"), dict(direction="EQ"),
                      dict(bound="%end.1", kept="%next"),              # the bound changes
                      dict(bound="%i"), dict(sum="%i, %i"), dict(sum="%c, %c"),
                      dict(sum="%i, %by", step="2147483648000000000000"),  # beyond int64
                      dict(bound="%nobody"), dict(sum="%nobody, %c"), dict(sum="%i"), dict(kept="%nobody", bound="%end.1"),
                      dict(step=-9223372036854775808, direction="GT")):
            with self.subTest(about):
                self.assertIsNone(self.loop(**about))
        text = self.run_command("scan", "-", stdin=self.LOOP.format(
            start="parameter(1)", end=10, step=1, direction="LT", bound="%c", sum="%i, %c", kept="%end.1",
            config="").encode())
        self.assertIn("copy y, in each iteration", text)

    # The outer loop runs 3 times as its line says, the inner one 4 times by its condition: the copy 12 times, of 2 * 1024
    # bytes. The condition of the inner loop is a fusion that compares. Constants are counted once each: 4 of 4 bytes.
    # Values: inner next 4, y 1024, compare fusions 2 * 1 (pred[]), outer next 4.
    NESTED = """HloModule jit_nested
%less (a: s32[], b: s32[]) -> pred[] {
  %a = s32[] parameter(0)
  %b = s32[] parameter(1)
  ROOT %l = pred[] compare(%a, %b), direction=LT
}
%inner_cond (p: (s32[], f32[256])) -> pred[] {
  %p = (s32[], f32[256]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %four = s32[] constant(4)
  ROOT %l = pred[] fusion(%i, %four), kind=kLoop, calls=%less
}
%inner_body (p: (s32[], f32[256])) -> (s32[], f32[256]) {
  %p = (s32[], f32[256]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[256]{0} get-tuple-element(%p), index=1
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %y = f32[256]{0} copy(%x)
  ROOT %t = (s32[], f32[256]{0}) tuple(%next, %y)
}
%outer_cond (p: f32[256]) -> pred[] {
  %p = f32[256]{0} parameter(0)
  ROOT %yes = pred[] constant(true)
}
%outer_body (p: f32[256]) -> f32[256] {
  %p = f32[256]{0} parameter(0)
  %zero = s32[] constant(0)
  %t = (s32[], f32[256]{0}) tuple(%zero, %p)
  %w = (s32[], f32[256]{0}) while(%t), condition=%inner_cond, body=%inner_body
  ROOT %r = f32[256]{0} get-tuple-element(%w), index=1
}
ENTRY %main (x: f32[256]) -> f32[256] {
  %x = f32[256]{0} parameter(0)
  ROOT %w = f32[256]{0} while(%x), condition=%outer_cond, body=%outer_body, COUNT
}
"""

    def test_nested_loops(self):
        known = 'backend_config={"known_trip_count":{"n":"3"}}'
        module = self.scan(self.NESTED.replace("COUNT", known))
        (row,) = module["relayouts"]
        self.assertEqual((row["times"], row["times_known"], row["bytes"]), (12, True, 12 * 2048))
        self.assertEqual(self.totals(module), {
            "arguments": (1, 1024, 1024), "outputs": (1, 1024, 1024), "constants": (4, 13, 13),
            "values": (3, 1 + 4 + 1024, 1 + 4 + 1024)})
        self.assertIn("copy y, 12 times", self.run_command("scan", "-", stdin=self.NESTED.replace("COUNT", known).encode()))
        (row,) = self.scan(self.NESTED.replace("COUNT", 'backend_config={"other":{"n":"3"}}'))["relayouts"]
        self.assertEqual((row["times"], row["times_known"], row["bytes"]), (4, False, 4 * 2048))

    # Each of f32[16,256] is 16384 bytes.
    #   turn    nothing but a transpose: moves 32768, and is a value
    #   same    nothing but a free reshape: its bytes are written anew: duplicate 32768
    #   times   computes: a value. The transpose in it is in no memory.
    #   write   its parameter with a row written into it: no value of its own
    #   fresh   the row is written into what the fusion made: a value
    #   both    a tuple of such an update and a computed array: only the second is a value
    # Values: turn, same, times, fresh, one of both: 5. Arguments: a, and row of 1024.
    FUSIONS = """HloModule jit_fusions
%turn_body (p: f32[16,256]) -> f32[256,16] {
  %p = f32[16,256]{1,0} parameter(0)
  ROOT %t = f32[256,16]{1,0} transpose(%p), dimensions={1,0}
}
%same_body (p: f32[16,256]) -> f32[16,256] {
  %p = f32[16,256]{1,0} parameter(0)
  %flat = f32[4096]{0} bitcast(%p)
  ROOT %r = f32[16,256]{1,0} reshape(%flat)
}
%times_body (p: f32[16,256]) -> f32[256,16] {
  %p = f32[16,256]{1,0} parameter(0)
  %t2 = f32[256,16]{1,0} transpose(%p), dimensions={1,0}
  ROOT %m = f32[256,16]{1,0} multiply(%t2, %t2)
}
%write_body (p: f32[16,256], q: f32[1,256], i: s32[]) -> f32[16,256] {
  %p = f32[16,256]{1,0} parameter(0)
  %q = f32[1,256]{1,0} parameter(1)
  %i = s32[] parameter(2)
  %pb = f32[16,256]{1,0} bitcast(%p)
  ROOT %u = f32[16,256]{1,0} dynamic-update-slice(%pb, %q, %i, %i)
}
%fresh_body (p: f32[16,256], q: f32[1,256], i: s32[]) -> f32[16,256] {
  %p = f32[16,256]{1,0} parameter(0)
  %q = f32[1,256]{1,0} parameter(1)
  %i = s32[] parameter(2)
  %n = f32[16,256]{1,0} negate(%p)
  ROOT %u = f32[16,256]{1,0} dynamic-update-slice(%n, %q, %i, %i)
}
%both_body (p: f32[16,256], q: f32[1,256], i: s32[]) -> (f32[16,256], f32[16,256]) {
  %p = f32[16,256]{1,0} parameter(0)
  %q = f32[1,256]{1,0} parameter(1)
  %i = s32[] parameter(2)
  %u = f32[16,256]{1,0} dynamic-update-slice(%p, %q, %i, %i)
  %n = f32[16,256]{1,0} negate(%p)
  ROOT %t = (f32[16,256]{1,0}, f32[16,256]{1,0}) tuple(%u, %n)
}
ENTRY %main (a: f32[16,256], row: f32[1,256]) -> f32[16,256] {
  %a = f32[16,256]{1,0} parameter(0)
  %row = f32[1,256]{1,0} parameter(1)
  %i = s32[] constant(3)
  %turn = f32[256,16]{1,0} fusion(%a), kind=kLoop, calls=%turn_body
  %same = f32[16,256]{1,0} fusion(%a), kind=kLoop, calls=%same_body
  %times = f32[256,16]{1,0} fusion(%a), kind=kLoop, calls=%times_body
  %write = f32[16,256]{1,0} fusion(%a, %row, %i), kind=kLoop, calls=%write_body
  %fresh = f32[16,256]{1,0} fusion(%write, %row, %i), kind=kLoop, calls=%fresh_body
  %both = (f32[16,256]{1,0}, f32[16,256]{1,0}) fusion(%fresh, %row, %i), kind=kLoop, calls=%both_body
  ROOT %r = f32[16,256]{1,0} get-tuple-element(%both), index=0
}
"""

    def test_fusions(self):
        module = self.scan(self.FUSIONS)
        self.assertEqual(self.totals(module), {
            "arguments": (2, 16384 + 1024, 16384 + 1024), "outputs": (1, 16384, 16384), "constants": (1, 4, 4),
            "values": (5, 5 * 16384, 5 * 16384)})
        self.assertEqual(self.judged(module), {"turn": ("moves", 32768), "same": ("duplicate", 32768)})
        self.assertEqual(sorted(row["name"] for row in module["values"] if row["kind"] == "value"),
                         ["both", "fresh", "same", "times", "turn"])
        every = self.scan(self.FUSIONS, "--all")
        self.assertEqual((every["totals"], every["verdicts"]), (module["totals"], module["verdicts"]))
        inside = {row["name"]: (row["verdict"], row["in_fusion"]) for row in every["relayouts"] if row["in_fusion"]}
        self.assertEqual(inside, {"t": ("moves", True), "flat": ("free", True), "r": ("free", True), "t2": ("moves", True),
                                  "pb": ("free", True)})
        self.assertEqual({row["name"] for row in every["values"] if row["kind"] == "interior"} >= {"m", "n", "u"}, True)
        self.assertIn("in a fusion", self.run_command("scan", "-", "--all", "--top", 20, stdin=self.FUSIONS.encode()))

    # f32[64,256] is 65536 bytes, f32[16,256] is 16384.
    #   copy-start   a into S(1): space, 131072; its value is that of copy-done
    #   async-start  a slice by a computation of its own, whose root is the same array as async-done: one value in S(1)
    #   all-reduce   begins and is done: one value
    #   conditional  one of two branches, each counted once: l copies (duplicate 32768), m moves 32768 and is a value;
    #                its result is theirs
    # Values: copy-done 65536, async-done 16384, all-reduce-done 16384, l, m: 4 * 16384 + 65536.
    # S(2), whose scalars say that something is done: they belong to what begins, and are no values.
    ASYNC = """HloModule jit_async
%slice_body (p: f32[64,256]) -> f32[16,256] {
  %p = f32[64,256]{1,0} parameter(0)
  ROOT %s = f32[16,256]{1,0:S(1)} slice(%p), slice={[0:16], [0:256]}
}
%left (p: f32[16,256]) -> f32[16,256] {
  %p = f32[16,256]{1,0} parameter(0)
  ROOT %l = f32[16,256]{1,0} copy(%p)
}
%right (p: f32[16,256]) -> f32[16,256] {
  %p = f32[16,256]{1,0} parameter(0)
  ROOT %m = f32[16,256]{1,0} copy(%q)
  %q = f32[16,256]{0,1} bitcast(%p)
}
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}
ENTRY %main (a: f32[64,256], b: f32[16,256], c: pred[]) -> f32[16,256] {
  %a = f32[64,256]{1,0} parameter(0)
  %b = f32[16,256]{1,0} parameter(1)
  %c = pred[] parameter(2)
  %cs = (f32[64,256]{1,0:S(1)}, f32[64,256]{1,0}, u32[]{:S(2)}) copy-start(%a), cross_program_prefetch_index=0
  %ss = ((f32[64,256]{1,0}), f32[16,256]{1,0:S(1)}, s32[]{:S(2)}) async-start(%a), calls=%slice_body
  %rs = f32[16,256]{1,0} all-reduce-start(%b), replica_groups=[2,2]<=[2,2]T(1,0), to_apply=%add
  %cd = f32[64,256]{1,0:S(1)} copy-done(%cs)
  %sd = f32[16,256]{1,0:S(1)} async-done(%ss)
  %rd = f32[16,256]{1,0} all-reduce-done(%rs)
  ROOT %r = f32[16,256]{1,0} conditional(%c, %rd, %b), true_computation=%left, false_computation=%right
}
"""

    def test_async(self):
        for text in (self.ASYNC, self.ASYNC.replace("true_computation=%left, false_computation=%right",
                                                    "branch_computations={%left, %right}")):
            module = self.scan(text)
            self.assertEqual(sorted(row["name"] for row in module["values"] if row["kind"] == "value"),
                             ["cd", "l", "m", "rd", "sd"])
            self.assertEqual(self.totals(module)["values"], (5, 65536 + 4 * 16384, 65536 + 4 * 16384))
            self.assertEqual(self.judged(module), {"cs": ("space", 131072), "l": ("duplicate", 32768),
                                                   "m": ("moves", 32768)})
            self.assertEqual({space["space"]: space["bytes"] for space in module["totals"]["by_space"]},
                             {0: 65536 + 16384 + 1 + 3 * 16384, 1: 65536 + 16384})

    def test_reshapes_and_transposes(self):
        """One relayout of one array each: what it is, and the bytes it reads and writes."""
        for source, op, result, verdict, bytes in (
                ("f32[8,128]{1,0}", "reshape", "f32[1024]{0}", "free", 0),
                # One tile holds it in the order of its rows, as a line does.
                ("f32[8,128]{1,0:T(8,128)}", "reshape", "f32[1024]{0:T(1024)}", "free", 0),
                # Two tiles beside each other: row 0 is in both.
                ("f32[16,256]{1,0:T(8,128)}", "reshape", "f32[4096]{0:T(1024)}", "moves", 2 * 16384),
                # Groups of 8 rows stay tiles; groups of 4 are padded to 8.
                ("f32[16,256]{1,0:T(8,128)}", "reshape", "f32[2,8,256]{2,1,0:T(8,128)}", "free", 0),
                ("f32[16,256]{1,0:T(8,128)}", "reshape", "f32[4,4,256]{2,1,0:T(8,128)}", "moves", 16384 + 32768),
                # Dimensions of 1 are in no order.
                ("f32[1,256]{1,0}", "reshape", "f32[256,1,1]{0,2,1}", "free", 0),
                ("f32[16,256]{1,0}", "reshape", "f32[16,1,256]{2,0,1}", "free", 0),
                ("f32[16,256]{1,0}", "reshape", "f32[16,256]{0,1}", "moves", 2 * 16384),
                ("f32[16,256]{1,0}", "transpose", "f32[256,16]{0,1}", "free", 0),
                ("f32[16,256]{1,0}", "transpose", "f32[256,16]{1,0}", "moves", 2 * 16384),
                ("f32[1,256]{1,0}", "transpose", "f32[256,1]{1,0}", "free", 0),
                ("f32[16,256]{1,0:T(8,128)}", "transpose", "f32[256,16]{0,1:T(8,128)}", "free", 0),
                ("f32[128,128]{1,0:T(8,128)}", "transpose", "f32[128,128]{1,0:T(8,128)}", "moves", 2 * 65536),
                ("f32[16,256]{1,0}", "bitcast", "f32[4096]{0}", "free", 0),
                ("f32[256]{0}", "bitcast", "u8[1024]{0}", "free", 0),
                ("f32[16,256]{1,0:T(8,128)}", "bitcast", "f32[4096]{0:T(1024)}", "unproven", 0),
                ("f32[16,256]{1,0:T(8,128)}", "copy", "f32[16,256]{1,0:T(4,128)}", "moves", 2 * 16384),
                ("f32[4,256]{1,0:T(8,128)}", "copy", "f32[4,256]{1,0:T(4,128)}", "moves", 8192 + 4096),
                ("bf16[16,256]{1,0:T(8,128)(2,1)}", "copy", "bf16[16,256]{1,0:T(8,128)}", "moves", 2 * 8192),
                ("f32[16,256]{1,0:S(1)}", "copy", "f32[16,256]{1,0}", "space", 2 * 16384),
                ("f32[16,256]{1,0:S(1)}", "copy", "f32[16,256]{0,1}", "moves", 2 * 16384),
                ("f32[0,256]{1,0}", "copy", "f32[0,256]{0,1}", "duplicate", 0)):
            with self.subTest((source, op, result)):
                attribute = ", dimensions={1,0}" if op == "transpose" else ""
                module = self.scan(entry(f"  %a = {source} parameter(0)\n  ROOT %b = {result} {op}(%a){attribute}"), "--all")
                (row,) = module["relayouts"]
                self.assertEqual((row["verdict"], row["bytes"], row["from"], row["to"]), (verdict, bytes, source, result))
                self.assertEqual(bool(row["why"]), verdict not in ("free", "unproven"))
        # The permutation counts: both ways are {2,1,0}, one is the order that the layout has already.
        for dimensions, layout, verdict in (("{2,0,1}", "{1,2,0}", "moves"), ("{2,0,1}", "{0,2,1}", "free"),
                                            ("{1,2,0}", "{1,0,2}", "free"), ("{1,2,0}", "{0,2,1}", "moves")):
            module = self.scan(entry(f"  %a = f32[4,4,4]{{2,1,0}} parameter(0)\n"
                                     f"  ROOT %b = f32[4,4,4]{layout} transpose(%a), dimensions={dimensions}"), "--all")
            self.assertEqual(module["relayouts"][0]["verdict"], verdict, (dimensions, layout))


if __name__ == "__main__":
    case.main()
