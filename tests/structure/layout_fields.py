"""A layout's fields and the bits that name them stand wherever they are written by hand: the core has a table, other languages
have none. Go's and Python's own tests (bindings/go/abi_test.go, bindings/python/tests/test_values.py) hold these two to the ABI file.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import itertools
import pathlib
import re
import sys

# Constants of the headers -> the files that name each of them.
AS_CONSTANT = {
    "XLASHAPE_EQUAL_": (
        "bindings/rust/xlashape/src/flags.rs",
        "bindings/python/xlashape/enums.py",
        "tests/unit/shape/shape_test.cc",
    ),
    "XLASHAPE_PART_": (
        "bindings/rust/xlashape/src/flags.rs",
        "bindings/python/xlashape/enums.py",
    ),
}
# Where a layout is made of the members of xlashape_layout_spec, or read from them, and how often at least each is named.
OF_SPEC = {"bindings/cpp/xlashape/layout.hpp": 2, "bindings/rust/xlashape/src": 1, "bindings/js/src/shape.mjs": 1,
           "tests/fuzz/api/values.cc": 1, "tests/fuzz/api/properties.cc": 1}
# Of a function of its own, not of all equality.
APART = {"XLASHAPE_EQUAL_STRUCTURE_ONLY"}


def text_of(path):
    """Of a file, or of all sources in a folder."""
    files = sorted(path.rglob("*.rs")) if path.is_dir() else [path]
    return "".join(file.read_text(encoding="utf-8") for file in files)


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
                if not re.search(pattern, text_of(root / file)):
                    yield f"{file}: {name} is missing"
    spec = re.search(r"^typedef struct xlashape_layout_spec \{(.*?)^\}", headers, re.DOTALL | re.MULTILINE).group(1)
    members = re.findall(r"^  [^/;]*?(\w+);", spec, re.MULTILINE)[1:]  # behind struct_size
    for name, (file, least) in itertools.product(members, OF_SPEC.items()):
        found += 1
        times = len(re.findall(rf"\b{name}\b", text_of(root / file)))
        if times < least:
            yield f"{file}: {name} is there {times} times, not {least}"
    if found < 50:
        yield f"only {found} constants: this test does not understand the headers"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
