"""Every element type of the header stands wherever they are written by hand. The bindings of C++ and Go have tests of their
own for that (bindings/cpp/tests/abi_test.py, bindings/go/abi_test.go); those of interop/ hold each type that the core knows.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

TABLE = "src/core/shape/element_type.cc"
# What names a type, of all of them and of those that arrays have: a file, the pattern of a line, how it is told.
ALL = (
    ("bindings/rust/xlashape/src/element_type.rs", r"\b{0} = XLASHAPE_TYPE_{0},", "{0} = XLASHAPE_TYPE_{0}"),
    ("bindings/python/xlashape/element_type.py", r"^    {0} = raw.TYPE_{0}$", "{0} = raw.TYPE_{0}"),
)
OF_ARRAYS = (("bindings/rust/xlashape/src/ffi/element.rs", r"[:|] {0}\b", "{0} in the list of its Rust type"),)


def missing(root):
    header = (root / "include/xlashape.h").read_text(encoding="utf-8")
    types = {int(number): name for name, number in re.findall(r"^#define XLASHAPE_TYPE_(\w+) (\d+)", header, re.MULTILINE)}
    table = re.search(r"\bkTable\[\] = \{(.*?)^\};", (root / TABLE).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    rows = re.findall(r'\{"(\w*)", (\d+), \d+, [^}]*\}', table[1]) if table else []
    if len(rows) < 37:
        yield f"{TABLE}: only {len(rows)} rows of kTable, so this test does not understand it"
    for number in sorted(types.keys() - {0}):
        name = types[number]
        if number >= len(rows) or rows[number][0] != name.lower():
            yield f"{TABLE}: row {number} of kTable is not that of {name.lower()}"
    for number in range(len(rows)):
        if number not in types:
            yield f"include/xlashape.h: row {number} of kTable has no XLASHAPE_TYPE_ of that number"
    arrays = [types[number] for number, row in enumerate(rows) if number in types and row[1] != "0"]
    for names, places in (([types[n] for n in sorted(types.keys() - {0})], ALL), (arrays, OF_ARRAYS)):
        for file, pattern, told in places:
            text = (root / file).read_text(encoding="utf-8")
            for name in names:
                if not re.search(pattern.format(name), text, re.MULTILINE):
                    yield f"{file}: {told.format(name)} is missing"
    # The page lists the numbers that are PJRT's own, those behind F64.
    code = (root / "src/core/interop/pjrt.cc").read_text(encoding="utf-8")
    page = (root / "docs/interop.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^    XLASHAPE_TYPE_(\w+),$", code, re.MULTILINE)
    for number, name in enumerate(numbers):
        if number > 12 and f"{name} {number}" not in " ".join(page.split()):
            yield f"docs/interop.md: PJRT's number {name} {number} is missing"
    if len(numbers) < 34:
        yield f"src/core/interop/pjrt.cc: only {len(numbers)} types, so this test does not understand it"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


main()
