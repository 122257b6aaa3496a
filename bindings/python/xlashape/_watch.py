# SPDX-License-Identifier: Apache-2.0
"""Executions with checks between their tasks."""

from __future__ import annotations

import signal
import threading
from ctypes import c_int32, pointer
from types import MethodType
from typing import Any, Callable, Dict, List, Optional, Union

from . import _raw as raw
from ._call import call, callbacks_wanted
from .errors import CancelledError

Progress = Callable[[int, int], Any]
Keep = Callable[[BaseException], None]


def watched(
    control: Union[raw.execute_options, raw.calibrate_options],
    progress: Optional[Progress],
    function: Callable[..., int],
    *arguments: Any,
) -> None:
    """The call of C that executes `control`: has `progress` hear of its tasks. What `progress` raises, or a signal's
    handler between the tasks, ends the execution and comes out of here."""
    if progress is None:
        return call(function, *arguments)
    if not callable(progress):
        raise TypeError(f"progress is called with (done, count); {type(progress).__name__} cannot be")
    callbacks_wanted("progress")
    listener, cancel = progress, c_int32()
    raised: List[BaseException] = []

    def keep(error: BaseException) -> None:
        if not raised:
            raised.append(error)
        cancel.value = 1

    def hear(_: int, done: int, count: int) -> None:
        try:
            if not cancel.value and listener(done, count) is False:
                cancel.value = 1
        except BaseException as error:
            keep(error)

    control.cancel, control.progress = pointer(cancel), raw.progress_fn(hear)
    signals = _Signals(keep)
    try:
        try:
            signals.take()
            call(function, *arguments)
        except CancelledError:
            if not raised:
                raise
        finally:
            signals.keep = None
            signals.give_back(keep)
        if raised:
            raise raised[0]
    finally:
        del raised[:]  # the traceback refers to the list, too


class _Signals:
    """Handlers of signals run as usual, but what they raise goes to `keep`. Python runs them as the next function
    begins, which is the one that C calls: it has no chance to catch that, and ctypes would report and forget it.
    Without `keep`, when the execution has ended, one that is still there passes on what it is called for, and goes."""

    def __init__(self, keep: Keep) -> None:
        self.keep: Optional[Keep] = keep
        self.handlers: Dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():  # where they run
            found = ((number, _original(signal.getsignal(number), number)) for number in signal.valid_signals())
            self.handlers.update((number, handler) for number, handler in found if callable(handler))

    def handle(self, number: int, frame: Any) -> None:
        keep = self.keep
        if keep is None:
            self.give_one_back(number)
            self.handlers[number](number, frame)
            return
        try:
            self.handlers[number](number, frame)
        except BaseException as error:
            keep(error)

    def take(self) -> None:
        try:
            for number in self.handlers:
                signal.signal(number, self.handle)
        except ValueError as error:
            if "main thread" not in str(error):
                raise  # of a handler
            # Refused, as in a sub-interpreter: handlers run elsewhere.

    def give_back(self, keep: Keep) -> None:
        left, attempts = list(self.handlers), 0
        while left:
            try:
                while left:
                    self.give_one_back(left[-1])
                    left.pop()
            except BaseException as error:  # of another signal's handler, or of this one, which Python compares
                attempts += 1
                if attempts % 10 == 0:
                    left.pop()
                keep(error)

    def give_one_back(self, number: int) -> None:
        if _signals_of(signal.getsignal(number)) is self:  # `progress` may have set another
            signal.signal(number, self.handlers[number])


def _original(handler: Any, number: int) -> Any:
    """The handler behind those of executions that have ended."""
    signals = _signals_of(handler)
    while signals is not None and signals.keep is None:
        handler = signals.handlers[number]
        signals = _signals_of(handler)
    return handler


def _signals_of(handler: Any) -> Optional[_Signals]:
    """Whose `handle` it is. Handlers of programs are not asked: they may answer anything."""
    signals = handler.__self__ if type(handler) is MethodType else None
    return signals if type(signals) is _Signals else None
