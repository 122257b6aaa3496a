"""Holds the include direction: fails on an arrow that the table in HACKING.md does not allow, with file and line.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

# Folder -> what its files may include in quotes besides their own folder: a folder, or a single file. The same table as
# in HACKING.md, for a machine; the two must name the same folders.
BASE = {"src/core/base", "src/waist", "include/xlashape.h"}
UTIL = "include/xlashape_util.h"
LAYOUT = BASE | {"src/core/layout"}
SHAPE = LAYOUT | {"src/core/shape", UTIL}
WAIST = {"src/waist", "include/xlashape.h", "include/xlashape_backend.h"}
INDEX = SHAPE | WAIST | {"src/core/index"}
PLAN = INDEX | {"src/core/plan"}
CORE = PLAN | {f"src/core/{folder}" for folder in ("text", "wire", "interop", "runtime", "exec")}
ALLOWED = {
    "include": {"include/xlashape.h"},
    "src/waist": WAIST,
    "src/core/base": BASE,
    "src/core/layout": LAYOUT,
    "src/core/shape": SHAPE,
    "src/core/text": SHAPE | {"src/core/text"},
    "src/core/wire": SHAPE | {"src/core/wire"},
    "src/core/interop": INDEX | {"src/core/text", "src/core/interop"},
    "src/core/index": INDEX,
    "src/core/plan": PLAN,
    "src/core/runtime": BASE | WAIST | {"src/core/runtime", "src/core/plan/reference.h"},
    "src/core/exec": PLAN | {"src/core/runtime", "src/core/text/print.h", "src/core/exec"},
    "src/core/api": CORE,
    "src/backends": WAIST | {"src/backends/common", "src/backends/gpu"},
    "src/cli": {UTIL, "include/xlashape.h", "include/xlashape_backend.h"},
    "bindings": {UTIL, "include/xlashape.h", "bindings/cpp"},
    "tests": {UTIL, "include/xlashape.h", "include/xlashape_backend.h"},
    "tests/api": {UTIL, "include/xlashape.h", "include/xlashape_backend.h", "tests/api", "examples/device"},
    "examples/device": {"examples/device"},
    "tests/loader": {"include/xlashape.h", "include/xlashape_backend.h", "tests/loader", "examples/backend"},
    "tests/unit": CORE | {"src/core/api", "src/backends", "tests/unit"},
    "tests/differential": CORE | {"src/backends", "tests/unit", "tests/differential"},
    "tests/gpu": CORE | {"src/backends", "tests/unit"},
    "tests/fuzz": CORE | {"src/core/api", "src/backends", "tests/unit", "tests/fuzz"},
    "tests/abi": {UTIL, "include/xlashape.h", "include/xlashape_backend.h", "tests/api"},
}
# System headers that one place alone may use.
ONLY = {
    "dlfcn.h": {"src/core/runtime/library.cc", "src/core/runtime/location.cc", "src/cli/conformance.cc", "src/backends", "tests"},
    "ffi.h": {"src/backends/bound", "tests"},
    "CLI/CLI.hpp": {"src/cli/command_line.cc"},
}
INCLUDE_DIRS = ("include", "src/core", "src", "tests", "")
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp", ".cu", ".cl"}


def inside(path, places):
    return any(path == place or path.startswith(place + "/") for place in places)


def rule_of(path):
    """The longest folder of the table that holds `path`, or None."""
    return max((folder for folder in ALLOWED if inside(path, {folder})), key=len, default=None)


def resolve(root, including, name):
    """The included file, relative to the root; None for one that is not in the tree."""
    for folder in (including.parent, *(root / part for part in INCLUDE_DIRS)):
        found = (folder / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return found.relative_to(root).as_posix()
    return None


def check_file(root, file):
    path = file.relative_to(root).as_posix()
    rule = rule_of(path)
    own = path.rsplit("/", 1)[0]
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if not match:
            continue
        system = match.group(2)
        if system:
            if system in ONLY and not inside(path, ONLY[system]):
                yield f"{path}:{number}: <{system}> belongs into {', '.join(sorted(ONLY[system]))} alone"
            if not system.startswith("xlashape"):
                continue
        target = resolve(root, file, match.group(1) or system)
        if target is None:
            continue
        if rule is None:
            yield f"{path}:{number}: includes {target}, but no row of the table is about its folder"
        elif target.rsplit("/", 1)[0] != own and not inside(target, ALLOWED[rule]):
            yield f"{path}:{number}: {rule} may not include {target}"


def check_table(root):
    """HACKING.md's first table is for people what ALLOWED is here."""
    section = (root / "HACKING.md").read_text(encoding="utf-8").split("\n## ")[1]
    rows = re.findall(r"^\| `([^`]+?)/?` \|", section, re.MULTILINE)
    top = {folder for folder in ALLOWED if not folder.startswith("tests/")}
    for folder in sorted(set(rows) ^ top):
        yield f"HACKING.md: the table and {pathlib.Path(__file__).name} do not agree about {folder}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [
        file
        for folder in ("include", "src", "bindings", "tests")
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in SUFFIXES and file.is_file()
    ]
    problems = list(check_table(root))
    for file in files:
        problems += check_file(root, file)
    print(*problems, sep="\n")
    print(f"{len(files)} files, {len(problems)} arrows that are not allowed")
    return 1 if problems or not files else 0


sys.exit(main())
