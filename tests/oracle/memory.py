# SPDX-License-Identifier: Apache-2.0
"""Layouts as XLA lays arrays in memory on the CPU: every element of random arrays in random orders,
at our linear index.

    memory.py LIBRARY COUNT SEED
"""

import ctypes
import os
import random
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import numpy as np  # noqa: E402
import shim  # noqa: E402
from jax.experimental.layout import Format, Layout  # noqa: E402

TYPES = {"u8": np.uint8, "s16": np.int16, "f32": np.float32, "u32": np.uint32, "c64": np.complex64}


def main():
    library, count, pick = shim.Library(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    device = jax.sharding.SingleDeviceSharding(jax.devices("cpu")[0])
    elements = other_orders = 0
    for _ in range(count):
        rank = pick.randrange(1, 5)
        dimensions = [pick.choice((1, 2, 3, 5, 8)) for _ in range(rank)]
        major_to_minor = list(range(rank))
        pick.shuffle(major_to_minor)
        name = pick.choice(sorted(TYPES))
        host = np.arange(np.prod(dimensions)).astype(TYPES[name]).reshape(dimensions)
        array = jax.device_put(host, Format(Layout(major_to_minor=tuple(major_to_minor)), device))
        array.block_until_ready()
        if tuple(array.format.layout.major_to_minor) != tuple(major_to_minor):
            print(f"UNEXPLAINED: XLA did not take the order {major_to_minor} but {array.format.layout}")
            return 1
        shape = library.shape(
            f"{name}[{','.join(map(str, dimensions))}]{{{','.join(str(d) for d in reversed(major_to_minor))}}}")
        memory = np.frombuffer(ctypes.string_at(array.unsafe_buffer_pointer(), shape.byte_size()), host.dtype)
        indices = list(np.ndindex(*dimensions))
        for index, position in zip(indices, shape.linear_indices(indices)):
            if memory[position] != host[index]:
                print(f"UNEXPLAINED: {shape.print()} at {index}: {memory[position]} in memory at {position}")
                return 1
        elements += len(indices)
        other_orders += major_to_minor != sorted(major_to_minor)
    print(f"{count} arrays, {other_orders} of them not row-major, {elements} elements where XLA has them")
    return 0 if other_orders else 1


sys.exit(main())
