# SPDX-License-Identifier: Apache-2.0
"""Only the bound backend links libffi, and no object of ours links a vendor's library.

Arguments: the build folder. Needs only Python's standard library and readelf.
"""

import pathlib
import re
import subprocess
import sys

ALLOWED = re.compile(r"^(libc|libm|libdl|libpthread|libstdc\+\+|libgcc_s|ld-linux[-\w]*|ld64|lib[atu]\w*san)\.so\.\d+$")


def needed(library):
    text = subprocess.run(["readelf", "-W", "-d", library], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def main():
    folder = pathlib.Path(sys.argv[1]) / "src"
    objects = sorted(path for path in folder.rglob("*.so*") if path.is_file() and not path.is_symlink()
                     and not path.suffix == ".symbols" and ".so.p" not in str(path))
    problems = []
    ffi = set()
    for path in objects:
        for name in needed(path):
            if name.startswith("libffi.so"):
                ffi.add(path.name)
            elif not ALLOWED.match(name):
                problems.append(f"{path.name} needs {name}")
    if ffi - {"bound.so"}:
        problems.append(f"libffi is linked by {', '.join(sorted(ffi))}, it may be by bound.so alone")
    if (folder / "xlashape/bound/bound.so").exists() and "bound.so" not in ffi:
        problems.append("bound.so does not link libffi, so this test looks at the wrong thing")
    print(*problems, sep="\n")
    print(f"{len(objects)} objects, libffi in: {', '.join(sorted(ffi)) or 'none'}")
    return 1 if problems or not objects else 0


sys.exit(main())
