"""The three dialects have the same kernels: those of kernels/list.h, from which the host dialect's table is made.

Arguments: kernels/list.h, the flattened OpenCL text, [what ptxas said, or PTX]. Needs only Python's standard library.
"""

import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main():
    lists = {
        "kernels/list.h": set(re.findall(r"X\((xs_\w+),", read(sys.argv[1]))),
        "OpenCL": set(re.findall(r"__kernel\b[^;{]*?\bvoid (xs_\w+)\(", read(sys.argv[2]))),
    }
    if len(sys.argv) > 3:
        lists["CUDA"] = set(re.findall(r"(?:Compiling entry function '|\.visible \.entry )(\w+)", read(sys.argv[3])))
    wanted = lists["kernels/list.h"]
    problems = [f"{name}: {kernel} is in only one of it and kernels/list.h"
                for name, kernels in lists.items() for kernel in sorted(wanted ^ kernels)]
    print(*problems, sep="\n")
    print(", ".join(f"{name} {len(kernels)}" for name, kernels in lists.items()))
    sys.exit(1 if problems or not wanted else 0)


main()
