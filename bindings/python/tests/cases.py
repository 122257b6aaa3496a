"""What the tests share."""

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
