# SPDX-License-Identifier: Apache-2.0
"""Loads the shared object with the custom call, and tells XLA of it, once, at import."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import NamedTuple

import jax

# Before the shared object: this loads the library that it needs, from where the package finds it.
from xlashape import _raw as raw
from xlashape._library import fits

TARGET = "xlashape_relayout"


class CacheInfo(NamedTuple):
    """The plans that this process keeps for relayouts in compiled programs."""

    texts: int  # pairs of shapes that are known
    capacity: int  # how many of them are kept; the one that was used least recently leaves first
    plans: int  # that they lead to: shapes may be written in several ways
    made: int  # plans made since the start of the process


def _headers_version() -> int:
    """The version of the FFI of the jaxlib that is installed, major << 16 | minor; 0 where its headers are not
    there."""
    try:
        text = (Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h").read_text(encoding="utf-8")
    except OSError:
        return 0
    parts = [re.search(rf"#define XLA_FFI_API_{part} (\d+)", text) for part in ("MAJOR", "MINOR")]
    major, minor = (int(part.group(1)) if part else 0 for part in parts)
    return major << 16 | minor


def _text(version: int) -> str:
    return f"{version >> 16}.{version & 0xFFFF}"


def _load() -> ctypes.CDLL:
    path = Path(__file__).resolve().parent / "libxlashape_jax.so"
    try:
        native = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"xlashape_jax: the shared object was not loaded: {error}") from None
    for name in ("abi_version", "ffi_version", "oldest_ffi_version"):
        getattr(native, f"xlashape_jax_{name}").restype = ctypes.c_uint32
    library, made_for = raw.abi_version(), native.xlashape_jax_abi_version()
    if not fits(library, made_for):
        raise ImportError(
            f"xlashape_jax: {path} was made for version {_text(made_for)} of xlashape's C interface, the library has "
            f"{_text(library)}"
        )
    # XLA refuses such an object too, but then JAX has no CPU at all any more.
    oldest, there = native.xlashape_jax_oldest_ffi_version(), _headers_version()
    if there and (there >> 16 != oldest >> 16 or there < oldest):
        raise ImportError(
            f"xlashape_jax: the jaxlib of jax {jax.__version__} has version {_text(there)} of XLA's FFI; "
            f"{_text(oldest)} or a later minor version is wanted"
        )
    return native


def _register(native: ctypes.CDLL) -> None:
    stages = ("instantiate", "execute")
    handlers = {stage: jax.ffi.pycapsule(getattr(native, f"xlashape_jax_{stage}")) for stage in stages}
    jax.ffi.register_ffi_target(TARGET, handlers, platform="cpu")


_native = _load()
_register(_native)


def cache_info() -> CacheInfo:
    """What the cache of plans holds now. May be called from any thread."""
    numbers = (ctypes.c_int64 * 4)()
    _native.xlashape_jax_cache(numbers)
    return CacheInfo(*numbers)
