# SPDX-License-Identifier: Apache-2.0
"""A program of random parameters, compiled for a target: the layouts that it takes them in,
and the bytes that they take.

    parameters.py LIBRARY TARGET COUNT SEED KIND FOLDER

KIND: `default`, the compiler chooses; `order`, the program gives the order of dimensions, and the compiler the tiles;
`tiles`, the program gives both. The dump goes to FOLDER.
"""

import math
import pathlib
import random
import re
import sys

from compiler import TYPES, device, dtype, prepare
from targets import Targets

NICE = (0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 18, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129, 130, 200, 255,
        256, 257, 300, 384, 500, 512, 513, 1000, 1024)
# Types of 64 bits become pairs of parameters, and libtpu compiles no parameters of some floats of 8 bits.
NAMES = [name for name in TYPES if name not in ("s64", "u64", "f64", "c64", "c128", "s1", "u1", "f8e3m4", "f8e4m3",
                                                "f8e4m3fnuz", "f8e5m2fnuz", "f8e8m0fnu", "f8e4m3b11fnuz", "f4e2m1fn")]
VALUE = re.compile(r"^ *value: <\d+ (\S+) @\d+> \(size=(\d+),offset=\d+\): (.*)$", re.MULTILINE)


def random_parameters(count, generator):
    while count:
        sizes = [generator.choice(NICE) for _ in range(generator.choice((0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6)))]
        if math.prod(sizes) < 1000000:
            count -= 1
            yield generator.choice(NAMES), sizes


def tiles_of_ours(name, rank, generator):
    """Tiles that the compiler takes although it would not choose them."""
    bits = {"p": 8}.get(name[0]) or int(re.search(r"\d+", name).group())
    words = 32 // bits
    if rank == 0:
        return None
    pair = ((words, 1),) if words > 1 else ()
    if rank == 1:  # of 2 bits none that is smaller than the packed words: some compilers drop the inner tiles then
        sizes = [size for size in (128, 256, 512, 1024, 2048) if words < 16 or size >= 128 * words]
        return ((generator.choice(sizes),),) + (((128,),) if words > 1 else ()) + pair
    rows = generator.choice((1, 2, 4, 8)) * words if words > 1 else generator.choice((1, 2, 4, 8, 16, 32))
    return ((rows, 128),) + pair


def compiled(target, parameters, orders, tiles, folder):
    """The entry computation's parameters as text, and the values of the buffer assignment: [(text, bytes)]."""
    import jax
    import jax.numpy as jnp
    from jax.experimental.layout import Format, Layout
    from jax.sharding import SingleDeviceSharding
    sharding = SingleDeviceSharding(device(target))
    shardings = []
    for (name, sizes), order, tile in zip(parameters, orders, tiles):
        if tile:
            bits = dtype(name).name.lstrip("uint")
            shardings.append(Format(Layout(tuple(order), tile, int(bits) if bits in ("2", "4") else 0), sharding))
        else:
            shardings.append(sharding if order is None else Format(Layout(tuple(order)), sharding))

    def of_ours(*_):
        return jnp.zeros((), jnp.float32)

    arguments = [jax.ShapeDtypeStruct(tuple(sizes), dtype(name)) for name, sizes in parameters]
    program = jax.jit(of_ours, keep_unused=True, in_shardings=tuple(shardings)).lower(*arguments).compile()
    head = program.as_text().split("entry_computation_layout={(", 1)[1].split(")->", 1)[0]
    entry = re.findall(r"[a-z]\w*\[[\d,]*\](?:\{[^}]*\})?", re.sub(r"/\*.*?\*/", "", head))
    dumps = list(pathlib.Path(folder).glob("*buffer-assignment.txt"))
    values = [(text, int(size)) for dump in dumps for _, size, text in VALUE.findall(dump.read_text(encoding="utf-8"))]
    return entry, values, program.memory_analysis().argument_size_in_bytes


def main():
    library, target, count, seed, kind, folder = (Targets(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]),
                                                  sys.argv[5], sys.argv[6])
    generator = random.Random(seed)
    parameters = list(random_parameters(count, generator))
    # jax counts from the most major dimension.
    orders = [None if kind == "default" else generator.sample(range(len(sizes)), len(sizes)) for _, sizes in parameters]
    tiles = [tiles_of_ours(name, len(sizes), generator) if kind == "tiles" else None for name, sizes in parameters]
    prepare(folder)
    entry, values, arguments = compiled(target, parameters, orders, tiles, folder)
    problems = []
    if len(entry) != count:
        problems.append(f"{len(entry)} parameters in the program's text, not {count}")
    total = same = checked = 0
    for (name, sizes), order, text in zip(parameters, orders, entry):
        if kind == "tiles" and sizes:
            continue
        ours = library.layout(target, name, sizes, None if order is None else order[::-1])
        whole = library.shape(f"{name}[{','.join(map(str, sizes))}]{ours}").print()
        same += whole == text
        if whole != text:
            problems.append(f"{text} is the parameter, we choose {whole}")
    for text in entry:
        total += library.shape(text).byte_size(flags=1)
    if total != arguments:
        problems.append(f"the parameters take {arguments} bytes, we count {total}")
    for text, size in values:
        if text.startswith("("):
            continue
        checked += 1
        if library.shape(text).byte_size(flags=1) != size:
            problems.append(f"{text} takes {size} bytes, we count {library.shape(text).byte_size(flags=1)}")
    for problem in problems[:10]:
        print(f"UNEXPLAINED: {target}, {kind}: {problem}")
    print(f"{target}, {kind}: {same} layouts and {checked} sizes of {count} parameters, {len(problems)} differ")
    return 1 if problems or checked < count / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
