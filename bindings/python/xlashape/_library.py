# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared library, once, at import.

Looked at in this order: the file that the environment variable XLASHAPE_LIBRARY names, the folder `lib` inside this
package (a wheel has it there), what the system's loader finds. The first that exists is taken; there is no going on to
the next one when it does not load.
"""

import ctypes
import ctypes.util
import os
import sys
from pathlib import Path

NAMES = {"darwin": ["libxlashape.0.1.dylib", "libxlashape.dylib"], "win32": ["xlashape-0.1.dll", "xlashape.dll"]}.get(
    sys.platform, ["libxlashape.so.0.1", "libxlashape.so"]
)


def _find() -> "tuple[str, str]":
    """The name to load, and where it comes from."""
    chosen = os.environ.get("XLASHAPE_LIBRARY")
    if chosen:
        return chosen, "named by XLASHAPE_LIBRARY"
    folder = Path(__file__).resolve().parent / "lib"
    for name in NAMES:
        if (folder / name).exists():
            return str(folder / name), "inside the package"
    return _by_the_system(NAMES), "by the system's loader"


def _by_the_system(names: "list[str]") -> str:
    """The library of this minor version, if the system's loader has it: where several are installed, find_library may
    name any of them."""
    try:
        ctypes.CDLL(names[0])
        return names[0]
    except OSError:
        return ctypes.util.find_library(names[-1].split(".")[0].removeprefix("lib")) or names[0]


def load_draw() -> ctypes.CDLL:
    """libxlashape_draw: beside the library, else what the system's loader finds. ImportError otherwise."""
    library = Path(_find()[0])
    names = [name.replace("xlashape", "xlashape_draw") for name in NAMES]
    beside = [library.parent / name for name in names] if library.parent != Path() else []
    name = next((str(path) for path in beside if path.exists()), None) or _by_the_system(names)
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(
            f"pictures are drawn by a library of their own, which was not loaded: {error}. Install {names[0]} beside "
            "libxlashape: they are built and installed together"
        ) from None


def fits(library: int, package: int) -> bool:
    """Whether a library of the one version of the C interface can be used by a package made for the other. From 1.0 on
    minor versions only add; before, any may change the interface."""
    return library == package or (0 < package >> 16 == library >> 16 and library > package)


def load(abi_version: int) -> ctypes.CDLL:
    """The library, which must speak that version of the C interface. ImportError otherwise."""
    name, how = _find()
    try:
        # CDLL gives up the GIL during each call.
        library = ctypes.CDLL(name)
        ask = library.xlashape_abi_version
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"the shared library of xlashape was not loaded: {error} (looked for: {name}, {how}). Install the library, "
            "or set XLASHAPE_LIBRARY to the path of libxlashape.so.0.1"
        ) from None
    ask.restype = ctypes.c_uint32
    got = ask()
    if not fits(got, abi_version):
        raise ImportError(
            f"{name} ({how}) has version {got >> 16}.{got & 0xFFFF} of the C interface, this package needs "
            f"{abi_version >> 16}.{abi_version & 0xFFFF}"
        )
    return library
