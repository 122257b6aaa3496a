package xlashape

// #include "bridge.h"
import "C"

import (
	"fmt"
	"time"
)

// FillPolicy says what happens to destination positions that hold no element.
type FillPolicy int32

const (
	FillPadding     FillPolicy = 0 // they get the destination layout's padding value
	FillPreserve    FillPolicy = 1 // they keep what they had
	FillUnspecified FillPolicy = 2 // anything: fastest
)

// PlanOptions are the options of a relayout. The zero value is the default. Slices have one
// number per dimension; nil means not given.
type PlanOptions struct {
	Runtime       *Runtime // nil: the default one
	FillPolicy    FillPolicy
	Backend       string // by name; "": the library chooses
	AllowFallback bool   // another backend may stand in for the one asked for
	ReadSoon      bool   // the result is read at once: keep it in cache where it fits
	SrcSpace      MemorySpace
	DstSpace      MemorySpace
	Device        Device // of the backend
	// More than 0: making the plan takes about that long, as the backend's ways to run it are timed, on memory of the library,
	// and the fastest is kept, also for later plans like it: Runtime.Wisdom. Neither for Relayout and RelayoutInto, nor for
	// memory of devices.
	Measure time.Duration
	// A side given by byte strides instead of by its layout. Source strides may be negative or 0; destination strides may
	// be negative but must not overlap. The offset is that of index 0...0 in the slice, in bytes, not negative, and 0 where
	// there are no strides: such a slice begins with position 0. ExecuteRaw has separate offsets, in Exec.
	SrcByteStrides []int64
	DstByteStrides []int64
	SrcByteOffset  int64
	DstByteOffset  int64
	// A box: Extent elements from SrcBase of the source to DstBase of the destination (nil: 0...0). With it the shapes'
	// dimensions may differ, and nothing outside the box is written.
	SrcBase []int64
	DstBase []int64
	Extent  []int64
}

// Requirements are what a plan requires of its buffers.
type Requirements struct {
	SrcAlignment int64 // bytes
	DstAlignment int64
	SrcLow       int64 // the bytes touched are [low, high), counted from position 0 (strided: index 0...0)
	SrcHigh      int64
	DstLow       int64
	DstHigh      int64
	ScratchBytes int64
	PlanBytes    int64 // what the plan itself takes

	ScratchAlignment int64
	// Addresses that are multiples of these are fastest.
	SrcPreferredAlignment int64
	DstPreferredAlignment int64
	// The backend's estimate for one execution on one worker, useful only for comparisons.
	Estimate time.Duration
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
	bits   int64 // per element; -1: strided
	space  MemorySpace
}

// NewPlan plans a relayout; nil options are the defaults. ErrUnsupported for unbounded dimensions.
func NewPlan(src, dst Shape, options *PlanOptions) (*Plan, error) {
	if options == nil {
		options = &PlanOptions{}
	}
	f := newFrame()
	defer f.done()
	err := options.Runtime.with(func(runtime C.uintptr_t) error {
		f.plan(runtime, &src, &dst, options)
		return f.call(C.XG_PLAN)
	})
	if err != nil {
		return nil, err
	}
	p := &Plan{handle: newPlanHandle(f.get())}
	p.requirements = Requirements{f.get(), f.get(), f.get(), f.get(), f.get(), f.get(), f.get(), f.get(),
		f.get(), f.get(), f.get(), time.Duration(f.get()), f.get()}
	r := &p.requirements
	p.src = side{"source", f.get(), r.SrcLow, r.SrcHigh, options.SrcByteOffset, ElementType(f.get()), f.get(), options.SrcSpace}
	p.dst = side{"destination", f.get(), r.DstLow, r.DstHigh, options.DstByteOffset, ElementType(f.get()), f.get(), options.DstSpace}
	if options.SrcByteStrides != nil {
		p.src.bytes, p.src.bits = -1, -1
	}
	if options.DstByteStrides != nil {
		p.dst.bytes, p.dst.bits = -1, -1
	}
	p.backend = f.gotText()
	return p, nil
}

// PlanKey is a text that is equal only for equal shapes and options: the key of a cache of plans. The Runtime is not part of
// it. No plan is made, and one need not exist. It is the same in every process, on every machine and in every release of one
// major number.
func PlanKey(src, dst Shape, options *PlanOptions) (string, error) {
	if options == nil {
		options = &PlanOptions{}
	}
	f := newFrame()
	defer f.done()
	f.relayout(&src, &dst, options)
	if err := f.call(C.XG_PLAN_KEY); err != nil {
		return "", err
	}
	key := f.gotText()
	if options.SrcByteOffset != 0 || options.DstByteOffset != 0 { // what a plan has here beside the library's
		key = fmt.Sprintf("src_offset=%d dst_offset=%d %s", options.SrcByteOffset, options.DstByteOffset, key)
	}
	return key, nil
}

func newPlanHandle(pointer int64) *handle {
	return newHandle(uintptr(pointer), func(p uintptr) { C.xg_release_plan(C.uintptr_t(p)) })
}

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

func (p *Plan) ask(op C.int32_t, more ...int64) (*frame, error) {
	f := newFrame()
	pointer, err := given(p).handle.enter()
	if err != nil {
		return f, err
	}
	defer p.handle.leave()
	f.put(int64(pointer))
	f.put(more...)
	return f, f.call(op)
}

// Describe returns backend, kernel and loops in one line, for people; it is not stable.
func (p *Plan) Describe() (string, error) {
	f, err := p.ask(C.XG_PLAN_DESCRIBE)
	defer f.done()
	if err != nil {
		return "", err
	}
	return f.gotText(), nil
}

// Predict is how long one execution takes on the runtime's workers, for arrays that were moved before: predicted from
// the runtime's profile (Runtime.Calibrate), so nothing is measured, and the same plan always has the same answer.
// ErrUnsupported where there is no prediction: no profile, one without speeds, or a plan whose backend does not
// predict; the message says which.
func (p *Plan) Predict() (time.Duration, error) {
	f, err := p.ask(C.XG_PLAN_PREDICT)
	defer f.done()
	if err != nil {
		return 0, err
	}
	return time.Duration(f.get()), nil // both count nanoseconds
}

// Shapes are the shapes that the plan was made from.
func (p *Plan) Shapes() (src, dst Shape, err error) {
	f, err := p.ask(C.XG_PLAN_SHAPES)
	defer f.done()
	if err != nil {
		return Shape{}, Shape{}, err
	}
	src = f.gotShape()
	dst = f.gotShape()
	return src, dst, f.err
}

// TaskCount is the recommended number of independent tasks for that many workers.
func (p *Plan) TaskCount(workers int) (int64, error) {
	f, err := p.ask(C.XG_PLAN_TASKS, int64(workers))
	defer f.done()
	if err != nil {
		return 0, err
	}
	return f.get(), nil
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
		return fail(ErrOutOfRange, "the %s has %d bytes, its strides reach bytes [%d, %d) from offset %d on", s.name, size, s.low, s.high, s.offset)
	}
	return nil
}

// Execute moves the bytes. The slices must have exactly the size of their shapes (for a side given by strides: contain
// all bytes touched) and must not overlap, except that a plan that moves nothing may run in place.
func (p *Plan) Execute(src, dst []byte) error { return p.execute(src, dst, carrierOf[byte]()) }

func (p *Plan) execute(src, dst []byte, c carrier) error {
	pointer, err := given(p).handle.enter()
	if err != nil {
		return err
	}
	defer p.handle.leave()
	if err := p.src.check(len(src), c); err != nil {
		return err
	}
	if err := p.dst.check(len(dst), c); err != nil {
		return err
	}
	return take(C.xg_execute(C.uintptr_t(pointer), address(src), C.int64_t(len(src)), C.int64_t(p.src.offset), address(dst),
		C.int64_t(len(dst)), C.int64_t(p.dst.offset)))
}

// ExecuteBatch moves count evenly spaced arrays: array i is at i times srcStep and dstStep bytes. Not for
// sides given by strides.
func (p *Plan) ExecuteBatch(count int, src []byte, srcStep int, dst []byte, dstStep int) error {
	pointer, err := given(p).handle.enter()
	if err != nil {
		return err
	}
	defer p.handle.leave()
	if count < 0 {
		return fail(ErrInvalidArgument, "count is %d, it must not be negative", count)
	}
	if count == 0 {
		return nil
	}
	if err := p.src.checkBatch(count, len(src), srcStep); err != nil {
		return err
	}
	if err := p.dst.checkBatch(count, len(dst), dstStep); err != nil {
		return err
	}
	return take(C.xg_execute_batch(C.uintptr_t(pointer), C.int64_t(count), address(src), C.int64_t(srcStep), address(dst),
		C.int64_t(dstStep)))
}

func (s *side) checkBatch(count, size, step int) error {
	if s.bytes < 0 {
		return fail(ErrUnsupported, "the %s is given by strides: call Execute for each array", s.name)
	}
	if err := s.check(int(s.bytes), carrierOf[byte]()); err != nil {
		return err
	}
	last := int64(count - 1)
	if room := int64(size) - s.bytes; step < 0 || room < 0 || (last > 0 && int64(step) > room/last) {
		return fail(ErrOutOfRange, "the %s has %d bytes: not %d arrays of %d bytes, %d bytes apart", s.name, size, count, s.bytes, step)
	}
	return nil
}

// QueueKind is the kind of Exec.Queue.
type QueueKind int32

const (
	QueueNone   QueueKind = 0
	QueueCUDA   QueueKind = 1 // a CUstream, 0 the legacy default stream
	QueueOpenCL QueueKind = 2 // a cl_command_queue
)

// Exec is one execution on memory that does not belong to Go, or of a part of the tasks.
type Exec struct {
	QueueKind     QueueKind // with a queue the call only enqueues
	Queue         uint64
	Src           uint64 // an address, or a cl_mem; never that of Go memory
	Dst           uint64
	SrcByteOffset int64
	DstByteOffset int64
	SrcByteSize   int64 // bytes from Src on that may be touched; 0: not told, so not checked
	DstByteSize   int64
	TaskBegin     int64 // run tasks [TaskBegin, TaskEnd) of TaskCount on the calling thread; TaskCount 0: all
	TaskEnd       int64
	TaskCount     int64
}

// ExecuteRaw runs the plan on addresses, which are not checked.
func (p *Plan) ExecuteRaw(e Exec) error {
	pointer, err := given(p).handle.enter()
	if err != nil {
		return err
	}
	defer p.handle.leave()
	return take(C.xg_execute_raw(C.uintptr_t(pointer), e.raw()))
}

func (e *Exec) raw() C.xlashape_exec {
	return C.xlashape_exec{struct_size: C.sizeof_xlashape_exec, queue_kind: C.int32_t(e.QueueKind), queue: C.uint64_t(e.Queue),
		src: C.uint64_t(e.Src), dst: C.uint64_t(e.Dst), src_byte_offset: C.int64_t(e.SrcByteOffset),
		dst_byte_offset: C.int64_t(e.DstByteOffset), src_byte_size: C.int64_t(e.SrcByteSize),
		dst_byte_size: C.int64_t(e.DstByteSize), task_begin: C.int64_t(e.TaskBegin), task_end: C.int64_t(e.TaskEnd),
		task_count: C.int64_t(e.TaskCount)}
}

func address(bytes []byte) *C.char {
	if len(bytes) == 0 {
		return nil
	}
	return (*C.char)(pointerTo(bytes))
}
