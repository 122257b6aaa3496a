# SPDX-License-Identifier: Apache-2.0
"""Programs that were compiled for earlier releases run with this library (packaging/kept, packaging/abi.py). They load
it by its name with the ABI's version: those of another ABI are left out.

Arguments: the shared object; the name that programs load it by. Needs only Python's standard library.
"""

import os
import pathlib
import subprocess
import sys

KEPT = pathlib.Path(__file__).resolve().parents[2] / "packaging/kept"


def main():
    library, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    programs = [path for path in sorted(KEPT.glob("*/client")) if name.encode() in path.read_bytes()]
    failed = 0
    for program in programs:
        result = subprocess.run([program], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)},
                                capture_output=True, text=True)
        print(f"{program.parent.name}: {result.returncode} {result.stdout}{result.stderr}".rstrip())
        failed += result.returncode != 0
    print(f"{len(programs) - failed} programs of earlier releases run, {failed} fail")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
