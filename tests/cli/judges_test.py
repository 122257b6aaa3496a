# SPDX-License-Identifier: Apache-2.0
"""Other people's programs as judges of files: judges_test.py COMMAND. NumPy, safetensors and gguf write what the
command reads, and read what it writes. Cases of a package that this Python has not are NOT RUN; judges.sh gets all of
them. Ends with `N passed, M failed`."""

import itertools
import json
import struct
import unittest

import case
from case import Case

try:
    import numpy
except ImportError:
    numpy = None
try:
    import safetensors
    import safetensors.numpy
except ImportError:
    safetensors = None
try:
    import gguf
except ImportError:
    gguf = None

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def random_array(dtype, shape, seed=1):
    """Any bits, but a bool that is one."""
    size = int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize
    data = numpy.random.default_rng(seed).bytes(size)
    if dtype == "?":
        data = bytes(byte & 1 for byte in data)
    return numpy.frombuffer(data, dtype).reshape(shape)


def tiles(array, rows, columns):
    """The bytes of a matrix in tiles."""
    padded = numpy.zeros([-(-array.shape[0] // rows) * rows, -(-array.shape[1] // columns) * columns], array.dtype)
    padded[: array.shape[0], : array.shape[1]] = array
    split = padded.reshape(padded.shape[0] // rows, rows, padded.shape[1] // columns, columns)
    return numpy.ascontiguousarray(split.transpose(0, 2, 1, 3)).tobytes()


class Judged(Case):
    def relayout(self, *words):
        return self.run_command("relayout", *words)

    def assert_same(self, found, expected):
        """The same type, dimensions and bits."""
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        self.assertEqual(found.tobytes(), expected.tobytes())


@unittest.skipIf(numpy is None, "no NumPy")
class NumPy(Judged):
    SHAPES = [(), (7,), (3, 5), (0, 4), (2, 3, 4, 5)]

    def test_npy(self):
        for dtype, shape, order in itertools.product(DTYPES, self.SHAPES, "CF"):
            with self.subTest((dtype, shape, order)):
                array = random_array(dtype, shape)
                numpy.save(self.folder / "in.npy", numpy.array(array, order=order))
                (told,) = self.run_json("explain", "in.npy")
                self.assertEqual((told["dimensions"], told["bytes"]), (list(shape), array.nbytes))
                if array.size > 1:
                    self.assertEqual(told["byte_strides"], list(numpy.array(array, order=order).strides))
                for to, contiguous in (("row", "C_CONTIGUOUS"), ("col", "F_CONTIGUOUS")):
                    self.relayout("in.npy", "out.npy", "--to", to)
                    found = numpy.load(self.folder / "out.npy")
                    self.assert_same(found, array)
                    self.assertTrue(found.flags[contiguous])

    def test_transposed_and_tiled(self):
        array = random_array("f4", (3, 4, 5))
        numpy.save(self.folder / "in.npy", array)
        for axes in itertools.permutations(range(3)):
            self.relayout("in.npy", "out.npy", "--transpose", ",".join(map(str, axes)))
            self.assert_same(numpy.load(self.folder / "out.npy"), numpy.transpose(array, axes))
        for dtype, rows, columns in (("f4", 2, 4), ("u1", 8, 128), ("f8", 3, 3)):
            array = random_array(dtype, (9, 11))
            numpy.save(self.folder / "in.npy", array)
            self.relayout("in.npy", "out.bin", "--to", f"{{1,0:T({rows},{columns})}}")
            self.assertEqual(self.read("out.bin"), tiles(array, rows, columns))

    def test_other_types(self):
        for array in (numpy.array(["2026-11-28", "NaT"], "M8[D]"), numpy.array([["one", "three"], ["", "\u03b1"]]),
                      numpy.array([(1, 2.5), (3, 4.5)], [("a", "<i2"), ("b", "<f8", (1,))])):
            numpy.save(self.folder / "in.npy", array)
            self.relayout("in.npy", "out.npy", "--to", "col")
            self.relayout("out.npy", "back.npy", "--to", "row")
            self.assert_same(numpy.load(self.folder / "out.npy"), array)
            self.assert_same(numpy.load(self.folder / "back.npy"), array)
        swapped = random_array(">f4", (3, 5))
        numpy.save(self.folder / "in.npy", swapped)
        self.relayout("in.npy", "out.npy", "--to", "row")
        self.assert_same(numpy.load(self.folder / "out.npy"), swapped.astype("<f4"))

    def test_npz(self):
        arrays = {f"a{i}.{dtype[0]}": random_array(dtype, (3, 4), i) for i, dtype in enumerate(DTYPES[1:])}
        arrays.update({"v": random_array("f4", (5,)), "\u03b1/\u03b2": random_array("f4", ()),
                       "empty": numpy.zeros((0, 3))})
        for save in (numpy.savez, numpy.savez_compressed):
            save(self.folder / "in.npz", **arrays)
            (told,) = self.run_json("explain", "in.npz")
            self.assertEqual({member["name"]: member["bytes"] for member in told["members"]},
                             {name: array.nbytes for name, array in arrays.items()})
            self.assertEqual(told["bytes"], sum(array.nbytes for array in arrays.values()))
            self.relayout("in.npz", "out.npz", "--members", "* rank 2 = col", "--members", "v = f64")
            self.relayout("in.npz:v", "out.npz:another", "--to", "row")
            with numpy.load(self.folder / "out.npz") as found:
                self.assertEqual(list(found), [*arrays, "another"])
                for name, array in arrays.items():
                    self.assert_same(found[name], array.astype("f8") if name == "v" else array)
                    self.assertTrue(found[name].flags.f_contiguous)
                self.assert_same(found["another"], arrays["v"])
            (self.folder / "out.npz").unlink()


@unittest.skipIf(numpy is None or safetensors is None, "no safetensors, or no NumPy")
class Safetensors(Judged):
    def arrays(self):
        named = {f"t.{dtype}": random_array(dtype, (3, 4), i) for i, dtype in enumerate(DTYPES) if dtype != "c16"}
        return {**named, "v": random_array("f4", (5,)), "\u03b1": random_array("u1", ()),
                "w": random_array("f4", (9, 11))}

    def test_kept_and_moved(self):
        arrays = self.arrays()
        safetensors.numpy.save_file(arrays, self.folder / "in.safetensors", {"format": "np", "more": "x"})
        self.relayout("in.safetensors", "out.safetensors", "--members", "w = {1,0:T(8,128)}", "--members", "t.f4 = f16")
        found = safetensors.numpy.load_file(self.folder / "out.safetensors")
        self.assertEqual(set(found), set(arrays))
        for name, array in arrays.items():
            if name == "w":
                array = numpy.frombuffer(tiles(array, 8, 128), "u1")
            elif name == "t.f4":
                with numpy.errstate(all="ignore"):
                    numpy.testing.assert_array_equal(found[name], array.astype("f2"))
                continue
            self.assert_same(found[name], array)
        with safetensors.safe_open(self.folder / "out.safetensors", "np") as file:
            self.assertEqual(file.metadata(), {"format": "np", "more": "x", "xlashape.w": "f32[9,11]{1,0:T(8,128)}"})
        self.relayout("out.safetensors", "back.safetensors", "--members", "w = row")
        self.assert_same(safetensors.numpy.load_file(self.folder / "back.safetensors")["w"], arrays["w"])

    def test_one_after_the_other(self):
        for i, (name, array) in enumerate(self.arrays().items()):
            numpy.save(self.folder / "in.npy", array)
            self.relayout("in.npy", f"out.safetensors:{name}", "--to", "row")
            found = safetensors.numpy.load_file(self.folder / "out.safetensors")
            self.assertEqual(len(found), i + 1)
            self.assert_same(found[name], array)

    def test_explained(self):
        """What `explain` tells is what the format's own reader does."""
        safetensors.numpy.save_file(self.arrays(), self.folder / "in.safetensors")
        (told,) = self.run_json("explain", "in.safetensors")
        types = {"BOOL": "pred", "C64": "c64"} | {
            f"{letter}{bits}": f"{'s' if letter == 'I' else letter.lower()}{bits}" for letter in "IUF"
            for bits in (8, 16, 32, 64)}
        with safetensors.safe_open(self.folder / "in.safetensors", "np") as file:
            for member in told["members"]:
                tensor = file.get_slice(member["name"])
                dimensions = ",".join(map(str, tensor.get_shape()))
                self.assertEqual(member["shape"].split("{")[0], f"{types[tensor.get_dtype()]}[{dimensions}]")
            self.assertEqual({member["name"] for member in told["members"]}, set(file.keys()))

    def test_refused(self):
        """What the format's own reader refuses is refused."""
        def header(**tensors):
            return json.dumps(tensors).encode()

        def tensor(begin, end, dtype="U8"):
            return {"dtype": dtype, "shape": [end - begin], "data_offsets": [begin, end]}

        def made(text, data, length=None):
            return struct.pack("<Q", len(text) if length is None else length) + text + data

        for name, data in {
                "gap": made(header(a=tensor(0, 2), b=tensor(3, 5)), b"abcde"),
                "overlap": made(header(a=tensor(0, 3), b=tensor(2, 5)), b"abcde"),
                "more": made(header(a=tensor(0, 2)), b"abcde"), "cut": made(header(a=tensor(0, 6)), b"abcde"),
                "size": made(header(a=tensor(0, 4, "F32")), b"abcd"), "long": made(b"{}", b"", 1 << 60),
                "end": made(b"{}", b"", 3), "list": made(b"[]", b""), "text": made(b"no", b""), "short": b"1234567",
                "negative": made(b'{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}', b"a")}.items():
            with self.subTest(name):
                self.write("in.safetensors", data)
                with self.assertRaises(safetensors.SafetensorError):
                    safetensors.numpy.load_file(self.folder / "in.safetensors")
                self.run_command("explain", "in.safetensors", exit=1)
                self.run_command("relayout", "in.safetensors", "o.bin", "--to", "row", exit=1)


@unittest.skipIf(numpy is None or gguf is None, "no gguf, or no NumPy")
class Gguf(Judged):
    """Q4_0 as docs/values.md has it: 64 outputs of 128 inputs."""

    def setUp(self):
        super().setUp()
        weights = numpy.random.default_rng(1).standard_normal((64, 128)).astype("f4")
        self.packed = gguf.quants.quantize(weights, gguf.GGMLQuantizationType.Q4_0)
        self.values = gguf.quants.dequantize(self.packed, gguf.GGMLQuantizationType.Q4_0)

    def test_with_scales(self):
        self.write("model.gguf", self.packed.tobytes() + bytes(32))
        self.relayout("model.gguf", "d.npy", "--shape", "f16[256,1]{1,0:PD(256,9)}", "--offset", "0", "--bytes", "4608",
                      "--to", "row")
        self.relayout("model.gguf", "q.npy", "--shape", "u4[256,2,16]{1,2,0:E(4)PD(256,2,18)}", "--offset", "2",
                      "--bytes", "4608", "--to", "u8 row")
        scales = numpy.load(self.folder / "d.npy").astype("f4")
        nibbles = numpy.load(self.folder / "q.npy").reshape(256, 32).astype("f4")
        self.assert_same((nibbles - 8) * scales, self.values.reshape(256, 32))
        self.assertTrue((scales < 0).any())
        self.relayout("model.gguf", "w.npy", "--shape", "u4[256,2,16]{1,2,0:E(4)PD(256,2,18)}", "--offset", "2",
                      "--bytes", "4608", "--to", "f32 row", "--scale", "d.npy", "--zero-point", "8",
                      "--scale-dimension", "0", "--verify")
        self.assert_same(numpy.load(self.folder / "w.npy").reshape(256, 32), self.values.reshape(256, 32))

    def test_nibbles(self):
        blocks = self.packed.reshape(256, 18)
        self.write("q4_0.bin", blocks[:, 2:].tobytes())
        self.relayout("q4_0.bin", "q.npy", "--shape", "u4[4,2,16,64]{1,2,0,3:E(4)}", "--to", "u8{3,2,1,0}")
        scales = blocks[:, :2].copy().view("f2").astype("f4").reshape(64, 4).repeat(32, axis=1)
        nibbles = numpy.load(self.folder / "q.npy").reshape(128, 64).T.astype("f4")
        self.assert_same((nibbles - 8) * scales, self.values)


if __name__ == "__main__":
    case.main()
