# SPDX-License-Identifier: Apache-2.0
"""DLPack without any other package: arrays to capsules and back, and capsules that nobody takes."""

import ctypes
import gc
import threading
import unittest

import xlashape
from cases import Case, at_each_instruction, in_threads
from xlashape import Array, Plan, _arrays, _dlpack, _memory, relayout

DATA = b"abcdefghijkl"


class Producer:
    """An array by __dlpack__ alone; `versions`: whether it knows of max_version."""

    def __init__(self, array, versions=True, device=(1, 0)):
        self.array, self.versions, self.device = array, versions, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if options and not self.versions:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**options)


class Holder:
    """Gives the capsule that it holds, once."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **_):
        capsule, self.capsule = self.capsule, None
        return capsule


class Buffer(ctypes.c_char * 12):
    """With the buffer protocol besides, writable."""

    def __dlpack__(self):
        return Array((ctypes.c_char * 12).from_buffer(self), "u8[3,4]").__dlpack__()


class Frozen(bytes):
    """With the buffer protocol besides, read-only, as JAX's arrays are."""

    def __dlpack__(self):
        return Array(bytearray(self), "u8[3,4]").__dlpack__()


class Strided:
    """A tensor with strides that no layout can say."""

    def __init__(self, data, element_strides, code=1, bits=8):
        self.data = (ctypes.c_char * len(data)).from_buffer_copy(data)
        self.shape = (ctypes.c_int64 * len(element_strides))(*[3] * len(element_strides))
        self.strides = (ctypes.c_int64 * len(element_strides))(*element_strides)
        self.deleted = 0

        def delete(_):
            self.deleted += 1

        self.managed = _dlpack.DLManagedTensor()
        self.managed.deleter = _dlpack.Deleter(delete)
        tensor = self.managed.tensor
        tensor.data = ctypes.addressof(self.data)
        tensor.device_type, tensor.ndim, tensor.code, tensor.bits, tensor.lanes = 1, len(element_strides), code, bits, 1
        tensor.shape, tensor.strides = self.shape, self.strides

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self):
        return _dlpack._capsule_new(ctypes.addressof(self.managed), b"dltensor", None)


class DLPack(Case):
    def setUp(self):
        gc.collect()
        self.before = len(_dlpack._given)

    def tearDown(self):
        gc.collect()
        _dlpack.sweep()
        self.assertEqual(len(_dlpack._given), self.before, "tensors that were not deleted")

    def test_both_kinds(self):
        for versions in (True, False):
            array = relayout(bytearray(DATA), "{0,1}", of="u8[3,4]")
            out = relayout(Producer(array, versions), "{1,0}")
            self.assertEqual(out.tobytes(), DATA)
            self.assertEqual(str(out.shape), "u8[3,4]{1,0}")

    def test_in_place(self):
        memory = bytearray(DATA)
        seen = relayout(Producer(Array(memory, "u8[3,4]")), "{1,0}")
        memory[0] = 0x7A
        self.assertEqual(seen.tobytes()[:1], b"z")
        del seen

    def test_out(self):
        memory = bytearray(12)
        relayout(DATA, "{0,1}", of="u8[3,4]", out=Producer(Array(memory, "u8[3,4]")))
        self.assertEqual(memory, b"aeibfjcgkdhl")

    def test_read_only(self):
        array = Array(DATA, "u8[3,4]")
        self.refused(
            (BufferError, "read-only", array.__dlpack__),
            (
                xlashape.InvalidArgumentError, "out is read-only",
                lambda: relayout(DATA, "{1,0}", of="u8[3,4]", out=Producer(array)),
            ),
        )  # fmt: skip
        self.assertEqual(relayout(Producer(array), "{0,1}").tobytes(), b"aeibfjcgkdhl")

    def test_never_taken(self):
        """What nobody took goes when something is given, or an Array is made, the next time."""
        memory = bytearray(DATA)
        for version in (None, (1, 0)):
            array = Array(memory, "u8[3,4]")
            for _ in range(5):
                capsule = array.__dlpack__(max_version=version)
                self.assertEqual(len(_dlpack._given), self.before + 1)
                with self.assertRaises(BufferError):
                    memory.append(0)
                del capsule
            del array
            Array(bytearray(1), "u8[1]")
            self.assertEqual(len(_dlpack._given), self.before)
            memory.append(0)  # nobody holds it
            del memory[-1]

    def test_a_capsule_outlives_its_array(self):
        capsule = Array(bytearray(DATA), "u8[3,4]").__dlpack__()
        Array(bytearray(DATA), "u8[3,4]").__dlpack__()
        self.assertEqual(relayout(Holder(capsule), "{1,0}").tobytes(), DATA)

    def test_a_consumer_that_refuses(self):
        """The capsule is dropped while the consumer's exception is raised: it comes out, and nothing is left behind."""
        array = Array(bytearray(DATA), "u8[3,4]")
        for _ in range(3):
            with self.assertRaisesRegex(TypeError, "has no len"):
                len(array.__dlpack__())
        self.assertLessEqual(len(_dlpack._given), self.before + 1)
        del array
        Array(bytearray(1), "u8[1]")
        self.assertEqual(len(_dlpack._given), self.before)

    def test_a_tensor_that_its_holder_changes(self):
        """It is not done with, whatever its first word is but a time."""
        memory = bytearray(DATA)
        array = Array(memory, f"u8[{len(DATA)}]")
        capsule = array.__dlpack__()
        managed = _dlpack.DLManagedTensor.from_address(_dlpack._capsule_pointer(capsule, b"dltensor"))
        _dlpack._capsule_rename(capsule, b"used_dltensor")
        del array, capsule
        for address in (1, 4096, 0x25ACB8A0, 1 << 39, 1 << 40, 1 << 47):
            managed.tensor.data = address
            for _ in range(3):
                _dlpack.sweep()
            self.assertEqual(len(_dlpack._given), self.before + 1)
        managed.deleter(ctypes.addressof(managed))
        _dlpack.sweep()
        self.assertEqual(len(_dlpack._given), self.before)

    def test_many_live_tensors(self):
        """A call looks at a few of them, and all have their turn."""
        looked = []

        class Given(_dlpack._Given):
            def done_with(self):
                looked.append(self)
                return super().done_with()

        self.addCleanup(setattr, _dlpack, "_Given", _dlpack._Given)
        _dlpack._Given = Given
        tensors = []
        for _ in range(200):
            capsule = Array(bytearray(DATA), f"u8[{len(DATA)}]").__dlpack__()
            tensors.append(_dlpack.DLManagedTensor.from_address(_dlpack._capsule_pointer(capsule, b"dltensor")))
            _dlpack._capsule_rename(capsule, b"used_dltensor")
        self.assertEqual(len(_dlpack._given), self.before + 200)
        for _ in range(30):  # through the end of a turn
            looked.clear()
            _dlpack.sweep()
            self.assertEqual(len(looked), _dlpack._AT_A_TIME)
        del capsule
        for managed in tensors:
            managed.deleter(ctypes.addressof(managed))
        for _ in range(2 * 200 // _dlpack._AT_A_TIME + 2):
            _dlpack.sweep()
        self.assertEqual(len(_dlpack._given), self.before)

    def test_taken_until_deleted(self):
        """By consumers that know nothing of Python: on any thread, without the GIL."""
        memory = bytearray(DATA)
        for version, kind in ((None, _dlpack.DLManagedTensor), ((1, 0), _dlpack.DLManagedTensorVersioned)):
            for data in (memory, bytearray()):
                array = Array(data, f"u8[{len(data)}]")
                capsule = array.__dlpack__(max_version=version)
                name = b"dltensor_versioned" if version else b"dltensor"
                managed = kind.from_address(_dlpack._capsule_pointer(capsule, name))
                used = b"used_" + name
                _dlpack._capsule_rename(capsule, used)
                del array, capsule
                for _ in range(3):
                    relayout(bytes(12), "{0,1}", of="u8[3,4]")
                    self.assertEqual(len(_dlpack._given), self.before + 1)
                if data:
                    with self.assertRaises(BufferError):
                        memory.append(0)
                thread = threading.Thread(target=managed.deleter, args=(ctypes.addressof(managed),))
                thread.start()
                thread.join()
                relayout(bytes(12), "{0,1}", of="u8[3,4]")
                self.assertEqual(len(_dlpack._given), self.before)
            memory.append(0)
            del memory[-1]

    def test_many_threads(self):
        def work(_):
            for number in range(200):
                data = bytes([number % 256]) * 64
                self.assertEqual(relayout(Producer(Array(bytearray(data), "u8[64]")), "{0}").tobytes(), data)

        self.assertEqual(in_threads(4, work), [])

    def test_memory_that_may_not_be_written(self):
        """A capsule without a version cannot say so: it is read-only unless the buffer protocol says otherwise."""
        buffer = Buffer(*DATA)
        relayout(DATA.upper(), of="u8[3,4]", out=buffer)
        self.assertEqual(bytes(buffer), DATA.upper())
        Plan("u8[3,4]", "u8[3,4]").execute(DATA, buffer)
        self.assertEqual(bytes(buffer), DATA)
        memory = bytearray(DATA)
        for target in (Producer(Array(memory, "u8[3,4]"), versions=False), Frozen(DATA)):
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, "out is read-only"):
                relayout(bytes(12), of="u8[3,4]", out=target)
            with self.assertRaisesRegex(xlashape.InvalidArgumentError, "dst is read-only"):
                Plan("u8[3,4]", "u8[3,4]").execute(bytes(12), target)
            seen = relayout(target, "{1,0}")
            self.assertEqual((seen.tobytes(), seen.data.readonly), (DATA, True))
            with self.assertRaises(TypeError):
                seen.data[0] = 0
            with self.assertRaisesRegex(BufferError, "copy=True"):
                seen.__dlpack__()
            self.assertEqual(relayout(Holder(seen.__dlpack__(copy=True)), "{0,1}").tobytes(), b"aeibfjcgkdhl")
        self.assertEqual(memory, DATA)

    def test_refused(self):
        capsule, array = Array(bytearray(DATA), "u8[3,4]").__dlpack__(), Array(bytearray(DATA), "u8[3,4]")
        twice = type("Twice", (), {"__dlpack__": lambda self: capsule})()
        relayout(twice, "{1,0}")
        tiled = relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]")
        self.refused(
            (TypeError, "gave no unused capsule", lambda: relayout(twice, "{1,0}")),
            (BufferError, "", lambda: tiled.__dlpack__(max_version=(1, 0))),
            (BufferError, "not on device", lambda: array.__dlpack__(dl_device=(2, 0))),
            (BufferError, "has no streams", lambda: array.__dlpack__(stream=1)),
            (xlashape.UnsupportedError, "on device 2:0", lambda: relayout(Producer(array, device=(2, 0)), "{1,0}")),
            (xlashape.XlashapeError, "", lambda: relayout(Strided(bytes(12), (1,), code=99), "{0}")),
        )

    def test_sub_byte(self):
        unpacked = Array(bytearray([1, 2, 3]), "u4[3]")
        self.assertEqual(str(relayout(Producer(unpacked), "{0}").shape), "u4[3]{0}")
        packed = Array(bytearray([0x21, 0x03]), "u4[3]{0:E(4)}")
        self.assertEqual(relayout(Producer(packed), "{0}").tobytes(), bytes([1, 2, 3]))

    def test_an_exception_at_each_instruction(self):
        """As a signal's handler raises it: what was taken is given back, and no buffer stays exported."""

        class Tensor(Strided):
            capsule = None

            def __dlpack__(self):
                self.capsule = super().__dlpack__()
                return self.capsule

        files = [module.__file__ for module in (_arrays, _dlpack, _memory)]

        def make(kind):
            value = kind()

            def check(place, _):
                if isinstance(value, Tensor):
                    taken = value.capsule is not None and not _dlpack._capsule_valid(value.capsule, b"dltensor")
                    self.assertEqual(value.deleted, taken, f"instruction {place}")
                elif isinstance(value, bytearray):
                    value.append(0)
                else:
                    value.release()

            return lambda: _arrays.memory_of(value), check

        for kind in (
            lambda: Tensor(bytes(range(12)), (0, 2)),
            lambda: bytearray(DATA),
            lambda: memoryview(DATA),
        ):
            count = at_each_instruction(
                lambda code: code.co_filename in files,
                KeyError,
                lambda: make(kind),  # noqa: B023
            )
            self.assertGreater(count, 10)

    def test_any_strides(self):
        strided = Strided(bytes(range(12)), (0, 2))
        self.assertEqual(relayout(strided, "{1,0}").tobytes(), bytes([0, 2, 4] * 3))
        gc.collect()
        self.assertEqual(strided.deleted, 1)


if __name__ == "__main__":
    unittest.main()
