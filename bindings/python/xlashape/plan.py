# SPDX-License-Identifier: Apache-2.0
"""Plans: made once, executed as often as wanted."""

from __future__ import annotations

from ctypes import addressof, c_char, c_int64, c_uint64, c_void_p, sizeof
from functools import lru_cache, partial
from typing import Any, Dict, FrozenSet, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _raw as raw
from ._arrays import memory_of
from ._call import (
    Closable,
    PlanHandle,
    c_array,
    call,
    device_number,
    int32,
    int64,
    make,
    name_for_c,
    nanoseconds,
    number,
    pack,
    text,
    uint64,
)
from ._memory import Memory, format_element_type, image_wanted, is_plain_ndarray
from ._values import Scale, ZeroPoint, kept_scale, kept_zero_point, only_moves, put_values, types_wanted
from ._watch import Progress, watched
from .element_type import ElementType
from .enums import FillPolicy, MemorySpace, QueueKind
from .errors import InvalidArgumentError, OutOfRangeError, UnsupportedError, XlashapeError
from .runtime import Runtime, handle_of, without_runtime
from .shape import Shape, _destination, _shape

UNCHECKED = raw.UNCHECKED  # of execute_at: how many bytes there are is not known, and so not checked

_pin = c_char.from_buffer


class Requirements(NamedTuple):
    """What a plan requires of memory. Alignments are in bytes; the bytes touched are [pointer + low, pointer + high).
    Addresses that are multiples of the preferred alignments are fastest. stack_bytes: what an execution takes of a
    thread's stack at most."""

    src_alignment: int
    dst_alignment: int
    src_low: int
    src_high: int
    dst_low: int
    dst_high: int
    scratch_bytes: int
    plan_bytes: int
    scratch_alignment: int
    src_preferred_alignment: int
    dst_preferred_alignment: int
    stack_bytes: int


_LISTS = (
    *("src_byte_strides", "dst_byte_strides", "src_element_strides", "dst_element_strides"),
    *("src_base", "dst_base", "extent"),
)


def plan_options(
    dimensions: Sequence[int],
    fill: FillPolicy = FillPolicy.PADDING,
    backend: Optional[str] = None,
    device: Optional[int] = None,
    allow_fallback: bool = False,
    keep_in_cache: bool = False,
    in_place: bool = False,
    src_space: MemorySpace = MemorySpace.DEFAULT,
    dst_space: MemorySpace = MemorySpace.DEFAULT,
    src_byte_strides: Optional[Iterable[int]] = None,
    dst_byte_strides: Optional[Iterable[int]] = None,
    src_element_strides: Optional[Iterable[int]] = None,
    dst_element_strides: Optional[Iterable[int]] = None,
    src_first_element: int = 0,
    dst_first_element: int = 0,
    src_base: Optional[Iterable[int]] = None,
    dst_base: Optional[Iterable[int]] = None,
    extent: Optional[Iterable[int]] = None,
    convert: bool = False,
    saturate: bool = False,
    scale: Optional[Scale] = None,
    zero_point: Optional[ZeroPoint] = None,
    scale_dimension: Optional[int] = None,
    src_high_first: bool = False,
    dst_high_first: bool = False,
) -> raw.relayout_options:
    """What may be said of a relayout from an array of these dimensions besides the shapes, as C takes it."""
    options = raw.relayout_options(sizeof(raw.relayout_options))
    options.flags = raw.PLAN_ALLOW_FALLBACK if allow_fallback else 0
    options.flags |= raw.PLAN_KEEP_IN_CACHE if keep_in_cache else 0
    options.flags |= raw.PLAN_IN_PLACE if in_place else 0
    options.fill_policy, options.device = int32(fill, "fill"), device_number(device)
    options.src_space, options.dst_space = int32(src_space, "src_space"), int32(dst_space, "dst_space")
    if backend is not None:
        options.backend = name_for_c(backend, "backend")
    strides = (src_byte_strides, dst_byte_strides, src_element_strides, dst_element_strides)
    for name, values in zip(_LISTS, (*strides, src_base, dst_base, extent)):
        if values is None:
            continue
        packed = pack(values, name)
        if len(packed) != 8 * len(dimensions):  # C cannot see how long they are
            raise InvalidArgumentError(f"{name} has {len(packed) // 8} values, it takes {len(dimensions)}")
        setattr(options, name, c_array(packed))
    options.src_first_element = int64(src_first_element, "src_first_element")
    options.dst_first_element = int64(dst_first_element, "dst_first_element")
    scaled = scale is not None or zero_point is not None or scale_dimension is not None
    if scaled or convert or saturate or src_high_first or dst_high_first:
        scales = (scale, zero_point, scale_dimension)
        put_values(options, dimensions, convert, saturate, *scales, src_high_first, dst_high_first)
    return options


class Plan(Closable[PlanHandle]):
    """A planned relayout: both sides have the same dimensions, the same element type unless the plan converts, and any
    layouts. Several threads may use it at the same time with different destinations; executing releases the GIL. A copy
    shares the plan and is closed separately. Unless it was made with a runtime it can be pickled; unpickling plans, and
    measures, again."""

    _noun = "plan"

    def __init__(
        self,
        src: Union[str, Shape],
        dst: Union[str, Shape],
        *,
        fill: FillPolicy = FillPolicy.PADDING,
        runtime: Optional[Runtime] = None,
        backend: Optional[str] = None,
        device: Optional[int] = None,
        allow_fallback: bool = False,
        keep_in_cache: bool = False,
        in_place: bool = False,
        src_space: MemorySpace = MemorySpace.DEFAULT,
        dst_space: MemorySpace = MemorySpace.DEFAULT,
        src_byte_strides: Optional[Iterable[int]] = None,
        dst_byte_strides: Optional[Iterable[int]] = None,
        src_element_strides: Optional[Iterable[int]] = None,
        dst_element_strides: Optional[Iterable[int]] = None,
        src_first_element: int = 0,
        dst_first_element: int = 0,
        src_base: Optional[Iterable[int]] = None,
        dst_base: Optional[Iterable[int]] = None,
        extent: Optional[Iterable[int]] = None,
        convert: bool = False,
        saturate: bool = False,
        scale: Optional[Scale] = None,
        zero_point: Optional[ZeroPoint] = None,
        scale_dimension: Optional[int] = None,
        src_high_first: bool = False,
        dst_high_first: bool = False,
        measure: float = 0,
    ) -> None:
        """src, dst: shapes, or texts of them as of Shape.read; dst may also be words for a layout of src, as of
        Shape.with_layout. backend: by name; allow_fallback: another may be used instead. device: the number of one of
        the backend's devices, from 0; None: the one that is current in the calling thread, or the first. Byte strides
        replace the layout of that side; they count from the element at index 0...0. Element strides replace
        it, too, where each element is as wide as the layout has it, also packed: elements are numbered from the start
        of the memory on, and index 0...0 is first_element. A reversed "s4[7]{0:E(4)}" has src_element_strides=[-1],
        src_first_element=6. in_place: source and destination are one array, and little memory is taken beside it
        (requirements.scratch_bytes); an UnsupportedError, with the reason, where that cannot be. A box: `extent`
        elements from src_base of the source to dst_base of the destination; nothing outside the box is written, and the
        dimensions may differ.
        convert: values are converted to the destination's element type, as XLA's convert and ml_dtypes do: floats are
        rounded to the nearest, of two equally near ones to even; what is beyond the largest becomes infinity, or NaN
        where the type has none; a float becomes an integer by cutting off its fraction, beyond the range its nearest
        end, and NaN 0; integers keep their low bits. saturate: integers beyond the new range become its nearest end,
        and floats, infinity too, the largest finite number. An UnsupportedError for complex types.
        scale, zero_point: with convert, integers of one side, or the narrower floats, stand for the reals of the other:
        real = (quantized - zero_point) * scale, and back quantized = round(real / scale) + zero_point, which saturates.
        One number for the whole array, or one for each index of the source's dimension scale_dimension, which may count
        from the end. Scales are finite, and not 0 where reals are divided by them; zero points are 0 where nothing is
        said, and between floats.
        src_high_first, dst_high_first: the elements of that side, less than a byte wide, start in the highest bits of
        each byte, as those of numpy.packbits do; XLA starts in the lowest.
        measure: seconds, about as long as this call then takes: the backend's ways to run the plan are timed on CPU
        memory of the library, and the fastest is kept, also for later plans like it (see Runtime.wisdom). 0: nothing is
        measured. An UnsupportedError for other memory. What the runtime's executor raises meanwhile is raised here."""
        source = self._src = _shape(src)
        destination = self._dst = _destination(source, dst)
        strides = (src_byte_strides, dst_byte_strides, src_element_strides, dst_element_strides)
        kept = (None if it is None else tuple(it) for it in (*strides, src_base, dst_base, extent))
        types_wanted(source, destination, convert)
        self._options: Dict[str, Any] = {
            "fill": fill,
            "backend": backend,
            "device": device,
            "allow_fallback": bool(allow_fallback),
            "keep_in_cache": bool(keep_in_cache),
            "in_place": bool(in_place),
            "src_space": src_space,
            "dst_space": dst_space,
            **dict(zip(_LISTS, kept)),
            "src_first_element": src_first_element,
            "dst_first_element": dst_first_element,
            "convert": bool(convert),
            "saturate": bool(saturate),
            "scale": kept_scale(scale),
            "zero_point": kept_zero_point(zero_point),
            "scale_dimension": scale_dimension,
            "src_high_first": bool(src_high_first),
            "dst_high_first": bool(dst_high_first),
        }
        options = plan_options(source.dimensions, **self._options)
        self._options["measure"] = measure
        self._of_a_runtime = runtime is not None
        arguments = (handle_of(runtime), source._handle, destination._handle, options)
        how = raw.measure_options(sizeof(raw.measure_options), 0, nanoseconds(measure, "measure"))
        if how.budget_ns == 0:
            self._handle = make(PlanHandle, raw.plan_create, *arguments)
        else:
            self._handle = make(PlanHandle, raw.plan_create_measured, *arguments, how)
        # The images' sizes; None for a side that is given by strides.
        src_by_layout, dst_by_layout = (a is None and b is None for a, b in zip(strides[:2], strides[2:]))
        self._src_bytes = source.sizes.bytes if src_by_layout else None
        self._dst_bytes = destination.sizes.bytes if dst_by_layout else None
        self._same = src_by_layout and dst_by_layout and source == destination and only_moves(options)
        self._in_place = bool(in_place)
        self._on_cpu = all(space in (0, 1) for space in (src_space, dst_space))
        # How the last arrays lay that `_execute` took, and what it told C of them.
        self._seen: Any = None
        self._src_formats, self._dst_formats = (
            _formats(side.element_type) if self._on_cpu else frozenset() for side in (source, destination)
        )

    @staticmethod
    def key(src: Union[str, Shape], dst: Union[str, Shape], **options: Any) -> str:
        """A text that is equal only for equal shapes and options: the key of a cache of plans. The
        options are those of a plan, except `runtime` and `measure`. No plan is made, and one need not exist. The text
        is the same in every process and on every machine, for one release of the library."""
        source = _shape(src)
        destination = _destination(source, dst)
        return text(raw.plan_key, source._handle, destination._handle, plan_options(source.dimensions, **options))

    def __reduce__(self) -> Tuple[Any, ...]:
        self._open()
        without_runtime(self._of_a_runtime, self._noun)
        return partial(type(self), **self._options), (self._src, self._dst)

    @property
    def src(self) -> Shape:
        """The shape of the source."""
        return self._src

    @property
    def dst(self) -> Shape:
        """The shape of the destination."""
        return self._dst

    @property
    def src_nbytes(self) -> Optional[int]:
        """Bytes that execute requires of src; None if it has strides (see requirements)."""
        return self._src_bytes

    @property
    def dst_nbytes(self) -> Optional[int]:
        """Bytes that execute requires of dst; None if it has strides (see requirements)."""
        return self._dst_bytes

    def execute(self, src: Any, dst: Any = None, *, progress: Optional[Progress] = None) -> None:
        """Moves the bytes of `src` to `dst`: anything with the buffer protocol, __array_interface__ or __dlpack__,
        whose dtype is the element type, or bytes, or the unsigned integer of that width. A side that is given by its
        layout must be contiguous and have exactly the shape's padded_nbytes; one given by strides must reach as far as
        the plan does. They must not overlap, except that a plan that moves nothing may run in place. A plan made with
        in_place takes one array, execute(a), or the same one twice; an execution that fails leaves it undefined.
        progress(done, count): called after each task, of about 1 MiB or less, on the thread that ran it, possibly on
        several at once. If it returns False the execution ends with a CancelledError; if it raises, the exception is
        raised here. With progress, Ctrl-C ends the execution after the current task, not after the last one. The
        destination is then unspecified."""
        handle = self._open()
        if progress is not None:
            return self._execute_watched(handle, src, dst, progress)
        if self._seen is not None and self._execute_again(handle, src, dst):
            return
        try:
            # The fast path: contiguous buffers of exactly the right size. from_buffer pins them, and refuses others.
            view = memoryview(dst)
            if view.nbytes != self._dst_bytes or view.format not in self._dst_formats:
                return self._execute(handle, src, dst)
            pin = _pin(view)
            to = addressof(pin)
            if type(src) is bytes:
                if len(src) != self._src_bytes:
                    return self._execute(handle, src, dst)
                source: Any = src
            else:
                view = memoryview(src)
                if view.nbytes != self._src_bytes or view.format not in self._src_formats:
                    return self._execute(handle, src, dst)
                src_pin = _pin(view)
                source = addressof(src_pin)
                if -self._src_bytes < source - to < self._dst_bytes:  # they overlap
                    return self._execute(handle, src, dst)
        except (TypeError, ValueError, BufferError):
            return self._execute(handle, src, dst)
        return call(raw.plan_execute, handle, source, self._src_bytes, to, self._dst_bytes)

    def _execute(self, handle: PlanHandle, src: Any, dst: Any) -> None:
        """The same for all other arguments, with errors that say what is wrong."""
        source, target = self._sides(handle, src, dst)
        self._run(source, target)
        if is_plain_ndarray(src) and is_plain_ndarray(dst):
            form = (src.dtype, src.shape, src.strides, dst.dtype, dst.shape, dst.strides)
            self._seen = (type(src), form, source.low, source.high, source.size, target.low, target.high, target.size)

    def _execute_again(self, handle: PlanHandle, src: Any, dst: Any) -> bool:
        """Whether these were arrays of NumPy like the last ones, which need no closer look."""
        ndarray, form, src_low, src_high, src_size, dst_low, dst_high, dst_size = self._seen
        if type(src) is not ndarray or type(dst) is not ndarray:
            return False
        if form != (src.dtype, src.shape, src.strides, dst.dtype, dst.shape, dst.strides):
            return False
        source, _ = src.__array_interface__["data"]
        target, readonly = dst.__array_interface__["data"]
        if readonly or (source + src_low < target + dst_high and target + dst_low < source + src_high):
            return False
        call(raw.plan_execute, handle, source or None, src_size, target or None, dst_size)
        return True

    def _execute_watched(self, handle: PlanHandle, src: Any, dst: Any, progress: Progress) -> None:
        source, target = self._sides(handle, src, dst)
        self._execute_with(handle, source.address, target.address, (source.size, target.size), progress=progress)

    def _run(self, source: Memory, target: Memory) -> None:
        """Executes with memory whose size and dtype are already checked."""
        handle = self._open()
        self._apart(source, target)
        call(raw.plan_execute, handle, source.address or None, source.size, target.address or None, target.size)

    def _sides(self, handle: PlanHandle, src: Any, dst: Any) -> Tuple[Memory, Memory]:
        """Checks and returns the memory that an execution works on."""
        if dst is None and self._in_place:
            both = self._side(handle, src, "array", self._src_bytes, True)
            return both, both
        source = self._side(handle, src, "src", self._src_bytes, False)
        target = self._side(handle, dst, "dst", self._dst_bytes, True)
        self._apart(source, target)
        return source, target

    def _side(self, handle: PlanHandle, value: Any, what: str, nbytes: Optional[int], writable: bool) -> Memory:
        if not self._on_cpu:
            raise InvalidArgumentError("the plan works on device memory: use execute_at")
        memory = memory_of(value)
        if memory is None:
            raise TypeError(f"{what} must be an array, or bytes, not {type(value).__name__}")
        if nbytes is not None:
            shape = self._dst if writable and not self._in_place else self._src
            image_wanted(memory, shape, what, writable)
            return memory
        if writable and memory.readonly:
            raise InvalidArgumentError(f"{what} is read-only")
        needs = _requirements(handle)
        low, high = (needs.dst_low, needs.dst_high) if writable else (needs.src_low, needs.src_high)
        if low < memory.low or high > memory.high:
            by_elements = self._options["dst_element_strides" if writable else "src_element_strides"] is not None
            around = "from element 0 on" if by_elements else "around index 0...0"
            raise OutOfRangeError(
                f"{what} has the bytes [{memory.low}, {memory.high}) {around}, the plan needs [{low}, {high})"
            )
        return memory

    def _apart(self, a: Memory, b: Memory) -> None:
        if a.address + a.low < b.address + b.high and b.address + b.low < a.address + a.high:
            if not ((self._same or self._in_place) and a.address == b.address):
                raise InvalidArgumentError("src and dst overlap")

    def execute_task(self, src: Any, dst: Any, begin: int, end: int, count: int) -> None:
        """Runs tasks [begin, end) of `count` on the calling thread, for programs with a scheduler. Tasks write disjoint
        bytes."""
        handle = self._open()
        source, target = self._sides(handle, src, dst)
        tasks = (begin, end, count)
        self._execute_with(handle, source.address, target.address, (source.size, target.size), tasks=tasks)

    def execute_at(
        self,
        src: int,
        dst: int,
        *,
        src_bytes: int,
        dst_bytes: int,
        src_byte_offset: int = 0,
        dst_byte_offset: int = 0,
        queue_kind: QueueKind = QueueKind.NONE,
        queue: int = 0,
    ) -> None:
        """For memory that Python cannot access: addresses, or a cl_mem's number, which are not checked. src_bytes and
        dst_bytes: how many may be touched from there on, or UNCHECKED. With a queue the call only enqueues, and the
        memory must outlast the work."""
        sizes = (src_bytes, dst_bytes, src_byte_offset, dst_byte_offset)
        self._execute_with(self._open(), src, dst, sizes, queue=(queue_kind, queue))

    def _execute_with(
        self,
        handle: PlanHandle,
        src: int,
        dst: int,
        sizes: Tuple[int, ...],
        tasks: Tuple[int, int, int] = (0, 0, 0),
        queue: Tuple[int, int] = (0, 0),
        progress: Optional[Progress] = None,
    ) -> None:
        options = raw.execute_options(sizeof(raw.execute_options))
        options.queue = raw.queue(int32(queue[0], "queue_kind"), 0, uint64(queue[1], "queue"))
        options.src, options.dst = uint64(src, "src"), uint64(dst, "dst")
        for name, value in zip(("src_bytes", "dst_bytes", "src_byte_offset", "dst_byte_offset"), sizes):
            setattr(options, name, int64(value, name))
        for name, value in zip(("task_begin", "task_end", "task_count"), tasks):
            setattr(options, name, int64(value, name))
        watched(options, progress, raw.plan_execute_with, handle, options)

    def task_count(self, workers: int) -> int:
        """The recommended number of tasks for that many workers: at least 1."""
        return int(raw.plan_task_count(self._open(), int64(workers, "workers")))

    @property
    def requirements(self) -> Requirements:
        """Alignments, and the bytes that the plan touches of each side: relative to index 0...0, or to element 0 where
        the side has element strides."""
        return _requirements(self._open())

    @property
    def backend(self) -> str:
        """Name of the backend that runs it."""
        return str(raw.plan_backend(self._open()).decode())

    def describe(self) -> str:
        """One line with backend, kernel and loops. For people; not stable."""
        return text(raw.plan_describe, self._open())

    def predict(self) -> Optional[float]:
        """The seconds of one execution on the runtime's workers, for arrays that were moved before: predicted from the
        runtime's profile (see Runtime.calibrate), so nothing is measured, and the same plan always has the same answer.
        None without a profile that has speeds, and for plans that their backend does not predict; with the backend simd
        the text of `describe` has the reason."""
        try:
            return number(raw.plan_predict, self._open()) / 1e9
        except UnsupportedError:
            return None

    def __repr__(self) -> str:
        return "<xlashape.Plan closed>" if self._handle is None else f"<xlashape.Plan {self.describe()}>"


@lru_cache(maxsize=None)
def _formats(element_type: ElementType) -> FrozenSet[str]:
    """Formats of a buffer that need no closer look: bytes, and the type itself."""
    own = [letter for letter in "?bhilqBHILQefd" if format_element_type(letter) == element_type]
    return frozenset(["B", "b", "c", *own])


def _requirements(handle: PlanHandle) -> Requirements:
    out = raw.plan_requirements(sizeof(raw.plan_requirements))
    call(raw.plan_get_requirements, handle, out)
    return Requirements(*(getattr(out, name) for name in Requirements._fields))


def execute_list(executions: Iterable[Tuple[Plan, Any, Any]], *, progress: Optional[Progress] = None) -> None:
    """Each (plan, src, dst): what plan.execute(src, dst) does, with its checks, all in one call. The tasks of all of
    them are spread over the threads, or the executor, of the first plan's runtime together. Destinations must not
    overlap each other, nor another one's source, which is not checked. An error's `index` tells which one failed; the
    others may have run or not. progress: as of Plan.execute, with the tasks of all."""
    handles: List[PlanHandle] = []  # these lists keep what C works on
    sources: List[Memory] = []
    targets: List[Memory] = []
    for number, (plan, src, dst) in enumerate(executions):
        if not isinstance(plan, Plan):
            raise TypeError(f"execution {number}: a Plan is wanted, not {type(plan).__name__}")
        try:
            handle = plan._open()
            source, target = plan._sides(handle, src, dst)
        except XlashapeError as error:
            error.index = number
            raise
        handles.append(handle)
        sources.append(source)
        targets.append(target)
    count = len(handles)
    plans = (c_void_p * count)(*(handle.value for handle in handles))
    arrays: List[Any] = []
    for side in (sources, targets):
        arrays.append((c_uint64 * count)(*(memory.address for memory in side)))
        arrays.append((c_int64 * count)(*(memory.size for memory in side)))
    options = raw.execute_options(sizeof(raw.execute_options))
    watched(options, progress, raw.plan_execute_list, count, plans, *arrays, options)
