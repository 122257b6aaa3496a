"""docs/environment.md lists every environment variable that the sources read, and none that they do not.

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
FOLDERS = ["src", "include", "bindings", "tools", "tests", "examples"]
ELSEWHERE = {".git", "build", "target", "__pycache__"}


def sources(root):
    yield root / "x"
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not ELSEWHERE & set(path.relative_to(root).parts):
                yield path


def reads(root):
    """name -> the first place that reads it"""
    found = {}
    for path in sources(root):
        patterns = READS.get(path.suffix or path.name, [])
        text = path.read_text(encoding="utf-8") if patterns and path != pathlib.Path(__file__).resolve() else ""
        for pattern in patterns:
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                found.setdefault(match[1], f"{path.relative_to(root)}:{line}")
    return found


def told(root):
    """The names in the first cells of the page's tables."""
    page = (root / "docs/environment.md").read_text(encoding="utf-8")
    cells = [line.split("|")[1] for line in page.splitlines() if line.startswith("|")]
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def problems(root):
    found, listed = reads(root), told(root)
    for name in sorted(found.keys() - listed):
        yield f"{found[name]}: {name} is read, and docs/environment.md does not list it"
    for name in sorted(listed - found.keys()):
        yield f"docs/environment.md: {name} is listed, and nothing reads it"
    # Those without which the patterns above would be broken.
    known = {"XLASHAPE_BACKEND_PATH", "XLASHAPE_BACKEND_OPTIONS", "XLASHAPE_LIBRARY", "XLASHAPE_LIB_DIR", "BENCH_PYTHON"}
    for name in sorted(known - found.keys()):
        yield f"{name} was not found in the sources: this test looks wrongly"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = list(problems(root))
    print(*found, sep="\n")
    print(f"{len(told(root))} variables" if not found else f"{len(found)} problems")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
