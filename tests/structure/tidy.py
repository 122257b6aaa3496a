# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the sources of the library, of the tools and of the PJRT plugin, with the checks of .clang-tidy.

    tidy.py BUILD [PREFIX...]      BUILD: a folder that Meson configured; PREFIX: only sources whose paths begin so

Counts a file each, and writes "PASSED FAILED" to the file in $counts.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = next(filter(None, map(shutil.which, ("clang-tidy-14", "clang-tidy"))), None)
PJRT = ROOT / "integrations/pjrt"
# Of the compiler's words those that say what a source means and what to warn of. Precompiled headers are left out: so
# each source has to include what it uses.
MEANING = re.compile(r"-([DIUW]|std=|isystem|pthread|fno-(exceptions|rtti)$)")


def built(build):
    """(source, folder, words): what Meson's build says of src and tools. What is generated or compiled twice counts
    once at most."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        folder = pathlib.Path(entry["directory"])
        source = pathlib.Path(os.path.realpath(folder / entry["file"]))
        if source.suffix == ".cc" and any(ROOT / part in source.parents for part in ("src", "tools")):
            found.setdefault(source, (folder, list(filter(MEANING.match, shlex.split(entry["command"])))))
    return [(source, *how) for source, how in found.items()]


def plugin(generated):
    """The same of the PJRT plugin, which has a build of its own."""
    subprocess.run([sys.executable, PJRT / "generate.py", generated / "pjrt_api.h"], check=True)
    words = ["-std=c++20", "-Wall", "-Wextra", "-Iinclude", "-Ibindings/cpp", f"-I{generated}"]
    return [(source, ROOT, words) for source in sorted(PJRT.glob("src/*.cc"))]


def is_clean(source, folder, words):
    """What is wrong with it is printed."""
    result = subprocess.run([TIDY, "--quiet", source, "--", *words], cwd=folder,
                            capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        print(f"FAILED: {source.relative_to(ROOT)}", result.stdout or result.stderr, sep="\n", flush=True)
    return result.returncode == 0


def main(build, *prefixes):
    if not TIDY:
        sys.exit("NOT RUN: clang-tidy-14 is not installed")
    with tempfile.TemporaryDirectory() as generated, concurrent.futures.ThreadPoolExecutor(
            len(os.sched_getaffinity(0))) as pool:
        sources = [source for source in built(pathlib.Path(build)) + plugin(pathlib.Path(generated))
                   if source[0].relative_to(ROOT).as_posix().startswith(prefixes or "")]
        clean, begun, told = [], time.monotonic(), 0
        for ended in pool.map(lambda source: is_clean(*source), sources):
            clean.append(ended)
            if time.monotonic() - begun >= 60 * (told + 1):
                told = int(time.monotonic() - begun) // 60
                print(f"tidy.py: {len(clean)} of {len(sources)} files, {60 * told} s", flush=True)
    passed, failed = sum(clean), len(clean) - sum(clean)
    if not clean:
        print(f"{build}: there are no sources to look at")
        failed = 1
    print(f"{passed} passed, {failed} failed")
    if "counts" in os.environ:
        pathlib.Path(os.environ["counts"]).write_text(f"{passed} {failed}", encoding="utf-8")
    sys.exit(failed != 0)


main(*sys.argv[1:])
