# SPDX-License-Identifier: Apache-2.0
"""Programs of our own that jax compiles for the CPU: a small convolution net, an attention block with its gradient, and
a matrix product over 8 devices. Each gives the text of the optimised module, XLA's memory analysis,
and what it was made of.
"""

import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402 the flags above must be set first
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402


def conv_net():
    def net(x, w1, w2, dense):
        x = jax.nn.relu(jax.lax.conv_general_dilated(x, w1, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.nn.relu(jax.lax.conv_general_dilated(x, w2, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))
        return jax.nn.log_softmax(x.mean((1, 2)) @ dense)

    shapes = [(2, 8, 8, 3), (3, 3, 3, 4), (3, 3, 4, 8), (8, 5)]
    return jax.jit(net).lower(*(jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes))


def attention_gradient():
    def attend(q, k, v):
        weights = jax.nn.softmax((q @ k.swapaxes(-1, -2)).astype(jnp.float32) / 4.0)
        return (weights.astype(q.dtype) @ v).astype(jnp.float32).sum()

    one = jax.ShapeDtypeStruct((2, 3, 6, 16), jnp.bfloat16)
    return jax.jit(jax.value_and_grad(attend, argnums=(0, 1, 2))).lower(one, one, one)


def sharded_matmul():
    mesh = jax.sharding.Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    spec = jax.sharding.PartitionSpec
    rows = jax.sharding.NamedSharding(mesh, spec("x", "y"))
    columns = jax.sharding.NamedSharding(mesh, spec("y", None))
    product = jax.jit(lambda a, b: a @ b, in_shardings=(rows, columns),
                      out_shardings=jax.sharding.NamedSharding(mesh, spec("x", None)))
    return product.lower(jax.ShapeDtypeStruct((16, 32), jnp.float32), jax.ShapeDtypeStruct((32, 24), jnp.float32))


PROGRAMS = {"conv_net": conv_net, "attention_gradient": attention_gradient, "sharded_matmul": sharded_matmul}
