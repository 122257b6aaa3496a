# SPDX-License-Identifier: Apache-2.0
"""Random tensors and layouts, and what is expected of them by other means than the operators."""

import random

import torch

import xlashape
from xlashape import Layout, Shape
from xlashape_torch._results import DTYPES  # noqa: F401  every dtype that XLA has a type for, and its name there


def bits(tensor):
    """The bytes of a tensor's elements, in their order, as a tensor of uint8: compares all dtypes, and NaN."""
    whole = tensor.detach().resolve_conj().resolve_neg()
    flat = whole.clone(memory_format=torch.contiguous_format).reshape(-1)
    return flat.view(torch.uint8) if flat.numel() else torch.empty(0, dtype=torch.uint8)


def random_tensor(dimensions, dtype, generator=None):
    """Any bits, but only 0 and 1 for bool."""
    count = 1
    for size in dimensions:
        count *= size
    if dtype == torch.bool:
        return torch.randint(0, 2, dimensions, generator=generator, dtype=torch.uint8).to(torch.bool)
    raw = torch.randint(0, 256, (count * dtype.itemsize,), generator=generator, dtype=torch.uint8)
    return raw.view(dtype).reshape(dimensions)


def random_dimensions(rng, rank, most=4096):
    """Sizes of all kinds, few elements."""
    while True:
        sizes = [rng.choice([1, 2, 3, 5, 7, 8, 9, 16, 17, 33, 64, 130]) for _ in range(rank)]
        count = 1
        for size in sizes:
            count *= size
        if count <= most:
            return tuple(sizes)


def random_layout(rng, rank, simple=False):
    order = list(range(rank))
    rng.shuffle(order)
    if simple:
        return Layout(order)
    parts = {}
    tiles = []
    if rank and rng.random() < 0.7:
        tiles.append([rng.choice([1, 2, 3, 4, 8, 16]) for _ in range(rng.randint(1, min(rank, 3)))])
        if rng.random() < 0.5:
            tiles.append([rng.choice([1, 2, 4]) for _ in range(rng.randint(1, len(tiles[0]) + 1))])
    if rng.random() < 0.2:
        parts["tail_padding_alignment_in_elements"] = rng.choice([2, 16, 100])
    if rng.random() < 0.2:
        parts["padding_value"] = rng.choice([xlashape.PaddingValue.ZERO, xlashape.PaddingValue.ONE])
    return Layout.create(order, tiles=tiles, **parts)


def random_strides(rng, tensor):
    """The same elements, or some of them, with other strides: transposed, sliced, expanded."""
    kind = rng.randrange(5)
    if tensor.dim() == 0 or kind == 0:
        return tensor
    if kind == 1:
        order = list(range(tensor.dim()))
        rng.shuffle(order)
        return tensor.permute(order).contiguous().permute([order.index(i) for i in range(tensor.dim())])
    if kind == 2:
        dimension = rng.randrange(tensor.dim())
        twice = torch.cat([tensor, tensor], dimension)
        return twice.narrow(dimension, rng.randint(0, tensor.shape[dimension]), tensor.shape[dimension])
    if kind == 3:
        wide = tensor.repeat_interleave(2, -1) if tensor.dtype != torch.bool else torch.cat([tensor, tensor], -1)
        return wide[..., ::2]
    dimension = rng.randrange(tensor.dim())
    return tensor.narrow(dimension, 0, 1).expand(tensor.shape)


def by_permute(x, minor_to_major):
    """What a layout without tiles and padding gives, by PyTorch alone."""
    return x.permute(list(reversed(minor_to_major))).contiguous().reshape(-1)


def by_package(x, source, result):
    """What the package gives, of a contiguous copy's bytes: a tensor of uint8."""
    moved = xlashape.relayout(bits(x).numpy().tobytes(), result, of=source)
    return torch.frombuffer(bytearray(moved.tobytes() or b"\0"), dtype=torch.uint8)[: Shape(str(result)).padded_nbytes]


def seeded(number):
    torch.manual_seed(number)
    return random.Random(number)
