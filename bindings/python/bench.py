# SPDX-License-Identifier: Apache-2.0
"""bench.py: JSON lines {"language", "name", "ns"}: Python's calls beside the same through ctypes with all arguments
ready. With timeit, the best of several runs; the large relayout is a median."""

import ctypes
import json
import statistics
import sys
import time
import timeit
from array import array

from xlashape import IndexMap, IndexPlan, Plan, Shape
from xlashape import _raw as raw
from xlashape._call import record

TEXT = "bf16[128,256]{1,0:T(8,128)(2,1)}"
RANK4 = "f32[16,32,64,128]{3,2,1,0:T(8,128)}"


def emit(language, name, ns):
    print(json.dumps({"language": language, "name": name, "ns": round(ns, 2)}), flush=True)


def best(function, number=20000, per=1):
    function()
    return min(timeit.repeat(function, number=number, repeat=7)) / number / per * 1e9


def both(name, python, c, **options):
    emit("python", name, best(python, **options))
    emit("ctypes", name, best(c, **options))


def small_calls():
    encoded, handle, err = TEXT.encode(), ctypes.c_void_p(), record()

    def parse():
        raw.shape_parse(encoded, len(encoded), 0, handle, err)
        raw.shape_release(handle)

    both("parse a shape", lambda: Shape(TEXT), parse)
    shape = Shape(TEXT)
    buffer, needed = (ctypes.c_char * 256)(), ctypes.c_int64()
    both("shape to text", lambda: str(shape), lambda: raw.shape_print(shape._handle, 0, buffer, 256, needed, err))
    index_map, index = IndexMap(RANK4), (3, 5, 7, 11)
    packed, out = (ctypes.c_int64 * 4)(*index), ctypes.c_int64()
    both(
        "linear index, rank 4",
        lambda: index_map.linear_index(index),
        lambda: raw.index_map_linear_index(index_map._handle, packed, 4, out, err),
    )
    for count in (1024, 1000000):
        positions, indices = array("q", range(count)), memoryview(array("q", bytes(32 * count))).cast("B")
        indices = indices.cast("q", (count, 4))
        at, to = positions.buffer_info()[0], ctypes.addressof(ctypes.c_char.from_buffer(indices))
        plan = IndexPlan(index_map, to_linear=False)._handle  # the method makes one for each batch
        both(
            f"unravel, per index of {count}",
            lambda: index_map.multidimensional_indices(positions, out=indices),  # noqa: B023
            lambda: raw.index_plan_execute(plan, count, at, 8 * count, to, 32 * count, None, err),  # noqa: B023
            number=max(3, 2000000 // count),
            per=count,
        )
    plan = Plan("f32[3,4]", "f32[3,4]{0,1}")
    src, dst = bytearray(48), bytearray(48)
    source, target = (ctypes.addressof(ctypes.c_char.from_buffer(memory)) for memory in (src, dst))
    both(
        "relayout of f32[3,4], kept plan",
        lambda: plan.execute(src, dst),
        lambda: raw.plan_execute(plan._handle, source, 48, target, 48, err),
    )


def large():
    size = 4096
    plan = Plan(f"f32[{size},{size}]{{1,0}}", f"f32[{size},{size}]{{0,1}}")
    src, dst = bytearray(b"\1") * (4 * size * size), bytearray(4 * size * size)
    source, target = (ctypes.addressof(ctypes.c_char.from_buffer(memory)) for memory in (src, dst))
    err = record()
    calls = (
        ("python", lambda: plan.execute(src, dst)),
        ("ctypes", lambda: raw.plan_execute(plan._handle, source, len(src), target, len(dst), err)),
    )
    times = {language: [] for language, _ in calls}
    for _ in range(11):
        for language, call in calls:
            start = time.perf_counter_ns()
            call()
            times[language].append(time.perf_counter_ns() - start)
    for language, taken in times.items():
        emit(language, "relayout of 64 MB, kept plan", statistics.median(taken[1:]))


if __name__ == "__main__":
    small_calls()
    large()
    sys.exit(0)
