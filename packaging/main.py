# SPDX-License-Identifier: Apache-2.0
"""Makes a release: all packages, each checked in a clean root. Nothing is uploaded.

    ./x release VERSION [--preview] [--out FOLDER] [PART...]

The release is the commit that is checked out. It goes to FOLDER/VERSION (build/release/VERSION), with NOTES.md,
SHA256SUMS and an SPDX document; FOLDER/work keeps what a second run needs again, and the logs. A part that fails ends
the run with 1: publish only what a run has ended well with. --preview: CHANGELOG.md need not have a date yet.

Parts, in this order; without any, all:
"""

import importlib
import pathlib
import sys
import time

import agree
from release import REPOSITORY, Failed, Release

PARTS = {
    "source": "the source archive and the notes",
    "tests": "./x test, in the unpacked archive",
    "cc": "for C and C++: pkg-config, find_package, a Meson subproject, FetchContent",
    "abi": "the ABI against the last release's, programs kept from earlier releases",
    "reproducible": "two builds in two places give the same bytes",
    "python": "wheels for Linux on x86-64 and aarch64, the source distribution",
    "python_frameworks": "xlashape-jax and xlashape-torch (downloads 3 GB)",
    "static_command": "the command as one static file",
    "debian": "Debian packages",
    "rust": "crates",
    "go": "the Go module",
    "js": "the npm package",
    "documentation": "the site",
    "sbom": "the SPDX document and the checksums",
}


def usage():
    return __doc__.strip() + "\n\n" + "\n".join(f"    {name:18} {what}" for name, what in PARTS.items())


def read(words):
    words, options = list(words), {"preview": False, "out": REPOSITORY / "build/release"}
    parts, version = [], None
    while words:
        word = words.pop(0)
        if word == "--preview":
            options["preview"] = True
        elif word == "--out" and words:
            options["out"] = pathlib.Path(words.pop(0)).absolute()
        elif version is None and word[:1].isdigit():
            version = word
        elif word in PARTS:
            parts.append(word)
        else:
            raise SystemExit(usage())
    if version is None:
        raise SystemExit(usage())
    return version, options, [name for name in PARTS if name in parts or not parts]


def main():
    version, options, parts = read(sys.argv[1:])
    for problem in agree.problems(version):
        print(problem)
        parts = []
    if not parts:
        raise Failed(f"what says {version} must agree before it is released")
    release = Release(version, options["out"], options["preview"])
    if "source" not in parts and not release.is_of_this_commit():
        parts.insert(0, "source")
    for name in parts:
        begin = time.monotonic()
        print(f"\n== {name}: {PARTS[name]}", flush=True)
        part = importlib.import_module(name)
        part.make(release)
        part.check(release)
        print(f"{name}: {time.monotonic() - begin:.0f} s", flush=True)
    print(f"\n{release.seen} checks passed: {', '.join(parts)}")
    for path in sorted(release.out.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:12,}  {path.relative_to(release.out)}")


if __name__ == "__main__":
    try:
        main()
    except Failed as reason:
        sys.exit(f"release: {reason}")
    except KeyboardInterrupt:
        sys.exit(130)
