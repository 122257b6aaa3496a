# SPDX-License-Identifier: Apache-2.0
"""Holds the include direction: fails on an arrow that the table of rooms.py does not allow, with file and line; and
what only some compilers understand in the files that are there for it.

    includes.py ROOT [--write]      --write: first makes the table in HACKING.md anew
"""

import functools
import pathlib
import re
import sys

from rooms import BACKEND, FILES_ALONE, ROOMS

# System headers that one place alone may use: a header, or all of a folder's. In the library and its backends what
# depends on the system has one place each; the command is for POSIX.
PLATFORM = {"src/core/platform", "src/backends/common/system.h"}
POSIX = PLATFORM | {"tools", "tests", "bindings", "integrations"}
ONLY = {
    **dict.fromkeys(("unistd.h", "fcntl.h", "dirent.h", "pthread.h", "sched.h", "elf.h", "link.h", "poll.h",
                     "semaphore.h", "spawn.h", "pwd.h", "strings.h", "ucontext.h", "alloca.h", "malloc.h", "cpuid.h",
                     "windows.h", "io.h", "process.h", "aclapi.h", "sddl.h"),
                    POSIX | {"src/backends/gpu/host"}),
    "intrin.h": PLATFORM | {"src/ir/compiler.h"},
    "dlfcn.h": PLATFORM | {"tools/conformance/conformance.cc", "integrations/pjrt/tests", "tests"},
    **dict.fromkeys(("sys", "linux", "asm", "mach", "netinet", "arpa"), POSIX | {"src/backends/gpu/host"}),
    "ffi.h": {"src/backends/bound", "tests"},
    # What takes each file that includes it a second or more to compile.
    "CLI/CLI.hpp": {"tools/cli/program/program.h"},
    "nlohmann/json.hpp": {"tools/cli/output/json.cc", "tools/cli/files/safetensors.cc", "tools/cli/files/sidecar.cc",
                          "bindings", "integrations", "tests"},
    "fmt/format.h": {"bindings", "integrations", "tests"},  # fmt/core.h does
}
# What not every compiler has, and where in src and tools it may stand: two headers that hide it, the kernels'
# languages, the export macro of xlashape_draw.h, and overflow in the command.
WORDS = re.compile(r"__builtin_\w+|__attribute__|\[\[gnu::\w+|__int128|__extension__|__declspec|__forceinline")
WORDS_IN = {
    "src/ir/compiler.h": WORDS,
    "src/ir/int128.h": re.compile("__int128|__extension__"),
    "src/backends/gpu/kernels/clang_cuda.h": re.compile("__attribute__|__int128|__forceinline"),
    "src/backends/gpu/kernels/dialect.h": re.compile("__attribute__|__forceinline"),
    "tools/view/xlashape_draw.h": re.compile("__declspec|__attribute__"),
    "tools": re.compile("__builtin_(add|sub|mul)_overflow"),
}
INCLUDE_DIRS = ("include", "bindings/cpp", "tools/view", "src/core", "src", "tools", "tests", "")
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp", ".cu", ".cl"}


def inside(path, places):
    return any(path == place or path.startswith(place + "/") for place in places)


def room_of(path):
    """The longest folder of the table that holds `path`, or None."""
    own = path.rsplit("/", 1)[0]
    rows = (room for room in ROOMS if inside(path, {room}) and (room not in FILES_ALONE or room in (own, path)))
    return max(rows, key=len, default=None)


@functools.cache
def allowed(room):
    """What the files of a room may include: what its row names, and what the rooms there may include in turn. A file
    that is named brings nothing with it."""
    found, left = set(), list(ROOMS[room][1])
    while left:
        place = left.pop()
        if place in found:
            continue
        found.add(place)
        left += [further for name, (_, may) in ROOMS.items() if inside(name, {place}) for further in may]
    return found


def may_include(room, target):
    return target in ROOMS[room][1] if target == BACKEND else inside(target, allowed(room))


def resolve(root, including, name):
    """The included file, relative to the root; None for one that is not in the tree."""
    for folder in (including.parent, *(root / part for part in INCLUDE_DIRS)):
        found = (folder / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return found.relative_to(root).as_posix()
    return None


def check_file(root, file):
    path = file.relative_to(root).as_posix()
    room = room_of(path)
    own = path.rsplit("/", 1)[0]
    inherited = "tests" if path.startswith("tests/") else own
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if not match:
            continue
        system = match.group(2)
        if system:
            places = ONLY.get(system, ONLY.get(system.split("/")[0]))
            if places and not inside(path, places):
                yield f"{path}:{number}: <{system}> belongs into {', '.join(sorted(places))} alone"
            if not system.startswith("xlashape"):
                continue
        target = resolve(root, file, match.group(1) or system)
        if target is None:
            continue
        if room is None:
            yield f"{path}:{number}: includes {target}, but no row of tests/structure/rooms.py is about its folder"
        elif target.rsplit("/", 1)[0] not in (own, inherited) and not may_include(room, target):
            yield f"{path}:{number}: {room} may not include {target}"


def check_words(root, file):
    path = file.relative_to(root).as_posix()
    allowed = [words for place, words in WORDS_IN.items() if inside(path, {place})]
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        for word in WORDS.findall(line):
            if not any(words.fullmatch(word) for words in allowed):
                yield f"{path}:{number}: {word} belongs into src/ir/compiler.h or int128.h"


def check_circles():
    """No room of src or tools may be included by what it includes, by way of others either."""
    for room in ROOMS:
        if room.startswith(("src/", "tools/")):
            others = {name for name in ROOMS if name != room and inside(name, allowed(room))}
            if any(inside(room, allowed(other)) for other in others):
                yield f"the table draws a circle through {room}"


def table():
    """HACKING.md's table: the same for people."""
    rows = ["| folder | what | may include, with what that may include |", "|---|---|---|"]
    for room, (what, may) in ROOMS.items():
        if what:
            rows.append(f"| `{room}` | {what} | {', '.join(f'`{place}`' for place in may)} |")
    return "\n".join(rows)


def check_table(root, write):
    page = root / "HACKING.md"
    text = page.read_text(encoding="utf-8")
    there = re.search(r"^\| folder \|.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL).group()
    if write:
        page.write_text(text.replace(there, table()), encoding="utf-8")
    elif there != table():
        yield "HACKING.md: the table is not that of rooms.py; run: python3 tests/structure/includes.py . --write"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [
        file
        for folder in ("include", "src", "tools", "bindings", "integrations", "tests")
        for file in sorted((root / folder).rglob("*"))
        if file.suffix in SUFFIXES and file.is_file()
    ]
    problems = [*check_table(root, "--write" in sys.argv[2:]), *check_circles()]
    for file in files:
        problems += check_file(root, file)
    for file in sorted([*(root / "src").rglob("*"), *(root / "tools").rglob("*")]):
        if file.suffix in SUFFIXES | {".inl"}:
            problems += check_words(root, file)
    print(*problems, sep="\n")
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


sys.exit(main())
