"""Runtimes: backends, logs, executors, and what goes wrong inside of them."""

import io
import sys
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

import xlashape
from xlashape import BackendState, Plan, Runtime

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
        self.assertEqual(runtime._handle.keep.raised, {})

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
