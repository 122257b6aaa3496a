# SPDX-License-Identifier: Apache-2.0
"""What a program's layouts cost, read from a dump: the answer of the command `xlashape scan`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from operator import index
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import command
from ._call import utf8
from .errors import (
    IncompatibleError,
    InternalError,
    InvalidArgumentError,
    UnsupportedError,
    XlashapeError,
    from_status,
)
from .target import Target

Path = Union[str, "os.PathLike[str]"]


def scan(
    what: Any,
    *,
    target: Optional[Union[str, Target]] = None,
    all: bool = False,
    top: Optional[int] = None,
) -> Dict[str, Any]:
    """What `xlashape scan --json` says, as dicts, lists, strings and numbers; docs/scan.md has the fields.

    what: a path of a dump's file or folder, or a list of paths; or the text itself: bytes, a string with a line feed or
    one that begins with "HloModule" or "module ", or an object with a method as_text, as jax.stages.Lowered and
    Compiled are; of Compiled also what memory_analysis() tells, as one of the "reports". An exception stands for its
    text: the error that memory did not suffice. A path that looks like a text can be given as a pathlib.Path.
    target: a machine like "tpu:v5e", whose layouts arrays without a layout get.
    all: the interiors of fusions, too.
    top: how many arrays of each list.

    InvalidArgumentError, ParseError and so on, with the command's message, for data that it cannot read;
    UnsupportedError where it recognizes nothing; NotFoundError where there is no command."""
    paths, text = _input(what)
    arguments = ["--json"]
    if target is not None:
        arguments.append(f"--target={Target(target).name}")
    if all:
        arguments.append("--all")
    if top is not None:
        arguments.append(f"--top={index(top)}")
    program = command.find()
    line = [program, "scan", *arguments, *paths]
    # A process has either, and must not read this one's standard input.
    given: Dict[str, Any] = {"stdin": subprocess.DEVNULL} if text is None else {"input": text}
    run = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **given)
    return _answer(program, run.returncode, run.stdout, run.stderr)


def _input(what: Any) -> Tuple[List[str], Optional[bytes]]:
    """Paths for the command line, and the text for standard input."""
    if isinstance(what, (bytes, bytearray, memoryview)):
        return ["-"], bytes(what)
    if isinstance(what, BaseException):
        return ["-"], utf8(str(what), "the text")
    if isinstance(what, str) and _is_text(what):
        return ["-"], utf8(what, "the text")
    if isinstance(what, (str, os.PathLike)):
        return [_path(what)], None
    if isinstance(what, (list, tuple)):
        return _paths(what), None
    as_text = getattr(what, "as_text", None)
    if not callable(as_text):
        raise TypeError(
            f"a path, a list of paths, a text or an object with as_text() is wanted, not {type(what).__name__}"
        )
    text = as_text()
    if not isinstance(text, str):
        raise UnsupportedError(f"as_text() of {type(what).__name__} gave no text, but {type(text).__name__}")
    return ["-"], utf8(text + _memory(what), "the text")


def _memory(what: Any) -> str:
    """What the compiler says of memory, as a line of its own; not every backend does."""
    analysis = getattr(what, "memory_analysis", None)
    if not callable(analysis):
        return ""
    try:
        stats = str(analysis())
    except Exception:  # jax promises no kind
        return ""
    return f"\n{stats}\n" if stats.startswith("CompiledMemoryStats(") else ""


def _is_text(what: str) -> bool:
    return "\n" in what or what.startswith(("HloModule", "module "))


def _paths(what: Sequence[Any]) -> List[str]:
    if not what:
        raise InvalidArgumentError("the list of paths is empty")
    for number, path in enumerate(what):
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path {number} must be str or os.PathLike, not {type(path).__name__}")
        if isinstance(path, str) and _is_text(path):
            raise InvalidArgumentError(f"path {number} is a text: a list may have paths only", index=number)
    return [_path(path) for path in what]


def _path(what: Path) -> str:
    path = os.fsdecode(what)
    if not path or "\0" in path:
        raise InvalidArgumentError(f"{path!r} is no path")
    # Neither an option nor standard input.
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def _answer(program: str, code: int, out: bytes, err: bytes) -> Dict[str, Any]:
    try:
        said = json.loads(out)
    except ValueError:
        said = None
    if code == 0:
        if isinstance(said, dict):
            return said
        raise InternalError(f"{program} printed no JSON object")
    if code < 0:
        raise InternalError(f"{program} was ended by {_signal(-code)}")
    raise _failure(program, code, said, err.decode("utf-8", "replace"))


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _failure(program: str, code: int, said: Any, printed: str) -> XlashapeError:
    error = said.get("error") if isinstance(said, dict) else None
    error = error if isinstance(error, dict) else {}
    # Without JSON what it printed for people tells more than the code.
    printed = printed.strip()
    if printed.startswith("xlashape: "):
        printed = printed[len("xlashape: ") :]
    message = str(error.get("message") or printed or f"{program} ended with exit code {code}")
    offset = error.get("offset")
    at = offset if isinstance(offset, int) else -1
    if code == 2 and "is not a subcommand" in message:
        return IncompatibleError(f"{program} has no subcommand scan: it is older than this package")
    if code == 2:
        return InvalidArgumentError(message, offset=at)
    if code == 3:
        return UnsupportedError(message, offset=at)
    if code == 1:
        return from_status(str(error.get("code")), message, offset=at)
    return InternalError(f"{program} ended with exit code {code}: {message}")
