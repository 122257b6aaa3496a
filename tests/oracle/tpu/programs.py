# SPDX-License-Identifier: Apache-2.0
"""Programs of our own, compiled for a target: texts, sizes, tuples, bitcasts and memory spaces,
the compiler's and ours.

    programs.py LIBRARY TARGET FOLDER

The dump goes to FOLDER. What differs and is understood is in EXPLAINED.
"""

import collections
import pathlib
import re
import sys

from compiler import device, prepare
from parameters import VALUE
from targets import Targets, shim

SHAPE = re.compile(r"\b[a-z]\w*\[[^\]\s]*\](?:\{[^{}\s]*\})?")
BITCAST = re.compile(r"^ *(?:ROOT )?%?([\w.-]+) = (\S+) bitcast\(%?([\w.-]+)\)", re.MULTILINE)
RESULT = re.compile(r"^ *(?:ROOT )?%?([\w.-]+) = ([a-z]\w*\[[^\]\s]*\]\{[^{}\s]*\}) ", re.MULTILINE)
SPACE = re.compile(r"^Memory Space: (\w+) \(color=(\d+)\)$", re.MULTILINE)
EXPLAINED = {
    "granule": "S(4) and spaces above hand out memory in pieces of their own, whatever the shape",
    "names": "the report calls the spaces 0, 3, 4 and 5 default, hbm, host and cmem: "
             "5 holds what is pinned on the host",
}


def programs():
    import jax
    import jax.numpy as jnp
    from jax import lax
    array = jax.ShapeDtypeStruct
    half, full = jnp.bfloat16, jnp.float32

    def attention(weights, x):
        def of_ours(p, x):
            q, k, v = (x @ p[:, i * 128:(i + 1) * 128] for i in range(3))
            q, k, v = (part.reshape(2, 100, 4, 32).transpose(0, 2, 1, 3) for part in (q, k, v))
            scores = jnp.einsum("bhqd,bhkd->bhqk", q, k).astype(full)
            scores = jnp.where(jnp.tril(jnp.ones((100, 100), bool)), scores, -1e30)
            out = jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores).astype(half), v)
            return out.transpose(0, 2, 1, 3).astype(full).sum()
        return jax.value_and_grad(of_ours)(weights, x)

    def convolutions(x, w1, w2):
        x = jax.nn.relu(lax.conv_general_dilated(x, w1, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return lax.conv_general_dilated(x, w2, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loop(x, h):
        def step(carry, row):
            carry = jnp.tanh(row @ jnp.full((100, 300), 0.01) + carry)
            return carry, carry
        return lax.scan(step, h, x)

    def cache(keys, new, at):
        keys = lax.dynamic_update_slice(keys, new[:, None], (0, at, 0, 0))
        return keys, keys.astype(full).sum((1, 3))

    def shapes(a, b, c, d, e, f, g, h):
        return (a.transpose(0, 3, 1, 2) * 2, b.reshape(-1, 18) + 1, c.T, d.reshape(512, 40)[::-1], jnp.sort(e, axis=0),
                f @ f.T, g + 1, a.reshape(4, -1).sum(1), b.transpose(2, 1, 0), h.astype(half) * 2, (h > 0).reshape(-1))

    return {
        "attention": (attention, [array((128, 384), half), array((2, 100, 128), half)]),
        "convolutions": (convolutions, [array((8, 56, 56, 3), full), array((7, 7, 3, 64), full),
                                        array((3, 3, 64, 128), full)]),
        "loop": (loop, [array((16, 20, 100), full), array((20, 300), full)]),
        "cache": (cache, [array((8, 512, 8, 64), half), array((8, 8, 64), half), array((), jnp.int32)]),
        "shapes": (shapes, [array((4, 56, 56, 3), full), array((16, 9, 18), full), array((1000, 10), jnp.int32),
                            array((128, 160), half), array((1000, 3), full), array((300, 200), jnp.int8),
                            array((10000, 1), jnp.uint32), array((300, 500), jnp.int4)]),
    }


def compile_all(target):
    """Compiles each program; yields its name, its memory analysis and its optimised text."""
    import jax
    from jax.sharding import SingleDeviceSharding
    sharding = SingleDeviceSharding(device(target))
    for name, (function, arguments) in programs().items():
        def of_ours(*given, function=function):
            return function(*given)
        of_ours.__name__ = f"of_ours_{name}"  # the dump's filter
        program = jax.jit(of_ours, in_shardings=sharding, out_shardings=sharding).lower(*arguments).compile()
        yield name, program.memory_analysis(), program.as_text()


class Judge:
    def __init__(self, library, target):
        self.library, self.target = library, target
        self.names = {name for number in range(256) if (name := library.c.xlashape_element_type_name(number))}
        self.names = {name.decode() for name in self.names}
        self.tally, self.problems, self.explained = collections.Counter(), [], collections.Counter()

    def texts(self, text):
        for shape in sorted(set(SHAPE.findall(text))):
            try:
                printed = self.library.shape(shape, shim.KEEP_MISSING_LAYOUT).print()
            except shim.Failure as failure:
                # Names of arguments also stand before brackets.
                if shape.split("[", 1)[0] in self.names:
                    self.problems.append(f"{shape}: {failure}")
                continue
            self.tally["texts"] += 1
            if printed != shape:
                self.problems.append(f"{shape} is printed as {printed}")

    def parameters(self, text, analysis):
        head = re.sub(r"/\*.*?\*/", "", text.split("entry_computation_layout={(", 1)[1].split("\n", 1)[0])
        arguments, _, results = head.partition(")->")
        total = 0
        for part in SHAPE.findall(arguments):
            shape = self.library.shape(part)
            total += shape.byte_size(flags=1)
            self.tally["parameters"] += 1
            if self.library.for_target(shape, self.target).print() != part:
                ours = self.library.for_target(shape, self.target).print()
                self.problems.append(f"{part} is a parameter, we choose {ours}")
        if total != analysis.argument_size_in_bytes:
            self.problems.append(f"the parameters take {analysis.argument_size_in_bytes} bytes, we count {total}")
        results = SHAPE.findall(results.split("}}", 1)[0] + "}")
        total = sum(self.library.shape(part).byte_size(flags=1) for part in results)
        if len(results) > 1:
            total += self.library.tuple_bytes(self.target, len(results))
        self.tally["totals"] += 2
        if total != analysis.output_size_in_bytes:
            self.problems.append(f"the results take {analysis.output_size_in_bytes} bytes, we count {total}")

    def bitcasts(self, text):
        for computation in re.split(r"\n\n", text):
            results = dict(RESULT.findall(computation))
            for _, result, operand in BITCAST.findall(computation):
                if operand not in results or not SHAPE.fullmatch(result):
                    continue
                self.tally["bitcasts"] += 1
                # Inside of a fusion S(n) only says where the value came from.
                texts = (re.sub(r"S\(\d+\)", "", text) for text in (results[operand], result))
                if not self.library.is_bitcast(*map(self.library.shape, texts)):
                    self.problems.append(f"{results[operand]} to {result} is a bitcast of the compiler, not ours")

    def values(self, text):
        for _, size, shape in VALUE.findall(text):
            kind, size = "tuples" if shape.startswith("(") else "sizes", int(size)
            made = self.library.shape(shape)
            if kind == "tuples":
                ours = self.library.tuple_bytes(self.target,
                                                self.library.c.xlashape_shape_tuple_element_count(made.handle))
            else:
                ours = made.byte_size(flags=1)
            self.tally[kind] += 1
            if ours == size:
                continue
            if re.search(r"S\((?:[4-9]|\d\d)\)", shape):
                self.explained["granule"] += 1
            else:
                self.problems.append(f"{shape} takes {size} bytes, we count {ours}")

    def spaces(self, text):
        for name, number in SPACE.findall(text):
            try:
                ours = self.library.text("xlashape_target_memory_space_name", self.library.number(self.target),
                                         shim.ctypes.c_int64(int(number)))
            except shim.Failure as failure:
                if failure.status != "UNSUPPORTED":
                    raise
                continue
            self.tally["memory spaces"] += 1
            if ours != name:
                if number in ("0", "5"):
                    self.explained["names"] += 1
                else:
                    self.problems.append(f"S({number}) is {name} in the compiler's report, {ours} here")


def main():
    library, target, folder = Targets(sys.argv[1]), sys.argv[2], sys.argv[3]
    library.c.xlashape_shape_tuple_element_count.restype = shim.ctypes.c_int64
    library.c.xlashape_element_type_name.restype = shim.ctypes.c_char_p
    prepare(folder)
    judge = Judge(library, target)
    for _, analysis, text in compile_all(target):
        judge.texts(text)
        judge.parameters(text, analysis)
        judge.bitcasts(text)
    for dump in sorted(pathlib.Path(folder).glob("*.after_optimizations-*.txt")):
        text = dump.read_text(encoding="utf-8")
        if dump.name.endswith("buffer-assignment.txt"):
            judge.values(text)
        elif dump.name.endswith("memory-usage-report.txt"):
            judge.spaces(text)
    for problem in judge.problems[:10]:
        print(f"UNEXPLAINED: {target}: {problem}")
    for kind, number in judge.explained.items():
        print(f"explained: {number} times: {EXPLAINED[kind]}")
    print(f"{target}: " + ", ".join(f"{number} {kind}" for kind, number in judge.tally.items())
          + f"; {len(judge.problems)} differ")
    wanted = ("texts", "parameters", "totals", "sizes", "tuples", "bitcasts", "memory spaces")
    return 1 if judge.problems or not all(judge.tally[kind] for kind in wanted) else 0


if __name__ == "__main__":
    sys.exit(main())
