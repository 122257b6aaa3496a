# SPDX-License-Identifier: Apache-2.0
"""bench.py [--quick] [--threads N]: a relayout in a jitted program, beside what else could do it. One table, in
Markdown.

    xlashape_jax   jax.jit(lambda x: xlashape_jax.relayout(x, to)), with the call of the jitted function and its waiting
    XLA            the same by jnp.pad, reshape and transpose, compiled by XLA's CPU
    plan           the library's plan of the same relayout, called by its C interface, on one thread, into memory that
                   was written before
    copy           a copy of the array by NumPy, on one thread, into memory that was written before
    new copy       the same into new memory, as the result of a jitted function is in: above 32 MiB the system gives it
                   page by page as it is written, which then takes most of the time (NumPy asks for large pages)
    overhead       xlashape_jax less plan

In each round every candidate runs once, so that what disturbs the machine disturbs all of them; the numbers are medians
of all rounds, in microseconds. --threads N: XLA's pool, and so the first two columns, has that many threads (1: one;
default: one for each processor). --quick: few rounds of small arrays, to see that it runs. """

import argparse
import os
import statistics
import time

SIZES = [4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20]
NAMES = ["xlashape_jax", "XLA", "plan", "copy", "new copy"]


def text_of(nbytes):
    return f"{nbytes >> 20} MiB" if nbytes >= 1 << 20 else f"{nbytes >> 10} KiB"


def forms(jnp):
    """Name, dtype, dimensions for about that many bytes, layout, the same in JAX's own terms."""

    def square(nbytes):
        side = int((nbytes / 4) ** 0.5)
        return side, side

    def tiles(nbytes):
        columns = 256 if nbytes < 1 << 20 else 1024
        return nbytes // 2 // columns, columns

    def tiled(x):
        rows, columns = x.shape
        x = x.reshape(rows // 8, 4, 2, columns // 128, 128)  # rows of tiles, pairs, 2, columns of tiles, 128
        return x.transpose(0, 3, 1, 4, 2).reshape(-1)

    def four(nbytes):
        count = nbytes // 4 // 1024
        return max(1, count // 32) if count >= 32 else 1, min(count, 32), 16, 64

    return [
        ("f32 transpose", "float32", square, "{0,1}", lambda x: x.T.reshape(-1)),
        ("bf16 T(8,128)(2,1)", "bfloat16", tiles, "{1,0:T(8,128)(2,1)}", tiled),
        ("f32 0,2,1,3", "float32", four, "{3,1,2,0}", lambda x: x.transpose(0, 2, 1, 3).reshape(-1)),
    ]


def timed(function):
    begin = time.perf_counter()
    function()
    return (time.perf_counter() - begin) * 1e6


def row(jax, jnp, numpy, xlashape, form, nbytes, rounds):
    import xlashape_jax
    from xlashape import _raw as raw
    from xlashape._call import record

    name, dtype, dimensions_of, to, own = form
    dimensions = dimensions_of(nbytes)
    values = numpy.arange(int(numpy.prod(dimensions)), dtype="u4") % 251
    x = jnp.asarray(values.reshape(dimensions).astype(dtype))
    by_xlashape = jax.jit(lambda x: xlashape_jax.relayout(x, to))
    by_xla = jax.jit(own)
    source = xlashape.Shape.of(x)
    plan = xlashape.Plan(source, source.with_layout(to))
    src = numpy.asarray(x).view("u1").reshape(-1)
    dst, copied = numpy.zeros(plan.dst_nbytes, "u1"), numpy.zeros(src.size, "u1")
    plan.execute(src, dst)
    err, arrays = record(), (src.ctypes.data, src.nbytes, dst.ctypes.data, dst.nbytes)
    for result in (by_xlashape(x), by_xla(x)):
        assert numpy.array_equal(numpy.asarray(result).view("u1").reshape(-1), dst), name
    candidates = [
        lambda: by_xlashape(x).block_until_ready(),
        lambda: by_xla(x).block_until_ready(),
        lambda: raw.plan_execute(plan._handle, *arrays, err),
        lambda: numpy.copyto(copied, src),
        src.copy,
    ]
    times = [[timed(candidate) for candidate in candidates] for _ in range(rounds + 2)][2:]
    return [statistics.median(column) for column in zip(*times)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.threads and hasattr(os, "sched_setaffinity"):
        # XLA's pool has a thread for each processor that it may use.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.threads])
    import jax
    import jax.numpy as jnp
    import numpy

    import xlashape

    print(f"jax {jax.__version__}, {len(os.sched_getaffinity(0))} processors, microseconds\n")
    print("| form | size | " + " | ".join(NAMES) + " | overhead | XLA / xlashape_jax | xlashape_jax / new copy |")
    print("|---|---:|" + "---:|" * (len(NAMES) + 3))
    for form in forms(jnp):
        for nbytes in SIZES[:2] if arguments.quick else SIZES:
            rounds = 5 if arguments.quick else max(9, min(2000, (256 << 20) // nbytes))
            times = row(jax, jnp, numpy, xlashape, form, nbytes, rounds)
            cells = " | ".join(f"{one:,.1f}" for one in times)
            ours, own, plan, _, copy = times
            cells += f" | {ours - plan:+,.1f} | {own / ours:.2f} | {ours / copy:.2f}"
            print(f"| {form[0]} | {text_of(nbytes)} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
