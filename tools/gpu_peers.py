#!/usr/bin/env python3
"""What torch (eager and compiled), CuPy, cuBLAS geam (by CuPy) and JAX reach on the GPU for the transposes that `gpu_bench
measure` times, each beside a device copy of the same bytes: gpu_peers.py OUTPUT.json. What is not installed is said.
"""

import importlib
import json
import sys

# class, element type, dimensions, permutation
CASES = [
    ("2-D f32", "float32", (16384, 16384), (1, 0)),
    ("2-D bf16", "bfloat16", (16384, 32768), (1, 0)),
    ("2-D u8", "uint8", (32768, 32768), (1, 0)),
    ("NHWC to NCHW, C 64", "float32", (64, 224, 224, 64), (0, 3, 1, 2)),
    ("NHWC to NCHW, C 3", "uint8", (2048, 512, 512, 3), (0, 3, 1, 2)),
    ("inner kept, 256 bytes", "float32", (1024, 2048, 64), (1, 0, 2)),
]
WARM, TIMES = 3, 20


def rate(torch, nbytes, work):
    """Median GB/s of `work`, which reads and writes nbytes each."""
    for _ in range(WARM):
        work()
    rates = []
    for _ in range(TIMES):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        rates.append(2 * nbytes / begin.elapsed_time(end) / 1e6)
    return sorted(rates)[TIMES // 2]


def installed(name):
    try:
        return importlib.import_module(name)
    except Exception as error:  # a broken installation is as good as none
        print(f"{name}: not measured ({type(error).__name__}: {str(error)[:80]})")
        return None


def main():
    torch = installed("torch")
    cupy = installed("cupy")
    jax = installed("jax")
    results = []
    if torch is None or not torch.cuda.is_available():
        print("torch with a GPU is needed for its clock: no peer was measured")
    else:
        for name, kind, shape, order in CASES:
            x = torch.empty(shape, dtype=getattr(torch, kind), device="cuda")
            nbytes = x.numel() * x.element_size()
            y = torch.empty_like(x)
            row = {"class": name, "copy": rate(torch, nbytes, lambda: y.copy_(x))}
            row["torch"] = rate(torch, nbytes, lambda: x.permute(order).contiguous())
            try:
                compiled = torch.compile(lambda t: t.permute(order).contiguous())
                row["compiled"] = rate(torch, nbytes, lambda: compiled(x))
            except Exception as error:
                print(f"torch.compile: not measured ({type(error).__name__})")
            if cupy is not None and kind != "bfloat16":
                z = cupy.from_dlpack(x)
                with cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream):
                    row["cupy"] = rate(torch, nbytes, lambda: cupy.ascontiguousarray(z.transpose(order)))
                    if len(shape) == 2 and kind == "float32":
                        from cupy import cublas

                        w = cupy.empty(shape[::-1], dtype=cupy.float32)
                        row["geam"] = rate(torch, nbytes, lambda: cublas.geam("T", "N", 1.0, z, 0.0, w, out=w))
            if jax is not None and any(d.platform == "gpu" for d in jax.devices()):
                row["jax"] = jax_rate(jax, x, order, nbytes)
            print({key: round(value) if isinstance(value, float) else value for key, value in row.items()})
            results.append(row)
            del x, y
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)


def jax_rate(jax, x, order, nbytes):
    """By the clock of the host: JAX has a stream of its own."""
    import time

    a = jax.dlpack.from_dlpack(x)
    f = jax.jit(lambda t: t.transpose(order))
    f(a).block_until_ready()
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        f(a).block_until_ready()
        times.append(time.perf_counter() - begin)
    return 2 * nbytes / sorted(times)[TIMES // 2] / 1e9


main()
