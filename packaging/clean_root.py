# SPDX-License-Identifier: Apache-2.0
"""README's commands on a new machine, several times: each in a Debian of its own where nothing is installed, in the
orders in which people give them. What results must have every backend, or say loudly what it lacks.

    packaging/clean_root.py FOLDER [CASE...]       the cases: demo_test, test_demo, by_hand

FOLDER keeps the empty Debian for the next time, and a log of each case. `N passed, M failed` is said last.
"""

import os
import pathlib
import re
import subprocess
import sys

from release import REPOSITORY, Failed, Release

HIGHWAY = "libhwy-dev"


class Case:
    """A root with the sources as they are here; each step is a command in it and what must be printed."""

    def __init__(self, release, name):
        self.release, self.name = release, name

    def __enter__(self):
        self.root = self.release.root(self.name)
        sources = self.root.path / "xlashape"
        sources.mkdir()
        copy = '. tools/sources.sh; source_files | xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$0"'
        self.release.run("bash", "-c", copy, sources)
        return self

    def __exit__(self, *_):
        self.root.__exit__()

    def step(self, command, *patterns):
        said = self.root.run(f"cd /xlashape && {command}")
        for pattern in patterns:
            self.release.expect(re.search(pattern, said, re.MULTILINE), f"{self.name}: {command}: prints {pattern}")
        self.release.ok(f"{self.name}: {command}")
        return said

    def refused(self, command):
        try:
            self.root.run(f"cd /xlashape && {command}")
        except Failed:
            return self.release.ok(f"{self.name}: refused: {command}")
        raise Failed(f"{self.name}: not refused: {command}")


def demo(case):
    case.step("./x demo", "the same [0-9]+ bytes, compared", "^ *plan +simd", "They are in /xlashape/build/demo")


def backends_tested(case):
    case.step("./x test backends", "^backends: bound cuda opencl scalar simd$", "^1 passed, 0 failed$")


def demo_test(case):
    demo(case)
    backends_tested(case)


def test_demo(case):
    backends_tested(case)
    demo(case)


def by_hand(case):
    """README's Install without Highway, then with it."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    table = readme[readme.index("| for | what | on Debian |"):].split("\n\n")[0]
    packages = " ".join(re.findall(r"\| `([^`|]*)` \|$", table, re.MULTILINE)).split()
    case.release.expect({HIGHWAY, "libcli11-dev"} <= set(packages), "README.md names the packages")
    packages.remove(HIGHWAY)
    case.root.install("g++ meson ninja-build pkg-config", *packages)
    case.step("meson setup build --buildtype=release",
              "WARNING: backend simd is not built: hwy/highway.h was not found")
    case.step("meson compile -C build")
    case.step("build/xlashape --version", "^not in use: simd: this library was built without it: hwy/highway.h")
    case.step("build/xlashape backends", "^simd +failed")
    case.refused("meson setup refused -Dsimd=enabled")
    case.root.install(HIGHWAY)
    case.step("meson setup --reconfigure build", "simd *: yes")


CASES = {case.__name__: case for case in (demo_test, test_demo, by_hand)}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(CASES):
        raise SystemExit(__doc__.strip())
    release, failed = Release("clean-roots", pathlib.Path(sys.argv[1]).absolute()), 0
    for name in sys.argv[2:] or CASES:
        try:
            with Case(release, name) as case:
                CASES[name](case)
        except Failed as reason:
            failed += 1
            print(f"FAILED: {reason}", flush=True)
    print(f"{release.seen} passed, {failed} failed; logs: {release.work}/*.log")
    if "counts" in os.environ:
        pathlib.Path(os.environ["counts"]).write_text(f"{release.seen} {failed}\n", encoding="utf-8")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
