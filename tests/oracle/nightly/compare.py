# SPDX-License-Identifier: Apache-2.0
"""Our answers against those of the XLA of a recent night, on random shapes:
text, validity, wire bytes both ways, sizes, positions.

    compare.py LIBRARY PROGRAM COUNT SEED

PROGRAM: answers.cc, compiled. Prints one line per explained kind of difference, with its count and the first text, and
every unexplained one: what XLA's text has now that the library lacks, or the reverse. Exits with 1 where there is an
unexplained one, or a kind that explained.md does not list.
"""

import ctypes
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import differential  # noqa: E402
import shim  # noqa: E402
import texts  # noqa: E402


def to_hex(data):
    return data.hex() or "-"


class Xla:
    """The program, started again where XLA ended it. An answer is its words, without those that an abort kept back."""

    def __init__(self, program):
        self.program = program

    def ask(self, requests):
        answers = []
        while len(answers) < len(requests):
            part = requests[len(answers):]
            asked = "\n".join(part) + "\n"
            done = subprocess.run([self.program], input=asked, capture_output=True, text=True, check=False)
            lines = done.stdout.split("\n")
            # What is behind the last line's end is an answer that an abort cut off.
            cut = [] if len(lines) > len(part) else [lines[-1]]
            answers += [line.split() for line in lines[:-1]] + [line.split() for line in cut]
        return answers


def names_of(library):
    library.c.xlashape_element_type_name.restype = ctypes.c_char_p
    for number in range(1000):
        name = library.c.xlashape_element_type_name(ctypes.c_int32(number))
        if name:
            yield f"{number}={name.decode()}"


def ours_of(library, text):
    try:
        shape = library.shape(text)
    except shim.Failure as failure:
        return failure, None
    return [shape.print(), to_hex(shape.proto())], shape


def numbers_of(shape, library):
    """ArraySize and the positions of the first, the middle and the last element, as answers.cc gives them."""
    dimensions = shape.dimensions()
    sizes = shape.sizes()
    numbers = [sizes.xla_bytes]
    if 0 not in dimensions:
        numbers += shape.linear_indices([(0,) * len(dimensions), tuple(size // 2 for size in dimensions),
                                         tuple(size - 1 for size in dimensions)])
    return numbers


def kind_of(text, ours, xla):
    """The explained kind of a difference about a text's validity, or None."""
    refused = isinstance(ours, shim.Failure)
    aborted = not xla
    told = None if aborted else {"error": ""} if xla == ["error"] else {"text": bytes.fromhex(xla[0]).decode()}
    kind = differential.kind_of(text, ours, told)
    # Not for what is refused because the order is missing.
    without_order = re.search(r"\{\s*:[^{}]*S\([^0{}]", text)
    if kind is None and refused and not aborted and without_order:
        if ours.status == "INVALID_ARGUMENT" or "T()" in text:
            return "no-order"
    if kind is None and not refused and xla == ["error"] and ours[2] == "OVERFLOW":
        return "bytes"
    return kind


class Comparison:
    def __init__(self, library):
        self.library = library
        self.tally = differential.Tally()

    def text(self, text, xla):
        """Compares the answers about a text; returns our shape and XLA's answer where both have one."""
        tally = self.tally
        ours, shape = ours_of(self.library, text)
        tally.checks["texts"] += 1
        if shape is not None:
            try:
                shape.byte_size()
                ours.append("")
            except shim.Failure as failure:
                ours.append(failure.status)
        if not xla or isinstance(ours, shim.Failure) != (xla == ["error"]):
            tally.difference(kind_of(text, ours, xla), text, ours, xla)
            return None
        if shape is None:
            tally.checks["refused by both"] += 1
            return None
        tally.checks["accepted by both"] += 1
        told = [bytes.fromhex(xla[0]).decode(), xla[1]]
        if ours[:2] != told:
            # What XLA recorded as an error and went on after is read into something else than it says.
            property_is_lost = re.search(r"\{[^{}]*:[^{}]*\}", text) and ours[0] not in told[0]
            tally.difference("property" if property_is_lost else None, text, ours, told)
            return None
        back = self.library.shape_from_proto(bytes.fromhex(xla[1].replace("-", "")), shim.KEEP_MISSING_LAYOUT)
        if back.print() != told[0] or not back.equal(shape):
            tally.difference(None, text, back.print(), told)
        if len(xla) > 2:
            self.numbers(text, shape, [int(word) for word in xla[2:]])
        return shape

    def numbers(self, text, shape, xla):
        # Where XLA's answers are no numbers: it rounds up to INT64_MIN for `*`, and a buffer's first, middle and last
        # element have indices in no order.
        for nonsense, found in (("where tiles merge", "*" in text),
                                ("of buffers without an order", re.match(r"\s*b\s*\(.*\{\s*:", text))):
            if found:
                self.tally.checks[f"not compared: XLA's numbers {nonsense}"] += 1
                return
        try:
            ours = numbers_of(shape, self.library)
        except shim.Failure as failure:
            # XLA's arithmetic wraps, and it has no limit on tile sizes.
            kind = failure.status.lower() if failure.status in ("OVERFLOW", "UNSUPPORTED") else None
            self.tally.difference(kind, text, failure, xla)
            return
        if ours[0] < 0:
            ours[0] = xla[0]  # ours says that XLA's number overflows
        self.tally.checks["sizes and positions"] += 1
        if ours[:len(xla)] != xla:
            self.tally.difference(None, text, ours, xla)


def main():
    library, program, count, seed = shim.Library(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    generator, xla, comparison = texts.Texts(seed, newest=True), Xla(program), Comparison(library)
    tally = comparison.tally
    theirs = xla.ask(["names"])[0]
    ours = set(names_of(library)) | {"0=primitive_type_invalid"}
    for name in theirs:
        # XLA has other names for what no text has.
        if name not in ours and name.split("=")[1] not in ("tuple", "opaque", "buffer"):
            tally.difference(None, name, "no such element type", "an element type")
    asked = ([generator.shape() for _ in range(count)] + [generator.broken() for _ in range(count // 4)]
             + differential.QUIRKS + texts.NEWEST)
    shapes = []
    for text, answer in zip(asked, xla.ask([f"text {to_hex(text.encode())}" for text in asked])):
        shape = comparison.text(text, answer)
        if shape is not None:
            shapes.append((text, shape, answer))
    # The other way round: XLA reads what we write.
    answers = xla.ask([f"proto {to_hex(shape.proto())}" for _, shape, _ in shapes])
    for (text, shape, before), after in zip(shapes, answers):
        tally.checks["messages"] += 1
        if after[:2] != before[:2]:
            tally.difference(None, text, "our message", after)
    sys.exit(tally.report())


main()
