# SPDX-License-Identifier: Apache-2.0
"""torch.compile, torch.export and AOTInductor."""

import io
import shutil
import tempfile
import unittest
from pathlib import Path

import torch
from cases import by_permute

from xlashape import Layout, Shape
from xlashape_torch import pack, relayout, relayout_, unpack

NEW = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2]) >= (2, 10)


class Compile(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_whole_graphs(self):
        def call(v):
            direct = torch.ops.xlashape.relayout(v, "{0,1}")
            return relayout(v * 2, "{0,1:T(2,2)}") + 1, relayout(v.t(), "{1,0}"), direct

        for backend in ("eager", "aot_eager", "inductor"):
            for dynamic in (False, True):
                torch._dynamo.reset()
                compiled = torch.compile(call, fullgraph=True, backend=backend, dynamic=dynamic)
                for rows in (3, 7, 9):
                    with self.subTest(backend=backend, dynamic=dynamic, rows=rows):
                        x = torch.randn(rows, 5, requires_grad=True)
                        got, wanted = compiled(x), call(x)
                        for one, other in zip(got, wanted):
                            self.assertTrue(torch.equal(one, other))
                        sum(one.square().sum() for one in got).backward()
                        gradient, x.grad = x.grad, None
                        sum(one.square().sum() for one in wanted).backward()
                        self.assertTrue(torch.allclose(gradient, x.grad))

    def test_one_graph_for_all_sizes(self):
        """Without gradients, a layout's text needs no numbers: no second graph for other sizes."""
        counter = torch._dynamo.testing.CompileCounter()

        def call(v):
            return relayout(v, "{1,0:T(8,128)(2,1)}"), relayout(v.t(), "{0,1}"), relayout(v, "{1,0}")

        compiled = torch.compile(call, fullgraph=True, backend=counter, dynamic=True)
        for rows, columns in ((3, 5), (17, 40), (100, 300), (8, 128)):
            x = torch.randn(rows, columns)
            for one, other in zip(compiled(x), call(x)):
                self.assertTrue(torch.equal(one, other))
        self.assertEqual(counter.frame_count, 1)

    def test_sizes_in_texts(self):
        of = "f32[6,5]{0,1:T(4,4)}"
        compiled = torch.compile(lambda v: relayout(relayout(v, of), "{1,0}", of=of), fullgraph=True, dynamic=True)
        x = torch.randn(6, 5)
        self.assertTrue(torch.equal(compiled(x), x))

    def test_packed(self):
        of = "s4[6,5]{0,1:T(4,4)E(4)}"
        compiled = torch.compile(lambda v: unpack(pack(v, of), of) * 2, fullgraph=True)
        x = torch.randint(-4, 4, (6, 5), dtype=torch.int8)
        self.assertTrue(torch.equal(compiled(x), x * 2))

    @unittest.skipUnless(NEW, "PyTorch 2.9 traces no objects of other packages: texts work there")
    def test_values(self):
        layout, shape = Layout("{0,1:T(2,2)}"), Shape("f32[3,4]{0,1}")
        compiled = torch.compile(lambda v: (relayout(v, layout), relayout(v, shape)), fullgraph=True)
        x = torch.randn(3, 4)
        for one, other in zip(compiled(x), (relayout(x, layout), relayout(x, shape))):
            self.assertTrue(torch.equal(one, other))

    def test_strided_and_expanded(self):
        compiled = torch.compile(lambda v: relayout(v[:, ::2].expand(3, 4, 5), "{0,2,1}") + 1, fullgraph=True)
        x = torch.randn(4, 10)
        self.assertTrue(torch.equal(compiled(x), by_permute(x[:, ::2].expand(3, 4, 5), (0, 2, 1)) + 1))

    def test_vmap_within(self):
        compiled = torch.compile(torch.vmap(lambda v: relayout(v, "{0,1}")), fullgraph=True, backend="aot_eager")
        x = torch.randn(3, 4, 5)
        self.assertTrue(torch.equal(compiled(x), x.transpose(1, 2).reshape(3, -1)))

    def test_in_place(self):
        def call(v, w):
            doubled = v * 2
            relayout_(doubled, "{0,1}")
            relayout_(w, "{0,1}")
            return doubled + 1, w.sum()

        for backend in ("eager", "aot_eager", "inductor"):
            torch._dynamo.reset()
            v, w, other = torch.randn(6, 5), torch.randn(4, 3), torch.zeros(4, 3)
            other.copy_(w)
            got, wanted = torch.compile(call, fullgraph=True, backend=backend)(v, w), call(v, other)
            self.assertTrue(got[0].equal(wanted[0]) and torch.allclose(got[1], wanted[1]))
            self.assertTrue(w.equal(other))

    def test_errors(self):
        with self.assertRaisesRegex(Exception, "f32\\[4,3\\]"):
            torch.compile(lambda v: relayout(v, "f32[4,3]"), fullgraph=True)(torch.randn(3, 4))


class Tiling(torch.nn.Module):
    def forward(self, x):
        return relayout(x * 2, "{1,0:T(8,128)}")


class Export(unittest.TestCase):
    def test_programs(self):
        x = torch.randn(5, 7)
        for dynamic in (False, True):
            rows = ({0: torch.export.Dim("rows", min=2, max=100)},) if dynamic else None
            program = torch.export.export(Tiling(), (x,), dynamic_shapes=rows)
            calls = [node.target for node in program.graph.nodes if node.op == "call_function"]
            self.assertIn(torch.ops.xlashape.relayout.default, calls)
            file = io.BytesIO()
            torch.export.save(program, file)
            file.seek(0)
            loaded = torch.export.load(file).module()
            for count in (5, 50) if dynamic else (5,):
                y = torch.randn(count, 7)
                self.assertTrue(torch.equal(loaded(y), Tiling()(y)))

    @unittest.skipUnless(NEW, "PyTorch 2.9 has the kernel for texts in Python: a compiled program cannot call it")
    def test_compiled_programs(self):
        x = torch.randn(5, 7)
        with tempfile.TemporaryDirectory() as folder:
            path = torch._inductor.aoti_compile_and_package(
                torch.export.export(Tiling(), (x,)), package_path=str(Path(folder) / "tiling.pt2")
            )
            loaded = torch._inductor.aoti_load_package(path)
            self.assertTrue(torch.equal(loaded(x), Tiling()(x)))


def setUpModule():
    if shutil.which("g++") is None and shutil.which("c++") is None:
        raise unittest.SkipTest("inductor needs a compiler")


if __name__ == "__main__":
    unittest.main()
