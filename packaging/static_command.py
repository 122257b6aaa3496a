# SPDX-License-Identifier: Apache-2.0
"""The command as one static file that needs nothing of the system, with simd and scan inside."""

import shutil

from photo import photo
from toolchain import Toolchain

TARGET = "x86_64-linux-musl"
OPTIONS = ("-Ddefault_library=static", "-Dstatic_backends=simd", "-Ddynamic_backends=false", "-Dsimd=enabled",
           "-Dcli=enabled", "-Dscan=false", "-Dscan_inside=true")
MOST_MIB = 16


def path(release):
    return release.out / f"xlashape-{release.version}-{TARGET}"


def built(release):
    return Toolchain(release, TARGET).build("command", *OPTIONS) / "bin/xlashape"


def make(release):
    shutil.copy(built(release), path(release))
    texts = [(release.sources() / name).read_text(encoding="utf-8") for name in ("LICENSE", "bindings/THIRD_PARTY.txt")]
    path(release).with_name(path(release).name + ".licenses.txt").write_text("\n\n".join(texts), encoding="utf-8")
    release.ok(f"made {path(release).name}, {path(release).stat().st_size / 2**20:.1f} MiB")


def check(release):
    check_alone(release)
    check_same_bytes(release)


def check_alone(release):
    """In a folder that has this file and the photograph and nothing else: no shell, no C library, no /proc."""
    file = path(release)
    size = file.stat().st_size / 2**20
    release.expect(size < MOST_MIB, f"{file.name} has {size:.1f} MiB")
    headers = release.run("readelf", "--program-headers", file)
    release.expect("INTERP" not in headers and "DYNAMIC" not in headers, "it is static: no loader, no library")
    stack = headers.split("GNU_STACK")[1].split()[4]  # the size in memory
    release.expect(int(stack, 16) == 1 << 20, "its threads get stacks of 1 MiB")
    root = release.work / "roots" / "nothing"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    shutil.copy(file, root / "xlashape")
    shutil.copy(photo(release), root / "photo.png")
    (root / "dump.txt").write_text("HloModule m\n\nENTRY e {\n  p = f32[100,3]{1,0:T(8,128)} parameter(0)\n"
                                   "  ROOT c = f32[100,3]{0,1:T(8,128)} copy(p)\n}\n", encoding="utf-8")

    def alone(*words):
        return release.run("chroot", root, "/xlashape", *words)

    version = alone("--version")
    said = " / ".join(version.splitlines())
    release.expect(release.version in version and "simd" in version, f"alone: --version: {said}")
    alone("relayout", "/photo.png", "/photo.bin", "--to", "row")
    said = alone("relayout", "/photo.bin", "/tiles.bin", "--to", "{1,0,2:T(8,128)}", "--verify", "--explain",
                 "--threads", "4")
    release.expect("simd" in said, f"alone: the photograph to tiles, verified: {said.splitlines()[0]}")
    alone("picture", "/tiles.bin", "/tiles.png")
    release.expect("self-test" in alone("--help"), "alone: help")
    said = alone("scan", "/dump.txt")
    release.expect("f32[100,3]" in said, "alone: scan")
    said = alone("self-test", "--backend", "simd", "--count", "300")
    release.ok(f"alone: self-test: {said.strip().splitlines()[-1]}")


def check_same_bytes(release):
    again = type(release)(release.version, release.work / "again")
    shutil.copy(release.archive, again.archive)
    release.expect(built(again).read_bytes() == path(release).read_bytes(), "built in two folders: the same bytes")
