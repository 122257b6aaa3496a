"""Many executions in one call, and executions that are looked at between their tasks."""

import gc
import os
import signal
import sys
import threading
import time
import unittest
import weakref
from array import array
from concurrent.futures import ThreadPoolExecutor

import xlashape
from xlashape import Plan, Runtime, execute_list

SRC, DST = "u8[3,4]", "u8[3,4]{0,1:T(2,2)}"
DATA, TILED = b"abcdefghijkl", b"aebfi\0j\0cgdhk\0l\0"
SIDE = 3000
LARGE = (f"u8[{SIDE},{SIDE}]", f"u8[{SIDE},{SIDE}]{{0,1}}")
SOURCE = bytes(i % 251 for i in range(SIDE)) * SIDE


class Lists(unittest.TestCase):
    def test_each_does_what_execute_does(self):
        one, other = Plan(SRC, DST), Plan("f32[2,2]", "f32[2,2]{0,1}")
        backwards = Plan("u8[6]", "u8[6]", src_byte_strides=[-1])
        outs = [bytearray(16), array("f", [0] * 4), bytearray(6), bytearray(16)]
        execute_list(
            [
                (one, DATA, outs[0]),
                (other, array("f", [1, 2, 3, 4]), outs[1]),
                (backwards, memoryview(b"abcdef")[::-1], outs[2]),
                (one, bytearray(DATA.upper()), outs[3]),
            ]
        )
        self.assertEqual(outs, [TILED, array("f", [1, 3, 2, 4]), b"fedcba", TILED.upper()])
        execute_list([])
        execute_list((plan, b"", bytearray()) for plan in [Plan("u8[0]", "u8[0]")])

    def test_boxes_of_one_destination(self):
        out = bytearray(b"." * 12)
        left = Plan("u8[3,2]", SRC, dst_base=(0, 0), extent=(3, 2))
        right = Plan("u8[3,2]{0,1}", SRC, dst_base=(0, 2), extent=(3, 2))
        execute_list([(left, b"abefij", out), (right, b"cgkdhl", out)])
        self.assertEqual(out, DATA)

    def test_tasks_are_spread_together(self):
        counts = []

        def executor(count, task):
            counts.append(count)
            list(pool.map(task, range(count)))

        plans = [Plan(*LARGE, runtime=Runtime(executor=executor, max_workers=4)) for _ in range(3)]
        outs = [bytearray(SIDE * SIDE) for _ in plans]
        with ThreadPoolExecutor(4) as pool:
            execute_list((plan, SOURCE, out) for plan, out in zip(plans, outs))
        wanted = bytearray(SIDE * SIDE)
        Plan(*LARGE).execute(SOURCE, wanted)
        self.assertEqual(outs, [wanted] * 3)
        self.assertEqual(counts, [3 * plans[0].task_count(4)])

    def test_what_is_wrong_and_where(self):
        plan, out = Plan(SRC, DST), bytearray(b"." * 16)
        closed = Plan(SRC, DST)
        closed.close()
        for wrong, kind, text in (
            ((plan, DATA[1:], bytearray(16)), xlashape.OutOfRangeError, "src has 11 bytes, 12 are wanted"),
            ((plan, DATA, bytearray(15)), xlashape.OutOfRangeError, "dst has 15 bytes"),
            ((plan, DATA, bytes(16)), xlashape.InvalidArgumentError, "dst is read-only"),
            ((plan, memoryview(bytes(24))[::2], bytearray(16)), xlashape.InvalidArgumentError, "contiguous"),
            ((plan, array("f", [0] * 3), bytearray(16)), xlashape.InvalidArgumentError, "src is of f"),
            ((closed, DATA, bytearray(16)), xlashape.ClosedError, "closed"),
        ):
            with self.assertRaisesRegex(kind, text) as caught:
                execute_list([(plan, DATA, out), (plan, DATA, bytearray(16)), wrong])
            self.assertEqual(caught.exception.index, 2)
        image = bytearray(28)
        view = memoryview(image)
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "src and dst overlap"):
            execute_list([(plan, view[8:20], view[:16])])
        self.assertEqual(out, b"." * 16)  # nothing has run
        for wrong in ([(None, DATA, out)], [(plan, 3, out)], [(xlashape.IndexMap(SRC), DATA, out)], 3):
            with self.assertRaises(TypeError):
                execute_list(wrong)

    def test_all_of_it_stays_during_the_call(self):
        """A generator drops its plan and its arrays at once; who executes must keep them."""
        outs = [bytearray(16) for _ in range(50)]

        def executions():
            for out in outs:
                yield Plan(SRC, DST), bytearray(DATA), out
                gc.collect()

        execute_list(executions(), progress=lambda done, count: gc.collect())
        self.assertEqual(outs, [TILED] * 50)

    def test_arrays_do_not_move_meanwhile(self):
        sources, outs = [bytearray(12), bytearray(12)], [bytearray(16), bytearray(16)]

        def progress(done, count):
            for memory in sources + outs:
                with self.assertRaises(BufferError):
                    memory.extend(b"more")

        plan = Plan(SRC, DST)
        execute_list([(plan, source, out) for source, out in zip(sources, outs)], progress=progress)
        sources, outs = sources[:1], outs[:1]
        plan.execute(sources[0], outs[0], progress=progress)
        outs[0].extend(b"more")


class Watched(unittest.TestCase):
    def setUp(self):
        self.plan = Plan(*LARGE)
        self.out = bytearray(SIDE * SIDE)
        self.wanted = bytearray(SIDE * SIDE)
        self.plan.execute(SOURCE, self.wanted)

    def ways(self, plan=None):
        plan = plan or self.plan
        yield lambda progress: plan.execute(SOURCE, self.out, progress=progress)
        yield lambda progress: execute_list([(plan, SOURCE, self.out)] * 2, progress=progress)

    def test_hears_of_each_task(self):
        pooled = Plan(*LARGE, runtime=Runtime(threads=4))
        for run in (*self.ways(), *self.ways(pooled)):
            heard = []
            self.out[:] = bytes(len(self.out))
            run(lambda done, count: heard.append((done, count)))
            count = heard[0][1]
            self.assertGreater(count, 8)
            self.assertEqual(sorted(heard), [(done + 1, count) for done in range(count)])
            self.assertEqual(self.out, self.wanted)

    def test_false_cancels(self):
        for run in self.ways():
            heard = []

            def progress(done, count):
                heard.append(done)
                return done < 3

            with self.assertRaisesRegex(xlashape.CancelledError, "3 of .* tasks had ended"):
                run(progress)
            self.assertEqual(heard, [1, 2, 3])
            run(lambda done, count: None)  # which is not False

    def test_exceptions_come_out(self):
        def broken(done, count):
            heard.append(done)
            raise KeyError("mine")

        def broken_at_the_end(done, count):
            if done == count:
                raise KeyError("mine")

        pooled = Plan(*LARGE, runtime=Runtime(threads=4))
        for run in (*self.ways(), *self.ways(pooled)):
            heard = []
            with self.assertRaisesRegex(KeyError, "mine"):
                run(broken)
            self.assertLess(len(heard), 6)
            with self.assertRaisesRegex(KeyError, "mine"):
                run(broken_at_the_end)
        with self.assertRaisesRegex(TypeError, "progress is called with"):
            self.plan.execute(SOURCE, self.out, progress=3)
        with self.assertRaises(xlashape.OutOfRangeError):
            self.plan.execute(SOURCE[1:], self.out, progress=broken)

    def test_nothing_is_left_over(self):
        class Hears:
            def __call__(self, done, count):
                return done < 2

        hears = Hears()
        gone = weakref.ref(hears)
        with self.assertRaises(xlashape.CancelledError):
            self.plan.execute(SOURCE, self.out, progress=hears)
        del hears
        gc.collect()
        self.assertIsNone(gone())

    def signalled(self, number, handler, run):
        """Runs with a signal that comes while C is at work; gives how many tasks were heard of before and after."""
        heard = []

        def progress(done, count):
            heard.append(done)
            if done == 2:
                os.kill(os.getpid(), number)

        before = signal.signal(number, handler)
        try:
            return run(progress)
        finally:
            restored = signal.signal(number, before)
            self.heard = heard
            self.assertIs(restored, handler)

    def test_interrupts(self):
        for run in self.ways():
            with self.assertRaises(KeyboardInterrupt):
                self.signalled(signal.SIGINT, signal.default_int_handler, run)
            self.assertGreaterEqual(len(self.heard), 2)

    def test_an_interrupt_while_c_is_at_work(self):
        """It is pending when C calls, and Python raises it as the callback begins: it must not be lost there."""
        lost = []
        hook, sys.unraisablehook = sys.unraisablehook, lost.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with self.assertRaises(KeyboardInterrupt):
                threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()
                deadline = time.monotonic() + 30
                while time.monotonic() < deadline:
                    self.plan.execute(SOURCE, self.out, progress=lambda done, count: None)
        finally:
            signal.signal(signal.SIGINT, before)
        self.assertEqual(lost, [])

    def test_handlers_that_raise_nothing(self):
        came = []

        def handler(number, frame):
            came.append(number)

        for run in self.ways():
            self.signalled(signal.SIGUSR1, handler, run)
            self.assertEqual(self.out, self.wanted)
        self.assertEqual(came, [signal.SIGUSR1] * 2)

    def test_on_another_thread(self):
        before = signal.getsignal(signal.SIGINT)
        ended = []

        def work():
            try:
                self.plan.execute(SOURCE, self.out, progress=lambda done, count: done < 2)
            except xlashape.CancelledError as error:
                ended.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual((len(ended), signal.getsignal(signal.SIGINT)), (1, before))


class Keys(unittest.TestCase):
    def test_equal_for_equal_questions(self):
        key = Plan.key(SRC, DST)
        self.assertEqual(key, Plan.key(xlashape.Shape("u8[3,4]{1,0}"), xlashape.Shape(DST), fill=0, read_soon=False))
        self.assertTrue(key.startswith("u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)}"), key)
        different = [
            key,
            Plan.key(DST, SRC),
            *(Plan.key(SRC, DST, fill=fill) for fill in (1, 2)),
            *(Plan.key(SRC, DST, **{name: True}) for name in ("allow_fallback", "read_soon")),
            *(Plan.key(SRC, DST, backend=name) for name in ("simd", "nobody")),
            *(Plan.key(SRC, DST, **{name: 2}) for name in ("device", "src_space", "dst_space")),
            *(
                Plan.key(SRC, DST, **{name: (number for number in (1, 2))})
                for name in ("src_byte_strides", "dst_byte_strides", "src_base", "dst_base", "extent")
            ),
            Plan.key(SRC, DST, extent=[2, 1]),
        ]
        self.assertEqual(len(set(different)), len(different), different)
        self.assertEqual(Plan.key("u8[]", "u8[]", extent=()), Plan.key("u8[]", "u8[]", extent=[]))
        self.assertEqual(Plan.key(SRC, DST, extent=b"\1\2"), Plan.key(SRC, DST, extent=(1, 2)))

    def test_refused(self):
        for options, kind, text in (
            ({"extent": [1]}, xlashape.InvalidArgumentError, "extent has 1 values, it takes 2"),
            ({"src_base": [1, 2, 3]}, xlashape.InvalidArgumentError, "src_base has 3 values, it takes 2"),
            ({"dst_base": [1, 1 << 63]}, OverflowError, "entry 1 of 2"),
            ({"backend": "a\0b"}, xlashape.InvalidArgumentError, "NUL"),
            ({"device": -1 << 40}, OverflowError, "device"),
            ({"runtime": None}, TypeError, "runtime"),
            ({"nothing": 1}, TypeError, "nothing"),
        ):
            with self.assertRaisesRegex(kind, text):
                Plan.key(SRC, DST, **options)
        with self.assertRaises(xlashape.UnsupportedError):
            Plan.key("(u8[2])", "u8[2]")
