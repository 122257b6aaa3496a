# SPDX-License-Identifier: Apache-2.0
"""Every test file is in a list of tests/meson.build, unit tests mirror src, src/core and src/backends, every exported
function is used by an API test, and every number of bytes or elements in limits.h of scalar and simd is in kLimits
there, from which tests make sizes.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys


def listed(text, name):
    lists = re.findall(rf"^\s*{name} \+?= \[(.*?)\]", text, re.MULTILINE | re.DOTALL)
    return {path for entries in lists for path in re.findall(r"'([^']+)'", entries)}


def present(folder, pattern):
    return {file.relative_to(folder).as_posix() for file in folder.rglob(pattern)}


def exported(include):
    for header in include.glob("*.h"):
        yield from re.findall(r"^XLASHAPE_API [^;]*?\b(xlashape_\w+)\(", header.read_text(encoding="utf-8"),
                              re.MULTILINE)


def limits(root):
    for header in (root / "src/backends" / name / "limits.h" for name in ("scalar", "simd")):
        above, _, table = header.read_text(encoding="utf-8").partition("kLimits[] = {")
        lists = re.findall(r"^inline constexpr int64_t (.*?);", above, re.MULTILINE)
        names = re.findall(r"\b(k\w+) =", " ".join(lists))
        if not names or not table:
            yield f"{header.relative_to(root)}: no numbers or no kLimits, so this test does not understand it"
        for name in names:
            if not re.search(rf"\b{name}\b", table.partition("}")[0]):
                yield f"{header.relative_to(root)}: {name} is not in kLimits, so no test makes sizes around it"


def problems(root):
    yield from limits(root)
    text = (root / "tests/meson.build").read_text(encoding="utf-8")
    for name, folder, pattern in (("unit_sources", "unit", "*_test.cc"), ("api_sources", "api", "*_test.cc"),
                                  ("api_c_sources", "api", "*_test.c"), ("view_tests", "view", "*_test.cc")):
        for path in sorted(listed(text, name) ^ present(root / "tests" / folder, pattern)):
            yield f"tests/{folder}/{path}: the file and the list {name} of tests/meson.build do not match"
    for path in sorted(listed(text, "unit_sources")):
        stem = path.removesuffix("_test.cc")
        if not any((root / folder / (stem + suffix)).is_file()
                   for folder in ("src", "src/core", "src/backends") for suffix in (".cc", ".h")):
            yield f"tests/unit/{path}: there is no src/core/{stem}.cc or .h, nor one in src or src/backends"
    calls = "".join(file.read_text(encoding="utf-8") for file in sorted((root / "tests/api").glob("*.c*")))
    used = set(re.findall(r"\bxlashape_\w+", calls))
    names = sorted(exported(root / "include"))
    if len(names) < 20:
        yield f"include/: found only {len(names)} functions, so this test does not understand the headers"
    for name in names:
        if name not in used:
            yield f"{name}: no test in tests/api uses it"


found = list(problems(pathlib.Path(sys.argv[1]).resolve()))
print(*found, sep="\n")
sys.exit(1 if found else 0)
