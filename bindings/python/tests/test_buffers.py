"""Buffers whose owners do not keep to what they said: memory is asked for once, and only that answer counts."""

import ctypes
import sys
import unittest

import xlashape
from xlashape import Array, Plan, relayout

HEADROOM = 4096


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


class Interface:
    """__array_interface__ over a buffer, which may be too small for what it says."""

    def __init__(self, data, shape, offset=0, strides=None):
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": "|u1", "data": data, "offset": offset}
        if strides:
            self.__array_interface__["strides"] = strides


class Bounds(unittest.TestCase):
    def test_an_interface_beyond_its_buffer(self):
        plan = Plan("u8[3,4]", "u8[3,4]")
        out = bytearray(12)
        plan.execute(Interface(b"..abcdefghijkl", (3, 4), 2), out)
        self.assertEqual(out, b"abcdefghijkl")
        for wrong in (
            Interface(bytes(11), (3, 4)),
            Interface(bytes(12), (3, 4), 1),
            Interface(bytes(24), (3, 4), -1),
            Interface(bytes(12), (12,), 0, (-1,)),
            Interface(bytes(12), (3, 4), 0, (1 << 40, 1)),
        ):
            with self.assertRaisesRegex(xlashape.OutOfRangeError, "of a buffer of"):
                plan.execute(wrong, out)
            with self.assertRaises(xlashape.OutOfRangeError):
                relayout(wrong, "{0,1}", of="u8[3,4]")
        self.assertEqual(out, b"abcdefghijkl")

    def test_formats_with_a_byte_order(self):
        order = "<" if sys.byteorder == "little" else ">"
        block = (ctypes.c_float.__ctype_le__ if order == "<" else ctypes.c_float.__ctype_be__) * 6
        array = Array(block(1, 2, 3, 4, 5, 6), "f32[2,3]")
        self.assertEqual(array.data.nbytes, 24)
        self.assertEqual(memoryview(array.data).cast("f").tolist(), [1, 2, 3, 4, 5, 6])
