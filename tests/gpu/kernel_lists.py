# SPDX-License-Identifier: Apache-2.0
"""The three dialects have the same kernels: those of kernels/list.h, from which the host dialect's table is made.
OpenCL has only the first list's; each of the others is named after one of those.

Arguments: kernels/list.h, the flattened OpenCL text, [what ptxas said, or PTX]. Needs only Python's standard library.
"""

import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    portable, nvidia = (set(re.findall(r"X\((xs_\w+),", part))
                        for part in read(sys.argv[1]).split("#define XS_NVIDIA_KERNEL_LIST"))
    lists = {
        "OpenCL": set(re.findall(r"__kernel\b[^;{]*?\bvoid (xs_\w+)\(", read(sys.argv[2]))),
    }
    if len(sys.argv) > 3:
        lists["CUDA"] = set(re.findall(r"(?:Compiling entry function '|\.visible \.entry )(\w+)", read(sys.argv[3])))
    wanted = {"OpenCL": portable, "CUDA": portable | nvidia}
    problems = [f"{name}: {kernel} is in only one of it and kernels/list.h"
                for name, kernels in lists.items() for kernel in sorted(wanted[name] ^ kernels)]
    problems += [f"{kernel} has no portable twin" for kernel in sorted(nvidia)
                 if kernel.replace("xs_nvidia_", "xs_") not in portable]
    print(*problems, sep="\n")
    print(", ".join(f"{name} {len(kernels)}" for name, kernels in lists.items()))
    sys.exit(1 if problems or not portable or not nvidia else 0)


main()
