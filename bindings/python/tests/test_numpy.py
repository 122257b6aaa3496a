"""With NumPy: arrays in, arrays out, nothing copied that need not be."""

import contextlib
import unittest
from unittest import mock

import xlashape
from xlashape import Array, ElementType, IndexMap, Plan, relayout
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
class NumPy(unittest.TestCase):
    def setUp(self):
        self.a = numpy.arange(12, dtype="f4").reshape(3, 4)

    def test_there_and_back(self):
        tiled = relayout(self.a, "{0,1:T(2,2)}")
        self.assertEqual((type(tiled), tiled.dtype, tiled.shape), (numpy.ndarray, self.a.dtype, (16,)))
        back = relayout(tiled, "{1,0}", of="f32[3,4]{0,1:T(2,2)}")
        numpy.testing.assert_array_equal(back, self.a)

    def test_strided_results(self):
        out = relayout(self.a, "{0,1}")
        self.assertEqual(out.strides, (4, 12))
        numpy.testing.assert_array_equal(out, self.a)
        padded = relayout(self.a, "{1,0:PD(3,5)}")
        self.assertEqual(padded.strides, (20, 4))
        numpy.testing.assert_array_equal(padded, self.a)

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

    def test_plan(self):
        out = numpy.empty((4, 3), "f4")
        Plan("f32[3,4]", "f32[3,4]{0,1}").execute(self.a, out)
        numpy.testing.assert_array_equal(out, self.a.T)
        out.flags.writeable = False
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan("f32[3,4]", "f32[3,4]{0,1}").execute(self.a, out)
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan("f32[3,4]", "f32[3,4]{0,1}").execute(self.a.view("i4"), numpy.empty((4, 3), "f4"))
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan("f32[3,4]", "f32[3,4]{0,1}").execute(self.a.T, numpy.empty((4, 3), "f4"))

    def test_index_batches(self):
        index_map = IndexMap("u8[3,4]{0,1:T(2,2)}")
        indices = numpy.argwhere(numpy.ones((3, 4)))
        positions = index_map.linear_indices(indices)
        self.assertIsInstance(positions, numpy.ndarray)
        numpy.testing.assert_array_equal(index_map.multidimensional_indices(positions), indices)
        by_dimension = numpy.asfortranarray(indices)
        numpy.testing.assert_array_equal(index_map.linear_indices(by_dimension), positions)
        numpy.testing.assert_array_equal(index_map.linear_indices(indices[::-2]), positions[::-2])
        out = numpy.zeros((12, 2), "i8", order="F")
        index_map.multidimensional_indices(positions, out=out)
        numpy.testing.assert_array_equal(out, indices)
        for wrong in (indices.astype("i4"), indices.astype("f8")):
            with self.assertRaises(xlashape.InvalidArgumentError):
                index_map.linear_indices(wrong)
        with self.assertRaises(xlashape.OutOfRangeError):
            index_map.linear_indices(indices[:, :1])
        self.assertEqual(index_map.multidimensional_indices(positions[:0]).shape, (0, 2))

    def test_refused(self):
        with self.assertRaises(xlashape.UnsupportedError):
            relayout(self.a.astype(">f4"), "{0,1}")
        with self.assertRaises(xlashape.UnsupportedError):
            relayout(numpy.array(["x"], dtype=object), "{0}")
        with self.assertRaises(xlashape.UnsupportedError):
            relayout(numpy.zeros(3, "M8[s]"), "{0}")
        with self.assertRaises(xlashape.InvalidArgumentError):
            relayout(self.a, "{0,1}", of="f64[3,2]")

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
