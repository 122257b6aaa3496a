# SPDX-License-Identifier: Apache-2.0
"""The package for JavaScript: xlashape-VERSION.tgz, as npm makes and installs it."""

import shutil
import tarfile
import time

from release import Failed

TOOLS = {"emcc": "emscripten", "meson": "meson", "ninja": "ninja-build", "npm": "npm"}
FILES = {"LICENSE", "README.md", "THIRD_PARTY.txt", "index.d.mts", "index.mjs", "package.json", "xlashape.wasm"}


def make(release):
    for tool, package in TOOLS.items():
        if not shutil.which(tool):
            raise Failed(f"{tool} is not installed: apt-get install {package}")
    made = _pack(release, "wasm", release.out)
    with tarfile.open(made) as archive:
        names = {name.removeprefix("package/") for name in archive.getnames()}
    if FILES - names:
        raise Failed(f"{made.name} lacks {', '.join(sorted(FILES - names))}")
    release.ok(f"js: {made.name}, {made.stat().st_size // 1024} KiB, {len(names)} files")


def check(release):
    """README's programs and the declarations, in a clean root; and the same bytes from another build."""
    tests = release.sources() / "bindings/js/tests"
    made = release.out / f"xlashape-{release.version}.tgz"
    with release.root("js", packages=("nodejs", "npm", "node-typescript")) as root:
        root.put(made, tests, release.sources() / "bindings/js/README.md")
        begin = time.monotonic()
        root.run(f"mkdir /demo && cd /demo && npm install --offline --no-audit --no-fund /release/{made.name}",
                 network=False)
        said = root.run("node /release/tests/readme.mjs /release/README.md /demo", network=False)
        release.expect(", 0 failed" in said, f"js: README's programs, in workers too, {time.monotonic() - begin:.0f} s "
                       f"from `npm install` on, {root.run('node --version').strip()}")
        root.run("cd /demo && cp /release/tests/types.mts . && tsc --strict --noUncheckedIndexedAccess --noEmit "
                 "--target es2022 --lib es2022,dom --module nodenext --moduleResolution nodenext types.mts",
                 network=False)
        release.ok("js: the declarations, by tsc --strict")
    again = release.work / "wasm-again"
    again.mkdir(exist_ok=True)
    release.expect(_pack(release, "wasm-again", again).read_bytes() == made.read_bytes(),
                   "js: another build has the same bytes")


def _pack(release, build, to):
    """Builds the package in a folder of `work`, and packs it."""
    folder = release.work / build
    release.run("bindings/js/build.sh", folder, cwd=release.sources(), log=build)
    release.run("npm", "pack", "--offline", "--pack-destination", to, cwd=folder / "js", log=f"{build}-pack")
    return to / f"xlashape-{release.version}.tgz"
