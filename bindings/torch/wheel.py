#!/usr/bin/env python3
"""Builds the operators and makes the wheel `xlashape-torch`, which adds the package `xlashape.torch` to `xlashape`.

    wheel.py PREFIX OUT      for an installed xlashape (meson install, DESTDIR and all), into the folder OUT

Run it with a Python that has PyTorch 2.9 or later, of which it takes headers and a library to link with. $CXX is the
compiler, g++ if unset, which must know C++20. The object uses PyTorch's stable ABI only, so one wheel is for all
versions of PyTorch from 2.9 on, whichever it was built with, and for all versions of Python. libxlashape is not in it:
it is the one that the package `xlashape` loads.

It is the package's build backend (PEP 517), too: `pip wheel --no-build-isolation bindings/torch` takes the prefix from
XLASHAPE_PREFIX.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from wheels import (  # noqa: E402  pylint: disable=wrong-import-position
    fail,
    library_of,
    platform_tag,
    version_of,
    wheel_file,
    write,
)

OBJECT = "_operators.so"


def torch_folder() -> Path:
    """Where PyTorch is, which need not be imported for that."""
    found = importlib.util.find_spec("torch")
    if found is None or not found.origin:
        raise fail(f"{sys.executable} has no PyTorch")
    folder = Path(found.origin).parent
    if not (folder / "include" / "torch" / "csrc" / "stable" / "library.h").exists():
        raise fail(f"the PyTorch of {sys.executable} has no stable ABI: 2.9 or later is needed")
    return folder


def build(prefix: Path, target: Path) -> None:
    """Compiles and links the object."""
    torch, library = torch_folder(), library_of(prefix)
    sources = sorted(path.name for path in (HERE / "src").glob("*.cc"))
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"]
    command += ["-Wall", "-Wextra", "-Wconversion"]
    command += ["-isystem", str(torch / "include"), "-I", str(prefix / "include"), *sources]
    command += ["-shared", "-o", str(target)]
    # Both libraries are loaded before the object is, so their names suffice; the folder is for programs without Python.
    command += [str(library), "-L", str(torch / "lib"), "-Wl,--as-needed", "-ltorch_cpu"]
    command += ["-Wl,-rpath,$ORIGIN/../lib", "-Wl,--version-script=exports.map", "-Wl,-z,now", "-s"]
    if subprocess.run(command, cwd=HERE / "src", check=False).returncode:
        raise fail("the operators were not built")


def contents(prefix: Path) -> Dict[str, bytes]:
    """Everything but the metadata, by its name in the wheel."""
    modules = sorted((HERE / "xlashape/torch").glob("*.py"))
    files = {f"xlashape/torch/{path.name}": path.read_bytes() for path in modules}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / OBJECT
        build(prefix, target)
        files[f"xlashape/torch/{OBJECT}"] = target.read_bytes()
    return files


def metadata(version: str) -> str:
    fields = [
        "Metadata-Version: 2.4",
        "Name: xlashape-torch",
        f"Version: {version}",
        "Summary: XLA's layouts for PyTorch: relayouts as operators",
        "Keywords: xla,layout,tiling,relayout,pytorch,int4",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.10",
        f"Requires-Dist: xlashape =={version}",
        "Requires-Dist: torch >=2.9",
        "Classifier: Intended Audience :: Developers",
        "Classifier: Intended Audience :: Science/Research",
        "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Topic :: Scientific/Engineering",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def make(prefix: Path, out: Path) -> Path:
    """Writes the wheel; the same input gives the same bytes."""
    version, files = version_of(prefix), contents(prefix)
    return write(out, "xlashape_torch", version, files, metadata(version), platform_tag(), {})


# == PEP 517 ==


def prefix_of(config_settings: Optional[Dict[str, str]]) -> Path:
    given = (config_settings or {}).get("prefix") or os.environ.get("XLASHAPE_PREFIX")
    if not given:
        raise fail("set XLASHAPE_PREFIX to where xlashape is installed")
    return Path(given).resolve()


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, str]] = None) -> List[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    """Without this a front end builds everything once more, only to learn the name."""
    version = version_of(prefix_of(config_settings))
    info = Path(metadata_directory) / f"xlashape_torch-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(metadata(version), encoding="utf-8")
    (info / "WHEEL").write_text(wheel_file(platform_tag()), encoding="utf-8")
    return info.name


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    return make(prefix_of(config_settings), Path(wheel_directory)).name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    raise fail("there is no source distribution")


def main() -> int:
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    print(make(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
