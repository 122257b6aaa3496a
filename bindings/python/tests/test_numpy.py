# SPDX-License-Identifier: Apache-2.0
"""With NumPy: arrays in, arrays out, nothing copied that need not be."""

import contextlib
import unittest
from unittest import mock

import xlashape
from cases import Case
from xlashape import Array, ElementType, IndexMap, Layout, Plan, Shape, relayout
from xlashape import _raw as raw

try:
    import numpy
except ImportError:
    numpy = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


@unittest.skipIf(numpy is None, "no NumPy")
class NumPy(Case):
    def setUp(self):
        self.a = numpy.arange(12, dtype="f4").reshape(3, 4)

    def test_there_and_back(self):
        tiled = relayout(self.a, "{0,1:T(2,2)}")
        self.assertEqual((type(tiled), tiled.dtype, tiled.shape), (numpy.ndarray, self.a.dtype, (16,)))
        out = relayout(self.a, "{0,1}")
        self.assertEqual(out.strides, (4, 12))
        numpy.testing.assert_array_equal(out, self.a)
        for memory, of in ((tiled, "f32[3,4]{0,1:T(2,2)}"), (out, "f32[3,4]{0,1}")):
            numpy.testing.assert_array_equal(relayout(memory, "{1,0}", of=of), self.a)
        numpy.testing.assert_array_equal(relayout(self.a, "{0,1}", out=numpy.zeros((4, 3), "f4").T), self.a)
        rows, columns = relayout(self.a.T, "row"), relayout(self.a, Shape.array("f32", (3, 4), "col"))
        self.assertTrue(rows.flags.c_contiguous and columns.flags.f_contiguous)

    def test_layouts_that_are_more_than_an_order(self):
        """One kind of result, whatever the sizes: the memory."""
        random = numpy.random.RandomState(1)
        plain = 0
        for _ in range(300):
            rank = random.randint(0, 4)
            dimensions = tuple(int(size) for size in random.randint(0 if rank > 2 else 1, 10, rank))
            order = [int(dimension) for dimension in random.permutation(rank)]
            parts = {}
            if rank and random.randint(2):
                tile = tuple(int(size) for size in random.choice([1, 2, 4, 8], random.randint(1, rank + 1)))
                parts["tiles"] = [tile, (2, 1)] if random.randint(2) and len(tile) > 1 else [tile]
            elif rank and random.randint(3) == 0:
                parts["padded_dimensions"] = [size + int(random.randint(3)) for size in dimensions]
            if random.randint(4) == 0:
                parts["tail_padding_alignment_in_elements"] = 16
            plain += not parts
            dtype = random.choice(["u1", "f4", "c16"])
            array = random.randint(0, 200, dimensions).astype(dtype)
            try:
                shape = Shape.of(array).with_layout(Layout(order, **parts))
            except xlashape.XlashapeError:
                continue  # such tiles and orders are no layout
            result = relayout(array, shape)
            self.assertEqual(result.dtype, array.dtype)
            if parts:
                self.assertEqual((result.ndim, len(result.tobytes())), (1, shape.padded_nbytes), str(shape))
                wanted = bytearray(shape.padded_nbytes)
                Plan(Shape.of(array), shape).execute(array.tobytes(), wanted)
                self.assertEqual(result.tobytes(), wanted, str(shape))
            else:
                numpy.testing.assert_array_equal(result, array)
            back = relayout(result, Shape.of(array), of=shape)
            self.assertEqual(back.shape, dimensions, str(shape))
            numpy.testing.assert_array_equal(back, array)
            again = numpy.empty_like(array)
            Plan(shape, Shape.of(array)).execute(result, again)
            numpy.testing.assert_array_equal(again, array)
        self.assertGreater(plain, 30)

    def test_large_results_begin_with_a_line(self):
        for side in (1024, 1031):
            large = numpy.arange(side * side, dtype="u2").reshape(side, side)
            out = relayout(large, "{0,1}")
            self.assertEqual(out.ctypes.data % 64, 0)
            numpy.testing.assert_array_equal(out, large)

    def test_masks(self):
        masked = numpy.ma.array(self.a, mask=self.a > 3)
        self.refused((xlashape.UnsupportedError, "has a mask", lambda: relayout(masked, "{0,1}")))
        for array in (masked.data, masked.filled(0), numpy.ma.array(self.a)):
            numpy.testing.assert_array_equal(relayout(array, "{0,1}"), array)

    def test_views(self):
        for view in (self.a, self.a.T, self.a[::-1], self.a[:, ::2], self.a[1:, :3], self.a[:, :1].repeat(2, 1)):
            out = relayout(view, "{0,1}", copy=True)
            numpy.testing.assert_array_equal(out, view)
        broadcast = numpy.broadcast_to(self.a[0], (5, 4))
        numpy.testing.assert_array_equal(relayout(broadcast, "{0,1}"), broadcast)

    def test_no_copies_without_need(self):
        self.assertTrue(numpy.shares_memory(relayout(self.a, "{1,0}"), self.a))
        self.assertTrue(numpy.shares_memory(relayout(self.a.T, "{0,1}"), self.a))
        self.assertFalse(numpy.shares_memory(relayout(self.a, "{0,1}"), self.a))
        self.assertFalse(numpy.shares_memory(relayout(self.a, "{1,0}", copy=True), self.a))
        readonly = self.a.copy()
        readonly.flags.writeable = False
        self.assertFalse(relayout(readonly, "{1,0}").flags.writeable)
        array = relayout(memoryview(self.a), "{0,1}")
        seen = numpy.asarray(array)
        self.assertTrue(numpy.shares_memory(seen, numpy.asarray(array)))
        numpy.testing.assert_array_equal(seen, self.a)
        numpy.testing.assert_array_equal(array.numpy(), self.a)
        self.assertEqual(numpy.asarray(relayout(array, "{0,1:T(2,2)}")).shape, (16,))

    def test_out(self):
        out = numpy.zeros((4, 3), "f4").T
        tiled = relayout(self.a, "{0,1:T(2,2)}")
        self.assertIs(relayout(tiled, of="f32[3,4]{0,1:T(2,2)}", out=out), out)
        numpy.testing.assert_array_equal(out, self.a)
        wide = numpy.full((6, 8), -1, "f4")
        relayout(self.a, out=wide[::2, 1::2])
        numpy.testing.assert_array_equal(wide[::2, 1::2], self.a)
        self.assertEqual((wide == -1).sum(), 36)

    def test_dlpack(self):
        array = relayout(memoryview(self.a), "{0,1}")
        if hasattr(numpy, "from_dlpack"):
            seen = numpy.from_dlpack(array)
            numpy.testing.assert_array_equal(seen, self.a)
            self.assertTrue(numpy.shares_memory(seen, numpy.asarray(array)))
        producer = type("P", (), {"__dlpack__": lambda _, **k: self.a.__dlpack__(**k)})()
        numpy.testing.assert_array_equal(relayout(producer, "{0,1}").numpy(), self.a)

    def test_dlpack_while_an_exception_passes(self):
        """NumPy gives memory back while it is raised."""
        if not hasattr(numpy, "from_dlpack"):
            self.skipTest("this NumPy has no from_dlpack")
        array = Array(bytearray(16), "u8[4,4]{0,1}")
        for raised, function in (
            (ZeroDivisionError, lambda: print(numpy.from_dlpack(array), 1 // 0)),
            (KeyError, lambda: [numpy.from_dlpack(array), {}["missing"]]),
            (IndexError, lambda: numpy.from_dlpack(array)[99]),
            (ValueError, lambda: numpy.from_dlpack(array).reshape(7)),
        ):
            with self.assertRaises(raised):
                function()

    def test_plan(self):
        out, plan, invalid = numpy.empty((4, 3), "f4"), Plan("f32[3,4]", "f32[3,4]{0,1}"), xlashape.InvalidArgumentError
        plan.execute(self.a, out)
        numpy.testing.assert_array_equal(out, self.a.T)
        frozen = out.copy()
        frozen.flags.writeable = False
        self.refused(
            (invalid, "read-only", lambda: plan.execute(self.a, frozen)),
            (invalid, "int32", lambda: plan.execute(self.a.view("i4"), out)),
            (invalid, "contiguous", lambda: plan.execute(self.a.T, out)),
        )

    def test_again(self):
        """Arrays like the last ones take a shorter way, and get the same result, or error."""
        random = numpy.random.RandomState(2)
        forms = ["row", "col", "{0,1:T(2,2)}", "{0,1:T(8,128)}", "f32[3,4]{0,1}"]
        for to in [*forms, *forms]:
            for array in (self.a, self.a[:, ::-1][:, ::-1], self.a.T.copy().T, numpy.zeros((6, 8), "f4")[::2, ::2]):
                array[...] = random.randint(0, 99, (3, 4))
                first, second = relayout(array, to, copy=True), relayout(array, to)
                self.assertEqual(
                    (second.shape, second.strides, second.dtype), (first.shape, first.strides, first.dtype)
                )
                numpy.testing.assert_array_equal(second, first)
        whole = numpy.arange(4, dtype="i4").reshape(2, 2)
        for dtype in ("i4", "u4", "f4"):  # of one size
            for _ in range(2):
                self.assertEqual(relayout(whole.view(dtype), "{0,1}").dtype, dtype)
        for size in range(1, 300):  # more than are remembered
            for _ in range(2):
                numpy.testing.assert_array_equal(relayout(numpy.ones((2, size)), "{0,1:T(4)}")[0], 1)
        for _ in range(2):
            self.assertEqual(relayout(numpy.zeros((0, 3), "f4"), "{0,1}").shape, (0, 3))
            with self.assertRaises(xlashape.UnsupportedError):
                relayout(numpy.ma.array(self.a, mask=self.a >= 0), "{0,1:T(2,2)}")

    def test_a_plan_again(self):
        plan, out = Plan("f32[3,4]", "f32[3,4]{0,1}"), numpy.zeros((3, 4), "f4", order="F")
        for step in range(4):
            array = self.a + step
            plan.execute(array, out)
            numpy.testing.assert_array_equal(out, array)
        views = Plan("f32[3,4]", "f32[3,4]{0,1}", src_byte_strides=(-64, 8))
        for step in range(4):
            array = (numpy.arange(48, dtype="f4") + step).reshape(6, 8)[::-2, ::2]
            views.execute(array, out)
            numpy.testing.assert_array_equal(out, array)
        both = numpy.zeros(18, "f4")
        overlapping = both[:12].reshape(3, 4), both[6:].reshape(4, 3).T
        fixed = out.copy("F")
        fixed.flags.writeable = False
        for wrong, error in (
            (overlapping, xlashape.InvalidArgumentError),
            ((self.a, fixed), xlashape.InvalidArgumentError),
            ((self.a, out[:, ::-1]), xlashape.InvalidArgumentError),
            ((self.a[:, :3], out), xlashape.XlashapeError),
            ((self.a.astype("f8"), out), xlashape.XlashapeError),
        ):
            plan.execute(self.a, out)
            with self.assertRaises(error):
                plan.execute(*wrong)
        self.assertFalse(both.any())
        plan.execute(self.a, out)
        plan.close()
        with self.assertRaises(xlashape.ClosedError):
            plan.execute(self.a, out)

    def test_in_place(self):
        wanted = relayout(self.a, "col")  # arrays like it are known from here on
        array = self.a.copy()
        moved = relayout(array, "col", in_place=True)
        self.assertTrue(numpy.shares_memory(moved, array))
        self.assertEqual((moved.shape, moved.strides), (wanted.shape, wanted.strides))
        numpy.testing.assert_array_equal(moved, wanted)
        # A NumPy array in another order of its dimensions goes back.
        numpy.testing.assert_array_equal(relayout(moved, "row", in_place=True), self.a)
        numpy.testing.assert_array_equal(array, self.a)
        tiled = relayout(array, "{0,1:T(2,3)}", in_place=True)
        numpy.testing.assert_array_equal(tiled, relayout(self.a, "{0,1:T(2,3)}"))
        numpy.testing.assert_array_equal(relayout(tiled, "row", of="f32[3,4]{0,1:T(2,3)}", in_place=True), self.a)
        fixed = self.a.copy()
        fixed.flags.writeable = False
        invalid, unsupported = xlashape.InvalidArgumentError, xlashape.UnsupportedError
        self.refused(
            (invalid, "array is read-only", lambda: relayout(fixed, "col", in_place=True)),
            (invalid, "there is an out or copy", lambda: relayout(self.a, "col", out=array, in_place=True)),
            (invalid, "there is an out or copy", lambda: relayout(self.a, "col", copy=False, in_place=True)),
            (unsupported, "in place: .*padding", lambda: relayout(self.a, "{1,0:T(8,128)}", in_place=True)),
            (unsupported, "backwards", lambda: relayout(self.a[::-1], "col", in_place=True)),
            (unsupported, "gaps", lambda: relayout(self.a[:, :3], "col", in_place=True)),
        )

    def test_a_plan_in_place_again(self):
        plan, other = Plan("f32[3,4]", "f32[3,4]{0,1}", in_place=True), self.a.copy()
        columns = Plan("f32[3,4]{0,1}", "f32[3,4]", in_place=True)
        for step in range(4):
            array = self.a + step
            plan.execute(*(array, array)[: 1 + step % 2])
            numpy.testing.assert_array_equal(array.reshape(4, 3).T, self.a + step)
            array = numpy.asfortranarray(self.a + step)
            columns.execute(*(array, array)[: 1 + step % 2])
            numpy.testing.assert_array_equal(array.T.reshape(3, 4), self.a + step)
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, "src and dst must be equal"):
                plan.execute(self.a, other)
        numpy.testing.assert_array_equal(other, self.a)

    def test_index_batches(self):
        index_map = IndexMap("u8[3,4]{0,1:T(2,2)}")
        indices = numpy.argwhere(numpy.ones((3, 4)))
        positions = index_map.linear_indices(indices)
        self.assertIsInstance(positions, numpy.ndarray)
        numpy.testing.assert_array_equal(index_map.multidimensional_indices(positions), indices)
        by_dimension = numpy.asfortranarray(indices)
        numpy.testing.assert_array_equal(index_map.linear_indices(by_dimension), positions)
        numpy.testing.assert_array_equal(index_map.linear_indices(indices[::-2]), positions[::-2])
        numpy.testing.assert_array_equal(index_map.linear_indices(indices[::-1, :]), positions[::-1])
        numpy.testing.assert_array_equal(
            index_map.linear_indices(numpy.broadcast_to(indices[5], (3, 2))), positions[[5] * 3]
        )
        for out in (numpy.zeros((12, 2), "i8", order="F"), numpy.zeros((24, 6), "i8")[::2, 1::3]):
            index_map.multidimensional_indices(positions, out=out)
            numpy.testing.assert_array_equal(out, indices)
        scalar = IndexMap("f32[]")
        self.assertEqual(scalar.linear_indices(numpy.zeros((3, 0), "i8")).tolist(), [0, 0, 0])
        self.assertEqual(scalar.multidimensional_indices(numpy.zeros(3, "i8")).shape, (3, 0))
        backwards, one = numpy.zeros((12, 2), "i8")[::-1], numpy.broadcast_to(numpy.zeros((1, 2), "i8"), (12, 2))
        invalid = xlashape.InvalidArgumentError
        self.refused(
            (invalid, "not positive", lambda: index_map.multidimensional_indices(positions, out=backwards)),
            (invalid, "read-only", lambda: index_map.multidimensional_indices(positions, out=one)),
        )
        for name in ("i1", "u1", "i2", "u2", "i4", "u4", "u8"):
            numpy.testing.assert_array_equal(index_map.linear_indices(indices.astype(name)), positions)
            found = index_map.multidimensional_indices(positions.astype(name))
            numpy.testing.assert_array_equal(found, indices)
        self.refused(
            *(
                (xlashape.XlashapeError, "", lambda it=it: index_map.linear_indices(indices.astype(it)))
                for it in ("f8", "?", ">i4")
            ),
            (
                xlashape.InvalidArgumentError, "int64",
                lambda: index_map.linear_indices(indices, out=numpy.zeros(12, "i4")),
            ),
            (xlashape.OutOfRangeError, "", lambda: index_map.linear_indices(indices[:, :1])),
        )  # fmt: skip
        self.assertEqual(index_map.multidimensional_indices(positions[:0]).shape, (0, 2))

    def test_refused(self):
        column = relayout(self.a, "{0,1}")
        self.refused(
            (xlashape.UnsupportedError, "swapped", lambda: relayout(self.a.astype(">f4"), "{0,1}")),
            (xlashape.UnsupportedError, "", lambda: relayout(numpy.array(["x"], dtype=object), "{0}")),
            (xlashape.UnsupportedError, "", lambda: relayout(numpy.zeros(3, "M8[s]"), "{0}")),
            (xlashape.InvalidArgumentError, "", lambda: relayout(self.a, "{0,1}", of="f64[3,2]")),
            (
                xlashape.InvalidArgumentError, "must be contiguous",
                lambda: relayout(column[:, ::-1], "{1,0}", of="f32[3,4]{0,1}"),
            ),
        )  # fmt: skip

    def test_a_newer_librarys_type(self):
        """It goes by its width."""
        facts = {"name": b"f12", "classes": raw.CLASS_ARRAY, "storage_bits": 16}
        with contextlib.ExitStack() as patches:
            for fact, value in facts.items():
                patches.enter_context(mock.patch.object(raw, f"element_type_{fact}", lambda _, value=value: value))
            kind = ElementType(77)
            self.addCleanup(ElementType._value2member_map_.pop, 77)
            self.assertEqual((kind.name, kind.numpy_dtype(), kind.typestring[1:]), ("UNKNOWN_77", "uint16", "V2"))

    def test_dtypes(self):
        for name in ("bool", "int8", "uint16", "int32", "uint64", "float16", "float64", "complex64", "complex128"):
            array = numpy.arange(6).reshape(2, 3).astype(name)
            self.assertEqual(ElementType.of(array.dtype).numpy_dtype(), array.dtype)
            out = relayout(array, "{0,1}")
            self.assertEqual(out.dtype, array.dtype)
            numpy.testing.assert_array_equal(out, array)
        self.assertIs(ElementType.of(numpy.float32), ElementType.F32)
        zero = numpy.zeros((0, 4), "f4")
        self.assertEqual(relayout(zero, "{0,1}").shape, (0, 4))
        self.assertEqual(relayout(numpy.array(3.5), "{}", copy=True), 3.5)

    @unittest.skipIf(ml_dtypes is None, "no ml_dtypes")
    def test_what_jax_gives_to_nobody_by_dlpack(self):
        class Jax:
            """As jax.Array: DLPack refuses types of less than a byte, and says nothing good of a deleted one."""

            def __init__(self, array, deleted=False):
                self.array, self.deleted, self.dtype = array, deleted, array.dtype

            def is_deleted(self):
                return self.deleted

            def __dlpack__(self, **options):
                raise SystemError("no DLPack")

            def __array__(self, dtype=None, copy=None):
                if self.deleted:
                    raise RuntimeError("Array has been deleted")
                return self.array

        for name in ("int4", "uint4", "int2", "uint2"):
            if not hasattr(ml_dtypes, name):
                continue
            array = (numpy.arange(8) % 4).reshape(2, 4).astype(name)
            out = relayout(Jax(array), "{0,1}")
            self.assertEqual(str(out.shape.element_type), ("u" if name[0] == "u" else "s") + name[-1])
            numpy.testing.assert_array_equal(out.numpy().astype(int), array.astype(int))
            packed = relayout(Jax(array), f"{{0,1:E({name[-1]})}}")
            numpy.testing.assert_array_equal(relayout(packed, "{1,0}").numpy().astype(int), array.astype(int))
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, "read-only"):
                relayout(array, out=Jax(array))
        with self.assertRaisesRegex(RuntimeError, "Array has been deleted"):
            relayout(Jax(self.a, deleted=True), "{0,1}")

    @unittest.skipIf(ml_dtypes is None, "no ml_dtypes")
    def test_ml_dtypes(self):
        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4"):
            array = numpy.arange(6).reshape(2, 3).astype(name)
            out = relayout(array, "{0,1}")
            self.assertEqual(out.dtype, array.dtype)
            numpy.testing.assert_array_equal(out.astype("f4"), array.astype("f4"))
            self.assertEqual(ElementType.of(array.dtype).numpy_dtype(), array.dtype)
        plan = Plan("bf16[2,3]", "bf16[2,3]{0,1}")
        array, out = numpy.arange(6).astype("bfloat16"), numpy.zeros(6, "bfloat16")
        plan.execute(array, out)
        self.assertEqual(list(out.astype(int)), [0, 3, 1, 4, 2, 5])
        self.assertEqual(Array(array, "bf16[6]").numpy().dtype, array.dtype)
