# SPDX-License-Identifier: Apache-2.0
"""Default layouts: random arrays, libtpu's answer against ours.

    layouts.py LIBRARY COUNT SEED [ABORTS]

COUNT arrays for each target, of every element type, ranks 0 to 8, sizes 0 to 1,000,000, of fewer than 2^48 elements:
all answers must be equal. Then, of each target, COUNT / 100 arrays of up to 2^63 bytes: there libtpu counts the sizes
of layouts modulo 2^64, and what it chooses may differ from ours only where it takes as much memory or more, which
OVERFLOW counts as. Then ABORTS arrays of more bytes than fit 64 bits, where libtpu ends its process:
ours must be OVERFLOW.
"""

import collections
import math
import random
import sys

from compiler import TOPOLOGIES, TYPES, Libtpu
from targets import Targets, shim

NICE = (1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 192, 255, 256, 257, 384, 512,
        1024, 2048, 4096)


def sizes_below(generator, limit):
    """Dimensions with fewer than `limit` elements."""
    while True:
        rank = generator.choice((0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8))
        most = generator.choice((4, 20, 140, 1100, 70000, 1000000))
        sizes = [generator.choice(NICE) if generator.random() < 0.3 else generator.randint(1, most)
                 for _ in range(rank)]
        if sizes and generator.random() < 0.02:
            sizes[generator.randrange(rank)] = 0
        if math.prod(size or 1 for size in sizes) < limit:
            return sizes


def sizes_near(generator, low, high):
    """Dimensions with about 2^low to 2^high elements."""
    rank = generator.randint(1, 8)
    weights = [generator.random() for _ in range(rank)]
    bits = generator.uniform(low, high)
    return [max(1, int(2 ** (bits * weight / sum(weights)))) for weight in weights]


def main():
    library, count, generator = Targets(sys.argv[1]), int(sys.argv[2]), random.Random(int(sys.argv[3]))
    aborts = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    libtpu, tally, wrong = Libtpu(), collections.Counter(), []
    # The bytes of an element, or half or an eighth of one.
    bits = {name: library.c.xlashape_element_type_bits(library.element_type(name)) for name in TYPES}

    def compare(kind, questions, judge):
        for question, theirs in zip(questions, libtpu.ask(questions)):
            ours = library.layout(*question)
            tally[kind] += 1
            why = judge(question, ours, theirs)
            if why:
                wrong.append(f"{question[0]} {question[1]}{question[2]}: {why}: ours {ours}, libtpu's {theirs}")

    def equal(_, ours, theirs):
        return "" if ours == theirs else "they differ"

    def not_worse(question, ours, theirs):
        if ours == theirs:
            return ""
        tally["of these, chosen by libtpu by a size modulo 2^64"] += 1
        text = f"{question[1]}[{','.join(map(str, question[2]))}]"

        def bytes_in(layout):  # infinite where they overflow, which is what a refusal says
            try:
                return math.inf if isinstance(layout, shim.Failure) else library.shape(f"{text}{layout}").byte_size()
            except shim.Failure as failure:
                if failure.status != "OVERFLOW":
                    raise
                return math.inf

        if isinstance(ours, shim.Failure) and ours.status != "OVERFLOW":
            return "ours is no overflow"
        return "ours takes more" if bytes_in(theirs) < bytes_in(ours) else ""

    def overflow(_, ours, theirs):
        refused = isinstance(ours, shim.Failure) and ours.status == "OVERFLOW"
        if theirs is not None:
            return "libtpu has an answer"
        return "" if refused else "libtpu aborts, and ours is not OVERFLOW"

    for target in TOPOLOGIES:
        for start in range(0, count, 20000):
            compare("equal answers", [[target, generator.choice(list(TYPES)), sizes_below(generator, 2 ** 48)]
                                      for _ in range(min(20000, count - start))], equal)
            print(f"{target}: {min(count, start + 20000)} of {count}", flush=True)
        large = []
        while len(large) < count // 100:
            question = [target, generator.choice(list(TYPES)), sizes_near(generator, 48, 62)]
            width = bits[question[1]]
            if math.prod(question[2]) * (width if width < 8 else width // 8) < 2 ** 63:  # where libtpu does not abort
                large.append(question)
        compare("answers for arrays of 2^48 elements and more", large, not_worse)
    beyond = []
    while len(beyond) < aborts:
        question = [generator.choice(list(TOPOLOGIES)), generator.choice(list(TYPES)), sizes_near(generator, 60, 80)]
        if math.prod(question[2]) * max(8, bits[question[1]]) >= 2 ** 66 and max(question[2]) < 2 ** 63:
            beyond.append(question)
    compare("arrays that overflow", beyond, overflow)
    for line in wrong[:20]:
        print("UNEXPLAINED:", line)
    for kind, number in tally.items():
        print(f"{number} {kind}")
    print(f"{len(wrong)} unexplained differences")
    return 1 if wrong or not tally["equal answers"] else 0


if __name__ == "__main__":
    sys.exit(main())
