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


class Explain(Case):
    """Files are explained by their headers alone."""

    TENSORS = {"a.weight": ("BF16", [3, 4], DATA[:24]), "b": ("F32", [], DATA[:4]), "odd": ("X9", [2], DATA[:5]),
               "tiles": ("U8", [256], bytes(256)), "\u03b1": ("F4", [2, 4], DATA[:4])}
    SAID = {"xlashape.tiles": "f32[6,7]{1,0:T(8,8)}"}

    def rows(self, text):
        return [line.split("  ") for line in text.splitlines()]

    def test_npy(self):
        for fortran, order in ((False, "{1,0}"), (True, "{0,1}")):
            self.write("in.npy", files.npy("<f4", (6, 7), DATA, fortran))
            text = self.run_command("explain", "in.npy")
            shape = f"f32[6,7]{order}"
            as_text = self.run_command("explain", shape).splitlines()
            self.assertEqual(text.splitlines(), [as_text[0], "  file            in.npy", *as_text[1:]])
            (answer,), (as_shape,) = self.run_json("explain", "in.npy"), self.run_json("explain", shape)
            self.assertEqual(answer, {"file": "in.npy", "kind": "npy", "member": None, **as_shape})
        self.write("in.npy", files.npy("<M8[D]", (3,), bytes(24)))
        self.check_rows(("explain in.npy", 0, r"\Au64\[3\]\{0\}\n", r"^xlashape: in.npy: '<M8\[D\]' is no type of "),
                        ("explain in.npy --notations", 0, r"^  memref +memref<3xui64>"),
                        ("explain in.npy --target tpu:v5e", 0, r"hbm on tpu:v5e"))
        # What the file is, not how it is called; a shape is a shape, whatever files there are.
        os.rename(self.folder / "in.npy", self.folder / "renamed")
        self.write("f32[2]", b"no")
        self.check_rows(("explain ./renamed f32[2]", 0, r"\Au64\[3\]\{0\}\n", r"^f32\[2\]\{0\}\n"))

    def test_table(self):
        self.write("in.safetensors", files.safetensors(self.TENSORS, self.SAID))
        text = self.run_command("explain", "in.safetensors")
        self.assertEqual(text, (
            "in.safetensors: 5 members\n"
            "  a.weight  bf16[3,4]{1,0}            24 B   24\n"
            "  b         f32[]                      4 B    4\n"
            "  odd       -                          5 B    5  dtype \"X9\" is unknown here\n"
            "  tiles     f32[6,7]{1,0:T(8,8)}     256 B  256\n"
            "  \u03b1         f4e2m1fn[2,4]{1,0:E(4)}    4 B    4\n"
            "  total                              293 B  293\n"))
        (answer,) = self.run_json("explain", "in.safetensors")
        self.assertEqual((answer["file"], answer["kind"], answer["bytes"]), ("in.safetensors", "safetensors", 293))
        self.assertEqual([list(member.values()) for member in answer["members"]], [
            ["a.weight", "bf16[3,4]{1,0}", 24, None, None], ["b", "f32[]", 4, None, None],
            ["odd", None, 5, None, 'dtype "X9" is unknown here'],
            ["tiles", "f32[6,7]{1,0:T(8,8)}", 256, None, None],
            ["\u03b1", "f4e2m1fn[2,4]{1,0:E(4)}", 4, None, None]])
        (answer,) = self.run_json("explain", "in.safetensors:tiles")
        self.assertEqual((answer["file"], answer["member"], answer["shape"], answer["bytes"]),
                         ("in.safetensors", "tiles", "f32[6,7]{1,0:T(8,8)}", 256))
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("in.npz", files.npz({"m": files.npy("<f4", (6, 7), DATA, True), "when": files.npy(
                "<M8[D]", (2,), bytes(16))}, compression))
            self.check_rows(("explain in.npz", 0, r"\Ain.npz: 2 members\n  m +f32\[6,7\]\{0,1\} +168 B  168\n",
                             r"^  when +u64\[2\]\{0\} +16 B +16  '<M8\[D\]' is no type", r"^  total +184 B  184\n\Z"),
                            ("explain in.npz:m", 0, r"\Af32\[6,7\]\{0,1\}\n  file +in.npz:m\n"))
        self.write("none.npz", files.npz({}))
        self.check_rows(("explain none.npz", 0, r"\Anone.npz: 0 members\n  total +0 B  0\n\Z"))

    def test_what_relayout_writes(self):
        self.write("in.npy", files.npy("<f4", (6, 7), DATA))
        self.run_command("relayout", "in.npy", "out.bin", "--to", "{1,0:T(4,4)}")
        for name in ("out.bin", "out.bin.json"):
            (answer,) = self.run_json("explain", name)
            self.assertEqual((answer["shape"], answer["kind"], answer["file"]), ("f32[6,7]{1,0:T(4,4)}", "raw", name))
        self.write("out.bin", b"short")
        self.check_rows(("explain out.bin", 1, "out.bin: has 5 bytes, its sidecar says 256 bytes"))
        self.write("out.bin.json", json.dumps({"xlashape": 1, "data": "out.bin", "crc32": 5,
                                               "new": {"shape": "u8[5]", "bytes": 5}}).encode())
        self.check_rows(("explain out.bin", 1, "out.bin.json: was left half-way"))

    def test_only_headers_are_read(self):
        """Files with a terabyte of nothing behind their headers, and members that do not unpack, are answered."""
        size = 1 << 40
        header = json.dumps({f"w{i}": {"dtype": "F32", "shape": [size >> 4], "data_offsets": [i * (size >> 2),
                                                                                             (i + 1) * (size >> 2)]}
                             for i in range(4)}).encode()
        npy = files.npy("<f4", (size >> 2,), b"")
        for name, start in (("in.safetensors", struct.pack("<Q", len(header)) + header), ("in.npy", npy)):
            self.write(name, start)
            os.truncate(self.folder / name, len(start) + size)
        # The end of the deflated bytes is damaged.
        whole = bytearray(files.npz({"m": files.npy("|u1", (1 << 20,), random.Random(1).randbytes(1 << 20))}))
        whole[len(whole) // 2 : len(whole) - 4096] = bytes(len(whole) - 4096 - len(whole) // 2)
        self.write("in.npz", bytes(whole))
        before = time.monotonic()
        self.check_rows(("explain in.safetensors", 0, r"^  w3 +f32\[68719476736\]\{0\}  256.0 GiB +274,877,906,944$",
                         r"^  total +1.0 TiB  1,099,511,627,776$"),
                        ("explain in.safetensors:w2", 0, "256.0 GiB"), ("explain in.npy", 0, "  1.0 TiB  "),
                        ("explain in.npz", 0, r"^  m +u8\[1048576\]\{0\} "),
                        ("relayout in.npz o.bin --to row", 1, "bad"))
        self.assertLess(time.monotonic() - before, 10)

    def test_long_headers(self):
        """A header longer than what is read first, in each version."""
        for version, fields in ((1, 700), (2, 5000), (3, 5000)):
            header = "[" + ", ".join(f"('field{i:06}', '<f4')" for i in range(fields)) + "]"
            npy = files.npy(None, None, bytes(fields * 4), version=version,
                            header=f"{{'descr': {header}, 'fortran_order': False, 'shape': (1,), }}")
            self.write("in.npy", npy)
            self.write("in.npz", files.npz({"m": npy}))
            self.check_rows(("explain in.npy", 0, rf"\Au8\[1,{fields * 4}\]"),
                            ("explain in.npz", 0, rf"^  m +u8\[1,{fields * 4}\]"))

    def test_long_members(self):
        """Deflated bytes and headers of which more than one piece is read."""
        data = random.Random(1).randbytes(3 << 20)
        fields = ", ".join(f"('{random.Random(i).randbytes(20).hex()}', '|u1')" for i in range(1000))
        record = files.npy(None, None, data[:1000], version=2,
                           header=f"{{'descr': [{fields}], 'fortran_order': False, 'shape': (1,), }}")
        self.write("in.npz", files.npz({"m": files.npy("|u1", (3 << 20,), data), "r": record}))
        self.run_command("relayout", "in.npz:m", "m.npy", "--to", "row")
        self.assertEqual(files.parse_npy(self.read("m.npy"))[3], data)
        self.check_rows(("explain in.npz", 0, r"^  r +u8\[1,1000\]\{1,0\} "))

    def test_hostile(self):
        good = files.safetensors({"a": ("U8", [5], b"abcde")})
        self.write("twice.npz", files.npz({"m": files.npy("|u1", (5,), b"abcde")}))
        with zipfile.ZipFile(self.folder / "twice.npz", "a") as archive:
            archive.writestr("m", b"text")
        for name, data, told in (
                ("long.safetensors", struct.pack("<Q", 1 << 62) + b"{}", "4611686018427387904 bytes long, more"),
                ("end.safetensors", struct.pack("<Q", 500) + b"{}", "500 bytes long, the file ends after 2"),
                ("cut.safetensors", good[:-1], "not within the 4 bytes of data"),
                ("more.safetensors", good + b"x", "its tensors have 5 bytes, the file has 6 of data"),
                ("twice.safetensors", files.safetensors({}, header=b'{"a":{},"a":{}}'), "lacks dtype"),
                ("deep.safetensors", files.safetensors({}, header=b"[" * 100000), "a list at it"),
                ("short.npy", files.npy("|u1", (6,), b"abcde"), "its header promises 6 bytes of data, the file has 5"),
                ("huge.npy", files.npy("<f8", (1 << 62,), b""), "multiply to more than fit 64 bits"),
                ("text.npy", b"text", "does not begin as a .npy file does"),
                ("empty.npy", b"", "does not begin as a .npy file does"),
                ("short.npz", files.npz({"m": files.npy("|u1", (6,), b"abcde")}), "short.npz:m: its header promises 6"),
                ("text.npz", b"text", "is no .npz file"),
                ("bad.npz", files.npz({"m": b"text"}), "bad.npz:m: bad .npy header"),
                ("twice.npz", self.read("twice.npz"), 'has two members "m"'),
                ("bytes.bin", b"abc", "says nothing of its arrays: explain reads .npy")):
            with self.subTest(name):
                self.write(name, data)
                self.run_command("explain", name, exit=1)
                self.assertIn(f"xlashape: INVALID_ARGUMENT: {name}", self.err)
                self.assertIn(told, self.err)
                (answer,) = self.run_json("explain", name, exit=1)
                self.assertIn(told, answer["error"]["message"])
        self.write("in.safetensors", files.safetensors({**self.TENSORS, "bad\n\x1b": ("U8", [1], b"x")}))
        self.check_rows(
            ("explain in.safetensors", 0, r"^  bad\\x0a\\x1b +u8\[1\]"),
            ("explain in.safetensors:no", 1, r'no member "no"; it holds a.weight, b'),
            ("explain in.safetensors:odd", 3, 'in.safetensors:odd: dtype "X9" is unknown here$'),
            ("explain in.safetensors --target tpu:v5e", 2, "are about one array: give in.safetensors:NAME"),
            ("explain none.npz", 1, "none.npz: cannot open: No such file"),
            ("explain none.npz:m", 1, "none.npz:m: cannot open: No such file"),
            ("explain ./none", 1, "expected an element type"),
            ("explain . f32[2]", 1, r"^f32\[2\]\{0\}$"))
        # Of several texts each is answered.
        self.write("a.npy", files.npy("|u1", (2,), b"ab"))
        answers = self.run_json("explain", "a.npy", "text.npy", "f32[1]", exit=1)
        self.assertEqual(["error" in answer for answer in answers], [False, True, False])
        # A line of a pipe names no file: what it is may come from anybody.
        self.run_command("explain", "-", stdin=b"a.npy\n", exit=1)
        self.assertNotIn("u8[2]", self.err)

    def test_mutations(self):
        generator = random.Random(6)
        wholes = {"in.safetensors": files.safetensors(self.TENSORS, self.SAID),
                  "in.npy": files.npy("<f4", (6, 7), DATA),
                  "in.npz": files.npz({"a": files.npy("|u1", (50,), bytes(50))})}
        for name, whole in wholes.items():
            for _ in range(60):
                data = bytearray(whole)
                for _ in range(generator.randint(1, 4)):
                    place = generator.randrange(len(data))
                    data[place : place + generator.randint(0, 3)] = generator.randbytes(generator.randint(0, 3))
                self.write(name, bytes(data))
                self.run_command("explain", name, exit=None)


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


class Offsets(Case):
    """The offset of a memref: elements before the first one."""

    SHAPE = "memref<2x3xf32, strided<[3, 1], offset: 8>>"
    ARRAY = DATA[:24]

    def moved(self, name, *words, shape=SHAPE):
        self.run_command("relayout", name, "out.npy", "--shape", shape, "--to", "row", *words)
        return files.parse_npy(self.read("out.npy"))

    def test_where_it_begins(self):
        expected = ("<f4", False, (2, 3), self.ARRAY)
        self.write("in.bin", bytes(32) + self.ARRAY)
        self.assertEqual(self.moved("in.bin"), expected)
        self.run_shell('cat in.bin | "$@"', "relayout", "-", "out.npy", "--shape", self.SHAPE, "--to", "row")
        self.assertEqual(files.parse_npy(self.read("out.npy")), expected)
        answer = self.run_json("relayout", "in.bin", "out.npy", "--shape", self.SHAPE, "--to", "row")
        self.assertEqual(answer["src_shape"], "f32[2,3]{1,0}")
        # Behind a header of NumPy's, and in a member.
        self.write("in.npy", files.npy("<f4", (14,), bytes(32) + self.ARRAY))
        self.write("in.npz", files.npz({"m": self.read("in.npy")}))
        self.assertEqual(self.moved("in.npy"), expected)
        self.assertEqual(self.moved("in.npz:m"), expected)
        self.write("tail.bin", bytes(32) + self.ARRAY + b"tail")
        self.assertEqual(self.moved("tail.bin", "--bytes", 24), expected)
        self.assertEqual(self.moved("in.bin", "--offset", 32, shape=self.SHAPE.replace(": 8", ": 0")), expected)
        self.assertEqual(self.moved("in.bin", shape="memref<2x3xf32, affine_map<(i, j) -> (i * 3 + j + 8)>>"), expected)

    def test_refusals(self):
        self.write("in.bin", bytes(32) + self.ARRAY)
        self.write("long.bin", bytes(33) + self.ARRAY)
        of = "memref<2x3x{}, strided<[3, 1], offset: {}>>".format
        for name, shape, words, exit, told in (
                ("in.bin", self.SHAPE, ["--offset", 32], 2, "--offset 32 and the offset in --shape, 32 bytes, both"),
                ("in.bin", self.SHAPE, ["--offset", 0], 2, "--offset 0 and the offset in --shape, 32 bytes, both say"),
                ("in.bin", of("f32", 7), [], 1, "in.bin: f32[2,3]{1,0} is 24 bytes behind the 28 of its offset, the "
                 "file has 56 bytes"),
                ("long.bin", self.SHAPE, [], 1, "the file has 57 bytes"),
                ("in.bin", of("f32", 1 << 62), [], 1, "the file has 56 bytes"),
                ("in.bin", of("f32", -1), [], 1, "--shape: its offset is -1: an array cannot begin before its file"),
                ("in.bin", of("f32", "?"), [], 3, "a stride or an offset is not known")):
            with self.subTest((shape, words)):
                self.run_command("relayout", name, "out.npy", "--shape", shape, "--to", "row", *words, exit=exit)
                self.assertIn(told, self.err)
        # A pipe that somebody holds open is read up to the end of the array, and one byte more.
        held = 'mkfifo pipe; (cat long.bin; sleep 30) > pipe & ended=$!; "$@" < pipe; rc=$?; kill $ended; exit $rc'
        self.run_shell(held, "relayout", "-", "out.npy", "--shape", self.SHAPE, "--to", "row", exit=1, limit=20)
        self.assertFalse((self.folder / "out.npy").exists())


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
        for words, size, human in ((("in.npy", "o.bin", "--to", "{1,0:T(64,64)}"), 4096, "4,096 bytes (4.0 KiB)"),
                                   (("in.safetensors", "o.safetensors", "--members", "a={1,0:T(64,64)}"), 4100,
                                    "4,100 bytes (4.0 KiB)")):
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
            self.assertEqual("xlashape: o.bin: 1.0 GiB will be written, 71,862,408 times the 15 B that are read\n" in
                             self.err, told, self.err)
        self.assertEqual(os.listdir(self.folder), ["in.npy"])


def main():
    global INTERRUPTS
    if len(sys.argv) > 2 and sys.argv[2].endswith(".so"):
        INTERRUPTS = os.path.abspath(sys.argv.pop(2))
    case.main()


if __name__ == "__main__":
    main()
