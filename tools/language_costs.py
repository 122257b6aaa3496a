#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""language_costs.py PREFIX WORK [--json FILE]: what a call costs from each language beside the bare C call (from
Python: beside ctypes; from Go alone), each pair measured by that language's own harness (bindings/*/bench.sh), as a
table. Numbers of one pair are of one run and can be compared; those of different pairs cannot."""

import json
import pathlib
import subprocess
import sys

BINDINGS = {"cpp": ("c", "c++"), "rust": ("c", "rust"), "go": ("go",), "python": ("ctypes", "python")}
TITLES = {"cpp": "C++", "rust": "Rust", "go": "Go", "python": "Python"}


def short(ns):
    if ns >= 1e6:
        return f"{ns / 1e6:.2f} ms"
    return f"{ns / 1e3:.2f} us" if ns >= 1e4 else f"{ns:.1f}" if ns >= 10 else f"{ns:.2f}"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--json"]
    out = arguments.pop() if "--json" in sys.argv else None
    prefix, work = (pathlib.Path(a).resolve() for a in arguments)
    root = pathlib.Path(__file__).resolve().parent.parent
    lines = []
    for binding in BINDINGS:
        folder = work / binding
        folder.mkdir(parents=True, exist_ok=True)
        print(f"measuring {TITLES[binding]} ...", file=sys.stderr, flush=True)
        bench = root / "bindings" / binding / "bench.sh"
        done = subprocess.run([bench, prefix, folder], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"NOT RUN: {TITLES[binding]}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            continue
        lines += [{"binding": binding, **json.loads(line)} for line in done.stdout.splitlines() if line.startswith("{")]
    ns = {(line["binding"], line["language"].lower(), line["name"]): line["ns"] for line in lines}
    names = list(dict.fromkeys(line["name"] for line in lines))
    print("| ns |" + "".join(f" {', '.join([*beside, TITLES[b]])} |" for b, (*beside, _) in BINDINGS.items()))
    print("|---|" + "---|" * len(BINDINGS))
    for name in names:
        cells = []
        for binding, languages in BINDINGS.items():
            found = [ns.get((binding, language, name)) for language in languages]
            cells.append(", ".join(map(short, found)) if None not in found else "-")
        if any(cell != "-" for cell in cells):
            print(f"| {name} | " + " | ".join(cells) + " |")
    if out:
        pathlib.Path(out).write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
