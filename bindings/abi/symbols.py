# SPDX-License-Identifier: Apache-2.0
"""Three descriptions of one thing: the library's dynamic symbols, the headers, the ABI file. All three must be equal.

Arguments: the shared object. Needs only Python's standard library, clang-14 (or clang) and nm.
"""

import json
import pathlib
import subprocess
import sys

import extract

HERE = pathlib.Path(__file__).resolve().parent


def exported(library):
    result = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    rows = [line.split() for line in result.stdout.splitlines()]
    return {row[-1].partition("@")[0] for row in rows if row[-2] != "A"}  # A: the version nodes


def functions(abi):
    return {function["name"] for function in abi["functions"]}


def differences(in_library, in_headers, in_file):
    """One line for every name that one of the three lacks."""
    places = {"the library": in_library, "the headers": in_headers, "the ABI file": in_file}
    for name in sorted(set().union(*places.values())):
        lacking = [place for place, names in places.items() if name not in names]
        if lacking:
            yield f"{name}: not in {' and '.join(lacking)}"


def main():
    in_file = functions(json.loads((HERE / "xlashape.abi.json").read_text(encoding="utf-8")))
    in_headers = functions(extract.extract(HERE.parents[1] / "include"))
    in_library = exported(sys.argv[1])
    found = list(differences(in_library, in_headers, in_file))
    print(*found, sep="\n")
    if in_file != in_headers:
        print("the ABI file is stale, run: bindings/abi/update.sh")
    print(f"library {len(in_library)}, headers {len(in_headers)}, ABI file {len(in_file)} functions")
    return 1 if found or not in_file else 0


if __name__ == "__main__":
    sys.exit(main())
