// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"context"
	"runtime/cgo"
	"unsafe"
)

// Execution is one execution of a plan: see ExecuteList.
type Execution struct {
	plan     *Plan
	src, dst []byte
	from, to carrier
}

// NewExecution describes a call of Execute with these arguments for ExecuteList, which checks them.
func NewExecution[S, D Element](p *Plan, src []S, dst []D) Execution {
	return Execution{p, bytesOf(src), bytesOf(dst), carrierOf[S](), carrierOf[D]()}
}

// ExecuteContext is Execute, but ends early when the context is done, with ErrCancelled and the context's error as
// Cause: no further task begins then, and the destination is unspecified. progress may be nil.
func (p *Plan) ExecuteContext(ctx context.Context, src, dst []byte, progress Progress) error {
	err := ExecuteList(ctx, []Execution{NewExecution(p, src, dst)}, progress)
	if e, ok := err.(*Error); ok {
		e.Index = -1
	}
	return err
}

// ExecuteList does many executions in one call, with the checks of Execute. All their tasks are passed together to the
// threads, or the executor, of the first plan's runtime, so that many small executions keep all threads busy.
// Destinations must not overlap each other, nor another execution's source, which is not checked. Error.Index is the
// number of the failed one; the others may have run or not. It ends early when the context is done, as ExecuteContext
// does. progress may be nil; it counts the tasks of all executions.
func ExecuteList(ctx context.Context, executions []Execution, progress Progress) error {
	c, count := begin(), len(executions)
	defer c.end()
	c.held = append(c.held, executions...)
	plans := (**C.xlashape_plan)(c.room(8 * count))
	src, dst := (*C.uint64_t)(c.room(8*count)), (*C.uint64_t)(c.room(8*count))
	srcBytes, dstBytes := (*C.int64_t)(c.room(8*count)), (*C.int64_t)(c.room(8*count))
	for i, e := range c.held {
		unsafe.Slice(plans, count)[i] = c.plan(e.plan)
	}
	for i := range c.held {
		if c.refused != nil { // a plan is closed
			return c.refused
		}
		e := &c.held[i]
		if err := e.check(); err != nil {
			err.Index = int64(i)
			return err
		}
		unsafe.Slice(src, count)[i], unsafe.Slice(srcBytes, count)[i] = e.plan.src.place(e.src)
		unsafe.Slice(dst, count)[i], unsafe.Slice(dstBytes, count)[i] = e.plan.dst.place(e.dst)
	}
	return watched(ctx, progress, func(cancel *C.int32_t, watch cgo.Handle) error {
		return c.failed(C.xg_execute_list(c.at, C.int64_t(count), plans, src, srcBytes, dst, dstBytes, cancel,
			C.uintptr_t(watch)))
	})
}

func (e *Execution) check() *Error {
	for _, side := range []struct {
		side    *side
		bytes   []byte
		carrier carrier
	}{{&e.plan.src, e.src, e.from}, {&e.plan.dst, e.dst, e.to}} {
		if err, ok := side.side.check(len(side.bytes), side.carrier).(*Error); ok {
			return err
		}
	}
	return nil
}

// place is the address of position 0, or of index 0...0, and the bytes from there on; Unchecked where strides also
// reach bytes before it, which check has seen.
func (s *side) place(bytes []byte) (address C.uint64_t, size C.int64_t) {
	if s.low < 0 {
		size = Unchecked
	} else {
		size = C.int64_t(len(bytes)) - C.int64_t(s.offset)
	}
	if len(bytes) == 0 {
		return 0, size
	}
	return C.uint64_t(uintptr(pointerTo(bytes))) + C.uint64_t(s.offset), size
}
