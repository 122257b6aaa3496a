"""Targets: the layouts that compilers choose. What is expected of TPUs here is what libtpu 0.0.52 says."""

import copy
import pickle
import unittest

import xlashape
from xlashape import UNBOUNDED, ElementType, Layout, Shape, Target, targets

try:
    import numpy
except ImportError:
    numpy = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

NAMES = ("cpu", "gpu", "tpu:v2", "tpu:v3", "tpu:v4", "tpu:v5e", "tpu:v5p", "tpu:v6e", "tpu:v7x")
TPUS = NAMES[2:]
OLD = NAMES[2:4]


class Described:
    """What jax.ShapeDtypeStruct, and every array, says of itself."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, dtype


class Dtype:
    """A dtype as ml_dtypes has them, seen from here."""

    def __init__(self, name):
        self.name = name


def chosen(shape, target, **options):
    return str(Shape(shape).for_target(target, **options))


class Targets(unittest.TestCase):
    def test_all(self):
        self.assertEqual(tuple(map(str, targets())), NAMES)
        self.assertEqual(tuple(target.name for target in targets()), NAMES)
        self.assertEqual(tuple(map(Target, NAMES)), targets())

    def test_values(self):
        target = Target("tpu:v5e")
        self.assertEqual((str(target), repr(target), f"{target:>9}"), ("tpu:v5e", "Target('tpu:v5e')", "  tpu:v5e"))
        for other in (Target(target), copy.copy(target), copy.deepcopy(target), pickle.loads(pickle.dumps(target))):
            self.assertEqual(other, target)
            self.assertEqual(hash(other), hash(target))
        self.assertNotEqual(target, Target("tpu:v5p"))
        self.assertNotEqual(target, "tpu:v5e")
        self.assertEqual(len({*targets(), *map(Target, NAMES)}), len(NAMES))

    def test_registers(self):
        for target in targets():
            is_tpu = target.name in TPUS
            self.assertEqual((target.lanes, target.sublanes), (128, 8) if is_tpu else (0, 0))

    def test_tuples_in_memory(self):
        alignments = {"cpu": 1, "gpu": 1, "tpu:v2": 1024, "tpu:v3": 1024, "tpu:v4": 512, "tpu:v5e": 512,
                      "tpu:v5p": 32, "tpu:v6e": 32, "tpu:v7x": 32}  # fmt: skip
        for target in targets():
            alignment, pointer = alignments[target.name], 4 if target.name in TPUS else 8
            self.assertEqual((target.tuple_alignment, target.pointer_bytes), (alignment, pointer))
            for elements in (0, 1, 3, 256, 257):
                self.assertEqual(target.tuple_bytes(elements), -(-elements * pointer // alignment) * alignment)
        self.assertEqual([Target(name).tuple_bytes(3) for name in ("tpu:v2", "tpu:v5e", "tpu:v7x", "gpu")],
                         [1024, 512, 32, 24])
        with self.assertRaisesRegex(xlashape.InvalidArgumentError, "elements is -1"):
            Target("gpu").tuple_bytes(-1)
        with self.assertRaisesRegex(xlashape.SizeOverflowError, "2305843009213693952 pointers"):
            Target("tpu:v2").tuple_bytes(1 << 61)

    def test_memory_spaces(self):
        known = {0: "hbm", 1: "vmem", 2: "smem", 5: "host"}
        for target in targets():
            for space in range(-1, 17):
                lacks = target.name not in TPUS or (space == 1 and target.name in (*OLD, "tpu:v4"))
                if space in known and not lacks:
                    self.assertEqual(target.memory_space_name(space), known[space])
                    continue
                with self.assertRaisesRegex(xlashape.UnsupportedError, f"memory space {space} of {target} "):
                    target.memory_space_name(space)

    def test_unknown_names(self):
        for name in ("tpu:v5", "TPU:v5e", "", "tpu:v5e ", "cpu\0", "é", "\ud800"):
            for refused in (Target, Shape("f32[2]").for_target, lambda name: Layout.for_target(name, "f32", (2,))):
                with self.assertRaises(xlashape.NotFoundError) as caught:
                    refused(name)
                self.assertTrue(str(caught.exception).endswith("only: " + " ".join(NAMES)), caught.exception)
        with self.assertRaisesRegex(LookupError, "no target is called 'tpu:v5', only: cpu gpu "):
            Target("tpu:v5")

    def test_wrong_types(self):
        for wrong in (6, None, b"cpu", Shape("f32[]"), Target):
            kind = type(wrong).__name__
            for refused in (Target, Shape("f32[2]").for_target, lambda wrong: Layout.for_target(wrong, "f32", (2,))):
                with self.assertRaisesRegex(TypeError, f"a target or its name is wanted, not {kind}$"):
                    refused(wrong)


class Layouts(unittest.TestCase):
    def test_chosen(self):
        for target in TPUS:
            old = target in OLD
            self.assertEqual(chosen("f32[1000,3]", target), "f32[1000,3]{0,1:T(4,128)}")
            self.assertEqual(chosen("f32[0,3]", target), "f32[0,3]{1,0}")
            self.assertEqual(chosen("f32[]", target), "f32[]{:T(256)}" if old else "f32[]{:T(128)}")
            line = 512 if old else 256
            self.assertEqual(chosen("bf16[7]", target), f"bf16[7]{{0:T({line})(128)(2,1)}}")
            words = "(4,1)" if old else "(8,1)E(4)"
            self.assertEqual(chosen("s4[300,500]", target), f"s4[300,500]{{1,0:T(8,128){words}}}")
        for target in ("cpu", "gpu"):
            self.assertEqual(chosen("s4[8,3]{0,1:T(2,2)}", target), "s4[8,3]{1,0:E(4)}")
            self.assertEqual(chosen("f32[1000,3]{0,1}", target), "f32[1000,3]{1,0}")

    def test_ways_to_ask(self):
        for target in ("tpu:v5e", Target("tpu:v5e")):
            self.assertEqual(str(Layout.for_target(target, "f32", (1000, 3))), "{0,1:T(4,128)}")
            self.assertEqual(str(Layout.for_target(target, ElementType.BF16, iter([7]))), "{0:T(256)(128)(2,1)}")
            self.assertEqual(str(Layout.for_target(target, "f32", (1000, 3), minor_to_major=(1, 0))), "{1,0:T(8,128)}")
            self.assertEqual(str(Layout.for_target(target, "f32", (), minor_to_major=())), "{:T(128)}")
            self.assertEqual(chosen("f32[1000,3]", target), "f32[1000,3]{0,1:T(4,128)}")

    def test_order_kept(self):
        for before, after in (
            ("f32[1000,3]{1,0}", "f32[1000,3]{1,0:T(8,128)}"),
            ("f32[1000,3]{0,1:T(2,2)S(1)}", "f32[1000,3]{0,1:T(4,128)}"),
            ("(f32[1000,3]{1,0}, (f32[3,1000]{0,1}))", "(f32[1000,3]{1,0:T(8,128)}, (f32[3,1000]{0,1:T(8,128)}))"),
        ):
            self.assertEqual(chosen(before, "tpu:v5e", keep_order=True), after)
            self.assertNotIn("S(1)", chosen(before, "tpu:v5e"))
        bare = Shape("f32[1000,3]", keep_missing_layout=True)
        self.assertEqual(str(bare.for_target("tpu:v5e", keep_order=True)), "f32[1000,3]{0,1:T(4,128)}")
        self.assertEqual(chosen("s4[8,3]{0,1}", "cpu", keep_order=True), "s4[8,3]{0,1:E(4)}")

    def test_tuples(self):
        before = "(f32[1000,3], (token[], bf16[7]{0:T(2)}, ()), opaque[], b(f32[3,1000]))"
        self.assertEqual(
            chosen(before, "tpu:v5e"),
            "(f32[1000,3]{0,1:T(4,128)}, (token[], bf16[7]{0:T(256)(128)(2,1)}, ()), opaque[],"
            " b(f32[3,1000]{1,0:T(4,128)}))",
        )
        self.assertEqual(chosen("()", "tpu:v5e"), "()")
        self.assertEqual(chosen("(token[])", "gpu"), "(token[])")

    def test_bounds(self):
        self.assertEqual(chosen("f32[<=1000,3]", "tpu:v5e"), "f32[<=1000,3]{0,1:T(4,128)}")

    def refused(self, kind, text, call, index=-1):
        with self.assertRaisesRegex(kind, text) as caught:
            call()
        self.assertEqual(caught.exception.index, index)

    def test_no_layout(self):
        v5e = Target("tpu:v5e")
        unsupported, overflow = xlashape.UnsupportedError, xlashape.SizeOverflowError
        self.refused(unsupported, "token", lambda: Shape.token().for_target(v5e))
        self.refused(unsupported, "opaque", lambda: Shape.opaque().for_target(v5e))
        self.refused(unsupported, "dimension 1 is unbounded", lambda: Shape("f32[2,?]").for_target(v5e))
        self.refused(unsupported, "dimension 0 is unbounded", lambda: Layout.for_target(v5e, "f32", (UNBOUNDED,)))
        self.refused(unsupported, "unbounded", lambda: Shape("(f32[2], (token[], f32[?]))").for_target("gpu"), 1)
        self.refused(unsupported, r"tpu:v5e .* 36 \(f6e2m3fn\)", lambda: Shape("f6e2m3fn[3]").for_target(v5e))
        self.refused(unsupported, r"17 \(token\)", lambda: Layout.for_target(v5e, "token", ()))
        self.refused(overflow, "tpu:v5e needs more bytes", lambda: Shape("s32[2305843009213693951]").for_target(v5e))
        self.refused(overflow, "dimension 1 ", lambda: Layout.for_target("cpu", "s8", (1 << 62, 1 << 62)))

    def test_wrong_orders(self):
        for order in ((1,), (2, 1, 0), ()):
            with self.assertRaisesRegex(ValueError, f"minor_to_major has {len(order)} entries, the rank is 2"):
                Layout.for_target("tpu:v5e", "f32", (1000, 3), minor_to_major=order)
        for order in ((1, 1), (0, 2)):
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, f"minor_to_major .*{order[1]}"):
                Layout.for_target("tpu:v5e", "f32", (1000, 3), minor_to_major=order)
        with self.assertRaisesRegex(TypeError, "entry 1 of 2 of dimensions must be an integer, not str"):
            Layout.for_target("tpu:v5e", "f32", (1000, "3"))
        with self.assertRaisesRegex(TypeError, "None is no element type"):
            Layout.for_target("tpu:v5e", None, (1000, 3))


class Arrays(unittest.TestCase):
    """Shapes of what has a shape and a dtype, as jax.ShapeDtypeStruct has."""

    def test_dtypes(self):
        for name, kind, layout in (
            ("float32", "f32", "{0,1:T(4,128)}"),
            ("bfloat16", "bf16", "{0,1:T(4,128)(2,1)}"),
            ("float8_e4m3fn", "f8e4m3fn", "{0,1:T(4,128)(4,1)}"),
            ("bool", "pred", "{0,1:T(4,128)(4,1)}"),
            ("complex64", "c64", "{0,1:T(4,128)}"),
            ("int4", "s4", "{0,1:T(8,128)(8,1)E(4)}"),
            ("int2", "s2", "{0,1:T(16,128)(16,1)E(2)}"),
            ("uint1", "u1", "{0,1:T(32,128)(32,1)E(1)}"),
            ("float4_e2m1fn", "f4e2m1fn", "{0,1:T(8,128)(8,1)E(4)}"),
        ):
            for dtype in (name, Dtype(name)):
                shape = Shape.of(Described((1000, 3), dtype))
                self.assertEqual(shape, Shape(f"{kind}[1000,3]"))
                self.assertEqual(str(shape.for_target("tpu:v5e")), f"{kind}[1000,3]{layout}")

    def test_all_names(self):
        for kind in ElementType:
            if kind.numpy_name is not None:
                self.assertEqual(Shape.of(Described([], Dtype(kind.numpy_name))), Shape.array(kind, ()))

    @unittest.skipIf(numpy is None, "no NumPy")
    def test_numpy(self):
        for name in ("bool", "int8", "uint16", "float16", "float64", "complex64", "complex128"):
            kind = ElementType.of(name)
            self.assertEqual(Shape.of(Described((numpy.int64(8), 3), numpy.dtype(name))), Shape.array(kind, (8, 3)))
        array = numpy.zeros((1000, 3), "f4")
        self.assertEqual(str(Shape.of(array).for_target("tpu:v5e")), "f32[1000,3]{0,1:T(4,128)}")
        self.assertEqual(str(Shape.of(array).for_target("tpu:v5e", keep_order=True)), "f32[1000,3]{1,0:T(8,128)}")
        self.assertEqual(str(Shape.of(array.T).for_target("tpu:v5e", keep_order=True)), "f32[3,1000]{0,1:T(8,128)}")
        self.assertEqual(str(Layout.for_target("tpu:v5e", array.dtype, array.shape)), "{0,1:T(4,128)}")

    @unittest.skipIf(numpy is None or ml_dtypes is None, "no NumPy, or no ml_dtypes")
    def test_ml_dtypes(self):
        for kind in ElementType:
            scalar = getattr(ml_dtypes, kind.numpy_name or "", None)
            if scalar is None:
                continue
            shape = Shape.array(kind, (8, 3))
            self.assertEqual(Shape.of(Described((8, 3), numpy.dtype(scalar))), shape)
            self.assertEqual(Shape.of(numpy.zeros((8, 3), scalar)), shape)
            self.assertEqual(Shape.of(Described((8, 3), scalar)).for_target("cpu"), shape.for_target("cpu"))
        packed = Shape.of(numpy.zeros((8, 3), ml_dtypes.int4)).for_target("cpu")
        self.assertEqual(str(packed), "s4[8,3]{1,0:E(4)}")

    def test_refused(self):
        for wrong, text in (
            ((2, 2.5), "dimension 1 of the array's shape must be an integer, not float"),
            ((None, 3), "dimension 0 of the array's shape must be an integer, not NoneType"),
            (("3",), "dimension 0 of the array's shape must be an integer, not str"),
            (3, "the array's shape must be a sequence of integers, not int"),
        ):
            with self.assertRaisesRegex(TypeError, text):
                Shape.of(Described(wrong, "float32"))
        with self.assertRaisesRegex(OverflowError, "dimension 0 of the array's shape"):
            Shape.of(Described((1 << 63,), "float32"))
        with self.assertRaisesRegex(xlashape.NotFoundError, "key<fry>"):
            Shape.of(Described((), Dtype("key<fry>")))
        with self.assertRaisesRegex(TypeError, "is no element type"):
            Shape.of(Described((3,), 1.5))
        with self.assertRaisesRegex(TypeError, "must be str, not Described: Shape.of takes arrays"):
            Shape(Described((3,), "float32"))
        for wrong in (None, 1.5, (1, 2), Described((3,), None)):
            with self.assertRaisesRegex(TypeError, f"an array is wanted, not {type(wrong).__name__}"):
                Shape.of(wrong)


if __name__ == "__main__":
    unittest.main()
