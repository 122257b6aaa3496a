# SPDX-License-Identifier: Apache-2.0
"""libtpu, asked for the layouts that it chooses by default: no TPU is needed, and nothing is compiled.

    compiler.py --targets   prints the names of all targets
    compiler.py     a worker: reads [topology, element type, dimensions] as JSON, a line each, and answers with the
                    layout's text

`Libtpu` starts workers, and again where libtpu ends the process.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys

# The names of the targets here, and those of topologies in jax: the first facts of tests/data/targets.
FACTS = max((pathlib.Path(__file__).resolve().parents[2] / "data/targets").glob("*.gz"))
with gzip.open(FACTS, "rt", encoding="ascii") as lines:
    TOPOLOGIES = dict(line.split()[1:] for line in lines if line.startswith("topology "))
# XLA's names of the element types, and those in NumPy or ml_dtypes.
# The two floats of 6 bits have none that jaxlib takes.
TYPES = {"pred": "bool", "s1": "int1", "u1": "uint1", "s2": "int2", "u2": "uint2", "s4": "int4", "u4": "uint4",
         "s8": "int8", "u8": "uint8", "s16": "int16", "u16": "uint16", "s32": "int32", "u32": "uint32",
         "s64": "int64", "u64": "uint64", "f4e2m1fn": "float4_e2m1fn", "f8e3m4": "float8_e3m4",
         "f8e4m3": "float8_e4m3", "f8e4m3fn": "float8_e4m3fn", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
         "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz",
         "f8e8m0fnu": "float8_e8m0fnu", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
         "c64": "complex64", "c128": "complex128"}


def prepare(dump=None):
    """Sets the environment that jax and libtpu read when they are loaded: no TPU here, no metadata server, no logs."""
    os.environ.update(JAX_PLATFORMS="cpu", TPU_SKIP_MDS_QUERY="1", TPU_LOG_DIR="disabled",
                      TPU_ACCELERATOR_TYPE="v5litepod-4", TPU_WORKER_HOSTNAMES="localhost", TF_CPP_MIN_LOG_LEVEL="3",
                      ALLOW_MULTIPLE_LIBTPU_LOAD="1")
    if dump:
        os.environ["XLA_FLAGS"] = f"--xla_dump_to={dump} --xla_dump_hlo_as_text --xla_dump_hlo_module_re=jit_of_ours"


def device_of(topology, number=0):
    from jax.experimental import topologies
    return topologies.get_topology_desc(platform="tpu", topology_name=topology).devices[number]


def device(target, number=0):
    return device_of(TOPOLOGIES[target], number)


def dtype(name):
    import ml_dtypes
    import numpy
    name = TYPES[name]
    return numpy.dtype(getattr(ml_dtypes, name, name))


def answer():
    prepare()
    devices = {}
    for line in sys.stdin:
        topology, element_type, dimensions = json.loads(line)
        if topology not in devices:
            devices[topology] = device_of(topology)
        asked = devices[topology]
        try:
            layout = str(asked.client.get_default_layout(dtype(element_type), tuple(dimensions), asked))
        except Exception as error:  # noqa: BLE001 whatever it is, the other side has to see it
            layout = f"error: {error}".splitlines()[0]
        print(layout, flush=True)


class Libtpu:
    def __init__(self):
        self.worker = None
        if self.ask([["tpu:v5e", "f32", [1000, 3]]]) == [None]:
            raise RuntimeError("libtpu has no answer for f32[1000,3]: does it run on this machine?")

    def ask(self, questions):
        """The layouts' texts in order; None where libtpu ended its process."""
        answers = []
        while len(answers) < len(questions):
            if self.worker is None:
                self.worker = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE,
                                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            # A few at a time, so that neither pipe fills while the other side waits.
            part = questions[len(answers):len(answers) + 200]
            try:
                lines = (json.dumps([TOPOLOGIES[target], *rest]) + "\n" for target, *rest in part)
                self.worker.stdin.write("".join(lines))
                self.worker.stdin.flush()
            except BrokenPipeError:
                pass
            for _ in part:
                line = self.worker.stdout.readline()
                if not line.endswith("\n"):
                    answers.append(None)
                    self.worker.wait()
                    self.worker = None
                    break
                answers.append(line[:-1])
        return answers


if __name__ == "__main__":
    print(*TOPOLOGIES) if sys.argv[1:] == ["--targets"] else answer()
