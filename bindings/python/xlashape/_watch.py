"""Executions with checks between their tasks."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from ctypes import c_int32, pointer
from typing import Any, Callable, Iterator, List, Optional, Union

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

    def kept(handler: Any) -> Any:
        def handle(number: int, frame: Any) -> None:
            try:
                handler(number, frame)
            except BaseException as error:
                keep(error)

        return handle

    found = {number: signal.getsignal(number) for number in signal.valid_signals()}
    handlers = {number: handler for number, handler in found.items() if callable(handler)}
    try:
        for number, handler in handlers.items():
            signal.signal(number, kept(handler))
        yield
    finally:
        for number in list(handlers):
            while number in handlers:
                try:
                    signal.signal(number, handlers[number])
                    del handlers[number]
                except BaseException as error:  # of a handler that is its own again
                    keep(error)
