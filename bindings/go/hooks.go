// SPDX-License-Identifier: Apache-2.0

package xlashape

// #include "calls.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime/cgo"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// What the program gives, and C calls: executors, loggers, progress. C refers to each by the name that runtime/cgo
// gives it.

// ParallelFor is an executor: it calls run(i) exactly once for each i in [0, count), in any order, from any goroutines,
// and returns when all are done. If it returns an error, the call that needed the work fails with ErrCancelled, with
// that error as Cause, and its destination is unspecified. The same happens if ParallelFor panics (*PanicError), ends
// its goroutine, or leaves out a task. A panic in a goroutine that it starts ends the program, as always in Go.
//
// It is called on a separate goroutine, never nested, and at the same time for executions that run at the same time.
type ParallelFor func(count int, run func(index int)) error

// Goroutines is a ParallelFor: a goroutine per task. RuntimeOptions.Workers limits how many run at the same time. A
// negative count is ErrInvalidArgument.
func Goroutines(count int, run func(index int)) error {
	if count < 0 {
		return fail(ErrInvalidArgument, "count is %d, it must not be negative", count)
	}
	var tasks sync.WaitGroup
	for i := 0; i < count; i++ {
		tasks.Add(1) // all at once would not take every count
		go func(i int) {
			defer tasks.Done()
			run(i)
		}(i)
	}
	tasks.Wait()
	return nil
}

// PanicError is the Cause of an execution whose ParallelFor or Progress panicked.
type PanicError struct {
	Value any
	Stack []byte
	place string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic in %s: %v", e.place, e.Value) }

// apart runs what the program gave on a goroutine of its own: however it ends, the goroutine that C calls on continues.
// It returns the error, or how it ended in place of returning.
func apart(place string, call func() error) error {
	ended := make(chan error, 1)
	go func() {
		err := errors.New(place + " ended its goroutine")
		defer func() {
			if value := recover(); value != nil {
				err = &PanicError{value, debug.Stack(), place}
			}
			ended <- err
		}()
		err = call()
	}()
	return <-ended
}

// executor is a ParallelFor; C refers to it by a number.
type executor struct {
	parallelFor ParallelFor
	workers     int
}

// xgParallelFor returns 0, or the number of the executor's error.
//
//export xgParallelFor
func xgParallelFor(name C.uintptr_t, count C.int64_t, task, opaque C.uintptr_t) C.uintptr_t {
	err := cgo.Handle(name).Value().(*executor).run(int(count), func(index int, worker uint32) {
		C.xg_run_task(task, opaque, C.int64_t(index), C.uint32_t(worker))
	})
	if err == nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(err))
}

// run lets the program's function do all tasks, and ensures that no task is left out, done twice, or still
// running when run returns.
func (e *executor) run(count int, task func(index int, worker uint32)) error {
	var (
		gate    sync.RWMutex // held by running tasks
		over    bool
		bad     atomic.Value
		ran     = make([]uint32, count)
		workers = make(chan uint32, e.workers)
	)
	for i := 0; i < e.workers; i++ {
		workers <- uint32(i)
	}
	once := func(index int) {
		gate.RLock()
		defer gate.RUnlock()
		switch {
		case over:
		case index < 0 || index >= count:
			bad.Store(fmt.Errorf("ParallelFor ran task %d, not in [0, %d)", index, count))
		case !atomic.CompareAndSwapUint32(&ran[index], 0, 1):
			bad.Store(fmt.Errorf("ParallelFor ran task %d twice", index))
		default:
			worker := <-workers
			task(index, worker)
			workers <- worker
		}
	}
	err := apart("ParallelFor", func() error { return e.parallelFor(count, once) })
	gate.Lock()
	over = true
	gate.Unlock()
	if wrong, ok := bad.Load().(error); ok && err == nil {
		err = wrong
	}
	for i := 0; i < count && err == nil; i++ {
		if ran[i] == 0 {
			err = fmt.Errorf("ParallelFor left out task %d of %d", i, count)
		}
	}
	return err
}

// Logger is called with each log message of the library and its backends: a line, its level, and the number of the
// backend in Backends, or -1 for the library itself. It is called on a separate goroutine, and possibly several times
// at once. The call that logs waits for it. A panic in it is caught.
//
// It may use the library. It may also plan on its runtime when the library itself logs about a backend, such as
// "backend simd: ready, ...". For a line that a backend logs while it is being opened, the logger must neither plan on
// the same runtime nor wait for a goroutine that does, because planning there waits for that backend.
type Logger func(level LogLevel, backend int, line string)

// LogLevel is the severity of a line.
type LogLevel int32

const (
	// members: LOG_(\w+) as Log{Name} LogLevel = C.{C}
	LogError   LogLevel = C.XLASHAPE_LOG_ERROR   // something failed
	LogWarning LogLevel = C.XLASHAPE_LOG_WARNING // something is not as it should be
	LogInfo    LogLevel = C.XLASHAPE_LOG_INFO
	LogDebug   LogLevel = C.XLASHAPE_LOG_DEBUG
	// end of members
)

//export xgLog
func xgLog(name C.uintptr_t, level C.int32_t, source C.uint32_t, text *C.char, size C.int64_t) {
	log := cgo.Handle(name).Value().(Logger)
	line := C.GoStringN(text, C.int(size))
	_ = apart("Logger", func() error {
		log(LogLevel(level), int(source)-1, line)
		return nil
	})
}

// Progress is called after each task of an execution, of about 1 MiB or less, when done of count tasks have ended. It
// is called on separate goroutines, possibly on several at once. If it panics no further task begins, and the execution
// returns ErrCancelled with a *PanicError as Cause.
type Progress func(done, count int)

// watch is what C checks between the tasks of a call; C refers to it by a number.
type watch struct {
	progress Progress
	cancel   *int32 // what C looks at
	guard    sync.Mutex
	err      error // what progress ended with, in place of returning
}

// watched makes a call of C that ends when the context is done, and that calls progress.
func watched(ctx context.Context, progress Progress, call func(cancel *C.int32_t, watch cgo.Handle) error) error {
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
	err := call((*C.int32_t)(w.cancel), name)
	if w.err != nil {
		failed := fail(ErrCancelled,
			"Progress did not return: the call was ended, and what it was to give is unspecified")
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
	w := cgo.Handle(name).Value().(*watch)
	err := apart("Progress", func() error {
		w.progress(int(done), int(count))
		return nil
	})
	if err == nil {
		return
	}
	w.guard.Lock()
	defer w.guard.Unlock()
	if w.err == nil {
		w.err = err
	}
	atomic.StoreInt32(w.cancel, 1)
}

// xgForget drops the hook with this number, after its runtime and the runtime's plans are released.
//
//export xgForget
func xgForget(name C.uintptr_t) { cgo.Handle(name).Delete() }
