# SPDX-License-Identifier: Apache-2.0
"""A host that loads the library RTLD_LOCAL, as Python does: backends come, and none needs the library's symbols.

Arguments: the shared object, a folder with a plugin named good.
"""

import ctypes
import sys


class Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("backend_dirs", ctypes.c_char_p),
                ("executor", ctypes.c_void_p), ("allocator", ctypes.c_void_p), ("logger", ctypes.c_void_p),
                ("threads", ctypes.c_int32), ("reserved", ctypes.c_int32), ("verify_count", ctypes.c_int64),
                ("backend", ctypes.c_char_p), ("denied_backends", ctypes.c_char_p), ("cpu", ctypes.c_char_p),
                ("backend_options", ctypes.c_char_p), ("profile", ctypes.c_char_p)]


class RelayoutOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("fill_policy", ctypes.c_int32),
                ("src_space", ctypes.c_int32), ("dst_space", ctypes.c_int32), ("device", ctypes.c_int32),
                ("backend", ctypes.c_char_p), ("lists", ctypes.c_void_p * 5), ("scale_count", ctypes.c_int64),
                ("scale", ctypes.c_void_p), ("zero_point", ctypes.c_void_p), ("scale_dimension", ctypes.c_int64),
                ("element_strides", ctypes.c_void_p * 2), ("first_elements", ctypes.c_int64 * 2)]


class Error(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("code", ctypes.c_int32), ("index", ctypes.c_int64),
                ("offset", ctypes.c_int64), ("source", ctypes.c_uint32), ("message_len", ctypes.c_uint32),
                ("message", ctypes.c_char * 480)]


def main():
    library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL)
    library.xlashape_plan_backend.restype = ctypes.c_char_p
    error = Error(struct_size=ctypes.sizeof(Error))

    def check(status):
        if status != 0:
            sys.exit(f"status {status}: {error.message.decode()}")

    # A folder as the library's user would have it: what others may write to is not taken from the environment.
    options = Options(struct_size=ctypes.sizeof(Options), flags=1, backend_dirs=sys.argv[2].encode())
    runtime, plan = ctypes.c_void_p(), ctypes.c_void_p()
    check(library.xlashape_runtime_create(ctypes.byref(options), ctypes.byref(runtime), ctypes.byref(error)))
    shapes = []
    for text in (b"u8[3,4]{1,0}", b"u8[3,4]{0,1}"):
        shape = ctypes.c_void_p()
        check(library.xlashape_shape_parse(text, ctypes.c_int64(len(text)), 0, ctypes.byref(shape),
                                           ctypes.byref(error)))
        shapes.append(shape)
    results = set()
    # By name: the folder also holds plugins that end the process when they are mapped,
    # as any choice among all would do.
    for backend in (b"good", b"scalar"):
        wanted = RelayoutOptions(struct_size=ctypes.sizeof(RelayoutOptions), backend=backend)
        check(library.xlashape_plan_create(runtime, shapes[0], shapes[1], ctypes.byref(wanted), ctypes.byref(plan),
                                           ctypes.byref(error)))
        name = library.xlashape_plan_backend(plan)
        source, result = bytes(range(12)), ctypes.create_string_buffer(12)
        check(library.xlashape_plan_execute(plan, source, ctypes.c_int64(12), result, ctypes.c_int64(12),
                                            ctypes.byref(error)))
        library.xlashape_plan_release(plan)
        print(name.decode(), result.raw.hex())
        if backend and name != backend:
            sys.exit(f"{backend} was asked for, {name} came")
        results.add(result.raw)
    for shape in shapes:
        library.xlashape_shape_release(shape)
    library.xlashape_runtime_release(runtime)
    expected = bytes(4 * y + x for x in range(4) for y in range(3))
    return 0 if results == {expected} else 1


sys.exit(main())
