# SPDX-License-Identifier: Apache-2.0
"""Relayouts inside JAX's programs, on the CPU: xlashape.relayout for traced arrays.

    >>> import jax, jax.numpy as jnp
    >>> import xlashape_jax
    >>> x = jnp.arange(12, dtype="uint8").reshape(3, 4)
    >>> jax.jit(lambda x: xlashape_jax.relayout(x, "{0,1:T(2,2)}"))(x)
    Array([ 0,  4,  1,  5,  8,  0,  9,  0,  2,  6,  3,  7, 10,  0, 11,  0],      dtype=uint8)

`relayout` is a primitive of JAX: it may be compiled, mapped, differentiated and transposed. Its work is done by the
library itself, called by XLA through the custom call `xlashape_relayout`, on XLA's threads where the array is large.
"""

from ._library import CacheInfo, cache_info
from ._relayout import memory_shape, relayout

__all__ = ["CacheInfo", "cache_info", "memory_shape", "relayout"]
