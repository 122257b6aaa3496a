# SPDX-License-Identifier: Apache-2.0
"""What ptxas says of each kernel on each architecture stays below its bounds: no spills, no stack but for maps run from
tables, few registers and little shared memory.

Arguments: kernels/list.h, the usage that src/backends/gpu/nvcc_fatbin.py wrote (without it the test is skipped). Needs
only Python's standard library.
"""

import re
import sys

REGISTERS = 64  # four blocks of 256 threads on every architecture
SHARED = 16 << 10
# The values of a map lie in an array that is indexed at run time.
STACK = {"_64": 512 + 64, "_1024": 8192 + 64}


def allowed_stack(kernel):
    if not re.match(r"xs_(program_\w+|to_linear|to_multi)_\d+$", kernel):
        return 0
    return next(bytes for end, bytes in STACK.items() if kernel.endswith(end))


def main():
    if len(sys.argv) < 3:
        print("NOT RUN: there is no nvcc, so nobody has said what the kernels take")
        sys.exit(77)
    wanted = set(re.findall(r"X\((xs_\w+),", open(sys.argv[1], encoding="utf-8").read()))
    text = open(sys.argv[2], encoding="utf-8").read()
    pattern = (r"Compiling entry function '(\w+)' for 'sm_(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
               r"(\d+) bytes spill loads.*?Used (\d+) registers(?:, used \d+ barriers)?(.*?)$")
    problems, seen, most = [], {}, 0
    for kernel, arch, stack, stores, loads, registers, rest in re.findall(pattern, text, re.DOTALL | re.MULTILINE):
        seen.setdefault(arch, set()).add(kernel)
        shared = int((re.search(r"(\d+) bytes smem", rest) or [0, 0])[1])
        most = max(most, int(registers))
        place = f"{kernel} on sm_{arch}"
        if int(stores) or int(loads):
            problems.append(f"{place} spills {stores} and {loads} bytes")
        if int(stack) > allowed_stack(kernel):
            problems.append(f"{place} has {stack} bytes of stack, at most {allowed_stack(kernel)} are allowed")
        if int(registers) > REGISTERS:
            problems.append(f"{place} takes {registers} registers, at most {REGISTERS} are allowed")
        if shared > SHARED:
            problems.append(f"{place} takes {shared} bytes of shared memory, at most {SHARED} are allowed")
    for arch, kernels in seen.items():
        for kernel in sorted(wanted ^ kernels):
            problems.append(f"{kernel} is in only one of kernels/list.h and sm_{arch}")
    print(*problems, sep="\n")
    print(f"{len(wanted)} kernels on {', '.join('sm_' + arch for arch in seen)}: at most {most} registers")
    sys.exit(1 if problems or not seen else 0)


main()
