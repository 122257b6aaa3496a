"""Holds the include direction: fails on an arrow that the table of rooms.py does not allow, with file and line; and
what only some compilers understand in the files that are there for it.

    includes.py ROOT [--write]      --write: first makes the table in HACKING.md anew
"""

import functools
import pathlib
import re
import sys

# Folder -> what its files may include in quotes besides their own folder: a folder, or a single file. The same table as
# in HACKING.md, for a machine; the two must name the same folders.
BASE = {"src/core/base", "src/ir", "include/xlashape.h"}
UTIL = "include/xlashape_util.h"
LAYOUT = BASE | {"src/core/layout", UTIL}
SHAPE = LAYOUT | {"src/core/shape"}
IR = {"src/ir", "include/xlashape.h", "include/xlashape_backend.h"}
INDEX = SHAPE | IR | {"src/core/index"}
BITCAST = INDEX | {"src/core/bitcast"}
PLAN = INDEX | {"src/core/plan"}
CORE = PLAN | {f"src/core/{folder}" for folder in ("bitcast", "draw", "target", "text", "wire", "interop", "platform", "runtime", "exec")}
# The command's rooms, each of which may include those before it.
CLI_BASE = {"tools/cli/base", "src/ir/int128.h", "bindings/cpp", "include/xlashape.h", UTIL}
CLI_OUTPUT = CLI_BASE | {"tools/cli/output"}
CLI_FILES = CLI_OUTPUT | {"tools/cli/files"}
CLI_MOVEMENT = CLI_FILES | {"tools/cli/movement"}
CLI_TRIAL = CLI_MOVEMENT | {"tools/cli/trial"}
CLI_FACTS = "tools/cli/explain/facts.h"
CLI_PROGRAM = CLI_FILES | {"tools/scan/program"}
CLI_REPORT = CLI_PROGRAM | {"tools/scan/cost", "tools/scan/report", "tools/cli/explain/best_layout.h"}
ALLOWED = {
    "include": {"include/xlashape.h"},
    "src/ir": IR,
    "src/core/base": BASE | {UTIL},
    "src/core/platform": BASE | {"src/core/platform"},
    "src/core/layout": LAYOUT,
    "src/core/shape": SHAPE,
    "src/core/target": SHAPE | {"src/core/target"},
    "src/core/text": SHAPE | {"src/core/text"},
    "src/core/wire": SHAPE | {"src/core/wire"},
    "src/core/interop": INDEX | {"src/core/text", "src/core/interop"},
    "src/core/index": INDEX,
    "src/core/bitcast": BITCAST,
    "src/core/plan": PLAN,
    "src/core/runtime": BASE | IR | {UTIL, "src/core/platform", "src/core/runtime"},
    "src/core/draw": INDEX | {"src/core/text/print.h", "src/core/draw"},
    "src/core/exec": PLAN | {"src/core/runtime", "src/core/text/print.h", "src/core/exec"},
    "src/core/api": CORE | {"include/xlashape_experimental.h"},
    "src/backends": IR | {"src/backends/common", "src/backends/gpu"},
    "tools/cli": CLI_BASE | {"tools/cli", "tools/scan/options.h"},
    "tools/cli/program": CLI_OUTPUT | {"tools/cli/manual"},
    "tools/cli/base": CLI_BASE,
    "tools/cli/output": CLI_OUTPUT,
    "tools/cli/files": CLI_FILES,
    "tools/cli/movement": CLI_MOVEMENT,
    "tools/cli/explain": CLI_FILES | {"tools/cli/explain"},
    "tools/cli/layout_for": CLI_FILES | {CLI_FACTS, "tools/cli/layout_for"},
    "tools/cli/index": CLI_FILES,
    "tools/cli/draw": CLI_FILES,
    "tools/cli/picture": CLI_FILES | {CLI_FACTS},
    "tools/cli/backends": CLI_MOVEMENT,
    "tools/cli/tune": CLI_MOVEMENT,
    "tools/cli/relayout": CLI_MOVEMENT | {CLI_FACTS},
    "tools/scan": CLI_REPORT | {"tools/scan/read", "tools/scan/page", "tools/cli/program"},
    "tools/scan/program": CLI_PROGRAM | {CLI_FACTS},
    "tools/scan/read": CLI_PROGRAM | {"src/ir/wire_bytes.h"},
    "tools/scan/cost": CLI_PROGRAM,
    "tools/scan/report": CLI_REPORT,
    "tools/scan/page": CLI_REPORT | {CLI_FACTS},
    "tools/cli/trial": CLI_TRIAL,
    "tools/conformance": CLI_TRIAL | {"include/xlashape_backend.h"},
    "tools/cli/self_test": CLI_TRIAL | {"tools/conformance"},
    "tools/cli/manual": CLI_OUTPUT,
    "bindings/js/native": CLI_OUTPUT | {"tools/cli/explain"},
    "bindings": {UTIL, "include/xlashape.h", "bindings/cpp"},
    "tests": {UTIL, "include/xlashape.h", "include/xlashape_backend.h"},  # and all below may include what lies in it
    "tests/api": {UTIL, "include/xlashape_experimental.h", "include/xlashape.h", "include/xlashape_backend.h", "tests/api", "examples/device"},
    "integrations/jax": {"include/xlashape.h", "bindings/cpp", "integrations/jax"},
    "integrations/torch": {"include/xlashape.h", "bindings/cpp", "integrations/torch"},
    "examples/device": {"examples/device"},
    "integrations/pjrt": {"include/xlashape.h", "bindings/cpp", "integrations/pjrt"},
    "tests/loader": {UTIL, "tests/sized.h", "include/xlashape_experimental.h", "include/xlashape.h", "include/xlashape_backend.h", "tests/loader",
                     "examples/backend"},
    "tests/unit": CORE | {"tests/sized.h", "src/core/api", "src/backends", "tests/unit"},
    "tests/differential": CORE | {"tests/sized.h", "src/backends", "tests/unit", "tests/differential"},
    "tests/gpu": CORE | {"tests/sized.h", "src/backends", "tests/unit"},
    "tests/fuzz": CORE | {"tests/sized.h", "include/xlashape_experimental.h", "src/core/api", "src/backends", "tests/unit", "tests/fuzz",
                          "tests/api/every_answer.h", "tools/cli/base", "tools/scan", "bindings/cpp"},
    "tests/abi": {UTIL, "include/xlashape.h", "include/xlashape_backend.h", "tests/api"},
}
# Rows about the files of a folder alone: each folder in it has a row of its own.
FILES_ALONE = {"tools/cli", "tools/scan"}
# System headers that one place alone may use: a header, or all of a folder's. In the library and its backends what depends
# on the system has one place each; the command is for POSIX.
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
    "nlohmann/json.hpp": {"tools/cli/output/json.cc", "tools/cli/files/sidecar.cc", "bindings", "integrations",
                          "tests"},
    "fmt/format.h": {"bindings", "integrations", "tests"},  # fmt/core.h does
}
# What not every compiler has, and where in src it may stand: two headers that hide it, the kernels' languages, and
# overflow in the command.
WORDS = re.compile(r"__builtin_\w+|__attribute__|\[\[gnu::\w+|__int128|__extension__|__declspec|__forceinline")
WORDS_IN = {
    "src/ir/compiler.h": WORDS,
    "src/ir/int128.h": re.compile("__int128|__extension__"),
    "src/backends/gpu/kernels/clang_cuda.h": re.compile("__attribute__|__int128|__forceinline"),
    "src/backends/gpu/kernels/dialect.h": re.compile("__attribute__|__forceinline"),
    "tools": re.compile("__builtin_(add|sub|mul)_overflow"),
}
INCLUDE_DIRS = ("include", "bindings/cpp", "src/core", "src", "tools", "tests", "")
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
    """What the files of a room may include: what its row names, and what the rooms there may include in turn."""
    found, left = set(), list(ROOMS[room][1])
    while left:
        place = left.pop()
        if place in found:
            continue
        found.add(place)
        left += [further for name, (_, may) in ROOMS.items() if inside(name, {place}) for further in may]
        if "." in place and room_of(place):
            left += ROOMS[room_of(place)][1]
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
            yield f"{path}:{number}: includes {target}, but no row of the table is about its folder"
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
    """No room may be included by what it includes, by way of others either."""
    for room in ROOMS:
        if any(room_of(place) == room for place in allowed(room) if not inside(place, {room})):
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
        yield "HACKING.md: the table is not that of rooms.py; run: tests/structure/includes.py . --write"


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
