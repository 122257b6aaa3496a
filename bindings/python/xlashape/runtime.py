# SPDX-License-Identifier: Apache-2.0
"""Runtimes: the backends, and the hooks of the program that uses the library."""

from __future__ import annotations

import ctypes
import itertools
import operator
import os
import sys
import threading
from ctypes import addressof, c_char, c_int64, sizeof
from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    List,
    Literal,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Union,
)

from . import _raw as raw
from ._call import (
    ISOLATED,
    Closable,
    RuntimeHandle,
    call,
    callbacks_wanted,
    device_number,
    heard,
    heard_from_the_start,
    hooks,
    int32,
    int64,
    keep_for_ever,
    name_for_c,
    nanoseconds,
    number,
    status,
    text,
    utf8,
)
from ._watch import Progress, watched
from .enums import BackendState
from .errors import InvalidArgumentError, in_python

Task = Callable[[int], None]
Executor = Callable[[int, Task], Any]
Log = Callable[[int, int, str], Any]


class Backend(NamedTuple):
    """A backend that was found, ready or not."""

    name: str
    state: BackendState
    abi_version: int  # of the plugin ABI; 0 unless ready
    priority: int  # in selection
    memory_spaces: FrozenSet[int]  # that it works in: MemorySpace, or a number of one's own; empty unless ready
    device_count: int  # 0 for what only works on the CPU; -1 not known yet
    path: str  # "" for one that is linked in
    detail: str  # build and targets when ready; stage and reason when failed


def _callback(struct: Any, field: str) -> Any:
    """The type of a struct's callback."""
    return dict(struct._fields_)[field]


class _Tasks:
    """One parallel_for: task(i) runs each index once, and only during the call."""

    def __init__(self, count: int, max_workers: int, opaque: int, task: Any) -> None:
        self.count = count
        self.max_workers = max_workers
        self.opaque = opaque
        self.task = task
        self.left = set(range(count))
        self.numbers = itertools.count()
        self.of_threads: Dict[int, int] = {}
        self.open = True

    def __call__(self, index: int) -> None:
        index = operator.index(index)
        if not 0 <= index < self.count:
            raise IndexError(f"task {index} of {self.count}")
        if not self.open:
            raise RuntimeError(f"task {index} was started after the executor had returned")
        try:
            self.left.remove(index)  # which only one thread can
        except KeyError:
            raise RuntimeError(f"task {index} was started twice") from None
        thread = threading.get_ident()
        if thread not in self.of_threads:
            self.of_threads[thread] = next(self.numbers) % self.max_workers
        self.task(self.opaque, index, self.of_threads[thread])


# C releases a hook. A method that is not written in Python: no signal's handler can come in between, and it works when,
# at the interpreter's end, this module is gone before the last runtime is.
_released = raw.release_fn(hooks.pop)
keep_for_ever(_released)
keep_for_ever(hooks)


def _executor(executor: Executor, max_workers: int) -> raw.executor:
    # Exceptions may be raised between any two instructions (Ctrl-C, a time limit). C waits for the tasks that run when
    # this returns, however it does, and those that come later do nothing in C.
    def parallel_for(_: int, count: int, opaque: int, task: Any) -> int:
        call = None
        try:
            try:
                call = heard()
                tasks = _Tasks(count, max_workers, opaque, task)
                try:
                    executor(count, tasks)
                finally:
                    tasks.open = False
                if not tasks.left:
                    return 0
                raise RuntimeError(f"the executor returned with {len(tasks.left)} of {count} tasks not run")
            except BaseException as error:
                (call or heard()).error = error
        except BaseException as error:  # one that came where the first had just been caught
            (call or heard()).error = error
        return 1

    heard_from_the_start(parallel_for)
    callback = _callback(raw.executor, "parallel_for")(parallel_for)
    hook = raw.executor(sizeof(raw.executor), max_workers, None, callback, _released)
    hook.opaque = addressof(hook)
    return hook


def _logger(log: Log) -> raw.logger:
    def write(_: int, level: int, source: int, address: int, length: int) -> None:
        try:
            log(level, source, in_python(ctypes.string_at(address, length).decode("utf-8", "replace")))
        except Exception:
            sys.excepthook(*sys.exc_info())
        except BaseException as error:  # KeyboardInterrupt, SystemExit
            call = heard()
            if call is None:  # on a thread of the library
                raise
            call.error = error

    heard_from_the_start(write)
    callback = _callback(raw.logger, "log")(write)
    hook = raw.logger(sizeof(raw.logger), 0, None, callback, _released)
    hook.opaque = addressof(hook)
    return hook


def _part(entry: str, what: str, unfit: str) -> bytes:
    """Checks a text of a list that C splits at characters which the text must not contain."""
    encoded = name_for_c(entry, what)
    for character in unfit:
        if character in entry:
            raise InvalidArgumentError(f"{what} holds {entry!r}, which has {character!r} in it")
    return encoded


def _backend_dirs(given: Any) -> bytes:
    separator = b";" if sys.platform == "win32" else b":"
    alone = isinstance(given, (str, bytes, os.PathLike))
    folders = [os.fsencode(folder) for folder in ([given] if alone else given)]
    for folder in folders:
        if b"\0" in folder:
            raise InvalidArgumentError(f"backend_dirs holds a NUL: {folder!r}")
        if separator in folder and not isinstance(given, str):  # which may be several, as in C
            raise InvalidArgumentError(f"backend_dirs holds {folder!r}, which has {separator.decode()!r} in it")
    return separator.join(folders)


def _backend_options(options: Mapping[str, str]) -> bytes:
    if not isinstance(options, Mapping):
        raise TypeError(f"backend_options must be a mapping, not {type(options).__name__}")
    what = "backend_options"
    return b";".join(_part(key, what, "=;") + b"=" + _part(value, what, ";") for key, value in options.items())


class Runtime(Closable[RuntimeHandle]):
    """Backends and hooks. Plans and batches without one use the library's default. Any thread may use it. It can be
    neither copied nor pickled: its backends, threads and hooks belong to this process."""

    _noun = "runtime"

    def __init__(
        self,
        *,
        backend_dirs: Union[str, Sequence[str], None] = None,
        threads: Union[int, Literal["all"]] = 0,
        executor: Optional[Executor] = None,
        max_workers: int = 0,
        log: Optional[Log] = None,
        environment: bool = True,
        library_dir: bool = True,
        install_dir: bool = True,
        load_now: bool = False,
        verify_count: int = 0,
        backend: Optional[str] = None,
        denied_backends: Union[str, Iterable[str], None] = None,
        cpu: Optional[str] = None,
        backend_options: Optional[Mapping[str, str]] = None,
        profile: Optional[str] = None,
    ) -> None:
        """backend_dirs: folders to look in first. threads: more than 1 makes a pool of the library; "all" are as many
        as there are processors that the process may use; 0: as XLASHAPE_THREADS says, else 1. executor(count,
        task): calls task(i) for each i in range(count), from any thread, at most max_workers (default: the processors)
        at a time, and returns when all are done; its exceptions are raised by the call that needed it. log(level,
        source, text). Both are released when the runtime and all plans made with it are released; one that refers to
        its runtime keeps it until that is closed. environment, library_dir, install_dir: whether environment variables
        are read, and whether the folders next to the library and of its installation are searched. load_now: loads all
        backends here, for example before a sandbox closes, and not when a plan needs them. verify_count:
        how many positions of each execution are checked after it, against the index maps of both shapes; an error is an
        InternalError. 0: as XLASHAPE_VERIFY says, else none. backend: for plans that name none; "simd" is required,
        "simd,*" is preferred. denied_backends: names that are never used, even if requested. cpu: a level of
        XLASHAPE_CPU; processor features above it are not used. backend_options: {"cuda.kernels": "portable"}, for the
        backend of that name. profile: what `calibrate` gave on this processor; one of another is not used, and the
        report says so; "" is none. Values given here take precedence over the environment variables of these names;
        None leaves the choice to these."""
        workers = int64(max_workers, "max_workers") or os.cpu_count() or 1
        if executor is not None and not callable(executor):
            raise TypeError(f"an executor is called with (count, task); {type(executor).__name__} cannot be")
        if log is not None and not callable(log):
            raise TypeError(f"a log is called with (level, source, text); {type(log).__name__} cannot be")
        if not 0 < workers < 1 << 31:
            raise ValueError(f"max_workers is {max_workers}")
        if int64(verify_count, "verify_count") < 0:
            raise ValueError(f"verify_count is {verify_count}")
        options = raw.runtime_options(sizeof(raw.runtime_options))
        options.flags = (
            (0 if environment else raw.RUNTIME_NO_ENVIRONMENT)
            | (0 if library_dir else raw.RUNTIME_NO_LIBRARY_DIR)
            | (0 if install_dir else raw.RUNTIME_NO_INSTALL_DIR)
            | (raw.RUNTIME_LOAD_NOW if load_now else 0)
        )
        options.threads = raw.THREADS_ALL if threads == "all" else int32(threads, "threads")
        options.verify_count = int64(verify_count, "verify_count")
        if backend_dirs is not None:
            options.backend_dirs = _backend_dirs(backend_dirs)
        if denied_backends is not None:
            names = [denied_backends] if isinstance(denied_backends, str) else denied_backends
            options.denied_backends = b",".join(_part(name, "denied_backends", ",") for name in names)
        if backend_options is not None:
            options.backend_options = _backend_options(backend_options)
        for name, value in (("backend", backend), ("cpu", cpu), ("profile", profile)):
            if value is not None:
                setattr(options, name, name_for_c(value, name))
        ours: List[Union[raw.executor, raw.logger]] = []
        if executor is not None:
            callbacks_wanted("an executor")
            ours.append(_executor(executor, workers))
            options.executor = ctypes.pointer(ours[-1])
        if log is not None:
            callbacks_wanted("a log")
            ours.append(_logger(log))
            options.logger = ctypes.pointer(ours[-1])
        handle = RuntimeHandle()
        hooks.update((hook.opaque, hook) for hook in ours)
        try:
            call(raw.runtime_create, options, handle)
        finally:
            if not handle:  # C has none of them
                for hook in ours:
                    del hooks[hook.opaque]
        self._handle = handle

    def __copy__(self) -> Runtime:
        raise TypeError("a Runtime cannot be copied: use this one, from any thread")

    def __reduce__(self) -> Any:
        raise TypeError("a Runtime cannot be pickled: make one in each process, with the same options")

    def __repr__(self) -> str:
        if self._handle is None:
            return "<xlashape.Runtime closed>"
        names = (f"{backend.name} {backend.state.name.lower()}" for backend in self.backends)
        return f"<xlashape.Runtime {', '.join(names)}>"

    def set_default(self) -> None:
        """Makes this the default runtime for the rest of the process, also if it is closed. BusyError where there is
        one, as it was set before, or something needed one."""
        call(raw.runtime_set_default, self._open())

    def load_backend(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Loads the backend in that shared object or manifest. It is never unloaded."""
        encoded = os.fsencode(path)
        call(raw.runtime_load_backend, self._open(), encoded, len(encoded))

    @property
    def backends(self) -> List[Backend]:
        """All backends that were found, ready or not."""
        handle, found = self._open(), []
        for ordinal in range(status(raw.runtime_backend_count, handle)):
            info = raw.backend_info(sizeof(raw.backend_info))
            call(raw.runtime_backend_info, handle, ordinal, info)
            name, path, detail = (
                text(raw.runtime_backend_text, handle, ordinal, which)
                for which in (raw.BACKEND_TEXT_NAME, raw.BACKEND_TEXT_PATH, raw.BACKEND_TEXT_DETAIL)
            )
            spaces = frozenset(space for space in range(64) if info.memory_spaces >> space & 1)
            numbers = (info.abi_version, info.priority, spaces, info.device_count)
            found.append(Backend(name, BackendState(info.state), *numbers, path, detail))
        return found

    def device_text(self, ordinal: int, device: Optional[int] = None) -> str:
        """One line about a device of the backend with that place in `backends`: None is the one that is current in the
        calling thread, or the first. NotFoundError for a backend that is not ready."""
        return text(raw.runtime_device_text, self._open(), int64(ordinal, "ordinal"), device_number(device))

    def report(self) -> str:
        """Every place that was searched, what was there, and why it is or is not in use: one line each."""
        return in_python(text(raw.runtime_report, self._open()))

    def calibrate(self, seconds: float = 10, progress: Optional[Progress] = None) -> str:
        """Measures the machine for about that long, and returns a profile of its processor, which takes effect in a
        Runtime(profile=...), or as the file at profile_path() in each that is made afterwards; this one does not
        change. Other work on the machine falsifies it. progress(done, count): called now and then; False ends this with
        a CancelledError. What it, Ctrl-C or the executor raises is raised here.
        UnsupportedError: no backend measures."""
        options = raw.calibrate_options(sizeof(raw.calibrate_options))
        options.budget_ns = nanoseconds(seconds, "seconds") or 1  # 0 is C's default
        out, needed = (c_char * raw.PROFILE_BYTES)(), c_int64()
        # Always watched, so that Ctrl-C ends it; which no isolated sub-interpreter hears.
        always = progress or (None if ISOLATED else lambda done, count: True)
        watched(options, always, raw.runtime_calibrate, self._open(), options, out, len(out), needed)
        return out.value.decode()

    def profile_path(self) -> str:
        """The file where the runtime looked for its profile, or would have without one; "" where it looks for none."""
        return text(raw.runtime_profile_path, self._open())

    def wisdom(self) -> str:
        """What plans with `measure` found to be fastest, as a text that can be stored: one line for each form of a
        relayout."""
        return text(raw.runtime_export_wisdom, self._open())

    def import_wisdom(self, wisdom: str) -> int:
        """Adds what an earlier `wisdom` returned, and returns how many entries were taken: none of another processor. A
        ParseError, and nothing is taken, for another text."""
        encoded = utf8(wisdom, "wisdom")
        return number(raw.runtime_import_wisdom, self._open(), encoded, len(encoded))

    def forget_wisdom(self) -> None:
        """Removes all of it. Plans that were made stay as they are."""
        raw.runtime_forget_wisdom(self._open())


class _Default(Runtime):
    """The library's own, which lasts as long as the process."""

    _handle = None

    def __init__(self) -> None:
        pass

    def _open(self) -> RuntimeHandle:
        return None  # type: ignore[return-value]  # which means this runtime to C


_default = _Default()


def backends() -> List[Backend]:
    """All backends that the default runtime found, ready or not."""
    return _default.backends


def device_text(ordinal: int, device: Optional[int] = None) -> str:
    """Runtime.device_text of the default runtime."""
    return _default.device_text(ordinal, device)


def report() -> str:
    """Runtime.report of the default runtime."""
    return _default.report()


def calibrate(seconds: float = 10, progress: Optional[Progress] = None) -> str:
    """Runtime.calibrate of the default runtime."""
    return _default.calibrate(seconds, progress)


def profile_path() -> str:
    """Runtime.profile_path of the default runtime."""
    return _default.profile_path()


def wisdom() -> str:
    """Runtime.wisdom of the default runtime."""
    return _default.wisdom()


def import_wisdom(wisdom: str) -> int:
    """Runtime.import_wisdom of the default runtime."""
    return _default.import_wisdom(wisdom)


def forget_wisdom() -> None:
    """Runtime.forget_wisdom of the default runtime."""
    _default.forget_wisdom()


def handle_of(runtime: Optional[Runtime]) -> Optional[RuntimeHandle]:
    if runtime is None:
        return None
    if not isinstance(runtime, Runtime):
        raise TypeError(f"a Runtime is wanted, not {type(runtime).__name__}")
    return runtime._open()


def without_runtime(of_a_runtime: bool, noun: str) -> None:
    """Objects that were made with a runtime cannot be pickled."""
    if of_a_runtime:
        raise TypeError(
            f"a {noun} of a Runtime cannot be pickled: pickle its shapes, and make it again with a Runtime there"
        )
