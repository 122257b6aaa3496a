# SPDX-License-Identifier: Apache-2.0
"""The advice of `xlashape scan`, carried out: programs of jax as they are written first, and as scan then says, both
compiled for v5e. What it promised must be saved, and where it promised nothing, nothing must be saved.

    advice.py COMMAND FOLDER [NAME...]

The dumps go to FOLDER. A program is compiled as it is, and again with all arguments donated that scan names: what is in
memory at the peak must shrink by the bytes that scan said, within 1 %. Then layouts that are left to the compiler
(`LAYOUTS`), and loops that are written anew (`REWRITTEN`).
"""
import json
import pathlib
import re
import subprocess
import sys

from compiler import TOPOLOGIES, prepare

COMMAND, FOLDER, NAMES = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
prepare(FOLDER)
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from jax import lax  # noqa: E402
from jax.experimental import topologies  # noqa: E402
from jax.experimental.layout import Format, Layout  # noqa: E402
import numpy  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding  # noqa: E402

array, half, full = jax.ShapeDtypeStruct, jnp.bfloat16, jnp.float32
LAYERS, BATCH, TIME, HEADS, FEATURES = 4, 32, 2048, 8, 128
CACHE = array((LAYERS, BATCH, TIME, HEADS, FEATURES), half)
DECODER = (CACHE, CACHE, array((LAYERS, HEADS * FEATURES, 3 * HEADS * FEATURES), half),
           array((BATCH, HEADS * FEATURES), half), array((), jnp.int32))
SQUARE, STACK = array((8192, 8192), full), array((64, 1024, 1024), full)
WEIGHTS = {"inner": array((4096, 16384), full), "outer": array((16384, 4096), full), "bias": array((16384,), full)}
EXAMPLES = (array((512, 4096), full), array((512, 4096), full))
TABLE = (array((262144, 256), full), array((128,), jnp.int32), array((128, 256), full))
HISTORY, NEWEST = array((2048, 64, 512), full), array((64, 512), full)


def heads(x, weights):
    return [part.reshape(BATCH, HEADS, FEATURES) for part in jnp.split(x @ weights, 3, axis=1)]


def attend(q, keys, values, at):
    scores = jnp.einsum("bhd,bthd->bht", q, keys).astype(full)
    scores = jnp.where(jnp.arange(TIME) <= at, scores, -1e30)
    return jnp.einsum("bht,bthd->bhd", jax.nn.softmax(scores, -1).astype(half), values).reshape(BATCH, -1)


def decode_scanned(keys, values, weights, x, at):
    """The caches as inputs and outputs of a scan over the layers: it writes each into memory of its own."""
    def layer(x, parts):
        keys, values, weights = parts
        q, k, v = heads(x, weights)
        keys = lax.dynamic_update_slice(keys, k[:, None], (0, at, 0, 0))
        values = lax.dynamic_update_slice(values, v[:, None], (0, at, 0, 0))
        return x + attend(q, keys, values, at), (keys, values)
    x, (keys, values) = lax.scan(layer, x, (keys, values, weights))
    return keys, values, x


def decode_carried(keys, values, weights, x, at):
    def layer(carry, parts):
        x, keys, values = carry
        number, weights = parts
        q, k, v = heads(x, weights)
        keys = lax.dynamic_update_slice(keys, k[None, :, None], (number, 0, at, 0, 0))
        values = lax.dynamic_update_slice(values, v[None, :, None], (number, 0, at, 0, 0))
        return (x + attend(q, keys[number], values[number], at), keys, values), None
    (x, keys, values), _ = lax.scan(layer, (x, keys, values), (jnp.arange(LAYERS), weights))
    return keys, values, x


def decode_unrolled(keys, values, weights, x, at):
    for number in range(LAYERS):
        q, k, v = heads(x, weights[number])
        keys = lax.dynamic_update_slice(keys, k[None, :, None], (number, 0, at, 0, 0))
        values = lax.dynamic_update_slice(values, v[None, :, None], (number, 0, at, 0, 0))
        x = x + attend(q, keys[number], values[number], at)
    return keys, values, x


def attention(q, k, v):
    scores = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k).astype(full), -1).astype(half)
    return jnp.einsum("bhts,bshd->bthd", scores, v)


def loss(weights, x, y):
    return jnp.mean((jax.nn.gelu(x @ weights["inner"] + weights["bias"]) @ weights["outer"] - y) ** 2)


def sgd(weights, x, y):
    error, slopes = jax.value_and_grad(loss)(weights, x, y)
    return jax.tree.map(lambda w, d: w - 1e-3 * d, weights, slopes), error


def adam(weights, first, second, x, y):
    error, slopes = jax.value_and_grad(loss)(weights, x, y)
    first = jax.tree.map(lambda m, d: 0.9 * m + 0.1 * d, first, slopes)
    second = jax.tree.map(lambda v, d: 0.999 * v + 0.001 * d * d, second, slopes)
    weights = jax.tree.map(lambda w, m, v: w - 1e-3 * m / (jnp.sqrt(v) + 1e-8), weights, first, second)
    return weights, first, second, error


def shrink_scanned(stack):
    return lax.scan(lambda nothing, w: (nothing, w * 0.99 + 1), 0, stack)[1]


def shrink_carried(stack):
    return lax.fori_loop(0, 64, lambda i, s: lax.dynamic_update_index_in_dim(s, s[i] * 0.99 + 1, i, 0), stack)


def experts(weights, x, gate):
    return weights + 1e-3, jnp.einsum("td,tdf->tf", x, weights[jnp.argmax(x @ gate, 1)])


def convolution(weights, x):
    return lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def set_and_compare(table, rows, values):
    changed = table.at[rows].set(values)
    return changed, (changed * table).sum(1)


def recurrent(state, inputs):
    return lax.scan(lambda state, x: (jnp.tanh(state + x), None), state, inputs)[0]


PROGRAMS = {
    "decode_scanned": (decode_scanned, DECODER),
    "decode_carried": (decode_carried, DECODER),
    "decode_unrolled": (decode_unrolled, DECODER),
    "attention": (attention, 3 * (array((8, 1024, 16, 128), half),)),
    "sgd": (sgd, (WEIGHTS, *EXAMPLES)),
    "adam": (adam, (WEIGHTS, WEIGHTS, WEIGHTS, *EXAMPLES)),
    "set_rows": (lambda table, rows, values: table.at[rows].set(values), TABLE),
    "set_and_compare": (set_and_compare, TABLE),
    "scale": (lambda x: x * 2 + 1, (SQUARE,)),
    "normalize": (lambda x: x / jnp.sum(x, axis=1, keepdims=True), (SQUARE,)),
    "transpose": (lambda x: x.T + 1, (SQUARE,)),
    "roll": (lambda x: jnp.roll(x, 1, axis=0), (SQUARE,)),
    "sort": (lambda x: jnp.sort(x, axis=0), (SQUARE,)),
    "product": (lambda a, b: a @ b, (SQUARE, SQUARE)),
    "swap": (lambda a, b: (b + 1, a * 2), (SQUARE, SQUARE)),
    "iterate": (lambda a, b: lax.fori_loop(0, 10, lambda i, a: jnp.tanh(a @ b), a), (SQUARE, SQUARE)),
    "recurrent": (recurrent, (SQUARE, array((10, 8192, 8192), full))),
    "shrink_scanned": (shrink_scanned, (STACK,)),
    "shrink_carried": (shrink_carried, (STACK,)),
    "experts": (experts, (STACK, array((64, 1024), full), array((1024, 64), full))),
    "convolution": (convolution, (array((3, 3, 128, 128), full), array((256, 56, 56, 128), full))),
    "slide": (lambda history, x: jnp.concatenate([history[1:], x[None]]), (HISTORY, NEWEST)),
    "sgd_sharded": (sgd, (WEIGHTS, *EXAMPLES)),
}
# Where an argument moves, its layout is left to the compiler: no argument and no result may move then.
LAYOUTS = {
    "decode_carried": (decode_carried, DECODER, (0, 1)),
    "lookup": (lambda table, rows: table[rows[:, 0]], (array((1000000, 64), full), array((100000, 1), jnp.int32)), ()),
}
# Where a loop writes a result again: the form that carries it, donated, saves at least the result's bytes.
REWRITTEN = {"decode_scanned": "decode_carried, AUTO", "shrink_scanned": "shrink_carried"}
LITTLE = 1 << 20
CHIPS = topologies.get_topology_desc(platform="tpu", topology_name=TOPOLOGIES["tpu:v5e"]).devices
TPU = SingleDeviceSharding(CHIPS[0])
MESH = Mesh(numpy.array(CHIPS[:4]), ("data",))
SHARDED, WHOLE = NamedSharding(MESH, PartitionSpec("data")), NamedSharding(MESH, PartitionSpec())
AUTO = Format(Layout.AUTO, TPU)


def compiled(name, function, arguments, form, given=TPU, made=TPU, donated=()):
    """What scan says of the program."""
    def of_ours(*given):
        return function(*given)
    of_ours.__name__ = f"of_ours_{name}_{form}"
    jax.jit(of_ours, in_shardings=given, out_shardings=made, donate_argnums=donated).lower(*arguments).compile()
    work = FOLDER / f"{name}.{form}"
    work.mkdir()
    for path in FOLDER.glob(f"*.jit_{of_ours.__name__}.*after_optimizations*"):
        path.rename(work / path.name)
    answer = subprocess.run([COMMAND, "scan", work, "--target", "tpu:v5e", "--json", "--top", "1000"],
                            check=True, capture_output=True, text=True).stdout
    module, = json.loads(answer)["modules"]
    return module


def peak(module):
    return sum(space["peak_bytes"] for space in module["peak"]["spaces"] if space["space"] == 0)


def large(rows):
    return [row for row in rows if row["bytes"] >= LITTLE]


def to_donate(module):
    """The numbers of the arguments that scan lists, or parts of them: jax calls them given[0]['bias']."""
    rows = large(module["undonated"] + module["rewritten"])
    return tuple({int(re.match(r"given\[(\d+)\]", row["op_name"])[1]) for row in rows})


def check(good, text):
    global failed
    failed += not good
    print("  " if good else "X ", text, flush=True)


failed = 0
peaks = {}  # by program: before, after, and how much of it a loop writes again
for name, (function, arguments) in PROGRAMS.items():
    if NAMES and name not in NAMES:
        continue
    places = [(SHARDED, SHARDED, SHARDED), (SHARDED, WHOLE)] if name.endswith("sharded") else [TPU, TPU]
    before = compiled(name, function, arguments, "plain", *places)
    after = compiled(name, function, arguments, "donated", *places, donated=to_donate(before))
    promised, loop = (sum(row["bytes"] for row in large(rows) if row["donation"] != "read")
                      for rows in (before["undonated"], before["rewritten"]))
    peaks[name] = peak(before), peak(after), loop
    saved = peak(before) - peak(after)
    check(abs(saved - promised) <= max(promised // 100, LITTLE),
          f"{name}: {promised >> 20} MiB promised, {saved >> 20} MiB saved")
for name, (function, arguments, donated) in LAYOUTS.items():
    if NAMES and name not in NAMES:
        continue
    before = compiled(name, function, arguments, "given", donated=donated)
    after = compiled(name, function, arguments, "auto", AUTO, AUTO, donated)
    peaks[name + ", AUTO"] = peak(before), peak(after), 0
    promised, left = (sum(row["bytes"] for row in module["relayouts"] if row["remedy"] and "AUTO" in row["remedy"])
                      for module in (before, after))
    saved = before["totals"]["moved"] - after["totals"]["moved"]
    check(promised > 0 and left == 0 and abs(saved - promised) <= promised // 100,
          f"{name}, AUTO: {promised >> 20} MiB less moved were promised, {saved >> 20} MiB are")
    check(all(row["kind"] != "argument" or row["better"] is None or row["better"]["moved"] > 0
              for row in after["waste"]),
          f"{name}, AUTO: no better layout of an argument without what it costs")
for name, other in REWRITTEN.items():
    if name in peaks and other in peaks:
        loop, saved = peaks[name][2], peaks[name][0] - peaks[other][1]
        check(LITTLE <= loop <= saved + loop // 100, f"{other} in place of {name}: {loop >> 20} MiB promised, "
              f"{saved >> 20} MiB saved")
print(f"{failed} failed")
sys.exit(failed > 0)
