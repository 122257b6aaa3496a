# SPDX-License-Identifier: Apache-2.0
"""check_object.py OBJECT: of PyTorch the object needs C functions of the stable ABI only, and those that came after 2.9
only weakly; it exports nothing but what tests call; it knows no folder of the machine that built it."""

import re
import subprocess
import sys

STABLE = re.compile(r"aoti_torch_\w+$")  # in 2.9 already
LATER = re.compile(r"torch_\w+$")
SYSTEM = re.compile(r"@(GLIBC|GLIBCXX|CXXABI|GCC|XLASHAPE)_|^(_ITM_|__gmon_start__|__cxa_finalize)")
LIBRARIES = {"libxlashape.so.0.1", "libtorch_cpu.so", "libstdc++.so.6", "libgcc_s.so.1", "libc.so.6", "libm.so.6"}


def main(path: str) -> int:
    def output(*command: str) -> str:
        return subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout

    bad = []
    needed = [line.split()[-2:] for line in output("nm", "-D", "--undefined-only").splitlines()]
    for kind, name in needed:
        if not ((STABLE.match(name) and kind == "U") or (LATER.match(name) and kind == "w") or SYSTEM.search(name)):
            bad.append(f"needs {kind} {name}")
    if not any(STABLE.match(name) for _, name in needed):
        bad.append("needs nothing of PyTorch, which cannot be")
    exported = [line.split()[-1] for line in output("nm", "-D", "--defined-only", "--extern-only").splitlines()]
    bad += [f"exports {name}" for name in exported if not name.startswith("xlashape_torch_")]
    dynamic = output("readelf", "-d")
    libraries = set(re.findall(r"Shared library: \[(.*?)\]", dynamic)) - LIBRARIES
    bad += [f"needs {name}" for name in libraries if not name.startswith("ld-linux")]
    if re.findall(r"R(?:UN)?PATH.*\[(.*?)\]", dynamic) != ["$ORIGIN/../xlashape/lib"]:
        bad.append("has another path than $ORIGIN/../xlashape/lib")
    with open(path, "rb") as file:
        folders = set(re.findall(rb"/(?:home|root|tmp|usr|work)/[\w./-]+", file.read()))
    bad += [f"contains {folder.decode()}" for folder in folders]
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
