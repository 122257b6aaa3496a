"""Runtimes: the backends, and the hooks of the program that uses the library."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from ctypes import sizeof
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Union

from . import _raw as raw
from ._call import Closable, Handle, RuntimeHandle, call, int32, int64, make, text
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
    memory_space: int
    device_count: int  # 0 for what only works on the CPU; -1 not known yet
    path: str  # "" for one that is linked in
    detail: str  # build and targets when ready; stage and reason when failed


def _callback(struct: Any, field: str) -> Any:
    """The type of a struct's callback."""
    return dict(struct._fields_)[field]


class _Tasks:
    """One parallel_for: gives out workers' numbers, and sees to it that each index runs once, while the call lasts."""

    def __init__(self, count: int, max_workers: int, opaque: int, task: Any) -> None:
        self.count = count
        self.opaque = opaque
        self.task = task
        self.free = list(range(max_workers))
        self.workers = max_workers
        self.started = bytearray(count)
        self.open = True
        self.changed = threading.Condition()

    def __call__(self, index: int) -> None:
        with self.changed:
            if not 0 <= index < self.count:
                raise IndexError(f"task {index} of {self.count}")
            while self.open and not self.free:
                self.changed.wait()
            if not self.open:
                raise RuntimeError(f"task {index} was started after the executor had returned")
            if self.started[index]:
                raise RuntimeError(f"task {index} was started twice")
            self.started[index] = 1
            worker = self.free.pop()
        try:
            self.task(self.opaque, index, worker)
        finally:
            with self.changed:
                self.free.append(worker)
                self.changed.notify_all()

    def close(self) -> None:
        """Waits for tasks in progress: what they work on goes when the callback returns."""
        with self.changed:
            self.open = False
            while len(self.free) < self.workers:
                self.changed.wait()
            self.changed.notify_all()

    def check(self) -> None:
        left = self.started.count(0)
        if left:
            raise RuntimeError(f"the executor returned with {left} of {self.count} tasks not run")


class _Hooks:
    """The callbacks of one runtime. What an executor raises waits here, per thread, for the call to return: exceptions
    never cross C."""

    def __init__(self, executor: Optional[Executor], max_workers: int, log: Optional[Log]) -> None:
        self.raised: Dict[int, BaseException] = {}
        self.executor = raw.executor(sizeof(raw.executor), max_workers)
        self.logger = raw.logger(sizeof(raw.logger))
        if executor is not None:
            self.executor.parallel_for = self._parallel_for(executor, max_workers)
        if log is not None:
            self.logger.log = self._log(log)

    def _parallel_for(self, executor: Executor, max_workers: int) -> Any:
        raised = self.raised

        def parallel_for(_: Optional[int], count: int, opaque: int, task: Any) -> int:
            tasks = _Tasks(count, max_workers, opaque, task)
            try:
                try:
                    executor(count, tasks)
                finally:
                    tasks.close()
                tasks.check()
            except BaseException as error:  # KeyboardInterrupt, too, has to wait
                raised[threading.get_ident()] = error
                return 1
            return 0

        return _callback(raw.executor, "parallel_for")(parallel_for)

    @staticmethod
    def _log(log: Log) -> Any:
        def write(_: Optional[int], level: int, source: int, address: int, length: int) -> None:
            try:
                log(level, source, in_python(ctypes.string_at(address, length).decode("utf-8", "replace")))
            except BaseException:
                sys.excepthook(*sys.exc_info())

        return _callback(raw.logger, "log")(write)

    def take(self) -> Optional[BaseException]:
        return self.raised.pop(threading.get_ident(), None)


class Runtime(Closable[RuntimeHandle]):
    """Backends and hooks. Plans and batches without one use the library's default. Any thread may use it. It can be
    neither copied nor pickled: its backends, its threads and its hooks are this process's."""

    _noun = "runtime"

    def __init__(
        self,
        *,
        backend_dirs: Union[str, Sequence[str], None] = None,
        threads: int = 0,
        executor: Optional[Executor] = None,
        max_workers: int = 0,
        log: Optional[Log] = None,
        environment: bool = True,
        library_dir: bool = True,
        install_dir: bool = True,
        verify_positions: int = 0,
    ) -> None:
        """backend_dirs: folders to look in first. threads: more than 1 is a pool of the library's. executor(count,
        task): calls task(i) for each i in range(count), from any thread, at most max_workers (default: the processors)
        at a time, and returns when all are done; what it raises comes out of the call that needed it. log(level,
        source, text). environment, library_dir, install_dir: whether environment variables are read, and the folders
        beside the library and of its installation are looked in. verify_positions: so many of each execution are
        checked after it, against the index maps of both shapes; what is wrong is an InternalError. 0: as
        XLASHAPE_VERIFY says, else none."""
        workers = int64(max_workers, "max_workers") or os.cpu_count() or 1
        if executor is not None and not callable(executor):
            raise TypeError(f"an executor is called with (count, task); {type(executor).__name__} cannot be")
        if not 0 < workers < 1 << 31:
            raise ValueError(f"max_workers is {max_workers}")
        if int64(verify_positions, "verify_positions") < 0:
            raise ValueError(f"verify_positions is {verify_positions}")
        hooks = _Hooks(executor, workers, log)
        options = raw.runtime_options(sizeof(raw.runtime_options))
        options.flags = (
            (0 if environment else raw.RUNTIME_NO_ENVIRONMENT)
            | (0 if library_dir else raw.RUNTIME_NO_LIBRARY_DIR)
            | (0 if install_dir else raw.RUNTIME_NO_INSTALL_DIR)
        )
        if backend_dirs is not None:
            folders = [backend_dirs] if isinstance(backend_dirs, (str, os.PathLike)) else list(backend_dirs)
            joined = os.fsencode(":".join(os.fspath(folder) for folder in folders))
            if b"\0" in joined:
                raise InvalidArgumentError(f"backend_dirs holds a NUL: {joined!r}")
            options.backend_dirs = joined
        options.threads = int32(threads, "threads")
        options.verify_positions = int64(verify_positions, "verify_positions")
        if executor is not None:
            options.executor = ctypes.pointer(hooks.executor)
        if log is not None:
            options.logger = ctypes.pointer(hooks.logger)
        handle = make(RuntimeHandle, raw.runtime_create, options)
        handle.keep = hooks
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

    def load_backend(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Loads the backend in that shared object or manifest. It is never unloaded."""
        encoded = os.fsencode(path)
        call(raw.runtime_load_backend, self._open(), encoded, len(encoded))

    @property
    def backends(self) -> List[Backend]:
        """All that were found, ready or not."""
        return _backends(self._open())

    def report(self) -> str:
        """Every place looked at, what was there, and why it is or is not in use: one line each."""
        return in_python(text(raw.runtime_report, self._open()))


def _backends(handle: Optional[RuntimeHandle]) -> List[Backend]:
    found = []
    for ordinal in range(raw.runtime_backend_count(handle)):
        info = raw.backend_info(sizeof(raw.backend_info))
        call(raw.runtime_backend_info, handle, ordinal, info)
        numbers = (info.abi_version, info.priority, info.memory_space, info.device_count)
        name, path, detail = (field.decode("utf-8", "replace") for field in (info.name, info.path, info.detail))
        found.append(Backend(name, BackendState(info.state), *numbers, path, detail))
    return found


def backends() -> List[Backend]:
    """All that the default runtime found, ready or not."""
    return _backends(None)


def report() -> str:
    """The default runtime's: every place looked at, what was there, and why it is or is not in use."""
    return in_python(text(raw.runtime_report, None))


def handle_of(runtime: Optional[Runtime]) -> Optional[RuntimeHandle]:
    if runtime is None:
        return None
    if not isinstance(runtime, Runtime):
        raise TypeError(f"a Runtime is wanted, not {type(runtime).__name__}")
    return runtime._open()


def without_runtime(handle: Handle, noun: str) -> None:
    """What was made with a runtime cannot be made again from a pickle."""
    if handle.keep is not None:
        raise TypeError(
            f"a {noun} of a Runtime cannot be pickled: pickle its shapes, and make it again with a Runtime there"
        )


def raised_in(handle: Optional[RuntimeHandle]) -> Optional[BaseException]:
    """What the runtime's executor raised during the call that this thread just made."""
    return handle.keep.take() if handle is not None else None
