# SPDX-License-Identifier: Apache-2.0
"""`xlashape scan` on HLO text as people have it and as XLA's own parser takes it: wrapped, in one line, with comments,
out of logs and messages, without its head, cut and damaged.

Usage: scan_text_test.py COMMAND. Ends with `N passed, M failed`."""

import gzip
import pathlib
import random
import re

import case
from case import Case

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "scan"
# 32 KiB move in each of ten iterations, of which the body is told by its name; the result is a tuple.
PROGRAM = """HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[64,64]{1,0})->(f32[64,64]{1,0}, s32[])}

%body (p: (s32[], f32[64,64])) -> (s32[], f32[64,64]) {
  %p = (s32[], f32[64,64]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[64,64]{1,0} get-tuple-element(%p), index=1
  %one = s32[] constant(1)
  %n = s32[] add(%i, %one)
  %y = f32[64,64]{0,1} copy(%x), metadata={op_name="jit(f)/copy, \\"{quoted\\"" source_file="f.py" source_line=3}
  %z = f32[64,64]{1,0} negate(%y)
  ROOT %t = (s32[], f32[64,64]{1,0}) tuple(%n, %z)
}

%cond (p: (s32[], f32[64,64])) -> pred[] {
  %p = (s32[], f32[64,64]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %ten = s32[] constant(10)
  ROOT %l = pred[] compare(%i, %ten), direction=LT
}

ENTRY %main (a: f32[64,64]) -> (f32[64,64], s32[]) {
  %a = f32[64,64]{1,0} parameter(0)
  %zero = s32[] constant(0)
  %init = (s32[], f32[64,64]{1,0}) tuple(%zero, %a)
  %w = (s32[], f32[64,64]{1,0}) while(%init), condition=%cond, body=%body
  %r = f32[64,64]{1,0} get-tuple-element(%w), index=1
  %c = s32[] get-tuple-element(%w), index=0
  ROOT %both = (f32[64,64]{1,0}, s32[]) tuple(%r, %c)
}
"""
LOGS = ("I0000 00:00:1700000000.123456    1234 hlo_pass.cc:76] ",
        "2020-05-04 09:05:40.721128: E    1578 xla_util.cc:76] ",
        "[1,0]<stderr>:W0504 09:05:40.721128 1578 tsl/xla/util.h:9] ", "[rank0]: ", "[2026-11-29 09:05:40] ")


class TextCase(Case):
    def modules(self, text):
        return self.run_json("scan", "-", "--top", 100000, stdin=text.encode())["modules"]

    def told(self, text):
        """What is told of the only module, which is understood as a whole, but for lines and the text's size."""
        (module,) = self.modules(text)
        self.assertEqual((module["unparsed"], module["unparsed_lines"]), (0, []), text)
        for row in module["values"] + module["waste"] + module["relayouts"] + module["undonated"]:
            row["line"] = 0
        return dict(module, text_bytes=0)


class Forms(TextCase):
    def test_the_same_program(self):
        expected = self.told(PROGRAM)
        self.assertEqual((expected["totals"]["moved"], expected["totals"]["outputs"]["arrays"]), (10 * 32768, 2))
        statement = re.compile(r"(?m)^  (ROOT )?%\w+ = .*$")
        noise = "/* %no = f32[9]{0} copy(%a)\n  }\n*/ // x {\n"
        forms = {
            "wrapped": PROGRAM.replace(", ", ",\n    ").replace("copy,\n    \\", "copy, \\").replace(
                " = ", "\n =\n  ").replace("(%", "(\n%"),
            "blanks": PROGRAM.replace(" = ", "   =  ").replace("]{", "] {"),
            "one line": re.sub(r"\s*\n\s*", " ", PROGRAM),
            "comments": statement.sub(lambda m: noise + m[0] + " // }",
                                      PROGRAM).replace("constant(", "/* y */ constant("),
            "indented": "".join("    " + line + "\n" for line in PROGRAM.splitlines()),
            "windows": PROGRAM.replace("\n", "\r\n"),
            "quoted": "".join("> " + line + "\n" for line in PROGRAM.splitlines()),
            "Markdown": "```hlo\n" + PROGRAM + "```\n",
            "no percent": PROGRAM.replace("%", ""),
            "typed operands": PROGRAM.replace("negate(%y)", "negate(f32[64,64]{0,1} %y)"),
            "configs": PROGRAM.replace("index=1\n", "index=1, backend_config={\n \"a\": {\n  \"b\":\"}\"\n}\n}\n"),
            "no shapes": re.sub(r"= (\(.*\)|\S+) (tuple|get-tuple-element|add|while|compare)\(", r"= \2(", PROGRAM),
            "no ENTRY": PROGRAM.replace("ENTRY ", ""),
            "trip count": PROGRAM.replace("body=%body", "body=%body, backend_config=\"{\\\"known_trip_count\\\":"
                                          "{\\\"n\\\":\\\"10\\\"}}\""),
            "mhlo": PROGRAM.replace("index=1\n", "index=1, frontend_attributes={mhlo.x=\"stablehlo.\"}\n"),
        }
        forms.update((log, "".join(log + line + "\n" for line in ("a word of the log", *PROGRAM.splitlines())))
                     for log in LOGS)
        for name, text in forms.items():
            with self.subTest(name):
                self.assertEqual(self.told(text), expected)

    def test_within_others(self):
        """Instructions and computations within instructions, and elements of tuples by number."""
        head, rest = PROGRAM.split("%body (", 1)
        body, rest = rest.split("}\n\n%cond", 1)
        inner = "{" + body.split("{\n", 1)[1] + "}"
        module = self.told(head + "%cond" + rest.replace("body=%body", "body=" + inner))
        self.assertEqual((module["totals"]["moved"], module["instructions"]), (10 * 32768, 19))
        text = PROGRAM.replace("add(%i, %one)", "add(%i, s32[] constant(1))")
        text = text.replace("tuple(%r, %c)", "tuple(%w#1, s32[] %w#0)")
        module = self.told(text)
        self.assertEqual((module["totals"]["moved"], module["instructions"]), (10 * 32768, 22))

    def test_asynchronous(self):
        """What a call that was begun does is counted, by whatever name it is called."""
        call = PROGRAM.replace("%w = (s32[], f32[64,64]{1,0}) while(%init), condition=%cond, body=%body",
                               "%s = (((s32[], f32[64,64]{1,0})), (s32[], f32[64,64]{1,0}), u32[]) call-start(%init),\n"
                               "    to_apply=%body\n  %w = call-done(%s)")
        call = call.replace("%w = call-done", "%w = (s32[], f32[64,64]{1,0}) call-done")
        self.assertEqual(self.told(call)["totals"]["moved"], 32768)

    def test_several(self):
        """Also where the head of the second stands behind the end of the first."""
        first = PROGRAM.rstrip("\n")
        for between in ("\n", " ", "\n\n// -----\n\n", "\n  "):
            modules = self.modules(first + between + PROGRAM.replace("jit_f", "jit_g"))
            self.assertEqual([(m["name"], m["unparsed"], m["totals"]["moved"]) for m in modules],
                             [(name, 0, 10 * 32768) for name in ("jit_f", "jit_g")])

    def test_fragments(self):
        """Lines out of a program: what they name is known as far as they say it."""
        line = "  %copy.1 = f32[64,64]{0,1} copy(f32[64,64]{1,0} %p), metadata={op_name=\"x\"}\n"
        for text in (line, line.replace("%", ""), line.replace(" %p", ""), LOGS[0] + line):
            module = self.told(text)
            self.assertEqual((module["totals"]["moved"], module["totals"]["outputs"]), (32768, None))
        (module,) = self.modules(line.replace("f32[64,64]{1,0} ", ""))
        self.assertIn("an operand", module["unparsed_lines"][0]["why"])

    def test_shapes(self):
        """A tile without sizes is none, for XLA; a shape that cannot be told is said to be so."""
        module = self.told("HloModule m\nENTRY e {\n  ROOT a = f32[2]{0:T()} parameter(0)\n}\n")
        self.assertEqual(module["values"][0]["shape"], "f32[2]{0}")
        (module,) = self.modules("HloModule m\nENTRY e {\n  a = f32[2,2]{1,0} parameter(0)\n"
                                 "  ROOT d = fft(a), fft_type=FFT, fft_length={2}\n}\n")
        self.assertEqual([line["why"] for line in module["unparsed_lines"]],
                         ["no shape, and it cannot be told from the operands"])


    def test_tuples_without_shapes(self):
        """Forty lines of tuples of tuples would have 2^40 leaves: those beyond 4096 have no shape."""
        lines = "".join(f"  t{i} = tuple(t{i - 1}, t{i - 1})\n" for i in range(1, 40))
        module, = self.modules("HloModule m\nENTRY e {\n  t0 = f32[8] parameter(0)\n" + lines + "}\n")
        self.assertEqual(module["unparsed"], 39 - 12)
        self.assertEqual(module["unparsed_lines"][0]["line"], 16)


class Damage(TextCase):
    def test_cut(self):
        """Wherever a text ends it is said, and nothing is known of its results but what its head says."""
        for end in range(PROGRAM.index("%body") + 10, len(PROGRAM) - 3, 17):
            (module,) = self.modules(PROGRAM[:end])
            self.assertGreater(module["unparsed"], 0, PROGRAM[:end])
            self.assertEqual((module["totals"]["outputs"] or {"arrays": 2})["arrays"], 2)

    def test_one_line(self):
        """What is wrong in a line of a dump loses no other: the rest is as it was, and the line is counted."""
        text = gzip.decompress((DATA / "v5e_decode.txt.gz").read_bytes()).decode()
        (whole,) = self.modules(text)
        lines = text.splitlines()
        wrong = random.Random(1)
        at = [i for i, line in enumerate(lines) if re.match(r"  (ROOT )?%.* = ", line)]
        for i in wrong.sample(at, 25):
            for damaged in (lines[i][:wrong.randrange(3, len(lines[i]) - 1)], lines[i].replace(")", "", 1),
                            lines[i].replace('="', '=', 1), lines[i] + " \""):
                (module,) = self.modules("\n".join([*lines[:i], damaged, *lines[i + 1:]]))
                lost = whole["instructions"] - module["instructions"]
                self.assertLessEqual(lost, 1, damaged)
                self.assertTrue(lost == 0 or module["unparsed"] > 0, damaged)
                self.assertLess(module["unparsed"], 12, damaged)


if __name__ == "__main__":
    case.main()
