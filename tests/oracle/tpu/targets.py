# SPDX-License-Identifier: Apache-2.0
"""The part of the C API that is about targets, over ctypes."""

import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import shim  # noqa: E402

KEEP_ORDER = 1


class BitcastSteps(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("kind", ctypes.c_int32),
                ("transpose1", ctypes.c_void_p), ("transpose1_capacity", ctypes.c_int64),
                ("transpose2", ctypes.c_void_p), ("transpose2_capacity", ctypes.c_int64),
                ("reshape_from", ctypes.c_void_p), ("reshape_to", ctypes.c_void_p)]


class Targets(shim.Library):
    def __init__(self, path):
        super().__init__(path)
        self.numbers = {}

    def tpus(self):
        self.c.xlashape_target_name.restype = ctypes.c_char_p
        self.c.xlashape_target_count.restype = ctypes.c_int64
        names = (self.c.xlashape_target_name(number).decode() for number in range(self.c.xlashape_target_count()))
        return {name for name in names if name.startswith("tpu:")}

    def number(self, target):
        if target not in self.numbers:
            number = ctypes.c_int32()
            name = target.encode()
            self.call("xlashape_target_from_name", name, ctypes.c_int64(len(name)), ctypes.byref(number))
            self.numbers[target] = number
        return self.numbers[target]

    def element_type(self, name):
        number = ctypes.c_int32()
        self.call("xlashape_element_type_from_name", name.encode(), ctypes.c_int64(len(name)), ctypes.byref(number))
        return number

    def layout(self, target, element_type, dimensions, minor_to_major=None):
        """The layout's text, or the Failure."""
        rank = len(dimensions)
        numbers = (ctypes.c_int64 * max(rank, 1))(*dimensions)
        order = (ctypes.c_int64 * max(rank, 1))(*minor_to_major) if minor_to_major is not None else None
        layout = ctypes.c_void_p()
        try:
            self.call("xlashape_target_layout", self.number(target), self.element_type(element_type), numbers, order,
                      ctypes.c_int64(rank), ctypes.byref(layout))
        except shim.Failure as failure:
            return failure
        try:
            return self.text("xlashape_layout_print", layout, ctypes.c_uint32(0))
        finally:
            self.c.xlashape_layout_release(layout)

    def for_target(self, shape, target, flags=0):
        made = ctypes.c_void_p()
        self.call("xlashape_shape_for_target", shape.handle, self.number(target), ctypes.c_uint32(flags),
                  ctypes.byref(made))
        return shim.Shape(self, made)

    def tuple_bytes(self, target, elements):
        bytes_ = ctypes.c_int64()
        self.call("xlashape_target_tuple_bytes", self.number(target), ctypes.c_int64(elements), ctypes.byref(bytes_))
        return bytes_.value

    def is_bitcast(self, a, b):
        """Whether the one, transposed, reshaped and transposed, is the other without moving a byte."""
        steps = BitcastSteps(ctypes.sizeof(BitcastSteps))
        try:
            self.call("xlashape_shape_decompose_bitcast", a.handle, b.handle, ctypes.c_uint32(2), ctypes.byref(steps))
        except shim.Failure as failure:
            if failure.status != "NOT_FOUND":
                raise
            return False
        self.c.xlashape_shape_release(ctypes.c_void_p(steps.reshape_from))
        self.c.xlashape_shape_release(ctypes.c_void_p(steps.reshape_to))
        return True
