# SPDX-License-Identifier: Apache-2.0
"""Many threads of Python's, one pool of XLA's, one cache."""

import faulthandler
import threading
import unittest

import cases  # noqa: F401  (before JAX)
import jax
import numpy as np
from xlashape_jax import cache_info, relayout

COUNT = 16


def in_threads(work):
    """Runs work(number) in each of them; raises what one of them raised. A process that waits for ever ends, and says
    where."""
    raised = []
    barrier = threading.Barrier(COUNT)

    def run(number):
        try:
            barrier.wait()
            work(number)
        except BaseException as error:  # noqa: BLE001
            raised.append(error)

    faulthandler.dump_traceback_later(120, exit=True)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(COUNT)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    faulthandler.cancel_dump_traceback_later()
    if raised:
        raise raised[0]


class Threads(unittest.TestCase):
    def test_one_function(self):
        function = jax.jit(lambda x: relayout(x, "{0,1}"))

        def work(number):
            for i in range(50):
                x = np.full((20, 30), number * 100 + i, "i4") + np.arange(30, dtype="i4")
                got = np.asarray(function(x))
                self.assertTrue(np.array_equal(got, x.T.reshape(-1)))

        in_threads(work)

    def test_large_ones_at_once(self):
        """The pool is busy all the time: with relayouts, which wait for none of it."""
        function = jax.jit(lambda x: relayout(x, "{0,1}"))
        many = jax.jit(jax.vmap(lambda x: relayout(x, "{0,1}")))

        def work(number):
            x = np.arange(1200 * 1000, dtype="i4").reshape(1200, 1000) + number
            for _ in range(3):
                self.assertTrue(np.array_equal(function(x), x.T.reshape(-1)))
            x = x.reshape(120, 10, 1000)
            self.assertTrue(np.array_equal(many(x), x.transpose(0, 2, 1).reshape(120, -1)))

        in_threads(work)

    def test_many_in_one_program(self):
        """Independent ones, which XLA runs at once on threads of the pool that they use themselves."""
        x = np.arange(8 * 1100 * 1000, dtype="i4").reshape(8, 1100, 1000)
        got = jax.jit(lambda x: [relayout(one, "{0,1}") for one in x])(x)
        for one, memory in zip(x, got):
            self.assertTrue(np.array_equal(memory, one.T.reshape(-1)))

    def test_cold(self):
        """Compilation and the first execution in all threads at once."""
        made = cache_info().made

        def work(number):
            for i in range(3):
                x = np.arange(77 * (5 + i), dtype="i2").reshape(77, 5 + i) * (number + 1)
                got = jax.jit(lambda x: relayout(x, "{0,1:T(3,2)}"))(x)
                again = relayout(got, "{1,0}", of=f"s16[77,{5 + i}]{{0,1:T(3,2)}}")
                self.assertTrue(np.array_equal(again, x))

        in_threads(work)
        info = cache_info()
        self.assertGreaterEqual(info.made - made, 6)
        self.assertLessEqual(info.texts, info.capacity)
        self.assertLessEqual(info.plans, info.texts)


if __name__ == "__main__":
    unittest.main()
