# SPDX-License-Identifier: Apache-2.0
"""What a user reads: messages speak of Python's names, and everything public says what it is for."""

import inspect
import re
import unittest
from pathlib import Path

import xlashape
from xlashape import IndexMap, IndexPlan, Layout, Plan, Runtime, Shape
from xlashape import _raw as raw
from xlashape.errors import in_python

SOURCES = Path(__file__).resolve().parents[3] / "src"
# Names of C's in messages that no call of this package can get.
ELSEWHERE = {
    "XLASHAPE_PJRT_DROP",  # there is no PJRT here
    *("QUEUE_NONE", "queue."),  # nor are there events of queues
    *("CONVERSION_TO_LINEAR", "CONVERSION_TO_MULTIDIMENSIONAL"),  # IndexPlan takes a bool
}
# Fields' names that the library puts in; any field of the struct stands for them.
PUT_IN = {"options.%s": "options.backend", "how.%s": "how.src"}
ABI = SOURCES.parent / "bindings" / "abi" / "xlashape.abi.json"
NAMES = re.findall(r'"XLASHAPE_(\w+_\w+)"', ABI.read_text(encoding="utf-8") if SOURCES.is_dir() else "")
CONSTANTS = sorted({*NAMES, *(name for name in vars(raw) if name.isupper() and "_" in name)}, key=len, reverse=True)
C_NAME = re.compile(
    r"\b(?:xlashape_[a-z0-9_]+|(?:XLASHAPE_)?(?:" + "|".join(CONSTANTS) + r"))\b|\b(?:options|how|queue)\."
)


class Messages(unittest.TestCase):
    def refused(self, call, wanted):
        with self.assertRaises(xlashape.XlashapeError) as caught:
            call()
        message = str(caught.exception)
        self.assertIsNone(C_NAME.search(message), message)
        self.assertIn(wanted, message)

    def test_names_are_of_python(self):
        self.refused(lambda: Shape("f32[2,3]{0,1}").to_notation("mlir"), "print the shape without it")
        self.refused(lambda: Plan("u8[4]", "u8[4]", backend="bogus"), "the runtime's report")
        self.refused(lambda: Plan("u8[4]", "u8[4]", dst_space=33), "the runtime's report")
        self.refused(lambda: Plan("u8[4]", "u8[4]", dst_space=99), "dst_space is 99")
        self.refused(lambda: Plan("u8[4]", "u8[4]", extent=[1, 2]), "extent has 2 values, it takes 1")
        self.refused(lambda: Plan("u8[4]", "u8[4]", backend="a\0b"), "backend holds a NUL")
        self.refused(lambda: Runtime(threads=-2), 'threads is -2, it must be within 0 and 4096, or "all"')
        self.refused(lambda: Shape("f32[2]").to_notation(99), "notation 99 is not one of Notation")
        plan = IndexPlan(IndexMap("u8[4]"), to_linear=True)
        self.refused(lambda: plan.execute_at(64, 128, -1, src_bytes=8, dst_bytes=8), "count is -1")

    def test_reports(self):
        with Runtime(backend_dirs="/nowhere") as runtime:
            self.assertIn("backend_dirs", runtime.report())
            self.assertIsNone(C_NAME.search(runtime.report()))
        self.assertIsNone(C_NAME.search(xlashape.report()))

    def test_offsets(self):
        words = Shape("f32[2,3]").with_words
        for make, text in (
            *((Shape, "f32[2,x]"), (Layout, "{1,x}"), (Shape.read, "tensor<2y>"), (Shape.read, " f32[2]{rwo}")),
            *((words, "rwo"), (words, "(1,0")),
        ):
            with self.assertRaises(xlashape.ParseError) as caught:
                make(text)
            self.assertRegex(str(caught.exception), rf"\(at byte {caught.exception.offset}\)$")
            self.assertGreaterEqual(caught.exception.offset, 0)

    @unittest.skipUnless((SOURCES / "core").is_dir(), "the library's sources are not beside this package")
    def test_the_librarys_messages(self):
        """A message that is new in the library's sources is known here, or does not speak of C."""
        seen = 0
        for path in sorted([*SOURCES.rglob("core/**/*.cc"), *SOURCES.rglob("gpu/**/*.h")]):
            for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', path.read_text(encoding="utf-8")):
                if " " not in literal:  # names, not messages
                    continue
                seen += 1
                for field, one in PUT_IN.items():
                    literal = literal.replace(field, one)
                left = set(C_NAME.findall(in_python(literal))) - ELSEWHERE
                self.assertEqual(left, set(), f"{path.name} says: {literal}")
        self.assertGreater(seen, 300)


class Documentation(unittest.TestCase):
    def test_everything_public_says_what_it_is(self):
        silent = []
        for name in xlashape.__all__:
            value = getattr(xlashape, name)
            if inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value):
                silent += [] if inspect.getdoc(value) else [name]
            members = vars(value).items() if inspect.isclass(value) or inspect.ismodule(value) else ()
            for base in inspect.getmro(value) if inspect.isclass(value) else ():
                members = [*members, *(vars(base).items() if base.__module__.startswith("xlashape.") else ())]
            for member, content in members:
                content = getattr(content, "__func__", content)
                if member.startswith("_") or not (inspect.isfunction(content) or isinstance(content, property)):
                    continue
                silent += [] if inspect.getdoc(content) else [f"{name}.{member}"]
        self.assertEqual(sorted(set(silent)), [])
