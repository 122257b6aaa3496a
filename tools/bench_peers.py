#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of `./x bench --peers` that live in Python: numpy, torch, XLA through jax; those that can be imported.

Started by the bench program. A request is one line of JSON on standard input, its answer one line on standard output:
{} -> the peers there are, and why others are missing; {"prepare": ...} -> maps the arrays, and who can do the case;
{"run": peer} -> once; {"sample": peer} -> seconds of one run.
"""

import ctypes
import json
import math
import mmap
import os
import sys
import time

THREADS = sys.argv[1] if len(sys.argv) > 1 else "1"
os.environ.update(OMP_NUM_THREADS=THREADS, MKL_NUM_THREADS=THREADS, OPENBLAS_NUM_THREADS="1", JAX_PLATFORMS="cpu",
                  JAX_ENABLE_X64="1")
if THREADS == "1":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

# As in the program that asks: processor time for one thread, else the clock on the wall. XLA works on a thread of its
# own, so it is the whole process's.
CLOCK = time.process_time if THREADS == "1" else time.perf_counter
ALIGNMENT = 2 << 20
LEAST_SAMPLE = 0.5e-3


class Numpy:
    """numpy.copyto between strided views."""

    def __init__(self):
        import numpy
        self.numpy = numpy
        self.types = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.float32, 8: numpy.float64, 16: numpy.complex128}

    def view(self, memory, rectangle, side, width):
        flat = self.numpy.frombuffer(memory.bytes, self.types[width], memory.size // width, memory.offset)
        column = 1 if side == "src" else 2
        return self.numpy.lib.stride_tricks.as_strided(
            flat[rectangle[side]:], [loop[0] for loop in rectangle["loops"]],
            [loop[column] * width for loop in rectangle["loops"]])

    def prepare(self, case):
        copyto = self.numpy.copyto
        pairs = [(self.view(case.dst, r, "dst", case.width), self.view(case.src, r, "src", case.width))
                 for r in case.rectangles]
        whole = self.numpy.frombuffer(case.dst.bytes, self.numpy.uint8, case.dst.size, case.dst.offset)

        def run():
            if case.fill:
                whole.fill(0)
            for dst, src in pairs:
                copyto(dst, src)
        return run


class Torch:
    """copy_ between strided tensors."""

    def __init__(self):
        import torch
        self.torch = torch
        torch.set_num_threads(int(THREADS))
        self.types = {1: torch.uint8, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64, 16: torch.complex128}

    def view(self, memory, rectangle, side, width):
        flat = self.torch.frombuffer(memory.bytes, dtype=self.types[width], count=memory.size // width,
                                     offset=memory.offset)
        column = 1 if side == "src" else 2
        return self.torch.as_strided(flat, [loop[0] for loop in rectangle["loops"]],
                                     [loop[column] for loop in rectangle["loops"]], rectangle[side])

    def prepare(self, case):
        pairs = [(self.view(case.dst, r, "dst", case.width), self.view(case.src, r, "src", case.width))
                 for r in case.rectangles]
        whole = self.torch.frombuffer(case.dst.bytes, dtype=self.torch.uint8, count=case.dst.size,
                                      offset=case.dst.offset)

        def run():
            if case.fill:
                whole.zero_()
            for dst, src in pairs:
                dst.copy_(src)
        return run


class Jax:
    """XLA's transpose of dense arrays, compiled. Its result is its own array, so one more copy brings it home when it
    is checked; that copy is not timed."""

    def __init__(self):
        import jax
        import numpy
        self.jax, self.numpy = jax, numpy
        self.types = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.float32, 8: numpy.float64, 16: numpy.complex128}

    def prepare(self, case):
        if len(case.rectangles) != 1 or case.fill:
            return None
        loops = case.rectangles[0]["loops"]
        by_source = sorted(range(len(loops)), key=lambda l: -loops[l][1])
        for column, order in ((1, by_source), (2, range(len(loops)))):
            inside = 1
            for l in reversed(list(order)):
                if loops[l][column] != inside:
                    return None
                inside *= loops[l][0]
        flat = self.numpy.frombuffer(case.src.bytes, self.types[case.width], case.src.size // case.width,
                                     case.src.offset)
        source = None
        transpose = self.jax.jit(lambda x: self.jax.numpy.transpose(x, [by_source.index(l) for l in range(len(loops))]))

        def run(home=False):
            nonlocal source
            if source is None:
                source = self.jax.device_put(flat.reshape([loops[l][0] for l in by_source]))
            result = transpose(source).block_until_ready()
            if home:
                out = self.numpy.frombuffer(case.dst.bytes, self.types[case.width], case.dst.size // case.width,
                                            case.dst.offset)
                self.numpy.copyto(out, self.numpy.asarray(result).reshape(-1))
        run.brings_home = True
        return run


class Memory:
    """A mapped file, from the first multiple of 2 MiB on."""

    def __init__(self, path, size):
        file = os.open(path, os.O_RDWR)
        self.bytes = mmap.mmap(file, 0)
        os.close(file)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            self.bytes.madvise(mmap.MADV_NOHUGEPAGE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self.bytes))
        self.offset = -address % ALIGNMENT
        self.size = size
        for page in range(self.offset, self.offset + size, 4096):
            self.bytes[page] = 1


class Case:
    def __init__(self, request):
        self.rectangles = request["prepare"]
        self.width, self.fill, self.warm = request["width"], request["fill"], request["warm"]
        self.src = Memory(request["src_path"], request["src_bytes"])
        self.dst = Memory(request["dst_path"], request["dst_bytes"])
        self.runs, self.loops = {}, {}


def calibrate(run):
    loops = 1
    while True:
        start = time.perf_counter()
        for _ in range(loops):
            run()
        taken = time.perf_counter() - start
        if taken >= LEAST_SAMPLE:
            return loops
        loops = max(loops * 2, math.ceil(loops * LEAST_SAMPLE / max(taken, 1e-7) * 1.1)) if taken > LEAST_SAMPLE / 8 \
            else loops * 2


def sample(case, peer):
    run = case.runs[peer]
    if peer not in case.loops:
        case.loops[peer] = calibrate(run)
    loops = case.loops[peer]
    if case.warm:
        run()
    start = CLOCK()
    for _ in range(loops):
        run()
    return (CLOCK() - start) / loops


def answer(request, peers, missing, state):
    if "prepare" in request:
        state.clear()
        case = state["case"] = Case(request)
        for name, peer in peers.items():
            try:
                run = peer.prepare(case)
            except Exception:  # it cannot express the case
                run = None
            if run is not None:
                case.runs[name] = run
        return {"peers": list(case.runs), "src_offset": case.src.offset, "dst_offset": case.dst.offset}
    if "run" in request:
        run = state["case"].runs[request["run"]]
        if getattr(run, "brings_home", False):
            run(home=True)
        else:
            run()
        return {}
    if "sample" in request:
        return {"seconds": sample(state["case"], request["sample"])}
    return {"peers": list(peers), "missing": missing}


def main():
    peers, missing = {}, {}
    for name, make in (("numpy", Numpy), ("torch", Torch), ("xla", Jax)):
        try:
            peers[name] = make()
        except Exception as problem:  # not installed, or not for this machine
            missing[name] = f"{sys.executable}: {type(problem).__name__}: {problem}"
    state = {}
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), peers, missing, state)), flush=True)


main()
