"""Executions with checks between their tasks."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from ctypes import c_int32, pointer
from typing import Any, Callable, Dict, Iterator, List, Optional, Union

from . import _raw as raw
from .errors import CancelledError

Progress = Callable[[int, int], Any]
Keep = Callable[[BaseException], None]


@contextmanager
def watched(run: Union[raw.exec, raw.calibrate_options], progress: Optional[Progress]) -> Iterator[None]:
    """For the call of C that executes `run`: has `progress` hear of its tasks. What `progress` raises, or a signal's handler
    between the tasks, ends the execution and comes out of here."""
    if progress is None:
        yield
        return
    if not callable(progress):
        raise TypeError(f"progress is called with (done, count); {type(progress).__name__} cannot be")
    listener, cancel = progress, c_int32()
    raised: List[BaseException] = []

    def keep(error: BaseException) -> None:
        raised.append(error)
        cancel.value = 1

    def hear(_: int, done: int, count: int) -> None:
        try:
            if not cancel.value and listener(done, count) is False:
                cancel.value = 1
        except BaseException as error:
            keep(error)

    run.cancel, run.progress = pointer(cancel), raw.progress(hear)
    try:
        with _signals_kept(keep):
            yield
    except CancelledError:
        if not raised:
            raise
    if raised:
        raise raised[0]


@contextmanager
def _signals_kept(keep: Keep) -> Iterator[None]:
    """Handlers of signals run as usual, but what they raise goes to `keep`. Python runs them as the next function begins,
    which is the one that C calls: it has no chance to catch that, and ctypes would report and forget it."""
    if threading.current_thread() is not threading.main_thread():
        yield  # they run on the main thread
        return

    def handle(number: int, frame: Any) -> None:
        try:
            handlers[number](number, frame)
        except BaseException as error:
            keep(error)

    found = ((number, signal.getsignal(number)) for number in signal.valid_signals())
    handlers: Dict[int, Any] = {number: handler for number, handler in found if callable(handler)}
    try:
        try:
            for number in handlers:
                signal.signal(number, handle)
        except ValueError as error:
            if "main thread" not in str(error):
                raise  # of a handler
            # Refused, as in a sub-interpreter: handlers run elsewhere.
        yield
    finally:
        for _ in range(10):  # as what a handler raises that is its own again ends the attempt
            try:
                for number, handler in handlers.items():
                    if signal.getsignal(number) is handle:  # `progress` may have set another
                        signal.signal(number, handler)
                break
            except BaseException as error:
                keep(error)
