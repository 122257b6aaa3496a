# SPDX-License-Identifier: Apache-2.0
"""JAX's transformations, alone and inside each other."""

import unittest

from cases import bits_of, dtype_of, library, random_array  # before JAX
import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec
from jax.test_util import check_grads
from xlashape import Shape
from xlashape_jax import relayout

TILED = "f32[3,5]{0,1:T(4,2)}"
ONES = "f32[3,5]{0,1:T(4,2)PV(one)}"


def some(*dimensions):
    return jnp.asarray(np.random.default_rng(7).standard_normal(dimensions), "f4")


def there(x):
    return relayout(x, TILED)


class Gradients(unittest.TestCase):
    def test_numerically(self):
        for function, x in (
            (lambda x: relayout(x, "f64[3,5]{0,1:T(4,2)(2,1)}") ** 3, some(3, 5)),
            (lambda x: relayout(x, "f64[3,5]{0,1:T(4,2)PV(one)}") ** 3, some(3, 5)),
            (lambda x: relayout(x, "{1,0}", of="f64[3,5]{0,1:T(4,2)}") ** 3, some(32)),
            (lambda x: relayout(x, "{0,1:T(3)}", of="f64[3,5]{1,0:PD(4,7)}") ** 3, some(28)),
            (jax.vmap(lambda x: relayout(x, "f64[3,5]{0,1:T(4,2)}") ** 3, in_axes=1), some(3, 2, 5)),
        ):
            check_grads(function, (x.astype("f8"),), order=2, modes=["fwd", "rev"])

    def test_is_the_inverse(self):
        """Cotangents in padding are not part of the gradient, whatever they are."""
        x, weights = some(3, 5), some(32)
        got = jax.jit(jax.grad(lambda x: (there(x) * weights).sum()))(x)
        self.assertTrue(np.array_equal(got.reshape(-1), library(weights, Shape(TILED), Shape("f32[3,5]"))))
        # The other direction: padding gets none.
        memory, weights = some(32), some(3, 5)
        got = jax.grad(lambda m: (relayout(m, "{1,0}", of=TILED) * weights).sum())(memory)
        self.assertTrue(np.array_equal(got, library(weights, Shape("f32[3,5]"), Shape(TILED))))
        self.assertEqual(np.count_nonzero(got), 15)
        # Also where it is not zeros.
        got = jax.grad(lambda m: (relayout(m, "{1,0}", of=ONES) * weights).sum())(memory)
        self.assertEqual(np.count_nonzero(got), 15)
        got = jax.grad(lambda m: (relayout(m, ONES, of=ONES) ** 2).sum())(memory)
        held = library(np.ones(15, "f4"), Shape("f32[3,5]"), Shape(TILED)) != 0
        self.assertTrue(np.array_equal(got, np.where(held, 2 * memory, 0)))

    def test_tangents(self):
        x, t = some(3, 5), some(3, 5)
        y, dy = jax.jvp(lambda x: relayout(x, ONES), (x,), (t,))
        self.assertTrue(np.array_equal(y, library(x, Shape("f32[3,5]"), Shape(ONES))))
        self.assertTrue(np.array_equal(dy, library(t, Shape("f32[3,5]"), Shape(TILED))))
        y, linear = jax.linearize(there, x)
        self.assertTrue(np.array_equal(linear(t), there(t)))
        y, back = jax.vjp(there, x)
        self.assertTrue(np.array_equal(back(y)[0], x))
        (x_again,) = jax.linear_transpose(there, x)(y)
        self.assertTrue(np.array_equal(x_again, x))
        self.assertEqual(jax.jvp(lambda x: (there(x), 1.0), (x,), (t,))[1][1], 0)

    def test_jacobians(self):
        x = some(3, 5)
        for jacobian in (jax.jacfwd(there)(x), jax.jacrev(there)(x), jax.jacobian(there)(x)):
            self.assertEqual(jacobian.shape, (32, 3, 5))
            self.assertEqual(float(jacobian.sum()), 15)
            self.assertTrue(np.array_equal(jnp.einsum("mij,ij->m", jacobian, x), there(x)))
        second = jax.hessian(lambda x: (there(x) ** 3).sum())(x)
        diagonal = second.reshape(15, 15).diagonal()
        self.assertTrue(np.allclose(diagonal, 6 * x.reshape(-1)))
        self.assertEqual(np.count_nonzero(second), 15)

    def test_complex_and_narrow(self):
        x = (some(3, 5) + 1j * some(3, 5)).astype("c8")
        got = jax.grad(lambda x: (jnp.abs(relayout(x, "{0,1:T(4,2)}")) ** 2).sum())(x)
        self.assertTrue(np.allclose(got, 2 * x.conj()))
        for dtype in ("bfloat16", "float16"):
            x = some(3, 5).astype(dtype)
            got = jax.grad(lambda x: relayout(x, "{0,1:T(4,2)}").astype("f4").sum())(x)
            self.assertEqual((got.dtype, float(got.astype("f4").sum())), (x.dtype, 15))
        # Integers have no gradient, and do not hinder that of others.
        got = jax.grad(lambda x, i: (there(x) * relayout(i, "{0,1:T(4,2)}")).sum())(some(3, 5), jnp.ones((3, 5), int))
        self.assertTrue(np.array_equal(got, np.ones((3, 5))))

    def test_inside(self):
        x = some(3, 5)
        for function in (jax.checkpoint(there), jax.jit(there), lambda x: jax.lax.cond(x[0, 0] > 9, there, there, x)):
            self.assertTrue(np.allclose(jax.grad(lambda x, f=function: (f(x) ** 2).sum())(x), 2 * x))


class Batches(unittest.TestCase):
    def beside_a_loop(self, function, x, in_axis, out_axis):
        got = jax.jit(jax.vmap(function, in_axis, out_axis))(x)
        want = np.stack([np.asarray(function(one)) for one in np.moveaxis(np.asarray(x), in_axis, 0)], out_axis)
        self.assertTrue(np.array_equal(bits_of(got), bits_of(want)), (in_axis, out_axis))
        self.assertEqual(got.shape, want.shape)

    def test_axes(self):
        for axis in range(-3, 3):
            self.beside_a_loop(there, jnp.moveaxis(some(4, 3, 5), 0, axis), axis, axis % 2)
            back = lambda x: relayout(x, "{1,0}", of=TILED)  # noqa: E731
            self.beside_a_loop(back, jnp.moveaxis(some(4, 32), 0, axis % 2), axis % 2, axis)

    def test_nested(self):
        x = some(2, 3, 4, 5, 6)
        inner = lambda x: relayout(x, "{0,1:T(4,4)}")  # noqa: E731
        got = jax.jit(jax.vmap(jax.vmap(jax.vmap(inner, 1), 2, 1), 0))(x)
        for a in range(2):
            for b in range(5):
                for c in range(4):
                    # in_axes: 0 of (2,3,4,5,6); 2 of (3,4,5,6); 1 of (3,4,6); out: the second one is axis 1
                    want = inner(x[a, :, c, b, :])
                    self.assertTrue(np.array_equal(got[a, c, b], want), (a, b, c))

    def test_arrays_that_end_inside_a_byte(self):
        rng = np.random.default_rng(5)
        for name in ("int4", "uint2", "float4_e2m1fn"):
            x = jnp.asarray(random_array(rng, dtype_of(name), (4, 3, 5)))
            for to in ("{0,1}", "{0,1:T(5)PV(lowest)}"):
                self.beside_a_loop(lambda x, to=to: relayout(x, to), x, 0, 0)
            twice = jax.vmap(jax.vmap(lambda x: relayout(x, "{0:T(3)}")))(x)
            want = [[relayout(row, "{0:T(3)}") for row in one] for one in x]
            self.assertTrue(np.array_equal(bits_of(twice), bits_of(np.asarray(want))))

    def test_with_gradients(self):
        x = some(4, 3, 5)
        one = jax.grad(lambda x: (there(x) ** 3).sum())
        self.assertTrue(np.allclose(jax.vmap(one)(x), 3 * x**2))
        self.assertTrue(np.allclose(jax.grad(lambda x: (jax.vmap(there)(x) ** 3).sum())(x), 3 * x**2))
        x = some(4, 2, 3, 5)
        self.assertTrue(np.allclose(jax.jit(jax.vmap(jax.vmap(one), 1, 1))(x), 3 * x**2))


class Programs(unittest.TestCase):
    def test_loops(self):
        x = some(4, 3, 5)
        step = lambda sum, x: (sum + there(x), relayout(x, "{0,1}"))  # noqa: E731
        total, all_of_them = jax.jit(lambda x: jax.lax.scan(step, jnp.zeros(32, "f4"), x))(x)
        self.assertTrue(np.allclose(total, there(x.sum(0)), atol=1e-6))
        self.assertEqual(all_of_them.shape, (4, 15))
        round_trip = lambda _, x: relayout(there(x), "{1,0}", of=TILED)  # noqa: E731
        self.assertTrue(np.array_equal(jax.lax.fori_loop(0, 5, round_trip, x[0]), x[0]))
        gradient = jax.grad(lambda x: (jax.lax.scan(step, jnp.zeros(32, "f4"), x)[0] ** 2).sum())(x)
        self.assertTrue(np.allclose(gradient, np.broadcast_to(2 * x.sum(0), x.shape), atol=1e-5))

    def test_in_place(self):
        source, target = Shape("f32[700,300]"), Shape("f32[700,300]{0,1}")
        move = lambda x: relayout(x, str(target), of=str(source), in_place=True)  # noqa: E731
        x = some(210000)
        kept = np.asarray(x).copy()
        want = library(kept, source, target)
        at = x.unsafe_buffer_pointer()
        self.assertTrue(np.array_equal(move(x), want))
        self.assertTrue(np.array_equal(jax.jit(lambda x: move(x) + x)(x), want + kept))
        self.assertTrue(np.array_equal(x, kept))
        got = jax.jit(move, donate_argnums=0)(x)
        self.assertEqual((got.unsafe_buffer_pointer(), x.is_deleted()), (at, True))
        self.assertTrue(np.array_equal(got, want))
        # Arrays of their dimensions, inside of a program; a batch; a gradient.
        there_and_back = lambda x: relayout(  # noqa: E731
            relayout(x * 2, "{0,1}", in_place=True), "{1,0}", of="f32[6,4]{0,1}", in_place=True
        )
        x = some(5, 6, 4)
        self.assertTrue(np.array_equal(jax.jit(jax.vmap(there_and_back))(x), x * 2))
        self.assertTrue(np.array_equal(jax.jit(there_and_back)(x[0]), x[0] * 2))
        self.assertTrue(np.allclose(jax.grad(lambda x: (there_and_back(x) ** 2).sum())(x[0]), 8 * x[0]))
        tangent = jax.jvp(lambda x: relayout(x, "{0,1}", in_place=True), (x[0],), (x[0],))[1]
        self.assertTrue(np.array_equal(tangent, x[0].T.reshape(-1)))

    def test_donated(self):
        # Without in_place its memory is not the result's: it is only given up.
        x = some(16)
        kept = np.asarray(x).copy()
        function = jax.jit(lambda x: relayout(x, "{0,1}", of="f32[4,4]{1,0:T(2,2)}"), donate_argnums=0)
        got = function(x)
        self.assertTrue(np.array_equal(got, library(kept, Shape("f32[4,4]{1,0:T(2,2)}"), Shape("f32[4,4]{0,1}"))))
        self.assertTrue(x.is_deleted())

    def test_shapes_only(self):
        got = jax.eval_shape(there, jax.ShapeDtypeStruct((3, 5), "f4"))
        self.assertEqual((got.shape, got.dtype), ((32,), "f4"))
        got = jax.eval_shape(jax.vmap(jax.grad(lambda x: there(x).sum())), jax.ShapeDtypeStruct((9, 3, 5), "f4"))
        self.assertEqual(got.shape, (9, 3, 5))

    def test_compiled_ahead(self):
        compiled = jax.jit(there).lower(jax.ShapeDtypeStruct((3, 5), "f4")).compile()
        self.assertIn("xlashape_relayout", compiled.as_text())
        x = some(3, 5)
        self.assertTrue(np.array_equal(compiled(x), there(x)))

    def test_exported(self):
        """For all sizes of a batch at once."""
        allowed = [jax.export.DisabledSafetyCheck.custom_call("xlashape_relayout")]
        symbolic = jax.ShapeDtypeStruct(jax.export.symbolic_shape("b, 3, 5"), "f4")
        exported = jax.export.export(jax.jit(jax.vmap(there)), disabled_checks=allowed)(symbolic)
        for count in (1, 4):
            x = some(count, 3, 5)
            self.assertTrue(np.array_equal(exported.call(x), np.stack([there(one) for one in x])))

    def test_one_program_with_many(self):
        x = some(3, 5)
        function = jax.jit(lambda x: [relayout(x, f"{{0,1:T({a},{b})}}") for a in range(1, 6) for b in range(1, 4)])
        for (a, b), got in zip([(a, b) for a in range(1, 6) for b in range(1, 4)], function(x)):
            want = library(x, Shape("f32[3,5]"), Shape(f"f32[3,5]{{0,1:T({a},{b})}}"))
            self.assertTrue(np.array_equal(got, want), (a, b))


class Devices(unittest.TestCase):
    def setUp(self):
        self.x = some(8, 3, 5)
        self.want = np.stack([there(one) for one in self.x])

    def test_shard_map(self):
        mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Auto,))
        rows = PartitionSpec("a")
        function = jax.shard_map(jax.vmap(there), mesh=mesh, in_specs=rows, out_specs=rows)
        self.assertTrue(np.array_equal(jax.jit(function)(self.x), self.want))
        gradient = jax.jit(jax.grad(lambda x: (function(x) ** 2).sum()))(self.x)
        self.assertTrue(np.allclose(gradient, 2 * self.x))

    def test_divided_arrays(self):
        mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Auto,))
        x = jax.device_put(self.x, NamedSharding(mesh, PartitionSpec("a")))
        self.assertTrue(np.array_equal(jax.jit(jax.vmap(there))(x), self.want))

    def test_explicit(self):
        mesh = jax.make_mesh((4,), ("a",), axis_types=(AxisType.Explicit,))
        with jax.set_mesh(mesh):
            x = jax.device_put(self.x, PartitionSpec("a"))
            got = jax.jit(jax.vmap(there))(x)
            self.assertEqual(jax.typeof(got).sharding.spec, PartitionSpec("a", None))
            self.assertTrue(np.array_equal(got, self.want))


if __name__ == "__main__":
    unittest.main()
