# SPDX-License-Identifier: Apache-2.0
"""Lines have at most 120 columns, in every text file of the repository, but where the rules below say why not.

Arguments: the root of the repository. Needs only Python's standard library.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS = 120
# Files, and the lines of others, that stay as they are.
FILES = re.compile("|".join((
    r"tests/data/.*(?<!\.py)(?<!\.md)",  # data: what XLA and others print, what is expected, a case in each line
    r".*\.json",  # a record in each line
    r"docs/performance/.*",  # results, a case in each line, and the pictures that are made of them
    r"tools/view/html\.cc",  # what the pages of `draw` run is printed as it stands there
)))
LINES = re.compile(r'.*"data:image/')  # an address cannot be cut
MARKDOWN = re.compile(r"\||    |<!--|`[^`]*`\.?$")  # a table's row is one line; code and notes for tests stay


def long_lines(name, text):
    is_markdown, is_fenced = name.endswith(".md"), False
    for number, line in enumerate(text.split("\n"), 1):
        if is_markdown and line.lstrip().startswith("```"):
            is_fenced = not is_fenced
        elif len(line) > COLUMNS and not LINES.match(line) and not (is_fenced or is_markdown and MARKDOWN.match(line)):
            yield f"{name}:{number}: {len(line)} columns"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode != 0 and (root / ".git").exists():  # elsewhere, in an archive, nothing is checked anew
        sys.exit(listed.stderr)
    found = []
    for name in listed.stdout.split("\0"):
        file = root / name
        if FILES.fullmatch(name) or not file.is_file() or file.is_symlink():
            continue
        data = file.read_bytes()
        if b"\0" not in data:  # not a text otherwise
            found += long_lines(name, data.decode("utf-8", errors="replace"))
    print(*found, sep="\n")
    return 1 if found else 0


sys.exit(main())
