# SPDX-License-Identifier: Apache-2.0
"""relayout over the buffer protocol and the array interface, without NumPy: what goes in, what comes out, what is
refused; and owners that do not keep to what they said."""

import array
import ctypes
import gc
import mmap
import sys
import unittest
import weakref
from unittest import mock

import xlashape
from cases import Case
from xlashape import Array, FillPolicy, Plan, Runtime, Shape, relayout

DATA, TILED = b"abcdefghijkl", b"aebfi\0j\0cgdhk\0l\0"
HEADROOM = 4096


class Exporter:
    """An array by __array_interface__ alone."""

    def __init__(self, data, typestr, shape, strides=None, **more):
        self.owner = (type(self).address_of(data), data)
        self.__array_interface__ = {
            "version": 3, "typestr": typestr, "shape": shape, "strides": strides, "data": (self.owner[0], False), **more
        }  # fmt: skip

    @staticmethod
    def address_of(data):
        return ctypes.addressof(ctypes.c_char.from_buffer(data))


class Relayouts(Case):
    def test_images(self):
        tiled = relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]")
        self.assertEqual(repr(tiled), "<xlashape.Array u8[3,4]{0,1:T(2,2)}>")
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

    def test_large_and_mapped(self):
        source = mmap.mmap(-1, 4 << 20)
        source[:4] = b"\1\2\3\4"
        out = relayout(source, "{0,1}", of="f32[1024,1024]")
        self.assertEqual((out.nbytes, bytes(out.data[:4])), (4 << 20, b"\1\2\3\4"))

    def test_empty(self):
        out = relayout(b"", "{0,1}", of="f32[0,4]")
        self.assertEqual((out.nbytes, out.tobytes()), (0, b""))

    def test_formats_with_a_byte_order(self):
        order = "<" if sys.byteorder == "little" else ">"
        block = (ctypes.c_float.__ctype_le__ if order == "<" else ctypes.c_float.__ctype_be__) * 6
        array = Array(block(1, 2, 3, 4, 5, 6), "f32[2,3]")
        self.assertEqual(array.data.nbytes, 24)
        self.assertEqual(memoryview(array.data).cast("f").tolist(), [1, 2, 3, 4, 5, 6])

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


class Misuse(Case):
    def test_refused(self):
        view = memoryview(bytearray(12)).cast("B", (3, 4))
        readonly = memoryview(bytes(12)).cast("B", (3, 4))
        invalid, unsupported = xlashape.InvalidArgumentError, xlashape.UnsupportedError
        self.refused(
            (TypeError, "an array", lambda: relayout([1, 2], "{0}")),
            (TypeError, "`to`", lambda: relayout(view)),
            (TypeError, "out must be", lambda: relayout(view, "{0,1}", out=[0])),
            (ValueError, "11 bytes", lambda: relayout(DATA[:-1], "{0,1}", of="u8[3,4]")),
            (ValueError, "16 are wanted", lambda: relayout(view, "{0,1:T(2,2)}", out=bytearray(12))),
            (invalid, "read-only", lambda: relayout(view, "{0,1}", out=bytes(12))),
            (invalid, "read-only", lambda: relayout(view, out=readonly)),
            (invalid, "u8", lambda: relayout(view, "f32[3,4]{0,1}")),
            (invalid, "dimension", lambda: relayout(view, "u8[4,3]{0,1}")),
            (invalid, "", lambda: relayout(view, "{0}")),
            (xlashape.ParseError, "'rows': did you mean row", lambda: relayout(view, "rows")),
            (xlashape.ParseError, "", lambda: relayout(view, "{0,1:X}")),
            (invalid, "copy", lambda: relayout(view, "{0,1}", out=bytearray(12), copy=True)),
            (unsupported, "mask", lambda: relayout(Exporter(bytearray(4), "|u1", (4,), mask=1), "{0}")),
            (unsupported, "swapped", lambda: relayout(Exporter(bytearray(4), ">f4", (1,)), "{0}")),
            (invalid, "overlap", lambda: relayout(view, "{0,1}", out=view)),
            (unsupported, "unbounded", lambda: relayout(view, Shape("u8[?,4]"))),
            (ValueError, "bytes", lambda: Array(bytes(11), "u8[3,4]")),
            (invalid, "contiguous", lambda: Array(memoryview(bytes(24))[::2], "u8[3,4]")),
        )


class Interfaces(Case):
    """__array_interface__ over a buffer."""

    def given(self, **changed):
        interface = {"version": 3, "typestr": "|u1", **changed}
        return type("Given", (), {"__array_interface__": interface})()

    def test_what_it_must_be(self):
        """Before anything is computed from it: each of these led beyond the memory."""
        memory, invalid = bytearray(64), xlashape.InvalidArgumentError
        for changed, kind, message in (
            ({"shape": (4096,), "strides": ()}, invalid, "has 0 strides for 1 dimensions"),
            ({"shape": (8,), "strides": (1, 1)}, invalid, "has 2 strides for 1 dimensions"),
            ({"shape": (2 - 64,), "offset": 63}, invalid, "sizes must not be negative"),
            ({"shape": (-1, -1)}, invalid, "sizes must not be negative"),
            ({"shape": (2.0,)}, TypeError, "entry 0 of shape in __array_interface__ must be an integer"),
            ({"shape": (8, "8")}, TypeError, "entry 1 of shape"),
            ({"shape": (1 << 63,)}, OverflowError, "entry 0 of shape"),
            ({"shape": (4,), "strides": (1.5,)}, TypeError, "entry 0 of strides"),
            ({"shape": (4,), "offset": 1.0}, TypeError, "offset in __array_interface__"),
            ({"shape": (4,), "data": (1, 2, 3)}, invalid, "data in __array_interface__ has 3"),
            # Nothing is cut off, and no text is taken for its memory.
            ({"shape": (4,), "data": (1 << 64, False)}, OverflowError, "the address in __array_interface__"),
            ({"shape": (4,), "data": (-1, False)}, OverflowError, "the address in __array_interface__"),
            ({"shape": (4,), "data": ("text", False)}, TypeError, "the address in __array_interface__"),
            ({"shape": (4,), "data": (None, False)}, TypeError, "the address in __array_interface__"),
        ):
            array = self.given(**{"data": memory, **changed})
            self.refused(
                (kind, message, lambda: relayout(array, "{0}")),  # noqa: B023
                (kind, message, lambda: Array(array, "u8[64]")),  # noqa: B023
                (kind, message, lambda: Plan("u8[64]", "u8[64]").execute(bytes(64), array)),  # noqa: B023
            )

    def test_beyond_its_buffer(self):
        plan, out = Plan("u8[3,4]", "u8[3,4]"), bytearray(12)
        plan.execute(self.given(data=b"..abcdefghijkl", shape=(3, 4), offset=2), out)
        self.assertEqual(out, DATA)
        for changed in (
            {"data": bytes(11), "shape": (3, 4)},
            {"data": bytes(12), "shape": (3, 4), "offset": 1},
            {"data": bytes(24), "shape": (3, 4), "offset": -1},
            {"data": bytes(12), "shape": (12,), "strides": (-1,)},
            {"data": bytes(12), "shape": (3, 4), "strides": (1 << 40, 1)},
        ):
            wrong = self.given(**changed)
            self.refused(
                (xlashape.OutOfRangeError, "of a buffer of", lambda: plan.execute(wrong, out)),  # noqa: B023
                (xlashape.OutOfRangeError, "", lambda: relayout(wrong, "{0,1}", of="u8[3,4]")),  # noqa: B023
            )
        self.assertEqual(out, DATA)


class Fickle:
    """Another buffer at each question: the first answers are small ones inside of large memory."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    def __buffer__(self, flags):
        self.asked += 1
        return memoryview(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])


@unittest.skipIf(sys.version_info < (3, 12), "a class of Python's own can give buffers from Python 3.12 on")
class AskedOnce(unittest.TestCase):
    def fickle(self, sizes):
        """Small ones are the middle of larger memory, so that a write beyond them is seen, and harms nobody."""
        self.blocks = [bytearray(size + 2 * HEADROOM) for size in sizes]
        return Fickle(*(memoryview(block)[HEADROOM : len(block) - HEADROOM] for block in self.blocks))

    def untouched(self):
        return all(not any(block[:HEADROOM]) and not any(block[-HEADROOM:]) for block in self.blocks)

    def test_a_plan(self):
        plan = Plan("u8[32,32]", "u8[32,32]{0,1}")
        for sizes in ((16, 1024, 16), (1024, 16, 16), (16, 16, 1024), (1024, 16, 1024)):
            target = self.fickle(sizes)
            try:
                plan.execute(b"\x01" * 1024, target)
            except xlashape.OutOfRangeError:
                pass
            self.assertTrue(self.untouched(), sizes)

    def test_an_array(self):
        for sizes in ((16, 64), (16, 8)):
            source = self.fickle(sizes)
            array = Array(source, "u8[4,4]")
            self.assertEqual((source.asked, array.nbytes, array.data.nbytes), (1, 16, 16))
            array.data[:] = b"\x01" * 16
            self.assertEqual(bytes(self.blocks[0][HEADROOM:-HEADROOM]), b"\x01" * 16)

    def test_a_relayout(self):
        target = self.fickle((16, 1024))
        relayout(b"\x01" * 16, of="u8[4,4]", to="{0,1}", out=target)
        self.assertEqual(target.asked, 1)
        self.assertEqual(bytes(self.blocks[0][HEADROOM:-HEADROOM]), b"\x01" * 16)


if __name__ == "__main__":
    unittest.main()
