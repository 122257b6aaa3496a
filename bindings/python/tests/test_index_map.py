"""Index maps: one at a time, batches, misuse."""

import array
import unittest
from itertools import product

import xlashape
from xlashape import IndexMap, Shape

TILED = "u8[3,4]{0,1:T(2,2)}"


class IndexMaps(unittest.TestCase):
    def setUp(self):
        self.map = IndexMap(TILED)
        self.indices = list(product(range(3), range(4)))

    def test_both_ways(self):
        self.assertEqual((self.map.rank, self.map.storage_elements), (2, 16))
        self.assertEqual(self.map.linear_index((2, 3)), 14)
        self.assertEqual(self.map.multidimensional_index(14), (2, 3))
        self.assertIsNone(self.map.multidimensional_index(5))
        for index in self.indices:
            self.assertEqual(self.map.multidimensional_index(self.map.linear_index(index)), index)

    def test_what_it_is(self):
        self.assertEqual(self.map.shape, Shape(TILED))
        self.assertEqual(repr(self.map), f"<xlashape.IndexMap {TILED}>")
        self.map.close()
        self.assertEqual(repr(self.map), "<xlashape.IndexMap closed>")

    def test_batches(self):
        positions = self.map.linear_indices(self.indices)
        self.assertEqual(list(positions), [self.map.linear_index(index) for index in self.indices])
        back = self.map.multidimensional_indices(positions)
        self.assertEqual(back.tolist(), [list(index) for index in self.indices])
        self.assertEqual(self.map.linear_indices(back).tolist(), list(positions))

    def test_other_integers(self):
        for letter in "bBhHiI":
            positions = array.array(letter, [0, 14, 8])
            self.assertEqual(self.map.multidimensional_indices(positions).tolist(), [[0, 0], [2, 3], [0, 2]])
            indices = memoryview(array.array(letter, [0, 0, 2, 3])).cast("B").cast(letter, (2, 2))
            self.assertEqual(self.map.linear_indices(indices).tolist(), [0, 14])
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "of f, int64"):
            self.map.multidimensional_indices(array.array("f", [0]))
        with self.assertRaisesRegex(xlashape.OutOfRangeError, "has dimensions"):
            self.map.linear_indices(array.array("i", [0, 1]))
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "of i, int64"):
            self.map.linear_indices([(0, 0)], out=array.array("i", [0]))

    def test_out(self):
        out = array.array("q", [0] * 3)
        self.assertIs(self.map.linear_indices([(0, 0), (1, 0), (2, 3)], out=out), out)
        self.assertEqual(list(out), [0, 1, 14])
        self.assertEqual(len(self.map.linear_indices([])), 0)
        self.assertEqual(len(self.map.multidimensional_indices([])), 0)

    def test_scalar(self):
        scalar = IndexMap("f32[]")
        self.assertEqual(scalar.linear_index(()), 0)
        self.assertEqual(scalar.multidimensional_index(0), ())

    def test_bad_entries(self):
        with self.assertRaises(xlashape.OutOfRangeError) as caught:
            self.map.linear_indices([(0, 0), (1, 1), (3, 0)])
        self.assertEqual(caught.exception.index, 2)
        self.assertEqual(list(self.map.linear_indices([(0, 0), (3, 0)], mark_bad=True)), [0, -1])
        with self.assertRaises(xlashape.OutOfRangeError):
            self.map.multidimensional_indices([5])
        self.assertEqual(self.map.multidimensional_indices([5, 14], mark_bad=True).tolist(), [[-1, -1], [2, 3]])

    def test_misuse(self):
        with self.assertRaises(xlashape.OutOfRangeError):
            self.map.linear_index((0, 0, 0))
        with self.assertRaises(IndexError):
            self.map.linear_index((3, 0))
        with self.assertRaises(TypeError):
            self.map.linear_index((0.5, 0))
        with self.assertRaises(OverflowError):
            self.map.linear_index((1 << 64, 0))
        with self.assertRaises(xlashape.OutOfRangeError):
            self.map.linear_indices([(0, 0), (0,)])
        with self.assertRaises(xlashape.OutOfRangeError):
            self.map.linear_indices([(0, 0)], out=array.array("q", [0, 0]))
        with self.assertRaises(xlashape.InvalidArgumentError):
            self.map.linear_indices([(0, 0)], out=array.array("d", [0]))
        with self.assertRaises(xlashape.InvalidArgumentError):
            self.map.linear_indices([(0, 0)], out=memoryview(bytes(8)).cast("q"))
        with self.assertRaises(TypeError):
            self.map.linear_indices([(0, 0)], out=[0])
        with self.assertRaises(xlashape.UnsupportedError):
            IndexMap("f32[?]")
        with self.assertRaises(TypeError):
            self.map.linear_indices([(0, 0)], runtime="simd")

    def test_closed(self):
        with self.map as index_map:
            pass
        index_map.close()
        for call in (
            lambda: index_map.linear_index((0, 0)),
            lambda: index_map.multidimensional_index(0),
            lambda: index_map.linear_indices([(0, 0)]),
            lambda: index_map.rank,
        ):
            with self.assertRaises(xlashape.ClosedError):
                call()
