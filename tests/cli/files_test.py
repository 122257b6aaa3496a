# SPDX-License-Identifier: Apache-2.0
"""Files at the command line: files_test.py COMMAND [INTERRUPTS]. What `explain` says of them, the rules of
`relayout --members`, where a memref begins, and which destinations are refused. INTERRUPTS: tests/cli/interrupts.c, to
be preloaded. Ends with `N passed, M failed`."""

import json
import os
import random
import struct
import subprocess
import sys
import time
import zipfile

import case
import files
from case import Case

INTERRUPTS = None
DATA = random.Random(3).randbytes(6 * 7 * 4)


def transposed(data, width, rows, columns):
    return b"".join(data[(r * columns + c) * width :][:width] for c in range(columns) for r in range(rows))


class Destinations(Case):
    """A file that is protected stays; one that would not fit its disk is not begun."""

    def test_protected(self):
        self.write("in.npy", files.npy("|u1", (3,), b"abc"))
        self.write("in.safetensors", files.safetensors({"a": ("U8", [3], b"abc")}))
        root = os.geteuid() == 0
        if root:  # whom nothing is protected from: as somebody else
            os.chmod(self.folder, 0o777)
        somebody = {"user": 65534, "group": 65534, "extra_groups": []} if root else {}

        def run(*words):
            try:
                done = subprocess.run([self.command, *words], cwd=self.folder, capture_output=True, text=True,
                                      **somebody)
            except PermissionError as error:
                self.skipTest(f"nobody cannot run the command: {error}")
            if done.returncode == 127:
                self.skipTest(f"nobody cannot run the command: {done.stderr}")
            return done.returncode, done.stderr

        for out, words in (("o.npy", ("relayout", "in.npy", "o.npy", "--to", "row")),
                           ("o.bin", ("relayout", "in.npy", "o.bin", "--to", "{0:T(4)}")),
                           ("link.bin", ("relayout", "in.npy", "link.bin", "--to", "{0:T(4)}")),
                           ("o.safetensors", ("relayout", "in.safetensors", "o.safetensors", "--members", "*", "--to", "row")),
                           ("o.safetensors", ("relayout", "in.npy", "o.safetensors:b", "--to", "row")),
                           ("o.png", ("picture", "in.npy", "o.png")),
                           ("o.svg", ("draw", "f32[2]", "-o", "o.svg"))):
            with self.subTest(words):
                there = "o.bin" if out == "link.bin" else out
                before = files.safetensors({"x": ("U8", [1], b"x")}) if "safetensors" in out else b"precious"
                self.write(there, before)
                os.chmod(self.folder / there, 0o444)
                if out == "link.bin":
                    os.symlink("o.bin", self.folder / out)
                exit, err = run(*words)
                self.assertEqual(exit, 1, err)
                self.assertRegex(err, f"{there}: is protected from writing: allow it with chmod u\\+w, remove the ")
                self.assertEqual(self.read(there), before)
                os.chmod(self.folder / there, 0o666)
                self.assertEqual(run(*words)[0], 0)
                self.assertNotEqual(self.read(there), before)
                (self.folder / there).unlink()
                (self.folder / f"{there}.json").unlink(missing_ok=True)
        # root may write everywhere, as with cp.
        if root:
            self.write("o.npy", b"old")
            os.chmod(self.folder / "o.npy", 0o444)
            self.run_command("relayout", "in.npy", "o.npy", "--to", "row")
            self.assertEqual(os.stat(self.folder / "o.npy").st_mode & 0o777, 0o444)

    def test_full_disk(self):
        if INTERRUPTS is None:
            self.skipTest("nothing can be preloaded")
        self.write("in.npy", files.npy("|u1", (3, 5), DATA[:15]))
        self.write("in.safetensors", files.safetensors({"a": ("U8", [3, 5], DATA[:15]), "b": ("U8", [4], DATA[:4])}))
        for words, size, human in ((("in.npy", "o.bin", "--to", "{1,0:T(64,64)}"), 4096, "4,096 bytes (4.00K)"),
                                   (("in.safetensors", "o.safetensors", "--members", "a", "--to", "{1,0:T(64,64)}"), 4100,
                                    "4,100 bytes (4.00K)")):
            with self.subTest(words):
                full = {"LD_PRELOAD": INTERRUPTS, "ROOM": str(size - 1)}
                self.run_command("relayout", *words, env=full, exit=1)
                self.assertIn(f"xlashape: {words[1]}: the result has {human}, its disk has {size - 1:,} left: give "
                              "another layout, or a place with more room", self.err)
                self.assertFalse((self.folder / words[1]).exists())
                self.run_command("relayout", *words, env={**full, "ROOM": str(size)})
        # Nobody knows how small a PNG will be, and a pipe has no disk.
        self.run_command("relayout", "in.npy", "o.png", "--to", "row", env={**full, "ROOM": "0"})
        self.run_shell('LD_PRELOAD=$2 ROOM=0 "$1" relayout in.npy - --to "{1,0:T(64,64)}" | wc -c', INTERRUPTS)

    def test_much_larger(self):
        """More than 1 GiB and 16 times the source: people are told. Here a limit stops the writing."""
        self.write("in.npy", files.npy("|u1", (3, 5), DATA[:15]))
        for size, told in ((32768, False), (32896, True)):
            self.run_shell('ulimit -c 0; ulimit -f 100; trap "" XFSZ; "$@"', "relayout", "in.npy", "o.bin", "--to",
                           f"{{1,0:T(32768,{size})}}", "--fill", "unspecified", exit=1)
            self.assertIn("File too large", self.err)
            self.assertEqual("xlashape: o.bin: 1.00G will be written, 71,862,408 times the 15 B that are read\n" in
                             self.err, told, self.err)
        self.assertEqual(os.listdir(self.folder), ["in.npy"])


def main():
    global INTERRUPTS
    if len(sys.argv) > 2 and sys.argv[2].endswith(".so"):
        INTERRUPTS = os.path.abspath(sys.argv.pop(2))
    case.main()


if __name__ == "__main__":
    main()
