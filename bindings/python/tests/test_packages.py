# SPDX-License-Identifier: Apache-2.0
"""With PyTorch, JAX and ml_dtypes, where they are installed: their arrays in and out, and nothing of theirs written
that may not be. The same without them is in test_dlpack.py."""

import gc
import importlib.util
import unittest

import xlashape
from xlashape import Array, ElementType, Plan, Shape, _dlpack, relayout

# Where NumPy is left out neither of them can be imported.
try:
    import numpy
except ImportError:
    numpy = None


def installed(name):
    return numpy is not None and importlib.util.find_spec(name) is not None


@unittest.skipUnless(installed("torch"), "PyTorch, or NumPy, is not installed")
class Torch(unittest.TestCase):
    def setUp(self):
        import torch

        self.torch = torch
        self.tensor = torch.arange(12.0).reshape(3, 4)

    def test_there_and_back(self):
        for dtype in ("float32", "bfloat16", "float16", "float64"):
            tensor = self.tensor.to(getattr(self.torch, dtype))
            image = relayout(tensor, "{0,1}")
            self.assertTrue(self.torch.equal(self.torch.from_dlpack(image), tensor))
            self.assertTrue(self.torch.equal(self.torch.asarray(image), tensor))

    def test_out(self):
        out = self.torch.zeros(3, 4)
        self.assertIs(relayout(self.tensor, out=out), out)
        self.assertTrue(self.torch.equal(out, self.tensor))

    def test_shapes(self):
        self.assertEqual(Shape.of(self.tensor.T), Shape("f32[4,3]{0,1}"))
        self.assertEqual(Shape.of(self.torch.zeros(2, 3, dtype=self.torch.bfloat16, device="meta")), Shape("bf16[2,3]"))
        self.assertEqual(Shape.of(self.torch.zeros(3, requires_grad=True)), Shape("f32[3]"))
        for name, kind in (("bool", "pred"), ("half", "f16"), ("complex64", "c64"), ("float8_e5m2", "f8e5m2")):
            self.assertEqual(ElementType.of(getattr(self.torch, name)), ElementType.of(kind))
        with self.assertRaises(xlashape.NotFoundError):
            ElementType.of(self.torch.complex32)

    def test_numpy_refuses_its_type(self):
        image = relayout(self.tensor.to(self.torch.bfloat16), "{0,1}")
        before = len(_dlpack._given)
        for _ in range(3):
            with self.assertRaisesRegex((RuntimeError, BufferError), "dtype"):
                numpy.from_dlpack(image)
        self.assertLessEqual(len(_dlpack._given), before + 1)
        del image
        gc.collect()
        self.assertLessEqual(len(_dlpack._given), before)


@unittest.skipUnless(installed("jax"), "JAX, or NumPy, is not installed")
class JAX(unittest.TestCase):
    def setUp(self):
        import jax.numpy

        self.jnp = jax.numpy
        self.array = jax.numpy.arange(12.0).reshape(3, 4)

    def test_there_and_back(self):
        for dtype in ("float32", "bfloat16", "float8_e4m3fn"):
            array = self.array.astype(dtype)
            image = relayout(array, "{0,1}")
            for seen in (self.jnp.from_dlpack(image), self.jnp.asarray(image), numpy.asarray(image), image.numpy()):
                self.assertEqual(seen.dtype, array.dtype)
                self.assertTrue((numpy.asarray(seen) == numpy.asarray(array)).all())
        read_only = relayout(self.array, "{1,0}")
        self.assertTrue((self.jnp.asarray(read_only) == self.array).all())

    def test_it_is_never_written(self):
        wanted = numpy.array(self.array)
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "read-only"):
            relayout(numpy.full((3, 4), 7, "f4"), out=self.array)
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "read-only"):
            Plan("f32[3,4]", "f32[3,4]").execute(numpy.full((3, 4), 7, "f4"), self.array)
        seen = relayout(self.array, "{1,0}")  # in place
        self.assertTrue(seen.data.readonly)
        self.assertFalse(numpy.asarray(seen).flags.writeable)
        with self.assertRaisesRegex(BufferError, "read-only"):
            self.jnp.from_dlpack(seen)
        self.jnp.from_dlpack(relayout(self.array, "{1,0}", copy=True))
        self.assertTrue((numpy.asarray(self.array) == wanted).all())

    def test_shapes(self):
        import jax

        self.assertEqual(Shape.of(self.array.astype("bfloat16")), Shape("bf16[3,4]"))
        self.assertEqual(Shape.of(jax.ShapeDtypeStruct((2, 3), self.jnp.bfloat16)), Shape("bf16[2,3]"))
        for array in (jax.ShapeDtypeStruct((1000, 3), self.jnp.bfloat16), self.jnp.zeros((1000, 3), self.jnp.bfloat16)):
            self.assertEqual(str(Shape.of(array).for_target("tpu:v5e")), "bf16[1000,3]{0,1:T(4,128)(2,1)}")


@unittest.skipUnless(installed("ml_dtypes"), "ml_dtypes, or NumPy, is not installed")
class MlDtypes(unittest.TestCase):
    def test_all_ways_agree(self):
        import ml_dtypes

        image = Array(bytearray(24), "bf16[3,4]{0,1}")
        dtype = numpy.dtype(ml_dtypes.bfloat16)
        for seen in (numpy.asarray(image), image.numpy()):
            self.assertEqual((seen.dtype, seen.shape, seen.strides), (dtype, (3, 4), (2, 6)))
            self.assertTrue(numpy.shares_memory(seen, image.numpy()))
        self.assertEqual(image.dtype, dtype)
        self.assertEqual(numpy.asarray(image, "f4").dtype, "float32")
        self.assertFalse(numpy.shares_memory(numpy.array(image), image.numpy()))
