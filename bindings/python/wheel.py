#!/usr/bin/env python3
"""Makes the wheel: the package, and in it the shared library, its backends and the command. Python's standard library
suffices.

    wheel.py PREFIX OUT      from an installed xlashape (meson install, DESTDIR and all), into the folder OUT

It is the package's build backend (PEP 517), too: `pip wheel bindings/python` takes the prefix from XLASHAPE_PREFIX, or
builds the library with meson first. No Python package is needed for either, and nothing is downloaded.

The wheel is py3-none-<platform>: one for all versions of Python, since the package calls C through ctypes. Its platform
tag is this machine's; `auditwheel` can widen it. Objects are taken as they are installed, in the folders where the
library looks for them: the library itself in xlashape/lib, backends beside it in xlashape/lib/xlashape. The command,
where the prefix has it, goes into xlashape/bin, and the libraries that it needs besides those of every Linux are copied
from this machine into xlashape/lib; no other program gets to see them there.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Dict, List, Optional

# In every Linux that a wheel can be for, or in the wheel anyway. As auditwheel has it, but for zlib.
SYSTEM = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|xlashape)\.)")

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def fail(text: str) -> SystemExit:
    return SystemExit(f"wheel.py: {text}")


def library_of(prefix: Path) -> Path:
    """The shared library by the name that programs load it by."""
    names = ["libxlashape.so.0.1", "libxlashape.0.1.dylib"]
    found = sorted(path for name in names for path in prefix.glob(f"lib*/**/{name}"))
    if not found:
        raise fail(f"{prefix} has no {names[0]} in a lib folder: is xlashape installed there?")
    return found[0]


def version_of(prefix: Path) -> str:
    header = prefix / "include" / "xlashape.h"
    if not header.exists():
        raise fail(f"{prefix} has no include/xlashape.h")
    text = header.read_text(encoding="utf-8")
    parts = [re.search(rf"XLASHAPE_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(part.group(1) for part in parts if part)


def contents(prefix: Path) -> Dict[str, bytes]:
    """Everything but the metadata, by its name in the wheel."""
    files = {}
    for path in sorted((HERE / "xlashape").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"xlashape/{path.name}"] = path.read_bytes()
    library = library_of(prefix)
    files[f"xlashape/lib/{library.name}"] = library.read_bytes()
    backends = library.parent / "xlashape"
    for path in sorted(backends.rglob("*")):
        if path.is_file():
            files[f"xlashape/lib/xlashape/{path.relative_to(backends).as_posix()}"] = path.read_bytes()
    if not any(name.startswith("xlashape/lib/xlashape/") for name in files):
        raise fail(f"{backends} has no backends")
    files.update(command_files(prefix))
    return files


def command_of(prefix: Path) -> Optional[Path]:
    """Where there is no ldd nobody says which libraries it needs."""
    path = prefix / "bin" / "xlashape"
    return path if path.exists() and sys.platform == "linux" else None


def command_files(prefix: Path) -> Dict[str, bytes]:
    """The command, and its libraries by the names that it loads them by."""
    command = command_of(prefix)
    if command is None:
        return {}
    files = {"xlashape/bin/xlashape": command.read_bytes()}
    ldd = subprocess.run(["ldd", str(command)], stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}, check=True)
    for name, path in re.findall(r"^\s*(\S+) => (/.*?)?(?: \(0x\w+\)|not found)$", ldd.stdout.decode(), re.M):
        if SYSTEM.match(name):
            continue
        if not path:
            raise fail(f"{command} needs {name}, which is not found")
        files[f"xlashape/lib/{name}"] = Path(path).read_bytes()
    return files


def metadata(version: str) -> str:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    fields = [
        "Metadata-Version: 2.4",
        "Name: xlashape",
        f"Version: {version}",
        "Summary: XLA's shapes and layouts without XLA",
        "Keywords: xla,shape,layout,tiling,relayout,dlpack",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
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


def tag() -> str:
    return "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())


def wheel_file() -> str:
    return f"Wheel-Version: 1.0\nGenerator: xlashape wheel.py\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def entry_points() -> str:
    return "[console_scripts]\nxlashape = xlashape.command:main\n"


def make(prefix: Path, out: Path) -> Path:
    """Writes the wheel; the same input gives the same bytes."""
    version = version_of(prefix)
    info = f"xlashape-{version}.dist-info"
    files = contents(prefix)
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = wheel_file().encode()
    if command_of(prefix):
        files[f"{info}/entry_points.txt"] = entry_points().encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"xlashape-{version}-{tag()}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            executable = ".so" in name or name.endswith(".dylib") or name.startswith("xlashape/bin/")
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


# == PEP 517 ==


def prefix_of(config_settings: Optional[Dict[str, str]]) -> Optional[Path]:
    given = (config_settings or {}).get("prefix") or os.environ.get("XLASHAPE_PREFIX")
    return Path(given).resolve() if given else None


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, str]] = None) -> List[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    """Without this a front end builds everything once more, only to learn the name."""
    prefix = prefix_of(config_settings)
    version = version_of(prefix or ROOT)
    info = Path(metadata_directory) / f"xlashape-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(metadata(version), encoding="utf-8")
    (info / "WHEEL").write_text(wheel_file(), encoding="utf-8")
    # Whether a library that is yet to be built comes with the command is known only then.
    if prefix and command_of(prefix):
        (info / "entry_points.txt").write_text(entry_points(), encoding="utf-8")
    return info.name


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    given = prefix_of(config_settings)
    if given:
        return make(given, Path(wheel_directory)).name
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
        return make(stage / "usr" / "local", Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    raise fail("there is no source distribution: the library's sources are not below this folder")


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    print(make(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
