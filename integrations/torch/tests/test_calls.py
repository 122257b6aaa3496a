# SPDX-License-Identifier: Apache-2.0
"""Refusals, threads, the cache, and what a call leaves alone."""

import ctypes
import subprocess
import sys
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import torch
from cases import bits, by_permute, random_layout, random_tensor, seeded

import xlashape
from xlashape import Shape
from xlashape_torch import _library, pack, relayout, relayout_, unpack
from xlashape_torch._results import row_major_text

OBJECT = ctypes.CDLL(str(_library.PATH))
OBJECT.xlashape_torch_forms_kept.restype = ctypes.c_int64
OBJECT.xlashape_torch_forms_room.restype = ctypes.c_int64


X = torch.zeros(3, 4)
BYTES = torch.zeros(3, 4, dtype=torch.uint8)
PACKED = "s4[3,4]{1,0:E(4)}"
# What the message has, x, to, of.
REFUSED = [
    (["float32[3,4]", "'{0,1'", "layout"], X, "{0,1", None),
    (["float32[3,4]", "'q32[3]'", "shape"], X, "q32[3]", None),
    (["float32[3,4]", "''"], X, "", None),
    (["float32[3,4]", "no array"], X, "(f32[3,4])", None),
    (["no array"], X, "token[]", None),
    (["no array"], X, "{1,0}", "b(f32[3,4])"),
    (["rank 2"], X, "{0}", None),
    (["'of'"], X, "{1,0}", "{1,0}"),
    (["float32[3,4]"], X, "{1,0:T(2,2)E(4)}", None),
    (["float32[3,4]", "to 'f32[3,4]\\x00': ", "byte"], X, "f32[3,4]\0", None),
    (["f32[3,4]", "f32[4,3]", "not the same array"], X, "f32[4,3]", None),
    (["f32[4,4]{0,1:T(4,4)}", "16 elements", "float32[3,4]"], X, "{1,0}", "f32[4,4]{0,1:T(4,4)}"),
    (["16 elements", "float32[15]"], torch.zeros(15), "{1,0}", "f32[4,4]{0,1}"),
    (["f32[4,4]", "f32[2,8]"], torch.zeros(16), "f32[2,8]", "f32[4,4]{0,1}"),
    (["float32[4,4]"], torch.zeros(4, 4), "{1,0}", "f32[4,4]{0,1}"),
    (["bf16[3,4]", "dtype"], X, "bf16[3,4]", None),
    (["s32[3,4]", "dtype"], X, "s32[3,4]", None),
    (["f32[2,6]", "dtype"], X.reshape(2, 6).to(torch.float64), "f32[2,6]", None),
    (["s4[3,4]", "dtype"], X.to(torch.int16), PACKED, None),
    (["uint8", "s4[3,4]"], torch.zeros(6, dtype=torch.int8), "{1,0}", PACKED),
    (["6 bytes"], torch.zeros(7, dtype=torch.uint8), "{1,0}", PACKED),
    (["no element type"], X.to(torch.complex32), "{0,1}", None),
    (["view(torch.uint8)"], BYTES.view(torch.bits8), "{0,1}", None),
    *(
        ([f"{name}[3,4]"], BYTES.view(getattr(torch, name)), "{0,1}", None)
        for name in ("int4", "uint3", "float4_e2m1fn_x2")
        if hasattr(torch, name)
    ),
    (["list"], [1, 2], "{0}", None),
]


class Refusals(unittest.TestCase):
    def test_messages(self):
        for words, x, to, of in REFUSED:
            with self.subTest(to=to, of=of), self.assertRaises(RuntimeError) as caught:
                relayout(x, to, of=of)
            for word in words:
                self.assertIn(word, str(caught.exception))
        with self.assertRaises(RuntimeError) as caught:
            relayout(X, "{" + "9" * 100000)
        self.assertLess(len(str(caught.exception)), 1000)

    def test_tensors(self):
        with self.assertRaisesRegex(NotImplementedError, "SparseCPU"):
            relayout(X.to_sparse(), "{0,1}")
        with self.assertRaisesRegex(TypeError, "int"):
            relayout(X, 5)
        with self.assertRaises(RuntimeError):
            torch.ops.xlashape.relayout_batched(torch.tensor(1.0), "{}")

    def test_packing(self):
        x = torch.zeros(3, 4, dtype=torch.int8)
        for text in ("s4[3,4]", "s8[3,4]{1,0}", "(s4[3,4]{1,0:E(4)})"):
            with self.assertRaises(ValueError):
                pack(x, text)
            with self.assertRaises(ValueError):
                unpack(x, text)

    def test_meta(self):
        self.assertEqual(relayout(torch.empty(3, 4, device="meta"), "{0,1:T(8,128)}").shape, (1024,))
        with self.assertRaises((RuntimeError, ValueError)):
            relayout(torch.empty(3, 4, device="meta"), "f32[5,5]")
        for x in (torch.empty(3, 4), torch.empty(3, 4, device="meta")):
            for to, of in (("{0", None), ("f32[5,5]", None), ("{0,1}", "f32[4")):
                with self.assertRaises(RuntimeError) as caught:
                    relayout(x, to, of=of)
                texts = f"to '{to}': " if of is None else f"of '{of}' to '{to}': "
                self.assertIn(f"xlashape::relayout of a tensor float32[3,4] {texts}", str(caught.exception))

    def test_nothing_is_printed(self):
        program = (
            "import torch; from xlashape_torch import relayout\n"
            "for to in ('{0,1', '{0}', 'f32[1,2]', '{0,1}'):\n"
            "    try: relayout(torch.zeros(3, 4), to)\n"
            "    except RuntimeError: pass\n"
        )
        command = [sys.executable, "-W", "ignore", "-c", program]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))


class InPlace(unittest.TestCase):
    def test_bytes(self):
        seeded(3)
        for dimensions, to, dtype in (
            ((700, 300), "{0,1}", torch.float32),
            ((1024, 1024), "{0,1}", torch.bfloat16),
            ((2, 64, 8, 16), "{3,1,2,0}", torch.float16),
            ((512, 1024), "{1,0:T(8,128)}", torch.float32),
            ((3, 4), "{0,1}", torch.int8),
            ((0, 4), "{0,1}", torch.int64),
        ):
            x = random_tensor(dimensions, dtype)
            wanted, at, version = relayout(x, to), x.data_ptr(), x._version
            self.assertIs(relayout_(x, to), x)
            self.assertEqual((x.data_ptr(), tuple(x.shape), x._version > version), (at, dimensions, True))
            self.assertTrue(bits(x).equal(bits(wanted)), to)
            of = f"{Shape.of(x).element_type}[{','.join(map(str, dimensions))}]{to}"
            back = relayout_(wanted.clone(), row_major_text(len(dimensions)), of=of)
            self.assertTrue(bits(back).equal(bits(relayout(wanted, row_major_text(len(dimensions)), of=of))), to)

    def test_refused(self):
        x = torch.zeros(6, 8)
        for part, tensor, to in (
            ("relayout_ of a tensor float32\\[6,8\\].*in place: a layout has padding", x, "{0,1:T(8,128)}"),
            ("in place: the tensor is not contiguous", x.t(), "{0,1}"),
            ("in place: the tensor is not contiguous", x[:, ::2], "{0,1}"),
            ("byte 1 of the text is 0", x, "{\0"),
            ("not the same array", x, "f32[8,6]"),
        ):
            with self.assertRaisesRegex(RuntimeError, part):
                relayout_(tensor, to)
        self.assertFalse(x.any())
        weight = torch.ones(3, 4, requires_grad=True)
        for call in (relayout_, torch.ops.xlashape.relayout_):
            with self.assertRaisesRegex(RuntimeError, "has no gradient"):
                call(weight * 2, "{0,1}")
        with torch.no_grad():
            relayout_(weight, "{0,1}")
        with torch.inference_mode():
            x = torch.arange(6).reshape(2, 3)
            self.assertEqual(relayout_(x, "{0,1}").flatten().tolist(), [0, 3, 1, 4, 2, 5])
        square = torch.ones(3, 4, requires_grad=True)
        doubled = square * 2
        kept = (doubled * doubled).sum()  # remembers `doubled`
        with torch.no_grad():
            relayout_(doubled, "{0,1}")
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            kept.backward()


class Threads(unittest.TestCase):
    def test_sixteen(self):
        rng = seeded(8)
        calls = []
        for _ in range(200):
            dimensions = (rng.randint(1, 60), rng.randint(1, 60))
            layout = random_layout(rng, 2)
            x = random_tensor(dimensions, rng.choice([torch.float32, torch.int8, torch.float64]))
            calls.append((x, str(layout), relayout(x, layout)))

        def work(seed):
            mine = seeded(seed)
            for _ in range(1000):
                x, to, wanted = mine.choice(calls)
                if not torch.equal(relayout(x, to).view(torch.uint8), wanted.view(torch.uint8)):
                    return False
            return True

        with ThreadPoolExecutor(16) as pool:
            self.assertTrue(all(pool.map(work, range(16))))

    def test_large_from_many_threads(self):
        x = torch.randn(1500, 1100)
        wanted = by_permute(x, (0, 1))
        torch.set_num_threads(2)
        with ThreadPoolExecutor(16) as pool:
            self.assertTrue(all(torch.equal(y, wanted) for y in pool.map(lambda _: relayout(x, "{0,1}"), range(64))))
        torch.set_num_threads(1)

    def test_other_threads_run_meanwhile(self):
        """The GIL is given up: another thread counts while a large relayout runs."""
        x = torch.randn(6000, 5000)
        counted, stop = [0], threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0.0005)

        thread = threading.Thread(target=count)
        thread.start()
        try:
            before = counted[0]
            relayout(x, "{0,1:T(8,128)}")
            self.assertGreater(counted[0], before + 2)
        finally:
            stop.set()
            thread.join()


class Cache(unittest.TestCase):
    def test_is_bounded(self):
        room = OBJECT.xlashape_torch_forms_room()
        x = torch.arange(3000.0)
        for size in range(1, room + 700):
            self.assertEqual(relayout(x[:size], "{0:T(4)}").numel(), -(-size // 4) * 4)
        self.assertLessEqual(OBJECT.xlashape_torch_forms_kept(), room)
        self.assertGreater(OBJECT.xlashape_torch_forms_kept(), room // 2)
        kept = OBJECT.xlashape_torch_forms_kept()
        for _ in range(100):
            relayout(x[:2000], "{0:T(4)}")
        self.assertLessEqual(OBJECT.xlashape_torch_forms_kept(), kept + 1)

    def test_tells_calls_apart(self):
        """Calls that differ in one thing only."""
        x = torch.arange(12.0)
        pairs = [
            (x.reshape(3, 4), "{0,1}", None),
            (x.reshape(3, 4), "{1,0}", None),
            (x.reshape(4, 3), "{0,1}", None),
            (x.reshape(4, 3).t(), "{0,1}", None),
            (x.reshape(3, 4).view(torch.int32), "{0,1}", None),
            (x, "{1,0}", "f32[3,4]{0,1}"),
            (x, "{1,0}", "f32[4,3]{0,1}"),
            (x, "{0,1}", "f32[4,3]{0,1}"),
            (x.reshape(1, 12), "{0,1}", None),
            (x[:1].expand(3, 4), "{0,1}", None),
        ]
        for _ in range(3):
            for y, to, of in pairs:
                source = Shape(of) if of else Shape.array("s32" if y.dtype == torch.int32 else "f32", y.shape)
                result = source.with_layout(to)
                wanted = xlashape.relayout(y.contiguous().numpy().tobytes(), result, of=source).tobytes()
                self.assertEqual(relayout(y, to, of=of).numpy().tobytes(), wanted, (y.shape, to, of))

    def test_failures_are_not_kept(self):
        kept = OBJECT.xlashape_torch_forms_kept()
        for _ in range(3):
            with self.assertRaises(RuntimeError):
                relayout(torch.zeros(3, 4), "{0,1:T(")
        self.assertEqual(OBJECT.xlashape_torch_forms_kept(), kept)


class Memory(unittest.TestCase):
    def test_nothing_leaks(self):
        x = torch.randn(300, 400, requires_grad=True)
        import resource

        def run(count):
            for _ in range(count):
                relayout(x, "{0,1:T(8,128)}").sum().backward()
                with torch.no_grad():
                    relayout(relayout(x, "{0,1:T(8,128)}"), "{1,0}", of="f32[300,400]{0,1:T(8,128)}")
                try:
                    relayout(x, "f32[1,2]")
                except RuntimeError:
                    pass

        run(50)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        run(400)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 40 << 10)  # KiB; a result of each round would be 190 MiB

    def test_source_is_untouched(self):
        x = torch.randn(30, 40)
        before, version = x.clone(), x._version
        relayout(x, "{0,1:T(8,128)}")
        self.assertTrue(torch.equal(x, before))
        self.assertEqual(x._version, version)


if __name__ == "__main__":
    unittest.main()
