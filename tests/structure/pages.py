# SPDX-License-Identifier: Apache-2.0
"""Pages of docs/ tell the truth: docs/environment.md lists every environment variable that the sources read and no
other; every row of P0 and P1 of docs/xla-parity.md names functions, which the headers declare, and its date is
xlashape_xla_version; `Suite.Name` on any page is a test that is there, and each row of a table whose last column is
headed `test` names one; docs/targets.md has a row for each target of the library, and for no other.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys

NAME = r"([A-Za-z_]\w*)"
C = [rf'getenv\("{NAME}"\)', rf'\benv\("{NAME}"\)', rf'\bread\("{NAME}", &environment\.']
SHELL = [r"\$\{([A-Z][A-Z0-9_]+):?[-+?=]"]
# A variable that is only set, os.environ["X"] = ..., is not read.
READS = {
    ".c": C, ".cc": C, ".h": C, ".hpp": C, ".cu": C,
    ".py": [rf'environ\.get\("{NAME}"', rf'environ\["{NAME}"\](?! *=[^=])', rf'getenv\("{NAME}"'],
    ".rs": [rf'env::var(?:_os)?\("{NAME}"\)'],
    ".go": [rf'os\.(?:Getenv|LookupEnv)\("{NAME}"\)'],
    ".rb": [rf'ENV(?:\.fetch\(|\[)"{NAME}"'],
    ".lua": [rf'getenv\(?"{NAME}"'],
    ".scm": [rf'getenv "{NAME}"'],
    ".sh": SHELL, "x": SHELL,
}
FOLDERS = ["src", "include", "bindings", "integrations", "tools", "tests", "examples"]
ELSEWHERE = {".git", "build", "target", "__pycache__"}


def variables(root):
    """name -> the first place that reads it"""
    found = {}
    for path in [root / "x", *(path for folder in FOLDERS for path in sorted((root / folder).rglob("*")))]:
        patterns = READS.get(path.suffix or path.name, [])
        if not patterns or not path.is_file() or ELSEWHERE & set(path.relative_to(root).parts):
            continue
        text = path.read_text(encoding="utf-8") if path != pathlib.Path(__file__).resolve() else ""
        for match in (match for pattern in patterns for match in re.finditer(pattern, text)):
            found.setdefault(match[1], f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}")
    return found


def environment(root):
    page = (root / "docs/environment.md").read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("|")]
    read, listed = variables(root), {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    for name in sorted(read.keys() - listed):
        yield f"{read[name]}: {name} is read, and docs/environment.md does not list it"
    for name in sorted(listed - read.keys()):
        yield f"docs/environment.md: {name} is listed, and nothing reads it"
    # Without these the patterns above would be broken.
    known = {"XLASHAPE_BACKEND_PATH", "XLASHAPE_BACKEND_OPTIONS", "XLASHAPE_LIBRARY", "XLASHAPE_LIB_DIR"}
    for name in known - read.keys():
        yield f"{name} was not found in the sources: this test looks wrongly"


def parity(root):
    header = "".join(path.read_text(encoding="utf-8") for path in (root / "include").glob("xlashape*.h"))
    declared = set(re.findall(r"^XLASHAPE_API [^;]*?\b(xlashape_\w+)\(", header, re.MULTILINE))
    constants = set(re.findall(r"^#define (XLASHAPE_\w+)", header, re.MULTILINE))
    page, source = ((root / name).read_text(encoding="utf-8")
                    for name in ("docs/xla-parity.md", "src/core/api/version.cc"))
    date = re.search(r"as of (\d{4})-(\d\d)-(\d\d)", page)
    told = re.search(r"#define XLA_DATE (\d{8})", source)
    if not date or not told or "".join(date.groups()) != told[1] or f"yyyymmdd: {told[1]}." not in header:
        yield "docs/xla-parity.md: the date of its XLA is not that of xlashape_xla_version and of the header's example"
    owed = 0
    for number, line in enumerate(page.splitlines(), 1):
        place = f"docs/xla-parity.md:{number}"
        for name in [*re.findall(r"`(xlashape_\w+)`", line), *re.findall(r"\bXLASHAPE_\w+", line)]:
            if name not in declared | constants:
                yield f"{place}: {name} is not in the headers"
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or line.startswith("|---") or cells[0] == "XLA":
            continue
        if len(cells) != 4 or cells[1] not in ("P0", "P1", "P2", "-"):
            yield f"{place}: a row has four cells, the second P0, P1, P2 or -"
        elif cells[1] in ("P0", "P1"):
            owed += 1
            if not re.search(r"`xlashape_\w+`", cells[2]):
                yield f"{place}: {cells[0]} is {cells[1]}, and no function is named for it"
        elif not cells[3]:
            yield f"{place}: {cells[0]} is left out without a word why"
    if owed < 100:
        yield f"docs/xla-parity.md: only {owed} rows of P0 and P1, so this test does not understand it"


def named_tests(root):
    there = {f"{suite}.{name}" for path in (root / "tests").rglob("*_test.cc")
             for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"),
                                           re.MULTILINE)}
    count = 0
    for page in sorted((root / "docs").glob("*.md")):
        heading = ""
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for name in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", line):
                count += 1
                if name not in there:
                    yield f"docs/{page.name}:{number}: there is no test {name}"
            cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else [""]
            if heading == "test" and cells[-1] and not line.startswith("|---") and "`" not in cells[-1]:
                yield f"docs/{page.name}:{number}: a rule without a test"
            heading = (heading or cells[-1]) if line.startswith("|") else ""
    if count < 10:
        yield f"only {count} tests are named, so this test does not understand the pages"


def targets(root):
    source, page = ((root / name).read_text(encoding="utf-8")
                    for name in ("src/core/target/target.cc", "docs/targets.md"))
    table = source.partition("kTargets[] = {")[2].partition("};")[0]
    there = set(re.findall(r'^    \{"([\w:]+)"', table, re.MULTILINE))
    rows = page.partition("| target |")[2].partition("\n\n")[0].splitlines()[2:]
    listed = {name for row in rows for name in re.findall(r"`([\w:]+)`", row.split("|")[1])}
    if len(there) < 2:
        yield "src/core/target/target.cc: no targets are found, so this test does not understand it"
    for name in sorted(there ^ listed):
        yield f"docs/targets.md: {name} is " + ("not in the table" if name in there else "no target of the library")


root = pathlib.Path(sys.argv[1]).resolve()
found = [*environment(root), *parity(root), *named_tests(root), *targets(root)]
print(*found, sep="\n")
sys.exit(bool(found))
