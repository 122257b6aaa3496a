# SPDX-License-Identifier: Apache-2.0
"""bench.py [--quick]: the operator beside PyTorch's own ways and the bare plan; all ways of a row in turns, in one run.

For each form, size and number of threads: microseconds of the operator (its Python function), of PyTorch's expression
for the same bytes, of the bare plan into memory that exists already, and of clone(), which copies the source as it is;
then how many times the operator's time PyTorch's expression and clone() take. The least of many rounds is shown. The
operator, PyTorch's expression and clone() allocate their results, the bare plan does not. With two threads the bare
plan has xlashape's own pool, whose threads compete with PyTorch's, which wait for work by spinning for a while.
"""

import sys
import time

import torch

import xlashape
from xlashape import Plan, Runtime, Shape
from xlashape_torch import pack, relayout

SIZES = [4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20]


def square(nbytes, itemsize):
    """About as many bytes, as rows and columns; at least two tiles, so that tiling them is no copy."""
    count = nbytes // itemsize
    columns = max(256, int(count**0.5) // 128 * 128)
    return max(8, count // columns // 8 * 8), columns


def forms(nbytes):
    """(name, operator's call, PyTorch's expression, tensor, plan's shapes)."""
    rows, columns = square(nbytes, 4)
    x = torch.randn(rows, columns)
    plain = Shape.array("f32", (rows, columns))
    yield "f32 {0,1}", lambda: relayout(x, "{0,1}"), lambda: x.t().contiguous(), x, plain.with_layout("{0,1}")

    def tiled():
        return x.view(rows // 8, 8, columns // 128, 128).permute(0, 2, 1, 3).contiguous()

    tiles = "{1,0:T(8,128)}"
    yield "f32 T(8,128)", lambda: relayout(x, tiles), tiled, x, plain.with_layout(tiles)

    rows16, columns16 = square(nbytes, 2)
    h = torch.randn(rows16, columns16).to(torch.bfloat16)
    half = Shape.array("bf16", (rows16, columns16))
    yield "bf16 {0,1}", lambda: relayout(h, "{0,1}"), lambda: h.t().contiguous(), h, half.with_layout("{0,1}")

    def tiled16():
        return h.view(rows16 // 8, 4, 2, columns16 // 128, 128).permute(0, 3, 1, 4, 2).contiguous()

    pairs = "{1,0:T(8,128)(2,1)}"
    yield "bf16 T(8,128)(2,1)", lambda: relayout(h, pairs), tiled16, h, half.with_layout(pairs)

    image = torch.randint(0, 256, (max(1, nbytes // (3 * 64 * 20)), 20, 64, 3), dtype=torch.uint8)
    pixels = Shape.array("u8", image.shape)
    order = "{2,1,3,0}"
    yield "u8 NHWC to NCHW", lambda: relayout(image, order), lambda: image.permute(0, 3, 1, 2).contiguous(), image, (
        pixels.with_layout(order)
    )

    rows4, columns4 = square(nbytes, 1)
    values = torch.randint(-8, 8, (rows4, columns4), dtype=torch.int8)
    packed = Shape.array("s4", (rows4, columns4)).with_layout("{1,0:E(4)}")

    def nibbles():
        return (values[:, 0::2] & 15) | (values[:, 1::2] << 4)

    yield "s4 pack, row-major", lambda: pack(values, packed), nibbles, values, packed


def times(calls, budget):
    """The least time of each, in microseconds; the calls take turns."""
    best = [float("inf")] * len(calls)
    start = time.perf_counter()
    repeat = 1
    for call in calls:
        call()
    probe = time.perf_counter()
    calls[0]()
    repeat = max(1, int(2e-4 / max(time.perf_counter() - probe, 1e-7)))
    rounds = 0
    while rounds < 5 or time.perf_counter() - start < budget:
        for i, call in enumerate(calls):
            begin = time.perf_counter()
            for _ in range(repeat):
                call()
            best[i] = min(best[i], (time.perf_counter() - begin) / repeat)
        rounds += 1
    return [value * 1e6 for value in best]


def main():
    budget = 0.2 if "--quick" in sys.argv else 1.0
    sizes = SIZES[:3] if "--quick" in sys.argv else SIZES
    print(f"PyTorch {torch.__version__}, xlashape {xlashape.__version__}")
    head = f"{'form':<20}{'size':>9}{'threads':>8}{'operator':>11}{'PyTorch':>11}{'bare plan':>11}{'clone':>11}"
    print(head + f"{'PyTorch/op':>11}{'clone/op':>9}")
    for threads in (1, 2):
        torch.set_num_threads(threads)
        runtime = Runtime(threads=threads)
        for size in sizes:
            for name, operator, expression, x, result in forms(size):
                source = Shape.array(result.element_type, result.dimensions)
                plan = Plan(source, result, runtime=runtime)
                src = memoryview(x.view(torch.uint8).numpy()).cast("B")
                dst = memoryview(torch.empty(result.padded_nbytes, dtype=torch.uint8).numpy())
                calls = [operator, expression, lambda: plan.execute(src, dst), x.clone]  # noqa: B023
                op, torch_, bare, clone = times(calls, budget)
                row = f"{name:<20}{size >> 10:>5} KiB{threads:>8}{op:>11.1f}{torch_:>11.1f}{bare:>11.1f}{clone:>11.1f}"
                print(row + f"{torch_ / op:>11.2f}{clone / op:>9.2f}", flush=True)
    torch.set_num_threads(1)
    print("\nper call, 24 bytes (microseconds):")
    x = torch.arange(6.0).reshape(2, 3)
    plan = Plan("f32[2,3]", "f32[2,3]{0,1}")
    src, dst = memoryview(x.numpy()).cast("B"), memoryview(bytearray(24))
    op, clone, needs = torch.ops.xlashape.relayout, torch.ops.aten.clone, x.clone().requires_grad_()
    with torch.inference_mode():
        inference = x + 0
    rows = [
        ("torch.ops.aten.clone", lambda: clone(x)),
        ("x.clone()", x.clone),
        ("x.t().contiguous()", lambda: x.t().contiguous()),
        ("xlashape_torch.relayout", lambda: relayout(x, "{0,1}")),
        ("torch.ops.xlashape.relayout", lambda: op(x, "{0,1}")),
        ("the same, inference mode's tensor", lambda: op(inference, "{0,1}")),
        ("the same, with a gradient", lambda: op(needs, "{0,1}")),
        ("bare plan, by ctypes", lambda: plan.execute(src, dst)),
    ]
    for (name, _), value in zip(rows, times([call for _, call in rows], 3 * budget)):
        print(f"  {name:<36}{value:>7.2f}")


if __name__ == "__main__":
    main()
