# SPDX-License-Identifier: Apache-2.0
"""A frozen part of what libtpu answers, which needs neither libtpu nor jax to be checked.

    facts.py LIBRARY FILE              checks the library against the facts of the file
    facts.py --collect FILE SEED FOLDER [TARGET=TOPOLOGY]...
                                       asks libtpu anew, also of these targets, and writes the file

A line is a fact, in a gzip file:
    topology TARGET TOPOLOGY                         what jax calls such a machine
    layout TARGET TYPE DIMENSIONS LAYOUT             the layout by default; DIMENSIONS is `-` for a scalar
    order TARGET TYPE DIMENSIONS ORDER LAYOUT        the layout with that minor_to_major
    size SHAPE BYTES                                 what a buffer of a compiled program takes
    tuple TARGET ELEMENTS BYTES                      what a tuple's table of pointers takes
    abort TARGET TYPE DIMENSIONS                     libtpu ends its process: an error here
"""

import collections
import gzip
import pathlib
import random
import re
import sys

from compiler import TOPOLOGIES, TYPES
from targets import Targets, shim

COUNTS = {"layout": 6000, "abort": 20, "parameters": 400}
TUPLES = (2, 7, 8, 9, 127, 128, 129, 255, 256, 257)


def numbers(text):
    return [] if text == "-" else [int(number) for number in text.split(",")]


def listed(values):
    return ",".join(map(str, values)) or "-"


def problem_of(library, fact):
    kind, *words = fact
    if kind == "size":
        bytes_ = library.shape(words[0]).byte_size(flags=1)
        return "" if bytes_ == int(words[1]) else f"we count {bytes_} bytes"
    if kind == "topology":
        return "" if words[0] in library.tpus() else "there is no such target"
    if kind == "tuple":
        bytes_ = library.tuple_bytes(words[0], int(words[1]))
        return "" if bytes_ == int(words[2]) else f"we count {bytes_} bytes"
    order = numbers(words[3]) if kind == "order" else None
    ours = library.layout(words[0], words[1], numbers(words[2]), order)
    if kind == "abort":
        return "" if isinstance(ours, shim.Failure) and ours.status == "OVERFLOW" else f"ours is {ours}"
    return "" if ours == words[-1] else f"ours is {ours}"


def check(library, path):
    with gzip.open(path, "rt", encoding="ascii") as file:
        facts = [line.split() for line in file]
    tally, wrong = collections.Counter(fact[0] for fact in facts), 0
    known = {(fact[0], fact[1]) for fact in facts}
    for target in sorted(library.tpus()):
        if missing := [kind for kind in ("topology", "layout", "order", "tuple") if (kind, target) not in known]:
            print(f"{target}: there are no facts of it ({', '.join(missing)}): facts.py --collect ... "
                  f"{target}=TOPOLOGY, as docs/adding/target.md says")
            wrong += 1
    for fact in facts:
        problem = problem_of(library, fact)
        if problem:
            wrong += 1
            if wrong <= 20:
                print(f"{' '.join(fact)}: {problem}")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())) + f": {wrong} wrong")
    return 1 if wrong or len(tally) != 6 else 0


def collected(seed, folder):
    import layouts
    import parameters
    from compiler import Libtpu, prepare
    for target, topology in TOPOLOGIES.items():
        yield f"topology {target} {topology}"
    generator, libtpu = random.Random(seed), Libtpu()
    targets, types = list(TOPOLOGIES), list(TYPES)
    for target, answer in zip(targets, libtpu.ask([[target, "f32", [8, 128]] for target in targets])):
        if answer is None:
            sys.exit(f"{target}={TOPOLOGIES[target]}: jax and this libtpu know no such topology")
    questions = [[targets[i % len(targets)], generator.choice(types), layouts.sizes_below(generator, 2 ** 48)]
                 for i in range(COUNTS["layout"])]
    for (target, name, sizes), answer in zip(questions, libtpu.ask(questions)):
        yield f"layout {target} {name} {listed(sizes)} {answer}"
    beyond = [[generator.choice(targets), generator.choice(types), layouts.sizes_near(generator, 66, 80)]
              for _ in range(COUNTS["abort"])]
    for (target, name, sizes), answer in zip(beyond, libtpu.ask(beyond)):
        if answer is None and max(sizes) < 2 ** 63:
            yield f"abort {target} {name} {listed(sizes)}"
    prepare(folder)
    import jax
    import jax.numpy as jnp
    seen = set()
    for target in targets:
        given = list(parameters.random_parameters(COUNTS["parameters"], generator))
        orders = [generator.sample(range(len(sizes)), len(sizes)) for _, sizes in given]
        for path in pathlib.Path(folder).glob("*buffer-assignment.txt"):
            path.unlink()
        entry, values, _ = parameters.compiled(target, given, orders, [None] * len(given), folder)
        for (name, sizes), order, text in zip(given, orders, entry):
            layout = re.search(r"\{.*\}", text)
            yield f"order {target} {name} {listed(sizes)} {listed(order[::-1])} {layout.group() if layout else '{}'}"
        for text, size in values:
            if not text.startswith("(") and text not in seen:
                seen.add(text)
                yield f"size {text} {size}"
        for count in TUPLES:
            yield f"tuple {target} {count} {tuple_table(target, count, folder, jax, jnp)}"


def tuple_table(target, count, folder, jax, jnp):
    """The bytes of the result of a program that returns a tuple, without its elements."""
    from compiler import device
    from jax.sharding import SingleDeviceSharding
    sharding = SingleDeviceSharding(device(target))

    def of_ours(x):
        return tuple(x + i for i in range(count))

    program = jax.jit(of_ours, in_shardings=sharding, out_shardings=sharding).lower(
        jax.ShapeDtypeStruct((), jnp.float32)).compile()
    argument = program.memory_analysis().argument_size_in_bytes
    return program.memory_analysis().output_size_in_bytes - count * argument


def main():
    if sys.argv[1] != "--collect":
        return check(Targets(sys.argv[1]), sys.argv[2])
    TOPOLOGIES.update(word.split("=") for word in sys.argv[5:])
    lines = "".join(f"{line}\n" for line in collected(int(sys.argv[3]), sys.argv[4]))
    with open(sys.argv[2], "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, compresslevel=9) as file:
        file.write(lines.encode("ascii"))
    print(f"{lines.count(chr(10))} facts")
    return 0


if __name__ == "__main__":
    sys.exit(main())
