"""A layout's fields and the bits that name them stand wherever they are written by hand: the core has a table, other languages
have none. Go's own test (bindings/go/abi_test.go) holds Go to the ABI file.

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
        "bindings/python/xlashape/layout.py",
        "tests/fuzz/api/fields.cc",
    ),
    "XLASHAPE_EQUAL_": ("bindings/rust/xlashape/src/flags.rs", "bindings/python/xlashape/enums.py"),
    "XLASHAPE_PART_": ("bindings/rust/xlashape/src/flags.rs", "bindings/python/xlashape/enums.py"),
}
AS_FUNCTION = {"XLASHAPE_LAYOUT_FIELD_": ("tests/golden_shape.h",)}
# Of a function of its own, not of all equality.
APART = {"XLASHAPE_EQUAL_STRUCTURE_ONLY"}


def missing(root):
    headers = "".join((root / "include" / name).read_text(encoding="utf-8") for name in ("xlashape.h", "xlashape_util.h"))
    found = 0
    for prefix, files in AS_CONSTANT.items():
        names = sorted(set(re.findall(rf"^#define ({prefix}\w+)", headers, re.MULTILINE)) - APART)
        found += len(names)
        for name in names:
            for file in files:
                text = (root / file).read_text(encoding="utf-8")
                if not re.search(rf"\b(XLASHAPE_|raw\.){name.removeprefix('XLASHAPE_')}\b", text):
                    yield f"{file}: {name} is missing"
            function = f"xlashape_layout_{name.removeprefix(prefix).lower()}"
            for file in AS_FUNCTION.get(prefix, ()):
                if not re.search(rf"\b{function}\b", (root / file).read_text(encoding="utf-8")):
                    yield f"{file}: {function} is missing"
    if found < 30:
        yield f"only {found} constants: this test does not understand the headers"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
