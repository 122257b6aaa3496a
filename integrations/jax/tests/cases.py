# SPDX-License-Identifier: Apache-2.0
"""JAX as the tests want it; random arrays, shapes and layouts, and what the library itself makes of them."""

import os
import warnings

# Before JAX is imported. Several devices, so that there is something to divide an array among.
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy as np  # noqa: E402
from xlashape import ElementType, Layout, PaddingValue, Shape, relayout  # noqa: E402

jax.config.update("jax_enable_x64", True)  # for element types of 64 bits
warnings.simplefilter("error")

DTYPES = [
    "bool", "int2", "int4", "int8", "int16", "int32", "int64",
    "uint2", "uint4", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
    "float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
]  # fmt: skip


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, name)) if name != "bool" else np.dtype(bool)


def value_bits(dtype):
    return 8 if dtype == np.dtype(bool) else ElementType.of(dtype).bits


def random_array(rng, dtype, dimensions):
    """Any bits, also those of NaNs; of narrow values any that NumPy has."""
    count = int(np.prod(dimensions, dtype=np.int64))
    raw = rng.integers(0, 256, count * dtype.itemsize, np.uint8)
    if dtype == np.dtype(bool):
        return (raw & 1).astype(bool).reshape(dimensions)
    bits = value_bits(dtype)
    if bits < 8:
        raw &= (1 << bits) - 1
    return raw.view(dtype).reshape(dimensions)


def bits_of(array):
    """What two arrays must have in common to be the same, as bytes."""
    array = np.asarray(array)
    dtype = array.dtype
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    bits = value_bits(dtype)
    return raw & ((1 << bits) - 1) if bits < 8 else raw


def random_layout(rng, dimensions):
    rank = len(dimensions)
    parts = {}
    if rank and rng.random() < 0.6:
        ranks = [rng.integers(1, rank + 1 + level) for level in range(rng.integers(1, 4))]
        parts["tiles"] = [[int(n) for n in rng.integers(1, 7, tile_rank)] for tile_rank in ranks]
    if rank and not parts and rng.random() < 0.3:
        parts["padded_dimensions"] = [n + int(rng.integers(0, 4)) for n in dimensions]
    if rng.random() < 0.4:
        parts["padding_value"] = PaddingValue(int(rng.integers(0, 6)))
    if rng.random() < 0.2:
        parts["tail_padding_alignment_in_elements"] = int(rng.integers(1, 33))
    return Layout([int(n) for n in rng.permutation(rank)], **parts)


def random_shape(rng, element_type, dimensions=None):
    if dimensions is None:
        dimensions = [int(n) for n in rng.integers(0 if rng.random() < 0.1 else 1, 10, rng.integers(0, 5))]
    plain = rng.random() < 0.35
    return Shape.array(element_type, dimensions, None if plain else random_layout(rng, dimensions))


def library(array, source, target):
    """The positions of `target`, one-dimensional, from those of `source`: the library's own relayout, through the C
    interface."""
    flat = np.ascontiguousarray(array).reshape(-1)
    out = np.empty(target.sizes.storage_elements, flat.dtype)
    relayout(flat.view(np.uint8), of=source, to=target, out=out.view(np.uint8))
    return out
