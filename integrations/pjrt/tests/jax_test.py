# SPDX-License-Identifier: Apache-2.0
"""The plugin with jax as its client: `jax_test.py`. Ends with `N passed, M failed`.

jax finds the plugin by the package jax_plugins on the path. xlashape's Python package says where each element must be.
"""

import ctypes
import gc
import os
import pathlib
import pickle
import re
import subprocess
import sys
import time
import traceback

import jax
import ml_dtypes
import numpy as np
import xlashape
from jax.experimental.layout import Format, Layout
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

TYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 bfloat16
float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
float4_e2m1fn int2 uint2 int4 uint4""".split()


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def random_values(random, dtype, shape):
    """Any bits that the type can have."""
    count = int(np.prod(shape, dtype=np.int64))
    raw = random.integers(0, 256, size=count * dtype.itemsize, dtype=np.uint8)
    if dtype == bool or dtype.name.startswith(("int2", "uint2", "int4", "uint4", "float4")):
        bits = 1 if dtype == bool else 2 if dtype.name.endswith("2") else 4
        raw &= (1 << bits) - 1
    return np.frombuffer(raw.tobytes(), dtype).reshape(shape)


def strided(random, array):
    """The same array with other strides: a transposition, gaps, a reversal, a broadcast."""
    kind = random.integers(0, 5)
    if array.ndim == 0 or kind == 0:
        return array
    if kind == 1:
        order = random.permutation(array.ndim)
        return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
    if kind == 2:
        wide = np.zeros([2 * size + 1 for size in array.shape], array.dtype)
        view = wide[tuple(slice(0, 2 * size, 2) for size in array.shape)]
        view[...] = array
        return view
    if kind == 3:
        axis = int(random.integers(0, array.ndim))
        return np.flip(np.ascontiguousarray(np.flip(array, axis)), axis)
    axis = int(random.integers(0, array.ndim))
    return np.broadcast_to(array.take([0], axis) if array.shape[axis] else array, array.shape)


def same(a, b):
    """Equal bit by bit: NaN too."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    return np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


def shape_with(array, layout):
    return xlashape.Shape.of(jax.ShapeDtypeStruct(array.shape, array.dtype)).with_layout(layout)


def layout_of(array):
    """The layout that jax says the array has, in xlashape's terms."""
    layout = array.format.layout
    # jax 0.8 names it in its constructor, and keeps it under another name.
    name = "sub_byte_element_size_in_bits"
    bits = getattr(layout, name, None) or getattr(layout, "_" + name, 0)
    return xlashape.Layout(
        tuple(reversed(layout.major_to_minor)), tiles=[tuple(tile) for tile in layout.tiling or ()],
        **({"element_size_in_bits": bits} if bits else {})
    )


def check_on_device(array, values, layout):
    """The device's bytes are the values where the index map says, and zero elsewhere."""
    shape = shape_with(values, layout)
    jax.block_until_ready(array)
    held = ctypes.string_at(array.unsafe_buffer_pointer(), shape.padded_nbytes)  # the device's memory is the host's
    width = shape.layout.element_size_in_bits or 8 * values.dtype.itemsize
    flat = np.ascontiguousarray(values).reshape(-1)
    if values.size == 0:
        positions = np.zeros(0, np.int64)
    elif values.ndim == 0:
        positions = np.zeros(1, np.int64)
    else:
        index = np.stack(np.unravel_index(np.arange(values.size), values.shape), -1).astype(np.int64)
        positions = np.asarray(xlashape.IndexMap(shape).linear_indices(index))
    if width >= 8:
        expected = np.zeros(len(held) // values.dtype.itemsize, values.dtype)
        expected[positions] = flat
        expected = expected.tobytes()
    else:
        per_byte = 8 // width
        units = np.zeros(len(held) * per_byte, np.uint8)
        units[positions] = flat.view(np.uint8) & ((1 << width) - 1)
        shifted = units.reshape(-1, per_byte) << (np.arange(per_byte, dtype=np.uint8) * width)
        expected = np.bitwise_or.reduce(shifted, axis=1).astype(np.uint8).tobytes()
    assert held == expected, f"{shape}: the device holds other bytes"


def default_layout(values, device):
    return xlashape.Layout.for_target(target_of(device), element_type_of(values), values.shape)


def element_type_of(values):
    return xlashape.Shape.of(jax.ShapeDtypeStruct(values.shape, values.dtype)).element_type


def target_of(device):
    """jax 0.8 has the first device's kind for all; their texts differ."""
    return str(device).split()[-1]


def arrays():
    """300 arrays of all types, ranks 0 to 6, with strides, without elements, with formats."""
    random = np.random.default_rng(20261124)
    devices = jax.devices("xlashape")
    formats = moves = 0
    for number in range(300):
        dtype = dtype_of(TYPES[number % len(TYPES)])
        rank = int(random.integers(0, 7))
        shape = tuple(int(n) for n in random.integers(1, 5 if rank > 3 else 20, rank))
        if rank and random.integers(0, 12) == 0:
            shape = shape[:-1] + (0,)
        values = strided(random, random_values(random, dtype, shape))
        device = devices[number % len(devices)]
        what = f"array {number}: {dtype}{list(shape)} strides {values.strides} on {device}"
        try:
            array = jax.device_put(values, device)
            assert array.dtype == dtype and array.devices() == {device}
            # PJRT has one default layout for all devices of a client, so that jax says the first's for arrays on any of
            # them; what lies there is in the layout of the device's own target.
            layout = default_layout(values, device)
            if device == devices[0]:
                assert layout_of(array) == layout, (layout_of(array), layout)
                assert array.on_device_size_in_bytes() == shape_with(values, layout).padded_nbytes
            check_on_device(array, values, layout)
            assert same(np.asarray(array), values)
            # To a device with another target: a relayout.
            other = devices[(number + 1) % len(devices)]
            moved = jax.device_put(array, other)
            check_on_device(moved, values, default_layout(values, other))
            assert same(np.asarray(moved), values)
            moves += 1
            if rank and device == devices[0]:  # jax compiles for the layouts that it believes in
                order = tuple(int(n) for n in random.permutation(rank))
                tiling = (None, ((8, 4),), ((8, 4), (2, 1)))[int(random.integers(0, 3))] if rank > 1 else None
                # jax packs small integers whatever is said, and then compares with what was said.
                bits = element_type_of(values).bits if "int" in dtype.name or random.integers(0, 2) else 0
                packed = bits if bits in (2, 4) else 0
                parts = {"tiling": tiling, "sub_byte_element_size_in_bits": packed} if tiling else {}
                formatted = jax.device_put(array, Format(Layout(order, **parts), SingleDeviceSharding(device)))
                got = layout_of(formatted)
                assert got.minor_to_major == tuple(reversed(order)) or order == tuple(range(rank)), (what, got, order)
                if tiling:
                    assert tuple(got.tiles) == tiling, (got, tiling)
                check_on_device(formatted, values, got)
                assert same(np.asarray(formatted), values)
                formats += 1
        except Exception as error:
            raise AssertionError(f"{what}: {error}") from error
    assert formats > 70 and moves == 300, (formats, moves)


def resident_bytes():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096


def ten_thousand_transfers():
    devices = jax.devices("xlashape")
    values = np.arange(1200, dtype=np.float32).reshape(30, 40)
    before = 0
    for number in range(10000):
        if number == 3000:
            gc.collect()
            before = resident_bytes()
        array = jax.device_put(values, devices[number % 3])
        assert np.asarray(array)[7, 7] == 287
        del array
    gc.collect()
    grown = resident_bytes() - before
    assert grown < 2 << 20, f"{grown} bytes more after 7000 transfers"
    for device in devices:
        assert device.memory_stats()["bytes_in_use"] == 0, device.memory_stats()


def memory_statistics():
    device = jax.devices("xlashape")[0]
    before = device.memory_stats()["bytes_in_use"]
    array = jax.device_put(np.zeros((1000, 3), np.float32), device)
    jax.block_until_ready(array)
    assert array.on_device_size_in_bytes() == 16384
    stats = device.memory_stats()
    assert stats["bytes_in_use"] == before + 16384 and stats["bytes_limit"] == 1 << 34, stats
    array.delete()
    assert device.memory_stats()["bytes_in_use"] == before
    try:
        np.asarray(array)
        raise AssertionError("a deleted array was read")
    except RuntimeError as error:
        assert "deleted" in str(error)
    large = np.broadcast_to(np.float32(1), (1 << 17, 1 << 17))
    refused(lambda: jax.device_put(large, device).block_until_ready(), "RESOURCE_EXHAUSTED", "f32[131072,131072]")


def refused(call, *parts):
    try:
        call()
    except Exception as error:
        assert all(part in str(error) for part in parts), error
        return
    raise AssertionError(f"not refused: {parts}")


def several_results():
    """Several results, some in layouts: moved, not computed."""
    device = jax.devices("xlashape")[0]
    array = jax.device_put(np.ones((3, 4), np.float32), device)
    sharding = SingleDeviceSharding(device)
    formats = (Format(Layout((1, 0)), sharding), Format(Layout((1, 0), ((8, 128),)), sharding))
    swap = jax.jit(lambda x, y: (y, x), keep_unused=True, out_shardings=formats)
    first, second = swap(array, jax.device_put(np.arange(6).reshape(2, 3), device))
    assert layout_of(second) == xlashape.Layout("{0,1:T(8,128)}") and layout_of(first).minor_to_major == (0, 1)
    assert np.asarray(first).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.asarray(second).tolist() == np.ones((3, 4)).tolist()


def host_memory():
    """What the host gives stays there where the layout allows it, and what is row-major is read where it is."""
    rows = jax.devices("xlashape")[1]
    before = rows.memory_stats()["bytes_in_use"]
    values = np.arange(1 << 20, dtype=np.float32).reshape(1024, 1024)
    array = jax.device_put(values, rows)
    view = np.asarray(array)
    assert same(view, values)
    assert view.ctypes.data == array.unsafe_buffer_pointer()
    # With donation the source goes: its memory is what the result has, or is free.
    source = jax.device_put(values + 1, jax.devices("xlashape")[0])
    sharding = SingleDeviceSharding(jax.devices("xlashape")[0])
    target = jax.device_put(source, Format(Layout((1, 0)), sharding), donate=True)
    assert same(np.asarray(target), values + 1)
    del array, view, source, target
    gc.collect()
    assert rows.memory_stats()["bytes_in_use"] == before


def topology():
    from jax.experimental import topologies

    described = topologies.get_topology_desc("tpu:v4,cpu", platform="xlashape")
    assert [target_of(device) for device in described.devices] == ["tpu:v4", "cpu"]


def sharded():
    """An array over two devices of one kind: each shard in that kind's layout."""
    devices = [jax.devices("xlashape")[0], jax.devices("xlashape")[2]]
    values = np.arange(24 * 130, dtype=np.float32).reshape(24, 130)
    array = jax.device_put(values, NamedSharding(Mesh(np.array(devices), ("x",)), PartitionSpec("x", None)))
    assert same(np.asarray(array), values)
    for shard in array.addressable_shards:
        assert target_of(shard.device) in ("tpu:v5e", "tpu:v4")
        check_on_device(shard.data, values[shard.index], default_layout(values[shard.index], shard.device))


def dlpack():
    """jax itself exports only the platforms that it knows; the plugin's own functions are tested in C++."""
    refused(lambda: jax.device_put(np.ones(3, np.float32), jax.devices("xlashape")[1]).__dlpack__(), "LPack")


def page():
    """The first example of docs/pjrt-plugin.md: each line that has a comment gives what that says, up to a colon,
    or fails with it."""
    text = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "pjrt-plugin.md").read_text(encoding="utf-8")
    platforms = re.search(r'^XLASHAPE_PJRT_PLATFORMS="(.*)" python3$', text, re.M)[1]
    lines = re.search(r"```python\n(.*?)```", text, re.S)[1].splitlines()
    program = """
import sys
names, checked = {}, 0
for line in sys.stdin.read().splitlines():
    code, _, said = line.partition("  # ")
    if not said:
        exec(code, names)
        continue
    try:
        got, said = repr(eval(code, names)), said.split(": ")[0]
    except Exception as error:
        got = str(error)[: len(said)]
    assert got == said, (line, got)
    checked += 1
print(checked)
"""
    done = subprocess.run([sys.executable, "-c", program], input="\n".join(lines), capture_output=True, text=True,
                          env={**os.environ, "XLASHAPE_PJRT_PLATFORMS": platforms}, timeout=120)
    assert done.stdout == "5\n", done.stdout + done.stderr[-3000:]


def what_moves_and_what_computes():
    """What docs/pjrt-plugin.md says works, and what it says is refused."""
    device = jax.devices("xlashape")[0]
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    array = jax.device_put(values, device)
    for works in (
        lambda: jax.device_put(array, device), lambda: array.tolist(), lambda: pickle.loads(pickle.dumps(array)),
        lambda: array.copy(),
        lambda: jax.numpy.copy(array), lambda: jax.jit(lambda x: x)(array), lambda: array.astype(np.float32),
        lambda: jax.device_put(array, Format(Layout((1, 0)), SingleDeviceSharding(device))),
    ):
        assert np.array_equal(np.asarray(works()), values)
    assert jax.device_put(np.float32(5), device).item() == 5 and str(array) == str(values)
    exported = jax.export.export(jax.jit(lambda x: x), platforms=["xlashape"])(jax.ShapeDtypeStruct((3, 4), np.float32))
    for operation, computes in {
        "dynamic_slice_v1": lambda: array[0], "slice_v1": lambda: list(array), "transpose_v1": lambda: array.T,
        "reshape_v1": lambda: array.reshape(12), "convert_v1 to a type": lambda: array.astype(np.int32),
        "convert_v1 of 1": lambda: array == 1,
        "add_v1": lambda: array + array, "constant_v1": lambda: array.sum(), "call_v1": lambda: exported.call(array),
    }.items():
        refused(computes, "UNIMPLEMENTED", f"computes (vhlo.{operation.split()[0]})")
    refused(lambda: jax.device_put(array, Format(Layout((0, 1), ((0, 4),)), SingleDeviceSharding(device))), "f32[3,4]")
    # PJRT's default layout is the first device's: jax would try for ever to bring an argument of another target there.
    rows = jax.device_put(array, jax.devices("xlashape")[1])
    assert np.array_equal(np.asarray(rows), values) and np.array_equal(np.asarray(jax.device_put(rows, device)), values)
    for program in (lambda: rows.copy(), lambda: jax.jit(lambda x: x)(rows),
                    lambda: jax.device_put(rows, Format(Layout((1, 0)), rows.sharding))):
        refused(program, "UNIMPLEMENTED", "f32[3,4]{1,0} on xlashape:1 cpu", "XLASHAPE_PJRT_PLATFORMS")


def accelerators():
    """The same on devices with memory of their own: the simulated one, and OpenCL where there is a driver."""
    program = """
import jax, numpy as np
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding
own, host = jax.devices("xlashape")
random = np.random.default_rng(1)
for dtype in (np.float32, np.int8, jax.numpy.bfloat16, jax.numpy.int4, np.complex64):
    for shape in ((), (5,), (7, 300), (3, 1, 130), (0, 4), (200, 300)):
        values = random.integers(-8, 8, shape).astype(dtype)
        array = jax.device_put(values, own)
        there = jax.device_put(array, host)
        back = jax.device_put(there, own)
        for each in (array, there, back):
            assert np.array_equal(np.asarray(each), values), (dtype, shape)
values = random.normal(size=(40, 200)).astype(np.float32)
array = jax.device_put(values.T, Format(Layout((1, 0), ((8, 128), (2, 1))), SingleDeviceSharding(own)))
assert array.format.layout.tiling == ((8, 128), (2, 1)) and np.array_equal(np.asarray(array), values.T)
assert own.memory_stats()["bytes_in_use"] > 0
print(own)
"""
    for backend in ("device", "device/1", "opencl"):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "XLASHAPE_PJRT_DEVICES": f"tpu:v5e@{backend},tpu:v5e"})
        if backend == "opencl" and ("no backend opencl" in done.stderr or "no memory of its own" in done.stderr):
            print("NOT RUN: opencl:", done.stderr.strip().splitlines()[-1][:200])
            continue
        wanted = f"xlashape:0 tpu:v5e@{backend}\n"
        assert done.returncode == 0 and done.stdout == wanted, done.stdout + done.stderr[-3000:]


def ends_quietly():
    """A process that ends with arrays, events and threads alive says nothing."""
    program = """
import threading
import jax, numpy as np
devices = jax.devices("xlashape")
keep = [jax.device_put(np.ones((n, 300), np.float32), devices[n % 3]) for n in range(1, 200)]
keep.append(jax.device_put(np.ones((4096, 4096), np.float32), devices[0]))
keep.append(jax.device_put(keep[-1], devices[1]))
print("end")
"""
    # With that the package stands back.
    by_path = {"PJRT_NAMES_AND_LIBRARY_PATHS": "xlashape:" + os.environ["XLASHAPE_PJRT_PLUGIN"]}
    for variables in ({}, by_path, {**by_path, "XLASHAPE_PJRT_PLUGIN": "/nosuch"}):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **variables})
        noise = [line for line in done.stderr.splitlines() if "is experimental" not in line]
        came = (done.returncode, done.stdout, done.stderr[-2000:])
        assert done.returncode == 0 and done.stdout == "end\n" and not noise, came


def main():
    jax.config.update("jax_enable_x64", True)
    kinds = [target_of(device) for device in jax.devices("xlashape")]
    assert ",".join(kinds) == os.environ["XLASHAPE_PJRT_DEVICES"], kinds
    passed = failed = 0
    tests = (arrays, ten_thousand_transfers, memory_statistics, several_results, host_memory, topology, sharded, dlpack,
             page, what_moves_and_what_computes, accelerators, ends_quietly)
    for test in tests if len(kinds) == 3 else (arrays,):
        start = time.monotonic()
        try:
            test()
            passed += 1
            print(f"{test.__name__}: {time.monotonic() - start:.1f} s")
        except Exception:
            failed += 1
            print(f"FAIL {test.__name__}")
            traceback.print_exc(file=sys.stdout)
    print(f"jax {jax.__version__}, numpy {np.__version__}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
