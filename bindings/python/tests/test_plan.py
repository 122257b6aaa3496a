# SPDX-License-Identifier: Apache-2.0
"""Plans: execution, alone and many in one call, looked at between their tasks; keys, threads, and misuse."""

import array
import ctypes
import gc
import os
import pickle
import signal
import sys
import threading
import time
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import xlashape
from cases import Case, in_threads
from xlashape import FillPolicy, Plan, Runtime, Shape, execute_list

SRC, DST = "u8[3,4]", "u8[3,4]{0,1:T(2,2)}"
PACKED = "s4[7]{0:E(4)}"
DATA, TILED = b"abcdefghijkl", b"aebfi\0j\0cgdhk\0l\0"
SIDE = 3000
LARGE = (f"u8[{SIDE},{SIDE}]", f"u8[{SIDE},{SIDE}]{{0,1}}")
SOURCE = bytes(i % 251 for i in range(SIDE)) * SIDE

INVALID, RANGE = xlashape.InvalidArgumentError, xlashape.OutOfRangeError


class Plans(Case):
    def test_execute(self):
        plan = Plan(SRC, DST)
        for source in (DATA, bytearray(DATA), memoryview(DATA), array.array("B", DATA), array.array("b", DATA)):
            out = bytearray(16)
            plan.execute(source, out)
            self.assertEqual(out, TILED)
        for policy, last in ((FillPolicy.PADDING, 1), (FillPolicy.PRESERVE, 9)):
            out = bytearray(b"\x09" * 4)
            Plan("u8[3]", "u8[3]{0:PD(4)PV(one)}", fill=policy).execute(b"abc", out)
            self.assertEqual(out, b"abc" + bytes([last]))
        out = bytearray(b"." * 12)
        Plan(SRC, SRC, src_base=(0, 1), dst_base=iter((1, 0)), extent=(2, 2)).execute(DATA, out)
        self.assertEqual(out, b"....bc..fg..")
        out = bytearray(6)  # a reversed view starts at its last byte
        Plan("u8[6]", "u8[6]", src_byte_strides=[-1]).execute(memoryview(b"abcdef")[::-1], out)
        self.assertEqual(out, b"fedcba")
        # Seven elements of half a byte, from the last one on.
        backwards = Plan(PACKED, PACKED, src_element_strides=iter([-1]), src_first_element=6)
        for plan in (backwards, pickle.loads(pickle.dumps(backwards))):
            out = bytearray(4)
            plan.execute(b"\x21\x43\x65\x07", out)
            self.assertEqual((out, plan.src_nbytes, plan.dst_nbytes), (b"\x67\x45\x23\x01", None, 4))
        out = bytearray(1)
        Plan("s4[]{:E(4)}", "s4[]{:E(4)}", src_element_strides=(), src_first_element=2).execute(b"\x21\x43", out)
        self.assertEqual(out[0] & 15, 3)
        floats = Plan("f32[2,3]", "f32[2,3]{0,1}")
        for letter in "fI":
            floats.execute(array.array(letter, [1] * 6), array.array("f", [0] * 6))
        data = bytearray(DATA)
        Plan(SRC, SRC).execute(data, data)  # onto itself
        self.assertEqual(data, DATA)
        Plan("u8[0,4]", "u8[0,4]{0,1}").execute(b"", bytearray())

    def test_what_it_is(self):
        plan, reverse = Plan(SRC, DST), Plan("u8[6]", "u8[6]", dst_byte_strides=[-1])
        self.equal(
            ((plan.src, plan.dst, plan.src_nbytes, plan.dst_nbytes), (Shape(SRC), Shape(DST), 12, 16)),
            ((reverse.src_nbytes, reverse.dst_nbytes, reverse.requirements.dst_low), (6, None, -5)),
            ((plan.requirements.src_low, plan.requirements.dst_high), (0, 16)),
            (Plan(SRC, DST, backend="scalar").backend, "scalar"),
        )
        self.assertIn(plan.backend, plan.describe())
        self.assertIn(plan.backend, repr(plan))
        self.assertGreater(plan.requirements.stack_bytes, 0)
        self.assertGreaterEqual(plan.task_count(4), 1)

    def test_tasks(self):
        plan = Plan("u8[64,64]", "u8[64,64]{0,1}")
        data = bytes(i % 251 for i in range(4096))
        whole, parts = bytearray(4096), bytearray(4096)
        plan.execute(data, whole)
        for task in range(3):
            plan.execute_task(data, parts, task, task + 1, 3)
        self.assertEqual(whole, parts)

    def test_addresses(self):
        source, target = ctypes.create_string_buffer(DATA, 12), ctypes.create_string_buffer(20)
        at, plan = (ctypes.addressof(source), ctypes.addressof(target)), Plan(SRC, DST)
        plan.execute_at(*at, src_bytes=12, dst_bytes=20, dst_byte_offset=4)
        self.assertEqual(target.raw, b"\0" * 4 + TILED)
        self.refused(
            (RANGE, "dst_bytes is 15", lambda: plan.execute_at(*at, src_bytes=12, dst_bytes=15)),
            (RANGE, "src_bytes is 11", lambda: plan.execute_at(*at, src_bytes=11, dst_bytes=16)),
            (RANGE, "src_bytes is 0", lambda: plan.execute_at(*at, src_bytes=0, dst_bytes=16)),
            (INVALID, "dst_bytes is -2", lambda: plan.execute_at(*at, src_bytes=12, dst_bytes=-2)),
        )
        target[:] = bytes(20)
        plan.execute_at(*at, src_bytes=xlashape.UNCHECKED, dst_bytes=xlashape.UNCHECKED, dst_byte_offset=4)
        self.assertEqual(target.raw, b"\0" * 4 + TILED)


class InPlace(Case):
    def test_one_array(self):
        plan, back = Plan(*LARGE, in_place=True), Plan(*LARGE[::-1], in_place=True)
        wanted, box = bytearray(SIDE * SIDE), bytearray(SOURCE)
        Plan(*LARGE).execute(SOURCE, wanted)
        self.assertLess(0, plan.requirements.scratch_bytes, SIDE * SIDE // 2)
        seen = []
        for execute in (
            lambda: plan.execute(box),
            lambda: plan.execute(box, box),
            lambda: plan.execute(memoryview(box), progress=lambda done, count: seen.append(count)),
            lambda: plan.execute_task(box, box, 0, 1, plan.task_count(8)),
            lambda: execute_list([(plan, box, box)]),
            lambda: pickle.loads(pickle.dumps(plan)).execute(box),
        ):
            execute()
            self.assertTrue(box == wanted)
            back.execute(box)
            self.assertTrue(box == SOURCE)
        self.assertTrue(seen)
        Plan("u8[0,4]", "u8[0,4]{0,1}", in_place=True).execute(bytearray())

    def test_refused(self):
        plan, view = Plan("u8[3,4]", "u8[3,4]{0,1}", in_place=True), memoryview(bytearray(DATA * 2))
        twice = "the plan runs in place: src and dst must be equal"
        self.refused(
            (xlashape.UnsupportedError, "in place: .*padding", lambda: Plan(SRC, DST, in_place=True)),
            (INVALID, twice, lambda: plan.execute(DATA, bytearray(12))),
            (INVALID, twice, lambda: plan.execute(view[:12], view[12:])),
            (INVALID, "src and dst overlap", lambda: plan.execute(view[:12], view[4:16])),
            (INVALID, "array is read-only", lambda: plan.execute(DATA)),
            (INVALID, "dst is read-only", lambda: plan.execute(DATA, DATA)),
            (RANGE, "array has 24 bytes, 12 are wanted", lambda: plan.execute(view)),
            (TypeError, "array must be an array, or bytes, not NoneType", lambda: plan.execute(None)),
            (TypeError, "dst must be an array, or bytes, not NoneType", lambda: Plan(SRC, DST).execute(DATA)),
        )
        self.assertEqual(view, DATA * 2)


# Plan's arguments, source, destination: exception and message. For execute and for execute_list.
WRONG = [
    ((SRC, DST), DATA[:-1], bytearray(16), RANGE, "src has 11 bytes, 12 are wanted"),
    ((SRC, DST), DATA, bytearray(15), RANGE, "dst has 15 bytes, 16 are wanted"),
    ((SRC, DST), DATA + b"m", bytearray(16), RANGE, "src has 13 bytes"),
    ((SRC, DST), b"", bytearray(16), RANGE, "src has 0 bytes"),
    ((SRC, DST), DATA, bytearray(), RANGE, "dst has 0 bytes"),
    ((SRC, DST), DATA, bytes(16), INVALID, "dst is read-only"),
    ((SRC, DST), DATA, memoryview(bytes(16)), INVALID, "dst is read-only"),
    ((SRC, DST), memoryview(bytes(24))[::2], bytearray(16), INVALID, "contiguous"),
    (("f32[2,3]", "f32[2,3]{0,1}"), array.array("d", [0] * 3), bytearray(24), INVALID, "src is of d; f32"),
    (("f32[2,3]", "f32[2,3]{0,1}"), array.array("i", [0] * 6), bytearray(24), INVALID, "src is of i"),
    (("f32[2,3]", "f32[2,3]{0,1}"), bytes(24), array.array("d", [0] * 3), INVALID, "dst is of d"),
]


class Misuse(Case):
    def test_memory(self):
        good, out = Plan(SRC, DST), bytearray(b"." * 16)
        for shapes, source, target, kind, pattern in WRONG:
            plan = Plan(*shapes)
            self.refused((kind, pattern, lambda: plan.execute(source, target)))  # noqa: B023
            with self.assertRaisesRegex(kind, pattern) as caught:
                execute_list([(good, DATA, out), (good, DATA, bytearray(16)), (plan, source, target)])
            self.assertEqual(caught.exception.index, 2)
        view = memoryview(bytearray(40))
        self.refused(
            *((TypeError, "", lambda it=it: good.execute(it, out)) for it in (None, 3, "text", [1, 2], object())),
            *((TypeError, "", lambda it=it: good.execute(DATA, it)) for it in (None, 3, "text", [1, 2], object())),
            (INVALID, "src and dst overlap", lambda: good.execute(view[:12], view[8:24])),
            (INVALID, "src and dst overlap", lambda: execute_list([(good, view[8:20], view[:16])])),
            *((TypeError, "", lambda it=it: execute_list(it)) for it in ([(None, DATA, out)], [(good, 3, out)], 3)),
            (TypeError, "a Plan is wanted", lambda: execute_list([(xlashape.IndexMap(SRC), DATA, out)])),
        )
        self.assertEqual(out, b"." * 16)  # nothing has run
        plan = Plan("u8[6]", "u8[6]", src_byte_strides=[2])
        self.refused((RANGE, r"around index 0\.\.\.0", lambda: plan.execute(bytes(10), bytearray(6))))
        plan.execute(bytes(11), bytearray(6))
        same = [Plan(PACKED, PACKED, **{side + "_element_strides": [1]}) for side in ("src", "dst")]
        shifted, data = Plan(PACKED, PACKED, dst_element_strides=[1], dst_first_element=2), bytearray(4)
        self.refused(
            *((INVALID, "src and dst overlap", lambda it=it: it.execute(data, data)) for it in same),
            (RANGE, r"bytes \[0, 3\) from element 0 on, .* \[0, 4\)", lambda: same[0].execute(b"abc", data)),
            (RANGE, r"bytes \[0, 4\) from element 0 on, .* \[1, 5\)", lambda: shifted.execute(b"abcd", data)),
            (RANGE, "", lambda: execute_list([(shifted, b"abcd", data)])),
            (INVALID, "read-only", lambda: shifted.execute(b"abcd", bytes(5))),
        )
        self.assertEqual(data, bytes(4))

    def test_made_wrong(self):
        self.refused(
            (INVALID, "", lambda: Plan(SRC, "u8[4,3]")),
            (INVALID, "", lambda: Plan(SRC, "s8[3,4]")),
            (INVALID, "src_byte_strides has 1 values", lambda: Plan(SRC, DST, src_byte_strides=[1])),
            (INVALID, "src_element_strides has 2 values", lambda: Plan(PACKED, PACKED, src_element_strides=[1, 2])),
            (INVALID, "the destination's first element is 1, but", lambda: Plan(SRC, DST, dst_first_element=1)),
            (TypeError, "src_first_element must be an integer", lambda: Plan(SRC, DST, src_first_element=1.5)),
            (OverflowError, "dst_first_element is", lambda: Plan(SRC, DST, dst_first_element=1 << 63)),
            (INVALID, "bytes and in", lambda: Plan(SRC, SRC, dst_byte_strides=(4, 1), dst_element_strides=(4, 1))),
            (RANGE, "reach element -1,", lambda: Plan(PACKED, PACKED, src_element_strides=[-1], src_first_element=5)),
            (INVALID, "may overlap", lambda: Plan(PACKED, PACKED, dst_element_strides=[0])),
            (xlashape.UnsupportedError, "strides", lambda: Plan(SRC, SRC, in_place=True, src_element_strides=(4, 1))),
            (xlashape.UnsupportedError, "", lambda: Plan("f32[?]", "f32[?]")),
            (TypeError, "a shape or its text", lambda: Plan(SRC, None)),
            (xlashape.XlashapeError, "", lambda: Plan(SRC, DST, fill=7)),
            (xlashape.NotFoundError, "", lambda: Plan(SRC, DST, backend="none such")),
        )

    def test_closed(self):
        with Plan(SRC, DST) as plan:
            pass
        plan.close()
        for call in (
            lambda: plan.execute(DATA, bytearray(16)),
            lambda: execute_list([(plan, DATA, bytearray(16))]),
            lambda: plan.backend,
            lambda: plan.requirements,
            lambda: plan.predict(),
            lambda: plan.task_count(1),
        ):
            self.refused((xlashape.ClosedError, "closed", call))
        self.assertIn("closed", repr(plan))


class Lists(Case):
    def test_each_does_what_execute_does(self):
        one, other = Plan(SRC, DST), Plan("f32[2,2]", "f32[2,2]{0,1}")
        backwards = Plan("u8[6]", "u8[6]", src_byte_strides=[-1])
        outs = [bytearray(16), array.array("f", [0] * 4), bytearray(6), bytearray(16), bytearray(b"." * 12)]
        box = Plan("u8[3,2]", SRC, dst_base=(0, 1), extent=(3, 2))
        execute_list(
            [
                (one, DATA, outs[0]),
                (other, array.array("f", [1, 2, 3, 4]), outs[1]),
                (backwards, memoryview(b"abcdef")[::-1], outs[2]),
                (one, bytearray(DATA.upper()), outs[3]),
                (box, b"abefij", outs[4]),
            ]
        )
        self.assertEqual(outs, [TILED, array.array("f", [1, 3, 2, 4]), b"fedcba", TILED.upper(), b".ab..ef..ij."])
        execute_list([])
        execute_list((plan, b"", bytearray()) for plan in [Plan("u8[0]", "u8[0]")])

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
        self.assertEqual((outs, counts), ([wanted] * 3, [3 * plans[0].task_count(4)]))

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


class Watched(Case):
    def setUp(self):
        self.plan = Plan(*LARGE)
        self.out = bytearray(SIDE * SIDE)
        self.wanted = bytearray(SIDE * SIDE)
        self.plan.execute(SOURCE, self.wanted)

    def ways(self, *plans):
        for plan in plans or (self.plan,):
            yield lambda progress, plan=plan: plan.execute(SOURCE, self.out, progress=progress)
            yield lambda progress, plan=plan: execute_list([(plan, SOURCE, self.out)] * 2, progress=progress)

    def test_hears_of_each_task(self):
        for run in self.ways(self.plan, Plan(*LARGE, runtime=Runtime(threads=4))):
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

            self.refused((xlashape.CancelledError, "3 of .* tasks had ended", lambda: run(progress)))  # noqa: B023
            self.assertEqual(heard, [1, 2, 3])
            run(lambda done, count: None)  # which is not False

    def test_exceptions_come_out(self):
        def broken(done, count):
            heard.append(done)
            raise KeyError("mine")

        def broken_at_the_end(done, count):
            if done == count:
                raise KeyError("mine")

        for run in self.ways(self.plan, Plan(*LARGE, runtime=Runtime(threads=4))):
            heard = []
            self.refused(
                (KeyError, "mine", lambda: run(broken)),  # noqa: B023
                (KeyError, "mine", lambda: run(broken_at_the_end)),  # noqa: B023
            )
            self.assertLess(len(heard), 6)
        self.refused(
            (TypeError, "progress is called with", lambda: self.plan.execute(SOURCE, self.out, progress=3)),
            (RANGE, "", lambda: self.plan.execute(SOURCE[1:], self.out, progress=broken)),
        )

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
        """Runs with a signal that comes while C is at work; gives how many tasks were heard of."""
        heard = []

        def progress(done, count):
            heard.append(done)
            if done == 2:
                os.kill(os.getpid(), number)

        before = signal.signal(number, handler)
        try:
            run(progress)
        finally:
            restored = signal.signal(number, before)
            self.assertGreaterEqual(len(heard), 2)
            self.assertIs(restored, handler)

    def test_signals(self):
        came = []

        def handler(number, frame):
            came.append(number)

        for run in self.ways():
            with self.assertRaises(KeyboardInterrupt):
                self.signalled(signal.SIGINT, signal.default_int_handler, run)
            self.signalled(signal.SIGUSR1, handler, run)  # which raises nothing
            self.assertEqual(self.out, self.wanted)
        self.assertEqual(came, [signal.SIGUSR1] * 2)

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

    def test_on_another_thread(self):
        before = signal.getsignal(signal.SIGINT)
        raised = in_threads(1, lambda _: self.plan.execute(SOURCE, self.out, progress=lambda done, count: done < 2))
        self.assertEqual(
            ([type(one) for one in raised], signal.getsignal(signal.SIGINT)), ([xlashape.CancelledError], before)
        )


class Keys(Case):
    def test_equal_for_equal_questions(self):
        key = Plan.key(SRC, DST)
        same = Plan.key(xlashape.Shape("u8[3,4]{1,0}"), xlashape.Shape(DST), fill=0, keep_in_cache=False)
        self.assertEqual(key, same)
        self.assertTrue(key.startswith("u8[3,4]{1,0} -> u8[3,4]{0,1:T(2,2)}"), key)
        strides = [f"{side}_{unit}_strides" for unit in ("byte", "element") for side in ("src", "dst")]
        lists = (*strides, "src_base", "dst_base", "extent")
        options = (
            *({"fill": fill} for fill in (1, 2)),
            *({name: True} for name in ("allow_fallback", "keep_in_cache", "in_place")),
            *({"backend": name} for name in ("simd", "nobody")),
            *({name: 2} for name in ("device", "src_space", "dst_space")),
            *({name: iter((1, 2))} for name in lists),
            *({f"{side}_element_strides": (1, 2), f"{side}_first_element": 7} for side in ("src", "dst")),
            {"extent": [2, 1]},
        )
        different = [key, Plan.key(DST, SRC), *(Plan.key(SRC, DST, **one) for one in options)]
        self.assertEqual(len(set(different)), len(different), different)
        self.assertEqual(Plan.key(SRC, DST, extent=b"\1\2"), Plan.key(SRC, DST, extent=(1, 2)))

    def test_refused(self):
        for options, kind, text in (
            ({"extent": [1]}, INVALID, "extent has 1 values, it takes 2"),
            ({"src_base": [1, 2, 3]}, INVALID, "src_base has 3 values, it takes 2"),
            ({"dst_base": [1, 1 << 63]}, OverflowError, "entry 1 of 2"),
            ({"backend": "a\0b"}, INVALID, "NUL"),
            ({"device": -1 << 40}, OverflowError, "device"),
            ({"runtime": None}, TypeError, "runtime"),
            ({"nothing": 1}, TypeError, "nothing"),
        ):
            self.refused((kind, text, lambda: Plan.key(SRC, DST, **options)))  # noqa: B023
        self.refused((xlashape.UnsupportedError, "", lambda: Plan.key("(u8[2])", "u8[2]")))


class Threads(unittest.TestCase):
    def test_one_plan_many_threads_and_closed_meanwhile(self):
        """A call in progress keeps the plan; later ones are refused."""
        plan, size, wrong = Plan("u8[512,512]", "u8[512,512]{0,1}"), 512 * 512, []
        data = bytes(i % 253 for i in range(size))
        wanted = bytearray(size)
        plan.execute(data, wanted)

        def work(_):
            out = bytearray(size)
            while True:
                plan.execute(data, out)
                if out != wanted:
                    wrong.append(1)

        threading.Timer(0.1, plan.close).start()
        raised = in_threads(4, work)
        self.assertEqual((wrong, [type(one) for one in raised]), ([], [xlashape.ClosedError] * 4))

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


if __name__ == "__main__":
    unittest.main()
