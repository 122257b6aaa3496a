"""Calling C: error records, counted handles, answers of variable length."""

from __future__ import annotations

import ctypes
import struct
import threading
from ctypes import c_char, c_int64, c_uint8, c_void_p, py_object, sizeof
from math import ceil
from operator import index
from typing import Any, Callable, ClassVar, Dict, Generic, Iterable, List, Optional, Tuple, Type, TypeVar

from . import _raw as raw
from .errors import ClosedError, InvalidArgumentError, XlashapeError, from_record

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


# What hooks raised, by thread, until the call that ran them returns: exceptions never cross C.
_raised: Dict[int, BaseException] = {}


def _hand_on() -> None:
    """Raises what hooks of this thread raised."""
    thread = threading.get_ident()
    if thread in _raised:
        raise _raised.pop(thread)  # in no variable, which its traceback would refer to


def call(function: Callable[..., int], *arguments: Any) -> None:
    """function(*arguments, &err). What hooks raised comes out of here."""
    err = record()
    status = function(*arguments, err)
    if _raised:
        _hand_on()
    if status:
        raise failure(err)
    done(err)


def run(function: Callable[..., int], *arguments: Any) -> None:
    """The same of a C function that always calls hooks."""
    if _raised:  # by a call that another exception ended
        _raised.pop(threading.get_ident(), None)
    call(function, *arguments)


# For what C may still have a pointer to when the interpreter's modules are gone.
keep_for_ever = ctypes.pythonapi["Py_IncRef"]  # not the attribute, which others may have declared differently
keep_for_ever.restype, keep_for_ever.argtypes = None, [py_object]


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


def _giving_back(function: Callable[[c_void_p], None]) -> Callable[[Handle], None]:
    def give_back(self: Handle) -> None:
        if self:
            function(self)

    return give_back


class LayoutHandle(Handle):
    __del__ = _giving_back(raw.layout_release)


class ShapeHandle(Handle):
    __del__ = _giving_back(raw.shape_release)


class IndexMapHandle(Handle):
    __del__ = _giving_back(raw.index_map_release)


class PlanHandle(Handle):
    __del__ = _giving_back(raw.plan_release)


class ProgramShapeHandle(Handle):
    __del__ = _giving_back(raw.program_shape_release)


class RuntimeHandle(Handle):
    __del__ = _giving_back(raw.runtime_release)


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


def pack(numbers: Iterable[int]) -> bytes:
    """The numbers as an array of int64. Its length is len(...) // 8."""
    items = numbers if isinstance(numbers, (tuple, list)) else tuple(numbers)
    count = len(items)
    try:
        return (_PACK[count] if count < 9 else struct.Struct(f"{count}q").pack)(*items)
    except struct.error:
        for place, item in enumerate(items):
            int64(item, f"entry {place} of {count}")
        raise


def field(number: int, values: Iterable[int]) -> bytes:
    """One field for the functions that take a list of them."""
    packed = pack(values)
    return pack((number, len(packed) // 8)) + packed


def _fitting(low: int, high: int, kind: str) -> Callable[[Any, str], int]:
    def fitting(value: Any, what: str) -> int:
        try:
            number = index(value)
        except TypeError:
            raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
        if not low <= number < high:
            # Not the number itself: Python refuses to print the longest ones.
            told = str(number) if number.bit_length() < 128 else f"a number of {number.bit_length()} bits"
            raise OverflowError(f"{what} is {told}, which does not fit {kind}")
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


_Numbers = c_int64 * 16


def numbers(function: Callable[..., int], *arguments: Any) -> Tuple[int, ...]:
    """function(*arguments, out, capacity, &needed, &err) with int64."""
    out: Any = _Numbers()
    needed = c_int64()
    err = record()
    status = function(*arguments, out, 16, needed, err)
    if status == raw.STATUS_OUT_OF_RANGE and needed.value > 16:
        out = (c_int64 * needed.value)()
        status = function(*arguments, out, needed.value, needed, err)
    if status:
        raise failure(err)
    done(err)
    return tuple(out[: needed.value])


def octets(function: Callable[..., int], *arguments: Any) -> bytes:
    """The same with uint8."""
    needed = c_int64()
    call(function, *arguments, None, 0, needed)
    out = (c_uint8 * needed.value)()
    call(function, *arguments, out, needed.value, needed)
    return bytes(out)


_Text = c_char * 256


def text(function: Callable[..., int], *arguments: Any) -> str:
    """The same with text, whose needs count the final NUL."""
    out: Any = _Text()
    needed = c_int64()
    err = record()
    status = function(*arguments, out, 256, needed, err)
    # What is reported may grow between two calls (a runtime's report).
    while status == raw.STATUS_OUT_OF_RANGE and needed.value > len(out):
        out = (c_char * (needed.value + 256))()
        status = function(*arguments, out, len(out), needed, err)
    if status:
        raise failure(err)
    done(err)
    return str(out[: needed.value - 1].decode("utf-8", "replace"))


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
