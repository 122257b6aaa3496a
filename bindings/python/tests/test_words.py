# SPDX-License-Identifier: Apache-2.0
"""Arrays and layouts in people's words: what they are read as, what is refused; and thousands of permutations, orders
and blocks against what NumPy does."""

import itertools
import random
import string
import unittest
from unittest import mock

import xlashape
from cases import Case, Described
from xlashape import Arranged, Array, ElementType, IndexMap, Layout, Notation, Plan, Shape, relayout
from xlashape import _raw as raw

try:
    import numpy
except ImportError:
    numpy = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

DATA = bytes(range(24))


class Read(Case):
    def test_shapes(self):
        columns = Shape("f32[2,3]{0,1}")
        self.equal(
            *(
                (Shape.read(text), columns)
                for text in (
                    "f32[2,3]{0,1}",
                    "float32[2,3]{col}",
                    "  torch.float32[2,3]{F}\n",
                    "memref<2x3xf32, strided<[1, 2]>>",
                    "{'shape': (2, 3), 'strides': (4, 8), 'dtype': '%s'}" % ElementType.F32.typestring,
                    "f32 (2,3):(1,2)",
                    "%add.1 = f32[2,3]{0,1} add(f32[2,3]{0,1} %a, f32[2,3]{0,1} %b)",
                )
            ),
            *(
                (Shape.read(text), Shape("f32[2,3]"))
                for text in (
                    "tensor<2x3xf32>",
                    "(2, 3) float32",
                    "ShapeDtypeStruct(shape=(2, 3), dtype=float32)",
                    "{'shape': (2, 3), 'dtype': 'float32'}",
                )
            ),
            *(
                (Shape.read(text), Shape(text))  # XLA's texts are what they are
                for text in ("(f32[2], (s8[3], token[]))", "b(f32[2])", "f32[<=4,?]", "s4[4]{0:E(4)S(1)}", "opaque[]")
            ),
            (Shape.read("i32[1,32,8,8]{nChw16c}"), Shape("s32[1,32,8,8]").with_words("nChw16c").destination),
        )

    def test_texts_are_read_wherever_a_shape_is_wanted(self):
        self.equal(
            (IndexMap("float32[2,3]{col}").linear_index((1, 2)), 5),
            (Shape("f32[2]").equal("tensor<2xf32>"), True),
            (str(Shape.tuple(["i8[2]", "memref<3xf32>"])), "(s8[2]{0}, f32[3]{0})"),
            (Array(bytearray(24), "tensor<2x3xf32>").shape, Shape("f32[2,3]")),
            (relayout(DATA, "col", of="float32[2,3]").tobytes(), relayout(DATA, "{0,1}", of="f32[2,3]").tobytes()),
            (Plan.key("float32[2,3]", "col"), Plan.key("f32[2,3]", "f32[2,3]{0,1}")),
            (Plan("f32[2,3]", "Layout(major_to_minor=(1, 0))").dst, Shape("f32[2,3]{0,1}")),
        )
        for text in ("float32[2,3]", "tensor<2x3xf32>", "f32[2,3]{col}"):  # this alone is XLA's text
            with self.assertRaises(xlashape.ParseError):
                Shape(text)

    def test_compact(self):
        gaps = "memref<2x3xf32, strided<[4, 1]>>"
        self.assertEqual(str(Shape.read(gaps)), "f32[2,3]{1,0:PD(2,4)}")
        self.assertEqual(str(Shape("f32[2,3]").with_words("(2,3):(4,1)").result), "f32[2,3]{1,0:PD(2,4)}")
        unsupported = xlashape.UnsupportedError
        self.refused(
            (unsupported, "gaps", lambda: Shape.read(gaps, compact=True)),
            (unsupported, "gaps", lambda: Shape("f32[2,3]").with_words("(2,3):(4,1)", compact=True)),
            (unsupported, "begins at element 5", lambda: Shape.read("memref<2x3xf32, strided<[3, 1], offset: 5>>")),
        )

    def test_element_types(self):
        for name in ("float32", "torch.float32", "f32", "F32", "fp32", "dtype('float32')", "DT_FLOAT", "c_float"):
            self.assertIs(ElementType.of(name), ElementType.F32, name)
            self.assertIs(ElementType.read(name), ElementType.F32, name)
        self.equal(
            (ElementType.of("i32"), ElementType.S32),
            (ElementType.read("uint8_t"), ElementType.U8),
            (ElementType.of("f8E4M3FN"), ElementType.F8E4M3FN),
            (str(Shape.array("torch.bfloat16", (2,))), "bf16[2]{0}"),
            (str(Shape("f32[2]").with_element_type("half")), "f16[2]{0}"),
            (ElementType.F16.cast_preserves_values("double"), True),
            (Layout.for_target("cpu", "i32", (2, 3)), Layout("{1,0}")),
            (str(Shape.of(Described((2,), "i64"))), "s64[2]{0}"),
        )
        self.refused(
            (LookupError, "'flaot32': did you mean f32", lambda: ElementType.of("flaot32")),
            (xlashape.NotFoundError, "f32 in PyTorch and C, f64 in NumPy", lambda: ElementType.read("float")),
            (xlashape.NotFoundError, "did you mean s32", lambda: Shape.array("itn32", (2,))),
            (TypeError, "must be str", lambda: ElementType.read(11)),
        )

    def test_messages_say_what_was_meant(self):
        shape = Shape("f32[2,3,4,5]")
        self.refused(
            (xlashape.ParseError, r"'flaot32': did you mean f32\? \(at byte 1\)", lambda: Shape.read(" flaot32[2]")),
            (xlashape.ParseError, "'rwo': did you mean row", lambda: shape.with_words("rwo")),
            (xlashape.ParseError, "'rwo': did you mean row", lambda: Plan("f32[2,3]", "rwo")),
            (xlashape.ParseError, r"expected ',' or '\]'", lambda: Plan("f32[2,3]", "f32[2,3")),
            (xlashape.ParseError, "found nothing", lambda: relayout(DATA, "", of="u8[2,3,4]")),
            (xlashape.InvalidArgumentError, "names 3 dimensions", lambda: shape.with_words("HWC->CHW")),
            (xlashape.InvalidArgumentError, "has 3 dimensions", lambda: shape.with_words("2,0,1")),
            (xlashape.UnsupportedError, "exclusive or", lambda: shape.with_words("Swizzle<3,3,3>")),
            (xlashape.UnsupportedError, "a tuple", lambda: Shape("(f32[2], s8[3])").with_words("col")),
            (TypeError, "words for a layout must be str", lambda: shape.with_words((0, 1))),
            (TypeError, "a shape must be str", lambda: Shape.read(b"f32[2]")),
        )


class Layouts(Case):
    def test_words(self):
        photo = Shape("u8[4,5,3]")
        planes = photo.with_words("HWC->CHW")
        self.assertIsInstance(planes, Arranged)
        self.equal(
            (planes, (Shape("u8[4,5,3]{1,0,2}"), Shape("u8[3,4,5]"))),
            (photo.with_words("2,0,1"), planes),
            (photo.with_words("moveaxis(-1, 0)"), planes),
            (photo.with_words("h w c -> c h w"), planes),
            (tuple(map(str, photo.with_words("row"))), ("u8[4,5,3]{2,1,0}",) * 2),
            (tuple(map(str, photo.with_words("0,1,2"))), ("u8[4,5,3]{2,1,0}",) * 2),
        )

    def test_wherever_a_layout_is_wanted(self):
        """Words that leave the dimensions as they are; others say what to use."""
        weights, buffer = Shape("f32[64,20,3,3]"), Shape("b(f32[2,3])")
        blocked = weights.with_words("OIhw16i16o").destination
        self.equal(
            (weights.with_layout("OIhw16i16o"), blocked),
            (Shape.array("f32", (64, 20, 3, 3), "OIhw16i16o"), blocked),
            (Plan(weights, "OIhw16i16o").dst, blocked),
            (weights.with_layout("channels_last"), Shape("f32[64,20,3,3]{1,3,2,0}")),
            (Shape.array("f32", (2, 3), "0,1"), Shape("f32[2,3]")),
            (Shape.array("f32", (2, 3), "F", dynamic=(True, False)), Shape("f32[<=2,3]{0,1}")),
            (Shape.array("f32", (2,), "{0}", keep_missing_layout=True), Shape("f32[2]")),
            (buffer.with_layout("col"), Shape("b(f32[2,3]{0,1})")),
            (buffer.with_words("1,0").result, Shape("b(f32[3,2])")),
            (Shape("s4[2,3]{1,0:E(4)}").with_layout("row"), Shape("s4[2,3]{1,0}")),
        )
        invalid, text = xlashape.InvalidArgumentError, "'1,0' permutes the dimensions, .* use relayout, or Shape.with"
        self.refused(
            (invalid, text, lambda: Shape("f32[2,3]").with_layout("1,0")),
            (invalid, text, lambda: Shape("f32[2,2]").with_layout("1,0")),
            (invalid, text, lambda: Shape("f32[1,1]").with_layout("1,0")),
            (invalid, text, lambda: Shape.array("f32", (2, 3), "1,0")),
            (invalid, text, lambda: Plan("f32[2,3]", "1,0")),
            (TypeError, "a layout or its text", lambda: Shape("f32[2,3]").with_layout((1, 0))),
            (TypeError, "a layout or its text", lambda: relayout(DATA, (1, 0), of="u8[4,6]")),
        )

    def test_notations(self):
        shape = Shape("f32[2,3]{0,1}")
        wanted = {
            "memref": "memref<2x3xf32, strided<[1, 2]>>",
            "cute": "(2,3):(1,2)",
            "numpy": "{'shape': (2, 3), 'strides': (4, 8), 'dtype': 'float32'}",
            "onednn": "ba",
            "jax": "Layout(major_to_minor=(1, 0), tiling=None, sub_byte_element_size_in_bits=0)",
            "pack": "outer_dims_perm = [1, 0] inner_dims_pos = [] inner_tiles = []",
        }
        for name, text in wanted.items():
            self.assertEqual(shape.to_notation(name), text)
            self.assertEqual(shape.to_notation(Notation[name.upper()]), text)
            if name in ("onednn", "jax", "pack"):
                self.assertEqual(Shape("f32[2,3]").with_words(text).result, shape)
            else:
                self.assertEqual(Shape.read("f32 " * (name == "cute") + text), shape)
        self.equal(
            (Shape("f32[2,3]").to_notation("mlir"), "tensor<2x3xf32>"),
            (shape.to_notation("mlir", with_layout=False), "tensor<2x3xf32>"),
            ({notation.name.lower() for notation in Notation}, {*wanted, "mlir"}),
        )
        invalid, unsupported = xlashape.InvalidArgumentError, xlashape.UnsupportedError
        self.refused(
            (invalid, "it must be one of mlir, memref, cute", lambda: shape.to_notation("cutie")),
            (invalid, "99 is not one of Notation$", lambda: shape.to_notation(99)),
            (invalid, "is of the notation", lambda: shape.to_notation("cute", with_layout=False)),
            (TypeError, "notation must be an integer", lambda: shape.to_notation(None)),
            (unsupported, "row-major", lambda: shape.to_notation("mlir")),
            (unsupported, "a tuple", lambda: Shape.tuple([shape]).to_notation("onednn")),
        )

    def test_relayouts(self):
        """Of memory: what comes out has the dimensions that the words ask for."""
        planes = relayout(DATA, "HWC->CHW", of="u8[2,4,3]")
        self.equal(
            (str(planes.shape), "u8[3,2,4]{2,1,0}"),
            (planes.tobytes(), DATA[0::3] + DATA[1::3] + DATA[2::3]),
            (planes.relayout("CHW->HWC").tobytes(), DATA),
            (planes.relayout("CHW->HWC").shape, Shape("u8[2,4,3]")),
            (relayout(DATA, "u8[2,4,3]{1,0,2}", of="u8[2,4,3]").tobytes(), planes.tobytes()),
            (relayout(DATA, "T(2,2)", of="u8[4,6]").shape, Shape("u8[4,6]{1,0:T(2,2)}")),
        )
        view = memoryview(bytearray(24)).cast("B", (3, 2, 4))
        self.assertIs(relayout(DATA, "2,0,1", of="u8[2,4,3]", out=view), view)
        self.assertEqual(view.tobytes(), planes.tobytes())
        moved = bytearray(DATA)
        self.assertEqual(relayout(moved, ".T", of="u8[4,6]", in_place=True).shape, Shape("u8[6,4]"))
        self.assertEqual(moved, b"".join(DATA[column::6] for column in range(6)))
        same = relayout(DATA, ".T", of="u8[1,24]", copy=False)  # nothing has to move
        self.assertEqual((same.shape, same.tobytes()), (Shape("u8[24,1]"), DATA))
        flat, invalid = bytearray(24), xlashape.InvalidArgumentError
        relayout(DATA, "HWC->CHW", of="u8[2,4,3]", out=flat)
        self.assertEqual(flat, planes.tobytes())
        wrong = memoryview(bytearray(24)).cast("B", (2, 4, 3))
        self.refused(
            (invalid, r"out has the dimensions \(2, 4, 3\), 'HWC->CHW' gives \(3, 2, 4\)",
             lambda: relayout(DATA, "HWC->CHW", of="u8[2,4,3]", out=wrong)),
            (invalid, "without moving", lambda: relayout(DATA, "HWC->CHW", of="u8[2,4,3]", copy=False)),
            (invalid, "other dimensions", lambda: relayout(DATA, "u8[4,2,3]", of="u8[2,4,3]")),
            (invalid, "pass convert=True", lambda: relayout(DATA, "float32[2,4,3]", of="u8[2,4,3]")),
        )  # fmt: skip
        self.assertFalse(any(wrong.tobytes()))


@unittest.skipIf(numpy is None, "no NumPy")
class AsNumPy(Case):
    DTYPES = ("bool", "i1", "u1", "i2", "u2", "f2", "i4", "u4", "f4", "i8", "u8", "f8", "c8", "c16")
    SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17)

    def setUp(self):
        self.random = random.Random(14)
        self.dtypes = [numpy.dtype(name) for name in self.DTYPES]
        names = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4", "int2", "float6_e3m2fn", "float4_e2m1fn")
        self.dtypes += [numpy.dtype(getattr(ml_dtypes, name)) for name in names if hasattr(ml_dtypes, name)]

    def array(self, rank):
        """Of any type, contiguous or a view with steps, backwards, or transposed."""
        dtype = self.random.choice(self.dtypes)
        sizes = [self.random.choice(self.SIZES) for _ in range(rank)]
        while numpy.prod(sizes, dtype="i8") > 20000:
            sizes[sizes.index(max(sizes))] = 2
        steps = [1] * rank
        if self.random.random() < 0.5:
            steps = [self.random.choice((1, 1, 2, -1, -3)) for _ in sizes]
        order = list(range(rank))
        if self.random.random() < 0.3:
            self.random.shuffle(order)
        whole = [abs(steps[axis]) * sizes[axis] + self.random.choice((0, 0, 1)) for axis in order]
        count = int(numpy.prod(whole, dtype="i8"))
        block = numpy.frombuffer(self.random.getrandbits(8 * count * dtype.itemsize + 8).to_bytes(
            count * dtype.itemsize + 1, "little")[:-1], dtype if dtype != bool else "u1")  # fmt: skip
        block = (block % 2).astype(bool) if dtype == bool else block.copy()
        array = block.reshape(whole).transpose(numpy.argsort(order).astype(int))
        array = array[(..., *(slice(None, None, step) for step in steps))]
        array = array[(..., *(slice(0, size) for size in sizes))]
        self.assertEqual(array.shape, tuple(sizes))
        return array

    def permutation(self, rank):
        """(words, the permutation that they are)"""
        axes = list(range(rank))
        self.random.shuffle(axes)
        numbers = ", ".join(map(str, (axis - rank * self.random.randint(0, 1) for axis in axes)))
        forms = [(f"({numbers},)" if rank == 1 else f"({numbers})", axes), (f"[{numbers}]", axes)]
        forms += [(f"{how}({numbers})", axes) for how in ("permute", ".permute", "x.permute")]
        forms += [(f"np.transpose(x, ({numbers}))", axes), (f"perm=[{numbers}]", axes), (f"axes=({numbers})", axes)]
        forms += [(numbers, axes)] if rank > 1 else []
        forms += [(f"x.transpose({numbers})", axes)] if rank > 2 else []
        forms += [(word, axes[::-1]) for word in (".T", "x.T", "T") for axes in [list(range(rank))]]
        if rank > 1:
            plain, a, b = numpy.empty((1,) * rank), self.random.randrange(-rank, rank), self.random.randrange(rank)
            marked = plain.reshape([1] * rank)
            for name, words in (("swapaxes", f"swapaxes({a}, {b})"), ("moveaxis", f"np.moveaxis(x, {a}, {b})")):
                forms.append((words, self.axes_of(getattr(numpy, name), marked.ndim, a, b)))
            several = self.random.sample(range(rank), 2), self.random.sample(range(rank), 2)
            forms.append((f"moveaxis({several[0]}, {several[1]})", self.axes_of(numpy.moveaxis, rank, *several)))
            forms.append((".mT", [*range(rank - 2), rank - 1, rank - 2]))
        names = self.random.sample(string.ascii_lowercase, rank)
        words = self.random.sample(("batch", "height", "w2", "c", "depth", "k", "s_1"), rank)
        for one in (names, words) if rank > 1 else (names,):
            forms.append((f"{' '.join(one)} -> {' '.join(one[axis] for axis in axes)}", axes))
        letters = self.random.sample("NCDHWGOIT", rank)
        forms.append((f"{''.join(letters)}->{''.join(letters[axis] for axis in axes)}", axes))
        if rank > 0:
            forms.append((f"... {names[0]} -> {names[0]} ...", [rank - 1, *range(rank - 1)]))
        return self.random.choice([form for form in forms if rank > 0 or form[0][-1] == "T"])

    @staticmethod
    def axes_of(function, rank, *arguments):
        """The permutation that a function of NumPy's makes, from the sizes of its result."""
        return [size - 1 for size in function(numpy.empty(range(1, rank + 1)), *arguments).shape]

    def same(self, got, wanted, what):
        self.assertEqual((type(got), got.dtype, got.shape), (numpy.ndarray, wanted.dtype, wanted.shape), what)
        self.assertEqual(got.tobytes(), wanted.tobytes(), what)  # row-major, whatever the memory is

    def test_permutations(self):
        views = 0
        for number in range(2000):
            array = self.array(number % 6)
            words, axes = self.permutation(array.ndim)
            wanted = array.transpose(axes)
            what = f"{words} of {array.dtype}{list(array.shape)}, strides {array.strides}"
            first, again = relayout(array, words), relayout(array.copy("K"), words, copy=True)
            self.same(first, wanted, what)
            self.same(again, wanted, what)
            self.same(relayout(array, words), wanted, what)  # the shorter way
            self.assertTrue(first.flags.c_contiguous and again.flags.c_contiguous, what)
            if numpy.shares_memory(first, array):
                views += 1
                self.assertTrue(wanted.flags.c_contiguous, what)
            else:
                self.assertTrue(first.flags.writeable, what)
            out = numpy.empty(wanted.shape, wanted.dtype)
            self.assertIs(relayout(array, words, out=out), out)
            self.same(out, wanted, what)
            shape = Shape.of(array.copy())
            destination, result = shape.with_words(words)
            self.assertEqual((destination.dimensions, result), (array.shape, Shape.of(out)), what)
            if number % 5 == 0:
                given = relayout(array.tobytes(), words, of=shape)
                self.assertEqual((given.shape, given.tobytes()), (result, wanted.tobytes()), what)
            # There and back: the inverse, in numbers.
            if array.ndim:
                back = ",".join(map(str, numpy.argsort(axes))) + "," * (array.ndim == 1)
                self.same(relayout(first, f"({back})"), array, what)
        self.assertGreater(views, 100)

    def test_orders(self):
        """The array's dimensions stay, and lie in another order."""
        for number in range(600):
            array = self.array(number % 6)
            axes = list(range(array.ndim))
            self.random.shuffle(axes)
            letters = "".join("abcdef"[axis] for axis in axes)
            jax = f"Layout(major_to_minor=({', '.join(map(str, axes))}{',' * (array.ndim == 1)}))"
            forms = [(letters, axes), (jax, axes)] if array.ndim else [(jax, axes)]
            forms += [("row", sorted(axes)), ("C", sorted(axes)), ("order='F'", sorted(axes)[::-1])]
            forms += [("channels_last", [0, 2, 3, 1])] * 3 if array.ndim == 4 else []
            words, order = self.random.choice(forms)
            result, what = relayout(array, words), f"{words} of {array.dtype}{list(array.shape)}"
            self.same(result, array, what)
            self.assertTrue(result.transpose(order).flags.c_contiguous, what)
            self.same(relayout(array, Shape.of(array.copy()).with_layout(words)), array, what)

    def test_blocks(self):
        """The memory, with sizes padded to whole blocks."""
        for number in range(600):
            array = self.array(1 + number % 4)
            axes = list(range(array.ndim))
            self.random.shuffle(axes)
            block, inner = self.random.choice((2, 3, 4, 8)), self.random.randrange(array.ndim)
            blocks = [(inner, block)]
            if array.ndim > 1 and self.random.random() < 0.5:
                other = self.random.choice([axis for axis in axes if axis != inner])
                blocks.append((other, self.random.choice((2, 4))))
            large = [axis for axis, _ in blocks]
            tag = "".join("abcd"[axis].upper() if axis in large else "abcd"[axis] for axis in axes)
            tag += "".join(f"{size}{'abcd'[axis]}" for axis, size in blocks)
            sizes = dict(blocks)
            padding = [(0, -size % sizes.get(axis, 1)) for axis, size in enumerate(array.shape)]
            padded = numpy.zeros([size + after for size, (_, after) in zip(array.shape, padding)], array.dtype)
            padded[tuple(map(slice, array.shape))] = array
            # Each dimension as (blocks, within a block).
            split = padded.reshape([
                part for axis, size in enumerate(padded.shape)
                for part in (size // sizes.get(axis, 1), sizes.get(axis, 1))
            ])  # fmt: skip
            wanted = split.transpose([2 * axis for axis in axes] + [
                2 * axis + 1 for axis in [*(a for a in range(array.ndim) if a not in large), *large]
            ])  # fmt: skip
            what = f"{tag} of {array.dtype}{list(array.shape)}"
            result = relayout(array, tag)
            self.assertEqual((result.ndim, result.dtype, result.tobytes()), (1, array.dtype, wanted.tobytes()), what)
            shape = Shape.of(array.copy()).with_layout(tag)
            self.same(relayout(result, "row", of=shape), array, what)

    def test_the_photograph(self):
        photo = numpy.arange(4 * 5 * 3, dtype="u1").reshape(4, 5, 3)
        planes = relayout(photo, "HWC->CHW")
        self.assertEqual(planes.shape, (3, 4, 5))
        self.assertTrue(planes.flags.c_contiguous and planes.flags.writeable)
        numpy.testing.assert_array_equal(planes, photo.transpose(2, 0, 1).copy())
        self.assertTrue(numpy.shares_memory(relayout(photo.transpose(1, 2, 0), "2,0,1"), photo))
        moved = photo.copy()
        inside = relayout(moved, "HWC->CHW", in_place=True)
        self.assertTrue(numpy.shares_memory(inside, moved))
        numpy.testing.assert_array_equal(inside, planes)
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "out has the dimensions"):
            relayout(photo, "HWC->CHW", out=numpy.empty_like(photo))

    def test_words_are_read_once(self):
        """Of arrays like one that was moved."""
        array = numpy.arange(24, dtype="f4").reshape(2, 3, 4)
        relayout(array, "a b c -> c a b")
        with mock.patch.object(raw, "shape_with_words", side_effect=AssertionError):
            for step in range(3):
                self.same(relayout(array + step, "a b c -> c a b"), (array + step).transpose(2, 0, 1), "again")


class Random(unittest.TestCase):
    def test_nothing_but_errors(self):
        """Whatever the words are."""
        dice = random.Random(3)
        shapes = [Shape("f32[2,3,4]"), Shape("s4[8]{0:E(4)}"), Shape("f32[]"), Shape("f32[0,5]")]
        pieces = ("NHWC", "->", "2", ",", "0", "1", "(", ")", "[", "]", "{", "}", ":", "T", ".T", "permute", "row", " ")
        pieces += ("abc", "16b", "x", "f32", "tensor<", "memref<", "strided<", ">", "Layout", "=", "'", "é", "\0")
        read = 0
        for _, shape in itertools.product(range(1500), shapes):
            text = "".join(dice.choice(pieces) for _ in range(dice.randint(0, 6)))
            for read_it in (shape.with_words, Shape.read, ElementType.of):
                try:
                    read_it(text)
                    read += 1
                except xlashape.XlashapeError:
                    pass
        self.assertGreater(read, 50)


if __name__ == "__main__":
    unittest.main()
