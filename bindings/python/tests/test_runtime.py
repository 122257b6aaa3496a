# SPDX-License-Identifier: Apache-2.0
"""Runtimes: backends, logs, executors, what goes wrong inside of them, and what is measured."""

import array
import copy
import gc
import io
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import xlashape
from cases import Case
from xlashape import BackendState, IndexMap, IndexPlan, MemorySpace, Plan, Runtime
from xlashape import _raw as raw
from xlashape._library import _by_the_system, fits, load
from xlashape._call import _open, hooks

SIZE = 1024
DATA = bytes(i % 251 for i in range(SIZE)) * SIZE
SHAPES = (f"u8[{SIZE},{SIZE}]", f"u8[{SIZE},{SIZE}]{{0,1}}")
REFUSED = xlashape.InvalidArgumentError


def run(runtime):
    out = bytearray(SIZE * SIZE)
    Plan(*SHAPES, runtime=runtime).execute(DATA, out)
    return out


class Runtimes(Case):
    def test_backends(self):
        alone = Runtime(environment=False, library_dir=False, install_dir=False)
        (scalar,) = alone.backends
        self.equal(
            ((scalar.name, scalar.state, scalar.path), ("scalar", BackendState.READY, "")),
            ((scalar.memory_spaces, scalar.device_count), ({MemorySpace.CPU}, 0)),
            (Plan("u8[4]", "u8[4]", runtime=alone).backend, "scalar"),
            (repr(alone), "<xlashape.Runtime scalar ready>"),
        )
        with Runtime() as runtime:
            self.assertIn("scalar", [backend.name for backend in runtime.backends])
            self.assertIn("scalar", runtime.report())
        self.assertEqual(repr(runtime), "<xlashape.Runtime closed>")
        self.assertIn(BackendState.READY, [backend.state for backend in xlashape.backends()])
        self.assertIn("xlashape", xlashape.report())
        states = [one.state for one in Runtime(load_now=True).backends if "shadowed by" not in one.detail]
        self.assertNotIn(BackendState.NOT_LOADED, states)

    def test_texts_of_any_length(self):
        path = next((backend.path for backend in xlashape.backends() if backend.name == "simd"), "")
        if not path:
            self.skipTest("simd is not installed")
        with tempfile.TemporaryDirectory() as folder:
            copies = []
            for name in ("first", "second"):
                deep = Path(folder, *["x" * 200] * 3, name)
                deep.mkdir(parents=True)
                copies.append(shutil.copy(path, str(deep / "simd.so")))
            folders = [Path(copy).parent for copy in copies]
            runtime = Runtime(backend_dirs=folders, environment=False, library_dir=False, install_dir=False)
            _, used, other = runtime.backends
            self.assertEqual((used.path, used.state), (copies[0], BackendState.NOT_LOADED))
            self.assertEqual((other.path, other.detail), (copies[1], f"shadowed by {copies[0]}"))

    def test_devices(self):
        runtime, none = Runtime(), "there is no device number 7: backend scalar has 0"
        for call in (
            lambda: Plan("u8[4]", "u8[4]", runtime=runtime, backend="scalar", device=7),
            lambda: IndexPlan(IndexMap("u8[4]"), to_linear=True, runtime=runtime, backend="scalar", device=7),
            lambda: xlashape.relayout(b"abcd", "{0}", of="u8[4]", copy=True, backend="scalar", device=7),
            lambda: runtime.device_text(0, 7),
            lambda: xlashape.device_text(0, 7),
        ):
            self.refused((xlashape.OutOfRangeError, none, call))
        for wrong, kind, text in (
            (-1, REFUSED, "device is -1, it must not be negative"),
            ((1 << 31) - 1, xlashape.OutOfRangeError, "there is no device number"),
            (1 << 31, OverflowError, "device is 2147483648"),
        ):
            self.refused((kind, text, lambda: Plan("u8[4]", "u8[4]", device=wrong)))  # noqa: B023
        self.refused((xlashape.OutOfRangeError, "", lambda: runtime.device_text(99)))
        self.assertEqual(runtime.device_text(0), "")
        for ordinal, backend in enumerate(runtime.backends):
            for device in range(backend.device_count):
                self.assertTrue(runtime.device_text(ordinal, device))
            if backend.state != BackendState.READY:
                self.refused((xlashape.NotFoundError, "", lambda: runtime.device_text(ordinal)))  # noqa: B023

    def test_choices(self):
        """Folders also as bytes; a text may be several, as in C."""
        for given in ("/nowhere/a", b"/nowhere/a", f"/nowhere/a{os.pathsep}/nowhere/b", [b"/nowhere/a"]):
            self.assertIn("/nowhere/a", Runtime(backend_dirs=given).report())
        runtime = Runtime(
            backend="scalar",
            denied_backends=(name for name in ("simd", "opencl")),
            cpu="scalar",
            backend_options={"one.key": "a=b", "two.key": ""},
            verify_count=64,
        )
        self.assertEqual(run(runtime)[1], DATA[SIZE])
        verified = "verification: 64 positions of each execution; 1 executions verified"
        for part in ("no features used", "denied backends: simd,opencl", "one.key=a=b, two.key=", verified):
            self.assertIn(part, runtime.report())
        Plan("u8[4]", "u8[4]", runtime=Runtime(backend="nobody,*", denied_backends="simd", backend_options={}))
        self.refused(
            (xlashape.NotFoundError, "", lambda: Plan("u8[4]", "u8[4]", runtime=runtime, backend="simd")),
            (xlashape.NotFoundError, "", lambda: Plan("u8[4]", "u8[4]", runtime=Runtime(backend="nobody"))),
            (TypeError, "a Runtime is wanted", lambda: Plan("u8[4]", "u8[4]", runtime="simd")),
            (xlashape.XlashapeError, "", lambda: runtime.load_backend("/nowhere/none.so")),
        )
        runtime.close()
        for call in (runtime.report, lambda: runtime.backends, lambda: Plan("u8[4]", "u8[4]", runtime=runtime)):
            self.refused((xlashape.ClosedError, "", call))

    def test_refused(self):
        for options, kind, text in (
            ({"backend": "a\0b"}, REFUSED, "backend holds a NUL"),
            ({"cpu": "a\0b"}, REFUSED, "cpu holds a NUL"),
            ({"backend_dirs": ["/a", f"/b{os.pathsep}/c"]}, REFUSED, f"backend_dirs holds .*'{os.pathsep}' in it"),
            ({"backend_dirs": "/a\0"}, REFUSED, "backend_dirs holds a NUL"),
            ({"backend_dirs": [3]}, TypeError, "str, bytes or os.PathLike object, not int"),
            ({"cpu": "fast"}, REFUSED, "^cpu is fast"),
            ({"denied_backends": ["a", "b,c"]}, REFUSED, "denied_backends holds 'b,c', which has ',' in it"),
            ({"denied_backends": "b,c"}, REFUSED, "denied_backends holds 'b,c'"),
            ({"denied_backends": ["a\0"]}, REFUSED, "denied_backends holds a NUL"),
            ({"backend_options": {"a.b=c;d.e": "f"}}, REFUSED, "holds 'a.b=c;d.e', which has '=' in it"),
            ({"backend_options": {"a.b": "c;d.e=f"}}, REFUSED, "holds 'c;d.e=f', which has ';' in it"),
            ({"backend_options": {"a.b": "c\0"}}, REFUSED, "backend_options holds a NUL"),
            ({"backend_options": {"ab": "c"}}, REFUSED, "^backend_options: ab=c does not have the form NAME.KEY=VALUE"),
            ({"backend_options": ["a.b=c"]}, TypeError, "must be a mapping"),
            ({"backend_options": {"a.b": 3}}, TypeError, "must be str"),
            ({"denied_backends": [3]}, TypeError, "must be str"),
            ({"backend": 3}, TypeError, "must be str"),
            ({"profile": "hello\n"}, REFUSED, "^profile: line 1: "),
            ({"profile": "a\0b"}, REFUSED, "profile holds a NUL"),
            ({"executor": 3}, TypeError, "an executor is called with"),
            ({"log": 3}, TypeError, "a log is called with"),
            ({"executor": print, "max_workers": -1}, ValueError, "max_workers is -1"),
            ({"threads": -2}, xlashape.XlashapeError, "threads is -2"),
            ({"threads": "some"}, TypeError, "threads must be an integer, not str"),
            ({"verify_count": -1}, ValueError, "verify_count is -1"),
        ):
            self.refused((kind, text, lambda: Runtime(**options)))  # noqa: B023


class Threads(Case):
    def line(self, **options):
        report = Runtime(environment=False, **options).report()
        return next(line for line in report.splitlines() if line.startswith("threads: "))

    def test_how_many(self):
        self.assertEqual(self.line(threads=2), "threads: 2, as threads says")
        self.assertRegex(self.line(threads="all"), r"threads: \d+, all that this process may use \(")
        self.assertTrue(self.line().startswith("threads: 1, as neither "))

    def test_of_the_default_runtime(self):
        """In a process of its own, as it stays."""
        program = """if True:
            import xlashape
            with xlashape.Runtime(threads=3) as runtime:
                runtime.set_default()
            assert "threads: 3, as threads says" in xlashape.report(), xlashape.report()
            try:
                xlashape.Runtime().set_default()
            except xlashape.BusyError as error:
                print(error)
            """
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("there is a default runtime already", done.stdout)
        self.refused((xlashape.ClosedError, "", closed().set_default))


def closed():
    runtime = Runtime()
    runtime.close()
    return runtime


class Hooks(unittest.TestCase):
    """C tells once when it is done with a hook."""

    def setUp(self):
        gc.collect()
        self.before = len(hooks)
        self.unraisable = []
        hook, sys.unraisablehook = sys.unraisablehook, self.unraisable.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)

    def tearDown(self):
        gc.collect()
        self.assertEqual((len(hooks), self.unraisable), (self.before, []))

    class Executor:
        def __call__(self, count, task):
            for index in range(count):
                task(index)

    class Log:
        def __call__(self, level, source, text):
            pass

    def test_after_the_last_plan(self):
        executor, log = self.Executor(), self.Log()
        gone = (weakref.ref(executor), weakref.ref(log))
        runtime = Runtime(executor=executor, max_workers=4, log=log)
        plan = Plan(*SHAPES, runtime=runtime)
        index_plan = IndexPlan(IndexMap("u8[4]"), to_linear=True, runtime=runtime)
        runtime.close()
        del runtime, executor, log
        gc.collect()
        out = bytearray(SIZE * SIZE)
        plan.execute(DATA, out)
        self.assertEqual(out, run(None))
        plan.close()
        gc.collect()
        self.assertEqual(len(hooks), self.before + 2)
        # On another thread, without the library's lock or Python's.
        thread = threading.Thread(target=index_plan.close)
        thread.start()
        thread.join()
        gc.collect()
        self.assertEqual([one() for one in gone], [None, None])

    def test_what_could_not_be_made(self):
        executor = self.Executor()
        gone = weakref.ref(executor)
        with self.assertRaises(xlashape.InvalidArgumentError):
            Runtime(executor=executor, threads=2)
        del executor
        gc.collect()
        self.assertIsNone(gone())

    def test_that_refers_to_its_runtime(self):
        class Owner:
            def __init__(self):
                self.runtime = Runtime(executor=self.execute, max_workers=2)

            def execute(self, count, task):
                for index in range(count):
                    task(index)

        owner = Owner()
        gone = weakref.ref(owner)
        self.assertEqual(run(owner.runtime), run(None))
        owner.runtime.close()
        del owner
        gc.collect()
        self.assertIsNone(gone())


class Versions(Case):
    def test_fits(self):
        for library, package, wanted in (
            *((1, 1, True), (2, 1, False), (1, 2, False), (0x10000, 1, False), (1, 0x10000, False)),
            *((0x10002, 0x10002, True), (0x10003, 0x10002, True), (0x10001, 0x10002, False)),
            *((0x20000, 0x10002, False), (0x10002, 0x20000, False)),
        ):
            self.assertEqual(fits(library, package), wanted, (library, package))

    def test_load(self):
        self.assertEqual(raw.abi_version(), raw.ABI_VERSION)
        wrong = "has version 0.1 of the C interface, this package needs 7.3"
        self.refused((ImportError, wrong, lambda: load(0x70003)))

    def test_of_several_installed_its_own(self):
        names = ["libxlashape.so.0.1", "libxlashape.so"]
        with mock.patch("ctypes.util.find_library", return_value="libxlashape.so.0.9"):
            with mock.patch("ctypes.CDLL"):
                self.assertEqual(_by_the_system(names), names[0])
            with mock.patch("ctypes.CDLL", side_effect=OSError):
                self.assertEqual(_by_the_system(names), "libxlashape.so.0.9")


class Executors(Case):
    def test_threads(self):
        """More of them than workers are wanted; and the library may be used inside, errors and all."""
        seen = set()

        def executor(count, task):
            def one(index):
                seen.add(threading.get_ident())
                self.refused((xlashape.ParseError, "", lambda: xlashape.Shape("f32[x")))
                task(index)

            list(pool.map(one, range(count)))

        with ThreadPoolExecutor(8) as pool, Runtime(executor=executor, max_workers=2) as runtime:
            self.assertEqual(run(runtime), run(None))
        self.assertTrue(seen - {threading.get_ident()})

    def test_what_it_does_wrong(self):
        def broken(count, task):
            task(0)
            raise KeyError("mine")

        def interrupted(count, task):
            raise KeyboardInterrupt("stop")

        def twice(count, task):
            task(0)
            task(0)

        for kind, text, executor in (
            (KeyError, "mine", broken),
            (KeyboardInterrupt, "stop", interrupted),
            (RuntimeError, "tasks not run", lambda count, task: task(0)),
            (RuntimeError, "tasks not run", lambda count, task: None),
            (RuntimeError, "twice", twice),
            (IndexError, "of", lambda count, task: task(count)),
            (IndexError, "of", lambda count, task: task(-1)),
        ):
            runtime = Runtime(executor=executor, max_workers=4)
            for _ in range(2):  # again, and nothing is left over from before
                self.refused((kind, text, lambda: run(runtime)))  # noqa: B023
            self.assertEqual(_open.calls, [])

    def test_a_log_that_raises(self):
        heard = []

        def log(*told):
            heard.append(tuple(map(type, told)))
            raise ValueError("in the log")

        stderr, sys.stderr = sys.stderr, io.StringIO()
        try:
            runtime = Runtime(log=log)
            self.refused((xlashape.XlashapeError, "", lambda: runtime.load_backend("/nowhere/none.so")))
            self.assertIn("in the log", sys.stderr.getvalue())
        finally:
            sys.stderr = stderr
        self.assertEqual(set(heard), {(int, int, str)})


# Measured plans, wisdom and profiles.
ROWS, COLUMNS = "u16[64,96]{1,0}", "u16[64,96]{0,1}"
NUMBERS = array.array("H", range(64 * 96))
MOVED = array.array("H", (NUMBERS[row * 96 + column] for column in range(96) for row in range(64)))


def alone(**options):
    return Runtime(environment=False, backend="simd", **options)


def moved(plan):
    out = array.array("H", bytes(2 * 64 * 96))
    plan.execute(NUMBERS, out)
    return out


class Measuring(Case):
    def setUp(self):
        try:
            Plan(ROWS, COLUMNS, runtime=alone())
        except xlashape.NotFoundError:
            self.skipTest("there is no backend that measures")

    def test_plans_and_wisdom(self):
        runtime, other = alone(), alone()
        # Ends after some milliseconds; a busy machine may need more of them, and what does not end is not kept.
        self.assertEqual(moved(Plan(ROWS, COLUMNS, runtime=runtime, measure=10)), MOVED)
        wisdom = runtime.wisdom()
        self.assertRegex(wisdom, r"\Axlashape wisdom 1\nprocessor \S+\n[0-9a-f]{32} simd .*\n\Z")
        self.assertEqual(other.import_wisdom(wisdom), 1)
        self.assertEqual(other.wisdom(), wisdom)
        self.assertEqual(moved(Plan(ROWS, COLUMNS, runtime=other)), MOVED)
        other.forget_wisdom()
        self.assertEqual(other.wisdom().count("\n"), 2)
        self.assertEqual(runtime.wisdom(), wisdom)

    def test_the_default_runtime(self):
        plan = pickle.loads(pickle.dumps(Plan(ROWS, COLUMNS, measure=0.02)))
        self.assertEqual(moved(plan), MOVED)
        wisdom = xlashape.wisdom()
        xlashape.forget_wisdom()
        self.assertEqual(xlashape.import_wisdom(wisdom), wisdom.count("\n") - 2)
        xlashape.forget_wisdom()
        self.assertIsInstance(xlashape.profile_path(), str)

    def test_refused(self):
        runtime = alone()
        for seconds, kind, text in (
            (-1, REFUSED, "measure is -1.0 seconds"),
            (float("nan"), REFUSED, "measure is nan"),
            (float("inf"), REFUSED, "measure is inf"),
            (1e10, REFUSED, "measure is 10000000000.0 seconds, it must be"),
            ("1", TypeError, "measure must be a number of seconds, not str"),
            (None, TypeError, "measure must be a number"),
        ):
            self.refused((kind, text, lambda: Plan(ROWS, COLUMNS, runtime=runtime, measure=seconds)))  # noqa: B023

        def broken(*_):
            raise KeyError("mine")

        loud = alone(executor=broken, max_workers=4)
        self.refused(
            (
                xlashape.ParseError,
                "^line 3: ",
                lambda: runtime.import_wisdom("xlashape wisdom 1\nprocessor x\nhello\n"),
            ),
            (TypeError, "wisdom must be str", lambda: runtime.import_wisdom(b"")),
            (REFUSED, "^seconds is -1", lambda: runtime.calibrate(-1)),
            (xlashape.CancelledError, "", lambda: runtime.calibrate(progress=lambda done, count: False)),
            (KeyError, "mine", lambda: runtime.calibrate(progress=broken)),
            (TypeError, "int cannot be", lambda: runtime.calibrate(progress=3)),
            (KeyError, "mine", lambda: Plan(*(s.replace("64,96", "1024,1536") for s in (ROWS, COLUMNS)),
                                            runtime=loud, measure=0.02)),
        )  # fmt: skip
        runtime.close()
        for call in (runtime.wisdom, runtime.forget_wisdom, runtime.profile_path, runtime.calibrate):
            self.refused((xlashape.ClosedError, "", call))

    def test_profile(self):
        seen = []
        profile = alone(profile="").calibrate(0.01, lambda done, count: seen.append((done, count)))
        self.assertRegex(profile, r"\Axlashape profile 1\nprocessor \S+\n\[simd\]\n")
        self.assertEqual(seen, sorted(seen))
        self.assertEqual(*seen[-1])
        plan = Plan(ROWS, COLUMNS, runtime=alone(profile=profile))
        self.assertEqual(moved(plan), MOVED)
        self.assertGreater(plan.predict(), 0)

    def test_predictions(self):
        processor = alone().wisdom().splitlines()[1]
        # Stores past the caches, which have no speed here, never pay.
        head = f"xlashape profile 1\n{processor}\n[simd]\nstream_squares_bytes = 1152921504606846976\n"
        speeds = head + "ns.call = 1000\nns_per_mib.squares_1.ordinary.1024k = 2000000\n"
        for profile, wanted in ((speeds, 2.001e-3), (head, None)):
            plan = Plan("u8[1024,1024]{1,0}", "u8[1024,1024]{0,1}", runtime=alone(profile=profile))
            for one in (plan, copy.copy(plan)):
                self.assertEqual(one.predict(), wanted)


if __name__ == "__main__":
    unittest.main()
