# SPDX-License-Identifier: Apache-2.0
"""Windows and slabs: against index maps, and against a relayout of the whole array."""

import copy
import doctest
import importlib
import pickle
import random
import unittest
from itertools import product

import xlashape
from cases import Case
from xlashape import IndexMap, Shape, Slab, Slabs, Window, relayout, slabs

try:
    import numpy
except ImportError:
    numpy = None

TILED = Shape("f32[64,512]{1,0:T(8,128)}")  # 8 x 4 tiles of 4096 bytes
LAYOUTS = (
    *("{2,1,0}", "{0,1,2}", "{1,2,0}", "{2,1,0:T(4,8)}", "{0,2,1:T(2,4)}", "{2,0,1:T(4,8)(2,1)}", "{2,1,0:T(*,5)}"),
    *("{1,0,2:T(8)}", "{2,1,0:L(64)}", "{2,1,0:T(4,8)L(256)}", "{0,1,2:T(2,2,2)}"),
)
TYPES = ("u8", "s16", "f32", "c64", "s4", "pred")


def random_array(chance, dimensions=None, element_type=None):
    sizes = dimensions or tuple(chance.choice((1, 3, 4, 8, 16, 21)) for _ in range(3))
    element_type = element_type or chance.choice(TYPES)
    layout = chance.choice(LAYOUTS)
    if element_type == "s4" and chance.random() < 0.5:
        layout = layout.replace("}", "E(4)}" if ":" in layout else ":E(4)}")
    return Shape(f"{element_type}[{','.join(map(str, sizes))}]{layout}")


def random_box(chance, shape):
    """A box that may be a window."""
    base, extent = [], []
    for size, unit in zip(shape.dimensions, shape.window_granularity):
        begin = unit * chance.randrange(-(-size // unit))
        end = unit * chance.randint(begin // unit + 1, -(-size // unit))
        base.append(begin)
        extent.append(min(end, size) - begin)
    return tuple(base), tuple(extent)


class Windows(Case):
    def test_what_a_window_says(self):
        rows, columns = TILED.window((8, 0), (16, 512)), TILED.window([0, 128], [64, 256])
        self.equal(
            (str(rows.shape), "f32[16,512]{1,0:T(8,128)}"),
            ((rows.byte_offset, rows.bytes, rows.run_bytes), (16384, 32768, 32768)),
            ((rows.run_count, rows.contiguous, rows.runs()), (1, True, (16384,))),
            ((columns.run_count, columns.contiguous, columns.run_bytes), (8, False, 8192)),
            (columns.runs(), tuple((row * 4 + 1) * 4096 for row in range(8))),
            (columns.runs(6), columns.runs()[6:]),
            (columns.runs(2, 3), columns.runs()[2:5]),
            ((columns.runs(8), columns.runs(8, 0), columns.runs(3, 0)), ((), (), ())),
            ((columns.array, columns.base, columns.extent), (TILED, (0, 128), (64, 256))),
            (TILED.window_granularity, (8, 128)),
            (Shape("f32[5,200]{1,0:T(8,128)}").window_granularity, (5, 128)),
            (Shape("f32[]").window((), ()).bytes, 4),
            (Shape("f32[0,4]").window((0, 0), (0, 4))[4:], (0, 0, 0, 0)),
            (Shape("f32[0,4]").window((0, 0), (0, 4)).contiguous, True),
        )
        for other in (copy.copy(columns), copy.deepcopy(columns), pickle.loads(pickle.dumps(columns))):
            self.assertEqual((type(other), other, other.runs()), (Window, columns, columns.runs()))

    def test_where_the_index_map_says(self):
        """Each element of a window is in its runs where the array has it, and no other one is."""
        chance, several = random.Random(1), 0
        for _ in range(150):
            array = random_array(chance)
            window = array.window(*random_box(chance, array))
            several += not window.contiguous
            bits, run_bits = array.sizes.element_bits, window.run_bytes * 8
            runs, whole, own = window.runs(), IndexMap(array), IndexMap(window.shape)
            taken = {8 * run + bit for run in runs for bit in range(0, run_bits, bits)}
            self.assertEqual(window.shape.padded_nbytes, window.bytes, array)
            self.assertEqual(min(runs), window.byte_offset, array)
            for index in product(*map(range, array.dimensions)):
                at = whole.linear_index(index) * bits
                inside = tuple(i - base for i, base in zip(index, window.base))
                if not all(0 <= i < size for i, size in zip(inside, window.extent)):
                    self.assertNotIn(at, taken, (array, window, index))
                    continue
                run, rest = divmod(own.linear_index(inside) * bits, run_bits)
                self.assertEqual(at, 8 * runs[run] + rest, (array, window, index))
        self.assertGreater(several, 30)

    @unittest.skipIf(numpy is None, "no NumPy")
    def test_against_numpy(self):
        """A window's bytes are the image of that part of the array."""
        chance = random.Random(2)
        for _ in range(300):
            array = random_array(chance, element_type=chance.choice(("u8", "s16", "f32")))
            dtype = array.element_type.numpy_dtype()
            values = numpy.arange(array.element_count).reshape(array.dimensions).astype(dtype)
            image = relayout(values, array, out=numpy.empty(array.padded_nbytes, "u1"))
            base, extent = random_box(chance, array)
            window = array.window(base, extent)
            part = numpy.concatenate([image[at : at + window.run_bytes] for at in window.runs()])
            box = tuple(slice(begin, begin + size) for begin, size in zip(base, extent))
            numpy.testing.assert_array_equal(relayout(part, "row", of=window.shape), values[box], str(array))

    def test_errors(self):
        window = TILED.window((0, 0), (64, 128))
        range_error, unsupported = xlashape.OutOfRangeError, xlashape.UnsupportedError
        self.refused(
            (unsupported, "dimension 0, .* cut .* there: window_granularity", lambda: TILED.window((4, 0), (8, 512))),
            (range_error, "dimension 1 of the window: 385 elements", lambda: TILED.window((0, 128), (64, 385))),
            (range_error, "", lambda: TILED.window((0, -1), (64, 1))),
            (range_error, "", lambda: TILED.window((0, 0), (64, -1))),
            (xlashape.InvalidArgumentError, "base has 2 entries, extent 1", lambda: TILED.window((0, 0), (64,))),
            (xlashape.InvalidArgumentError, "rank is 1, the shape has 2", lambda: TILED.window((0,), (64,))),
            (TypeError, "entry 1 of 2 of base", lambda: TILED.window((0, 0.5), (64, 1))),
            (OverflowError, "entry 0 of 2 of extent", lambda: TILED.window((0, 0), (1 << 64, 1))),
            (unsupported, "", lambda: Shape("f32[?,4]").window((0, 0), (1, 4))),
            (unsupported, "", lambda: Shape("(f32[2])").window((0,), (1,))),
            (unsupported, "", lambda: Shape("token[]").window_granularity),
            (IndexError, "runs 7 to 9 are asked for, the window has 8", lambda: window.runs(7, 2)),
            (range_error, "the window has 8", lambda: window.runs(9)),
            (range_error, "the window has 8", lambda: window.runs(0, 1 << 24)),
            (xlashape.InvalidArgumentError, "count is 4611686018427387904", lambda: window.runs(0, 1 << 62)),
            (range_error, "", lambda: window.runs(-1)),
            (xlashape.XlashapeError, "count is -1", lambda: window.runs(0, -1)),
            (TypeError, "first must be an integer", lambda: window.runs(0.5)),
        )


def move(chosen, source, destination):
    """By slabs, from one memory into the other; the runs that were read and written."""
    runs_read = runs_written = 0
    for base, extent in chosen:
        read, write = chosen.src.window(base, extent), chosen.dst.window(base, extent)
        assert read.bytes <= chosen.src_bytes and write.bytes <= chosen.dst_bytes, (read, write)
        part = b"".join(source[at : at + read.run_bytes] for at in read.runs())
        moved = relayout(part, write.shape, of=read.shape).tobytes()
        for number, at in enumerate(write.runs()):
            destination[at : at + write.run_bytes] = moved[number * write.run_bytes :][: write.run_bytes]
        runs_read, runs_written = runs_read + read.run_count, runs_written + write.run_count
    return runs_read, runs_written


class SlabsOfArrays(Case):
    def test_what_they_say(self):
        chosen = slabs("f32[64,512]", TILED, 65536)
        self.equal(
            ((len(chosen), chosen.count, chosen.extent), (4, 4, (16, 512))),
            ((chosen.src_bytes, chosen.dst_bytes, chosen.src_runs, chosen.dst_runs), (32768, 32768, 4, 4)),
            (list(chosen), [Slab((row, 0), (16, 512)) for row in range(0, 64, 16)]),
            (list(chosen), [chosen[number] for number in range(4)]),
            ((chosen[-1], chosen[-4]), (chosen[3], chosen[0])),
            ((chosen.src, chosen.dst, chosen.max_bytes), (Shape("f32[64,512]"), TILED, 65536)),
            (repr(chosen), "Slabs('f32[64,512]{1,0}', 'f32[64,512]{1,0:T(8,128)}', 65536)"),
            (list(slabs("f32[0,10]", "f32[0,10]{0,1}", 0)), [Slab((0, 0), (0, 10))]),
            (list(slabs("f32[]", "f32[]", 8)), [Slab((), ())]),
            (list(slabs("u8[5,3]", "f32[5,3]{0,1}", 25)), [Slab((0, at), (5, 1)) for at in range(3)]),
        )
        for other in (copy.copy(chosen), pickle.loads(pickle.dumps(chosen))):
            self.assertEqual((type(other), other.extent, list(other)), (Slabs, chosen.extent, list(chosen)))

    def test_in_the_order_of_the_destination(self):
        chosen = slabs("u8[40,40]{1,0}", "u8[40,40]{0,1}", 200)
        offsets = [chosen.dst.window(*slab).byte_offset for slab in chosen]
        self.assertEqual(offsets, sorted(offsets))
        self.assertGreater(len({slab.base[1] for slab in chosen}), 1)

    def test_against_the_whole_relayout(self):
        chance, several, refused = random.Random(3), 0, 0
        for _ in range(150):
            src = random_array(chance)
            dst = random_array(chance, src.dimensions, str(src.element_type))
            source = chance.randbytes(src.padded_nbytes)
            most = chance.randint(0, src.padded_nbytes + dst.padded_nbytes)
            try:
                chosen = slabs(src, dst, most)
            except xlashape.OutOfRangeError as error:
                self.assertRegex(str(error), f"max_bytes is {most}: the smallest slab takes")
                refused += 1
                continue
            self.assertLessEqual(chosen.src_bytes + chosen.dst_bytes, most)
            several += len(chosen) > 1
            destination = bytearray(dst.padded_nbytes)
            read, written = move(chosen, source, destination)
            self.assertTrue(read <= chosen.src_runs and written <= chosen.dst_runs, chosen)
            self.assertEqual(bytes(destination), relayout(source, dst, of=src).tobytes(), chosen)
        self.assertGreater(several, 40)
        self.assertGreater(refused, 0)

    def test_errors(self):
        chosen = slabs("f32[64,512]", TILED, 65536)
        self.refused(
            (xlashape.OutOfRangeError, "smallest slab takes 4096 bytes", lambda: slabs("f32[64,512]", TILED, 8191)),
            (xlashape.InvalidArgumentError, "other dimensions", lambda: slabs("f32[64,511]", TILED, 8192)),
            (xlashape.InvalidArgumentError, "max_bytes is -1", lambda: slabs("f32[64,512]", TILED, -1)),
            (xlashape.UnsupportedError, "", lambda: slabs("(f32[2])", TILED, 100)),
            (xlashape.UnsupportedError, "", lambda: slabs("f32[?]", "f32[?]", 100)),
            (TypeError, "max_bytes must be an integer", lambda: slabs("f32[2]", "f32[2]", 1e6)),
            (TypeError, "a shape or its text", lambda: slabs(2, "f32[2]", 100)),
            (xlashape.ParseError, "", lambda: slabs("f32[2", "f32[2]", 100)),
            (IndexError, "slab 4 of 4", lambda: chosen[4]),
            (IndexError, "slab -5 of 4", lambda: chosen[-5]),
            (TypeError, "", lambda: chosen[0.5]),
        )

    def test_documentation(self):
        for name in ("window", "slabs"):
            module = importlib.import_module(f"xlashape.{name}")
            tried = doctest.testmod(module, extraglobs={"Shape": Shape, "slabs": slabs})
            self.assertEqual((tried.failed, tried.attempted > 0), (0, True), name)


if __name__ == "__main__":
    unittest.main()
