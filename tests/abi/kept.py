# SPDX-License-Identifier: Apache-2.0
"""Programs that were compiled for earlier releases run with this library (packaging/kept, packaging/abi.py). They load
it by its name with the ABI's version: those of another ABI are left out.

Arguments: the shared object; the name that programs load it by. Needs only Python's standard library.
"""

import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

KEPT = pathlib.Path(__file__).resolve().parents[2] / "packaging/kept"


def main():
    library, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    programs = {path.parent.name: lzma.decompress(path.read_bytes()) for path in sorted(KEPT.glob("*/client.xz"))}
    programs = {release: program for release, program in programs.items() if name.encode() in program}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for release, program in programs.items():
            path = pathlib.Path(folder) / release
            path.write_bytes(program)
            path.chmod(0o755)
            result = subprocess.run([path], env={**os.environ, "LD_LIBRARY_PATH": str(library.parent)},
                                    capture_output=True, text=True)
            print(f"{release}: {result.returncode} {result.stdout}{result.stderr}".rstrip())
            failed += result.returncode != 0
    print(f"{len(programs) - failed} programs of earlier releases run, {failed} fail")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
