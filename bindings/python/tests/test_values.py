"""Shapes, layouts and element types as values."""

import array
import copy
import inspect
import itertools
import pickle
import threading
import unittest
import weakref
from unittest import mock

import xlashape
from xlashape import _raw as raw
from xlashape import layout as layout_module
from xlashape import (
    COMBINE_DIMENSION,
    MATCH_DIMENSION,
    UNBOUNDED,
    Category,
    ElementType,
    Ignore,
    IndexMap,
    Layout,
    LayoutSpace,
    PaddingValue,
    Part,
    ProgramShape,
    Runtime,
    Shape,
    Split,
)

TILED = "bf16[128,256]{1,0:T(8,128)(2,1)}"


class Shapes(unittest.TestCase):
    def test_parts(self):
        shape = Shape(TILED)
        self.assertEqual(str(shape), TILED)
        self.assertEqual(repr(shape), f"Shape('{TILED}')")
        self.assertEqual(shape.dimensions, (128, 256))
        self.assertEqual(shape.element_type, ElementType.BF16)
        self.assertEqual(shape.rank, 2)
        self.assertEqual(shape.layout.tiles, ((8, 128), (2, 1)))
        self.assertEqual(shape.layout.minor_to_major, (1, 0))
        self.assertEqual((shape.nbytes, shape.padded_nbytes, shape.waste), (65536, 65536, 1.0))
        self.assertFalse(shape.is_untiled)
        self.assertIs(shape.category, Category.ARRAY)

    def test_waste(self):
        shape = Shape("s32[8388608,8,4]{2,1,0:T(8,128)}")
        self.assertEqual(shape.padded_nbytes, 32 << 30)
        self.assertEqual(shape.waste, 32.0)
        wide = Shape("pred[64,512,2048]{2,1,0:T(8,128)E(32)}")
        self.assertEqual((wide.nbytes, wide.waste, wide.sizes.logical_bytes), (1 << 26, 4.0, 1 << 28))

    def test_strides(self):
        shape = Shape("f32[2,3]{0,1}")
        self.assertEqual(shape.strides, (4, 8))
        self.assertEqual(shape.element_strides, (1, 2))
        self.assertEqual(shape.bit_strides, (32, 64))
        with self.assertRaises(xlashape.UnsupportedError):
            Shape(TILED).strides

    def test_equality_and_hash(self):
        self.assertEqual(Shape("f32[2,3]"), Shape("f32[2,3]{1,0}"))
        self.assertEqual(hash(Shape("f32[2,3]")), hash(Shape("f32[2,3]{1,0}")))
        self.assertNotEqual(Shape("f32[2,3]"), Shape("f32[2,3]{0,1}"))
        self.assertNotEqual(Shape("f32[2,3]"), "f32[2,3]")
        self.assertNotEqual(Layout("{1,0}"), "{1,0}")
        self.assertTrue(Shape("f32[2,3]").equal("f32[2,3]{0,1}", Ignore.LAYOUT))
        self.assertTrue(Shape("f32[2,3]").compatible("f32[2,3]{0,1}"))
        self.assertEqual(len({Shape("f32[2]"), Shape("f32[2]{0}"), Shape("f32[3]")}), 2)

    def test_pickle_and_copy(self):
        for text in (TILED, "f32[2,3]{0,1:PD(3,5)PV(one)}", "(f32[2], (token[], s4[4]{0:E(4)}))", "f32[<=4,?]"):
            shape = Shape(text)
            self.assertEqual(str(pickle.loads(pickle.dumps(shape))), str(shape))
            self.assertEqual(copy.deepcopy(shape), shape)
        bare = Shape("f32[2]", keep_missing_layout=True)
        self.assertIsNone(bare.layout)
        self.assertIsNone(pickle.loads(pickle.dumps(bare)).layout)

    def test_made(self):
        self.assertEqual(str(Shape.array("f32", (2, 3), "{0,1}")), "f32[2,3]{0,1}")
        self.assertEqual(str(Shape.array("bfloat16", [4], dynamic=[True])), "bf16[<=4]{0}")
        self.assertEqual(Shape.array("f32", (UNBOUNDED,)).dimensions, (UNBOUNDED,))
        self.assertEqual(str(Shape("f32[2]").with_dimension(0, UNBOUNDED)), "f32[?]{0}")
        with self.assertRaises(xlashape.InvalidArgumentError):
            Shape("f32[2]").with_dimension(0, UNBOUNDED, dynamic=False)
        pair = Shape.tuple(["f32[2]", Shape.token()])
        self.assertEqual(str(pair), "(f32[2]{0}, token[])")
        self.assertEqual([str(element) for element in pair.elements], ["f32[2]{0}", "token[]"])
        self.assertEqual([path for path, _ in pair.subshapes()], [(), (0,), (1,)])
        self.assertEqual(pair.subshape((1,)), Shape.token())
        self.assertEqual(str(Shape.buffer("f32[2]")), "b(f32[2]{0})")
        self.assertEqual(Shape.tuple([]).elements, ())

    def test_rank_above_the_short_answers(self):
        dimensions = tuple([1] * 39 + [2])
        self.assertEqual(Shape.array("u8", dimensions).dimensions, dimensions)
        self.assertEqual(str(Shape(str(Shape.array("u8", dimensions)))), str(Shape.array("u8", dimensions)))

    def test_parts_taken_away(self):
        shape = Shape("bf16[8,128]{1,0:T(8,128)(2,1)S(1)}")
        self.assertTrue(shape.has_parts(Part.TILES))
        self.assertEqual(str(shape.without_parts(Part.OF_DEVICE)), "bf16[8,128]{1,0}")
        self.assertEqual(str(shape.with_layout("{0,1}")), "bf16[8,128]{0,1}")
        self.assertIsNone(shape.with_layout(None).layout)

    def test_other_texts(self):
        shape = Shape("f32[2,3]{0,1}")
        self.assertEqual(Shape.from_numpy_text(shape.to_numpy_text()), shape)
        self.assertEqual(Shape.from_cute(shape.to_cute(), "f32"), shape)
        self.assertEqual(Shape.from_mlir("tensor<2x3xf32>"), Shape("f32[2,3]"))
        self.assertEqual(Shape("f32[2,3]").to_mlir(), "tensor<2x3xf32>")
        self.assertEqual(Shape.from_proto(shape.to_proto()), shape)

    def test_formats(self):
        self.assertEqual(f"[{Shape('f32[2]'):>12}] [{Shape('f32[2]'):.3}]", "[   f32[2]{0}] [f32]")
        self.assertEqual(f"[{Layout('{0}'):*^5}] [{ProgramShape([], 'f32[]'):<16}]", "[*{0}*] [() -> f32[]     ]")
        with self.assertRaises(ValueError):
            format(Shape("f32[2]"), "d")

    def test_weak_references(self):
        for value in (Shape("f32[2]"), Layout("{0}"), ProgramShape([], "f32[]"), IndexMap("f32[2]"), Runtime()):
            self.assertIs(weakref.ref(value)(), value)
        seen = weakref.ref(Shape("f32[2]"))
        self.assertIsNone(seen())

    def test_tuples_are_sequences(self):
        shape = Shape("(f32[2], (), (s8[3], token[]))")
        self.assertEqual(len(shape), 3)
        self.assertEqual(list(shape), list(shape.elements))
        self.assertEqual((shape[0], shape[-1][0], shape[2][1]), (Shape("f32[2]"), Shape("s8[3]"), Shape.token()))
        self.assertEqual(shape[1:], shape.elements[1:])
        self.assertIn(Shape("f32[2]"), shape)
        self.assertTrue(shape[1])  # a shape, though one without elements
        self.assertEqual((len(shape[1]), list(shape[1])), (0, []))
        self.assertEqual(Shape.tuple(shape), shape)
        with self.assertRaises(IndexError):
            shape[3]
        for other in (Shape("f32[2]"), Shape.token(), Shape.buffer("f32[2]")):
            self.assertTrue(other)
            for use in (len, list, lambda given: given[0]):
                with self.assertRaisesRegex(TypeError, "is no tuple"):
                    use(other)

    def test_of_arrays(self):
        self.assertEqual(Shape.of(memoryview(bytes(24)).cast("i", (2, 3))), Shape("s32[2,3]"))
        self.assertEqual(Shape.of(array.array("d", [1, 2])), Shape("f64[2]"))
        self.assertEqual(Shape.of(bytes(3)), Shape("u8[3]"))
        self.assertEqual(Shape.of(memoryview(bytes(12)).cast("B", (3, 4))[::2]), Shape("u8[2,4]{1,0:PD(2,8)}"))
        image = xlashape.Array(bytearray(16), "u8[3,4]{0,1:T(2,2)}")
        self.assertEqual(Shape.of(image), image.shape)
        for given, wanted in (
            (Described((2, 3), "float32"), "f32[2,3]"),
            (Described((2, 3), Torch("torch.bfloat16")), "bf16[2,3]"),
            (Described((2, 3), "f32", strides=(4, 8)), "f32[2,3]{0,1}"),
            (Described((2, 3), Torch("torch.float16"), stride=lambda: (1, 2)), "f16[2,3]{0,1}"),
            (Described((2, 1), "f32", strides=(4, 1000)), "f32[2,1]{0,1}"),
            (Described((4, 1, 3, 3), "f32", strides=(36, 4, 12, 4)), "f32[4,1,3,3]{3,1,2,0}"),
            (Described((1, 3), "f32", strides=(0, 4)), "f32[1,3]{0,1}"),
            (Described((3, 0), "f32"), "f32[3,0]"),
            (Described((1 << 40, 0, 1 << 40), "f32"), "f32[1099511627776,0,1099511627776]"),
            (Described((0, 3), "f32", strides=(4, 12)), "f32[0,3]{0,1}"),
            (Described((0, 3), "f32", strides=(0, 0)), "f32[0,3]"),
            (Described((), "f32"), "f32[]"),
        ):
            self.assertEqual(Shape.of(given), Shape(wanted))
        for wrong in (3, "f32[2]", None, object()):
            with self.assertRaises(TypeError):
                Shape.of(wrong)
        for strides in ((0, 4), (-12, 4)):
            with self.assertRaises(xlashape.UnsupportedError):
                Shape.of(Described((2, 3), "f32", strides=strides))
        with self.assertRaises(LookupError):
            Shape.of(Described((2,), Torch("torch.qint8")))

    def test_strides_mean_one_layout(self):
        """An array, and the texts and strides that say the same: also of dimensions of size 1 (docs/interop.md)."""
        for sizes in itertools.product((0, 1, 2), repeat=3):
            for strides in itertools.permutations((4, 4 * max(sizes[2], 1), 12, 0, 1000), 3):
                texts = []
                for read in (
                    lambda: Shape.of(Described(sizes, "float32", strides=strides)),
                    lambda: Shape("f32[%d,%d,%d]" % sizes).with_layout(Layout.from_byte_strides("f32", sizes, strides)),
                    lambda: Shape.from_numpy_text(str({"shape": sizes, "strides": strides, "dtype": "float32"})),
                ):
                    try:
                        texts.append(str(read()))
                    except xlashape.UnsupportedError:
                        texts.append("unsupported")
                self.assertEqual(texts, [texts[0]] * 3, (sizes, strides))

    def test_numbers_of_dimensions(self):
        """A single `dimension` may count from the end; entries of lists and indices may not."""
        shape = Shape("f32[2,3]")
        self.assertEqual((shape.ndim, shape.dimension_number(-1)), (2, 1))
        self.assertEqual(shape.with_dimension(-1, 5), Shape("f32[2,5]"))
        self.assertEqual(shape.max_split_size(-2), 2)
        self.assertEqual(shape.piece_granularity, (1, 1))
        self.assertEqual(Shape("s4[6,5]{1,0:E(4)}").piece_granularity, (2, 5))
        self.assertGreater(xlashape.Plan(shape, shape).requirements.stack_bytes, 0)
        self.assertEqual(Layout("{1,0}").move_dimension_to_major(-1), Layout("{0,1}"))
        self.assertFalse(shape.contains((-1, 0)))
        for call in (
            lambda: shape.with_dimension(-3, 5),
            lambda: shape.delete_dimensions([-1]),
            lambda: shape.permute_dimensions([-1, 0]),
            lambda: IndexMap(shape).linear_index((-1, 0)),
            lambda: IndexMap(shape).linear_indices([(0, 0), (0, -1)]),
        ):
            with self.assertRaises(xlashape.OutOfRangeError):
                call()

    def test_errors(self):
        with self.assertRaises(xlashape.ParseError) as caught:
            Shape("f32[2,x]")
        self.assertEqual((caught.exception.offset, caught.exception.status), (6, "PARSE"))
        self.assertIn("byte 6", str(caught.exception))
        self.assertIsInstance(caught.exception, ValueError)
        with self.assertRaises(xlashape.InvalidArgumentError):
            Shape("f32[2,3]{0,0}")
        with self.assertRaises(xlashape.SizeOverflowError):
            Shape("u8[9223372036854775807,9223372036854775807]")
        with self.assertRaises(TypeError):
            Shape(3)
        with self.assertRaises(TypeError):
            Shape.array("f32", [1.5])
        with self.assertRaises(OverflowError):
            Shape.array("f32", [1 << 70])
        with self.assertRaises(xlashape.OutOfRangeError):
            Shape("(f32[])").subshape((1,))
        with self.assertRaises(xlashape.ParseError):
            Shape("f32[2]\udc80")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(error), error.offset), (xlashape.ParseError, 6))

    def test_threads(self):
        wrong = []

        def work():
            for _ in range(300):
                if str(Shape(TILED)) != TILED:
                    wrong.append("text")
                try:
                    Shape("f32[2,x]")
                except xlashape.ParseError as error:
                    if error.offset != 6:
                        wrong.append("offset")

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class ProgramShapes(unittest.TestCase):
    def test_parts(self):
        program = ProgramShape(["f32[2]", Shape("s32[]")], "f32[2]", names=("x", ""))
        self.assertEqual(str(program), "(x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}")
        self.assertEqual(program.parameters, [Shape("f32[2]"), Shape("s32[]")])
        self.assertEqual((program.names, program.result), (["x", ""], Shape("f32[2]")))
        again = pickle.loads(pickle.dumps(program))
        self.assertEqual((again, hash(again)), (program, hash(program)))
        self.assertNotEqual(program, ProgramShape([], "f32[2]"))
        self.assertEqual(ProgramShape([], "(f32[])").parameters, [])

    def test_errors(self):
        with self.assertRaises(ValueError):
            ProgramShape(["f32[2]"], "f32[2]", names=("x", "y"))
        with self.assertRaises(TypeError):
            ProgramShape([3], "f32[2]")
        with self.assertRaises(xlashape.ParseError):
            ProgramShape.from_proto(b"\xff")


class Described:
    """What says its sizes and type, and has no memory to look at."""

    def __init__(self, shape, dtype, **more):
        self.shape, self.dtype = shape, dtype
        self.__dict__.update(more)


class Torch:
    """As PyTorch's dtypes: their names are all that they say."""

    __module__ = "torch"

    def __init__(self, name):
        self.name_of_it = name

    def __str__(self):
        return self.name_of_it


class Layouts(unittest.TestCase):
    def test_from_numbers(self):
        self.assertEqual(Layout((1, 0), tiles=[(8, 128), (2, 1)]), Layout("{1,0:T(8,128)(2,1)}"))
        self.assertEqual(Layout(range(3)), Layout("{0,1,2}"))
        self.assertEqual(Layout([], element_size_in_bits=4), Layout("{:E(4)}"))
        self.assertEqual(Layout((0,), memory_space=3).memory_space, 3)
        wrongs = (lambda: Layout("{0}", tiles=[(2,)]), lambda: Layout(3), lambda: Layout((0,), tile=3))
        for wrong in (*wrongs, lambda: Layout.of_parts(None), lambda: Layout("{0}").replace(minor_to_major=None)):
            with self.assertRaises(TypeError):
                wrong()

    def test_parts(self):
        match = Layout.of_parts((1, 0), tiles=(("d", 128), (MATCH_DIMENSION, "*", 1)))
        self.assertEqual(str(match), "{1,0:T(d,128)(d,*,1)}")
        self.assertEqual(match.tiles, ((MATCH_DIMENSION, 128), (MATCH_DIMENSION, COMBINE_DIMENSION, 1)))
        self.assertEqual(match.replace(tiles=match.tiles[:1]), Layout("{1,0:T(d,128)}"))
        without_order = Layout.of_parts((), memory_space=LayoutSpace.COLLECTIVE)
        self.assertEqual((str(without_order), without_order.minor_to_major), ("{:S(7)}", ()))
        self.assertEqual(str(Shape("f32[2,3]").with_layout(without_order)), "f32[2,3]{:S(7)}")
        layout = Layout("{1,0:T(8,128)(*,1)L(4)E(4)S(3)SC(0:2,4)}")
        self.assertEqual(layout.tiles, ((8, 128), (COMBINE_DIMENSION, 1)))
        self.assertEqual(layout.tail_padding_alignment_in_elements, 4)
        self.assertEqual((layout.element_size_in_bits, layout.memory_space), (4, 3))
        self.assertEqual(layout.splits, (Split(0, (2, 4)),))
        self.assertIsNone(layout.padded_dimensions)
        again = Layout.of_parts(
            (1, 0),
            tiles=[(8, 128), ("*", 1)],
            element_size_in_bits=4,
            tail_padding_alignment_in_elements=4,
            memory_space=3,
            splits=[(0, (2, 4))],
        )
        self.assertEqual(again, layout)
        self.assertEqual(hash(again), hash(layout))
        self.assertEqual(pickle.loads(pickle.dumps(layout)), layout)

    def test_padding(self):
        layout = Layout.of_parts((0, 1), padded_dimensions=(3, 5), padding_value=PaddingValue.ONE)
        self.assertEqual(layout.padded_dimensions, (3, 5))
        self.assertEqual(layout.padding_value, PaddingValue.ONE)
        with self.assertRaises(xlashape.UnsupportedError):
            layout.to_text(strict=True)

    def test_every_part(self):
        parts = {
            "minor_to_major": (1, 0),
            "padded_dimensions": (16, 256),
            "padding_value": PaddingValue.ONE,
            "tiles": ((8, 128), (COMBINE_DIMENSION, 1)),
            "element_size_in_bits": 16,
            "memory_space": -5,
            "dynamic_shape_metadata_prefix_bytes": 8,
            "tail_padding_alignment_in_elements": 64,
            "splits": (Split(1, (4, 8)), Split(0, (2,))),
        }
        self.assertEqual(set(inspect.signature(Layout.of_parts).parameters), set(parts))
        self.assertEqual(set(layout_module._PARTS), set(parts))
        # All that the library's struct has: the lists of lists are several fields there.
        fields = {name for name, _ in raw.layout_spec._fields_ if not name.startswith(("tile_", "split_"))}
        self.assertEqual(fields - {"struct_size", "rank"} | {"tiles", "splits"}, set(parts))
        layout = Layout.of_parts(**parts)
        self.assertEqual({name: getattr(layout, name) for name in parts}, parts)
        plain = Layout("{0,1}")
        for name, value in parts.items():
            changed = plain.replace(**{name: value})
            self.assertEqual(getattr(changed, name), value)
            # The others are as they were, and back they go.
            others = [other for other in parts if other != name]
            self.assertEqual([getattr(changed, one) for one in others], [getattr(plain, one) for one in others])
            self.assertEqual(str(changed.replace(**{name: getattr(plain, name)})), "{0,1}")
            self.assertEqual(getattr(layout.replace(**{name: getattr(plain, name)}), name), getattr(plain, name))
        self.assertEqual(str(layout.replace()), str(layout))

    def test_strides(self):
        self.assertEqual(str(Layout.from_byte_strides("f32", (2, 3), (4, 8))), "{0,1}")
        with self.assertRaises(xlashape.UnsupportedError):
            Layout.from_byte_strides("f32", (2, 3), (4, -8))
        with self.assertRaises(ValueError):
            Layout.from_byte_strides("f32", (2, 3), (4,))

    def test_errors(self):
        with self.assertRaises(xlashape.InvalidArgumentError):
            Layout.of_parts((0, 2))
        with self.assertRaises(TypeError):
            Layout.of_parts((0, 1), tiles=[("x",)])
        with self.assertRaises(ValueError):
            Layout.of_parts((0, 1), padded_dimensions=(3,))


class ElementTypes(unittest.TestCase):
    def test_names(self):
        for name in ("bf16", "bfloat16"):
            self.assertIs(ElementType.of(name), ElementType.BF16)
        self.assertIs(ElementType.of("<f4"), ElementType.F32)
        self.assertIs(ElementType.of("|u1"), ElementType.U8)
        self.assertIs(ElementType.of("float8_e4m3fn"), ElementType.F8E4M3FN)
        self.assertIs(ElementType.of("int4"), ElementType.S4)
        self.assertIs(ElementType.of(16), ElementType.BF16)
        self.assertEqual(str(ElementType.BF16), "bf16")
        none = set()  # those that neither NumPy nor ml_dtypes has
        for kind in ElementType:
            if kind.is_array_type:
                self.assertIs(ElementType.of(kind.text), kind)
                self.assertEqual(kind.numpy_name is None, kind in none, f"{kind!r}: in _NUMPY_NAMES, or in `none`")
                if kind not in none:
                    self.assertIs(ElementType.of(kind.numpy_name), kind)

    def test_facts(self):
        self.assertEqual((ElementType.S4.bits, ElementType.S4.storage_bits), (4, 8))
        self.assertTrue(ElementType.S4.is_sub_byte and ElementType.S4.is_signed)
        self.assertIs(ElementType.C64.complex_component(), ElementType.F32)
        self.assertIsNone(ElementType.F32.complex_component())

    def test_not_known_here(self):
        """A newer library's type is a member by its number; what the library does not know is none."""
        number = 1 + max(ElementType)
        self.assertIsNone(raw.element_type_name(number), f"ElementType lacks the library's type {number}")
        for wrong in (0, -1, number, (1 << 32) + ElementType.F32):
            with self.assertRaises(ValueError):
                ElementType(wrong)
        with mock.patch.object(raw, "element_type_name", lambda asked: b"f7" if asked == number else None):
            kind = ElementType(number)
            self.assertEqual((kind.name, kind.value, str(kind)), (f"UNKNOWN_{number}", number, "f7"))
            with self.assertRaises(ValueError):
                ElementType(number + 1)
        try:
            for other in (ElementType.of(number), copy.copy(kind), pickle.loads(pickle.dumps(kind))):
                self.assertIs(other, kind)
            self.assertEqual({kind: 1}[number], 1)
            self.assertNotIn(kind, list(ElementType))
            self.assertIsNone(kind.numpy_name)
        finally:
            del ElementType._value2member_map_[number]

    def test_errors(self):
        with self.assertRaises(xlashape.NotFoundError):
            ElementType.of("f33")
        with self.assertRaises(xlashape.UnsupportedError):
            ElementType.of(">f4")
        with self.assertRaises(TypeError):
            ElementType.of(None)
