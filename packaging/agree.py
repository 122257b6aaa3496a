# SPDX-License-Identifier: Apache-2.0
"""Whether all packages say the same version, address and licence: meson.build has the version, about.py the address.

    agree.py [VERSION]      with a version: whether it is that of meson.build, too

Needs only Python's standard library. Prints each place that disagrees.
"""

import json
import pathlib
import re
import sys

import about

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCE = "Apache-2.0"


def text(place):
    return (ROOT / place).read_text(encoding="utf-8")


def version():
    """The one that the others repeat."""
    return re.search(r"^  version: '(.+)',$", text("meson.build"), re.MULTILINE)[1]


def found_in(place, pattern):
    """Everything that the pattern's group has there; a pattern without a match is a place that changed."""
    found = re.findall(pattern, text(place), re.MULTILINE)
    return found or [f"nothing like {pattern}"]


def versions():
    """Each place that says a version, with what it says."""
    numbers = re.findall(r"^#define XLASHAPE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text("include/xlashape.h"),
                         re.MULTILINE)
    yield "include/xlashape.h", ".".join(numbers)
    for manifest in sorted((ROOT / "bindings/rust").glob("*/Cargo.toml")):
        place = manifest.relative_to(ROOT).as_posix()
        for said in found_in(place, r'^(?:version = |xlashape[\w-]* = \{.*\bversion = )"([^"]+)"'):
            yield place, said
    yield "bindings/js/package.json", json.loads(text("bindings/js/package.json"))["version"]
    for place, pattern in (
            ("integrations/pjrt/package.py", r'^NAME, VERSION = "\w+", "([^"]+)"'),
            ("docs/versioning.md", r"^- the release, .*: (\d+\.\d+\.\d+);$"),
            ("tests/api/error_test.cc", r'xlashape_version\(\), "([^"]+)"')):
        yield from ((place, said) for said in found_in(place, pattern))
    yield "CHANGELOG.md", found_in("CHANGELOG.md", r"^## (\d+\.\d+\.\d+) - ")[0]


def addresses():
    """Each place that says where the sources are, with what it says and what it should."""
    for manifest in sorted((ROOT / "bindings/rust").glob("*/Cargo.toml")):
        if "publish = false" not in manifest.read_text(encoding="utf-8"):
            place = manifest.relative_to(ROOT).as_posix()
            yield place, found_in(place, r'^repository = "(.+)"$')[0], about.URL
    repository = json.loads(text("bindings/js/package.json")).get("repository", {})
    yield "bindings/js/package.json", repository.get("url", "").removeprefix("git+").removesuffix(".git"), about.URL
    yield "bindings/go/go.mod", found_in("bindings/go/go.mod", r"^module (\S+)$")[0], about.GO_MODULE
    yield "packaging/about.py", about.GO_MODULE, f"{about.URL.removeprefix('https://')}/bindings/go"
    yield "pyproject.toml", found_in("pyproject.toml", r'^Repository = "(.+)"$')[0], about.URL


def licences():
    yield "meson.build", found_in("meson.build", r"^  license: '(.+)',$")[0]
    for manifest in sorted((ROOT / "bindings/rust").glob("*/Cargo.toml")):
        place = manifest.relative_to(ROOT).as_posix()
        yield place, found_in(place, r'^license = "(.+)"$')[0]
    yield "bindings/js/package.json", json.loads(text("bindings/js/package.json")).get("license")


def problems(wanted=None):
    here = version()
    if wanted not in (None, here):
        yield f"meson.build: the version is {here}, not {wanted}"
    for place, said in versions():
        if said != here:
            yield f"{place}: the version is {said}, and {here} in meson.build"
    for place, said, should in addresses():
        if said != should:
            yield f"{place}: the address is {said or 'missing'}, and {should} in packaging/about.py"
    for place, said in licences():
        if said != LICENCE:
            yield f"{place}: the licence is {said}, not {LICENCE}"


def main():
    found = list(problems(*sys.argv[1:2]))
    print(*found, sep="\n") if found else print("all packages agree")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
