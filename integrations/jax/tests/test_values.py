# SPDX-License-Identifier: Apache-2.0
"""Results, bit by bit: beside jnp's transposes and reshapes, and beside the library itself, called without JAX."""

import unittest

from cases import DTYPES, bits_of, dtype_of, library, random_array, random_shape  # before JAX
import jax
import jax.numpy as jnp
import numpy as np
from xlashape import ElementType, Layout, Shape
from xlashape_jax import memory_shape, relayout


class Values(unittest.TestCase):
    def same(self, got, want, note):
        self.assertEqual(got.dtype, want.dtype, note)
        self.assertTrue(np.array_equal(bits_of(got), bits_of(want)), note)

    def test_transposes(self):
        rng = np.random.default_rng(1)
        for name in DTYPES:
            dtype = dtype_of(name)
            for rank in (3, 4):
                dimensions = [int(n) for n in rng.integers(1, 9, rank)]
                order = [int(n) for n in rng.permutation(rank)]  # major to minor
                x = random_array(rng, dtype, dimensions)
                to = Layout(order[::-1])
                got = jax.jit(lambda x, to=to: relayout(x, to))(x)
                want = np.transpose(x, order)
                self.same(got, want.reshape(-1), f"{dtype} {dimensions} {to}")
                row_major = order == list(range(rank))
                self.assertEqual(got.shape, x.shape if row_major else (x.size,))
                if rank == 3 and name in ("int4", "bfloat16"):
                    self.same(jax.jit(lambda x, order=order: jnp.transpose(x, order))(x), want, "XLA's own")

    def test_beside_the_library(self):
        rng = np.random.default_rng(2)
        for name in DTYPES:
            dtype = dtype_of(name)
            element_type = ElementType.of(dtype)
            for number in range(7):
                source = random_shape(rng, element_type)
                target = random_shape(rng, element_type, source.dimensions)
                memory = random_array(rng, dtype, [source.sizes.storage_elements])
                note = f"{source} -> {target}"
                if number % 3 == 0:  # without JAX's compiler between
                    got = relayout(memory, target, of=source)
                else:
                    got = jax.jit(lambda x, t=target, s=source: relayout(x, t, of=s))(memory)
                self.same(got, library(memory, source, target), note)
                self.assertEqual(got.shape, memory_shape(target).shape, note)

    def test_there_and_back(self):
        x = np.arange(7 * 300, dtype="f4").reshape(7, 300)
        tiled = "f32[7,300]{1,0:T(8,128)}"
        back = jax.jit(lambda x: relayout(relayout(x, tiled), "{1,0}", of=tiled))(x)
        self.assertEqual(back.shape, (7, 300))
        self.same(back, x, "back")
        bf16 = x.astype(dtype_of("bfloat16"))
        got = relayout(bf16, Layout((1, 0), tiles=[(8, 128), (2, 1)]))
        self.same(got, library(bf16, Shape("bf16[7,300]"), Shape("bf16[7,300]{1,0:T(8,128)(2,1)}")), "bf16")

    def test_scalars_and_nothing(self):
        self.assertEqual(jax.jit(lambda x: relayout(x, "{}"))(jnp.float32(3)), 3)
        self.assertEqual(relayout(2.5, "f64[]").shape, ())
        self.assertEqual(relayout(jnp.float32(3), "{:L(4)}").tolist(), [3, 0, 0, 0])
        self.assertEqual(relayout(jnp.zeros((3, 0)), "{0,1}").shape, (0,))
        self.assertEqual(relayout(jnp.zeros((3, 0)), "{1,0}").shape, (3, 0))
        self.assertEqual(relayout(jnp.zeros((0,)), "{1,0:T(8,128)}", of="f64[0,5]").shape, (0,))
        self.assertEqual(jax.vmap(lambda x: relayout(x, "{0:T(4)}"))(jnp.zeros((0, 3))).shape, (0, 4))

    def test_packed(self):
        """In the memory of XLA's CPU two elements of four bits share a byte, whatever the layout says or does not
        say."""
        x = np.arange(-7, 8).astype(dtype_of("int4")).reshape(3, 5)
        for to in ("{0,1}", "{0,1:E(4)}", "s4[3,5]{0,1}"):
            self.assertEqual(relayout(x, to).tolist(), x.T.reshape(-1).tolist())
        self.assertEqual(memory_shape("s4[3,5]{0,1:E(4)}"), jax.ShapeDtypeStruct((15,), x.dtype))
        text = jax.jit(lambda x: relayout(x, "{0,1}")).lower(x).as_text()
        self.assertIn("s4[3,5]{1,0:E(4)}", text)
        self.assertIn("s4[3,5]{0,1:E(4)}", text)

    def test_large(self):
        for nbytes, form, to in (
            (64 << 10, "f4", "{0,1}"),
            (1 << 20, "bfloat16", "{1,0:T(8,128)(2,1)}"),
            (16 << 20, "f4", "{0,1:T(8,128)}"),
            (64 << 20, "i1", "{0,1}"),
        ):
            dtype = dtype_of(form)
            columns = 1000
            rows = nbytes // dtype.itemsize // columns
            x = np.random.default_rng(3).integers(0, 256, rows * columns * dtype.itemsize, np.uint8)
            x = x.view(dtype).reshape(rows, columns)
            source = Shape.array(ElementType.of(dtype), x.shape)
            want = library(x, source, source.with_layout(to))
            self.same(jax.jit(lambda x, to=to: relayout(x, to))(x), want, f"{nbytes} {to}")
        x = np.arange(300 * 100 * 70, dtype="i4").reshape(300, 100, 70)
        for to in ("{0,1}", "{0,1:T(4,16)}"):  # both divided among threads by arrays
            source = Shape("s32[100,70]")
            want = np.stack([library(one, source, source.with_layout(to)) for one in x])
            self.same(jax.jit(jax.vmap(lambda x, to=to: relayout(x, to)))(x), want, f"a large batch, {to}")


if __name__ == "__main__":
    unittest.main()
