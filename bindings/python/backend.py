# SPDX-License-Identifier: Apache-2.0
"""The build backend (PEP 517) of the package xlashape: what `pip install` of the sources calls.

A wheel is made by wheel.py from an installed tree: XLASHAPE_PREFIX, or where that is unset one that is built here, with
meson. Whatever a part of it needs has to be there: else it fails and names what is lacking. `-C without-simd=` (or
-cuda, -opencl, -bound, -command) leaves a part out. The source distribution is the repository as it is, and PKG-INFO.
"""

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Dict, List, Optional

import wheel

ROOT = wheel.ROOT
Settings = Optional[Dict[str, str]]
# What each part needs, by the names that pkg-config has for it, and Debian's packages with that.
PARTS = {
    "simd": {"libhwy": "libhwy-dev"},
    "opencl": {"OpenCL-Headers": "opencl-c-headers"},
    "bound": {"libffi": "libffi-dev"},
    "command": {
        "CLI11": "libcli11-dev",
        "fmt": "libfmt-dev",
        "nlohmann_json": "nlohmann-json3-dev",
        "libpng": "libpng-dev",
        "zlib": "zlib1g-dev",
    },
    "cuda": {},  # a compiler: nvcc or clang
}
OPTIONS = {"simd": "simd", "opencl": "opencl", "cuda": "cuda", "command": "cli"}


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    return [] if os.environ.get("XLASHAPE_PREFIX") else ["meson>=1.0", "ninja"]


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    settings, out = config_settings or {}, Path(wheel_directory)
    without = {part for part in PARTS if f"without-{part}" in settings}
    unknown = set(settings) - {f"without-{part}" for part in PARTS}
    if unknown:
        raise wheel.fail(f"{', '.join(sorted(unknown))}: there is without-PART, for {', '.join(PARTS)}")
    given = os.environ.get("XLASHAPE_PREFIX")
    if given:
        return wheel.make(Path(given).resolve(), out, "simd" in without).name
    if sys.platform != "linux":
        without |= {"command", "bound"} & set(PARTS)
    require(without)
    with tempfile.TemporaryDirectory() as folder:
        build, stage = Path(folder) / "build", Path(folder) / "stage"
        # Staged, not installed there: the library looks for backends in its prefix, too, and that must not be a folder
        # that anybody could make later.
        options = ["--buildtype=release", "-Dtests=disabled", "--prefix=/usr/local", "--libdir=lib"]
        options += [f"-D{option}={'disabled' if part in without else 'enabled'}" for part, option in OPTIONS.items()]
        subprocess.run(["meson", "setup", str(build), str(ROOT), *options], check=True)
        subprocess.run(["meson", "install", "-C", str(build)], env={**os.environ, "DESTDIR": str(stage)}, check=True)
        return wheel.make(stage / "usr" / "local", out, "simd" in without).name


def require(without: set) -> None:
    """Fails where a part lacks what it needs, and says for all of them at once what that is."""
    needs = [] if shutil.which("pkg-config") else [("all parts", "pkg-config", "pkg-config")]
    for part, packages in PARTS.items():
        if part in without or needs[:1] == [("all parts", "pkg-config", "pkg-config")]:
            continue
        needs += [(part, name, debian) for name, debian in packages.items() if not known(name)]
    nvcc = [None, "/usr/local/cuda/bin", "/opt/cuda/bin"]  # as meson searches
    if "cuda" not in without and not any(shutil.which("nvcc", path=path) for path in nvcc):
        if not any(map(shutil.which, ("clang", "clang-14"))):
            needs.append(("cuda", "nvcc or clang", "clang"))
    if needs:
        lines = [f"  {part} needs {name} (Debian: apt-get install {debian})" for part, name, debian in needs]
        raise wheel.fail("\n".join(["this cannot be built, something is lacking:", *lines,
                                    "or leave a part out, as in pip install -C without-cuda= ..."]))


def known(name: str) -> bool:
    return subprocess.run(["pkg-config", "--exists", name], check=False).returncode == 0


def get_requires_for_build_sdist(config_settings: Settings = None) -> List[str]:
    return []


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """All that git knows, or, in an unpacked archive, all that is there. The same sources give the same bytes."""
    text = (ROOT / "meson.build").read_text(encoding="utf-8")
    version = re.search(r"version: '([\d.]+)'", text)
    assert version
    name = f"xlashape-{version.group(1)}"
    with io.BytesIO() as memory:
        with tarfile.open(fileobj=memory, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sources():
                archive.add(ROOT / path, f"{name}/{path}", recursive=False, filter=plain)
            info = wheel.metadata(version.group(1), wheel.third_party({})[1], "bindings/").encode()
            entry = tarfile.TarInfo(f"{name}/PKG-INFO")
            entry.size = len(info)
            archive.addfile(plain(entry), io.BytesIO(info))
        packed = gzip.compress(memory.getvalue(), mtime=0)
    (Path(sdist_directory) / f"{name}.tar.gz").write_bytes(packed)
    return f"{name}.tar.gz"


def sources() -> List[str]:
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()
        return sorted(path for path in listed.split("\0") if path and os.path.lexists(ROOT / path))
    paths = (path for path in ROOT.rglob("*") if path.is_symlink() or path.is_file())
    relative = (path.relative_to(ROOT).as_posix() for path in paths)
    # All builds are in folders of the root whose names begin so, as .gitignore says.
    others = ("PKG-INFO", "build/", "build-")
    return sorted(path for path in relative if not path.startswith(others) and "__pycache__" not in path)


def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mtime = 315532800  # 1980, as in wheels
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.mode & 0o100 or entry.issym() else 0o644
    return entry
