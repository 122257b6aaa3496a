# SPDX-License-Identifier: Apache-2.0
"""numpy, torch, einops and jax as the judges of the words for a layout: writes tests/data/words/other.jsonl.

    tools/venv.sh venv jax==0.10.2 torch==2.15.0 numpy einops
    venv/bin/python tests/oracle/words/other.py > other.jsonl

tests/data/words/README.md says what a line holds. No answer is computed here: the words themselves are what the judge
is asked to do, as Python where they are Python. Every text is one that people write or that one of these programs
prints.
"""

import ctypes
import json
import os
import random
import sys
import zlib

os.environ["JAX_PLATFORMS"] = "cpu"
import einops
import jax
import jax.numpy as jnp
import numpy as np
import torch
from jax.experimental.layout import Format, Layout

SIZES = (1, 2, 3, 4, 5, 7, 9, 11, 16)
rng = random.Random(1)
seen = set()


def some_dims(rank, zero=False):
    """Dimensions of this rank: few elements, sometimes none."""
    while True:
        dims = [rng.choice(SIZES) for _ in range(rank)]
        if zero:
            dims[rng.randrange(rank)] = 0
        if np.prod(dims) <= 6000:
            return dims


def iota(dims):
    return np.arange(1, np.prod(dims, dtype=int) + 1, dtype="<i4").reshape(dims)


def emit(judge, kind, dims, words, **answer):
    if (words, *dims) not in seen:
        seen.add((words, *dims))
        print(json.dumps({"judge": judge, "kind": kind, "dims": list(dims), "words": words, **answer}))


def emit_array(judge, kind, dims, words, result):
    """`result` is the array after the words, of which the bytes in its own order of dimensions count."""
    result = np.asarray(result)
    emit(judge, kind, dims, words, dims_out=list(result.shape), crc=f"{zlib.crc32(result.tobytes()):08x}")


def emit_memory(judge, kind, dims, words, data):
    """`data` is the memory of the array, whose dimensions stay the same."""
    emit(judge, kind, dims, words, dims_out=list(dims), crc=f"{zlib.crc32(data):08x}")


def cases(ranks, count):
    """Permutations with dimensions that suit them: most of them not the identity, some arrays without elements."""
    for i in range(count):
        order = list(range(ranks[i % len(ranks)]))
        while order == sorted(order) and len(order) > 1 and i % 7:
            rng.shuffle(order)
        yield some_dims(len(order), zero=i % 9 == 8), order


def python(judge, dims, words, expression):
    x = {"numpy": lambda: iota(dims), "torch": lambda: torch.from_numpy(iota(dims)),
         "jax": lambda: jnp.asarray(iota(dims))}[judge]()
    emit_array(judge, "permutation", dims, words, eval(expression, {"x": x, "np": np, "torch": torch, "jax": jax,
                                                                    "jnp": jnp}))


def permutations():
    # (judge, words, what Python makes of them): {a} is 0,2,1 and {b} is 0, 2, 1.
    forms = [("numpy", "transpose({a})", "x.transpose({a})"), ("numpy", "np.transpose(x, ({b}))", None),
             ("torch", "permute({a})", "x.permute({a})"), ("torch", ".permute({b})", "x.permute({b})"),
             ("numpy", "perm=[{a}]", "np.transpose(x, [{a}])"), ("numpy", "{a}", "x.transpose({a})"),
             ("numpy", "x.transpose({b})", None), ("torch", "torch.permute(x, ({b}))", None),
             ("jax", "jnp.transpose(x, ({b}))", None), ("jax", "jax.lax.transpose(x, ({b}))", None),
             ("numpy", "transpose(({b}))", "x.transpose(({b}))"), ("numpy", "({b})", "x.transpose(({b}))"),
             ("numpy", "[{b}]", "x.transpose([{b}])"), ("numpy", "axes=({b})", "np.transpose(x, axes=({b}))"),
             ("torch", "x.permute({b})", None)]
    for i, (dims, order) in enumerate(cases((3, 4, 2, 5, 6, 4, 3), 105)):
        judge, words, expression = forms[i % len(forms)]
        texts = {"a": ",".join(map(str, order)), "b": ", ".join(map(str, order))}
        words = words.format(**texts)
        python(judge, dims, words, expression.format(**texts) if expression else words)
    for judge, words, ranks in (
        ("numpy", "x.T", (1, 2, 3, 4, 6)), ("numpy", ".T", (2, 5)), ("numpy", "np.transpose(x)", (2, 4)),
        ("numpy", "x.mT", (2, 3, 5)), ("torch", "x.t()", (2,)), ("torch", "x.mT", (2, 4)),
        ("numpy", "swapaxes(0,2)", (3, 4, 5)), ("numpy", "swapaxes(-1, -2)", (2, 3, 6)),
        ("numpy", "np.swapaxes(x, 1, 3)", (4, 5)), ("torch", "x.swapaxes(0, 1)", (2, 3)),
        ("numpy", "moveaxis(0,-1)", (2, 3, 4, 6)), ("numpy", "moveaxis(-1,1)", (3, 4, 5)),
        ("numpy", "np.moveaxis(x, 1, -1)", (3, 4)), ("numpy", "np.moveaxis(x, (0, 1), (-1, -2))", (3, 4)),
        ("jax", "jnp.moveaxis(x, -1, 0)", (3, 5)), ("torch", "x.movedim(1, -1)", (4, 3)),
        ("torch", "torch.movedim(x, 0, 2)", (3, 5)), ("torch", "torch.transpose(x, 0, 1)", (2, 3)),
        ("torch", "x.transpose(1, 2)", (4, 5)), ("torch", ".transpose(-2, -1)", (3, 4)),
        ("jax", "jnp.swapaxes(x, 0, 1)", (2, 4)),
    ):
        for rank in ranks:
            call = words
            if words.startswith("moveaxis"):  # a function, whose array goes without saying
                call = "np." + words.replace("(", "(x, ")
            elif "x." not in words and "(x" not in words:  # a method
                call = "x." + words.removeprefix(".")
            python(judge, some_dims(rank, zero=rng.random() < 0.05), words, call)


def letters():
    for i, words in enumerate(
        ("NHWC->NCHW", "NCHW->NHWC", "HWC->CHW", "CHW->HWC", "NCDHW->NDHWC", "NDHWC->NCDHW", "nhwc -> nchw",
         "nchw -> nhwc", "NWC->NCW", "NCW -> NWC", "HWIO->OIHW", "OIHW->HWIO", "OIHW -> OHWI", "DHWIO->OIDHW",
         "TNC->NTC", "BTHD -> BHTD", "BSHD->BHSD", "BHSD->SBHD", "HW->WH", "NC->CN", "ij->ji", "hwc->chw",
         "hwc -> chw", "NCHW->CHWN", "CHWN->NHWC", "NC->NC", "N->N", "abcdef->fedcba", "nhwc->nhwc", "bhwc->bchw",
         "NTHWC->NCTHW", "GOIHW->GHWIO")):
        left, right = (" ".join(side.strip()) for side in words.split("->"))
        dims = some_dims(len(left.split()), zero=i % 10 == 9)
        emit_array("einops", "letters", dims, words, einops.rearrange(iota(dims), f"{left} -> {right}"))
    for words in ("ij->ji", "bij->bji", "nhwc->nchw", "abc -> cba"):
        dims = some_dims(words.index("-") if " " not in words else 3)
        emit_array("numpy", "letters", dims, words, np.einsum(words, iota(dims)))


def patterns():
    for i, words in enumerate(
        ("h w c -> c h w", "c h w -> h w c", "b h w c -> b c h w", "b c h w -> b h w c", "n c d h w -> n d h w c",
         "batch height width channels -> batch channels height width", "b s h d -> b h s d", "b h s d -> s b h d",
         "t b c -> b t c", "i j -> j i", "h w -> w h", "b t head dim -> b head t dim", "a -> a", "a b c -> a b c",
         "batch seq heads dim->batch heads seq dim", "b  c  h  w  ->  h  w  b  c", "o i kh kw -> kh kw i o",
         "a b c d e f -> f e d c b a", "a1 a2 a3 -> a3 a1 a2", "g o i h w -> g h w i o", "b f h w c -> b c f h w",
         "num_heads seq_len head_dim -> seq_len num_heads head_dim", "b ... c -> b c ...", "... h w -> ... w h",
         "c ... -> ... c", "x y z -> z y x")):
        rank = len(words.split("->")[0].split()) + ("..." in words)
        for quote in ("'{}'", "{}") if i % 2 else ("{}", '"{}"'):
            dims = some_dims(rank, zero=rng.random() < 0.05)
            emit_array("einops", "einops", dims, quote.format(words), einops.rearrange(iota(dims), words))


def storage(tensor):
    return tensor.untyped_storage()[: tensor.numel() * 4].tolist()


def memory_formats():
    for name, ranks in (("channels_last", (4,)), ("channels_last_3d", (5,)), ("contiguous_format", (1, 2, 3, 4, 6))):
        for i in range(12):
            dims = some_dims(ranks[i % len(ranks)], zero=i == 7)
            words = (name, "torch." + name, f"memory_format=torch.{name}")[i % 3]
            x = torch.from_numpy(iota(dims)).clone(memory_format=getattr(torch, name))
            emit_memory("torch", "memory", dims, words, bytes(storage(x)))


def orders():
    for i in range(32):
        dims = some_dims(i % 6 + 1, zero=i == 13)
        words = ("C", "F", "order='F'", "order='C'", 'order="F"', "order=F", "np.asfortranarray(x)")[i % 7]
        order = "F" if "F" in words or "fortran" in words else "C"
        emit_memory("numpy", "memory", dims, words, np.array(iota(dims), order=order).ravel(order="K").tobytes())


def layouts():
    for i, (dims, order) in enumerate(cases((2, 3, 4, 1, 5, 6), 24)):
        x = jnp.asarray(iota(dims))
        layout = Layout(tuple(order))
        y = jax.device_put(x, Format(layout, x.sharding))
        assert y.format.layout.major_to_minor == tuple(order)
        # The text of what was asked for, that of what the array has, and how one writes it.
        words = (str(layout), str(y.format.layout), f"Layout(major_to_minor={tuple(order)})", str(y.format))[i % 4]
        data = ctypes.string_at(y.unsafe_buffer_pointer(), y.nbytes) if y.nbytes else b""
        emit_memory("jax", "memory", dims, words, data)
    # jax on a CPU takes a layout with tiles, but has no tiles in memory: here XLA's text of the layout is the answer.
    for i, (order, tiling, bits, types) in enumerate(
        (((0, 1), ((8, 128), (2, 1)), 0, ("bf16",)), ((0, 1), ((8, 128),), 0, ("f32", "s32")),
         ((1, 0), ((8, 128),), 0, ("f32",)), ((0, 2, 1), ((8, 128), (4, 1)), 0, ("s8", "f8e4m3fn")),
         ((0,), ((1024,),), 0, ("f32",)), ((0,), ((512,), (128,), (2, 1)), 0, ("bf16",)),
         ((0, 1), ((16, 128), (8, 1)), 4, ("s4", "u4", "f4e2m1fn")), ((0, 1), ((16, 128), (8, 1)), 0, ("s4",)),
         ((3, 2, 0, 1), ((4, 128),), 0, ("s32",)), ((2, 0, 1), ((2, 128), (2, 1)), 0, ("f16",)), ((), (), 0, ("f32",)),
         ((1, 0), None, 4, ("s4",)))):
        names = {"bf16": "bfloat16", "f8e4m3fn": "float8_e4m3fn", "f4e2m1fn": "float4_e2m1fn", "f32": "float32",
                 "f16": "float16", "s32": "int32", "s8": "int8", "s4": "int4", "u4": "uint4"}
        layout = Layout(order, tiling, bits)
        for name in types:
            emit("jax", "layout", some_dims(len(order)), str(layout), type=name,
                 layout=str(layout._to_xla_layout(jnp.dtype(names[name]))))


if __name__ == "__main__":
    for make in (permutations, letters, patterns, memory_formats, orders, layouts):
        make()
    print(f"numpy {np.__version__}, torch {torch.__version__}, einops {einops.__version__}, jax {jax.__version__}, "
          f"{len(seen)} lines", file=sys.stderr)
