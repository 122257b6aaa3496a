# SPDX-License-Identifier: Apache-2.0
"""Exceptions that come from outside while C uses memory: none of them leaves before C is done, and all come out."""

import _signal
import gc
import signal
import subprocess
import sys
import threading
import time
import types
import unittest
import weakref
from ctypes import c_ulong, py_object, pythonapi

from cases import at_each_instruction
from xlashape import IndexMap, IndexPlan, Plan, Runtime
from xlashape import runtime as module
from xlashape import _watch
from xlashape._call import _open, call, heard

SUB_INTERPRETER = """
import sys
kind = sys.argv[2]
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
    made = interpreters.create(isolated=False)
else:
    import _interpreters as interpreters
    made = interpreters.create(kind)
failed = interpreters.run_string(made, sys.argv[1])
assert not failed, failed
"""
PROGRESS = """
from xlashape import Plan
heard = []
plan = Plan("u8[3,4]", "u8[3,4]{0,1}")
plan.execute(b"abcdefghijkl", bytearray(12), progress=lambda done, count: heard.append(done))
print(heard, flush=True)
"""


REFUSED = """
from xlashape import Plan, Runtime, Shape, UnsupportedError
assert str(Shape("u8[3]")) == "u8[3]{0}"
plan = Plan("u8[3,4]", "u8[3,4]{0,1}")
hook = lambda *_: None
for wanted in (
    lambda: plan.execute(b"abcdefghijkl", bytearray(12), progress=hook),
    lambda: Runtime(log=hook),
    lambda: Runtime(executor=hook),
):
    try:
        wanted()
    except UnsupportedError as error:
        print(error, flush=True)
"""


class Limit(BaseException):
    pass


class Call:
    """An execution of several tasks on an executor, and what was written when it had returned."""

    SIDE = 1024
    SOURCE = bytes(range(256)) * (SIDE * SIDE // 256)

    def __init__(self, executor):
        runtime = Runtime(executor=executor, max_workers=4)
        self.plan = Plan(f"u8[{self.SIDE},{self.SIDE}]", f"u8[{self.SIDE},{self.SIDE}]{{0,1}}", runtime=runtime)
        self.out = bytearray(self.SIDE * self.SIDE)
        self.written = b""

    def run(self):
        """What the call raises."""
        try:
            self.plan.execute(self.SOURCE, self.out)
        except BaseException as error:
            return error
        finally:
            self.written = bytes(self.out)
        return None


class Executors(unittest.TestCase):
    def setUp(self):
        self.threads = []

    def tearDown(self):
        self.assertEqual(_open.calls, [])

    def start(self, function, *arguments):
        def run():
            try:
                function(*arguments)
            except RuntimeError:  # too late
                pass

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def join(self):
        for thread in self.threads:
            thread.join()
        self.threads.clear()

    def hasty(self, leave):
        """A call whose executor leaves all tasks running."""

        def executor(count, task):
            self.assertGreater(count, 1)
            for index in range(count):
                self.start(task, index)
            leave()

        return Call(executor)

    def check(self, call, note=None):
        """That nothing is written after the call has returned, whose error is given."""
        error = call.run()
        self.join()
        self.assertEqual(call.out, call.written, note)
        return error

    def test_too_late(self):
        kept = []

        def executor(count, task):
            kept.append(task)
            raise Limit

        self.assertIsInstance(self.check(Call(executor)), Limit)
        with self.assertRaisesRegex(RuntimeError, "task 0 was started after the executor had returned"):
            kept[0](0)

    def test_left_running(self):
        mine = KeyError("mine")

        def leave():
            raise mine

        for _ in range(20):
            self.assertIs(self.check(self.hasty(leave)), mine)

    @unittest.skipUnless(hasattr(signal, "pthread_sigmask"), "no signals of threads")
    def test_signals(self):
        """Up to four at once, each with a handler that raises: more than there are places that catch."""

        def handler(number, frame):
            while frame is not None and frame.f_code.co_name != "parallel_for":
                frame = frame.f_back
            if frame is not None:
                raise Limit

        def leave():
            signal.pthread_sigmask(signal.SIG_BLOCK, sent)
            for number in sent:
                signal.pthread_kill(threading.main_thread().ident, number)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, sent)

        numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGINT]
        for number in numbers:
            self.addCleanup(signal.signal, number, signal.signal(number, handler))
        printed = []
        hook, sys.unraisablehook = sys.unraisablehook, printed.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)
        for _ in range(10):
            for count in range(1, 5):
                sent = numbers[:count]
                error = self.check(self.hasty(leave), count)
                self.assertIsInstance(error, Limit, count)

    def test_exceptions_of_another_thread(self):
        """On a thread that is not the main one, where no signal's handler runs."""
        found = []

        def leave():
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(threading.get_ident()), py_object(Limit))

        executing = threading.Thread(target=lambda: found.append(self.check(self.hasty(leave))))
        executing.start()
        executing.join()
        self.assertIsInstance(found[0], Limit)

    def test_at_each_instruction(self):
        """Of the callback, where the executor has raised something else, or runs the tasks itself."""
        functions = {code.co_name for code in module._executor.__code__.co_consts if hasattr(code, "co_name")}
        functions |= {"__call__"}
        lost = []
        hook, sys.unraisablehook = sys.unraisablehook, lost.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)

        def serial(count, task):
            for index in range(count):
                task(index)

        def leave():
            raise KeyError("mine")

        def make(kind):
            call, results = kind(), []

            def check(place, raised):
                self.join()
                self.assertEqual(call.out, call.written, f"instruction {place}")
                self.assertTrue(results[0] or lost or not raised, f"instruction {place}")
                lost.clear()

            return lambda: results.append(call.run()), check

        for kind in (lambda: self.hasty(leave), lambda: Call(serial)):
            count = at_each_instruction(
                lambda code: code.co_filename == module.__file__ and code.co_name in functions,
                Limit,
                lambda: make(kind),  # noqa: B023
            )
            self.assertGreater(count, 30)


class Calls(unittest.TestCase):
    SHAPES = "u8[1024,1024]", "u8[1024,1024]{0,1}"

    def handle(self, handler):
        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, handler))

    def test_a_log(self):
        """What ends programs comes out of the call that logged."""

        class Stop(BaseException):
            pass

        def log(level, source, text):
            raise Stop

        with self.assertRaises(Stop):
            Runtime(log=log)
        self.assertEqual(_open.calls, [])
        index_map = IndexMap("f32[8]")
        for make in (
            lambda runtime: Plan(*self.SHAPES, runtime=runtime),
            lambda runtime: IndexPlan(index_map, to_linear=True, runtime=runtime),
        ):
            loud = []
            runtime = Runtime(log=lambda *told: loud and log(*told))
            loud.append(True)
            with self.assertRaises(Stop):
                make(runtime)
            self.assertEqual(_open.calls, [])

    def test_a_signal_as_a_log_begins(self):
        """Before its `try`: what the handler raises comes out of the call all the same."""
        main, raised, caught = threading.main_thread().ident, [], []
        go, came = threading.Semaphore(0), threading.Semaphore(0)

        def handler(number, frame):
            came.release()
            while frame is not None and frame.f_code.co_filename != module.__file__:
                frame = frame.f_back
            if frame is not None:
                raised.append(number)
                raise Limit

        def send():
            for round in range(300):
                go.acquire()
                time.sleep(round * 1e-6)
                signal.pthread_kill(main, signal.SIGUSR1)

        self.handle(handler)
        thread = threading.Thread(target=send)
        thread.start()
        for _ in range(300):
            go.release()
            try:
                Runtime(log=lambda *_: None, load_now=True)
            except Limit as error:
                caught.append(error)
            while not came.acquire(timeout=0.001):  # one signal a call
                pass
        thread.join()
        self.assertGreater(len(raised), 0)
        self.assertEqual(len(caught), len(raised))

    def test_nothing_is_kept(self):
        """What was raised refers to the memory; once it is dropped nothing does, without a collection of cycles."""

        def broken(count, task):
            task(0)
            raise Limit

        def progress(done, count):
            raise Limit

        plans = [Plan(*self.SHAPES, runtime=runtime) for runtime in (Runtime(executor=broken, max_workers=4), None)]
        gc.disable()
        self.addCleanup(gc.enable)
        for plan, options in zip(plans, ({}, {"progress": progress})):
            out = bytearray(1 << 20)
            try:
                plan.execute(bytes(1 << 20), out, **options)
                self.fail("nothing was raised")
            except Limit:
                pass
            out.extend(b"more")  # BufferError where it is still exported

    def in_a_sub_interpreter(self, program, kind):
        command = [sys.executable, "-c", SUB_INTERPRETER, program, kind]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    def test_progress_in_a_sub_interpreter(self):
        """Where signal.signal is refused."""
        run = self.in_a_sub_interpreter(PROGRESS, "legacy")
        self.assertEqual((run.stdout, run.returncode), ("[1]\n", 0), run.stderr)

    @unittest.skipIf(sys.version_info < (3, 13), "there is no ctypes")
    def test_hooks_in_an_isolated_sub_interpreter(self):
        """Where Python crashes as soon as a hook is called on another thread."""
        run = self.in_a_sub_interpreter(REFUSED, "isolated")
        self.assertEqual((run.stdout.count("isolated sub-interpreter"), run.returncode), (3, 0), run.stderr)

    def test_an_exception_before_the_hooks_one(self):
        """What hooks raised goes with the call that another exception ends; calls inside have their own."""
        runtime = Runtime(log=lambda *_: None)
        gone = []

        def inner(_):
            heard().error = KeyError("inner")
            return 0

        def outer(*_):
            heard().error = Limit()
            gone.append(weakref.ref(heard().error))
            with self.assertRaises(KeyError):
                call(inner)
            self.assertIs(heard().error, gone[0]())
            raise ValueError("before")

        with self.assertRaises(ValueError):
            call(outer)
        self.assertEqual((_open.calls, gone[0](), heard()), ([], None, None))
        call(lambda _: 0)
        runtime.close()

    def test_no_finalizer_is_written_in_python(self):
        """It would lose what a signal's handler raises in it, and be cut short."""
        classes = {
            value
            for name, module in sys.modules.items()
            if name.split(".")[0] == "xlashape"
            for value in vars(module).values()
            if isinstance(value, type) and value.__module__.split(".")[0] == "xlashape"
        }
        self.assertGreater(len(classes), 30)
        written = [one for one in classes if isinstance(vars(one).get("__del__"), types.FunctionType)]
        self.assertEqual(written, [])

    @unittest.skipUnless(hasattr(signal, "SIGUSR1"), "no signals of one's own")
    def test_handlers_that_were_not_given_back(self):
        """As an exception came there: they pass on what they are called for, and go."""

        def handler(number, frame):
            raise Limit(number)

        def give_back(*_):
            raise KeyError("mine")

        self.handle(handler)
        plan, out = Plan(*self.SHAPES), bytearray(1 << 20)
        real = _watch._Signals.give_back
        self.addCleanup(setattr, _watch._Signals, "give_back", real)
        for again in (False, True):
            _watch._Signals.give_back = give_back
            with self.assertRaisesRegex(KeyError, "mine"):
                plan.execute(bytes(1 << 20), out, progress=lambda *_: None)
            _watch._Signals.give_back = real
            self.assertIsNot(signal.getsignal(signal.SIGUSR1), handler)
            if again:
                plan.execute(bytes(1 << 20), out, progress=lambda *_: None)
            else:
                with self.assertRaises(Limit):
                    signal.raise_signal(signal.SIGUSR1)
            self.assertIs(signal.getsignal(signal.SIGUSR1), handler)

    def test_handlers_that_compare_oddly(self):
        """They are not asked: all others are given back, and theirs stay."""

        class Odd:
            answer = True

            def __call__(self, number, frame):
                pass

            def __eq__(self, other):
                if self.answer is None:
                    raise KeyError("compared")
                return self.answer

            def __getattr__(self, name):
                raise KeyError(name)

            __hash__ = None

        numbers = (signal.SIGUSR1, signal.SIGUSR2)
        for number in numbers:
            self.addCleanup(_signal.signal, number, _signal.getsignal(number))
        for Odd.answer in (True, None):
            odd, mine = Odd(), lambda number, frame: None
            for number in numbers:
                _signal.signal(number, mine)
            plan, out = Plan(*self.SHAPES), bytearray(1 << 20)
            for progress in (lambda *_, odd=odd: _signal.signal(signal.SIGUSR1, odd), lambda *_: None):
                try:
                    plan.execute(bytes(1 << 20), out, progress=progress)
                except KeyError:  # of Python's own comparison
                    pass
                self.assertIs(_signal.getsignal(signal.SIGUSR1), odd)
                self.assertIs(_signal.getsignal(signal.SIGUSR2), mine)

    def test_handlers_that_progress_sets_stay(self):
        def other(number, frame):
            pass

        self.handle(lambda number, frame: None)
        plan = Plan(*self.SHAPES)
        plan.execute(bytes(1 << 20), bytearray(1 << 20), progress=lambda *_: signal.signal(signal.SIGUSR1, other))
        self.assertIs(signal.getsignal(signal.SIGUSR1), other)
