# SPDX-License-Identifier: Apache-2.0
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
MODULE_KEYS = ["name", "file", "format", "target", "fits", "layouts_predicted", "scheduled", "partitions",
               "partitioned",
               "computations", "instructions",
               "text_bytes", "unparsed", "unparsed_lines", "totals", "look_first", "sections", "waste", "values",
               "values_left_out", "largest", "largest_left_out", "undonated", "undonated_left_out",
               "rewritten", "rewritten_left_out", "relayouts",
               "relayouts_left_out", "verdicts", "peak"]


def data(name):
    return gzip.decompress((DATA / (name + ".gz")).read_bytes())


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def field(number, payload):
    """A field of a message that is a message, bytes or text."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


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
                module, text = self.dump(path.name[:-3]), gzip.decompress(path.read_bytes())
                self.assertEqual(list(module), MODULE_KEYS)
                self.assertEqual((module["unparsed"], module["unparsed_lines"]), (0, []))
                self.assertEqual(module["totals"]["unsized"], 0)
                if path.name.endswith(".txt.gz") and "-buffer" not in path.name:
                    # Each line with " = " within a computation is an instruction, and nothing else is one.
                    lines = re.findall(r"(?m)^ +(?:ROOT )?%?[\w.-]+ = .*$", text.decode())
                    self.assertEqual((module["instructions"], module["text_bytes"]), (len(lines), len(text)))

    def test_costs(self):
        """Arrays, bytes and bytes of data; relayouts by verdict; of each memory space what is allocated, what of it is
        temporary, the peak, its step, the steps, the bytes in use summed over them, and the values at the peak."""
        for line in (DATA / "costs.jsonl").read_text().splitlines():
            expected = json.loads(line)
            with self.subTest(expected["program"]):
                self.run_command("scan", DATA / (expected["program"] + ".txt.gz"), "--html", "page.html")
                (module,) = self.page_data()[0]["modules"]
                totals = {key: list(total) for key, total in self.totals(module).items()}
                told = {"program": expected["program"]} | totals
                told |= {verdict: list(about) for verdict, about in self.verdicts(module).items()}
                for space in module["peak"]["spaces"]:
                    steps = [*space["timeline"], [space["steps"], None]]
                    told[f"S({space['space']})"] = [
                        space["allocated"], space["temp"], space["peak_bytes"], space["peak_step"], space["steps"],
                        sum(used * (end - begin) for (begin, used), (end, _) in zip(steps, steps[1:])),
                        len(space["members"]), sum(member["bytes"] for member in space["members"])]
                self.assertEqual(told, expected)

    def test_assignment(self):
        """All allocations and values of XLA's text are in the page, with its numbers. Its sizes are those of the shapes
        but for two kinds: a pair of integers in S(4), which the compiler gives more,
        and arrays that the cores split."""
        for name in PROGRAMS:
            with self.subTest(name):
                self.run_command("scan", DATA / (name + ".txt.gz"), "--html", "page.html")
                answer = self.page_data()[0]
                spaces = answer["modules"][0]["peak"]["spaces"]
                text = data(name + "-buffer-assignment.txt").decode().split("\nTotal bytes used")[0]
                allocations, values = set(), set()
                for head, rest in re.findall(r"(?m)^allocation (\d+: .*)\n((?: value: .*\n?)*)", text):
                    if "thread-local" in head:
                        continue
                    number, size, space = re.match(r"(\d+): size (\d+),(?: color (\d+))?", head).groups()
                    allocations.add((int(space or 0), int(number), int(size)))
                    for value, place, bytes, offset in re.findall(
                            r"<\d+ (.*?)(\{\S*\})?(?: \(phi\))? @\d+> \(size=(\d+),offset=(\d+)\)", rest):
                        values.add((int(number), int(offset), int(bytes), value + place.replace("{}", "")))
                self.assertEqual({(about["space"], one["number"], one["bytes"])
                                  for about in spaces for one in about["allocations"]}, allocations)
                blocks = [one for about in spaces for one in about["blocks"]]
                self.assertEqual({(one["allocation"], one["offset"], one["bytes"], one["name"].replace("{}", ""))
                                  for one in blocks}, values)
                for one in blocks:
                    shape = one["shape"]
                    if shape in answer["shapes"] and "SC(" not in shape and shape != "s32[2]{0:S(4)}":
                        self.assertEqual(answer["shapes"][shape]["bytes"], one["bytes"], one)

    def test_text_and_proto(self):
        """The text, the message and both compressed tell the same; so does the text without the files beside it, but
        for what those tell."""
        for name in ("cpu_decode", "tpu7x_decode", "v4_sharded", "v5e_decode", "v5e_while_rnn",
                     "v4_sharded.before_optimizations"):
            with self.subTest(name):
                for end in (".txt", ".hlo.pb", "-buffer-assignment.txt", "-live-range.txt"):
                    if (DATA / f"{name}{end}.gz").exists():
                        self.write(name + end, data(name + end))
                def told(path):
                    (module,) = self.run_json("scan", path, "--top", 100000, "--all")["modules"]
                    for key in ("format", "file", "text_bytes", "partitions", "partitioned"):
                        del module[key]
                    for key in ("waste", "values", "undonated", "relayouts"):
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
        for name in PROGRAMS:
            module, text = self.dump(name + ".txt", "--all"), data(name + ".txt").decode()
            lines = text.splitlines()
            for row in module["relayouts"] + module["values"]:
                line = lines[row["line"] - 1]
                self.assertIn(f'{row["name"]} = ', line)
                # In the line, or in that of what the instruction does or takes where its own has none.
                words = line if "op_name=" in line or "to" in row else text
                self.assertIn(f'op_name="{row["op_name"]}"' if row["op_name"] else "", words.replace("\\'", "'"))
                # As XLA wrote it: in the line, if only as an element of a tuple, or in the module's head.
                self.assertIn(row.get("shape") or row["to"], line if "to" in row else text)
                self.assertNotEqual(row.get("verdict"), "unproven", row)
                if row["op"] == "bitcast" and "to" in row:
                    self.assertEqual((row["verdict"], row["bytes"]), ("free", 0), row)

    def test_decode(self):
        """What a reader of this program must find: the cache that is not donated,
        and arrays of 128 times their data."""
        module = self.dump("v5e_decode.txt")
        worst = module["waste"][0]
        self.assertEqual((worst["shape"], worst["bytes"], worst["logical_bytes"], worst["waste_ratio"], worst["space"],
                          worst["op_name"], worst["source"], worst["better"]),
                         ("bf16[4,8,1,8,64]{2,4,3,1,0:T(8,128)(2,1)S(1)}", 1 << 22, 1 << 15, 128.0, 1,
                          "jit(decode)/broadcast_in_dim", "tests/data/scan/source/progs.py:42",
                          {"layout": "{4,3,2,1,0:T(8,128)(2,1)S(1)}", "bytes": 1 << 16, "moved": 0}))
        copy = next(row for row in module["relayouts"] if row["verdict"] == "duplicate")
        self.assertEqual((copy["name"], copy["operand"], copy["times"]), ("copy.10", "x_0_.1 x[0]", 1))
        self.assertIn("donate_argnums", copy["remedy"])
        self.assertEqual(module["peak"]["spaces"][0]["peak_instruction"], "copy-start.3")
        # XLA's texts of TPUs have no trip counts; this program's loop runs 64 times.
        module = self.dump("v5e_while_rnn.txt")
        inside = [row for row in module["values"] if "region" in row["computation"]]
        self.assertEqual({(row["times"], row["times_known"]) for row in inside}, {(64, True)})

    def test_who_writes(self):
        """Of what is in memory at the peak the line of code: through loops, what they store, copies, buffers that
        others fill. Groups have all members."""
        progs = "tests/data/scan/source/progs.py:"
        body = "jit(while_rnn)/jvp()/while/body/closed_call/"
        for program, space, member, expected in (
                ("v5e_while_rnn", 1, "while.5{2}", ("bitcast_dynamic-update-slice_fusion.3", "", body + "tanh",
                                                    progs + "33")),
                ("v5e_while_rnn", 1, "while.5{3}", ("bitcast_dynamic-update-slice_fusion.3", "", body + "sub",
                                                    progs + "33")),
                ("v5e_while_rnn", 0, "x_0_.1", ("x_0_.1", "", "x[0]", "")),
                ("v5e_transformer", 0, "x_0___w2__.1", ("x_0___w2__.1", "", "x[0]['w2']", "")),
                ("v5e_transformer", 0, "fusion.128{1}", ("fusion.128", "", "jit(transformer)/jvp()/exp",
                                                             progs + "14")),
                ("v5e_decode", 0, "copy.10", ("copy.10", "x_0_.1", "x[0]", "")),
                ("v5e_decode", 0, "copy-start{0}", ("copy-start", "dynamic_update_slice.5",
                                                    "jit(decode)/dynamic_update_slice", progs + "42")),
                # What an async-update hands to the computation of its start.
                ("tpu7x_decode", 0, "custom-call.3", ("custom-call.3", "x_0_.1", "x[0]", ""))):
            with self.subTest(member):
                peak = self.dump(program + ".txt")["peak"]["spaces"][space]
                (row,) = [row for row in peak["members"] if row["name"] == member]
                self.assertEqual((row["writer"], row["operand"], row["op_name"], row["source"]), expected)
        for name in PROGRAMS:
            module = self.dump(name + ".txt")
            for space in module["peak"]["spaces"]:
                of_groups = [(group["count"], group["bytes"]) for group in space["groups"]]
                self.assertEqual([sum(column) for column in zip(*of_groups)] if of_groups else [],
                                 [len(space["members"]), sum(row["bytes"] for row in space["members"])]
                                 if space["members"] else [])
                for group in space["groups"]:
                    self.assertEqual(sum(origin["count"] for origin in group["origins"]) + group["origins_left_out"],
                                     group["count"])
            self.assertEqual(sum(group["bytes"] for group in module["largest"]),
                             sum(row["bytes"] for row in module["values"]))

    def test_who_writes_in_a_loop(self):
        """An element that the body makes is written there; what it hands on comes from before the loop."""
        def words(name, line):
            return f', metadata={{op_name="jit(f)/{name}" source_file="f.py" source_line={line}}}'
        of_loop, array = "(s32[], f32[1024]{0}, f32[1024]{0})", "f32[1024]{0}"
        self.write("a.txt", f"""HloModule m, is_scheduled=true

%body (p: (s32[], f32[1024], f32[1024])) -> (s32[], f32[1024], f32[1024]) {{
  %p = {of_loop} parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %kept = {array} get-tuple-element(%p), index=1
  %old = {array} get-tuple-element(%p), index=2
  %new = {array} add(%old, %kept){words("body/add", 7)}
  ROOT %all = {of_loop} tuple(%i, %kept, %new)
}}

%condition (q: (s32[], f32[1024], f32[1024])) -> pred[] {{
  %q = {of_loop} parameter(0)
  ROOT %no = pred[] constant(false)
}}

ENTRY %main (a: f32[1024]) -> f32[1024] {{
  %a = {array} parameter(0), metadata={{op_name="params['a']"}}
  %zero = s32[] constant(0)
  %made = {array} negate(%a){words("neg", 3)}
  %given = {of_loop} tuple(%zero, %made, %a)
  %loop = {of_loop} while(%given), condition=%condition, body=%body
  ROOT %end = {array} get-tuple-element(%loop), index=2
}}
""".encode())
        names = ["loop{1}", "p{1}", "q{1}", "loop{2}", "p{2}", "q{2}", "loop{0}", "loop{7}", "loop", "all{2}",
                 "loop{x}"]
        self.write("a-buffer-assignment.txt", ("BufferAssignment:\n" + "".join(
            f"allocation {i}: size 4096:\n value: <{i} {name} @0> (size=4096,offset=0): {array}\n"
            for i, name in enumerate(names))).encode())
        (module,) = self.run_json("scan", "a.txt")["modules"]
        told = {row["name"]: (row["writer"], row["op_name"], row["source"])
                for row in module["peak"]["spaces"][0]["members"]}
        kept, new = ("made", "jit(f)/neg", "f.py:3"), ("new", "jit(f)/body/add", "f.py:7")
        self.assertEqual([told[name] for name in names],
                         [kept] * 3 + [new] * 3 + [("zero", "", ""), ("all", "", ""), ("loop", "", ""), new,
                                                   ("", "", "")])

    def test_worst_first(self):
        """Sections in the order of what could be saved; what is less than 1 % has one line together."""
        def heads(*args):
            text = self.run_command("scan", *args, "--target", "tpu:v5e")
            return re.findall(r"(?m)^  (Waste|Not donated|Relayouts|Largest arrays|In \S+ at the peak)", text), text
        order, text = heads(DATA / "v5e_transformer.txt.gz")
        self.assertEqual(order, ["In hbm at the peak", "Relayouts", "Waste", "Not donated", "In vmem at the peak",
                                 "Largest arrays"])
        self.assertIn("\n  Look first: 187.5 MiB of temporary values at the peak of hbm: fusion.128{1}  "
                      "source/progs.py:14\n", text)
        self.assertRegex(text, r"(?m)^  Less than 1 % each: what is in S\(2\); --all shows it\n\n$")
        self.assertNotIn("S(2) smem  ", text)
        order, text = heads(DATA / "v5e_decode.txt.gz")
        self.assertEqual(order[:3], ["Relayouts", "Not donated", "Waste"])
        self.assertIn("  Look first: 136.1 MiB that relayouts read and write: copy.10  of x_0_.1 x[0]\n", text)
        order, text = heads(DATA / "v5e_decode.txt.gz", "--all")
        self.assertIn("In smem at the peak", order)
        self.assertNotIn("Less than 1 %", text)

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
        # The head has the layouts that jax asked for, tiles among them; the parameters have none. A target changes
        # nothing.
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
        module = self.scan(plain)
        self.assertEqual(sum(size for _, size in self.arguments(module)), 2 * (4096 * 1000 + 1000 * 3000 + 3000 * 512))
        self.assertIsNone(module["target"])


class Counted(ScanCase):
    """Small programs whose costs are counted by hand."""

    # f32[16,256]{1,0:T(8,128)} fills its tiles: 16384 bytes; in {0,1:T(8,128)} the 16 become 128: 131072.
    # f32[3]{0:T(128)} takes 512 bytes, 12 of data. The head has b's tiles, which its parameter has not.
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
        self.assertEqual((moved["bytes_read"], moved["bytes_written"], moved["operand"], moved["source"],
                          moved["op_name"],
                          moved["line"], moved["times"], moved["times_known"], moved["in_fusion"],
                          moved["computation"]),
                         (16384, 131072, "a x['w']", "f.py:7", "jit(f)/t", 7, 1, True, False, "main"))
        self.assertRegex(moved["why"], r"^dimension [01] changes its place in memory: .*\{1,0\} becomes \{0,1\}$")
        self.assertEqual([(row["name"], row["bytes"], row["logical_bytes"],
                           row["waste_ratio"]) for row in module["waste"]],
                         [("moved", 131072, 16384, 8.0), ("b", 512, 12, 512 / 12)])
        self.assertEqual(module["waste"][1]["shape"], "f32[3]{0:T(128)}")
        text = self.run_command("scan", "-", stdin=self.COPIES.encode())
        self.assertIn("1 moves (144.0 KiB), 2 duplicate (34.0 KiB), 1 space (32.0 KiB)", text)
        self.assertIn("Waste: 112.5 KiB of padding", text)

    def test_what_xla_prints_since_october(self):
        """Layouts without an order, and tiles as large as a dimension: their bytes count."""
        module = self.scan(entry("""  %a = f32[2,3]{:S(5)} parameter(0)
  %b = f32[4,300]{1,0:T(8,d)} parameter(1)
  %c = f32[2,3]{1,0} copy(%a)
  %d = f32[300,4]{0,1:T(8,d)} transpose(%b), dimensions={1,0}
  %e = f32[4,300]{1,0:T(d,128)} copy(%b)
  ROOT %t = (f32[2,3]{:S(5)}, f32[4,8]{1,0:T(d,128)}) custom-call(%c, %d, %e), custom_call_target="t\""""))
        self.assertEqual([self.totals(module)[what] for what in ("arguments", "outputs")],
                         [(2, 24 + 9600, 24 + 4800), (2, 24 + 2048, 24 + 128)])
        self.assertEqual(self.judged(module), {"c": ("space", 48), "e": ("moves", 9600 + 6144)})  # and %d is free

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

    def test_undonated(self):
        """Arguments of a result's shape and layout, one for each result: a has that of y, b that of x in another order,
        c has none. A result has the memory of one argument."""
        text = """HloModule jit_f, HEADentry_computation_layout={(f32[64]{0}, f32[8,16]{1,0}, s8[4]{0}, f32[64]{0})->\
(f32[8,16]{0,1}, f32[64]{0})}

ENTRY %main () -> f32[] {
  %a = f32[64]{0} parameter(0)
  %b = f32[8,16]{1,0} parameter(1)
  %c = s8[4]{0} parameter(2)
  %d = f32[64]{0} parameter(3)
  %x = f32[8,16]{0,1} negate(%b)
  %y = f32[64]{0} negate(%a)
  ROOT %t = (f32[8,16]{0,1}, f32[64]{0}) tuple(%x, %y)
}
"""
        for head, names in (("", ["a"]), ("input_output_alias={ {1}: (0, {}, may-alias) }, ", []),
                            ("input_output_alias={ {1}: (3, {}, must-alias) }, ", []),
                            ("buffer_donor={ (0, {}) }, ", ["d"]), ("buffer_donor={ (0, {}), (3, {}) }, ", [])):
            head = "is_scheduled=true, " + head
            self.assertEqual([row["name"] for row in self.scan(text.replace("HEAD", head))["undonated"]], names, head)
        # Who shares memory is decided when a program is compiled.
        self.assertEqual(self.scan(text.replace("HEAD", ""))["undonated"], [])

    def test_what_donation_would_save(self):
        """XLA makes a result in its argument's memory, or copies one of them: each case was compiled for v5e, with the
        argument donated and without."""
        head = "HloModule jit_f, is_scheduled=true\n"
        body = """%%body (s: (s32[], f32[64], f32[64])) -> (s32[], f32[64], f32[64]) {
  %%s = (s32[], f32[64], f32[64]) parameter(0)
  %%i = s32[] get-tuple-element(%%s), index=0
  %%x = f32[64] get-tuple-element(%%s), index=1
  %%y = f32[64] get-tuple-element(%%s), index=2
  ROOT %%t = (s32[], f32[64], f32[64]) tuple(%%i, %%x, %%y)
}
%%cond (s: (s32[], f32[64], f32[64])) -> pred[] {
  %%s = (s32[], f32[64], f32[64]) parameter(0)
  ROOT %%p = pred[] constant(false)
}
ENTRY %%main (a: f32[64]) -> f32[64] {
  %%a = f32[64] parameter(0)
  %%zero = s32[] constant(0)
  %%new = f32[64] custom-call(), custom_call_target="AllocateBuffer"
  %%state = (s32[], f32[64], f32[64]) tuple(%%zero, %s)
  %%w = (s32[], f32[64], f32[64]) while(%%state), condition=%%cond, body=%%body
  ROOT %%r = f32[64] get-tuple-element(%%w), index=2
}
"""
        one = "ENTRY %main (a: f32[64]) -> f32[64] {\n  %a = f32[64] parameter(0)\n"
        inside = """%%inside (p: f32[64]) -> (f32[64], f32[64]) {
  %%p = f32[64] parameter(0)
  %%q = f32[64] parameter(1)
  %%m = f32[64] %s(%%p)
  %%n = f32[64] add(%%q, %%q)
  ROOT %%t = (f32[64], f32[64]) tuple(%%m, %%n)
}
""" + one.replace("%", "%%") + """  %%b = s32[64] parameter(1)
  %%c = f32[64] convert(%%b)
  %%f = (f32[64], f32[64]) fusion(%%a, %%c), kind=kLoop, calls=%%inside
  ROOT %%r = f32[64] get-tuple-element(%%f), index=%d
}
"""
        for text, donation, by in (
                (body % "%a, %new", "loop", "w"), (body % "%new, %a", "saves", None),
                (one + "  ROOT %r = f32[64] negate(%a)\n}\n", "saves", None),
                (one + "  ROOT %r = f32[64] reverse(%a), dimensions={0}\n}\n", "read", "r"),
                (one + "  %n = f32[64] reverse(%a), dimensions={0}\n  ROOT %r = f32[64] negate(%n)\n}\n",
                 "saves", None),
                (one + "  %r = f32[64] negate(%a)\n  %l = f32[64] add(%a, %r)\n"
                 "  ROOT %t = (f32[64]) tuple(%r)\n}\n", "read", "l"),
                (inside % ("negate", 0), "saves", None), (inside % ("reverse", 0), "read", "f"),
                (inside % ("negate", 1), "read", "f")):
            module = self.scan(head + text)
            row, = module["undonated"] + module["rewritten"]
            self.assertEqual(bool(module["rewritten"]), donation == "loop")
            self.assertEqual((row["name"], row["donation"], row["blocked_by"] and row["blocked_by"]["name"]),
                             ("a", donation, by), text)

    LOOP = """HloModule jit_loop
%fused (a: s32[], b: s32[]) -> pred[] {{
  %a = s32[] parameter(0)
  %b = s32[] parameter(1)
  ROOT %l = pred[] compare(%a, %b), direction=LT
}}
%of_tuple (a: (s32[], s32[], s32[], f32[256]), b: s32[]) -> pred[] {{
  %a = (s32[], s32[], s32[], f32[256]) parameter(0)
  %b = s32[] parameter(1)
  %i = s32[] get-tuple-element(%a), index=0
  ROOT %l = pred[] compare(%i, %b), direction=LT
}}
%cond (p: (s32[], s32[], s32[], f32[256])) -> pred[] {{
  %p = (s32[], s32[], s32[], f32[256]{{0}}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %end.1 = s32[] get-tuple-element(%p), index=1
  %c = s32[] constant({end})
  ROOT %less = pred[] {compare}
}}
%body (p: (s32[], s32[], s32[], f32[256])) -> (s32[], s32[], s32[], f32[256]) {{
  %p = (s32[], s32[], s32[], f32[256]{{0}}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %end.1 = s32[] get-tuple-element(%p), index=1
  %by = s32[] get-tuple-element(%p), index=2
  %c = s32[] constant({step})
  %x = f32[256]{{0}} get-tuple-element(%p), index=3
  %next = s32[] {body}({sum})
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
             config="", compare="compare(%i, {bound}), direction={direction}", body="add"):
        compare = compare.format(bound=bound, direction=direction)
        text = self.LOOP.format(**dict(locals()))
        (row,) = [row for row in self.scan(text, "--all")["relayouts"] if row["name"] == "y"]
        # Each run reads and writes 1024 bytes.
        self.assertEqual((row["verdict"], row["bytes"]), ("duplicate", 2048 * row["times"]))
        shown = f"copy y, {row['times']} times" if row["times_known"] else "copy y, in each iteration"
        self.assertEqual(shown in self.run_command("scan", "-", "--all", stdin=text.encode()), row["times"] != 1 or
                         not row["times_known"])
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
        self.assertEqual(n(0, compare="fusion(%i, %c), kind=kLoop, calls=%fused"), 10)
        # The end on the left; until the counter is the end; a difference.
        self.assertEqual([n(0, compare="compare(%c, %i), direction=GT"), n(0, compare="compare(%c, %i), direction=GE"),
                          n(0, direction="NE"), n(9, end=3, step=-2, direction="NE"), n(5, end=5, direction="NE")],
                         [10, 11, 10, 3, 0])
        self.assertEqual([n(10, end=0, step=2, direction="GT", body="subtract"),
                          n(10, end=0, direction="NE", body="subtract")], [5, 10])
        # What the dump says is taken; no count that is not one.
        known = ', backend_config={{"known_init_step":{{"init":"3","step":"9"}},"known_trip_count":{{"n":"12"}}}}'
        self.assertEqual(n(0, config=known.replace("{{", "{").replace("}}", "}")), 12)
        huge = ', backend_config={"known_trip_count":{"n":"99999999999999999999999"}}'
        self.assertEqual(n(0, config=huge), 10)

    def test_loops_of_unknown_count(self):
        """Better no number than a wrong one: counted once, and said so."""
        for about in (dict(start="parameter(1)"),                     # from outside
                      dict(step=-1), dict(step=0), dict(direction="EQ"),
                      dict(direction="NE", end=9, step=2), dict(direction="NE", step=-1),  # the end is never met
                      dict(bound="%end.1", kept="%next"),              # the bound changes
                      dict(bound="%i"), dict(sum="%i, %i"), dict(sum="%c, %c"),
                      dict(sum="%i, %by", step="2147483648000000000000"),  # beyond int64
                      dict(sum="%i"),
                      # An element of a fusion's parameter says nothing about the loop's tuple.
                      dict(compare="fusion(%p, %c), kind=kLoop, calls=%of_tuple"),
                      dict(step=-9223372036854775808, direction="GT")):
            with self.subTest(about):
                self.assertIsNone(self.loop(**about))

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
        self.assertEqual(inside, {"t": ("moves", True), "flat": ("free", True), "r": ("free", True),
                                  "t2": ("moves", True),
                                  "pb": ("free", True)})
        self.assertEqual({row["name"] for row in every["values"] if row["kind"] == "interior"} >= {"m", "n", "u"}, True)
        self.assertIn("in a fusion", self.run_command("scan", "-", "--all", "--top", 20, stdin=self.FUSIONS.encode()))

    # What runs, and how often, is the same whether it is called, begun by async-start, or begun in the short form that
    # XLA prints where the computation of an async-start does one thing only.
    ASYNC_BODIES = """HloModule jit_async
%moves (p: f32[64,32]) -> f32[64,32] {
  %p = f32[64,32]{1,0} parameter(0)
  %a = f32[64,32]{0,1} copy(%p)
  %b = f32[64,32]{1,0} copy(%a)
  ROOT %c = f32[64,32]{1,0} negate(%b)
}
%pair (p: f32[64,32]) -> (f32[64,32], f32[64,32]) {
  %p = f32[64,32]{1,0} parameter(0)
  %a = f32[64,32]{0,1} copy(%p)
  %b = f32[64,32]{1,0} negate(%p)
  ROOT %c = (f32[64,32]{0,1}, f32[64,32]{1,0}) tuple(%a, %b)
}
%turn (p: f32[64,32]) -> f32[32,64] {
  %p = f32[64,32]{1,0} parameter(0)
  ROOT %t = f32[32,64]{1,0} transpose(%p), dimensions={1,0}
}
%write (p: f32[64,32], q: f32[1,32], i: s32[]) -> f32[64,32] {
  %p = f32[64,32]{1,0} parameter(0)
  %q = f32[1,32]{1,0} parameter(1)
  %i = s32[] parameter(2)
  ROOT %u = f32[64,32]{1,0} dynamic-update-slice(%p, %q, %i, %i)
}
%less (x: f32[], y: f32[]) -> pred[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %l = pred[] compare(%x, %y), direction=LT
}
%goes (p: f32[64,32]) -> pred[] {
  %p = f32[64,32]{1,0} parameter(0)
  ROOT %y = pred[] constant(true)
}
"""

    def test_asynchronous_forms(self):
        array, turned, row = "f32[64,32]{1,0}", "f32[32,64]{1,0}", "f32[1,32]{1,0}"
        two = f"(f32[64,32]{{0,1}}, {array})"
        size = 64 * 32 * 4
        given = {"%a": array, "%row": row, "%i": "s32[]", "%on": "pred[]"}
        # The values and the bytes that move are those of the entry's own call: counted by hand.
        for opcode, operands, result, attributes, values, moved in (
                ("call", ["%a"], array, "to_apply=%moves", 3, 4 * size),
                ("call", ["%a"], two, "to_apply=%pair", 2, 2 * size),
                ("fusion", ["%a"], turned, "kind=kLoop, calls=%turn", 1, 2 * size),
                ("fusion", ["%a", "%row", "%i"], array, "kind=kLoop, calls=%write", 0, 0),
                ("while", ["%a"], array, 'condition=%goes, body=%moves, '
                 'backend_config={"known_trip_count":{"n":"5"}}', 3, 5 * 4 * size),
                ("conditional", ["%on", "%a", "%a"], array, "true_computation=%moves, false_computation=%moves", 3,
                 2 * 4 * size),
                ("transpose", ["%a"], turned, "dimensions={1,0}", 1, 2 * size),
                ("reshape", ["%a"], "f32[64,32]{0,1}", "", 1, 2 * size),
                ("reshape", ["%a"], "f32[2048]{0}", "", 1, 0),
                ("dynamic-update-slice", ["%a", "%row", "%i", "%i"], array, "", 0, 0),
                ("custom-call", ["%a"], array, 'custom_call_target="x", called_computations={%moves}', 1, 0),
                ("sort", ["%a"], array, "dimensions={1}, to_apply=%less", 1, 0)):
            attributes = attributes and ", " + attributes
            names, types = ", ".join(operands), [given[operand] for operand in operands]
            bundle = f"(({', '.join(types)}), {result}, u32[])"
            inner = "\n".join(f"  %q{i} = {type} parameter({i})" for i, type in enumerate(types))
            wrapped = (f"%wrapped () -> f32[] {{\n{inner}\n  ROOT %w = {result} {opcode}"
                       f"({', '.join(f'%q{i}' for i in range(len(types)))}){attributes}\n}}\n")
            start = f"  %s = {bundle} {opcode}-start({names}){attributes}\n"
            forms = {"plain": ("", f"  ROOT %r = {result} {opcode}({names}){attributes}"),
                     "wrapped": (wrapped, f"  %s = {bundle} async-start({names}), calls=%wrapped\n"
                                 f"  %u = {bundle} async-update(%s)\n  ROOT %r = {result} async-done(%u)"),
                     # as an older XLA prints it
                     "named again": (wrapped, f"  %s = {bundle} async-start({names}), calls=%wrapped\n"
                                     f"  ROOT %r = {result} async-done(%s), calls=%wrapped"),
                     "short": ("", start + f"  ROOT %r = {result} {opcode}-done(%s)"),
                     "updated": ("", start + f"  %u = {bundle} {opcode}-update(%s)\n"
                                 f"  %v = {bundle} {opcode}-update(%u)\n  ROOT %r = {result} {opcode}-done(%v)"),
                     "short, named again": ("", start + f"  ROOT %r = {result} {opcode}-done(%s){attributes}")}
            for form, (before, lines) in forms.items():
                with self.subTest((opcode, result, form)):
                    parameters = "\n".join(f"  {name} = {type} parameter({i})"
                                           for i, (name, type) in enumerate(given.items()))
                    text = self.ASYNC_BODIES + before + f"ENTRY %main () -> f32[] {{\n{parameters}\n{lines}\n}}\n"
                    module = self.scan(text)
                    constants = 1 if opcode == "while" else 0  # what the loop's condition gives
                    self.assertEqual(module["totals"]["values"]["arrays"], values)
                    self.assertEqual(module["totals"]["values"]["bytes"], values * size)
                    self.assertEqual(module["totals"]["constants"]["arrays"], constants)
                    self.assertEqual(module["totals"]["moved"], moved)
                    self.run_command("scan", "-", "--max-moved", moved, stdin=text.encode())
                    if moved:
                        self.run_command("scan", "-", "--max-moved", moved - 1, stdin=text.encode(), exit=1)

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
                # Each element is where it was; what is behind the last one is not.
                ("s32[10]{0:T(1024)}", "copy", "s32[10]{0}", "duplicate", 4096 + 40),
                ("s32[10]{0:T(1024)}", "copy", "s32[10]{0:T(128)}", "duplicate", 4096 + 512),
                ("s32[10]{0:T(1024)}", "reshape", "s32[10]{0}", "duplicate", 4096 + 40),
                ("s32[3,10]{1,0:T(1024)}", "copy", "s32[3,10]{1,0}", "moves", 3 * 4096 + 120),
                ("s32[1,10]{1,0:T(8,128)}", "copy", "s32[1,10]{0,1}", "duplicate", 4096 + 40),
                ("s32[3,10]{1,0:T(1,128)}", "copy", "s32[3,10]{1,0}", "moves", 3 * 512 + 120),
                ("s8[10]{0:E(16)}", "copy", "s8[10]{0}", "moves", 30),
                ("f32[0,256]{1,0}", "copy", "f32[0,256]{0,1}", "duplicate", 0)):
            with self.subTest((source, op, result)):
                attribute = ", dimensions={1,0}" if op == "transpose" else ""
                module = self.scan(entry(f"  %a = {source} parameter(0)\n  ROOT %b = {result} {op}(%a){attribute}"),
                                   "--all")
                (row,) = module["relayouts"]
                self.assertEqual((row["verdict"], row["bytes"], row["from"], row["to"]),
                                 (verdict, bytes, source, result))
                self.assertEqual(bool(row["why"]), verdict not in ("free", "unproven"))
        # The permutation counts: both ways are {2,1,0}, one is the order that the layout has already.
        for dimensions, layout, verdict in (("{2,0,1}", "{1,2,0}", "moves"), ("{2,0,1}", "{0,2,1}", "free"),
                                            ("{1,2,0}", "{1,0,2}", "free"), ("{1,2,0}", "{0,2,1}", "moves")):
            module = self.scan(entry(f"  %a = f32[4,4,4]{{2,1,0}} parameter(0)\n"
                                     f"  ROOT %b = f32[4,4,4]{layout} transpose(%a), dimensions={dimensions}"), "--all")
            self.assertEqual(module["relayouts"][0]["verdict"], verdict, (dimensions, layout))


    # f32[4,8] is 128 bytes. The loop's transpose and reshape run 5 times, that behind it once. The function is called
    # twice and by the loop: its transpose runs 7 times.
    STABLEHLO = """module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32> {jax.buffer_donor = true}) -> (tensor<8x4xf32> {x = "a)->"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c) : tensor<4x8xf32>, tensor<i32>
    cond {
      %c_1 = stablehlo.constant dense<5> : tensor<i32>
      %5 = stablehlo.compare  LT, %iterArg_0, %c_1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
      %6 = stablehlo.reshape %5 : (tensor<8x4xf32>) -> tensor<4x8xf32>
      %7 = stablehlo.add %iterArg_0, %c_1 : tensor<i32>
      %8 = func.call @g(%iterArg) : (tensor<4x8xf32>) -> tensor<8x4xf32>
      stablehlo.return %6, %7 : tensor<4x8xf32>, tensor<i32>
    }
    %1 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %2 = call @g(%0#0) : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %3 = call @g(%arg0) : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %4 = stablehlo.add %1, %2 : tensor<8x4xf32>
    return %4 : tensor<8x4xf32>
  }
  func.func private @g(%arg0: tensor<4x8xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
  func.func private @unused(%arg0: tensor<4x8xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
"""

    def test_stablehlo(self):
        for text in (self.STABLEHLO, self.STABLEHLO.replace("public @main", "@main")):
            module = self.scan(text, "--all")
            self.assertEqual(module["relayouts"], [])  # without layouts there are none
            self.assertEqual(sorted((row["op"], row["times"]) for row in module["values"]
                                    if row["op"] in ("reshape", "transpose") and row["times_known"]),
                             [("reshape", 5), ("transpose", 1), ("transpose", 5), ("transpose", 7)])
            totals = self.totals(module)
            self.assertEqual((totals["arguments"], totals["outputs"]), ((1, 128, 128), (1, 128, 128)))


class Traps(ScanCase):
    """Lines as XLA writes them that a loose reader takes for something else."""

    TRAPS = r"""HloModule jit_traps, is_scheduled=true, entry_computation_layout={(f32[2,3]{1,0}, f32[]{:T(128)}, \
f32[], s32[], u8[4]{0}, /*index=5*/bf16[512,512]{1,0:T(8,128)(2,1)})->(f32[2,3]{1,0})}, num_partitions=4, \
frontend_attributes={xla.sdy.meshes="{mesh = #sdy.mesh<[\"x\"=2, \"y\"=2]>}"}

FileNames
1 "gen.py"
2 "a {b} \"c\" = f32[9]{0} d(e).py"

FunctionNames
1 "<module>"
2 "f.<locals>.step {"

FileLocations
1 {file_name_id=1 function_name_id=1 line=38 end_line=38 column=4 end_column=198}
2 {file_name_id=2 function_name_id=2 line=5 end_line=5 column=4 end_column=198}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=1}


%fused_computation.3 (param_0.36: bf16[4,8,2048,8,64], param_1.40: bf16[4,8,8,64]) -> bf16[4,8,2048,8] {
  %param_0.36 = bf16[4,8,2048,8,64]{2,4,3,1,0:T(8,128)(2,1)} parameter(0)
  %param_1.40 = bf16[4,8,8,64]{3,2,1,0:T(8,128)(2,1)} parameter(1)
  ROOT %r = bf16[4,8,2048,8]{2,3,1,0:T(8,128)(2,1)} custom-call(%param_0.36, %param_1.40), custom_call_target="x"
}

// A comment, and a computation of another unit of the chip.
%sparse (p: u8[4]) -> u8[4] {
  ROOT %p = u8[4]{0} parameter(0), metadata={op_name="} ROOT %q = f32[99]{0} copy(%p)"}
}, execution_thread="sparsecore"

ENTRY %main.4_spmd (a: f32[2,3], b: f32[]) -> (f32[2,3]) {
  %a = f32[2,3]{1,0} parameter(0), sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}, \
metadata={op_name="x[0][\'wqkv\']"}
  %b = f32[]{:T(128)} parameter(1), frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>"}
  c = f32[] parameter(2), metadata={op_name="no percent" stack_frame_id=1}
  %d = s32[] parameter(3), metadata={op_name="a \" } { ( f32[7]{0}" stack_frame_id=2}
  %e = u8[4]{0} parameter(4)
  %f = bf16[512,512]{1,0:T(8,128)(2,1)} parameter(5), metadata={op_name="none" stack_frame_id=77}
  %six = (f32[2,3]{1,0}, f32[]{:T(128)}, f32[], s32[], u8[4]{0}, /*index=5*/bf16[512,512]{1,0:T(8,128)(2,1)}) \
tuple(%a, %b, c, %d, %e, /*index=5*/%f)
  %in = (f32[2,3]{1,0}, (f32[], (u8[4]{0}))) tuple(f32[2,3]{1,0} %a, (f32[], (u8[4]{0})) %nested), \
metadata={source_file="old.py" source_line=12}
  %nested = (f32[], (u8[4]{0})) custom-call(f32[] c, u8[4]{0} %e), custom_call_target="a(b{c\"", \
backend_config={"float_type_correction_info":{"original_type":"BF16","original_shape":{"element_type":"BF16",\
"dimensions":["4","8"]},"text":"%z = f32[1000000]{0} copy(%a)"}}
  %start = ((bf16[4,1000,512]{2,1,0:T(8,128)(2,1)}), bf16[1,1000,512]{2,1,0:T(8,128)(2,1)S(1)}, s32[]{:S(2)}) \
async-start(%a), calls=%sparse, async_execution_thread="sparsecore"
  %ar = f32[2,3]{1,0} all-reduce(f32[2,3]{1,0} %a), replica_groups=[2,2]<=[2,2]T(1,0), \
use_global_device_ids=true, to_apply=%sparse
  %k = f32[2,3]{1,0} constant({ { 1, 2, 3 }, { 4, 5, 6 } })
  %text = u8[4]{0} constant("a)b\"")
  %tok = token[] after-all()
  %done = () custom-call(), custom_call_target="g"
  %copied = f32[2,3]{0,1} copy(f32[2,3]{1,0} %a), control-predecessors={%ar, %k}, \
metadata={op_name="jit(f)/copy" stack_frame_id=2}
  %fuse = bf16[4,8,2048,8]{2,3,1,0:T(8,128)(2,1)} fusion(%f, %f), kind=kCustom, calls=%fused_computation.3, \
backend_config={"flag_configs":[],"window_config":{"kernel_window_bounds":["1","1"]},\
"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"4096"}]}
  ROOT %out.1 = (f32[2,3]{1,0}) tuple(%ar)
}
"""

    def test_all(self):
        module = self.scan(self.TRAPS.replace("\\\n", ""))
        self.assertEqual((module["name"], module["computations"], module["instructions"]), ("jit_traps", 3, 22))
        rows = {row["name"]: row for row in module["values"]}
        # Headers, JSON, quotes and comments hold no arrays; nor do tuples.
        self.assertEqual({name: (row["kind"], row["shape"]) for name, row in rows.items()}, {
            "a": ("argument", "f32[2,3]{1,0}"), "b": ("argument", "f32[]{:T(128)}"), "c": ("argument", "f32[]"),
            "d": ("argument", "s32[]"), "e": ("argument", "u8[4]{0}"),
            "f": ("argument", "bf16[512,512]{1,0:T(8,128)(2,1)}"),
            "nested": ("value", "u8[4]{0}"), "ar": ("value", "f32[2,3]{1,0}"), "k": ("constant", "f32[2,3]{1,0}"),
            "text": ("constant", "u8[4]{0}"), "copied": ("value", "f32[2,3]{0,1}"),
            "fuse": ("value", "bf16[4,8,2048,8]{2,3,1,0:T(8,128)(2,1)}")})
        self.assertEqual([row["op_name"] for row in (rows["a"], rows["c"], rows["d"])],
                         ["x[0]['wqkv']", "no percent", 'a " } { ( f32[7]{0}'])
        self.assertEqual([row["source"] for row in (rows["c"], rows["d"], rows["f"], rows["copied"])],
                         ["gen.py:38", 'a {b} "c" = f32[9]{0} d(e).py:5', "", 'a {b} "c" = f32[9]{0} d(e).py:5'])
        self.assertEqual(self.judged(module), {"copied": ("moves", 48)})
        self.assertEqual(self.totals(module)["outputs"], (1, 24, 24))

    def test_line_ends(self):
        text = self.TRAPS.replace("\\\n", "")
        expected = dict(self.scan(text), text_bytes=0)
        for other in (text.replace("\n", "\r\n"), text.rstrip("\n"), text.replace("\n  ", "\n"),
                      text.replace("\n  ", "\n\t\t"),
                      text.replace("{\n", "{  \n"), text.replace("%", "")):
            self.assertEqual(dict(self.scan(other), text_bytes=0), expected)

    def test_not_whole(self):
        """A text that was cut, or that contradicts itself, must not pass for a program that costs less."""
        good = entry("  %a = f32[2]{0} parameter(0)\n  ROOT %b = f32[2]{0} copy(%a)")
        other = ", entry_computation_layout={(f32[3]{0})->f32[2]{0}}\n"
        for text, why in ((good.replace("ENTRY ", "").replace("\n", other, 1), "no computation is the entry"),
                          (good.replace("copy(%a)", "copy(%other)"), "an operand is not in its computation"),
                          (good.replace("copy(%a)", "fusion(%a), calls=%other"), "it calls a computation"),
                          (good.replace("%b =", "%a ="), "has this name already"),
                          (good.rstrip("\n").removesuffix("}"), "ends within a computation")):
            with self.subTest(why):
                (module,) = self.run_json("scan", "-", stdin=text.encode())["modules"]
                self.assertEqual(module["unparsed"], 1)
                self.assertIn(why, module["unparsed_lines"][0]["why"])
                self.run_command("scan", "-", "--fail-unparsed", stdin=text.encode(), exit=1)
                self.write("old.txt", good.encode())
                self.write("new.txt", text.encode())
                self.run_command("scan", "--diff", "old.txt", "new.txt", "--fail-unparsed", exit=1)
        self.run_command("scan", "-", stdin=b"HloModule m\n", exit=3)

    def test_wrong_buffers(self):
        """The buffer assignment of another program, and the times of values that it has not."""
        for end in (".txt", "-live-range.txt"):
            self.write("p" + end, data("v5e_decode" + end))
        self.write("p-buffer-assignment.txt", data("v5e_waste-buffer-assignment.txt"))
        (module,) = self.run_json("scan", "p.txt")["modules"]
        whys = {line["why"] for line in module["unparsed_lines"]}
        self.assertTrue(whys & {"the buffer assignment names an instruction that the program has not",
                                "the time of a value that has no memory"})
        whole = data("v5e_decode-buffer-assignment.txt")
        self.write("p-buffer-assignment.txt", whole[:whole.rindex(b"\nallocation")])
        self.run_command("scan", "p.txt", "--fail-unparsed", exit=1)
        self.write("p-buffer-assignment.txt", whole)
        self.run_command("scan", "p.txt", "--fail-unparsed")
        # Memory that one side does not tell cannot be compared.
        self.write("q.txt", data("v5e_decode.txt"))
        for pair in (("p.txt", "q.txt"), ("q.txt", "p.txt")):
            self.run_command("scan", "--diff", *pair, "--max-growth", "5%", exit=1)
            self.assertIn("only one side has a buffer assignment", self.err)
            self.run_command("scan", "--diff", *pair)

        # A value whose instruction has another name in the program.
        for end in ("-buffer-assignment.txt", "-live-range.txt"):
            self.write("p" + end, re.sub(rb"\bcopy\.3\b", b"copy.3000", data("v5e_decode" + end)))
        (module,) = self.run_json("scan", "p.txt")["modules"]
        self.assertEqual([(line["text"], line["why"]) for line in module["unparsed_lines"]],
                         [("copy.3000", "the buffer assignment names an instruction that the program has not")])

    def scan_proto(self, whole, extra):
        """An HloProto whose module has these fields, too."""
        size = at = 0
        for at, byte in enumerate(whole[1:], 1):
            size |= (byte & 127) << 7 * (at - 1)
            if byte < 128:
                break
        module = whole[at + 1 : at + 1 + size] + extra
        self.write("p.hlo.pb", b"\x0a" + varint(len(module)) + module + whole[at + 1 + size :])
        (found,) = self.run_json("scan", "p.hlo.pb")["modules"]
        return found

    def test_fields_of_protos(self):
        def undonated(extra):
            found = self.scan_proto(data("cpu_decode.hlo.pb"), extra)
            return [row["name"] for row in found["undonated"] if row["bytes"] > 1 << 20]
        both = undonated(b"")
        self.assertEqual(len(both), 2)
        alias = field(8, field(1, field(1, b"\x01") + b"\x10\x01"))  # result 1 in the memory of parameter 1
        self.assertEqual(undonated(alias), both[:1])
        self.assertEqual(undonated(field(18, field(1, b"\x08\x01"))), both[:1])
        # Of an entry without a root the shape in the module's head tells the result.
        whole = data("v4_sharded.before_optimizations.hlo.pb")
        expected = self.scan_proto(whole, b"")["totals"]["outputs"]
        module = self.scan_proto(whole, field(3, field(1, b"x") + b"\x28" + varint(999)) + b"\x30" + varint(999))
        self.assertEqual((module["totals"]["outputs"], [line["why"] for line in module["unparsed_lines"]]),
                         (expected, ["the entry has no result"]))
        # A tag of more than 32 bits is none.
        for tag in ("f8ffffff1f01", "80ffffffff0001"):
            self.write("p.hlo.pb", data("cpu_decode.hlo.pb") + bytes.fromhex(tag))
            self.run_command("scan", "p.hlo.pb", exit=1)
            self.assertIn("found a tag of more than 32 bits", self.err)

    def test_impossible_relayouts(self):
        """What XLA's own reader refuses gets no verdict, and is told."""
        differ = "the element counts differ: "
        for source, op, result, why in (
                ("f32[4,8]{1,0}", "reshape", "f32[31]{0}", differ + "no reshape makes 31 elements of 32"),
                ("f32[4,8]{1,0}", "copy", "f32[4,9]{1,0}", differ + "no copy makes 36 elements of 32"),
                ("f32[4,8]{1,0}", "copy", "f32[8,4]{1,0}", "no copy makes dimensions [8,4] of [4,8]"),
                ("f32[4,8]{1,0}", "transpose", "f32[2,16]{1,0}", "no transpose makes dimensions [2,16] of [4,8]")):
            with self.subTest((source, op, result)):
                given = entry(f"  %a = {source} parameter(0)\n  ROOT %b = {result} {op}(%a)").encode()
                (module,) = self.run_json("scan", "-", "--all", stdin=given)["modules"]
                self.assertEqual(module["relayouts"], [])
                self.assertEqual([(line["line"], line["text"], line["why"]) for line in module["unparsed_lines"]],
                                 [(6, "b", why)])
                self.run_command("scan", "-", "--fail-unparsed", stdin=given, exit=1)
        several = "((f32[4,8]{1,0}, f32[2]{0}), f32[4,8]{0,1}, u32[])"
        for opcode, shape in (*((opcode, "f32[4,8]{0,1}") for opcode in ("copy", "transpose", "reshape")),
                              ("transpose", several), ("reshape", several)):
            given = entry(f"  %a = f32[4,8]{{1,0}} parameter(0)\n  ROOT %b = {shape} {opcode}-start(%a)").encode()
            (module,) = self.run_json("scan", "-", stdin=given)["modules"]
            self.assertEqual([line["why"] for line in module["unparsed_lines"]], ["its shape is not that of a -start"])
        body = "%f () -> f32[] {\n  %p = f32[4,8]{1,0} parameter(0)\n  ROOT %r = f32[31]{0} reshape(%p)\n}\n"
        given = entry("  %a = f32[4,8]{1,0} parameter(0)\n  ROOT %b = f32[31]{0} fusion(%a), calls=%f", before=body)
        (module,) = self.run_json("scan", "-", "--all", stdin=given.encode())["modules"]
        self.assertEqual((module["relayouts"], module["unparsed"]), ([], 1))

    SIGNATURE = "ENTRY %main (p: f32[4,8]) -> (f32[4,8], f32[16,8]) {\n"
    LAYOUT = ", entry_computation_layout={(f32[4,8]{1,0})->(f32[4,8]{1,0:T(8,128)}, /*index=1*/f32[16,8]{1,0})}"

    def outputs(self, text):
        """The results of the only module, of which not all lines are understood, in JSON and for people."""
        (module,) = self.run_json("scan", "-", stdin=text.encode())["modules"]
        self.assertGreater(module["unparsed"], 0)
        totals = module["totals"]
        shown = self.run_command("scan", "-", stdin=text.encode())
        self.assertEqual(totals["outputs"] is None, "not known" in shown)
        self.assertEqual(totals["outputs"] is None, totals["undonated"] is None)
        self.run_command("scan", "-", "--max-bytes", "1TiB", stdin=text.encode(), exit=1)
        self.run_command("scan", "-", "--html", "page.html", stdin=text.encode())
        return totals["outputs"] and (totals["outputs"]["arrays"], totals["outputs"]["bytes"])

    def test_results_are_never_guessed(self):
        """Where the line that says ROOT may be missing, the head tells the results, or nothing does."""
        lines = "  %p = f32[4,8]{1,0} parameter(0)\n  %b = f32[8]{0} custom-call(%p), custom_call_target=\"x\"\n"
        wrapped = lines + "  ROOT %t = (f32[4,8]{1,0}, f32[16,8]{1,0})\n    tuple\n}\n"
        words = lines + "  what is this\n}\n"
        for rest in (lines, lines + "  ROOT %t = (f32[4,8]{1,", wrapped, words):
            with self.subTest(rest):
                self.assertEqual(self.outputs(f"HloModule m{self.LAYOUT}\n\n{self.SIGNATURE}{rest}"), (2, 4096 + 512))
                self.assertEqual(self.outputs(f"HloModule m\n\n{self.SIGNATURE}{rest}"), (2, 128 + 512))
                self.assertEqual(self.outputs(f"HloModule m\n\nENTRY m {{\n{rest}"), None)
                self.assertEqual(self.outputs(f"HloModule m\n\nENTRY m (p: f32[4,8]) -> f32[4,8 {{\n{rest}"), None)
        # With an entry that is empty nothing is known; with ROOT it is known whatever else is not.
        self.assertEqual(self.outputs("HloModule m\nf {\n  ROOT %p = f32[2]{0} parameter(0)\n}\nENTRY m {\n}\n"), None)
        known = "  words\n  ROOT %c = f32[8]{0} copy(%b)\n}\n"
        self.assertEqual(self.outputs(f"HloModule m\n\nENTRY m {{\n{lines}{known}"), (1, 32))
        unread = "  ROOT %c = q8[8] copy(%b)\n}\n"
        self.assertEqual(self.outputs(f"HloModule m{self.LAYOUT}\n\nENTRY m {{\n{lines}{unread}"), (2, 4096 + 512))
        # The last line is the result where none says ROOT, as for XLA, if all are understood.
        module = self.scan(f"HloModule m\n\nENTRY m {{\n{lines}}}\n")
        self.assertEqual(self.totals(module)["outputs"], (1, 32, 32))

    def test_results_of_stablehlo(self):
        head = "module @m {\n  func.func public @main(%arg0: tensor<4x8xf32> {x = \")->\"}) -> "
        add = "    %0 = stablehlo.add %arg0, %arg0 : tensor<4x8xf32>\n"
        for result, known in (("(tensor<2xi32> {jax.result_info = \"a, b\"}, tensor<3x3xbf16>)", (2, 8 + 18)),
                              ("tensor<2xi32>", (1, 8)), ("(tensor<?xi32, #b<1, 2>>)", None), ("!quant<x>", None)):
            for rest in (add, add + "    what is this\n  }\n}\n", add + "  }\n}\nwords\n"):
                with self.subTest((result, rest)):
                    self.assertEqual(self.outputs(f"{head}{result} {{\n{rest}"), known)
        known = "    words\n    return %0 : tensor<4x8xf32>\n  }\n}\n"
        self.assertEqual(self.outputs(f"{head}tensor<2xi32> {{\n{add}{known}"), (1, 128))

    def test_marks_of_encodings(self):
        text = entry("  ROOT %a = f32[2]{0} parameter(0)")
        self.assertEqual(self.scan(b"\xef\xbb\xbf" + text.encode())["name"], self.scan(text)["name"])
        for encoding in ("utf-16", "utf-16-be"):
            mark = b"" if encoding == "utf-16" else b"\xfe\xff"
            self.run_command("scan", "-", stdin=mark + text.encode(encoding), exit=1)
            self.assertIn("UTF-16", self.err)

    def test_partitions(self):
        """Before a program is split its shapes are those of all devices together."""
        module = self.scan(data("v4_sharded.before_optimizations.txt").decode())
        self.assertEqual((module["partitions"], module["partitioned"]), (8, False))
        module = self.scan(data("v4_sharded.txt").decode())
        self.assertEqual((module["partitions"], module["partitioned"]), (8, True))
        text = data("waste.stablehlo.mlir").decode()
        self.assertTrue(self.scan(text)["partitioned"])
        text = text.replace("mhlo.num_partitions = 1 ", "mhlo.num_partitions = 4 ")
        module = self.scan(text)
        self.assertEqual((module["partitions"], module["partitioned"]), (4, False))
        self.assertIn("shapes of 4 devices together", self.run_command("scan", "-", stdin=text.encode()))

    def test_page_and_dump(self):
        """The page never takes the place of the dump, and - is standard output."""
        text = entry("  ROOT %a = f32[2]{0} parameter(0)")
        self.write("dump.txt", text.encode())
        self.run_command("scan", "dump.txt", "--html", "./dump.txt", exit=2)
        self.run_command("scan", "dump.txt", "--html", "", exit=2)
        self.run_command("scan", "dump.txt", "--target", "", exit=2)
        self.run_command("scan", "--diff", "dump.txt", "dump.txt", "--max-growth", "", exit=2)
        self.run_command("scan", "--diff", "dump.txt", "dump.txt", "--max-growth", "0.5x", exit=2)
        self.assertIn("xlashape_scan", self.run_command("scan", "dump.txt", "--html", "-"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["dump.txt"])

    def test_not_understood(self):
        """What is wrong is counted, with its line; the rest is told."""
        good = "  ROOT %a = f32[2]{0} parameter(0)"
        for line in ("  %b", "  %b =", "  %b = f32[2]{0}", "  %b = f32[2", "  %b = f32[2]{0} ",
                     "  %b = f32[2]{0} copy", "  %b f32[2]{0} copy(%a)",
                     "  %b = f32[2]{0} copy(%a", "  %b = f32[2]{1} copy(%a)", "  %b = q32[2]{0} copy(%a)",
                     "  % = f32[2]{0} copy(%a)",
                     "  %b = f32[2]{0}) copy(%a)", "  %b = f32[-2]{0} copy(%a)",
                     "  %b = f32[99999999999999999999] copy(%a)",
                     "  %b = (f32[2]{0} tuple(%a)", "  %b = f32[2]{0} COPY(%a)", "  x\0y", "  \xff\xfe"):
            with self.subTest(line):
                given = entry(line + "\n" + good).encode("latin1")
                (module,) = self.run_json("scan", "-", stdin=given)["modules"]
                self.assertEqual((module["unparsed"], [about["line"] for about in module["unparsed_lines"]]), (1, [5]),
                                 line)
                self.assertTrue(module["unparsed_lines"][0]["why"])
                self.assertEqual(module["totals"]["arguments"]["bytes"], 8)
                self.assertRegex(self.run_command("scan", "-", stdin=given), r"1 line not understood:\n    line 5: ")
                self.run_command("scan", "-", "--fail-unparsed", stdin=given, exit=1)
                self.assertIn("--fail-unparsed", self.err)
                self.run_command("scan", "-", "--fail-unparsed", "--json", stdin=given, exit=1)
        self.run_command("scan", "-", "--fail-unparsed", stdin=entry(good).encode())
        # A text that ends within a computation, or has lines outside of one.
        for given in (entry(good)[:-2], "words\n" + entry(good), entry(good) + "more words\n", entry(good) + "1 {x}\n"):
            (module,) = self.run_json("scan", "-", stdin=given.encode())["modules"]
            self.assertEqual(module["unparsed"], 1)

    def test_numbers(self):
        """Numbers that no int64 holds are no numbers, and sums stop at the largest."""
        for big in ("9223372036854775808", "99999999999999999999999", "-1", "-9223372036854775809", "1e9", "0x10", ""):
            module = self.scan(entry(f"""  %a = f32[2]{{0}} parameter({big})
  %t = (f32[2]{{0}}) tuple(%a)
  %c = s32[] constant({big})
  %g = f32[2]{{0}} get-tuple-element(%t), index={big}
  ROOT %b = f32[2]{{0}} copy(%g), metadata={{op_name="x" source_line={big} stack_frame_id={big}}}"""))
            self.assertEqual(self.judged(module), {"b": ("duplicate", 16)})
        huge = "f32[1152921504606846976]{0}"  # 2**62 bytes
        module = self.scan(entry("\n".join(f"  %p{i} = {huge} parameter({i})" for i in range(4)) +
                                 f"\n  ROOT %b = {huge} copy(%p0)"))
        self.assertEqual(module["totals"]["arguments"]["bytes"], 2**63 - 1)
        self.assertEqual(self.judged(module), {"b": ("duplicate", 2**63 - 1)})
        # An array whose bytes no int64 holds, and one without bounds, are named as such.
        lines = "  %p = f32[4611686018427387904]{0} parameter(0)\n  ROOT %q = f32[<=4,?]{1,0} parameter(1)"
        self.assertEqual(self.scan(entry(lines))["totals"]["unsized"], 2)


class Budgets(ScanCase):
    # Arguments 16384 + 512 + 1024, results 131072 + 512; moved 147456; 8 arrays with 166912 + 16384 in S(1).
    TEXT = Counted.COPIES.encode()

    def check(self, *args, exit=0, stdin=None):
        return self.run_command("scan", "-", *args, stdin=self.TEXT if stdin is None else stdin, exit=exit)

    def test_limits(self):
        bytes_, moved = 16384 + 512 + 1024 + 131072 + 512, 147456
        for option, value in (("--max-bytes", bytes_), ("--max-moved", moved)):
            for limit, exit in ((value - 1, 1), (value, 0), (value + 1, 0), (0, 1)):
                text = self.check(option, limit, exit=exit)
                self.assertEqual(f"{option} {limit}: jit_copies: " in text, exit == 1)
        # Arguments, moved, twice, near and slim, in bytes and of data.
        waste = (4 * 16384 - 16384 + 512 + 131072 + 2048) / (4 * 16384 + 12 + 2048)
        self.assertIn("times the bytes of their data", self.check("--max-waste", f"{waste - 0.001:.4f}", exit=1))
        self.check("--max-waste", f"{waste + 0.001:.4f}")
        self.check("--max-waste", "1", stdin=entry("  ROOT %a = f32[2]{0} parameter(0)").encode())

    def test_allocations(self):
        """With a buffer assignment beside it, what is allocated counts."""
        path = DATA / "v5e_decode.txt.gz"
        (module,) = self.run_json("scan", path)["modules"]
        spaces = {space["space"]: space["allocated"] for space in module["peak"]["spaces"]}
        for limit, exit in (((sum(spaces.values()), 0)), (sum(spaces.values()) - 1, 1)):
            self.run_command("scan", path, "--max-bytes", limit, exit=exit)
        self.run_command("scan", path, "--max-bytes", f"1:{spaces[1]}")
        self.assertIn("in S(1)", self.run_command("scan", path, "--max-bytes", f"1:{spaces[1] - 1}", exit=1))
        # XLA names again the values that are in memory of another space.
        text = ("BufferAssignment:\nallocation 0: size 8192, color 1, preallocated-temp:\n"
                " value: <1 a @0> (size=4096,offset=0): f32[1024]{0:S(1)}\n"
                " value: <2 b @0> (size=4096,offset=4096): f32[1024]{0}\n"
                " reused by buffers of a different color:\n  value: <2 b @0> (color=0)\n")
        self.run_command("scan", "-", "--max-bytes", "1:8192", "--fail-unparsed", stdin=text.encode())

    def test_donated(self):
        """Without a buffer assignment, what is needed at least: a result in a donated argument needs no more."""
        head = (", input_output_alias={ {}: (0, {}, may-alias) }, "
                "entry_computation_layout={(f32[1024]{0})->f32[1024]{0}}")
        text = entry("  %a = f32[1024]{0} parameter(0)\n  ROOT %b = f32[1024]{0} negate(%a)", head).encode()
        self.check("--max-bytes", 4095, stdin=text, exit=1)
        self.check("--max-bytes", 4096, stdin=text)  # not both: they are one

    def test_spaces(self):
        # Without a buffer assignment nobody knows of other spaces than that of the arguments.
        for limit, exit in (("1:16384", 1), ("0:150000", 0), ("0:149503", 1), ("7:0", 1)):
            self.check("--max-bytes", limit, exit=exit)
        self.check("--max-waste", "1:1.0")
        self.check("--max-waste", "0:1.0", exit=1)
        self.check("--max-moved", "1:0")
        self.assertIn("in S(0)", self.check("--max-moved", "0:100KiB", exit=1))
        text = self.check("--max-moved", "0:100KiB", "--max-moved", "1:0", "--max-waste", "99", "--max-bytes", "1",
                          exit=1)
        self.assertEqual(len(re.findall(r"(?m)^--max-", text)), 2)

    def test_what_is_not_understood(self):
        """What was not counted may be what breaks the budget, so each budget is broken; each says which lines."""
        good = ["  %a = f32[64,64]{1,0} parameter(0)", "  ROOT %b = f32[64,64]{0,1} copy(%a)", "}", ""]
        head = ["HloModule jit_f", "", "ENTRY %main () -> f32[] {"]
        whole = "\n".join(head + good)
        bad = {"a line": "\n".join(head + ["  what is this"] + good), "cut": whole[:-3],
               "no ENTRY": whole.replace("ENTRY ", "").replace("jit_f", "jit_f, entry_computation_layout={()->f32[]}"),
               "no operand": whole.replace("(%a)", "(%c)"),
               "reshape": whole.replace("} copy", "} reshape").replace("f32[64,64]{0,1}", "f32[64,63]{0,1}")}
        budgets = ("--max-bytes=1TiB", "--max-bytes=0:1TiB", "--max-waste=1e9", "--max-waste=7:1e9", "--max-moved=1TiB",
                   "--max-moved=7:1TiB")
        for what, text in bad.items():
            for budget in budgets:
                with self.subTest((what, budget)):
                    shown = self.check(budget, stdin=text.encode(), exit=1)
                    self.assertRegex(shown, rf"(?m)^{budget.replace('=', ' ')}: .*: cannot be judged.*: \d+ lines? not "
                                     r"understood: (line [1-9]\d*, |no computation is the entry)")
            answer = json.loads(self.check(*budgets, "--json", stdin=text.encode(), exit=1))
            self.assertEqual({budget["broken"] for budget in answer["budgets"]}, {True})
            first = answer["modules"][0]["unparsed_lines"][0]
            for budget in answer["budgets"]:
                where = f"line {first['line']}, " if first["line"] else "understood: "
                self.assertIn(where + first["why"], budget["why"])
            self.write("old.txt", whole.encode())
            self.write("new.txt", text.encode())
            for pair in (("old.txt", "new.txt"), ("new.txt", "old.txt")):
                self.run_command("scan", "--diff", *pair, "--max-growth", "1000000%", exit=1)
                self.assertIn("not understood: ", self.err)
                (module,) = self.run_json("scan", "--diff", *pair, "--max-growth", "1000000%", exit=1)["modules"]
                self.assertIn("not understood: ", module["why"])
                self.run_command("scan", "--diff", *pair)
        for budget in budgets[:5:2]:
            self.check(budget, stdin=whole.encode())
        # Beyond the limit it says by how much.
        self.assertIn("moved by relayouts", self.check("--max-moved=1", stdin=bad["a line"].encode(), exit=1))
        # Nor is an array without a known size counted.
        unsized = entry("  ROOT %a = f32[?,2]{1,0} parameter(0)").encode()
        for budget in budgets[:5:2]:
            self.assertIn("cannot be judged: 1 array without a known size", self.check(budget, stdin=unsized, exit=1))
        # A buffer assignment that is read whole tells what is allocated, but not what moves.
        self.write("p.txt", data("v5e_decode.txt") + b"words\n")
        for end in ("-buffer-assignment.txt", "-live-range.txt"):
            self.write("p" + end, data("v5e_decode" + end))
        self.run_command("scan", "p.txt", "--max-moved", "1TiB", exit=1)

    def test_units(self):
        for limit, value in (("147456", 147456), ("147456B", 147456), ("144KiB", 147456), ("144K", 147456),
                             ("144Ki", 147456),
                             ("144 KiB", 147456), ("147.456KB", 147456), ("0.140625MiB", 147456), ("144kB", 144000),
                             ("1MB", 10**6), ("1G", 1 << 30), ("2TiB", 2 << 40), ("1:144KiB", 147456)):
            answer = json.loads(self.check("--max-moved", limit, "--json", exit=None))
            self.assertEqual([budget["limit"] for budget in answer["budgets"]], [value], limit)
        # rounded, not cut
        answer = json.loads(self.check("--max-moved", "1.001KB", "--json", exit=1))
        self.assertEqual(answer["budgets"][0]["limit"], 1001)

    def test_wrong_limits(self):
        for option in ("--max-bytes", "--max-moved"):
            for limit in ("", "x", "-1", "1x", "1KiBs", "1 1", "GiB", "1e99", "99999999999TiB", "inf", "nan", ":1",
                          "x:1", "-1:1",
                          "1:", "1:1:1", "0x10", "1.2.3", "99999999999999999999:1", "\x1b[31m"):
                self.assertEqual(self.check(f"{option}={limit}", exit=2), "", limit)
                self.assertIn(option, self.err)
                self.assertNotIn("\033", self.err)
        for limit in ("", "x", "-1", "1.5x", "inf", "nan", "1:", ":1.5", "150%"):
            self.assertEqual(self.check(f"--max-waste={limit}", exit=2), "", limit)
        self.check("--max-growth", "5%", exit=2)

    def test_culprits(self):
        lines = "\n".join(f"  %p{i} = f32[{1000 * i},2]{{1,0}} parameter({i}), metadata={{op_name=\"arg{i}\"}}\n"
                          f"  %c{i} = f32[{1000 * i},2]{{0,1}} copy(%p{i}), metadata={{op_name=\"op{i}\"}}"
                          for i in range(1, 6))
        text = entry(lines).encode()
        out = self.check("--max-moved", "1", exit=1, stdin=text)
        self.assertRegex(out, r"(?s)--max-moved 1: jit_f: 234.4 KiB moved by relayouts, 1 B allowed\n"
                              r" +78.1 KiB  c5 .*op5\n +62.5 KiB  c4 .*op4\n +46.9 KiB  c3 [^\n]*op3\n$")
        out = self.check("--max-bytes", "1", exit=1, stdin=text)
        self.assertRegex(out, r" +39.1 KiB  p5 [^\n]*arg5\n +31.2 KiB  p4 [^\n]*\n +23.4 KiB  p3 [^\n]*\n$")
        answer = json.loads(self.check("--max-moved", "1", "--json", exit=1, stdin=text))
        (budget,) = answer["budgets"]
        self.assertEqual(list(budget), ["budget", "module", "space", "limit", "value", "broken", "why", "worst"])
        self.assertIsNone(budget["why"])
        self.assertEqual((budget["budget"], budget["module"], budget["space"], budget["limit"], budget["value"],
                          budget["broken"], [worst["name"] for worst in budget["worst"]]),
                         ("max-moved", "jit_f", None, 1, 16 * 15000, True, ["c5", "c4", "c3"]))
        # --top limits tables, not what budgets see.
        self.check("--max-moved", "1", "--top", 0, "--space", 5, exit=1, stdin=text)


class Inputs(ScanCase):
    GOOD = entry("  ROOT %a = f32[2]{0} parameter(0)").encode()

    def names(self, *args, exit=0):
        return [module["name"] for module in self.run_json("scan", *args, exit=exit)["modules"]]

    NOTHING = [b"", b"\n\n", b"hello\nworld\n", b"HloModule", b"{}", gzip.compress(b""), b"HloLiveRange (max 3):\n",
               b"BufferAssignment:\n",
               b"module {\n}\n",
               # A compiler's other files: flags that name a dialect, an object file, a message of another kind.
               b'debug_options {\n  xla_some_flag: "stablehlo.x"\n}\n', b"\x7fELF\x02\x01\x01" + bytes(57),
               bytes(range(256)), bytes(4),
               # The beginning of a memory-usage-report.pb, which is taken for a program without a name.
               bytes.fromhex("0a1008800410001a090801100218032a0178")]

    def test_nothing_in_it(self):
        """`scan dump/*` takes more than was meant: what holds no program is named, and the rest told."""
        self.write("b.txt", self.GOOD)
        for text in self.NOTHING:
            with self.subTest(text):
                self.assertEqual(self.run_command("scan", "-", stdin=text, exit=3), "")
                self.assertTrue(self.err)
                self.run_command("scan", "-", "--json", stdin=text, exit=3)
                self.write("a.txt", text)
                self.assertEqual(self.names("a.txt", "b.txt"), ["jit_f"])
                self.assertIn("a.txt", self.err)

    def test_several(self):
        self.write("a.txt", self.GOOD)
        self.write("b.txt", self.GOOD.replace(b"jit_f", b"jit_g"))
        self.write("no.txt", b"nothing")
        self.assertEqual(self.names("a.txt", "b.txt"), ["jit_f", "jit_g"])
        self.assertEqual(self.names("no.txt", "b.txt", "no.txt"), ["jit_g"])
        self.assertIn("no.txt", self.err)
        self.run_command("scan", "no.txt", "no.txt", exit=3)
        # What cannot be read is an error; the others are told all the same.
        self.assertIn("jit_f", self.run_command("scan", "missing.txt", "a.txt", exit=1))
        self.assertIn("missing.txt", self.err)
        self.run_command("scan", "missing.txt", exit=1)
        self.run_command("scan", exit=2)
        # Modules that follow each other in one text.
        modules = self.run_json("scan", "-", stdin=self.read("a.txt") + self.read("b.txt"))["modules"]
        self.assertEqual([(module["name"], module["text_bytes"]) for module in modules],
                         [("jit_f", len(self.read("a.txt"))), ("jit_g", len(self.read("b.txt")))])
        os.chmod(self.folder / "b.txt", 0)
        if not os.access(self.folder / "b.txt", os.R_OK):  # root reads all files
            self.run_command("scan", "a.txt", "b.txt", exit=1)
            self.assertIn("b.txt", self.err)

    def test_gzip(self):
        text = data("v5e_waste.txt")
        whole = gzip.compress(text)
        self.assertEqual(self.scan(whole), self.scan(text))
        self.assertEqual(self.scan(gzip.compress(text[:5000]) + gzip.compress(text[5000:])), self.scan(text))
        for cut in (len(whole) - 1, len(whole) - 8, len(whole) // 2, 30, 12):
            self.assertEqual(self.run_command("scan", "-", stdin=whole[:cut], exit=1), "", cut)
        broken = bytearray(whole)
        broken[len(whole) // 2] ^= 0xFF
        self.run_command("scan", "-", stdin=bytes(broken), exit=1)
        for name in ("cpu_decode.hlo.pb", "v5e_decode-buffer-assignment.txt", "waste.stablehlo.mlir"):
            raw = data(name)
            for cut in range(0, len(raw), max(1, len(raw) // 12)):
                self.run_command("scan", "-", stdin=raw[:cut], exit=None)

    def test_folder(self):
        """Of each module's files the newest text, and what lies beside it."""
        os.mkdir(self.folder / "dump")
        def put(name, text):
            self.write("dump/" + name, text)
        def module(name):
            return self.GOOD.replace(b"jit_f", name)
        self.run_command("scan", "dump", exit=3)
        self.assertIn("dump", self.err)
        put("notes.md", b"x")
        put("module_0001.jit_a.debug_options", b"HloModule no\n")
        self.run_command("scan", "dump", exit=3)
        put("module_0001.jit_a.cl_1.before_optimizations.txt", module(b"a_before"))
        self.assertEqual(self.names("dump"), ["a_before"])
        put("module_0001.jit_a.cl_1.after_codegen.txt", module(b"a_codegen"))
        self.assertEqual(self.names("dump"), ["a_codegen"])
        put("module_0001.jit_a.cl_1.after_optimizations.hlo.pb", data("v5e_decode.hlo.pb"))
        self.assertEqual(self.names("dump"), ["jit_decode"])
        put("module_0001.jit_a.cl_1.after_optimizations.txt.gz", (DATA / "v5e_decode.txt.gz").read_bytes())
        put("module_0001.jit_a.cl_1.after_optimizations-buffer-assignment.txt",
            data("v5e_decode-buffer-assignment.txt"))
        put("module_0001.jit_a.cl_1.after_optimizations-live-range.txt.gz",
            (DATA / "v5e_decode-live-range.txt.gz").read_bytes())
        (one,) = self.run_json("scan", "dump")["modules"]
        self.assertEqual((one["format"], one["peak"]["spaces"][0]["steps"]), ("hlo", 49))
        self.assertEqual(one["peak"], self.run_json("scan", DATA / "v5e_decode.txt.gz")["modules"][0]["peak"])
        put("module_0002.jit_b.cpu_after_optimizations.txt", module(b"b"))
        put("other.stablehlo.mlir", data("decode.stablehlo.mlir"))
        put("plain.txt", module(b"plain"))
        put("memory.txt", b"no program\n")
        self.assertEqual(self.names("dump"), ["jit_decode", "b", "jit_decode", "plain"])
        # The worst is told first; what costs nothing in one line.
        self.assertRegex(self.run_command("scan", "dump"),
                         r"(?s)^jit_decode  dump/module_0001.*and 2 modules with less to tell: ")

    def test_folder_in_the_way(self):
        self.write("a.txt", self.GOOD)
        os.mkdir(self.folder / "a-buffer-assignment.txt")
        self.assertEqual(self.names("a.txt"), ["jit_f"])
        self.write("b.txt", self.GOOD)
        self.write("b-buffer-assignment.txt", b"what is this\nallocation x: size y\n value: <\n")
        (module,) = self.run_json("scan", "b.txt")["modules"]
        self.assertGreater(module["unparsed"], 0)
        self.write("c.txt", self.GOOD)
        self.write("c-buffer-assignment.txt", b"BufferAssignment:\nallocation 0: size 99999999999999999999, page 0:\n"
                   b"allocation 1: size 8, page 0, parameter 0:\n"
                   b" value: <1 a @0> (size=8,offset=9223372036854775807): f32[2]{0}\n"
                   b" value: <1 a @0> (size=-8,offset=-1): f32[2]{0}\nallocation 1: size 9223372036854775807, page 0:\n"
                   b"allocation 2: size 9223372036854775807, color 4611686018427387904, page 0:\n")
        for command in ([], ["--html", "page.html"]):
            self.run_command("scan", "c.txt", *command)
        whys = [line["why"] for line in self.run_json("scan", "c.txt")["modules"][0]["unparsed_lines"]]
        self.assertIn("a value that is not within its allocation", whys)
        # A folder whose names mean files is read as a folder; a program that is one is named.
        os.mkdir(self.folder / "d.txt")
        self.run_command("scan", "d.txt", exit=3)


class Diff(ScanCase):
    OLD = Counted.COPIES

    def diff(self, old, new, *args, exit=0):
        self.write("old.txt", old.encode())
        self.write("new.txt", new.encode())
        return self.run_json("scan", "--diff", "old.txt", "new.txt", *args, exit=exit)

    def test_equal(self):
        answer = self.diff(self.OLD, self.OLD, "--max-growth", "0%")
        self.assertEqual(answer["xlashape_scan_diff"], 1)
        (module,) = answer["modules"]
        self.assertEqual((module["matched"], module["changed"], module["gone"], module["added"]), (7, 0, 0, 0))
        self.assertTrue(all(total["before"] == total["after"] and not total["broken"] for total in module["totals"]))
        self.assertIn("7 arrays matched, and no layout changed",
                      self.run_command("scan", "--diff", "old.txt", "new.txt"))

    def test_numbers_change(self):
        """Names of instructions mean nothing."""
        for name in ("v5e_transformer", "v6e_zoo"):
            old = data(name + ".txt").decode()
            new = re.sub(r"%([A-Za-z_][\w-]*)\.(\d+)", lambda found: f"%{found[1]}.{int(found[2]) + 1000}", old)
            self.assertNotEqual(new, old)
            # Nor does that of the function.
            new = re.sub(r'op_name="p?jit\(\w+\)/', 'op_name="jit(renamed)/', new)
            self.assertIn('op_name="jit(renamed)/', new)
            (module,) = self.diff(old, new)["modules"]
            self.assertEqual((module["changed"], module["gone"], module["added"]), (0, 0, 0))
            self.assertGreater(module["matched"], 30)

    def test_changed_layout(self):
        new = self.OLD.replace("%moved = f32[16,256]{0,1:T(8,128)}", "%moved.9 = f32[16,256]{1,0:T(4,128)}")
        new = new.replace("tuple(%moved,", "tuple(%moved.9,").replace("({0,1", "({1,0")
        (module,) = self.diff(self.OLD, new)["modules"]
        self.assertEqual((module["changed"], module["gone"], module["added"]), (1, 0, 0))
        (change,) = module["layouts_changed"]
        self.assertEqual((change["before"]["shape"], change["before"]["bytes"], change["after"]["shape"],
                          change["after"]["bytes"], change["after"]["name"], change["after"]["source"]),
                         ("f32[16,256]{0,1:T(8,128)}", 131072, "f32[16,256]{1,0:T(4,128)}", 16384, "moved.9", "f.py:7"))
        self.assertIn("jit(f)/t", change["op"])
        totals = {total["what"]: (total["before"], total["after"]) for total in module["totals"]}
        self.assertEqual(totals["moved"], (147456, 32768))
        text = self.run_command("scan", "--diff", "old.txt", "new.txt")
        self.assertIn("f32[16,256]{0,1:T(8,128)} -> f32[16,256]{1,0:T(4,128)}", text)
        # An array that one of them does not have.
        (module,) = self.diff(self.OLD, self.OLD.replace("  %near = f32[16,256]{1,0:T(8,128)S(1)} copy(%twice)\n",
                                                         ""))["modules"]
        self.assertEqual((module["gone"], module["added"]), (1, 0))

    def test_growth(self):
        for old, new, limit, exit in (
                *((100000, new, limit, exit) for limit in ("5%", "1.05x")
                  for new, exit in ((105000, 0), (105001, 1), (50000, 0))),
                (100000, 100000, "0%", 0),
                # Less than 4 KiB is no growth.
                (100000, 104095, "0%", 0), (100000, 104096, "0%", 1), (0, 4095, "100%", 0), (0, 4096, "100%", 1),
                (10**18, 10**18 + 10**16, "1%", 0),
                # 115000 is 15 % more than 100000, not above, but 100000 * 1.15 rounds to less than 115000
                (100000, 115000, "15%", 0)):
            with self.subTest((old, new, limit)):
                self.diff(*(entry(f"  ROOT %a = u8[{bytes}]{{0}} parameter(0)") for bytes in (old, new)),
                          "--max-growth", limit, exit=exit)
                self.run_command("scan", "--diff", "old.txt", "new.txt", "--max-growth", limit, exit=exit)
                self.assertEqual("--max-growth" in self.err, exit == 1)
        for old, new, words in ((100000, 105000, "+4.9 KiB (+5.0 %)"), (5000, 10**8, "+95.4 MiB (20000 times as much)"),
                                (4, 4 * 10**8, "+381.5 MiB"), (10**8, 4, "-95.4 MiB (-100.0 %)")):
            self.diff(*(entry(f"  ROOT %a = u8[{bytes}]{{0}} parameter(0)") for bytes in (old, new)))
            self.assertRegex(self.run_command("scan", "--diff", "old.txt", "new.txt"),
                             rf"arguments .*  {re.escape(words)}\n")

    def test_growth_of_the_peak(self):
        shutil.copy(DATA / "v5e_decode.txt.gz", self.folder / "new.txt.gz")
        shutil.copy(DATA / "v5e_decode-buffer-assignment.txt.gz", self.folder / "new-buffer-assignment.txt.gz")
        text = data("v5e_decode-buffer-assignment.txt").replace(b"allocation 13: size 67108864",
                                                                b"allocation 13: size 60000000")
        text = re.sub(rb"(?m)^( value: <(?:60|73) .* )\(size=67108864", rb"\1(size=60000000", text)
        shutil.copy(DATA / "v5e_decode.txt.gz", self.folder / "old.txt.gz")
        self.write("old-buffer-assignment.txt", text)
        (module,) = self.run_json("scan", "--diff", "old.txt.gz", "new.txt.gz", "--max-growth", "2%", exit=1)["modules"]
        broken = [total["what"] for total in module["totals"] if total["broken"]]
        self.assertEqual(broken, ["S(0) allocated", "S(0) at the peak"])

    def test_modules(self):
        f = self.OLD
        g = self.OLD.replace("jit_copies", "jit_other")
        self.assertEqual(self.diff(f, g)["modules"][0]["name"], "jit_other")  # the only ones of both
        self.diff(f + g, g.replace("jit_other", "jit_third") + f.replace("jit_copies", "jit_fourth"), exit=1)
        self.assertEqual([module["name"] for module in self.diff(f + g, g + f)["modules"]], ["jit_other", "jit_copies"])

    def test_refusals(self):
        self.write("a.txt", self.OLD.encode())
        for args in (["a.txt"], ["a.txt"] * 3, ["a.txt", "a.txt", "--max-bytes", "1"],
                     ["a.txt", "a.txt", "--html", "x.html"]):
            self.run_command("scan", "--diff", *args, exit=2)
        for limit in ("", "5", "x", "%", "-5%", "5%%", "5 %", "inf%", "nan%", "1e999%", "5x5", "\x1b[31m%"):
            self.run_command("scan", "--diff", "a.txt", "a.txt", f"--max-growth={limit}",
                             exit=None if limit == "" else 2)
            self.assertNotIn("\033", self.err)
        self.run_command("scan", "--diff", "a.txt", "missing.txt", exit=1)
        self.write("no.txt", b"no")
        self.run_command("scan", "--diff", "a.txt", "no.txt", exit=3)


class Names(ScanCase):
    """Names and texts of a dump reach a terminal and a page as characters alone."""

    HOSTILE = ["</script><script>alert(1)</script>", "<!--<script>", "\x1b[31mred\x1b]0;title\x07", "\x9b31m",
               "a\rb\bc\x7f", "\u202eevil",
               "\u2028", "\\u003c/script>", "&lt;img src=x onerror=alert(1)>", "\xff\xfe", "' onclick='x"]

    def text(self, name):
        quoted, plain = name.replace("\\", "\\\\"), "x" + re.sub("[^a-z0-9]", "_", name)
        return (f"HloModule {plain}\n\nFileNames\n1 \"{quoted}\"\n\nFileLocations\n1 {{file_name_id=1 line=3}}\n\n"
                f"StackFrames\n1 {{file_location_id=1}}\n\nENTRY %{plain} () -> f32[] {{\n"
                f"  %{plain} = f32[999,999]{{1,0}} parameter(0)\n  {name} what is this\n"
                f"  ROOT %b = f32[999,999]{{0,1}} copy(%{plain}), "
                f"metadata={{op_name=\"{quoted}\" stack_frame_id=1}}\n}}\n").encode()

    def test_terminal(self):
        for name in self.HOSTILE:
            with self.subTest(name):
                self.write("in.txt", self.text(name))
                self.write("in-buffer-assignment.txt",
                           "BufferAssignment:\nallocation 0: size 999999, page 0, parameter 0:\n"
                           f" value: <1 {name} @0> (size=999999,offset=0): f32[999,999]{{1,0}}\n"
                           f" value: <2 b{name} @0> (size=999999,offset=0): f32[999,999]{{1,0}}\n{name}\n".encode())
                for command in (["scan", "in.txt", "--max-bytes", 1, "--max-moved", 1, "--all"],
                                ["scan", "in.txt", "--json"],
                                ["scan", "--diff", "in.txt", "in.txt"],
                                ["scan", "in.txt", "--fail-unparsed", "--target", "tpu:v4"]):
                    done = subprocess.run([self.command, *map(str, command), "--color=never"], capture_output=True,
                                          cwd=self.folder)
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    shown = (done.stdout + done.stderr).decode()  # UTF-8, whatever the file has
                    self.assertNotRegex(shown, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]")
                self.run_command("scan", "in.txt", "--html", "page.html")
                answer, end = self.page_data()
                page = self.read("page.html").decode()
                rest = page[page.index('{\n  "xlashape_scan": 1') :]
                self.assertNotIn("<", rest[:end])
                self.assertEqual(re.match(r"\s*</script>", rest[end:]) is not None, True)
                self.assertIn(name, [row["op_name"] for row in answer["modules"][0]["values"]])

    def test_paths(self):
        hostile = "a\x1b[31m\nb.txt"
        self.write(hostile, Inputs.GOOD)
        self.assertNotIn("\033", self.run_command("scan", hostile, "--color=never"))
        self.write(hostile, b"nothing")
        self.run_command("scan", hostile, exit=3)
        self.assertNotIn("\033", self.err)
        self.assertEqual(self.err.count("\n"), 1)
        self.run_command("scan", "\x1b[31m.txt", exit=1)
        self.assertNotIn("\033", self.err)


class Terminals(ScanCase):
    def test_widths(self):
        for name in PROGRAMS:
            for columns in (40, 72, 80, 200):
                for line in self.terminal_lines(columns, "scan", DATA / (name + ".txt.gz"), "--color=never",
                                                "--max-moved", 1, "--all",
                                       "--target", "tpu:v5e"):
                    self.assertLessEqual(len(line), columns, (name, line))
        for columns in (1, 7, 20, 40, 65535):
            self.terminal_lines(columns, "scan", DATA / "v5e_decode.txt.gz", "--max-bytes", 1)

    def test_short_texts_stay(self):
        """What does not fit beside goes below."""
        self.write("a.txt", Inputs.GOOD.replace(b"jit_f", b"jit_" + b"f" * 30))
        self.assertEqual(self.terminal_lines(40, "scan", "a.txt", "--color=never")[:2], ["jit_" + "f" * 30, "  a.txt"])


class Page(ScanCase):
    def test_data(self):
        self.run_command("scan", DATA / "v5e_decode.txt.gz", "--html", "page.html")
        answer, _ = self.page_data()
        (told,) = self.run_json("scan", DATA / "v5e_decode.txt.gz", "--top", 500)["modules"]
        (module,) = answer["modules"]
        for key in ("totals", "waste", "values", "relayouts", "verdicts"):
            self.assertEqual(module[key], told[key])
        for space in module["peak"]["spaces"]:
            self.assertGreaterEqual(set(space), {"timeline", "allocations", "blocks", "blocks_left_out"})
        for row in module["values"]:
            self.assertEqual(answer["shapes"][row["shape"]]["bytes"], row["bytes"])
        # Nothing comes from elsewhere.
        self.assertNotRegex(self.read("page.html").decode(),
                            r"""(?:src|href)=["']?(?:https?:)?//|@import|url\((?!#|["']?data:)""")

    def test_written_whole(self):
        """The old page stays until the new one is whole."""
        self.write("page.html", b"old")
        self.run_command("scan", "-", "--html", "page.html", stdin=b"nothing", exit=3)
        self.assertEqual(self.read("page.html"), b"old")
        self.run_command("scan", "-", "--html", "page.html", stdin=Inputs.GOOD)
        self.assertTrue(self.read("page.html").rstrip().endswith(b"</html>"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["page.html"])
        # A broken budget leaves a page, in which it is told.
        self.run_command("scan", "-", "--html", "broken.html", "--max-bytes", 1, stdin=Inputs.GOOD, exit=1)
        self.assertTrue(self.page_data("broken.html")[0]["budgets"][0]["broken"])
        for name in ("no/such/folder.html", "."):
            self.run_command("scan", "-", "--html", name, stdin=Inputs.GOOD, exit=1)
        if os.path.exists("/dev/full"):
            self.run_command("scan", "-", "--html", "/dev/full", stdin=Inputs.GOOD, exit=1)
        self.assertEqual(sorted(os.listdir(self.folder)), ["broken.html", "page.html"])


class Hostile(ScanCase):
    """Large and senseless inputs end in seconds, with an answer or a message."""

    def ends(self, text, exit=0):
        if isinstance(text, str):
            text = text.encode()
        return self.run_command("scan", "-", "--json", stdin=text, exit=exit)

    def piped(self, script, exit=0):
        return self.run_shell(script + ' | "$@" scan - --json', exit=exit, limit=200)

    def test_without_lines(self):
        self.piped("head -c 200000000 /dev/zero | tr '\\0' a", exit=3)
        self.piped("head -c 200000000 /dev/zero | tr '\\0' '\\n'", exit=3)

    def test_one_long_line(self):
        """A line longer than any that is kept: it is cut, and counted where that leaves it without an end."""
        self.write("head", b"HloModule f\n\nENTRY %m () -> f32[] {\n  %a = f32[2]{0} parameter(0)\n"
                   b"  %b = f32[2]{0} custom-call(%a), backend_config=\"")
        self.write("tail", b"\"\n  ROOT %c = f32[2]{0} copy(%a)\n}\n")
        answer = json.loads(self.piped("(cat head; head -c 68000000 /dev/zero | tr '\\0' x; cat tail)"))
        (module,) = answer["modules"]
        self.assertEqual(module["relayouts"][0]["name"], "c")

    def test_brackets(self):
        for mark in ("(", "[", "{", ")", "}", "\"", "((f32[2]", "{\"", "/*", ",", " = ", "%a = ", "\\\"", "(()", "{[("):
            for front in ("", "HloModule f, entry_computation_layout={", "  %a = ", "  %a = f32[2]{0} copy(",
                          "  %a = f32[2]{0} copy(%b), x=",
                          "  %a = f32[2]{0} copy(%b), metadata={"):
                line = front + mark * 20000
                self.ends(entry(line) if front.startswith(" ") else line + "\n" + entry("  %a = f32[] parameter(0)"),
                          exit=None)
                self.ends(f"module @m {{\n  func.func public @main({line}) {{\n    {line}\n  }}\n}}\n", exit=None)

    def test_nested_tuple(self):
        for depth in (9000, 100000):
            shape = "(" * depth + "f32[2]{0}" + ")" * depth
            (module,) = json.loads(self.ends(entry(f"  ROOT %a = {shape} parameter(0)")))["modules"]
            self.assertEqual(module["instructions"], 1)
        wide = "(" + ", ".join(["f32[2]{0}"] * 100000) + ")"
        (module,) = json.loads(self.ends(entry(f"  ROOT %a = {wide} parameter(0)")))["modules"]
        self.assertEqual(module["totals"]["arguments"]["bytes"], 800000)

    def test_calls(self):
        """Computations that call each other in a circle, in a chain, and twice each."""
        def program(count, calls, last):
            lines = ["HloModule f"]
            for i in range(count):
                lines.append(f"%c{i} (p: f32[]) -> f32[] {{\n  %p = f32[8]{{0}} parameter(0)")
                lines.extend(calls(i))
                lines.append("}")
            return "\n".join(lines + [f"ENTRY %main () -> f32[] {{\n  %p = f32[8]{{0}} parameter(0)\n"
                                      f"  ROOT %r = f32[8]{{0}} call(%p), to_apply=%c{last}\n}}\n"])
        n = 100000
        self.ends(program(n, lambda i: ["  %q = f32[8]{0} copy(%p)",
                                        f"  ROOT %r = f32[8]{{0}} call(%q), to_apply=%c{(i + 1) % n}"], 0))
        chain = program(n,
                        lambda i: [f"  ROOT %r = f32[8]{{0}} call(%p), to_apply=%c{i - 1}" if i
                                   else "  ROOT %q = f32[8]{0} copy(%p)"], n - 1)
        (module,) = json.loads(self.ends(chain))["modules"]
        self.assertEqual([(row["name"], row["times"]) for row in module["relayouts"]], [("q", 1)])
        twice = program(100, lambda i: [f"  %a = f32[8]{{0}} call(%p), to_apply=%c{i - 1}",
                                        f"  ROOT %r = f32[8]{{0}} call(%a), to_apply=%c{i - 1}"]
                        if i else ["  ROOT %q = f32[8]{0} copy(%p)"], 99)
        (module,) = json.loads(self.ends(twice))["modules"]
        self.assertEqual((module["relayouts"][0]["times"], module["relayouts"][0]["bytes"]), (2**63 - 1, 2**63 - 1))
        self.ends(program(1, lambda i: ["  ROOT %r = f32[8]{0} call(%p), to_apply=%c0"], 0))

    def test_shared_body(self):
        """Many fusions of one large body take time for each of them and for the body, not for both at once."""
        n = 40000
        body = "\n".join(["%c () -> f32[] {", "  %b0 = f32[2,2]{1,0} parameter(0)"] +
                         [f"  %b{i} = f32[2,2]{{1,0}} copy(%b{i - 1})" for i in range(1, n)] + ["}"])
        self.write("fusions.txt", entry("\n".join(["  %a = f32[2,2]{1,0} parameter(0)"] + [
            f"  %f{i} = f32[2,2]{{1,0}} fusion(%a), calls=%c" for i in range(n)]), before=body).encode())
        self.run_shell('exec "$@" >out', "scan", "fusions.txt", limit=20)

    def test_shared_chain(self):
        """So do many results of one long chain of bitcasts."""
        n = 150000
        shape = "(" + ", ".join(["f32[2]{0}"] * n) + ")"
        body = "\n".join(["%c () -> f32[] {", "  %b0 = f32[2]{0} parameter(0)"] +
                         [f"  %b{i} = f32[2]{{0}} bitcast(%b{i - 1})" for i in range(1, n)] +
                         [f"  ROOT %t = {shape} tuple(" + ", ".join([f"%b{n - 1}"] * n) + ")", "}"])
        self.write("results.txt", entry(f"  %a = f32[2]{{0}} parameter(0)\n  ROOT %f = {shape} fusion(%a), calls=%c",
                                        before=body).encode())
        self.run_shell('exec "$@" >out', "scan", "results.txt", limit=20)

    def test_many(self):
        """A million operands; fusions and loops of what is not there; an instruction that is its own operand."""
        operands = ",".join(["%a"] * 10**6)
        text = f"  %a = f32[2]{{0}} parameter(0)\n  ROOT %t = f32[2]{{0}} custom-call({operands})"
        (module,) = json.loads(self.ends(entry(text)))["modules"]
        self.assertEqual(module["totals"]["values"]["bytes"], 8)
        called = ",".join(["%c"] * 10**6)
        self.ends(entry(f"  ROOT %t = f32[2]{{0}} conditional(%t), branch_computations={{{called}}}"))
        self.ends(entry(f"  ROOT %t = f32[2]{{0}} transpose(%t), dimensions={{{','.join('1' * 10**6)}}}"))
        lines = []
        number = 0
        for opcode in ("copy", "bitcast", "transpose", "reshape", "copy-start", "get-tuple-element", "fusion", "while",
                       "call", "conditional",
                       "async-start", "async-done", "dynamic-update-slice", "tuple", "parameter", "constant",
                       "compare"):
            for operands in ("", "self", "%none", "self, self", "%next"):
                for shape in ("f32[2]{0}", "(f32[2]{0}, f32[2]{0})", "()", "token[]", "f32[?]", "f32[2,2]", "pred[]"):
                    for attributes in ("calls=%main", "calls=%none, dimensions={9,-1}",
                                       "condition=%body, body=%body, index=7", "calls=%body"):
                        number += 1
                        given = operands.replace("self", f"%t{number}").replace("%next", f"%t{number + 1}")
                        lines.append(f"  %t{number} = {shape} {opcode}({given}), {attributes}")
        body = "%body () -> f32[] {\n" + "\n".join(lines) + "\n}\n"
        for args in ([], ["--all"], ["--target", "tpu:v5e", "--all"], ["--html", "page.html", "--all"]):
            self.run_command("scan", "-", *args, stdin=entry("\n".join(lines), before=body).encode())
            self.run_command("scan", "-", *args, "--json", stdin=entry("\n".join(lines)).encode())

    def test_protos(self):
        """Messages whose bytes change one after the other."""
        raw = bytearray(data("v4_sharded.before_optimizations.hlo.pb"))
        step = max(1, len(raw) // 40)
        for at in range(0, len(raw), step):
            for value in (0x00, 0x7F, 0xFF):
                was, raw[at] = raw[at], value
                self.run_command("scan", "-", "--json", stdin=bytes(raw), exit=None)
                raw[at] = was


class Program(Case):
    """xlashape-scan, which `xlashape scan` runs."""

    def scan_program(self, *args, exit=0):
        done = subprocess.run([str(self.command) + "-scan", *map(str, args)], capture_output=True, cwd=self.folder)
        self.assertEqual(done.returncode, exit, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def test_alone(self):
        """The same answers, with the same words."""
        dump = DATA / "v5e_decode.txt.gz"
        for words in ([dump], [dump, "--json"], [dump, "--max-bytes", "1"], [dump, "--top", "x"], ["none.txt"], []):
            through = subprocess.run([self.command, "scan", *words], capture_output=True, cwd=self.folder)
            with self.subTest(words):
                self.assertEqual(self.scan_program(*words, exit=through.returncode),
                                 (through.stdout.decode(), through.stderr.decode().replace("scan: ", "")))
        self.assertIn("\nUsage: xlashape-scan [OPTIONS] PATH", self.scan_program("--help")[0])
        self.assertRegex(self.scan_program("--version")[0], r"^xlashape-scan \d+\.\d+\.\d+\n$")

    def test_missing(self):
        """A command without it says what is lacking, and where."""
        alone = shutil.copy2(self.command, self.folder / "xlashape")
        folder = pathlib.Path(self.command).absolute().parent
        done = subprocess.run([alone, "scan", "-"], capture_output=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=f"{folder}/src:{folder}/tools/view"))
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"{self.folder}/xlashape-scan is not there: a program of its own", done.stderr.decode())


if __name__ == "__main__":
    case.main()
