# SPDX-License-Identifier: Apache-2.0
"""The xlashape command from outside. Usage: cli_test.py COMMAND [PLUGINS] [INTERRUPTS].

Ends with `N passed, M failed`."""

import ast
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib

import case
import files
from case import Case

PLUGINS = None  # the folder of backends that lie
INTERRUPTS = None  # what ends the command at a chosen step, to be preloaded
# Sizes that TPU compilers printed, from public reports: jax-ml/jax#7502, pytorch/xla#1965, flowpm#27, pytorch/xla#6674,
# google/trax#525 and others.
TPU_SIZES = [
    ("s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", "512.00M", "16.00G", 32.0),
    ("u32[12582912,1]{1,0:T(8,128)}", "48.00M", "6.00G", 128.0),
    ("s32[8388608,8,4]{2,1,0:T(8,128)}", "1.00G", "32.00G", 32.0),
    ("s32[8388608,8,4]{0,2,1:T(4,128)}", "1.00G", "1.00G", 1.0),
    ("bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", "1.00G", "4.00G", 4.0),
    ("pred[64,512,2048]{2,1,0:T(8,128)E(32)}", "64.00M", "256.00M", 4.0),
    ("f32[4,128,128,9,18]{4,3,0,2,1:T(8,128)}", "40.50M", "512.00M", 12.6),
    ("s32[29360128,10]{1,0:T(8,128)}", "1.09G", "14.00G", 12.8),
    ("f32[128,256,896,18]{0,3,2,1:T(8,128)}", "1.97G", "2.62G", 1.3),
    ("bf16[4,512,512,64]{3,0,2,1:T(4,128)(2,1)}", "128.00M", "256.00M", 2.0),
]


class LayoutFor(Case):
    def test_text(self):
        pair = "'(f32[1000,3], (token[], bf16[7]{0}))'"
        self.check_rows(
            ("layout-for tpu:v5e f32[1000,3]", 0, r"^f32\[1000,3\]\{0,1:T\(4,128\)\}           16,384 bytes "
             r"\(12,000 of data, 1.37x\); row-major would be \{1,0:T\(8,128\)\} with 512,000 bytes\n$"),
            ("layout-for cpu f32[1000,3]", 0, r"^f32\[1000,3\]\{1,0\} +12,000 bytes\n$"),
            # An order that is given is kept.
            ("layout-for tpu:v5e f32[1000,3]{1,0}", 0,
             r"the compiler's own choice is \{0,1:T\(4,128\)\} with 16,384 bytes"),
            ("layout-for tpu:v5e f32[0,3]", 0, r" 0 bytes\n$"),
            ("layout-for tpu:v4 f32[]", 0, r"^f32\[\]\{:T\(128\)\} +512 bytes \(4 of data"),
            ("layout-for tpu:v4 f32[] --color=always", 0, "\033"),
            (f"layout-for tpu:v5p {pair}", 0, r"^  \{0\}    f32\[1000,3\]\{0,1:T\(4,128\)\} +16,384 bytes",
             r"^  \{1,0\}  token\[\] +has no layout$",
             r"all arrays +16,896 bytes, and 32 bytes for the outermost table of pointers\n$"),
            ("layout-for tpu:v4,cpu '(f32[2], (s8[3], f32[?]))'", 3,
             r"UNSUPPORTED: tpu:v4: \{1,1\}: dimension 0 is unbounded"),
            ("layout-for tpu:v4", 2), ("layout-for", 2))

    def test_several_targets(self):
        lines = self.run_command("layout-for", "tpu:v2,tpu:v4,tpu:v5e,cpu,tpu:v4", "bf16[7]").splitlines()
        self.assertEqual([line.split("  ")[0] for line in lines], ["tpu:v2", "tpu:v4 tpu:v5e", "cpu"])
        lines = self.run_command("layout-for", "cpu,gpu", "-", stdin=b"f32[2]\n\ns8[3]{0}\n").splitlines()
        self.assertEqual([line.split()[2] for line in lines], ["f32[2]{0}", "s8[3]{0}"])
        # Columns of a later text stay below those before.
        lines = self.run_command("layout-for", "cpu,gpu,tpu:v2", "f32[2]", "token[]", "s8[3]", exit=3).splitlines()
        self.assertEqual([re.search(r"(f32|s8)\[", line).start() for line in lines], [9, 9, 9, 9])

    def test_json(self):
        answers = self.run_json("layout-for", "tpu:v5e,cpu", "f32[1000,3]", "f32[8,128]{0,1}")
        self.assertEqual([(a["given"], a["target"], a["shape"], a["bytes"]) for a in answers], [
            ("f32[1000,3]", "tpu:v5e", "f32[1000,3]{0,1:T(4,128)}", 16384),
            ("f32[1000,3]", "cpu", "f32[1000,3]{1,0}", 12000),
            ("f32[8,128]{0,1}", "tpu:v5e", "f32[8,128]{0,1:T(8,128)}", 65536),
            ("f32[8,128]{0,1}", "cpu", "f32[8,128]{0,1}", 4096)])
        self.assertEqual([answers[0][key] for key in ("row_major", "own_choice")],
                         [{"layout": "{1,0:T(8,128)}", "bytes": 512000}, None])
        self.assertEqual(answers[2]["own_choice"], {"layout": "{1,0:T(8,128)}", "bytes": 4096})
        self.assertIsNone(answers[1]["row_major"])
        (answer,) = self.run_json("layout-for", "tpu:v5p", "(f32[1000,3], (token[], bf16[7]{0}))")
        self.assertEqual(answer["shape"], "(f32[1000,3]{0,1:T(4,128)}, (token[], bf16[7]{0:T(256)(128)(2,1)}))")
        self.assertEqual([leaf["path"] for leaf in answer["leaves"]], ["{0}", "{1,0}", "{1,1}"])
        self.assertEqual((answer["bytes"], answer["tuple_table_bytes"]), (16896, 32))
        for shape, code, exit in (("f32[?,4]", "UNSUPPORTED", 3), ("token[]", "UNSUPPORTED", 3),
                                  ("opaque[]", "UNSUPPORTED", 3), ("f6e3m2fn[4]", "UNSUPPORTED", 3),
                                  ("f32[2", "PARSE", 1),
                                  ("f32[384,9798,60277,15056,64766]", "OVERFLOW", 1),
                                  ("f32[2305843009213693952,3]", "OVERFLOW", 3)):
            with self.subTest(shape):
                answers = self.run_json("layout-for", "tpu:v4", shape, "f32[2]", exit=exit)
                self.assertEqual((answers[0]["error"]["code"], answers[1]["shape"]), (code, "f32[2]{0:T(128)}"))

    def test_targets(self):
        for words in (["layout-for"], ["explain", "--target"], ["scan", "--target"], ["draw", "--target"]):
            for target in ("tpu:v9", "", "TPU V", "tpu:v4 x", "\x1b[31m",
                           *(["cpu,"] if words == ["layout-for"] else [])):
                self.assertEqual(self.run_command(*words, target, "f32[2]", exit=2), "")
                self.assertRegex(self.err, r"only: cpu gpu( tpu:v\w+){7,}\s")
                self.assertNotIn("\033", self.err)

    def test_shardings(self):
        text = "f32[10,7]{1,0}, sharding={devices=[4,2]<=[8]}"
        for words in (["explain", text], ["layout-for", "cpu", text], ["index", text, "--linear", 0], ["draw", text],
                      ["relayout", "/dev/null", "out.bin", "--to", "row", "--shape", text]):
            self.run_command(*words, exit=1)
            self.assertRegex(self.err, "expected the end of the text, found ',.*; a sharding is not part of a shape: "
                                       "leave it out")

    def test_hostile_texts(self):
        # More dimensions than an index map takes: the layout is known, its size is not.
        texts = b"f32[" + b"1," * 5000 + b"1]\n" + b"(" * 9000 + b"\n" + b"\xff\x00\n" + b"f32[2]\n"
        self.assertRegex(self.run_command("layout-for", "tpu:v4", "-", stdin=texts, exit=1),
                         r"T\(1,128\)\}  \? bytes: rank 5001 .*\nf32\[2\]\{0:T\(128\)\} .*\n$")
        # Which line it is, and the beginning of its text, also where no byte of it is wrong.
        self.assertRegex(self.err, r"^xlashape: line 2: \w+: .*\n  \({200}\.\.\.\n"
                         r"xlashape: line 3: .*\n  \\xff\\x00\n$")
        self.run_command("layout-for", "tpu:v4,cpu", "-", stdin=b"f32[2]\n\nf32[?,3]\nf32[2,x]\n", exit=3)
        self.assertRegex(self.err, r"^xlashape: line 3: UNSUPPORTED: tpu:v4: .*\n  f32\[\?,3\]\n"
                         r"xlashape: line 3: .*cpu.*\n  f32\[\?,3\]\n"
                         r"xlashape: line 4: PARSE: .*\n  f32\[2,x\]\n        \^\n$")
        self.run_command("explain", "-", stdin=b"\nnonsense\n", exit=1)
        self.assertIn("xlashape: line 2: PARSE: ", self.err)
        self.run_command("layout-for", "tpu:v4", "-", stdin=b"(" * 4000 + b"f32[3]" + b")" * 4000)


class Explain(Case):
    KEYS = ["shape", "element_type", "dimensions", "rank", "true_rank", "minor_to_major", "elements",
            "storage_elements", "logical_bytes", "bytes", "xla_bytes", "waste_ratio", "byte_strides"]

    def test_tpu_sizes(self):
        for shape, logical, stored, ratio in TPU_SIZES:
            with self.subTest(shape):
                text = self.run_command("explain", shape)
                for words, size in (("logical bytes", logical), ("bytes", stored)):
                    self.assertRegex(text, rf"(?m)^  {words} +{float(size[:-1]):.1f} {size[-1]}iB ")
                (answer,) = self.run_json("explain", shape)
                self.assertAlmostEqual(answer["waste_ratio"], ratio, delta=0.06)
                self.assertEqual(answer["shape"], shape)

    def test_text(self):
        self.check_rows(
            ("explain --target tpu:v5e f32[1000,3]", 0, r"\Af32\[1000,3\]\{0,1:T\(4,128\)\}\n",
             r"^  layout +none given: chosen for tpu:v5e$", r"^  memory space +0, the default, hbm on tpu:v5e$"),
            # A layout that is given stays.
            ("explain --target tpu:v5e f32[1000,3]{1,0:S(1)}", 0, r"\Af32\[1000,3\]\{1,0:S\(1\)\}\n",
             r"^  memory space +1, vmem on tpu:v5e$", r"\A((?!chosen for)[\s\S])*\Z"),
            ("explain --target tpu:v4 f32[2]{0:S(3)}", 0, r"^  memory space +3$"),
            ("explain --target tpu:v2 '(f32[3], f32[], f32[2]{0})'", 0, r"^  \{0\} +f32\[3\]\{0:T\(256\)\} ",
             r"^  \{1\} +f32\[\]\{:T\(256\)\} ", r"^  \{2\} +f32\[2\]\{0\} ",
             r"the tuple's table takes 1,024 bytes on tpu:v2", r"^  layout +chosen for tpu:v2 where none is given$"),
            ("explain --target tpu:v2 '(f32[2]{0}, token[])'", 0, r"\A((?!chosen for)[\s\S])*\Z"),
            ("explain --target tpu:v4 f32[?]", 3), ("explain --target tpu:v4 f32[2305843009213693952,3]", 3),
            *((f"explain --target tpu:v4 '(token[], (f6e2m3fn[2]))' {more}", 3, r"\{1,0\}: tpu:v4 has no arrays")
              for more in ("", "--json")),
            ("explain f8e4m3fn[300,200]{0,1:T(8,128)(4,1)S(1)SC(0:104)}", 0, r"^  bytes .* 76,800  in all$",
             r"^  XLA's bytes .* 39,936  largest part \(per core\)$"),
            ("explain s8[1024,3]{0,1:T(2,128)(8,4)(1)SC(0:1)}", 0,
             r"Without the split compilers would allocate 4,096 bytes, by the first tile; the layout "
             r"places elements in 16,384 bytes"),
            ("explain f16[1024]{0:T(128)(128)(2,1)}", 0,
             r"Compilers allocate 2,048 bytes, by the first tile; the layout "
             r"places elements in 4,096 bytes"),
            ("explain s32[8388608,8,4]{2,1,0:T(8,128)}", 0, r"\{0,2,1:T\(4,128\)\} takes 1.0 GiB instead of 32.0 GiB"),
            ("explain f32[8,128]{1,0:T(8,128)}", 0, "this one"), ("explain '()'", 0),
            ("explain '(f32[2,3], (token[], s8[4]))'", 0, r"all leaves +28 B +28 B"),
            # As XLA prints them since October 2025.
            ("explain f32[4,300]{1,0:T(8,d)}", 0, r"T\(8,d\)  blocks of 8 of y x 300 of x: 1 x 1 tiles across"),
            ("explain f32[2,3]{:T(2,4)S(5)}", 0, r"\{1,0\}  x varies fastest, then y; not set, counts as row-major"),
            ("draw f32[4,300]{1,0:T(8,d)(2,d)} f32[4,300]{:T(d,8)(4,d)S(5)}", 0),
            ("index f32[2,3]{:S(5)} --at 1,2", 0, " 5 "),
            ("explain f32[2]", 0, r"\A[^\033]*\Z"), ("explain f32[2] --color=always", 0, "\033"),
            ("explain f32[2,3] f32[2,3,4] f32[2,3,4,5]", 0, "0 y", "1 x", "0 z", "0 p", "3 x"),
            ("explain f32[2", 1, r"\^"))

    def test_pipes_get_each_answer(self):
        for words in (["explain", "-"], ["layout-for", "tpu:v4", "-"]):
            with subprocess.Popen([self.command, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
                for _ in range(2):
                    program.stdin.write(b"f32[3]\n")
                    program.stdin.flush()
                    line = b"\n"
                    while line == b"\n":
                        line = program.stdout.readline()
                    self.assertTrue(line.startswith(b"f32[3]"))
                    while words[0] == "explain" and b"least waste" not in line:
                        line = program.stdout.readline()

    def test_why_xlas_bytes_differ(self):
        for shape, exact, xla, why, warnings in (
                ("f32[3]{0}", 12, 12, None, 0), ("f32[1000]{0:T(1024)}", 4096, 4096, None, 0),
                ("bf16[8,128]{1,0:T(8,128)(2,1)}", 2048, 2048, None, 0),
                ("f16[1024]{0:T(128)(128)(2,1)}", 4096, 2048, r"the inner ones, \(128\)\(2,1\), pad", 1),
                ("f8e4m3fn[300,200]{0,1:T(8,128)(4,1)S(1)SC(0:104)}", 76800, 39936, "split", 0),
                ("s8[1024,3]{0,1:T(2,128)(8,4)(1)SC(0:1)}", 16384, 2048, "split.*; XLA counts the first tile", 1),
                ("f32[0,9223372036854775807]{1,0:T(8,128)}", 0, None, "XLA's own arithmetic overflows", 0),
                ("f32[10]{0:L(16)}", 64, 40, r"L\(16\) only in layouts with tiles", 0),
                # L counts in both numbers here, so it is no cause; in the last it makes them equal.
                ("f16[1000]{0:T(128)(128)(2,1)L(300)}", 4200, 2400, "XLA counts the first tile alone, [^;]*$", 1),
                ("f16[1024]{0:T(128)(128)(2,1)L(2048)}", 4096, 4096, None, 0)):
            with self.subTest(shape):
                (answer,) = self.run_json("explain", shape)
                self.assertEqual((answer["bytes"], answer["xla_bytes"], len(answer["warnings"])),
                                 (exact, xla, warnings))
                text = self.run_command("explain", shape)
                self.assertEqual((answer["xla_bytes_why"] is None, "they differ" in text),
                                 (why is None, why is not None))
                if why:
                    self.assertRegex(answer["xla_bytes_why"], why)
                    self.assertRegex(text, rf"(?m)^  they differ +.*{why}")
                self.assertEqual("  warning " in text, warnings > 0)

    def test_json(self):
        answers = self.run_json("explain", "f32[2,3]{0,1:PD(3,5)}", "bf16[128,256]{1,0:T(8,128)(2,1)S(1)}", "f32[?,3]",
                                "s32[0,4]", "f32[]", "s4[5]{0:E(4)}", "(f32[2,3], (token[], s8[4]))", "token[]",
                                "opaque[]", "b(f32[4])", "f32[4,300]{1,0:T(8,d)(2,d)}", "f32[2,3]{:T(2,4)S(5)}",
                                "s32[8388608,8,4]{2,1,0:T(8,128)}")
        for answer in answers:
            self.assertEqual(list(answer)[: len(self.KEYS)], self.KEYS)
        padded, tiled, unbounded, empty, scalar, packed, tuple_, token, opaque, buffer = answers[:10]
        matched, unordered, wasted = answers[10:]
        self.assertEqual([padded[key] for key in self.KEYS[1:]],
                         ["f32", [2, 3], 2, 2, [0, 1], 6, 15, 24, 60, 60, 2.5, [4, 12]])
        self.assertEqual((tiled["tiles"], tiled["tile_count"], tiled["memory_space"], tiled["byte_strides"]),
                         ([[8, 128], [2, 1]], 32, 1, None))
        self.assertEqual(unbounded["dimensions"], ["?", 3])
        self.assertTrue(all(unbounded[key] is None for key in self.KEYS[6:]))
        self.assertEqual((empty["bytes"], empty["waste_ratio"], empty["true_rank"]), (0, None, 1))
        self.assertEqual((scalar["dimensions"], scalar["bytes"], scalar["byte_strides"]), ([], 4, []))
        self.assertEqual((packed["bytes"], packed["logical_bytes"], packed["byte_strides"]), (3, 3, None))
        self.assertEqual((tuple_["element_type"], tuple_["bytes"], tuple_["elements"]), ("tuple", 28, 10))
        self.assertEqual([leaf["path"] for leaf in tuple_["leaves"]], ["{0}", "{1,0}", "{1,1}"])
        self.assertEqual((token["bytes"], opaque["bytes"], buffer["bytes"]), (0, None, 16))
        self.assertEqual((matched["bytes"], matched["xla_bytes"], matched["tiles"], matched["tile_count"]),
                         (9600, 9600, [[8, "d"], [2, "d"]], 1))
        self.assertEqual((unordered["bytes"], unordered["minor_to_major"], unordered["memory_space"]), (32, [], 5))
        self.assertEqual(wasted["least_waste"], {"layout": "{0,2,1:T(4,128)}", "bytes": 1 << 30, "waste_ratio": 1.0})
        array, pair = self.run_json("explain", "--target", "tpu:v5e", "s8[300]{0:S(9)}", "(f32[3], s8[2]{0:S(2)})")
        self.assertEqual((array["target"], array["layout_chosen"], array["memory_space_name"]),
                         ("tpu:v5e", False, None))
        self.assertEqual(pair["tuple_table_bytes"], 512)
        self.assertEqual([(leaf["layout_chosen"], leaf["memory_space_name"]) for leaf in pair["leaves"]],
                         [(True, "hbm"), (False, "smem")])
        answers = self.run_json("explain", "f32[2", "f32[2]{1}", "f32[3]", exit=1)
        self.assertEqual((answers[0]["shape"], answers[0]["error"]["code"]), ("f32[2", "PARSE"))
        self.assertIsInstance(answers[0]["error"]["offset"], int)
        self.assertEqual((answers[1]["error"]["code"], answers[2]["bytes"]), ("INVALID_ARGUMENT", 12))
        self.run_json("explain", b"f32[\xff".decode("utf-8", "surrogateescape"), exit=1)
        self.assertEqual(len(self.run_json("explain", "-", stdin=b"f32[2]\n\ns8[3]\n")), 2)

    def test_searches_end(self):
        ones = ",".join(["1"] * 12)
        hang = f"f32[{ones}]{{11,10,9,8,7,6,5,4,3,2,1,0:T({ones})}}"
        many = ",".join(["1"] * 60)
        merged = f"f32[{many}]{{{','.join(map(str, reversed(range(60))))}:T({'*,' * 59}3)}}"
        for text in (hang, merged):
            self.assertIn(b"of those tried", self.run_shell('"$@"', "explain", text))
            (answer,) = json.loads(self.run_shell('"$@"', "explain", "--json", text))
            self.assertIs(answer["least_waste"]["all_tried"], False)
        # All leaves of one text share one search.
        answer = json.loads(self.run_shell('"$@"', "explain", "--json", f"({','.join([hang] * 300)})"))[0]
        self.assertEqual(len(answer["leaves"]), 300)

    def test_hostile(self):
        for text, why in ((f"f32[4]{{0:T{'(2)' * 300000}}}", "levels of tiles"),
                          # As many bytes of paths as leaves times levels.
                          ("(" * 8000 + ",".join(["s8[]"] * 30000) + ")" * 8000, "paths")):
            (answer,) = self.run_json("explain", "-", stdin=text.encode(), exit=3)
            self.assertIn(why, answer["error"]["message"])
        # A long path does not make the lines of the others as long.
        text = f"({'(' * 8000}s8[]{')' * 8000},{','.join(['s8[]'] * 2000)})"
        self.assertLess(len(self.run_command("explain", "-", stdin=text.encode())), 2000000)


class Index(Case):
    SHAPE = "f32[3,5]{1,0:T(2,2)}"

    def test_there_and_back(self):
        seen = {}
        for y, x in itertools.product(range(3), range(5)):
            tiles = (y // 2 * 3 + x // 2) * 4 + y % 2 * 2 + x % 2
            seen[tiles] = [y, x]
        asked = "".join(f"{i}\n" for i in range(24)) + "".join(f"{y},{x}\n" for y, x in seen.values())
        for answer in self.run_json("index", self.SHAPE, stdin=asked.encode()):
            self.assertEqual(answer["index"], seen.get(answer["linear"]))
            self.assertEqual((answer["padding"], answer["byte"]), (answer["linear"] not in seen, answer["linear"] * 4))

    def test_ways_to_ask(self):
        for at in ("2,3", "x=3,y=2", "1=3,0=2", "0=2,-1=3", "[2, 3]"):
            (answer,) = self.run_json("index", self.SHAPE, "--at", at)
            self.assertEqual(answer["index"], [2, 3], at)
        self.assertEqual([a["linear"] for a in self.run_json("index", "s8[9]", "--at", "4", "--at", "5")], [4, 5])
        self.assertEqual(self.run_json("index", "s8[9]", stdin=b"4\n#5\n")[1]["index"], [5])
        self.assertEqual(self.run_json("index", "f32[]", "--linear", "0")[0]["index"], [])
        self.assertEqual(self.run_json("index", "f32[]", "--at", "")[0]["linear"], 0)
        (packed,) = self.run_json("index", "s4[9]{0:E(4)}", "--at", "5")
        self.assertEqual((packed["byte"], packed["bit"]), (2, 4))
        self.check_rows((f"index {self.SHAPE} --at 2,3", 0, r"\[2,3\] +-> +17  byte 68"),
                        (f"index {self.SHAPE} --linear 9", 0, r"9 -> padding"))

    def test_errors(self):
        self.check_rows(
            *((f"index {self.SHAPE} --at={at}", 1) for at in ("3,0", "0,5", "-1,0", "0", "0,0,0", "q=1,y=0")),
            *((f"index {self.SHAPE} --at={at}", 2)
              for at in ("x=1", "x=1,x=2", "a,b", "x=1,2", "1,,2", "1,1,", ",1,1", ",", "x=1,y=1,", "[1,1,]")),
            *((f"index {self.SHAPE} --linear={at}", exit) for at, exit in (("24", 1), ("-1", 1), ("x", 2))),
            ("index f32[?] --at 0", 3), ("index token[] --at 0", 1))
        answers = self.run_json("index", self.SHAPE, stdin=b"0,0\nrubbish\n9,9\n1,1\n", exit=1)
        self.assertEqual(["error" in answer for answer in answers], [False, True, True, False])


def transposed(data, item, height, width):
    places = [y * width + x for x in range(width) for y in range(height)]
    return b"".join(data[place * item : (place + 1) * item] for place in places)


class Relayout(Case):
    DATA = bytes(random.Random(1).randbytes(6 * 7 * 4))

    def relayout(self, *words, **options):
        return self.run_command("relayout", *words, **options)

    def npy_of(self, *words):
        """What a .npy file has that the words make."""
        self.relayout(words[0], "out.npy", *words[1:])
        return files.parse_npy(self.read("out.npy"))

    def test_npy(self):
        swapped = b"".join(self.DATA[i : i + 4][::-1] for i in range(0, len(self.DATA), 4))
        columns = transposed(self.DATA, 4, 6, 7)
        for version, (dtype, data), fortran in itertools.product((1, 2, 3), (("<f4", self.DATA), (">f4", swapped)),
                                                                 (False, True)):
            self.write("in.npy", files.npy(dtype, (6, 7), data, fortran, version))
            kept = transposed(self.DATA, 4, 7, 6) if fortran else self.DATA
            self.assertEqual(self.npy_of("in.npy", "--to", "row", "--verify"), ("<f4", False, (6, 7), kept))
        self.write("in.npy", files.npy("<f4", (6, 7), self.DATA))
        self.assertEqual(self.npy_of("in.npy", "--to", "col"), ("<f4", True, (6, 7), columns))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "out.npy"])
        for dtype, item, name in [("|b1", 1, "pred"), ("|i1", 1, "s8"), ("<i2", 2, "s16"), ("<u8", 8, "u64"),
                                  ("<f2", 2, "f16"), ("<f8", 8, "f64"), ("<c8", 8, "c64"), ("<c16", 16, "c128")]:
            data = random.Random(2).randbytes(6 * item)
            self.write("in.npy", files.npy(dtype, (2, 3), data))
            answer = self.run_json("relayout", "in.npy", "out.npy", "--to", "row")
            self.assertEqual((answer["src_shape"], answer["kind"]), (f"{name}[2,3]{{1,0}}", "npy"))
            self.assertEqual(files.parse_npy(self.read("out.npy")), (dtype, False, (2, 3), data))
        self.write("in.npy", files.npy(">c8", (1,), bytes([4, 3, 2, 1, 8, 7, 6, 5])))
        self.assertEqual(self.npy_of("in.npy", "--to", "row")[3], bytes(range(1, 9)))
        for shape, count in [((), 1), ((5,), 5), ((0, 3), 0), ((1,) * 20, 1), ((2, 3, 4, 5), 120)]:
            data = random.Random(3).randbytes(count)
            self.write("in.npy", files.npy("|u1", shape, data))
            self.assertEqual(self.npy_of("in.npy", "--to", "row", "--verify"), ("|u1", False, shape, data))
            self.npy_of("in.npy", "--to", "col", "--verify")

    def test_dtypes_without_a_letter(self):
        self.write("in.npy", files.npy("|V2", (3, 4), self.DATA[:24]))
        self.check_rows(("relayout in.npy out.npy --to row", 0, "in.npy: '.V2' is no type of XLA's: moved as "
                         r"u16\[3,4\] \(--dtype says what else it is, like bf16\)$"),
                        ("relayout in.npy out.npy --to row --dtype f32", 1),
                        ("relayout in.npy out.npy --to row --dtype no", 1))
        answer = self.run_json("relayout", "in.npy", "out.bin", "--to", "{1,0:T(8,128)(2,1)}", "--dtype", "bf16")
        self.assertEqual((answer["dst_shape"], answer["dst_bytes"]), ("bf16[3,4]{1,0:T(8,128)(2,1)}", 2048))
        self.relayout("out.bin", "back.bin", "--to", "row")
        self.assertEqual(self.read("back.bin"), self.DATA[:24])
        self.write("in.npy", files.npy("|V1", (6,), bytes([0, 1, 7, 8, 15, 9])))
        self.relayout("in.npy", "out.bin", "--to", "{0:E(4)}", "--dtype", "u4")
        self.assertEqual(self.read("out.bin"), bytes([0x10, 0x87, 0x9F]))

    def test_npz(self):
        members = {"a": files.npy("<f4", (6, 7), self.DATA), "b": files.npy("|u1", (3,), b"abc")}
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("in.npz", files.npz(members, compression))
            self.assertEqual(self.npy_of("in.npz:a", "--to", "row")[3], self.DATA)
            self.assertEqual(self.npy_of("in.npz:b.npy", "--to", "row")[3], b"abc")
        self.write("one.npz", files.npz({"only": members["b"]}))
        self.write("other.npz", files.npz({"only": members["b"]}, zipfile.ZIP_BZIP2))
        self.check_rows(("relayout in.npz out.npy --to row", 1, "a, b"),
                        ("relayout in.npz:c out.npy --to row", 1, "a, b"),
                        ("relayout one.npz out.npy --to row", 0), ("relayout other.npz out.npy --to row", 3))

    def test_png(self):
        for channels, bits in itertools.product((1, 2, 3, 4), (8, 16)):
            size = 5 * 7 * channels * bits // 8
            data = random.Random(4).randbytes(size)
            self.write("in.png", files.png(5, 7, channels, data, bits))
            self.relayout("in.png", "planar.bin", "--to", "{1,0,2}", "--verify")
            answer = self.run_json("relayout", "planar.bin", "out.png", "--to", "row")
            self.assertEqual(answer["kind"], "png")
            self.assertEqual(files.parse_png(self.read("out.png")), (5, 7, channels, bits, data))
            item = bits // 8
            kept = data if bits == 8 else b"".join(data[i : i + 2][::-1] for i in range(0, size, 2))
            planes = b"".join(kept[(p * channels + c) * item : (p * channels + c + 1) * item]
                              for c in range(channels) for p in range(35))
            self.assertEqual(self.read("planar.bin"), planes)
        said = self.run_command("relayout", "planar.bin", "out.png", "--to", "row")
        self.assertRegex(said, rf"wrote +{len(self.read('out.png'))} B  out\.png, {size} B of pixels\n")
        palette = bytes([1, 2, 3, 40, 50, 60])
        self.write("in.png", files.png(1, 2, 1, bytes([1, 0]), color=3, palette=palette))
        self.relayout("in.png", "out.bin", "--to", "row")
        self.assertEqual(self.read("out.bin"), bytes([40, 50, 60, 1, 2, 3]))

    def test_raw_and_sidecars(self):
        self.write("in.bin", self.DATA)
        self.check_rows(("relayout in.bin out.bin --to row", 1, "--shape"),
                        ("relayout in.bin out.bin --to {0,1:T(4,4)} --shape f32[6,7]", 0))
        sidecar = json.loads(self.read("out.bin.json"))
        self.assertEqual(sidecar, {"xlashape": 1, "shape": "f32[6,7]{0,1:T(4,4)}", "bytes": 256, "data": "out.bin"})
        for source in ("out.bin", "out.bin.json", self.folder / "out.bin"):
            self.relayout(source, "back.bin", "--to", "row")
            self.assertEqual(self.read("back.bin"), self.DATA)
        # --from and --shape win over what the file says.
        self.relayout("in.bin", "out2.bin", "--to", "row", "--shape", "f32[6,7]", "--from", "col")
        self.assertEqual(self.read("out2.bin"), transposed(self.DATA, 4, 7, 6))
        self.relayout("back.bin", "out3.bin", "--to", "row", "--shape", "s8[168]")
        self.assertEqual(json.loads(self.read("out3.bin.json"))["shape"], "s8[168]{0}")
        # A sidecar that no longer fits its bytes.
        self.write("out.bin", b"short")
        self.check_rows(("relayout out.bin back.bin --to row", 1, "sidecar"))

    def test_names_that_promise(self):
        """A name that promises a format gets it, or nothing is written and the message says what to write instead."""
        self.write("in.npy", files.npy("<f4", (6, 7), self.DATA))
        self.write("half.npy", files.npy("|V2", (6, 7), bytes(84)))
        for source, out, args, exit, why in (
                ("in.npy", "out.npy", ["--to", "{1,0:T(2,4)}"], 1, "row-major (--to row) or column-major (--to col)"),
                ("in.npy", "OUT.NPY", ["--to", "{1,0:PD(8,8)}"], 1, "or name it like out.bin"),
                ("half.npy", "out.npy", ["--to", "col", "--dtype", "bf16"], 1, "NumPy has no type for bf16[6,7]: give "
                 "the type of as many bits, --dtype u16, or name it like out.bin"),
                ("in.npy", "out.npy", ["--to", "row", "--shape", "f32[42" + ",1" * 40 + "]"], 1,
                 "at most 32 dimensions"),
                ("in.npy", "out.png", ["--to", "row"], 1, "a PNG holds row-major u8 or u16"),
                *(("in.npy", "out." + end, ["--to", "row"], 2, "name it .npy, .npz, .safetensors or .png, or name "
                  "it like out.bin")
                  for end in ("json", "SVG", "html", "jpg", "h5", "pt", "txt"))):
            with self.subTest((out, args)):
                self.relayout(source, out, *args, exit=exit)
                self.assertIn(why, self.err)
                self.assertEqual(sorted(os.listdir(self.folder)), ["half.npy", "in.npy"])
        self.relayout("half.npy", "out.npy", "--to", "col", "--dtype", "u16")
        self.assertEqual(files.parse_npy(self.read("out.npy"))[:2], ("<u2", True))
        # For types that NumPy lacks the message says what works.
        self.write("in.bin", b"\x21\x43")
        self.write("wide.bin", b"\1\2\3\4")
        by_file = "relayout it to a file like out.bin with --to row, and that to this one with --dtype u8, or name"
        self.check_rows(
            ("relayout wide.bin said.bin --to row --shape s4[2,2]", 0),
            ("relayout in.bin o.npy --to row --shape s4[2,2]{1,0:E(4)}", 1,
             r"NumPy has no type for s4\[2,2\]: " + by_file),
            ("relayout in.bin out.bin --to row --shape s4[2,2]{1,0:E(4)}", 0),
            *((f"relayout {words}", code, *why) for words, code, *why in (
                ("wide.bin o.npy --to row --shape s4[2,2]", 1, r"of as many bits, --shape 'u8\[2,2\]\{1,0\}', or"),
                ("wide.bin o.npy --to {1,0:E(4)} --shape s4[2,2]{1,0:E(8)}", 1,
                 r"--shape 'u8\[2,2\]\{1,0\}' and --to row, or"),
                ("said.bin o.npy --to row", 1, "of as many bits, --dtype u8, or"),
                ("said.bin o.npy --to {1,0:T(2,2)}", 1, "of as many bits, --dtype u8 and --to row, or"))))
        for words in (["out.bin", "--dtype", "u8"], ["wide.bin", "--shape", "u8[2,2]{1,0}"],
                      ["said.bin", "--dtype", "u8"]):
            self.assertEqual(self.npy_of(*words, "--to", "row"), ("|u1", False, (2, 2), b"\1\2\3\4"))
        # A sidecar of an earlier version's does not outlive its bytes.
        self.relayout("in.npy", "raw.bin", "--to", "{1,0:T(2,4)}")
        self.write("out.npy", self.read("raw.bin"))
        self.write("out.npy.json", self.read("raw.bin.json").replace(b"raw.bin", b"out.npy"))
        self.relayout("out.npy", "back.npy", "--to", "row")
        self.assertEqual(files.parse_npy(self.read("back.npy"))[3], self.DATA)
        self.relayout("in.npy", "out.npy", "--to", "row")
        self.assertEqual(self.read("out.npy"), self.read("back.npy"))
        self.assertFalse((self.folder / "out.npy.json").exists())
        # Other commands' files.
        self.write("in.bin", bytes(35))
        for name in ("a.npy", "a.jpg", "a.SVG"):
            self.run_command("picture", "in.bin", name, "--shape", "u8[7,5]", exit=2)
            self.assertIn("name it .png", self.err)
        self.run_command("picture", "in.bin", "a", "--shape", "u8[7,5]")
        self.assertEqual(self.read("a")[:4], b"\x89PNG")

    def test_transposed(self):
        """np.transpose(2, 0, 1): the message for what a .npy cannot say has the command line that can."""
        data = random.Random(5).randbytes(105)
        for fortran, order in itertools.product((False, True), itertools.permutations(range(3))):
            with self.subTest((fortran, order)):
                self.write("in.npy", files.npy("|u1", (5, 7, 3), data, fortran))
                if order in ((0, 1, 2), (2, 1, 0)):
                    continue
                to = "{" + ",".join(str(dimension) for dimension in reversed(order)) + "}"
                self.relayout("in.npy", "out.npy", "--to", to, exit=1)
                found = re.search(r"with --transpose (\S+) it is these bytes as (\S+)$", self.err)
                self.relayout("in.npy", "out.npy", "--transpose", found[1])
                self.relayout("in.npy", "out.bin", "--to", to)
                dims = tuple((5, 7, 3)[dimension] for dimension in order)
                self.assertEqual(found[2], "u8[" + ",".join(map(str, dims)) + "]")
                self.assertEqual(files.parse_npy(self.read("out.npy")), ("|u1", False, dims, self.read("out.bin")))
        # It is true of members, of elements of a width, and beside what else says what the bytes are.
        self.write("in.npz", files.npz({"x": files.npy("|u1", (5, 7, 3), data)}))
        self.write("s.npy", files.npy("|S3", (5, 7), data))
        for source, out, words in (("in.npy", "out.npy", ["--from", "row"]), ("in.npy", "out.npy", ["--dtype", "s8"]),
                                   ("in.npz:x", "out.npy", []), ("in.npz:x", "out.npz", []),
                                   ("in.npy", "out.npy", ["--offset", 128, "--shape", "u8[5,7,3]"])):
            with self.subTest((source, out, words)):
                self.relayout(source, out, "--to", "{1,0,2}", *words, exit=1)
                found = re.search(r"with --transpose (\S+) it is these bytes as ", self.err)
                self.relayout(source, "out.bin", "--to", "{1,0,2}", *words)
                self.relayout(source, out, "--transpose", found[1], *words)
                made = self.read("out.npy") if out == "out.npy" else zipfile.ZipFile(self.folder / out).read("x.npy")
                self.assertEqual(files.parse_npy(made)[3], self.read("out.bin"))
        self.relayout("s.npy", "out.npy", "--transpose", "1,0")
        self.assertEqual(files.parse_npy(self.read("out.npy")), ("|S3", False, (7, 5), transposed(data, 3, 5, 7)))

    def test_only_the_width_matters(self):
        """With --shape the type of a .npy file means nothing, nor does --dtype of the same width want one."""
        swapped = lambda data, width: b"".join(data[i : i + width][::-1] for i in range(0, len(data), width))
        for dtype, width, part, shape, named in (
                ("<M8[ns]", 8, 0, "s64[2,3]", "s64"), (">M8[D]", 8, 8, "u64[2,3]", "f64"),
                ("<m8", 8, 0, "s64[2,3]", "s64"),
                ("|S4", 4, 0, "u32[2,3]", "u32"), ("<U1", 4, 0, "u32[2,3]", "u32"), (">U1", 4, 4, "s32[2,3]", "s32"),
                ("<U3", 12, 0, "u32[2,3,3]", None), ("|V3", 3, 0, "u8[2,3,3]", None), ("|S5", 5, 0, "u8[2,3,5]", None),
                ("|V16", 16, 0, "c128[2,3]", "c128"), (">f16", 16, 16, "c128[2,3]", None),
                ("|V1", 1, 0, "s4[2,3]", "s4"),
                ("[('a', '<f4'), ('b', '|V1', (2, 1))]", 6, 0, "u16[2,3,3]", None),
                ("[('a \\'[', '<f4')]", 4, 0, "f32[2,3]", None)):
            data = bytes(range(1, 6 * width + 1))
            kept = swapped(data, part) if part else data
            described = dtype if dtype[0] == "[" else f"'{dtype}'"
            header = f"{{'descr': {described}, 'fortran_order': False, 'shape': (2, 3), }}"
            if "\\" in dtype:
                header = header.replace("'a \\'['", '"a \'["')
            with self.subTest(dtype):
                self.write("in.npy", files.npy(None, None, data, header=header))
                self.relayout("in.npy", "out.bin", "--to", "row", "--shape", shape)
                self.assertEqual(self.read("out.bin"), kept)
                piped = self.run_shell('cat in.npy | "$@"', "relayout", "-", "-", "--to", "row", "--shape", shape)
                self.assertEqual(piped, kept)
                self.relayout("in.npy", "out.bin", "--to", "row", "--shape", "u8[5]", exit=1)
                if named:
                    self.relayout("in.npy", "out.bin", "--to", "row", "--dtype", named)
                    self.assertEqual(self.read("out.bin"), kept)
                # Without a word it is moved by its width, and is the same again in a .npy.
                native = "<" + dtype[1:] if dtype[0] == ">" else dtype
                native = ast.literal_eval(native.replace("\\", "")) if dtype[0] == "[" and "\\" not in dtype else native
                wide = width not in (1, 2, 4, 8, 16)
                for to, fortran, moved in (("row", False, kept), ("col", True, transposed(kept, width, 2, 3)),
                                           ("{2,0,1}" if wide else "{0,1}", True, transposed(kept, width, 2, 3))):
                    self.relayout("in.npy", "out.npy", "--to", to, "--verify")
                    self.assertEqual(self.err.count("is no type of XLA's: moved as "), 1)
                    self.assertIn(f"moved as u8[2,3,{width}]\n" if wide else "[2,3]", self.err)
                    found = files.parse_npy(self.read("out.npy"))
                    self.assertEqual(found[1:], (fortran, (2, 3), moved))
                    if "\\" not in dtype:
                        self.assertEqual(found[0], native)
                    self.relayout("out.npy", "back.npy", "--to", "row", "--verify")
                    self.assertEqual(files.parse_npy(self.read("back.npy"))[1:], (False, (2, 3), kept))
                    self.relayout("in.npy", "out.bin", "--to", to)
                    self.assertEqual(self.read("out.bin"), moved)
                self.relayout("in.npy", "out.bin", "--to", "row", "--from", "col")
                self.assertEqual(self.read("out.bin"), transposed(kept, width, 3, 2))
                if wide:
                    self.relayout("in.npy", "out.npy", "--to", "{1,0,2}", exit=1)
                    self.assertIn("give one of these", self.err)
        self.write("in.npy", files.npy("|V3", (2, 3), bytes(range(18)), fortran=True))
        self.assertEqual(self.run_json("relayout", "in.npy", "out.npy", "--to", "row")["src_shape"],
                         "u8[2,3,3]{2,0,1}")
        # Of no dimension, of one, and of none of its bytes.
        for shape in ((), (5,), (0, 3)):
            data = bytes(range(3 * (1 if shape == () else 5 if shape == (5,) else 0)))
            self.write("in.npy", files.npy("|S3", shape, data))
            for to in ("row", "col"):
                self.relayout("in.npy", "out.npy", "--to", to, "--verify")
                self.assertEqual(files.parse_npy(self.read("out.npy"))[::2], ("|S3", shape))
        # Names that are not ASCII, and headers that are long, keep the version that can hold them.
        for version, name, kept in ((1, "n", 1), (1, "\xe4", 1), (3, "\u03b1", 3), (2, "n" * 70000, 2), (2, "n", 1)):
            header = f"{{'descr': [('{name}', '<f4')], 'fortran_order': True, 'shape': (2, 3), }}"
            self.write("in.npy", files.npy(None, None, bytes(24), header=header, version=version))
            self.relayout("in.npy", "out.npy", "--to", "col", "--verify")
            found = self.read("out.npy")
            self.assertEqual((found[6], len(found) % 64), (kept, 24))
            self.assertIn(header.encode("utf-8" if version == 3 else "latin1"), found)
        for descr, why in (("[('a', '|O')]", "pickle"), ("[('a', '>f4')]", "the other byte order"),
                           ("[('a'", "does not end"), ("[('a', '<f3x')]", "the fields of its records, at byte 13"),
                           ("[('a', 'f4', (2,)), ]x", "expected a comma or a closing brace"), ("[]", "at byte 2"),
                           ("[('a', 'f4', (-2,))]", "at byte 14"), ("[('a', 'f4', 9999999999)]", "at byte 25"),
                           ("[('a', " * 20 + "[]" + ")]" * 20, "fields of its records"),
                           ("[('a', '<M8[\x1b]')]", "at byte 15"), ("'M8[-]'", "none that is known"),
                           ("[(('t', 'a'), 'f4'), ('b', '|O', (2,))]", "pickle")):
            self.write("in.npy", files.npy(None, None, bytes(8), header=f"{{'descr': {descr}, 'fortran_order': False, "
                                           "'shape': (2,), }"))
            self.relayout("in.npy", "out.bin", "--to", "row", "--shape", "f32[2]", exit=1)
            self.assertIn(why, self.err)
            self.assertNotIn("\x1b", self.err)
        # Records whose fields nest, and with the other byte order: moved as they are.
        descr = "[(('t', 'a'), '>i2', (2,)), ('b', [('c', '|u1'), ('d', '|S1', (1, 3))])]"
        self.write("in.npy", files.npy(None, None, bytes(range(16)), header=f"{{'descr': {descr}, 'fortran_order': "
                                       "True, 'shape': (2,), }"))
        self.relayout("in.npy", "out.npy", "--to", "row")
        self.assertEqual(files.parse_npy(self.read("out.npy")), (ast.literal_eval(descr), False, (2,),
                                                                 bytes(range(16))))

    def test_fill(self):
        self.write("in.npy", files.npy("|u1", (3,), b"abc"))
        to = "{0:PD(5)PV(one)}"
        self.relayout("in.npy", "out.bin", "--to", to)
        self.assertEqual(self.read("out.bin"), b"abc\1\1")
        self.write("out.bin", b"vwxyz")
        self.relayout("in.npy", "out.bin", "--to", to, "--fill", "preserve")
        self.assertEqual(self.read("out.bin"), b"abcyz")
        self.relayout("in.npy", "new.bin", "--to", to, "--fill", "preserve")
        self.assertEqual(self.read("new.bin"), b"abc\0\0")
        self.relayout("in.npy", "out.bin", "--to", to, "--fill", "unspecified", "--verify")
        self.assertEqual(self.read("out.bin")[:3], b"abc")
        # Padding that holds anything does not disturb --verify.
        self.write("junk.bin", b"abcyz")
        self.relayout("junk.bin", "out.bin", "--shape", "u8[3]{0:PD(5)PV(one)}", "--to", "row",
                         "--verify")
        self.assertEqual(self.read("out.bin"), b"abc")

    def test_threads_and_reports(self):
        data = random.Random(5).randbytes(1 << 20)
        self.write("in.bin", data)
        answer = self.run_json("relayout", "in.bin", "out.bin", "--shape", "u8[1024,1024]", "--to", "col",
                               "--threads", 3, "--verify")
        self.assertEqual((answer["threads"], answer["verified"], answer["waste_ratio"]), (3, True, 1.0))
        self.assertGreater(answer["seconds"], 0)
        self.assertGreater(answer["copy_seconds"], 0)
        self.assertEqual(self.read("out.bin"), b"".join(data[x::1024] for x in range(1024)))
        text = self.relayout("out.bin", "back.bin", "--to", "row", "--explain", "--verify")
        for word in ("plan", "plain copy", "verified"):
            self.assertIn(word, text)
        self.assertEqual(self.err, "")

    def test_plugin_with_a_long_path(self):
        if PLUGINS is None:
            self.skipTest("no backends that lie")
        # Where a path was cut after 511 bytes, another one would be found.
        stem = str(self.folder.resolve()) + "/" + "d" * 250 + "/"
        folder = pathlib.Path(stem + "e" * (511 - len(stem)) + "f")
        folder.mkdir(parents=True)
        shutil.copy(PLUGINS / "good.so", folder / "good.so")
        shutil.copy(PLUGINS / "aborting.so", str(folder)[:511])
        told = self.run_command("self-test", "--plugin", folder / "good.so", "--count", 1)
        self.assertIn("conforms", told)

    def test_verify_says_who(self):
        if PLUGINS is None:
            self.skipTest("no backends that lie")
        self.write("in.bin", bytes(range(1, 25)))

        def lie(plugin, *args, **options):
            told = ["relayout", "in.bin", "out.bin", "--verify", "--load", PLUGINS / f"{plugin}.so", "--backend",
                    plugin, *args]
            error = self.run_json(*told, exit=1, **options)["error"]
            self.assertEqual(error["code"], "INTERNAL")
            self.assertIn(f"verify: backend {plugin}", error["message"])
            self.assertIn("; plan: ", error["message"])
            self.assertFalse((self.folder / "out.bin").exists())
            return error["message"]

        # Wrong there and wrong back again is what comparing what came back cannot see.
        self.assertIn("wrong_twice: byte 0, element [0,0], holds 0xfe, the source has 0x01 at byte 0: "
                      "u8[4,6]{1,0} -> u8[4,6]{0,1}", lie("wrong_twice", "--shape", "u8[4,6]", "--to", "col"))
        self.assertIn("wrong_to_rows: byte 23, element [3,5], holds 0x19, the source has 0x18 at byte 23: "
                      "u8[4,6]{0,1} -> ", lie("wrong_to_rows", "--shape", "u8[4,6]{0,1}", "--to", "row"))
        self.assertIn("wrong_to_rows on the way back: byte 23, element [3,5], holds 0x19, "
                      "the source has 0x18 at byte 23: u8[4,6]{0,1} -> u8[4,6]{1,0}",
                      lie("wrong_to_rows", "--shape", "u8[4,6]", "--to", "col"))
        self.write("in.bin", bytes(range(48)))
        self.assertIn("wrong_16_bits: byte 46, element [3,5], holds 0x2e2f, the source has 0x2f2e at byte 46",
                      lie("wrong_16_bits", "--shape", "u16[4,6]", "--to", "{0,1}"))
        # Of a large array the forward way is sampled; what came back tells of one byte, and whose it was is looked up.
        self.write("in.bin", bytes(range(256)) * 9216)
        self.assertIn("wrong_to_rows on the way back: byte 2359295, element [1535,1535], holds 0x00, "
                      "the source has 0xff", lie("wrong_to_rows", "--shape", "u8[1536,1536]", "--to", "{0,1}"))
        # The library's own verification is heard, too.
        message = self.run_json("relayout", "in.bin", "out.bin", "--shape", "u8[1536,1536]", "--to", "row", "--load",
                                PLUGINS / "wrong_to_rows.so", "--backend", "wrong_to_rows", exit=1,
                                env={"XLASHAPE_VERIFY": "10000000"})["error"]["message"]
        self.assertIn("verify: backend wrong_to_rows: destination byte 2359295, element [1535,1535], holds 0x00, "
                      "the source has 0xff at byte 2359295: u8[1536,1536]{1,0} -> u8[1536,1536]{1,0}", message)

    def test_verify_of_padding_and_samples(self):
        self.write("in.bin", bytes(3 << 20))
        answer = self.run_json("relayout", "in.bin", "out.bin", "--shape", "u8[3072,1024]", "--to", "col", "--verify")
        self.assertEqual((answer["positions"], answer["positions_checked"]), (3 << 20, 1 << 21))
        text = self.relayout("in.bin", "out.bin", "--shape", "u8[3072,1024]", "--to", "col", "--verify")
        self.assertIn("a sample of 2,097,152 of 3,145,728 positions checked through the index maps", text)
        self.write("in.bin", bytes(range(15)))
        answer = self.run_json("relayout", "in.bin", "out.bin", "--shape", "u4[3,5]{1,0:E(8)}", "--to",
                               "{0,1:T(2,2)E(4)}", "--verify")
        self.assertEqual((answer["verified"], answer["positions"], answer["positions_checked"]), (True, 24, 24))

    def test_verify_compares_values(self):
        preds = b"\2\1\0\3"
        for data, shape, to, result in (
                # A negative int4 as XLA and ml_dtypes have it in a byte, with its sign above it,
                # and with anything there.
                *((four, "s4[2]{0}", "{0:E(4)}", b"\x18") for four in (b"\x08\x01", b"\xf8\x01", b"\x38\xf1")),
                # Of a pred that a side packs the lowest bit is moved; between equal containers all of them.
                (preds, "pred[4]", "{0:E(1)}", b"\x0a"), (preds, "pred[4]", "{0:E(2)}", b"\x44"),
                (preds, "pred[4]", "{0:E(4)}", b"\x10\x10"), (preds, "pred[4]", "{0:E(16)}", b"\2\0\1\0\0\0\3\0"),
                (b"\x36", "pred[4]{0:E(2)}", "{0:E(4)}", b"\x10\x01"), (b"\x36", "pred[4]{0:E(2)}", "{0}", b"\0\1\1\0"),
                (b"\x36", "pred[4]{0:E(2)}", "{0:T(2)E(2)}", b"\x36"),
                (b"\x62\x13", "pred[4]{0:E(4)}", "{0:E(2)}", b"\x50"),
                *((random.Random(5).randbytes(size), shape, to, None) for size, shape, to in (
                    (8, "s2[8]", "{0:E(2)}"), (8, "s1[8]", "{0:E(1)}"), (8, "s4[8]", "{0:T(16)E(4)}"),
                    (4, "s2[8]{0:E(4)}", "{0:E(2)}"), (16, "s4[8]{0:E(16)}", "{0:E(4)}"),
                    (64, "f32[8]{0:E(64)}", "{0}"), (8, "u4[8]", "{0:E(32)}"),
                    (8, "f4e2m1fn[8]", "{0:E(4)}"), (8, "s4[8]", "{0}")))):
            with self.subTest((shape, to)):
                self.write("in.bin", data)
                self.relayout("in.bin", "out.bin", "--shape", shape, "--to", to, "--verify",
                                 env={"XLASHAPE_VERIFY": "100"})
                self.assertIn(result, (self.read("out.bin"), None))

    def test_errors(self):
        self.write("in.npy", files.npy("<f4", (6, 7), self.DATA))
        before = sorted(os.listdir(self.folder))
        for code, words in (
                (1, "missing.npy out.npy --to row"), (1, "in.npy no/such/folder/out.npy --to row"),
                (1, ". out.npy --to row"), (1, "in.npy out.npy --to {0}"), (1, "in.npy out.npy --to {1,0:T(}"),
                (1, "in.npy out.npy --to {1,0:T(99999999999,99999999999)}"),
                (1, "in.npy out.npy --to {1,0:T(1000000,1000000)}"),
                (1, "in.npy out.npy --to row --shape f32[6,8]"), (1, "in.npy out.npy --to row --shape (f32[6,7])"),
                (1, "in.npy out.npy --to row --backend no_such_backend"),
                (1, "in.npy out.npy --to row --load no_such_file.so"),
                (1, "in.npy out.npy --to sideways"), (2, "in.npy out.npy"), (2, "in.npy"),
                (2, "in.npy out.npy --to row --threads 0"), (2, "in.npy out.npy --to row --fill maybe"),
                (2, "in.npy out.npy --to row --unknown"), (2, "in.npy out.npy --to row --shape f32[6,7] --dtype u32"),
                (3, "in.npy out.bin --to {1,0:E(8)}"), (3, "in.npy out.npy --to row --shape f32[?,7]")):
            with self.subTest(words):
                self.relayout(*words.split(), exit=code)
                self.assertNotEqual(self.err, "")
                self.assertEqual(sorted(os.listdir(self.folder)), before)
        answer = self.run_json("relayout", "missing.npy", "out.npy", "--to", "row", exit=1)
        self.assertIn("missing.npy", answer["error"]["message"])
        # What is there stays when something goes wrong.
        self.write("out.bin", b"precious")
        self.relayout("in.npy", "out.bin", "--to", "{1,0:E(8)}", exit=3)
        self.assertEqual(self.read("out.bin"), b"precious")

    def test_links_and_pipes(self):
        self.write("in.npy", files.npy("<f4", (6, 7), self.DATA))
        os.symlink("in.npy", self.folder / "link.npy")
        self.relayout("link.npy", "out.npy", "--to", "row")
        os.symlink("target.npy", self.folder / "out-link.npy")
        self.write("target.npy", b"")
        self.relayout("link.npy", "out-link.npy", "--to", "row")
        self.assertTrue((self.folder / "out-link.npy").is_symlink())
        self.assertEqual(self.read("target.npy"), self.read("out.npy"))
        self.relayout("/dev/stdin", "out2.npy", "--to", "row", stdin=self.read("in.npy"))
        self.assertEqual(self.read("out.npy"), self.read("out2.npy"))

    def test_streams_that_do_not_end(self):
        # With what tells how much there is: one byte more is an error, at once, whoever holds the pipe open.
        shaped = ("--shape", "f32[2,3]")
        # What reads on and on shall meet this limit and not the machine's.
        # Some builds take more address space than that.
        bounded = 'ulimit -v 4000000; "$@"'
        version = subprocess.run(["sh", "-c", bounded, "sh", self.command, "--version"], capture_output=True)
        if b"xlashape" not in version.stdout:
            bounded = '"$@"'
        for words, told in [
            (("/dev/zero", *shaped), "/dev/zero: goes on after 24 bytes, and f32[2,3]{1,0} has no more"),
            (("/dev/zero", *shaped, "--from", "{0,1:PD(3,4)}"),
             "goes on after 48 bytes, and f32[2,3]{0,1:PD(3,4)} has"),
            (("/dev/zero", "--shape", "u8[0]"), "goes on after 0 bytes"),
            (("/dev/zero",), "say what they are with --shape"),
            (("/dev/zero:a",), "is no .npz file"),
        ]:
            self.run_shell(bounded, "relayout", *words[:1], "out.bin", "--to", "col", *words[1:], exit=1,
                           limit=20)
            self.assertIn(told, self.err)
        held = 'mkfifo pipe; sleep 30 > pipe & ended=$!; {} > pipe & "$@"; rc=$?; kill $ended; rm pipe; exit $rc'
        for send, told in [("head -c 25 /dev/zero", "goes on after 24 bytes"),
                           ("printf PPPP%40s x", "goes on after 24 bytes")]:
            self.run_shell(held.format(send), "relayout", "pipe", "out.bin", "--to", "col", *shaped, exit=1, limit=20)
            self.assertIn(told, self.err)
        # A header says how much there is, too.
        for data, told in [(files.npy("<f4", (6, 7), self.DATA),
                            "goes on after 296 bytes, and its header promises no more"),
                           (b"\x93NUMPY rubbish", "bad .npy header|version")]:
            self.write("in", data)
            self.run_shell(f"cat in /dev/zero | ({bounded})", "relayout", "-", "out.npy", "--to", "row",
                           exit=1, limit=20)
            self.assertRegex(self.err, told)
        self.assertEqual(os.listdir(self.folder), ["in"])
        # What ends is read as before, through a link to a pipe too.
        self.assertEqual(self.run_shell('head -c 24 /dev/zero | "$@"', "relayout", "-", "-", "--to", "col", *shaped),
                         bytes(24))
        self.write("in", files.npz({"a": files.npy("|u1", (3,), b"PK\3")}))
        linked = self.run_shell('mkfifo pipe; ln -s pipe link; cat in > pipe & "$@"', "relayout", "link", "-", "--to",
                                "row", limit=20)
        self.assertEqual(linked[-3:], b"PK\3")
        piped = self.run_shell('printf "PK\003" | "$@"', "relayout", "-", "-", "--to", "row", "--shape", "u8[3]")
        self.assertEqual(piped, b"PK\3")


class Places(Case):
    """--offset and --bytes: an array somewhere in a file, whatever the file is."""

    DATA = bytes(range(12))
    WORDS = ("--to", "col", "--shape", "u8[3,4]")
    MOVED = bytes(y * 4 + x for x in range(4) for y in range(3))

    def moved(self, *words, **options):
        self.run_command("relayout", "in", "out.bin", *self.WORDS, *words, **options)
        return self.read("out.bin")

    def test_headers_and_tails(self):
        for offset, tail, words in ((352, 0, ["--offset", 352]), (0, 0, ["--offset", 0]), (0, 0, ["--bytes", 12]),
                                    (7, 5, ["--offset", 7, "--bytes", 12]), (0, 5, ["--bytes=12"]),
                                    (10, 0, ["--offset", "0010"])):  # not octal
            with self.subTest((offset, tail)):
                self.write("in", b"h" * offset + self.DATA + b"t" * tail)
                self.assertEqual(self.moved(*words), self.MOVED)
                piped = self.run_shell('cat in | "$@"', "relayout", "-", "-", *self.WORDS, *words)
                self.assertEqual(piped, self.MOVED)
        self.run_command("picture", "in", "out.png", "--shape", "u8[3,4]", "--offset", 10)
        self.assertEqual(self.read("out.png")[:4], b"\x89PNG")

    def test_whatever_the_file_is(self):
        """Without --offset the header of a .npy is not the array's; with it every byte is the file's."""
        self.write("in", files.npy("|i1", (12,), self.DATA))
        self.assertEqual(self.moved(), self.MOVED)
        self.assertEqual(self.moved("--offset", 128), self.MOVED)
        self.moved("--offset", 0, exit=1)
        self.assertIn("in: goes on after byte 12, where u8[3,4]{1,0} ends: give --bytes 12 if", self.err)
        self.assertEqual(self.moved("--offset", 0, "--bytes", 12)[0], 0x93)
        for head in (b"PK\3\4", b"\x89PNG\r\n\x1a\n"):
            self.write("in", head + self.DATA)
            self.assertEqual(self.moved("--offset", len(head)), self.MOVED)
        self.run_command("relayout", "in", "in2", *self.WORDS, "--offset", len(head))
        self.assertEqual(self.run_json("relayout", "in2", "out.bin", "--to", "row", "--shape", "u8[4,3]{0,1}",
                                       "--offset", 0)["src_shape"], "u8[4,3]{0,1}")

    def test_errors(self):
        self.write("in", self.DATA + b"tail")
        for words, exit, told in (
                (["--offset", 0], 1, "goes on after byte 12"),
                (["--offset", 5], 1, "from byte 5 on u8[3,4]{1,0} has 12 bytes, and so ends at byte 17: the file has "
                 "16 bytes"),
                (["--offset", 1 << 60], 1, "the file has 16 bytes"),
                (["--offset", 5, "--bytes", 12], 1, "the file has 16 bytes"),
                (["--bytes", 13], 1, "--bytes: u8[3,4]{1,0} has 12 bytes, not 13: give another --shape, or --bytes 12"),
                *(([f"--offset={text}"], 2, f"{text} is not a number of bytes")
                  for text in ("-1", "4K", "0x10", "1e3", "9223372036854775807", "1" * 30))):
            with self.subTest(words):
                self.run_command("relayout", "in", "out.bin", *self.WORDS, *words, exit=exit)
                self.assertIn(told, self.err)
                if exit == 1:
                    self.run_shell('cat in | "$@"', "relayout", "-", "out.bin", *self.WORDS, *words, exit=exit)
        self.run_command("relayout", "in", "out.bin", "--to", "row", "--offset", 3, exit=2)
        self.assertIn("say what they are with --shape", self.err)
        # A pipe that somebody holds open is read up to the end of the array, and one byte more.
        held = 'mkfifo pipe; (cat in; sleep 30) > pipe & ended=$!; "$@" < pipe; rc=$?; kill $ended; rm pipe; exit $rc'
        for words, exit in ((["--bytes", 12], 0), ([], 1), (["--offset", 0], 1)):
            self.run_shell(held, "relayout", "-", "out.bin", *self.WORDS, *words, exit=exit, limit=20)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in", "out.bin", "out.bin.json"])


class Safetensors(Case):
    DATA = random.Random(7).randbytes(48)
    DTYPES = [("BOOL", 8, "pred"), ("U8", 8, "u8"), ("I8", 8, "s8"), ("I16", 16, "s16"), ("U16", 16, "u16"),
              ("F16", 16, "f16"), ("BF16", 16, "bf16"), ("I32", 32, "s32"), ("U32", 32, "u32"), ("F32", 32, "f32"),
              ("F64", 64, "f64"), ("I64", 64, "s64"), ("U64", 64, "u64"), ("C64", 64, "c64"), ("F4", 4, "f4e2m1fn"),
              ("F8_E4M3", 8, "f8e4m3fn"), ("F8_E5M2", 8, "f8e5m2"), ("F8_E8M0", 8, "f8e8m0fnu"),
              ("F8_E4M3FNUZ", 8, "f8e4m3fnuz"), ("F8_E5M2FNUZ", 8, "f8e5m2fnuz")]

    def test_types(self):
        members = {dtype: (dtype, [2, 3], self.DATA[: 6 * bits // 8]) for dtype, bits, _ in self.DTYPES}
        self.write("in.safetensors", files.safetensors(members, {"format": "pt"}))
        for dtype, bits, name in self.DTYPES:
            with self.subTest(dtype):
                answer = self.run_json("relayout", f"in.safetensors:{dtype}", "out.bin", "--to", "{0,1}", "--verify")
                packed = ":E(4)" if bits == 4 else ""
                self.assertEqual((answer["src_shape"], answer["src_bytes"]),
                                 (f"{name}[2,3]{{1,0{packed}}}", 6 * bits // 8))
                if bits > 4:
                    self.assertEqual(self.read("out.bin"), transposed(members[dtype][2], bits // 8, 2, 3))
        # The first element is in the lower half of a byte.
        self.write("f4.safetensors", files.safetensors({"x": ("F4", [4], b"\x21\x43")}))
        self.run_command("relayout", "f4.safetensors", "out.bin", "--to", "{0:E(8)}")
        self.assertEqual(self.read("out.bin"), b"\1\2\3\4")

    def test_names(self):
        one = files.safetensors({"w:0/kernel": ("F32", [3, 4], self.DATA)})
        self.write("one.safetensors", one)
        self.write("two.safetensors", files.safetensors({"a": ("U8", [2], b"12"), "b": ("U8", [], b"3"),
                                                         "c": ("F32", [0, 7], b"")}))
        os.symlink("one.safetensors", self.folder / "link.SafeTensors")
        for source in ("one.safetensors", "one.safetensors:w:0/kernel", "link.SafeTensors"):
            self.run_command("relayout", source, "out.npy", "--to", "row")
            self.assertEqual(files.parse_npy(self.read("out.npy")), ("<f4", False, (3, 4), self.DATA))
        self.check_rows(
            ("relayout two.safetensors out.npy --to row", 1,
             r"two\.safetensors: say which member, as two\.safetensors:NAME; it holds a, b, c$"),
            ("relayout two.safetensors:d out.npy --to row", 1, r'no member "d"; it holds a, b, c$'),
            ("relayout one.safetensors:w out.npy --to row", 1, r'no member "w"; it holds w:0/kernel$'),
            ("relayout no.safetensors:w out.npy --to row", 1, "cannot open"),
            ("relayout two.safetensors:b out.npy --to row --verify", 0),
            ("relayout two.safetensors:c out.npy --to col --verify", 0, r"f32\[0,7\]"),
            ("picture two.safetensors:a out.png", 0),
            ("relayout two.safetensors:a out.npy --to row --offset 3 --shape u8[2]", 2, "member of one"),
            ("relayout one.safetensors out.npy --to row --dtype u32 --from col", 0, r"u32\[3,4\]\{0,1\}"),
            ("relayout one.safetensors out.npy --to row --shape u16[24]", 0, r"u16\[24\]"))
        # Only the header and the member are read: what it has beside them is not there.
        size = 1 << 40
        told = {"a": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]},
                "b": {"dtype": "U8", "shape": [3], "data_offsets": [size, size + 3]}}
        text = json.dumps(told).encode()
        with open(self.folder / "huge.safetensors", "wb") as huge:
            huge.write(struct.pack("<Q", len(text)) + text)
            try:
                huge.truncate(8 + len(text) + size)
            except OSError:
                return
            huge.seek(0, 2)
            huge.write(b"xyz")
        self.run_command("relayout", "huge.safetensors:b", "out.bin", "--to", "row")
        self.assertEqual(self.read("out.bin"), b"xyz")
        self.run_command("relayout", "huge.safetensors:a", "out.bin", "--to", "row", exit=1)

    def made(self, source, out, *words, **options):
        """What a .safetensors file has that the words make."""
        self.run_command("relayout", source, out, *words, **options)
        return files.parse_safetensors(self.read(out.partition(":")[0]))

    def test_written(self):
        for dtype, bits, name in self.DTYPES:
            with self.subTest(dtype):
                data = self.DATA[: 6 * bits // 8]
                self.write("in.safetensors", files.safetensors({"x:y": (dtype, [2, 3], data)}, {"format": "pt"}))
                found = self.made("in.safetensors", "out.safetensors", "--to", "row", "--verify")
                self.assertEqual(found, ({"x:y": (dtype, [2, 3], data)}, {}))
                self.assertEqual(self.err, "")
                # Another layout is bytes, and said in the metadata, by which it is read again.
                packed = ":E(4)" if bits == 4 else ""
                for to in ("{0,1%s}" % packed, "{1,0:T(2,4)%s}" % packed[1:]):
                    shape = f"{name}[2,3]{to}"
                    found, metadata = self.made("in.safetensors:x:y", "tiled.safetensors:n", "--to", to)
                    self.assertEqual((metadata, found["n"][0]), ({"xlashape.n": shape}, "U8"))
                    self.assertIn('"n" is U8 there, with its shape in __metadata__', self.err)
                    self.run_command("relayout", "in.safetensors", "out.bin", "--to", to)
                    self.assertEqual(found["n"][1:], ([len(self.read("out.bin"))], self.read("out.bin")))
                    answer = self.run_json("relayout", "tiled.safetensors", "back.safetensors:x:y", "--to", "row",
                                           "--verify")
                    self.assertEqual((answer["src_shape"], answer["out"]), (shape, "back.safetensors:x:y"))
                    self.assertEqual(files.parse_safetensors(self.read("back.safetensors")),
                                     ({"x:y": (dtype, [2, 3], data)}, {}))
        # What the format has no type for, or no place.
        for shape, told in (("s4[6]", "s4[6]{0}"), ("c128[3]", "c128[3]{0}"), ("f4e2m1fn[48]", "f4e2m1fn[48]{0}"),
                            ("f4e2m1fn[3,31]{1,0:E(4)}", "f4e2m1fn[3,31]{1,0:E(4)}")):
            size = {"s4[6]": 6, "f4e2m1fn[3,31]{1,0:E(4)}": 47}.get(shape, 48)
            self.write("in.bin", self.DATA[:size])
            found = self.made("in.bin", "out.safetensors:x", "--shape", shape, "--to",
                              "{1,0:E(4)}" if "E(4)" in shape else "{0}")
            self.assertEqual((found[1], found[0]["x"][:2]), ({"xlashape.x": told}, ("U8", [size])))

    def test_names_written(self):
        self.write("in.npy", files.npy("<f4", (3, 4), self.DATA))
        self.write("in.npz", files.npz({"w": files.npy("<f4", (3, 4), self.DATA)}))
        for out in ("o.safetensors", "o.safetensors:"):
            self.run_command("relayout", "in.npy", out, "--to", "row", exit=2)
            self.assertIn("say what the array is called in it, as o.safetensors:NAME", self.err)
        for name in ("__metadata__", os.fsdecode(b"\xff")):
            self.run_command("relayout", "in.npy", f"o.safetensors:{name}", "--to", "row", exit=1)
            self.assertIn("give another name", self.err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "in.npz"])
        for source, out, name in (("in.npy", "o.SafeTensors:a.b/c", "a.b/c"), ("in.npz:w", "o.safetensors", "w"),
                                  ("in.npy", "o.safetensors:\N{GREEK SMALL LETTER ALPHA}\"\\", "\u03b1\"\\"),
                                  ("in.npz:w", "o.safetensors:w2", "w2")):
            (self.folder / out.partition(":")[0]).unlink(missing_ok=True)
            self.assertEqual(self.made(source, out, "--to", "row"), ({name: ("F32", [3, 4], self.DATA)}, {}))
        # It appears whole, in place of what was there, without a sidecar; from itself, too.
        self.write("o.safetensors.json", b'{"xlashape": 1, "shape": "u8[1]", "bytes": 1, "data": "o.safetensors"}')
        os.chmod(self.folder / "o.safetensors", 0o600)
        self.made("o.safetensors", "o.safetensors", "--to", "col")
        self.assertEqual(os.stat(self.folder / "o.safetensors").st_mode & 0o777, 0o600)
        found, metadata = self.made("o.safetensors", "o.safetensors", "--to", "row", "--verify")
        self.assertEqual((found, metadata), ({"w2": ("F32", [3, 4], self.DATA)}, {}))
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.npy", "in.npz", "o.SafeTensors", "o.safetensors"])
        # --fill preserve keeps what is between the elements there.
        self.write("in.bin", bytes(48))
        self.made("in.bin", "p.safetensors:x", "--shape", "u8[48]", "--to", "{0:PD(50)PV(one)}")
        before = self.read("p.safetensors")
        self.made("in.bin", "p.safetensors:x", "--shape", "u8[48]", "--to", "{0:PD(50)}", "--fill", "preserve")
        self.assertEqual(self.read("p.safetensors")[-50:], before[-50:])

    def test_shapes_in_metadata(self):
        for said, dtype, shape, why in (
                ("u8[5]", "U8", [4], '"xlashape.x" is u8[5]{0}, U8 of 5 bytes: the tensor is "x", U8 of [4]'),
                ("u8[4]", "F32", [1], '"x", F32 of [1]'), ("token[]", "U8", [4], "no array"),
                ("(u8[4])", "U8", [4], "no array"), ("nonsense", "U8", [4], "its entry in __metadata__"),
                ("u8[?]", "U8", [4], ""), ("u8[4]{0:T(" + "9" * 18 + ")}", "U8", [4], ""),
                ("u8[" + "1," * 5000 + "1]", "U8", [4], ""), ("", "U8", [4], "its entry"), ("\0", "U8", [4], "")):
            with self.subTest(said[:50]):
                self.write("in.safetensors", files.safetensors({"x": (dtype, shape, b"1234")}, {"xlashape.x": said}))
                self.run_command("relayout", "in.safetensors", "out.bin", "--to", "row", exit=None)
                self.assertIn("xlashape: in.safetensors:x", self.err)
                self.assertIn(why, self.err)
        self.assertEqual(os.listdir(self.folder), ["in.safetensors"])
        self.write("in.safetensors", files.safetensors({"x": ("U8", [2, 2], b"1234"), "y": ("U8", [4], b"1234")},
                                                       {"xlashape.x": "u8[4]{0:PD(4)}", "xlashape.z": "u8[9]"}))
        for name, shape in (("x", "u8[4]{0:PD(4)}"), ("y", "u8[4]{0}")):
            answer = self.run_json("relayout", f"in.safetensors:{name}", "out.bin", "--to", "row")
            self.assertEqual(answer["src_shape"], shape)

    def test_types_of_others(self):
        for dtype, size, why in (("F6_E2M3", 3, "elements of 6 bits"), ("F6_E3M2", 3, "elements of 6 bits"),
                                 ("X9\x1b[31m", 5, r'dtype "X9\x1b[31m" is unknown here')):
            self.write("in.safetensors", files.safetensors({"x": (dtype, [4], self.DATA[:size])}))
            self.run_command("relayout", "in.safetensors", "out.bin", "--to", "row", exit=1)
            self.assertIn(why, self.err)
            self.assertIn(f"say what its {size} bytes are with --shape", self.err)
            self.run_command("relayout", "in.safetensors", "out.bin", "--to", "row", "--shape", f"u8[{size}]")
            self.assertEqual(self.read("out.bin"), self.DATA[:size])

    def test_hostile_headers(self):
        def told(dtype='"U8"', shape="[4]", offsets="[0,4]", rest="", name="a"):
            return f'"{name}":{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}{rest}}}'

        rows = [
            ("", "no JSON"), ("{", "no JSON"), ("[]", "a list at it"), ("4", "the number 4 at it"), ("{}{", "no JSON"),
            ("[" * 100000, "a list at it"), ('{"a":' * 100000, '"a" has an unknown field "a"'),
            ('{"a":{"shape":{', 'an object at "a" of "shape"'), ('{"a":[[[[', 'a list at "a"'),
            ('{"__metadata__":{"a":{"b":1}}}', 'an object at "__metadata__" of "a"'),
            ('{"__metadata__":{"a":1}}', "the number 1"), ('{"__metadata__":[]}', "a list"),
            ('{"__metadata__":{"a":"1","a":"2"}}', '"__metadata__" has "a" twice'),
            ("{" + told() + "," + told() + "}", 'it has "a" twice'),
            ("{" + told(rest=',"dtype":"U8"') + "}", '"a" has "dtype" twice'),
            ("{" + told(rest=',"extra":"U8"') + "}", 'unknown field "extra"'),
            ('{"a":{"dtype":"U8","shape":[4]}}', "lacks dtype, shape or data_offsets"), ('{"a":{}}', "lacks"),
            ('{"a":null}', "null"), ("{}", "its tensors have 0 bytes, the file has 4 of data"),
            *(("{" + told(**{field: text}) + "}", why) for field, text, why in (
                ("dtype", "4", "the number 4"), ("dtype", "[4]", "a list"), ("dtype", "null", "null"),
                ("shape", "4", "the number 4"), ("shape", '["4"]', "a string"), ("shape", "[-4]", "the number -4"),
                ("shape", "[4.0]", "the number 4.0"), ("shape", "[1e30]", "the number 1e30"),
                ("shape", "[[4]]", "a list"), ("shape", "[true]", "true or false"), ("shape", "[{}]", "an object"),
                ("shape", "[99999999999999999999]", "the number 99999999999999999999"),
                ("shape", "[9223372036854775808]", "the number 9223372036854775808"),
                ("shape", "[4294967296,4294967296]", "more elements than fit 64 bits"),
                ("shape", "[" + "1," * 64 + "4]", "more than 64 numbers"),
                ("shape", "[3]", "are 4 bytes, it needs 3"), ("shape", "[]", "needs 1"),
                ("shape", "[0,4294967296,4294967296]", "needs 0"), ("dtype", '"F32"', "needs 16"),
                ("dtype", '"F4"', "needs 2"), ("offsets", "[0]", "two numbers"), ("offsets", "[0,4,4]", "two numbers"),
                ("offsets", "[4,0]", "not within the 4 bytes of data"), ("offsets", "[0,5]", "not within"),
                ("offsets", "[1,4]", "leave a gap"), ("offsets", "[0,9223372036854775807]", "not within"))),
            ("{" + told(dtype='"F4"', shape="[7]") + "}", "28 bits, which are no whole bytes"),
            ("{" + told(shape="[3]", offsets="[0,3]") + "," + told(shape="[2]", offsets="[2,4]", name="b") + "}",
             "overlap, the data before ends at 3"),
            ("{" + told() + "," + told(name="b") + "}", "overlap"),
            ("{" + told(shape="[2]", offsets="[0,2]") + "}", "its tensors have 2 bytes, the file has 4 of data"),
            ('{"\xff":1}', "no JSON at byte"), ('{"a\\u001b[31m":1}', "the number 1"),
        ]
        for text, why in rows:
            with self.subTest(text[:80]):
                self.write("in.safetensors", files.safetensors({}, header=text.encode("latin1")) + b"data")
                self.run_command("relayout", "in.safetensors:a", "out.bin", "--to", "row", exit=1)
                self.assertIn("in.safetensors: bad .safetensors header: ", self.err)
                self.assertIn(why, self.err)
                self.assertNotIn("\x1b", self.err)
        good = ("{" + told() + "}").encode()
        for length in (len(good) + 5, 100_000_000, 100_000_001, 2**63, 2**64 - 8):
            self.write("in.safetensors", files.safetensors({}, header=good, length=length) + b"data")
            self.run_command("relayout", "in.safetensors:a", "out.bin", "--to", "row", exit=1)
            self.assertRegex(self.err, f"{length} bytes long, (more than 100000000 are not read|the file ends after)")
        whole = files.safetensors({}, header=good) + b"data"
        self.write("in.safetensors", whole)
        self.run_command("relayout", "in.safetensors:a", "out.bin", "--to", "row")
        generator = random.Random(8)
        for length in range(0, len(whole), 3):
            self.write("in.safetensors", whole[:length])
            self.run_command("relayout", "in.safetensors:a", "out.bin", "--to", "row", exit=1)
        for _ in range(200):
            data = bytearray(whole)
            for _ in range(generator.randint(1, 4)):
                data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
            self.write("in.safetensors", bytes(data))
            self.run_command("relayout", "in.safetensors:a", "out.bin", "--to", "row", exit=None)


class Members(Case):
    """--members, and .npz that are written."""

    A, B, C, D = (random.Random(9 + i).randbytes(size) for i, size in enumerate((24, 10, 96, 5)))
    TENSORS = {"b": ("I16", [5], B), "l.0/w": ("F32", [2, 3, 4], C), "a:x": ("BF16", [3, 4], A), "odd": ("X9", [2], D)}

    def relayout(self, *words, **options):
        return self.run_command("relayout", *words, **options)

    def zip_of(self, name):
        """{name: bytes} of an archive, whose checksums Python has compared."""
        with zipfile.ZipFile(self.folder / name) as archive:
            self.assertIsNone(archive.testzip())
            return {info.filename: archive.read(info) for info in archive.infolist()}

    def test_some_of_them(self):
        whole = files.safetensors(self.TENSORS, {"format": "pt", "xlashape.gone": "x"})
        self.write("in.safetensors", whole)
        self.relayout("in.safetensors", "out.safetensors", "--members", "*[wx]", "--to", "col")
        columns = b"".join(self.C[4 * (x + 4 * y + 12 * z) :][:4] for x in range(4) for y in range(3) for z in range(2))
        moved = {"l.0/w": ("U8", [96], columns), "a:x": ("U8", [24], transposed(self.A, 2, 3, 4))}
        found, metadata = files.parse_safetensors(self.read("out.safetensors"))
        self.assertEqual(found, {**self.TENSORS, **moved})
        said = {"xlashape.l.0/w": "f32[2,3,4]{0,1,2}", "xlashape.a:x": "bf16[3,4]{0,1}"}
        self.assertEqual(metadata, {"format": "pt", "xlashape.gone": "x", **said})
        self.assertIn("out.safetensors: U8 with the shape in __metadata__: 2 members", self.err)
        # In place, and back again; those that are copied keep what is said of them.
        text = self.relayout("out.safetensors", "out.safetensors", "--members", "a*", "--to", "row", "--verify")
        self.assertRegex(text, "1 member moved, 3 copied\n"
                         r"  moved +24 B  a:x  bf16\[3,4\]\{0,1\} -> \{1,0\}\n  wrote ")
        self.assertIn("12 positions checked", text)
        found, metadata = files.parse_safetensors(self.read("out.safetensors"))
        self.assertEqual(found, {**self.TENSORS, "l.0/w": moved["l.0/w"]})
        self.assertEqual(metadata, {"format": "pt", "xlashape.gone": "x", "xlashape.l.0/w": said["xlashape.l.0/w"]})
        answer = self.run_json("relayout", "out.safetensors", "back.safetensors", "--members", "l*", "--to", "row")
        self.assertEqual(files.parse_safetensors(self.read("back.safetensors"))[0], self.TENSORS)
        self.assertIn({"name": "l.0/w", "moved": True, "rule": "l*", "src_shape": "f32[2,3,4]{0,1,2}",
                       "dst_shape": "f32[2,3,4]{2,1,0}", "result_shape": "f32[2,3,4]{2,1,0}"}, answer["members"])
        self.assertEqual([member["moved"] for member in answer["members"]].count(True), 1)
        self.assertEqual(answer["bytes"], len(self.read("back.safetensors")))
        # Wider elements come first, where they are aligned.
        found, _ = files.parse_safetensors(self.read("back.safetensors"))
        self.assertEqual(list(found), ["l.0/w", "b", "a:x", "odd"])

    def test_all_or_nothing(self):
        self.write("in.safetensors", files.safetensors(self.TENSORS))
        self.write("in.npz", files.npz({"m": files.npy("<f4", (2, 3), self.A), "v": files.npy("|u1", (5,), self.D)}))
        self.write("twice.npz", files.npz({"m": files.npy("|u1", (5,), self.D)}))
        with zipfile.ZipFile(self.folder / "twice.npz", "a") as archive:
            archive.writestr("m", b"text")
        self.write("short.npz", files.npz({"m": files.npy("|u1", (5,), self.D), "n": files.npy("|u1", (6,), self.D)}))
        self.write("huge.npz", files.npz({"m": files.npy("|u1", (1 << 60,), self.D)}))
        before = sorted(os.listdir(self.folder))
        for words, exit, why in (
                ("in.safetensors o.safetensors --to {1,0} --members *", 1,
                 "in.safetensors:b: --to: the layout's minor_to_major has 2 entries, the shape has rank 1"),
                ("in.safetensors o.safetensors --to row --members *", 1, 'in.safetensors:odd: dtype "X9" is unknown'),
                ("in.safetensors o.safetensors --to row --members q*", 1, 'no member "q*"; it holds b, l.0/w, a:x'),
                ("in.safetensors o.npz --to row --members b", 1, "in.safetensors:a:x: a .npz file holds row-major and "
                 "column-major arrays of NumPy's types and at most 32 dimensions, unlike bf16[3,4]{1,0}: name OUT"),
                ("in.npz o.npz --to {0:T(2)} --members v", 1, "in.npz:v: a .npz file holds row-major"),
                ("in.npz o.safetensors --to {0:E(4)} --members v", 3, "in.npz:v: "),
                ("in.npz o.safetensors --to {0:T(1000000,1000000000)} --members v", 1, "in.npz:v: "),
                ("in.npz o.npz --to row --members * --backend no", 1, "in.npz:m: "),
                ("in.npz o.npz --to row", 1, "in.npz: has 2 members: name one, as in.npz:NAME, or move those that "),
                ("in.safetensors o.safetensors --to row", 1, "--members '*' moves all"),
                ("in.safetensors o.npy --to row", 1, "say which member"),
                ("twice.npz o.npz --to row --members *", 1, 'twice.npz: has two members "m"'),
                ("short.npz o.npz --to row --members *", 1, "short.npz:n: its header promises 6 bytes"),
                ("huge.npz o.npz --to row --members *", 1, "huge.npz:m: "),
                *((f"{words} --to row --members *", 2, "without :NAME") for words in (
                    "in.npz o.bin", "in.npz o.npy", "in.npz:m o.npz", "in.npz o.npz:m", "in.bin o.npz")),
                ("in.npz o.npz --to row --members * --fill preserve", 2, "--fill preserve is of one array"),
                *((f"in.npz o.npz --to row --members * {more}", 2, "--members") for more in (
                    "--shape u8[5]", "--dtype u8", "--from row", "--offset 0", "--bytes 5", "--measure", "--wisdom w",
                    "--explain")),
                ("no.npz o.npz --to row --members *", 1, "cannot open")):
            with self.subTest(words):
                self.relayout(*words.split(), exit=exit)
                self.assertIn(why, self.err)
                self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_npz(self):
        """Python's zipfile judges, which compares checksums."""
        dates = files.npy("<M8[s]", (2, 3), self.C[:48])
        members = {"m": files.npy("<f4", (2, 3), self.A), "when": dates, "sub/v": files.npy("|u1", (5,), self.D)}
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("in.npz", files.npz(members, compression))
            self.relayout("in.npz", "out.npz", "--members", "[mw]*", "--to", "col", "--verify")
            found = self.zip_of("out.npz")
            self.assertEqual(list(found), ["m.npy", "when.npy", "sub/v.npy"])
            self.assertEqual(files.parse_npy(found["m.npy"]), ("<f4", True, (2, 3), transposed(self.A, 4, 2, 3)))
            self.assertEqual(files.parse_npy(found["when.npy"]),
                             ("<M8[s]", True, (2, 3), transposed(self.C[:48], 8, 2, 3)))
            self.assertEqual(found["sub/v.npy"], members["sub/v"])
            self.relayout("out.npz", "back.npz", "--members", "*", "--to", "row")
            self.assertEqual(self.zip_of("back.npz"), {name + ".npy": data for name, data in members.items()})
            # One alone, by its own name or another.
            self.relayout("in.npz:when", "one.npz", "--to", "row")
            self.assertEqual(self.zip_of("one.npz"), {"when.npy": dates})
            self.relayout("in.npz:m", "one.npz:\u03b1", "--to", "row")
            self.assertEqual(self.zip_of("one.npz"), {"when.npy": dates, "\u03b1.npy": members["m"]})
            self.relayout("in.npz:m", "two.npz:m.npy", "--to", "row")
            self.assertEqual(self.zip_of("two.npz"), {"m.npy": members["m"]})
            self.relayout("in.npz:m", "two.npz:" + os.fsdecode(b"\xff"), "--to", "row", exit=1)
            self.assertIn("must be UTF-8, unlike \\xff", self.err)
            self.relayout("one.npz:\u03b1", "three.NPZ", "--to", "row")
            self.assertEqual(self.zip_of("three.NPZ"), {"\u03b1.npy": members["m"]})
            for name in ("one.npz", "two.npz", "three.NPZ"):
                (self.folder / name).unlink()
        # What is no .npy file is copied, too.
        with zipfile.ZipFile(self.folder / "in.npz", "a") as archive:
            archive.writestr("notes.txt", b"text")
        self.relayout("in.npz", "out.npz", "--members", "m", "--to", "row")
        self.assertEqual(self.zip_of("out.npz")["notes.txt"], b"text")
        self.check_rows(("relayout in.npz out.npz --members * --to row", 1, "in.npz:notes.txt: bad .npy header"),
                        ("relayout in.npz out.safetensors --members m --to row", 1, "in.npz:notes.txt: bad"),
                        ("relayout in.npz:m out.npz:n --to {0,1:T(2,2)}", 1, r"out.npz:n: a .npy file is row-major"),
                        ("relayout in.npz:m out.npz:n --to {0,1:T(2,2)} --json", 1),
                        ("relayout in.npz:m out.npz:" + "n" * 70000 + " --to row", 1, "longer than a .npz file can"))
        self.assertEqual(self.zip_of("out.npz")["notes.txt"], b"text")

    def test_from_one_kind_to_the_other(self):
        self.write("in.npz", files.npz({"c": files.npy("<f4", (2, 3), self.A, True),
                                        "v": files.npy(">i2", (5,), self.B)}))
        self.relayout("in.npz", "out.safetensors", "--members", "v", "--to", "row")
        swapped = b"".join(self.B[i : i + 2][::-1] for i in range(0, 10, 2))
        self.assertEqual(files.parse_safetensors(self.read("out.safetensors")), (
            {"c": ("U8", [24], self.A), "v": ("I16", [5], swapped)}, {"xlashape.c": "f32[2,3]{0,1}"}))
        self.relayout("out.safetensors", "back.npz", "--members", "v", "--to", "row")
        found = {name: files.parse_npy(data) for name, data in self.zip_of("back.npz").items()}
        self.assertEqual(found, {"c.npy": ("<f4", True, (2, 3), self.A), "v.npy": ("<i2", False, (5,), swapped)})

    def test_many(self):
        count = 66000  # more than the fields of a zip can say
        tensors = {str(i): ("U8", [1], bytes([i % 251])) for i in range(count)}
        self.write("in.safetensors", files.safetensors(tensors))
        self.relayout("in.safetensors", "out.npz", "--members", "1*", "--to", "row")
        with zipfile.ZipFile(self.folder / "out.npz") as archive:
            self.assertEqual(len(archive.namelist()), count)
            for i in (0, 1, 40000, count - 1):
                self.assertEqual(files.parse_npy(archive.read(f"{i}.npy")), ("|u1", False, (1,), bytes([i % 251])))
        self.relayout("out.npz:65999", "one.npy", "--to", "row")
        self.assertEqual(files.parse_npy(self.read("one.npy"))[3], bytes([65999 % 251]))


class Hostile(Case):
    """No file crashes the command or makes it take memory without measure."""

    def refuse(self, name, data, *args, code=1):
        self.write(name, data)
        self.run_command("relayout", name, "out.bin", "--to", "row", *args, exit=code)
        self.assertNotEqual(self.err, "")

    def test_npy_headers(self):
        def header_of(descr="'<f4'", order="False", shape="(2,)", rest=""):
            return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}{rest}"

        shapes = ["2", "(-2,)", "(99999999999999999999,)", "(9999999999, 9999999999)", "(9223372036854775807,)",
                  "(1000000000000,)", "(3,)", "(1,)", "(" + "1," * 100 + ")"]
        types = ["'|O'", "'<f3'", "''", "'<'", "'<f'", "'<f-4'", "'<U4'", "'<M8[ns]'", "'|V99999999999999'", "'|V17'",
                 "[('a', '<f3')]", "'\x1b[31m'", "4"]
        for header in [
            "", "{", "{}", "[]", "{'descr': '<f4'}", "((((((((((" * 1000,
            *(header_of(shape=shape, rest="}") for shape in shapes),
            *(header_of(type_, rest="}") for type_ in types),
            header_of(), header_of(rest="} x"), header_of(order="1", rest="}"),
            header_of(rest=", 'extra': 1}"), header_of(rest=", 'descr': '<f4'}"),
        ]:
            with self.subTest(header[:80]):
                self.refuse("in.npy", files.npy(None, None, bytes(8), header=header))
                self.assertNotIn("\x1b", self.err)
        self.refuse("in.npy", files.npy(None, None, bytes(8), header=header_of("'\x1b[31m?'", rest="}")))
        self.assertIn('dtype "\\x1b[31m?" is none that is known', self.err)
        self.refuse("in.npy", files.npy(None, None, bytes(8), header=header_of("'|O'", rest="}")))
        self.assertIn("pickle", self.err)
        self.refuse("in.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + b" " * 100)
        self.refuse("in.npy", b"\x93NUMPY\x09\x00\x10\x00" + b" " * 100)
        self.refuse("in.npy", b"")
        # Python 2 on some platforms wrote longs.
        self.write("in.npy", files.npy(None, None, bytes(8), header=header_of(shape="(2L,)", rest="}")))
        self.run_command("relayout", "in.npy", "out.npy", "--to", "row")

    def test_truncated(self):
        whole = files.npy("<f4", (2,), bytes(8))
        for length in range(len(whole)):
            self.write("in.npy", whole[:length])
            if length % 7 == 0 or length < 16 or length > len(whole) - 9:
                self.run_command("relayout", "in.npy", "out.bin", "--to", "row", exit=1)
        for name, whole in [("in.npz", files.npz({"a": files.npy("|u1", (50,), bytes(50))})),
                            ("in.png", files.png(5, 7, 3, bytes(105)))]:
            for length in range(0, len(whole), 5):
                self.refuse(name, whole[:length])

    def test_lies(self):
        good = files.npz({"a": files.npy("|u1", (50,), bytes(50))})
        at = good.rindex(b"PK\x01\x02")  # in the directory:
        for offset, change in (*((24, struct.pack("<I", size)) for size in (1 << 31, 0xFFFFFFF0, 0)),  # unpacked size
                               (16, b"\0\0\0\0"), (8, b"\1\0"),  # checksum, encrypted
                               (42, b"\xf0\xff\xff\xff"), (28, b"\xff\xff"),  # place, name
                               (24, b"\xff\xff\xff\xff")):  # zip64 without its field
            self.refuse("in.npz", good[: at + offset] + change + good[at + offset + len(change) :])
        for height, width, channels, image in ((900000, 900000, 4, zlib.compress(b"")),
                                               (2**31 - 1, 2**31 - 1, 4, zlib.compress(b"")),
                                               (5, 7, 3, b"rubbish"), (5, 7, 3, zlib.compress(b"short")),
                                               (0, 7, 3, zlib.compress(b""))):
            self.refuse("in.png", files.png(height, width, channels, b"", image=image))

    def test_sidecars(self):
        good = {"xlashape": 1, "shape": "u8[5]{0}", "bytes": 5, "data": "in.bin"}
        self.write("in.bin", b"abcde")
        for change in [{"shape": "nonsense"}, {"shape": 5}, {"bytes": 6}, {"bytes": "5"}, {"bytes": -1},
                       {"bytes": 1e300}, {"shape": "u8[6]"}, {"shape": "token[]"}, {"xlashape": 2},
                       {"shape": "u8[99999999999999]"}]:
            with self.subTest(change):
                self.write("in.bin.json", json.dumps({**good, **change}).encode())
                self.run_command("relayout", "in.bin", "out.bin", "--to", "row", exit=1)
        for data in ("../in.bin", "/etc/passwd", "", "a\0b"):
            self.write("in.bin.json", json.dumps({**good, "data": data}).encode())
            self.run_command("relayout", "in.bin.json", "out.bin", "--to", "row", exit=1)
        # Of a key that is there twice nobody knows which is meant.
        for text in ('{"shape": "u8[4]", %s}', '{%s, "shape": "u8[5]{0}"}',
                     '{"old": {"a": 1, "shape": "", "shape": ""}, %s}'):
            self.write("in.bin.json", (text % json.dumps(good)[1:-1]).encode())
            self.run_command("relayout", "in.bin", "out.bin", "--to", "row", exit=1)
            self.assertIn("in.bin.json: a sidecar that has shape twice", self.err)
        self.write("in.bin.json", json.dumps({**good, "a": {"shape": 1}, "b": [{"c": 1}, {"c": 2}]}).encode())
        self.run_command("relayout", "in.bin", "out.bin", "--to", "row")
        self.write("in.bin.json", b"[" * 100000)
        self.run_command("relayout", "in.bin", "out.bin", "--to", "row", exit=1)
        self.write("in.bin.json", b'{"xlashape": ' + b'{"a": ' * 100000)
        self.run_command("relayout", "in.bin", "out.bin", "--to", "row", exit=1)

    def test_mutations(self):
        generator = random.Random(6)
        wholes = {"in.npy": files.npy("<f4", (6, 7), Relayout.DATA), "in.png": files.png(5, 7, 3, bytes(range(105))),
                  "in.npz": files.npz({"a": files.npy("|u1", (50,), bytes(50))})}
        for name, whole in wholes.items():
            for _ in range(120):
                data = bytearray(whole)
                for _ in range(generator.randint(1, 6)):
                    place = generator.randrange(len(data))
                    choice = generator.randrange(3)
                    if choice == 0:
                        data[place] = generator.randrange(256)
                    elif choice == 1:
                        data[place] ^= 1 << generator.randrange(8)
                    else:
                        del data[place : place + generator.randint(1, 9)]
                self.write(name, bytes(data))
                self.run_command("relayout", name, "out.bin", "--to", "row", exit=None)


class Replacing(Case):
    """Data and its sidecar change together or not at all, and nothing else is left or lost."""

    OLD, NEW = bytes(range(35)), bytes(range(100, 135))

    def setUp(self):
        super().setUp()
        self.write("in.bin", self.NEW)

    def old_pair(self):
        for name in os.listdir(self.folder):
            if name != "in.bin":
                (self.folder / name).unlink()
        self.write("old.bin", self.OLD)
        self.run_command("relayout", "old.bin", "e.bin", "--shape", "u8[5,7]", "--to", "{0,1}")
        (self.folder / "old.bin").unlink()

    def replace(self, *args, out="e.bin", exit=0, **env):
        words = ("relayout", "in.bin", out, "--shape", "u8[7,5]", *(args or ("--to", "{0,1}")))
        self.run_command(*words, exit=exit, env=env)

    def check_pair(self, *allowed):
        self.run_command("relayout", "e.bin", "back.npy", "--to", "row")
        self.assertIn(files.parse_npy(self.read("back.npy"))[2:], allowed)
        (self.folder / "back.npy").unlink()

    def names(self):
        return sorted(set(os.listdir(self.folder)) - {"in.bin"})

    def test_full_disk(self):
        self.old_pair()
        before = self.read("e.bin"), self.read("e.bin.json")
        self.write("large.bin", bytes(1 << 20))
        # A file that grows too large ends the process, as a signal does.
        words = ("relayout", "large.bin", "e.bin", "--shape", "u8[1048576]", "--to", "row")
        self.run_shell('ulimit -c 0; ulimit -f 100; "$@"; exit $?', *words, exit=153)
        self.assertEqual((self.read("e.bin"), self.read("e.bin.json")), before)
        self.run_shell('ulimit -c 0; ulimit -f 100; trap "" XFSZ; "$@"', *words, exit=1)
        self.assertIn("File too large", self.err)
        self.assertEqual((self.read("e.bin"), self.read("e.bin.json")), before)
        self.assertEqual(self.names(), ["e.bin", "e.bin.json", "large.bin"])

    def test_killed_between_steps(self):
        if INTERRUPTS is None:
            self.skipTest("nothing can be preloaded")
        old, new = ((5, 7), self.OLD), ((7, 5), self.NEW)
        for step in range(1, 5):
            self.old_pair()
            self.replace(exit=-9 if step < 4 else 0, INTERRUPT=f"rename {step} 9", LD_PRELOAD=INTERRUPTS)
            self.check_pair(old if step < 2 else new)
            self.assertEqual(self.names(), ["e.bin", "e.bin.json"], "no litter")
            # What was cut off is finished by the next one.
            if step < 3:
                self.assertIn("crc32", json.loads(self.read("e.bin.json")))
                self.replace(exit=-9, INTERRUPT="rename 1 9", LD_PRELOAD=INTERRUPTS)
                self.check_pair(old if step < 2 else new)
                self.replace()
                self.check_pair(new)
            self.assertEqual(json.loads(self.read("e.bin.json")),
                             {"xlashape": 1, "shape": "u8[7,5]{0,1}", "bytes": 35, "data": "e.bin"})
        # To data without a sidecar, from it, and where nothing was: what is there is never described wrongly.
        self.old_pair()
        (self.folder / "e.bin.json").unlink()
        self.replace(exit=-9, INTERRUPT="rename 1 9", LD_PRELOAD=INTERRUPTS)
        self.run_command("relayout", "e.bin", "back.npy", "--to", "row", exit=1)
        self.assertIn("--shape", self.err)
        self.old_pair()
        os.rename(self.folder / "e.bin", self.folder / "e.npy")
        self.write("e.npy.json", self.read("e.bin.json").replace(b"e.bin", b"e.npy"))
        for step in (1, 2):
            self.replace("--to", "row", out="e.npy", exit=-9, INTERRUPT=f"rename {step} 9", LD_PRELOAD=INTERRUPTS)
            self.run_command("relayout", "e.npy", "back.npy", "--to", "row")
            self.assertEqual(files.parse_npy(self.read("back.npy"))[2:], old if step < 2 else new)
        self.replace("--to", "row", out="e.npy")
        self.assertFalse((self.folder / "e.npy.json").exists())
        (self.folder / "e.npy").unlink()
        self.replace("--to", "{0,1:T(2,2)}", out="f.bin", exit=-9, INTERRUPT="rename 1 9", LD_PRELOAD=INTERRUPTS)
        self.run_command("relayout", "f.bin", "back.npy", "--to", "row", exit=1)

    def test_interrupted(self):
        if INTERRUPTS is None:
            self.skipTest("nothing can be preloaded")
        for named, signal, at in itertools.product(({}, {"NO_TMPFILE": "1"}), (2, 15), ("write 3", "rename 1")):
            with self.subTest((named, signal, at)):
                self.old_pair()
                before = self.read("e.bin"), self.read("e.bin.json")
                self.replace(exit=-signal, INTERRUPT=f"{at} {signal}", LD_PRELOAD=INTERRUPTS, **named)
                self.assertEqual(self.names(), ["e.bin", "e.bin.json"])
                if at == "rename 1":  # begun: it is finished first
                    self.check_pair(((7, 5), self.NEW))
                else:
                    self.assertEqual((self.read("e.bin"), self.read("e.bin.json")), before)
        self.old_pair()
        self.replace(NO_TMPFILE="1", LD_PRELOAD=INTERRUPTS)
        self.check_pair(((7, 5), self.NEW))
        self.assertEqual(self.names(), ["e.bin", "e.bin.json"])

    def test_what_is_in_the_way(self):
        for there in (b"{}", b"precious", b'{"xlashape": 1, "shape": "u8[1]", "bytes": 1, "data": "x"}'):
            self.write("e.bin.json", there)
            self.replace(exit=1)
            self.assertIn("e.bin.json", self.err)
            self.assertEqual((self.names(), self.read("e.bin.json")), (["e.bin.json"], there))
            self.replace("--to", "row", out="e.npy")
            (self.folder / "e.npy").unlink()
        self.old_pair()
        before = self.read("e.bin.json")
        self.replace(out="e.bin.json", exit=2)
        self.assertEqual(self.read("e.bin.json"), before)

    def test_modes_and_links(self):
        self.old_pair()
        os.chmod(self.folder / "e.bin", 0o600)
        os.mkdir(self.folder / "other")
        os.symlink("../e.bin", self.folder / "other/link.bin")
        self.replace(out="other/link.bin")
        self.assertEqual(os.stat(self.folder / "e.bin").st_mode & 0o777, 0o600)
        self.check_pair(((7, 5), self.NEW))
        os.symlink("nowhere", self.folder / "other/dangling.bin")
        self.replace(out="other/dangling.bin", exit=1)
        self.assertIn("leads nowhere", self.err)
        self.assertEqual(sorted(os.listdir(self.folder / "other")), ["dangling.bin", "link.bin"])
        self.replace(out="", exit=2)
        self.assertFalse((self.folder / ".json").exists())
        self.run_command("relayout", "other/link.bin", "back.npy", "--to", "row")
        self.assertEqual(files.parse_npy(self.read("back.npy"))[2:], ((7, 5), self.NEW))

    def test_streams(self):
        words = ("relayout", "in.bin", "/dev/stdout", "--shape", "u8[7,5]", "--to", "row")
        was = os.path.exists("/dev/stdout.json")
        self.assertEqual(self.run_shell('"$@"', *words), self.NEW)
        self.assertIn("wrote", self.err)
        self.run_shell('"$@" > out.bin', *words, "--json")
        self.assertEqual((self.read("out.bin"), self.names()), (self.NEW, ["out.bin"]))
        self.assertEqual(os.path.exists("/dev/stdout.json"), was)
        self.run_shell('"$@"', "relayout", "in.bin", "/dev/full", "--shape", "u8[7,5]", "--to", "row", exit=1)
        piped = 'cat in.bin | "$@"'
        self.assertEqual(self.run_shell(piped, "relayout", "-", "-", *words[3:]), self.NEW)
        self.run_shell(piped, "relayout", "-", "again.bin", *words[3:])
        self.assertEqual(self.read("again.bin"), self.NEW)
        self.assertEqual(self.run_shell(piped, "picture", "-", "-", "--shape", "u8[7,5]")[:8], b"\x89PNG\r\n\x1a\n")
        self.assertFalse((self.folder / "-").exists())

    def test_pictures(self):
        self.check_rows(("picture in.bin ./in.bin --shape u8[7,5]", 2, "OUT is IN"))
        self.assertEqual(self.read("in.bin"), self.NEW)
        self.old_pair()
        os.rename(self.folder / "e.bin", self.folder / "e.png")
        self.write("e.png.json", self.read("e.bin.json").replace(b"e.bin", b"e.png"))
        self.run_command("picture", "in.bin", "e.png", "--shape", "u8[7,5]")
        self.assertFalse((self.folder / "e.png.json").exists())

    def test_data_that_sidecars_may_not_name(self):
        self.old_pair()
        sidecar = self.read("e.bin.json")
        (self.folder / "e.bin").unlink()
        self.write("real.bin", bytes(35))
        os.symlink("real.bin", self.folder / "e.bin")
        self.run_command("relayout", "e.bin.json", "out.bin", "--to", "row", exit=1)
        self.assertIn("is a link", self.err)
        (self.folder / "e.bin").unlink()
        os.mkfifo(self.folder / "e.bin")
        self.run_shell('"$@"', "relayout", "e.bin.json", "out.bin", "--to", "row", exit=1, limit=20)
        self.assertIn("not an ordinary file", self.err)
        for bytes_ in ("18446744073709551615", "9223372036854775808", "-1"):
            self.write("e.bin.json", sidecar.replace(b": 35", f": {bytes_}".encode()))
            self.run_command("relayout", "e.bin.json", "out.bin", "--to", "row", exit=1)


class Streams(Case):
    """Standard streams that are closed or full, too little memory, too few threads: an exit code and never an abort."""

    def test_closed_and_full(self):
        for closed in ("2>&-", "2>/dev/full", "2>&- >&-", "2>&- >/dev/full", "<&- 2>&-"):
            self.run_shell(f'"$@" {closed}', "explain", "nonsense", exit=1)
            self.run_shell(f'"$@" {closed}', "explain", "--nonsense", exit=2)
        for words in (["--version"], ["--help"], ["explain", "f32[2]"], ["explain", "--json", *["f32[2,3]"] * 40],
                      ["index", "f32[2]", "--at", "1"], ["backends"], ["backends", "--json", "--report"]):
            self.run_shell('"$@" > /dev/full', *words, exit=1)
            self.assertIn("xlashape: standard output: No space left on device", self.err)
            self.run_shell('"$@" >&-', *words, exit=1)
            self.assertIn("xlashape: standard output: Bad file descriptor", self.err)
        for words in (["explain", "-"], ["index", "f32[2]"]):
            self.run_shell('"$@" <&-', *words, exit=1)
            self.run_shell('"$@" < .', *words, exit=1)
            self.assertIn("Is a directory", self.err)
            self.run_shell('"$@" < /dev/zero', *words, exit=1)

    def test_messages_stay_out_of_files(self):
        self.write("in.bin", bytes(35))
        words = ("relayout", "in.bin", "out.bin", "--shape", "u8[5,7]", "--to", "{0,1:T(2,2)}")
        self.run_shell('"$@" <&- >&- 2>&-', *words, exit=1)
        self.assertEqual(len(self.read("out.bin")), 48)
        json.loads(self.read("out.bin.json"))

    def test_answers_as_lines_come(self):
        out = self.run_command("index", "u8[9]", "--color=never", stdin=b"1\n" * 3 + b"x" * (2 << 20), exit=1)
        self.assertEqual(out.count("byte 1"), 3)
        self.assertTrue("longer than" in self.err)

    def test_few_threads(self):
        if b"xlashape" not in subprocess.run(["sh", "-c", f'ulimit -v 400000; "{self.command}" --version'],
                                             capture_output=True).stdout:
            self.skipTest("this build takes more address space than that")
        data = random.Random(5).randbytes(8 << 20)
        self.write("in.bin", data)
        words = ("relayout", "in.bin", "out.bin", "--shape", "u8[2048,4096]", "--to", "col", "--threads", 256)
        self.run_shell('ulimit -v 400000; "$@"', *words)
        self.assertRegex(self.err, r"the system gives \d+ of 256 threads")
        self.assertEqual(self.read("out.bin"), b"".join(data[x::4096] for x in range(4096)))
        self.write("in.bin", bytes(16))
        words = ("relayout", "in.bin", "out.bin", "--shape", "u8[4,4]", "--to", "col", "--threads", 4)
        # Where memory ends at once, too, nothing aborts: 127 is the loader's.
        for kib in (5000, 9000, 14000, 20000, 40000):
            for command in (["explain", "f32[2]"], ["explain", "x"], words, ["backends"]):
                bounded = f'ulimit -v {kib}; exec "$0" "$@"'
                done = subprocess.run(["sh", "-c", bounded, self.command, *map(str, command)],
                                      capture_output=True, cwd=self.folder)
                self.assertIn(done.returncode, (0, 1, 127), (kib, command, done.stderr))


class Names(Case):
    """Nothing that a file, a name or a text holds reaches a terminal as anything but characters."""

    # ESC, BEL, a line feed, DEL, C1 as a byte and as UTF-8, bidi and zero width controls, invalid UTF-8;
    # the last stays.
    EVIL = b"\x1b]0;e\x07\n\x7f\x9b\xc2\x9b\xe2\x80\xae\xe2\x80\x8b\xed\xa0\x80\xc0\xaf\xff\xc3\xa9"

    def look(self, *words, exit=None):
        for more in (["--color=always"], ["--json"]):
            lines = self.EVIL.replace(b"\n", b"") + b"\n"
            done = subprocess.run([self.command, *words, *more], input=lines, capture_output=True, cwd=self.folder,
                                  timeout=60)
            self.assertIn(done.returncode, (0, 1, 2, 3) if exit is None else (exit,), done.stderr)
            for out in (done.stdout, done.stderr):
                text = out.decode("utf-8")  # valid
                text = re.sub("\x1b\\[[0-9]*m", "", text) if more == ["--color=always"] else text
                self.assertNotIn("\\x1b[", text, "a colour of ours")
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]", words)
                for line in text.splitlines():
                    self.assertFalse(line.startswith("\\x7f"), "a line feed of theirs")
            if more == ["--json"] and done.stdout:
                json.loads(done.stdout)
                self.assertTrue(done.stdout.isascii())
        return done.stdout

    def test_every_subcommand(self):
        evil = self.EVIL
        name = evil + b".bin"
        (self.folder / os.fsdecode(name)).write_bytes(bytes(35))
        shape = [b"--shape", b"u8[5,7]"]
        move = [b"relayout", name, b"o", *shape, b"--to", b"row"]
        for words in [
            [evil], [b"--" + evil], [b"explain", evil], [b"explain", b"f32[2]{0:" + evil], [b"explain", b"-"],
            [b"explain", b"--" + evil], [b"explain", b"--color=" + evil, b"f32[2]"],
            [b"index", evil], [b"index", b"u8[9]"],
            [b"index", b"u8[9]", b"--at", evil], [b"index", b"u8[9]", b"--linear", evil],
            [b"index", b"u8[9,9]", b"--at", b"x=" + evil + b",y=1"], [b"index", b"u8[9,9]", b"--at", evil + b"=1,y=1"],
            [b"relayout", evil, b"o", b"--to", b"row"], [b"relayout", evil + b".npz:" + evil, b"o", b"--to", b"row"],
            [b"relayout", name, b"o", b"--to", b"row"], [b"relayout", name, b"o", *shape, b"--to", evil],
            [b"relayout", name, b"o", *shape, b"--to", b"{" + evil], [b"relayout", name, evil, *shape, b"--to", b"row"],
            [b"relayout", name, evil + b".npy", *shape, b"--to", b"row"],
            [b"relayout", name, evil + b".npy", *shape, b"--to", b"{0,1:T(2,2)}"],
            [b"relayout", name, b"no/" + evil, *shape, b"--to", b"row"],
            [b"relayout", name, b"o", b"--shape", evil, b"--to", b"row"],
            move, [*move, b"--backend", evil], [*move, b"--load", evil], [*move, b"--fill", evil],
            [*move, b"--threads", evil],
            [b"picture", name, evil + b".png", *shape], [b"picture", evil, b"o.png"],
            [b"picture", name, b"o.png", *shape, b"--tint", evil],
            [b"backends", b"--load", evil], [b"backends", b"--report", b"--load", name],
            [b"self-test", b"--backend", evil, b"--count", b"1"], [b"self-test", b"--load", evil, b"--count", b"1"],
            [b"self-test", b"--plugin", evil], [b"self-test", b"--plugin", name],
        ]:
            self.look(*words)
        self.look("explain", "(s8[2],s32[8388608,8,4]{2,1,0:T(8,128)})", "s32[8388608,8,4]{2,1,0:T(8,128)}", exit=0)
        self.look("index", "u8[3,5]{1,0:T(2,2)}", "--at", "1,1", "--linear", "9", exit=0)
        self.look(b"relayout", name, b"o.bin", *shape, b"--to", b"{0,1:T(2,2)}", b"--verify", b"--explain", exit=0)
        self.look(b"relayout", name, b"\xc3\xa9.bin", *shape, b"--to", b"row", exit=0)
        self.assertIn("\u00e9.bin", self.run_command("relayout", "\u00e9.bin", "o.bin", "--to", "row"))

    def test_inside_files(self):
        text = self.EVIL.decode("latin1")
        for sidecar in ({"data": text}, {"data": "d", "shape": text}, {"xlashape": text}):
            sidecar = {"xlashape": 1, "shape": "u8[5,7]", "bytes": 35, "data": "d", **sidecar}
            self.write("d", bytes(35))
            self.write("s.json", json.dumps(sidecar).encode())
            self.look(b"relayout", b"s.json", b"o.bin", b"--to", b"row")
        plain = files.npz({"a" * len(self.EVIL): files.npy("|u1", (3,), b"abc"), "b": files.npy("|u1", (3,), b"abc")})
        self.write("in.npz", plain.replace(b"a" * len(self.EVIL), self.EVIL))
        self.look(b"relayout", b"in.npz", b"o.bin", b"--to", b"row", exit=1)
        self.write("in.npy", files.npy("|u1" + text, (3,), b"abc",
            header="{'descr': '" + text + "', '" + text + "': 1}"))
        self.look(b"relayout", b"in.npy", b"o.bin", b"--to", b"row", exit=1)

    def test_backends_words(self):
        folder = self.folder / os.fsdecode(self.EVIL)
        folder.mkdir(mode=0o755)
        self.write(folder / "rubbish.so", b"rubbish")
        self.write(folder / "other.xlashape.toml", b'path = "' + self.EVIL + b'"\n')
        names = ["two_lines", "no_utf8"] if PLUGINS else []
        for name in names:
            self.write(folder / f"{name}.so", (PLUGINS / f"{name}.so").read_bytes())
        os.environ["XLASHAPE_BACKEND_PATH"] = str(folder)
        self.addCleanup(os.environ.pop, "XLASHAPE_BACKEND_PATH")
        for name in ("rubbish", "other", *names):
            self.look("relayout", "/dev/null", "o.npy", "--shape", "u8[0]", "--to", "row", "--backend", name)
        self.look("backends", "--report")
        for name in names:
            self.look("backends", "--report", "--load", folder / f"{name}.so")
        for name in names[:1]:
            self.look("self-test", "--count", "1", "--plugin", folder / f"{name}.so")


class Measuring(Case):
    """With a backend that has three ways to run a plan, and a profile of one line."""

    def setUp(self):
        super().setUp()
        if not PLUGINS:
            self.skipTest("there is no backend that measures")
        self.plugin = PLUGINS / "chooses.so"
        self.settings = {"XDG_CONFIG_HOME": str(self.folder / "settings"), "XLASHAPE_PROFILE": ""}

    def tune(self, *args, **options):
        return self.run_command("tune", "--load", self.plugin, "--seconds", "0.05", *args, **options)

    def test_tune_writes_where_the_library_looks(self):
        text = self.tune(env=self.settings)
        self.assertRegex(text, r"\nchooses\n  copy\.ns +12\n")
        file, = (self.folder / "settings/xlashape").iterdir()
        self.assertRegex(text, re.escape(f"\n{file}: used by programs that start from now on\n") + "$")
        profile = file.read_text()
        self.assertEqual(file.name, profile.splitlines()[1].removeprefix("processor ") + ".profile")
        self.assertIn("[chooses]\ncopy.ns = 12\n", profile)
        self.assertIn(f"{file}: used\n", self.run_command("backends", "--report", env=self.settings))
        self.assertIn(f"{file}: used where XLASHAPE_PROFILE names it\n",
                      self.tune(env=dict(self.settings, XLASHAPE_PROFILE=str(file))))
        before = file.stat().st_ino
        self.tune(env=self.settings)
        self.assertNotEqual(file.stat().st_ino, before, "it is replaced, not written into")
        self.assertEqual([each.name for each in file.parent.iterdir()], [file.name])

    def test_tune_lets_the_library_use_it(self):
        """Whatever the umask is; where it will not, that is said, with the reason."""
        tune = ["tune", "--load", self.plugin, "--seconds", "0.05"]
        place = self.folder / "settings"
        before = "export XDG_CONFIG_HOME=" + str(place) + " XLASHAPE_PROFILE=; umask 000; "
        self.run_shell(before + '"$@"', *tune)
        file, = (place / "xlashape").iterdir()
        self.assertEqual(file.stat().st_mode & 0o777, 0o644)
        self.assertIn(f"{file}: used\n", self.run_command("backends", "--report", env=self.settings))
        file.chmod(0o666)
        self.run_shell(before + '"$@"', *tune)
        self.assertEqual(file.stat().st_mode & 0o777, 0o644)
        answer = self.run_shell(before + '"$@"', *tune, "-o", "p")
        self.assertTrue(answer.decode().endswith(f"\n{self.folder}/p: used where XLASHAPE_PROFILE names it\n"), answer)
        self.assertEqual((self.folder / "p").stat().st_mode & 0o777, 0o644)
        place.chmod(0o777)
        self.assertEqual(self.tune(env=self.settings, exit=1), "")
        self.assertIn(f"{file}: written, but programs will not use it: {place} can be written by everybody; ", self.err)
        self.assertIn("chmod go-w", self.err)
        answer = self.tune("-o", "settings/p", env=self.settings)
        self.assertTrue(answer.endswith(f"\n{place}/p\n"), answer)
        self.assertIn(f"{place} can be written by everybody; ", self.err)
        # A place that cannot be looked at.
        (self.folder / "loop").symlink_to("loop")
        self.tune(env={"XDG_CONFIG_HOME": str(self.folder / "loop"), "XLASHAPE_PROFILE": ""}, exit=1)
        self.assertIn(f"xlashape: {self.folder}/loop", self.err)
        self.assertNotIn("filesystem error", self.err)

    def test_tune_elsewhere(self):
        answer = json.loads(self.tune("--json", "-o", "p", env=self.settings))
        self.assertEqual((answer["file"], answer["backends"]["chooses"]), ("p", {"copy.ns": 12}))
        profile = self.tune("-o", "-", env=self.settings)
        self.assertEqual(profile.splitlines()[:2], ["xlashape profile 1", "processor " + answer["processor"]])
        self.assertFalse((self.folder / "settings").exists())
        (self.folder / "p").chmod(0o644)
        path = str(self.folder / "p")
        self.assertIn(f"{path}: used\n", self.run_command("backends", "--report", env={"XLASHAPE_PROFILE": path}))
        for place in ("nowhere/p", "."):
            # Before anything is measured, for which this would be too long.
            self.run_shell('"$@"', "tune", "--load", self.plugin, "--seconds", 500, "-o", place, exit=1, limit=30)
            self.assertIn(place, self.err)
        self.tune("--threads", 2, "-o", "q", env=self.settings)

    def test_predictions(self):
        head = self.tune("-o", "-", env=self.settings).splitlines()[:2]
        path = self.folder / "p"
        (self.folder / "in.bin").write_bytes(bytes(1 << 20))
        args = ["relayout", "in.bin", "out.bin", "--shape", "u8[1024,1024]", "--to", "col", "--backend", "simd"]

        def predicted(lines):
            path.write_text("\n".join(head + ["[simd]", *lines]) + "\n")
            path.chmod(0o644)
            return self.run_json(*args, env={"XLASHAPE_PROFILE": str(path)})

        if "simd" not in self.run_command("backends", env={"XLASHAPE_PROFILE": "none"}):
            self.skipTest("there is no simd backend")
        speeds = ["ns.call = 1000", "ns_per_mib.squares_1.ordinary.1024k = 2000000"]
        slow = predicted(["stream_squares_bytes = 1152921504606846976", *speeds])
        self.assertAlmostEqual(slow["predicted_seconds"], 2.001e-3)
        text = self.run_command(*args, "--explain", env={"XLASHAPE_PROFILE": str(path)})
        self.assertRegex(text, r"predicted +2\.0\d* ms .*; measured ")
        self.assertRegex(text, r"predicted 1\.05 GB/s")
        for lines in [], ["share_bytes = 5"], ["ns.call = 0", speeds[1]], speeds[:1]:
            answer = predicted(lines)
            self.assertIsNone(answer["predicted_seconds"])
            self.assertIn("not predicted: ", answer["plan"])

    def test_tune_without_a_place(self):
        self.assertEqual(self.tune(env={"XLASHAPE_PROFILE": "none"}, exit=3), "")
        self.assertIn("there is no place for profiles here", self.err)
        self.assertIn("profile", self.run_command("backends", "--report", env={"XLASHAPE_PROFILE": "none"}))

    def relayout(self, *args, **options):
        return self.run_json("relayout", "in.bin", "out.bin", "--shape", "u8[20,30]", "--to", "col", "--load",
                             self.plugin, "--backend", "chooses", *args, **options)

    def test_relayout(self):
        self.write("in.bin", random.Random(1).randbytes(600))
        self.assertIsNone(self.relayout()["measured"])
        measured = self.relayout("--measure=0.2", "--wisdom", "w", "--verify")["measured"]
        self.assertRegex(measured["choice"], r"^way=[012]$")
        self.assertGreater(measured["ns"], 0)
        self.assertGreaterEqual(measured["default_ns"], measured["ns"])
        wisdom = self.read("w")
        self.assertRegex(wisdom.decode(),
                         r"^xlashape wisdom 1\nprocessor \S+\n[0-9a-f]{32} chooses \d+ \d+ way=[012]\n$")
        # Known, so it is not measured again; for other threads it is.
        self.assertIsNone(self.relayout("--measure", "--wisdom", "w")["measured"])
        self.assertEqual(self.read("w"), wisdom)
        self.assertIsNotNone(self.relayout("--measure=0.2", "--wisdom", "w", "--threads", 2)["measured"])
        self.assertEqual(len(self.read("w").splitlines()), len(wisdom.splitlines()) + 1)
        self.assertIsNotNone(self.relayout("--measure=0.2", "--fill", "preserve")["measured"])
        # A place that is none is said before anything is measured.
        self.run_shell('"$@"', "relayout", "in.bin", "out.bin", "--shape", "u8[20,30]", "--to", "col", "--load",
                       self.plugin, "--backend", "chooses", "--measure=500", "--wisdom", "nowhere/w", exit=1, limit=30)
        # No other kind of file is read, nor one without end; nothing waits for a pipe.
        os.mkfifo(self.folder / "pipe")
        with open(self.folder / "large", "wb") as large:
            large.truncate((32 << 20) + 1)
        for name, why in (("/dev/zero", "not an ordinary file"), ("/dev/full", "not an ordinary file"),
                          ("pipe", "not an ordinary file"), (".", "is a folder"),
                          ("large", "at most 33554432 are read")):
            self.run_shell('ulimit -v 3000000; "$@"', "relayout", "in.bin", "out.bin", "--shape", "u8[20,30]", "--to",
                           "col", "--wisdom", name, exit=1, limit=20)
            self.assertIn(why, self.err)
        self.write("w", b"junk\n")
        self.run_command("relayout", "in.bin", "out.bin", "--shape", "u8[20,30]", "--to", "col", "--wisdom", "w",
                         exit=1)
        self.assertIn("w: line 1: junk, where", self.err)
        for wrong in ("=0", "=-1", "=abc", "=1e9"):
            self.run_command("relayout", "in.bin", "out.bin", "--to", "col", "--measure" + wrong, exit=2)


    def test_wisdom_that_cannot_be_written(self):
        """What was moved is there all the same."""
        self.write("in.bin", random.Random(1).randbytes(600))
        self.relayout("--measure=0.2", "--wisdom", "w", "--threads", 2)
        (self.folder / "out.bin").unlink()
        self.run_shell('exec 3<w; rm w; "$@"', "relayout", "in.bin", "out.bin", "--shape", "u8[20,30]", "--to", "col",
                       "--load", self.plugin, "--backend", "chooses", "--measure=0.2", "--wisdom", "/proc/self/fd/3",
                       exit=1)
        self.assertRegex(self.err, "^xlashape: /proc/self/fd/3: .*; out.bin is written\n$")
        self.assertEqual(self.read("out.bin"), transposed(self.read("in.bin"), 1, 20, 30))

    def test_wisdom_of_several(self):
        """Commands that write one file at the same time: none loses what another wrote."""
        self.write("in.bin", bytes(5040))
        shapes = [f"u8[{rows},{5040 // rows}]" for rows in (2, 3, 4, 5, 6, 7, 8, 9)]

        def measure(shape):
            return [self.command, "relayout", "in.bin", f"{shape}.bin", "--shape", shape, "--to", "col", "--load",
                    self.plugin, "--backend", "chooses", "--measure=0.2", "--wisdom", "w", "--json"]

        for _ in range(3):
            (self.folder / "w").unlink(missing_ok=True)
            running = [subprocess.Popen(measure(shape), cwd=self.folder, stdout=subprocess.PIPE) for shape in shapes]
            answers = [json.loads(each.communicate(timeout=120)[0])["measured"] for each in running]
            self.assertEqual([each.returncode for each in running], [0] * len(shapes))
            measured = sorted("{ns} {default_ns} {choice}".format(**answer) for answer in answers if answer)
            self.assertGreater(len(measured), 1)
            entries = [line.split(" ", 2)[2] for line in self.read("w").decode().splitlines()[2:]]
            self.assertEqual(sorted(entries), measured)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".")], [])


class Picture(Case):
    def test_sizes_and_padding(self):
        self.write("in.png", files.png(20, 30, 3, random.Random(7).randbytes(1800)))
        self.run_command("relayout", "in.png", "tiles.bin", "--to", "{1,0,2:T(8,16)}")
        for words, answered in (
                (["in.png", "--scale", 1], {"bytes_per_line": 90, "padding_bytes": 0}),
                (["tiles.bin", "--scale", 1, "--columns", 1],
                 {"bytes_per_line": 16, "width": 2 * 16 + 1, "height": 3 * 3 * 9 - 1,
                  "padding_bytes": 3 * (24 * 32 - 20 * 30)}),
                (["tiles.bin", "--width", 10, "--columns", 1, "--scale", 1], {"width": 10, "height": -(-2304 // 10)}),
                (["tiles.bin", "--tint", "z"], {}), (["tiles.bin", "--tint", "none"], {})):
            answer = self.run_json("picture", words[0], "out.png", *words[1:])
            self.assertEqual({**answer, **answered}, answer)
            self.assertEqual(files.parse_png(self.read("out.png"))[:4], (answer["height"], answer["width"], 3, 8))
        self.run_command("picture", "tiles.bin", "out.png", "--tint", "7", exit=1)
        # Bytes in their order, as grays.
        self.write("in.npy", files.npy("|u1", (4, 100), bytes(i % 256 for i in range(400))))
        self.run_command("picture", "in.npy", "out.png", "--scale", 1, "--columns", 1)
        height, width, _, _, pixels = files.parse_png(self.read("out.png"))
        self.assertEqual((height, width, pixels[::3]), (4, 100, bytes(i % 256 for i in range(400))))
        for shape, size in [("s4[7,9]{1,0:E(4)}", 32), ("f32[3,5,7]", 420), ("c128[3]", 48), ("f32[]", 4),
                            ("u8[3,0]", 0)]:
            self.write("in.bin", bytes(size))
            self.run_command("picture", "in.bin", "out.png", "--shape", shape, exit=0 if size else 1)


class Others(Case):
    def test_command_lines(self):
        version = self.run_command("--version")
        self.assertRegex(version, r"^xlashape \d+\.\d+\.\d+ (.*\n)*compiler: \w+ \d(.*\n)*backends: scalar")
        self.check_rows(
            ("", 2), ("nope", 2, '"nope" is not a subcommand'), ("--nope", 2, '"--nope" is not known'),
            ("nope explain f32[2]", 2, '"nope" is not known'), ("explain --nope", 2, 'explain: "--nope" is not known'),
            ("explain --nope f32[2]", 2, 'explain: "--nope" is not known'),
            ("relayout a b c --to row", 2, 'relayout: "c" is not known'),
            ("relayout a b c", 2, 'relayout: "c" is not known'),
            ("explain", 2, "SHAPE-OR-FILE is required"), ("explain --color=blue --nope", 2, "blue"),
            ("explain f32[2] --color=blue", 2))
        for words in ("explain --nope f32[2]", "relayout", "self-test --count -1", "", "nope", "relayout a",
                      "explain f32[2] --color=blue"):
            error = self.run_json(*words.split(), exit=2)["error"]
            self.assertEqual((list(error), error["code"], error["offset"]),
                             (["code", "message", "offset"], "INVALID_ARGUMENT", None))
            self.assertIn(error["message"], self.err)
        for words in (["--json", "explain", "--nope"], ["explain", "--json", "--nope", "--", "f32[2]"]):
            self.assertIn("not known", json.loads(self.run_command(*words, exit=2))["error"]["message"])
        self.assertEqual(self.run_command("explain", "--nope", "--", "--json", exit=2), "")

    def test_backends(self):
        backends = self.run_json("backends")
        names = [backend["name"] for backend in backends]
        self.assertIn("scalar", names)
        # Those that nothing has needed so far: scalar.so beside the built-in one is always among them.
        self.assertIn("not loaded yet", [backend["state"] for backend in backends if backend["name"] == "scalar"])
        self.assertRegex(self.run_command("backends"), r"scalar +not loaded yet ")
        tried = self.run_json("backends", "--try")
        self.assertLessEqual({backend["state"] for backend in tried}, {"ready", "failed"})
        self.assertTrue(all(backend["detail"] for backend in tried if backend["state"] == "failed"))
        self.assertRegex(self.run_command("backends", "--try"), r"(?m)^scalar +ready +cpu ")
        self.assertIn("scalar", self.run_json("backends", "--report")["report"])
        self.run_command("backends", "--load", "missing.so", exit=1)
        # A folder that is refused is not only in the report.
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o777)
        for words in (["backends"], ["backends", "--report"]):
            lines = self.run_command(*words, env={"XLASHAPE_BACKEND_PATH": str(shared)}).splitlines()
            warnings = [line for line in lines if line.startswith("warning: folder ")]
            self.assertEqual(len(warnings), 1)
            self.assertIn(f"{shared} can be written by everybody; ", warnings[0])

    def test_self_test(self):
        # What the system does not map is not run, and no failure.
        text = self.run_command("self-test", "--backend", "scalar", "--count", 700, "--seed", 7)
        passed = int(re.search(r"(?m)^(\d+) passed, 0 failed$", text).group(1))
        self.assertEqual(passed + text.count("not run: case"), 700)
        self.assertRegex(text, r"(?m)^relayouts: \d+ small, \d+ large.*; [0-9.]+ s, at most \d+ MiB for one$")
        answer = self.run_json("self-test", "--backend", "scalar", "--count", 300)
        self.assertEqual((answer["passed"] + len(answer["not_run"]), answer["failed"]), (300, 0))
        self.assertEqual(answer["kinds"]["small"] + answer["kinds"]["large"] + answer["kinds"]["sparse"],
                         answer["passed"])
        self.assertRegex(self.run_command("self-test", "--count", 100), r"(?m)^100 passed, 0 failed$")
        stopped = self.run_json("self-test", "--backend", "scalar", "--count", 1000000, "--seconds", 1)
        self.assertGreater(stopped["not_reached"], 0)
        self.assertEqual(stopped["failed"], 0)
        self.run_command("self-test", "--backend", "no_such_backend", exit=1)
        for seed in ("18446744073709551616", "-1", "1x"):
            self.run_command("self-test", "--count", 1, f"--seed={seed}", exit=2)
        self.assertEqual(self.run_json("self-test", "--count", 1, "--seed", 2**64 - 1)["seed"], 2**64 - 1)

    def test_degenerate_shapes(self):
        """No rank, no elements, one element, tiles of 1: each subcommand ends with an answer or a message."""
        tiles = ("", ":T(1)", ":T(1)(1,1)", ":T(1,1)(1,1,1)", ":T(1)(1)(1,1)", ":T(8,128)", ":T(8,128)(2,1)", ":T(*,1)",
                 ":T(1)L(4)", ":E(16)T(1)(1,1)", ":T()", ":PD(1)", ":T(1)(1,1)S(1)")
        shapes = [f"{kind}[{','.join(dims)}]{{{','.join(str(i) for i in reversed(range(len(dims))))}{tile}}}"
                  for dims in ("", "0", "1", "11", "01", "30", "1111") for tile in tiles
                  for kind in (("f32", "s4") if tile in tiles[2:4] else ("u8",))]
        self.write("texts", "\n".join(shapes).encode())
        for words in ("explain - --json", "explain - --target=tpu:v5e", "layout-for tpu:v5e,cpu -"):
            self.run_shell(f"cat texts | \"$@\" {words}; test $? -le 3")
        answers = self.run_json("explain", "-", stdin=self.read("texts"), exit=None)
        self.assertEqual(len(answers), len(shapes))
        lines = [f"  %a{i} = {shape} parameter({i})\n  %b{i} = {shape.replace(':T(1)(1,1)', '')} copy(%a{i})"
                 for i, shape in enumerate(shapes)]
        dump = "HloModule m\n\nENTRY %m () -> f32[] {\n" + "\n".join(lines) + "\n}\n"
        for args in (["--json"], ["--all", "--target=tpu:v5e"], ["--html", "page.html"]):
            self.run_command("scan", "-", *args, stdin=dump.encode())
        told = []
        for shape, answer in zip(shapes, answers):
            with self.subTest(shape):
                self.run_command("draw", shape, "--json", exit=None)
                if "error" in answer:
                    continue
                told.append(shape)
                index = ",".join("0" for _ in answer["dimensions"])
                self.run_command("index", shape, "--linear", 0, "--at", index or "0", exit=None)
                self.run_command("draw", shape, "{" + index + "}", "--as=svg", exit=None)
                self.write("in.bin", bytes(answer["bytes"]))
                self.run_command("relayout", "in.bin", "out.bin", "--shape", shape, "--to", "row", "--verify",
                                 exit=None)
                self.run_command("picture", "in.bin", "out.png", "--shape", shape, exit=None)
        self.assertGreater(len(told), len(shapes) // 2)

    def test_nobody_reads(self):
        """A pipe whose reader has gone ends the command without a word, as it ends others."""
        for words in ("explain -", "explain - --json", "layout-for tpu:v5e -", "index u8[9] --color=never",
                      "draw f32[64,64] --as=html", "completion bash", "--help", "backends --report", "scan - --json"):
            line = "3\n" if "index" in words else "f32[2]\n"
            self.write("in", b"HloModule m\nENTRY e {\n  p = f32[2] parameter(0)\n}\n" if "scan" in words
                       else line.encode() * 20000)
            for ignores in ("", "trap '' PIPE; "):
                self.run_shell(f"{ignores}\"$@\" {words} <in | head -c 1 >/dev/null", exit=0)
                self.assertEqual(self.err, "", words)


def main():
    global PLUGINS, INTERRUPTS
    if len(sys.argv) > 2 and os.path.isdir(sys.argv[2]):
        PLUGINS = pathlib.Path(sys.argv.pop(2)).resolve()
    if len(sys.argv) > 2 and sys.argv[2].endswith(".so"):
        INTERRUPTS = os.path.abspath(sys.argv.pop(2))
    case.main()


if __name__ == "__main__":
    main()
