# SPDX-License-Identifier: Apache-2.0
"""Calling C: error records, counted handles, answers of variable length."""

from __future__ import annotations

import ctypes
import importlib
import struct
import sys
import threading
import weakref
from ctypes import c_char, c_int64, c_void_p, py_object, sizeof
from math import ceil
from operator import index
from types import CodeType
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    Generic,
    Iterable,
    List,
    Optional,
    Set,
    Tuple,
    Type,
    TypeVar,
    overload,
)

from . import _raw as raw
from .errors import ClosedError, InvalidArgumentError, UnsupportedError, XlashapeError, from_record

# Error records that no call is using. list.pop and append are atomic, so that neither threads nor callbacks of a
# call in progress ever share one.
_records: List[raw.error] = []


def record() -> raw.error:
    """An error record for one call, to be given back with `done` or turned into an exception with `failure`."""
    try:
        return _records.pop()
    except IndexError:
        return raw.error(sizeof(raw.error))


done = _records.append


def failure(err: raw.error) -> XlashapeError:
    error = from_record(err)
    _records.append(err)
    return error


# The hooks of all runtimes by their addresses, which are `opaque` in C, until C releases them.
hooks: Dict[int, Any] = {}


class Heard:
    """What the hooks of one call raised: exceptions never cross C. It goes with the call, however that ends."""

    error: Optional[BaseException] = None


class _Open(threading.local):
    """The thread's calls that are in C, the innermost last. What is left here of one that an exception ended refers to
    nothing."""

    def __init__(self) -> None:
        self.calls: List[weakref.ReferenceType[Heard]] = []


_open = _Open()


def heard() -> Any:
    """Where a hook puts what it raised: what belongs to the call that runs it, or None outside of all calls."""
    return next(filter(None, (ref() for ref in reversed(_open.calls))), None)


_hook_codes: Set[CodeType] = set()


def heard_from_the_start(hook: Any) -> None:
    """Python runs signals' handlers as a function begins, before any `try` of a hook: what they raise there, ctypes
    gives to sys.unraisablehook."""
    _hook_codes.add(hook.__code__)
    before = sys.unraisablehook
    if getattr(before, "__code__", None) in _hook_codes:
        return

    def unraisable(report: Any) -> None:
        began = report.exc_traceback is not None and report.exc_traceback.tb_frame.f_code in _hook_codes
        call = heard() if began else None
        if call is None:
            before(report)
        else:
            call.error = report.exc_value

    _hook_codes.add(unraisable.__code__)
    sys.unraisablehook = unraisable


def _hearing(function: Callable[..., int], arguments: Tuple[Any, ...]) -> int:
    """function(*arguments), and raises what hooks raised meanwhile."""
    ours, calls = Heard(), _open.calls
    while calls and calls[-1]() is None:
        calls.pop()
    depth = len(calls)
    try:
        calls.append(weakref.ref(ours))
        status = function(*arguments)
        if ours.error is not None:
            raise ours.error
        return status
    finally:  # no call of a function from here on: that is where exceptions of signals would come
        ours.error = None  # hooks' frames, to which its traceback refers, may refer to this
        del ours
        del calls[depth:]


def status(function: Callable[..., int], *arguments: Any) -> int:
    """function(*arguments). What hooks raised comes out of here."""
    return _hearing(function, arguments) if hooks else function(*arguments)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """function(*arguments, &err). What hooks raised comes out of here."""
    err = record()
    if _hearing(function, (*arguments, err)) if hooks else function(*arguments, err):
        raise failure(err)
    done(err)


def api(name: str, returns: Any, *parameters: Any) -> Any:
    """A function of Python's own interface. Not the one that pythonapi caches, which others may have declared, too."""
    function = ctypes.pythonapi[name]
    function.restype, function.argtypes = returns, list(parameters)
    return function


# For what C may still have a pointer to when the interpreter's modules are gone.
keep_for_ever = api("Py_IncRef", None, py_object)

# method(function): a method that is not written in Python. As `__del__` it cannot be cut short, nor can it lose what a
# signal's handler raises: none runs in it.
method = api("PyInstanceMethod_New", py_object, py_object)


def _isolated() -> bool:
    """Whether this is a sub-interpreter with a GIL of its own: Python runs callbacks that come on threads of C in the
    main interpreter, where they must not touch the objects of this one."""
    try:
        interpreters: Any = importlib.import_module("_interpreters")
        this, main = interpreters.get_current()[0], interpreters.get_main()[0]
        return bool(this != main and interpreters.get_config(this).gil == "own")
    except Exception:  # before Python 3.13, where such an interpreter cannot import ctypes; or what it has was changed
        return False


ISOLATED = _isolated()


def callbacks_wanted(what: str) -> None:
    """That other threads may call back."""
    if ISOLATED:
        raise UnsupportedError(f"{what} cannot be called in an isolated sub-interpreter, use one that shares its GIL")


class Handle(c_void_p):
    """One reference to a C object, given back when Python drops the last one to this."""

    def __reduce__(self) -> Any:
        # ctypes would copy the address, and both would give the one reference back.
        raise TypeError("a handle of the C library cannot be copied or pickled")


H = TypeVar("H", bound=Handle)
C = TypeVar("C", bound="Closable[Any]")


class Closable(Generic[H]):
    """What holds a handle until it is closed, by hand or by `with`. A copy shares what is behind it, and is closed by
    itself."""

    _noun: ClassVar[str]
    _handle: Optional[H]

    def close(self) -> None:
        """Gives it back, once no call is using it; what was made with it keeps it alive. Closing twice is fine."""
        self._handle = None

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __copy__(self: C) -> C:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy

    def __deepcopy__(self: C, _: Any) -> C:
        return self.__copy__()

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")

    def _open(self) -> H:
        handle = self._handle
        if handle is None:
            raise ClosedError(f"the {self._noun} is closed")
        return handle


class LayoutHandle(Handle):
    __del__ = method(raw.layout_release)


class ShapeHandle(Handle):
    __del__ = method(raw.shape_release)


class IndexMapHandle(Handle):
    __del__ = method(raw.index_map_release)


class IndexPlanHandle(Handle):
    __del__ = method(raw.index_plan_release)


class PlanHandle(Handle):
    __del__ = method(raw.plan_release)


class ProgramShapeHandle(Handle):
    __del__ = method(raw.program_shape_release)


class RuntimeHandle(Handle):
    __del__ = method(raw.runtime_release)


T = TypeVar("T")


class Fact(property, Generic[T]):
    """A property with one line of code."""

    def __init__(self, get: Callable[[Any], T], doc: str) -> None:
        super().__init__(get)
        self.__doc__ = doc

    if TYPE_CHECKING:

        @overload
        def __get__(self, instance: None, owner: Any = None) -> Fact[T]: ...

        @overload
        def __get__(self, instance: object, owner: Any = None) -> T: ...

        def __get__(self, instance: Any, owner: Any = None) -> Any: ...


def fact(kind: Callable[[Any], T], function: Callable[..., Any], doc: str) -> Fact[T]:
    """What a call with nothing but the handle answers."""
    return Fact(lambda self: kind(function(self._handle)), doc)


def list_fact(function: Callable[..., int], doc: str, *arguments: Any) -> Fact[Tuple[int, ...]]:
    """The same where the answer is a list of numbers."""
    return Fact(lambda self: numbers(function, self._handle, *arguments), doc)


def make(kind: Type[H], function: Callable[..., int], *arguments: Any) -> H:
    """function(*arguments, &handle, &err)"""
    handle = kind()
    call(function, *arguments, handle)
    return handle


def head(
    kind: Type[H], function: Callable[..., int], value: str, what: str, *arguments: Any
) -> Tuple[H, str]:
    """function(text, size, *arguments, &handle, &end, &err): the object, and the text behind it."""
    encoded = utf8(value, what)
    handle, end = kind(), c_int64()
    call(function, encoded, len(encoded), *arguments, handle, end)
    return handle, encoded[end.value :].decode("utf-8", "surrogatepass")


_PACK = [struct.Struct(f"{count}q").pack for count in range(9)]


def pack(numbers: Iterable[int], what: str) -> bytes:
    """The numbers as an array of int64. Its length is len(...) // 8."""
    items = numbers if isinstance(numbers, (tuple, list)) else tuple(numbers)
    count = len(items)
    try:
        return (_PACK[count] if count < 9 else struct.Struct(f"{count}q").pack)(*items)
    except struct.error:
        for place, item in enumerate(items):
            int64(item, f"entry {place} of {count} of {what}")
        raise


def c_array(packed: bytes) -> Any:
    """The numbers again as an array of C's, for a field of a struct, which keeps it."""
    return (c_int64 * (len(packed) // 8)).from_buffer_copy(packed)


def _fitting(low: int, high: int, kind: str) -> Callable[[Any, str], int]:
    def fitting(value: Any, what: str) -> int:
        try:
            number = index(value)
        except TypeError:
            raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
        if not low <= number < high:
            # Not the number itself: Python refuses to print the longest ones.
            text = str(number) if number.bit_length() < 128 else f"a number of {number.bit_length()} bits"
            raise OverflowError(f"{what} is {text}, which does not fit {kind}")
        return number

    return fitting


# fitting(value, what): an integer for a parameter or a field of that type. ctypes itself cuts off what does not fit.
int32 = _fitting(-(1 << 31), 1 << 31, "int32")
int64 = _fitting(-(1 << 63), 1 << 63, "int64")
uint32 = _fitting(0, 1 << 32, "uint32")
uint64 = _fitting(0, 1 << 64, "uint64")


def nanoseconds(seconds: float, what: str) -> int:
    """A time for C, which takes 0 for none: what is more is at least 1."""
    if isinstance(seconds, str) or not hasattr(seconds, "__float__"):
        raise TypeError(f"{what} must be a number of seconds, not {type(seconds).__name__}")
    number = float(seconds)
    if not 0 <= number <= 9e9:  # nor NaN
        raise InvalidArgumentError(f"{what} is {number} seconds, it must be between 0 and 9e9")
    return ceil(number * 1e9)


def device_number(device: Optional[int]) -> int:
    """For C, to which 0 is the current device, or the first, and 1 is device 0."""
    if device is None:
        return 0
    which = int32(device, "device")
    return which + 1 if 0 <= which < (1 << 31) - 1 else which


def number(function: Callable[..., int], *arguments: Any) -> int:
    """function(*arguments, &number, &err)"""
    out = c_int64()
    call(function, *arguments, out)
    return out.value


_Numbers, _Octets = c_int64 * 16, c_char * 256


def _filled(short: Any, unit: Any, function: Callable[..., int], arguments: Tuple[Any, ...], less: int = 0) -> Any:
    """What function(*arguments, out, capacity, &needed, &err) wrote, but for the last `less`."""
    out, needed, err = short(), c_int64(), record()
    result = status(function, *arguments, out, len(out), needed, err)
    # What is reported may grow between two calls (a runtime's report).
    while result == raw.STATUS_OUT_OF_RANGE and needed.value > len(out):
        out = (unit * (needed.value + 256))()
        result = status(function, *arguments, out, len(out), needed, err)
    if result:
        raise failure(err)
    done(err)
    return out[: needed.value - less]


def numbers(function: Callable[..., int], *arguments: Any) -> Tuple[int, ...]:
    """The numbers that function(*arguments, out, capacity, &needed, &err) writes."""
    return tuple(_filled(_Numbers, c_int64, function, arguments))


def octets(function: Callable[..., int], *arguments: Any) -> bytes:
    """The same with bytes."""
    return bytes(_filled(_Octets, c_char, function, arguments))


def text(function: Callable[..., int], *arguments: Any) -> str:
    """The same with text, whose needs count the final NUL."""
    return str(_filled(_Octets, c_char, function, arguments, 1).decode("utf-8", "replace"))


def message_bytes(value: Any, what: str) -> bytes:
    """A serialised message: anything with the buffer protocol. ctypes would take a str for its memory."""
    if isinstance(value, bytes):
        return value
    try:
        return memoryview(value).tobytes()
    except TypeError:
        raise TypeError(f"{what} must be bytes, not {type(value).__name__}") from None


def name_for_c(value: str, what: str) -> bytes:
    """A text that C reads up to its first NUL."""
    encoded = utf8(value, what)
    if b"\0" in encoded:
        raise InvalidArgumentError(f"{what} holds a NUL: {value!r}")
    return encoded


def utf8(value: str, what: str) -> bytes:
    """Text for C, lone surrogates and all: C says where it goes wrong."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be str, not {type(value).__name__}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
