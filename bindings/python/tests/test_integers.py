# SPDX-License-Identifier: Apache-2.0
"""Every parameter that takes an integer: none is cut off to what C has room for, and wrong types are TypeError."""

import ctypes
import inspect
import unittest

import xlashape
from xlashape import Array, ElementType, IndexMap, IndexPlan, Layout, Plan, ProgramShape, Runtime, Shape, Target

NUMBERS = {
    *("int", "Optional[int]", "LayoutField", "Ignore", "Bitcast"),
    *("FillPolicy", "MemorySpace", "QueueKind", "PaddingValue"),
}
TOO_LARGE = (1 << 64, (1 << 64) + 3, -(1 << 64), 10**5000)
NO_INTEGERS = ("3", 1.5, [3], b"3", None)

MEMORY = ctypes.create_string_buffer(4096)
AT = ctypes.addressof(MEMORY)
PROGRAM = ProgramShape([], "f32[]")
OBJECTS = (
    *(Shape("f32[4,5]"), Layout("{1,0:T(8,128)SC(0:2)}"), ElementType.F32),
    *(IndexMap("f32[4,5]"), Plan("f32[4,5]", "f32[4,5]")),
    *(IndexPlan(IndexMap("f32[4,5]"), to_linear=True), Runtime(), PROGRAM, Array(bytearray(4), "f32[]")),
    Target("tpu:v5e"),
)
# What a call needs besides, by the parameter's name; of a function first.
GOOD = {
    "equal": {"other": None},  # each kind its own: see `arguments`
    "execute_task": {"src": bytes(80), "dst": bytearray(80), "begin": 0, "end": 1, "count": 1},
    "execute_at": {"src": AT, "dst": AT + 2048, "src_bytes": 1024, "dst_bytes": 1024, "count": 1},
    "create": {"minor_to_major": (1, 0)},
    "transpose_is_bitcast": {"other": "f32[5,4]", "permutation": (1, 0)},
    "align_layouts": {"dimensions": (20,)},
    "Plan": {"src": "f32[4]", "dst": "f32[4]"},
    "IndexPlan": {"map": IndexMap("f32[4,5]"), "to_linear": True},
    **{"Runtime": {}, "draw": {}, "byte_size": {"pointer_size": 8}},
    **{name: {"other": "f32[4,5]"} for name in ("compatible", "reshape_is_bitcast", "deduce_transpose")},
    **{name: {"rank": 2} for name in ("row_major", "column_major")},
    **{name: {"dimension": 0} for name in ("max_split_size", "dimension_number")},
    **{name: {"dimension": 0} for name in ("move_dimension_to_major", "move_dimension_to_minor")},
    **{name: {"fields": 1} for name in ("has_layout_fields", "without_layout_fields")},
    "with_dimension": {"dimension": 0, "size": 4},
    "insert_dimensions": {"at": 0, "sizes": [1]},
    "multidimensional_index": {"linear": 0},
    **{"task_count": {"workers": 1}, "device_text": {"ordinal": 0}},
    "padding_element": {"value": 1},
    "hash_ignoring": {"ignore": 0},
    "decompose_bitcast": {"other": "f32[4,5]"},
    **{"tile_text": {"level": 0}, "split_text": {"split": 0}},
    **{"tuple_bytes": {"elements": 3}, "memory_space_name": {"memory_space": 1}},
}


def functions():
    """(name, function) for all that takes integers."""
    for value in OBJECTS:
        for base in type(value).__mro__:
            for name in vars(base) if base.__module__.startswith("xlashape") else ():
                if not name.startswith("_") and callable(getattr(type(value), name)):
                    yield name, getattr(value, name), value
    for kind in (Plan, IndexPlan, Runtime):
        yield kind.__name__, kind, None


def arguments(name, function, value):
    """(parameters that are integers, good arguments)."""
    parameters = inspect.signature(function).parameters.values()
    chosen = [parameter.name for parameter in parameters if str(parameter.annotation).strip("'") in NUMBERS]
    good = {} if not chosen else dict(GOOD[name])
    taken = {parameter.name for parameter in parameters}
    if name == "equal" and chosen:
        good["other"] = value
    return chosen, {key: given for key, given in good.items() if key in taken}


class Integers(unittest.TestCase):
    def test_every_parameter(self):
        seen = 0
        for name, function, value in functions():
            chosen, good = arguments(name, function, value)
            if chosen:
                function(**good)  # right without what follows
            for parameter in chosen:
                seen += 1
                optional = "Optional" in str(inspect.signature(function).parameters[parameter].annotation)
                wrongs = NO_INTEGERS[:-1] if optional else NO_INTEGERS
                for wrong, kind in (*((n, OverflowError) for n in TOO_LARGE), *((n, TypeError) for n in wrongs)):
                    with self.subTest(function=name, parameter=parameter, type=type(wrong).__name__):
                        with self.assertRaises(kind) as caught:
                            function(**{**good, parameter: wrong})
                        self.assertNotIsInstance(caught.exception, ctypes.ArgumentError)
                        self.assertIn(parameter, str(caught.exception))
        self.assertGreater(seen, 50)

    def test_lists(self):
        for what, function in (
            ("index", Shape("f32[4]").contains),
            ("dimensions", lambda given: Shape.array("f32", given)),
            ("minor_to_major", Layout.create),
            ("minor_to_major", Layout),
            ("dst_base", lambda given: Plan("f32[4,4]", "f32[4,4]", dst_base=given)),
            ("indices", lambda given: IndexMap("f32[4,4]").linear_indices([given])),
            ("permutation", Shape("f32[4,4]").permute_dimensions),
        ):
            wrongs = ((10**5000, OverflowError), (1 << 63, OverflowError), ("3", TypeError), (1.5, TypeError))
            for wrong, kind in wrongs:
                with self.assertRaisesRegex(kind, f"entry 1 of 2 of {what} "):
                    function([0, wrong])

    def test_the_limits_go(self):
        self.assertEqual(Shape("u8[4]").with_dimension(0, (1 << 63) - 1).dimensions, ((1 << 63) - 1,))
        with self.assertRaises(xlashape.OutOfRangeError):
            IndexMap("u8[4]").multidimensional_index(-(1 << 63))

    def test_messages(self):
        for kind in (Shape, Layout, ProgramShape):
            for wrong in ("text", 3, None, [1]):
                with self.assertRaisesRegex(TypeError, "must be bytes"):
                    kind.from_proto(wrong)
        self.assertEqual(Shape.from_proto(bytearray(Shape("f32[4]").to_proto())), Shape("f32[4]"))

    def test_texts_are_not_cut_off(self):
        with self.assertRaises(ValueError):
            Runtime(backend_dirs="/nowhere\0/none")
        for make in (
            lambda: Plan("u8[4]", "u8[4]", backend="scalar\0x"),
            lambda: IndexPlan(IndexMap("u8[4]"), to_linear=True, backend="scalar\0x"),
        ):
            with self.assertRaises(xlashape.InvalidArgumentError):
                make()
