# SPDX-License-Identifier: Apache-2.0
"""Conversions of values at the command line: values_test.py COMMAND [PLUGINS]. What each conversion makes of each value
is held by tests/unit/plan/values_test.cc; here, how the command is asked for one, what files get, and what is said of
wrong requests. PLUGINS: the folder of the plugins that are wrong on purpose. Ends with `N passed, M failed`."""

import math
import os
import pathlib
import random
import struct
import sys

import case
import files
from case import Case

PLUGINS = None


def bf16(value):
    """The nearest bf16's bits, of two equally near ones those of the even one; no NaN."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def quantized(value, scale, zero_point, least=-128, most=127):
    return min(max(round(f32(f32(value) / f32(scale))) + zero_point, least), most)


def tiled(elements, rows, columns, tile_rows, tile_columns):
    """Row-major elements in tiles that divide the array."""
    return [elements[(r0 + r) * columns + c0 + c]
            for r0 in range(0, rows, tile_rows) for c0 in range(0, columns, tile_columns)
            for r in range(tile_rows) for c in range(tile_columns)]


class Values(Case):
    def setUp(self):
        super().setUp()
        numbers = random.Random(1)
        self.floats = [f32(numbers.uniform(-3, 3)) for _ in range(48)]
        self.write("w.npy", files.npy("<f4", (6, 8), struct.pack("<48f", *self.floats)))
        self.as_bf16 = [bf16(value) for value in self.floats]

    def numbers(self, name, letter):
        """The numbers of a .npy file."""
        data = files.parse_npy(self.read(name))[3]
        return list(struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data))


class Flip(Values):
    def test_rows_and_columns(self):
        rows = [self.floats[r * 8:r * 8 + 8] for r in range(6)]
        for axes, wanted in (("0", rows[::-1]), ("-1", [row[::-1] for row in rows]),
                             ("0,1", [row[::-1] for row in rows[::-1]])):
            answer = self.run_json("relayout", "w.npy", "t.npy", "--flip", axes, "--verify")
            self.assertEqual((answer["dst_shape"], answer["verified"]), ("f32[6,8]{1,0}", True))
            self.assertEqual(self.numbers("t.npy", "f"), [value for row in wanted for value in row])
        # A quarter turn, in one movement; and with a conversion.
        turned = [rows[r][7 - c] for c in range(8) for r in range(6)]
        self.run_json("relayout", "w.npy", "t.npy", "--transpose", "1,0", "--flip", "1", "--verify")
        self.assertEqual(self.numbers("t.npy", "f"), turned)
        self.run_json("relayout", "w.npy", "t.bin", "--to", "bf16{0,1}", "--flip", "1", "--verify")
        self.assertEqual(self.read("t.bin"), struct.pack("<48H", *map(bf16, turned)))

    def test_elements_that_share_bytes(self):
        numbers = random.Random(3)
        bits = [numbers.randrange(2) for _ in range(5 * 19)]
        packed = [sum(bit << i for i, bit in enumerate(bits[at:at + 8])) for at in range(0, 95, 8)]
        self.write("b.bin", bytes(packed))
        shape = ("--shape", "pred[5,19]{1,0:E(1)}")
        answer = self.run_json("relayout", "b.bin", "t.npy", *shape, "--to", "row", "--flip", "1", "--verify")
        self.assertEqual((answer["flip"], answer["positions_checked"]), ([1], 95))
        rows = [bits[r * 19:r * 19 + 19][::-1] for r in range(5)]
        self.assertEqual(self.numbers("t.npy", "B"), [bit for row in rows for bit in row])

    def test_records_stay_whole(self):
        self.write("r.npy", files.npy("|S3", (4,), b"abcdefghijkl"))
        self.run_json("relayout", "r.npy", "t.npy", "--flip", "-1")
        self.assertEqual(files.parse_npy(self.read("t.npy"))[3], b"jklghidefabc")
        self.run_command("relayout", "r.npy", "t.npy", "--flip", "1", exit=2)
        self.assertIn("there is no dimension 1, the array has 1", self.err)

    def test_what_cannot_be_reversed(self):
        self.write("w.bin", bytes(1024))
        self.check_rows(
            ("relayout w.npy t.npy --flip 2", 2, "there is no dimension 2, the array has 2"),
            ("relayout w.npy t.npy --flip 0,-2", 2, "dimension 0 is named twice"),
            ("relayout w.npy t.npy --flip x", 2, "--flip"),
            ("relayout w.npy t.npy", 2, "--to, --transpose or --flip"),
            ("relayout w.bin t.npy --shape 'u8[8,100]{1,0:T(4,128)(2,4)}' --flip 0 --to row", 1,
             "--flip: .*move it to row first"))


class Options(Values):
    def test_scales_go_with_their_indices(self):
        scales = [0.5, 1, 2, 4, 8, 16]
        self.write("s.npy", files.npy("<f4", (6,), struct.pack("<6f", *scales)))
        self.write("z.npy", files.npy("<i4", (6,), struct.pack("<6i", *range(6))))
        self.run_json("relayout", "w.npy", "q.npy", "--flip", "0", "--to", "s8", "--scale", "s.npy", "--zero-point",
                      "z.npy", "--scale-dimension", "0", "--verify")
        self.assertEqual(self.numbers("q.npy", "b"), [quantized(self.floats[r * 8 + c], scales[r], r)
                                                      for r in range(5, -1, -1) for c in range(8)])

    def test_negative_scales(self):
        self.write("q.npy", files.npy("|i1", (3,), struct.pack("3b", -8, 0, 7)))
        self.run_json("relayout", "q.npy", "t.npy", "--to", "f32", "--scale", "-0.5", "--verify")
        self.assertEqual(self.numbers("t.npy", "f"), [4, 0, -3.5])
        self.run_json("relayout", "q.npy", "t.npy", "--to", "f32", "--scale", "0", "--verify")
        self.assertEqual(self.numbers("t.npy", "f"), [0, 0, 0])

    def test_what_is_not_what_it_must_be(self):
        self.check_rows(
            ("relayout w.npy t.npy --to s8 --scale ''", 2, "--scale: nothing is given"),
            ("relayout w.npy t.npy --to row --from ''", 2, "--from: nothing is given"),
            ("relayout w.npy t.npy --to s8 --scale 1e-50", 1, "--scale: 1e-50 is beyond the numbers of f32"),
            ("relayout w.npy t.npy --to s8 --scale 0.5x", 1, "--scale: '0.5x' is neither a number nor a file"),
            ("relayout w.npy t.npy --to s8 --scale 1 --zero-point 1.5", 1,
             "--zero-point: '1.5' is neither a number nor a file"),
            ("relayout w.npy t.npy --to tpu:v99", 1, "no target is called 'tpu:v99'.*tpu:v5e"),
            ("relayout w.npy t.npy --transpose row", 2, "--transpose.*'row' is no order of dimensions"),
            ("relayout w.npy t.npy --transpose 0", 1, "--transpose: the permutation has 1 dimensions"))
        # As HLO writes dimensions, where XLA's text of a layout looks alike.
        self.assertEqual(self.run_json("relayout", "w.npy", "t.npy", "--transpose", "{1,0}")["result_shape"],
                         "f32[8,6]{1,0}")


class Types(Values):
    def test_a_type_and_a_layout(self):
        for to in ("bf16{1,0:T(2,4)}", "bfloat16 T(2,4)", "torch.bfloat16{1,0:T(2,4)}", "bf16[6,8]{1,0:T(2,4)}"):
            answer = self.run_json("relayout", "w.npy", "t.bin", "--to", to, "--verify")
            self.assertEqual((answer["src_shape"], answer["dst_shape"]), ("f32[6,8]{1,0}", "bf16[6,8]{1,0:T(2,4)}"))
            self.assertEqual((answer["converted"], answer["verified"], answer["positions_checked"]), (True, True, 48))
            self.assertEqual(self.read("t.bin"), struct.pack("<48H", *tiled(self.as_bf16, 6, 8, 2, 4)))
            self.assertIn(b'"shape": "bf16[6,8]{1,0:T(2,4)}"', self.read("t.bin.json"))
        # And back, by the sidecar.
        self.run_command("relayout", "t.bin", "back.npy", "--to", "float32 row", "--verify")
        self.assertEqual(self.numbers("back.npy", "I"), [bits << 16 for bits in self.as_bf16])
        self.assertEqual(self.run_json("relayout", "w.npy", "t.bin", "--to", "T(2,4)")["converted"], False)

    def test_a_type_alone_keeps_the_layout(self):
        self.run_command("relayout", "w.npy", "col.npy", "--to", "col")
        told = self.run_command("relayout", "col.npy", "t.bin", "--to", "bf16", "--verify")
        self.assertIn("f32[6,8]{0,1} -> bf16[6,8]{0,1}\n", told)
        self.assertIn("all 48 positions checked through the index maps, each value against the scalar backend's", told)
        self.assertEqual(struct.unpack("<48H", self.read("t.bin"))[:6], tuple(self.as_bf16[::8]))
        self.run_command("relayout", "w.npy", "i.npy", "--to", "s32")
        self.assertEqual(self.numbers("i.npy", "i"), [int(value) for value in self.floats])

    def test_permuted(self):
        self.run_command("relayout", "w.npy", "t.npy", "--to", "float16 1,0", "--verify")
        self.assertEqual(files.parse_npy(self.read("t.npy"))[:3], ("<f2", False, (8, 6)))
        halves = [struct.unpack("<e", struct.pack("<e", value))[0] for value in self.floats]
        self.assertEqual(self.numbers("t.npy", "e"), [halves[r * 8 + c] for c in range(8) for r in range(6)])

    def test_files(self):
        self.run_command("relayout", "w.npy", "t.safetensors:w", "--to", "bf16")
        self.assertEqual(files.parse_safetensors(self.read("t.safetensors")),
                         ({"w": ("BF16", [6, 8], struct.pack("<48H", *self.as_bf16))}, {}))
        self.run_command("relayout", "w.npy", "t.npz:w", "--to", "f64")
        self.run_command("relayout", "t.npz:w", "t.npy", "--to", "row")
        self.assertEqual(self.numbers("t.npy", "d"), self.floats)
        # NumPy has no bf16: the way that is told is one.
        self.run_command("relayout", "w.npy", "t.npy", "--to", "bf16", exit=1)
        self.assertIn("NumPy has no type for bf16[6,8]: relayout it to a file like out.bin with --to 'bf16 row', and "
                      "that to this one with --dtype u16", self.err)
        self.run_command("relayout", "w.npy", "out.bin", "--to", "bf16 row")
        self.run_command("relayout", "out.bin", "t.npy", "--to", "row", "--dtype", "u16")
        self.assertEqual(self.numbers("t.npy", "H"), self.as_bf16)
        self.write("half.npy", files.npy("<f2", (2,), bytes(4)))  # of as many bits, which --dtype would only call so
        self.run_command("relayout", "half.npy", "t.npy", "--to", "bf16", exit=1)
        self.assertIn("with --to 'bf16 row', and that", self.err)
        # A .safetensors packs F4.
        self.write("halves.npy", files.npy("<f4", (4,), struct.pack("<4f", 0.5, -1, 6, 100)))
        self.run_command("relayout", "halves.npy", "t.safetensors:x", "--to", "f4e2m1fn", "--verify")
        self.run_command("relayout", "halves.npy", "t.safetensors:y", "--to", "f4e2m1fn row", "--saturate", "--verify")
        for name in ("x", "y"):
            self.assertEqual(files.parse_safetensors(self.read("t.safetensors"))[0][name], ("F4", [4], b"\xa1\x77"))

    def test_members(self):
        names = {"a": (6, 8), "b": (48,), "step": ()}
        floats = struct.pack("<48f", *self.floats)
        self.write("in.safetensors", files.safetensors(
            {name: ("F32", list(dims), floats[: 192 if dims else 4]) for name, dims in names.items()}))
        told = self.run_command("relayout", "in.safetensors", "out.safetensors", "--members", "*", "--to", "bf16",
                                "--verify")
        self.assertIn("3 members moved, 0 copied", told)
        self.assertIn("b  f32[48]{0} -> bf16[48]{0}\n", told)
        self.assertIn("97 positions checked through the index maps; converted values against the scalar", told)
        found, _ = files.parse_safetensors(self.read("out.safetensors"))
        want = struct.pack("<48H", *self.as_bf16)
        self.assertEqual(found, {name: ("BF16", list(dims), want[: 96 if dims else 2]) for name, dims in names.items()})
        answer = self.run_json("relayout", "in.safetensors", "out.npz", "--members", "a", "--to", "s8", "--scale",
                               "0.5")
        self.assertEqual([(member["src_shape"], member["dst_shape"]) for member in answer["members"]][0],
                         ("f32[6,8]{1,0}", "s8[6,8]{1,0}"))
        self.run_command("relayout", "out.npz:a", "t.npy", "--to", "row")
        self.assertEqual(self.numbers("t.npy", "b"), [quantized(value, 0.5, 0) for value in self.floats])
        # What cannot be done is said of the member, before anything is written.
        self.run_command("relayout", "in.safetensors", "no.safetensors", "--members", "*", "--to", "s8", "--scale",
                         "0.5", "--scale-dimension", "1", exit=1)
        self.assertRegex(self.err, "in.safetensors:b: --scale-dimension: dimension 1 is not in")
        self.assertFalse((self.folder / "no.safetensors").exists())

    def test_packed_elements(self):
        self.write("in.npy", files.npy("|i1", (6,), struct.pack("6b", -8, 7, -9, 8, 1, -1)))
        for more, want in (([], b"\x78\x87\xf1"), (["--saturate"], b"\x78\x78\xf1")):
            self.run_command("relayout", "in.npy", "t.bin", "--to", "s4{0:E(4)}", "--verify", *more)
            self.assertEqual(self.read("t.bin"), want)
        self.assertEqual(self.run_json("relayout", "t.bin", "u.bin", "--to", "u2")["dst_shape"], "u2[6]{0:E(2)}")
        self.assertEqual(self.run_json("relayout", "t.bin", "u.bin", "--to", "bf16")["dst_shape"], "bf16[6]{0}")

    def test_what_has_no_values(self):
        self.write("dates.npy", files.npy("<M8[s]", (3,), bytes(24)))
        self.write("v2.npy", files.npy("<V2", (3,), struct.pack("<3H", 0x3F80, 0x4000, 0xC000)))
        self.check_rows(
            ("relayout dates.npy t.npy --to f32", 1, "--to: values of '<M8\\[s\\]' are not known", "--dtype"),
            ("relayout v2.npy t.npy --to f32", 1, "--to: values of '[|<]V2' are not known"),
            ("relayout w.npy t.bin --to c64", 3, "values of f32 are not converted into c64"),
            ("relayout w.npy t.npy --to float", 1, "--to: .*'float', which is f32 in PyTorch"))
        self.run_command("relayout", "v2.npy", "t.npy", "--to", "f32", "--dtype", "bf16")
        self.assertEqual(self.numbers("t.npy", "f"), [1, 2, -2])


class Scales(Values):
    def test_one_for_all(self):
        for zero_point in ([], ["--zero-point", "7"], ["--zero-point", "-100"]):
            told = ["relayout", "w.npy", "q.npy", "--to", "int8", "--scale", "0.025", "--verify", *zero_point]
            self.run_command(*told)
            z = int(zero_point[1]) if zero_point else 0
            quants = [quantized(value, 0.025, z) for value in self.floats]
            self.assertEqual(self.numbers("q.npy", "b"), quants)
            self.run_command("relayout", "q.npy", "f.npy", "--to", "f32", "--scale", "0.025", "--verify", *zero_point)
            self.assertEqual(self.numbers("f.npy", "f"), [f32((q - z) * f32(0.025)) for q in quants])

    def test_one_for_each_index(self):
        scales, zeros = [0.01 * 2**i for i in range(6)], [0, 3, -4, 1, 100, -100]
        self.write("s.npy", files.npy("<f4", (6, 1), struct.pack("<6f", *scales)))
        self.write("z.npy", files.npy("|i1", (6,), struct.pack("6b", *zeros)))
        self.write("s.npz", files.npz({"s": self.read("s.npy")}))
        want = [quantized(value, scales[i // 8], zeros[i // 8]) for i, value in enumerate(self.floats)]
        for scale in ("s.npy", "s.npz:s"):
            for dimension in ("0", "y", "-2"):
                self.run_command("relayout", "w.npy", "q.npy", "--to", "s8", "--scale", scale, "--zero-point", "z.npy",
                                 "--scale-dimension", dimension, "--verify")
                self.assertEqual(self.numbers("q.npy", "b"), want)
        # Tiles and a permutation: the dimension is the source's.
        self.run_command("relayout", "w.npy", "q.npy", "--to", "s8 1,0", "--scale", "s.npy", "--zero-point", "z.npy",
                         "--scale-dimension", "0", "--verify")
        self.assertEqual(self.numbers("q.npy", "b"), [want[r * 8 + c] for c in range(8) for r in range(6)])
        # One scale and many zero points.
        self.run_command("relayout", "w.npy", "q.npy", "--to", "s8", "--scale", "0.5", "--zero-point", "z.npy",
                         "--scale-dimension", "0", "--verify")
        self.assertEqual(self.numbers("q.npy", "b"),
                         [quantized(value, 0.5, zeros[i // 8]) for i, value in enumerate(self.floats)])
        # Scales in other types and files.
        powers = [2.0**i for i in range(-3, 3)]
        self.write("s.safetensors", files.safetensors(
            {"s": ("BF16", [6], struct.pack("<6H", *map(bf16, powers)))}))
        self.run_command("relayout", "w.npy", "q.npy", "--to", "s8", "--scale", "s.safetensors:s", "--scale-dimension",
                         "0", "--verify")
        self.assertEqual(self.numbers("q.npy", "b"),
                         [quantized(value, powers[i // 8], 0) for i, value in enumerate(self.floats)])

    def test_floats_of_eight_bits(self):
        self.run_command("relayout", "w.npy", "q.bin", "--to", "f8e4m3fn", "--scale", "0.25", "--verify")
        self.run_command("relayout", "q.bin", "f.npy", "--to", "f32", "--scale", "0.25", "--verify")
        for value, back in zip(self.floats, self.numbers("f.npy", "f")):
            self.assertLessEqual(abs(value - back), max(abs(value) / 16, 0.25 * 2**-10))

    def test_wrong_ones(self):
        self.write("s.npy", files.npy("<f4", (6,), struct.pack("<6f", 1, 2, math.inf, 4, 5, 6)))
        self.write("six.npy", files.npy("<f4", (6,), struct.pack("<6f", *range(1, 7))))
        self.write("double.npy", files.npy("<f8", (6,), bytes(48)))
        self.write("square.npy", files.npy("<f4", (2, 3), struct.pack("<6f", *range(1, 7))))
        self.write("z.npy", files.npy("<i4", (5,), bytes(20)))
        self.write("none.npy", files.npy("<f4", (0,), b""))
        told = "relayout w.npy q.npy --to s8 "
        self.check_rows(
            (told + "--scale 0", 1, r"scale\[0\] is 0: reals are divided by it"),
            (told + "--scale nan", 1, "--scale: nan is not finite"),
            (told + "--scale s.npy --scale-dimension 0", 1, "--scale: inf, number 2, is not finite"),
            (told + "--scale six.npy", 1, r"--scale: there are 6 values: say with --scale-dimension which dimension of "
             r"f32\[6,8\]"),
            (told + "--scale six.npy --scale-dimension 1", 1, r"--scale: there are 6 values, and dimension 1 of "
             r"f32\[6,8\]\{1,0\} has 8"),
            (told + "--scale six.npy --scale-dimension q", 1, '--scale-dimension: "q" names no dimension'),
            (told + "--scale double.npy", 1, r"--scale: double.npy holds f64\[6\]\{0\}: values of f32"),
            (told + "--scale square.npy", 1, r"--scale: square.npy holds f32\[2,3\]\{1,0\}: only one dimension"),
            (told + "--scale none.npy", 1, r"--scale: none.npy holds no value: f32\[0\]"),
            (told + "--scale nothing.npy", 1, "--scale: .nothing.npy. is neither a number nor a file"),
            (told + "--zero-point 1", 2, "--zero-point is of quantized values: give their --scale"),
            (told + "--scale-dimension 1", 2, "--scale-dimension .* give a --scale"),
            (told + "--scale 1 --zero-point 2147483648", 1, "--zero-point: 2147483648 does not fit 32 bits"),
            (told + "--scale 1 --zero-point 0.5", 1, "--zero-point: .0.5. is neither a number nor a file"),
            (told + "--scale 1 --zero-point six.npy", 1, r"--zero-point: six.npy holds f32\[6\]\{0\}: values of s32"),
            (told + "--scale six.npy --scale-dimension 0 --zero-point z.npy", 1,
             "--zero-point: z.npy has 5 values, --scale 6"),
            ("relayout w.npy q.npy --to row --scale 1", 1, r"--scale: f32\[6,8\]\{1,0\} stays f32: --to says"),
            ("relayout w.npy q.npy --to pred --scale 1", 1, "--scale: between f32 and pred there is none"),
            ("relayout w.npy q.bin --to f16 --scale 1 --zero-point 2", 1, "--zero-point: between f32 and f16"),
            ("relayout w.npy q.npy --to s64 --scale 1", 3, "integers of at most 32 bits have scales"),
            ("relayout w.npy q.npy --to row --saturate", 1, r"--saturate: f32\[6,8\]\{1,0\} stays f32: --to says"))
        self.assertEqual(list(self.folder.glob("q*")), [])


class Bits(Values):
    def test_from_the_highest(self):
        numbers = random.Random(2)
        bits = [numbers.randrange(2) for _ in range(65)]
        low = bytes(sum(bit << i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, 65, 8))
        high = bytes(sum(bit << 7 - i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, 65, 8))
        self.write("b.npy", files.npy("|b1", (5, 13), bytes(bits)))
        self.run_command("relayout", "b.npy", "t.bin", "--to", "{1,0:E(1)}", "--verify")
        self.assertEqual(self.read("t.bin"), low)
        answer = self.run_json("relayout", "b.npy", "t.bin", "--to", "{1,0:E(1)}", "--verify", "--high-first",
                               "destination")
        self.assertEqual((self.read("t.bin"), answer["high_first"]), (high, "destination"))
        self.assertIn(b'"high_first": true', self.read("t.bin.json"))
        for option in ((), ("--high-first", "source")):
            self.run_command("relayout", "t.bin", "back.npy", "--to", "row", *option, "--verify")
            self.assertEqual(self.read("back.npy"), self.read("b.npy"))
        # Who says the shape says the order; and a pipe has no sidecar.
        self.run_command("relayout", "t.bin", "l.npy", "--shape", "pred[5,13]{1,0:E(1)}", "--to", "row")
        self.assertNotEqual(self.read("l.npy"), self.read("b.npy"))
        self.run_shell('"$@" >p.bin', "relayout", "b.npy", "-", "--to", "{1,0:E(1)}", "--high-first", "destination")
        self.assertIn("elements start in the highest bits of each byte, which no shape says: read it with --high-first "
                      "source", self.err)
        self.assertEqual(self.read("p.bin"), high)
        self.write("x.bin", high)
        self.write("x.bin.json", self.read("t.bin.json").replace(b"true", b"1").replace(b"t.bin", b"x.bin"))
        self.run_command("relayout", "x.bin", "l.npy", "--to", "row", exit=1)
        self.assertIn("x.bin.json: high_first is neither true nor false", self.err)
        for side, want in (("source", low), ("both", high)):
            self.write("h.bin", high)
            self.run_command("relayout", "h.bin", "t.bin", "--shape", "pred[65]{0:E(1)}", "--to", "{0:E(1)}",
                             "--verify", "--high-first", side)
            self.assertEqual(self.read("t.bin"), want)

    def test_nibbles_are_converted(self):
        self.write("n.bin", b"\x1f\x80\x70")
        self.run_command("relayout", "n.bin", "t.npy", "--shape", "s4[5]{0:E(4)}", "--to", "s8 row", "--high-first",
                         "source", "--verify")
        self.assertEqual(self.numbers("t.npy", "b"), [1, -1, -8, 0, 7])
        self.run_command("relayout", "t.npy", "t.bin", "--to", "s4{0:E(4)}", "--high-first", "destination", "--verify")
        self.assertEqual(self.read("t.bin"), b"\x1f\x80\x70")

    def test_wrong_ones(self):
        self.check_rows(
            ("relayout w.npy t.npy --to row --high-first source", 1,
             r"--high-first: the source, f32\[6,8\]\{1,0\}, keeps each element in 32 bits"),
            ("relayout w.npy t.bin --to 's4 row' --high-first destination", 1,
             r"--high-first: the destination, s4\[6,8\]\{1,0\}, keeps each element in 8 bits: .*E\(n\)"),
            ("relayout w.npy t.npy --to row --high-first sideways", 2, "--high-first"))


class Verification(Values):
    def test_a_wrong_value_is_found(self):
        if PLUGINS is None:
            self.skipTest("no backends that lie")
        told = ["relayout", "w.npy", "t.bin", "--to", "bf16", "--load", PLUGINS / "truncates.so", "--backend",
                "truncates"]
        wrong = next(i for i, value in enumerate(self.floats)
                     if struct.unpack("<I", struct.pack("<f", value))[0] >> 16 != self.as_bf16[i])
        (bits,) = struct.unpack("<I", struct.pack("<f", self.floats[wrong]))
        error = self.run_json(*told, "--verify", exit=1)["error"]
        self.assertIn(f"verify: backend truncates: byte {2 * wrong}, element [{wrong // 8},{wrong % 8}], holds "
                      f"{bits >> 16:#06x}, the source has {bits:#010x} at byte {4 * wrong}, which becomes "
                      f"{self.as_bf16[wrong]:#06x}: f32[6,8]{{1,0}} -> bf16[6,8]{{1,0}}", error["message"])
        self.assertFalse((self.folder / "t.bin").exists())
        self.run_command(*told)

    def test_a_sample_of_a_large_array(self):
        self.write("in.bin", bytes(range(256)) * (3 << 12))
        answer = self.run_json("relayout", "in.bin", "t.bin", "--shape", "s8[3072,1024]", "--to", "s16 col", "--verify")
        self.assertEqual((answer["positions"], answer["positions_checked"]), (3 << 20, 1 << 21))


if __name__ == "__main__":
    if len(sys.argv) > 2 and os.path.isdir(sys.argv[2]):
        PLUGINS = pathlib.Path(sys.argv.pop(2)).resolve()
    case.main()
