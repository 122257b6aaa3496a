# SPDX-License-Identifier: Apache-2.0
"""The cuda backend beside torch, torch.compile and jax on the same permutations, on this machine's GPU: GB/s, bytes
read and written, medians of 11 in turns. Each result of ours is compared with torch's.

Arguments: none; `xlashape` and torch must be importable, jax may be. Calls are timed one at a time by events, launch
included; jax, which has no stream for them, over five calls by the processor's clock.
"""

import os
import statistics
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import torch  # noqa: E402
import torch._dynamo  # noqa: E402

from xlashape import MemorySpace, Plan, QueueKind  # noqa: E402

try:
    import jax
except ImportError:
    jax = None

TYPES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "u8": torch.uint8}
# The source, the destination's layout, and the same as a permutation of an array of these dimensions.
CASES = (
    ("f32[16384,16384]{1,0}", "{0,1}", (16384, 16384), (1, 0)),
    ("f64[8192,16384]{1,0}", "{0,1}", (8192, 16384), (1, 0)),
    ("bf16[16384,32768]{1,0}", "{0,1}", (16384, 32768), (1, 0)),
    ("u8[16448,32800]{1,0}", "{0,1}", (16448, 32800), (1, 0)),
    ("f32[64,224,224,64]{3,2,1,0}", "{2,1,3,0}", (64, 224, 224, 64), (0, 3, 1, 2)),
    ("u8[1024,512,512,3]{3,2,1,0}", "{2,1,3,0}", (1024, 512, 512, 3), (0, 3, 1, 2)),
    ("u8[1024,512,512,4]{3,2,1,0}", "{2,1,3,0}", (1024, 512, 512, 4), (0, 3, 1, 2)),
    ("bf16[512,4,512,512]{3,2,1,0}", "{1,3,2,0}", (512, 4, 512, 512), (0, 2, 3, 1)),
    ("f32[4096,2048,16]{2,1,0}", "{2,0,1}", (4096, 2048, 16), (1, 0, 2)),
    ("bf16[8192,4096,8]{2,1,0}", "{2,0,1}", (8192, 4096, 8), (1, 0, 2)),
    ("f32[16384,16384]{1,0}", "{1,0:T(8,128)}", (2048, 8, 128, 128), (0, 2, 1, 3)),
    ("bf16[16384,32768]{1,0}", "{1,0:T(8,128)(2,1)}", (2048, 4, 2, 256, 128), (0, 3, 1, 4, 2)),
    ("u8[32768,32768]{1,0}", "{1,0:T(8,128)(4,1)}", (4096, 2, 4, 256, 128), (0, 3, 1, 4, 2)),
    ("f32[48,28,28,48,32]{4,3,2,1,0}", "{4,0,2,3,1}", (48, 28, 28, 48, 32), (1, 3, 2, 0, 4)),
    ("bf16[4,64,3,128,11,128]{5,4,3,2,1,0}", "{5,3,1,4,0,2}", (4, 64, 3, 128, 11, 128), (2, 0, 4, 1, 3, 5)),
)


def by_events(work):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    work()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1e3


def by_clock(work):
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(5):
        result = work()
    result.block_until_ready()
    return (time.perf_counter() - begin) / 5


def measure(src, layout, dimensions, order):
    """Bytes read and written, and the median seconds of each."""
    head = src.partition("{")[0]
    x = torch.randint(0, 100, dimensions, device="cuda").to(TYPES[head.partition("[")[0]])
    permuted = x.permute(*order)
    y = torch.empty(permuted.shape, device="cuda", dtype=x.dtype)
    size, queue = x.numel() * x.element_size(), torch.cuda.current_stream().cuda_stream
    plan = Plan(src, head + layout, src_space=MemorySpace.CUDA, dst_space=MemorySpace.CUDA)
    compiled = torch.compile(lambda a: a.permute(*order).contiguous(), dynamic=False)
    works = {"xlashape": lambda: plan.execute_at(x.data_ptr(), y.data_ptr(), src_bytes=size, dst_bytes=size,
                                                 queue_kind=QueueKind.CUDA, queue=queue)}
    works["xlashape"]()
    torch.cuda.synchronize()
    assert torch.equal(y, permuted), (src, layout)
    works.update({"torch": lambda: y.copy_(permuted), "compiled": lambda: compiled(x),
                  "copy": lambda: y.view(-1).copy_(x.view(-1))})
    if jax is not None:
        array, transposed = jax.dlpack.from_dlpack(x), jax.jit(lambda a: jax.numpy.transpose(a, order))
        works["jax"] = lambda: transposed(array)
    times = {name: [] for name in works}
    for turn in range(-2, 11):
        for name, work in works.items():
            seconds = (by_clock if name == "jax" else by_events)(work)
            if turn >= 0:
                times[name].append(seconds)
    return 2 * size, {name: statistics.median(seconds) for name, seconds in times.items()}


def main():
    torch._dynamo.config.recompile_limit = 64
    if jax is not None:
        jax.config.update("jax_enable_x64", True)
    columns = ("xlashape", "torch", "compiled", "jax", "copy")
    print(torch.cuda.get_device_name(), "torch", torch.__version__)
    print(f"{'MB':>8}", *(f"{name:>8}" for name in columns), "GB/s")
    for case in CASES:
        moved, seconds = measure(*case)
        print(f"{moved / 1e6:8.1f}", *(f"{moved / seconds[name] / 1e9:8.0f}" if name in seconds else f"{'-':>8}"
                                       for name in columns), f" {case[0]} -> {case[1]}", flush=True)


if __name__ == "__main__":
    main()
