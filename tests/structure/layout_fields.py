"""A layout's fields and the bits that name them stand wherever they are written by hand: the core has a table, other languages
have none. Go's and Python's own tests (bindings/go/abi_test.go, bindings/python/tests/test_values.py) hold these two to the ABI file.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

# Constants of the headers -> the files that name each of them.
AS_CONSTANT = {
    "XLASHAPE_LAYOUT_FIELD_": (
        "bindings/cpp/xlashape/layout.hpp",
        "bindings/rust/xlashape/src/layout.rs",
        "tests/fuzz/api/fields.cc",
        "tests/fuzz/api/layouts.cc",
        "tests/api/fields_test.cc",
    ),
    "XLASHAPE_EQUAL_": (
        "bindings/rust/xlashape/src/flags.rs",
        "bindings/python/xlashape/enums.py",
        "tests/fuzz/api/flags.h",
        "tests/unit/shape/shape_test.cc",
    ),
    "XLASHAPE_PART_": (
        "bindings/rust/xlashape/src/flags.rs",
        "bindings/python/xlashape/enums.py",
        "tests/fuzz/api/flags.h",
    ),
}
# Files that go both ways name a field twice: where they make a layout, and where they ask for one.
BOTH_WAYS = ("bindings/cpp/xlashape/layout.hpp", "tests/fuzz/api/layouts.cc")
# Of a function of its own, not of all equality.
APART = {"XLASHAPE_EQUAL_STRUCTURE_ONLY"}


def missing(root):
    headers = "".join((root / "include" / name).read_text(encoding="utf-8") for name in ("xlashape.h", "xlashape_util.h"))
    found = 0
    for prefix, files in AS_CONSTANT.items():
        values = {}
        for name, value in re.findall(rf"^#define ({prefix}\w+) (\([^)]*\)|\S+)", headers, re.MULTILINE):
            found += 1
            if value in values:
                yield f"include: {name} and {values[value]} are both {value}"
            values[value] = name
            if name in APART:
                continue
            pattern = rf"\b(XLASHAPE_|raw\.){name.removeprefix('XLASHAPE_')}\b"
            for file in files:
                times = len(re.findall(pattern, (root / file).read_text(encoding="utf-8")))
                if times == 0:
                    yield f"{file}: {name} is missing"
                elif times == 1 and file in BOTH_WAYS:
                    yield f"{file}: {name} is there once, but a layout is made and read there"
    if found < 30:
        yield f"only {found} constants: this test does not understand the headers"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
