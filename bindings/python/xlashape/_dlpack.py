# SPDX-License-Identifier: Apache-2.0
"""DLPack, both ways: capsules with and without a version, made and read with ctypes alone."""

from __future__ import annotations

import ctypes
import sys
import time
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    cast,
    py_object,
    sizeof,
)
from functools import partial
from itertools import islice
from operator import methodcaller
from typing import Any, Dict, Iterator, Optional, Tuple

from . import _raw as raw
from ._call import ShapeHandle, api, call, keep_for_ever, make, method, number, uint64
from ._memory import Export, Memory
from .element_type import ElementType
from .enums import MemorySpace
from .errors import UnsupportedError

READ_ONLY = 1 << 0
IS_COPIED = 1 << 1
SUB_BYTE_PADDED = 1 << 2


class DLTensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


Deleter = CFUNCTYPE(None, c_void_p)


class DLManagedTensor(Structure):
    _fields_ = [("tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", Deleter)]


class DLManagedTensorVersioned(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", Deleter),
        ("flags", c_uint64),
        ("tensor", DLTensor),
    ]


_capsule_new = api("PyCapsule_New", py_object, c_void_p, c_char_p, c_void_p)
_capsule_valid = api("PyCapsule_IsValid", c_int, py_object, c_char_p)
_capsule_pointer = api("PyCapsule_GetPointer", c_void_p, py_object, c_char_p)
_capsule_rename = api("PyCapsule_SetName", c_int, py_object, c_char_p)

_PLAIN, _VERSIONED = b"dltensor", b"dltensor_versioned"
# Capsules keep pointers to their names.
_USED_PLAIN, _USED_VERSIONED = b"used_dltensor", b"used_dltensor_versioned"


# == Reading ==


class _Taken:
    """A managed tensor that is ours now."""

    give_back: Any = staticmethod(int)  # does nothing
    __del__ = method(methodcaller("give_back"))

    def __init__(self, managed: Any, capsule: Any, used: bytes) -> None:
        steps = [partial(_capsule_rename, capsule, used)]
        if managed.deleter:
            steps.append(partial(setattr, self, "give_back", partial(managed.deleter, addressof(managed))))
        list(map(methodcaller("__call__"), steps))  # both or none: no signal's handler can come in between


def memory_from_dlpack(value: Any) -> Memory:
    """UnsupportedError for other memory than the CPU's."""
    device = tuple(value.__dlpack_device__()) if hasattr(value, "__dlpack_device__") else (1, 0)
    if int(device[0]) not in (MemorySpace.CPU, MemorySpace.CUDA_HOST, MemorySpace.CUDA_MANAGED):
        raise UnsupportedError(f"the array is on device {int(device[0])}:{int(device[1])}, not in memory of the CPU")
    try:
        capsule = value.__dlpack__(max_version=(1, 1))
    except TypeError:
        capsule = value.__dlpack__()
    flags = 0
    readonly = False
    if _capsule_valid(capsule, _VERSIONED):
        managed: Any = DLManagedTensorVersioned.from_address(_capsule_pointer(capsule, _VERSIONED))
        owner = _Taken(managed, capsule, _USED_VERSIONED)
        if managed.major != 1:
            raise UnsupportedError(f"the array speaks version {managed.major}.{managed.minor} of DLPack, 1 is known")
        flags = managed.flags
        readonly = bool(flags & READ_ONLY)
    elif _capsule_valid(capsule, _PLAIN):
        managed = DLManagedTensor.from_address(_capsule_pointer(capsule, _PLAIN))
        owner = _Taken(managed, capsule, _USED_PLAIN)
        # Such a capsule cannot say that its memory is not to be written.
        readonly = not _writable_buffer(value, (managed.tensor.data or 0) + managed.tensor.byte_offset)
    else:
        raise TypeError(f"{type(value).__name__}.__dlpack__ gave no unused capsule of DLPack")
    return _memory(managed.tensor, flags, readonly, owner)


def _writable_buffer(value: Any, address: int) -> bool:
    """The buffer protocol has it, too, and says that it may be written."""
    try:
        export = Export(value)
    except (TypeError, ValueError, BufferError):
        return False
    return export.address == address and not export.view.readonly


def _memory(tensor: DLTensor, flags: int, readonly: bool, owner: Any) -> Memory:
    padded = raw.DLPACK_SUB_BYTE_PADDED if flags & SUB_BYTE_PADDED else 0
    rank = tensor.ndim
    packed = tensor.bits < 8 and not padded
    # Without strides the library says what is stored; strides that no layout can say are for the plan. Packed elements
    # have no byte strides, so there the layout has to say them.
    asked = DLTensor.from_buffer_copy(tensor)
    if not packed:
        asked.strides = POINTER(c_int64)()
    shape = make(ShapeHandle, raw.shape_from_dlpack, addressof(asked), padded)
    dimensions = tuple(tensor.shape[:rank]) if rank > 0 else ()
    address = uint64((tensor.data or 0) + tensor.byte_offset, "the address of a tensor of DLPack")
    kind = ElementType(raw.shape_element_type(shape))
    if packed:
        nbytes = number(raw.shape_byte_size, shape, 0, 0)
        memory = Memory(address, 1, (nbytes,), None, kind, kind.text, readonly, owner)
        memory.packed = shape
        return memory
    itemsize = kind.storage_bits // 8
    strides: Optional[Tuple[int, ...]] = None
    if tensor.strides and rank > 0:
        strides = tuple(stride * itemsize for stride in tensor.strides[:rank])
    return Memory(address, itemsize, dimensions, strides, kind, kind.text, readonly, owner)


# == Giving ==

# A consumer drops a capsule that it refuses while its exception is raised, and a destructor that runs Python would lose
# that exception: ctypes clears it after each callback, whatever the callback does. So the capsules here have no
# destructor. They are kept with what they stand for, and `sweep` lets go of those that nobody else holds any more.
#
# The same goes for the deleter: an array goes while an exception is raised, or on a thread that Python does not know,
# or when there is no Python any more. So it is a function of the C library that takes an address and stores something
# there, in one piece: `time`. It overwrites what every managed tensor begins with, the address of its data or the
# number 1, which a time is not, and `sweep` lets go of tensors that begin with a time.


_CLOCK = 1e5  # seconds by which somebody may set it


class _Given:
    """A managed tensor that others hold, or may still take out of its capsule."""

    __slots__ = ("managed", "block", "owner", "capsule", "start", "earliest")

    def __init__(self, managed: Any, block: Any, owner: Any, capsule: Any) -> None:
        self.managed = managed
        self.block = block
        self.owner = owner
        self.capsule = capsule  # None once it is taken
        self.start = c_size_t.from_buffer(managed)
        self.earliest = time.time() - _CLOCK

    def done_with(self) -> bool:
        return self.earliest < self.start.value < time.time() + _CLOCK


_given: Dict[int, _Given] = {}  # by address


if sys.platform == "win32":
    _deleter = cast(ctypes.CDLL("ucrtbase")._time64, Deleter)
else:
    _deleter = cast(ctypes.CDLL(None).time, Deleter)
# Consumers that outlive the interpreter's modules have pointers to what is in this.
keep_for_ever(_given)


def _holders(given: _Given) -> int:
    """References to the capsule, those that a look at it takes among them."""
    return sys.getrefcount(given.capsule)


_NO_OTHERS = _holders(_Given(c_size_t(), None, None, object()))


_AT_A_TIME = 16
_turn: Iterator[Tuple[int, _Given]] = iter(())


def sweep() -> None:
    """Lets go of what was given and is done with, or was never taken: of a few each time, in turn."""
    global _turn
    entries = list(islice(_turn, _AT_A_TIME))
    if len(entries) < _AT_A_TIME:
        _turn = iter(list(_given.items()))
        entries += islice(_turn, _AT_A_TIME - len(entries))
    for address, given in entries:
        if given.done_with():
            _given.pop(address, None)
        elif given.capsule is None or _holders(given) > _NO_OTHERS:
            continue
        elif _capsule_valid(given.capsule, _PLAIN) or _capsule_valid(given.capsule, _VERSIONED):
            _given.pop(address, None)
        else:
            given.capsule = None  # taken


def capsule_of(shape: Any, address: int, readonly: bool, owner: Any, max_version: Optional[Tuple[int, int]]) -> Any:
    """A capsule for an array at `address`; UnsupportedError if DLPack cannot express its layout."""
    sweep()
    versioned = max_version is not None and max_version[0] >= 1
    sub_byte = shape.element_type.is_sub_byte and shape.sizes.element_bits == 8
    if readonly and not versioned:
        raise UnsupportedError(
            "the array is read-only, and only a versioned capsule can say so: take it as max_version=(1, 0), or a copy "
            "of it (relayout with copy=True)"
        )
    if sub_byte and not versioned:
        raise UnsupportedError("only a versioned capsule can say that elements of less than a byte have one each")
    flags = raw.DLPACK_SUB_BYTE_PADDED if sub_byte else 0
    needed = c_int64()
    arguments = (shape._handle, flags, address, MemorySpace.CPU, 0, 0)
    call(raw.shape_to_dlpack, *arguments, None, 0, needed)
    block: Any = (c_int64 * ((needed.value + 7) // 8))()
    call(raw.shape_to_dlpack, *arguments, cast(byref(block), c_void_p), sizeof(block), needed)
    managed: Any
    if versioned:
        managed = DLManagedTensorVersioned(major=1, minor=0)
        managed.flags = (READ_ONLY if readonly else 0) | (SUB_BYTE_PADDED if sub_byte else 0)
    else:
        managed = DLManagedTensor()
    ctypes.memmove(addressof(managed.tensor), block, sizeof(DLTensor))
    managed.deleter = _deleter
    at = addressof(managed)
    capsule = _capsule_new(at, _VERSIONED if versioned else _PLAIN, None)
    _given[at] = _Given(managed, block, owner, capsule)
    return capsule
