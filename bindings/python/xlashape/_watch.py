"""Executions with checks between their tasks."""

from __future__ import annotations

import signal
import threading
from ctypes import c_int32, pointer
from typing import Any, Callable, Dict, List, Optional, Union

from . import _raw as raw
from ._call import run
from .errors import CancelledError

Progress = Callable[[int, int], Any]
Keep = Callable[[BaseException], None]


def watched(
    control: Union[raw.exec, raw.calibrate_options],
    progress: Optional[Progress],
    function: Callable[..., int],
    *arguments: Any,
) -> None:
    """The call of C that executes `control`: has `progress` hear of its tasks. What `progress` raises, or a signal's
    handler between the tasks, ends the execution and comes out of here."""
    if progress is None:
        return run(function, *arguments)
    if not callable(progress):
        raise TypeError(f"progress is called with (done, count); {type(progress).__name__} cannot be")
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

    control.cancel, control.progress = pointer(cancel), raw.progress(hear)
    signals = _Signals(keep)
    try:
        signals.take()
        run(function, *arguments)
    except CancelledError:
        if not raised:
            raise
    finally:
        signals.give_back()
    if raised:
        raise raised.pop()  # no longer in a variable, which its traceback would refer to
    return None


class _Signals:
    """Handlers of signals run as usual, but what they raise goes to `keep`. Python runs them as the next function
    begins, which is the one that C calls: it has no chance to catch that, and ctypes would report and forget it."""

    def __init__(self, keep: Keep) -> None:
        self.keep = keep
        self.handlers: Dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():  # where they run
            found = ((number, signal.getsignal(number)) for number in signal.valid_signals())
            self.handlers.update((number, handler) for number, handler in found if callable(handler))
        self.ours = self.handle  # the same object each time

    def handle(self, number: int, frame: Any) -> None:
        try:
            self.handlers[number](number, frame)
        except BaseException as error:
            self.keep(error)

    def take(self) -> None:
        try:
            for number in self.handlers:
                signal.signal(number, self.ours)
        except ValueError as error:
            if "main thread" not in str(error):
                raise  # of a handler
            # Refused, as in a sub-interpreter: handlers run elsewhere.

    def give_back(self) -> None:
        for _ in range(10):  # as what a handler raises that is its own again ends the attempt
            try:
                for number, handler in self.handlers.items():
                    if signal.getsignal(number) is self.ours:  # `progress` may have set another
                        signal.signal(number, handler)
                break
            except BaseException as error:
                self.keep(error)
        del self.ours  # it refers to this
