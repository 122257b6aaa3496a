# SPDX-License-Identifier: Apache-2.0
"""The module for Go. It is published by the tag bindings/go/vVERSION of the repository; a release has it as a file
proxy besides, the folder `go`, for builds without a network.

    go.py FOLDER       writes the proxy of this tree to FOLDER
"""

import json
import pathlib
import re
import sys
import time
import zipfile

import about
from release import REPOSITORY, Failed

# The moment of the zip's files, which has none of its own: zip's first.
EPOCH = (1980, 1, 1, 0, 0, 0)
PACKAGES = ("golang-go", "gcc", "g++", "pkg-config", "meson", "libhwy-dev")


def write_proxy(sources, version, folder):
    """The module in the sources, in the form in which proxies hand it out: MODULE/@v/{list,VERSION.info,.mod,.zip}."""
    module = sources / "bindings/go"
    name = re.search(r"^module (\S+)$", (module / "go.mod").read_text(encoding="utf-8"), re.MULTILINE)[1]
    if name != about.GO_MODULE:
        raise Failed(f"bindings/go/go.mod is of {name}, and packaging/about.py says {about.GO_MODULE}")
    place = folder / name / "@v"
    place.mkdir(parents=True, exist_ok=True)
    (place / "list").write_text(f"v{version}\n", encoding="utf-8")
    (place / f"v{version}.info").write_text(json.dumps({"Version": f"v{version}"}), encoding="utf-8")
    (place / f"v{version}.mod").write_bytes((module / "go.mod").read_bytes())
    # As Go itself does: the files of the module's folder, and the licence of the repository.
    files = {path.relative_to(module).as_posix(): path for path in module.rglob("*") if path.is_file()}
    files["LICENSE"] = sources / "LICENSE"
    with zipfile.ZipFile(place / f"v{version}.zip", "w") as archive:
        for inside, path in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{name}@v{version}/{inside}", EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def version_of(sources):
    return re.search(r"version: '([^']+)'", (sources / "meson.build").read_text(encoding="utf-8"))[1]


def make(release):
    write_proxy(release.sources(), release.version, release.out / "go")
    release.ok(f"go: the module {about.GO_MODULE} v{release.version}, as a file proxy")


def check(release):
    """The library from the sources in a clean root, with its archive; then README's program, with either."""
    page = (release.sources() / "bindings/go/README.md").read_text(encoding="utf-8")
    commands = re.search(r"<!-- run -->\n```sh\n(.*?)```", page, re.DOTALL)[1]
    want = re.search(r"<!-- output -->\n```text\n(.*?)```", page, re.DOTALL)[1]
    proxy = {"GOPROXY": "file:///release/go", "GONOSUMDB": "*"}
    with release.root("go", packages=PACKAGES) as root:
        root.put(release.sources(), release.out / "go")
        # Kernels for one processor are enough to see that they are linked. In so small a Debian Meson does not know the
        # folder where pkg-config looks.
        root.run(f"cd /release/xlashape-{release.version} && meson setup /build --buildtype=release -Dtests=disabled "
                 "-Dcli=disabled -Ddefault_library=both -Dstatic_backends=simd -Dsimd=enabled -Dsimd_targets=least "
                 "--libdir=lib/$(gcc -dumpmachine) && meson install -C /build && ldconfig", network=False)
        for how, tags in (("shared", ""), ("static", "-tags=xlashape_static")):
            begin = time.monotonic()
            got = root.run(f"rm -rf /{how} && mkdir /{how} && cd /{how} && {commands}",
                           environment={**proxy, "GOFLAGS": tags}, network=False)
            release.expect(got.endswith(want), f"go: README's program with the {how} library, "
                           f"{time.monotonic() - begin:.0f} s from `go get` on")
        (root.path / "static/hello/main.go").write_text(FAST.replace("MODULE", about.GO_MODULE), encoding="utf-8")
        root.run("cd /static/hello && go build -tags xlashape_static . && rm /usr/local/lib/*/libxlashape* && ldconfig",
                 environment=proxy, network=False)
        said = root.run("/static/hello/hello", network=False)
        release.expect("simd built in" in said, "go: a program with the static library runs without one, with simd")


FAST = """package main

import (
	"fmt"
	"log"

	xlashape "MODULE"
)

func main() {
	runtime, err := xlashape.NewRuntime(nil)
	if err != nil {
		log.Fatal(err)
	}
	backends, err := runtime.Backends()
	if err != nil {
		log.Fatal(err)
	}
	for _, backend := range backends {
		if backend.Path == "" {
			fmt.Println(backend.Name, "built in:", backend.Detail)
		}
	}
}
"""


def main():
    write_proxy(REPOSITORY, version_of(REPOSITORY), pathlib.Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    main()
