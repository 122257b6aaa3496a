package xlashape

// #include "bridge.h"
import "C"

import (
	"context"
	"errors"
	"runtime/cgo"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Progress is called after each task of an execution, of about 1 MiB or less, when done of count tasks have ended. It is
// called on separate goroutines, possibly on several at once. If it panics no further task begins, and the execution
// returns ErrCancelled with a *PanicError as Cause.
type Progress func(done, count int)

// Execution is one execution of a plan: see ExecuteList.
type Execution struct {
	plan     *Plan
	src, dst []byte
	carrier  carrier
}

// NewExecution describes a call of Execute with these arguments for ExecuteList, which checks them.
func NewExecution[T Element](p *Plan, src, dst []T) Execution {
	return Execution{p, bytesOf(src), bytesOf(dst), carrierOf[T]()}
}

// ExecuteContext is Execute, but ends early when the context is done, with ErrCancelled and the context's error as Cause:
// no further task begins then, and the destination is unspecified. progress may be nil.
func (p *Plan) ExecuteContext(ctx context.Context, src, dst []byte, progress Progress) error {
	err := ExecuteList(ctx, []Execution{NewExecution(p, src, dst)}, progress)
	if e, ok := err.(*Error); ok {
		e.Index = -1
	}
	return err
}

// ExecuteList does many executions in one call, with the checks of Execute. All their tasks are passed together to the
// threads, or the executor, of the first plan's runtime, so that many small executions keep all threads busy. Destinations
// must not overlap each other, nor another execution's source, which is not checked. Error.Index is the number of the
// failed one; the others may have run or not. It ends early when the context is done, as ExecuteContext does. progress may
// be nil; it counts the tasks of all executions.
func ExecuteList(ctx context.Context, executions []Execution, progress Progress) error {
	f := newFrame()
	defer f.done()
	f.held = append(f.held, executions...)
	entered := 0
	defer func() {
		for _, e := range f.held[:entered] {
			e.plan.handle.leave()
		}
	}()
	for _, e := range f.held {
		pointer, err := given(e.plan).handle.enter()
		if err != nil {
			return err
		}
		entered++
		f.put(int64(pointer))
	}
	for i := range f.held {
		if err := f.held[i].check(); err != nil {
			err.Index = int64(i)
			return err
		}
	}
	for _, e := range f.held {
		f.put(e.plan.src.address(e.src))
	}
	for _, e := range f.held {
		f.put(e.plan.dst.address(e.dst))
	}
	return watched(ctx, progress, func(cancel *int32, watch cgo.Handle) error {
		return take(C.xg_execute_list(C.int64_t(len(f.held)), f.numbers(), (*C.int32_t)(unsafe.Pointer(cancel)), C.uintptr_t(watch)))
	})
}

func (e *Execution) check() *Error {
	for _, side := range []struct {
		side  *side
		bytes []byte
	}{{&e.plan.src, e.src}, {&e.plan.dst, e.dst}} {
		if err, ok := side.side.check(len(side.bytes), e.carrier).(*Error); ok {
			return err
		}
	}
	return nil
}

// address is that of position 0, or of index 0...0; 0 if there are no bytes.
func (s *side) address(bytes []byte) int64 {
	if len(bytes) == 0 {
		return 0
	}
	return int64(uintptr(pointerTo(bytes))) + s.offset
}

// watch is what C checks between the tasks of a call; C refers to it by a number.
type watch struct {
	progress Progress
	cancel   *int32 // what C looks at
	guard    sync.Mutex
	err      error // what progress ended with, in place of returning
}

// watched makes a call of C that ends when the context is done, and that calls progress.
func watched(ctx context.Context, progress Progress, call func(cancel *int32, watch cgo.Handle) error) error {
	var done <-chan struct{}
	if ctx != nil {
		done = ctx.Done()
	}
	if done == nil && progress == nil {
		return call(nil, 0)
	}
	w := &watch{progress: progress, cancel: new(int32)}
	if done != nil {
		if ctx.Err() != nil { // no task begins, however late the goroutine is
			*w.cancel = 1
		}
		ended := make(chan struct{})
		defer close(ended)
		go func() {
			select {
			case <-done:
				atomic.StoreInt32(w.cancel, 1)
			case <-ended:
			}
		}()
	}
	var name cgo.Handle
	if progress != nil {
		name = cgo.NewHandle(w)
		defer name.Delete()
	}
	err := call(w.cancel, name)
	if w.err != nil {
		failed := fail(ErrCancelled, "Progress did not return: the call was ended, and what it was to give is unspecified")
		failed.Cause = w.err
		return failed
	}
	if e, ok := err.(*Error); ok && e.Code == ErrCancelled && e.Cause == nil && done != nil {
		e.Cause = ctx.Err()
	}
	return err
}

//export xgProgress
func xgProgress(name C.uintptr_t, done, count C.int64_t) {
	cgo.Handle(name).Value().(*watch).hear(int(done), int(count))
}

// hear calls the program's function; however that ends, the goroutine that C calls on continues.
func (w *watch) hear(done, count int) {
	ended := make(chan struct{})
	go func() {
		returned := false
		defer close(ended)
		defer func() {
			if !returned {
				var err error = errors.New("Progress ended its goroutine")
				if value := recover(); value != nil {
					err = &PanicError{value, debug.Stack(), "Progress"}
				}
				w.stop(err)
			}
		}()
		w.progress(done, count)
		returned = true
	}()
	<-ended
}

func (w *watch) stop(err error) {
	w.guard.Lock()
	defer w.guard.Unlock()
	if w.err == nil {
		w.err = err
	}
	atomic.StoreInt32(w.cancel, 1)
}
