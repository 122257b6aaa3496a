# SPDX-License-Identifier: Apache-2.0
"""Just enough of the C API for the oracle, over ctypes: shapes by text, by bytes, and their sizes."""

import ctypes
import os

STATUS = {0: "OK", 1: "INVALID_ARGUMENT", 2: "OUT_OF_RANGE", 3: "OVERFLOW",
          4: "PARSE", 5: "UNSUPPORTED", 6: "NOT_FOUND"}
KEEP_MISSING_LAYOUT = 1
WITHOUT_LAYOUT, STRICT = 1, 2
SIZE_XLA = 1


class Record(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("code", ctypes.c_int32), ("index", ctypes.c_int64),
                ("offset", ctypes.c_int64), ("source", ctypes.c_uint32), ("message_len", ctypes.c_uint32),
                ("message", ctypes.c_char * 480)]


class Sizes(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("element_bits", ctypes.c_int32)] + [
        (name, ctypes.c_int64) for name in ("elements", "storage_elements", "logical_bytes", "bytes", "xla_bytes",
                                            "data_bytes", "dimension_padding", "tail_padding")]


class Failure(Exception):
    """A status other than OK."""

    def __init__(self, status, record):
        self.status = STATUS.get(status, str(status))
        super().__init__(f"{self.status}: {record.message.decode()} (offset {record.offset})")


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(os.fspath(path))
        for name in ("xlashape_layout_release", "xlashape_shape_release", "xlashape_index_map_release",
                     "xlashape_program_shape_release"):
            getattr(self.c, name).argtypes = [ctypes.c_void_p]
            getattr(self.c, name).restype = None
        for name in ("xlashape_shape_equal", "xlashape_shape_compatible", "xlashape_layout_equal"):
            getattr(self.c, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]

    def call(self, name, *arguments):
        """Calls a function that fails by status, its error record added."""
        record = Record(ctypes.sizeof(Record))
        status = getattr(self.c, name)(*arguments, ctypes.byref(record))
        if status:
            raise Failure(status, record)

    def text(self, name, *arguments):
        """The answer of a function that gives text by (text, capacity, needed)."""
        needed = ctypes.c_int64()
        buffer = ctypes.create_string_buffer(1024)
        try:
            self.call(name, *arguments, buffer, ctypes.c_int64(len(buffer)), ctypes.byref(needed))
        except Failure as failure:
            if failure.status != "OUT_OF_RANGE":
                raise
            buffer = ctypes.create_string_buffer(needed.value)
            self.call(name, *arguments, buffer, ctypes.c_int64(len(buffer)), ctypes.byref(needed))
        return buffer.value.decode()

    def array(self, item, name, *arguments):
        """The answer of a function that gives items by (out, capacity, needed)."""
        needed = ctypes.c_int64()
        self.call(name, *arguments, None, ctypes.c_int64(0), ctypes.byref(needed))
        buffer = (item * max(needed.value, 1))()
        self.call(name, *arguments, buffer, ctypes.c_int64(len(buffer)), ctypes.byref(needed))
        return buffer[:needed.value]

    def shape(self, text, flags=0):
        data = text.encode()
        handle = ctypes.c_void_p()
        self.call("xlashape_shape_parse", data, ctypes.c_int64(len(data)), ctypes.c_uint32(flags),
                  ctypes.byref(handle))
        return Shape(self, handle)

    def shape_from_proto(self, data, flags=0):
        handle = ctypes.c_void_p()
        self.call("xlashape_shape_from_proto", data, ctypes.c_int64(len(data)), ctypes.c_uint32(flags),
                  ctypes.byref(handle))
        return Shape(self, handle)

    def program_from_proto(self, data):
        handle = ctypes.c_void_p()
        self.call("xlashape_program_shape_from_proto", data, ctypes.c_int64(len(data)), ctypes.c_uint32(1),
                  ctypes.byref(handle))
        return Program(self, handle)


class Handle:
    release = ""

    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    def __del__(self):
        getattr(self.library.c, self.release)(self.handle)


class Shape(Handle):
    release = "xlashape_shape_release"

    def print(self, flags=0):
        return self.library.text("xlashape_shape_print", self.handle, ctypes.c_uint32(flags))

    def layout_text(self):
        layout = ctypes.c_void_p()
        self.library.call("xlashape_shape_layout", self.handle, ctypes.byref(layout))
        try:
            return self.library.text("xlashape_layout_print", layout, ctypes.c_uint32(0))
        finally:
            self.library.c.xlashape_layout_release(layout)

    def proto(self):
        return bytes(self.library.array(ctypes.c_uint8, "xlashape_shape_to_proto", self.handle, ctypes.c_uint32(0)))

    def equal(self, other, mask=1 << 13):  # XLASHAPE_EQUAL_XLA
        return bool(self.library.c.xlashape_shape_equal(self.handle, other.handle, mask))

    def byte_size(self, pointer_size=8, flags=0):
        size = ctypes.c_int64()
        self.library.call("xlashape_shape_byte_size", self.handle, ctypes.c_int64(pointer_size),
                          ctypes.c_uint32(flags), ctypes.byref(size))
        return size.value

    def sizes(self):
        sizes = Sizes(ctypes.sizeof(Sizes))
        self.library.call("xlashape_shape_sizes", self.handle, ctypes.byref(sizes))
        return sizes

    def dimensions(self):
        return list(self.library.array(ctypes.c_int64, "xlashape_shape_dimensions", self.handle))

    def linear_indices(self, indices):
        """Positions of the elements at those indices, each a tuple."""
        rank = len(indices[0])
        flat = (ctypes.c_int64 * max(1, len(indices) * rank))(*[i for index in indices for i in index])
        out = (ctypes.c_int64 * len(indices))()
        index_map, plan = ctypes.c_void_p(), ctypes.c_void_p()
        to_linear = ctypes.c_int32(1)  # XLASHAPE_CONVERSION_TO_LINEAR
        try:
            self.library.call("xlashape_index_map_create", self.handle, ctypes.byref(index_map))
            self.library.call("xlashape_index_plan_create", None, index_map, to_linear, None, ctypes.byref(plan))
            self.library.call("xlashape_index_plan_execute", plan, ctypes.c_int64(len(indices)),
                              flat, ctypes.c_int64(ctypes.sizeof(flat)), out, ctypes.c_int64(ctypes.sizeof(out)), None)
        finally:
            self.library.c.xlashape_index_plan_release(plan)
            self.library.c.xlashape_index_map_release(index_map)
        return list(out)


class Program(Handle):
    release = "xlashape_program_shape_release"

    def proto(self):
        return bytes(self.library.array(ctypes.c_uint8, "xlashape_program_shape_to_proto", self.handle,
                                        ctypes.c_uint32(0)))

    def print(self, flags=0):
        return self.library.text("xlashape_program_shape_print", self.handle, ctypes.c_uint32(flags))
