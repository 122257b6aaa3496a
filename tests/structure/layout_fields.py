"""A layout's fields and the bits that name them stand wherever they are written by hand: the core has a table, other languages
have none. Go's and Python's own tests (bindings/go/abi_test.go, bindings/python/tests/test_values.py) hold these two to the ABI file.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

# Constants of the headers -> the files that name each of them as it is, or as the function that asks a layout for it.
AS_CONSTANT = {
    "XLASHAPE_LAYOUT_FIELD_": (
        "bindings/cpp/xlashape/layout.hpp",
        "bindings/rust/xlashape/src/layout.rs",
        "bindings/go/fields.go",
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
AS_FUNCTION = {"XLASHAPE_LAYOUT_FIELD_": ("tests/golden_shape.h",)}
# Files that go both ways name a field twice: where they make a layout, and where they ask for one.
BOTH_WAYS = ("bindings/cpp/xlashape/layout.hpp", "bindings/go/fields.go", "tests/fuzz/api/layouts.cc", "tests/golden_shape.h")
# with_padding in golden_shape.h sets these from its parameters.
ONCE = {
    ("tests/golden_shape.h", "XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS"),
    ("tests/golden_shape.h", "XLASHAPE_LAYOUT_FIELD_PADDING_VALUE"),
}
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
            function = f"xlashape_layout_{name.removeprefix(prefix).lower()}"
            pattern = rf"\b(XLASHAPE_|raw\.){name.removeprefix('XLASHAPE_')}\b"
            for file, told, wanted in [(file, name, pattern) for file in files] + [
                (file, function, rf"\b{function}\b") for file in AS_FUNCTION.get(prefix, ())
            ]:
                times = len(re.findall(wanted, (root / file).read_text(encoding="utf-8")))
                if times == 0:
                    yield f"{file}: {told} is missing"
                elif times == 1 and file in BOTH_WAYS and (file, name) not in ONCE:
                    yield f"{file}: {told} is there once, but a layout is made and read there"
    if found < 30:
        yield f"only {found} constants: this test does not understand the headers"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
