"""Runtimes: backends, logs, executors, and what goes wrong inside of them."""

import gc
import io
import os
import shutil
import sys
import tempfile
import threading
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import xlashape
from xlashape import BackendState, IndexMap, IndexPlan, MemorySpace, Plan, Runtime
from xlashape import _raw as raw
from xlashape._library import fits, load
from xlashape._call import _open, hooks

SIZE = 1024
DATA = bytes(i % 251 for i in range(SIZE)) * SIZE
SHAPES = (f"u8[{SIZE},{SIZE}]", f"u8[{SIZE},{SIZE}]{{0,1}}")


def run(runtime):
    out = bytearray(SIZE * SIZE)
    Plan(*SHAPES, runtime=runtime).execute(DATA, out)
    return out


class Runtimes(unittest.TestCase):
    def test_backends(self):
        with Runtime() as runtime:
            names = [backend.name for backend in runtime.backends]
            self.assertIn("scalar", names)
            self.assertIn("scalar", runtime.report())
        self.assertIn(BackendState.READY, [backend.state for backend in xlashape.backends()])
        self.assertIn("xlashape", xlashape.report())

    def test_facts(self):
        facts = {backend.name: backend for backend in Runtime(library_dir=False, install_dir=False).backends}
        scalar = facts["scalar"]
        self.assertEqual((scalar.state, scalar.memory_spaces, scalar.device_count), (BackendState.READY, {1}, 0))
        self.assertIn(MemorySpace.CPU, scalar.memory_spaces)
        self.assertEqual(scalar.path, "")

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

    def test_folders(self):
        """Also as bytes; a text may be several, as in C."""
        for given in ("/nowhere/a", b"/nowhere/a", f"/nowhere/a{os.pathsep}/nowhere/b", [b"/nowhere/a"]):
            self.assertIn("/nowhere/a", Runtime(backend_dirs=given).report())

    def test_load_now(self):
        backends = Runtime(load_now=True).backends
        states = [backend.state for backend in backends if "shadowed by" not in backend.detail]
        self.assertNotIn(BackendState.NOT_LOADED, states)

    def test_devices(self):
        runtime = Runtime()
        for make in (
            lambda: Plan("u8[4]", "u8[4]", runtime=runtime, backend="scalar", device=7),
            lambda: IndexPlan(IndexMap("u8[4]"), to_linear=True, runtime=runtime, backend="scalar", device=7),
            lambda: xlashape.relayout(b"abcd", "{0}", of="u8[4]", copy=True, backend="scalar", device=7),
            lambda: runtime.device_text(0, 7),
            lambda: xlashape.device_text(0, 7),
        ):
            with self.assertRaisesRegex(xlashape.OutOfRangeError, "there is no device number 7: backend scalar has 0"):
                make()
        for wrong, kind, text in (
            (-1, xlashape.InvalidArgumentError, "device is -1, it must not be negative"),
            ((1 << 31) - 1, xlashape.OutOfRangeError, "there is no device number"),
            (1 << 31, OverflowError, "device is 2147483648"),
        ):
            with self.assertRaisesRegex(kind, text):
                Plan("u8[4]", "u8[4]", device=wrong)
        self.assertEqual(runtime.device_text(0), "")
        with self.assertRaises(xlashape.OutOfRangeError):
            runtime.device_text(99)
        for ordinal, backend in enumerate(runtime.backends):
            for device in range(backend.device_count):
                self.assertTrue(runtime.device_text(ordinal, device))
            if backend.state != BackendState.READY:
                with self.assertRaises(xlashape.NotFoundError):
                    runtime.device_text(ordinal)

    def test_repr(self):
        runtime = Runtime(environment=False, library_dir=False, install_dir=False)
        self.assertEqual(repr(runtime), "<xlashape.Runtime scalar ready>")
        runtime.close()
        self.assertEqual(repr(runtime), "<xlashape.Runtime closed>")

    def test_nothing_but_built_in(self):
        runtime = Runtime(environment=False, library_dir=False, install_dir=False)
        self.assertEqual({backend.name for backend in runtime.backends}, {"scalar"})
        self.assertEqual(Plan("u8[4]", "u8[4]", runtime=runtime).backend, "scalar")

    def test_refused(self):
        with Runtime() as runtime:
            with self.assertRaises(xlashape.XlashapeError):
                runtime.load_backend("/nowhere/none.so")
        runtime.close()
        for call in (runtime.report, lambda: runtime.backends, lambda: Plan("u8[4]", "u8[4]", runtime=runtime)):
            with self.assertRaises(xlashape.ClosedError):
                call()
        with self.assertRaises(TypeError):
            Runtime(executor=3)
        with self.assertRaises(ValueError):
            Runtime(executor=print, max_workers=-1)
        with self.assertRaises(xlashape.XlashapeError):
            Runtime(threads=-1)
        with self.assertRaises(TypeError):
            Plan("u8[4]", "u8[4]", runtime="simd")

    def test_choices(self):
        runtime = Runtime(
            backend="scalar",
            denied_backends=(name for name in ("simd", "opencl")),
            cpu="scalar",
            backend_options={"one.key": "a=b", "two.key": ""},
        )
        self.assertEqual(Plan("u8[4]", "u8[4]", runtime=runtime).backend, "scalar")
        for part in ("no features used", "denied backends: simd,opencl", "one.key=a=b, two.key="):
            self.assertIn(part, runtime.report())
        with self.assertRaises(xlashape.NotFoundError):
            Plan("u8[4]", "u8[4]", runtime=runtime, backend="simd")
        Plan("u8[4]", "u8[4]", runtime=Runtime(backend="nobody,*", denied_backends="simd", backend_options={}))
        with self.assertRaises(xlashape.NotFoundError):
            Plan("u8[4]", "u8[4]", runtime=Runtime(backend="nobody"))
        refused = xlashape.InvalidArgumentError
        for options, kind, text in (
            ({"backend": "a\0b"}, refused, "backend holds a NUL"),
            ({"cpu": "a\0b"}, refused, "cpu holds a NUL"),
            ({"backend_dirs": ["/a", f"/b{os.pathsep}/c"]}, refused, f"backend_dirs holds .*'{os.pathsep}' in it"),
            ({"backend_dirs": ["/a\0"]}, refused, "backend_dirs holds a NUL"),
            ({"backend_dirs": [3]}, TypeError, "str, bytes or os.PathLike object, not int"),
            ({"cpu": "fast"}, refused, "^cpu is fast"),
            ({"denied_backends": ["a", "b,c"]}, refused, "denied_backends holds 'b,c', which has ',' in it"),
            ({"denied_backends": "b,c"}, refused, "denied_backends holds 'b,c'"),
            ({"denied_backends": ["a\0"]}, refused, "denied_backends holds a NUL"),
            ({"backend_options": {"a.b=c;d.e": "f"}}, refused, "holds 'a.b=c;d.e', which has '=' in it"),
            ({"backend_options": {"a.b": "c;d.e=f"}}, refused, "holds 'c;d.e=f', which has ';' in it"),
            ({"backend_options": {"a.b": "c\0"}}, refused, "backend_options holds a NUL"),
            ({"backend_options": {"ab": "c"}}, refused, "^backend_options: ab=c does not have the form NAME.KEY=VALUE"),
            ({"backend_options": ["a.b=c"]}, TypeError, "must be a mapping"),
            ({"backend_options": {"a.b": 3}}, TypeError, "must be str"),
            ({"denied_backends": [3]}, TypeError, "must be str"),
            ({"backend": 3}, TypeError, "must be str"),
        ):
            with self.assertRaisesRegex(kind, text):
                Runtime(**options)

    def test_verify(self):
        runtime = Runtime(environment=False, verify_positions=64)
        self.assertEqual(run(runtime)[1], DATA[SIZE])
        self.assertIn("verification: 64 positions of each execution; 1 executions verified", runtime.report())
        self.assertNotIn("verification", Runtime(environment=False).report())
        with self.assertRaises(ValueError):
            Runtime(verify_positions=-1)

    def test_log(self):
        lines = []
        runtime = Runtime(backend_dirs="/nowhere", log=lambda level, source, text: lines.append(text))
        with self.assertRaises(xlashape.XlashapeError):
            runtime.load_backend("/nowhere/none.so")
        runtime.report()
        self.assertTrue(all(isinstance(line, str) for line in lines))

    def test_plan_outlives_runtime(self):
        counts = []

        def executor(count, task):
            counts.append(count)
            for index in range(count):
                task(index)

        runtime = Runtime(executor=executor, max_workers=4)
        plan = Plan(*SHAPES, runtime=runtime)
        runtime.close()
        del runtime
        out = bytearray(SIZE * SIZE)
        plan.execute(DATA, out)
        self.assertEqual(out, run(None))
        self.assertGreater(sum(counts), 1)


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


class Versions(unittest.TestCase):
    def test_fits(self):
        for library, package, wanted in (
            *((1, 1, True), (2, 1, False), (1, 2, False), (0x10000, 1, False), (1, 0x10000, False)),
            *((0x10002, 0x10002, True), (0x10003, 0x10002, True), (0x10001, 0x10002, False)),
            *((0x20000, 0x10002, False), (0x10002, 0x20000, False)),
        ):
            self.assertEqual(fits(library, package), wanted, (library, package))

    def test_load(self):
        self.assertEqual(raw.abi_version(), raw.ABI_VERSION)
        with self.assertRaisesRegex(ImportError, "has version 0.1 of the C interface, this package needs 7.3"):
            load(0x70003)


class Executors(unittest.TestCase):
    def test_threads(self):
        wanted = run(None)
        seen = set()

        def executor(count, task):
            def one(index):
                seen.add(threading.get_ident())
                task(index)

            list(pool.map(one, range(count)))

        with ThreadPoolExecutor(4) as pool, Runtime(executor=executor, max_workers=4) as runtime:
            self.assertEqual(run(runtime), wanted)
        self.assertTrue(seen - {threading.get_ident()})

    def test_more_threads_than_workers(self):
        with ThreadPoolExecutor(8) as pool:
            runtime = Runtime(executor=lambda count, task: list(pool.map(task, range(count))), max_workers=2)
            self.assertEqual(run(runtime), run(None))

    def raises(self, executor, kind, text):
        runtime = Runtime(executor=executor, max_workers=4)
        with self.assertRaises(kind) as caught:
            run(runtime)
        self.assertIn(text, str(caught.exception))
        return runtime

    def test_exceptions_come_out_of_the_call(self):
        def broken(count, task):
            task(0)
            raise KeyError("mine")

        runtime = self.raises(broken, KeyError, "mine")
        with self.assertRaises(KeyError):  # again, and nothing is left over from before
            run(runtime)
        self.assertEqual(_open.calls, [])

        def interrupted(count, task):
            raise KeyboardInterrupt("stop")

        self.raises(interrupted, KeyboardInterrupt, "stop")

    def test_tasks_left_out(self):
        self.raises(lambda count, task: task(0), RuntimeError, "tasks not run")
        self.raises(lambda count, task: None, RuntimeError, "tasks not run")

    def test_tasks_twice_or_beyond(self):
        def twice(count, task):
            task(0)
            task(0)

        self.raises(twice, RuntimeError, "twice")
        self.raises(lambda count, task: task(count), IndexError, "of")
        self.raises(lambda count, task: task(-1), IndexError, "of")

    def test_tasks_after_the_end(self):
        kept = []

        def keep(count, task):
            kept.append(task)
            for index in range(count):
                task(index)

        self.assertEqual(run(Runtime(executor=keep, max_workers=2)), run(None))
        with self.assertRaises(RuntimeError):
            kept[0](0)

    def test_not_waited_for(self):
        """An executor that returns while its tasks run: they are waited for, and the call fails or is right."""
        threads = []

        def hasty(count, task):
            def work(index):
                try:
                    task(index)
                except RuntimeError:
                    pass

            for index in range(count):
                threads.append(threading.Thread(target=work, args=(index,)))
                threads[-1].start()

        try:
            self.assertEqual(run(Runtime(executor=hasty, max_workers=2)), run(None))
        except RuntimeError as error:
            self.assertIn("not run", str(error))
        for thread in threads:
            thread.join()

    def test_calls_from_inside(self):
        """The library may be used inside an executor, errors and all."""

        def executor(count, task):
            try:
                xlashape.Shape("f32[x")
            except xlashape.ParseError:
                pass
            for index in range(count):
                task(index)

        self.assertEqual(run(Runtime(executor=executor, max_workers=4)), run(None))

    def test_a_log_that_raises(self):
        def log(level, source, text):
            raise ValueError("in the log")

        stderr, sys.stderr = sys.stderr, io.StringIO()
        try:
            runtime = Runtime(log=log)
            with self.assertRaises(xlashape.XlashapeError):
                runtime.load_backend("/nowhere/none.so")
            self.assertIn("in the log", sys.stderr.getvalue())
        finally:
            sys.stderr = stderr
