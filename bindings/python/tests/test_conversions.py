# SPDX-License-Identifier: Apache-2.0
"""What relayouts do to values: conversions, quantized values, bits from the highest. NumPy and ml_dtypes judge."""

import array
import ctypes
import gc
import itertools
import os
import pickle
import sys
import unittest
from unittest import mock

import xlashape
from cases import Case
from xlashape import Array, ElementType, Layout, Plan, Shape, relayout
from xlashape.plan import plan_options

try:
    import numpy
except ImportError:
    numpy = None
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

INVALID, UNSUPPORTED, RANGE = xlashape.InvalidArgumentError, xlashape.UnsupportedError, xlashape.OutOfRangeError
TILES = "bf16[3,4]{1,0:T(2,2)(2,1)}"
CASES = int(os.environ.get("XLASHAPE_TEST_CASES", 10**6))  # 10**8: a minute or two


def floats(*values):
    return array.array("f", values)


class Options(Case):
    """Without NumPy."""

    def test_a_conversion(self):
        source, out = floats(1, -2.5, 1e9, -1e9, float("nan"), 0.999), array.array("b", bytes(6))
        Plan("f32[6]", "s8[6]", convert=True).execute(source, out)
        self.assertEqual(out.tolist(), [1, -2, 127, -128, 0, 0])
        for to in ("s8[6]", "int8[6]", Shape("s8[6]")):
            self.assertEqual(relayout(source, to, convert=True).tobytes(), out.tobytes())
        image = relayout(memoryview(floats(*range(12))).cast("B").cast("f", (3, 4)), TILES, convert=True)
        self.assertEqual((str(image.shape), image.nbytes), (TILES, 32))
        for words in ("bf16{1,0:T(2,2)(2,1)}", "bfloat16 T(2,2)(2,1)"):
            again = relayout(image, words, convert=True)
            self.assertEqual((again.shape, again.tobytes()), (image.shape, image.tobytes()))
        self.assertEqual(Plan("f32[3,4]", "bf16 col", convert=True).dst, Shape("bf16[3,4]{0,1}"))
        back = relayout(image, "f32[3,4]", convert=True)
        self.assertEqual(memoryview(back.data).cast("f").tolist(), list(range(12)))
        relayout(source, out=out, convert=True)  # which says its type
        relayout(source, "s8[6]", out=out, convert=True)
        self.assertEqual(out[2], 127)
        for saturate, wanted in ((False, b"\x2c\xff"), (True, b"\xff\0")):
            found = relayout(array.array("i", [300, -1]), "u8[2]", convert=True, saturate=saturate)
            self.assertEqual(found.tobytes(), wanted)
        seen = relayout(source, "f32[6]", convert=True)  # nothing to convert: a view
        source[0] = 7
        self.assertEqual(seen.tobytes(), source.tobytes())

    def test_scales(self):
        source = memoryview(floats(0.5, 1.5, -300, 1e9, 2, 3)).cast("B").cast("f", (2, 3))
        quantized = relayout(source, "s8[2,3]", convert=True, scale=0.5, zero_point=1)
        self.assertEqual(list(memoryview(quantized.data).cast("b")), [2, 4, -128, 127, 5, 7])
        real = relayout(quantized, "f32[2,3]", convert=True, scale=0.5, zero_point=1)
        self.assertEqual(memoryview(real.data).cast("f").tolist(), [0.5, 1.5, -64.5, 63, 2, 3])
        for scale, zero_point, dimension, wanted in (
            ((0.5, 1), None, 0, [1, 3, -128, 127, 2, 3]),
            ([0.5, 1], None, -2, [1, 3, -128, 127, 2, 3]),
            (iter((0.5, 1, 2)), (0, 1, 2), -1, [1, 3, -128, 127, 3, 4]),
            (floats(0.5, 1, 2), 1, 1, [2, 3, -128, 127, 3, 3]),
            (0.5, array.array("i", [0, 1]), 0, [1, 3, -128, 127, 5, 7]),
            (2, None, 1, [0, 1, -128, 127, 1, 2]),  # one for all indices
        ):
            options = {"scale": scale, "zero_point": zero_point, "scale_dimension": dimension}
            found = relayout(source, "s8[2,3]", convert=True, **options)
            self.assertEqual(list(memoryview(found.data).cast("b")), wanted)
        empty = relayout(b"", "s8[0,3]", of="f32[0,3]", convert=True, scale=(), scale_dimension=0)
        self.assertEqual(empty.nbytes, 0)

    def test_bits_from_the_highest(self):
        bits, shape = bytes([1, 0, 1, 1, 0, 0, 0, 1, 1]), "pred[9]{0:E(1)}"
        packed = relayout(bits, shape, of="pred[9]", dst_high_first=True)
        self.assertEqual(packed.tobytes(), b"\xb1\x80")
        self.assertEqual(relayout(packed, "{0}", src_high_first=True).tobytes(), bits)
        self.assertEqual(relayout(packed, shape, src_high_first=True).tobytes(), b"\x8d\x01")  # not a view
        turned = bytearray(2)
        Plan(shape, shape, src_high_first=True).execute(packed, turned)
        self.assertEqual(turned, b"\x8d\x01")
        found = relayout(b"\x12\x34", "f32[4]", of="s4[4]{0:E(4)}", convert=True, scale=0.5, src_high_first=True)
        self.assertEqual(memoryview(found.data).cast("f").tolist(), [0.5, 1, 1.5, 2])
        with self.assertRaisesRegex(INVALID, "overlap"):  # which the same without the flag may
            Plan(shape, shape, src_high_first=True).execute(turned, turned)
        Plan(shape, shape).execute(turned, turned)

    def test_memory_of_a_plan(self):
        """Each side is of its own type."""
        plan, whole, real = Plan("f32[3]", "s32[3]", convert=True), array.array("i", [0] * 3), floats(1, 2, 3)
        plan.execute(real, whole)
        self.assertEqual(whole.tolist(), [1, 2, 3])
        plan.execute(real.tobytes(), memoryview(whole).cast("B"))
        self.refused(
            (INVALID, "src is of i; f32, or bytes, are wanted", lambda: plan.execute(array.array("i", whole), whole)),
            (INVALID, "dst is of f; s32, or bytes, are wanted", lambda: plan.execute(real, floats(0, 0, 0))),
            (RANGE, "dst has 6 bytes, 12 are wanted", lambda: plan.execute(real, array.array("h", [0] * 3))),
            (INVALID, "overlap", lambda: plan.execute(real, memoryview(real).cast("B"))),
        )

    def test_plans_are_kept(self):
        source, wanted, out = floats(0.5, 1.5, -300, 1e9), b"\x01\x04\x80\x7f", bytearray(4)
        options = {"scale": iter([0.5, 0.5, 1, 1]), "zero_point": iter([0, 1, 0, 0]), "scale_dimension": -1}
        plan = Plan("f32[4]", "s8[4]", convert=True, saturate=True, **options)
        for one in (plan, pickle.loads(pickle.dumps(plan))):
            out[:] = bytes(4)
            one.execute(source, out)
            self.assertEqual(out, wanted)
        packed = Plan("pred[9]", "pred[9]{0:E(1)}", dst_high_first=True)
        pickle.loads(pickle.dumps(packed)).execute(b"\1\0" * 4 + b"\1", memoryview(out)[:2])
        self.assertEqual(out[:2], b"\xaa\x80")

    def test_keys(self):
        options = (
            *({name: True} for name in ("src_high_first", "dst_high_first", "convert")),
            {"convert": True, "saturate": True},
            *({"convert": True, "scale": scale} for scale in (0.5, 0.25)),
            {"convert": True, "scale": 0.5, "zero_point": 1},
            *({"convert": True, "scale": (0.5, 0.25), "scale_dimension": dimension} for dimension in (0, 1)),
        )
        keys = [Plan.key("f32[2,2]", "s8[2,2]", **one) for one in ({}, *options)]
        self.assertEqual(len(set(keys)), len(keys), keys)
        same = Plan.key("f32[2,2]", "s8[2,2]", convert=True, scale=iter((0.5, 0.25)), scale_dimension=-1)
        self.assertEqual(same, keys[-1])

    def test_options_keep_what_they_refer_to(self):
        options = plan_options((4,), convert=True, scale=iter([1, 2, 3, 4]), zero_point=[5, 6, 7, 8], scale_dimension=0)
        gc.collect()
        others = [(ctypes.c_float * 4)() for _ in range(1000)]
        self.assertEqual((ctypes.c_float * 4).from_address(options.scale)[:], [1, 2, 3, 4])
        self.assertEqual((ctypes.c_int32 * 4).from_address(options.zero_point)[:], [5, 6, 7, 8])
        self.assertEqual(len(others), 1000)

    def test_refused(self):
        source, at = floats(*range(12)), Shape("f32[3,4]")

        def moved(to="s8[3,4]", **options):
            return lambda: relayout(source, to, of=at, **{"convert": True, **options})

        def channels(scale, **options):
            return moved(scale=scale, **{"scale_dimension": 0, **options})

        types = "the source has element type f32, the destination s8: pass convert=True"
        same, plain = "is about values that are converted: pass convert=True", {"to": "{0,1}", "convert": False}
        self.refused(
            (INVALID, types, moved(convert=False)),
            (INVALID, types, moved("s8", convert=False)),
            (INVALID, types, lambda: Plan(at, "int8 col")),
            (INVALID, "'bf16 col' asks for another element type", lambda: at.with_layout("bf16 col")),
            (INVALID, "'bf16' asks for another element type", lambda: Shape.array("f32", (3, 4), "bf16")),
            (INVALID, types, moved(Shape("s8[3,4]"), convert=False)),
            (INVALID, types, lambda: Plan(at, "s8[3,4]")),
            (INVALID, types, lambda: Plan(at, "s8[3,4]", src_byte_strides=(4, 12))),
            (INVALID, types, lambda: relayout(source, out=array.array("b", bytes(12)))),
            (INVALID, "other dimensions", moved("s8[3,5]")),
            (INVALID, "dimension 1 is 4 in the source and 5", moved(Shape("s8[3,5]"))),
            (xlashape.ParseError, "'rows': did you mean row", moved("rows")),
            (INVALID, "saturate " + same, moved(saturate=True, **plain)),
            (INVALID, "scale " + same, moved(scale=2, **plain)),
            *((INVALID, "scales are given between f32 and f32", moved(to, scale=2)) for to in ("{0,1}", "{1,0}")),
            (INVALID, "zero_point is given, and scale is not", moved(zero_point=2)),
            (INVALID, "scale_dimension is given, and scale is not", moved(scale_dimension=1)),
            (INVALID, "scale has 3 values: scale_dimension must say", moved(scale=[1, 2, 3])),
            (INVALID, "zero_point has 3 values: scale_dimension must say", moved(scale=1, zero_point=[1, 2, 3])),
            (INVALID, "scale has 3 values, .* size 4 in dimension 1", channels([1, 2, 3], scale_dimension=-1)),
            (INVALID, "scale has 1 values, .* size 3 in dimension 0", channels([1])),
            (INVALID, "zero_point has 2 values, .* size 3", channels([1] * 3, zero_point=[1, 2])),
            (RANGE, "dimension 2 is not in", channels([1, 2, 3], scale_dimension=2)),
            (RANGE, "dimension -3 is not in", channels(1, scale_dimension=-3)),
            (TypeError, "scale_dimension must be an integer", channels([1, 2, 3], scale_dimension=0.0)),
            (INVALID, r"scale\[1\] is 0: reals are divided by it", channels([1, 0, 2])),
            *((INVALID, rf"scale\[0\] is {name}", moved(scale=float(name))) for name in ("0", "nan", "inf")),
            (INVALID, "scale is 1e-50, which is beyond the numbers of f32", moved(scale=1e-50)),
            (INVALID, r"scale\[2\] is 1e\+39, which is beyond", channels([1, 2, 1e39])),
            (OverflowError, "scale is an integer that does not fit f32", moved(scale=10**5000)),
            (TypeError, "scale must be a number, not object", moved(scale=object())),
            (TypeError, r"scale\[0\] must be a number, not str", channels("0.5")),
            (TypeError, r"scale\[0\] must be a number, not list", channels([[1], [2], [3]])),
            (TypeError, "zero_point must be an integer, not float", moved(scale=1, zero_point=0.5)),
            (OverflowError, r"zero_point\[1\] is 2147483648", channels(1, zero_point=[0, 1 << 31, 0])),
            (INVALID, r"zero_point\[0\] is 1: between floats", moved("bf16[3,4]", scale=1, zero_point=1)),
            (UNSUPPORTED, "c64", moved("c64[3,4]")),
            (UNSUPPORTED, "in place: values are not converted", moved("s32[3,4]", in_place=True)),
            (INVALID, "the source keeps each f32 in 32 bits", moved("{0,1}", src_high_first=True)),
            (INVALID, "the destination keeps each f32 in 32 bits", moved("{1,0}", dst_high_first=True)),
        )


@unittest.skipIf(numpy is None, "no NumPy")
class NumPy(Case):
    def setUp(self):
        self.a = numpy.arange(12, dtype="f4").reshape(3, 4) + 0.75

    def test_dtypes(self):
        """What comes out is of the new type, the first time and as one of many."""
        for _ in range(3):
            names = {"f16": "f2", "s8": "i1", "u64": "u8", "pred": "?", "f64": "f8", "f32": "f4"}
            for name, dtype in names.items():
                plain = relayout(self.a, f"{name}[3,4]{{0,1}}", convert=True)
                self.assertEqual((plain.dtype, plain.strides[0]), (dtype, plain.itemsize))
                numpy.testing.assert_array_equal(plain, self.a.astype(dtype))
                tiled = relayout(self.a, f"{name}[3,4]{{1,0:T(2,2)}}", convert=True)
                self.assertEqual((tiled.dtype, tiled.shape), (dtype, (16,)))
                back = relayout(tiled, f"{name}[3,4]", of=f"{name}[3,4]{{1,0:T(2,2)}}")
                numpy.testing.assert_array_equal(back, self.a.astype(dtype))
            with self.assertRaisesRegex(INVALID, "pass convert=True"):
                relayout(self.a, "f16[3,4]{0,1}")
        for array_, to in ((self.a[::-1, ::2], "s32[3,2]{0,1}"), (self.a.T, "s32[4,3]")):
            numpy.testing.assert_array_equal(relayout(array_, to, convert=True), array_.astype("i4"))
        out = numpy.zeros((4, 3), "i2")
        relayout(self.a, out=out.T[::-1], convert=True, scale=numpy.float32(0.5), zero_point=numpy.int8(1))
        numpy.testing.assert_array_equal(out.T[::-1], numpy.rint(self.a / 0.5) + 1)
        self.assertEqual(relayout(memoryview(self.a), "f16[3,4]", convert=True).numpy().dtype, "f2")
        self.assertTrue(numpy.shares_memory(relayout(self.a, "f32[3,4]", convert=True), self.a))

    def test_types_that_numpy_lacks(self):
        found = {name: relayout(self.a, f"{name}[3,4]{{1,0:T(2,2)}}", convert=True) for name in ("bf16", "s4")}
        if ml_dtypes is not None:
            self.assertEqual([str(one.dtype) for one in found.values()], ["bfloat16", "int4"])
        with mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            plain = relayout(self.a, "bf16[3,4]", convert=True, copy=True)
            self.assertEqual((plain.dtype, plain[0, 0]), ("u2", 0x3F40))
            self.assertEqual(relayout(self.a, "s4[3,4]", convert=True, copy=True).dtype, "u1")

    def test_scales_of_arrays(self):
        scale, dimension = numpy.float64([1, 0.5, 2, 4]), numpy.int64(1)
        for given in (scale, scale.astype("f4"), scale.astype("f2"), list(scale), numpy.repeat(scale, 2)[::2]):
            found = relayout(self.a, "s8[3,4]", convert=True, scale=given, scale_dimension=dimension)
            numpy.testing.assert_array_equal(found, numpy.rint(self.a / scale))
        found = relayout(self.a, "s8[3,4]", convert=True, scale=numpy.array(0.5))
        numpy.testing.assert_array_equal(found, numpy.rint(self.a / 0.5))
        with self.assertRaisesRegex(TypeError, r"scale\[0\] must be a number, not ndarray"):
            relayout(self.a, "s8[3,4]", convert=True, scale=numpy.ones((3, 1)), scale_dimension=0)

    def test_packbits(self):
        random = numpy.random.RandomState(3)
        for size in ((1,), (7,), (8,), (9,), (3, 5), (2, 3, 11), (64, 130), (0, 3), ()):
            bits = random.randint(0, 2, size).astype(bool)
            order = ",".join(str(place) for place in reversed(range(len(size))))
            name = f"pred[{','.join(map(str, size))}]{{{order}:E(1)}}"
            for first, high_first in (("big", True), ("little", False)):
                packed = numpy.packbits(bits, bitorder=first)
                found = relayout(bits, name, dst_high_first=high_first)
                numpy.testing.assert_array_equal(found, packed)
                back = relayout(packed, Shape.of(bits), of=name, src_high_first=high_first)
                numpy.testing.assert_array_equal(back, bits)
                self.assertEqual(back.dtype, bool)
                whole = relayout(packed, Shape.array("s32", size), of=name, src_high_first=high_first, convert=True)
                numpy.testing.assert_array_equal(whole, bits)
        # Each row in bytes of its own: the layout is padded.
        bits = random.randint(0, 2, (5, 11)).astype(bool)
        rows = numpy.packbits(bits, axis=-1)
        padded = "pred[5,11]{1,0:E(1)PD(5,16)}"
        numpy.testing.assert_array_equal(relayout(bits, padded, dst_high_first=True), rows.ravel())
        back = relayout(rows.ravel(), "row", of=padded, src_high_first=True)
        numpy.testing.assert_array_equal(back, bits)

    def test_bits_of_wider_elements(self):
        random = numpy.random.RandomState(4)
        for width in (2, 4):
            for size in (1, 3, 8, 13):
                values = random.randint(0, 1 << width, size).astype("u1")
                each = (values[:, None] >> numpy.arange(width)[::-1]) & 1
                packed = numpy.packbits(each.astype(bool))
                name = f"u{width}[{size}]{{0:E({width})}}"
                found = relayout(packed, f"u8[{size}]", of=name, src_high_first=True, convert=True)
                numpy.testing.assert_array_equal(found, values)
                found = relayout(values, name, of=f"u{width}[{size}]", dst_high_first=True)
                numpy.testing.assert_array_equal(found, packed)
                low = relayout(packed, name, of=name, src_high_first=True)
                back = relayout(low, f"u8[{size}]", of=name, convert=True)
                numpy.testing.assert_array_equal(back, values)


# -- Judges -----------------------------------------------------------------------------------------------------------


def kinds():
    """Those whose values are single numbers."""
    return [kind for kind in ElementType if kind.is_array_type and not kind.is_complex]


def width(kind):
    """The bits that a value has: of floats of 6 bits less than the byte that XLA counts."""
    form = kind.float_format
    return form.significand_width - 1 + form.exponent_width + form.has_positive_zero if form else kind.bits


def bits_of(values):
    return values.view(f"u{values.itemsize}")


def every(kind):
    """All values of a type of at most 16 bits."""
    if kind == ElementType.PRED:
        return numpy.array([False, True])
    return numpy.arange(1 << width(kind)).astype(f"u{kind.storage_bits // 8}").view(kind.numpy_dtype())


def some(kind, random, count):
    """Values of a type of more than 16 bits: all sizes, and what is special."""
    dtype = kind.numpy_dtype()
    anything = random.randint(0, 1 << 63, count, "u8") * 2 + random.randint(0, 2, count).astype("u8")
    if kind.is_integral:
        short = anything >> random.randint(0, 64, count).astype("u8")
        powers = numpy.uint64(1) << numpy.arange(64, dtype="u8")
        near = numpy.concatenate([powers - numpy.uint64(1), powers, powers + numpy.uint64(1)])
        # In the middle of two numbers of any float, and one beside that.
        middles = (near[:, None] << numpy.arange(1, 30, 4, dtype="u8")) + numpy.arange(3, dtype="u8")[:, None, None]
        unsigned = numpy.concatenate([short, near, ~near, middles.ravel(), ~middles.ravel()])
        return unsigned.astype(f"u{dtype.itemsize}").view(dtype)
    with numpy.errstate(all="ignore"):
        narrow = [every(ElementType.F16).astype(dtype), every(ElementType.BF16).astype(dtype)]
        middles = numpy.concatenate([(one[1:] + one[:-1]) / 2 for one in narrow])
    sides = [numpy.nextafter(middles, numpy.array(end, dtype)) for end in (-numpy.inf, numpy.inf)]
    limits = numpy.array([sign * (2.0**power + more) for sign in (1, -1) for power in (7, 8, 15, 16, 31, 32, 63, 64)
                          for more in (-1, -0.5, 0, 0.5, 1)], dtype)  # fmt: skip
    return numpy.concatenate([anything.astype(f"u{dtype.itemsize}").view(dtype), *narrow, middles, *sides, limits])


def cut_off_to_odd(values):
    """As f32: cut off, and the last bit set where something was lost. Rounding that to fewer bits gives what rounding
    the values gives."""
    near = values.astype("f4")
    beyond = numpy.abs(near.astype(values.dtype)) > numpy.abs(values)
    cut = numpy.where(beyond, numpy.nextafter(near, numpy.float32(0)), near)
    lost = (cut.astype(values.dtype) != values) & ~numpy.isnan(values)
    return (cut.view("u4") | lost).view("f4")


def is_nan(values, kind):
    return numpy.isnan(values.astype("f8")) if kind.is_floating_point else numpy.zeros(values.shape, bool)


def ends(kind):
    """The least and the greatest integer."""
    return (-(1 << kind.bits - 1), (1 << kind.bits - 1) - 1) if kind.is_signed else (0, (1 << kind.bits) - 1)


def into_integers(values, source, kind):
    low, high = ends(kind)
    if not source.is_floating_point:  # NumPy's integers keep their low bits, too
        return values.astype("u8" if source.is_unsigned else "i8").view("u8") & numpy.uint64((1 << kind.bits) - 1)
    # Beyond the range they are the nearest end, and NaN is 0, as in XLA; in NumPy these are undefined.
    whole = numpy.trunc(values.astype("f8"))
    inside = (whole >= low) & (whole < float(high + 1))
    found = numpy.where(inside, whole, 0).astype("i8" if kind.is_signed else "u8").view("u8")
    ones = (1 << 64) - 1
    found[whole >= float(high + 1)] = high
    found[whole < low] = low & ones
    return found & numpy.uint64((1 << kind.bits) - 1)


def into_floats(values, source, kind):
    dtype = kind.numpy_dtype()
    direct = kind in (ElementType.F32, ElementType.F64) or width(source) <= 16 or source == ElementType.F32
    if not direct:
        # Each value is rounded once; ml_dtypes goes from f64, and from wide integers, through f32.
        exact = values if source == ElementType.F64 else values.astype(numpy.longdouble)
        found = cut_off_to_odd(exact).astype(dtype)
    else:
        try:
            found = values.astype(dtype)
        except TypeError:  # ml_dtypes has no such cast; f32 has all values of types up to 16 bits
            found = values.astype("f4").astype(dtype)
    found = bits_of(found).copy()
    # NaN becomes the quiet one with its sign. NumPy and ml_dtypes keep more of it when the new type is wider.
    nan = is_nan(values, source)
    if nan.any():
        quiet = bits_of(numpy.array([numpy.nan, -numpy.nan], "f4").astype(dtype))
        found[nan] = quiet[numpy.signbit(values[nan].astype("f4")).astype(int)]
    if kind == ElementType.F8E8M0FNU and source.is_floating_point:
        # Below half way to the next number the smallest one, 2**-127, is the nearest. ml_dtypes goes up.
        wide = values.astype("f8")
        found[(wide > 2.0**-127) & (wide < 1.5 * 2.0**-127)] = 0
    return found


def judged(values, source, kind):
    """The bits of what the values become."""
    with numpy.errstate(all="ignore"):
        if kind == ElementType.PRED:
            return (values.astype("f8") != 0).view("u1")  # as NaN is
        if kind.is_integral:
            return into_integers(values, source, kind).astype(f"u{kind.storage_bits // 8}")
        return into_floats(values, source, kind)


def saturated(values, source, kind):
    """The same, where nothing leaves the finite range."""
    with numpy.errstate(all="ignore"):
        if kind == ElementType.PRED or (kind.is_integral and source.is_floating_point):
            return judged(values, source, kind)
        if kind.is_integral:
            low, high = ends(kind)
            wide = values.astype("u8" if source.is_unsigned else "i8")
            limits = numpy.iinfo(wide.dtype)
            wide = numpy.clip(wide, max(low, limits.min), min(high, limits.max))
            return judged(wide, ElementType.U64 if source.is_unsigned else ElementType.S64, kind)
        found = judged(values, source, kind)
        real = found.view(kind.numpy_dtype()).astype("f8")
        lost = ~numpy.isfinite(real) & ~is_nan(values, source)
        highest = ml_dtypes.finfo(kind.numpy_dtype()).max
        negative = values.astype("f8") < 0
        found[lost & ~negative] = bits_of(numpy.array([highest]))
        if kind == ElementType.F8E8M0FNU:  # which has neither a sign nor a zero: these stay NaN
            found[values.astype("f8") <= 0] = 0xFF
        else:
            found[lost & negative] = bits_of(numpy.array([-highest]))
        return found


@unittest.skipIf(ml_dtypes is None, "no ml_dtypes")
class Judged(Case):
    def agree(self, values, source, kind, wanted, what="", **options):
        found = relayout(values, Shape.array(kind, values.shape), convert=True, **options)
        self.assertEqual(found.dtype, kind.numpy_dtype())
        found = bits_of(found)
        if (found == wanted).all():
            return
        wrong = numpy.flatnonzero(found.ravel() != wanted.ravel())
        at = wrong[0]
        given = values.ravel()[at]
        self.fail(
            f"{source} to {kind}{what}: {len(wrong)} of {values.size} differ, the first is {given!r}, "
            f"{int(bits_of(values).ravel()[at]):#x}: {int(found.ravel()[at]):#x}, wanted {int(wanted.ravel()[at]):#x}"
        )

    def pairs(self):
        missing = [str(kind) for kind in kinds() if kind.numpy_dtype().name != kind.numpy_name]
        known = [kind for kind in kinds() if str(kind) not in missing]
        yield from itertools.product(known, known)
        if missing:
            self.skipTest(f"ml_dtypes has no {', '.join(missing)}")

    def test_every_pair(self):
        """All values where there are at most 65536, else many."""
        random = numpy.random.RandomState(5)
        for source, kind in self.pairs():
            if source == kind:
                continue
            values = every(source) if width(source) <= 16 else some(source, random, 20000)
            with self.subTest(source=str(source), to=str(kind)):
                self.agree(values, source, kind, judged(values, source, kind))
                self.agree(values, source, kind, saturated(values, source, kind), " saturating", saturate=True)

    def test_random_floats(self):
        """f32 to each float type."""
        random, left = numpy.random.RandomState(6), CASES
        while left > 0:
            values = random.randint(0, 1 << 32, min(left, 10**6), "u4").view("f4")
            left -= len(values)
            for kind in kinds():
                if kind.is_floating_point and kind != ElementType.F32 and kind.numpy_dtype().name == kind.numpy_name:
                    self.agree(values, ElementType.F32, kind, judged(values, ElementType.F32, kind))

    def test_what_is_beside_a_value_is_not_looked_at(self):
        """Bits of a byte above a narrow value; and any byte but 0 is true."""
        whole = numpy.arange(256, dtype="u1")
        for kind in kinds():
            if width(kind) < 8 and kind != ElementType.PRED and kind.numpy_dtype().name == kind.numpy_name:
                clean = (whole & ((1 << width(kind)) - 1)).view(kind.numpy_dtype())
                dirty = whole.view(kind.numpy_dtype())
                self.agree(dirty, kind, ElementType.F32, judged(clean, kind, ElementType.F32))
        found = relayout(whole, "s32[256]", of="pred[256]", convert=True)
        numpy.testing.assert_array_equal(found, whole != 0)


# Layouts of the source and of the destination, of arrays with three dimensions.
LAYOUTS = [
    ("{2,1,0}", "{2,1,0}"),
    ("{2,1,0}", "{0,1,2:T(4,2)}"),
    ("{2,1,0:T(2,4)}", "{2,1,0}"),
    ("{1,0,2:T(4,3)}", "{2,0,1:T(2,4)(2,1)}"),
    ("{0,2,1:PD(7,9,8)}", "{1,2,0:T(8,128)}"),
]
REALS, WHOLES = ("f32", "f16", "bf16", "f64"), ("s8", "u8", "s4", "u4", "s2", "u2", "s16", "u16", "s32", "u32")


@unittest.skipIf(ml_dtypes is None, "no ml_dtypes")
class Quantized(Case):
    def setUp(self):
        self.random = numpy.random.RandomState(7)

    def scales(self, sizes, dimension, kind):
        """(scale, zero point) as given, and as NumPy broadcasts them."""
        count = 1 if dimension is None else sizes[dimension]
        scale = (2.0 ** self.random.uniform(-4, 4, count)).astype("f4")
        half = 1 << min(kind.bits, 8) - 1
        zero_point = self.random.randint(-half, half, count) + (0 if kind.is_signed else half)
        if dimension is None:
            return (scale[0], int(zero_point[0])), (scale[0], zero_point[0])
        along = [1] * len(sizes)
        along[dimension] = count
        return (scale, zero_point), (scale.reshape(along), zero_point.reshape(along))

    def moved(self, values, source, kind, layouts, **options):
        """Through those layouts; what lies there is read back by relayouts that only move."""
        image = relayout(values, Shape(f"{source}[{','.join(map(str, values.shape))}]{layouts[0]}"), copy=True)
        to = Shape(f"{kind}[{','.join(map(str, values.shape))}]{layouts[1]}")
        of = Shape(f"{source}[{','.join(map(str, values.shape))}]{layouts[0]}")
        found = relayout(image, to, of=of, convert=True, **options)
        return relayout(found, Shape.array(kind, values.shape), of=to)

    def quantize(self, values, kind, scale, zero_point):
        real = values if values.dtype == "f8" else values.astype("f4")
        with numpy.errstate(all="ignore"):
            quotient = real / scale.astype(real.dtype)
            self.assertEqual(quotient.dtype, real.dtype)
            whole = numpy.nan_to_num(numpy.rint(quotient).astype("f8"), nan=0, posinf=1e30, neginf=-1e30) + zero_point
            return numpy.clip(whole, *ends(kind)).astype("i8")

    def dequantize(self, values, dtype, scale, zero_point):
        kind = "f8" if dtype == "f8" else "f4"
        with numpy.errstate(all="ignore"):
            return ((values.astype("i8") - zero_point).astype(kind) * scale.astype(kind)).astype(dtype)

    def reals(self, dtype, size, spread):
        values = self.random.normal(0, spread, size)
        flat = values.ravel()
        flat[:7] = (numpy.inf, -numpy.inf, numpy.nan, 0.0, -0.0, 1e30, -1e30)
        flat[7:40] = numpy.arange(-8, 8.5, 0.5)  # middles, where the scale is a power of two
        with numpy.errstate(all="ignore"):
            return values.astype(dtype)

    def test_integers_and_back(self):
        sizes = (6, 5, 7)
        for real, whole in itertools.product(map(ElementType.of, REALS), map(ElementType.of, WHOLES)):
            for dimension, layouts in zip((None, 0, 1, 2, -1), self.random.permutation(LAYOUTS)):
                (scale, zero_point), (wide_scale, wide_zero) = self.scales(sizes, dimension, whole)
                options = {"scale": scale, "zero_point": zero_point, "scale_dimension": dimension}
                with self.subTest(real=str(real), whole=str(whole), dimension=dimension, layouts=layouts):
                    values = self.reals(real.numpy_dtype(), sizes, 2.0 ** min(whole.bits - 2, 12))
                    found = self.moved(values, real, whole, layouts, **options)
                    self.assertEqual(found.dtype, whole.numpy_dtype())
                    wanted = self.quantize(values, whole, wide_scale, wide_zero)
                    numpy.testing.assert_array_equal(found.astype("i8"), wanted)
                    back = self.moved(found, whole, real, layouts, **options)
                    wanted = self.dequantize(found, real.numpy_dtype(), wide_scale, wide_zero)
                    numpy.testing.assert_array_equal(bits_of(back), bits_of(wanted))

    def test_halves_go_to_even(self):
        values = numpy.arange(-300, 300, 0.5, "f4")
        for scale in (1, 0.5, 2):
            found = relayout(values, "s8[1200]", convert=True, scale=scale)
            numpy.testing.assert_array_equal(found, numpy.clip(numpy.rint(values / numpy.float32(scale)), -128, 127))

    def test_floats_and_back(self):
        sizes, names = (6, 5, 7), ("f8e4m3fn", "f8e5m2", "f8e4m3fnuz", "f6e2m3fn", "f4e2m1fn", "f16", "bf16")
        for real, narrow in itertools.product(map(ElementType.of, ("f32", "f64")), map(ElementType.of, names)):
            dtype, small = real.numpy_dtype(), narrow.numpy_dtype()
            if small.name != narrow.numpy_name:
                self.skipTest(f"ml_dtypes has no {narrow}")
            for dimension, layouts in zip((None, 0, 1, 2), self.random.permutation(LAYOUTS)):
                (scale, _), (wide, _) = self.scales(sizes, dimension, ElementType.S8)
                options = {"scale": scale, "scale_dimension": dimension}
                with self.subTest(real=str(real), narrow=str(narrow), dimension=dimension, layouts=layouts):
                    values = self.reals(dtype, sizes, 50)
                    for saturate, judge in ((False, judged), (True, saturated)):
                        found = self.moved(values, real, narrow, layouts, saturate=saturate, **options)
                        with numpy.errstate(all="ignore"):
                            wanted = judge(values / wide.astype(dtype), real, narrow)
                        numpy.testing.assert_array_equal(bits_of(found), wanted)
                    back = self.moved(found, narrow, real, layouts, **options)
                    with numpy.errstate(all="ignore"):
                        wanted = found.astype("f4").astype(dtype) * wide.astype(dtype)
                    numpy.testing.assert_array_equal(back, wanted)

    def test_boxes_and_views(self):
        """Channels are the source's indices, also where only a part of it is moved, or from the end."""
        values, scale = self.reals("f4", (6, 5, 8), 100), numpy.float32([0.5, 1, 2, 0.25, 4, 8, 3, 0.1])
        wanted = self.quantize(values, ElementType.S8, scale, 0)
        out = numpy.zeros((4, 6, 8), "i1")
        options = {"convert": True, "scale": scale, "scale_dimension": 2, "dst_base": (1, 0, 2), "extent": (3, 4, 5)}
        plan = Plan("f32[6,5,8]", "s8[4,6,8]", src_base=(2, 1, 3), **options)
        plan.execute(values, out)
        numpy.testing.assert_array_equal(out[1:, :4, 2:7], wanted[2:5, 1:5, 3:])
        self.assertEqual(numpy.count_nonzero(out), numpy.count_nonzero(wanted[2:5, 1:5, 3:]))
        for view in (numpy.s_[:, :, ::-1], numpy.s_[::2, 3, :], numpy.s_[..., 1:8:3]):
            part, channels = values[view], scale[view[-1]]
            to = Shape.array("s8", part.shape, Layout(range(part.ndim)))
            found = relayout(part, to, convert=True, scale=channels, scale_dimension=-1)
            numpy.testing.assert_array_equal(found, wanted[view])

    def test_packed(self):
        """int4 weights, two in a byte, the first in the high or in the low bits."""
        values = self.random.randint(-8, 8, (16, 10)).astype("i1")
        scale, zero_point = numpy.float32([0.1, 0.2, 0.4, 0.8] * 4), self.random.randint(-3, 4, 16)
        flat = values.ravel() & 15
        wanted = (values.astype("f4") - zero_point[:, None]) * scale[:, None]
        options = {"convert": True, "scale": scale, "zero_point": zero_point, "scale_dimension": 0}
        for high_first, packed in ((True, flat[::2] << 4 | flat[1::2]), (False, flat[1::2] << 4 | flat[::2])):
            packed = packed.astype("u1")
            of = "s4[16,10]{1,0:E(4)}"
            found = relayout(packed, "f32[16,10]", of=of, src_high_first=high_first, **options)
            numpy.testing.assert_array_equal(found, wanted.astype("f4"))
            again = relayout(found, of, dst_high_first=high_first, **options)
            numpy.testing.assert_array_equal(again, packed)

    def test_packed_backwards(self):
        """Packed elements by strides, as NumPy's slices of the values, from and to them, with both orders of bits."""

        def packed(values, bits, high_first):
            fields = (values.ravel()[:, None] >> numpy.arange(bits) & 1).astype("u1")  # of each value, the lowest first
            if high_first:
                return numpy.packbits(fields[:, ::-1])
            return numpy.packbits(fields, bitorder="little")

        sizes = (6, 7)
        for name, high_first, last in itertools.product(("s4", "u2", "pred"), (False, True), (-1, -2)):
            element_type = ElementType.of(name)
            bits = element_type.bits
            values = self.random.randint(0, 1 << bits, sizes)
            order = {"src_high_first": high_first, "dst_high_first": high_first}
            for view, first, strides in (
                (numpy.s_[::-1], 35, (-7, 1)),
                (numpy.s_[:, ::last], 6, (7, last)),
                (numpy.s_[4::-2, ::last], 34, (-14, last)),
                (numpy.s_[:, 1::3], 1, (7, 3)),
            ):
                wanted = values[view]
                large, part = (f"{name}[{a},{b}]{{1,0:E({bits})}}" for a, b in (sizes, wanted.shape))
                with self.subTest(name=name, high_first=high_first, view=view):
                    plan = Plan(part, part, src_element_strides=strides, src_first_element=first, **order)
                    out = numpy.zeros(plan.dst_nbytes, "u1")
                    plan.execute(packed(values, bits, high_first), out)
                    numpy.testing.assert_array_equal(out, packed(wanted, bits, high_first))
                    # And there again, into an array of others.
                    back = Plan(part, part, dst_element_strides=strides, dst_first_element=first, **order)
                    other = self.random.randint(0, 1 << bits, sizes)
                    target = packed(other, bits, high_first)
                    back.execute(out, target)
                    other[view] = wanted
                    numpy.testing.assert_array_equal(target, packed(other, bits, high_first))
                    self.assertEqual(Shape(large).padded_nbytes, len(target))

    def test_packed_backwards_to_reals(self):
        """The same with values that are converted, and scales."""
        values = self.random.randint(-8, 8, (16, 10)).astype("i1")
        scale, flat = numpy.float32([0.1, 0.2, 0.4, 0.8] * 4), values.ravel() & 15
        given = {"convert": True, "scale": scale[::-1], "scale_dimension": 0}
        strides = {"src_element_strides": (-10, -1), "src_first_element": 159}
        for high_first, packed in ((True, flat[::2] << 4 | flat[1::2]), (False, flat[1::2] << 4 | flat[::2])):
            found = numpy.zeros((16, 10), "f4")
            plan = Plan("s4[16,10]{1,0:E(4)}", "f32[16,10]", src_high_first=high_first, **strides, **given)
            plan.execute(packed.astype("u1"), found)
            numpy.testing.assert_array_equal(found, (values * scale[:, None])[::-1, ::-1])

    def test_an_array_of_our_own(self):
        image = Array(self.reals("f4", (8, 8), 40), "f32[8,8]")
        found = image.relayout("s8[8,8]{0,1}", convert=True, scale=0.25)
        wanted = self.quantize(image.numpy(), ElementType.S8, numpy.float32(0.25), 0)
        numpy.testing.assert_array_equal(found.numpy(), wanted)


if __name__ == "__main__":
    unittest.main()
