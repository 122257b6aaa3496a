# SPDX-License-Identifier: Apache-2.0
"""Weights of 4 bits, packed into the tiles that a TPU's compiler wants, and back.

    example_int4.py [ROWS COLUMNS]

Quantizes a matrix to int4, packs it two numbers to a byte into the layout that the compiler of TPU v5e chooses, checks
every byte against the index map, and unpacks it again.
"""

import sys
import time

import torch

from xlashape import IndexMap, Shape, Target
from xlashape_torch import pack, relayout, unpack


def quantized(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of numbers from -8 to 7, and each row's scale."""
    scale = weights.abs().amax(1, keepdim=True) / 7
    return (weights / scale).round().clamp(-8, 7).to(torch.int8), scale


def check(values: torch.Tensor, packed: torch.Tensor, shape: Shape) -> None:
    """The number at each index must be in the half byte that the index map names."""
    rows, columns = values.shape
    where = IndexMap(shape)
    positions = torch.empty(rows, columns, dtype=torch.int64)
    numbers = torch.arange(columns)
    for row in range(rows):
        indices = torch.stack([torch.full((columns,), row), numbers], 1)
        positions[row] = torch.frombuffer(bytearray(where.linear_indices(indices.numpy())), dtype=torch.int64)
    halves = torch.stack([packed & 15, packed >> 4], 1).reshape(-1)  # the lower half first
    found = halves[positions].to(torch.int8)
    found = torch.where(found > 7, found - 16, found)
    assert torch.equal(found, values), "an element is not where the index map says"


def main(rows: int = 4096, columns: int = 4096) -> None:
    torch.manual_seed(0)
    values, _scale = quantized(torch.randn(rows, columns))

    shape = Shape(f"s4[{rows},{columns}]").for_target(Target("tpu:v5e"))
    print("layout:", shape)
    packed = pack(values, shape)
    print("packed:", packed.dtype, tuple(packed.shape), f"{packed.numel() / values.numel():.2f} bytes an element")
    check(values, packed, shape)

    # The way back, and into another layout without unpacking.
    assert torch.equal(unpack(packed, shape), values)
    plain = Shape(f"s4[{rows},{columns}]{{1,0:E(4)}}")
    row_major = relayout(packed, plain, of=shape)
    assert torch.equal(row_major, (values[:, 0::2] & 15 | values[:, 1::2] << 4).view(torch.uint8).reshape(-1))
    assert torch.equal(relayout(row_major, shape, of=plain), packed)
    print("verified: every element is where the index map says, and comes back")

    if "--time" in sys.argv:
        for name, call in (("pack", lambda: pack(values, shape)), ("unpack", lambda: unpack(packed, shape))):
            start = time.perf_counter()
            for _ in range(10):
                call()
            print(f"{name}: {(time.perf_counter() - start) * 100:.2f} ms")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:] if argument.isdigit()))
