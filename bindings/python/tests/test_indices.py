# SPDX-License-Identifier: Apache-2.0
"""Index maps and index plans: batches, every kind of memory for them, misuse."""

import array
import ctypes
import unittest
from itertools import product

import xlashape
from cases import Case, in_threads
from xlashape import IndexMap, IndexPlan, Shape

TILED = "u8[3,4]{0,1:T(2,2)}"
MAP = IndexMap(TILED)
INDICES = list(product(range(3), range(4)))


def numbers(*values):
    return (ctypes.c_int64 * len(values))(*values)


class Maps(Case):
    def test_both_ways(self):
        positions = [MAP.linear_index(index) for index in INDICES]
        scalar = IndexMap("f32[]")
        self.equal(
            ((MAP.rank, MAP.storage_elements, MAP.shape, positions[-1]), (2, 16, Shape(TILED), 14)),
            ([MAP.multidimensional_index(position) for position in positions], INDICES),
            (MAP.multidimensional_index(5), None),
            ((scalar.linear_index(()), scalar.multidimensional_index(0)), (0, ())),
            (MAP.linear_indices(INDICES).tolist(), positions),
            (MAP.multidimensional_indices(positions).tolist(), [list(index) for index in INDICES]),
            (MAP.linear_indices(MAP.multidimensional_indices(positions)).tolist(), positions),
            ((len(MAP.linear_indices([])), len(MAP.multidimensional_indices([]))), (0, 0)),
            (repr(MAP), f"<xlashape.IndexMap {TILED}>"),
        )

    def test_other_integers(self):
        for letter in "bBhHiIlLqQ":
            positions = array.array(letter, [0, 14, 8])
            self.assertEqual(MAP.multidimensional_indices(positions).tolist(), [[0, 0], [2, 3], [0, 2]])
            indices = memoryview(array.array(letter, [0, 0, 2, 3])).cast("B").cast(letter, (2, 2))
            self.assertEqual(MAP.linear_indices(indices).tolist(), [0, 14])

    def test_out(self):
        out = array.array("q", [0] * 3)
        self.assertIs(MAP.linear_indices([(0, 0), (1, 0), (2, 3)], out=out), out)
        self.assertEqual(list(out), [0, 1, 14])

    def test_the_plan_that_is_kept(self):
        """It is for batches of its kind only, and goes when the map is closed."""
        index_map, indices = IndexMap(TILED), [(0, 0), (2, 3)]
        for _ in range(2):
            self.assertEqual(index_map.linear_indices(indices).tolist(), [0, 14])
            self.assertEqual(index_map.multidimensional_indices([0, 14]).tolist(), [[0, 0], [2, 3]])
            self.assertEqual(index_map.linear_indices([*indices, (9, 9)], mark_invalid=True).tolist(), [0, 14, -1])
            self.refused((xlashape.OutOfRangeError, "", lambda: index_map.linear_indices([*indices, (9, 9)])))
        self.assertEqual(in_threads(4, lambda number: [self.alternate(index_map, number + i) for i in range(200)]), [])
        index_map.close()
        self.assertEqual(index_map._last, (None, None))

    def alternate(self, index_map, number):
        if number % 2:
            self.assertEqual(index_map.linear_indices([(2, 3)]).tolist(), [14])
        else:
            self.assertEqual(index_map.multidimensional_indices([14]).tolist(), [[2, 3]])

    def test_bad_entries(self):
        for call, index in (
            (lambda: MAP.linear_indices([(0, 0), (1, 1), (3, 0)]), 2),
            (lambda: MAP.multidimensional_indices([14, 5]), 1),
        ):
            with self.assertRaises(xlashape.OutOfRangeError) as caught:
                call()
            self.assertEqual(caught.exception.index, index)
        self.assertEqual(MAP.linear_indices([(0, 0), (3, 0)], mark_invalid=True).tolist(), [0, -1])
        self.assertEqual(MAP.multidimensional_indices([5, 14], mark_invalid=True).tolist(), [[-1, -1], [2, 3]])

    def test_misuse(self):
        invalid, range_error = xlashape.InvalidArgumentError, xlashape.OutOfRangeError
        one = [(0, 0)]
        self.refused(
            (range_error, "", lambda: MAP.linear_index((0, 0, 0))),
            (IndexError, "", lambda: MAP.linear_index((3, 0))),
            (TypeError, "", lambda: MAP.linear_index((0.5, 0))),
            (OverflowError, "", lambda: MAP.linear_index((1 << 64, 0))),
            (range_error, "", lambda: MAP.linear_indices([(0, 0), (0,)])),
            (range_error, "has dimensions", lambda: MAP.linear_indices(array.array("i", [0, 1]))),
            (range_error, "", lambda: MAP.linear_indices(one, out=array.array("q", [0, 0]))),
            (invalid, "", lambda: MAP.linear_indices(one, out=array.array("d", [0]))),
            (invalid, "of i, int64", lambda: MAP.linear_indices(one, out=array.array("i", [0]))),
            (invalid, "read-only", lambda: MAP.linear_indices(one, out=memoryview(bytes(8)).cast("q"))),
            (TypeError, "", lambda: MAP.linear_indices(one, out=[0])),
            (TypeError, "a Runtime is wanted", lambda: MAP.linear_indices(one, runtime="simd")),
            (invalid, "of f, int64", lambda: MAP.multidimensional_indices(array.array("f", [0]))),
            (xlashape.UnsupportedError, "", lambda: IndexMap("f32[?]")),
        )

    def test_closed(self):
        with IndexMap(TILED) as closed:
            pass
        closed.close()
        self.assertEqual(repr(closed), "<xlashape.IndexMap closed>")
        for call in (
            lambda: closed.linear_index((0, 0)),
            lambda: closed.multidimensional_index(0),
            lambda: closed.linear_indices([(0, 0)]),
            lambda: closed.rank,
        ):
            self.refused((xlashape.ClosedError, "the index map is closed", call))


def run(plan, src, dst, count, **more):
    sizes = {"src_bytes": ctypes.sizeof(src), "dst_bytes": ctypes.sizeof(dst)}
    return plan.execute_at(ctypes.addressof(src), ctypes.addressof(dst), count, **{**sizes, **more})


class Plans(Case):
    def test_both_ways(self):
        linear, index, back = numbers(0, 14, 5), numbers(*[-7] * 6), numbers(-7, -7, -7)
        self.assertEqual(run(IndexPlan(MAP, to_linear=False, mark_invalid=True), linear, index, 3), 1)
        self.assertEqual(list(index), [0, 0, 2, 3, -1, -1])
        with self.assertRaises(xlashape.OutOfRangeError) as raised:
            run(IndexPlan(MAP, to_linear=True), index, back, 3)
        self.assertEqual((raised.exception.index, list(back[:2])), (2, [0, 14]))

    def test_arrangement_and_offsets(self):
        linear, index = numbers(-7, 14, 0), numbers(*[-7] * 6)
        plan = IndexPlan(MAP, to_linear=False, index_step=1, dimension_step=3, backend="scalar")
        self.assertEqual(run(plan, linear, index, 2, src_byte_offset=8, dst_byte_offset=8), 0)
        self.assertEqual((list(index), plan.backend, plan.shape), ([-7, 2, 0, -7, 3, 0], "scalar", Shape(TILED)))
        self.assertIn("scalar", repr(plan))
        scalar = IndexPlan(IndexMap("f32[]"), to_linear=True)
        self.assertEqual(scalar.execute_at(0, ctypes.addressof(linear), 3, src_bytes=0, dst_bytes=24), 0)
        self.assertEqual(list(linear), [0, 0, 0])

    def test_refused(self):
        plan, a, b = IndexPlan(MAP, to_linear=True), numbers(0, 0), numbers(0)
        range_error, invalid = xlashape.OutOfRangeError, xlashape.InvalidArgumentError
        for kind, more in (
            (range_error, {"src_bytes": 15}),
            (range_error, {"dst_bytes": 0}),
            (invalid, {"src_bytes": -2}),
            (range_error, {"src_byte_offset": 8}),
            (xlashape.UnsupportedError, {"queue_kind": xlashape.QueueKind.CUDA}),
            (range_error, {"count": 2}),
            (xlashape.SizeOverflowError, {"count": 1 << 62}),
            (invalid, {"count": -1}),
            (range_error, {"src_byte_offset": -8}),
        ):
            self.refused((kind, "", lambda: run(plan, a, b, **{"count": 1, **more})))  # noqa: B023
        unchecked = {"src_bytes": xlashape.UNCHECKED, "dst_bytes": xlashape.UNCHECKED}
        self.assertEqual(run(plan, a, b, 1, **unchecked), 0)
        for kind, options in (
            (xlashape.NotFoundError, {"src_space": 33, "dst_space": 33}),
            (invalid, {"src_space": 64}),
            (xlashape.NotFoundError, {"backend": "nothing"}),
            (invalid, {"index_step": -1, "dimension_step": 1}),
        ):
            self.refused((kind, "", lambda: IndexPlan(MAP, to_linear=True, **options)))  # noqa: B023
        self.refused((TypeError, "an IndexMap is wanted", lambda: IndexPlan(TILED, to_linear=True)))
        plan.close()
        self.refused((xlashape.ClosedError, "", lambda: run(plan, a, b, 1)))
        self.assertIn("closed", repr(plan))


if __name__ == "__main__":
    unittest.main()
