"""Every status of the header stands wherever statuses are written by hand. The bindings of C++ and Go have tests of their own
for that (bindings/cpp/tests/abi_test.py, bindings/go/abi_test.go).

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

# A file, and how it names the status BUSY.
PLACES = {
    "src/core/base/status.cc": '"{}"',
    "docs/errors.md": "`{}`",
    "bindings/rust/xlashape/src/error.rs": "XLASHAPE_STATUS_{} =>",
    "bindings/python/xlashape/errors.py": "code = raw.STATUS_{}\n",
}


def missing(root):
    header = (root / "include/xlashape.h").read_text(encoding="utf-8")
    names = [name for name in re.findall(r"^#define XLASHAPE_STATUS_(\w+) \d+", header, re.MULTILINE) if name != "OK"]
    if len(names) < 12:
        yield f"include/xlashape.h: only {len(names)} statuses, so this test does not understand it"
    for file, pattern in PLACES.items():
        text = (root / file).read_text(encoding="utf-8")
        for name in names:
            if pattern.format(name) not in text:
                yield f"{file}: {pattern.format(name).strip()} is missing"
    # The header has them by number.
    last = f"status <= XLASHAPE_STATUS_{names[-1]};"
    if last not in (root / "src/core/runtime/slots.cc").read_text(encoding="utf-8"):
        yield f"src/core/runtime/slots.cc: is_known ends with another than {names[-1]}"


def main():
    problems = list(missing(pathlib.Path(sys.argv[1])))
    print(*problems, sep="\n")
    sys.exit(bool(problems))


main()
