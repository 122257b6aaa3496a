#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a file into a C++ array: embed.py INPUT OUTPUT NAME.

A NUL follows, for texts: NAME_size does not count it. OUTPUT defines `extern const unsigned char NAME[]` and
`extern const unsigned long NAME_size` in namespace xlashape::gpu. A source file that is built from its input is rebuilt
with it, which the assembler's .incbin is not.
"""

import sys


def main():
    source, target, name = sys.argv[1:]
    with open(source, "rb") as file:
        data = file.read()
    ended = data + b"\0"
    lines = [",".join(map(str, ended[i : i + 32])) for i in range(0, len(ended), 32)]
    with open(target, "w", encoding="ascii") as file:
        file.write("namespace xlashape::gpu {\n")
        file.write(f"extern const unsigned char {name}[];\nextern const unsigned long {name}_size;\n")
        file.write(f"alignas(16) const unsigned char {name}[] = {{\n" + ",\n".join(lines) + "};\n")
        file.write(f"const unsigned long {name}_size = {len(data)};\n")
        file.write("}  // namespace xlashape::gpu\n")


main()
