"""Exceptions that come from outside while C uses memory: none of them leaves before C is done, and all come out."""

import gc
import signal
import subprocess
import sys
import threading
import unittest
from ctypes import c_ulong, py_object, pythonapi

from xlashape import Plan, Runtime
from xlashape import _raw as raw
from xlashape import runtime as module
from xlashape.runtime import _executor, _raised

TASK = dict(raw.executor._fields_)["parallel_for"]._argtypes_[3]
SUB_INTERPRETER = """
import sys
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
    made = interpreters.create(isolated=False)
else:
    import _interpreters as interpreters
    made = interpreters.create("legacy")
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


class Limit(BaseException):
    pass


class Call:
    """A call of C's that runs tasks on an executor. Each task waits in C until `go` is set."""

    def __init__(self, executor, count=2):
        self.entered, self.go = threading.Semaphore(0), threading.Event()
        self.running = []
        self.count, self.task = count, TASK(self.work)
        self.hook = _executor(executor, 4)

    def work(self, opaque, index, worker):
        self.running.append((index, worker))
        self.entered.release()
        self.go.wait()
        self.running.remove((index, worker))

    def run(self):
        """What the call raises, and what ran when it returned."""
        try:
            self.hook.parallel_for(0, self.count, 0, self.task)
        finally:
            still = list(self.running)
            self.go.set()
        return _raised.pop(threading.get_ident(), None), still


class Executors(unittest.TestCase):
    def setUp(self):
        self.threads = []

    def tearDown(self):
        self.assertEqual(_raised, {})

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

    def hasty(self, error=None):
        """A call whose executor leaves all tasks running."""

        def executor(count, task):
            for index in range(count):
                self.start(task, index)
            for _ in range(count):
                call.entered.acquire()
            self.left.set()
            if error is not None:
                raise error

        self.left = threading.Event()
        call = Call(executor)
        return call

    def interrupted(self, call, interrupt, times):
        """What comes out where `interrupt` comes while the executor's tasks are waited for."""

        def work():
            self.left.wait()
            for _ in range(times):
                interrupt()
            call.go.set()

        self.start(work)
        error, still = call.run()
        self.join()
        self.assertEqual(still, [])
        return error

    def test_too_late(self):
        kept = []

        def executor(count, task):
            kept.append(task)
            raise Limit

        call = Call(executor)
        self.assertIsInstance(call.run()[0], Limit)
        with self.assertRaisesRegex(RuntimeError, "task 0 was started after the executor had returned"):
            kept[0](0)
        self.assertFalse(call.entered.acquire(blocking=False))  # it was not in C

    def test_signals(self):
        came = threading.Semaphore(0)

        def handler(number, frame):
            came.release()
            raise Limit

        def interrupt():
            # One that comes just before a lock is waited for is looked at when that wait ends.
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            while not came.acquire(timeout=0.02):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)

        before = signal.signal(signal.SIGUSR1, handler)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        mine = KeyError("mine")
        self.assertIsInstance(self.interrupted(self.hasty(), interrupt, 3), Limit)
        self.assertIs(self.interrupted(self.hasty(mine), interrupt, 3), mine)

    def test_exceptions_of_another_thread(self):
        """On a thread that is not the main one, where no signal's handler runs."""
        found = []

        def interrupt():
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(executing.ident), py_object(Limit))

        executing = threading.Thread(target=lambda: found.append(self.interrupted(self.hasty(), interrupt, 1)))
        executing.start()
        executing.join()
        self.assertIsInstance(found[0], Limit)

    def test_at_each_instruction(self):
        """Of the callback, where the executor has raised something else, or runs the tasks itself."""
        functions = {code.co_name for code in module._executor.__code__.co_consts if hasattr(code, "co_name")}
        functions |= {"run", "__call__"}
        lost = []
        hook, sys.unraisablehook = sys.unraisablehook, lost.append
        self.addCleanup(setattr, sys, "unraisablehook", hook)

        def trace(frame, event, argument):
            nonlocal seen
            if frame.f_code.co_filename != module.__file__ or frame.f_code.co_name not in functions:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode":
                seen += 1
                if seen == place:
                    raise Limit
            return trace

        def traced(call, results):
            sys._getframe().f_trace_opcodes = True  # Python 3.12 asks the frame that begins
            sys.settrace(trace)
            try:
                results.extend(call.run())
            finally:
                sys.settrace(None)

        def serial(count, task):
            for index in range(count):
                task(index)

        for make in (lambda: self.hasty(KeyError("mine")), lambda: Call(serial)):
            place = seen = 0
            while seen == place:
                place, seen, results = place + 1, 0, []
                call = make()
                # Where this comes too early, or too late, less is tested.
                timer = threading.Timer(0.003, call.go.set)
                # On a thread of its own: what is raised where only a trace can raise leaves the thread's state odd.
                executing = threading.Thread(target=traced, args=(call, results))
                for thread in (timer, executing):
                    thread.start()
                for thread in (timer, executing):
                    thread.join()
                self.join()
                error, still = results
                self.assertEqual(still, [], f"instruction {place}")
                self.assertTrue(error or lost or seen < place, f"instruction {place}")
                lost.clear()
            self.assertGreater(place, 30)


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
        self.assertEqual(_raised, {})

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

    def test_progress_in_a_sub_interpreter(self):
        """Where signal.signal is refused."""
        run = subprocess.run(
            [sys.executable, "-c", SUB_INTERPRETER, PROGRESS], capture_output=True, text=True, check=False, timeout=60
        )
        self.assertEqual((run.stdout, run.returncode), ("[1]\n", 0), run.stderr)

    def test_handlers_that_progress_sets_stay(self):
        def other(number, frame):
            pass

        self.handle(lambda number, frame: None)
        plan = Plan(*self.SHAPES)
        plan.execute(bytes(1 << 20), bytearray(1 << 20), progress=lambda *_: signal.signal(signal.SIGUSR1, other))
        self.assertIs(signal.getsignal(signal.SIGUSR1), other)
