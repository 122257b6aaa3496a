# SPDX-License-Identifier: Apache-2.0
"""Statuses, element types and a layout's members stand wherever they are written by hand. What is not in these lists
has a test of its own (bindings/cpp/tests/abi_test.py, bindings/go/abi_test.go) or is made of the ABI file.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

ELEMENT_TYPES = "src/core/shape/element_type.cc"
STATUSES = (("src/core/base/status.cc", '"{}"'), ("docs/errors.md", "`{}`"),
            ("bindings/python/xlashape/errors.py", r"code = raw\.STATUS_{}\n"))
TYPES_OF_ARRAYS = (("bindings/rust/xlashape/src/ffi/element.rs", r"[:|] {0}\b"),)
# Where a layout is made and where it is read: each member twice.
BOTH_WAYS = tuple((file, r"\b{}\b[\s\S]*\b{}\b") for file in (
    "bindings/cpp/xlashape/layout.hpp", "bindings/go/call.go",
    "bindings/python/xlashape/layout.py", "tests/api/layout_test.cc"))
# Where the fuzzer draws a layout, and where it asks whether it was made.
FUZZER = tuple((file, r"\b{}\b") for file in ("tests/fuzz/api/values.cc", "tests/fuzz/api/properties.cc"))


def problems(root):
    def text(file):
        return (root / file).read_text(encoding="utf-8")

    def missing(names, least, places):
        if len(names) < least:
            yield f"include: only {len(names)} names like {names[:1]}, so this test does not understand the headers"
        for file, pattern in places:
            for name in names:
                if not re.search(pattern.replace("{}", name).replace("{0}", name), text(file), re.MULTILINE):
                    yield f"{file}: {name} is missing, or is there once where a layout is made and read"

    header = "".join(path.read_text(encoding="utf-8") for path in sorted((root / "include").glob("xlashape*.h"))
                     if "backend" not in path.name)
    statuses = [name for name in re.findall(r"^#define XLASHAPE_STATUS_(\w+) \d+", header, re.MULTILINE)
                if name != "OK"]
    yield from missing(statuses, 12, STATUSES)
    # The core has them by number.
    if f"status <= XLASHAPE_STATUS_{statuses[-1]};" not in text("src/core/runtime/backend_calls.cc"):
        yield f"src/core/runtime/backend_calls.cc: is_known ends with another than {statuses[-1]}"

    types = {int(number): name
             for name, number in re.findall(r"^#define XLASHAPE_TYPE_(\w+) (\d+)", header, re.MULTILINE)}
    table = re.search(r"\bkTable\[\] = \{(.*?)^\};", text(ELEMENT_TYPES), re.MULTILINE | re.DOTALL)
    # Name, bits, PJRT's number; the last ones are left out where they are 0.
    rows = re.findall(r'^    \{"(\w*)"(?:, (\d+), [\w |]+)?(?:, (\d+))?', table[1], re.MULTILINE) if table else []
    for number in sorted(types.keys() - {0} | set(range(len(rows)))):
        if number >= len(rows) or number not in types or (number and rows[number][0] != types[number].lower()):
            yield f"{ELEMENT_TYPES}: row {number} of kTable is not that of the header's type of this number"
    arrays = [types[number] for number, row in enumerate(rows) if number in types and int(row[1] or 0)]
    yield from missing(arrays, 30, TYPES_OF_ARRAYS)
    # The page lists the numbers that are PJRT's own, those behind F64.
    pjrt = {int(row[2] or 0): types[number] for number, row in enumerate(rows) if number in types}
    page = " ".join(text("docs/interop.md").split())
    yield from missing(list(pjrt.values()), 34, ())
    for number, name in pjrt.items():
        if number > 12 and f"{name} {number}" not in page:
            yield f"docs/interop.md: PJRT's number {name} {number} is missing"

    for prefix in ("EQUAL_", "LAYOUT_FIELD_"):
        bits = re.findall(rf"^#define XLASHAPE_({prefix}\w+) (\([^)]*\)|\S+)", header, re.MULTILINE)
        yield from missing(bits, 8, ())
        for number, (name, value) in enumerate(bits):
            if value in [other for _, other in bits[:number]]:
                yield f"include: XLASHAPE_{name} has the value of another: {value}"
    spec = re.search(r"struct xlashape_layout_spec \{(.*?)\}", header, re.DOTALL)[1]
    spec = re.sub(r"/\*.*?\*/", "", spec, flags=re.DOTALL)
    members = [name for name in re.findall(r"\b(\w+);", spec) if name != "struct_size"]
    yield from missing(members, 15, BOTH_WAYS + FUZZER)


found = list(problems(pathlib.Path(sys.argv[1])))
print(*found, sep="\n")
sys.exit(bool(found))
