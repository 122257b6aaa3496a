# SPDX-License-Identifier: Apache-2.0
"""What the shared object exports is what the headers declare, under the version node XLASHAPE_0.

Arguments: the folder of the headers, the shared object. Needs only Python's standard library, cc and nm.
"""

import pathlib
import re
import subprocess
import sys

NODE = "XLASHAPE_0"


def declared(include):
    """Functions that carry XLASHAPE_API, as the preprocessor sees them."""
    headers = sorted(header.name for header in pathlib.Path(include).glob("*.h"))
    text = subprocess.run(
        ["cc", "-E", "-P", "-I", include, "-x", "c", "-"],
        input="".join(f'#include "{name}"\n' for name in headers), capture_output=True, text=True, check=True).stdout
    text = re.sub(r"\s+", " ", text)
    marked = re.findall(r'__attribute__\(\(visibility\("default"\)\)\) [^;(]*?\b(\w+) ?\(', text)
    return set(marked)


def exported(library):
    """name -> version of every symbol that the library defines."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", library], capture_output=True,
                           text=True, check=True).stdout.splitlines()
    symbols = {}
    for line in lines:
        name, _, version = line.split()[-1].partition("@")
        if name != NODE:
            symbols[name] = version.lstrip("@")
    return symbols


def main():
    in_headers, in_library = declared(sys.argv[1]), exported(sys.argv[2])
    problems = [f"{name}: declared, but not exported" for name in sorted(in_headers - in_library.keys())]
    problems += [f"{name}: exported, but in no header" for name in sorted(in_library.keys() - in_headers)]
    problems += [f"{name}: version {version or 'none'}, not {NODE}"
                 for name, version in sorted(in_library.items()) if version != NODE]
    print(*problems, sep="\n")
    print(f"{len(in_headers)} functions declared, {len(in_library)} symbols exported")
    return 1 if problems or not in_headers else 0


sys.exit(main())
