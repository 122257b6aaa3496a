"""DLPack without any other package: arrays to capsules and back, and capsules that nobody takes."""

import ctypes
import gc
import sys
import threading
import unittest

import xlashape
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


class DLPack(unittest.TestCase):
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
        with self.assertRaises(BufferError):
            array.__dlpack__()
        with self.assertRaises(xlashape.InvalidArgumentError):
            relayout(DATA, "{1,0}", of="u8[3,4]", out=Producer(array))
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
        wrong = []

        def work():
            for number in range(200):
                data = bytes([number % 256]) * 64
                if relayout(Producer(Array(bytearray(data), "u8[64]")), "{0}").tobytes() != data:
                    wrong.append(number)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

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

    def test_taken_once(self):
        capsule = Array(bytearray(DATA), "u8[3,4]").__dlpack__()
        producer = type("Twice", (), {"__dlpack__": lambda self: capsule})()
        relayout(producer, "{1,0}")
        with self.assertRaises(TypeError):
            relayout(producer, "{1,0}")

    def test_refused(self):
        tiled = relayout(DATA, "{0,1:T(2,2)}", of="u8[3,4]")
        with self.assertRaises(BufferError):
            tiled.__dlpack__(max_version=(1, 0))
        array = Array(bytearray(DATA), "u8[3,4]")
        with self.assertRaises(BufferError):
            array.__dlpack__(dl_device=(2, 0))
        with self.assertRaises(xlashape.UnsupportedError):
            relayout(Producer(array, device=(2, 0)), "{1,0}")

    def test_sub_byte(self):
        unpacked = Array(bytearray([1, 2, 3]), "u4[3]")
        self.assertEqual(str(relayout(Producer(unpacked), "{0}").shape), "u4[3]{0}")
        packed = Array(bytearray([0x21, 0x03]), "u4[3]{0:E(4)}")
        self.assertEqual(relayout(Producer(packed), "{0}").tobytes(), bytes([1, 2, 3]))

    def test_an_exception_at_each_instruction(self):
        """As a signal's handler raises it: what was taken is given back, and no buffer stays exported."""

        def trace(frame, event, argument):
            nonlocal seen
            if frame.f_code.co_filename not in (_arrays.__file__, _dlpack.__file__, _memory.__file__):
                return None
            frame.f_trace_opcodes = True
            if event == "opcode":
                seen += 1
                if seen == place:
                    raise KeyError("mine")
            return trace

        def read(value):
            sys._getframe().f_trace_opcodes = True  # Python 3.12 asks the frame that begins
            sys.settrace(trace)
            try:
                _arrays.memory_of(value)
            except KeyError:
                pass
            finally:
                sys.settrace(None)

        class Tensor(Strided):
            def __dlpack__(self):
                self.capsule = super().__dlpack__()
                return self.capsule

        for make in (lambda: Tensor(bytes(range(12)), (0, 2)), lambda: bytearray(DATA), lambda: memoryview(DATA)):
            place = seen = 0
            while seen == place:
                place, seen, value = place + 1, 0, make()
                # On a thread of its own: what is raised where only a trace can raise leaves the thread's state odd.
                thread = threading.Thread(target=read, args=(value,))
                thread.start()
                thread.join()
                if isinstance(value, Tensor):
                    taken = hasattr(value, "capsule") and not _dlpack._capsule_valid(value.capsule, b"dltensor")
                    self.assertEqual(value.deleted, taken, f"instruction {place}")
                elif isinstance(value, bytearray):
                    value.append(0)
                else:
                    value.release()
            self.assertGreater(place, 10)

    def test_any_strides(self):
        strided = Strided(bytes(range(12)), (0, 2))
        self.assertEqual(relayout(strided, "{1,0}").tobytes(), bytes([0, 2, 4] * 3))
        gc.collect()
        self.assertEqual(strided.deleted, 1)
        with self.assertRaises(xlashape.XlashapeError):
            relayout(Strided(bytes(12), (1,), code=99), "{0}")
