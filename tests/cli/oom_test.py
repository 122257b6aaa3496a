# SPDX-License-Identifier: Apache-2.0
"""`xlashape scan` of what a compiler or an allocator says when memory does not suffice, and `--fits`.

Usage: oom_test.py COMMAND. Ends with `N passed, M failed`."""

import gzip
import json
import os
import pathlib
import random
import re
import subprocess

import case
from case import Case

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "scan"
REPORTS = ["v4", "v5e", "v5p", "v6e", "v7x"]
K, M, G = 1 << 10, 1 << 20, 1 << 30

# What people met, shortened: sizes, shapes and words are theirs.
OLD = """Compilation failure: Ran out of memory in memory space hbm. Used 41.74G of 16.00G hbm. \
Exceeded hbm capacity by 25.74G.

Total hbm usage >= 41.74G:
    reserved        528.00M
    program          41.22G
    arguments       unknown size

Output size unknown.

Program hbm requirement 41.22G:
    reserved           4.0K
    global           29.82M
    HLO temp         41.19G (24.2% utilization: Unpadded (9.97G) Padded (41.19G), 0.7% fragmentation (293.84M))

  Largest program allocations in hbm:

  1. Size: 32.00G
     Operator: op_type="FloorMod" op_name="slicewise_79/FloorMod" source_file="/home/me/model.py" source_line=12
     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
     Unpadded size: 1.00G
     Extra memory due to padding: 31.00G (32.0x expansion)
     XLA label: %copy.7 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %gte.3)
     Allocation type: HLO temp
     ==========================

  2. Size: 64.00M
     Operator: op_type="broadcast_in_dim" op_name="jit(f)/broadcast_in_dim[ broadcast_dimensions=(  )
                                         shape=(1024, 245, 64) ]" source_file="mapping.py" source_line=177
     Shape: f32[1024,245,64]{1,2,0:T(8,128)}
     Unpadded size: 61.25M
     Extra memory due to padding: 2.75M (1.0x expansion)
     XLA label: %broadcast.82209 = f32[1024,245,64]{1,2,0:T(8,128)} broadcast(f32[]{:T(256)} %get-tuple-elem...
     Allocation type: HLO temp
     ==========================

  3. Size: 64.00M
     Shape: f32[1024,245,64]{1,2,0:T(8,128)}
     Unpadded size: 61.25M
     XLA label: %broadcast.9 = f32[1024,245,64]{1,2,0:T(8,128)} broadcast(f32[]{:T(256)} %x)
     Allocation type: HLO temp
     ==========================
"""
VMEM = """RuntimeError: Bad StatusOr access: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. \
Ran out of memory in memory space vmem. Used 29.95M of 16.00M vmem. Exceeded vmem capacity by 13.95M.

Program vmem requirement 29.95M:
    scoped           29.95M

  Largest program allocations in vmem:

  1. Size: 29.66M
     XLA label: register allocator spill slots call depth 2
     Allocation type: scoped
     ==========================

  2. Size: 64.0K
     Shape: f32[128,3]{1,0}
     Unpadded size: 1.5K
     Extra memory due to padding: 62.5K (42.7x expansion)
     XLA label: reduce-window.4 = reduce-window(a, b), window={size=1x128 pad=0_0x127_0}
     Allocation type: scoped
     ==========================
"""
GPU = """07:02:44.349554: W external/tsl/framework/bfc_allocator.cc:482] Allocator (GPU_0_bfc) ran out of memory \
trying to allocate 1.97GiB (rounded to 2110783744)requested by op
2024-05-28 07:02:44.350162: W external/tsl/tsl/framework/bfc_allocator.cc:494] *****____***
jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 2110783616 bytes.
BufferAssignment OOM Debugging.
BufferAssignment stats:
             parameter allocation:    1.02GiB
              constant allocation:         0B
        maybe_live_out allocation:    4.89GiB
     preallocated temp allocation:    1.97GiB
  preallocated temp fragmentation:         0B (0.00%)
                 total allocation:    7.88GiB
              total fragmentation:       112B (0.00%)
Peak buffers:
\tBuffer 1:
\t\tSize: 4.89GiB
\t\tOperator: op_name="jit(dot)/dot_general[dimension_numbers=(((2,), (0,)))]" source_file="gemma.py" source_line=175
\t\tXLA Label: custom-call
\t\tShape: f32[5104,257152]
\t\t==========================

\tBuffer 2:
\t\tSize: 1004.50MiB
\t\tEntry Parameter Subshape: f16[2048,257152]
\t\t==========================
"""
SENTENCES = [  # text; space, needed, available, over
    ("RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: Ran out of memory on HBM, the total memory required for HLO "
     "temporaries (48.00G) exceeds available HBM (15.75G). HLO module: jit_step.\nSee https://openxla.org/x",
     "hbm", 48 * G, int(15.75 * G), int(32.25 * G)),
    ("XlaRuntimeError: RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory space hbm. "
     "Used 21.50G of 15.50G hbm.\n Exceeded hbm capacity by 6.00G.", "hbm", int(21.5 * G), int(15.5 * G), 6 * G),
    ("Ran out of memory in\nmemory space vmem. Used 65.00M of 64.00M vmem. Exceeded vmem capacity by 1.00M", "vmem",
     65 * M, 64 * M, M),
    ("Ran out of memory in memory space smem. Used 1.00M of 1.00M smem. Exceeded smem capacity by 1.5K.", "smem", M, M,
     3 * K // 2),
    ("(0) Resource exhausted: Ran out of memory in memory space smem. It should not be possible to run out of smem",
     "smem", None, None, None),
    ("Ran out of memory in memory space vmem while allocating on stack for %reduce-window.1 = (u32[16,8]{1,0}, "
     "u32[16,8]{1,0}) reduce-window(%a), to_apply=%b. Scoped allocation with size 31.00M and limit 16.00M exceeded "
     "scoped vmem limit by 15.00M. It should not be possible", "vmem", 31 * M, 16 * M, 15 * M),
    ("RESOURCE_EXHAUSTED: Allocation (size=268435456) would exceed memory (size=134217728) :: #allocation3 [shape = "
     "'u8[268435456]{0}', space=vmem, size = 0x10000000, scoped, tag = 'input window'] :: kern.1", "vmem",
     268435456, 134217728, 134217728),
    ("RESOURCE_EXHAUSTED: TPU TensorCore Hbm usage: 34.50G, SparseCore Hbm usage 174.00G, exceeding available bytes: "
     "95.75G", "hbm", int(208.5 * G), int(95.75 * G), int(112.75 * G)),
    ("RESOURCE_EXHAUSTED: Error loading program 'jit_f': Attempting to reserve 29.50G at the bottom of memory. That "
     "was not possible. There are 147.50M free, 0B reserved, and 147.50M reservable.", "hbm", int(29.5 * G),
     int(147.5 * M), int(29.5 * G) - int(147.5 * M)),
    ("Error allocating device buffer: Attempting to allocate 8.00M. That was not possible. There are 6.50M free.; "
     "(0x0x1_HBM0)", "hbm", 8 * M, int(6.5 * M), int(1.5 * M)),
    ("RESOURCE_EXHAUSTED: Out of memory while trying to allocate 123456 bytes.", None, 123456, None, None),
    ("RESOURCE_EXHAUSTED: Out of memory allocating 123456 bytes.", None, 123456, None, None),
    ("E rocm_driver.cc:1268] failed to allocate 154.06GiB (165425291480 bytes) from device: HIP_ERROR_OutOfMemory",
     None, 165425291480, None, None),
    ("RESOURCE_EXHAUSTED: Failed to allocate request for 154.06GiB (165425291480B) on device ordinal 0", None,
     165425291480, None, None),
]


def size(text):
    """An independent reading of a size."""
    value, unit = re.fullmatch(r"([\d.]+)([BKMGT])(?:iB)?", text).groups()
    return int(float(value) * {"B": 1, "K": K, "M": M, "G": G, "T": K * G}[unit])


def human(size):
    """As the command prints it."""
    unit = 0
    while size >= 1023.995 and unit < 4:
        size, unit = size / 1024, unit + 1
    return f"{size:.2f} {' KMGT'[unit]}iB" if unit else f"{size} B"


def items(text):
    """Each item of the lists of a report: (size, shape, label, kind)."""
    found = []
    for part in re.split(r"(?m)^  \d+\. ", text)[1:]:
        part = part.split("=====")[0]
        get = lambda name: (re.findall(rf"{name}: (.*)", part) or [None])[0]
        label = re.sub(r"^%", "", get("XLA label")).split(" = ")[0]
        found.append((size(get("Size")), get("Shape"), label, get("Allocation type") or "argument or result"))
    return found


class OomCase(Case):
    def reports(self, text, *args, **options):
        if isinstance(text, str):
            text = text.encode()
        answer = self.run_json("scan", "-", "--top", 1000, *args, stdin=text, **options)
        return answer.get("reports")

    def report(self, text, *args):
        reports = self.reports(text, *args)
        self.assertEqual(len(reports), 1, [r["what"] for r in reports])
        return reports[0]

    def numbers(self, report):
        return tuple(report[key] for key in ("space", "needed", "available", "over"))

    def parts(self, report, what):
        return {part["name"]: part["bytes"] for part in report[what]}


class Reports(OomCase):
    def test_compilers(self):
        """All numbers of what five compilers wrote; of each array the bytes that its shape has are those stated."""
        for name in REPORTS:
            text = (DATA / "oom" / f"{name}.txt").read_text()
            with self.subTest(name):
                report = self.report(text)
                used, of, over = re.search(r"Used (\S+) of (\S+) hbm. Exceeded hbm capacity by ([\d.]+\w)",
                                           text).groups()
                self.assertEqual(self.numbers(report), ("hbm", size(used), size(of), size(over)))
                self.assertEqual(report["targets"], ["tpu:" + name])
                self.assertEqual(report["unread"], 0)
                for title, what in (("Total hbm usage >= ", "total"), ("Program hbm requirement ", "program")):
                    total, table = re.search(rf"{title}(\S+):\n((?:    .*\n)+)", text).groups()
                    rows = {row[0]: size(row[1]) for row in re.findall(r"    (\S.*?)  +(\d\S*)", table)}
                    told = self.parts(report, what)
                    told.pop("results", None)
                    self.assertEqual(told, {"total": size(total)} | rows)
                    self.assertGreater(len(rows), 2)
                expected = items(text)
                self.assertGreater(len(expected), 8)
                rows = report["buffers"]
                for item in set(expected):
                    row, = [r for r in rows if r["stated"] == item[0] and r["shape"] == item[1] and
                            r["kind"] == item[3] and (item[1] is not None or r["label"] == item[2])]
                    same = [e for e in expected if e[0] == item[0] and e[1] == item[1] and e[3] == item[3]]
                    self.assertEqual(row["count"], len(same))
                    if item[1] and not item[1].startswith("("):
                        self.assertIsNone(row["differs"], row)
                        self.assertAlmostEqual(row["bytes"], item[0], delta=row["rounding"])
                self.assertEqual(sum(r["count"] for r in rows), len(expected))
                # The one that an engineer has to find: 32 times its data, and what to do about it.
                row, = [r for r in rows if r["shape"] == "f32[1048576,8,4]{2,1,0:T(8,128)}"]
                self.assertEqual((row["bytes"], row["logical_bytes"], row["better"]["bytes"]), (4 * G, G // 8, G // 8))

    def test_old(self):
        report = self.report(OLD)
        self.assertEqual(self.numbers(report), ("hbm", size("41.74G"), 16 * G, size("25.74G")))
        self.assertEqual(self.parts(report, "total"),
                         {"total": size("41.74G"), "reserved": 528 * M, "program": size("41.22G"), "arguments": None,
                          "results": None})
        self.assertEqual(self.parts(report, "program"), {"total": size("41.22G"), "reserved": 4 * K,
                                                         "global": size("29.82M"), "HLO temp": size("41.19G")})
        temp = report["program"][-1]
        self.assertEqual((temp["unpadded"], temp["fragmented"]), (size("9.97G"), size("293.84M")))
        first, second = report["buffers"]
        self.assertEqual((first["stated"], first["stated_unpadded"], first["stated_padding"], first["bytes"],
                          first["logical_bytes"], first["label"], first["op_name"], first["source"], first["differs"]),
                         (32 * G, G, 31 * G, 32 * G, G, "copy.7", "slicewise_79/FloorMod", "/home/me/model.py:12",
                          None))
        self.assertEqual(first["better"], {"layout": "{0,2,1:T(4,128)}", "bytes": G})
        self.assertEqual((second["count"], second["other_names"], second["op_name"], second["source"]),
                         (2, 1, "jit(f)/broadcast_in_dim[ broadcast_dimensions=( ) shape=(1024, 245, 64) ]",
                          "mapping.py:177"))
        shown = self.run_command("scan", "-", stdin=OLD.encode())
        better = r"; with {0,2,1:T\(4,128\)} it would take 1.00 GiB"
        for pattern in ("41.74 GiB of 16.00 GiB hbm: 25.74 GiB over",
                        r"32.00 GiB  s32\[8388608,8,4\]{2,1,0:T\(8,128\)}  HLO temp", "/home/me/model.py:12",
                        "32.00x 1.00 GiB of data, 31.00 GiB of padding" + better):
            self.assertRegex(shown, pattern)

    def test_vmem_and_gpu(self):
        report = self.report(VMEM)
        self.assertEqual(self.numbers(report), ("vmem", size("29.95M"), 16 * M, size("13.95M")))
        spill, array = report["buffers"]
        self.assertEqual((spill["shape"], spill["label"]), (None, "register allocator spill slots call depth 2"))
        # The text has no tiles: what the shape says is less than what is stated, and that is told.
        self.assertEqual((array["bytes"], array["stated"]), (1536, 64 * K))
        self.assertIn("no tiles", array["differs"])
        report = self.report(GPU)
        self.assertEqual(self.numbers(report), (None, 2110783616, None, None))
        self.assertEqual(self.parts(report, "program")["maybe_live_out allocation"], size("4.89GiB"))
        self.assertEqual(self.parts(report, "program")["total fragmentation"], 112)
        self.assertEqual([(row["shape"], row["kind"], row["differs"]) for row in report["buffers"]],
                         [("f32[5104,257152]", "", None), ("f16[2048,257152]", "parameter", None)])
        self.assertEqual(report["buffers"][0]["source"], "gemma.py:175")

    def test_sentences(self):
        for text, *expected in SENTENCES:
            with self.subTest(text):
                self.assertEqual(self.numbers(self.report(text)), tuple(expected))
        shown = self.run_command("scan", "-", stdin=SENTENCES[0][0].encode())
        for part in ("jit_step", "48.00 GiB of 15.75 GiB hbm: 32.25 GiB over", "xla_dump_to=dump",
                     "xlashape scan dump --target tpu:v5e"):
            self.assertIn(part, shown)

    def test_usage(self):
        """XLA's table of what is in memory: all of its rows, and the totals."""
        text = (DATA / "oom" / "decode-memory-usage-report.txt").read_text()
        reports = self.reports(text)
        spaces = re.findall(r"Memory Space: (\w+) \(color=\d+\)\nTotal bytes: (\d+)", text)
        self.assertEqual([(r["space"].replace("hbm", "default"), str(r["needed"])) for r in reports], spaces)
        rows = re.findall(r"(?m)^ +\S+\( *\d+%\); +(\S+); +\d+; +\d+; (.*)$", text)
        self.assertEqual(sum(row["count"] for report in reports for row in report["buffers"]), len(rows))
        self.assertEqual(sum(report["listed"] for report in reports), sum(size(row[0]) for row in rows))
        self.assertEqual((reports[0]["failed"], reports[0]["buffers"][0]["shape"], reports[0]["buffers"][0]["count"]),
                         (False, "bf16[4,8,2048,8,64]", 4))
        stats = ("CompiledMemoryStats(generated_code_size_in_bytes=100, argument_size_in_bytes=20, "
                 "output_size_in_bytes=7, alias_size_in_bytes=2, temp_size_in_bytes=5, host_temp_size_in_bytes=9)")
        self.assertEqual(self.report(stats)["needed"], 130)
        self.assertIsNone(self.report(stats[:-60])["needed"])


class Around(OomCase):
    """What people paste has other things around it."""

    def same(self, text, report, **differs):
        told = self.report(text)
        for key in ("what", "line"):
            told.pop(key)
        for row in told["buffers"]:
            row.pop("line")
        self.assertEqual(told, report | differs)

    def test_around(self):
        for text in (OLD, VMEM, GPU):
            report = self.report(text)
            for key in ("what", "line"):
                report.pop(key)
            for row in report["buffers"]:
                row.pop("line")
            prefixes = ["> ", "    ", "2020-05-04 09:05:40.721128: E    1578 tensorflow/xla_util.cc:76] ",
                        "(EngineCore pid=106339) ERROR 06-03 07:41:11 [core.py:1184] ", "[rank0]: ",
                        "[2026-11-29 09:05:40] ",
                        "\x1b[2m\x1b[36m(Mesh pid=4)\x1b[0m "]
            for prefix in prefixes:
                with self.subTest(prefix):
                    with_prefix = "".join(prefix + line + "\n" for line in text.splitlines())
                    if "op_type=\"broadcast" in text:  # a name that goes on in the next line has the prefix within
                        with_prefix = with_prefix.replace(prefix + " " * 41 + "shape", " " * 41 + "shape")
                    self.same(with_prefix, report)
            # A line of Python that could be one of HLO, but for its shape, is no program.
            trace = ('Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n'
                     "    state = step(state, batch)\n")
            alone = self.run_json("scan", "-", stdin=f"{trace}{text}".encode())
            self.assertEqual(alone["modules"], [])
            self.same(f"# It fails\n\n```\n{trace}{text}{trace}```\n", report)
            self.same(text.replace("\n", "\r\n"), report)
            self.same(text + trace + text, report, times=2)
            self.same("\0\x08 12%" + text, report)

    def test_one_line(self):
        """Python's repr of the error."""
        text = (DATA / "oom" / "v5e.txt").read_text().split("\n\nSee https")[0]
        told = self.report("JaxRuntimeError(" + repr(text) + ")\n")
        report = self.report(text)
        self.assertEqual([(row["stated"], row["shape"], row["kind"]) for row in told["buffers"]],
                         [(row["stated"], row["shape"], row["kind"]) for row in report["buffers"]])
        self.assertEqual(self.numbers(told), self.numbers(report))

    def test_wrapped(self):
        """A shape whose line a terminal has broken."""
        wrapped = OLD.replace("Shape: s32[8388608,8,4]{2,1,0:T(8,128)}", "Shape: s32[8388608,8,4]{2,1,0\n:T(8,128)}")
        self.assertEqual(self.report(wrapped)["buffers"][0]["bytes"], 32 * G)
        # What is lost stays lost, and is told.
        lost = OLD.replace("Shape: s32[8388608,8,4]{2,1,0:T(8,128)}", "Shape: s32[8388608,8,4]{2,1,")
        report = self.report(lost)
        self.assertEqual((report["unread"], report["buffers"][0]["bytes"], report["buffers"][0]["understood"]),
                         (1, None, False))

    def test_several(self):
        texts = [OLD, VMEM, GPU]
        told = self.reports("\n".join(texts))
        self.assertEqual([r["needed"] for r in told], [self.report(text)["needed"] for text in texts])
        self.assertEqual([len(r["buffers"]) for r in told], [2, 2, 2])

    def test_with_program(self):
        hlo = gzip.decompress((DATA / "v5e_decode.txt.gz").read_bytes()).decode()
        alone, = self.run_json("scan", "-", stdin=hlo.encode())["modules"]
        for text in (OLD + hlo, hlo + OLD, SENTENCES[1][0] + "\n" + hlo + VMEM):
            answer = self.run_json("scan", "-", stdin=text.encode())
            module, = answer["modules"]
            self.assertEqual(module["totals"], alone["totals"])
            self.assertGreaterEqual(len(answer["reports"]), 1)
        # Names that quote an error are none.
        name = hlo.replace('op_name="', 'op_name="Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.')
        self.assertEqual(self.reports(name), [])

    def test_nothing(self):
        for text in (b"", b"Killed\n", b"memory: 3.0G used\n", b"Size: 3.00G\nShape: f32[2]\n"):
            self.run_command("scan", "-", stdin=text, exit=3)
        for words in (["--max-bytes", "1GiB"], ["--space", "0"], ["--html", "page.html", "--max-bytes", "1GiB"]):
            self.run_command("scan", "-", *words, stdin=OLD.encode(), exit=3)
        self.assertEqual(os.listdir(self.folder), [])

    def test_page(self):
        """The page has the JSON's reports, and the shapes that it explains; beside it the terminal has less rows."""
        hlo = gzip.decompress((DATA / "v5e_decode.txt.gz").read_bytes()).decode()
        v5e = (DATA / "oom" / "v5e.txt").read_text()
        for text in (OLD + VMEM + GPU, SENTENCES[0][0], v5e, v5e + hlo):
            shown = self.run_command("scan", "-", "--html", "page.html", stdin=text.encode())
            data = json.loads(re.search(r'<script type="application/json" id="scan">(.*?)</script>',
                                        self.read("page.html").decode(), re.DOTALL)[1])
            answer = self.run_json("scan", "-", "--top", 500, stdin=text.encode())
            self.assertEqual(data["reports"], answer["reports"])
            self.assertEqual([one["name"] for one in data["modules"]], [one["name"] for one in answer["modules"]])
            for row in (row for report in data["reports"] for row in report["buffers"]):
                if row["understood"] and row["logical_bytes"] is not None:
                    self.assertEqual(data["shapes"][row["shape"]]["bytes"], row["bytes"])
                if row["better"]:
                    better = row["shape"].split("{")[0] + row["better"]["layout"]
                    self.assertEqual(data["shapes"][better]["bytes"], row["better"]["bytes"])
                # The command prints what the JSON says of padding and of the next step.
                if row["waste"] and row in data["reports"][0]["buffers"][:5]:
                    waste = row["waste"]
                    self.assertIn(f"{human(waste['data'])} of data, {human(waste['padding'])} of padding", shown)
            for report in data["reports"]:
                self.assertEqual(report["next"] is None, bool(report["buffers"]))
                for command in (report["next"] or {"commands": []})["commands"]:
                    self.assertIn(f"    {command}\n", shown)
            if text == v5e:
                self.assertGreater(len(data["reports"][0]["buffers"]), 5)
                self.assertIn(f"and {len(data['reports'][0]['buffers']) - 5} more", shown)


class Hostile(OomCase):
    def known(self, text):
        """All sizes that the text states."""
        return {size(found) for found in re.findall(r"\b(\d+(?:\.\d+)?[BKMGT])(?:iB)?\b", text)} | {
            int(found) for found in re.findall(r"\b(\d+) bytes", text)}

    def check(self, text):
        done = subprocess.run([self.command, "scan", "-", "--json", "--top", "1000"], input=text, capture_output=True,
                              cwd=self.folder, timeout=20)
        self.assertIn(done.returncode, (0, 3), done.stderr)
        return json.loads(done.stdout).get("reports", []) if done.returncode == 0 else []

    def test_cut(self):
        """Of a text that is cut at any line, or within one, no number is told that the whole does not tell."""
        for text in (OLD, VMEM, GPU, (DATA / "oom" / "v5e.txt").read_text()):
            known = self.known(text)
            ends = [at.end() for at in re.finditer("\n", text)]
            ends += random.Random(3).sample(range(len(text)), 60)
            for end in ends:
                for report in self.check(text[:end].encode()):
                    told = [report[key] for key in ("needed", "available")]
                    told += [part["bytes"] for part in report["total"] + report["program"]]
                    told += [row["stated"] for row in report["buffers"]]
                    self.assertLessEqual(set(told) - {None}, known, text[:end][-200:])

    def test_mutations(self):
        rng = random.Random(5)
        texts = [OLD, VMEM, GPU, *(text for text, *_ in SENTENCES), (DATA / "oom" / "v5e.txt").read_text(),
                 (DATA / "oom" / "decode-memory-usage-report.txt").read_text()]
        for _ in range(150):
            data = bytearray(rng.choice(texts).encode())
            for _ in range(rng.randint(1, 8)):
                at = rng.randrange(len(data))
                kind = rng.randrange(4)
                if kind == 0:
                    data[at] = rng.choice(b'\0\n"\\{}()[]%;:=9G \xff')
                elif kind == 1:
                    del data[at : at + rng.randint(1, 80)]
                elif kind == 2:
                    data[at:at] = data[at : at + rng.randint(1, 400)]
                else:
                    data[at:at] = rng.choice(texts).encode()[: rng.randint(1, 3000)]
                data = data or bytearray(b"x")
            self.check(bytes(data))

    def test_large(self):
        """Lists and names without an end take neither time nor memory without one."""
        item = "  1. Size: 9999999999.99G\n     Shape: f32[8]{0}\n"
        for text in ("Peak buffers:\n" + item * 200000, OLD * 2000, "Ran out of memory " * 300000,
                     "Ran out of memory\n" * 300000, OLD + 'Operator: op_name="' + "a\n" * 500000,
                     "  Largest program allocations in hbm:\n  1. Size: 1.00G\n     Shape: " + "(" * 3000000,
                     "Memory Space: default (color=0)\n" + "1B(1%); 1B; 0; 9; " + "f32[2], " * 1000000):
            self.check(text.encode())


class Fits(OomCase):
    def dump(self, size):
        """A program with one argument of this many MiB, and nothing else."""
        rows = size * 256
        self.write("f.txt", (f"HloModule jit_f, is_scheduled=true\n\nENTRY %main () -> f32[{rows},8,128] {{\n"
                             f"  ROOT %a = f32[{rows},8,128]{{2,1,0:T(8,128)}} parameter(0)\n}}\n").encode())
        self.write("f-buffer-assignment.txt", (
            f"BufferAssignment:\nallocation 0: size {size * M}, page 0, parameter 0, shape |f32[{rows},8,128]| at "
            f"ShapeIndex {{}}:\n value: <1 a @0> (size={size * M},offset=0): f32[{rows},8,128]{{2,1,0:T(8,128)}}\n"
            ).encode())
        return "f.txt"

    def test_limits(self):
        """What libtpu 0.0.52 says that it has, in GiB with two digits; around it nothing fits that does not."""
        for target, least, most in (("v2", 7.48, 7.48), ("v3", 15.48, 15.48), ("v4", 15.25, 30.75),
                                    ("v5e", 15.75, 15.75), ("v5p", 95.73, 95.73), ("v6e", 31.24, 31.24),
                                    ("v7x", 94.74, 94.74)):
            with self.subTest(target):
                args = ("--target", "tpu:" + target)
                over = int(most * 1024) + 10
                module, = self.run_json("scan", self.dump(over), *args)["modules"]
                fit = module["fits"][0]
                self.assertEqual((round(fit["available"] / G, 2), round(fit["available_most"] / G, 2)), (least, most))
                self.assertEqual((fit["fits"], fit["needed"]), (False, over * M))
                self.run_command("scan", "f.txt", *args, "--fits", exit=1)
                self.assertRegex(self.err, r"--fits: jit_f: \d+\.\d\d GiB of \d+\.\d\d GiB hbm needed")
                # So near to the limit the program's code decides.
                self.assertIsNone(self.run_json("scan", self.dump(int(least * 1024) - 8), *args)["modules"][0][
                    "fits"][0]["fits"])
                self.run_command("scan", "f.txt", *args, "--fits", exit=1)
                shown = self.run_command("scan", self.dump(int(least * 1000)), *args, "--fits")
                self.assertRegex(shown, r"(?m)^  \d+\.\d\d GiB of \d+\.\d\d GiB hbm: .* left$")
        self.assertIsNone(self.run_json("scan", self.dump(20 * 1024), "--target", "tpu:v4")["modules"][0][
            "fits"][0]["fits"])
        shown = self.run_command("scan", self.dump(52 * 1024), "--target", "tpu:v5e")
        self.assertIn("\n  52.00 GiB of 15.75 GiB hbm: 36.25 GiB over\n", shown)

    def test_small_memories(self):
        """A kernel's vmem, and the scalars, have limits of their own."""
        self.dump(1)
        text = self.read("f-buffer-assignment.txt")
        for space, name, most in ((1, "vmem", 128 * M), (2, "smem", M)):
            for size in (most, most + 1):
                self.write("f-buffer-assignment.txt", text + (
                    f"allocation 1: size {size}, color {space}, page 0, preallocated-temp:\n").encode())
                fits = self.run_json("scan", "f.txt", "--target", "tpu:v5e")["modules"][0]["fits"]
                self.assertEqual([(fit["name"], fit["fits"]) for fit in fits], [("hbm", True), (name, size == most)])
            self.run_command("scan", "f.txt", "--target", "tpu:v5e", "--fits", exit=1)
            self.assertIn(f"of {most // M}.00 MiB {name} needed", self.err)

    def test_compiled(self):
        """What the compiler says of a program has the code in it, so that the last MiB counts."""
        hlo = self.read(self.dump(1))
        for code, fits in ((16909334528 - M, True), (16909334529 - M, False)):
            stats = (f"CompiledMemoryStats(generated_code_size_in_bytes={code}, argument_size_in_bytes={M}, "
                     f"output_size_in_bytes={M}, alias_size_in_bytes={M}, temp_size_in_bytes=0, x=0)\n").encode()
            answer = self.run_json("scan", "-", "--target", "tpu:v5e", stdin=hlo + stats)
            fit, = answer["modules"][0]["fits"]
            self.assertEqual((fit["fits"], fit["needed"], fit["exact"], answer["modules"][0]["unparsed"]),
                             (fits, code + M, True, 0))
            self.run_command("scan", "-", "--target", "tpu:v5e", "--fits", stdin=hlo + stats, exit=0 if fits else 1)

    def test_not_judged(self):
        """It does not pass."""
        program = DATA / "v5e_decode.txt.gz"
        self.assertEqual(self.run_json("scan", program)["modules"][0]["fits"], [])
        self.run_command("scan", program, "--target", "tpu:v5e", "--fits")
        for words in ([program, "--fits"], [program, "--fits", "--target", "cpu"],
                      [DATA / "decode.stablehlo.mlir.gz", "--target", "tpu:v5e", "--fits"]):
            self.run_command("scan", *words, exit=1)
            self.assertRegex(self.err, "--fits: .*(not known|cannot be judged)")
        self.run_command("scan", "-", "--fits", stdin=OLD.encode(), exit=1)
        self.run_command("scan", "--diff", program, program, "--fits", exit=2)


if __name__ == "__main__":
    case.main()
