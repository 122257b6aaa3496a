# SPDX-License-Identifier: Apache-2.0
"""Real programs: every shape in the modules that XLA prints, and the sizes that XLA's memory analysis gives.

    hlo.py LIBRARY [--keep FOLDER]

--keep writes the modules' texts there: they are the test data of tests/unit/text/hlo_test.cc.
"""

import pathlib
import re
import sys

import programs  # first: it sets flags that jax reads when it is loaded
import shim

from jax._src.lib import xla_client
from jaxlib import _hlo

# A shape in an instruction: a type, brackets, a layout; tuples of them with their index comments.
SHAPE = re.compile(r"\b[a-z]\w*\[[^\]\s]*\](?:\{[^{}\s]*\})?")


def tuples(text):
    """The tuple shapes: from a parenthesis behind `= ` or `-> ` to the one that closes it."""
    for match in re.finditer(r"(?:= |-> )\(", text):
        start = at = match.end() - 1
        depth = 0
        while at < len(text):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                yield text[start:at]
                break


def check(library, name, lowered, keep):
    compiled = lowered.compile()
    module = compiled.runtime_executable().hlo_modules()[0]
    text = module.to_string()
    problems, checked = [], 0
    found = sorted(set(SHAPE.findall(text)) | set(tuples(text)))
    for shape in found:
        # XLA's own reading says what is one: words with brackets also stand in attributes.
        try:
            xla = xla_client.Shape(shape)
        except Exception:  # noqa: BLE001
            continue
        checked += 1
        ours = library.shape(shape, shim.KEEP_MISSING_LAYOUT)
        if ours.print() != shape:
            problems.append(f"{shape} is printed as {ours.print()}")
        full = library.shape(shape)
        if full.proto() != xla.to_serialized_proto() or full.print() != str(xla):
            problems.append(f"{shape}: {full.print()} is not XLA's {xla}, or its bytes")
    # The program shape of the entry computation, as XLA serialises it: field 4 of HloModuleProto.
    program = field(module.as_serialized_hlo_module_proto(), 4)
    if library.program_from_proto(program).proto() != program:
        problems.append("the module's program shape comes back as other bytes")
    # Arguments and results take what memory analysis says: shapes of one device, as in the module's entry layout.
    analysis = compiled.memory_analysis()
    entry = re.search(r"entry_computation_layout=\{\((.*?)\)->(.*)\}(?:,|\n)", text)
    arguments = sum(library.shape(part).byte_size() for part in SHAPE.findall(strip(entry.group(1))))
    result = strip(entry.group(2))
    results = SHAPE.findall(result)
    outputs = sum(library.shape(part).byte_size() for part in results)
    if result.startswith("("):
        outputs += 8 * len(results)
    for what, ours, xla in (("arguments", arguments, analysis.argument_size_in_bytes),
                            ("results", outputs, analysis.output_size_in_bytes)):
        if ours != xla:
            problems.append(f"{what} take {ours} bytes, XLA says {xla}")
    if keep:
        options = _hlo.HloPrintOptions()
        options.print_metadata = False  # names of files, where they happen to lie
        options.print_backend_config = False
        (keep / f"{name}.txt").write_text(module.to_string(options), encoding="utf-8")
    for problem in problems:
        print(f"UNEXPLAINED: {name}: {problem}")
    print(f"{name}: {checked} shapes, {arguments} bytes of arguments and {outputs} of results, as XLA has it")
    return len(problems) + (checked < 5)


def strip(text):
    return re.sub(r"/\*.*?\*/", "", text)


def field(message, wanted):
    """The payload of the first nested field of that number."""
    def varint(at):
        value = shift = 0
        while True:
            byte = message[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at

    at = 0
    while at < len(message):
        tag, at = varint(at)
        if tag & 7 == 0:
            _, at = varint(at)
        elif tag & 7 == 2:
            size, at = varint(at)
            if tag >> 3 == wanted:
                return bytes(message[at:at + size])
            at += size
        else:
            at += 8 if tag & 7 == 1 else 4
    raise LookupError(f"no field {wanted}")


def main():
    library = shim.Library(sys.argv[1])
    keep = pathlib.Path(sys.argv[3]) if sys.argv[2:3] == ["--keep"] else None
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    sys.exit(1 if sum(check(library, name, make(), keep) for name, make in programs.PROGRAMS.items()) else 0)


main()
