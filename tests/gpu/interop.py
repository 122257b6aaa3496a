# SPDX-License-Identifier: Apache-2.0
"""Tensors of other libraries on the GPU, and their streams, through the Python binding: PyTorch and CuPy where they
are, and device memory taken from the driver by hand, which also runs on the tests' own driver.

Arguments: none; `xlashape` must be importable. Says what was not run; fails if something is wrong.
"""

import ctypes

from xlashape import MemorySpace, Plan, QueueKind

ROWS, COLUMNS = 96, 160
SRC, DST = f"f32[{ROWS},{COLUMNS}]{{1,0}}", f"f32[{ROWS},{COLUMNS}]{{0,1}}"


PLAN = None


def relayout(src, dst, stream):
    """Only enqueues. The plan is made while the caller's context is current."""
    global PLAN
    PLAN = PLAN or Plan(SRC, DST, src_space=MemorySpace.CUDA, dst_space=MemorySpace.CUDA)
    size = 4 * ROWS * COLUMNS
    PLAN.execute_at(src, dst, src_bytes=size, dst_bytes=size, queue_kind=QueueKind.CUDA, queue=stream)


def by_hand():
    """Memory and a stream of the driver's."""
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        assert code == 0, f"{name}: CUDA error {code}"

    context, stream = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxPushCurrent_v2", context)
    call("cuStreamCreate", ctypes.byref(stream), 0)
    count = ROWS * COLUMNS
    data = (ctypes.c_float * count)(*range(count))
    result = (ctypes.c_float * count)()
    src, dst, size = ctypes.c_uint64(), ctypes.c_uint64(), ctypes.c_size_t(4 * count)
    call("cuMemAlloc_v2", ctypes.byref(src), size)
    call("cuMemAlloc_v2", ctypes.byref(dst), size)
    call("cuMemcpyHtoDAsync_v2", src, data, size, stream)
    relayout(src.value, dst.value, stream.value)
    call("cuMemcpyDtoHAsync_v2", result, dst, size, stream)
    call("cuStreamSynchronize", stream)
    for c in range(COLUMNS):
        for r in range(ROWS):
            assert result[c * ROWS + r] == r * COLUMNS + c, (r, c)


def by_torch(torch):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        x = torch.arange(ROWS * COLUMNS, device="cuda", dtype=torch.float32).reshape(ROWS, COLUMNS)
        y = torch.empty(COLUMNS, ROWS, device="cuda")
        relayout(x.data_ptr(), y.data_ptr(), torch.cuda.current_stream().cuda_stream)
        assert torch.equal(y, x.t())
    # And as a part of a graph.
    graph, z = torch.cuda.CUDAGraph(), torch.zeros_like(y)
    with torch.cuda.graph(graph):
        relayout(x.data_ptr(), z.data_ptr(), torch.cuda.current_stream().cuda_stream)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(z, x.t())


def by_cupy(cupy):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        x = cupy.arange(ROWS * COLUMNS, dtype=cupy.float32).reshape(ROWS, COLUMNS)
        y = cupy.empty((COLUMNS, ROWS), dtype=cupy.float32)
        relayout(x.data.ptr, y.data.ptr, stream.ptr)
    stream.synchronize()
    assert bool((y == x.T).all())


def main():
    by_hand()
    print("memory by hand: ok")
    for name, run in (("torch", by_torch), ("cupy", by_cupy)):
        try:
            module = __import__(name)
            if name == "torch" and not module.cuda.is_available():
                raise ImportError("it has no GPU here")
        except ImportError as error:
            print(f"{name}: NOT RUN ({error})")
            continue
        run(module)
        print(f"{name}: ok, also inside a graph" if name == "torch" else f"{name}: ok")


main()
