# SPDX-License-Identifier: Apache-2.0
"""Exceptions: one class for each status of the C interface, all of them XlashapeError and, where Python has one that
means the same, that one too."""

from __future__ import annotations

import re
from typing import Dict, Type

from . import _raw as raw


class XlashapeError(Exception):
    """The library, or this package, said no. The message names the place and the value.

    code: the status number (0 < code); index: the failing element of a batch, or -1; offset: the byte in a parsed text,
    or -1; source: 0 the library, else 1 + the ordinal of the backend that reported it.
    """

    code = raw.STATUS_INTERNAL

    def __init__(self, message: str = "", *, index: int = -1, offset: int = -1, source: int = 0) -> None:
        super().__init__(message)
        self.index = index
        self.offset = offset
        self.source = source

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message} (at byte {self.offset})" if self.offset >= 0 else message

    @property
    def status(self) -> str:
        """The status's name: "OUT_OF_RANGE" and so on."""
        return str(raw.status_name(self.code).decode())


class InvalidArgumentError(XlashapeError, ValueError):
    """Breaks a rule of a shape, a layout or a call; a wrong dtype or a read-only output among them."""

    code = raw.STATUS_INVALID_ARGUMENT


class ClosedError(InvalidArgumentError):
    """A plan, runtime or index map that was closed is used."""


class OutOfRangeError(XlashapeError, IndexError, ValueError):
    """An index, a path or the size of a buffer."""

    code = raw.STATUS_OUT_OF_RANGE


class SizeOverflowError(XlashapeError, OverflowError):
    """A size that does not fit 64 bits."""

    code = raw.STATUS_OVERFLOW


class ParseError(XlashapeError, ValueError):
    """Text or bytes that are no shape: see `offset`."""

    code = raw.STATUS_PARSE


class UnsupportedError(XlashapeError, NotImplementedError):
    """Well-formed, but without an answer: the strides of a tiled layout, the size of an unbounded shape."""

    code = raw.STATUS_UNSUPPORTED


class NotFoundError(XlashapeError, LookupError):
    """A name, a layout or a backend that is not there."""

    code = raw.STATUS_NOT_FOUND


class IncompatibleError(XlashapeError):
    """Uses what the library, or a backend, does not know."""

    code = raw.STATUS_INCOMPATIBLE


class NoMemoryError(XlashapeError, MemoryError):
    """An allocation failed; nothing changed."""

    code = raw.STATUS_NO_MEMORY


class DeviceError(XlashapeError, RuntimeError):
    """A device, or its driver, failed."""

    code = raw.STATUS_DEVICE


class BusyError(XlashapeError, RuntimeError):
    """A backend is in use and cannot be shared, or there is a default runtime already."""

    code = raw.STATUS_BUSY


class CancelledError(XlashapeError, RuntimeError):
    """An executor gave up, or `progress` said False."""

    code = raw.STATUS_CANCELLED


class InternalError(XlashapeError, RuntimeError):
    """A bug of the library: please report it."""

    code = raw.STATUS_INTERNAL


_CLASSES: Dict[int, Type[XlashapeError]] = {kind.code: kind for kind in XlashapeError.__subclasses__()}


# What the library's messages call by C's names, and what it is here. Fields of C's structs are parameters of that name.
_TERMS = {
    **{f"options.{name}": name for name, _ in raw.runtime_options._fields_ + raw.relayout_options._fields_},
    "options.budget_ns": "seconds",
    **{f"options.{name}": name for name, _ in raw.execute_options._fields_},
    **{f"how.{name}": name for name, _ in raw.measure_options._fields_},
    "how.budget_ns": "measure",
    "queue.kind": "queue_kind",
    "queue.handle": "queue",
    "XLASHAPE_THREADS_ALL": '"all"',
    "XLASHAPE_NOTATION_": "Notation",
    "xlashape_shape_window_granularity": "window_granularity",
}
_TERM = re.compile(r"\b(?:" + "|".join(re.escape(term) for term in _TERMS) + r")\b")


def in_python(message: str) -> str:
    """A message of the library's, with Python's names for what it speaks of."""
    return _TERM.sub(lambda found: _TERMS[found.group()], message)


def from_record(record: raw.error) -> XlashapeError:
    """The exception for a filled error record."""
    message = in_python(record.message.decode("utf-8", "replace"))
    kind = _CLASSES.get(record.code)
    error = (kind or XlashapeError)(message, index=record.index, offset=record.offset, source=record.source)
    if kind is None:
        error.code = record.code
    return error


def from_status(status: str, message: str, *, offset: int = -1) -> XlashapeError:
    """The exception for a status by its name: "OUT_OF_RANGE" and so on."""
    kinds = (kind for kind in _CLASSES.values() if raw.status_name(kind.code) == status.encode())
    return next(kinds, XlashapeError)(message, offset=offset)
