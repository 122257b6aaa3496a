#!/usr/bin/env python3
"""Makes the wheel: the package, and in it the shared library, its backends and the command. Python's standard library
suffices.

    wheel.py [--without-simd] PREFIX OUT    from an installed xlashape (meson install, DESTDIR and all), into OUT

A prefix without the backend simd is refused: what is made from it is many times slower, and nothing else says so.
--without-simd allows it (pip: -C without-simd=).

It is the package's build backend (PEP 517), too: `pip wheel bindings/python` takes the prefix from XLASHAPE_PREFIX, or
builds the library with meson first. No Python package is needed for either, and nothing is downloaded.

The wheel is py3-none-<platform>: one for all versions of Python, since the package calls C through ctypes. Its platform
is the oldest manylinux whose systems have all that its objects need, else this machine's. Objects are taken as they are
installed, in the folders where the library looks for them: the library itself in xlashape/lib, backends beside it in
xlashape/lib/xlashape. The command, where the prefix has it, goes into xlashape/bin. The libraries that all these need
besides those of every Linux are copied from this machine into xlashape/lib; no other program gets to see them there.
THIRD_PARTY.txt has the licenses of these libraries, and of what is compiled into the objects.
"""

import os
import re
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from wheels import (  # noqa: E402  pylint: disable=wrong-import-position
    LICENSE_FIELDS,
    ROOT,
    THIRD_PARTY,
    WITHOUT_SIMD,
    fail,
    libraries_of,
    library_files,
    library_of,
    platform_tag,
    version_of,
    write,
)


def contents(prefix: Path, without_simd: bool) -> Dict[str, bytes]:
    """Everything but the metadata, by its name in the wheel."""
    files = {}
    for path in sorted((HERE / "xlashape").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"xlashape/{path.name}"] = path.read_bytes()
    files.update(library_files(prefix, "xlashape/lib", without_simd))
    library, command = library_of(prefix), command_of(prefix)
    objects = [library, *sorted((library.parent / "xlashape").rglob("*.so"))]
    if command:
        files["xlashape/bin/xlashape"] = command.read_bytes()
        objects.append(command)
    licensed = [pattern for line in re.findall(r"^In: (.*)$", THIRD_PARTY, re.M) for pattern in line.split()]
    for name, data in libraries_of(objects, "libxlashape.").items():
        if not any(fnmatch(f"lib/{name}", pattern) for pattern in licensed):
            raise fail(f"{name} would be copied into the wheel, and THIRD_PARTY.txt does not have its license")
        files[f"xlashape/lib/{name}"] = data
    return files


def command_of(prefix: Path) -> Optional[Path]:
    """Where nobody says which libraries it needs it is left out."""
    path = prefix / "bin" / "xlashape"
    return path if path.exists() and sys.platform == "linux" else None


def metadata(version: str) -> str:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    fields = [
        "Metadata-Version: 2.4",
        "Name: xlashape",
        f"Version: {version}",
        "Summary: XLA's shapes and layouts without XLA",
        "Keywords: xla,shape,layout,tiling,relayout,dlpack",
        *LICENSE_FIELDS,
        "Requires-Python: >=3.9",
        "Classifier: Intended Audience :: Developers",
        "Classifier: Intended Audience :: Science/Research",
        "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Programming Language :: Python :: 3 :: Only",
        "Classifier: Programming Language :: Python :: Implementation :: CPython",
        "Classifier: Topic :: Scientific/Engineering",
        "Classifier: Topic :: Software Development :: Libraries",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + readme


def make(prefix: Path, out: Path, without_simd: bool) -> Path:
    """Writes the wheel; the same input gives the same bytes."""
    version, files = version_of(prefix), contents(prefix, without_simd)
    more = {"licenses/THIRD_PARTY.txt": THIRD_PARTY}
    if command_of(prefix):
        more["entry_points.txt"] = "[console_scripts]\nxlashape = xlashape.command:main\n"
    return write(out, "xlashape", version, files, metadata(version), platform_tag(files), more)


# == PEP 517 ==


def prefix_of(config_settings: Optional[Dict[str, str]]) -> Optional[Path]:
    given = (config_settings or {}).get("prefix") or os.environ.get("XLASHAPE_PREFIX")
    return Path(given).resolve() if given else None


def without_simd_of(config_settings: Optional[Dict[str, str]]) -> bool:
    return WITHOUT_SIMD.strip("-") in (config_settings or {})


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, str]] = None) -> List[str]:
    return []


# There is no prepare_metadata_for_build_wheel: the tag and the entry point depend on the objects, so that only the wheel
# has them. Front ends take the metadata from it, and do not build it again.
def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    given, without_simd = prefix_of(config_settings), without_simd_of(config_settings)
    if given:
        return make(given, Path(wheel_directory), without_simd).name
    if not (ROOT / "meson.build").exists():
        raise fail("the sources of the library are not beside this package: set XLASHAPE_PREFIX")
    with tempfile.TemporaryDirectory() as folder:
        build, stage = Path(folder) / "build", Path(folder) / "stage"
        # Staged, not installed there: the library looks for backends in its prefix, too, and that must not be a folder
        # that anybody could make later.
        options = ["--buildtype=release", "-Dtests=disabled", "--prefix=/usr/local"]
        options += [] if sys.platform == "linux" else ["-Dcli=disabled"]  # as command_of has it
        subprocess.run(["meson", "setup", str(build), str(ROOT), *options], check=True)
        subprocess.run(["meson", "install", "-C", str(build)], env={**os.environ, "DESTDIR": str(stage)}, check=True)
        return make(stage / "usr" / "local", Path(wheel_directory), without_simd).name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    raise fail("there is no source distribution: the library's sources are not below this folder")


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != WITHOUT_SIMD]
    if len(arguments) != 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    print(make(Path(arguments[0]).resolve(), Path(arguments[1]), WITHOUT_SIMD in sys.argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
