"""docs/xla-parity.md tells the truth: every row of P0 and P1 names functions, and every function named there is declared
in include/xlashape.h or include/xlashape_util.h.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import sys


def problems(root):
    header = "".join((root / "include" / name).read_text(encoding="utf-8") for name in ("xlashape.h", "xlashape_util.h"))
    declared = set(re.findall(r"^XLASHAPE_API [^;]*?\b(xlashape_\w+)\(", header, re.MULTILINE))
    constants = set(re.findall(r"^#define (XLASHAPE_\w+)", header, re.MULTILINE))
    rows = owed = 0
    for number, line in enumerate((root / "docs/xla-parity.md").read_text(encoding="utf-8").splitlines(), 1):
        place = f"docs/xla-parity.md:{number}"
        for name in re.findall(r"`(xlashape_\w+)`", line):
            if name not in declared:
                yield f"{place}: {name} is not declared in the headers"
        for name in re.findall(r"\bXLASHAPE_\w+", line):
            if name not in constants:
                yield f"{place}: {name} is not defined in the headers"
        if not line.startswith("|") or line.startswith("|---"):
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "XLA":
            continue
        rows += 1
        if len(cells) != 4 or cells[1] not in ("P0", "P1", "P2", "-"):
            yield f"{place}: a row has four cells, the second P0, P1, P2 or -"
        elif cells[1] in ("P0", "P1"):
            owed += 1
            if not re.search(r"`xlashape_\w+`", cells[2]):
                yield f"{place}: {cells[0]} is {cells[1]}, and no function is named for it"
        elif not cells[3]:
            yield f"{place}: {cells[0]} is left out without a word why"
    if owed < 100:
        yield f"docs/xla-parity.md: only {owed} rows of P0 and P1 among {rows}, so this test does not understand it"


found = list(problems(pathlib.Path(sys.argv[1]).resolve()))
print(*found, sep="\n")
sys.exit(1 if found else 0)
