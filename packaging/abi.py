# SPDX-License-Identifier: Apache-2.0
"""The C ABI against that of earlier releases.

kept/VERSION/ has, of each release, the description of its library's ABI by libabigail (libxlashape.abi.xz), and the
program tests/api/client_test.c as it was compiled for it (client.xz), which the daily test abi_kept runs, too. Every
later library of the same ABI must take the program, and abidiff must find nothing that is gone or has changed. Each
release makes its own, which its maker commits.
"""

import lzma
import re

from release import REPOSITORY, Failed

KEPT = REPOSITORY / "packaging/kept"
PACKAGES = ("g++", "meson", "ninja-build", "pkg-config", "abigail-tools", "xz-utils")
BUILD = ("meson setup build -Dbuildtype=debugoptimized -Dtests=disabled -Dcli=disabled -Dsimd=disabled "
         "-Dcuda=disabled -Dopencl=disabled --prefix=/usr --libdir=lib && ninja -C build && meson install -C build && "
         "ldconfig")
DESCRIBE = ("abidw --headers-dir include --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path "
            "--out-file /made/libxlashape.abi build/src/libxlashape.so.0.1")
COMPARE = "abidiff --headers-dir2 include --drop-private-types --no-added-syms"


def made(release):
    return release.out / "abi" / release.version


def make(release):
    made(release).mkdir(parents=True, exist_ok=True)
    with release.root("abi", packages=PACKAGES) as root:
        root.put(release.archive)
        enter = f"cd /xlashape-{release.version}"
        root.run(f"mkdir -p /made && tar -xf /release/{release.archive.name} -C / && {enter} && {BUILD}")
        root.run(f"{enter} && {DESCRIBE}")
        root.run(f"{enter} && cc -O1 -s tests/api/client_test.c -lxlashape -o /made/client && /made/client")
        program = (root.path / "made/client").read_bytes()
        (made(release) / "client.xz").write_bytes(lzma.compress(program, preset=9))
        text = (root.path / "made/libxlashape.abi").read_text(encoding="utf-8")
        (made(release) / "libxlashape.abi.xz").write_bytes(lzma.compress(text.encode(), preset=9))
        check_in(release, root, enter, text)


def check_in(release, root, enter, text):
    functions = set(re.findall(r"<elf-symbol name='(xlashape_\w+)'", text))
    # Whether a difference would be seen at all: a struct that has lost its last member, a function that is gone.
    last = re.findall(r"<data-member .*?>\n.*?<var-decl name='(\w+)'", text)
    for what, other in (("a function that is gone", text.replace("xlashape_shape_parse'", "xlashape_shape_parsed'")),
                        ("a member that has moved", re.sub(r"layout-offset-in-bits='64'",
                                                           "layout-offset-in-bits='32'", text))):
        if other == text:
            raise Failed(f"libxlashape.abi has no place for {what}")
        (root.path / "made/other.abi").write_text(other, encoding="utf-8")
        try:
            root.run("abidiff --no-added-syms /made/other.abi /made/libxlashape.abi")
        except Failed:
            release.ok(f"abidiff notices {what}")
        else:
            raise Failed(f"abidiff does not notice {what}")
    release.ok(f"libxlashape.abi: {len(functions)} functions, {len(last)} members of structs")
    earlier = sorted(path for path in KEPT.glob("*") if is_compatible(path.name, release.version))
    for path in earlier:
        root.put(path, to="/kept")
        root.run(f"{enter} && xz --decompress /kept/{path.name}/*.xz && "
                 f"{COMPARE} /kept/{path.name}/libxlashape.abi build/src/libxlashape.so.0.1")
        release.ok(f"abidiff: nothing of {path.name} is gone or has changed")
        root.run(f"chmod +x /kept/{path.name}/client && /kept/{path.name}/client")
        release.ok(f"the program that was compiled for {path.name} runs with this library")
    if not earlier:
        release.ok("no earlier release has this ABI: there is nothing to compare")


def is_compatible(earlier, now):
    """As docs/versioning.md says: until 1.0 the minors must be equal."""
    before, after = ([int(part) for part in version.split(".")] for version in (earlier, now))
    return before <= after and before[0] == after[0] and (after[0] > 0 or before[1] == after[1])


def check(_):
    """All is done while the root is there."""
