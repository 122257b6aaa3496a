"""Writes random.jsonl: golden cases of the kinds that a model in plain Python can answer.

The model is the rule of the physical order (pad, permute, tile level by level, tail, bits) and the wire format, written
once more, one index at a time. It shares nothing with the library. Run it again after adding a kind:

    python3 make_random.py > random.jsonl
"""

import itertools
import json
import random

STORAGE = {"pred": 8, "s4": 8, "u4": 8, "s2": 8, "u2": 8, "u1": 8, "s8": 8, "u8": 8, "bf16": 16, "f16": 16, "s32": 32,
           "f32": 32, "f64": 64, "c64": 64, "c128": 128, "f8e4m3fn": 8, "f6e3m2fn": 8, "f4e2m1fn": 8}
BITS = dict(STORAGE, pred=1, s4=4, u4=4, s2=2, u2=2, u1=1, f4e2m1fn=4)
NUMBER = {"pred": 1, "s8": 2, "s32": 4, "u8": 6, "f16": 10, "f32": 11, "f64": 12, "c64": 15, "bf16": 16, "c128": 18,
          "f8e4m3fn": 20, "s4": 21, "u4": 22, "s2": 26, "u2": 27, "u1": 31, "f4e2m1fn": 32, "f6e3m2fn": 35}


class Array:
    def __init__(self, rng, max_elements=60, types=None, padding=True, dynamic=False):
        self.type = rng.choice(types or sorted(STORAGE))
        rank = rng.randint(0, 4)
        self.dims = []
        for _ in range(rank):
            self.dims.append(rng.choice([1, rng.randint(1, 7)]) if max_elements > 1 else 1)
            max_elements //= max(self.dims[-1], 1)
        self.dynamic = [dynamic and rng.random() < 0.3 for _ in self.dims]
        self.m2m = list(range(rank))
        rng.shuffle(self.m2m)
        self.tiles = []
        if rng.random() < 0.6:
            for _ in range(rng.randint(1, 2)):
                size = rng.randint(1, min(rank + 1, 3))
                tile = [rng.choice([1, 2, 3, 4, 8]) for _ in range(size)]
                if size > 1 and rng.random() < 0.2:
                    tile[0] = "*"
                self.tiles.append(tile)
        self.tail = rng.randint(2, 9) if rng.random() < 0.2 else 1
        self.bits = 0
        if BITS[self.type] in (1, 2, 4) and rng.random() < 0.6:
            self.bits = BITS[self.type]
        self.space = rng.choice([0, 0, 1, 5])
        self.padded = None
        if padding and rng.random() < 0.25:
            self.padded = [d + rng.randint(0, 2) for d in self.dims]

    def text(self, layout=True):
        dims = ",".join(("<=" if dyn else "") + str(d) for d, dyn in zip(self.dims, self.dynamic))
        out = f"{self.type}[{dims}]"
        props = "".join("(" + ",".join(map(str, t)) + ")" for t in self.tiles)
        props = ("T" + props) if props else ""
        props += f"L({self.tail})" if self.tail != 1 else ""
        props += f"E({self.bits})" if self.bits else ""
        props += f"S({self.space})" if self.space else ""
        if not layout or (not self.dims and not props):
            return out
        return out + "{" + ",".join(map(str, self.m2m)) + (":" + props if props else "") + "}"

    def place(self, index):
        """Final bounds, and where the index stands in them (None: bounds only)."""
        order = self.m2m[::-1]
        bounds = [(self.padded or self.dims)[d] for d in order]
        at = [index[d] for d in order]
        for tile in self.tiles:
            missing = len(tile) - len(bounds)
            if missing > 0:
                bounds, at = [1] * missing + bounds, [0] * missing + at
            prefix = len(bounds) - len(tile)
            merged, bound, value = [], 1, 0
            for size, b, i in zip(tile, bounds[prefix:], at[prefix:]):
                bound, value = bound * b, value * b + i
                if size != "*":
                    merged.append((bound, value, size))
                    bound, value = 1, 0
            bounds = bounds[:prefix] + [-(-b // t) for b, _, t in merged] + [t for _, _, t in merged]
            at = at[:prefix] + [v // t for _, v, t in merged] + [v % t for _, v, t in merged]
        return bounds, at

    def linear(self, index):
        position = 0
        for b, i in zip(*self.place(index)):
            position = position * b + i
        return position

    def storage(self):
        product = 1
        for b in self.place([0] * len(self.dims))[0]:
            product *= b
        return -(-product // self.tail) * self.tail

    def indices(self):
        return list(itertools.product(*(range(d) for d in self.dims)))

    def memory(self, data, fill):
        image = [fill] * self.storage()
        for value, index in zip(data, self.indices()):
            image[self.linear(index)] = value
        return image

    def case(self, prefix=""):
        name = {"": "shape"}.get(prefix, prefix.rstrip("_"))
        fields = {name: self.text()}
        if self.padded is not None:
            fields[prefix + "padded_dimensions"] = self.padded
            fields[prefix + "padding_value"] = "ZERO_PAD"
        return fields


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def proto(a):
    packed = lambda number, values: field(number, b"".join(map(varint, values))) if values else b""
    layout = packed(1, a.m2m)
    if a.padded is not None:
        layout += packed(2, a.padded) + varint(3 << 3) + varint(1)
    for tile in a.tiles:
        layout += field(6, packed(1, [-(1 << 63) if t == "*" else t for t in tile]))
    for number, value in ((7, a.bits), (8, a.space)):
        if value:
            layout += varint(number << 3) + varint(value)
    layout += varint(16 << 3) + varint(a.tail)
    out = varint(2 << 3) + varint(NUMBER[a.type])
    out += packed(3, a.dims) + field(5, layout) + packed(6, [int(d) for d in a.dynamic])
    return out.hex()


def cases(rng):
    for _ in range(90):
        a = Array(rng)
        if a.dims:
            index = [rng.randrange(d) for d in a.dims]
            yield {"kind": "linear_index", **a.case(), "index": index, "expect": a.linear(index)}
            bad = list(index)
            d = rng.randrange(len(bad))
            bad[d] = rng.choice([-1, a.dims[d], a.dims[d] + 5])
            yield {"kind": "linear_index", **a.case(), "index": bad,
                   "expect": {"error": "index_out_of_range", "stage": "value"}}
    for _ in range(120):
        a = Array(rng)
        owner = {a.linear(i): list(i) for i in a.indices()}
        p = rng.randrange(a.storage())
        yield {"kind": "multi_index", **a.case(), "linear": p, "expect": owner.get(p, "padding")}
    for _ in range(60):
        a = Array(rng)
        yield {"kind": "storage_elements", **a.case(), "expect": a.storage()}
        bits = a.bits or STORAGE[a.type]
        yield {"kind": "byte_size", **a.case(), "expect": -(-a.storage() * bits // 8)}
    for _ in range(50):
        a = Array(rng, max_elements=24, types=["s32", "f32", "u8", "bf16", "f64", "c128"])
        data = list(range(1, len(a.indices()) + 1))
        yield {"kind": "to_memory", **a.case(), "data": data, "fill": 0, "expect": a.memory(data, 0)}
    for _ in range(90):
        a = Array(rng, max_elements=24, types=["s32", "f32", "u8", "bf16", "f64", "c128"])
        b = Array(rng, types=[a.type])
        b.dims, b.dynamic, b.padded = a.dims, a.dynamic, None
        b.m2m = rng.sample(range(len(a.dims)), len(a.dims))
        values = list(range(1, len(a.indices()) + 1))
        yield {"kind": "relayout", **a.case("src_"), **b.case("dst_"), "data": a.memory(values, 0), "fill": -1,
               "expect": b.memory(values, -1)}
    for _ in range(30):
        a = Array(rng, types=["s4", "u4", "u2", "u1", "s2"])
        a.bits = BITS[a.type]
        values = [rng.randrange(1 << a.bits) for _ in a.indices()]
        number = sum(v << (a.bits * i) for i, v in enumerate(a.memory(values, 0)))
        size = -(-a.storage() * a.bits // 8)
        yield {"kind": "pack", **a.case(), "data": values, "expect": number.to_bytes(size, "little").hex()}
    for _ in range(40):
        a = Array(rng, padding=False, dynamic=True)
        loose = a.text().replace(",", " , ").replace("{", "{ ").replace(":", " : ") if rng.random() < 0.5 else a.text()
        yield {"kind": "print", "shape": loose, "expect": a.text()}
        yield {"kind": "print", "shape": loose, "with_layout": False, "expect": a.text(layout=False)}
    for _ in range(60):
        a = Array(rng, dynamic=True)
        yield {"kind": "proto_encode", **a.case(), "expect": proto(a)}
    for _ in range(20):
        a = Array(rng)
        yield {"kind": "logical_to_physical", **a.case(), "expect": [a.m2m[::-1].index(d) for d in range(len(a.dims))]}
        yield {"kind": "true_rank", **a.case(), "expect": sum(d > 1 for d in a.dims)}


def main():
    rng = random.Random(20261121)
    for number, case in enumerate(cases(rng), 1):
        print(json.dumps({"id": f"random-{number:04}", **case, "source": "make_random.py"}))


if __name__ == "__main__":
    main()
