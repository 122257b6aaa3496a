# SPDX-License-Identifier: Apache-2.0
"""Every source in the languages below says its licence in its first lines, as an SPDX identifier.

    licence.py ROOT [--write]      --write: adds the line where it is missing
"""

import pathlib
import subprocess
import sys

IDENTIFIER = "SPDX-License-Identifier: Apache-2.0"
MARKS = {
    **dict.fromkeys((".h", ".c"), ("/* ", " */")),
    **dict.fromkeys((".hpp", ".cc", ".inl", ".cl", ".cu", ".rs", ".go", ".mjs", ".mts"), ("// ", "")),
    **dict.fromkeys((".py", ".sh"), ("# ", "")),
}


def with_line(file, text):
    before, after = MARKS[file.suffix]
    lines = text.split("\n")
    at = 1 if lines[0].startswith("#!") else 0
    # In Go a comment before `package` without an empty line between would be the package's documentation.
    return "\n".join([*lines[:at], before + IDENTIFIER + after, *([""] if file.suffix == ".go" else []), *lines[at:]])


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True)
    if listed.returncode != 0 and (root / ".git").exists():  # elsewhere, in an archive, nothing is checked anew
        sys.exit(listed.stderr)
    names = listed.stdout.split("\n")
    files = [root / name for name in names if pathlib.PurePath(name).suffix in MARKS and "tests/data/" not in name]
    lacking = 0
    for file in files:
        if not file.is_file() or file.is_symlink():
            continue
        text = file.read_text(encoding="utf-8")
        if IDENTIFIER in "\n".join(text.split("\n", 3)[:3]):
            continue
        if "--write" in sys.argv[2:]:
            file.write_text(with_line(file, text), encoding="utf-8")
        else:
            lacking += 1
            print(f"{file.relative_to(root)}: no SPDX-License-Identifier; run: tests/structure/licence.py . --write")
    return 1 if lacking else 0


sys.exit(main())
