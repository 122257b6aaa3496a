"""Plans: execution, threads, and misuse."""

import array
import sys
import threading
import time
import unittest

import xlashape
from xlashape import FillPolicy, Plan, Shape

SRC, DST = "u8[3,4]", "u8[3,4]{0,1:T(2,2)}"
DATA, TILED = b"abcdefghijkl", b"aebfi\0j\0cgdhk\0l\0"


class Plans(unittest.TestCase):
    def test_execute(self):
        plan = Plan(SRC, DST)
        for source in (DATA, bytearray(DATA), memoryview(DATA), array.array("B", DATA), array.array("b", DATA)):
            out = bytearray(16)
            plan.execute(source, out)
            self.assertEqual(out, TILED)
        self.assertIn(plan.backend, ("scalar", "simd"))
        self.assertIn(plan.backend, plan.describe())
        self.assertIn(plan.backend, repr(plan))
        self.assertGreaterEqual(plan.task_count(4), 1)
        needs = plan.requirements
        self.assertEqual((needs.src_low, needs.dst_high), (0, 16))

    def test_fill(self):
        shape = Shape("u8[3]{0:PD(4)PV(one)}")
        for policy, last in ((FillPolicy.PADDING, 1), (FillPolicy.PRESERVE, 9)):
            out = bytearray(b"\x09" * 4)
            Plan("u8[3]", shape, fill=policy).execute(b"abc", out)
            self.assertEqual(out, b"abc" + bytes([last]))

    def test_strides_and_box(self):
        out = bytearray(6)
        # A reversed view starts at its last byte.
        plan = Plan("u8[6]", "u8[6]", src_byte_strides=[-1])
        view = memoryview(b"abcdef")[::-1]
        plan.execute(view, out)
        self.assertEqual(out, b"fedcba")
        out = bytearray(b"." * 12)
        Plan(SRC, SRC, src_base=(0, 1), dst_base=(1, 0), extent=(2, 2)).execute(DATA, out)
        self.assertEqual(out, b"....bc..fg..")

    def test_tasks(self):
        plan = Plan("u8[64,64]", "u8[64,64]{0,1}")
        data = bytes(i % 251 for i in range(4096))
        whole, parts = bytearray(4096), bytearray(4096)
        plan.execute(data, whole)
        for task in range(3):
            plan.execute_task(data, parts, task, task + 1, 3)
        self.assertEqual(whole, parts)

    def test_identity_onto_itself(self):
        data = bytearray(DATA)
        Plan(SRC, SRC).execute(data, data)
        self.assertEqual(data, DATA)

    def test_backend(self):
        self.assertEqual(Plan(SRC, DST, backend="scalar").backend, "scalar")
        with self.assertRaises(xlashape.NotFoundError):
            Plan(SRC, DST, backend="none such")

    def test_addresses(self):
        import ctypes

        source, target = ctypes.create_string_buffer(DATA, 12), ctypes.create_string_buffer(20)
        at = (ctypes.addressof(source), ctypes.addressof(target))
        Plan(SRC, DST).execute_at(*at, src_byte_size=12, dst_byte_size=20, dst_byte_offset=4)
        self.assertEqual(target.raw, b"\0" * 4 + TILED)
        with self.assertRaises(xlashape.OutOfRangeError):
            Plan(SRC, DST).execute_at(*at, src_byte_size=12, dst_byte_size=15)
        with self.assertRaises(xlashape.OutOfRangeError):
            Plan(SRC, DST).execute_at(*at, src_byte_size=0, dst_byte_size=16)

    def test_what_it_is(self):
        plan = Plan(SRC, DST)
        self.assertEqual((plan.src, plan.dst, plan.src_nbytes, plan.dst_nbytes), (Shape(SRC), Shape(DST), 12, 16))
        plan = Plan("u8[6]", "u8[6]", dst_byte_strides=[-1])
        self.assertEqual((plan.src_nbytes, plan.dst_nbytes, plan.requirements.dst_low), (6, None, -5))
        self.assertIn("scalar", repr(Plan(SRC, DST, backend="scalar")))

    def test_empty(self):
        Plan("u8[0,4]", "u8[0,4]{0,1}").execute(b"", bytearray())


class Misuse(unittest.TestCase):
    def setUp(self):
        self.plan = Plan(SRC, DST)

    def refused(self, kind, source, target, text=""):
        with self.assertRaises(kind) as caught:
            self.plan.execute(source, target)
        self.assertIn(text, str(caught.exception))

    def test_sizes(self):
        self.refused(xlashape.OutOfRangeError, DATA[:-1], bytearray(16), "src has 11 bytes, 12 are wanted")
        self.refused(xlashape.OutOfRangeError, DATA, bytearray(15), "dst has 15 bytes, 16 are wanted")
        self.refused(xlashape.OutOfRangeError, DATA + b"m", bytearray(16))
        self.refused(xlashape.OutOfRangeError, b"", bytearray(16))
        self.refused(xlashape.OutOfRangeError, DATA, bytearray())

    def test_read_only(self):
        self.refused(xlashape.InvalidArgumentError, DATA, bytes(16), "dst is read-only")
        self.refused(xlashape.InvalidArgumentError, DATA, memoryview(bytes(16)), "dst is read-only")

    def test_dtype(self):
        self.plan = Plan("f32[2,3]", "f32[2,3]{0,1}")
        self.refused(xlashape.InvalidArgumentError, array.array("d", [0] * 3), bytearray(24), "src is of d; f32")
        self.refused(xlashape.InvalidArgumentError, array.array("i", [0] * 6), bytearray(24))
        self.refused(xlashape.InvalidArgumentError, bytes(24), array.array("d", [0] * 3), "dst")
        self.plan.execute(array.array("f", [1] * 6), array.array("f", [0] * 6))
        self.plan.execute(array.array("I", [1] * 6), array.array("f", [0] * 6))

    def test_no_arrays(self):
        for wrong in (None, 3, "text", [1, 2], object()):
            self.refused(TypeError, wrong, bytearray(16))
            self.refused(TypeError, DATA, wrong)

    def test_not_contiguous(self):
        self.refused(xlashape.InvalidArgumentError, memoryview(bytes(24))[::2], bytearray(16), "contiguous")

    def test_overlap(self):
        memory = bytearray(40)
        self.refused(xlashape.InvalidArgumentError, memoryview(memory)[:12], memoryview(memory)[8:24], "overlap")

    def test_strides_beyond_the_buffer(self):
        plan = Plan("u8[6]", "u8[6]", src_byte_strides=[2])
        with self.assertRaises(xlashape.OutOfRangeError):
            plan.execute(bytes(10), bytearray(6))
        plan.execute(bytes(11), bytearray(6))

    def test_made_wrong(self):
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan(SRC, "u8[4,3]")
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan(SRC, "s8[3,4]")
        with self.assertRaises(xlashape.InvalidArgumentError):
            Plan(SRC, DST, src_byte_strides=[1])
        with self.assertRaises(xlashape.UnsupportedError):
            Plan("f32[?]", "f32[?]")
        with self.assertRaises(TypeError):
            Plan(SRC, None)
        with self.assertRaises(xlashape.XlashapeError):
            Plan(SRC, DST, fill=7)

    def test_closed(self):
        with self.plan:
            pass
        self.plan.close()
        self.refused(xlashape.ClosedError, DATA, bytearray(16), "closed")
        for call in (
            lambda: self.plan.backend,
            lambda: self.plan.requirements,
            lambda: self.plan.task_count(1),
        ):
            with self.assertRaises(xlashape.ClosedError):
                call()
        self.assertIn("closed", repr(self.plan))


class Threads(unittest.TestCase):
    def test_one_plan_many_threads_and_closed_meanwhile(self):
        """A call in progress keeps the plan; later ones are refused."""
        size = 512
        data = bytes(i % 253 for i in range(size * size))
        plan = Plan(f"u8[{size},{size}]", f"u8[{size},{size}]{{0,1}}")
        wanted = bytearray(size * size)
        plan.execute(data, wanted)
        wrong, refused = [], []

        def work():
            out = bytearray(size * size)
            try:
                while True:
                    plan.execute(data, out)
                    if out != wanted:
                        wrong.append(1)
            except xlashape.ClosedError:
                refused.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        plan.close()
        for thread in threads:
            thread.join()
        self.assertEqual((wrong, len(refused)), ([], 4))

    def test_the_gil_is_given_up(self):
        size = 4096
        source, out = bytearray(4 * size * size), bytearray(4 * size * size)
        plan = Plan(f"f32[{size},{size}]", f"f32[{size},{size}]{{0,1}}")
        running, ticks = threading.Event(), []
        interval = sys.getswitchinterval()
        # Only a call that gives up the GIL lets another thread go on with this.
        sys.setswitchinterval(1000)
        try:

            def count():
                running.set()
                while running.is_set():
                    ticks.append(1)
                    time.sleep(0)

            thread = threading.Thread(target=count)
            thread.start()
            running.wait()
            before = len(ticks)
            plan.execute(source, out)
            after = len(ticks)
        finally:
            sys.setswitchinterval(interval)
            running.clear()
            thread.join()
        self.assertGreater(after, before + 1)
