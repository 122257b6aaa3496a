"""The interpreter's end: what others hold of this package's is let go of when most of Python is gone already."""

import subprocess
import sys
import unittest

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

    def test_capsules(self):
        self.ends_well(CAPSULES)

    def test_objects(self):
        self.ends_well(OBJECTS)

    def test_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        if not hasattr(numpy, "from_dlpack"):
            self.skipTest("this NumPy has no from_dlpack")
        self.ends_well(NUMPY)
