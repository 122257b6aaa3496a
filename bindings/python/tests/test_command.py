# SPDX-License-Identifier: Apache-2.0
"""python -m xlashape, .npy files, and how the library is found."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import xlashape
from cases import Case
from xlashape import Array, Shape, npy


def command(*arguments, **environment):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    return subprocess.run(
        [sys.executable, "-m", "xlashape", *map(str, arguments)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
        cwd=tempfile.gettempdir(),
    )


class Command(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_what_it_prints(self):
        svg = Shape("f32[64,64]").draw(format="svg") + "\n"
        for arguments, code, out, err in (
            (("explain", "s32[8388608,8,4]{2,1,0:T(8,128)}"), 0, "waste            32.00x", ""),
            (("index", "u8[3,4]{0,1:T(2,2)}", "--at", "2,3"), 0, "[2,3] -> 14\n", ""),
            (("index", "u8[3,4]{0,1:T(2,2)}", "--position", 14, "--position", 5), 0, "14 -> [2,3]\n5 -> padding\n", ""),
            (("picture", "f32[64,64]"), 0, svg, ""),
            (("backends",), 0, "scalar", ""),
            (("picture", "token[]"), 1, "", "shape is a token"),
            (("explain", "f32[2"), 1, "", "at byte"),
            (("index", "f32[2]", "--at", "7"), 1, "", "xlashape: "),
            (("nothing",), 2, "", "usage: "),
            (("relayout", self.folder / "none.npy", "x.npy", "--to", "{0}"), 1, "", "none.npy"),
        ):
            with self.subTest(arguments):
                run = command(*arguments)
                self.assertEqual((run.returncode, bool(run.stdout)), (code, bool(out)))
                self.assertIn(out, run.stdout)
                self.assertIn(err, run.stderr)

    def test_relayout(self):
        a, b, c = (self.folder / name for name in ("a.npy", "b.npy", "c.npy"))
        npy.write(a, Array(b"abcdefghijkl", "u8[3,4]"))
        self.assertEqual(command("relayout", a, b, "--to", "{0,1:T(2,2)}").returncode, 0)
        self.assertEqual(npy.read(b).tobytes(), b"aebfi\0j\0cgdhk\0l\0")
        command("relayout", b, c, "--of", "u8[3,4]{0,1:T(2,2)}", "--to", "{0,1}")
        self.assertEqual(str(npy.read(c).shape), "u8[3,4]{0,1}")
        self.assertEqual(npy.read(c).relayout("{1,0}").tobytes(), b"abcdefghijkl")
        command("relayout", a, c, "--to", "col")
        self.assertEqual(str(npy.read(c).shape), "u8[3,4]{0,1}")

    @unittest.skipUnless(hasattr(signal, "SIGPIPE"), "no pipes that break")
    def test_nobody_reads(self):
        """As behind `| head`: not a word about it."""
        reading, writing = os.pipe()
        os.close(reading)
        run = subprocess.run(
            [sys.executable, "-m", "xlashape", "picture", "u8[30,30]"],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
        os.close(writing)
        self.assertEqual((run.returncode, run.stderr), (-signal.SIGPIPE, b""))

    def test_npy(self):
        path = self.folder / "a.npy"
        for text in ("f32[2,3]", "f32[2,3]{0,1}", "bf16[4]", "u8[]", "f64[0,2]", "u4[3]{0:E(4)}"):
            array = Array(bytes(Shape(text).padded_nbytes), text)
            npy.write(path, array)
            self.assertEqual((os.path.getsize(path) - array.nbytes) % 64, 0)
            if text != "bf16[4]":
                self.assertEqual(npy.read(path).tobytes(), array.tobytes())
        for rows in (8, 16):  # by the layout, not by what it does at that size
            npy.write(path, Array(bytes(512 * rows), f"f32[{rows},128]{{1,0:T(8,128)}}"))
            self.assertEqual(npy.read(path).shape, Shape(f"f32[{128 * rows}]"))
        npy.write(path, Array(bytes(8), "bf16[4]"))
        with self.assertRaises(xlashape.UnsupportedError):
            npy.read(path)
        self.assertEqual(str(npy.read(path, "bf16").shape), "bf16[4]{0}")
        with self.assertRaises(xlashape.InvalidArgumentError):
            npy.read(path, "f32")

    def test_broken_npy(self):
        path = self.folder / "a.npy"
        npy.write(path, Array(b"abcd", "u8[4]"))
        good = path.read_bytes()
        headless = (b"", good[:8], b"x" + good[1:], good[:20], good[:6] + b"\x09" + good[7:], good[:6] + b"\2\0\1\0")
        said = ((b"shape", b"sharp"), (b"(4,)", b"(-4)"), (b"|u1", b"|O8"), (b"(4,)", b'"4" '), (b"|u1", b"<f9"))
        for broken in (*headless, good[:-1], *(good.replace(was, now) for was, now in said)):
            path.write_bytes(broken)
            with self.assertRaises(xlashape.XlashapeError):
                npy.read(path)


class Library(unittest.TestCase):
    def test_not_there(self):
        for path, why in (("/nowhere/libxlashape.so.0.1", "named by XLASHAPE_LIBRARY"), ("libc.so.6", "libc.so.6")):
            failed = command("--version", XLASHAPE_LIBRARY=path)
            self.assertIn("ImportError", failed.stderr)
            self.assertIn(why, failed.stderr)


if __name__ == "__main__":
    unittest.main()
