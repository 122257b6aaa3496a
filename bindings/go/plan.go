// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"fmt"
	"strings"
	"time"
	"unsafe"
)

// FillPolicy says what happens to destination positions that hold no element.
type FillPolicy int32

const (
	// members: FILL_(\w+) as Fill{Name} FillPolicy = C.{C}
	FillPadding     FillPolicy = C.XLASHAPE_FILL_PADDING     // they get the destination layout's padding value
	FillPreserve    FillPolicy = C.XLASHAPE_FILL_PRESERVE    // they keep what they had
	FillUnspecified FillPolicy = C.XLASHAPE_FILL_UNSPECIFIED // anything: fastest
	// end of members
)

// PlanOptions are the options of a relayout. The zero value is the default. Slices have one
// number per dimension; nil means not given.
type PlanOptions struct {
	Runtime       *Runtime // nil: the default one
	FillPolicy    FillPolicy
	Backend       string // by name; "": the library chooses
	AllowFallback bool   // another backend may stand in for the one asked for
	KeepInCache   bool   // the result is read at once: keep it in cache where it fits
	InPlace       bool   // source and destination are one slice: see Execute
	SrcSpace      MemorySpace
	DstSpace      MemorySpace
	Device        Device // of the backend
	// A side given by byte strides instead of by its layout. Source strides may be negative or 0; destination strides may
	// be negative but must not overlap. The offset is that of index 0...0 in the slice, in bytes, not negative, and 0
	// where there are no strides: such a slice begins with position 0. ExecuteRaw has separate offsets, in ExecuteOptions.
	SrcByteStrides []int64
	DstByteStrides []int64
	SrcByteOffset  int64
	DstByteOffset  int64
	// The same by strides in elements, each as wide as the layout has it, also packed (E(4)): they are numbered from the
	// start of the slice on, and index 0...0 is at the first element. None that is moved may be before element 0. The
	// reverse of seven elements has the stride -1 and the first element 6.
	SrcElementStrides []int64
	DstElementStrides []int64
	SrcFirstElement   int64
	DstFirstElement   int64
	// A box: Extent elements from SrcBase of the source to DstBase of the destination (nil: 0...0). With it the shapes'
	// dimensions may differ, and nothing outside the box is written.
	SrcBase []int64
	DstBase []int64
	Extent  []int64
	// Values are converted: the destination's element type may be another one. Floats are rounded to the nearest, of two
	// equally near ones to even; beyond the largest one they become infinity, or NaN in a type without infinity. A float
	// becomes an integer by cutting off its fraction, beyond the range its nearest end, NaN 0. Integers keep their low
	// bits; what is not 0 becomes a true pred. ErrUnsupported for complex types, except into themselves.
	Convert bool
	// With Convert: integers beyond the new range become its nearest end, and floats, infinity too, the largest finite
	// number.
	Saturate bool
	// The elements of that side, less than a byte wide, start in the highest bits of each byte, as those of
	// numpy.packbits do; XLA starts in the lowest.
	SrcHighFirst bool
	DstHighFirst bool
	// With Convert: the integers of one side stand for the reals of the other one, or the narrower floats for the wider
	// ones: real = (quantized - ZeroPoint) * Scale, and back quantized = nearest even of (real / Scale) + ZeroPoint, which
	// saturates. One Scale is for the whole array; else each index of the source's ScaleDimension has one. They are
	// finite, and not 0 where reals are divided by them. There are as many ZeroPoints, or nil, which are zeros; between
	// two floats they must be 0.
	Scale          []float32
	ZeroPoint      []int32
	ScaleDimension int
}

// Requirements are what a plan requires of its buffers.
type Requirements struct {
	SrcAlignment int64 // bytes
	DstAlignment int64
	SrcLow       int64 // the bytes touched are [low, high), counted from position 0 (byte strides: index 0...0)
	SrcHigh      int64
	DstLow       int64
	DstHigh      int64
	ScratchBytes int64
	PlanBytes    int64 // what the plan itself takes

	ScratchAlignment int64
	// Addresses that are multiples of these are fastest.
	SrcPreferredAlignment int64
	DstPreferredAlignment int64
	// What an execution takes of a thread's stack at most.
	StackBytes int64
}

// Plan moves arrays from one layout to another, any number of times, on any number of goroutines at once. A
// copy is the same plan.
type Plan struct {
	handle       *handle
	requirements Requirements
	src, dst     side
	backend      string
}

type side struct {
	name   string
	bytes  int64 // of the whole slice; -1: strided, so only what is touched counts
	low    int64 // what is touched, as in Requirements
	high   int64
	offset int64
	types  ElementType
	bits   int64 // per element; -1: byte strides
	space  MemorySpace
}

// NewPlan plans a relayout; nil options are the defaults. ErrUnsupported for unbounded dimensions.
func NewPlan(src, dst Shape, options *PlanOptions) (*Plan, error) {
	return newPlan(src, dst, options, nil)
}

// NewMeasuredPlan is NewPlan, and takes about that long (0: 0.2 s): the backend's ways to run the plan are timed, on
// memory of the library, and the fastest is kept, also for later plans like it: Runtime.Wisdom. ErrUnsupported for
// memory of devices.
func NewMeasuredPlan(src, dst Shape, budget time.Duration, options *PlanOptions) (*Plan, error) {
	return newPlan(src, dst, options, &budget)
}

func newPlan(src, dst Shape, options *PlanOptions, budget *time.Duration) (*Plan, error) {
	if options == nil {
		options = &PlanOptions{}
	}
	c := begin(&src, &dst)
	defer c.end()
	var how *C.xlashape_measure_options
	if budget != nil {
		how = (*C.xlashape_measure_options)(c.room(C.sizeof_xlashape_measure_options))
		*how = C.xlashape_measure_options{struct_size: C.sizeof_xlashape_measure_options, budget_ns: C.int64_t(*budget)}
	}
	runtime := asNumber(unsafe.Pointer(c.runtime(options.Runtime)))
	facts := (*C.xg_plan_facts)(c.room(C.sizeof_xg_plan_facts))
	if err := c.failed(C.xg_plan_create(c.at, runtime, c.options(&src, options), how, facts)); err != nil {
		return nil, err
	}
	need := &facts.need
	p := &Plan{newPlanHandle(c.raw.handle), Requirements{int64(need.src_alignment), int64(need.dst_alignment),
		int64(need.src_low), int64(need.src_high), int64(need.dst_low), int64(need.dst_high), int64(need.scratch_bytes),
		int64(need.plan_bytes), int64(need.scratch_alignment), int64(need.src_preferred_alignment),
		int64(need.dst_preferred_alignment), int64(need.stack_bytes)},
		options.source(&src), options.destination(&dst), C.GoString(facts.backend)}
	p.src.low, p.src.high = int64(need.src_low), int64(need.src_high)
	p.dst.low, p.dst.high = int64(need.dst_low), int64(need.dst_high)
	if options.SrcByteStrides == nil && options.SrcElementStrides == nil {
		p.src.bytes = int64(facts.src.bytes)
	}
	if options.DstByteStrides == nil && options.DstElementStrides == nil {
		p.dst.bytes = int64(facts.dst.bytes)
	}
	return p, nil
}

// source is what is known of that side before there is a plan.
func (o *PlanOptions) source(shape *Shape) side {
	return newSide("source", shape, o.SrcByteStrides, o.SrcByteOffset, o.SrcSpace)
}

func (o *PlanOptions) destination(shape *Shape) side {
	return newSide("destination", shape, o.DstByteStrides, o.DstByteOffset, o.DstSpace)
}

func newSide(name string, shape *Shape, strides []int64, offset int64, space MemorySpace) side {
	s := side{name: name, bytes: -1, offset: offset, types: shape.array().ElementType, bits: -1, space: space}
	if strides == nil {
		s.bits = shape.elementBits()
	}
	return s
}

// options describes them for a relayout from that shape.
func (c *call) options(src *Shape, o *PlanOptions) *C.xlashape_relayout_options {
	raw := (*C.xlashape_relayout_options)(c.room(C.sizeof_xlashape_relayout_options))
	*raw = C.xlashape_relayout_options{struct_size: C.sizeof_xlashape_relayout_options,
		flags: when(o.AllowFallback, C.XLASHAPE_PLAN_ALLOW_FALLBACK) |
			when(o.KeepInCache, C.XLASHAPE_PLAN_KEEP_IN_CACHE) | when(o.InPlace, C.XLASHAPE_PLAN_IN_PLACE) |
			when(o.Convert, C.XLASHAPE_PLAN_CONVERT) | when(o.Saturate, C.XLASHAPE_PLAN_SATURATE) |
			when(o.SrcHighFirst, C.XLASHAPE_PLAN_SRC_HIGH_FIRST) |
			when(o.DstHighFirst, C.XLASHAPE_PLAN_DST_HIGH_FIRST),
		fill_policy: C.xlashape_fill_policy(o.FillPolicy), src_space: C.xlashape_memory_space(o.SrcSpace),
		dst_space: C.xlashape_memory_space(o.DstSpace), device: C.int32_t(o.Device),
		backend: c.backend(o.Backend), scale_count: C.int64_t(len(o.Scale)),
		scale: (*C.float)(copyOf(c, o.Scale)), zero_point: (*C.int32_t)(copyOf(c, o.ZeroPoint)),
		scale_dimension: C.int64_t(o.ScaleDimension), src_first_element: C.int64_t(o.SrcFirstElement),
		dst_first_element: C.int64_t(o.DstFirstElement)}
	if o.ZeroPoint != nil && len(o.ZeroPoint) != len(o.Scale) {
		c.refuse(ErrInvalidArgument, "zero_point has %d values, scale has %d", len(o.ZeroPoint), len(o.Scale))
	}
	for _, list := range [...]struct {
		name    string
		field   **C.int64_t
		numbers []int64
	}{
		{"src_byte_strides", &raw.src_byte_strides, o.SrcByteStrides},
		{"dst_byte_strides", &raw.dst_byte_strides, o.DstByteStrides},
		{"src_element_strides", &raw.src_element_strides, o.SrcElementStrides},
		{"dst_element_strides", &raw.dst_element_strides, o.DstElementStrides},
		{"src_base", &raw.src_base, o.SrcBase}, {"dst_base", &raw.dst_base, o.DstBase},
		{"extent", &raw.extent, o.Extent},
	} {
		if list.numbers != nil && len(list.numbers) != src.rank() {
			c.refuse(ErrInvalidArgument, "%s has %d values, it takes %d", list.name, len(list.numbers), src.rank())
		}
		*list.field = c.list(list.numbers)
	}
	c.offset("Src", o.SrcByteStrides, o.SrcByteOffset)
	c.offset("Dst", o.DstByteStrides, o.DstByteOffset)
	return raw
}

// offset refuses offsets that no slice of that side could satisfy; others are checked when the slices are known.
func (c *call) offset(side string, strides []int64, offset int64) {
	switch {
	case offset < 0:
		c.refuse(ErrInvalidArgument, "%sByteOffset is %d, it must not be negative", side, offset)
	case offset > 0 && strides == nil:
		c.refuse(ErrInvalidArgument,
			"%sByteOffset is %d without %sByteStrides: only a side given by byte strides has an offset",
			side, offset, side)
	}
}

// backend is NULL for no name. Of one with a NUL the library would see the part before it.
func (c *call) backend(name string) *C.char {
	if at := strings.IndexByte(name, 0); at >= 0 {
		c.refuse(ErrInvalidArgument, "byte %d of backend is 0", at)
	}
	if len(name) > 256 {
		c.refuse(ErrInvalidArgument, "backend has %d bytes, it takes 1 to 256", len(name))
	}
	return c.optional(name)
}

// PlanKey is a text that is equal only for equal shapes and options: the key of a cache of plans. The Runtime is not
// part of it. No plan is made, and one need not exist. It is the same in every process and on every machine for one
// release of the library.
func PlanKey(src, dst Shape, options *PlanOptions) (string, error) {
	if options == nil {
		options = &PlanOptions{}
	}
	c := begin(&src, &dst)
	key, err := c.toText(C.xg_plan_key(c.at, c.options(&src, options)))
	if err == nil && (options.SrcByteOffset != 0 ||
		options.DstByteOffset != 0) { // what a plan has here beside the library's
		key = fmt.Sprintf("src_offset=%d dst_offset=%d %s", options.SrcByteOffset, options.DstByteOffset, key)
	}
	return key, err
}

func newPlanHandle(pointer unsafe.Pointer) *handle {
	return newHandle(pointer, func(p unsafe.Pointer) { C.xg_release_plan(asNumber(p)) })
}

// plan keeps the handle of p until the call ends.
func (c *call) plan(p *Plan) *C.xlashape_plan { return (*C.xlashape_plan)(c.keep(given(p).handle)) }

// Close frees the memory. It may be called again, and while others use the plan.
func (p *Plan) Close() error {
	given(p).handle.close()
	return nil
}

// Requirements of the plan.
func (p *Plan) Requirements() Requirements { return given(p).requirements }

// Backend is the name of the backend that runs the plan.
func (p *Plan) Backend() string { return given(p).backend }

// SrcBytes is the size of the source in bytes; -1 if it is given by strides.
func (p *Plan) SrcBytes() int64 { return given(p).src.bytes }

// DstBytes is the size of the destination in bytes; -1 if it is given by strides.
func (p *Plan) DstBytes() int64 { return given(p).dst.bytes }

// Describe returns backend, kernel and loops in one line, for people; it is not stable.
func (p *Plan) Describe() (string, error) {
	c := begin()
	return c.toText(C.xg_plan_describe(c.at, c.plan(p)))
}

// Predict is how long one execution takes on the runtime's workers, for arrays that were moved before: predicted from
// the runtime's profile (Runtime.Calibrate), so nothing is measured, and the same plan always has the same answer.
// ErrUnsupported where there is no prediction: no profile, one without speeds, or a plan whose backend does not
// predict; the message says which.
func (p *Plan) Predict() (time.Duration, error) {
	c := begin()
	ns, err := c.toNumber(C.xg_plan_predict(c.at, c.plan(p)))
	return time.Duration(ns), err // both count nanoseconds
}

// Shapes are the shapes that the plan was made from.
func (p *Plan) Shapes() (src, dst Shape, err error) {
	c := begin()
	defer c.end()
	if err := c.failed(C.xg_plan_shapes(c.at, c.plan(p))); err != nil {
		return Shape{}, Shape{}, err
	}
	return c.shapeAt(0), c.shapeAt(1), nil
}

// TaskCount is the recommended number of independent tasks for that many workers.
func (p *Plan) TaskCount(workers int) (int64, error) {
	c := begin()
	return c.toNumber(C.xg_plan_task_count(c.at, c.plan(p), C.int64_t(workers)))
}

// check checks a slice of this many bytes, of elements of this kind, for this side.
func (s *side) check(size int, c carrier) error {
	if s.space != 0 && s.space != SpaceCPU {
		return fail(ErrUnsupported, "the %s is in memory space %d, no Go slice: use ExecuteRaw", s.name, s.space)
	}
	if err := s.heldBy(c); err != nil {
		return err
	}
	if s.bytes >= 0 && int64(size) != s.bytes {
		return fail(ErrOutOfRange, "the %s has %d bytes, its shape takes %d", s.name, size, s.bytes)
	}
	if s.bytes < 0 && s.low < s.high && (s.low < -s.offset || s.high > int64(size)-s.offset) {
		return fail(ErrOutOfRange, "the %s has %d bytes, its strides reach bytes [%d, %d) from offset %d on", s.name,
			size, s.low, s.high, s.offset)
	}
	return nil
}

// Execute moves the bytes. The slices must have exactly the size of their shapes (for a side given by strides: contain
// all bytes touched) and must not overlap, except that a plan that moves nothing may run in place.
//
// A plan made with InPlace moves within one slice, Execute(a, a), and takes ScratchBytes of working memory. NewPlan
// gives ErrUnsupported, with the reason, where a side has padding, a box or strides, or where tiles have no common
// factors.
func (p *Plan) Execute(src, dst []byte) error {
	bytes := carrierOf[byte]()
	return p.execute(src, dst, bytes, bytes)
}

func (p *Plan) execute(src, dst []byte, from, to carrier) error {
	pointer, err := given(p).handle.enter()
	if err != nil {
		return err
	}
	defer p.handle.leave()
	if err := p.src.check(len(src), from); err != nil {
		return err
	}
	if err := p.dst.check(len(dst), to); err != nil {
		return err
	}
	failure := C.xg_execute(asNumber(pointer), address(src), C.int64_t(len(src)), C.int64_t(p.src.offset), address(dst),
		C.int64_t(len(dst)), C.int64_t(p.dst.offset))
	if failure == nil {
		return nil
	}
	defer C.xg_free_failure(failure)
	return take(failure)
}

// QueueKind is the kind of a Queue.
type QueueKind int32

const (
	// members: QUEUE_(\w+) as Queue{Name} QueueKind = C.{C}
	QueueNone   QueueKind = C.XLASHAPE_QUEUE_NONE
	QueueCUDA   QueueKind = C.XLASHAPE_QUEUE_CUDA   // a CUstream, 0 the legacy default stream
	QueueOpenCL QueueKind = C.XLASHAPE_QUEUE_OPENCL // a cl_command_queue
	// end of members
)

// Queue is a queue of a device. With one a call only enqueues.
type Queue struct {
	Kind   QueueKind
	Handle uint64
}

// Unchecked is in place of the bytes of a buffer: they are not known, and so not checked.
const Unchecked = C.XLASHAPE_UNCHECKED

// ExecuteOptions are one execution on memory that does not belong to Go, or of a part of the tasks.
type ExecuteOptions struct {
	Queue         Queue
	Src           uint64 // an address, or a cl_mem; never that of Go memory
	Dst           uint64
	SrcByteOffset int64
	DstByteOffset int64
	SrcBytes      int64 // from Src on that may be touched, or Unchecked
	DstBytes      int64
	TaskBegin     int64 // run tasks [TaskBegin, TaskEnd) of TaskCount on the calling thread; TaskCount 0: all
	TaskEnd       int64
	TaskCount     int64
}

// ExecuteRaw runs the plan on addresses, which are not checked.
func (p *Plan) ExecuteRaw(o ExecuteOptions) error {
	c := begin()
	return c.toNothing(C.xg_plan_execute_with(c.at, c.plan(p), o.raw(c)))
}

func (o *ExecuteOptions) raw(c *call) *C.xlashape_execute_options {
	options := (*C.xlashape_execute_options)(c.room(C.sizeof_xlashape_execute_options))
	*options = C.xlashape_execute_options{struct_size: C.sizeof_xlashape_execute_options,
		queue: C.xlashape_queue{kind: C.int32_t(o.Queue.Kind), handle: C.uint64_t(o.Queue.Handle)},
		src:   C.uint64_t(o.Src), dst: C.uint64_t(o.Dst),
		src_byte_offset: C.int64_t(o.SrcByteOffset), dst_byte_offset: C.int64_t(o.DstByteOffset),
		src_bytes: C.int64_t(o.SrcBytes), dst_bytes: C.int64_t(o.DstBytes), task_begin: C.int64_t(o.TaskBegin),
		task_end: C.int64_t(o.TaskEnd), task_count: C.int64_t(o.TaskCount)}
	return options
}

func address(bytes []byte) *C.char {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.char)(pointerTo(bytes))
}
