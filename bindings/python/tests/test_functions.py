"""What runtimes ask of shapes and layouts: hashes under a mask, heads of texts, boxes, bitcasts in parts, formats."""

import unittest

from xlashape import (
    Bitcast,
    BitcastKind,
    Box,
    ElementType,
    Ignore,
    IndexMap,
    Layout,
    LayoutSpace,
    OutOfRangeError,
    ParseError,
    Part,
    ProgramShape,
    Shape,
    SizeOverflowError,
    UnsupportedError,
)


class Functions(unittest.TestCase):
    def test_hash_ignoring(self):
        a, b = Shape("f32[2,3]{1,0:S(1)}"), Shape("f32[2,3]{0,1}")
        self.assertNotEqual(a.hash_ignoring(Ignore.NOTHING), b.hash_ignoring(Ignore.NOTHING))
        self.assertEqual(a.hash_ignoring(Ignore.LAYOUT), b.hash_ignoring(Ignore.LAYOUT))
        self.assertEqual(hash(a), hash(Shape(str(a))))
        left, right = Layout("{1,0:S(1)}"), Layout("{1,0}")
        self.assertNotEqual(left.hash_ignoring(Ignore.NOTHING), right.hash_ignoring(Ignore.NOTHING))
        self.assertEqual(left.hash_ignoring(Ignore.MEMORY_SPACE), right.hash_ignoring(Ignore.MEMORY_SPACE))

    def test_heads(self):
        shape, rest = Shape.parse_head("(f32[2], s8[]) tuple(%a), é")
        self.assertEqual((str(shape), rest), ("(f32[2]{0}, s8[])", " tuple(%a), é"))
        shape, rest = Shape.parse_head("/* é */ f32[2]é", keep_missing_layout=True)
        self.assertEqual((str(shape), rest), ("f32[2]", "é"))
        layout, rest = Layout.parse_head("{1,0:T(2)}, x")
        self.assertEqual((str(layout), rest), ("{1,0:T(2)}", ", x"))
        for call in (Shape.parse_head, Layout.parse_head):
            with self.assertRaises(ParseError):
                call("f32[2")
            with self.assertRaises(TypeError):
                call(b"f32[2]")

    def test_replace(self):
        layout = Layout("{1,0:T(8,128)(2,1)L(64)E(16)SC(1:4,8)M(8)PD(4,8)PV(one)}")
        self.assertEqual(str(layout.replace()), str(layout))
        self.assertEqual(
            str(layout.replace(memory_space=LayoutSpace.HOST, tiles=())),
            "{1,0:L(64)E(16)S(5)SC(1:4,8)M(8)PD(4,8)PV(one)}",
        )
        self.assertEqual(str(layout.replace(padded_dimensions=None, splits=(), element_size_in_bits=0)),
                         "{1,0:T(8,128)(2,1)L(64)M(8)PV(one)}")
        self.assertEqual([int(space) for space in LayoutSpace], [0, 1, 5, 6, 7])
        with self.assertRaises(TypeError):
            layout.replace(memory=5)
        self.assertEqual(layout.tile_text(1), "(2,1)")
        self.assertEqual(layout.split_text(0), "(1:4,8)")
        with self.assertRaises(OutOfRangeError):
            layout.tile_text(2)

    def test_missing_layouts(self):
        bare, _ = Shape.parse_head("(f32[2]{0}, (s8[3], token[]))", keep_missing_layout=True)
        self.assertEqual([(path, str(shape)) for path, shape in bare.missing_layouts()], [((1, 0), "s8[3]")])
        self.assertEqual(list(Shape("(f32[2])").missing_layouts()), [])
        program = ProgramShape([bare], Shape("f32[2]"), names=["x"])
        self.assertFalse(program.has_all_layouts)
        whole = program.with_default_layouts()
        self.assertTrue(whole.has_all_layouts)
        self.assertEqual(str(whole.without_parts(Part.LAYOUT)), "(x: (f32[2], (s8[3], token[]))) -> f32[2]")

    def test_box(self):
        array = Shape("f32[2,3]{0,1}")
        box = Box((0, 0), array.dimensions, minor_to_major=array.layout.minor_to_major)
        positions = [IndexMap(array).linear_index(index) for index in box]
        self.assertEqual(positions, [0, 1, 2, 3, 4, 5])
        self.assertEqual(box.index_count, 6)
        self.assertEqual(list(box.part(0, 4)) + list(box.part(4, 4)) + list(box.part(4, 6)), list(box))
        self.assertEqual((box[1], box[-1]), ((1, 0), (1, 2)))
        self.assertEqual(list(Box((1, 0), (0, 2))), [])
        self.assertEqual(list(Box((1, 0), (0, 2), (0, 1))), [(1, 0), (1, 1)])
        with self.assertRaises(TypeError) as caught:
            Box((0,), (3,))[1.5]
        self.assertNotEqual(type(caught.exception).__name__, "ArgumentError")
        self.assertEqual(list(Box((), ())), [()])
        for call in (lambda: box[6], lambda: box[-7], lambda: box.part(0, 7), lambda: box.part(-1, 2)):
            with self.assertRaises(IndexError):
                call()
        for arguments in (((0,), (1, 2)), ((0,), (1,), (1, 1))):
            with self.assertRaises(ValueError):
                Box(*arguments)
        for order in ((0, 0), (0, 2), (0,)):
            with self.assertRaises(ValueError):
                Box((0, 0), (2, 2), minor_to_major=order)
        with self.assertRaises(SizeOverflowError):
            Box((0, 0), (2**62, 4))

    def test_decompose_bitcast(self):
        parts = Shape("f32[4,6]{0,1}").decompose_bitcast("f32[3,8]{0,1}")
        self.assertIs(parts.kind, BitcastKind.TRT)
        self.assertEqual((parts.transpose1, parts.transpose2), ((1, 0), (1, 0)))
        self.assertEqual((str(parts.reshape_from), str(parts.reshape_to)), ("f32[6,4]{1,0}", "f32[8,3]{1,0}"))
        whole = Shape("f32[4,6]")
        self.assertIs(whole.decompose_bitcast("f32[24]").kind, BitcastKind.RESHAPE)
        self.assertIs(whole.decompose_bitcast("f32[6,4]{0,1}").kind, BitcastKind.TRANSPOSE)
        self.assertIsNone(whole.decompose_bitcast("f32[5]"))
        self.assertIsNone(whole.decompose_bitcast("s32[24]"))
        self.assertIsNotNone(whole.decompose_bitcast("s32[24]", Bitcast.IGNORE_ELEMENT_TYPE))
        with self.assertRaises(UnsupportedError):
            whole.decompose_bitcast("token[]")

    def test_float_format(self):
        f = ElementType.BF16.float_format
        self.assertEqual(f, (8, 8, 127, -125, 128, True, True, True, True))
        self.assertFalse(ElementType.F8E8M0FNU.float_format.has_positive_zero)
        self.assertIsNone(ElementType.S32.float_format)
        self.assertTrue(ElementType.S8.cast_preserves_values("bf16"))
        self.assertFalse(ElementType.S32.cast_preserves_values(ElementType.F32))


if __name__ == "__main__":
    unittest.main()
