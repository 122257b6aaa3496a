"""relayout over the buffer protocol, without NumPy: what goes in, what comes out, what is refused."""

import array
import gc
import mmap
import sys
import unittest
import weakref
from unittest import mock

import xlashape
from xlashape import Array, FillPolicy, Plan, Runtime, Shape, relayout

DATA, TILED = b"abcdefghijkl", b"aebfi\0j\0cgdhk\0l\0"


class Exporter:
    """An array by __array_interface__ alone."""

    def __init__(self, data, typestr, shape, strides=None, **more):
        self.owner = (type(self).address_of(data), data)
        self.__array_interface__ = {
            "version": 3, "typestr": typestr, "shape": shape, "strides": strides, "data": (self.owner[0], False), **more
        }  # fmt: skip

    @staticmethod
    def address_of(data):
        import ctypes

        return ctypes.addressof(ctypes.c_char.from_buffer(data))


class Relayouts(unittest.TestCase):
    def test_images(self):
        tiled = relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]")
        self.assertIsInstance(tiled, Array)
        self.assertEqual(tiled.tobytes(), TILED)
        self.assertEqual(tiled.shape, Shape("u8[3,4]{0,1:T(2,2)}"))
        self.assertEqual(relayout(tiled, "{1,0}").tobytes(), DATA)
        self.assertEqual(tiled.relayout(Shape("u8[3,4]")).tobytes(), DATA)
        self.assertEqual(relayout(TILED, "u8[3,4]", of="u8[3,4]{0,1:T(2,2)}").tobytes(), DATA)

    def test_described_by_the_buffer(self):
        view = memoryview(array.array("f", range(6))).cast("B").cast("f", (2, 3))
        out = relayout(view, "{0,1}")
        self.assertEqual(str(out.shape), "f32[2,3]{0,1}")
        self.assertEqual(list(memoryview(out.data).cast("f")), [0, 3, 1, 4, 2, 5])
        reverse = relayout(memoryview(DATA)[::-2], "{0}")
        self.assertEqual(reverse.tobytes(), DATA[::-2])

    def test_no_copies_without_need(self):
        data = bytearray(DATA)
        seen = relayout(data, "{1,0}", of="u8[3,4]")
        data[0] = 0x7A
        self.assertEqual(seen.tobytes()[:1], b"z")
        copied = relayout(data, "{1,0}", of="u8[3,4]", copy=True)
        data[0] = 0x61
        self.assertEqual(copied.tobytes()[:1], b"z")
        # The same bytes under another name: a transposed row-major array is column-major where a size is 1.
        self.assertEqual(relayout(data, "{0,1}", of="u8[1,12]", copy=False).tobytes(), DATA)
        with self.assertRaises(xlashape.InvalidArgumentError):
            relayout(data, "{0,1}", of="u8[3,4]", copy=False)
        # Padding has to be filled, so nothing can be seen in place.
        with self.assertRaises(xlashape.InvalidArgumentError):
            relayout(bytes(16), "{0,1:T(2,2)}", of="u8[3,4]{0,1:T(2,2)}", copy=False)

    def test_out(self):
        out = bytearray(16)
        self.assertIs(relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]", out=out), out)
        self.assertEqual(out, TILED)
        plain = bytearray(12)
        view = memoryview(plain).cast("B", (3, 4))
        relayout(TILED, of="u8[3,4]{0,1:T(2,2)}", out=view)
        self.assertEqual(plain, DATA)
        target = Array(bytearray(16), "u8[3,4]{0,1:T(2,2)}")
        relayout(view, out=target)
        self.assertEqual(target.tobytes(), TILED)

    def test_at_once(self):
        """Without a plan, whatever is said, save where strides reach before index 0...0."""
        module = sys.modules["xlashape.array"]
        data, options = bytearray(DATA), {"fill": FillPolicy.PRESERVE, "backend": "scalar", "runtime": Runtime()}
        rows, columns = Exporter(data, "|u1", (3, 2), (4, 2)), Exporter(data, "|u1", (3, 2), (4, -2))
        columns.__array_interface__["data"] = (columns.owner[0] + 2, False)
        with mock.patch.object(module, "Plan", side_effect=Plan) as made:
            out = bytearray(b"." * 16)
            relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]", out=out, **options)
            self.assertEqual(out, TILED.replace(b"\0", b"."))
            out = bytearray(b"." * 12)
            relayout(rows, out=Exporter(out, "|u1", (3, 2), (1, 3)), **options)
            self.assertEqual(out, b"aeicgk......")
            self.assertEqual(relayout(rows, "{0,1}").tobytes(), b"aeicgk")
            made.assert_not_called()
            self.assertEqual(relayout(columns, "{0,1}", **options).tobytes(), b"cgkaei")
            made.assert_called_once()
            for wrong, text in (({"backend": "bogus"}, "bogus"), ({"device": 7}, "there is no device number 7")):
                with self.assertRaisesRegex((xlashape.NotFoundError, xlashape.OutOfRangeError), text):
                    relayout(rows, "{0,1}", **wrong)

    def test_fill(self):
        out = bytearray(b"." * 16)
        relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]", out=out, fill=FillPolicy.PRESERVE)
        self.assertEqual(out, TILED.replace(b"\0", b"."))

    def test_array_interface(self):
        data = bytearray(DATA)
        out = relayout(Exporter(data, "|u1", (3, 4)), "{0,1}")
        self.assertEqual(out.tobytes(), b"aeibfjcgkdhl")
        out = relayout(Exporter(data, "|u1", (3, 2), (4, 2)), "{1,0}")
        self.assertEqual(out.tobytes(), b"acegik")
        half = Exporter(bytearray(b"\1\2\3\4"), "<V2", (2,))
        with self.assertRaises(xlashape.UnsupportedError):
            relayout(half, "{0}")
        half.dtype = type("dtype", (), {"name": "bfloat16"})
        self.assertEqual(str(relayout(half, "{0}").shape), "bf16[2]{0}")

    def test_arrays_are_images(self):
        padded = relayout(DATA, "{1,0:PD(3,5)}", of="u8[3,4]")
        self.assertEqual(padded.tobytes(), b"abcd\0efgh\0ijkl\0")
        self.assertEqual(relayout(padded, "{1,0}").tobytes(), DATA)
        self.assertEqual(relayout(padded, "{1,0}", of=padded.shape).tobytes(), DATA)
        out = Array(bytearray(15), padded.shape)
        xlashape.Plan("u8[3,4]", padded.shape).execute(DATA, out)
        self.assertEqual(out.tobytes(), padded.tobytes())

    def test_packed(self):
        packed = relayout(bytes([1, 2, 3]), "{0:E(4)}", of="u4[3]")
        self.assertEqual(packed.tobytes(), bytes([0x21, 0x03]))
        self.assertEqual(relayout(packed, "{0}").tobytes(), bytes([1, 2, 3]))

    def test_large_and_mapped(self):
        source = mmap.mmap(-1, 4 << 20)
        source[:4] = b"\1\2\3\4"
        out = relayout(source, "{0,1}", of="f32[1024,1024]")
        self.assertEqual(out.nbytes, 4 << 20)
        self.assertEqual(bytes(out.data[:4]), b"\1\2\3\4")

    def test_empty(self):
        out = relayout(b"", "{0,1}", of="f32[0,4]")
        self.assertEqual((out.nbytes, out.tobytes()), (0, b""))

    def test_memory_is_let_go(self):
        class Owner(bytearray):
            pass

        data = Owner(DATA)
        gone = weakref.ref(data)
        seen = relayout(data, "{1,0}", of="u8[3,4]")
        with self.assertRaises(BufferError):
            data.append(1)  # it is exported
        del data
        gc.collect()
        self.assertIsNotNone(gone())
        self.assertEqual(seen.tobytes(), DATA)
        del seen
        gc.collect()
        self.assertIsNone(gone())


class Misuse(unittest.TestCase):
    def test_refused(self):
        view = memoryview(bytearray(12)).cast("B", (3, 4))
        readonly = memoryview(bytes(12)).cast("B", (3, 4))
        cases = [
            (TypeError, "an array", lambda: relayout([1, 2], "{0}")),
            (TypeError, "`to`", lambda: relayout(view)),
            (TypeError, "out must be", lambda: relayout(view, "{0,1}", out=[0])),
            (ValueError, "11 bytes", lambda: relayout(DATA[:-1], "{0,1}", of="u8[3,4]")),
            (ValueError, "16 are wanted", lambda: relayout(view, "{0,1:T(2,2)}", out=bytearray(12))),
            (xlashape.InvalidArgumentError, "read-only", lambda: relayout(view, "{0,1}", out=bytes(12))),
            (xlashape.InvalidArgumentError, "read-only", lambda: relayout(view, out=readonly)),
            (xlashape.InvalidArgumentError, "u8", lambda: relayout(view, "f32[3,4]{0,1}")),
            (xlashape.InvalidArgumentError, "dimension", lambda: relayout(view, "u8[4,3]{0,1}")),
            (xlashape.InvalidArgumentError, "", lambda: relayout(view, "{0}")),
            (xlashape.ParseError, "", lambda: relayout(view, "{0,1:X}")),
            (xlashape.InvalidArgumentError, "copy", lambda: relayout(view, "{0,1}", out=bytearray(12), copy=True)),
            (xlashape.UnsupportedError, "mask", lambda: relayout(Exporter(bytearray(4), "|u1", (4,), mask=1), "{0}")),
            (xlashape.UnsupportedError, "swapped", lambda: relayout(Exporter(bytearray(4), ">f4", (1,)), "{0}")),
            (xlashape.InvalidArgumentError, "overlap", lambda: relayout(view, "{0,1}", out=view)),
            (xlashape.UnsupportedError, "unbounded", lambda: relayout(view, "u8[?,4]")),
            (ValueError, "bytes", lambda: Array(bytes(11), "u8[3,4]")),
            (xlashape.InvalidArgumentError, "contiguous", lambda: Array(memoryview(bytes(24))[::2], "u8[3,4]")),
        ]
        for kind, text, call in cases:
            with self.subTest(text), self.assertRaises(kind) as caught:
                call()
            self.assertIn(text, str(caught.exception))
