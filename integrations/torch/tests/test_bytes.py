# SPDX-License-Identifier: Apache-2.0
"""What is in the results, compared with the package and with PyTorch's own permute."""

import unittest

import torch
from cases import (
    DTYPES,
    bits,
    by_package,
    by_permute,
    random_dimensions,
    random_layout,
    random_strides,
    random_tensor,
    seeded,
)

from xlashape import Layout, Shape, Target
from xlashape_torch import pack, relayout, unpack


class Random(unittest.TestCase):
    def same(self, got, wanted, about):
        self.assertTrue(torch.equal(bits(got), bits(wanted)), about)

    def test_layouts_dtypes_and_strides(self):
        rng = seeded(1)
        for number in range(1500):
            dtype = rng.choice(list(DTYPES))
            dimensions = random_dimensions(rng, rng.randrange(6))
            x = random_strides(rng, random_tensor(dimensions, dtype))
            layout = random_layout(rng, len(dimensions))
            about = f"{number}: {dtype} {dimensions} {x.stride()} {layout}"
            source = Shape.array(DTYPES[dtype], dimensions)
            result = source.with_layout(layout)
            got = relayout(x, rng.choice([str(layout), layout, result]))
            self.assertEqual(got.dtype, dtype, about)
            row_major = str(layout.replace(padding_value=0)) == str(source.layout)
            if row_major:
                self.assertEqual(got.shape, x.shape, about)
            else:
                self.assertEqual(got.shape, (result.sizes.storage_elements,), about)
            self.same(got, by_package(x, source, result), about)
            back = relayout(got, source.layout, of=result)
            self.assertEqual(back.shape, x.shape, about)
            self.same(back, x, about)
            other = result.with_layout(random_layout(rng, len(dimensions)))
            self.same(relayout(got, other, of=result), by_package(got, result, other), f"{about} to {other}")

    def test_permute(self):
        rng = seeded(2)
        for number in range(500):
            dtype = rng.choice(list(DTYPES))
            dimensions = random_dimensions(rng, rng.randrange(1, 6))
            x = random_strides(rng, random_tensor(dimensions, dtype))
            layout = random_layout(rng, len(dimensions), simple=True)
            self.same(relayout(x, layout), by_permute(x, layout.minor_to_major), f"{number} {dimensions} {layout}")

    def test_packed(self):
        rng = seeded(3)
        for number in range(400):
            name, bits_each = rng.choice([("s4", 4), ("u4", 4), ("s2", 2), ("u2", 2), ("f4e2m1fn", 4)])
            dimensions = random_dimensions(rng, rng.randrange(1, 5))
            values = torch.randint(0, 1 << bits_each, dimensions, dtype=torch.uint8)
            if name[0] == "s":
                values = values.to(torch.int8) - (1 << (bits_each - 1))
            layout = random_layout(rng, len(dimensions)).replace(element_size_in_bits=bits_each)
            source = Shape.array(name, dimensions)
            result = source.with_layout(layout)
            about = f"{number}: {result}"
            packed = pack(random_strides(rng, values), result) if number % 2 else pack(values, result)
            self.assertEqual((packed.dtype, packed.shape), (torch.uint8, (result.padded_nbytes,)), about)
            packed = pack(values, result)
            self.same(packed, by_package(values, source, result), about)
            back = unpack(packed, result)
            self.assertEqual((back.dtype, back.shape), (values.dtype, values.shape), about)
            self.assertTrue(torch.equal(back, values), about)
            other = result.with_layout(random_layout(rng, len(dimensions)).replace(element_size_in_bits=bits_each))
            moved = relayout(packed, other, of=result)
            self.assertTrue(torch.equal(unpack(moved, other), values), f"{about} {other}")

    def test_wider_containers(self):
        x = torch.tensor([[True, False, True], [False, False, True]])
        wide = relayout(x, "{0,1:E(32)}")
        self.assertEqual((wide.dtype, wide.shape), (torch.uint8, (24,)))
        self.assertEqual(wide.view(torch.int32).tolist(), [1, 0, 0, 0, 1, 1])
        self.assertTrue(torch.equal(relayout(wide, "{1,0}", of="pred[2,3]{0,1:E(32)}"), x))
        floats = torch.randn(5, 3)
        wide = relayout(floats, "{0,1:E(64)}")
        self.assertTrue(torch.equal(relayout(wide, "{1,0}", of="f32[5,3]{0,1:E(64)}"), floats))


class Sizes(unittest.TestCase):
    def test_64_kib_to_64_mib(self):
        rng = seeded(4)
        for threads in (1, 2):
            torch.set_num_threads(threads)
            for size in (1 << 16, 1 << 18, 1 << 20, 5 << 20, 16 << 20, 64 << 20):
                for dtype in (torch.uint8, torch.bfloat16, torch.float32, torch.complex128):
                    count = size // dtype.itemsize
                    rows = rng.choice([7, 64, 300, 1024])
                    x = random_tensor((rows, count // rows), dtype)
                    got = relayout(x, "{0,1}")
                    self.assertTrue(torch.equal(bits(got), bits(x.t())), f"{size} {dtype} {threads}")
                    if size > 16 << 20:
                        continue
                    tiled = relayout(x.t(), "{1,0:T(8,128)}")
                    source = Shape.array(DTYPES[dtype], (count // rows, rows))
                    wanted = by_package(x.t(), source, source.with_layout(Layout("{1,0:T(8,128)}")))
                    self.assertTrue(torch.equal(bits(tiled), wanted), f"{size} {dtype} {threads} tiled")
        torch.set_num_threads(1)

    def test_no_elements(self):
        for dimensions in ((0,), (3, 0), (0, 5, 2)):
            x = torch.empty(dimensions)
            rank = len(dimensions)
            order = ",".join(str(i) for i in range(rank))
            self.assertEqual(relayout(x, Layout(list(range(rank)))).shape, dimensions if rank == 1 else (0,))
            self.assertEqual(relayout(x, Layout(list(reversed(range(rank))))).shape, dimensions)
            of = f"f32[{','.join(str(size) for size in dimensions)}]{{{order}}}"
            self.assertEqual(relayout(torch.empty(0), Layout(list(reversed(range(rank)))), of=of).shape, dimensions)
            expanded = torch.empty(1).expand(0) if rank == 1 else torch.empty(0, 1).expand(0, 5)
            self.assertEqual(relayout(expanded, Layout(list(range(expanded.dim())))).numel(), 0)

    def test_scalars(self):
        x = torch.tensor(2.5)
        self.assertEqual(relayout(x, "{}"), x)
        self.assertEqual(relayout(x, "f32[]").shape, ())
        self.assertEqual(relayout(x.reshape(1), "f32[]", of="f32[]").shape, ())
        padded = relayout(x, "{:L(4)}")
        self.assertEqual(padded.tolist(), [2.5, 0, 0, 0])

    def test_many_dimensions(self):
        x = torch.randn([2] * 12)
        order = list(range(12))
        self.assertTrue(torch.equal(relayout(x, Layout(order)), by_permute(x, order)))


class Arguments(unittest.TestCase):
    def test_memory_with_strides(self):
        x = torch.randn(4, 6)
        memory = relayout(x, "{0,1:T(2,4)}")
        spread = torch.stack([memory, memory], 1)[:, 0]
        self.assertFalse(spread.is_contiguous())
        self.assertTrue(torch.equal(relayout(spread, "{1,0}", of="f32[4,6]{0,1:T(2,4)}"), x))
        one = torch.ones(1).expand(memory.numel())
        self.assertTrue(torch.equal(relayout(one, "{1,0}", of="f32[4,6]{0,1:T(2,4)}"), torch.ones(4, 6)))

    def test_offsets(self):
        x = torch.arange(100.0)[3:63].reshape(5, 12)
        self.assertTrue(torch.equal(relayout(x, "{0,1}"), by_permute(x, (0, 1))))

    def test_lazy_bits(self):
        x = torch.randn(3, 4, dtype=torch.complex64)
        self.assertTrue(torch.equal(relayout(x.conj(), "{0,1}"), by_permute(x.conj().resolve_conj(), (0, 1))))
        imaginary = x.conj().imag
        self.assertTrue(imaginary.is_neg())
        self.assertTrue(torch.equal(relayout(imaginary, "{0,1}"), by_permute(imaginary.resolve_neg(), (0, 1))))

    def test_other_types_of_a_width(self):
        codes = torch.randint(0, 256, (4, 6), dtype=torch.uint8)
        got = relayout(codes, "f8e3m4[4,6]{0,1}")
        self.assertEqual(got.dtype, torch.uint8)
        self.assertTrue(torch.equal(got, by_permute(codes, (0, 1))))
        wide = random_tensor((4, 6), torch.uint16)
        self.assertTrue(torch.equal(bits(relayout(wide, "bf16[4,6]{0,1}")), bits(by_permute(wide, (0, 1)))))

    def test_row_major_memory_with_and_without_dimensions(self):
        x = torch.randn(3, 4)
        flat = by_permute(x, (0, 1))
        self.assertTrue(torch.equal(relayout(x, "{0,1}", of="f32[3,4]"), flat))
        self.assertTrue(torch.equal(relayout(x.reshape(12), "{0,1}", of="f32[3,4]"), flat))
        self.assertTrue(torch.equal(relayout(x.t().contiguous().t(), "{0,1}", of="f32[3,4]"), flat))

    def test_results_are_new(self):
        x = torch.randn(3, 4)
        self.assertNotEqual(relayout(x, "{1,0}").data_ptr(), x.data_ptr())

    def test_padding_values(self):
        self.assertEqual(relayout(torch.tensor([5, 6, 7]), "{0:T(4)PV(one)}").tolist(), [5, 6, 7, 1])

    def test_targets(self):
        weights = torch.randint(-8, 8, (96, 256), dtype=torch.int8)
        shape = Shape("s4[96,256]").for_target(Target("tpu:v5e"))
        self.assertTrue(torch.equal(unpack(pack(weights, shape), shape), weights))

    def test_parameters_and_subclasses(self):
        parameter = torch.nn.Parameter(torch.randn(3, 4))
        self.assertTrue(torch.equal(relayout(parameter, "{0,1}"), by_permute(parameter, (0, 1))))
        with torch.no_grad():
            self.assertFalse(relayout(parameter, "{0,1}").requires_grad)
        with torch.inference_mode():
            self.assertTrue(torch.equal(relayout(parameter, "{0,1}"), by_permute(parameter, (0, 1))))


if __name__ == "__main__":
    unittest.main()
