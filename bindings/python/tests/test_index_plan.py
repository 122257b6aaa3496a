"""Index plans: on addresses, with every way to say no."""

import ctypes
import unittest

import xlashape
from xlashape import IndexMap, IndexPlan

MAP = IndexMap("u8[3,4]{0,1:T(2,2)}")


def numbers(*values):
    return (ctypes.c_int64 * len(values))(*values)


def run(plan, src, dst, count, **more):
    sizes = {"src_byte_size": ctypes.sizeof(src), "dst_byte_size": ctypes.sizeof(dst)}
    return plan.execute_at(ctypes.addressof(src), ctypes.addressof(dst), count, **{**sizes, **more})


class IndexPlans(unittest.TestCase):
    def test_both_ways(self):
        linear, index, back = numbers(0, 14, 5), numbers(*[-7] * 6), numbers(-7, -7, -7)
        self.assertEqual(run(IndexPlan(MAP, to_linear=False, mark_bad=True), linear, index, 3), 1)
        self.assertEqual(list(index), [0, 0, 2, 3, -1, -1])
        with self.assertRaises(xlashape.OutOfRangeError) as raised:
            run(IndexPlan(MAP, to_linear=True), index, back, 3)
        self.assertEqual(raised.exception.index, 2)
        self.assertEqual(list(back[:2]), [0, 14])

    def test_arrangement_and_offsets(self):
        linear, index = numbers(-7, 14, 0), numbers(*[-7] * 6)
        plan = IndexPlan(MAP, to_linear=False, index_step=1, dimension_step=3, backend="scalar")
        self.assertEqual(run(plan, linear, index, 2, src_byte_offset=8, dst_byte_offset=8), 0)
        self.assertEqual(list(index), [-7, 2, 0, -7, 3, 0])
        self.assertEqual(plan.backend, "scalar")
        self.assertIn("scalar", repr(plan))
        scalar = IndexPlan(IndexMap("f32[]"), to_linear=True)
        self.assertEqual(scalar.execute_at(0, ctypes.addressof(linear), 3, src_byte_size=0, dst_byte_size=24), 0)
        self.assertEqual(list(linear), [0, 0, 0])

    def test_refusals(self):
        a, b = numbers(0, 0), numbers(0, 0)
        plan = IndexPlan(MAP, to_linear=True)
        for more in ({"src_byte_size": 8}, {"dst_byte_size": 0}, {"src_byte_size": -8}, {"src_byte_offset": 8}):
            with self.assertRaises(xlashape.OutOfRangeError):
                run(plan, a, b, 1, **more)
        with self.assertRaises(xlashape.UnsupportedError):
            run(plan, a, b, 1, queue_kind=xlashape.QueueKind.CUDA)
        for more in ({"count": -1}, {"src_byte_offset": -8}):
            with self.assertRaises(xlashape.InvalidArgumentError):
                run(plan, a, b, **{"count": 1, **more})
        with self.assertRaises(xlashape.NotFoundError):
            IndexPlan(MAP, to_linear=True, src_space=33, dst_space=33)
        with self.assertRaises(xlashape.InvalidArgumentError):
            IndexPlan(MAP, to_linear=True, src_space=64)
        with self.assertRaises(xlashape.NotFoundError):
            IndexPlan(MAP, to_linear=True, backend="nothing")
        with self.assertRaises(xlashape.InvalidArgumentError):
            IndexPlan(MAP, to_linear=True, index_step=-1, dimension_step=1)
        with plan:
            pass
        with self.assertRaises(xlashape.ClosedError):
            run(plan, a, b, 1)
        self.assertIn("closed", repr(plan))


if __name__ == "__main__":
    unittest.main()
