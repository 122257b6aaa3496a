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


class Rules(Case):
    """--members, several times."""

    M, V, K = (random.Random(i).randbytes(size) for i, size in enumerate((24, 8, 36)))
    TENSORS = {"a.weight": ("F32", [2, 3], M), "a.bias": ("F32", [2], V), "k.weight": ("U8", [2, 3, 6], K),
               "x = y": ("U8", [2, 3], K[:6]), "z rank 2": ("U8", [3, 2], K[:6])}

    def setUp(self):
        super().setUp()
        self.write("in.safetensors", files.safetensors(self.TENSORS, {"format": "pt"}))

    def moved(self, *rules, to=(), name="in.safetensors"):
        """{name: (shape, rule)} of the members that are moved."""
        words = [word for rule in rules for word in ("--members", rule)]
        answer = self.run_json("relayout", name, "out.safetensors", *words, *to, "--verify")
        moved = (member for member in answer["members"] if member["moved"])
        return {member["name"]: (member["dst_shape"], member["rule"]) for member in moved}

    def test_rank(self):
        self.assertEqual(self.moved("*.weight rank 2", to=("--to", "{0,1:T(2,2)}")),
                         {"a.weight": ("f32[2,3]{0,1:T(2,2)}", "*.weight rank 2")})
        found, metadata = files.parse_safetensors(self.read("out.safetensors"))
        self.assertEqual(metadata, {"format": "pt", "xlashape.a.weight": "f32[2,3]{0,1:T(2,2)}"})
        self.assertEqual({name: found[name] for name in self.TENSORS if name != "a.weight"},
                         {name: told for name, told in self.TENSORS.items() if name != "a.weight"})
        # The rank is that of the array, and not that of the bytes that it is there.
        self.assertEqual(list(self.moved("*.weight rank 2 = row", name="out.safetensors")), ["a.weight"])
        self.assertEqual(files.parse_safetensors(self.read("out.safetensors"))[0], self.TENSORS)
        text = self.run_command("relayout", "in.safetensors", "out.safetensors", "--members", "* rank 1=col")
        self.assertIn("in.safetensors -> out.safetensors: 1 member moved, 4 copied\n", text)
        self.write("in.npz", files.npz({"m": files.npy("<f4", (2, 3), self.M), "v": files.npy("<f4", (2,), self.V),
                                        "when": files.npy("<M8[D]", (2, 3), bytes(48))}))
        self.assertEqual(list(self.moved("* rank 2 = col", name="in.npz")), ["m", "when"])

    def test_first_that_fits(self):
        self.assertEqual(
            self.moved("a.bias = keep", "* rank 1 = f16", "*.weight rank 2 = f16 col", "* rank 3", "[xz]*=keep",
                       to=("--to", "row"), name=self.with_another("c", "F32", [2])),
            {"c": ("f16[2]{0}", "* rank 1 = f16"), "a.weight": ("f16[2,3]{0,1}", "*.weight rank 2 = f16 col"),
             "k.weight": ("u8[2,3,6]{2,1,0}", "* rank 3")})

    def with_another(self, name, dtype, shape):
        self.write("more.safetensors", files.safetensors({**self.TENSORS, name: (dtype, shape, self.V)}))
        return "more.safetensors"

    def test_names_like_rules(self):
        self.assertEqual(self.moved("x [=] y=col"), {"x = y": ("u8[2,3]{0,1}", "x [=] y=col")})
        self.assertEqual(self.moved("x \\= y=col"), {"x = y": ("u8[2,3]{0,1}", "x \\= y=col")})
        self.assertEqual(self.moved("z[ ]rank 2=col"), {"z rank 2": ("u8[3,2]{0,1}", "z[ ]rank 2=col")})
        self.assertEqual(list(self.moved("z rank 2 rank 2=col")), ["z rank 2"])
        self.assertEqual(list(self.moved("*", to=("--transpose", "0,1,2"), name=self.only_k())), ["k.weight"])

    def only_k(self):
        self.write("k.safetensors", files.safetensors({"k.weight": self.TENSORS["k.weight"]}))
        return "k.safetensors"

    def test_refusals(self):
        for words, exit, told in (
                ("--members '*'", 2, "--members '*' does not say what becomes of its members: give --to, or '* = LAY"),
                ("--members 'a*=row' --members '*'", 2, "--members '*' does not say"),
                ("--members '*=row' --to col", 2, "--to col: each rule says a layout of its own"),
                ("--members '*=' --to col", 2, "--members '*=': nothing is behind ="),
                ("--members '' --to col", 2, "a pattern of names is missing: \\* matches all"),
                ("--members ' =col'", 2, "a pattern of names is missing"),
                ("--members '* rank two' --to col", 2, "two is no number of dimensions: give one, as '\\* rank 2'"),
                ("--members '* rank -1' --to col", 2, "-1 is no number of dimensions"),
                ("--members '* rank ' --to col", 2, "nothing is no number of dimensions"),
                ("--members '*=keep'", 2, "--members '\\*=keep' moves nothing"),
                ("--members 'q*=row'", 1, 'xlashape: in.safetensors: no member "q\\*"; it holds '),
                ("--members '* rank 7=row'", 1, "in.safetensors: no member that matches \\* has 7 dimensions"),
                ("--members '*=row' --members 'a*=col'", 1, "no member is left for 'a\\*=col': an earlier rule takes "
                 "each one that matches$"),
                ("--members 'a*=row' --members '* rank 9=col'", 1, "takes each one that matches and has 9 dimensions$"),
                ("--members 'a.* rank 2={0}'", 1, "in.safetensors:a.weight: --members 'a.\\* rank 2=\\{0\\}': "),
                ("--members '* rank 2={0:}x' --members '* rank 1=row'", 1, "--members '\\* rank 2=\\{0:\\}x': "),
                ("--members 'a.* rank 2' --to {0}", 1, "in.safetensors:a.weight: --to: "),
                ("--members '*=row' --shape f32[2]", 2, "--members"),
                ("--members '*=row' --members 'a=row' --explain", 2, "--members")):
            with self.subTest(words):
                self.check_rows((f"relayout in.safetensors out.safetensors {words}", exit,
                                 told.replace("'*'", "'\\*'").replace("'*=", "'\\*=").replace("'* =", "'\\* =")))
        self.assertEqual(os.listdir(self.folder), ["in.safetensors"])


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
                           ("o.safetensors", ("relayout", "in.safetensors", "o.safetensors", "--members", "*=row")),
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
                                   (("in.safetensors", "o.safetensors", "--members", "a={1,0:T(64,64)}"), 4100,
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
