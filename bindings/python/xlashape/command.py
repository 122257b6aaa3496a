# SPDX-License-Identifier: Apache-2.0
"""Where the `xlashape` command is; and the console script of a wheel, which becomes the command inside the wheel."""

from __future__ import annotations

import ctypes
import os
import signal
import stat
import sys
from ctypes import c_char_p, c_void_p
from pathlib import Path
from typing import Any, Iterator, List, Optional, Tuple, cast

from . import _raw as raw
from .errors import InvalidArgumentError, NotFoundError

_NAME = "xlashape"
_PACKAGED = Path(__file__).resolve().parent / "bin" / _NAME


def find() -> str:
    """The command's absolute path. Looked at in this order: the file that the environment variable XLASHAPE_COMMAND
    names, the folder `bin` inside this package (a wheel has it there), the folder `bin` of the prefix that the library
    in use is installed in, the absolute folders of PATH. The first that exists is taken; NotFoundError if none does."""
    chosen = os.environ.get("XLASHAPE_COMMAND")
    if chosen:
        if not os.path.isabs(chosen):
            # What lies in the working folder may be anybody's.
            raise InvalidArgumentError(f"XLASHAPE_COMMAND must be an absolute path, not {chosen!r}")
        return _checked(chosen, "named by XLASHAPE_COMMAND")
    looked: List[str] = []
    for path, how in _fixed_places():
        if os.path.exists(path):
            return _checked(path, how)
        looked.append(f"{path} ({how})")
    folders = os.get_exec_path()
    for folder in folders:
        path = os.path.join(folder, _NAME)
        if os.path.isabs(folder) and _runs(path):
            return path
    looked.append(f"the absolute folders of PATH ({os.pathsep.join(folders)})")
    raise NotFoundError(
        f"the command {_NAME} was not found; looked for: {', '.join(looked)}. Install it, or set XLASHAPE_COMMAND to "
        "its absolute path"
    )


def _checked(path: str, how: str) -> str:
    if _runs(path):
        return path
    state = "is not an executable file" if os.path.exists(path) else "does not exist"
    raise NotFoundError(f"the command {path} ({how}) {state}")


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _fixed_places() -> Iterator[Tuple[str, str]]:
    yield str(_PACKAGED), "inside the package"
    library = _library_file()
    prefix = None if library is None else _prefix_of(library)
    if library is None or prefix is None:
        return
    path = prefix / "bin" / _NAME
    if not path.exists() or _of_the_same_owner(path, library):
        yield str(path), "beside the library"


class _Symbol(ctypes.Structure):
    """Dl_info"""

    _fields_ = [("file", c_char_p), ("base", c_void_p), ("name", c_char_p), ("address", c_void_p)]


def _library_file() -> Optional[Path]:
    """The library in use, where the system tells that."""
    try:
        dladdr = ctypes.CDLL(None).dladdr
    except (OSError, AttributeError, TypeError):
        return None
    symbol, function = _Symbol(), cast(Any, raw.version)
    if not dladdr(ctypes.cast(function, c_void_p), ctypes.byref(symbol)) or not symbol.file:
        return None
    path = os.fsdecode(symbol.file)
    # A relative one is of the working folder that the process had when the library was loaded.
    return Path(path).resolve() if os.path.isabs(path) else None


def _prefix_of(library: Path) -> Optional[Path]:
    """PREFIX of PREFIX/lib/... and of PREFIX/lib64/..., with a folder of the processor's name or without."""
    for folder in (library.parent, library.parent.parent):
        if folder.name in ("lib", "lib32", "lib64"):
            return folder.parent
    return None


def _of_the_same_owner(path: Path, library: Path) -> bool:
    """Whether it is no other user who put the command there: a library may lie in a folder below a public one."""
    command = path.stat()
    return command.st_uid in (0, library.stat().st_uid) and not command.st_mode & stat.S_IWOTH


def main() -> int:
    """Becomes the command inside the package, with the same arguments; returns only if that is impossible."""
    path = str(_PACKAGED)
    # Python ignores these two, and the command would inherit that.
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        # As shells say it: the command's own exit codes are smaller.
        print(f"{_NAME}: {path} cannot be run: {error.strerror}", file=sys.stderr)
        return 126 if os.path.exists(path) else 127
