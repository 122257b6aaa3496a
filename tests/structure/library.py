# SPDX-License-Identifier: Apache-2.0
"""The shared object needs only the C and C++ runtimes, is small, and is linked the way the build promises.

Arguments: the shared object, xlashape.h. Needs only Python's standard library, readelf and strip.
"""

import os
import re
import subprocess
import sys
import tempfile

NEEDED = re.compile(r"^(libc|libm|libstdc\+\+|libgcc_s|ld-linux[-\w]*|ld64|libdl|libpthread)\.so\.\d+$")
STRIPPED_LIMIT = 730_000
START_UP = 16  # bytes of .init_array: the compiler's own frame_dummy, on any machine


def readelf(option, library):
    return subprocess.run(["readelf", "-W", option, library], capture_output=True, text=True, check=True).stdout


def soname(header):
    """As docs/versioning.md has it: until 1.0 a minor may change anything."""
    with open(header, encoding="utf-8") as text:
        version = int(re.search(r"#define XLASHAPE_ABI_VERSION (\d+)u", text.read()).group(1))
    major, minor = version >> 16, version & 0xFFFF
    return f"libxlashape.so.{major}" if major else f"libxlashape.so.0.{minor}"


def problems(library, header):
    dynamic = readelf("-d", library)
    for name in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not NEEDED.match(name):
            yield f"needs {name}"
    if f"[{soname(header)}]" not in dynamic:
        yield f"the SONAME is not {soname(header)}, which belongs to XLASHAPE_ABI_VERSION: soversion in meson.build"
    for flag in ("NOW", "NODELETE"):
        if not re.search(rf"\(FLAGS_1\).*\b{flag}\b", dynamic):
            yield f"not linked with -z {flag.lower()}"
    if "(TEXTREL)" in dynamic:
        yield "has text relocations"
    if re.search(r"GNU_STACK.*RWE", readelf("-l", library)):
        yield "has an executable stack"
    if re.search(r"\bUNIQUE\b", readelf("--dyn-syms", library)):
        yield "has unique symbols, which keep it from being loaded twice"
    initialisers = re.search(r"\.init_array\s+INIT_ARRAY\s+\S+\s+\S+\s+(\w+)", readelf("-S", library))
    if initialisers and int(initialisers.group(1), 16) > START_UP:
        yield f"runs code when it is loaded: .init_array has {int(initialisers.group(1), 16)} bytes"
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "stripped")
        subprocess.run(["strip", "-o", stripped, library], check=True)
        size = os.path.getsize(stripped)
    print(f"{size} bytes stripped")
    if size >= STRIPPED_LIMIT:
        yield f"takes {size} bytes stripped, the limit is {STRIPPED_LIMIT}"


found = list(problems(*sys.argv[1:]))
print(*found, sep="\n")
sys.exit(1 if found else 0)
