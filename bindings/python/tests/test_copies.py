"""Copies and pickles of what holds a handle of C's: none gives it back twice, and none outlives its process."""

import copy
import gc
import pickle
import subprocess
import sys
import unittest

import xlashape
from xlashape import Array, Box, FillPolicy, IndexMap, IndexPlan, Plan, Runtime, Shape
from xlashape._call import Handle, PlanHandle

SHAPES = ("u8[3,4]", "u8[3,4]{0,1}")
DATA, MOVED = b"abcdefghijkl", b"aeibfjcgkdhl"


def moved(plan):
    out = bytearray(12)
    plan.execute(DATA, out)
    return bytes(out)


class Copies(unittest.TestCase):
    def test_they_share_and_are_closed_alone(self):
        for made in (copy.copy, copy.deepcopy):
            plan = Plan(*SHAPES)
            other = made(plan)
            self.assertIs(other._handle, plan._handle)
            plan.close()
            del plan
            gc.collect()
            # What was given back would be handed out again.
            others = [Plan("u8[5]", "u8[5]") for _ in range(20)]
            self.assertEqual(moved(other), MOVED)
            self.assertEqual(len(others), 20)
            with self.assertRaises(xlashape.ClosedError):
                moved(made_closed(other))

    def test_all_kinds(self):
        index_map = IndexMap(SHAPES[1])
        index_plan = IndexPlan(index_map, to_linear=True)
        for made in (copy.copy, copy.deepcopy):
            self.assertEqual(made(index_map).linear_index((1, 2)), 7)
            self.assertIs(made(index_map)._handle, index_map._handle)
            self.assertEqual(made(index_plan).backend, index_plan.backend)
            self.assertEqual(made({"plan": index_plan})["plan"].shape, Shape(SHAPES[1]))

    def test_boxes(self):
        for box in (Box((1, 5), (4, 3), (2, 2), minor_to_major=(0, 1)), Box((1, 0), (2, 2)), Box((), ())):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                other = pickle.loads(pickle.dumps(box, protocol))
                self.assertEqual((list(other), other.minor_to_major), (list(box), box.minor_to_major))
            self.assertEqual(list(copy.copy(box)), list(box))
            self.assertEqual(list(eval(repr(box))), list(box))  # pylint: disable=eval-used
        self.assertEqual(repr(Box((1, 0), (2, 2))), "Box((1, 0), (2, 2), (1, 1))")

    def test_a_plan_with_a_runtime(self):
        with Runtime() as runtime:
            plan = copy.deepcopy(Plan(*SHAPES, runtime=runtime))
        self.assertEqual(moved(plan), MOVED)

    def test_no_runtimes_and_no_handles(self):
        runtime = Runtime()
        for made in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "a Runtime cannot be"):
                made(runtime)
        for kind in (Handle, PlanHandle):
            for made in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    made(kind())

    def test_arrays(self):
        memory = bytearray(DATA)
        array = Array(memory, SHAPES[0])
        others = [made(array) for made in (copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it)))]
        memory[0] = 0
        for other in others:
            self.assertEqual((other.tobytes(), other.shape), (DATA, array.shape))
            self.assertFalse(other.data.readonly)
        self.assertTrue(copy.copy(Array(DATA, SHAPES[0])).data.readonly)


def made_closed(plan):
    other = copy.copy(plan)
    other.close()
    return other


class Pickles(unittest.TestCase):
    def again(self, value):
        return pickle.loads(pickle.dumps(value))

    def test_plans(self):
        plan = self.again(Plan(*SHAPES))
        self.assertEqual((moved(plan), plan.src, plan.dst), (MOVED, Shape(SHAPES[0]), Shape(SHAPES[1])))

    def test_options_come_along(self):
        out = bytearray(b"." * 12)
        plan = Plan(SHAPES[0], SHAPES[0], src_base=(0, 1), dst_base=iter((1, 0)), extent=(2, 2), backend="scalar")
        again = self.again(self.again(plan))
        again.execute(DATA, out)
        self.assertEqual((bytes(out), again.backend), (b"....bc..fg..", "scalar"))
        out = bytearray(6)
        self.again(Plan("u8[6]", "u8[6]", src_byte_strides=[-1])).execute(memoryview(b"abcdef")[::-1], out)
        self.assertEqual(out, b"fedcba")
        out = bytearray(b"\x09" * 4)
        self.again(Plan("u8[3]", "u8[3]{0:T(4)}", fill=FillPolicy.PRESERVE)).execute(b"abc", out)
        self.assertEqual(out, b"abc\x09")

    def test_index_maps(self):
        again = self.again(IndexMap("u8[3,4]{0,1:T(2,2)}"))
        self.assertEqual((again.linear_index((2, 3)), str(again.shape)), (14, "u8[3,4]{0,1:T(2,2)}"))

    def test_index_plans(self):
        index_plan = IndexPlan(IndexMap(SHAPES[0]), to_linear=False, mark_bad=True, backend="scalar")
        self.assertIn("device", index_plan._options)
        again = self.again(index_plan)
        self.assertEqual((again.backend, again.shape), ("scalar", index_plan.shape))
        self.assertEqual(again._options, index_plan._options)

    def test_with_a_runtime(self):
        with Runtime() as runtime:
            plan, index_plan = Plan(*SHAPES, runtime=runtime), IndexPlan(
                IndexMap(SHAPES[0]), to_linear=True, runtime=runtime
            )
        for value in (plan, index_plan):
            with self.assertRaisesRegex(TypeError, "make it again with a Runtime there"):
                pickle.dumps(value)

    def test_closed(self):
        for value in (Plan(*SHAPES), IndexMap(SHAPES[0]), IndexPlan(IndexMap(SHAPES[0]), to_linear=True)):
            value.close()
            self.assertIn("closed", repr(copy.copy(value)))
            with self.assertRaises(xlashape.ClosedError):
                pickle.dumps(value)

    def test_in_another_process(self):
        values = (Plan(*SHAPES), IndexMap(SHAPES[1]), IndexPlan(IndexMap(SHAPES[1]), to_linear=True))
        program = (
            "import pickle, sys; plan, map, index_plan = pickle.load(sys.stdin.buffer); out = bytearray(12); "
            "plan.execute(b'abcdefghijkl', out); print(out.decode(), map.linear_index((1, 2)), index_plan.shape)"
        )
        run = subprocess.run(
            [sys.executable, "-c", program], input=pickle.dumps(values), stdout=subprocess.PIPE, check=True
        )
        self.assertEqual(run.stdout.decode().strip(), "aeibfjcgkdhl 7 u8[3,4]{0,1}")
