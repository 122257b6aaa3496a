# SPDX-License-Identifier: Apache-2.0
"""Random shapes as text: what XLA can say, all of it; and the same with something broken."""

import random

TYPES = """pred s1 s2 s4 s8 s16 s32 s64 u1 u2 u4 u8 u16 u32 u64 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz
f8e5m2 f8e5m2fnuz f8e8m0fnu f16 bf16 f32 f64 c64 c128""".split()
SUB_BYTE = {"s1": 1, "u1": 1, "s2": 2, "u2": 2, "s4": 4, "u4": 4, "f4e2m1fn": 4}


# What XLA reads since October 2026 and jaxlib does not yet: asked only where `newest` is set.
NEWEST = """f32[2,3]{:S(5)} f32[2,3]{:S(0)} f32[2,3]{:} f32[2,3]{:E(4)} f32[2,3]{:M(5)} f32[2,3]{:T(2,128)}
f32[2,3]{:S(5)M(4)} f32[2,3]{:E(32)S(5)} f32[2,3]{:T()S(5)} f32[2,3]{:T(0)S(5)} f32[2,3]{:S(5)SC(0:1)}
f32[2,3]{:#(u16)*(u8)S(7)} f32[2,3]{:D(D)S(5)} f32[2,3]{:E(-1)S(5)} f32[2,3]{:S(5)M(-1)} f32[2,3]{:S(5)E(32)}
f32[2,3]{0:S(5)} f32[2,3]{:S(256)} f32[?,3]{:S(5)} f32[]{:S(5)} b(f32[2,3]{:S(5)}) b(f32[2,3]{:S(0)})
(f32[2,3]{:S(5)},f32[4]{0}) f32[4,300]{1,0:T(8,d)} f32[4,8]{1,0:T(d,128)} f32[6]{0:T(d)} f32[4,8]{1,0:T(8,d)(2,1)}
f32[?,8]{1,0:T(d,128)} f32[0,8]{1,0:T(d,4)} f32[8,0]{1,0:T(4,d)} f32[4]{0:T(dd)} f32[4]{0:T(D)} f32[4]{0:T(d2)}
f32[4]{0:T(2d)} f32[4]{0:T(-9223372036854775807)} f32[4]{0:T(d,4)} f32[4]{0:T(4,d)} f32[4,8]{1,0:T(*,d)}
f32[4,8]{1,0:T(d,*)}""".split()


class Texts:
    def __init__(self, seed, newest=False):
        self.random = random.Random(seed)
        self.newest = newest

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def size(self):
        pick = self.random.randrange(20)
        return 0 if pick == 0 else 1 if pick < 3 else self.random.choice((2, 3, 5, 7, 8, 16, 128, 257, 1000))

    def dimension(self, dynamic):
        if not dynamic or not self.chance(30):
            return str(self.size())
        return "?" if self.chance(30) else f"<={self.size()}"

    def tile(self, rank):
        count = self.random.randrange(1, min(rank + 2, 4))
        sizes = [str(self.random.choice((1, 2, 4, 8, 128, 3))) for _ in range(count)]
        if len(sizes) > 1 and self.chance(15):
            sizes[0] = "*"
        if self.newest and self.chance(15):
            sizes[self.random.randrange(len(sizes))] = "d"
        return f"({','.join(sizes)})"

    def layout(self, dimensions, plain=False):
        rank = len(dimensions)
        order = list(range(rank))[::-1]
        if self.chance(60):
            self.random.shuffle(order)
        text = ",".join(map(str, order))
        more = ""
        if not plain:
            if self.chance(40):
                more += "T" + "".join(self.tile(rank) for _ in range(self.random.randrange(1, 4)))
            if self.chance(10):
                more += f"L({self.random.choice((2, 8, 128))})"
            if self.chance(15):
                more += f"E({self.random.choice((1, 2, 4, 8, 16, 32, 64, 128))})"
            if self.chance(15):
                more += f"S({self.random.choice((1, 2, 5, 127, -1, -128))})"
            if self.chance(10) and rank > 0:
                at = self.random.randrange(rank)
                bound = dimensions[order[rank - 1 - at]]
                if bound.isdigit() and int(bound) > 3:
                    cuts = sorted(self.random.sample(range(1, int(bound)), self.random.randrange(1, 3)))
                    more += f"SC({at}:{','.join(map(str, cuts))})"
            if self.chance(5):
                more += f"M({self.random.choice((8, 64))})"
        if rank == 0 and not more:
            return ""
        if self.newest and "S" in more and self.chance(30):
            text = ""
        return "{" + text + (":" + more if more else "") + "}"

    def array(self, plain=False):
        dynamic = not plain and self.chance(15)
        dimensions = [self.dimension(dynamic) for _ in range(self.random.randrange(0, 6))]
        return f"{self.random.choice(TYPES)}[{','.join(dimensions)}]{self.layout(dimensions, plain)}"

    def shape(self, depth=0):
        pick = self.random.randrange(100)
        if depth < 4 and pick < 15:
            return "(" + ", ".join(self.shape(depth + 1) for _ in range(self.random.randrange(0, 4))) + ")"
        if pick < 18:
            return self.random.choice(("token[]", "opaque[]"))
        if pick < 20:
            return f"b({self.array()})"
        return self.array()

    def broken(self):
        """A shape with one place changed: most are no shapes any more."""
        text = self.shape()
        alphabet = "0123456789-,:(){}[]<=?*TLESCMPDb fs\t/"
        for _ in range(self.random.randrange(1, 3)):
            at = self.random.randrange(len(text) + 1)
            how = self.random.randrange(3)
            text = text[:at] + ("" if how == 0 else self.random.choice(alphabet)) + text[at + (how != 1):]
        return text
