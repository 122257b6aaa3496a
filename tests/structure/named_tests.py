"""The tests that pages of docs/ name are there: `Suite.Name` is a TEST or TEST_F of a file below tests/.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys


def tests(root):
    for path in (root / "tests").rglob("*_test.cc"):
        text = path.read_text(encoding="utf-8")
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text, re.MULTILINE):
            yield f"{suite}.{name}"


def named(root):
    for page in sorted((root / "docs").glob("*.md")):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", line):
                yield name, f"docs/{page.name}:{number}"


def rules_without_test(root):
    """Rows of tables whose last column is headed `test` and names none."""
    for page in sorted((root / "docs").glob("*.md")):
        heading = ""
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
            if not cells:
                heading = ""
            elif not heading:
                heading = cells[-1]
            elif heading == "test" and not line.startswith("|---") and "`" not in cells[-1]:
                yield f"docs/{page.name}:{number}: a rule without a test"


def main():
    root = pathlib.Path(sys.argv[1])
    there, names = set(tests(root)), list(named(root))
    found = [f"{place}: there is no test {name}" for name, place in names if name not in there]
    found += rules_without_test(root)
    if len(names) < 10:
        found.append(f"only {len(names)} tests are named, so this test does not understand the pages")
    print(*found, sep="\n")
    print(f"{len(names)} tests are named" if not found else f"{len(found)} problems")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
