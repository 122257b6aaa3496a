"""Writes packed.jsonl: elements of less than a byte, in a byte each and packed, as other programs have them.

No byte of a case is the library's: bytes of arrays on the host are those of ml_dtypes, and packed ones those that XLA's
CPU client has in its memory for the same array. What sign a number has above its value in a byte, and which element
comes first in one, follow from nothing else. Run it with jax, whose version each case then names:

    python3 make_packed.py > packed.jsonl
"""

import ctypes
import json
import os

os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import jaxlib
import ml_dtypes
import numpy as np

# XLA's name, ml_dtypes' name, bits. XLA's programs have no s1 and u1, only its memory has.
TYPES = [("s4", "int4", 4), ("s2", "int2", 2), ("s1", "int1", 1), ("u4", "uint4", 4), ("u2", "uint2", 2),
         ("u1", "uint1", 1), ("f4e2m1fn", "float4_e2m1fn", 4)]  # fmt: skip
SOURCE = f"ml_dtypes {ml_dtypes.__version__}, jaxlib {jaxlib.__version__}"


def all_values(dtype, bits):
    """Every value of the type, as numbers."""
    if dtype.name.startswith("float"):
        return [sign * x for sign in (1, -1) for x in (0, 0.5, 1, 1.5, 2, 3, 4, 6)]
    low = -(1 << (bits - 1)) if dtype.name.startswith("int") else 0
    return list(range(low, low + (1 << bits)))


def on_host(array):
    return np.ascontiguousarray(array).tobytes().hex()


def in_memory(array, bits):
    """The bytes of XLA's buffer: its size counts a byte for each element, of which the packed ones take the first. XLA
    leaves bits behind the last element as they were; the library clears them."""
    array.block_until_ready()
    data = bytearray(ctypes.string_at(array.unsafe_buffer_pointer(), (array.size * bits + 7) // 8))
    if array.size * bits % 8 != 0:
        data[-1] &= (1 << array.size * bits % 8) - 1
    return data.hex()


def main():
    rng = np.random.default_rng(1)
    number = 0

    def case(src, data, dst, expect, note):
        nonlocal number
        number += 1
        print(json.dumps({"id": f"packed-{number:03}", "kind": "bytes", "src": src, "dst": dst, "data": data,
                          "expect": expect, "note": note, "source": SOURCE}))

    for name, known, bits in TYPES:
        dtype = np.dtype(getattr(ml_dtypes, known))
        values = all_values(dtype, bits)
        for rows, columns in ((3, 7), (20, 36)):
            # Each value at least once where there is room, in a random order.
            chosen = rng.permutation((values * (rows * columns // len(values) + 1))[: rows * columns])
            host = chosen.astype(np.float32).astype(dtype).reshape(rows, columns)
            array = jax.device_put(host)
            back = np.asarray(array)
            assert np.array_equal(back.view(np.uint8), host.view(np.uint8)), "it comes back as ml_dtypes has it"
            plain, packed = f"{name}[{rows},{columns}]", f"{name}[{rows},{columns}]{{1,0:E({bits})}}"
            case(packed, in_memory(array, bits), plain, on_host(host), "unpacked")
            case(plain, on_host(host), packed, in_memory(array, bits), "packed")
            case(packed, in_memory(array, bits), f"{plain}{{0,1}}", on_host(host.T), "unpacked and transposed")
            case(f"{plain}{{0,1}}", on_host(host.T), packed, in_memory(array, bits), "transposed and packed")
            turned = jax.device_put(np.ascontiguousarray(host.T))
            case(packed, in_memory(array, bits), f"{plain}{{0,1:E({bits})}}", in_memory(turned, bits),
                 "transposed, packed on both sides")
            if name[0] == "s":
                # The same numbers with their sign in the upper bits of the byte, which readers have to take, too.
                extended = chosen.astype(np.int8).reshape(rows, columns)
                other = jax.device_put(extended.view(dtype))
                assert in_memory(other, bits) == in_memory(array, bits), "XLA takes both forms"
                case(plain, on_host(extended), packed, in_memory(array, bits),
                     "packed from numbers with their sign above them")
        if not known.startswith("float"):
            for padding, value in (("LOWEST_PAD", values[0]), ("HIGHEST_PAD", values[-1])):
                number += 1
                expect = on_host(np.array([value], np.float32).astype(dtype))
                print(json.dumps({"id": f"packed-{number:03}", "kind": "fill_value", "type": name,
                                  "padding_value": padding, "expect": expect, "source": SOURCE}))


main()
