"""The other libraries that bench.py lets take turns with ours: torch (eager and compiled), cuBLAS geam, CuPy and JAX,
on the same shapes and the same bytes. Each has memory of its own, two sources that take turns, and two copies right
before what is timed, as bench_server.h has. Without a GPU they run on the processor, with NumPy in place of CuPy: that
shows that they do what ours does, and nothing else.

A library has `names` (its columns), `missing` (why a column stays empty), `version`, and: prepare(case) -> work by
name; sample(work, calls) -> microseconds of one call; bytes(work, case, pieces) -> of the result; release().
"""

import ctypes
import os
import time

GPU = "cuda"
BLOCK, INDEX_BLOCK, SCATTER = 1000003, 1 << 20, 2654435761


def block():
    """What sources hold, over and over: the same rule as in bench_server.h."""
    return bytes((i * SCATTER >> 24) & 255 for i in range(BLOCK))


def elements(case):
    count = 1
    for d in case.dimensions:
        count *= d
    return count


def numpy_like(xp, case):
    """What has one name in CuPy and JAX: padding and index batches; None: a transpose."""
    dimensions, axis = case.dimensions, 0 if case.notes == "soa" else -1
    if case.kind == "pad":
        widths = tuple((0, new - old) for new, old in zip(case.order, dimensions))
        return lambda t: xp.pad(t, widths)
    if case.kind == "to_multi":
        if case.notes == "soa":
            return lambda t: xp.unravel_index(t, dimensions)
        return lambda t: xp.stack(xp.unravel_index(t, dimensions), -1)
    if case.kind == "to_linear":
        # Out-of-range indices are clipped: to refuse them it would wait for the device.
        return lambda t: xp.ravel_multi_index(tuple(xp.moveaxis(t, axis, 0)), dimensions, mode="clip")
    return None


class Torch:
    """torch, eager and compiled; and cuBLAS, in torch's memory and on its stream."""

    def __init__(self, on_gpu):
        import torch

        if on_gpu and not torch.cuda.is_available():
            raise ImportError("it has no GPU here")
        self.torch, self.on_gpu = torch, on_gpu
        self.device = GPU if on_gpu else "cpu"
        self.names = ["torch"]
        self.missing = {}
        if not on_gpu:
            self.missing = {"compile": "only on a GPU", "geam": "only on a GPU"}
        else:
            if hasattr(torch, "compile"):
                self.names.append("compile")
            else:
                self.missing["compile"] = "this torch has none"
            try:
                self.geam = Geam(torch)
                self.names.append("geam")
            except OSError as error:
                self.missing["geam"] = str(error)
        self.block = torch.frombuffer(bytearray(block()), dtype=torch.uint8).to(self.device)
        self.version = torch.__version__

    def types(self, name):
        kinds = {"u8": "uint8", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "s64": "int64"}
        return getattr(self.torch, kinds[name])

    def prepare(self, case):
        """Work by name, each a function of a source; builds the sources."""
        torch = self.torch
        if case.is_batch():
            x = self.indices(case)
        else:
            kind = self.types(case.type)
            nbytes = elements(case) * torch.empty(0, dtype=kind).element_size()
            flat = self.block.repeat(nbytes // BLOCK + 1)[:nbytes].clone()
            x = flat.view(kind).view(case.view()[0] if case.kind != "pad" else case.dimensions)
        self.sources = [x, x.clone()]
        self.spare = torch.empty_like(x)
        self.turn = 0
        work = self.function(case)
        works = {"torch": work} if work else {}
        if work and "compile" in self.names:
            import torch._dynamo

            torch._dynamo.reset()  # it compiles a function for so many shapes only
            works["compile"] = torch.compile(work, dynamic=False)
        if "geam" in self.names and case.kind == "permute" and case.order == (1, 0) and case.type in ("f32", "f64"):
            works["geam"] = self.geam.transpose(case.type, *case.dimensions)
        return works

    def indices(self, case):
        torch, count = self.torch, case.order[0]
        positions = elements(case)
        linear = torch.arange(count, device=self.device) % min(count, INDEX_BLOCK) * SCATTER % positions
        if case.kind == "to_multi":
            return linear
        columns = []
        for d in case.dimensions:
            positions //= d
            columns.append(torch.div(linear, positions, rounding_mode="floor") % d)
        return torch.stack(columns, 0 if case.notes == "soa" else -1)

    def function(self, case):
        torch, dimensions = self.torch, case.dimensions
        if case.kind == "pad":
            below, right = (case.order[i] - dimensions[i] for i in range(2))
            return lambda t: torch.nn.functional.pad(t, (0, right, 0, below))
        if case.kind == "to_multi":
            if not hasattr(torch, "unravel_index"):
                self.missing["torch"] = "this torch has no unravel_index"
                return None
            if case.notes == "soa":
                return lambda t: torch.unravel_index(t, dimensions)
            return lambda t: torch.stack(torch.unravel_index(t, dimensions), -1)
        if case.kind == "to_linear":
            axis = 0 if case.notes == "soa" else -1

            def to_linear(t):
                total, *rest = t.unbind(axis)
                for index, d in zip(rest, dimensions[1:]):
                    total = total * d + index
                return total

            return to_linear
        order = case.view()[1]
        # clone, since contiguous() copies nothing where only unit dimensions move.
        return lambda t: t.permute(order).clone(memory_format=torch.contiguous_format)

    def sample(self, work, calls):
        """Microseconds of one call."""
        self.turn ^= 1
        x, torch = self.sources[self.turn], self.torch
        if calls == 1:
            for _ in range(2):
                self.spare.copy_(self.sources[self.turn ^ 1])
        if not self.on_gpu:
            return host_time(lambda: work(x), calls)
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            result = work(x)
        end.record()
        end.synchronize()
        del result
        return begin.elapsed_time(end) * 1e3 / calls

    def bytes(self, work, case, pieces):
        result = work(self.sources[0])
        if isinstance(result, tuple):
            result = self.torch.stack(result, 0)
        flat = result.reshape(-1).view(self.torch.uint8)
        return [bytes(flat[offset : offset + count].tolist()) for offset, count in pieces]

    def release(self):
        self.sources = self.spare = None
        if self.on_gpu:
            self.torch.cuda.empty_cache()


class Geam:
    """cuBLAS's out-of-place transpose, straight from the library: torch brings one, and so does CUDA's toolkit."""

    def __init__(self, torch):
        self.torch = torch
        self.cublas = None
        for mode in (os.RTLD_NOLOAD, 0):  # the one that torch has loaded, else any
            for version in (".13", ".12", ".11", ""):
                try:
                    self.cublas = self.cublas or ctypes.CDLL("libcublas.so" + version, mode | os.RTLD_NOW)
                except OSError:
                    continue
        if self.cublas is None:
            raise OSError("there is no libcublas")
        self.handle = ctypes.c_void_p()
        self.must(self.cublas.cublasCreate_v2(ctypes.byref(self.handle)))

    @staticmethod
    def must(status):
        if status:
            raise OSError(f"cuBLAS error {status}")

    def transpose(self, type, rows, columns):
        kind, function = {"f32": (ctypes.c_float, "cublasSgeam"), "f64": (ctypes.c_double, "cublasDgeam")}[type]
        geam, one, zero = getattr(self.cublas, function), kind(1), kind(0)
        torch, pointer = self.torch, ctypes.c_void_p

        def work(x):
            # cuBLAS counts columns first: x is columns x rows to it, and y, its transpose, rows x columns.
            y = torch.empty((columns, rows), dtype=x.dtype, device=x.device)
            stream = torch.cuda.current_stream().cuda_stream if x.is_cuda else 0
            self.must(self.cublas.cublasSetStream_v2(self.handle, pointer(stream)))
            self.must(
                geam(
                    *(self.handle, 1, 0, rows, columns, ctypes.byref(one), pointer(x.data_ptr()), columns),
                    *(ctypes.byref(zero), pointer(y.data_ptr()), rows, pointer(y.data_ptr()), rows),
                )
            )
            return y

        return work


class Cupy:
    """CuPy, or, where there is no GPU, NumPy, whose functions it has. Neither has bfloat16: 16 bits are 16 bits."""

    def __init__(self, on_gpu):
        if on_gpu:
            import cupy as xp

            xp.zeros(1)  # says so if there is no GPU
        else:
            import numpy as xp
        self.xp, self.on_gpu, self.missing, self.names = xp, on_gpu, {}, ["cupy"]
        self.version = f"{xp.__name__} {xp.__version__}"
        import numpy

        self.block = xp.asarray(numpy.frombuffer(block(), numpy.uint8))

    def prepare(self, case):
        xp = self.xp
        if case.is_batch():
            x = self.indices(case)
        else:
            kind = {"u8": "uint8", "bf16": "uint16", "f32": "float32", "f64": "float64"}[case.type]
            nbytes = elements(case) * xp.dtype(kind).itemsize
            shape = case.view()[0] if case.kind != "pad" else case.dimensions
            x = xp.tile(self.block, nbytes // BLOCK + 1)[:nbytes].copy().view(kind).reshape(shape)
        self.sources, self.turn, self.spare = [x, x.copy()], 0, xp.empty_like(x)
        return {"cupy": self.function(case)}

    def indices(self, case):
        xp, count, positions = self.xp, case.order[0], elements(case)
        linear = xp.arange(count, dtype="int64") % min(count, INDEX_BLOCK) * SCATTER % positions
        if case.kind == "to_multi":
            return linear
        return xp.stack(xp.unravel_index(linear, case.dimensions), 0 if case.notes == "soa" else -1)

    def function(self, case):
        if function := numpy_like(self.xp, case):
            return function
        order = case.view()[1]
        return lambda t: t.transpose(order).copy(order="C")

    def sample(self, work, calls):
        self.turn ^= 1
        x, xp = self.sources[self.turn], self.xp
        if calls == 1:
            for _ in range(2):
                self.spare[...] = self.sources[self.turn ^ 1]
        if not self.on_gpu:
            return host_time(lambda: work(x), calls)
        begin, end = xp.cuda.Event(), xp.cuda.Event()
        begin.record()
        for _ in range(calls):
            result = work(x)
        end.record()
        end.synchronize()
        del result
        return xp.cuda.get_elapsed_time(begin, end) * 1e3 / calls

    def bytes(self, work, case, pieces):
        result = work(self.sources[0])
        if isinstance(result, tuple):
            result = self.xp.stack(result, 0)
        flat = result.reshape(-1).view("uint8")
        return [flat[offset : offset + count].tobytes() for offset, count in pieces]

    def release(self):
        self.sources = self.spare = None
        if self.on_gpu:
            self.xp.get_default_memory_pool().free_all_blocks()


class Jax:
    """XLA. It has a stream of its own, so its clock is the host's, around so many calls that what one of them costs the
    host is hidden."""

    def __init__(self, on_gpu):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        if not on_gpu:
            os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import numpy

        jax.config.update("jax_enable_x64", True)
        if on_gpu and all(device.platform == "cpu" for device in jax.devices()):
            raise ImportError("it has no GPU here")
        self.jax, self.jnp, self.numpy, self.on_gpu = jax, jax.numpy, numpy, on_gpu
        self.missing, self.names, self.version = {}, ["jax"], jax.__version__
        self.block = numpy.frombuffer(block(), numpy.uint8)

    def prepare(self, case):
        numpy, jnp = self.numpy, self.jnp
        if case.is_batch():
            count, positions = case.order[0], elements(case)
            x = numpy.arange(count, dtype="int64") % min(count, INDEX_BLOCK) * SCATTER % positions
            if case.kind == "to_linear":
                x = numpy.stack(numpy.unravel_index(x, case.dimensions), 0 if case.notes == "soa" else -1)
        else:
            # As integers, of which XLA cannot think that they are not numbers.
            kind = {"u8": "uint8", "bf16": "uint16", "f32": "uint32", "f64": "uint64"}[case.type]
            nbytes = elements(case) * numpy.dtype(kind).itemsize
            shape = case.view()[0] if case.kind != "pad" else case.dimensions
            x = numpy.resize(self.block, nbytes).view(kind).reshape(shape)
        x = jnp.asarray(x)
        self.sources, self.turn, self.loops = [x, x.copy()], 0, 0
        return {"jax": self.jax.jit(self.function(case))}

    def function(self, case):
        if function := numpy_like(self.jnp, case):
            return function
        order = case.view()[1]
        if order == tuple(sorted(order)):
            return self.jnp.copy
        return lambda t: t.transpose(order)

    def sample(self, work, calls):
        def run(loops):
            for i in range(loops):
                result = work(self.sources[i & 1])
            self.jax.block_until_ready(result)

        run(1)
        if self.loops == 0:
            # Five milliseconds of them.
            self.loops = min(100, int(1e4 / host_time(lambda: run(2), 1)) + 1) if self.on_gpu else calls
        return host_time(lambda: run(self.loops), 1) / self.loops

    def bytes(self, work, case, pieces):
        result = work(self.sources[0])
        if isinstance(result, (tuple, list)):
            result = self.jnp.stack(result, 0)
        width = result.dtype.itemsize
        flat = result.reshape(-1)
        answer = []
        for offset, count in pieces:  # whole elements: every dtype's width divides both
            part = self.numpy.asarray(flat[offset // width : (offset + count + width - 1) // width])
            answer.append(part.tobytes()[:count])
        return answer

    def release(self):
        self.sources = None


def host_time(work, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        work()
    return (time.perf_counter() - begin) * 1e6 / calls


LIBRARIES = (Torch, Cupy, Jax)
COLUMNS = ("torch", "compile", "cupy", "jax", "geam")
