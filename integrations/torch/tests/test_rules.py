# SPDX-License-Identifier: Apache-2.0
"""Gradients, vmap, torch.func and fake tensors."""

import itertools
import unittest

import torch
from cases import DTYPES, random_dimensions, random_layout, random_strides, random_tensor, seeded
from torch._subclasses.fake_tensor import FakeTensorMode, unset_fake_temporarily
from torch.autograd import forward_ad

import xlashape_torch._results as results
from xlashape import Shape
from xlashape_torch import pack, relayout, unpack

OP = torch.ops.xlashape.relayout.default
BATCHED = torch.ops.xlashape.relayout_batched.default

# (dimensions of x, to, of): memory to array, array to memory, memory to memory, copies, padding that is not 0.
CALLS = [
    ((2, 3), "{0,1}", None),
    ((2, 3), "{1,0}", None),
    ((5, 9), "{1,0:T(4,4)}", None),
    ((2, 3, 4), "{0,2,1:T(2,2)L(100)}", None),
    ((), "{}", None),
    ((0, 3), "{0,1}", None),
    ((16,), "{1,0}", "f64[3,4]{1,0:T(4,4)}"),
    ((16,), "{0,1:T(4,4)PV(one)}", "f64[3,4]{1,0:T(4,4)PV(one)}"),
    ((12,), "{0,1}", "f64[3,4]{1,0}"),
    ((3, 4), "f64[3,4]{0,1:T(2,2)PV(one)}", "f64[3,4]"),
    ((3, 4), "f64[3,4]{0,1:T(2,8)PV(one)}", None),
]


def of_type(text, name):
    return text and text.replace("f64", name)


class Gradients(unittest.TestCase):
    def test_checks(self):
        for dimensions, to, of in CALLS:
            for dtype in (torch.float64, torch.complex128):
                x = torch.randn(dimensions, dtype=dtype, requires_grad=True)
                many = torch.randn((2, *dimensions), dtype=dtype, requires_grad=True)
                texts = of_type(to, DTYPES[dtype]), of_type(of, DTYPES[dtype])
                for operator, argument in ((OP, x), (BATCHED, many)):
                    with self.subTest(operator=operator, to=to, of=of, dtype=dtype):
                        call = lambda v: operator(v, *texts)  # noqa: B023, E731
                        options = {"check_batched_grad": argument.numel() > 0, "check_forward_ad": True}
                        self.assertTrue(torch.autograd.gradcheck(call, (argument,), **options))
                        self.assertTrue(torch.autograd.gradgradcheck(call, (argument,)))
                        checked = torch.library.opcheck(operator, (argument, *texts))
                        self.assertEqual(set(checked.values()), {"SUCCESS"})

    def test_of_all_dtypes(self):
        for dtype, name in DTYPES.items():
            x = random_tensor((3, 5), dtype)
            torch.library.opcheck(OP, (x, "{0,1:T(2,4)}", None), test_utils="test_faketensor")
            torch.library.opcheck(OP, (x, f"{name}[3,5]{{0,1}}"), test_utils="test_faketensor")

    def test_padding_has_no_gradient(self):
        memory = torch.randn(16, dtype=torch.float64, requires_grad=True)
        relayout(memory, "{1,0}", of="f64[3,3]{1,0:T(4,4)PV(one)}").sum().backward()
        self.assertEqual(memory.grad.reshape(4, 4).tolist(), [[1, 1, 1, 0]] * 3 + [[0] * 4])
        x = torch.randn(3, 3, requires_grad=True)
        relayout(x, "{1,0:T(4,4)PV(one)}").sum().backward()
        self.assertEqual(x.grad.tolist(), [[1] * 3] * 3)

    def test_training_types(self):
        for dtype in (torch.float32, torch.bfloat16, torch.float16):
            x = torch.randn(6, 10).to(dtype).requires_grad_()
            weights = torch.randn(60).to(dtype)
            (relayout(x, "{0,1}") * weights).sum().backward()
            self.assertTrue(torch.equal(x.grad, weights.reshape(10, 6).t()), dtype)

    def test_integers_and_bytes_have_none(self):
        x = torch.randn(3, 4, requires_grad=True)
        self.assertFalse(relayout(x, "{0,1:E(64)}").requires_grad)
        self.assertFalse(relayout(torch.ones(3, 4, dtype=torch.int32), "{0,1}").requires_grad)

    def test_func(self):
        x = torch.randn(3, 4, dtype=torch.float64)
        call = lambda v: relayout(v, "{0,1:T(2,2)}")  # noqa: E731
        self.assertTrue(torch.allclose(torch.func.grad(lambda v: call(v).square().sum())(x), 2 * x))
        by_rows, by_columns = torch.func.jacrev(call)(x), torch.func.jacfwd(call)(x)
        self.assertTrue(torch.equal(by_rows, by_columns))
        self.assertTrue(torch.equal(by_rows.reshape(16, 12).sum(0), torch.ones(12, dtype=torch.float64)))
        cubes = lambda v: call(v).pow(3).sum()  # noqa: E731
        ways = (torch.func.jacrev, torch.func.jacfwd)
        for outer, inner in itertools.product(ways, ways):
            hessian = outer(inner(cubes))(x).reshape(12, 12)
            self.assertTrue(torch.allclose(hessian, torch.diag(6 * x.reshape(-1))), (outer, inner))
            third = outer(outer(inner(cubes)))(x)
            self.assertEqual((torch.count_nonzero(third), third.sum()), (12, 72), (outer, inner))
        value, tangent = torch.func.jvp(lambda v: relayout(v, "{1,0:T(4,4)PV(one)}"), (x,), (x,))
        self.assertEqual(float(value.sum() - x.sum()), 4)
        self.assertAlmostEqual(float(tangent.sum() - x.sum()), 0)
        each = torch.func.vmap(torch.func.grad(lambda v: call(v).square().sum()))(torch.stack([x, 2 * x]))
        self.assertTrue(torch.allclose(each, torch.stack([2 * x, 4 * x])))

    def test_levels_and_ordinary_gradients(self):
        x = torch.randn(3, 4, dtype=torch.float64)
        ones = torch.ones_like(x)
        cubes = lambda v: relayout(v, "{0,1:T(2,2)}").pow(3).sum()  # noqa: E731
        y = x.clone().requires_grad_()
        torch.func.grad(cubes)(y).sum().backward()
        self.assertTrue(torch.allclose(y.grad, 6 * x))
        y = x.clone().requires_grad_()
        with forward_ad.dual_level():
            tangent = forward_ad.unpack_dual(cubes(forward_ad.make_dual(y, ones))).tangent
            self.assertTrue(torch.allclose(tangent, (3 * x * x).sum()))
            self.assertTrue(torch.allclose(torch.autograd.grad(tangent, y)[0], 6 * x))
        _, twice = torch.func.jvp(lambda v: torch.func.jvp(cubes, (v,), (ones,))[1], (x,), (ones,))
        self.assertTrue(torch.allclose(twice, 6 * x.sum()))

    def test_direct_calls_too(self):
        x = torch.randn(3, 4, dtype=torch.float64)
        operator = torch.ops.xlashape.relayout
        self.assertTrue(torch.allclose(torch.func.grad(lambda v: operator(v, "{0,1}").square().sum())(x), 2 * x))
        _, tangent = torch.func.jvp(lambda v: operator(v, "{0,1}"), (x,), (x,))
        self.assertTrue(torch.equal(tangent, x.t().reshape(-1)))


class Vmap(unittest.TestCase):
    def test_random(self):
        rng = seeded(5)
        for number in range(150):
            dtype = rng.choice([torch.float32, torch.int8, torch.bfloat16, torch.complex128])
            dimensions = random_dimensions(rng, rng.randrange(1, 4), 500)
            batch, place = rng.choice([1, 2, 5]), rng.randint(0, len(dimensions))
            x = random_strides(rng, random_tensor((*dimensions[:place], batch, *dimensions[place:]), dtype))
            layout = str(random_layout(rng, len(dimensions)))
            result = Shape.array(DTYPES[dtype], dimensions).with_layout(layout)
            about = f"{number} {dimensions} {batch} at {place} {layout}"
            got = torch.vmap(lambda v: relayout(v, layout), in_dims=place)(x)  # noqa: B023
            wanted = torch.stack([relayout(one, layout) for one in x.unbind(place)])
            self.assertTrue(torch.equal(got.view(torch.uint8), wanted.view(torch.uint8)), about)
            again = torch.vmap(lambda v: relayout(v, layout, of=result), in_dims=0)(got)  # noqa: B023
            self.assertTrue(torch.equal(again.view(torch.uint8), wanted.view(torch.uint8)), about)
            column = got.reshape(batch, -1).t().contiguous()
            again = torch.vmap(lambda v: relayout(v, layout, of=result), in_dims=1)(column)  # noqa: B023
            self.assertTrue(torch.equal(again.view(torch.uint8), wanted.view(torch.uint8)), about)

    def test_nested(self):
        x = torch.randn(4, 2, 5, 3)
        call = lambda v: relayout(v, "{0,1:T(2,2)}")  # noqa: E731
        got = torch.vmap(torch.vmap(call, in_dims=1))(x)
        for i in range(4):
            for j in range(5):
                self.assertTrue(torch.equal(got[i, j], call(x[i, :, j])))

    def test_expanded_and_empty(self):
        x = torch.randn(3, 4)
        got = torch.vmap(lambda v: relayout(v, "{0,1}"))(x.expand(6, 3, 4))
        self.assertTrue(torch.equal(got, relayout(x, "{0,1}").expand(6, 12)))
        self.assertEqual(BATCHED(torch.empty(0, 3, 4), "{0,1}").shape, (0, 12))

    def test_packed(self):
        values = torch.randint(-8, 8, (6, 5, 7), dtype=torch.int8)
        of = "s4[5,7]{1,0:T(2,4)E(4)}"
        packed = torch.vmap(lambda v: pack(v, of))(values)
        self.assertTrue(torch.equal(packed, torch.stack([pack(v, of) for v in values])))
        self.assertTrue(torch.equal(torch.vmap(lambda v: unpack(v, of))(packed), values))

    def test_large_on_threads(self):
        for threads in (1, 2):
            torch.set_num_threads(threads)
            for batch, rows in ((3, 1000), (1000, 64), (1, 2000)):
                x = torch.randn(batch, rows, 70)
                got = torch.vmap(lambda v: relayout(v, "{0,1}"))(x)
                self.assertTrue(torch.equal(got, x.transpose(1, 2).reshape(batch, -1)), (threads, batch))
        torch.set_num_threads(1)


class Fake(unittest.TestCase):
    def test_as_real(self):
        rng = seeded(6)
        with FakeTensorMode():
            for number in range(400):
                dtype = rng.choice(list(DTYPES))
                dimensions = random_dimensions(rng, rng.randrange(5))
                layout = random_layout(rng, len(dimensions))
                fake = torch.empty(dimensions, dtype=dtype)
                got = torch.ops.xlashape.relayout(fake, str(layout))
                with unset_fake_temporarily():
                    wanted = relayout(torch.zeros(dimensions, dtype=torch.uint8).to(dtype), layout)
                about = f"{number} {dtype} {dimensions} {layout}"
                self.assertEqual((got.shape, got.dtype), (wanted.shape, wanted.dtype), about)
                self.assertEqual(got.stride(), wanted.stride(), about)

    def test_as_real_where_elements_have_other_sizes(self):
        calls = [
            (torch.zeros(5, 7, dtype=torch.int8), "s4[5,7]{0,1:T(2,4)E(4)}", None),
            (torch.zeros(5, 7, dtype=torch.int8), "s4[5,7]{1,0}", None),
            (torch.zeros(5, 7, dtype=torch.uint8), "u2[5,7]{1,0:E(2)}", None),
            (torch.zeros(18, dtype=torch.uint8), "{1,0}", "s4[5,7]{1,0:E(4)}"),
            (torch.zeros(18, dtype=torch.uint8), "{0,1}", "u4[5,7]{1,0:E(4)}"),
            (torch.zeros(18, dtype=torch.uint8), "{0,1:T(4,4)E(4)}", "s4[5,7]{1,0:E(4)}"),
            (torch.zeros(5, 7, dtype=torch.bool), "{0,1:E(32)}", None),
            (torch.zeros(140, dtype=torch.uint8), "{1,0}", "pred[5,7]{0,1:E(32)}"),
            (torch.zeros(5, 7), "{1,0:E(64)}", None),
            (torch.zeros(280, dtype=torch.uint8), "{0,1}", "f32[5,7]{1,0:E(64)}"),
            (torch.zeros(5, 7, dtype=torch.uint8), "f8e3m4[5,7]{0,1}", None),
            (torch.zeros(70, dtype=torch.uint8), "{1,0}", "f8e4m3[5,7]{1,0:E(16)}"),
        ]
        for x, to, of in calls:
            with self.subTest(to=to, of=of):
                real = OP(x, to, of)
                self.assertEqual(results.result_of(x.shape, x.dtype, to, of), (tuple(real.shape), real.dtype))
                torch.library.opcheck(OP, (x, to, of), test_utils="test_faketensor")
                torch.library.opcheck(BATCHED, (torch.stack([x, x]), to, of), test_utils="test_faketensor")

    def test_positions_by_symbols(self):
        """The formula for sizes that are symbols, with numbers in their place."""
        rng = seeded(7)
        for number in range(2000):
            dimensions = random_dimensions(rng, rng.randrange(6))
            layout = random_layout(rng, len(dimensions))
            shape = Shape.array("f32", dimensions, layout)
            got = results.positions_of(layout, dimensions)
            self.assertEqual(got, shape.sizes.storage_elements, f"{number} {shape}")

    def test_refusals(self):
        with FakeTensorMode():
            x = torch.empty(3, 4)
            for to, of in (("{0}", None), ("f32[4,3]", None), ("s8[3,4]", None), ("{1,0}", "f32[5,5]{0,1}")):
                with self.assertRaises((RuntimeError, ValueError)):
                    torch.ops.xlashape.relayout(x, to, of)


if __name__ == "__main__":
    unittest.main()
