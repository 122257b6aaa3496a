# SPDX-License-Identifier: Apache-2.0
"""What the tests share."""

import sys
import threading
import unittest


class Case(unittest.TestCase):
    def refused(self, *rows):
        """Each row: an exception, a pattern of its message, and the call that raises it."""
        for number, (kind, pattern, call) in enumerate(rows):
            with self.subTest(row=number, pattern=pattern), self.assertRaisesRegex(kind, pattern):
                call()

    def equal(self, *rows):
        """Each row: two values."""
        for number, (got, wanted) in enumerate(rows):
            with self.subTest(row=number):
                self.assertEqual(got, wanted)


class Described:
    """What says its sizes and type, as jax.ShapeDtypeStruct does, and has no memory to look at."""

    def __init__(self, shape, dtype, **more):
        self.shape, self.dtype = shape, dtype
        self.__dict__.update(more)


def in_threads(count, work):
    """Runs work(number) in each of them; gives what they raised."""
    raised = []

    def run(number):
        try:
            work(number)
        except Exception as error:  # noqa: BLE001
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def at_each_instruction(chosen, exception, make):
    """Raises `exception`, as a signal's handler does, at one instruction of the code that chosen(code) picks: at the
    first one, then, in another run, at the second, and so on, until there are no more; gives how many there were.
    make() gives what is run, and what is called with the number after it."""
    place = seen = 0

    def trace(frame, event, _):
        nonlocal seen
        if not chosen(frame.f_code):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            seen += 1
            if seen == place:
                raise exception
        return trace

    def traced(run):
        sys._getframe().f_trace_opcodes = True  # Python 3.12 asks the frame that begins
        sys.settrace(trace)
        try:
            run()
        except exception:
            pass
        finally:
            sys.settrace(None)

    while seen == place:
        place, seen = place + 1, 0
        run, check = make()
        # On a thread of its own: what is raised where only a trace can raise leaves the thread's state odd.
        thread = threading.Thread(target=traced, args=(run,))
        thread.start()
        thread.join()
        check(place, seen == place)
    return place
