# SPDX-License-Identifier: Apache-2.0
"""Our answers against XLA's, on random shapes: text, validity, wire bytes, equality.

    differential.py LIBRARY COUNT SEED

Prints one line per explained kind of difference, with its count and the first text, and every unexplained one. Exits
with 1 where there is an unexplained one, or a kind of difference that explained.md does not list.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

import shim
import texts

HERE = pathlib.Path(__file__).resolve().parent


class Xla:
    """The worker, started again where XLA ended it."""

    def __init__(self):
        self.process = None

    def ask(self, requests):
        """The answers in order; None where XLA aborted."""
        answers = []
        while len(answers) < len(requests):
            if self.process is None:
                self.process = subprocess.Popen(
                    [sys.executable, HERE / "xla_worker.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, text=True, bufsize=1 << 16)
            # A few at a time, so that neither pipe fills while the other side waits.
            part = requests[len(answers):len(answers) + 50]
            try:
                self.process.stdin.write("".join(json.dumps(request) + "\n" for request in part))
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
            for _ in part:
                line = self.process.stdout.readline()
                if not line.endswith("\n"):
                    answers.append(None)
                    self.process.wait()
                    self.process = None
                    break
                answers.append(json.loads(line))
        return answers


# Texts that only some of XLA's own quirks accept, or that it aborts on: always asked, since chance rarely finds them.
QUIRKS = """f32[2]{0:#(u32)} f32[2]{0:*(u8)} f32[2]{0:D(D)} f32[2]{0:D(C)T(2)} f32[2]{0:P(f32[2]{0})} f32[2]{0:S(200)}
f32[2]{0:S(-129)} f32[2]{0:T} f32[2]{0:S} f32[2]{0:T(2} f32[2]{0:M(-1)} f32[2]{0:E(-1)} f32[2]{0:T()} f32[2]{1}
f32[2,2]{1,1} f32[4294967296,4294967296,0] f32[0,4294967296,4294967296] f32[2]{} f32[]{} f32[]{:} f32[-1] f32[<=-1]
f32[?]{0} token[]{} f32[<=9223372036854775808]{0} f32[4]{0:T(9223372036854775808,2)} f32[<=-9223372036854775808]{0}
f32[4]{0:S(18446744073709551615)} f32[?,6]{0,1:SC(1:2)} f32[?,6]{0,1:SC(0:2)} f32[4]{0:SC(0:0,2)} f32[4]{0:T(2)()}
f32[007] f32[1_0] f32[0x10] b(token[]) b(()) b(b(f32[2]{0})) tuple[] buffer[] F32[2] opaque_type[] f32[2]{0:SC(0:1)}
f32[2]{0:SC(0:2)} f32[2]{0:SC(1:1)} f32[4]{0:SC(0:2,1)} f32[2]{0:SC(0:1)(0:1)} token[2] opaque[3] token[]{0}
f32[4]{0:L(0)} f32[4]{0:L(-1)} f32[4]{0:T(-2)} f32[4]{0:T(0)}""".split()


def same_words(a, b):
    """Whether two texts differ in blanks and comments only."""
    return re.sub(r"/\*.*?\*/|\s", "", a) == re.sub(r"/\*.*?\*/|\s", "", b)


def kind_of(text, ours, xla):
    """The explained kind of a difference, or None. `ours`: a Failure or a dict; `xla`: None for an abort."""
    refused = isinstance(ours, shim.Failure)
    if xla is None:
        return "abort" if refused else None
    if not refused or "error" in xla:
        return None
    why = str(ours)
    # In its place: a number that does not fit, or INT64_MIN itself.
    if "that fits int64" in why or ("not negative" in why and "-9223372036854775808" in text):
        return "integer"
    if "memory space" in why or "memory_space" in why:
        return "memory-space"
    if "dynamic_shape_metadata_prefix_bytes" in why:
        return "metadata-prefix"
    # What XLA prints as it was written it has not lost, so that we have to read it.
    if ours.status == "PARSE" and re.search(r"\{[^{}]*:[^{}]*\}", text) and not same_words(text, xla["text"]):
        return "property"
    return None


def ours_of(library, text):
    try:
        shape = library.shape(text)
    except shim.Failure as failure:
        return failure, None
    return {"text": shape.print(), "proto": shape.proto().hex()}, shape


class Tally:
    def __init__(self):
        self.checks = collections.Counter()
        self.explained = collections.Counter()
        self.first = {}
        self.unexplained = []

    def difference(self, kind, text, ours, xla):
        if kind is None:
            self.unexplained.append((text, str(ours), str(xla)))
        else:
            self.explained[kind] += 1
            self.first.setdefault(kind, text)

    def report(self):
        """Prints all differences; returns the exit status."""
        page = (HERE / "explained.md").read_text(encoding="utf-8")
        listed = set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE))
        for kind, times in sorted(self.explained.items()):
            print(f"explained: {kind}: {times} times, first: {self.first[kind]}"
                  + ("" if kind in listed else " -- NOT LISTED in explained.md"))
        for text, ours, theirs in self.unexplained[:20]:
            print(f"UNEXPLAINED: {text}\n    ours: {ours}\n    XLA:  {theirs}")
        print(", ".join(f"{times} {name}" for name, times in sorted(self.checks.items())))
        print(f"{len(self.unexplained)} unexplained differences")
        return 1 if self.unexplained or set(self.explained) - listed or not self.checks["accepted by both"] else 0


def compare(tally, library, text, xla):
    ours, shape = ours_of(library, text)
    tally.checks["texts"] += 1
    if xla is None or isinstance(ours, shim.Failure) != ("error" in xla):
        tally.difference(kind_of(text, ours, xla), text, ours, xla)
        return
    if isinstance(ours, shim.Failure):
        tally.checks["refused by both"] += 1
        return
    tally.checks["accepted by both"] += 1
    if ours["text"] != xla["text"] or ours["proto"] != xla["proto"]:
        # What XLA recorded as an error and went on after is read into something else than it says.
        kind = "property" if re.search(r"\{[^{}]*:[^{}]*\}", text) and ours["text"] not in xla["text"] else None
        tally.difference(kind, text, ours, xla)
        return
    back = library.shape_from_proto(bytes.fromhex(xla["proto"]), shim.KEEP_MISSING_LAYOUT)
    if back.print() != xla["text"] or not back.equal(shape):
        tally.difference(None, text, back.print(), xla)
    if "leaves" in xla:
        tally.checks["leaf counts"] += 1
        if library.c.xlashape_shape_leaf_count(shape.handle) != xla["leaves"]:
            tally.difference(None, text, "leaf count", xla)
    if "rank" in xla:
        tally.checks["ranks, dynamism"] += 1
        facts = (bool(library.c.xlashape_shape_is_dynamic(shape.handle)), library.c.xlashape_shape_rank(shape.handle))
        if facts != (xla["dynamic"], xla["rank"]):
            tally.difference(None, text, facts, xla)


def compare_equality(tally, library, generator, xla, good):
    """Pairs of one random shape: with itself, with another, and with one that differs in a little."""
    pairs = []
    for a, b in zip(good, good[1:]):
        pairs.append((a, a))
        pairs.append((a, b))
        pairs.append((a, re.sub(r"(?<=[TLESM])\(\d+", lambda match: match.group()[0] + "2", a, count=1)))
        pairs.append((a, re.sub(r"<=", "", a, count=1)))
        pairs.append((a, re.sub(r"\{[^{}]*\}", "", a, count=1)))
    parsed = []
    for pair in pairs:
        shapes = [ours_of(library, text)[1] for text in pair]
        if None not in shapes:
            parsed.append((pair, shapes))
    answers = xla.ask([{"equal": pair} for pair, _ in parsed])
    for (pair, shapes), answer in zip(parsed, answers):
        tally.checks["equalities"] += 1
        if answer is None or shapes[0].equal(shapes[1]) != answer["equal"]:
            tally.difference(None, " == ".join(pair), shapes[0].equal(shapes[1]), answer)


def main():
    library, count, seed = shim.Library(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    generator, xla, tally = texts.Texts(seed), Xla(), Tally()
    # Validity is XLA's only inside of a tuple: bare arrays are parsed and not validated.
    good = [generator.shape() for _ in range(count)]
    broken = [generator.broken() for _ in range(count // 4)]
    asked = good + [f"({text})" for text in broken + QUIRKS]
    for text, answer in zip(asked, xla.ask([{"text": text} for text in asked])):
        compare(tally, library, text, answer)
    fine = [text for text in good if "()" not in text.replace("(()", "") and "T(" in text or "T" not in text]
    compare_equality(tally, library, generator, xla, fine[:max(200, count // 10)])
    sys.exit(tally.report())


if __name__ == "__main__":
    main()
