# SPDX-License-Identifier: Apache-2.0
"""Shapes, layouts, element types, boxes and targets as values: what the golden cases (corpus.py) do not say of them."""

import array
import copy
import inspect
import itertools
import pickle
import sys
import unittest
import weakref
from types import SimpleNamespace
from unittest import mock

import xlashape
from cases import Case, Described, in_threads
from xlashape import _raw as raw
from xlashape import layout as layout_module
from xlashape import (
    COMBINE_DIMENSION,
    MATCH_DIMENSION,
    UNBOUNDED,
    Bitcast,
    BitcastKind,
    Box,
    Category,
    ElementType,
    Ignore,
    IndexMap,
    Layout,
    LayoutField,
    LayoutSpace,
    PaddingValue,
    ProgramShape,
    Runtime,
    Shape,
    Split,
    Target,
    targets,
)

OTHER = ">" if sys.byteorder == "little" else "<"
TILED = "bf16[128,256]{1,0:T(8,128)(2,1)}"


class Torch:
    """As PyTorch's dtypes: their names are all that they say."""

    __module__ = "torch"

    def __init__(self, name):
        self.name_of_it = name

    def __str__(self):
        return self.name_of_it


class Shapes(Case):
    def test_parts(self):
        shape, plain = Shape(TILED), Shape("f32[2,3]{0,1}")
        wide = Shape("pred[64,512,2048]{2,1,0:T(8,128)E(32)}")
        self.equal(
            ((str(shape), repr(shape), f"{shape:>35}"), (TILED, f"Shape('{TILED}')", "   " + TILED)),
            ((shape.dimensions, shape.rank, shape.ndim, shape.element_type), ((128, 256), 2, 2, ElementType.BF16)),
            ((shape.layout.tiles, shape.layout.minor_to_major), (((8, 128), (2, 1)), (1, 0))),
            ((shape.category, shape.is_array, shape.is_untiled, plain.is_untiled), (Category.ARRAY, True, False, True)),
            ((plain.strides, plain.element_strides, plain.bit_strides), ((4, 8), (1, 2), (32, 64))),
            ((wide.nbytes, wide.waste, wide.sizes.logical_bytes), (1 << 26, 4.0, 1 << 28)),
            (Shape("s32[8388608,8,4]{2,1,0:T(8,128)}").waste, 32.0),
            ((shape.element_count, shape.padded_nbytes), (1 << 15, 1 << 16)),
            (plain.piece_granularity, (1, 1)),
            (Shape("s4[6,5]{1,0:E(4)}").piece_granularity, (2, 5)),
            (Shape("f32[<=4,?]").dynamic_dimensions, (True, True)),
            ((plain.is_dynamic, Shape("f32[?]").is_unbounded), (False, True)),
            (Shape("f32[1,1]").is_effective_scalar, True),
        )
        # Longer than the short answers.
        self.assertEqual(Shape.array("u8", [1] * 39 + [2]).dimensions, (1,) * 39 + (2,))

    def test_equality_and_hash(self):
        a, b = Shape("f32[2,3]"), Shape("f32[2,3]{0,1:S(1)}")
        self.equal(
            (a, Shape("f32[2,3]{1,0}")),
            (hash(a), hash(Shape("f32[2,3]{1,0}"))),
            (len({a, b, Shape(str(a))}), 2),
        )
        for one, other in ((a, b), (a, str(a)), (Layout("{1,0}"), "{1,0}"), (Target("cpu"), "cpu")):
            self.assertNotEqual(one, other)
        self.assertTrue(a.equal(str(b), Ignore.LAYOUT) and a.compatible(str(b)) and Layout("{0,1}").equal("col"))
        left, right = Layout("{1,0:S(1)}"), Layout("{1,0}")
        for one, other, mask in ((a, b, Ignore.LAYOUT), (left, right, Ignore.MEMORY_SPACE)):
            self.assertNotEqual(one.hash_ignoring(Ignore.NOTHING), other.hash_ignoring(Ignore.NOTHING))
            self.assertEqual(one.hash_ignoring(mask), other.hash_ignoring(mask))

    def test_pickles_and_weak_references(self):
        bare = Shape("f32[2]", keep_missing_layout=True)
        texts = (TILED, "f32[2,3]{0,1:PD(3,5)PV(one)}", "(f32[2], (token[], s4[4]{0:E(4)}))", "f32[<=4,?]")
        program = ProgramShape([bare, "s32[]"], "f32[2]", names=("x", ""))
        for value in (bare, *map(Shape, texts), Layout("{1,0:T(8)}"), program, Target("tpu:v5e")):
            for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
                self.equal((other, value), (str(other), str(value)), (hash(other), hash(value)))
        for value in (bare, Layout("{0}"), program, IndexMap("f32[2]"), Runtime()):
            self.assertIs(weakref.ref(value)(), value)
        self.assertIsNone(weakref.ref(Shape("f32[2]"))())

    def test_made(self):
        shape = Shape("bf16[8,128]{1,0:T(8,128)(2,1)S(1)}")
        self.equal(
            (str(Shape.array("f32", (2, 3), "{0,1}")), "f32[2,3]{0,1}"),
            (str(Shape.array("bfloat16", [4], dynamic=[True])), "bf16[<=4]{0}"),
            (Shape.array("f32", (UNBOUNDED,)).dimensions, (UNBOUNDED,)),
            (str(Shape("f32[2]").with_dimension(0, UNBOUNDED)), "f32[?]{0}"),
            (Shape("f32[2,3]").with_dimension(-1, 5), Shape("f32[2,5]")),
            (str(shape.without_layout_fields(LayoutField.OF_DEVICE)), "bf16[8,128]{1,0}"),
            ((shape.has_layout_fields(LayoutField.TILES), shape.with_layout(None).layout), (True, None)),
            (str(shape.with_layout("col")), "bf16[8,128]{0,1}"),
            (str(Shape("s4[3]").with_packed_elements()), "s4[3]{0:E(4)}"),
            (str(Shape("f32[2,1]").with_element_type("s8").drop_degenerate_dimensions()), "s8[2]{0}"),
            (str(Shape("f32[<=2]").to_static()), "f32[2]{0}"),
            (str(Shape.buffer("f32[2]")), "b(f32[2]{0})"),
            (str(Shape.tuple([Shape.opaque(), "f32[2]"]).flatten()), "(opaque[], f32[2]{0})"),
        )
        self.refused(
            (xlashape.InvalidArgumentError, "", lambda: Shape("f32[2]").with_dimension(0, UNBOUNDED, dynamic=False)),
            (ValueError, "2 dynamic flags", lambda: Shape.array("f32", [1], dynamic=[True, False])),
            (TypeError, "a shape or its text", lambda: Shape.tuple([3])),
        )

    def test_other_texts(self):
        shape = Shape("f32[2,3]{0,1}")
        self.equal(
            (Shape.read(shape.to_notation("numpy")), shape),
            (Shape.from_proto(bytearray(shape.to_proto())), shape),
            (tuple(map(str, Shape.parse_head("(f32[2], s8[]) é"))), ("(f32[2]{0}, s8[])", " é")),
            (str(Shape.parse_head("/* é */ f32[2]é", keep_missing_layout=True)[0]), "f32[2]"),
            (tuple(map(str, Layout.parse_head("{1,0:T(2)}, x"))), ("{1,0:T(2)}", ", x")),
        )

    def test_tuples_are_sequences(self):
        shape = Shape("(f32[2], (), (s8[3], token[]))")
        self.equal(
            ((len(shape), list(shape), shape[1:]), (3, list(shape.elements), shape.elements[1:])),
            ((shape[0], shape[-1][0], shape[2][1]), (Shape("f32[2]"), Shape("s8[3]"), Shape.token())),
            ([bool(shape[1]), len(shape[1]), *shape[1]], [True, 0]),  # a shape, though one without elements
            ((Shape.tuple(shape), Shape.tuple([]).elements), (shape, ())),
            ((shape.is_tuple, shape.leaf_count, shape.subshape((2, 0))), (True, 3, Shape("s8[3]"))),
            ([path for path, _ in shape.subshapes()], [(), (0,), (1,), (2,), (2, 0), (2, 1)]),
            ([path for path, _ in shape.subshapes(leaves=True)], [(0,), (2, 0), (2, 1)]),
        )
        self.assertIn(Shape("f32[2]"), shape)
        self.refused((IndexError, "", lambda: shape[3]))
        for other in (Shape("f32[2]"), Shape.token(), Shape.buffer("f32[2]")):
            self.assertTrue(other)
            for use in (len, list, lambda given: given[0]):
                self.refused((TypeError, "is no tuple", lambda: use(other)))  # noqa: B023

    def test_missing_layouts(self):
        bare, _ = Shape.parse_head("(f32[2]{0}, (s8[3], token[]))", keep_missing_layout=True)
        program = ProgramShape([bare], Shape("f32[2]"), names=["x"])
        whole = program.with_default_layouts()
        self.equal(
            ([(path, str(shape)) for path, shape in bare.missing_layouts()], [((1, 0), "s8[3]")]),
            ((program.has_all_layouts, whole.has_all_layouts), (False, True)),
            (str(whole.without_layout_fields(LayoutField.ALL)), "(x: (f32[2], (s8[3], token[]))) -> f32[2]"),
            ((whole.parameters, whole.names, whole.result), ([bare.with_default_layouts()], ["x"], Shape("f32[2]"))),
            (f"{ProgramShape(['s32[]'], 'f32[]'):>35}", "        ((unknown): s32[]) -> f32[]"),
            (repr(ProgramShape([], "f32[]")), "<xlashape.ProgramShape () -> f32[]>"),
        )
        self.refused(
            (ValueError, "2 names for 1", lambda: ProgramShape(["f32[2]"], "f32[2]", names=("x", "y"))),
            (xlashape.ParseError, "", lambda: ProgramShape.from_proto(b"\xff")),
        )

    def test_of_arrays(self):
        image = xlashape.Array(bytearray(16), "u8[3,4]{0,1:T(2,2)}")
        for given, wanted in (
            (memoryview(bytes(24)).cast("i", (2, 3)), "s32[2,3]"),
            (array.array("d", [1, 2]), "f64[2]"),
            (memoryview(bytes(12)).cast("B", (3, 4))[::2], "u8[2,4]{1,0:PD(2,8)}"),
            (image, "u8[3,4]{0,1:T(2,2)}"),
            (Described((2, 3), "float32"), "f32[2,3]"),
            (Described((2, 3), Torch("torch.bfloat16")), "bf16[2,3]"),
            (Described((2, 3), "f32", strides=(4, 8)), "f32[2,3]{0,1}"),
            (Described((2, 3), Torch("torch.float16"), stride=lambda: (1, 2)), "f16[2,3]{0,1}"),
            (Described((2, 1), "f32", strides=(4, 1000)), "f32[2,1]{0,1}"),
            (Described((4, 1, 3, 3), "f32", strides=(36, 4, 12, 4)), "f32[4,1,3,3]{3,1,2,0}"),
            (Described((1, 3), "f32", strides=(0, 4)), "f32[1,3]{0,1}"),
            (Described((1 << 40, 0, 1 << 40), "f32"), "f32[1099511627776,0,1099511627776]"),
            (Described((0, 3), "f32", strides=(4, 12)), "f32[0,3]{0,1}"),
            (Described((0, 3), "f32", strides=(0, 0)), "f32[0,3]"),
            (Described((), "f32"), "f32[]"),
        ):
            self.assertEqual(Shape.of(given), Shape(wanted))
        self.refused(
            *((TypeError, "an array is wanted", lambda it=it: Shape.of(it)) for it in (3, "f32[2]", None, (1, 2))),
            *(
                (xlashape.UnsupportedError, "", lambda it=it: Shape.of(Described((2, 3), "f32", strides=it)))
                for it in ((0, 4), (-12, 4))
            ),
            (LookupError, "", lambda: Shape.of(Described((2,), Torch("torch.qint8")))),
            (xlashape.NotFoundError, "key<fry>", lambda: Shape.of(Described((), "key<fry>"))),
            (TypeError, "is no element type", lambda: Shape.of(Described((3,), 1.5))),
            (TypeError, "Described: Shape.of takes arrays", lambda: Shape(Described((3,), "f32"))),
            (TypeError, "dimension 1 of .* not float", lambda: Shape.of(Described((2, 2.5), "f32"))),
            (OverflowError, "dimension 0 of", lambda: Shape.of(Described((1 << 63,), "f32"))),
            (TypeError, "a sequence of integers, not int", lambda: Shape.of(Described(3, "f32"))),
        )

    def test_strides_mean_one_layout(self):
        """An array, and the texts and strides that say the same: also of dimensions of size 1 (docs/interop.md)."""
        for sizes in itertools.product((0, 1, 2), repeat=3):
            for strides in itertools.permutations((4, 4 * max(sizes[2], 1), 12, 0, 1000), 3):
                texts = []
                for read in (
                    lambda: Shape.of(Described(sizes, "float32", strides=strides)),
                    lambda: Shape("f32[%d,%d,%d]" % sizes).with_layout(Layout.from_byte_strides("f32", sizes, strides)),
                    lambda: Shape.read(str({"shape": sizes, "strides": strides, "dtype": "float32"})),
                ):
                    try:
                        texts.append(str(read()))
                    except xlashape.UnsupportedError:
                        texts.append("unsupported")
                self.assertEqual(texts, [texts[0]] * 3, (sizes, strides))

    def test_numbers_of_dimensions(self):
        """A single `dimension` may count from the end; entries of lists and indices may not."""
        shape = Shape("f32[2,3]")
        self.equal(
            ((shape.dimension_number(-1), shape.max_split_size(-2)), (1, 2)),
            (Layout("{1,0}").move_dimension_to_major(-1), Layout("{0,1}")),
            (Layout("{1,0}").move_dimension_to_minor(0), Layout("{0,1}")),
            ((shape.contains((-1, 0)), shape.contains((1, 2))), (False, True)),
        )
        for call in (
            lambda: shape.with_dimension(-3, 5),
            lambda: shape.delete_dimensions([-1]),
            lambda: shape.permute_dimensions([-1, 0]),
            lambda: IndexMap(shape).linear_index((-1, 0)),
            lambda: IndexMap(shape).linear_indices([(0, 0), (0, -1)]),
        ):
            self.refused((xlashape.OutOfRangeError, "", call))

    def test_bitcasts(self):
        """What has no golden case."""
        parts = Shape("f32[4,6]{0,1}").decompose_bitcast("f32[3,8]{0,1}")
        whole = Shape("f32[4,6]")
        self.equal(
            (parts[:2] + parts[4:], (BitcastKind.TRT, (1, 0), (1, 0))),
            ((str(parts.reshape_from), str(parts.reshape_to)), ("f32[6,4]{1,0}", "f32[8,3]{1,0}")),
            (whole.decompose_bitcast("f32[24]").kind, BitcastKind.RESHAPE),
            ((whole.decompose_bitcast("f32[5]"), whole.decompose_bitcast("s32[24]")), (None, None)),
            (Shape("f32[1,3]").inserted_or_deleted_ones("f32[3,1]"), ((0,), (1,))),
            (whole.inserted_or_deleted_ones("f32[6,4]"), None),
            (Shape("f32[4,6]{0,1}").align_layouts((24,)), None),
            (whole.decompose_bitcast("s32[24]", Bitcast.IGNORE_ELEMENT_TYPE).kind, BitcastKind.RESHAPE),
        )
        self.refused(
            (xlashape.UnsupportedError, "", lambda: whole.decompose_bitcast("token[]")),
            (xlashape.InvalidArgumentError, "of 1 for 2", lambda: xlashape.normalized_transpose((2, 3), (0,))),
        )

    def test_errors(self):
        with self.assertRaises(xlashape.ParseError) as caught:
            Shape("f32[2,x]")
        for error in (caught.exception, pickle.loads(pickle.dumps(caught.exception))):
            self.assertEqual((type(error), error.offset, error.status), (xlashape.ParseError, 6, "PARSE"))
            self.assertIsInstance(error, ValueError)
        self.assertRegex(str(caught.exception), r"\(at byte 6\)$")
        self.refused(
            (xlashape.InvalidArgumentError, "", lambda: Shape("f32[2,3]{0,0}")),
            (xlashape.SizeOverflowError, "", lambda: Shape("u8[9223372036854775807,9223372036854775807]")),
            (xlashape.OutOfRangeError, "", lambda: Shape("(f32[])").subshape((1,))),
            (xlashape.UnsupportedError, "", lambda: Shape(TILED).strides),
            (xlashape.ParseError, "", lambda: Shape("f32[2]\udc80")),
            (TypeError, "", lambda: Shape(3)),
            (TypeError, "", lambda: Shape.parse_head(b"f32[2]")),
            (ValueError, "", lambda: format(Shape("f32[2]"), "d")),
        )

    def test_threads(self):
        def work(_):
            for _ in range(300):
                self.assertEqual(str(Shape(TILED)), TILED)
                with self.assertRaises(xlashape.ParseError) as caught:
                    Shape("f32[2,x]")
                self.assertEqual(caught.exception.offset, 6)

        self.assertEqual(in_threads(8, work), [])


class Boxes(Case):
    def test_walks(self):
        shape = Shape("f32[2,3]{0,1}")
        box = Box((0, 0), shape.dimensions, minor_to_major=shape.layout.minor_to_major)
        self.equal(
            ([IndexMap(shape).linear_index(index) for index in box], [0, 1, 2, 3, 4, 5]),
            (list(box.part(0, 4)) + list(box.part(4, 4)) + list(box.part(4, 6)), list(box)),
            ((box[1], box[-1], box.index_count), ((1, 0), (1, 2), 6)),
            (list(Box((1, 0), (0, 2))), []),
            (list(Box((1, 0), (0, 2), (0, 1))), [(1, 0), (1, 1)]),
            (list(Box((), ())), [()]),
            (repr(Box((1, 0), (2, 2))), "Box((1, 0), (2, 2), (1, 1))"),
        )
        for box in (Box((1, 5), (4, 3), (2, 2), minor_to_major=(0, 1)), Box((1, 0), (2, 2)), Box((), ())):
            others = [pickle.loads(pickle.dumps(box, number)) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
            for other in (*others, copy.copy(box), eval(repr(box))):  # pylint: disable=eval-used
                self.assertEqual((list(other), other.minor_to_major), (list(box), box.minor_to_major))

    def test_refused(self):
        box = Box((0, 0), (2, 3))
        self.refused(
            (TypeError, "interpreted as an integer", lambda: box[1.5]),
            *((IndexError, "", lambda it=it: box[it]) for it in (6, -7)),
            *((IndexError, "", lambda it=it: box.part(*it)) for it in ((0, 7), (-1, 2))),
            *((ValueError, "", lambda it=it: Box(*it)) for it in (((0,), (1, 2)), ((0,), (1,), (1, 1)))),
            *(
                (ValueError, "", lambda it=it: Box((0, 0), (2, 2), minor_to_major=it))
                for it in ((0, 0), (0, 2), (0,))
            ),
            (xlashape.SizeOverflowError, "", lambda: Box((0, 0), (2**62, 4))),
        )


class Layouts(Case):
    def test_every_part(self):
        parts = {
            "minor_to_major": (1, 0),
            "padded_dimensions": (16, 256),
            "padding_value": PaddingValue.ONE,
            "tiles": ((8, 128), (COMBINE_DIMENSION, 1), (MATCH_DIMENSION, 2)),
            "element_size_in_bits": 16,
            "memory_space": -5,
            "dynamic_shape_metadata_prefix_bytes": 8,
            "tail_padding_alignment_in_elements": 64,
            "splits": (Split(1, (4, 8)), Split(0, (2,))),
        }
        self.assertEqual(set(inspect.signature(Layout.create).parameters), set(parts))
        self.assertEqual(set(layout_module._FIELDS), set(parts))
        # All that the library's struct has: the lists of lists are several fields there.
        fields = {name for name, _ in raw.layout_spec._fields_ if not name.startswith(("tile_", "split_"))}
        self.assertEqual(fields - {"struct_size", "rank"} | {"tiles", "splits"}, set(parts))
        layout = Layout.create(**parts)
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

    def test_made(self):
        space = Layout.create((), memory_space=LayoutSpace.COLLECTIVE)
        self.equal(
            (Layout((1, 0), tiles=[("d", 128), (2, "*", 1)]), Layout("{1,0:T(d,128)(2,*,1)}")),
            (Layout(range(3)), Layout("{0,1,2}")),
            ((str(space), space.minor_to_major, space.padded_dimensions), ("{:S(7)}", (), None)),
            (str(Shape("f32[2,3]").with_layout(space)), "f32[2,3]{:S(7)}"),
            (str(Layout.from_byte_strides("f32", (2, 3), (4, 8))), "{0,1}"),
            ((str(Layout.row_major(2)), str(Layout.column_major(2))), ("{1,0}", "{0,1}")),
            (Layout("{1,0:T(8,128)(2,1)SC(1:4,8)}").tile_text(1), "(2,1)"),
            (Layout("{1,0:T(8,128)(2,1)SC(1:4,8)}").split_text(0), "(1:4,8)"),
            ((repr(Layout("{0}")), f"[{Layout('{0}'):*^5}]"), ("Layout('{0}')", "[*{0}*]")),
            (Layout("{2,0,1}").delete_dimensions([0]), Layout("{1,0}")),
            ((Layout("{1,0}").is_dim0_major, Layout("{1,0}").is_dim0_minor), (True, False)),
        )

    def test_refused(self):
        self.refused(
            *((TypeError, "", call) for call in (
                lambda: Layout("{0}", tiles=[(2,)]),
                lambda: Layout(3),
                lambda: Layout((0,), tile=3),
                lambda: Layout.create(None),
                lambda: Layout("{0}").replace(minor_to_major=None),
                lambda: Layout("{0}").replace(memory=5),
                lambda: Layout.create((0, 1), tiles=[("x",)]),
            )),
            (xlashape.InvalidArgumentError, "", lambda: Layout.create((0, 2))),
            (ValueError, "1 entries, the rank is 2", lambda: Layout.create((0, 1), padded_dimensions=(3,))),
            (ValueError, "2 entries, the rank is 1", lambda: Layout("{0,1:PD(3,4)}").replace(minor_to_major=(0,))),
            (ValueError, "1 strides for rank 2", lambda: Layout.from_byte_strides("f32", (2, 3), (4,))),
            (xlashape.UnsupportedError, "", lambda: Layout.from_byte_strides("f32", (2, 3), (4, -8))),
            (xlashape.UnsupportedError, "", lambda: Layout("{0:PD(4)}").to_text(strict=True)),
            (xlashape.OutOfRangeError, "", lambda: Layout("{0:T(2)}").tile_text(2)),
        )


class ElementTypes(Case):
    def test_names(self):
        self.equal(
            *((ElementType.of(name), ElementType.BF16) for name in ("bf16", "bfloat16", 16, Torch("torch.bfloat16"))),
            ((ElementType.of("<f4"), ElementType.of("|u1")), (ElementType.F32, ElementType.U8)),
            (str(ElementType.BF16), "bf16"),
        )
        none = set()  # those that neither NumPy nor ml_dtypes has
        for kind in ElementType:
            if kind.is_array_type:
                self.assertIs(ElementType.of(kind.text), kind)
                self.assertEqual(kind.numpy_name is None, kind in none, f"{kind!r}: in _NUMPY_NAMES, or in `none`")
                if kind not in none:
                    self.assertIs(Shape.of(Described([], kind.numpy_name)).element_type, kind)
        self.refused(
            (xlashape.NotFoundError, "", lambda: ElementType.of("f33")),
            (xlashape.UnsupportedError, "byte-swapped", lambda: ElementType.of(OTHER + "f4")),
            (
                xlashape.UnsupportedError, "byte-swapped",
                lambda: ElementType.of(SimpleNamespace(name="float32", byteorder=OTHER)),
            ),
            (TypeError, "None is no element type", lambda: ElementType.of(None)),
        )  # fmt: skip

    def test_facts(self):
        self.equal(
            ((ElementType.S4.bits, ElementType.S4.storage_bits), (4, 8)),
            ((ElementType.S4.is_sub_byte, ElementType.S4.is_signed, ElementType.S4.is_unsigned), (True, True, False)),
            ((ElementType.C64.complex_component(), ElementType.F32.complex_component()), (ElementType.F32, None)),
            (ElementType.BF16.float_format, (8, 8, 127, -125, 128, True, True, True, True)),
            (ElementType.F8E8M0FNU.float_format.has_positive_zero, False),
            (ElementType.S32.float_format, None),
            (ElementType.S8.cast_preserves_values("bf16"), True),
            (ElementType.S32.cast_preserves_values(ElementType.F32), False),
            (ElementType.F32.padding_element(PaddingValue.ONE), b"\0\0\x80\x3f"),
        )

    def test_not_known_here(self):
        """A newer library's type is a member by its number; what the library does not know is none."""
        number = 1 + max(ElementType)
        self.assertIsNone(raw.element_type_name(number), f"ElementType lacks the library's type {number}")
        for wrong in (0, -1, number, (1 << 32) + ElementType.F32):
            self.refused((ValueError, "", lambda: ElementType(wrong)))  # noqa: B023
        with mock.patch.object(raw, "element_type_name", lambda asked: b"f7" if asked == number else None):
            kind = ElementType(number)
            self.addCleanup(ElementType._value2member_map_.pop, number)
            self.assertEqual((kind.name, kind.value, str(kind)), (f"UNKNOWN_{number}", number, "f7"))
            self.refused((ValueError, "", lambda: ElementType(number + 1)))
        for other in (ElementType.of(number), copy.copy(kind), pickle.loads(pickle.dumps(kind))):
            self.assertIs(other, kind)
        self.assertEqual(({kind: 1}[number], kind in list(ElementType), kind.numpy_name), (1, False, None))


class Targets(Case):
    """Which layouts they choose is the library's (tests/data/targets)."""

    def test_values(self):
        target = Target("tpu:v5e")
        self.assertGreaterEqual(xlashape.xla_version, 20261026)
        self.assertRegex(xlashape.build_info, r"^version: \d+\.\d+\.\d+; .*; compiler: ")
        self.equal(
            ((str(target), repr(target), f"{target:>9}"), ("tpu:v5e", "Target('tpu:v5e')", "  tpu:v5e")),
            (Target(target), target),
            (tuple(map(Target, map(str, targets()))), targets()),
            (len(set(targets())), len(targets())),
            ((target.lanes, target.sublanes, target.pointer_bytes, target.tuple_alignment), (128, 8, 4, 512)),
            ((target.tuple_bytes(3), Target("gpu").tuple_bytes(3)), (512, 24)),
            (target.memory_space_name(1), "vmem"),
        )

    def test_layouts(self):
        tiled, ordered = "f32[1000,3]{0,1:T(4,128)}", "f32[1000,3]{1,0:T(8,128)}"
        for target in ("tpu:v5e", Target("tpu:v5e")):
            self.equal(
                (str(Shape("f32[1000,3]").for_target(target)), tiled),
                (str(Shape("f32[1000,3]").for_target(target, keep_order=True)), ordered),
                (str(Layout.for_target(target, "f32", (1000, 3))), "{0,1:T(4,128)}"),
                (str(Layout.for_target(target, "bfloat16", iter([7]))), "{0:T(256)(128)(2,1)}"),
                (str(Layout.for_target(target, "f32", (1000, 3), minor_to_major=(1, 0))), "{1,0:T(8,128)}"),
                (str(Layout.for_target(target, "f32", (), minor_to_major=())), "{:T(128)}"),
            )

    def test_refused(self):
        for wrong in ("tpu:v5", "", "cpu\0", "é", "\ud800"):
            for call in (Target, Shape("f32[2]").for_target, lambda name: Layout.for_target(name, "f32", (2,))):
                self.refused((LookupError, "only: cpu gpu ", lambda: call(wrong)))  # noqa: B023
                self.refused((TypeError, "a target or its name is wanted, not int$", lambda: call(6)))  # noqa: B023
        with self.assertRaisesRegex(xlashape.UnsupportedError, "unbounded") as caught:
            Shape("(f32[2], (token[], f32[?]))").for_target("gpu")
        self.assertEqual(caught.exception.index, 1)
        v5e, gpu = Target("tpu:v5e"), Target("gpu")
        self.refused(
            *(
                (ValueError, f"minor_to_major has {len(it)} entries, the rank is 2",
                 lambda it=it: Layout.for_target(v5e, "f32", (1000, 3), minor_to_major=it))
                for it in ((1,), (2, 1, 0), ())
            ),  # fmt: skip
            (TypeError, "entry 1 of 2 of dimensions", lambda: Layout.for_target(v5e, "f32", (1000, "3"))),
            (xlashape.UnsupportedError, "memory space 7 of gpu ", lambda: gpu.memory_space_name(7)),
            (xlashape.InvalidArgumentError, "elements is -1", lambda: gpu.tuple_bytes(-1)),
            (xlashape.SizeOverflowError, "pointers", lambda: gpu.tuple_bytes(1 << 61)),
        )


if __name__ == "__main__":
    unittest.main()
