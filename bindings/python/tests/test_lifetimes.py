# SPDX-License-Identifier: Apache-2.0
"""Copies and pickles of what holds a handle of C's: none gives it back twice, and none outlives its process. And the
interpreter's end: what others hold of this package's is let go of when most of Python is gone already."""

import copy
import gc
import pickle
import subprocess
import sys
import unittest

import xlashape
from cases import Case
from xlashape import Array, FillPolicy, IndexMap, IndexPlan, Plan, Runtime, Shape
from xlashape._call import Handle, PlanHandle

SHAPES = ("u8[3,4]", "u8[3,4]{0,1}")
DATA, MOVED = b"abcdefghijkl", b"aeibfjcgkdhl"


def moved(plan):
    out = bytearray(12)
    plan.execute(DATA, out)
    return bytes(out)


class Copies(Case):
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

    def test_a_plan_with_a_runtime(self):
        with Runtime() as runtime:
            plan = copy.deepcopy(Plan(*SHAPES, runtime=runtime))
        self.assertEqual(moved(plan), MOVED)

    def test_no_runtimes_and_no_handles(self):
        runtime = Runtime()
        for made in (copy.copy, copy.deepcopy, pickle.dumps):
            self.refused(
                (TypeError, "a Runtime cannot be", lambda: made(runtime)),  # noqa: B023
                (TypeError, "cannot be copied or pickled", lambda: made(Handle())),  # noqa: B023
                (TypeError, "cannot be copied or pickled", lambda: made(PlanHandle())),  # noqa: B023
            )

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


class Pickles(Case):
    def again(self, value):
        return pickle.loads(pickle.dumps(value))

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

    def test_index_plans(self):
        index_plan = IndexPlan(IndexMap(SHAPES[0]), to_linear=False, mark_invalid=True, backend="scalar")
        self.assertIn("device", index_plan._options)
        again = self.again(index_plan)
        self.assertEqual((again.backend, again.shape), ("scalar", index_plan.shape))
        self.assertEqual(again._options, index_plan._options)

    def test_refused(self):
        with Runtime() as runtime:
            plan = Plan(*SHAPES, runtime=runtime)
            index_plan = IndexPlan(IndexMap(SHAPES[0]), to_linear=True, runtime=runtime)
        for value in (plan, index_plan):
            self.refused((TypeError, "make it again with a Runtime there", lambda: pickle.dumps(value)))  # noqa: B023
        for value in (Plan(*SHAPES), IndexMap(SHAPES[0]), IndexPlan(IndexMap(SHAPES[0]), to_linear=True)):
            value.close()
            self.assertIn("closed", repr(copy.copy(value)))
            self.refused((xlashape.ClosedError, "", lambda: pickle.dumps(value)))  # noqa: B023

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


# What these places hold goes at different times, most of it after this package's modules.
PROGRAM = """
import builtins, os, sys, threading
%s
sys.kept, os.kept, threading.kept, builtins.kept, main_kept = (kept() for _ in range(5))
sys.function = lambda value=kept(): value
print("end")
"""
# Alone: other objects would keep this package's modules.
CAPSULES = """
from xlashape import Array

def kept():
    array = Array(bytearray(64), "f32[4,4]")
    return [array.__dlpack__(), array.__dlpack__(max_version=(1, 0))]
"""
OBJECTS = """
from xlashape import Array, IndexMap, Plan, Runtime, relayout

class Producer:
    def __dlpack__(self, **options):
        return Array(bytearray(64), "f32[4,4]").__dlpack__(**options)

def log(*line):
    pass

def kept():
    array = Array(bytearray(64), "f32[4,4]")
    cycle = []
    cycle.append((cycle, array, array.__dlpack__()))
    plan = Plan("f32[4,4]", "f32[4,4]{0,1}", runtime=Runtime(log=log, executor=log))
    return [array.__dlpack__(), array.__dlpack__(max_version=(1, 0)), relayout(Producer(), "{1,0}"), array, cycle, plan,
            IndexMap("f32[4]"), relayout(b"abcd", of="u8[4]", to="{0}"), Runtime(log=log)]
"""
NUMPY = """
import numpy
from xlashape import Array

def kept():
    return [numpy.from_dlpack(Array(bytearray(64), "f32[4,4]")), numpy.asarray(Array(bytearray(64), "f32[4,4]{0,1}"))]
"""


class End(unittest.TestCase):
    def ends_well(self, what):
        run = subprocess.run([sys.executable, "-c", PROGRAM % what], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "end\n", ""))

    def test_without_numpy(self):
        for what in (CAPSULES, OBJECTS):
            self.ends_well(what)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        if not hasattr(numpy, "from_dlpack"):
            self.skipTest("this NumPy has no from_dlpack")
        self.ends_well(NUMPY)


if __name__ == "__main__":
    unittest.main()
