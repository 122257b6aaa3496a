# SPDX-License-Identifier: Apache-2.0
"""Arrays and layouts as people write them, at the command line: words_test.py COMMAND. What the words mean is held by
tests/api/words_test.cc; here, that each subcommand takes them, what is written, and what is said of wrong ones.
Ends with `N passed, M failed`."""

import itertools
import random
import struct
import zipfile

import case
import files
from case import Case


def permuted(data, item, dims, order):
    """The bytes of numpy.transpose(order), contiguous."""
    strides = [item] * len(dims)
    for i in range(len(dims) - 2, -1, -1):
        strides[i] = strides[i + 1] * dims[i + 1]
    places = itertools.product(*(range(dims[d]) for d in order))
    starts = (sum(i * strides[d] for i, d in zip(place, order)) for place in places)
    return b"".join(data[start : start + item] for start in starts)


class Shapes(Case):
    def test_every_subcommand_reads_them(self):
        for text in ("float32[2,3]{col}", "memref<2x3xf32, strided<[1, 2]>>", "f32 (2,3):(1,2)",
                     "{'shape': (2, 3), 'dtype': '<f4', 'fortran_order': True}", "f32[2, 3][1, 2]cpu",
                     "%a.1 = f32[2,3]{0,1} add(f32[2,3] %b)"):
            with self.subTest(text):
                self.assertEqual(self.run_json("explain", text)[0]["shape"], "f32[2,3]{0,1}")
                self.assertIn("[1,2] -> 5", self.run_command("index", text, "--at", "1,2"))
                self.assertEqual(self.run_json("draw", text)["shape"], "f32[2,3]{0,1}")
                self.assertEqual(self.run_json("layout-for", "v5e", text)[0]["shape"], "f32[2,3]{0,1:T(4,128)}")

    def test_a_layout_that_is_not_said_is_the_targets(self):
        for text in ("float32[1000,3]", "tensor<1000x3xf32>", "(1000, 3) float32"):
            for target in ("tpu:v5e", "v5e", "TPU v5 lite", "v5e:2x2"):
                answer = self.run_json("explain", text, "--target", target)[0]
                self.assertEqual((answer["shape"], answer["target"]), ("f32[1000,3]{0,1:T(4,128)}", "tpu:v5e"))

    def test_wrong_ones_get_the_right_one(self):
        self.check_rows(
            ("explain float33[2]", 1, "found 'float33': did you mean f32\\?$", r"^  float33\[2\]$", r"^  \^$"),
            ("explain float[2]", 1, "f32 in PyTorch and C, f64 in NumPy"),
            ("explain 'f32[2,3]{chanels_last}'", 1, "did you mean channels_last", r"^ {11}\^$"),
            ("explain 'f32[2,3]{1,0}' --target v5f", 2, r"did you mean tpu:v5e\?"),
            ("explan f32[2]", 2, r"\"explan\" is not a subcommand; did you mean explain\?"),
            ("relayout a b --to row --vrify", 2, r"did you mean --verify\?"),
            ("frobnicate", 2, r"\"frobnicate\" is not a subcommand$"))

    def test_notations(self):
        text = "f32[1,30,5,5]{nChw16c}"
        self.check_rows((f"explain --notations {text}", 0, "^  oneDNN tag      aBcd16b$",
                         r"^  linalg.pack     outer_dims_perm = \[0, 1, 2, 3\] inner_dims_pos = \[1\]"))
        answer = self.run_json("explain", text, "--notations")[0]["notations"]
        self.assertEqual((answer["onednn"], answer["cute"]), ("aBcd16b", None))
        self.assertEqual(list(answer), ["mlir", "memref", "cute", "numpy", "onednn", "pack", "jax"])
        for key in ("onednn", "pack", "jax"):
            self.assertEqual(self.run_json("explain", f"f32[1,30,5,5]{{{answer[key]}}}")[0]["shape"],
                             "f32[1,30,5,5]{3,2,1,0:T(16,1,1)}")
        self.assertNotIn("notations", self.run_json("explain", text)[0])

    def test_two_in_a_picture(self):
        for words in ("{0,1}", "col", "hw->wh", "ba", "f32[4,6]{0,1}"):
            self.assertEqual(self.run_json("draw", "f32[4,6]", words)["other"], "f32[4,6]{0,1}", words)
        self.assertEqual(self.run_json("draw", "f32[4,6]", "bf16 col")["other"], "bf16[4,6]{0,1}")
        self.run_command("draw", "f32[4,6]", "nChw16c", exit=1)
        self.assertIn("names 4 dimensions, the array has 2", self.err)


class Relayouts(Case):
    def test_permutations(self):
        data = random.Random(1).randbytes(2 * 5 * 7 * 3)
        self.write("in.npy", files.npy("<i2", (5, 7, 3), data))
        self.write("in.bin", data)
        for order in itertools.permutations(range(3)):
            axes = ",".join(map(str, order))
            dims = tuple((5, 7, 3)[d] for d in order)
            letters = "HWC->" + "".join("HWC"[d] for d in order)
            names = "height width depth -> " + " ".join(("height", "width", "depth")[d] for d in order)
            for words in (["--transpose", axes], ["--to", axes], ["--to", f"np.transpose(x, ({axes}))"],
                          ["--to", f".permute({axes})"], ["--to", letters], ["--to", letters.lower()], ["--to", names]):
                with self.subTest(words):
                    self.run_command("relayout", "in.npy", "out.npy", "--verify", *words)
                    self.assertEqual(files.parse_npy(self.read("out.npy")),
                                     ("<i2", False, dims, permuted(data, 2, (5, 7, 3), order)))
            # Raw bytes are described as what they are.
            answer = self.run_json("relayout", "in.bin", "out.bin", "--shape", "int16[5,7,3]", "--transpose", axes)
            self.assertEqual(answer["result_shape"], "s16[" + ",".join(map(str, dims)) + "]{2,1,0}")
            self.assertTrue(answer["dst_shape"].startswith("s16[5,7,3]{"))
            self.run_command("relayout", "out.bin", "again.npy", "--to", "row")
            self.assertEqual(files.parse_npy(self.read("again.npy"))[2:], (dims, permuted(data, 2, (5, 7, 3), order)))

    def test_blocks_there_and_back(self):
        floats = struct.pack("<960f", *range(960))
        self.write("in.npy", files.npy("<f4", (8, 20, 2, 3), floats))
        for tag, bytes_ in (("nChw16c", 8 * 32 * 6 * 4), ("aBcd8b", 8 * 24 * 6 * 4), ("nhwc", 3840),
                            ("OIhw4i16o4i", 16 * 32 * 6 * 4), ("NCHW8c", 8 * 24 * 6 * 4)):
            with self.subTest(tag):
                answer = self.run_json("relayout", "in.npy", "out.bin", "--to", tag, "--verify")
                self.assertEqual((answer["dst_bytes"], len(self.read("out.bin"))), (bytes_, bytes_))
                for told in (["out.bin", "back.npy"],
                             ["other.bin", "back.npy", "--shape", "float32[8,20,2,3]", "--from", tag],
                             ["other.bin", "back.npy", "--shape", f"float32[8,20,2,3]{{{tag}}}"]):
                    self.write("other.bin", self.read("out.bin"))
                    self.run_command("relayout", *told, "--to", "row")
                    self.assertEqual(files.parse_npy(self.read("back.npy")), ("<f4", False, (8, 20, 2, 3), floats))

    def test_an_array_that_is_transposed_into_a_picture(self):
        self.write("planes.npy", files.npy("|u1", (3, 4, 5), bytes(range(60))))
        self.run_command("relayout", "planes.npy", "out.png", "--to", "CHW->HWC")
        self.run_command("relayout", "out.png", "back.npy", "--to", "HWC->CHW")
        self.assertEqual(files.parse_npy(self.read("back.npy"))[2:], ((3, 4, 5), bytes(range(60))))

    def test_members(self):
        data = bytes(range(24))
        self.write("in.npz", files.npz({"a": files.npy("|u1", (4, 6), data), "b": files.npy("|u1", (2, 12), data)}))
        told = self.run_command("relayout", "in.npz", "out.safetensors", "--members", "*", "--to", "1,0")
        self.assertIn("a  u8[4,6]{1,0} -> u8[6,4]{1,0}\n", told)
        for name, dims in (("a", (4, 6)), ("b", (2, 12))):
            self.run_command("relayout", f"out.safetensors:{name}", "out.npy", "--to", "row")
            self.assertEqual(files.parse_npy(self.read("out.npy")),
                             ("|u1", False, dims[::-1], permuted(data, 1, dims, (1, 0))))

    def test_for_a_target(self):
        self.write("in.npy", files.npy("<f4", (1000, 3), bytes(12000)))
        for name in ("tpu:v5e", "v5e", "TPU v5 lite"):
            answer = self.run_json("relayout", "in.npy", "out.bin", "--to", name)
            self.assertEqual((answer["dst_shape"], answer["dst_bytes"]), ("f32[1000,3]{0,1:T(4,128)}", 16384))

    def test_a_member_is_put_beside_others(self):
        arrays = {name: bytes(range(start, start + 6)) for name, start in (("a", 0), ("b", 10), ("c", 20))}
        for kind in ("npz", "safetensors"):
            for name, data in arrays.items():
                self.write("in.npy", files.npy("|u1", (2, 3), data))
                self.run_command("relayout", "in.npy", f"out.{kind}:{name}", "--to", "row")
            self.assertIn("2 members beside it stay as they are", self.err)
            # One is replaced, in its place.
            self.run_command("relayout", f"out.{kind}:b", f"out.{kind}:b", "--to", "T")
            for name, data in arrays.items():
                self.run_command("relayout", f"out.{kind}:{name}", "back.npy", "--to", "row")
                want = ((3, 2), permuted(data, 1, (2, 3), (1, 0))) if name == "b" else ((2, 3), data)
                self.assertEqual(files.parse_npy(self.read("back.npy"))[2:], want)
            # What is no such file is not replaced.
            self.write(f"no.{kind}", b"text")
            self.run_command("relayout", "in.npy", f"no.{kind}:x", "--to", "row", exit=1)
            self.assertEqual(self.read(f"no.{kind}"), b"text")

    def test_empty_arrays_in_archives(self):
        for dims in ((0,), (0, 3), (2, 0)):
            self.write("in.npy", files.npy("<f4", dims, b""))
            self.run_command("relayout", "in.npy", "out.npz:e", "--to", "col", "--verify")
            with zipfile.ZipFile(self.folder / "out.npz") as archive:
                self.assertIsNone(archive.testzip())
                self.assertEqual(files.parse_npy(archive.read("e.npy"))[2:], (dims, b""))

    def test_types(self):
        self.write("in.npy", files.npy("<V2", (2, 3), bytes(12)))
        for name in ("bf16", "bfloat16", "torch.bfloat16", "BF16"):
            answer = self.run_json("relayout", "in.npy", "out.bin", "--to", "row", "--dtype", name)
            self.assertEqual(answer["src_shape"], "bf16[2,3]{1,0}")
        self.check_rows(("relayout in.npy out.bin --to row --dtype bflaot16", 1, r"did you mean bf16\?"))

    def test_sizes_that_are_not_known(self):
        self.check_rows(("explain f32[None,3]", 0, r"^f32\[\?,3\]\{1,0\}$"),
                        ("explain f32[-1,3]", 1, r"not negative, or \? where it is not known, found '-1"))

    def test_other_words_than_the_files(self):
        """What --shape and --from say wins, and is said where the file says otherwise; its row-major order is none."""
        self.write("rows.npy", files.npy("<f4", (2, 3), bytes(24)))
        self.write("columns.npy", files.npy("<f4", (2, 3), bytes(24), fortran=True))
        self.write("one.safetensors", files.safetensors({"w": ("F32", [2, 3], bytes(24))}))
        for words, option, said, taken in (
                ("rows.npy --shape f32[3,2]", "--shape", "f32[2,3]{1,0}", "f32[3,2]{1,0}"),
                ("rows.npy --shape s32[2,3]", "--shape", "f32[2,3]{1,0}", "s32[2,3]{1,0}"),
                ("rows.npy --shape s32[2,3] --from col", "--shape", "f32[2,3]{1,0}", "s32[2,3]{0,1}"),
                ("columns.npy --shape f32[2,3]", "--shape", "f32[2,3]{0,1}", "f32[2,3]{1,0}"),
                ("columns.npy --from row", "--from", "f32[2,3]{0,1}", "f32[2,3]{1,0}"),
                ("one.safetensors:w --shape f32[6]", "--shape", "f32[2,3]{1,0}", "f32[6]{0}"),
                ("rows.npy --shape f32[2,3]", None, None, None), ("rows.npy --shape f32[2,3]{0,1}", None, None, None),
                ("rows.npy --from col", None, None, None), ("rows.npy --dtype s32", None, None, None),
                ("columns.npy --from col", None, None, None), ("columns.npy", None, None, None)):
            with self.subTest(words):
                self.run_command("relayout", *words.split(), "--to", "row", "out.bin")
                file = words.split()[0]
                want = f"xlashape: {file}: the file says {said}, {option} takes it as {taken}\n" if option else ""
                self.assertEqual(self.err, want)
        # The result that is filled in place is not what is read.
        self.write("out.npy", files.npy("<f4", (3, 2), bytes(24)))
        self.run_command("relayout", "rows.npy", "out.npy", "--to", "col", "--fill", "preserve")
        self.assertEqual(self.err, "")

    def test_wrong_words(self):
        self.write("in.npy", files.npy("|u1", (5, 7, 3), bytes(105)))
        self.check_rows(
            ("relayout in.npy out.bin --to rwo", 1, r"--to: expected a layout, found 'rwo': did you mean row\?"),
            ("relayout in.npy out.bin --to CHW", 1, "as in HWC->CHW"),
            ("relayout in.npy out.bin --to nChw16c", 1, "names 4 dimensions, the array has 3"),
            ("relayout in.npy out.bin --to swizzle", 3, "a swizzle"),
            ("relayout in.npy out.bin --to 'bf16 rwo'", 1, r"--to: expected a layout, found 'rwo': did you mean row\?"),
            ("relayout in.npy out.bin --to '{bf16}'", 1, "'bf16' is an element type: it stands in front of a layout"),
            ("relayout in.npy out.bin --to row --from s8", 1, "--from: s8 says the element type s8, and the bytes are"),
            ("relayout in.npy out.bin --transpose 2,0", 1, "the permutation has 2 dimensions, the array 3"),
            ("relayout in.npy out.bin --transpose 2,0,1 --to row", 2, "excludes"),
            ("relayout in.npy out.bin", 2, "--to"),
            ("relayout in.npy out.bin --to row --from 2,0,1", 1, "--from: 2,0,1 permutes the dimensions"))
        self.assertEqual(list(self.folder.glob("out*")), [])


if __name__ == "__main__":
    case.main()
